/* tests/game/setup_test.c: setups, given lines and faults as text. */
#include "tests/random.h"

/* ---- setups ---- */

static void check_round_trip(const struct game *game, struct rng *r)
{
    struct setup setup, back;
    struct fault f = {0};
    char text[8192];
    int span = game->seats_max - game->seats_min + 1;
    random_setup(game, game->seats_min + rng_below(r, span), r, &setup);
    setup.given =
        rng_below(r, 2) ? "board: x\nseats: of\n\tmany lines\n" : NULL;
    int length = setup_write(game, &setup, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
    setup_init(game, &back);
    assert_true(setup_read(game, text, &back, &f));
    assert_int_equal(back.seats, setup.seats);
    assert_true(back.seed == setup.seed);
    assert_memory_equal(back.option, setup.option, sizeof setup.option);
    assert_int_equal(back.given != NULL, setup.given != NULL);
    if (setup.given)
        assert_string_equal(back.given, setup.given);
}

static void test_round_trips(void **state)
{
    (void)state;
    for (int i = 0; rules_games[i]; i++) {
        struct rng r = random_source(rules_games[i], 7);
        for (int k = 0; k < test_scale(50, 500, 5000); k++)
            check_round_trip(rules_games[i], &r);
    }
}

static void refuse_setup(const char *text, int code, int line, int column)
{
    const struct game *blank = rules_find("blank");
    struct setup setup, before;
    struct fault f = {0};
    setup_init(blank, &setup);
    before = setup;
    assert_false(setup_read(blank, text, &setup, &f));
    TEST_FAULT(blank, &f, code);
    assert_int_equal(f.line, line);
    assert_int_equal(f.column, column);
    assert_memory_equal(&setup, &before, sizeof setup);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse_setup("game: chess\n", FAULT_FORMAT, 1, 7);
    refuse_setup("game: blank\nseats: 7\n", FAULT_SEATS, 2, 8);
    refuse_setup("game: blank\nseats:\n", FAULT_SEATS, 2, 7);
    refuse_setup("seed: 12\n", FAULT_VALUE, 1, 7);
    refuse_setup("seed: 00000000000000AB\n", FAULT_VALUE, 1, 7);
    refuse_setup("seats: 2\noption colour: red\n", FAULT_OPTION, 2, 1);
    refuse_setup("option edition: slow\n", FAULT_VALUE, 1, 1);
    refuse_setup("option rounds: 0\n", FAULT_VALUE, 1, 1);
    refuse_setup("option rounds: 10\n", FAULT_VALUE, 1, 1);
    refuse_setup("option variants: double+\n", FAULT_VALUE, 1, 1);
    refuse_setup("option variants: double+double\n", FAULT_VALUE, 1, 1);
    refuse_setup("option variants:\n", FAULT_VALUE, 1, 1);
}

static void test_values(void **state)
{
    (void)state;
    const struct game *blank = rules_find("blank");
    struct setup setup;
    struct fault f = {0};
    setup_init(blank, &setup);
    int variants = setup_find(blank, "variants");
    assert_true(setup_option(blank, &setup, span_of("variants"),
                             span_of("last+double"), &f));
    assert_int_equal(setup.option[variants], 3);
    assert_true(
        setup_option(blank, &setup, span_of("variants"), span_of("none"), &f));
    assert_int_equal(setup.option[variants], 0);
    char text[32];
    setup_write_value(&blank->options[variants], 0, text, sizeof text);
    assert_string_equal(text, "none");
    setup_write_value(&blank->options[variants], 3, text, sizeof text);
    assert_string_equal(text, "double+last");
    assert_int_equal(setup_find(blank, "colour"), -1);
    assert_null(rules_find("colour"));
}

/* What the text does not say stays as the caller had it. */
static void test_silence(void **state)
{
    (void)state;
    const struct game *blank = rules_find("blank");
    struct setup setup;
    struct fault f = {0};
    setup_init(blank, &setup);
    setup.seats = 4;
    setup.seed = 12;
    setup.option[0] = 1;
    assert_true(
        setup_read(blank, "game: blank\noption rounds: 2\n", &setup, &f));
    assert_int_equal(setup.seats, 4);
    assert_int_equal(setup.seed, 12);
    assert_int_equal(setup.option[0], 1);
    assert_int_equal(setup.option[1], 2);
    assert_null(setup.given);
}

/* ---- given ---- */

static void test_given(void **state)
{
    (void)state;
    const char *text = "start: here\r\nboard:\n\tone\n\t\n\tthree\nlast";
    const char *at = text;
    struct given item;
    int line = 0;
    char unfolded[64];
    assert_true(given_next(&at, &line, &item));
    assert_true(span_is(item.key, "start") && span_is(item.value, "here"));
    assert_int_equal(item.line, 1);
    assert_true(given_next(&at, &line, &item));
    assert_true(span_is(item.key, "board"));
    assert_int_equal(item.line, 2);
    assert_int_equal(given_unfold(item.value, unfolded, sizeof unfolded), 10);
    assert_string_equal(unfolded, "one\n\nthree");
    assert_true(given_next(&at, &line, &item));
    assert_true(span_is(item.key, "last") && item.value.length == 0);
    assert_int_equal(item.line, 6);
    assert_false(given_next(&at, &line, &item));
    at = NULL;
    assert_false(given_next(&at, &line, &item));
    assert_true(given_find(text, "board", &item));
    assert_false(given_find(text, "deck", &item));
    assert_false(given_find(NULL, "deck", &item));
}

static void check_given_round_trip(const char *value)
{
    char text[128], unfolded[128];
    struct given item;
    struct text t = text_begin(text, sizeof text);
    given_add(&t, "first", span_of("1"));
    given_add(&t, "key", span_of(value));
    given_add(&t, "after", span_of("2"));
    text_end(&t);
    assert_true(given_find(text, "key", &item));
    given_unfold(item.value, unfolded, sizeof unfolded);
    assert_string_equal(unfolded, value);
    assert_true(given_find(text, "after", &item) && span_is(item.value, "2"));
}

static void test_given_round_trips(void **state)
{
    (void)state;
    check_given_round_trip("");
    check_given_round_trip("one line");
    check_given_round_trip("two\nlines");
    check_given_round_trip("  blanks\n\n  kept  \nkey: not a key");
}

/* ---- faults ---- */

static void test_fault_texts(void **state)
{
    (void)state;
    const struct game *blank = rules_find("blank");
    struct fault f;
    char text[256];
    assert_false(fault_set(&f, FAULT_OPTION, 3, 4, "colour"));
    fault_write(blank, &f, text, sizeof text);
    assert_string_equal(text,
                        "setup.option: there is no such option: 'colour'");
    fault_set(&f, blank->faults[0].code, 0, 0, "");
    fault_write(blank, &f, text, sizeof text);
    assert_string_equal(text, "illegal.decided: this seat has decided already "
                              "(blank §2)");
    assert_string_equal(fault_text(NULL, 12345)->name, "none");
}

/* A subject from outside is shown on terminals: one line, whole characters. */
static void test_fault_subjects(void **state)
{
    (void)state;
    struct fault f;
    fault_set(&f, FAULT_SYNTAX, 1, 1, "a\033[31m\nb");
    assert_string_equal(f.subject, "a?[31m?b");
    char longer[2 * FAULT_SUBJECT + 1] = "a";
    for (int i = 0; i < FAULT_SUBJECT; i++)
        strcpy(longer + 1 + 2 * i, i == FAULT_SUBJECT - 1 ? "" : "\xc3\xa9");
    fault_set(&f, FAULT_SYNTAX, 1, 1, longer);
    assert_int_equal(strlen(f.subject), FAULT_SUBJECT - 1);
    fault_set(&f, FAULT_SYNTAX, 1, 1, longer + 1);
    assert_int_equal(strlen(f.subject), FAULT_SUBJECT - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_given_round_trips),
        cmocka_unit_test(test_fault_texts),
        cmocka_unit_test(test_fault_subjects),
    };
    return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
