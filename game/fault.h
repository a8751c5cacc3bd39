/* game/fault.h: why something from outside was refused.
 *
 * A fault is a number with a stable name; front ends translate by that name.
 * The English phrase and the paragraph of the rule sit in one table per game,
 * after the shared table here. */
#ifndef GAME_FAULT_H
#define GAME_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct game;

enum { FAULT_SUBJECT = 96 };

struct fault {
    int code;                    /* 0: none */
    int line, column;            /* from 1; 0: the input as a whole */
    char subject[FAULT_SUBJECT]; /* what it is about, quoted by front ends */
};

struct fault_text {
    int code;
    const char *name;      /* stable: "illegal.stone-apart" */
    const char *phrase;    /* English, lower case, no full stop */
    const char *paragraph; /* "nova §6", or NULL */
};

/* Faults every game can have.  Those of a game begin at FAULT_GAME. */
enum {
    FAULT_NONE,
    FAULT_SEATS,     /* number of seats */
    FAULT_OPTION,    /* unknown option */
    FAULT_VALUE,     /* unknown or impossible value of an option */
    FAULT_GIVEN,     /* unknown key in `given` */
    FAULT_ENCODING,  /* not UTF-8 */
    FAULT_SIZE,      /* larger than the reader's buffers */
    FAULT_SYNTAX,    /* text that is no action */
    FAULT_TURN,      /* that seat is not to act */
    FAULT_OVER,      /* the match is over */
    FAULT_FORMAT,    /* no known format, or a foreign one */
    FAULT_TRUNCATED, /* ends too early */
    FAULT_HIDDEN,    /* tells what a seat cannot know */
    FAULT_GAME = 100
};

/* Fills *f and returns false, so that a reader can `return fault_set(...)`.
 * The subject is cut between characters and shows control characters as '?':
 * it comes from outside and ends on somebody's terminal. */
bool fault_set(struct fault *f, int code, int line, int column,
               const char *subject);
bool fault_span(struct fault *f, int code, int line, int column,
                const char *subject, size_t length);

/* The entry of a code, never NULL. */
const struct fault_text *fault_text(const struct game *game, int code);
/* "name: phrase 'subject' (paragraph)"; returns the length needed. */
int fault_write(const struct game *game, const struct fault *f, char *to,
                size_t cap);
/* The shared table, ended by an entry without a name. */
const struct fault_text *fault_shared(void);

#endif
