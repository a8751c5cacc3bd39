/* cli/main.c: the program `terra`, a table of commands. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A new command is one line here. */
static const struct command commands[] = {
    {"games", cmd_games, TR("list the games, their boards and options")},
    {"play", cmd_play, TR("play in the terminal")},
    {"replay", cmd_replay, TR("replay files and check all they claim")},
    {"convert", cmd_convert, TR("write a file in canonical form")},
    {"draw", cmd_draw, TR("draw a position as a picture")},
    {"legal", cmd_legal, TR("list the legal actions of a position")},
    {"perft", cmd_perft, TR("count sequences of actions")},
    {"bench", cmd_bench, TR("measure speed, and fingerprint the rules")},
    {"analyse", cmd_analyse, TR("tell the best actions of a position")},
    {"arena", cmd_arena, TR("let bots play a series")},
    {"engine", cmd_engine, TR("think for other programs, line by line")},
    {"selfplay", cmd_selfplay, TR("write large sets of games")},
    {"stats", cmd_stats, TR("summarise sets of games")},
    {"puzzles", cmd_puzzles, TR("make and check puzzles of one turn")},
    {"tune", cmd_tune, TR("find better weights for bots by play")},
#ifdef TERRA_SERVE
    {"serve", serve_main, TR("serve the games to browsers")},
    {"admin", admin_main, TR("look after a server's data")},
    {"worker", worker_main, TR("think for the bots of several servers")},
    {"protocol", protocol_main, TR("describe the server's messages")},
#endif
    {NULL, NULL, NULL},
};

/* The word on the command line that names the command. */
struct choice {
    const char *name;
    int at;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is argp's */
static error_t parse(int key, char *text, struct argp_state *state)
{
    struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra", NULL);
    case ARGP_KEY_ARG:
        choice->name = text;
        choice->at = state->next - 1;
        state->next = state->argc;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The list of commands, behind the options of --help. */
static char *list_commands(int key, const char *text, void *input)
{
    if (key != ARGP_KEY_HELP_POST_DOC)
        return help_words(key, text, input);
    char *list = NULL;
    size_t size;
    FILE *to = open_memstream(&list, &size);
    fputs(tr("Commands:\n"), need(to));
    for (const struct command *c = commands; c->name; c++)
        fprintf(to, "  %-10s %s\n", c->name, tr(c->help));
    fputs(tr("\n'terra COMMAND --help' tells more.  Exit status: 0 if all is "
             "well, 1 if\na file, position or action is faulty, 2 if the "
             "command line is."),
          to);
    fclose(to);
    return list;
}

static const struct argp main_argp = {
    .parser = parse,
    .args_doc = "COMMAND ...",
    .doc =
        HELP(TR("Terra Nova, Terra-X and Terra Mystica at the command line."),
             "(commands)"),
    .children = help_children,
    .help_filter = list_commands,
};

static const struct command *find_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    die(STATUS_USAGE, "there is no command '%s'; 'terra --help' lists them",
        name);
}

/* `terra help play` is `terra play --help`. */
static int run(int argc, char **argv)
{
    static char self[] = "terra", help[] = "--help";
    char *asked[] = {self, help, NULL};
    bool wants_help = strcmp(argv[0], "help") == 0;
    if (wants_help && argc == 1)
        command_line(&main_argp, 0, 2, asked, &(struct choice){0});
    const struct command *c = find_command(argv[wants_help ? 1 : 0]);
    argv[0] = self;
    return wants_help ? c->run(2, asked) : c->run(argc, argv);
}

int main(int argc, char **argv)
{
    static char self[] = "terra";
    struct choice choice = {0};
    speak_begin();
    if (argc > 0)
        argv[0] = self;
    if (!command_line(&main_argp, ARGP_IN_ORDER, argc, argv, &choice))
        return STATUS_USAGE;
    if (!choice.name)
        die(STATUS_USAGE, "which command?  'terra --help' lists them");
    int status = run(argc - choice.at, argv + choice.at);
    if (fflush(stdout) != 0 || ferror(stdout))
        die(STATUS_CONTENT, "cannot write to standard output: %s",
            strerror(errno));
    return status;
}
