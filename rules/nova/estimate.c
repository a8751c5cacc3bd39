/* rules/nova/estimate.c: how many points each seat may expect, and what each
 * action is worth; hints for searches.
 *
 * The expectation of a seat is its score, something for each pioneer it still
 * has, and its share of every region, weighed by how few stones would seal it;
 * for two seats these numbers are learned (docs/bots.md).  A move changes no
 * region and no rim, only who holds what: so one survey values all moves, by
 * fields.  Stones that divide nothing are valued from the same survey; only
 * those that may are carried out. */
#include "rules/nova/survey.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* What closing a region would bring, times the trust in it; thousandths. */
static int worth(int size, int trust)
{
    return size * trust / 1000;
}

/* ---- who holds a region (nova §7.2) ---- */

static int held_by(uint32_t held, int seat)
{
    return (int)(held >> 8 * seat & 255);
}

/* The most pioneers among all seats but one, and how many seats have them. */
struct rivals {
    int most, ties;
};

static struct rivals rivals_of(const struct world *w, uint32_t held, int seat)
{
    struct rivals r = {0, 0};
    for (int other = 0; other < w->seats; other++) {
        int count = other == seat ? -1 : held_by(held, other);
        r.ties = count > r.most ? 1 : r.ties + (count == r.most);
        r.most = count > r.most ? count : r.most;
    }
    return r;
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

int nova_sure_lead(const struct world *w, const struct state *s, int seat)
{
    int rival = 1 - seat;
    return 1000 * (s->score[seat] - s->score[rival]) - quiet_cost(w, s, seat) +
           quiet_cost(w, s, rival);
}

/* What everybody has, before the regions. */
static void sum_begin(const struct world *w, const struct state *s, int *milli)
{
    const struct weights *x = &w->weights;
    for (int seat = 0; seat < w->seats; seat++)
        milli[seat] =
            1000 * s->score[seat] - quiet_cost(w, s, seat) +
            x->pioneer * (bits_count(&s->pioneers[seat]) + s->hand[seat]);
}

/* The leaders share a region. */
static void share_out(const struct world *w, uint32_t held, int value,
                      int *milli)
{
    struct rivals r = rivals_of(w, held, SEAT_NONE);
    if (r.most == 0 || r.ties == 0)
        return;
    for (int seat = 0; seat < w->seats; seat++)
        if (held_by(held, seat) == r.most)
            milli[seat] += value / r.ties;
}

static void sum_up(const struct world *w, const struct state *s,
                   const struct survey *v, int *milli)
{
    sum_begin(w, s, milli);
    for (int i = 0; i < v->regions; i++)
        if (v->region_held[i])
            share_out(w, v->region_held[i],
                      worth(v->region_size[i], v->trust[i]), milli);
}

/* ---- the learned estimate, for two ---- */

/* Pioneers are placed by the hand-written numbers: what was learned tells
 * little before stones fall, and plays worse there. */
static bool learns(const struct world *w, const struct state *s)
{
    return w->learns && s->act != PLACING;
}

/* The numbers that hold for a position. */
struct lore {
    int pioneer, tempo; /* tempo: for the seat that asks */
    const struct land_worth (*land)[SEALS][STANDS];
};

static struct lore lore_of(const struct world *w, int phase, int stage, int act)
{
    int tempo = w->tempo[phase][act - 1];
    return (struct lore){w->pioneer[phase], stage < 3 ? tempo : -tempo,
                         w->land_worth[phase][stage]};
}

static int pieces_of(const struct state *s, int seat)
{
    return bits_count(&s->pioneers[seat]) + s->hand[seat];
}

static int roam_of(const struct world *w, const struct state *s, int phase,
                   int seat)
{
    int sum = 0;
    BITS_EACH (hex, s->pioneers[seat])
        sum += w->roam[phase][moves_from(w, s, hex)];
    return sum;
}

/* Who has the freer pioneers: some are locked in, or soon will be; others
 * reach much land. */
static int roam_lead(const struct world *w, const struct state *s, int phase,
                     int seat)
{
    return roam_of(w, s, phase, seat) - roam_of(w, s, phase, 1 - seat);
}

/* Scores, pioneers and tempo, without regions and roaming. */
static int learned_begin(const struct world *w, const struct state *s,
                         const struct lore *l, int seat)
{
    int ahead = pieces_of(s, seat) - pieces_of(s, 1 - seat);
    return nova_sure_lead(w, s, seat) + l->pioneer * ahead + l->tempo;
}

static const struct land_worth *
land_row(const struct lore *l, const struct survey *v, int i, int seals)
{
    return l->land[i >= v->singles][seals < SEALS ? seals : SEALS - 1];
}

static int learned_lead(const struct world *w, const struct state *s,
                        const struct survey *v, int phase, int seat)
{
    struct lore l = lore_of(w, phase, learned_stage(s, seat), s->act);
    int lead = learned_begin(w, s, &l, seat);
    for (int i = 0; i < v->regions; i++)
        lead += learned_land(land_row(&l, v, i, v->seals[i]), v->region_size[i],
                             learned_stand(w, v->region_held[i], seat).now);
    return lead;
}

/* Only leads were learned: how much there is for both is as by hand. */
static void part_by_lead(int lead, int *milli)
{
    milli[0] = (milli[0] + milli[1] + lead) / 2;
    milli[1] = milli[0] - lead;
}

/* In the memo, or else in `own`. */
static struct survey *look(const struct world *w, const struct state *s,
                           struct memo *m, const struct survey *busy,
                           struct survey *own)
{
    if (m)
        return survey_find(w, s, m, busy);
    survey_take(w, s, own);
    return own;
}

static void estimate(const struct world *w, const struct state *s,
                     struct memo *m, const struct survey *busy, int *milli)
{
    struct survey own;
    if (s->reason) {
        final_points(w, s, milli);
        return;
    }
    const struct survey *v = look(w, s, m, busy, &own);
    sum_up(w, s, v, milli);
    if (learns(w, s)) {
        int phase = learned_phase(w, s);
        part_by_lead(
            learned_lead(w, s, v, phase, 0) + roam_lead(w, s, phase, 0), milli);
    }
}

void nova_estimate_by(const struct world *w, const struct state *s,
                      struct memo *m, int *milli)
{
    estimate(w, s, m, NULL, milli);
}

/* ---- rank ---- */

/* Thousandths; small, so that they decide among equals only. */
enum { PLACE_BORDER = 40, PLACE_BESIDE = 60 };

/* What an action is worth to a seat: its lead over its rivals after it. */
struct ranking {
    const struct world *world;
    const struct state *state;
    struct memo *memo; /* may be NULL */
    int seat;
    int lead;
    bool learns;
    int phase, roam;
    struct lore lore;
    int last_move;   /* what a third move without a stone costs */
    int first_stone; /* what the first stone of the turn saves */
    int row_field;   /* moves from there are in `row`; or -1 */
    int row[FIELDS + 1];
    int gain_of[FIELDS + 1]; /* none for NO_FIELD */
    int worth[REGIONS];
    int hold[REGIONS]; /* the seat's share less its rivals', in parts of HOLD */
    int gain[REGIONS], loss[REGIONS]; /* one pioneer more, one less */
    struct survey *survey;
    struct survey own;
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

/* The regions as they are, with one pioneer of the seat more, and with one
 * less; the last counts only where the seat has one. */
static void weigh_regions(struct ranking *k)
{
    const struct survey *v = k->survey;
    for (int i = 0; i < v->regions; i++) {
        uint32_t held = v->region_held[i];
        struct rivals rivals = rivals_of(k->world, held, k->seat);
        int ahead = held_by(held, k->seat) - rivals.most;
        ahead = ahead > BEHIND ? BEHIND : ahead < -BEHIND ? -BEHIND : ahead;
        const struct standing *at =
            &k->world->standing[rivals.ties][ahead + BEHIND];
        k->hold[i] = at->now;
        k->gain[i] = k->worth[i] * at->more / HOLD;
        k->loss[i] = k->worth[i] * at->less / HOLD;
        k->lead += k->worth[i] * at->now / HOLD;
    }
}

/* The same for two seats, where shares are whole; all regions at once. */
static void weigh_duel(struct ranking *k)
{
    const struct survey *v = k->survey;
    int mine = 8 * k->seat, other = 8 - mine, lead = 0;
    for (int i = 0; i < v->regions; i++) {
        uint32_t held = v->region_held[i];
        int ahead = (int)(held >> mine & 255) - (int)(held >> other & 255);
        int now = (ahead > 0) - (ahead < 0), value = k->worth[i];
        k->hold[i] = HOLD * now;
        k->gain[i] = ahead == 0 || ahead == -1 ? value : 0;
        k->loss[i] = ahead == 0 || ahead == 1 ? -value : 0;
        lead += value * now;
    }
    k->lead += lead;
}

/* The same by what was learned. */
static void weigh_learned(struct ranking *k)
{
    const struct survey *v = k->survey;
    for (int i = 0; i < v->regions; i++) {
        const struct land_worth *row = land_row(&k->lore, v, i, v->seals[i]);
        struct stand at = learned_stand(k->world, v->region_held[i], k->seat);
        int size = v->region_size[i], now = learned_land(row, size, at.now);
        k->hold[i] = at.now - CLASSES;
        k->worth[i] = now;
        k->gain[i] = learned_land(row, size, at.more) - now;
        k->loss[i] = learned_land(row, size, at.less) - now;
        k->lead += now;
    }
}

/* Scores and so on; who acts next is known beforehand. */
static void begin_learned(struct ranking *k)
{
    const struct state *s = k->state;
    int act = s->act % 3 + 1, stage = s->act == 3 ? 3 : act - 1;
    k->phase = learned_phase(k->world, s);
    k->lore = lore_of(k->world, k->phase, stage, act);
    k->roam = roam_lead(k->world, s, k->phase, k->seat);
    k->lead = learned_begin(k->world, s, &k->lore, k->seat) + k->roam;
}

static int stone_saves(const struct world *w, const struct state *s, int seat)
{
    int cost[NOVA_SEATS] = {0};
    for (int other = 0; other < w->seats; other++)
        cost[other] = quiet_cost(w, s, other);
    return lead_of(w, cost, seat);
}

static int gain_in(const struct ranking *k, int field)
{
    int gain = 0;
    REGIONS_EACH (i, k->survey, field)
        gain += k->gain[i];
    return gain;
}

static void ranking_init(struct ranking *k, const struct world *w,
                         const struct state *s, struct memo *m, int seat)
{
    int milli[NOVA_SEATS];
    struct survey *v = look(w, s, m, NULL, &k->own);
    k->world = w;
    k->state = s;
    k->memo = m;
    k->survey = v;
    k->seat = seat;
    k->row_field = -1;
    k->learns = learns(w, s);
    if (k->learns) {
        begin_learned(k);
    } else {
        sum_begin(w, s, milli);
        k->lead = lead_of(w, milli, seat);
    }
    k->last_move = s->act == 3 && s->placed == 0 ? w->weights.quiet : 0;
    k->first_stone = stone_saves(w, s, seat);
    for (int i = 0; !k->learns && i < v->regions; i++)
        k->worth[i] = worth(v->region_size[i], v->trust[i]);
    if (k->learns)
        weigh_learned(k);
    else if (w->seats == 2)
        weigh_duel(k);
    else
        weigh_regions(k);
    memset(k->gain_of, 0, sizeof k->gain_of);
    for (int field = 0; field < v->fields; field++)
        k->gain_of[field] = gain_in(k, field);
}

/* Eight numbers, taken at once where the processor can. */
typedef int eight __attribute__((vector_size(32)));

/* What a move from a field takes from all fields of a region that it does not
 * leave, for each of its regions. */
struct staying {
    int regions, minus[BOARD_LANDS];
    uint64_t fields[BOARD_LANDS];
};

/* Eight fields of the row. */
static void fill_part(const struct staying *s, const int *gain, int left,
                      int from, int *row)
{
    const eight bit = {1, 2, 4, 8, 16, 32, 64, 128};
    eight x;
    memcpy(&x, gain, sizeof x);
    x += left;
    for (int i = 0; i < s->regions; i++) {
        eight some = (bit & (int)(s->fields[i] >> from & 255)) == bit;
        x -= some & s->minus[i];
    }
    memcpy(row, &x, sizeof x);
}

/* A move leaves the regions of one field and enters those of another; regions
 * that hold both do not change.  Whatever is reached from a live hex is live,
 * too; what the survey left out counts nothing. */
static void fill_row(struct ranking *k, int from)
{
    const struct survey *v = k->survey;
    int stay = k->lead - k->last_move, left = stay;
    struct staying staying;
    staying.regions = 0;
    k->row_field = from;
    if (from == NO_FIELD) {
        for (int field = 0; field <= FIELDS; field++)
            k->row[field] = stay;
        return;
    }
    REGIONS_EACH (i, v, from) {
        left += k->loss[i];
        staying.fields[staying.regions] = v->region[i];
        staying.minus[staying.regions++] = k->loss[i] + k->gain[i];
    }
    for (int field = 0; field < v->fields; field += 8)
        fill_part(&staying, k->gain_of + field, left, field, k->row + field);
    k->row[NO_FIELD] = stay;
}

/* How many of the eight actions from `legal` on belong to a pioneer whose
 * actions stand together. */
static int count_moves(const action *legal, action pioneer)
{
#ifdef __AVX2__
    __m256i moves = _mm256_loadu_si256((const void *)legal);
    __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(moves, 8),
                                      _mm256_set1_epi32((int)pioneer));
    return __builtin_popcount(
        (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same)));
#else
    int count = 0;
    for (int i = 0; i < 8; i++)
        count += legal[i] >> 8 == pioneer;
    return count;
#endif
}

