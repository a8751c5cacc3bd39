/* rules/mystica/legal.c: all actions a seat has.
 *
 * This list is the authority: text is accepted if what it means is in here.
 * No action leads into a dead end: bought spades always find a cell. */
#include "rules/mystica/legal.h"

struct list {
    const struct world *w;
    const struct state *s;
    const struct seat *p;
    const struct faction *f;
    int seat, count;
    struct cells reach; /* by direct adjacency or shipping */
    struct cells fly;   /* only by tunnel or carpet, and payable */
    action *out;
};

static inline void push(struct list *l, enum kind kind, int a, int b)
{
    check(l->count < GAME_ACTIONS);
    l->out[l->count++] = act(kind, a, b);
}

static void push_cells(struct list *l, enum kind kind, struct cells set)
{
    while (!cells_none(set))
        push(l, kind, cells_take(&set), 0);
}

static bool can_pay(const struct seat *p, struct price price)
{
    return p->workers >= price.workers && p->coins >= price.coins;
}

bool can_start(const struct world *w, const struct state *s, int seat)
{
    return s->phase == PHASE_ACTIONS && s->active == seat && s->turn.left &&
           !owes(w, s, seat);
}

/* ---- setup ---- */

static void list_picks(struct list *l)
{
    uint32_t open = l->s->phase == PHASE_PICK
                        ? dealt_factions(l->w, l->s, l->seat)
                        : free_factions(l->w, l->s);
    for (int i = 0; i < FACTIONS; i++)
        if (open >> i & 1)
            push(l, DO_PICK, i, 0);
}

static void list_colours(struct list *l)
{
    int open = free_colours(l->w, l->s, l->seat);
    for (int colour = 0; colour < COLOURS; colour++)
        if (open >> colour & 1)
            push(l, DO_COLOUR, colour, 0);
}

static void list_bids(struct list *l)
{
    for (int i = 0; i < l->w->seats; i++)
        for (int bid = l->s->bid[i]; bid <= 40 && l->s->layout[i]; bid++)
            push(l, DO_BID, i, bid);
}

static uint16_t free_cards(const struct world *w, const struct state *s)
{
    uint16_t open = s->cards;
    for (int seat = 0; seat < w->seats; seat++)
        open &= (uint16_t) ~(1 << s->seat[seat].card);
    return open;
}

static void list_cards(struct list *l)
{
    uint16_t open = free_cards(l->w, l->s);
    for (int card = 1; card <= CARDS; card++)
        if (open >> card & 1)
            push(l, DO_PASS, card, 0);
}

/* mystica §7: the others wait while a Cultist step could come first on 10. */
static bool must_wait(const struct list *l, int track, int steps)
{
    const struct world *w = l->w;
    if (w->compat || w->option[OPT_LOOSE_CULTIST] ||
        l->p->cult[track] + steps < 10 || !cult_top_free(w, l->s, track))
        return false;
    for (int seat = 0; seat < w->seats; seat++) {
        const struct seat *p = &l->s->seat[seat];
        if (seat != l->seat && p->steps_due && p->keys &&
            faction_of(p)->reaction == REACT_STEP &&
            p->cult[track] + p->steps_due >= 10)
            return true;
    }
    return false;
}

static void list_favours(struct list *l)
{
    int open = favours_open(l->s, l->seat);
    for (int tile = 1; tile <= FAVOURS; tile++)
        if ((open >> tile & 1) &&
            !must_wait(l, favours[tile].track, favours[tile].steps))
            push(l, DO_FAVOUR, tile, 0);
}

static void list_pick_phase(struct list *l)
{
    if (l->p->faction == NO_FACTION || l->s->phase == PHASE_NOMINATE) {
        list_picks(l);
        return;
    }
    if (l->p->colour_due)
        list_colours(l);
    if (l->p->favours_due)
        list_favours(l);
}

/* ---- spades ---- */

static void list_targets(struct list *l, struct cells set, unsigned targets)
{
    while (!cells_none(set)) {
        int cell = cells_take(&set);
        for (unsigned left = targets; left; left &= left - 1)
            push(l, DO_TRANSFORM, cell, __builtin_ctz(left));
    }
}

/* Leaves out foreign colours if another cell already ended in one. */
static unsigned allowed_targets(const struct list *l, unsigned targets)
{
    bool one_only = l->s->phase == PHASE_ACTIONS && l->s->turn.away &&
                    !l->w->option[OPT_LOOSE_MULTI];
    return one_only ? targets & (1u << l->p->home) : targets;
}

