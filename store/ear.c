/* store/ear.c: hears what other servers have written to PostgreSQL.
 *
 * A thread with a connection of its own.  NOTIFY only says that there is
 * something new, at most once in a few milliseconds and never within anybody's
 * commit; what it is stands in the table `change`, and is also looked for when
 * no notice came.  Rows are read exactly once whatever the order of commits:
 * those which the last snapshot could not see. */
#define _GNU_SOURCE /* pipe2 */
#include "store/postgres.h"

#include <fcntl.h>
#include <libintl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NOTIFY_MS = 5,      /* between two notices of ours */
    LOOK_MS = 1000,     /* if no notice comes */
    AGAIN_MS = 200,     /* between attempts to connect */
    TIDY_MS = 60000,    /* between two removals of old rows */
    LOST_MS = 4 * 60000 /* rows are kept for five minutes */
};

struct ear {
    char *place, *writer; /* owned */
    store_heard *heard;
    void *context;
    PGconn *conn;   /* owned; of the thread */
    char *snapshot; /* owned: what was read so far */
    int64_t notified, looked, tidied;
    bool owing; /* a notice */
    int pipe[2];
    pthread_t thread;
};

static const char tidy[] =
    "DELETE FROM change WHERE at < now() - interval '5 minutes'";

static const char look[] =
    "SELECT pg_current_snapshot(), c.verb, c.kind, c.key, c.number"
    " FROM (VALUES (1)) AS one LEFT JOIN change AS c"
    " ON c.xid >= pg_snapshot_xmin($1::pg_snapshot)"
    " AND NOT pg_visible_in_snapshot(c.xid, $1::pg_snapshot)"
    " AND c.writer <> $2 ORDER BY c.xid";

/* What was written since the last look, and a little before: a database that
 * crashed may give numbers out again that the snapshot had seen pass.  What is
 * heard twice is read twice, no more. */
static const char back[] =
    "SELECT format('%s:%s:', x, x) FROM (SELECT xid AS x FROM change"
    " WHERE at > now() - make_interval(secs => $1::int)"
    " UNION ALL SELECT pg_snapshot_xmin(pg_current_snapshot())"
    " ORDER BY 1 LIMIT 1) AS t";

/* ---- reading ---- */

static void hear(const struct ear *e, const PGresult *r, int row)
{
    static const enum store_verb verbs[] = {STORE_PUT, STORE_DELETE,
                                            STORE_APPEND, STORE_OFFER};
    long verb = strtol(PQgetvalue(r, row, 1), NULL, 10);
    struct store_change c = {.verb = verbs[verb & 3],
                             .kind = PQgetvalue(r, row, 2),
                             .key = PQgetvalue(r, row, 3),
                             .expected =
                                 strtoll(PQgetvalue(r, row, 4), NULL, 10)};
    e->heard(e->context, &c);
}

static void keep_snapshot(struct ear *e, const PGresult *r)
{
    free(e->snapshot);
    e->snapshot = strdup(PQgetvalue(r, 0, 0));
}

static bool look_back(struct ear *e)
{
    enum { MARGIN_S = 30 }; /* no transaction takes longer */
    char seconds[24];
    const char *const values[] = {seconds};
    snprintf(seconds, sizeof seconds, "%d",
             (int)((postgres_ms() - e->looked) / 1000) + MARGIN_S);
    PGresult *r = PQexecParams(e->conn, back, 1, NULL, values, NULL, NULL, 0);
    bool good = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) > 0;
    if (good)
        keep_snapshot(e, r);
    PQclear(r);
    return good;
}

static bool look_now(struct ear *e)
{
    const char *const values[] = {e->snapshot, e->writer};
    PGresult *r = PQexecParams(e->conn, look, 2, NULL, values, NULL, NULL, 0);
    bool good = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) > 0;
    for (int i = 0; good && i < PQntuples(r); i++)
        if (!PQgetisnull(r, i, 1))
            hear(e, r, i);
    if (good) {
        keep_snapshot(e, r);
        e->looked = postgres_ms();
    }
    PQclear(r);
    return good && e->snapshot;
}

/* ---- the thread ---- */

static bool simple(struct ear *e, const char *text)
{
    PGresult *r = PQexec(e->conn, text);
    bool good = PQresultStatus(r) == PGRES_COMMAND_OK;
    PQclear(r);
    return good;
}

