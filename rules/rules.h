/* rules/rules.h: the list of games; the only rules header outsiders include. */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "game/game.h"

/* All games, ended by NULL, in the order in which people are offered them. */
extern const struct game *const rules_games[];

/* The game of that name, or NULL. */
const struct game *rules_find(const char *name);

#endif
