/* rules/mystica/mystica.h: the functions of the promise, for the table. */
#ifndef RULES_MYSTICA_MYSTICA_H
#define RULES_MYSTICA_MYSTICA_H

#include "rules/mystica/legal.h"

extern const struct game mystica_game;
extern const char *const mystica_endings[];
extern const struct feature mystica_features[];
extern const struct standing_rules mystica_standing;
extern const char *const mystica_samples[];

void mystica_result(const struct world *w, const struct state *s,
                    struct result *r);
uint32_t mystica_fence(const struct world *w, const struct state *s);
uint64_t mystica_hash(const struct world *w, const struct state *s);
void mystica_measure(const struct world *w, const struct state *view,
                     int viewer, int16_t *out);
void mystica_estimate(const struct world *w, const struct state *s,
                      struct memo *m, int *milli);
void mystica_habit(const struct world *w, const struct state *s, int seat,
                   const action *legal, int count, int *milli);
/* Which numbers of the habits an action's worth comes from, how many times in
 * thousandths: action i has the notes from[i] to to[i].  A number from
 * HABIT_NUMBERS on is a choice that all facts bear on.  For training. */
enum { TAPE = 1 << 16, HABIT_NUMBERS = sizeof(struct habits) / 2 };

struct habit_tape {
    int count;
    int16_t fact[FACTS];
    int from[GAME_ACTIONS], to[GAME_ACTIONS];
    int16_t number[TAPE];
    int times[TAPE];
};

void mystica_habit_noted(const struct world *w, const struct state *s, int seat,
                         const action *legal, int count, int *milli,
                         struct habit_tape *tape);
int mystica_write_effect(const struct world *w, const struct state *s, int seat,
                         action a, int viewer, char *to, size_t cap);
int mystica_write_scene(const struct world *w, const struct state *view,
                        int viewer, char *to, size_t cap);
int mystica_write_picture(const struct world *w, const struct state *view,
                          int viewer, char *to, size_t cap);
int mystica_write_board(const struct world *w, const struct state *view,
                        int viewer, bool colour, char *to, size_t cap);

#endif
