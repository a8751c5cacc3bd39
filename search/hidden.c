/* search/hidden.c: the real bot where something is hidden.
 *
 * Whole turns (plan.c) race against each other: each is carried out in the same
 * guessed worlds, all seats play on for a few rounds as they would at first
 * sight, and the better half goes on into the next round of the race with more
 * worlds.  A turn is judged by all worlds together, so no guess is ever decided
 * on; and because all turns meet the same worlds, lucky cards are no merit of
 * any. */
#include "search/tree.h"

#include "search/value.h"

#include <limits.h>
#include <string.h>

/* What is so many thousandths of a point worse is tried e times less often;
 * and the most actions a turn is played on. */
enum { SPREAD = 500, LONGEST = 4000 };

/* For so many visits whole turns are planned in one more world, in so many at
 * most; and so many visits of each turn at least, else fewer race. */
enum { PLAN_EVERY = 40, PLAN_WORLDS = 4, RACE_LEAST = 4 };

/* A guessed world is the likely one of so many. */
enum { GUESSES = 32 };

/* A search that wants so many times the visits of its bot will be stopped when
 * time is up: it races again and again, each time with twice the visits. */
enum { OPEN_ENDED = 8 };

/* How much the best rival counts instead of all, and how much winning counts
 * in a finished game; both in thousandths. */
enum { GOAL_BEST = 300, GOAL_WON = 500 };

/* ---- first sight ---- */

/* The bot's error about something: the same whenever it is asked. */
static int noise(const struct search *s, uint64_t what)
{
    uint64_t x = rng_mix(what ^ s->seed * 0x9e3779b97f4a7c15u);
    int one = (int)(x & 0xffff), two = (int)(x >> 16 & 0xffff);
    return (int)((int64_t)s->bot->blur * (one - two) / 0x10000);
}

void search_rank(struct search *s, const struct state *now, int seat, int count,
                 bool errs)
{
    if (s->game->rank)
        s->game->rank(s->world, now, s->memo, seat, s->list, count, s->milli);
    else
        memset(s->milli, 0, (size_t)count * sizeof *s->milli);
    s->judged += count;
    if (!errs || s->bot->blur == 0)
        return;
    uint64_t here = s->game->hash(s->world, now);
    for (int i = 0; i < count; i++)
        s->milli[i] += noise(s, here ^ s->list[i]);
}

float search_weight(int gap)
{
    return value_fall((float)gap / (float)SPREAD);
}

/* The action of s->list that looks best. */
static action first_sight(struct search *s, int seat, int count)
{
    int best = 0;
    if (count > 1)
        search_rank(s, s->state, seat, count, false);
    for (int i = 1; i < count; i++)
        if (s->milli[i] > s->milli[best])
            best = i;
    return s->list[best];
}

/* ---- how things stand ---- */

/* What has been seen of a game played on: sums over several looks. */
struct outcome {
    float goal;              /* what the race is about */
    float value[GAME_SEATS]; /* what the tree tells */
    int looks;
};

/* Points ahead of the best rival count beside those ahead of the mean. */
static int ahead_of_best(const struct search *s, const int *milli)
{
    int best = INT_MIN;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != s->seat && milli[seat] > best)
            best = milli[seat];
    int lead = search_lead(s, milli, s->seat);
    int more = milli[s->seat] - best - lead;
    return lead + (int)((int64_t)more * GOAL_BEST / 1000);
}

static float won(const struct search *s, const struct result *r)
{
    int winners = 0;
    for (int seat = 0; seat < s->seats; seat++)
        winners += r->place[seat] == 1;
    return r->place[s->seat] == 1 ? 2.0f / (float)winners - 1.0f : -1.0f;
}

/* About the turn that was followed. */
static int error(const struct search *s)
{
    return s->bot->blur ? noise(s, s->mood + s->path[s->depth].node) : 0;
}

static void look(struct search *s, bool over, int looks, struct outcome *o)
{
    int milli[GAME_SEATS] = {0};
    float value[GAME_SEATS], share = (float)GOAL_WON / 1000.0f;
    struct result r;
    if (over) {
        s->game->result(s->world, s->state, &r);
        for (int seat = 0; seat < s->seats; seat++)
            milli[seat] = 1000 * r.points[seat];
    } else {
        s->game->estimate(s->world, s->state, s->memo, milli);
    }
    milli[s->seat] += error(s);
    search_judge(s, milli, value);
    bool wins = !over && s->bot->style.wins && s->game->prospect;
    int lead = wins ? s->game->prospect(s->world, s->state, s->seat) + error(s)
                    : ahead_of_best(s, milli);
    float goal = value_bend(lead, GOAL_CLEAR);
    if (over)
        goal += share * (won(s, &r) - goal);
    o->goal += (float)looks * goal;
    for (int seat = 0; seat < s->seats; seat++)
        o->value[seat] += (float)looks * value[seat];
    o->looks += looks;
}

