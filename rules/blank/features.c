/* rules/blank/features.c: a view as numbers for learning programs. */
#include "rules/blank/state.h"

#include "game/numbers.h"

enum { SEAT_NUMBERS = 4 };

const struct feature blank_features[] = {
    {"seats", SEATS *SEAT_NUMBERS,
     "for each seat from the viewer on: points; card, 0 unknown; choice, 0 "
     "none, 1 hidden, 2 stays, 3 folds; 0 or the order of leaving"},
    {"round", 4, "round; last round; 1 if doubled; seats at the table"},
    {NULL, 0, NULL},
};

void blank_measure(const struct world *w, const struct state *view, int viewer,
                   int16_t *out)
{
    struct numbers n = numbers_to(out);
    for (int k = 0; k < SEATS; k++) {
        int seat = seat_behind(w->seats, viewer, k);
        if (seat == SEAT_NONE) {
            put_zeros(&n, SEAT_NUMBERS);
            continue;
        }
        put_number(&n, view->points[seat]);
        put_number(&n, view->hand[seat]);
        put_number(&n, view->choice[seat]);
        put_number(&n, view->left[seat]);
    }
    put_number(&n, view->round);
    put_number(&n, w->rounds);
    put_number(&n, view->doubled);
    put_number(&n, w->seats);
}
