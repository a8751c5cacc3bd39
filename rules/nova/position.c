/* rules/nova/position.c: positions as one line of text (nova §11.3). */
#include "rules/nova/state.h"

#include "rules/nova/faults.h"

/* ---- writing ---- */

static char piece_on(const struct world *w, const struct state *s, int hex)
{
    if (bits_has(&s->stones, hex))
        return '#';
    for (int seat = 0; seat < w->seats; seat++)
        if (bits_has(&s->pioneers[seat], hex))
            return w->colour[seat];
    return 0;
}

static void put_rows(const struct world *w, const struct state *s,
                     struct text *t)
{
    int free = 0;
    for (int hex = 0; hex <= w->hexes; hex++) {
        bool end = hex == w->hexes ||
                   (hex > 0 && w->board.row[hex] != w->board.row[hex - 1]);
        char piece = hex < w->hexes ? piece_on(w, s, hex) : 0;
        if (free > 0 && (end || piece)) {
            text_int(t, free);
            free = 0;
        }
        if (end && hex < w->hexes)
            text_char(t, '/');
        if (piece)
            text_char(t, piece);
        else
            free++;
    }
}

/* A seat that has left the table is written in upper case. */
static void put_seats(const struct world *w, const struct state *s,
                      struct text *t)
{
    for (int seat = 0; seat < w->seats; seat++) {
        bool out = !s->reason && s->out >> seat & 1;
        text_char(t, (char)(out ? w->colour[seat] - 32 : w->colour[seat]));
    }
}

static void put_active(const struct world *w, const struct state *s,
                       struct text *t)
{
    if (s->reason) {
        text_char(t, '=');
        text_put(t, nova_endings[s->reason]);
        return;
    }
    text_char(t, w->colour[s->seat]);
    text_int(t, s->act);
    for (int i = 0; i < s->moved_count; i++) {
        text_char(t, ':');
        board_put_hex(&w->board, s->moved[i].home, t);
        text_char(t, '>');
        if (s->moved[i].now == GONE)
            text_char(t, 'x');
        else
            board_put_hex(&w->board, s->moved[i].now, t);
    }
    if (s->placed) {
        text_char(t, '*');
        text_int(t, s->placed);
    }
}

static void put_hands(const struct world *w, const struct state *s,
                      struct text *t)
{
    int sum = 0;
    for (int seat = 0; seat < w->seats; seat++)
        sum += s->hand[seat];
    if (sum == 0)
        text_char(t, '-');
    for (int seat = 0; sum > 0 && seat < w->seats; seat++) {
        if (seat)
            text_char(t, ',');
        text_int(t, s->hand[seat]);
    }
}

int nova_write_state(const struct world *w, const struct state *s, char *to,
                     size_t cap)
{
    struct text t = text_begin(to, cap);
    put_rows(w, s, &t);
    text_char(&t, ' ');
    put_seats(w, s, &t);
    text_char(&t, ' ');
    put_active(w, s, &t);
    text_char(&t, ' ');
    put_hands(w, s, &t);
    for (int seat = 0; seat < w->seats; seat++) {
        text_char(&t, seat ? ',' : ' ');
        text_int(&t, s->score[seat]);
    }
    text_char(&t, ' ');
    text_int(&t, s->supply);
    text_char(&t, ' ');
    text_int(&t, s->quiet);
    return text_end(&t);
}

/* ---- reading ---- */

/* What the reader carries along: the line is `text`, from its first byte. */
struct reading {
    const struct world *w;
    const char *text;
    struct state s;
    struct fault *f;
};

static bool refuse(struct reading *r, int code, struct span at)
{
    return fault_span(r->f, code, 0, (int)(at.at - r->text) + 1, at.at,
                      at.length);
}

/* Numbers of a position have at most six digits and no leading zero. */
static bool small_int(struct span s, long *out)
{
    return span_int(s, -999999, 999999, out);
}

/* One row: counts of free hexes, stones and pioneers. */
static bool read_row(struct reading *r, struct span row, int *hex)
{
    const struct world *w = r->w;
    int first = *hex, at = first, end = first;
    while (end < w->hexes && w->board.row[end] == w->board.row[first])
        end++;
    for (size_t i = 0; i < row.length; i++) {
        char c = row.at[i];
        struct span here = {row.at + i, 1};
        if (c >= '0' && c <= '9') {
            long free;
            while (i + 1 < row.length && row.at[i + 1] >= '0' &&
                   row.at[i + 1] <= '9')
                i++;
            here.length = (size_t)(row.at + i + 1 - here.at);
            if (!span_int(here, 1, BOARD_HEXES, &free))
                return refuse(r, NOVA_POSITION_ROW, here);
            at += (int)free;
            continue;
        }
        int seat = c == '#' ? SEAT_NONE : nova_seat_of(w, c);
        if (c != '#' && seat == SEAT_NONE)
            return refuse(r, NOVA_POSITION_ROW, here);
        if (at < end)
            nova_set_piece(w, &r->s, at, seat);
        at++;
    }
    if (at != end)
        return refuse(r, NOVA_POSITION_ROW, row);
    *hex = end;
    return true;
}

