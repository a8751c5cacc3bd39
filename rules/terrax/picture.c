/* rules/terrax/picture.c: a position as SVG and as plain text. */
#include "rules/terrax/state.h"

static const char *const land_colour[] = {"#7d4bb0", "#e3bd2b", "#d9752a",
                                          "#3f83c9", "#d86aa9", "#8793a0"};
/* Each has an outline beside its colour, as large as a disc of radius 10; they
 * are those of web/src/games/terrax/continents.ts. */
static const char *const land_outline[] = {
    "m-10 0a10 10 0 0 1 20 0 10 10 0 0 1-20 0z",
    "m0-12.2 11.6 20.6h-23.2z",
    "m0 12.2 11.6-20.6h-23.2z",
    "m-4.2-11.4h8.4v7.2h7.2v8.4h-7.2v7.2h-8.4v-7.2h-7.2v-8.4h7.2z",
    "m-6.6-6a6.6 6.6 0 0 1 13.2 0v12a6.6 6.6 0 0 1-13.2 0z",
    "m-6-6.6h12a6.6 6.6 0 0 1 0 13.2h-12a6.6 6.6 0 0 1 0-13.2z"};
static const char *const route_colour[] = {"#c77f0a", "#2f63b8", "#33363d"};
static const char *const route_dash[] = {"", "9 3", "2 3"};
static const char *const seat_colour[] = {"#efcb3f", "#b0361a", "#3b62ad",
                                          "#42a55e", "#da86c5", "#2a2d34"};

/* ---- SVG ---- */

struct frame {
    int32_t left, top, right, bottom; /* pixels */
};

static int pixel(int32_t milli)
{
    return (milli + (milli < 0 ? -500 : 500)) / 1000;
}

static struct frame frame_of(const struct world *w)
{
    struct frame f = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (int i = 0; i < w->drawings; i++) {
        int x = pixel(w->drawing[i].x), y = pixel(w->drawing[i].y);
        f.left = x < f.left ? x : f.left;
        f.right = x > f.right ? x : f.right;
        f.top = y < f.top ? y : f.top;
        f.bottom = y > f.bottom ? y : f.bottom;
    }
    return f;
}

static void attribute(struct text *t, const char *name, int value)
{
    text_char(t, ' ');
    text_put(t, name);
    text_put(t, "=\"");
    text_int(t, value);
    text_char(t, '"');
}

static void colour(struct text *t, const char *name, const char *value)
{
    text_char(t, ' ');
    text_put(t, name);
    text_put(t, "=\"");
    text_put(t, value);
    text_char(t, '"');
}

static int root(int64_t square)
{
    int64_t guess = square > 0 ? square : 1, next = (guess + 1) / 2;
    while (next < guess) {
        guess = next;
        next = (guess + square / guess) / 2;
    }
    return (int)(guess > 0 ? guess : 1);
}

static void line(struct text *t, int x1, int y1, int x2, int y2)
{
    text_put(t, "<line");
    attribute(t, "x1", x1);
    attribute(t, "y1", y1);
    attribute(t, "x2", x2);
    attribute(t, "y2", y2);
}

static void draw_legs(const struct world *w, struct text *t)
{
    text_put(t, "<g stroke=\"#6d6551\" stroke-opacity=\".55\">\n");
    for (int i = 0; i < w->legs; i++) {
        const struct drawing *a = &w->drawing[w->leg[i].a];
        const struct drawing *b = &w->drawing[w->leg[i].b];
        line(t, pixel(a->x), pixel(a->y), pixel(b->x), pixel(b->y));
        text_put(t, "/>\n");
    }
    text_put(t, "</g>\n");
}

/* Each colour has its own lane beside the leg, seen in its direction, so that
 * six arrows on one leg stay apart. */
