/* rules/mystica/plan.h: what a seat could do with several actions in a row.
 *
 * A plan is an action that is not legal yet, behind the burning, converting,
 * digging and action spaces that make it so ("burn 1. convert 3PW to 1W.
 * upgrade E7 to TP", "action ACT5. build F3").  Front ends offer plans where a
 * cost is missing, be it of the main action or of what may follow it, such as a
 * dwelling after digging. */
#ifndef RULES_MYSTICA_PLAN_H
#define RULES_MYSTICA_PLAN_H

#include "rules/mystica/legal.h"

enum { PLAN_STEPS = 12 };

struct plan {
    action step[PLAN_STEPS]; /* the last is the one that is wanted */
    int count, spades;
    struct state before, after; /* around that last step */
};

/* Calls `found` with every plan of the seat, those that dig less first and
 * those behind action spaces last; for each action that is wanted at most one
 * without a space and one behind each, with the least dear exchange. */
void find_plans(const struct world *w, const struct state *s, int seat,
                void (*found)(void *to, const struct plan *plan), void *to);

#endif
