/* rules/mystica/score.h: income, cult bonus, passing and end scoring
 * (mystica §3.1, §3.4, §6.9, §10). */
#ifndef RULES_MYSTICA_SCORE_H
#define RULES_MYSTICA_SCORE_H

#include "rules/mystica/gain.h"

/* Where income comes from, for reports. */
enum income_source {
    FROM_DWELLINGS,
    FROM_TRADING,
    FROM_TEMPLES,
    FROM_STRONGHOLD,
    FROM_SANCTUARY,
    FROM_CARD,
    FROM_FAVOURS,
    INCOME_SOURCES
};

extern const char *const income_names[INCOME_SOURCES];

void income_parts(const struct state *s, int seat,
                  struct income parts[INCOME_SOURCES]);
struct income income_sum(const struct state *s, int seat);
/* Times the cult bonus of a scoring tile would be paid. */
int cult_bonus_times(const struct state *s, int seat, int tile);
void pay_cult_bonus(struct state *s, int seat, int tile);

struct pass_vp {
    int card, favour, ability;
};

struct pass_vp pass_vp(const struct state *s, int seat);

/* Measures of the largest or best network of a seat. */
struct network {
    int size, distance, sa_sh, edge, clusters;
};

struct network network_of(const struct world *w, const struct state *s,
                          int seat);
/* The part of the network that holds the cell. */
struct cells network_part(const struct world *w, const struct state *s,
                          int seat, int cell);

/* End scoring if the game ended now. */
struct final_score {
    int extra[SEATS], cult[TRACKS][SEATS], network[SEATS], resources[SEATS];
    int extra_value[SEATS], network_value[SEATS];
};

void final_scores(const struct world *w, const struct state *s,
                  struct final_score *out);
/* Burns and converts everything a seat has left; returns the VP. */
int convert_rest(struct seat *p);
/* Plays the end scoring on the state. */
void score_end(const struct world *w, struct state *s);

#endif
