/* rules/mystica/picture.c: the board as SVG and for terminals. */
#include "base/text.h"
#include "rules/mystica/mystica.h"

static const char *const fills[] = {
    "#f0c93a", "#9b6a3c", "#4a4a4a", "#3f7fbf", "#4f9a4a",
    "#9a9a9a", "#c8463c", "#dff1fa", "#d9662a", "#bcd9ea",
};

/* Factions are told apart by colour and by the letter on their structures. */
static const char *seat_fill(const struct seat *p)
{
    return p->colour < COLOURS  ? fills[p->colour]
           : p->home <= VOLCANO ? fills[p->home]
                                : "#b070c0";
}

/* ---- SVG ---- */

enum { WIDE = 48, TALL = 42, HALF = 24, SIDE = 28 };

static int centre_x(const struct world *w, int cell)
{
    return 40 + WIDE * w->col[cell] + (w->row[cell] & 1) * HALF;
}

static int centre_y(const struct world *w, int cell)
{
    return 40 + TALL * (w->row[cell] - w->first_label);
}

static void attribute(struct text *t, const char *name, int value)
{
    text_char(t, ' ');
    text_put(t, name);
    text_put(t, "=\"");
    text_int(t, value);
    text_char(t, '"');
}

static void put_hex(struct text *t, const struct world *w,
                    const struct state *s, int cell)
{
    int x = centre_x(w, cell), y = centre_y(w, cell);
    text_put(t, "<use href=\"#h\"");
    attribute(t, "x", x);
    attribute(t, "y", y);
    text_put(t, " fill=\"");
    text_put(t, fills[s->terrain[cell]]);
    text_put(t, "\"/>\n<text class=\"n\"");
    attribute(t, "x", x);
    attribute(t, "y", y + 21);
    text_char(t, '>');
    text_put(t, w->name[cell]);
    text_put(t, "</text>\n");
}

static void put_structure(struct text *t, const struct world *w,
                          const struct state *s, int cell)
{
    int x = centre_x(w, cell), y = centre_y(w, cell);
    int piece = s->piece[cell];
    text_put(t, "<rect");
    attribute(t, "x", x - 13);
    attribute(t, "y", y - 13);
    attribute(t, "width", 26);
    attribute(t, "height", 22);
    attribute(t, "rx", piece == TEMPLE || piece == SANCTUARY ? 11 : 3);
    attribute(t, "stroke-width", s->town[cell] ? 4 : 2);
    text_put(t, " stroke=\"#222\" fill=\"");
    text_put(t, seat_fill(&s->seat[s->owner[cell]]));
    text_put(t, "\"/>\n<text class=\"p\"");
    attribute(t, "x", x);
    attribute(t, "y", y + 3);
    text_char(t, '>');
    text_put(t, piece_ids[piece]);
    text_int(t, s->owner[cell] + 1);
    text_put(t, "</text>\n");
}

static void put_bridge(struct text *t, const struct world *w,
                       const struct state *s, const struct bridge *b)
{
    text_put(t, "<line");
    attribute(t, "x1", centre_x(w, b->a));
    attribute(t, "y1", centre_y(w, b->a));
    attribute(t, "x2", centre_x(w, b->b));
    attribute(t, "y2", centre_y(w, b->b));
    text_put(t, " stroke=\"#222\" stroke-width=\"9\"/><line");
    attribute(t, "x1", centre_x(w, b->a));
    attribute(t, "y1", centre_y(w, b->a));
    attribute(t, "x2", centre_x(w, b->b));
    attribute(t, "y2", centre_y(w, b->b));
    text_put(t, " stroke-width=\"5\" stroke=\"");
    text_put(t, seat_fill(&s->seat[b->owner]));
    text_put(t, "\"/>\n");
}

static void put_seat_line(struct text *t, const struct state *s, int seat,
                          int y)
{
    const struct seat *p = &s->seat[seat];
    text_put(t, "<text class=\"s\" x=\"20\"");
    attribute(t, "y", y);
    text_char(t, '>');
    text_int(t, seat + 1);
    text_put(t, ": ");
    if (p->faction == NO_FACTION) {
        text_put(t, "-</text>\n");
        return;
    }
    text_put(t, factions[p->faction].title);
    const struct {
        const char *before;
        int number;
    } parts[] = {
        {", ", p->vp},       {" VP, ", p->coins},      {" C ", p->workers},
        {" W ", p->priests}, {" P, ", p->bowl[0]},     {"/", p->bowl[1]},
        {"/", p->bowl[2]},   {", cults ", p->cult[0]}, {"/", p->cult[1]},
        {"/", p->cult[2]},   {"/", p->cult[3]},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_put(t, parts[i].before);
        text_int(t, parts[i].number);
    }
    text_put(t, p->passed ? ", passed</text>\n" : "</text>\n");
}

