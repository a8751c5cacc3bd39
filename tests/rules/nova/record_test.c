/* tests/rules/nova/record_test.c: whole games as files (nova §11.2).
 *
 * Recorded games are replayed in the game and in its reference; written again
 * they give the same bytes.  Faulty ones are refused in the right line. */
#include "tests/rules/nova/both.h"

#include "game/match.h"
#include "rules/rules.h"

#include <dirent.h>

static char written[1 << 18];

static const struct game *nova(void)
{
    return rules_find("nova");
}

static const struct record_format *format_of(const char *text, size_t length)
{
    for (const struct record_format *f = nova()->formats; f->name; f++)
        if (f->recognise(text, length))
            return f;
    return NULL;
}

static struct match *read_text(const char *text, struct fault *f)
{
    size_t length = strlen(text);
    const struct record_format *format = format_of(text, length);
    memset(f, 0, sizeof *f);
    if (!format)
        format = match_format(nova(), "nova");
    return match_read(nova(), format, text, length, NULL, f);
}

static struct match *must_read(const char *text, const char *name)
{
    struct fault f;
    char line[256];
    struct match *m = read_text(text, &f);
    if (!m) {
        fault_write(nova(), &f, line, sizeof line);
        fail_msg("%s:%d:%d: %s", name, f.line, f.column, line);
    }
    return m;
}

static const char *write_match(const struct match *m, const char *format)
{
    int length = match_write(m, match_format(nova(), format), match_count(m),
                             RECORD_FULL, written, sizeof written);
    assert_true(length > 0 && length < (int)sizeof written);
    return written;
}

/* ---- the reference replays what the game has read ---- */

static void tag(const char *text, const char *key, char *to, size_t cap)
{
    char mark[32];
    snprintf(mark, sizeof mark, "[%s \"", key);
    const char *at = strstr(text, mark);
    *to = '\0';
    if (at) {
        at += strlen(mark);
        snprintf(to, cap, "%.*s", (int)strcspn(at, "\""), at);
    }
}

static void open_reference(const char *text, struct reference_board *board,
                           struct reference *rules, struct reference_state *s)
{
    char name[64], seats[8], edition[8], options[256], start[REFERENCE_TEXT];
    char all[300];
    const char *why;
    tag(text, "Board", name, sizeof name);
    tag(text, "Seats", seats, sizeof seats);
    tag(text, "Edition", edition, sizeof edition);
    tag(text, "Options", options, sizeof options);
    tag(text, "Start", start, sizeof start);
    snprintf(all, sizeof all, "edition=%s %s", *edition ? edition : "en",
             options);
    assert_true(reference_board(board, board_text(name)));
    assert_true(reference_rules(rules, board, seats, all));
    reference_start(rules, s);
    if (*start)
        assert_true(reference_read(rules, start, s, &why));
}

static void replay_in_reference(const struct match *m, const char *text)
{
    struct reference_board board;
    struct reference rules;
    struct reference_state s;
    struct state *now = calloc(1, nova()->state_size);
    char ours[REFERENCE_TEXT], plain[REFERENCE_TEXT];
    open_reference(text, &board, &rules, &s);
    for (int i = 0; i < match_count(m); i++) {
        const struct step *step = match_step(m, i);
        struct reference_action a;
        struct reference_scored scored;
        match_at(m, i, now);
        if (step->kind != STEP_ACTION)
            break;
        nova()->write_action(match_world(m), now, step->seat, step->action,
                             SEAT_NONE, ours, sizeof ours);
        if (!reference_read_action(&rules, &s, ours, &a))
            fail_msg("reference refuses %s", ours);
        reference_write_action(&rules, &s, a, plain);
        assert_string_equal(ours, plain);
        reference_apply(&rules, &s, a, &scored);
        match_at(m, i + 1, now);
        nova()->write_state(match_world(m), now, ours, sizeof ours);
        reference_write(&rules, &s, plain);
        assert_string_equal(ours, plain);
    }
    free(now);
}

/* ---- good records ---- */

static void replay_file(const char *path)
{
    char *text = file_read(path, NULL);
    struct match *m = must_read(text, path);
    assert_string_equal(write_match(m, "nova"), text);
    replay_in_reference(m, text);
    assert_int_equal(match_line(m, 0) > 0, true);
    match_close(m);
    free(text);
}

