/* rules/mystica/start.c: options, world and first state. */
#include "base/text.h"
#include "rules/mystica/start.h"

#include "base/rng.h"
#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/map.h"
#include "rules/mystica/position.h"

/* ---- options ---- */

static const char *const map_choices[] = {"base",        "fireice1", "fireice2",
                                          "loonlakes",   "fjords",   "arrow",
                                          "archipelago", "given",    NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const offers_choices[] = {"table", "online", NULL};
static const char *const compat_choices[] = {"none", "server", NULL};
static const char *const order_choices[] = {"seat", "passing", NULL};
static const char *const seating_choices[] = {"entered", "drawn", NULL};
static const char *const vp_choices[] = {"equal", "2017", NULL};
static const char *const auction_choices[] = {"off", "drawn", "nominated",
                                              NULL};
static const char *const final_choices[] = {"off",
                                            "connected-distance",
                                            "connected-sa-sh-distance",
                                            "building-on-edge",
                                            "connected-clusters",
                                            "drawn",
                                            NULL};
static const char *const variable_choices[] = {"no", "v5", "v4", "v3",
                                               "v2", "v1", NULL};
static const char *const tile_choices[] = {"off", "all", "chosen", NULL};
static const char *const faction_choices[] = {
    "alchemists", "auren",       "chaosmagicians", "cultists",
    "darklings",  "dwarves",     "engineers",      "fakirs",
    "giants",     "halflings",   "mermaids",       "nomads",
    "swarmlings", "witches",     "icemaidens",     "yetis",
    "acolytes",   "dragonlords", "riverwalkers",   "shapeshifters",
    NULL};

#define CHOICE(name, choices, preset, help)                                    \
    {                                                                          \
        name, OPTION_CHOICE, choices, 0, 0, preset, help                       \
    }

const struct option mystica_options[] = {
    [OPT_MAP] = CHOICE("map", map_choices, 0,
                       "the board; given: nine rows in the setup"),
    [OPT_OFFERS] = CHOICE("offers", offers_choices, OFFERS_TABLE,
                          "power offers: answered before play goes on, or "
                          "while others act"),
    [OPT_COMPAT] = CHOICE("compat", compat_choices, 0,
                          "accept what the public server tolerates"),
    [OPT_ORDER] = CHOICE("turn-order", order_choices, 1,
                         "next round: by seat from the first to pass, or in "
                         "order of passing"),
    [OPT_SEATING] =
        CHOICE("seating", seating_choices, 0, "turn order of round 1"),
    [OPT_START_VP] = CHOICE("start-vp", vp_choices, 0,
                            "20 for everybody, or the table of 2017"),
    [OPT_AUCTION] = CHOICE("auction", auction_choices, 0,
                           "bid for factions that are drawn or nominated"),
    [OPT_MINI] =
        CHOICE("mini-expansion-1", no_yes, 1, "town tiles TW6, TW7, TW8"),
    [OPT_SHIPPING_BONUS] =
        CHOICE("shipping-bonus", no_yes, 1, "bonus card BON10"),
    [OPT_TEMPLE_TILE] =
        CHOICE("temple-scoring-tile", no_yes, 1, "scoring tile SCORE9"),
    [OPT_FINAL] = CHOICE("final-scoring", final_choices, 0,
                         "one more way to score at the end"),
    [OPT_ICE] = CHOICE("ice", no_yes, 0, "Ice Maidens and Yetis"),
    [OPT_VOLCANO] = CHOICE("volcano", no_yes, 0, "Acolytes and Dragonlords"),
    [OPT_VARIABLE] = CHOICE("variable", variable_choices, 0,
                            "Riverwalkers and Shapeshifters, by version"),
    [OPT_LANDSCAPES] =
        CHOICE("special-landscapes", tile_choices, 0, "special terrain tiles"),
    [OPT_LANDSCAPE_SET] = {"landscape-factions", OPTION_SET, faction_choices, 0,
                           0, 0, "whose tiles are in use if chosen"},
    [OPT_STRICT_LEECH] = CHOICE("strict-leech", no_yes, 1,
                                "offers are answered in order and before "
                                "conversions"),
    [OPT_STRICT_DARKLING] = CHOICE("strict-darkling-sh", no_yes, 1,
                                   "workers to priests only in the turn of "
                                   "the stronghold"),
    [OPT_STRICT_CHAOS] = CHOICE("strict-chaosmagician-sh", no_yes, 1,
                                "passing ends the double action"),
    [OPT_ERRATA] = CHOICE("errata-cultist-power", no_yes, 1,
                          "1 power for Cultists when all decline"),
    [OPT_MANUAL_FAV5] = CHOICE("manual-fav5", no_yes, 0,
                               "no late key for markers stopped at 9"),
    [OPT_LOOSE_ADJUST] = CHOICE("loose-adjust-resource", no_yes, 0,
                                "corrections by hand, for very old games"),
    [OPT_LOOSE_CULTIST] = CHOICE("loose-cultist-ordering", no_yes, 0,
                                 "nobody waits for Cultists before level 10"),
    [OPT_LOOSE_DIG] =
        CHOICE("loose-dig", no_yes, 0, "old spade rules: always the short way"),
    [OPT_LOOSE_MULTI] = CHOICE("loose-multi-spade", no_yes, 0,
                               "several cells may end in a foreign colour"),
    [OPT_LOOSE_BRIDGE] = CHOICE("loose-bridge-adjacency", no_yes, 0,
                                "bridges without an own structure"),
    [OPT_LOOSE_ENGINEER] =
        CHOICE("loose-engineer-bridge", no_yes, 0, "accepted, without effect"),
    [OPT_LOOSE_LOSE_CULT] =
        CHOICE("loose-lose-cult", no_yes, 0, "Acolytes may pay later"),
    [OPT_LOOSE_DONE] =
        CHOICE("loose-done", no_yes, 0, "a turn may end without an action"),
    [OPTIONS] = {NULL, OPTION_CHOICE, NULL, 0, 0, 0, NULL},
};

/* ---- names ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool same_word(struct span a, const char *b)
{
    size_t i = 0;
    while (i < a.length && b[i] && lower(a.at[i]) == lower(b[i]))
        i++;
    return i == a.length && !b[i];
}

int find_faction(struct span name)
{
    for (int i = 0; i < FACTIONS; i++)
        if (same_word(name, factions[i].id) ||
            same_word(name, factions[i].title))
            return i;
    /* as very old games say */
    return same_word(name, "dragonmasters") ? DRAGONLORDS : -1;
}

