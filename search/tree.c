/* search/tree.c: the real bot.  A tree of single actions, each seat choosing
 * what is best for itself, with the game's own judgement of every action in
 * place of random play (docs/bots.md tells the reasons). */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* ---- expand: all actions of a new position, valued at first sight ---- */

/* An error that depends on nothing but seed, position and action: twice the
 * same question gets the same wrong answer. */
static int noise(const struct search *s, uint64_t hash, action a)
{
    uint64_t x = rng_mix(hash ^ s->seed * 0x9e3779b97f4a7c15u ^ a);
    int one = (int)(x & 0xffff), two = (int)(x >> 16 & 0xffff);
    return (int)((int64_t)s->bot->noise * (one - two) / 0x10000);
}

static int lead_after(struct search *s, const struct state *now, int seat,
                      action a, float *value)
{
    int milli[GAME_SEATS] = {0};
    search_copy(s, s->spare, now);
    s->game->apply(s->world, s->spare, seat, a);
    s->game->estimate(s->world, s->spare, milli);
    if (value)
        search_judge(s, milli, value);
    return search_lead(s, milli, seat);
}

static int index_of_best(const struct search *s, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (s->milli[i] > s->milli[best])
            best = i;
    return best;
}

/* Are the game's ranks no leads, but only in the right order? */
bool tree_only_order(struct search *s)
{
    if (!s->game->rank || !s->game->estimate || s->hidden)
        return false;
    int count = s->game->legal(s->world, s->view, s->seat, s->list);
    s->game->rank(s->world, s->view, s->seat, s->list, count, s->milli);
    int best = index_of_best(s, count);
    int off =
        s->milli[best] - lead_after(s, s->view, s->seat, s->list[best], NULL);
    return off > 3000 || off < -3000;
}

/* Where they are, the best of them is looked at and moves all. */
static void shift_ranks(struct search *s, const struct state *now, int seat,
                        int count)
{
    int best = index_of_best(s, count);
    int off = lead_after(s, now, seat, s->list[best], NULL) - s->milli[best];
    for (int i = 0; i < count; i++)
        s->milli[i] += off;
}

/* s->milli: the lead of `seat` after each action of s->list. */
static void rank(struct search *s, const struct state *now, int seat, int count,
                 uint64_t hash)
{
    if (s->game->rank)
        s->game->rank(s->world, now, seat, s->list, count, s->milli);
    else
        for (int i = 0; i < count; i++)
            s->milli[i] = lead_after(s, now, seat, s->list[i], NULL);
    if (s->only_order)
        shift_ranks(s, now, seat, count);
    for (int i = 0; s->bot->noise && i < count; i++)
        s->milli[i] += noise(s, hash, s->list[i]);
}

/* Keeps what is not hopeless; the root keeps everything. */
static bool keep_rest(struct search *s, struct node *n, int count, int best)
{
    int least = n == &s->node[s->root] ? INT_MIN
                                       : s->milli[best] - s->bot->style.margin;
    if (s->rests + (uint32_t)count >= s->rest_cap) {
        s->full = true;
        return false;
    }
    struct untried *rest = s->rest + s->rests;
    int kept = 0;
    rest[kept++] = (struct untried){s->list[best], s->milli[best]};
    for (int i = 0; i < count; i++) {
        rest[kept] = (struct untried){s->list[i], s->milli[i]};
        kept += i != best && s->milli[i] >= least;
    }
    n->front = value_bend(s->milli[best], (float)s->bot->style.scale);
    n->rest = s->rests;
    n->rest_count = (uint16_t)kept;
    n->flags |= (uint8_t)(kept < count ? NODE_CUT : 0);
    s->rests += (uint32_t)kept;
    return true;
}

/* The value of a new node: what its seat gets by the action that looks best,
 * and what that leaves for the others. */
static void value_leaf(struct search *s, const struct state *now, int seat,
                       int best, float *value)
{
    if (s->seats == 2) {
        value[seat] = value_bend(s->milli[best], (float)s->bot->style.scale);
        value[1 - seat] = -value[seat];
    } else {
        lead_after(s, now, seat, s->list[best], value);
    }
}

static void expand(struct search *s, struct node *n, const struct state *now,
                   float *value)
{
    int count, seat = search_turn(s, now, &count);
    n->seat = (int8_t)seat;
    if (seat == SEAT_NONE) {
        search_final(s, now, value);
        n->flags |= s->hidden ? NODE_EXPANDED : NODE_EXPANDED | NODE_PROVEN;
        memcpy(n->best, value, sizeof n->best);
        return;
    }
    rank(s, now, seat, count, n->hash);
    s->judged += count;
    int best = index_of_best(s, count);
    if (!s->hidden && keep_rest(s, n, count, best))
        n->flags |= NODE_EXPANDED;
    if (s->hidden)
        n->flags |= NODE_EXPANDED;
    value_leaf(s, now, seat, best, value);
    memcpy(n->best, value, sizeof n->best);
}

/* ---- select: the edge to follow ---- */

static float pull(const struct search *s, const struct node *n)
{
    return (float)s->bot->style.explore / 1000.0f *
           value_root(value_log(n->visits + 1));
}

static float promise(const struct search *s, const struct edge *e, float reach)
{
    float blend = (float)s->bot->style.blend / 1000.0f;
    float mean = (e->prior + e->known * e->mean) / (1.0f + e->known);
    return (1.0f - blend) * mean + blend * e->best +
           reach / value_root((float)e->visits + 1.0f);
}

