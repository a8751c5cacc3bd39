/* rules/mystica/explain.c: why an action is not legal.
 *
 * Called only for actions that legal() does not list, so every path may end
 * with a reason; the checks go from the particular to the general. */
#include "rules/mystica/faults.h"
#include "rules/mystica/text.h"

struct why {
    const struct world *w;
    const struct state *s;
    const struct seat *p;
    const struct faction *fac;
    int seat;
    action a;
    struct fault *f;
};

static bool say(const struct why *y, int code, const char *subject)
{
    return fault_set(y->f, code, 0, 0, subject);
}

static bool say_cell(const struct why *y, int code, int cell)
{
    return say(y, code, y->w->name[cell]);
}

static bool say_price(const struct why *y, int code, int workers, int coins,
                      int priests)
{
    char subject[32];
    struct text t = text_begin(subject, sizeof subject);
    const int amount[3] = {workers, coins, priests};
    static const char *const unit[3] = {"W ", "C ", "P "};
    for (int i = 0; i < 3; i++)
        if (amount[i]) {
            text_int(&t, amount[i]);
            text_put(&t, unit[i]);
        }
    if (t.length)
        t.length--;
    text_end(&t);
    return say(y, code, subject);
}

static bool say_number(const struct why *y, int code, int number,
                       const char *unit)
{
    char subject[32];
    struct text t = text_begin(subject, sizeof subject);
    text_int(&t, number);
    text_put(&t, unit);
    text_end(&t);
    return say(y, code, subject);
}

/* ---- duties and turns ---- */

static const char *duty(const struct why *y)
{
    const struct seat *p = y->p;
    const struct {
        int due;
        const char *text;
    } duties[] = {
        {y->s->turn.join, "choose the town that grows"},
        {p->favours_due, "take a favour tile"},
        {p->towns_due, "take a town tile"},
        {p->ravens_due, "choose 5 VP or 3 cult steps"},
        {p->spades, "use the spades"},
        {p->bridges_due, "build the bridge"},
        {p->unlock_due, "unlock a terrain or keep the priest"},
        {p->colour_due, "choose a colour"},
        {p->pay_due, "pay with cult steps"},
        {p->steps_due | p->block_due, "use the cult steps"},
        {p->tokens_due, "buy or refuse the token"},
        {y->s->turn.free & FREE_TRANSFORM, "use the sandstorm"},
        {y->s->turn.free & FREE_DWELLING, "build the free dwelling"},
        {y->s->turn.free & FREE_TRADING, "upgrade to the free trading house"},
        {y->s->turn.work & WORK_VOLCANO, "make the volcano"},
    };
    for (size_t i = 0; i < sizeof duties / sizeof *duties; i++)
        if (duties[i].due)
            return duties[i].text;
    return NULL;
}

/* Reasons against any main action; false has been said. */
static bool can_begin(const struct why *y)
{
    const struct state *s = y->s;
    if (s->phase != PHASE_ACTIONS || s->active != y->seat)
        return say(y, NOT_NOW, "");
    if (!s->turn.started &&
        (has_offer(s, y->seat) || owes_reaction(s, y->seat)))
        return say(y, DUTIES,
                   has_offer(s, y->seat) ? "answer the power offer" : duty(y));
    if (owes(y->w, s, y->seat) && duty(y))
        return say(y, DUTIES, duty(y));
    if (!s->turn.left)
        return say(y, ACTION_DONE, "");
    return true;
}

/* ---- cells ---- */

/* Shipping level that would reach the cell, 0: none. */
static int needed_shipping(const struct why *y, int cell)
{
    for (int level = 1; level <= SHIP_MAX; level++)
        for (struct cells own = y->p->own; !cells_none(own);)
            if (cells_has(y->w->ship[level][cells_take(&own)], cell))
                return level;
    return 0;
}

static bool reaches(const struct why *y, int cell)
{
    if (cells_has(reach(y->w, y->s, y->seat), cell) ||
        can_fly(y->w, y->s, y->seat, cell))
        return true;
    if (y->fac->flight != FLY_NONE &&
        cells_has(reach_flying(y->w, y->s, y->seat), cell))
        return say_cell(y, NOT_REACHED_FLY, cell);
    int level = needed_shipping(y, cell);
    return level && y->fac->sails ? say_number(y, NOT_REACHED_SHIP, level, "")
                                  : say_cell(y, NOT_REACHED, cell);
}

static bool is_empty_land(const struct why *y, int cell)
{
    if (y->s->piece[cell])
        return say_cell(y, CELL_TAKEN, cell);
    if (cells_has(y->w->river, cell))
        return say_cell(y, CELL_RIVER, cell);
    return true;
}

