/* tests/rules/nova/action_test.c: actions as text (nova §11.1), seats, ends
 * and leaving, as far as the worked examples do not show them. */
#include "tests/rules/nova/both.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/rules.h"

#define LAND                                                                   \
    "a a b b c c d\n a a b b c c d\na a b b c c d\n a a b b c c d\n"           \
    "a a b b c c d\n"

static const struct game *nova(void)
{
    return rules_find("nova");
}

static struct match *open_match(const struct both_setup *how)
{
    static char given[16384];
    struct setup setup;
    struct fault f = {0};
    game_setup(how, &setup, given, sizeof given);
    struct match *m = match_open(nova(), &setup, &f);
    assert_non_null(m);
    return m;
}

static void position_is(const struct match *m, const char *wanted)
{
    char text[REFERENCE_TEXT];
    nova()->write_state(match_world(m), match_state(m), text, sizeof text);
    assert_string_equal(text, wanted);
}

/* A typed line holds a whole turn, and goes on into the next. */
static void test_typed_line(void **unused)
{
    (void)unused;
    struct match *m = open_match(
        &(struct both_setup){.land = LAND,
                             .colours = "yr",
                             .options = "quiet=0",
                             .start = "6y/7/3y3/7/r6 yr y1 - 0,0 20 0"});
    struct fault f = {0};
    assert_true(match_type(m, 0, "c5-c6 *c7, c6-c5; e3-e4", &f));
    position_is(m, "6y/7/3y1#1/7/1r5 yr r2:e3>e4 - 0,0 19 0");
    assert_false(match_type(m, 1, "*e5 *a1", &f));
    TEST_FAULT_NAMED(nova(), &f, "illegal.stone-apart");
    assert_int_equal(f.column, 5);
    position_is(m, "6y/7/3y1#1/7/1r5 yr r2:e3>e4 - 0,0 19 0");
    match_close(m);
}

static void test_wrong_seat(void **unused)
{
    (void)unused;
    struct both b;
    struct fault f = {0};
    action a;
    size_t used;
    both_open(&b,
              &(struct both_setup){.land = LAND,
                                   .colours = "yr",
                                   .options = "quiet=0",
                                   .start = "6y/7/7/7/r6 yr y1 - 0,0 20 0"});
    assert_false(
        nova()->read_action(b.world, b.state, 1, "e3-e4", &a, &used, &f));
    TEST_FAULT(nova(), &f, FAULT_TURN);
    assert_false(nova()->read_action(b.world, b.state, 0, "", &a, &used, &f));
    TEST_FAULT(nova(), &f, FAULT_SYNTAX);
    nova()->stop(b.world, b.state, ENDING_AGREED, SEAT_NONE);
    assert_false(
        nova()->read_action(b.world, b.state, 0, "a7-a6", &a, &used, &f));
    TEST_FAULT(nova(), &f, FAULT_OVER);
    assert_int_equal(nova()->legal(b.world, b.state, 0, &a), 0);
    both_close(&b);
}

/* Writers tell the length they need and never write beyond their room. */
static void test_small_buffers(void **unused)
{
    (void)unused;
    struct both b;
    char text[REFERENCE_TEXT], small[8];
    static action list[GAME_ACTIONS];
    both_open(&b,
              &(struct both_setup){.land = LAND,
                                   .colours = "yr",
                                   .options = "quiet=0",
                                   .start = "6y/7/7/7/r6 yr y1 - 0,0 20 0"});
    int length = nova()->write_state(b.world, b.state, text, sizeof text);
    memset(small, 'x', sizeof small);
    assert_int_equal(nova()->write_state(b.world, b.state, small, 5), length);
    assert_string_equal(small, "6y/7");
    assert_int_equal(small[5], 'x');
    assert_int_equal(nova()->write_state(b.world, b.state, NULL, 0), length);
    nova()->legal(b.world, b.state, 0, list);
    length = nova()->write_action(b.world, b.state, 0, list[0], 0, text,
                                  sizeof text);
    assert_int_equal(
        nova()->write_action(b.world, b.state, 0, list[0], 0, small, 3),
        length);
    assert_memory_equal(small, text, 2);
    both_close(&b);
}

/* ---- who wins (nova §8, Q15) ---- */

static void places_are(const struct both_setup *how, const char *position,
                       const char *wanted)
{
    struct both b;
    struct result r;
    struct fault f = {0};
    both_open(&b, how);
    assert_true(nova()->read_state(b.world, position, b.state, &f));
    nova()->result(b.world, b.state, &r);
    for (int seat = 0; wanted[seat]; seat++)
        assert_int_equal(r.place[seat], wanted[seat] - '0');
    both_close(&b);
}

static void test_ties(void **unused)
{
    (void)unused;
    struct both_setup how = {.land = LAND, .colours = "yrb"};
    const char *end = "y6/rrr4/bbbbb2/7/7 yrb =quiet - 20,20,8 20 30";
    places_are(&how, end, "113");
    how.options = "tie=pioneers";
    places_are(&how, end, "213");
    places_are(&how, "yyy4/rrr4/bbbbb2/7/7 yrb =quiet - 20,20,8 20 30", "113");
    places_are(&how, "yyy4/rrr4/bbbbb2/7/7 yrb =quiet - 2,20,8 20 30", "312");
}