static int replay_folder(const char *folder)
{
    char whole[1024];
    file_path(folder, whole, sizeof whole);
    DIR *dir = opendir(whole);
    int count = 0;
    if (!dir)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *suffix = strrchr(entry->d_name, '.');
        char path[1024];
        if (!suffix || strcmp(suffix, ".nova") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay_file(path);
        count++;
    }
    closedir(dir);
    return count;
}

static void test_games(void **unused)
{
    (void)unused;
    int count = replay_folder(NOVA_GAMES);
    print_message("# %d records replayed\n", count);
    assert_true(count >= 48);
    count = replay_folder(SHARED_GAMES);
    if (count == 0)
        print_message("# no %s: only the project's own records\n",
                      SHARED_GAMES);
    else
        print_message("# %d records of %s replayed\n", count, SHARED_GAMES);
}

/* The two games that docs/rules/nova.md shows, with their last positions. */
static void test_samples(void **unused)
{
    (void)unused;
    static const char *const sample[][2] = {
        {"sample-islet.nova",
         "islet 1#2#/1####1/###4/3##3/3##2/3#2/#####/1#2 yr =divided - 18,24 "
         "6 0\n"},
        {"sample-island.nova",
         "island 1#1/4###1/#4#1##1/1#1###1#1##1/2#2####1##/2#3#2##2/"
         "2#3#1r##3/3####2#4/3#2#3#3/2#7#2/2#3rr##1#/##2###1##1/1#1#5#/"
         "1##1#5/####5/3 yr =alone - 113,72 19 0\n"},
    };
    for (int i = 0; i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, NOVA_GAMES "/%s", sample[i][0]);
        char *text = file_read(path, NULL);
        struct match *m = must_read(text, path);
        assert_string_equal(write_match(m, "position"), sample[i][1]);
        match_close(m);
        free(text);
    }
}

/* ---- faulty files, with the line of the fault ---- */

static void refuse_file(const char *folder, const char *name, int line,
                        const char *kind)
{
    char path[1024];
    struct fault f = {0};
    size_t length;
    snprintf(path, sizeof path, "%s/bad/%s", folder, name);
    char *text = file_read(path, &length);
    if (!text)
        fail_msg("cannot read %s", path);
    const struct record_format *format = format_of(text, length);
    assert_non_null(format);
    assert_string_equal(format->suffix, strrchr(name, '.'));
    if (match_read(nova(), format, text, length, NULL, &f))
        fail_msg("%s is accepted", name);
    const char *fault = fault_text(nova(), f.code)->name;
    if (f.line != line)
        fail_msg("%s: line %d (%s), wanted %d", name, f.line, fault, line);
    if (strncmp(fault, kind, strlen(kind)) != 0 &&
        !(f.code < FAULT_GAME && strstr(fault, kind)))
        fail_msg("%s: %s, wanted kind %s", name, fault, kind);
    free(text);
}

static int refuse_folder(const char *folder)
{
    char path[1024], name[128], line[16], kind[32];
    snprintf(path, sizeof path, "%s/bad/expected.tsv", folder);
    char *text = file_read(path, NULL);
    int count = 0;
    if (!text)
        return 0;
    for (char *at = strchr(text, '\n'); at && at[1];
         at = strchr(at + 1, '\n')) {
        if (sscanf(at + 1, "%127s %15s %31s", name, line, kind) != 3)
            break;
        refuse_file(folder, name, line[0] == '-' ? 0 : atoi(line), kind);
        count++;
    }
    free(text);
    return count;
}

static void test_bad_files(void **unused)
{
    (void)unused;
    assert_int_equal(refuse_folder(NOVA_GAMES), 10);
    if (refuse_folder(SHARED_GAMES) == 0)
        print_message("# no %s: only the project's own files\n", SHARED_GAMES);
}

/* ---- a short game, and everything that can be wrong with it ---- */

static const char short_game[] = "[Game \"nova\"]\n"
                                 "[Format \"1\"]\n"
                                 "[Board \"islet\"]\n"
                                 "[Seats \"yr\"]\n"
                                 "[Seat1 \"Ada\"]\n"
                                 "[Edition \"en\"]\n"
                                 "[Options \"pioneers=2 quiet=1\"]\n"
                                 "[Date \"2006-11-15\"]\n"
                                 "[Result \"0-0\"]\n"
                                 "[End \"quiet\"]\n"
                                 "\n"
                                 "P +a3 +b5\n"
                                 "P +b1 +d7\n"
                                 "1y a3-a4 *a3 b1-b2\n"
                                 "1r b5-b4 b4-b5 b5-b6\n"
                                 "2y b2-b3 a4-a5 b3-b4\n";

