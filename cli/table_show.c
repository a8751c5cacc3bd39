/* cli/table_show.c: what people see of a match in the terminal. */
#include "cli/table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool table_secret(const struct table *t)
{
    return t->game->observe != NULL;
}

int table_humans(const struct table *t)
{
    int humans = 0;
    for (int seat = 0; seat < match_setup(t->match)->seats; seat++)
        humans += t->player[seat]->choose == NULL;
    return humans;
}

void table_board(struct table *t, int seat)
{
    struct buffer b = {0};
    struct state *view = view_of(t->match, match_state(t->match), seat);
    while (buffer_short(&b, t->game->write_board(match_world(t->match), view,
                                                 seat, t->colour, b.to, b.cap)))
        ;
    fputs(b.to, stdout);
    if (*b.to && b.to[strlen(b.to) - 1] != '\n')
        putchar('\n');
    buffer_release(&b);
    free(view);
    t->shown = seat;
    t->shown_count = match_count(t->match);
}

void table_legal(const struct table *t, int seat)
{
    enum { WIDTH = 78 };
    char **texts;
    int column = 0;
    int count = legal_texts(t->match, match_state(t->match), seat, &texts);
    for (int i = 0; i < count; i++) {
        int width = (int)strlen(texts[i]) + 1;
        if (column > 0 && column + width > WIDTH) {
            putchar('\n');
            column = 0;
        }
        printf("%s%s", column ? " " : "", texts[i]);
        column += width;
        free(texts[i]);
    }
    free(texts);
    printf(tr("\n%d legal\n"), count);
}

void table_end_line(struct table *t)
{
    if (t->speaking != SEAT_NONE)
        putchar('\n');
    t->speaking = SEAT_NONE;
}

void table_action(struct table *t, int seat, action a)
{
    struct buffer b = {0};
    if (t->speaking != seat) {
        table_end_line(t);
        printf(tr("seat %d (%s):"), seat + 1, t->player[seat]->name);
        t->speaking = seat;
    }
    while (buffer_short(&b, t->game->write_action(match_world(t->match),
                                                  match_state(t->match), seat,
                                                  a, SEAT_NONE, b.to, b.cap)))
        ;
    printf(" %s", b.to);
    buffer_release(&b);
}

void table_result(const struct table *t)
{
    struct result r;
    t->game->result(match_world(t->match), match_state(t->match), &r);
    printf(tr("The match is over: %s.\n"), t->game->endings[r.reason]);
    for (int place = 1; place <= GAME_SEATS; place++)
        for (int seat = 0; seat < match_setup(t->match)->seats; seat++)
            if (r.place[seat] == place)
                printf(tr("%d. seat %d (%s), %d points\n"), place, seat + 1,
                       t->player[seat]->name, r.points[seat]);
}

/* ---- hints ---- */

struct hint {
    action action;
    int milli; /* worth to the seat */
};

static int by_worth(const void *a, const void *b)
{
    const struct hint *left = a, *right = b;
    return (right->milli > left->milli) - (right->milli < left->milli);
}

/* What a seat can expect, less what the best of the others can. */
static int lead(const struct table *t, const struct state *s, int seat)
{
    int milli[GAME_SEATS], other = INT_MIN;
    t->game->estimate(match_world(t->match), s, NULL, milli);
    for (int i = 0; i < match_setup(t->match)->seats; i++)
        if (i != seat && milli[i] > other)
            other = milli[i];
    return other == INT_MIN ? milli[seat] : milli[seat] - other;
}

static void weigh(const struct table *t, const struct state *view, int seat,
                  struct hint *hints, int count)
{
    struct state *next = need(malloc(t->game->state_size));
    for (int i = 0; i < count; i++) {
        memcpy(next, view, t->game->state_size);
        t->game->apply(match_world(t->match), next, seat, hints[i].action);
        hints[i].milli = lead(t, next, seat);
    }
    free(next);
}

static void print_hint(const struct table *t, const struct state *view,
                       int seat, const struct hint *hint)
{
    struct buffer b = {0};
    char worth[32];
    struct text text = text_begin(worth, sizeof worth);
    text_milli(&text, hint->milli);
    text_end(&text);
    while (buffer_short(&b,
                        t->game->write_action(match_world(t->match), view, seat,
                                              hint->action, seat, b.to, b.cap)))
        ;
    printf(tr("  %-20s lead %s\n"), b.to, worth);
    buffer_release(&b);
}

void table_hint(const struct table *t, int seat)
{
    if (!t->game->estimate) {
        printf(tr("%s gives no hints\n"), t->game->title);
        return;
    }
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    struct hint *hints = need(malloc(GAME_ACTIONS * sizeof *hints));
    struct state *view = view_of(t->match, match_state(t->match), seat);
    int count = t->game->legal(match_world(t->match), view, seat, legal);
    for (int i = 0; i < count; i++)
        hints[i] = (struct hint){legal[i], 0};
    weigh(t, view, seat, hints, count);
    qsort(hints, (size_t)count, sizeof *hints, by_worth);
    for (int i = 0; i < count && i < 3; i++)
        print_hint(t, view, seat, &hints[i]);
    free(view);
    free(hints);
    free(legal);
}
