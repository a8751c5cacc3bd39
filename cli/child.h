/* cli/child.h: a program of somebody else that plays (docs/engine.md).
 *
 * It is trusted with nothing: whatever it does, the caller gets an answer in
 * time, and the program with all its children is gone after child_close(). */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include "game/match.h"

struct child;

struct child_limits {
    int nodes, movetime_ms; /* told with go; 0: not */
    int grace_ms;           /* waited for beyond movetime */
    int begin_ms;           /* waited for the first answer */
};

enum child_fault { CHILD_GOOD, CHILD_DIED, CHILD_HUNG, CHILD_CHEATED };
extern const char *const child_faults[]; /* "died", ... by number */

/* Starts a shell command; what fails shows at the first child_choose(). */
struct child *child_open(const char *command, const struct child_limits *l);
void child_close(struct child *c);
/* Asks for an action of `seat`, telling what that seat may know.  If the
 * answer is none, `why` says so in one line. */
enum child_fault child_choose(struct child *c, const struct match *m, int seat,
                              action *out, char *why, size_t cap);

#endif
