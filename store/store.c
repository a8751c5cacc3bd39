/* store/store.c: the queue, the writer's thread and group commit.
 *
 * Requests wait in one list; the thread takes all of them at once.  Writes
 * that stand together share a transaction.  If it fails, each is tried again
 * alone, so that nobody suffers from a neighbour's change. */
#include "store/backend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum request_kind {
    REQUEST_WRITE,
    REQUEST_GET,
    REQUEST_LIST,
    REQUEST_LINES,
    REQUEST_CLAIM,
    REQUEST_CARE,
    REQUEST_HEARD /* no request: another process changed something */
};

struct request {
    struct request *next;
    enum request_kind kind;
    store_done *done;
    void *context;
    struct store_change *changes; /* owned, with its texts */
    int64_t *numbers; /* owned: the version or place each change got */
    int count;
    char *first, *second; /* owned: kind and key, log, kind and holder */
    char *without;        /* owned: of a list */
    int64_t number, until;
    bool (*care)(void *b, const char *to);
    enum store_outcome outcome;
    char why[160];
    struct store_rows rows;
};

struct list {
    struct request *first, **last;
};

struct store {
    const struct store_backend *backend;
    void *b; /* owned: the back end's own */
    void (*wake)(void *);
    void *wake_context;
    store_watch *watch;
    void *watch_context;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t asked, answered;
    struct list waiting, ready;
    int open; /* requests not yet in `ready` */
    bool closing;
    struct store_figures figures;
};

/* ---- rows and lists ---- */

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *copy(const char *text)
{
    return text ? need(strdup(text)) : NULL;
}

bool rows_add(struct store_rows *r, const char *kind, const char *key,
              int64_t number, int64_t at, const char *text)
{
    if (r->count == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 16;
        r->list = need(realloc(r->list, (size_t)r->cap * sizeof *r->list));
    }
    r->list[r->count++] =
        (struct store_row){copy(kind), copy(key), copy(text), number, at};
    return true;
}

void rows_release(struct store_rows *r)
{
    for (int i = 0; i < r->count; i++) {
        free(r->list[i].kind);
        free(r->list[i].key);
        free(r->list[i].text);
    }
    free(r->list);
    memset(r, 0, sizeof *r);
}

static void list_init(struct list *l)
{
    l->first = NULL;
    l->last = &l->first;
}

static void list_add(struct list *l, struct request *r)
{
    r->next = NULL;
    *l->last = r;
    l->last = &r->next;
}

static void request_release(struct request *r)
{
    for (int i = 0; i < r->count; i++) {
        free((char *)r->changes[i].kind);
        free((char *)r->changes[i].key);
        free((char *)r->changes[i].text);
    }
    free(r->changes);
    free(r->numbers);
    free(r->first);
    free(r->second);
    free(r->without);
    rows_release(&r->rows);
    free(r);
}

/* ---- the writer's thread ---- */

static void fail(struct store *s, struct request *r)
{
    r->outcome = STORE_FAILED;
    snprintf(r->why, sizeof r->why, "%s", s->backend->why(s->b));
}

/* Does the change fit what is there?  *number becomes the version or sequence
 * number it will get. */
static enum store_outcome judge(struct store *s, const struct store_change *c,
                                int64_t *number)
{
    char holder[64];
    *number = 0;
    switch (c->verb) {
    case STORE_APPEND:
        if (!s->backend->length(s->b, c->key, number))
            return STORE_FAILED;
        break;
    case STORE_PUT:
    case STORE_DELETE:
        if (!s->backend->version(s->b, c->kind, c->key, number))
            return STORE_FAILED;
        break;
    case STORE_FINISH:
        if (!s->backend->holder(s->b, c->kind, c->key, holder, sizeof holder))
            return STORE_FAILED;
        return strcmp(holder, c->text) == 0 ? STORE_OK : STORE_STALE;
    case STORE_OFFER:
        return STORE_OK;
    }
    return c->expected == STORE_ANY || c->expected == *number ? STORE_OK
                                                              : STORE_STALE;
}

static bool make(struct store *s, const struct store_change *c, int64_t number)
{
    const struct store_backend *k = s->backend;
    switch (c->verb) {
    case STORE_PUT:
        return k->put(s->b, c->kind, c->key, number + 1, c->text);
    case STORE_DELETE:
        return k->remove(s->b, c->kind, c->key);
    case STORE_APPEND:
        return k->append(s->b, c->key, number + 1, c->at, c->text);
    case STORE_OFFER:
        return k->offer(s->b, c->kind, c->key, c->at, c->text);
    case STORE_FINISH:
        return k->finish(s->b, c->kind, c->key);
    }
    return false;
}