static void list_wheel(struct list *l, struct cells from, bool drill)
{
    bool exact = l->s->turn.work & WORK_BOUGHT;
    int away = l->s->turn.away - 1;
    for (int colour = 0; colour < COLOURS; colour++) {
        struct cells set = cells_and(from, l->s->colour[colour]);
        if (cells_none(set))
            continue;
        unsigned targets =
            spade_targets(l->w, l->p, colour, l->p->spades, exact, drill);
        if (away >= 0 && cells_has(set, away)) {
            struct cells alone = {{0}};
            cells_add(&alone, away);
            list_targets(l, alone, targets);
            cells_drop(&set, away);
        }
        list_targets(l, set, allowed_targets(l, targets));
    }
}

static struct cells diggable(const struct list *l)
{
    return cells_and(cells_or(l->reach, l->fly), soft_cells(l->w, l->s));
}

static void list_spade_use(struct list *l)
{
    struct cells from = diggable(l);
    struct cells drill = drilled_cells(l->w, l->s, l->seat);
    list_wheel(l, cells_without(from, drill), false);
    list_wheel(l, cells_and(from, drill), true);
}

static bool any_target(struct list *l)
{
    int before = l->count;
    list_spade_use(l);
    bool any = l->count > before;
    l->count = before;
    return any;
}

static void list_forfeit_spades(struct list *l)
{
    if (l->s->turn.work & WORK_BOUGHT && l->s->phase == PHASE_ACTIONS &&
        !l->w->option[OPT_LOOSE_DIG])
        return;
    if (l->s->turn.work & WORK_FORCED && any_target(l))
        return;
    for (int n = 1; n <= l->p->spades; n++)
        push(l, DO_FORFEIT, LOSE_SPADE, n);
}

/* Numbers of spades that some reachable cell can use up: a mask. */
static unsigned usable_counts(const struct list *l, struct cells from)
{
    unsigned counts = 0;
    from = cells_and(from, soft_cells(l->w, l->s));
    struct cells drill = drilled_cells(l->w, l->s, l->seat);
    for (int colour = 0; colour < COLOURS; colour++) {
        struct cells set = cells_and(from, l->s->colour[colour]);
        if (cells_none(set))
            continue;
        if (cells_meet(set, drill))
            counts |= spade_counts(l->w, l->p, colour, true);
        if (!cells_none(cells_without(set, drill)))
            counts |= spade_counts(l->w, l->p, colour, false);
    }
    return counts;
}

/* Cells a volcano could be made on: payable, tunnel never needed. */
static struct cells volcano_cells(const struct list *l, int price)
{
    struct cells from = diggable(l), good = {{0}};
    int purse = tokens_of(l->p);
    if (l->f->digging == DIG_VOLCANO_CULT) {
        purse = 0;
        for (int track = 0; track < TRACKS; track++)
            purse = max_int(purse, l->p->cult[track]);
    }
    while (!cells_none(from)) {
        int cell = cells_take(&from);
        int need = price ? price : volcano_price(l->w, l->s, l->seat, cell);
        if (need <= purse)
            cells_add(&good, cell);
    }
    return good;
}

static struct cells reef_cells(const struct list *l);

static void list_wheel_digs(struct list *l)
{
    const struct seat *p = l->p;
    bool priests = l->f->spade_priests;
    int price = spade_price(p), have = p->spades;
    if (price == 0)
        return;
    unsigned plain = usable_counts(l, l->reach);
    unsigned flying = cells_none(l->fly) ? 0 : usable_counts(l, l->fly);
    bool tunnel = l->f->flight == FLY_TUNNEL;
    bool reef = tile_ready(l->w, l->s, l->seat) && l->f->effect == TILE_REEF &&
                !cells_none(reef_cells(l));
    int purse = priests ? p->priests : p->workers;
    for (int n = 1; n + have <= 6 && n * price <= purse; n++) {
        bool ok = plain >> (n + have) & 1;
        if (!ok && (flying >> (n + have) & 1))
            ok = !tunnel || purse - n * price >= flight_price(l->s, l->seat);
        if (!ok && reef)
            ok = n + have == 1;
        if (ok)
            push(l, DO_DIG, n, 0);
    }
}

