/* rules/terrax/prospect.c: a seat's chance to win when its turn begins.
 *
 * estimate() adds up what each card is worth by itself.  Who wins depends on
 * more: how long the way through all missions of a hand is, how near the end
 * is, who still has a turn before it, what cheques are good for.  Such facts
 * are counted here; what each of them is worth was learned from games
 * (learned.c, tools/terrax-train.c). */
#include "rules/terrax/state.h"

/* Of a lead, this one counts half as much as one without end; and how much the
 * best rival counts instead of all. */
enum { CLEAR_LEAD = 6000, BEST_RIVAL = 300 };

static void nearest(const struct world *w, const struct state *s, uint8_t *near)
{
    memset(near, FAR_LEGS, CARDS);
    for (int k = 0; k < COLOURS; k++) {
        if (s->length[k] == ARROWS)
            continue;
        const uint8_t *legs = w->legs_to[head_of(w, s, k)];
        for (int card = 0; card < CARDS; card++)
            near[card] = legs[card] < near[card] ? legs[card] : near[card];
    }
}

/* Legs that join all missions of a hand to the heads: always the nearest
 * mission next. */
static int tour_of(const struct world *w, const uint64_t *hand,
                   const uint8_t *near)
{
    uint8_t card[CARDS], legs[CARDS];
    int count = 0, sum = 0;
    SET_EACH(c, hand)
    {
        card[count] = (uint8_t)c;
        legs[count++] = near[c];
    }
    while (count > 0) {
        int next = 0;
        for (int i = 1; i < count; i++)
            if (legs[i] < legs[next])
                next = i;
        const uint8_t *from = w->legs_to[w->place_of[card[next]]];
        sum += legs[next];
        count--;
        card[next] = card[count];
        legs[next] = legs[count];
        for (int i = 0; i < count; i++)
            if (from[card[i]] < legs[i])
                legs[i] = from[card[i]];
    }
    return sum;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void side_of(const struct world *w, const struct state *s, int seat,
                    const uint8_t *near, int worth, int *side)
{
    int cheques = s->cheques[seat];
    side[SIDE_WORTH] = worth;
    side[SIDE_POINTS] = 1000 * tx_points_of(w, s, seat);
    side[SIDE_CARDS] = 1000 * s->held[seat];
    side[SIDE_MARKED] = 1000 * set_count(s->marker[seat]);
    side[SIDE_TOUR] = 1000 * tour_of(w, s->hand[seat], near);
    side[SIDE_CHEQUES] = 1000 * cheques;
    side[SIDE_CHEQUE] = 1000 * least(cheques, 1);
    side[SIDE_TWO] = 1000 * least(cheques, 2);
    side[SIDE_FOUR] = 1000 * least(cheques, 4);
}

/* The mean of the rivals, and what is best or shortest among them. */
static void rivals_of(const struct world *w, const struct state *s, int seat,
                      const uint8_t *near, const int *milli, int *fact)
{
    int side[SIDE_FACTS], rivals = w->seats > 2 ? w->seats - 1 : 1;
    int best = INT_MIN;
    fact[FACT_SHORT_TOUR] = fact[FACT_SHORT_HAND] = INT_MAX;
    for (int other = 0; other < w->seats; other++) {
        if (other == seat)
            continue;
        side_of(w, s, other, near, milli[other], side);
        for (int i = 0; i < SIDE_FACTS; i++)
            fact[FACT_RIVALS + i] += side[i];
        if (side[SIDE_WORTH] > best) {
            best = side[SIDE_WORTH];
            fact[FACT_BEST_POINTS] = side[SIDE_POINTS];
        }
        fact[FACT_SHORT_TOUR] = least(fact[FACT_SHORT_TOUR], side[SIDE_TOUR]);
        fact[FACT_SHORT_HAND] = least(fact[FACT_SHORT_HAND], side[SIDE_CARDS]);
    }
    fact[FACT_BEST_WORTH] = best;
    for (int i = 0; i < SIDE_FACTS; i++)
        fact[FACT_RIVALS + i] /= rivals;
}

static int lead_of(const int *fact)
{
    int own = fact[FACT_OWN + SIDE_WORTH];
    int lead = own - fact[FACT_RIVALS + SIDE_WORTH];
    int more = own - fact[FACT_BEST_WORTH] - lead;
    return lead + more * BEST_RIVAL / 1000;
}

static int bent(int lead)
{
    return 1000 * lead / (CLEAR_LEAD + (lead < 0 ? -lead : lead));
}

static int times(int a, int b)
{
    return (int)((int64_t)a * b / 1000);
}

/* How far the game has gone, and what counts more or less therefore. */
static void course_of(const struct world *w, const struct state *s, int seat,
                      int *fact)
{
    int left = COLOURS * ARROWS - s->length[0] - s->length[1] - s->length[2];
    int most = ARROWS - least(least(s->length[0], s->length[1]), s->length[2]);
    int after = w->seats - 1 - (seat - s->first + w->seats) % w->seats;
    int lead = bent(lead_of(fact)), last = s->last ? 1000 : 0;
    left = 4 * left / w->seats;
    int end = 30000 / (3 + left);
    fact[FACT_LEAD] = lead;
    fact[FACT_ARROWS] = 1000 * left;
    fact[FACT_MOST_ARROWS] = 1000 * most;
    fact[FACT_STACK] = 1000 * s->stacked;
    fact[FACT_ROUND] = 1000 * s->round;
    fact[FACT_END] = end;
    fact[FACT_END_LEAD] = times(end, lead);
    fact[FACT_END_OWN] = times(end, fact[FACT_OWN + SIDE_WORTH]);
    fact[FACT_END_RIVALS] = times(end, fact[FACT_RIVALS + SIDE_WORTH]);
    fact[FACT_END_BEST] = times(end, fact[FACT_BEST_WORTH]);
    fact[FACT_AFTER] = 1000 * after;
    fact[FACT_LAST] = last;
    fact[FACT_LAST_AFTER] = last * after;
    fact[FACT_LAST_LEAD] = times(last, lead);
}

void tx_facts(const struct world *w, const struct state *s, int seat, int *fact)
{
    uint8_t near[CARDS];
    int milli[SEATS];
    terrax_estimate(w, s, NULL, milli);
    nearest(w, s, near);
    memset(fact, 0, FACTS * sizeof *fact);
    side_of(w, s, seat, near, milli[seat], fact + FACT_OWN);
    rivals_of(w, s, seat, near, milli, fact);
    course_of(w, s, seat, fact);
    fact[FACT_SEATS + w->seats - 2] = 1000;
}

/* Where it is not the beginning of the seat's turn there is no more to say than
 * estimate() does. */
int terrax_prospect(const struct world *w, const struct state *s, int seat)
{
    int fact[FACTS];
    int64_t sum = 0;
    tx_facts(w, s, seat, fact);
    if (s->phase != PHASE_TURN || s->seat != seat)
        return lead_of(fact);
    for (int i = 0; i < FACTS; i++)
        sum += (int64_t)fact[i] * w->learned[i];
    return (int)(sum / 1000);
}
