/* rules/mystica/plan.c: finds plans by trying them.
 *
 * Every way to turn power into workers, priests and coins is played on a copy
 * of the state, from the cheapest on, and what becomes legal is a plan.  So
 * nothing here knows what anything costs. */
#include "rules/mystica/plan.h"

struct planner {
    const struct world *w;
    const struct state *s;
    int seat;
    void (*found)(void *to, const struct plan *plan);
    void *to;
    /* Wanted actions that are legal already or have a plan. */
    struct cells built, turned, placed, raised[PIECES];
    uint32_t spaces;
    uint16_t sends;
    bool ship, spade;
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
    uint32_t set = x->sends;
    bool fresh = mark_bit(&set, 4 * track + steps);
    x->sends = (uint16_t)set;
    return fresh;
}

/* Notes a wanted action; true if it is new, false if it is none. */
static bool mark(struct planner *x, action a)
{
    switch (act_kind(a)) {
    case DO_BUILD:
        return mark_cell(&x->built, act_a(a));
    case DO_TRANSFORM:
        return act_b(a) == x->s->seat[x->seat].home &&
               mark_cell(&x->turned, act_a(a));
    case DO_PLACE:
        return mark_cell(&x->placed, act_a(a));
    case DO_UPGRADE:
        return mark_cell(&x->raised[act_b(a)], act_a(a));
    case DO_SHIP:
        return mark_flag(&x->ship);
    case DO_SPADE:
        return mark_flag(&x->spade);
    case DO_SEND:
        return mark_send(x, act_a(a), act_b(a));
    case DO_ACTION:
        return mark_bit(&x->spaces, act_a(a));
    default:
        return false;
    }
}

/* Plays one more step of the plan. */
static void go(struct planner *x, action a)
{
    struct plan *p = &x->plan;
    p->step[p->count++] = a;
    p->before = p->after;
    play(x->w, &p->after, x->seat, a);
}

static void tell(struct planner *x, const struct plan *base, action a)
{
    x->plan = *base;
    go(x, a);
    x->found(x->to, &x->plan);
}

/* A cell that can be turned home can perhaps be built on, too. */
static void want_dwelling(struct planner *x, const struct plan *base, action a)
{
    int cell = act_a(a);
    if (act_b(a) != x->s->seat[x->seat].home || cells_has(x->built, cell))
        return;
    x->plan = *base;
    go(x, a);
    action build = act(DO_BUILD, cell, 0);
    if (!is_legal(x->w, &x->plan.after, x->seat, build))
        return;
    struct plan turned = x->plan;
    cells_add(&x->built, cell);
    tell(x, &turned, build);
}

static void want_all(struct planner *x, const struct plan *base)
{
    action legal[GAME_ACTIONS];
    int count = mystica_legal(x->w, &base->after, x->seat, legal);
    for (int i = 0; i < count; i++) {
        if (act_kind(legal[i]) == DO_TRANSFORM)
            want_dwelling(x, base, legal[i]);
        if (mark(x, legal[i]))
            tell(x, base, legal[i]);
    }
}

/* What becomes possible after the exchanges in base, and after digging; for
 * that burning alone does not help. */
static void want_after(struct planner *x, const struct plan *base)
{
    if (base->count)
        want_all(x, base);
    if (base->count && act_kind(base->step[base->count - 1]) == DO_BURN)
        return;
    for (int spades = 1; spades <= COLOURS; spades++) {
        action dig = act(DO_DIG, spades, 0);
        if (!is_legal(x->w, &base->after, x->seat, dig))
            continue;
        x->plan = *base;
        go(x, dig);
        x->plan.spades = spades;
        struct plan dug = x->plan;
        want_all(x, &dug);
    }
}

static void exchange(struct planner *x, int burn, const int number[3])
{
    x->plan.count = x->plan.spades = 0;
    x->plan.after = *x->s;
    if (burn)
        go(x, act(DO_BURN, burn, 0));
    for (int kind = PW_TO_C; kind <= PW_TO_P; kind++)
        if (number[kind])
            go(x, act(DO_CONVERT, kind, number[kind]));
    struct plan base = x->plan;
    want_after(x, &base);
}

/* All ways to spend exactly so much power on workers, priests and coins. */
static void exchange_power(struct planner *x, int power)
{
    const struct seat *p = &x->s->seat[x->seat];
    int burn = max_int(0, power - p->bowl[2]);
    for (int priests = 0; 5 * priests <= power; priests++)
        for (int workers = (power - 5 * priests) / 3; workers >= 0; workers--) {
            int coins = power - 5 * priests - 3 * workers;
            const int number[3] = {coins, workers, priests};
            exchange(x, burn, number);
        }
}

void find_plans(const struct world *w, const struct state *s, int seat,
                void (*found)(void *to, const struct plan *plan), void *to)
{
    struct planner x = {.w = w, .s = s, .seat = seat, .found = found, .to = to};
    const struct seat *p = &s->seat[seat];
    action legal[GAME_ACTIONS];
    static const int none[3] = {0};
    if (!can_start(w, s, seat))
        return;
    int count = mystica_legal(w, s, seat, legal);
    for (int i = 0; i < count; i++)
        mark(&x, legal[i]);
    exchange(&x, 0, none);
    if (!is_legal(w, s, seat, act(DO_BURN, 1, 0)) && !p->bowl[2])
        return;
    for (int burn = 1; 2 * burn <= p->bowl[1]; burn++)
        exchange(&x, burn, none);
    for (int power = 1; power <= p->bowl[2] + p->bowl[1] / 2; power++)
        exchange_power(&x, power);
}
