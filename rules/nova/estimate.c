/* rules/nova/estimate.c: how many points each seat may expect, and what each
 * action is worth; hints for searches.
 *
 * The expectation of a seat is its score, something for each pioneer it still
 * has, and its share of every region, weighed by how few stones would seal it
 * (docs/bots.md).  A move changes no region and no rim, only who holds what:
 * so one survey values all moves, by fields.  Stones that divide nothing are
 * valued from the same survey; only those that may are carried out. */
#include "rules/nova/survey.h"

#include "base/check.h"

static int at_most(int number, int most)
{
    return number < most ? number : most;
}

/* What closing the region would bring, times the trust in it; thousandths. */
static int worth(const struct weights *x, int size, int kinds, int seals)
{
    return size * (4 - kinds) * x->region[kinds - 1] *
           x->seal[at_most(seals, SEALS - 1)] / 1000;
}

/* The seat's share of a region, in parts of HOLD (nova §7.2). */
static int hold(const struct world *w, const uint8_t *count, int seat)
{
    static const int part[NOVA_SEATS + 1] = {0, HOLD, HOLD / 2, HOLD / 3,
                                             HOLD / 4};
    int mine = count[seat], ties = 0;
    if (mine == 0)
        return 0;
    for (int other = 0; other < w->seats; other++) {
        if (count[other] > mine)
            return 0;
        ties += count[other] == mine;
    }
    return part[ties];
}

/* ---- estimate ---- */

static void final_points(const struct world *w, const struct state *s,
                         int *milli)
{
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] = 1000 * s->score[seat];
}

/* Majorities come and go, only walls last: a seat that moves about without
 * placing stones is charged for each such turn of the present streak. */
static int quiet_cost(const struct world *w, const struct state *s, int seat)
{
    int back = (s->seat + w->seats - seat - 1) % w->seats + 1;
    if (s->placed > 0 || s->quiet < back)
        return 0;
    return w->weights.quiet * ((s->quiet - back) / w->seats + 1);
}

static void sum_up(const struct world *w, const struct state *s,
                   struct survey *v, int *milli)
{
    const struct weights *x = &w->weights;
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] =
            1000 * s->score[seat] - quiet_cost(w, s, seat) +
            x->pioneer * (bits_count(&s->pioneers[seat]) + s->hand[seat]);
    for (int i = 0; i < v->regions; i++) {
        struct region *r = &v->region[i];
        r->worth = worth(x, r->size, r->kinds, r->seals);
        for (int seat = 0; seat < w->seats; seat++)
            milli[seat] += r->worth * hold(w, r->count, seat) / HOLD;
    }
}

void nova_estimate_by(const struct world *w, const struct state *s, int *milli)
{
    struct survey v;
    if (s->reason) {
        final_points(w, s, milli);
        return;
    }
    survey_take(w, s, &v);
    sum_up(w, s, &v, milli);
}

/* ---- rank ---- */

/* Thousandths; small, so that they decide among equals only. */
enum { PLACE_BORDER = 40, PLACE_BESIDE = 60 };

/* What an action is worth to a seat: its lead over its rivals after it. */
struct ranking {
    const struct world *world;
    const struct state *state;
    int seat;
    int lead;
    struct survey survey;
    int hold[REGIONS];                /* the seat's share less its rivals' */
    int gain[REGIONS], loss[REGIONS]; /* one pioneer more, one less */
    int gain_of[FIELDS];
    int row[FIELDS]; /* moves from one field to each */
    int row_field;   /* which one, or -1 */
    int last_move;   /* what a third move without a stone costs */
    int first_stone; /* what the first stone of the turn saves */
};

/* The mean of the others, from their sum. */
static int mean(const struct world *w, int rivals)
{
    return w->seats > 2 ? rivals / (w->seats - 1) : rivals;
}

static int lead_of(const struct world *w, const int *milli, int seat)
{
    int rivals = 0;
    for (int other = 0; other < w->seats; other++)
        rivals += other != seat ? milli[other] : 0;
    return milli[seat] - mean(w, rivals);
}

/* The seat's share less the mean of the others', in parts of HOLD. */
static int difference(const struct ranking *k, const uint8_t *count)
{
    int mine = hold(k->world, count, k->seat), rivals = 0;
    for (int other = 0; other < k->world->seats; other++)
        rivals += other != k->seat ? hold(k->world, count, other) : 0;
    return mine - mean(k->world, rivals);
}

/* The region as it is, with one pioneer of the seat more, and with one less. */
static void weigh_region(struct ranking *k, int i)
{
    const struct region *r = &k->survey.region[i];
    uint8_t count[NOVA_SEATS];
    int value = r->worth;
    memcpy(count, r->count, sizeof count);
    k->hold[i] = difference(k, count);
    count[k->seat]++;
    k->gain[i] = value * (difference(k, count) - k->hold[i]) / HOLD;
    k->loss[i] = 0;
    if (r->count[k->seat] == 0)
        return;
    count[k->seat] = (uint8_t)(r->count[k->seat] - 1);
    k->loss[i] = value * (difference(k, count) - k->hold[i]) / HOLD;
}

static int stone_saves(const struct world *w, const struct state *s, int seat)
{
    int cost[NOVA_SEATS] = {0};
    for (int other = 0; other < w->seats; other++)
        cost[other] = quiet_cost(w, s, other);
    return lead_of(w, cost, seat);
}