static bool why_build(const struct why *y)
{
    int cell = act_a(y->a);
    const struct price *price = &y->fac->build[DWELLING];
    if (!is_empty_land(y, cell))
        return false;
    if (y->s->phase == PHASE_DWELL)
        return say_cell(y, CELL_NOT_HOME, cell);
    if (y->p->count[DWELLING] >= 8)
        return say(y, NO_PIECE, "dwelling");
    if (!is_home(y->s, y->seat, cell))
        return say_cell(y, CELL_NOT_HOME, cell);
    if (y->p->spades)
        return say(y, SPADES_LEFT, "");
    if (y->s->turn.work & WORK_CHANGED && !y->s->turn.left)
        return say_cell(y, NOT_MADE, cell);
    if (!(y->s->turn.work & WORK_BUILD) && !can_begin(y))
        return false;
    if (!reaches(y, cell))
        return false;
    if (y->p->workers < price->workers || y->p->coins < price->coins)
        return say_price(y, TOO_POOR, price->workers, price->coins, 0);
    return say_cell(y, NOT_NOW, cell);
}

static bool why_transform(const struct why *y)
{
    int cell = act_a(y->a), target = act_b(y->a);
    if (!is_empty_land(y, cell))
        return false;
    if (y->s->terrain[cell] >= COLOURS)
        return say_cell(y, CELL_HARD, cell);
    if (!y->p->spades && !(y->s->turn.work & WORK_VOLCANO) &&
        !(y->s->turn.free & FREE_TRANSFORM))
        return say(y, NO_SPADES, "");
    if (!reaches(y, cell))
        return false;
    int need = spades_needed(y->w, y->s, y->seat, cell, target, 0);
    if (y->p->spades && need != y->p->spades)
        return say_number(y, WRONG_SPADES, need, "");
    if (y->s->turn.away)
        return say(y, ONE_CELL, "");
    return say_cell(y, NOT_NOW, cell);
}

static bool why_place(const struct why *y)
{
    int cell = act_a(y->a);
    if (!(y->w->tiles >> y->p->faction & 1))
        return say(y, TILE_OFF, "");
    if (y->p->tile)
        return say(y, TILE_PLACED, y->w->name[y->p->tile - 1]);
    if (y->p->count[y->fac->needs] < y->fac->needs_count)
        return say(y, TILE_NEEDS, piece_titles[y->fac->needs]);
    if (y->s->phase != PHASE_ACTIONS)
        return say(y, NOT_NOW, "special");
    if (y->s->piece[cell])
        return say_cell(y, CELL_TAKEN, cell);
    bool river = y->fac->effect == TILE_REEF || y->fac->effect == TILE_PALACE;
    if (y->fac->effect == TILE_PALACE && !y->p->priests)
        return say(y, NO_PRIEST, "");
    if (river || cells_has(y->w->river, cell) || is_home(y->s, y->seat, cell) ||
        y->s->turn.free & FREE_PORTAL)
        return say_cell(y, TILE_PLACE, cell);
    return why_transform(y);
}

static bool why_dig(const struct why *y)
{
    int price = act_a(y->a) * spade_price(y->p);
    bool priests = y->fac->spade_priests;
    if (y->fac->digging == DIG_NEVER)
        return say(y, NO_SPADES, y->fac->title);
    if (!(y->s->turn.work & WORK_OPEN) && !can_begin(y))
        return false;
    if ((priests ? y->p->priests : y->p->workers) < price)
        return say_price(y, TOO_POOR, priests ? 0 : price, 0,
                         priests ? price : 0);
    return say_number(y, WRONG_SPADES, y->p->spades + act_a(y->a), "");
}

static bool why_upgrade(const struct why *y)
{
    int cell = act_a(y->a), to = act_b(y->a);
    static const int8_t from[PIECES] = {0,       0,      DWELLING, TRADING,
                                        TRADING, TEMPLE, 0};
    if (!cells_has(y->p->own, cell))
        return say_cell(y, NOT_OWN, cell);
    if (y->s->piece[cell] >= STRONGHOLD)
        return say_cell(y, LAST_PIECE, cell);
    if (!from[to] || y->s->piece[cell] != from[to])
        return say_cell(y, WRONG_UPGRADE, cell);
    if (y->p->count[to] >= pieces_max(to))
        return say(y, NO_PIECE, piece_titles[to]);
    if (!can_begin(y))
        return false;
    struct price price = upgrade_price(y->w, y->s, y->seat, cell, to);
    return say_price(y, TOO_POOR, price.workers, price.coins, 0);
}

