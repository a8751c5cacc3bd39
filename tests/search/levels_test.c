/* tests/search/levels_test.c: what people may expect of the levels. */
#include "tests/random.h"

#include "search/search.h"

struct table {
    const struct game *game;
    struct world *world;
    struct state *now, *view;
    struct setup setup;
    action *legal;
};

static void table_init_of(struct table *t, const char *game, int seats,
                          uint64_t seed)
{
    *t = (struct table){.game = rules_find(game)};
    t->world = malloc(t->game->world_size);
    t->now = malloc(t->game->state_size);
    t->view = malloc(t->game->state_size);
    t->legal = malloc(GAME_ACTIONS * sizeof(action));
    assert_true(t->world && t->now && t->view && t->legal);
    setup_init(t->game, &t->setup);
    t->setup.seats = seats;
    t->setup.seed = seed;
}

static void table_start(struct table *t)
{
    struct fault f;
    assert_true(t->game->prepare(t->world, &t->setup, &f));
    t->game->start(t->world, &t->setup, t->now);
}

/* Terra Nova. */
static void table_init(struct table *t, const char *setup, int seats,
                       uint64_t seed)
{
    struct fault f;
    table_init_of(t, "nova", seats, seed);
    assert_true(
        setup_option(t->game, &t->setup, span_of("setup"), span_of(setup), &f));
    table_start(t);
}

static void table_release(struct table *t)
{
    free(t->world);
    free(t->now);
    free(t->view);
    free(t->legal);
}

/* What the seat sees. */
static void look(struct table *t, int seat)
{
    if (t->game->observe)
        t->game->observe(t->world, t->now, seat, t->view);
    else
        memcpy(t->view, t->now, t->game->state_size);
}

/* -1 when the game is over. */
static int seat_to_act(struct table *t)
{
    unsigned must, may;
    t->game->turn(t->world, t->now, &must, &may);
    return must ? __builtin_ctz(must) : -1;
}

static action think(struct table *t, int seat, const char *name, uint64_t seed)
{
    const struct search_bot *bot = search_find(name, strlen(name));
    size_t bytes = search_size(t->game, bot, 0);
    void *memory = malloc(bytes);
    look(t, seat);
    struct search *s = search_open(memory, bytes, t->game, t->world, t->view,
                                   seat, bot, 0, seed);
    assert_non_null(s);
    while (search_run(s, 500))
        ;
    action a = search_best(s);
    free(memory);
    return a;
}

/* ---- novice ---- */

/* Does the action give points to a rival and none to its own seat? */
static bool absurd(const struct result *before, const struct result *after,
                   int seats, int seat)
{
    bool rival = false;
    for (int other = 0; other < seats; other++)
        rival |= other != seat && after->points[other] > before->points[other];
    return rival && after->points[seat] <= before->points[seat];
}

static void play_novices(int seats, uint64_t seed, int *turns, int *absurdities)
{
    struct table t;
    struct result before, after;
    int seat;
    table_init(&t, "random", seats, seed);
    while ((seat = seat_to_act(&t)) >= 0) {
        uint32_t fence = t.game->fence(t.world, t.now);
        t.game->result(t.world, t.now, &before);
        t.game->apply(t.world, t.now, seat, think(&t, seat, "novice", seed));
        t.game->result(t.world, t.now, &after);
        *turns += t.game->fence(t.world, t.now) != fence;
        *absurdities += absurd(&before, &after, seats, seat);
    }
    table_release(&t);
}

/* At most once in ten turns it closes land for a rival for nothing. */
static void test_novice(void **state)
{
    int turns = 0, absurdities = 0;
    (void)state;
    for (int i = 0; i < test_scale(9, 30, 300); i++)
        play_novices(2 + i % 3, (uint64_t)i + 1, &turns, &absurdities);
    print_message("# novice: %d absurd actions in %d turns\n", absurdities,
                  turns);
    assert_true(turns > 200);
    assert_true(10 * absurdities <= turns);
}

/* ---- novice of Terra-X ---- */

/* What a turn has done so far, as its seat sees it. */
struct turn {
    int own;        /* points that it brought */
    int cheques;    /* won at red stations, less those paid */
    int laid[128];  /* arrows of each colour, 'A' to 'C' */
    bool begun;     /* an action was taken */
    bool chance;    /* at its beginning one arrow would have brought points */
    bool rival;     /* it completed a mission that a rival has marked */
    bool took_back; /* it paid to take back an arrow of its own */
};

/* What the action brings each seat as the acting one foresees it. */
static void foresee(struct table *t, int seat, action a, int *gain)
{
    struct result before, after;
    look(t, seat);
    t->game->result(t->world, t->view, &before);
    t->game->apply(t->world, t->view, seat, a);
    t->game->result(t->world, t->view, &after);
    for (int other = 0; other < t->setup.seats; other++)
        gain[other] = after.points[other] - before.points[other];
}

