/* rules/blank/score.c: rounds, results, and hints for searches. */
#include "rules/blank/state.h"

int blank_stake(const struct world *w, const struct state *s)
{
    bool last = (w->variants & VARIANT_LAST) && s->round == w->rounds;
    return (s->doubled ? 2 : 1) * (last ? 2 : 1);
}

static int highest(const struct world *w, const struct state *s)
{
    int high = CARD_BLANK;
    for (int seat = 0; seat < w->seats; seat++)
        if (s->choice[seat] == STAYS && s->hand[seat] > high)
            high = s->hand[seat];
    return high;
}

/* blank §4: the highest card that stayed wins the stake, all other cards that
 * stayed lose it. */
void blank_score(const struct world *w, struct state *s)
{
    int stake = blank_stake(w, s), high = highest(w, s);
    for (int seat = 0; seat < w->seats; seat++)
        if (s->choice[seat] == STAYS)
            s->points[seat] =
                (int16_t)(s->points[seat] +
                          (s->hand[seat] == high ? stake : -stake));
}

/* Greater is better: who left comes last, the first to leave behind all. */
static int standing(const struct state *s, int seat)
{
    return s->left[seat] ? s->left[seat] - 10000 : s->points[seat];
}

void blank_result(const struct world *w, const struct state *s,
                  struct result *r)
{
    *r = (struct result){.reason = s->reason};
    for (int seat = 0; seat < w->seats; seat++) {
        r->points[seat] = s->points[seat];
        r->place[seat] = 1;
        for (int other = 0; other < w->seats; other++)
            r->place[seat] += standing(s, other) > standing(s, seat);
    }
}

/* A card of 4 or more is likelier to win than to lose. */
static int worth(const struct world *w, const struct state *s, int seat)
{
    return s->hand[seat]
               ? (2 * s->hand[seat] - CARDS - 1) * 100 * blank_stake(w, s)
               : 0;
}

void blank_estimate(const struct world *w, const struct state *s,
                    struct memo *m, int *milli)
{
    (void)m;
    for (int seat = 0; seat < w->seats; seat++) {
        bool open = !s->reason && s->choice[seat] != FOLDS;
        milli[seat] = s->points[seat] * 1000 + (open ? worth(w, s, seat) : 0);
    }
}

/* The lead over the best of the others, with and without one's own card. */
void blank_rank(const struct world *w, const struct state *s, struct memo *m,
                int seat, const action *legal, int count, int *milli)
{
    int points[SEATS], best = INT_MIN;
    blank_estimate(w, s, m, points);
    for (int other = 0; other < w->seats; other++)
        if (other != seat && points[other] > best)
            best = points[other];
    for (int i = 0; i < count; i++)
        milli[i] =
            points[seat] - best - (legal[i] == FOLD ? worth(w, s, seat) : 0);
}
