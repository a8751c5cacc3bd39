/* server/jobs.c: slow work, away from the loop. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "server/jobs.h"

#include "search/search.h"
#include "server/out.h"

#include <pthread.h>
#include <sched.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { HASHERS = 2, HASHES_WAITING = 200, SLICE = 200 };

struct job {
    struct job *next;
    jobs_hashed *hashed;
    jobs_chosen *chosen;
    jobs_judged *judged;
    void *context;
    /* hashing */
    char *password; /* owned */
    char hash[crypto_pwhash_STRBYTES];
    bool compare, good;
    /* choosing */
    const struct game *game;
    struct world *world; /* owned */
    struct state *view;  /* owned */
    const struct search_bot *bot;
    int seat;
    uint64_t seed;
    int nodes; /* 0: as many as the bot wants */
    action action;
    struct judgement judgement;
};

struct queue {
    struct job *first, **last;
    int count;
};

struct jobs {
    void (*wake)(void *);
    void *wake_context;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t hash_asked, bot_asked, answered;
    struct queue hashes, bots, ready;
    int open;
    bool closing;
    pthread_t hasher[HASHERS], thinker;
};

static void queue_init(struct queue *q)
{
    q->first = NULL;
    q->last = &q->first;
    q->count = 0;
}

static void queue_add(struct queue *q, struct job *job)
{
    job->next = NULL;
    *q->last = job;
    q->last = &job->next;
    q->count++;
}

static struct job *queue_take(struct queue *q)
{
    struct job *job = q->first;
    if (job) {
        q->first = job->next;
        q->count--;
        if (!q->first)
            q->last = &q->first;
    }
    return job;
}

static void job_release(struct job *job)
{
    if (job->password)
        sodium_memzero(job->password, strlen(job->password));
    free(job->password);
    free(job->world);
    free(job->view);
    free(job);
}

/* ---- the threads ---- */

static struct job *take(struct jobs *j, struct queue *from,
                        pthread_cond_t *asked)
{
    pthread_mutex_lock(&j->lock);
    while (!from->first && !j->closing)
        pthread_cond_wait(asked, &j->lock);
    struct job *job = j->closing ? NULL : queue_take(from);
    pthread_mutex_unlock(&j->lock);
    return job;
}

static void hand_over(struct jobs *j, struct job *job)
{
    pthread_mutex_lock(&j->lock);
    queue_add(&j->ready, job);
    j->open--;
    pthread_cond_broadcast(&j->answered);
    pthread_mutex_unlock(&j->lock);
    if (j->wake)
        j->wake(j->wake_context);
}

static void *run_hasher(void *argument)
{
    struct jobs *j = argument;
    struct job *job;
    while ((job = take(j, &j->hashes, &j->hash_asked))) {
        size_t length = strlen(job->password);
        if (job->compare)
            job->good =
                crypto_pwhash_str_verify(job->hash, job->password, length) == 0;
        else
            job->good =
                crypto_pwhash_str(job->hash, job->password, length,
                                  crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                  crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
        hand_over(j, job);
    }
    return NULL;
}

static bool closing(struct jobs *j)
{
    pthread_mutex_lock(&j->lock);
    bool now = j->closing;
    pthread_mutex_unlock(&j->lock);
    return now;
}

/* `action` is the one in question. */
static void judge(struct job *job, struct search *s)
{
    struct judgement *g = &job->judgement;
    struct search_choice *top = sure(malloc(GAME_ACTIONS * sizeof *top));
    int count = search_top(s, top, GAME_ACTIONS);
    g->best = search_best(s);
    g->expects = search_values(s, g->points);
    for (int i = 0; i < count; i++) {
        if (top[i].action == g->best) {
            g->best_lead = top[i].value;
            g->looked = true;
        }
        if (top[i].action == job->action && top[i].visits) {
            g->lead = top[i].value;
            g->seen = true;
        }
    }
    free(top);
}

static void think(struct jobs *j, struct job *job, void *memory, size_t bytes)
{
    struct search *s =
        search_open(memory, bytes, job->game, job->world, job->view, job->seat,
                    job->bot, job->nodes, job->seed);
    if (!s)
        return; /* the first legal action stands */
    while (search_run(s, SLICE) && !closing(j))
        ;
    if (job->judged)
        judge(job, s);
    else
        job->action = search_best(s);
}

static void choose(struct jobs *j, struct job *job)
{
    action *legal = sure(malloc(GAME_ACTIONS * sizeof *legal));
    job->good = job->game->legal(job->world, job->view, job->seat, legal) > 0;
    job->judgement.best = job->good ? legal[0] : job->action;
    if (!job->judged)
        job->action = job->judgement.best;
    free(legal);
    size_t bytes = search_size(job->game, job->bot, job->nodes);
    void *memory = malloc(bytes);
    if (memory && job->good)
        think(j, job, memory, bytes);
    free(memory);
}

static void *run_thinker(void *argument)
{
    struct jobs *j = argument;
    struct job *job;
    struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
    while ((job = take(j, &j->bots, &j->bot_asked))) {
        choose(j, job);
        hand_over(j, job);
    }
    return NULL;
}

/* ---- the loop's side ---- */

struct jobs *jobs_open(void (*wake)(void *), void *wake_context)
{
    struct jobs *j = sure(calloc(1, sizeof *j));
    j->wake = wake;
    j->wake_context = wake_context;
    queue_init(&j->hashes);
    queue_init(&j->bots);
    queue_init(&j->ready);
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->hash_asked, NULL);
    pthread_cond_init(&j->bot_asked, NULL);
    pthread_cond_init(&j->answered, NULL);
    for (int i = 0; i < HASHERS; i++)
        if (pthread_create(&j->hasher[i], NULL, run_hasher, j))
            abort();
    if (pthread_create(&j->thinker, NULL, run_thinker, j))
        abort();
    return j;
}

