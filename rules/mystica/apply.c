/* rules/mystica/apply.c: playing one action, and leaving the table.
 *
 * Every kind of action has its own small function; all trust that the action
 * is legal. */
#include "rules/mystica/apply.h"

/* ---- prices ---- */

static void pay(struct seat *p, int workers, int coins, int priests)
{
    p->workers = (int16_t)(p->workers - workers);
    p->coins = (int16_t)(p->coins - coins);
    p->priests = (uint8_t)(p->priests - priests);
    check(p->workers >= 0 && p->coins >= 0 && p->priests <= PRIESTS);
}

/* mystica §6.2: a trading house alone costs twice the coins. */
struct price upgrade_price(const struct world *w, const struct state *s,
                           int seat, int cell, int piece)
{
    struct price price = faction_of(&s->seat[seat])->build[piece];
    if (piece == TRADING && !has_neighbour(w, s, seat, cell))
        price.coins = (int8_t)(2 * price.coins);
    return price;
}

int spade_price(const struct seat *p)
{
    const struct faction *f = faction_of(p);
    return f->spade_priests ? f->spade_priests : f->dig_rate[p->dig];
}

int volcano_price(const struct world *w, const struct state *s, int seat,
                  int cell)
{
    bool home = is_home_colour(w, s, s->terrain[cell], seat);
    if (faction_of(&s->seat[seat])->digging == DIG_VOLCANO_CULT)
        return home ? 4 : 3;
    return home ? 2 : 1;
}

int power_price(const struct seat *p, int space)
{
    return power_actions[space].cost - faction_of(p)->power_discount;
}

int unlock_price(const struct world *w, const struct state *s, int seat,
                 int colour)
{
    return is_home_colour(w, s, colour, seat) ? 2 : 1;
}

int find_offer(const struct state *s, int to, int from, int amount)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].to == to && s->offer[i].from == from &&
            s->offer[i].amount == amount)
            return i;
    return -1;
}

/* ---- setup ---- */

static void play_pick(const struct world *w, struct state *s, int seat,
                      action a)
{
    s->fence++;
    if (s->phase == PHASE_NOMINATE) {
        s->layout[s->step++] = (uint8_t)(act_a(a) + 1);
        return;
    }
    enter_faction(w, s, seat, act_a(a), -1);
}

static void play_bid(const struct world *w, struct state *s, int seat, action a)
{
    int at = act_a(a);
    s->bid[at] = (uint8_t)(act_b(a) + 1);
    s->holder[at] = (uint8_t)(seat + 1);
    for (int i = 0; i < w->seats; i++)
        if (s->seating[i] == seat)
            s->step = (uint8_t)((i + 1) % w->seats);
    s->fence++;
}

/* mystica §12: every cell with an own structure takes the new colour. */
static void change_home(struct state *s, int seat, int colour)
{
    struct seat *p = &s->seat[seat];
    p->home = p->colour = (uint8_t)colour;
    for (struct cells own = p->own; !cells_none(own);)
        set_terrain(s, cells_take(&own), colour);
}

static void play_colour(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    int colour = act_a(a);
    (void)w;
    if (s->phase != PHASE_ACTIONS) {
        p->colour = (uint8_t)colour;
        if (faction_of(p)->unlocks)
            p->unlocked = (uint8_t)(1 << colour);
        else if (p->home == VARIABLE)
            p->home = (uint8_t)colour;
        s->fence++;
    } else {
        change_home(s, seat, colour);
    }
    if (p->colour_due)
        p->colour_due = 0;
    else
        s->turn.free &= (uint8_t)~FREE_COLOUR;
}

/* ---- dwellings ---- */

static void place_start(struct state *s, int seat, int cell)
{
    struct seat *p = &s->seat[seat];
    if (p->home == ICE || p->home == VOLCANO)
        set_terrain(s, cell, p->home);
    put_piece(s, seat, cell, DWELLING);
    s->step++;
    s->fence++;
}

