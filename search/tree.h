/* search/tree.h: memory and structure of a search, for this folder only.
 *
 * Positions are nodes, found again by their hash: the orders of actions that
 * reach one position share one node.  An expanded node keeps the actions not
 * yet tried, each with the value the game gives it at first sight (`rest`, the
 * best one first), and a row of edges, one for each action tried. */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include "base/rng.h"
#include "search/search.h"

enum { PATH = 64, NOTHING = 0, BEAM = 12, EDGE_PENDING = 15 };

/* Whole turns: most beginnings carried on side by side, their length, and how
 * many become lines of the tree. */
enum { WIDE = SEARCH_WIDE, TURN = 12, PLANS = 80, RACERS = 160, ROUNDS = 8 };

/* A lead that is clear to a race, thousandths of a point; and the worth of an
 * edge whose turns were not in it, or at whose end a visit waits. */
#define GOAL_CLEAR 6000.0f
#define UNTRIED    (-9.0f)

enum node_flag {
    NODE_EXPANDED = 1,
    NODE_PROVEN = 2,    /* `best` is what perfect play makes of it */
    NODE_CUT = 4,       /* not all legal actions are kept */
    NODE_PLANNED = 8,   /* its edges are parts of whole turns */
    NODE_FORESEEN = 16, /* the turn that begins there has been planned */
    NODE_ASKED = 32     /* a visit waits for what is seen there (help.c) */
};

struct node {
    uint64_t hash;
    uint32_t visits;
    uint32_t edges; /* first of its row */
    uint16_t edge_count, edge_room;
    uint16_t top;        /* the edge with the best line, from 0 */
    uint16_t sure;       /* the best that is proven, from 1; 0: none */
    uint16_t sure_count; /* edges that are proven */
    uint16_t rest_count; /* untried actions left */
    uint32_t rest;       /* where they begin */
    int8_t seat;
    uint8_t flags;
    float front;            /* the value of the best untried action */
    float forgotten;        /* of the best that was not kept */
    float sum[GAME_SEATS];  /* of the values of all visits */
    float best[GAME_SEATS]; /* of the best line found, by first sight */
};

/* What choosing among edges needs is kept here, as it was when the edge was
 * last passed, so that no other memory is touched. */
struct edge {
    action action;
    uint32_t node;
    uint32_t visits : 27, proven : 1;
    uint32_t pending : 4; /* visits that wait below, EDGE_PENDING at most */
    float prior;          /* at first sight, to the seat that moves */
    float mean, best;     /* the node's own, to that seat */
    float worth;          /* of both; nothing attracts to what is proven */
    float spread;         /* 1 / sqrt(1 + visits) */
};

struct untried {
    action action;
    int milli; /* the lead at first sight */
};

/* A position at first sight: whose decision it is (SEAT_NONE: it is over), how
 * many actions there are, how many were kept and what it is worth. */
struct sight {
    int seat, count, kept;
    float front, forgotten; /* the best that was kept, and that was not */
    float value[GAME_SEATS];
};

struct passed {
    uint32_t node, edge; /* edge: the one that led there */
};

struct beam {
    int milli;
    action first;
};

struct plan {
    int milli, length;
    uint64_t hash;
    action line[TURN];
};

/* A whole turn that is compared with others in the same worlds. */
struct racer {
    float weight, here; /* what it promises, in all worlds and in this one */
    float sum;          /* what its runs have found */
    int runs, length;
    int round;            /* the last one that it ran in */
    float passed[ROUNDS]; /* the sum after each */
    uint64_t hash;        /* where it ends */
    action line[TURN];
};

struct search {
    const struct game *game;   /* borrowed */
    const struct world *world; /* borrowed */
    const struct search_bot *bot;
    struct rng rng;
    uint64_t seed;
    int seat, seats;
    int wanted, done;
    int64_t judged;
    bool hidden;     /* something is: whole turns in guessed worlds */
    bool only;       /* one action: nothing to decide */
    bool full;       /* no memory left */
    bool only_order; /* the game's ranks are no leads */
    bool foresees;   /* turns that begin in the tree are planned whole */
    float scale;     /* a lead that is clear, thousandths of a point */

    struct node *node;
    struct edge *edge;
    struct untried *rest;
    uint32_t *table; /* node by hash */
    uint64_t *begun; /* a bit for each block of it: empty before */
    uint32_t node_cap, edge_cap, rest_cap, table_mask;
    uint32_t nodes, edges, rests; /* used; the first of each is nothing */

    struct state *view, *state, *spare;
    struct memo *memo; /* of the game; NULL if it has no use for one */
    action *list;
    int *milli;
    uint32_t root;
    struct passed path[PATH];
    int depth;

    action chosen; /* random and greedy */
    struct beam beam[2 * BEAM];
    struct state *beam_state; /* 2 * BEAM of them */
    int beams, best_milli;
    bool chosen_yet;

    struct plan *plan;        /* twice `wide`, then PLANS that have ended */
    struct state *plan_state; /* as many, without those */
    int wide;                 /* beginnings that are carried on at most */
    int plans, plans_most;
    int planner;    /* the seat whose turn is planned */
    action closing; /* what ends a turn */
    bool settled;   /* a plan goes on as expected */
    uint64_t mood;  /* of errors: the position */

    struct search_help *help; /* borrowed; may be NULL */

