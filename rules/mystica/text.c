/* rules/mystica/text.c: actions as text.
 *
 * One action is one command of the public server's language, with a few words
 * of our own where that language has none. */
#include "rules/mystica/text.h"

#include "rules/mystica/faults.h"
#include "rules/mystica/map.h"
#include "rules/mystica/start.h"

static const char *const forfeit_names[FORFEITS] = {
    "SPADE",   "BRIDGE", "3CONVERT_W_TO_P", "FREE_TF",
    "FREE_TP", "FREE_D", "STEPS",           "FAVOUR",
};
static const char *const adjust_units[5] = {"c", "w", "p", "vp", "pw"};

/* ---- writing ---- */

struct writing {
    struct text *t;
    const struct world *w;
    const struct state *s;
    action a;
};

static void put(const struct writing *x, const char *word)
{
    text_put(x->t, word);
}

static void put_number(const struct writing *x, const char *verb, int number)
{
    text_put(x->t, verb);
    text_int(x->t, number);
}

static void put_cell(const struct writing *x, const char *verb, int cell)
{
    text_put(x->t, verb);
    text_put(x->t, x->w->name[cell]);
}

/* "+FIRE", "-3AIR": one is not written. */
static void put_steps(const struct writing *x, char sign, int steps)
{
    text_char(x->t, sign);
    if (steps != 1)
        text_int(x->t, steps);
    put(x, track_names[act_a(x->a)]);
}

static void put_pick(const struct writing *x)
{
    put(x, x->s->phase == PHASE_NOMINATE ? "nominate " : "setup ");
    put(x, factions[act_a(x->a)].id);
}

static void put_bid(const struct writing *x)
{
    put_number(x, "bid ", act_b(x->a));
    put(x, " for ");
    put(x, factions[x->s->layout[act_a(x->a)] - 1].id);
}

static void put_colour(const struct writing *x)
{
    put(x, "pick-color ");
    put(x, colour_names[act_a(x->a)]);
}

static void put_build(const struct writing *x)
{
    put_cell(x, "build ", act_a(x->a));
}

static void put_pass(const struct writing *x)
{
    put(x, act_a(x->a) ? "pass " : "pass");
    if (act_a(x->a))
        put(x, cards[act_a(x->a)].id);
}

static void put_convert(const struct writing *x)
{
    const struct conversion *c = &conversions[act_a(x->a)];
    put_number(x, "convert ", act_b(x->a) * c->give);
    put(x, c->from);
    put_number(x, " to ", act_b(x->a) * c->get);
    put(x, c->to);
}

static void put_burn(const struct writing *x)
{
    put_number(x, "burn ", act_a(x->a));
}

static void put_dig(const struct writing *x)
{
    put_number(x, "dig ", act_a(x->a));
}

static void put_transform(const struct writing *x)
{
    put_cell(x, "transform ", act_a(x->a));
    put(x, " to ");
    put(x, colour_names[act_b(x->a)]);
}

static void put_place(const struct writing *x)
{
    put_cell(x, "special ", act_a(x->a));
}

static void put_upgrade(const struct writing *x)
{
    put_cell(x, "upgrade ", act_a(x->a));
    put(x, " to ");
    put(x, piece_ids[act_b(x->a)]);
}

static void put_ship(const struct writing *x)
{
    put(x, "advance ship");
}

static void put_spade(const struct writing *x)
{
    put(x, "advance dig");
}

static void put_send(const struct writing *x)
{
    put(x, "send p to ");
    put(x, track_names[act_a(x->a)]);
    put_number(x, " for ", act_b(x->a));
}

static void put_space(const struct writing *x)
{
    put(x, "action ");
    put(x, space_names[act_a(x->a)]);
}

static void put_favour(const struct writing *x)
{
    put(x, "+");
    put(x, favours[act_a(x->a)].id);
}

static void put_town(const struct writing *x)
{
    bool first = true;
    put(x, "+");
    put(x, towns[act_a(x->a)].id);
    for (int track = 0; track < TRACKS; track++)
        if (act_b(x->a) >> track & 1) {
            put(x, first ? " to " : "+");
            put(x, track_names[track]);
            first = false;
        }
}

