/* search/playout.c: the real bot where the game tells what strong players are
 * used to do rather than what a position is worth.
 *
 * The tree tries first what is usual, and every new node is played out by
 * habit to the end: the points counted there are exact, and because all seats
 * play sensibly they tell more than an estimate in the middle would. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* Most actions of a node that are considered and how much less usual than the
 * first they may be; most actions of a playout; and as how many nodes one
 * counts, so that levels think about as long as in other games.  With fewer
 * than FEW playouts habit alone decides. */
enum {
    WIDTH = 20,
    UNUSUAL = 6000,
    LONGEST = 2000,
    COST = 32,
    FEW = 4,
    CLUB = 2200
};

#define PULL 3.0f /* playouts differ more than judgements do */

/* Nearly exp(-gap / 1000): a thousand less is e times less usual. */
static float weight_of(int gap)
{
    float x = (float)gap / 1000.0f;
    return 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * 0.1666667f)));
}

/* Five points of error: e^2 times less usual may look the same; beyond what
 * club errs it grows by the square, for habit alone plays well. */
static int noise(const struct search *s, uint64_t hash, action a)
{
    uint64_t x = rng_mix(hash ^ s->seed * 0x9e3779b97f4a7c15u ^ a);
    int one = (int)(x & 0xffff), two = (int)(x >> 16 & 0xffff);
    int64_t error = s->bot->noise;
    int64_t most = error * (error > CLUB ? error : CLUB) * 2 / 5 / CLUB;
    return (int)(most * (one - two) / 0x10000);
}

static void rank(struct search *s, const struct state *now, int seat, int count)
{
    s->game->habit(s->world, now, seat, s->list, count, s->milli);
    s->judged += count;
}

/* ---- expand ---- */

/* The most usual actions, the most usual first. */
static int keep_usual(struct search *s, struct untried *row, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int at = kept < WIDTH ? kept : WIDTH;
        for (; at > 0 && row[at - 1].milli < s->milli[i]; at--)
            if (at < WIDTH)
                row[at] = row[at - 1];
        if (at < WIDTH) {
            row[at] = (struct untried){s->list[i], s->milli[i]};
            kept += kept < WIDTH;
        }
    }
    return kept;
}

static void expand(struct search *s, struct node *n, const struct state *now)
{
    int count = 0, seat = s->seat; /* several may have to decide at once */
    if (s->depth > 0)
        seat = search_turn(s, now, &count);
    else
        count = s->game->legal(s->world, now, seat, s->list);
    n->seat = (int8_t)seat;
    n->flags |= NODE_EXPANDED;
    if (seat == SEAT_NONE || s->rests + WIDTH >= s->rest_cap)
        return;
    rank(s, now, seat, count);
    for (int i = 0; s->bot->noise && i < count; i++)
        s->milli[i] += noise(s, n->hash, s->list[i]);
    struct untried *row = s->rest + s->rests;
    n->rest = s->rests;
    n->rest_count = (uint16_t)keep_usual(s, row, count);
    while (row[n->rest_count - 1].milli < row[0].milli - UNUSUAL)
        n->rest_count--;
    s->rests += n->rest_count;
    n->front = (float)row[0].milli;
    n->forgotten = 0; /* the sum of all weights */
    for (int i = 0; i < n->rest_count; i++)
        n->forgotten += weight_of(row[0].milli - row[i].milli);
}

/* ---- select ---- */

static float usual(const struct search *s, const struct node *n)
{
    return weight_of((int)n->front - s->rest[n->rest].milli) / n->forgotten;
}

static uint32_t try_next(struct search *s, struct node *n)
{
    uint32_t e = tree_edge(s, n, s->rest[n->rest].action, usual(s, n));
    if (e) {
        n->rest++;
        n->rest_count--;
    }
    return e;
}

static uint32_t select_edge(struct search *s, struct node *n)
{
    if (n->seat == SEAT_NONE) /* over */
        return NOTHING;
    float mean = n->visits ? n->sum[n->seat] / (float)n->visits : 0.0f;
    float pull = (float)s->bot->style.explore / 1000.0f * PULL *
                 value_root((float)n->visits + 1.0f);
    float most = n->rest_count ? mean + pull * usual(s, n) : -9.0f;
    uint32_t best = NOTHING;
    EDGES_EACH(e, s, n)
    {
        float known = (float)e->visits;
        float worth =
            (known > 0 ? e->mean : mean) + pull * e->prior / (1.0f + known);
        if (worth > most) {
            most = worth;
            best = (uint32_t)(e - s->edge);
        }
    }
    return best ? best : n->rest_count ? try_next(s, n) : NOTHING;
}

/* ---- play out ---- */

static action most_usual(struct search *s, int seat, int count)
{
    int best = 0;
    if (count == 1)
        return s->list[0];
    rank(s, s->state, seat, count);
    for (int i = 1; i < count; i++)
        if (s->milli[i] > s->milli[best])
            best = i;
    return s->list[best];
}

static void play_out(struct search *s, float *value)
{
    int count;
    for (int i = 0; i < LONGEST; i++) {
        int seat = search_turn(s, s->state, &count);
        if (seat == SEAT_NONE)
            break;
        s->game->apply(s->world, s->state, seat, most_usual(s, seat, count));
    }
    search_final(s, s->state, value);
}

/* ---- one visit ---- */

static bool descend(struct search *s)
{
    struct node *n = &s->node[s->path[s->depth].node];
    if (!(n->flags & NODE_EXPANDED)) {
        expand(s, n, s->state);
        if (s->depth > 0)
            return false;
    }
    uint32_t e = s->depth + 1 == PATH ? NOTHING : select_edge(s, n);
    return e && tree_follow(s, n, e);
}

void playout_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    search_copy(s, s->state, s->view);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s))
        ;
    if (s->wanted >= FEW * COST) /* else habit has chosen */
        play_out(s, value);
    search_back_up(s, value, false);
    s->done += COST - 1;
}

/* Can nothing overtake any more what was visited most? */
bool playout_decided(const struct search *s)
{
    const struct node *root = &s->node[s->root];
    uint32_t first = 0, second = 0;
    if (!(root->flags & NODE_EXPANDED))
        return false;
    EDGES_EACH(e, s, root)
    if (e->visits > first) {
        second = first;
        first = e->visits;
    } else if (e->visits > second) {
        second = e->visits;
    }
    bool only = root->rest_count + root->edge_count == 1;
    int left = (s->wanted - s->done) / COST;
    /* A node of an earlier tree may know its only action, but not tried it. */
    return first > 0 && (only || (int)(first - second) > left);
}
