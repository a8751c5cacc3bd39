/* rules/mystica/position.c: positions as text.
 *
 * A position is a list of lines, each a word and its values.  What is not
 * written has its value at the start of the game, so that a test can give only
 * what matters.  Numbers with a name are described by tables, which writer and
 * reader share. */
#include "rules/mystica/position.h"

#include "rules/mystica/faults.h"
#include "rules/mystica/legal.h"
#include "rules/mystica/map.h"
#include "rules/mystica/start.h"

static const char *const phase_names[] = {
    "nominate", "bid",  "pick",   "colour",  "dwell",
    "cards",    "cult", "income", "actions", "over",
};

/* ---- named numbers ---- */

struct number {
    const char *name;
    size_t at;
    uint8_t size; /* bytes: 1 or 2 */
    int16_t most;
};

#define SEAT_NUMBER(name, member, most)                                        \
    {                                                                          \
        name, offsetof(struct seat, member),                                   \
            sizeof(((struct seat *)0)->member), most                           \
    }

/* Of a seat, always written. */
static const struct number purse[] = {
    SEAT_NUMBER("vp", vp, 999),     SEAT_NUMBER("C", coins, 999),
    SEAT_NUMBER("W", workers, 999), SEAT_NUMBER("P", priests, 7),
    SEAT_NUMBER("keys", keys, 20),  SEAT_NUMBER("ship", ship, 5),
    SEAT_NUMBER("dig", dig, 2),
};

/* Of a seat, written unless 0. */
static const struct number rest[] = {
    SEAT_NUMBER("range", range, 3),
    SEAT_NUMBER("placed", placed, 7),
    SEAT_NUMBER("towns", towns, 20),
    SEAT_NUMBER("tiles", town_tiles, 20),
    SEAT_NUMBER("shifts", shifts, 200),
    SEAT_NUMBER("passed", passed, 1),
    SEAT_NUMBER("dropped", dropped, 1),
    SEAT_NUMBER("used-favour", used_favour, 1),
    SEAT_NUMBER("used-ability", used_ability, 1),
    SEAT_NUMBER("due-favours", favours_due, 12),
    SEAT_NUMBER("due-towns", towns_due, 12),
    SEAT_NUMBER("due-steps", steps_due, 40),
    SEAT_NUMBER("due-block", block_due, 2),
    SEAT_NUMBER("due-ravens", ravens_due, 12),
    SEAT_NUMBER("due-spades", spades, 40),
    SEAT_NUMBER("due-bridges", bridges_due, 3),
    SEAT_NUMBER("due-unlock", unlock_due, 40),
    SEAT_NUMBER("due-tokens", tokens_due, 40),
    SEAT_NUMBER("due-pay", pay_due, 4),
    SEAT_NUMBER("due-colour", colour_due, 1),
    SEAT_NUMBER("due-trade", trade_due, 3),
    SEAT_NUMBER("stopped", stopped, 15),
};

#define TURN_NUMBER(name, member, most)                                        \
    {                                                                          \
        name, offsetof(struct turn, member),                                   \
            sizeof(((struct turn *)0)->member), most                           \
    }

static const struct number turn_numbers[] = {
    TURN_NUMBER("started", started, 1), TURN_NUMBER("acted", acted, 1),
    TURN_NUMBER("doubled", doubled, 1), TURN_NUMBER("left", left, 2),
    TURN_NUMBER("work", work, 255),     TURN_NUMBER("free", free, 127),
};

