/* rules/terrax/state.h: world and state of Terra-X, for this folder only.
 *
 * Places are logical ones (terrax §1): the two drawings of an edge station
 * share a number.  They are numbered in the byte order of their ids, and cards
 * in the same order among the missions, so that every list made by counting
 * upwards is sorted as §17 wants it.
 *
 * A slot is a leg seen from one end.  The slots of a place lie side by side,
 * so "which legs may colour k still leave f by" is one shift and one mask. */
#ifndef RULES_TERRAX_STATE_H
#define RULES_TERRAX_STATE_H

#include "base/rng.h"
#include "base/text.h"
#include "game/game.h"
#include "game/record.h"

#include <string.h>

enum {
    SEATS = 6,
    COLOURS = 3,
    ARROWS = 45, /* of each colour */
    CHEQUES = 75,
    MISSIONS = 79, /* a map from outside has exactly so many */
    CARDS = 80,    /* room for cards; a multiple of eight */
    CARD_WORDS = 2,
    PLACES = 128, /* most places of a map, drawn or logical */
    LEGS = 255,   /* most legs of a map */
    SLOTS = 2 * LEGS,
    SLOT_WORDS = 9, /* the last one lets a shifted read run over */
    DEGREE = 64,    /* most legs of one place */
    START_LEGS = 6,
    OPENS = 10,   /* most open missions */
    MARKERS = 10, /* most markers of a seat */
    SWAPS = 22,   /* swaps that are remembered */
    STOCK = 80,   /* room for the stack */
    FAR_LEGS = 15,
    MAP_BYTES = 98304
};

enum { NO_CARD = 0xff, ANY_CARD = 0xfe, NO_PLACE = 0xff, NO_COLOUR = 3 };

enum kind { KIND_MISSION, KIND_RED, KIND_GREEN, KIND_START, KIND_EDGE };

/* ---- options (terrax §12 and §13), in the order of the tables there ---- */

enum {
    OPT_CLAIMS,
    OPT_PASS,
    OPT_SECOND_LOOP,
    OPT_BRANCH_HUB,
    OPT_UNDO_RED,
    OPT_UNDO_OPEN,
    OPT_SWAP_MARKED,
    OPT_CLAIM_PRESENT,
    OPT_EDGE_CHEQUE,
    OPT_START_SHARED,
    OPT_RECYCLE,
    OPT_TIE,
    OPT_CHEQUE_INFO,
    OPT_HAND,
    OPT_OPEN_MIN,
    OPT_OPEN_COUNT,
    OPT_MARKERS,
    OPT_MARK_MIN,
    OPT_CHEQUES,
    OPT_FIRST,
    OPT_MAX_ROUNDS,
    OPT_STANDSTILL,
    VAR_SHORT,
    VAR_EDGE_RED,
    VAR_ONLINE,
    VAR_REST,
    VAR_LATE,
    VAR_DEALT,
    VAR_OPENHANDS,
    VAR_CHOOSE,
    OPT_COUNT
};

enum { CLAIMS_AUTO, CLAIMS_MANUAL };
enum { PASS_NEVER, PASS_FREE, PASS_CHEQUE };
enum { SECOND_FORBID, SECOND_NOBONUS };
enum { FIRST_SEAT1, FIRST_RANDOM };
enum { TIE_SHARED, TIE_CHEQUES, TIE_MARKERS };
enum { INFO_PUBLIC, INFO_HIDDEN };

/* Reasons of terrax §10, after those every game knows. */
enum {
    END_CARDS = ENDING_GAME,
    END_ARROWS,
    END_DEADLOCK,
    END_ROUNDS,
    END_COUNT
};

/* ---- world ---- */

/* What prospect.c looks at, in thousandths.  Of the seat itself and of the mean
 * of its rivals: */