/* All moves of one pioneer, which stand together; returns how many. */
static int rank_moves(struct ranking *k, const action *legal, int count,
                      int *milli)
{
    const uint8_t *field_of = k->survey->field_of;
    const int *row = k->row;
    action pioneer = legal[0] >> 8;
    int field = field_of[from_of(legal[0])], i = 0;
    if (field != k->row_field)
        fill_row(k, field);
    while (i + 8 <= count) { /* what is too much is overwritten by the next */
        for (int n = i; n < i + 8; n++)
            milli[n] = row[field_of[to_of(legal[n])]];
        int moves = count_moves(legal + i, pioneer);
        i += moves;
        if (moves < 8)
            return i;
    }
    for (; i < count && legal[i] >> 8 == pioneer; i++)
        milli[i] = row[field_of[to_of(legal[i])]];
    return i;
}

/* The fields of the hexes beside one, its own where the board ends; those out
 * of play set the bit of NO_FIELD. */
static uint64_t fields_around(const struct ranking *k, int hex)
{
    uint64_t found = 0;
    for (int d = 0; d < 6; d++)
        found |= (uint64_t)1 << k->survey->field_of[k->world->beside[hex][d]];
    return found;
}

static uint64_t bit_of(int field)
{
    return (uint64_t)1 << field;
}

