/* tools/terrax-train.c: learns what the facts of rules/terrax/prospect.c are
 * worth from how games ended.
 *
 * In every round games are played by a bot of few visits among `greedy` ones
 * and its like, in the first one by points, then by what has been learned so
 * far.  Whenever a turn of that bot begins the facts are kept, and in the end
 * whether it won.  Then numbers are sought that tell the chance to win: a
 * logistic regression, by Newton's method.  Prints rules/terrax/learned.c; the
 * same command gives the same numbers. */
#include "base/rng.h"
#include "game/setup.h"
#include "rules/terrax/state.h"
#include "search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    VISITS = 60,   /* of the bot that is learned from, */
    WIDE = 96,     /* beginnings of its turns, */
    BEAM = 4,      /* and of those that follow */
    AHEAD = 2,     /* for so many rounds */
    STRAY = 25,    /* one action in so many is any of the best four */
    HELD_OUT = 10, /* one game in so many tells how good the fit is */
    STEPS = 12,
    CERTAIN = 3000 /* a lead that makes the odds e times as great */
};

#define DRAWN 10.0 /* towards nothing: as by so many samples */

/* ---- samples ---- */

struct sample {
    bool held_out;
    int seat;
    float won; /* a share */
    int fact[FACTS];
};

struct trainer {
    struct world world;
    struct state state, view;
    struct search_bot bot, rival;
    struct search *search[SEATS];
    void *memory[SEATS];
    size_t bytes;
    struct rng rng;
    struct sample *sample;
    int samples, most;
};

static struct sample *new_sample(struct trainer *t)
{
    if (t->samples == t->most) {
        t->most = t->most ? 2 * t->most : 1 << 14;
        t->sample = realloc(t->sample, (size_t)t->most * sizeof *t->sample);
        if (!t->sample)
            exit(1);
    }
    return &t->sample[t->samples++];
}

/* ---- games ---- */

/* Mostly what is played most; the others so that nothing is told wrongly
 * there.  `bots` of the seats are the bot. */
