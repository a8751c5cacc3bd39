/* server/rating.c: how good somebody is, from games of several players.
 *
 * Weng and Lin, "A Bayesian approximation method for online ranking" (2011),
 * algorithm 4 (Plackett-Luce), teams of one.  A player is a bell curve with
 * centre mu and width sigma; equal places share. */
#include "server/hub.h"

#include <math.h>

static const double first_mu = 25, first_sigma = 25.0 / 3, beta = 25.0 / 6,
                    least = 0.0001;

struct rating rating_first(void)
{
    return (struct rating){first_mu, first_sigma, 0, 0};
}

void rating_update(struct rating *ratings, const int *places, int count)
{
    double variance = 0, strength[GAME_SEATS], sum[GAME_SEATS];
    int sharing[GAME_SEATS];
    for (int i = 0; i < count; i++)
        variance += ratings[i].sigma * ratings[i].sigma + beta * beta;
    double c = sqrt(variance);
    for (int i = 0; i < count; i++)
        strength[i] = exp(ratings[i].mu / c);
    for (int q = 0; q < count; q++) {
        sum[q] = 0;
        sharing[q] = 0;
        for (int i = 0; i < count; i++) {
            sum[q] += places[i] >= places[q] ? strength[i] : 0;
            sharing[q] += places[i] == places[q];
        }
    }
    for (int i = 0; i < count; i++) {
        double omega = 0, delta = 0, sigma = ratings[i].sigma;
        for (int q = 0; q < count; q++) {
            if (places[q] > places[i])
                continue;
            double share = strength[i] / sum[q];
            omega += ((q == i ? 1 : 0) - share) / sharing[q];
            delta += share * (1 - share) / sharing[q];
        }
        omega *= sigma * sigma / c;
        delta *= sigma / c * sigma * sigma / (c * c);
        ratings[i].mu += omega;
        ratings[i].sigma *= sqrt(1 - delta > least ? 1 - delta : least);
        ratings[i].games++;
    }
}
