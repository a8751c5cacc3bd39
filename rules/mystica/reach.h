/* rules/mystica/reach.h: adjacency, reach, spades and clusters
 * (mystica §5, §6.1, §9). */
#ifndef RULES_MYSTICA_REACH_H
#define RULES_MYSTICA_REACH_H

#include "rules/mystica/tables.h"

/* Is this faction's special tile lying, and does it have that effect? */
static inline bool has_tile(const struct seat *p, enum tile_effect effect)
{
    return p->tile && factions[p->faction].effect == effect;
}

/* Cells directly adjacent to a cell: edges and bridges. */
struct cells touching(const struct world *w, const struct state *s, int cell);
/* Shipping level that counts now: BON4 only in the action phase. */
int shipping(const struct state *s, int seat);
/* Cells reached by direct adjacency or shipping. */
struct cells reach(const struct world *w, const struct state *s, int seat);
/* Cells reached by tunnel or carpet, whether or not they are also reached
 * otherwise; ignores the price. */
struct cells reach_flying(const struct world *w, const struct state *s,
                          int seat);
/* Can the seat still fly to `cell` and pay for it?  Free for the cell already
 * flown to in this turn. */
bool can_fly(const struct world *w, const struct state *s, int seat, int cell);
/* Workers (tunnel) or priests (carpet) one flight costs. */
int flight_price(const struct state *s, int seat);

/* Empty cells the seat could transform, wherever they are. */
struct cells soft_cells(const struct world *w, const struct state *s);
/* Empty cells of the seat's home terrain. */
struct cells home_cells(const struct world *w, const struct state *s, int seat);
/* Is the cell's present terrain home to the seat? */
bool is_home(const struct state *s, int seat, int cell);

/* Spades needed to turn a cell into `target`, 0: impossible.  With `exact` the
 * long way is taken if it needs exactly so many. */
int spades_needed(const struct world *w, const struct state *s, int seat,
                  int cell, int target, int exact);
/* Cells next to the Drill, where a spade is saved. */
struct cells drilled_cells(const struct world *w, const struct state *s,
                           int seat);
/* Colours (a mask, ICE included) into which cells of colour `from` can be
 * turned with at most, or exactly, so many spades. */
unsigned spade_targets(const struct world *w, const struct seat *p, int from,
                       int spades, bool exact, bool drill);
/* Numbers of spades (a mask) that can be used up on a cell of that colour. */
unsigned spade_counts(const struct world *w, const struct seat *p, int from,
                      bool drill);
/* Is the colour home to some faction with a fixed or present home colour? */
bool is_home_colour(const struct world *w, const struct state *s, int colour,
                    int except);

/* Own structures connected to `cell`, which carries one; `river` is a river
 * cell to be skipped in addition, or -1. */
struct cells cluster(const struct world *w, const struct state *s, int seat,
                     int cell, int river);
/* Power value and number of structures, the sanctuary counting as two. */
void cluster_size(const struct state *s, int seat, struct cells part,
                  int *power, int *structures);
bool makes_town(const struct state *s, int seat, struct cells part);
/* Power offered to each seat by a building event on the cell. */
void neighbour_power(const struct world *w, const struct state *s, int seat,
                     int cell, int power[SEATS]);
/* Does an opponent's structure touch the cell? */
bool has_neighbour(const struct world *w, const struct state *s, int seat,
                   int cell);
/* May this seat lay a bridge between the two cells? */
bool can_bridge(const struct world *w, const struct state *s, int seat, int a,
                int b);
bool any_bridge(const struct world *w, const struct state *s, int seat);
/* Cells to which a bridge from `cell` may lead, land bridges included. */
struct cells bridge_ends(const struct world *w, const struct state *s, int seat,
                         int cell);

#endif
