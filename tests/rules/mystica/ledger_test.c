/* tests/rules/mystica/ledger_test.c: ledgers of the public server.
 *
 * Ledgers in tests/games/mystica, and all of ../shared/data/mystica-ledgers if
 * that folder is there: every row must come out, and the final points those of
 * the index.  Then one ledger is damaged in ways that have their own names. */
#include "tests/test.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"
#include "rules/rules.h"

#include <dirent.h>

enum { TEXT = 1 << 20 };

static char text[TEXT], changed[TEXT];

static size_t load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t length = fread(text, 1, TEXT - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

static const struct record_format *format_of(const char *from, size_t length)
{
    const struct record_format *ledger = match_format(&mystica_game, "ledger");
    return ledger->recognise(from, length)
               ? ledger
               : match_format(&mystica_game, "commands");
}

static struct match *read_ledger(const char *from, struct fault *f)
{
    size_t length = strlen(from);
    return match_read(&mystica_game, format_of(from, length), from, length,
                      NULL, f);
}

/* "auren=12,giants=34" of the index, in any order. */
static void check_points(const struct match *m, const char *points)
{
    const struct state *s = match_state(m);
    for (int seat = 0; seat < match_setup(m)->seats; seat++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%s=%d",
                 factions[s->seat[seat].faction].id, s->seat[seat].vp);
        const char *at = strstr(points, wanted);
        size_t length = strlen(wanted);
        if (!at || (at[length] >= '0' && at[length] <= '9'))
            fail_msg("%s is not in %s", wanted, points);
    }
}

static void check_file(const char *folder, const char *name, const char *points)
{
    char path[600], why[300];
    struct fault f = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(load(path) > 0);
    struct match *m = read_ledger(text, &f);
    if (!m) {
        fault_write(&mystica_game, &f, why, sizeof why);
        fail_msg("%s:%d: %s", name, f.line, why);
    }
    assert_true(match_over(m));
    if (points)
        check_points(m, points);
    match_close(m);
}

static const char *source(void)
{
    const char *root = getenv("TERRA_SOURCE");
    return root ? root : ".";
}

static void test_own(void **state)
{
    static const char *const names[] = {"landscapes-4p-fireice1-5140.tsv",
                                        "landscapes-5p-base-5002.tsv",
                                        "landscapes-4p-loonlakes-5035.tsv"};
    char folder[500];
    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/games/mystica", source());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_file(folder, names[i], NULL);
}

/* The folder of shared ledgers, next to the checkout. */
static bool shared_folder(char *to, size_t cap)
{
    snprintf(to, cap, "%s/../shared/data/mystica-ledgers", source());
    DIR *folder = opendir(to);
    if (folder)
        closedir(folder);
    return folder != NULL;
}

static int check_index(const char *folder, const char *index)
{
    static char lines[TEXT];
    char path[600];
    int column = -1, count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, index);
    assert_true(load(path) > 0);
    memcpy(lines, text, TEXT);
    char *line_at, *line = strtok_r(lines, "\r\n", &line_at);
    for (; line; line = strtok_r(NULL, "\r\n", &line_at)) {
        char *field_at, *name = strtok_r(line, "\t", &field_at), *field = name;
        const char *points = NULL;
        for (int i = 0; field; field = strtok_r(NULL, "\t", &field_at), i++) {
            if (strcmp(field, "final_vp") == 0)
                column = i;
            else if (i == column)
                points = field;
        }
        if (!points)
            continue;
        check_file(folder, name, points);
        count++;
    }
    return count;
}

static void test_shared(void **state)
{
    static const char *const index[] = {"index.tsv", "generated-index.tsv",
                                        "deep-index.tsv",
                                        "landscapes-index.tsv"};
    char folder[500];
    int count = 0;
    (void)state;
    if (!shared_folder(folder, sizeof folder)) {
        print_message("# skipped: ../shared/data/mystica-ledgers is absent\n");
        return; /* skip() would count as a failure in TAP */
    }
    for (size_t i = 0; i < sizeof index / sizeof *index; i++)
        count += check_index(folder, index[i]);
    print_message("# %d ledgers, every row equal\n", count);
    assert_true(count > 100);
}

/* ---- damage ---- */

/* The own ledger with one piece of text replaced everywhere, or once. */
static void change(const char *old, const char *with, bool all)
{
    char path[500];
    snprintf(path, sizeof path,
             "%s/tests/games/mystica/landscapes-4p-fireice1-5140.tsv",
             source());
    assert_true(load(path) > 0);
    char *to = changed;
    const char *from = text, *at;
    while ((at = strstr(from, old)) != NULL) {
        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        memcpy(to, with, strlen(with));
        to += strlen(with);
        from = at + strlen(old);
        if (!all)
            break;
    }
    assert_true(from != text);
    strcpy(to, from);
}

