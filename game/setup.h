/* game/setup.h: setups as text, and the `given` lines inside them. */
#ifndef GAME_SETUP_H
#define GAME_SETUP_H

#include "base/text.h"
#include "game/game.h"
#include "game/record.h"

/* The usual seats, every option unset, seed 0, nothing given. */
void setup_init(const struct game *game, struct setup *setup);
/* Sets one option from its name and value. */
bool setup_option(const struct game *game, struct setup *setup,
                  struct span name, struct span value, struct fault *f);
/* The index of an option in the game's list, or -1. */
int setup_find(const struct game *game, const char *name);
/* The value as text: "islet", "12", "alchemists+witches". */
int setup_write_value(const struct option *option, int value, char *to,
                      size_t cap);
/* Lines "game: nova", "seats: 2", "option board: islet", "seed: 7", then the
 * given lines as they are.  Options that are unset are left out. */
int setup_write(const struct game *game, const struct setup *setup, char *to,
                size_t cap);
/* Reads what setup_write() wrote.  On entry *setup holds what counts where the
 * text is silent.  The seed, if there, ends the head, whatever follows is
 * given; setup->given then points into `text`, which must stay.  The game's
 * name in the first line has been used to find `game`. */
bool setup_read(const struct game *game, const char *text, struct setup *setup,
                struct fault *f);

/* The head of a record, up to an empty line: lines as setup_write() writes
 * them, and "note Key: value" among them.  Fills r->setup, r->given and
 * r->notes and prepares r->world.  Faults name the line of the file. */
bool setup_read_record(const struct game *game, struct lines *l,
                       struct record *r, struct fault *f);

/* One key of `given`.  The value runs to the end of the line and over all
 * following lines that begin with a tab. */
struct given {
    struct span key, value;
    int line; /* of the key, in given */
};

/* Walks over the keys: `at` starts as NULL-ended given text (may be NULL). */
bool given_next(const char **at, int *line, struct given *out);
bool given_find(const char *given, const char *key, struct given *out);
/* Copies a value of several lines without the tabs; returns the length. */
int given_unfold(struct span value, char *to, size_t cap);
/* Appends "key:" and the text, each of its lines behind a tab; for one line
 * "key: text". */
void given_add(struct text *t, const char *key, struct span value);

#endif
