/* search/tree.c: the real bot.  A tree of single actions, each seat choosing
 * what is best for itself, with the game's own judgement of every action in
 * place of random play (docs/bots.md tells the reasons). */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- expand: all actions of a new position, valued at first sight ---- */

/* An error that depends on nothing but seed, position and action: twice the
 * same question gets the same wrong answer.  Among several rivals it is as many
 * times larger as there are seats: with more of them it is harder to foresee
 * what a turn brings. */
static int noise(const struct search *s, uint64_t hash, action a)
{
    uint64_t x = rng_mix(hash ^ s->seed * 0x9e3779b97f4a7c15u ^ a);
    int one = (int)(x & 0xffff), two = (int)(x >> 16 & 0xffff);
    int64_t most = s->bot->noise * (s->seats > 2 ? s->seats : 1);
    return (int)(most * (one - two) / 0x10000);
}

static void estimate_after(struct search *s, const struct state *now, int seat,
                           action a, int *milli)
{
    memset(milli, 0, GAME_SEATS * sizeof *milli);
    search_copy(s, s->spare, now);
    s->game->apply(s->world, s->spare, seat, a);
    s->game->estimate(s->world, s->spare, s->memo, milli);
}

static int lead_after(struct search *s, const struct state *now, int seat,
                      action a)
{
    int milli[GAME_SEATS];
    estimate_after(s, now, seat, a, milli);
    return search_lead(s, milli, seat);
}

/* Four numbers, taken at once where the processor can. */
typedef int four __attribute__((vector_size(16)));

static four load(const int *from)
{
    four x;
    memcpy(&x, from, sizeof x);
    return x;
}

static four either(four first, four a, four b)
{
    return (a & first) | (b & ~first);
}

