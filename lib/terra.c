/* lib/terra.c: the stable interface over game/ and rules/. */
#include "lib/terra.h"

#include "base/rng.h"
#include "game/match.h"
#include "game/setup.h"
#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TERRA_SEATS == (int)GAME_SEATS, "a change of the ABI");
_Static_assert((int)TERRA_ACTIONS == (int)GAME_ACTIONS, "a change of the ABI");

enum { KINDS = 32 }; /* most kinds of action of any game */

struct terra_table {
    const struct game *game;
    struct setup setup;
    char *text;               /* owned; setup.given points into it */
    struct world *world;      /* owned */
    uint32_t base[KINDS + 1]; /* first action number of each kind */
};

struct terra_match {
    struct match *match; /* owned */
};

static void say_refusal(const struct game *game, const struct fault *f,
                        char *error, size_t cap)
{
    if (error)
        fault_write(game, f, error, cap);
}

int terra_abi(void)
{
    return TERRA_ABI;
}

const char *terra_version(void)
{
    return TERRA_VERSION;
}

const char *terra_game(int index)
{
    for (int i = 0; index >= 0 && rules_games[i]; i++)
        if (i == index)
            return rules_games[i]->name;
    return NULL;
}

/* ---- tables ---- */

static const struct game *find_game(const char *name, char *error, size_t cap)
{
    const struct game *game = rules_find(name);
    if (!game && error)
        snprintf(error, cap, "there is no game '%.64s'", name);
    return game;
}

/* setup_read() takes the first line for the game's name. */
static char *with_name(const struct game *game, const char *setup)
{
    size_t cap = strlen(game->name) + (setup ? strlen(setup) : 0) + 16;
    char *text = malloc(cap);
    if (text)
        snprintf(text, cap, "game: %s\n%s", game->name, setup ? setup : "");
    return text;
}

static bool prepare(struct terra_table *t, const char *setup, struct fault *f)
{
    t->text = with_name(t->game, setup);
    t->world = calloc(1, t->game->world_size);
    setup_init(t->game, &t->setup);
    if (!t->text || !t->world)
        return fault_set(f, FAULT_SIZE, 0, 0, "memory");
    return setup_read(t->game, t->text, &t->setup, f) &&
           t->game->prepare(t->world, &t->setup, f);
}

/* Action numbers go kind by kind, then by the first field, then the second. */
static void number_kinds(struct terra_table *t)
{
    const struct action_shape *shape = &t->game->actions;
    for (int kind = 0; kind < shape->count; kind++)
        t->base[kind + 1] =
            t->base[kind] + (uint32_t)shape->size[kind].a * shape->size[kind].b;
}

struct terra_table *terra_open(const char *game, const char *setup, char *error,
                               size_t cap)
{
    struct fault f = {0};
    const struct game *found = find_game(game, error, cap);
    struct terra_table *t = found ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    t->game = found;
    number_kinds(t);
    if (prepare(t, setup, &f))
        return t;
    say_refusal(found, &f, error, cap);
    terra_close(t);
    return NULL;
}

void terra_close(struct terra_table *t)
{
    if (!t)
        return;
    free(t->world);
    free(t->text);
    free(t);
}

const char *terra_name(const struct terra_table *t)
{
    return t->game->name;
}

int terra_seats(const struct terra_table *t)
{
    return t->setup.seats;
}

/* Rounded up, so that states in a row stay aligned. */
size_t terra_state_size(const struct terra_table *t)
{
    return (t->game->state_size + 15) & ~(size_t)15;
}

int terra_setup(const struct terra_table *t, char *to, size_t cap)
{
    return setup_write(t->game, &t->setup, to, cap);
}

/* ---- the course of a game ---- */

void terra_start(const struct terra_table *t, uint64_t seed, void *state)
{
    struct setup setup = t->setup;
    setup.seed = seed;
    memset(state, 0, terra_state_size(t));
    t->game->start(t->world, &setup, state);
}

void terra_turn(const struct terra_table *t, const void *state, uint32_t *must,
                uint32_t *may)
{
    unsigned must_mask, may_mask;
    t->game->turn(t->world, state, &must_mask, &may_mask);
    *must = must_mask;
    *may = may_mask;
}

/* The seat to act, and its actions. */
static int current(const struct terra_table *t, const void *state,
                   uint32_t *out, int *count)
{
    unsigned must, may;
    t->game->turn(t->world, state, &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = t->game->legal(t->world, state, seat, out);
        if (*count > 0)
            return seat;
    }
    *count = 0;
    return TERRA_NOBODY;
}

int terra_current(const struct terra_table *t, const void *state)
{
    unsigned must, may;
    uint32_t list[TERRA_ACTIONS];
    int count;
    t->game->turn(t->world, state, &must, &may);
    return must ? __builtin_ctz(must) : current(t, state, list, &count);
}

