/* rules/nova/board.c: board files and the checks they must pass (nova §10). */
#include "rules/nova/board.h"

#include "rules/nova/faults.h"

#include <string.h>

/* ---- geometry (nova §10.1) ---- */

static const int8_t step_row[6] = {0, 1, 1, 0, -1, -1};
static const int8_t step_number[6] = {1, 1, 0, -1, -1, 0};

static int hex_at(const struct board *b, int row, int number)
{
    if (row < 0 || row >= BOARD_ROWS || number < 1 || number > BOARD_NUMBERS)
        return NO_HEX;
    return b->at[row][number];
}

int board_neighbour(const struct board *b, int hex, enum direction d)
{
    return hex_at(b, b->row[hex] + step_row[d],
                  b->number[hex] + step_number[d]);
}

size_t board_find(const struct board *b, struct span text, int *hex)
{
    *hex = NO_HEX;
    if (text.length < 2 || text.at[0] < 'a' || text.at[0] > 'z' ||
        text.at[1] < '1' || text.at[1] > '9')
        return 0;
    int number = text.at[1] - '0';
    size_t length = 2;
    if (text.length > 2 && text.at[2] >= '0' && text.at[2] <= '9') {
        number = 10 * number + (text.at[2] - '0');
        length = 3;
    }
    *hex = hex_at(b, text.at[0] - 'a', number);
    return length;
}

void board_put_hex(const struct board *b, int hex, struct text *t)
{
    text_char(t, (char)('a' + b->row[hex]));
    text_int(t, b->number[hex]);
}

/* ---- the header ---- */

enum { HEADER_KEYS = 9 };
static const char *const header_key[HEADER_KEYS] = {
    "name",   "title",    "landscapes", "colours", "pioneers",
    "stones", "symmetry", "balance",    "note",
};
enum {
    NAME,
    TITLE,
    LANDSCAPES,
    COLOURS,
    PIONEERS,
    STONES,
    SYMMETRY,
    BALANCE,
    NOTE
};

/* A line of the file, to tell where in it a fault is. */
struct place {
    int line; /* 0: not given */
    const char *begin;
};

static bool refuse(struct place p, int code, struct span at, struct fault *f)
{
    return fault_span(f, code, p.line, (int)(at.at - p.begin) + 1, at.at,
                      at.length);
}

/* What the header said, kept until the map is known. */
struct header {
    struct span value[HEADER_KEYS];
    struct place place[HEADER_KEYS];
};

static bool read_header_line(struct header *h, struct span line, int number,
                             struct fault *f)
{
    struct span value = line, key = span_cut(&value, ':');
    struct place here = {number, line.at};
    bool colon = key.length < line.length;
    for (int i = 0; colon && i < HEADER_KEYS; i++) {
        if (!span_is(key, header_key[i]))
            continue;
        if (h->place[i].line)
            return refuse(here, NOVA_BOARD_TWICE, key, f);
        h->place[i] = here;
        h->value[i] = span_trim(value);
        return true;
    }
    return refuse(here, NOVA_BOARD_KEY, key, f);
}

/* What people will see: no control characters but tabs. */
static bool is_plain(struct span s)
{
    for (size_t i = 0; i < s.length; i++)
        if (((unsigned char)s.at[i] < ' ' && s.at[i] != '\t') || s.at[i] == 127)
            return false;
    return true;
}

static bool store(const struct header *h, int key, char *to, size_t cap,
                  struct fault *f)
{
    struct span value = h->value[key];
    if (value.length >= cap || !is_plain(value))
        return refuse(h->place[key], NOVA_BOARD_VALUE, value, f);
    span_copy(value, to, cap);
    return true;
}

