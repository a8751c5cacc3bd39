/* cli/bench_search.c: the speed of the strongest search. */
#include "cli/bench.h"

#include "base/rng.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 4000, AHEAD = 12 };

/* Plays on at random; the seat to act then, or SEAT_NONE. */
static int play_on(const struct game *game, const struct world *w,
                   struct state *s, action *list, struct rng *rng, int actions)
{
    for (int i = 0;; i++) {
        unsigned must, may;
        game->turn(w, s, &must, &may);
        int seat = SEAT_NONE, count = 0;
        for (unsigned seats = must ? must : may; seats && count == 0;
             seats &= seats - 1) {
            seat = __builtin_ctz(seats);
            count = game->legal(w, s, seat, list);
        }
        if (count == 0)
            return SEAT_NONE;
        if (i == actions)
            return seat;
        game->apply(w, s, seat, list[rng_below(rng, count)]);
    }
}

/* Looks at positions all along random games until the time is used up. */
void bench_search(const struct match *m, double seconds, struct bench *b)
{
    const struct game *game = match_game(m);
    const struct world *w = match_world(m);
    const struct search_bot *bot = search_find("master", 6);
    size_t bytes = search_size(game, bot, NODES);
    void *memory = need(malloc(bytes));
    struct state *s = need(malloc(game->state_size));
    action *list = need(malloc(GAME_ACTIONS * sizeof *list));
    struct rng rng;
    double nodes = 0, judged = 0, passed = 0;
    rng_seed(&rng, 1);
    memcpy(s, match_state(m), game->state_size);
    while (passed < seconds) {
        int seat = play_on(game, w, s, list, &rng, rng_below(&rng, 2 * AHEAD));
        if (seat == SEAT_NONE) {
            memcpy(s, match_state(m), game->state_size);
            continue;
        }
        double begin = bench_clock();
        struct search *search =
            search_open(memory, bytes, game, w, s, seat, bot, NODES, 1);
        while (search_run(search, 1000))
            ;
        passed += bench_clock() - begin + 1e-9;
        nodes += search_nodes(search);
        judged += (double)search_judged(search);
    }
    b->search_nodes = nodes / passed;
    b->search_judged = judged / passed;
    free(list);
    free(s);
    free(memory);
}
