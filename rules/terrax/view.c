/* rules/terrax/view.c: what one seat may know, and worlds that fit it.
 *
 * A view keeps every card that its seat has seen and can still place: its own
 * hand, marked and open missions, and the cards that it put under the stack
 * itself, which stay countable because every draw is public (terrax §14), and
 * whose hand they went to once they were drawn. */
#include "rules/terrax/state.h"

#include "base/check.h"

/* ---- observe ---- */

static void hide_hand(struct state *v, int seat)
{
    for (int i = 0; i < CARD_WORDS; i++) {
        uint64_t hidden[2] = {0};
        hidden[i] = v->hand[seat][i] & ~v->shown[i];
        SET_EACH(card, hidden)
        v->where[card] = AT_HIDDEN;
        v->fresh[i] &= ~v->hand[seat][i];
        v->hand[seat][i] &= v->shown[i];
    }
}

/* Only what the viewer itself has seen. */
static void hide_sights(struct state *v, int knows)
{
    int kept = 0;
    for (int i = 0; i < SIGHTS; i++)
        if (v->sight[i].knowers & knows)
            v->sight[kept++] = v->sight[i];
    memset(v->sight + kept, 0, (size_t)(SIGHTS - kept) * sizeof(struct sight));
}

static bool sees_drawn(const struct state *v, int card)
{
    for (int i = 0; i < SIGHTS && v->sight[i].knowers; i++)
        if (v->sight[i].slot == SLOT_DRAWN && v->sight[i].card == card)
            return true;
    return false;
}

static void hide_swap(struct state *v)
{
    for (int i = 0; i < v->drawn_count; i++) {
        if (v->drawn[i] == ANY_CARD || sees_drawn(v, v->drawn[i]))
            continue;
        v->where[v->drawn[i]] = AT_HIDDEN;
        v->drawn[i] = ANY_CARD;
    }
    if (v->aside != ANY_CARD && !set_has(v->shown, v->aside)) {
        v->where[v->aside] = AT_HIDDEN;
        v->aside = ANY_CARD;
    }
}

static void hide_stack(struct state *v, int knows)
{
    for (int i = 0; i < v->stacked; i++) {
        int card = v->stack[i];
        if (card == ANY_CARD || v->known[i] & knows)
            continue;
        v->where[card] = AT_HIDDEN;
        v->stack[i] = ANY_CARD;
    }
}

void terrax_observe(const struct world *w, const struct state *s, int viewer,
                    struct state *view)
{
    int knows = KNOWN_ALL | (viewer == SEAT_NONE ? 0 : 1 << viewer);
    if (view != s)
        *view = *s;
    view->view = (uint8_t)(viewer == SEAT_NONE ? VIEW_SPECTATOR : viewer + 1);
    view->generator = 0;
    for (int seat = 0; seat < w->seats; seat++)
        if (seat != viewer && s->phase != PHASE_OVER)
            hide_hand(view, seat);
    hide_sights(view, knows);
    if (s->phase == PHASE_SWAP && s->seat != viewer)
        hide_swap(view);
    hide_stack(view, knows);
}

/* ---- complete ----
 *
 * With automatic claims a card tells much by not being completed: whoever held
 * it when a head came to its place, or stood there, would have laid it down.
 * A hidden card in a hand is therefore one whose place no head has touched, or
 * one that its owner swapped in later.  Untouched cards may be anywhere;
 * touched ones only in the stack, or in the hand of a seat that swapped after
 * the touch, one for each such swap.  Among all worlds that fit, each is
 * equally likely. */

enum { NEVER_LEFT = 1 << 20, TRIES = 48, TRIES_SEEN = 400 };

struct hidden {
    uint8_t calm[CARDS], touched[CARDS]; /* shuffled */
    int calms, toucheds;
    int swappers[SEATS], count; /* seats that swapped, earliest first */
    int slots[SEATS];           /* hidden cards of a seat, one aside included */
    uint8_t got[SEATS][CARDS];
};

/* When the card was last touched; 0: never. */
static int touched_at(const struct world *w, const struct state *s, int card)
{
    if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL)
        return 0;
    if (w->option[OPT_CLAIM_PRESENT] && head_stands(w, s, w->place_of[card]))
        return NEVER_LEFT;
    return s->left[card];
}

