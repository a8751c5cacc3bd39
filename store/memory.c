/* store/memory.c: the back end that forgets, for tests and trials.
 *
 * Sorted lists in plain memory.  Nothing can fail here, so there is nothing to
 * roll back. */
#include "store/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char *kind, *key, *text; /* owned */
    int64_t version;
};

struct line {
    int64_t at;
    char *text; /* owned */
};

struct log {
    char *name;         /* owned */
    struct line *lines; /* owned */
    int64_t count, cap;
};

struct job {
    char *kind, *key, *text, *holder; /* owned */
    int64_t due, until;
};

struct memory {
    struct record *records; /* owned, sorted by kind and key */
    struct log *logs;       /* owned, sorted by name */
    struct job *jobs;       /* owned, in the order of offers */
    int record_count, log_count, job_count;
};

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *copy(const char *text)
{
    return need(strdup(text));
}

/* Room for one more at `index`; returns the list. */
static void *insert(void *list, int count, size_t size, int index)
{
    char *all = need(realloc(list, ((size_t)count + 1) * size));
    char *at = all + (size_t)index * size;
    memmove(at + size, at, (size_t)(count - index) * size);
    memset(at, 0, size);
    return all;
}

/* ---- finding ---- */

/* The first record not before kind and key. */
static int record_place(const struct memory *m, const char *kind,
                        const char *key)
{
    int low = 0, high = m->record_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct record *r = &m->records[middle];
        int order = strcmp(r->kind, kind);
        if (order == 0)
            order = strcmp(r->key, key);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct record *record_find(const struct memory *m, const char *kind,
                                  const char *key)
{
    int at = record_place(m, kind, key);
    if (at == m->record_count || strcmp(m->records[at].kind, kind) != 0 ||
        strcmp(m->records[at].key, key) != 0)
        return NULL;
    return &m->records[at];
}

static int log_place(const struct memory *m, const char *name)
{
    int low = 0, high = m->log_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(m->logs[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct log *log_find(const struct memory *m, const char *name)
{
    int at = log_place(m, name);
    bool there = at < m->log_count && strcmp(m->logs[at].name, name) == 0;
    return there ? &m->logs[at] : NULL;
}

static struct job *job_find(const struct memory *m, const char *kind,
                            const char *key)
{
    for (int i = 0; i < m->job_count; i++)
        if (strcmp(m->jobs[i].kind, kind) == 0 &&
            strcmp(m->jobs[i].key, key) == 0)
            return &m->jobs[i];
    return NULL;
}

/* ---- the table's functions ---- */

static void *memory_open(const char *place, char *why, size_t cap)
{
    (void)place;
    snprintf(why, cap, "%s", "");
    return need(calloc(1, sizeof(struct memory)));
}

static void job_release(const struct job *j)
{
    free(j->kind);
    free(j->key);
    free(j->text);
    free(j->holder);
}

static void memory_close(void *b)
{
    struct memory *m = b;
    for (int i = 0; i < m->record_count; i++) {
        free(m->records[i].kind);
        free(m->records[i].key);
        free(m->records[i].text);
    }
    for (int i = 0; i < m->log_count; i++) {
        for (int64_t j = 0; j < m->logs[i].count; j++)
            free(m->logs[i].lines[j].text);
        free(m->logs[i].lines);
        free(m->logs[i].name);
    }
    for (int i = 0; i < m->job_count; i++)
        job_release(&m->jobs[i]);
    free(m->records);
    free(m->logs);
    free(m->jobs);
    free(m);
}

static const char *memory_why(void *b)
{
    (void)b;
    return "the memory keeps no files";
}

static bool memory_nothing(void *b)
{
    (void)b;
    return true;
}

static void memory_rollback(void *b)
{
    (void)b;
}

static bool memory_version(void *b, const char *kind, const char *key,
                           int64_t *out)
{
    const struct record *r = record_find(b, kind, key);
    *out = r ? r->version : 0;
    return true;
}

static bool memory_length(void *b, const char *log, int64_t *out)
{
    const struct log *l = log_find(b, log);
    *out = l ? l->count : 0;
    return true;
}

static bool memory_holder(void *b, const char *kind, const char *key, char *to,
                          size_t cap)
{
    const struct job *j = job_find(b, kind, key);
    snprintf(to, cap, "%s", j ? j->holder : "");
    return true;
}

static bool memory_put(void *b, const char *kind, const char *key,
                       int64_t version, const char *text)
{
    struct memory *m = b;
    struct record *r = record_find(m, kind, key);
    if (!r) {
        int at = record_place(m, kind, key);
        m->records =
            insert(m->records, m->record_count++, sizeof *m->records, at);
        r = &m->records[at];
        r->kind = copy(kind);
        r->key = copy(key);
    }
    free(r->text);
    r->text = copy(text);
    r->version = version;
    return true;
}

static bool memory_remove(void *b, const char *kind, const char *key)
{
    struct memory *m = b;
    struct record *r = record_find(m, kind, key);
    if (!r)
        return true;
    free(r->kind);
    free(r->key);
    free(r->text);
    int left = --m->record_count - (int)(r - m->records);
    memmove(r, r + 1, (size_t)left * sizeof *r);
    return true;
}

static bool memory_append(void *b, const char *log, int64_t sequence,
                          int64_t at, const char *text)
{
    struct memory *m = b;
    struct log *l = log_find(m, log);
    if (!l) {
        int place = log_place(m, log);
        m->logs = insert(m->logs, m->log_count++, sizeof *m->logs, place);
        l = &m->logs[place];
        l->name = copy(log);
    }
    if (l->count == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        l->lines = need(realloc(l->lines, (size_t)l->cap * sizeof *l->lines));
    }
    l->lines[l->count++] = (struct line){at, copy(text)};
    return sequence == l->count;
}

static bool memory_offer(void *b, const char *kind, const char *key,
                         int64_t due, const char *text)
{
    struct memory *m = b;
    struct job *j = job_find(m, kind, key);
    if (!j) {
        m->jobs = insert(m->jobs, m->job_count, sizeof *j, m->job_count);
        j = &m->jobs[m->job_count++];
        j->kind = copy(kind);
        j->key = copy(key);
        j->holder = copy("");
    }
    free(j->text);
    j->text = copy(text);
    j->due = due;
    return true;
}

static bool memory_finish(void *b, const char *kind, const char *key)
{
    struct memory *m = b;
    struct job *j = job_find(m, kind, key);
    if (!j)
        return true;
    job_release(j);
    int left = --m->job_count - (int)(j - m->jobs);
    memmove(j, j + 1, (size_t)left * sizeof *j);
    return true;
}

static bool memory_claim(void *b, const char *kind, const char *holder,
                         int64_t now, int64_t until, struct store_rows *out)
{
    const struct memory *m = b;
    struct job *best = NULL;
    for (int i = 0; i < m->job_count; i++) {
        struct job *j = &m->jobs[i];
        bool free_now = !j->holder[0] || j->until <= now;
        if (strcmp(j->kind, kind) == 0 && j->due <= now && free_now &&
            (!best || j->due < best->due))
            best = j;
    }
    if (!best)
        return true;
    free(best->holder);
    best->holder = copy(holder);
    best->until = until;
    return rows_add(out, best->kind, best->key, 0, best->due, best->text);
}

static bool memory_get(void *b, const char *kind, const char *key,
                       struct store_rows *out)
{
    const struct record *r = record_find(b, kind, key);
    return !r || rows_add(out, r->kind, r->key, r->version, 0, r->text);
}

static bool memory_list(void *b, const char *kind, const char *after,
                        const char *without, int limit, struct store_rows *out)
{
    const struct memory *m = b;
    for (int i = record_place(m, kind, after); i < m->record_count; i++) {
        const struct record *r = &m->records[i];
        if (strcmp(r->kind, kind) != 0 || out->count == limit)
            break;
        if (strcmp(r->key, after) > 0 &&
            !(*without && strstr(r->text, without)))
            rows_add(out, r->kind, r->key, r->version, 0, r->text);
    }
    return true;
}

static bool memory_lines(void *b, const char *log, int64_t from,
                         struct store_rows *out)
{
    const struct log *l = log_find(b, log);
    for (int64_t i = from; l && i < l->count; i++)
        rows_add(out, NULL, log, i + 1, l->lines[i].at, l->lines[i].text);
    return true;
}

static bool memory_cannot(void *b, const char *to)
{
    (void)b;
    (void)to;
    return false;
}

static bool memory_good(void *b, const char *nothing)
{
    (void)nothing;
    return memory_nothing(b);
}

const struct store_backend store_memory = {
    .name = "memory",
    .open = memory_open,
    .close = memory_close,
    .why = memory_why,
    .begin = memory_nothing,
    .commit = memory_nothing,
    .rollback = memory_rollback,
    .version = memory_version,
    .length = memory_length,
    .holder = memory_holder,
    .put = memory_put,
    .remove = memory_remove,
    .append = memory_append,
    .offer = memory_offer,
    .finish = memory_finish,
    .claim = memory_claim,
    .get = memory_get,
    .list = memory_list,
    .lines = memory_lines,
    .backup = memory_cannot,
    .verify = memory_good,
    .vacuum = memory_good,
};