/* What is proven needs no further visit: the others are looked at instead, and
 * back_up() lets them count only if they turn out better. */
static uint32_t select_edge(struct search *s, struct node *n)
{
    float reach = pull(s, n), most = -9.0f;
    uint32_t best = NOTHING;
    EDGES_EACH(e, s, n)
    {
        float now = e->proven ? -9.0f : promise(s, e, reach);
        if (now > most) {
            most = now;
            best = (uint32_t)(e - s->edge);
        }
    }
    if (n->rest_count > 0 && n->front + reach > most)
        best = tree_try(s, n, 0);
    return best;
}

/* Where something is hidden the legal actions differ from guess to guess:
 * they are listed and valued anew, and only those tried have edges. */
static uint32_t edge_of(const struct search *s, const struct node *n, action a)
{
    EDGES_EACH(e, s, n)
    if (e->action == a)
        return (uint32_t)(e - s->edge);
    return NOTHING;
}

static uint32_t select_hidden(struct search *s, struct node *n,
                              const struct state *now)
{
    int count, seat = search_turn(s, now, &count), best = 0;
    float reach = pull(s, n), most = -9.0f;
    float scale = (float)s->bot->style.scale;
    uint32_t edge = NOTHING;
    if (seat == SEAT_NONE || seat != n->seat)
        return NOTHING;
    rank(s, now, seat, count, n->hash);
    for (int i = 0; i < count; i++) {
        uint32_t e = edge_of(s, n, s->list[i]);
        float worth = e ? promise(s, &s->edge[e], reach)
                        : value_bend(s->milli[i], scale) + reach;
        if (worth > most) {
            most = worth;
            best = i;
            edge = e;
        }
    }
    return edge ? edge
                : tree_edge(s, n, s->list[best],
                            value_bend(s->milli[best], scale));
}

/* ---- back up ---- */

static void prefer_rest(const struct search *s, struct node *n)
{
    float rest = n->rest_count ? n->front : -9.0f;
    if (s->seats != 2 || rest <= n->best[n->seat])
        return;
    n->best[n->seat] = rest;
    n->best[1 - n->seat] = -rest;
}

/* The best line of a node is that of its best action, tried or not.  What is
 * proven is the least its seat can get: `value` is raised to it. */
static void renew_best(struct search *s, struct node *n, float *value)
{
    const struct edge *best = NULL, *sure = NULL;
    bool all = n->rest_count == 0 && !(n->flags & NODE_CUT) && !s->hidden;
    EDGES_EACH(e, s, n)
    {
        if (!e->node)
            continue;
        if (!best || e->best > best->best)
            best = e;
        if (e->proven && (!sure || e->best > sure->best))
            sure = e;
        all = all && e->proven;
    }
    if (!best)
        return;
    memcpy(n->best, s->node[best->node].best, sizeof n->best);
    if (sure && sure->best > value[n->seat])
        memcpy(value, s->node[sure->node].best, sizeof n->best);
    if (all)
        n->flags |= NODE_PROVEN;
    prefer_rest(s, n);
}

static void renew_edge(const struct search *s, struct edge *e, int seat)
{
    const struct node *child = &s->node[e->node];
    e->mean = child->sum[seat] / (float)child->visits;
    e->best = child->best[seat];
    e->known = (float)child->visits;
    e->proven = child->flags & NODE_PROVEN;
    if (e->proven)
        e->mean = e->best;
}

static void back_up(struct search *s, float *value)
{
    for (int i = s->depth; i >= 0; i--) {
        struct node *n = &s->node[s->path[i].node];
        if (i < s->depth)
            renew_best(s, n, value);
        n->visits++;
        for (int seat = 0; seat < s->seats; seat++)
            n->sum[seat] += value[seat];
        if (i == 0)
            break;
        struct edge *e = &s->edge[s->path[i].edge];
        e->visits++;
        renew_edge(s, e, s->node[s->path[i - 1].node].seat);
    }
}

/* ---- one visit ---- */

/* A step down; false at a leaf, where `value` is then known. */
static bool descend(struct search *s, float *value)
{
    uint32_t at = s->path[s->depth].node;
    struct node *n = &s->node[at];
    if (n->flags & NODE_PROVEN) {
        memcpy(value, n->best, sizeof n->best);
        return false;
    }
    if (!(n->flags & NODE_EXPANDED)) {
        expand(s, n, s->state, value);
        return false;
    }
    uint32_t e = s->depth + 1 == PATH ? NOTHING
                 : s->hidden          ? select_hidden(s, n, s->state)
                                      : select_edge(s, n);
    if (!e) {
        for (int seat = 0; seat < s->seats; seat++)
            value[seat] = n->visits ? n->sum[seat] / (float)n->visits : 0.0f;
        return false;
    }
    s->game->apply(s->world, s->state, n->seat, s->edge[e].action);
    if (!s->edge[e].node)
        s->edge[e].node = tree_node(s, s->state);
    if (!s->edge[e].node) {
        memcpy(value, n->best, sizeof n->best);
        return false;
    }
    s->path[++s->depth] = (struct passed){s->edge[e].node, e};
    return true;
}

void tree_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    search_copy(s, s->state, s->view);
    if (s->hidden)
        s->game->complete(s->world, s->state, s->seat, &s->rng);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s, value))
        ;
    back_up(s, value);
}