/* Cells + 1, written by name. */
static const struct number turn_cells[] = {
    TURN_NUMBER("away", away, CELLS),
    TURN_NUMBER("flown", flown, CELLS),
    TURN_NUMBER("fresh", fresh, CELLS),
    TURN_NUMBER("join", join, CELLS),
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int get_number(const void *base, const struct number *n)
{
    const unsigned char *at = (const unsigned char *)base + n->at;
    if (n->size == 1)
        return *at;
    int16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void set_number(void *base, const struct number *n, int value)
{
    unsigned char *at = (unsigned char *)base + n->at;
    int16_t wide = (int16_t)value;
    if (n->size == 1)
        *at = (unsigned char)value;
    else
        memcpy(at, &wide, sizeof wide);
}

/* ---- writing ---- */

struct writer {
    const struct world *w;
    const struct state *s;
    struct text t;
};

static void put_word(struct writer *o, const char *word)
{
    text_char(&o->t, ' ');
    text_put(&o->t, word);
}

static void put_int(struct writer *o, int number)
{
    text_char(&o->t, ' ');
    text_int(&o->t, number);
}

static void put_line(struct writer *o, const char *word)
{
    if (o->t.length)
        text_char(&o->t, '\n');
    text_put(&o->t, word);
}

static void put_seats(struct writer *o, const char *word, const uint8_t *seat,
                      int count)
{
    put_line(o, word);
    for (int i = 0; i < count; i++)
        put_int(o, seat[i] + 1);
}

static void put_slashed(struct writer *o, const char *name,
                        const uint8_t *number, int count)
{
    put_word(o, name);
    for (int i = 0; i < count; i++) {
        text_char(&o->t, i ? '/' : ' ');
        text_int(&o->t, number[i]);
    }
}

static void put_set(struct writer *o, const char *name, unsigned mask,
                    const char *const *words)
{
    if (!mask)
        return;
    put_word(o, name);
    for (int i = 0, n = 0; mask >> i; i++)
        if (mask >> i & 1) {
            text_char(&o->t, n++ ? '+' : ' ');
            text_put(&o->t, words[i]);
        }
}

static void put_course(struct writer *o)
{
    const struct state *s = o->s;
    int seats = o->w->seats;
    put_line(o, "round");
    put_int(o, s->round);
    put_word(o, phase_names[s->phase]);
    if (s->active != NO_SEAT && s->phase != PHASE_OVER) {
        put_word(o, "active");
        put_int(o, s->active + 1);
    }
    if (s->step) {
        put_word(o, "step");
        put_int(o, s->step);
    }
    if (s->ending) {
        put_word(o, "ending");
        put_int(o, s->ending);
        put_int(o, s->stopped_by);
    }
    if (s->adjusted)
        put_word(o, "adjusted"), put_int(o, s->adjusted);
    put_seats(o, "order", s->order, seats);
    put_seats(o, "seating", s->seating, seats);
    if (s->passes)
        put_seats(o, "passing", s->passing, s->passes);
}

static void put_tiles(struct writer *o)
{
    const struct state *s = o->s;
    put_line(o, "score");
    for (int i = 0; i < ROUNDS; i++)
        put_word(o, scores[s->score[i]].id);
    if (s->final)
        put_line(o, "final"), put_word(o, final_names[s->final]);
    put_line(o, "cards");
    for (int card = 1; card <= CARDS; card++) {
        if (!(s->cards >> card & 1))
            continue;
        put_word(o, cards[card].id);
        if (s->card_coins[card]) {
            text_char(&o->t, '+');
            text_int(&o->t, s->card_coins[card]);
        }
        if (s->used_card >> card & 1)
            text_char(&o->t, '*');
    }
    if (s->used) {
        put_line(o, "used");
        for (int space = ACT1; space <= ACT6; space++)
            if (s->used >> space & 1)
                put_word(o, space_names[space]);
    }
    put_line(o, "favours");
    for (int tile = 1; tile <= FAVOURS; tile++)
        put_int(o, s->favours_left[tile]);
    put_line(o, "towns");
    for (int tile = 1; tile <= TOWNS; tile++)
        put_int(o, s->towns_left[tile]);
    put_line(o, "priests");
    for (int track = 0; track < TRACKS; track++)
        for (int space = 0; space < 4; space++)
            put_int(o, s->priest[track][space]);
}

/* Each town tile as often as the seat has it. */
static void put_towns_held(struct writer *o, int seat)
{
    bool any = false;
    for (int tile = 1; tile <= TOWNS; tile++)
        for (int n = towns_held(o->s, seat, tile); n > 0; n--) {
            if (!any)
                put_word(o, "took");
            text_char(&o->t, any ? '+' : ' ');
            text_put(&o->t, towns[tile].id);
            any = true;
        }
}

static void put_seat(struct writer *o, int seat)
{
    const struct seat *p = &o->s->seat[seat];
    const char *favour_names[FAVOURS + 1];
    put_line(o, "seat");
    put_int(o, seat + 1);
    put_word(o, p->faction == NO_FACTION ? "none" : factions[p->faction].id);
    if (p->faction != NO_FACTION) {
        put_word(o, colour_names[p->home]);
        put_word(o, colour_names[p->colour]);
        for (size_t i = 0; i < COUNT(purse); i++) {
            put_word(o, purse[i].name);
            put_int(o, get_number(p, &purse[i]));
        }
        put_slashed(o, "bowls", p->bowl, 3);
        put_slashed(o, "cults", p->cult, TRACKS);
        if (p->card)
            put_word(o, "card"), put_word(o, cards[p->card].id);
        for (int tile = 0; tile <= FAVOURS; tile++)
            favour_names[tile] = favours[tile].id;
        put_set(o, "has", p->favours, favour_names);
        put_towns_held(o, seat);
        put_set(o, "unlocked", p->unlocked, colour_names);
    }
    for (size_t i = 0; i < COUNT(rest); i++)
        if (get_number(p, &rest[i])) {
            put_word(o, rest[i].name);
            put_int(o, get_number(p, &rest[i]));
        }
}

static void put_structures(struct writer *o, int seat)
{
    const struct state *s = o->s;
    for (int piece = DWELLING; piece < PIECES; piece++) {
        if (!s->seat[seat].count[piece])
            continue;
        put_line(o, "build");
        put_int(o, seat + 1);
        put_word(o, piece_ids[piece]);
        for (struct cells own = s->seat[seat].own; !cells_none(own);) {
            int cell = cells_take(&own);
            if (s->piece[cell] != piece)
                continue;
            put_word(o, o->w->name[cell]);
            if (s->town[cell]) {
                text_char(&o->t, '/');
                text_int(&o->t, s->town[cell]);
            }
        }
    }
}

static void put_map(struct writer *o)
{
    const struct state *s = o->s;
    for (int terrain = 0; terrain <= VOLCANO; terrain++) {
        bool any = false;
        for (int cell = 0; cell < o->w->cells; cell++) {
            if (s->terrain[cell] != terrain || o->w->terrain[cell] == terrain)
                continue;
            if (!any)
                put_line(o, "terrain"), put_word(o, colour_names[terrain]);
            any = true;
            put_word(o, o->w->name[cell]);
        }
    }
    for (int i = 0; i < s->bridge_count; i++) {
        put_line(o, "bridge");
        put_int(o, s->bridge[i].owner + 1);
        put_word(o, o->w->name[s->bridge[i].a]);
        put_word(o, o->w->name[s->bridge[i].b]);
    }
    if (!cells_none(s->skipped)) {
        put_line(o, "skipped");
        for (struct cells left = s->skipped; !cells_none(left);)
            put_word(o, o->w->name[cells_take(&left)]);
    }
}

static void put_turn(struct writer *o)
{
    const struct turn *t = &o->s->turn;
    put_line(o, "turn");
    for (size_t i = 0; i < COUNT(turn_numbers); i++)
        if (get_number(t, &turn_numbers[i])) {
            put_word(o, turn_numbers[i].name);
            put_int(o, get_number(t, &turn_numbers[i]));
        }
    for (size_t i = 0; i < COUNT(turn_cells); i++)
        if (get_number(t, &turn_cells[i])) {
            put_word(o, turn_cells[i].name);
            put_word(o, o->w->name[get_number(t, &turn_cells[i]) - 1]);
        }
    if (o->s->cult_tunnel)
        put_word(o, "tunnel 1");
    if (!cells_none(t->made)) {
        put_line(o, "made");
        for (struct cells left = t->made; !cells_none(left);)
            put_word(o, o->w->name[cells_take(&left)]);
    }
}

static void put_offers(struct writer *o)
{
    const struct state *s = o->s;
    for (int i = 0; i < s->offer_count; i++) {
        const struct offer *f = &s->offer[i];
        put_line(o, "offer");
        put_int(o, f->amount);
        put_word(o, "to");
        put_int(o, f->to + 1);
        put_word(o, "from");
        put_int(o, f->from + 1);
        put_word(o, "event");
        put_int(o, f->event);
        put_int(o, f->flags);
    }
    for (int i = 0; i < SEATS; i++)
        if (s->layout[i]) {
            put_line(o, "lot");
            put_word(o, factions[s->layout[i] - 1].id);
            put_int(o, s->bid[i]);
            put_int(o, s->holder[i]);
        }
}

static void put_sources(struct writer *o, int seat)
{
    if (o->s->seat[seat].faction == NO_FACTION)
        return;
    put_line(o, "sources");
    put_int(o, seat + 1);
    for (int i = 0; i < VP_SOURCES; i++)
        put_int(o, o->s->source[seat][i]);
}

int mystica_write_state(const struct world *w, const struct state *s, char *to,
                        size_t cap)
{
    struct writer o = {w, s, text_begin(to, cap)};
    put_course(&o);
    put_tiles(&o);
    for (int seat = 0; seat < w->seats; seat++) {
        put_seat(&o, seat);
        put_structures(&o, seat);
    }
    put_map(&o);
    put_offers(&o);
    put_turn(&o);
    for (int seat = 0; seat < w->seats; seat++)
        put_sources(&o, seat);
    return text_end(&o.t);
}

/* ---- reading ---- */

struct reader {
    const struct world *w;
    struct state *s;
    struct span rest; /* of the line */
    int line;
    bool placed[SEATS]; /* has its own line of sources */
    struct fault *f;
};

static bool bad(struct reader *r, struct span what)
{
    return fault_span(r->f, POSITION_VALUE, r->line, 0, what.at, what.length);
}

static bool next(struct reader *r, struct span *word)
{
    *word = span_word(&r->rest);
    return word->length > 0;
}

static bool next_int(struct reader *r, int low, int high, int *out)
{
    struct span word = span_word(&r->rest);
    long number;
    *out = low;
    if (!span_int(word, low, high, &number))
        return bad(r, word);
    *out = (int)number;
    return true;
}

static bool next_seat(struct reader *r, int *seat)
{
    if (!next_int(r, 1, r->w->seats, seat))
        return false;
    --*seat;
    return true;
}

static bool next_cell(struct reader *r, int *cell)
{
    struct span word = span_word(&r->rest);
    *cell = map_find(r->w, word.at, word.length);
    return *cell >= 0 || bad(r, word);
}

/* The number of a word in a table that may have gaps, or -1. */
static int word_index(struct span word, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (words[i] && same_word(word, words[i]))
            return i;
    return -1;
}

static bool read_round(struct reader *r)
{
    struct state *s = r->s;
    struct span word;
    int number;
    if (!next_int(r, 0, ROUNDS, &number))
        return false;
    s->round = (uint8_t)number;
    s->active = NO_SEAT;
    next(r, &word);
    int phase = word_index(word, phase_names, COUNT(phase_names));
    if (phase < 0)
        return bad(r, word);
    s->phase = (uint8_t)phase;
    while (next(r, &word)) {
        if (same_word(word, "active")) {
            if (!next_seat(r, &number))
                return false;
            s->active = (uint8_t)number;
        } else if (same_word(word, "step")) {
            if (!next_int(r, 0, 4 * SEATS, &number))
                return false;
            s->step = (uint8_t)number;
        } else if (same_word(word, "adjusted")) {
            if (!next_int(r, 0, ADJUSTMENTS, &number))
                return false;
            s->adjusted = (uint8_t)number;
        } else if (same_word(word, "ending")) {
            int by;
            if (!next_int(r, 1, ENDING_GAME, &number) ||
                !next_int(r, 0, r->w->seats, &by))
                return false;
            s->ending = (uint8_t)number;
            s->stopped_by = (uint8_t)by;
        } else {
            return bad(r, word);
        }
    }
    return true;
}

static bool read_seat_list(struct reader *r, uint8_t *to, int least, int *count)
{
    unsigned seen = 0;
    int seat;
    *count = 0;
    while (span_trim(r->rest).length) {
        if (*count == r->w->seats || !next_seat(r, &seat))
            return *count == r->w->seats ? bad(r, r->rest) : false;
        if (seen >> seat & 1)
            return bad(r, r->rest);
        seen |= 1u << seat;
        to[(*count)++] = (uint8_t)seat;
    }
    return *count >= least || bad(r, r->rest);
}

static bool read_order(struct reader *r)
{
    int count;
    return read_seat_list(r, r->s->order, r->w->seats, &count);
}

static bool read_seating(struct reader *r)
{
    int count;
    return read_seat_list(r, r->s->seating, r->w->seats, &count);
}

static bool read_passing(struct reader *r)
{
    int count;
    memset(r->s->passing, 0, sizeof r->s->passing);
    if (!read_seat_list(r, r->s->passing, 0, &count))
        return false;
    r->s->passes = (uint8_t)count;
    return true;
}

static bool read_score(struct reader *r)
{
    struct span word;
    for (int i = 0; i < ROUNDS; i++) {
        next(r, &word);
        int tile = find_numbered(word, "SCORE", 9);
        if (!tile)
            return bad(r, word);
        r->s->score[i] = (uint8_t)tile;
    }
    return true;
}

static bool read_final(struct reader *r)
{
    struct span word;
    next(r, &word);
    int tile = word_index(word, final_names, COUNT(final_names));
    if (tile < 0)
        return bad(r, word);
    r->s->final = (uint8_t)tile;
    return true;
}

/* "BON4+2*": two coins on it, marked as used */
static bool read_cards(struct reader *r)
{
    struct state *s = r->s;
    struct span word;
    s->cards = s->used_card = 0;
    memset(s->card_coins, 0, sizeof s->card_coins);
    while (next(r, &word)) {
        struct span whole = word;
        bool used = word.at[word.length - 1] == '*';
        long coins = 0;
        if (used)
            word.length--;
        struct span name = span_cut(&word, '+');
        int card = find_numbered(name, "BON", CARDS);
        if (!card || (s->cards >> card & 1) ||
            (word.length && !span_int(word, 0, 50, &coins)))
            return bad(r, whole);
        s->cards |= (uint16_t)(1 << card);
        s->card_coins[card] = (uint8_t)coins;
        if (used)
            s->used_card |= (uint16_t)(1 << card);
    }
    return true;
}

static bool read_used(struct reader *r)
{
    struct span word;
    r->s->used = 0;
    while (next(r, &word)) {
        int space = word_index(word, space_names, ACT6 + 1);
        if (space < ACT1)
            return bad(r, word);
        r->s->used |= (uint8_t)(1 << space);
    }
    return true;
}

static bool read_favours(struct reader *r)
{
    for (int tile = 1; tile <= FAVOURS; tile++) {
        int left;
        if (!next_int(r, 0, favours[tile].copies, &left))
            return false;
        r->s->favours_left[tile] = (uint8_t)left;
    }
    return true;
}

static bool read_towns(struct reader *r)
{
    for (int tile = 1; tile <= TOWNS; tile++) {
        int left;
        if (!next_int(r, 0, towns[tile].copies, &left))
            return false;
        r->s->towns_left[tile] = (uint8_t)left;
    }
    return true;
}

static bool read_priests(struct reader *r)
{
    for (int track = 0; track < TRACKS; track++)
        for (int space = 0; space < 4; space++) {
            int seat;
            if (!next_int(r, 0, r->w->seats, &seat))
                return false;
            r->s->priest[track][space] = (uint8_t)seat;
        }
    return true;
}

static bool read_slashed(struct reader *r, uint8_t *to, int count, int most)
{
    struct span word = span_word(&r->rest), whole = word;
    for (int i = 0; i < count; i++) {
        long number;
        if (!span_int(span_cut(&word, '/'), 0, most, &number))
            return bad(r, whole);
        to[i] = (uint8_t)number;
    }
    return word.length == 0 || bad(r, whole);
}

static bool read_has(struct reader *r, struct seat *p)
{
    struct span word = span_word(&r->rest), whole = word;
    p->favours = 0;
    while (word.length) {
        int tile = find_numbered(span_cut(&word, '+'), "FAV", FAVOURS);
        if (!tile)
            return bad(r, whole);
        p->favours |= (uint16_t)(1 << tile);
    }
    return true;
}

static int town_copies(const struct world *w, int tile)
{
    bool used = !towns[tile].mini || w->option[OPT_MINI];
    return used ? towns[tile].copies : 0;
}

/* "TW2+TW5+TW5" */
static bool read_took(struct reader *r, int seat)
{
    struct span word = span_word(&r->rest), whole = word;
    r->s->towns_held[seat] = 0;
    while (word.length) {
        int tile = find_numbered(span_cut(&word, '+'), "TW", TOWNS);
        if (!tile || towns_held(r->s, seat, tile) == town_copies(r->w, tile))
            return bad(r, whole);
        hold_town(r->s, seat, tile);
    }
    return true;
}

static bool read_unlocked(struct reader *r, struct seat *p)
{
    struct span word = span_word(&r->rest), whole = word;
    p->unlocked = 0;
    while (word.length) {
        int colour = find_colour(span_cut(&word, '+'));
        if (colour < 0 || colour >= COLOURS)
            return bad(r, whole);
        p->unlocked |= (uint8_t)(1 << colour);
    }
    return true;
}

static bool read_table(struct reader *r, void *base, struct span name,
                       const struct number *table, size_t count, bool *found)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, table[i].name)) {
            int value;
            *found = true;
            if (!next_int(r, 0, table[i].most, &value))
                return false;
            set_number(base, &table[i], value);
            return true;
        }
    return true;
}

