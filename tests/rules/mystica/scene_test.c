/* tests/rules/mystica/scene_test.c: what front ends are told.
 *
 * Reports and warnings of positions that can be counted by hand, and, over
 * random games, that the reports add up to what the rules do next. */
#include "tests/random.h"

#include "rules/mystica/mystica.h"
#include "rules/mystica/position.h"
#include "rules/mystica/start.h"

#include <jansson.h>

static const struct game *const game = &mystica_game;
static struct world world;
static struct state now;
static char text[1 << 20];

/* ---- JSON ---- */

static json_t *parse(void)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("%s at %d: %.60s", error.text, error.position,
                 text + error.position);
    return json;
}

static json_t *scene(int viewer)
{
    int length = game->write_scene(&world, &now, viewer, text, sizeof text);
    assert_true(length > 0 && length < (int)sizeof text);
    return parse();
}

static int number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        fail_msg("no number '%s'", key);
    return (int)json_integer_value(value);
}

static const json_t *seat_of(const json_t *json, int seat)
{
    return json_array_get(json_object_get(json, "seats"), (size_t)seat);
}

/* The member of an array whose `key` has that value. */
static const json_t *find(const json_t *json, const char *list, const char *key,
                          const char *value)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(json, list), i, one)
    {
        const char *found = json_string_value(json_object_get(one, key));
        if (found && strcmp(found, value) == 0)
            return one;
    }
    fail_msg("no %s '%s' in %s", key, value, list);
    return NULL;
}

static void check_income(const json_t *income, int c, int w, int p, int pw)
{
    assert_non_null(income);
    assert_int_equal(number(income, "C"), c);
    assert_int_equal(number(income, "W"), w);
    assert_int_equal(number(income, "P"), p);
    assert_int_equal(number(income, "PW"), pw);
}

/* ---- positions ---- */

static void lay(const char *seats)
{
    struct setup setup;
    struct fault f = {0};
    char position[2000];
    setup_init(game, &setup);
    setup.seats = 2;
    assert_true(game->prepare(&world, &setup, &f));
    snprintf(position, sizeof position,
             "round 3 actions active 1\n"
             "score SCORE2 SCORE3 SCORE4 SCORE5 SCORE6 SCORE7\n"
             "cards BON1 BON2 BON3 BON5 BON7\n%s",
             seats);
    if (!mystica_read_state(&world, position, &now, &f))
        fail_msg("line %d: %s", f.line, f.subject);
}

/* Auren: two dwellings, trading house, temple, BON5, FAV7 and FAV9. */
static void lay_auren(void)
{
    lay("seat 1 auren green green vp 31 C 5 W 3 P 1 bowls 4/4/2 cults 3/2/0/1 "
        "card BON5 has FAV7+FAV9\n"
        "build 1 D F4 D1\nbuild 1 TP E7\nbuild 1 TE E6\n"
        "seat 2 giants vp 22 C 0 W 0 P 0 bowls 0/1/11 cults 1/2/0/0\n"
        "build 2 TP D4\nbuild 2 D I5\n");
}

static void test_income(void **state)
{
    (void)state;
    lay_auren();
    json_t *json = scene(0);
    const json_t *income = json_object_get(seat_of(json, 0), "income");
    check_income(json_object_get(income, "dwellings"), 0, 3, 0, 0);
    check_income(json_object_get(income, "trading houses"), 2, 0, 0, 1);
    check_income(json_object_get(income, "temples"), 0, 0, 1, 0);
    check_income(json_object_get(income, "bonus card"), 0, 1, 0, 3);
    check_income(json_object_get(income, "favour tiles"), 3, 1, 0, 1);
    check_income(json_object_get(income, "sum"), 5, 5, 1, 5);
    /* SCORE4: 1 W for each two steps of FIRE */
    assert_int_equal(number(seat_of(json, 0), "cult_bonus"), 1);
    json_decref(json);
}

