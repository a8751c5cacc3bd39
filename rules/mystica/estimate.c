/* rules/mystica/estimate.c: hints for searches.
 *
 * Expected final points: what the end scoring would give now, and a price for
 * everything that still earns points in the rounds to come.  The prices follow
 * what strong players' games showed; none is exact. */
#include "rules/mystica/mystica.h"

/* Thousandths of a point, first round to last. */
static const int16_t coin[7] = {450, 450, 450, 450, 450, 420, 330};
static const int16_t worker[7] = {900, 900, 900, 850, 800, 700, 330};
static const int16_t priest[7] = {3000, 3000, 3000, 2900, 2800, 2600, 400};
static const int16_t second[7] = {500, 500, 500, 500, 450, 400, 160};
static const int16_t third[7] = {1100, 1100, 1100, 1200, 1250, 1200, 330};
static const int16_t structure[PIECES] = {0,    2500, 3500, 5000,
                                          4500, 7500, 2000};
static const int16_t cluster_power[7] = {1800, 1800, 1700, 1500,
                                         1400, 1200, 600};

static int rounds_left(const struct state *s)
{
    return s->phase == PHASE_OVER ? 0 : ROUNDS - max_int(s->round, 1);
}

static int purse_worth(const struct state *s, const struct seat *p)
{
    int r = min_int(s->round, ROUNDS);
    return p->coins * coin[r] + p->workers * worker[r] +
           (p->priests + p->unlock_due) * priest[r] + p->bowl[1] * second[r] +
           p->bowl[2] * third[r];
}

static int income_worth(const struct state *s, int seat)
{
    struct income sum = income_sum(s, seat);
    int rounds = rounds_left(s);
    return rounds * (sum.coins * 330 + sum.workers * 700 + sum.priests * 2000 +
                     sum.power * 350);
}

/* Structures open income, points when passing, and the network. */
static int structure_worth(const struct state *s, const struct seat *p)
{
    int sum = 0;
    for (int piece = DWELLING; piece < PIECES; piece++)
        sum += p->count[piece] * structure[piece];
    return sum * (rounds_left(s) + 2) / 7;
}

static int best_cluster(const struct world *w, const struct state *s, int seat)
{
    int best = 0;
    struct cells left = s->seat[seat].own;
    while (!cells_none(left)) {
        struct cells rest = left;
        struct cells part = cluster(w, s, seat, cells_take(&rest), -1);
        int power, structures;
        left = cells_without(left, part);
        struct cells first = part;
        if (s->town[cells_take(&first)])
            continue;
        cluster_size(s, seat, part, &power, &structures);
        best = max_int(best, min_int(power, 7));
    }
    return best * cluster_power[min_int(s->round, ROUNDS)];
}

static int favour_worth(const struct state *s, const struct seat *p)
{
    int rounds = rounds_left(s) + 1;
    return (has_favour(p, 5) ? 900 : 0) * rounds +
           (has_favour(p, 10) + has_favour(p, 11)) * 1500 * rounds +
           has_favour(p, 12) * 900 * rounds + has_favour(p, 6) * 500 * rounds;
}

/* Rights still to be used are worth about what they usually bring. */
static int right_worth(const struct seat *p)
{
    return p->favours_due * 6000 + p->towns_due * 8000 + p->steps_due * 600 +
           p->block_due * 600 + p->spades * 2000 + p->bridges_due * 1000 +
           p->tokens_due * 200 + p->ravens_due * 5000;
}

static int cult_worth(const struct state *s, const struct seat *p)
{
    int levels = 0;
    for (int track = 0; track < TRACKS; track++)
        levels += p->cult[track];
    return levels * (s->round < 4 ? 450 : 350) + p->keys * 900;
}

/* The end scoring as it stands counts little early, fully at the end. */
static int standing_worth(const struct state *s, const struct final_score *f,
                          int seat)
{
    int points = f->network[seat] + f->extra[seat];
    for (int track = 0; track < TRACKS; track++)
        points += f->cult[track][seat];
    return points * 1000 * (min_int(s->round, ROUNDS) + 1) / 8;
}

void mystica_estimate(const struct world *w, const struct state *s,
                      struct memo *m, int *milli)
{
    (void)m;
    struct final_score f;
    if (s->phase != PHASE_OVER)
        final_scores(w, s, &f);
    for (int seat = 0; seat < w->seats; seat++) {
        const struct seat *p = &s->seat[seat];
        milli[seat] = p->vp * 1000;
        if (s->phase == PHASE_OVER || p->faction == NO_FACTION)
            continue;
        milli[seat] += purse_worth(s, p) + income_worth(s, seat) +
                       structure_worth(s, p) + best_cluster(w, s, seat) +
                       favour_worth(s, p) + right_worth(p) + cult_worth(s, p) +
                       standing_worth(s, &f, seat) + p->ship * 1200;
    }
}
