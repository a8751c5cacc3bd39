/* cli/arena.c: `terra arena` lets bots play a series and says who is better. */
#include "cli/arena_jobs.h"
#include "cli/contest.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    ACTIONS_MOST = 100000, /* of a game, unless asked otherwise */
    ENGINE_MS = 1000,
    ENGINE_GRACE_MS = 5000,
    ENGINE_BEGIN_MS = 30000
};

/* SPRT: one side is twenty times as likely. */
#define CLEAR_RATIO 2.944

struct asked {
    struct contest_request series;
    int threads, calibrate, lead;
    struct child_limits engines;
    const char *store; /* shared with others who play the same; or NULL */
    bool json, resume, sprt;
    double elo0, elo1;
};

enum {
    KEY_SPRT = KEY_OWN,
    KEY_RESUME,
    KEY_CALIBRATE,
    KEY_LEAD,
    KEY_JOBS,
    KEY_ENGINE_NODES,
    KEY_ENGINE_MS,
    KEY_ENGINE_GRACE,
    KEY_ENGINE_BEGIN
};

static const struct argp_option options[] = {
    {"games", KEY_GAMES, "N", 0, TR("how many (default 100)"), 0},
    {"threads", 't', "N", 0, TR("games at a time (default 1)"), 0},
    {"json", 'j', 0, 0, TR("the result as JSON"), 0},
    {"out", KEY_OUT, "DIR", 0, TR("keeps records and results (default arena)"),
     0},
    {"resume", KEY_RESUME, 0, 0, TR("go on with what DIR holds"), 0},
    {"opening", KEY_OPENING, "N", 0,
     TR("random actions before the bots begin (default 2 per seat)"), 0},
    {"limit", KEY_LIMIT, "N", 0, TR("actions of a game at most"), 0},
    {"lead", KEY_LEAD, "N", 0, TR("points of lead that decide a game"), 0},
    {"jobs", KEY_JOBS, "STORE", 0,
     TR("share the games with all who run the same series with this store "
        "(sqlite:FILE or postgresql://...)"),
     0},
    {"sprt", KEY_SPRT, "LOW,HIGH", 0,
     TR("stop when one of these Elo differences is clear"), 0},
    {"calibrate", KEY_CALIBRATE, "MS", 0,
     TR("play nothing; tell how many nodes take MS of CPU time"), 0},
    {"engine-nodes", KEY_ENGINE_NODES, "N", 0, TR("told to engines"), 0},
    {"engine-ms", KEY_ENGINE_MS, "MS", 0,
     TR("time of an engine for an action (default 1000)"), 0},
    {"engine-grace", KEY_ENGINE_GRACE, "MS", 0,
     TR("how much later it has lost the game (default 5000)"), 0},
    {"engine-begin", KEY_ENGINE_BEGIN, "MS", 0,
     TR("time for its first answer (default 30000)"), 0},
    {0, 0, 0, 0, 0, 0},
};

static void read_sprt(struct asked *a, const char *text)
{
    char *end;
    a->elo0 = strtod(text, &end);
    bool good = end != text && *end == ',';
    const char *second = good ? end + 1 : text;
    a->elo1 = good ? strtod(second, &end) : 0;
    if (!good || end == second || *end || !(a->elo0 < a->elo1) ||
        a->elo0 < -ELO_MOST || a->elo1 > ELO_MOST)
        die(STATUS_USAGE, "--sprt '%s' is no LOW,HIGH, say 0,20", text);
    a->sprt = true;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra arena", &a->series.request);
    case 't':
        a->threads = need_number("number of threads", text, 1, 256);
        return 0;
    case 'j':
        a->json = true;
        return 0;
    case KEY_RESUME:
        a->resume = true;
        return 0;
    case KEY_LEAD:
        a->lead = need_number("lead", text, 1, 1000000);
        return 0;
    case KEY_JOBS:
        a->store = text;
        return 0;
    case KEY_ENGINE_NODES:
        a->engines.nodes =
            need_number("--engine-nodes", text, 1, SEARCH_NODES_MAX);
        return 0;
    case KEY_ENGINE_MS:
        a->engines.movetime_ms = need_number("--engine-ms", text, 1, 86400000);
        return 0;
    case KEY_ENGINE_GRACE:
        a->engines.grace_ms = need_number("--engine-grace", text, 1, 86400000);
        return 0;
    case KEY_ENGINE_BEGIN:
        a->engines.begin_ms = need_number("--engine-begin", text, 1, 86400000);
        return 0;
    case KEY_SPRT:
        read_sprt(a, text);
        return 0;
    case KEY_CALIBRATE:
        a->calibrate = need_number("time", text, 1, 100000);
        return 0;
    default:
        return contest_take(&a->series, key, text);
    }
}

