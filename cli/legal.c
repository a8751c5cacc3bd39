/* cli/legal.c: `terra legal` lists the legal actions of a position. */
#include "cli/cli.h"

#include <stdlib.h>

struct asked {
    struct request request;
    const char *game, *file;
};

static const struct argp_option options[] = {
    {"position", KEY_POSITION, "TEXT", 0, TR("the position, in its notation"),
     0},
    {"file", 'f', "FILE", 0, TR("take the position from this file"), 0},
    {"at", KEY_AT, "N", 0, TR("after N steps of the file, not at its end"), 0},
    {"seat", KEY_SEAT, "N", 0, TR("of seat N, not of the first to act"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra legal", &asked->request);
    case 'f':
        asked->file = text;
        return 0;
    case ARGP_KEY_ARG:
        need_one("game", text, &asked->game);
        return 0;
    default:
        return request_take(&asked->request, key, text);
    }
}

static const struct argp legal_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Lists the legal actions of a position, one per line, sorted."),
         TR("Without a position or file: those at the beginning of the "
            "game.  A finished game has none.\n\n"
            "Example: terra legal nova --file game.nova --at 12")),
    request_children,
    help_words,
    0,
};

static struct match *open_file(struct asked *asked, int *status)
{
    if (asked->request.position)
        die(STATUS_USAGE, "a position or a file, not both");
    const struct game *game = asked->game ? need_game(asked->game) : NULL;
    struct load load = load_file(asked->file, &asked->request, false);
    *status = load.status;
    if (load.match && game && match_game(load.match) != game)
        die(STATUS_CONTENT, "%s: belongs to %s, not to %s", asked->file,
            match_game(load.match)->name, game->name);
    return load.match;
}

/* The first that must act, else the first that may. */
static int first_seat(const struct match *m, const struct state *s)
{
    unsigned must, may;
    match_game(m)->turn(match_world(m), s, &must, &may);
    unsigned seats = must ? must : may;
    return seats ? __builtin_ctz(seats) : SEAT_NONE;
}

static void list(const struct match *m, const struct state *s, int seat)
{
    char **texts;
    int count = legal_texts(m, s, seat, &texts);
    for (int i = 0; i < count; i++) {
        puts(texts[i]);
        free(texts[i]);
    }
    free(texts);
}

int cmd_legal(int argc, char **argv)
{
    struct asked asked = {0};
    struct state *s = NULL;
    int status = STATUS_OK;
    if (!command_line(&legal_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    if (asked.request.at && !asked.file)
        die(STATUS_USAGE, "--at counts the steps of a --file");
    struct match *m =
        asked.file ? open_file(&asked, &status)
                   : request_state(&asked.request, need_game(asked.game), &s);
    if (!m)
        return status;
    if (!s)
        s = state_at(m, asked.request.at ? need_number("step", asked.request.at,
                                                       0, match_total(m))
                                         : match_total(m));
    int seat = first_seat(m, s);
    if (asked.request.seat)
        seat =
            need_number("seat", asked.request.seat, 1, match_setup(m)->seats) -
            1;
    list(m, s, seat);
    free(s);
    match_close(m);
    return STATUS_OK;
}
