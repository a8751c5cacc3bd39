/* cli/replay.c: `terra replay` replays files and checks all they claim. */
#include "cli/cli.h"

#include <string.h>

struct asked {
    struct request request;
    bool all, quiet;
    int status;
};

static const struct argp_option options[] = {
    {"all", 'a', 0, 0, TR("go on after a difference and report every one"), 0},
    {"quiet", 'q', 0, 0, TR("only faults, and what had to be tolerated"), 0},
    {0, 0, 0, 0, 0, 0},
};

/* "nova, 2 seats, 120 steps, 113-72, alone"; of a board "nova board, ..." */
static void describe(const char *name, const struct load *load)
{
    char result[128];
    const struct match *m = load->match;
    const char *game = match_game(m)->name, *format = load->format->name;
    bool same = strcmp(game, format) == 0;
    write_result(m, result, sizeof result);
    printf(tr("%s: %s%s%s, %d seats, %d steps, %s\n"), name, game,
           same ? "" : " ", same ? "" : format, match_setup(m)->seats,
           match_count(m), result);
}

static void replay(struct asked *asked, const char *name)
{
    struct load load = load_file(name, &asked->request, asked->all);
    if (!load.match) {
        if (load.status > asked->status)
            asked->status = load.status;
        return;
    }
    if (!asked->quiet)
        describe(name, &load);
    load_remarks(name, match_remarks(load.match));
    match_close(load.match);
}

/* argp takes files after all options, wherever those stand. */
static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra replay", &asked->request);
    case 'a':
        asked->all = true;
        return 0;
    case 'q':
        asked->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        replay(asked, text);
        return 0;
    case ARGP_KEY_NO_ARGS:
        die(STATUS_USAGE, "which files?");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp replay_argp = {
    options,
    parse,
    "FILE...",
    HELP(TR("Recognises records, positions and boards of every game by their "
            "content, replays them and checks every action and the recorded "
            "result."),
         TR("Prints one line for each good file, and for each faulty one the "
            "file, line, column, code and reason of its first fault.  '-' is "
            "standard input.  The options of the table say what a file "
            "leaves open.")),
    request_children,
    help_words,
    0,
};

int cmd_replay(int argc, char **argv)
{
    struct asked asked = {0};
    if (!command_line(&replay_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    return asked.status;
}
