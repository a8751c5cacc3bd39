/* rules/nova/picture.c: a position drawn for people, as SVG and in a terminal.
 *
 * Landscapes differ in colour and in a mark, seats in colour and in shape, so
 * that both drawings can be read without colours. */
#include "rules/nova/state.h"

/* ---- landscapes and seats ---- */

/* The eight landscapes of the game's own boards, by name; others take the
 * next look that is free. */
struct look {
    const char *name, *fill, *ink;
    const char *mark; /* SVG path around 0,0, a hex being 40 wide */
    char sign;        /* in a terminal */
    int colour;       /* background among the 256 of a terminal */
};

static const struct look looks[8] = {
    {"lake", "#86bfd8", "#2f6f8f", "M-9-2q3-4 6 0t6 0t6 0M-9 4q3-4 6 0t6 0t6 0",
     '~', 110},
    {"forest", "#36604a", "#cfe3d2", "M-5 5l4-11 4 11zM2 6l3-8 3 8z", '^', 65},
    {"meadow", "#9abb54", "#4f6a1c", "M0 7v-6M-4 1q4-7 8 0zM0-2v-4", '"', 149},
    {"farmland", "#f2d06a", "#9a7416", "M-9 5l7-10M-3 6l7-11M3 6l6-10", '=',
     221},
    {"prairie", "#e8ebd4", "#7f8460", "M-6 6l-2-8M0 6v-10M6 6l2-8", '|', 187},
    {"steppe", "#d6ad98", "#7d5340", "M-6-2h1M0 3h1M5-3h1M-3 6h1M3-6h1", '.',
     180},
    {"hills", "#ab6f50", "#f0dccf", "M-9 4q4-8 8 0M0 4q4-8 8 0", 'n', 137},
    {"rock", "#908d96", "#2f2d35", "M-8 5l5-9 3 5 3-7 5 11", 'A', 246},
};

static const struct look *look_of(const struct world *w, int land)
{
    for (int i = 0; i < 8; i++)
        if (span_is(span_of(w->board.land_name[land]), looks[i].name))
            return &looks[i];
    return &looks[land % 8];
}

struct seat_look {
    char colour;
    const char *fill, *ink, *shape; /* SVG path around 0,0 */
    int terminal;
};

static const struct seat_look seat_looks[] = {
    {'y', "#efcb3f", "#3a2f00", "M0-10a10 10 0 1 0 .1 0z", 226},
    {'r', "#b0361a", "#fff4ea", "M0-12l11 19h-22z", 196},
    {'b', "#3b62ad", "#f0f5ff", "M-9-9h18v18h-18z", 27},
    {'g', "#42a55e", "#08240f", "M0-13l11 13-11 13-11-13z", 40},
};

static const struct seat_look *seat_look(const struct world *w, int seat)
{
    int i = 0;
    while (i < 3 && seat_looks[i].colour != w->colour[seat])
        i++;
    return &seat_looks[i];
}

static int seat_on(const struct world *w, const struct state *s, int hex)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (bits_has(&s->pioneers[seat], hex))
            return seat;
    return SEAT_NONE;
}

/* ---- SVG ---- */

enum { HEX_WIDTH = 40, ROW_HEIGHT = 35, MARGIN = 40 };

static int centre_x(const struct world *w, int hex)
{
    return HEX_WIDTH * w->board.number[hex] - HEX_WIDTH / 2 * w->board.row[hex];
}

static int centre_y(const struct world *w, int hex)
{
    return ROW_HEIGHT * w->board.row[hex];
}

struct frame {
    int left, top, width, height;
};

static struct frame frame_of(const struct world *w)
{
    int left = INT32_MAX, right = INT32_MIN;
    for (int hex = 0; hex < w->hexes; hex++) {
        int x = centre_x(w, hex);
        left = x < left ? x : left;
        right = x > right ? x : right;
    }
    return (struct frame){left - MARGIN, -MARGIN, right - left + 2 * MARGIN,
                          ROW_HEIGHT * (w->board.rows - 1) + 2 * MARGIN + 34};
}

