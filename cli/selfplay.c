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
    struct request request;
    const char *game, *seats, *out;
    int games, processes, opening, part, limit;
    bool text;
};

enum { KEY_OUT = 0x300, KEY_OPENING, KEY_TEXT, KEY_PART, KEY_LIMIT };

static const struct argp_option options[] = {
    {"games", 'g', "N", 0, "how many (default 1000)", 0},
    {"processes", 'p', "N", 0, "side by side (default 1)", 0},
    {"out", KEY_OUT, "DIR", 0, "the folder of the set (default games)", 0},
    {"text", KEY_TEXT, 0, 0, "lines of JSON, not packed", 0},
    {"part", KEY_PART, "N", 0, "games in a file (default 1000)", 0},
    {"opening", KEY_OPENING, "N", 0,
     "random actions before the bots begin (default 2 per seat)", 0},
    {"limit", KEY_LIMIT, "N", 0, "actions of a game at most", 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra selfplay", &a->request);
    case 'g':
        a->games = need_number("number of games", text, 1, 100000000);
        return 0;
    case 'p':
        a->processes = need_number("number of processes", text, 1, 256);
        return 0;
    case KEY_OUT:
        a->out = text;
        return 0;
    case KEY_TEXT:
        a->text = true;
        return 0;
    case KEY_PART:
        a->part = need_number("size of a part", text, 1, 1000000);
        return 0;
    case KEY_OPENING:
        a->opening = need_number("opening", text, 0, 10000);
        return 0;
    case KEY_LIMIT:
        a->limit = need_number("limit", text, 1, ARCHIVE_STEPS);
        return 0;
    case ARGP_KEY_ARG:
        need_one("game", text, &a->game);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp selfplay_argp = {
    options,
    parse,
    "GAME",
    "Lets bots play many games and keeps them in a few files."
    "\v--seats names the bots as for 'terra arena'.  Game number and --seed "
    "alone decide a game, so that any number of processes writes the same "
    "set; called again, the command goes on where it was stopped, and more "
    "--games add to the set.  'terra stats DIR' summarises it.\n\n"
    "Example: terra selfplay nova --seats club,club --games 10000 "
    "--processes 2",
    request_children,
    0,
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
        die(STATUS_USAGE, "'%s' is of another set: %s", name, a.head);
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
    int end = first + a->part < a->games ? first + a->part : a->games;
    snprintf(name, sizeof name, "%s/part-%05d.%s", a->out, part,
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
    int parts = (f->asked->games + f->asked->part - 1) / f->asked->part;
    for (int part = worker; part < parts; part += f->asked->processes)
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
    static char seats[8];
    if (!a->request.seats)
        die(STATUS_USAGE, "which bots?  say --seats club,club");
    a->seats = a->request.seats;
    c->seats = contestant_list(c->by, a->seats);
    for (int i = 0; i < c->seats; i++)
        if (c->by[i].command[0])
            die(STATUS_USAGE, "only bots of our own write sets of games");
    snprintf(seats, sizeof seats, "%d", c->seats);
    a->request.seats = seats;
    c->game = need_game(a->game);
    request_setup(&a->request, c->game, &c->setup, given);
    c->seed = c->setup.seed;
    c->opening = a->opening >= 0 ? a->opening : 2 * c->seats;
    c->limit = a->limit ? a->limit : ARCHIVE_STEPS;
    c->keep = keep;
    c->keep_to = f;
    f->asked = a;
    f->archive.game = c->game;
    f->archive.setup = c->setup;
    archive_head(c->game, &c->setup, a->seats, c->opening, f->archive.head,
                 sizeof f->archive.head);
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
    struct asked asked = {.games = 1000,
                          .processes = 1,
                          .out = "games",
                          .part = 1000,
                          .opening = -1};
    static struct factory f;
    struct buffer given = {0};
    if (!command_line(&selfplay_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    prepare(&f, &asked, &given);
    need_world(&f);
    if (mkdir(asked.out, 0777) != 0 && errno != EEXIST)
        die(STATUS_USAGE, "cannot make '%s': %s", asked.out, strerror(errno));
    int status = run_workers(&f);
    if (status == STATUS_OK)
        printf("%d games of %s in '%s'\n", asked.games, asked.game, asked.out);
    archive_close(&f.archive);
    buffer_release(&given);
    return status;
}
