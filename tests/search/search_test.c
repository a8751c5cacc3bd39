/* tests/search/search_test.c: what search.h promises, with every bot and
 * every game: legal actions only, the same answer twice, slices, endings. */
#include "tests/random.h"

#include "search/search.h"

#include <pthread.h>
#include <sched.h>

struct table {
    const struct game *game;
    struct world *world;
    struct state *now, *view;
    struct setup setup;
    action *legal;
};

static void table_init(struct table *t, const struct game *game)
{
    *t = (struct table){.game = game};
    t->world = malloc(game->world_size);
    t->now = malloc(game->state_size);
    t->view = malloc(game->state_size);
    t->legal = malloc(GAME_ACTIONS * sizeof(action));
    assert_true(t->world && t->now && t->view && t->legal);
}

static void table_release(struct table *t)
{
    free(t->world);
    free(t->now);
    free(t->view);
    free(t->legal);
}

static void begin(struct table *t, int seats, struct rng *chance)
{
    struct fault f;
    do {
        random_setup(t->game, seats, chance, &t->setup);
    } while (!t->game->prepare(t->world, &t->setup, &f));
    t->game->start(t->world, &t->setup, t->now);
}

/* The seat whose decision a search would take first. */
static int seat_to_act(struct table *t, int *count)
{
    unsigned must, may;
    t->game->turn(t->world, t->now, &must, &may);
    *count = 0;
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = t->game->legal(t->world, t->now, seat, t->legal);
        if (*count > 0)
            return seat;
    }
    return SEAT_NONE;
}

static const struct state *view_of(struct table *t, int seat)
{
    if (t->game->observe)
        t->game->observe(t->world, t->now, seat, t->view);
    else
        memcpy(t->view, t->now, t->game->state_size);
    return t->view;
}

static void assert_legal(const struct table *t, int count, action a)
{
    for (int i = 0; i < count; i++)
        if (t->legal[i] == a)
            return;
    fail_msg("%s: action %x is not legal", t->game->name, a);
}

/* A search in memory of exactly the size it asks for, so that a sanitizer
 * sees every step beyond. */
static struct search *open(struct table *t, int seat,
                           const struct search_bot *bot, int nodes,
                           uint64_t seed)
{
    size_t bytes = search_size(t->game, bot, nodes);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, 0xa5, bytes);
    struct search *s = search_open(memory, bytes, t->game, t->world,
                                   view_of(t, seat), seat, bot, nodes, seed);
    assert_ptr_equal(s, memory);
    return s;
}

/* ---- games of bots ---- */

/* Every seat thinks a little and must answer legally; each has one search for
 * the whole match.  Returns the turns played, by the fences passed. */
static int play_bots(struct table *t, struct rng *chance, int turns,
                     int *actions)
{
    struct search *of[GAME_SEATS] = {0};
    int count, seat, played = 0;
    while (played < turns && (seat = seat_to_act(t, &count)) != SEAT_NONE) {
        const struct search_bot *bot = &search_bots[rng_below(chance, 8)];
        if (of[seat] && rng_below(chance, 4) > 0) {
            search_play(of[seat], view_of(t, seat), seat);
        } else {
            free(of[seat]);
            of[seat] =
                open(t, seat, bot, 1 + rng_below(chance, 60), rng_next(chance));
        }
        while (search_run(of[seat], 1 + rng_below(chance, 30)))
            ;
        action a = search_best(of[seat]);
        assert_legal(t, count, a);
        uint32_t fence = t->game->fence(t->world, t->now);
        t->game->apply(t->world, t->now, seat, a);
        played += t->game->fence(t->world, t->now) != fence;
        ++*actions;
    }
    for (int i = 0; i < GAME_SEATS; i++)
        free(of[i]);
    return played;
}

static void test_legal(void **state)
{
    (void)state;
    for (int g = 0; rules_games[g]; g++) {
        struct table t;
        struct rng chance = random_source(rules_games[g], 11);
        int wanted = test_scale(200, 3000, 10000), turns = 0, actions = 0;
        table_init(&t, rules_games[g]);
        for (int seats = t.game->seats_min; turns < wanted; seats++) {
            if (seats > t.game->seats_max)
                seats = t.game->seats_min;
            begin(&t, seats, &chance);
            turns += play_bots(&t, &chance, wanted - turns, &actions);
        }
        print_message("# %s: %d turns, %d legal actions\n", t.game->name, turns,
                      actions);
        table_release(&t);
    }
}