/* Pays for tunnel or carpet unless the cell is reached otherwise or was flown
 * to before in this turn (mystica §6.1.7). */
static void reach_cell(const struct world *w, struct state *s, int seat,
                       int cell)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    if (f->flight == FLY_NONE || s->turn.flown == cell + 1 ||
        cells_has(reach(w, s, seat), cell))
        return;
    int price = flight_price(s, seat);
    if (s->phase == PHASE_CULT)
        s->cult_tunnel = true;
    else if (f->flight == FLY_TUNNEL)
        pay(p, price, 0, 0);
    else
        pay(p, 0, 0, price);
    if (has_tile(p, TILE_SCHOOL))
        p->coins = (int16_t)(p->coins + 2);
    s->turn.flown = (uint8_t)(cell + 1);
    gain_vp(s, seat, 4, VP_ABILITY);
}

static void dwelling_vp(struct state *s, int seat)
{
    gain_round_vp(s, seat, SCORED_DWELLING, 1);
    if (has_favour(&s->seat[seat], 11))
        gain_vp(s, seat, 2, VP_FAVOUR);
}

static bool goes_on(const struct state *s, int seat, int cell)
{
    const struct turn *t = &s->turn;
    if (!(t->work & WORK_BUILD) || s->seat[seat].spades)
        return false;
    return !(t->work & WORK_CHANGED) || cells_has(t->made, cell);
}

static void play_build(const struct world *w, struct state *s, int seat,
                       action a)
{
    struct seat *p = &s->seat[seat];
    int cell = act_a(a);
    if (s->phase == PHASE_DWELL) {
        place_start(s, seat, cell);
        return;
    }
    if (s->turn.free & FREE_DWELLING) {
        s->turn.free &= (uint8_t)~FREE_DWELLING;
    } else {
        if (!goes_on(s, seat, cell))
            begin_action(w, s, seat);
        reach_cell(w, s, seat, cell);
        struct price price = faction_of(p)->build[DWELLING];
        pay(p, price.workers, price.coins, 0);
    }
    s->turn.work = 0;
    s->turn.made = (struct cells){{0}};
    s->turn.away = 0;
    dwelling_vp(s, seat);
    put_piece(s, seat, cell, DWELLING);
    build_event(w, s, seat, cell);
}

/* ---- spades ---- */

static void play_dig(const struct world *w, struct state *s, int seat, action a)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    int spades = act_a(a);
    if (!(s->turn.work & WORK_OPEN))
        begin_action(w, s, seat);
    s->turn.work |= WORK_OPEN | WORK_BUILD;
    if (f->digging == DIG_VOLCANO_CULT || f->digging == DIG_VOLCANO_TOKEN) {
        s->turn.work |= WORK_VOLCANO;
        return;
    }
    int price = spades * spade_price(p);
    if (f->spade_priests)
        pay(p, 0, 0, price);
    else
        pay(p, price, 0, 0);
    s->turn.work |= WORK_BOUGHT;
    gain_vp(s, seat, spades * f->bought_spade_vp, VP_ABILITY);
    gain_spades(s, seat, spades);
}

static void pay_volcano(struct state *s, int seat, int price)
{
    struct seat *p = &s->seat[seat];
    s->turn.work &= (uint8_t)~WORK_VOLCANO;
    if (faction_of(p)->digging == DIG_VOLCANO_CULT)
        p->pay_due = (uint8_t)price;
    else
        lose_tokens(p, price);
}

/* mystica §6.1.4: of several cells one may end in a foreign colour. */
static void note_change(struct state *s, int seat, int cell)
{
    struct turn *t = &s->turn;
    t->work |= WORK_CHANGED;
    if (is_home(s, seat, cell)) {
        cells_add(&t->made, cell);
        if (t->away == cell + 1)
            t->away = 0;
    } else {
        cells_drop(&t->made, cell);
        t->away = (uint8_t)(cell + 1);
    }
}

