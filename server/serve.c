/* server/serve.c: the command `terra serve`. */
#include "server/serve.h"

#include "base/text.h"
#include "server/http.h"
#include "server/hub.h"
#include "server/steady.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACE_BYTES = 1024 };

static const char usage[] = TR(
    "usage: terra serve [OPTION...]\n"
    "  --port N          listen on this port (8080; 0: any that is free)\n"
    "  --local           answer this machine only\n"
    "  --address NAME    listen on this address or interface only\n"
    "  --root FOLDER     the built client (found beside the program)\n"
    "  --site URL        where people find it (https://example.org), for the\n"
    "                    pictures of links to it\n"
    "  --data FOLDER     keep people and games here (./terra-data); made if\n"
    "                    it does not exist\n"
    "  --no-data         keep them in memory only\n"
    "  --store ADDRESS   keep them in this database (postgresql://...), which\n"
    "                    other servers and workers may share\n"
    "  --no-bots         leave the bots to `terra worker`\n"
    "  --proxy ADDRESS   believe the X-Forwarded-For of this address\n"
    "  --secure          cookies for https only (behind a proxy with TLS)\n"
    "  --tls CERT KEY    speak TLS with these PEM files\n"
    "  --rate N          messages per second of one connection (30; 0: any)\n"
    "  --open-metrics    show /metrics to everybody, not to this machine only\n"
    "  --quiet           no log\n");

struct options {
    int port, rate;
    const char *root, *data, *store, *proxy, *address, *site, *certificate,
        *key;
    bool local, memory, no_bots, secure, open_metrics, quiet, help;
};

static int refuse(const char *what, const char *subject)
{
    fprintf(stderr, tr("terra: %s '%s'; 'terra serve --help' tells more\n"),
            what, subject);
    return 2;
}

static int read_number(const char *name, const char *text, long high, int *to)
{
    long number;
    if (!text || !span_int(span_of(text), 0, high, &number)) {
        fprintf(stderr, tr("terra: %s is a number from 0 to %ld, not '%s'\n"),
                name, high, text ? text : "");
        return 2;
    }
    *to = (int)number;
    return 0;
}

/* Options with values; how many words it took, 0 if it is none of them, -1
 * after a message. */
static int read_valued(struct options *o, char **argv, int left)
{
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"--root", &o->root},   {"--data", &o->data},
                 {"--store", &o->store}, {"--proxy", &o->proxy},
                 {"--site", &o->site},   {"--address", &o->address}};
    const char *value = left > 1 ? argv[1] : NULL;
    if (strcmp(argv[0], "--port") == 0)
        return read_number(tr("a port"), value, 65535, &o->port) ? -1 : 2;
    if (strcmp(argv[0], "--rate") == 0)
        return read_number(tr("a rate"), value, 1000000, &o->rate) ? -1 : 2;
    for (size_t i = 0; value && i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(argv[0], texts[i].name) == 0) {
            *texts[i].to = value;
            return 2;
        }
    if (strcmp(argv[0], "--tls") == 0 && left > 2) {
        o->certificate = argv[1];
        o->key = argv[2];
        return 3;
    }
    return 0;
}

static bool read_flag(struct options *o, const char *name)
{
    const struct {
        const char *name;
        bool *to;
    } flags[] = {{"--local", &o->local},
                 {"--no-data", &o->memory},
                 {"--no-bots", &o->no_bots},
                 {"--secure", &o->secure},
                 {"--open-metrics", &o->open_metrics},
                 {"--quiet", &o->quiet},
                 {"--help", &o->help},
                 {"-h", &o->help}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].to = true;
    return false;
}

static int read_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc;) {
        int used = read_valued(o, argv + i, argc - i);
        if (used < 0)
            return 2;
        if (used == 0 && !read_flag(o, argv[i]))
            return refuse(tr("unknown or incomplete option"), argv[i]);
        i += used ? used : 1;
    }
    return 0;
}

/* The client as built in the source tree or as installed, seen from the
 * program's own folder. */
static const char *find_root(char *to, size_t cap)
{
    static const char *const places[] = {"../../web/dist", "../web/dist",
                                         "../share/terrarium/web"};
    char program[PLACE_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return "web/dist";
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int used = snprintf(to, cap, "%s/%s", program, places[i]);
        if (used > 0 && (size_t)used < cap && access(to, R_OK) == 0)
            return to;
    }
    return "web/dist";
}

