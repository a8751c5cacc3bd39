/* cli/bench_fingerprint.c: one number for the rules of a game.
 *
 * It comes from fixed games and sees only what the rules say: how many seats
 * act, which actions are legal as notation, and how each game ends.  How
 * states and actions are packed or listed leaves it alone: of the actions the
 * one is played whose notation has the smallest hash.  Mixtures of options are
 * also played in other ways, so that what random play seldom reaches comes up.
 * tools/mutants shows that it notices broken rules. */
#include "cli/bench.h"

#include "base/hash.h"
#include "game/setup.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAMES = 3,
    MIXTURES = 80,
    MIXTURE_GAMES = 8,
    LISTED = 40000,
    MIXTURE_LISTED = 6000
};

/* Which action is played.  It has the smallest hash of all; or of a kind drawn
 * anew for each step, so that rare kinds come up as often as common ones; or of
 * the kind that is first in an order drawn for the game, so that some games do
 * one thing all the time; or that, of those that give most points at once.
 * This last way also takes in the points that every legal action gives. */
enum way { BY_HASH, BY_KIND, BY_ORDER, BY_POINTS, WAYS };

struct chain {
    const struct game *game;
    struct world *world;
    struct state *state, *next;
    action *list;
    struct buffer text;
    uint64_t hash;
    enum way way;
    uint64_t order; /* of kinds in this game */
    int listed;     /* actions so far in this game */
    /* In one step: all actions, and the one to be played. */
    uint64_t sum, least;
    action best;
    int best_seat;
};

static uint64_t text_hash(struct chain *c, int seat, action a, uint64_t salt)
{
    while (buffer_short(&c->text,
                        c->game->write_action(c->world, c->state, seat, a, seat,
                                              c->text.to, c->text.cap)))
        ;
    return hash_bytes(salt, c->text.to, strlen(c->text.to));
}

/* ASCII alone, whatever the locale. */
static bool is_sign(char c)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return !letter && !(c >= '0' && c <= '9');
}

/* The kind of an action: its first word without letters and digits ("-" of
 * "e12-e9"), or the whole word if nothing is left. */
static uint64_t kind_of(const char *text, uint64_t salt)
{
    uint64_t signs = salt;
    const char *at = text;
    for (; *at && *at != ' '; at++)
        if (is_sign(*at))
            signs = hash_word(signs, (unsigned char)*at);
    return rng_mix(signs != salt ? signs
                                 : hash_bytes(salt, text, (size_t)(at - text)));
}

/* The points of the seat after the action. */
static int points_after(struct chain *c, int seat, action a)
{
    struct result r;
    memcpy(c->next, c->state, c->game->state_size);
    c->game->apply(c->world, c->next, seat, a);
    c->game->result(c->world, c->next, &r);
    return r.points[seat];
}

/* What decides the action played: the smallest is. */
static uint64_t weight(const struct chain *c, uint64_t hash, uint64_t salt,
                       int points)
{
    if (c->way == BY_HASH)
        return hash;
    uint64_t kind = kind_of(c->text.to, c->way == BY_KIND ? salt : c->order);
    uint64_t weight = kind << 32 | hash >> 32;
    return c->way == BY_POINTS
               ? (uint64_t)(INT16_MAX - points) << 48 | weight >> 16
               : weight;
}

/* Takes in one legal action and keeps it if it is to be played so far. */
static void take_action(struct chain *c, int seat, action a, uint64_t salt)
{
    uint64_t hash = text_hash(c, seat, a, salt + (uint64_t)seat);
    int points = c->way == BY_POINTS ? points_after(c, seat, a) : 0;
    c->sum += hash_word(hash, (uint64_t)(int64_t)points);
    hash = weight(c, hash, salt, points);
    if (hash < c->least || c->best_seat == SEAT_NONE) {
        c->least = hash;
        c->best = a;
        c->best_seat = seat;
    }
    c->listed++;
}

