/* tests/store/store_test.c: what every back end of the store promises.
 *
 * Built once per back end; BACKEND names its table. */
#include "store/backend.h"
#include "tests/test.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct seen {
    enum store_outcome outcome;
    int answers, rows;
    int64_t number, at;
    char key[64], text[256];
};

static struct store *store;
static char place[400] = "store_test_XXXXXX";

/* One of those several processes can share? */
static bool shared(void)
{
    return BACKEND.open == store_postgres.open;
}

static void see(void *context, const struct store_answer *a)
{
    struct seen *s = context;
    s->answers++;
    s->outcome = a->outcome;
    s->rows = a->count;
    if (a->count > 0) {
        const struct store_row *last = &a->rows[a->count - 1];
        s->number = last->number;
        s->at = last->at;
        snprintf(s->key, sizeof s->key, "%s", last->key);
        snprintf(s->text, sizeof s->text, "%s", last->text);
    }
}

static struct store *open_store(void)
{
    char why[200] = "";
    struct store *s = store_open(&BACKEND, place, NULL, NULL, why, sizeof why);
    if (!s)
        fail_msg("%s", why);
    return s;
}

/* tests/store/with_postgres has started one for us. */
static void empty_database(void)
{
    const char *address = getenv("TERRA_POSTGRES");
    assert_non_null(address);
    snprintf(place, sizeof place, "%s", address);
    PGconn *conn = PQconnectdb(place);
    PGresult *r = PQexec(conn, "SET client_min_messages = error;"
                               "DROP SCHEMA public CASCADE;"
                               "CREATE SCHEMA public");
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(conn));
    PQclear(r);
    PQfinish(conn);
}

static int begin(void **state)
{
    (void)state;
    if (shared()) {
        empty_database();
    } else {
        strcpy(place, "store_test_XXXXXX");
        close(mkstemp(place));
    }
    store = open_store();
    return 0;
}

static int finish(void **state)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    (void)state;
    store_close(store);
    for (int i = 0; i < 3 && !shared(); i++) {
        char name[420];
        snprintf(name, sizeof name, "%s%s", place, parts[i]);
        unlink(name);
    }
    return 0;
}

static enum store_outcome change(enum store_verb verb, const char *kind,
                                 const char *key, int64_t expected, int64_t at,
                                 const char *text)
{
    struct store_change c = {verb, kind, key, expected, at, text};
    struct seen s = {0};
    store_write(store, &c, 1, see, &s);
    store_settle(store);
    assert_int_equal(s.answers, 1);
    return s.outcome;
}

static struct seen get(const char *kind, const char *key)
{
    struct seen s = {0};
    store_get(store, kind, key, see, &s);
    store_settle(store);
    assert_int_equal(s.outcome, STORE_OK);
    return s;
}

static struct seen lines(const char *log, int64_t from)
{
    struct seen s = {0};
    store_lines(store, log, from, see, &s);
    store_settle(store);
    return s;
}

static void records_have_versions(void **state)
{
    (void)state;
    assert_int_equal(get("user", "ann").rows, 0);
    assert_int_equal(change(STORE_PUT, "user", "ann", 0, 0, "one"), STORE_OK);
    assert_int_equal(get("user", "ann").number, 1);
    assert_int_equal(change(STORE_PUT, "user", "ann", 0, 0, "two"),
                     STORE_STALE);
    assert_string_equal(get("user", "ann").text, "one");
    assert_int_equal(change(STORE_PUT, "user", "ann", 1, 0, "two"), STORE_OK);
    assert_int_equal(get("user", "ann").number, 2);
    assert_int_equal(change(STORE_PUT, "user", "ann", STORE_ANY, 0, "three"),
                     STORE_OK);
    assert_string_equal(get("user", "ann").text, "three");
    assert_int_equal(get("table", "ann").rows, 0);
    assert_int_equal(change(STORE_DELETE, "user", "ann", 1, 0, NULL),
                     STORE_STALE);
    assert_int_equal(change(STORE_DELETE, "user", "ann", 3, 0, NULL), STORE_OK);
    assert_int_equal(get("user", "ann").rows, 0);
}

