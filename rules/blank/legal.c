/* rules/blank/legal.c: whose turn it is and what a seat can do. */
#include "rules/blank/state.h"

/* blank §2: all who have not decided must, at once.  blank §3: meanwhile those
 * who have may double. */
void blank_turn(const struct world *w, const struct state *s, unsigned *must,
                unsigned *may)
{
    *must = *may = 0;
    if (s->reason)
        return;
    bool doubling = (w->variants & VARIANT_DOUBLE) && !s->doubled;
    for (int seat = 0; seat < w->seats; seat++) {
        if (s->left[seat])
            continue;
        if (s->choice[seat] == UNDECIDED)
            *must |= 1u << seat;
        else if (doubling)
            *may |= 1u << seat;
    }
}

int blank_refuse(const struct world *w, const struct state *s, int seat,
                 action a)
{
    if (s->reason)
        return FAULT_OVER;
    if (seat < 0 || seat >= w->seats || s->left[seat])
        return FAULT_TURN;
    bool decided = s->choice[seat] != UNDECIDED;
    if (a != DOUBLE)
        return decided                   ? BLANK_DECIDED
               : a == HIDE && !s->veiled ? BLANK_UNSEEN
                                         : 0;
    if (!(w->variants & VARIANT_DOUBLE))
        return BLANK_SINGLE;
    return s->doubled ? BLANK_DOUBLED : decided ? 0 : BLANK_EARLY;
}

int blank_legal(const struct world *w, const struct state *s, int seat,
                action *out)
{
    int count = 0;
    for (action a = STAY; a <= DOUBLE; a++)
        if (!blank_refuse(w, s, seat, a))
            out[count++] = a;
    return count;
}