static void ranking_init(struct ranking *k, const struct world *w,
                         const struct state *s, int seat)
{
    int milli[NOVA_SEATS];
    struct survey *v = &k->survey;
    k->world = w;
    k->state = s;
    k->seat = seat;
    k->row_field = -1;
    survey_take(w, s, v);
    sum_up(w, s, v, milli);
    k->lead = lead_of(w, milli, seat);
    k->last_move = s->act == 3 && s->placed == 0 ? w->weights.quiet : 0;
    k->first_stone = stone_saves(w, s, seat);
    for (int i = 0; i < v->regions; i++)
        weigh_region(k, i);
    for (int field = 0; field < v->fields; field++) {
        k->gain_of[field] = 0;
        for (int i = 0; i < v->region_count[field]; i++)
            k->gain_of[field] += k->gain[v->region_of[field][i]];
    }
}

/* A move leaves the regions of one field and enters those of another; regions
 * that hold both do not change. */
static void fill_row(struct ranking *k, int from)
{
    const struct survey *v = &k->survey;
    int left = 0;
    for (int i = 0; i < v->region_count[from]; i++)
        left += k->loss[v->region_of[from][i]];
    for (int field = 0; field < v->fields; field++)
        k->row[field] = left + k->gain_of[field];
    for (int i = 0; i < v->region_count[from]; i++) {
        int region = v->region_of[from][i];
        int both = k->loss[region] + k->gain[region];
        for (uint64_t in = v->region[region].fields; in; in &= in - 1)
            k->row[__builtin_ctzll(in)] -= both;
    }
    k->row_field = from;
}

static int rank_move(struct ranking *k, int from, int to)
{
    int field = k->survey.field_of[from], into = k->survey.field_of[to];
    if (field >= FIELDS || into >= FIELDS)
        return k->lead - k->last_move;
    if (field != k->row_field)
        fill_row(k, field);
    return k->lead - k->last_move + k->row[into];
}

/* All hexes of a field are worth the same to it; better are those that look
 * at several other fields and not at pioneers of the same seat. */
static int rank_place(const struct ranking *k, int hex)
{
    const struct world *w = k->world;
    int field = k->survey.field_of[hex], bonus = 0;
    uint64_t seen = 0;
    for (int d = 0; d < 6; d++) {
        int next = w->next[hex][d];
        if (next == NO_HEX)
            continue;
        if (k->survey.field_of[next] < FIELDS)
            seen |= (uint64_t)1 << k->survey.field_of[next];
        if (bits_has(&k->state->pioneers[k->seat], next))
            bonus -= PLACE_BESIDE;
    }
    for (; seen; seen &= seen - 1)
        bonus += PLACE_BORDER;
    return k->lead + bonus + (field < FIELDS ? k->gain_of[field] : 0);
}

/* Carries the action out and looks. */
static int rank_in_full(const struct ranking *k, action a)
{
    struct state after = *k->state;
    int milli[NOVA_SEATS];
    nova_apply(k->world, &after, k->seat, a);
    nova_estimate_by(k->world, &after, milli);
    return lead_of(k->world, milli, k->seat);
}

static unsigned pattern(const struct world *w, const struct bits *set, int hex)
{
    unsigned found = 0;
    for (unsigned d = 0; d < 6; d++) {
        int next = w->next[hex][d];
        if (next != NO_HEX && bits_has(set, next))
            found |= 1u << d;
    }
    return found;
}

/* Could the stone divide a part or a field, or use up a landscape or the
 * supply? */
static bool may_divide(const struct ranking *k, int hex)
{
    const struct world *w = k->world;
    const struct state *s = k->state;
    int field = k->survey.field_of[hex];
    if (field >= FIELDS || s->supply == 1)
        return true;
    unsigned same = pattern(w, &k->survey.hexes[field], hex);
    return w->runs[same] != 1 || w->runs[pattern(w, &s->live, hex)] != 1;
}

/* Hexes of the rim that touch the region only where the stone falls. */
static int rim_lost(const struct world *w, const struct region *r, int hex)
{
    struct bits rest = r->hexes;
    int lost = 0;
    bits_drop(&rest, hex);
    for (int d = 0; d < 6; d++) {
        int next = w->next[hex][d];
        if (next != NO_HEX && bits_has(&r->rim, next) &&
            !bits_meet(&w->near[next], &rest))
            lost++;
    }
    return lost;
}

/* A stone inside takes a hex away; one on the rim leaves fewer to seal. */
static int rank_stone(const struct ranking *k, int hex)
{
    const struct world *w = k->world;
    int lead = k->lead + k->first_stone;
    for (int i = 0; i < k->survey.regions; i++) {
        const struct region *r = &k->survey.region[i];
        if (k->hold[i] == 0)
            continue;
        bool inside = bits_has(&r->hexes, hex);
        if (!inside && !bits_has(&r->rim, hex))
            continue;
        int seals = r->seals - (inside ? rim_lost(w, r, hex) : 1);
        int after = worth(&w->weights, r->size - inside, r->kinds, seals);
        lead += (after - r->worth) * k->hold[i] / HOLD;
    }
    return lead;
}

static int rank_action(struct ranking *k, action a)
{
    switch (kind_of(a)) {
    case MOVE:
        return rank_move(k, from_of(a), to_of(a));
    case STONE:
        return may_divide(k, to_of(a)) ? rank_in_full(k, a)
                                       : rank_stone(k, to_of(a));
    case PLACE:
        return rank_place(k, to_of(a));
    default:
        return k->lead;
    }
}

void nova_rank_by(const struct world *w, const struct state *s, int seat,
                  const action *legal, int count, int *milli)
{
    struct ranking k;
    if (count == 0)
        return;
    ranking_init(&k, w, s, seat);
    for (int i = 0; i < count; i++)
        milli[i] = rank_action(&k, legal[i]);
}
