/* search/hidden.c: the real bot where something is hidden.
 *
 * One tree serves all worlds that fit the view: every visit guesses the hidden
 * parts anew, follows actions that are legal in that world, and adds what it
 * found to the node of that line of actions.  A node thus stands for all that
 * its seat cannot tell apart, and no guess is ever decided on.  The lines are
 * whole turns of the seat (plan.c); at their end the others answer as they
 * would at first sight. */
#include "search/tree.h"

#include "base/check.h"
#include "search/value.h"

#include <string.h>

/* What is so many thousandths of a point worse is tried e times less often;
 * and the most actions a new node is played on. */
enum { SPREAD = 500, LONGEST = 400 };

/* ---- first sight ---- */

/* The bot's error about something: the same whenever it is asked. */
static int noise(const struct search *s, uint64_t what)
{
    uint64_t x = rng_mix(what ^ s->seed * 0x9e3779b97f4a7c15u);
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

void search_rank(struct search *s, const struct state *now, int count)
{
    rank(s, now, s->seat, count);
    if (s->bot->noise == 0)
        return;
    uint64_t here = s->game->hash(s->world, now);
    for (int i = 0; i < count; i++)
        s->milli[i] += noise(s, here ^ s->list[i]);
}

/* Nearly exp(-gap / SPREAD). */
float search_weight(int gap)
{
    float x = (float)gap / (float)SPREAD;
    return 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * 0.1666667f)));
}

/* ---- select: the action to follow in this world ---- */

static bool listed(const struct search *s, int count, action a)
{
    for (int i = 0; i < count; i++)
        if (s->list[i] == a)
            return true;
    return false;
}

/* Among the planned turns that this world allows. */
static uint32_t select_edge(struct search *s, const struct node *n)
{
    int count, seat = search_turn(s, s->state, &count);
    float sum = 0, most = -9.0f;
    uint32_t best = NOTHING;
    if (seat == SEAT_NONE || seat != n->seat)
        return NOTHING;
    EDGES_EACH(e, s, n)
    if (listed(s, count, e->action))
        sum += e->prior;
    float mean = n->visits ? n->sum[seat] / (float)n->visits : 0.0f;
    float pull = (float)s->bot->style.explore / 1000.0f *
                 value_root((float)n->visits + 1.0f) / (sum + 1e-6f);
    EDGES_EACH(e, s, n)
    {
        if (!listed(s, count, e->action))
            continue;
        float worth = (e->visits ? e->mean : mean) +
                      pull * e->prior / (1.0f + (float)e->visits);
        if (worth > most) {
            most = worth;
            best = (uint32_t)(e - s->edge);
        }
    }
    return best;
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

/* About the turn that was followed. */
static int error(const struct search *s)
{
    return s->bot->noise ? noise(s, s->mood + s->path[s->depth].node) : 0;
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
    milli[s->seat] += error(s);
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
    milli[s->seat] += error(s);
    search_judge(s, milli, value);
    for (int seat = 0; seat < s->seats; seat++)
        value[seat] += r.place[seat] == 1 ? share : 0.0f;
}

/* Ends the turn and plays on for so many rounds: positions in the middle of a
 * turn cannot be compared with those at its end, nor before the others have
 * answered. */
static void play_on(struct search *s, bool ended, float *value)
{
    int count, seat = search_turn(s, s->state, &count);
    int turns = ended ? 1 : 0;
    for (int i = 0; seat != SEAT_NONE && i < LONGEST; i++) {
        if (turns >= 1 + s->bot->style.ahead * (s->seats - 1))
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
    const struct node *n = &s->node[s->path[s->depth].node];
    uint32_t e = n->flags & NODE_PLANNED && s->depth + 1 < PATH
                     ? select_edge(s, n)
                     : NOTHING;
    return e && tree_follow(s, n, e);
}

/* Every so many visits, and in so many worlds, whole turns are planned. */
enum { PLAN_EVERY = 40, PLAN_WORLDS = 8 };

static bool turn_ended(const struct search *s)
{
    unsigned must, may;
    s->game->turn(s->world, s->state, &must, &may);
    return !((must ? must : may) >> s->seat & 1);
}

void hidden_simulate(struct search *s)
{
    float value[GAME_SEATS] = {0};
    search_copy(s, s->state, s->view);
    s->game->complete(s->world, s->state, s->seat, &s->rng);
    if (s->done % PLAN_EVERY == 0 && s->done < PLAN_EVERY * PLAN_WORLDS)
        plan_turn(s);
    if (s->game->estimate)
        s->game->estimate(s->world, s->state, s->base);
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    while (descend(s))
        ;
    play_on(s, turn_ended(s), value);
    search_back_up(s, value, false);
}

/* ---- the same turn goes on ---- */

static bool has_visits(const struct search *s, const struct node *n)
{
    EDGES_EACH(e, s, n)
    if (e->visits)
        return true;
    return false;
}

/* A turn whose last action revealed nothing goes on as it was planned. */
bool hidden_follow(struct search *s, const struct state *view)
{
    if (!s->node || !s->root)
        return false;
    EDGES_EACH(e, s, &s->node[s->root])
    {
        const struct node *n = &s->node[e->node];
        if (!e->visits || !(n->flags & NODE_PLANNED) || !has_visits(s, n))
            continue;
        search_copy(s, s->state, s->view);
        s->game->apply(s->world, s->state, s->seat, e->action);
        if (memcmp(s->state, view, s->game->state_size) != 0)
            continue;
        s->root = e->node;
        return true;
    }
    return false;
}
