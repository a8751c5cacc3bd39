/* store/postgres.c: the back end on PostgreSQL, for several servers at once.
 *
 * The database itself keeps writers apart: a line's place in its log is unique,
 * a record changes only from the version that was read, and what another server
 * took first shows as a race, which the store judges anew.  Every change leaves
 * a row in the table `change`; store/ear.c tells the other servers. */
#include "store/postgres.h"

#include <inttypes.h>
#include <libintl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DOUBT_MS = 10000, /* how long an unanswered commit is asked after */
    PAUSE_MS = 200,   /* between attempts to connect */
    NUMBER_BYTES = 24,
    PARAMETERS = 8
};

enum statement {
    S_VERSION,
    S_LENGTH,
    S_HOLDER,
    S_INSERT,
    S_UPDATE,
    S_REMOVE,
    S_APPEND,
    S_OFFER,
    S_FINISH,
    S_CLAIM,
    S_GET,
    S_LIST,
    S_LINES,
    S_RECORDS,
    S_ALL_LINES,
    S_JOBS,
    S_RESTORE_JOB,
    STATEMENTS
};

/* The last parameter of a change is the writer, who need not be told of it. */
#define TELL(verb, kind, key, number, writer)                                  \
    " INSERT INTO change (writer, verb, kind, key, number)"                    \
    " SELECT " writer ", " verb ", " kind ", " key ", " number " FROM made"

static const char *const sql[STATEMENTS] = {
    [S_VERSION] = "SELECT version FROM record WHERE kind = $1 AND key = $2"
                  " FOR UPDATE",
    [S_LENGTH] = "SELECT coalesce(max(sequence), 0) FROM line WHERE log = $1",
    [S_HOLDER] = "SELECT holder FROM job WHERE kind = $1 AND key = $2"
                 " FOR UPDATE",
    [S_INSERT] = "WITH made AS (INSERT INTO record (kind, key, version, text)"
                 " VALUES ($1, $2, $3::bigint, $4) RETURNING 1)" TELL(
                     "0", "$1", "$2", "$3::bigint", "$5"),
    [S_UPDATE] = "WITH made AS (UPDATE record SET version = $3::bigint,"
                 " text = $4 WHERE kind = $1 AND key = $2"
                 " AND version = $3::bigint - 1 RETURNING 1)" TELL(
                     "0", "$1", "$2", "$3::bigint", "$5"),
    [S_REMOVE] = "WITH made AS (DELETE FROM record WHERE kind = $1"
                 " AND key = $2 RETURNING 1)" TELL("1", "$1", "$2", "0", "$3"),
    [S_APPEND] = "WITH made AS (INSERT INTO line (log, sequence, at, text)"
                 " VALUES ($1, $2::bigint, $3::bigint, $4) RETURNING 1)" TELL(
                     "2", "''", "$1", "$2::bigint", "$5"),
    [S_OFFER] = "WITH made AS (INSERT INTO job (kind, key, due, text)"
                " VALUES ($1, $2, $3::bigint, $4) ON CONFLICT (kind, key)"
                " DO UPDATE SET due = $3::bigint, text = $4 RETURNING 1)" TELL(
                    "3", "$1", "$2", "0", "$5"),
    [S_FINISH] = "DELETE FROM job WHERE kind = $1 AND key = $2",
    [S_CLAIM] = "UPDATE job SET holder = $2, until = $4::bigint WHERE kind = $1"
                " AND key = (SELECT key FROM job WHERE kind = $1"
                "   AND due <= $3::bigint"
                "   AND (holder = '' OR until <= $3::bigint)"
                "   ORDER BY due, key LIMIT 1 FOR UPDATE SKIP LOCKED)"
                " RETURNING kind, key, 0, due, text",
    [S_GET] = "SELECT kind, key, version, 0, text FROM record"
              " WHERE kind = $1 AND key = $2",
    [S_LIST] = "SELECT kind, key, version, 0, text FROM record"
               " WHERE kind = $1 AND key > $2"
               " AND ($3 = '' OR position($3 in text) = 0)"
               " ORDER BY key LIMIT $4::bigint",
    [S_LINES] = "SELECT NULL, log, sequence, at, text FROM line"
                " WHERE log = $1 AND sequence > $2::bigint ORDER BY sequence",
    [S_RECORDS] = "SELECT kind, key, version, 0, text FROM record"
                  " WHERE (kind, key) > ($1, $2)"
                  " ORDER BY kind, key LIMIT $3::bigint",
    [S_ALL_LINES] = "SELECT NULL, log, sequence, at, text FROM line"
                    " WHERE (log, sequence) > ($1, $2::bigint)"
                    " ORDER BY log, sequence LIMIT $3::bigint",
    [S_JOBS] = "SELECT kind, key, 0, due, text FROM job"
               " WHERE (kind, key) > ($1, $2)"
               " ORDER BY kind, key LIMIT $3::bigint",
    [S_RESTORE_JOB] = "INSERT INTO job (kind, key, due, text)"
                      " VALUES ($1, $2, $3::bigint, $4)",
};

