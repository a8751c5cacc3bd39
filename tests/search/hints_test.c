/* tests/search/hints_test.c: rank() agrees with estimate() after the action,
 * for every game that has both. */
#include "tests/random.h"

static int lead(const int *milli, int seats, int seat)
{
    int rivals = 0;
    for (int other = 0; other < seats; other++)
        rivals += other != seat ? milli[other] : 0;
    return milli[seat] - rivals / (seats - 1);
}

struct agreement {
    int actions, near;
    int64_t off; /* thousandths, in all */
};

static void compare(const struct game *game, const struct world *w,
                    const struct state *s, int seats, int seat,
                    const action *legal, int count, struct agreement *a)
{
    static int rank[GAME_ACTIONS];
    struct state *after = malloc(game->state_size);
    game->rank(w, s, seat, legal, count, rank);
    for (int i = 0; i < count; i++) {
        int milli[GAME_SEATS] = {0};
        memcpy(after, s, game->state_size);
        game->apply(w, after, seat, legal[i]);
        game->estimate(w, after, milli);
        int off = rank[i] - lead(milli, seats, seat);
        a->actions++;
        a->near += off >= -400 && off <= 400;
        a->off += off < 0 ? -off : off;
    }
    free(after);
}

static void play(const struct game *game, int seats, struct rng *chance,
                 struct agreement *a)
{
    static action legal[GAME_ACTIONS];
    struct setup setup;
    struct fault f;
    int count, seat;
    struct world *w = malloc(game->world_size);
    struct state *s = malloc(game->state_size);
    setup_init(game, &setup);
    setup.seats = seats;
    setup.seed = rng_next(chance);
    assert_true(game->prepare(w, &setup, &f));
    game->start(w, &setup, s);
    while ((seat = random_seat(game, w, s, chance, legal, &count)) !=
           SEAT_NONE) {
        if (rng_below(chance, 8) == 0)
            compare(game, w, s, seats, seat, legal, count, a);
        game->apply(w, s, seat, legal[rng_below(chance, count)]);
    }
    free(w);
    free(s);
}

/* Terra Nova's ranks are leads, but for what ends the game out of turn;
 * Terra-X does not work out what a refill or a last card brings.  Other games
 * may rank by order alone. */
static void test_rank(void **state)
{
    (void)state;
    for (int g = 0; rules_games[g]; g++) {
        const struct game *game = rules_games[g];
        if (!game->rank || !game->estimate)
            continue;
        for (int seats = game->seats_min; seats <= game->seats_max; seats++) {
            struct rng chance = random_source(game, seats);
            struct agreement a = {0};
            for (int i = 0; i < test_scale(3, 20, 100); i++)
                play(game, seats, &chance, &a);
            print_message("# %s, %d seats: %d of %d near, %.3f off\n",
                          game->name, seats, a.near, a.actions,
                          (double)a.off / a.actions / 1000);
            if (strcmp(game->name, "nova") == 0)
                assert_true(a.near > a.actions * 0.99);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