static void text_comes_back_as_it_was(void **state)
{
    static const char odd[] = "a'b\"c;--\n\té \xf0\x9f\x8c\x8d { } ?1 %s";
    (void)state;
    assert_int_equal(change(STORE_PUT, "user", odd, 0, 0, odd), STORE_OK);
    struct seen s = get("user", odd);
    assert_string_equal(s.text, odd);
    assert_string_equal(s.key, odd);
}

static void logs_only_grow(void **state)
{
    (void)state;
    assert_int_equal(change(STORE_APPEND, NULL, "m1", 0, 10, "a"), STORE_OK);
    assert_int_equal(change(STORE_APPEND, NULL, "m1", 0, 11, "b"), STORE_STALE);
    assert_int_equal(change(STORE_APPEND, NULL, "m1", 2, 11, "b"), STORE_STALE);
    assert_int_equal(change(STORE_APPEND, NULL, "m1", 1, 11, "b"), STORE_OK);
    assert_int_equal(change(STORE_APPEND, NULL, "m2", 0, 12, "c"), STORE_OK);
    struct seen s = lines("m1", 0);
    assert_int_equal(s.rows, 2);
    assert_int_equal(s.number, 2);
    assert_int_equal(s.at, 11);
    assert_string_equal(s.text, "b");
    assert_int_equal(lines("m1", 1).rows, 1);
    assert_int_equal(lines("m1", 2).rows, 0);
    assert_int_equal(lines("nothing", 0).rows, 0);
}

static void a_batch_is_all_or_nothing(void **state)
{
    const struct store_change good[] = {
        {STORE_APPEND, NULL, "m", 0, 1, "a"},
        {STORE_APPEND, NULL, "m", 1, 1, "b"},
        {STORE_PUT, "match", "m", 0, 0, "head"},
    };
    const struct store_change stale[] = {
        {STORE_APPEND, NULL, "m", 2, 1, "c"},
        {STORE_PUT, "match", "m", 7, 0, "other"},
    };
    struct seen s = {0};
    (void)state;
    store_write(store, good, 3, see, &s);
    store_settle(store);
    assert_int_equal(s.outcome, STORE_OK);
    store_write(store, stale, 2, see, &s);
    store_settle(store);
    assert_int_equal(s.outcome, STORE_STALE);
    assert_int_equal(lines("m", 0).rows, 2);
    assert_string_equal(get("match", "m").text, "head");
}

/* Writers that come together share a commit, and a stale one among them harms
 * nobody. */
static void many_writers_one_order(void **state)
{
    enum { MANY = 300 };
    static struct seen seen[MANY];
    (void)state;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < MANY; i++) {
        struct store_change c = {STORE_APPEND, NULL, "m", i - i % 3, i, "x"};
        store_write(store, &c, 1, see, &seen[i]);
    }
    store_settle(store);
    int good = 0;
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(seen[i].answers, 1);
        good += seen[i].outcome == STORE_OK;
    }
    assert_int_equal(good, 1); /* i = 0; then the length never fits again */
    assert_int_equal(lines("m", 0).rows, 1);
    assert_true(store_figures(store).commits <= MANY);
}

static void lists_are_sorted_pages(void **state)
{
    struct seen s = {0};
    (void)state;
    change(STORE_PUT, "user", "b", 0, 0, "2");
    change(STORE_PUT, "user", "c", 0, 0, "3");
    change(STORE_PUT, "user", "a", 0, 0, "1");
    change(STORE_PUT, "userx", "d", 0, 0, "4");
    store_list(store, "user", "", 2, see, &s);
    store_settle(store);
    assert_int_equal(s.rows, 2);
    assert_string_equal(s.key, "b");
    store_list(store, "user", "b", 2, see, &s);
    store_settle(store);
    assert_int_equal(s.rows, 1);
    assert_string_equal(s.key, "c");
}