/* Steps that were ever released are never changed; see store/schema.h. */
static const char *const schema[] = {
    /* 1: what SQLite has after its third step, and what others must be told.
     * Keys are ordered by their bytes, as everywhere. */
    "CREATE TABLE record ("
    "  kind text COLLATE \"C\" NOT NULL, key text COLLATE \"C\" NOT NULL,"
    "  version bigint NOT NULL CHECK (version > 0), text text NOT NULL,"
    "  PRIMARY KEY (kind, key));"
    "CREATE TABLE line ("
    "  log text COLLATE \"C\" NOT NULL,"
    "  sequence bigint NOT NULL CHECK (sequence > 0),"
    "  at bigint NOT NULL, text text NOT NULL, PRIMARY KEY (log, sequence));"
    "CREATE TABLE job ("
    "  kind text COLLATE \"C\" NOT NULL, key text COLLATE \"C\" NOT NULL,"
    "  due bigint NOT NULL, holder text NOT NULL DEFAULT '',"
    "  until bigint NOT NULL DEFAULT 0, text text NOT NULL,"
    "  PRIMARY KEY (kind, key));"
    "CREATE INDEX job_due ON job (kind, due);"
    "CREATE TABLE change ("
    "  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),"
    "  at timestamptz NOT NULL DEFAULT now(),"
    "  writer text NOT NULL, verb int NOT NULL, kind text NOT NULL,"
    "  key text NOT NULL, number bigint NOT NULL);"
    "CREATE INDEX change_xid ON change (xid);"
    "CREATE INDEX change_at ON change USING brin (at);",
    /* 2: as SQLite's fifth */
    "WITH head AS MATERIALIZED (SELECT key, text, text::json AS j FROM record"
    "  WHERE kind = 'match' AND text LIKE '{%\"status\":\"over\"%}'),"
    " past AS (SELECT key, text, j, j->>'game' AS game,"
    "  (j->>'finished')::bigint AS at, (j->>'hidden')::boolean AS hidden"
    "  FROM head WHERE (j->>'started')::bigint > 0),"
    " listed AS (SELECT 'all' AS list, key, text, at FROM past"
    "    WHERE NOT hidden"
    "  UNION SELECT game, key, text, at FROM past WHERE NOT hidden"
    "  UNION SELECT seat->>'user', key, text, at"
    "    FROM past, json_array_elements(j->'seats') AS seat"
    "    WHERE seat->>'user' IS NOT NULL)"
    "INSERT INTO record (kind, key, version, text)"
    "  SELECT 'over', list || ':' || to_char(9999999999999 - at,"
    "    'FM0000000000000') || ':' || key, 1, text FROM listed"
    "  UNION SELECT 'over', 'rated:' || game || ':' || to_char(at,"
    "    'FM0000000000000') || ':' || key, 1, text FROM past"
    "    WHERE (j->>'rated')::boolean"
    "  ON CONFLICT DO NOTHING;",
};

enum { SCHEMA = sizeof schema / sizeof schema[0] };

struct postgres {
    PGconn *conn; /* owned */
    char *place;  /* owned */
    char why[160];
    bool raced;
    char xid[NUMBER_BYTES]; /* of the transaction to be committed */
    char writer[40];
    int64_t tried;   /* when connecting last failed */
    struct ear *ear; /* owned; NULL until somebody listens */
};

