/* rules/terrax/hint.c: hints for searches, from distances on the map.
 *
 * A mission still in a hand is worth its stake times the chance that it gets
 * done, which falls with its distance from the nearest head and grows with the
 * arrows to come until the arrows or the shortest hand run out.  Open missions
 * lie near for whoever moves next; rights and cheques are arrows to come. */
#include "rules/terrax/state.h"

/* A mission so many legs from the nearest head is as likely done as not when
 * each seat has so many arrows to come, in tenths; found by counting in series
 * of bots.  With E arrows a seat to come the chance is E / (E + effort). */
static const int effort[FAR_LEGS + 1] = {18,  36,  82,  104, 118, 132,
                                         144, 160, 180, 204, 228, 240,
                                         252, 264, 276, 288};

/* What an open mission so far away is worth to the one to move. */
static const int prize[FAR_LEGS + 1] = {0, 500, 270, 150, 80, 40, 20, 10,
                                        0, 0,   0,   0,   0,  0,  0,  0};

enum {
    BASE_WORTH = 650,
    GREEN_WORTH = 650,
    LOOP_WORTH = 600,
    CHEQUE_WORTH = 800,
    HIDDEN_FAR = 6, /* a card nobody knows is as good as one so far away */
    DRAWN_FAR = 3   /* the better of two cards drawn */
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
    const uint8_t *reach[COLOURS];      /* legs from each colour's head */
    const uint16_t *chance[SEATS];      /* of a mission in that hand, so far */
    uint16_t last[SEATS][FAR_LEGS + 1]; /* the same in the last round */
    int part; /* of what rights and cheques are worth, by arrows to come */
};

static int arrows_left(const struct state *s)
{
    return COLOURS * ARROWS - s->length[0] - s->length[1] - s->length[2];
}

/* Arrows until the end: all that are left, or what it takes until the shortest
 * hand is empty. */
static int arrows_to_come(const struct world *w, const struct state *s)
{
    int left = arrows_left(s), least = CARDS;
    for (int seat = 0; seat < w->seats; seat++)
        if (s->held[seat] < least)
            least = s->held[seat];
    int cards = least * (16 + 5 * w->seats) / 2 + 2;
    return left < cards ? left : cards;
}

/* Rights a seat still has in this turn, or in its turn to come. */
static int rights_of(const struct state *s, int seat)
{
    int cheques = s->cheques[seat];
    if (seat != s->seat)
        return 1 + (cheques < 2 ? cheques : 2);
    int more = 2 - s->used_cheques;
    return s->base + s->green + (s->loop != NO_COLOUR) +
           (cheques < more ? cheques : more);
}

/* Tenths of arrows that a seat has to come in the last round. */
static int last_arrows(const struct world *w, const struct state *s, int seat)
{
    int now = (s->seat - s->first + w->seats) % w->seats;
    int own = (seat - s->first + w->seats) % w->seats;
    return own < now ? 3 : 3 + 10 * rights_of(s, seat);
}

static void chances(int tenths, uint16_t *chance)
{
    for (int legs = 0; legs <= FAR_LEGS; legs++)
        chance[legs] = (uint16_t)(1000 * tenths / (tenths + effort[legs]));
}

void tx_chances(struct world *w)
{
    for (int arrows = 0; arrows <= COLOURS * ARROWS; arrows++)
        chances(10 * arrows / w->seats, w->chance[arrows]);
    memset(w->nowhere, FAR_LEGS, sizeof w->nowhere);
}

static void look_ahead(const struct world *w, const struct state *s,
                       struct outlook *o)
{
    int arrows = arrows_to_come(w, s);
    o->part = s->last ? 0 : 1000 * arrows / (arrows + w->seats);
    for (int seat = 0; seat < w->seats; seat++) {
        o->chance[seat] = s->last ? o->last[seat] : w->chance[arrows];
        if (s->last)
            chances(last_arrows(w, s, seat), o->last[seat]);
    }
}