static void put_at(struct text *t, const char *element, int x, int y)
{
    text_put(t, element);
    text_put(t, " transform=\"translate(");
    text_int(t, x);
    text_char(t, ' ');
    text_int(t, y);
    text_put(t, ")\"");
}

static const char hex_path[] = "M0-23.1L20-11.5V11.5L0 23.1L-20 11.5V-11.5z";

static void put_land(const struct world *w, const struct state *s, int hex,
                     struct text *t)
{
    const struct look *look = look_of(w, w->board.land[hex]);
    int x = centre_x(w, hex), y = centre_y(w, hex);
    bool closed = !bits_has(&s->live, hex) && !bits_has(&s->stones, hex);
    put_at(t, "<path", x, y);
    text_put(t, " d=\"");
    text_put(t, hex_path);
    text_put(t, "\" fill=\"");
    text_put(t, look->fill);
    text_put(t, "\" stroke=\"#4a4433\" stroke-opacity=\".25\"/>\n");
    if (bits_has(&s->stones, hex) || seat_on(w, s, hex) != SEAT_NONE)
        return;
    put_at(t, "<path", x, y);
    text_put(t, " d=\"");
    text_put(t, closed ? "M-14-6l12-12M-16 8l22-22M-8 14l22-22M4 16l10-10"
                       : look->mark);
    text_put(t, "\" fill=\"none\" stroke-width=\"1.6\" stroke=\"");
    text_put(t, closed ? "#3d3a33" : look->ink);
    text_put(t, "\" stroke-opacity=\".7\"/>\n");
}

/* Borders between landscapes, and the coast. */
static void put_borders(const struct world *w, int hex, struct text *t)
{
    static const char *const side[6] = {"M20-11.5V11.5",    "M20 11.5L0 23.1",
                                        "M0 23.1L-20 11.5", "M-20 11.5V-11.5",
                                        "M-20-11.5L0-23.1", "M0-23.1L20-11.5"};
    for (int d = 0; d < 6; d++) {
        int next = w->next[hex][d];
        if (next != NO_HEX && w->board.land[next] == w->board.land[hex])
            continue;
        put_at(t, "<path", centre_x(w, hex), centre_y(w, hex));
        text_put(t, " d=\"");
        text_put(t, side[d]);
        text_put(t,
                 next == NO_HEX ? "\" class=\"c\"/>\n" : "\" class=\"b\"/>\n");
    }
}

static void put_piece(const struct world *w, const struct state *s, int hex,
                      struct text *t)
{
    int seat = seat_on(w, s, hex);
    bool stone = bits_has(&s->stones, hex);
    if (!stone && seat == SEAT_NONE)
        return;
    put_at(t, "<path", centre_x(w, hex), centre_y(w, hex));
    if (stone) {
        text_put(t, " class=\"s\" d=\"M0-18.5L16-9.2V9.2L0 18.5L-16 9.2V-9.2z"
                    "\"/>\n");
        return;
    }
    text_put(t, " class=\"p\" fill=\"");
    text_put(t, seat_look(w, seat)->fill);
    text_put(t, "\" d=\"");
    text_put(t, seat_look(w, seat)->shape);
    text_put(t, "\"/>\n");
}

static void put_name(const struct world *w, int hex, struct text *t)
{
    text_put(t, "<text x=\"");
    text_int(t, centre_x(w, hex));
    text_put(t, "\" y=\"");
    text_int(t, centre_y(w, hex) + 18);
    text_put(t, "\">");
    board_put_hex(&w->board, hex, t);
    text_put(t, "</text>\n");
}