/* Opening an action by buying spades, or adding to free ones. */
static void list_digs(struct list *l, bool start)
{
    const struct turn *t = &l->s->turn;
    bool adds = (t->work & WORK_OPEN) && l->p->spades &&
                !(t->work & (WORK_CHANGED | WORK_FIXED));
    if (!start && !adds)
        return;
    if (makes_volcanoes(l->f)) {
        bool altar =
            tile_ready(l->w, l->s, l->seat) && l->f->effect == TILE_ALTAR;
        /* A payment put off (loose-lose-cult) comes before the next one. */
        if (start && !l->p->pay_due &&
            !cells_none(volcano_cells(l, altar ? 3 : 0)))
            push(l, DO_DIG, 1, 0);
    } else if (l->f->digging != DIG_NEVER) {
        list_wheel_digs(l);
    }
}

/* ---- special terrain tiles ---- */

bool tile_ready(const struct world *w, const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    return (w->tiles >> p->faction & 1) && !p->tile &&
           p->count[f->needs] >= f->needs_count;
}

/* Free river cells that touch an own structure. */
static struct cells reef_cells(const struct list *l)
{
    struct cells all = {{0}};
    for (struct cells own = l->p->own; !cells_none(own);)
        all = cells_or(all, l->w->near[cells_take(&own)]);
    return cells_without(cells_and(all, l->w->river), l->s->occupied);
}

static void list_tile_by_spades(struct list *l)
{
    bool exact = l->s->turn.work & WORK_BOUGHT;
    if (l->f->effect == TILE_REEF) {
        if (!exact || l->p->spades == 1)
            push_cells(l, DO_PLACE, reef_cells(l));
        return;
    }
    for (struct cells from = diggable(l); !cells_none(from);) {
        int cell = cells_take(&from);
        int need = spades_needed(l->w, l->s, l->seat, cell, l->p->home,
                                 exact ? l->p->spades : 0);
        if (need && need <= l->p->spades)
            push(l, DO_PLACE, cell, 0);
    }
}

static void list_places(struct list *l, bool start)
{
    const struct turn *t = &l->s->turn;
    if (!tile_ready(l->w, l->s, l->seat))
        return;
    if (t->free & FREE_PORTAL)
        push_cells(l, DO_PLACE, home_cells(l->w, l->s, l->seat));
    else if (t->free & FREE_TRANSFORM)
        push_cells(l, DO_PLACE, storm_cells(l->w, l->s, l->seat));
    else if (t->work & WORK_VOLCANO)
        push_cells(l, DO_PLACE,
                   volcano_cells(l, l->f->effect == TILE_ALTAR ? 3 : 0));
    else if (l->p->spades && !(t->work & WORK_FORCED))
        list_tile_by_spades(l);
    else if (l->f->effect == TILE_PALACE && start && l->p->priests)
        push_cells(l, DO_PLACE, reef_cells(l));
}

/* ---- building ---- */

struct cells storm_cells(const struct world *w, const struct state *s, int seat)
{
    struct cells all = {{0}};
    for (struct cells own = s->seat[seat].own; !cells_none(own);)
        all = cells_or(all, w->near[cells_take(&own)]);
    all = cells_and(all, soft_cells(w, s));
    return cells_without(all, s->colour[s->seat[seat].home]);
}

static struct cells free_dwelling_cells(const struct list *l)
{
    return home_cells(l->w, l->s, l->seat);
}

static void list_builds(struct list *l, bool start)
{
    const struct turn *t = &l->s->turn;
    if (l->p->count[DWELLING] >= pieces_max(DWELLING))
        return;
    if (t->free & FREE_DWELLING) {
        push_cells(l, DO_BUILD, free_dwelling_cells(l));
        return;
    }
    if (!can_pay(l->p, l->f->build[DWELLING]))
        return;
    struct cells home = home_cells(l->w, l->s, l->seat);
    struct cells reached = cells_and(home, l->reach);
    bool follows = (t->work & WORK_BUILD) && !l->p->spades &&
                   (l->w->compat || !(t->work & WORK_VOLCANO));
    struct cells set = {{0}};
    if (follows && (t->work & WORK_CHANGED))
        set = cells_and(home, t->made);
    if (start || (follows && !(t->work & WORK_CHANGED))) {
        set = cells_or(set, reached);
        struct cells fly = cells_and(home, l->fly);
        /* The tunnel must be payable beside the dwelling. */
        if (l->f->flight == FLY_TUNNEL &&
            l->p->workers <
                l->f->build[DWELLING].workers + flight_price(l->s, l->seat) &&
            !t->flown)
            fly = (struct cells){{0}};
        set = cells_or(set, fly);
    }
    push_cells(l, DO_BUILD, set);
}