static void test_short_game(void **unused)
{
    (void)unused;
    struct match *m = must_read(short_game, "short game");
    assert_string_equal(write_match(m, "nova"), short_game);
    match_close(m);
}

/* Readers are lenient, writers are not. */
static void test_lenient(void **unused)
{
    (void)unused;
    struct match *m = must_read("; a comment\r\n"
                                "[Format   \"1\"]\r\n"
                                "[Weather \"rain; later \xe2\x98\x80\"]\r\n"
                                "[Game \"nova\"] ; another\r\n"
                                "\r\n"
                                "[Seats \"yr\"]\r\n"
                                "[Options \"quiet=1   pioneers=2\"]\n"
                                "[Board \"islet\"]\r\n"
                                "[Date \"2006-11-15\"]\n[Seat1 \"Ada\"]\n"
                                "P   +a3   +b5 ; first round\r\n"
                                "\r\n"
                                "P +b1 +d7\n\n"
                                "  1y a3-a4 *a3 b1-b2\n"
                                "1r b5-b4 b4-b5 b5-b6\r\n"
                                "2y b2-b3 a4-a5 b3-b4",
                                "lenient");
    char wanted[2048];
    const char *end = strstr(short_game, "[End \"quiet\"]\n") + 14;
    snprintf(wanted, sizeof wanted,
             "%.*s[Weather \"rain; later \xe2\x98\x80\"]\n%s",
             (int)(end - short_game), short_game, end);
    assert_string_equal(write_match(m, "nova"), wanted);
    match_close(m);
}

/* Blanks count as one wherever they stand; a key may have any length. */
static void test_blanks(void **unused)
{
    (void)unused;
    static const char key[] = "AKeyThatIsMuchLongerThanAnyKeyThatAnybody"
                              "WouldEverThinkOfAndThenSomeMoreLetters99";
    char text[4096], wanted[4096];
    const char *end = strchr(short_game, '\n'), *body = strstr(end, "\n\n");
    snprintf(text, sizeof text,
             "  [Game   \"nova\"]%.*s\n [%s \" a; b: c \"] ; d\n%s",
             (int)(body - end), end, key, body + 1);
    snprintf(wanted, sizeof wanted, "%.*s[%s \" a; b: c \"]\n%s",
             (int)(body + 1 - short_game), short_game, key, body + 1);
    struct match *m = must_read(text, "blanks");
    assert_string_equal(write_match(m, "nova"), wanted);
    match_close(m);
}

/* Replaces the first `was` by `by` in the short game. */
static const char *changed(const char *was, const char *by)
{
    static char text[4096];
    const char *at = strstr(short_game, was);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - short_game), short_game,
             by, at + strlen(was));
    return text;
}

