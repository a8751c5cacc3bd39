/* rules/mystica/text.h: actions as text, in the notation of the public server
 * (docs/notation.md). */
#ifndef RULES_MYSTICA_TEXT_H
#define RULES_MYSTICA_TEXT_H

#include "base/text.h"
#include "rules/mystica/legal.h"

int mystica_write_action(const struct world *w, const struct state *s,
                         int seat, action a, int viewer, char *to, size_t cap);
bool mystica_read_action(const struct world *w, const struct state *s,
                         int seat, const char *text, action *out,
                         size_t *used, struct fault *f);
/* Understands one command without asking whether it is legal.  *whole is false
 * if the command means this action and then itself again. */
bool parse_command(const struct world *w, const struct state *s, int seat,
                   struct span command, action *out, bool *whole,
                   struct fault *f);
/* Says why an action is not legal; always returns false. */
bool explain(const struct world *w, const struct state *s, int seat, action a,
             struct fault *f);

#endif
