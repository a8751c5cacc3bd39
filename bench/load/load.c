/* bench/load/load.c: what a server holds, answers and keeps.
 *
 *     load TERRA [FIGURE...]
 *
 * starts `TERRA serve` on a free port with a new data folder for every figure
 * and prints one JSON object per line: figure, value, unit, what it aims at.
 * See bench/README.md. */
#define _GNU_SOURCE
#include "bench/load/client.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HELD = 5000,
    SPECTATORS = 1000,
    MOVES = 1000,
    TALKERS = 64,
    TABLES = 2500,
    AT_ONCE = 256
};

static struct server {
    const char *terra;
    char folder[64];
    pid_t process;
    int port;
} server;

static struct load load;

static void report(const char *figure, double value, const char *unit,
                   const char *aim)
{
    printf("{\"figure\": \"%s\", \"value\": %.2f, \"unit\": \"%s\", \"aim\": "
           "\"%s\"}\n",
           figure, value, unit, aim);
    fflush(stdout);
}

static void stop(const char *why)
{
    fprintf(stderr, "load: %s\n", why);
    if (server.process > 0)
        kill(server.process, SIGKILL);
    exit(1);
}

/* ---- the server ---- */

static void run_server(int out)
{
    dup2(out, 1);
    execl(server.terra, server.terra, "serve", "--port", "0", "--local",
          "--rate", "0", "--quiet", "--root", server.folder, "--data",
          server.folder, (char *)NULL);
    perror(server.terra);
    _exit(1);
}

static void server_start(void)
{
    int ends[2];
    char line[256];
    if (pipe(ends) != 0)
        stop("no pipe");
    server.process = fork();
    if (server.process == 0)
        run_server(ends[1]);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    const char *colon =
        in && fgets(line, sizeof line, in) ? strrchr(line, ':') : NULL;
    if (!colon)
        stop("the server does not start");
    server.port = (int)strtol(colon + 1, NULL, 10);
    load.port = server.port;
    fclose(in);
}

static void server_stop(int how)
{
    int status;
    kill(server.process, how);
    waitpid(server.process, &status, 0);
    server.process = 0;
}

static void folder_make(void)
{
    char path[100];
    snprintf(server.folder, sizeof server.folder, "/tmp/terra-load-XXXXXX");
    if (!mkdtemp(server.folder))
        stop("no folder");
    snprintf(path, sizeof path, "%s/index.html", server.folder);
    FILE *page = fopen(path, "w");
    if (page)
        fclose(page);
}

static void folder_remove(void)
{
    static const char *const names[] = {"index.html", "lock", "terra.db",
                                        "terra.db-wal", "terra.db-shm"};
    char path[100];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", server.folder, names[i]);
        unlink(path);
    }
    rmdir(server.folder);
}

/* Kilobytes that are resident. */
static double resident(void)
{
    char path[64], line[256];
    double size = 0;
    snprintf(path, sizeof path, "/proc/%d/status", server.process);
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, "VmRSS:", 6) == 0)
            size = strtod(line + 6, NULL);
    if (in)
        fclose(in);
    return size;
}

