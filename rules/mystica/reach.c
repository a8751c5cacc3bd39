/* rules/mystica/reach.c: adjacency, reach, spades and clusters. */
#include "rules/mystica/reach.h"

struct cells touching(const struct world *w, const struct state *s, int cell)
{
    struct cells all = w->near[cell];
    for (int i = 0; i < s->bridge_count; i++) {
        if (s->bridge[i].a == cell)
            cells_add(&all, s->bridge[i].b);
        if (s->bridge[i].b == cell)
            cells_add(&all, s->bridge[i].a);
    }
    return all;
}

/* ---- reach ---- */

int shipping(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    int extra = s->phase == PHASE_ACTIONS && f->sails ? cards[p->card].ship : 0;
    return min_int(p->ship + extra, SHIP_MAX);
}

/* mystica §18 G13: a tile placed in this action gives no reach in it. */
static struct cells starting_points(const struct state *s, int seat)
{
    struct cells from = s->seat[seat].own;
    if (s->turn.fresh && s->active == seat && s->phase == PHASE_ACTIONS)
        cells_drop(&from, s->turn.fresh - 1);
    return from;
}

/* Riverwalkers reach by water only; around their palace they always do. */
static struct cells direct_reach(const struct world *w, const struct state *s,
                                 struct cells from)
{
    struct cells all = {{0}};
    for (struct cells left = from; !cells_none(left);)
        all = cells_or(all, w->near[cells_take(&left)]);
    for (int i = 0; i < s->bridge_count; i++) {
        if (cells_has(from, s->bridge[i].a))
            cells_add(&all, s->bridge[i].b);
        if (cells_has(from, s->bridge[i].b))
            cells_add(&all, s->bridge[i].a);
    }
    return all;
}

struct cells reach(const struct world *w, const struct state *s, int seat)
{
    struct cells from = starting_points(s, seat), all = {{0}};
    int level = shipping(s, seat);
    if (!faction_of(&s->seat[seat])->by_water_only)
        all = direct_reach(w, s, from);
    if (level > 0)
        for (struct cells left = from; !cells_none(left);)
            all = cells_or(all, w->ship[level][cells_take(&left)]);
    return cells_and(all, w->land);
}

static int flight_range(const struct seat *p)
{
    const struct faction *f = faction_of(p);
    if (f->flight == FLY_CARPET)
        return min_int(1 + p->count[STRONGHOLD] + p->range, SKIP_MAX);
    return f->flight == FLY_TUNNEL ? 1 : 0;
}

struct cells reach_flying(const struct world *w, const struct state *s,
                          int seat)
{
    const struct seat *p = &s->seat[seat];
    struct cells from = starting_points(s, seat), all = {{0}};
    int range = flight_range(p);
    if (range == 0)
        return all;
    if (has_tile(p, TILE_TUNNEL) && cells_has(from, p->tile - 1))
        all = w->skip[range + 1][p->tile - 1];
    while (!cells_none(from))
        all = cells_or(all, w->skip[range][cells_take(&from)]);
    return all;
}

int flight_price(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    if (faction_of(p)->flight == FLY_TUNNEL)
        return p->count[STRONGHOLD] ? 1 : 2;
    return 1;
}

/* mystica §18.7: one tunnel per cult bonus is free of workers. */
static bool can_fly_for_cult(const struct state *s, int seat, int cell)
{
    return has_tile(&s->seat[seat], TILE_TUNNEL) &&
           (!s->cult_tunnel || s->turn.flown == cell + 1);
}

bool can_fly(const struct world *w, const struct state *s, int seat, int cell)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    if (f->flight == FLY_NONE)
        return false;
    if (s->phase == PHASE_CULT) {
        if (!can_fly_for_cult(s, seat, cell))
            return false;
    } else if (s->phase != PHASE_ACTIONS) {
        return false;
    } else if (s->turn.flown == cell + 1) {
        return true;
    } else if (s->turn.flown) {
        return false;
    } else {
        int purse = f->flight == FLY_TUNNEL ? p->workers : p->priests;
        if (purse < flight_price(s, seat))
            return false;
    }
    return cells_has(reach_flying(w, s, seat), cell);
}

/* ---- terrain ---- */

struct cells soft_cells(const struct world *w, const struct state *s)
{
    struct cells hard = cells_or(s->colour[ICE], s->colour[VOLCANO]);
    return cells_without(w->land, cells_or(hard, s->occupied));
}