/* All hexes of a field are worth the same to it; better are those that look
 * at several other fields and not at pioneers of the same seat. */
static int rank_place(const struct ranking *k, int hex)
{
    int field = k->survey->field_of[hex];
    uint64_t seen = fields_around(k, hex) & ~bit_of(field) & ~bit_of(NO_FIELD);
    struct bits own =
        bits_and(k->world->near[hex], &k->state->pioneers[k->seat]);
    int bonus = PLACE_BORDER * __builtin_popcountll(seen) -
                PLACE_BESIDE * bits_count(&own);
    return k->lead + bonus + k->gain_of[field];
}

/* The same for all, while no stone has changed a field. */
static void rank_places(const struct ranking *k, const action *legal, int count,
                        int *milli)
{
    const struct world *w = k->world;
    uint8_t own[BOARD_HEXES] = {0};
    BITS_EACH (hex, k->state->pioneers[k->seat])
        for (int d = 0; d < 6; d++)
            own[w->beside[hex][d]]++;
    for (int i = 0; i < count; i++) {
        int hex = to_of(legal[i]);
        milli[i] = k->lead + PLACE_BORDER * w->seen[hex] -
                   PLACE_BESIDE * own[hex] + k->gain_of[w->plot_of[hex]];
    }
}

/* Carries the action out and looks. */
static int rank_in_full(const struct ranking *k, action a)
{
    struct state after = *k->state;
    int milli[NOVA_SEATS];
    nova_apply(k->world, &after, k->seat, a);
    if (k->learns && !after.reason) {
        struct survey own;
        const struct survey *v =
            look(k->world, &after, k->memo, k->survey, &own);
        return learned_lead(k->world, &after, v, k->phase, k->seat) + k->roam;
    }
    estimate(k->world, &after, k->memo, k->survey, milli);
    return lead_of(k->world, milli, k->seat);
}

