/* tests/rules/mystica/damage_test.c: a ledger with one thing wrong.
 *
 * Takes the ledgers of tests/games/mystica and, row by row, leaves the row
 * out, changes each of its numbers, and puts an impossible command in its
 * place; the lines that count rounds, turns and sections likewise, and rows of
 * income change places.  Every one of these must be refused, in words that
 * name a line: the row itself, or the first one that can know that something
 * is missing. */
#include "tests/random.h"

#include "game/match.h"
#include "rules/mystica/mystica.h"

enum { TEXT = 1 << 18, ROWS = 512, FIELDS = 15 };

static char text[TEXT], changed[TEXT];
static const char *line_at[ROWS + 1]; /* line n begins at line_at[n - 1] */
static int lines;
static const char *file;

static void load(const char *name)
{
    const char *root = getenv("TERRA_SOURCE");
    char path[600];
    snprintf(path, sizeof path, "%s/tests/games/mystica/%s", root ? root : ".",
             name);
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("cannot open %s", path);
    size_t length = fread(text, 1, TEXT - 1, in);
    fclose(in);
    text[length] = '\0';
    file = name;
    lines = 0;
    for (const char *at = text; *at && lines < ROWS; lines++) {
        line_at[lines] = at;
        at = strchr(at, '\n') + 1;
        line_at[lines + 1] = at;
    }
}

/* The file with one line replaced; NULL leaves it out. */
static void replace(int line, const char *with)
{
    size_t head = (size_t)(line_at[line - 1] - text);
    memcpy(changed, text, head);
    strcpy(changed + head, with ? with : "");
    strcat(changed, line_at[line]);
}

static struct match *read_changed(struct fault *f)
{
    return match_read(&mystica_game, match_format(&mystica_game, "ledger"),
                      changed, strlen(changed), NULL, f);
}