static void list_upgrades(struct list *l, bool start)
{
    bool free = l->s->turn.free & FREE_TRADING;
    if (!start && !free)
        return;
    for (struct cells own = l->p->own; !cells_none(own);) {
        int cell = cells_take(&own), piece = l->s->piece[cell];
        static const int8_t next[PIECES][2] = {
            [DWELLING] = {TRADING, 0},
            [TRADING] = {TEMPLE, STRONGHOLD},
            [TEMPLE] = {SANCTUARY, 0},
        };
        for (int i = 0; i < 2; i++) {
            int to = next[piece][i];
            if (!to || l->p->count[to] >= pieces_max(to))
                continue;
            if (free ? to == TRADING
                     : can_pay(l->p, l->f->build[to]) &&
                           can_pay(l->p, upgrade_price(l->w, l->s, l->seat,
                                                       cell, to)))
                push(l, DO_UPGRADE, cell, to);
        }
    }
}

/* ---- other main actions ---- */

static void list_tracks(struct list *l, bool start)
{
    const struct seat *p = l->p;
    const struct cost *dig = &l->f->dig_cost;
    bool free_ship = l->s->turn.free & FREE_SHIP;
    bool free_dig = l->s->turn.free & FREE_DIG;
    if (p->ship < l->f->ship_max && p->coins >= SHIP_COINS &&
        (free_ship || (start && p->priests)))
        push(l, DO_SHIP, 0, 0);
    if (p->dig >= l->f->dig_max)
        return;
    bool paid = p->workers >= dig->workers && p->coins >= dig->coins;
    if (free_dig ? paid || l->f->effect == TILE_CAVE
                 : start && paid && p->priests >= dig->priests)
        push(l, DO_SPADE, 0, 0);
}

static void list_sends(struct list *l)
{
    if (!l->p->priests)
        return;
    int extra = l->p->count[STRONGHOLD] ? l->f->send_steps : 0;
    for (int track = 0; track < TRACKS; track++) {
        const uint8_t *space = l->s->priest[track];
        bool two = !space[1] || !space[2] || !space[3];
        if (!space[0] && !must_wait(l, track, 3 + extra))
            push(l, DO_SEND, track, 3);
        if (two && !must_wait(l, track, 2 + extra))
            push(l, DO_SEND, track, 2);
        if (!must_wait(l, track, 1 + extra))
            push(l, DO_SEND, track, 1);
    }
}

static bool power_space_open(const struct list *l, int space)
{
    const struct seat *p = l->p;
    bool used = l->s->used >> space & 1;
    if (used && !(l->f->reuse && p->count[STRONGHOLD]))
        return false;
    if (p->bowl[2] < power_price(p, space))
        return false;
    if (power_actions[space].spades && l->f->spade_use == SPADE_LOST)
        return false;
    if (power_actions[space].bridges && !l->w->compat)
        return p->bridges < 3 && any_bridge(l->w, l->s, l->seat);
    return true;
}

static bool ability_open(const struct list *l, int space)
{
    const struct seat *p = l->p;
    switch (space) {
    case ACTN:
        return !cells_none(storm_cells(l->w, l->s, l->seat));
    case ACTS:
        return p->count[DWELLING] && p->count[TRADING] < 4;
    case ACTW:
        return p->count[DWELLING] < 8 && !cells_none(free_dwelling_cells(l));
    case ACTC:
        return !l->s->turn.doubled && l->s->turn.left == 1;
    default:
        return true;
    }
}

/* mystica §12: a colour that is home to nobody else, and a change. */
static int shift_colours(const struct list *l)
{
    int open = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        if (colour != l->p->home &&
            !is_home_colour(l->w, l->s, colour, l->seat))
            open |= 1 << colour;
    return open;
}