static void test_projected(void **state)
{
    (void)state;
    lay_auren();
    json_t *json = scene(0);
    const json_t *auren = json_object_get(seat_of(json, 0), "projected");
    const json_t *giants = json_object_get(seat_of(json, 1), "projected");
    assert_int_equal(number(auren, "network_size"), 3);
    assert_int_equal(number(auren, "network"), 18);
    assert_int_equal(number(giants, "network_size"), 1);
    assert_int_equal(number(giants, "network"), 12);
    /* FIRE 3 against 1, WATER 2 and 2, EARTH nobody, AIR 1 against 0 */
    static const int cults[4] = {8, 6, 0, 8};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(json_integer_value(json_array_get(
                             json_object_get(auren, "cults"), i)),
                         cults[i]);
    /* burn 2: III 4; 4 + 1 P + 3 W + 5 C = 13 C */
    assert_int_equal(number(auren, "resources"), 4);
    json_decref(json);
}

static void test_sources(void **state)
{
    (void)state;
    lay_auren();
    json_t *json = scene(0);
    const json_t *sources = json_object_get(seat_of(json, 0), "sources");
    const char *key;
    json_t *value;
    int sum = 0;
    json_object_foreach((json_t *)sources, key, value) sum +=
        (int)json_integer_value(value);
    assert_int_equal(sum, number(seat_of(json, 0), "points"));
    assert_int_equal(json_object_size(sources), VP_SOURCES);
    json_decref(json);
}

/* What a dwelling on a reachable cell costs altogether. */
static void test_reach(void **state)
{
    (void)state;
    lay_auren();
    json_t *json = scene(0);
    const json_t *red = find(json, "reach", "cell", "G2");
    assert_int_equal(number(red, "spades"), 2);
    assert_int_equal(number(red, "W"), 7);
    assert_int_equal(number(red, "C"), 2);
    assert_int_equal(number(red, "P"), 0);
    assert_int_equal(number(find(json, "reach", "cell", "D5"), "spades"), 1);
    json_decref(json);
    lay("seat 1 fakirs P 2 W 9 C 9\nbuild 1 D F3\nseat 2 giants\n"
        "build 2 D D4\n");
    json = scene(0);
    const json_t *far = find(json, "reach", "cell", "E7");
    assert_true(json_is_true(json_object_get(far, "flight")));
    assert_int_equal(number(far, "P"), 1);
    json_decref(json);
}

/* Clusters, and what they lack for a town. */
static void test_towns(void **state)
{
    (void)state;
    lay_auren();
    json_t *json = scene(0);
    const json_t *all = json_object_get(json, "clusters");
    size_t i;
    const json_t *one;
    bool large = false;
    json_array_foreach(all, i, one) if (number(one, "structures") == 3)
    {
        large = true;
        assert_int_equal(number(one, "power"), 5);
        assert_int_equal(number(one, "lacks_power"), 2);
        assert_int_equal(number(one, "lacks_structures"), 1);
        assert_int_equal(number(one, "town"), 0);
    }
    assert_true(large);
    assert_int_equal(json_array_size(all), 2);
    json_decref(json);
}

static void step(int seat, const char *command)
{
    size_t used;
    action a;
    struct fault f = {0};
    char why[300];
    if (!game->read_action(&world, &now, seat, command, &a, &used, &f)) {
        fault_write(game, &f, why, sizeof why);
        fail_msg("%s: %s", command, why);
    }
    game->apply(&world, &now, seat, a);
}

static void test_offers(void **state)
{
    (void)state;
    lay_auren();
    now.seat[0].coins = 20;
    step(0, "upgrade F4 to TP");
    step(0, "done");
    json_t *json = scene(1);
    assert_int_equal(json_array_size(json_object_get(json, "offers")), 0);
    json_decref(json);
    lay_auren();
    now.seat[0].coins = now.seat[0].workers = 20;
    step(0, "upgrade E6 to SA");
    step(0, "+FAV10");
    step(0, "done");
    json = scene(1);
    const json_t *offer = json_array_get(json_object_get(json, "offers"), 0);
    assert_int_equal(number(offer, "to"), 1);
    assert_int_equal(number(offer, "from"), 0);
    assert_int_equal(number(offer, "amount"), 2);
    assert_int_equal(number(offer, "gain"), 1);
    assert_int_equal(number(offer, "price"), 0);
    json_decref(json);
}

