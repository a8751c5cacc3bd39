/* search/search.c: what callers use, for every kind of bot. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* ---- shared by the bots ---- */

struct state *search_copy(const struct search *s, struct state *to,
                          const struct state *from)
{
    memcpy(to, from, s->game->state_size);
    return to;
}

int search_turn(struct search *s, const struct state *now, int *count)
{
    unsigned must, may;
    s->game->turn(s->world, now, &must, &may);
    *count = 0;
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = s->game->legal(s->world, now, seat, s->list);
        if (*count > 0)
            return seat;
    }
    return SEAT_NONE;
}

/* The mean of the rivals, not the best of them: if everybody fought the one who
 * is ahead, being better would hardly help among three or more. */
int search_lead(const struct search *s, const int *milli, int seat)
{
    int64_t rivals = 0;
    for (int other = 0; other < s->seats; other++)
        rivals += other != seat ? milli[other] : 0;
    return milli[seat] - (s->seats > 1 ? (int)(rivals / (s->seats - 1)) : 0);
}

void search_judge(const struct search *s, const int *milli, float *value)
{
    for (int seat = 0; seat < s->seats; seat++)
        value[seat] = value_bend(search_lead(s, milli, seat), s->scale);
}

/* A finished game: winning counts beside the points. */
void search_final(const struct search *s, const struct state *now, float *value)
{
    struct result r;
    int milli[GAME_SEATS];
    float share = (float)s->bot->style.final / 1000.0f;
    s->game->result(s->world, now, &r);
    int winners = 0;
    for (int seat = 0; seat < s->seats; seat++) {
        milli[seat] = 1000 * r.points[seat];
        winners += r.place[seat] == 1;
    }
    search_judge(s, milli, value);
    for (int seat = 0; seat < s->seats; seat++) {
        float won = r.place[seat] != 1 ? -1.0f : winners == 1 ? 1.0f : 0.0f;
        value[seat] = share * won + (1.0f - share) * value[seat];
    }
}

void search_back_up(struct search *s, const float *value, bool apart)
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
        if (apart)
            e->mean += (value[seat] - e->mean) / (float)e->visits;
        else
            e->mean = n->sum[seat] / (float)n->visits;
    }
}

/* ---- beginning ---- */

/* Seats that play have a place. */
static int count_seats(const struct game *game, const struct world *world,
                       const struct state *view)
{
    struct result r = {0};
    int seats = 0;
    game->result(world, view, &r);
    while (seats < GAME_SEATS && r.place[seats] > 0)
        seats++;
    return seats;
}

static void begin(struct search *s, const struct state *view, int seat)
{
    search_copy(s, s->view, view);
    s->seat = seat;
    s->done = 0;
    s->judged = 0;
    s->beams = 0;
    s->chosen_yet = false;
    s->best_milli = 0;
    s->mood = s->hidden && s->bot->blur ? s->game->hash(s->world, view) : 0;
    int count = s->game->legal(s->world, view, seat, s->list);
    check(count > 0);
    s->only = count == 1;
    s->chosen = s->list[rng_below(&s->rng, count)];
}

/* Care for points far ahead pays against one rival and in games played out. */
static float clear_lead(const struct search *s)
{
    bool careful = s->seats == 2 || plays_out(s->game, s->bot);
    return careful && !s->hidden && !s->only_order ? (float)s->bot->style.scale
                                                   : CLEAR;
}

struct search *search_open(void *memory, size_t bytes, const struct game *game,
                           const struct world *world, const struct state *view,
                           int seat, const struct search_bot *bot, int nodes,
                           uint64_t seed)
{
    struct search *s = memory;
    if (bytes < search_size(game, &search_bots[0], 1))
        return NULL;
    memset(s, 0, sizeof *s);
    s->game = game;
    s->world = world;
    s->bot = bot;
    s->seed = seed;
    s->seats = count_seats(game, world, view);
    s->wanted = search_wanted(game, bot, nodes, s->seats);
    s->hidden = game->complete != NULL;
    rng_seed(&s->rng, rng_mix(seed + 1));
    if (!tree_begin(s, memory, bytes, s->wanted))
        return NULL;
    begin(s, view, seat);
    if (s->node)
        s->root = tree_node(s, s->view);
    if (bot->kind == SEARCH_TREE)
        s->only_order = tree_only_order(s);
    s->scale = clear_lead(s);
    return s;
}

/* The tree below the new position is kept while there is room for another. */
void search_play(struct search *s, const struct state *view, int seat)
{
    bool follows = s->hidden && s->bot->kind == SEARCH_TREE &&
                   s->seat == seat && hidden_follow(s, view);
    if (s->help)
        help_forget(s);
    begin(s, view, seat);
    s->settled = follows;
    if (!s->node || follows)
        return;
    if (s->hidden || !tree_room(s))
        tree_clear(s);
    s->full = false;
    s->root = tree_node(s, s->view);
    const struct node *root = &s->node[s->root];
    if (s->game->habit && root->flags & NODE_EXPANDED && root->seat != seat) {
        tree_clear(s); /* it was looked at as another's decision */
        s->root = tree_node(s, s->view);
    }
    if (s->bot->kind == SEARCH_TREE && !s->game->habit)
        tree_root(s);
}

/* ---- running ---- */

static bool decided(const struct search *s)
{
    const struct node *root = &s->node[s->root];
    if (s->only || s->settled || root->flags & NODE_PROVEN)
        return true;
    if (s->hidden)
        return false;
    if (plays_out(s->game, s->bot))
        return playout_decided(s);
    return root->flags & NODE_EXPANDED && root->rest_count == 0 &&
           !(root->flags & NODE_CUT) && root->edge_count == 1;
}

/* Visits that play on take long, and callers look for stop requests between
 * slices. */
