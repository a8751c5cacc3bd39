/* tests/rules/nova/variants.c: boards, seats and options for random tests. */
#include "tests/rules/nova/variants.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *const variant_options[] = {
    "",
    "edition=nl",
    "edition=sv",
    "return=strict",
    "finish_turn=no alone=lasting",
    "alone=lasting",
    "wiped=end",
    "tie=pioneers",
    "pioneers=1",
    "pioneers=2 quiet=1",
    "stones=0",
    "stones=3",
    "out_of_stones=play stones=6 quiet=2",
    "edition=sv out_of_stones=play stones=5 quiet=3",
    "edition=nl out_of_stones=play stones=4 alone=lasting quiet=2",
    "return=strict out_of_stones=play stones=4 quiet=2",
    "edition=nl return=sv wiped=end alone=lasting",
    "edition=sv return=en finish_turn=yes stones=0 quiet=3",
    "edition=nl finish_turn=no wiped=end tie=pioneers",
    "setup=random",
    "setup=random edition=sv stones=12",
    NULL,
};

void variant_colours(struct rng *rng, int seats, char *to)
{
    uint8_t letter[4] = {'y', 'r', 'b', 'g'};
    rng_shuffle(rng, letter, 4);
    memcpy(to, letter, (size_t)seats);
    to[seats] = '\0';
}

/* ---- boards ---- */

/* Rows of hexes in a brick pattern; line k, place j stands in column
 * 2j + k % 2 of the map.  0: no hex, '?': one without landscape yet. */
enum { LINES = 26, PLACES = 99 };

struct grid {
    int lines, places;
    char at[LINES][PLACES];
};

static bool neighbour(const struct grid *g, int hex, int d, int *out)
{
    static const int line[6] = {0, 0, 1, 1, -1, -1};
    static const int place[6] = {1, -1, 0, -1, 0, -1};
    int k = hex / PLACES, j = hex % PLACES;
    int to = k + line[d];
    j += place[d] + (d > 1 ? k % 2 : 0);
    if (to < 0 || to >= g->lines || j < 0 || j >= g->places || !g->at[to][j])
        return false;
    *out = to * PLACES + j;
    return true;
}

static int hexes(const struct grid *g)
{
    int count = 0;
    for (int k = 0; k < g->lines; k++)
        for (int j = 0; j < g->places; j++)
            count += g->at[k][j] != 0;
    return count;
}

static bool sound(const struct grid *g)
{
    static bool seen[LINES * PLACES];
    static int todo[LINES * PLACES];
    int top = 0, reached = 0, next;
    memset(seen, 0, sizeof seen);
    for (int hex = 0; hex < LINES * PLACES && !top; hex++)
        if (g->at[hex / PLACES][hex % PLACES]) {
            seen[hex] = true;
            todo[top++] = hex;
        }
    while (top > 0) {
        int hex = todo[--top], near = 0;
        reached++;
        for (int d = 0; d < 6; d++) {
            if (!neighbour(g, hex, d, &next))
                continue;
            near++;
            if (!seen[next])
                todo[top++] = next;
            seen[next] = true;
        }
        if (near < 2)
            return false;
    }
    return reached == hexes(g);
}

static void shape(struct rng *rng, struct grid *g)
{
    memset(g, 0, sizeof *g);
    g->lines = 2 + rng_below(rng, rng_below(rng, 4) ? 9 : 25);
    int most = 256 / g->lines < 98 ? 256 / g->lines : 98;
    g->places = 16 / g->lines + 2;
    if (most > g->places)
        g->places += rng_below(rng, most - g->places + 1);
    if (g->places > 14 && rng_below(rng, 4))
        g->places = g->lines > 2 ? 14 : g->places;
    if (g->places * g->lines > 256)
        g->places = 256 / g->lines;
    for (int k = 0; k < g->lines; k++)
        memset(g->at[k], '?', (size_t)g->places);
    int cuts = rng_below(rng, 1 + hexes(g) / 4);
    while (cuts-- > 0 && hexes(g) > 24) {
        char *cut = &g->at[rng_below(rng, g->lines)][rng_below(rng, g->places)];
        char was = *cut;
        *cut = 0;
        if (!sound(g))
            *cut = was;
    }
}

/* Gives a hex without landscape, beside one of `letter`, to it. */
static bool grow(struct rng *rng, struct grid *g, char letter)
{
    int from[LINES * PLACES], count = 0, next;
    for (int hex = 0; hex < LINES * PLACES; hex++) {
        if (g->at[hex / PLACES][hex % PLACES] != letter)
            continue;
        for (int d = 0; d < 6; d++)
            if (neighbour(g, hex, d, &next) &&
                g->at[next / PLACES][next % PLACES] == '?')
                from[count++] = next;
    }
    if (count == 0)
        return false;
    int hex = from[rng_below(rng, count)];
    g->at[hex / PLACES][hex % PLACES] = letter;
    return true;
}

/* Landscapes a to h; returns the difference of largest and smallest. */
static int settle(struct rng *rng, struct grid *g)
{
    int size[8], left = hexes(g), least = 256, most = 0;
    for (int land = 0; land < 8;) {
        char *at = &g->at[rng_below(rng, g->lines)][rng_below(rng, g->places)];
        if (*at != '?')
            continue;
        *at = (char)('a' + land);
        size[land++] = 1;
        left--;
    }
    while (left > 0) {
        int land = rng_below(rng, 8);
        if (grow(rng, g, (char)('a' + land))) {
            size[land]++;
            left--;
        }
    }
    for (int land = 0; land < 8; land++) {
        least = size[land] < least ? size[land] : least;
        most = size[land] > most ? size[land] : most;
    }
    return most - least;
}

void variant_board(struct rng *rng, char *to)
{
    struct grid g;
    do
        shape(rng, &g);
    while (hexes(&g) < 16 || !sound(&g));
    int count = hexes(&g), balance = settle(rng, &g);
    to += sprintf(to, "name: made-up\nlandscapes: a=a b=b c=c d=d e=e f=f "
                      "g=g h=h\npioneers:");
    for (int seats = 2; seats <= 4; seats++) {
        int most = count / (2 * seats);
        to += sprintf(to, " %d", 1 + rng_below(rng, most < 6 ? most : 6));
    }
    to += sprintf(to, "\nstones: %d\nbalance: %d\nmap:\n",
                  1 + rng_below(rng, count), balance);
    for (int k = 0; k < g.lines; k++) {
        if (k % 2)
            *to++ = ' ';
        for (int j = 0; j < g.places; j++) {
            *to++ = g.at[k][j] ? g.at[k][j] : '.';
            *to++ = j + 1 < g.places ? ' ' : '\n';
        }
    }
    *to = '\0';
}
