/* tools/mystica-train.c: finds the habits by self-play, from the numbers of
 * tools/mystica-start.c.
 *
 * Four seats follow the habits, each choosing at random by how usual its
 * actions are.  Afterwards what a seat chose becomes more usual if it got more
 * points than was to be expected, and less usual if it got fewer (policy
 * gradient).  To be expected is what its faction usually gets, corrected by
 * what the position was worth when the round began and by half of what the
 * others got: luck of the set-up should not count.  Prints
 * rules/mystica/habits.c; the same command gives the same numbers. */
#include "base/rng.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NUMBERS = HABIT_NUMBERS,
    SEATED = 4,
    BATCH = 250,  /* games between two changes */
    HEAT = 300,   /* so much more usual is e times as often chosen */
    CHECKS = 1000 /* games that tell the progress, of a long run */
};

extern const struct habits mystica_start_habits; /* mystica-start.c */

/* A mean that forgets. */
struct mean {
    double sum, weight;
};

static void mean_add(struct mean *m, double x)
{
    m->sum = m->sum * 0.9995 + x;
    m->weight = m->weight * 0.9995 + 1;
}

static double mean_of(const struct mean *m)
{
    return m->weight > 0 ? m->sum / m->weight : 0;
}

struct trainer {
    double value[NUMBERS], slope[NUMBERS], square[NUMBERS], sum[NUMBERS];
    double unit[NUMBERS]; /* how far a number moves at most, first of all */
    double total[NUMBERS];
    int totals;
    /* Of the game in progress: what made choices more usual, by round. */
    float pull[SEATED][ROUNDS + 1][NUMBERS];
    double lead[SEATED][ROUNDS + 1];
    struct mean points[FACTIONS], before[FACTIONS][ROUNDS + 1];
    struct mean both[ROUNDS + 1], spread[ROUNDS + 1];
    struct world world, other;
    struct state state;
    struct habit_tape tape;
    action list[GAME_ACTIONS];
    int milli[GAME_ACTIONS];
    double chance[GAME_ACTIONS];
};

/* All factions and maps are met; a third of the games knows Fire & Ice. */
static void choose_setup(struct setup *setup, uint64_t seed)
{
    *setup = (struct setup){.seats = SEATED, .seed = seed};
    for (int i = 0; i < GAME_OPTIONS; i++)
        setup->option[i] = OPTION_UNSET;
    setup->option[OPT_MINI] = setup->option[OPT_SHIPPING_BONUS] = 1;
    setup->option[OPT_TEMPLE_TILE] = 1;
    if (seed % 3 == 0)
        setup->option[OPT_ICE] = setup->option[OPT_VOLCANO] =
            setup->option[OPT_VARIABLE] = 1;
    if (seed % 4 == 1)
        setup->option[OPT_MAP] = (int)(seed / 4 % 5);
}

static void start(struct trainer *t, uint64_t seed)
{
    const struct habits habits[2] = {t->world.habits, t->other.habits};
    struct setup setup;
    struct fault fault;
    choose_setup(&setup, seed);
    if (!mystica_prepare(&t->world, &setup, &fault))
        exit(1);
    t->other = t->world;
    t->world.habits = habits[0];
    t->other.habits = habits[1];
    mystica_start(&t->world, &setup, &t->state);
}

static int next_seat(struct trainer *t, int *count)
{
    unsigned must, may;
    flow_turn(&t->world, &t->state, &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = mystica_legal(&t->world, &t->state, seat, t->list);
        if (*count)
            return seat;
    }
    return SEAT_NONE;
}

static int most_usual(const struct trainer *t, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (t->milli[i] > t->milli[best])
            best = i;
    return best;
}

/* ---- one game, and what to learn from it ---- */

static int draw(struct trainer *t, struct rng *r, int count)
{
    double sum = 0, left;
    int top = t->milli[most_usual(t, count)], last = 0;
    for (int i = 0; i < count; i++) {
        double gap = (t->milli[i] - top) / (double)HEAT;
        t->chance[i] = gap < -9 ? 0 : exp(gap);
        sum += t->chance[i];
    }
    left = rng_below(r, 1 << 24) * sum / (1 << 24);
    for (int i = 0; i < count; i++) {
        if (t->chance[i] > 0 && left >= 0)
            last = i;
        left -= t->chance[i];
        t->chance[i] /= sum;
    }
    return last;
}

