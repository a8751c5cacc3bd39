/* cli/selfplay.c: `terra selfplay` writes large sets of games. */
#include "cli/archive.h"
#include "cli/contest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct asked {
    struct contest_request series;
    int processes, part;
    bool text;
};

enum { KEY_TEXT = KEY_OWN, KEY_PART };

static const struct argp_option options[] = {
    {"games", KEY_GAMES, "N", 0, TR("how many (default 1000)"), 0},
    {"processes", 'p', "N", 0, TR("side by side (default 1)"), 0},
    {"out", KEY_OUT, "DIR", 0, TR("the folder of the set (default games)"), 0},
    {"text", KEY_TEXT, 0, 0, TR("lines of JSON, not packed"), 0},
    {"part", KEY_PART, "N", 0, TR("games in a file (default 1000)"), 0},
    {"opening", KEY_OPENING, "N", 0,
     TR("random actions before the bots begin (default 2 per seat)"), 0},
    {"limit", KEY_LIMIT, "N", 0, TR("actions of a game at most"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra selfplay", &a->series.request);
    case 'p':
        a->processes = need_number("number of processes", text, 1, 256);
        return 0;
    case KEY_TEXT:
        a->text = true;
        return 0;
    case KEY_PART:
        a->part = need_number("size of a part", text, 1, 1000000);
        return 0;
    default:
        return contest_take(&a->series, key, text);
    }
}

static const struct argp selfplay_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Lets bots play many games and keeps them in a few files."),
         TR("--seats names the bots as for 'terra arena'.  Game number and "
            "--seed alone decide a game, so that any number of processes "
            "writes the same set; called again, the command goes on where it "
            "was stopped, and more --games add to the set.  'terra stats "
            "DIR' summarises it.\n\n"
            "Example: terra selfplay nova --seats club,club --games 10000 "
            "--processes 2")),
    request_children,
    help_words,
    0,
};

struct factory {
    const struct asked *asked;
    struct contest contest;
    struct archive archive; /* head, and memory for writing */
    struct archive_game game;
    int number; /* of the game being played */
    bool good;
};

/* ---- a part ---- */

/* Reads what a part holds already, and cuts off what is not whole.  The game
 * to go on with. */
static int read_part(const struct factory *f, const char *name, int first)
{
    static struct archive_game g;
    struct archive a;
    char why[128];
    int next = first;
    archive_open(&a, name);
    if (a.packed == f->asked->text || strcmp(a.head, f->archive.head) != 0)
        die(STATUS_USAGE, "'%s' is of another set: %.400s", name, a.head);
    while (archive_next(&a, &g, why, sizeof why)) {
        if (g.number != next)
            die(STATUS_CONTENT, "%s: game %d where %d should be", name,
                g.number, next);
        next++;
    }
    if (truncate(name, a.good) != 0)
        die(STATUS_CONTENT, "cannot write '%s': %s", name, strerror(errno));
    archive_close(&a);
    return next;
}

static void keep(const struct match *m, void *to)
{
    struct factory *f = to;
    f->good = archive_take(m, f->number, &f->game);
}

/* Every game has its own opening; contestants change seats from one to the
 * next. */
static void play_game(struct factory *f, FILE *to, int number)
{
    struct contest_result r;
    int seats = f->contest.seats;
    f->number = number;
    if (!contest_play(&f->contest, number * seats + number % seats, NULL, &r))
        exit(STATUS_USAGE);
    if (!f->good)
        die(STATUS_CONTENT, "game %d cannot be kept: it has %d steps", number,
            r.length);
    archive_write(to, &f->archive, !f->asked->text, &f->game);
}

static void do_part(struct factory *f, int part)
{
    char name[512];
    const struct asked *a = f->asked;
    int first = part * a->part;
    int games = a->series.games;
    int end = first + a->part < games ? first + a->part : games;
    snprintf(name, sizeof name, "%s/part-%05d.%s", a->series.out, part,
             a->text ? "jsonl" : "games");
    bool there = access(name, F_OK) == 0;
    int next = there ? read_part(f, name, first) : first;
    FILE *to = next < end || !there ? fopen(name, "ab") : NULL;
    if (!to && next >= end)
        return;
    if (!to)
        die(STATUS_USAGE, "cannot write '%s': %s", name, strerror(errno));
    if (!there)
        archive_write(to, &f->archive, !a->text, NULL);
    for (; next < end; next++) {
        play_game(f, to, next);
        if (fflush(to) != 0)
            die(STATUS_CONTENT, "cannot write '%s': %s", name, strerror(errno));
    }
    fclose(to);
}

/* ---- all of them ---- */

static void work(struct factory *f, int worker)
{
    const struct asked *a = f->asked;
    int parts = (a->series.games + a->part - 1) / a->part;
    for (int part = worker; part < parts; part += a->processes)
        do_part(f, part);
}

static int run_workers(struct factory *f)
{
    int status = STATUS_OK;
    fflush(stdout);
    for (int worker = 1; worker < f->asked->processes; worker++) {
        pid_t pid = fork();
        if (pid < 0)
            die(STATUS_CONTENT, "cannot start a process: %s", strerror(errno));
        if (pid == 0) {
            work(f, worker);
            _exit(STATUS_OK);
        }
    }
    work(f, 0);
    for (int worker = 1; worker < f->asked->processes; worker++) {
        int ended;
        if (wait(&ended) < 0 || !WIFEXITED(ended) || WEXITSTATUS(ended))
            status = STATUS_CONTENT;
    }
    return status;
}

static void prepare(struct factory *f, struct asked *a, struct buffer *given)
{
    struct contest *c = &f->contest;
    contest_prepare(c, &a->series, given);
    for (int i = 0; i < c->seats; i++)
        if (c->by[i].command[0])
            die(STATUS_USAGE, "only bots of our own write sets of games");
    c->keep = keep;
    c->keep_to = f;
    f->asked = a;
    f->archive.game = c->game;
    f->archive.setup = c->setup;
    f->archive.head =
        archive_head(c->game, &c->setup, a->series.seats, c->opening);
}

static void need_world(struct factory *f)
{
    struct fault fault;
    const struct game *game = f->contest.game;
    f->archive.world = need(calloc(1, game->world_size));
    f->archive.state = need(calloc(1, game->state_size));
    if (!game->prepare(f->archive.world, &f->contest.setup, &fault))
        exit(say_fault(game, NULL, &fault));
}

int cmd_selfplay(int argc, char **argv)
{
    struct asked asked = {.series = {.games = 1000,
                                     .games_max = 100000000,
                                     .limit = ARCHIVE_STEPS,
                                     .limit_max = ARCHIVE_STEPS,
                                     .out = "games",
                                     .opening = -1},
                          .processes = 1,
                          .part = 1000};
    const struct contest_request *series = &asked.series;
    static struct factory f;
    struct buffer given = {0};
    if (!command_line(&selfplay_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    prepare(&f, &asked, &given);
    need_world(&f);
    if (mkdir(series->out, 0777) != 0 && errno != EEXIST)
        die(STATUS_USAGE, "cannot make '%s': %s", series->out, strerror(errno));
    int status = run_workers(&f);
    if (status == STATUS_OK)
        printf(tr("%d games of %s in '%s'\n"), series->games, series->game,
               series->out);
    archive_close(&f.archive);
    buffer_release(&given);
    return status;
}