static void use_spades(const struct world *w, struct state *s, int seat,
                       int cell, int target)
{
    struct seat *p = &s->seat[seat];
    int exact = s->turn.work & WORK_BOUGHT ? p->spades : 0;
    int need = spades_needed(w, s, seat, cell, target, exact);
    p->spades = (uint8_t)(p->spades - need);
}

static void play_transform(const struct world *w, struct state *s, int seat,
                           action a)
{
    int cell = act_a(a), target = act_b(a);
    if (s->turn.free & FREE_TRANSFORM) {
        s->turn.free &= (uint8_t)~FREE_TRANSFORM;
        s->turn.work = WORK_OPEN | WORK_BUILD;
    } else {
        reach_cell(w, s, seat, cell);
        if (s->turn.work & WORK_VOLCANO)
            pay_volcano(s, seat, volcano_price(w, s, seat, cell));
        else
            use_spades(w, s, seat, cell, target);
    }
    set_terrain(s, cell, target);
    if (s->phase == PHASE_ACTIONS)
        note_change(s, seat, cell);
    else
        s->fence++;
}

/* ---- special terrain tiles ---- */

/* What the tile brings at once (mystica §18 G19). */
static void tile_once(struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    switch (f->effect) {
    case TILE_WORKSHOP:
        s->turn.free |= FREE_SHIP | FREE_DIG;
        break;
    case TILE_CAVE:
        s->turn.free |= FREE_DIG;
        break;
    case TILE_STAR:
        s->turn.free |= FREE_COLOUR;
        break;
    case TILE_PEAK:
        p->bowl[2] = (uint8_t)(p->bowl[2] + 2);
        break;
    default:
        break;
    }
}

/* The price of the placement: spades, sandstorm, tokens, priest, nothing. */
static void pay_place(const struct world *w, struct state *s, int seat,
                      int cell)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    if (s->turn.free & FREE_PORTAL) {
        s->turn.free = 0;
    } else if (s->turn.free & FREE_TRANSFORM) {
        s->turn.free = 0;
        s->turn.work = WORK_OPEN;
    } else if (f->effect == TILE_PALACE) {
        begin_action(w, s, seat);
        pay(p, 0, 0, 1);
    } else if (f->effect == TILE_REEF) {
        p->spades--;
    } else {
        reach_cell(w, s, seat, cell);
        if (s->turn.work & WORK_VOLCANO)
            pay_volcano(
                s, seat,
                f->effect == TILE_ALTAR ? 3 : volcano_price(w, s, seat, cell));
        else
            use_spades(w, s, seat, cell, p->home);
    }
}

static void play_place(const struct world *w, struct state *s, int seat,
                       action a)
{
    struct seat *p = &s->seat[seat];
    int cell = act_a(a);
    pay_place(w, s, seat, cell);
    if (s->turn.work)
        s->turn.work |= WORK_CHANGED;
    if (s->turn.away == cell + 1)
        s->turn.away = 0;
    if (s->terrain[cell] != RIVER)
        set_terrain(s, cell, p->home);
    p->tile = (uint8_t)(cell + 1);
    s->turn.fresh = (uint8_t)(cell + 1);
    if (faction_of(p)->effect == TILE_CAMP)
        dwelling_vp(s, seat);
    put_piece(s, seat, cell, SPECIAL);
    build_event(w, s, seat, cell);
    tile_once(s, seat);
}

/* ---- upgrades ---- */

static void stronghold_built(const struct world *w, struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    gain_vp(s, seat, f->sh_vp, VP_ABILITY);
    gain_power(p, f->sh_power);
    p->favours_due = (uint8_t)(p->favours_due + f->sh_favours);
    p->bridges_due =
        (uint8_t)(p->bridges_due + min_int(f->sh_bridges, 3 - p->bridges));
    p->trade_due = (uint8_t)f->sh_trade;
    if (f->sh_tokens)
        p->bowl[0] = (uint8_t)(p->bowl[0] + w->seats);
    if (f->sh_ship)
        ship_up(s, seat);
    if (f->sh_spades) {
        s->turn.work = WORK_OPEN | WORK_BUILD | WORK_SPREAD | WORK_FIXED;
        gain_spades(s, seat, f->sh_spades);
    }
    if (f->effect == TILE_PORTAL && (w->tiles >> p->faction & 1) && !p->tile)
        s->turn.free |= FREE_PORTAL;
}