static const struct argp arena_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Lets bots play a series.  Each opening is played once in every "
            "seating; openings come from --seed."),
         TR("--seats names the bots, NAME[:NODES][/KEY=VALUE...]: "
            "master,club or master:4000,uct:900 or master/threads=2,master.  "
            "engine:COMMAND is another program that speaks the protocol of "
            "docs/engine.md; one that hangs, dies or cheats loses the game.  "
            "The table tells wins, draws, losses, the Elo difference with "
            "its 95 % interval, mean points, and CPU time and nodes per "
            "action.")),
    request_children,
    help_words,
    0,
};

/* ---- the series ---- */

struct series {
    const struct asked *asked;
    struct contest contest;
    struct contest_result *results; /* in order of their numbers */
    int count, next, played;
    char *done;              /* by number */
    struct arena_jobs *jobs; /* owned; NULL: alone */
    char name[512];          /* of the file of results */
    FILE *log;
    double begin;
    bool stop, failed;
    bool made, fresh; /* its folder, and its file of results in there */
    pthread_mutex_t lock;
};

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum { LINE_BYTES = 1024, HEAD_BYTES = 16384 };

static void put_line(const struct contest_result *r, int seats,
                     char to[LINE_BYTES])
{
    int at = snprintf(to, LINE_BYTES,
                      "{\"game\":%d,\"ending\":\"%s\",\"length\":%d,\"by\":[",
                      r->game, r->ending, r->length);
    for (int i = 0; i < seats; i++)
        at += snprintf(to + at, (size_t)(LINE_BYTES - at),
                       "%s[%d,%d,%llu,%llu,%.3f]", i ? "," : "", r->points[i],
                       r->place[i], (unsigned long long)r->actions[i],
                       (unsigned long long)r->nodes[i], r->seconds[i]);
    snprintf(to + at, (size_t)(LINE_BYTES - at), "]}");
}

static bool read_line(const char *line, struct contest_result *r, int seats)
{
    int used = 0;
    *r = (struct contest_result){0};
    /* Our own lines; what is not a number ends the match of the pattern. */
    if (sscanf(line, // NOLINT(cert-err34-c)
               "{\"game\":%d,\"ending\":\"%15[^\"]\",\"length\":%d,"
               "\"by\":[%n",
               &r->game, r->ending, &r->length, &used) < 3 ||
        !used)
        return false;
    for (int i = 0; i < seats; i++) {
        unsigned long long actions, nodes;
        int step = 0;
        line += used;
        if (sscanf(line,
                   i ? ",[%d,%d,%llu,%llu,%lf]%n" : "[%d,%d,%llu,%llu,%lf]%n",
                   &r->points[i], &r->place[i], &actions, &nodes,
                   &r->seconds[i], &step) < 5)
            return false;
        r->actions[i] = actions;
        r->nodes[i] = nodes;
        used = step;
    }
    return true;
}

/* One line.  What a full disk cuts off is played again by --resume. */
static bool keep_text(struct series *s, const char *text)
{
    if (fprintf(s->log, "%s\n", text) > 0 && fflush(s->log) == 0)
        return true;
    say("cannot write '%s': %s", s->name, strerror(errno));
    return false;
}

static bool keep_result(struct series *s, const struct contest_result *r)
{
    char line[LINE_BYTES];
    put_line(r, s->contest.seats, line);
    return keep_text(s, line);
}

static void add_result(struct series *s, const struct contest_result *r)
{
    int at = s->count++;
    for (; at > 0 && s->results[at - 1].game > r->game; at--)
        s->results[at] = s->results[at - 1];
    s->results[at] = *r;
    s->done[r->game] = 1;
}

/* ---- progress ---- */

