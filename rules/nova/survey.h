/* rules/nova/survey.h: the land that may be closed one day, and who holds it.
 *
 * A field is a connected piece of one landscape inside a live part.  A region
 * is a field, or a connected piece of two landscapes: what a wall can turn
 * into a territory of one or two landscapes.  All expectations about points
 * still to come are sums over regions.
 *
 * Most fields of most positions are still as the board has them, plots: their
 * borders and neighbours are known from the world, under the same numbers.
 * What stones have cut away from a plot gets numbers behind those.
 *
 * Fields and regions depend on the hexes in play alone.  Moves leave those as
 * they are, so most positions of a search find theirs in its memo and only
 * count who holds them. */
#ifndef RULES_NOVA_SURVEY_H
#define RULES_NOVA_SURVEY_H

#include "rules/nova/state.h"

/* Real boards have some 20 fields and 60 regions; what an odd board has
 * beyond these numbers is left out of the expectation. */
enum { FIELDS = PLOTS, NO_FIELD = FIELDS, REGIONS = 256 };

/* What a stone takes from a region: a hex, and how many others that it would
 * take to seal it.  DENTS: most of one stone; then some values of dent_count,
 * for stones that nobody has asked about, and for those that may divide land
 * and must be carried out. */
struct dent {
    uint8_t region, lost : 1, sealed : 7;
};

enum {
    DENTS = 7 * BOARD_LANDS,
    DENTS_KEPT = 1024 + DENTS,
    DENTS_DIVIDE = 254,
    DENTS_UNKNOWN = 255
};

struct survey {
    uint64_t present;        /* fields, one bit each */
    uint64_t whole;          /* those that are plots */
    int fields;              /* their numbers lie below */
    uint64_t pieces[FIELDS]; /* fields of a plot that is not whole */
    uint64_t touch[FIELDS];  /* fields beside it */
    int16_t size[FIELDS];
    uint8_t field_of[BOARD_HEXES];          /* NO_FIELD: out of play */
    struct bits hexes[FIELDS], rim[FIELDS]; /* rim: open hexes around it */

    /* Regions: first those of one landscape.  Side by side, for all of them
     * are valued at once. */
    int singles, regions;
    uint64_t region[REGIONS]; /* its fields, one bit each */
    int region_size[REGIONS]; /* open hexes */
    int trust[REGIONS];       /* in each hex of it, millionths */
    uint8_t seals[REGIONS];   /* stones that would seal it: open hexes around */
    /* Those that hold a field, one for each landscape at most, stand in a row
     * from region_from[field] on to that of the next. */
    uint16_t region_from[FIELDS + 1];
    uint8_t region_row[FIELDS * BOARD_LANDS];

    /* Stones that were asked about, by their hexes; none if land is new. */
    int dents;
    uint8_t dent_count[BOARD_HEXES];
    uint16_t dent_from[BOARD_HEXES];
    struct dent dent[DENTS_KEPT];

    /* Pioneers, eight bits for each seat. */
    uint32_t held[FIELDS + 1], region_held[REGIONS];
};

/* Surveys by the hexes in play. */
enum { KEPT_SURVEYS = 128 };

struct memo {
    struct kept {
        bool taken;
        struct bits live;
    } kept[KEPT_SURVEYS];
    struct survey survey[KEPT_SURVEYS];
};

/* ---- the learned evaluation, for two ---- */

/* By the part of the board that is still live. */
static inline int learned_phase(const struct world *w, const struct state *s)
{
    int live = bits_count(&s->live) * 21, all = w->hexes;
    return (live < 15 * all) + (live < 10 * all) + (live < 5 * all);
}

/* Who acts next, as `seat` sees it. */
static inline int learned_stage(const struct state *s, int seat)
{
    return s->act - 1 + (s->seat == seat ? 0 : 3);
}

/* A seat's pioneers in a region, as far as they are told apart. */
static inline int learned_crowd(uint32_t held, int seat)
{
    int count = (int)(held >> 8 * seat & 255);
    return count < CROWD ? count : CROWD - 1;
}

static inline struct stand learned_stand(const struct world *w, uint32_t held,
                                         int seat)
{
    return w->stand[learned_crowd(held, seat)][learned_crowd(held, 1 - seat)];
}

static inline int learned_land(const struct land_worth *row, int size,
                               int stand)
{
    return row[stand].once + row[stand].each * size;
}

/* Trust in a region of one or two landscapes. */
static inline int trust_in(const struct world *w, int kinds, int seals)
{
    return w->trust[kinds - 1][seals < SEALS ? seals : SEALS - 1];
}

/* Which neighbours of a hex are in a set that it is not in itself: bit d in
 * direction d. */
static inline unsigned survey_around(const struct world *w,
                                     const struct bits *set, int hex)
{
    unsigned found = 0;
    for (unsigned d = 0; d < 6; d++)
        found |= (unsigned)bits_has(set, w->beside[hex][d]) << d;
    return found;
}

#define FIELDS_EACH(field, set)                                                \
    for (uint64_t of_##field = (set), one_##field; of_##field;                 \
         of_##field &= of_##field - 1)                                         \
        for (int field = __builtin_ctzll((one_##field = of_##field));          \
             one_##field; one_##field = 0)

/* The regions that hold a field. */
#define REGIONS_EACH(i, v, field)                                              \
    for (int at_##i = (v)->region_from[field], i;                              \
         at_##i < (v)->region_from[(field) + 1] &&                             \
         ((i = (v)->region_row[at_##i]), true);                                \
         at_##i++)

/* Land and who holds it, in `v`. */
void survey_take(const struct world *w, const struct state *s,
                 struct survey *v);
/* The same in a place of the memo, but not in `busy`; valid until the next
 * call. */
struct survey *survey_find(const struct world *w, const struct state *s,
                           struct memo *m, const struct survey *busy);

/* estimate.c, and the same for newer processors; callers use nova_estimate()
 * and nova_rank(), which choose. */
void nova_estimate_by(const struct world *w, const struct state *s,
                      struct memo *m, int *milli);
void nova_rank_by(const struct world *w, const struct state *s, struct memo *m,
                  int seat, const action *legal, int count, int *milli);
void nova_estimate_avx2(const struct world *w, const struct state *s,
                        struct memo *m, int *milli);
void nova_rank_avx2(const struct world *w, const struct state *s,
                    struct memo *m, int seat, const action *legal, int count,
                    int *milli);

#endif