static bool read_seat_value(struct reader *r, struct seat *p, struct span name)
{
    bool found = false;
    struct span word;
    if (span_is(name, "bowls"))
        return read_slashed(r, p->bowl, 3, 80);
    if (span_is(name, "cults"))
        return read_slashed(r, p->cult, TRACKS, 10);
    if (span_is(name, "has"))
        return read_has(r, p);
    if (span_is(name, "took"))
        return read_took(r, (int)(p - r->s->seat));
    if (span_is(name, "unlocked"))
        return read_unlocked(r, p);
    if (span_is(name, "card")) {
        next(r, &word);
        p->card = (uint8_t)find_numbered(word, "BON", CARDS);
        return p->card || bad(r, word);
    }
    if (!read_table(r, p, name, purse, COUNT(purse), &found) ||
        !read_table(r, p, name, rest, COUNT(rest), &found))
        return false;
    return found || bad(r, name);
}

/* A faction's home and chosen colour; "seat 2 yetis ice green". */
static bool read_homes(struct reader *r, struct seat *p)
{
    struct span saved = r->rest, word = span_word(&r->rest);
    int home = word_index(word, colour_names, VARIABLE + 1);
    if (home < 0) {
        r->rest = saved;
        return true;
    }
    struct span second = span_word(&r->rest);
    int colour = word_index(second, colour_names, VARIABLE + 1);
    const struct faction *f = faction_of(p);
    bool fits = home == f->home ||
                (f->home == VARIABLE && !f->unlocks && home < COLOURS);
    if (!fits || colour < 0 || colour == RIVER ||
        (home < COLOURS && colour != home) ||
        (colour >= COLOURS && colour != home))
        return bad(r, word);
    p->home = (uint8_t)home;
    p->colour = (uint8_t)colour;
    if (f->unlocks && colour < COLOURS && !p->unlocked)
        p->unlocked = (uint8_t)(1 << colour);
    p->colour_due = p->favours_due = 0;
    return true;
}