static void sort_cards(const struct world *w, const struct state *s,
                       struct hidden *h, struct rng *r)
{
    h->calms = h->toucheds = 0;
    for (int card = 0; card < w->cards; card++) {
        if (s->where[card] != AT_HIDDEN)
            continue;
        if (touched_at(w, s, card))
            h->touched[h->toucheds++] = (uint8_t)card;
        else
            h->calm[h->calms++] = (uint8_t)card;
    }
    rng_shuffle(r, h->calm, h->calms);
    rng_shuffle(r, h->touched, h->toucheds);
}

static bool hidden_aside(const struct state *s, int seat)
{
    return s->phase == PHASE_SWAP && s->seat == seat && s->aside == ANY_CARD;
}

static void sort_seats(const struct world *w, const struct state *s,
                       struct hidden *h)
{
    h->count = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        h->slots[seat] = cards_hidden(s, seat) + hidden_aside(s, seat);
        if (h->slots[seat] == 0 || s->swap[seat][0] == 0)
            continue;
        int at = h->count++;
        for (; at > 0; at--) {
            if (s->swap[h->swappers[at - 1]][0] <= s->swap[seat][0])
                break;
            h->swappers[at] = h->swappers[at - 1];
        }
        h->swappers[at] = seat;
    }
}

/* Touched cards that the seat's latest swap may have brought. */
static int eligible(const struct world *w, const struct state *s,
                    const struct hidden *h, int seat)
{
    int count = 0;
    for (int i = 0; i < h->toucheds; i++)
        count += touched_at(w, s, h->touched[i]) < s->swap[seat][0];
    return count;
}

static int swaps_of(const struct state *s, int seat)
{
    int count = 0;
    while (count < SWAPS && s->swap[seat][count])
        count++;
    return count == SWAPS ? CARDS : count; /* older ones are forgotten */
}

/* from * (from - 1) * ...: ways to fill `count` slots in order. */
static double ways(int from, int count)
{
    double product = 1;
    if (from < count)
        return 0;
    for (int i = 0; i < count; i++)
        product *= from - i;
    return product;
}

static double choose(int from, int count)
{
    double product = 1;
    for (int i = 0; i < count; i++)
        product = product * (from - i) / (i + 1);
    return product;
}

/* How many of the touched cards each swapper holds: a table of the number of
 * worlds by swapper and touched cards already given out, then a walk through
 * it.  Because swappers come earliest first, what an earlier one may hold a
 * later one may hold too. */
struct shares {
    double worlds[SEATS + 1][CARDS + 1];
    int eligible[SEATS], limit[SEATS], before[SEATS];
};

static double share_ways(const struct hidden *h, const struct shares *t, int i,
                         int taken, int share)
{
    int slots = h->slots[h->swappers[i]];
    return choose(slots, share) * ways(t->eligible[i] - taken, share) *
           ways(h->calms - (t->before[i] - taken), slots - share) *
           t->worlds[i + 1][taken + share];
}

static void count_worlds(const struct world *w, const struct state *s,
                         const struct hidden *h, struct shares *t)
{
    int before = 0, most = 0;
    for (int i = 0; i < h->count; i++) {
        int seat = h->swappers[i], swaps = swaps_of(s, seat);
        t->eligible[i] = eligible(w, s, h, seat);
        t->limit[i] = swaps < h->slots[seat] ? swaps : h->slots[seat];
        t->before[i] = before;
        before += h->slots[seat];
        most += t->limit[i];
    }
    for (int taken = 0; taken <= most; taken++)
        t->worlds[h->count][taken] = 1;
    for (int i = h->count - 1; i >= 0; i--) {
        most -= t->limit[i];
        for (int taken = 0; taken <= most; taken++) {
            t->worlds[i][taken] = 0;
            for (int share = 0; share <= t->limit[i]; share++)
                t->worlds[i][taken] += share_ways(h, t, i, taken, share);
        }
    }
}

