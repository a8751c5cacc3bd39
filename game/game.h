/* game/game.h: what every game promises.
 *
 * A game is one constant table of functions over two pieces of flat memory: a
 * world that never changes during a match and a small state that does.  The
 * functions never allocate, print, read a clock or touch a global: one setup
 * and one list of steps give one state, on a server, in a browser, in a test.
 *
 * Seats are numbered from 0 in the code; texts for people count from 1 or use
 * the game's own colours. */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "game/fault.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GAME_SEATS = 6,         /* most seats of any game */
    GAME_ACTIONS = 2048,    /* most legal actions of one seat in any state */
    GAME_OPTIONS = 48,      /* most setup options of any game */
    OPTION_UNSET = INT_MIN, /* follow the edition, board or preset */
    SEAT_NONE = -1          /* nobody: a spectator */
};

struct rng; /* base/rng.h */

/* What is fixed for a whole match and no secret: board, adjacency, rays,
 * distances, option values.  Built once in world_size bytes, then shared
 * read-only by every state, view, thread and search.  Each game has its own. */
struct world;

/* What play changes, secrets included.  Plain data without pointers,
 * zero-filled by start(): memcpy copies it, memcmp compares it.  Each game has
 * its own. */
struct state;

/* What a game keeps of positions that it has judged; see forget(). */
struct memo;

/* One step a seat can take, packed by the game that made it.  Everyone else
 * compares it, stores it and hands it back, but never looks inside. */
typedef uint32_t action;

/* One thing to decide before a match.  Front ends offer the list as it is. */
enum option_kind {
    OPTION_CHOICE, /* the value is an index into `choices` */
    OPTION_NUMBER, /* low..high */
    OPTION_SET     /* a mask over `choices` */
};

struct option {
    const char *name;
    enum option_kind kind;
    const char *const *choices; /* ended by NULL */
    int low, high;
    int preset;       /* the value when unset; OPTION_UNSET: follows another */
    const char *help; /* one line */
};

/* Everything decided before the first action.  `given` fixes by lines of
 * "key: value" what is normally drawn or printed (start, board, map, tiles,
 * deck), so that any real game can be set up; a value may go on over lines
 * that begin with a tab.  Every game takes "start: POSITION" in the notation of
 * write_state().  Borrowed, ended by NUL, may be NULL. */
struct setup {
    int seats; /* seats_min..seats_max */
    int option[GAME_OPTIONS];
    uint64_t seed; /* secret while cards are hidden: never in a world */
    const char *given;
};

/* Ways a match can end that no rule book knows; each game's own reasons follow
 * from ENDING_GAME on.  game->endings names them all. */
enum ending {
    ENDING_NONE, /* not over */
    ENDING_RESIGN,
    ENDING_TIME,
    ENDING_AGREED,
    ENDING_ABANDONED,
    ENDING_GAME
};

struct result {
    int points[GAME_SEATS];
    int place[GAME_SEATS]; /* 1 is best; equal places share */
    int reason;            /* enum ending or the game's own */
};

struct record_format; /* game/record.h */

/* Decisions that a seat can settle beforehand by a standing rule, so that
 * nobody waits for it ("take every offer").  Front ends offer the rules as they
 * are; the first settles nothing. */
struct standing_rules {
    const char *const *rules; /* ended by NULL */
    /* What `seat`, asked in the view s, does by its rule; false if the rule
     * leaves this decision open. */
    bool (*answer)(const struct world *w, const struct state *s, int seat,
                   int rule, action *out);
};

/* How legal actions are packed, so that learning programs can number them: a
 * kind from 0 on, kept in the bits `kinds`, and two fields whose values are
 * smaller than what `size` says for the kind. */
struct action_size {
    uint16_t a, b;
};

struct action_shape {
    uint32_t kinds;
    int a_shift, b_shift;
    const struct action_size *size; /* by kind; 0, 0: none is ever legal */
    int count;
};

/* A block of the numbers that a view is told in for learning programs.  Blocks
 * have the same size in every match of a game. */
struct feature {
    const char *name;
    int count;
    const char *help; /* exactly what the numbers are */
};

struct game {
    const char *name;  /* in notation and files: "nova" */
    const char *title; /* for people: "Terra Nova" */
    const char *about; /* one sentence */
    int seats_min, seats_max, seats_usual;
    size_t world_size, state_size; /* bytes; a state at most 2 KB */
    struct action_shape actions;
    const struct option *options;        /* ended by one without a name */
    const struct fault_text *faults;     /* likewise; codes from FAULT_GAME */
    const char *const *endings;          /* by reason, ended by NULL */
    const struct record_format *formats; /* ended by one without a name; the
                                            first can keep any match */
    bool names_not_utf8; /* its readers have faults of their own for that */
    const struct feature *features;        /* ended by one without a name */
    const struct standing_rules *standing; /* NULL: nothing can be settled */
    const char *const *samples; /* setups that bring up rare rules, to prove
                                   them, ended by NULL; NULL if none */

