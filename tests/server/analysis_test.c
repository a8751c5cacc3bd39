/* tests/server/analysis_test.c: finished games are judged step by step, on a
 * server that is alone with its file.  Several processes: shared_test.c. */
#include "tests/server/harness.h"

#define TERRAX "game: terrax\nseats: 2\n"

enum { PLAYS = 4, STEPS = PLAYS + 1 }; /* somebody resigns */

static void play_some(const char *id, struct person **two)
{
    const struct table *t = dict_find(&hub->tables, id);
    char text[256], key[16];
    for (int i = 0; i < PLAYS; i++) {
        struct person *p = to_act(id, two, 2, text, sizeof text);
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                            text, "key", key, "seq", (json_int_t)t->seq));
    }
}

/* Somebody who looks at a finished game. */
static struct person *finished_game(const char *setup, char *id)
{
    struct person *two[] = {guest("Ann"), guest("Bob")};
    snprintf(id, ID_BYTES, "%s", table_with(setup, "none", 0, two, 2));
    play_some(id, two);
    assert_non_null(say(two[0], "resign", "{s:s}", "table", id));
    return two[0];
}

static json_t *judged(struct person *p, const char *id)
{
    json_t *answer = say(p, "analyse", "{s:s}", "table", id);
    if (!answer)
        fail_msg("%s", error_of(p));
    assert_int_equal(json_integer_value(json_object_get(answer, "steps")),
                     STEPS);
    return json_object_get(answer, "judged");
}

/* Its last word comes to who watches; meson ends what never comes. */
static void wait_for_all(struct person *p)
{
    const json_t *e;
    while (!(e = event_of(p, "analysis")) ||
           json_integer_value(json_object_get(e, "count")) < STEPS)
        harness_wait(2500);
}

/* What is said to be best can be played there. */
static void best_is_legal(const struct table *t, const json_t *list)
{
    struct state *s = sure(malloc(t->game->state_size));
    for (int i = 0; i < PLAYS; i++) {
        const json_t *one = json_array_get(list, (size_t)i);
        const struct step *step = match_step(t->match, i);
        struct fault f = {0};
        action a;
        size_t used;
        match_at(t->match, i, s);
        assert_true(t->game->read_action(match_world(t->match), s, step->seat,
                                         text_at(one, "best"), &a, &used, &f));
        assert_true(json_is_integer(json_object_get(one, "best_lead")));
        assert_int_equal(json_array_size(json_object_get(one, "points")), 2);
    }
    free(s);
}

static void judge_all(const char *setup)
{
    char id[ID_BYTES];
    struct person *p = finished_game(setup, id);
    assert_true(json_array_size(judged(p, id)) < STEPS);
    wait_for_all(p);
    json_t *list = judged(p, id);
    assert_int_equal(json_array_size(list), STEPS);
    best_is_legal(dict_find(&hub->tables, id), list);
    const json_t *end = json_array_get(list, PLAYS);
    assert_int_equal(json_object_size(end), 0); /* was no action */
    harness_wait(2500);
    assert_null(hub->judging);
}

static void a_finished_game_is_judged(void **state)
{
    (void)state;
    judge_all(NOVA);
}

static void also_one_with_hidden_cards(void **state)
{
    (void)state;
    judge_all(TERRAX);
}

static void on_count(void *context, const struct store_answer *a)
{
    *(int *)context = a->count;
}

static int stored(const char *id)
{
    char log[ID_BYTES + 16];
    int lines = -1;
    snprintf(log, sizeof log, "analysis:%s", id);
    store_lines(hub->set.store, log, 0, on_count, &lines);
    store_settle(hub->set.store);
    return lines;
}

static void it_goes_on_after_a_restart(void **state)
{
    char id[ID_BYTES], token[TOKEN_BYTES];
    (void)state;
    struct person *p = finished_game(NOVA, id);
    judged(p, id);
    assert_non_null(hub->judging); /* is at it */
    snprintf(token, sizeof token, "%s", p->token);
    harness_restart();
    assert_true(stored(id) < STEPS);
    p = person_new(token);
    assert_non_null(say(p, "watch", "{s:s}", "table", id));
    harness_wait(31000); /* the claim of the one before is over */
    wait_for_all(p);     /* and nobody has asked again */
    assert_int_equal(json_array_size(judged(p, id)), STEPS);
}

/* Not even if there were a job. */
static void a_game_in_play_is_not_judged(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(TERRAX, "none", 0, two, 2));
    play_some(id, two);
    assert_null(say(two[0], "analyse", "{s:s}", "table", id));
    assert_string_equal(error_of(two[0]), "state");
    struct store_change c = {STORE_OFFER, "analysis", id, 0, 0, ""};
    store_write(hub->set.store, &c, 1, NULL, NULL);
    for (int i = 0; i < 5; i++)
        harness_wait(2500);
    assert_null(hub->judging);
    assert_int_equal(stored(id), 0);
    assert_null(event_of(two[0], "analysis"));
}

static void asking_is_limited(void **state)
{
    (void)state;
    char id[ID_BYTES];
    struct person *p = finished_game(NOVA, id);
    hub->set.thoughtless = true; /* others would think */
    for (int i = 0; i < 10; i++)
        assert_int_equal(json_array_size(judged(p, id)), 0);
    assert_null(say(p, "analyse", "{s:s}", "table", id));
    assert_string_equal(error_of(p), "flood");
    test_now += 6000;
    judged(p, id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(a_finished_game_is_judged),
        FILE_TEST(also_one_with_hidden_cards),
        FILE_TEST(it_goes_on_after_a_restart),
        FILE_TEST(a_game_in_play_is_not_judged),
        FILE_TEST(asking_is_limited),
    };
    return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
