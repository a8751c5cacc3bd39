/* cli/line.h: one typed line: edited on a terminal, plain from a pipe. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include <stdbool.h>

struct line;

struct line *line_open(void);
void line_close(struct line *l);
/* Is a person at a terminal, with editing and history? */
bool line_edited(const struct line *l);
/* Who knows how a line can go on: fills `out` with the words possible behind
 * `before`, which ends where a new word begins.  Returns how many; list and
 * words belong to the caller. */
typedef int line_words(void *data, const char *before, char ***out);
void line_complete(struct line *l, line_words *words, void *data);

/* The next line without its end, valid until the next call; NULL at the end
 * of the input.  The prompt is shown on a terminal only. */
const char *line_read(struct line *l, const char *prompt);

#endif
