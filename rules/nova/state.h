/* rules/nova/state.h: world and state of Terra Nova, for this folder only. */
#ifndef RULES_NOVA_STATE_H
#define RULES_NOVA_STATE_H

#include "base/bits.h"
#include "game/record.h"
#include "rules/nova/board.h"

#include <string.h>

enum { NOVA_SEATS = 4 };

/* ---- options (nova §9), in the order of the table there ---- */

enum {
    OPT_BOARD,
    OPT_EDITION,
    OPT_RETURN,
    OPT_FINISH_TURN,
    OPT_ALONE,
    OPT_WIPED,
    OPT_OUT_OF_STONES,
    OPT_STONES,
    OPT_PIONEERS,
    OPT_QUIET,
    OPT_SETUP,
    OPT_TIE,
    OPT_COUNT
};

enum { RETURN_EN, RETURN_NL, RETURN_SV, RETURN_STRICT };
enum { ALONE_NOW, ALONE_LASTING };
enum { SETUP_FREE, SETUP_RANDOM };
enum { TIE_SHARED, TIE_PIONEERS };

/* Reasons of nova §8, after those every game knows. */
enum {
    END_DIVIDED = ENDING_GAME,
    END_ALONE,
    END_WIPED,
    END_STONES,
    END_QUIET,
    END_COUNT
};

/* ---- lines ---- */

/* Every hex lies on three lines: same letter, same number, same difference.
 * For each of the three axes the stretches of land are strung into words of
 * bits, a set bit where a pioneer cannot go: one for every stone and pioneer,
 * and one before and behind each stretch.  The free way along a line is then
 * the distance to the next set bit, found without a loop.  A stretch stays
 * within one word; only one of more than 62 hexes runs on into the next.
 *
 * Two words in a row are more than half full, and every bit but the
 * separators is a hex: 18 words hold any board. */
enum { AXES = 3, AXIS_WORDS = 18, AXIS_BITS = 64 * AXIS_WORDS };

/* Moves along one stretch are written so many at once. */
enum { WRITTEN = 16 };

struct lines_of_bits {
    uint64_t word[AXES * AXIS_WORDS];
};

/* Where a hex lies on one axis. */
struct spot {
    uint8_t word;  /* in struct lines_of_bits */
    uint8_t bit;   /* in that word */
    uint16_t move; /* in world.move: to the next hex along the axis */
};

/* ---- world ---- */

/* What the hints for searches go by (estimate.c); thousandths. */
enum { SEALS = 16 };

struct weights {
    int pioneer;     /* points for one on the board */
    int quiet;       /* lost by a turn without a stone, until one falls */
    int region[2];   /* trust in land of one and of two landscapes */
    int seal[SEALS]; /* by the stones that would seal it */
};

/* The learned evaluation of a game for two; thousandths.  A class tells who
 * leads by 1, 2, 3 or more pioneers, the other having none or some: above 0 the
 * seat that asks, below 0 its rival.  A stage tells who acts next, that seat or
 * (from 3 on) its rival, and in which action of the turn. */
enum {
    PHASES = 4,
    STAGES = 6,
    CLASSES = 6,
    STANDS = 2 * CLASSES + 1,
    CROWD = 16, /* pioneers that are told apart */
    ROAMS = 8   /* how freely a pioneer moves, from locked in on */
};

/* What land is worth: for itself, and for each hex of it. */
struct land_worth {
    int16_t once, each;
};

/* By landscapes and seals; three numbers are summed up. */
struct learned {
    struct land_worth by_class[2][SEALS][CLASSES];
    struct land_worth by_phase[PHASES][2][SEALS];
    struct land_worth by_stage[STAGES][2][SEALS]; /* of the leader */
    int16_t pioneer[PHASES];
    int16_t tempo[PHASES][3];    /* of the seat to act, by action */
    int16_t roam[PHASES][ROAMS]; /* of each pioneer, by its moves */
};

/* How a region stands, with one pioneer more, and with one less. */
struct stand {
    int8_t now, more, less;
};

/* A connected piece of one landscape, as the board has it, with the hexes
 * around it and the plots beside it; the first PLOTS of a board are known. */
enum { PLOTS = 63 };

struct plot {
    struct bits hexes, rim;
    uint64_t touch;
    int land, size;
};

/* A connected piece of two landscapes, as the board has it.  Each has a border
 * between two plots for itself, and a plane with 63 plots has at most 183. */
enum { PAIRS = 184 };

struct pair {
    struct bits rim;
    uint64_t plots;
    int land[2], size;
};

/* How a seat stands in a region, and how it would with one pioneer more or
 * less: its share less the mean of its rivals', in parts of HOLD. */
enum { HOLD = 144 };

struct standing {
    int now, more, less; /* the last two: the difference to now */
};

/* By the pioneers it is ahead of the first of its rivals. */
enum { BEHIND = 2, STANDINGS = 2 * BEHIND + 1 };

