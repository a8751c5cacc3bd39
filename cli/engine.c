/* cli/engine.c: `terra engine` speaks the line protocol of docs/engine.md. */
#include "cli/contest.h"

#include "base/text.h"
#include "game/setup.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLICE = 50, STEPS = 24, BLOCK = 4 << 20, NODES_BY_TIME = 400000 };

struct asked {
    struct request request;
    const char *game, *bot;
};

static const struct argp_option options[] = {
    {"bot", 'b', "BOT", 0, TR("who thinks (default master): NAME[:NODES]"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra engine", &a->request);
    case 'b':
        a->bot = text;
        return 0;
    case ARGP_KEY_ARG:
        need_one("game", text, &a->game);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp engine_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Thinks for other programs: reads commands from standard input, "
            "one a line, and answers on standard output."),
         TR("Commands: hello, setup, position, record, move, go, stop, "
            "legal, show, quit; docs/engine.md tells them all.\n\n"
            "Example: printf 'go nodes 500\\n' | terra engine nova --board "
            "islet")),
    request_children,
    help_words,
    0,
};

/* ---- lines from outside ---- */

struct engine {
    const struct game *game;
    struct match *match; /* owned */
    struct contestant by;
    char *in; /* owned; what was read and not yet used */
    size_t have, cap;
    bool ended, quit;
};

/* Reads what there is, waiting for it or not. */
static void fill(struct engine *e, bool wait)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (e->ended || poll(&p, 1, wait ? -1 : 0) <= 0)
        return;
    if (e->have + 4096 > e->cap) {
        e->cap = 2 * e->cap + 8192;
        e->in = need(realloc(e->in, e->cap));
    }
    ssize_t got = read(STDIN_FILENO, e->in + e->have, 4096);
    e->ended = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN) ||
               e->have > BLOCK;
    e->have += got > 0 ? (size_t)got : 0;
}

/* The next line without its end, owned by the caller; NULL if there is none
 * (yet). */
static char *take_line(struct engine *e, bool wait)
{
    for (;;) {
        char *end = e->have ? memchr(e->in, '\n', e->have) : NULL;
        size_t length = end ? (size_t)(end - e->in) : e->have;
        if (end || (e->ended && e->have > 0)) {
            char *line = need(strndup(e->in, length));
            e->have -= length + (end != NULL);
            memmove(e->in, e->in + length + (end != NULL), e->have);
            length = strlen(line);
            if (length && line[length - 1] == '\r')
                line[length - 1] = '\0';
            return line;
        }
        if (e->ended || !wait) {
            size_t before = e->have;
            fill(e, false);
            if (e->ended || e->have == before)
                return NULL;
        } else {
            fill(e, true);
        }
    }
}

/* A block of so many lines, as one text. */
static char *take_block(struct engine *e, const char *count)
{
    long lines;
    char *text = NULL;
    size_t length;
    if (!span_int(span_trim(span_of(count)), 0, 100000, &lines)) {
        printf("error usage: say how many lines follow, not '%.40s'\n", count);
        return NULL;
    }
    FILE *to = need(open_memstream(&text, &length));
    for (long i = 0; i < lines; i++) {
        char *line = take_line(e, true);
        if (line)
            fprintf(to, "%s\n", line);
        free(line);
    }
    fclose(to);
    return text;
}

/* ---- answers ---- */

static void answer(const struct engine *e, const struct fault *f)
{
    char text[512];
    if (!f) {
        puts("ok");
        return;
    }
    fault_write(e->game, f, text, sizeof text);
    printf("error %s\n", text);
}

/* The new match takes the place of the old one, or else nothing happens. */
static void accept(struct engine *e, struct match *m, const struct fault *f)
{
    if (m) {
        match_close(e->match);
        e->match = m;
    }
    answer(e, m ? NULL : f);
}

/* ---- commands ---- */

static void on_hello(struct engine *e, const char *rest)
{
    struct span text = span_of(rest), version = span_word(&text),
                game = span_word(&text);
    if (!span_is(version, "1")) {
        puts("error version: this is 1");
    } else if (game.length && !span_is(game, e->game->name)) {
        printf("error game: this is %s\n", e->game->name);
    } else {
        printf("id name terra %s %s\n", TERRA_VERSION, e->by.text);
        puts("ok");
    }
}

static void on_setup(struct engine *e, const char *rest)
{
    struct fault f = {0};
    struct setup setup;
    char *text = take_block(e, rest);
    if (!text)
        return;
    size_t room = strlen(text) + strlen(e->game->name) + 16;
    char *named = need(malloc(room));
    snprintf(named, room, "game: %s\n%s", e->game->name, text);
    setup_init(e->game, &setup);
    accept(e,
           setup_read(e->game, named, &setup, &f)
               ? match_open(e->game, &setup, &f)
               : NULL,
           &f);
    free(named);
    free(text);
}