static void add_notes(const struct trainer *t, float *pull, float *shift, int i,
                      double times)
{
    for (int k = t->tape.from[i]; k < t->tape.to[i]; k++) {
        int number = t->tape.number[k];
        float more = (float)(times * t->tape.times[k]);
        if (number < NUMBERS)
            pull[number] += more;
        else
            shift[number - NUMBERS] += more;
    }
}

/* All facts bear on a choice. */
static void add_facts(const struct trainer *t, float *pull, const float *shift)
{
    float *when = pull + offsetof(struct habits, when) / sizeof(int16_t);
    for (int i = 0; i < FACTS; i++)
        for (int k = 0; t->tape.fact[i] && k < CHOICES; k++)
            when[i * CHOICES + k] += (float)t->tape.fact[i] * shift[k];
}

static action choose(struct trainer *t, struct rng *r, int seat, int count)
{
    if (t->state.phase == PHASE_PICK || count == 1)
        return t->list[rng_below(r, count)];
    t->tape.count = 0;
    mystica_habit_noted(&t->world, &t->state, seat, t->list, count, t->milli,
                        &t->tape);
    int chosen = draw(t, r, count);
    float *pull = t->pull[seat][t->state.round];
    float shift[CHOICES] = {0};
    for (int i = 0; i < count; i++) {
        double times = (i == chosen) - t->chance[i];
        if (fabs(times) > 1e-4)
            add_notes(t, pull, shift, i, times / HEAT);
    }
    add_facts(t, pull, shift);
    return t->list[chosen];
}

static double rivals_of(const double *of, int seat)
{
    double sum = 0;
    for (int other = 0; other < SEATED; other++)
        sum += other != seat ? of[other] : 0;
    return sum / (SEATED - 1);
}

/* What the position is worth to each seat when a round begins. */
static void look_ahead(struct trainer *t)
{
    int milli[GAME_SEATS];
    double worth[SEATED];
    mystica_estimate(&t->world, &t->state, NULL, milli);
    for (int seat = 0; seat < SEATED; seat++)
        worth[seat] = milli[seat] / 1000.0;
    for (int seat = 0; seat < SEATED; seat++)
        t->lead[seat][t->state.round] =
            worth[seat] - rivals_of(worth, seat) / 2;
}

static void learn_game(struct trainer *t)
{
    double extra[SEATED];
    for (int seat = 0; seat < SEATED; seat++) {
        const struct seat *p = &t->state.seat[seat];
        extra[seat] = p->vp - mean_of(&t->points[p->faction]);
        mean_add(&t->points[p->faction], p->vp);
    }
    for (int seat = 0; seat < SEATED; seat++)
        for (int round = 0; round <= ROUNDS; round++) {
            double got = extra[seat] - rivals_of(extra, seat) / 2;
            struct mean *m = &t->before[t->state.seat[seat].faction][round];
            double ahead = t->lead[seat][round] - mean_of(m);
            double by = mean_of(&t->spread[round]);
            by = by > 0 ? mean_of(&t->both[round]) / by : 0;
            mean_add(m, t->lead[seat][round]);
            mean_add(&t->both[round], got * ahead);
            mean_add(&t->spread[round], ahead * ahead);
            for (int i = 0; i < NUMBERS; i++)
                t->slope[i] += (got - by * ahead) * t->pull[seat][round][i];
        }
}

static void play_and_learn(struct trainer *t, uint64_t seed)
{
    struct rng r;
    int count, seat, round = -1;
    start(t, seed);
    rng_seed(&r, seed);
    memset(t->pull, 0, sizeof t->pull);
    memset(t->lead, 0, sizeof t->lead);
    while ((seat = next_seat(t, &count)) != SEAT_NONE) {
        if (t->state.round != round && t->state.round > 0)
            look_ahead(t);
        round = t->state.round;
        mystica_apply(&t->world, &t->state, seat, choose(t, &r, seat, count));
    }
    learn_game(t);
}

