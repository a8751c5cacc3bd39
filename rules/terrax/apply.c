/* rules/terrax/apply.c: what an action does (terrax §5 to §10).
 *
 * In a view some facts are not known; an action may then tell them (state.h).
 * What is not told stays unknown and simply has no effect. */
#include "rules/terrax/state.h"

#include "base/check.h"
#include "base/hash.h"

/* ---- cheques ---- */

/* terrax §8: an empty bank is first refilled from the spent field. */
static void receive_cheque(const struct world *w, struct state *s, int seat)
{
    if (s->bank == 0 && w->option[OPT_RECYCLE]) {
        s->bank = s->spent;
        s->spent = 0;
    }
    if (s->bank == 0)
        return;
    s->bank--;
    s->cheques[seat]++;
}

static void pay_cheque(struct state *s, int seat)
{
    check(s->cheques[seat] > 0 && s->used_cheques < 2);
    s->cheques[seat]--;
    s->spent++;
    s->used_cheques++;
    s->acted = 1;
}

/* ---- cards ---- */

/* ---- the past, for complete() ---- */

/* Between two swaps hands only lose what is laid down; so it is enough to know
 * before which swaps a head was at a mission, or its card was laid down. */
static void touch(struct state *s, int card)
{
    if (s->where[card] < AT_DONE)
        s->touched[card] |= (uint32_t)1 << s->swaps;
}

/* Where a head stands, a card that is drawn would be laid down at once. */
static void touch_standing(const struct world *w, struct state *s)
{
    if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL || !w->option[OPT_CLAIM_PRESENT])
        return;
    for (int k = 0; k < COLOURS; k++) {
        int card = s->length[k] ? w->card_of[head_of(w, s, k)] : NO_CARD;
        if (card != NO_CARD)
            touch(s, card);
    }
}

/* What was before and after the earliest swap becomes one. */
static void forget_swap(struct state *s)
{
    s->forgot |= (uint8_t)(1 << s->past[0].seat);
    s->swaps--;
    memmove(s->past, s->past + 1, s->swaps * sizeof *s->past);
    for (int card = 0; card < CARDS; card++)
        s->touched[card] = (s->touched[card] & 1) | s->touched[card] >> 1;
}

static struct swap *note_swap(const struct world *w, struct state *s, int seat)
{
    if (s->swaps == SWAPS)
        forget_swap(s);
    struct swap *x = &s->past[s->swaps++];
    *x = (struct swap){.top = (uint16_t)(s->buried - s->stacked + 1),
                       .seat = (unsigned)seat & 7,
                       .given = s->aside,
                       .drawn = {NO_CARD, NO_CARD}};
    touch_standing(w, s);
    return x;
}

/* The card is one of the two drawn: in its place if that is known, else where
 * there is room, the first for the one kept.  Returns where. */
static unsigned place_drawn(struct swap *x, int card, bool kept)
{
    unsigned at = 0;
    while (at < 2 && x->drawn[at] != card)
        at++;
    if (at < 2)
        return at;
    at = x->drawn[0] != ANY_CARD || (!kept && x->drawn[1] == ANY_CARD);
    x->drawn[at] = (uint8_t)card;
    return at;
}

/* The card of the stack with that number is seen by all. */
static void reveal(struct state *s, int number, int card)
{
    int low = s->buried; /* the lowest card that the swap put there */
    for (int i = s->swaps - 1; i >= 0; i--) {
        struct swap *x = &s->past[i];
        int above = (int16_t)(low - number), count = drawn_in(x);
        low -= count;
        if (above >= count)
            continue;
        if (above == count - 1) {
            x->given = (uint8_t)card;
            x->seen |= SEEN_GIVEN;
        } else {
            x->kept = ~place_drawn(x, card, false) & 1;
            x->seen |= SEEN_OTHER;
        }
        return;
    }
}