/* Under the setup that holds; it becomes the start of a new match. */
static void on_position(struct engine *e, const char *rest)
{
    struct fault f = {0};
    struct setup setup = *match_setup(e->match);
    char *text = take_block(e, rest);
    if (!text)
        return;
    size_t length = strlen(text);
    struct buffer given = {0};
    struct text t;
    struct span position = {text, length - (length > 0)};
    do {
        t = text_begin(given.to, given.cap);
        if (setup.given)
            text_put(&t, setup.given);
        given_add(&t, "start", position);
    } while (buffer_short(&given, text_end(&t)));
    setup.given = given.to;
    accept(e, match_open(e->game, &setup, &f), &f);
    buffer_release(&given);
    free(text);
}

static void on_record(struct engine *e, const char *rest)
{
    struct fault f = {0};
    struct match *m = NULL;
    char *text = take_block(e, rest);
    if (!text)
        return;
    size_t length = strlen(text), bad;
    fault_set(&f, FAULT_FORMAT, 0, 0, "");
    if (!span_utf8((struct span){text, length}, &bad))
        fault_set(&f, FAULT_ENCODING, 0, 0, "");
    else
        for (const struct record_format *i = e->game->formats; i->name; i++)
            if (i->read && i->recognise(text, length)) {
                m = match_read(e->game, i, text, length, NULL, &f);
                break;
            }
    accept(e, m, &f);
    free(text);
}

static int seat_to_act(const struct engine *e, int wanted)
{
    unsigned must, may;
    action legal[GAME_ACTIONS];
    const struct match *m = e->match;
    e->game->turn(match_world(m), match_state(m), &must, &may);
    unsigned seats = must ? must : may;
    if (wanted != SEAT_NONE)
        seats = (must | may) & 1u << wanted;
    for (; seats; seats &= seats - 1)
        if (e->game->legal(match_world(m), match_state(m), __builtin_ctz(seats),
                           legal) > 0)
            return __builtin_ctz(seats);
    return SEAT_NONE;
}

/* "move [SEAT] ACTION...": a number first is the seat. */
static void on_move(struct engine *e, const char *rest)
{
    struct fault f = {0};
    struct span text = span_of(rest), first = span_word(&text);
    long seat = match_seat(e->match) + 1;
    if (span_int(first, 1, match_setup(e->match)->seats, &seat))
        rest = text.at;
    if (seat < 1)
        puts("error over: the game is over");
    else
        answer(e, match_type(e->match, (int)seat - 1, rest, &f) ? NULL : &f);
}

static void put_action(const struct engine *e, const struct state *s, int seat,
                       action a)
{
    struct buffer b = {0};
    while (buffer_short(&b, e->game->write_action(match_world(e->match), s,
                                                  seat, a, seat, b.to, b.cap)))
        ;
    fputs(b.to, stdout);
    buffer_release(&b);
}

static void on_legal(struct engine *e, const char *rest)
{
    action legal[GAME_ACTIONS];
    const struct match *m = e->match;
    int seat = seat_to_act(e, SEAT_NONE);
    (void)rest;
    int count = seat == SEAT_NONE ? 0
                                  : e->game->legal(match_world(m),
                                                   match_state(m), seat, legal);
    for (int i = 0; i < count; i++) {
        printf("action %d ", seat + 1);
        put_action(e, match_state(m), seat, legal[i]);
        putchar('\n');
    }
    puts("ok");
}

static void on_show(struct engine *e, const char *rest)
{
    struct buffer b = {0};
    (void)rest;
    while (buffer_short(&b, e->game->write_state(match_world(e->match),
                                                 match_state(e->match), b.to,
                                                 b.cap)))
        ;
    struct lines l = lines_of(span_of(b.to));
    struct span line;
    while (lines_next(&l, &line))
        printf("position %.*s\n", (int)line.length, line.at);
    puts("ok");
    buffer_release(&b);
}

static void on_stop(struct engine *e, const char *rest)
{
    (void)e;
    (void)rest;
    puts("ok"); /* nothing was under way */
}

static void on_quit(struct engine *e, const char *rest)
{
    (void)rest;
    e->quit = true;
}

/* ---- go ---- */

struct limits {
    long seat, nodes, movetime, seed;
};

