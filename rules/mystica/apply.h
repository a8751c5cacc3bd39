/* rules/mystica/apply.h: playing one action, and leaving the table. */
#ifndef RULES_MYSTICA_APPLY_H
#define RULES_MYSTICA_APPLY_H

#include "rules/mystica/flow.h"

/* The action alone, without what then happens by itself. */
void play(const struct world *w, struct state *s, int seat, action a);
void mystica_apply(const struct world *w, struct state *s, int seat, action a);
/* Dropping out alone, likewise. */
void leave(const struct world *w, struct state *s, int seat);
void mystica_drop(const struct world *w, struct state *s, int seat);
void mystica_stop(const struct world *w, struct state *s, int reason, int seat);

/* What an upgrade costs now. */
struct price upgrade_price(const struct world *w, const struct state *s,
                           int seat, int cell, int piece);
/* Spade price per spade: workers, or priests for some. */
int spade_price(const struct seat *p);
/* Levels or tokens a volcano on this cell costs. */
int volcano_price(const struct world *w, const struct state *s, int seat,
                  int cell);
int power_price(const struct seat *p, int space);
int find_offer(const struct state *s, int to, int from, int amount);
int unlock_price(const struct world *w, const struct state *s, int seat,
                 int colour);

#endif