static int pick_share(const struct hidden *h, const struct shares *t, int i,
                      int taken, struct rng *r)
{
    double at =
        (double)(rng_next(r) >> 11) / 9007199254740992.0 * t->worlds[i][taken];
    int share = 0;
    for (; share < t->limit[i]; share++) {
        at -= share_ways(h, t, i, taken, share);
        if (at < 0)
            break;
    }
    return share;
}

/* Moves up to `count` cards that pass the time limit; returns how many. */
static int take_touched(const struct world *w, const struct state *s,
                        struct hidden *h, int limit, int count, uint8_t *to)
{
    int kept = 0, taken = 0;
    for (int i = 0; i < h->toucheds; i++) {
        int card = h->touched[i];
        if (taken < count && touched_at(w, s, card) < limit)
            to[taken++] = (uint8_t)card;
        else
            h->touched[kept++] = (uint8_t)card;
    }
    h->toucheds = kept;
    return taken;
}

/* Could the seat have got these touched cards, each by a swap of its own? */
static bool swaps_explain(const struct world *w, const struct state *s,
                          int seat, uint8_t *cards, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
            if (touched_at(w, s, cards[j - 1]) >= touched_at(w, s, cards[j]))
                break;
            uint8_t swap = cards[j];
            cards[j] = cards[j - 1];
            cards[j - 1] = swap;
        }
    int swaps = swaps_of(s, seat);
    for (int i = 0; i < count; i++)
        if (touched_at(w, s, cards[i]) >= s->swap[seat][swaps == CARDS ? 0 : i])
            return false;
    return true;
}

/* Calm cards first; touched ones only if an odd position leaves no choice. */
static int take_calm(struct hidden *h, int count, uint8_t *to)
{
    int taken = 0;
    while (taken < count && h->calms > 0)
        to[taken++] = h->calm[--h->calms];
    while (taken < count && h->toucheds > 0)
        to[taken++] = h->touched[--h->toucheds];
    return taken;
}

/* terrax §3: a seat that placed no marker where it could have had none to
 * mark: no card dealt to it, but for those it marked, is far enough. */
static bool skipped(const struct world *w, const struct state *s, int seat)
{
    int turns = w->option[OPT_MARKERS];
    if (s->out >> seat & 1 || w->option[VAR_DEALT] || w->option[VAR_CHOOSE])
        return false;
    if (s->phase == PHASE_MARK) {
        int order = (seat - s->first + w->seats) % w->seats;
        turns = s->placed / w->seats + (order < s->placed % w->seats);
    }
    return s->marked[seat] < turns;
}

/* Calm cards that cannot be marked, by a seat that has skipped. */
static int take_near(const struct world *w, struct hidden *h, int count,
                     uint8_t *to)
{
    int kept = 0, taken = 0;
    for (int i = 0; i < h->calms; i++) {
        int card = h->calm[i];
        if (taken < count && !set_has(w->markable, card))
            to[taken++] = (uint8_t)card;
        else
            h->calm[kept++] = (uint8_t)card;
    }
    h->calms = kept;
    return taken;
}

/* What is far enough for a marker must have come by a swap. */
static bool skips_explain(const struct world *w, const struct state *s,
                          const struct hidden *h, int seat)
{
    int far = 0;
    if (!skipped(w, s, seat))
        return true;
    for (int i = 0; i < h->slots[seat]; i++)
        far += set_has(w->markable, h->got[seat][i]);
    return far <= swaps_of(s, seat);
}

/* Those that have swapped nothing, the ones who may hold least first. */
static void deal_steady(const struct world *w, const struct state *s,
                        struct hidden *h)
{
    int taken[SEATS] = {0};
    for (int seat = 0; seat < w->seats; seat++)
        if (s->swap[seat][0] == 0 && skipped(w, s, seat))
            taken[seat] = take_near(w, h, h->slots[seat], h->got[seat]);
    for (int seat = 0; seat < w->seats; seat++)
        if (s->swap[seat][0] == 0)
            take_calm(h, h->slots[seat] - taken[seat],
                      h->got[seat] + taken[seat]);
}

