/* cli/bench_fingerprint.c: one number for the rules of a game.
 *
 * It comes from fixed games and sees only what the rules say: how many seats
 * act, which actions are legal as notation, and how each game ends.  How
 * states and actions are packed or listed leaves it alone: the action played
 * is the one whose notation has the smallest hash, or in every second game of
 * the mixtures one of the kind (the first letter) that has it, so that rare
 * kinds come up as often as common ones.  tools/mutants shows that it notices
 * broken rules. */
#include "cli/bench.h"

#include "base/hash.h"
#include "game/setup.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 3, STEPS = 4000, MIXTURES = 240, MIXTURE_STEPS = 1000 };

struct chain {
    const struct game *game;
    struct world *world;
    struct state *state;
    action *list;
    struct buffer text;
    uint64_t hash;
    bool by_kind;
};

static uint64_t text_hash(struct chain *c, int seat, action a, uint64_t salt)
{
    while (buffer_short(&c->text,
                        c->game->write_action(c->world, c->state, seat, a, seat,
                                              c->text.to, c->text.cap)))
        ;
    return hash_bytes(salt, c->text.to, strlen(c->text.to));
}

/* What decides the action played: the smallest is. */
static uint64_t weight(const struct chain *c, uint64_t hash, uint64_t salt)
{
    if (!c->by_kind)
        return hash;
    uint64_t kind = rng_mix(salt + (unsigned char)c->text.to[0]);
    return kind << 32 | hash >> 32;
}

/* One step: takes in all legal actions, plays one.  False: nothing to do. */
static bool step(struct chain *c, uint64_t salt)
{
    unsigned must, may;
    c->game->turn(c->world, c->state, &must, &may);
    c->hash = hash_word(c->hash, (uint64_t)must << 32 | may);
    int best_seat = SEAT_NONE;
    action best = 0;
    uint64_t least = UINT64_MAX, sum = 0;
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        int count = c->game->legal(c->world, c->state, seat, c->list);
        for (int i = 0; i < count; i++) {
            uint64_t h = text_hash(c, seat, c->list[i], salt + (uint64_t)seat);
            sum += h;
            h = weight(c, h, salt);
            if (h < least || best_seat == SEAT_NONE) {
                least = h;
                best = c->list[i];
                best_seat = seat;
            }
        }
    }
    c->hash = hash_word(c->hash, sum);
    if (best_seat == SEAT_NONE)
        return false;
    c->game->apply(c->world, c->state, best_seat, best);
    return true;
}

static void take_result(struct chain *c, int seats)
{
    struct result r;
    c->game->result(c->world, c->state, &r);
    for (int seat = 0; seat < seats; seat++) {
        c->hash = hash_word(c->hash, (uint64_t)(int64_t)r.points[seat]);
        c->hash = hash_word(c->hash, (uint64_t)(int64_t)r.place[seat]);
    }
    c->hash = hash_word(c->hash, (uint64_t)(int64_t)r.reason);
}

static void take_game(struct chain *c, const struct setup *setup, int steps)
{
    struct fault f;
    memset(c->world, 0, c->game->world_size);
    if (!c->game->prepare(c->world, setup, &f))
        return; /* an option may need others */
    c->game->start(c->world, setup, c->state);
    for (int i = 0; i < steps && step(c, rng_mix(setup->seed + (uint64_t)i));
         i++)
        ;
    take_result(c, setup->seats);
}

static void take_seats(struct chain *c)
{
    struct setup setup;
    setup_init(c->game, &setup);
    for (setup.seats = c->game->seats_min; setup.seats <= c->game->seats_max;
         setup.seats++)
        for (setup.seed = 1; setup.seed <= GAMES; setup.seed++)
            take_game(c, &setup, STEPS);
}

/* Each value of each option by itself. */
static void take_options(struct chain *c)
{
    struct setup setup;
    for (int i = 0; c->game->options[i].name; i++) {
        const struct option *o = &c->game->options[i];
        bool number = o->kind == OPTION_NUMBER;
        int last = number ? 1 : 0;
        while (!number && o->choices[last + 1])
            last++;
        for (int k = 0; k <= last; k++) {
            setup_init(c->game, &setup);
            setup.seed = 7;
            setup.option[i] = number                  ? (k ? o->high : o->low)
                              : o->kind == OPTION_SET ? 1 << k
                                                      : k;
            take_game(c, &setup, STEPS);
        }
    }
}

static int any_value(const struct option *o, struct rng *rng)
{
    enum { SMALL = 24 }; /* large numbers are seldom much else */
    int count = 0;
    while (o->kind != OPTION_NUMBER && o->choices[count])
        count++;
    if (o->kind == OPTION_SET)
        return (int)(rng_next(rng) & ((1u << count) - 1));
    if (o->kind == OPTION_CHOICE)
        return rng_below(rng, count);
    int span = o->high - o->low + 1;
    return o->low + rng_below(rng, span < SMALL ? span : SMALL);
}

/* Any number of seats with any values of a few options. */
static void take_mixtures(struct chain *c)
{
    struct rng rng;
    struct setup setup;
    rng_seed(&rng, 1);
    for (int i = 0; i < MIXTURES; i++) {
        setup_init(c->game, &setup);
        setup.seed = rng_next(&rng);
        setup.seats =
            c->game->seats_min +
            rng_below(&rng, c->game->seats_max - c->game->seats_min + 1);
        for (int k = 0; c->game->options[k].name; k++)
            if (rng_below(&rng, 4) == 0)
                setup.option[k] = any_value(&c->game->options[k], &rng);
        c->by_kind = i & 1;
        take_game(c, &setup, MIXTURE_STEPS);
    }
}

uint32_t bench_fingerprint(const struct game *game)
{
    struct chain c = {.game = game};
    c.world = need(calloc(1, game->world_size));
    c.state = need(calloc(1, game->state_size));
    c.list = need(malloc(GAME_ACTIONS * sizeof *c.list));
    take_seats(&c);
    take_options(&c);
    take_mixtures(&c);
    buffer_release(&c.text);
    free(c.world);
    free(c.state);
    free(c.list);
    return (uint32_t)rng_mix(c.hash);
}
