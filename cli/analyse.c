/* cli/analyse.c: `terra analyse` tells the best actions of a position. */
#include "cli/contest.h"

#include "base/rng.h"
#include "rules/rules.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICE = 50, TOP_MAX = 64, LINE_MAX_STEPS = 24 };

struct asked {
    struct request request;
    const char *game, *what, *bot;
    int top;
    bool json;
};

enum { KEY_TOP = 0x300, KEY_BOT };

static const struct argp_option options[] = {
    {"at", KEY_AT, "N", 0, TR("after N steps of the file, not at its end"), 0},
    {"bot", KEY_BOT, "BOT", 0, TR("who looks (default master): NAME[:NODES]"),
     0},
    {"top", KEY_TOP, "N", 0, TR("how many actions (default 8)"), 0},
    {"json", 'j', 0, 0, TR("as JSON"), 0},
    {0, 0, 0, 0, 0, 0},
};

static void take_word(struct asked *a, const char *text)
{
    if (!a->game && !a->what && rules_find(text))
        a->game = text;
    else if (!a->what)
        a->what = text;
    else
        die(STATUS_USAGE, "one position or file, not also '%s'", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra analyse", &a->request);
    case 'j':
        a->json = true;
        return 0;
    case KEY_TOP:
        a->top = need_number("number of actions", text, 1, TOP_MAX);
        return 0;
    case KEY_BOT:
        a->bot = text;
        return 0;
    case ARGP_KEY_ARG:
        take_word(a, text);
        return 0;
    default:
        return request_take(&a->request, key, text);
    }
}

static const struct argp analyse_argp = {
    options,
    parse,
    "[GAME] POSITION|FILE",
    HELP(TR("Tells the best actions of a position: what lead over the mean "
            "of its rivals each is expected to bring in the end, in points, "
            "and how the game may go on."),
         TR("Control-C ends the search early and prints what it has found.  "
            "A position in its own notation wants the game's name before "
            "it.\n\n"
            "Example: terra analyse game.nova --at 60 --bot master:50000")),
    request_children,
    help_words,
    0,
};

/* ---- the position ---- */

static struct match *open_file(const struct asked *a, struct state **s)
{
    struct load load = load_file(a->what, &a->request, false);
    if (!load.match)
        exit(load.status);
    int total = match_total(load.match);
    *s = state_at(load.match, a->request.at
                                  ? need_number("step", a->request.at, 0, total)
                                  : total);
    return load.match;
}

static struct match *open_position(struct asked *a, struct state **s)
{
    if (!a->what && !a->game)
        die(STATUS_USAGE, "which position or file?");
    if (!a->game)
        die(STATUS_USAGE,
            "there is no file '%s'; a position wants the game's name first",
            a->what);
    if (a->request.at)
        die(STATUS_USAGE, "--at counts the steps of a file");
    a->request.position = a->what;
    return request_state(&a->request, need_game(a->game), s);
}

static int seat_to_act(const struct match *m, const struct state *s)
{
    unsigned must, may;
    action legal[GAME_ACTIONS];
    match_game(m)->turn(match_world(m), s, &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1)
        if (match_game(m)->legal(match_world(m), s, __builtin_ctz(seats),
                                 legal) > 0)
            return __builtin_ctz(seats);
    return SEAT_NONE;
}

/* ---- the search ---- */

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static struct search *search_it(const struct match *m, const struct state *s,
                                int seat, const struct contestant *c)
{
    const struct game *game = match_game(m);
    size_t bytes = search_size(game, &c->bot, 0);
    struct state *view = view_of(m, s, seat);
    signal(SIGINT, stop);
    struct search *search =
        search_open(need(malloc(bytes)), bytes, game, match_world(m), view,
                    seat, &c->bot, 0, match_setup(m)->seed);
    free(view);
    while (!stopped && search_run(search, SLICE))
        ;
    signal(SIGINT, SIG_DFL);
    return search;
}

/* ---- the answer ---- */

static void write_action(const struct match *m, const struct state *s, int seat,
                         action a, struct buffer *to)
{
    while (
        buffer_short(to, match_game(m)->write_action(match_world(m), s, seat, a,
                                                     seat, to->to, to->cap)))
        ;
}