int find_colour(struct span name)
{
    if (same_word(name, "grey"))
        return GRAY;
    for (int i = 0; i <= VOLCANO; i++)
        if (same_word(name, colour_names[i]))
            return i;
    return -1;
}

int find_track(struct span name)
{
    for (int i = 0; i < TRACKS; i++)
        if (same_word(name, track_names[i]))
            return i;
    return -1;
}

int find_numbered(struct span name, const char *prefix, int most)
{
    size_t skip = strlen(prefix);
    long number;
    if (name.length <= skip || !same_word((struct span){name.at, skip}, prefix))
        return 0;
    struct span rest = {name.at + skip, name.length - skip};
    return span_int(rest, 1, most, &number) ? (int)number : 0;
}

/* ---- what the setup gives ---- */

/* Values are separated by commas or blanks. */
static bool next_value(struct span *rest, struct span *value)
{
    while (rest->length && (*rest->at == ' ' || *rest->at == ',')) {
        rest->at++;
        rest->length--;
    }
    size_t length = 0;
    while (length < rest->length && rest->at[length] != ' ' &&
           rest->at[length] != ',')
        length++;
    *value = (struct span){rest->at, length};
    rest->at += length;
    rest->length -= length;
    return length > 0;
}

static bool given_fault(struct fault *f, int code, const struct given *g)
{
    return fault_span(f, code, g->line, 0, g->value.at, g->value.length);
}

