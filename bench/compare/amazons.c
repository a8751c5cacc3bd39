/* bench/compare/amazons.c [SECONDS]: random play-outs of Amazons on a 10x10
 * board, a yardstick that other engines know.
 *
 * The board is kept as Terra Nova keeps its own (rules/nova/state.h): for each
 * axis the squares of a line are bits of a word, set where nobody can go, with
 * a set bit before and behind each line, so that the free way along it is
 * found without a loop.  Each play-out draws an amazon that can move, one of
 * its destinations and one of the shots from there, each evenly among all.
 * --check counts the first moves instead (2176, and 4307152 after two). */
#include "base/rng.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 10, SQUARES = SIDE * SIDE, AXES = 4, LINES = 2 * SIDE - 1 };
enum { AMAZONS = 4 };

/* East, south, south-east, south-west: what a step adds to the square. */
static const int step_of[AXES] = {1, SIDE, SIDE + 1, SIDE - 1};

struct spot {
    uint8_t line, bit;
};

struct world {
    struct spot spot[SQUARES][AXES];
    uint32_t empty[AXES][LINES]; /* the separators alone */
};

struct state {
    uint32_t line[AXES][LINES];
    uint8_t amazon[2][AMAZONS];
    int seat;
};

/* ---- the board ---- */

static void prepare(struct world *w)
{
    memset(w, 0, sizeof *w);
    for (int axis = 0; axis < AXES; axis++)
        for (int line = 0; line < LINES; line++)
            w->empty[axis][line] = ~0u;
    for (int square = 0; square < SQUARES; square++) {
        int x = square % SIDE, y = square / SIDE;
        const struct spot spots[AXES] = {
            {(uint8_t)y, (uint8_t)(x + 1)},
            {(uint8_t)x, (uint8_t)(y + 1)},
            {(uint8_t)(x - y + SIDE - 1), (uint8_t)(y + 1)},
            {(uint8_t)(x + y), (uint8_t)(y + 1)}};
        for (int axis = 0; axis < AXES; axis++) {
            w->spot[square][axis] = spots[axis];
            w->empty[axis][spots[axis].line] &= ~(1u << spots[axis].bit);
        }
    }
}

static inline void flip(const struct world *w, struct state *s, int square)
{
    for (int axis = 0; axis < AXES; axis++) {
        struct spot spot = w->spot[square][axis];
        s->line[axis][spot.line] ^= 1u << spot.bit;
    }
}

static void start(const struct world *w, struct state *s)
{
    static const uint8_t first[2][AMAZONS] = {{30, 3, 6, 39}, {60, 93, 96, 69}};
    memcpy(s->line, w->empty, sizeof s->line);
    memcpy(s->amazon, first, sizeof first);
    s->seat = 0;
    for (int i = 0; i < AMAZONS; i++) {
        flip(w, s, first[0][i]);
        flip(w, s, first[1][i]);
    }
}

/* The free squares before and behind a square, for each axis. */
struct ways {
    int before[AXES], behind[AXES], count;
};

static inline struct ways ways_from(const struct world *w,
                                    const struct state *s, int square)
{
    struct ways ways = {.count = 0};
    for (int axis = 0; axis < AXES; axis++) {
        struct spot spot = w->spot[square][axis];
        uint32_t line = s->line[axis][spot.line];
        uint32_t below = line & ((1u << spot.bit) - 1);
        uint32_t above = line >> spot.bit >> 1;
        ways.before[axis] = spot.bit - 1 - (31 - __builtin_clz(below));
        ways.behind[axis] = __builtin_ctz(above);
        ways.count += ways.before[axis] + ways.behind[axis];
    }
    return ways;
}

static inline int square_at(const struct ways *ways, int square, int choice)
{
    for (int axis = 0; axis < AXES; axis++) {
        if (choice < ways->before[axis])
            return square - (choice + 1) * step_of[axis];
        choice -= ways->before[axis];
        if (choice < ways->behind[axis])
            return square + (choice + 1) * step_of[axis];
        choice -= ways->behind[axis];
    }
    return -1;
}

/* ---- play-outs ---- */

/* To the end; returns the number of moves. */
static int play_out(const struct world *w, struct state *s, struct rng *rng)
{
    for (int moves = 0;; moves++) {
        struct ways ways[AMAZONS];
        int able[AMAZONS], count = 0;
        uint8_t *mine = s->amazon[s->seat];
        for (int i = 0; i < AMAZONS; i++) {
            ways[i] = ways_from(w, s, mine[i]);
            able[count] = i;
            count += ways[i].count > 0;
        }
        if (count == 0)
            return moves;
        int i = able[rng_below(rng, count)];
        int to = square_at(&ways[i], mine[i], rng_below(rng, ways[i].count));
        flip(w, s, mine[i]);
        flip(w, s, to);
        mine[i] = (uint8_t)to;
        struct ways shots = ways_from(w, s, to);
        flip(w, s, square_at(&shots, to, rng_below(rng, shots.count)));
        s->seat = 1 - s->seat;
    }
}

/* ---- counting ---- */

static long count_moves(const struct world *w, const struct state *from,
                        int depth)
{
    long sum = 0;
    for (int i = 0; i < AMAZONS; i++) {
        int home = from->amazon[from->seat][i];
        struct ways ways = ways_from(w, from, home);
        for (int k = 0; k < ways.count; k++) {
            struct state moved = *from;
            int to = square_at(&ways, home, k);
            flip(w, &moved, home);
            flip(w, &moved, to);
            moved.amazon[moved.seat][i] = (uint8_t)to;
            struct ways shots = ways_from(w, &moved, to);
            moved.seat = 1 - moved.seat;
            for (int shot = 0; depth > 1 && shot < shots.count; shot++) {
                struct state shut = moved;
                flip(w, &shut, square_at(&shots, to, shot));
                sum += count_moves(w, &shut, depth - 1);
            }
            sum += depth > 1 ? 0 : shots.count;
        }
    }
    return sum;
}

static int check_counts(const struct world *w)
{
    struct state s;
    start(w, &s);
    long one = count_moves(w, &s, 1), two = count_moves(w, &s, 2);
    bool good = one == 2176 && two == 4307152;
    printf("%s - amazons: %ld first moves, %ld after two\n1..1\n",
           good ? "ok" : "not ok", one, two);
    return good ? 0 : 1;
}

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    static struct world w;
    struct state s;
    struct rng rng;
    prepare(&w);
    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        return check_counts(&w);
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 1, spent = 0;
    double begin = cpu_clock();
    long games = 0, moves = 0;
    rng_seed(&rng, 1);
    while (spent < seconds) {
        for (int i = 0; i < 1000; i++) {
            start(&w, &s);
            moves += play_out(&w, &s, &rng);
        }
        games += 1000;
        spent = cpu_clock() - begin;
    }
    printf("amazons 10x10: %.0f play-outs/s, %.1f moves each\n",
           (double)games / spent, (double)moves / (double)games);
    return 0;
}
