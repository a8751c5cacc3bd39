/* search/plan.c: whole turns for the real bot.
 *
 * A turn of many actions has too many orders for a tree to find the good ones
 * by itself: the best beginnings of the turn are carried on side by side. Where
 * something is hidden that is done in a guessed world, and the turns that end
 * best become lines of the tree and race against each other in other worlds
 * (hidden.c); elsewhere the tree foresees turns that way (tree.c). */
#include "search/tree.h"

#include <string.h>

/* Several beginnings may come to the same: so many times more are looked at
 * than are carried on. */
enum { SPARE = 2 };

struct pick {
    int milli, from;
    action action;
};

/* A heap, the worst first. */
struct picks {
    struct pick list[SPARE * WIDE];
    int most, count;
};

static struct state *state_at(const struct search *s, int i)
{
    size_t size = (s->game->state_size + 15) & ~(size_t)15;
    return (struct state *)((char *)s->plan_state + size * (size_t)i);
}

/* From the front it sinks to where it belongs. */
static void sink(struct picks *p, struct pick x)
{
    int at = 0;
    for (int next = 1; next < p->count; next = 2 * at + 1) {
        if (next + 1 < p->count &&
            p->list[next + 1].milli < p->list[next].milli)
            next++;
        if (p->list[next].milli >= x.milli)
            break;
        p->list[at] = p->list[next];
        at = next;
    }
    p->list[at] = x;
}

/* The worst gives way. */
static void offer(struct picks *p, int milli, int from, action a)
{
    struct pick x = {milli, from, a};
    if (p->count < p->most) {
        int at = p->count++;
        for (; at > 0 && p->list[(at - 1) / 2].milli > milli; at = (at - 1) / 2)
            p->list[at] = p->list[(at - 1) / 2];
        p->list[at] = x;
    } else if (p->count > 0 && p->list[0].milli < milli) {
        sink(p, x);
    }
}

static void best_first(struct picks *p)
{
    int all = p->count;
    while (p->count > 1) {
        struct pick worst = p->list[0], last = p->list[--p->count];
        sink(p, last);
        p->list[p->count] = worst;
    }
    p->count = all;
}

/* ---- turns that have ended ---- */

static struct plan *ended_at(const struct search *s, int i)
{
    return &s->plan[2 * s->wide + i];
}

