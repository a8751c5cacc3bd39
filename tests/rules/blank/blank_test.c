/* tests/rules/blank/blank_test.c: the rules of Blank, paragraph by paragraph.
 *
 * Every case begins from a given position, so that all cards are known. */
#include "tests/test.h"

#include "base/rng.h"
#include "game/match.h"
#include "game/setup.h"
#include "rules/rules.h"

#define TWO_SEATS                                                              \
    "start: round 1 rng 0000000000000001 deck ....6135 end none single "       \
    "seat 0 5 none 0 seat 0 2 none 0\n"

static const struct game *blank(void)
{
    return rules_find("blank");
}

static struct match *open_with(const char *options, const char *given)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(blank(), &setup);
    struct span rest = span_of(options), pair;
    while ((pair = span_word(&rest)).length > 0) {
        struct span name = span_cut(&pair, '=');
        assert_true(setup_option(blank(), &setup, name, pair, &f));
    }
    setup.given = given;
    struct match *m = match_open(blank(), &setup, &f);
    assert_non_null(m);
    return m;
}

static void play(struct match *m, int seat, const char *line)
{
    struct fault f = {0};
    assert_true(match_type(m, seat, line, &f));
}

static void refuse(struct match *m, int seat, const char *line,
                   const char *name)
{
    struct fault f = {0};
    int count = match_count(m);
    assert_false(match_type(m, seat, line, &f));
    TEST_FAULT_NAMED(blank(), &f, name);
    assert_int_equal(match_count(m), count);
}

static void expect_points(const struct match *m, int first, int second)
{
    struct result r;
    blank()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.points[0], first);
    assert_int_equal(r.points[1], second);
}

/* §2: both seats must decide, in any order. */
static void test_deciding(void **state)
{
    (void)state;
    struct match *m = open_with("", TWO_SEATS);
    unsigned must, may;
    blank()->turn(match_world(m), match_state(m), &must, &may);
    assert_int_equal(must, 3);
    assert_int_equal(may, 0);
    play(m, 1, "stay");
    refuse(m, 1, "fold", "illegal.decided");
    blank()->turn(match_world(m), match_state(m), &must, &may);
    assert_int_equal(must, 1);
    assert_int_equal(may, 2);
    play(m, 0, "stay");
    expect_points(m, 1, -1);
    match_close(m);
}

/* §3: one seat that has decided may double, once. */
static void test_doubling(void **state)
{
    (void)state;
    struct match *m = open_with("", TWO_SEATS);
    refuse(m, 0, "double", "illegal.early");
    play(m, 0, "stay");
    play(m, 0, "double");
    refuse(m, 0, "double", "order.turn");
    refuse(m, 1, "double", "illegal.doubled");
    play(m, 1, "stay");
    expect_points(m, 2, -2);
    match_close(m);
    m = open_with("variants=none", TWO_SEATS);
    refuse(m, 0, "double", "illegal.single");
    match_close(m);
}

/* §4: equal cards all win; folded cards do nothing; the last round counts
 * twice with the variant `last`. */
static void test_showing(void **state)
{
    (void)state;
    struct match *m = open_with("rounds=2 variants=last", TWO_SEATS);
    play(m, 0, "fold");
    play(m, 1, "stay");
    expect_points(m, 0, 1);
    play(m, 0, "stay");
    play(m, 1, "stay");
    expect_points(m, 2, -1);
    assert_true(match_over(m));
    refuse(m, 0, "stay", "order.over");
    match_close(m);
}

/* §6: who leaves ranks last whatever the points; one seat left ends it. */
static void test_leaving(void **state)
{
    (void)state;
    struct match *m = open_with("", TWO_SEATS);
    struct result r;
    play(m, 0, "stay");
    play(m, 1, "stay");
    match_drop(m, 0);
    assert_true(match_over(m));
    blank()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.place[0], 2);
    assert_int_equal(r.place[1], 1);
    assert_int_equal(r.reason, ENDING_ABANDONED);
    match_close(m);
}

/* §6: the first to leave ranks behind all others. */
static void test_leaving_order(void **state)
{
    (void)state;
    struct setup setup;
    struct fault f = {0};
    struct result r;
    setup_init(blank(), &setup);
    setup.seats = 4;
    struct match *m = match_open(blank(), &setup, &f);
    match_drop(m, 2);
    assert_false(match_over(m));
    match_drop(m, 0);
    assert_false(match_over(m));
    blank()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.place[2], 4);
    assert_int_equal(r.place[0], 3);
    match_stop(m, ENDING_RESIGN, 1);
    blank()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.place[1], 2);
    assert_int_equal(r.place[3], 1);
    match_close(m);
}

