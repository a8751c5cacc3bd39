/* rules/terrax/past.c: can a world have come about as was seen?
 *
 * Swaps are undone one by one, the last first: what lies under the stack goes
 * back to the hand and onto the stack, and with it a card of the hand that was
 * kept; which one has to be found.  Cards put under the stack have numbers from
 * 1 on, the first swap that is remembered first. */
#include "rules/terrax/past.h"

/* terrax §3: a seat that placed no marker where it could have had none to
 * mark: no card dealt to it, but for those it marked, is far enough. */
bool tx_skipped(const struct world *w, const struct state *s, int seat)
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

/* As far back as it has been told. */
struct tale {
    uint64_t hand[SEATS][CARD_WORDS];
    uint64_t latest[SEATS][CARD_WORDS]; /* of these, had to the end */
    uint64_t owed[CARD_WORDS]; /* marked, given up unseen: it must come back */
    uint8_t put[PUTS + 1];
};

static void past_cards(struct past *p)
{
    const struct state *s = p->view;
    bool quick = p->w->option[OPT_CLAIMS] == CLAIMS_AUTO;
    for (int card = 0; card < p->w->cards; card++) {
        uint32_t times = s->touched[card];
        int at = s->where[card];
        if (at >= AT_DONE && at < AT_WON) {
            int when = times ? 31 - __builtin_clz(times) : 0;
            set_add(p->done[when][at - AT_DONE], card);
        }
        for (; quick && times; times &= times - 1)
            set_add(p->touched[__builtin_ctz(times)], card);
    }
}

static void past_marks(struct past *p)
{
    for (int seat = 0; seat < p->w->seats; seat++)
        for (int i = 0; i < p->view->marked[seat]; i++)
            set_add(p->marked[seat], p->view->mark[seat][i]);
}

static void past_numbers(struct past *p)
{
    const struct state *s = p->view;
    for (int i = 0; i < s->swaps; i++) {
        const struct swap *x = &s->past[i];
        p->low[i] = p->puts + 1;
        p->puts += going_on(s, i) ? 0 : drawn_in(x);
        const uint8_t known[] = {x->given, x->drawn[0], x->drawn[1]};
        for (int j = 0; j < 3; j++)
            if (known[j] < p->w->cards)
                set_add(p->known, known[j]);
    }
    for (int i = 0; i < s->swaps; i++)
        for (int j = 0; j < 2; j++) {
            int number = (int16_t)(s->past[i].top + j - s->buried) + p->puts;
            p->drawn[i][j] = number > 0 && number < p->low[i] ? number : 0;
        }
}

/* What the seat may hold before swap `time`. */
static void past_hold(const struct past *p, int seat, int time, struct hold *x)
{
    const struct state *s = p->view;
    bool forgot = s->forgot >> seat & 1;
    int since = 0;
    *x = (struct hold){.swaps = forgot ? CARDS : 0};
    for (int i = 0; i < time; i++)
        if (s->past[i].seat == seat) {
            since = i + 1;
            x->swaps++;
        }
    for (int i = forgot; i <= time; i++)
        for (int j = 0; j < CARD_WORDS; j++)
            *(i < since ? &x->seldom[j] : &x->never[j]) |= p->touched[i][j];
}

static void past_holds(struct past *p)
{
    const struct state *s = p->view;
    for (int i = 0; i < s->swaps; i++)
        past_hold(p, s->past[i].seat, i, &p->hold[i]);
    for (int seat = 0; seat < p->w->seats; seat++)
        past_hold(p, seat, s->swaps, &p->last[seat]);
}

/* ---- where a card can have come to ---- */