/* Splits a row into its fields; false for a comment. */
static bool fields_of(int line, char copy[1024], char *field[FIELDS])
{
    size_t length = (size_t)(line_at[line] - line_at[line - 1]) - 1;
    int count = 0;
    assert_true(length < 1024);
    memcpy(copy, line_at[line - 1], length);
    copy[length] = '\0';
    for (char *at = copy; at && count < FIELDS; count++) {
        field[count] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return count == FIELDS;
}

static void join(char *field[FIELDS], char *to)
{
    *to = '\0';
    for (int i = 0; i < FIELDS; i++) {
        strcat(to, field[i]);
        strcat(to, i + 1 < FIELDS ? "\t" : "\n");
    }
}

static int refusals, unnoticed;

enum where { HERE, LATER };

/* The changed file is refused at `line`, or there or later: behind the end of
 * the file the last line is named. */
static void check_refused(int line, enum where where, const char *what)
{
    struct fault f = {0};
    struct match *m = read_changed(&f);
    refusals++;
    if (m) {
        print_error("%s:%d: %s: not noticed: %.*s\n", file, line, what,
                    (int)(line_at[line] - line_at[line - 1]) - 1,
                    line_at[line - 1]);
        unnoticed++;
        match_close(m);
    } else if (where == HERE ? f.line != line : f.line < line && line < lines) {
        print_error("%s:%d: %s: told of line %d (%s)\n", file, line, what,
                    f.line, f.subject);
        unnoticed++;
    }
}

static void leave_out(int line)
{
    replace(line, NULL);
    check_refused(line, LATER, "left out");
}

static void wrong_command(int line)
{
    char copy[1024], *field[FIELDS], row[1100];
    fields_of(line, copy, field);
    field[14] = "upgrade A1 to SA. build Z99";
    join(field, row);
    replace(line, row);
    check_refused(line, HERE, "impossible command");
}

/* Puts another number into field i, at its nth number. */
static bool other_number(char *field[FIELDS], int i, int nth, char *to)
{
    const char *at = field[i], *begin;
    char *out = to;
    for (int n = 0;; n++) {
        while (*at && !(*at >= '0' && *at <= '9'))
            *out++ = *at++;
        if (!*at)
            break;
        begin = at;
        int number = 0;
        while (*at >= '0' && *at <= '9')
            number = 10 * number + (*at++ - '0');
        if (n == nth) {
            out += sprintf(out, "%d", number + 1);
            strcpy(out, at);
            return true;
        }
        memcpy(out, begin, (size_t)(at - begin));
        out += at - begin;
    }
    /* No change is written as an empty field. */
    strcpy(to, "+1");
    return nth == 0 && i % 2 == 1 && i < 12 && !*field[i];
}

static void wrong_numbers(int line)
{
    char copy[1024], *field[FIELDS], row[1100], number[200], what[60];
    for (int i = 1; i < FIELDS - 1; i++)
        for (int nth = 0; nth < 5; nth++) {
            fields_of(line, copy, field);
            if (!other_number(field, i, nth, number))
                break;
            field[i] = number;
            join(field, row);
            replace(line, row);
            snprintf(what, sizeof what, "number %d of field %d", nth + 1, i);
            /* The start VP may be any; the next row tells. */
            bool start = i == 2 && strcmp(field[14], "setup") == 0;
            check_refused(line, start ? LATER : HERE, what);
        }
}

static bool begins(int line, const char *word)
{
    return strncmp(line_at[line - 1], word, strlen(word)) == 0;
}

/* "Round 3, turn 2", or turn 0 for "Round 3 income"; false for others. */
static bool count_of(int line, long *round, long *turn)
{
    static const char word[] = ", turn ", income[] = " income\n";
    char *end;
    if (!begins(line, "Round "))
        return false;
    *round = strtol(line_at[line - 1] + strlen("Round "), &end, 10);
    *turn = 0;
    if (strncmp(end, income, strlen(income)) == 0)
        return true;
    if (strncmp(end, word, strlen(word)) != 0)
        return false;
    *turn = strtol(end + strlen(word), NULL, 10);
    return true;
}

/* The last turn of a round excepted: whoever plays alone need not have one. */
static bool counts(int line)
{
    long round, turn, other, next;
    if (begins(line, "Scoring ") || begins(line, "Converting "))
        return true;
    if (!count_of(line, &round, &turn))
        return false;
    for (int i = line + 1; i <= lines && turn; i++)
        if (count_of(i, &other, &next) && next && other == round)
            return true;
    return turn == 0;
}

/* Another number, at the end for a turn and else for the round. */
static void wrong_count(int line)
{
    char row[200];
    long round, turn;
    if (!count_of(line, &round, &turn))
        return;
    if (turn)
        sprintf(row, "Round %ld, turn %ld\n", round, turn + 1);
    else
        sprintf(row, "Round %ld income\n", round + 1);
    replace(line, row);
    check_refused(line, HERE, "miscounted");
}

/* Two rows of income in each other's place. */
static void swap_income(int line)
{
    static const char word[] = "income_for_faction";
    const char *first = strstr(line_at[line - 1], word);
    const char *second = strstr(line_at[line], word);
    if (!first || first > line_at[line] || !second ||
        second > line_at[line + 1])
        return;
    size_t head = (size_t)(line_at[line - 1] - text);
    memcpy(changed, text, head);
    changed[head] = '\0';
    strncat(changed, line_at[line],
            (size_t)(line_at[line + 1] - line_at[line]));
    strncat(changed, line_at[line - 1],
            (size_t)(line_at[line] - line_at[line - 1]));
    strcat(changed, line_at[line + 1]);
    check_refused(line + 1, LATER, "out of the turn order");
}

static void damage(void (*how)(int line), int step)
{
    static const char *const names[] = {"landscapes-4p-fireice1-5140.tsv",
                                        "landscapes-5p-base-5002.tsv",
                                        "landscapes-4p-loonlakes-5035.tsv"};
    char copy[1024], *field[FIELDS];
    refusals = unnoticed = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        load(names[i]);
        for (int line = 1, row = 0; line <= lines; line++)
            if (fields_of(line, copy, field) && row++ % step == 0)
                how(line);
    }
    print_message("# %d changed ledgers\n", refusals);
    assert_true(refusals > 0);
    assert_int_equal(unnoticed, 0);
}

static void test_left_out(void **state)
{
    (void)state;
    damage(leave_out, test_scale(4, 1, 1));
}

static void test_commands(void **state)
{
    (void)state;
    damage(wrong_command, test_scale(4, 1, 1));
}

static void test_numbers(void **state)
{
    (void)state;
    damage(wrong_numbers, test_scale(40, 1, 1));
}

static void test_lines(void **state)
{
    int step = test_scale(4, 1, 1), met = 0;
    (void)state;
    load("landscapes-4p-fireice1-5140.tsv");
    refusals = unnoticed = 0;
    for (int line = 1; line < lines; line++)
        if (counts(line) && met++ % step == 0) {
            leave_out(line);
            wrong_count(line);
        }
    for (int line = 1; line + 1 < lines; line++)
        swap_income(line);
    print_message("# %d changed ledgers\n", refusals);
    assert_true(met > 20);
    assert_int_equal(unnoticed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests_name("mystica damage", tests, NULL, NULL);
}
