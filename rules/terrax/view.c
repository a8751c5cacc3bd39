/* rules/terrax/view.c: what one seat may know, and worlds that fit it.
 *
 * A view keeps every card that its seat has seen and can still place: its own
 * hand, marked and open missions, and the cards that it put under the stack
 * itself, which stay countable because every draw is public (terrax §14); and
 * of each swap what everybody or this seat has seen of it. */
#include "rules/terrax/past.h"

/* ---- observe ---- */

static void hide_hand(struct state *v, int seat)
{
    for (int i = 0; i < CARD_WORDS; i++) {
        uint64_t hidden[2] = {0};
        hidden[i] = v->hand[seat][i] & ~v->shown[i];
        SET_EACH(card, hidden)
        v->where[card] = AT_HIDDEN;
        v->fresh[i] &= ~hidden[i];
        v->hand[seat][i] &= v->shown[i];
    }
}

/* A swap of another seat: cards known by their place, or seen by all.  Whoever
 * knows neither place must not learn it from the order. */
static void hide_past(struct swap *x, int knows)
{
    bool placed = x->knowers[0] & knows || x->knowers[1] & knows;
    bool told = x->seen & (SEEN_KEPT | SEEN_OTHER);
    if (knows >> x->seat & 1)
        return; /* its own */
    if (!(x->seen & SEEN_GIVEN))
        x->given = ANY_CARD;
    if (told && !placed && x->kept) {
        uint8_t first = x->drawn[0];
        x->drawn[0] = x->drawn[1];
        x->drawn[1] = first;
        x->kept = 0;
    }
    for (int i = 0; i < drawn_in(x); i++)
        if (!(placed && x->knowers[i] & knows) &&
            !(x->seen & (i == x->kept ? SEEN_KEPT : SEEN_OTHER)))
            x->drawn[i] = ANY_CARD;
    if (!told)
        x->kept = 0;
}

