/* server/bots.c: seats that are played by a search, or by a standing rule. */
#include "server/hub.h"

#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct thought {
    struct hub *hub;
    char table[ID_BYTES];
    int64_t seq;
    int seat;
};

static void chosen(void *context, action a)
{
    struct thought th = *(struct thought *)context;
    free(context);
    struct table *t = dict_find(&th.hub->tables, th.table);
    if (!t)
        return;
    t->thinking = -1;
    if (!t->match || t->busy || t->seq != th.seq) {
        if (t->match && !t->busy)
            bots_wake(th.hub, t); /* the match went on meanwhile */
        return;
    }
    char text[256], line[320];
    t->game->write_action(match_world(t->match), match_state(t->match), th.seat,
                          a, th.seat, text, sizeof text);
    snprintf(line, sizeof line, "play %d - %s", th.seat, text);
    table_decide(th.hub, t, line);
}

static const struct search_bot *bot_of(const char *name)
{
    const struct search_bot *bot = search_find(name, strlen(name));
    return bot ? bot : search_bots;
}

void bots_wake(struct hub *h, struct table *t)
{
    unsigned asked = t->match ? table_asked(t) : 0;
    if (h->stopping || seats_settle(h, t))
        return;
    if (t->status != TABLE_RUNNING || standing_answer(h, t) || t->thinking >= 0)
        return;
    for (int seat = 0; seat < t->seats; seat++) {
        if (!(asked >> seat & 1) || !t->seat[seat].bot[0])
            continue;
        const struct game *g = t->game;
        struct thought *th = sure(calloc(1, sizeof *th));
        struct state *view = sure(malloc(g->state_size));
        *th = (struct thought){.hub = h, .seq = t->seq, .seat = seat};
        memcpy(th->table, t->id, sizeof th->table);
        if (g->observe)
            g->observe(match_world(t->match), match_state(t->match), seat,
                       view);
        else
            memcpy(view, match_state(t->match), g->state_size);
        t->thinking = t->seq;
        jobs_choose(h->set.jobs, g, match_world(t->match), view, seat,
                    bot_of(t->seat[seat].bot), (uint64_t)t->seq * 977 + 1,
                    chosen, th);
        free(view);
        return;
    }
}
