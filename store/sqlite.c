/* store/sqlite.c: the back end on SQLite.
 *
 * Write-ahead log with full synchronisation: a commit that returned is on the
 * disk.  The log is folded back into the file by another connection in a
 * thread of its own, so that no player's commit ever waits for it. */
#include "store/backend.h"
#include "store/schema.h"

#include <fcntl.h>
#include <libintl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAL_PAGES = 1000,    /* are folded back */
    WAL_MOST = 1800,     /* then even if commits have to wait for it */
    WAL_BYTES = 8 << 20, /* more than they take */
    BUSY_MS = 10000,
    KEEPER_MS = 20 /* commits wait meanwhile; somebody may be reading long */
};

enum statement {
    S_BEGIN,
    S_COMMIT,
    S_ROLLBACK,
    S_VERSION,
    S_LENGTH,
    S_HOLDER,
    S_PUT,
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
    STATEMENTS
};

static const char *const sql[STATEMENTS] = {
    [S_BEGIN] = "BEGIN IMMEDIATE",
    [S_COMMIT] = "COMMIT",
    [S_ROLLBACK] = "ROLLBACK",
    [S_VERSION] = "SELECT version FROM record WHERE kind = ?1 AND key = ?2",
    [S_LENGTH] = "SELECT max(sequence) FROM line WHERE log = ?1",
    [S_HOLDER] = "SELECT holder FROM job WHERE kind = ?1 AND key = ?2",
    [S_PUT] = "INSERT INTO record (kind, key, version, text)"
              " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (kind, key)"
              " DO UPDATE SET version = ?3, text = ?4",
    [S_REMOVE] = "DELETE FROM record WHERE kind = ?1 AND key = ?2",
    [S_APPEND] = "INSERT INTO line (log, sequence, at, text)"
                 " VALUES (?1, ?2, ?3, ?4)",
    [S_OFFER] = "INSERT INTO job (kind, key, due, text)"
                " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (kind, key)"
                " DO UPDATE SET due = ?3, text = ?4",
    [S_FINISH] = "DELETE FROM job WHERE kind = ?1 AND key = ?2",
    [S_CLAIM] = "UPDATE job SET holder = ?2, until = ?4 WHERE kind = ?1"
                " AND key = (SELECT key FROM job WHERE kind = ?1 AND due <= ?3"
                "   AND (holder = '' OR until <= ?3) ORDER BY due, key LIMIT 1)"
                " RETURNING kind, key, 0, due, text",
    [S_GET] = "SELECT kind, key, version, 0, text FROM record"
              " WHERE kind = ?1 AND key = ?2",
    [S_LIST] = "SELECT kind, key, version, 0, text FROM record"
               " WHERE kind = ?1 AND key > ?2"
               " AND (?3 = '' OR instr(text, ?3) = 0) ORDER BY key LIMIT ?4",
    [S_LINES] = "SELECT NULL, log, sequence, at, text FROM line"
                " WHERE log = ?1 AND sequence > ?2 ORDER BY sequence",
    [S_RECORDS] = "SELECT kind, key, version, 0, text FROM record"
                  " WHERE (kind, key) > (?1, ?2) ORDER BY kind, key LIMIT ?3",
    [S_ALL_LINES] = "SELECT NULL, log, sequence, at, text FROM line"
                    " WHERE (log, sequence) > (?1, ?2)"
                    " ORDER BY log, sequence LIMIT ?3",
    [S_JOBS] = "SELECT kind, key, 0, due, text FROM job"
               " WHERE (kind, key) > (?1, ?2) ORDER BY kind, key LIMIT ?3",
};

struct sqlite {
    sqlite3 *db;                         /* owned */
    sqlite3_stmt *statement[STATEMENTS]; /* owned */
    char why[160];
    sqlite3 *keeper; /* owned: folds the log back */
    pthread_t thread;
    pthread_mutex_t lock; /* of the two below */
    pthread_cond_t wanted;
    bool due, closing;
};

/* ---- helpers ---- */

static bool fail(struct sqlite *s)
{
    snprintf(s->why, sizeof s->why, "%s", sqlite3_errmsg(s->db));
    return false;
}