/* Where the card comes to if this swap drew it. */
static uint64_t reach_drawn(const struct past *p, int swap, int card)
{
    const struct swap *x = &p->view->past[swap];
    bool own = p->knows >> x->seat & 1;
    uint64_t hand = place_bit(x->seat);
    uint64_t put = place_bit(PLACE_PUT + p->low[swap] + 1);
    if (going_on(p->view, swap))
        return place_bit(PLACE_DRAWN);
    if (drawn_in(x) == 1)
        return hand;
    if (own || x->seen & SEEN_KEPT)
        return x->drawn[x->kept] == card ? hand : put;
    if (x->seen & SEEN_OTHER)
        return x->drawn[!x->kept] == card ? put : hand;
    return hand | put;
}

static uint64_t reach_after(const struct past *p, int swap, int card,
                            uint64_t at)
{
    const struct swap *x = &p->view->past[swap];
    int low = going_on(p->view, swap) ? PLACE_ASIDE : PLACE_PUT + p->low[swap];
    uint64_t next = at, hand = place_bit(x->seat);
    if (x->given == card)
        return place_bit(low);
    if (at & hand && x->given == ANY_CARD)
        next |= place_bit(low);
    for (int i = 0; i < drawn_in(x); i++) {
        int number = p->drawn[swap][i];
        uint64_t from = place_bit(number ? PLACE_PUT + number : PLACE_STACK);
        bool known = x->knowers[i] & p->knows;
        if (known && x->drawn[i] == card)
            return reach_drawn(p, swap, card);
        if (number)
            next &= ~from;
        if (at & from && !known)
            next |= reach_drawn(p, swap, card);
    }
    return next;
}

/* Has the marked card been in the hand all the time?  One given up for all to
 * see (terrax §12, swap_marked) is not shown any more when it comes back. */
static bool stayed(const struct past *p, int card)
{
    return !p->w->option[OPT_SWAP_MARKED] ||
           (set_has(p->view->shown, card) && !p->w->option[VAR_OPENHANDS]);
}

/* Where it can have been at the beginning. */
uint64_t tx_past_first(const struct past *p, int card)
{
    const struct state *s = p->view;
    uint64_t at = place_bit(PLACE_STACK) | (place_bit(SEATS) - 1);
    for (int seat = 0; seat < p->w->seats; seat++) {
        bool forgot = s->forgot >> seat & 1;
        if (set_has(p->marked[seat], card) && (!forgot || stayed(p, card)))
            return place_bit(seat);
        if (!forgot && tx_skipped(p->w, s, seat) &&
            set_has(p->w->markable, card))
            at &= ~place_bit(seat);
    }
    return at;
}

uint64_t tx_past_reach(struct past *p, int card)
{
    const struct state *s = p->view;
    uint64_t hands = place_bit(SEATS) - 1, at = tx_past_first(p, card);
    for (int i = 0; i <= s->swaps; i++) {
        if (set_has(p->touched[i], card))
            at &= ~(i ? hands : hands & ~(uint64_t)s->forgot);
        p->reach[i][card] = at;
        if (i < s->swaps)
            at = reach_after(p, i, card, at);
    }
    return at | place_bit(PLACE_OPEN);
}

void tx_past_sharpen(struct past *p)
{
    p->sharp = true;
    p->budget = PAST_STEPS / 3;
    p->patience = 100;
    for (int card = 0; card < p->w->cards; card++)
        tx_past_reach(p, card);
}

void tx_past_begin(struct past *p, const struct world *w,
                   const struct state *view, int knows, struct rng *r)
{
    p->view = view;
    p->spent = 0;
    p->budget = PAST_STEPS;
    p->patience = 400;
    p->sharp = false;
    if (view->swaps == 0)
        return;
    size_t times = (size_t)view->swaps + 1;
    memset(p->touched, 0, times * sizeof *p->touched);
    memset(p->done, 0, times * sizeof *p->done);
    memset(p->known, 0, sizeof p->known);
    memset(p->marked, 0, sizeof p->marked);
    p->w = w;
    p->rng = r;
    p->knows = knows;
    p->puts = 0;
    p->enough = 0;
    past_cards(p);
    past_marks(p);
    past_numbers(p);
    past_holds(p);
    if (view->forgot)
        tx_past_sharpen(p);
}

