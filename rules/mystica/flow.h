/* rules/mystica/flow.h: whose turn it is, and what happens by itself
 * (mystica §2, §3, §14). */
#ifndef RULES_MYSTICA_FLOW_H
#define RULES_MYSTICA_FLOW_H

#include "rules/mystica/score.h"

/* Rights that have to be used before the seat's turn may end. */
bool owes(const struct world *w, const struct state *s, int seat);
/* Rights a seat may or must use out of turn. */
bool owes_reaction(const struct state *s, int seat);
bool has_offer(const struct state *s, int seat);
/* Can the seat answer its offers now? */
bool may_answer(const struct world *w, const struct state *s, int seat);

/* Corrections by hand: any seat at any time, but not without end. */
static inline bool may_adjust(const struct world *w, const struct state *s)
{
    return w->option[OPT_LOOSE_ADJUST] && s->adjusted < ADJUSTMENTS;
}

void flow_turn(const struct world *w, const struct state *s, unsigned *must,
               unsigned *may);
/* Starts a main action: open offers lapse, earlier work is closed. */
void begin_action(const struct world *w, struct state *s, int seat);
void end_turn(const struct world *w, struct state *s);
/* One thing that happens by itself; false if somebody has to act first. */
bool advance_once(const struct world *w, struct state *s);
/* Everything that happens by itself. */
void advance(const struct world *w, struct state *s);

/* The seat that places the next starting dwelling, or NO_SEAT. */
int dwelling_seat(const struct world *w, const struct state *s);
/* Cells on which that seat may place it. */
struct cells dwelling_cells(const struct world *w, const struct state *s,
                            int seat);
/* Colours the seat may choose in setup: a mask. */
int free_colours(const struct world *w, const struct state *s, int seat);
/* By the options of the game. */
bool faction_allowed(const struct world *w, int faction);
/* Factions open to choice: a mask. */
uint32_t free_factions(const struct world *w, const struct state *s);
/* Those of them that were dealt to the seat, if any is left. */
uint32_t dealt_factions(const struct world *w, const struct state *s, int seat);
/* vp < 0: as the options say. */
void enter_faction(const struct world *w, struct state *s, int seat,
                   int faction, int vp);

#endif
