/* tests/rules/nova/reference.h: Terra Nova written down the plain way.
 *
 * Arrays, loops and flood fills, in the order of the rule book and with no
 * thought of speed.  It shares no line with rules/nova, so what both say is
 * very likely what the rules say; and it is the measure of how much faster the
 * bit boards are.  Citations are paragraphs of docs/rules/nova.md. */
#ifndef TESTS_RULES_NOVA_REFERENCE_H
#define TESTS_RULES_NOVA_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    REFERENCE_HEXES = 256,
    REFERENCE_SEATS = 4,
    REFERENCE_ACTIONS = 4096,
    REFERENCE_TEXT = 1024, /* enough for a position and for any action */
    REFERENCE_GONE = -1    /* in place of a hex: none, or removed */
};

/* ---- the board ---- */

/* Hexes are numbered in reading order: rows from the top, each from the left.
 */
struct reference_board {
    int count, rows;
    int row[REFERENCE_HEXES];    /* from 0 */
    int number[REFERENCE_HEXES]; /* from 1 */
    char land[REFERENCE_HEXES];
    int near[REFERENCE_HEXES][6];      /* E SE SW W NW NE, or GONE */
    int pioneers[REFERENCE_SEATS + 1]; /* per player, by players; 0: any */
    int stones;
};

/* The lines of a map (nova §10.2), with a stone for every hex and any number
 * of pioneers.  False if there is no hex or too many. */
bool reference_map(struct reference_board *b, const char *map);
/* A board file; trusts it to be right. */
bool reference_board(struct reference_board *b, const char *file);
/* The hex a name begins the text with, or GONE; *used gets its length. */
int reference_hex(const struct reference_board *b, const char *text,
                  size_t *used);

/* ---- the rules of one game ---- */

enum reference_return { RETURN_EN, RETURN_NL, RETURN_SV, RETURN_STRICT };

struct reference {
    const struct reference_board *board; /* borrowed */
    int seats;
    char colour[REFERENCE_SEATS + 1];
    enum reference_return home_rule;
    bool finish_turn, alone_lasting, wiped_end, stones_play, tie_pioneers;
    int stones;     /* 0: unlimited */
    int pioneers;   /* per player; 0: any number */
    int quiet;      /* rounds; 0: never */
    bool backwards; /* score the territories of one stone in reverse (I16) */
};

/* `colours` in seat order; `options` as in a record, the edition among them,
 * or "".  False at the first unknown word. */
bool reference_rules(struct reference *g, const struct reference_board *board,
                     const char *colours, const char *options);

/* ---- play ---- */

struct reference_state {
    char at[REFERENCE_HEXES]; /* '-' free, '#' stone, else a colour */
    int seat, act;            /* act 0: placement */
    int moved, home[3], now[3];
    int placed, supply, quiet;
    int hand[REFERENCE_SEATS], score[REFERENCE_SEATS];
    char end[12]; /* the reason, or "" */
};

enum reference_kind { PLACE, MOVE, STONE, PASS };

struct reference_action {
    enum reference_kind kind;
    int from, to;
};

struct reference_territory {
    int size, variety, first; /* first hex in reading order */
    int inside[REFERENCE_SEATS], gain[REFERENCE_SEATS];
};

/* Largest first, then by first hex (nova §11.1). */
struct reference_scored {
    int count;
    struct reference_territory territory[6];
};

void reference_start(const struct reference *g, struct reference_state *s);
int reference_legal(const struct reference *g, const struct reference_state *s,
                    struct reference_action *out);
void reference_apply(const struct reference *g, struct reference_state *s,
                     struct reference_action a,
                     struct reference_scored *scored);
/* May this seat make a first move here? */
bool reference_can_move(const struct reference *g,
                        const struct reference_state *s, int seat);
/* The number of the part each hex lies in, GONE under stones; returns the
 * number of parts and the variety of each. */
int reference_parts(const struct reference *g, const struct reference_state *s,
                    int *part, int *variety);
/* Places from 1, equal ones shared (nova §8, Q15). */
void reference_places(const struct reference *g,
                      const struct reference_state *s, int *place);
/* Sequences of exactly `depth` actions (nova §15). */
long reference_count(const struct reference *g, const struct reference_state *s,
                     int depth);

/* ---- text (nova §11) ---- */

/* With the results a stone would have; `to` has room for REFERENCE_TEXT. */
void reference_write_action(const struct reference *g,
                            const struct reference_state *s,
                            struct reference_action a, char *to);
/* A legal action, results left out or right.  False if there is none such. */
bool reference_read_action(const struct reference *g,
                           const struct reference_state *s, const char *text,
                           struct reference_action *out);
void reference_write(const struct reference *g, const struct reference_state *s,
                     char *to);
/* On false *why tells what is wrong, and *s is left alone. */
bool reference_read(const struct reference *g, const char *text,
                    struct reference_state *s, const char **why);

#endif
