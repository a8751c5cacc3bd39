/* rules/terrax/past.h: can a world have come about as was seen?
 *
 * For complete() only: of the swaps it is known who made them and where the
 * cards drawn lay, and of the missions before which swaps heads were there. */
#ifndef RULES_TERRAX_PAST_H
#define RULES_TERRAX_PAST_H

#include "rules/terrax/state.h"

enum { PUTS = 2 * SWAPS }; /* cards put under the stack */

/* Steps, each a swap that is tried to be undone, of one call of complete(), and
 * how many each world that is tried counts for besides. */
enum { PAST_STEPS = 100000, PAST_TRY = 16, PAST_MOST = 150000 };

/* A hand between two swaps of its seat: no card that a head touched meanwhile,
 * and of those touched earlier one for each earlier swap. */
struct hold {
    uint64_t never[CARD_WORDS], seldom[CARD_WORDS];
    int swaps;
};

/* What is known, the same for every world that is tried. */
struct past {
    const struct world *w;
    const struct state *view;
    struct rng *rng;
    int knows, puts;
    int low[SWAPS];             /* number of the card given up */
    int drawn[SWAPS][2];        /* numbers of those drawn; 0: older ones */
    uint64_t known[CARD_WORDS]; /* cards of these swaps */
    uint64_t marked[SEATS][CARD_WORDS];          /* by each seat */
    uint64_t touched[SWAPS + 1][CARD_WORDS];     /* in no hand at that time */
    uint64_t done[SWAPS + 1][SEATS][CARD_WORDS]; /* in the hand, laid down */
    struct hold hold[SWAPS];          /* before each swap, of its seat */
    struct hold last[SEATS];          /* at the end */
    uint64_t reach[SWAPS + 1][CARDS]; /* where each can have been by then */
    const struct state *world;        /* that is tried */
    int steps;                        /* left until it is refused */
    int reached;                      /* the earliest swap that could be told */
    int enough;   /* swaps before this one need not be told */
    bool sharp;   /* dead ends are looked for */
    int patience; /* steps for one world */
    int budget;   /* left for all worlds together */
    int spent;    /* on them so far */
    struct swap told[SWAPS];
};

/* Where a hidden card can be; from PLACE_PUT on by its number in the stack. */
enum { PLACE_STACK = SEATS, PLACE_DRAWN, PLACE_ASIDE, PLACE_OPEN, PLACE_PUT };

static inline uint64_t place_bit(int place)
{
    return (uint64_t)1 << place;
}

/* Is this the swap that goes on? */
static inline bool going_on(const struct state *s, int swap)
{
    return s->phase == PHASE_SWAP && swap == s->swaps - 1;
}

/* 1 + the last swap before which the card was touched; 0: never. */
static inline int touched_at(const struct world *w, const struct state *s,
                             int card)
{
    if (w->option[OPT_CLAIMS] == CLAIMS_MANUAL || !s->touched[card])
        return 0;
    return 32 - __builtin_clz(s->touched[card]);
}

/* Did the seat place fewer markers than it was asked for? */
bool tx_skipped(const struct world *w, const struct state *s, int seat);
/* `knows`: as in state.known. */
void tx_past_begin(struct past *p, const struct world *w,
                   const struct state *view, int knows, struct rng *r);
/* From now on dead ends are looked for, in a budget of their own; so where
 * swaps are forgotten.  Elsewhere only as the last resort, for it changes what
 * is guessed. */
void tx_past_sharpen(struct past *p);
/* Has this world a past that fits, found in so many steps?  If so, it is
 * written into it, from swap `enough` on. */
bool tx_past_explains(struct past *p, struct state *world, int steps);
/* Places that a hidden card can have been at in the beginning, and can have
 * come to. */
uint64_t tx_past_first(const struct past *p, int card);
uint64_t tx_past_reach(struct past *p, int card);

/* complete() of a view; returns the steps spent, at most PAST_MOST. */
int tx_complete(const struct world *w, struct state *view, struct rng *r);

#endif
