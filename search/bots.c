/* search/bots.c: who can be asked to play.  A new level is one line here. */
#include "search/search.h"

#include <string.h>

#define STYLE                                                                  \
    {                                                                          \
        150, 300, 30000, 300, 1, 1, 96, 0, 0                                   \
    }

/* Foresees whole turns. */
#define FORESEEING                                                             \
    {                                                                          \
        150, 300, 30000, 300, 2, 4, 96, 16, 1                                  \
    }

/* Well ahead, the others grow careless: a point more or less is the same to
 * them.  The master goes on. */
#define CAREFUL                                                                \
    {                                                                          \
        150, 300, 100000, 300, 3, 8, SEARCH_WIDE, 16, 1                        \
    }

/* Strengths: bench/results/. */
const struct search_bot search_bots[] = {
    {"random", "any legal action, each as likely", SEARCH_RANDOM, 1, 1, 0, 1, 0,
     1, 0, STYLE},
    {"novice", "has just read the rules", SEARCH_TREE, 30, 8, 6500, 8, 1200, 1,
     11300, STYLE},
    {"casual", "plays now and then", SEARCH_TREE, 88, 18, 3700, 16, 800, 1,
     7700, STYLE},
    {"club", "plays every week", SEARCH_TREE, 360, 38, 1400, 40, 350, 1, 4700,
     STYLE},
    {"expert", "plays tournaments", SEARCH_TREE, 2800, 300, 500, 120, 1150, 8,
     3400, FORESEEING},
    {"master", "the strongest", SEARCH_TREE, 16000, 16000, 0, 800, 0, 2400, 0,
     CAREFUL},
    {"greedy", "the best turn at first sight, for comparison", SEARCH_GREEDY,
     64, 64, 0, 64, 0, 1, 0, STYLE},
    {"uct", "random play-outs only, for comparison", SEARCH_UCT, 2000, 2000, 0,
     2000, 0, 2000, 0, STYLE},
    {NULL, NULL, SEARCH_RANDOM, 0, 0, 0, 0, 0, 0, 0, STYLE},
};

const struct search_bot *search_find(const char *name, size_t length)
{
    for (const struct search_bot *b = search_bots; b->name; b++)
        if (strlen(b->name) == length && memcmp(b->name, name, length) == 0)
            return b;
    return NULL;
}
