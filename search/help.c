/* search/help.c: a second thread that looks at positions.
 *
 * Most of a visit's time is first sight: all actions of one new position valued
 * by the game.  So with help a visit ends in two steps.  It goes down the tree
 * and leaves the new position there to be looked at; only when LAG visits wait
 * the oldest of them is carried back up.  Meanwhile the edge to that position
 * is not chosen again, and the edges above it count the visits that wait.  A
 * whole turn that will soon be due is left to be planned in the same way.
 *
 * What is left is looked at by whoever comes to it first, the helper or the
 * search itself, and says the same from both.  So what a search finds depends
 * neither on how fast its helper is, nor on whether there is one at work at
 * all.  A helper that is late, because its processor does something else, is
 * not waited for. */
#include "search/tree.h"

#include "base/check.h"

#include <stdatomic.h>
#include <string.h>

/* Visits that wait, as many as edges can count; turns that are kept; and
 * actions of what is seen. */
enum { LAG = 6, TURNS = 32, KEPT = 64 };
_Static_assert(LAG <= (int)EDGE_PENDING, "edges count them");

/* How often the search asks whether the helper is done with what it needs next
 * before it looks itself: some microseconds, and more for a turn. */
enum { PATIENCE = 4000, TURN_PATIENCE = 40000 };

/* tree_see() keeps at most 8 and a sixth of all actions; and what processors
 * exchange at once. */
enum { ROOM = 6 * (KEPT - 8), LINE = 64 };

/* Who puts TAKEN in the place of ASKED looks at the position. */
enum stage { FREE, ASKED, TAKEN, SEEN };

/* First sight of a position, or the best turn that begins there. */
struct answer {
    struct sight sight;
    struct untried rest[KEPT];
    bool found;
    struct plan plan;
    int64_t judged;
};

/* Two processors write `stage`, so nothing else lies beside it. */
struct question {
    _Atomic int stage;
    char apart[LINE];
    bool asked; /* known to the search alone: not free */
    int turn;   /* of that seat; SEAT_NONE: first sight is asked for */
    uint64_t hash;
    struct state *state;
    struct answer answer;
    char apart_too[LINE];
};

struct visit {
    struct question *question;
    int depth;
    struct passed path[PATH]; /* edges by their place in the row */
};

/* The turn that begins at a node. */
struct turn {
    uint32_t node; /* NOTHING: none */
    struct question *question;
};

struct search_help {
    /* One more than are ever asked: the helper may be late with one. */
    struct question sight[LAG + 1], plan[TURNS + 1];
    struct visit visit[LAG]; /* by number */
    uint32_t begun, ended;   /* visits; those between wait */
    struct turn turn[TURNS]; /* by node */
    struct answer late;      /* what the helper was late with */
    struct plan foreseen;    /* the last one that was told */
    int64_t looked;
    struct search own; /* the helper's lists and states */
};

/* ---- beginning ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + LINE - 1) & ~(size_t)(LINE - 1);
}

/* Those of all questions, one to try actions on, and the beginnings of a
 * turn. */
static size_t states_size(const struct game *game)
{
    return (LAG + TURNS + 2 + 1 + 2 * BEAM) * aligned(game->state_size);
}

static size_t lists_size(const struct game *game)
{
    return aligned(GAME_ACTIONS * (sizeof(action) + sizeof(int))) +
           aligned((2 * BEAM + PLANS) * sizeof(struct plan)) +
           aligned(game->memo_size);
}

size_t search_help_size(const struct game *game)
{
    return aligned(sizeof(struct search_help)) + states_size(game) +
           lists_size(game);
}

static void *carve(char **at, size_t bytes)
{
    void *piece = *at;
    *at += aligned(bytes);
    return piece;
}