struct world {
    struct board board;
    int seats, hexes;
    int option[OPT_COUNT]; /* effective values */
    char colour[NOVA_SEATS + 1];
    int stones;      /* supply at the start; 0: unlimited */
    int pioneers;    /* per seat */
    int quiet_turns; /* the limit in turns; 0: off */
    bool counted;    /* pioneers are limited: always, but on a bare map */
    bool started;    /* `given` holds a start position, in `first` */

    int16_t next[BOARD_HEXES][6];   /* by direction; NO_HEX off the board */
    uint8_t beside[BOARD_HEXES][6]; /* the same; off the board: itself */
    struct bits near[BOARD_HEXES];
    struct bits all, land[BOARD_LANDS];

    struct spot spot[BOARD_HEXES][AXES];
    /* For every hex and axis the moves to all other hexes of its stretch, as
     * if nothing stood in the way, in the order of the axis. */
    uint16_t move[BOARD_HEXES * AXES * WRITTEN + 2 * WRITTEN];
    struct lines_of_bits empty; /* the lines of a board without pieces */
    bool avx2;                  /* of the processor; legal.c */
    bool wide; /* some stretch has more moves than are written at once */

    /* Of a set of eight: its members, then anything; and how many. */
    uint16_t member[256][8];
    uint8_t members[256];

    /* By the pattern of open neighbours (bit d: direction d): how many
     * separate runs of them go around the hex. */
    uint8_t runs[64];

    int plots;
    struct plot plot[PLOTS];
    uint8_t plot_of[BOARD_HEXES]; /* PLOTS: none that is known */
    int pairs;                    /* by their landscapes */
    struct pair pair[PAIRS];
    uint8_t seen[BOARD_HEXES]; /* other plots around a hex */

    struct weights weights;
    int trust[2][SEALS]; /* in a hex: by landscapes less one, and seals */
    struct standing standing[NOVA_SEATS][STANDINGS]; /* by rivals that tie */

    bool learns; /* the learned evaluation is used */
    int16_t pioneer[PHASES], tempo[PHASES][3], roam[PHASES][BOARD_HEXES];
    struct land_worth land_worth[PHASES][STAGES][2][SEALS][STANDS];
    struct stand stand[CROWD][CROWD]; /* by own pioneers and the rival's */
};

/* ---- state ---- */

enum { PLACING = 0, GONE = 0xffff };

/* A pioneer that has moved this turn (nova §4.1). */
struct moved {
    uint16_t home, now; /* now is GONE once a scoring removed it */
};

struct state {
    struct bits stones;
    struct bits pioneers[NOVA_SEATS];
    struct bits live; /* hexes of live parts */
    int32_t score[NOVA_SEATS];
    int32_t supply; /* unlimited: minus the stones placed so far */
    int32_t quiet;
    struct moved moved[2];
    uint8_t moved_count, placed;
    uint8_t seat, act; /* act: PLACING, 1, 2, 3 */
    uint8_t hand[NOVA_SEATS];
    uint8_t reason; /* ENDING_NONE while the game goes on */
    uint8_t out;    /* mask of seats that left or gave up */
    uint32_t turns; /* for fence(): not part of the position */
    struct lines_of_bits lines;
};

/* ---- actions ---- */

enum { MOVE, STONE, PLACE, PASS };

static inline action pack(unsigned kind, int from, int to)
{
    return kind << 16 | (unsigned)from << 8 | (unsigned)to;
}

static inline unsigned kind_of(action a)
{
    return a >> 16;
}

static inline int from_of(action a)
{
    return a >> 8 & 255;
}

static inline int to_of(action a)
{
    return a & 255;
}

/* ---- small helpers ---- */

static inline void lines_flip(const struct world *w, struct state *s, int hex)
{
    for (int axis = 0; axis < AXES; axis++) {
        const struct spot *spot = &w->spot[hex][axis];
        s->lines.word[spot->word] ^= (uint64_t)1 << spot->bit;
    }
}

/* The line of a hex on an axis, turned until its own bit is at place 0: those
 * behind it follow from 1 up, those before it from 63 down. */
static inline uint64_t line_from(const struct state *s, const struct spot *spot)
{
    uint64_t word = s->lines.word[spot->word];
    return word >> spot->bit | word << (-spot->bit & 63);
}

/* How many hexes a pioneer there can move to (nova §5.1). */
static inline int moves_from(const struct world *w, const struct state *s,
                             int hex)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t line = line_from(s, &w->spot[hex][axis]);
        count += __builtin_clzll(line) + __builtin_ctzll(line & (line - 1)) - 1;
    }
    return count;
}

/* The same in classes: 0, 1, 2, up to 4, 7, 11, 16, and more. */
static inline int roam_class(int moves)
{
    return (moves > 0) + (moves > 1) + (moves > 2) + (moves > 4) + (moves > 7) +
           (moves > 11) + (moves > 16);
}

static inline bool is_free(const struct world *w, const struct state *s,
                           int hex)
{
    const struct spot *spot = &w->spot[hex][0];
    return !(s->lines.word[spot->word] >> spot->bit & 1);
}

