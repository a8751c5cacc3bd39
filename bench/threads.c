/* bench/threads.c: how much sooner two threads are done than one.
 *
 *     build/bench/threads [NODES [PASSES]]
 *
 * Positions all along a game of Terra Nova are thought about by `master` alone
 * and with its helper, in turn, so that both meet the same moments of the
 * machine; of several passes the fastest counts.  Two idle processors are
 * needed for it to say anything. */
#include "game/setup.h"
#include "rules/rules.h"
#include "search/search.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EVERY = 8, QUICK = 300 };

struct bench {
    const struct game *game;
    const struct search_bot *bot;
    struct world *world;
    struct state *now;
    int seat, nodes;
    size_t bytes;
    void *memory, *help_memory;
};

struct helper {
    struct search_help *help;
    _Atomic bool done;
};

static void *help(void *from)
{
    struct helper *h = from;
    while (!atomic_load_explicit(&h->done, memory_order_relaxed))
        if (!search_help(h->help))
            sched_yield();
    return NULL;
}

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static action think(struct bench *b, int nodes, bool helped)
{
    pthread_t thread;
    struct helper h = {0};
    struct search *s = search_open(b->memory, b->bytes, b->game, b->world,
                                   b->now, b->seat, b->bot, nodes, 1);
    if (helped) {
        h.help = search_help_open(b->help_memory, s);
        if (pthread_create(&thread, NULL, help, &h) != 0)
            abort();
    }
    while (search_run(s, 1000))
        ;
    h.done = true;
    if (helped)
        pthread_join(thread, NULL);
    return search_best(s);
}

static void compare(struct bench *b, int passes, double ms[2])
{
    double best[2] = {1e9, 1e9};
    for (int i = 0; i < 2 * passes; i++) {
        double begin = clock_ms();
        think(b, b->nodes, i % 2 != 0);
        double took = clock_ms() - begin;
        best[i % 2] = took < best[i % 2] ? took : best[i % 2];
    }
    ms[0] += best[0];
    ms[1] += best[1];
}

static void begin(struct bench *b)
{
    struct setup setup;
    struct fault f;
    setup_init(b->game, &setup);
    setup.seats = 2;
    b->world = malloc(b->game->world_size);
    b->now = malloc(b->game->state_size);
    b->bytes = search_size(b->game, b->bot, b->nodes);
    b->memory = malloc(b->bytes);
    b->help_memory = malloc(search_help_size(b->game));
    if (!b->game->prepare(b->world, &setup, &f))
        abort();
    b->game->start(b->world, &setup, b->now);
}

static int number(int count, char **words, int at, int otherwise)
{
    return count > at ? (int)strtol(words[at], NULL, 10) : otherwise;
}

int main(int count, char **words)
{
    struct bench b = {.game = rules_find("nova"),
                      .bot = search_find("master", 6),
                      .nodes = number(count, words, 1, 4000)};
    int passes = number(count, words, 2, 5), positions = 0;
    double ms[2] = {0, 0};
    if (b.nodes < QUICK || passes < 1) {
        fprintf(stderr, "Usage: threads [NODES (from %d on) [PASSES]]\n",
                QUICK);
        return 2;
    }
    begin(&b);
    for (int i = 1;; i++) {
        unsigned must, may;
        b.game->turn(b.world, b.now, &must, &may);
        if (!must)
            break;
        b.seat = __builtin_ctz(must);
        if (i % EVERY == 0) {
            compare(&b, passes, ms);
            positions++;
        }
        b.game->apply(b.world, b.now, b.seat, think(&b, QUICK, false));
    }
    printf("%d positions, %d nodes: one thread %.2f ms, two %.2f ms, "
           "%.3f of its time\n",
           positions, b.nodes, ms[0] / positions, ms[1] / positions,
           ms[1] / ms[0]);
    free(b.world);
    free(b.now);
    free(b.memory);
    free(b.help_memory);
    return 0;
}