/* ---- the same twice ---- */

static void play_random(struct table *t, struct rng *chance, int actions)
{
    int count, seat;
    for (int i = 0; i < actions && (seat = seat_to_act(t, &count)) >= 0; i++)
        t->game->apply(t->world, t->now, seat,
                       t->legal[rng_below(chance, count)]);
}

/* Slices and what lay in memory before must not matter. */
static void test_repeatable(void **state)
{
    (void)state;
    for (int g = 0; rules_games[g]; g++) {
        struct table t;
        struct rng chance = random_source(rules_games[g], 12);
        table_init(&t, rules_games[g]);
        for (int i = 0; i < test_scale(24, 100, 400); i++) {
            int count, seat;
            begin(&t, t.game->seats_min + i % 2, &chance);
            play_random(&t, &chance, rng_below(&chance, 150));
            if ((seat = seat_to_act(&t, &count)) == SEAT_NONE)
                continue;
            const struct search_bot *bot = &search_bots[i % 8];
            struct search *one = open(&t, seat, bot, 120, (uint64_t)i);
            struct search *two = open(&t, seat, bot, 120, (uint64_t)i);
            while (search_run(one, 1000))
                ;
            while (search_run(two, 7))
                ;
            assert_int_equal(search_best(one), search_best(two));
            assert_int_equal(search_nodes(one), search_nodes(two));
            struct search_choice top_one[8] = {0}, top_two[8] = {0};
            assert_int_equal(search_top(one, top_one, 8),
                             search_top(two, top_two, 8));
            assert_memory_equal(top_one, top_two, sizeof top_one);
            free(one);
            free(two);
        }
        table_release(&t);
    }
}

/* ---- answers ---- */

static void test_line(void **state)
{
    (void)state;
    const struct search_bot *bot = search_find("club", 4);
    for (int g = 0; rules_games[g]; g++) {
        struct table t;
        int count, seat, milli[GAME_SEATS];
        struct rng chance = random_source(rules_games[g], 13);
        table_init(&t, rules_games[g]);
        begin(&t, t.game->seats_usual, &chance);
        seat = seat_to_act(&t, &count);
        struct search *s = open(&t, seat, bot, 200, 5);
        while (search_run(s, 50))
            ;
        struct search_step line[16];
        int length = search_line(s, line, 16);
        assert_in_range(length, 1, 16);
        assert_int_equal(line[0].action, search_best(s));
        assert_int_equal(search_values(s, milli), t.game->estimate != NULL);
        for (int i = 0; i < length && !t.game->complete; i++) {
            assert_int_equal(seat_to_act(&t, &count), line[i].seat);
            assert_legal(&t, count, line[i].action);
            t.game->apply(t.world, t.now, line[i].seat, line[i].action);
        }
        free(s);
        table_release(&t);
    }
}

static void test_slices(void **state)
{
    struct table t;
    struct rng chance = random_source(rules_games[0], 14);
    int count;
    (void)state;
    table_init(&t, rules_games[0]);
    begin(&t, t.game->seats_min, &chance);
    int seat = seat_to_act(&t, &count);
    struct search *s = open(&t, seat, search_find("expert", 6), 100, 1);
    assert_legal(&t, count, search_best(s));
    assert_true(search_run(s, 40));
    assert_int_equal(search_nodes(s), 40);
    assert_true(search_run(s, 40));
    assert_false(search_run(s, 40));
    assert_int_equal(search_nodes(s), 100);
    assert_false(search_run(s, 40));
    assert_int_equal(search_nodes(s), 100);
    free(s);
    table_release(&t);
}

/* The tree is kept from action to action and makes room in time: every search
 * does all it was asked for. */