/* One step: takes in all legal actions, plays one.  False: nothing to do. */
static bool step(struct chain *c, uint64_t salt)
{
    unsigned must, may;
    c->game->turn(c->world, c->state, &must, &may);
    c->hash = hash_word(c->hash, (uint64_t)must << 32 | may);
    c->best_seat = SEAT_NONE;
    c->sum = 0;
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        int count = c->game->legal(c->world, c->state, seat, c->list);
        for (int i = 0; i < count; i++)
            take_action(c, seat, c->list[i], salt);
    }
    c->hash = hash_word(c->hash, c->sum);
    if (c->best_seat == SEAT_NONE)
        return false;
    c->game->apply(c->world, c->state, c->best_seat, c->best);
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

/* An option may need others: then there is no game. */
static bool prepare(struct chain *c, const struct setup *setup)
{
    struct fault f;
    memset(c->world, 0, c->game->world_size);
    return c->game->prepare(c->world, setup, &f);
}

static void take_game(struct chain *c, const struct setup *setup, int most)
{
    c->game->start(c->world, setup, c->state);
    c->order = rng_mix(~setup->seed);
    c->listed = 0;
    for (uint64_t i = 0; c->listed < most && step(c, rng_mix(setup->seed + i));
         i++)
        ;
    take_result(c, setup->seats);
}

static void take_seats(struct chain *c)
{
    struct setup setup;
    setup_init(c->game, &setup);
    for (setup.seats = c->game->seats_min; setup.seats <= c->game->seats_max;
         setup.seats++) {
        if (!prepare(c, &setup))
            continue;
        for (setup.seed = 1; setup.seed <= GAMES; setup.seed++)
            take_game(c, &setup, LISTED);
    }
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
            if (prepare(c, &setup))
                take_game(c, &setup, LISTED);
        }
    }
}

static int any_value(const struct option *o, struct rng *rng)
{
    int count = 0;
    while (o->kind != OPTION_NUMBER && o->choices[count])
        count++;
    if (o->kind == OPTION_SET)
        return (int)(rng_next(rng) & ((1u << count) - 1));
    if (o->kind == OPTION_CHOICE)
        return rng_below(rng, count);
    /* Small numbers make games that end in other ways. */
    int span = o->high - o->low + 1, small = 2 << rng_below(rng, 4);
    return o->low + rng_below(rng, span < small ? span : small);
}

/* Any number of seats with any values of a few options. */
static void take_mixtures(struct chain *c)
{
    struct rng rng;
    struct setup setup;
    rng_seed(&rng, 1);
    for (int i = 0; i < MIXTURES; i++) {
        setup_init(c->game, &setup);
        setup.seats =
            c->game->seats_min +
            rng_below(&rng, c->game->seats_max - c->game->seats_min + 1);
        int often = 1 + i % 2;
        for (int k = 0; c->game->options[k].name; k++)
            if (rng_below(&rng, 4) < often)
                setup.option[k] = any_value(&c->game->options[k], &rng);
        if (!prepare(c, &setup))
            continue;
        for (int k = 0; k < MIXTURE_GAMES; k++) {
            c->way = (enum way)(k % WAYS);
            setup.seed = rng_next(&rng);
            take_game(c, &setup, MIXTURE_LISTED);
        }
    }
}

uint32_t bench_fingerprint(const struct game *game)
{
    struct chain c = {.game = game};
    c.world = need(calloc(1, game->world_size));
    c.state = need(calloc(1, game->state_size));
    c.next = need(calloc(1, game->state_size));
    c.list = need(malloc(GAME_ACTIONS * sizeof *c.list));
    take_seats(&c);
    take_options(&c);
    take_mixtures(&c);
    buffer_release(&c.text);
    free(c.world);
    free(c.state);
    free(c.next);
    free(c.list);
    return (uint32_t)rng_mix(c.hash);
}