/* ---- breaking off and leaving ---- */

static void test_stop(void **unused)
{
    (void)unused;
    struct both b;
    struct result r;
    both_open(&b, &(struct both_setup){
                      .land = LAND,
                      .colours = "yrb",
                      .options = "quiet=0",
                      .start = "6y/7/7/7/r5b yrb y2:a6>a7 - 9,3,9 20 4"});
    nova()->stop(b.world, b.state, ENDING_RESIGN, 0);
    char text[REFERENCE_TEXT];
    game_position(&b, text);
    assert_string_equal(text, "6y/7/7/7/r5b yrb =resign - 9,3,9 20 4");
    nova()->result(b.world, b.state, &r);
    assert_int_equal(r.reason, ENDING_RESIGN);
    assert_int_equal(r.place[0], 3); /* never among the winners */
    assert_int_equal(r.place[1], 2);
    assert_int_equal(r.place[2], 1);
    nova()->stop(b.world, b.state, ENDING_TIME, 1); /* it is over already */
    nova()->drop(b.world, b.state, 1);
    nova()->result(b.world, b.state, &r);
    assert_int_equal(r.reason, ENDING_RESIGN);
    both_close(&b);
}

/* A seat that leaves takes its pioneers along; its turns are passes, but
 * nobody is asked for them. */
static void test_drop(void **unused)
{
    (void)unused;
    struct match *m = open_match(
        &(struct both_setup){.land = LAND,
                             .colours = "yrb",
                             .options = "quiet=0",
                             .start = "6y/7/7/7/r5b yrb y2:a6>a7 - 9,3,5 20 "
                                      "4"});
    struct fault f = {0};
    struct result r;
    match_drop(m, 0);
    position_is(m, "7/7/7/7/r5b Yrb r1 - 9,3,5 20 5");
    match_drop(m, 0); /* gone is gone */
    assert_true(match_type(m, 1, "e3-e4 e4-e5 e5-e6", &f));
    assert_true(match_type(m, 2, "e9-e8 e8-e7 *e8", &f));
    position_is(m, "7/7/7/7/3rb#1 Yrb r1 - 9,3,5 19 1");
    nova()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.place[0], 3);
    match_drop(m, 2);
    assert_true(match_over(m));
    nova()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.reason, ENDING_RESIGN);
    assert_int_equal(r.place[1], 1);
    match_close(m);
}

/* A seat that leaves while pioneers are placed: the round goes on without. */
static void test_drop_placing(void **unused)
{
    (void)unused;
    struct match *m = open_match(&(struct both_setup){
        .land = LAND, .colours = "yrb", .options = "pioneers=2 stones=35"});
    struct fault f = {0};
    assert_true(match_type(m, 0, "+a1 +a2", &f));
    match_drop(m, 1);
    position_is(m, "y6/7/7/7/7 yRb b0 1,1,2 0,0,0 35 0");
    assert_true(match_type(m, 2, "+e9 +a3", &f));
    position_is(m, "y1y4/7/7/7/6b yRb b0 0,0,1 0,0,0 35 0");
    assert_true(match_type(m, 2, "+e8", &f));
    position_is(m, "y1y4/7/7/7/5bb yRb y1 - 0,0,0 35 0");
    match_close(m);
}

/* With wiped = end only seats wiped out by a scoring count. */
static void test_drop_wiped(void **unused)
{
    (void)unused;
    struct match *m = open_match(
        &(struct both_setup){.land = LAND,
                             .colours = "yrb",
                             .options = "quiet=0 wiped=end",
                             .start = "6y/7/7/7/r5b yrb y1 - 9,3,5 20 0"});
    match_drop(m, 0);
    assert_false(match_over(m));
    match_close(m);
}

/* ---- fences: undo stops where a turn ends ---- */

static void test_undo(void **unused)
{
    (void)unused;
    struct match *m = open_match(
        &(struct both_setup){.land = LAND,
                             .colours = "yr",
                             .options = "quiet=0",
                             .start = "6y/7/3y3/7/r6 yr y1 - 0,0 20 0"});
    struct fault f = {0};
    assert_true(match_type(m, 0, "c5-c6 *c7", &f));
    assert_true(match_undo(m, false));
    assert_true(match_undo(m, false));
    position_is(m, "6y/7/3y3/7/r6 yr y1 - 0,0 20 0");
    assert_true(match_type(m, 0, "c5-c6 *c7 a7-a6", &f));
    assert_false(match_undo(m, false)); /* the turn is over */
    assert_true(match_undo(m, true));
    position_is(m, "6y/7/4y#1/7/r6 yr y3:c5>c6*1 - 0,0 19 0");
    match_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_line),    cmocka_unit_test(test_wrong_seat),
        cmocka_unit_test(test_small_buffers), cmocka_unit_test(test_ties),
        cmocka_unit_test(test_stop),          cmocka_unit_test(test_drop),
        cmocka_unit_test(test_drop_placing),  cmocka_unit_test(test_drop_wiped),
        cmocka_unit_test(test_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
