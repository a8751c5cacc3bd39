/* cli/contestant.c: reading a contestant, and letting it think. */
#include "cli/contest.h"

#include "base/rng.h"
#include "base/text.h"
#include "game/setup.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- reading ---- */

static const char *bot_names(void)
{
    static char names[256];
    struct text t = text_begin(names, sizeof names);
    for (const struct search_bot *b = search_bots; b->name; b++) {
        text_put(&t, b == search_bots ? "" : ", ");
        text_put(&t, b->name);
    }
    text_end(&t);
    return names;
}

static int need_limit(const char *what, struct span text, int low, int high)
{
    char word[64];
    span_copy(text, word, sizeof word);
    return need_number(what, word, low, high);
}

struct key {
    const char *name;
    size_t offset;
    int low, high;
};

#define KEY(name, place, low, high)                                            \
    {                                                                          \
        name, offsetof(struct contestant, place), low, high                    \
    }

static const struct key keys[] = {
    KEY("threads", threads, 1, CONTEST_THREADS),
    KEY("noise", bot.noise, 0, 1000000),
    KEY("blur", bot.blur, 0, 1000000),
    KEY("slip", bot.slip, 0, 100000),
    KEY("explore", bot.style.explore, 0, 100000),
    KEY("blend", bot.style.blend, 0, 1000),
    KEY("scale", bot.style.scale, 1, 10000000),
    KEY("final", bot.style.final, 0, 1000),
    KEY("ahead", bot.style.ahead, 0, 1000),
    KEY("beam", bot.style.beam, 1, 48),
    KEY("wide", bot.style.wide, 48, SEARCH_WIDE),
    KEY("foresee", bot.style.foresee, 0, 1000000),
    KEY("wins", bot.style.wins, 0, 1),
    KEY("sees", sees, 0, 1),
};

static _Noreturn void refuse_key(struct span name)
{
    char word[64];
    span_copy(name, word, sizeof word);
    die(STATUS_USAGE,
        "a bot has no '%s', but threads, noise, blur, slip, explore, "
        "blend, scale, final, ahead, beam, wide, foresee, wins, sees, weights",
        word);
}

