/* tests/search/waste_test.c: from club on, no bot of Terra Mystica throws
 * anything away that costs nothing to use. */
#include "tests/random.h"

#include "rules/mystica/mystica.h"
#include "search/search.h"

struct table {
    struct world world;
    struct state now;
    action legal[GAME_ACTIONS];
    struct rng chance;
    const struct search_bot *bot;
    void *memory[SEATS];
    struct search *search[SEATS];
    bool exchanged[SEATS];
    int rows, waste;
};

static action think(struct table *t, int seat, uint64_t seed)
{
    size_t bytes = search_size(&mystica_game, t->bot, 0);
    if (!t->search[seat])
        t->search[seat] =
            search_open(t->memory[seat], bytes, &mystica_game, &t->world,
                        &t->now, seat, t->bot, 0, seed + (uint64_t)seat);
    else
        search_play(t->search[seat], &t->now, seat);
    assert_non_null(t->search[seat]);
    while (search_run(t->search[seat], 500))
        ;
    return search_best(t->search[seat]);
}

/* Does a free cult step, dwelling or trading house lie about? */
static bool gift_left(const struct table *t, int seat, int count)
{
    const struct seat *p = &t->now.seat[seat];
    bool rises = false, gift = false;
    for (int track = 0; track < TRACKS; track++)
        rises |= p->cult[track] < 9;
    for (int i = 0; i < count; i++) {
        int space = act_kind(t->legal[i]) == DO_ACTION ? act_a(t->legal[i]) : 0;
        gift |= space == ACTW || space == ACTS;
        gift |=
            rises && (space == ACT_BON2 || space == ACT_FAV6 || space == ACTA);
    }
    return gift;
}

/* Power that costs no points refused although nobody else gains by it, or
 * points paid for power that can buy nothing any more. */
static bool bad_answer(const struct table *t, int seat, action a)
{
    const struct seat *p = &t->now.seat[seat];
    bool late = t->now.round == ROUNDS && p->passed;
    int price = offer_gain(p, act_b(a)) - 1;
    if (act_kind(a) == DO_LEECH)
        return late && price > 0;
    return act_kind(a) == DO_DECLINE && !late && price == 0 &&
           !faction_of(&t->now.seat[act_a(a)])->reaction;
}

static bool is_exchange(action a)
{
    return (act_kind(a) == DO_CONVERT && act_a(a) != W_TO_P) ||
           act_kind(a) == DO_BURN;
}

/* What exchanges bring is not used for it. */
static bool is_free(action a)
{
    return act_kind(a) == DO_SEND ||
           (act_kind(a) == DO_ACTION && act_a(a) > ACT6);
}

static bool wasteful(struct table *t, int seat, int count, action a)
{
    bool passes = act_kind(a) == DO_PASS && t->now.phase == PHASE_ACTIONS;
    bool ends = passes || act_kind(a) == DO_DONE;
    bool idle = t->exchanged[seat] && (ends || is_free(a));
    t->exchanged[seat] = is_exchange(a);
    return idle || (passes && gift_left(t, seat, count)) ||
           bad_answer(t, seat, a);
}

static void tell_waste(const struct table *t, int seat, action a)
{
    char text[80];
    mystica_game.write_action(&t->world, &t->now, seat, a, SEAT_NONE, text,
                              sizeof text);
    print_message("# %s, seat %d in round %d: wasteful %s\n", t->bot->name,
                  seat + 1, t->now.round, text);
}

/* Also if others have to decide at the same time, it is this seat's action. */
static bool is_listed(const struct table *t, int count, action a)
{
    for (int i = 0; i < count; i++)
        if (t->legal[i] == a)
            return true;
    return false;
}

static void play_on(struct table *t, uint64_t seed)
{
    int seat, count;
    while ((seat = random_seat(&mystica_game, &t->world, &t->now, &t->chance,
                               t->legal, &count)) != SEAT_NONE) {
        action a = t->legal[0];
        if (t->now.phase == PHASE_PICK || t->now.phase == PHASE_NOMINATE)
            a = t->legal[rng_below(&t->chance, count)];
        else if (count > 1)
            a = think(t, seat, seed);
        assert_true(is_listed(t, count, a));
        if (wasteful(t, seat, count, a)) {
            tell_waste(t, seat, a);
            t->waste++;
        }
        t->rows++;
        mystica_game.apply(&t->world, &t->now, seat, a);
    }
    assert_int_equal(t->now.phase, PHASE_OVER);
}

/* Every option, map, number of seats and special tile may be met. */
static void play_games(const char *bot, int games)
{
    struct table *t = calloc(1, sizeof *t);
    struct rng chance = random_source(&mystica_game, 17);
    struct fault f;
    t->bot = search_find(bot, strlen(bot));
    for (int seat = 0; seat < SEATS; seat++) {
        t->memory[seat] = malloc(search_size(&mystica_game, t->bot, 0));
        assert_non_null(t->memory[seat]);
    }
    for (int played = 0; played < games;) {
        struct setup setup;
        random_setup(&mystica_game, 2 + played % 4, &chance, &setup);
        setup.option[OPT_COMPAT] = 0;
        if (!mystica_game.prepare(&t->world, &setup, &f))
            continue;
        mystica_game.start(&t->world, &setup, &t->now);
        rng_seed(&t->chance, setup.seed);
        memset(t->exchanged, 0, sizeof t->exchanged);
        memset(t->search, 0, sizeof t->search);
        play_on(t, setup.seed);
        played++;
    }
    print_message("# %s: %d wasteful actions of %d\n", bot, t->waste, t->rows);
    assert_int_equal(t->waste, 0);
    assert_true(t->rows > 150 * games);
    for (int seat = 0; seat < SEATS; seat++)
        free(t->memory[seat]);
    free(t);
}

static void test_club(void **state)
{
    (void)state;
    play_games("club", test_scale(4, 8, 200));
}

static void test_expert(void **state)
{
    (void)state;
    play_games("expert", test_scale(1, 1, 40));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_club),
        cmocka_unit_test(test_expert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
