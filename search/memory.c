/* search/memory.c: the arena of a search, and its nodes and edges. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* Room for the trees of this and the last action, and for that many untried
 * actions in a node; the root keeps all of them. */
enum { KEPT = 3, RESTS = 64, UCT_RESTS = 224 };

/* Most nodes a playout adds, where a choice was forced: seldom half of it. */
enum { PLAYOUT_NODES = 4 };

/* Rows of edges grow by doubling, and leave their old place unused. */
enum { EDGES = 5, FIRST_ROOM = 2 };

/* Slots of the table that are emptied together, once one of them is used: a
 * search for millions of nodes begins as soon as a small one. */
enum { BLOCK = 1024 };

/* Beginnings of turns, and nodes for those that end. */
enum {
    RACER_BYTES = RACERS * sizeof(struct racer),
    PLAN_NODES = RACERS * TURN
};

static size_t plan_bytes(int wide)
{
    return wide ? (size_t)(2 * wide + PLANS) * sizeof(struct plan) : 0;
}

static size_t rests_of(const struct search_bot *bot)
{
    return bot->kind == SEARCH_UCT ? UCT_RESTS : RESTS;
}

static bool has_tree(const struct search_bot *bot)
{
    return bot->kind == SEARCH_TREE || bot->kind == SEARCH_UCT;
}