static int greatest(four x)
{
    int most = x[0];
    for (int i = 1; i < 4; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

/* Which of eight numbers reach `least`: one bit each. */
static unsigned reaching(const int *milli, int least)
{
#ifdef __SSE2__
    __m128 low = (__m128)(load(milli) < least);
    __m128 high = (__m128)(load(milli + 4) < least);
    return 255u ^ ((unsigned)_mm_movemask_ps(low) |
                   (unsigned)_mm_movemask_ps(high) << 4);
#else
    unsigned found = 0;
    for (unsigned i = 0; i < 8; i++)
        found |= (unsigned)(milli[i] >= least) << i;
    return found;
#endif
}

static int index_of_best(const struct search *s, int count)
{
    const int *milli = s->milli;
    int most = milli[0], best = 0, i = 0;
    if (count >= 4) {
        four all = load(milli);
        for (i = 4; i + 4 <= count; i += 4) {
            four x = load(milli + i);
            all = either(x > all, x, all);
        }
        most = greatest(all);
    }
    for (; i < count; i++)
        most = milli[i] > most ? milli[i] : most;
    for (; best + 8 <= count; best += 8) {
        unsigned found = reaching(milli + best, most);
        if (found)
            return best + __builtin_ctz(found);
    }
    while (milli[best] != most)
        best++;
    return best;
}

/* Are the game's ranks no leads, but only in the right order? */
bool tree_only_order(struct search *s)
{
    if (!s->game->rank || !s->game->estimate || s->hidden)
        return false;
    int count = s->game->legal(s->world, s->view, s->seat, s->list);
    s->game->rank(s->world, s->view, s->memo, s->seat, s->list, count,
                  s->milli);
    int best = index_of_best(s, count);
    int off = s->milli[best] - lead_after(s, s->view, s->seat, s->list[best]);
    return off > 3000 || off < -3000;
}

/* Where they are, the best of them is looked at and moves all. */
static void shift_ranks(struct search *s, const struct state *now, int seat,
                        int count)
{
    int best = index_of_best(s, count);
    int off = lead_after(s, now, seat, s->list[best]) - s->milli[best];
    for (int i = 0; i < count; i++)
        s->milli[i] += off;
}

/* s->milli: the lead of `seat` after each action of s->list. */
static void rank(struct search *s, const struct state *now, int seat, int count,
                 uint64_t hash)
{
    if (s->game->rank)
        s->game->rank(s->world, now, s->memo, seat, s->list, count, s->milli);
    else
        for (int i = 0; i < count; i++)
            s->milli[i] = lead_after(s, now, seat, s->list[i]);
    if (s->only_order)
        shift_ranks(s, now, seat, count);
    for (int i = 0; s->bot->noise && i < count; i++)
        s->milli[i] += noise(s, hash, s->list[i]);
}

/* A value that about one action in eight reaches: the third of every eighth. */
static int promising(const struct search *s, int count)
{
    int first = INT_MIN, second = INT_MIN, third = INT_MIN;
    for (int i = 4; i < count; i += 8) {
        int milli = s->milli[i];
        if (milli > first) {
            third = second;
            second = first;
            first = milli;
        } else if (milli > second) {
            third = second;
            second = milli;
        } else if (milli > third) {
            third = milli;
        }
    }
    return third;
}

/* What a node keeps of the actions in s->list. */
struct choice {
    struct untried *rest;
    int best, least, most;
    int kept, forgotten;
};

static void keep_one(const struct search *s, struct choice *c, int i)
{
    int milli = s->milli[i];
    if (milli >= c->least && c->kept < c->most)
        c->rest[c->kept++] = (struct untried){s->list[i], milli};
    else if (milli > c->forgotten)
        c->forgotten = milli;
}

/* Few actions reach what is asked: the others are looked at four at a time. */
static void choose(const struct search *s, struct choice *c, int count)
{
    four most = {INT_MIN, INT_MIN, INT_MIN, INT_MIN};
    int i = 0, least = c->least;
    for (; i + 8 <= count; i += 8) {
        unsigned found = reaching(s->milli + i, least);
        for (int n = i; n < i + 8; n += 4) {
            four x = load(s->milli + n);
            most = either((x < least) & (x > most), x, most);
        }
        if (c->best >> 3 == i >> 3)
            found &= ~(1u << (c->best & 7));
        for (; found; found &= found - 1)
            keep_one(s, c, i + __builtin_ctz(found));
    }
    for (; i < count; i++)
        if (i != c->best)
            keep_one(s, c, i);
    int low = greatest(most);
    c->forgotten = low > c->forgotten ? low : c->forgotten;
}

/* Keeps what is worth at least `least`, the best first, but no more than
 * `most`; of the others only the best value is remembered, until it matters. */
static void keep_best(const struct search *s, int count, int best, int least,
                      int most, struct untried *rest, struct sight *out)
{
    struct choice c = {rest, best, least, most, 1, INT_MIN};
    rest[0] = (struct untried){s->list[best], s->milli[best]};
    choose(s, &c, count);
    out->count = count;
    out->kept = c.kept;
    out->front = value_bend(s->milli[best], s->scale);
    out->forgotten = value_bend(c.forgotten, s->scale);
}

/* The kept actions are those behind all others. */
static void take_rest(struct search *s, struct node *n, const struct sight *of)
{
    n->front = of->front;
    n->rest = s->rests;
    n->rest_count = (uint16_t)of->kept;
    n->flags &= (uint8_t)~NODE_CUT;
    if (of->kept < of->count) {
        n->flags |= NODE_CUT;
        n->forgotten = of->forgotten;
    }
    s->rests += (uint32_t)of->kept;
}

/* Lists the forgotten actions of a node after all. */
static void recall_rest(struct search *s, struct node *n,
                        const struct state *now)
{
    int count, left = 0, seat = search_turn(s, now, &count);
    for (int i = 0; i < count; i++)
        if (!tree_edge_of(s, n, s->list[i]))
            s->list[left++] = s->list[i];
    check(seat == n->seat);
    if (left == 0) { /* foreseen turns have tried them all */
        n->flags &= (uint8_t)~NODE_CUT;
        if (n->sure_count == n->edge_count)
            n->flags |= NODE_PROVEN;
        return;
    }
    if ((uint32_t)left >= s->rest_cap - s->rests) {
        s->full = true;
        return;
    }
    struct sight all;
    rank(s, now, seat, left, n->hash);
    keep_best(s, left, index_of_best(s, left), INT_MIN, INT_MAX,
              s->rest + s->rests, &all);
    take_rest(s, n, &all);
}

void tree_root(struct search *s)
{
    struct node *root = &s->node[s->root];
    if (s->root != NOTHING && root->flags & NODE_CUT)
        recall_rest(s, root, s->view);
}

/* The value of a new node: what its seat gets by the action that looks best,
 * and what that leaves for the others. */
static void value_leaf(struct search *s, const struct state *now, int seat,
                       int best, uint64_t hash, float *value)
{
    if (s->seats == 2) {
        value[seat] = value_bend(s->milli[best], s->scale);
        value[1 - seat] = -value[seat];
    } else {
        int milli[GAME_SEATS];
        estimate_after(s, now, seat, s->list[best], milli);
        milli[seat] += noise(s, hash, s->list[best]);
        search_judge(s, milli, value);
    }
}

void tree_see(struct search *s, const struct state *now, uint64_t hash,
              bool all, uint32_t room, struct untried *rest, struct sight *out)
{
    int count, seat = search_turn(s, now, &count);
    *out = (struct sight){.seat = seat, .count = count};
    if (seat == SEAT_NONE) {
        search_final(s, now, out->value);
        return;
    }
    rank(s, now, seat, count, hash);
    int best = index_of_best(s, count);
    if ((uint32_t)count < room)
        keep_best(s, count, best, all ? INT_MIN : promising(s, count),
                  all ? INT_MAX : 8 + count / 6, rest, out);
    value_leaf(s, now, seat, best, hash, out->value);
}

void tree_expand(struct search *s, struct node *n, const struct sight *seen,
                 const struct untried *rest)
{
    struct untried *own = s->rest + s->rests;
    memcpy(n->best, seen->value, sizeof n->best);
    n->seat = (int8_t)seen->seat;
    s->judged += seen->count;
    if (seen->seat == SEAT_NONE) {
        n->flags |= NODE_EXPANDED | NODE_PROVEN;
    } else if (seen->kept && (uint32_t)seen->kept < s->rest_cap - s->rests) {
        n->flags |= NODE_EXPANDED;
        if (rest != own)
            memcpy(own, rest, (size_t)seen->kept * sizeof *own);
        take_rest(s, n, seen);
    } else {
        s->full = true;
    }
}

/* The root keeps everything, other nodes what looks promising. */
static void expand(struct search *s, struct node *n, float *value)
{
    struct sight here;
    struct untried *rest = s->rest + s->rests;
    tree_see(s, s->state, n->hash, n == &s->node[s->root],
             s->rest_cap - s->rests, rest, &here);
    memcpy(value, here.value, sizeof here.value);
    tree_expand(s, n, &here, rest);
}

/* ---- select: the edge to follow ---- */

#define PROVEN_WORTH (-9.0f) /* nothing is to be learnt there */

/* The same in points, whatever the scale. */
static float pull(const struct search *s, const struct node *n)
{
    return (float)s->bot->style.explore / 1000.0f * (CLEAR / s->scale) *
           value_root(value_log(n->visits + 1));
}

static float promise(const struct edge *e, float reach)
{
    return e->worth + reach * e->spread;
}

/* What promises most so far. */
struct lure {
    float most;
    int index; /* in its row; -1: nothing yet */
};

static void compare(struct lure *to, float promised, int index)
{
    if (promised > to->most || (promised == to->most && index < to->index))
        *to = (struct lure){promised, index};
}

#ifdef __SSE2__

/* The worth and the spread of two edges. */
static __m128 load_two(const struct edge *e)
{
    __m128 x = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)&e[0].worth);
    return _mm_loadh_pi(x, (const __m64 *)&e[1].worth);
}