static bool read_rows(struct reading *r, struct span field)
{
    int hex = 0;
    struct span rest = field;
    bool more = true;
    while (more) {
        struct span row = span_cut(&rest, '/');
        more = row.at + row.length < field.at + field.length;
        if (hex == r->w->hexes)
            return refuse(r, NOVA_POSITION_ROWS, field);
        if (!read_row(r, row, &hex))
            return false;
    }
    if (hex != r->w->hexes)
        return refuse(r, NOVA_POSITION_ROWS, field);
    return true;
}

static bool read_seats(struct reading *r, struct span field)
{
    bool same = field.length == (size_t)r->w->seats;
    for (int seat = 0; same && seat < r->w->seats; seat++) {
        char c = field.at[seat], colour = r->w->colour[seat];
        if (c == colour - 32)
            r->s.out |= (uint8_t)(1u << seat);
        else
            same = c == colour;
    }
    if (!same || r->w->seats - __builtin_popcount(r->s.out) < 2)
        return refuse(r, NOVA_POSITION_SEATS, field);
    return true;
}

static bool take_number(struct span *rest, long *out)
{
    struct span digits = {rest->at, 0};
    while (digits.length < rest->length && rest->at[digits.length] >= '0' &&
           rest->at[digits.length] <= '9')
        digits.length++;
    rest->at += digits.length;
    rest->length -= digits.length;
    return span_int(digits, 0, 999999, out);
}

static bool take_char(struct span *rest, char c)
{
    if (rest->length == 0 || *rest->at != c)
        return false;
    rest->at++;
    rest->length--;
    return true;
}

static bool take_hex(const struct world *w, struct span *rest, int *hex)
{
    size_t length = board_find(&w->board, *rest, hex);
    rest->at += length;
    rest->length -= length;
    return length > 0 && *hex != NO_HEX;
}

/* ":home>now" */
static bool take_moved(struct reading *r, struct span *rest)
{
    int home, now;
    if (r->s.moved_count == 2 || !take_hex(r->w, rest, &home) ||
        !take_char(rest, '>'))
        return false;
    if (take_char(rest, 'x'))
        now = GONE;
    else if (!take_hex(r->w, rest, &now) ||
             !bits_has(&r->s.pioneers[r->s.seat], now))
        return false;
    r->s.moved[r->s.moved_count++] =
        (struct moved){(uint16_t)home, (uint16_t)now};
    return true;
}

/* Only these exist: y0, y1, y2:a>b, y3:a>b, y3:a>b:c>d, y3:a>b*1 (nova
 * §11.3). */
static bool possible_turn(const struct state *s)
{
    const struct moved *m = s->moved;
    int count = s->moved_count;
    if (s->act <= 1)
        return count == 0 && s->placed == 0;
    if (s->act == 2)
        return count == 1 && s->placed == 0 && m[0].now != GONE &&
               m[0].home != m[0].now;
    if (s->placed > 0)
        return s->placed == 1 && count == 1 && m[0].home != m[0].now;
    if (count == 1)
        return m[0].now != GONE;
    return count == 2 && m[0].now != GONE && m[1].now != GONE &&
           m[0].home != m[0].now && m[1].home != m[1].now &&
           m[0].home != m[1].home && m[0].now != m[1].now;
}

static bool read_turn(struct reading *r, struct span field)
{
    struct span rest = field;
    struct state *s = &r->s;
    long number;
    int seat = rest.length ? nova_seat_of(r->w, *rest.at) : SEAT_NONE;
    if (seat == SEAT_NONE)
        return refuse(r, NOVA_POSITION_ACTIVE, field);
    s->seat = (uint8_t)seat;
    rest.at++;
    rest.length--;
    if (!take_number(&rest, &number) || number > 3)
        return refuse(r, NOVA_POSITION_ACTIVE, field);
    s->act = (uint8_t)number;
    while (take_char(&rest, ':'))
        if (!take_moved(r, &rest))
            return refuse(r, NOVA_POSITION_ACTIVE, field);
    if (take_char(&rest, '*')) {
        if (!take_number(&rest, &number) || number < 1 || number > 2)
            return refuse(r, NOVA_POSITION_ACTIVE, field);
        s->placed = (uint8_t)number;
    }
    if (rest.length > 0 || !possible_turn(s))
        return refuse(r, NOVA_POSITION_ACTIVE, field);
    return true;
}

static bool read_active(struct reading *r, struct span field)
{
    if (field.length == 0 || *field.at != '=')
        return read_turn(r, field);
    struct span word = {field.at + 1, field.length - 1};
    for (int reason = 1; reason < END_COUNT; reason++)
        if (span_is(word, nova_endings[reason])) {
            r->s.reason = (uint8_t)reason;
            r->s.act = 1;
            return true;
        }
    return refuse(r, NOVA_POSITION_ACTIVE, field);
}

/* In placement the seats before the active one have one less than it, all
 * others as many. */
static bool hands_before(const struct reading *r, const long *hand, int active)
{
    for (int seat = 0; seat < r->w->seats; seat++)
        if (hand[seat] != hand[active] - (seat < active))
            return false;
    return hand[active] > 0;
}

