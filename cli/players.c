/* cli/players.c: who can sit at the table: a person, and the bots of
 * search/. */
#include "cli/cli.h"

#include "base/rng.h"
#include "base/text.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

static action choose_by_search(const struct player *self,
                               const struct game *game, const struct world *w,
                               const struct state *view, int seat,
                               struct rng *rng)
{
    size_t bytes = search_size(game, self->bot, 0);
    void *memory = need(malloc(bytes));
    struct search *s = search_open(memory, bytes, game, w, view, seat,
                                   self->bot, 0, rng_next(rng));
    while (search_run(s, 1000))
        ;
    action a = search_best(s);
    free(memory);
    return a;
}

enum { PLAYERS = 16 };

/* The table is made once from the list of bots. */
static const struct player *players(void)
{
    static struct player list[PLAYERS + 1];
    if (list[0].name)
        return list;
    for (int i = 0; search_bots[i].name && i + 1 < PLAYERS; i++)
        list[i + 1] = (struct player){search_bots[i].name, search_bots[i].help,
                                      choose_by_search, &search_bots[i]};
    list[0] =
        (struct player){"human", TR("a person at this terminal"), NULL, NULL};
    return list;
}

const struct player *player_at(int index)
{
    const struct player *p = players() + index;
    return p->name ? p : NULL;
}

const struct player *player_find(const char *name, size_t length)
{
    for (const struct player *p = players(); p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0)
            return p;
    return NULL;
}

const char *player_names(void)
{
    static char names[256];
    struct text t = text_begin(names, sizeof names);
    for (const struct player *p = players(); p->name; p++) {
        text_put(&t, p == players() ? "" : ", ");
        text_put(&t, p->name);
    }
    text_end(&t);
    return names;
}

int speak_up(const struct match *m, unsigned bots, action *a)
{
    const struct game *game = match_game(m);
    unsigned must, may;
    game->turn(match_world(m), match_state(m), &must, &may);
    for (unsigned seats = must ? may & bots : 0; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        struct state *view = view_of(m, match_state(m), seat);
        struct state *spare = need(malloc(game->state_size));
        bool found = search_aside(game, match_world(m), view, spare, seat, a);
        free(spare);
        free(view);
        if (found)
            return seat;
    }
    return SEAT_NONE;
}