enum {
    SIDE_WORTH, /* what estimate() says */
    SIDE_POINTS,
    SIDE_CARDS,
    SIDE_MARKED,
    SIDE_TOUR, /* legs that join all missions in hand to the heads */
    SIDE_CHEQUES,
    SIDE_CHEQUE, /* one at most: the first is worth most */
    SIDE_TWO,
    SIDE_FOUR,
    SIDE_FACTS
};

/* The end draws near with the arrows; in the last round no lead grows much. */
enum {
    FACT_OWN,
    FACT_RIVALS = FACT_OWN + SIDE_FACTS,
    FACT_BEST_WORTH = FACT_RIVALS + SIDE_FACTS, /* of the best rival */
    FACT_BEST_POINTS,
    FACT_SHORT_TOUR, /* the shortest among the rivals */
    FACT_SHORT_HAND,
    FACT_LEAD, /* by estimate(), bent */
    FACT_ARROWS,
    FACT_MOST_ARROWS, /* left in one colour */
    FACT_STACK,
    FACT_ROUND,
    FACT_END, /* the more, the fewer arrows are left */
    FACT_END_LEAD,
    FACT_END_OWN,
    FACT_END_RIVALS,
    FACT_END_BEST,
    FACT_AFTER, /* seats that move after this one in a round */
    FACT_LAST,
    FACT_LAST_AFTER,
    FACT_LAST_LEAD,
    FACT_SEATS, /* one of each number of seats, from two on */
    FACTS = FACT_SEATS + SEATS - 1
};

/* One row of places.tsv. */
struct drawing {
    uint32_t row;  /* where it stands in world.text */
    int32_t x, y;  /* thousandths */
    uint8_t place; /* the logical one */
    uint8_t kind, continent;
    char id[5];
};

struct leg {
    uint8_t a, b;  /* drawings */
    uint8_t start; /* 1..6, or 0 */
    uint16_t slot; /* from a to b */
    uint32_t row;
};

struct world {
    int seats, places, cards, slots, drawings, legs;
    int hub;
    int option[OPT_COUNT]; /* effective values */
    int hand;              /* cards dealt to each seat */

    uint16_t first[PLACES]; /* first slot of a place */
    uint8_t degree[PLACES];
    uint8_t kind[PLACES];
    uint8_t card_of[PLACES]; /* NO_CARD unless a mission */
    uint8_t pays[PLACES];    /* red, or an edge with edge_cheque */
    uint8_t place_of[CARDS];
    uint8_t from[SLOTS + 2], to[SLOTS + 2];
    uint16_t back[SLOTS + 2]; /* the same leg from the other end */
    uint8_t leg_of[SLOTS + 2];
    uint8_t far[CARDS]; /* distance of a mission from the hub */
    uint8_t distance[PLACES][PLACES];
    uint8_t legs_to[PLACES][CARDS]; /* the same to missions, at most FAR_LEGS */
    uint64_t markable[CARD_WORDS];  /* missions at distance mark_min or more */
    uint8_t nowhere[CARDS];         /* FAR_LEGS to every mission */
    uint16_t chance[COLOURS * ARROWS + 1][FAR_LEGS + 1]; /* hint.c */
    int learned[FACTS]; /* prospect.c: what each fact is worth */

    struct drawing drawing[PLACES];
    uint8_t west[PLACES], east[PLACES]; /* drawings of a place */
    char id[PLACES][5];
    struct leg leg[LEGS];
    char name[64]; /* of the map, with its version */
    bool own_map;  /* not the default one */
    bool earth;    /* most places lie where they are in the world */
    uint32_t text_length;
    char text[MAP_BYTES]; /* the map as it was read */
};

/* ---- state ---- */

/* Where a card is: 0..5 in that seat's hand, or one of these. */
enum {
    AT_OPEN = 6,
    AT_STACK,
    AT_ASIDE,     /* swap area: given up */
    AT_DRAWN,     /* swap area: drawn */
    AT_HIDDEN,    /* only in a view */
    AT_DONE = 16, /* + seat: completed from the hand */
    AT_WON = 24   /* + seat: open mission won */
};

