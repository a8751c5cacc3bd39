/* cli/table.h: a match in the terminal, with the people and bots around it. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/rng.h"
#include "cli/cli.h"
#include "cli/line.h"

struct table {
    const struct game *game;
    struct match *match;
    const struct player *player[GAME_SEATS];
    struct request *request;
    struct line *line;
    struct rng rng; /* for bots; no part of the match */
    bool colour;
    bool quit;
    bool refused;    /* some input was */
    int shown;       /* the seat that saw the board last, or SEAT_NONE */
    int shown_count; /* and after how many steps */
    int speaking;    /* the bot whose line is not ended, or SEAT_NONE */
    int seat;        /* who is asked, for the Tab key */
    int input;       /* lines read so far */
};

/* ---- table_show.c: what people see ---- */

void table_board(struct table *t, int seat);
void table_legal(const struct table *t, int seat);
void table_hint(const struct table *t, int seat);
void table_result(const struct table *t);
/* An action of a bot; those of one turn stand on one line, which the first
 * other output must end. */
void table_action(struct table *t, int seat, action a);
void table_end_line(struct table *t);
/* Is anything hidden from some seat? */
bool table_secret(const struct table *t);
int table_humans(const struct table *t);

/* ---- table_command.c: what people type ---- */

/* Carries out one line typed by `seat`. */
void table_type(struct table *t, int seat, const char *line);
/* Words that can follow `before` in a typed line; `table` is a table.  See
 * cli/line.h. */
int table_words(void *table, const char *before, char ***out);
/* Says why an input was refused. */
__attribute__((format(printf, 2, 3))) void
table_refuse(struct table *t, const char *format, ...);

#endif
