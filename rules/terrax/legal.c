/* rules/terrax/legal.c: who acts, and everything a seat can do.
 *
 * Actions come out in the byte order of their notation (terrax §17): the kinds
 * in the order of their first characters, and within a kind by colour and
 * place, which are numbered in that order. */
#include "rules/terrax/state.h"

#include "base/check.h"

void terrax_turn(const struct world *w, const struct state *s, unsigned *must,
                 unsigned *may)
{
    *must = *may = 0;
    switch (s->phase) {
    case PHASE_TURN:
        if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL)
            *may = ((1u << w->seats) - 1) & ~(unsigned)s->out;
        *must = 1u << s->seat;
        *may &= ~*must;
        break;
    case PHASE_MARK:
    case PHASE_SWAP:
        *must = 1u << s->seat;
        break;
    case PHASE_CLAIMS:
        *must = s->waiting;
        break;
    default:
        break;
    }
}

/* ---- arrows ---- */

/* Slots of place f that carry no arrow of colour k (§5, condition 5). */
static inline uint64_t free_slots(const struct world *w, const struct state *s,
                                  int k, int f)
{
    int first = w->first[f], word = first >> 6, shift = first & 63;
    uint64_t used = s->used[k][word] >> shift;
    if (shift)
        used |= s->used[k][word + 1] << (64 - shift);
    return ~used & (~(uint64_t)0 >> (64 - w->degree[f]));
}

/* Takes out the slots whose other end lies on the route (condition 6). */
static inline uint64_t without_route(const struct world *w,
                                     const struct state *s, int k, int f,
                                     uint64_t slots)
{
    const uint8_t *to = w->to + w->first[f];
    uint64_t kept = 0;
    for (uint64_t left = slots; left; left &= left - 1) {
        int t = to[__builtin_ctzll(left)];
        if (!on_route(w, s, k, t))
            kept |= left & -left;
    }
    return kept;
}

/* §5, condition 2: a start leg serves one expedition at a time. */
static uint64_t start_slots(const struct world *w, const struct state *s)
{
    uint64_t slots = ((uint64_t)1 << START_LEGS) - 1;
    if (w->option[OPT_START_SHARED])
        return slots;
    for (int k = 0; k < COLOURS; k++)
        if (s->length[k])
            slots &= ~((uint64_t)1 << (route_slot(s, k, 0) - w->first[w->hub]));
    return slots;
}

static inline uint64_t moves_of(const struct world *w, const struct state *s,
                                int k, int *from)
{
    int length = s->length[k];
    if (length == 0) {
        *from = w->hub;
        return start_slots(w, s);
    }
    int top = route_slot(s, k, length - 1), f = w->to[top];
    *from = f;
    if (length == ARROWS)
        return 0;
    uint64_t slots = free_slots(w, s, k, f);
    slots &= ~((uint64_t)1 << (w->back[top] - w->first[f])); /* condition 4 */
    if (s->loops && w->option[OPT_SECOND_LOOP] == SECOND_FORBID)
        slots = without_route(w, s, k, f, slots);
    return slots;
}

uint64_t tx_moves_of(const struct world *w, const struct state *s, int k,
                     int *from)
{
    return moves_of(w, s, k, from);
}

bool tx_base_exists(const struct world *w, const struct state *s)
{
    int from;
    for (int k = 0; k < COLOURS; k++)
        if (moves_of(w, s, k, &from))
            return true;
    return false;
}

static inline action *put_arrows(const struct world *w, action *out, int kind,
                                 int k, int f, uint64_t slots)
{
    action base = act_arrow(kind, k, w->first[f]);
    for (; slots; slots &= slots - 1)
        *out++ = base + ((action)__builtin_ctzll(slots) << 6);
    return out;
}

/* §5, condition 4 for a loop arrow: it must not run back along the leg of the
 * only arrow that points at its tail. */
static uint64_t without_return(const struct world *w, const struct state *s,
                               int k, int f, uint64_t slots)
{
    if (s->visits[k][f] != 1 || (f == w->hub && w->option[OPT_BRANCH_HUB]))
        return slots;
    for (uint64_t left = slots; left; left &= left - 1) {
        int slot = w->first[f] + __builtin_ctzll(left);
        if (set_has(s->used[k], w->back[slot]))
            slots &= ~(left & -left);
    }
    return slots;
}

static uint64_t loop_moves(const struct world *w, const struct state *s, int k,
                           int f)
{
    uint64_t slots = without_return(w, s, k, f, free_slots(w, s, k, f));
    if (w->option[OPT_SECOND_LOOP] == SECOND_FORBID)
        slots = without_route(w, s, k, f, slots);
    return slots;
}

static action *put_loops(const struct world *w, const struct state *s,
                         action *out)
{
    int k = s->loop;
    if (k == NO_COLOUR || s->length[k] == ARROWS)
        return out;
    uint64_t tails[2] = {s->visited[k][0], s->visited[k][1]};
    if (w->option[OPT_BRANCH_HUB])
        set_add(tails, w->hub);
    SET_EACH(f, tails)
    out = put_arrows(w, out, ACT_LOOP, k, f, loop_moves(w, s, k, f));
    return out;
}

/* ---- cards ---- */

bool tx_claim_allowed(const struct world *w, const struct state *s, int seat,
                      int card)
{
    return set_has(s->hand[seat], card) && !set_has(s->fresh, card) &&
           head_stands(w, s, w->place_of[card]);
}