/* A statement with its parameters: t text, i number. */
static sqlite3_stmt *bind(struct sqlite *s, enum statement which,
                          const char *types, const char *const *texts,
                          const int64_t *numbers)
{
    sqlite3_stmt *st = s->statement[which];
    sqlite3_reset(st);
    for (int i = 0; types[i]; i++)
        if (types[i] == 't')
            sqlite3_bind_text(st, i + 1, *texts++, -1, SQLITE_STATIC);
        else
            sqlite3_bind_int64(st, i + 1, *numbers++);
    return st;
}

/* For statements without rows. */
static bool execute(struct sqlite *s, sqlite3_stmt *st)
{
    int status = sqlite3_step(st);
    bool good = status == SQLITE_DONE || status == SQLITE_ROW;
    if (!good)
        fail(s);
    sqlite3_reset(st);
    return good;
}

static const char *text_of(sqlite3_stmt *st, int column)
{
    return (const char *)sqlite3_column_text(st, column);
}

static bool collect(struct sqlite *s, sqlite3_stmt *st, struct store_rows *out)
{
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        rows_add(out, text_of(st, 0), text_of(st, 1),
                 sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3),
                 text_of(st, 4));
    if (status != SQLITE_DONE)
        fail(s);
    sqlite3_reset(st);
    return status == SQLITE_DONE;
}

static bool number(struct sqlite *s, sqlite3_stmt *st, int64_t *out)
{
    int status = sqlite3_step(st);
    *out = status == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        fail(s);
    sqlite3_reset(st);
    return status == SQLITE_ROW || status == SQLITE_DONE;
}

/* ---- the keeper of the log ---- */

static void *keep(void *argument)
{
    struct sqlite *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->closing) {
        if (!s->due) {
            pthread_cond_wait(&s->wanted, &s->lock);
            continue;
        }
        s->due = false;
        pthread_mutex_unlock(&s->lock);
        int pages = 0;
        sqlite3_wal_checkpoint_v2(s->keeper, NULL, SQLITE_CHECKPOINT_PASSIVE,
                                  &pages, NULL);
        if (pages > WAL_MOST)
            sqlite3_wal_checkpoint_v2(s->keeper, NULL,
                                      SQLITE_CHECKPOINT_RESTART, NULL, NULL);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int on_commit(void *context, sqlite3 *db, const char *name, int pages)
{
    struct sqlite *s = context;
    (void)db;
    (void)name;
    if (pages >= WAL_PAGES) {
        pthread_mutex_lock(&s->lock);
        s->due = true;
        pthread_cond_signal(&s->wanted);
        pthread_mutex_unlock(&s->lock);
    }
    return SQLITE_OK;
}

/* ---- opening ---- */

static bool steps_taken(struct sqlite *s, int *have)
{
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &st, NULL))
        return fail(s);
    *have = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 0) : 0;
    sqlite3_finalize(st);
    return true;
}

/* The next step, unless another process has just taken it. */
static bool take_step(struct sqlite *s, int *have)
{
    char done[64];
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL))
        return fail(s);
    if (!steps_taken(s, have))
        return false;
    if (*have >= STORE_SCHEMA)
        return sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK;
    snprintf(done, sizeof done, "PRAGMA user_version = %d; COMMIT", *have + 1);
    if (sqlite3_exec(s->db, store_schema[*have], NULL, NULL, NULL) ||
        sqlite3_exec(s->db, done, NULL, NULL, NULL))
        return fail(s);
    ++*have;
    return true;
}

/* Takes the steps of the schema that are still to come, each whole. */
static bool migrate(struct sqlite *s)
{
    int have = 0;
    if (!steps_taken(s, &have))
        return false;
    if (have > STORE_SCHEMA) {
        snprintf(
            s->why, sizeof s->why,
            gettext("made by a newer version (schema %d, this one knows %d)"),
            have, (int)STORE_SCHEMA);
        return false;
    }
    while (have < STORE_SCHEMA)
        if (!take_step(s, &have))
            return false;
    return true;
}

/* Writing into a file of the final size is one write to the disk, making it
 * longer is several: on a busy machine that is most of a commit.  The library
 * takes what lies behind its last frame for the rest of an older log.  Nobody
 * adds frames meanwhile, for that needs the lock. */
static void stretch_log(struct sqlite *s)
{
    static const char nothing[1 << 16];
    const char *name = sqlite3_filename_wal(sqlite3_db_filename(s->db, "main"));
    struct stat now;
    if (!name || sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL))
        return;
    int file = open(name, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &now) == 0;
    for (off_t at = good ? now.st_size : WAL_BYTES; at < WAL_BYTES;) {
        ssize_t put = pwrite(file, nothing, sizeof nothing, at);
        if (put <= 0)
            break;
        at += put;
    }
    if (file >= 0) {
        fdatasync(file);
        close(file);
    }
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

