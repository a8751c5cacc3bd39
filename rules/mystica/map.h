/* rules/mystica/map.h: the board as a world (mystica §5, §17). */
#ifndef RULES_MYSTICA_MAP_H
#define RULES_MYSTICA_MAP_H

#include "base/text.h"
#include "rules/mystica/state.h"

/* Builds all geometry from nine rows of terrain letters, alternately 13 and
 * 12 long.  Returns the number of the first faulty row (1..9), 0 if good. */
int map_build(struct world *w, const char *const rows[9]);
/* The same from text, blanks and empty lines left out; a fault names the line,
 * counted from `line` + 1, and the column. */
bool map_read(struct world *w, struct span text, int line, struct fault *f);
/* The nine rows as text, each with its end of line. */
void map_write(const struct world *w, struct text *t);
/* The cell of that name in any case, or -1. */
int map_find(const struct world *w, const char *name, size_t length);

#endif
