/* cli/tune.c: `terra tune` finds better weights for a game's estimate() by
 * play: simultaneous perturbation (SPSA).
 *
 * Every round shifts all weights at random, each up or down by some percent,
 * and plays an opening in both seatings between the two opposite shifts; the
 * weights then move a little towards the winner.  The same command gives the
 * same weights. */
#include "cli/contest.h"

#include "base/rng.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WEIGHTS = 32 };

struct asked {
    struct request request;
    const char *game, *bot, *weights;
    int rounds;
    double shift, step;
};

enum { KEY_ROUNDS = 0x300, KEY_BOT, KEY_WEIGHTS, KEY_SHIFT, KEY_STEP };

static const struct argp_option options[] = {
    {"weights", KEY_WEIGHTS, "LIST", 0, TR("where to begin: \"3000 2000 ...\""),
     0},
    {"rounds", KEY_ROUNDS, "N", 0, TR("two games each (default 100)"), 0},
    {"bot", KEY_BOT, "BOT", 0, TR("who plays (default master:200)"), 0},
    {"shift", KEY_SHIFT, "PERCENT", 0, TR("how far to look (default 15)"), 0},
    {"step", KEY_STEP, "PERCENT", 0, TR("how far to move (default 3)"), 0},
    {0, 0, 0, 0, 0, 0},
};

static double need_percent(const char *text)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end || !(percent > 0 && percent <= 90))
        die(STATUS_USAGE, "'%s' is no percentage up to 90", text);
    return percent / 100;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra tune", &a->request);
    case KEY_WEIGHTS:
        a->weights = text;
        return 0;
    case KEY_ROUNDS:
        a->rounds = need_number("number of rounds", text, 1, 1000000);
        return 0;
    case KEY_BOT:
        a->bot = text;
        return 0;
    case KEY_SHIFT:
        a->shift = need_percent(text);
        return 0;
    case KEY_STEP:
        a->step = need_percent(text);
        return 0;
    case ARGP_KEY_ARG:
        if (a->game)
            die(STATUS_USAGE, "one game at a time, not also '%s'", text);
        a->game = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp tune_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Finds better weights for the hints of a game by play against "
            "itself."),
         TR("Each line tells the round and the weights so far; the last one "
            "is the result, to be tried with terra arena --seats "
            "master/weights=A+B+...,master/weights=hand.")),
    request_children,
    help_words,
    0,
};

struct tuning {
    double weight[WEIGHTS];
    int sign[WEIGHTS];
    int count;
    double shift;
};

static void read_weights(struct tuning *t, const char *text)
{
    struct span rest = span_of(text), word;
    while ((word = span_word(&rest)).length > 0) {
        long number;
        if (t->count == WEIGHTS || !span_int(word, 0, 1000000, &number))
            die(STATUS_USAGE, "--weights '%s' are no whole numbers", text);
        t->weight[t->count++] = (double)number;
    }
    if (t->count == 0)
        die(STATUS_USAGE, "which weights?  say --weights \"3000 2000 ...\"");
}

/* The weights shifted along their signs, or against them. */
static void write_weights(const struct tuning *t, double along, char *to,
                          size_t cap)
{
    struct text out = text_begin(to, cap);
    for (int i = 0; i < t->count; i++) {
        text_put(&out, i ? " " : "");
        text_int(&out,
                 lround(t->weight[i] * (1 + along * t->shift * t->sign[i])));
    }
    text_end(&out);
}

/* Share of wins of the first over both seatings, with the points as a little
 * extra, since they tell more than a win alone; 0 is even. */
static double play_round(struct contest *c, const struct tuning *t, int round)
{
    struct contest_result r;
    double sum = 0;
    write_weights(t, 1, c->by[0].weights, CONTEST_WEIGHTS);
    write_weights(t, -1, c->by[1].weights, CONTEST_WEIGHTS);
    for (int i = 0; i < 2; i++) {
        if (!contest_play(c, 2 * round + i, NULL, &r))
            exit(STATUS_USAGE);
        double lead = r.points[0] - r.points[1];
        sum += result_share(&r, 2, 0) - 0.5 + lead / (40 + fabs(lead)) / 2;
    }
    return sum / 2;
}

static void tune(struct contest *c, struct tuning *t, const struct asked *a)
{
    struct rng rng;
    char line[CONTEST_WEIGHTS];
    rng_seed(&rng, c->seed + 1);
    for (int round = 0; round < a->rounds; round++) {
        /* Both fade, as the theory of the method wants it. */
        double fade = 1 / (1 + 3.0 * round / a->rounds);
        t->shift = a->shift * (0.5 + fade / 2);
        for (int i = 0; i < t->count; i++)
            t->sign[i] = rng_below(&rng, 2) ? 1 : -1;
        double won = play_round(c, t, round);
        for (int i = 0; i < t->count; i++)
            t->weight[i] *= 1 + a->step * fade * won * t->sign[i];
        write_weights(t, 0, line, sizeof line);
        printf("%d: %s\n", round + 1, line);
        fflush(stdout);
    }
}

int cmd_tune(int argc, char **argv)
{
    struct asked asked = {
        .bot = "master:200", .rounds = 100, .shift = 0.15, .step = 0.03};
    struct contest c = {.seats = 2, .limit = 100000, .opening = 4};
    struct tuning t = {0};
    struct buffer given = {0};
    if (!command_line(&tune_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    c.game = need_game(asked.game);
    read_weights(&t, asked.weights ? asked.weights : "");
    for (int i = 0; i < c.seats; i++)
        contestant_read(&c.by[i], asked.bot, strlen(asked.bot));
    request_setup(&asked.request, c.game, &c.setup, &given);
    c.seed = c.setup.seed;
    c.setup.seats = 2;
    tune(&c, &t, &asked);
    buffer_release(&given);
    return STATUS_OK;
}