static void print_line(const struct match *m, const struct state *from,
                       struct search *search, bool json)
{
    struct search_step line[LINE_MAX_STEPS];
    struct buffer text = {0};
    struct state *s = need(malloc(match_game(m)->state_size));
    int count = search_line(search, line, LINE_MAX_STEPS), seat = SEAT_NONE;
    memcpy(s, from, match_game(m)->state_size);
    for (int i = 0; i < count; i++) {
        write_action(m, s, line[i].seat, line[i].action, &text);
        if (json)
            printf("%s[%d,\"%s\"]", i ? "," : "", line[i].seat + 1, text.to);
        else if (line[i].seat != seat)
            printf("%s%d: %s", i ? "; " : "", line[i].seat + 1, text.to);
        else
            printf(" %s", text.to);
        seat = line[i].seat;
        match_game(m)->apply(match_world(m), s, seat, line[i].action);
    }
    buffer_release(&text);
    free(s);
}

static const struct column columns[] = {
    {TR("action"), -14},
    {TR("lead"), 8},
    {TR("nodes"), 8},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_text(const struct match *m, const struct state *s, int seat,
                       struct search *search, int top)
{
    struct search_choice list[TOP_MAX];
    struct buffer text = {0};
    int count = search_top(search, list, top), milli[GAME_SEATS];
    int w[COLUMNS];
    printf(tr("seat %d to act, %d nodes\n"), seat + 1, search_nodes(search));
    put_headings(columns, COLUMNS, w);
    for (int i = 0; i < count; i++) {
        write_action(m, s, seat, list[i].action, &text);
        printf("%-*s %+*.1f %*d\n", w[0], text.to, w[1], list[i].value / 1000.0,
               w[2], list[i].visits);
    }
    printf("%s ", tr("line"));
    print_line(m, s, search, false);
    if (search_values(search, milli)) {
        printf("\n%s", tr("points expected"));
        for (int i = 0; i < match_setup(m)->seats; i++)
            printf("%s %.1f", i ? "," : "", milli[i] / 1000.0);
    }
    putchar('\n');
    buffer_release(&text);
}

static void print_json(const struct match *m, const struct state *s, int seat,
                       struct search *search, int top)
{
    struct search_choice list[TOP_MAX];
    struct buffer text = {0};
    int count = search_top(search, list, top), milli[GAME_SEATS];
    printf("{\"seat\":%d,\"nodes\":%d,\"actions\":[", seat + 1,
           search_nodes(search));
    for (int i = 0; i < count; i++) {
        write_action(m, s, seat, list[i].action, &text);
        printf("%s{\"action\":\"%s\",\"lead_milli\":%d,\"nodes\":%d}",
               i ? "," : "", text.to, list[i].value, list[i].visits);
    }
    printf("],\"line\":[");
    print_line(m, s, search, true);
    printf("],\"points_milli\":[");
    if (search_values(search, milli))
        for (int i = 0; i < match_setup(m)->seats; i++)
            printf("%s%d", i ? "," : "", milli[i]);
    printf("]}\n");
    buffer_release(&text);
}

static void print_over(bool json)
{
    if (json)
        puts("{\"seat\":null,\"nodes\":0,\"actions\":[],\"line\":[],"
             "\"points_milli\":[]}");
    else
        puts(tr("the game is over"));
}

int cmd_analyse(int argc, char **argv)
{
    struct asked asked = {.bot = "master", .top = 8};
    struct contestant c;
    struct state *s = NULL;
    if (!command_line(&analyse_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    contestant_read(&c, asked.bot, strlen(asked.bot));
    if (c.threads > 1 || c.sees || c.weights[0])
        die(STATUS_USAGE, "terra analyse heeds no threads, sees or weights of "
                          "a bot");
    bool file = asked.what && !asked.game && access(asked.what, F_OK) == 0;
    struct match *m = file ? open_file(&asked, &s) : open_position(&asked, &s);
    int seat = seat_to_act(m, s);
    if (seat == SEAT_NONE) {
        print_over(asked.json);
    } else {
        struct search *search = search_it(m, s, seat, &c);
        (asked.json ? print_json : print_text)(m, s, seat, search, asked.top);
        fflush(stdout); /* giving back gigabytes takes a while */
        free(search);
    }
    free(s);
    match_close(m);
    return STATUS_OK;
}