static bool read_seat_line(struct reader *r)
{
    int seat;
    struct span word;
    if (!next_seat(r, &seat))
        return false;
    struct seat *p = &r->s->seat[seat];
    struct cells own = p->own;
    next(r, &word);
    if (!cells_none(own))
        return bad(r, word);
    memset(p, 0, sizeof *p);
    memset(r->s->source[seat], 0, sizeof r->s->source[seat]);
    p->faction = NO_FACTION;
    if (!span_is(word, "none")) {
        int faction = find_faction(word);
        for (int other = 0; other < r->w->seats; other++)
            if (faction >= 0 && other != seat &&
                r->s->seat[other].faction == faction)
                faction = -1;
        if (faction < 0)
            return bad(r, word);
        enter_faction(r->w, r->s, seat, faction, 20);
        p->colour_due = p->favours_due = 0;
        if (!read_homes(r, p))
            return false;
    }
    while (next(r, &word))
        if (!read_seat_value(r, p, word))
            return false;
    return true;
}

static bool read_build(struct reader *r)
{
    struct state *s = r->s;
    int seat;
    struct span word;
    if (!next_seat(r, &seat))
        return false;
    struct seat *p = &s->seat[seat];
    next(r, &word);
    int piece = word_index(word, piece_ids, PIECES);
    if (piece < DWELLING || p->faction == NO_FACTION)
        return bad(r, word);
    while (next(r, &word)) {
        struct span town = word;
        struct span name = span_cut(&town, '/');
        long number = 0;
        int cell = map_find(r->w, name.at, name.length);
        bool river = cell >= 0 && cells_has(r->w->river, cell);
        if (cell < 0 || s->piece[cell] || (river && piece != SPECIAL) ||
            p->count[piece] >= pieces_max(piece) ||
            (town.length && !span_int(town, 1, p->towns, &number)))
            return bad(r, word);
        if (!river && p->home <= VOLCANO)
            set_terrain(s, cell, p->home);
        put_piece(s, seat, cell, piece);
        s->town[cell] = (uint8_t)number;
        if (piece == SPECIAL)
            p->tile = (uint8_t)(cell + 1);
    }
    return true;
}

