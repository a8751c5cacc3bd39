/* rules/nova/features.c: a position as numbers for learning programs. */
#include "rules/nova/state.h"

#include "game/numbers.h"

enum { SEAT_NUMBERS = 4, MOVED = 2 };

const struct feature nova_features[] = {
    {"land", BOARD_HEXES,
     "by hex, in reading order: its landscape from 1 on, 0 off the board"},
    {"stones", BOARD_HEXES, "by hex: 1 where a border stone stands"},
    {"live", BOARD_HEXES, "by hex: 1 where a territory can still be closed"},
    {"pioneers", NOVA_SEATS *BOARD_HEXES,
     "for each seat from the viewer on, by hex: 1 where its pioneer stands"},
    {"seats", NOVA_SEATS *SEAT_NUMBERS,
     "for each seat from the viewer on: points; pioneers in hand; 1 if it has "
     "left; 1 if it is to act"},
    {"moved", MOVED * 2,
     "for each pioneer moved this turn: hex it came from + 1; hex it is on "
     "+ 1, -1 if removed since; 0 if none"},
    {"turn", 7,
     "action of the turn 1 to 3, 0 while placing; stones put this turn; "
     "stones left, less than 0 if unlimited; turns in a row without a stone; "
     "the limit of these, 0 if none; seats at the table; 1 if over"},
    {NULL, 0, NULL},
};

static void put_board(struct numbers *n, const struct world *w,
                      const struct state *s)
{
    for (int hex = 0; hex < w->hexes; hex++)
        put_number(n, w->board.land[hex] + 1);
    put_zeros(n, BOARD_HEXES - w->hexes);
    put_bits(n, s->stones.word, BOARD_HEXES);
    put_bits(n, s->live.word, BOARD_HEXES);
}

static void put_seat(struct numbers *n, const struct state *s, int seat)
{
    if (seat == SEAT_NONE) {
        put_zeros(n, SEAT_NUMBERS);
        return;
    }
    put_number(n, s->score[seat]);
    put_number(n, s->hand[seat]);
    put_number(n, s->out >> seat & 1);
    put_number(n, !s->reason && s->seat == seat);
}

static void put_moved(struct numbers *n, const struct state *s)
{
    for (int i = 0; i < MOVED; i++) {
        bool there = i < s->moved_count;
        const struct moved *m = &s->moved[i];
        put_number(n, there ? m->home + 1 : 0);
        put_number(n, !there ? 0 : m->now == GONE ? -1 : m->now + 1);
    }
}

void nova_measure(const struct world *w, const struct state *view, int viewer,
                  int16_t *out)
{
    struct numbers n = numbers_to(out);
    put_board(&n, w, view);
    for (int k = 0; k < NOVA_SEATS; k++) {
        int seat = seat_behind(w->seats, viewer, k);
        if (seat == SEAT_NONE)
            put_zeros(&n, BOARD_HEXES);
        else
            put_bits(&n, view->pioneers[seat].word, BOARD_HEXES);
    }
    for (int k = 0; k < NOVA_SEATS; k++)
        put_seat(&n, view, seat_behind(w->seats, viewer, k));
    put_moved(&n, view);
    put_number(&n, view->act);
    put_number(&n, view->placed);
    put_number(&n, view->supply);
    put_number(&n, view->quiet);
    put_number(&n, w->quiet_turns);
    put_number(&n, w->seats);
    put_number(&n, view->reason != ENDING_NONE);
}
