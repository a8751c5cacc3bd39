/* rules/mystica/legal.h: all actions a seat has. */
#ifndef RULES_MYSTICA_LEGAL_H
#define RULES_MYSTICA_LEGAL_H

#include "rules/mystica/apply.h"

int mystica_legal(const struct world *w, const struct state *s, int seat,
                  action *out);
bool is_legal(const struct world *w, const struct state *s, int seat, action a);
/* May the seat begin a main action now? */
bool can_start(const struct world *w, const struct state *s, int seat);
/* Empty cells next to own structures that a sandstorm can reach. */
struct cells storm_cells(const struct world *w, const struct state *s,
                         int seat);
/* May the seat's special tile be placed at all: option, supply, condition? */
bool tile_ready(const struct world *w, const struct state *s, int seat);
/* Would skipping this river cell found a town? */
bool can_connect(const struct world *w, const struct state *s, int seat,
                 int river);

#endif
