/* rules/mystica/gain.h: resources, cult steps, tiles and what follows from
 * them (mystica §4, §8, §9, §7). */
#ifndef RULES_MYSTICA_GAIN_H
#define RULES_MYSTICA_GAIN_H

#include "rules/mystica/reach.h"

void gain_vp(struct state *s, int seat, int vp, enum source source);
/* Returns the power used; what finds no token to move is lost. */
int gain_power(struct seat *p, int power);
void spend_power(struct seat *p, int power);
/* Takes tokens out of the game, bowl I before II before III. */
void lose_tokens(struct seat *p, int tokens);
int tokens_of(const struct seat *p);
int priest_cap(const struct seat *p);
void gain_priests(struct seat *p, int priests);
void gain_income(struct seat *p, const struct income *income, int times);
/* Spades gained from any source, with all that follows at once. */
void gain_spades(struct state *s, int seat, int spades);
/* VP of the current round tile, if it pays for this. */
void gain_round_vp(struct state *s, int seat, enum scored scored, int times);
void gain_keys(const struct world *w, struct state *s, int seat, int keys);

/* Up and down on a cult track, with power, keys and stops. */
void cult_up(const struct world *w, struct state *s, int seat, int track,
             int steps);
void cult_down(struct state *s, int seat, int track, int steps);
/* Power of the levels above low, up to high. */
int threshold_power(int low, int high);
bool cult_top_free(const struct world *w, const struct state *s, int track);

/* mystica §6.3, §6.4 */
enum { SHIP_COINS = 4, DIG_VP = 6 };
int ship_vp(const struct seat *p, int level);
bool ship_up(struct state *s, int seat); /* with its VP; false at the end */
void dig_up(struct state *s, int seat);

void take_favour(const struct world *w, struct state *s, int seat, int tile);
void take_town(const struct world *w, struct state *s, int seat, int tile,
               int tracks_first);
int favours_open(const struct state *s, int seat); /* mask of tiles */
int towns_left(const struct state *s);

/* After a structure came to stand on the cell: offers, then towns. */
void build_event(const struct world *w, struct state *s, int seat, int cell);
/* Founds or enlarges a town around the cell. */
void town_check(const struct world *w, struct state *s, int seat, int cell);
void town_check_all(const struct world *w, struct state *s, int seat);
/* mystica §18.10: the owner chooses where a structure touches several towns;
 * one cell of each that the cell touches, and the choice. */
struct cells towns_beside(const struct world *w, const struct state *s,
                          int seat, int cell);
void town_join(const struct world *w, struct state *s, int seat, int town);
/* mystica §18.10: further tiles for grown towns. */
void breeding_check(struct state *s, int seat);

/* What the receiver would really gain now. */
int offer_gain(const struct seat *p, int amount);
/* Removes one offer after its answer and lets the builder react. */
enum answer { ANSWER_ACCEPT, ANSWER_REFUSE, ANSWER_VOID };
void answer_offer(const struct world *w, struct state *s, int index,
                  enum answer answer);
/* After the seat took power: its other offers may be void now. */
void settle_offers(const struct world *w, struct state *s, int seat);
void decline_all(const struct world *w, struct state *s, int seat);
void purge_offers(const struct world *w, struct state *s);

void set_terrain(struct state *s, int cell, int terrain);
void put_piece(struct state *s, int seat, int cell, int piece);

#endif