/* All expectations are looked at before the first change: a stale batch leaves
 * no trace.  An append counts on the ones before it in its own batch. */
static enum store_outcome judge_all(struct store *s, const struct request *r)
{
    for (int i = 0; i < r->count; i++) {
        struct store_change c = r->changes[i];
        int64_t number;
        for (int j = 0; j < i && c.verb == STORE_APPEND; j++)
            if (r->changes[j].verb == STORE_APPEND && c.expected != STORE_ANY)
                c.expected -= strcmp(r->changes[j].key, c.key) == 0;
        enum store_outcome o = judge(s, &c, &number);
        if (o != STORE_OK)
            return o;
    }
    return STORE_OK;
}

/* False if the transaction is lost. */
static bool write_one(struct store *s, struct request *r)
{
    r->outcome = judge_all(s, r);
    if (r->outcome == STORE_FAILED)
        return false;
    for (int i = 0; r->outcome == STORE_OK && i < r->count; i++) {
        const struct store_change *c = &r->changes[i];
        int64_t number = c->expected; /* not what may be there by now */
        if ((number == STORE_ANY && judge(s, c, &number) == STORE_FAILED) ||
            !make(s, c, number))
            return false;
        r->numbers[i] = number + 1;
    }
    return true;
}

static bool write_group(struct store *s, struct request *first,
                        const struct request *end)
{
    if (!s->backend->begin(s->b))
        return false;
    for (struct request *r = first; r != end; r = r->next)
        if (!write_one(s, r)) {
            fail(s, r); /* before rollback() has its own say */
            s->backend->rollback(s->b);
            return false;
        }
    if (s->backend->commit(s->b))
        return true;
    fail(s, first);
    s->backend->rollback(s->b);
    return false;
}

/* Once more after a race: whoever lost finds the winner's change then. */
static bool write_again(struct store *s, struct request *r)
{
    enum { ATTEMPTS = 20 };
    for (int i = 0; i < ATTEMPTS; i++) {
        r->why[0] = '\0';
        if (write_group(s, r, r->next))
            return true;
        if (!s->backend->raced || !s->backend->raced(s->b))
            break;
    }
    return false;
}

static void write_alone(struct store *s, struct request *r)
{
    if (!write_again(s, r)) {
        char why[sizeof r->why];
        snprintf(why, sizeof why, "%s",
                 r->why[0] ? r->why : s->backend->why(s->b));
        r->outcome = STORE_FAILED;
        snprintf(r->why, sizeof r->why, "%s", why);
    }
}

/* The writes from `first` on that stand together; returns what follows. */
static struct request *write_all(struct store *s, struct request *first)
{
    enum { GROUP = 256 };
    struct request *end = first;
    int count = 0;
    for (; end && end->kind == REQUEST_WRITE && count < GROUP; end = end->next)
        count++;
    if (!write_group(s, first, end))
        for (struct request *r = first; r != end; r = r->next)
            write_alone(s, r);
    pthread_mutex_lock(&s->lock);
    s->figures.commits++;
    s->figures.writes += count;
    for (struct request *r = first; r != end; r = r->next)
        s->figures.failures += r->outcome == STORE_FAILED;
    pthread_mutex_unlock(&s->lock);
    return end;
}

static bool claim(struct store *s, struct request *r)
{
    const struct store_backend *k = s->backend;
    if (!k->begin(s->b))
        return false;
    if (k->claim(s->b, r->first, r->second, r->number, r->until, &r->rows) &&
        k->commit(s->b))
        return true;
    fail(s, r);
    rows_release(&r->rows);
    k->rollback(s->b);
    return false;
}

static bool perform(struct store *s, struct request *r)
{
    const struct store_backend *k = s->backend;
    switch (r->kind) {
    case REQUEST_GET:
        return k->get(s->b, r->first, r->second, &r->rows);
    case REQUEST_LIST:
        return k->list(s->b, r->first, r->second, r->without, (int)r->number,
                       &r->rows);
    case REQUEST_LINES:
        return k->lines(s->b, r->first, r->number, &r->rows);
    case REQUEST_CLAIM:
        return claim(s, r);
    case REQUEST_CARE:
        return r->care(s->b, r->first);
    case REQUEST_WRITE:
    case REQUEST_HEARD:
        break;
    }
    return false;
}