/* The first edges of a row, four at a time; returns how many. */
static int compare_fours(struct lure *to, const struct edge *row, int count,
                         float reach)
{
    const __m128 pull = _mm_set1_ps(reach);
    __m128 most = _mm_set1_ps(to->most);
    four index = {-1, -1, -1, -1}, at = {0, 1, 2, 3};
    int i = 0;
    for (; i + 4 <= count; i += 4, at += 4) {
        __m128 low = load_two(row + i), high = load_two(row + i + 2);
        __m128 worth = _mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
        __m128 spread = _mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
        __m128 x = _mm_add_ps(worth, _mm_mul_ps(pull, spread));
        index = either((four)_mm_cmpgt_ps(x, most), at, index);
        most = _mm_max_ps(x, most);
    }
    for (int lane = 0; lane < 4; lane++)
        if (index[lane] >= 0)
            compare(to, most[lane], index[lane]);
    return i;
}

#else

static int compare_fours(struct lure *to, const struct edge *row, int count,
                         float reach)
{
    (void)to, (void)row, (void)count, (void)reach;
    return 0;
}

#endif

/* When only forgotten actions are left to try, they are listed once more. */
static uint32_t select_edge(struct search *s, struct node *n,
                            const struct state *now)
{
    const struct edge *row = s->edge + n->edges;
    float reach = pull(s, n);
    struct lure best = {PROVEN_WORTH / 2, -1};
    int i = compare_fours(&best, row, n->edge_count, reach);
    for (; i < n->edge_count; i++)
        compare(&best, promise(&row[i], reach), i);
    if (n->rest_count == 0 && n->flags & NODE_CUT &&
        n->forgotten + reach > best.most)
        recall_rest(s, n, now);
    if (n->rest_count > 0 && n->front + reach > best.most)
        return tree_try(s, n, 0);
    return best.index < 0 ? NOTHING : n->edges + (uint32_t)best.index;
}

