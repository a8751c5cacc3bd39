/* tools/mystica-train.c: improves the habits by self-play.
 *
 * Every round shifts all numbers at random, each up or down, and lets two
 * seats that follow the shifted habits play against two that follow the
 * opposite ones, on several set-ups and with places swapped.  Then all move a
 * little towards those that got more points (simultaneous perturbation).  The
 * same command gives the same numbers. */
#include "base/rng.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NUMBERS = sizeof(struct habits) / sizeof(int16_t),
    SEATED = 4,
    DEALS = 6 /* set-ups of one round, each played twice */
};

struct trainer {
    double value[NUMBERS], shift[NUMBERS];
    int sign[NUMBERS];
    struct world plus, minus;
    struct state state;
    action list[GAME_ACTIONS];
    int milli[GAME_ACTIONS];
    uint64_t seed;
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

static int next_seat(struct trainer *t, int *count)
{
    unsigned must, may;
    flow_turn(&t->plus, &t->state, &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = mystica_legal(&t->plus, &t->state, seat, t->list);
        if (*count)
            return seat;
    }
    return SEAT_NONE;
}

static action choose(struct trainer *t, struct rng *r, unsigned plus, int seat,
                     int count)
{
    const struct world *w = plus >> seat & 1 ? &t->plus : &t->minus;
    int best = 0;
    if (t->state.phase == PHASE_PICK)
        return t->list[rng_below(r, count)];
    mystica_habit(w, &t->state, seat, t->list, count, t->milli);
    for (int i = 1; i < count; i++)
        if (t->milli[i] > t->milli[best])
            best = i;
    return t->list[best];
}

/* Points of the seats in `plus` less those of the others. */
static int play_game(struct trainer *t, uint64_t seed, unsigned plus)
{
    struct habits habits[2] = {t->plus.habits, t->minus.habits};
    struct setup setup;
    struct fault fault;
    struct rng r;
    int count, seat, lead = 0;
    choose_setup(&setup, seed);
    if (!mystica_prepare(&t->plus, &setup, &fault))
        exit(1);
    t->minus = t->plus;
    t->plus.habits = habits[0];
    t->minus.habits = habits[1];
    mystica_start(&t->plus, &setup, &t->state);
    rng_seed(&r, seed);
    while ((seat = next_seat(t, &count)) != SEAT_NONE)
        mystica_apply(&t->plus, &t->state, seat,
                      choose(t, &r, plus, seat, count));
    for (seat = 0; seat < SEATED; seat++)
        lead += (plus >> seat & 1 ? 1 : -1) * t->state.seat[seat].vp;
    return lead;
}

static void set_habits(const struct trainer *t, struct habits *h, double along)
{
    int16_t number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        number[i] =
            (int16_t)lround(t->value[i] + along * t->sign[i] * t->shift[i]);
    memcpy(h, number, sizeof *h);
}

static void train_round(struct trainer *t, struct rng *r, double step)
{
    double lead = 0;
    for (int i = 0; i < NUMBERS; i++)
        t->sign[i] = rng_below(r, 2) ? 1 : -1;
    set_habits(t, &t->plus.habits, 1);
    set_habits(t, &t->minus.habits, -1);
    for (int i = 0; i < DEALS; i++) {
        t->seed++;
        lead += play_game(t, t->seed, 5) + play_game(t, t->seed, 10);
    }
    lead /= 4 * DEALS; /* of one seat in one game */
    for (int i = 0; i < NUMBERS; i++)
        t->value[i] += step * lead * t->sign[i] * t->shift[i];
}

static void begin(struct trainer *t, uint64_t seed)
{
    int16_t number[NUMBERS];
    memcpy(number, &mystica_habits, sizeof number);
    t->seed = seed << 32;
    for (int i = 0; i < NUMBERS; i++) {
        t->value[i] = number[i];
        t->shift[i] = 120 + 0.1 * abs(number[i]);
    }
    /* What a point is worth is told in smaller numbers. */
    int vp = offsetof(struct habits, vp) / sizeof(int16_t);
    for (int i = 0; i < 3; i++)
        t->shift[vp + i] = 40;
}

/* The points a seat with the trained habits is ahead of one that has those
 * it began with. */
static double progress(struct trainer *t)
{
    int lead = 0, games = 100;
    set_habits(t, &t->plus.habits, 0);
    t->minus.habits = mystica_habits;
    for (int i = 0; i < games; i++)
        lead += play_game(t, 1000 + (uint64_t)i / 2, i % 2 ? 10 : 5);
    return lead / 2.0 / games;
}

static void tell(const struct trainer *t)
{
    for (int i = 0; i < NUMBERS; i++)
        printf("%ld%c", lround(t->value[i]), i % 12 == 11 ? '\n' : ' ');
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct trainer t;
    struct rng r;
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    if (rounds < 1 || argc > 3) {
        fputs("Usage: mystica-train ROUNDS [SEED]\n"
              "Prints habits better than those of rules/mystica/habits.c, in "
              "the order of struct habits.\n",
              stderr);
        return 2;
    }
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    begin(&t, seed);
    rng_seed(&r, seed);
    for (int i = 0; i < rounds; i++) {
        train_round(&t, &r, 0.005 * (1 - 0.7 * i / rounds));
        if ((i + 1) % 500 == 0 || i + 1 == rounds)
            fprintf(stderr, "%d of %d rounds, %+.1f points a game\n", i + 1,
                    rounds, progress(&t));
    }
    tell(&t);
    return 0;
}
