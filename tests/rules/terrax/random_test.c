/* tests/rules/terrax/random_test.c: random games with two to six seats and
 * random options.  After every action the invariants of terrax §15 hold, every
 * seat's view allows it what the truth does, and the legal arrows and the
 * rights they leave are those of another account of §4 to §8 that looks at
 * nothing but the lists of arrows.
 *
 * Two invariants are dear and have games of their own, in which they too hold
 * after every action: I23, for which a game is written and read back, and I24,
 * for which everything that can be written at all is tried. */
#include "tests/random.h"

#include "game/match.h"
#include "rules/terrax/state.h"

struct table {
    struct world *w;
    struct state s, before;
    struct setup setup;
    struct rng chance;
    int turns[SEATS]; /* turns ended */
    int dealt[SEATS];
    int skips[SEATS];             /* of markers */
    bool looped[COLOURS][ARROWS]; /* laid with a loop right */
    bool joined[PLACES][PLACES];  /* by a leg */
    int moved;                    /* hidden cards, for I22 */
};

/* What is left of a turn. */
struct rights {
    int base, green, loop, loops, used, cheques;
};

static int option(const struct table *t, int index)
{
    return t->w->option[index];
}

/* ---- a second opinion on arrows ---- */

struct arrow {
    int from, to;
};

static struct arrow arrow_at(const struct table *t, int k, int i)
{
    int slot = route_slot(&t->s, k, i);
    return (struct arrow){t->w->from[slot], t->w->to[slot]};
}

static void join_places(struct table *t)
{
    const struct world *w = t->w;
    memset(t->joined, 0, sizeof t->joined);
    for (int i = 0; i < w->legs; i++) {
        int a = w->drawing[w->leg[i].a].place;
        int b = w->drawing[w->leg[i].b].place;
        t->joined[a][b] = t->joined[b][a] = true;
    }
}

static int pointing_at(const struct table *t, int k, int place)
{
    int count = 0;
    for (int i = 0; i < t->s.length[k]; i++)
        count += arrow_at(t, k, i).to == place;
    return count;
}

static bool route_touches(const struct table *t, int k, int place)
{
    return pointing_at(t, k, place) > 0 ||
           (place == t->w->hub && t->s.length[k] > 0);
}

static bool lies(const struct table *t, int k, int from, int to)
{
    for (int i = 0; i < t->s.length[k]; i++) {
        struct arrow a = arrow_at(t, k, i);
        if (a.from == from && a.to == to)
            return true;
    }
    return false;
}

/* terrax §5, condition by condition. */
static bool may_lay(const struct table *t, int k, int f, int to, bool loop)
{
    const struct state *s = &t->s;
    int length = s->length[k], hub = t->w->hub;
    if (length == ARROWS || !t->joined[f][to])
        return false;
    if (length == 0) {
        if (loop || f != hub)
            return false;
        for (int other = 0; other < COLOURS; other++)
            if (s->length[other] && arrow_at(t, other, 0).to == to &&
                !option(t, OPT_START_SHARED))
                return false;
    } else if (loop) {
        bool hub_tail = f == hub && option(t, OPT_BRANCH_HUB);
        if (!pointing_at(t, k, f) && !hub_tail)
            return false;
        if (!hub_tail && pointing_at(t, k, f) == 1 && lies(t, k, to, f))
            return false;
    } else {
        struct arrow top = arrow_at(t, k, length - 1);
        if (f != top.to || to == top.from)
            return false;
    }
    if (lies(t, k, f, to))
        return false;
    return !(s->loops && option(t, OPT_SECOND_LOOP) == SECOND_FORBID &&
             route_touches(t, k, to));
}

static bool may_lay_any(const struct table *t)
{
    for (int k = 0; k < COLOURS; k++)
        for (int slot = 0; slot < t->w->slots; slot++)
            if (may_lay(t, k, t->w->from[slot], t->w->to[slot], false))
                return true;
    return false;
}

static bool is_arrow(action a)
{
    int kind = act_kind(a);
    return kind == ACT_BASE || kind == ACT_GREEN || kind == ACT_LOOP ||
           kind == ACT_CHEQUE;
}

