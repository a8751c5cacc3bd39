/* rules/mystica/score.c: income, cult bonus, passing and end scoring. */
#include "rules/mystica/score.h"

const char *const income_names[INCOME_SOURCES] = {
    "dwellings", "trading houses", "temples",      "stronghold",
    "sanctuary", "bonus card",     "favour tiles",
};

/* ---- income ---- */

static void add_income(struct income *sum, const struct income *more)
{
    sum->coins = (int8_t)(sum->coins + more->coins);
    sum->workers = (int8_t)(sum->workers + more->workers);
    sum->priests = (int8_t)(sum->priests + more->priests);
    sum->power = (int8_t)(sum->power + more->power);
}

void income_parts(const struct state *s, int seat,
                  struct income parts[INCOME_SOURCES])
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    memset(parts, 0, INCOME_SOURCES * sizeof *parts);
    parts[FROM_DWELLINGS].workers = f->dwelling_workers[p->count[DWELLING]];
    parts[FROM_TRADING].coins = f->trading_coins[p->count[TRADING]];
    parts[FROM_TRADING].power = f->trading_power[p->count[TRADING]];
    parts[FROM_TEMPLES].priests = f->temple_priests[p->count[TEMPLE]];
    parts[FROM_TEMPLES].power = f->temple_power[p->count[TEMPLE]];
    if (p->count[STRONGHOLD])
        parts[FROM_STRONGHOLD] = f->stronghold;
    if (p->count[SANCTUARY])
        parts[FROM_SANCTUARY].priests = f->sanctuary_priests;
    parts[FROM_CARD] = cards[p->card].income;
    for (int tile = 1; tile <= FAVOURS; tile++)
        if (has_favour(p, tile))
            add_income(&parts[FROM_FAVOURS], &favours[tile].income);
}

struct income income_sum(const struct state *s, int seat)
{
    struct income parts[INCOME_SOURCES], sum = {0};
    income_parts(s, seat, parts);
    for (int i = 0; i < INCOME_SOURCES; i++)
        add_income(&sum, &parts[i]);
    return sum;
}

int cult_bonus_times(const struct state *s, int seat, int tile)
{
    const struct seat *p = &s->seat[seat];
    const struct score *t = &scores[tile];
    return t->track < 0 ? p->placed : p->cult[t->track] / t->levels;
}

void pay_cult_bonus(struct state *s, int seat, int tile)
{
    int times = cult_bonus_times(s, seat, tile);
    gain_income(&s->seat[seat], &scores[tile].bonus, times);
    gain_spades(s, seat, times * scores[tile].spades);
}

/* ---- passing ---- */

/* mystica §6.9: bridges with an own structure on both ends. */
static int full_bridges(const struct state *s, int seat)
{
    int count = 0;
    for (int i = 0; i < s->bridge_count; i++)
        count += s->bridge[i].owner == seat &&
                 cells_has(s->seat[seat].own, s->bridge[i].a) &&
                 cells_has(s->seat[seat].own, s->bridge[i].b);
    return count;
}

struct pass_vp pass_vp(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    const struct card *card = &cards[p->card];
    struct pass_vp vp = {0};
    for (int piece = DWELLING; piece <= SANCTUARY; piece++)
        vp.card += card->pass_vp[piece] * p->count[piece];
    if (has_tile(p, TILE_CAMP))
        vp.card += card->pass_vp[DWELLING];
    vp.card += card->pass_ship_vp * p->ship;
    if (has_favour(p, 12))
        vp.favour = favour12_vp[p->count[TRADING]];
    if (p->count[STRONGHOLD])
        vp.ability = f->pass_bridge_vp * full_bridges(s, seat) +
                     f->pass_temple_vp * p->count[TEMPLE];
    return vp;
}

/* ---- network ---- */

/* Own structures linked to a cell in the end scoring (mystica §10.1). */
static struct cells links(const struct world *w, const struct state *s,
                          int seat, int cell)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    struct cells all = touching(w, s, cell);
    int tile = p->tile - 1;
    if (f->skips_river)
        for (struct cells r = cells_and(s->skipped, w->near[cell]);
             !cells_none(r);)
            all = cells_or(all, w->near[cells_take(&r)]);
    if (p->ship) {
        all = cells_or(all, w->ship[p->ship][cell]);
        if (tile >= 0 && cells_has(w->ship[p->ship][tile], cell))
            cells_add(&all, tile);
    }
    if (f->flight == FLY_TUNNEL)
        all = cells_or(all, w->skip[1][cell]);
    if (f->flight == FLY_CARPET)
        all = cells_or(all, w->skip[min_int(1 + p->count[STRONGHOLD] + p->range,
                                            SKIP_MAX)][cell]);
    if (has_tile(p, TILE_TUNNEL)) {
        if (cell == tile)
            all = cells_or(all, w->skip[2][cell]);
        else if (cells_has(w->skip[2][tile], cell))
            cells_add(&all, tile);
    }
    return cells_and(all, p->own);
}

struct cells network_part(const struct world *w, const struct state *s,
                          int seat, int cell)
{
    struct cells found = {{0}};
    cells_add(&found, cell);
    struct cells todo = found;
    while (!cells_none(todo)) {
        struct cells next = links(w, s, seat, cells_take(&todo));
        next = cells_without(next, found);
        found = cells_or(found, next);
        todo = cells_or(todo, next);
    }
    return found;
}