static bool read_limits(const struct engine *e, const char *rest,
                        struct limits *l)
{
    struct span text = span_of(rest), name;
    while ((name = span_word(&text)).length > 0) {
        struct span value = span_word(&text);
        bool good =
            span_is(name, "seat")
                ? span_int(value, 1, match_setup(e->match)->seats, &l->seat)
            : span_is(name, "nodes")
                ? span_int(value, 1, SEARCH_NODES_MAX, &l->nodes)
            : span_is(name, "movetime")
                ? span_int(value, 1, 86400000, &l->movetime)
            : span_is(name, "seed") ? span_int(value, 0, 2000000000, &l->seed)
                                    : false;
        if (!good) {
            printf("error usage: go [seat N] [nodes N] [movetime MS] "
                   "[seed N], not '%.*s %.*s'\n",
                   (int)(name.length < 40 ? name.length : 40), name.at,
                   (int)(value.length < 40 ? value.length : 40), value.at);
            return false;
        }
    }
    return true;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void put_info(struct search *s, int64_t begin)
{
    struct search_choice best;
    int found = search_top(s, &best, 1);
    printf("info nodes %d time %lld", search_nodes(s),
           (long long)(now_ms() - begin));
    if (found)
        printf(" lead %d", best.value);
    putchar('\n');
    fflush(stdout);
}

static bool next_is(const struct engine *e, const char *word)
{
    size_t length = strlen(word);
    return e->have > length && memcmp(e->in, word, length) == 0 &&
           (e->in[length] == '\n' || e->in[length] == '\r');
}

/* Has the search been told to end?  What else has come in meanwhile is obeyed
 * afterwards, also if no more can come. */
static bool interrupted(struct engine *e)
{
    fill(e, false);
    if (next_is(e, "quit"))
        return true;
    if (!next_is(e, "stop"))
        return false;
    free(take_line(e, false));
    return true;
}

static void think(struct engine *e, struct search *s, const struct limits *l)
{
    int64_t begin = now_ms();
    int tell = 1024;
    while (!interrupted(e) && search_run(s, SLICE)) {
        if (search_nodes(s) >= tell) {
            put_info(s, begin);
            tell *= 2;
        }
        if (l->movetime && now_ms() - begin >= l->movetime)
            break;
    }
    put_info(s, begin);
}

static void put_line(const struct engine *e, struct search *search)
{
    struct search_step line[STEPS];
    const struct match *m = e->match;
    struct state *s = need(malloc(e->game->state_size));
    int count = search_line(search, line, STEPS);
    memcpy(s, match_state(m), e->game->state_size);
    printf("line");
    for (int i = 0; i < count; i++) {
        printf("%s%d ", i ? "; " : " ", line[i].seat + 1);
        put_action(e, s, line[i].seat, line[i].action);
        e->game->apply(match_world(m), s, line[i].seat, line[i].action);
    }
    putchar('\n');
    free(s);
}

static void put_points(const struct engine *e, struct search *search)
{
    int milli[GAME_SEATS];
    if (!search_values(search, milli))
        return;
    printf("points");
    for (int seat = 0; seat < match_setup(e->match)->seats; seat++)
        printf(" %d", milli[seat]);
    putchar('\n');
}

static void on_go(struct engine *e, const char *rest)
{
    struct limits l = {0};
    if (!read_limits(e, rest, &l))
        return;
    int seat = seat_to_act(e, (int)l.seat - 1);
    if (seat == SEAT_NONE) {
        puts(l.seat ? "error turn: that seat has nothing to do"
                    : "error over: the game is over");
        return;
    }
    int nodes = l.nodes ? (int)l.nodes : l.movetime ? NODES_BY_TIME : 0;
    size_t bytes = search_size(e->game, &e->by.bot, nodes);
    struct state *view = view_of(e->match, match_state(e->match), seat);
    struct search *s =
        search_open(need(malloc(bytes)), bytes, e->game, match_world(e->match),
                    view, seat, &e->by.bot, nodes, (uint64_t)l.seed);
    think(e, s, &l);
    put_points(e, s);
    put_line(e, s);
    printf("best ");
    put_action(e, match_state(e->match), seat, search_best(s));
    putchar('\n');
    free(view);
    free(s);
}

/* ---- the loop ---- */

static const struct {
    const char *name;
    void (*run)(struct engine *e, const char *rest);
} commands[] = {
    {"hello", on_hello},   {"setup", on_setup}, {"position", on_position},
    {"record", on_record}, {"move", on_move},   {"go", on_go},
    {"stop", on_stop},     {"legal", on_legal}, {"show", on_show},
    {"quit", on_quit},     {NULL, NULL},
};

static void obey(struct engine *e, const char *line)
{
    struct span text = span_of(line), name = span_word(&text);
    if (name.length == 0)
        return;
    for (int i = 0; commands[i].name; i++)
        if (span_is(name, commands[i].name)) {
            const char *rest = text.at;
            commands[i].run(e, rest + strspn(rest, " \t"));
            fflush(stdout);
            return;
        }
    printf("error unknown: there is no command '%.*s'\n",
           (int)(name.length < 40 ? name.length : 40), name.at);
    fflush(stdout);
}

int cmd_engine(int argc, char **argv)
{
    struct asked asked = {.bot = "master"};
    struct engine e = {0};
    char *line;
    if (!command_line(&engine_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    e.game = need_game(asked.game);
    contestant_read(&e.by, asked.bot, strlen(asked.bot));
    e.match = request_match(&asked.request, e.game);
    while (!e.quit && (line = take_line(&e, true))) {
        obey(&e, line);
        free(line);
    }
    match_close(e.match);
    free(e.in);
    return STATUS_OK;
}