static void a_list_leaves_out_words(void **state)
{
    static const char *const texts[] = {
        "{\"is\":\"over\"}", "{\"is\":\"open\"}", "50 %_", "it is over", ""};
    struct seen s = {0};
    (void)state;
    for (int i = 0; i < 5; i++)
        change(STORE_PUT, "match", (char[]){(char)('a' + i), '\0'}, 0, 0,
               texts[i]);
    store_list_without(store, "match", "", "\"is\":\"over\"", 2, see, &s);
    store_settle(store);
    assert_int_equal(s.rows, 2);
    assert_string_equal(s.key, "c");
    store_list_without(store, "match", "c", "\"is\":\"over\"", 2, see, &s);
    store_settle(store);
    assert_int_equal(s.rows, 2);
    store_list_without(store, "match", "", "%", 9, see, &s); /* no pattern */
    store_settle(store);
    assert_int_equal(s.rows, 4);
    store_list_without(store, "match", "", "", 9, see, &s);
    store_settle(store);
    assert_int_equal(s.rows, 5);
}

static struct seen claim(const char *holder, int64_t now, int64_t until)
{
    struct seen s = {0};
    store_claim(store, "hook", holder, now, until, see, &s);
    store_settle(store);
    assert_int_equal(s.outcome, STORE_OK);
    return s;
}

static void a_job_has_one_holder(void **state)
{
    (void)state;
    change(STORE_OFFER, "hook", "j1", 0, 100, "late");
    change(STORE_OFFER, "hook", "j2", 0, 50, "early");
    assert_int_equal(claim("one", 49, 60).rows, 0);
    assert_string_equal(claim("one", 50, 60).key, "j2");
    assert_int_equal(claim("two", 55, 70).rows, 0);
    assert_string_equal(claim("two", 60, 70).key, "j2"); /* one was too slow */
    assert_int_equal(change(STORE_FINISH, "hook", "j2", 0, 0, "one"),
                     STORE_STALE);
    assert_int_equal(change(STORE_FINISH, "hook", "j2", 0, 0, "two"), STORE_OK);
    assert_string_equal(claim("one", 100, 110).key, "j1");
    assert_int_equal(claim("two", 100, 110).rows, 0);
}

static int told;

static void tell(void *context, const struct store_change *c)
{
    struct seen *mine = context;
    assert_int_equal(mine->answers, told); /* before the writer's answer */
    told++;
    assert_int_equal(c->verb, STORE_APPEND);
    assert_int_equal(c->expected, told); /* its place in the log */
}

static void watchers_are_told_of_commits_only(void **state)
{
    struct seen s = {0};
    (void)state;
    told = 0;
    store_subscribe(store, tell, &s);
    for (int i = 0; i < 2; i++) {
        struct store_change c = {STORE_APPEND, NULL, "m", i, 0, "x"};
        store_write(store, &c, 1, see, &s);
        store_settle(store);
    }
    assert_int_equal(change(STORE_APPEND, NULL, "m", 7, 0, "x"), STORE_STALE);
    assert_int_equal(told, 2);
}

static void a_file_stays(void **state)
{
    (void)state;
    if (BACKEND.open == store_memory.open)
        return; /* it promises to forget */
    change(STORE_PUT, "user", "ann", 0, 0, "one");
    change(STORE_APPEND, NULL, "m", 0, 5, "a");
    store_close(store);
    store = open_store();
    assert_string_equal(get("user", "ann").text, "one");
    assert_int_equal(lines("m", 0).at, 5);
}

static void care_works_while_open(void **state)
{
    char why[200], to[] = "copy_test_XXXXXX";
    (void)state;
    change(STORE_APPEND, NULL, "m", 0, 5, "a");
    assert_true(store_verify(store, why, sizeof why));
    assert_true(store_vacuum(store, why, sizeof why));
    close(mkstemp(to));
    unlink(to);
    bool can = BACKEND.open != store_memory.open;
    assert_int_equal(store_backup(store, to, why, sizeof why), can);
    if (can) { /* a file, whatever it was made from */
        struct store *other =
            store_open(&store_sqlite, to, NULL, NULL, why, sizeof why);
        struct seen s = {0};
        assert_non_null(other);
        store_lines(other, "m", 0, see, &s);
        store_settle(other);
        assert_int_equal(s.rows, 1);
        store_close(other);
        unlink(to);
        assert_false(store_backup(store, "/no/such/folder/x", why, sizeof why));
        assert_non_null(strstr(why, "/no/such/folder/x"));
    }
}

/* ---- several processes ---- */

enum { WRITERS = 4, APPENDS = 60 };