/* terrax §9: the card is laid open, and its marker with it. */
static void complete(struct state *s, int seat, int card)
{
    s->where[card] = (uint8_t)(AT_DONE + seat);
    set_drop(s->hand[seat], card);
    set_drop(s->shown, card);
    set_drop(s->fresh, card);
    if (set_has(s->marker[seat], card)) {
        set_drop(s->marker[seat], card);
        s->regained[seat]++;
    }
    s->done[seat]++;
    s->carded = 1;
    if (--s->held[seat] == 0)
        s->last = 1;
    if (seat != s->seat)
        s->fence++;
}

static int draw(struct state *s, int told)
{
    int at = --s->stacked, card = s->stack[at];
    s->stack[at] = s->known[at] = 0;
    return card == ANY_CARD && told >= 0 ? told : card;
}

static void win_open(struct state *s, int seat, int card, int told)
{
    int slot = 0;
    while (s->open[slot] != card)
        slot++;
    s->where[card] = (uint8_t)(AT_WON + seat);
    s->won[seat]++;
    s->carded = 1;
    s->open[slot] = NO_CARD;
    if (s->stacked == 0)
        return;
    int number = s->buried - (s->stacked - 1), next = draw(s, told);
    s->open[slot] = (uint8_t)next;
    if (next != ANY_CARD) {
        s->where[next] = AT_OPEN;
        reveal(s, number, next);
    }
    s->fence++;
}

static void visit_mission(const struct world *w, struct state *s, int seat,
                          int card, bool removed, action a)
{
    int at = s->where[card], told = act_told_seat(a);
    if (w->option[OPT_CLAIMS] == CLAIMS_AUTO || !w->option[OPT_CLAIM_PRESENT])
        touch(s, card);
    set_drop(s->fresh, card);
    if (at == AT_OPEN) {
        if (!removed || w->option[OPT_UNDO_OPEN])
            win_open(s, seat, card, act_told_refill(a));
        return;
    }
    if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL)
        return;
    if (at < SEATS)
        complete(s, at, card);
    else if (at == AT_HIDDEN && told >= 0)
        complete(s, told, card);
}

/* terrax §6, steps 1 to 5, after the head of k has become p. */
static void arrive(const struct world *w, struct state *s, int seat, int k,
                   int p, bool removed, bool closes, action a)
{
    if (w->card_of[p] != NO_CARD)
        visit_mission(w, s, seat, w->card_of[p], removed, a);
    else if (w->pays[p] && (!removed || w->option[OPT_UNDO_RED]))
        receive_cheque(w, s, seat);
    else if (w->kind[p] == KIND_GREEN)
        s->green++;
    if (closes && !s->loops) {
        s->loops = 1;
        s->loop = (uint8_t)k;
    }
}

/* ---- the end ---- */

/* terrax §10, last claims: does a head stand where somebody may still hold the
 * card, as far as everybody knows? */
static bool claims_possible(const struct world *w, const struct state *s)
{
    for (int k = 0; k < COLOURS; k++) {
        int card = s->length[k] ? w->card_of[head_of(w, s, k)] : NO_CARD;
        if (card != NO_CARD && s->where[card] != AT_OPEN &&
            s->where[card] < AT_DONE)
            return true;
    }
    return false;
}

static void finish(const struct world *w, struct state *s, int reason)
{
    s->reason = (uint8_t)reason;
    s->phase = PHASE_OVER;
    s->fence++;
    if (w->option[OPT_CLAIMS] != CLAIMS_MANUAL || reason < ENDING_GAME ||
        !claims_possible(w, s))
        return;
    for (int seat = 0; seat < w->seats; seat++)
        if (s->held[seat] > 0 && !(s->out >> seat & 1))
            s->waiting |= (uint8_t)(1 << seat);
    if (s->waiting)
        s->phase = PHASE_CLAIMS;
}

static int arrows_laid(const struct state *s)
{
    return s->length[0] + s->length[1] + s->length[2];
}

/* terrax §10: progress is a card, or more arrows than at any round's end since
 * the last card. */
