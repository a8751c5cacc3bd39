/* rules/nova/survey.h: the land that may be closed one day, and who holds it.
 *
 * A field is a connected piece of one landscape inside a live part.  A region
 * is a field, or a connected piece of two landscapes: what a wall can turn
 * into a territory of one or two landscapes.  All expectations about points
 * still to come are sums over regions.
 *
 * Most fields of most positions are still as the board has them, plots: their
 * borders and neighbours are known from the world, under the same numbers.
 * What stones have cut away from a plot gets numbers behind those. */
#ifndef RULES_NOVA_SURVEY_H
#define RULES_NOVA_SURVEY_H

#include "rules/nova/state.h"

/* Real boards have some 20 fields and 60 regions; what an odd board has
 * beyond these numbers is left out of the expectation. */
enum { FIELDS = PLOTS, NO_FIELD = FIELDS, REGIONS = 256, FIELD_REGIONS = 8 };

struct region {
    uint64_t fields; /* one bit each */
    uint32_t held;   /* pioneers, eight bits for each seat */
    int worth;       /* expected of it, thousandths; estimate.c */
    int16_t size;    /* open hexes */
    int16_t seals;   /* stones that would seal it: open hexes around it */
    int16_t kinds;   /* landscapes: 1 or 2 */
};

struct survey {
    uint64_t present; /* fields, one bit each */
    int fields;       /* their numbers lie below */
    int regions;
    uint64_t touch[FIELDS];        /* fields beside it */
    uint64_t of_land[BOARD_LANDS]; /* fields of a landscape */
    uint32_t held[FIELDS + 1];     /* pioneers, as in regions */
    int16_t size[FIELDS];
    uint8_t region_count[FIELDS];
    uint8_t region_of[FIELDS][FIELD_REGIONS];
    uint8_t field_of[BOARD_HEXES];          /* NO_FIELD: out of play */
    struct bits hexes[FIELDS], rim[FIELDS]; /* rim: open hexes around it */
    struct region region[REGIONS];
};

#define FIELDS_EACH(field, set)                                                \
    for (uint64_t of_##field = (set), one_##field; of_##field;                 \
         of_##field &= of_##field - 1)                                         \
        for (int field = __builtin_ctzll((one_##field = of_##field));          \
             one_##field; one_##field = 0)

void survey_take(const struct world *w, const struct state *s,
                 struct survey *v);

/* estimate.c, and the same for newer processors; callers use nova_estimate()
 * and nova_rank(), which choose. */
void nova_estimate_by(const struct world *w, const struct state *s, int *milli);
void nova_rank_by(const struct world *w, const struct state *s, int seat,
                  const action *legal, int count, int *milli);
void nova_estimate_avx2(const struct world *w, const struct state *s,
                        int *milli);
void nova_rank_avx2(const struct world *w, const struct state *s, int seat,
                    const action *legal, int count, int *milli);

#endif