static void draw_arrow(const struct world *w, int k, int slot, struct text *t)
{
    const struct leg *leg = &w->leg[w->leg_of[slot]];
    bool ahead = leg->slot == slot;
    const struct drawing *a = &w->drawing[ahead ? leg->a : leg->b];
    const struct drawing *b = &w->drawing[ahead ? leg->b : leg->a];
    int x1 = pixel(a->x), y1 = pixel(a->y), x2 = pixel(b->x), y2 = pixel(b->y);
    int dx = x2 - x1, dy = y2 - y1;
    int length = root((int64_t)dx * dx + (int64_t)dy * dy);
    int side = 4 * k + 3, back = length > 40 ? 13 : length / 4;
    int ox = -dy * side / length, oy = dx * side / length;
    int sx = dx * back / length, sy = dy * back / length;
    line(t, x1 + ox + sx, y1 + oy + sy, x2 + ox - sx, y2 + oy - sy);
    colour(t, "stroke", route_colour[k]);
    if (*route_dash[k])
        colour(t, "stroke-dasharray", route_dash[k]);
    text_put(t, " marker-end=\"url(#tip");
    text_char(t, (char)('A' + k));
    text_put(t, ")\"/>\n");
}

static void draw_arrows(const struct world *w, const struct state *s,
                        struct text *t)
{
    text_put(t, "<defs>");
    for (int k = 0; k < COLOURS; k++) {
        text_put(t, "<marker id=\"tip");
        text_char(t, (char)('A' + k));
        text_put(t, "\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" "
                    "markerWidth=\"4\" markerHeight=\"4\" orient=\"auto\">"
                    "<path d=\"M0 0 10 5 0 10z\"");
        colour(t, "fill", route_colour[k]);
        text_put(t, "/></marker>");
    }
    text_put(t, "</defs>\n<g stroke-width=\"3\">\n");
    for (int k = 0; k < COLOURS; k++)
        for (int i = 0; i < s->length[k]; i++)
            draw_arrow(w, k, route_slot(s, k, i), t);
    text_put(t, "</g>\n");
}

static void draw_square(struct text *t, int x, int y, const char *fill,
                        bool diamond)
{
    text_put(t, "<rect");
    attribute(t, "x", x - 8);
    attribute(t, "y", y - 8);
    text_put(t, " width=\"16\" height=\"16\"");
    colour(t, "fill", fill);
    if (diamond) {
        text_put(t, " transform=\"rotate(45 ");
        text_int(t, x);
        text_char(t, ' ');
        text_int(t, y);
        text_put(t, ")\"");
    }
    text_put(t, "/>\n");
}

static void draw_disc(struct text *t, int x, int y, int radius,
                      const char *fill)
{
    text_put(t, "<circle");
    attribute(t, "cx", x);
    attribute(t, "cy", y);
    attribute(t, "r", radius);
    colour(t, "fill", fill);
    text_put(t, "/>\n");
}

static void draw_ring(struct text *t, int x, int y, int radius,
                      const char *stroke)
{
    text_put(t, "<circle");
    attribute(t, "cx", x);
    attribute(t, "cy", y);
    attribute(t, "r", radius);
    text_put(t, " fill=\"none\" stroke-width=\"3\"");
    colour(t, "stroke", stroke);
    text_put(t, "/>\n");
}

static void draw_outline(struct text *t, int x, int y, const char *outline,
                         const char *fill)
{
    text_put(t, "<path d=\"M");
    text_int(t, x);
    text_char(t, ' ');
    text_int(t, y);
    text_put(t, outline);
    text_char(t, '"');
    colour(t, "fill", fill);
    text_put(t, "/>\n");
}

/* Markers as small flags in the colour of their seat. */
static void draw_card_signs(const struct world *w, const struct state *s,
                            int viewer, int card, int x, int y, struct text *t)
{
    if (s->where[card] == AT_OPEN)
        draw_ring(t, x, y, 15, "#b3261e");
    if (viewer >= 0 && s->where[card] == viewer)
        draw_ring(t, x, y, 16, "#1c5f63");
    for (int seat = 0; seat < w->seats; seat++)
        if (set_has(s->marker[seat], card))
            draw_outline(t, x, y, "v-24l14 6-14 6", seat_colour[seat]);
}

