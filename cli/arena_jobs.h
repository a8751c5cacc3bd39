/* cli/arena_jobs.h: one series of games, played by several processes.
 *
 * Each game is a job in a store; whoever runs the same series with the same
 * store claims the next one.  A result and the end of its job are one commit,
 * so that each game counts once, and all processes end with the same results.
 * Calls must not overlap. */
#ifndef CLI_ARENA_JOBS_H
#define CLI_ARENA_JOBS_H

#include <stdbool.h>

struct arena_jobs;

/* `head` says what is played.  Ends the program after a message if the store
 * cannot be used. */
struct arena_jobs *arena_jobs_open(const char *store, const char *head,
                                   int games);
void arena_jobs_close(struct arena_jobs *j);
/* The number of a game to play; -1: all are played or being played. */
int arena_jobs_take(struct arena_jobs *j);
/* False: it was played by somebody else meanwhile, and does not count. */
bool arena_jobs_done(struct arena_jobs *j, int number, const char *line);
/* Hands out every line when all games are played; otherwise false, a little
 * later: somebody still plays, or has died and left a game to take. */
bool arena_jobs_join(struct arena_jobs *j,
                     void (*line)(void *context, const char *text),
                     void *context);

#endif