static void test_kept(void **state)
{
    enum { NODES = 700, ACTIONS = 24 };
    const struct game *game = rules_find("nova");
    (void)state;
    for (int seats = 2; seats <= 4; seats++) {
        struct table t;
        struct rng chance = random_source(game, 17);
        int count, seat;
        table_init(&t, game);
        setup_init(game, &t.setup);
        t.setup.seats = seats;
        t.setup.seed = rng_next(&chance);
        struct fault f;
        assert_true(setup_option(game, &t.setup, span_of("setup"),
                                 span_of("random"), &f));
        assert_true(game->prepare(t.world, &t.setup, &f));
        game->start(t.world, &t.setup, t.now);
        seat = seat_to_act(&t, &count);
        struct search *s = open(&t, seat, search_find("master", 6), NODES, 1);
        for (int i = 0; i < ACTIONS; i++) {
            while (search_run(s, 200))
                ;
            assert_int_equal(search_nodes(s), NODES);
            assert_legal(&t, count, search_best(s));
            game->apply(t.world, t.now, seat, search_best(s));
            seat = seat_to_act(&t, &count);
            search_play(s, view_of(&t, seat), seat);
        }
        free(s);
        table_release(&t);
    }
}

/* What a search finds at the root, as numbers. */
static int found(struct table *t, int seat, struct search_choice *top, int cap)
{
    struct search *s = open(t, seat, search_find("master", 6), 120, 3);
    while (search_run(s, 50))
        ;
    assert_int_equal(search_nodes(s), 120);
    int count = search_top(s, top, cap);
    free(s);
    return count;
}

/* One seat of a whole match; returns how many actions were ready at once. */
static int play_turns(struct table *t, int bots)
{
    struct search *s[GAME_SEATS] = {NULL};
    int count, seat, ready = 0;
    while ((seat = seat_to_act(t, &count)) != SEAT_NONE) {
        const struct search_bot *bot = &search_bots[1 + seat % bots];
        if (s[seat])
            search_play(s[seat], view_of(t, seat), seat);
        else
            s[seat] = open(t, seat, bot, 24, 1);
        while (search_run(s[seat], 10))
            ;
        ready += count > 1 && search_nodes(s[seat]) == 0;
        assert_legal(t, count, search_best(s[seat]));
        t->game->apply(t->world, t->now, seat, search_best(s[seat]));
    }
    for (int i = 0; i < GAME_SEATS; i++)
        free(s[i]);
    return ready;
}

/* A turn that reveals nothing goes on as planned, with legal actions, whatever
 * the options. */
static void test_turns(void **state)
{
    static const char *const options[][2] = {{"claims", "manual"},
                                             {"claims", "auto"},
                                             {"swap_marked", "on"},
                                             {"second_loop", "nobonus"},
                                             {"pass", "cheque"}};
    const struct game *game = rules_find("terrax");
    struct rng chance = random_source(game, 23);
    struct table t;
    struct fault f;
    int ready = 0;
    (void)state;
    table_init(&t, game);
    for (int i = 0; i < 5; i++) {
        setup_init(game, &t.setup);
        t.setup.seats = 2 + i;
        t.setup.seed = rng_next(&chance);
        assert_true(setup_option(game, &t.setup, span_of(options[i][0]),
                                 span_of(options[i][1]), &f));
        assert_true(game->prepare(t.world, &t.setup, &f));
        game->start(t.world, &t.setup, t.now);
        ready += play_turns(&t, 5);
    }
    print_message("# %d actions were planned before\n", ready);
    assert_true(ready > 100);
    table_release(&t);
}

/* The position after some random actions, with several to choose from. */
static int begin_hidden(struct table *t, struct rng *chance)
{
    struct fault f;
    int count, seat;
    setup_init(t->game, &t->setup);
    t->setup.seats = 3;
    t->setup.seed = rng_next(chance);
    assert_true(t->game->prepare(t->world, &t->setup, &f));
    t->game->start(t->world, &t->setup, t->now);
    for (int i = 0; i < 30; i++) {
        seat = seat_to_act(t, &count);
        t->game->apply(t->world, t->now, seat,
                       t->legal[rng_below(chance, count)]);
    }
    while ((seat = seat_to_act(t, &count)) != SEAT_NONE && count < 4)
        t->game->apply(t->world, t->now, seat, t->legal[0]);
    assert_int_not_equal(seat, SEAT_NONE);
    return seat;
}