struct writer {
    struct store *store;
    int good, stale, failed;
    int64_t length; /* as far as it knows */
};

static void wrote(void *context, const struct store_answer *a)
{
    struct writer *w = context;
    w->good += a->outcome == STORE_OK;
    w->stale += a->outcome == STORE_STALE;
    w->failed += a->outcome == STORE_FAILED;
}

static void learn(void *context, const struct store_answer *a)
{
    struct writer *w = context;
    if (a->count)
        w->length = a->rows[a->count - 1].number;
}

/* Adds lines to one log and counts in one record, against the others. */
static void *write_all(void *argument)
{
    struct writer *w = argument;
    while (w->good < APPENDS && w->failed == 0) {
        struct store_change c[] = {{STORE_APPEND, NULL, "m", w->length, 1, "x"},
                                   {STORE_PUT, "sum", "m", w->length, 0, "y"}};
        store_write(w->store, c, 2, wrote, w);
        store_lines(w->store, "m", w->length, learn, w);
        store_settle(w->store);
    }
    return NULL;
}

static void writers_never_overwrite_each_other(void **state)
{
    struct writer writers[WRITERS] = {0};
    pthread_t threads[WRITERS];
    (void)state;
    if (!shared())
        return;
    for (int i = 0; i < WRITERS; i++)
        writers[i].store = open_store();
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_all, &writers[i]);
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        store_close(writers[i].store);
        assert_int_equal(writers[i].failed, 0);
        assert_int_equal(writers[i].good, APPENDS);
    }
    assert_int_equal(lines("m", 0).rows, WRITERS * APPENDS);
    assert_int_equal(get("sum", "m").number, WRITERS * APPENDS);
}

static void *claim_all(void *argument)
{
    struct writer *w = argument;
    for (int empty = 0; !empty;) {
        struct seen s = {0};
        char me[24];
        snprintf(me, sizeof me, "%p", (void *)w);
        store_claim(w->store, "hook", me, 10, 20, see, &s);
        store_settle(w->store);
        w->good += s.rows;
        w->failed += s.outcome != STORE_OK;
        empty = s.rows == 0;
    }
    return NULL;
}