/* ---- whole turns ---- */

/* A first action often shows nothing until its turn is complete: a move opens
 * the way for two stones.  So where a turn begins that was visited often enough
 * the best beginnings are carried on side by side, and a turn that does better
 * than the best line known is visited as a whole. */
static bool begins_turn(const struct search *s, const struct node *n)
{
    return s->foresees && !s->foreseen && !(n->flags & NODE_FORESEEN) &&
           (s->depth == 0 ||
            s->node[s->path[s->depth - 1].node].seat != n->seat);
}

static const struct plan *best_turn(struct search *s, const struct node *n)
{
    const struct plan *p;
    return s->help && help_turn(s, &p) ? p : plan_answer(s, n->seat, BEAM);
}

static void foresee(struct search *s, struct node *n)
{
    int due = s->bot->style.foresee, visits = (int)n->visits;
    if (visits < due - due / 4 || !begins_turn(s, n))
        return;
    if (visits < due) {
        if (s->help)
            help_ask_turn(s);
        return;
    }
    n->flags |= NODE_FORESEEN;
    const struct plan *p = best_turn(s, n);
    if (p && value_bend(p->milli, s->scale) > n->best[n->seat]) {
        s->foreseen = p;
        s->foreseen_at = 0;
    }
}

/* The edge of an action that may be untried or forgotten; what is proven needs
 * no visit. */
static uint32_t edge_for(struct search *s, struct node *n, action a)
{
    const struct untried *rest = s->rest + n->rest;
    const struct edge *e = tree_edge_of(s, n, a);
    if (e)
        return e->proven ? NOTHING : (uint32_t)(e - s->edge);
    for (int i = 0; i < n->rest_count; i++)
        if (rest[i].action == a)
            return tree_try(s, n, i);
    return n->flags & NODE_CUT ? tree_edge(s, n, a, n->forgotten) : NOTHING;
}

/* Is something of the turn left that this visit follows? */
static bool follows(const struct search *s)
{
    return s->foreseen && s->foreseen_at < s->foreseen->length;
}

static uint32_t next_edge(struct search *s, struct node *n)
{
    foresee(s, n);
    uint32_t e = follows(s)
                     ? edge_for(s, n, s->foreseen->line[s->foreseen_at++])
                     : NOTHING;
    e = e ? e : select_edge(s, n, s->state);
    if (!e && s->help) { /* perhaps visits wait below all that is left */
        help_settle(s, NOTHING);
        e = select_edge(s, n, s->state);
    }
    return e;
}

/* ---- back up ---- */

/* What a visit has changed of an edge. */
struct change {
    bool fell;   /* the best line got worse */
    bool proven; /* as of now */
};

static void prefer_rest(const struct search *s, struct node *n)
{
    float rest = n->rest_count ? n->front : -9.0f;
    if (s->seats != 2 || rest <= n->best[n->seat])
        return;
    n->best[n->seat] = rest;
    n->best[1 - n->seat] = -rest;
}

static void find_top(const struct search *s, struct node *n)
{
    const struct edge *row = s->edge + n->edges;
    n->top = 0;
    for (int i = 1; i < n->edge_count; i++)
        if (row[i].node &&
            (!row[n->top].node || row[i].best > row[n->top].best))
            n->top = (uint16_t)i;
}

/* After an edge was renewed: the best line of a node is that of its best
 * action, tried or not.  What is proven is the least its seat can get:
 * `value` is raised to it. */
static void renew_best(const struct search *s, struct node *n,
                       const struct edge *e, struct change change, float *value)
{
    const struct edge *row = s->edge + n->edges;
    uint16_t at = (uint16_t)(e - row);
    if (at == n->top && change.fell)
        find_top(s, n);
    else if (e->best > row[n->top].best || !row[n->top].node)
        n->top = at;
    memcpy(n->best, s->node[row[n->top].node].best, sizeof n->best);
    if (e->proven && (!n->sure || e->best > row[n->sure - 1].best))
        n->sure = (uint16_t)(at + 1);
    n->sure_count = (uint16_t)(n->sure_count + change.proven);
    if (n->sure && row[n->sure - 1].best > value[n->seat])
        memcpy(value, s->node[row[n->sure - 1].node].best, sizeof n->best);
    if (n->sure_count == n->edge_count && n->rest_count == 0 &&
        !(n->flags & NODE_CUT))
        n->flags |= NODE_PROVEN;
    prefer_rest(s, n);
}