/* Elo is between two; among more a bot has a multiple of its share. */
static void write_strength(const struct score *score, int seats, char *to,
                           size_t cap)
{
    double low = score->mean - score->error, high = score->mean + score->error;
    if (seats == 2)
        snprintf(to, cap, "Elo %+.0f [%+.0f, %+.0f]", elo_of(score->mean),
                 elo_of(low), elo_of(high));
    else
        snprintf(to, cap, tr("%.2f times its share"), score->mean * seats);
}

static void show_progress(const struct series *s)
{
    char strength[64], bar[21];
    if (!isatty(STDERR_FILENO) && s->count % 10 != 0 &&
        s->count != s->asked->series.games)
        return;
    struct score score = score_of(s->results, s->count, s->contest.seats);
    int full = 20 * s->count / s->asked->series.games;
    for (int i = 0; i < 20; i++)
        bar[i] = i < full ? '#' : '.';
    bar[20] = 0;
    double left = s->played ? (wall_clock() - s->begin) / s->played *
                                  (s->asked->series.games - s->count)
                            : 0;
    write_strength(&score, s->contest.seats, strength, sizeof strength);
    fprintf(stderr, tr("%s%s %d/%d  %.1f %%  %s  %d:%02d:%02d left%s"),
            isatty(STDERR_FILENO) ? "\r\033[K" : "", bar, s->count,
            s->asked->series.games, 100 * score.mean, strength,
            (int)left / 3600, (int)left / 60 % 60, (int)left % 60,
            isatty(STDERR_FILENO) ? "" : "\n");
}

static void test_stop(struct series *s)
{
    const struct asked *a = s->asked;
    if (!a->sprt)
        return;
    struct score score = score_of(s->results, s->count, s->contest.seats);
    double ratio = sprt_of(&score, a->elo0, a->elo1);
    s->stop = s->stop || fabs(ratio) > CLEAR_RATIO;
}

/* ---- playing ---- */

/* The next number nobody has played, or -1. */
static int take_number(struct series *s)
{
    pthread_mutex_lock(&s->lock);
    bool last = s->stop || s->failed;
    if (s->jobs) {
        int taken = last ? -1 : arena_jobs_take(s->jobs);
        pthread_mutex_unlock(&s->lock);
        return taken;
    }
    while (s->next < s->asked->series.games && s->done[s->next])
        s->next++;
    int number = last || s->next >= s->asked->series.games ? -1 : s->next++;
    pthread_mutex_unlock(&s->lock);
    return number;
}

/* Shared games count once, whoever played them, and as they were written. */
static bool counts(const struct series *s, struct contest_result *r)
{
    char line[LINE_BYTES];
    if (!s->jobs)
        return true;
    put_line(r, s->contest.seats, line);
    return arena_jobs_done(s->jobs, r->game, line) &&
           read_line(line, r, s->contest.seats);
}