static void list_shifts(struct list *l)
{
    const struct shape_rule *rule = &shape_rules[l->w->option[OPT_VARIABLE]];
    int most = rule->uses == USES_PLAYERS     ? l->w->seats
               : rule->uses == USES_OPPONENTS ? l->w->seats - 1
                                              : 255;
    if (!shift_colours(l) || l->p->shifts >= most)
        return;
    if (l->p->bowl[2] >= rule->cost)
        push(l, DO_ACTION, ACTH5, 0);
    if (tokens_of(l->p) >= rule->cost)
        push(l, DO_ACTION, ACTH6, 0);
}

static void list_spaces(struct list *l)
{
    const struct seat *p = l->p;
    for (int space = ACT1; space <= ACT6; space++)
        if (power_space_open(l, space))
            push(l, DO_ACTION, space, 0);
    if (p->card == 1 && !(l->s->used_card >> 1 & 1) &&
        l->f->spade_use != SPADE_LOST)
        push(l, DO_ACTION, ACT_BON1, 0);
    if (p->card == 2 && !(l->s->used_card >> 2 & 1))
        push(l, DO_ACTION, ACT_BON2, 0);
    if (has_favour(p, 6) && !p->used_favour)
        push(l, DO_ACTION, ACT_FAV6, 0);
    if (l->f->space == ACTE && p->workers >= 2 &&
        (l->w->compat || any_bridge(l->w, l->s, l->seat)))
        push(l, DO_ACTION, ACTE, 0);
    if (!p->count[STRONGHOLD] || !l->f->sh_space)
        return;
    if (l->f->sh_space == ACTH5)
        list_shifts(l);
    else if (!p->used_ability && ability_open(l, l->f->sh_space))
        push(l, DO_ACTION, l->f->sh_space, 0);
}

static void list_passes(struct list *l)
{
    if (l->p->passed && l->w->option[OPT_STRICT_CHAOS])
        return;
    if (l->s->round == ROUNDS)
        push(l, DO_PASS, 0, 0);
    else
        list_cards(l);
}

/* ---- free exchanges ---- */

/* Keeps enough to fly if bought spades have no other cell. */
static bool keeps_flight(const struct list *l, int workers, int priests)
{
    const struct turn *t = &l->s->turn;
    if (!(t->work & WORK_BOUGHT) || !l->p->spades || l->f->flight == FLY_NONE ||
        t->flown)
        return true;
    if (usable_counts(l, l->reach) >> l->p->spades & 1)
        return true;
    int left = l->f->flight == FLY_TUNNEL ? l->p->workers - workers
                                          : l->p->priests - priests;
    return left >= flight_price(l->s, l->seat);
}

/* Priests there is still room for; nobody trades for what is lost. */
static int priest_room(const struct list *l)
{
    if (l->w->compat || l->f->unlocks)
        return PRIESTS;
    return max_int(0, priest_cap(l->p) - l->p->priests);
}

static void list_conversion(struct list *l, int kind, int purse)
{
    const struct conversion *c = &conversions[kind];
    int most = min_int(purse / c->give, 250);
    if (c->to[0] == 'P')
        most = min_int(most, priest_room(l));
    for (int n = 1; n <= most; n++) {
        int workers = c->from[0] == 'W' ? n : 0;
        int priests = c->from[0] == 'P' && !c->from[1] ? n : 0;
        if ((workers || priests) && !keeps_flight(l, workers, priests))
            return;
        push(l, DO_CONVERT, kind, n);
    }
}

static void list_exchanges(struct list *l)
{
    const struct seat *p = l->p;
    if (l->w->compat || !(l->s->turn.work & WORK_VOLCANO))
        for (int n = 1; 2 * n <= p->bowl[1]; n++)
            push(l, DO_BURN, n, 0);
    if (l->w->option[OPT_STRICT_LEECH] && !l->w->compat &&
        has_offer(l->s, l->seat))
        return;
    list_conversion(l, PW_TO_C, p->bowl[2]);
    list_conversion(l, PW_TO_W, p->bowl[2]);
    list_conversion(l, PW_TO_P, p->bowl[2]);
    list_conversion(l, P_TO_W, p->priests);
    list_conversion(l, P_TO_C, p->priests);
    list_conversion(l, W_TO_C, p->workers);
    if (p->trade_due)
        list_conversion(l, W_TO_P, min_int(p->trade_due, p->workers));
    if (l->f->trades_vp) {
        list_conversion(l, VP_TO_C, p->vp);
        list_conversion(l, C_TO_VP, p->coins);
    } else if (l->w->compat) {
        list_conversion(l, C3_TO_VP, p->coins);
    }
}

