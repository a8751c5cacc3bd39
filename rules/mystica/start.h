/* rules/mystica/start.h: options, world and first state (mystica §2, §13). */
#ifndef RULES_MYSTICA_START_H
#define RULES_MYSTICA_START_H

#include "base/text.h"
#include "rules/mystica/flow.h"

extern const struct option mystica_options[];

bool mystica_prepare(struct world *w, const struct setup *setup,
                     struct fault *f);
void mystica_start(const struct world *w, const struct setup *setup,
                   struct state *s);

/* Names, in any case; -1 if unknown. */
int find_faction(struct span name);
int find_colour(struct span name);
int find_track(struct span name);
/* "BON7" with prefix "BON" and most 10 gives 7; 0 if it is no such name. */
int find_numbered(struct span name, const char *prefix, int most);
bool same_word(struct span a, const char *b);

#endif
