/* tests/rules/nova/counts_test.c: numbers of action sequences (nova §15).
 *
 * Counted with the game and with its reference; the table of counts that come
 * with the recorded games is counted too. */
#include "tests/rules/nova/both.h"

enum { STATE = 2048 };

static long count(const struct both *b, const struct state *s, int depth)
{
    action list[GAME_ACTIONS];
    _Alignas(64) unsigned char next[STATE];
    unsigned must, may;
    b->game->turn(b->world, s, &must, &may);
    if (depth == 0 || !must)
        return depth == 0;
    int seat = __builtin_ctz(must);
    int legal = b->game->legal(b->world, s, seat, list);
    if (depth == 1)
        return legal;
    long sum = 0;
    for (int i = 0; i < legal; i++) {
        memcpy(next, s, b->game->state_size);
        b->game->apply(b->world, (struct state *)next, seat, list[i]);
        sum += count(b, (struct state *)next, depth - 1);
    }
    return sum;
}

static void expect(const struct both_setup *how, int depth, long wanted,
                   bool slow)
{
    struct both b;
    both_open(&b, how);
    assert_true(b.game->state_size <= STATE);
    both_agree(&b);
    assert_int_equal(count(&b, b.state, depth), wanted);
    if (!slow)
        assert_int_equal(reference_count(&b.rules, &b.plain, depth), wanted);
    both_close(&b);
}

#define ISLET "2y2/y3r1/5y1/6r1/7/1r1r2/1y3/1ry1 yr y1 - 0,0 26 0"
#define ISLAND                                                                 \
    "3/7r/r4y4/7y1r2/1r5r4/7y5/2y6y4/1y5yr5/yr5r3r2/5y6r/12/5y5/1y6r1/10/"     \
    "1y2r3y/1r1 yr y1 - 0,0 80 0"

static void count_islet(void **unused)
{
    (void)unused;
    static const struct {
        const char *edition;
        long three;
    } row[] = {
        {"edition=en", 150674}, {"edition=nl", 156776}, {"edition=sv", 150305}};
    for (int i = 0; i < 3; i++) {
        struct both_setup how = {.board = "islet",
                                 .colours = "yr",
                                 .options = row[i].edition,
                                 .start = ISLET};
        expect(&how, 0, 1, false);
        expect(&how, 1, 52, false);
        expect(&how, 2, 2816, false);
        expect(&how, 3, row[i].three, false);
    }
}

static void count_island(void **unused)
{
    (void)unused;
    static const char *const editions[] = {"edition=en", "edition=nl",
                                           "edition=sv"};
    for (int i = 0; i < 3; i++) {
        struct both_setup how = {.board = "island",
                                 .colours = "yr",
                                 .options = editions[i],
                                 .start = ISLAND};
        expect(&how, 1, 237, false);
        expect(&how, 2, 56785, false);
        if (i == 0)
            expect(&how, 3, 13594109, test_scale(1, 0, 0));
    }
}

/* board, seats, options, position, depth, count: one line. */
static void count_line(char *line)
{
    char *field[6];
    for (int i = 0; i < 6; i++) {
        field[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
    expect(&(struct both_setup){.board = field[0],
                                .colours = field[1],
                                .options = field[2][0] == '-' ? NULL : field[2],
                                .start = field[3]},
           atoi(field[4]), atol(field[5]), false);
}

static int count_table(const char *path)
{
    char *text = file_read(path, NULL);
    if (!text)
        return 0;
    int lines = 0;
    char *next = text + strcspn(text, "\n") + 1; /* after the headings */
    while (*next) {
        char *line = next;
        next += strcspn(next, "\n");
        if (*next)
            *next++ = '\0';
        count_line(line);
        lines++;
    }
    free(text);
    return lines;
}

static void count_tables(void **unused)
{
    (void)unused;
    assert_int_equal(count_table(NOVA_GAMES "/counts.tsv"), 78);
    if (count_table(SHARED_GAMES "/counts.tsv") == 0)
        print_message("# no %s: only the project's own counts\n", SHARED_GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count_islet),
        cmocka_unit_test(count_island),
        cmocka_unit_test(count_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