int64_t postgres_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void pause_ms(int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

/* ---- connecting ---- */

/* A server that cannot be reached any more must be noticed, and one that
 * cannot reach the database any more must not hold locks in it. */
PGconn *postgres_connect(const char *place)
{
    static const char *const names[] = {
        "dbname",           "application_name", "client_encoding",
        "connect_timeout",  "keepalives_idle",  "keepalives_interval",
        "keepalives_count", "tcp_user_timeout", NULL};
    const char *const values[] = {place, "terra", "UTF8",  "4", "5",
                                  "2",   "3",     "10000", NULL};
    PGconn *conn = PQconnectdbParams(names, values, 1);
    PGresult *r = PQstatus(conn) == CONNECTION_OK
                      ? PQexec(conn, "SET client_min_messages = warning;"
                                     "SET synchronous_commit = on;"
                                     "SET statement_timeout = 30000;"
                                     "SET idle_in_transaction_session_timeout"
                                     " = 15000")
                      : NULL;
    PQclear(r);
    return conn;
}

/* The first line of what the database says. */
static bool fail(struct postgres *p, const PGresult *r)
{
    const char *said = r ? PQresultErrorMessage(r) : PQerrorMessage(p->conn);
    const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
    static const char *const races[] = {"23505", "40001", "40P01"};
    snprintf(p->why, sizeof p->why, "%.*s", (int)strcspn(said, "\n"), said);
    p->raced = false;
    for (int i = 0; state && i < 3; i++)
        p->raced |= strcmp(state, races[i]) == 0;
    return false;
}

/* For what needs no parameters; several statements are one transaction. */
static bool execute(struct postgres *p, const char *text)
{
    PGresult *r = PQexec(p->conn, text);
    ExecStatusType status = PQresultStatus(r);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!good)
        fail(p, r);
    PQclear(r);
    return good;
}

static bool prepare(struct postgres *p)
{
    for (int i = 0; i < STATEMENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        PGresult *r = PQprepare(p->conn, name, sql[i], 0, NULL);
        bool good = PQresultStatus(r) == PGRES_COMMAND_OK;
        if (!good)
            fail(p, r);
        PQclear(r);
        if (!good)
            return false;
    }
    return true;
}

static bool connect_now(struct postgres *p)
{
    PQfinish(p->conn);
    p->conn = postgres_connect(p->place);
    if (PQstatus(p->conn) == CONNECTION_OK && prepare(p))
        return true;
    fail(p, NULL);
    PQfinish(p->conn); /* without its statements it would be of no use */
    p->conn = NULL;
    p->tried = postgres_ms();
    return false;
}

/* While it is away requests fail at once instead of queueing up. */
static bool connected(struct postgres *p)
{
    if (p->conn && PQstatus(p->conn) == CONNECTION_OK)
        return true;
    if (p->tried && postgres_ms() - p->tried < PAUSE_MS)
        return false;
    return connect_now(p);
}

/* ---- statements ---- */

/* A statement with its parameters: t text, i number. */
static PGresult *run(struct postgres *p, enum statement which,
                     const char *types, const char *const *texts,
                     const int64_t *numbers)
{
    const char *values[PARAMETERS];
    char digits[PARAMETERS][NUMBER_BYTES], name[16];
    int count = 0;
    for (; types[count]; count++)
        if (types[count] == 't') {
            values[count] = *texts++;
        } else {
            snprintf(digits[count], NUMBER_BYTES, "%" PRId64, *numbers++);
            values[count] = digits[count];
        }
    snprintf(name, sizeof name, "s%d", (int)which);
    return PQexecPrepared(p->conn, name, count, values, NULL, NULL, 0);
}

/* A change that must find exactly what was read. */
static bool change(struct postgres *p, PGresult *r, bool one)
{
    bool good = PQresultStatus(r) == PGRES_COMMAND_OK;
    if (!good) {
        fail(p, r);
    } else if (one && strcmp(PQcmdTuples(r), "1") != 0) {
        snprintf(p->why, sizeof p->why, "another server was faster");
        p->raced = true;
        good = false;
    }
    PQclear(r);
    return good;
}

static const char *value(const PGresult *r, int row, int column)
{
    return PQgetisnull(r, row, column) ? NULL : PQgetvalue(r, row, column);
}

static bool collect(struct postgres *p, PGresult *r, struct store_rows *out)
{
    bool good = PQresultStatus(r) == PGRES_TUPLES_OK;
    for (int i = 0; good && i < PQntuples(r); i++)
        rows_add(out, value(r, i, 0), value(r, i, 1),
                 strtoll(PQgetvalue(r, i, 2), NULL, 10),
                 strtoll(PQgetvalue(r, i, 3), NULL, 10), value(r, i, 4));
    if (!good)
        fail(p, r);
    PQclear(r);
    return good;
}