enum { PHASE_MARK, PHASE_TURN, PHASE_SWAP, PHASE_CLAIMS, PHASE_OVER };

/* Whose view a state is: 0 the truth, 1..6 that seat's, 7 a spectator's. */
enum { VIEW_TRUTH, VIEW_SPECTATOR = SEATS + 1 };

/* Who knows a card of the stack: a bit for each seat, and this one. */
enum { KNOWN_ALL = 1 << SEATS };

/* A swap, for guesses at what is hidden.  Cards of the stack are numbered by
 * state.buried: the lowest has that number, each above it one less. */
struct swap {
    uint16_t top; /* number of the first card drawn */
    uint8_t seat : 3, kept : 1, seen : 4;
    uint8_t given;      /* ANY_CARD: not known */
    uint8_t drawn[2];   /* in the order of the stack; NO_CARD: only one */
    uint8_t knowers[2]; /* who knew them by their place, as in state.known */
};

/* What everybody has seen of a swap, at once or later.  A view that knows
 * neither place has the card kept first. */
enum {
    SEEN_GIVEN = 1,
    SEEN_KEPT = 2,
    SEEN_OTHER = 4, /* the card not kept */
    SEEN_FIRST = 8  /* that the first one drawn was kept */
};

struct state {
    uint64_t hand[SEATS][CARD_WORDS];   /* known ones only, in a view */
    uint64_t marker[SEATS][CARD_WORDS]; /* markers on the board */
    uint64_t shown[CARD_WORDS]; /* cards in hands that everybody knows */
    uint64_t fresh[CARD_WORDS]; /* swapped in, no arrival since (§9) */
    uint64_t visited[COLOURS][PLACES / 64];
    uint64_t used[COLOURS][SLOT_WORDS]; /* slots that carry an arrow */
    uint64_t generator; /* var_choose: for the deal after the marks */

    uint16_t route[COLOURS][ARROWS]; /* route_slot(), in the order laid */
    uint16_t buried;                 /* cards ever put under the stack */
    struct swap past[SWAPS]; /* swaps, earliest first; the last may go on */
    uint32_t touched[CARDS]; /* bit i: a head was there before swap i */
    uint16_t round;
    uint32_t fence;

    uint8_t visits[COLOURS][PLACES]; /* arrows of a colour that point there */
    uint8_t length[COLOURS];
    uint8_t where[CARDS];
    uint8_t stack[STOCK];         /* the bottom first; ANY_CARD: unknown */
    uint8_t known[STOCK];         /* who has put the card there */
    uint8_t open[OPENS];          /* NO_CARD: slot given up */
    uint8_t mark[SEATS][MARKERS]; /* cards, in the order of marking */
    uint8_t marked[SEATS];        /* how many of them */
    uint8_t held[SEATS];          /* cards in hand, one set aside included */
    uint8_t done[SEATS], won[SEATS], regained[SEATS]; /* own, open, markers */
    uint8_t cheques[SEATS];
    uint8_t bank, spent;
    uint8_t stacked; /* cards in the stack */
    uint8_t drawn[2], drawn_count, aside;

    uint8_t view;
    uint8_t phase, seat, first;
    uint8_t placed; /* marker phase: turns taken */
    uint8_t base, green, loop, loops, used_cheques;
    uint8_t acted, moved; /* this turn: any sub-action; an arrow */
    uint8_t carded;       /* this round: a card completed or won */
    uint8_t last;         /* a hand has become empty */
    uint8_t quiet;        /* turns in succession without an arrow */
    uint8_t high, still;  /* standstill (§10) */
    uint8_t waiting;      /* seats asked for last claims */
    uint8_t out;          /* seats that left */
    uint8_t reason;
    uint8_t barred; /* resigned or out of time: never a winner */
    uint8_t swaps;  /* in `past` */
    uint8_t forgot; /* seats whose earlier swaps are not there any more */
};

