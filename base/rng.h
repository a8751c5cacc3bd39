/* base/rng.h: the project's only source of chance.
 *
 * A small generator (SplitMix64) that fits into a flat state: the same seed
 * gives the same numbers on every machine and in WebAssembly. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline void rng_seed(struct rng *r, uint64_t seed)
{
    r->state = seed;
}

/* One step of SplitMix64; also a good way to mix the bits of a number. */
static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t rng_next(struct rng *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return rng_mix(r->state);
}

/* A number from 0 to bound - 1.  The bias of at most bound / 2^32 is far below
 * anything a game or a test can see; bound must be positive. */
static inline int rng_below(struct rng *r, int bound)
{
    return (int)(((rng_next(r) >> 32) * (uint64_t)(unsigned)bound) >> 32);
}

/* Fisher and Yates: every order of the bytes is equally likely. */
static inline void rng_shuffle(struct rng *r, uint8_t *item, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = rng_below(r, i + 1);
        uint8_t swap = item[i];
        item[i] = item[j];
        item[j] = swap;
    }
}

#endif