/* After the placement nobody has any, unless the game was broken off while
 * pioneers were placed: then it was some seat's turn. */
static bool hands_fit(const struct reading *r, const long *hand, long sum)
{
    const struct state *s = &r->s;
    if (!s->reason && s->act == PLACING)
        return hands_before(r, hand, s->seat);
    if (sum == 0)
        return true;
    bool fits = false;
    for (int seat = 0; seat < r->w->seats; seat++)
        fits = fits || hands_before(r, hand, seat);
    return fits && s->reason && s->reason < ENDING_GAME;
}

static bool read_hands(struct reading *r, struct span field)
{
    struct span rest = field;
    long hand[NOVA_SEATS] = {0}, sum = 0;
    bool good = true;
    for (int seat = 0; good && seat < r->w->seats && !span_is(field, "-");
         seat++) {
        good = span_int(span_cut(&rest, ','), 0, 255, &hand[seat]);
        sum += hand[seat];
    }
    if (!span_is(field, "-") &&
        (rest.length > 0 || sum == 0 || field.at[field.length - 1] == ','))
        good = false;
    if (!good || !hands_fit(r, hand, sum))
        return refuse(r, NOVA_POSITION_HANDS, field);
    for (int seat = 0; seat < r->w->seats; seat++)
        r->s.hand[seat] = (uint8_t)hand[seat];
    return true;
}

static bool read_scores(struct reading *r, struct span field)
{
    struct span rest = field;
    for (int seat = 0; seat < r->w->seats; seat++) {
        long score;
        if (!small_int(span_cut(&rest, ','), &score) || score < 0)
            return refuse(r, NOVA_POSITION_SCORES, field);
        r->s.score[seat] = (int32_t)score;
    }
    if (rest.length > 0 || field.at[field.length - 1] == ',')
        return refuse(r, NOVA_POSITION_SCORES, field);
    return true;
}

static bool read_counters(struct reading *r, struct span supply,
                          struct span quiet)
{
    long number;
    if (!small_int(supply, &number) || (r->w->stones > 0 && number < 0) ||
        (r->w->stones == 0 && number > 0))
        return refuse(r, NOVA_POSITION_SUPPLY, supply);
    r->s.supply = (int32_t)number;
    if (!small_int(quiet, &number) || number < 0)
        return refuse(r, NOVA_POSITION_QUIET, quiet);
    r->s.quiet = (int32_t)number;
    return true;
}

/* ---- what the fields say together ---- */

static bool check_numbers(struct reading *r, struct span rows)
{
    for (int seat = 0; seat < r->w->seats && r->w->counted; seat++)
        if (bits_count(&r->s.pioneers[seat]) + r->s.hand[seat] > r->w->pioneers)
            return refuse(r, NOVA_POSITION_MANY, rows);
    for (int seat = 0; seat < r->w->seats; seat++)
        if (r->s.out >> seat & 1 && !bits_none(&r->s.pioneers[seat]))
            return refuse(r, NOVA_POSITION_SEATS, rows);
    struct bits free = free_hexes(r->w, &r->s);
    int hands = 0;
    for (int seat = 0; seat < r->w->seats; seat++)
        hands += r->s.hand[seat];
    if (hands > bits_count(&free))
        return refuse(r, NOVA_POSITION_MANY, rows);
    return true;
}

/* Invariant I4, placement excepted; and a turn that waits has an action. */
static bool check_rest(struct reading *r, struct span rows, struct span active)
{
    struct state *s = &r->s;
    nova_find_live(r->w, s);
    bool placing = s->act == PLACING ||
                   s->hand[r->w->seats - 1] > 0; /* broken off there */
    struct bits pioneers = all_pioneers(s);
    struct bits closed = bits_without(pioneers, &s->live);
    if (!placing && !bits_none(&closed))
        return refuse(r, NOVA_POSITION_CLOSED, rows);
    if (!s->reason && s->act > 1 && !nova_any_action(r->w, s))
        return refuse(r, NOVA_POSITION_STUCK, active);
    return true;
}

bool nova_read_state(const struct world *w, const char *text, struct state *out,
                     struct fault *f)
{
    struct reading r = {.w = w, .text = text, .f = f};
    struct span field[7], rest = span_of(text);
    int fields = 0;
    while (rest.length > 0 || fields == 0) {
        struct span next = span_cut(&rest, ' ');
        if (fields == 7 || next.length == 0)
            return fault_set(f, NOVA_POSITION_FIELDS, 0, 0, "");
        field[fields++] = next;
    }
    if (fields != 7 || text[strlen(text) - 1] == ' ')
        return fault_set(f, NOVA_POSITION_FIELDS, 0, 0, "");
    nova_clear(w, &r.s);
    if (!read_seats(&r, field[1]) || !read_rows(&r, field[0]) ||
        !read_active(&r, field[2]) || !read_hands(&r, field[3]) ||
        !read_scores(&r, field[4]) || !read_counters(&r, field[5], field[6]) ||
        !check_numbers(&r, field[0]) || !check_rest(&r, field[0], field[2]))
        return false;
    *out = r.s;
    return true;
}
