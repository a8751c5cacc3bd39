/* lib/terra.h: the games for other programs, as a stable C interface.
 *
 * A table is a game with its setup: read-only once opened, shared by any number
 * of threads.  A state is terra_state_size() bytes of the caller's memory,
 * aligned to 16, without pointers: memcpy copies it, memcmp compares it.
 * Seats count from 0.  Nothing here prints, reads a clock or keeps a global.
 *
 * Functions that return int give -1 when they refuse, and then a line in
 * `error`, if that is not NULL.  Writers return the length that was needed,
 * as snprintf does.  States given back to the library must come from it. */
#ifndef TERRA_H
#define TERRA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TERRA_ABI 1 /* grows with every change to what stands below */

#if defined(__GNUC__)
#define TERRA_API __attribute__((visibility("default")))
#else
#define TERRA_API
#endif

enum {
    TERRA_SEATS = 6,       /* most seats of any game */
    TERRA_ACTIONS = 2048,  /* most legal actions of one seat in any state */
    TERRA_NOBODY = -1,     /* no seat: a spectator; the game is over */
    TERRA_EVERYTHING = -2, /* as viewer: secrets included */
    TERRA_REFUSED = -1
};

struct terra_table;
struct terra_match;

struct terra_result {
    int32_t points[TERRA_SEATS];
    int32_t place[TERRA_SEATS]; /* 1 is best; equal places share */
    int32_t reason;             /* 0: not over */
};

/* Many games side by side.  All arrays are the caller's; `states` has `count`
 * times terra_state_size() bytes, `actions` room for count * TERRA_ACTIONS.
 * Game i may play actions[offset[i]] up to actions[offset[i + 1]]. */
struct terra_batch {
    int32_t count;
    int32_t reset;     /* 1: a finished game begins anew with its next seed */
    void *states;      /* count * terra_state_size() */
    uint64_t *seeds;   /* count; of the game being played */
    int32_t *seat;     /* count; to act, TERRA_NOBODY when over */
    int32_t *offset;   /* count + 1 */
    uint32_t *actions; /* count * TERRA_ACTIONS */
    int32_t *choice;   /* count; from 0 in the game's own list, -1: nothing */
    int32_t *points;   /* count * TERRA_SEATS; of the last finished game */
    int32_t *place;    /* count * TERRA_SEATS */
    uint8_t *done;     /* count; 1 if that step finished a game */
};

TERRA_API int terra_abi(void);
TERRA_API const char *terra_version(void);
/* The name of a game by number from 0, NULL behind the last. */
TERRA_API const char *terra_game(int index);

/* `setup` has lines "seats: 2", "option board: islet" and, after them, given
 * lines (docs/notation.md); NULL or "" is the usual table. */
TERRA_API struct terra_table *terra_open(const char *game, const char *setup,
                                         char *error, size_t cap);
TERRA_API void terra_close(struct terra_table *table);
TERRA_API const char *terra_name(const struct terra_table *table);
TERRA_API int terra_seats(const struct terra_table *table);
TERRA_API size_t terra_state_size(const struct terra_table *table);
TERRA_API int terra_setup(const struct terra_table *table, char *to,
                          size_t cap);

/* The course of a game. */
TERRA_API void terra_start(const struct terra_table *table, uint64_t seed,
                           void *state);
TERRA_API void terra_turn(const struct terra_table *table, const void *state,
                          uint32_t *must, uint32_t *may);
/* The first seat that must act, else the first that may and can. */
TERRA_API int terra_current(const struct terra_table *table, const void *state);
TERRA_API int terra_legal(const struct terra_table *table, const void *state,
                          int seat, uint32_t *out);
TERRA_API int terra_apply(const struct terra_table *table, void *state,
                          int seat, uint32_t action);
TERRA_API void terra_result(const struct terra_table *table, const void *state,
                            struct terra_result *result);
TERRA_API uint64_t terra_hash(const struct terra_table *table,
                              const void *state);
/* Expected final points, thousandths; -1 if the game has no such opinion. */
TERRA_API int terra_estimate(const struct terra_table *table, const void *state,
                             int32_t *milli);

/* What one seat may know; and a guess at the rest that fits it. */
TERRA_API void terra_view(const struct terra_table *table, const void *state,
                          int viewer, void *view);
TERRA_API void terra_guess(const struct terra_table *table, void *view,
                           int viewer, uint64_t seed);