/* ---- changing the numbers ---- */

static void set_habits(const double *value, struct habits *h)
{
    int16_t number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        number[i] = (int16_t)lround(fmax(-20000, fmin(20000, value[i])));
    memcpy(h, number, sizeof *h);
}

/* Steps as large as the slope is certain (Adam). */
static void move(struct trainer *t, int turn, double step)
{
    double early = 1 - pow(0.9, turn), soon = 1 - pow(0.99, turn);
    for (int i = 0; i < NUMBERS; i++) {
        double slope = t->slope[i] / BATCH;
        t->sum[i] = 0.9 * t->sum[i] + 0.1 * slope;
        t->square[i] = 0.99 * t->square[i] + 0.01 * slope * slope;
        if (t->square[i] > 0)
            t->value[i] += step * t->unit[i] * (t->sum[i] / early) /
                           sqrt(t->square[i] / soon);
        t->slope[i] = 0;
    }
}

static void train_turn(struct trainer *t, uint64_t *seed, int turn, int turns)
{
    set_habits(t->value, &t->world.habits);
    for (int i = 0; i < BATCH; i++)
        play_and_learn(t, (*seed)++);
    move(t, turn, 1 - 0.8 * turn / turns);
    if (2 * turn < turns)
        return;
    t->totals++;
    for (int i = 0; i < NUMBERS; i++)
        t->total[i] += t->value[i];
}

static void begin(struct trainer *t)
{
    int16_t number[NUMBERS];
    memcpy(number, &mystica_start_habits, sizeof number);
    for (int i = 0; i < NUMBERS; i++) {
        t->value[i] = number[i];
        t->unit[i] = 16;
    }
    /* Numbers that count several times move less. */
    int from = offsetof(struct habits, vp) / sizeof(int16_t);
    for (int i = 0; i < ROUNDS + 3 * SCORED; i++)
        t->unit[from + i] = 6;
    from = offsetof(struct habits, worker_left) / sizeof(int16_t);
    for (int i = 0; i < 5 * ROUNDS; i++)
        t->unit[from + i] = 6;
    from = offsetof(struct habits, when) / sizeof(int16_t);
    for (int i = 0; i < FACTS * CHOICES; i++)
        t->unit[from + i] = i < COUNTS * CHOICES ? 1 : 2.5;
}

/* ---- progress ---- */

/* Points of one game in which the seats of `ours` have the new habits; the
 * others have those that training began with. */
static void play_game(struct trainer *t, uint64_t seed, unsigned ours,
                      int vp[SEATED])
{
    struct rng r;
    int count, seat;
    start(t, seed);
    rng_seed(&r, seed);
    while ((seat = next_seat(t, &count)) != SEAT_NONE) {
        const struct world *w = ours >> seat & 1 ? &t->world : &t->other;
        mystica_habit(w, &t->state, seat, t->list, count, t->milli);
        mystica_apply(
            &t->world, &t->state, seat,
            t->list[t->state.phase == PHASE_PICK ? rng_below(&r, count)
                                                 : most_usual(t, count)]);
    }
    for (seat = 0; seat < SEATED; seat++)
        vp[seat] = t->state.seat[seat].vp;
}

static void tell_progress(struct trainer *t, const double *value, int turn)
{
    int vp[SEATED], lead = 0, sum = 0, checks = turn < 100 ? 10 * turn : CHECKS;
    set_habits(value, &t->world.habits);
    t->other.habits = mystica_start_habits;
    for (int i = 0; i < checks; i++) {
        unsigned ours = i % 2 ? 10 : 5;
        play_game(t, 1000 + (uint64_t)i / 2, ours, vp);
        for (int seat = 0; seat < SEATED; seat++)
            lead += ours >> seat & 1 ? vp[seat] : -vp[seat];
        play_game(t, 900000 + (uint64_t)i, 15, vp);
        for (int seat = 0; seat < SEATED; seat++)
            sum += vp[seat];
    }
    fprintf(stderr, "%d turns: %+.2f points before, among themselves %.2f\n",
            turn, lead / 2.0 / checks, sum / (double)SEATED / checks);
}