struct search_help *search_help_open(void *memory, struct search *s)
{
    if (s->hidden || s->game->habit || s->bot->kind != SEARCH_TREE)
        return NULL;
    char *at = memory;
    size_t state = s->game->state_size;
    struct search_help *h = carve(&at, sizeof *h);
    struct search *own = &h->own;
    memset(h, 0, sizeof *h);
    *own = *s;
    own->spare = carve(&at, state);
    own->plan_state = carve(&at, 2 * BEAM * aligned(state));
    own->list = carve(&at, GAME_ACTIONS * (sizeof(action) + sizeof(int)));
    own->milli = (int *)(own->list + GAME_ACTIONS);
    own->plan = carve(&at, (2 * BEAM + PLANS) * sizeof *own->plan);
    own->memo = s->memo ? carve(&at, s->game->memo_size) : NULL;
    if (own->memo)
        s->game->forget(own->memo);
    for (int i = 0; i <= LAG; i++)
        h->sight[i].state = carve(&at, state);
    for (int i = 0; i <= TURNS; i++)
        h->plan[i].state = carve(&at, state);
    s->help = h;
    return h;
}

/* ---- questions ---- */

static int stage_of(const struct question *q)
{
    return atomic_load_explicit(&q->stage, memory_order_acquire);
}

static void answer_turn(struct search *by, const struct question *q,
                        struct answer *out)
{
    struct state *before = by->state;
    int64_t judged = by->judged;
    by->state = q->state;
    const struct plan *p = plan_answer(by, q->turn, BEAM);
    by->state = before;
    out->judged = by->judged - judged;
    by->judged = judged; /* counted when it is told */
    out->found = p != NULL;
    if (p)
        out->plan = *p;
}

static void answer(struct search *by, const struct question *q,
                   struct answer *out)
{
    if (q->turn == SEAT_NONE)
        tree_see(by, q->state, q->hash, false, ROOM, out->rest, &out->sight);
    else
        answer_turn(by, q, out);
}

/* What another processor wrote is far away: all of it is fetched at once. */
static void fetch(const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch((const char *)from + i);
}

static bool look(struct search *by, struct question *q)
{
    int asked = ASKED;
    if (stage_of(q) != ASKED ||
        !atomic_compare_exchange_strong(&q->stage, &asked, TAKEN))
        return false;
    fetch(q->state, by->game->state_size);
    answer(by, q, &q->answer);
    atomic_store_explicit(&q->stage, SEEN, memory_order_release);
    return true;
}

/* What the search waits for comes first. */
bool search_help(struct search_help *h)
{
    bool found = false;
    for (int i = 0; i <= LAG && !found; i++)
        found = look(&h->own, &h->sight[i]);
    for (int i = 0; i <= TURNS && !found; i++)
        found = look(&h->own, &h->plan[i]);
    h->looked += found;
    return found;
}

int64_t search_helped(const struct search_help *h)
{
    return h->looked;
}

/* One that is not asked and that no late helper looks at. */
static struct question *free_question(struct question *q)
{
    while (q->asked || stage_of(q) == TAKEN)
        q++;
    return q;
}

static void ask(struct question *q)
{
    q->asked = true;
    atomic_store_explicit(&q->stage, ASKED, memory_order_release);
}

/* It may be asked anew, unless the helper has just taken it. */
static void drop(struct question *q)
{
    int asked = ASKED;
    if (stage_of(q) == ASKED)
        atomic_compare_exchange_strong(&q->stage, &asked, FREE);
    q->asked = false;
}

static void look_at_any(struct search *s)
{
    struct search_help *h = s->help;
    for (uint32_t i = h->ended; i != h->begun; i++)
        if (look(s, h->visit[i % LAG].question))
            return;
}

static struct answer *await(struct search *s, struct question *q, int patience)
{
    for (; stage_of(q) != SEEN; patience--) {
        if (patience == 0) {
            answer(s, q, &s->help->late);
            return &s->help->late;
        }
        if (!look(s, q))
            look_at_any(s);
    }
    return &q->answer;
}

/* ---- whole turns ---- */

void help_ask_turn(struct search *s)
{
    struct search_help *h = s->help;
    uint32_t node = s->path[s->depth].node;
    struct turn *t = &h->turn[node % TURNS];
    if (t->node == node)
        return;
    if (t->node)
        drop(t->question);
    struct question *q = free_question(h->plan);
    *t = (struct turn){node, q};
    q->turn = s->node[node].seat;
    search_copy(s, q->state, s->state);
    ask(q);
}