static inline struct bits all_pioneers(const struct state *s)
{
    struct bits all = s->pioneers[0];
    for (int seat = 1; seat < NOVA_SEATS; seat++)
        all = bits_or(all, &s->pioneers[seat]);
    return all;
}

static inline struct bits open_hexes(const struct world *w,
                                     const struct state *s)
{
    return bits_without(w->all, &s->stones);
}

static inline struct bits free_hexes(const struct world *w,
                                     const struct state *s)
{
    struct bits pioneers = all_pioneers(s), open = open_hexes(w, s);
    return bits_without(open, &pioneers);
}

static inline bool stones_left(const struct world *w, const struct state *s)
{
    return w->stones == 0 || s->supply > 0;
}

/* ---- the parts of the game, by file ---- */

/* tables.c */
bool nova_prepare(struct world *w, const struct setup *setup, struct fault *f);
extern const struct option nova_options[];
/* The option's value under an edition, before anybody set it. */
int nova_preset(const struct board *b, int seats, int option, int edition);
int nova_seat_of(const struct world *w, char colour);

/* start.c */
void nova_start(const struct world *w, const struct setup *setup,
                struct state *s);
void nova_clear(const struct world *w, struct state *s);
void nova_set_piece(const struct world *w, struct state *s, int hex, int seat);
/* The hexes a random setup places, in order; returns how many. */
int nova_draw_placement(const struct world *w, const struct setup *setup,
                        uint8_t *hexes);

/* The way along each axis in which its bits are numbered. */
extern const enum direction nova_axes[AXES];

/* legal.c */
int nova_legal(const struct world *w, const struct state *s, int seat,
               action *out);
bool nova_can_move(const struct world *w, const struct state *s, int seat);
bool nova_any_action(const struct world *w, const struct state *s);
/* Is the third action forbidden because of nova §5.2? */
bool nova_return_forbids(const struct world *w, const struct state *s,
                         action a);

/* apply.c */
void nova_apply(const struct world *w, struct state *s, int seat, action a);
void nova_drop(const struct world *w, struct state *s, int seat);
void nova_stop(const struct world *w, struct state *s, int reason, int seat);
void nova_result(const struct world *w, const struct state *s,
                 struct result *r);

/* score.c */
struct territory {
    struct bits hexes;
    int size, variety, value;
    int gain[NOVA_SEATS];
};

/* The part of open hexes around `hex`. */
struct bits nova_part(const struct world *w, const struct state *s, int hex);
int nova_variety(const struct world *w, const struct bits *part);
/* Puts a stone, scores and removes what it closes; returns how many
 * territories were closed, at most three, largest first as in nova §11.1. */
int nova_put_stone(const struct world *w, struct state *s, int hex,
                   struct territory closed[3]);
/* Marks the hexes of live parts in s->live, from scratch. */
void nova_find_live(const struct world *w, struct state *s);

/* hints.c */
extern const struct weights nova_weights;
bool nova_read_weights(struct weights *x, struct span text);
extern const struct learned nova_learned; /* learned.c */
/* From now on these numbers are used, if there are two seats. */
void nova_prepare_learned(struct world *w, const struct learned *x);
/* What needs no judgement: scores and turns without stones; for two. */
int nova_sure_lead(const struct world *w, const struct state *s, int seat);
/* What the hints look up, from plots and weights. */
void nova_prepare_hints(struct world *w);
void nova_estimate(const struct world *w, const struct state *s, struct memo *m,
                   int *milli);
void nova_rank(const struct world *w, const struct state *s, struct memo *m,
               int seat, const action *legal, int count, int *milli);
void nova_forget(struct memo *m);

/* text.c */
int nova_write_action(const struct world *w, const struct state *s, int seat,
                      action a, int viewer, char *to, size_t cap);
bool nova_read_action(const struct world *w, const struct state *s, int seat,
                      const char *text, action *out, size_t *used,
                      struct fault *f);
/* position.c */
int nova_write_state(const struct world *w, const struct state *s, char *to,
                     size_t cap);
bool nova_read_state(const struct world *w, const char *text, struct state *out,
                     struct fault *f);
/* scene.c and picture.c */
int nova_write_scene(const struct world *w, const struct state *s, int viewer,
                     char *to, size_t cap);
int nova_write_effect(const struct world *w, const struct state *s, int seat,
                      action a, int viewer, char *to, size_t cap);
int nova_write_picture(const struct world *w, const struct state *s, int viewer,
                       char *to, size_t cap);
int nova_write_board(const struct world *w, const struct state *s, int viewer,
                     bool colour, char *to, size_t cap);

/* features.c */
extern const struct feature nova_features[];
void nova_measure(const struct world *w, const struct state *view, int viewer,
                  int16_t *out);

/* record.c */
extern const struct record_format nova_formats[];
/* nova.c */
extern const char *const nova_endings[];
extern const struct game nova_game;

#endif