static bool holds(const struct hold *x, const uint64_t *hand)
{
    uint64_t brought[CARD_WORDS];
    for (int i = 0; i < CARD_WORDS; i++) {
        brought[i] = hand[i] & x->seldom[i];
        if (hand[i] & x->never[i])
            return false;
    }
    return set_count(brought) <= x->swaps;
}

/* What was laid down before swap `time`, after the one before it. */
static void pick_up(const struct past *p, struct tale *t, int time)
{
    for (int seat = 0; seat < p->w->seats; seat++)
        for (int i = 0; i < CARD_WORDS; i++)
            t->hand[seat][i] |= p->done[time][seat][i];
}

/* terrax §3: a seat that skipped a marker had nothing to mark. */
static bool dealt_fits(const struct past *p, const struct tale *t, int seat)
{
    const struct state *s = p->view;
    bool skips = tx_skipped(p->w, s, seat);
    for (int i = 0; i < CARD_WORDS; i++) {
        uint64_t hand = t->hand[seat][i], marked = p->marked[seat][i];
        if (marked & ~hand || marked & t->owed[i] ||
            t->latest[seat][i] & p->world->fresh[i] ||
            (skips && hand & ~marked & p->w->markable[i]))
            return false;
    }
    return true;
}

static bool begins(const struct past *p, const struct tale *t)
{
    for (int seat = 0; seat < p->w->seats; seat++)
        if (!(p->view->forgot >> seat & 1) && !dealt_fits(p, t, seat))
            return false;
    return true;
}

/* terrax §12, swap_marked: had the seat given this marked card up, for all to
 * see, before that swap? */
static bool given_before(const struct past *p, int seat, int card, int swap)
{
    const struct swap *x = p->view->past;
    if (stayed(p, card))
        return false;
    for (int i = 0; i < swap; i++)
        if (x[i].seat == seat && x[i].seen & SEEN_GIVEN && x[i].given == card)
            return true;
    return p->view->forgot >> seat & 1;
}

static bool may_give(const struct past *p, struct tale *t, const struct swap *x,
                     int card)
{
    if (card == ANY_CARD)
        return true;
    if (x->given != ANY_CARD)
        return card == x->given;
    if (!set_has(p->marked[x->seat], card))
        return true;
    set_add(t->owed, card);
    return p->w->option[OPT_SWAP_MARKED];
}

static bool may_keep(const struct past *p, const struct tale *t, int swap,
                     int card)
{
    int seat = p->view->past[swap].seat;
    if (set_has(p->marked[seat], card) && !given_before(p, seat, card, swap))
        return false;
    if (p->w->option[OPT_CLAIM_PRESENT] || !set_has(t->latest[seat], card))
        return true;
    bool arrived = p->view->touched[card] >> swap >> 1;
    return arrived != set_has(p->world->fresh, card);
}

/* Who marked it, as a mask. */
static uint64_t markers_of(const struct past *p, int card)
{
    uint64_t seats = 0;
    for (int seat = 0; seat < p->w->seats; seat++)
        seats |= (uint64_t)set_has(p->marked[seat], card) << seat;
    return seats;
}

/* Two cards of a hand are as good as each other if their keys are equal. */
static uint64_t key_of(const struct past *p, const struct tale *t, int swap,
                       int card)
{
    uint64_t times = p->view->touched[card] & (((uint32_t)2 << swap) - 1);
    uint64_t latest = set_has(t->latest[p->view->past[swap].seat], card);
    uint64_t fresh = set_has(p->world->fresh, card);
    uint64_t far = set_has(p->w->markable, card);
    uint64_t marks = p->sharp ? markers_of(p, card) : 0;
    uint64_t known = set_has(p->known, card) ? (uint64_t)card + 1 : 0;
    return times << 32 | known << 10 | far << 9 | fresh << 8 | latest << 7 |
           marks;
}

/* The cards that may have been kept, one of a kind, what had to go most
 * urgently first. */