/* Action numbers of a fixed size, 0 to terra_index_count() - 1; one for each
 * action that can ever be legal, the same in every table of a game, and back
 * again (docs/research.md).  Not every number is an action: TERRA_NO_INDEX,
 * or whatever the fields of that number say. */
#define TERRA_NO_INDEX UINT32_MAX
TERRA_API uint32_t terra_index_count(const struct terra_table *table);
TERRA_API uint32_t terra_index(const struct terra_table *table,
                               uint32_t action);
TERRA_API uint32_t terra_action(const struct terra_table *table,
                                uint32_t index);
/* terra_legal() as numbers, smallest first. */
TERRA_API int terra_legal_indices(const struct terra_table *table,
                                  const void *state, int seat, uint32_t *out);

/* A view as numbers for learning programs: blocks with a name and an exact
 * definition, of the same size in every table of a game.  terra_feature()
 * returns the size of block `index`, -1 behind the last. */
TERRA_API int terra_feature(const struct terra_table *table, int index,
                            const char **name, const char **help);
TERRA_API int terra_measure_count(const struct terra_table *table);
TERRA_API void terra_measure(const struct terra_table *table, const void *state,
                             int viewer, int16_t *out);
/* What `viewer` would see after each legal action of `seat`, in their order:
 * terra_measure_count() numbers for each.  Returns how many actions. */
TERRA_API int terra_measure_after(const struct terra_table *table,
                                  const void *state, int seat, int viewer,
                                  int16_t *out);

/* Text. */
TERRA_API int terra_write_action(const struct terra_table *table,
                                 const void *state, int seat, uint32_t action,
                                 int viewer, char *to, size_t cap);
TERRA_API int terra_write_state(const struct terra_table *table,
                                const void *state, char *to, size_t cap);
TERRA_API int terra_write_scene(const struct terra_table *table,
                                const void *state, int viewer, char *to,
                                size_t cap);
TERRA_API int terra_write_picture(const struct terra_table *table,
                                  const void *state, int viewer, char *to,
                                  size_t cap);
TERRA_API int terra_write_board(const struct terra_table *table,
                                const void *state, int viewer, char *to,
                                size_t cap);
TERRA_API int terra_read_action(const struct terra_table *table,
                                const void *state, int seat, const char *text,
                                uint32_t *action, char *error, size_t cap);
TERRA_API int terra_read_state(const struct terra_table *table,
                               const char *text, void *state, char *error,
                               size_t cap);

/* Whole games as records. */
TERRA_API struct terra_match *terra_match_open(const struct terra_table *table,
                                               uint64_t seed);
TERRA_API struct terra_match *terra_match_read(const char *game,
                                               const char *text, size_t length,
                                               char *error, size_t cap);
TERRA_API void terra_match_close(struct terra_match *match);
TERRA_API int terra_match_play(struct terra_match *match, int seat,
                               uint32_t action);
TERRA_API int terra_match_count(const struct terra_match *match);
/* 0 for an action, 1 for a seat that leaves, 2 for a stop, 3 for a change of
 * player; only the first has an action. */
TERRA_API int terra_match_step(const struct terra_match *match, int index,
                               int32_t *seat, uint32_t *action);
/* Copies the state after `index` steps. */
TERRA_API int terra_match_state(const struct terra_match *match, int index,
                                void *state);
TERRA_API int terra_match_setup(const struct terra_match *match, char *to,
                                size_t cap);
TERRA_API int terra_match_write(const struct terra_match *match, int viewer,
                                char *to, size_t cap);

/* Starts every game with its seed and fills seat, offset and actions. */
TERRA_API void terra_batch_start(const struct terra_table *table,
                                 struct terra_batch *batch);
/* Plays choice[i] in each game i and fills everything again.  A choice that
 * is not in the game's list leaves the whole batch as it was: -1.  Otherwise
 * the number of games finished by this step. */
TERRA_API int terra_batch_step(const struct terra_table *table,
                               struct terra_batch *batch);
/* The view of whoever is to act in each game, into count states. */
TERRA_API void terra_batch_view(const struct terra_table *table,
                                const struct terra_batch *batch, void *views);

/* The same as numbers: count * terra_measure_count(). */
TERRA_API void terra_batch_measure(const struct terra_table *table,
                                   const struct terra_batch *batch,
                                   int16_t *out);
/* 1 for each legal action by its number: count * terra_index_count() bytes. */
TERRA_API void terra_batch_mask(const struct terra_table *table,
                                const struct terra_batch *batch, uint8_t *mask);

#ifdef __cplusplus
}
#endif
#endif