/* Does the set without `hex` still hang together around it? */
static bool still_joined(const struct world *w, const struct bits *set, int hex)
{
    struct bits left = *set;
    bits_drop(&left, hex);
    unsigned found = survey_around(w, &left, hex);
    if (w->runs[found] < 2)
        return found != 0;
    struct bits goal = bits_and(w->near[hex], set);
    struct bits piece = {{0}}, edge = {{0}};
    bits_add(&edge, bits_first(&goal));
    while (!bits_none(&edge)) {
        struct bits reached = {{0}};
        BITS_EACH (next, edge)
            reached = bits_or(reached, &w->near[next]);
        piece = bits_or(piece, &edge);
        edge = bits_and(reached, &left);
        edge = bits_without(edge, &piece);
    }
    goal = bits_without(goal, &piece);
    return bits_none(&goal);
}

/* Would the stone divide a field or take it from another, so that regions or
 * even parts change, or use up a field?  While the rest of its field touches
 * all that it touched, everything hangs together as before. */
static bool divides(const struct ranking *k, int hex, uint64_t around)
{
    const struct survey *v = k->survey;
    int field = v->field_of[hex];
    if (field == NO_FIELD || !still_joined(k->world, &v->hexes[field], hex))
        return true;
    struct bits rest = v->hexes[field];
    bits_drop(&rest, hex);
    FIELDS_EACH (other, around & ~bit_of(field) & ~bit_of(NO_FIELD))
        if (!bits_meet(&v->rim[other], &rest))
            return true;
    return false;
}

