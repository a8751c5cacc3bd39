/* rules/terrax/hint.c: hints for searches, from distances on the map.
 *
 * The worth of a mission falls with its distance from the nearest head; what
 * an action is worth is what it completes, earns and brings nearer. */
#include "rules/terrax/state.h"

/* Chance in thousandths that a mission so many legs away gets completed. */
static const int chance[] = {900, 800, 690, 590, 500, 420, 350, 290,
                             240, 200, 165, 135, 110, 90,  75,  60};

enum { FAR = (int)(sizeof chance / sizeof *chance) - 1, CHEQUE_WORTH = 150 };

/* Fewest legs from a head to `place`; a colour not under way starts at the
 * hub, one without arrows goes nowhere. */
int tx_nearest(const struct world *w, const struct state *s, int place)
{
    int best = FAR;
    for (int k = 0; k < COLOURS; k++) {
        if (s->length[k] == ARROWS)
            continue;
        int d = w->distance[head_of(w, s, k)][place];
        if (d < best)
            best = d;
    }
    return best;
}

/* The fewer arrows are left, the less will still be reached. */
static int season(const struct state *s)
{
    int left = COLOURS * ARROWS - s->length[0] - s->length[1] - s->length[2];
    return left > 40 ? 1000 : 25 * left;
}

static int stake(const struct state *s, int seat, int card)
{
    return set_has(s->marker[seat], card) ? 4 : 2;
}

/* What the rights that wait are worth to the active player. */
static int waiting_rights(const struct state *s)
{
    return (s->base ? 400 : 0) + 350 * s->green +
           (s->loop != NO_COLOUR ? 300 : 0);
}

static int hope_of(const struct world *w, const struct state *s, int seat,
                   const uint8_t *near)
{
    int hope = 2 * cards_hidden(s, seat) * chance[7];
    SET_EACH(card, s->hand[seat])
    hope += stake(s, seat, card) * chance[near[card]];
    if (s->phase == PHASE_SWAP && s->seat == seat)
        hope += 2 * chance[5]; /* the better of two cards */
    (void)w;
    return hope;
}

static void estimate(const struct world *w, const struct state *s, int *milli)
{
    uint8_t near[CARDS];
    int part = season(s);
    bool over = s->phase == PHASE_OVER;
    for (int card = 0; card < w->cards && !over; card++)
        if (s->where[card] < SEATS)
            near[card] = (uint8_t)tx_nearest(w, s, w->place_of[card]);
    for (int seat = 0; seat < w->seats; seat++) {
        milli[seat] = 1000 * tx_points_of(w, s, seat);
        if (over)
            continue;
        milli[seat] += hope_of(w, s, seat, near) * part / 1000 +
                       CHEQUE_WORTH * s->cheques[seat];
        if (seat == s->seat && s->phase == PHASE_TURN)
            milli[seat] += waiting_rights(s);
    }
}

void terrax_estimate(const struct world *w, const struct state *s, int *milli)
{
    estimate(w, s, milli);
}

/* The lead over the best other seat. */
static int lead(const struct world *w, const int *milli, int seat)
{
    int best = INT_MIN;
    for (int other = 0; other < w->seats; other++)
        if (other != seat && milli[other] > best)
            best = milli[other];
    return milli[seat] - best;
}

/* Playing the action and looking is cheap enough, and exact. */
void terrax_rank(const struct world *w, const struct state *s, int seat,
                 const action *legal, int count, int *milli)
{
    struct state after;
    int points[SEATS];
    for (int i = 0; i < count; i++) {
        after = *s;
        terrax_apply(w, &after, seat, legal[i]);
        estimate(w, &after, points);
        milli[i] = lead(w, points, seat);
    }
}
