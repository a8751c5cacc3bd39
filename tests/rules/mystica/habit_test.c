/* tests/rules/mystica/habit_test.c: playing by habit is playing sensibly. */
#include "tests/random.h"

#include "rules/mystica/mystica.h"

struct table {
    struct world world;
    struct state now;
    action legal[GAME_ACTIONS];
    int milli[GAME_ACTIONS];
    struct rng chance;
};

static void open_table(struct table *t, const struct setup *setup)
{
    struct fault f;
    assert_true(mystica_game.prepare(&t->world, setup, &f));
    mystica_game.start(&t->world, setup, &t->now);
    rng_seed(&t->chance, setup->seed);
}

/* The most usual action; factions are drawn, so that all of them play. */
static action usual(struct table *t, int seat, int count)
{
    int best = 0;
    if (t->now.phase == PHASE_PICK || t->now.phase == PHASE_NOMINATE)
        return t->legal[rng_below(&t->chance, count)];
    mystica_habit(&t->world, &t->now, seat, t->legal, count, t->milli);
    for (int i = 1; i < count; i++)
        if (t->milli[i] > t->milli[best])
            best = i;
    return t->legal[best];
}

/* Darklings trade workers for priests without buying anything. */
static bool is_exchange(action a)
{
    return (act_kind(a) == DO_CONVERT && act_a(a) != W_TO_P) ||
           act_kind(a) == DO_BURN;
}

static bool ends_turn(action a)
{
    return act_kind(a) == DO_DONE || act_kind(a) == DO_PASS;
}

struct tally {
    int seats, points, rows, idle;
};

/* Counts exchanges behind which the turn ends without anything bought. */
static void play_on(struct table *t, struct tally *sum)
{
    bool exchanged[SEATS] = {0};
    int seat, count;
    while ((seat = random_seat(&mystica_game, &t->world, &t->now, &t->chance,
                               t->legal, &count)) != SEAT_NONE) {
        action a = usual(t, seat, count);
        sum->rows++;
        if (is_exchange(a)) {
            exchanged[seat] = true;
        } else {
            sum->idle += exchanged[seat] && ends_turn(a);
            exchanged[seat] = false;
        }
        mystica_game.apply(&t->world, &t->now, seat, a);
    }
    assert_int_equal(t->now.phase, PHASE_OVER);
    for (int i = 0; i < t->world.seats; i++)
        sum->points += t->now.seat[i].vp;
    sum->seats += t->world.seats;
}

/* Strong players get 139 in the first league, random ones 30. */
static void test_points(void **unused)
{
    struct table *t = malloc(sizeof *t);
    struct tally sum = {0};
    (void)unused;
    for (int game = 0; game < 40; game++) {
        struct setup setup;
        setup_init(&mystica_game, &setup);
        setup.seats = 4;
        setup.seed = (uint64_t)game + 1;
        open_table(t, &setup);
        play_on(t, &sum);
    }
    print_message("# %d.%d points a seat\n", sum.points / sum.seats,
                  sum.points * 10 / sum.seats % 10);
    assert_true(sum.points > 112 * sum.seats);
    assert_true(sum.idle * 1000 < sum.rows);
    free(t);
}

/* Every option, map, number of seats and special tile. */
static void test_everywhere(void **unused)
{
    struct table *t = malloc(sizeof *t);
    struct rng chance = random_source(&mystica_game, 9);
    struct tally sum = {0};
    (void)unused;
    for (int game = 0; game < test_scale(200, 1000, 20000); game++) {
        struct setup setup;
        random_setup(&mystica_game, 2 + game % 4, &chance, &setup);
        setup.option[OPT_COMPAT] = 0;
        struct fault f;
        if (!mystica_game.prepare(&t->world, &setup, &f))
            continue;
        open_table(t, &setup);
        play_on(t, &sum);
    }
    print_message("# %d rows, %d exchanges for nothing\n", sum.rows, sum.idle);
    assert_true(sum.seats > 300);
    assert_true(sum.idle * 1000 < sum.rows);
    free(t);
}

/* Judging changes nothing and knows every action of the list. */
static void test_pure(void **unused)
{
    struct table *t = malloc(sizeof *t);
    struct state before;
    struct setup setup;
    int seat, count;
    (void)unused;
    setup_init(&mystica_game, &setup);
    setup.seats = 3;
    setup.seed = 5;
    open_table(t, &setup);
    while ((seat = random_seat(&mystica_game, &t->world, &t->now, &t->chance,
                               t->legal, &count)) != SEAT_NONE) {
        before = t->now;
        for (int i = 0; i < count; i++)
            t->milli[i] = INT_MAX;
        mystica_habit(&t->world, &t->now, seat, t->legal, count, t->milli);
        assert_memory_equal(&before, &t->now, sizeof before);
        for (int i = 0; i < count; i++)
            assert_in_range(t->milli[i] + 100000, 1, 200000);
        action a = t->legal[rng_below(&t->chance, count)];
        mystica_game.apply(&t->world, &t->now, seat, a);
    }
    free(t);
}