    /* The course of a match.  Only prepare() and the readers meet the outside;
     * all others trust their caller. */
    bool (*prepare)(struct world *w, const struct setup *setup,
                    struct fault *f);
    void (*start)(const struct world *w, const struct setup *setup,
                  struct state *s);
    /* Masks of seats: `must` have to act before play goes on, `may` are free
     * to, possibly with nothing to do.  Both 0: over.  The masks never depend
     * on hidden cards. */
    void (*turn)(const struct world *w, const struct state *s, unsigned *must,
                 unsigned *may);
    /* All actions of `seat`, each once, in an order that depends on the state
     * alone; not 0 for a seat that must, 0 for one that neither must nor may.
     * `out` has room for GAME_ACTIONS. */
    int (*legal)(const struct world *w, const struct state *s, int seat,
                 action *out);
    void (*apply)(const struct world *w, struct state *s, int seat, action a);
    /* The seat leaves and ranks last; the others play on if two are left, and
     * a game may let one finish alone. */
    void (*drop)(const struct world *w, struct state *s, int seat);
    /* Breaks the match off: `reason` from enum ending, `seat` the one who
     * resigned or ran out of time (never among the winners) or SEAT_NONE. */
    void (*stop)(const struct world *w, struct state *s, int reason, int seat);
    /* Running, and final once over. */
    void (*result)(const struct world *w, const struct state *s,
                   struct result *r);
    /* Grows when undo must stop: turn over, card revealed. */
    uint32_t (*fence)(const struct world *w, const struct state *s);
    /* Equal for states that play alike, whatever order led to them. */
    uint64_t (*hash)(const struct world *w, const struct state *s);

    /* What one seat may know.  observe() copies s and blanks the rest; legal()
     * and apply() also work on such a view.  complete() guesses the blanks
     * consistently with all that seat has seen.  NULL if nothing is hidden. */
    void (*observe)(const struct world *w, const struct state *s, int viewer,
                    struct state *view);
    void (*complete)(const struct world *w, struct state *view, int viewer,
                     struct rng *r);
    /* How well the hands of a complete world fit what their owners did so far,
     * but for `viewer`: a thousand more is e times as likely.  NULL: nobody's
     * play tells anything. */
    int (*belief)(const struct world *w, const struct state *s, int viewer);

    /* The view as numbers, the blocks of `features` one behind the other;
     * seats are counted from the viewer on (game/numbers.h). */
    void (*measure)(const struct world *w, const struct state *view, int viewer,
                    int16_t *out);

    /* Hints for searches, each may be NULL.  estimate(): expected final points
     * per seat in thousandths.  rank(): for each legal action of `seat` what
     * it is worth: by how many thousandths of a point that seat is expected
     * to be ahead of the mean of its rivals after it, as estimate() would
     * say then; or any numbers in which the better action is greater, which
     * costs a search more time.  habit(): how usual each legal action is
     * among strong players; a thousand more is e times as usual.  A game that
     * has it is played out by it.  prospect(): the chance of `seat` to win
     * when its turn begins and nothing is hidden, told as the lead in
     * thousandths of a point that gives as good a chance. */
    void (*estimate)(const struct world *w, const struct state *s,
                     struct memo *m, int *milli);
    void (*rank)(const struct world *w, const struct state *s, struct memo *m,
                 int seat, const action *legal, int count, int *milli);
    void (*habit)(const struct world *w, const struct state *s, int seat,
                  const action *legal, int count, int *milli);
    int (*prospect)(const struct world *w, const struct state *s, int seat);
    /* Memory that a search lends estimate() and rank(), where they find again
     * what they saw before; NULL makes them slower and changes nothing.  It
     * belongs to one thread, and to one world since forget(). */
    size_t memo_size; /* 0: of no use */
    void (*forget)(struct memo *m);

    /* Text.  Writers return the length that was needed.  Readers return false
     * and a fault, and then leave their output alone.  `viewer` limits what is
     * told to what that seat may know. */
    int (*write_action)(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap);
    /* What the action would do, before it is applied, as JSON: a preview, an
     * animation, a line of arithmetic.  Of a view it is what can be foreseen,
     * of the true state what becomes known to the viewer. */
    int (*write_effect)(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap);
    int (*write_state)(const struct world *w, const struct state *s, char *to,
                       size_t cap);
    int (*write_scene)(const struct world *w, const struct state *view,
                       int viewer, char *to, size_t cap); /* JSON */
    /* A drawing of the position, as a complete SVG file; NULL if none. */
    int (*write_picture)(const struct world *w, const struct state *view,
                         int viewer, char *to, size_t cap);
    /* Several lines of plain text with Unicode, for terminals; `colour` allows
     * ANSI colours. */
    int (*write_board)(const struct world *w, const struct state *view,
                       int viewer, bool colour, char *to, size_t cap);
    /* Reads the first action of `text` and tells how many bytes it took, so
     * that one typed line can hold several; 0 if the same words mean one more
     * action after this one ("build" that first transforms).  An illegal one
     * names its rule. */
    bool (*read_action)(const struct world *w, const struct state *s, int seat,
                        const char *text, action *out, size_t *used,
                        struct fault *f);
    bool (*read_state)(const struct world *w, const char *text,
                       struct state *out, struct fault *f);
};

#endif