/* ---- actions ---- */

/* In the order of §17's sorted lists. */
enum {
    ACT_CLAIM,
    ACT_LATE,
    ACT_REMOVE,
    ACT_CHEQUE,
    ACT_SWAP,
    ACT_GREEN,
    ACT_MARK,
    ACT_KEEP,
    ACT_BASE,
    ACT_END,
    ACT_LOOP
};

/* Bits: kind 0-3, colour 4-5, slot 6-14 or card 6-12; then what a view is
 * told because it cannot know: the seat that completes a card (15-17, seat
 * + 1), the card that refills the row (18-24, card + 1); with a swap the two
 * cards drawn (13-19, 20-26, card + 1).  All of these are 0 in legal(). */
enum { CARD_UNKNOWN = 127 };

static inline action act_arrow(int kind, int colour, int slot)
{
    return (action)(kind | colour << 4 | slot << 6);
}

static inline action act_card(int kind, int card)
{
    return (action)(kind | card << 6);
}

static inline int act_kind(action a)
{
    return (int)(a & 15);
}

static inline int act_colour(action a)
{
    return (int)(a >> 4 & 3);
}

static inline int act_slot(action a)
{
    return (int)(a >> 6 & 511);
}

static inline int act_card_of(action a)
{
    return (int)(a >> 6 & 127);
}

static inline int act_told_seat(action a)
{
    return (int)(a >> 15 & 7) - 1;
}

static inline int act_told_refill(action a)
{
    return (int)(a >> 18 & 127) - 1;
}

static inline int act_told_drawn(action a, int index)
{
    return (int)(a >> (index ? 20 : 13) & 127) - 1;
}

/* ---- small things ---- */

static inline bool set_has(const uint64_t *set, int i)
{
    return set[i >> 6] >> (i & 63) & 1;
}