/* Where something is hidden every visit guesses it anew, but all of them share
 * one tree: the visits of all worlds add up at the root, several actions are
 * tried, and the answer depends on the view alone, not on the truth. */
static void test_hidden(void **state)
{
    (void)state;
    const struct game *game = rules_find("terrax");
    struct rng chance = random_source(game, 21);
    struct search_choice one[64], two[64];
    struct table t;
    table_init(&t, game);
    int seat = begin_hidden(&t, &chance);
    int first = found(&t, seat, one, 64), visits = 0;
    for (int i = 0; i < first; i++)
        visits += one[i].visits;
    assert_true(first > 2);
    assert_int_equal(visits, 120);
    /* Another world that looks the same to this seat. */
    game->observe(t.world, t.now, seat, t.now);
    game->complete(t.world, t.now, seat, &chance);
    assert_int_equal(found(&t, seat, two, 64), first);
    for (int i = 0; i < first; i++) {
        assert_int_equal(one[i].action, two[i].action);
        assert_int_equal(one[i].visits, two[i].visits);
        assert_int_equal(one[i].value, two[i].value);
    }
    table_release(&t);
}

/* A race tells its answer first, then what it thought of the others in order,
 * also if it has no end in sight. */
static void test_race(void **state)
{
    (void)state;
    struct rng chance = random_source(rules_find("terrax"), 22);
    struct search_choice top[64];
    struct table t;
    table_init(&t, rules_find("terrax"));
    for (int i = 0; i < test_scale(8, 16, 60); i++) {
        int seat = begin_hidden(&t, &chance);
        int wanted = i % 2 ? 100000 : 120;
        struct search *s =
            open(&t, seat, search_find("expert", 6), wanted, rng_next(&chance));
        while (search_nodes(s) < 1200 && search_run(s, 1))
            ;
        int count = search_top(s, top, 64);
        assert_int_equal(top[0].action, search_best(s));
        for (int j = 1; j < count; j++)
            assert_true(top[j].value <= top[j - 1].value);
        free(s);
    }
    table_release(&t);
}

/* ---- several searches ---- */

static const struct search_choice *choice_of(const struct search_choice *list,
                                             int count, action a)
{
    for (int i = 0; i < count; i++)
        if (list[i].action == a)
            return &list[i];
    return NULL;
}

/* Visits and distance from the best, summed straight from what each tells. */
static struct search_choice sum_of(struct search *const *list, int number,
                                   action a)
{
    struct search_choice sum = {.action = a}, top[SEARCH_TOP];
    for (int i = 0; i < number; i++) {
        int count = search_top(list[i], top, SEARCH_TOP), visits = 0;
        const struct search_choice *c = choice_of(top, count, a);
        for (const struct search_choice *k = c; k && k < top + count; k++)
            visits = k->visits > visits ? k->visits : visits;
        sum.visits += visits;
        sum.value += (c ? c->value : top[count - 1].value) - top[0].value;
    }
    return sum;
}

/* What several searches say together; how many of these actions not all of
 * them knew. */
static int check_merge(struct search *const *list, int number, bool race)
{
    enum { CAP = 3 * SEARCH_TOP };
    struct search_choice all[CAP], top[SEARCH_TOP];
    int count = search_merge(list, number, all, CAP), known = 0;
    for (int i = 0; i < count; i++) {
        struct search_choice sum = sum_of(list, number, all[i].action);
        assert_int_equal(all[i].visits, sum.visits);
        assert_int_equal(all[i].value, sum.value);
        if (i > 0 && race)
            assert_true(all[i].value <= all[i - 1].value);
        else if (i > 0)
            assert_true(all[i].visits <= all[i - 1].visits);
    }
    for (int i = 0; i < number; i++) {
        int found = search_top(list[i], top, SEARCH_TOP);
        known += found;
        for (int k = 0; k < found; k++)
            assert_non_null(choice_of(all, count, top[k].action));
    }
    return number * count - known;
}

/* Searches of other seeds guess other worlds and know other turns: all that any
 * of them knows is told once, in the order of what they think together. */
