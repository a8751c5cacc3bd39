/* rules/mystica/habits.h: what strong players are used to do, in numbers.
 *
 * Thousandths; a thousand more makes an action e times as usual.  They began
 * with league games and were improved by self-play (`terra tune`). */
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
    OF_BURN,
    OF_BURN_LAST, /* in the last round */
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
    OF_COIN_LEFT, /* when passing */
    OF_PASSED,    /* others already have */
    OF_UNUSED_ACTION,
    OF_SHIP_LEVEL,
    OF_SHIP_CARD, /* a gain: with BON10 */
    /* All that follow are gains, in good hands. */
    OF_OWN_NEIGHBOUR,  /* part next to a new dwelling that is no town yet */
    OF_TOWN_NEIGHBOUR, /* own town next to it */
    OF_EXPANSION, /* free cell close to home in colour that it brings near */
    OF_NEXT_DWELLING, /* the next round's tile pays for it, this one's does not
                       */
    OF_NEXT_TRADING,
    OF_NEXT_TEMPLE,
    OF_NEXT_GREAT,
    OF_FIRST_PASS,
    OF_TOWN_OF_SIX, /* FAV5 founds a town at once */
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

/* What a faction likes more than others. */
struct taste {
    int16_t stronghold[3], sanctuary[3]; /* by pairs of rounds */
    int16_t ship, spade;
    int16_t strength; /* of the faction, when one is chosen */
};

struct habits {
    int16_t like[HABITS][ROUNDS];
    int16_t vp[3];       /* a point gained at once; by pairs of rounds */
    int16_t progress[3]; /* towards a town, from nothing to all */
    int16_t favour[FAVOURS + 1][4]; /* round 1, 2-3, 4-5, 6 */
    int16_t town[TOWNS + 1][3];     /* round 1-4, 5, 6 */
    int16_t card[CARDS + 1][4];     /* at the start, then by pairs of rounds */
    int16_t card_vp[3];             /* a point it would bring now */
    int16_t worker_left[3], priest_left[3]; /* when passing */
    int16_t first[7];                       /* power action, first of all */
    int16_t other[OTHERS];
    /* Thousandths of a VP paid for power at most: playing, passed. */
    int16_t fair_price[2][ROUNDS];
    struct taste taste[FACTIONS];
};

extern const struct habits mystica_habits;

#endif
