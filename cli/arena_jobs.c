/* cli/arena_jobs.c: one series of games, played by several processes. */
#include "cli/arena_jobs.h"

#include "base/hash.h"
#include "cli/cli.h"

#ifdef TERRA_SERVE

#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEASE_MS = 30 * 60000, LOOK_MS = 500 };

struct arena_jobs {
    struct store *store; /* owned */
    char kind[40], me[40];
    int games;
    /* Of the last question. */
    enum store_outcome outcome;
    int taken, count;
    void (*line)(void *context, const char *text);
    void *context;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void settle(struct arena_jobs *j, const char *what)
{
    store_settle(j->store);
    if (j->outcome == STORE_FAILED)
        die(STATUS_CONTENT, "the store failed: %s", what);
}

static void answered(void *context, const struct store_answer *a)
{
    struct arena_jobs *j = context;
    j->outcome = a->outcome;
}

/* The first who comes offers all games; for the others it is done. */
static void offer_all(struct arena_jobs *j, const char *head)
{
    struct store_change *c = need(calloc((size_t)j->games + 1, sizeof *c));
    char(*keys)[16] = need(calloc((size_t)j->games + 1, sizeof *keys));
    c[0] = (struct store_change){STORE_PUT, "series", j->kind, 0, 0, head};
    for (int i = 0; i < j->games; i++) {
        snprintf(keys[i], sizeof keys[i], "%08d", i);
        c[i + 1] =
            (struct store_change){STORE_OFFER, j->kind, keys[i], 0, 0, ""};
    }
    store_write(j->store, c, j->games + 1, answered, j);
    settle(j, "cannot begin");
    free(c);
    free(keys);
}

struct arena_jobs *arena_jobs_open(const char *store, const char *head,
                                   int games)
{
    struct arena_jobs *j = need(calloc(1, sizeof *j));
    const char *place;
    char why[200], host[64] = "";
    snprintf(why, sizeof why, "%s",
             tr("a store is sqlite:FILE or postgresql://..."));
    const struct store_backend *backend = store_find(store, &place);
    j->store = backend ? store_open(backend, place, NULL, NULL, why, sizeof why)
                       : NULL;
    if (!j->store)
        die(STATUS_USAGE, "cannot use '%s': %s", store, why);
    gethostname(host, sizeof host - 1);
    j->games = games;
    snprintf(j->me, sizeof j->me, "%.20s-%d", host, (int)getpid());
    snprintf(j->kind, sizeof j->kind, "series:%016llx:%d",
             (unsigned long long)hash_bytes(1, head, strlen(head)), games);
    offer_all(j, head);
    return j;
}

void arena_jobs_close(struct arena_jobs *j)
{
    if (j)
        store_close(j->store);
    free(j);
}

static void on_taken(void *context, const struct store_answer *a)
{
    struct arena_jobs *j = context;
    j->outcome = a->outcome;
    if (a->count)
        j->taken = (int)strtol(a->rows[0].key, NULL, 10);
}

int arena_jobs_take(struct arena_jobs *j)
{
    int64_t now = now_ms();
    j->taken = -1;
    store_claim(j->store, j->kind, j->me, now, now + LEASE_MS, on_taken, j);
    settle(j, "cannot take a game");
    return j->taken;
}

bool arena_jobs_done(struct arena_jobs *j, int number, const char *line)
{
    char key[16];
    snprintf(key, sizeof key, "%08d", number);
    const struct store_change c[] = {
        {STORE_FINISH, j->kind, key, 0, 0, j->me},
        {STORE_APPEND, NULL, j->kind, STORE_ANY, now_ms(), line}};
    store_write(j->store, c, 2, answered, j);
    settle(j, "cannot keep a result");
    return j->outcome == STORE_OK;
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct arena_jobs *j = context;
    j->outcome = a->outcome;
    j->count = a->count;
    for (int i = 0; a->count == j->games && i < a->count; i++)
        j->line(j->context, a->rows[i].text);
}

bool arena_jobs_join(struct arena_jobs *j,
                     void (*line)(void *context, const char *text),
                     void *context)
{
    j->line = line;
    j->context = context;
    store_lines(j->store, j->kind, 0, on_lines, j);
    settle(j, "cannot read the results");
    if (j->count < j->games) { /* the others are still playing */
        struct timespec pause = {0, LOOK_MS * 1000000L};
        nanosleep(&pause, NULL);
    }
    return j->count == j->games;
}

#else

struct arena_jobs *arena_jobs_open(const char *store, const char *head,
                                   int games)
{
    (void)head;
    (void)games;
    die(STATUS_USAGE, "built without stores: cannot use '%s'", store);
    return NULL;
}

void arena_jobs_close(struct arena_jobs *j)
{
    (void)j;
}

int arena_jobs_take(struct arena_jobs *j)
{
    (void)j;
    return -1;
}

bool arena_jobs_done(struct arena_jobs *j, int number, const char *line)
{
    (void)j;
    (void)number;
    (void)line;
    return false;
}

bool arena_jobs_join(struct arena_jobs *j,
                     void (*line)(void *context, const char *text),
                     void *context)
{
    (void)j;
    (void)line;
    (void)context;
    return true;
}

#endif
