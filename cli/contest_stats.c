/* cli/contest_stats.c: what the games of a contest say. */
#include "cli/contest.h"

#include <math.h>

double result_share(const struct contest_result *r, int seats, int i)
{
    int winners = 0;
    for (int k = 0; k < seats; k++)
        winners += r->place[k] == 1;
    return r->place[i] == 1 ? 1.0 / winners : 0.0;
}

void standing_of(const struct contest_result *r, int count, int seats, int i,
                 struct standing *out)
{
    uint64_t actions = 0, nodes = 0;
    double seconds = 0;
    *out = (struct standing){.games = count};
    for (int g = 0; g < count; g++) {
        double share = result_share(&r[g], seats, i);
        out->share += share;
        out->wins += share == 1.0;
        out->draws += share > 0 && share < 1.0;
        out->losses += share == 0;
        out->points += r[g].points[i];
        out->place += r[g].place[i];
        actions += r[g].actions[i];
        nodes += r[g].nodes[i];
        seconds += r[g].seconds[i];
    }
    double games = count ? count : 1, acts = actions ? (double)actions : 1;
    out->share /= games;
    out->points /= games;
    out->place /= games;
    out->ms = 1000 * seconds / acts;
    out->nodes = (double)nodes / acts;
}

/* Games with one opening depend on each other, so that the error comes from
 * their sums; an unfinished group does not count. */
struct score score_of(const struct contest_result *r, int count, int seats)
{
    struct score s = {0};
    for (int g = 0; g + seats <= count; g++) {
        if (r[g].game % seats != 0 ||
            r[g + seats - 1].game != r[g].game + seats - 1)
            continue;
        double sum = 0;
        for (int k = 0; k < seats; k++)
            sum += result_share(&r[g + k], seats, 0);
        sum /= seats;
        s.groups++;
        s.sum += sum;
        s.squares += sum * sum;
    }
    s.games = s.groups * seats;
    if (s.groups == 0) {
        s.mean = 1.0 / seats; /* anything may be */
        s.error = 1;
        return s;
    }
    s.mean = s.sum / s.groups;
    double variance = s.squares / s.groups - s.mean * s.mean;
    /* All groups alike say nothing about the spread: rule of three. */
    s.error = variance > 1e-9 && s.groups > 1
                  ? 1.96 * sqrt(variance / (s.groups - 1))
                  : 3.0 / (s.groups + 3.0);
    return s;
}

double elo_of(double share)
{
    if (share >= 0.9968)
        return ELO_MOST;
    if (share <= 0.0032)
        return -ELO_MOST;
    return -400 * log10(1 / share - 1) + 0.0; /* never minus nothing */
}

static double share_of(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double sprt_of(const struct score *s, double elo0, double elo1)
{
    double low = share_of(elo0), high = share_of(elo1);
    double n = s->groups;
    if (n < 2)
        return 0;
    /* Half a game of prior spread keeps early certainty in bounds. */
    double variance = (s->squares - n * s->mean * s->mean + 0.125) / n;
    return n * (high - low) * (2 * s->mean - low - high) / (2 * variance);
}