static bool give_score(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    unsigned seen = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int tile =
            next_value(&rest, &value) ? find_numbered(value, "SCORE", 9) : 0;
        if (!tile || (seen >> tile & 1))
            return given_fault(f, BAD_TILES, g);
        if (tile == 1 && i >= 4 && !w->compat)
            return given_fault(f, BAD_SCORE1, g);
        seen |= 1u << tile;
        w->score[i] = (uint8_t)tile;
    }
    return !next_value(&rest, &value) || given_fault(f, BAD_TILES, g);
}

static bool give_cards(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    while (next_value(&rest, &value)) {
        int card = find_numbered(value, "BON", CARDS);
        if (!card || (w->cards >> card & 1))
            return given_fault(f, BAD_CARDS, g);
        w->cards |= (uint16_t)(1 << card);
    }
    int count = __builtin_popcount(w->cards);
    bool good = w->compat ? count >= w->seats + 1 : count == w->seats + 3;
    return good || given_fault(f, BAD_CARDS, g);
}

static bool give_order(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    unsigned seen = 0;
    for (int i = 0; i < w->seats; i++) {
        long seat;
        if (!next_value(&rest, &value) ||
            !span_int(value, 1, w->seats, &seat) || (seen >> seat & 1))
            return given_fault(f, BAD_ORDER, g);
        seen |= 1u << seat;
        w->order[i] = (uint8_t)seat;
    }
    return !next_value(&rest, &value) || given_fault(f, BAD_ORDER, g);
}

static bool give_vp(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    for (int i = 0; i < w->seats; i++) {
        long vp;
        if (!next_value(&rest, &value) || !span_int(value, 0, 60, &vp))
            return given_fault(f, BAD_VP, g);
        w->vp[i] = (int16_t)(vp + 1);
    }
    return !next_value(&rest, &value) || given_fault(f, BAD_VP, g);
}

static bool give_layout(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    bool home[VARIABLE + 1] = {false};
    for (int i = 0; i < w->seats; i++) {
        int faction = next_value(&rest, &value) ? find_faction(value) : -1;
        if (faction < 0 || home[factions[faction].home])
            return given_fault(f, BAD_LAYOUT, g);
        home[factions[faction].home] = true;
        w->layout[i] = (uint8_t)(faction + 1);
    }
    return !next_value(&rest, &value) || given_fault(f, BAD_LAYOUT, g);
}

static bool read_hand(struct world *w, int seat, struct span names,
                      uint32_t homes)
{
    if (names.length && names.at[names.length - 1] == '+')
        return false;
    while (names.length) {
        int faction = find_faction(span_cut(&names, '+'));
        if (faction < 0 || !faction_allowed(w, faction) ||
            (homes >> factions[faction].home & 1))
            return false;
        w->hand[seat] |= 1u << faction;
    }
    return w->hand[seat];
}

/* "auren+witches fakirs": what each seat may choose from, no terrain twice; an
 * auction deals nothing. */
static bool give_hands(struct world *w, const struct given *g, struct fault *f)
{
    struct span rest = g->value, value;
    uint32_t homes = 0;
    if (w->hand[0] || w->option[OPT_AUCTION] != AUCTION_OFF)
        return given_fault(f, BAD_LAYOUT, g);
    for (int seat = 0; seat < w->seats; seat++) {
        if (!next_value(&rest, &value) || !read_hand(w, seat, value, homes))
            return given_fault(f, BAD_LAYOUT, g);
        for (int i = 0; i < FACTIONS; i++)
            if (w->hand[seat] >> i & 1)
                homes |= 1u << factions[i].home;
    }
    return !next_value(&rest, &value) || given_fault(f, BAD_LAYOUT, g);
}

static bool give_map(struct world *w, const struct given *g, struct fault *f)
{
    return map_read(w, g->value, g->line - 1, f);
}

enum { START_TEXT = 16384 };

static bool give_start(struct world *w, const struct given *g, struct fault *f)
{
    char text[START_TEXT];
    struct state s;
    if (given_unfold(g->value, text, sizeof text) >= START_TEXT)
        return given_fault(f, FAULT_SIZE, g);
    if (mystica_read_state(w, text, &s, f))
        return true;
    f->line = f->line ? f->line + g->line : g->line;
    return false;
}

