/* rules/mystica/plan.c: finds plans from what an action would cost.
 *
 * A copy of the state in which the seat has plenty of everything tells what
 * only lacks its cost, and playing it there tells that cost.  The least dear
 * exchange that leaves so much is then played in front of it on the state as
 * it is, and the rules are asked about every step.  So nothing here knows what
 * any action costs. */
#include "rules/mystica/plan.h"

enum { PLENTY = 20, PLENTY_POWER = 12, WAY = 4, ADDED = 2 };

/* What using an action space is for: with these its hex can be chosen first. */
enum {
    LAND = 1 << DO_TRANSFORM | 1 << DO_PLACE,
    LINKS = 1 << DO_BRIDGE,
    HOUSES = 1 << DO_BUILD | 1 << DO_UPGRADE
};

static const struct {
    int space;
    unsigned wants;
} openings[] = {
    {ACTG, LAND},   {ACTN, LAND},  {ACTS, HOUSES},
    {ACTW, HOUSES}, {ACTE, LINKS}, {ACT_BON1, LAND},
    {ACT5, LAND},   {ACT6, LAND},  {ACT1, LINKS},
};

static const unsigned anything = ~0U;

/* What is spent; never less than 0. */
struct spent {
    int coins, workers, priests, power;
};

struct exchange {
    int burn, number[CONVERTS];
};

/* Wanted actions that are legal already or have been tried. */
struct wanted {
    struct cells built, turned, placed, raised[PIECES];
    uint32_t spaces;
    uint16_t sends;
    bool ship, spade;
};

struct planner {
    const struct world *w;
    const struct state *s;
    struct state rich;
    int seat;
    void (*found)(void *to, const struct plan *plan);
    void *to;
    struct wanted tried;
    struct plan plan;
};

static bool mark_cell(struct cells *set, int cell)
{
    bool fresh = !cells_has(*set, cell);
    cells_add(set, cell);
    return fresh;
}

static bool mark_flag(bool *flag)
{
    bool fresh = !*flag;
    *flag = true;
    return fresh;
}

static bool mark_bit(uint32_t *set, int bit)
{
    bool fresh = !(*set >> bit & 1);
    *set |= (uint32_t)1 << bit;
    return fresh;
}

static bool mark_send(struct planner *x, int track, int steps)
{
    uint32_t set = x->tried.sends;
    bool fresh = mark_bit(&set, 4 * track + steps);
    x->tried.sends = (uint16_t)set;
    return fresh;
}

/* Notes a wanted action; true if it is new, false if it is none. */
static bool mark(struct planner *x, action a)
{
    switch (act_kind(a)) {
    case DO_BUILD:
        return mark_cell(&x->tried.built, act_a(a));
    case DO_TRANSFORM:
        return act_b(a) == x->s->seat[x->seat].home &&
               mark_cell(&x->tried.turned, act_a(a));
    case DO_PLACE:
        return mark_cell(&x->tried.placed, act_a(a));
    case DO_UPGRADE:
        return mark_cell(&x->tried.raised[act_b(a)], act_a(a));
    case DO_SHIP:
        return mark_flag(&x->tried.ship);
    case DO_SPADE:
        return mark_flag(&x->tried.spade);
    case DO_SEND:
        return mark_send(x, act_a(a), act_b(a));
    case DO_BRIDGE:
        return true;
    case DO_ACTION:
        return mark_bit(&x->tried.spaces, act_a(a));
    default:
        return false;
    }
}

/* ---- what it costs, and how to get it ---- */

/* A step can give back what an earlier one needed, such as the power of the
 * Alchemists' spades: what counts is the most that was ever missing. */
static void add_spent(struct spent *c, const struct seat *p,
                      const struct seat *q)
{
    c->coins = max_int(c->coins, p->coins - q->coins);
    c->workers = max_int(c->workers, p->workers - q->workers);
    c->priests = max_int(c->priests, p->priests - q->priests);
    c->power = max_int(c->power, p->bowl[2] - q->bowl[2]);
}

/* What is given away counts as the power that buys it back (mystica §4; two
 * coins buy a point of the Alchemists), and each token burnt as one more. */
