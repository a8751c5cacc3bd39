/* tests/rules/nova/reference_bench.c: how much faster than the plain way?
 *
 * Random games on the island with two to four seats, the full legal list at
 * every step, in the game and in its reference.  A measurement, not a test:
 * `meson test --benchmark`, in a release build. */
#include "base/rng.h"
#include "game/setup.h"
#include "rules/nova/board.h"
#include "rules/rules.h"
#include "tests/rules/nova/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BURST = 20 }; /* games between two looks at the clock */

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static long play_game(const struct game *game, const struct world *w,
                      const struct setup *setup, struct state *s,
                      struct rng *rng)
{
    static action list[GAME_ACTIONS];
    unsigned must, may;
    long actions = 0;
    game->start(w, setup, s);
    for (game->turn(w, s, &must, &may); must; actions++) {
        int seat = __builtin_ctz(must);
        int count = game->legal(w, s, seat, list);
        game->apply(w, s, seat, list[rng_below(rng, count)]);
        game->turn(w, s, &must, &may);
    }
    return actions;
}

static long play_reference(const struct reference *g, struct rng *rng)
{
    static struct reference_action list[REFERENCE_ACTIONS];
    struct reference_state s;
    struct reference_scored scored;
    long actions = 0;
    reference_start(g, &s);
    for (int count; (count = reference_legal(g, &s, list)) > 0; actions++)
        reference_apply(g, &s, list[rng_below(rng, count)], &scored);
    return actions;
}

static double game_rate(int seats, double seconds)
{
    const struct game *game = rules_find("nova");
    struct setup setup;
    struct fault f;
    struct rng rng = {1};
    struct world *w = calloc(1, game->world_size);
    struct state *s = calloc(1, game->state_size);
    setup_init(game, &setup);
    setup.seats = seats;
    if (!w || !s || !game->prepare(w, &setup, &f))
        abort();
    long actions = 0;
    double begin = cpu_seconds(), now;
    do
        for (int i = 0; i < BURST; i++)
            actions += play_game(game, w, &setup, s, &rng);
    while ((now = cpu_seconds()) < begin + seconds);
    free(w);
    free(s);
    return (double)actions / (now - begin);
}

static double reference_rate(int seats, double seconds)
{
    static const char *const colours[] = {"yr", "yrb", "yrbg"};
    struct reference_board board;
    struct reference g;
    struct rng rng = {1};
    if (!reference_board(&board, nova_boards[0]) ||
        !reference_rules(&g, &board, colours[seats - 2], ""))
        abort();
    long actions = 0;
    double begin = cpu_seconds(), now;
    do
        actions += play_reference(&g, &rng);
    while ((now = cpu_seconds()) < begin + seconds);
    return (double)actions / (now - begin);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    printf("seats   game, actions/s   reference   ratio\n");
    for (int seats = 2; seats <= 4; seats++) {
        double ours = game_rate(seats, seconds);
        double plain = reference_rate(seats, seconds);
        printf("%5d %17.0f %11.0f %7.0f\n", seats, ours, plain, ours / plain);
    }
    return 0;
}