/* Arrows on offer, by kind, colour and slot. */
struct offer {
    bool arrow[ACT_LOOP + 1][COLOURS][SLOTS], end;
};

static void list_offer(const struct table *t, struct offer *o)
{
    action legal[GAME_ACTIONS];
    int count = terrax_legal(t->w, &t->s, t->s.seat, legal);
    memset(o, 0, sizeof *o);
    for (int i = 0; i < count; i++) {
        action a = legal[i];
        if (is_arrow(a))
            o->arrow[act_kind(a)][act_colour(a)][act_slot(a)] = true;
        o->end |= act_kind(a) == ACT_END;
    }
}

static void check_arrows(const struct table *t)
{
    struct offer o;
    const struct state *s = &t->s;
    if (s->phase != PHASE_TURN)
        return;
    list_offer(t, &o);
    bool any = false, cheque = s->cheques[s->seat] > 0 && s->used_cheques < 2;
    for (int k = 0; k < COLOURS; k++)
        for (int slot = 0; slot < t->w->slots; slot++) {
            int f = t->w->from[slot], to = t->w->to[slot];
            bool plain = may_lay(t, k, f, to, false);
            bool loop = s->loop == k && may_lay(t, k, f, to, true);
            any |= plain;
            assert_int_equal(o.arrow[ACT_BASE][k][slot], plain && s->base);
            assert_int_equal(o.arrow[ACT_GREEN][k][slot],
                             plain && s->green > 0);
            assert_int_equal(o.arrow[ACT_CHEQUE][k][slot], plain && cheque);
            assert_int_equal(o.arrow[ACT_LOOP][k][slot], loop);
        }
    assert_int_equal(o.end,
                     !s->base || !any || option(t, OPT_PASS) != PASS_NEVER);
}

/* ---- a second opinion on rights (§4, §6 to §8) ---- */

/* A cheque is due, `spent` cheques lying in their field. */
static bool can_pay(const struct table *t, int spent)
{
    return t->s.bank > 0 || (option(t, OPT_RECYCLE) && spent > 0);
}

static bool is_red(const struct table *t, int place)
{
    int kind = t->w->kind[place];
    return kind == KIND_RED ||
           (kind == KIND_EDGE && option(t, OPT_EDGE_CHEQUE));
}

static void earn_loop(struct rights *r, int k)
{
    if (r->loops == 0)
        r->loop = k;
    r->loops = 1;
}

static void foresee_arrow(const struct table *t, int kind, int k, int to,
                          struct rights *r)
{
    r->base -= kind == ACT_BASE;
    r->green -= kind == ACT_GREEN;
    r->used += kind == ACT_CHEQUE;
    r->cheques -= kind == ACT_CHEQUE;
    if (kind == ACT_LOOP)
        r->loop = NO_COLOUR;
    r->cheques +=
        is_red(t, to) && can_pay(t, t->s.spent + (kind == ACT_CHEQUE));
    r->green += t->w->kind[to] == KIND_GREEN;
    if (route_touches(t, k, to))
        earn_loop(r, k);
}

static void foresee_removal(const struct table *t, int k, struct rights *r)
{
    r->used++;
    r->cheques--;
    if (r->loop == k)
        r->loop = NO_COLOUR;
    int left = t->s.length[k] - 1;
    if (left == 0)
        return;
    int place = arrow_at(t, k, left - 1).to, others = 0;
    for (int i = 0; i < left - 1; i++)
        others += arrow_at(t, k, i).to == place;
    r->cheques += is_red(t, place) && option(t, OPT_UNDO_RED) &&
                  can_pay(t, t->s.spent + 1);
    r->green += t->w->kind[place] == KIND_GREEN;
    if (others > 0 || place == t->w->hub)
        earn_loop(r, k);
}

static struct rights rights_of(const struct state *s, int seat)
{
    return (struct rights){s->base,  s->green,        s->loop,
                           s->loops, s->used_cheques, s->cheques[seat]};
}

/* Before an action: the rights after it. */
static struct rights foresee(const struct table *t, int seat, action a)
{
    struct rights r = rights_of(&t->s, seat);
    if (is_arrow(a))
        foresee_arrow(t, act_kind(a), act_colour(a), t->w->to[act_slot(a)], &r);
    else if (act_kind(a) == ACT_REMOVE)
        foresee_removal(t, act_colour(a), &r);
    return r;
}

