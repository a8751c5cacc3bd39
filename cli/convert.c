/* cli/convert.c: `terra convert` writes a file in canonical form. */
#include "cli/cli.h"

#include <stdlib.h>

struct asked {
    struct request request;
    const char *file, *to;
};

static const struct argp_option options[] = {
    {"seat", KEY_SEAT, "N", 0,
     TR("only what seat N may know; 0 is a spectator"), 0},
    {"to", 't', "FORMAT", 0,
     TR("another format of the game, see 'terra games'"), 0},
    {"at", KEY_AT, "N", 0, TR("only the first N steps"), 0},
    {"output", KEY_OUTPUT, "FILE", 0, TR("write there, not to standard output"),
     0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra convert", &asked->request);
    case 't':
        asked->to = text;
        return 0;
    case ARGP_KEY_ARG:
        need_one("file", text, &asked->file);
        return 0;
    case ARGP_KEY_NO_ARGS:
        die(STATUS_USAGE, "which file?");
    default:
        return request_take(&asked->request, key, text);
    }
}

static const struct argp convert_argp = {
    options,
    parse,
    "FILE",
    HELP(TR("Reads a record, position or board of any game and writes it in "
            "canonical form."),
         TR("'-' is standard input.  An output file appears complete or not "
            "at all.\n\n"
            "Example: terra convert game.nova --to position --at 12")),
    request_children,
    help_words,
    0,
};

static const struct record_format *need_format(const struct load *load,
                                               const char *name)
{
    const struct game *game = match_game(load->match);
    /* What is only read, as a ledger is, becomes the game's own record. */
    if (!name)
        return load->format->write ? load->format : match_format(game, NULL);
    const struct record_format *format = match_format(game, name);
    if (!format)
        die(STATUS_USAGE, "%s has no format '%s'; 'terra games' lists them",
            game->name, name);
    return format;
}

static int viewer_of(const struct asked *asked, const struct match *m)
{
    if (!asked->request.seat)
        return RECORD_FULL;
    return need_number("seat", asked->request.seat, 0, match_setup(m)->seats) -
           1;
}

static int convert(const struct asked *asked, const struct load *load)
{
    const struct match *m = load->match;
    const struct record_format *format = need_format(load, asked->to);
    int viewer = viewer_of(asked, m), length, count = match_total(m);
    if (asked->request.at)
        count = need_number("step", asked->request.at, 0, count);
    struct buffer b = {0};
    do
        length = match_write(m, format, count, viewer, b.to, b.cap);
    while (buffer_short(&b, length));
    if (length <= -FAULT_GAME) {
        const struct fault_text *why = fault_text(match_game(m), -length);
        die(STATUS_CONTENT, "%s: %s: %s", asked->file, why->name,
            speak_phrase(why));
    }
    if (length < 0)
        die(STATUS_CONTENT, "%s: cannot be written as '%s'", asked->file,
            format->name);
    bool good = file_write(asked->request.out, b.to, (size_t)length);
    buffer_release(&b);
    return good ? STATUS_OK : STATUS_USAGE;
}

int cmd_convert(int argc, char **argv)
{
    struct asked asked = {0};
    if (!command_line(&convert_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    struct load load = load_file(asked.file, &asked.request, false);
    if (!load.match)
        return load.status;
    int status = convert(&asked, &load);
    match_close(load.match);
    return status;
}
