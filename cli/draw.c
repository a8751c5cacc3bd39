/* cli/draw.c: `terra draw` draws a position as a picture. */
#include "cli/cli.h"

#include <stdlib.h>

struct asked {
    struct request request;
    const char *what;
};

static const struct argp_option options[] = {
    {"at", KEY_AT, "N", 0, TR("after N steps, not at the end"), 0},
    {"position", KEY_POSITION, "TEXT", 0,
     TR("draw this position of GAME instead of a file"), 0},
    {"seat", KEY_SEAT, "N", 0, TR("as seat N may see it; 0 is a spectator"), 0},
    {"output", KEY_OUTPUT, "FILE", 0, TR("write there, not to standard output"),
     0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra draw", &asked->request);
    case ARGP_KEY_ARG:
        need_one("picture", text, &asked->what);
        return 0;
    case ARGP_KEY_NO_ARGS:
        die(STATUS_USAGE, "which file?");
    default:
        return request_take(&asked->request, key, text);
    }
}

static const struct argp draw_argp = {
    options,
    parse,
    "FILE\nGAME --position TEXT",
    HELP(TR("Draws a position of a record, or a board, as an SVG file."),
         TR("'-' is standard input.  An output file appears complete or not "
            "at all.\n\n"
            "Example: terra draw game.nova --at 12 -o picture.svg")),
    request_children,
    help_words,
    0,
};

static int draw(const struct asked *asked, const struct match *m,
                const struct state *s)
{
    const struct game *game = match_game(m);
    int seats = match_setup(m)->seats, viewer = SEAT_NONE, length;
    if (!game->write_picture)
        die(STATUS_USAGE, "%s draws no pictures", game->name);
    if (asked->request.seat)
        viewer = need_number("seat", asked->request.seat, 0, seats) - 1;
    struct state *view = view_of(m, s, viewer);
    struct buffer b = {0};
    do
        length = game->write_picture(match_world(m), view, viewer, b.to, b.cap);
    while (buffer_short(&b, length));
    bool good = file_write(asked->request.out, b.to, (size_t)length);
    buffer_release(&b);
    free(view);
    return good ? STATUS_OK : STATUS_USAGE;
}

static struct match *open_file(const struct asked *asked, struct state **s,
                               int *status)
{
    struct load load = load_file(asked->what, &asked->request, false);
    *status = load.status;
    if (!load.match)
        return NULL;
    int total = match_total(load.match);
    *s = state_at(load.match,
                  asked->request.at
                      ? need_number("step", asked->request.at, 0, total)
                      : total);
    return load.match;
}

int cmd_draw(int argc, char **argv)
{
    struct asked asked = {0};
    struct state *s = NULL;
    int status = STATUS_OK;
    if (!command_line(&draw_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    struct match *m =
        asked.request.position
            ? request_state(&asked.request, need_game(asked.what), &s)
            : open_file(&asked, &s, &status);
    if (!m)
        return status;
    status = draw(&asked, m, s);
    free(s);
    match_close(m);
    return status;
}