static void offer_end(struct search *s, const struct plan *from, int milli,
                      action a)
{
    int at = s->plans;
    if (s->plans < s->plans_most) {
        s->plans++;
    } else {
        at = 0;
        for (int i = 1; i < s->plans_most; i++)
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
    return (must ? must : may) >> s->planner & 1;
}

/* ---- one action further ---- */

/* Offers all actions of a beginning.  Which action ends a turn is found out by
 * trying those of the best beginning: it seldom looks good by itself. */
static void offer_all(struct search *s, int from, bool try_all, struct picks *p)
{
    const struct state *now = state_at(s, from);
    int count = s->game->legal(s->world, now, s->planner, s->list);
    search_rank(s, now, s->planner, count, s->plans_most > 1);
    for (int i = 0; i < count; i++) {
        action a = s->list[i];
        if (try_all && a != s->closing) {
            search_copy(s, s->spare, now);
            s->game->apply(s->world, s->spare, s->planner, a);
            if (!goes_on(s, s->spare))
                s->closing = a;
        }
        if (a == s->closing)
            offer_end(s, &s->plan[from], s->milli[i], a);
        else
            offer(p, s->milli[i], from, a);
    }
}

static uint64_t hash_at(const struct search *s, int i)
{
    if (s->plan[i].hash == 0)
        s->plan[i].hash = s->game->hash(s->world, state_at(s, i));
    return s->plan[i].hash;
}

/* Equal positions are worth the same, but for how numbers were rounded and for
 * errors, which depend on the way there. */
enum { ROUNDED = 20 };

static bool is_new(const struct search *s, int begin, int at)
{
    int within = ROUNDED + (s->plans_most > 1 ? 2 * s->bot->blur : 0);
    for (int i = begin; i < at; i++) {
        int gap = s->plan[i].milli - s->plan[at].milli;
        if (gap <= within && -gap <= within && hash_at(s, i) == hash_at(s, at))
            return false;
    }
    return true;
}

/* The beginning number `at` of those from `begin` on; is it a new one? */
static bool take(struct search *s, const struct pick *p, int begin, int at)
{
    struct state *now = state_at(s, at);
    search_copy(s, now, state_at(s, p->from));
    s->game->apply(s->world, now, s->planner, p->action);
    if (!goes_on(s, now)) {
        offer_end(s, &s->plan[p->from], p->milli, p->action);
        return false;
    }
    struct plan *to = &s->plan[at];
    *to = s->plan[p->from];
    to->milli = p->milli;
    to->hash = 0;
    to->line[to->length++] = p->action;
    return is_new(s, begin, at);
}

/* Carries `count` beginnings from `from` on one action further, to `to`; tells
 * how many there are now. */
static int step(struct search *s, int from, int count, int to, int wide)
{
    struct picks p;
    int fresh = 0, best = from;
    p.most = SPARE * wide;
    p.count = 0;
    for (int i = from + 1; i < from + count; i++)
        if (s->plan[i].milli > s->plan[best].milli)
            best = i;
    for (int i = from; i < from + count; i++)
        offer_all(s, i, i == best && s->plans_most > 1, &p);
    best_first(&p);
    for (int i = 0; i < p.count && fresh < wide; i++)
        fresh += take(s, &p.list[i], to, to + fresh);
    return fresh;
}

/* The best turns of a seat from there on; returns the very best. */
static int plan(struct search *s, const struct state *from, int seat, int wide,
                int most)
{
    int count = 1, best = 0, half = s->wide;
    s->planner = seat;
    s->plans = 0;
    s->plans_most = most;
    s->plan[0] = (struct plan){.length = 0};
    search_copy(s, state_at(s, 0), from);
    for (int i = 0; i < TURN && count > 0; i++)
        count = i % 2 ? step(s, half, count, 0, wide)
                      : step(s, 0, count, half, wide);
    for (int i = 1; i < s->plans; i++)
        if (ended_at(s, i)->milli > ended_at(s, best)->milli)
            best = i;
    return best;
}

const struct plan *plan_answer(struct search *s, int seat, int wide)
{
    if (s->hidden)
        s->game->observe(s->world, s->state, seat, s->sight);
    plan(s, s->hidden ? s->sight : s->state, seat, wide, 1);
    return s->plans ? ended_at(s, 0) : NULL;
}

/* ---- lines of the tree ---- */

static bool insert(struct search *s, const struct racer *r)
{
    uint32_t at = s->root;
    for (int i = 0; i < r->length; i++) {
        struct node *n = &s->node[at];
        struct edge *e = tree_edge_of(s, n, r->line[i]);
        n->seat = (int8_t)s->seat;
        n->flags |= NODE_EXPANDED | NODE_PLANNED;
        if (!e) {
            uint32_t index = tree_edge(s, n, r->line[i], 0.0f);
            uint32_t next = index ? tree_node(s, s->state) : NOTHING;
            if (!next)
                return false;
            e = &s->edge[index];
            e->node = next;
        }
        at = e->node;
    }
    return true;
}

/* The line as far as another world allows it: what hangs on cards that only
 * the planned world holds is decided when they are seen. */
static struct racer racer_of(struct search *s, const struct plan *p)
{
    struct racer r = {.length = 0};
    hidden_guess(s, 0);
    while (r.length < p->length && hidden_allows(s, p->line[r.length])) {
        s->game->apply(s->world, s->state, s->seat, p->line[r.length]);
        r.line[r.length] = p->line[r.length];
        r.length++;
    }
    r.hash = s->game->hash(s->world, s->state);
    return r;
}

/* Turns that come to the same are one. */
static int enter(struct search *s, const struct plan *p)
{
    struct racer r = racer_of(s, p);
    int i = 0;
    while (i < s->racers && s->racer[i].hash != r.hash)
        i++;
    if (i < s->racers)
        return i;
    if (s->racers == RACERS || !insert(s, &r))
        return -1;
    s->racer[s->racers] = r;
    return s->racers++;
}

/* s->state: a guessed world.  What a turn is worth there adds to the chance
 * that it may race. */
int plan_turn(struct search *s)
{
    int best = plan(s, s->state, s->seat, s->wide, PLANS);
    int first = -1;
    for (int i = 0; i < s->racers; i++)
        s->racer[i].here = 0.0f;
    for (int i = 0; i < s->plans; i++) {
        int at = enter(s, ended_at(s, i));
        float weight =
            search_weight(ended_at(s, best)->milli - ended_at(s, i)->milli);
        if (at >= 0 && s->racer[at].here < weight) {
            s->racer[at].weight += weight - s->racer[at].here;
            s->racer[at].here = weight;
        }
        if (i == best)
            first = at;
    }
    return first;
}

/* The first so many: those of the greatest weight first. */
void plan_sort(struct search *s, int count)
{
    for (int i = 1; i < count; i++) {
        struct racer r = s->racer[i];
        int at = i;
        for (; at > 0 && s->racer[at - 1].weight < r.weight; at--)
            s->racer[at] = s->racer[at - 1];
        s->racer[at] = r;
    }
}