static bool is_seat(const struct terra_table *t, int seat)
{
    return seat >= 0 && seat < t->setup.seats;
}

int terra_legal(const struct terra_table *t, const void *state, int seat,
                uint32_t *out)
{
    return is_seat(t, seat) ? t->game->legal(t->world, state, seat, out) : 0;
}

int terra_apply(const struct terra_table *t, void *state, int seat,
                uint32_t wanted)
{
    uint32_t list[TERRA_ACTIONS];
    int count = terra_legal(t, state, seat, list);
    for (int i = 0; i < count; i++)
        if (list[i] == wanted) {
            t->game->apply(t->world, state, seat, wanted);
            return 0;
        }
    return TERRA_REFUSED;
}

void terra_result(const struct terra_table *t, const void *state,
                  struct terra_result *out)
{
    struct result r = {0};
    t->game->result(t->world, state, &r);
    for (int seat = 0; seat < TERRA_SEATS; seat++) {
        bool here = is_seat(t, seat);
        out->points[seat] = here ? r.points[seat] : 0;
        out->place[seat] = here ? r.place[seat] : 0;
    }
    out->reason = r.reason;
}

uint64_t terra_hash(const struct terra_table *t, const void *state)
{
    return t->game->hash(t->world, state);
}

int terra_estimate(const struct terra_table *t, const void *state,
                   int32_t *milli)
{
    if (!t->game->estimate)
        return TERRA_REFUSED;
    t->game->estimate(t->world, state, NULL, milli);
    return 0;
}

void terra_view(const struct terra_table *t, const void *state, int viewer,
                void *view)
{
    memset(view, 0, terra_state_size(t));
    if (t->game->observe)
        t->game->observe(t->world, state, viewer, view);
    else
        memcpy(view, state, t->game->state_size);
}

void terra_guess(const struct terra_table *t, void *view, int viewer,
                 uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    if (t->game->complete)
        t->game->complete(t->world, view, viewer, &rng);
}

/* ---- fixed-size action numbers ---- */

uint32_t terra_index_count(const struct terra_table *t)
{
    return t->base[t->game->actions.count];
}

uint32_t terra_index(const struct terra_table *t, uint32_t wanted)
{
    const struct action_shape *shape = &t->game->actions;
    uint32_t kind = (wanted & shape->kinds) >> __builtin_ctz(shape->kinds);
    if (kind >= (uint32_t)shape->count)
        return TERRA_NO_INDEX;
    uint32_t fields = wanted & ~shape->kinds;
    uint32_t a = fields >> shape->a_shift, b = fields >> shape->b_shift;
    if (shape->a_shift < shape->b_shift)
        a &= ((uint32_t)1 << (shape->b_shift - shape->a_shift)) - 1;
    else
        b &= ((uint32_t)1 << (shape->a_shift - shape->b_shift)) - 1;
    const struct action_size *size = &shape->size[kind];
    return a < size->a && b < size->b ? t->base[kind] + a * size->b + b
                                      : TERRA_NO_INDEX;
}

