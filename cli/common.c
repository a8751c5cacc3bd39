/* cli/common.c: positions, results and actions, as several commands need. */
#include "cli/cli.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct state *state_at(const struct match *m, int at)
{
    struct state *s = need(malloc(match_game(m)->state_size));
    match_at(m, at, s);
    return s;
}

struct state *view_of(const struct match *m, const struct state *state,
                      int viewer)
{
    const struct game *game = match_game(m);
    struct state *view = need(malloc(game->state_size));
    if (game->observe)
        game->observe(match_world(m), state, viewer, view);
    else
        memcpy(view, state, game->state_size);
    return view;
}

void write_result(const struct match *m, char *to, size_t cap)
{
    struct result r;
    match_game(m)->result(match_world(m), match_state(m), &r);
    struct text t = text_begin(to, cap);
    for (int seat = 0; seat < match_setup(m)->seats; seat++) {
        text_put(&t, seat ? "-" : "");
        text_int(&t, r.points[seat]);
    }
    text_put(&t, ", ");
    text_put(&t, match_over(m) ? match_game(m)->endings[r.reason]
                               : tr("unfinished"));
    text_end(&t);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *action_text(const struct match *m, const struct state *s, int seat,
                         action a)
{
    struct buffer b = {0};
    while (buffer_short(&b, match_game(m)->write_action(match_world(m), s, seat,
                                                        a, seat, b.to, b.cap)))
        ;
    return b.to;
}

int legal_texts(const struct match *m, const struct state *s, int seat,
                char ***out)
{
    const struct game *game = match_game(m);
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    char **list = need(malloc(GAME_SEATS * GAME_ACTIONS * sizeof *list));
    unsigned must, may;
    int count = 0;
    game->turn(match_world(m), s, &must, &may);
    for (int i = 0; i < match_setup(m)->seats; i++) {
        if (!((must | may) >> i & 1) || (seat != SEAT_NONE && i != seat))
            continue;
        int found = game->legal(match_world(m), s, i, legal);
        for (int k = 0; k < found; k++)
            list[count++] = action_text(m, s, i, legal[k]);
    }
    free(legal);
    qsort(list, (size_t)count, sizeof *list, by_text);
    *out = list;
    return count;
}
