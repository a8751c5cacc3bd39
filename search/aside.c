/* search/aside.c: what a seat does that may, but need not, act.
 *
 * Play goes on meanwhile and the chance passes, so nothing is searched or
 * guessed: what brings the seat points at once is done. */
#include "search/search.h"

#include <string.h>

static int points_of(const struct game *game, const struct world *world,
                     const struct state *now, int seat)
{
    struct result r = {0};
    game->result(world, now, &r);
    return r.points[seat];
}

bool search_aside(const struct game *game, const struct world *world,
                  const struct state *view, struct state *spare, int seat,
                  action *chosen)
{
    action list[GAME_ACTIONS];
    int count = game->legal(world, view, seat, list);
    int best = count ? points_of(game, world, view, seat) : 0;
    bool found = false;
    for (int i = 0; i < count; i++) {
        memcpy(spare, view, game->state_size);
        game->apply(world, spare, seat, list[i]);
        int points = points_of(game, world, spare, seat);
        if (points <= best)
            continue;
        best = points;
        *chosen = list[i];
        found = true;
    }
    return found;
}