static void put_legend(const struct world *w, const struct state *s,
                       const struct frame *f, struct text *t)
{
    for (int seat = 0; seat < w->seats; seat++) {
        int x = f->left + 34 + 110 * seat, y = f->top + f->height - 24;
        put_at(t, "<path", x, y);
        text_put(t, " class=\"p\" fill=\"");
        text_put(t, seat_look(w, seat)->fill);
        text_put(t, "\" d=\"");
        text_put(t, seat_look(w, seat)->shape);
        text_put(t, "\"/>\n<text class=\"l\" x=\"");
        text_int(t, x + 18);
        text_put(t, "\" y=\"");
        text_int(t, y + 6);
        text_put(t, "\">");
        text_char(t, w->colour[seat]);
        text_put(t, "  ");
        text_int(t, s->score[seat]);
        text_put(t, "</text>\n");
    }
}

int nova_write_picture(const struct world *w, const struct state *s, int viewer,
                       char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct frame f = frame_of(w);
    (void)viewer;
    text_put(&t, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
    text_int(&t, f.left);
    text_char(&t, ' ');
    text_int(&t, f.top);
    text_char(&t, ' ');
    text_int(&t, f.width);
    text_char(&t, ' ');
    text_int(&t, f.height);
    text_put(&t, "\" role=\"img\">\n<title>");
    text_put(&t, w->board.name);
    text_put(&t, "</title>\n<style>.b{stroke:#4a4433;stroke-width:2.6}"
                 ".c{stroke:#2b3a42;stroke-width:4;stroke-linecap:round}"
                 ".s{fill:#54504a;stroke:#f6f1e4;stroke-width:2}"
                 ".p{stroke:#fffdf5;stroke-width:2;paint-order:stroke}"
                 "text{font:7px sans-serif;text-anchor:middle;fill:#2c281e;"
                 "fill-opacity:.75}.l{font:bold 18px serif;text-anchor:start;"
                 "fill-opacity:1}</style>\n<rect x=\"");
    text_int(&t, f.left);
    text_put(&t, "\" y=\"");
    text_int(&t, f.top);
    text_put(&t, "\" width=\"100%\" height=\"100%\" fill=\"#f4efe2\"/>\n");
    for (int hex = 0; hex < w->hexes; hex++)
        put_land(w, s, hex, &t);
    for (int hex = 0; hex < w->hexes; hex++)
        put_borders(w, hex, &t);
    for (int hex = 0; hex < w->hexes; hex++)
        put_piece(w, s, hex, &t);
    for (int hex = 0; hex < w->hexes; hex++)
        put_name(w, hex, &t);
    put_legend(w, s, &f, &t);
    text_put(&t, "</svg>\n");
    return text_end(&t);
}

/* ---- terminal ---- */

static void put_colour(struct text *t, bool colour, int ground, int ink)
{
    if (!colour)
        return;
    text_put(t, "\033[48;5;");
    text_int(t, ground);
    text_put(t, ";38;5;");
    text_int(t, ink);
    text_char(t, 'm');
}

/* Three signs per hex: the mark of its landscape in the middle, or on both
 * sides of a pioneer, so that it does not hide where it stands. */
static void put_terminal_hex(const struct world *w, const struct state *s,
                             int hex, bool colour, struct text *t)
{
    const struct look *look = look_of(w, w->board.land[hex]);
    int seat = seat_on(w, s, hex);
    bool stone = bits_has(&s->stones, hex);
    bool closed = !stone && !bits_has(&s->live, hex);
    char sign = closed ? ' ' : look->sign;
    if (stone) {
        put_colour(t, colour, 236, 252);
        text_put(t, "\xe2\xac\xa2\xe2\xac\xa2\xe2\xac\xa2");
    } else if (seat != SEAT_NONE) {
        put_colour(t, colour, look->colour, 16);
        text_char(t, sign);
        if (colour)
            text_put(t, "\033[1m");
        put_colour(t, colour, 16, seat_look(w, seat)->terminal);
        text_char(t, (char)(w->colour[seat] - 32));
        put_colour(t, colour, look->colour, 16);
        text_char(t, sign);
    } else {
        put_colour(t, colour, look->colour, 236);
        text_char(t, ' ');
        if (closed)
            text_put(t, "\xc3\x97");
        else
            text_char(t, sign);
        text_char(t, ' ');
    }
    if (colour)
        text_put(t, "\033[0m");
    text_char(t, ' ');
}

static void put_terminal_row(const struct world *w, const struct state *s,
                             int row, int left, bool colour, struct text *t)
{
    int first = -1, last = -1, at = 0;
    for (int hex = 0; hex < w->hexes; hex++)
        if (w->board.row[hex] == row) {
            first = first < 0 ? hex : first;
            last = hex;
        }
    text_char(t, (char)('a' + row));
    text_put(t, "  ");
    for (int hex = first; hex <= last && hex >= 0; hex++) {
        int x = 4 * w->board.number[hex] - 2 * row - left;
        for (; at < x; at++)
            text_char(t, ' ');
        put_terminal_hex(w, s, hex, colour, t);
        at += 4;
    }
    if (first >= 0) {
        text_put(t, "  ");
        text_int(t, w->board.number[first]);
        text_put(t, "-");
        text_int(t, w->board.number[last]);
    }
    text_char(t, '\n');
}

/* "1 pioneer", "2 pioneers" */
static void put_count(struct text *t, int count, const char *what)
{
    text_int(t, count);
    text_char(t, ' ');
    text_put(t, what);
    text_put(t, count == 1 ? "" : "s");
}

static void put_terminal_seats(const struct world *w, const struct state *s,
                               bool colour, struct text *t)
{
    for (int seat = 0; seat < w->seats; seat++) {
        bool active = !s->reason && s->seat == seat;
        text_put(t, active ? " > " : "   ");
        put_colour(t, colour, 16, seat_look(w, seat)->terminal);
        text_char(t, (char)(w->colour[seat] - 32));
        if (colour)
            text_put(t, "\033[0m");
        text_put(t, " ");
        put_count(t, s->score[seat], "point");
        text_put(t, ", ");
        put_count(t, bits_count(&s->pioneers[seat]), "pioneer");
        if (s->hand[seat]) {
            text_put(t, " and ");
            text_int(t, s->hand[seat]);
            text_put(t, " in hand");
        }
        if (s->out >> seat & 1)
            text_put(t, ", left the table");
        text_char(t, '\n');
    }
}

static void put_terminal_legend(const struct world *w, bool colour,
                                struct text *t)
{
    for (int land = 0; land < w->board.lands; land++) {
        const struct look *look = look_of(w, land);
        text_put(t, land ? "  " : "   ");
        put_colour(t, colour, look->colour, 236);
        text_char(t, look->sign);
        text_char(t, look->sign);
        if (colour)
            text_put(t, "\033[0m");
        text_char(t, ' ');
        text_put(t, w->board.land_name[land]);
    }
    text_put(t, "\n");
}

int nova_write_board(const struct world *w, const struct state *s, int viewer,
                     bool colour, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    int left = INT32_MAX;
    (void)viewer;
    for (int hex = 0; hex < w->hexes; hex++) {
        int x = 4 * w->board.number[hex] - 2 * w->board.row[hex];
        left = x < left ? x : left;
    }
    for (int row = 0; row < w->board.rows; row++)
        put_terminal_row(w, s, row, left, colour, &t);
    put_terminal_legend(w, colour, &t);
    put_terminal_seats(w, s, colour, &t);
    text_put(&t, "   stones: ");
    if (w->stones == 0)
        text_put(&t, "unlimited");
    else
        text_int(&t, s->supply);
    if (!s->reason && s->act != PLACING) {
        text_put(&t, ", action ");
        text_int(&t, s->act);
        text_put(&t, " of 3");
    }
    if (s->reason) {
        text_put(&t, ", over: ");
        text_put(&t, nova_endings[s->reason]);
    }
    text_char(&t, '\n');
    return text_end(&t);
}
