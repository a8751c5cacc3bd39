/* cli/contest.h: bots against bots.
 *
 * A contestant is written NAME[:NODES][/KEY=VALUE...], for example master,
 * uct:2500, club:300/noise=0 or master:4000/threads=2; the keys are those of
 * struct search_style and `noise`, `threads` and `weights`.  In a series it can
 * also be engine:COMMAND, a program of its own (cli/child.h). */
#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include "cli/child.h"
#include "cli/cli.h"
#include "search/search.h"

enum { CONTEST_THREADS = 8, CONTEST_WEIGHTS = 256, CONTEST_COMMAND = 512 };

struct contestant {
    char text[128];
    struct search_bot bot;         /* with its own nodes, noise and style */
    int threads;                   /* that think about one action */
    int sees;                      /* 1: all that is hidden, to compare with */
    char weights[CONTEST_WEIGHTS]; /* for the game's estimate(), or empty */
    char command[CONTEST_COMMAND]; /* of an engine, or empty: a bot of ours */
};

/* Ends the program after a message if the text is refused. */
void contestant_read(struct contestant *c, const char *text, size_t length);
/* The contestants of a list divided by commas; returns how many. */
int contestant_list(struct contestant *list, const char *text);

/* One contestant at one table, for a whole match. */
struct thinker {
    const struct contestant *self; /* borrowed */
    const struct game *game;
    struct world *world;     /* owned: with its own weights */
    struct state *view;      /* owned */
    struct search_bot other; /* the same, a little unsure: for more threads */
    /* Searches side by side, merged at the root, some with a helper. */
    int searches;
    struct search *search[CONTEST_THREADS];    /* owned */
    struct search_help *help[CONTEST_THREADS]; /* owned; may be NULL */
    struct child *child; /* owned: an engine instead of all that */
    uint64_t seed;
    /* What it took so far. */
    uint64_t actions, nodes;
    double seconds; /* CPU time; wall time with several threads */
};

bool thinker_init(struct thinker *t, const struct contestant *self,
                  const struct game *game, const struct setup *setup,
                  uint64_t seed, struct fault *f);
void thinker_release(struct thinker *t);
action thinker_choose(struct thinker *t, const struct state *now, int seat);

/* ---- contest_game.c: one game ---- */

/* What is played: the setup with the opening's seed, and so many random
 * actions before the bots begin. */
struct contest {
    const struct game *game;
    struct setup setup;
    int opening; /* random actions */
    uint64_t seed;
    int seats, limit; /* limit: actions of a game that finds no end */
    int lead;         /* points that decide a game before its end; 0: none */
    struct child_limits engines;
    void (*keep)(const struct match *m, void *to); /* each game, or NULL */
    void *keep_to;
    struct contestant by[GAME_SEATS];
};

struct contest_result {
    int game; /* its number; opening and seating follow from it */
    int points[GAME_SEATS], place[GAME_SEATS]; /* by contestant, not by seat */
    uint64_t actions[GAME_SEATS], nodes[GAME_SEATS];
    double seconds[GAME_SEATS];
    int length;
    char ending[16]; /* of the rules; "died", "hung", "cheated" if an engine
                        lost that way; "lead" or "limit" if it was cut off */
};

/* Plays game number `number`; each opening is played once in every seating.
 * `records` is a folder for its record, or NULL.  False after a message. */
bool contest_play(const struct contest *c, int number, const char *records,
                  struct contest_result *out);

/* ---- contest_args.c: what was asked for ---- */

/* Options that both commands have, in their own words. */
enum { KEY_GAMES = 'g', KEY_OUT = 0x300, KEY_OPENING, KEY_LIMIT, KEY_OWN };

struct contest_request {
    struct request request;
    const char *game, *seats, *out;
    int games, games_max, limit, limit_max;
    int opening; /* -1: as usual */
};

/* Takes one of those options, for the end of a command's parser. */
error_t contest_take(struct contest_request *c, int key, char *text);
/* Who plays what.  Ends the program after a message if it is not possible. */
void contest_prepare(struct contest *c, struct contest_request *asked,
                     struct buffer *given);

/* ---- contest_stats.c: what the games say ---- */

struct score {
    int games, groups;  /* groups of games with the same opening */
    double mean, error; /* of the wins' share; error: 95 % */
    double sum, squares;
};

struct standing {
    int games, wins, draws, losses;
    double share; /* of wins; shared wins in part */
    double points, place;
    double ms, nodes; /* per action */
};

/* The part of a win that contestant `i` got. */
double result_share(const struct contest_result *r, int seats, int i);
void standing_of(const struct contest_result *r, int count, int seats, int i,
                 struct standing *out);
/* The first contestant's wins, by groups of `seats` games. */
struct score score_of(const struct contest_result *r, int count, int seats);
enum { ELO_MOST = 1000 };

/* Elo of a share between two; +-ELO_MOST is the most it says. */
double elo_of(double share);
/* Log-likelihood ratio of elo1 against elo0. */
double sprt_of(const struct score *s, double elo0, double elo1);

#endif
