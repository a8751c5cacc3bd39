/* tests/rules/nova/both.h: the game and its reference, side by side.
 *
 * Opens one setup in both, plays the same actions in both and fails the test
 * (cmocka) as soon as they disagree about a position, a legal list, a score
 * or an end. */
#ifndef TESTS_RULES_NOVA_BOTH_H
#define TESTS_RULES_NOVA_BOTH_H

#include "base/rng.h"
#include "tests/rules/nova/reference.h"
#include "tests/random.h"

/* Recorded games: the project's own, and a larger set that may lie beside the
 * checkout. */
#define NOVA_GAMES   "tests/games/nova"
#define SHARED_GAMES "../shared/data/nova-records"

struct both {
    const struct game *game; /* nova */
    struct setup setup;
    char given[16384];
    struct world *world; /* owned, as is the state */
    struct state *state;
    struct reference_board board;
    struct reference rules;
    struct reference_state plain;
    struct reference_scored scored; /* by the last action */
    char played[REFERENCE_TEXT];    /* the last action, with results */
};

/* What to open.  Exactly one of board, land and file is set. */
struct both_setup {
    const char *board;   /* the name of a board */
    const char *land;    /* a bare map */
    const char *file;    /* the text of a board file */
    const char *colours; /* "yr" */
    const char *options; /* as in a record, edition among them, or NULL */
    const char *start;   /* a position, or NULL */
    uint64_t seed;
};

void both_open(struct both *b, const struct both_setup *how);
/* Makes the game do without the instructions of newer processors. */
void both_portable(struct both *b);
void both_close(struct both *b);

/* The seat to act in the game, or SEAT_NONE. */
int both_seat(const struct both *b);
/* Do both agree on everything that can be seen from outside? */
void both_agree(const struct both *b);
/* Is the action legal?  Fails if they disagree. */
bool both_legal(const struct both *b, const char *text);
/* Plays one action given as text; false if both refuse it. */
bool both_play(struct both *b, const char *text);
/* Plays a random legal action in both; `bias` in percent prefers stones.
 * False if the game is over. */
bool both_random(struct both *b, struct rng *rng, int bias);

/* ---- the game alone ---- */

/* The position as text; `to` has room for REFERENCE_TEXT. */
void game_position(const struct both *b, char *to);
/* Fills *setup, pointing into `given`; fails the test if it is refused. */
void game_setup(const struct both_setup *how, struct setup *setup, char *given,
                size_t cap);

/* ---- files ---- */

/* A whole file, ended by NUL, to be freed; NULL if there is none.  The path
 * begins at the root of the sources. */
char *file_read(const char *path, size_t *length);
void file_path(const char *path, char *to, size_t cap);
/* The text of a board that comes with the game. */
const char *board_text(const char *name);
extern const char *const board_names[]; /* ended by NULL */

#endif