static bool read_given(struct world *w, const char *given, struct fault *f)
{
    static const struct {
        const char *key;
        bool (*read)(struct world *w, const struct given *g, struct fault *f);
    } keys[] = {
        {"score", give_score}, {"cards", give_cards},     {"order", give_order},
        {"vp", give_vp},       {"factions", give_layout}, {"hands", give_hands},
    };
    struct given g;
    int line = 0;
    while (given_next(&given, &line, &g)) {
        if (span_is(g.key, "map") || span_is(g.key, "start"))
            continue;
        size_t i = 0;
        while (i < sizeof keys / sizeof *keys && !span_is(g.key, keys[i].key))
            i++;
        if (i == sizeof keys / sizeof *keys)
            return fault_span(f, FAULT_GIVEN, g.line, 0, g.key.at,
                              g.key.length);
        if (!keys[i].read(w, &g, f))
            return false;
    }
    return true;
}

static bool read_start(struct world *w, const char *given, struct fault *f)
{
    struct given g;
    return !given_find(given, "start", &g) || give_start(w, &g, f);
}

static bool prepare_map(struct world *w, const struct setup *setup,
                        struct fault *f)
{
    struct given g;
    if (given_find(setup->given, "map", &g)) {
        w->option[OPT_MAP] = MAP_GIVEN;
        return give_map(w, &g, f);
    }
    if (w->option[OPT_MAP] == MAP_GIVEN)
        return fault_set(f, MAP_MISSING, 0, 0, "");
    map_build(w, maps[w->option[OPT_MAP]].rows);
    return true;
}

static bool read_options(struct world *w, const struct setup *setup,
                         struct fault *f)
{
    for (int i = 0; i < OPTIONS; i++) {
        const struct option *o = &mystica_options[i];
        int value = setup->option[i];
        if (value == OPTION_UNSET)
            value = o->preset;
        int most = 0;
        while (o->choices[most])
            most++;
        most = o->kind == OPTION_SET ? 1 << most : most;
        if (value < 0 || value >= most)
            return fault_set(f, FAULT_VALUE, 0, 0, o->name);
        w->option[i] = value;
    }
    w->compat = w->option[OPT_COMPAT] == 1;
    if (w->option[OPT_LANDSCAPES] == LAND_ALL)
        w->tiles = (1u << FACTIONS) - 1;
    else if (w->option[OPT_LANDSCAPES] == LAND_CHOSEN)
        w->tiles = (uint32_t)w->option[OPT_LANDSCAPE_SET];
    return true;
}

bool mystica_prepare(struct world *w, const struct setup *setup,
                     struct fault *f)
{
    if (setup->seats < 2 || setup->seats > SEATS) {
        char subject[8];
        struct text t = text_begin(subject, sizeof subject);
        text_int(&t, setup->seats);
        text_end(&t);
        return fault_set(f, FAULT_SEATS, 0, 0, subject);
    }
    memset(w, 0, sizeof *w);
    w->seats = setup->seats;
    w->habits = mystica_habits;
    return read_options(w, setup, f) && prepare_map(w, setup, f) &&
           read_given(w, setup->given, f) && read_start(w, setup->given, f);
}

/* ---- the first state ---- */

/* mystica §2.2: everything again while SCORE1 lies on round 5 or 6. */
static void draw_scores(const struct world *w, struct state *s, struct rng *r)
{
    uint8_t pile[9];
    int count = w->option[OPT_TEMPLE_TILE] ? 9 : 8;
    do {
        for (int i = 0; i < 9; i++)
            pile[i] = (uint8_t)(i + 1);
        rng_shuffle(r, pile, count);
    } while (pile[4] == 1 || pile[5] == 1);
    memcpy(s->score, w->score[0] ? w->score : pile, ROUNDS);
}

