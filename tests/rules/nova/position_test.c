/* tests/rules/nova/position_test.c: positions read and written (nova §11.3).
 *
 * What one reader refuses the other refuses too. */
#include "tests/rules/nova/both.h"

#include "rules/rules.h"

/* Seven columns in five rows, landscapes a to d from left to right. */
#define LAND                                                                   \
    "a a b b c c d\n a a b b c c d\na a b b c c d\n a a b b c c d\n"           \
    "a a b b c c d\n"
#define ISLET "2y2/y3r1/5y1/6r1/7/1r1r2/1y3/1ry1 yr y1 - 0,0 26 0"

static bool game_reads(const struct both *b, const char *text, struct fault *f)
{
    struct state *s = calloc(1, b->game->state_size);
    struct state *untouched = calloc(1, b->game->state_size);
    memset(s, 0x5a, b->game->state_size);
    memset(untouched, 0x5a, b->game->state_size);
    bool good = b->game->read_state(b->world, text, s, f);
    if (good) {
        char again[REFERENCE_TEXT];
        b->game->write_state(b->world, s, again, sizeof again);
        assert_string_equal(again, text);
    } else {
        assert_memory_equal(s, untouched, b->game->state_size);
    }
    free(s);
    free(untouched);
    return good;
}

static void accept(const struct both *b, const char *text)
{
    struct reference_state s;
    struct fault f = {0};
    const char *why;
    char again[REFERENCE_TEXT];
    if (!reference_read(&b->rules, text, &s, &why))
        fail_msg("reference refuses %s: %s", text, why);
    reference_write(&b->rules, &s, again);
    assert_string_equal(again, text);
    if (!game_reads(b, text, &f))
        fail_msg("game refuses %s: %s", text,
                 fault_text(b->game, f.code)->name);
}

static void refuse(const struct both *b, const char *text, const char *name)
{
    struct reference_state s;
    struct fault f = {0};
    const char *why;
    if (reference_read(&b->rules, text, &s, &why))
        fail_msg("reference takes %s", text);
    if (game_reads(b, text, &f))
        fail_msg("game takes %s", text);
    if (strcmp(fault_text(b->game, f.code)->name, name) != 0)
        print_error("%s\n", text);
    TEST_FAULT_NAMED(b->game, &f, name);
}

static void open_land(struct both *b, const char *colours, const char *options)
{
    both_open(b, &(struct both_setup){
                     .land = LAND, .colours = colours, .options = options});
}

static void test_good(void **unused)
{
    (void)unused;
    static const char *const good[] = {
        "7/7/3y3/7/7 yr y1 - 0,0 20 0",
        "7/7/3y3/7/7 yr r1 - 0,0 20 0",
        "7/7/4y2/7/7 yr y2:c5>c6 - 0,0 20 0",
        "7/7/3y3/7/7 yr y3:c5>c5 - 0,0 20 0",
        "7/7/4y2/7/7 yr y3:c5>c6 - 0,0 20 0",
        "7/7/4y#1/7/7 yr y3:c5>c6*1 - 0,0 19 0",
        "1y5/7/3r3/7/5y1 yr y3:a1>a2:e9>e8 - 0,0 20 0",
        "y6/7/7/7/7 yr y3:c3>x*1 - 0,0 20 0",
        "7/7/7/7/7 yr y0 1,1 0,0 20 0",
        "7/7/3y3/7/7 yr r0 0,1 0,0 20 0",
        "7/7/3y3/7/7 yr r0 16,17 0,0 20 0",
        "7/7/7/7/7 yr =alone - 0,0 20 0",
        "7/7/3y3/7/7 yr =quiet - 4,4 20 12",
        "7/7/3y3/7/7 yr =resign - 0,0 20 0",
        "7/7/3y3/7/7 yr =time - 0,0 20 0",
        "7/7/3y3/7/7 yr =abandoned - 0,0 20 0",
        "7/7/3y3/7/7 yr =agreed 0,1 0,0 20 0",
        "7/7/7/7/7 yr =agreed 3,3 0,0 20 0",
        "#######/7/7/7/yryryry yr y1 - 999999,0 999999 999999",
    };
    struct both b;
    open_land(&b, "yr", "quiet=0");
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        accept(&b, good[i]);
    both_close(&b);
}

