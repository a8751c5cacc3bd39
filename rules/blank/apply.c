/* rules/blank/apply.c: what an action does. */
#include "rules/blank/state.h"

#include "base/check.h"
#include "base/hash.h"

/* blank §4, §5: when the last seat has decided, the round is scored and the
 * next one dealt. */
static void end_round(const struct world *w, struct state *s)
{
    unsigned must, may;
    blank_turn(w, s, &must, &may);
    if (must || s->reason)
        return;
    blank_score(w, s);
    if (s->round == w->rounds) {
        s->reason = ENDING_ROUNDS;
        return;
    }
    s->round++;
    blank_deal(w, s);
}

void blank_apply(const struct world *w, struct state *s, int seat, action a)
{
    static const uint8_t choice[] = {
        [STAY] = STAYS, [FOLD] = FOLDS, [HIDE] = DECIDED};
    check(blank_refuse(w, s, seat, a) == 0);
    if (a == DOUBLE)
        s->doubled = 1;
    else
        s->choice[seat] = choice[a];
    end_round(w, s);
}

static int leave(const struct world *w, struct state *s, int seat)
{
    int gone = 0;
    for (int i = 0; i < w->seats; i++)
        gone += s->left[i] != 0;
    s->left[seat] = (uint8_t)++gone;
    s->hand[seat] = CARD_BLANK;
    s->choice[seat] = UNDECIDED;
    return w->seats - gone;
}

void blank_drop(const struct world *w, struct state *s, int seat)
{
    if (leave(w, s, seat) < 2)
        s->reason = ENDING_ABANDONED;
    end_round(w, s);
}

void blank_stop(const struct world *w, struct state *s, int reason, int seat)
{
    if (seat != SEAT_NONE)
        leave(w, s, seat);
    s->reason = (uint8_t)reason;
}

/* Cards are shown when a round ends: nothing before that can be taken back. */
uint32_t blank_fence(const struct world *w, const struct state *s)
{
    (void)w;
    return (uint32_t)(s->round + (s->reason != 0));
}

uint64_t blank_hash(const struct world *w, const struct state *s)
{
    (void)w;
    return hash_bytes(0, s, sizeof *s);
}