/* ---- the result ---- */

static const int16_t *tell_numbers(const int16_t *from, const int *size)
{
    int count = size[0];
    putchar('{');
    for (int i = 0; i < count; i++) {
        if (size[1])
            from = tell_numbers(from, size + 1);
        else
            printf("%d", *from++);
        fputs(i + 1 < count ? ", " : "}", stdout);
    }
    return from;
}

#define FIELD(of, name, ...)                                                   \
    do {                                                                       \
        printf("." #name " = ");                                               \
        tell_numbers((const int16_t *)&(of)->name,                             \
                     (const int[]){__VA_ARGS__, 0});                           \
        puts(",");                                                             \
    } while (0)

static void tell_taste(const struct taste *t)
{
    puts("{");
    FIELD(t, like, HABITS);
    FIELD(t, favour, FAVOURS + 1);
    FIELD(t, card, CARDS + 1);
    FIELD(t, stronghold, 3);
    FIELD(t, sanctuary, 3);
    printf(".strength = %d},\n", t->strength);
}

static void tell(const struct habits *h, const char *command)
{
    printf("/* rules/mystica/habits.c: the numbers themselves, in the order of "
           "habits.h.\n *\n"
           " * They come from tools/mystica-start.c by self-play:\n *\n"
           " *     %s | clang-format\n */\n"
           "#include \"rules/mystica/tables.h\"\n\n"
           "const struct habits mystica_habits = {\n",
           command);
    FIELD(h, like, HABITS, ROUNDS);
    FIELD(h, vp, ROUNDS);
    FIELD(h, tile, SCORED, 3);
    FIELD(h, next, SCORED);
    FIELD(h, some, SCORED);
    FIELD(h, progress, 3);
    FIELD(h, part, 5, 8);
    FIELD(h, nth, COUNTED, 8, 3);
    FIELD(h, network, 3);
    FIELD(h, favour, FAVOURS + 1, 4);
    FIELD(h, town, TOWNS + 1, 3);
    FIELD(h, card, CARDS + 1, 4);
    FIELD(h, card_vp, 3);
    FIELD(h, worker_left, ROUNDS);
    FIELD(h, coin_left, ROUNDS);
    FIELD(h, priest_left, ROUNDS);
    FIELD(h, power_left, ROUNDS);
    FIELD(h, hold, SCORED);
    FIELD(h, burn, ROUNDS);
    FIELD(h, spend, 3, 3);
    FIELD(h, first, 7);
    FIELD(h, other, OTHERS);
    FIELD(h, fair_price, 2, ROUNDS);
    FIELD(h, leave, 3, 3);
    FIELD(h, link, 8, 3);
    puts(".taste = {");
    for (int i = 0; i < FACTIONS; i++)
        tell_taste(&h->taste[i]);
    puts("},");
    FIELD(h, when, FACTS, CHOICES);
    puts("};");
}

static void tell_result(struct trainer *t, int turns, int seed)
{
    char command[80];
    struct habits h;
    for (int i = 0; i < NUMBERS; i++)
        t->total[i] /= t->totals;
    tell_progress(t, t->total, turns);
    set_habits(t->total, &h);
    snprintf(command, sizeof command, "mystica-train %d %d", turns, seed);
    tell(&h, command);
}

int main(int argc, char **argv)
{
    static struct trainer t;
    int turns = argc > 1 ? atoi(argv[1]) : 0;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    uint64_t game = (uint64_t)seed << 32;
    if (turns < 1 || argc > 3) {
        fputs("Usage: mystica-train TURNS [SEED] | clang-format > habits.c\n"
              "Improves the numbers of mystica-start.c; a turn is 250 games.\n",
              stderr);
        return 2;
    }
    begin(&t);
    for (int turn = 1; turn <= turns; turn++) {
        train_turn(&t, &game, turn, turns);
        if (turn % 100 == 0)
            tell_progress(&t, t.value, turn);
    }
    tell_result(&t, turns, seed);
    return 0;
}