static bool prepare(struct sqlite *s, const char *place)
{
    static const char settings[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0;"
        "PRAGMA cache_size = -4096;";
    if (sqlite3_open_v2(place, &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                            SQLITE_OPEN_FULLMUTEX,
                        NULL))
        return fail(s);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (sqlite3_exec(s->db, settings, NULL, NULL, NULL) || !migrate(s))
        return s->why[0] ? false : fail(s);
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(s->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &s->statement[i], NULL))
            return fail(s);
    if (sqlite3_open_v2(place, &s->keeper, SQLITE_OPEN_READWRITE, NULL))
        return fail(s);
    sqlite3_busy_timeout(s->keeper, KEEPER_MS);
    stretch_log(s);
    sqlite3_wal_hook(s->db, on_commit, s);
    return true;
}

static void release(struct sqlite *s)
{
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->statement[i]);
    sqlite3_close(s->keeper);
    sqlite3_close(s->db);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->wanted);
    free(s);
}

static void *sqlite_open(const char *place, char *why, size_t cap)
{
    struct sqlite *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wanted, NULL);
    if (prepare(s, place) && pthread_create(&s->thread, NULL, keep, s) == 0)
        return s;
    snprintf(why, cap, gettext("cannot use '%s': %s"), place, s->why);
    release(s);
    return NULL;
}

static void sqlite_close(void *b)
{
    struct sqlite *s = b;
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    pthread_cond_signal(&s->wanted);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    release(s);
}

/* ---- the table's functions ---- */

static const char *sqlite_why(void *b)
{
    const struct sqlite *s = b;
    return s->why;
}

static bool sqlite_begin(void *b)
{
    struct sqlite *s = b;
    s->why[0] = '\0';
    return execute(s, s->statement[S_BEGIN]);
}

static bool sqlite_commit(void *b)
{
    struct sqlite *s = b;
    return execute(s, s->statement[S_COMMIT]);
}

static void sqlite_rollback(void *b)
{
    struct sqlite *s = b;
    if (!sqlite3_get_autocommit(s->db)) {
        sqlite3_step(s->statement[S_ROLLBACK]);
        sqlite3_reset(s->statement[S_ROLLBACK]);
    }
}

static bool sqlite_version(void *b, const char *kind, const char *key,
                           int64_t *out)
{
    return number(b, bind(b, S_VERSION, "tt", TEXTS(kind, key), NULL), out);
}

static bool sqlite_length(void *b, const char *log, int64_t *out)
{
    return number(b, bind(b, S_LENGTH, "t", TEXTS(log), NULL), out);
}

static bool sqlite_holder(void *b, const char *kind, const char *key, char *to,
                          size_t cap)
{
    sqlite3_stmt *st = bind(b, S_HOLDER, "tt", TEXTS(kind, key), NULL);
    int status = sqlite3_step(st);
    snprintf(to, cap, "%s", status == SQLITE_ROW ? text_of(st, 0) : "");
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        fail(b);
    sqlite3_reset(st);
    return status == SQLITE_ROW || status == SQLITE_DONE;
}

static bool sqlite_put(void *b, const char *kind, const char *key,
                       int64_t version, const char *text)
{
    const char *const texts[] = {kind, key, text};
    return execute(b, bind(b, S_PUT, "ttit", texts, &version));
}

static bool sqlite_remove(void *b, const char *kind, const char *key)
{
    return execute(b, bind(b, S_REMOVE, "tt", TEXTS(kind, key), NULL));
}

static bool sqlite_append(void *b, const char *log, int64_t sequence,
                          int64_t at, const char *text)
{
    const char *const texts[] = {log, text};
    return execute(b, bind(b, S_APPEND, "tiit", texts, NUMBERS(sequence, at)));
}

static bool sqlite_offer(void *b, const char *kind, const char *key,
                         int64_t due, const char *text)
{
    const char *const texts[] = {kind, key, text};
    return execute(b, bind(b, S_OFFER, "ttit", texts, &due));
}

static bool sqlite_finish(void *b, const char *kind, const char *key)
{
    return execute(b, bind(b, S_FINISH, "tt", TEXTS(kind, key), NULL));
}

