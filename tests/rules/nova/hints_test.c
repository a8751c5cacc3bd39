/* tests/rules/nova/hints_test.c: what the hints say does not depend on the
 * processor, by hand or learned, also where many pioneers stand together. */
#include "rules/nova/state.h"
#include "tests/random.h"

void both_portable_world(struct world *w); /* portable.c */

struct twins {
    const struct game *game;
    struct world *fast, *plain;
    struct state *now;
    int free; /* how often moves were counted */
};

static void assert_alike(const struct twins *p, int seats, int seat,
                         const action *legal, int count)
{
    static int fast[GAME_ACTIONS], plain[GAME_ACTIONS];
    p->game->estimate(p->fast, p->now, NULL, fast);
    p->game->estimate(p->plain, p->now, NULL, plain);
    assert_memory_equal(fast, plain, (size_t)seats * sizeof *fast);
    p->game->rank(p->fast, p->now, NULL, seat, legal, count, fast);
    p->game->rank(p->plain, p->now, NULL, seat, legal, count, plain);
    assert_memory_equal(fast, plain, (size_t)count * sizeof *fast);
}

/* Where nobody has moved yet, pioneers are as free as there are moves. */
static void assert_free(struct twins *p, int seat, const action *legal,
                        int count)
{
    int moves = 0;
    if (p->now->act != 1 || kind_of(legal[0]) != MOVE)
        return;
    BITS_EACH (hex, p->now->pioneers[seat])
        moves += moves_from(p->fast, p->now, hex);
    assert_int_equal(moves, count);
    p->free++;
}

static int play(struct twins *p, const struct setup *setup, struct rng *chance)
{
    static action legal[GAME_ACTIONS];
    struct fault f;
    int count, seat, actions = 0;
    if (!p->game->prepare(p->fast, setup, &f))
        return 0; /* some options do not go together */
    assert_true(p->game->prepare(p->plain, setup, &f));
    both_portable_world(p->plain);
    p->game->start(p->fast, setup, p->now);
    while ((seat = random_seat(p->game, p->fast, p->now, chance, legal,
                               &count)) != SEAT_NONE) {
        assert_alike(p, setup->seats, seat, legal, count);
        assert_free(p, seat, legal, count);
        p->game->apply(p->fast, p->now, seat, legal[rng_below(chance, count)]);
        actions++;
    }
    return actions;
}

static void same_everywhere(void **unused)
{
    const struct game *game = rules_find("nova");
    struct twins p = {game, malloc(game->world_size), malloc(game->world_size),
                      malloc(game->state_size), 0};
    struct rng chance = random_source(game, 16);
    int actions = 0;
    (void)unused;
    for (int i = 0; i < test_scale(12, 60, 400); i++) {
        struct setup setup;
        random_setup(game, 2 + i % 3, &chance, &setup);
        setup.given = i % 2 ? "weights: hand\n" : NULL;
        actions += play(&p, &setup, &chance);
    }
    print_message("# %d actions ranked alike\n", actions);
    assert_true(actions > 100);
    assert_true(p.free > 30);
    free(p.fast);
    free(p.plain);
    free(p.now);
}

/* ---- crowds ---- */

/* How far yellow is ahead of red by what was learned. */
static int lead_of(const char *given)
{
    const struct game *game = rules_find("nova");
    struct world *w = malloc(game->world_size);
    struct state *s = malloc(game->state_size);
    struct setup setup;
    struct fault f;
    int milli[GAME_SEATS];
    setup_init(game, &setup);
    setup.seats = 2;
    setup.option[setup_find(game, "pioneers")] = 40;
    setup.given = given;
    assert_true(game->prepare(w, &setup, &f));
    game->start(w, &setup, s);
    game->estimate(w, s, NULL, milli);
    free(w);
    free(s);
    return milli[0] - milli[1];
}

/* The same with so many pioneers side by side and red's only one far away. */
static int lead_of_crowd(int pioneers)
{
    static const int width[] = {12, 13, 14, 14, 14};
    char given[256] = "start: 3/8/10/12";
    size_t at = strlen(given);
    int left = pioneers;
    for (int row = 0; row < 5; row++) {
        int here = left < 5 ? left : 5;
        left -= here;
        at += (size_t)snprintf(given + at, sizeof given - at, "/%.*s%d", here,
                               "yyyyy", width[row] - here);
    }
    snprintf(given + at, sizeof given - at,
             "/13/12/11/10/10/9/r2 yr y1 - 0,0 42 0\n");
    return lead_of(given);
}

/* One more keeps most of its worth, however many it hems in. */
static void more_is_more(void **unused)
{
    (void)unused;
    for (int pioneers = 13; pioneers < 25; pioneers++)
        assert_true(lead_of_crowd(pioneers + 1) - lead_of_crowd(pioneers) >
                    4000);
}

/* As many in the same land are worth more where none is locked in. */
static void locked_in(void **unused)
{
    (void)unused;
    static const char rest[] =
        "/12/12/13/14/14/14/13/12/11/10/10/9/r2 yr y1 - 0,0 "
        "42 0\n";
    char crowded[256], loose[256];
    snprintf(crowded, sizeof crowded, "start: yyy/yyyyyyyy/10%s", rest);
    snprintf(loose, sizeof loose, "start: y1y/y1y1y1y1/y1y1y1y1y1%s", rest);
    assert_true(lead_of(loose) - lead_of(crowded) > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_everywhere),
                                       cmocka_unit_test(more_is_more),
                                       cmocka_unit_test(locked_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
