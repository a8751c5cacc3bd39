/* server/steady.c: the time of day, without its jumps. */
#include "server/steady.h"

#include <time.h>

enum { FOLLOW_MS = 200 }; /* one millisecond in so many: half a per cent */

int64_t steady_step(struct steady *s, int64_t forward, int64_t day)
{
    if (!s->ahead) {
        s->ahead = day - forward;
        s->moved = forward;
    }
    int64_t off = day - forward - s->ahead;
    int64_t most = (forward - s->moved) / FOLLOW_MS;
    if (most > 0) {
        s->ahead += off > most ? most : off < -most ? -most : off;
        s->moved = forward;
    }
    return forward + s->ahead;
}

static int64_t read_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t steady_now(void)
{
    static struct steady clock; /* of the loop's thread */
    return steady_step(&clock, read_clock(CLOCK_BOOTTIME),
                       read_clock(CLOCK_REALTIME));
}
