/* game/record.h: whole matches, positions and boards as files.
 *
 * Each game reads and writes its own file formats; match, command line and
 * server know only this table.  A record is the common form in between: the
 * setup, the steps, and what people noted beside the game. */
#ifndef GAME_RECORD_H
#define GAME_RECORD_H

#include "game/game.h"

enum step_kind {
    STEP_ACTION,  /* `seat` plays `action` */
    STEP_DROP,    /* `seat` leaves, the others play on */
    STEP_STOP,    /* broken off for `reason`, by `seat` or SEAT_NONE */
    STEP_TAKEOVER /* from here on somebody else plays `seat`; no effect */
};

struct step {
    uint8_t kind;
    int8_t seat;
    uint8_t reason; /* enum ending, with STEP_STOP */
    action action;
};

/* All memory belongs to the caller of the format's functions. */
struct record {
    struct setup setup; /* on entry to read(): what the caller asks for where
                           the file is silent; setup.given is `given` or NULL */
    char *given;        /* buffer for setup.given, ended by NUL */
    size_t given_cap;
    char *notes; /* lines "Key: value": player names, date, other tags */
    size_t notes_cap;
    /* Lines for people, tolerances used and differences, each with its stable
     * name: "line 12: late cult step, '+FIRE' (late-step)". */
    char *remarks;
    size_t remarks_cap;
    bool all; /* go on after a difference and remark every one;
                 read() then still refuses for the first */
    struct step *steps;
    int count, cap;
    int *lines;          /* line of each step in the file, or NULL */
    struct world *world; /* working memory; after read() world and last state */
    struct state *state;
};

struct record_format {
    const char *name;   /* for --to: "nova", "position" */
    const char *suffix; /* ".nova" */
    const char *help;
    /* Does the text look like this format, faulty or not? */
    bool (*recognise)(const char *text, size_t length);
    /* Reads, replays and checks everything the text claims.  NULL: cannot. */
    bool (*read)(const char *text, size_t length, struct record *r,
                 struct fault *f);
    /* Canonical text of what `viewer` may know (SEAT_NONE: the public part;
     * RECORD_FULL: everything).  On entry r->world is prepared and r->state is
     * the first state, which write() plays forward.  Returns the length
     * needed, or if this match cannot be written so minus the fault of the
     * game that says why, or -1.  NULL: cannot. */
    int (*write)(const struct record *r, int viewer, char *to, size_t cap);
};

enum { RECORD_FULL = -2 };

#endif
