/* rules/terrax/start.c: from a setup to the first state (terrax §3).
 *
 * `given` may hold the map, the beginner, a whole deal (hand 1..6, open,
 * stack: as in a record, with ? for cards that a view does not know), whose
 * view it is, or a complete position. */
#include "rules/terrax/state.h"

#include "base/check.h"

#include "game/setup.h"

/* ---- options ---- */

static int preset(const int *option, int index, int seats)
{
    bool online = option[VAR_ONLINE] == 1;
    switch (index) {
    case OPT_PASS:
        return option[VAR_REST] == 1 ? PASS_CHEQUE : PASS_NEVER;
    case OPT_BRANCH_HUB:
    case OPT_UNDO_RED:
        return online;
    case OPT_EDGE_CHEQUE:
        return option[VAR_EDGE_RED] == 1;
    case OPT_TIE:
        return online ? TIE_CHEQUES : TIE_SHARED;
    case OPT_MARK_MIN:
        return online ? 3 : 2;
    case OPT_HAND:
        return option[VAR_SHORT] == 1 && seats >= 4 ? 8 : 0;
    case OPT_MARKERS:
        if (option[VAR_CHOOSE] == 1)
            return seats <= 4 ? 10 : seats == 5 ? 8 : 7;
        return option[VAR_DEALT] == 1 ? 5 : 4;
    default:
        return terrax_options[index].preset;
    }
}

int tx_option_value(const int *option, int index, int seats)
{
    return option[index] != OPTION_UNSET ? option[index]
                                         : preset(option, index, seats);
}

/* terrax §3, §13: cards dealt to each seat. */
static int hand_size(const int *option, int seats)
{
    if (option[VAR_CHOOSE] == 1)
        return preset(option, OPT_MARKERS, seats);
    if (option[VAR_DEALT] == 1)
        return seats <= 3 ? 12 : 8;
    int hand = tx_option_value(option, OPT_HAND, seats);
    return hand ? hand : seats <= 3 ? 12 : 9;
}

bool tx_options_check(const int *option, int seats, int cards, struct fault *f)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &terrax_options[i];
        int high = o->high;
        if (o->kind == OPTION_CHOICE)
            for (high = -1; o->choices[high + 1];)
                high++;
        if (option[i] != OPTION_UNSET &&
            (option[i] < o->low || option[i] > high))
            return fault_set(f, TX_OPTION, 0, 0, o->name);
    }
    bool dealt = option[VAR_DEALT] == 1, choose = option[VAR_CHOOSE] == 1;
    if (dealt && choose)
        return fault_set(f, TX_OPTION, 0, 0, "var_dealt;var_choose");
    if ((dealt || choose) && option[OPT_HAND] != OPTION_UNSET)
        return fault_set(f, TX_OPTION, 0, 0, "hand");
    if ((dealt || choose) && option[OPT_MARKERS] != OPTION_UNSET)
        return fault_set(f, TX_OPTION, 0, 0, "markers");
    if (seats * hand_size(option, seats) +
            tx_option_value(option, OPT_OPEN_COUNT, seats) >
        cards)
        return fault_set(f, TX_OPTION, 0, 0, "hand");
    return true;
}

/* Everything in the world that follows from map and options. */
void tx_world_options(struct world *w, const int *option, int seats)
{
    w->seats = seats;
    for (int i = 0; i < OPT_COUNT; i++)
        w->option[i] = tx_option_value(option, i, seats);
    w->hand = hand_size(option, seats);
    memset(w->markable, 0, sizeof w->markable);
    for (int card = 0; card < w->cards; card++)
        if (w->far[card] >= w->option[OPT_MARK_MIN])
            set_add(w->markable, card);
    for (int p = 0; p < w->places; p++)
        w->pays[p] = w->kind[p] == KIND_RED ||
                     (w->kind[p] == KIND_EDGE && w->option[OPT_EDGE_CHEQUE]);
}

/* ---- what is given ---- */