static void test_merge(void **state)
{
    (void)state;
    static const char *const games[] = {"terrax", "nova"};
    for (int g = 0; g < 2; g++) {
        struct table t;
        struct rng chance = random_source(rules_find(games[g]), 24);
        int count, differ = 0;
        table_init(&t, rules_find(games[g]));
        for (int i = 0; i < test_scale(8, 16, 60); i++) {
            struct search *list[3];
            struct search_choice best;
            begin(&t, t.game->seats_min, &chance);
            play_random(&t, &chance, 30);
            int seat = seat_to_act(&t, &count);
            if (count < 2)
                continue;
            for (int k = 0; k < 3; k++) {
                list[k] = open(&t, seat, search_find("expert", 6), 150,
                               rng_next(&chance));
                while (search_run(list[k], 100))
                    ;
            }
            differ += check_merge(list, 3, t.game->complete != NULL);
            assert_int_equal(search_merge(list, 1, &best, 1), 1);
            assert_int_equal(best.action, search_best(list[0]));
            for (int k = 0; k < 3; k++)
                free(list[k]);
        }
        assert_true(differ > 0);
        table_release(&t);
    }
}

/* Too little memory shortens the search, and hardly any refuses it. */
static void test_little_memory(void **state)
{
    struct table t;
    struct rng chance = random_source(rules_games[0], 15);
    int count;
    (void)state;
    table_init(&t, rules_games[0]);
    begin(&t, t.game->seats_min, &chance);
    int seat = seat_to_act(&t, &count);
    const struct search_bot *bot = search_find("master", 6);
    assert_null(
        search_open(t.legal, 64, t.game, t.world, t.now, seat, bot, 0, 1));
    size_t bytes = search_size(t.game, bot, 100);
    void *memory = malloc(bytes);
    struct search *s =
        search_open(memory, bytes, t.game, t.world, t.now, seat, bot, 5000, 1);
    assert_non_null(s);
    while (search_run(s, 500))
        ;
    assert_in_range(search_nodes(s), 1, 4999);
    assert_legal(&t, count, search_best(s));
    free(memory);
    table_release(&t);
}

/* What a simple bot needs does not hold a turn that is planned. */
static void test_room_for_states(void **state)
{
    struct rng chance = random_source(rules_find("terrax"), 16);
    struct table t;
    int count;
    (void)state;
    table_init(&t, rules_find("terrax"));
    begin(&t, 2, &chance);
    int seat = seat_to_act(&t, &count);
    size_t bytes = search_size(t.game, search_find("random", 6), 1);
    void *memory = malloc(bytes);
    for (const struct search_bot *b = search_bots; b->name; b++) {
        struct search *s = search_open(memory, bytes, t.game, t.world,
                                       view_of(&t, seat), seat, b, 0, 1);
        assert_int_equal(s != NULL, b->kind == SEARCH_RANDOM);
    }
    free(memory);
    table_release(&t);
}

/* ---- endings ---- */

enum { TRIED = 2000 };

/* The lead of seat 0 after best play of two seats, by trying everything;
 * gives up when `left` runs out. */
static int solve(struct table *t, const struct state *now, int *left)
{
    static action list[64][GAME_ACTIONS];
    static int depth;
    unsigned must, may;
    struct result r;
    t->game->turn(t->world, now, &must, &may);
    if (--*left < 0 || depth == 64)
        return 0;
    if (must == 0) {
        t->game->result(t->world, now, &r);
        return r.points[0] - r.points[1];
    }
    int seat = __builtin_ctz(must), best = 0;
    int count = t->game->legal(t->world, now, seat, list[depth]);
    struct state *after = malloc(t->game->state_size);
    for (int i = 0; i < count && *left >= 0; i++) {
        memcpy(after, now, t->game->state_size);
        t->game->apply(t->world, after, seat, list[depth][i]);
        depth++;
        int value = solve(t, after, left);
        depth--;
        if (i == 0 || (seat == 0 ? value > best : value < best))
            best = value;
    }
    free(after);
    return best;
}