/* After it, if the turn goes on. */
static void check_rights(const struct table *t, int seat, action a,
                         const struct rights *foreseen)
{
    struct rights now = rights_of(&t->s, seat);
    if ((is_arrow(a) || act_kind(a) == ACT_REMOVE) && t->s.phase == PHASE_TURN)
        assert_memory_equal(&now, foreseen, sizeof now);
}

/* ---- terrax §15 ---- */

static void check_cards(const struct table *t) /* I1, I2, I14, I16 */
{
    const struct state *s = &t->s;
    int seen[CARDS] = {0}, opens = 0;
    for (int seat = 0; seat < t->w->seats; seat++) {
        SET_EACH(card, s->hand[seat])
        {
            seen[card]++;
            assert_int_equal(s->where[card], seat);
        }
        int aside = s->phase == PHASE_SWAP && s->seat == seat;
        assert_int_equal(set_count(s->hand[seat]) + aside, s->held[seat]);
        if (s->phase != PHASE_MARK)
            assert_int_equal(s->held[seat] + s->done[seat], t->dealt[seat]);
    }
    for (int i = 0; i < s->stacked; i++) {
        seen[s->stack[i]]++;
        assert_int_equal(s->where[s->stack[i]], AT_STACK);
    }
    for (int i = 0; i < option(t, OPT_OPEN_COUNT); i++)
        if (s->open[i] != NO_CARD) {
            opens++;
            seen[s->open[i]]++;
            assert_int_equal(s->where[s->open[i]], AT_OPEN);
        }
    if (s->phase == PHASE_SWAP) {
        seen[s->aside]++;
        for (int i = 0; i < s->drawn_count; i++)
            seen[s->drawn[i]]++;
    }
    for (int card = 0; card < t->w->cards; card++)
        assert_int_equal(seen[card] + (s->where[card] >= AT_DONE), 1);
    bool choosing = option(t, VAR_CHOOSE) && s->phase == PHASE_MARK;
    if (!choosing && s->reason != ENDING_ABANDONED)
        assert_true(opens == option(t, OPT_OPEN_COUNT) ||
                    s->stacked + s->drawn_count * (s->phase == PHASE_SWAP) ==
                        0);
}

static void check_cheques(const struct table *t) /* I3, I4 */
{
    int sum = t->s.bank + t->s.spent;
    for (int seat = 0; seat < t->w->seats; seat++)
        sum += t->s.cheques[seat];
    assert_int_equal(sum, CHEQUES);
    for (int k = 0; k < COLOURS; k++)
        assert_in_range(t->s.length[k], 0, ARROWS);
}

static void check_markers(const struct table *t) /* I5, I6, I7 */
{
    const struct state *s = &t->s;
    int carried[CARDS] = {0};
    for (int seat = 0; seat < t->w->seats; seat++) {
        assert_int_equal(set_count(s->marker[seat]) + s->regained[seat],
                         s->marked[seat]);
        assert_true(s->marked[seat] + t->skips[seat] <= option(t, OPT_MARKERS));
        if (s->phase != PHASE_MARK && !(s->out >> seat & 1))
            assert_int_equal(s->marked[seat] + t->skips[seat],
                             option(t, OPT_MARKERS));
        SET_EACH(card, s->marker[seat])
        {
            carried[card]++;
            if (!option(t, OPT_SWAP_MARKED))
                assert_true(set_has(s->hand[seat], card));
        }
    }
    for (int card = 0; card < t->w->cards; card++)
        assert_true(carried[card] <= 1);
}