static bool in_transaction(const struct postgres *p)
{
    return PQtransactionStatus(p->conn) != PQTRANS_IDLE;
}

/* Reading is harmless twice: a broken connection is made anew. */
static bool read_rows(struct postgres *p, enum statement which,
                      const char *types, const char *const *texts,
                      const int64_t *numbers, struct store_rows *out)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!connected(p))
            return false;
        bool alone = !in_transaction(p);
        if (collect(p, run(p, which, types, texts, numbers), out))
            return true;
        if (!alone || PQstatus(p->conn) == CONNECTION_OK)
            return false;
    }
    return false;
}

/* The first column of the first row as text; "" if there is none. */
static bool single(struct postgres *p, PGresult *r, char *to, size_t cap)
{
    bool good = PQresultStatus(r) == PGRES_TUPLES_OK;
    if (good)
        snprintf(to, cap, "%s", PQntuples(r) ? PQgetvalue(r, 0, 0) : "");
    else
        fail(p, r);
    PQclear(r);
    return good;
}

static bool number(struct postgres *p, PGresult *r, int64_t *out)
{
    char digits[NUMBER_BYTES];
    bool good = single(p, r, digits, sizeof digits);
    *out = good ? strtoll(digits, NULL, 10) : 0;
    return good;
}

/* ---- opening ---- */

/* Several servers may start at once: one of them takes the steps. */
static bool migrate(struct postgres *p)
{
    int64_t have = 0;
    bool good =
        execute(p, "BEGIN; SELECT pg_advisory_xact_lock(7305471);"
                   "CREATE TABLE IF NOT EXISTS taken (step int PRIMARY KEY)") &&
        number(p, PQexec(p->conn, "SELECT coalesce(max(step), 0) FROM taken"),
               &have);
    if (good && have > SCHEMA) {
        snprintf(
            p->why, sizeof p->why,
            gettext("made by a newer version (schema %d, this one knows %d)"),
            (int)have, (int)SCHEMA);
        good = false;
    }
    for (int64_t step = have; good && step < SCHEMA; step++) {
        char done[64];
        snprintf(done, sizeof done, "INSERT INTO taken VALUES (%d)",
                 (int)step + 1);
        good = execute(p, schema[step]) && execute(p, done);
    }
    return good && execute(p, "COMMIT");
}

static void postgres_close(void *b)
{
    struct postgres *p = b;
    ear_close(p->ear);
    PQfinish(p->conn);
    free(p->place);
    free(p);
}

static bool begin_use(struct postgres *p)
{
    char who[NUMBER_BYTES];
    p->conn = postgres_connect(p->place);
    if (PQstatus(p->conn) != CONNECTION_OK)
        return fail(p, NULL);
    if (!migrate(p) || !prepare(p) ||
        !single(p, PQexec(p->conn, "SELECT pg_backend_pid()"), who, sizeof who))
        return false;
    snprintf(p->writer, sizeof p->writer, "%s-%lld", who,
             (long long)time(NULL));
    return true;
}

static void *postgres_open(const char *place, char *why, size_t cap)
{
    struct postgres *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->place = strdup(place);
    if (p->place && begin_use(p))
        return p;
    snprintf(why, cap, gettext("cannot use the database: %s"), p->why);
    postgres_close(p);
    return NULL;
}

/* ---- transactions ---- */

static const char *postgres_why(void *b)
{
    const struct postgres *p = b;
    return p->why;
}

static bool postgres_raced(void *b)
{
    const struct postgres *p = b;
    return p->raced;
}

static bool postgres_begin(void *b)
{
    struct postgres *p = b;
    if (!connected(p))
        return false;
    p->why[0] = '\0';
    p->raced = false;
    if (execute(p, "BEGIN"))
        return true;
    return PQstatus(p->conn) != CONNECTION_OK && connect_now(p) &&
           execute(p, "BEGIN");
}

/* Nothing is under way under this number any more.  Of one that was lost with
 * a crash the database may say that it lies in the future. */
static bool is_settled(struct postgres *p)
{
    char text[96];
    snprintf(text, sizeof text, "SELECT pg_xact_status('%s'::xid8)", p->xid);
    PGresult *r = PQexec(p->conn, text);
    const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
    bool future = state && strcmp(state, "22023") == 0;
    bool past = PQresultStatus(r) == PGRES_TUPLES_OK &&
                strcmp(PQgetvalue(r, 0, 0), "in progress") != 0;
    PQclear(r);
    return future || past;
}