static inline void set_add(uint64_t *set, int i)
{
    set[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void set_drop(uint64_t *set, int i)
{
    set[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

/* Sets are small, and not every machine has an instruction for this. */
static inline int set_count(const uint64_t *set)
{
    int count = 0;
    for (int i = 0; i < 2; i++)
        for (uint64_t left = set[i]; left; left &= left - 1)
            count++;
    return count;
}

/* Visits the members of a set of cards or places in ascending order. */
#define SET_EACH(member, set)                                                  \
    for (int word_ = 0; word_ < 2; word_++)                                    \
        for (uint64_t left_ = (set)[word_], once_; left_; left_ &= left_ - 1)  \
            for (int member = 64 * word_ + __builtin_ctzll((once_ = left_));   \
                 once_; once_ = 0)

/* An arrow of a route: its slot, and above that who laid it, from 1 on; 0: that
 * is not known. */
enum { SLOT_BITS = 9, SLOT_MASK = (1 << SLOT_BITS) - 1 };

static inline int route_slot(const struct state *s, int k, int i)
{
    return s->route[k][i] & SLOT_MASK;
}

static inline int route_seat(const struct state *s, int k, int i)
{
    return (s->route[k][i] >> SLOT_BITS) - 1;
}

static inline int head_of(const struct world *w, const struct state *s, int k)
{
    return s->length[k] ? w->to[route_slot(s, k, s->length[k] - 1)] : w->hub;
}

/* On the route (§1): visited, or the hub once under way. */
static inline bool on_route(const struct world *w, const struct state *s, int k,
                            int place)
{
    return set_has(s->visited[k], place) ||
           (place == w->hub && s->length[k] > 0);
}

static inline int supply_of(const struct state *s, int k)
{
    return ARROWS - s->length[k];
}

/* Does a head stand there now? */
static inline bool head_stands(const struct world *w, const struct state *s,
                               int place)
{
    for (int k = 0; k < COLOURS; k++)
        if (s->length[k] && head_of(w, s, k) == place)
            return true;
    return false;
}

static inline int cards_hidden(const struct state *s, int seat)
{
    int aside = s->phase == PHASE_SWAP && s->seat == seat;
    return s->held[seat] - aside - set_count(s->hand[seat]);
}

/* How many cards a swap of the past drew. */
static inline int drawn_in(const struct swap *x)
{
    return x->drawn[1] == NO_CARD ? 1 : 2;
}

/* ---- the parts ---- */

/* tables.c */
extern const struct option terrax_options[];
extern const struct fault_text terrax_faults[];
extern const char *const terrax_endings[];
extern const struct record_format terrax_formats[];
extern const struct game terrax_game;
extern const char *const terrax_continents[];
extern const char *const terrax_kinds[];

/* Reasons of terrax §17 and of the maps, in the order in which they count. */
enum {
    TX_SYNTAX = FAULT_GAME,
    TX_TAG,
    TX_OPTION,
    TX_DEAL,
    TX_MARKS,
    TX_OVER,
    TX_TURN,
    TX_PLACE,
    TX_RIGHT,
    TX_SUPPLY,
    TX_TAIL,
    TX_LEG,
    TX_START,
    TX_UTURN,
    TX_DOUBLE,
    TX_LOOP2,
    TX_REMOVE,
    TX_SWAP,
    TX_DRAW,
    TX_CLAIM,
    TX_PASS,
    TX_BASE,
    TX_NOTE,
    TX_RESULT,
    TX_POSITION,
    TX_MAP_FILE,
    TX_MAP_COLUMNS,
    TX_MAP_ID,
    TX_MAP_KIND,
    TX_MAP_NUMBER,
    TX_MAP_EDGE,
    TX_MAP_COUNT,
    TX_MAP_START,
    TX_MAP_LEG,
    TX_MAP_CONNECTED,
    TX_MAP_LIMIT
};

/* default_map.c: the project's own map, in the form map.c reads. */
extern const char *const terrax_default_map[];

/* map.c */
enum {
    COL_ID,
    COL_KIND,
    COL_CONTINENT,
    COL_LAT,
    COL_LON,
    COL_X,
    COL_Y,
    COL_PAIR,
    COL_NAME,
    COL_TEXT = 12,
    COL_COUNT = 15
};
/* Reads w->text, which has w->text_length bytes, into the rest of the map.
 * `missions`: how many there must be.  The fault's line is that of the text,
 * its subject names file and line of the pair of files. */
bool tx_map_read(struct world *w, int missions, struct fault *f);
void tx_map_load_default(struct world *w);
/* One field of places.tsv. */
struct span tx_map_field(const struct world *w, int drawing, int column);
struct span tx_map_leg_id(const struct world *w, int leg);
/* The logical place of that id, or -1: "e1" is none (§17). */
int tx_map_place(const struct world *w, struct span id);
/* The card of that mission, or -1. */
int tx_map_card(const struct world *w, struct span id);
const char *tx_card_id(const struct world *w, int card);

/* start.c */
bool terrax_prepare(struct world *w, const struct setup *setup,
                    struct fault *f);
void terrax_start(const struct world *w, const struct setup *setup,
                  struct state *s);
/* Option values with defaults and variants; used by the record too. */
int tx_option_value(const int *option, int index, int seats);
bool tx_options_check(const int *option, int seats, int cards, struct fault *f);
void tx_world_options(struct world *w, const int *option, int seats);
void tx_begin_turns(const struct world *w, struct state *s);
void tx_deal_after_marks(const struct world *w, struct state *s);

/* legal.c */
void terrax_turn(const struct world *w, const struct state *s, unsigned *must,
                 unsigned *may);
int terrax_legal(const struct world *w, const struct state *s, int seat,
                 action *out);
/* The slots by which colour k may go on from its head, as bits above the first
 * slot of the place *from; 0 if none. */
uint64_t tx_moves_of(const struct world *w, const struct state *s, int k,
                     int *from);
bool tx_base_exists(const struct world *w, const struct state *s);
bool tx_mark_allowed(const struct world *w, const struct state *s, int seat,
                     int card);
bool tx_claim_allowed(const struct world *w, const struct state *s, int seat,
                      int card);

/* apply.c */
void terrax_apply(const struct world *w, struct state *s, int seat, action a);
void terrax_drop(const struct world *w, struct state *s, int seat);
void terrax_stop(const struct world *w, struct state *s, int reason, int seat);
uint32_t terrax_fence(const struct world *w, const struct state *s);
uint64_t terrax_hash(const struct world *w, const struct state *s);

/* score.c */
int tx_points_of(const struct world *w, const struct state *s, int seat);
void terrax_result(const struct world *w, const struct state *s,
                   struct result *r);

/* view.c */
void terrax_observe(const struct world *w, const struct state *s, int viewer,
                    struct state *view);
void terrax_complete(const struct world *w, struct state *view, int viewer,
                     struct rng *r);
int terrax_belief(const struct world *w, const struct state *s, int viewer);

/* features.c */
extern const struct feature terrax_features[];
void terrax_measure(const struct world *w, const struct state *view, int viewer,
                    int16_t *out);

/* hint.c */
void terrax_estimate(const struct world *w, const struct state *s,
                     struct memo *m, int *milli);
void terrax_rank(const struct world *w, const struct state *s, struct memo *m,
                 int seat, const action *legal, int count, int *milli);
/* What w->chance holds, once seats and map are known. */
void tx_chances(struct world *w);
/* hint.c: fewest legs from any head (the hub, if a colour can still start). */
int tx_nearest(const struct world *w, const struct state *s, int place);

/* prospect.c, learned.c */
extern const int tx_learned[FACTS];
void tx_facts(const struct world *w, const struct state *s, int seat,
              int *fact);
int terrax_prospect(const struct world *w, const struct state *s, int seat);

/* text.c */
int terrax_write_action(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap);
bool terrax_read_action(const struct world *w, const struct state *s, int seat,
                        const char *text, action *out, size_t *used,
                        struct fault *f);
void tx_write_action(const struct world *w, const struct state *s, int seat,
                     action a, int viewer, struct text *t);
/* One item of a record.  strict: every note must be there. */
bool tx_read_item(const struct world *w, const struct state *s, int seat,
                  struct span text, bool strict, action *out, size_t *used,
                  struct fault *f);
/* The second half of another seat's swap, of which a view's record shows only
 * the notes. */
bool tx_read_hidden_keep(const struct world *w, const struct state *s, int seat,
                         struct span text, action *out, size_t *used,
                         struct fault *f);
/* Does what stands here fit the grammar of a turn, or of the marks? */
bool tx_item_fits(const struct world *w, struct span text, bool marks);
/* Why a note that no action stands before is refused. */
int tx_note_reason(const struct world *w, struct span text);
/* Is this a comment that means something: {drop 2} and the like? */
bool tx_is_meant(struct span text);
/* Skips blanks and comments for people. */
void tx_skip_blanks(struct span *text);
/* What the action did, as the notes of §17, each after a blank. */
void tx_write_notes(const struct world *w, const struct state *before,
                    const struct state *after, int seat, action a,
                    struct text *t);

/* position.c */
int terrax_write_state(const struct world *w, const struct state *s, char *to,
                       size_t cap);
bool terrax_read_state(const struct world *w, const char *text,
                       struct state *out, struct fault *f);
void tx_write_routes(const struct world *w, const struct state *s,
                     struct text *t);

/* scene.c */
int terrax_write_scene(const struct world *w, const struct state *view,
                       int viewer, char *to, size_t cap);
int terrax_write_effect(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap);

/* picture.c */
int terrax_write_picture(const struct world *w, const struct state *view,
                         int viewer, char *to, size_t cap);
int terrax_write_board(const struct world *w, const struct state *view,
                       int viewer, bool colour, char *to, size_t cap);

#endif