/* Seconds of processor time of all the server's threads. */
static double processor(void)
{
    enum { USER = 10, KERNEL = 11 }; /* counted from behind its state */
    char path[64], line[1024];
    double ticks = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", server.process);
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    char *at = fgets(line, sizeof line, in) ? strrchr(line, ')') : NULL;
    fclose(in);
    at = at ? at + 3 : NULL;
    for (int i = 0; at && i <= KERNEL; i++) {
        double number = strtod(at, &at);
        ticks += i >= USER ? number : 0;
    }
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

/* ---- clients in general ---- */

static int answered; /* answers to requests, not events */

static void count_answers(struct client *c, char *text, size_t length)
{
    (void)c;
    (void)length;
    if (strstr(text, "\"error\"") && !strstr(text, "\"ok\""))
        stop(text);
    answered += strncmp(text, "{\"id\"", 5) == 0;
}

static void join_all(int from, int to)
{
    int asked = from, before = load.joined;
    while (load.joined - before < to - from) {
        while (asked < to && asked - from - (load.joined - before) < AT_ONCE) {
            char name[32];
            snprintf(name, sizeof name, "guest %d", asked);
            client_join(&load, &load.clients[asked++], name);
        }
        load_pump(&load, 100);
    }
}

static void open_all(int from, int to, int at_once)
{
    int asked = from, before = load.open;
    while (load.open - before < to - from) {
        while (asked < to && asked - from - (load.open - before) < at_once)
            client_open(&load, &load.clients[asked++]);
        load_pump(&load, 100);
    }
}

static void await_answers(int wanted)
{
    while (answered < wanted)
        load_pump(&load, 100);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double quantile(double *list, int count, double share)
{
    qsort(list, (size_t)count, sizeof *list, by_size);
    int at = (int)(share * (double)count);
    return list[at < count ? at : count - 1];
}

/* ---- figures ---- */

static void held(void)
{
    load_init(&load, HELD);
    server_start();
    load.on_message = count_answers;
    answered = 0;
    double empty = resident();
    join_all(0, HELD);
    open_all(0, HELD, AT_ONCE);
    for (int i = 0; i < HELD; i++)
        client_send(&load, &load.clients[i], "{\"do\":\"hello\",\"id\":1}");
    await_answers(HELD);
    report("resident without connections", empty / 1024, "MB", "");
    report("resident with 5000 guests connected", resident() / 1024, "MB",
           "under 64");
}

static bool talking;

static void talk(struct client *c, char *text, size_t length)
{
    count_answers(c, text, length);
    if (talking)
        client_send(&load, c, "{\"do\":\"hello\",\"id\":1}");
}

static void talk_beside(int others)
{
    enum { SECONDS = 4 };
    char figure[100];
    load_init(&load, TALKERS + others);
    server_start();
    load.on_message = talk;
    join_all(0, TALKERS);
    open_all(0, TALKERS + others, AT_ONCE);
    talking = true;
    answered = 0;
    double begin = now(), used = processor();
    for (int i = 0; i < TALKERS; i++)
        client_send(&load, &load.clients[i], "{\"do\":\"hello\",\"id\":1}");
    while (now() - begin < SECONDS)
        load_pump(&load, 10);
    used = processor() - used;
    double passed = now() - begin;
    talking = false;
    snprintf(figure, sizeof figure, "round trips beside %d silent sockets",
             others);
    report(figure, answered / passed, "/s", "");
    report("... per second of the server's processor time", answered / used,
           "/s", "at least 20000");
}

static void round_trips(void)
{
    talk_beside(0);
}

static void round_trips_beside(void)
{
    talk_beside(HELD);
}

/* ---- moves ---- */

/* A table with two who play whatever is first in their list. */
static struct duel {
    char table[16], action[512];
    long seq;
    int actor;   /* the client who is to act, -1: not known */
    bool stored; /* the last play was acknowledged */
    bool over;
    double acknowledged;
} duel;

static int spectators_told;
static double first_told, last_told;
static size_t told_bytes;

static void take_view(struct client *c, const json_t *view)
{
    const json_t *status = json_object_get(view, "status");
    long seat = json_integer_value(json_object_get(status, "seat"));
    long viewer = json_integer_value(json_object_get(view, "viewer"));
    const json_t *first = json_array_get(
        json_object_get(json_object_get(view, "scene"), "actions"), 0);
    duel.seq = json_integer_value(json_object_get(view, "seq"));
    duel.over = json_is_true(json_object_get(status, "over"));
    if (seat != viewer || !first || duel.over)
        return;
    snprintf(duel.action, sizeof duel.action, "%s",
             json_string_value(json_object_get(first, "text")));
    duel.actor = c->number;
}

static void follow(struct client *c, char *text, size_t length)
{
    if (c->number >= 2) {
        answered += strncmp(text, "{\"id\"", 5) == 0;
        if (strncmp(text, "{\"event\":\"table\"", 16) == 0) {
            if (!spectators_told++)
                first_told = now();
            told_bytes = length;
            last_told = now();
        }
        return;
    }
    json_t *all = json_loadb(text, length, 0, NULL), *ok;
    ok = json_object_get(all, "ok");
    if (json_object_get(all, "error"))
        stop(text);
    if (json_object_get(all, "scene"))
        take_view(c, all);
    else if (json_object_get(ok, "scene"))
        take_view(c, ok);
    else if (c->step == 1 && json_object_get(ok, "table"))
        snprintf(duel.table, sizeof duel.table, "%s",
                 json_string_value(json_object_get(ok, "table")));
    else if (c->step == 2) {
        duel.stored = true;
        duel.acknowledged = now();
    }
    if (ok)
        answered++;
    json_decref(all);
}

static void ask(int who, int step, const char *text)
{
    answered = 0;
    load.clients[who].step = step;
    client_send(&load, &load.clients[who], "%s", text);
    await_answers(1);
}

static void duel_begin(void)
{
    char text[200];
    duel = (struct duel){.actor = -1};
    ask(0, 1,
        "{\"do\":\"create\",\"id\":1,\"setup\":\"game: nova\\nseats: 2\\n\"}");
    snprintf(text, sizeof text, "{\"do\":\"join\",\"id\":1,\"table\":\"%s\"}",
             duel.table);
    ask(1, 1, text);
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "{\"do\":\"watch\",\"id\":1,\"table\":\"%s\"}", duel.table);
        ask(i, 0, text);
    }
}

