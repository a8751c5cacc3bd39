/* rules/blank/state.h: what Blank keeps, and what its files tell each other.
 *
 * Blank is the smallest complete game: copy this folder to begin a new one.
 * Its rules are in docs/rules/blank.md. */
#ifndef BLANK_STATE_H
#define BLANK_STATE_H

#include "base/rng.h"
#include "game/record.h"

enum {
    SEATS = 4,
    ROUNDS = 9,
    DECK = SEATS * ROUNDS, /* card of seat k in round r: (r - 1) * SEATS + k */
    CARDS = 6,             /* values 1..6, equally likely */
    CARD_BLANK = 0         /* in a hand: not known; in the deck: to be drawn */
};

enum { OPTION_EDITION, OPTION_ROUNDS, OPTION_VARIANTS };

enum { VARIANT_DOUBLE = 1, VARIANT_LAST = 2 };

enum { ENDING_ROUNDS = ENDING_GAME };

/* Kinds of action, which are the whole action here.  HIDE stands in one seat's
 * records for a choice that it has not seen yet. */
enum { STAY, FOLD, DOUBLE, HIDE };

enum choice { UNDECIDED, DECIDED, STAYS, FOLDS }; /* DECIDED: how, is hidden */

enum {
    BLANK_DECIDED = FAULT_GAME,
    BLANK_EARLY,
    BLANK_DOUBLED,
    BLANK_SINGLE,
    BLANK_UNSEEN,
    BLANK_POSITION,
    BLANK_LOG,
    BLANK_RESULT
};

struct world {
    int seats, rounds;
    unsigned variants;
};

struct state {
    struct rng rng; /* draws to come: secret */
    int16_t points[SEATS];
    uint8_t hand[SEATS];   /* CARD_BLANK, 1..CARDS */
    uint8_t choice[SEATS]; /* enum choice */
    uint8_t left[SEATS];   /* 0, or the order in which seats left */
    uint8_t deck[DECK];    /* cards fixed beforehand: secret */
    uint8_t round;         /* from 1 */
    uint8_t doubled;
    uint8_t veiled; /* one seat's view: blanks are unknown, not drawn */
    uint8_t reason; /* enum ending */
};

extern const struct game blank_game;
extern const struct option blank_options[];
extern const struct fault_text blank_faults[];
extern const char *const blank_endings[];
extern const struct record_format blank_formats[];
extern const char *const blank_words[]; /* notation of each action */

/* start.c */
bool blank_prepare(struct world *w, const struct setup *setup, struct fault *f);
void blank_start(const struct world *w, const struct setup *setup,
                 struct state *s);
void blank_deal(const struct world *w, struct state *s);
void blank_observe(const struct world *w, const struct state *s, int viewer,
                   struct state *view);
void blank_complete(const struct world *w, struct state *view, int viewer,
                    struct rng *r);

/* legal.c */
void blank_turn(const struct world *w, const struct state *s, unsigned *must,
                unsigned *may);
int blank_legal(const struct world *w, const struct state *s, int seat,
                action *out);
/* 0 if the seat may do it, else the fault that says why not. */
int blank_refuse(const struct world *w, const struct state *s, int seat,
                 action a);

/* apply.c */
void blank_apply(const struct world *w, struct state *s, int seat, action a);
void blank_drop(const struct world *w, struct state *s, int seat);
void blank_stop(const struct world *w, struct state *s, int reason, int seat);
uint32_t blank_fence(const struct world *w, const struct state *s);
uint64_t blank_hash(const struct world *w, const struct state *s);

/* score.c */
int blank_stake(const struct world *w, const struct state *s);
void blank_score(const struct world *w, struct state *s);
void blank_result(const struct world *w, const struct state *s,
                  struct result *r);
void blank_estimate(const struct world *w, const struct state *s,
                    struct memo *m, int *milli);
void blank_rank(const struct world *w, const struct state *s, struct memo *m,
                int seat, const action *legal, int count, int *milli);

/* features.c */
extern const struct feature blank_features[];
void blank_measure(const struct world *w, const struct state *view, int viewer,
                   int16_t *out);

/* text.c */
int blank_write_action(const struct world *w, const struct state *s, int seat,
                       action a, int viewer, char *to, size_t cap);
int blank_write_state(const struct world *w, const struct state *s, char *to,
                      size_t cap);
bool blank_read_action(const struct world *w, const struct state *s, int seat,
                       const char *text, action *out, size_t *used,
                       struct fault *f);
bool blank_read_state(const struct world *w, const char *text,
                      struct state *out, struct fault *f);

/* scene.c */
int blank_write_effect(const struct world *w, const struct state *s, int seat,
                       action a, int viewer, char *to, size_t cap);
int blank_write_scene(const struct world *w, const struct state *view,
                      int viewer, char *to, size_t cap);
int blank_write_picture(const struct world *w, const struct state *view,
                        int viewer, char *to, size_t cap);
int blank_write_board(const struct world *w, const struct state *view,
                      int viewer, bool colour, char *to, size_t cap);

#endif
