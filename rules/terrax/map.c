/* rules/terrax/map.c: reads and checks a map.
 *
 * A map is one text: a line "map NAME", a line "places", the rows of
 * places.tsv, a line "legs", the rows of legs.tsv.  Faults of single rows come
 * before those of a whole file, places before legs; each names the line of the
 * text and, in its subject, file and line of the pair. */
#include "rules/terrax/state.h"

static const char places_head[] =
    "id\tkind\tcontinent\tlat\tlon\tx\ty\tpair\tname_en\tname_nl\tname_sv\t"
    "name_de\ttext_en\ttext_nl\ttext_sv";
static const char legs_head[] = "leg\ta\tb\tstart_no";

/* The reader's place in the text. */
struct reader {
    struct world *w;
    struct lines lines;
    const char *file; /* "places.tsv" */
    int skipped;      /* lines of the text before that file */
    int on_earth;     /* places that are where the world has them */
    struct fault *f;
};

static bool refuse_at(struct reader *r, int code, int line, struct span what)
{
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, r->file);
    if (line > 0) {
        text_put(&t, " line ");
        text_int(&t, line - r->skipped);
    }
    if (what.length > 0) {
        text_put(&t, ": ");
        text_bytes(&t, what.at, what.length);
    }
    text_end(&t);
    return fault_set(r->f, code, line, line > 0, subject);
}

static bool refuse(struct reader *r, int code, struct span what)
{
    return refuse_at(r, code, r->lines.number, what);
}

static int fields(struct span row)
{
    int count = 1;
    for (size_t i = 0; i < row.length; i++)
        count += row.at[i] == '\t';
    return count;
}

static struct span field(struct span row, int column)
{
    while (column-- > 0)
        span_cut(&row, '\t');
    return span_cut(&row, '\t');
}

static struct span row_at(const struct world *w, uint32_t row)
{
    struct span rest = {w->text + row, w->text_length - row};
    return span_cut(&rest, '\n');
}

struct span tx_map_field(const struct world *w, int drawing, int column)
{
    return field(row_at(w, w->drawing[drawing].row), column);
}

struct span tx_map_leg_id(const struct world *w, int leg)
{
    return field(row_at(w, w->leg[leg].row), 0);
}

static int find_word(const char *const *list, struct span word)
{
    for (int i = 0; list[i]; i++)
        if (span_is(word, list[i]))
            return i;
    return -1;
}

/* ---- places ---- */

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool good_id(struct span id)
{
    if (id.length < 2 || id.length > 4 || !letter(id.at[0]))
        return false;
    for (size_t i = 1; i < id.length; i++)
        if (!letter(id.at[i]) && !(id.at[i] >= '0' && id.at[i] <= '9'))
            return false;
    return true;
}

static bool same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static int find_drawing(const struct world *w, struct span id)
{
    for (int i = 0; i < w->drawings; i++)
        if (span_is(id, w->drawing[i].id))
            return i;
    return -1;
}

