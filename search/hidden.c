/* search/hidden.c: the real bot where something is hidden.
 *
 * One tree serves all worlds that fit the view: every visit guesses the hidden
 * parts anew, follows actions that are legal in that world, and adds what it
 * found to the node of that line of actions.  A node thus stands for all that
 * its seat cannot tell apart, and no guess is ever decided on.  From a new node
 * all seats play on as they would at first sight, now and then otherwise. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* What is so many thousandths of a point worse is tried e times less often;
 * and the most actions a new node is played on. */
enum { SPREAD = 500, LONGEST = 400 };

/* ---- first sight ---- */

static int noise(const struct search *s, const struct node *n, action a)
{
    uint64_t node = (uint64_t)(n - s->node);
    uint64_t x = rng_mix(node ^ s->seed * 0x9e3779b97f4a7c15u ^ a);
    int one = (int)(x & 0xffff), two = (int)(x >> 16 & 0xffff);
    return (int)((int64_t)s->bot->noise * (one - two) / 0x10000);
}

static void rank(struct search *s, const struct state *now, int seat, int count)
{
    if (s->game->rank)
        s->game->rank(s->world, now, seat, s->list, count, s->milli);
    else
        memset(s->milli, 0, (size_t)count * sizeof *s->milli);
    s->judged += count;
}

static int most_of(const int *milli, int count)
{
    int most = milli[0];
    for (int i = 1; i < count; i++)
        if (milli[i] > most)
            most = milli[i];
    return most;
}

/* Nearly exp(-gap / SPREAD). */
static float weight_of(int gap)
{
    float x = (float)gap / (float)SPREAD;
    return 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * 0.1666667f)));
}

/* ---- select: the action to follow in this world ---- */

static uint32_t edge_of(const struct search *s, const struct node *n, action a)
{
    EDGES_EACH(e, s, n)
    if (e->action == a)
        return (uint32_t)(e - s->edge);
    return NOTHING;
}

static uint32_t select_edge(struct search *s, struct node *n,
                            const struct state *now)
{
    int count, seat = search_turn(s, now, &count), best = 0;
    float sum = 0, most = -9.0f;
    uint32_t edge = NOTHING;
    if (seat == SEAT_NONE || seat != n->seat)
        return NOTHING;
    rank(s, now, seat, count);
    for (int i = 0; s->bot->noise && i < count; i++)
        s->milli[i] += noise(s, n, s->list[i]);
    int top = most_of(s->milli, count);
    for (int i = 0; i < count; i++)
        sum += weight_of(top - s->milli[i]);
    float mean = n->visits ? n->sum[seat] / (float)n->visits : 0.0f;
    float pull = (float)s->bot->style.explore / 1000.0f *
                 value_root((float)n->visits + 1.0f) / sum;
    for (int i = 0; i < count; i++) {
        uint32_t e = edge_of(s, n, s->list[i]);
        float known = e ? (float)s->edge[e].visits : 0.0f;
        float worth = (known > 0 ? s->edge[e].mean : mean) +
                      pull * weight_of(top - s->milli[i]) / (1.0f + known);
        if (worth > most) {
            most = worth;
            best = i;
            edge = e;
        }
    }
    return edge ? edge : tree_edge(s, n, s->list[best], 0.0f);
}

/* ---- play on ---- */

/* The action of s->list that looks best. */
static action first_sight(struct search *s, int seat, int count)
{
    int best = 0;
    if (count > 1)
        rank(s, s->state, seat, count);
    for (int i = 1; i < count; i++)
        if (s->milli[i] > s->milli[best])
            best = i;
    return s->list[best];
}

/* What has become of every seat's prospects since the root, in this world.  A
 * guess deals good and bad cards; measured from what it promised at the root,
 * worlds can be compared. */
static void judge(struct search *s, float *value)
{
    int milli[GAME_SEATS] = {0};
    s->game->estimate(s->world, s->state, milli);
    for (int seat = 0; seat < s->seats; seat++)
        milli[seat] -= s->base[seat];
    search_judge(s, milli, value);
}

static void judge_final(struct search *s, float *value)
{
    struct result r;
    int milli[GAME_SEATS];
    float share = (float)s->bot->style.final / 1000.0f;
    s->game->result(s->world, s->state, &r);
    for (int seat = 0; seat < s->seats; seat++)
        milli[seat] = 1000 * r.points[seat] - s->base[seat];
    search_judge(s, milli, value);
    for (int seat = 0; seat < s->seats; seat++)
        value[seat] += r.place[seat] == 1 ? share : 0.0f;
}

/* Plays on for so many rounds of turns: positions in the middle of a turn
 * cannot be compared with those at its end, nor before the others have
 * answered. */
static void play_on(struct search *s, float *value)
{
    int count, seat = search_turn(s, s->state, &count);
    for (int turns = 0, i = 0; seat != SEAT_NONE && i < LONGEST; i++) {
        if (turns >= s->bot->style.ahead * s->seats)
            break;
        s->game->apply(s->world, s->state, seat, first_sight(s, seat, count));
        int next = search_turn(s, s->state, &count);
        turns += next != seat;
        seat = next;
    }
    if (seat == SEAT_NONE || !s->game->estimate)
        judge_final(s, value);
    else
        judge(s, value);
}

/* ---- one visit ---- */

/* A step down; false where the tree ends. */
static bool descend(struct search *s)
{
    struct node *n = &s->node[s->path[s->depth].node];
    if (!(n->flags & NODE_EXPANDED)) {
        int count;
        n->seat = (int8_t)search_turn(s, s->state, &count);
        n->flags |= NODE_EXPANDED;
        if (s->depth > 0)
            return false;
    }
    uint32_t e = s->depth + 1 == PATH ? NOTHING : select_edge(s, n, s->state);
    return e && tree_follow(s, n, e);
}

static void back_up(struct search *s, const float *value)
{
    for (int i = s->depth; i >= 0; i--) {
        struct node *n = &s->node[s->path[i].node];
        n->visits++;
        for (int seat = 0; seat < s->seats; seat++)
            n->sum[seat] += value[seat];
        if (i == 0)
            break;
        struct edge *e = &s->edge[s->path[i].edge];
        int seat = s->node[s->path[i - 1].node].seat;
        e->visits++;
        e->mean = n->sum[seat] / (float)n->visits;
    }
}

void hidden_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    search_copy(s, s->state, s->view);
    s->game->complete(s->world, s->state, s->seat, &s->rng);
    if (s->game->estimate)
        s->game->estimate(s->world, s->state, s->base);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s))
        ;
    play_on(s, value);
    back_up(s, value);
}