static void look(const struct world *w, const struct state *s,
                 struct outlook *o)
{
    for (int k = 0; k < COLOURS; k++)
        o->reach[k] =
            s->length[k] == ARROWS ? w->nowhere : w->legs_to[head_of(w, s, k)];
    look_ahead(w, s, o);
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

static int card_worth(const struct state *s, const struct outlook *o, int seat,
                      int card, int legs)
{
    return (set_has(s->marker[seat], card) ? 4 : 2) * o->chance[seat][legs];
}

/* Cards that nobody knows; none in a guessed world. */
static int hidden_worth(const struct state *s, const struct outlook *o,
                        int seat)
{
    if (s->view == VIEW_TRUTH)
        return 0;
    return 2 * cards_hidden(s, seat) * o->chance[seat][HIDDEN_FAR];
}

static int hand_worth(const struct state *s, const struct outlook *o, int seat,
                      const uint8_t *near)
{
    int worth = 0;
    SET_EACH(card, s->hand[seat])
    worth += card_worth(s, o, seat, card, near[card]);
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

/* All but the cards in hand that are known. */
static void rest_worth(const struct world *w, const struct state *s,
                       const struct outlook *o, const uint8_t *near, int *milli)
{
    int part = o->part;
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] += hidden_worth(s, o, seat) +
                       CHEQUE_WORTH * s->cheques[seat] * part / 1000 +
                       1000 * tx_points_of(w, s, seat);
    if (s->phase == PHASE_TURN)
        milli[s->seat] +=
            (rights_worth(s) + open_worth(w, s, near)) * part / 1000;
    else if (s->phase == PHASE_SWAP)
        milli[s->seat] +=
            2 * o->chance[s->seat][DRAWN_FAR] + rights_worth(s) * part / 1000;
}

void terrax_estimate(const struct world *w, const struct state *s,
                     struct memo *m, int *milli)
{
    (void)m;
    struct outlook o;
    uint8_t near[CARDS];
    if (s->phase == PHASE_OVER) {
        for (int seat = 0; seat < w->seats; seat++)
            milli[seat] = 1000 * tx_points_of(w, s, seat);
        return;
    }
    look(w, s, &o);
    nearest_of(o.reach[0], o.reach[1], o.reach[2], near);
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] = hand_worth(s, &o, seat, near);
    rest_worth(w, s, &o, near, milli);
}

/* ---- beliefs ---- */

/* Who holds a mission lays arrows towards it and seldom away from it: a leg
 * nearer makes the card e^0.08 times as likely in that hand, twice that where
 * it is not far; counted in games of bots. */
enum { LEG_TELLS = 80, NOT_FAR = 4 };

static int told_by(const struct world *w, const uint64_t *hand, int slot)
{
    const uint8_t *from = w->legs_to[w->from[slot]];
    const uint8_t *to = w->legs_to[w->to[slot]];
    int legs = 0;
    SET_EACH(card, hand)
    {
        int nearer = from[card] - to[card];
        bool close = from[card] < NOT_FAR || to[card] < NOT_FAR;
        legs += close ? 2 * nearer : nearer;
    }
    return legs;
}

int terrax_belief(const struct world *w, const struct state *s, int viewer)
{
    uint64_t hand[SEATS][CARD_WORDS];
    int legs = 0;
    for (int seat = 0; seat < w->seats; seat++)
        for (int i = 0; i < CARD_WORDS; i++)
            hand[seat][i] = s->hand[seat][i] & ~s->shown[i];
    for (int k = 0; k < COLOURS; k++)
        for (int i = 0; i < s->length[k]; i++) {
            int seat = route_seat(s, k, i);
            if (seat >= 0 && seat != viewer)
                legs += told_by(w, hand[seat], route_slot(s, k, i));
        }
    return LEG_TELLS * legs;
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
    terrax_estimate(w, &after, NULL, milli);
    return lead(w, milli, seat);
}

struct ranking {
    const struct world *w;
    const struct state *s;
    int seat;
    struct outlook o;
    uint8_t near[CARDS];
    uint8_t other[COLOURS][CARDS]; /* legs from the nearer of the other heads */
    uint8_t card[CARDS];           /* in any hand */
    int8_t stake[CARDS]; /* what it brings the lead, in parts of seats - 1 */
    int cards;
    int now;         /* the present lead */
    int hands, open; /* what hands and the row make of it */
    bool got[COLOURS][PLACES];
    int moved[COLOURS][PLACES]; /* lead gained by a head that stands there */
};

/* Lists the cards of all hands and tells what each hand is worth. */
static void list_cards(struct ranking *r, int *milli)
{
    int others = r->w->seats - 1;
    r->cards = r->hands = 0;
    for (int seat = 0; seat < r->w->seats; seat++) {
        int part = seat == r->seat ? others : -1, worth = 0;
        SET_EACH(card, r->s->hand[seat])
        {
            int stake = set_has(r->s->marker[seat], card) ? 4 : 2;
            worth += stake * r->o.chance[seat][r->near[card]];
            r->stake[r->cards] = (int8_t)(stake * part);
            r->card[r->cards++] = (uint8_t)card;
        }
        r->hands += part * worth;
        milli[seat] = worth;
    }
}

/* Legs from the nearest head if that of k stood at p. */
static inline int legs_with(const struct ranking *r, int k, int p, int card)
{
    int legs = r->w->legs_to[p][card], other = r->other[k][card];
    return legs < other ? legs : other;
}