static bool sqlite_claim(void *b, const char *kind, const char *holder,
                         int64_t now, int64_t until, struct store_rows *out)
{
    return collect(
        b, bind(b, S_CLAIM, "ttii", TEXTS(kind, holder), NUMBERS(now, until)),
        out);
}

static bool sqlite_get(void *b, const char *kind, const char *key,
                       struct store_rows *out)
{
    return collect(b, bind(b, S_GET, "tt", TEXTS(kind, key), NULL), out);
}

static bool sqlite_list(void *b, const char *kind, const char *after,
                        const char *without, int limit, struct store_rows *out)
{
    return collect(
        b, bind(b, S_LIST, "ttti", TEXTS(kind, after, without), NUMBERS(limit)),
        out);
}

static bool sqlite_lines(void *b, const char *log, int64_t from,
                         struct store_rows *out)
{
    return collect(b, bind(b, S_LINES, "ti", TEXTS(log), &from), out);
}

/* ---- care ---- */

static bool sqlite_snapshot(void *b)
{
    struct sqlite *s = b;
    return sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK ||
           fail(s);
}

static bool sqlite_page(void *b, enum store_part part,
                        const struct store_row *after, int limit,
                        struct store_rows *out)
{
    const char *const texts[] = {after->kind, after->key};
    if (part == STORE_LINES)
        return collect(b,
                       bind(b, S_ALL_LINES, "tii", texts + 1,
                            NUMBERS(after->number, limit)),
                       out);
    return collect(b,
                   bind(b, part == STORE_JOBS ? S_JOBS : S_RECORDS, "tti",
                        texts, NUMBERS(limit)),
                   out);
}

static bool sqlite_restore(void *b, enum store_part part,
                           const struct store_row *row)
{
    if (part == STORE_LINES)
        return sqlite_append(b, row->key, row->number, row->at, row->text);
    if (part == STORE_JOBS)
        return sqlite_offer(b, row->kind, row->key, row->at, row->text);
    return sqlite_put(b, row->kind, row->key, row->number, row->text);
}

static bool sqlite_backup(void *b, const char *to)
{
    struct sqlite *s = b;
    sqlite3 *other = NULL;
    bool good = sqlite3_open(to, &other) == SQLITE_OK;
    sqlite3_backup *copy =
        good ? sqlite3_backup_init(other, "main", s->db, "main") : NULL;
    good = copy && sqlite3_backup_step(copy, -1) == SQLITE_DONE;
    good = copy && sqlite3_backup_finish(copy) == SQLITE_OK && good;
    if (!good)
        snprintf(s->why, sizeof s->why, gettext("cannot write '%s': %s"), to,
                 other ? sqlite3_errmsg(other) : "no memory");
    sqlite3_close(other);
    return good;
}

static bool sqlite_verify(void *b, const char *nothing)
{
    struct sqlite *s = b;
    sqlite3_stmt *st;
    (void)nothing;
    if (sqlite3_prepare_v2(s->db, "PRAGMA integrity_check(1)", -1, &st, NULL))
        return fail(s);
    bool good = sqlite3_step(st) == SQLITE_ROW;
    snprintf(s->why, sizeof s->why, "%s", good ? text_of(st, 0) : "no answer");
    good = good && strcmp(s->why, "ok") == 0;
    sqlite3_finalize(st);
    return good;
}

static bool sqlite_vacuum(void *b, const char *nothing)
{
    struct sqlite *s = b;
    (void)nothing;
    return sqlite3_exec(s->db, "VACUUM", NULL, NULL, NULL) == SQLITE_OK ||
           fail(s);
}

const struct store_backend store_sqlite = {
    .name = "sqlite",
    .open = sqlite_open,
    .close = sqlite_close,
    .why = sqlite_why,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .version = sqlite_version,
    .length = sqlite_length,
    .holder = sqlite_holder,
    .put = sqlite_put,
    .remove = sqlite_remove,
    .append = sqlite_append,
    .offer = sqlite_offer,
    .finish = sqlite_finish,
    .claim = sqlite_claim,
    .get = sqlite_get,
    .list = sqlite_list,
    .lines = sqlite_lines,
    .snapshot = sqlite_snapshot,
    .page = sqlite_page,
    .restore = sqlite_restore,
    .backup = sqlite_backup,
    .verify = sqlite_verify,
    .vacuum = sqlite_vacuum,
};