bool help_turn(struct search *s, const struct plan **out)
{
    struct search_help *h = s->help;
    uint32_t node = s->path[s->depth].node;
    struct turn *t = &h->turn[node % TURNS];
    if (t->node != node)
        return false;
    const struct answer *a = await(s, t->question, TURN_PATIENCE);
    s->judged += a->judged;
    h->foreseen = a->plan;
    *out = a->found ? &h->foreseen : NULL;
    drop(t->question);
    t->node = NOTHING;
    return true;
}

/* ---- visits ---- */

/* Rows move when they grow, so edges are kept by their place in the row. */
static void place_edges(const struct search *s, struct visit *v, bool absolute)
{
    for (int i = 1; i <= v->depth; i++) {
        uint32_t row = s->node[v->path[i - 1].node].edges;
        v->path[i].edge += absolute ? row : -row;
    }
}

static void pend(struct search *s, const struct visit *v, int more)
{
    for (int i = 1; i <= v->depth; i++)
        tree_pend(&s->edge[v->path[i].edge], more);
}

/* With more actions than there is room for it is seen once more. */
static void expand(struct search *s, const struct visit *v, struct answer *a)
{
    struct untried *rest = a->rest;
    if (a->sight.kept == 0 && a->sight.seat != SEAT_NONE) {
        rest = s->rest + s->rests;
        tree_see(s, v->question->state, v->question->hash, false,
                 s->rest_cap - s->rests, rest, &a->sight);
    }
    tree_expand(s, &s->node[v->path[v->depth].node], &a->sight, rest);
}

/* There is a visit to come before it is read. */
static void fetch_oldest(const struct search_help *h)
{
    const struct question *q = h->visit[h->ended % LAG].question;
    if (h->begun != h->ended && stage_of(q) == SEEN)
        fetch(&q->answer, sizeof q->answer.sight + sizeof q->answer.rest / 2);
}

static void end_oldest(struct search *s)
{
    struct search_help *h = s->help;
    struct visit *v = &h->visit[h->ended % LAG];
    struct answer *a = await(s, v->question, PATIENCE);
    h->ended++;
    s->node[v->path[v->depth].node].flags &= (uint8_t)~NODE_ASKED;
    expand(s, v, a);
    place_edges(s, v, true);
    pend(s, v, -1);
    tree_back_up(s, v->path, v->depth, a->sight.value);
    drop(v->question);
    fetch_oldest(h);
}

void help_settle(struct search *s, uint32_t node)
{
    struct search_help *h = s->help;
    while (h->begun != h->ended &&
           (node == NOTHING || s->node[node].flags & NODE_ASKED))
        end_oldest(s);
}

void help_forget(struct search *s)
{
    struct search_help *h = s->help;
    help_settle(s, NOTHING);
    for (struct turn *t = h->turn; t < h->turn + TURNS; t++) {
        if (t->node)
            drop(t->question);
        t->node = NOTHING;
    }
}

/* The visit that has come to a new position waits there. */
static void leave(struct search *s)
{
    struct visit *v = &s->help->visit[s->help->begun++ % LAG];
    struct question *q = free_question(s->help->sight);
    v->question = q;
    v->depth = s->depth;
    memcpy(v->path, s->path, (size_t)(s->depth + 1) * sizeof *v->path);
    pend(s, v, 1);
    s->edge[v->path[v->depth].edge].worth = UNTRIED;
    place_edges(s, v, false);
    q->turn = SEAT_NONE;
    q->hash = s->node[s->path[s->depth].node].hash;
    search_copy(s, q->state, s->state);
    ask(q);
}

void help_simulate(struct search *s)
{
    struct search_help *h = s->help;
    float value[GAME_SEATS] = {0};
    if (h->begun - h->ended == LAG)
        end_oldest(s);
    tree_visit(s);
    while (tree_descend(s, value))
        ;
    if (s->node[s->path[s->depth].node].flags & NODE_ASKED)
        leave(s);
    else
        tree_back_up(s, s->path, s->depth, value);
}
