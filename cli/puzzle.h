/* cli/puzzle.h: "score most this turn", answered by trying everything.
 *
 * A turn lasts as long as its seat has to act.  Where nothing is hidden a
 * fence ends it, too: the same seat may be next again.  Where something is
 * hidden the seat's view is played on, so that points count only if they are
 * certain whatever the unknown cards are. */
#ifndef CLI_PUZZLE_H
#define CLI_PUZZLE_H

#include "game/match.h"

enum { PUZZLE_LINE = 32, PUZZLE_GAINS = 1024 };

struct puzzle_answer {
    bool whole;     /* every turn was tried; else nothing else holds */
    bool over;      /* some turn ends the match */
    int best, next; /* most points of a turn, and the most below that */
    int quick;      /* most points of a first action alone */
    int results;    /* different points that turns end with */
    int ends, ways; /* different ends of the turn, and those with the most */
    int length;
    action line[PUZZLE_LINE]; /* the shortest of the best, the first of these */
};

struct puzzle_solver;

/* `cap`: so many different positions of a turn at most. */
struct puzzle_solver *puzzle_open(const struct game *game, int cap);
void puzzle_close(struct puzzle_solver *p);
/* Tries all turns of `seat`, which is to act in `s` (a view of it where
 * something is hidden). */
void puzzle_solve(struct puzzle_solver *p, const struct world *w,
                  const struct state *s, int seat, struct puzzle_answer *out);

#endif