static action *put_claims(const struct world *w, const struct state *s,
                          int seat, action *out)
{
    SET_EACH(card, s->hand[seat])
    if (tx_claim_allowed(w, s, seat, card))
        *out++ = act_card(ACT_CLAIM, card);
    return out;
}

static action *put_late(const struct world *w, const struct state *s, int seat,
                        action *out)
{
    SET_EACH(card, s->hand[seat])
    {
        int p = w->place_of[card];
        if (s->visits[0][p] | s->visits[1][p] | s->visits[2][p])
            *out++ = act_card(ACT_LATE, card);
    }
    return out;
}

static action *put_swaps(const struct world *w, const struct state *s, int seat,
                         action *out)
{
    if (s->stacked == 0 || w->option[VAR_CHOOSE])
        return out;
    uint64_t cards[2] = {s->hand[seat][0], s->hand[seat][1]};
    for (int i = 0; i < 2 && !w->option[OPT_SWAP_MARKED]; i++)
        cards[i] &= ~s->marker[seat][i];
    SET_EACH(card, cards)
    *out++ = act_card(ACT_SWAP, card);
    return out;
}

bool tx_mark_allowed(const struct world *w, const struct state *s, int seat,
                     int card)
{
    if (!set_has(w->markable, card))
        return false;
    if (!w->option[VAR_CHOOSE])
        return set_has(s->hand[seat], card) && !set_has(s->marker[seat], card);
    for (int other = 0; other < w->seats; other++)
        if (set_has(s->hand[other], card))
            return false;
    return true;
}

static action *put_marks(const struct world *w, const struct state *s, int seat,
                         action *out)
{
    uint64_t cards[2] = {w->markable[0], w->markable[1]};
    for (int i = 0; i < 2; i++)
        if (w->option[VAR_CHOOSE])
            for (int other = 0; other < w->seats; other++)
                cards[i] &= ~s->hand[other][i];
        else
            cards[i] &= s->hand[seat][i] & ~s->marker[seat][i];
    action *begin = out;
    SET_EACH(card, cards)
    *out++ = act_card(ACT_MARK, card);
    if (out == begin)
        *out++ = act_card(ACT_MARK, CARD_UNKNOWN);
    return out;
}

static action *put_keeps(const struct state *s, action *out)
{
    int low = s->drawn[0], high = s->drawn[s->drawn_count - 1];
    if (low > high) {
        low = high;
        high = s->drawn[0];
    }
    bool blind = s->view && s->view != s->seat + 1;
    if (blind || low == ANY_CARD) { /* a view that was not told */
        *out++ = act_card(ACT_KEEP, CARD_UNKNOWN);
        return out;
    }
    *out++ = act_card(ACT_KEEP, low);
    if (high != low && high != ANY_CARD)
        *out++ = act_card(ACT_KEEP, high);
    return out;
}

/* ---- a turn ---- */

static action *put_cheques(const struct world *w, const struct state *s,
                           int seat, const uint64_t *moves, const int *from,
                           action *out)
{
    if (w->option[VAR_LATE])
        out = put_late(w, s, seat, out);
    for (int k = 0; k < COLOURS; k++) {
        if (s->length[k])
            *out++ = act_arrow(ACT_REMOVE, k, 0);
        out = put_arrows(w, out, ACT_CHEQUE, k, from[k], moves[k]);
    }
    return put_swaps(w, s, seat, out);
}

static action *put_turn(const struct world *w, const struct state *s, int seat,
                        action *out)
{
    uint64_t moves[COLOURS];
    int from[COLOURS];
    bool cheque = s->cheques[seat] > 0 && s->used_cheques < 2;
    if (!(s->base | s->green | cheque)) { /* the usual case: nothing is left */
        *out++ = ACT_END;
        return put_loops(w, s, out);
    }
    for (int k = 0; k < COLOURS; k++)
        moves[k] = moves_of(w, s, k, &from[k]);
    bool any = moves[0] | moves[1] | moves[2];
    if (cheque)
        out = put_cheques(w, s, seat, moves, from, out);
    for (int k = 0; k < COLOURS && s->green; k++)
        out = put_arrows(w, out, ACT_GREEN, k, from[k], moves[k]);
    if (!s->base || !any || w->option[OPT_PASS] != PASS_NEVER)
        *out++ = ACT_END;
    for (int k = 0; k < COLOURS && s->base; k++)
        out = put_arrows(w, out, ACT_BASE, k, from[k], moves[k]);
    return put_loops(w, s, out);
}

int terrax_legal(const struct world *w, const struct state *s, int seat,
                 action *out)
{
    action *end = out;
    bool manual = w->option[OPT_CLAIMS] == CLAIMS_MANUAL;
    switch (s->phase) {
    case PHASE_TURN:
        if (manual && !(s->out >> seat & 1))
            end = put_claims(w, s, seat, end);
        if (seat == s->seat)
            end = put_turn(w, s, seat, end);
        break;
    case PHASE_MARK:
        if (seat == s->seat)
            end = put_marks(w, s, seat, end);
        break;
    case PHASE_SWAP:
        if (seat == s->seat)
            end = put_keeps(s, end);
        break;
    case PHASE_CLAIMS:
        if (!(s->waiting >> seat & 1))
            break;
        end = put_claims(w, s, seat, end);
        *end++ = ACT_END;
        break;
    default:
        break;
    }
    check(end - out <= GAME_ACTIONS);
    return (int)(end - out);
}
