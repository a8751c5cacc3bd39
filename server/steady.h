/* server/steady.h: the time of day, without its jumps.
 *
 * Players' clocks are made of the difference of two times.  Somebody who sets
 * the machine's clock must not end their games: after the start it is only
 * followed slowly. */
#ifndef SERVER_STEADY_H
#define SERVER_STEADY_H

#include <stdint.h>

/* Milliseconds since 1970. */
int64_t steady_now(void);

struct steady {
    int64_t ahead; /* of the clock that only goes forward */
    int64_t moved; /* when it was moved last, by that clock */
};

/* The same for given clocks; `s` begins as zero. */
int64_t steady_step(struct steady *s, int64_t forward, int64_t day);

#endif