/* What the first seat's action offers the second, and for how much. */
static void promises(const char *command, int gain, int price)
{
    size_t used;
    action a;
    struct fault f = {0};
    if (!game->read_action(&world, &now, 0, command, &a, &used, &f))
        fail_msg("%s refused", command);
    game->write_effect(&world, &now, 0, a, 0, text, sizeof text);
    json_t *json = parse();
    const json_t *offers = json_object_get(json, "offers");
    assert_int_equal(json_array_size(offers), gain ? 1 : 0);
    if (gain) {
        const json_t *offer = json_array_get(offers, 0);
        assert_int_equal(number(offer, "seat"), 1);
        assert_int_equal(number(offer, "gain"), gain);
        assert_int_equal(number(offer, "price"), price);
    }
    json_decref(json);
}

/* What is told before building is what is offered afterwards (mystica §7). */
static void test_promised_offers(void **state)
{
    static const struct {
        const char *purse;
        int gain, price;
    } cases[] = {
        {"vp 22 bowls 5/1/6", 4, 3},  /* two trading houses */
        {"vp 22 bowls 1/1/10", 3, 2}, /* room for three */
        {"vp 22 bowls 0/0/12", 0, 0}, /* no room at all */
        {"vp 1 bowls 5/1/6", 2, 1},   /* points for two */
        {"vp 0 bowls 5/1/6", 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char seats[300];
        snprintf(seats, sizeof seats,
                 "seat 1 auren C 20 W 20 P 3\nbuild 1 TE E6\n"
                 "seat 2 giants %s\nbuild 2 TP D4 E7\n",
                 cases[i].purse);
        lay(seats);
        promises("send p to FIRE for 3", 0, 0);
        promises("upgrade E6 to SA", cases[i].gain, cases[i].price);
        step(0, "upgrade E6 to SA");
        json_t *json = scene(1);
        const json_t *offers = json_object_get(json, "offers");
        assert_int_equal(json_array_size(offers), cases[i].gain ? 1 : 0);
        if (cases[i].gain)
            assert_int_equal(number(json_array_get(offers, 0), "gain"),
                             cases[i].gain);
        json_decref(json);
    }
}

static int rule(const char *name)
{
    const char *const *rules = game->standing->rules;
    for (int i = 0; rules[i]; i++)
        if (strcmp(rules[i], name) == 0)
            return i;
    fail_msg("there is no rule '%s'", name);
    return -1;
}

static void settles(const char *name, const char *answer)
{
    action a;
    if (!game->standing->answer(&world, &now, 1, rule(name), &a)) {
        assert_null(answer);
        return;
    }
    assert_non_null(answer);
    game->write_action(&world, &now, 1, a, 1, text, sizeof text);
    assert_string_equal(text, answer);
}

/* The second seat is offered as much as it has room for. */
static void test_standing_rules(void **state)
{
    (void)state;
    assert_string_equal(game->standing->rules[0], "ask");
    lay_auren();
    settles("always", NULL); /* it is not asked */
    now.seat[0].coins = now.seat[0].workers = 20;
    now.seat[1].bowl[0] = 5;
    step(0, "upgrade E6 to SA");
    step(0, "+FAV10");
    step(0, "done");
    settles("ask", NULL);
    settles("always", "leech 2 from auren");
    settles("never", "decline 2 from auren");
    settles("0", "decline 2 from auren");
    settles("1", "leech 2 from auren");
    settles("9", "leech 2 from auren");
    now.seat[1].bowl[0] = 0;
    now.seat[1].bowl[1] = 1; /* room for one: it costs nothing */
    settles("0", "leech 2 from auren");
}

/* ---- tiles held ---- */

static void seat_towns(int seat, const char *expected)
{
    json_t *json = scene(0);
    char *told =
        json_dumps(json_object_get(seat_of(json, seat), "towns"), JSON_COMPACT);
    assert_string_equal(told, expected);
    free(told);
    json_decref(json);
}

static void check_towns(const char *expected)
{
    seat_towns(0, expected);
}

static void test_towns_held(void **state)
{
    (void)state;
    lay("seat 1 auren due-towns 3\nbuild 1 D F4\n"
        "seat 2 giants\nbuild 2 D D4\nturn started 1 acted 1\n");
    check_towns("[]");
    step(0, "+TW4");
    step(0, "+TW1");
    step(0, "+TW1");
    check_towns("[1,1,4]");
    /* Those that are missing are hers, unless somebody else has some. */
    lay("towns 1 2 2 1 2 1 2 1\nseat 1 auren tiles 2\nbuild 1 D F4\n"
        "seat 2 giants\nbuild 2 D D4\n");
    check_towns("[1,4]");
    lay("towns 1 2 2 1 2 1 2 1\nseat 1 auren tiles 1\nbuild 1 D F4\n"
        "seat 2 giants tiles 1\nbuild 2 D D4\n");
    check_towns("[]");
    lay("seat 1 auren tiles 1\nbuild 1 D F4\nseat 2 giants\n"
        "build 2 D D4\n");
    check_towns("[]");
}

/* Which town tiles each seat has goes through the text of a position. */
static void test_towns_told(void **state)
{
    char told[4000];
    struct fault f = {0};
    (void)state;
    lay("seat 1 auren took TW4+TW1\nbuild 1 D F4\n"
        "seat 2 giants took TW1+TW7\nbuild 2 D D4\n");
    assert_int_equal(now.seat[1].town_tiles, 2);
    assert_int_equal(now.towns_left[1], 0);
    assert_int_equal(now.towns_left[7], 1);
    game->write_state(&world, &now, told, sizeof told);
    assert_non_null(strstr(told, " took TW1+TW4 tiles 2\n"));
    memset(&now, 0, sizeof now);
    assert_true(mystica_read_state(&world, told, &now, &f));
    seat_towns(0, "[1,4]");
    seat_towns(1, "[1,7]");
    /* TW8 lies there once, TW1 twice. */
    static const char *const wrong[] = {
        "seat 1 auren took TW8+TW8\n",
        "seat 1 auren took TW9\n",
        "seat 1 auren took TW1+TW1\nseat 2 giants took TW1\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(mystica_read_state(&world, wrong[i], &now, &f));
        TEST_FAULT_NAMED(game, &f, "position.value");
    }
}

/* ---- warnings ---- */

static void warns(const char *command, const char *what, int count)
{
    size_t used, i;
    action a;
    struct fault f = {0};
    const json_t *one;
    int found = 0;
    if (!game->read_action(&world, &now, 0, command, &a, &used, &f))
        fail_msg("%s refused", command);
    game->write_effect(&world, &now, 0, a, 0, text, sizeof text);
    json_t *json = parse();
    json_array_foreach(json_object_get(json, "warnings"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "wastes"));
        if (strcmp(name, what) == 0)
            found = number(one, "count");
    }
    json_decref(json);
    if (found != count)
        fail_msg("%s: wastes %d %s, not %d", command, found, what, count);
}

