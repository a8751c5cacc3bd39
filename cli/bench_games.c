/* cli/bench_games.c: the speed of random games. */
#include "cli/bench.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One game to its end: the first seat that must act, else the first that may
 * and can, plays any of its legal actions.  The full list is made each time. */
static void random_game(const struct game *game, const struct world *w,
                        struct state *s, action *list, struct rng *rng,
                        struct bench_seats *out)
{
    unsigned must, may;
    for (;;) {
        game->turn(w, s, &must, &may);
        int seat, count = 0;
        unsigned seats = must ? must : may;
        for (; seats && count == 0; seats &= seats - 1) {
            seat = __builtin_ctz(seats);
            count = game->legal(w, s, seat, list);
        }
        if (count == 0)
            break;
        game->apply(w, s, seat, list[rng_below(rng, count)]);
        out->actions++;
        out->choices += (uint64_t)count;
    }
    out->games++;
}

void bench_games(const struct match *m, double seconds, struct bench_seats *out)
{
    const struct game *game = match_game(m);
    const struct world *w = match_world(m);
    struct setup setup = *match_setup(m);
    struct state *s = need(calloc(1, game->state_size));
    action *list = need(malloc(GAME_ACTIONS * sizeof *list));
    struct rng rng;
    uint64_t pause = 0; /* the clock is slow: not after every short game */
    *out = (struct bench_seats){.seats = setup.seats};
    double begin = bench_clock();
    do {
        setup.seed = out->games + 1;
        rng_seed(&rng, out->games + 1);
        game->start(w, &setup, s);
        random_game(game, w, s, list, &rng, out);
        if (out->actions < pause)
            continue;
        pause = out->actions + 5000;
        out->seconds = bench_clock() - begin;
    } while (out->seconds < seconds);
    free(list);
    free(s);
}