static bool read_terrain(struct reader *r)
{
    struct span word;
    int cell;
    next(r, &word);
    int terrain = word_index(word, colour_names, VOLCANO + 1);
    if (terrain < 0)
        return bad(r, word);
    while (span_trim(r->rest).length) {
        if (!next_cell(r, &cell))
            return false;
        if (cells_has(r->w->river, cell))
            return bad(r, word);
        set_terrain(r->s, cell, terrain);
    }
    return true;
}

static bool read_bridge(struct reader *r)
{
    struct state *s = r->s;
    int seat, a, b;
    if (!next_seat(r, &seat) || !next_cell(r, &a) || !next_cell(r, &b))
        return false;
    if (s->bridge_count == BRIDGES || a == b || s->seat[seat].bridges >= 3 ||
        !cells_has(r->w->land, a) || !cells_has(r->w->land, b))
        return bad(r, r->rest);
    s->bridge[s->bridge_count++] =
        (struct bridge){(uint8_t)seat, (uint8_t)a, (uint8_t)b};
    s->seat[seat].bridges++;
    return true;
}

static bool read_cell_set(struct reader *r, struct cells allowed,
                          struct cells *set)
{
    int cell;
    while (span_trim(r->rest).length) {
        if (!next_cell(r, &cell))
            return false;
        if (!cells_has(allowed, cell))
            return bad(r, r->rest);
        cells_add(set, cell);
    }
    return true;
}