/* ---- play on ---- */

static bool turn_ended(const struct search *s)
{
    unsigned must, may;
    s->game->turn(s->world, s->state, &must, &may);
    return !((must ? must : may) >> s->seat & 1);
}

static bool is_legal(struct search *s, int seat, action a)
{
    int count = s->game->legal(s->world, s->state, seat, s->list);
    for (int i = 0; i < count; i++)
        if (s->list[i] == a)
            return true;
    return false;
}

/* A whole turn if the bot foresees such, as far as what the seat did not see
 * allows it; else one action.  Returns how many actions. */
static int answer(struct search *s, int seat, int count)
{
    const struct plan *p = NULL;
    if (count > 1 && s->bot->style.beam > 1)
        p = plan_answer(s, seat, s->bot->style.beam);
    if (!p) {
        count = s->game->legal(s->world, s->state, seat, s->list);
        s->game->apply(s->world, s->state, seat, first_sight(s, seat, count));
        return 1;
    }
    int played = 0;
    do
        s->game->apply(s->world, s->state, seat, p->line[played++]);
    while (played < p->length && is_legal(s, seat, p->line[played]));
    return played;
}

/* Ends the turn and plays on for so many rounds: positions in the middle of a
 * turn cannot be compared with those at its end, nor before the others have
 * answered.  It is looked at the end of every round, because the first looks
 * are surer and the later ones see more; a game that is over counts for all
 * that would have followed.  A turn of a single action makes no round. */
static void play_on(struct search *s, struct outcome *o)
{
    int rounds = s->game->estimate ? s->bot->style.ahead : INT_MAX;
    int count, seat = search_turn(s, s->state, &count), actions = 2;
    for (int i = 0; seat != SEAT_NONE && i < LONGEST; i++) {
        if (rounds == 0 && seat != s->seat)
            break;
        int played = answer(s, seat, count);
        int next = search_turn(s, s->state, &count);
        actions += seat == s->seat ? played : 0;
        bool round = seat != s->seat && next == s->seat && actions > 1;
        if (round && s->game->estimate) {
            actions = 0;
            look(s, false, 1, o);
            if (o->looks == rounds)
                return;
        }
        seat = next;
    }
    bool over = seat == SEAT_NONE || !s->game->estimate;
    look(s, over, rounds == 0 || rounds == INT_MAX ? 1 : rounds - o->looks, o);
}

/* ---- one visit ---- */

static void guess(struct search *s, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    search_copy(s, s->guess, s->view);
    s->game->complete(s->world, s->guess, s->seat, &r);
}

/* One of several guesses, by how well each fits what the others did. */
static uint64_t likely(struct search *s, uint64_t seed)
{
    int fits[GUESSES], best = INT_MIN, i;
    float weight[GUESSES], sum = 0.0f;
    for (i = 0; i < GUESSES; i++) {
        guess(s, seed + (uint64_t)i);
        fits[i] = s->game->belief(s->world, s->guess, s->seat);
        best = fits[i] > best ? fits[i] : best;
    }
    for (i = 0; i < GUESSES; i++)
        sum += weight[i] = value_fall((float)(best - fits[i]) / 1000.0f);
    float at = (float)(rng_mix(~seed) >> 40) / 16777216.0f * sum;
    for (i = 0; i < GUESSES - 1 && at >= weight[i]; i++)
        at -= weight[i];
    return seed + (uint64_t)i;
}

/* World number `index` into s->state: the same for all turns. */
void hidden_guess(struct search *s, int index)
{
    if (s->guessed != index) {
        uint64_t seed = rng_mix(s->worlds + (uint64_t)index);
        guess(s, s->game->belief ? likely(s, seed) : seed);
        s->guessed = index;
    }
    search_copy(s, s->state, s->guess);
}

bool hidden_allows(struct search *s, action a)
{
    return !turn_ended(s) && is_legal(s, s->seat, a);
}

/* Follows the line as far as this world allows. */
static void follow(struct search *s, const struct racer *r)
{
    s->depth = 0;
    s->path[0] = (struct passed){s->root, NOTHING};
    for (int i = 0; i < r->length && hidden_allows(s, r->line[i]); i++) {
        const struct node *n = &s->node[s->path[s->depth].node];
        const struct edge *e = tree_edge_of(s, n, r->line[i]);
        if (!e || !tree_follow(s, n, (uint32_t)(e - s->edge)))
            return;
    }
}