/* ---- from files to the last connection ---- */

/* Two servers with one file would each believe to know everything.  The lock
 * goes with the process. */
static bool lock_folder(const char *folder)
{
    char place[PLACE_BYTES];
    snprintf(place, sizeof place, "%s/lock", folder);
    int file = open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
}

static struct store *open_store(const struct options *o, struct http *http,
                                char *why, size_t cap)
{
    const char *folder = o->data ? o->data : "terra-data";
    char place[PLACE_BYTES];
    const char *address;
    if (o->store && store_find(o->store, &address) == &store_postgres)
        return store_open(&store_postgres, address, http_wake, http, why, cap);
    if (o->store) {
        snprintf(why, cap,
                 tr("a store is postgresql://..., not '%s'; a file is"
                    " given by --data"),
                 o->store);
        return NULL;
    }
    if (o->memory)
        return store_open(&store_memory, "", http_wake, http, why, cap);
    mkdir(folder, 0700);
    if (!lock_folder(folder)) {
        snprintf(why, cap, tr("cannot have '%s' alone; does a server use it?"),
                 folder);
        return NULL;
    }
    snprintf(place, sizeof place, "%s/terra.db", folder);
    return store_open(&store_sqlite, place, http_wake, http, why, cap);
}

static bool run(const struct options *o, struct http *http, char *why,
                size_t cap)
{
    struct store *store = open_store(o, http, why, cap);
    if (!store)
        return false;
    struct jobs *jobs = jobs_open(http_wake, http);
    struct hub_settings settings = {.transport = &http_transport,
                                    .store = store,
                                    .jobs = jobs,
                                    .now = steady_now,
                                    .secure = o->secure || o->certificate,
                                    .rate = o->rate,
                                    .log = !o->quiet,
                                    .thoughtless = o->store && o->no_bots};
    struct hub *hub = hub_open(&settings, why, cap);
    if (hub) {
        http_attach(http, hub);
        printf(tr("Terrarium is ready: http%s://localhost:%d/\n"),
               o->certificate ? "s" : "", http_port(http));
        fflush(stdout);
        http_run(http);
        hub_log(hub, "stopped", "", "");
    }
    bool good = hub && !hub->lost;
    if (hub && hub->lost)
        snprintf(why, cap, "%s", tr("too much was missed; start it again"));
    jobs_close(jobs);
    store_close(store); /* its threads wake the loop until they end */
    http_close(http);
    hub_close(hub);
    return good;
}

/* The library knows interfaces by name and addresses in their new form; an
 * address in the old form it would take for all of them. */
static const char *listen_on(const struct options *o, char *to, size_t cap)
{
    struct in_addr old;
    if (o->local)
        return "lo";
    if (!o->address || inet_pton(AF_INET, o->address, &old) != 1)
        return o->address;
    snprintf(to, cap, "::ffff:%s", o->address);
    return to;
}

static bool serve(const struct options *o, const struct files *files, char *why,
                  size_t cap)
{
    char address[80];
    struct http_settings settings = {.port = o->port,
                                     .interface_name =
                                         listen_on(o, address, sizeof address),
                                     .files = files,
                                     .proxy = o->proxy,
                                     .certificate = o->certificate,
                                     .key = o->key,
                                     .open_metrics = o->open_metrics,
                                     .quiet = true};
    struct http *http = http_open(&settings, why, cap);
    return http && run(o, http, why, cap);
}

int serve_main(int argc, char **argv)
{
    struct options o = {.port = 8080, .rate = 30};
    char place[PLACE_BYTES + 64], why[256] = "";
    memory_share();
    int wrong = read_options(argc, argv, &o);
    if (wrong)
        return wrong;
    if (o.help) {
        fputs(tr(usage), stdout);
        return 0;
    }
    struct files files;
    const char *root = o.root ? o.root : find_root(place, sizeof place);
    bool good = files_load(&files, root, why, sizeof why) &&
                (!o.site || files_site(&files, o.site, why, sizeof why)) &&
                serve(&o, &files, why, sizeof why);
    if (!good)
        fprintf(stderr, "terra: %s\n", why);
    files_release(&files);
    return good ? 0 : 1;
}
