/* search/help.c: a second thread that looks at positions in advance.
 *
 * Most of a visit's time is first sight, all actions of one new position valued
 * by the game, and much of the rest are whole turns that are foreseen.  Where a
 * visit ended it asks for what will be tried next beside it, and for a turn
 * before it is due; the helper answers while the search is elsewhere.
 * An answer that is not there yet is not waited for, so what a search finds
 * never depends on its helper, only how soon.  For that an answer must be about
 * the very state, not about one of the same hash: the order of actions on the
 * way to a position may change the order in which its own are listed.
 *
 * Questions are numbered and lie in a ring.  Those asked and not yet answered
 * belong to the helper, all others to the search. */
#include "search/tree.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

/* Questions kept with their answers; first sights asked for ahead at most, and
 * turns; actions of a question and of an answer. */
enum { RING = 4096, AHEAD = 16, TURNS = 256, STEPS = 32, KEPT = 64 };
_Static_assert(AHEAD + TURNS < RING, "no question is overwritten unanswered");

/* tree_see() keeps at most 8 and a sixth of all actions; and what processors
 * exchange at once. */
enum { ROOM = 6 * (KEPT - 8), LINE = 64 };

struct question {
    struct search_step line[STEPS]; /* what leads there from the root */
    int length;
    struct turn *turn; /* NULL: first sight is asked for */
    uint64_t state;    /* a hash of every byte; this begins the answer */
    struct sight sight;
    struct untried rest[KEPT];
};

/* The turn that begins at a node. */
struct turn {
    uint32_t node, question;
    int seat;
    int64_t judged; /* positions, while it was planned */
    bool found;
    struct plan plan;
};

struct search_help {
    /* While a search runs each is changed by one thread alone, so they lie in
     * lines of their own. */
    _Atomic uint32_t asked; /* by the search */
    char apart[LINE];
    _Atomic uint32_t answered; /* by the helper */
    char apart_too[LINE];
    uint32_t known; /* what the search has seen of it */
    uint32_t first; /* of those since the root changed */
    struct question *question;
    struct turn *turn;
    struct plan foreseen; /* the last one that was told */
    int64_t used;
    struct search own; /* the helper's lists and states */
};

/* ---- beginning ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + LINE - 1) & ~(size_t)(LINE - 1);
}

/* Two of its own, and those of a turn's beginnings. */
static size_t states_size(const struct game *game)
{
    return (2 + 2 * BEAM) * aligned(game->state_size);
}

static size_t lists_size(void)
{
    return aligned(GAME_ACTIONS * (sizeof(action) + sizeof(int))) +
           aligned((2 * BEAM + PLANS) * sizeof(struct plan)) +
           aligned(RING * sizeof(struct question)) +
           aligned(TURNS * sizeof(struct turn));
}

size_t search_help_size(const struct game *game)
{
    return aligned(sizeof(struct search_help)) + states_size(game) +
           lists_size();
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
    struct search_help *h = carve(&at, sizeof *h);
    struct search *own = &h->own;
    memset(h, 0, sizeof *h);
    *own = *s;
    own->state = carve(&at, s->game->state_size);
    own->spare = carve(&at, s->game->state_size);
    own->plan_state = carve(&at, 2 * BEAM * aligned(s->game->state_size));
    own->list = carve(&at, GAME_ACTIONS * (sizeof(action) + sizeof(int)));
    own->milli = (int *)(own->list + GAME_ACTIONS);
    own->plan = carve(&at, (2 * BEAM + PLANS) * sizeof *own->plan);
    h->question = carve(&at, RING * sizeof *h->question);
    h->turn = carve(&at, TURNS * sizeof *h->turn);
    memset(h->turn, 0, TURNS * sizeof *h->turn);
    h->first = h->known = 1; /* number 0 is none */
    atomic_init(&h->asked, h->known);
    atomic_init(&h->answered, h->known);
    s->help = h;
    return h;
}

static struct question *question_of(const struct search_help *h,
                                    uint32_t number)
{
    return &h->question[number % RING];
}

/* ---- the helper ---- */

/* Of every byte, in four chains side by side. */
static uint64_t hash_all(const struct search *s)
{
    const char *at = (const char *)s->state;
    size_t size = s->game->state_size, whole = size / 32 * 32;
    uint64_t chain[4] = {1, 2, 3, 4}, word;
    for (size_t i = 0; i < whole; i += 32)
        for (size_t k = 0; k < 4; k++) {
            memcpy(&word, at + i + 8 * k, 8);
            chain[k] = hash_word(chain[k], word);
        }
    uint64_t rest = hash_bytes(0, at + whole, size - whole);
    return hash_bytes(rest, chain, sizeof chain);
}

static void answer(struct search *own, struct question *q)
{
    const struct game *game = own->game;
    search_copy(own, own->state, own->view);
    for (int i = 0; i < q->length; i++)
        game->apply(own->world, own->state, q->line[i].seat, q->line[i].action);
    q->state = hash_all(own);
    if (q->turn) {
        int64_t before = own->judged;
        const struct plan *p = plan_answer(own, q->turn->seat, BEAM);
        q->turn->judged = own->judged - before;
        q->turn->found = p != NULL;
        if (p)
            q->turn->plan = *p;
    } else {
        tree_see(own, own->state, game->hash(own->world, own->state), false,
                 ROOM, q->rest, &q->sight);
    }
}

