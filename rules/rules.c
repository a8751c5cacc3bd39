/* rules/rules.c: the list of games.  A new game is one line here. */
#include "rules/rules.h"

#include <string.h>

extern const struct game nova_game, terrax_game, mystica_game, blank_game;

/* One line each: tools/copy-blank adds to them. */
/* clang-format off */
const struct game *const rules_games[] = {
    &nova_game,
    &terrax_game,
    &mystica_game,
    &blank_game,
    NULL,
};
/* clang-format on */

const struct game *rules_find(const char *name)
{
    for (int i = 0; rules_games[i]; i++)
        if (strcmp(rules_games[i]->name, name) == 0)
            return rules_games[i];
    return NULL;
}