static bool read_skipped(struct reader *r)
{
    return read_cell_set(r, r->w->river, &r->s->skipped);
}

static bool read_made(struct reader *r)
{
    return read_cell_set(r, r->w->land, &r->s->turn.made);
}

static bool read_turn(struct reader *r)
{
    struct turn *t = &r->s->turn;
    struct span word;
    struct cells made = t->made;
    memset(t, 0, sizeof *t);
    t->made = made;
    while (next(r, &word)) {
        bool found = false;
        int cell;
        if (span_is(word, "tunnel")) {
            if (!next_int(r, 0, 1, &cell))
                return false;
            r->s->cult_tunnel = cell;
            continue;
        }
        for (size_t i = 0; i < COUNT(turn_cells); i++)
            if (span_is(word, turn_cells[i].name)) {
                if (!next_cell(r, &cell))
                    return false;
                set_number(t, &turn_cells[i], cell + 1);
                found = true;
            }
        if (!found &&
            !read_table(r, t, word, turn_numbers, COUNT(turn_numbers), &found))
            return false;
        if (!found)
            return bad(r, word);
    }
    return true;
}

static bool read_offer(struct reader *r)
{
    struct state *s = r->s;
    struct span word;
    int amount, to, from, event, flags;
    if (!next_int(r, 1, 60, &amount) || !next(r, &word) || !next_seat(r, &to) ||
        !next(r, &word) || !next_seat(r, &from) || !next(r, &word) ||
        !next_int(r, 0, 255, &event) || !next_int(r, 0, 15, &flags))
        return r->f->code ? false : bad(r, r->rest);
    if (s->offer_count == OFFERS || to == from)
        return bad(r, r->rest);
    s->offer[s->offer_count++] =
        (struct offer){(uint8_t)to, (uint8_t)from, (uint8_t)amount,
                       (uint8_t)event, (uint8_t)flags};
    return true;
}

static bool read_lot(struct reader *r)
{
    struct state *s = r->s;
    struct span word;
    int at = 0, bid, holder;
    while (at < r->w->seats && s->layout[at])
        at++;
    next(r, &word);
    int faction = find_faction(word);
    if (faction < 0 || at == r->w->seats)
        return bad(r, word);
    if (!next_int(r, 0, 41, &bid) || !next_int(r, 0, r->w->seats, &holder))
        return false;
    s->layout[at] = (uint8_t)(faction + 1);
    s->bid[at] = (uint8_t)bid;
    s->holder[at] = (uint8_t)holder;
    return true;
}

