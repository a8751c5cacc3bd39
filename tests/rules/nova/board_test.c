/* tests/rules/nova/board_test.c: board files (nova §10.2), the boards that
 * come with the game (nova §12), and setups. */
#include "tests/rules/nova/both.h"
#include "tests/rules/nova/variants.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/nova/board.h"
#include "rules/rules.h"

static const struct game *nova(void)
{
    return rules_find("nova");
}

/* ---- the boards of the game ---- */

static void test_known_boards(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int hexes, rows, pioneers[3], stones, of_each;
    } row[] = {
        {"island", 168, 16, {13, 10, 8}, 80, 21},
        {"twins", 168, 16, {13, 10, 8}, 80, 21},
        {"islet", 48, 8, {5, 4, 3}, 26, 6},
        {"continent", 240, 19, {18, 14, 11}, 115, 30},
    };
    for (int i = 0; i < 4; i++) {
        struct board b;
        struct fault f;
        int size[BOARD_LANDS] = {0};
        assert_true(board_read(&b, span_of(board_text(row[i].name)), &f));
        assert_string_equal(b.name, row[i].name);
        assert_int_equal(b.hexes, row[i].hexes);
        assert_int_equal(b.rows, row[i].rows);
        assert_int_equal(b.stones, row[i].stones);
        assert_memory_equal(b.pioneers, row[i].pioneers, sizeof b.pioneers);
        assert_int_equal(b.lands, 8);
        for (int hex = 0; hex < b.hexes; hex++)
            size[b.land[hex]]++;
        for (int land = 0; land < 8; land++)
            assert_int_equal(size[land], row[i].of_each);
        char text[8192];
        assert_true(board_write(&b, text, sizeof text) < (int)sizeof text);
        assert_string_equal(text, board_text(row[i].name));
    }
}

/* The lines through a hex and the names of its neighbours (nova §10.1). */
static void test_coordinates(void **unused)
{
    (void)unused;
    static const char *const around[6] = {"k13", "l13", "l12",
                                          "k11", "j11", "j12"};
    struct board b;
    struct fault f;
    int hex, next;
    assert_true(board_read(&b, span_of(board_text("island")), &f));
    assert_int_equal(board_find(&b, span_of("k12 and more"), &hex), 3);
    for (int d = 0; d < 6; d++) {
        board_find(&b, span_of(around[d]), &next);
        assert_int_equal(board_neighbour(&b, hex, (enum direction)d), next);
    }
    assert_int_equal(board_find(&b, span_of("a1"), &hex), 2);
    assert_int_equal(hex, NO_HEX);
    assert_int_equal(board_find(&b, span_of("zz"), &hex), 0);
    assert_int_equal(board_find(&b, span_of("k"), &hex), 0);
    assert_int_equal(board_find(&b, span_of("k05"), &hex), 0);
}

/* ---- refused files ---- */

static const char good_board[] = "# a comment\n"
                                 "name: trial\n"
                                 "title: On Trial\n"
                                 "landscapes: a=a b=b c=c d=d e=e f=f g=g h=h\n"
                                 "colours: a=#5aa0d6 b=#3F8A4C\n"
                                 "pioneers: 2 2 1\n"
                                 "stones: 12\n"
                                 "symmetry: none\n"
                                 "balance: 0\n"
                                 "note: three of each\n"
                                 "\n"
                                 "map:\n"
                                 "a a a b b b\n"
                                 " c c c d d d\n"
                                 "e e e f f f\n"
                                 " g g g h h h\n";

static const char *changed(const char *was, const char *by)
{
    static char text[16384];
    const char *at = strstr(good_board, was);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_board), good_board,
             by, at + strlen(was));
    return text;
}

static void refuse(const char *text, int line, int column, const char *name)
{
    struct fault f = {0};
    const struct record_format *format = match_format(nova(), "board");
    struct match *m = match_read(nova(), format, text, strlen(text), NULL, &f);
    if (m)
        fail_msg("accepted, wanted %s:\n%s", name, text);
    if (strcmp(fault_text(nova(), f.code)->name, name) != 0 || f.line != line ||
        (column && f.column != column))
        print_error("line %d column %d %s in\n%s", f.line, f.column,
                    fault_text(nova(), f.code)->name, text);
    TEST_FAULT_NAMED(nova(), &f, name);
    assert_int_equal(f.line, line);
    if (column)
        assert_int_equal(f.column, column);
}

