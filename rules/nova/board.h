/* rules/nova/board.h: boards and their files (nova §10).
 *
 * The only part of the game that its reference implementation in the tests
 * shares: it knows hexes and landscapes, but no rule of play. */
#ifndef RULES_NOVA_BOARD_H
#define RULES_NOVA_BOARD_H

#include "base/text.h"
#include "game/fault.h"

#include <stdint.h>

enum {
    BOARD_HEXES = 256,
    BOARD_ROWS = 26,
    BOARD_NUMBERS = 99,
    BOARD_LANDS = 26, /* real boards have 8 */
    NO_HEX = -1
};

/* Clockwise from east: a hex and its k-th and (k+1)-th neighbour touch. */
enum direction { EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST };

struct board {
    char name[64], title[200], symmetry[200], note[1000];
    int lands;
    char letter[BOARD_LANDS];
    char land_name[BOARD_LANDS][40];
    char colour[BOARD_LANDS][8]; /* "#rrggbb" or empty */
    int pioneers[3];             /* per player with 2, 3, 4 players */
    int stones, balance;
    bool bare; /* a map alone, without header and checks */
    int hexes, rows;
    uint8_t row[BOARD_HEXES], number[BOARD_HEXES], land[BOARD_HEXES];
    int16_t at[BOARD_ROWS][BOARD_NUMBERS + 1]; /* hex or NO_HEX */
};

/* Hexes are numbered in reading order.  Faults name line and column. */
bool board_read(struct board *b, struct span text, struct fault *f);
/* A map alone, as in worked examples: any landscapes, no further check. */
bool board_read_map(struct board *b, struct span map, struct fault *f);
/* The canonical file; returns the length needed. */
int board_write(const struct board *b, char *to, size_t cap);

int board_neighbour(const struct board *b, int hex, enum direction d);
/* "c5" -> hex.  Takes the name at the beginning of the text and returns its
 * length, 0 if there is none.  *hex is NO_HEX if the board lacks it. */
size_t board_find(const struct board *b, struct span text, int *hex);
void board_put_hex(const struct board *b, int hex, struct text *t);

/* The boards that come with the game, as board files, ended by NULL. */
extern const char *const nova_boards[];

#endif