/* Rows of our own tell, not the number's fate: after a crash the database may
 * give the number to somebody else.  Of a claim there are none: it counts as
 * lost, and is anybody's when its time is over. */
static bool left_rows(struct postgres *p)
{
    char text[160], count[NUMBER_BYTES];
    snprintf(text, sizeof text,
             "SELECT count(*) FROM change WHERE xid = '%s'::xid8"
             " AND writer = '%s'",
             p->xid, p->writer);
    return single(p, PQexec(p->conn, text), count, sizeof count) &&
           strcmp(count, "0") != 0;
}

/* The connection broke after COMMIT was sent: the database knows what became
 * of it, as soon as it can be asked again. */
static bool was_committed(struct postgres *p)
{
    int64_t end = postgres_ms() + DOUBT_MS;
    bool settled;
    while (!(settled = connect_now(p) && is_settled(p)) && postgres_ms() < end)
        pause_ms(PAUSE_MS);
    bool good = settled && left_rows(p);
    snprintf(p->why, sizeof p->why, "%s",
             settled ? "the database was restarted"
                     : "the database does not say whether it has this");
    return good;
}

static bool postgres_commit(void *b)
{
    struct postgres *p = b;
    static const char who[] = "SELECT pg_current_xact_id_if_assigned()";
    if (!single(p, PQexec(p->conn, who), p->xid, sizeof p->xid))
        return false;
    bool good = execute(p, "COMMIT");
    if (!good && p->xid[0] && PQstatus(p->conn) != CONNECTION_OK)
        good = was_committed(p);
    if (good && p->xid[0])
        ear_committed(p->ear);
    return good;
}

static void postgres_rollback(void *b)
{
    struct postgres *p = b;
    if (PQstatus(p->conn) == CONNECTION_OK && in_transaction(p))
        PQclear(PQexec(p->conn, "ROLLBACK"));
}

/* ---- the table's functions ---- */

static bool postgres_version(void *b, const char *kind, const char *key,
                             int64_t *out)
{
    return number(b, run(b, S_VERSION, "tt", TEXTS(kind, key), NULL), out);
}

static bool postgres_length(void *b, const char *log, int64_t *out)
{
    return number(b, run(b, S_LENGTH, "t", TEXTS(log), NULL), out);
}

static bool postgres_holder(void *b, const char *kind, const char *key,
                            char *to, size_t cap)
{
    return single(b, run(b, S_HOLDER, "tt", TEXTS(kind, key), NULL), to, cap);
}

static bool postgres_put(void *b, const char *kind, const char *key,
                         int64_t version, const char *text)
{
    struct postgres *p = b;
    const char *const texts[] = {kind, key, text, p->writer};
    enum statement which = version == 1 ? S_INSERT : S_UPDATE;
    return change(p, run(p, which, "ttitt", texts, &version), true);
}

static bool postgres_remove(void *b, const char *kind, const char *key)
{
    struct postgres *p = b;
    const char *const texts[] = {kind, key, p->writer};
    return change(p, run(p, S_REMOVE, "ttt", texts, NULL), false);
}

static bool postgres_append(void *b, const char *log, int64_t sequence,
                            int64_t at, const char *text)
{
    struct postgres *p = b;
    const char *const texts[] = {log, text, p->writer};
    return change(p, run(p, S_APPEND, "tiitt", texts, NUMBERS(sequence, at)),
                  true);
}

static bool postgres_offer(void *b, const char *kind, const char *key,
                           int64_t due, const char *text)
{
    struct postgres *p = b;
    const char *const texts[] = {kind, key, text, p->writer};
    return change(p, run(p, S_OFFER, "ttitt", texts, &due), true);
}

static bool postgres_finish(void *b, const char *kind, const char *key)
{
    return change(b, run(b, S_FINISH, "tt", TEXTS(kind, key), NULL), false);
}

static bool postgres_claim(void *b, const char *kind, const char *holder,
                           int64_t now, int64_t until, struct store_rows *out)
{
    return collect(
        b, run(b, S_CLAIM, "ttii", TEXTS(kind, holder), NUMBERS(now, until)),
        out);
}