/* Could one of the arrows with these signs bring points? */
static bool points_near(struct table *t, int seat, const char *signs)
{
    int count = t->game->legal(t->world, t->now, seat, t->legal);
    for (int i = 0; i < count; i++) {
        char text[32];
        int gain[GAME_SEATS];
        t->game->write_action(t->world, t->now, seat, t->legal[i], seat, text,
                              sizeof text);
        if (!strchr(text, '>') || !strchr(signs, text[0]))
            continue;
        foresee(t, seat, t->legal[i], gain);
        if (gain[seat] > 0)
            return true;
    }
    return false;
}

static void note_action(struct table *t, int seat, action a, const char *text,
                        struct turn *turn)
{
    int gain[GAME_SEATS];
    if (!turn->begun)
        turn->chance = points_near(t, seat, "ABC");
    turn->begun = true;
    foresee(t, seat, a, gain);
    turn->own += gain[seat];
    turn->cheques += (strstr(text, ">r") != NULL) - (text[0] == '$');
    for (int other = 0; other < t->setup.seats; other++)
        turn->rival |= other != seat && gain[other] > 0;
    bool sign = text[0] < 'A' || text[0] > 'C';
    if (strchr(text, '>'))
        turn->laid[(int)text[sign]]++;
    else if (text[0] == '$' && text[2] == '-')
        turn->took_back |= turn->laid[(int)text[1]]-- > 0;
}

/* Does it bring neither points nor a cheque although a mission lay one arrow
 * away, or while it completes one for a rival or pays for an arrow and back
 * again; or does it let a free arrow to a mission lapse? */
static bool absurd_turn(struct table *t, int seat, const struct turn *turn)
{
    bool nothing = turn->own <= 0 && turn->cheques <= 0;
    return points_near(t, seat, "+~") ||
           (nothing && (turn->chance || turn->rival || turn->took_back));
}

static void play_travellers(int seats, uint64_t seed, int *turns,
                            int *absurdities)
{
    struct table t;
    struct turn turn = {0};
    int seat;
    table_init_of(&t, "terrax", seats, seed);
    table_start(&t);
    while ((seat = seat_to_act(&t)) >= 0) {
        char text[32];
        action a = think(&t, seat, "novice", seed);
        t.game->write_action(t.world, t.now, seat, a, seat, text, sizeof text);
        if (strcmp(text, "end") == 0 || strcmp(text, "--") == 0) {
            *turns += 1;
            *absurdities += absurd_turn(&t, seat, &turn);
            turn = (struct turn){0};
        } else if (!strchr(text, ':')) /* no marker */
            note_action(&t, seat, a, text, &turn);
        t.game->apply(t.world, t.now, seat, a);
    }
    table_release(&t);
}

/* At most once in ten turns it does what nobody would who looks at the map. */
static void test_traveller(void **state)
{
    int turns = 0, absurdities = 0;
    (void)state;
    for (int i = 0; i < test_scale(10, 30, 300); i++)
        play_travellers(2 + i % 5, (uint64_t)i + 1, &turns, &absurdities);
    print_message("# novice of Terra-X: %d absurd turns of %d\n", absurdities,
                  turns);
    assert_true(turns > 200);
    assert_true(10 * absurdities <= turns);
}

/* ---- placement ---- */

/* The lead that estimate() sees for seat 0 once all are placed, which places
 * by the bot or at random against random. */
static int lead_after_placing(const char *bot, uint64_t seed)
{
    struct table t;
    struct rng chance;
    int milli[GAME_SEATS] = {0}, seat;
    rng_seed(&chance, seed);
    table_init(&t, "free", 2, seed);
    int pioneers = t.game->legal(t.world, t.now, 0, t.legal);
    while ((seat = seat_to_act(&t)) >= 0) {
        int count = t.game->legal(t.world, t.now, seat, t.legal);
        if (count != pioneers--) /* each takes a hex; then moves begin */
            break;
        action a = t.legal[rng_below(&chance, count)];
        if (seat == 0 && bot)
            a = think(&t, seat, bot, seed);
        t.game->apply(t.world, t.now, seat, a);
    }
    t.game->estimate(t.world, t.now, NULL, milli);
    table_release(&t);
    return milli[0] - milli[1];
}

/* Much of the lead is what chance gives both; by what was learned a good
 * placement is worth some two points. */
static void test_placement(void **state)
{
    int games = test_scale(24, 40, 100), better = 0;
    int64_t lead = 0;
    (void)state;
    for (int i = 0; i < games; i++) {
        int placed = lead_after_placing("casual", (uint64_t)i + 1);
        better += placed > lead_after_placing(NULL, (uint64_t)i + 1);
        lead += placed;
    }
    print_message("# placed: %d of %d better than at random, lead %.1f\n",
                  better, games, (double)lead / games / 1000);
    assert_true(3 * better >= 2 * games);
    assert_true(lead > 1500 * games);
}

/* ---- master ---- */

