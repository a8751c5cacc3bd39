/* tests/search/race_test.c: how the real bot decides where something is hidden,
 * seen from inside: turns that come to the same are planned once, and the race
 * of turns lets the better half go on. */
#include "tests/random.h"

/* Its steps are not told to anybody else. */
#include "search/plan.c" /* NOLINT(bugprone-suspicious-include) */

struct table {
    const struct game *game;
    struct world *world;
    struct state *now, *view;
    struct search *search;
};

/* A position of Terra-X amid a random game, with much to choose from. */
static void begin(struct table *t, struct rng *chance,
                  const struct search_bot *bot, int nodes)
{
    struct setup setup;
    struct fault f;
    action legal[GAME_ACTIONS];
    int count, seat;
    setup_init(t->game, &setup);
    setup.seats = 2;
    do {
        setup.seed = rng_next(chance);
        assert_true(t->game->prepare(t->world, &setup, &f));
        t->game->start(t->world, &setup, t->now);
        for (int i = 0; i < 40 || count < 12; i++) {
            seat =
                random_seat(t->game, t->world, t->now, chance, legal, &count);
            if (seat == SEAT_NONE)
                break;
            if (i < 40 || count < 12)
                t->game->apply(t->world, t->now, seat,
                               legal[rng_below(chance, count)]);
        }
    } while (seat == SEAT_NONE);
    seat = random_seat(t->game, t->world, t->now, chance, legal, &count);
    t->game->observe(t->world, t->now, seat, t->view);
    size_t bytes = search_size(t->game, bot, nodes);
    t->search = search_open(malloc(bytes), bytes, t->game, t->world, t->view,
                            seat, bot, nodes, rng_next(chance));
    assert_non_null(t->search);
}

static int table_open(void **state)
{
    struct table *t = calloc(1, sizeof *t);
    t->game = rules_find("terrax");
    t->world = malloc(t->game->world_size);
    t->now = malloc(t->game->state_size);
    t->view = malloc(t->game->state_size);
    *state = t;
    return 0;
}

static int table_close(void **state)
{
    struct table *t = *state;
    free(t->world);
    free(t->now);
    free(t->view);
    free(t);
    return 0;
}

/* ---- the same turn in another order ---- */

static void assert_different(const struct search *s, int first, int count)
{
    for (int i = first; i < first + count; i++)
        for (int k = first; k < i; k++)
            assert_true(s->game->hash(s->world, state_at(s, i)) !=
                        s->game->hash(s->world, state_at(s, k)));
}

/* Orders of actions that come to the same position are carried on once, though
 * the bot misjudges each of them in another way. */
static void test_orders(void **state)
{
    struct table *t = *state;
    struct rng chance = random_source(t->game, 31);
    int most = 0;
    for (int i = 0; i < test_scale(8, 40, 200); i++) {
        struct search_bot bot = *search_find("expert", 6);
        bot.blur = 900 * (1 + i % 2);
        begin(t, &chance, &bot, 100);
        struct search *s = t->search;
        int count = 1, half = s->wide;
        hidden_guess(s, 1);
        s->planner = s->seat;
        s->plans = 0;
        s->plans_most = PLANS;
        s->plan[0] = (struct plan){.length = 0};
        search_copy(s, state_at(s, 0), s->state);
        for (int k = 0; k < TURN && count > 0; k++) {
            int from = k % 2 ? half : 0, to = half - from;
            count = step(s, from, count, to, s->wide);
            assert_different(s, to, count);
            most = count > most ? count : most;
        }
        free(s);
    }
    assert_true(most > 40);
}

/* ---- the race ---- */

/* What stays after a round is no worse than what leaves it. */
static void check_leavers(const struct search *s, int before)
{
    assert_int_equal(s->racing, (before + 1) / 2);
    for (int i = 0; i < s->racing; i++)
        for (int k = s->racing; k < before; k++)
            assert_true(s->racer[i].sum >= s->racer[k].sum);
}

static void check_laps(const struct search *s)
{
    for (int i = 1; i < s->racing; i++)
        assert_int_equal(s->racer[i].runs, s->racer[0].runs);
    for (int i = s->racing; i < s->racers; i++)
        assert_true(s->racer[i].runs <= s->racer[0].runs);
}

/* Runs a search of so many nodes visit by visit; tells how many rounds were
 * run, and after how many visits each race was decided. */
static int run(struct search *s, int nodes, int *ends, int *heats)
{
    int rounds = 0;
    *heats = 0;
    while (search_nodes(s) < nodes && search_run(s, 1)) {
        int racing = s->racing, heat = s->heat;
        if (s->racers == 0 || racing == 0)
            continue;
        assert_true(racing <= s->racers);
        bool lap = s->lane == racing - 1, last = lap && s->laps == 1;
        if (!last)
            continue;
        if (!search_run(s, 1))
            break;
        if (s->heat > heat) {
            assert_true(racing <= 2);
            ends[(*heats)++] = search_nodes(s);
        } else if (racing > 2) {
            check_leavers(s, racing);
            check_laps(s);
            rounds++;
        }
    }
    return rounds;
}

/* A race for all its visits: half of the turns leave after each round. */
static void test_halves(void **state)
{
    struct table *t = *state;
    struct rng chance = random_source(t->game, 32);
    const struct search_bot *bot = search_find("expert", 6);
    int rounds = 0, ends[64], heats;
    for (int i = 0; i < test_scale(6, 20, 100); i++) {
        begin(t, &chance, bot, 300);
        rounds += run(t->search, 300, ends, &heats);
        assert_int_equal(heats, 0);
        assert_true(t->search->racing <= 2 || t->search->only);
        free(t->search);
    }
    assert_true(rounds > 6);
}

/* Stopped by a clock: race follows race, each with all turns, each of twice the
 * visits, and in each of them half of the turns leave after every round. */
static void test_movetime(void **state)
{
    struct table *t = *state;
    struct rng chance = random_source(t->game, 33);
    const struct search_bot *bot = search_find("club", 4);
    int rounds = 0, races = 0;
    for (int i = 0; i < test_scale(4, 12, 60); i++) {
        int ends[64], heats;
        begin(t, &chance, bot, 1000000);
        rounds += run(t->search, 20 * bot->worlds, ends, &heats);
        races += heats;
        for (int k = 1; k < heats; k++) {
            int visits = ends[k] - ends[k - 1], wanted = bot->worlds << k;
            assert_in_range(visits, wanted / 2, wanted + RACERS);
        }
        free(t->search);
    }
    print_message("# %d rounds in %d races\n", rounds, races);
    assert_true(races > 6);
    assert_true(rounds > 2 * races);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_movetime),
    };
    return cmocka_run_group_tests(tests, table_open, table_close);
}