/* Plays one move; seconds until it was acknowledged. */
static double duel_play(void)
{
    static int keys;
    if (duel.over)
        duel_begin();
    while (duel.actor < 0)
        load_pump(&load, 100);
    struct client *c = &load.clients[duel.actor];
    duel.actor = -1;
    duel.stored = false;
    c->step = 2;
    client_send(&load, c,
                "{\"do\":\"play\",\"id\":2,\"table\":\"%s\",\"line\":\"%s\","
                "\"key\":\"k%d\",\"seq\":%ld}",
                duel.table, duel.action, ++keys, duel.seq);
    double sent = c->sent;
    while (!duel.stored || (duel.actor < 0 && !duel.over))
        load_pump(&load, 100);
    return duel.acknowledged - sent;
}

static void play_moves(const char *how, const char *median_aim,
                       const char *tail_aim)
{
    static double took[MOVES];
    char figure[100];
    for (int i = 0; i < 20; i++)
        duel_play();
    for (int i = 0; i < MOVES; i++)
        took[i] = 1000 * duel_play();
    snprintf(figure, sizeof figure, "durable move, median, %s", how);
    report(figure, quantile(took, MOVES, 0.5), "ms", median_aim);
    snprintf(figure, sizeof figure, "durable move, 99 of 100, %s", how);
    report(figure, quantile(took, MOVES, 0.99), "ms", tail_aim);
}

static void two_players(int clients)
{
    load_init(&load, clients);
    server_start();
    load.on_message = follow;
    join_all(0, 2);
    open_all(0, 2, AT_ONCE);
    duel_begin();
}

static void moves_idle(void)
{
    two_players(2);
    play_moves("idle", "at most 2", "at most 10");
}

/* Tables that only bots are left at think without end. */
static void bots_begin(int tables)
{
    for (int i = 0; i < tables; i++)
        ask(0, 0,
            "{\"do\":\"create\",\"id\":1,\"setup\":\"game: nova\\nseats: "
            "4\\n\",\"pace\":\"move\",\"base\":1,\"timeout\":\"bot\","
            "\"bots\":[\"master\",\"master\",\"master\"]}");
    double begin = now(), used = processor();
    while (now() - begin < 3) /* their people run out of time */
        load_pump(&load, 10);
    report("processor the bots use", (processor() - used) / (now() - begin),
           "cores", "");
}

static void moves_beside_bots(void)
{
    two_players(2);
    bots_begin(4);
    play_moves("beside bots", "", "at most 50");
}

static void spectators(void)
{
    enum { UPDATES = 40 };
    static double took[UPDATES], first[UPDATES];
    two_players(2 + SPECTATORS);
    open_all(2, 2 + SPECTATORS, AT_ONCE);
    answered = 0;
    for (int i = 2; i < 2 + SPECTATORS; i++)
        client_send(&load, &load.clients[i],
                    "{\"do\":\"watch\",\"id\":1,\"table\":\"%s\"}", duel.table);
    await_answers(SPECTATORS);
    for (int i = 0; i < UPDATES; i++) {
        spectators_told = 0;
        duel_play();
        while (spectators_told < SPECTATORS)
            load_pump(&load, 100);
        took[i] = 1000 * (last_told - duel.acknowledged);
        first[i] = 1000 * (first_told - duel.acknowledged);
    }
    report("last of 1000 spectators told, median", quantile(took, UPDATES, 0.5),
           "ms", "");
    report("bytes told to each", (double)told_bytes, "bytes", "");
    report("first of 1000 spectators told, median",
           quantile(first, UPDATES, 0.5), "ms", "");
    report("last of 1000 spectators told, longest", quantile(took, UPDATES, 1),
           "ms", "at most 100");
}