static bool stands_still(const struct world *w, struct state *s)
{
    int arrows = arrows_laid(s);
    bool progress = s->carded || arrows > s->high;
    if (progress)
        s->high = (uint8_t)arrows;
    s->still = (uint8_t)(progress ? 0 : s->still < 255 ? s->still + 1 : 255);
    s->carded = 0;
    int limit = w->option[OPT_STANDSTILL];
    return limit > 0 && s->still >= limit;
}

static int players_left(const struct world *w, const struct state *s)
{
    return w->seats - __builtin_popcount(s->out);
}

static int next_seat(const struct world *w, const struct state *s, int seat)
{
    do
        seat = seat + 1 == w->seats ? 0 : seat + 1;
    while (s->out >> seat & 1);
    return seat;
}

/* How many seats from the beginner on. */
static int order_of(const struct world *w, const struct state *s, int seat)
{
    return (seat - s->first + w->seats) % w->seats;
}

/* terrax §10, order of the ends that are looked at when a turn ends. */
static int ending_now(const struct world *w, struct state *s, bool round_over)
{
    bool still = round_over && stands_still(w, s);
    if (round_over && s->last)
        return END_CARDS;
    if (s->quiet >= players_left(w, s) || still)
        return END_DEADLOCK;
    if (round_over && w->option[OPT_MAX_ROUNDS] > 0 &&
        s->round >= w->option[OPT_MAX_ROUNDS])
        return END_ROUNDS;
    return ENDING_NONE;
}

static void end_turn(const struct world *w, struct state *s)
{
    s->quiet = (uint8_t)(s->moved ? 0 : s->quiet + 1);
    int next = next_seat(w, s, s->seat);
    bool round_over = order_of(w, s, next) <= order_of(w, s, s->seat);
    int reason = ending_now(w, s, round_over);
    s->fence++;
    if (reason) {
        finish(w, s, reason);
        return;
    }
    if (round_over && s->round < UINT16_MAX)
        s->round++;
    s->seat = (uint8_t)next;
    s->base = 1;
    s->green = s->loops = s->used_cheques = 0;
    s->acted = s->moved = 0;
    s->loop = NO_COLOUR;
}

/* `end`, or a pass if the base arrow was not laid. */
static void apply_end(const struct world *w, struct state *s, int seat)
{
    if (s->phase == PHASE_CLAIMS) {
        s->waiting &= (uint8_t) ~(1 << seat);
        s->fence++;
        if (!s->waiting)
            s->phase = PHASE_OVER;
        return;
    }
    if (w->option[OPT_PASS] == PASS_CHEQUE && !s->acted)
        receive_cheque(w, s, seat);
    end_turn(w, s);
}

/* ---- sub-actions ---- */

static void lay(const struct world *w, struct state *s, int seat, action a)
{
    int k = act_colour(a), slot = act_slot(a), t = w->to[slot];
    check(s->length[k] < ARROWS && !set_has(s->used[k], slot));
    bool closes = on_route(w, s, k, t);
    s->route[k][s->length[k]++] = (uint16_t)(slot | (seat + 1) << SLOT_BITS);
    set_add(s->used[k], slot);
    set_add(s->visited[k], t);
    s->visits[k][t]++;
    s->acted = s->moved = 1;
    arrive(w, s, seat, k, t, false, closes, a);
    if (arrows_laid(s) == COLOURS * ARROWS)
        finish(w, s, END_ARROWS);
}

/* terrax §8: the top arrow goes back; the head is where it was before. */
static void take_back(const struct world *w, struct state *s, int seat,
                      action a)
{
    int k = act_colour(a), at = --s->length[k];
    int slot = route_slot(s, k, at), t = w->to[slot];
    pay_cheque(s, seat);
    s->moved = 1;
    s->route[k][at] = 0;
    set_drop(s->used[k], slot);
    if (--s->visits[k][t] == 0)
        set_drop(s->visited[k], t);
    if (s->loop == k)
        s->loop = NO_COLOUR;
    if (at == 0)
        return;
    int p = head_of(w, s, k);
    arrive(w, s, seat, k, p, true, s->visits[k][p] > 1 || p == w->hub, a);
}