bool search_help(struct search_help *h)
{
    uint32_t number = atomic_load_explicit(&h->answered, memory_order_relaxed);
    if (number == atomic_load_explicit(&h->asked, memory_order_acquire))
        return false;
    answer(&h->own, question_of(h, number));
    atomic_store_explicit(&h->answered, number + 1, memory_order_release);
    return true;
}

int64_t search_helped(const struct search_help *h)
{
    return h->used;
}

/* ---- the search: asking ---- */

static uint32_t next_number(const struct search_help *h)
{
    return atomic_load_explicit(&h->asked, memory_order_relaxed);
}

/* Looks at the helper's number only if it must: that is another core's. */
static bool is_answered(struct search_help *h, uint32_t number)
{
    if ((int32_t)(h->known - number) <= 0)
        h->known = atomic_load_explicit(&h->answered, memory_order_acquire);
    return (int32_t)(h->known - number) > 0;
}

static bool is_busy(struct search_help *h)
{
    uint32_t number = next_number(h);
    return number > AHEAD && !is_answered(h, number - AHEAD);
}

static bool is_kept(const struct search_help *h, uint32_t number)
{
    uint32_t next = next_number(h);
    return number - h->first < next - h->first && next - number < RING;
}

static void send(struct search_help *h)
{
    atomic_store_explicit(&h->asked, next_number(h) + 1, memory_order_release);
}

/* The actions from the root to the position at `depth` of the visit. */
static void way_to(const struct search *s, int depth, struct question *q)
{
    for (int i = 0; i < depth; i++)
        q->line[i] = (struct search_step){s->node[s->path[i].node].seat,
                                          s->edge[s->path[i + 1].edge].action};
    q->length = depth;
}

/* Has the same been asked about a node already? */
static bool was_asked(const struct search_help *h, const struct node *n,
                      action a)
{
    if (!is_kept(h, n->question))
        return false;
    const struct question *last = question_of(h, n->question);
    return last->line[last->length - 1].action == a;
}

/* How does what is tried next at the position at `depth` look? */
static void ask_next(struct search *s, int depth)
{
    struct search_help *h = s->help;
    struct node *n = &s->node[s->path[depth].node];
    uint32_t number = next_number(h);
    struct question *q = question_of(h, number);
    if (n->rest_count == 0)
        return;
    action a = s->rest[n->rest].action;
    if (was_asked(h, n, a) || is_busy(h))
        return;
    way_to(s, depth, q);
    q->line[q->length++] = (struct search_step){n->seat, a};
    q->turn = NULL;
    n->question = number;
    send(h);
}

void help_ask(struct search *s)
{
    if (s->depth > 0 && s->depth <= STEPS)
        ask_next(s, s->depth - 1);
}

static struct turn *turn_of(const struct search *s, uint32_t node)
{
    return &s->help->turn[node % TURNS];
}

void help_ask_turn(struct search *s)
{
    struct search_help *h = s->help;
    uint32_t node = s->path[s->depth].node, number = next_number(h);
    struct turn *t = turn_of(s, node);
    struct question *q = question_of(h, number);
    bool pending = t->node && !is_answered(h, t->question);
    if (t->node == node || pending || s->depth > STEPS)
        return;
    way_to(s, s->depth, q);
    *t = (struct turn){
        .node = node, .question = number, .seat = s->node[node].seat};
    q->turn = t;
    send(h);
}

/* ---- the search: answers ---- */

const struct sight *help_sight(struct search *s, const struct untried **rest)
{
    struct search_help *h = s->help;
    uint32_t number = s->node[s->path[s->depth - 1].node].question;
    const struct question *q = question_of(h, number);
    if (!is_kept(h, number) || !is_answered(h, number) ||
        q->state != hash_all(s))
        return NULL;
    if (q->sight.kept == 0 && q->sight.seat != SEAT_NONE)
        return NULL; /* more actions than there is room for */
    h->used++;
    *rest = q->rest;
    return &q->sight;
}

bool help_turn(struct search *s, const struct plan **out)
{
    struct search_help *h = s->help;
    uint32_t node = s->path[s->depth].node;
    const struct turn *t = turn_of(s, node);
    if (t->node != node || !is_kept(h, t->question) ||
        !is_answered(h, t->question) ||
        question_of(h, t->question)->state != hash_all(s))
        return false;
    h->used++;
    s->judged += t->judged;
    h->foreseen = t->plan;
    *out = t->found ? &h->foreseen : NULL;
    return true;
}

void help_forget(struct search *s)
{
    struct search_help *h = s->help;
    h->first = h->known = next_number(h);
    atomic_store_explicit(&h->answered, h->known, memory_order_relaxed);
    memset(h->turn, 0, TURNS * sizeof *h->turn);
}
