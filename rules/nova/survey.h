/* rules/nova/survey.h: the land that may be closed one day, and who holds it.
 *
 * A field is a connected piece of one landscape inside a live part.  A region
 * is a field, or a connected piece of two landscapes: what a wall can turn
 * into a territory of one or two landscapes.  All expectations about points
 * still to come are sums over regions. */
#ifndef RULES_NOVA_SURVEY_H
#define RULES_NOVA_SURVEY_H

#include "rules/nova/state.h"

/* Real boards have some 20 fields and 60 regions; what an odd board has
 * beyond these numbers is left out of the expectation. */
enum { FIELDS = 64, REGIONS = 256, FIELD_REGIONS = 8, HOLD = 144 };

struct region {
    uint64_t fields; /* one bit each */
    struct bits hexes, rim;
    int size, seals; /* open hexes; stones that would seal it: its rim */
    int kinds;       /* landscapes: 1 or 2 */
    int worth;       /* expected of it, thousandths; estimate.c */
    uint8_t count[NOVA_SEATS];
};

struct survey {
    int fields, regions;
    struct bits hexes[FIELDS], rim[FIELDS]; /* rim: open hexes around it */
    uint64_t touch[FIELDS];                 /* fields beside it */
    uint64_t of_land[BOARD_LANDS];          /* fields of a landscape */
    uint8_t count[FIELDS][NOVA_SEATS];      /* pioneers */
    uint8_t field_of[BOARD_HEXES];          /* only of live hexes */
    struct region region[REGIONS];
    uint8_t region_of[FIELDS][FIELD_REGIONS];
    uint8_t region_count[FIELDS];
};

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