/* The card given up of a swap that others see (terrax §14). */
static bool aside_shown(const struct state *s)
{
    return s->aside != ANY_CARD && set_has(s->shown, s->aside);
}

static void swap_begin(const struct world *w, struct state *s, int seat,
                       action a)
{
    int card = act_card_of(a);
    bool blind = s->view && s->view != seat + 1; /* may not see the cards */
    pay_cheque(s, seat);
    s->aside = ANY_CARD;
    if (card != CARD_UNKNOWN) {
        s->aside = (uint8_t)card;
        s->where[card] = AT_ASIDE;
        set_drop(s->hand[seat], card);
        set_drop(s->fresh, card);
    }
    struct swap *x = note_swap(w, s, seat);
    if (aside_shown(s))
        x->seen = SEEN_GIVEN;
    s->drawn_count = s->stacked >= 2 ? 2 : 1;
    for (int i = 0; i < s->drawn_count; i++) {
        int index = s->stacked - 1;
        bool known = s->stack[index] != ANY_CARD;
        x->knowers[i] = (uint8_t)(s->known[index] | 1 << seat);
        int top = draw(s, act_told_drawn(a, i));
        if (top != ANY_CARD)
            s->where[top] = blind && !known ? AT_HIDDEN : AT_DRAWN;
        x->drawn[i] = (uint8_t)(blind && !known ? ANY_CARD : top);
        s->drawn[i] = x->drawn[i];
    }
    s->phase = PHASE_SWAP;
    s->fence++;
}

static void put_under(struct state *s, int card, int knowers)
{
    memmove(s->stack + 1, s->stack, s->stacked);
    memmove(s->known + 1, s->known, s->stacked);
    s->stacked++;
    s->buried++;
    s->stack[0] = (uint8_t)card;
    s->known[0] = (uint8_t)knowers;
    if (card != ANY_CARD)
        s->where[card] = AT_STACK;
}

static void take_kept(const struct world *w, struct state *s, int seat,
                      int card)
{
    s->where[card] = (uint8_t)seat;
    set_add(s->hand[seat], card);
    if (w->option[VAR_OPENHANDS])
        set_add(s->shown, card);
    bool present = head_stands(w, s, w->place_of[card]);
    if (!w->option[OPT_CLAIM_PRESENT])
        set_add(s->fresh, card);
    else if (present && w->option[OPT_CLAIMS] == CLAIMS_AUTO) {
        touch(s, card);
        complete(s, seat, card);
    }
}

/* The drawn card that was not kept, as far as it is known. */
static int not_kept(const struct state *s, int kept)
{
    if (s->drawn_count < 2 || kept == ANY_CARD)
        return ANY_CARD;
    for (int i = 0; i < 2; i++)
        if (s->drawn[i] == kept)
            return s->drawn[1 - i];
    return s->drawn[s->drawn[0] == ANY_CARD];
}

/* Is the card kept laid open at once? */
static bool kept_shown(const struct world *w, const struct state *s, int kept)
{
    return w->option[VAR_OPENHANDS] || (w->option[OPT_CLAIM_PRESENT] &&
                                        w->option[OPT_CLAIMS] == CLAIMS_AUTO &&
                                        head_stands(w, s, w->place_of[kept]));
}

static void swap_end(const struct world *w, struct state *s, int seat, action a)
{
    int kept = act_card_of(a), mine = 1 << seat;
    if (kept == CARD_UNKNOWN)
        kept = ANY_CARD;
    int count = s->drawn_count, other = not_kept(s, kept);
    bool seen = aside_shown(s);
    struct swap *x = &s->past[s->swaps - 1];
    put_under(s, s->aside, seen ? mine | KNOWN_ALL : mine);
    if (seen)
        set_drop(s->shown, s->aside);
    for (int i = 0; i < count; i++)
        if (s->drawn[i] != ANY_CARD)
            s->where[s->drawn[i]] = AT_HIDDEN;
    if (count == 2)
        put_under(s, other, mine);
    if (kept != ANY_CARD) {
        x->kept = place_drawn(x, kept, true) & 1;
        x->seen |= kept_shown(w, s, kept) ? SEEN_KEPT : 0;
    }
    s->aside = s->drawn[0] = s->drawn[1] = s->drawn_count = 0;
    s->phase = PHASE_TURN;
    if (kept != ANY_CARD)
        take_kept(w, s, seat, kept);
}

