/* rules/terrax/glance.c: what a position is worth at a glance.
 *
 * For the greedy bot, a yardstick that stays as it is: points, distances to
 * the missions in hand and the rights of this turn, nothing of the time that
 * is left.  The real bot uses hint.c. */
#include "rules/terrax/state.h"

/* Chance in thousandths that a mission so many legs away gets completed while
 * there are plenty of arrows. */
static const int chance[FAR_LEGS + 1] = {930, 840, 740, 650, 570, 500,
                                         440, 390, 340, 300, 265, 235,
                                         205, 180, 160, 140};

/* What an open mission so far away is worth to the one to move. */
static const int prize[FAR_LEGS + 1] = {0, 500, 270, 150, 80, 40, 20, 10,
                                        0, 0,   0,   0,   0,  0,  0,  0};

enum {
    BASE_WORTH = 400,
    GREEN_WORTH = 360,
    LOOP_WORTH = 330,
    CHEQUE_WORTH = 260,
    HIDDEN_FAR = 6, /* a card nobody knows is as good as one so far away */
    DRAWN_FAR = 4   /* the better of two cards drawn */
};

/* The fewer arrows are left, the less will still be reached. */
static int season(const struct state *s)
{
    int left = COLOURS * ARROWS - s->length[0] - s->length[1] - s->length[2];
    return left > 45 ? 1000 : 22 * left;
}

static int legs_of(const struct world *w, const struct state *s, int card)
{
    return tx_nearest(w, s, w->place_of[card]);
}

static int hand_worth(const struct world *w, const struct state *s, int seat)
{
    int worth = 2 * cards_hidden(s, seat) * chance[HIDDEN_FAR];
    SET_EACH(card, s->hand[seat])
    worth +=
        (set_has(s->marker[seat], card) ? 4 : 2) * chance[legs_of(w, s, card)];
    return worth + CHEQUE_WORTH * s->cheques[seat];
}

/* What the rights that wait are worth to the active player. */
static int rights_worth(const struct state *s)
{
    return (s->base ? BASE_WORTH : 0) + GREEN_WORTH * s->green +
           (s->loop != NO_COLOUR ? LOOP_WORTH : 0);
}

static int turn_worth(const struct world *w, const struct state *s)
{
    int worth = rights_worth(s);
    if (s->phase == PHASE_SWAP)
        return worth + 2 * chance[DRAWN_FAR];
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++)
        if (s->open[i] < ANY_CARD)
            worth += prize[legs_of(w, s, s->open[i])];
    return worth;
}

void terrax_glance(const struct world *w, const struct state *s, int *milli)
{
    bool ahead = s->phase != PHASE_OVER;
    bool turn = s->phase == PHASE_TURN || s->phase == PHASE_SWAP;
    int part = season(s);
    for (int seat = 0; seat < w->seats; seat++) {
        milli[seat] = 1000 * tx_points_of(w, s, seat);
        if (ahead)
            milli[seat] += hand_worth(w, s, seat) * part / 1000;
    }
    if (turn)
        milli[s->seat] += turn_worth(w, s) * part / 1000;
}