static void test_warnings(void **state)
{
    (void)state;
    lay("seat 1 auren P 5 placed 2 bowls 0/1/11 cults 9/8/0/0\nbuild 1 D F4\n"
        "seat 2 giants\nbuild 2 D D4\n");
    warns("send p to FIRE for 1", "cult step", 1);
    warns("send p to WATER for 3", "cult step", 2);
    warns("send p to EARTH for 3", "cult step", 0);
    warns("action ACT2", "priest", 1);
    warns("upgrade F4 to TP", "coins without a neighbour", 3);
    step(0, "action ACT5");
    warns("-SPADE", "spade", 1);
    lay("seat 1 auren bowls 0/3/1 due-towns 1\nbuild 1 D F4\n"
        "seat 2 giants\nbuild 2 D D4\nturn started 1 acted 1\n");
    warns("+TW4", "power", 5);
    warns("+TW1", "power", 0);
    lay("seat 1 auren has FAV6\nbuild 1 D F4\nseat 2 giants\nbuild 2 D D4\n");
    warns("pass BON3", "action FAV6", 1);
    now.seat[0].used_favour = true;
    warns("pass BON3", "action FAV6", 0);
    /* The card's own action, and the faction's. */
    lay("seat 1 auren card BON2\nbuild 1 SH F4\nseat 2 giants\n"
        "build 2 D D4\n");
    warns("pass BON3", "action BON2", 1);
    warns("pass BON3", "action ACTA", 1);
    step(0, "action ACTA");
    step(0, "+2FIRE");
    step(0, "done");
    step(1, "pass BON1");
    step(1, "done");
    warns("pass BON3", "action BON2", 1);
    warns("pass BON3", "action ACTA", 0);
    lay("seat 1 auren card BON5\nbuild 1 D F4\nseat 2 giants\n"
        "build 2 D D4\n");
    warns("pass BON3", "action BON2", 0);
    warns("pass BON3", "action ACTA", 0);
    /* Levels of the cults with full bowls. */
    lay("seat 1 auren P 5 bowls 0/0/12 cults 2/0/0/0\nbuild 1 D F4\n"
        "seat 2 giants\nbuild 2 D D4\n");
    warns("send p to FIRE for 3", "power", 3);
    warns("send p to FIRE for 2", "power", 1);
    warns("send p to WATER for 2", "power", 0);
    now.seat[0].bowl[1] = 2;
    warns("send p to FIRE for 3", "power", 1);
    lay("seat 1 auren bowls 0/0/12 cults 2/0/4/0 due-favours 1\n"
        "build 1 TE F4\nseat 2 giants\nbuild 2 D D4\n"
        "turn started 1 acted 1\n");
    warns("+FAV1", "power", 3);
    warns("+FAV11", "power", 2);
    warns("+FAV12", "power", 0);
    lay("seat 1 auren bowls 0/0/12 cults 2/2/0/0 due-towns 1\n"
        "build 1 D F4\nseat 2 giants\nbuild 2 D D4\n"
        "turn started 1 acted 1\n");
    warns("+TW5", "power", 2);
    /* Income that finds no room, of temples and cards; the cult bonus of
     * SCORE4 is workers, that of SCORE3 a priest for each 4 of WATER. */
    lay("seat 1 auren P 6 bowls 0/2/10 cults 4/8/0/0 card BON5\n"
        "build 1 TE F4 D1\nseat 2 giants\nbuild 2 D D4\n");
    warns("pass BON3", "income priest", 1);
    warns("pass BON3", "income power", 0);
    now.seat[0].bowl[1] = 1;
    now.cards |= 1 << 10;
    warns("pass BON10", "income power", 2);
    now.score[2] = 3;
    warns("pass BON3", "income priest", 3);
    now.round = ROUNDS;
    warns("pass", "income priest", 0);
    /* An offer larger than the bowls can take. */
    lay("seat 1 auren vp 20 bowls 0/1/5\nbuild 1 TE F4\nseat 2 giants\n"
        "build 2 D E7\noffer 2 to 1 from 2 event 1 0\n");
    warns("leech 2 from giants", "power", 1);
    warns("decline 2 from giants", "power", 0);
}