static float visit(struct search *s, const struct racer *r, int world)
{
    struct outcome o = {0};
    hidden_guess(s, world);
    follow(s, r);
    play_on(s, &o);
    for (int seat = 0; seat < s->seats; seat++)
        o.value[seat] /= (float)o.looks;
    search_back_up(s, o.value, false);
    return o.goal / (float)o.looks;
}

/* ---- the race ---- */

static int worlds_to_plan(const struct search *s)
{
    int worlds = s->wanted / PLAN_EVERY;
    return worlds < 1 ? 1 : worlds > PLAN_WORLDS ? PLAN_WORLDS : worlds;
}

static int rounds_of(int racers)
{
    int rounds = 1;
    for (; racers > 2; racers = (racers + 1) / 2)
        rounds++;
    return rounds;
}

static void start_round(struct search *s)
{
    int laps = s->round_visits / s->racing;
    s->laps = laps < 1 ? 1 : laps;
    s->lane = 0;
}

static bool is_open_ended(const struct search *s)
{
    return s->wanted / OPEN_ENDED >= s->bot->worlds;
}

/* Visits until the race has to be decided. */
static int visits_left(const struct search *s)
{
    int left = s->wanted - s->done, own = s->bot->worlds;
    if (!is_open_ended(s))
        return left;
    for (int i = 0; i < s->heat && own < left; i++)
        own *= 2;
    return own < left ? own : left;
}

static void start_race(struct search *s)
{
    int left = visits_left(s), most = left / RACE_LEAST;
    most = most < 2 ? 2 : most;
    if (s->racers == 0)
        s->racer[s->racers++] = (struct racer){.length = 0};
    plan_sort(s, s->racers);
    for (int i = 0; i < s->racers; i++) {
        s->racer[i].sum = 0.0f;
        s->racer[i].runs = 0;
    }
    s->racing = s->racers < most ? s->racers : most;
    s->round = 0;
    s->round_visits = left / rounds_of(s->racing);
    start_round(s);
}

/* What a turn seems worth beside the one that leads: they are compared in the
 * worlds that both have seen. */
static float worth_of(const struct racer *r, const struct racer *leader,
                      bool racing)
{
    float best = leader->sum / (float)leader->runs;
    float same = racing ? leader->sum : leader->passed[r->round];
    return best - (same - r->sum) / (float)r->runs;
}

/* Edges tell how good the best turn through them is. */
static void tell_edges(struct search *s)
{
    const struct racer *leader = s->racer;
    for (int i = 1; i < s->racing; i++)
        if (s->racer[i].sum > leader->sum)
            leader = &s->racer[i];
    for (uint32_t i = 1; i < s->edges; i++)
        s->edge[i].worth = UNTRIED;
    for (int i = 0; i < s->racers && s->racer[i].runs; i++) {
        const struct racer *r = &s->racer[i];
        uint32_t at = s->root;
        float worth = worth_of(r, leader, i < s->racing);
        for (int j = 0; j < r->length; j++) {
            struct edge *e = tree_edge_of(s, &s->node[at], r->line[j]);
            e->worth = e->worth < worth ? worth : e->worth;
            at = e->node;
        }
    }
}

/* The better half stays. */
static void end_round(struct search *s)
{
    for (int i = 0; i < s->racing; i++) {
        struct racer *r = &s->racer[i];
        r->weight = r->sum;
        r->passed[s->round] = r->sum;
        r->round = s->round;
    }
    plan_sort(s, s->racing);
    s->racing = (s->racing + 1) / 2;
    s->round++;
    start_round(s);
}

/* After each lap all that race were in the same worlds. */
static void run_race(struct search *s)
{
    struct racer *r = &s->racer[s->lane];
    r->sum += visit(s, r, s->lap);
    r->runs++;
    if (++s->lane < s->racing)
        return;
    s->lane = 0;
    s->lap++;
    s->laps--;
    if (s->laps <= 0 && s->racing > 2)
        end_round(s);
    if (s->heat == 0 || s->racing <= 2) /* else the last heat tells more */
        tell_edges(s);
    if (s->laps <= 0 && is_open_ended(s)) {
        for (int i = 0; i < s->racing; i++)
            s->racer[i].weight = s->racer[i].sum;
        s->heat++;
        start_race(s);
    }
}

void hidden_simulate(struct search *s)
{
    int plans = worlds_to_plan(s);
    if (s->done == 0) {
        s->worlds = rng_next(&s->rng);
        s->guessed = -1;
        s->racers = s->lap = s->heat = 0;
    }
    if (s->done < plans) {
        const struct racer none = {.length = 0};
        hidden_guess(s, s->done + 1);
        int best = plan_turn(s);
        visit(s, best < 0 ? &none : &s->racer[best], s->done + 1);
        return;
    }
    if (s->done == plans)
        start_race(s);
    run_race(s);
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