static void test_faults(void **unused)
{
    (void)unused;
    static const struct {
        const char *was, *by;
        int line;
        const char *name;
    } row[] = {
        /* tags */
        {"[Game \"nova\"]", "[Game nova]", 1, "tag.syntax"},
        {"[Game \"nova\"]", "[Game \"nova\"", 1, "tag.syntax"},
        {"[Game \"nova\"]", "[Ga-me \"nova\"]", 1, "tag.syntax"},
        {"[Game \"nova\"]", "[Game \"no\"va\"]", 1, "tag.syntax"},
        {"[Game \"nova\"]", "[]", 1, "tag.syntax"},
        {"[Game \"nova\"]", "[Game \"novum\"]", 1, "tag.value"},
        {"[Format \"1\"]", "[Format \"2\"]", 2, "tag.value"},
        {"[Format \"1\"]\n", "", 0, "tag.missing"},
        {"[Board \"islet\"]\n", "", 0, "tag.missing"},
        {"[Seats \"yr\"]\n", "", 0, "tag.missing"},
        {"[Board \"islet\"]", "[Board \"atlantis\"]", 3, "option.board"},
        {"[Seats \"yr\"]", "[Seats \"yx\"]", 4, "option.seats"},
        {"[Seats \"yr\"]", "[Seats \"yy\"]", 4, "option.seats"},
        {"[Seats \"yr\"]", "[Seats \"y\"]", 4, "setup.seats"},
        {"[Seats \"yr\"]", "[Seats \"yrbgy\"]", 4, "setup.seats"},
        {"[Seat1 \"Ada\"]", "[Format \"1\"]", 5, "tag.twice"},
        {"[Seat1 \"Ada\"]", "[Seat3 \"Ada\"]", 5, "tag.value"},
        {"[Seat1 \"Ada\"]", "[Rain \"a\"]\n[Rain \"b\"]", 6, "tag.twice"},
        {"[Edition \"en\"]", "[Edition \"de\"]", 6, "tag.value"},
        {"pioneers=2", "pioneers=99", 7, "setup.value"},
        {"pioneers=2", "pioneers=13", 7, "option.pioneers"},
        {"pioneers=2", "pioneers=02", 7, "setup.value"},
        {"pioneers=2", "pioneers=2 pioneers=2", 7, "setup.value"},
        {"pioneers=2", "edition=nl", 7, "setup.value"},
        {"pioneers=2", "board=island", 7, "setup.value"},
        {"pioneers=2", "bridges=2", 7, "setup.option"},
        {"pioneers=2", "return=back", 7, "setup.value"},
        {"pioneers=2", "stones=257", 7, "setup.value"},
        {"pioneers=2", "quiet=1000", 7, "setup.value"},
        {"pioneers=2", "pioneers", 7, "setup.value"},
        {"2006-11-15", "today", 8, "tag.value"},
        {"2006-11-15", "2006/11/15", 8, "tag.value"},
        /* the end */
        {"[Result \"0-0\"]", "[Result \"0-3\"]", 9, "end.result"},
        {"[Result \"0-0\"]", "[Result \"0\"]", 9, "end.result"},
        {"[Result \"0-0\"]", "[Result \"*\"]", 9, "end.result"},
        {"[End \"quiet\"]", "[End \"alone\"]", 10, "end.reason"},
        {"[End \"quiet\"]", "[End \"resign y\"]", 10, "end.reason"},
        {"[End \"quiet\"]", "[End \"boredom\"]", 10, "tag.value"},
        {"[End \"quiet\"]", "[End \"none\"]", 10, "tag.value"},
        {"[End \"quiet\"]", "[End \"quiet y\"]", 10, "tag.value"},
        {"[End \"quiet\"]", "[End \"resign b\"]", 10, "tag.value"},
        {"2y b2-b3 a4-a5 b3-b4\n", "", 10, "end.reason"},
        /* placement */
        {"P +a3 +b5", "P +a3", 12, "order.short"},
        {"P +a3 +b5", "P +a3 +b5 +b1", 12, "order.long"},
        {"P +a3 +b5", "P +a3 +a3", 12, "illegal.place-taken"},
        {"P +a3 +b5", "P +a3 +k5", 12, "syntax.hex"},
        {"P +a3 +b5", "P +a3 b5", 12, "text.syntax"},
        {"P +a3 +b5", "P +a3,+b5", 12, "text.syntax"},
        {"P +a3 +b5", "P +a3 b5-b4", 12, "illegal.place-first"},
        {"P +b1 +d7", "1y a3-a4 *a3 b1-b2", 13, "illegal.place-first"},
        {"P +b1 +d7", "P", 13, "text.syntax"},
        {"P +b1 +d7", "[Event \"late\"]", 13, "tag.syntax"},
        {"1y a3-a4 *a3 b1-b2", "P +c4 +c5", 14, "illegal.place-over"},
        /* turns */
        {"1y a3-a4", "1r b5-b4", 14, "order.seat"},
        {"1y a3-a4", "2y a3-a4", 14, "order.round"},
        {"1y a3-a4", "0y a3-a4", 14, "text.syntax"},
        {"1y a3-a4", "y a3-a4", 14, "text.syntax"},
        {"1y a3-a4", "1g a3-a4", 14, "text.syntax"},
        {"1y a3-a4 *a3 b1-b2", "1y a3-a4 *a3", 14, "order.short"},
        {"1y a3-a4 *a3 b1-b2", "1y", 14, "text.syntax"},
        {"1y a3-a4 *a3 b1-b2", "1y a3-a4 *a3 b1-b2 b2-b3", 14, "order.long"},
        {"1y a3-a4 *a3 b1-b2", "1y --", 14, "illegal.pass"},
        {"1y a3-a4 *a3", "1y a3a4 *a3", 14, "text.syntax"},
        {"1y a3-a4 *a3", "1y a3-a4 *a1", 14, "illegal.stone-apart"},
        {"*a3 b1-b2", "*a3(y3) b1-b2", 14, "result.gains"},
        {"1r b5-b4 b4-b5 b5-b6", "1r b5-b4 b4-b5 d7-d8", 15, "illegal.return"},
        {"2y b2-b3 a4-a5 b3-b4", "1y b2-b3 a4-a5 b3-b4", 16, "order.round"},
        {"2y b2-b3 a4-a5 b3-b4", "2y b2-b3 a4-a5", 16, "order.short"},
        {"2y b2-b3 a4-a5 b3-b4\n", "2y b2-b3 a4-a5 b3-b4\n2r b6-b5\n", 17,
         "order.after"},
        {"2y b2-b3 a4-a5 b3-b4\n", "2y b2-b3 a4-a5 b3-b4\nD y\n", 17,
         "order.after"},
        {"2y b2-b3", "D x\n2y b2-b3", 16, "text.syntax"},
        {"2y b2-b3", "D\n2y b2-b3", 16, "text.syntax"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct fault f;
        const char *text = changed(row[i].was, row[i].by);
        if (read_text(text, &f))
            fail_msg("accepted: %s", row[i].by);
        if (strcmp(fault_text(nova(), f.code)->name, row[i].name) != 0 ||
            f.line != row[i].line)
            print_error("%s: line %d, %s\n", row[i].by, f.line,
                        fault_text(nova(), f.code)->name);
        TEST_FAULT_NAMED(nova(), &f, row[i].name);
        assert_int_equal(f.line, row[i].line);
    }
}

/* Columns count from 1 in the line as it stands in the file. */
static void test_columns(void **unused)
{
    (void)unused;
    struct fault f;
    assert_null(read_text(changed("1y a3-a4 *a3", "1y a3-a4 *a1"), &f));
    assert_int_equal(f.column, 10);
    assert_null(read_text(changed("*a3 b1-b2", "*a3(y3) b1-b2"), &f));
    assert_int_equal(f.column, 13);
    assert_null(read_text(changed("1y ", "   1y   x"), &f));
    assert_int_equal(f.column, 9);
    assert_null(read_text(changed("1y ", "  2y "), &f));
    assert_int_equal(f.column, 3);
}

/* Text that replaces the lines from `from` on. */
static const char *cut(const char *was, const char *by, const char *from,
                       const char *tail)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s", changed(was, by));
    char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(at, sizeof text - (size_t)(at - text), "%s", tail);
    return text;
}

