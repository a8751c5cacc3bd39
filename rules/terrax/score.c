/* rules/terrax/score.c: points and places (terrax §10). */
#include "rules/terrax/state.h"

int tx_points_of(const struct world *w, const struct state *s, int seat)
{
    int points = s->done[seat] + s->won[seat] - s->held[seat];
    if (!w->option[VAR_CHOOSE])
        points += s->regained[seat] - set_count(s->marker[seat]);
    return points;
}

/* Greater is better; who left or gave up comes last. */
static int standing(const struct world *w, const struct state *s, int seat)
{
    int tie = 0;
    if (w->option[OPT_TIE] == TIE_CHEQUES)
        tie = s->cheques[seat];
    else if (w->option[OPT_TIE] == TIE_MARKERS)
        tie = s->regained[seat];
    bool last = (s->out | s->barred) >> seat & 1;
    return tx_points_of(w, s, seat) * 256 + tie - (last ? 1 << 20 : 0);
}

void terrax_result(const struct world *w, const struct state *s,
                   struct result *r)
{
    int rank[SEATS];
    memset(r, 0, sizeof *r);
    r->reason = s->phase == PHASE_OVER ? s->reason : ENDING_NONE;
    for (int seat = 0; seat < w->seats; seat++) {
        rank[seat] = standing(w, s, seat);
        r->points[seat] = tx_points_of(w, s, seat);
    }
    for (int seat = 0; seat < w->seats; seat++) {
        r->place[seat] = 1;
        for (int other = 0; other < w->seats; other++)
            r->place[seat] += rank[other] > rank[seat];
    }
}