static bool read_sources(struct reader *r)
{
    int seat, vp;
    if (!next_seat(r, &seat))
        return false;
    for (int i = 0; i < VP_SOURCES; i++) {
        if (!next_int(r, -999, 999, &vp))
            return false;
        r->s->source[seat][i] = (int16_t)vp;
    }
    r->placed[seat] = true;
    return true;
}

static const struct {
    const char *word;
    bool (*read)(struct reader *r);
} lines_known[] = {
    {"round", read_round},     {"order", read_order},
    {"seating", read_seating}, {"passing", read_passing},
    {"score", read_score},     {"final", read_final},
    {"cards", read_cards},     {"used", read_used},
    {"favours", read_favours}, {"towns", read_towns},
    {"priests", read_priests}, {"seat", read_seat_line},
    {"build", read_build},     {"terrain", read_terrain},
    {"bridge", read_bridge},   {"skipped", read_skipped},
    {"turn", read_turn},       {"made", read_made},
    {"offer", read_offer},     {"lot", read_lot},
    {"sources", read_sources},
};

static bool read_line(struct reader *r, struct span line)
{
    r->rest = span_trim(line);
    struct span word = span_word(&r->rest);
    if (word.length == 0)
        return true;
    for (size_t i = 0; i < COUNT(lines_known); i++)
        if (span_is(word, lines_known[i].word)) {
            if (!lines_known[i].read(r))
                return false;
            return span_trim(r->rest).length == 0 || bad(r, r->rest);
        }
    return fault_span(r->f, POSITION_LINE, r->line, 0, word.at, word.length);
}

/* ---- what no game can have ---- */

static bool sane_seat(const struct world *w, const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    if (p->faction == NO_FACTION)
        return s->phase <= PHASE_PICK || p->dropped;
    const struct faction *f = faction_of(p);
    if (p->ship > f->ship_max || p->dig > f->dig_max ||
        (p->range && f->flight != FLY_CARPET))
        return false;
    if (p->card && !(s->cards >> p->card & 1))
        return false;
    for (int other = 0; other < seat; other++)
        if (p->card && s->seat[other].card == p->card)
            return false;
    /* Rights a faction cannot have would never be used up. */
    if ((p->ravens_due && f->effect != TILE_RAVENS) ||
        (p->unlock_due && !f->unlocks) ||
        (p->tokens_due && f->reaction != REACT_TOKEN) ||
        (p->pay_due && f->digging != DIG_VOLCANO_CULT) ||
        (p->spades && f->spade_use != SPADE_DIG) ||
        (p->trade_due && !f->sh_trade))
        return false;
    for (int track = 0; track < TRACKS; track++)
        for (int other = 0; other < seat; other++)
            if (p->cult[track] == 10 && s->seat[other].cult[track] == 10)
                return false;
    return p->favours_due <=
               __builtin_popcount((unsigned)favours_open(s, seat)) &&
           (p->colour < COLOURS || p->colour_due || s->phase <= PHASE_COLOUR ||
            p->dropped) &&
           w->seats > 0;
}

static bool sane_setup(const struct world *w, const struct state *s)
{
    if (s->active >= w->seats || s->round)
        return false;
    if (s->phase == PHASE_NOMINATE || s->phase == PHASE_PICK)
        return s->step < w->seats && s->order[s->step] == s->active;
    if (s->phase == PHASE_BID) {
        for (int i = 0; i < w->seats; i++)
            if (!s->layout[i])
                return false;
        return s->step < w->seats;
    }
    if (s->phase == PHASE_COLOUR)
        return s->seat[s->active].colour_due;
    if (s->phase == PHASE_DWELL)
        return dwelling_seat(w, s) == s->active;
    return s->step < w->seats && s->order[w->seats - 1 - s->step] == s->active;
}

static bool sane_turn(const struct world *w, const struct state *s)
{
    const struct turn *t = &s->turn;
    if (s->active == NO_SEAT)
        return !t->started;
    const struct seat *p = &s->seat[s->active];
    if (p->dropped || p->faction == NO_FACTION)
        return false;
    const struct faction *f = faction_of(p);
    bool volcano =
        f->digging == DIG_VOLCANO_CULT || f->digging == DIG_VOLCANO_TOKEN;
    if ((t->work & WORK_VOLCANO && !volcano) ||
        (t->free & FREE_TRANSFORM && f->sh_space != ACTN) ||
        (t->free & FREE_DWELLING && f->sh_space != ACTW) ||
        (t->free & FREE_TRADING && f->sh_space != ACTS))
        return false;
    if (t->join &&
        (s->town[t->join - 1] || !cells_has(p->own, t->join - 1) ||
         f->effect != TILE_BREEDING ||
         cells_count(towns_beside(w, s, s->active, t->join - 1)) < 2))
        return false;
    return t->started || (!t->work && !t->free && !t->join);
}