static void queue_release(struct queue *q)
{
    for (struct job *job; (job = queue_take(q));)
        job_release(job);
}

void jobs_close(struct jobs *j)
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    j->closing = true;
    j->wake = NULL;
    pthread_cond_broadcast(&j->hash_asked);
    pthread_cond_broadcast(&j->bot_asked);
    pthread_mutex_unlock(&j->lock);
    for (int i = 0; i < HASHERS; i++)
        pthread_join(j->hasher[i], NULL);
    pthread_join(j->thinker, NULL);
    queue_release(&j->hashes);
    queue_release(&j->bots);
    queue_release(&j->ready);
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->hash_asked);
    pthread_cond_destroy(&j->bot_asked);
    pthread_cond_destroy(&j->answered);
    free(j);
}

static void submit(struct jobs *j, struct queue *to, pthread_cond_t *asked,
                   struct job *job)
{
    pthread_mutex_lock(&j->lock);
    queue_add(to, job);
    j->open++;
    pthread_cond_signal(asked);
    pthread_mutex_unlock(&j->lock);
}

static bool ask_hasher(struct jobs *j, struct job *job)
{
    pthread_mutex_lock(&j->lock);
    bool full = j->hashes.count >= HASHES_WAITING;
    pthread_mutex_unlock(&j->lock);
    if (full)
        job_release(job);
    else
        submit(j, &j->hashes, &j->hash_asked, job);
    return !full;
}

static struct job *hash_job(const char *password, jobs_hashed *done,
                            void *context)
{
    struct job *job = sure(calloc(1, sizeof *job));
    job->password = sure(strdup(password));
    job->hashed = done;
    job->context = context;
    return job;
}

bool jobs_hash(struct jobs *j, const char *password, jobs_hashed *done,
               void *context)
{
    return ask_hasher(j, hash_job(password, done, context));
}

bool jobs_compare(struct jobs *j, const char *hash, const char *password,
                  jobs_hashed *done, void *context)
{
    struct job *job = hash_job(password, done, context);
    job->compare = true;
    strncpy(job->hash, hash, sizeof job->hash - 1);
    return ask_hasher(j, job);
}

static void *copy(const void *from, size_t size)
{
    return memcpy(sure(malloc(size)), from, size);
}

static struct job *search_job(const struct game *game,
                              const struct world *world,
                              const struct state *view, int seat,
                              const struct search_bot *bot, void *context)
{
    struct job *job = sure(calloc(1, sizeof *job));
    job->game = game;
    job->world = copy(world, game->world_size);
    job->view = copy(view, game->state_size);
    job->seat = seat;
    job->bot = bot;
    job->context = context;
    return job;
}

void jobs_choose(struct jobs *j, const struct game *game,
                 const struct world *world, const struct state *view, int seat,
                 const struct search_bot *bot, uint64_t seed, jobs_chosen *done,
                 void *context)
{
    struct job *job = search_job(game, world, view, seat, bot, context);
    job->seed = seed;
    job->chosen = done;
    submit(j, &j->bots, &j->bot_asked, job);
}

void jobs_judge(struct jobs *j, const struct game *game,
                const struct world *world, const struct state *view, int seat,
                action a, const struct search_bot *bot, int nodes,
                jobs_judged *done, void *context)
{
    struct job *job = search_job(game, world, view, seat, bot, context);
    job->action = a;
    job->nodes = nodes;
    job->seed = 1;
    job->judged = done;
    submit(j, &j->bots, &j->bot_asked, job);
}

int jobs_collect(struct jobs *j)
{
    int count = 0;
    for (;; count++) {
        pthread_mutex_lock(&j->lock);
        struct job *job = queue_take(&j->ready);
        pthread_mutex_unlock(&j->lock);
        if (!job)
            return count;
        if (job->hashed)
            job->hashed(job->context, job->good,
                        job->compare ? NULL : job->hash);
        else if (job->judged)
            job->judged(job->context, &job->judgement);
        else
            job->chosen(job->context, job->action);
        job_release(job);
    }
}

void jobs_settle(struct jobs *j)
{
    pthread_mutex_lock(&j->lock);
    while (j->open > 0)
        pthread_cond_wait(&j->answered, &j->lock);
    pthread_mutex_unlock(&j->lock);
    jobs_collect(j);
}
