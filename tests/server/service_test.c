/* tests/server/service_test.c: what the server does for those who are away,
 * plan or look back. */
#include "tests/server/harness.h"

#include "base/rng.h"

#define MYSTICA "game: mystica\nseats: 2\n"
#define TERRAX  "game: terrax\nseats: 2\n"

static int begin(void **state)
{
    (void)state;
    harness_open(&store_memory, "", 0);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    harness_close();
    return 0;
}

static const struct table *table_of(const char *id)
{
    const struct table *t = dict_find(&hub->tables, id);
    assert_non_null(t);
    return t;
}

static struct person *sitting(const char *id, struct person **people, int count,
                              int seat)
{
    for (int i = 0; i < count; i++)
        if (seat_of(people[i], id) == seat)
            return people[i];
    return NULL;
}

/* ---- standing rules ---- */

static int own_answers(const struct table *t, int seat)
{
    int count = 0;
    for (int64_t i = 1; i <= t->seq; i++)
        count += t->marks[i].seat == seat && strcmp(t->marks[i].key, "-") == 0;
    return count;
}

/* Seat 1 builds beside seat 2, who is offered 2 power for 1 point. */
#define BESIDE                                                                 \
    "game: mystica\nseats: 2\nstart: round 3 actions active 1\n"               \
    "\tscore SCORE2 SCORE3 SCORE4 SCORE5 SCORE6 SCORE7\n"                      \
    "\tcards BON1 BON2 BON3 BON5 BON7\n"                                       \
    "\tseat 1 auren green green vp 31 C 20 W 20 P 1 bowls 4/4/2 "              \
    "cults 3/2/0/1 card BON5 has FAV7+FAV9\n"                                  \
    "\tbuild 1 D F4 D1\n\tbuild 1 TP E7\n\tbuild 1 TE E6\n"                    \
    "\tseat 2 giants vp 22 C 0 W 0 P 0 bowls 5/1/6 cults 1/2/0/0\n"            \
    "\tbuild 2 TP D4\n\tbuild 2 D I5\n"

static void build_beside(const char *rule, int answers)
{
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(BESIDE, "none", 0, two, 2));
    const struct table *t = table_of(id);
    struct person *builder = sitting(id, two, 2, 0);
    struct person *beside = sitting(id, two, 2, 1);
    assert_non_null(
        say(beside, "standing", "{s:s,s:s}", "table", id, "rule", rule));
    person_leave(beside); /* the rule works while nobody is there */
    if (!say(builder, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
             "upgrade E6 to SA; +FAV10; done", "key", "k", "seq",
             (json_int_t)t->seq))
        fail_msg("%s", error_of(builder));
    assert_int_equal(own_answers(t, 1), answers);
    assert_int_equal(own_answers(t, 0), 0);
}

static void the_server_answers_by_a_standing_rule(void **state)
{
    (void)state;
    build_beside("1", 1);
}

static void a_standing_rule_can_leave_it_open(void **state)
{
    (void)state;
    build_beside("ask", 0);
}

/* Asked already, then settled: the answer comes at once. */
static void a_new_rule_answers_what_is_open(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(BESIDE, "none", 0, two, 2));
    const struct table *t = table_of(id);
    say(sitting(id, two, 2, 0), "play", "{s:s,s:s,s:s,s:I}", "table", id,
        "line", "upgrade E6 to SA; +FAV10; done", "key", "k", "seq",
        (json_int_t)t->seq);
    struct person *beside = sitting(id, two, 2, 1);
    say(beside, "standing", "{s:s,s:s}", "table", id, "rule", "never");
    assert_int_equal(own_answers(t, 1), 1);
    json_t *log = json_object_get(event_of(beside, "table"), "log");
    json_t *last = json_array_get(log, json_array_size(log) - 1);
    assert_string_equal(text_at(last, "text"), "decline 2 from auren");
}

static void rules_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(MYSTICA, "none", 0, two, 2));
    assert_null(
        say(two[0], "standing", "{s:s,s:s}", "table", id, "rule", "mostly"));
    assert_string_equal(error_of(two[0]), "field");
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    assert_null(
        say(two[0], "standing", "{s:s,s:s}", "table", id, "rule", "always"));
    assert_string_equal(error_of(two[0]), "field");
}

