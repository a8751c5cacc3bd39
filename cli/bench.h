/* cli/bench.h: what is measured of a game. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "cli/cli.h"

enum { BENCH_CALLS = 24 };

/* Random games with one number of seats. */
struct bench_seats {
    int seats;
    uint64_t games, actions, choices; /* choices: legal actions listed */
    double seconds;
};

/* One function of the promise. */
struct bench_call {
    const char *name;
    double ns;
};

struct bench {
    const struct game *game;
    struct bench_seats by_seats[GAME_SEATS];
    int counts; /* entries of by_seats */
    int usual;  /* the one with the usual seats */
    double legal_per_second;
    struct bench_call calls[BENCH_CALLS];
    int call_count;
    uint32_t fingerprint;
    double search_nodes, search_judged; /* per second, by `master` */
};

/* CPU time of this process in seconds. */
double bench_clock(void);

/* bench_games.c: random games until `seconds` of CPU time have passed.  Each
 * action is drawn evenly from the full legal list. */
void bench_games(const struct match *m, double seconds,
                 struct bench_seats *out);
/* bench_calls.c: nanoseconds per call of each function, over positions of
 * random games. */
void bench_calls(const struct match *m, double seconds, struct bench *b);
/* bench_search.c: nodes per second of the strongest search. */
void bench_search(const struct match *m, double seconds, struct bench *b);
/* bench_fingerprint.c: one number for the rules; the same on every machine. */
uint32_t bench_fingerprint(const struct game *game);

#endif