struct cells home_cells(const struct world *w, const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    struct cells all = {{0}};
    if (faction_of(p)->unlocks) {
        for (int colour = 0; colour < COLOURS; colour++)
            if (p->unlocked >> colour & 1)
                all = cells_or(all, s->colour[colour]);
    } else if (p->home <= VOLCANO) {
        all = s->colour[p->home];
    }
    return cells_without(cells_and(all, w->land), s->occupied);
}

bool is_home(const struct state *s, int seat, int cell)
{
    const struct seat *p = &s->seat[seat];
    int terrain = s->terrain[cell];
    if (faction_of(p)->unlocks)
        return terrain < COLOURS && (p->unlocked >> terrain & 1);
    return terrain == p->home;
}

bool is_home_colour(const struct world *w, const struct state *s, int colour,
                    int except)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (seat != except && s->seat[seat].faction != NO_FACTION &&
            s->seat[seat].home == colour)
            return true;
    return false;
}

/* mystica §6.1.3: the walk over the wheel must stop at home, so home may not
 * lie strictly between both ends.  0: that way is closed. */
static int wheel_way(int home, int from, int steps, int direction)
{
    int gap = direction > 0 ? home - from : from - home;
    gap = (gap + COLOURS) % COLOURS;
    return gap > 0 && gap < steps ? 0 : steps;
}

/* Spades for so many steps; the Drill saves one next to it (mystica §18.6). */
static int drilled(int steps, bool drill)
{
    return drill && steps > 1 ? steps - 1 : steps;
}

static int wheel_spades(const struct world *w, int home, int from, int target,
                        int exact, bool drill)
{
    int up = (target - from + COLOURS) % COLOURS, down = COLOURS - up;
    if (up == 0)
        return 0;
    if (w->option[OPT_LOOSE_DIG])
        return drilled(min_int(up, down), drill);
    up = drilled(wheel_way(home, from, up, +1), drill);
    down = drilled(wheel_way(home, from, down, -1), drill);
    if (exact)
        return up == exact || down == exact ? exact : 0;
    return up && down ? min_int(up, down) : max_int(up, down);
}

static int ice_spades(const struct world *w, int ring, int from, int target,
                      int exact, bool drill)
{
    if (target == ICE) {
        if (from == ring)
            return 1;
        return wheel_spades(w, ring, from, ring, exact, drill);
    }
    if (target == ring && !w->compat)
        return 0;
    return wheel_spades(w, ring, from, target, exact, drill);
}

static int spades_between(const struct world *w, const struct seat *p, int from,
                          int target, int exact, bool drill)
{
    if (from >= COLOURS || target > ICE)
        return 0;
    switch (faction_of(p)->digging) {
    case DIG_WHEEL:
        return target < COLOURS
                   ? wheel_spades(w, p->home, from, target, exact, drill)
                   : 0;
    case DIG_TWO:
        return target == p->home && from != target ? 2 : 0;
    case DIG_ICE:
        return ice_spades(w, p->colour, from, target, exact, drill);
    default:
        return 0;
    }
}

struct cells drilled_cells(const struct world *w, const struct state *s,
                           int seat)
{
    const struct seat *p = &s->seat[seat];
    struct cells none = {{0}};
    return has_tile(p, TILE_DRILL) ? touching(w, s, p->tile - 1) : none;
}

int spades_needed(const struct world *w, const struct state *s, int seat,
                  int cell, int target, int exact)
{
    bool drill = cells_has(drilled_cells(w, s, seat), cell);
    return spades_between(w, &s->seat[seat], s->terrain[cell], target, exact,
                          drill);
}

unsigned spade_targets(const struct world *w, const struct seat *p, int from,
                       int spades, bool exact, bool drill)
{
    unsigned mask = 0;
    for (int target = 0; target <= ICE; target++) {
        int need =
            spades_between(w, p, from, target, exact ? spades : 0, drill);
        if (need && (exact ? need == spades : need <= spades))
            mask |= 1u << target;
    }
    return mask;
}

/* The longest walk from a colour that does not pass through home. */
static int longest_walk(const struct world *w, int home, int from)
{
    if (w->option[OPT_LOOSE_DIG])
        return 3;
    int gap = (home - from + COLOURS) % COLOURS;
    return gap == 0 ? 6 : max_int(gap, COLOURS - gap);
}

unsigned spade_counts(const struct world *w, const struct seat *p, int from,
                      bool drill)
{
    enum digging digging = faction_of(p)->digging;
    if (digging == DIG_TWO)
        return from == p->home ? 0 : 1u << 2;
    if (digging != DIG_WHEEL && digging != DIG_ICE)
        return 0;
    int home = digging == DIG_ICE ? p->colour : p->home;
    int most = drilled(longest_walk(w, home, from), drill);
    return (2u << most) - 2;
}