static bool deal_hands(const struct world *w, const struct state *s,
                       struct hidden *h, struct rng *r)
{
    sort_cards(w, s, h, r);
    deal_steady(w, s, h);
    if (h->count == 0)
        return true;
    struct shares t = {0};
    count_worlds(w, s, h, &t);
    int taken = 0;
    bool good = true;
    for (int i = 0; i < h->count; i++) {
        int seat = h->swappers[i];
        int share = pick_share(h, &t, i, taken, r);
        uint8_t *got = h->got[seat];
        share = take_touched(w, s, h, s->swap[seat][0], share, got);
        good &= swaps_explain(w, s, seat, got, share);
        taken += share;
        take_calm(h, h->slots[seat] - share, got + share);
        rng_shuffle(r, got, h->slots[seat]);
        good &= skips_explain(w, s, h, seat);
    }
    return good;
}

static void give(struct state *s, int seat, const uint8_t *cards, int count)
{
    if (hidden_aside(s, seat)) {
        s->aside = cards[--count];
        s->where[s->aside] = AT_ASIDE;
    }
    for (int i = 0; i < count; i++) {
        s->where[cards[i]] = (uint8_t)seat;
        set_add(s->hand[seat], cards[i]);
    }
}

static void fill(struct state *s, uint8_t *slot, int at, struct hidden *h)
{
    if (*slot != ANY_CARD || h->calms == 0)
        return;
    *slot = h->calm[--h->calms];
    s->where[*slot] = (uint8_t)at;
}

/* Could the seat have held the card until it gave it up at this time?  Touched
 * before, it would have been laid down, unless an earlier swap brought it. */
static bool gave_up(const struct world *w, const struct state *s, int seat,
                    int card, int when)
{
    int touched = s->left[card], same = 0;
    if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL || touched == 0 ||
        touched >= when || swaps_of(s, seat) == CARDS)
        return true;
    if (touched_at(w, s, card) == NEVER_LEFT)
        return false; /* a head has stood there ever since */
    for (int i = 0; i < SWAPS; i++) {
        if (s->swap[seat][i] > touched && s->swap[seat][i] < when)
            return true;
        same += s->swap[seat][i] == when;
    }
    return same > 1; /* two swaps one after the other */
}

static bool slot_fits(const struct world *w, const struct state *s, int i,
                      int card)
{
    int knowers = s->known[i] & (KNOWN_ALL - 1);
    return s->put[i] == 0 || knowers == 0 ||
           gave_up(w, s, __builtin_ctz((unsigned)knowers), card, s->put[i]);
}

/* Deals what is left into the stack, the swap area and an unknown row. */
static bool deal_rest(const struct world *w, struct state *s, struct hidden *h,
                      struct rng *r)
{
    bool good = true;
    memcpy(h->calm + h->calms, h->touched, (size_t)h->toucheds);
    h->calms += h->toucheds;
    rng_shuffle(r, h->calm, h->calms);
    for (int i = 0; i < s->stacked; i++) {
        bool blank = s->stack[i] == ANY_CARD;
        fill(s, &s->stack[i], AT_STACK, h);
        good &= !blank || slot_fits(w, s, i, s->stack[i]);
    }
    for (int i = 0; i < s->drawn_count; i++)
        fill(s, &s->drawn[i], AT_DRAWN, h);
    for (int i = 0; i < OPENS; i++)
        fill(s, &s->open[i], AT_OPEN, h);
    return good;
}

/* After too many tries: deals the blanks of the stack anew, those that ask for
 * most first.  Worlds are then only nearly equally likely. */
static void mend_stack(const struct world *w, const struct state *view,
                       struct state *s, struct rng *r)
{
    uint8_t pool[STOCK];
    bool open[STOCK] = {false};
    int count = 0;
    for (int i = 0; i < s->stacked; i++)
        if (view->stack[i] == ANY_CARD) {
            pool[count++] = s->stack[i];
            open[i] = true;
        }
    rng_shuffle(r, pool, count);
    while (count > 0) {
        int slot = 0, take = 0;
        for (int i = 0; i < s->stacked; i++)
            if (open[i] && (!open[slot] || s->put[i] > s->put[slot]))
                slot = i;
        while (take < count - 1 && !slot_fits(w, s, slot, pool[take]))
            take++;
        s->stack[slot] = pool[take];
        pool[take] = pool[--count];
        open[slot] = false;
    }
}