/* ---- plans ---- */

/* The plan that ends with this action is this one; NULL: there is none. */
static void plans(const char *last, const char *expected)
{
    size_t i;
    const json_t *one;
    const char *found = NULL;
    json_t *json = scene(0);
    json_array_foreach(json_object_get(json, "plans"), i, one)
    {
        const char *line = json_string_value(json_object_get(one, "text"));
        size_t length = strlen(line), end = strlen(last);
        if (length >= end && strcmp(line + length - end, last) == 0)
            found = line;
    }
    if (!expected != !found || (found && strcmp(found, expected) != 0))
        fail_msg("%s: %s, not %s", last, found ? found : "none",
                 expected ? expected : "none");
    json_decref(json);
}

/* One seat on F4 that lacks something of 2 W and 6 C for a trading house. */
static void lay_poor(const char *faction, const char *purse)
{
    char seats[400];
    snprintf(seats, sizeof seats,
             "seat 1 %s %s\nbuild 1 D F4\nseat 2 giants\nbuild 2 D I5\n",
             faction, purse);
    lay(seats);
}

/* What is given away is as little as can be; power first. */
static void test_plans(void **state)
{
    (void)state;
    static const char up[] = "upgrade F4 to TP";
    lay_poor("auren", "C 6 W 2 P 0 bowls 5/0/0");
    plans(up, NULL); /* legal as it is */
    lay_poor("auren", "C 6 W 1 P 0 bowls 5/0/0");
    plans(up, NULL); /* out of reach */
    lay_poor("auren", "C 6 W 1 P 2 bowls 5/0/3");
    plans(up, "convert 3PW to 1W. upgrade F4 to TP");
    lay_poor("auren", "C 6 W 1 P 2 bowls 5/2/2");
    plans(up, "burn 1. convert 3PW to 1W. upgrade F4 to TP");
    lay_poor("auren", "C 6 W 1 P 2 bowls 5/6/0");
    plans(up, "convert 1P to 1W. upgrade F4 to TP");
    lay_poor("auren", "C 6 W 0 P 1 bowls 5/0/3");
    plans(up, "convert 3PW to 1W. convert 1P to 1W. upgrade F4 to TP");
    lay_poor("auren", "C 5 W 3 P 1 bowls 5/0/0");
    plans(up, "convert 1W to 1C. upgrade F4 to TP");
    lay_poor("auren", "C 5 W 2 P 1 bowls 5/0/0");
    plans(up, "convert 1P to 1C. upgrade F4 to TP");
    lay_poor("auren", "C 4 W 2 P 2 bowls 5/0/1");
    plans(up, "convert 1PW to 1C. convert 1P to 1C. upgrade F4 to TP");
    lay_poor("alchemists", "vp 9 C 3 W 4 P 1 bowls 5/0/1");
    plans(up, "convert 1PW to 1C. convert 2VP to 2C. upgrade F4 to TP");
    /* A priest that is sent is not there to be exchanged. */
    lay_poor("auren", "C 0 W 0 P 0 bowls 5/2/4");
    plans("send p to FIRE for 3",
          "burn 1. convert 5PW to 1P. send p to FIRE for 3");
    plans("action ACT6", NULL);
    plans("action ACT4", NULL); /* legal */
    plans("advance ship", NULL);
}

