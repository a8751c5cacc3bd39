/* server/worker.c: the command `terra worker`.
 *
 * A hub without connections: it claims the bots' jobs of a shared store and
 * thinks about them, here or on another machine, whenever nobody else wants the
 * processor. */
#include "server/hub.h"
#include "server/serve.h"
#include "server/steady.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const char usage[] =
    TR("usage: terra worker --store postgresql://... [--quiet]\n"
       "  thinks for the bots of all servers that use this store\n");

/* Nobody is connected. */
static void send_nothing(struct link *link, const char *text, size_t length)
{
    (void)link;
    (void)text;
    (void)length;
}

static void close_nothing(struct link *link)
{
    (void)link;
}

static size_t nothing_waits(const struct link *link)
{
    (void)link;
    return 0;
}

static const struct transport transport = {send_nothing, close_nothing,
                                           nothing_waits};

static void wake(void *context)
{
    const int *event = context;
    uint64_t one = 1;
    if (write(*event, &one, sizeof one) < 0)
        return; /* it is awake already */
}

/* Until a signal ends it; false if it cannot go on. */
static bool work(struct hub *hub, int event, int signals)
{
    struct pollfd files[] = {{event, POLLIN, 0}, {signals, POLLIN, 0}};
    while (!hub->lost) {
        uint64_t count;
        hub_collect(hub);
        int64_t ms = hub_tick(hub);
        poll(files, 2, (int)ms);
        if (files[1].revents)
            return true;
        if (files[0].revents && read(event, &count, sizeof count) < 0)
            continue;
    }
    return false;
}

static bool run(const char *place, bool quiet, int event, int signals,
                char *why, size_t cap)
{
    struct store *store =
        store_open(&store_postgres, place, wake, &event, why, cap);
    if (!store)
        return false;
    struct jobs *jobs = jobs_open(wake, &event);
    struct hub_settings settings = {.transport = &transport,
                                    .store = store,
                                    .jobs = jobs,
                                    .now = steady_now,
                                    .log = !quiet};
    struct hub *hub = hub_open(&settings, why, cap);
    bool good = false;
    if (hub) {
        puts(tr("a worker is ready"));
        fflush(stdout);
        good = work(hub, event, signals);
        snprintf(why, cap, "%s", tr("too much was missed; start it again"));
        hub_stop(hub);
    }
    jobs_close(jobs);
    store_close(store);
    hub_close(hub);
    return good;
}

/* The signals that end it come as something to read. */
static int signals_open(void)
{
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGINT);
    sigprocmask(SIG_BLOCK, &all, NULL);
    return signalfd(-1, &all, SFD_CLOEXEC);
}

int worker_main(int argc, char **argv)
{
    const char *store = NULL, *place;
    char why[256] = "";
    bool quiet = false, wrong = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return fputs(tr(usage), stdout) < 0;
        if (strcmp(argv[i], "--store") == 0 && i + 1 < argc)
            store = argv[++i];
        else if (strcmp(argv[i], "--quiet") == 0)
            quiet = true;
        else
            wrong = true;
    }
    if (wrong || !store || store_find(store, &place) != &store_postgres) {
        fprintf(stderr, tr("terra worker: which store?\n%s"), tr(usage));
        return 2;
    }
    memory_share();
    setpriority(PRIO_PROCESS, 0, 10);
    int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    bool good = run(place, quiet, event, signals_open(), why, sizeof why);
    if (!good)
        fprintf(stderr, "terra worker: %s\n", why);
    return good ? 0 : 1;
}