static int kept_cards(const struct past *p, const struct tale *t, int swap,
                      uint8_t *out)
{
    const struct swap *x = &p->view->past[swap];
    bool known = p->knows >> x->seat & 1 || x->seen & SEEN_KEPT;
    uint64_t coins = rng_next(p->rng), keys[CARDS];
    int count = 0;
    SET_EACH(card, t->hand[x->seat])
    {
        if ((known && card != x->drawn[x->kept]) || !may_keep(p, t, swap, card))
            continue;
        uint64_t key = key_of(p, t, swap, card);
        int at = count;
        while (at > 0 && keys[at - 1] < key)
            at--;
        if (at > 0 && keys[at - 1] == key) {
            coins = coins >> 1 | coins << 63;
            out[at - 1] = coins & 1 ? (uint8_t)card : out[at - 1];
            continue;
        }
        memmove(keys + at + 1, keys + at, (size_t)(count - at) * sizeof *keys);
        memmove(out + at + 1, out + at, (size_t)(count - at));
        keys[at] = key;
        out[at] = (uint8_t)card;
        count++;
    }
    return count;
}

/* Do these cards come from there as far as the viewer knows? */
static bool draws(const struct past *p, int swap, const uint8_t *cards,
                  int kept)
{
    const struct swap *x = &p->view->past[swap];
    if (kept && x->seen & SEEN_FIRST)
        return false;
    for (int i = 0; i < 2 && i < drawn_in(x); i++)
        if (x->knowers[i] & p->knows && x->drawn[i] != cards[i])
            return false;
    return true;
}

/* Dead ends show late, the more so where swaps are forgotten and hands may once
 * have held anything.  A sharp look tells of them at once by the next three.
 *
 * Swaps enough to rid a hand of what it cannot have held all the time? */
static bool rids(const struct past *p, const struct tale *t, int seat, int swap)
{
    uint64_t due[CARD_WORDS] = {0};
    int swaps = 0;
    for (int i = swap - 1; i >= 0; i--) {
        if (p->view->past[i].seat != seat)
            continue;
        for (int j = 0; j < CARD_WORDS; j++)
            due[j] |= t->hand[seat][j] & p->hold[i].never[j];
        if (set_count(due) > ++swaps)
            return false;
    }
    return true;
}

static bool all_rid(const struct past *p, const struct tale *t, int swap)
{
    for (int seat = 0; seat < p->w->seats; seat++)
        if (!rids(p, t, seat, swap))
            return false;
    return true;
}

/* Can the cards of this swap have come to where they were before it? */
static bool reached(const struct past *p, int swap, int given,
                    const uint8_t *cards)
{
    const struct swap *x = &p->view->past[swap];
    const uint64_t *reach = p->reach[swap];
    if (given != ANY_CARD && !(reach[given] >> x->seat & 1))
        return false;
    for (int i = 0; i < 2 && i < drawn_in(x); i++) {
        int number = p->drawn[swap][i];
        int place = number ? PLACE_PUT + number : PLACE_STACK;
        if (cards[i] != ANY_CARD && !(reach[cards[i]] >> place & 1))
            return false;
    }
    return true;
}

static bool tell(struct past *p, const struct tale *after, int swap);

/* Goes on before a swap of these cards. */
static bool tell_before(struct past *p, const struct tale *after, int swap,
                        int given, const uint8_t *cards, int kept)
{
    const struct swap *x = &p->view->past[swap];
    if (!draws(p, swap, cards, kept) || p->steps-- <= 0)
        return false;
    if (p->sharp && !reached(p, swap, given, cards))
        return false;
    struct tale t = *after;
    if (!going_on(p->view, swap)) {
        set_drop(t.hand[x->seat], cards[kept]);
        set_drop(t.latest[x->seat], cards[kept]);
        set_drop(t.owed, cards[kept]);
    }
    if (!may_give(p, &t, x, given))
        return false;
    if (given != ANY_CARD)
        set_add(t.hand[x->seat], given);
    for (int i = 0; i < drawn_in(x); i++)
        t.put[p->drawn[swap][i]] = cards[i];
    if (!holds(&p->hold[swap], t.hand[x->seat]))
        return false;
    pick_up(p, &t, swap);
    if (p->sharp && !all_rid(p, &t, swap))
        return false;
    if (!tell(p, &t, swap - 1))
        return false;
    p->told[swap] = *x;
    p->told[swap].given = (uint8_t)given;
    memcpy(p->told[swap].drawn, cards, (size_t)drawn_in(x));
    p->told[swap].kept = (unsigned)kept & 1;
    return true;
}

