/* cli/archive.h: large sets of games in few files (docs/research.md).
 *
 * A part is a file of games with one setup: a line of JSON says what was
 * played, then come the games, as lines of JSON or packed with checksums.
 * Whatever was cut off while writing is noticed and can be done again. */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include "cli/cli.h"

enum { ARCHIVE_STEPS = 32768 };

/* One game: choices are places in the list of legal actions of whoever is to
 * act, the first seat that must, else the first that may and can. */
struct archive_game {
    int number, count;
    uint64_t seed;
    int points[GAME_SEATS], place[GAME_SEATS], reason;
    uint16_t choice[ARCHIVE_STEPS];
};

struct archive {
    FILE *file;
    const char *name; /* borrowed */
    bool packed;
    char *head; /* owned: the first line, without its end */
    const struct game *game;
    struct setup setup;
    char *given;         /* owned; setup.given points into it */
    struct world *world; /* owned */
    struct state *state; /* owned */
    long good;           /* bytes up to the last whole game */
};

/* What an archive of this setup begins with; owned by the caller. */
char *archive_head(const struct game *game, const struct setup *setup,
                   const char *bots, int opening);
/* The game out of a match, in which only actions were played; false if it is
 * too long or an event broke it off. */
bool archive_take(const struct match *m, int number, struct archive_game *g);
/* The seat to act and its actions; SEAT_NONE: over. */
int archive_seat(const struct game *game, const struct world *w,
                 const struct state *s, action *legal, int *count);

/* Opens for reading; ends the program if the file cannot be read or its head
 * is none. */
void archive_open(struct archive *a, const char *name);
void archive_close(struct archive *a);
/* The next game.  False at the end and at what is damaged or cut off; then
 * `why` says what, or is empty. */
bool archive_next(struct archive *a, struct archive_game *g, char *why,
                  size_t cap);
/* Writes a game, or the head if there is none. */
void archive_write(FILE *to, const struct archive *a, bool packed,
                   const struct archive_game *g);

#endif
