/* tests/rules/nova/variants.h: what random tests vary: boards made up on the
 * spot, seats in any order, options in any combination. */
#ifndef TESTS_RULES_NOVA_VARIANTS_H
#define TESTS_RULES_NOVA_VARIANTS_H

#include "base/rng.h"

enum { VARIANT_BOARD = 8192 };

/* Sets of options that bring every rule into play; ended by NULL. */
extern const char *const variant_options[];

/* A random choice and order of 2 to 4 colours; `to` has room for 5. */
void variant_colours(struct rng *rng, int seats, char *to);
/* The text of a valid board file of random shape, holes included; `to` has
 * room for VARIANT_BOARD. */
void variant_board(struct rng *rng, char *to);

#endif
