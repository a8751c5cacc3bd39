/* rules/nova/list.h: lists of actions, in general and for processors that know
 * AVX2: world.avx2 tells which to call.
 *
 * All return how many actions there are and may write up to WRITTEN more. */
#ifndef RULES_NOVA_LIST_H
#define RULES_NOVA_LIST_H

#include "game/game.h"

/* All moves of the seat to act; the board must not be world.wide. */
int nova_list_moves_by(const struct world *w, const struct state *s,
                       action *out);
int nova_list_moves_avx2(const struct world *w, const struct state *s,
                         action *out);
/* Those of them that bring no moved pioneer home, and perhaps none at all of
 * the other pioneers (nova §5.2). */
int nova_list_bound_by(const struct world *w, const struct state *s,
                       bool others, action *out);
int nova_list_bound_avx2(const struct world *w, const struct state *s,
                         bool others, action *out);
int nova_list_placements_by(const struct world *w, const struct state *s,
                            action *out);
int nova_list_placements_avx2(const struct world *w, const struct state *s,
                              action *out);

#endif