#define MAP "a a a b b b\n c c c d d d\ne e e f f f\n g g g h h h\n"

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *was, *by;
        int line, column;
        const char *name;
    } row[] = {
        {"name: trial", "names: trial", 2, 0, "board.key"},
        {"name: trial", "name trial", 2, 0, "board.key"},
        {"name: trial", "Name: trial", 2, 0, "board.key"},
        {"title: On Trial", "name: again", 3, 0, "board.twice"},
        {"name: trial\n", "", 0, 0, "board.missing"},
        {"stones: 12\n", "", 0, 0, "board.missing"},
        {"pioneers: 2 2 1\n", "", 0, 0, "board.missing"},
        {"landscapes: a=a b=b c=c d=d e=e f=f g=g h=h\n", "", 0, 0,
         "board.missing"},
        {"name: trial", "name: On Trial", 2, 7, "board.name"},
        {"name: trial", "name:", 2, 0, "board.name"},
        {"name: trial", "name: Trial", 2, 0, "board.name"},
        {"h=h", "h=h i=i", 4, 0, "board.landscapes"},
        {" h=h", "", 4, 0, "board.landscapes"},
        {"h=h", "a=h", 4, 41, "board.landscapes"},
        {"h=h", "hh", 4, 0, "board.landscapes"},
        {"h=h", "H=h", 4, 0, "board.landscapes"},
        {"h=h", "hi=h", 4, 0, "board.landscapes"},
        {"h=h", "h=", 4, 0, "board.landscapes"},
        {"h=h", "h=\033[2J", 4, 0, "board.landscapes"},
        {"On Trial", "On\007Trial", 3, 0, "board.value"},
        {"three of each", "three\177", 10, 0, "board.value"},
        {"#3F8A4C", "#3F8A4", 5, 0, "board.value"},
        {"#3F8A4C", "#3F8A4G", 5, 0, "board.value"},
        {"#3F8A4C", "3F8A4C0", 5, 0, "board.value"},
        {"b=#3F8A4C", "z=#3F8A4C", 5, 0, "board.value"},
        {"b=#3F8A4C", "a=#3F8A4C", 5, 20, "board.value"},
        {"2 2 1", "2 2", 6, 14, "board.pioneers"},
        {"2 2 1", "2 2 1 1", 6, 17, "board.pioneers"},
        {"2 2 1", "2 0 1", 6, 13, "board.pioneers"},
        {"2 2 1", "2 02 1", 6, 0, "board.pioneers"},
        {"2 2 1", "2 -2 1", 6, 0, "board.pioneers"},
        {"2 2 1", "7 2 1", 6, 0, "board.pioneers"},
        {"2 2 1", "2 5 1", 6, 0, "board.pioneers"},
        {"2 2 1", "2 2 4", 6, 0, "board.pioneers"},
        {"stones: 12", "stones: 0", 7, 9, "board.stones"},
        {"stones: 12", "stones: 25", 7, 0, "board.stones"},
        {"stones: 12", "stones: +12", 7, 0, "board.stones"},
        {"stones: 12", "stones: many", 7, 0, "board.stones"},
        {"symmetry: none", "symmetry: rot90", 8, 0, "board.symmetry"},
        {"symmetry: none", "symmetry: rot60", 8, 0, "board.symmetry"},
        {"symmetry: none", "symmetry: rot120", 8, 0, "board.symmetry"},
        {"symmetry: none", "symmetry: mirror0", 8, 0, "board.symmetry"},
        {"symmetry: none", "symmetry: mirror30", 8, 0, "board.symmetry"},
        {"symmetry: none", "symmetry: rot180 mirror90", 8, 18,
         "board.symmetry"},
        {"balance: 0", "balance: none", 9, 0, "board.value"},
        {"balance: 0", "balance: 00", 9, 0, "board.value"},
        {"map:\n", "", 12, 0, "board.key"},
        {"map:\n" MAP, "", 0, 0, "board.no-map"},
        {MAP, "", 0, 0, "board.empty"},
        {MAP, ". . .\n . .\n", 0, 0, "board.empty"},
        {" c c c d d d\n", "\n c c c d d d\n", 14, 0, "board.blank"},
        {" c c c d d d", "  c c c d d d", 14, 3, "board.between"},
        {"a a a b b b", "a aa b b b", 13, 4, "board.between"},
        {"a a a b b b", "a\ta a b b b", 13, 2, "board.between"},
        {"a a a b b b", "A a a b b b", 13, 1, "board.letter"},
        {"a a a b b b", "a a * b b b", 13, 5, "board.letter"},
        {"a a a b b b", "a a \xc3\xa4 b b b", 13, 5, "board.letter"},
        {"a a a b b b", "a a x b b b", 13, 5, "board.undeclared"},
        {" g g g h h h", " g g g g g g", 4, 0, "board.unused"},
        {" c c c d d d\n", " . . . . . .\n", 15, 1, "board.apart"},
        {"a a a b b b\n c c c d d d", "a a b b b a\n c c c d d d", 13, 11,
         "board.split"},
        {"e e e f f f\n g g g h h h", "e e e e f f\n g g g h h h", 9, 0,
         "board.balance"},
        {"balance: 0\nnote: three of each\n\nmap:\na a a b b b\n",
         "balance: 2\nnote: three of each\n\nmap:\na a a b b b b b\n", 13, 15,
         "board.lonely"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        refuse(changed(row[i].was, row[i].by), row[i].line, row[i].column,
               row[i].name);
}

/* Too many rows, hexes, numbers: maps that no table should hold. */
static void test_limits(void **unused)
{
    (void)unused;
    char map[16384] = "";
    for (int k = 0; k < 27; k++)
        strcat(map, k % 2 ? " a a\n" : "a a\n");
    refuse(changed(MAP, map), 39, 0, "board.rows");
    strcpy(map, "");
    for (int k = 0; k < 8; k++) {
        strcat(map, k % 2 ? " a" : "a");
        for (int j = 0; j < (k == 7 ? 32 : 31); j++)
            strcat(map, " a");
        strcat(map, "\n");
    }
    refuse(changed(MAP, map), 20, 66, "board.hexes"); /* 257 of them */
    strcpy(map, "");
    for (int k = 0; k < 2; k++) {
        strcat(map, k % 2 ? " a" : "a");
        for (int j = 0; j < 99; j++)
            strcat(map, " a");
        strcat(map, "\n");
    }
    refuse(changed(MAP, map), 13, 0, "board.numbers");
}

/* Words of the header have room for people's words, not for novels. */
static void test_long_words(void **unused)
{
    (void)unused;
    char line[2000];
    memset(line, 'x', sizeof line);
    line[1999] = '\0';
    memcpy(line, "name: ", 6);
    refuse(changed("name: trial", line), 2, 0, "board.value");
    memcpy(line, "title: ", 7);
    refuse(changed("title: On Trial", line), 3, 0, "board.value");
    memcpy(line, "note: ", 6);
    refuse(changed("note: three of each", line), 10, 0, "board.value");
    memcpy(line, "h=", 2);
    refuse(changed("h=h", line), 4, 0, "board.landscapes");
}

/* ---- accepted files ---- */

static void write_again(const char *text, char *to, size_t cap)
{
    struct fault f = {0};
    const struct record_format *format = match_format(nova(), "board");
    assert_true(format->recognise(text, strlen(text)));
    struct match *m = match_read(nova(), format, text, strlen(text), NULL, &f);
    if (!m)
        fail_msg("%s line %d column %d in\n%s",
                 fault_text(nova(), f.code)->name, f.line, f.column, text);
    assert_true(match_write(m, format, 0, RECORD_FULL, to, cap) < (int)cap);
    match_close(m);
}

#define LONG                                                                   \
    "a hundred letters or so, because people have much to say about the "      \
    "boards that they have drawn themselves, "

static void test_accepted(void **unused)
{
    (void)unused;
    static const struct {
        const char *was, *by;
    } row[] = {
        {"name: trial", "name: 3-trials"},
        {"title: On Trial\n", ""},
        {"colours: a=#5aa0d6 b=#3F8A4C\n", ""},
        {"symmetry: none\n", ""},
        {"balance: 0\n", ""},
        {"balance: 0", "balance: 9999"},
        {"three of each", "as long\tas it takes: " LONG LONG LONG LONG},
        {"note: three of each\n", "note: colons: are fine; and # too\n"},
        {"symmetry: none", "symmetry: rot180"},
        {"# a comment\n", "\n\r\n# map:\n"},
        {"map:\n", "map:\n. . .\n . .\n"},
        {" g g g h h h\n", " g g g h h h\n\n  \n"},
        {" g g g h h h\n", " g g g h h h"},
        {"e e e f f f\n g g g h h h", "e e e f f f . .\n g g g h h h ."},
    };
    char one[8192], two[8192];
    write_again(good_board, one, sizeof one);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        write_again(changed(row[i].was, row[i].by), one, sizeof one);
        write_again(one, two, sizeof two); /* what is written is canonical */
        assert_string_equal(one, two);
    }
}