static int open_with(const struct ranking *r, int k, int p)
{
    int worth = 0;
    for (int i = 0; i < r->w->option[OPT_OPEN_COUNT]; i++)
        if (r->s->open[i] < ANY_CARD)
            worth += prize[legs_with(r, k, p, r->s->open[i])];
    return worth;
}

/* What the head of k brings by coming to p: nearness and an open mission.
 * Several rights lead to the same place, so it is kept. */
static int head_worth(struct ranking *r, int k, int p)
{
    const uint16_t *chance = r->o.chance[0]; /* alike until the last round */
    int sum = 0, card = r->w->card_of[p];
    if (r->got[k][p])
        return r->moved[k][p];
    for (int i = 0; i < r->cards; i++)
        sum += r->stake[i] * chance[legs_with(r, k, p, r->card[i])];
    int gain = (sum - r->hands) / (r->w->seats - 1);
    gain += (open_with(r, k, p) - r->open) * r->o.part / 1000;
    if (card != NO_CARD && r->s->where[card] == AT_OPEN)
        gain += 1000;
    r->got[k][p] = true;
    r->moved[k][p] = gain;
    return gain;
}

/* Does somebody complete a mission there?  Then much changes at once. */
static bool completes(const struct ranking *r, int p)
{
    int card = r->w->card_of[p];
    return card != NO_CARD && r->s->where[card] < SEATS &&
           r->w->option[OPT_CLAIMS] == CLAIMS_AUTO;
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
    if (completes(r, p))
        return rank_by_play(r->w, r->s, r->seat, a);
    int gain = station_worth(r, k, p, false) - arrow_cost(act_kind(a));
    return r->now + head_worth(r, k, p) + gain * r->o.part / 1000;
}

static int rank_remove(struct ranking *r, action a)
{
    const struct state *s = r->s;
    int k = act_colour(a), length = s->length[k];
    int p = length > 1 ? r->w->to[route_slot(s, k, length - 2)] : r->w->hub;
    int gain = -CHEQUE_WORTH;
    if (completes(r, p))
        return rank_by_play(r->w, s, r->seat, a);
    if (length > 1)
        gain += station_worth(r, k, p, true);
    if (s->loop == k)
        gain -= LOOP_WORTH;
    return r->now + head_worth(r, k, p) + gain * r->o.part / 1000;
}

static int rank_swap(struct ranking *r, action a)
{
    int card = act_card_of(a);
    int gain = 2 * r->o.chance[r->seat][DRAWN_FAR];
    if (card != CARD_UNKNOWN)
        gain -= card_worth(r->s, &r->o, r->seat, card, r->near[card]);
    return r->now + gain - (CHEQUE_WORTH + r->open) * r->o.part / 1000;
}

/* The next seat has its base right and the open missions before it. */
static int rank_end(const struct ranking *r, action a)
{
    const struct state *s = r->s;
    if (!s->moved || s->still || s->phase != PHASE_TURN)
        return rank_by_play(r->w, s, r->seat, a);
    int own = rights_worth(s) + r->open, next = BASE_WORTH + r->open;
    return r->now - own * r->o.part / 1000 -
           next * r->o.part / 1000 / (r->w->seats - 1);
}

/* Playing every action and looking would be exact, and ten times slower. */
static int rank_one(struct ranking *r, action a)
{
    if (r->s->last)
        return rank_by_play(r->w, r->s, r->seat, a);
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
    case ACT_END:
        return rank_end(r, a);
    default:
        return rank_by_play(r->w, r->s, r->seat, a);
    }
}

void terrax_rank(const struct world *w, const struct state *s, struct memo *m,
                 int seat, const action *legal, int count, int *milli)
{
    struct ranking r;
    int expected[SEATS];
    (void)m;
    r.w = w;
    r.s = s;
    r.seat = seat;
    memset(r.got, 0, sizeof r.got); /* the rest is written before it is read */
    look(w, s, &r.o);
    nearest_of(r.o.reach[0], r.o.reach[1], r.o.reach[2], r.near);
    list_cards(&r, expected);
    rest_worth(w, s, &r.o, r.near, expected);
    for (int k = 0; k < COLOURS; k++) {
        const uint8_t *a = r.o.reach[(k + 1) % 3], *b = r.o.reach[(k + 2) % 3];
        nearest_of(a, b, b, r.other[k]);
    }
    r.now = lead(w, expected, seat);
    r.open = open_worth(w, s, r.near);
    for (int i = 0; i < count; i++)
        milli[i] = rank_one(&r, legal[i]);
}
