/* cli/puzzle_solve.c: all turns of a position, breadth first.
 *
 * Positions that play alike are looked at once, however they were reached, so
 * that the first line found is among the shortest. */
#include "cli/puzzle.h"

#include "base/hash.h"
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int parent; /* -1: the beginning */
    action action;
};

struct puzzle_solver {
    const struct game *game;
    const struct world *world; /* borrowed, of the turn being tried */
    int seat, cap, count;      /* count: positions within the turn */
    size_t size;               /* of a state, aligned */
    uint32_t fence;            /* where the turn began */
    int begun;                 /* points there */
    struct node *nodes;        /* owned */
    char *states;              /* owned */
    uint64_t *seen;            /* owned: hashes, 0 for none */
    size_t slots;              /* a power of two */
    int met;                   /* hashes in `seen` */
    struct node last;          /* of the best turn */
    bool gained[PUZZLE_GAINS]; /* by points, from -PUZZLE_GAINS / 2 */
    action list[GAME_ACTIONS];
};

struct puzzle_solver *puzzle_open(const struct game *game, int cap)
{
    struct puzzle_solver *p = need(calloc(1, sizeof *p));
    p->game = game;
    p->cap = cap;
    p->size = (game->state_size + 15) & ~(size_t)15;
    for (p->slots = 1; p->slots < 2 * (size_t)cap; p->slots *= 2)
        ;
    p->nodes = need(malloc((size_t)cap * sizeof *p->nodes));
    p->states = need(malloc(((size_t)cap + 1) * p->size));
    p->seen = need(malloc(p->slots * sizeof *p->seen));
    return p;
}

void puzzle_close(struct puzzle_solver *p)
{
    free(p->nodes);
    free(p->states);
    free(p->seen);
    free(p);
}

static struct state *state_of(const struct puzzle_solver *p, int node)
{
    return (struct state *)(p->states + (size_t)node * p->size);
}

static int points_of(const struct puzzle_solver *p, const struct state *s)
{
    struct result r = {0};
    p->game->result(p->world, s, &r);
    return r.points[p->seat];
}

/* True the first time that position is met, points included. */
static bool first_met(struct puzzle_solver *p, const struct state *s,
                      int points)
{
    uint64_t hash = hash_word(p->game->hash(p->world, s), (uint64_t)points);
    hash += hash == 0;
    size_t at = hash & (p->slots - 1);
    while (p->seen[at] && p->seen[at] != hash)
        at = (at + 1) & (p->slots - 1);
    if (p->seen[at] == hash)
        return false;
    p->seen[at] = hash;
    p->met++;
    return true;
}

static bool goes_on(const struct puzzle_solver *p, const struct state *s,
                    struct puzzle_answer *out)
{
    unsigned must, may;
    p->game->turn(p->world, s, &must, &may);
    if (!must && !may)
        out->over = true;
    return must >> p->seat & 1 &&
           (p->game->observe || p->game->fence(p->world, s) == p->fence);
}

static void end_turn(struct puzzle_solver *p, struct node last, int gain,
                     struct puzzle_answer *out)
{
    int at = gain + PUZZLE_GAINS / 2;
    if (at < 0 || at >= PUZZLE_GAINS) {
        out->whole = false;
        return;
    }
    if (!p->gained[at]) {
        p->gained[at] = true;
        out->results++;
    }
    if (out->ends++ == 0 || gain > out->best) {
        out->best = gain;
        out->ways = 0;
        p->last = last;
    }
    out->ways += gain == out->best;
}

static void try_action(struct puzzle_solver *p, int from, action a,
                       struct puzzle_answer *out)
{
    struct state *next = state_of(p, p->count); /* there is one to spare */
    struct node node = {from, a};
    memcpy(next, state_of(p, from), p->game->state_size);
    p->game->apply(p->world, next, p->seat, a);
    int points = points_of(p, next);
    if (from == 0 && points - p->begun > out->quick)
        out->quick = points - p->begun;
    bool on = goes_on(p, next, out);
    if (!first_met(p, next, points))
        return;
    if (p->met >= p->cap)
        out->whole = false;
    else if (on)
        p->nodes[p->count++] = node;
    else
        end_turn(p, node, points - p->begun, out);
}

static void write_line(const struct puzzle_solver *p, struct puzzle_answer *out)
{
    int length = 1;
    for (int at = p->last.parent; at > 0; at = p->nodes[at].parent)
        length++;
    if (length > PUZZLE_LINE) {
        out->whole = false;
        return;
    }
    out->length = length;
    struct node node = p->last;
    while (length-- > 0) {
        out->line[length] = node.action;
        node = p->nodes[node.parent];
    }
}

static int next_best(const struct puzzle_solver *p, int best)
{
    for (int at = best + PUZZLE_GAINS / 2 - 1; at >= 0; at--)
        if (p->gained[at])
            return at - PUZZLE_GAINS / 2;
    return best;
}

void puzzle_solve(struct puzzle_solver *p, const struct world *w,
                  const struct state *s, int seat, struct puzzle_answer *out)
{
    *out = (struct puzzle_answer){.whole = true, .quick = INT_MIN};
    p->world = w;
    p->seat = seat;
    p->met = 0;
    p->count = 1;
    p->fence = p->game->fence(w, s);
    p->begun = points_of(p, s);
    p->nodes[0] = (struct node){-1, 0};
    memset(p->seen, 0, p->slots * sizeof *p->seen);
    memset(p->gained, 0, sizeof p->gained);
    memcpy(state_of(p, 0), s, p->game->state_size);
    for (int at = 0; at < p->count && out->whole; at++) {
        int count = p->game->legal(w, state_of(p, at), seat, p->list);
        for (int i = 0; i < count && out->whole; i++)
            try_action(p, at, p->list[i], out);
    }
    if (out->ends == 0)
        out->whole = false;
    if (out->whole)
        write_line(p, out);
    if (out->whole)
        out->next = next_best(p, out->best);
}