static void put_step(const struct writing *x)
{
    put_steps(x, '+', act_b(x->a));
}

static void put_down(const struct writing *x)
{
    put_steps(x, '-', act_b(x->a));
}

static void put_bridge(const struct writing *x)
{
    put_cell(x, "bridge ", act_a(x->a));
    put_cell(x, ":", act_b(x->a));
}

static void put_connect(const struct writing *x)
{
    bool river = cells_has(x->w->river, act_a(x->a));
    put_cell(x, river ? "connect " : "join ", act_a(x->a));
}

static void put_answer(const struct writing *x)
{
    static const char *const words[] = {"leech ", "decline ", "coin "};
    put_number(x, words[act_kind(x->a) - DO_LEECH], act_b(x->a));
    put(x, " from ");
    put(x, factions[x->s->seat[act_a(x->a)].faction].id);
}

static void put_unlock(const struct writing *x)
{
    int colour = act_a(x->a);
    put(x, "unlock-terrain ");
    put(x, colour == KEEP_PRIEST ? "gain-priest" : colour_names[colour]);
}

static void put_token(const struct writing *x)
{
    put(x, act_a(x->a) ? "gain P3 for VP" : "-GAIN_P3_FOR_VP");
}

static void put_forfeit(const struct writing *x)
{
    put(x, "-");
    if (act_a(x->a) == LOSE_SPADE && act_b(x->a) > 1)
        text_int(x->t, act_b(x->a));
    put(x, forfeit_names[act_a(x->a)]);
}

static void put_ravens(const struct writing *x)
{
    if (act_a(x->a) == RAVENS_VP)
        put(x, "+5vp for ravens");
    else
        put_steps(x, '+', 3);
}

static void put_adjust(const struct writing *x)
{
    int amount = act_b(x->a) - 128;
    put_number(x, amount < 0 ? "-" : "+", amount < 0 ? -amount : amount);
    put(x, adjust_units[act_a(x->a)]);
}

static void put_done(const struct writing *x)
{
    put(x, "done");
}

static void (*const writers[KINDS])(const struct writing *x) = {
    [DO_PICK] = put_pick,           [DO_BID] = put_bid,
    [DO_COLOUR] = put_colour,       [DO_BUILD] = put_build,
    [DO_PASS] = put_pass,           [DO_CONVERT] = put_convert,
    [DO_BURN] = put_burn,           [DO_DIG] = put_dig,
    [DO_TRANSFORM] = put_transform, [DO_PLACE] = put_place,
    [DO_UPGRADE] = put_upgrade,     [DO_SHIP] = put_ship,
    [DO_SPADE] = put_spade,         [DO_SEND] = put_send,
    [DO_ACTION] = put_space,        [DO_FAVOUR] = put_favour,
    [DO_TOWN] = put_town,           [DO_STEP] = put_step,
    [DO_DOWN] = put_down,           [DO_PAY] = put_down,
    [DO_BRIDGE] = put_bridge,       [DO_CONNECT] = put_connect,
    [DO_LEECH] = put_answer,        [DO_DECLINE] = put_answer,
    [DO_COIN] = put_answer,         [DO_UNLOCK] = put_unlock,
    [DO_TOKEN] = put_token,         [DO_FORFEIT] = put_forfeit,
    [DO_RAVENS] = put_ravens,       [DO_ADJUST] = put_adjust,
    [DO_DONE] = put_done,
};

int mystica_write_action(const struct world *w, const struct state *s, int seat,
                         action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct writing x = {&t, w, s, a};
    (void)seat;
    (void)viewer;
    check(act_kind(a) < KINDS && writers[act_kind(a)]);
    writers[act_kind(a)](&x);
    return text_end(&t);
}

/* ---- reading ---- */

enum { WORDS = 8 };

struct command {
    const struct world *w;
    const struct state *s;
    const struct seat *p;
    int seat, count;
    struct span word[WORDS];
    struct span whole;
    struct fault *f;
    bool again; /* the command goes on after this action */
};

static bool refuse(const struct command *c, int code, struct span subject)
{
    return fault_span(c->f, code, 0, 0, subject.at, subject.length);
}

