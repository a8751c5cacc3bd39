/* rules/mystica/scene.c: the table as front ends draw it, with reports.
 *
 * Everything is public, so every viewer gets the same table; the reports at
 * the end are for the viewer's seat, or for whoever is to act. */
#include "base/text.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/plan.h"
#include "rules/mystica/text.h"

/* ---- small pieces of JSON ---- */

/* Every key but the first of an object, which its writer puts itself. */
static void key(struct text *t, const char *name)
{
    text_put(t, ",\"");
    text_put(t, name);
    text_put(t, "\":");
}

static void key_int(struct text *t, const char *name, int number)
{
    key(t, name);
    text_int(t, number);
}

static void key_text(struct text *t, const char *name, const char *value)
{
    key(t, name);
    text_json(t, value);
}

static void key_flag(struct text *t, const char *name, bool flag)
{
    key(t, name);
    text_put(t, flag ? "true" : "false");
}

static void comma(struct text *t, int index)
{
    if (index)
        text_char(t, ',');
}

static void put_bytes(struct text *t, const uint8_t *number, int count)
{
    text_char(t, '[');
    for (int i = 0; i < count; i++) {
        comma(t, i);
        text_int(t, number[i]);
    }
    text_char(t, ']');
}

static void put_cells(struct text *t, const struct world *w, struct cells set)
{
    text_char(t, '[');
    for (int i = 0; !cells_none(set); i++) {
        comma(t, i);
        text_json(t, w->name[cells_take(&set)]);
    }
    text_char(t, ']');
}

static void put_income(struct text *t, const struct income *i)
{
    text_put(t, "{\"C\":");
    text_int(t, i->coins);
    key_int(t, "W", i->workers);
    key_int(t, "P", i->priests);
    key_int(t, "PW", i->power);
    text_char(t, '}');
}

/* ---- the board ---- */

static void put_cell(struct text *t, const struct world *w,
                     const struct state *s, int cell)
{
    int x = 2 * w->col[cell] + (w->row[cell] & 1);
    text_put(t, "{\"cell\":");
    text_json(t, w->name[cell]);
    key(t, "x");
    text_milli(t, 500 * x);
    key(t, "y");
    text_milli(t, (866025 * (w->row[cell] - w->first_label) + 500) / 1000);
    key_text(t, "terrain", colour_names[s->terrain[cell]]);
    if (s->piece[cell]) {
        key_text(t, "piece", piece_ids[s->piece[cell]]);
        key_int(t, "seat", s->owner[cell]);
        key_int(t, "town", s->town[cell]);
    }
    text_char(t, '}');
}

static void put_board(struct text *t, const struct world *w,
                      const struct state *s)
{
    int map = w->option[OPT_MAP];
    key_text(t, "map", map < MAPS ? maps[map].id : "given");
    key(t, "cells");
    text_char(t, '[');
    for (int cell = 0; cell < w->cells; cell++) {
        comma(t, cell);
        put_cell(t, w, s, cell);
    }
    text_char(t, ']');
    key(t, "bridges");
    text_char(t, '[');
    for (int i = 0; i < s->bridge_count; i++) {
        comma(t, i);
        text_put(t, "{\"seat\":");
        text_int(t, s->bridge[i].owner);
        key_text(t, "from", w->name[s->bridge[i].a]);
        key_text(t, "to", w->name[s->bridge[i].b]);
        text_char(t, '}');
    }
    text_char(t, ']');
    key(t, "skipped");
    put_cells(t, w, s->skipped);
}

/* ---- tiles ---- */

static void put_score(struct text *t, const struct score *tile)
{
    text_put(t, "{\"id\":");
    text_json(t, tile->id);
    key_text(t, "text", tile->text);
    key_text(t, "cult", tile->track < 0 ? "priests" : track_names[tile->track]);
    key_int(t, "per", tile->levels);
    key(t, "bonus");
    put_income(t, &tile->bonus);
    key_int(t, "spades", tile->spades);
    text_char(t, '}');
}

static void put_scores(struct text *t, const struct state *s)
{
    key(t, "score");
    text_char(t, '[');
    for (int i = 0; i < ROUNDS; i++) {
        comma(t, i);
        put_score(t, &scores[s->score[i]]);
    }
    text_char(t, ']');
    key_text(t, "final", final_names[s->final]);
}

static int card_holder(const struct world *w, const struct state *s, int card)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (s->seat[seat].card == card)
            return seat;
    return SEAT_NONE;
}