/* It can be chosen before the match begins, is told to nobody else, and goes
 * with the one who gives the seat up. */
static void a_standing_rule_is_its_players_secret(void **state)
{
    (void)state;
    struct person *ann = guest("Ann"), *bob = guest("Bob");
    json_t *made = say(ann, "create", "{s:s}", "setup", MYSTICA);
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    assert_non_null(
        say(ann, "standing", "{s:s,s:s}", "table", id, "rule", "7"));
    json_t *seen = say(ann, "watch", "{s:s}", "table", id);
    assert_string_equal(text_at(seen, "standing"), "7");
    assert_true(json_array_size(json_object_get(seen, "standings")) > 3);
    assert_non_null(say(bob, "join", "{s:s}", "table", id));
    seen = say(bob, "watch", "{s:s}", "table", id);
    assert_string_equal(text_at(seen, "standing"), "ask");
    struct person *eve = guest("Eve");
    seen = say(eve, "watch", "{s:s}", "table", id);
    assert_null(json_object_get(seen, "standing"));
    assert_null(strstr(bob->heard, "\"rule\""));
    assert_null(strstr(eve->heard, "\"rule\""));

    made = say(ann, "create", "{s:s}", "setup", MYSTICA);
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    say(bob, "join", "{s:s}", "table", id);
    made = say(ann, "create", "{s:s}", "setup", "game: mystica\nseats: 3\n");
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    say(bob, "join", "{s:s}", "table", id);
    say(bob, "standing", "{s:s,s:s}", "table", id, "rule", "always");
    int seat = seat_of(bob, id);
    assert_string_equal(table_of(id)->seat[seat].rule, "always");
    assert_non_null(say(bob, "leave", "{s:s}", "table", id));
    assert_string_equal(table_of(id)->seat[seat].rule, "");
}

/* ---- planning ---- */

/* The record a seat gets opens as a match of its own, where the planned turn
 * is tried; what was found there is then played here. */
static void plan_and_play(const char *setup, struct person **two, uint64_t seed)
{
    static action legal[GAME_ACTIONS];
    char id[ID_BYTES], text[256];
    snprintf(id, sizeof id, "%s", table_with(setup, "none", 0, two, 2));
    const struct table *t = table_of(id);
    struct rng rng = {seed};
    for (int i = 0; i < 60 && t->status == TABLE_RUNNING; i++) {
        int seat = match_seat(t->match);
        struct person *p = sitting(id, two, 2, seat);
        struct fault f = {0};
        json_t *ok = say(p, "record", "{s:s}", "table", id);
        const char *record = text_at(ok, "text");
        struct match *plan = match_read(t->game, match_format(t->game, NULL),
                                        record, strlen(record), NULL, &f);
        if (!plan)
            fail_msg("a seat's record is refused: %s\n%s",
                     fault_text(t->game, f.code)->phrase, record);
        assert_int_equal(match_seat(plan), seat);
        assert_int_equal(match_count(plan), match_count(t->match));
        int count =
            t->game->legal(match_world(plan), match_state(plan), seat, legal);
        action a = legal[rng_below(&rng, count)];
        t->game->write_action(match_world(plan), match_state(plan), seat, a,
                              seat, text, sizeof text);
        match_play(plan, seat, a);
        match_close(plan);
        char key[16];
        snprintf(key, sizeof key, "plan%d", i);
        if (!say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line", text,
                 "key", key, "seq", (json_int_t)t->seq))
            fail_msg("what was planned is refused here: %s", text);
    }
}

static void a_turn_is_planned_on_the_seats_own_record(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    plan_and_play(NOVA, two, 1);
    plan_and_play(TERRAX, two, 2);
    plan_and_play(MYSTICA, two, 3);
    plan_and_play(HIDDEN, two, 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(the_server_answers_by_a_standing_rule),
        TEST(a_standing_rule_can_leave_it_open),
        TEST(a_new_rule_answers_what_is_open),
        TEST(rules_that_do_not_exist_are_refused),
        TEST(a_standing_rule_is_its_players_secret),
        TEST(a_turn_is_planned_on_the_seats_own_record),
    };
    return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
