/* rules/terrax/hint.c: hints for searches, from distances on the map.
 *
 * A mission still in a hand is worth its stake times the chance that it gets
 * done, which falls with its distance from the nearest head and with the
 * arrows that are left.  Open missions lie near for whoever moves next; rights
 * and cheques are arrows to come. */
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

/* Fewest legs from a head to `place`; a colour not under way starts at the
 * hub, one without arrows goes nowhere. */
int tx_nearest(const struct world *w, const struct state *s, int place)
{
    int best = FAR_LEGS;
    for (int k = 0; k < COLOURS; k++) {
        if (s->length[k] == ARROWS)
            continue;
        int d = w->distance[head_of(w, s, k)][place];
        if (d < best)
            best = d;
    }
    return best;
}

/* ---- what is looked at ---- */

struct outlook {
    uint8_t reach[COLOURS][CARDS]; /* legs from each colour's head */
    int part;                      /* of the chances, by arrows left */
};

/* The fewer arrows are left, the less will still be reached. */
static int season(int left)
{
    return left > 45 ? 1000 : 22 * left;
}

static int arrows_left(const struct state *s)
{
    return COLOURS * ARROWS - s->length[0] - s->length[1] - s->length[2];
}

static void reach_from(const struct world *w, const struct state *s, int k,
                       int place, uint8_t *reach)
{
    if (s->length[k] == ARROWS)
        memset(reach, FAR_LEGS, CARDS);
    else
        memcpy(reach, w->legs_to[place], CARDS);
}

static void look(const struct world *w, const struct state *s,
                 struct outlook *o)
{
    for (int k = 0; k < COLOURS; k++)
        reach_from(w, s, k, head_of(w, s, k), o->reach[k]);
    o->part = season(arrows_left(s));
}

static void nearest_of(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                       uint8_t *near)
{
    for (int card = 0; card < CARDS; card++) {
        uint8_t least = a[card] < b[card] ? a[card] : b[card];
        near[card] = least < c[card] ? least : c[card];
    }
}

/* ---- what it is worth ---- */

static int card_worth(const struct state *s, int seat, int card, int legs)
{
    return (set_has(s->marker[seat], card) ? 4 : 2) * chance[legs];
}

static int hand_worth(const struct state *s, int seat, const uint8_t *near)
{
    int worth = 2 * cards_hidden(s, seat) * chance[HIDDEN_FAR];
    SET_EACH(card, s->hand[seat])
    worth += card_worth(s, seat, card, near[card]);
    return worth;
}

static int open_worth(const struct world *w, const struct state *s,
                      const uint8_t *near)
{
    int worth = 0;
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++)
        if (s->open[i] < ANY_CARD)
            worth += prize[near[s->open[i]]];
    return worth;
}

/* What the rights that wait are worth to the active player. */
static int rights_worth(const struct state *s)
{
    return (s->base ? BASE_WORTH : 0) + GREEN_WORTH * s->green +
           (s->loop != NO_COLOUR ? LOOP_WORTH : 0);
}

/* All that lies ahead, without the points. */
static void outlook_worth(const struct world *w, const struct state *s,
                          const uint8_t *near, int part, int *milli)
{
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] = hand_worth(s, seat, near) * part / 1000 +
                      CHEQUE_WORTH * s->cheques[seat] * part / 1000;
    if (s->phase == PHASE_TURN) {
        milli[s->seat] += rights_worth(s) * part / 1000;
        milli[s->seat] += open_worth(w, s, near) * part / 1000;
    } else if (s->phase == PHASE_SWAP) {
        milli[s->seat] +=
            2 * chance[DRAWN_FAR] * part / 1000 + rights_worth(s) * part / 1000;
    }
}

void terrax_estimate(const struct world *w, const struct state *s, int *milli)
{
    struct outlook o;
    uint8_t near[CARDS];
    int ahead[SEATS] = {0};
    if (s->phase != PHASE_OVER) {
        look(w, s, &o);
        nearest_of(o.reach[0], o.reach[1], o.reach[2], near);
        outlook_worth(w, s, near, o.part, ahead);
    }
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] = 1000 * tx_points_of(w, s, seat) + ahead[seat];
}

/* ---- ranks ---- */

static int lead(const struct world *w, const int *milli, int seat)
{
    int rivals = 0;
    for (int other = 0; other < w->seats; other++)
        rivals += other != seat ? milli[other] : 0;
    return milli[seat] - (w->seats > 2 ? rivals / (w->seats - 1) : rivals);
}

static int rank_by_play(const struct world *w, const struct state *s, int seat,
                        action a)
{
    struct state after = *s;
    int milli[SEATS];
    terrax_apply(w, &after, seat, a);
    terrax_estimate(w, &after, milli);
    return lead(w, milli, seat);
}

/* What a seat's lead gains by a point of `owner`, in parts of seats - 1. */
static int sign_of(const struct world *w, int seat, int owner)
{
    return owner == seat ? w->seats - 1 : -1;
}