static void work(struct store *s, struct request *first)
{
    while (first) {
        if (first->kind == REQUEST_WRITE) {
            first = write_all(s, first);
            continue;
        }
        if (!perform(s, first) && !first->why[0])
            fail(s, first);
        else if (first->why[0])
            first->outcome = STORE_FAILED;
        first = first->next;
    }
}

static struct request *take(struct store *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->waiting.first && !s->closing)
        pthread_cond_wait(&s->asked, &s->lock);
    struct request *all = s->waiting.first;
    list_init(&s->waiting);
    pthread_mutex_unlock(&s->lock);
    return all;
}

static void hand_over(struct store *s, struct request *all)
{
    pthread_mutex_lock(&s->lock);
    while (all) {
        struct request *next = all->next;
        list_add(&s->ready, all);
        s->open--;
        all = next;
    }
    pthread_cond_broadcast(&s->answered);
    void (*wake)(void *) = s->wake; /* store_close() takes it away */
    pthread_mutex_unlock(&s->lock);
    if (wake)
        wake(s->wake_context);
}

static void *run(void *argument)
{
    struct store *s = argument;
    struct request *all;
    while ((all = take(s))) {
        work(s, all);
        hand_over(s, all);
    }
    return NULL;
}

/* ---- the caller's side ---- */

struct store *store_open(const struct store_backend *backend, const char *place,
                         void (*wake)(void *), void *wake_context, char *why,
                         size_t cap)
{
    struct store *s = need(calloc(1, sizeof *s));
    s->backend = backend;
    s->wake = wake;
    s->wake_context = wake_context;
    list_init(&s->waiting);
    list_init(&s->ready);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->asked, NULL);
    pthread_cond_init(&s->answered, NULL);
    s->b = backend->open(place, why, cap);
    if (s->b && pthread_create(&s->thread, NULL, run, s) == 0)
        return s;
    if (s->b)
        backend->close(s->b);
    free(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    s->wake = NULL;
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    s->backend->close(s->b);
    while (s->ready.first) {
        struct request *r = s->ready.first;
        s->ready.first = r->next;
        request_release(r);
    }
    pthread_cond_destroy(&s->asked);
    pthread_cond_destroy(&s->answered);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static struct request *request_new(enum request_kind kind, const char *first,
                                   const char *second, store_done *done,
                                   void *context)
{
    struct request *r = need(calloc(1, sizeof *r));
    r->kind = kind;
    r->first = copy(first);
    r->second = copy(second);
    r->done = done;
    r->context = context;
    return r;
}

static void submit(struct store *s, struct request *r)
{
    pthread_mutex_lock(&s->lock);
    list_add(&s->waiting, r);
    s->open++;
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
}

static struct store_change copy_of(const struct store_change *c)
{
    struct store_change made = *c;
    made.kind = copy(c->kind ? c->kind : "");
    made.key = copy(c->key);
    made.text = copy(c->text);
    return made;
}

void store_write(struct store *s, const struct store_change *changes, int count,
                 store_done *done, void *context)
{
    struct request *r = request_new(REQUEST_WRITE, NULL, NULL, done, context);
    r->changes = need(calloc((size_t)count + 1, sizeof *r->changes));
    r->numbers = need(calloc((size_t)count + 1, sizeof *r->numbers));
    r->count = count;
    for (int i = 0; i < count; i++) {
        struct store_change c = changes[i];
        c.text = c.text ? c.text : "";
        r->changes[i] = copy_of(&c);
    }
    submit(s, r);
}

void store_get(struct store *s, const char *kind, const char *key,
               store_done *done, void *context)
{
    submit(s, request_new(REQUEST_GET, kind, key, done, context));
}

void store_list_without(struct store *s, const char *kind, const char *after,
                        const char *words, int limit, store_done *done,
                        void *context)
{
    struct request *r = request_new(REQUEST_LIST, kind, after, done, context);
    r->without = copy(words);
    r->number = limit;
    submit(s, r);
}

void store_list(struct store *s, const char *kind, const char *after, int limit,
                store_done *done, void *context)
{
    store_list_without(s, kind, after, "", limit, done, context);
}

void store_lines(struct store *s, const char *log, int64_t from,
                 store_done *done, void *context)
{
    struct request *r = request_new(REQUEST_LINES, log, NULL, done, context);
    r->number = from;
    submit(s, r);
}

void store_claim(struct store *s, const char *kind, const char *holder,
                 int64_t now, int64_t until, store_done *done, void *context)
{
    struct request *r = request_new(REQUEST_CLAIM, kind, holder, done, context);
    r->number = now;
    r->until = until;
    submit(s, r);
}

/* In the back end's thread.  A change without a key: some were missed. */
static void heard(void *context, const struct store_change *c)
{
    struct store *s = context;
    struct request *r = request_new(REQUEST_HEARD, NULL, NULL, NULL, NULL);
    if (c) {
        r->changes = need(calloc(1, sizeof *r->changes));
        r->changes[0] = copy_of(c);
        r->count = 1;
    }
    pthread_mutex_lock(&s->lock);
    list_add(&s->ready, r);
    void (*wake)(void *) = s->wake; /* store_close() takes it away */
    pthread_mutex_unlock(&s->lock);
    if (wake)
        wake(s->wake_context);
}

bool store_subscribe(struct store *s, store_watch *watch, void *context)
{
    s->watch = watch;
    s->watch_context = context;
    return !s->backend->listen || s->backend->listen(s->b, heard, s);
}

bool store_shared(const struct store *s)
{
    return s->backend->listen != NULL;
}

static void answer(struct store *s, struct request *r)
{
    if (r->kind == REQUEST_HEARD && s->watch)
        s->watch(s->watch_context, r->count ? r->changes : NULL);
    bool written = r->kind == REQUEST_WRITE && r->outcome == STORE_OK;
    for (int i = 0; written && s->watch && i < r->count; i++) {
        struct store_change made = r->changes[i];
        made.expected = r->numbers[i];
        s->watch(s->watch_context, &made);
    }
    struct store_answer a = {r->outcome, r->why, r->rows.list, r->rows.count};
    if (r->done)
        r->done(r->context, &a);
    request_release(r);
}

int store_collect(struct store *s)
{
    pthread_mutex_lock(&s->lock);
    struct request *r = s->ready.first;
    list_init(&s->ready);
    pthread_mutex_unlock(&s->lock);
    int count = 0;
    while (r) {
        struct request *next = r->next;
        count += r->kind != REQUEST_HEARD;
        answer(s, r);
        r = next;
    }
    return count;
}

void store_settle(struct store *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->open > 0)
        pthread_cond_wait(&s->answered, &s->lock);
    pthread_mutex_unlock(&s->lock);
    store_collect(s);
}