static void check_route(const struct table *t, int k) /* I8 to I12 */
{
    const struct state *s = &t->s;
    for (int i = 0; i < s->length[k]; i++) {
        struct arrow a = arrow_at(t, k, i);
        bool tail = i == 0 ? a.from == t->w->hub
                           : a.from == t->w->hub && option(t, OPT_BRANCH_HUB);
        for (int j = 0; j < i; j++) {
            struct arrow lower = arrow_at(t, k, j);
            tail |= lower.to == a.from;
            assert_false(lower.from == a.from && lower.to == a.to);
        }
        assert_true(tail);
        assert_true(t->joined[a.from][a.to]);
        struct arrow below = i > 0 ? arrow_at(t, k, i - 1) : a;
        bool branches = i > 0 && a.from != below.to;
        bool reverses = a.from == below.to && a.to == below.from;
        assert_true(t->looped[k][i] || !(branches || reverses));
    }
    for (int other = 0; other < k; other++)
        if (s->length[k] && s->length[other] && !option(t, OPT_START_SHARED))
            assert_true(route_slot(s, k, 0) != route_slot(s, other, 0));
    for (int p = 0; p < t->w->places; p++) {
        assert_int_equal(s->visits[k][p], pointing_at(t, k, p));
        assert_int_equal(set_has(s->visited[k], p), s->visits[k][p] > 0);
    }
}

static void check_course(const struct table *t) /* I13, I15, I20, I21 */
{
    const struct state *s = &t->s;
    assert_true(s->used_cheques <= 2 && s->loops <= 1);
    assert_true(s->loop == NO_COLOUR || s->loops == 1);
    bool automatic =
        option(t, OPT_CLAIMS) == CLAIMS_AUTO && option(t, OPT_CLAIM_PRESENT);
    for (int k = 0; k < COLOURS && automatic; k++) {
        int card = s->length[k] ? t->w->card_of[head_of(t->w, s, k)] : NO_CARD;
        if (card != NO_CARD)
            assert_true(s->where[card] >= SEATS);
    }
    bool used_up = s->length[0] + s->length[1] + s->length[2] == 135;
    assert_int_equal(used_up, s->reason == END_ARROWS);
    for (int seat = 0; seat < t->w->seats; seat++) {
        int points = s->done[seat] + s->won[seat] - s->held[seat];
        if (!option(t, VAR_CHOOSE))
            points += s->regained[seat] - set_count(s->marker[seat]);
        assert_int_equal(tx_points_of(t->w, s, seat), points);
        assert_true(points >= -t->w->hand - option(t, OPT_MARKERS));
    }
    if (s->reason == END_CARDS) /* I19 */
        for (int seat = 1; seat < t->w->seats; seat++)
            assert_int_equal(t->turns[seat], t->turns[0]);
}

static int laid_down(const struct state *s)
{
    int sum = 0;
    for (int seat = 0; seat < SEATS; seat++)
        sum += s->done[seat] + s->won[seat];
    return sum;
}

static void check_state(struct table *t)
{
    check_cards(t);
    check_cheques(t);
    check_markers(t);
    for (int k = 0; k < COLOURS; k++)
        check_route(t, k);
    check_course(t);
    assert_true(laid_down(&t->s) >= laid_down(&t->before)); /* I17 */
}

/* What a seat may do depends on its own view alone (§14): the list made from
 * the view is that of the truth. */
static void check_views(const struct table *t)
{
    action truth[GAME_ACTIONS], seen[GAME_ACTIONS];
    struct state view;
    for (int seat = 0; seat < t->w->seats; seat++) {
        terrax_observe(t->w, &t->s, seat, &view);
        int count = terrax_legal(t->w, &t->s, seat, truth);
        assert_int_equal(terrax_legal(t->w, &view, seat, seen), count);
        assert_memory_equal(seen, truth, (size_t)count * sizeof *truth);
    }
}

/* ---- I22 ---- */

/* terrax §14, told by the truth: what the viewer may not know.  A card that it
 * put under the stack itself it knows. */
static bool is_hidden(const struct table *t, int viewer, int card)
{
    const struct state *s = &t->s;
    int at = s->where[card], knows = KNOWN_ALL | (1 << (viewer + 1)) >> 1;
    if (at == AT_ASIDE || at < SEATS)
        return s->phase != PHASE_OVER && !set_has(s->shown, card) &&
               (at == AT_ASIDE ? s->seat : at) != viewer;
    for (int i = 0; i < 2 && at == AT_DRAWN; i++)
        if (s->drawn[i] == card && s->past[s->swaps - 1].knowers[i] & knows)
            return false; /* it lay in the stack where the viewer put it */
    if (at == AT_DRAWN)
        return s->seat != viewer;
    for (int i = 0; i < s->stacked && at == AT_STACK; i++)
        if (s->stack[i] == card)
            return !(s->known[i] & knows);
    return false;
}