static void refused(const char *old, const char *with, bool all,
                    const char *name)
{
    struct fault f = {0};
    change(old, with, all);
    assert_null(read_ledger(changed, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

static void test_damage(void **state)
{
    (void)state;
    refused("20 VP\t\t15 C\t\t4 W", "20 VP\t\t14 C\t\t4 W", false,
            "ledger.values");
    refused("0 P\t\t7/5/0 PW\t\t1/0/0/1\t1\tupgrade",
            "0 P\t\t7/5/0 PW\t\t1/0/0/1\t2\tupgrade", false, "ledger.offers");
    refused("upgrade H4 to TP", "upgrade H4 to SH", false, "illegal.upgrade");
    refused("upgrade H4 to TP", "ubgrade H4 to TP", false, "text.syntax");
    refused("upgrade H4 to TP", "upgrade H4 to TP now", false,
            "ledger.command");
    refused("chaosmagicians\t", "chaosmagician\t", false, "unknown.faction");
    refused("Removing tile BON4\n", "", false, "ledger.tiles");
    refused("Round 2 scoring: SCORE1", "Round 2 scoring: SCORE0", false,
            "ledger.tiles");
    refused("map fireice1", "map nowhere", false, "setup.map");
    /* A field too few, a value that is no number, a list that is too short. */
    refused("20 VP\t\t15 C\t\t4 W", "20 VP\t15 C\t\t4 W", false, "ledger.row");
    refused("20 VP\t\t15 C\t\t4 W", "20 VP\t\tC\t\t4 W", false, "ledger.row");
    refused("7/5/0 PW", "7/5 PW", false, "ledger.row");
    refused("map fireice1", "map base", false, "illegal.terrain");
    refused("+18vp for network", "+17vp for network", true, "ledger.final");
    refused("leech 2 from chaos", "leech 3 from chaos", false,
            "illegal.no-offer");
    refused("SCORE1, SPADE >> 2", "SCORE1, SPADE >> 3", false, "ledger.tiles");
    refused("Added final scoring tile: connected-clusters\n", "", false,
            "ledger.tiles");
    refused("tile: connected-clusters", "tile: connected-distance", false,
            "ledger.tiles");
    /* A changed change, and rows that change nothing or only say so. */
    refused("20 VP\t+4\t19 C", "20 VP\t+3\t19 C", false, "ledger.change");
    refused("auren\t\t20 VP\t\t15 C\t\t3 W\t\t0 P\t\t5/7/0 PW\t\t0/1/0/1\t\t"
            "setup\n",
            "", false, "ledger.missing");
    refused("chaosmagicians\t\t20 VP\t+4\t19 C\t+2\t6 W\t\t0 P\t\t5/7/0 PW"
            "\t\t2/0/0/0\t\tother_income_for_faction\n",
            "", false, "ledger.missing");
}

/* What other programs write around the same rows. */
static void test_clothing(void **state)
{
    struct fault f = {0};
    (void)state;
    change("map fireice1", "\xEF\xBB\xBFmap fireice1", false);
    struct match *m = read_ledger(changed, &f);
    assert_non_null(m);
    match_close(m);
    change("\n", "\r\n", true);
    m = read_ledger(changed, &f);
    assert_non_null(m);
    match_close(m);
}

static void test_seed_only(void **state)
{
    static const char seeded[] =
        "option strict-leech\nrandomize v1 seed abc\nsetup auren\n"
        "setup giants\nauren: build F4\n";
    struct fault f = {0};
    (void)state;
    assert_null(read_ledger(seeded, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, "ledger.seed");
}

#define SMALL                                                                  \
    "score SCORE2,SCORE3,SCORE4,SCORE5,SCORE6,SCORE7\n"                        \
    "delete BON1\ndelete BON2\ndelete BON3\ndelete BON4\n"                     \
    "setup auren\nsetup giants\nauren: build F4\n"

static void small_refused(const char *rest, const char *name)
{
    struct fault f = {0};
    snprintf(changed, sizeof changed, "%s%s", SMALL, rest);
    assert_null(read_ledger(changed, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

static void test_small(void **state)
{
    (void)state;
    small_refused("drop-faction elves\n", "ledger.faction");
    small_refused("giants: cult_income_for_faction\n", "ledger.round");
    small_refused("auren: build E9\n", "order.turn");
    small_refused("elves: build E9\n", "unknown.faction");
    small_refused("Giants:build F4\n", "illegal.taken");
}

/* With --all every difference is a remark, and the first one the fault. */
static void test_all(void **state)
{
    static char given[65536], notes[65536], remarks[TEXT];
    static struct step steps[65536];
    static struct world w;
    static struct state s;
    struct fault f = {0};
    (void)state;
    change("+18vp for network", "+17vp for network", true);
    struct record r = {.given = given,
                       .given_cap = sizeof given,
                       .notes = notes,
                       .notes_cap = sizeof notes,
                       .remarks = remarks,
                       .remarks_cap = sizeof remarks,
                       .steps = steps,
                       .cap = 65536,
                       .world = &w,
                       .state = &s,
                       .all = true};
    setup_init(&mystica_game, &r.setup);
    assert_false(match_format(&mystica_game, "ledger")
                     ->read(changed, strlen(changed), &r, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, "ledger.final");
    assert_non_null(strstr(remarks, "difference: "));
    assert_int_equal(s.phase, PHASE_OVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own),      cmocka_unit_test(test_shared),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_seed_only),
        cmocka_unit_test(test_small),    cmocka_unit_test(test_all),
        cmocka_unit_test(test_clothing),
    };
    return cmocka_run_group_tests_name("mystica ledgers", tests, NULL, NULL);
}