static void *play_series(void *input)
{
    struct series *s = input;
    struct contest_result r;
    int number;
    while ((number = take_number(s)) >= 0) {
        bool good = contest_play(&s->contest, number, s->asked->series.out, &r);
        pthread_mutex_lock(&s->lock);
        if (good && counts(s, &r)) {
            add_result(s, &r);
            s->played++;
            good = keep_result(s, &r);
            show_progress(s);
            test_stop(s);
        }
        s->failed = s->failed || !good;
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static void run_series(struct series *s)
{
    pthread_t threads[256] = {0};
    s->begin = wall_clock();
    test_stop(s); /* by what was resumed */
    for (int i = 1; i < s->asked->threads; i++)
        if (pthread_create(&threads[i], NULL, play_series, s) != 0)
            die(STATUS_CONTENT, "cannot start a thread");
    play_series(s);
    for (int i = 1; i < s->asked->threads; i++)
        pthread_join(threads[i], NULL);
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
}

/* ---- the file of results ---- */

/* One number for a board, a map or a set-up, which would be long. */
static void put_given(struct text *t, const char *given)
{
    char number[17];
    if (!given || !*given)
        return;
    snprintf(number, sizeof number, "%016llx",
             (unsigned long long)hash_bytes(0, given, strlen(given)));
    text_put(t, ",\"given\":");
    text_json(t, number);
}

/* A printed one by its name; the text of a file is among what is given. */
static void put_printed(struct text *t, const char *key, const char *name)
{
    if (!name || access(name, F_OK) == 0)
        return;
    text_put(t, ",\"");
    text_put(t, key);
    text_put(t, "\":");
    text_json(t, name);
}

/* What is not as usual. */
static void put_limit(struct text *t, const char *name, int limit, int usual)
{
    if (limit == usual)
        return;
    text_put(t, ",\"");
    text_put(t, name);
    text_put(t, "\":");
    text_int(t, limit);
}

/* The first line says what is played: a series is only resumed with the same.
 */
static void write_head(const struct series *s, char to[HEAD_BYTES])
{
    const struct contest *c = &s->contest;
    struct text t = text_begin(to, HEAD_BYTES);
    text_put(&t, "{\"arena\":");
    text_json(&t, c->game->name);
    text_put(&t, ",\"seats\":");
    text_json(&t, s->asked->series.seats);
    text_put(&t, ",\"seed\":");
    text_int(&t, (int64_t)c->seed);
    text_put(&t, ",\"opening\":");
    text_int(&t, c->opening);
    put_limit(&t, "lead", c->lead, 0);
    put_limit(&t, "limit", c->limit, ACTIONS_MOST);
    put_limit(&t, "engine_nodes", c->engines.nodes, 0);
    put_limit(&t, "engine_ms", c->engines.movetime_ms, ENGINE_MS);
    put_limit(&t, "engine_grace", c->engines.grace_ms, ENGINE_GRACE_MS);
    put_limit(&t, "engine_begin", c->engines.begin_ms, ENGINE_BEGIN_MS);
    put_printed(&t, "board", s->asked->series.request.board);
    put_printed(&t, "map", s->asked->series.request.map);
    put_given(&t, c->setup.given);
    text_put(&t, ",\"options\":[");
    for (int i = 0; i < s->asked->series.request.options; i++) {
        text_put(&t, i ? "," : "");
        text_json(&t, s->asked->series.request.option[i]);
    }
    text_put(&t, "]}");
    if (text_end(&t) >= HEAD_BYTES)
        die(STATUS_USAGE, "that many words cannot be kept: %.400s", to);
}

static FILE *open_results(const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file)
        die(STATUS_USAGE, "cannot resume '%s': %s", name, strerror(errno));
    return file;
}

/* The first line, which may be cut off as well. */
static void need_head(const struct series *s, char *line, const char *head)
{
    size_t length = strcspn(line, "\n");
    bool whole = line[length] == '\n';
    if (strncmp(line, head, length) == 0 && !(whole && head[length]))
        return;
    line[length] = 0;
    die(STATUS_USAGE, "'%s' is of another series: %s", s->name, line);
}

/* Returns the length of the lines that are whole: a game that was cut off while
 * it was written down is played again.  Those beyond --games stay. */
static long read_results(struct series *s, const char *head)
{
    char line[HEAD_BYTES + 1];
    FILE *file = open_results(s->name);
    long whole = 0;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        struct contest_result r;
        if (number == 1)
            need_head(s, line, head);
        if (!strchr(line, '\n'))
            break;
        whole = ftell(file);
        if (number == 1)
            continue;
        if (!read_line(line, &r, s->contest.seats))
            die(STATUS_CONTENT, "%s:%d: no result of a game", s->name, number);
        if (r.game < s->asked->series.games && !s->done[r.game])
            add_result(s, &r);
    }
    fclose(file);
    return whole;
}

static void open_log(struct series *s)
{
    char head[HEAD_BYTES];
    const char *out = s->asked->series.out;
    long whole = 0;
    if (snprintf(s->name, sizeof s->name, "%s/results.jsonl", out) >=
        (int)sizeof s->name)
        die(STATUS_USAGE, "cannot make '%s': %s", out, strerror(ENAMETOOLONG));
    s->made = mkdir(out, 0777) == 0;
    if (!s->made && errno != EEXIST)
        die(STATUS_USAGE, "cannot make '%s': %s", out, strerror(errno));
    bool there = access(s->name, F_OK) == 0;
    s->fresh = !there;
    if (there && !s->asked->resume)
        die(STATUS_USAGE, "'%s' exists; use --resume or another --out",
            s->name);
    write_head(s, head);
    if (there)
        whole = read_results(s, head);
    s->log = fopen(s->name, "a");
    if (!s->log || ftruncate(fileno(s->log), whole) != 0)
        die(STATUS_USAGE, "cannot write '%s': %s", s->name, strerror(errno));
    if (whole == 0 && !keep_text(s, head))
        exit(STATUS_USAGE);
}