static int worth(const struct exchange *e)
{
    static const int8_t unit[CONVERTS] = {
        [PW_TO_C] = 1, [PW_TO_W] = 3, [PW_TO_P] = 5, [P_TO_W] = 5,
        [P_TO_C] = 5,  [W_TO_C] = 3,  [VP_TO_C] = 2,
    };
    int sum = e->burn;
    for (int kind = 0; kind < CONVERTS; kind++)
        sum += unit[kind] * e->number[kind];
    return sum;
}

/* Takes coins from one source after the other, the least dear first; returns
 * how many are still missing. */
static int raise_coins(struct exchange *e, const struct seat *p, int coins,
                       int power, int workers, int priests)
{
    const struct {
        int kind, most;
    } from[] = {
        {PW_TO_C, power},
        {VP_TO_C, faction_of(p)->trades_vp ? p->vp : 0},
        {W_TO_C, workers},
        {P_TO_C, priests},
    };
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        int some = min_int(coins, max_int(0, from[i].most));
        e->number[from[i].kind] = some;
        coins -= some;
    }
    return coins;
}

/* The exchange that turns so many priests into workers. */
static bool exchange_with(struct exchange *e, const struct seat *p,
                          const struct spent *c, int priests)
{
    int lacks = max_int(0, c->workers - p->workers);
    *e = (struct exchange){0};
    e->number[P_TO_W] = priests;
    e->number[PW_TO_W] = lacks - priests;
    e->number[PW_TO_P] = max_int(0, c->priests - p->priests);
    int power = c->power + conversions[PW_TO_W].give * e->number[PW_TO_W] +
                conversions[PW_TO_P].give * e->number[PW_TO_P];
    int left = p->bowl[2] + p->bowl[1] / 2 - power;
    if (left < 0 ||
        raise_coins(e, p, max_int(0, c->coins - p->coins), left,
                    p->workers - c->workers, p->priests - c->priests - priests))
        return false;
    e->burn = max_int(0, power + e->number[PW_TO_C] - p->bowl[2]);
    return true;
}

/* The least dear exchange after which the seat can pay; false if none does. */
static bool find_exchange(struct exchange *best, const struct seat *p,
                          const struct spent *c)
{
    int lacks = max_int(0, c->workers - p->workers);
    int spare = max_int(0, p->priests - c->priests);
    bool any = false;
    for (int priests = 0; priests <= min_int(lacks, spare); priests++) {
        struct exchange e;
        if (!exchange_with(&e, p, c, priests))
            continue;
        if (!any || worth(&e) < worth(best))
            *best = e;
        any = true;
    }
    return any;
}

/* ---- plans ---- */

/* Plays one more step of the plan. */
static void go(struct planner *x, action a)
{
    struct plan *p = &x->plan;
    check(p->count < PLAN_STEPS);
    p->step[p->count++] = a;
    p->before = p->after;
    play(x->w, &p->after, x->seat, a);
}

static bool go_legal(struct planner *x, action a)
{
    if (!is_legal(x->w, &x->plan.after, x->seat, a))
        return false;
    go(x, a);
    return true;
}

static bool go_exchange(struct planner *x, const struct exchange *e)
{
    if (e->burn && !go_legal(x, act(DO_BURN, e->burn, 0)))
        return false;
    for (int kind = 0; kind < CONVERTS; kind++)
        if (e->number[kind] &&
            !go_legal(x, act(DO_CONVERT, kind, e->number[kind])))
            return false;
    return true;
}

static bool go_all(struct planner *x, const action *way, int count)
{
    for (int i = 0; i < count; i++)
        if (!go_legal(x, way[i]))
            return false;
    return true;
}

static int bought_spades(const action *way, int count)
{
    for (int i = 0; i < count; i++)
        if (act_kind(way[i]) == DO_DIG)
            return act_a(way[i]);
    return 0;
}

static bool of_use(const action *way, int count, int worth)
{
    enum kind last = act_kind(way[count - 1]);
    if (count == 1)
        return worth > 0;
    return act_kind(way[0]) != DO_ACTION || worth == 0 || last == DO_BUILD ||
           last == DO_BRIDGE;
}

/* A way is what is wanted, behind the action space, digging and transforming
 * it needs.  One of a single action is a plan only if there is something to
 * exchange, one behind a space that builds nothing only if there is not: too
 * many offers hide the good ones.  False if it cannot be paid. */