/* ---- cards that were seen when drawn ---- */

/* Is the card where it can be? */
static bool sight_holds(const struct state *s, const struct sight *x)
{
    int at = s->where[x->card];
    if (at == AT_ASIDE)
        return s->seat == x->seat;
    if (at != AT_STACK)
        return at == x->seat;
    for (int i = 0; i < s->stacked; i++)
        if (s->stack[i] == x->card)
            return sight_fits(s, x, i);
    return false;
}

/* Of two that were seen, one was not kept. */
static bool pair_holds(const struct state *s, const struct sight *a,
                       const struct sight *b)
{
    int index = a->slot == b->slot ? slot_index(s, a->slot) : -1;
    return index < 0 || s->stack[index] == a->card ||
           s->stack[index] == b->card;
}

static bool sights_hold(const struct state *before, const struct state *s)
{
    for (int i = 0; i < SIGHTS && s->sight[i].knowers; i++) {
        if (before->where[s->sight[i].card] != AT_HIDDEN)
            continue;
        if (!sight_holds(s, &s->sight[i]))
            return false;
        for (int j = 0; j < i; j++)
            if (!pair_holds(s, &s->sight[i], &s->sight[j]))
                return false;
    }
    return true;
}

/* Two hidden cards change places. */
static void exchange(struct state *s, int a, int b)
{
    for (int i = 0; i < s->stacked; i++)
        if (s->stack[i] == a || s->stack[i] == b)
            s->stack[i] = (uint8_t)(s->stack[i] == a ? b : a);
    if (s->phase == PHASE_SWAP && (s->aside == a || s->aside == b))
        s->aside = (uint8_t)(s->aside == a ? b : a);
    for (int seat = 0; seat < SEATS; seat++) {
        bool has_a = set_has(s->hand[seat], a),
             has_b = set_has(s->hand[seat], b);
        if (has_a == has_b)
            continue;
        set_drop(s->hand[seat], has_a ? a : b);
        set_add(s->hand[seat], has_a ? b : a);
    }
    uint8_t at = s->where[a];
    s->where[a] = s->where[b];
    s->where[b] = at;
}

/* After too many tries: puts a card where it was last seen to go. */
static void mend_sight(const struct world *w, const struct state *before,
                       struct state *s, const struct sight *x, struct rng *r)
{
    uint8_t place[CARDS];
    int count = 0;
    if (before->where[x->card] != AT_HIDDEN || sight_holds(s, x))
        return;
    for (int card = 0; card < w->cards; card++) {
        struct state after = *s;
        if (before->where[card] != AT_HIDDEN || card == x->card)
            continue;
        exchange(&after, x->card, card);
        if (sight_holds(&after, x))
            place[count++] = (uint8_t)card;
    }
    if (count)
        exchange(s, x->card, place[rng_below(r, count)]);
}

static bool complete_once(const struct world *w, struct state *s,
                          struct hidden *h, struct rng *r)
{
    bool good = deal_hands(w, s, h, r);
    for (int seat = 0; seat < w->seats; seat++)
        give(s, seat, h->got[seat], h->slots[seat]);
    return deal_rest(w, s, h, r) && good;
}

void terrax_complete(const struct world *w, struct state *view, int viewer,
                     struct rng *r)
{
    (void)viewer; /* knows all that is not blank */
    if (view->view == VIEW_TRUTH)
        return;
    struct hidden h;
    struct state before = *view;
    before.view = VIEW_TRUTH;
    if (view->phase == PHASE_MARK && w->option[VAR_CHOOSE])
        before.generator = rng_next(r) | 1;
    sort_seats(w, &before, &h);
    int most = view->sight[0].knowers ? TRIES_SEEN : TRIES;
    for (int tries = 0; tries < most; tries++) {
        *view = before;
        if (complete_once(w, view, &h, r) && sights_hold(&before, view))
            return;
    }
    mend_stack(w, &before, view, r);
    for (int i = 0; i < SIGHTS && view->sight[i].knowers; i++)
        mend_sight(w, &before, view, &before.sight[i], r);
}