/* mystica §18.15: a temple brings a spade that must be used. */
static void valley_spade(struct state *s, int seat)
{
    if (!has_tile(&s->seat[seat], TILE_VALLEY))
        return;
    s->turn.work = WORK_OPEN | WORK_FORCED | WORK_FIXED;
    gain_spades(s, seat, 1);
}

static void upgrade_gains(const struct world *w, struct state *s, int seat,
                          int piece)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    switch (piece) {
    case TRADING:
        gain_round_vp(s, seat, SCORED_TRADING, 1);
        if (has_favour(p, 10))
            gain_vp(s, seat, 3, VP_FAVOUR);
        break;
    case TEMPLE:
        p->favours_due = (uint8_t)(p->favours_due + f->favours);
        gain_round_vp(s, seat, SCORED_TEMPLE, 1);
        valley_spade(s, seat);
        break;
    case STRONGHOLD:
        gain_round_vp(s, seat, SCORED_GREAT, 1);
        stronghold_built(w, s, seat);
        break;
    default:
        p->favours_due = (uint8_t)(p->favours_due + f->favours);
        gain_round_vp(s, seat, SCORED_GREAT, 1);
        break;
    }
}

static void play_upgrade(const struct world *w, struct state *s, int seat,
                         action a)
{
    struct seat *p = &s->seat[seat];
    int cell = act_a(a), piece = act_b(a);
    if (s->turn.free & FREE_TRADING) {
        s->turn.free &= (uint8_t)~FREE_TRADING;
    } else {
        begin_action(w, s, seat);
        struct price price = upgrade_price(w, s, seat, cell, piece);
        pay(p, price.workers, price.coins, 0);
    }
    put_piece(s, seat, cell, piece);
    upgrade_gains(w, s, seat, piece);
    build_event(w, s, seat, cell);
    if (!favours_open(s, seat))
        p->favours_due = 0;
}

/* ---- tracks ---- */

static void play_ship(const struct world *w, struct state *s, int seat,
                      action a)
{
    struct seat *p = &s->seat[seat];
    (void)a;
    if (s->turn.free & FREE_SHIP) {
        s->turn.free &= (uint8_t)~FREE_SHIP;
        pay(p, 0, SHIP_COINS, 0);
    } else {
        begin_action(w, s, seat);
        pay(p, 0, SHIP_COINS, 1);
    }
    ship_up(s, seat);
}

static void play_spade(const struct world *w, struct state *s, int seat,
                       action a)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    (void)a;
    if (s->turn.free & FREE_DIG) {
        s->turn.free &= (uint8_t)~FREE_DIG;
        if (f->effect != TILE_CAVE)
            pay(p, f->dig_cost.workers, f->dig_cost.coins, 0);
    } else {
        begin_action(w, s, seat);
        pay(p, f->dig_cost.workers, f->dig_cost.coins, f->dig_cost.priests);
    }
    dig_up(s, seat);
}

static void play_send(const struct world *w, struct state *s, int seat,
                      action a)
{
    struct seat *p = &s->seat[seat];
    int track = act_a(a), steps = act_b(a);
    begin_action(w, s, seat);
    pay(p, 0, 0, 1);
    if (steps > 1) {
        int space = steps == 3 ? 0 : 1;
        while (s->priest[track][space])
            space++;
        s->priest[track][space] = (uint8_t)(seat + 1);
        p->placed++;
    }
    if (p->count[STRONGHOLD])
        steps += faction_of(p)->send_steps;
    cult_up(w, s, seat, track, steps);
}