static size_t round_up(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

/* Bits for the blocks of a table, in whole words. */
static size_t begun_size(uint32_t slots)
{
    return (slots / BLOCK / 64 + 1) * sizeof(uint64_t);
}

static uint32_t table_size(size_t nodes)
{
    uint32_t size = 64;
    while (size < nodes + nodes / 2)
        size *= 2;
    return size;
}

/* Do whole turns race in guessed worlds? */
static bool races(const struct game *game, const struct search_bot *bot)
{
    return bot->kind == SEARCH_TREE && game->complete;
}

bool plays_out(const struct game *game, const struct search_bot *bot)
{
    return bot->kind == SEARCH_TREE && game->habit && !game->complete;
}

/* Are whole turns foreseen in the tree? */
static bool foresees(const struct game *game, const struct search_bot *bot)
{
    return bot->kind == SEARCH_TREE && bot->style.foresee &&
           !races(game, bot) && !plays_out(game, bot);
}

/* How many beginnings of a turn are carried on at most. */
static int widest(const struct game *game, const struct search_bot *bot)
{
    if (races(game, bot))
        return bot->style.wide;
    return foresees(game, bot) ? BEAM : 0;
}

static size_t memo_size(const struct game *game, const struct search_bot *bot)
{
    bool judges = bot->kind == SEARCH_TREE || bot->kind == SEARCH_GREEDY;
    return judges ? game->memo_size : 0;
}

/* What every search needs, without its tree. */
static size_t fixed_size(const struct game *game, const struct search_bot *bot)
{
    int wide = widest(game, bot);
    size_t states = 3 + 2 * (size_t)wide;
    if (bot->kind == SEARCH_GREEDY)
        states += 2 * BEAM;
    if (races(game, bot))
        states += 2;
    return round_up(sizeof(struct search)) +
           states * round_up(game->state_size) +
           round_up(memo_size(game, bot)) +
           GAME_ACTIONS * (sizeof(action) + sizeof(int)) + plan_bytes(wide) +
           (races(game, bot) ? RACER_BYTES : 0);
}

static size_t tree_size(const struct search_bot *bot, size_t nodes)
{
    if (!has_tree(bot))
        return 0;
    return round_up(nodes * sizeof(struct node)) +
           round_up(EDGES * nodes * sizeof(struct edge)) +
           round_up((nodes * rests_of(bot) + GAME_ACTIONS) *
                    sizeof(struct untried)) +
           round_up(table_size(nodes) * sizeof(uint32_t)) +
           round_up(begun_size(table_size(nodes)));
}

int search_wanted(const struct game *game, const struct search_bot *bot,
                  int nodes, int seats)
{
    if (nodes)
        return nodes;
    if (plays_out(game, bot))
        return PLAYOUT * bot->playouts;
    if (races(game, bot))
        return bot->worlds;
    return seats > 2 ? bot->crowd : bot->nodes;
}

/* Nodes that a search for so many may add to its tree. */
static size_t nodes_added(const struct game *game, const struct search_bot *bot,
                          int wanted)
{
    if (plays_out(game, bot))
        return (size_t)(wanted / PLAYOUT + 1) * PLAYOUT_NODES;
    return (size_t)wanted;
}

static size_t nodes_kept(const struct game *game, const struct search_bot *bot,
                         int nodes)
{
    if (races(game, bot))
        return PLAN_NODES + 64;
    /* Two seats: among more no search is larger. */
    size_t added = nodes_added(game, bot, search_wanted(game, bot, nodes, 2));
    return (bot->kind == SEARCH_TREE ? KEPT : 1) * added + 64;
}

size_t search_size(const struct game *game, const struct search_bot *bot,
                   int nodes)
{
    return fixed_size(game, bot) + tree_size(bot, nodes_kept(game, bot, nodes));
}

static void *carve(char **at, size_t bytes)
{
    void *piece = *at;
    *at += round_up(bytes);
    return piece;
}

/* With less memory than asked for, as many nodes as fit. */
static size_t nodes_fitting(const struct search_bot *bot, size_t bytes,
                            size_t nodes)
{
    while (nodes > 0 && tree_size(bot, nodes) > bytes)
        nodes -= nodes / 8 + 1;
    return nodes;
}

static void carve_tree(struct search *s, char **at, size_t nodes)
{
    s->node_cap = (uint32_t)nodes;
    s->edge_cap = (uint32_t)(EDGES * nodes);
    s->rest_cap = (uint32_t)(nodes * rests_of(s->bot) + GAME_ACTIONS);
    s->table_mask = table_size(nodes) - 1;
    s->node = carve(at, nodes * sizeof *s->node);
    s->edge = carve(at, s->edge_cap * sizeof *s->edge);
    s->rest = carve(at, s->rest_cap * sizeof *s->rest);
    s->table = carve(at, (s->table_mask + 1) * sizeof *s->table);
    s->begun = carve(at, begun_size(s->table_mask + 1));
}

bool tree_begin(struct search *s, void *memory, size_t bytes, int nodes)
{
    size_t fixed = fixed_size(s->game, s->bot);
    size_t cap = nodes_kept(s->game, s->bot, nodes),
           state = s->game->state_size;
    char *at = (char *)memory + round_up(sizeof *s);
    if (bytes < fixed)
        return false;
    s->view = carve(&at, state);
    s->state = carve(&at, state);
    s->spare = carve(&at, state);
    s->list = carve(&at, GAME_ACTIONS * sizeof *s->list);
    s->milli = carve(&at, GAME_ACTIONS * sizeof *s->milli);
    if (memo_size(s->game, s->bot)) {
        s->memo = carve(&at, memo_size(s->game, s->bot));
        s->game->forget(s->memo);
    }
    if (s->bot->kind == SEARCH_GREEDY)
        s->beam_state = carve(&at, 2 * BEAM * round_up(state));
    s->foresees = foresees(s->game, s->bot);
    s->wide = widest(s->game, s->bot);
    if (s->wide) {
        s->plan_state = carve(&at, 2 * (size_t)s->wide * round_up(state));
        s->plan = carve(&at, plan_bytes(s->wide));
    }
    if (races(s->game, s->bot)) {
        s->racer = carve(&at, RACER_BYTES);
        s->guess = carve(&at, state);
        s->sight = carve(&at, state);
    }
    if (!has_tree(s->bot))
        return true;
    cap = nodes_fitting(s->bot, bytes - fixed, cap);
    if (cap < 8)
        return false;
    carve_tree(s, &at, cap);
    tree_clear(s);
    return true;
}

void tree_clear(struct search *s)
{
    memset(s->begun, 0, begun_size(s->table_mask + 1));
    s->nodes = s->edges = s->rests = 1;
    s->full = false;
    s->root = NOTHING;
}

bool tree_room(const struct search *s)
{
    uint64_t added = nodes_added(s->game, s->bot, s->wanted);
    return s->nodes + added < s->node_cap &&
           s->edges + added * EDGES < s->edge_cap &&
           s->rests + added * rests_of(s->bot) < s->rest_cap;
}

static uint32_t content(const struct search *s, uint32_t slot)
{
    uint32_t block = slot / BLOCK;
    return s->begun[block / 64] >> block % 64 & 1 ? s->table[slot] : NOTHING;
}

static void put(struct search *s, uint32_t slot, uint32_t node)
{
    uint32_t block = slot / BLOCK, slots = s->table_mask + 1;
    uint64_t *bits = &s->begun[block / 64], bit = (uint64_t)1 << block % 64;
    if (!(*bits & bit))
        memset(s->table + block * BLOCK, 0,
               (slots < BLOCK ? slots : BLOCK) * sizeof *s->table);
    *bits |= bit;
    s->table[slot] = node;
}

static uint32_t slot_of(const struct search *s, uint64_t hash)
{
    uint32_t slot = (uint32_t)(hash >> 20) & s->table_mask, node;
    while ((node = content(s, slot)) != NOTHING && s->node[node].hash != hash)
        slot = (slot + 1) & s->table_mask;
    return slot;
}

uint32_t tree_find(const struct search *s, uint64_t hash)
{
    return content(s, slot_of(s, hash));
}

/* Where something is hidden or chance plays, and in plain UCT, equal hashes
 * need not mean equal futures: every edge has a node of its own. */
uint32_t tree_node(struct search *s, const struct state *now)
{
    bool shared = !s->hidden && s->bot->kind == SEARCH_TREE;
    uint64_t hash = shared ? s->game->hash(s->world, now) : 0;
    uint32_t slot = 0;
    if (shared) {
        slot = slot_of(s, hash);
        uint32_t known = content(s, slot);
        if (known != NOTHING)
            return known;
    }
    if (s->nodes == s->node_cap) {
        s->full = true;
        return NOTHING;
    }
    uint32_t index = s->nodes++;
    s->node[index] = (struct node){.hash = hash, .seat = SEAT_NONE};
    if (shared)
        put(s, slot, index);
    return index;
}

bool tree_follow(struct search *s, const struct node *n, uint32_t e)
{
    struct edge *edge = &s->edge[e];
    s->game->apply(s->world, s->state, n->seat, edge->action);
    if (!edge->node)
        edge->node = tree_node(s, s->state);
    if (!edge->node)
        return false;
    s->path[++s->depth] = (struct passed){edge->node, e};
    return true;
}

/* The untried action that looks best goes to the front. */
static void front_best(struct search *s, struct node *n)
{
    struct untried *rest = s->rest + n->rest;
    int best = 0;
    for (int i = 1; i < n->rest_count; i++)
        if (rest[i].milli > rest[best].milli)
            best = i;
    struct untried swap = rest[0];
    rest[0] = rest[best];
    rest[best] = swap;
    n->front = value_bend(rest[0].milli, s->scale);
}

static bool make_room(struct search *s, struct node *n)
{
    uint32_t room = n->edge_room ? 2u * n->edge_room : FIRST_ROOM;
    if (s->edges + room > s->edge_cap) {
        s->full = true;
        return false;
    }
    memcpy(s->edge + s->edges, s->edge + n->edges,
           n->edge_count * sizeof *s->edge);
    n->edges = s->edges;
    n->edge_room = (uint16_t)room;
    s->edges += room;
    return true;
}

uint32_t tree_edge(struct search *s, struct node *n, action a, float prior)
{
    if (n->edge_count == n->edge_room && !make_room(s, n))
        return NOTHING;
    uint32_t e = n->edges + n->edge_count++;
    s->edge[e] = (struct edge){.action = a,
                               .prior = prior,
                               .best = prior,
                               .worth = prior,
                               .spread = 1.0f};
    return e;
}

struct edge *tree_edge_of(const struct search *s, const struct node *n,
                          action a)
{
    EDGES_EACH(e, s, n)
    if (e->action == a)
        return e;
    return NULL;
}

uint32_t tree_try(struct search *s, struct node *n, int index)
{
    struct untried *rest = s->rest + n->rest, tried = rest[index];
    check(n->rest_count > 0);
    uint32_t e =
        tree_edge(s, n, tried.action, value_bend(tried.milli, s->scale));
    if (e == NOTHING)
        return NOTHING;
    rest[index] = rest[--n->rest_count];
    if (s->bot->kind == SEARCH_TREE && n->rest_count > 0)
        front_best(s, n);
    return e;
}