static void spread(struct edge *e)
{
    float visits = (float)(e->visits + e->pending);
    e->spread = e->proven ? 0.0f : 1.0f / value_root(visits + 1.0f);
}

void tree_pend(struct edge *e, int more)
{
    e->pending = (e->pending + (unsigned)more) & EDGE_PENDING;
    spread(e);
}

/* Takes over what the node now says. */
static struct change renew_edge(const struct search *s, struct edge *e,
                                int seat)
{
    const struct node *child = &s->node[e->node];
    float blend = (float)s->bot->style.blend / 1000.0f;
    float sum = child->sum[seat], known = (float)child->visits;
    bool proven = (child->flags & NODE_PROVEN) != 0;
    struct change change = {child->best[seat] < e->best, proven && !e->proven};
    e->visits++;
    e->best = child->best[seat];
    e->proven = proven;
    e->mean = e->proven ? e->best : sum / known;
    e->worth = e->proven ? PROVEN_WORTH
                         : (1.0f - blend) * (e->prior + sum) / (1.0f + known) +
                               blend * e->best;
    spread(e);
    return change;
}

static void add_value(const struct search *s, struct node *n,
                      const float *value)
{
    n->visits++;
    for (int seat = 0; seat < s->seats; seat++)
        n->sum[seat] += value[seat];
}

void tree_back_up(struct search *s, const struct passed *path, int depth,
                  float *value)
{
    add_value(s, &s->node[path[depth].node], value);
    for (int i = depth; i > 0; i--) {
        struct node *n = &s->node[path[i - 1].node];
        struct edge *e = &s->edge[path[i].edge];
        e->node = path[i].node;
        struct change change = renew_edge(s, e, n->seat);
        renew_best(s, n, e, change, value);
        add_value(s, n, value);
    }
}

/* ---- one visit ---- */

/* The node that an edge leads to from s->state on, which moves on; NOTHING if
 * there is no memory: then the edge is as if it had not been tried. */
static uint32_t follow(struct search *s, struct node *n, uint32_t e)
{
    uint32_t next = s->edge[e].node;
    __builtin_prefetch(&s->node[next]);
    s->game->apply(s->world, s->state, n->seat, s->edge[e].action);
    if (!next)
        next = tree_node(s, s->state);
    if (!next) {
        n->edge_count--;
        n->flags |= NODE_CUT;
    }
    return next;
}

/* Can somebody else look at it meanwhile?  The root keeps every action, and a
 * turn that is followed goes on below. */
static bool can_wait(const struct search *s)
{
    return s->help && s->depth > 0 && !follows(s);
}

bool tree_descend(struct search *s, float *value)
{
    uint32_t at = s->path[s->depth].node;
    struct node *n = &s->node[at];
    if (n->flags & NODE_ASKED)
        help_settle(s, at);
    if (n->flags & NODE_PROVEN) {
        memcpy(value, n->best, sizeof n->best);
        return false;
    }
    if (!(n->flags & NODE_EXPANDED)) {
        if (can_wait(s)) {
            n->flags |= NODE_ASKED;
            return false;
        }
        expand(s, n, value);
        if (!follows(s) || !(n->flags & NODE_EXPANDED) ||
            n->flags & NODE_PROVEN)
            return false;
    }
    uint32_t e = s->depth + 1 == PATH ? NOTHING : next_edge(s, n);
    if (!e) {
        for (int seat = 0; seat < s->seats; seat++)
            value[seat] = n->visits ? n->sum[seat] / (float)n->visits : 0.0f;
        return false;
    }
    uint32_t next = follow(s, n, e);
    if (!next) {
        memcpy(value, n->best, sizeof n->best);
        return false;
    }
    s->path[++s->depth] = (struct passed){next, e};
    return true;
}

void tree_visit(struct search *s)
{
    search_copy(s, s->state, s->view);
    s->depth = 0;
    s->foreseen = NULL;
    s->path[0] = (struct passed){s->root, NOTHING};
}

void tree_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    tree_visit(s);
    while (tree_descend(s, value))
        ;
    tree_back_up(s, s->path, s->depth, value);
}