uint32_t terra_action(const struct terra_table *t, uint32_t index)
{
    const struct action_shape *shape = &t->game->actions;
    int kind = 0;
    if (index >= terra_index_count(t))
        return TERRA_NO_INDEX;
    while (index >= t->base[kind + 1])
        kind++;
    index -= t->base[kind];
    return (uint32_t)kind << __builtin_ctz(shape->kinds) |
           index / shape->size[kind].b << shape->a_shift |
           index % shape->size[kind].b << shape->b_shift;
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int terra_legal_indices(const struct terra_table *t, const void *state,
                        int seat, uint32_t *out)
{
    int count = terra_legal(t, state, seat, out);
    bool sorted = true;
    for (int i = 0; i < count; i++) {
        out[i] = terra_index(t, out[i]);
        sorted = sorted && (i == 0 || out[i - 1] < out[i]);
    }
    if (!sorted)
        qsort(out, (size_t)count, sizeof *out, by_size);
    return count;
}

/* ---- numbers ---- */

int terra_feature(const struct terra_table *t, int index, const char **name,
                  const char **help)
{
    for (int i = 0; index >= 0 && t->game->features[i].name; i++)
        if (i == index) {
            *name = t->game->features[i].name;
            *help = t->game->features[i].help;
            return t->game->features[i].count;
        }
    return TERRA_REFUSED;
}

int terra_measure_count(const struct terra_table *t)
{
    int count = 0;
    for (const struct feature *i = t->game->features; i->name; i++)
        count += i->count;
    return count;
}

/* A whole state in the caller's frame, whatever the game. */
union room {
    max_align_t align;
    char bytes[2048];
};

/* What the viewer may know of a state, in `room` if that is less than all.
 * TERRA_EVERYTHING is then nobody who knows it all. */
static const void *seen(const struct terra_table *t, const void *state,
                        int *viewer, union room *room)
{
    if (*viewer == TERRA_EVERYTHING) {
        *viewer = SEAT_NONE;
        return state;
    }
    if (!t->game->observe)
        return state;
    t->game->observe(t->world, state, *viewer, (void *)room);
    return room;
}

void terra_measure(const struct terra_table *t, const void *state, int viewer,
                   int16_t *out)
{
    union room room;
    const void *view = seen(t, state, &viewer, &room);
    t->game->measure(t->world, view, viewer, out);
}

int terra_measure_after(const struct terra_table *t, const void *state,
                        int seat, int viewer, int16_t *out)
{
    uint32_t list[TERRA_ACTIONS];
    union room after;
    int count = terra_legal(t, state, seat, list);
    int numbers = terra_measure_count(t);
    for (int i = 0; i < count; i++) {
        memcpy(&after, state, t->game->state_size);
        t->game->apply(t->world, (void *)&after, seat, list[i]);
        terra_measure(t, &after, viewer, out + (size_t)i * (size_t)numbers);
    }
    return count;
}

/* ---- text ---- */

int terra_write_action(const struct terra_table *t, const void *state, int seat,
                       uint32_t a, int viewer, char *to, size_t cap)
{
    return t->game->write_action(t->world, state, seat, a, viewer, to, cap);
}

int terra_write_state(const struct terra_table *t, const void *state, char *to,
                      size_t cap)
{
    return t->game->write_state(t->world, state, to, cap);
}

int terra_write_scene(const struct terra_table *t, const void *state,
                      int viewer, char *to, size_t cap)
{
    union room room;
    const void *view = seen(t, state, &viewer, &room);
    return t->game->write_scene(t->world, view, viewer, to, cap);
}

int terra_write_picture(const struct terra_table *t, const void *state,
                        int viewer, char *to, size_t cap)
{
    if (!t->game->write_picture)
        return TERRA_REFUSED;
    union room room;
    const void *view = seen(t, state, &viewer, &room);
    return t->game->write_picture(t->world, view, viewer, to, cap);
}

int terra_write_board(const struct terra_table *t, const void *state,
                      int viewer, char *to, size_t cap)
{
    union room room;
    const void *view = seen(t, state, &viewer, &room);
    return t->game->write_board(t->world, view, viewer, false, to, cap);
}

int terra_read_action(const struct terra_table *t, const void *state, int seat,
                      const char *text, uint32_t *a, char *error, size_t cap)
{
    struct fault f = {0};
    size_t used;
    if (t->game->read_action(t->world, state, seat, text, a, &used, &f))
        return 0;
    say_refusal(t->game, &f, error, cap);
    return TERRA_REFUSED;
}

int terra_read_state(const struct terra_table *t, const char *text, void *state,
                     char *error, size_t cap)
{
    struct fault f = {0};
    memset(state, 0, terra_state_size(t));
    if (t->game->read_state(t->world, text, state, &f))
        return 0;
    say_refusal(t->game, &f, error, cap);
    return TERRA_REFUSED;
}

/* ---- records ---- */

static struct terra_match *hold(struct match *m)
{
    struct terra_match *held = m ? malloc(sizeof *held) : NULL;
    if (held)
        held->match = m;
    else
        match_close(m);
    return held;
}

struct terra_match *terra_match_open(const struct terra_table *t, uint64_t seed)
{
    struct fault f;
    struct setup setup = t->setup;
    setup.seed = seed;
    return hold(match_open(t->game, &setup, &f));
}

static struct match *read_any(const struct game *game, const char *text,
                              size_t length, struct fault *f)
{
    size_t bad;
    if (!span_utf8((struct span){text, length}, &bad)) {
        fault_set(f, FAULT_ENCODING, 0, 0, "");
        return NULL;
    }
    for (const struct record_format *i = game->formats; i->name; i++)
        if (i->read && i->recognise(text, length))
            return match_read(game, i, text, length, NULL, f);
    fault_set(f, FAULT_FORMAT, 0, 0, "");
    return NULL;
}

struct terra_match *terra_match_read(const char *game, const char *text,
                                     size_t length, char *error, size_t cap)
{
    struct fault f = {0};
    const struct game *found = find_game(game, error, cap);
    if (!found)
        return NULL;
    struct match *m = read_any(found, text, length, &f);
    if (!m)
        say_refusal(found, &f, error, cap);
    return hold(m);
}

void terra_match_close(struct terra_match *m)
{
    if (m)
        match_close(m->match);
    free(m);
}

int terra_match_play(struct terra_match *m, int seat, uint32_t a)
{
    uint32_t list[TERRA_ACTIONS];
    const struct game *game = match_game(m->match);
    if (seat < 0 || seat >= match_setup(m->match)->seats)
        return TERRA_REFUSED;
    int count =
        game->legal(match_world(m->match), match_state(m->match), seat, list);
    for (int i = 0; i < count; i++)
        if (list[i] == a) {
            match_play(m->match, seat, a);
            return 0;
        }
    return TERRA_REFUSED;
}

int terra_match_count(const struct terra_match *m)
{
    return match_count(m->match);
}

int terra_match_step(const struct terra_match *m, int index, int32_t *seat,
                     uint32_t *a)
{
    if (index < 0 || index >= match_count(m->match))
        return TERRA_REFUSED;
    const struct step *step = match_step(m->match, index);
    *seat = step->seat;
    *a = step->action;
    return step->kind;
}

int terra_match_state(const struct terra_match *m, int index, void *state)
{
    if (index < 0 || index > match_count(m->match))
        return TERRA_REFUSED;
    match_at(m->match, index, state);
    return 0;
}

int terra_match_setup(const struct terra_match *m, char *to, size_t cap)
{
    return setup_write(match_game(m->match), match_setup(m->match), to, cap);
}

int terra_match_write(const struct terra_match *m, int viewer, char *to,
                      size_t cap)
{
    const struct record_format *first =
        match_format(match_game(m->match), NULL);
    return match_write(m->match, first, match_count(m->match), viewer, to, cap);
}

/* ---- many games at once ---- */

static void *state_of(const struct terra_table *t, const struct terra_batch *b,
                      int i)
{
    return (char *)b->states + (size_t)i * terra_state_size(t);
}

/* Who is to act in game i, and its list behind those of the games before. */
static void list_game(const struct terra_table *t, struct terra_batch *b, int i)
{
    int count;
    b->seat[i] =
        current(t, state_of(t, b, i), b->actions + b->offset[i], &count);
    b->offset[i + 1] = b->offset[i] + count;
}

void terra_batch_start(const struct terra_table *t, struct terra_batch *b)
{
    b->offset[0] = 0;
    for (int i = 0; i < b->count; i++) {
        terra_start(t, b->seeds[i], state_of(t, b, i));
        b->done[i] = 0;
        list_game(t, b, i);
    }
}

static bool choices_good(const struct terra_batch *b)
{
    for (int i = 0; i < b->count; i++) {
        int count = b->offset[i + 1] - b->offset[i];
        if (b->choice[i] < -1 || b->choice[i] >= count)
            return false;
    }
    return true;
}

static void finish_game(const struct terra_table *t, struct terra_batch *b,
                        int i)
{
    struct terra_result r;
    terra_result(t, state_of(t, b, i), &r);
    memcpy(b->points + i * TERRA_SEATS, r.points, sizeof r.points);
    memcpy(b->place + i * TERRA_SEATS, r.place, sizeof r.place);
    b->done[i] = 1;
    if (!b->reset)
        return;
    b->seeds[i] += (uint64_t)b->count;
    terra_start(t, b->seeds[i], state_of(t, b, i));
    list_game(t, b, i);
}

/* All actions first: the lists they are chosen from are then overwritten. */
int terra_batch_step(const struct terra_table *t, struct terra_batch *b)
{
    int finished = 0;
    if (!choices_good(b))
        return TERRA_REFUSED;
    for (int i = 0; i < b->count; i++) {
        b->done[i] = b->choice[i] >= 0; /* for now: it moved */
        if (b->choice[i] >= 0)
            t->game->apply(t->world, state_of(t, b, i), b->seat[i],
                           b->actions[b->offset[i] + b->choice[i]]);
    }
    for (int i = 0; i < b->count; i++) {
        bool moved = b->done[i];
        b->done[i] = 0;
        list_game(t, b, i);
        if (moved && b->seat[i] == TERRA_NOBODY) {
            finish_game(t, b, i);
            finished++;
        }
    }
    return finished;
}

void terra_batch_view(const struct terra_table *t, const struct terra_batch *b,
                      void *views)
{
    for (int i = 0; i < b->count; i++)
        terra_view(t, state_of(t, b, i), b->seat[i],
                   (char *)views + (size_t)i * terra_state_size(t));
}

void terra_batch_measure(const struct terra_table *t,
                         const struct terra_batch *b, int16_t *out)
{
    size_t numbers = (size_t)terra_measure_count(t);
    for (int i = 0; i < b->count; i++)
        terra_measure(t, state_of(t, b, i), b->seat[i],
                      out + (size_t)i * numbers);
}

void terra_batch_mask(const struct terra_table *t, const struct terra_batch *b,
                      uint8_t *mask)
{
    size_t size = terra_index_count(t);
    memset(mask, 0, (size_t)b->count * size);
    for (int i = 0; i < b->count; i++)
        for (int k = b->offset[i]; k < b->offset[i + 1]; k++)
            mask[(size_t)i * size + terra_index(t, b->actions[k])] = 1;
}