/* Boards made up at random are valid; so is what is written of them. */
static void test_made_up(void **unused)
{
    (void)unused;
    struct rng rng = random_source(nova(), 10);
    for (int i = 0; i < test_scale(60, 600, 6000); i++) {
        char text[VARIANT_BOARD], one[VARIANT_BOARD], two[VARIANT_BOARD];
        variant_board(&rng, text);
        write_again(text, one, sizeof one);
        write_again(one, two, sizeof two);
        assert_string_equal(one, two);
    }
}

/* Each of the symmetries, claimed where it holds and where it does not. */
static void test_symmetries(void **unused)
{
    (void)unused;
    static const char *const names[] = {"rot60",    "rot120",    "rot180",
                                        "mirror0",  "mirror30",  "mirror60",
                                        "mirror90", "mirror120", "mirror150"};
    static const char hexagon[] =
        "name: ring\nlandscapes: a=a b=b c=c d=d e=e f=f g=g h=h\n"
        "pioneers: 2 1 1\nstones: 3\nbalance: 3\nsymmetry: %s\nmap:\n"
        ". a a b\n h a b b\nh h g c c\n f f d c\n. f e d\n";
    int holds = 0;
    for (int i = 0; i < 9; i++) {
        char text[512];
        struct fault f = {0};
        snprintf(text, sizeof text, hexagon, names[i]);
        struct match *m = match_read(nova(), match_format(nova(), "board"),
                                     text, strlen(text), NULL, &f);
        holds += m != NULL;
        if (!m)
            TEST_FAULT_NAMED(nova(), &f, "board.symmetry");
        match_close(m);
    }
    assert_true(holds < 9);
    char text[16384];
    snprintf(text, sizeof text, "%s", board_text("twins"));
    assert_non_null(strstr(text, "symmetry: rot180"));
    memcpy(strstr(text, "rot180"), "rot120", 6);
    struct fault f = {0};
    assert_null(match_read(nova(), match_format(nova(), "board"), text,
                           strlen(text), NULL, &f));
    TEST_FAULT_NAMED(nova(), &f, "board.symmetry");
    assert_int_equal(f.line, 7);
}

