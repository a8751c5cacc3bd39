/* search/uct.c: plain UCT over single actions with random play to the end,
 * the yardstick.  It knows nothing but the rules.
 *
 * Where something is hidden it is determinized: it guesses a few worlds, has a
 * tree for each as if it saw all cards, and adds up what they say at the root.
 */
#include "search/tree.h"

#include "search/value.h"

#include <string.h>

enum { EXPLORE = 700, LONGEST = 20000, WORLDS = 10 }; /* EXPLORE: thousandths */

/* 1 for the winner, shared among several. */
static void reward(const struct search *s, const struct state *now,
                   float *value)
{
    struct result r;
    int winners = 0;
    s->game->result(s->world, now, &r);
    for (int seat = 0; seat < s->seats; seat++)
        winners += r.place[seat] == 1;
    for (int seat = 0; seat < s->seats; seat++)
        value[seat] = r.place[seat] == 1 ? 1.0f / (float)winners : 0.0f;
}

static void play_out(struct search *s, float *value)
{
    int count, seat;
    for (int i = 0; i < LONGEST; i++) {
        seat = search_turn(s, s->state, &count);
        if (seat == SEAT_NONE)
            break;
        s->game->apply(s->world, s->state, seat,
                       s->list[rng_below(&s->rng, count)]);
    }
    reward(s, s->state, value);
}

static void expand(struct search *s, struct node *n)
{
    int count, seat = search_turn(s, s->state, &count);
    n->seat = (int8_t)seat;
    if (s->rests + (uint32_t)count > s->rest_cap)
        return;
    for (int i = 0; i < count; i++)
        s->rest[s->rests + (uint32_t)i] = (struct untried){s->list[i], 0};
    n->rest = s->rests;
    n->rest_count = (uint16_t)count;
    n->flags |= NODE_EXPANDED;
    s->rests += (uint32_t)count;
}

static uint32_t select_edge(struct search *s, struct node *n)
{
    if (n->rest_count > 0)
        return tree_try(s, n, rng_below(&s->rng, n->rest_count));
    float log = value_log(n->visits + 1), most = -1.0f;
    uint32_t best = NOTHING;
    EDGES_EACH(e, s, n)
    {
        float now = e->mean + (float)EXPLORE / 1000.0f *
                                  value_root(log / (float)e->visits);
        if (now > most) {
            most = now;
            best = (uint32_t)(e - s->edge);
        }
    }
    return best;
}

/* A step down; false where the tree ends. */
static bool descend(struct search *s)
{
    struct node *n = &s->node[s->path[s->depth].node];
    bool fresh = n->visits == 0 && s->depth > 0;
    if (!(n->flags & NODE_EXPANDED))
        expand(s, n);
    if (fresh || n->seat == SEAT_NONE || !(n->flags & NODE_EXPANDED) ||
        s->depth + 1 == PATH)
        return false;
    uint32_t e = select_edge(s, n);
    return e && tree_follow(s, n, e);
}

/* Goes over to another world, kept in s->spare, and to its own tree. */
static void guess_world(struct search *s)
{
    search_copy(s, s->spare, s->view);
    s->game->complete(s->world, s->spare, s->seat, &s->rng);
    EDGES_EACH(e, s, &s->node[s->root])
    e->node = NOTHING;
}

void uct_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    int each = s->wanted / WORLDS + 1;
    if (s->hidden && s->done % each == 0)
        guess_world(s);
    search_copy(s, s->state, s->hidden ? s->spare : s->view);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s))
        ;
    play_out(s, value);
    search_back_up(s, value, s->hidden);
}