/* ---- sharing a series ---- */

static void take_line(void *context, const char *text)
{
    struct series *s = context;
    struct contest_result r;
    if (!read_line(text, &r, s->contest.seats))
        die(STATUS_CONTENT, "the store holds no result of a game: %s", text);
    if (r.game < s->asked->series.games && !s->done[r.game]) {
        add_result(s, &r);
        s->failed = !keep_result(s, &r) || s->failed;
    }
}

/* Plays what is left until all of it has been played by somebody. */
static void run_shared(struct series *s)
{
    char head[HEAD_BYTES];
    if (s->asked->sprt || s->asked->resume)
        die(STATUS_USAGE, "--jobs goes without --sprt and --resume");
    write_head(s, head);
    s->jobs = arena_jobs_open(s->asked->store, head, s->asked->series.games);
    do
        run_series(s);
    while (!s->failed && !arena_jobs_join(s->jobs, take_line, s));
    arena_jobs_close(s->jobs);
}

/* ---- the result ---- */

static const struct column columns[] = {
    {TR("bot"), -28},     {TR("games"), 6},  {TR("wins"), 6},
    {TR("draws"), 6},     {TR("losses"), 6}, {TR("share"), 7},
    {TR("points"), 8},    {TR("place"), 7},  {TR("ms/act"), 9},
    {TR("nodes/act"), 9},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_table(const struct series *s)
{
    const struct contest *c = &s->contest;
    int w[COLUMNS];
    put_headings(columns, COLUMNS, w);
    for (int i = 0; i < c->seats; i++) {
        struct standing t;
        standing_of(s->results, s->count, c->seats, i, &t);
        printf("%-*s %*d %*d %*d %*d %*.1f%% %*.1f %*.2f %*.2f %*.0f\n", w[0],
               c->by[i].text, w[1], t.games, w[2], t.wins, w[3], t.draws, w[4],
               t.losses, w[5] - 1, 100 * t.share, w[6], t.points, w[7], t.place,
               w[8], t.ms, w[9], t.nodes);
    }
}

/* Is one of both clear, and which? */
static bool decided(const struct series *s, double ratio, double *elo)
{
    *elo = ratio > 0 ? s->asked->elo1 : s->asked->elo0;
    return fabs(ratio) > CLEAR_RATIO;
}

static void print_ratio(const struct series *s, const struct score *score)
{
    double ratio = sprt_of(score, s->asked->elo0, s->asked->elo1), elo;
    printf(tr("log-likelihood ratio %.2f of Elo %.0f against %.0f\n"), ratio,
           s->asked->elo1, s->asked->elo0);
    if (decided(s, ratio, &elo))
        printf(tr("decided for Elo %.0f\n"), elo);
    else
        puts(tr("not decided"));
}

static void print_text(const struct series *s)
{
    const struct contest *c = &s->contest;
    struct score score = score_of(s->results, s->count, c->seats);
    char strength[64];
    print_table(s);
    if (score.groups == 0) {
        puts(tr("no opening was played in every seating"));
        return;
    }
    write_strength(&score, c->seats, strength, sizeof strength);
    printf(tr("%s: %.1f %% +- %.1f of the wins in %d games"), c->by[0].text,
           100 * score.mean, 100 * score.error, score.games);
    printf(", %s", strength);
    printf(tr(" (95 %%, by openings)\n"));
    if (s->asked->sprt)
        print_ratio(s, &score);
}

static void print_json_ratio(const struct series *s, const struct score *score)
{
    double ratio = sprt_of(score, s->asked->elo0, s->asked->elo1), elo;
    printf("\"llr\":%.3f,\"decided\":", ratio);
    if (decided(s, ratio, &elo))
        printf("%.0f,", elo);
    else
        printf("null,");
}

/* Nothing is told before an opening was played in every seating. */
static void print_json_score(const struct series *s)
{
    int seats = s->contest.seats;
    struct score score = score_of(s->results, s->count, seats);
    if (score.groups == 0)
        return;
    printf("\"share\":%.4f,\"error\":%.4f,", score.mean, score.error);
    if (seats == 2)
        printf("\"elo\":%.1f,\"elo_low\":%.1f,\"elo_high\":%.1f,",
               elo_of(score.mean), elo_of(score.mean - score.error),
               elo_of(score.mean + score.error));
    else
        printf("\"times_share\":%.4f,", score.mean * seats);
    if (s->asked->sprt)
        print_json_ratio(s, &score);
}

static void print_json(const struct series *s)
{
    const struct contest *c = &s->contest;
    char head[HEAD_BYTES];
    write_head(s, head);
    printf("{\"series\":%s,\n \"games\":%d,", head, s->count);
    print_json_score(s);
    printf("\n \"bots\":[");
    for (int i = 0; i < c->seats; i++) {
        struct standing t;
        char bot[6 * sizeof c->by[i].text];
        struct text name = text_begin(bot, sizeof bot);
        text_json(&name, c->by[i].text); /* a command may have quotes */
        text_end(&name);
        standing_of(s->results, s->count, c->seats, i, &t);
        printf("%s{\"bot\":%s,\"wins\":%d,\"draws\":%d,\"losses\":%d,"
               "\"share\":%.4f,\"points\":%.2f,\"place\":%.3f,"
               "\"ms_per_action\":%.3f,\"nodes_per_action\":%.1f}",
               i ? ",\n  " : "", bot, t.wins, t.draws, t.losses, t.share,
               t.points, t.place, t.ms, t.nodes);
    }
    printf("]}\n");
}

/* ---- calibration ---- */

/* CPU time of each bot in the games it would play, once in every seating: a
 * bot's positions, and what a node costs there, depend on its rivals. */
static void calibrate(const struct contest *series, int ms)
{
    struct contest c = *series;
    struct contest_result r;
    double nodes[GAME_SEATS] = {0}, seconds[GAME_SEATS] = {0};
    for (int i = 0; i < c.seats; i++) {
        if (c.by[i].command[0])
            die(STATUS_USAGE, "only bots of our own can be calibrated");
        c.by[i].threads = 1;
    }
    for (int number = 0; number < c.seats; number++) {
        if (!contest_play(&c, number, NULL, &r))
            exit(STATUS_USAGE);
        for (int i = 0; i < c.seats; i++) {
            nodes[i] += (double)r.nodes[i];
            seconds[i] += r.seconds[i];
        }
    }
    for (int i = 0; i < c.seats; i++)
        printf(tr("%s: %.0f nodes/s, %.0f nodes in %d ms\n"), c.by[i].text,
               nodes[i] / seconds[i], nodes[i] / seconds[i] * ms / 1000, ms);
}

/* ---- the command ---- */

static void prepare(struct series *s, struct asked *a, struct buffer *given)
{
    struct contest *c = &s->contest;
    contest_prepare(c, &a->series, given);
    c->engines = a->engines;
    c->lead = a->lead;
    s->asked = a;
    pthread_mutex_init(&s->lock, NULL);
    s->results = need(calloc((size_t)a->series.games, sizeof *s->results));
    s->done = need(calloc((size_t)a->series.games, 1));
}

/* What could not begin leaves no folder in the way of a better command. */
static void forget_log(const struct series *s)
{
    unlink(s->name);
    if (s->made)
        rmdir(s->asked->series.out);
}

static void play_all(struct series *s)
{
    open_log(s);
    if (s->asked->store)
        run_shared(s);
    else
        run_series(s);
    fclose(s->log);
    if (s->failed && s->count == 0) {
        if (s->fresh)
            forget_log(s);
    } else {
        (s->asked->json ? print_json : print_text)(s);
    }
}

int cmd_arena(int argc, char **argv)
{
    struct asked asked = {
        .series = {.games = 100,
                   .games_max = 1000000,
                   .limit = ACTIONS_MOST,
                   .limit_max = 1000000,
                   .out = "arena",
                   .opening = -1},
        .threads = 1,
        .engines = {0, ENGINE_MS, ENGINE_GRACE_MS, ENGINE_BEGIN_MS}};
    struct series s = {0};
    struct buffer given = {0};
    if (!command_line(&arena_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    prepare(&s, &asked, &given);
    if (asked.sprt && s.contest.seats != 2)
        die(STATUS_USAGE, "--sprt compares two bots, not %d", s.contest.seats);
    if (asked.calibrate) {
        calibrate(&s.contest, asked.calibrate);
    } else {
        play_all(&s);
    }
    buffer_release(&given);
    free(s.results);
    free(s.done);
    return s.failed ? STATUS_USAGE : STATUS_OK;
}