static void a_job_goes_to_one_process(void **state)
{
    enum { JOBS = 60 };
    struct writer writers[WRITERS] = {0};
    pthread_t threads[WRITERS];
    int sum = 0;
    (void)state;
    if (!shared())
        return;
    for (int i = 0; i < JOBS; i++) {
        char key[16];
        snprintf(key, sizeof key, "j%d", i);
        change(STORE_OFFER, "hook", key, 0, 5, "");
    }
    for (int i = 0; i < WRITERS; i++) {
        writers[i].store = open_store();
        pthread_create(&threads[i], NULL, claim_all, &writers[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        store_close(writers[i].store);
        assert_int_equal(writers[i].failed, 0);
        sum += writers[i].good;
    }
    assert_int_equal(sum, JOBS);
}

struct hearing {
    int puts, appends, deletes, offers;
    int64_t last;
};

static void hear(void *context, const struct store_change *c)
{
    struct hearing *h = context;
    assert_non_null(c);
    assert_null(c->text); /* to be read back */
    h->puts += c->verb == STORE_PUT && strcmp(c->key, "ann") == 0;
    h->deletes += c->verb == STORE_DELETE && strcmp(c->key, "ann") == 0;
    h->offers += c->verb == STORE_OFFER && strcmp(c->kind, "hook") == 0;
    if (c->verb == STORE_APPEND) {
        assert_string_equal(c->key, "m");
        h->appends++;
        h->last = c->expected;
    }
}

static atomic_int woken;

static void wake(void *context)
{
    (void)context;
    woken++;
}

/* The other process hears of each change once, and of none of its own. */
static void others_are_told(void **state)
{
    enum { LINES = 40 };
    struct hearing h = {0};
    char why[200];
    (void)state;
    if (!shared())
        return;
    struct store *other =
        store_open(&BACKEND, place, wake, NULL, why, sizeof why);
    assert_true(store_subscribe(other, hear, &h));
    assert_true(store_subscribe(store, NULL, NULL)); /* it gives notice now */
    change(STORE_PUT, "user", "ann", 0, 0, "one");
    for (int i = 0; i < LINES; i++)
        change(STORE_APPEND, NULL, "m", i, 0, "x");
    change(STORE_OFFER, "hook", "j", 0, 0, "");
    change(STORE_DELETE, "user", "ann", 1, 0, NULL);
    while (!h.deletes) {
        store_collect(other);
        usleep(1000); /* the test's own patience; meson ends it at last */
    }
    assert_true(woken > 0);
    assert_int_equal(h.puts, 1);
    assert_int_equal(h.offers, 1);
    assert_int_equal(h.appends, LINES);
    assert_int_equal(h.last, LINES);
    store_close(other);
}

/* Copies into the back end and out of it are equal, and refused where
 * something is already. */
static void copies_are_equal(void **state)
{
    char why[200] = "", file[] = "copy_test_XXXXXX";
    struct store_copied out, in;
    (void)state;
    if (BACKEND.open == store_memory.open)
        return;
    close(mkstemp(file));
    for (int i = 0; i < 600; i++)
        change(STORE_PUT, "user", "ann", STORE_ANY, 0, "six hundredth");
    const struct store_change more[] = {
        {STORE_APPEND, NULL, "m", 0, 7, "first"},
        {STORE_APPEND, NULL, "m", 1, 9, "it's a \"line\"\n"},
        {STORE_OFFER, "hook", "j", 0, 11, "job"}};
    store_write(store, more, 3, NULL, NULL);
    store_settle(store);
    assert_true(store_copy(&BACKEND, place, &store_sqlite, file, &out, why,
                           sizeof why));
    assert_int_equal(out.records, 1);
    assert_int_equal(out.lines, 2);
    assert_int_equal(out.jobs, 1);
    assert_false(
        store_copy(&BACKEND, place, &store_sqlite, file, &in, why, sizeof why));
    assert_non_null(strstr(why, "not empty"));
    finish(NULL);
    begin(NULL);
    assert_true(
        store_copy(&store_sqlite, file, &BACKEND, place, &in, why, sizeof why));
    assert_int_equal(in.records, out.records);
    assert_int_equal(in.lines, out.lines);
    assert_int_equal(get("user", "ann").number, 600);
    assert_int_equal(lines("m", 0).at, 9);
    assert_string_equal(claim("one", 11, 12).text, "job");
    unlink(file);
}

/* ---- a copy that goes wrong ---- */

static bool spoil(void *b, enum store_part part, const struct store_row *row)
{
    struct store_row wrong = *row;
    wrong.at += part == STORE_LINES;
    return store_sqlite.restore(b, part, &wrong);
}

static bool lose(void *b, enum store_part part, const struct store_row *row)
{
    return part == STORE_JOBS || store_sqlite.restore(b, part, row);
}

/* Nobody finds out later: both are read again and compared. */
static void a_wrong_copy_is_noticed(void **state)
{
    (void)state;
    if (BACKEND.open == store_memory.open)
        return;
    change(STORE_PUT, "user", "ann", 0, 0, "Ann");
    change(STORE_APPEND, NULL, "m", 0, 7, "first");
    change(STORE_OFFER, "hook", "j", 0, 11, "job");
    for (int i = 0; i < 2; i++) {
        char why[200] = "", file[] = "copy_test_XXXXXX";
        struct store_backend wrong = store_sqlite;
        close(mkstemp(file));
        wrong.restore = i ? lose : spoil;
        assert_false(
            store_copy(&BACKEND, place, &wrong, file, NULL, why, sizeof why));
        assert_string_equal(why, "the copy is not equal");
        unlink(file);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(records_have_versions),
        TEST(text_comes_back_as_it_was),
        TEST(logs_only_grow),
        TEST(a_batch_is_all_or_nothing),
        TEST(many_writers_one_order),
        TEST(lists_are_sorted_pages),
        TEST(a_list_leaves_out_words),
        TEST(a_job_has_one_holder),
        TEST(watchers_are_told_of_commits_only),
        TEST(a_file_stays),
        TEST(care_works_while_open),
        TEST(copies_are_equal),
        TEST(a_wrong_copy_is_noticed),
        TEST(writers_never_overwrite_each_other),
        TEST(a_job_goes_to_one_process),
        TEST(others_are_told),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
