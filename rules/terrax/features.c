/* rules/terrax/features.c: a view as numbers for learning programs. */
#include "rules/terrax/state.h"

#include "game/numbers.h"

enum { SEAT_NUMBERS = 9, PHASES = 5 };

const struct feature terrax_features[] = {
    {"visits", COLOURS *PLACES,
     "for each colour, by place: arrows that point there"},
    {"heads", COLOURS *PLACES, "for each colour, by place: 1 where it ends"},
    {"arrows", COLOURS *SLOTS,
     "for each colour, by slot (a leg seen from one end): 1 with an arrow"},
    {"hands", SEATS *CARDS,
     "for each seat from the viewer on, by card: 1 if known to be in its hand"},
    {"markers", SEATS *CARDS,
     "for each seat from the viewer on, by card: 1 if its marker lies there"},
    {"open", CARDS, "by card: 1 if it is an open mission"},
    {"finished", CARDS,
     "by card: 0, or the seat that completed or won it, 1 for the viewer"},
    {"hidden", CARDS, "by card: 1 if the viewer cannot know where it is"},
    {"drawn", CARDS, "by card: 1 drawn for a swap, 2 set aside for it"},
    {"seats", SEATS *SEAT_NUMBERS,
     "for each seat from the viewer on: points; cards in hand; own missions "
     "completed; open ones won; markers regained; markers put; cheques, -1 if "
     "hidden; 1 if it has left; 1 if it is to act"},
    {"phase", PHASES,
     "1 for the present one of mark, turn, swap, claims, over"},
    {"turn", 17,
     "base arrows and green arrows left; colour that closed a loop and may go "
     "on, 3 if none; loops closed; cheques used; 1 if something was done, 1 if "
     "an arrow was laid this turn; arrows "
     "of each colour; cheques in the bank; cheques spent; cards in the stack; "
     "round; 1 in the last round; turns in a row without an arrow; seats at "
     "the table"},
    {NULL, 0, NULL},
};

static void put_routes(struct numbers *n, const struct world *w,
                       const struct state *s)
{
    for (int k = 0; k < COLOURS; k++)
        put_bytes(n, s->visits[k], PLACES);
    for (int k = 0; k < COLOURS; k++)
        for (int place = 0; place < PLACES; place++)
            put_number(n, place == head_of(w, s, k));
    for (int k = 0; k < COLOURS; k++)
        put_bits(n, s->used[k], SLOTS);
}

static void put_sets(struct numbers *n, const struct world *w, int viewer,
                     const uint64_t set[SEATS][CARD_WORDS])
{
    for (int k = 0; k < SEATS; k++) {
        int seat = seat_behind(w->seats, viewer, k);
        if (seat == SEAT_NONE)
            put_zeros(n, CARDS);
        else
            put_bits(n, set[seat], CARDS);
    }
}

static int finisher(int where)
{
    return where >= AT_WON    ? where - AT_WON
           : where >= AT_DONE ? where - AT_DONE
                              : SEAT_NONE;
}

static void put_cards(struct numbers *n, const struct world *w,
                      const struct state *s, int viewer)
{
    put_sets(n, w, viewer, s->hand);
    put_sets(n, w, viewer, s->marker);
    for (int card = 0; card < CARDS; card++)
        put_number(n, card < w->cards && s->where[card] == AT_OPEN);
    for (int card = 0; card < CARDS; card++)
        put_number(n, card < w->cards ? rank_of_seat(w->seats, viewer,
                                                     finisher(s->where[card]))
                                      : 0);
    for (int card = 0; card < CARDS; card++)
        put_number(n, card < w->cards && s->where[card] == AT_HIDDEN);
    for (int card = 0; card < CARDS; card++)
        put_number(n, card >= w->cards             ? 0
                      : s->where[card] == AT_DRAWN ? 1
                      : s->where[card] == AT_ASIDE ? 2
                                                   : 0);
}

/* cheque_info=hidden (terrax §12): told to others after the end only. */
static int cheques_told(const struct world *w, const struct state *s, int seat,
                        int viewer)
{
    bool told = w->option[OPT_CHEQUE_INFO] == INFO_PUBLIC || seat == viewer ||
                s->phase == PHASE_OVER;
    return told ? s->cheques[seat] : -1;
}

static void put_seat(struct numbers *n, const struct world *w,
                     const struct state *s, int seat, int viewer,
                     unsigned to_act)
{
    if (seat == SEAT_NONE) {
        put_zeros(n, SEAT_NUMBERS);
        return;
    }
    put_number(n, tx_points_of(w, s, seat));
    put_number(n, s->held[seat]);
    put_number(n, s->done[seat]);
    put_number(n, s->won[seat]);
    put_number(n, s->regained[seat]);
    put_number(n, s->marked[seat]);
    put_number(n, cheques_told(w, s, seat, viewer));
    put_number(n, s->out >> seat & 1);
    put_number(n, (int)(to_act >> seat & 1));
}

static void put_turn(struct numbers *n, const struct world *w,
                     const struct state *s)
{
    put_number(n, s->base);
    put_number(n, s->green);
    put_number(n, s->loop);
    put_number(n, s->loops);
    put_number(n, s->used_cheques);
    put_number(n, s->acted);
    put_number(n, s->moved);
    put_bytes(n, s->length, COLOURS);
    put_number(n, s->bank);
    put_number(n, s->spent);
    put_number(n, s->stacked);
    put_number(n, s->round);
    put_number(n, s->last);
    put_number(n, s->quiet);
    put_number(n, w->seats);
}

void terrax_measure(const struct world *w, const struct state *view, int viewer,
                    int16_t *out)
{
    struct numbers n = numbers_to(out);
    unsigned must, may;
    terrax_turn(w, view, &must, &may);
    put_routes(&n, w, view);
    put_cards(&n, w, view, viewer);
    for (int k = 0; k < SEATS; k++)
        put_seat(&n, w, view, seat_behind(w->seats, viewer, k), viewer,
                 must | may);
    for (int phase = 0; phase < PHASES; phase++)
        put_number(&n, view->phase == phase);
    put_turn(&n, w, view);
}