/* A set with the cards renamed. */
static void rename_set(uint64_t *set, const uint8_t *name)
{
    uint64_t was[CARD_WORDS];
    memcpy(was, set, sizeof was);
    memset(set, 0, sizeof was);
    SET_EACH(card, was)
    set_add(set, name[card]);
}

static void rename_list(uint8_t *list, int count, const uint8_t *name)
{
    for (int i = 0; i < count; i++)
        list[i] = name[list[i]];
}

/* The same state with other cards in the places that the names say. */
static void rename_cards(const struct table *t, const uint8_t *name,
                         struct state *s)
{
    *s = t->s;
    for (int card = 0; card < t->w->cards; card++)
        s->where[name[card]] = t->s.where[card];
    for (int seat = 0; seat < t->w->seats; seat++)
        rename_set(s->hand[seat], name);
    rename_set(s->fresh, name);
    rename_list(s->stack, s->stacked, name);
    if (s->phase == PHASE_SWAP) {
        rename_list(s->drawn, s->drawn_count == 2 ? 2 : 1, name);
        rename_list(&s->aside, 1, name);
    }
}

/* Shuffles what is hidden from the viewer.  Returns how many cards moved. */
static int shuffle_hidden(struct table *t, int viewer, struct state *other)
{
    uint8_t name[CARDS], from[CARDS], to[CARDS];
    int count = 0, moved = 0;
    for (int card = 0; card < t->w->cards; card++) {
        name[card] = (uint8_t)card;
        if (is_hidden(t, viewer, card))
            from[count++] = (uint8_t)card;
    }
    memcpy(to, from, (size_t)count);
    rng_shuffle(&t->chance, to, count);
    for (int i = 0; i < count; i++) {
        name[from[i]] = to[i];
        moved += to[i] != from[i];
    }
    rename_cards(t, name, other);
    return moved;
}

static void check_hidden(struct table *t)
{
    struct state other, view, same;
    for (int viewer = SEAT_NONE; viewer < t->w->seats; viewer++) {
        t->moved += shuffle_hidden(t, viewer, &other);
        terrax_observe(t->w, &t->s, viewer, &view);
        terrax_observe(t->w, &other, viewer, &same);
        assert_memory_equal(&view, &same, sizeof view);
    }
}

/* ---- play ---- */

static void begin(struct table *t)
{
    terrax_start(t->w, &t->setup, &t->s);
    t->before = t->s;
    join_places(t);
    memset(t->turns, 0, sizeof t->turns);
    memset(t->skips, 0, sizeof t->skips);
    for (int seat = 0; seat < SEATS; seat++)
        t->dealt[seat] = t->s.held[seat];
}

/* The open row of the deal lies far enough from the hub (§3, §16.29). */
static void check_deal(const struct table *t)
{
    bool near = false, far = false;
    for (int i = 0; i < option(t, OPT_OPEN_COUNT); i++)
        near |= t->w->far[t->s.open[i]] < option(t, OPT_OPEN_MIN);
    for (int i = 0; i < t->s.stacked; i++)
        far |= t->w->far[t->s.stack[i]] >= option(t, OPT_OPEN_MIN);
    assert_false(near && far);
}

static void note_turn(struct table *t, int seat, action a)
{
    if (is_arrow(a)) {
        int k = act_colour(a);
        t->looped[k][t->s.length[k] - 1] = act_kind(a) == ACT_LOOP;
    }
    if (act_kind(a) == ACT_END && t->before.phase == PHASE_TURN) {
        t->turns[seat]++;
    }
    if (t->before.phase == PHASE_MARK && option(t, VAR_CHOOSE))
        for (int i = 0; i < SEATS; i++)
            t->dealt[i] = t->s.held[i];
    if (t->before.phase == PHASE_MARK && t->s.phase == PHASE_TURN)
        check_deal(t);
}

static void check_all(struct table *t)
{
    check_state(t);
    check_arrows(t);
    check_views(t);
    check_hidden(t);
}