/* ---- tracks and spaces ---- */

static bool why_ship(const struct why *y)
{
    if (y->fac->ship_max == y->fac->ship)
        return say(y, NO_TRACK_FACTION, "shipping");
    if (y->p->ship >= y->fac->ship_max)
        return say(y, TRACK_END, "shipping");
    return can_begin(y) && say_price(y, TOO_POOR, 0, 4, 1);
}

static bool why_spade(const struct why *y)
{
    if (!y->fac->dig_max)
        return say(y, NO_TRACK_FACTION, "digging");
    if (y->p->dig >= y->fac->dig_max)
        return say(y, TRACK_END, "digging");
    const struct cost *c = &y->fac->dig_cost;
    return can_begin(y) &&
           say_price(y, TOO_POOR, c->workers, c->coins, c->priests);
}

static bool why_send(const struct why *y)
{
    if (!can_begin(y))
        return false;
    if (!y->p->priests)
        return say(y, y->p->placed >= PRIESTS ? PRIEST_LIMIT : NO_PRIEST, "");
    const uint8_t *space = y->s->priest[act_a(y->a)];
    bool full = act_b(y->a) == 3 ? space[0] : space[1] && space[2] && space[3];
    return say(y, act_b(y->a) > 1 && full ? PRIEST_SPACE : MUST_WAIT,
               track_names[act_a(y->a)]);
}

static bool why_action(const struct why *y)
{
    int space = act_a(y->a);
    if (!can_begin(y))
        return false;
    if (space <= ACT6) {
        if ((y->s->used >> space & 1) &&
            !(y->fac->reuse && y->p->count[STRONGHOLD]))
            return say(y, SPACE_USED, space_names[space]);
        int price = power_price(y->p, space);
        if (y->p->bowl[2] < price)
            return say_number(y, NO_POWER, price, "");
        return say(y, SPACE_NONE, space_names[space]);
    }
    bool used = (space == ACT_BON1 && (y->s->used_card >> 1 & 1)) ||
                (space == ACT_BON2 && (y->s->used_card >> 2 & 1)) ||
                (space == ACT_FAV6 && y->p->used_favour) ||
                (space == y->fac->sh_space && y->p->used_ability);
    return say(y, used ? SPACE_USED : SPACE_NONE, space_names[space]);
}

static bool why_pass(const struct why *y)
{
    int card = act_a(y->a);
    if (y->s->phase != PHASE_CARDS && !can_begin(y))
        return false;
    if (y->s->phase == PHASE_ACTIONS && y->s->round == ROUNDS && card)
        return say(y, NO_CARD_NOW, cards[card].id);
    if (!card)
        return say(y, CARD_NEEDED, "");
    return say(y, CARD_GONE, cards[card].id);
}

/* ---- rights ---- */

static bool why_favour(const struct why *y)
{
    int tile = act_a(y->a);
    if (!y->p->favours_due)
        return say(y, NO_FAVOUR, "");
    return say(y,
               has_favour(y->p, tile)      ? FAVOUR_OWNED
               : !y->s->favours_left[tile] ? FAVOUR_GONE
                                           : MUST_WAIT,
               favours[tile].id);
}

static bool why_town(const struct why *y)
{
    int tile = act_a(y->a);
    if (!y->p->towns_due)
        return say(y, NO_TOWN, "");
    return say(y, y->s->towns_left[tile] ? TOWN_TRACKS : TOWN_GONE,
               towns[tile].id);
}

static bool why_bridge(const struct why *y)
{
    int a = act_a(y->a), b = act_b(y->a);
    if (!y->p->bridges_due)
        return say(y, NO_BRIDGE, "");
    if (!cells_has(bridge_ends(y->w, y->s, y->seat, a), b) &&
        !cells_has(bridge_ends(y->w, y->s, y->seat, b), a))
        return say_cell(y, BRIDGE_PAIR, a);
    if (!cells_has(y->p->own, a) && !cells_has(y->p->own, b))
        return say_cell(y, BRIDGE_NOT_OWN, a);
    return y->p->bridges >= 3 ? say(y, BRIDGE_PIECES, "")
                              : say_cell(y, BRIDGE_TWICE, a);
}

