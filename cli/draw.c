/* cli/draw.c: `terra draw` draws a position as a picture. */
#include "cli/cli.h"

#include <stdlib.h>

struct asked {
    struct request request;
    const char *what, *at, *out, *seat;
};

enum { KEY_POSITION = 0x200 };

static const struct argp_option options[] = {
    {"at", 'n', "N", 0, "after N steps, not at the end", 0},
    {"position", KEY_POSITION, "TEXT", 0,
     "draw this position of GAME instead of a file", 0},
    {"seat", 'S', "N", 0, "as seat N may see it; 0 is a spectator", 0},
    {"output", 'o', "FILE", 0, "write there, not to standard output", 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra draw", &asked->request);
    case 'n':
        asked->at = text;
        return 0;
    case 'o':
        asked->out = text;
        return 0;
    case 'S':
        asked->seat = text;
        return 0;
    case KEY_POSITION:
        asked->request.position = text;
        return 0;
    case ARGP_KEY_ARG:
        if (asked->what)
            die(STATUS_USAGE, "one picture at a time, not also '%s'", text);
        asked->what = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        die(STATUS_USAGE, "which file?");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&request_argp, 0, 0, 0},
                                             {0, 0, 0, 0}};

static const struct argp draw_argp = {
    options,
    parse,
    "FILE\nGAME --position TEXT",
    "Draws a position of a record, or a board, as an SVG file."
    "\v'-' is standard input.  An output file appears complete or not at all.",
    children,
    0,
    0,
};

static int draw(const struct asked *asked, const struct match *m)
{
    const struct game *game = match_game(m);
    int seats = match_setup(m)->seats, viewer = SEAT_NONE;
    if (!game->write_picture)
        die(STATUS_USAGE, "%s draws no pictures", game->name);
    if (asked->seat)
        viewer = need_number("seat", asked->seat, 0, seats) - 1;
    int at = asked->at ? need_number("step", asked->at, 0, match_total(m))
                       : match_total(m);
    struct state *s = state_at(m, at), *view = view_of(m, s, viewer);
    struct buffer b = {0};
    int length;
    do
        length = game->write_picture(match_world(m), view, viewer, b.to, b.cap);
    while (buffer_short(&b, length));
    bool good = file_write(asked->out, b.to, (size_t)length);
    buffer_release(&b);
    free(view);
    free(s);
    return good ? STATUS_OK : STATUS_USAGE;
}

int cmd_draw(int argc, char **argv)
{
    struct asked asked = {0};
    struct load load = {0};
    if (!command_line(&draw_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    if (asked.request.position)
        load.match = request_match(&asked.request, need_game(asked.what));
    else
        load = load_file(asked.what, &asked.request, false);
    if (!load.match)
        return load.status;
    int status = draw(&asked, load.match);
    match_close(load.match);
    return status;
}