struct deal {
    bool given, hidden; /* hidden: some cards are ? */
    uint64_t generator; /* var_choose in its marker phase */
    int first, view;    /* -1: not given */
    int held[SEATS], opens, stacked;
    uint8_t hand[SEATS][CARDS], open[CARDS], stack[CARDS]; /* top first */
    struct given position; /* key.length 0: none */
};

static bool read_cards(const struct world *w, struct span text, uint8_t *cards,
                       int *count, struct fault *f)
{
    struct span word;
    *count = 0;
    while ((word = span_word(&text)).length > 0) {
        int card = span_is(word, "?") ? ANY_CARD : tx_map_card(w, word);
        if (card < 0)
            return fault_span(f, TX_DEAL, 0, 0, word.at, word.length);
        if (*count == CARDS)
            return fault_set(f, TX_DEAL, 0, 0, "");
        cards[(*count)++] = (uint8_t)card;
    }
    return true;
}

static bool read_number(struct span value, int low, int high, int *out,
                        struct fault *f)
{
    long number;
    if (!span_int(value, low, high, &number))
        return fault_span(f, FAULT_VALUE, 0, 0, value.at, value.length);
    *out = (int)number;
    return true;
}

static bool read_hex(struct span value, uint64_t *out, struct fault *f)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t number = 0;
    bool good = value.length == 16;
    for (size_t i = 0; good && i < value.length; i++) {
        const char *digit = memchr(digits, value.at[i], 16);
        good = digit != NULL;
        number = number << 4 | (uint64_t)(good ? digit - digits : 0);
    }
    *out = number;
    return good || fault_span(f, FAULT_VALUE, 0, 0, value.at, value.length);
}

static bool read_key(const struct world *w, const struct given *g,
                     struct deal *d, struct fault *f)
{
    long seat;
    struct span rest = g->key;
    if (span_is(g->key, "map"))
        return true;
    if (span_is(g->key, "first"))
        return read_number(g->value, 1, w->seats, &d->first, f);
    if (span_is(g->key, "view"))
        return read_number(g->value, 0, w->seats, &d->view, f);
    if (span_is(g->key, "start")) {
        d->position = *g;
        return true;
    }
    d->given = true;
    if (span_is(g->key, "generator"))
        return read_hex(g->value, &d->generator, f);
    if (span_is(g->key, "open"))
        return read_cards(w, g->value, d->open, &d->opens, f);
    if (span_is(g->key, "stack"))
        return read_cards(w, g->value, d->stack, &d->stacked, f);
    if (span_is(span_word(&rest), "hand") &&
        span_int(span_word(&rest), 1, w->seats, &seat) && rest.length == 0)
        return read_cards(w, g->value, d->hand[seat - 1], &d->held[seat - 1],
                          f);
    return fault_span(f, FAULT_GIVEN, 0, 0, g->key.at, g->key.length);
}

static bool read_given(const struct world *w, const char *given, struct deal *d,
                       struct fault *f)
{
    struct given item;
    int line = 0;
    memset(d, 0, sizeof *d);
    d->first = d->view = -1;
    while (given_next(&given, &line, &item))
        if (!read_key(w, &item, d, f)) {
            f->line = item.line;
            f->column = 1;
            return false;
        }
    return true;
}

/* No card twice; returns how many are known, or -1. */
static int known_cards(const struct deal *d, const uint8_t *cards, int count,
                       uint64_t *seen)
{
    int known = 0;
    (void)d;
    for (int i = 0; i < count; i++) {
        if (cards[i] == ANY_CARD)
            continue;
        if (set_has(seen, cards[i]))
            return -1;
        set_add(seen, cards[i]);
        known++;
    }
    return known;
}

/* terrax §3: near open cards are possible only when no other was left. */
static bool open_too_near(const struct world *w, const struct deal *d)
{
    bool near = false;
    for (int i = 0; i < d->opens; i++)
        near |= d->open[i] != ANY_CARD &&
                w->far[d->open[i]] < w->option[OPT_OPEN_MIN];
    for (int i = 0; near && i < d->stacked; i++)
        if (d->stack[i] != ANY_CARD &&
            w->far[d->stack[i]] >= w->option[OPT_OPEN_MIN])
            return true;
    return false;
}