/* The hexes beside a stone: their fields, and the fields around them that do
 * not vanish with it. */
struct beside {
    uint64_t field, around;
};

static int look_beside(const struct ranking *k, int hex, struct beside *out)
{
    const struct world *w = k->world;
    const struct survey *v = k->survey;
    uint64_t own = bit_of(v->field_of[hex]);
    struct bits rest = v->hexes[v->field_of[hex]];
    int count = 0;
    bits_drop(&rest, hex);
    for (int d = 0; d < 6; d++) {
        int next = w->beside[hex][d];
        uint64_t field = bit_of(v->field_of[next]);
        if (field & (own | bit_of(NO_FIELD)))
            continue;
        uint64_t around = fields_around(k, next);
        if (!bits_meet(&w->near[next], &rest))
            around &= ~own;
        out[count++] = (struct beside){field, around};
    }
    return count;
}

/* A stone inside takes a hex away, and from the rim what touched the region
 * only there; one on the rim leaves fewer to seal.  Returns how many dents. */
static int find_dents(const struct ranking *k, int hex, struct dent *out)
{
    struct beside beside[6];
    const struct survey *v = k->survey;
    uint64_t around = fields_around(k, hex);
    if (divides(k, hex, around))
        return DENTS_DIVIDE;
    int field = v->field_of[hex], dents = 0;
    int count = look_beside(k, hex, beside);
    uint64_t seen = bit_of(field);
    REGIONS_EACH (i, v, field) {
        unsigned sealed = 0;
        for (int n = 0; n < count; n++)
            sealed += !((beside[n].field | beside[n].around) & v->region[i]);
        out[dents++] = (struct dent){(uint8_t)i, 1, sealed & 7};
    }
    FIELDS_EACH (other, around & ~seen & ~bit_of(NO_FIELD)) {
        REGIONS_EACH (i, v, other)
            if (!(v->region[i] & seen))
                out[dents++] = (struct dent){(uint8_t)i, 0, 1};
        seen |= bit_of(other);
    }
    return dents;
}