int mystica_write_picture(const struct world *w, const struct state *view,
                          int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    int height = 40 + 9 * TALL + 20 * w->seats;
    (void)viewer;
    text_put(&t, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                 "viewBox=\"0 0 660 ");
    text_int(&t, height);
    text_put(&t, "\" font-family=\"sans-serif\">\n<style>.n{font-size:8px;"
                 "text-anchor:middle;fill:#222}.p{font-size:11px;"
                 "font-weight:bold;text-anchor:middle;fill:#fff;"
                 "stroke:#222;stroke-width:.4}.s{font-size:13px}</style>\n"
                 "<defs><path id=\"h\" stroke=\"#555\" d=\"M0-28L24-14V14L0 "
                 "28-24 14V-14z\"/></defs>\n");
    for (int cell = 0; cell < w->cells; cell++)
        put_hex(&t, w, view, cell);
    for (int i = 0; i < view->bridge_count; i++)
        put_bridge(&t, w, view, &view->bridge[i]);
    for (int cell = 0; cell < w->cells; cell++)
        if (view->piece[cell])
            put_structure(&t, w, view, cell);
    for (int seat = 0; seat < w->seats; seat++)
        put_seat_line(&t, view, seat, 40 + 9 * TALL + 20 * seat);
    text_put(&t, "</svg>\n");
    return text_end(&t);
}

/* ---- terminals ---- */

static const char *const ansi[] = {
    "\033[30;103m",      "\033[97;48;5;94m", "\033[97;40m", "\033[97;44m",
    "\033[97;42m",       "\033[30;47m",      "\033[97;41m", "\033[30;107m",
    "\033[30;48;5;208m", "\033[36m",
};
static const char letters[] = "yukbgsri*~";

/* Four columns: terrain, piece and seat, or the terrain and a dot. */
static void put_text_cell(struct text *t, const struct state *s, int cell,
                          bool colour)
{
    int terrain = s->terrain[cell];
    if (colour)
        text_put(t, ansi[terrain]);
    text_char(t, letters[terrain]);
    if (s->piece[cell]) {
        text_put(t, piece_ids[s->piece[cell]]);
        text_int(t, s->owner[cell] + 1);
        text_put(t, piece_ids[s->piece[cell]][1] ? "" : " ");
    } else {
        text_put(t, terrain == RIVER ? "~~~" : " . ");
    }
    if (colour)
        text_put(t, "\033[0m");
}

static void put_text_rows(struct text *t, const struct world *w,
                          const struct state *s, bool colour)
{
    for (int cell = 0; cell < w->cells; cell++) {
        if (w->col[cell] == 0) {
            text_put(t, cell ? "\n" : "");
            text_char(t, (char)('A' + w->row[cell]));
            text_put(t, w->row[cell] & 1 ? "   " : " ");
        }
        put_text_cell(t, s, cell, colour);
        text_char(t, ' ');
    }
    text_char(t, '\n');
}

static void put_pair(struct text *t, int number, const char *unit)
{
    text_char(t, ' ');
    text_int(t, number);
    text_put(t, unit);
}

static void put_text_seat(struct text *t, const struct state *s, int seat,
                          bool bold)
{
    const struct seat *p = &s->seat[seat];
    text_put(t, bold ? "\033[1m" : "");
    text_int(t, seat + 1);
    text_char(t, ' ');
    if (p->faction == NO_FACTION) {
        text_put(t, "-");
    } else {
        text_put(t, factions[p->faction].title);
        put_pair(t, p->vp, " VP");
        put_pair(t, p->coins, " C");
        put_pair(t, p->workers, " W");
        put_pair(t, p->priests, " P");
        for (int i = 0; i < 3; i++) {
            text_char(t, i ? '/' : ' ');
            text_int(t, p->bowl[i]);
        }
        text_put(t, " PW ");
        for (int i = 0; i < TRACKS; i++) {
            text_put(t, i ? "/" : "");
            text_int(t, p->cult[i]);
        }
        if (p->card) {
            text_char(t, ' ');
            text_put(t, cards[p->card].id);
        }
        text_put(t, p->dropped ? " left" : p->passed ? " passed" : "");
    }
    text_put(t, bold ? "\033[0m\n" : "\n");
}

int mystica_write_board(const struct world *w, const struct state *view,
                        int viewer, bool colour, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    text_put(&t, "round ");
    text_int(&t, view->round);
    if (score_tile(view)) {
        text_put(&t, ", ");
        text_put(&t, scores[score_tile(view)].text);
    }
    text_char(&t, '\n');
    put_text_rows(&t, w, view, colour);
    for (int i = 0; i < view->bridge_count; i++) {
        text_put(&t, i ? " " : "bridges ");
        text_put(&t, w->name[view->bridge[i].a]);
        text_char(&t, ':');
        text_put(&t, w->name[view->bridge[i].b]);
        if (i == view->bridge_count - 1)
            text_char(&t, '\n');
    }
    for (int seat = 0; seat < w->seats; seat++)
        put_text_seat(&t, view, seat, colour && seat == viewer);
    return text_end(&t);
}