/* A seat that has to act needs a way to the end of its turn. */
static bool sane_course(const struct world *w, const struct state *s)
{
    action legal[GAME_ACTIONS];
    unsigned must, may;
    struct state copy = *s;
    int left = 0;
    for (int seat = 0; seat < w->seats; seat++)
        left += !s->seat[seat].dropped;
    if (left < 2 || s->ending || advance_once(w, &copy))
        return false;
    flow_turn(w, s, &must, &may);
    for (int seat = 0; seat < w->seats; seat++)
        if ((must | may) >> seat & 1) {
            if (s->seat[seat].dropped)
                return false;
            if ((must >> seat & 1) && mystica_legal(w, s, seat, legal) == 0)
                return false;
        }
    return must != 0;
}

static bool sane(const struct world *w, const struct state *s)
{
    if (s->phase == PHASE_OVER)
        return s->ending != 0;
    for (int seat = 0; seat < w->seats; seat++)
        if (!sane_seat(w, s, seat))
            return false;
    if (s->phase <= PHASE_CARDS)
        return sane_setup(w, s) && sane_course(w, s);
    for (int i = 0; i < s->offer_count; i++)
        if (s->seat[s->offer[i].to].dropped)
            return false;
    return s->round >= 1 && towns_left(s) >= 0 &&
           (s->phase != PHASE_ACTIONS || sane_turn(w, s)) && sane_course(w, s);
}

static void lay_defaults(const struct world *w, struct state *s)
{
    struct setup setup = {.seats = w->seats};
    mystica_start(w, &setup, s);
    s->phase = PHASE_ACTIONS;
    s->round = 1;
    s->step = 0;
    s->active = 0;
    s->fence = 0;
    memset(&s->turn, 0, sizeof s->turn);
    s->turn.left = 1;
    memset(s->layout, 0, sizeof s->layout);
}

/* VP that no line explains were there from the start. */
static void settle_sources(const struct world *w, struct state *s)
{
    for (int seat = 0; seat < w->seats; seat++) {
        int told = 0;
        for (int i = 0; i < VP_SOURCES; i++)
            told += s->source[seat][i];
        s->source[seat][VP_START] =
            (int16_t)(s->source[seat][VP_START] + s->seat[seat].vp - told);
    }
}

static int towns_told(const struct state *s, int seat)
{
    int count = 0;
    for (int tile = 1; tile <= TOWNS; tile++)
        count += towns_held(s, seat, tile);
    return count;
}

/* Town tiles that seats have taken are not in the supply. */
static bool take_told(const struct world *w, struct state *s)
{
    for (int tile = 1; tile <= TOWNS; tile++) {
        int left = town_copies(w, tile);
        for (int seat = 0; seat < w->seats; seat++)
            left -= towns_held(s, seat, tile);
        if (left < 0)
            return false;
        s->towns_left[tile] = (uint8_t)min_int(s->towns_left[tile], left);
    }
    return true;
}

/* Older positions tell how many town tiles each seat has, not which; but if
 * only one has any, they are those that are missing from the supply. */
static void guess_towns(const struct world *w, struct state *s)
{
    int owner = SEAT_NONE, missing = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        if (towns_told(s, seat) ||
            (owner != SEAT_NONE && s->seat[seat].town_tiles))
            return;
        if (s->seat[seat].town_tiles)
            owner = seat;
    }
    for (int tile = 1; tile <= TOWNS; tile++)
        missing += town_copies(w, tile) - s->towns_left[tile];
    if (owner == SEAT_NONE || missing != s->seat[owner].town_tiles)
        return;
    for (int tile = 1; tile <= TOWNS; tile++)
        for (int n = s->towns_left[tile]; n < town_copies(w, tile); n++)
            hold_town(s, owner, tile);
}

static bool settle_towns(const struct world *w, struct state *s)
{
    for (int seat = 0; seat < w->seats; seat++) {
        int told = towns_told(s, seat), tiles = s->seat[seat].town_tiles;
        s->seat[seat].town_tiles = (uint8_t)max_int(told, tiles);
    }
    guess_towns(w, s);
    return take_told(w, s);
}

bool mystica_read_state(const struct world *w, const char *text,
                        struct state *out, struct fault *f)
{
    struct state s;
    struct reader r = {.w = w, .s = &s, .f = f};
    struct lines l = lines_of(span_of(text));
    struct span line;
    memset(&s, 0, sizeof s);
    lay_defaults(w, &s);
    f->code = 0;
    while (lines_next(&l, &line)) {
        r.line = l.number;
        if (!read_line(&r, line))
            return false;
    }
    if (!settle_towns(w, &s) || !sane(w, &s))
        return fault_set(f, POSITION_VALUE, 0, 0, "position");
    settle_sources(w, &s);
    memcpy(out, &s, sizeof s);
    return true;
}