/* ---- clusters ---- */

/* mystica §9: a skipped river cell joins all Mermaid structures around it. */
static struct cells over_rivers(const struct world *w, struct cells rivers,
                                int cell)
{
    struct cells all = {{0}};
    rivers = cells_and(rivers, w->near[cell]);
    while (!cells_none(rivers))
        all = cells_or(all, w->near[cells_take(&rivers)]);
    return all;
}

struct cells cluster(const struct world *w, const struct state *s, int seat,
                     int cell, int river)
{
    const struct seat *p = &s->seat[seat];
    struct cells found = {{0}}, rivers = {{0}};
    if (faction_of(p)->skips_river)
        rivers = s->skipped;
    if (river >= 0)
        cells_add(&rivers, river);
    cells_add(&found, cell);
    struct cells todo = found;
    while (!cells_none(todo)) {
        int at = cells_take(&todo);
        struct cells next = touching(w, s, at);
        if (!cells_none(rivers))
            next = cells_or(next, over_rivers(w, rivers, at));
        next = cells_without(cells_and(next, p->own), found);
        found = cells_or(found, next);
        todo = cells_or(todo, next);
    }
    return found;
}

void cluster_size(const struct state *s, int seat, struct cells part,
                  int *power, int *structures)
{
    *power = *structures = 0;
    while (!cells_none(part)) {
        int piece = s->piece[cells_take(&part)];
        *power += power_value(&s->seat[seat], piece);
        *structures += piece == SANCTUARY ? 2 : 1;
    }
}

bool makes_town(const struct state *s, int seat, struct cells part)
{
    int power, structures;
    cluster_size(s, seat, part, &power, &structures);
    return structures >= 4 && power >= (has_favour(&s->seat[seat], 5) ? 6 : 7);
}

void neighbour_power(const struct world *w, const struct state *s, int seat,
                     int cell, int power[SEATS])
{
    memset(power, 0, SEATS * sizeof *power);
    struct cells near = cells_and(touching(w, s, cell), s->occupied);
    while (!cells_none(near)) {
        int at = cells_take(&near), owner = s->owner[at];
        if (owner != seat)
            power[owner] += power_value(&s->seat[owner], s->piece[at]);
    }
}

bool has_neighbour(const struct world *w, const struct state *s, int seat,
                   int cell)
{
    struct cells others = cells_without(s->occupied, s->seat[seat].own);
    return cells_meet(touching(w, s, cell), others);
}

/* ---- bridges ---- */

static bool bridged(const struct state *s, int a, int b)
{
    for (int i = 0; i < s->bridge_count; i++)
        if ((s->bridge[i].a == a && s->bridge[i].b == b) ||
            (s->bridge[i].a == b && s->bridge[i].b == a))
            return true;
    return false;
}

/* mystica §18.8: from the Tower over the edge between any two cells. */
static struct cells land_bridges(const struct world *w, int tower)
{
    struct cells all = {{0}};
    struct cells ring = w->skip[1][tower];
    ring = cells_without(cells_and(ring, w->land), w->near[tower]);
    while (!cells_none(ring)) {
        int end = cells_take(&ring);
        if (cells_count(cells_and(w->near[tower], w->near[end])) == 2)
            cells_add(&all, end);
    }
    return all;
}

struct cells bridge_ends(const struct world *w, const struct state *s, int seat,
                         int cell)
{
    const struct seat *p = &s->seat[seat];
    struct cells ends = w->span[cell];
    if (has_tile(p, TILE_TOWER) && p->tile == cell + 1)
        ends = cells_or(ends, land_bridges(w, cell));
    return ends;
}

bool can_bridge(const struct world *w, const struct state *s, int seat, int a,
                int b)
{
    const struct seat *p = &s->seat[seat];
    if (p->bridges >= 3 || s->bridge_count >= BRIDGES)
        return false;
    if (!cells_has(bridge_ends(w, s, seat, a), b) &&
        !cells_has(bridge_ends(w, s, seat, b), a))
        return false;
    if (!cells_has(p->own, a) && !cells_has(p->own, b) &&
        !w->option[OPT_LOOSE_BRIDGE])
        return false;
    return w->compat || !bridged(s, a, b);
}

bool any_bridge(const struct world *w, const struct state *s, int seat)
{
    for (struct cells own = s->seat[seat].own; !cells_none(own);) {
        int a = cells_take(&own);
        struct cells ends = bridge_ends(w, s, seat, a);
        while (!cells_none(ends))
            if (can_bridge(w, s, seat, a, cells_take(&ends)))
                return true;
    }
    return false;
}