static bool postgres_get(void *b, const char *kind, const char *key,
                         struct store_rows *out)
{
    return read_rows(b, S_GET, "tt", TEXTS(kind, key), NULL, out);
}

static bool postgres_list(void *b, const char *kind, const char *after,
                          const char *without, int limit,
                          struct store_rows *out)
{
    return read_rows(b, S_LIST, "ttti", TEXTS(kind, after, without),
                     NUMBERS(limit), out);
}

static bool postgres_lines(void *b, const char *log, int64_t from,
                           struct store_rows *out)
{
    return read_rows(b, S_LINES, "ti", TEXTS(log), &from, out);
}

static bool postgres_listen(void *b, store_heard *heard, void *context)
{
    struct postgres *p = b;
    p->ear =
        ear_open(p->place, p->writer, heard, context, p->why, sizeof p->why);
    return p->ear != NULL;
}

/* ---- care ---- */

static bool postgres_snapshot(void *b)
{
    struct postgres *p = b;
    return connected(p) &&
           execute(p, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

static bool postgres_page(void *b, enum store_part part,
                          const struct store_row *after, int limit,
                          struct store_rows *out)
{
    const char *const texts[] = {part == STORE_LINES ? after->key : after->kind,
                                 after->key};
    if (part == STORE_LINES)
        return read_rows(b, S_ALL_LINES, "tii", texts,
                         NUMBERS(after->number, limit), out);
    return read_rows(b, part == STORE_JOBS ? S_JOBS : S_RECORDS, "tti", texts,
                     NUMBERS(limit), out);
}

static bool postgres_restore(void *b, enum store_part part,
                             const struct store_row *row)
{
    static const char record[] = "INSERT INTO record (kind, key, version, text)"
                                 " VALUES ($1, $2, $3, $4)";
    struct postgres *p = b;
    const char *const texts[] = {row->kind, row->key, row->text};
    char digits[NUMBER_BYTES];
    if (part == STORE_LINES)
        return postgres_append(b, row->key, row->number, row->at, row->text);
    if (part == STORE_JOBS)
        return change(p, run(p, S_RESTORE_JOB, "ttit", texts, &row->at), true);
    snprintf(digits, sizeof digits, "%" PRId64, row->number);
    const char *const values[] = {row->kind, row->key, digits, row->text};
    return change(
        p, PQexecParams(p->conn, record, 4, NULL, values, NULL, NULL, 0), true);
}

/* A file that any server can be started from: a whole database is the
 * operator's to copy, with the tools it comes with. */
static bool postgres_backup(void *b, const char *to)
{
    struct postgres *p = b;
    return store_copy(&store_postgres, p->place, &store_sqlite, to, NULL,
                      p->why, sizeof p->why);
}

/* The unique constraint forbids a place taken twice; this finds gaps. */
static bool postgres_verify(void *b, const char *nothing)
{
    struct postgres *p = b;
    char log[128];
    (void)nothing;
    if (!connected(p) ||
        !single(p,
                PQexec(p->conn, "SELECT log FROM line GROUP BY log"
                                " HAVING max(sequence) <> count(*) LIMIT 1"),
                log, sizeof log))
        return false;
    snprintf(p->why, sizeof p->why, "%s%.100s",
             log[0] ? "a line is missing in " : "ok", log);
    return !log[0];
}

static bool postgres_vacuum(void *b, const char *nothing)
{
    struct postgres *p = b;
    (void)nothing;
    return connected(p) && execute(p, "VACUUM record") &&
           execute(p, "VACUUM job") && execute(p, "VACUUM change");
}

const struct store_backend store_postgres = {
    .name = "postgresql",
    .open = postgres_open,
    .close = postgres_close,
    .why = postgres_why,
    .begin = postgres_begin,
    .commit = postgres_commit,
    .rollback = postgres_rollback,
    .raced = postgres_raced,
    .version = postgres_version,
    .length = postgres_length,
    .holder = postgres_holder,
    .put = postgres_put,
    .remove = postgres_remove,
    .append = postgres_append,
    .offer = postgres_offer,
    .finish = postgres_finish,
    .claim = postgres_claim,
    .get = postgres_get,
    .list = postgres_list,
    .lines = postgres_lines,
    .listen = postgres_listen,
    .snapshot = postgres_snapshot,
    .page = postgres_page,
    .restore = postgres_restore,
    .backup = postgres_backup,
    .verify = postgres_verify,
    .vacuum = postgres_vacuum,
};