    const struct plan *foreseen; /* what this visit follows; may be NULL */
    int foreseen_at;             /* its next action */

    struct racer *racer; /* RACERS; those that race come first */
    int racers, racing;
    int lane, lap, laps; /* next to run, in which world, laps to go */
    int round, round_visits;
    int heat;            /* how many races before this one */
    struct state *guess; /* a guessed world */
    struct state *sight; /* what one seat sees of it */
    int guessed;         /* its number */
    uint64_t worlds;     /* where they begin */
};

/* ---- help.c: only if there is help ---- */

void help_simulate(struct search *s);
/* Ends the oldest visits until none waits at that node; NOTHING: at all. */
void help_settle(struct search *s, uint32_t node);
/* On the way: the turn that begins at s->depth will soon be due. */
void help_ask_turn(struct search *s);
/* Has that turn been asked for?  NULL in `out`: there is none. */
bool help_turn(struct search *s, const struct plan **out);
/* The root changes: nothing waits any longer. */
void help_forget(struct search *s);

/* ---- search.c ---- */

struct state *search_copy(const struct search *s, struct state *to,
                          const struct state *from);
/* Whose decision it is and the legal actions, in s->list; SEAT_NONE: over. */
int search_turn(struct search *s, const struct state *now, int *count);
/* How far `seat` is ahead of its rivals. */
int search_lead(const struct search *s, const int *milli, int seat);
/* The leads of all seats, bent. */
void search_judge(const struct search *s, const int *milli, float *value);
void search_final(const struct search *s, const struct state *now,
                  float *value);

/* s->milli: the values at first sight of the actions in s->list, with the
 * bot's errors if it `errs`. */
void search_rank(struct search *s, const struct state *now, int seat, int count,
                 bool errs);
/* How much what is so many thousandths worse attracts. */
float search_weight(int gap);
/* Adds what a visit found to all it passed.  `apart`: a node is one world's and
 * its edge all worlds', so the edge keeps a mean of its own. */
void search_back_up(struct search *s, const float *value, bool apart);

/* ---- memory.c ---- */

/* Is this a bot that plays every new node out by habit? */
bool plays_out(const struct game *game, const struct search_bot *bot);

/* How many visits per action among so many seats, if `nodes` does not say. */
int search_wanted(const struct game *game, const struct search_bot *bot,
                  int nodes, int seats);
bool tree_begin(struct search *s, void *memory, size_t bytes, int nodes);
void tree_clear(struct search *s);
/* Is there room for another whole search beside what is kept? */
bool tree_room(const struct search *s);
/* The node of the state, new if need be; NOTHING if memory is used up. */
uint32_t tree_node(struct search *s, const struct state *now);
/* Plays the edge and goes on at its node, made now if new; false: no room. */
bool tree_follow(struct search *s, const struct node *n, uint32_t e);
uint32_t tree_find(const struct search *s, uint64_t hash);
/* A new edge at the end of a node's row, which may move; NOTHING if memory is
 * used up. */
uint32_t tree_edge(struct search *s, struct node *n, action a, float prior);
/* The one that an action has; NULL if it is untried. */
struct edge *tree_edge_of(const struct search *s, const struct node *n,
                          action a);
/* A new one for an untried action, which is then no longer untried. */
uint32_t tree_try(struct search *s, struct node *n, int index);

#define EDGES_EACH(e, s, n)                                                    \
    for (struct edge *e = (s)->edge + (n)->edges, *end_ = e + (n)->edge_count; \
         e < end_; e++)

/* ---- the bots ---- */

bool greedy_run(struct search *s, int nodes);
void uct_simulate(struct search *s);
bool tree_only_order(struct search *s);
/* The root keeps every action, also one that was no root before. */
void tree_root(struct search *s);
void tree_simulate(struct search *s);
/* Begins a visit at the root, and goes a step down; false at a leaf: `value` is
 * known, or its node is NODE_ASKED. */
void tree_visit(struct search *s);
bool tree_descend(struct search *s, float *value);
/* A new node takes over what is seen there. */
void tree_expand(struct search *s, struct node *n, const struct sight *seen,
                 const struct untried *rest);
void tree_back_up(struct search *s, const struct passed *path, int depth,
                  float *value);
/* One visit more or less waits below an edge. */
void tree_pend(struct edge *e, int more);
/* What is seen of a position; the best actions into `rest`, all of them or
 * those that promise most, but none if there are `room` or more. */
void tree_see(struct search *s, const struct state *now, uint64_t hash,
              bool all, uint32_t room, struct untried *rest, struct sight *out);
void hidden_simulate(struct search *s);
void playout_simulate(struct search *s);
bool playout_decided(const struct search *s);
/* What the others answer by habit in s->state, added to a line. */
int playout_answers(struct search *s, struct search_step *out, int length,
                    int cap);
/* The best turns in the world s->state become racers and lines of the tree;
 * which of them is the best, or -1. */
int plan_turn(struct search *s);
/* A seat's turn in the world s->state that looks best when `wide` beginnings
 * are carried on; NULL if none was found. */
const struct plan *plan_answer(struct search *s, int seat, int wide);
void plan_sort(struct search *s, int count);
/* World number `index` into s->state, and is the action legal there? */
void hidden_guess(struct search *s, int index);
bool hidden_allows(struct search *s, action a);
/* Does the tree hold what is to be done in this later view? */
bool hidden_follow(struct search *s, const struct state *view);

#endif