static void set_key(struct contestant *c, struct span item)
{
    struct span name = span_cut(&item, '=');
    if (span_is(name, "weights")) {
        span_copy(item, c->weights, sizeof c->weights);
        for (char *at = c->weights; *at; at++)
            *at = *at == '+' ? ' ' : *at;
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (span_is(name, keys[i].name)) {
            int number =
                need_limit(keys[i].name, item, keys[i].low, keys[i].high);
            memcpy((char *)c + keys[i].offset, &number, sizeof number);
            return;
        }
    refuse_key(name);
}

void contestant_read(struct contestant *c, const char *text, size_t length)
{
    struct span rest = {text, length}, name, nodes;
    *c = (struct contestant){.threads = 1};
    span_copy(rest, c->text, sizeof c->text);
    nodes = span_cut(&rest, '/');
    name = span_cut(&nodes, ':');
    const struct search_bot *bot = search_find(name.at, name.length);
    if (!bot) {
        char word[64];
        span_copy(name, word, sizeof word);
        die(STATUS_USAGE, "there is no bot '%s', but: %s", word, bot_names());
    } else {
        c->bot = *bot;
    }
    if (memchr(c->text, ':', strlen(c->text))) {
        c->bot.nodes = c->bot.crowd = c->bot.worlds =
            need_limit("number of nodes", nodes, 1, SEARCH_NODES_MAX);
        c->bot.playouts = (c->bot.nodes + PLAYOUT - 1) / PLAYOUT;
    }
    while (rest.length > 0)
        set_key(c, span_cut(&rest, '/'));
}

static bool read_engine(struct contestant *c, struct span text)
{
    struct span command = text;
    if (!span_is(span_cut(&command, ':'), "engine"))
        return false;
    *c = (struct contestant){.threads = 1};
    span_copy(text, c->text, sizeof c->text);
    if (command.length == 0 || command.length >= sizeof c->command)
        die(STATUS_USAGE, "engine: wants a command of up to %d bytes",
            CONTEST_COMMAND - 1);
    span_copy(command, c->command, sizeof c->command);
    return true;
}

int contestant_list(struct contestant *list, const char *text)
{
    struct span rest = span_of(text);
    int count = 0;
    do {
        struct span item = span_cut(&rest, ',');
        if (count == GAME_SEATS)
            die(STATUS_USAGE, "--seats: at most %d bots", GAME_SEATS);
        if (!read_engine(&list[count], item))
            contestant_read(&list[count], item.at, item.length);
        count++;
    } while (rest.length > 0);
    return count;
}

/* ---- thinking ---- */

/* The same setup, with the contestant's weights. */
static bool prepare(struct thinker *t, const struct setup *setup,
                    struct fault *f)
{
    struct setup own = *setup;
    size_t length = setup->given ? strlen(setup->given) : 0;
    char *given = need(malloc(length + CONTEST_WEIGHTS + 32));
    memcpy(given, setup->given ? setup->given : "", length);
    snprintf(given + length, CONTEST_WEIGHTS + 32, "weights: %s\n",
             t->self->weights);
    if (t->self->weights[0])
        own.given = given;
    bool good = t->game->prepare(t->world, &own, f);
    free(given);
    return good;
}

/* Searches that judge alike would find the same: thousandths of a point.  Where
 * something is hidden they guess other worlds anyway. */
enum { UNSURE = 300 };

bool thinker_init(struct thinker *t, const struct contestant *self,
                  const struct game *game, const struct setup *setup,
                  uint64_t seed, struct fault *f)
{
    *t = (struct thinker){.self = self, .game = game, .seed = seed};
    if (self->command[0])
        return true;
    t->other = self->bot;
    if (t->other.noise < UNSURE)
        t->other.noise = UNSURE;
    t->world = need(malloc(game->world_size));
    t->view = need(malloc(game->state_size));
    return prepare(t, setup, f);
}

void thinker_release(struct thinker *t)
{
    child_close(t->child);
    for (int i = 0; i < t->searches; i++) {
        free(t->search[i]);
        free(t->help[i]);
    }
    free(t->world);
    free(t->view);
}

static void open_search(struct thinker *t, int seat)
{
    int i = t->searches++;
    const struct search_bot *bot = i ? &t->other : &t->self->bot;
    size_t bytes = search_size(t->game, bot, 0);
    t->search[i] =
        search_open(need(malloc(bytes)), bytes, t->game, t->world, t->view,
                    seat, bot, 0, t->seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
}

static bool open_help(struct thinker *t, int i)
{
    void *memory = need(malloc(search_help_size(t->game)));
    t->help[i] = search_help_open(memory, t->search[i]);
    if (!t->help[i])
        free(memory);
    return t->help[i] != NULL;
}

/* Two threads are a search with its helper where there can be one, else two
 * searches. */
static void open_all(struct thinker *t, int seat)
{
    for (int left = t->self->threads; left > 0; left--) {
        open_search(t, seat);
        if (left > 1 && open_help(t, t->searches - 1))
            left--;
    }
}

static void begin(struct thinker *t, int seat)
{
    if (t->searches == 0)
        open_all(t, seat);
    else
        for (int i = 0; i < t->searches; i++)
            search_play(t->search[i], t->view, seat);
}

/* A search and its helper, if it has one, each a thread. */
struct work {
    struct search *search;
    struct search_help *help;
    pthread_t thread, helper;
    _Atomic bool done;
};

static void start(pthread_t *thread, void *(*run)(void *), struct work *w)
{
    if (pthread_create(thread, NULL, run, w) != 0)
        die(STATUS_CONTENT, "cannot start a thread");
}

/* How often a helper looks for work before it gives way to others. */
enum { PATIENCE = 1000 };

static void *run_helper(void *work)
{
    struct work *w = work;
    int idle = 0;
    while (!atomic_load_explicit(&w->done, memory_order_relaxed)) {
        idle = search_help(w->help) ? 0 : idle + 1;
        if (idle > PATIENCE)
            sched_yield();
    }
    return NULL;
}

static void *run_search(void *work)
{
    struct work *w = work;
    if (w->help)
        start(&w->helper, run_helper, w);
    while (search_run(w->search, 1000))
        ;
    atomic_store_explicit(&w->done, true, memory_order_relaxed);
    if (w->help)
        pthread_join(w->helper, NULL);
    return NULL;
}

static void run_all(struct thinker *t)
{
    struct work work[CONTEST_THREADS];
    for (int i = t->searches - 1; i >= 0; i--) {
        work[i] = (struct work){.search = t->search[i], .help = t->help[i]};
        if (i > 0)
            start(&work[i].thread, run_search, &work[i]);
        else
            run_search(&work[i]);
    }
    for (int i = 1; i < t->searches; i++)
        pthread_join(work[i].thread, NULL);
}

static action best_of(struct thinker *t)
{
    struct search_choice all[SEARCH_TOP * CONTEST_THREADS];
    const int cap = sizeof all / sizeof *all;
    if (t->searches == 1 || search_merge(t->search, t->searches, all, cap) == 0)
        return search_best(t->search[0]);
    return all[0].action;
}

static double now_on(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

action thinker_choose(struct thinker *t, const struct state *now, int seat)
{
    clockid_t clock =
        t->self->threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double start = now_on(clock);
    if (t->game->observe && !t->self->sees)
        t->game->observe(t->world, now, seat, t->view);
    else
        memcpy(t->view, now, t->game->state_size);
    begin(t, seat);
    run_all(t);
    t->actions++;
    for (int i = 0; i < t->searches; i++)
        t->nodes += (uint64_t)search_nodes(t->search[i]);
    t->seconds += now_on(clock) - start;
    return best_of(t);
}