/* ---- the marker phase ---- */

static void next_mark(const struct world *w, struct state *s)
{
    int all = w->seats * w->option[OPT_MARKERS];
    s->fence++;
    do
        s->placed++;
    while (s->placed < all && s->out >> (s->first + s->placed) % w->seats & 1);
    if (s->placed >= all) {
        s->placed = 0;
        tx_begin_turns(w, s);
        return;
    }
    s->seat = (uint8_t)((s->first + s->placed) % w->seats);
}

/* var_choose (§13): the card comes out of the pile, which in a view may hold
 * it anywhere. */
static void choose_card(struct state *s, int seat, int card)
{
    int at = s->stacked - 1;
    while (at > 0 && s->stack[at] != card)
        at--;
    s->held[seat]++;
    s->stacked--;
    memmove(s->stack + at, s->stack + at + 1, (size_t)(s->stacked - at));
    s->stack[s->stacked] = 0;
}

static void apply_mark(const struct world *w, struct state *s, int seat,
                       int card)
{
    if (card != CARD_UNKNOWN) {
        if (w->option[VAR_CHOOSE])
            choose_card(s, seat, card);
        s->where[card] = (uint8_t)seat;
        set_add(s->hand[seat], card);
        set_add(s->shown, card);
        set_add(s->marker[seat], card);
        s->mark[seat][s->marked[seat]++] = (uint8_t)card;
    }
    next_mark(w, s);
}

/* ---- the promise ---- */

void terrax_apply(const struct world *w, struct state *s, int seat, action a)
{
    switch (act_kind(a)) {
    case ACT_BASE:
        s->base = 0;
        lay(w, s, seat, a);
        break;
    case ACT_GREEN:
        s->green--;
        lay(w, s, seat, a);
        break;
    case ACT_LOOP:
        s->loop = NO_COLOUR;
        lay(w, s, seat, a);
        break;
    case ACT_CHEQUE:
        pay_cheque(s, seat);
        lay(w, s, seat, a);
        break;
    case ACT_REMOVE:
        take_back(w, s, seat, a);
        break;
    case ACT_SWAP:
        swap_begin(w, s, seat, a);
        break;
    case ACT_KEEP:
        swap_end(w, s, seat, a);
        break;
    case ACT_LATE:
        pay_cheque(s, seat);
        touch(s, act_card_of(a));
        complete(s, seat, act_card_of(a));
        break;
    case ACT_CLAIM:
        if (w->option[OPT_CLAIM_PRESENT])
            touch(s, act_card_of(a)); /* else the arrival was */
        complete(s, seat, act_card_of(a));
        s->fence++;
        break;
    case ACT_MARK:
        apply_mark(w, s, seat, act_card_of(a));
        break;
    default:
        apply_end(w, s, seat);
        break;
    }
}

/* The match is broken off between the two steps of a swap: the cards drawn go
 * back onto the stack, the one set aside into the hand. */
static void cancel_swap(struct state *s)
{
    if (s->phase != PHASE_SWAP)
        return;
    for (int i = s->drawn_count - 1; i >= 0; i--) {
        s->known[s->stacked] = s->past[s->swaps - 1].knowers[i];
        s->stack[s->stacked++] = s->drawn[i];
        if (s->drawn[i] != ANY_CARD)
            s->where[s->drawn[i]] = AT_STACK;
    }
    for (int card = 0; card < CARDS; card++)
        s->touched[card] &= ~((uint32_t)1 << s->swaps);
    s->past[--s->swaps] = (struct swap){0};
    if (s->aside != ANY_CARD) {
        s->where[s->aside] = s->seat;
        set_add(s->hand[s->seat], s->aside);
    }
    s->aside = s->drawn[0] = s->drawn[1] = s->drawn_count = 0;
}