static int part_distance(const struct world *w, struct cells part)
{
    int most = 0;
    for (struct cells a = part; !cells_none(a);) {
        int from = cells_take(&a);
        for (struct cells b = a; !cells_none(b);)
            most = max_int(most, w->distance[from][cells_take(&b)]);
    }
    return most;
}

static int part_sa_sh(const struct world *w, const struct state *s,
                      struct cells part)
{
    int stronghold = -1, sanctuary = -1;
    while (!cells_none(part)) {
        int cell = cells_take(&part);
        if (s->piece[cell] == STRONGHOLD)
            stronghold = cell;
        if (s->piece[cell] == SANCTUARY)
            sanctuary = cell;
    }
    return stronghold >= 0 && sanctuary >= 0
               ? w->distance[stronghold][sanctuary]
               : 0;
}

static int part_clusters(const struct world *w, const struct state *s, int seat,
                         struct cells part)
{
    int count = 0;
    for (; !cells_none(part); count++) {
        struct cells rest = part;
        part = cells_without(part, cluster(w, s, seat, cells_take(&rest), -1));
    }
    return count;
}

struct network network_of(const struct world *w, const struct state *s,
                          int seat)
{
    struct network best = {0};
    struct cells left = s->seat[seat].own;
    while (!cells_none(left)) {
        struct cells rest = left;
        struct cells part = network_part(w, s, seat, cells_take(&rest));
        left = cells_without(left, part);
        best.size = max_int(best.size, cells_count(part));
        if (s->final == FINAL_NONE)
            continue;
        best.distance = max_int(best.distance, part_distance(w, part));
        best.sa_sh = max_int(best.sa_sh, part_sa_sh(w, s, part));
        best.edge = max_int(best.edge, cells_count(cells_and(part, w->edge)));
        best.clusters = max_int(best.clusters, part_clusters(w, s, seat, part));
    }
    return best;
}

static int extra_value(const struct network *n, int tile)
{
    switch (tile) {
    case FINAL_DISTANCE:
        return n->distance;
    case FINAL_SA_SH:
        return n->sa_sh;
    case FINAL_EDGE:
        return n->edge;
    case FINAL_CLUSTERS:
        return n->clusters;
    default:
        return 0;
    }
}

/* ---- end scoring ---- */

/* mystica §10.4: tied places share their points, rounded down; with fewer
 * players than places the last places do not exist. */
static void rank(int seats, const int *value, const int points[3], int *out)
{
    for (int seat = 0; seat < seats; seat++) {
        int above = 0, tied = 0, sum = 0;
        for (int other = 0; other < seats; other++) {
            above += value[other] > value[seat];
            tied += value[other] == value[seat];
        }
        for (int place = above; place < above + tied; place++)
            sum += place < 3 ? points[place] : 0;
        out[seat] = value[seat] > 0 ? sum / tied : 0;
    }
}

int convert_rest(struct seat *p)
{
    int burnt = p->bowl[1] / 2;
    p->bowl[1] = (uint8_t)(p->bowl[1] - 2 * burnt);
    p->bowl[2] = (uint8_t)(p->bowl[2] + burnt);
    int power = p->bowl[2];
    spend_power(p, power);
    int coins = p->coins + power + p->priests + p->workers;
    int price = faction_of(p)->coins_per_vp;
    p->priests = 0;
    p->workers = 0;
    p->coins = (int16_t)(coins % price);
    return coins / price;
}

static void cult_scores(const struct world *w, const struct state *s, int track,
                        int *out)
{
    static const int points[3] = {8, 4, 2};
    int value[SEATS] = {0};
    for (int seat = 0; seat < w->seats; seat++) {
        const struct seat *p = &s->seat[seat];
        int level = p->faction == NO_FACTION ? 0 : p->cult[track];
        /* mystica §18.5: half a step, which is no level of its own. */
        if (level)
            value[seat] = 2 * level + has_tile(p, TILE_TIES);
    }
    rank(w->seats, value, points, out);
}

void final_scores(const struct world *w, const struct state *s,
                  struct final_score *out)
{
    static const int points[3] = {18, 12, 6};
    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < w->seats; seat++) {
        if (s->seat[seat].faction == NO_FACTION)
            continue;
        struct network n = network_of(w, s, seat);
        struct seat copy = s->seat[seat];
        out->network_value[seat] = n.size;
        out->extra_value[seat] = extra_value(&n, s->final);
        out->resources[seat] = convert_rest(&copy);
    }
    for (int track = 0; track < TRACKS; track++)
        cult_scores(w, s, track, out->cult[track]);
    rank(w->seats, out->network_value, points, out->network);
    rank(w->seats, out->extra_value, points, out->extra);
}

void score_end(const struct world *w, struct state *s)
{
    struct final_score f;
    final_scores(w, s, &f);
    for (int seat = 0; seat < w->seats; seat++) {
        if (s->seat[seat].faction == NO_FACTION)
            continue;
        gain_vp(s, seat, f.extra[seat], VP_EXTRA);
        for (int track = 0; track < TRACKS; track++)
            gain_vp(s, seat, f.cult[track][seat], VP_CULTS);
        gain_vp(s, seat, f.network[seat], VP_NETWORK);
        gain_vp(s, seat, convert_rest(&s->seat[seat]), VP_RESOURCES);
    }
}