static void play(struct table *t, void (*check_more)(struct table *))
{
    action legal[GAME_ACTIONS];
    int count, seat, steps = 0;
    begin(t);
    check_all(t);
    check_more(t);
    while ((seat = random_seat(&terrax_game, t->w, &t->s, &t->chance, legal,
                               &count)) != SEAT_NONE) {
        action a = legal[rng_below(&t->chance, count)];
        if (act_kind(a) == ACT_END && t->s.phase == PHASE_TURN && t->s.base &&
            option(t, OPT_PASS) == PASS_NEVER) /* I18 */
            assert_false(may_lay_any(t));
        struct rights foreseen = foresee(t, seat, a);
        t->before = t->s;
        t->skips[seat] +=
            act_kind(a) == ACT_MARK && act_card_of(a) == CARD_UNKNOWN;
        terrax_apply(t->w, &t->s, seat, a);
        check_rights(t, seat, a, &foreseen);
        note_turn(t, seat, a);
        check_all(t);
        check_more(t);
        assert_true(++steps < 100000);
    }
    assert_int_equal(t->s.phase, PHASE_OVER);
}

static struct table *open_table(void)
{
    struct table *t = calloc(1, sizeof *t);
    t->w = malloc(sizeof *t->w);
    return t;
}

static void close_table(struct table *t)
{
    free(t->w);
    free(t);
}

static void check_nothing(struct table *t)
{
    (void)t;
}

static void test_invariants(void **state)
{
    (void)state;
    struct table *t = open_table();
    struct fault f;
    for (int seats = 2; seats <= SEATS; seats++) {
        t->chance = random_source(&terrax_game, seats);
        for (int i = 0; i < test_scale(6, 60, 600); i++) {
            do
                random_setup(&terrax_game, seats, &t->chance, &t->setup);
            while (!terrax_prepare(t->w, &t->setup, &f));
            play(t, check_nothing);
        }
    }
    assert_true(t->moved > 10000);
    close_table(t);
}

/* ---- I24 ---- */

/* All that §17 lets anybody write, once each. */
static char texts[8192][16];
static int text_count;

static void add_text(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    assert_true(text_count < 8192);
    vsnprintf(texts[text_count++], sizeof texts[0], format, list);
    va_end(list);
}

static void list_arrow_texts(const struct world *w)
{
    for (int k = 'A'; k <= 'C'; k++) {
        for (int p = 0; p < w->places; p++) {
            add_text("%c>%s", k, w->id[p]);
            add_text("+%c>%s", k, w->id[p]);
            add_text("$%c>%s", k, w->id[p]);
            add_text("$%c-%s", k, w->id[p]);
        }
        for (int slot = 0; slot < w->slots; slot++)
            add_text("~%c@%s>%s", k, w->id[w->from[slot]], w->id[w->to[slot]]);
    }
}

static void list_texts(const struct world *w)
{
    text_count = 0;
    list_arrow_texts(w);
    for (int card = 0; card < w->cards; card++) {
        const char *id = tx_card_id(w, card);
        add_text("$x%s", id);
        add_text("=%s", id);
        add_text("$!%s", id);
        for (int seat = 1; seat <= SEATS; seat++) {
            add_text("!%d:%s", seat, id);
            add_text("%d:%s", seat, id);
        }
    }
    for (int seat = 1; seat <= SEATS; seat++)
        add_text("%d:-", seat);
    add_text("end");
    add_text("--");
}

/* Of all that can be written just what is offered is accepted. */
static void check_texts(struct table *t)
{
    action legal[GAME_ACTIONS], a;
    struct state copy = t->s;
    struct fault f;
    size_t used;
    for (int seat = 0; seat < t->w->seats; seat++) {
        int count = terrax_legal(t->w, &t->s, seat, legal), accepted = 0;
        for (int i = 0; i < text_count; i++) {
            if (!terrax_read_action(t->w, &t->s, seat, texts[i], &a, &used, &f))
                continue;
            bool found = false;
            for (int j = 0; j < count; j++)
                found |= legal[j] == a;
            if (!found)
                fail_msg("%s is accepted", texts[i]);
            accepted++;
        }
        assert_int_equal(accepted, count);
    }
    assert_memory_equal(&copy, &t->s, sizeof copy);
}

