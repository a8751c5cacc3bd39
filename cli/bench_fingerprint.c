/* cli/bench_fingerprint.c: one number for the rules of a game.
 *
 * It comes from fixed games and sees only what the rules say, as notation:
 * positions, which seats act, which actions are legal, where undo has to
 * stop, how each game stands and ends; what becomes of it when seats leave;
 * and how it would end were it broken off.  How states and actions are packed
 * or listed leaves it alone: of the actions the one is played whose notation
 * has the smallest hash.  Mixtures of options are also played in other ways,
 * so that what random play seldom reaches comes up.  tools/mutants shows that
 * it notices broken rules. */
#include "cli/bench.h"

#include "base/hash.h"
#include "game/setup.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAMES = 3,
    MIXTURES = 100,
    MIXTURE_GAMES = 10,
    LISTED = 40000,
    MIXTURE_LISTED = 6000,
    SAMPLE_GAMES = 10,
    LEAVING = 100,      /* a seat leaves within so many steps */
    SEEN = 1 << 14,     /* kinds and actions counted, a power of two */
    POSITION_EVERY = 4, /* steps from one position taken in to the next */
    BREAK_EVERY = 32    /* the same for what a break would do */
};

/* Which action is played.  It has the smallest hash of all; or of a kind drawn
 * anew for each step, so that rare kinds come up as often as common ones; or of
 * the kind that is first in an order drawn for the game, so that some games do
 * one thing all the time; or that, of those that give most points at once,
 * where the points that every legal action gives are taken in, too; or it is
 * of the kind played least in all games so far, and of these the rarest. */
enum way { BY_HASH, BY_KIND, BY_ORDER, BY_POINTS, BY_RARITY, WAYS };

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
    int leaving;    /* the step before which a seat leaves, or -1 */
    uint16_t *seen; /* how often played, by hash */
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

/* How often an action of that kind, and with that very text, was played. */
static uint16_t *seen_kind(const struct chain *c)
{
    return &c->seen[kind_of(c->text.to, 0) % SEEN];
}

static uint16_t *seen_text(const struct chain *c)
{
    return &c->seen[hash_bytes(1, c->text.to, strlen(c->text.to)) % SEEN];
}