/* A decimal number as thousandths; more digits are read and dropped. */
static bool read_number(struct span s, int32_t *out)
{
    size_t i = s.length > 0 && (s.at[0] == '-' || s.at[0] == '+');
    bool minus = i && s.at[0] == '-', point = false, digit = false;
    int64_t value = 0;
    int scale = 1000;
    for (; i < s.length; i++) {
        if (s.at[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (s.at[i] < '0' || s.at[i] > '9' || value > 1000000000)
            return false;
        digit = true;
        if (!point)
            value = 10 * value + 1000 * (s.at[i] - '0');
        else
            value += (scale /= 10) * (s.at[i] - '0');
    }
    if (!digit || value > 1000000000)
        return false;
    *out = (int32_t)(minus ? -value : value);
    return true;
}

/* Does it stand about where the world map would have it?  All are thousandths,
 * of degrees and of the drawing's units: 1800 by 940, cut at 170 degrees west,
 * crowded places pushed apart. */
static bool on_earth(int32_t lat, int32_t lon, const struct drawing *d)
{
    enum { UNIT = 1000, PUSHED = 40 * UNIT };
    int64_t east = (lon < -170 * UNIT ? 360 * UNIT : 0) + lon + 170 * UNIT;
    int64_t x = 20 * UNIT + east * 1760 / 360 - d->x;
    int64_t y = 20 * UNIT + (80 * UNIT - (int64_t)lat) * 900 / 138 - d->y;
    return x <= PUSHED && -x <= PUSHED && y <= PUSHED && -y <= PUSHED;
}

/* w1 has the twin e1 and so on; no other place has one. */
static bool good_pair(int kind, struct span id, struct span pair)
{
    if (kind != KIND_EDGE)
        return span_is(pair, "-");
    return id.length == 2 && pair.length == 2 &&
           (id.at[0] == 'w' || id.at[0] == 'e') &&
           pair.at[0] == (id.at[0] == 'w' ? 'e' : 'w') && id.at[1] >= '1' &&
           id.at[1] <= '3' && pair.at[1] == id.at[1];
}

static bool read_place(struct reader *r, struct span row)
{
    struct world *w = r->w;
    if (fields(row) != COL_COUNT)
        return refuse(r, TX_MAP_COLUMNS, field(row, COL_ID));
    if (w->drawings == PLACES)
        return refuse(r, TX_MAP_LIMIT, field(row, COL_ID));
    struct span id = field(row, COL_ID);
    if (!good_id(id) || find_drawing(w, id) >= 0)
        return refuse(r, TX_MAP_ID, id);
    struct drawing *d = &w->drawing[w->drawings];
    int kind = find_word(terrax_kinds, field(row, COL_KIND));
    struct span land = field(row, COL_CONTINENT);
    int continent = find_word(terrax_continents, land);
    if (kind < 0 ||
        (kind == KIND_MISSION ? continent < 0 : !span_is(land, "-")))
        return refuse(r, TX_MAP_KIND, id);
    int32_t lat, lon;
    if (!read_number(field(row, COL_LAT), &lat) ||
        !read_number(field(row, COL_LON), &lon) ||
        !read_number(field(row, COL_X), &d->x) ||
        !read_number(field(row, COL_Y), &d->y))
        return refuse(r, TX_MAP_NUMBER, id);
    if (!good_pair(kind, id, field(row, COL_PAIR)))
        return refuse(r, TX_MAP_EDGE, id);
    span_copy(id, d->id, sizeof d->id);
    d->row = (uint32_t)(row.at - w->text);
    d->kind = (uint8_t)kind;
    d->continent = (uint8_t)(continent < 0 ? 0 : continent);
    r->on_earth += on_earth(lat, lon, d);
    w->drawings++;
    return true;
}

static int line_of(const struct world *w, uint32_t offset)
{
    int line = 1;
    for (uint32_t i = 0; i < offset; i++)
        line += w->text[i] == '\n';
    return line;
}

static bool refuse_place(struct reader *r, int code, int drawing)
{
    return refuse_at(r, code, line_of(r->w, r->w->drawing[drawing].row),
                     tx_map_field(r->w, drawing, COL_ID));
}

static bool refuse_missions(struct reader *r, int count)
{
    char number[24];
    struct text t = text_begin(number, sizeof number);
    text_int(&t, count);
    text_put(&t, " missions");
    text_end(&t);
    return refuse_at(r, TX_MAP_COUNT, 0, span_of(number));
}

/* What is there too often or lacks its twin has a line; what is missing has
 * none. */
static bool check_places(struct reader *r, int missions)
{
    struct world *w = r->w;
    w->earth = 4 * r->on_earth >= 3 * w->drawings;
    int count[5] = {0};
    for (int i = 0; i < w->drawings; i++) {
        int kind = w->drawing[i].kind;
        count[kind]++;
        if (kind == KIND_EDGE &&
            find_drawing(w, tx_map_field(w, i, COL_PAIR)) < 0)
            return refuse_place(r, TX_MAP_EDGE, i);
        if (count[KIND_MISSION] > missions)
            return refuse_place(r, TX_MAP_COUNT, i);
        if (count[KIND_START] > 1)
            return refuse_place(r, TX_MAP_START, i);
    }
    if (count[KIND_MISSION] < missions)
        return refuse_missions(r, count[KIND_MISSION]);
    return count[KIND_START] == 1 || refuse_at(r, TX_MAP_START, 0, span_of(""));
}

static int compare_id(struct span a, struct span b)
{
    size_t both = a.length < b.length ? a.length : b.length;
    int order = memcmp(a.at, b.at, both);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* The eastern drawing of an edge station is no logical place of its own. */
static bool eastern(const struct world *w, int drawing)
{
    return w->drawing[drawing].kind == KIND_EDGE &&
           w->drawing[drawing].id[0] == 'e';
}

/* Numbers the logical places in the byte order of their ids. */
static void number_places(struct world *w)
{
    uint8_t order[PLACES];
    w->places = 0;
    for (int i = 0; i < w->drawings; i++) {
        if (eastern(w, i))
            continue;
        int at = w->places++;
        for (; at > 0; at--) {
            if (strcmp(w->drawing[order[at - 1]].id, w->drawing[i].id) < 0)
                break;
            order[at] = order[at - 1];
        }
        order[at] = (uint8_t)i;
    }
    for (int p = 0; p < w->places; p++) {
        int i = order[p];
        w->drawing[i].place = (uint8_t)p;
        w->west[p] = w->east[p] = (uint8_t)i;
        w->kind[p] = w->drawing[i].kind;
        memcpy(w->id[p], w->drawing[i].id, sizeof w->id[p]);
        if (w->kind[p] == KIND_START)
            w->hub = p;
    }
    for (int i = 0; i < w->drawings; i++)
        if (eastern(w, i)) {
            int twin = find_drawing(w, tx_map_field(w, i, COL_PAIR));
            int p = w->drawing[i].place = w->drawing[twin].place;
            w->east[p] = (uint8_t)i;
        }
}

static void number_cards(struct world *w)
{
    w->cards = 0;
    for (int p = 0; p < w->places; p++) {
        w->card_of[p] = NO_CARD;
        if (w->kind[p] != KIND_MISSION)
            continue;
        w->place_of[w->cards] = (uint8_t)p;
        w->card_of[p] = (uint8_t)w->cards++;
    }
}

/* ---- legs ---- */

/* terrax §2: a start number belongs to a leg at the hub and to no other. */
static bool start_number(struct reader *r, const struct leg *leg,
                         struct span text, int *out)
{
    struct world *w = r->w;
    long number = 0;
    bool hub = w->drawing[leg->a].place == w->hub ||
               w->drawing[leg->b].place == w->hub;
    if (hub != span_int(text, 1, START_LEGS, &number) ||
        (!hub && !span_is(text, "-")))
        return false;
    for (int i = 0; i < w->legs; i++)
        if (hub && w->leg[i].start == number)
            return false;
    *out = (int)number;
    return true;
}

static bool joined(const struct world *w, int a, int b)
{
    for (int i = 0; i < w->legs; i++) {
        int p = w->drawing[w->leg[i].a].place;
        int q = w->drawing[w->leg[i].b].place;
        if ((p == a && q == b) || (p == b && q == a))
            return true;
    }
    return false;
}

static bool leg_twice(const struct world *w, struct span id)
{
    for (int i = 0; i < w->legs; i++)
        if (same(tx_map_leg_id(w, i), id))
            return true;
    return false;
}

static bool read_leg(struct reader *r, struct span row)
{
    struct world *w = r->w;
    struct span id = field(row, 0);
    if (fields(row) != 4)
        return refuse(r, TX_MAP_COLUMNS, id);
    if (w->legs == LEGS)
        return refuse(r, TX_MAP_LIMIT, id);
    int a = find_drawing(w, field(row, 1)), b = find_drawing(w, field(row, 2));
    if (id.length == 0 || leg_twice(w, id))
        return refuse(r, TX_MAP_LEG, id);
    if (a < 0 || b < 0)
        return refuse(r, TX_MAP_LEG, field(row, a < 0 ? 1 : 2));
    int p = w->drawing[a].place, q = w->drawing[b].place;
    if (p == q || joined(w, p, q))
        return refuse(r, TX_MAP_LEG, id);
    if (w->degree[p] == DEGREE || w->degree[q] == DEGREE)
        return refuse(r, TX_MAP_LIMIT, id);
    struct leg leg = {.a = (uint8_t)a, .b = (uint8_t)b};
    int number;
    if (!start_number(r, &leg, field(row, 3), &number))
        return refuse(r, TX_MAP_START, id);
    leg.start = (uint8_t)number;
    leg.row = (uint32_t)(row.at - w->text);
    w->leg[w->legs++] = leg;
    w->degree[p]++;
    w->degree[q]++;
    return true;
}

/* Lays the slots of each place side by side, sorted by the other end. */
static void lay_slots(struct world *w)
{
    uint16_t slot[PLACES][PLACES];
    memset(slot, 0, sizeof slot);
    w->slots = 0;
    uint8_t leg_between[PLACES];
    for (int p = 0; p < w->places; p++) {
        memset(leg_between, 0, sizeof leg_between);
        for (int i = 0; i < w->legs; i++) {
            int a = w->drawing[w->leg[i].a].place;
            int b = w->drawing[w->leg[i].b].place;
            if (a == p || b == p)
                leg_between[a == p ? b : a] = (uint8_t)(i + 1);
        }
        w->first[p] = (uint16_t)w->slots;
        for (int q = 0; q < w->places; q++) {
            if (!leg_between[q])
                continue;
            w->from[w->slots] = (uint8_t)p;
            w->to[w->slots] = (uint8_t)q;
            w->leg_of[w->slots] = (uint8_t)(leg_between[q] - 1);
            slot[p][q] = (uint16_t)w->slots++;
        }
    }
    for (int i = 0; i < w->slots; i++)
        w->back[i] = slot[w->to[i]][w->from[i]];
    for (int i = 0; i < w->legs; i++)
        w->leg[i].slot =
            slot[w->drawing[w->leg[i].a].place][w->drawing[w->leg[i].b].place];
}

/* No way is longer than a map has places, so that every distance fits. */
enum { UNREACHED = 0xff };
_Static_assert(PLACES <= (int)UNREACHED, "distances");

static void measure_from(struct world *w, int start)
{
    uint8_t *far = w->distance[start];
    uint8_t queue[PLACES];
    int read = 0, count = 0;
    memset(far, UNREACHED, PLACES);
    far[start] = 0;
    queue[count++] = (uint8_t)start;
    while (read < count) {
        int p = queue[read++];
        for (int i = 0; i < w->degree[p]; i++) {
            int q = w->to[w->first[p] + i];
            if (far[q] != UNREACHED)
                continue;
            far[q] = (uint8_t)(far[p] + 1);
            queue[count++] = (uint8_t)q;
        }
    }
}

/* terrax §2: names the first start leg that is missing. */
static bool refuse_start(struct reader *r)
{
    char number[24];
    unsigned have = 0;
    for (int i = 0; i < r->w->legs; i++)
        have |= 1u << r->w->leg[i].start;
    struct text t = text_begin(number, sizeof number);
    text_put(&t, "start leg ");
    text_int(&t, __builtin_ctz(~(have | 1)));
    text_end(&t);
    return refuse_at(r, TX_MAP_START, 0, span_of(number));
}

static bool check_legs(struct reader *r)
{
    struct world *w = r->w;
    if (w->degree[w->hub] != START_LEGS)
        return refuse_start(r);
    lay_slots(w);
    for (int p = 0; p < w->places; p++)
        measure_from(w, p);
    for (int i = 0; i < w->drawings; i++)
        if (w->distance[w->hub][w->drawing[i].place] == UNREACHED) {
            r->file = "places.tsv";
            r->skipped = 2;
            return refuse_place(r, TX_MAP_CONNECTED, i);
        }
    for (int card = 0; card < w->cards; card++)
        w->far[card] = w->distance[w->hub][w->place_of[card]];
    for (int place = 0; place < w->places; place++)
        for (int card = 0; card < w->cards; card++) {
            int legs = w->distance[place][w->place_of[card]];
            w->legs_to[place][card] =
                (uint8_t)(legs < FAR_LEGS ? legs : FAR_LEGS);
        }
    return true;
}

/* ---- the whole text ---- */

static bool read_name(struct reader *r)
{
    struct span line;
    r->file = "map";
    if (!lines_next(&r->lines, &line) || line.length < 5 ||
        memcmp(line.at, "map ", 4) != 0 ||
        line.length - 4 >= sizeof r->w->name ||
        memchr(line.at, '"', line.length))
        return refuse_at(r, TX_MAP_FILE, 1, span_of("map"));
    span_copy((struct span){line.at + 4, line.length - 4}, r->w->name,
              sizeof r->w->name);
    return true;
}

/* A line that names the file, then the line with its columns. */
static bool read_head(struct reader *r, struct span name, const char *file,
                      const char *head)
{
    struct span line;
    r->file = file;
    r->skipped = r->lines.number;
    if (name.length + 4 != strlen(file) ||
        memcmp(name.at, file, name.length) != 0)
        return refuse_at(r, TX_MAP_FILE, 0, span_of(""));
    if (!lines_next(&r->lines, &line))
        return refuse_at(r, TX_MAP_FILE, 0, span_of(""));
    return span_is(line, head) || refuse(r, TX_MAP_COLUMNS, span_of(""));
}

static bool read_places(struct reader *r, struct span *line)
{
    if (!lines_next(&r->lines, line))
        *line = span_of("");
    if (!read_head(r, *line, "places.tsv", places_head))
        return false;
    while (lines_next(&r->lines, line)) {
        if (span_is(*line, "legs"))
            return true;
        if (!read_place(r, *line))
            return false;
    }
    *line = span_of("");
    return true;
}

/* A byte that cannot stand in any text. */
static bool refuse_byte(struct reader *r, const char *byte, const char *what)
{
    struct lines l = r->lines;
    struct span line;
    while (lines_next(&l, &line) && l.rest.at <= byte) {
        bool places = span_is(line, "places");
        if (places || span_is(line, "legs")) {
            r->file = places ? "places.tsv" : "legs.tsv";
            r->skipped = l.number;
        }
    }
    return refuse_at(r, TX_MAP_FILE, l.number, span_of(what));
}

bool tx_map_read(struct world *w, int missions, struct fault *f)
{
    if (w->text_length > 0 && w->text[w->text_length - 1] != '\n')
        w->text[w->text_length++] = '\n';
    struct span text = {w->text, w->text_length}, line;
    struct reader r = {.w = w, .lines = lines_of(text), .f = f};
    size_t bad;
    w->drawings = w->legs = 0;
    memset(w->degree, 0, sizeof w->degree);
    if (!read_name(&r))
        return false;
    const char *cr = memchr(text.at, '\r', text.length);
    if (!span_utf8(text, &bad))
        return refuse_byte(&r, text.at + bad, "UTF-8");
    if (cr)
        return refuse_byte(&r, cr, "CR");
    if (!read_places(&r, &line) || !check_places(&r, missions))
        return false;
    number_places(w);
    number_cards(w);
    if (!read_head(&r, line, "legs.tsv", legs_head))
        return false;
    while (lines_next(&r.lines, &line))
        if (!read_leg(&r, line))
            return false;
    return check_legs(&r);
}

void tx_map_load_default(struct world *w)
{
    struct text t = text_begin(w->text, sizeof w->text);
    for (int i = 0; terrax_default_map[i]; i++) {
        text_put(&t, terrax_default_map[i]);
        text_char(&t, '\n');
    }
    w->text_length = (uint32_t)text_end(&t);
}

int tx_map_place(const struct world *w, struct span id)
{
    int low = 0, high = w->places - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = compare_id(span_of(w->id[middle]), id);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int tx_map_card(const struct world *w, struct span id)
{
    int place = tx_map_place(w, id);
    return place < 0 || w->card_of[place] == NO_CARD ? -1 : w->card_of[place];
}

const char *tx_card_id(const struct world *w, int card)
{
    return card < w->cards ? w->id[w->place_of[card]] : "?";
}
