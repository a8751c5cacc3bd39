/* rules/blank/scene.c: the table as front ends draw it. */
#include "rules/blank/state.h"

#include "base/text.h"

static void member(struct text *t, const char *name, int value)
{
    text_json(t, name);
    text_char(t, ':');
    text_int(t, value);
}

int blank_write_effect(const struct world *w, const struct state *s, int seat,
                       action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    char word[16];
    blank_write_action(w, s, seat, a, viewer, word, sizeof word);
    text_put(&t, "{\"text\":");
    text_json(&t, word);
    text_char(&t, ',');
    member(&t, "stake", blank_stake(w, s) * (a == DOUBLE ? 2 : 1));
    text_char(&t, '}');
    return text_end(&t);
}

static void scene_seat(struct text *t, const struct state *s, int seat)
{
    text_char(t, '{');
    member(t, "points", s->points[seat]);
    text_put(t, ",\"card\":");
    if (s->hand[seat])
        text_int(t, s->hand[seat]);
    else
        text_put(t, "null");
    text_put(t, ",\"decided\":");
    text_put(t, s->choice[seat] != UNDECIDED ? "true" : "false");
    text_put(t, ",\"left\":");
    text_put(t, s->left[seat] ? "true}" : "false}");
}

static void scene_actions(struct text *t, const struct world *w,
                          const struct state *s, int viewer)
{
    action legal[GAME_ACTIONS];
    int count = viewer < 0 ? 0 : blank_legal(w, s, viewer, legal);
    text_put(t, ",\"actions\":[");
    for (int i = 0; i < count; i++) {
        text_put(t, i ? ",{\"text\":" : "{\"text\":");
        text_json(t, blank_words[legal[i]]);
        text_char(t, '}');
    }
    text_char(t, ']');
}

int blank_write_scene(const struct world *w, const struct state *view,
                      int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    unsigned must, may;
    blank_turn(w, view, &must, &may);
    text_put(&t, "{\"game\":\"blank\",");
    member(&t, "round", view->round);
    text_char(&t, ',');
    member(&t, "rounds", w->rounds);
    text_char(&t, ',');
    member(&t, "stake", blank_stake(w, view));
    text_char(&t, ',');
    member(&t, "must", (int)must);
    text_char(&t, ',');
    member(&t, "may", (int)may);
    text_put(&t, ",\"ending\":");
    text_json(&t, blank_endings[view->reason]);
    text_put(&t, ",\"seats\":[");
    for (int seat = 0; seat < w->seats; seat++) {
        if (seat)
            text_char(&t, ',');
        scene_seat(&t, view, seat);
    }
    text_char(&t, ']');
    scene_actions(&t, w, view, viewer);
    text_char(&t, '}');
    return text_end(&t);
}

static char card(const struct state *s, int seat)
{
    return s->hand[seat] ? (char)('0' + s->hand[seat]) : '?';
}

int blank_write_picture(const struct world *w, const struct state *view,
                        int viewer, char *to, size_t cap)
{
    (void)viewer;
    struct text t = text_begin(to, cap);
    text_put(&t, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    text_int(&t, 60 * w->seats);
    text_put(&t, " 80\" font-family=\"sans-serif\" font-size=\"24\" "
                 "text-anchor=\"middle\">\n");
    for (int seat = 0; seat < w->seats; seat++) {
        text_put(&t, "<rect x=\"");
        text_int(&t, 60 * seat + 10);
        text_put(&t, "\" y=\"10\" width=\"40\" height=\"60\" rx=\"5\" "
                     "fill=\"#fff\" stroke=\"#333\"/>\n<text x=\"");
        text_int(&t, 60 * seat + 30);
        text_put(&t, "\" y=\"48\">");
        text_char(&t, card(view, seat));
        text_put(&t, "</text>\n");
    }
    text_put(&t, "</svg>\n");
    return text_end(&t);
}

int blank_write_board(const struct world *w, const struct state *view,
                      int viewer, bool colour, char *to, size_t cap)
{
    static const char *const marks[] = {"…", "✓", "stays", "folds"};
    struct text t = text_begin(to, cap);
    text_put(&t, "round ");
    text_int(&t, view->round);
    text_put(&t, " of ");
    text_int(&t, w->rounds);
    text_put(&t, ", stake ");
    text_int(&t, blank_stake(w, view));
    text_char(&t, '\n');
    for (int seat = 0; seat < w->seats; seat++) {
        bool bold = colour && seat == viewer;
        text_put(&t, bold ? "\033[1m" : "");
        text_int(&t, seat + 1);
        text_put(&t, ": [");
        text_char(&t, card(view, seat));
        text_put(&t, "] ");
        text_int(&t, view->points[seat]);
        text_char(&t, ' ');
        text_put(&t, view->left[seat] ? "left" : marks[view->choice[seat]]);
        text_put(&t, bold ? "\033[0m\n" : "\n");
    }
    return text_end(&t);
}