/* ---- action spaces ---- */

static void open_spades(struct state *s, int seat, int spades)
{
    if (faction_of(&s->seat[seat])->spade_use == SPADE_DIG) {
        s->turn.work = WORK_OPEN | WORK_BUILD;
        if (spades > 1)
            s->turn.work |= WORK_SPREAD;
    }
    gain_spades(s, seat, spades);
}

static void power_space(struct state *s, int seat, int space)
{
    struct seat *p = &s->seat[seat];
    const struct power_action *power = &power_actions[space];
    spend_power(p, power_price(p, space));
    s->used |= (uint8_t)(1 << space);
    gain_income(p, &power->gain, 1);
    p->bridges_due = (uint8_t)(p->bridges_due + power->bridges);
    if (power->spades)
        open_spades(s, seat, power->spades);
}

static void faction_space(struct state *s, int seat, int space)
{
    struct seat *p = &s->seat[seat];
    p->used_ability = true;
    switch (space) {
    case ACTA:
        p->block_due = 2;
        break;
    case ACTC:
        s->turn.left = 2;
        s->turn.doubled = true;
        s->turn.acted = false;
        break;
    case ACTG:
        open_spades(s, seat, 2);
        break;
    case ACTN:
        s->turn.free = FREE_TRANSFORM;
        break;
    case ACTS:
        s->turn.free = FREE_TRADING;
        break;
    default:
        s->turn.free = FREE_DWELLING;
        break;
    }
}

static void shape_space(const struct world *w, struct state *s, int seat,
                        int space)
{
    struct seat *p = &s->seat[seat];
    const struct shape_rule *rule = &shape_rules[w->option[OPT_VARIABLE]];
    if (space == ACTH5)
        spend_power(p, rule->cost);
    else
        lose_tokens(p, rule->cost);
    gain_vp(s, seat, rule->vp, VP_ABILITY);
    p->colour_due = 1;
    p->shifts++;
}

static void play_action(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    int space = act_a(a);
    begin_action(w, s, seat);
    if (space <= ACT6) {
        power_space(s, seat, space);
    } else if (space == ACT_BON1 || space == ACT_BON2) {
        s->used_card |= (uint16_t)(1 << (space - ACT_BON1 + 1));
        if (space == ACT_BON1)
            open_spades(s, seat, 1);
        else
            p->steps_due++;
    } else if (space == ACT_FAV6) {
        p->used_favour = true;
        p->steps_due++;
    } else if (space == ACTE) {
        pay(p, 2, 0, 0);
        p->bridges_due++;
    } else if (space == ACTH5 || space == ACTH6) {
        shape_space(w, s, seat, space);
    } else {
        faction_space(s, seat, space);
    }
}

/* ---- free exchanges ---- */

static void play_convert(const struct world *w, struct state *s, int seat,
                         action a)
{
    struct seat *p = &s->seat[seat];
    int kind = act_a(a), times = act_b(a);
    const struct conversion *c = &conversions[kind];
    int give = times * c->give, get = times * c->get;
    (void)w;
    if (c->from[0] == 'P' && c->from[1] == 'W')
        spend_power(p, give);
    else if (c->from[0] == 'V')
        gain_vp(s, seat, -give, VP_CONVERT);
    else
        pay(p, c->from[0] == 'W' ? give : 0, c->from[0] == 'C' ? give : 0,
            c->from[0] == 'P' ? give : 0);
    if (c->to[0] == 'C')
        p->coins = (int16_t)(p->coins + get);
    else if (c->to[0] == 'W')
        p->workers = (int16_t)(p->workers + get);
    else if (c->to[0] == 'P')
        gain_priests(p, get);
    else
        gain_vp(s, seat, get, VP_CONVERT);
    p->trade_due = 0; /* mystica §12: the first conversion ends that right */
}

