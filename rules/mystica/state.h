/* rules/mystica/state.h: what a Terra Mystica match is made of.
 *
 * Names follow the rule book; paragraphs cited as "mystica §n" are those of
 * docs/rules/mystica.md. */
#ifndef RULES_MYSTICA_STATE_H
#define RULES_MYSTICA_STATE_H

#include "base/check.h"
#include "game/game.h"
#include "rules/mystica/habits.h"

#include <string.h>

enum terrain {
    YELLOW,
    BROWN,
    BLACK,
    BLUE,
    GREEN,
    GRAY,
    RED, /* the wheel */
    ICE,
    VOLCANO,
    RIVER,
    VARIABLE /* home of Riverwalkers and, before the choice, Shapeshifters */
};

enum piece {
    NOTHING,
    DWELLING,
    TRADING,
    TEMPLE,
    STRONGHOLD,
    SANCTUARY,
    SPECIAL,
    PIECES
};

enum track { FIRE, WATER, EARTH, AIR };

/* ---- sets of cells ---- */

struct cells {
    uint64_t word[2];
};

static inline bool cells_has(struct cells s, int i)
{
    return s.word[i >> 6] >> (i & 63) & 1;
}

static inline void cells_add(struct cells *s, int i)
{
    s->word[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void cells_drop(struct cells *s, int i)
{
    s->word[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static inline bool cells_none(struct cells s)
{
    return !(s.word[0] | s.word[1]);
}

static inline struct cells cells_and(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

static inline struct cells cells_or(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

static inline struct cells cells_without(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

static inline bool cells_meet(struct cells a, struct cells b)
{
    return !cells_none(cells_and(a, b));
}

static inline int cells_count(struct cells s)
{
    return __builtin_popcountll(s.word[0]) + __builtin_popcountll(s.word[1]);
}

/* Takes the smallest member out of a set that is not empty. */
static inline int cells_take(struct cells *s)
{
    int word = s->word[0] ? 0 : 1;
    int i = 64 * word + __builtin_ctzll(s->word[word]);
    s->word[word] &= s->word[word] - 1;
    return i;
}

/* ---- the world: map and options ---- */

enum option_id {
    OPT_MAP,
    OPT_OFFERS,
    OPT_COMPAT,
    OPT_ORDER,
    OPT_SEATING,
    OPT_START_VP,
    OPT_AUCTION,
    OPT_MINI,
    OPT_SHIPPING_BONUS,
    OPT_TEMPLE_TILE,
    OPT_FINAL,
    OPT_ICE,
    OPT_VOLCANO,
    OPT_VARIABLE,
    OPT_LANDSCAPES,
    OPT_LANDSCAPE_SET,
    OPT_STRICT_LEECH,
    OPT_STRICT_DARKLING,
    OPT_STRICT_CHAOS,
    OPT_ERRATA,
    OPT_MANUAL_FAV5,
    OPT_LOOSE_ADJUST,
    OPT_LOOSE_CULTIST,
    OPT_LOOSE_DIG,
    OPT_LOOSE_MULTI,
    OPT_LOOSE_BRIDGE,
    OPT_LOOSE_ENGINEER,
    OPT_LOOSE_LOSE_CULT,
    OPT_LOOSE_DONE,
    OPTIONS
};

enum { OFFERS_TABLE, OFFERS_ONLINE };
enum { MAPS = 7, MAP_GIVEN = 7 };
enum {
    VARIABLE_OFF,
    VARIABLE_V5,
    VARIABLE_V4,
    VARIABLE_V3,
    VARIABLE_V2,
    VARIABLE_V1
};
enum { LAND_OFF, LAND_ALL, LAND_CHOSEN };
enum { AUCTION_OFF, AUCTION_DRAWN, AUCTION_NOMINATED };
enum final_tile {
    FINAL_NONE,
    FINAL_DISTANCE,
    FINAL_SA_SH,
    FINAL_EDGE,
    FINAL_CLUSTERS
};

struct world {
    int seats, cells;
    int option[OPTIONS];
    bool compat;                    /* compat = server */
    uint32_t tiles;                 /* factions with their special tile */
    int first_label;                /* 0: rows A-I, 1: rows B-J */
    uint8_t terrain[CELLS];         /* as printed */
    uint8_t row[CELLS], col[CELLS]; /* row: label index */
    char name[CELLS][5];            /* "E10", "r34" */
    struct cells land, river, edge;
    struct cells near[CELLS];               /* sharing an edge */
    struct cells span[CELLS];               /* legal bridge partners */
    struct cells ship[SHIP_MAX + 1][CELLS]; /* land within river distance */
    struct cells skip[SKIP_MAX + 1][CELLS]; /* within skip distance */
    uint8_t distance[CELLS][CELLS];         /* hex distance */
    /* What the setup gives instead of a draw; 0: drawn. */
    uint8_t score[ROUNDS];
    uint16_t cards;
    uint8_t order[SEATS];  /* seat + 1 */
    int16_t vp[SEATS];     /* VP + 1 */
    uint8_t layout[SEATS]; /* factions + 1 of an auction */
    uint32_t hand[SEATS];  /* factions dealt to each seat */
    struct habits habits;  /* what bots are used to do */
};

/* ---- the state ---- */

enum phase {
    PHASE_NOMINATE,
    PHASE_BID,
    PHASE_PICK,
    PHASE_COLOUR,
    PHASE_DWELL,
    PHASE_CARDS,
    PHASE_CULT,
    PHASE_INCOME,
    PHASE_ACTIONS,
    PHASE_OVER
};

enum source {
    VP_START,
    VP_ROUND,
    VP_TOWN,
    VP_FAVOUR,
    VP_CARD,
    VP_SHIP,
    VP_DIG,
    VP_ABILITY,
    VP_POWER,
    VP_CONVERT,
    VP_EXTRA,
    VP_CULTS,
    VP_NETWORK,
    VP_RESOURCES,
    VP_SOURCES
};

struct seat {
    struct cells own; /* structures, special tile included */
    int16_t vp, coins, workers;
    uint16_t favours; /* mask of 1 << tile */
    uint8_t priests, bowl[3], cult[TRACKS], keys;
    uint8_t faction; /* enum faction_id or NO_FACTION */
    uint8_t home;    /* terrain of its structures */
    uint8_t colour;  /* home, ring or start colour */
    uint8_t ship, dig;
    uint8_t range;         /* carpet range gained from TW7 */
    uint8_t card;          /* bonus card held, 0: none */
    uint8_t placed;        /* priests on the cult board */
    uint8_t count[PIECES]; /* structures on the map */
    uint8_t unlocked;      /* Riverwalkers: mask of colours */
    uint8_t bridges;       /* pieces used */
    uint8_t towns;         /* towns founded; also the last town number */
    uint8_t town_tiles;
    uint8_t tile;   /* cell + 1 of the special tile */
    uint8_t shifts; /* Shapeshifters: changes made */
    bool passed, dropped;
    bool used_favour, used_ability; /* markers on FAV6 and the SH action */

    /* Rights to be used. */
    uint8_t favours_due, towns_due;
    uint8_t steps_due;  /* free cult steps, split as one likes */
    uint8_t block_due;  /* free cult steps on one track */
    uint8_t ravens_due; /* Witches: 5 VP or 3 steps */
    uint8_t spades;
    uint8_t bridges_due;
    uint8_t unlock_due; /* Riverwalkers: priests to decide on */
    uint8_t tokens_due; /* Shapeshifters: tokens to buy or refuse */
    uint8_t pay_due;    /* Acolytes: steps to go down */
    uint8_t colour_due;
    uint8_t trade_due; /* Darklings: workers to priests */
    uint8_t stopped;   /* tracks stopped at 9 this turn for lack of key */
};

/* What the action in progress has done and still allows. */
enum {
    WORK_OPEN = 1,     /* a transform and build action is in progress */
    WORK_BOUGHT = 2,   /* spades were bought: all into one cell */
    WORK_SPREAD = 4,   /* spades may go into several cells */
    WORK_BUILD = 8,    /* a dwelling may follow */
    WORK_VOLCANO = 16, /* a volcano may be made */
    WORK_CHANGED = 32, /* something was transformed */
    WORK_FORCED = 64,  /* the spade of the Winter Valley must be used */
    WORK_FIXED = 128   /* no spades may be bought in addition */
};

enum {
    FREE_TRANSFORM = 1, /* ACTN */
    FREE_DWELLING = 2,  /* ACTW */
    FREE_TRADING = 4,   /* ACTS */
    FREE_PORTAL = 8,    /* Chaos Portal with the stronghold */
    FREE_SHIP = 16,     /* Dark Workshop: advance without priest */
    FREE_DIG = 32,      /* Dark Workshop, Cave of Wisdom */
    FREE_COLOUR = 64    /* Spectral Pole Star */
};

struct turn {
    struct cells made; /* cells turned home in this action */
    bool started;      /* the seat has begun its turn */
    bool acted;        /* a main action was taken: the turn may end */
    bool doubled;      /* ACTC: the first of two actions lies ahead */
    uint8_t left;      /* main actions left */
    uint8_t work, free;
    uint8_t away;  /* cell + 1 that ended in a non-home colour */
    uint8_t flown; /* cell + 1 reached by tunnel or carpet */
    uint8_t fresh; /* cell + 1 of a tile placed in this action */
    uint8_t join;  /* cell + 1 of a structure that has to choose its town */
};

struct bridge {
    uint8_t owner, a, b;
};

enum {
    OFFER_TAKEN = 1,
    OFFER_REFUSED = 2,
    OFFER_COIN = 4,
    OFFER_SETTLED = 8 /* all others refused, and were paid for it */
};

struct offer {
    uint8_t to, from, amount, event;
    uint8_t flags; /* what others answered to the same event */
};

struct state {
    uint8_t phase, round;   /* round 1..6 in play, 0 before */
    uint8_t active;         /* whose turn it is, or NO_SEAT */
    uint8_t step;           /* position in the setup sequence */
    uint8_t order[SEATS];   /* turn order of the round */
    uint8_t seating[SEATS]; /* order around the table */
    uint8_t passing[SEATS]; /* in order of passing */
    uint8_t passes;
    uint8_t score[ROUNDS]; /* scoring tiles 1..9 */
    uint8_t final;         /* enum final_tile */
    uint8_t ending;        /* enum ending, once over */
    uint8_t stopped_by;    /* seat + 1 that resigned or ran out of time */
    uint8_t used;          /* mask of power actions 1 << n taken */
    uint16_t used_card;    /* mask of 1 << card: BON1, BON2 marked */
    uint16_t cards;        /* mask of cards in the game */
    uint8_t card_coins[CARDS + 1];
    uint8_t favours_left[FAVOURS + 1];
    uint8_t towns_left[TOWNS + 1];
    uint8_t priest[TRACKS][4]; /* seat + 1 on the 3-space and the 2-spaces */
    uint8_t layout[SEATS];     /* auction: factions + 1 */
    uint8_t bid[SEATS];        /* bid + 1 on each of them */
    uint8_t holder[SEATS];     /* seat + 1 who bid */
    uint8_t bridge_count, offer_count;
    uint8_t adjusted; /* corrections by hand so far */
    bool cult_tunnel; /* Great Tunnel: used in this cult phase */
    struct seat seat[SEATS];
    struct turn turn;
    struct cells occupied;            /* cells with a structure */
    struct cells colour[VOLCANO + 1]; /* cells by terrain */
    struct cells skipped;             /* river cells the Mermaids skip */
    uint8_t terrain[CELLS];
    uint8_t piece[CELLS]; /* enum piece */
    uint8_t owner[CELLS]; /* seat, where there is a piece */
    uint8_t town[CELLS];  /* number of the owner's town, 0: none */
    struct bridge bridge[BRIDGES];
    struct offer offer[OFFERS];
    /* Bookkeeping without influence on play; not hashed. */
    int16_t source[SEATS][VP_SOURCES];
    uint16_t towns_held[SEATS]; /* two bits for each kind of town tile */
    uint32_t fence;
};

_Static_assert(sizeof(struct state) <= 2048, "a state has at most 2 KB");

/* ---- actions ---- */

enum kind {
    DO_NOTHING,
    DO_PICK,
    DO_BID,
    DO_COLOUR,
    DO_BUILD,
    DO_PASS,
    DO_CONVERT,
    DO_BURN,
    DO_DIG,
    DO_TRANSFORM,
    DO_PLACE,
    DO_UPGRADE,
    DO_SHIP,
    DO_SPADE,
    DO_SEND,
    DO_ACTION,
    DO_FAVOUR,
    DO_TOWN,
    DO_STEP,
    DO_DOWN,
    DO_PAY,
    DO_BRIDGE,
    DO_CONNECT,
    DO_LEECH,
    DO_DECLINE,
    DO_COIN,
    DO_UNLOCK,
    DO_TOKEN,
    DO_FORFEIT,
    DO_RAVENS,
    DO_ADJUST,
    DO_DONE,
    KINDS
};

static inline action act(enum kind kind, int a, int b)
{
    return (uint32_t)kind << 24 | (uint32_t)(a & 255) << 8 |
           (uint32_t)(b & 255);
}

static inline enum kind act_kind(action a)
{
    return (enum kind)(a >> 24);
}

static inline int act_a(action a)
{
    return a >> 8 & 255;
}

static inline int act_b(action a)
{
    return a & 255;
}

/* Action spaces: the six of the board, then those of cards, tiles, factions. */
enum space {
    ACT1 = 1,
    ACT2,
    ACT3,
    ACT4,
    ACT5,
    ACT6,
    ACT_BON1,
    ACT_BON2,
    ACT_FAV6,
    ACTA,
    ACTC,
    ACTE,
    ACTG,
    ACTN,
    ACTS,
    ACTW,
    ACTH5,
    ACTH6,
    SPACES
};

enum forfeit {
    LOSE_SPADE,
    LOSE_BRIDGE,
    LOSE_TRADE,
    LOSE_TRANSFORM,
    LOSE_TRADING,
    LOSE_DWELLING,
    LOSE_STEP,
    LOSE_FAVOUR,
    FORFEITS
};

enum { KEEP_PRIEST = 7, RAVENS_VP = 4 };

enum convert {
    PW_TO_C,
    PW_TO_W,
    PW_TO_P,
    P_TO_W,
    P_TO_C,
    W_TO_C,
    VP_TO_C,
    C_TO_VP,
    W_TO_P,
    C3_TO_VP,
    CONVERTS
};

/* ---- short ways ---- */

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline bool has_favour(const struct seat *p, int tile)
{
    return p->favours >> tile & 1;
}

/* Copies of a town tile that the seat has taken. */
static inline int towns_held(const struct state *s, int seat, int tile)
{
    return s->towns_held[seat] >> (2 * (tile - 1)) & 3;
}

/* A position may have told less of them than there are. */
static inline void hold_town(struct state *s, int seat, int tile)
{
    if (towns_held(s, seat, tile) == 3)
        return;
    s->towns_held[seat] =
        (uint16_t)(s->towns_held[seat] + (1u << (2 * (tile - 1))));
}

/* The tile that pays during the present round; 0 outside the rounds. */
static inline int score_tile(const struct state *s)
{
    return s->round >= 1 && s->round <= ROUNDS ? s->score[s->round - 1] : 0;
}

#endif
