/* cli/args.c: the options every command takes, and its --help. */
#include "cli/cli.h"

#include "base/text.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_SEATS = 's',
    KEY_OPTION = 'O',
    KEY_BOARD = 'b',
    KEY_MAP = 0x100,
    KEY_SEED,
    KEY_GIVEN,
    KEY_GIVEN_FILE
};

static const struct argp_option request_options[] = {
    {0, 0, 0, 0, TR("The table:"), 1},
    {"seats", KEY_SEATS, "SEATS", 0,
     TR("how many (3), who (human,random), or which colours (yr)"), 1},
    {"option", KEY_OPTION, "NAME=VALUE", 0,
     TR("an option of the game, see 'terra games'"), 1},
    {"board", KEY_BOARD, "FILE", 0, TR("play on this board"), 1},
    {"map", KEY_MAP, "NAME|FILE", 0, TR("play on this map"), 1},
    {"seed", KEY_SEED, "N", 0, TR("where chance begins"), 1},
    {"given", KEY_GIVEN, "KEY=TEXT", 0,
     TR("fix what is normally drawn, such as a deck"), 1},
    {"given-file", KEY_GIVEN_FILE, "KEY=FILE", 0, TR("the same from a file"),
     1},
    {0, 0, 0, 0, 0, 0},
};

static void add_given(struct request *r, const char *text, bool file)
{
    if (r->givens == REQUEST_ITEMS || !strchr(text, '='))
        die(STATUS_USAGE, "'%s' is not KEY=VALUE", text);
    r->given_file[r->givens] = file;
    r->given[r->givens++] = text;
}

static void add_option(struct request *r, const char *text)
{
    if (r->options == REQUEST_ITEMS || !strchr(text, '='))
        die(STATUS_USAGE, "option '%s' is not NAME=VALUE", text);
    r->option[r->options++] = text;
}

static error_t parse_request(int key, char *text, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case KEY_SEATS:
        r->seats = text;
        return 0;
    case KEY_OPTION:
        add_option(r, text);
        return 0;
    case KEY_BOARD:
        r->board = text;
        return 0;
    case KEY_MAP:
        r->map = text;
        return 0;
    case KEY_SEED:
        r->seed = text;
        return 0;
    case KEY_GIVEN:
        add_given(r, text, false);
        return 0;
    case KEY_GIVEN_FILE:
        add_given(r, text, true);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* argp's own --help would call the program by the name in its messages, which
 * is `terra` for every command. */
static const char *command_name = "terra";

enum { KEY_USAGE = 0x180 };

static const struct argp_option help_options[] = {
    {"help", '?', 0, 0, TR("give this help list"), -1},
    {"usage", KEY_USAGE, 0, 0, TR("give a short usage message"), 0},
    {"version", 'V', 0, 0, TR("print the program's version"), 0},
    {0, 0, 0, 0, 0, 0},
};

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is argp's */
static error_t parse_help(int key, char *text, struct argp_state *state)
{
    (void)text;
    state->name = (char *)command_name;
    switch (key) {
    case '?':
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, state->out_stream,
                        ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        puts("terra " TERRA_VERSION);
        exit(STATUS_OK);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp help_argp = {help_options, parse_help, 0, 0, 0, 0, 0};

const struct argp_child help_children[] = {{&help_argp, 0, 0, 0}, {0, 0, 0, 0}};

static const struct argp request_argp = {
    request_options, parse_request, 0, 0, help_children, 0, 0};

const struct argp_child request_children[] = {{&request_argp, 0, 0, 0},
                                              {0, 0, 0, 0}};

/* argp frees what is not its own. */
char *help_words(int key, const char *text, void *input)
{
    (void)input;
    if ((key != ARGP_KEY_HELP_PRE_DOC && key != ARGP_KEY_HELP_POST_DOC) ||
        !text)
        return (char *)text;
    return need(strdup(tr(text)));
}

/* argp would add a second line to each message and exit with 64: without a
 * stream it leaves both to us, and getopt's one line remains. */
error_t request_begin(struct argp_state *state, const char *name,
                      struct request *r)
{
    command_name = name;
    state->err_stream = NULL;
    if (r)
        state->child_inputs[0] = r;
    return 0;
}

error_t request_take(struct request *r, int key, const char *text)
{
    switch (key) {
    case KEY_POSITION:
        r->position = text;
        return 0;
    case KEY_AT:
        r->at = text;
        return 0;
    case KEY_SEAT:
        r->seat = text;
        return 0;
    case KEY_OUTPUT:
        r->out = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

bool command_line(const struct argp *argp, unsigned flags, int argc,
                  char **argv, void *input)
{
    return argp_parse(argp, argc, argv, flags | ARGP_NO_HELP, 0, input) == 0;
}

void need_one(const char *what, const char *text, const char **to)
{
    if (*to)
        die(STATUS_USAGE, "one %s at a time, not also '%s'", tr(what), text);
    *to = text;
}

const struct game *need_game(const char *name)
{
    if (!name)
        die(STATUS_USAGE, "which game?  'terra games' lists them");
    const struct game *game = rules_find(name);
    if (!game)
        die(STATUS_USAGE, "there is no game '%s'; 'terra games' lists them",
            name);
    return game;
}

int need_number(const char *what, const char *text, int low, int high)
{
    long number;
    if (!span_int(span_of(text), low, high, &number))
        die(STATUS_USAGE, "%s '%s' is no number from %d to %d", tr(what), text,
            low, high);
    return (int)number;
}