static bool deal_refused(struct fault *f, const char *what)
{
    return fault_set(f, TX_DEAL, 0, 0, what);
}

static bool check_deal(const struct world *w, struct deal *d, struct fault *f)
{
    uint64_t seen[CARD_WORDS] = {0};
    bool choose = w->option[VAR_CHOOSE];
    int total = 0, known = 0, more;
    for (int seat = 0; seat < w->seats; seat++) {
        if (d->held[seat] != (choose ? 0 : w->hand))
            return deal_refused(f, "hand");
        more = known_cards(d, d->hand[seat], d->held[seat], seen);
        if (more < 0)
            return deal_refused(f, "hand");
        known += more;
        total += d->held[seat];
    }
    if (d->opens != w->option[OPT_OPEN_COUNT] && !(choose && d->opens == 0))
        return deal_refused(f, "open");
    more = known_cards(d, d->open, d->opens, seen);
    if (more < 0 || open_too_near(w, d))
        return deal_refused(f, "open");
    known += more;
    more = known_cards(d, d->stack, d->stacked, seen);
    total += d->opens + d->stacked;
    int chosen = choose ? w->seats * w->hand : 0;
    if (more < 0 || total > w->cards || total < w->cards - chosen)
        return deal_refused(f, "stack");
    d->hidden = known + more < total;
    return true;
}

/* ---- prepare ---- */

static bool load_map(struct world *w, const char *given, struct fault *f)
{
    struct given map;
    w->own_map = given_find(given, "map", &map);
    if (!w->own_map) {
        tx_map_load_default(w);
        return tx_map_read(w, MISSIONS, f);
    }
    int length = given_unfold(map.value, w->text, sizeof w->text);
    if (length >= MAP_BYTES)
        return fault_set(f, FAULT_SIZE, map.line, 1, "map");
    w->text_length = (uint32_t)length;
    if (tx_map_read(w, MISSIONS, f))
        return true;
    f->line += f->line > 0 ? map.line : 0;
    return false;
}

static bool read_position(const struct world *w, const struct given *g,
                          struct state *s, struct fault *f)
{
    char text[8192];
    if (given_unfold(g->value, text, sizeof text) >= (int)sizeof text)
        return fault_set(f, FAULT_SIZE, g->line, 1, "start");
    if (terrax_read_state(w, text, s, f))
        return true;
    f->line += f->line > 0 ? g->line : 0;
    return false;
}

bool terrax_prepare(struct world *w, const struct setup *setup, struct fault *f)
{
    if (setup->seats < 2 || setup->seats > SEATS)
        return fault_set(f, FAULT_SEATS, 0, 0, "");
    memset(w, 0, sizeof *w);
    if (!load_map(w, setup->given, f) ||
        !tx_options_check(setup->option, setup->seats, w->cards, f))
        return false;
    tx_world_options(w, setup->option, setup->seats);
    tx_chances(w);
    memcpy(w->learned, tx_learned, sizeof w->learned);
    struct deal deal;
    if (!read_given(w, setup->given, &deal, f))
        return false;
    if (deal.position.key.length > 0) {
        struct state unused;
        return read_position(w, &deal.position, &unused, f);
    }
    return !deal.given || check_deal(w, &deal, f);
}

/* ---- start ---- */

/* Turns up the open row from `deck` (top first), shuffling back what is too
 * near; with r NULL it stays in its place.  The rest becomes the stack. */
