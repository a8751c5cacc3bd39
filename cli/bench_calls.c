/* cli/bench_calls.c: nanoseconds per call of each function of the promise. */
#include "cli/bench.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 256, TEXT = 1 << 20 };

/* Positions of random games, each with a seat to act and an action. */
struct samples {
    const struct game *game;
    const struct world *world;
    const struct setup *setup;
    struct world *other_world;
    struct state *state[SAMPLES];
    int seat[SAMPLES];
    action action[SAMPLES];
    char *action_text[SAMPLES], *state_text[SAMPLES];
    int count;
    struct state *scratch;
    action *list;
    int *milli;
    char *text;
    uint64_t used; /* results go here, so that no call is left out */
};

/* ---- the calls ---- */

static void call_prepare(struct samples *p, int i)
{
    struct fault f;
    (void)i;
    p->used += p->game->prepare(p->other_world, p->setup, &f);
}

static void call_start(struct samples *p, int i)
{
    (void)i;
    p->game->start(p->world, p->setup, p->scratch);
}

static void call_turn(struct samples *p, int i)
{
    unsigned must, may;
    p->game->turn(p->world, p->state[i], &must, &may);
    p->used += must;
}

static void call_legal(struct samples *p, int i)
{
    p->used +=
        (uint64_t)p->game->legal(p->world, p->state[i], p->seat[i], p->list);
}

static void call_copy(struct samples *p, int i)
{
    memcpy(p->scratch, p->state[i], p->game->state_size);
    __asm__ volatile("" : : "r"(p->scratch) : "memory");
}

static void call_apply(struct samples *p, int i)
{
    call_copy(p, i);
    p->game->apply(p->world, p->scratch, p->seat[i], p->action[i]);
}

static void call_result(struct samples *p, int i)
{
    struct result r;
    p->game->result(p->world, p->state[i], &r);
    p->used += (uint64_t)r.points[0];
}

static void call_fence(struct samples *p, int i)
{
    p->used += p->game->fence(p->world, p->state[i]);
}

static void call_hash(struct samples *p, int i)
{
    p->used += p->game->hash(p->world, p->state[i]);
}

static void call_observe(struct samples *p, int i)
{
    p->game->observe(p->world, p->state[i], p->seat[i], p->scratch);
}

static void call_complete(struct samples *p, int i)
{
    struct rng rng = {(uint64_t)i};
    p->game->observe(p->world, p->state[i], p->seat[i], p->scratch);
    p->game->complete(p->world, p->scratch, p->seat[i], &rng);
}

static void call_estimate(struct samples *p, int i)
{
    p->game->estimate(p->world, p->state[i], NULL, p->milli);
}

static void call_rank(struct samples *p, int i)
{
    int count = p->game->legal(p->world, p->state[i], p->seat[i], p->list);
    p->game->rank(p->world, p->state[i], NULL, p->seat[i], p->list, count,
                  p->milli);
}

static void call_write_action(struct samples *p, int i)
{
    p->game->write_action(p->world, p->state[i], p->seat[i], p->action[i],
                          p->seat[i], p->text, TEXT);
}

static void call_write_effect(struct samples *p, int i)
{
    p->game->write_effect(p->world, p->state[i], p->seat[i], p->action[i],
                          p->seat[i], p->text, TEXT);
}

static void call_write_state(struct samples *p, int i)
{
    p->game->write_state(p->world, p->state[i], p->text, TEXT);
}

static void call_write_scene(struct samples *p, int i)
{
    p->game->write_scene(p->world, p->state[i], p->seat[i], p->text, TEXT);
}

static void call_write_picture(struct samples *p, int i)
{
    p->game->write_picture(p->world, p->state[i], p->seat[i], p->text, TEXT);
}

static void call_write_board(struct samples *p, int i)
{
    p->game->write_board(p->world, p->state[i], p->seat[i], true, p->text,
                         TEXT);
}

static void call_read_action(struct samples *p, int i)
{
    action a;
    size_t used;
    struct fault f;
    p->used += p->game->read_action(p->world, p->state[i], p->seat[i],
                                    p->action_text[i], &a, &used, &f);
}

static void call_read_state(struct samples *p, int i)
{
    struct fault f;
    p->used += p->game->read_state(p->world, p->state_text[i], p->scratch, &f);
}

/* ---- positions ---- */

static char *text_copy(struct samples *p)
{
    return need(strdup(p->text));
}