static void play_burn(const struct world *w, struct state *s, int seat,
                      action a)
{
    struct seat *p = &s->seat[seat];
    (void)w;
    p->bowl[1] = (uint8_t)(p->bowl[1] - 2 * act_a(a));
    p->bowl[2] = (uint8_t)(p->bowl[2] + act_a(a));
}

/* ---- rights ---- */

static void play_favour(const struct world *w, struct state *s, int seat,
                        action a)
{
    take_favour(w, s, seat, act_a(a));
    if (s->phase == PHASE_PICK)
        s->fence++;
}

static void play_town(const struct world *w, struct state *s, int seat,
                      action a)
{
    take_town(w, s, seat, act_a(a), act_b(a));
}

static void play_step(const struct world *w, struct state *s, int seat,
                      action a)
{
    struct seat *p = &s->seat[seat];
    int steps = act_b(a);
    if (p->block_due && steps == p->block_due)
        p->block_due = 0;
    else if (p->steps_due) /* else a late key, moved by hand */
        p->steps_due = (uint8_t)(p->steps_due - steps);
    else
        p->stopped &= (uint8_t) ~(1 << act_a(a));
    cult_up(w, s, seat, act_a(a), steps);
    if (seat != s->active || s->phase != PHASE_ACTIONS) {
        p->stopped = 0;
        s->fence++;
    }
}

static void play_down(const struct world *w, struct state *s, int seat,
                      action a)
{
    uint8_t *level = &s->seat[seat].cult[act_a(a)];
    (void)w;
    *level = (uint8_t)(*level - act_b(a));
}

static void play_pay(const struct world *w, struct state *s, int seat, action a)
{
    (void)w;
    s->seat[seat].pay_due = 0;
    cult_down(s, seat, act_a(a), act_b(a));
}

static void play_bridge(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    int from = act_a(a), to = act_b(a);
    p->bridges_due--;
    p->bridges++;
    s->bridge[s->bridge_count++] =
        (struct bridge){(uint8_t)seat, (uint8_t)from, (uint8_t)to};
    town_check(w, s, seat, from);
    town_check(w, s, seat, to);
}

/* Mermaids skip a river cell; a land cell names the town to be joined. */
static void play_connect(const struct world *w, struct state *s, int seat,
                         action a)
{
    int river = act_a(a);
    if (!cells_has(w->river, river)) {
        town_join(w, s, seat, s->town[river]);
        return;
    }
    cells_add(&s->skipped, river);
    struct cells around = cells_and(w->near[river], s->seat[seat].own);
    town_check(w, s, seat, cells_take(&around));
}

static void play_unlock(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    int colour = act_a(a);
    p->unlock_due--;
    if (colour == KEEP_PRIEST) {
        p->priests = (uint8_t)max_int(p->priests,
                                      min_int(p->priests + 1, priest_cap(p)));
    } else {
        pay(p, 0, unlock_price(w, s, seat, colour), 0);
        p->unlocked |= (uint8_t)(1 << colour);
    }
    if (s->phase != PHASE_ACTIONS)
        s->fence++;
}

static void play_token(const struct world *w, struct state *s, int seat,
                       action a)
{
    struct seat *p = &s->seat[seat];
    (void)w;
    p->tokens_due--;
    if (act_a(a)) {
        p->bowl[2]++;
        gain_vp(s, seat, -1, VP_ABILITY);
    }
    s->fence++;
}

static void play_ravens(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    p->ravens_due--;
    if (act_a(a) == RAVENS_VP)
        gain_vp(s, seat, faction_of(p)->town_vp, VP_ABILITY);
    else
        cult_up(w, s, seat, act_a(a), 3);
}