/* After the digging nothing but the dwelling is still to be paid. */
static void test_plans_after_digging(void **state)
{
    (void)state;
    lay_poor("auren", "C 1 W 3 P 1 bowls 5/0/0");
    plans("dig 1. build E7", NULL);
    step(0, "dig 1");
    step(0, "transform E7 to green");
    plans("build E7", NULL);
    lay_poor("auren", "C 1 W 3 P 1 bowls 5/0/1");
    plans("dig 1. build E7", "convert 1PW to 1C. convert 1P to 1W. "
                             "dig 1. build E7");
    step(0, "dig 1");
    step(0, "transform E7 to green");
    plans("build E7", "convert 1PW to 1C. convert 1P to 1W. build E7");
    step(0, "convert 1PW to 1C");
    step(0, "convert 1P to 1W");
    plans("build E7", NULL); /* legal */
    step(0, "build E7");
    plans("build E7", NULL);
}

/* Spades and bridges of an action space end on a hex that is chosen first. */
static void test_plans_behind_spaces(void **state)
{
    (void)state;
    lay_poor("auren", "C 9 W 3 P 1 bowls 0/0/7");
    plans("action ACT5. build E7", "action ACT5. build E7");
    plans("action ACT5. transform E7 to green", NULL); /* it can be built on */
    plans("action ACT6. build E7", NULL);              /* a spade is left */
    plans("action ACT6. transform E7 to green",
          "action ACT6. transform E7 to green");
    plans("bridge D1:F4", NULL);
    step(0, "action ACT5");
    plans("build E7", "build E7");
    plans("action ACT6. transform E7 to green", NULL);
    lay_poor("auren", "C 9 W 7 P 1 bowls 0/0/7");
    plans("action ACT6. dig 1. build E6", "action ACT6. dig 1. build E6");
    plans("action ACT5. dig 2. build E6", "action ACT5. dig 2. build E6");
    lay_poor("auren", "C 2 W 1 P 0 bowls 0/2/3");
    plans("action ACT5. build E7", "burn 1. action ACT5. build E7");
    lay_poor("auren", "C 1 W 1 P 0 bowls 0/2/3");
    plans("action ACT5. build E7", NULL);
    plans("action ACT5. transform E7 to green", NULL);
    lay_poor("auren", "C 1 W 1 P 0 bowls 0/0/4");
    plans("action ACT5. transform E7 to green",
          "action ACT5. transform E7 to green");
    now.used = 1U << ACT5;
    plans("action ACT5. transform E7 to green", NULL);
    /* Power that spades bring comes too late to pay for them. */
    lay("seat 1 alchemists C 9 W 9 bowls 0/7/2\nbuild 1 SH E1\n"
        "seat 2 giants\nbuild 2 D I5\n");
    plans("action ACT5. dig 2. build F1",
          "burn 2. action ACT5. dig 2. build F1");
    lay("seat 1 alchemists C 9 W 9 bowls 0/3/2\nbuild 1 SH E1\n"
        "seat 2 giants\nbuild 2 D I5\n");
    plans("action ACT5. dig 2. build F1", NULL);
    lay("seat 1 engineers W 2 bowls 0/0/3\nbuild 1 D C2\nseat 2 giants\n"
        "build 2 D I5\n");
    plans("action ACT1. bridge C2:E5", "action ACT1. bridge C2:E5");
    plans("action ACTE. bridge C2:E5", "action ACTE. bridge C2:E5");
    lay("seat 1 witches C 0 W 0\nbuild 1 SH F4\nseat 2 giants\n"
        "build 2 D I5\n");
    plans("action ACTW. build A3", "action ACTW. build A3");
    lay("seat 1 nomads C 2 W 1\nbuild 1 SH E8\nseat 2 giants\n"
        "build 2 D I5\n");
    plans("action ACTN. build E7", "action ACTN. build E7");
    lay("seat 1 swarmlings C 0 W 0\nbuild 1 SH D5\nbuild 1 D H4\n"
        "seat 2 giants\nbuild 2 D I5\n");
    plans("action ACTS. upgrade H4 to TP", "action ACTS. upgrade H4 to TP");
}