static const struct table {
    int seats, bots;
} tables[] = {{4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {4, 4}, {2, 1}, {4, 1},
              {4, 1}, {4, 1}, {4, 1}, {4, 1}, {3, 1}, {4, 2}, {5, 1}, {6, 1}};

static action choose(struct trainer *t, int seat, const struct search_bot *bot,
                     uint64_t seed)
{
    struct search_choice top[4];
    struct search **s = &t->search[seat];
    terrax_observe(&t->world, &t->state, seat, &t->view);
    if (*s)
        search_play(*s, &t->view, seat);
    else
        *s = search_open(t->memory[seat], t->bytes, &terrax_game, &t->world,
                         &t->view, seat, bot, 0,
                         rng_mix(seed + (uint64_t)seat + 1));
    while (search_run(*s, 1000))
        ;
    if (bot == &t->bot && rng_below(&t->rng, STRAY) == 0) {
        int count = search_top(*s, top, 4);
        if (count > 1)
            return top[rng_below(&t->rng, count)].action;
    }
    return search_best(*s);
}

static void start(struct trainer *t, int seats, uint64_t seed)
{
    static action list[GAME_ACTIONS];
    struct setup setup;
    struct fault f;
    int learned[FACTS];
    memcpy(learned, t->world.learned, sizeof learned);
    setup_init(&terrax_game, &setup);
    setup.seats = seats;
    setup.seed = rng_mix(seed);
    rng_seed(&t->rng, seed);
    if (!terrax_prepare(&t->world, &setup, &f))
        exit(1);
    memcpy(t->world.learned, learned, sizeof learned);
    terrax_start(&t->world, &setup, &t->state);
    memset(t->search, 0, sizeof t->search);
    for (int i = 0; i < 2 * seats; i++) { /* as in the arena */
        int seat = t->state.seat;
        int count = terrax_legal(&t->world, &t->state, seat, list);
        terrax_apply(&t->world, &t->state, seat,
                     list[rng_below(&t->rng, count)]);
    }
}

/* Who won is known to the samples from `first` on. */
static void end(struct trainer *t, int first, bool held_out)
{
    struct result r;
    int winners = 0;
    terrax_result(&t->world, &t->state, &r);
    for (int seat = 0; seat < t->world.seats; seat++)
        winners += r.place[seat] == 1;
    for (int i = first; i < t->samples; i++) {
        struct sample *x = &t->sample[i];
        x->held_out = held_out;
        x->won = r.place[x->seat] == 1 ? 1.0f / (float)winners : 0.0f;
    }
}

static void play(struct trainer *t, int number, uint64_t seed)
{
    const int kinds = sizeof tables / sizeof *tables;
    const struct table *kind = &tables[number % kinds];
    struct state *s = &t->state;
    int first = t->samples, turn = number / kinds;
    start(t, kind->seats, seed);
    while (s->phase != PHASE_OVER) {
        int seat = s->seat;
        bool is_bot = (seat + turn) % kind->seats < kind->bots;
        if (is_bot && s->phase == PHASE_TURN && !s->acted) {
            struct sample *x = new_sample(t);
            x->seat = seat;
            tx_facts(&t->world, s, seat, x->fact);
        }
        terrax_apply(&t->world, s, seat,
                     choose(t, seat, is_bot ? &t->bot : &t->rival, seed));
    }
    end(t, first, number % HELD_OUT == HELD_OUT - 1);
}

/* ---- fitting ---- */

static double chance_of(const double *theta, const struct sample *x)
{
    double sum = 0;
    for (int i = 0; i < FACTS; i++)
        sum += theta[i] * x->fact[i];
    return 1 / (1 + exp(-sum));
}

/* Facts of all sizes are drawn alike. */
static void sizes(const struct trainer *t, double *size)
{
    for (int i = 0; i < FACTS; i++) {
        double sum = 1;
        for (int n = 0; n < t->samples; n++)
            sum += (double)t->sample[n].fact[i] * t->sample[n].fact[i];
        size[i] = sum / t->samples;
    }
}

/* Gauss: the matrix is positive, so no pivots are looked for. */
static void solve(double a[FACTS][FACTS], double *b)
{
    for (int k = 0; k < FACTS; k++)
        for (int i = k + 1; i < FACTS; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < FACTS; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (int k = FACTS - 1; k >= 0; k--) {
        for (int j = k + 1; j < FACTS; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

static void add_sample(const struct sample *x, double p, const bool *used,
                       double a[FACTS][FACTS], double *b)
{
    for (int i = 0; i < FACTS; i++) {
        if (!used[i] || x->fact[i] == 0)
            continue;
        b[i] += ((double)x->won - p) * x->fact[i];
        double weight = p * (1 - p) * x->fact[i];
        for (int j = 0; j < FACTS; j++)
            if (used[j])
                a[i][j] += weight * x->fact[j];
    }
}

/* The numbers of all facts that are used. */
static void fit(const struct trainer *t, const bool *used, double *theta)
{
    static double a[FACTS][FACTS];
    double b[FACTS], size[FACTS];
    sizes(t, size);
    memset(theta, 0, FACTS * sizeof *theta);
    for (int step = 0; step < STEPS; step++) {
        memset(a, 0, sizeof a);
        for (int i = 0; i < FACTS; i++) {
            a[i][i] = DRAWN * size[i];
            b[i] = -DRAWN * size[i] * theta[i];
        }
        for (int n = 0; n < t->samples; n++)
            if (!t->sample[n].held_out)
                add_sample(&t->sample[n], chance_of(theta, &t->sample[n]), used,
                           a, b);
        solve(a, b);
        for (int i = 0; i < FACTS; i++)
            theta[i] += b[i];
    }
}

/* ---- how good the fit is ---- */

static double surprise(const struct trainer *t, const double *theta)
{
    double sum = 0;
    int count = 0;
    for (int n = 0; n < t->samples; n++) {
        const struct sample *x = &t->sample[n];
        if (!x->held_out)
            continue;
        double p = chance_of(theta, x);
        sum -= (double)x->won * log(p) + (1 - (double)x->won) * log(1 - p);
        count++;
    }
    return count ? sum / count : 0;
}

static void learn(struct trainer *t, int round, double *theta)
{
    bool all[FACTS], lead[FACTS] = {[FACT_LEAD] = true};
    double by_lead[FACTS];
    for (int i = 0; i < FACTS; i++)
        all[i] = true;
    for (int i = FACT_SEATS; i < FACTS; i++)
        lead[i] = true;
    fit(t, lead, by_lead);
    fit(t, all, theta);
    fprintf(stderr,
            "round %d: %d samples; who won in games held out is a surprise "
            "of %.4f by the estimated lead, %.4f as learned\n",
            round, t->samples, surprise(t, by_lead), surprise(t, theta));
    for (int i = 0; i < FACTS; i++)
        t->world.learned[i] = (int)lround(1000 * CERTAIN * theta[i]);
}

/* ---- the numbers ---- */

static void tell(const struct trainer *t, int rounds, int games, int seed)
{
    printf("/* rules/terrax/learned.c: what the facts of prospect.c are worth, "
           "in\n"
           " * thousandths of a point.\n"
           " *\n"
           " * They come from games of bots:\n"
           " *\n"
           " *     terrax-train %d %d %d | clang-format\n"
           " */\n"
           "#include \"rules/terrax/state.h\"\n\n"
           "const int tx_learned[FACTS] = {",
           rounds, games, seed);
    for (int i = 0; i < FACTS; i++)
        printf("%d, ", t->world.learned[i]);
    puts("};");
}

static void begin(struct trainer *t)
{
    t->bot = *search_find("master", 6);
    t->rival = *search_find("greedy", 6);
    t->bot.worlds = VISITS;
    t->bot.style.wide = WIDE;
    t->bot.style.beam = BEAM;
    t->bot.style.ahead = AHEAD;
    t->bytes = search_size(&terrax_game, &t->bot, 0);
    size_t more = search_size(&terrax_game, &t->rival, 0);
    t->bytes = t->bytes < more ? more : t->bytes;
    for (int seat = 0; seat < SEATS; seat++)
        if (!(t->memory[seat] = malloc(t->bytes)))
            exit(1);
}

int main(int argc, char **argv)
{
    static struct trainer t;
    double theta[FACTS];
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    int games = argc > 2 ? atoi(argv[2]) : 0;
    int seed = argc > 3 ? atoi(argv[3]) : 1;
    if (rounds < 1 || games < 1 || argc > 4) {
        fputs("Usage: terrax-train ROUNDS GAMES [SEED] | clang-format > "
              "learned.c\n"
              "Learns the chance to win in Terra-X from games of bots.\n",
              stderr);
        return 2;
    }
    begin(&t);
    for (int round = 1; round <= rounds; round++) {
        uint64_t first = (uint64_t)seed << 32 | (uint64_t)round << 24;
        t.bot.style.wins = round > 1;
        for (int i = 0; i < games; i++)
            play(&t, i, first + (uint64_t)i);
        learn(&t, round, theta);
    }
    tell(&t, rounds, games, seed);
    return 0;
}