/* The lead, times seats - 1, that all hands make with these distances. */
static int hands_lead(const struct world *w, const struct state *s, int seat,
                      const uint8_t *near)
{
    int sum = 0;
    for (int other = 0; other < w->seats; other++)
        sum += sign_of(w, seat, other) * hand_worth(s, other, near);
    return sum;
}

struct ranking {
    const struct world *w;
    const struct state *s;
    int seat;
    struct outlook o;
    uint8_t near[CARDS];
    int now;         /* the present lead */
    int hands, open; /* what hands and the row make of it */
    bool got[COLOURS][PLACES];
    int moved[COLOURS][PLACES]; /* lead gained by a head that stands there */
};

/* What the head of k brings by coming to p: nearness and the mission there.
 * Several rights lead to the same place, so it is kept. */
static int head_worth(struct ranking *r, int k, int p)
{
    const struct world *w = r->w;
    const struct state *s = r->s;
    if (r->got[k][p])
        return r->moved[k][p];
    uint8_t near[CARDS];
    const uint8_t *a = r->o.reach[(k + 1) % 3], *b = r->o.reach[(k + 2) % 3];
    nearest_of(a, b, w->legs_to[p], near);
    int others = w->seats - 1, card = w->card_of[p];
    int gain = (hands_lead(w, s, r->seat, near) - r->hands) / others;
    gain += open_worth(w, s, near) - r->open;
    gain = gain * r->o.part / 1000;
    if (card != NO_CARD && s->where[card] == AT_OPEN)
        gain += 1000 - prize[0];
    else if (card != NO_CARD && s->where[card] < SEATS &&
             w->option[OPT_CLAIMS] == CLAIMS_AUTO) {
        int owner = s->where[card];
        int full = set_has(s->marker[owner], card) ? 4000 : 2000;
        full -= card_worth(s, owner, card, near[card]) * r->o.part / 1000;
        gain += sign_of(w, r->seat, owner) * full / others;
    }
    r->got[k][p] = true;
    r->moved[k][p] = gain;
    return gain;
}

static int station_worth(const struct ranking *r, int k, int p, bool removed)
{
    const struct world *w = r->w;
    const struct state *s = r->s;
    int gain = 0;
    if (w->pays[p] && (!removed || w->option[OPT_UNDO_RED]))
        gain += CHEQUE_WORTH;
    if (w->kind[p] == KIND_GREEN)
        gain += GREEN_WORTH;
    bool closes =
        removed ? s->visits[k][p] > 1 || p == w->hub : on_route(w, s, k, p);
    if (closes && !s->loops)
        gain += LOOP_WORTH;
    return gain;
}

static int arrow_cost(int kind)
{
    return kind == ACT_BASE    ? BASE_WORTH
           : kind == ACT_GREEN ? GREEN_WORTH
           : kind == ACT_LOOP  ? LOOP_WORTH
                               : CHEQUE_WORTH;
}

static int rank_arrow(struct ranking *r, action a)
{
    int k = act_colour(a), p = r->w->to[act_slot(a)];
    int gain = station_worth(r, k, p, false) - arrow_cost(act_kind(a));
    return r->now + head_worth(r, k, p) + gain * r->o.part / 1000;
}

static int rank_remove(struct ranking *r, action a)
{
    const struct state *s = r->s;
    int k = act_colour(a), length = s->length[k];
    int p = length > 1 ? r->w->to[s->route[k][length - 2]] : r->w->hub;
    int gain = -CHEQUE_WORTH;
    if (length > 1)
        gain += station_worth(r, k, p, true);
    if (s->loop == k)
        gain -= LOOP_WORTH;
    return r->now + head_worth(r, k, p) + gain * r->o.part / 1000;
}

static int rank_swap(struct ranking *r, action a)
{
    int card = act_card_of(a);
    int gain = 2 * chance[DRAWN_FAR] - CHEQUE_WORTH - r->open;
    if (card != CARD_UNKNOWN)
        gain -= card_worth(r->s, r->seat, card, r->near[card]);
    return r->now + gain * r->o.part / 1000;
}

/* Playing every action and looking would be exact, and ten times slower. */
static int rank_one(struct ranking *r, action a)
{
    switch (act_kind(a)) {
    case ACT_BASE:
    case ACT_GREEN:
    case ACT_LOOP:
    case ACT_CHEQUE:
        return rank_arrow(r, a);
    case ACT_REMOVE:
        return rank_remove(r, a);
    case ACT_SWAP:
        return rank_swap(r, a);
    default:
        return rank_by_play(r->w, r->s, r->seat, a);
    }
}

void terrax_rank(const struct world *w, const struct state *s, int seat,
                 const action *legal, int count, int *milli)
{
    struct ranking r = {.w = w, .s = s, .seat = seat};
    int points[SEATS] = {0};
    look(w, s, &r.o);
    nearest_of(r.o.reach[0], r.o.reach[1], r.o.reach[2], r.near);
    terrax_estimate(w, s, points);
    r.now = lead(w, points, seat);
    r.hands = hands_lead(w, s, seat, r.near);
    r.open = open_worth(w, s, r.near);
    for (int i = 0; i < count; i++)
        milli[i] = rank_one(&r, legal[i]);
}