/* Sets every fifth option to another value than the usual one. */
static void every_fifth(struct setup *setup, int first, struct rng *chance)
{
    for (int i = first; i < OPT_COUNT; i += 5) {
        const struct option *o = &terrax_options[i];
        int usual = o->preset == OPTION_UNSET ? 0 : o->preset;
        do
            setup->option[i] = random_value(o, chance);
        while (setup->option[i] == usual);
    }
}

/* Five games have all numbers of seats and all options, 25 all pairs. */
static void test_texts(void **state)
{
    (void)state;
    struct table *t = open_table();
    struct fault f;
    t->chance = random_source(&terrax_game, 99);
    for (int i = 0; i < test_scale(5, 25, 100); i++) {
        do {
            random_setup(&terrax_game, 2 + i % 5, &t->chance, &t->setup);
            every_fifth(&t->setup, (i + i / 5) % 5, &t->chance);
        } while (!terrax_prepare(t->w, &t->setup, &f));
        list_texts(t->w);
        play(t, check_texts);
    }
    close_table(t);
}

/* ---- I23 ---- */

/* With var_choose what is left over is shuffled after the marker phase; until
 * then it lies in some order. */
static void forget_order(const struct world *w, struct state *s)
{
    s->generator = 0;
    if (w->option[VAR_CHOOSE] && s->phase == PHASE_MARK)
        memset(s->stack, 0, sizeof s->stack);
}

/* A record replayed from its deal gives the same state after every action. */
static void check_replay(const struct match *m, const struct match *back)
{
    struct state one, two;
    assert_int_equal(match_count(m), match_count(back));
    for (int at = 0; at <= match_count(m); at++) {
        match_at(m, at, &one);
        match_at(back, at, &two);
        forget_order(match_world(m), &one);
        forget_order(match_world(m), &two);
        assert_memory_equal(&one, &two, sizeof one);
    }
}

static void test_replay(void **state)
{
    (void)state;
    static char text[1 << 20];
    for (int i = 0; i < test_scale(10, 60, 600); i++) {
        struct rng chance = random_source(&terrax_game, 100 + i);
        struct setup setup;
        struct fault f;
        struct match *m;
        action legal[GAME_ACTIONS];
        int count, seat;
        do
            random_setup(&terrax_game, 2 + i % 5, &chance, &setup);
        while (!(m = match_open(&terrax_game, &setup, &f)));
        while ((seat = random_seat(&terrax_game, match_world(m), match_state(m),
                                   &chance, legal, &count)) != SEAT_NONE)
            match_play(m, seat, legal[rng_below(&chance, count)]);
        int length = match_write(m, &terrax_formats[0], match_count(m),
                                 RECORD_FULL, text, sizeof text);
        struct match *back = match_read(&terrax_game, &terrax_formats[0], text,
                                        (size_t)length, NULL, &f);
        assert_non_null(back);
        check_replay(m, back);
        match_close(back);
        match_close(m);
    }
}

/* All deals are equally likely: each card is in each hand equally often. */
static void test_deal(void **state)
{
    (void)state;
    enum { DEALS = 8000 };
    struct setup setup;
    struct fault f;
    struct world *w = malloc(sizeof *w);
    struct state s;
    int held[CARDS] = {0}, top[CARDS] = {0};
    setup_init(&terrax_game, &setup);
    assert_true(terrax_prepare(w, &setup, &f));
    for (int i = 0; i < DEALS; i++) {
        setup.seed = (uint64_t)i;
        terrax_start(w, &setup, &s);
        SET_EACH(card, s.hand[2])
        held[card]++;
        top[s.stack[s.stacked - 1]]++;
    }
    for (int card = 0; card < w->cards; card++) {
        int wanted = DEALS * 9 / 79; /* 911, standard deviation 28 */
        assert_in_range(held[card], wanted - 170, wanted + 170);
        assert_in_range(top[card], 40, 190); /* 101 or a little less or more */
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_deal),
    };
    return cmocka_run_group_tests_name("terrax random", tests, NULL, NULL);
}
