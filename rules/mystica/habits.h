/* rules/mystica/habits.h: what strong players are used to do, in numbers.
 *
 * Thousandths; a thousand more makes an action e times as usual.  They began
 * with league games and were improved by self-play (tools/mystica-train.c). */
#ifndef RULES_MYSTICA_HABITS_H
#define RULES_MYSTICA_HABITS_H

#include "rules/mystica/sizes.h"

#include <stdint.h>

enum habit {
    LIKE_HOME, /* dwelling on home terrain */
    LIKE_DUG,  /* with bought spades */
    LIKE_ACT5,
    LIKE_ACT6,
    LIKE_BON1,
    LIKE_FREE, /* by an action of the stronghold */
    LIKE_TURN, /* transform and do not build */
    LIKE_TRADING,
    LIKE_FREE_TRADING,
    LIKE_PRIEST,  /* ACT2 */
    LIKE_WORKERS, /* ACT3 */
    LIKE_COINS,   /* ACT4 */
    LIKE_TEMPLE,
    LIKE_STRONGHOLD,
    LIKE_SANCTUARY,
    LIKE_SHIP,
    LIKE_SPADE,
    LIKE_SEND3,
    LIKE_SEND2,
    LIKE_SEND1,
    LIKE_STEP, /* actions that bring cult steps */
    LIKE_BRIDGE,
    LIKE_PASS,
    HABITS
};

enum other {
    OF_TOWN,              /* founded, besides its points */
    OF_NEIGHBOUR,         /* opponent next to a new dwelling */
    OF_UPGRADE_NEIGHBOUR, /* and to an upgrade, where he gets power: a loss */
    OF_FLIGHT,            /* the rest are losses unless they say otherwise */
    OF_DIG_WORKER,        /* paid for spades */
    OF_DIG_PRIEST,
    OF_TWO_SPADES, /* of ACT6 into one cell */
    OF_DOUBLE_PRICE,
    OF_PRIEST_TO_WORKER,
    OF_WORKER_TO_COIN,
    OF_POWER_TO_WORKER,
    OF_POWER_TO_PRIEST,
    OF_CULT_POWER, /* a gain: power from the track */
    OF_BONUS_NOW,  /* a gain: this round's cult bonus, by its worth */
    OF_BONUS_LATER,
    OF_PRIZE, /* a gain: a point of the end scoring */
    OF_PRIZE_LATE,
    OF_STEP, /* a gain: any step */
    OF_STEP_LOST,
    OF_FAVOUR_STEPS, /* what steps count when a tile is chosen */
    OF_IDLE_BRIDGE,
    OF_CARD_COIN, /* a gain */
    OF_PASSED,    /* others already have */
    OF_UNUSED_ACTION,
    OF_SHIP_LEVEL,
    OF_SHIP_CARD, /* a gain: with BON10 */
    /* All that follow are gains, in good hands. */
    OF_OWN_NEIGHBOUR,  /* part next to a new dwelling that is no town yet */
    OF_TOWN_NEIGHBOUR, /* own town next to it */
    OF_EXPANSION, /* free cell close to home in colour that it brings near */
    OF_GROUND,    /* such a cell beside it, in reach or not */
    OF_FIRST_PASS,
    OF_TOWN_OF_SIX, /* FAV5 founds a town at once */
    OF_FAV10_LEFT,  /* trading houses still to be built, when it is chosen */
    OF_FAV11_LEFT,  /* dwellings */
    OF_FAV12_BUILT, /* trading houses that stand */
    OF_BRIDGE_VP,   /* that the Engineers' stronghold will bring for it */
    OF_OTHER_TOWN,  /* already founded, when another one is */
    OF_START_NEIGHBOUR,
    OF_START_HOME_NEAR, /* home cells beside a starting dwelling */
    OF_START_HOME,      /* one cell or river step further */
    OF_START_ONE_NEAR,  /* the same for cells that need one spade */
    OF_START_ONE,
    OF_START_CROWDED, /* another own dwelling at distance 1, 2-3, 4-5 */
    OF_START_CLOSE,
    OF_START_APART,
    OF_START_RIVER,
    OTHERS
};