static bool syntax(const struct command *c)
{
    return refuse(c, FAULT_SYNTAX, c->whole);
}

static bool read_cell(const struct command *c, struct span name, int *cell)
{
    *cell = map_find(c->w, name.at, name.length);
    return *cell >= 0 || refuse(c, NO_CELL, name);
}

static bool read_colour(const struct command *c, struct span name, int *colour)
{
    *colour = find_colour(name);
    return *colour >= 0 || refuse(c, NO_COLOUR, name);
}

static bool read_track(const struct command *c, struct span name, int *track)
{
    *track = find_track(name);
    return *track >= 0 || refuse(c, NO_TRACK, name);
}

/* The seat of a faction in this game. */
static bool read_seat(const struct command *c, struct span name, int *seat)
{
    int faction = find_faction(name);
    for (*seat = 0; *seat < c->w->seats; ++*seat)
        if (faction >= 0 && c->s->seat[*seat].faction == faction)
            return true;
    return refuse(c, NO_FACTION_NAME, name);
}

static bool digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

/* Cuts a leading number off a word; 1 if there is none. */
static int cut_number(struct span *word)
{
    int number = 0;
    size_t at = 0;
    while (at < word->length && at < 4 && digit(word->at[at]))
        number = 10 * number + (word->at[at++] - '0');
    word->at += at;
    word->length -= at;
    return at ? number : 1;
}

static bool read_pick(struct command *c, action *out)
{
    if (c->count < 2)
        return syntax(c);
    int faction = find_faction(c->word[1]);
    if (faction < 0)
        return refuse(c, NO_FACTION_NAME, c->word[1]);
    *out = act(DO_PICK, faction, 0);
    return true;
}

static bool read_bid(struct command *c, action *out)
{
    long bid;
    if (c->count != 4 || !span_int(c->word[1], 0, 40, &bid))
        return syntax(c);
    int faction = find_faction(c->word[3]);
    for (int i = 0; i < SEATS; i++)
        if (faction >= 0 && c->s->layout[i] == faction + 1) {
            *out = act(DO_BID, i, (int)bid);
            return true;
        }
    return refuse(c, NO_FACTION_NAME, c->word[3]);
}

static bool read_colour_choice(struct command *c, action *out)
{
    int colour;
    if (c->count != 2)
        return syntax(c);
    if (!read_colour(c, c->word[1], &colour))
        return false;
    *out = act(DO_COLOUR, colour, 0);
    return true;
}

/* The colour a volcano, sandstorm or spade makes out of a cell on the way to
 * a dwelling. */
static int home_target(const struct command *c)
{
    return c->p->home;
}

static bool has_change(const struct command *c)
{
    return c->p->spades || (c->s->turn.free & FREE_TRANSFORM) ||
           (c->s->turn.work & WORK_VOLCANO);
}

/* "build E6" with spades at hand first turns the cell home. */
static bool read_build(struct command *c, action *out)
{
    int cell;
    if (c->count != 2)
        return syntax(c);
    if (!read_cell(c, c->word[1], &cell))
        return false;
    *out = act(DO_BUILD, cell, 0);
    if (c->s->phase == PHASE_ACTIONS && c->p->faction != NO_FACTION &&
        has_change(c) && !c->s->piece[cell] && !is_home(c->s, c->seat, cell)) {
        *out = act(DO_TRANSFORM, cell, home_target(c));
        c->again = true;
    }
    return true;
}

static bool read_pass(struct command *c, action *out)
{
    int card = 0;
    if (c->count > 2)
        return syntax(c);
    if (c->count == 2) {
        card = find_numbered(c->word[1], "BON", CARDS);
        if (!card)
            return refuse(c, NO_TILE, c->word[1]);
    }
    *out = act(DO_PASS, card, 0);
    return true;
}

/* ---- conversions ---- */