/* A swap that its owner leaves unfinished: the first card drawn is kept. */
static void abandon_swap(const struct world *w, struct state *s, int seat)
{
    int card = s->drawn[0];
    if (s->drawn_count == 2)
        s->past[s->swaps - 1].seen |= SEEN_FIRST;
    swap_end(w, s, seat,
             act_card(ACT_KEEP, card == ANY_CARD ? CARD_UNKNOWN : card));
}

void terrax_drop(const struct world *w, struct state *s, int seat)
{
    if (s->phase == PHASE_OVER || s->out >> seat & 1)
        return;
    if (s->phase == PHASE_SWAP && s->seat == seat)
        abandon_swap(w, s, seat);
    s->out |= (uint8_t)(1 << seat);
    s->waiting &= (uint8_t) ~(1 << seat);
    s->fence++;
    if (players_left(w, s) < 2) {
        s->waiting = 0;
        cancel_swap(s);
        if (s->phase != PHASE_CLAIMS)
            s->reason = ENDING_ABANDONED;
        s->phase = PHASE_OVER;
    } else if (s->phase == PHASE_CLAIMS) {
        if (!s->waiting)
            s->phase = PHASE_OVER;
    } else if (s->seat == seat) {
        if (s->phase == PHASE_MARK)
            next_mark(w, s);
        else
            end_turn(w, s);
    }
}

void terrax_stop(const struct world *w, struct state *s, int reason, int seat)
{
    (void)w;
    if (s->phase == PHASE_OVER)
        return;
    cancel_swap(s);
    s->reason = (uint8_t)reason;
    s->waiting = 0;
    if (seat != SEAT_NONE)
        s->barred |= (uint8_t)(1 << seat);
    s->phase = PHASE_OVER;
    s->fence++;
}

uint32_t terrax_fence(const struct world *w, const struct state *s)
{
    (void)w;
    return s->fence;
}

/* The arrows, whoever laid them. */
static uint64_t hash_route(const struct state *s, int k)
{
    uint16_t slots[ARROWS];
    for (int i = 0; i < ARROWS; i++)
        slots[i] = s->route[k][i] & SLOT_MASK;
    return hash_bytes(4, slots, s->length[k] * sizeof slots[0]);
}

/* Cards, routes and rights decide how play can go on; sets and counters that
 * follow from them, and what only views need, are left out. */
uint64_t terrax_hash(const struct world *w, const struct state *s)
{
    uint64_t where = hash_bytes(1, s->where, sizeof s->where);
    uint64_t stack = hash_bytes(2, s->stack, s->stacked);
    uint64_t marker = hash_bytes(3, s->marker, sizeof s->marker);
    uint64_t route[COLOURS]; /* several at a time: the processor can */
    for (int k = 0; k < COLOURS; k++)
        route[k] = hash_route(s, k);
    uint64_t hash = hash_bytes(5, s->fresh, sizeof s->fresh);
    hash = hash_bytes(hash, s->cheques, sizeof s->cheques);
    hash = hash_bytes(hash, s->held, sizeof s->held);
    const uint8_t rest[] = {
        s->bank,         s->spent,   s->phase, s->seat,      s->first,
        s->placed,       s->base,    s->green, s->loop,      s->loops,
        s->used_cheques, s->acted,   s->moved, s->carded,    s->last,
        s->quiet,        s->high,    s->still, s->waiting,   s->out,
        s->reason,       s->barred,  s->view,  s->length[0], s->length[1],
        s->length[2],    s->stacked,
    };
    hash = hash_bytes(hash, rest, sizeof rest);
    hash = hash_word(hash_word(hash_word(hash, where), stack), marker);
    for (int k = 0; k < COLOURS; k++)
        hash = hash_word(hash, route[k]);
    (void)w;
    return hash_word(hash, s->round ^ s->generator);
}