static void draw_row(const struct world *w, struct state *s, uint8_t *deck,
                     int count, struct rng *r)
{
    uint8_t rest[CARDS] = {0}, near[CARDS] = {0};
    int opens = w->option[OPT_OPEN_COUNT], row = 0, left = 0, put = 0;
    for (int i = 0; i < count && i < CARDS; i++) {
        if (row < opens && w->far[deck[i]] >= w->option[OPT_OPEN_MIN])
            s->open[row++] = deck[i];
        else if (row < opens)
            near[put++] = deck[i];
        else
            rest[left++] = deck[i];
    }
    memcpy(deck, near, (size_t)put);
    memcpy(deck + put, rest, (size_t)left);
    left += put;
    if (r && put > 0)
        rng_shuffle(r, deck, left);
    put = 0;
    while (row < opens && put < left)
        s->open[row++] = deck[put++];
    for (int i = 0; i < row; i++)
        s->where[s->open[i]] = AT_OPEN;
    while (row < opens)
        s->open[row++] = NO_CARD;
    s->stacked = (uint8_t)(left - put);
    memset(s->stack, 0, sizeof s->stack);
    for (int i = put; i < left; i++) {
        s->stack[left - 1 - i] = deck[i];
        s->where[deck[i]] = AT_STACK;
    }
}

static void take(struct state *s, int seat, int card)
{
    s->where[card] = (uint8_t)seat;
    set_add(s->hand[seat], card);
}

static void put_marker(struct state *s, int seat, int card)
{
    set_add(s->marker[seat], card);
    set_add(s->shown, card);
    s->mark[seat][s->marked[seat]++] = (uint8_t)card;
}

static void deal_seed(const struct world *w, struct state *s, struct rng *r)
{
    uint8_t deck[CARDS] = {0};
    int at = 0;
    for (int card = 0; card < w->cards; card++)
        deck[card] = (uint8_t)card;
    rng_shuffle(r, deck, w->cards);
    if (w->option[VAR_CHOOSE]) {
        s->generator = rng_next(r) | 1;
        s->stacked = (uint8_t)w->cards;
        memcpy(s->stack, deck, (size_t)w->cards);
        memset(s->where, AT_STACK, (size_t)w->cards);
        return;
    }
    for (int seat = 0; seat < w->seats; seat++)
        for (int i = 0; i < w->hand; i++, at++) {
            take(s, seat, deck[at]);
            if (w->option[VAR_DEALT] && i < w->option[OPT_MARKERS])
                put_marker(s, seat, deck[at]);
        }
    draw_row(w, s, deck + at, w->cards - at, r);
}

/* With var_choose the cards of the deal follow only after the marks: until
 * then they lie in the stack, and those to be chosen at its bottom. */
static void deal_later(const struct world *w, struct state *s,
                       const struct deal *d)
{
    bool listed[CARDS] = {false};
    int total = d->opens + d->stacked, top = w->cards;
    uint8_t order[2 * CARDS];
    memcpy(order, d->open, (size_t)d->opens);
    memcpy(order + d->opens, d->stack, (size_t)d->stacked);
    memset(s->where, d->hidden ? AT_HIDDEN : AT_STACK, (size_t)w->cards);
    s->stacked = (uint8_t)w->cards;
    for (int i = 0; i < total; i++) {
        s->stack[--top] = order[i];
        if (order[i] == ANY_CARD)
            continue;
        listed[order[i]] = true;
        s->where[order[i]] = AT_STACK;
    }
    for (int card = 0; card < w->cards && top > 0; card++)
        if (d->hidden)
            s->stack[--top] = ANY_CARD;
        else if (!listed[card])
            s->stack[--top] = (uint8_t)card;
}

static void deal_given(const struct world *w, struct state *s,
                       const struct deal *d)
{
    if (w->option[VAR_CHOOSE]) {
        deal_later(w, s, d);
        s->generator = d->hidden ? 0 : d->generator;
        return;
    }
    memset(s->where, AT_HIDDEN, (size_t)w->cards);
    for (int seat = 0; seat < w->seats; seat++)
        for (int i = 0; i < d->held[seat]; i++) {
            int card = d->hand[seat][i];
            if (card != ANY_CARD)
                take(s, seat, card);
            if (w->option[VAR_DEALT] && i < w->option[OPT_MARKERS] &&
                card != ANY_CARD)
                put_marker(s, seat, card);
        }
    for (int i = 0; i < d->opens; i++) {
        s->open[i] = d->open[i];
        if (d->open[i] != ANY_CARD)
            s->where[d->open[i]] = AT_OPEN;
    }
    s->stacked = (uint8_t)d->stacked;
    for (int i = 0; i < d->stacked; i++) {
        s->stack[d->stacked - 1 - i] = d->stack[i];
        if (d->stack[i] != ANY_CARD)
            s->where[d->stack[i]] = AT_STACK;
    }
}

