/* game/match.h: a match is its setup and its log.
 *
 * Front ends do not drive a game; a match does it once for all of them: play,
 * undo, redo, replay, save and load.  Steps after the last fence are a draft
 * that undo may take back; what lies before it stays. */
#ifndef GAME_MATCH_H
#define GAME_MATCH_H

#include "game/record.h"

struct match;

/* Both return NULL and a fault if the setup or the text is refused.  The match
 * keeps copies of everything and is released by match_close(). */
struct match *match_open(const struct game *game, const struct setup *setup,
                         struct fault *f);
struct match *match_read(const struct game *game,
                         const struct record_format *format, const char *text,
                         size_t length, const struct setup *silent,
                         struct fault *f);
/* The same, but the reader goes on after a difference.  `remarks` gets every
 * one, also when the text is refused for the first of them. */
struct match *match_read_all(const struct game *game,
                             const struct record_format *format,
                             const char *text, size_t length,
                             const struct setup *silent, char *remarks,
                             size_t cap, struct fault *f);
void match_close(struct match *m);

const struct game *match_game(const struct match *m);
const struct setup *match_setup(const struct match *m);
const struct world *match_world(const struct match *m);
const struct state *match_state(const struct match *m); /* the present one */
const struct state *match_first(const struct match *m); /* before any step */

/* Steps made so far, and with those that undo took back. */
int match_count(const struct match *m);
int match_total(const struct match *m);
const struct step *match_step(const struct match *m, int index);
/* Where the step stood in the file it was read from, or 0. */
int match_line(const struct match *m, int index);
/* What the reader had to say beside the game, lines ended by \n, never NULL. */
const char *match_remarks(const struct match *m);

/* The first seat that must act, else the first that may, else SEAT_NONE. */
int match_seat(const struct match *m);
bool match_over(const struct match *m);

/* Plays one legal action and forgets what undo had taken back. */
void match_play(struct match *m, int seat, action a);
/* Plays all actions of a typed line, or none of them.  Separators are blanks,
 * commas and semicolons.  The seat may change along the line if a turn ends:
 * whoever match_seat() names goes on.  The fault's column is that of the first
 * action refused. */
bool match_type(struct match *m, int seat, const char *line, struct fault *f);
/* The same for one who may speak only for the seats of a mask: an action that
 * would be another's refuses the line. */
bool match_type_as(struct match *m, unsigned seats, int seat, const char *line,
                   struct fault *f);
/* From here on everything is as the seat sees it: no answer to a line, and
 * nothing that comes of it, depends on what is hidden.  A line that tells more
 * than its actions, what is drawn or who completes a mission, is refused.
 * match_wake() forgets the steps made since. */
void match_dream(struct match *m, int seat);
void match_wake(struct match *m);
void match_drop(struct match *m, int seat);
void match_stop(struct match *m, int reason, int seat);
void match_takeover(struct match *m, int seat);

/* Undo and redo go by single steps.  A step can be undone while it lies after
 * the last fence, or any time with `force` (agreement of all, or analysis). */
bool match_can_undo(const struct match *m);
bool match_undo(struct match *m, bool force);
bool match_can_redo(const struct match *m);
bool match_redo(struct match *m);
/* The number of steps before the draft: the last fence. */
int match_fence(const struct match *m);

/* Copies the state after `count` steps (0..total) into `out`. */
void match_at(const struct match *m, int count, struct state *out);

/* Lines "Key: value" kept beside the game: player names, date.  A NULL value
 * removes the line; line breaks are refused. */
bool match_note(const struct match *m, const char *key, char *to, size_t cap);
bool match_set_note(struct match *m, const char *key, const char *value);

/* Writes the first `count` steps as text; viewer as in game/record.h.  Returns
 * the length needed, -1 if the format cannot. */
int match_write(const struct match *m, const struct record_format *format,
                int count, int viewer, char *to, size_t cap);
/* The format of that name, or the first if name is NULL, or NULL. */
const struct record_format *match_format(const struct game *game,
                                         const char *name);

#endif
