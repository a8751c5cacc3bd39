/* server/standing.c: answers that people have settled beforehand.
 *
 * Which decisions that can be, and by which rules, only the game knows.  A rule
 * is its player's secret: it is in the table's record and in that seat's view.
 */
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its place among the game's rules; -1: it has no such rule. */
static int rule_of(const struct game *game, const char *name)
{
    if (!game->standing)
        return -1;
    for (int i = 0; game->standing->rules[i]; i++)
        if (strcmp(game->standing->rules[i], name) == 0)
            return i;
    return -1;
}

static bool settled(const struct table *t, int seat, action *a)
{
    const struct seat *s = &t->seat[seat];
    const struct game *g = t->game;
    int rule = rule_of(g, s->rule);
    if (rule < 0 || !s->user || s->gone || s->bot[0])
        return false;
    struct state *view = table_view(t, seat);
    bool found =
        g->standing->answer(match_world(t->match), view, seat, rule, a);
    free(view);
    return found;
}

unsigned standing_settled(const struct table *t)
{
    unsigned mask = 0;
    if (!t->match || t->status != TABLE_RUNNING)
        return 0;
    unsigned asked = table_asked(t);
    for (int seat = 0; seat < t->seats; seat++) {
        action a;
        if (asked >> seat & 1 && settled(t, seat, &a))
            mask |= 1u << seat;
    }
    return mask;
}

bool standing_answer(struct hub *h, struct table *t)
{
    unsigned asked = t->match && !t->busy ? table_asked(t) : 0;
    for (int seat = 0; seat < t->seats; seat++) {
        action a = 0;
        if (!(asked >> seat & 1) || !settled(t, seat, &a))
            continue;
        table_act(h, t, seat, a);
        return t->busy;
    }
    return false;
}

void on_standing(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    const char *rule = message_text(r->body, "rule", "");
    if (t->status == TABLE_OVER) {
        reply_error(h, r, "state", "this game is over");
    } else if (rule_of(t->game, rule) < 0) {
        reply_error(h, r, "field", "the game has no such standing rule");
    } else {
        char *to = t->seat[r->seat].rule;
        snprintf(to, sizeof t->seat[r->seat].rule, "%s", rule);
        table_save(h, t, later_of(h, r));
    }
}
