/* rules/mystica/text.h: actions as text, in the notation of the public server
 * (docs/notation.md). */
#ifndef RULES_MYSTICA_TEXT_H
#define RULES_MYSTICA_TEXT_H

#include "base/text.h"
#include "rules/mystica/legal.h"

int mystica_write_action(const struct world *w, const struct state *s, int seat,
                         action a, int viewer, char *to, size_t cap);
bool mystica_read_action(const struct world *w, const struct state *s, int seat,
                         const char *text, action *out, size_t *used,
                         struct fault *f);
/* What reading a command found beside its action. */
struct parsed {
    size_t length;    /* bytes of the command */
    struct span rest; /* first word behind it, if any */
    bool whole;       /* false: it means this action and then itself again */
};

/* Understands one command without asking whether it is legal. */
bool parse_command(const struct world *w, const struct state *s, int seat,
                   struct span command, action *out, struct parsed *parsed,
                   struct fault *f);
/* Says why an action is not legal; always returns false. */
bool explain(const struct world *w, const struct state *s, int seat, action a,
             struct fault *f);

#endif