/* ---- rights ---- */

/* Tracks that a town tile's steps could bring to 10, and keys for them. */
static int town_candidates(const struct list *l, const struct town *t,
                           int *keys)
{
    const struct seat *p = l->p;
    int stopped = p->stopped, mask = 0;
    *keys = p->keys + t->keys;
    if (l->w->option[OPT_MANUAL_FAV5] ||
        *keys < __builtin_popcount((unsigned)stopped))
        stopped = 0;
    for (int track = 0; track < TRACKS; track++) {
        if (p->cult[track] == 10 || !cult_top_free(l->w, l->s, track))
            continue;
        if ((stopped >> track & 1) && p->cult[track] == 9)
            --*keys;
        else if (p->cult[track] + t->steps >= 10)
            mask |= 1 << track;
    }
    return mask;
}

static bool town_waits(const struct list *l, const struct town *t)
{
    for (int track = 0; t->steps && track < TRACKS; track++)
        if (must_wait(l, track, t->steps))
            return true;
    return false;
}

/* mystica §8: with too few keys the owner chooses the tracks. */
static void list_towns(struct list *l)
{
    for (int tile = 1; tile <= TOWNS; tile++) {
        const struct town *t = &towns[tile];
        if (!l->s->towns_left[tile] || town_waits(l, t))
            continue;
        int keys, mask = t->steps ? town_candidates(l, t, &keys) : 0;
        if (!mask || __builtin_popcount((unsigned)mask) <= keys || keys <= 0) {
            push(l, DO_TOWN, tile, 0);
            continue;
        }
        for (int some = 1; some < 16; some++)
            if (!(some & ~mask) && __builtin_popcount((unsigned)some) == keys)
                push(l, DO_TOWN, tile, some);
    }
}

static void list_steps(struct list *l)
{
    for (int track = 0; track < TRACKS; track++) {
        for (int n = 1; n <= l->p->steps_due; n++)
            if (!must_wait(l, track, n))
                push(l, DO_STEP, track, n);
        if (l->p->block_due && l->p->block_due > l->p->steps_due &&
            !must_wait(l, track, l->p->block_due))
            push(l, DO_STEP, track, l->p->block_due);
    }
}

static void list_bridges(struct list *l)
{
    struct cells from = l->w->option[OPT_LOOSE_BRIDGE] ? l->w->land : l->p->own;
    int before = l->count;
    for (struct cells own = from; !cells_none(own);) {
        int a = cells_take(&own);
        struct cells ends = bridge_ends(l->w, l->s, l->seat, a);
        while (!cells_none(ends)) {
            int b = cells_take(&ends);
            bool twice = cells_has(from, b) && b < a &&
                         cells_has(bridge_ends(l->w, l->s, l->seat, b), a);
            if (!twice && can_bridge(l->w, l->s, l->seat, a, b))
                push(l, DO_BRIDGE, min_int(a, b), max_int(a, b));
        }
    }
    if (l->count == before || l->w->compat)
        push(l, DO_FORFEIT, LOSE_BRIDGE, 1);
}

static void list_unlocks(struct list *l)
{
    for (int colour = 0; colour < COLOURS; colour++)
        if (!(l->p->unlocked >> colour & 1) &&
            l->p->coins >= unlock_price(l->w, l->s, l->seat, colour))
            push(l, DO_UNLOCK, colour, 0);
    push(l, DO_UNLOCK, KEEP_PRIEST, 0);
}

static void list_shift_colours(struct list *l)
{
    int open = shift_colours(l);
    for (int colour = 0; colour < COLOURS; colour++)
        if (open >> colour & 1)
            push(l, DO_COLOUR, colour, 0);
}

static void list_payments(struct list *l)
{
    for (int track = 0; track < TRACKS; track++)
        if (l->p->cult[track] >= l->p->pay_due)
            push(l, DO_PAY, track, l->p->pay_due);
}

static void list_ravens(struct list *l)
{
    push(l, DO_RAVENS, RAVENS_VP, 0);
    for (int track = 0; track < TRACKS; track++)
        push(l, DO_RAVENS, track, 0);
}