/* What a seat sees before it chooses: its purse, income, structures, tiles. */
enum fact {
    FACT_WORKERS,
    FACT_COINS, /* by two, as all that there is much of */
    FACT_PRIESTS,
    FACT_BOWL2,
    FACT_BOWL3,
    FACT_WORKER_INCOME,
    FACT_COIN_INCOME,
    FACT_PRIEST_INCOME,
    FACT_POWER_INCOME,
    FACT_DWELLINGS, /* five kinds of structure */
    FACT_TOWNS = FACT_DWELLINGS + 5,
    FACT_KEYS,
    FACT_SHIP,
    FACT_DIG,
    FACT_PASSED,     /* others who have */
    FACT_PART_POWER, /* of the strongest part that is no town */
    FACT_PART_SIZE,
    FACT_HOMES, /* free cells in reach: home, or one spade from it */
    FACT_DIGS,
    COUNTS,
    FACT_FAVOUR5 = COUNTS, /* the rest are true or not */
    FACT_CARD1 = FACT_FAVOUR5 + 8,
    FACT_TILE = FACT_CARD1 + CARDS, /* what this round's tile pays for */
    FACT_NEXT_TILE = FACT_TILE + 6,
    FACTS = FACT_NEXT_TILE + 6
};

/* Choices that facts make more or less usual. */
enum {
    CHOOSE_FAVOUR = HABITS,
    CHOOSE_TOWN = CHOOSE_FAVOUR + FAVOURS + 1,
    CHOOSE_CARD = CHOOSE_TOWN + TOWNS + 1,
    CHOICES = CHOOSE_CARD + CARDS + 1
};

enum { SCORED = 6, COUNTED = 3 }; /* kinds of tile; dwelling to temple */

/* What a faction likes more than others. */
struct taste {
    int16_t like[HABITS], favour[FAVOURS + 1], card[CARDS + 1];
    int16_t stronghold[3], sanctuary[3]; /* by pairs of rounds */
    int16_t strength; /* of the faction, when one is chosen */
};

struct habits {
    int16_t like[HABITS][ROUNDS];
    int16_t vp[ROUNDS];      /* a point gained at once */
    int16_t tile[SCORED][3]; /* and more for those of round tiles */
    int16_t next[SCORED];    /* the next tile pays for it, this one does not */
    int16_t some[SCORED];    /* or one of those after it */
    int16_t progress[3];     /* of a part that is no town yet, at most */
    int16_t part[5][8];      /* how far it is: structures, power; thousandths */
    int16_t nth[COUNTED][8][3]; /* piece of its kind, by pairs of rounds */
    int16_t network[3]; /* for each structure it grows by; round 4, 5, 6 */
    int16_t favour[FAVOURS + 1][4]; /* round 1, 2-3, 4-5, 6 */
    int16_t town[TOWNS + 1][3];     /* round 1-4, 5, 6 */
    int16_t card[CARDS + 1][4];     /* at the start, then by pairs of rounds */
    int16_t card_vp[3];             /* a point it would bring now */
    /* When passing, for each that is left. */
    int16_t worker_left[ROUNDS], coin_left[ROUNDS], priest_left[ROUNDS];
    int16_t power_left[ROUNDS];
    int16_t hold[SCORED]; /* for each worker left if the next tile pays so */
    int16_t burn[ROUNDS]; /* a loss */
    int16_t spend[3][3];  /* worker, coin, priest paid: a loss */
    int16_t first[7];     /* power action, first of all */
    int16_t other[OTHERS];
    /* Thousandths of a VP paid for power at most: playing, passed. */
    int16_t fair_price[2][ROUNDS];
    int16_t leave[3][3]; /* enough is left for a dwelling, trading, temple */
    int16_t link[8][3];  /* power of parts one more dwelling would join */
    struct taste taste[FACTIONS];
    int16_t when[FACTS][CHOICES]; /* for each fact, as often as it holds */
};

extern const struct habits mystica_habits;

#endif