static void keep(struct samples *p, const struct state *s, int seat, action a)
{
    int i = p->count++;
    p->state[i] = need(malloc(p->game->state_size));
    memcpy(p->state[i], s, p->game->state_size);
    p->seat[i] = seat;
    p->action[i] = a;
    p->game->write_action(p->world, s, seat, a, seat, p->text, TEXT);
    p->action_text[i] = text_copy(p);
    p->game->write_state(p->world, s, p->text, TEXT);
    p->state_text[i] = text_copy(p);
}

/* Keeps about one position in eight of a random game. */
static void sample_game(struct samples *p, uint64_t seed)
{
    struct setup setup = *p->setup;
    struct state *s = need(calloc(1, p->game->state_size));
    struct rng rng = {seed};
    unsigned must, may;
    setup.seed = seed;
    p->game->start(p->world, &setup, s);
    for (p->game->turn(p->world, s, &must, &may); must;
         p->game->turn(p->world, s, &must, &may)) {
        int seat = __builtin_ctz(must);
        int count = p->game->legal(p->world, s, seat, p->list);
        action a = p->list[rng_below(&rng, count)];
        if (p->count < SAMPLES && rng_below(&rng, 8) == 0)
            keep(p, s, seat, a);
        p->game->apply(p->world, s, seat, a);
    }
    free(s);
}

static void samples_init(struct samples *p, const struct match *m)
{
    *p = (struct samples){.game = match_game(m),
                          .world = match_world(m),
                          .setup = match_setup(m)};
    p->other_world = need(calloc(1, p->game->world_size));
    p->scratch = need(calloc(1, p->game->state_size));
    p->list = need(malloc(GAME_ACTIONS * sizeof *p->list));
    p->milli = need(malloc(GAME_ACTIONS * sizeof *p->milli));
    p->text = need(calloc(1, TEXT));
    for (uint64_t seed = 1; p->count < SAMPLES && seed < 4 * SAMPLES; seed++)
        sample_game(p, seed);
}

static void samples_release(struct samples *p)
{
    for (int i = 0; i < p->count; i++) {
        free(p->state[i]);
        free(p->action_text[i]);
        free(p->state_text[i]);
    }
    free(p->other_world);
    free(p->scratch);
    free(p->list);
    free(p->milli);
    free(p->text);
}

/* ---- timing ---- */

/* Whole rounds over all positions, so that each counts alike. */
static double measure(struct samples *p, void (*call)(struct samples *, int),
                      double seconds)
{
    uint64_t calls = 0;
    double begin = bench_clock(), passed;
    do {
        for (int i = 0; i < p->count; i++)
            call(p, i);
        calls += (uint64_t)p->count;
        passed = bench_clock() - begin;
    } while (passed < seconds);
    __asm__ volatile("" : : "r"(p->used));
    return passed * 1e9 / (double)calls;
}

struct timed {
    const char *name;
    void (*call)(struct samples *p, int i);
    bool present;
};

void bench_calls(const struct match *m, double seconds, struct bench *b)
{
    struct samples p;
    samples_init(&p, m);
    const struct game *g = p.game;
    const struct timed timed[] = {
        {"prepare", call_prepare, true},
        {"start", call_start, true},
        {"turn", call_turn, true},
        {"legal", call_legal, true},
        {"copy", call_copy, true},
        {"copy+apply", call_apply, true},
        {"result", call_result, true},
        {"fence", call_fence, true},
        {"hash", call_hash, true},
        {"observe", call_observe, g->observe},
        {"observe+complete", call_complete, g->observe && g->complete},
        {"estimate", call_estimate, g->estimate},
        {"legal+rank", call_rank, g->rank},
        {"write_action", call_write_action, true},
        {"write_effect", call_write_effect, g->write_effect},
        {"write_state", call_write_state, true},
        {"write_scene", call_write_scene, g->write_scene},
        {"write_picture", call_write_picture, g->write_picture},
        {"write_board", call_write_board, g->write_board},
        {"read_action", call_read_action, true},
        {"read_state", call_read_state, true},
    };
    int total = (int)(sizeof timed / sizeof *timed);
    for (int i = 0; i < total && p.count > 0; i++) {
        if (!timed[i].present)
            continue;
        double ns = measure(&p, timed[i].call, seconds / total);
        b->calls[b->call_count++] = (struct bench_call){timed[i].name, ns};
        if (timed[i].call == call_legal)
            b->legal_per_second = 1e9 / ns;
    }
    samples_release(&p);
}
