/* store/store.h: what must not be lost, behind one table of functions.
 *
 * A store keeps two things and knows the meaning of neither: records, small
 * texts found by kind and key, each with a version that grows with every
 * change; and logs, lines of text numbered from 1 that are only ever added to.
 * A match is a log.  Writers say what they believe to be there (a record's
 * version, a log's length), so that two of them can never overwrite each
 * other, whatever back end and however many servers there are.
 *
 * Calls return at once.  One thread of the store does the work, many changes
 * in one commit when they come together; answers are handed out by
 * store_collect() in the caller's own thread.  A change that was answered
 * with STORE_OK is on the disk. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum store_outcome {
    STORE_OK,
    STORE_STALE, /* the expected version or length is not there */
    STORE_FAILED /* disk or database; `why` says more; nothing was changed */
};

enum store_verb {
    STORE_PUT,    /* kind, key, expected version, text */
    STORE_DELETE, /* kind, key, expected version */
    STORE_APPEND, /* key: the log; expected length, at, text */
    STORE_OFFER,  /* a job: kind, key, at: not before, text */
    STORE_FINISH  /* a job: kind, key, text: who had claimed it */
};

enum { STORE_ANY = -1 }; /* expect nothing */

/* All texts are borrowed for the length of the call and copied. */
struct store_change {
    enum store_verb verb;
    const char *kind, *key;
    int64_t expected, at;
    const char *text;
};

struct store_row {
    char *kind, *key, *text; /* owned by the answer; text may be NULL */
    int64_t number;          /* version, or place in the log */
    int64_t at;              /* of a line or job */
};

struct store_answer {
    enum store_outcome outcome;
    const char *why;
    struct store_row *rows;
    int count;
};

typedef void store_done(void *context, const struct store_answer *answer);

struct store;
struct store_backend; /* store/backend.h */

extern const struct store_backend store_memory, store_sqlite, store_postgres;

/* What a name such as "sqlite:FILE" or "postgresql://..." stands for; *place
 * is its rest or all of it.  NULL if there is no such back end. */
const struct store_backend *store_find(const char *name, const char **place);

/* `place` is a file or an address, ignored by the memory.  `wake` is called in
 * the store's thread whenever there is something to collect; may be NULL. */
struct store *store_open(const struct store_backend *backend, const char *place,
                         void (*wake)(void *), void *wake_context, char *why,
                         size_t cap);
/* Finishes everything that was asked for, without further answers. */
void store_close(struct store *s);

/* All changes or none. */
void store_write(struct store *s, const struct store_change *changes, int count,
                 store_done *done, void *context);
/* The record, if there is one. */
void store_get(struct store *s, const char *kind, const char *key,
               store_done *done, void *context);
/* All records of a kind whose key is greater than `after`, in order of keys,
 * at most `limit`. */
void store_list(struct store *s, const char *kind, const char *after, int limit,
                store_done *done, void *context);
/* The same, but those whose text has these words in it are left out where they
 * are. */
void store_list_without(struct store *s, const char *kind, const char *after,
                        const char *words, int limit, store_done *done,
                        void *context);
/* The lines of a log behind the first `from`. */
void store_lines(struct store *s, const char *log, int64_t from,
                 store_done *done, void *context);
/* One job of the kind that is due at `now` and nobody holds; it is `holder`'s
 * until the time `until`, then anybody's again. */
void store_claim(struct store *s, const char *kind, const char *holder,
                 int64_t now, int64_t until, store_done *done, void *context);

/* Tells of every change that was committed, in the order of the commits, also
 * from store_collect() and before the writer's own answer; `expected` is then
 * the version or place it got.
 *
 * Where other processes write to the same store, their changes are told too,
 * some time later, without the text: the truth is what is read back.  No change
 * at all (NULL) says that some were missed for good.  False: they cannot be
 * heard. */
typedef void store_watch(void *context, const struct store_change *change);
bool store_subscribe(struct store *s, store_watch *watch, void *context);
/* Can there be other processes? */
bool store_shared(const struct store *s);

/* Hands out what is there; returns how many answers. */
int store_collect(struct store *s);
/* Waits until everything asked for so far can be collected, and does it. */
void store_settle(struct store *s);

struct store_figures {
    int64_t commits, writes, failures;
};

struct store_figures store_figures(struct store *s);

/* Care of a store that is in use or not: a copy of it in a new file, a check
 * of the whole file (`why` then says what is wrong), shrinking. */
bool store_backup(struct store *s, const char *to, char *why, size_t cap);
bool store_verify(struct store *s, char *why, size_t cap);
bool store_vacuum(struct store *s, char *why, size_t cap);

/* Copies everything into an empty store, then reads both again and compares
 * them; who holds a job is forgotten.  `from` may be in use. */
struct store_copied {
    int64_t records, lines, jobs;
};

bool store_copy(const struct store_backend *from, const char *from_place,
                const struct store_backend *to, const char *to_place,
                struct store_copied *copied, char *why, size_t cap);

#endif