enum { PLAYED_SLICE = 2 };

static void simulate(struct search *s)
{
    if (s->bot->kind == SEARCH_UCT)
        uct_simulate(s);
    else if (s->hidden)
        hidden_simulate(s);
    else if (s->game->habit)
        playout_simulate(s);
    else if (s->help)
        help_simulate(s);
    else
        tree_simulate(s);
}

static bool goes_on(const struct search *s)
{
    return s->done < s->wanted && !s->full && !decided(s);
}

static bool run_tree(struct search *s, int nodes)
{
    if (s->hidden && s->bot->kind == SEARCH_TREE && nodes > PLAYED_SLICE)
        nodes = PLAYED_SLICE;
    for (int end = s->done + nodes; s->done < end && goes_on(s); s->done++)
        simulate(s);
    if (goes_on(s))
        return true;
    if (s->help)
        help_settle(s, NOTHING);
    return false;
}

bool search_run(struct search *s, int nodes)
{
    switch (s->bot->kind) {
    case SEARCH_RANDOM:
        return false;
    case SEARCH_GREEDY:
        return greedy_run(s, nodes);
    default:
        return run_tree(s, nodes);
    }
}

int search_nodes(const struct search *s)
{
    return s->done;
}

int64_t search_judged(const struct search *s)
{
    return s->judged;
}

/* ---- answers ---- */

/* What won the race; else most visits, then the better value; what is proven
 * counts as it is. */
static bool better(const struct edge *a, const struct edge *b, bool planned)
{
    if (planned && a->worth != b->worth)
        return a->worth > b->worth;
    if (a->proven || b->proven)
        return a->mean > b->mean;
    if (a->visits != b->visits)
        return a->visits > b->visits;
    return a->mean > b->mean;
}

static const struct edge *best_edge(const struct search *s, uint32_t index)
{
    const struct edge *best = NULL;
    bool planned = s->node[index].flags & NODE_PLANNED;
    EDGES_EACH(e, s, &s->node[index])
    if (e->visits && (!best || better(e, best, planned)))
        best = e;
    return best;
}

action search_best(const struct search *s)
{
    const struct edge *e = s->node ? best_edge(s, s->root) : NULL;
    return e ? e->action : s->chosen;
}

static void insert(const struct edge **list, int *count, int cap,
                   const struct edge *e, bool planned)
{
    int at = *count;
    for (; at > 0 && better(e, list[at - 1], planned); at--)
        if (at < cap)
            list[at] = list[at - 1];
    if (at >= cap)
        return;
    list[at] = e;
    *count += *count < cap;
}

/* A race tells how far an action is behind the best; what that one is worth in
 * points tell its visits, for a race may be about something else. */
static int value_of(const struct search *s, const struct edge *e,
                    const struct edge *best, bool planned)
{
    if (!planned || s->lap == 0)
        return value_unbend(e->mean, s->scale);
    return value_unbend(best->mean, s->scale) -
           value_unbend(best->worth, GOAL_CLEAR) +
           value_unbend(e->worth, GOAL_CLEAR);
}

int search_top(const struct search *s, struct search_choice *out, int cap)
{
    const struct edge *list[SEARCH_TOP];
    int count = 0;
    if (!s->node) {
        if (cap > 0)
            *out = (struct search_choice){s->chosen, s->best_milli, 0};
        return cap > 0;
    }
    cap = cap < SEARCH_TOP ? cap : SEARCH_TOP;
    bool planned = s->node[s->root].flags & NODE_PLANNED;
    EDGES_EACH(e, s, &s->node[s->root])
    if (e->visits && (!planned || e->worth != UNTRIED))
        insert(list, &count, cap, e, planned);
    for (int i = 0; i < count; i++)
        out[i] = (struct search_choice){list[i]->action,
                                        value_of(s, list[i], list[0], planned),
                                        (int)list[i]->visits};
    return count;
}

/* The line begins with the seat that was asked, though others may have to
 * decide as well. */
static int line_seat(struct search *s, int length, int *count)
{
    if (length > 0)
        return search_turn(s, s->state, count);
    *count = s->game->legal(s->world, s->state, s->seat, s->list);
    return s->seat;
}

/* Without a tree. */
static int line_of_one(struct search *s, struct search_step *out)
{
    *out = (struct search_step){s->seat, s->chosen};
    s->game->apply(s->world, s->state, s->seat, s->chosen);
    return 1;
}

/* Follows the best edges; s->state ends where they do. */
int search_line(struct search *s, struct search_step *out, int cap)
{
    int length = 0, count;
    uint32_t at = s->root;
    search_copy(s, s->state, s->view);
    if (!s->node)
        return cap > 0 ? line_of_one(s, out) : 0;
    while (length < cap && at) {
        const struct edge *e = best_edge(s, at);
        int seat = e ? line_seat(s, length, &count) : SEAT_NONE;
        bool legal = false;
        for (int i = 0; seat != SEAT_NONE && i < count; i++)
            legal |= s->list[i] == e->action;
        if (!legal)
            break;
        out[length++] = (struct search_step){seat, e->action};
        s->game->apply(s->world, s->state, seat, e->action);
        if (plays_out(s->game, s->bot))
            length = playout_answers(s, out, length, cap);
        at = e->node;
    }
    return length;
}

/* What estimate() says at the end of the expected line: nearer to the truth
 * than what it says now. */
bool search_values(struct search *s, int milli[GAME_SEATS])
{
    struct search_step line[PATH];
    memset(milli, 0, GAME_SEATS * sizeof *milli);
    if (!s->game->estimate)
        return false;
    search_copy(s, s->state, s->view);
    search_line(s, line, PATH);
    s->game->estimate(s->world, s->state, s->memo, milli);
    return true;
}