static void draw_place(const struct world *w, const struct state *s, int viewer,
                       int drawing, struct text *t)
{
    const struct drawing *d = &w->drawing[drawing];
    int x = pixel(d->x), y = pixel(d->y);
    if (d->kind == KIND_RED)
        draw_square(t, x, y, "#b3261e", false);
    else if (d->kind == KIND_GREEN)
        draw_square(t, x, y, "#2e7d46", true);
    else if (d->kind == KIND_MISSION)
        draw_outline(t, x, y, land_outline[d->continent],
                     land_colour[d->continent]);
    else
        draw_disc(t, x, y, d->kind == KIND_START ? 16 : 11, "#fffdf7");
    if (d->kind == KIND_MISSION)
        draw_card_signs(w, s, viewer, w->card_of[d->place], x, y, t);
    text_put(t, "<text");
    attribute(t, "x", x);
    attribute(t, "y", y + 24);
    text_put(t, " stroke=\"none\">");
    text_put(t, d->id);
    text_put(t, "</text>\n");
}

static const struct state *seen_by(const struct world *w, const struct state *s,
                                   int viewer, struct state *seen)
{
    if (viewer == RECORD_FULL || s->view)
        return s;
    terrax_observe(w, s, viewer, seen);
    return seen;
}

int terrax_write_picture(const struct world *w, const struct state *view,
                         int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state seen;
    const struct state *s = seen_by(w, view, viewer, &seen);
    struct frame f = frame_of(w);
    text_put(&t, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
    text_int(&t, f.left - 30);
    text_char(&t, ' ');
    text_int(&t, f.top - 40);
    text_char(&t, ' ');
    text_int(&t, f.right - f.left + 60);
    text_char(&t, ' ');
    text_int(&t, f.bottom - f.top + 80);
    text_put(&t, "\" font-family=\"sans-serif\" font-size=\"11\" "
                 "text-anchor=\"middle\">\n<rect");
    attribute(&t, "x", f.left - 30);
    attribute(&t, "y", f.top - 40);
    text_put(&t, " width=\"100%\" height=\"100%\" fill=\"#d5e2e2\"/>\n");
    draw_legs(w, &t);
    draw_arrows(w, s, &t);
    text_put(&t, "<g stroke=\"#26231d\">\n");
    for (int i = 0; i < w->drawings; i++)
        draw_place(w, s, viewer, i, &t);
    text_put(&t, "</g>\n</svg>\n");
    return text_end(&t);
}

/* ---- plain text ---- */

enum { GRID_WIDTH = 110, GRID_HEIGHT = 30 };

static const char *const ansi[] = {"\033[33m", "\033[34m", "\033[1m"};

/* What to show at a place: a head before a mission before a station. */
static const char *glyph(const struct world *w, const struct state *s,
                         int viewer, int place)
{
    static const char *const heads[] = {"A", "B", "C"};
    int card = w->card_of[place];
    for (int k = 0; k < COLOURS; k++)
        if (s->length[k] && head_of(w, s, k) == place)
            return heads[k];
    if (place == w->hub)
        return "◎";
    if (card == NO_CARD)
        return w->kind[place] == KIND_RED     ? "■"
               : w->kind[place] == KIND_GREEN ? "◆"
                                              : "○";
    if (s->where[card] == AT_OPEN)
        return "☆";
    if (viewer >= 0 && s->where[card] == viewer)
        return set_has(s->marker[viewer], card) ? "⚑" : "★";
    if (s->where[card] >= AT_DONE)
        return "✓";
    for (int seat = 0; seat < w->seats; seat++)
        if (set_has(s->marker[seat], card))
            return "⚐";
    return "·";
}

static void write_grid(const struct world *w, const struct state *s, int viewer,
                       struct text *t)
{
    uint8_t grid[GRID_HEIGHT][GRID_WIDTH];
    struct frame f = frame_of(w);
    int width = f.right - f.left + 1, height = f.bottom - f.top + 1;
    memset(grid, NO_PLACE, sizeof grid);
    for (int i = 0; i < w->drawings; i++) {
        int x = (int)((int64_t)(pixel(w->drawing[i].x) - f.left) * GRID_WIDTH /
                      width);
        int y = (int)((int64_t)(pixel(w->drawing[i].y) - f.top) * GRID_HEIGHT /
                      height);
        grid[y][x] = w->drawing[i].place;
    }
    for (int y = 0; y < GRID_HEIGHT; y++) {
        int last = GRID_WIDTH;
        while (last > 0 && grid[y][last - 1] == NO_PLACE)
            last--;
        for (int x = 0; x < last; x++)
            text_put(t, grid[y][x] == NO_PLACE
                            ? " "
                            : glyph(w, s, viewer, grid[y][x]));
        text_char(t, '\n');
    }
}

static void write_colours(const struct world *w, const struct state *s,
                          bool paint, struct text *t)
{
    for (int k = 0; k < COLOURS; k++) {
        text_put(t, paint ? ansi[k] : "");
        text_char(t, (char)('A' + k));
        text_put(t, s->length[k] ? " at " : " not started");
        text_put(t, s->length[k] ? w->id[head_of(w, s, k)] : "");
        text_put(t, ", ");
        text_int(t, supply_of(s, k));
        text_put(t, " arrows left");
        text_put(t, paint ? "\033[0m" : "");
        text_put(t, k < 2 ? "; " : "\n");
    }
}

static void write_mission(const struct world *w, const struct state *s,
                          int card, struct text *t)
{
    text_char(t, ' ');
    text_put(t, tx_card_id(w, card));
    if (card < w->cards) {
        text_char(t, '(');
        text_int(t, tx_nearest(w, s, w->place_of[card]));
        text_char(t, ')');
    }
}

static void write_seat(const struct world *w, const struct state *s, int seat,
                       bool paint, struct text *t)
{
    bool active = s->seat == seat && s->phase != PHASE_OVER;
    bool veil = w->option[OPT_CHEQUE_INFO] == INFO_HIDDEN && s->view &&
                s->view != seat + 1 && s->phase != PHASE_OVER;
    text_put(t, paint && active ? "\033[1m" : "");
    text_put(t, active ? "> " : "  ");
    text_int(t, seat + 1);
    text_put(t, ": ");
    text_int(t, tx_points_of(w, s, seat));
    text_put(t, " points, ");
    text_int(t, s->held[seat]);
    text_put(t, " cards, ");
    if (veil)
        text_char(t, '?');
    else
        text_int(t, s->cheques[seat]);
    text_put(t, " cheques;");
    for (int i = 0; i < s->marked[seat]; i++) {
        int card = s->mark[seat][i];
        text_char(t, ' ');
        text_put(t, tx_card_id(w, card));
        text_put(t, set_has(s->marker[seat], card) ? "⚐" : "✓");
    }
    text_put(t, paint && active ? "\033[0m\n" : "\n");
}

static void write_turn(const struct world *w, const struct state *s,
                       struct text *t)
{
    if (s->phase == PHASE_OVER) {
        text_put(t, "over: ");
        text_put(t, terrax_endings[s->reason]);
    } else if (s->phase == PHASE_MARK)
        text_put(t, "placing markers");
    else {
        text_put(t, "round ");
        text_int(t, s->round);
        text_put(t, s->base ? ": base arrow due" : ": base arrow laid");
        text_put(t, ", green ");
        text_int(t, s->green);
        text_put(t, ", loop ");
        text_char(t, "ABC-"[s->loop]);
        text_put(t, ", cheques used ");
        text_int(t, s->used_cheques);
    }
    text_put(t, "; stack ");
    text_int(t, s->stacked);
    text_char(t, '\n');
    (void)w;
}

int terrax_write_board(const struct world *w, const struct state *view,
                       int viewer, bool colours, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state seen;
    const struct state *s = seen_by(w, view, viewer, &seen);
    write_grid(w, s, viewer, &t);
    write_colours(w, s, colours, &t);
    text_put(&t, "open:");
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++)
        if (s->open[i] != NO_CARD)
            write_mission(w, s, s->open[i], &t);
    text_char(&t, '\n');
    for (int seat = 0; seat < w->seats; seat++)
        write_seat(w, s, seat, colours, &t);
    if (viewer >= 0) {
        text_put(&t, "hand:");
        SET_EACH(card, s->hand[viewer])
        write_mission(w, s, card, &t);
        text_char(&t, '\n');
    }
    write_turn(w, s, &t);
    return text_end(&t);
}