static void expect_state(const struct match *m, const struct state *s,
                         const char *expected)
{
    char text[512];
    blank()->write_state(match_world(m), s, text, sizeof text);
    assert_string_equal(text, expected);
}

/* §1, §2: others see that a seat has decided, but neither how nor its card;
 * a guess fills in all of it. */
static void test_views(void **state)
{
    (void)state;
    struct match *m = open_with("", TWO_SEATS);
    struct state *view = malloc(blank()->state_size);
    struct rng chance;
    char text[512];
    play(m, 0, "stay");
    blank()->observe(match_world(m), match_state(m), 1, view);
    expect_state(m, view,
                 "round 1 rng hidden deck - end none single "
                 "seat 0 ? hidden 0 seat 0 2 none 0");
    rng_seed(&chance, 1);
    blank()->complete(match_world(m), view, 1, &chance);
    blank()->write_state(match_world(m), view, text, sizeof text);
    assert_null(strchr(text, '?'));
    assert_null(strstr(text, "hidden"));
    blank()->observe(match_world(m), match_state(m), 0, view);
    expect_state(m, view,
                 "round 1 rng hidden deck - end none single "
                 "seat 0 5 stay 0 seat 0 ? none 0");
    free(view);
    match_close(m);
}

/* §7: hidden choices are for one seat's records only; words are words. */
static void test_words(void **state)
{
    (void)state;
    struct match *m = open_with("", TWO_SEATS);
    refuse(m, 0, "?", "illegal.unseen");
    refuse(m, 0, "stays", "text.syntax");
    match_close(m);
}

static void refuse_setup(const char *given, const char *name, int column)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(blank(), &setup);
    setup.given = given;
    assert_null(match_open(blank(), &setup, &f));
    TEST_FAULT_NAMED(blank(), &f, name);
    assert_int_equal(f.column, column);
}

static void test_given(void **state)
{
    (void)state;
    char longer[1024] = "start:";
    memset(longer + 6, 'x', sizeof longer - 7);
    refuse_setup(longer, "text.size", 1);
    refuse_setup("cards: 1 2 3\n", "setup.given", 1);
    refuse_setup("start: round 4\n", "position.wrong", 7);
    refuse_setup("start: round 1 rng 0000000000000001 deck 7 end none "
                 "single seat 0 5 none 0 seat 0 2 none 0\n",
                 "position.wrong", 35);
    refuse_setup("start: round 1 rng 0000000000000001 deck - end none "
                 "single seat 0 5 stay 0 seat 0 2 stay 0\n",
                 "position.wrong", 84);
}

static struct match *read_text(const char *text, struct fault *f)
{
    return match_read(blank(), match_format(blank(), NULL), text, strlen(text),
                      NULL, f);
}

static void refuse_record(const char *log, const char *name, int line,
                          int column)
{
    char text[1024];
    struct fault f = {0};
    snprintf(text, sizeof text, "game: blank\nseats: 2\n" TWO_SEATS "\n%s",
             log);
    assert_null(read_text(text, &f));
    TEST_FAULT_NAMED(blank(), &f, name);
    assert_int_equal(f.line, line);
    assert_int_equal(f.column, column);
}

static void test_records(void **state)
{
    (void)state;
    refuse_record("1 stay\n1 fold\n", "illegal.decided", 6, 3);
    refuse_record("3 stay\n", "record.line", 5, 1);
    refuse_record("1 stay fold\n", "record.line", 5, 3);
    refuse_record("1 stay\n2 stay\nresult none 1 1\n", "record.result", 7, 1);
    struct fault f = {0};
    assert_null(read_text("game: nova\n", &f));
    TEST_FAULT_NAMED(blank(), &f, "text.format");
}

/* §7: one seat's record tells its own cards, those that were shown, and no
 * others. */
static void test_one_seats_record(void **state)
{
    (void)state;
    char text[1024];
    struct fault f = {0};
    struct match *m = open_with("", TWO_SEATS);
    play(m, 0, "stay");
    play(m, 1, "fold");
    play(m, 1, "stay");
    match_write(m, match_format(blank(), NULL), match_count(m), 0, text,
                sizeof text);
    assert_string_equal(text,
                        "game: blank\nseats: 2\nseed: 0000000000000000\n"
                        "start: round 1 rng hidden deck ....6 end none single "
                        "seat 0 5 none 0 seat 0 ? none 0\n\n"
                        "1 stay\n2 fold\n2 ?\n");
    match_close(m);
    m = read_text(text, &f);
    assert_non_null(m);
    expect_points(m, 1, 0);
    match_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deciding),
        cmocka_unit_test(test_doubling),
        cmocka_unit_test(test_showing),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_leaving_order),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_one_seats_record),
    };
    return cmocka_run_group_tests_name("blank", tests, NULL, NULL);
}