/* What decides the action played: the smallest is. */
static uint64_t weight(const struct chain *c, uint64_t hash, uint64_t salt,
                       int points)
{
    if (c->way == BY_HASH)
        return hash;
    if (c->way == BY_RARITY)
        return (uint64_t)*seen_kind(c) << 48 | (uint64_t)*seen_text(c) << 32 |
               hash >> 32;
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

/* ---- what is taken in ---- */

static void take(struct chain *c, int64_t number)
{
    c->hash = hash_word(c->hash, (uint64_t)number);
}

static void take_result(struct chain *c, const struct state *s, int seats)
{
    struct result r;
    c->game->result(c->world, s, &r);
    for (int seat = 0; seat < seats; seat++) {
        take(c, r.points[seat]);
        take(c, r.place[seat]);
    }
    take(c, r.reason);
}

static void take_position(struct chain *c, const struct state *s)
{
    while (buffer_short(
        &c->text, c->game->write_state(c->world, s, c->text.to, c->text.cap)))
        ;
    c->hash = hash_bytes(c->hash, c->text.to, strlen(c->text.to));
}

static bool over(const struct chain *c)
{
    unsigned must, may;
    c->game->turn(c->world, c->state, &must, &may);
    return !must && !may;
}

/* What would become of the match if a seat left now, and how it would end if it
 * were broken off. */
static void take_breaks(struct chain *c, int seats)
{
    if (over(c))
        return;
    for (int seat = 0; seat < seats; seat++) {
        memcpy(c->next, c->state, c->game->state_size);
        c->game->drop(c->world, c->next, seat);
        take_result(c, c->next, seats);
        take_position(c, c->next);
    }
    for (int reason = ENDING_RESIGN; reason < ENDING_GAME; reason++)
        for (int seat = SEAT_NONE; seat < seats; seat++) {
            memcpy(c->next, c->state, c->game->state_size);
            c->game->stop(c->world, c->next, reason, seat);
            take_result(c, c->next, seats);
        }
}

/* All legal actions; finds the one to be played. */
static void take_actions(struct chain *c, unsigned seats, uint64_t salt)
{
    c->best_seat = SEAT_NONE;
    c->sum = 0;
    for (; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        int count = c->game->legal(c->world, c->state, seat, c->list);
        for (int i = 0; i < count; i++)
            take_action(c, seat, c->list[i], salt);
    }
    c->hash = hash_word(c->hash, c->sum);
}

/* ---- a game ---- */

/* The first seat to leave; which, the salt says. */
static void leave(struct chain *c, int seats, uint64_t salt)
{
    if (over(c))
        return;
    c->game->drop(c->world, c->state, (int)(salt % (unsigned)seats));
    take_result(c, c->state, seats);
    take_position(c, c->state);
}

static void play(struct chain *c)
{
    uint32_t fence = c->game->fence(c->world, c->state);
    (void)text_hash(c, c->best_seat, c->best, 0);
    uint16_t *kind = seen_kind(c), *words = seen_text(c);
    *kind = (uint16_t)(*kind + (*kind < UINT16_MAX));
    *words = (uint16_t)(*words + (*words < UINT16_MAX));
    c->game->apply(c->world, c->state, c->best_seat, c->best);
    take(c, c->game->fence(c->world, c->state) > fence);
}

/* One step.  False: nothing to do. */
static bool step(struct chain *c, int number, int seats, uint64_t salt)
{
    unsigned must, may;
    if (number == c->leaving)
        leave(c, seats, salt);
    c->game->turn(c->world, c->state, &must, &may);
    c->hash = hash_word(c->hash, (uint64_t)must << 32 | may);
    take_actions(c, must ? must : may, salt);
    if (c->best_seat == SEAT_NONE)
        return false;
    play(c);
    if (number % POSITION_EVERY == 0)
        take_position(c, c->state);
    if (number % BREAK_EVERY == BREAK_EVERY - 1)
        take_breaks(c, seats);
    return true;
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
    take_position(c, c->state);
    c->order = rng_mix(~setup->seed);
    c->listed = 0;
    for (int i = 0;
         c->listed < most &&
         step(c, i, setup->seats, rng_mix(setup->seed + (uint64_t)i));
         i++)
        ;
    take_position(c, c->state);
    take_result(c, c->state, setup->seats);
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
            /* A seat leaves in the second half of them. */
            c->leaving = k < WAYS ? -1 : (int)(setup.seed % LEAVING);
            take_game(c, &setup, MIXTURE_LISTED);
        }
    }
}

/* The game's own samples, in every way. */
static void take_samples(struct chain *c)
{
    struct setup setup;
    struct fault f;
    for (int i = 0; c->game->samples && c->game->samples[i]; i++) {
        setup_init(c->game, &setup);
        if (!setup_read(c->game, c->game->samples[i], &setup, &f) ||
            !prepare(c, &setup))
            die(STATUS_CONTENT, "sample %d of %s is refused", i, c->game->name);
        for (int k = 0; k < SAMPLE_GAMES; k++) {
            c->way = (enum way)(k % WAYS);
            setup.seed = 1000u * (unsigned)i + (unsigned)k;
            take_game(c, &setup, LISTED);
        }
    }
}

uint32_t bench_fingerprint(const struct game *game)
{
    struct chain c = {.game = game, .leaving = -1};
    c.world = need(calloc(1, game->world_size));
    c.state = need(calloc(1, game->state_size));
    c.next = need(calloc(1, game->state_size));
    c.seen = need(calloc(SEEN, sizeof *c.seen));
    c.list = need(malloc(GAME_ACTIONS * sizeof *c.list));
    take_seats(&c);
    take_options(&c);
    take_mixtures(&c);
    c.leaving = -1;
    take_samples(&c);
    buffer_release(&c.text);
    free(c.world);
    free(c.state);
    free(c.next);
    free(c.list);
    free(c.seen);
    return (uint32_t)rng_mix(c.hash);
}
