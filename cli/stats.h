/* cli/stats.h: what a set of games says. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "cli/cli.h"

enum { STATS_BINS = 48, STATS_STEPS = 1024, STATS_FACTIONS = 64 };

/* Numbers one by one; keeps them all, for quantiles and histograms. */
struct sample {
    double *value; /* owned */
    int count, room;
    double sum, squares;
};

void sample_add(struct sample *s, double value);
double sample_mean(const struct sample *s);
double sample_sd(const struct sample *s);
/* Half the width of the 95 % interval of the mean. */
double sample_error(const struct sample *s);
/* Sorts; the value below which `share` of all lie. */
double sample_quantile(struct sample *s, double share);

struct faction {
    char name[32];
    struct sample points, wins, place;
};

struct stats {
    const struct game *game;
    int seats, games;
    struct sample points[GAME_SEATS], wins[GAME_SEATS], all_points;
    struct sample margin; /* the winner's lead over the next */
    struct sample length, branching;
    double choices[STATS_STEPS]; /* by step: legal actions, and games there */
    int reached[STATS_STEPS];
    int endings[64];
    struct faction faction[STATS_FACTIONS];
    int factions;
};

/* stats_plot.c: a drawing of it all, as an SVG file. */
void stats_plot(struct stats *s, FILE *to);

#endif
