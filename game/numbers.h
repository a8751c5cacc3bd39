/* game/numbers.h: writing a view as numbers, for measure(). */
#ifndef GAME_NUMBERS_H
#define GAME_NUMBERS_H

#include "game/game.h"

struct numbers {
    int16_t *at;
};

static inline struct numbers numbers_to(int16_t *out)
{
    struct numbers n;
    n.at = out;
    return n;
}

static inline void put_number(struct numbers *n, int value)
{
    *n->at++ = (int16_t)value;
}

static inline void put_bytes(struct numbers *n, const uint8_t *bytes, int count)
{
    for (int i = 0; i < count; i++)
        *n->at++ = bytes[i];
}

/* The first `count` bits of a set kept in words of 64. */
static inline void put_bits(struct numbers *n, const uint64_t *word, int count)
{
    for (int i = 0; i < count; i++)
        *n->at++ = (int16_t)(word[i >> 6] >> (i & 63) & 1);
}

static inline void put_zeros(struct numbers *n, int count)
{
    for (int i = 0; i < count; i++)
        *n->at++ = 0;
}

/* The seat `k` places behind the viewer around the table (a spectator sits at
 * seat 0), or SEAT_NONE if there are not so many. */
static inline int seat_behind(int seats, int viewer, int k)
{
    int first = viewer == SEAT_NONE ? 0 : viewer;
    return k < seats ? (first + k) % seats : SEAT_NONE;
}

/* The other way: 1 for the viewer, 2 for the next, 0 for nobody. */
static inline int rank_of_seat(int seats, int viewer, int seat)
{
    int first = viewer == SEAT_NONE ? 0 : viewer;
    return seat < 0 || seat >= seats ? 0 : (seat - first + seats) % seats + 1;
}

#endif