/* var_choose (§13): the marks are placed, now the open row is drawn. */
void tx_deal_after_marks(const struct world *w, struct state *s)
{
    uint8_t deck[CARDS] = {0};
    int count = s->stacked, opens = w->option[OPT_OPEN_COUNT];
    bool hidden = false;
    for (int i = 0; i < count; i++) {
        deck[i] = s->stack[count - 1 - i];
        hidden |= deck[i] == ANY_CARD;
    }
    if (!hidden) {
        struct rng r = {s->generator};
        if (s->generator)
            rng_shuffle(&r, deck, count);
        draw_row(w, s, deck, count, s->generator ? &r : NULL);
        s->generator = 0;
        return;
    }
    for (int i = 0; i < opens; i++) { /* a view knows the row at best */
        s->open[i] = deck[i];
        if (deck[i] != ANY_CARD)
            s->where[deck[i]] = AT_OPEN;
    }
    s->stacked = (uint8_t)(count - opens);
    memset(s->stack + s->stacked, 0, (size_t)opens);
}

void tx_begin_turns(const struct world *w, struct state *s)
{
    if (w->option[VAR_CHOOSE])
        tx_deal_after_marks(w, s);
    s->phase = PHASE_TURN;
    s->seat = s->first;
    while (s->out >> s->seat & 1)
        s->seat = (uint8_t)((s->seat + 1) % w->seats);
    s->round = 1;
    s->base = 1;
    s->loop = NO_COLOUR;
}

void terrax_start(const struct world *w, const struct setup *setup,
                  struct state *s)
{
    struct rng r;
    rng_seed(&r, setup->seed);
    memset(s, 0, sizeof *s);
    struct deal deal;
    struct fault unused; /* prepare() has checked what is given */
    deal.given = false;
    deal.position.key.length = 0;
    deal.first = deal.view = -1;
    if (setup->given)
        read_given(w, setup->given, &deal, &unused);
    if (deal.position.key.length > 0) {
        read_position(w, &deal.position, s, &unused);
        return;
    }
    if (deal.given)
        check_deal(w, &deal, &unused);
    bool random = w->option[OPT_FIRST] == FIRST_RANDOM;
    memset(s->open, NO_CARD, (size_t)w->option[OPT_OPEN_COUNT]);
    s->first = (uint8_t)(deal.first > 0 ? deal.first - 1
                         : random       ? rng_below(&r, w->seats)
                                        : 0);
    if (deal.given)
        deal_given(w, s, &deal);
    else
        deal_seed(w, s, &r);
    if (deal.given && deal.hidden)
        s->view = (uint8_t)(deal.view > 0 ? deal.view : VIEW_SPECTATOR);
    for (int seat = 0; seat < w->seats; seat++) {
        s->held[seat] = (uint8_t)(w->option[VAR_CHOOSE] ? 0 : w->hand);
        s->cheques[seat] = (uint8_t)w->option[OPT_CHEQUES];
    }
    if (w->option[VAR_OPENHANDS])
        for (int seat = 0; seat < w->seats; seat++)
            for (int i = 0; i < CARD_WORDS; i++)
                s->shown[i] |= s->hand[seat][i];
    s->bank = (uint8_t)(CHEQUES - w->seats * w->option[OPT_CHEQUES]);
    s->phase = PHASE_MARK;
    s->seat = s->first;
    s->loop = NO_COLOUR;
    if (w->option[VAR_DEALT] || w->option[OPT_MARKERS] == 0)
        tx_begin_turns(w, s);
}