static int value_after(struct table *t, int seat, action a, int *left)
{
    memcpy(t->view, t->now, t->game->state_size);
    t->game->apply(t->world, t->view, seat, a);
    return solve(t, t->view, left);
}

/* What is proven is told as well, and comes first alone and among several. */
static void check_told(struct search *s)
{
    struct search *const twice[] = {s, s};
    struct search_choice top[SEARCH_TOP], all[2 * SEARCH_TOP];
    int count = search_top(s, top, SEARCH_TOP);
    assert_true(count > 0);
    assert_int_equal(top[0].action, search_best(s));
    assert_int_equal(search_merge(twice, 2, all, 2 * SEARCH_TOP), count);
    assert_int_equal(all[0].action, search_best(s));
}

/* Compares the bot's choice with the truth; false if that is too far away, or
 * if all actions are worth the same. */
static bool check_ending(struct table *t)
{
    int count, left = TRIED, seat = seat_to_act(t, &count);
    int truth = solve(t, t->now, &left), same = 0, enough = TRIED;
    if (left < 0)
        return false;
    for (int i = 0; i < count; i++)
        same += value_after(t, seat, t->legal[i], &enough) == truth;
    if (same == count)
        return false;
    struct search *s = open(t, seat, search_find("master", 6), TRIED, 1);
    while (search_run(s, 500))
        ;
    assert_legal(t, count, search_best(s));
    enough = TRIED;
    assert_int_equal(value_after(t, seat, search_best(s), &enough), truth);
    check_told(s);
    /* Every visit finds a position or proves an action: it is all known. */
    assert_in_range(search_nodes(s), 1, TRIED - left);
    assert_false(search_run(s, 1));
    free(s);
    return true;
}

/* A small match of Terra Nova that cannot last. */
static void begin_small(struct table *t, struct rng *chance)
{
    static const char *const options[][2] = {{"board", "islet"},
                                             {"pioneers", "3"},
                                             {"quiet", "1"},
                                             {"stones", "16"}};
    struct fault f;
    setup_init(t->game, &t->setup);
    t->setup.seats = 2;
    for (int i = 0; i < 4; i++)
        assert_true(setup_option(t->game, &t->setup, span_of(options[i][0]),
                                 span_of(options[i][1]), &f));
    t->setup.seed = rng_next(chance);
    assert_true(t->game->prepare(t->world, &t->setup, &f));
    t->game->start(t->world, &t->setup, t->now);
}

/* Looks at all positions of random games where everything can be tried. */
static void test_endings(void **state)
{
    struct table t;
    const struct game *game = rules_find("nova");
    struct rng chance = random_source(game, 16);
    int checked = 0, count, seat;
    (void)state;
    table_init(&t, game);
    for (int i = 0; i < test_scale(1000, 1000, 4000); i++) {
        begin_small(&t, &chance);
        for (int k = 0; (seat = seat_to_act(&t, &count)) >= 0; k++) {
            if (k > 15)
                checked += check_ending(&t);
            seat_to_act(&t, &count);
            /* Stones stand behind the moves: place many. */
            int pick =
                rng_below(&chance, 2) ? count - 1 : rng_below(&chance, count);
            game->apply(t.world, t.now, seat, t.legal[pick]);
        }
    }
    print_message("# %d endings\n", checked);
    assert_true(checked >= test_scale(50, 50, 200));
    table_release(&t);
}

static void test_names(void **state)
{
    (void)state;
    for (const struct search_bot *b = search_bots; b->name; b++) {
        assert_ptr_equal(search_find(b->name, strlen(b->name)), b);
        assert_true(b->nodes > 0 && b->help);
    }
    assert_null(search_find("grandmaster", 11));
    assert_null(search_find("mast", 4));
}

/* ---- help ---- */

enum { HELPED = 2500 }; /* nodes: turns are foreseen, too */

struct helper {
    struct search_help *help;
    _Atomic bool begun, done;
};

static void *help_until_told(void *from)
{
    struct helper *h = from;
    h->begun = true;
    while (!h->done)
        search_help(h->help);
    return NULL;
}