static void test_bad(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        /* fields */
        {"", "position.fields"},
        {" ", "position.fields"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20", "position.fields"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 0 0", "position.fields"},
        {"7/7/3y3/7/7  yr y1 - 0,0 20 0", "position.fields"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 0 ", "position.fields"},
        {" 7/7/3y3/7/7 yr y1 - 0,0 20 0", "position.fields"},
        /* rows */
        {"7/7/3y3/7 yr y1 - 0,0 20 0", "position.rows"},
        {"7/7/3y3/7/7/7 yr y1 - 0,0 20 0", "position.rows"},
        {"7/7/3y3/7/7/ yr y1 - 0,0 20 0", "position.rows"},
        {"7/7/3y3/7/6 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3y3/7/8 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3y4/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7//7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3y30/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/0y6/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/y06/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3y9999999/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3b3/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3Y3/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/3*3/7/7 yr y1 - 0,0 20 0", "position.row"},
        {"7/7/7yyy/7/7 yr y1 - 0,0 20 0", "position.row"},
        /* seats */
        {"7/7/3y3/7/7 ry y1 - 0,0 20 0", "position.seats"},
        {"7/7/3y3/7/7 yrb y1 - 0,0,0 20 0", "position.seats"},
        {"7/7/3y3/7/7 y y1 - 0 20 0", "position.seats"},
        {"7/7/3y3/7/7 yy y1 - 0,0 20 0", "position.seats"},
        /* active */
        {"7/7/3y3/7/7 yr b1 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y4 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y01 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y1x - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y1:c4>c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y1*1 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y0:c4>c5 1,1 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c5>c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c4>x - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c4>c5*1 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c4>c6 - 0,0 20 0", "position.active"},
        {"7/7/3r3/7/7 yr y2:c4>c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:z9>c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c04>c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c4-c5 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y2:c4>c5: - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3*1 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3:c4>x - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3:c5>c5*1 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3:c4>c5*2 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3:c4>c5*0 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr y3:c4>c5* - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c4>c5:c7>c6*1 - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c4>c5:c4>c6 - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c4>c5:c7>c5 - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c5>c5:c7>c6 - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c4>c5:c6>c6 - 0,0 20 0", "position.active"},
        {"7/7/3yy2/7/7 yr y3:c4>x:c7>c6 - 0,0 20 0", "position.active"},
        {"7/7/3yyy1/7/7 yr y3:a1>c5:a2>c6:a3>c7 - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr = - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr =none - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr =bored - 0,0 20 0", "position.active"},
        {"7/7/3y3/7/7 yr =alone! - 0,0 20 0", "position.active"},
        /* hands */
        {"7/7/3y3/7/7 yr y1 1,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y1 0,0 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 - 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 0,0 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 1,1,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 1,1, 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 1,2 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 2,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr r0 1,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 01,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 -1,-1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr y0 x,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr =alone 1,1 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr =agreed 0,0 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr =agreed 1,0 0,0 20 0", "position.hands"},
        {"7/7/3y3/7/7 yr =agreed 1,3 0,0 20 0", "position.hands"},
        /* scores, supply, quiet */
        {"7/7/3y3/7/7 yr y1 - 0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - 0,0,0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - 0,0, 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - ,0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - 00,0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - -1,0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - 1000000,0 20 0", "position.scores"},
        {"7/7/3y3/7/7 yr y1 - 0,0 -1 0", "position.supply"},
        {"7/7/3y3/7/7 yr y1 - 0,0 -0 0", "position.supply"},
        {"7/7/3y3/7/7 yr y1 - 0,0 020 0", "position.supply"},
        {"7/7/3y3/7/7 yr y1 - 0,0 1000000 0", "position.supply"},
        {"7/7/3y3/7/7 yr y1 - 0,0 x 0", "position.supply"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 -1", "position.quiet"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 00", "position.quiet"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 1000000", "position.quiet"},
        {"7/7/3y3/7/7 yr y1 - 0,0 20 x", "position.quiet"},
        /* I4: a pioneer where everything is scored */
        {"y1#4/2#4/2#4/2#4/2#4 yr y1 - 0,0 20 0", "position.closed"},
        {"y1#4/2#4/2#4/2#4/2#4 yr =divided - 0,0 20 0", "position.closed"},
        /* nothing legal in the middle of a turn */
        {"yr5/r6/7/7/7 yr y3:a5>a1*1 - 0,0 20 0", "position.stuck"},
        {"7/7/7/7/7 yr y3:c5>x*1 - 0,0 20 0", "position.stuck"},
    };
    struct both b;
    open_land(&b, "yr", "quiet=0");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(&b, bad[i][0], bad[i][1]);
    both_close(&b);
}

/* Four seats: the pattern of hands, one score each. */
static void test_four_seats(void **unused)
{
    (void)unused;
    struct both b;
    open_land(&b, "gbry", "pioneers=3 quiet=0");
    accept(&b, "7/7/3g3/7/7 gbry b0 2,3,3,3 0,0,0,0 20 0");
    accept(&b, "gggbbb1/rrryyy1/7/7/7 gbry y1 - 1,2,3,4 20 0");
    refuse(&b, "7/7/3g3/7/7 gbry b0 3,3,3,3 0,0,0,0 20 0", "position.hands");
    refuse(&b, "7/7/3g3/7/7 gbry b0 2,3,2,3 0,0,0,0 20 0", "position.hands");
    refuse(&b, "gggg3/7/7/7/7 gbry g1 - 0,0,0,0 20 0", "position.many");
    refuse(&b, "gg5/b6/7/7/7 gbry b0 2,3,3,3 0,0,0,0 20 0", "position.many");
    both_close(&b);
}

static void test_unlimited(void **unused)
{
    (void)unused;
    struct both b;
    open_land(&b, "yr", "stones=0 quiet=0");
    accept(&b, "7/7/3y3/7/7 yr y1 - 0,0 0 0");
    accept(&b, "7/7/3y3/7/7 yr y1 - 0,0 -12 0");
    refuse(&b, "7/7/3y3/7/7 yr y1 - 0,0 12 0", "position.supply");
    refuse(&b, "7/7/3y3/7/7 yr y1 - 0,0 -1000000 0", "position.supply");
    both_close(&b);
}

/* The number of pioneers is that of the board file. */
static void test_board(void **unused)
{
    (void)unused;
    struct both b;
    both_open(&b, &(struct both_setup){.board = "islet", .colours = "yr"});
    accept(&b, ISLET);
    refuse(&b, "5/6/yyyyyy1/8/7/6/5/4 yr y1 - 0,0 26 0", "position.many");
    refuse(&b, "5/6/7/8/7/6/5/y3 yr r0 5,6 0,0 26 0", "position.many");
    refuse(&b, "5/6/7/8/7/3y3/5/r3 yr y1 - 0,0 26 0", "position.row");
    both_close(&b);
}

/* ---- positions as a start ---- */

static void refuse_start(const char *start, const char *name)
{
    struct setup setup;
    struct fault f = {0};
    char given[2048];
    const struct game *game = rules_find("nova");
    struct world *world = calloc(1, game->world_size);
    game_setup(
        &(struct both_setup){.board = "islet", .colours = "yr", .start = start},
        &setup, given, sizeof given);
    assert_false(game->prepare(world, &setup, &f));
    TEST_FAULT_NAMED(game, &f, name);
    free(world);
}

static void test_start(void **unused)
{
    (void)unused;
    refuse_start("5/6/7/8/7/6/5 yr y1 - 0,0 26 0", "position.rows");
    refuse_start("5/6/7/8/7/6/5/4 ry y1 - 0,0 26 0", "position.seats");
}

/* No text of a position cut anywhere, or with any one character changed, may
 * do worse than be refused; both readers agree about it. */
static void test_damaged(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        ISLET,
        "2y2/y3r1/5y1/6r1/7/1r1r2/1y3/1ry1 yr y2:b1>b2 - 0,0 26 0",
        "#1##1/##2##/#1##b1#/1####1##/#1#b3/2##y1/#1###/1#2 yr =agreed - "
        "10,6 1 0",
        "5/6/7/8/7/6/4y/4 yr r0 4,5 0,0 26 0",
    };
    static const char letters[] = "0129yrbg#/:>*x-=,. aY";
    struct both b;
    both_open(&b, &(struct both_setup){.board = "islet", .colours = "yr"});
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t i = 0; texts[t][i]; i++)
            for (size_t c = 0; c < sizeof letters; c++) {
                char text[REFERENCE_TEXT];
                struct reference_state s;
                struct fault f = {0};
                const char *why;
                snprintf(text, sizeof text, "%s", texts[t]);
                text[i] = letters[c]; /* the last cuts it here */
                if (strchr(text, 'Y'))
                    continue; /* seats that left are not in the rules */
                bool good = reference_read(&b.rules, text, &s, &why);
                if (good != game_reads(&b, text, &f))
                    fail_msg("readers disagree about %s", text);
            }
    both_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_bad),
        cmocka_unit_test(test_four_seats), cmocka_unit_test(test_unlimited),
        cmocka_unit_test(test_board),      cmocka_unit_test(test_start),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