static bool is_name(struct span s)
{
    for (size_t i = 0; i < s.length; i++) {
        char c = s.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return s.length > 0;
}

static int land_of(const struct board *b, char letter)
{
    for (int land = 0; land < b->lands; land++)
        if (b->letter[land] == letter)
            return land;
    return -1;
}

/* One "letter=value" pair. */
static bool pair(struct span word, char *letter, struct span *value)
{
    *value = word;
    struct span key = span_cut(value, '=');
    *letter = key.length == 1 ? *key.at : 0;
    return key.length == 1 && *letter >= 'a' && *letter <= 'z' &&
           value->length > 0;
}

static bool read_landscapes(struct board *b, const struct header *h,
                            struct fault *f)
{
    struct span list = h->value[LANDSCAPES], word, value;
    char letter;
    while ((word = span_word(&list)).length > 0) {
        if (!pair(word, &letter, &value) || land_of(b, letter) >= 0 ||
            b->lands == BOARD_LANDS || value.length >= sizeof b->land_name[0] ||
            !is_plain(value))
            return refuse(h->place[LANDSCAPES], NOVA_BOARD_LANDSCAPES, word, f);
        span_copy(value, b->land_name[b->lands], sizeof b->land_name[0]);
        b->letter[b->lands++] = letter;
    }
    if (b->lands != 8)
        return refuse(h->place[LANDSCAPES], NOVA_BOARD_LANDSCAPES,
                      h->value[LANDSCAPES], f);
    return true;
}

static bool is_colour(struct span s)
{
    if (s.length != 7 || *s.at != '#')
        return false;
    for (size_t i = 1; i < 7; i++)
        if (!memchr("0123456789abcdefABCDEF", s.at[i], 22))
            return false;
    return true;
}

static bool read_colours(struct board *b, const struct header *h,
                         struct fault *f)
{
    struct span list = h->value[COLOURS], word, value;
    char letter;
    while ((word = span_word(&list)).length > 0) {
        int land = pair(word, &letter, &value) ? land_of(b, letter) : -1;
        if (land < 0 || !is_colour(value) || b->colour[land][0])
            return refuse(h->place[COLOURS], NOVA_BOARD_VALUE, word, f);
        span_copy(value, b->colour[land], sizeof b->colour[0]);
    }
    return true;
}

static bool read_number(const struct header *h, int key, int low, int high,
                        int code, int *out, struct fault *f)
{
    long number;
    if (!span_int(h->value[key], low, high, &number))
        return refuse(h->place[key], code, h->value[key], f);
    *out = (int)number;
    return true;
}

/* nova §10.2: all players together at most half of the hexes. */
static bool read_pioneers(struct board *b, const struct header *h,
                          struct fault *f)
{
    struct span list = h->value[PIONEERS];
    for (int i = 0; i < 3; i++) {
        long number;
        struct span word = span_word(&list);
        if (!span_int(word, 1, b->hexes / (2 * (i + 2)), &number))
            return refuse(h->place[PIONEERS], NOVA_BOARD_PIONEERS, word, f);
        b->pioneers[i] = (int)number;
    }
    list = span_trim(list);
    return list.length == 0 ||
           refuse(h->place[PIONEERS], NOVA_BOARD_PIONEERS, list, f);
}

static bool header_complete(const struct header *h, struct fault *f)
{
    static const int needed[] = {NAME, LANDSCAPES, PIONEERS, STONES};
    for (int i = 0; i < 4; i++)
        if (!h->place[needed[i]].line)
            return fault_set(f, NOVA_BOARD_MISSING, 0, 0,
                             header_key[needed[i]]);
    return true;
}

/* What does not depend on the map. */
static bool use_words(struct board *b, const struct header *h, struct fault *f)
{
    if (!is_name(h->value[NAME]))
        return refuse(h->place[NAME], NOVA_BOARD_NAME, h->value[NAME], f);
    return store(h, NAME, b->name, sizeof b->name, f) &&
           store(h, TITLE, b->title, sizeof b->title, f) &&
           store(h, SYMMETRY, b->symmetry, sizeof b->symmetry, f) &&
           store(h, NOTE, b->note, sizeof b->note, f) &&
           read_landscapes(b, h, f) && read_colours(b, h, f);
}

static bool use_numbers(struct board *b, const struct header *h,
                        struct fault *f)
{
    if (h->place[BALANCE].line &&
        !read_number(h, BALANCE, 0, 9999, NOVA_BOARD_VALUE, &b->balance, f))
        return false;
    return read_number(h, STONES, 1, b->hexes, NOVA_BOARD_STONES, &b->stones,
                       f) &&
           read_pioneers(b, h, f);
}

/* ---- the map ---- */

/* A hex where the file has it: line k of the map, character column x. */
struct raw {
    int k, x, line;
    char letter;
};

struct map {
    struct raw hex[BOARD_HEXES];
    int hexes;
};

static bool read_map_hex(struct map *m, struct raw raw, struct fault *f)
{
    char subject[2] = {raw.letter, 0};
    if ((raw.x - raw.k) % 2 != 0)
        return fault_set(f, NOVA_BOARD_BETWEEN, raw.line, raw.x + 1, subject);
    if (raw.letter == '.')
        return true;
    if (raw.letter < 'a' || raw.letter > 'z')
        return fault_set(f, NOVA_BOARD_LETTER, raw.line, raw.x + 1,
                         (unsigned char)raw.letter < 0x80 ? subject : "");
    if (m->hexes == BOARD_HEXES)
        return fault_set(f, NOVA_BOARD_HEXES, raw.line, raw.x + 1, subject);
    m->hex[m->hexes++] = raw;
    return true;
}

static bool read_map(struct map *m, struct lines *l, struct fault *f)
{
    struct span line;
    int blank = 0;
    for (int k = 0; lines_next(l, &line); k++) {
        bool empty = true;
        for (size_t x = 0; x < line.length; x++)
            empty = empty && line.at[x] == ' ';
        if (empty) {
            blank = blank ? blank : l->number;
            continue;
        }
        if (blank)
            return fault_set(f, NOVA_BOARD_BLANK, blank, 0, "");
        for (size_t x = 0; x < line.length; x++)
            if (line.at[x] != ' ' &&
                !read_map_hex(m, (struct raw){k, (int)x, l->number, line.at[x]},
                              f))
                return false;
    }
    if (m->hexes == 0)
        return fault_set(f, NOVA_BOARD_EMPTY, 0, 0, "");
    return true;
}

/* nova §10.2: rows count from the first line with a hex, numbers are shifted
 * so that the smallest is 1. */
static bool lay_out(struct board *b, const struct map *m, struct fault *f)
{
    int first = m->hex[0].k, least = INT32_MAX;
    for (int i = 0; i < m->hexes; i++) {
        int number = (m->hex[i].x + m->hex[i].k) / 2;
        least = number < least ? number : least;
    }
    memset(b->at, 0xff, sizeof b->at);
    for (int i = 0; i < m->hexes; i++) {
        const struct raw *raw = &m->hex[i];
        int row = raw->k - first;
        int number = (raw->x + raw->k) / 2 - least + 1;
        if (row >= BOARD_ROWS)
            return fault_set(f, NOVA_BOARD_ROWS, raw->line, 0, "");
        if (number > BOARD_NUMBERS)
            return fault_set(f, NOVA_BOARD_NUMBERS, raw->line, raw->x + 1, "");
        int land = land_of(b, raw->letter);
        if (land < 0 && b->bare) {
            land = b->lands++;
            b->letter[land] = raw->letter;
            b->land_name[land][0] = raw->letter;
        }
        if (land < 0) {
            char subject[2] = {raw->letter, 0};
            return fault_set(f, NOVA_BOARD_UNDECLARED, raw->line, raw->x + 1,
                             subject);
        }
        b->at[row][number] = (int16_t)i;
        b->row[i] = (uint8_t)row;
        b->number[i] = (uint8_t)number;
        b->land[i] = (uint8_t)land;
        b->rows = row + 1;
    }
    b->hexes = m->hexes;
    return true;
}

/* ---- checks over the whole board ---- */

/* Hexes reached from `start` over those of landscape `land` (-1: all). */
static int reached(const struct board *b, int start, int land, bool *seen)
{
    int stack[BOARD_HEXES], depth = 0, count = 0;
    memset(seen, 0, BOARD_HEXES * sizeof *seen);
    stack[depth++] = start;
    seen[start] = true;
    while (depth > 0) {
        int hex = stack[--depth];
        count++;
        for (int d = 0; d < 6; d++) {
            int next = board_neighbour(b, hex, (enum direction)d);
            if (next == NO_HEX || seen[next] ||
                (land >= 0 && b->land[next] != land))
                continue;
            seen[next] = true;
            stack[depth++] = next;
        }
    }
    return count;
}

static bool hex_fault(const struct board *b, const struct map *m, int code,
                      int hex, struct fault *f)
{
    char subject[8];
    struct text t = text_begin(subject, sizeof subject);
    board_put_hex(b, hex, &t);
    text_end(&t);
    return fault_set(f, code, m->hex[hex].line, m->hex[hex].x + 1, subject);
}

/* The first hex that a flood from `start` did not reach. */
static int missed(const struct board *b, int land, const bool *seen)
{
    for (int hex = 0; hex < b->hexes; hex++)
        if (!seen[hex] && (land < 0 || b->land[hex] == land))
            return hex;
    return NO_HEX;
}

static bool check_connected(const struct board *b, const struct map *m,
                            struct fault *f)
{
    bool seen[BOARD_HEXES];
    if (reached(b, 0, -1, seen) < b->hexes)
        return hex_fault(b, m, NOVA_BOARD_APART, missed(b, -1, seen), f);
    return true;
}

static bool check_landscapes(const struct board *b, const struct map *m,
                             const struct header *h, struct fault *f)
{
    int least = BOARD_HEXES, most = 0;
    for (int land = 0; land < b->lands; land++) {
        bool seen[BOARD_HEXES];
        int first = NO_HEX, size = 0;
        for (int hex = b->hexes - 1; hex >= 0; hex--)
            if (b->land[hex] == land) {
                first = hex;
                size++;
            }
        char subject[2] = {b->letter[land], 0};
        if (size == 0)
            return fault_set(f, NOVA_BOARD_UNUSED, h->place[LANDSCAPES].line, 1,
                             subject);
        if (reached(b, first, land, seen) < size)
            return hex_fault(b, m, NOVA_BOARD_SPLIT, missed(b, land, seen), f);
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    if (most - least > b->balance)
        return fault_set(f, NOVA_BOARD_BALANCE, h->place[BALANCE].line, 0, "");
    return true;
}

static bool check_neighbours(const struct board *b, const struct map *m,
                             struct fault *f)
{
    for (int hex = 0; hex < b->hexes; hex++) {
        int count = 0;
        for (int d = 0; d < 6; d++)
            count += board_neighbour(b, hex, (enum direction)d) != NO_HEX;
        if (count < 2)
            return hex_fault(b, m, NOVA_BOARD_LONELY, hex, f);
    }
    return true;
}

/* ---- claimed symmetries ---- */

/* Axial coordinates about the centre of gravity, times the number of hexes, so
 * that they stay whole numbers: q grows to the east, r to the south-west. */
struct axial {
    int q, r;
};

static struct axial turned(struct axial a)
{
    return (struct axial){-a.r, a.q + a.r}; /* by 60 degrees, clockwise */
}

static struct axial mirrored(struct axial a)
{
    return (struct axial){a.q + a.r, -a.r}; /* in the axis to the east */
}

static struct axial centred(const struct board *b, int hex)
{
    struct axial sum = {0, 0};
    for (int i = 0; i < b->hexes; i++) {
        sum.q += b->number[i] - b->row[i];
        sum.r += b->row[i];
    }
    int q = b->number[hex] - b->row[hex], r = b->row[hex];
    return (struct axial){b->hexes * q - sum.q, b->hexes * r - sum.r};
}

static bool symmetric(const struct board *b, bool mirror, int turns)
{
    int image[BOARD_LANDS];
    struct axial centre[BOARD_HEXES];
    memset(image, 0xff, sizeof image);
    for (int hex = 0; hex < b->hexes; hex++)
        centre[hex] = centred(b, hex);
    for (int hex = 0; hex < b->hexes; hex++) {
        struct axial a = mirror ? mirrored(centre[hex]) : centre[hex];
        for (int i = 0; i < turns; i++)
            a = turned(a);
        int to = 0;
        while (to < b->hexes && (centre[to].q != a.q || centre[to].r != a.r))
            to++;
        if (to == b->hexes)
            return false;
        int *land = &image[b->land[hex]];
        if (*land >= 0 && *land != b->land[to])
            return false;
        *land = b->land[to];
    }
    return true;
}

static bool check_symmetry(const struct board *b, const struct header *h,
                           struct fault *f)
{
    static const struct {
        const char *name;
        bool mirror;
        int turns;
    } claim[] = {
        {"rot60", false, 1},   {"rot120", false, 2},   {"rot180", false, 3},
        {"mirror0", true, 0},  {"mirror30", true, 1},  {"mirror60", true, 2},
        {"mirror90", true, 3}, {"mirror120", true, 4}, {"mirror150", true, 5},
    };
    struct span list = h->value[SYMMETRY], word;
    while ((word = span_word(&list)).length > 0) {
        bool holds = span_is(word, "none");
        for (size_t i = 0; i < sizeof claim / sizeof *claim; i++)
            if (span_is(word, claim[i].name))
                holds = symmetric(b, claim[i].mirror, claim[i].turns);
        if (!holds)
            return refuse(h->place[SYMMETRY], NOVA_BOARD_SYMMETRY, word, f);
    }
    return true;
}

/* ---- reading and writing ---- */

static bool is_blank_or_comment(struct span line)
{
    return span_trim(line).length == 0 || *line.at == '#';
}

bool board_read(struct board *b, struct span text, struct fault *f)
{
    struct board read = {0};
    struct header h = {0};
    struct map m = {.hexes = 0};
    struct lines l = lines_of(text);
    struct span line;
    bool map = false;
    while (!map && lines_next(&l, &line)) {
        if (is_blank_or_comment(line))
            continue;
        map = span_is(span_trim(line), "map:");
        if (!map && !read_header_line(&h, line, l.number, f))
            return false;
    }
    if (!map)
        return fault_set(f, NOVA_BOARD_NO_MAP, 0, 0, "");
    if (!header_complete(&h, f) || !use_words(&read, &h, f) ||
        !read_map(&m, &l, f) || !lay_out(&read, &m, f) ||
        !use_numbers(&read, &h, f) || !check_connected(&read, &m, f) ||
        !check_landscapes(&read, &m, &h, f) ||
        !check_neighbours(&read, &m, f) || !check_symmetry(&read, &h, f))
        return false;
    *b = read;
    return true;
}

bool board_read_map(struct board *b, struct span text, struct fault *f)
{
    struct board read = {.bare = true, .name = "bare", .stones = BOARD_HEXES};
    struct map m = {.hexes = 0};
    struct lines l = lines_of(text);
    if (!read_map(&m, &l, f) || !lay_out(&read, &m, f))
        return false;
    for (int i = 0; i < 3; i++)
        read.pioneers[i] = read.hexes / (2 * (i + 2));
    *b = read;
    return true;
}

static void put_header(struct text *t, int key, const char *value)
{
    if (!*value)
        return;
    text_put(t, header_key[key]);
    text_put(t, ": ");
    text_put(t, value);
    text_char(t, '\n');
}

static void put_pairs(const struct board *b, struct text *t, int key,
                      const char *value, size_t size)
{
    text_put(t, header_key[key]);
    text_char(t, ':');
    for (int land = 0; land < b->lands; land++) {
        if (!value[(size_t)land * size])
            continue;
        text_char(t, ' ');
        text_char(t, b->letter[land]);
        text_char(t, '=');
        text_put(t, value + (size_t)land * size);
    }
    text_char(t, '\n');
}

/* Column of number 1 in row a: as far left as every row allows. */
static int left_edge(const struct board *b)
{
    int least = INT32_MAX;
    for (int hex = 0; hex < b->hexes; hex++) {
        int x = 2 * b->number[hex] - b->row[hex];
        least = x < least ? x : least;
    }
    return least & ~1; /* even, so that rows keep their parity */
}

static void put_map(const struct board *b, struct text *t)
{
    int left = left_edge(b);
    for (int row = 0, hex = 0; row < b->rows; row++) {
        int x = row & 1;
        for (int pad = 0; pad < x; pad++)
            text_char(t, ' ');
        for (bool first = true; hex < b->hexes && b->row[hex] == row; hex++) {
            int wanted = 2 * b->number[hex] - row - left;
            for (; x < wanted; x += 2, first = false)
                text_put(t, first ? "." : " .");
            if (!first)
                text_char(t, ' ');
            text_char(t, b->letter[b->land[hex]]);
            x += 2;
            first = false;
        }
        text_char(t, '\n');
    }
}

int board_write(const struct board *b, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    put_header(&t, NAME, b->name);
    put_header(&t, TITLE, b->title);
    put_pairs(b, &t, LANDSCAPES, b->land_name[0], sizeof b->land_name[0]);
    for (int land = 0; land < b->lands; land++)
        if (b->colour[land][0]) {
            put_pairs(b, &t, COLOURS, b->colour[0], sizeof b->colour[0]);
            break;
        }
    text_put(&t, "pioneers:");
    for (int i = 0; i < 3; i++) {
        text_char(&t, ' ');
        text_int(&t, b->pioneers[i]);
    }
    text_put(&t, "\nstones: ");
    text_int(&t, b->stones);
    text_char(&t, '\n');
    put_header(&t, SYMMETRY, b->symmetry);
    text_put(&t, "balance: ");
    text_int(&t, b->balance);
    text_char(&t, '\n');
    put_header(&t, NOTE, b->note);
    text_put(&t, "map:\n");
    put_map(b, &t);
    return text_end(&t);
}