/* Plays until it is another seat's turn. */
static void play_turn(struct table *t, const char *bot, uint64_t seed)
{
    int seat = seat_to_act(t);
    while (seat_to_act(t) == seat)
        t->game->apply(t->world, t->now, seat, think(t, seat, bot, seed));
}

/* From a game that was lost: unless the pioneer on j13 stays, two moves and one
 * stone close 64 points for red.  No single action of these shows it. */
static void test_foresight(void **state)
{
    static const char start[] =
        "start: #r1/5#2/6#3/6#3#1/##1###r2#2/2##2#3r2/3#3####3/4#2r2r2y/"
        "2#1#6#y1/3#1y3#y2/3#3#####/##3#5/1r1#1#4/4#5/4#4/3 yr y1 - 90,54 42 "
        "0\n";
    struct table t;
    struct fault f;
    struct result before, after;
    (void)state;
    table_init(&t, "random", 2, 1);
    t.setup.given = start;
    assert_true(t.game->prepare(t.world, &t.setup, &f));
    for (uint64_t seed = 1; seed <= 4; seed++) {
        t.game->start(t.world, &t.setup, t.now);
        play_turn(&t, "master", seed);
        t.game->result(t.world, t.now, &before);
        play_turn(&t, "greedy", seed);
        t.game->result(t.world, t.now, &after);
        assert_true(after.points[1] - before.points[1] < 60);
    }
    table_release(&t);
}

/* ---- nodes ---- */

static int nodes_of(const struct search_bot *bot, int seats, int nodes)
{
    struct table t;
    table_init(&t, "random", seats, 1);
    size_t bytes = search_size(t.game, bot, nodes);
    void *memory = malloc(bytes);
    struct search *s = search_open(memory, bytes, t.game, t.world, t.now,
                                   seat_to_act(&t), bot, nodes, 1);
    assert_non_null(s);
    while (search_run(s, 500))
        ;
    int done = search_nodes(s);
    free(memory);
    table_release(&t);
    return done;
}

/* Levels are so many nodes per action; among three seats or more they have a
 * number of their own, unless the caller gives one. */
static void test_nodes(void **state)
{
    (void)state;
    for (const struct search_bot *bot = search_bots; bot->name; bot++) {
        if (bot->kind != SEARCH_TREE)
            continue;
        assert_int_equal(nodes_of(bot, 2, 0), bot->nodes);
        assert_int_equal(nodes_of(bot, 3, 0), bot->crowd);
        assert_int_equal(nodes_of(bot, 4, 0), bot->crowd);
        assert_int_equal(nodes_of(bot, 3, 70), 70);
        assert_in_range(bot->crowd, 1, bot->nodes);
    }
}

/* ---- what is clear ---- */

static int top_of(int seats, int scale, struct search_choice *top)
{
    struct table t;
    struct search_bot bot = *search_find("master", 6);
    bot.style.scale = scale;
    table_init(&t, "random", seats, 1);
    size_t bytes = search_size(t.game, &bot, 400);
    void *memory = malloc(bytes);
    struct search *s = search_open(memory, bytes, t.game, t.world, t.now,
                                   seat_to_act(&t), &bot, 400, 1);
    assert_non_null(s);
    while (search_run(s, 500))
        ;
    int count = search_top(s, top, SEARCH_TOP);
    free(memory);
    table_release(&t);
    return count;
}

/* Do two measures of a clear lead come to the same? */
static bool all_the_same(int seats)
{
    struct search_choice one[SEARCH_TOP] = {{0}}, other[SEARCH_TOP] = {{0}};
    int count = top_of(seats, 30000, one);
    return top_of(seats, 100000, other) == count &&
           memcmp(one, other, sizeof one) == 0;
}

/* The master looks beyond a lead of 30 points against one rival only. */
static void test_clear(void **state)
{
    (void)state;
    assert_false(all_the_same(2));
    assert_true(all_the_same(3));
    assert_true(all_the_same(4));
}

/* ---- stopping ---- */

/* A stop request is seen between slices: what one of them does is bounded by
 * its nodes, not by time.  The judgement of a node looks at the actions of one
 * position, so a slice of 200 takes about a millisecond in Terra Nova. */
static void test_stop(void **state)
{
    struct table t;
    (void)state;
    table_init(&t, "random", 2, 1);
    for (const struct search_bot *bot = search_bots; bot->name; bot++) {
        size_t bytes = search_size(t.game, bot, 3000);
        void *memory = malloc(bytes);
        struct search *s = search_open(memory, bytes, t.game, t.world, t.now,
                                       seat_to_act(&t), bot, 3000, 1);
        int before = 0;
        for (int slice = 0; slice < 10; slice++) {
            search_run(s, 20);
            assert_in_range(search_nodes(s) - before, 0, 20);
            before = search_nodes(s);
        }
        free(memory);
    }
    table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_novice),    cmocka_unit_test(test_traveller),
        cmocka_unit_test(test_placement), cmocka_unit_test(test_foresight),
        cmocka_unit_test(test_nodes),     cmocka_unit_test(test_clear),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