static void hide_swap(struct state *v, int knows)
{
    const struct swap *now = &v->past[v->swaps - 1];
    for (int i = 0; i < v->drawn_count; i++) {
        if (v->drawn[i] == ANY_CARD || now->knowers[i] & knows)
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
    for (int i = 0; i < view->swaps; i++)
        hide_past(&view->past[i], knows);
    if (s->phase == PHASE_SWAP && s->seat != viewer)
        hide_swap(view, knows);
    hide_stack(view, knows);
}

/* ---- complete ----
 *
 * With automatic claims a card tells much by not being completed: whoever held
 * it when a head came to its place, or stood there, would have laid it down.
 * A hidden card in a hand is therefore one whose place no head has touched, or
 * one that its owner swapped in later.  Untouched cards may be anywhere;
 * touched ones only in the stack, or in the hand of a seat that swapped after
 * the touch, one for each such swap.  Such worlds are dealt until one has a
 * past that fits all that was seen: so each is equally likely. */

enum { TRIES = 32, TRIES_REACH = 200, CLIMBS = 8 };

/* A hidden card of the stack that a seat gave up: it would have laid down what
 * was touched before, unless an earlier swap brought it. */
struct given {
    int index;
    uint64_t may[CARD_WORDS];
    int most; /* of these can be left for it, and one more for each touched card
               * in a hand */
};

/* How many of the touched cards each swapper holds: a table of the number of
 * worlds by swapper and touched cards already given out, then a walk through
 * it.  Because swappers come earliest first, what an earlier one may hold a
 * later one may hold too. */
struct shares {
    double worlds[SEATS + 1][CARDS + 1];
    int eligible[SEATS], limit[SEATS], before[SEATS];
    int calms; /* for them, when all others have theirs */
};

struct hidden {
    uint8_t calm[CARDS], touched[CARDS]; /* not yet dealt */
    int calms, toucheds;
    uint8_t all_calm[CARDS], all_touched[CARDS];
    int all_calms, all_toucheds;
    struct shares table;
    int swappers[SEATS], count; /* seats that swapped, earliest first */
    int since[SEATS];           /* 1 + the last swap of a seat; 0: none */
    int swaps[SEATS];           /* that may have brought a hidden card */
    int slots[SEATS];           /* hidden cards of a seat, one aside included */
    bool aside[SEATS];          /* one is */
    uint8_t got[SEATS][CARDS];
    struct given given[SWAPS]; /* the latest first */
    int givens, shares;        /* touched cards in hands */
};

static void sort_cards(const struct world *w, const struct state *s,
                       struct hidden *h)
{
    h->all_calms = h->all_toucheds = 0;
    for (int card = 0; card < w->cards; card++) {
        if (s->where[card] != AT_HIDDEN)
            continue;
        if (touched_at(w, s, card))
            h->all_touched[h->all_toucheds++] = (uint8_t)card;
        else
            h->all_calm[h->all_calms++] = (uint8_t)card;
    }
}

static void shuffle_cards(struct hidden *h, struct rng *r)
{
    memcpy(h->calm, h->all_calm, sizeof h->calm);
    memcpy(h->touched, h->all_touched, sizeof h->touched);
    h->calms = h->all_calms;
    h->toucheds = h->all_toucheds;
    rng_shuffle(r, h->calm, h->calms);
    rng_shuffle(r, h->touched, h->toucheds);
}

static bool hidden_aside(const struct state *s, int seat)
{
    return s->phase == PHASE_SWAP && s->seat == seat && s->aside == ANY_CARD;
}

/* May the card that this swap brought still be hidden in the hand? */
static bool brought(const struct state *s, int swap)
{
    const struct swap *x = &s->past[swap];
    return !going_on(s, swap) &&
           !(x->seen & SEEN_KEPT && s->where[x->drawn[x->kept]] >= AT_DONE);
}

static void count_swaps(const struct world *w, const struct state *s,
                        struct hidden *h)
{
    for (int seat = 0; seat < w->seats; seat++) {
        h->since[seat] = s->forgot >> seat & 1;
        h->swaps[seat] = h->since[seat] ? CARDS : 0;
    }
    for (int i = 0; i < s->swaps; i++)
        if (brought(s, i)) {
            h->since[s->past[i].seat] = i + 1;
            h->swaps[s->past[i].seat]++;
        }
}

static void sort_seats(const struct world *w, const struct state *s,
                       struct hidden *h)
{
    h->count = 0;
    count_swaps(w, s, h);
    for (int seat = 0; seat < w->seats; seat++) {
        h->aside[seat] = hidden_aside(s, seat);
        h->slots[seat] = cards_hidden(s, seat) + h->aside[seat];
        if (h->slots[seat] == 0 || h->since[seat] == 0)
            continue;
        int at = h->count++;
        for (; at > 0; at--) {
            if (h->since[h->swappers[at - 1]] <= h->since[seat])
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
    for (int i = 0; i < h->all_toucheds; i++)
        count += touched_at(w, s, h->all_touched[i]) <= h->since[seat];
    return count;
}

/* How many touched cards the seat can hold. */
static int share_limit(const struct hidden *h, int seat)
{
    return h->swaps[seat] < h->slots[seat] ? h->swaps[seat] : h->slots[seat];
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

static double share_ways(const struct hidden *h, int i, int taken, int share)
{
    const struct shares *t = &h->table;
    int slots = h->slots[h->swappers[i]];
    return choose(slots, share) * ways(t->eligible[i] - taken, share) *
           ways(t->calms - (t->before[i] - taken), slots - share) *
           t->worlds[i + 1][taken + share];
}

/* At most so many ways to deal what the seats gave up. */
static double given_ways(const struct hidden *h, int shares)
{
    double product = 1;
    for (int i = 0; i < h->givens; i++) {
        int most = h->given[i].most + shares;
        product *= most > 0 ? most : 0;
    }
    return product;
}

static void count_worlds(const struct world *w, const struct state *s,
                         struct hidden *h)
{
    struct shares *t = &h->table;
    int before = 0, most = 0;
    t->calms = h->all_calms;
    for (int seat = 0; seat < w->seats; seat++)
        t->calms -= h->since[seat] ? 0 : h->slots[seat];
    for (int i = 0; i < h->count; i++) {
        int seat = h->swappers[i];
        t->eligible[i] = eligible(w, s, h, seat);
        t->limit[i] = share_limit(h, seat);
        t->before[i] = before;
        before += h->slots[seat];
        most += t->limit[i];
    }
    for (int taken = 0; taken <= most; taken++)
        t->worlds[h->count][taken] = given_ways(h, taken);
    for (int i = h->count - 1; i >= 0; i--) {
        most -= t->limit[i];
        for (int taken = 0; taken <= most; taken++) {
            t->worlds[i][taken] = 0;
            for (int share = 0; share <= t->limit[i]; share++)
                t->worlds[i][taken] += share_ways(h, i, taken, share);
        }
    }
}

static int pick_share(const struct hidden *h, int i, int taken, struct rng *r)
{
    const struct shares *t = &h->table;
    double at =
        (double)(rng_next(r) >> 11) / 9007199254740992.0 * t->worlds[i][taken];
    int share = 0;
    for (; share < t->limit[i]; share++) {
        at -= share_ways(h, i, taken, share);
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
        if (taken < count && touched_at(w, s, card) <= limit)
            to[taken++] = (uint8_t)card;
        else
            h->touched[kept++] = (uint8_t)card;
    }
    h->toucheds = kept;
    return taken;
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

/* Those that have swapped nothing, the ones who may hold least first. */
static void deal_steady(const struct world *w, const struct state *s,
                        struct hidden *h)
{
    int taken[SEATS] = {0};
    for (int seat = 0; seat < w->seats; seat++)
        if (h->since[seat] == 0 && tx_skipped(w, s, seat))
            taken[seat] = take_near(w, h, h->slots[seat], h->got[seat]);
    for (int seat = 0; seat < w->seats; seat++)
        if (h->since[seat] == 0)
            take_calm(h, h->slots[seat] - taken[seat],
                      h->got[seat] + taken[seat]);
}

static void deal_hands(const struct world *w, const struct state *s,
                       struct hidden *h, struct rng *r)
{
    int taken = 0;
    shuffle_cards(h, r);
    deal_steady(w, s, h);
    for (int i = 0; i < h->count; i++) {
        int seat = h->swappers[i];
        int share = pick_share(h, i, taken, r);
        uint8_t *got = h->got[seat];
        share = take_touched(w, s, h, h->since[seat], share, got);
        taken += share;
        take_calm(h, h->slots[seat] - share, got + share);
        rng_shuffle(r, got, h->slots[seat]);
    }
    h->shares = taken;
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

/* The cards that the seat can have given up in this swap, out of all hidden
 * ones; returns how many of the touched ones. */
static int may_have_given(const struct state *s, const struct hidden *h,
                          int swap, uint64_t *may)
{
    int seat = s->past[swap].seat, got = s->forgot >> seat & 1, count = 0;
    for (int i = 0; i < swap; i++)
        if (s->past[i].seat == seat)
            got = i + 1;
    for (int i = 0; i < h->all_calms; i++)
        set_add(may, h->all_calm[i]);
    for (int i = 0; i < h->all_toucheds; i++) {
        int card = h->all_touched[i];
        uint32_t before = s->touched[card] & (((uint32_t)2 << swap) - 1);
        if (before >> got)
            continue;
        set_add(may, card);
        count++;
    }
    return count;
}

/* Earlier swaps can have given up more than later ones. */
static void sort_given(const struct world *w, const struct state *s,
                       struct hidden *h)
{
    int left = h->all_calms, index = 0;
    h->givens = 0;
    for (int seat = 0; seat < w->seats; seat++)
        left -= h->slots[seat];
    for (int i = s->swaps - 1; i >= 0; i--) {
        if (going_on(s, i))
            continue;
        index += drawn_in(&s->past[i]);
        if (index > s->stacked || s->stack[index - 1] != ANY_CARD)
            continue;
        struct given *x = &h->given[h->givens++];
        *x = (struct given){.index = index - 1};
        x->most = left + may_have_given(s, h, i, x->may);
        for (const struct given *y = h->given; y < x; y++)
            x->most -= !(y->may[0] & ~x->may[0] || y->may[1] & ~x->may[1]);
    }
}

static void sort_hidden(const struct world *w, const struct state *s,
                        struct hidden *h)
{
    sort_cards(w, s, h);
    sort_seats(w, s, h);
    sort_given(w, s, h);
    if (h->count)
        count_worlds(w, s, h);
}

/* Deals what the seats gave up.  Each of these worlds comes out equally often
 * because what was left to choose from is weighed against what could be left at
 * most. */
static bool deal_given(struct state *s, struct hidden *h, struct rng *r)
{
    for (int i = 0; i < h->givens; i++) {
        const struct given *x = &h->given[i];
        uint8_t may[CARDS];
        int count = 0;
        for (int j = 0; j < h->calms; j++)
            if (set_has(x->may, h->calm[j]))
                may[count++] = (uint8_t)j;
        if (count == 0 || rng_below(r, x->most + h->shares) >= count)
            return false;
        int at = may[rng_below(r, count)], card = h->calm[at];
        h->calm[at] = h->calm[--h->calms];
        s->stack[x->index] = (uint8_t)card;
        s->where[card] = AT_STACK;
    }
    return true;
}

/* Deals what is left into the stack, the swap area and an unknown row. */
static bool deal_rest(struct state *s, struct hidden *h, struct rng *r)
{
    memcpy(h->calm + h->calms, h->touched, (size_t)h->toucheds);
    h->calms += h->toucheds;
    if (!deal_given(s, h, r))
        return false;
    rng_shuffle(r, h->calm, h->calms);
    for (int i = 0; i < s->stacked; i++)
        fill(s, &s->stack[i], AT_STACK, h);
    for (int i = 0; i < s->drawn_count; i++)
        fill(s, &s->drawn[i], AT_DRAWN, h);
    for (int i = 0; i < OPENS; i++)
        fill(s, &s->open[i], AT_OPEN, h);
    return true;
}

/* A number from 0 to `most`, each as often as so many cards of all can be
 * chosen. */
static int pick_size(int all, int most, struct rng *r)
{
    double sum = 0;
    for (int i = 0; i <= most; i++)
        sum += choose(all, i);
    double at = (double)(rng_next(r) >> 11) / 9007199254740992.0 * sum;
    int size = 0;
    while (size < most && (at -= choose(all, size)) >= 0)
        size++;
    return size;
}

/* terrax §9, claim_present: which of the cards dealt to a hand came by a swap
 * and saw no arrival since. */
static void freshen(const struct world *w, struct state *s,
                    const struct hidden *h, struct rng *r)
{
    if (w->option[OPT_CLAIM_PRESENT])
        return;
    for (int seat = 0; seat < w->seats; seat++) {
        int cards = h->slots[seat] - h->aside[seat];
        int most = h->swaps[seat] < cards ? h->swaps[seat] : cards;
        if (most == 0)
            continue;
        for (int i = pick_size(cards, most, r); i > 0; i--)
            set_add(s->fresh, h->got[seat][i - 1]);
    }
}

static bool deal(const struct world *w, struct state *s, struct hidden *h,
                 struct rng *r)
{
    deal_hands(w, s, h, r);
    for (int seat = 0; seat < w->seats; seat++)
        give(s, seat, h->got[seat], h->slots[seat]);
    if (!deal_rest(s, h, r))
        return false;
    freshen(w, s, h, r);
    return true;
}

/* ---- worlds that are hard to meet ----
 *
 * Where little is left open, few of the worlds dealt above have a past.  Then
 * each card is put where it can have come to, those first that can have come to
 * the fewest places. */

struct spot {
    uint8_t place, index, card;
};

struct spots {
    struct spot spot[CARDS];
    int count;
    uint8_t cards[CARDS]; /* fewest places first */
    int bound;            /* of them, not able to be anywhere */
    uint64_t reach[CARDS];
    int room[CARDS]; /* spots that it can have come to */
    int most[CARDS]; /* of these, left when its turn comes */
};

static void add_spot(struct spots *t, int place, int index)
{
    if (t->count < CARDS)
        t->spot[t->count++] = (struct spot){(uint8_t)place, (uint8_t)index, 0};
}

static void find_spots(const struct past *p, const struct hidden *h,
                       struct spots *t)
{
    const struct state *s = p->view;
    t->count = 0;
    for (int seat = 0; seat < p->w->seats; seat++)
        for (int i = 0; i < h->slots[seat]; i++)
            add_spot(t,
                     h->aside[seat] && i == h->slots[seat] - 1 ? PLACE_ASIDE
                                                               : seat,
                     i);
    for (int i = 0; i < s->stacked; i++)
        if (s->stack[i] == ANY_CARD)
            add_spot(t, i < p->puts ? PLACE_PUT + p->puts - i : PLACE_STACK, i);
    for (int i = 0; i < s->drawn_count; i++)
        if (s->drawn[i] == ANY_CARD)
            add_spot(t, PLACE_DRAWN, i);
    for (int i = 0; i < OPENS; i++)
        if (s->open[i] == ANY_CARD)
            add_spot(t, PLACE_OPEN, i);
}

/* In how many hands it can have been all the time. */
static int kept_in(const struct past *p, int card)
{
    uint64_t at = tx_past_first(p, card) & (place_bit(p->w->seats) - 1);
    return touched_at(p->w, p->view, card) ? 0 : __builtin_popcountll(at);
}

/* With `eager` those first that can have come to the fewest hands without a
 * swap. */
static void sort_reach(struct past *p, struct spots *t, bool eager)
{
    int count = 0, key[CARDS];
    for (int card = 0; card < p->w->cards; card++) {
        if (p->view->where[card] != AT_HIDDEN)
            continue;
        t->reach[card] = tx_past_reach(p, card);
        t->room[card] = 0;
        for (int i = 0; i < t->count; i++)
            t->room[card] += (int)(t->reach[card] >> t->spot[i].place & 1);
        key[card] = t->room[card] + (eager ? CARDS * kept_in(p, card) : 0);
        int at = count++;
        for (; at > 0 && key[t->cards[at - 1]] > key[card]; at--)
            t->cards[at] = t->cards[at - 1];
        t->cards[at] = (uint8_t)card;
    }
    t->bound = eager ? count : 0;
    for (int i = 0; i < count; i++) {
        int card = t->cards[i];
        t->bound += !eager && t->room[card] < t->count;
        t->most[card] = t->room[card];
        for (int j = 0; j < i; j++)
            t->most[card] -= !(t->reach[t->cards[j]] & ~t->reach[card]);
    }
}

/* The free spots that the card can have come to; with `eager` those in hands
 * only if there are no others. */
static int free_spots(const struct spots *t, int card, bool eager, uint8_t *out)
{
    int count = 0;
    for (int hands = !eager; hands < 2 && count == 0; hands++)
        for (int i = 0; i < t->count; i++)
            if (t->spot[i].card == ANY_CARD &&
                t->reach[card] >> t->spot[i].place & 1 &&
                (hands || t->spot[i].place >= SEATS))
                out[count++] = (uint8_t)i;
    return count;
}

/* Puts the cards, in order, each into any free spot.  All worlds come out
 * equally often because what was left to choose from is weighed against what
 * could have been left at most. */
static bool fill_spots(struct spots *t, bool eager, struct rng *r)
{
    uint8_t room[CARDS];
    for (int i = 0; i < t->count; i++)
        t->spot[i].card = ANY_CARD;
    for (int i = 0; i < t->bound; i++) {
        int card = t->cards[i], count = free_spots(t, card, eager, room);
        if (count == 0 || (!eager && rng_below(r, t->most[card]) >= count))
            return false;
        t->spot[room[rng_below(r, count)]].card = (uint8_t)card;
    }
    rng_shuffle(r, t->cards + t->bound, t->count - t->bound);
    for (int i = 0, next = t->bound; i < t->count; i++)
        if (t->spot[i].card == ANY_CARD)
            t->spot[i].card = t->cards[next++];
    return true;
}

/* Puts the card into a spot that is free or whose card can go elsewhere. */
static bool make_room(struct spots *t, int card, bool *tried, struct rng *r)
{
    int first = rng_below(r, t->count);
    for (int i = 0; i < t->count; i++) {
        int at = (first + i) % t->count;
        struct spot *x = &t->spot[at];
        if (tried[at] || !(t->reach[card] >> x->place & 1))
            continue;
        tried[at] = true;
        if (x->card != ANY_CARD && !make_room(t, x->card, tried, r))
            continue;
        x->card = (uint8_t)card;
        return true;
    }
    return false;
}

/* Where fill_spots() leaves no spot for some card, but not all are in vain. */
static bool fit_spots(struct spots *t, struct rng *r)
{
    for (int i = 0; i < t->count; i++)
        t->spot[i].card = ANY_CARD;
    for (int i = 0; i < t->count; i++) {
        bool tried[CARDS] = {false};
        if (!make_room(t, t->cards[i], tried, r))
            return false;
    }
    return true;
}

static void deal_spots(const struct past *p, struct state *s, struct hidden *h,
                       const struct spots *t)
{
    for (int i = 0; i < t->count; i++) {
        const struct spot *x = &t->spot[i];
        if (x->place < SEATS || x->place == PLACE_ASIDE) {
            h->got[x->place < SEATS ? x->place : s->seat][x->index] = x->card;
            continue;
        }
        uint8_t *list = x->place == PLACE_DRAWN  ? s->drawn
                        : x->place == PLACE_OPEN ? s->open
                                                 : s->stack;
        list[x->index] = x->card;
        s->where[x->card] = x->place == PLACE_DRAWN  ? AT_DRAWN
                            : x->place == PLACE_OPEN ? AT_OPEN
                                                     : AT_STACK;
    }
    for (int seat = 0; seat < p->w->seats; seat++)
        give(s, seat, h->got[seat], h->slots[seat]);
    freshen(p->w, s, h, p->rng);
}

static bool try_spots(struct past *p, struct hidden *h, const struct spots *t,
                      int steps, struct state *out)
{
    *out = *p->view;
    deal_spots(p, out, h, t);
    return tx_past_explains(p, out, steps);
}

static bool complete_spots(struct past *p, struct hidden *h, struct spots *t,
                           struct state *out)
{
    sort_reach(p, t, false);
    for (int tries = 0; tries < TRIES_REACH; tries++)
        if (fill_spots(t, false, p->rng) &&
            try_spots(p, h, t, p->patience, out))
            return true;
    return false;
}

/* Two cards change places, if they can be there. */
static bool exchange(struct spots *t, struct spot *a, struct spot *b)
{
    uint8_t card = a->card;
    if (!(t->reach[card] >> b->place & t->reach[b->card] >> a->place & 1))
        return false;
    a->card = b->card;
    b->card = card;
    return true;
}

/* From one world to the next, as long as the past can be told at least as far
 * back. */
static bool climb(struct past *p, struct hidden *h, struct spots *t, int steps,
                  struct state *out)
{
    if (!fill_spots(t, true, p->rng) && !fit_spots(t, p->rng))
        return false;
    if (try_spots(p, h, t, steps, out))
        return true;
    int best = p->reached;
    for (int tries = 0; tries < TRIES_REACH && p->budget > 0; tries++) {
        struct spot *a = &t->spot[rng_below(p->rng, t->count)];
        struct spot *b = &t->spot[rng_below(p->rng, t->count)];
        if (a->place == b->place || !exchange(t, a, b))
            continue;
        if (try_spots(p, h, t, steps, out))
            return true;
        if (p->reached > best)
            exchange(t, a, b);
        else
            best = p->reached;
    }
    return false;
}

/* If nothing was found in time, any world that can be met, with as many of the
 * latest swaps as can be told of it. */
static void complete_partly(struct past *p, struct hidden *h, struct spots *t,
                            struct state *out)
{
    int swaps = p->view->swaps;
    if (!fit_spots(t, p->rng))
        for (int i = 0; i < t->count; i++)
            t->spot[i].card = t->cards[i];
    p->enough = 0;
    do {
        p->budget = p->patience;
        if (try_spots(p, h, t, p->patience, out))
            break;
        p->enough = p->reached + 1 > p->enough ? p->reached + 1 : p->enough + 1;
    } while (p->enough <= swaps);
}

static bool climb_on(struct past *p, struct hidden *h, struct spots *t,
                     struct state *out)
{
    for (int tries = 0; tries < CLIMBS && p->budget > 0; tries++)
        if (climb(p, h, t, p->patience << tries, out))
            return true;
    return false;
}

/* If all else fails.  Worlds are then not equally likely any more; to a
 * position that contradicts itself none fits, and any will do. */
static void complete_climbing(struct past *p, struct hidden *h, struct spots *t,
                              struct state *out)
{
    sort_reach(p, t, true);
    bool found = climb_on(p, h, t, out);
    if (!found && !p->sharp) {
        tx_past_sharpen(p);
        found = climb_on(p, h, t, out);
    }
    if (!found)
        complete_partly(p, h, t, out);
}

int tx_complete(const struct world *w, struct state *view, struct rng *r)
{
    struct hidden h;
    struct past p;
    int knows = KNOWN_ALL | (1 << view->view) >> 1;
    struct state before = *view;
    before.view = VIEW_TRUTH;
    if (view->phase == PHASE_MARK && w->option[VAR_CHOOSE])
        before.generator = rng_next(r) | 1;
    sort_hidden(w, &before, &h);
    tx_past_begin(&p, w, &before, knows, r);
    for (int tries = 0; tries < TRIES; tries++) {
        *view = before;
        if (deal(w, view, &h, r) && tx_past_explains(&p, view, p.patience))
            return p.spent;
    }
    struct spots t;
    find_spots(&p, &h, &t);
    if (!complete_spots(&p, &h, &t, view))
        complete_climbing(&p, &h, &t, view);
    return p.spent;
}

void terrax_complete(const struct world *w, struct state *view, int viewer,
                     struct rng *r)
{
    (void)viewer; /* the view tells whose it is */
    if (view->view != VIEW_TRUTH)
        tx_complete(w, view, r);
}
