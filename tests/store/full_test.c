/* tests/store/full_test.c: a disk that is full, a file that is torn.
 *
 * What was answered with STORE_OK must be there afterwards, and nothing
 * else. */
#include "store/store.h"
#include "tests/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

static char place[] = "full_test_XXXXXX";
static int good, bad;

static void count(void *context, const struct store_answer *a)
{
    (void)context;
    if (a->outcome == STORE_OK)
        good++;
    else {
        assert_int_equal(a->outcome, STORE_FAILED);
        assert_true(a->why[0] != '\0');
        bad++;
    }
}

static void rows(void *context, const struct store_answer *a)
{
    *(int *)context = a->count;
}

/* A file size limit: write() fails as it does on a full disk. */
static void a_full_disk_is_an_error_and_no_loss(void **state)
{
    char why[200], text[2000];
    struct rlimit before, tight;
    int there = -1;
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    struct store *s =
        store_open(&store_sqlite, place, NULL, NULL, why, sizeof why);
    assert_non_null(s);
    tight = before;
    tight.rlim_cur = 300000;
    setrlimit(RLIMIT_FSIZE, &tight);
    for (int i = 0; i < 200; i++) {
        struct store_change c = {STORE_APPEND, NULL, "m", STORE_ANY, i, text};
        store_write(s, &c, 1, count, NULL);
        if (i % 10 == 0)
            store_settle(s);
    }
    store_settle(s);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(good > 0 && bad > 0);
    int before_more = good;
    struct store_change c = {STORE_APPEND, NULL, "m", good, 0, "after"};
    store_write(s, &c, 1, count, NULL); /* room again: play goes on */
    store_settle(s);
    assert_int_equal(good, before_more + 1);
    store_close(s);
    s = store_open(&store_sqlite, place, NULL, NULL, why, sizeof why);
    assert_non_null(s);
    store_lines(s, "m", 0, rows, &there);
    store_settle(s);
    assert_int_equal(there, good);
    store_close(s);
}

static void a_torn_file_is_refused(void **state)
{
    char why[200] = "";
    (void)state;
    FILE *file = fopen(place, "wb");
    fputs("SQLite format 3", file);
    for (int i = 0; i < 5000; i++)
        fputc(i & 255, file);
    fclose(file);
    assert_null(store_open(&store_sqlite, place, NULL, NULL, why, sizeof why));
    assert_non_null(strstr(why, place));
}

static void a_newer_schema_is_refused(void **state)
{
    char why[200] = "";
    sqlite3 *db;
    (void)state;
    unlink(place);
    assert_int_equal(sqlite3_open(place, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_null(store_open(&store_sqlite, place, NULL, NULL, why, sizeof why));
    assert_non_null(strstr(why, "newer"));
}

/* A store made by the first version of the schema opens and is whole. */
static void old_stores_are_brought_up(void **state)
{
    char why[200] = "";
    sqlite3 *db;
    int there = -1;
    (void)state;
    unlink(place);
    assert_int_equal(sqlite3_open(place, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "CREATE TABLE record (kind TEXT NOT NULL, key TEXT NOT "
                     "NULL, version INTEGER NOT NULL, text TEXT NOT NULL, "
                     "PRIMARY KEY (kind, key)) WITHOUT ROWID;"
                     "CREATE TABLE line (log TEXT NOT NULL, sequence INTEGER "
                     "NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, "
                     "PRIMARY KEY (log, sequence)) WITHOUT ROWID;"
                     "INSERT INTO line VALUES ('m', 1, 7, 'old');"
                     "INSERT INTO record VALUES ('note', "
                     "'aaaaaaaaaaaa:bbbbbbbbbbbb', 1, 'mine');"
                     "PRAGMA user_version = 1",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    struct store *s =
        store_open(&store_sqlite, place, NULL, NULL, why, sizeof why);
    assert_non_null(s);
    store_lines(s, "m", 0, rows, &there);
    store_claim(s, "hook", "me", 1, 2, NULL, NULL);
    store_settle(s);
    assert_int_equal(there, 1);
    store_get(s, "note", "bbbbbbbbbbbb:aaaaaaaaaaaa", rows, &there);
    there = 0;
    store_settle(s);
    assert_int_equal(there, 1);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_is_an_error_and_no_loss),
        cmocka_unit_test(a_torn_file_is_refused),
        cmocka_unit_test(a_newer_schema_is_refused),
        cmocka_unit_test(old_stores_are_brought_up),
    };
    close(mkstemp(place));
    int failed = cmocka_run_group_tests_name("full", tests, NULL, NULL);
    static const char *const parts[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", place, parts[i]);
        unlink(name);
    }
    return failed;
}