static void list_rights(struct list *l)
{
    const struct seat *p = l->p;
    const struct turn *t = &l->s->turn;
    if (p->favours_due)
        list_favours(l);
    if (p->towns_due)
        list_towns(l);
    if (p->ravens_due)
        list_ravens(l);
    if (p->bridges_due)
        list_bridges(l);
    if (p->unlock_due)
        list_unlocks(l);
    if (p->pay_due)
        list_payments(l);
    if (p->colour_due || (t->free & FREE_COLOUR))
        list_shift_colours(l);
    if (t->free & FREE_TRANSFORM)
        list_targets(l, storm_cells(l->w, l->s, l->seat), 1u << p->home);
    if (t->work & WORK_VOLCANO)
        list_targets(l, volcano_cells(l, 0), 1u << VOLCANO);
    if (p->spades) {
        list_spade_use(l);
        list_forfeit_spades(l);
    }
    if (p->trade_due)
        push(l, DO_FORFEIT, LOSE_TRADE, 0);
    if (t->free & FREE_TRANSFORM)
        push(l, DO_FORFEIT, LOSE_TRANSFORM, 0);
    if (t->free & FREE_TRADING)
        push(l, DO_FORFEIT, LOSE_TRADING, 0);
    if (t->free & FREE_DWELLING)
        push(l, DO_FORFEIT, LOSE_DWELLING, 0);
}

/* ---- offers and reactions ---- */

static bool listed_before(const struct state *s, int index)
{
    const struct offer *o = &s->offer[index];
    return find_offer(s, o->to, o->from, o->amount) < index;
}

static void list_answers(struct list *l)
{
    for (int i = 0; i < l->s->offer_count; i++) {
        const struct offer *o = &l->s->offer[i];
        if (o->to != l->seat || listed_before(l->s, i))
            continue;
        if (!l->w->compat && l->s->turn.started && o->from == l->s->active)
            continue;
        if (l->w->compat || offer_gain(l->p, o->amount) > 0)
            push(l, DO_LEECH, o->from, o->amount);
        push(l, DO_DECLINE, o->from, o->amount);
        if (o->flags & OFFER_COIN)
            push(l, DO_COIN, o->from, o->amount);
        if (l->w->option[OPT_STRICT_LEECH] && !l->w->compat)
            return;
    }
}

static void list_reactions(struct list *l)
{
    if (l->p->steps_due || l->p->block_due) {
        list_steps(l);
        if (l->w->compat)
            push(l, DO_FORFEIT, LOSE_STEP, 0);
    }
    if (l->p->tokens_due) {
        if (l->p->vp >= 1)
            push(l, DO_TOKEN, 1, 0);
        push(l, DO_TOKEN, 0, 0);
    }
}

/* ---- the server's tolerances ---- */

static void list_tolerated(struct list *l)
{
    if (!l->w->compat)
        return;
    for (int track = 0; track < TRACKS; track++)
        for (int n = 1; l->p->cult[track] < 10 && l->p->cult[track] - n >= 7;
             n++)
            push(l, DO_DOWN, track, n);
    if (l->p->favours_due)
        push(l, DO_FORFEIT, LOSE_FAVOUR, 0);
    /* With fewer keys than stopped markers one may be moved by hand. */
    for (int track = 0; track < TRACKS; track++)
        if ((l->p->stopped >> track & 1) && l->p->keys && !l->p->steps_due &&
            !l->p->block_due && l->p->cult[track] == 9 &&
            cult_top_free(l->w, l->s, track))
            push(l, DO_STEP, track, 1);
}

static void list_adjustments(struct list *l)
{
    static const int8_t most[4] = {3, 3, 3, 5};
    const int purse[4] = {l->p->coins, l->p->workers, l->p->priests, l->p->vp};
    for (int what = 0; what < 4; what++)
        for (int n = -most[what]; n <= most[what]; n++)
            if (n && purse[what] + n >= 0 && purse[what] + n <= 900 &&
                (what != 2 || n < 0 || purse[what] + n <= priest_cap(l->p)))
                push(l, DO_ADJUST, what, n + 128);
    for (int n = 1; n <= 4; n++)
        push(l, DO_ADJUST, 4, n + 128);
}

/* ---- phases ---- */

bool can_connect(const struct world *w, const struct state *s, int seat,
                 int river)
{
    struct cells around = cells_and(w->near[river], s->seat[seat].own);
    if (cells_count(around) < 2 || cells_has(s->skipped, river) ||
        s->piece[river])
        return false;
    struct cells part = cluster(w, s, seat, cells_take(&around), river);
    for (struct cells left = part; !cells_none(left);)
        if (s->town[cells_take(&left)])
            return false;
    return makes_town(s, seat, part) && towns_left(s) > 0;
}