static void play_forfeit(const struct world *w, struct state *s, int seat,
                         action a)
{
    struct seat *p = &s->seat[seat];
    (void)w;
    switch ((enum forfeit)act_a(a)) {
    case LOSE_SPADE:
        p->spades = (uint8_t)(p->spades - act_b(a));
        break;
    case LOSE_BRIDGE:
        p->bridges_due--;
        break;
    case LOSE_TRADE:
        p->trade_due = 0;
        break;
    case LOSE_TRANSFORM:
        s->turn.free &= (uint8_t)~FREE_TRANSFORM;
        break;
    case LOSE_TRADING:
        s->turn.free &= (uint8_t)~FREE_TRADING;
        break;
    case LOSE_DWELLING:
        s->turn.free &= (uint8_t)~FREE_DWELLING;
        break;
    case LOSE_STEP:
        p->steps_due = p->block_due = 0;
        break;
    default:
        p->favours_due = 0;
        break;
    }
    if (s->phase != PHASE_ACTIONS)
        s->fence++;
}

/* Corrections by hand, as in the oldest public games. */
static void play_adjust(const struct world *w, struct state *s, int seat,
                        action a)
{
    struct seat *p = &s->seat[seat];
    int amount = act_b(a) - 128;
    (void)w;
    s->adjusted++;
    switch (act_a(a)) {
    case 0:
        p->coins = (int16_t)(p->coins + amount);
        break;
    case 1:
        p->workers = (int16_t)(p->workers + amount);
        break;
    case 2:
        p->priests = (uint8_t)(p->priests + amount);
        break;
    case 4:
        gain_power(p, amount);
        break;
    default:
        gain_vp(s, seat, amount, VP_CONVERT);
        break;
    }
}

/* ---- offers ---- */

static void play_leech(const struct world *w, struct state *s, int seat,
                       action a)
{
    struct seat *p = &s->seat[seat];
    int index = find_offer(s, seat, act_a(a), act_b(a));
    int gain = offer_gain(p, act_b(a));
    gain_power(p, gain);
    if (gain > 1)
        gain_vp(s, seat, 1 - gain, VP_POWER);
    answer_offer(w, s, index, gain > 0 ? ANSWER_ACCEPT : ANSWER_VOID);
    settle_offers(w, s, seat);
    s->fence++;
}

static void play_decline(const struct world *w, struct state *s, int seat,
                         action a)
{
    int index = find_offer(s, seat, act_a(a), act_b(a));
    int gain = offer_gain(&s->seat[seat], act_b(a));
    answer_offer(w, s, index, gain > 0 ? ANSWER_REFUSE : ANSWER_VOID);
    s->fence++;
}

/* mystica §18.14: a coin instead of the whole offer. */
static void play_coin(const struct world *w, struct state *s, int seat,
                      action a)
{
    s->seat[seat].coins++;
    play_decline(w, s, seat, a);
}

/* ---- the end of a turn ---- */

static void take_card(struct state *s, int seat, int card)
{
    struct seat *p = &s->seat[seat];
    p->coins = (int16_t)(p->coins + s->card_coins[card]);
    s->card_coins[card] = 0;
    p->card = (uint8_t)card;
}

static void play_pass(const struct world *w, struct state *s, int seat,
                      action a)
{
    struct seat *p = &s->seat[seat];
    if (s->phase == PHASE_CARDS) {
        take_card(s, seat, act_a(a));
        s->step++;
        s->fence++;
        return;
    }
    begin_action(w, s, seat);
    struct pass_vp vp = pass_vp(s, seat);
    gain_vp(s, seat, vp.card, VP_CARD);
    gain_vp(s, seat, vp.favour, VP_FAVOUR);
    gain_vp(s, seat, vp.ability, VP_ABILITY);
    take_card(s, seat, act_a(a));
    if (!p->passed)
        s->passing[s->passes++] = (uint8_t)seat;
    p->passed = true;
    if (w->option[OPT_STRICT_CHAOS])
        s->turn.left = 0;
}

static void play_done(const struct world *w, struct state *s, int seat,
                      action a)
{
    (void)seat;
    (void)a;
    end_turn(w, s);
}

/* ---- all of them ---- */

typedef void player(const struct world *w, struct state *s, int seat, action a);