static bool ready(struct ear *e)
{
    if (e->conn && PQstatus(e->conn) == CONNECTION_OK)
        return true;
    PQfinish(e->conn);
    e->conn = postgres_connect(e->place);
    if (PQstatus(e->conn) == CONNECTION_OK && simple(e, "LISTEN terra") &&
        look_back(e) && look_now(e))
        return true;
    PQfinish(e->conn); /* it must look back first */
    e->conn = NULL;
    return false;
}

/* Has anybody else given notice? */
static bool noticed(struct ear *e)
{
    bool any = false;
    PQconsumeInput(e->conn);
    for (PGnotify *n; (n = PQnotifies(e->conn)); PQfreemem(n))
        any |= n->be_pid != PQbackendPID(e->conn);
    return any;
}

static int patience(const struct ear *e, int64_t now, bool connected)
{
    if (!connected)
        return AGAIN_MS;
    if (!e->owing)
        return LOOK_MS;
    int64_t left = e->notified + NOTIFY_MS - now;
    return left > 0 ? (int)left : 0;
}

/* What came through the pipe: false at the end. */
static bool drain(struct ear *e)
{
    char bytes[64];
    ssize_t count;
    while ((count = read(e->pipe[0], bytes, sizeof bytes)) > 0) {
        if (memchr(bytes, 'q', (size_t)count))
            return false;
        e->owing = true;
    }
    return true;
}

static void attend(struct ear *e)
{
    int64_t now = postgres_ms();
    if (e->owing && now - e->notified >= NOTIFY_MS &&
        simple(e, "NOTIFY terra")) {
        e->owing = false;
        e->notified = now;
    }
    bool due = now - e->looked >= LOOK_MS;
    while ((noticed(e) || due) && look_now(e))
        due = false; /* notices that came while it looked */
    if (now - e->tidied >= TIDY_MS && simple(e, tidy))
        e->tidied = now;
}

static void *run(void *argument)
{
    struct ear *e = argument;
    for (;;) {
        /* First of all: who was suspended would look again and not know what
         * had been tidied away meanwhile. */
        if (postgres_ms() - e->looked > LOST_MS) {
            e->heard(e->context, NULL);
            e->looked = postgres_ms();
        }
        bool there = ready(e);
        if (there)
            attend(e);
        int64_t now = postgres_ms();
        struct pollfd files[] = {{e->pipe[0], POLLIN, 0},
                                 {there ? PQsocket(e->conn) : -1, POLLIN, 0}};
        poll(files, 2, patience(e, now, there));
        if (!drain(e))
            return NULL;
    }
}

/* ---- the back end's side ---- */

static void release(struct ear *e)
{
    for (int i = 0; i < 2; i++)
        if (e->pipe[i] >= 0)
            close(e->pipe[i]);
    PQfinish(e->conn);
    free(e->snapshot);
    free(e->place);
    free(e->writer);
    free(e);
}

/* From here on nothing is missed: the first snapshot is taken at once. */
static bool begin(struct ear *e)
{
    e->tidied = postgres_ms();
    e->conn = postgres_connect(e->place);
    PGresult *r = PQexec(e->conn, "SELECT pg_current_snapshot()");
    if (PQresultStatus(r) == PGRES_TUPLES_OK)
        e->snapshot = strdup(PQgetvalue(r, 0, 0));
    PQclear(r);
    e->looked = postgres_ms();
    return e->snapshot && simple(e, "LISTEN terra") &&
           pthread_create(&e->thread, NULL, run, e) == 0;
}

struct ear *ear_open(const char *place, const char *writer, store_heard *heard,
                     void *context, char *why, size_t cap)
{
    struct ear *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->place = strdup(place);
    e->writer = strdup(writer);
    e->heard = heard;
    e->context = context;
    bool good =
        e->place && e->writer && pipe2(e->pipe, O_NONBLOCK | O_CLOEXEC) == 0;
    if (good && begin(e))
        return e;
    snprintf(why, cap, gettext("cannot listen: %s"),
             e->conn ? PQerrorMessage(e->conn) : "no memory");
    release(e);
    return NULL;
}

void ear_close(struct ear *e)
{
    if (!e)
        return;
    while (write(e->pipe[1], "q", 1) < 0)
        ;
    pthread_join(e->thread, NULL);
    release(e);
}

/* A full pipe has said so already. */
void ear_committed(struct ear *e)
{
    if (e && write(e->pipe[1], "c", 1) < 0)
        return;
}