/* mystica §12: what a volcano takes is among its costs. */
static void test_volcano_costs(void **state)
{
    (void)state;
    static const char *const seats[] = {
        "seat 1 acolytes volcano green C 9 W 9 cults 5/5/5/5 bowls 4/4/4\n",
        "seat 1 dragonlords volcano green C 9 W 9 bowls 4/4/4\n",
    };
    static const char *const keys[] = {"pay", "tokens"};
    static const int told[] = {3, -1};
    for (int i = 0; i < 2; i++) {
        char position[300];
        snprintf(position, sizeof position,
                 "%sbuild 1 D E6\nterrain volcano E6\nseat 2 giants\n"
                 "build 2 D I5\n",
                 seats[i]);
        lay(position);
        json_t *json = scene(0);
        const json_t *plan = find(json, "plans", "text", "dig 1. build E7");
        const json_t *change =
            json_object_get(json_object_get(plan, "effect"), "seat_change");
        assert_int_equal(number(change, keys[i]), told[i]);
        assert_null(json_object_get(plan, "spades"));
        assert_string_equal(json_string_value(json_object_get(plan, "terrain")),
                            "volcano");
        json_decref(json);
    }
}

/* ---- random games ---- */

/* The income told before the round is what comes in. */
static void check_next_income(const struct state *before)
{
    for (int seat = 0; seat < world.seats; seat++) {
        const struct seat *p = &before->seat[seat], *q = &now.seat[seat];
        struct income sum = income_sum(&now, seat);
        if (q->unlock_due || p->faction == NO_FACTION)
            continue;
        assert_int_equal(q->coins - p->coins, sum.coins);
        assert_int_equal(q->workers - p->workers, sum.workers);
    }
}

static void test_play(void **state)
{
    static action legal[GAME_ACTIONS];
    struct rng chance = random_source(game, 815);
    int games = test_scale(4, 20, 100);
    (void)state;
    for (int i = 0; i < games; i++) {
        struct setup setup;
        struct fault f = {0};
        int count;
        do
            random_setup(game, 2 + i % 4, &chance, &setup);
        while (!game->prepare(&world, &setup, &f));
        game->start(&world, &setup, &now);
        for (;;) {
            struct state before = now;
            int seat = random_seat(game, &world, &now, &chance, legal, &count);
            if (seat == SEAT_NONE)
                break;
            action a = legal[rng_below(&chance, count)];
            game->apply(&world, &now, seat, a);
            if (before.phase == PHASE_CULT && now.phase == PHASE_INCOME)
                check_next_income(&before);
            if (rng_below(&chance, 20) == 0)
                json_decref(scene(rng_below(&chance, world.seats)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_income),
        cmocka_unit_test(test_projected),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_towns),
        cmocka_unit_test(test_offers),
        cmocka_unit_test(test_towns_held),
        cmocka_unit_test(test_towns_told),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_plans_after_digging),
        cmocka_unit_test(test_plans_behind_spaces),
        cmocka_unit_test(test_volcano_costs),
        cmocka_unit_test(test_play),
        cmocka_unit_test(test_standing_rules),
        cmocka_unit_test(test_promised_offers),
    };
    return cmocka_run_group_tests_name("mystica scenes", tests, NULL, NULL);
}