static bool why_convert(const struct why *y)
{
    int kind = act_a(y->a);
    if (y->s->phase != PHASE_ACTIONS || y->s->active != y->seat)
        return say(y, NOT_NOW, "");
    if (kind == C3_TO_VP && !y->w->compat)
        return say(y, COMPAT_ONLY, "");
    if ((kind == VP_TO_C || kind == C_TO_VP) && !y->fac->trades_vp)
        return say(y, NO_CONVERT, "");
    if (kind == W_TO_P && !y->p->trade_due)
        return say(y, NO_CONVERT, "");
    if (has_offer(y->s, y->seat))
        return say(y, DUTIES, "answer the power offer");
    if (conversions[kind].to[0] == 'P' && !y->w->compat &&
        y->p->priests + act_b(y->a) > priest_cap(y->p) && !y->fac->unlocks)
        return say(y, PRIEST_LIMIT, "");
    return say(y, CONVERT_POOR, conversions[kind].from);
}

static bool why_forfeit(const struct why *y)
{
    if (act_a(y->a) != LOSE_SPADE || !y->p->spades)
        return say(y, FORFEIT_NONE, "");
    if (y->s->turn.work & WORK_FORCED)
        return say(y, FORFEIT_FORCED, "");
    return say(y, y->s->turn.work & WORK_BOUGHT ? FORFEIT_BOUGHT : FORFEIT_NONE,
               "");
}

static bool why_done(const struct why *y)
{
    if (y->s->phase == PHASE_ACTIONS && owes(y->w, y->s, y->seat) && duty(y))
        return say(y, DUTIES, duty(y));
    return say(y, NO_ACTION_YET, "");
}

static bool why_answer(const struct why *y)
{
    int index = find_offer(y->s, y->seat, act_a(y->a), act_b(y->a));
    return say(y, index >= 0 ? OFFER_FIRST : NO_OFFER, "");
}

static bool why_colour(const struct why *y)
{
    bool open = y->p->colour_due || (y->s->turn.free & FREE_COLOUR);
    int colour = act_a(y->a);
    return say(y, open && colour < COLOURS ? COLOUR_GONE : NOT_NOW,
               colour_names[colour]);
}

static bool why_burn(const struct why *y)
{
    return say(y, CONVERT_POOR, "bowl II");
}

static bool why_step(const struct why *y)
{
    return say(y, NO_STEP, track_names[act_a(y->a)]);
}

static bool why_connect(const struct why *y)
{
    int cell = act_a(y->a);
    return say_cell(y, cells_has(y->w->river, cell) ? NO_CONNECT : NO_JOIN,
                    cell);
}

static bool why_unlock(const struct why *y)
{
    return say(y, NO_UNLOCK, "");
}

static bool why_adjust(const struct why *y)
{
    return say(y, COMPAT_ONLY, "");
}

/* Kinds that are not here are only possible at their moment. */
static bool (*const reasons[KINDS])(const struct why *y) = {
    [DO_COLOUR] = why_colour,       [DO_BUILD] = why_build,
    [DO_PASS] = why_pass,           [DO_CONVERT] = why_convert,
    [DO_BURN] = why_burn,           [DO_DIG] = why_dig,
    [DO_TRANSFORM] = why_transform, [DO_PLACE] = why_place,
    [DO_UPGRADE] = why_upgrade,     [DO_SHIP] = why_ship,
    [DO_SPADE] = why_spade,         [DO_SEND] = why_send,
    [DO_ACTION] = why_action,       [DO_FAVOUR] = why_favour,
    [DO_TOWN] = why_town,           [DO_STEP] = why_step,
    [DO_DOWN] = why_step,           [DO_PAY] = why_step,
    [DO_BRIDGE] = why_bridge,       [DO_CONNECT] = why_connect,
    [DO_LEECH] = why_answer,        [DO_DECLINE] = why_answer,
    [DO_COIN] = why_answer,         [DO_UNLOCK] = why_unlock,
    [DO_FORFEIT] = why_forfeit,     [DO_ADJUST] = why_adjust,
    [DO_DONE] = why_done,
};

bool explain(const struct world *w, const struct state *s, int seat, action a,
             struct fault *f)
{
    struct why y = {w, s, &s->seat[seat], NULL, seat, a, f};
    enum kind kind = act_kind(a);
    if (kind == DO_BID)
        return say(&y, BID_LOW, "");
    if (y.p->faction == NO_FACTION)
        return kind == DO_PICK ? say(&y, FACTION_GONE, factions[act_a(a)].title)
                               : say(&y, NOT_NOW, "");
    y.fac = faction_of(y.p);
    fault_set(f, NOT_NOW, 0, 0, "");
    if (s->turn.join && s->active == seat && kind != DO_CONNECT)
        return say(&y, DUTIES, duty(&y));
    return kind < KINDS && reasons[kind] && reasons[kind](&y);
}