struct store_figures store_figures(struct store *s)
{
    pthread_mutex_lock(&s->lock);
    struct store_figures f = s->figures;
    pthread_mutex_unlock(&s->lock);
    return f;
}

const struct store_backend *store_find(const char *name, const char **place)
{
    static const struct {
        const char *prefix;
        const struct store_backend *backend;
        bool whole; /* the prefix is part of the place */
    } all[] = {{"sqlite:", &store_sqlite, false},
               {"postgresql:", &store_postgres, true},
               {"postgres:", &store_postgres, true}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        size_t length = strlen(all[i].prefix);
        if (strncmp(name, all[i].prefix, length) != 0)
            continue;
        *place = all[i].whole ? name : name + length;
        return all[i].backend;
    }
    return NULL;
}

/* ---- care ---- */

struct care {
    bool good;
    char why[160];
};

static void cared(void *context, const struct store_answer *a)
{
    struct care *c = context;
    c->good = a->outcome == STORE_OK;
    snprintf(c->why, sizeof c->why, "%s", a->why);
}

static bool care(struct store *s, bool (*what)(void *, const char *),
                 const char *to, char *why, size_t cap)
{
    struct care c = {0};
    struct request *r = request_new(REQUEST_CARE, to, NULL, cared, &c);
    r->care = what;
    submit(s, r);
    store_settle(s);
    snprintf(why, cap, "%s", c.why);
    return c.good;
}

bool store_backup(struct store *s, const char *to, char *why, size_t cap)
{
    return care(s, s->backend->backup, to, why, cap);
}

bool store_verify(struct store *s, char *why, size_t cap)
{
    return care(s, s->backend->verify, "", why, cap);
}

bool store_vacuum(struct store *s, char *why, size_t cap)
{
    return care(s, s->backend->vacuum, "", why, cap);
}
