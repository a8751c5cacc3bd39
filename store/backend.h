/* store/backend.h: what a back end of the store does.
 *
 * All calls come from one thread, the store's.  Between begin() and commit()
 * the store first asks for versions and lengths and then only makes changes
 * that fit them, so a back end never judges; a false means that the disk or
 * database failed and that rollback() follows. */
#ifndef STORE_BACKEND_H
#define STORE_BACKEND_H

#include "store/store.h"

/* Rows on their way into an answer. */
struct store_rows {
    struct store_row *list; /* owned */
    int count, cap;
};

bool rows_add(struct store_rows *r, const char *kind, const char *key,
              int64_t number, int64_t at, const char *text);
void rows_release(struct store_rows *r);

/* A store in three parts, each in the order of its keys: for copies. */
enum store_part { STORE_RECORDS, STORE_LINES, STORE_JOBS };

/* Told in the back end's thread of a change another process made; the texts
 * are borrowed, the change's own text is NULL.  NULL: too much was missed. */
typedef void store_heard(void *context, const struct store_change *change);

struct store_backend {
    const char *name;
    void *(*open)(const char *place, char *why, size_t cap);
    void (*close)(void *b);
    const char *(*why)(void *b); /* of the last failure */

    bool (*begin)(void *b);
    bool (*commit)(void *b);
    void (*rollback)(void *b);
    /* Did the last failure come from another process's writing at the same
     * time?  Then it is worth another attempt.  NULL: there are no others. */
    bool (*raced)(void *b);

    /* 0: no such record, an empty log. */
    bool (*version)(void *b, const char *kind, const char *key, int64_t *out);
    bool (*length)(void *b, const char *log, int64_t *out);
    /* Who holds the job: "" if nobody. */
    bool (*holder)(void *b, const char *kind, const char *key, char *to,
                   size_t cap);

    bool (*put)(void *b, const char *kind, const char *key, int64_t version,
                const char *text);
    bool (*remove)(void *b, const char *kind, const char *key);
    bool (*append)(void *b, const char *log, int64_t sequence, int64_t at,
                   const char *text);
    bool (*offer)(void *b, const char *kind, const char *key, int64_t due,
                  const char *text);
    bool (*finish)(void *b, const char *kind, const char *key);
    bool (*claim)(void *b, const char *kind, const char *holder, int64_t now,
                  int64_t until, struct store_rows *out);

    bool (*get)(void *b, const char *kind, const char *key,
                struct store_rows *out);
    /* `without`: left out are those that have it in their text; "": none. */
    bool (*list)(void *b, const char *kind, const char *after,
                 const char *without, int limit, struct store_rows *out);
    bool (*lines)(void *b, const char *log, int64_t from,
                  struct store_rows *out);

    /* From now on the changes of other processes are told.  NULL: there are
     * none. */
    bool (*listen)(void *b, store_heard *heard, void *context);

    /* For copies: one state of everything until rollback(); what comes behind
     * `after`; and a row put back as it was, between begin() and commit(). */
    bool (*snapshot)(void *b);
    bool (*page)(void *b, enum store_part part, const struct store_row *after,
                 int limit, struct store_rows *out);
    bool (*restore)(void *b, enum store_part part, const struct store_row *row);

    bool (*backup)(void *b, const char *to);
    bool (*verify)(void *b, const char *nothing);
    bool (*vacuum)(void *b, const char *nothing);
};

/* Parameters of a statement, in its order. */
#define TEXTS(...)   ((const char *const[]){__VA_ARGS__})
#define NUMBERS(...) ((const int64_t[]){__VA_ARGS__})

#endif