static void list_connections(struct list *l)
{
    if (!l->f->skips_river)
        return;
    for (struct cells river = reef_cells(l); !cells_none(river);) {
        int cell = cells_take(&river);
        if (can_connect(l->w, l->s, l->seat, cell))
            push(l, DO_CONNECT, cell, 0);
    }
}

static void list_reach(struct list *l)
{
    l->reach = reach(l->w, l->s, l->seat);
    l->fly = (struct cells){{0}};
    if (l->f->flight == FLY_NONE)
        return;
    struct cells fly = reach_flying(l->w, l->s, l->seat);
    fly = cells_without(fly, l->reach);
    while (!cells_none(fly)) {
        int cell = cells_take(&fly);
        if (can_fly(l->w, l->s, l->seat, cell))
            cells_add(&l->fly, cell);
    }
}

static void list_turn(struct list *l)
{
    /* Everything else depends on which town has grown. */
    if (l->s->turn.join) {
        push_cells(l, DO_CONNECT,
                   towns_beside(l->w, l->s, l->seat, l->s->turn.join - 1));
        return;
    }
    bool start = can_start(l->w, l->s, l->seat);
    list_reach(l);
    list_rights(l);
    list_connections(l);
    list_builds(l, start);
    list_digs(l, start);
    list_places(l, start);
    list_upgrades(l, start);
    list_tracks(l, start);
    if (start) {
        list_sends(l);
        list_spaces(l);
        list_passes(l);
    }
    list_exchanges(l);
    list_tolerated(l);
    if ((l->s->turn.acted || l->w->option[OPT_LOOSE_DONE]) &&
        !owes(l->w, l->s, l->seat))
        push(l, DO_DONE, 0, 0);
}

static void list_actions(struct list *l)
{
    const struct state *s = l->s;
    unsigned must, may;
    if (s->offer_count)
        list_answers(l);
    list_reactions(l);
    if (may_adjust(l->w, l->s) && l->s->active != NO_SEAT)
        list_adjustments(l);
    if (l->seat != s->active)
        return;
    flow_turn(l->w, s, &must, &may);
    bool online = l->w->compat || l->w->option[OPT_OFFERS] == OFFERS_ONLINE;
    if (!s->turn.started && !online && (must >> l->seat & 1) &&
        (has_offer(s, l->seat) || owes_reaction(s, l->seat)))
        return;
    list_turn(l);
}

static void list_between(struct list *l)
{
    list_reach(l);
    if (l->p->spades) {
        list_spade_use(l);
        list_forfeit_spades(l);
    }
    if (l->p->steps_due)
        list_steps(l);
    if (l->p->unlock_due)
        list_unlocks(l);
}

int mystica_legal(const struct world *w, const struct state *s, int seat,
                  action *out) // NOLINT(readability-non-const-parameter)
{
    struct list l = {
        .w = w, .s = s, .p = &s->seat[seat], .seat = seat, .out = out};
    unsigned must, may;
    flow_turn(w, s, &must, &may);
    if (!((must | may) >> seat & 1))
        return 0;
    /* Before the choice of factions nothing looks at it. */
    l.f = l.p->faction != NO_FACTION ? faction_of(l.p) : &factions[0];
    switch ((enum phase)s->phase) {
    case PHASE_NOMINATE:
    case PHASE_PICK:
        list_pick_phase(&l);
        break;
    case PHASE_BID:
        list_bids(&l);
        break;
    case PHASE_COLOUR:
        list_colours(&l);
        break;
    case PHASE_DWELL:
        push_cells(&l, DO_BUILD, dwelling_cells(w, s, seat));
        break;
    case PHASE_CARDS:
        list_cards(&l);
        break;
    case PHASE_CULT:
    case PHASE_INCOME:
        list_between(&l);
        break;
    case PHASE_ACTIONS:
        list_actions(&l);
        break;
    case PHASE_OVER:
        break;
    }
    return l.count;
}

bool is_legal(const struct world *w, const struct state *s, int seat, action a)
{
    action all[GAME_ACTIONS];
    int count = mystica_legal(w, s, seat, all);
    for (int i = 0; i < count; i++)
        if (all[i] == a)
            return true;
    return false;
}
