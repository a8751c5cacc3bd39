/* rules/mystica/position.h: positions as text (docs/notation.md). */
#ifndef RULES_MYSTICA_POSITION_H
#define RULES_MYSTICA_POSITION_H

#include "base/text.h"
#include "rules/mystica/flow.h"

int mystica_write_state(const struct world *w, const struct state *s, char *to,
                        size_t cap);
bool mystica_read_state(const struct world *w, const char *text,
                        struct state *out, struct fault *f);

#endif
