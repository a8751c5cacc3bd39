/* search/plan.c: whole turns for the real bot where something is hidden.
 *
 * A turn of many actions has too many orders for a tree to find the good ones
 * by itself.  In one guessed world the best beginnings of the turn are carried
 * on side by side; the turns that end best become lines of the tree, which then
 * tries them in all worlds. */
#include "search/tree.h"

#include <string.h>

struct pick {
    int milli, from;
    action action;
};

struct picks {
    struct pick list[WIDE];
    int count, worst;
};

static struct state *state_at(const struct search *s, int i)
{
    size_t size = (s->game->state_size + 15) & ~(size_t)15;
    return (struct state *)((char *)s->plan_state + size * (size_t)i);
}

/* The worst gives way. */
static void offer(struct picks *p, int milli, int from, action a)
{
    int at = p->count;
    if (p->count < WIDE)
        p->count++;
    else if (p->list[p->worst].milli >= milli)
        return;
    else
        at = p->worst;
    p->list[at] = (struct pick){milli, from, a};
    p->worst = 0;
    for (int i = 1; i < p->count && p->count == WIDE; i++)
        if (p->list[i].milli < p->list[p->worst].milli)
            p->worst = i;
}

/* ---- turns that have ended ---- */

static struct plan *ended_at(const struct search *s, int i)
{
    return &s->plan[2 * WIDE + i];
}

static void offer_end(struct search *s, const struct plan *from, int milli,
                      action a)
{
    int at = s->plans;
    if (s->plans < PLANS) {
        s->plans++;
    } else {
        at = 0;
        for (int i = 1; i < PLANS; i++)
            if (ended_at(s, i)->milli < ended_at(s, at)->milli)
                at = i;
        if (ended_at(s, at)->milli >= milli)
            return;
    }
    struct plan *p = ended_at(s, at);
    *p = *from;
    p->milli = milli;
    p->line[p->length++] = a;
}

static bool goes_on(const struct search *s, const struct state *now)
{
    unsigned must, may;
    s->game->turn(s->world, now, &must, &may);
    return (must ? must : may) >> s->seat & 1;
}

/* ---- one action further ---- */

/* Offers all actions of a beginning.  Which action ends a turn is found out by
 * trying those of the best beginning: it seldom looks good by itself. */
static void offer_all(struct search *s, int from, struct picks *p)
{
    const struct state *now = state_at(s, from);
    int count = s->game->legal(s->world, now, s->seat, s->list);
    search_rank(s, now, count);
    for (int i = 0; i < count; i++) {
        action a = s->list[i];
        if (from == 0 && a != s->closing) {
            search_copy(s, s->spare, now);
            s->game->apply(s->world, s->spare, s->seat, a);
            if (!goes_on(s, s->spare))
                s->closing = a;
        }
        if (a == s->closing)
            offer_end(s, &s->plan[from], s->milli[i], a);
        else
            offer(p, s->milli[i], from, a);
    }
}

static bool is_new(const struct search *s, int fresh, uint64_t hash)
{
    for (int i = 0; i < fresh; i++)
        if (s->plan[WIDE + i].hash == hash)
            return false;
    return true;
}

static int take(struct search *s, const struct pick *p, int fresh)
{
    struct state *now = state_at(s, WIDE + fresh);
    search_copy(s, now, state_at(s, p->from));
    s->game->apply(s->world, now, s->seat, p->action);
    if (!goes_on(s, now)) {
        offer_end(s, &s->plan[p->from], p->milli, p->action);
        return fresh;
    }
    uint64_t hash = s->game->hash(s->world, now);
    if (!is_new(s, fresh, hash))
        return fresh;
    struct plan *to = &s->plan[WIDE + fresh];
    *to = s->plan[p->from];
    to->milli = p->milli;
    to->hash = hash;
    to->line[to->length++] = p->action;
    return fresh + 1;
}

static int step(struct search *s, int count)
{
    struct picks p = {.count = 0};
    int fresh = 0, best = 0;
    for (int i = 0; i < count; i++)
        offer_all(s, i, &p);
    for (int i = 0; i < p.count; i++)
        fresh = take(s, &p.list[i], fresh);
    for (int i = 1; i < fresh; i++)
        if (s->plan[WIDE + i].milli > s->plan[WIDE + best].milli)
            best = i;
    for (int i = 0; i < fresh; i++) {
        int to = i == best ? 0 : i == 0 ? best : i;
        s->plan[to] = s->plan[WIDE + i];
        search_copy(s, state_at(s, to), state_at(s, WIDE + i));
    }
    return fresh;
}

/* ---- lines of the tree ---- */

static struct edge *edge_of(const struct search *s, const struct node *n,
                            action a)
{
    EDGES_EACH(e, s, n)
    if (e->action == a)
        return e;
    return NULL;
}

/* What a line is worth in this world adds to its edges; lines that share an
 * edge add the best of theirs. */
static void insert(struct search *s, const struct plan *p, float weight)
{
    uint32_t at = s->root;
    for (int i = 0; i < p->length; i++) {
        struct node *n = &s->node[at];
        struct edge *e = edge_of(s, n, p->line[i]);
        n->seat = (int8_t)s->seat;
        n->flags |= NODE_EXPANDED | NODE_PLANNED;
        if (!e) {
            uint32_t index = tree_edge(s, n, p->line[i], 0.0f);
            uint32_t next = index ? tree_node(s, s->state) : NOTHING;
            if (!next)
                return;
            e = &s->edge[index];
            e->best = 0.0f;
            e->node = next;
        }
        if (e->best < weight) { /* best: in this world */
            e->prior += weight - e->best;
            e->best = weight;
        }
        at = e->node;
    }
}

static void forget_world(struct search *s)
{
    for (uint32_t i = 1; i < s->edges; i++)
        s->edge[i].best = 0.0f;
}

/* s->state: a guessed world. */
void plan_turn(struct search *s)
{
    int count = 1, most;
    s->plans = 0;
    s->plan[0] = (struct plan){.length = 0};
    search_copy(s, state_at(s, 0), s->state);
    for (int i = 0; i < TURN && count > 0; i++)
        count = step(s, count);
    if (s->plans == 0)
        return;
    forget_world(s);
    most = ended_at(s, 0)->milli;
    for (int i = 1; i < s->plans; i++)
        if (ended_at(s, i)->milli > most)
            most = ended_at(s, i)->milli;
    for (int i = 0; i < s->plans; i++)
        insert(s, ended_at(s, i), search_weight(most - ended_at(s, i)->milli));
}
