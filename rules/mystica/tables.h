/* rules/mystica/tables.h: the numbers of the box, as constant tables. */
#ifndef RULES_MYSTICA_TABLES_H
#define RULES_MYSTICA_TABLES_H

#include "rules/mystica/state.h"

struct cost {
    int8_t workers, coins, priests;
};

/* Of a structure; no structure costs priests. */
struct price {
    int8_t workers, coins;
};

struct income {
    int8_t coins, workers, priests, power;
};

/* What happens to spades a faction gains (mystica §6.1, §12). */
enum spade_use { SPADE_DIG, SPADE_CULT, SPADE_TOKEN, SPADE_LOST };

/* How a faction turns cells into its home terrain. */
enum digging {
    DIG_WHEEL,
    DIG_TWO,
    DIG_ICE,
    DIG_VOLCANO_CULT,
    DIG_VOLCANO_TOKEN,
    DIG_NEVER
};

/* What a faction gets when others answer the offers it caused (mystica §7). */
enum reaction { REACT_NONE, REACT_STEP, REACT_TOKEN };

/* Reaching cells across others (mystica §5). */
enum flight { FLY_NONE, FLY_TUNNEL, FLY_CARPET };

/* What the special terrain tile of a faction does (mystica §18). */
enum tile_effect {
    TILE_TEN_VP,
    TILE_RAVENS,
    TILE_WORKSHOP,
    TILE_CAMP,
    TILE_TIES,
    TILE_DRILL,
    TILE_TUNNEL,
    TILE_TOWER,
    TILE_REEF,
    TILE_BREEDING,
    TILE_PORTAL,
    TILE_CAVE,
    TILE_SCHOOL,
    TILE_COIN,
    TILE_VALLEY,
    TILE_PEAK,
    TILE_ALTAR,
    TILE_POND,
    TILE_PALACE,
    TILE_STAR
};

struct faction {
    const char *id, *title, *dutch;
    uint8_t home; /* a colour, ICE, VOLCANO or VARIABLE */
    int8_t coins, workers, priests;
    int8_t bowl[3], cult[TRACKS];
    bool sails; /* has shipping at all */
    int8_t ship, ship_max;
    int8_t dig_rate[3]; /* workers per spade by dig level */
    int8_t dig_max;     /* highest dig level; 0: no track */
    struct cost dig_cost;
    int8_t vp_2017;
    struct price build[SANCTUARY + 1]; /* trading house: with neighbour */
    int8_t dwelling_workers[9];        /* income by dwellings on the map */
    int8_t trading_coins[5], trading_power[5];
    int8_t temple_priests[4], temple_power[4];
    struct income stronghold;
    int8_t sanctuary_priests;

    /* Abilities. */
    int8_t dwellings;   /* starting dwellings */
    bool last_dwelling; /* placed after everybody else */
    int8_t starting_favours;
    int8_t favours;       /* tiles per temple and sanctuary */
    int8_t spade_priests; /* a spade costs priests instead of workers */
    int8_t bought_spade_vp;
    int8_t spade_vp;    /* per spade gained */
    int8_t spade_power; /* per spade gained, with the stronghold */
    enum spade_use spade_use;
    enum digging digging;
    enum reaction reaction;
    enum flight flight;
    int8_t town_vp, town_workers;
    int8_t power_discount; /* on the six power actions */
    bool reuse;            /* used power actions, with the stronghold */
    int8_t great_power;    /* power value of stronghold and sanctuary */
    bool skips_river;      /* one river cell when founding a town */
    bool by_water_only;    /* direct adjacency gives no reach */
    bool unlocks;          /* builds on unlocked terrains */
    int8_t send_steps;     /* extra cult steps with the stronghold */
    int8_t coins_per_vp;   /* conversion at the end, 3 or 2 */
    bool trades_vp;        /* VP to coins and back at any time */

    /* The moment the stronghold is built. */
    int8_t sh_vp, sh_power, sh_favours, sh_spades, sh_ship, sh_bridges,
        sh_trade;
    bool sh_tokens;                        /* as many as players */
    uint8_t sh_space;                      /* action space that comes with it */
    uint8_t space;                         /* action space from the start */
    int8_t pass_bridge_vp, pass_temple_vp; /* with the stronghold */

    /* The special terrain tile. */
    const char *tile, *tile_dutch;
    enum tile_effect effect;
    uint8_t needs, needs_count; /* pieces that must stand */
};

extern const struct faction factions[FACTIONS];

struct card {
    const char *id;
    struct income income;
    int8_t ship;            /* shipping while held, action phase only */
    int8_t pass_vp[PIECES]; /* when passing, per piece on the map */
    int8_t pass_ship_vp;    /* per shipping level */
};

extern const struct card cards[CARDS + 1];

struct favour {
    const char *id;
    int8_t copies, track, steps;
    struct income income;
};

extern const struct favour favours[FAVOURS + 1];
extern const int8_t favour12_vp[5]; /* by trading houses on the map */

struct town {
    const char *id;
    int8_t copies;
    bool mini; /* of the mini-expansion */
    int8_t keys, vp;
    struct income gain;
    int8_t steps; /* on every track */
    int8_t ship;
};

extern const struct town towns[TOWNS + 1];

/* What a round scoring tile pays for, and its cult bonus. */
enum scored {
    SCORED_SPADE,
    SCORED_TOWN,
    SCORED_DWELLING,
    SCORED_GREAT,
    SCORED_TRADING,
    SCORED_TEMPLE
};

struct score {
    const char *id, *text;
    enum scored scored;
    int8_t vp;
    int8_t track;  /* -1: per priest on the cult board */
    int8_t levels; /* per so many levels */
    struct income bonus;
    int8_t spades;
};

extern const struct score scores[10];

struct power_action {
    int8_t cost;
    struct income gain;
    int8_t spades, bridges;
};

extern const struct power_action power_actions[7];

struct conversion {
    const char *from, *to;
    int8_t give, get;
};

extern const struct conversion conversions[CONVERTS];

/* Shapeshifters by version (mystica §12): price and VP of a change of home, how
 * often they may, and whether tokens come without being paid for. */
enum { USES_ANY, USES_PLAYERS, USES_OPPONENTS };
struct shape_rule {
    int8_t cost, vp, uses;
    bool free_token;
};

extern const struct shape_rule shape_rules[VARIABLE_V1 + 1];

struct map {
    const char *id, *title, *digest; /* digest: the public server's id */
    const char *rows[9];
};

extern const struct map maps[MAPS];

extern const char *const colour_names[VARIABLE + 1];
extern const char *const track_names[TRACKS];
extern const char *const piece_ids[PIECES];
extern const char *const piece_titles[PIECES];
extern const char *const space_names[SPACES];
extern const char *const final_names[FINAL_CLUSTERS + 1];
extern const char *const source_names[VP_SOURCES];
extern const char colour_letters[]; /* of the maps, by terrain */

static inline const struct faction *faction_of(const struct seat *p)
{
    return &factions[p->faction];
}

static inline bool makes_volcanoes(const struct faction *f)
{
    return f->digging == DIG_VOLCANO_CULT || f->digging == DIG_VOLCANO_TOKEN;
}

static inline int pieces_max(int piece)
{
    static const int8_t most[PIECES] = {0, 8, 4, 3, 1, 1, 1};
    return most[piece];
}

static inline int power_value(const struct seat *p, int piece)
{
    static const int8_t value[PIECES] = {0, 1, 2, 2, 3, 3, 1};
    return piece == STRONGHOLD || piece == SANCTUARY
               ? factions[p->faction].great_power
               : value[piece];
}

#endif
