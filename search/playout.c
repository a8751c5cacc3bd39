/* search/playout.c: the real bot where the game tells what strong players are
 * used to do rather than what a position is worth.
 *
 * The tree holds the bot's own choices, the usual first.  The others answer by
 * habit, and so do all behind the tree, to the end: the points counted there
 * are exact, and because all seats play sensibly they tell more than an
 * estimate in the middle would. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* Most actions of a node that are considered and how much less usual than the
 * first they may be; most actions of a playout, and how much less usual than
 * others they may be.  With fewer than FEW playouts habit alone decides, and
 * with fewer choices than MANY fewer are needed. */
enum {
    WIDTH = 20,
    UNUSUAL = 6000,
    LONGEST = 2000,
    VARY = 300,
    FEW = 4,
    MANY = 8
};

#define PULL 3.0f /* playouts differ more than judgements do */

/* Nearly exp(-gap / 1000): a thousand less is e times less usual. */
static float weight_of(int gap)
{
    float x = (float)gap / 1000.0f;
    return 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * 0.1666667f)));
}

static int error(uint64_t chance, int most)
{
    int one = (int)(chance & 0xffff), two = (int)(chance >> 16 & 0xffff);
    return (int)((int64_t)most * (one - two) / 0x10000);
}

/* Depends on seed, position and action alone: who is asked twice errs twice
 * alike. */
static int slip(const struct search *s, uint64_t hash, action a)
{
    return error(rng_mix(hash ^ s->seed * 0x9e3779b97f4a7c15u ^ a),
                 s->bot->slip);
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
    int seat = s->seat, count = s->game->legal(s->world, now, seat, s->list);
    n->seat = (int8_t)(count ? seat : SEAT_NONE);
    n->flags |= NODE_EXPANDED;
    if (!count || s->rests + WIDTH >= s->rest_cap)
        return;
    rank(s, now, seat, count);
    for (int i = 0; s->bot->slip && i < count; i++)
        s->milli[i] += slip(s, n->hash, s->list[i]);
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

/* What a node's first visit found is what its most usual action leads to. */
static void credit_first(struct search *s, struct node *n)
{
    uint32_t e = try_next(s, n);
    if (!e)
        return;
    s->edge[e].visits = 1;
    s->edge[e].mean = n->sum[n->seat];
}

static uint32_t select_edge(struct search *s, struct node *n)
{
    if (n->seat == SEAT_NONE) /* over */
        return NOTHING;
    if (n->visits == 1 && !n->edge_count && n->rest_count && !s->bot->slip)
        credit_first(s, n);
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

/* Nearly the most usual: every playout differs a little, or the tree would
 * build on luck that only one of them had. */
static action about_usual(struct search *s, int seat, int count)
{
    int best = 0;
    if (count == 1)
        return s->list[0];
    rank(s, s->state, seat, count);
    for (int i = 0; i < count; i++) {
        s->milli[i] += error(rng_next(&s->rng), VARY);
        if (s->milli[i] > s->milli[best])
            best = i;
    }
    return s->list[best];
}

/* The others answer by habit, until it is the bot's decision again. */
static void play_answers(struct search *s)
{
    int count, seat = search_turn(s, s->state, &count);
    for (int i = 0; i < LONGEST && seat != SEAT_NONE && seat != s->seat; i++) {
        s->game->apply(s->world, s->state, seat, most_usual(s, seat, count));
        seat = search_turn(s, s->state, &count);
    }
}

static void play_out(struct search *s, float *value)
{
    int count, seat;
    for (int i = 0; i < LONGEST; i++) {
        seat = search_turn(s, s->state, &count);
        if (seat == SEAT_NONE)
            break;
        s->game->apply(s->world, s->state, seat, about_usual(s, seat, count));
    }
    search_final(s, s->state, value);
}

/* ---- one visit ---- */

/* Plays an action; the others answer by habit. */
static bool follow(struct search *s, const struct node *n, uint32_t index)
{
    struct edge *e = &s->edge[index];
    s->game->apply(s->world, s->state, n->seat, e->action);
    play_answers(s);
    if (!e->node) {
        e->node = tree_node(s, s->state);
        struct node *next = &s->node[e->node];
        if (e->node && e->visits && !next->visits) {
            next->visits = 1;
            next->sum[n->seat] = e->mean;
        }
    }
    if (!e->node)
        return false;
    s->path[++s->depth] = (struct passed){e->node, index};
    return true;
}

/* Where there is nothing to choose, nothing is to be found out, either. */
static bool descend(struct search *s)
{
    struct node *n = &s->node[s->path[s->depth].node];
    bool fresh = !(n->flags & NODE_EXPANDED) && !n->visits && s->depth > 0;
    if (!(n->flags & NODE_EXPANDED))
        expand(s, n, s->state);
    if (fresh && n->rest_count != 1)
        return false;
    uint32_t e = s->depth + 1 == PATH ? NOTHING : select_edge(s, n);
    return e && follow(s, n, e);
}

static void back_up(struct search *s, float value)
{
    for (int i = s->depth; i >= 0; i--) {
        struct node *n = &s->node[s->path[i].node];
        int seat = s->seat;
        n->visits++;
        n->sum[seat] += value;
        if (i == 0)
            break;
        struct edge *e = &s->edge[s->path[i].edge];
        e->visits++;
        e->mean = n->sum[seat] / (float)n->visits;
    }
}

void playout_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    search_copy(s, s->state, s->view);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s))
        ;
    if (s->wanted >= FEW * PLAYOUT) /* else habit has chosen */
        play_out(s, value);
    back_up(s, value[s->seat]);
    s->done += PLAYOUT - 1;
}

int playout_answers(struct search *s, struct search_step *out, int length,
                    int cap)
{
    for (int count; length < cap; length++) {
        int seat = search_turn(s, s->state, &count);
        if (seat == SEAT_NONE || seat == s->seat)
            break;
        action a = most_usual(s, seat, count);
        out[length] = (struct search_step){seat, a};
        s->game->apply(s->world, s->state, seat, a);
    }
    return length;
}

/* Visits the root should have: fewer if there is little to choose from.  What
 * an earlier search has found below it counts. */
static int visits_left(const struct search *s, const struct node *root)
{
    int choices = root->rest_count + root->edge_count;
    int wanted = s->wanted / PLAYOUT;
    if (choices < MANY)
        wanted = wanted * choices / MANY;
    return wanted - (int)root->visits;
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
    /* A node of an earlier tree may know its only action, but not tried it. */
    return first > 0 && (only || (int)(first - second) > visits_left(s, root));
}