static bool try_way(struct planner *x, const action *way, int count)
{
    struct exchange e = {0};
    struct spent cost = {0};
    struct state rich = x->rich;
    for (int i = 0; i < count; i++) {
        play(x->w, &rich, x->seat, way[i]);
        add_spent(&cost, &x->rich.seat[x->seat], &rich.seat[x->seat]);
    }
    if (!find_exchange(&e, &x->s->seat[x->seat], &cost) ||
        !of_use(way, count, worth(&e)))
        return false;
    x->plan.count = 0;
    x->plan.spades = bought_spades(way, count);
    x->plan.after = *x->s;
    if (!go_exchange(x, &e) || !go_all(x, way, count))
        return false;
    x->found(x->to, &x->plan);
    return true;
}

/* A cell that can be turned home can perhaps be built on, too. */
static bool want_dwelling(struct planner *x, const struct state *dug,
                          action *way, int count)
{
    int cell = act_a(way[count - 1]);
    struct state turned = *dug;
    if (act_b(way[count - 1]) != x->s->seat[x->seat].home ||
        cells_has(x->tried.built, cell))
        return false;
    play(x->w, &turned, x->seat, way[count - 1]);
    way[count] = act(DO_BUILD, cell, 0);
    return is_legal(x->w, &turned, x->seat, way[count]) &&
           mark(x, way[count]) && try_way(x, way, count + 1);
}

/* What would be legal behind `way`, of the kinds of a mask. */
static void want_all(struct planner *x, const struct state *dug, action *way,
                     int count, unsigned kinds)
{
    action legal[GAME_ACTIONS];
    int number = mystica_legal(x->w, dug, x->seat, legal);
    for (int i = 0; i < number; i++) {
        enum kind kind = act_kind(legal[i]);
        if (!(kinds >> kind & 1))
            continue;
        way[count] = legal[i];
        bool built =
            kind == DO_TRANSFORM && want_dwelling(x, dug, way, count + 1);
        /* Behind a space one offer for each hex is enough. */
        if (built && act_kind(way[0]) == DO_ACTION)
            continue;
        if (mark(x, legal[i]))
            try_way(x, way, count + 1);
    }
}

static void want_after_digging(struct planner *x, const struct state *from,
                               int spades, action *way, int count,
                               unsigned kinds)
{
    struct state dug = *from;
    way[count] = act(DO_DIG, spades, 0);
    if (!is_legal(x->w, from, x->seat, way[count]))
        return;
    play(x->w, &dug, x->seat, way[count]);
    want_all(x, &dug, way, count + 1, kinds);
}

/* mystica §6.1: spades of an action space may be added to. */
static void want_behind_space(struct planner *x, int space, unsigned kinds)
{
    action way[WAY] = {act(DO_ACTION, space, 0)};
    struct state opened = x->rich;
    if (!is_legal(x->w, &opened, x->seat, way[0]))
        return;
    play(x->w, &opened, x->seat, way[0]);
    x->tried = (struct wanted){0};
    want_all(x, &opened, way, 1, kinds);
    for (int spades = 1; spades <= ADDED && kinds == LAND; spades++)
        want_after_digging(x, &opened, spades, way, 1, kinds);
}

static void make_rich(struct seat *p)
{
    p->coins = (int16_t)(p->coins + PLENTY);
    p->workers = (int16_t)(p->workers + PLENTY);
    p->priests = (uint8_t)max_int(p->priests, priest_cap(p));
    p->bowl[2] = (uint8_t)(p->bowl[2] + PLENTY_POWER);
}

void find_plans(const struct world *w, const struct state *s, int seat,
                void (*found)(void *to, const struct plan *plan), void *to)
{
    struct planner x = {.w = w, .s = s, .seat = seat, .found = found, .to = to};
    action legal[GAME_ACTIONS], way[WAY];
    if (s->phase != PHASE_ACTIONS || s->active != seat)
        return;
    int count = mystica_legal(w, s, seat, legal);
    for (int i = 0; i < count; i++)
        mark(&x, legal[i]);
    x.rich = *s;
    make_rich(&x.rich.seat[seat]);
    want_all(&x, &x.rich, way, 0, anything);
    for (int spades = 1; spades <= COLOURS; spades++)
        want_after_digging(&x, &x.rich, spades, way, 0, anything);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        want_behind_space(&x, openings[i].space, openings[i].wants);
}