static void draw_cards(const struct world *w, struct state *s, struct rng *r)
{
    uint8_t pile[CARDS];
    int count = w->option[OPT_SHIPPING_BONUS] ? 10 : 9;
    for (int i = 0; i < CARDS; i++)
        pile[i] = (uint8_t)(i + 1);
    rng_shuffle(r, pile, count);
    for (int i = 0; i < w->seats + 3; i++)
        s->cards |= (uint16_t)(1 << pile[i]);
    if (w->cards)
        s->cards = w->cards;
}

static void draw_order(const struct world *w, struct state *s, struct rng *r)
{
    for (int i = 0; i < w->seats && i < SEATS; i++)
        s->order[i] = (uint8_t)i;
    if (w->option[OPT_SEATING] == 1)
        rng_shuffle(r, s->order, w->seats);
    for (int i = 0; i < w->seats && i < SEATS && w->order[0]; i++)
        s->order[i] = (uint8_t)(w->order[i] - 1);
    memcpy(s->seating, s->order, sizeof s->seating);
}

static void draw_layout(const struct world *w, struct state *s, struct rng *r)
{
    for (int i = 0; i < w->seats && i < SEATS; i++) {
        uint32_t open = free_factions(w, s);
        int pick = rng_below(r, __builtin_popcount(open));
        while (pick-- > 0)
            open &= open - 1;
        s->layout[i] = (uint8_t)(__builtin_ctz(open) + 1);
    }
    if (w->layout[0])
        memcpy(s->layout, w->layout, sizeof s->layout);
}

/* Whoever was dealt one faction has it, before anybody chooses a colour. */
static void enter_dealt(const struct world *w, struct state *s)
{
    for (int i = 0; i < w->seats; i++) {
        int seat = s->order[i];
        uint32_t hand = w->hand[seat] & free_factions(w, s);
        if (__builtin_popcount(w->hand[seat]) == 1 && hand)
            enter_faction(w, s, seat, __builtin_ctz(hand), -1);
    }
}

static void lay_board(const struct world *w, struct state *s)
{
    for (int cell = 0; cell < w->cells; cell++) {
        s->terrain[cell] = RIVER;
        set_terrain(s, cell, w->terrain[cell]);
    }
    for (int tile = 1; tile <= FAVOURS; tile++)
        s->favours_left[tile] = (uint8_t)favours[tile].copies;
    for (int tile = 1; tile <= TOWNS; tile++)
        if (!towns[tile].mini || w->option[OPT_MINI])
            s->towns_left[tile] = (uint8_t)towns[tile].copies;
    for (int seat = 0; seat < SEATS; seat++)
        s->seat[seat].faction = NO_FACTION;
}

/* A position given in the setup, which prepare() has read already. */
static bool start_given(const struct world *w, const struct setup *setup,
                        struct state *s)
{
    struct given g;
    struct fault f;
    char text[START_TEXT];
    if (!given_find(setup->given, "start", &g))
        return false;
    given_unfold(g.value, text, sizeof text);
    return mystica_read_state(w, text, s, &f);
}

void mystica_start(const struct world *w, const struct setup *setup,
                   struct state *s)
{
    struct rng r;
    if (start_given(w, setup, s))
        return;
    rng_seed(&r, setup->seed);
    memset(s, 0, sizeof *s);
    lay_board(w, s);
    draw_scores(w, s, &r);
    draw_cards(w, s, &r);
    int drawn = rng_below(&r, 4);
    s->final = (uint8_t)(w->option[OPT_FINAL] == 5 ? FINAL_DISTANCE + drawn
                                                   : w->option[OPT_FINAL]);
    draw_order(w, s, &r);
    s->phase = PHASE_PICK;
    if (w->option[OPT_AUCTION] == AUCTION_DRAWN || w->layout[0]) {
        s->phase = PHASE_BID;
        draw_layout(w, s, &r);
    } else if (w->option[OPT_AUCTION] == AUCTION_NOMINATED) {
        s->phase = PHASE_NOMINATE;
    } else {
        enter_dealt(w, s);
    }
    advance(w, s);
}