static const char *unit_name(struct span word)
{
    static const struct {
        const char *word, *unit;
    } units[] = {
        {"c", "C"},       {"coin", "C"},    {"coins", "C"},  {"w", "W"},
        {"worker", "W"},  {"workers", "W"}, {"p", "P"},      {"priest", "P"},
        {"priests", "P"}, {"pw", "PW"},     {"power", "PW"}, {"vp", "VP"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (same_word(word, units[i].word))
            return units[i].unit;
    return NULL;
}

/* "3PW", "3 PW" or "PW" at word `at`; moves on behind it. */
static bool read_amount(const struct command *c, int *at, int *number,
                        const char **unit)
{
    if (*at >= c->count)
        return false;
    struct span word = c->word[(*at)++];
    bool counted = word.length && digit(word.at[0]);
    *number = cut_number(&word);
    if (counted && !word.length && *at < c->count)
        word = c->word[(*at)++];
    *unit = unit_name(word);
    return *unit != NULL;
}

static bool same_unit(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool read_convert(struct command *c, action *out)
{
    int at = 1, give, get;
    const char *from, *to;
    if (c->count == 4 && same_word(c->word[3], "bridge")) {
        *out = act(DO_ACTION, ACTE, 0); /* Engineers: convert 2W to bridge */
        return true;
    }
    if (!read_amount(c, &at, &give, &from) || at >= c->count ||
        !same_word(c->word[at++], "to") || !read_amount(c, &at, &get, &to) ||
        at != c->count)
        return syntax(c);
    bool known = false;
    for (int kind = 0; kind < CONVERTS; kind++) {
        const struct conversion *v = &conversions[kind];
        if (!same_unit(v->from, from) || !same_unit(v->to, to))
            continue;
        known = true;
        if (kind == C_TO_VP && !factions[c->p->faction].trades_vp)
            continue;
        if (get > 0 && get < 250 && give * v->get == get * v->give) {
            *out = act(DO_CONVERT, kind, get / v->get);
            return true;
        }
    }
    return refuse(c, known ? CONVERT_RATE : NO_CONVERT, c->whole);
}

static bool read_count(struct command *c, enum kind kind, action *out)
{
    long number = 1;
    if (c->count > 2 ||
        (c->count == 2 && !span_int(c->word[1], 1, 99, &number)))
        return syntax(c);
    *out = act(kind, (int)number, 0);
    return true;
}

static bool read_burn(struct command *c, action *out)
{
    return read_count(c, DO_BURN, out);
}

static bool read_dig(struct command *c, action *out)
{
    if (!read_count(c, DO_DIG, out))
        return false;
    int digging = factions[c->p->faction].digging;
    if (digging == DIG_VOLCANO_CULT || digging == DIG_VOLCANO_TOKEN)
        *out = act(DO_DIG, 1, 0);
    return true;
}

/* Without a colour: as near to home as the spades go. */
static int nearest_target(const struct command *c, int cell)
{
    int home = c->p->home, best = home, from = c->s->terrain[cell];
    if (c->s->turn.free & FREE_TRANSFORM || home == VOLCANO)
        return home;
    int goal = home == ICE ? c->p->colour : home, least = 99;
    for (int target = 0; target <= ICE; target++) {
        int need = spades_needed(c->w, c->s, c->seat, cell, target, 0);
        if (!need || need > c->p->spades || target == from)
            continue;
        int gap = target == ICE ? 0 : (target - goal + COLOURS) % COLOURS;
        gap = min_int(gap, COLOURS - gap) * 2 + (target != home);
        if (gap < least) {
            least = gap;
            best = target;
        }
    }
    return best;
}

static bool read_transform(struct command *c, action *out)
{
    int cell, colour;
    if (c->count != 2 && (c->count != 4 || !same_word(c->word[2], "to")))
        return syntax(c);
    if (!read_cell(c, c->word[1], &cell))
        return false;
    if (c->count == 2)
        colour = nearest_target(c, cell);
    else if (!read_colour(c, c->word[3], &colour))
        return false;
    *out = act(DO_TRANSFORM, cell, colour);
    return true;
}

static bool read_special(struct command *c, action *out)
{
    int cell;
    if (c->count != 2)
        return syntax(c);
    if (!read_cell(c, c->word[1], &cell))
        return false;
    *out = act(DO_PLACE, cell, 0);
    return true;
}

static int find_piece(const struct command *c, int from)
{
    struct span name = c->word[from];
    for (int piece = DWELLING; piece <= SANCTUARY; piece++)
        if (same_word(name, piece_ids[piece]))
            return piece;
    if (same_word(name, "trading"))
        return TRADING;
    for (int piece = TEMPLE; piece <= SANCTUARY; piece++)
        if (same_word(name, piece_titles[piece]))
            return piece;
    return 0;
}

static bool read_upgrade(struct command *c, action *out)
{
    int cell;
    if (c->count < 4 || c->count > 5 || !same_word(c->word[2], "to"))
        return syntax(c);
    if (!read_cell(c, c->word[1], &cell))
        return false;
    int piece = find_piece(c, 3);
    if (!piece)
        return refuse(c, FAULT_SYNTAX, c->word[3]);
    *out = act(DO_UPGRADE, cell, piece);
    return true;
}

static bool read_advance(struct command *c, action *out)
{
    if (c->count < 2)
        return syntax(c);
    struct span word = c->word[1];
    if (word.length >= 4 && same_word((struct span){word.at, 4}, "ship"))
        *out = act(DO_SHIP, 0, 0);
    else if (word.length >= 3 && same_word((struct span){word.at, 3}, "dig"))
        *out = act(DO_SPADE, 0, 0);
    else
        return syntax(c);
    return true;
}

static int best_space(const struct state *s, int track)
{
    const uint8_t *space = s->priest[track];
    return !space[0] ? 3 : !space[1] || !space[2] || !space[3] ? 2 : 1;
}

static bool read_send(struct command *c, action *out)
{
    int track;
    long steps;
    if ((c->count != 4 && c->count != 6) || !same_word(c->word[2], "to"))
        return syntax(c);
    if (!read_track(c, c->word[3], &track))
        return false;
    steps = best_space(c->s, track);
    if (c->count == 6 && !span_int(c->word[5], 1, 3, &steps))
        return syntax(c);
    *out = act(DO_SEND, track, (int)steps);
    return true;
}

static bool read_space(struct command *c, action *out)
{
    if (c->count != 2)
        return syntax(c);
    int old = find_numbered(c->word[1], "ACTH", 4);
    for (int space = ACT1; space < SPACES; space++)
        if (same_word(c->word[1], space_names[space]) ||
            (old && space == (old & 1 ? ACTH5 : ACTH6))) {
            *out = act(DO_ACTION, space, 0);
            return true;
        }
    return refuse(c, NO_SPACE_NAME, c->word[1]);
}

static bool read_bridge(struct command *c, action *out)
{
    int a, b;
    if (c->count < 2)
        return syntax(c);
    struct span rest = c->word[1];
    struct span first = span_cut(&rest, ':');
    if (!read_cell(c, first, &a) || !read_cell(c, rest, &b))
        return false;
    *out = act(DO_BRIDGE, min_int(a, b), max_int(a, b));
    return true;
}

/* "connect r7", or two or three land cells around one river cell. */
static bool read_connect(struct command *c, action *out)
{
    if (c->count != 2)
        return syntax(c);
    struct cells around = c->w->river;
    struct span rest = c->word[1];
    int cell = -1, named = 0;
    while (rest.length) {
        if (!read_cell(c, span_cut(&rest, ':'), &cell))
            return false;
        if (cells_has(c->w->land, cell))
            around = cells_and(around, c->w->near[cell]);
        named++;
    }
    if (named == 1 && cell >= 0) {
        *out = act(DO_CONNECT, cell, 0);
        return true;
    }
    while (!cells_none(around)) {
        int river = cells_take(&around);
        *out = act(DO_CONNECT, river, 0);
        if (can_connect(c->w, c->s, c->seat, river))
            return true;
    }
    return cell >= 0 || syntax(c);
}

/* "join D5": any cell of that town will do. */
static bool read_join(struct command *c, action *out)
{
    int cell, joins = c->s->turn.join - 1;
    if (c->count != 2)
        return syntax(c);
    if (!read_cell(c, c->word[1], &cell))
        return false;
    *out = act(DO_CONNECT, cell, 0);
    if (joins < 0 || !cells_has(c->p->own, cell) || !c->s->town[cell])
        return refuse(c, NO_JOIN, c->word[1]);
    struct cells beside = towns_beside(c->w, c->s, c->seat, joins);
    while (!cells_none(beside)) {
        int at = cells_take(&beside);
        if (c->s->town[at] == c->s->town[cell])
            *out = act(DO_CONNECT, at, 0);
    }
    return true;
}

static bool read_unlock(struct command *c, action *out)
{
    int colour;
    if (c->count != 2)
        return syntax(c);
    if (same_word(c->word[1], "gain-priest"))
        colour = KEEP_PRIEST;
    else if (!read_colour(c, c->word[1], &colour))
        return false;
    *out = act(DO_UNLOCK, colour, 0);
    return true;
}

static bool read_gain(struct command *c, action *out)
{
    *out = act(DO_TOKEN, 1, 0);
    return c->count >= 2 && same_word(c->word[1], "P3") ? true : syntax(c);
}

static bool read_done(struct command *c, action *out)
{
    *out = act(DO_DONE, 0, 0);
    return c->count == 1 || syntax(c);
}

/* ---- offers ---- */

/* The oldest open offer that fits; amount 0 or from -1: any. */
static int fitting_offer(const struct command *c, int from, int amount)
{
    int second = -1;
    for (int i = 0; i < c->s->offer_count; i++) {
        const struct offer *o = &c->s->offer[i];
        if (o->to != c->seat || (from >= 0 && o->from != from))
            continue;
        if (!amount || o->amount == amount)
            return i;
        /* The number may already be the limited one; on the public server it
         * may also be too large for the bowls. */
        bool excess = c->w->compat && amount > o->amount &&
                      offer_gain(c->p, amount) == o->amount;
        if (second < 0 && (offer_gain(c->p, o->amount) == amount || excess))
            second = i;
    }
    return second;
}

static bool read_answer(struct command *c, enum kind kind, action *out)
{
    long amount = 0;
    int from = -1, at = 1;
    if (at < c->count && span_int(c->word[at], 1, 99, &amount))
        at++;
    if (at + 1 < c->count && same_word(c->word[at], "from")) {
        if (!read_seat(c, c->word[at + 1], &from))
            return false;
        at += 2;
    }
    if (at != c->count)
        return syntax(c);
    int index = fitting_offer(c, from, (int)amount);
    if (index < 0)
        return refuse(c, NO_OFFER, c->whole);
    const struct offer *o = &c->s->offer[index];
    *out = act(kind, o->from, o->amount);
    if (c->count == 1 && kind == DO_DECLINE) {
        int open = 0;
        for (int i = 0; i < c->s->offer_count; i++)
            open += c->s->offer[i].to == c->seat;
        c->again = open > 1;
    }
    return true;
}

static bool read_leech(struct command *c, action *out)
{
    return read_answer(c, DO_LEECH, out);
}

static bool read_decline(struct command *c, action *out)
{
    return read_answer(c, DO_DECLINE, out);
}

static bool read_coin(struct command *c, action *out)
{
    return read_answer(c, DO_COIN, out);
}

/* ---- "+..." and "-..." ---- */

static bool is_digits(struct span word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!digit(word.at[i]))
            return false;
    return word.length > 0;
}

static bool read_adjust(struct command *c, struct span word, int amount,
                        action *out)
{
    const char *unit = unit_name(word);
    static const char *const names[5] = {"C", "W", "P", "VP", "PW"};
    for (int what = 0; unit && what < 5; what++)
        if (same_unit(unit, names[what]) && amount >= -99 && amount <= 99) {
            *out = act(DO_ADJUST, what, amount + 128);
            return true;
        }
    return syntax(c);
}

static bool read_town_tracks(struct command *c, int tile, action *out)
{
    int mask = 0;
    if (c->count == 3 && same_word(c->word[1], "to")) {
        struct span rest = c->word[2];
        while (rest.length) {
            int track;
            if (!read_track(c, span_cut(&rest, '+'), &track))
                return false;
            mask |= 1 << track;
        }
    } else if (c->count != 1) {
        return syntax(c);
    }
    *out = act(DO_TOWN, tile, mask);
    return true;
}

static bool read_plus(struct command *c, action *out)
{
    struct span word = c->word[0];
    word.at++;
    word.length--;
    bool counted = word.length && digit(word.at[0]);
    int number = cut_number(&word), tile;
    if (!word.length && counted && c->count > 1)
        word = c->word[1];
    if ((tile = find_numbered(word, "FAV", FAVOURS)) != 0) {
        *out = act(DO_FAVOUR, tile, 0);
        return number == 1 || syntax(c);
    }
    if ((tile = find_numbered(word, "TW", TOWNS)) != 0 && number == 1)
        return read_town_tracks(c, tile, out);
    if ((tile = find_numbered(word, "BON", CARDS)) != 0) {
        *out = act(DO_PASS, tile, 0);
        return true;
    }
    int track = find_track(word);
    if (track >= 0) {
        *out = act(DO_STEP, track, number);
        if (c->p->ravens_due && number == 3)
            *out = act(DO_RAVENS, track, 0);
        return number > 0 || syntax(c);
    }
    if (c->count == 3 && same_word(c->word[2], "ravens")) {
        *out = act(DO_RAVENS, RAVENS_VP, 0);
        return true;
    }
    return read_adjust(c, word, number, out);
}

static bool read_minus(struct command *c, action *out)
{
    struct span word = c->word[0];
    word.at++;
    word.length--;
    if (same_word(word, "GAIN_P3_FOR_VP")) {
        *out = act(DO_TOKEN, 0, 0);
        return true;
    }
    if (same_word(word, forfeit_names[LOSE_TRADE])) {
        *out = act(DO_FORFEIT, LOSE_TRADE, 0);
        return true;
    }
    int number = cut_number(&word);
    for (int i = 0; i < FORFEITS; i++)
        if (same_word(word, forfeit_names[i])) {
            int count = i == LOSE_SPADE ? number : i == LOSE_BRIDGE;
            *out = act(DO_FORFEIT, i, count);
            return true;
        }
    int track = find_track(word);
    if (track >= 0) {
        *out = act(c->p->pay_due ? DO_PAY : DO_DOWN, track, number);
        return true;
    }
    return read_adjust(c, word, -number, out);
}

/* ---- all of them ---- */

/* How many words belong to the command: it may be followed by others. */
static int amount_words(const struct command *c, int at)
{
    return at < c->count && is_digits(c->word[at]) ? 2 : 1;
}

static bool word_is(const struct command *c, int at, const char *word)
{
    return at < c->count && same_word(c->word[at], word);
}

static int answer_words(const struct command *c)
{
    int at = 1;
    if (at < c->count && is_digits(c->word[at]))
        at++;
    return word_is(c, at, "from") ? at + 2 : at;
}

static int convert_words(const struct command *c)
{
    int at = 1 + amount_words(c, 1);
    return word_is(c, at + 1, "bridge") ? at + 2
                                        : at + 1 + amount_words(c, at + 1);
}

static int plus_words(const struct command *c)
{
    return word_is(c, 1, "to") || word_is(c, 2, "ravens") ? 3 : 1;
}

static int upgrade_words(const struct command *c)
{
    return word_is(c, 4, "post") || word_is(c, 4, "house") ? 5 : 4;
}

static int command_words(const struct command *c)
{
    struct span verb = c->word[0];
    if (verb.at[0] == '+')
        return plus_words(c);
    if (verb.at[0] == '-' || same_word(verb, "done"))
        return 1;
    if (same_word(verb, "pass"))
        return c->count > 1 && find_numbered(c->word[1], "BON", 99) ? 2 : 1;
    if (same_word(verb, "burn") || same_word(verb, "dig"))
        return c->count > 1 && is_digits(c->word[1]) ? 2 : 1;
    if (same_word(verb, "convert"))
        return convert_words(c);
    if (same_word(verb, "transform"))
        return word_is(c, 2, "to") ? 4 : 2;
    if (same_word(verb, "upgrade"))
        return upgrade_words(c);
    if (same_word(verb, "send"))
        return word_is(c, 4, "for") ? 6 : 4;
    if (same_word(verb, "leech") || same_word(verb, "decline") ||
        same_word(verb, "coin"))
        return answer_words(c);
    if (same_word(verb, "bid") || same_word(verb, "gain"))
        return 4;
    return 2;
}

typedef bool command_reader(struct command *c, action *out);

static const struct {
    const char *verb;
    command_reader *read;
} verbs[] = {
    {"setup", read_pick},
    {"nominate", read_pick},
    {"bid", read_bid},
    {"pick-color", read_colour_choice},
    {"pick-colour", read_colour_choice},
    {"build", read_build},
    {"pass", read_pass},
    {"convert", read_convert},
    {"burn", read_burn},
    {"dig", read_dig},
    {"transform", read_transform},
    {"special", read_special},
    {"upgrade", read_upgrade},
    {"advance", read_advance},
    {"send", read_send},
    {"action", read_space},
    {"bridge", read_bridge},
    {"connect", read_connect},
    {"join", read_join},
    {"leech", read_leech},
    {"decline", read_decline},
    {"coin", read_coin},
    {"unlock-terrain", read_unlock},
    {"gain", read_gain},
    {"done", read_done},
};

static command_reader *find_reader(struct span verb)
{
    if (verb.at[0] == '+')
        return read_plus;
    if (verb.at[0] == '-')
        return read_minus;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (same_word(verb, verbs[i].verb))
            return verbs[i].read;
    return NULL;
}

bool parse_command(const struct world *w, const struct state *s, int seat,
                   struct span command, action *out, struct parsed *parsed,
                   struct fault *f)
{
    struct command c = {.w = w,
                        .s = s,
                        .p = &s->seat[seat],
                        .seat = seat,
                        .whole = command,
                        .f = f};
    struct span rest = command, word;
    while (c.count < WORDS && (word = span_word(&rest)).length)
        c.word[c.count++] = word;
    command_reader *reader = c.count ? find_reader(c.word[0]) : NULL;
    if (!reader)
        return syntax(&c);
    int words = command_words(&c);
    if (words > c.count)
        return syntax(&c);
    parsed->rest = c.count > words ? c.word[words] : (struct span){0};
    c.count = words;
    const struct span *last = &c.word[words - 1];
    c.whole.length = (size_t)(last->at + last->length - command.at);
    parsed->length = c.whole.length;
    bool early = reader == read_pick || reader == read_bid;
    if (!early && c.p->faction == NO_FACTION)
        return refuse(&c, NOT_NOW, c.whole);
    if (!reader(&c, out))
        return false;
    parsed->whole = !c.again;
    return true;
}

/* A command goes up to a full stop at most. */
static bool ends_command(char ch)
{
    return !ch || ch == '.' || ch == ';' || ch == ',' || ch == '\n';
}

/* Behind the command: blanks and the full stop belong to it. */
static size_t end_of(const char *text, size_t at)
{
    size_t stop = at;
    while (text[stop] == ' ')
        stop++;
    return text[stop] == '.' ? stop + 1 : at;
}

static bool may_act_now(const struct world *w, const struct state *s, int seat,
                        struct fault *f)
{
    unsigned must, may;
    flow_turn(w, s, &must, &may);
    if (!(must | may))
        return fault_set(f, FAULT_OVER, 0, 1, "");
    if (seat < 0 || seat >= w->seats || !((must | may) >> seat & 1))
        return fault_set(f, FAULT_TURN, 0, 1, "");
    return true;
}

bool mystica_read_action(const struct world *w, const struct state *s, int seat,
                         const char *text, action *out, size_t *used,
                         struct fault *f)
{
    struct span command = {text, 0};
    struct parsed parsed = {0};
    action a = 0;
    while (!ends_command(text[command.length]))
        command.length++;
    if (!may_act_now(w, s, seat, f))
        return false;
    if (!parse_command(w, s, seat, command, &a, &parsed, f)) {
        f->column = 1;
        return false;
    }
    if (!is_legal(w, s, seat, a)) {
        explain(w, s, seat, a, f);
        f->column = 1;
        return false;
    }
    *out = a;
    *used = parsed.whole ? end_of(text, parsed.length) : 0;
    return true;
}