/* ---- after a restart ---- */

static int joined_tables;

static void pair_up(struct client *c, char *text, size_t length)
{
    struct client *other = &load.clients[c->number ^ 1];
    (void)length;
    const char *table = strstr(text, "\"table\":\"");
    if (strncmp(text, "{\"id\"", 5) != 0)
        return;
    if (strstr(text, "\"error\""))
        stop(text);
    if (c->number & 1) {
        joined_tables++;
        return;
    }
    if (!table || sscanf(table + 9, "%15[^\"]", c->table) != 1)
        stop(text);
    memcpy(other->table, c->table, sizeof other->table);
    client_send(&load, other, "{\"do\":\"join\",\"id\":1,\"table\":\"%s\"}",
                c->table);
}

static void make_tables(void)
{
    load.on_message = pair_up;
    for (int i = 0; i < TABLES; i++) {
        client_send(&load, &load.clients[2 * i],
                    "{\"do\":\"create\",\"id\":1,\"setup\":\"game: "
                    "nova\\nseats: 2\\n\"}");
        while (i - joined_tables > AT_ONCE)
            load_pump(&load, 100);
    }
    while (joined_tables < TABLES)
        load_pump(&load, 100);
}

/* Everybody asks for the table as soon as the socket is open. */
static void resume_all(void)
{
    int asked = 0, begun = 0;
    while (answered < HELD) {
        while (begun < HELD && begun - load.open < AT_ONCE)
            client_open(&load, &load.clients[begun++]);
        for (; asked < begun && load.clients[asked].state == CLIENT_OPEN;
             asked++)
            client_send(&load, &load.clients[asked],
                        "{\"do\":\"watch\",\"id\":1,\"table\":\"%s\","
                        "\"since\":1}",
                        load.clients[asked].table);
        load_pump(&load, 100);
    }
}

static void reconnects(void)
{
    load_init(&load, HELD);
    server_start();
    load.on_message = count_answers;
    join_all(0, HELD);
    open_all(0, HELD, AT_ONCE);
    make_tables();
    server_stop(SIGTERM);
    for (int i = 0; i < HELD; i++)
        client_close(&load, &load.clients[i]);
    double begin = now();
    server_start();
    report("restart with 2500 matches in play", now() - begin, "s", "");
    load.on_message = count_answers;
    answered = 0;
    begin = now();
    double used = processor();
    resume_all();
    report("5000 clients at 2500 tables resumed", now() - begin, "s",
           "at most 2");
    report("processor time for that", processor() - used, "s", "");
    report("resident with 2500 matches loaded", resident() / 1024, "MB", "");
}

static const struct {
    const char *name;
    void (*run)(void);
} figures[] = {
    {"held", held},
    {"trips", round_trips},
    {"crowd", round_trips_beside},
    {"moves", moves_idle},
    {"bots", moves_beside_bots},
    {"spectators", spectators},
    {"reconnects", reconnects},
};

static bool wanted(const char *name, int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 2;
}

static void machine_load(void)
{
    double loads[3];
    if (getloadavg(loads, 3) == 3)
        report("load of the machine before", loads[0], "processes", "");
}

int main(int argc, char **argv)
{
    struct rlimit files;
    if (argc < 2) {
        fputs("usage: load TERRA [held | trips | crowd | moves | bots | "
              "spectators | "
              "reconnects]...\n",
              stderr);
        return 2;
    }
    server.terra = argv[1];
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!wanted(figures[i].name, argc, argv))
            continue;
        machine_load();
        folder_make();
        figures[i].run();
        server_stop(SIGTERM);
        load_release(&load);
        folder_remove();
    }
    return 0;
}