static player *const players[KINDS] = {
    [DO_PICK] = play_pick,           [DO_BID] = play_bid,
    [DO_COLOUR] = play_colour,       [DO_BUILD] = play_build,
    [DO_PASS] = play_pass,           [DO_CONVERT] = play_convert,
    [DO_BURN] = play_burn,           [DO_DIG] = play_dig,
    [DO_TRANSFORM] = play_transform, [DO_PLACE] = play_place,
    [DO_UPGRADE] = play_upgrade,     [DO_SHIP] = play_ship,
    [DO_SPADE] = play_spade,         [DO_SEND] = play_send,
    [DO_ACTION] = play_action,       [DO_FAVOUR] = play_favour,
    [DO_TOWN] = play_town,           [DO_STEP] = play_step,
    [DO_DOWN] = play_down,           [DO_PAY] = play_pay,
    [DO_BRIDGE] = play_bridge,       [DO_CONNECT] = play_connect,
    [DO_LEECH] = play_leech,         [DO_DECLINE] = play_decline,
    [DO_COIN] = play_coin,           [DO_UNLOCK] = play_unlock,
    [DO_TOKEN] = play_token,         [DO_FORFEIT] = play_forfeit,
    [DO_RAVENS] = play_ravens,       [DO_ADJUST] = play_adjust,
    [DO_DONE] = play_done,
};

void play(const struct world *w, struct state *s, int seat, action a)
{
    enum kind kind = act_kind(a);
    check(kind > DO_NOTHING && kind < KINDS);
    bool answer = kind == DO_LEECH || kind == DO_DECLINE || kind == DO_COIN ||
                  kind == DO_TOKEN || kind == DO_DONE || kind == DO_ADJUST;
    if (s->phase == PHASE_ACTIONS && seat == s->active && !answer &&
        !(kind == DO_STEP && !s->turn.started))
        s->turn.started = true;
    players[kind](w, s, seat, a);
}

void mystica_apply(const struct world *w, struct state *s, int seat, action a)
{
    play(w, s, seat, a);
    advance(w, s);
}

/* ---- leaving ---- */

static int seats_left(const struct world *w, const struct state *s)
{
    int left = 0;
    for (int seat = 0; seat < w->seats; seat++)
        left += !s->seat[seat].dropped;
    return left;
}

static void drop_rights(struct seat *p)
{
    p->favours_due = p->towns_due = p->steps_due = p->block_due = 0;
    p->ravens_due = p->spades = p->bridges_due = p->unlock_due = 0;
    p->tokens_due = p->pay_due = p->colour_due = p->trade_due = 0;
}

/* mystica §14 */
void leave(const struct world *w, struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    p->dropped = true;
    s->card_coins[p->card] = 0;
    p->card = 0;
    drop_rights(p);
    for (int i = 0; i < s->offer_count;)
        if (s->offer[i].to == seat)
            answer_offer(w, s, i, ANSWER_VOID);
        else
            i++;
    for (int i = 0; i < SEATS; i++)
        if (s->holder[i] == seat + 1)
            s->holder[i] = s->bid[i] = 0;
    s->fence++;
    if (seats_left(w, s) < (w->compat ? 1 : 2)) {
        s->phase = PHASE_OVER;
        s->ending = ENDING_ABANDONED;
    } else if (s->phase == PHASE_ACTIONS && s->active == seat) {
        end_turn(w, s);
    }
}

void mystica_drop(const struct world *w, struct state *s, int seat)
{
    if (s->seat[seat].dropped || s->phase == PHASE_OVER)
        return;
    leave(w, s, seat);
    advance(w, s);
}

void mystica_stop(const struct world *w, struct state *s, int reason, int seat)
{
    (void)w;
    if (s->phase == PHASE_OVER)
        return;
    s->phase = PHASE_OVER;
    s->ending = (uint8_t)reason;
    s->stopped_by = (uint8_t)(seat + 1);
    s->fence++;
}