/* ---- setups ---- */

static void refuse_setup(int seats, const char *option, const char *value,
                         const char *given, const char *name)
{
    struct setup setup;
    struct fault f = {0};
    struct world *world = calloc(1, nova()->world_size);
    setup_init(nova(), &setup);
    setup.seats = seats;
    setup.given = given;
    bool good = !option || setup_option(nova(), &setup, span_of(option),
                                        span_of(value), &f);
    good = good && nova()->prepare(world, &setup, &f);
    assert_false(good);
    TEST_FAULT_NAMED(nova(), &f, name);
    free(world);
}

static void test_setups(void **unused)
{
    (void)unused;
    refuse_setup(1, NULL, NULL, NULL, "setup.seats");
    refuse_setup(5, NULL, NULL, NULL, "setup.seats");
    refuse_setup(2, "bridges", "2", NULL, "setup.option");
    refuse_setup(2, "board", "atlantis", NULL, "setup.value");
    refuse_setup(2, "edition", "de", NULL, "setup.value");
    refuse_setup(2, "return", "never", NULL, "setup.value");
    refuse_setup(2, "stones", "257", NULL, "setup.value");
    refuse_setup(2, "stones", "-1", NULL, "setup.value");
    refuse_setup(2, "pioneers", "0", NULL, "setup.value");
    refuse_setup(2, "pioneers", "43", NULL, "option.pioneers");
    refuse_setup(4, "pioneers", "22", NULL, "option.pioneers");
    refuse_setup(2, "quiet", "1000", NULL, "setup.value");
    refuse_setup(2, NULL, NULL, "seats: yrb\n", "option.seats");
    refuse_setup(2, NULL, NULL, "seats: yy\n", "option.seats");
    refuse_setup(2, NULL, NULL, "seats: yx\n", "option.seats");
    refuse_setup(2, NULL, NULL, "tiles: none\n", "setup.given");
    refuse_setup(2, NULL, NULL, "board:\n\tname: x\n", "board.no-map");
    refuse_setup(2, NULL, NULL, "land:\n\t* a\n", "board.letter");
    refuse_setup(2, NULL, NULL, "land: s\n", "option.pioneers");
    refuse_setup(2, "setup", "random", "placed: +k7 +k7\n", "option.placed");
    refuse_setup(2, "setup", "random", "placed: k7\n", "option.placed");
    refuse_setup(2, "setup", "random", "placed: +a1\n", "option.placed");
    char given[40000];
    snprintf(given, sizeof given, "board: %030000d\n", 0);
    refuse_setup(2, NULL, NULL, given, "text.size");
}

/* A random setup draws all pioneers, the same ones for the same seed. */
static void test_random_setup(void **unused)
{
    (void)unused;
    char one[REFERENCE_TEXT], two[REFERENCE_TEXT];
    struct both a, b;
    struct both_setup how = {.board = "islet",
                             .colours = "gy",
                             .options = "setup=random",
                             .seed = 7};
    both_open(&a, &how);
    both_open(&b, &how);
    game_position(&a, one);
    game_position(&b, two);
    assert_string_equal(one, two);
    assert_non_null(strstr(one, " gy g1 - 0,0 26 0"));
    both_close(&b);
    how.seed = 8;
    both_open(&b, &how);
    game_position(&b, two);
    assert_string_not_equal(one, two);
    both_close(&a);
    both_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_boards),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_made_up),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_setups),
        cmocka_unit_test(test_random_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
