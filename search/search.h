/* search/search.h: players that see game/game.h and one seat's view.
 *
 * A search lives in memory its caller passes, allocates nothing, reads no
 * clock and starts no thread.  search_run() does a slice of nodes and returns,
 * so callers keep time, stop requests and threads to themselves; the same
 * view, bot, seed and number of nodes give the same choice, on every machine
 * and in WebAssembly.
 *
 *     size_t bytes = search_size(game, bot, 0);
 *     struct search *s = search_open(malloc(bytes), bytes, game, world, view,
 *                                    seat, bot, 0, seed);
 *     while (search_run(s, 500) && !stop)
 *         ;
 *     action a = search_best(s);
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "game/game.h"

enum search_kind {
    SEARCH_RANDOM, /* any legal action, each as likely */
    SEARCH_GREEDY, /* the best turn by estimate(), without replies */
    SEARCH_UCT,    /* plain UCT with random play-outs: a yardstick */
    SEARCH_TREE    /* the real one: see docs/bots.md */
};

enum { SEARCH_WIDE = 768 }; /* the most a style can ask for */

/* How the tree grows, in thousandths; found by play (docs/bots.md). */
struct search_style {
    int explore; /* pull of what was seldom tried */
    int blend;   /* share of the best line against the mean of all visits */
    int scale;   /* a lead that is clear, if nothing is hidden and there is one
                    rival or games are played out */
    int final;   /* share of winning against the points in a finished game */
    int ahead;   /* rounds played on if something is hidden */
    int beam;    /* beginnings of a turn that are carried on meanwhile */
    int wide;    /* the same of the turn to be played; not less than beam */
    int foresee; /* visits to a turn's beginning until it is planned whole, if
                    nothing is hidden; 0: never */
    int wins;    /* 1: a race is about the chance to win, if the game tells it
                    by prospect(); 0: about points */
};

/* Levels are defined by nodes, noise and knowledge, never by time, so that
 * they play the same everywhere. */
struct search_bot {
    const char *name, *help;
    enum search_kind kind;
    int nodes;        /* per action */
    int crowd;        /* the same among three seats or more; never more */
    int noise;        /* error of every judgement, thousandths of a point */
    int worlds, blur; /* the same where something is hidden: visits, error */
    /* Where habits are known, games played out per action instead, and the
     * error: e times less usual for a thousand. */
    int playouts, slip;
    struct search_style style;
};

/* Weak to strong, ended by one without a name. */
extern const struct search_bot search_bots[];
const struct search_bot *search_find(const char *name, size_t length);

struct search;

/* PLAYOUT: as how many nodes a game played out by habit counts, so that as many
 * nodes take about as long as in other games. */
enum { SEARCH_NODES_MAX = 4000000, PLAYOUT = 32 };

/* Bytes for a search of `nodes` (0: as many as the bot wants) per action. */
size_t search_size(const struct game *game, const struct search_bot *bot,
                   int nodes);
/* Begins in `memory` of `bytes`, aligned as malloc() does it.  `seat` has
 * something to decide in `view`, which is copied; game and world are borrowed.
 * With less memory than search_size() the search ends earlier; NULL if there
 * is not even enough to begin. */
struct search *search_open(void *memory, size_t bytes, const struct game *game,
                           const struct world *world, const struct state *view,
                           int seat, const struct search_bot *bot, int nodes,
                           uint64_t seed);
/* Goes on from a later view of the same match, with what is still of use. */
void search_play(struct search *s, const struct state *view, int seat);
/* At most `nodes` more; false when no more are wanted. */
bool search_run(struct search *s, int nodes);
int search_nodes(const struct search *s); /* since open or play */
/* Positions the game has judged meanwhile: all actions of each new node. */
int64_t search_judged(const struct search *s);

/* The action to take; legal from the beginning, better the longer it ran. */
action search_best(const struct search *s);

struct search_choice {
    action action;
    int value;  /* the seat's lead over the mean of its rivals, thousandths */
    int visits; /* nodes spent on it */
};

enum { SEARCH_TOP = 64 }; /* the most actions a search tells of */

/* The best actions, best first; returns how many, at most `cap`. */
int search_top(const struct search *s, struct search_choice *out, int cap);
/* The same of several searches for one view: visits are added up, of which an
 * action counts as many as any that its search likes less, and for values how
 * far it is behind the best of each search; one that a search does not know is
 * as far behind as its last. */
int search_merge(struct search *const *searches, int number,
                 struct search_choice *out, int cap);

/* A second thread can look at positions beside the search, which then goes on
 * faster.  What it finds is the same however fast that thread is, but not the
 * same as without: several visits are under way at once, and until search_run()
 * returns false the answers lack those.  Help begins in
 * `memory` of search_help_size(), as malloc() aligns it, before the first
 * search_run() and for as long as the search is used; NULL if a search of
 * this kind can't be helped.  That thread calls
 * search_help() again and again while another calls search_run(), but not
 * while that calls search_play(); false: there was nothing to do. */
struct search_help;
size_t search_help_size(const struct game *game);
struct search_help *search_help_open(void *memory, struct search *s);
bool search_help(struct search_help *h);
int64_t search_helped(const struct search_help *h); /* answers so far */

/* What a seat does that may, but need not, act; false: it waits.  `spare` has
 * room for another state. */
bool search_aside(const struct game *game, const struct world *world,
                  const struct state *view, struct state *spare, int seat,
                  action *chosen);

struct search_step {
    int seat;
    action action;
};

/* What it expects all seats to play; returns the length, at most `cap`. */
int search_line(struct search *s, struct search_step *out, int cap);
/* Expected final points per seat, thousandths.  False if the game has no
 * estimate(). */
bool search_values(struct search *s, int milli[GAME_SEATS]);

#endif