/* A turn that was to make a volcano does not end before there is one, whatever
 * happened before: else it could go on so for ever. */
static void test_volcanoes(void **unused)
{
    struct table *t = malloc(sizeof *t);
    struct rng chance = random_source(&mystica_game, 14);
    int seat, count, open = 0;
    (void)unused;
    for (int game = 0; game < test_scale(300, 1000, 4000); game++) {
        struct setup setup;
        struct fault f;
        random_setup(&mystica_game, 2 + game % 4, &chance, &setup);
        if (!mystica_game.prepare(&t->world, &setup, &f))
            continue;
        open_table(t, &setup);
        while ((seat = random_seat(&mystica_game, &t->world, &t->now,
                                   &t->chance, t->legal, &count)) >= 0) {
            if (t->now.turn.work & WORK_VOLCANO && t->now.active == seat) {
                open++;
                assert_int_not_equal(act_kind(usual(t, seat, count)), DO_DONE);
            }
            action a = t->legal[rng_below(&t->chance, count)];
            mystica_game.apply(&t->world, &t->now, seat, a);
        }
    }
    print_message("# %d volcanoes to be made\n", open);
    assert_true(open > 10);
    free(t);
}

/* The number that a note is about; of those of a choice, one whose fact holds,
 * and how often. */
static int number_of(const struct habit_tape *tape, int noted, int *times)
{
    int when = offsetof(struct habits, when) / sizeof(int16_t);
    *times = 1;
    if (noted < HABIT_NUMBERS)
        return noted;
    for (int i = 0; i < FACTS; i++)
        if (tape->fact[i]) {
            *times = tape->fact[i];
            return when + i * CHOICES + noted - HABIT_NUMBERS;
        }
    *times = 0;
    return when + noted - HABIT_NUMBERS;
}

/* Training is told which numbers an action's worth comes from: who changes
 * one of them changes the worth by as much as was noted. */
static void test_notes(void **unused)
{
    struct table *t = malloc(sizeof *t);
    struct habit_tape *tape = malloc(sizeof *tape);
    int *noted = malloc(GAME_ACTIONS * sizeof *noted);
    int16_t *number = (int16_t *)&t->world.habits;
    struct setup setup;
    int seat, count, right = 0, wrong = 0;
    (void)unused;
    setup_init(&mystica_game, &setup);
    setup.seats = 4;
    setup.seed = 3;
    open_table(t, &setup);
    while ((seat = random_seat(&mystica_game, &t->world, &t->now, &t->chance,
                               t->legal, &count)) != SEAT_NONE) {
        tape->count = 0;
        mystica_habit(&t->world, &t->now, seat, t->legal, count, t->milli);
        mystica_habit_noted(&t->world, &t->now, seat, t->legal, count, noted,
                            tape);
        assert_memory_equal(noted, t->milli, (size_t)count * sizeof *noted);
        int i = rng_below(&t->chance, count), more = 0;
        if (tape->to[i] > tape->from[i]) {
            int first = tape->from[i], times;
            first += rng_below(&t->chance, tape->to[i] - first);
            int noted_first = tape->number[first];
            int changed = number_of(tape, noted_first, &times);
            for (int k = tape->from[i]; k < tape->to[i]; k++)
                more += tape->number[k] == noted_first ? tape->times[k] : 0;
            more *= times;
            number[changed] += 1;
            mystica_habit(&t->world, &t->now, seat, t->legal, count, t->milli);
            number[changed] -= 1;
            int gap = 1000 * (t->milli[i] - noted[i]) - more;
            right += abs(gap) <= 2000;
            wrong += abs(gap) > 2000;
        }
        mystica_game.apply(&t->world, &t->now, seat, usual(t, seat, count));
    }
    print_message("# %d notes right, %d wrong\n", right, wrong);
    assert_true(right > 100);
    assert_int_equal(wrong, 0);
    free(noted);
    free(tape);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points), cmocka_unit_test(test_everywhere),
        cmocka_unit_test(test_pure),   cmocka_unit_test(test_volcanoes),
        cmocka_unit_test(test_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