/* Unfinished and broken off: the last line may stop anywhere. */
static void test_unfinished(void **unused)
{
    (void)unused;
    static const struct {
        const char *head, *from, *tail;
    } row[] = {
        {"[Result \"*\"]\n", "1y", ""},
        {"[Result \"*\"]\n", "1y", "1y a3-a4\n"},
        {"[Result \"*\"]\n", "P +b1", "P +b1\n"},
        {"[Result \"0-0\"]\n[End \"resign r\"]\n", "1y", "1y a3-a4 *a3\n"},
        {"[Result \"0-0\"]\n[End \"time\"]\n", "1y", "1y a3-a4 *a3\n"},
        {"[Result \"0-0\"]\n[End \"agreed\"]\n", "P +a3", ""},
        {"[Result \"0-0\"]\n[End \"abandoned\"]\n", "P +b1", "P +b1\n"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *text = cut("[Result \"0-0\"]\n[End \"quiet\"]\n",
                               row[i].head, row[i].from, row[i].tail);
        struct match *m = must_read(text, row[i].tail);
        assert_string_equal(write_match(m, "nova"), text);
        match_close(m);
    }
}

/* Whoever resigns is not among the winners, whatever the scores. */
static void test_resigned(void **unused)
{
    (void)unused;
    struct result r;
    struct match *m =
        must_read(cut("[Result \"0-0\"]\n[End \"quiet\"]\n",
                      "[Result \"0-0\"]\n[End \"resign y\"]\n", "1y", ""),
                  "resigned");
    nova()->result(match_world(m), match_state(m), &r);
    assert_int_equal(r.place[0], 2);
    assert_int_equal(r.place[1], 1);
    match_close(m);
}

/* A seat that leaves has its own line, also in the middle of a turn. */
static void test_leaving(void **unused)
{
    (void)unused;
    static const char text[] = "[Game \"nova\"]\n"
                               "[Format \"1\"]\n"
                               "[Board \"islet\"]\n"
                               "[Seats \"yrb\"]\n"
                               "[Edition \"en\"]\n"
                               "[Options \"pioneers=1\"]\n"
                               "[Result \"*\"]\n"
                               "\n"
                               "P +a3 +b5 +h6\n"
                               "1y a3-a4 *a3\n"
                               "D y\n"
                               "1r b5-b4 b4-b5 b5-b6\n"
                               "1b h6-h5 *h6 h5-g4\n"
                               "2r b6-b5\n";
    struct match *m = must_read(text, "drop");
    assert_string_equal(write_match(m, "nova"), text);
    match_close(m);
}

/* So has a seat that somebody else takes over; the turn goes on behind it. */
static void test_takeover(void **unused)
{
    (void)unused;
    static const char text[] = "[Game \"nova\"]\n"
                               "[Format \"1\"]\n"
                               "[Board \"islet\"]\n"
                               "[Seats \"yr\"]\n"
                               "[Edition \"en\"]\n"
                               "[Options \"pioneers=1\"]\n"
                               "[Result \"*\"]\n"
                               "\n"
                               "P +a3\n"
                               "T r\n"
                               "P +b5\n"
                               "1y a3-a4\n"
                               "T y\n"
                               "1y *a3 a4-a5\n"
                               "1r b5-b4 b4-b5 b5-b6\n"
                               "T y\n"
                               "2y a5-a4\n";
    struct match *m = must_read(text, "takeover");
    assert_string_equal(write_match(m, "nova"), text);
    match_close(m);
}

/* An own board travels with its record. */
static void test_own_board(void **unused)
{
    (void)unused;
    static const char text[] =
        "[Game \"nova\"]\n[Format \"1\"]\n[Board \"trial\"]\n"
        "[Seats \"yr\"]\n[Edition \"en\"]\n[Options \"stones=3\"]\n"
        "[Result \"*\"]\n[Board1 \"name: trial\"]\n"
        "[Board2 \"landscapes: a=a b=b c=c d=d e=e f=f g=g h=h\"]\n"
        "[Board3 \"pioneers: 1 1 1\"]\n[Board4 \"stones: 12\"]\n"
        "[Board5 \"balance: 0\"]\n[Board6 \"map:\"]\n"
        "[Board7 \"a a a b b b\"]\n[Board8 \" c c c d d d\"]\n"
        "[Board9 \"e e e f f f\"]\n[Board10 \" g g g h h h\"]\n"
        "\nP +a1 +d7\n1y a1-a6 *a5\n";
    struct match *m = must_read(text, "own board");
    assert_string_equal(write_match(m, "nova"), text);
    match_close(m);
    char bad[2048];
    struct fault f;
    snprintf(bad, sizeof bad, "%s", text);
    memcpy(strstr(bad, "Board10"), "Board11", 7);
    assert_null(read_text(bad, &f));
    TEST_FAULT_NAMED(nova(), &f, "tag.value");
    assert_int_equal(f.line, 17);
    snprintf(bad, sizeof bad, "%s", text);
    memcpy(strstr(bad, " g g g"), " g g a", 6);
    assert_null(read_text(bad, &f));
    TEST_FAULT_NAMED(nova(), &f, "board.split");
}

/* Or whoever asks holds it ready, as the command line does. */
static void test_held_board(void **unused)
{
    (void)unused;
    static const char file[] =
        "name: trial\nlandscapes: a=a b=b c=c d=d e=e f=f g=g h=h\n"
        "pioneers: 1 1 1\nstones: 12\nmap:\n"
        "a a a b b b\n c c c d d d\ne e e f f f\n g g g h h h\n";
    static const char record[] =
        "[Game \"nova\"]\n[Format \"1\"]\n[Board \"trial\"]\n"
        "[Seats \"yr\"]\n[Edition \"en\"]\n[Result \"*\"]\n\n"
        "P +a1 +d7\n1y a1-a6 *a5\n";
    static const char position[] = "trial y5/6/6/r5 yr y1 - 0,0 12 0\n";
    static char given[40000], large[20000];
    const struct record_format *as_record = match_format(nova(), "nova");
    const struct record_format *as_position = match_format(nova(), "position");
    struct setup setup;
    struct fault f = {0};
    game_setup(&(struct both_setup){.file = file, .colours = "yr"}, &setup,
               given, sizeof given);
    struct match *m =
        match_read(nova(), as_record, record, strlen(record), &setup, &f);
    assert_non_null(m);
    assert_string_equal(write_match(m, "nova"), record);
    match_close(m);
    m = match_read(nova(), as_position, position, strlen(position), &setup, &f);
    assert_non_null(m);
    match_close(m);
    const char *nameless = position + strlen("trial ");
    m = match_read(nova(), as_position, nameless, strlen(nameless), &setup, &f);
    assert_non_null(m);
    assert_string_equal(write_match(m, "position"), position);
    match_close(m);
    memset(large, '#', sizeof large); /* a comment in front */
    large[sizeof large - 200] = '\n';
    strcpy(large + sizeof large - 199, file);
    game_setup(&(struct both_setup){.file = large, .colours = "yr"}, &setup,
               given, sizeof given);
    assert_null(
        match_read(nova(), as_record, record, strlen(record), &setup, &f));
    TEST_FAULT(nova(), &f, FAULT_SIZE);
    assert_int_equal(f.line, 3);
    assert_null(match_read(nova(), as_position, position, strlen(position),
                           &setup, &f));
    TEST_FAULT(nova(), &f, FAULT_SIZE);
    setup.given = "board:\n\tname: other\n";
    assert_null(
        match_read(nova(), as_record, record, strlen(record), &setup, &f));
    TEST_FAULT_NAMED(nova(), &f, "option.board");
    setup.given = "board:\n\ttitle: nameless\n";
    assert_null(
        match_read(nova(), as_record, record, strlen(record), &setup, &f));
    TEST_FAULT_NAMED(nova(), &f, "option.board");
}

/* What a random setup drew stands in the record as if it had been placed, and
 * whoever reads it need not draw. */
static void test_drawn(void **unused)
{
    (void)unused;
    static char copy[sizeof written];
    char given[64];
    struct setup setup;
    struct fault f = {0};
    game_setup(&(struct both_setup){.board = "islet",
                                    .colours = "yr",
                                    .options = "setup=random",
                                    .seed = 5},
               &setup, given, sizeof given);
    struct match *m = match_open(nova(), &setup, &f);
    strcpy(copy, write_match(m, "nova"));
    match_close(m);
    assert_non_null(strstr(copy, "[Seed \"5\"]"));
    assert_non_null(strstr(copy, "\nP +"));
    m = must_read(copy, "drawn");
    assert_string_equal(write_match(m, "nova"), copy);
    match_close(m);
    memcpy(strstr(copy, "\"5\""), "\"6\"", 3); /* another seed: information */
    m = must_read(copy, "drawn otherwise");
    assert_string_equal(write_match(m, "nova"), copy);
    match_close(m);
}

/* ---- starts ---- */

static const char start_game[] =
    "[Game \"nova\"]\n[Format \"1\"]\n[Board \"islet\"]\n[Seats \"yr\"]\n"
    "[Edition \"en\"]\n[Options \"pioneers=2\"]\n[Start \"%s\"]\n"
    "[Result \"*\"]\n\n%s";

static void start(const char *position, const char *body, const char *name)
{
    char text[2048];
    struct fault f;
    snprintf(text, sizeof text, start_game, position, body);
    struct match *m = read_text(text, &f);
    if (!name) {
        assert_non_null(m);
        assert_string_equal(write_match(m, "nova"), text);
        match_close(m);
        return;
    }
    assert_null(m);
    TEST_FAULT_NAMED(nova(), &f, name);
    assert_int_equal(f.line, 7);
}

static void test_start(void **unused)
{
    (void)unused;
    start("5/6/7/8/7/1r1r2/1y3/1y2 yr y1 - 0,0 26 0", "1y h6-h5\n", NULL);
    start("5/6/7/8/7/1r1r2/1y3/1y2 yr r1 - 0,0 26 0",
          "1r f4-f3 f3-f4 f4-f5\n2y h6-h5\n", NULL);
    start("5/6/7/8/7/1r1r2/1y3/1y2 yr y3:h5>h6*1 - 0,0 26 0",
          "1y h6-h7\n1r f4-f3\n", NULL);
    start("5/6/7/8/7/3r2/1y3/4 yr y0 1,1 0,0 26 0", "P +a1 +a2\n", NULL);
    start("5/6/7/8/7/6/1y3/4 yr r0 1,2 0,0 26 0", "P +a1\nP +a2\n", NULL);
    start("5/6/7/8/7/6/1y3/4 yr =agreed - 0,0 26 0", "", "position.active");
    start("5/6/7/8/7/6/1y3/4 ry y1 - 0,0 26 0", "", "position.seats");
    start("5/6/7/8/7/6/1y3 yr y1 - 0,0 26 0", "", "position.rows");
    start("5/6/7/8/7/6/yyy2/4 yr y1 - 0,0 26 0", "", "position.many");
}

/* ---- position files ---- */

static void test_positions(void **unused)
{
    (void)unused;
    static const char *const good[] = {
        "islet 5/6/7/8/7/1r1r2/1y3/1y2 yr y1 - 0,0 26 0\n",
        "islet 5/6/7/8/7/1r1r2/1y3/1y2 yr r0 2,3 0,0 26 0\n",
        "twins 7/8/9/10/11/12/13/14/14/13/12/11/10/9/8/7 gbry g0 8,8,8,8 "
        "0,0,0,0 80 0\n",
        "islet 1#2#/1####1/###4/3##3/3##2/3#2/#####/1#2 yr =divided - 18,24 6 "
        "0\n",
    };
    static const struct {
        const char *text, *name;
    } bad[] = {
        {"atlantis 5/6/7/8/7/6/5/4 yr y1 - 0,0 26 0", "position.board"},
        {"islet 5/6/7/8/7/3y3/5/r3 yr y1 - 0,0 26 0", "position.row"},
        {"islet 5/6/7/8/7/6/5/4 yr y1 - 0,0 26", "position.fields"},
        {"islet 5/6/7/8/7/6", "position.fields"},
        {"5/6/7/8/7/6/5/4 yr y1 - 0,0 26 0 0 0 0\n\n", "position.fields"},
        {"islet 5/6/7/8/7/6/5/4 yx y1 - 0,0 26 0", "option.seats"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct match *m = must_read(good[i], good[i]);
        assert_string_equal(write_match(m, "position"), good[i]);
        match_close(m);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fault f;
        assert_null(read_text(bad[i].text, &f));
        TEST_FAULT_NAMED(nova(), &f, bad[i].name);
        assert_int_equal(f.line, 1);
    }
}

/* ---- files that are nothing at all ---- */

static void test_garbage(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"", "\n\n", "hello\n", "{\"a\": 1}\n"};
    struct fault f;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(format_of(texts[i], strlen(texts[i])));
        assert_null(read_text(texts[i], &f));
        assert_true(f.code != 0);
    }
    assert_null(
        match_read(nova(), match_format(nova(), "position"), "", 0, NULL, &f));
    TEST_FAULT(nova(), &f, FAULT_TRUNCATED);
    memset(&f, 0, sizeof f);
    assert_null(match_read(nova(), match_format(nova(), "nova"),
                           "[Game \"\xff\"]\n", 12, NULL, &f));
    TEST_FAULT(nova(), &f, FAULT_ENCODING);
}

/* Cut anywhere, a record is refused or is an unfinished game; never worse. */
static void test_truncated(void **unused)
{
    (void)unused;
    for (size_t length = 0; length < strlen(short_game); length++) {
        char text[4096];
        struct fault f;
        snprintf(text, sizeof text, "%.*s", (int)length, short_game);
        struct match *m = read_text(text, &f);
        assert_true(m || f.code != 0);
        match_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),      cmocka_unit_test(test_samples),
        cmocka_unit_test(test_bad_files),  cmocka_unit_test(test_short_game),
        cmocka_unit_test(test_lenient),    cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_faults),     cmocka_unit_test(test_columns),
        cmocka_unit_test(test_unfinished), cmocka_unit_test(test_resigned),
        cmocka_unit_test(test_leaving),    cmocka_unit_test(test_takeover),
        cmocka_unit_test(test_own_board),  cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_held_board), cmocka_unit_test(test_start),
        cmocka_unit_test(test_positions),  cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