/* The same, remembered while there is room. */
static const struct dent *dents_of(const struct ranking *k, int hex, int *count,
                                   struct dent own[DENTS])
{
    struct survey *v = k->survey;
    bool room = v->dents + DENTS <= DENTS_KEPT;
    if (v->dent_count[hex] != DENTS_UNKNOWN) {
        *count = v->dent_count[hex];
        return v->dent + v->dent_from[hex];
    }
    struct dent *to = room ? v->dent + v->dents : own;
    *count = find_dents(k, hex, to);
    if (room) {
        v->dent_from[hex] = (uint16_t)v->dents;
        v->dent_count[hex] = (uint8_t)*count;
        v->dents += *count == DENTS_DIVIDE ? 0 : *count;
    }
    return to;
}

/* What a region is worth more to the seat with a dent; by hand in parts of
 * HOLD. */
static int dent_worth(const struct ranking *k, struct dent d)
{
    const struct survey *v = k->survey;
    int i = d.region, size = v->region_size[i] - d.lost;
    int seals = v->seals[i] - d.sealed;
    if (!k->hold[i])
        return 0;
    if (k->learns)
        return learned_land(land_row(&k->lore, v, i, seals), size,
                            k->hold[i] + CLASSES) -
               k->worth[i];
    int trust = trust_in(k->world, 1 + (i >= v->singles), seals);
    return (worth(size, trust) - k->worth[i]) * k->hold[i];
}

static int rank_stone(const struct ranking *k, action a)
{
    struct dent own[DENTS];
    int count, change = 0;
    const struct dent *dent = dents_of(k, to_of(a), &count, own);
    if (count == DENTS_DIVIDE || k->state->supply == 1)
        return rank_in_full(k, a);
    for (int i = 0; i < count; i++)
        change += dent_worth(k, dent[i]);
    return k->lead + k->first_stone + (k->learns ? change : change / HOLD);
}

static int rank_action(const struct ranking *k, action a)
{
    if (kind_of(a) == PLACE)
        return rank_place(k, to_of(a));
    return kind_of(a) == STONE ? rank_stone(k, a) : k->lead;
}

void nova_rank_by(const struct world *w, const struct state *s, struct memo *m,
                  int seat, const action *legal, int count, int *milli)
{
    struct ranking k;
    int i = 0;
    if (count == 0)
        return;
    ranking_init(&k, w, s, m, seat);
    if (kind_of(legal[0]) == PLACE && bits_within(&w->all, &s->live)) {
        rank_places(&k, legal, count, milli);
        return;
    }
    while (i < count)
        if (kind_of(legal[i]) == MOVE) {
            i += rank_moves(&k, legal + i, count - i, milli + i);
        } else {
            milli[i] = rank_action(&k, legal[i]);
            i++;
        }
}
