/* tests/random.h: random setups and random play of any game.
 *
 * All chance comes from one seed (TERRA_SEED, else 1), so a failure repeats;
 * TERRA_TEST (quick, full, long) says how much is played. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include "tests/test.h"

#include "base/rng.h"
#include "game/setup.h"
#include "rules/rules.h"

static inline int test_scale(int quick, int full, int many)
{
    const char *scale = getenv("TERRA_TEST");
    if (scale && strcmp(scale, "long") == 0)
        return many;
    return scale && strcmp(scale, "full") == 0 ? full : quick;
}

static inline struct rng random_source(const struct game *game, int salt)
{
    const char *seed = getenv("TERRA_SEED");
    struct rng r;
    rng_seed(&r, seed ? strtoull(seed, NULL, 10) : 1);
    for (const char *at = game->name; *at; at++)
        r.state = r.state * 31 + (unsigned char)*at;
    r.state += (uint64_t)salt * 1000003;
    return r;
}

static inline int random_value(const struct option *option, struct rng *r)
{
    int choices = 0;
    while (option->choices && option->choices[choices])
        choices++;
    switch (option->kind) {
    case OPTION_CHOICE:
        return rng_below(r, choices);
    case OPTION_NUMBER:
        return option->low + rng_below(r, option->high - option->low + 1);
    case OPTION_SET:
        return rng_below(r, 1 << choices);
    }
    return 0;
}

/* Sets about a third of the options, at random. */
static inline void random_setup(const struct game *game, int seats,
                                struct rng *r, struct setup *setup)
{
    setup_init(game, setup);
    setup->seats = seats;
    setup->seed = rng_next(r);
    bool plain = rng_below(r, 4) == 0;
    for (int i = 0; game->options[i].name && !plain; i++)
        if (rng_below(r, 3) == 0)
            setup->option[i] = random_value(&game->options[i], r);
}

/* A random seat that has something to do, or SEAT_NONE. */
static inline int random_seat(const struct game *game, const struct world *w,
                              const struct state *s, struct rng *r,
                              action *legal, int *count)
{
    unsigned must, may;
    game->turn(w, s, &must, &may);
    *count = 0;
    int first = rng_below(r, GAME_SEATS);
    for (int i = 0; i < GAME_SEATS; i++) {
        int seat = (first + i) % GAME_SEATS;
        if (!((must | may) >> seat & 1))
            continue;
        *count = game->legal(w, s, seat, legal);
        if (*count > 0)
            return seat;
    }
    return SEAT_NONE;
}

#endif
