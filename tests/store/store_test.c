/* tests/store/store_test.c: what every back end of the store promises.
 *
 * Built once per back end; BACKEND names its table. */
#include "store/backend.h"
#include "tests/test.h"

#include <unistd.h>

struct seen {
    enum store_outcome outcome;
    int answers, rows;
    int64_t number, at;
    char key[64], text[256];
};

static struct store *store;
static char place[] = "store_test_XXXXXX";

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

static int begin(void **state)
{
    (void)state;
    strcpy(place, "store_test_XXXXXX");
    int file = mkstemp(place);
    close(file);
    store = open_store();
    return 0;
}

static int finish(void **state)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    (void)state;
    store_close(store);
    for (int i = 0; i < 3; i++) {
        char name[80];
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
    char why[200], to[80];
    (void)state;
    change(STORE_APPEND, NULL, "m", 0, 5, "a");
    assert_true(store_verify(store, why, sizeof why));
    assert_true(store_vacuum(store, why, sizeof why));
    snprintf(to, sizeof to, "%s.copy", place);
    bool can = BACKEND.open != store_memory.open;
    assert_int_equal(store_backup(store, to, why, sizeof why), can);
    if (can) {
        struct store *other =
            store_open(&BACKEND, to, NULL, NULL, why, sizeof why);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(records_have_versions),  TEST(text_comes_back_as_it_was),
        TEST(logs_only_grow),         TEST(a_batch_is_all_or_nothing),
        TEST(many_writers_one_order), TEST(lists_are_sorted_pages),
        TEST(a_job_has_one_holder),   TEST(watchers_are_told_of_commits_only),
        TEST(a_file_stays),           TEST(care_works_while_open),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