/* Can all be told that happened up to this swap? */
static bool tell(struct past *p, const struct tale *after, int swap)
{
    uint8_t kept[CARDS] = {0};
    if (swap < p->reached)
        p->reached = swap;
    if (swap < p->enough)
        return swap >= 0 || begins(p, after);
    const struct swap *x = &p->view->past[swap];
    if (going_on(p->view, swap))
        return tell_before(p, after, swap, p->world->aside, p->world->drawn, 0);
    int low = p->low[swap], given = after->put[low];
    bool two = drawn_in(x) == 2;
    uint8_t other = two ? after->put[low + 1] : NO_CARD;
    if (x->seen & SEEN_OTHER && other != x->drawn[!x->kept])
        return false;
    if (given != ANY_CARD && set_has(p->hold[swap].never, given))
        return false;
    bool placed = p->drawn[swap][0] || p->drawn[swap][1] ||
                  (x->knowers[0] | x->knowers[1]) & p->knows;
    int count = kept_cards(p, after, swap, kept);
    for (int i = 0; i < count; i++)
        for (int at = 0; at < (two && placed ? 2 : 1); at++) {
            uint8_t cards[2] = {at ? other : kept[i], at ? kept[i] : other};
            if (tell_before(p, after, swap, given, cards, at))
                return true;
        }
    return false;
}

/* Cards put under the stack that still lie there, or were seen by all. */
static void lay_out(const struct past *p, struct tale *t)
{
    const struct state *s = p->view;
    memset(t->put, ANY_CARD, sizeof t->put);
    for (int i = 0; i < s->swaps; i++) {
        const struct swap *x = &s->past[i];
        if (x->seen & SEEN_GIVEN)
            t->put[p->low[i]] = x->given;
        if (x->seen & SEEN_OTHER)
            t->put[p->low[i] + 1] = x->drawn[!x->kept];
    }
    for (int i = 0; i < s->stacked && i < p->puts; i++)
        t->put[p->puts - i] = p->world->stack[i];
}

/* Can all be told, beginning with the last swap? */
static bool tell_all(struct past *p, const struct state *world)
{
    struct tale t = {0};
    memcpy(t.hand, world->hand, sizeof t.hand);
    for (int seat = 0; seat < p->w->seats; seat++)
        if (!(p->knows >> seat & 1))
            memcpy(t.latest[seat], world->hand[seat], sizeof t.latest[seat]);
    for (int seat = 0; seat < p->w->seats; seat++)
        if (!holds(&p->last[seat], world->hand[seat]))
            return false;
    lay_out(p, &t);
    pick_up(p, &t, p->view->swaps);
    return tell(p, &t, p->view->swaps - 1);
}

bool tx_past_explains(struct past *p, struct state *world, int steps)
{
    int swaps = p->view->swaps, given = steps < p->budget ? steps : p->budget;
    if (swaps == 0)
        return true;
    p->world = world;
    p->steps = given;
    p->reached = swaps;
    bool told = tell_all(p, world);
    int spent = PAST_TRY + given - (p->steps > 0 ? p->steps : 0);
    p->budget -= spent;
    p->spent += spent;
    for (int i = p->enough; told && i < swaps; i++)
        world->past[i] = p->told[i];
    return told;
}