static void put_cards(struct text *t, const struct world *w,
                      const struct state *s)
{
    key(t, "cards");
    text_char(t, '[');
    for (int card = 1, n = 0; card <= CARDS; card++) {
        if (!(s->cards >> card & 1))
            continue;
        comma(t, n++);
        text_put(t, "{\"id\":");
        text_json(t, cards[card].id);
        key_int(t, "coins", s->card_coins[card]);
        key_int(t, "seat", card_holder(w, s, card));
        key_flag(t, "used", s->used_card >> card & 1);
        key(t, "income");
        put_income(t, &cards[card].income);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_supply(struct text *t, const struct state *s)
{
    key(t, "favours");
    put_bytes(t, s->favours_left + 1, FAVOURS);
    key(t, "towns");
    put_bytes(t, s->towns_left + 1, TOWNS);
    key(t, "priests");
    text_char(t, '[');
    for (int track = 0; track < TRACKS; track++) {
        comma(t, track);
        put_bytes(t, s->priest[track], 4);
    }
    text_char(t, ']');
    key(t, "used");
    text_char(t, '[');
    for (int space = ACT1, n = 0; space <= ACT6; space++)
        if (s->used >> space & 1) {
            comma(t, n++);
            text_json(t, space_names[space]);
        }
    text_char(t, ']');
}

static void put_offers(struct text *t, const struct state *s)
{
    key(t, "offers");
    text_char(t, '[');
    for (int i = 0; i < s->offer_count; i++) {
        const struct offer *o = &s->offer[i];
        int gain = offer_gain(&s->seat[o->to], o->amount);
        comma(t, i);
        text_put(t, "{\"to\":");
        text_int(t, o->to);
        key_int(t, "from", o->from);
        key_int(t, "amount", o->amount);
        key_int(t, "gain", gain);
        key_int(t, "price", max_int(0, gain - 1));
        key_flag(t, "coin", o->flags & OFFER_COIN);
        text_char(t, '}');
    }
    text_char(t, ']');
}

/* ---- seats ---- */

static void put_rights(struct text *t, const struct seat *p)
{
    const struct {
        const char *name;
        int due;
    } rights[] = {
        {"favours", p->favours_due}, {"towns", p->towns_due},
        {"steps", p->steps_due},     {"block", p->block_due},
        {"ravens", p->ravens_due},   {"spades", p->spades},
        {"bridges", p->bridges_due}, {"unlock", p->unlock_due},
        {"tokens", p->tokens_due},   {"pay", p->pay_due},
        {"colour", p->colour_due},   {"trade", p->trade_due},
    };
    key(t, "due");
    text_char(t, '{');
    for (size_t i = 0, n = 0; i < sizeof rights / sizeof *rights; i++)
        if (rights[i].due) {
            comma(t, (int)n++);
            text_json(t, rights[i].name);
            text_char(t, ':');
            text_int(t, rights[i].due);
        }
    text_char(t, '}');
}

static const char *space_or_none(int space)
{
    return space ? space_names[space] : "";
}

/* Town tiles one by one; a position may have told only their number. */
static void put_towns(struct text *t, const struct state *s, int seat)
{
    key(t, "towns");
    text_char(t, '[');
    for (int tile = 1, n = 0; tile <= TOWNS; tile++)
        for (int copy = 0; copy < towns_held(s, seat, tile); copy++) {
            comma(t, n++);
            text_int(t, tile);
        }
    text_char(t, ']');
}

/* mystica §6.3, §6.4: what the next step of a track costs and gives. */
static void put_next_step(struct text *t, const char *name,
                          const struct cost *cost, int vp)
{
    key(t, name);
    text_put(t, "{\"C\":");
    text_int(t, cost->coins);
    key_int(t, "W", cost->workers);
    key_int(t, "P", cost->priests);
    key_int(t, "VP", vp);
    text_char(t, '}');
}

static void put_next_steps(struct text *t, const struct seat *p)
{
    static const struct cost ship = {.coins = SHIP_COINS, .priests = 1};
    const struct faction *f = faction_of(p);
    if (p->ship < f->ship_max)
        put_next_step(t, "next_ship", &ship, ship_vp(p, p->ship + 1));
    if (p->dig < f->dig_max)
        put_next_step(t, "next_dig", &f->dig_cost, DIG_VP);
}

static void put_purse(struct text *t, const struct seat *p)
{
    key_int(t, "C", p->coins);
    key_int(t, "W", p->workers);
    key_int(t, "P", p->priests);
    key_int(t, "cap", priest_cap(p));
    key(t, "bowls");
    put_bytes(t, p->bowl, 3);
    key(t, "cults");
    put_bytes(t, p->cult, TRACKS);
    key_int(t, "keys", p->keys);
    key_int(t, "ship", p->ship);
    key_int(t, "dig", p->dig);
    key_int(t, "spade", spade_price(p));
    put_next_steps(t, p);
    key_text(t, "card", p->card ? cards[p->card].id : "");
    key(t, "pieces");
    put_bytes(t, p->count + 1, PIECES - 1);
    key(t, "favours");
    text_char(t, '[');
    for (int tile = 1, n = 0; tile <= FAVOURS; tile++)
        if (has_favour(p, tile)) {
            comma(t, n++);
            text_int(t, tile);
        }
    text_char(t, ']');
    key_int(t, "bridges", p->bridges);
    key_int(t, "town_tiles", p->town_tiles);
    key_flag(t, "used_favour", p->used_favour);
    key_flag(t, "used_ability", p->used_ability);
    key_text(t, "ability",
             space_or_none(p->count[STRONGHOLD] ? faction_of(p)->sh_space
                                                : faction_of(p)->space));
    key_int(t, "tile_at", p->tile - 1);
    key(t, "prices");
    text_char(t, '[');
    for (int space = ACT1; space <= ACT6; space++) {
        comma(t, space - ACT1);
        text_int(t, power_price(p, space));
    }
    text_char(t, ']');
}

static void put_levels(struct text *t, const char *name, const int8_t *number,
                       int count)
{
    key(t, name);
    text_char(t, '[');
    for (int i = 0; i < count; i++) {
        comma(t, i);
        text_int(t, number[i]);
    }
    text_char(t, ']');
}

/* Income by the number of buildings on the map, as the board is printed. */
static void put_yields(struct text *t, const struct faction *f)
{
    key(t, "yields");
    text_put(t, "{\"SA\":");
    text_int(t, f->sanctuary_priests);
    key(t, "SH");
    put_income(t, &f->stronghold);
    put_levels(t, "D_W", f->dwelling_workers, 9);
    put_levels(t, "TP_C", f->trading_coins, 5);
    put_levels(t, "TP_PW", f->trading_power, 5);
    put_levels(t, "TE_P", f->temple_priests, 4);
    put_levels(t, "TE_PW", f->temple_power, 4);
    put_levels(t, "spade", f->dig_rate, f->dig_max + 1);
    key_int(t, "ship_from", f->ship);
    key_int(t, "ship_max", f->sails ? f->ship_max : 0);
    text_char(t, '}');
}

/* What comes in next round, and where it comes from. */
static void put_next_income(struct text *t, const struct state *s, int seat)
{
    struct income parts[INCOME_SOURCES], sum = income_sum(s, seat);
    income_parts(s, seat, parts);
    key(t, "income");
    text_put(t, "{\"sum\":");
    put_income(t, &sum);
    for (int i = 0; i < INCOME_SOURCES; i++) {
        key(t, income_names[i]);
        put_income(t, &parts[i]);
    }
    text_char(t, '}');
    int tile = score_tile(s);
    key_int(t, "cult_bonus",
            tile && s->round < ROUNDS ? cult_bonus_times(s, seat, tile) : 0);
}

static void put_vp_sources(struct text *t, const struct state *s, int seat)
{
    key(t, "sources");
    text_char(t, '{');
    for (int i = 0; i < VP_SOURCES; i++) {
        comma(t, i);
        text_json(t, source_names[i]);
        text_char(t, ':');
        text_int(t, s->source[seat][i]);
    }
    text_char(t, '}');
}

static void put_projected(struct text *t, const struct final_score *f, int seat)
{
    key(t, "projected");
    text_put(t, "{\"network\":");
    text_int(t, f->network[seat]);
    key_int(t, "network_size", f->network_value[seat]);
    key_int(t, "extra", f->extra[seat]);
    key_int(t, "extra_value", f->extra_value[seat]);
    key(t, "cults");
    text_char(t, '[');
    for (int track = 0; track < TRACKS; track++) {
        comma(t, track);
        text_int(t, f->cult[track][seat]);
    }
    text_char(t, ']');
    key_int(t, "resources", f->resources[seat]);
    text_char(t, '}');
}

static void put_seat(struct text *t, const struct world *w,
                     const struct state *s, const struct final_score *f,
                     int seat)
{
    const struct seat *p = &s->seat[seat];
    bool playing = p->faction != NO_FACTION;
    struct result r;
    mystica_result(w, s, &r);
    text_put(t, "{\"faction\":");
    text_json(t, playing ? factions[p->faction].id : "");
    key_text(t, "title", playing ? factions[p->faction].title : "");
    key_int(t, "points", p->vp);
    key_int(t, "place", r.place[seat]);
    key_flag(t, "passed", p->passed);
    key_flag(t, "dropped", p->dropped);
    if (playing) {
        key_text(t, "home", colour_names[p->home]);
        key_text(t, "colour", colour_names[p->colour]);
        key_text(t, "tile", factions[p->faction].tile);
        put_purse(t, p);
        put_towns(t, s, seat);
        put_yields(t, faction_of(p));
        put_rights(t, p);
        put_next_income(t, s, seat);
        put_vp_sources(t, s, seat);
        put_projected(t, f, seat);
    }
    text_char(t, '}');
}

/* ---- reports for one seat ---- */

/* Reachable empty cells with what a dwelling on them costs altogether. */
static void put_reach_cell(struct text *t, const struct world *w,
                           const struct state *s, int seat, int cell, bool fly)
{
    const struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    int spades = is_home(s, seat, cell)
                     ? 0
                     : spades_needed(w, s, seat, cell, p->home, 0);
    int price = spades * (p->dig <= f->dig_max ? spade_price(p) : 0);
    int flight = fly ? flight_price(s, seat) : 0;
    bool tunnel = f->flight == FLY_TUNNEL;
    text_put(t, "{\"cell\":");
    text_json(t, w->name[cell]);
    key_int(t, "spades", spades);
    key_int(t, "W",
            f->build[DWELLING].workers + (f->spade_priests ? 0 : price) +
                (tunnel ? flight : 0));
    key_int(t, "C", f->build[DWELLING].coins);
    key_int(t, "P", (f->spade_priests ? price : 0) + (tunnel ? 0 : flight));
    key_flag(t, "flight", fly);
    text_char(t, '}');
}

static void put_reach(struct text *t, const struct world *w,
                      const struct state *s, int seat)
{
    struct cells plain = reach(w, s, seat);
    struct cells fly = cells_without(reach_flying(w, s, seat), plain);
    struct cells open = cells_or(soft_cells(w, s), home_cells(w, s, seat));
    struct cells all = cells_and(cells_or(plain, fly), open);
    key(t, "reach");
    text_char(t, '[');
    for (int n = 0; !cells_none(all);) {
        int cell = cells_take(&all);
        if (!is_home(s, seat, cell) &&
            faction_of(&s->seat[seat])->digging == DIG_NEVER)
            continue;
        comma(t, n++);
        put_reach_cell(t, w, s, seat, cell, cells_has(fly, cell));
    }
    text_char(t, ']');
}

/* Clusters outside towns and what they lack. */
static void put_clusters(struct text *t, const struct world *w,
                         const struct state *s, int seat)
{
    struct cells left = s->seat[seat].own;
    int need = has_favour(&s->seat[seat], 5) ? 6 : 7;
    key(t, "clusters");
    text_char(t, '[');
    for (int n = 0; !cells_none(left);) {
        struct cells rest = left;
        int cell = cells_take(&rest), power, structures;
        struct cells part = cluster(w, s, seat, cell, -1);
        left = cells_without(left, part);
        cluster_size(s, seat, part, &power, &structures);
        comma(t, n++);
        text_put(t, "{\"cells\":");
        put_cells(t, w, part);
        key_int(t, "power", power);
        key_int(t, "structures", structures);
        key_int(t, "town", s->town[cell]);
        key_int(t, "lacks_power", s->town[cell] ? 0 : max_int(0, need - power));
        key_int(t, "lacks_structures",
                s->town[cell] ? 0 : max_int(0, 4 - structures));
        text_char(t, '}');
    }
    text_char(t, ']');
}

/* ---- actions ---- */

static const char *const kind_names[KINDS] = {
    "",        "pick",  "bid",    "colour",    "build",   "pass",
    "convert", "burn",  "dig",    "transform", "special", "upgrade",
    "ship",    "spade", "send",   "action",    "favour",  "town",
    "step",    "down",  "pay",    "bridge",    "connect", "leech",
    "decline", "coin",  "unlock", "token",     "forfeit", "ravens",
    "adjust",  "done",
};

/* The cell an action touches, or -1. */
static int touched_cell(action a)
{
    switch (act_kind(a)) {
    case DO_BUILD:
    case DO_TRANSFORM:
    case DO_PLACE:
    case DO_UPGRADE:
    case DO_BRIDGE:
    case DO_CONNECT:
        return act_a(a);
    default:
        return -1;
    }
}

static void put_actions(struct text *t, const struct world *w,
                        const struct state *s, int seat)
{
    action legal[GAME_ACTIONS];
    int count = seat < 0 ? 0 : mystica_legal(w, s, seat, legal);
    key(t, "actions");
    text_char(t, '[');
    for (int i = 0; i < count; i++) {
        char text[96];
        int cell = touched_cell(legal[i]);
        mystica_write_action(w, s, seat, legal[i], seat, text, sizeof text);
        comma(t, i);
        text_put(t, "{\"text\":");
        text_json(t, text);
        key_text(t, "kind", kind_names[act_kind(legal[i])]);
        if (cell >= 0)
            key_text(t, "cell", w->name[cell]);
        if (act_kind(legal[i]) == DO_BRIDGE)
            key_text(t, "to", w->name[act_b(legal[i])]);
        if (act_kind(legal[i]) == DO_TRANSFORM)
            key_text(t, "terrain", colour_names[act_b(legal[i])]);
        if (act_kind(legal[i]) == DO_UPGRADE)
            key_text(t, "piece", piece_ids[act_b(legal[i])]);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static const char *const phases[] = {
    "nominate", "bid",  "pick",   "colour",  "dwell",
    "cards",    "cult", "income", "actions", "over",
};

static void put_course(struct text *t, const struct world *w,
                       const struct state *s)
{
    unsigned must, may;
    flow_turn(w, s, &must, &may);
    key_int(t, "round", s->round);
    key_text(t, "phase", phases[s->phase]);
    key(t, "ending");
    if (s->ending)
        text_json(t, mystica_endings[s->ending]);
    else
        text_put(t, "null");
    key_int(t, "active", s->active == NO_SEAT ? SEAT_NONE : s->active);
    key_int(t, "must", (int)must);
    key_int(t, "may", (int)may);
    key_int(t, "left", s->turn.left);
    key_flag(t, "started", s->turn.started);
    key_flag(t, "dealt",
             s->phase == PHASE_PICK && s->active < w->seats &&
                 (free_factions(w, s) & w->hand[s->active]));
    key(t, "order");
    put_bytes(t, s->order, w->seats);
}

static void put_lots(struct text *t, const struct world *w,
                     const struct state *s)
{
    key(t, "lots");
    text_char(t, '[');
    for (int i = 0, n = 0; i < w->seats; i++)
        if (s->layout[i]) {
            comma(t, n++);
            text_put(t, "{\"faction\":");
            text_json(t, factions[s->layout[i] - 1].id);
            key_int(t, "bid", s->bid[i] - 1);
            key_int(t, "seat", s->holder[i] - 1);
            text_char(t, '}');
        }
    text_char(t, ']');
}

/* A faction as its card tells it, for those who choose. */
static void put_faction(struct text *t, const struct faction *f)
{
    text_put(t, "{\"id\":");
    text_json(t, f->id);
    key_text(t, "home", colour_names[f->home]);
    key_text(t, "tile", f->tile);
    key_int(t, "C", f->coins);
    key_int(t, "W", f->workers);
    key_int(t, "P", f->priests);
    put_levels(t, "bowls", f->bowl, 3);
    put_levels(t, "cults", f->cult, TRACKS);
    key_int(t, "ship", f->sails ? f->ship : -1);
    key_int(t, "spade", f->dig_rate[0]);
    key_flag(t, "spade_priests", f->spade_priests);
    key(t, "build");
    text_char(t, '[');
    for (int piece = DWELLING; piece <= SANCTUARY; piece++) {
        comma(t, piece - DWELLING);
        text_put(t, "{\"W\":");
        text_int(t, f->build[piece].workers);
        key_int(t, "C", f->build[piece].coins);
        text_char(t, '}');
    }
    text_put(t, "]}");
}

/* What there is to choose from before the first round. */
static void put_deck(struct text *t, const struct world *w,
                     const struct state *s)
{
    bool choosing = s->phase <= PHASE_PICK;
    int tiles = w->option[OPT_TEMPLE_TILE] ? 9 : 8;
    key(t, "deck");
    text_char(t, '[');
    for (int i = 0; choosing && i < FACTIONS; i++) {
        comma(t, i);
        put_faction(t, &factions[i]);
    }
    text_char(t, ']');
    key(t, "score_deck");
    text_char(t, '[');
    for (int tile = 1; choosing && tile <= tiles; tile++) {
        comma(t, tile - 1);
        put_score(t, &scores[tile]);
    }
    text_char(t, ']');
}

/* ---- what an action would do ---- */

static void put_change(struct text *t, const char *name, int before, int after)
{
    if (before == after)
        return;
    key_int(t, name, after - before);
}

/* Cult steps the action asks for, whatever comes of them. */
static int asked_steps(const struct seat *p, action a)
{
    switch (act_kind(a)) {
    case DO_STEP:
        return act_b(a);
    case DO_SEND:
        return act_b(a) +
               (p->count[STRONGHOLD] ? faction_of(p)->send_steps : 0);
    case DO_FAVOUR:
        return favours[act_a(a)].steps;
    case DO_TOWN:
        return 4 * towns[act_a(a)].steps;
    case DO_RAVENS:
        return act_a(a) == RAVENS_VP ? 0 : 3;
    default:
        return 0;
    }
}

static int asked_priests(action a)
{
    if (act_kind(a) == DO_ACTION && act_a(a) == ACT2)
        return 1;
    if (act_kind(a) == DO_CONVERT &&
        (act_a(a) == PW_TO_P || act_a(a) == W_TO_P))
        return act_b(a);
    return act_kind(a) == DO_TOWN ? towns[act_a(a)].gain.priests : 0;
}

/* Power of the cult levels that were passed. */
static int cult_power(const struct seat *p, const struct seat *q)
{
    int power = 0;
    for (int track = 0; track < TRACKS; track++)
        power += threshold_power(p->cult[track], q->cult[track]);
    return power;
}

/* Power the action asks for, whatever comes of it. */
static int asked_power(const struct seat *p, const struct seat *q, action a)
{
    int cults = cult_power(p, q);
    if (act_kind(a) == DO_LEECH)
        return act_b(a);
    if (act_kind(a) == DO_TOWN)
        return cults + towns[act_a(a)].gain.power;
    if (act_kind(a) == DO_UPGRADE && act_b(a) == STRONGHOLD)
        return cults + faction_of(p)->sh_power;
    return cults;
}

static int cult_sum(const struct seat *p)
{
    return p->cult[0] + p->cult[1] + p->cult[2] + p->cult[3];
}

static void warn(struct text *t, int *count, const char *what, int number)
{
    if (number <= 0)
        return;
    comma(t, (*count)++);
    text_put(t, "{\"wastes\":");
    text_json(t, what);
    key_int(t, "count", number);
    text_char(t, '}');
}

/* An action that costs nothing, comes back each round and is still there. */
static void warn_unused(struct text *t, int *count, const struct world *w,
                        const struct state *s, int seat, int space)
{
    char name[16];
    struct text all = text_begin(name, sizeof name);
    if (!is_legal(w, s, seat, act(DO_ACTION, space, 0)))
        return;
    text_put(&all, "action ");
    text_put(&all, space_names[space]);
    text_end(&all);
    warn(t, count, name, 1);
}

/* Whoever passes will not come to them (mystica §6.9).  Shifting costs power.
 */
static void warn_pass(struct text *t, int *count, const struct world *w,
                      const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    int ability = faction_of(p)->sh_space;
    if (has_favour(p, 6) && !p->used_favour)
        warn_unused(t, count, w, s, seat, ACT_FAV6);
    if (p->card == 1 || p->card == 2)
        warn_unused(t, count, w, s, seat, p->card == 1 ? ACT_BON1 : ACT_BON2);
    if (ability && ability != ACTH5 && p->count[STRONGHOLD] && !p->used_ability)
        warn_unused(t, count, w, s, seat, ability);
}

/* What the cult bonus and the next income bring beyond what there is room for
 * (mystica §4): seven priests, and bowls that are full.  Coins and workers have
 * no limit, and Riverwalkers unlock terrain instead. */
static void warn_income(struct text *t, int *count, const struct state *after,
                        int seat)
{
    const struct seat *q = &after->seat[seat];
    const struct score *tile = &scores[score_tile(after)];
    struct income sum = income_sum(after, seat);
    int times = cult_bonus_times(after, seat, score_tile(after));
    int power = sum.power + times * tile->bonus.power;
    int priests = sum.priests + times * tile->bonus.priests;
    warn(t, count, "income power", power - 2 * q->bowl[0] - q->bowl[1]);
    if (!faction_of(q)->unlocks)
        warn(t, count, "income priest", q->priests + priests - priest_cap(q));
}

/* Where a legal action wastes something. */
static void put_warnings(struct text *t, const struct world *w,
                         const struct state *s, int seat, action a,
                         const struct state *after)
{
    const struct seat *p = &s->seat[seat], *q = &after->seat[seat];
    int count = 0, room = 2 * p->bowl[0] + p->bowl[1];
    int steps = asked_steps(p, a) - (cult_sum(q) - cult_sum(p));
    bool unlocks = faction_of(p)->unlocks;
    int priests = asked_priests(a);
    key(t, "warnings");
    text_char(t, '[');
    warn(t, &count, "power", asked_power(p, q, a) - room);
    warn(t, &count, "cult step", asked_steps(p, a) ? steps : 0);
    if (priests && !unlocks)
        warn(t, &count, "priest", p->priests + priests - priest_cap(p));
    if (act_kind(a) == DO_FORFEIT && act_a(a) == LOSE_SPADE)
        warn(t, &count, "spade", act_b(a));
    if (act_kind(a) == DO_UPGRADE && act_b(a) == TRADING &&
        !(s->turn.free & FREE_TRADING) && !has_neighbour(w, s, seat, act_a(a)))
        warn(t, &count, "coins without a neighbour",
             faction_of(p)->build[TRADING].coins);
    if (act_kind(a) == DO_PASS && s->phase == PHASE_ACTIONS)
        warn_pass(t, &count, w, s, seat);
    if (act_kind(a) == DO_PASS && s->phase == PHASE_ACTIONS &&
        s->round < ROUNDS)
        warn_income(t, &count, after, seat);
    text_char(t, ']');
}

static int last_event(const struct state *s)
{
    int event = 0;
    for (int i = 0; i < s->offer_count; i++)
        event = max_int(event, s->offer[i].event);
    return event;
}

/* What others are offered by it, as much as they could take now. */
static void put_new_offers(struct text *t, const struct state *s,
                           const struct state *after)
{
    int before = last_event(s);
    key(t, "offers");
    text_char(t, '[');
    for (int i = 0, n = 0; i < after->offer_count; i++) {
        const struct offer *o = &after->offer[i];
        int gain = offer_gain(&after->seat[o->to], o->amount);
        bool coin = o->flags & OFFER_COIN;
        if (o->event <= before || (gain == 0 && !coin))
            continue;
        comma(t, n++);
        text_put(t, "{\"seat\":");
        text_int(t, o->to);
        key_int(t, "amount", o->amount);
        key_int(t, "gain", gain);
        key_int(t, "price", max_int(0, gain - 1));
        key_flag(t, "coin", coin);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_changes(struct text *t, const struct seat *p,
                        const struct seat *q)
{
    key(t, "seat_change");
    text_put(t, "{\"VP\":");
    text_int(t, q->vp - p->vp);
    put_change(t, "C", p->coins, q->coins);
    put_change(t, "W", p->workers, q->workers);
    put_change(t, "P", p->priests, q->priests);
    put_change(t, "PW", p->bowl[1] + 2 * p->bowl[2],
               q->bowl[1] + 2 * q->bowl[2]);
    put_change(t, "tokens", tokens_of(p), tokens_of(q));
    put_change(t, "pay", p->pay_due, q->pay_due);
    put_change(t, "keys", p->keys, q->keys);
    put_change(t, "spades", p->spades, q->spades);
    put_change(t, "favour_tiles", p->favours_due, q->favours_due);
    put_change(t, "town_tiles", p->towns_due, q->towns_due);
    key(t, "bowls");
    put_bytes(t, q->bowl, 3);
    key(t, "cults");
    put_bytes(t, q->cult, TRACKS);
    key(t, "steps");
    text_char(t, '[');
    for (int track = 0; track < TRACKS; track++) {
        comma(t, track);
        text_int(t, q->cult[track] - p->cult[track]);
    }
    text_put(t, "]}");
}

int mystica_write_effect(const struct world *w, const struct state *s, int seat,
                         action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state after = *s;
    char text[96];
    play(w, &after, seat, a);
    mystica_write_action(w, s, seat, a, viewer, text, sizeof text);
    text_put(&t, "{\"text\":");
    text_json(&t, text);
    key_text(&t, "kind", kind_names[act_kind(a)]);
    if (after.seat[seat].faction != NO_FACTION &&
        s->seat[seat].faction != NO_FACTION) {
        put_changes(&t, &s->seat[seat], &after.seat[seat]);
        put_new_offers(&t, s, &after);
        put_warnings(&t, w, s, seat, a, &after);
    }
    text_char(&t, '}');
    return text_end(&t);
}

/* ---- plans ---- */

struct plan_list {
    struct text *t;
    const struct world *w;
    const struct state *s;
    int seat, count;
};

/* "burn 1. convert 3PW to 1W. dig 2. build F3": building says where it digs. */
static void put_plan_text(struct text *t, const struct plan_list *l,
                          const struct plan *p)
{
    struct state now = *l->s;
    char line[PLAN_STEPS * 96];
    struct text all = text_begin(line, sizeof line);
    for (int i = 0; i < p->count; i++) {
        char text[96];
        bool implied = i + 1 < p->count && act_kind(p->step[i]) == DO_TRANSFORM;
        mystica_write_action(l->w, &now, l->seat, p->step[i], l->seat, text,
                             sizeof text);
        play(l->w, &now, l->seat, p->step[i]);
        if (implied)
            continue;
        text_put(&all, all.length ? ". " : "");
        text_put(&all, text);
    }
    text_end(&all);
    text_json(t, line);
}

static void put_plan(void *to, const struct plan *p)
{
    struct plan_list *l = to;
    action last = p->step[p->count - 1];
    int cell = touched_cell(last);
    comma(l->t, l->count++);
    text_put(l->t, "{\"text\":");
    put_plan_text(l->t, l, p);
    key_text(l->t, "kind", kind_names[act_kind(last)]);
    if (cell >= 0)
        key_text(l->t, "cell", l->w->name[cell]);
    if (act_kind(last) == DO_BRIDGE)
        key_text(l->t, "to", l->w->name[act_b(last)]);
    if (act_kind(last) == DO_UPGRADE)
        key_text(l->t, "piece", piece_ids[act_b(last)]);
    /* mystica §12: a volcano is made without spades. */
    if (p->spades && makes_volcanoes(faction_of(&l->s->seat[l->seat])))
        key_text(l->t, "terrain", colour_names[VOLCANO]);
    else if (p->spades)
        key_int(l->t, "spades", p->spades);
    enum kind first = act_kind(p->step[0]);
    key_flag(l->t, "exchange", first == DO_BURN || first == DO_CONVERT);
    key(l->t, "effect");
    text_put(l->t, "{\"kind\":\"plan\"");
    put_changes(l->t, &l->s->seat[l->seat], &p->after.seat[l->seat]);
    put_new_offers(l->t, &p->before, &p->after);
    put_warnings(l->t, l->w, &p->before, l->seat, last, &p->after);
    text_put(l->t, "}}");
}

/* Only whoever is to act asks for them. */
static void put_plans(struct text *t, const struct world *w,
                      const struct state *s, int seat)
{
    struct plan_list l = {.t = t, .w = w, .s = s, .seat = seat};
    key(t, "plans");
    text_char(t, '[');
    if (seat >= 0 && seat < w->seats)
        find_plans(w, s, seat, put_plan, &l);
    text_char(t, ']');
}

/* ---- the scene ---- */

static int report_seat(const struct world *w, const struct state *s, int viewer)
{
    if (viewer >= 0 && viewer < w->seats)
        return viewer;
    return s->active < w->seats ? s->active : SEAT_NONE;
}

int mystica_write_scene(const struct world *w, const struct state *view,
                        int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct final_score f;
    int seat = report_seat(w, view, viewer);
    final_scores(w, view, &f);
    text_put(&t, "{\"game\":\"mystica\"");
    put_course(&t, w, view);
    put_board(&t, w, view);
    put_scores(&t, view);
    put_cards(&t, w, view);
    put_supply(&t, view);
    put_offers(&t, view);
    put_lots(&t, w, view);
    key(&t, "seats");
    text_char(&t, '[');
    for (int i = 0; i < w->seats; i++) {
        comma(&t, i);
        put_seat(&t, w, view, &f, i);
    }
    text_char(&t, ']');
    if (seat >= 0 && view->seat[seat].faction != NO_FACTION) {
        key_int(&t, "report", seat);
        put_reach(&t, w, view, seat);
        put_clusters(&t, w, view, seat);
    }
    put_actions(&t, w, view, viewer);
    put_deck(&t, w, view);
    key_flag(&t, "landscapes", w->tiles);
    put_plans(&t, w, view, viewer);
    text_char(&t, '}');
    return text_end(&t);
}
