/* tests/store/doubt_test.c: PostgreSQL crashes while a commit is under way.
 *
 * The number of that transaction was written nowhere yet, so the database gives
 * it out again, to somebody whose commit succeeds: that must not pass for ours,
 * and what is written under such numbers must still be heard. */
#include "store/store.h"
#include "tests/test.h"

#include <libpq-fe.h>
#include <unistd.h>

enum { TRIALS = 5, PATIENCE = 600 }; /* of 50 ms */

static const char *address; /* of the database */
static char place[600];     /* the way the store takes, which can be closed */
static char link_name[300], sockets[300], folder[300];

static void pause_a_little(void)
{
    usleep(50000);
}

static void ask(PGconn *conn, const char *text, char *to, size_t cap)
{
    PGresult *r = PQexec(conn, text);
    if (PQresultStatus(r) != PGRES_TUPLES_OK &&
        PQresultStatus(r) != PGRES_COMMAND_OK)
        fail_msg("%s: %s", text, PQerrorMessage(conn));
    if (to)
        snprintf(to, cap, "%s",
                 PQntuples(r) && !PQgetisnull(r, 0, 0) ? PQgetvalue(r, 0, 0)
                                                       : "");
    PQclear(r);
}

static int script(const char *what)
{
    char command[700];
    snprintf(command, sizeof command, "'%s' %s '%s' >/dev/null 2>&1",
             getenv("TERRA_POSTGRES_SCRIPT"), what, folder);
    return system(command);
}

static void crash_and_start(void)
{
    int failed = script("kill");
    assert_int_equal(failed, 0);
    failed = 1; /* until all of it is gone */
    for (int i = 0; i < PATIENCE && failed; i++, pause_a_little())
        failed = script("start");
    assert_int_equal(failed, 0);
}

static void see(void *context, const struct store_answer *a)
{
    *(enum store_outcome *)context = a->outcome;
}

static enum store_outcome append(struct store *s, const char *log)
{
    struct store_change c = {STORE_APPEND, NULL, log, STORE_ANY, 1, "text"};
    enum store_outcome outcome = STORE_FAILED;
    store_write(s, &c, 1, see, &outcome);
    store_settle(s);
    return outcome;
}

/* The commit of a line of the log "slow" waits until it is too late. */
static void commits_wait(PGconn *conn)
{
    ask(conn,
        "SET client_min_messages = error;"
        "CREATE OR REPLACE FUNCTION wait() RETURNS trigger AS 'BEGIN PERFORM"
        " pg_sleep(20); RETURN NULL; END' LANGUAGE plpgsql;"
        "DROP TRIGGER IF EXISTS wait ON line;"
        "CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON line DEFERRABLE"
        " INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.log = 'slow')"
        " EXECUTE FUNCTION wait()",
        NULL, 0);
}

static long long number_of(PGconn *conn, const char *text)
{
    char digits[32];
    ask(conn, text, digits, sizeof digits);
    return strtoll(digits, NULL, 10);
}

/* The one whose commit waits. */
static long long waiting(PGconn *conn)
{
    long long number = 0;
    for (int i = 0; i < PATIENCE && !number; i++, pause_a_little())
        number =
            number_of(conn, "SELECT backend_xid::text FROM pg_stat_activity"
                            " WHERE wait_event = 'PgSleep'");
    assert_true(number > 0);
    return number;
}

/* Somebody else's commits, up to that number.  False: it is not given out
 * again, as the journal had been written just before. */
static bool use_up(PGconn *conn, long long number)
{
    long long next =
        number_of(conn, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
    ask(conn,
        "DROP TRIGGER wait ON line;"
        "INSERT INTO change (writer, verb, kind, key, number)"
        " VALUES ('other', 2, '', 'others', 1)",
        NULL, 0);
    while (number_of(conn, "SELECT pg_current_xact_id()::text") < number)
        ;
    return next <= number;
}

static void hear(void *context, const struct store_change *c)
{
    if (c && !c->text && c->key && strcmp(c->key, "others") == 0)
        ++*(int *)context;
}

static int slow_lines(PGconn *conn)
{
    return (int)number_of(conn, "SELECT count(*) FROM line WHERE log = 'slow'");
}

/* One crash.  True if the number was given out again. */
static bool crash(struct store *s, const int *heard)
{
    PGconn *conn = PQconnectdb(address);
    enum store_outcome outcome = STORE_FAILED;
    struct store_change c = {STORE_APPEND, NULL, "slow", STORE_ANY, 1, "text"};
    int before = slow_lines(conn), told = *heard;
    commits_wait(conn);
    ask(conn, "CHECKPOINT", NULL, 0);
    assert_int_equal(append(s, "warm"), STORE_OK);
    for (int i = 0; i < 20; i++) /* notice of it is a commit, too */
        pause_a_little();
    store_write(s, &c, 1, see, &outcome);
    long long number = waiting(conn);
    assert_int_equal(unlink(link_name), 0);
    PQfinish(conn);
    crash_and_start();
    conn = PQconnectdb(address);
    bool again = use_up(conn, number);
    assert_int_equal(symlink(sockets, link_name), 0);
    store_settle(s);
    assert_int_equal(slow_lines(conn) - before, outcome == STORE_OK);
    for (int i = 0; i < PATIENCE && *heard == told; i++, pause_a_little())
        store_collect(s);
    assert_true(*heard > told);
    PQfinish(conn);
    return again;
}

static void a_number_given_out_again_is_not_ours(void **state)
{
    char why[200] = "";
    int heard = 0, again = 0;
    (void)state;
    struct store *s =
        store_open(&store_postgres, place, NULL, NULL, why, sizeof why);
    if (!s)
        fail_msg("%s", why);
    assert_true(store_subscribe(s, hear, &heard));
    for (int i = 0; i < TRIALS && !again; i++)
        again = crash(s, &heard);
    assert_true(again);
    store_close(s);
}

int main(void)
{
    address = getenv("TERRA_POSTGRES");
    const char *host = address ? strstr(address, "host=") : NULL;
    if (!host)
        return 1;
    snprintf(sockets, sizeof sockets, "%s", host + 5);
    snprintf(folder, sizeof folder, "%.*s",
             (int)(strrchr(sockets, '/') - sockets), sockets);
    snprintf(link_name, sizeof link_name, "%.290s/way", folder);
    snprintf(place, sizeof place, "%.*shost=%s", (int)(host - address), address,
             link_name);
    if (symlink(sockets, link_name) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_given_out_again_is_not_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
