/* server/jobs.h: slow work, away from the loop.
 *
 * Passwords are hashed by at most two threads; bots think in one more that
 * runs only when nobody else wants the processor.  Answers are handed out by
 * jobs_collect() in the loop's thread. */
#ifndef SERVER_JOBS_H
#define SERVER_JOBS_H

#include "game/game.h"

struct jobs;
struct search_bot;

/* `wake` is called in another thread when there is something to collect. */
struct jobs *jobs_open(void (*wake)(void *), void *wake_context);
void jobs_close(struct jobs *j);

/* `hash` is the new one, or NULL after a comparison. */
typedef void jobs_hashed(void *context, bool good, const char *hash);

/* False: too many are waiting already, and `done` will not be called. */
bool jobs_hash(struct jobs *j, const char *password, jobs_hashed *done,
               void *context);
bool jobs_compare(struct jobs *j, const char *hash, const char *password,
                  jobs_hashed *done, void *context);

typedef void jobs_chosen(void *context, action a);

/* World and view are copied. */
void jobs_choose(struct jobs *j, const struct game *game,
                 const struct world *world, const struct state *view, int seat,
                 const struct search_bot *bot, uint64_t seed, jobs_chosen *done,
                 void *context);

/* Leads over the mean of the rivals and points, in thousandths. */
struct judgement {
    action best;
    int best_lead, lead, points[GAME_SEATS];
    bool looked;  /* there are leads, */
    bool seen;    /* also of the action in question */
    bool expects; /* there are points */
};

typedef void jobs_judged(void *context, const struct judgement *judgement);

/* What a bot thinks of an action; world and view are copied. */
void jobs_judge(struct jobs *j, const struct game *game,
                const struct world *world, const struct state *view, int seat,
                action a, const struct search_bot *bot, int nodes,
                jobs_judged *done, void *context);

int jobs_collect(struct jobs *j);
/* Waits for everything asked so far, and collects it. */
void jobs_settle(struct jobs *j);

#endif
