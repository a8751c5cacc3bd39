/* cli/players.c: who can sit at the table.  A new bot is one line here. */
#include "cli/cli.h"

#include "base/rng.h"

#include <string.h>

static action choose_random(const struct game *game, const struct world *w,
                            const struct state *view, int seat, struct rng *rng)
{
    action legal[GAME_ACTIONS];
    int count = game->legal(w, view, seat, legal);
    return legal[rng_below(rng, count)];
}

const struct player players[] = {
    {"human", "a person at this terminal", NULL},
    {"random", "any legal action, each as likely", choose_random},
    {NULL, NULL, NULL},
};

const struct player *player_find(const char *name, size_t length)
{
    for (const struct player *p = players; p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0)
            return p;
    return NULL;
}