static void run_beside_thread(struct search *s, struct search_help *help)
{
    struct helper h = {.help = help};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, help_until_told, &h), 0);
    while (!h.begun)
        sched_yield();
    while (search_run(s, 10))
        sched_yield();
    h.done = true;
    pthread_join(thread, NULL);
}

/* The helper is sometimes late, sometimes idle. */
static void run_in_turn(struct search *s, struct search_help *help,
                        struct rng *chance)
{
    while (search_run(s, 1 + rng_below(chance, 3)))
        for (int i = rng_below(chance, 6); i > 0; i--)
            search_help(help);
}

static void assert_same(struct search *a, struct search *b)
{
    struct search_choice one[SEARCH_TOP], other[SEARCH_TOP];
    int count = search_top(a, one, SEARCH_TOP);
    assert_int_equal(search_nodes(a), search_nodes(b));
    assert_int_equal(search_top(b, other, SEARCH_TOP), count);
    assert_memory_equal(one, other, (size_t)count * sizeof *one);
    assert_int_equal(search_best(a), search_best(b));
    assert_int_equal(search_judged(a), search_judged(b));
}

/* Everybody decides with a helper that never comes, and with one that works in
 * turn with the search, or beside it; adds the answers of both. */
static void check_help(struct table *t, struct rng *chance, int decisions,
                       int64_t used[2])
{
    const struct search_bot *bot = search_find("master", 6);
    uint64_t seed = rng_next(chance);
    int count, seat = seat_to_act(t, &count);
    if (seat == SEAT_NONE)
        return;
    struct search *alone = open(t, seat, bot, HELPED, seed);
    struct search *helped = open(t, seat, bot, HELPED, seed);
    void *memory = malloc(search_help_size(t->game));
    void *other = malloc(search_help_size(t->game));
    struct search_help *help = search_help_open(memory, helped);
    assert_ptr_equal(help, memory);
    assert_non_null(search_help_open(other, alone));
    for (int i = 0; i < decisions && seat != SEAT_NONE; i++) {
        int64_t before = search_helped(help);
        while (search_run(alone, 1000))
            ;
        if (i % 2)
            run_beside_thread(helped, help);
        else
            run_in_turn(helped, help, chance);
        used[i % 2] += search_helped(help) - before;
        assert_same(alone, helped);
        t->game->apply(t->world, t->now, seat, search_best(alone));
        seat = seat_to_act(t, &count);
        if (seat != SEAT_NONE) {
            search_play(alone, view_of(t, seat), seat);
            search_play(helped, view_of(t, seat), seat);
        }
    }
    free(alone);
    free(helped);
    free(memory);
    free(other);
}

/* What a search finds does not depend on how fast its helper is. */
static void test_help(void **state)
{
    (void)state;
    struct table t;
    const struct game *nova = rules_find("nova");
    struct rng chance = random_source(nova, 31);
    int64_t used[2] = {0};
    int matches = test_scale(6, 12, 60), decisions = 4;
    table_init(&t, nova);
    for (int i = 0; i < matches; i++) {
        begin(&t, 2 + i % 3, &chance);
        play_random(&t, &chance, 40 * (i % 4));
        check_help(&t, &chance, decisions, used);
        begin_small(&t, &chance);
        check_help(&t, &chance, 8 * decisions, used);
    }
    table_release(&t);
    assert_true(used[0] > (int64_t)matches * decisions * HELPED / 10);
    assert_true(used[1] > (int64_t)matches * decisions);
}

/* Where something is hidden or played out there is no such help. */
static void test_no_help(void **state)
{
    (void)state;
    static const char *const games[] = {"terrax", "mystica"};
    for (int g = 0; g < 2; g++) {
        struct table t;
        struct rng chance = random_source(rules_find(games[g]), 32);
        int count;
        table_init(&t, rules_find(games[g]));
        begin(&t, t.game->seats_min, &chance);
        int seat = seat_to_act(&t, &count);
        struct search *s = open(&t, seat, search_find("club", 4), 10, 1);
        void *memory = malloc(search_help_size(t.game));
        assert_null(search_help_open(memory, s));
        free(memory);
        free(s);
        table_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_legal),
        cmocka_unit_test(test_repeatable),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_room_for_states),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_race),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_no_help),
        cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
