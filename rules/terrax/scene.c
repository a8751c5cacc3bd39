/* rules/terrax/scene.c: a position and the effect of an action as JSON.
 *
 * Both tell only what the viewer may know: whoever hands in the truth for a
 * seat or a spectator gets it observed first (terrax §14). */
#include "rules/terrax/state.h"

static const char *const kind_names[] = {
    [ACT_CLAIM] = "claim",   [ACT_LATE] = "late", [ACT_REMOVE] = "remove",
    [ACT_CHEQUE] = "cheque", [ACT_SWAP] = "swap", [ACT_GREEN] = "green",
    [ACT_MARK] = "mark",     [ACT_KEEP] = "keep", [ACT_BASE] = "base",
    [ACT_END] = "end",       [ACT_LOOP] = "loop"};
static const char *const phase_names[] = {"mark", "turn", "swap", "claims",
                                          "over"};
static const char *const languages[] = {"en", "nl", "sv", "de"};

/* ---- small pieces of JSON ---- */

/* Every key but the first of an object, which its writer puts itself. */
static void key(struct text *t, const char *name)
{
    text_char(t, ',');
    text_json(t, name);
    text_char(t, ':');
}

static void put_string(struct text *t, const char *name, const char *value)
{
    key(t, name);
    if (value)
        text_json(t, value);
    else
        text_put(t, "null");
}

static void put_int(struct text *t, const char *name, int64_t value)
{
    key(t, name);
    text_int(t, value);
}

static void put_flag(struct text *t, const char *name, bool value)
{
    key(t, name);
    text_put(t, value ? "true" : "false");
}

static void put_seat(struct text *t, const char *name, int seat)
{
    key(t, name);
    if (seat >= 0)
        text_int(t, seat);
    else
        text_put(t, "null");
}

/* A card or null. */
static void card_value(const struct world *w, struct text *t, int card)
{
    if (card < w->cards)
        text_json(t, tx_card_id(w, card));
    else
        text_put(t, "null");
}

static const char *colour_name(int k)
{
    static const char *const names[] = {"A", "B", "C", NULL};
    return names[k];
}

/* Pixels without needless decimals. */
static void put_pixels(struct text *t, const char *name, int32_t milli)
{
    key(t, name);
    if (milli % 1000 == 0)
        text_int(t, milli / 1000);
    else
        text_milli(t, milli);
}

/* ---- the map ---- */

static void put_words(const struct world *w, struct text *t, const char *name,
                      int drawing, int column, int count)
{
    key(t, name);
    text_char(t, '{');
    for (int i = 0; i < count; i++) {
        struct span word = tx_map_field(w, drawing, column + i);
        text_put(t, i ? "," : "");
        text_json(t, languages[i]);
        text_char(t, ':');
        text_json_bytes(t, word.at, word.length);
    }
    text_char(t, '}');
}

static void put_place(const struct world *w, struct text *t, int drawing)
{
    const struct drawing *d = &w->drawing[drawing];
    bool mission = d->kind == KIND_MISSION;
    text_put(t, "{\"id\":");
    text_json(t, d->id);
    put_string(t, "place", w->id[d->place]);
    put_string(t, "kind", terrax_kinds[d->kind]);
    put_string(t, "continent",
               mission ? terrax_continents[d->continent] : NULL);
    put_pixels(t, "x", d->x);
    put_pixels(t, "y", d->y);
    put_int(t, "distance", w->distance[w->hub][d->place]);
    put_words(w, t, "name", drawing, COL_NAME, 4);
    if (mission)
        put_words(w, t, "text", drawing, COL_TEXT, 3);
    text_char(t, '}');
}

static void drawing_id(const struct world *w, struct text *t, int drawing)
{
    text_json(t, w->drawing[drawing].id);
}

static void put_leg(const struct world *w, struct text *t, int leg)
{
    struct span id = tx_map_leg_id(w, leg);
    text_put(t, "{\"id\":");
    text_json_bytes(t, id.at, id.length);
    key(t, "a");
    drawing_id(w, t, w->leg[leg].a);
    key(t, "b");
    drawing_id(w, t, w->leg[leg].b);
    if (w->leg[leg].start)
        put_int(t, "start", w->leg[leg].start);
    text_char(t, '}');
}

static void put_map(const struct world *w, struct text *t)
{
    text_put(t, ",\"map\":{\"name\":");
    text_json(t, w->name);
    put_flag(t, "own", w->own_map);
    put_flag(t, "earth", w->earth);
    text_put(t, ",\"places\":[");
    for (int i = 0; i < w->drawings; i++) {
        text_put(t, i ? "," : "");
        put_place(w, t, i);
    }
    text_put(t, "],\"legs\":[");
    for (int i = 0; i < w->legs; i++) {
        text_put(t, i ? "," : "");
        put_leg(w, t, i);
    }
    text_put(t, "]}");
}

/* ---- arrows ---- */

/* From, to and leg of a slot; the drawings are those the leg touches. */
static void put_slot(const struct world *w, struct text *t, int slot)
{
    const struct leg *leg = &w->leg[w->leg_of[slot]];
    bool ahead = leg->slot == slot;
    struct span id = tx_map_leg_id(w, w->leg_of[slot]);
    put_string(t, "from", w->id[w->from[slot]]);
    put_string(t, "to", w->id[w->to[slot]]);
    key(t, "leg");
    text_json_bytes(t, id.at, id.length);
    key(t, "tail");
    drawing_id(w, t, ahead ? leg->a : leg->b);
    key(t, "tip");
    drawing_id(w, t, ahead ? leg->b : leg->a);
}

static void put_colours(const struct world *w, const struct state *s,
                        struct text *t)
{
    text_put(t, ",\"colours\":[");
    for (int k = 0; k < COLOURS; k++) {
        text_put(t, k ? ",{\"colour\":" : "{\"colour\":");
        text_json(t, colour_name(k));
        put_int(t, "supply", supply_of(s, k));
        put_string(t, "head", s->length[k] ? w->id[head_of(w, s, k)] : NULL);
        text_put(t, ",\"arrows\":[");
        for (int i = 0; i < s->length[k]; i++) {
            int slot = route_slot(s, k, i);
            bool branch =
                i > 0 && w->to[route_slot(s, k, i - 1)] != w->from[slot];
            text_put(t, i ? ",{\"branch\":" : "{\"branch\":");
            text_put(t, branch ? "true" : "false");
            put_slot(w, t, slot);
            text_char(t, '}');
        }
        text_put(t, "]}");
    }
    text_char(t, ']');
}

/* ---- cards ---- */

/* Where a mission is, as far as the viewer knows. */
static void put_location(const struct world *w, const struct state *s,
                         struct text *t, int card)
{
    int at = s->where[card], seat = -1, marker = -1;
    const char *name = "hidden";
    if (at >= AT_WON)
        name = "won", seat = at - AT_WON;
    else if (at >= AT_DONE)
        name = "done", seat = at - AT_DONE;
    else if (at < SEATS)
        name = "hand", seat = at;
    else if (at == AT_OPEN)
        name = "open";
    else if (s->phase == PHASE_SWAP && (at == AT_ASIDE || at == AT_DRAWN))
        name = "swap", seat = s->seat;
    for (int other = 0; other < w->seats; other++)
        if (set_has(s->marker[other], card))
            marker = other;
    put_string(t, "at", name);
    put_seat(t, "seat", seat);
    put_seat(t, "marker", marker);
}

static void put_distances(const struct world *w, const struct state *s,
                          struct text *t, int place)
{
    put_int(t, "nearest", tx_nearest(w, s, place));
    text_put(t, ",\"heads\":[");
    for (int k = 0; k < COLOURS; k++) {
        text_put(t, k ? "," : "");
        if (s->length[k] == ARROWS)
            text_put(t, "null");
        else
            text_int(t, w->distance[head_of(w, s, k)][place]);
    }
    text_char(t, ']');
}

static void put_missions(const struct world *w, const struct state *s,
                         struct text *t)
{
    text_put(t, ",\"missions\":[");
    for (int card = 0; card < w->cards; card++) {
        text_put(t, card ? ",{\"card\":" : "{\"card\":");
        card_value(w, t, card);
        put_location(w, s, t, card);
        put_distances(w, s, t, w->place_of[card]);
        text_char(t, '}');
    }
    text_put(t, "],\"open\":[");
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++) {
        text_put(t, i ? "," : "");
        card_value(w, t, s->open[i]);
    }
    text_char(t, ']');
}

/* Known cards of a hand: those marked in the order of marking, then others. */
static void put_hand(const struct world *w, const struct state *s, int seat,
                     struct text *t)
{
    bool first = true;
    uint64_t done[CARD_WORDS] = {0};
    text_put(t, ",\"hand\":[");
    for (int i = 0; i < s->marked[seat]; i++) {
        int card = s->mark[seat][i];
        if (!set_has(s->hand[seat], card))
            continue;
        text_put(t, first ? "" : ",");
        card_value(w, t, card);
        set_add(done, card);
        first = false;
    }
    SET_EACH(card, s->hand[seat])
    {
        if (set_has(done, card))
            continue;
        text_put(t, first ? "" : ",");
        card_value(w, t, card);
        first = false;
    }
    text_char(t, ']');
}

static void put_pile(const struct world *w, const struct state *s, int at,
                     const char *name, struct text *t)
{
    bool first = true;
    key(t, name);
    text_char(t, '[');
    for (int card = 0; card < w->cards; card++) {
        if (s->where[card] != at)
            continue;
        text_put(t, first ? "" : ",");
        card_value(w, t, card);
        first = false;
    }
    text_char(t, ']');
}

static void put_marks(const struct world *w, const struct state *s, int seat,
                      struct text *t)
{
    text_put(t, ",\"marks\":[");
    for (int i = 0; i < s->marked[seat]; i++) {
        int card = s->mark[seat][i];
        text_put(t, i ? ",{\"card\":" : "{\"card\":");
        card_value(w, t, card);
        put_flag(t, "won", !set_has(s->marker[seat], card));
        text_char(t, '}');
    }
    text_char(t, ']');
}

/* ---- seats ---- */

/* The arithmetic of terrax §10. */
static void put_tally(const struct world *w, const struct state *s, int seat,
                      struct text *t)
{
    bool markers = !w->option[VAR_CHOOSE];
    text_put(t, ",\"tally\":{\"own\":");
    text_int(t, s->done[seat]);
    put_int(t, "open", s->won[seat]);
    put_int(t, "left", -s->held[seat]);
    put_int(t, "markers", markers ? s->regained[seat] : 0);
    put_int(t, "board", markers ? -set_count(s->marker[seat]) : 0);
    put_int(t, "total", tx_points_of(w, s, seat));
    text_char(t, '}');
}

/* cheque_info=hidden (§12): others' cheques are shown after the end only. */
static bool cheques_shown(const struct world *w, const struct state *s,
                          int seat)
{
    return w->option[OPT_CHEQUE_INFO] == INFO_PUBLIC || !s->view ||
           s->view == seat + 1 || s->phase == PHASE_OVER;
}

static void put_one_seat(const struct world *w, const struct state *s,
                         const struct result *r, int seat, struct text *t)
{
    text_put(t, seat ? ",{\"seat\":" : "{\"seat\":");
    text_int(t, seat);
    put_int(t, "points", r->points[seat]);
    put_int(t, "place", r->place[seat]);
    put_int(t, "cards", s->held[seat]);
    if (cheques_shown(w, s, seat))
        put_int(t, "cheques", s->cheques[seat]);
    else
        put_string(t, "cheques", NULL);
    put_hand(w, s, seat, t);
    put_pile(w, s, AT_DONE + seat, "done", t);
    put_pile(w, s, AT_WON + seat, "won", t);
    put_marks(w, s, seat, t);
    put_tally(w, s, seat, t);
    put_flag(t, "out", s->out >> seat & 1);
    text_char(t, '}');
}

static void put_seats(const struct world *w, const struct state *s,
                      struct text *t)
{
    struct result r;
    terrax_result(w, s, &r);
    text_put(t, ",\"seats\":[");
    for (int seat = 0; seat < w->seats; seat++)
        put_one_seat(w, s, &r, seat, t);
    text_char(t, ']');
    if (cheques_shown(w, s, SEATS + 1)) {
        put_int(t, "bank", s->bank);
        put_int(t, "spent", s->spent);
    } else {
        put_string(t, "bank", NULL);
        put_string(t, "spent", NULL);
    }
    put_int(t, "stack", s->stacked);
}

/* ---- the turn ---- */

static void put_rights(const struct world *w, const struct state *s,
                       struct text *t)
{
    int cheques = 2 - s->used_cheques;
    bool shown = cheques_shown(w, s, s->seat);
    if (shown && s->cheques[s->seat] < cheques)
        cheques = s->cheques[s->seat];
    text_put(t, ",\"rights\":{\"base\":");
    text_int(t, s->base);
    put_int(t, "green", s->green);
    put_string(t, "loop", s->loop < COLOURS ? colour_name(s->loop) : NULL);
    put_int(t, "loops", s->loops);
    put_int(t, "used", s->used_cheques);
    put_int(t, "cheques", cheques);
    text_char(t, '}');
}

static void put_swap(const struct world *w, const struct state *s,
                     struct text *t)
{
    if (s->phase != PHASE_SWAP) {
        put_string(t, "swap", NULL);
        return;
    }
    text_put(t, ",\"swap\":{\"seat\":");
    text_int(t, s->seat);
    key(t, "aside");
    card_value(w, t, s->aside);
    text_put(t, ",\"drawn\":[");
    for (int i = 0; i < s->drawn_count; i++) {
        text_put(t, i ? "," : "");
        card_value(w, t, s->drawn[i]);
    }
    text_put(t, "]}");
}

static const char *kind_of(const struct state *s, action a)
{
    int kind = act_kind(a);
    bool pass = kind == ACT_END && s->phase == PHASE_TURN && s->base;
    return pass ? "pass" : kind_names[kind];
}

static void put_action(const struct world *w, const struct state *s, int seat,
                       action a, struct text *t)
{
    char word[64];
    int kind = act_kind(a);
    terrax_write_action(w, s, seat, a, seat, word, sizeof word);
    text_put(t, "{\"text\":");
    text_json(t, word);
    put_string(t, "kind", kind_of(s, a));
    if (kind == ACT_END)
        ;
    else if (kind == ACT_REMOVE) {
        int k = act_colour(a);
        put_string(t, "colour", colour_name(k));
        put_slot(w, t, route_slot(s, k, s->length[k] - 1));
    } else if (kind == ACT_BASE || kind == ACT_GREEN || kind == ACT_LOOP ||
               kind == ACT_CHEQUE) {
        put_string(t, "colour", colour_name(act_colour(a)));
        put_slot(w, t, act_slot(a));
    } else {
        key(t, "card");
        card_value(w, t, act_card_of(a));
    }
    text_char(t, '}');
}

static void put_actions(const struct world *w, const struct state *s,
                        int viewer, struct text *t)
{
    action legal[GAME_ACTIONS];
    int seat = viewer == RECORD_FULL ? s->seat : viewer;
    int count = seat < 0 ? 0 : terrax_legal(w, s, seat, legal);
    text_put(t, ",\"actions\":[");
    for (int i = 0; i < count; i++) {
        text_put(t, i ? "," : "");
        put_action(w, s, seat, legal[i], t);
    }
    text_char(t, ']');
}

static void put_options(const struct world *w, struct text *t)
{
    text_put(t, ",\"options\":{");
    for (int i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &terrax_options[i];
        text_put(t, i ? "," : "");
        text_json(t, o->name);
        text_char(t, ':');
        if (o->kind == OPTION_CHOICE)
            text_json(t, o->choices[w->option[i]]);
        else
            text_int(t, w->option[i]);
    }
    text_char(t, '}');
}

static void put_course(const struct world *w, const struct state *s,
                       struct text *t)
{
    unsigned must, may;
    terrax_turn(w, s, &must, &may);
    put_string(t, "phase", phase_names[s->phase]);
    put_string(t, "ending", s->reason ? terrax_endings[s->reason] : NULL);
    put_int(t, "round", s->round);
    put_int(t, "first", s->first);
    put_int(t, "seat", s->seat);
    put_int(t, "must", must);
    put_int(t, "may", may);
    put_flag(t, "lastRound", s->last);
    put_int(t, "still", s->still);
}

int terrax_write_scene(const struct world *w, const struct state *view,
                       int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state seen;
    const struct state *s = view;
    if (viewer != RECORD_FULL && !s->view) {
        terrax_observe(w, s, viewer, &seen);
        s = &seen;
    }
    text_put(&t, "{\"game\":\"terrax\"");
    put_seat(&t, "viewer", viewer);
    put_course(w, s, &t);
    put_rights(w, s, &t);
    put_swap(w, s, &t);
    put_colours(w, s, &t);
    put_missions(w, s, &t);
    put_seats(w, s, &t);
    put_actions(w, s, viewer, &t);
    put_options(w, &t);
    put_map(w, &t);
    text_char(&t, '}');
    return text_end(&t);
}

/* ---- effects ---- */

static void put_completed(const struct world *w, const struct state *before,
                          const struct state *after, struct text *t)
{
    bool first = true;
    text_put(t, ",\"completed\":[");
    for (int card = 0; card < w->cards; card++) {
        int at = after->where[card];
        if (at == before->where[card] || at < AT_DONE)
            continue;
        bool open = at >= AT_WON;
        int seat = at - (open ? AT_WON : AT_DONE);
        text_put(t, first ? "{\"card\":" : ",{\"card\":");
        card_value(w, t, card);
        put_int(t, "seat", seat);
        put_flag(t, "open", open);
        put_flag(t, "marker", !open && set_has(before->marker[seat], card));
        text_char(t, '}');
        first = false;
    }
    text_char(t, ']');
}

static void put_refills(const struct world *w, const struct state *before,
                        const struct state *after, struct text *t)
{
    bool first = true;
    text_put(t, ",\"opened\":[");
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++) {
        if (after->open[i] == before->open[i] || after->open[i] == NO_CARD)
            continue;
        text_put(t, first ? "" : ",");
        card_value(w, t, after->open[i]);
        first = false;
    }
    text_char(t, ']');
}

/* Changes of points and cheques of all seats. */
static void put_changes(const struct world *w, const struct state *before,
                        const struct state *after, struct text *t)
{
    text_put(t, ",\"points\":[");
    for (int seat = 0; seat < w->seats; seat++) {
        text_put(t, seat ? "," : "");
        text_int(t,
                 tx_points_of(w, after, seat) - tx_points_of(w, before, seat));
    }
    text_put(t, "],\"cheques\":[");
    for (int seat = 0; seat < w->seats; seat++) {
        text_put(t, seat ? "," : "");
        text_int(t, after->cheques[seat] - before->cheques[seat]);
    }
    text_char(t, ']');
}

/* Of an action already made, what became public by it; of one that a seat
 * might make what it can foresee, for that is asked about its view (§14). */
int terrax_write_effect(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state after = *s;
    char word[128];
    terrax_write_action(w, s, seat, a, viewer, word, sizeof word);
    terrax_apply(w, &after, seat, a);
    text_put(&t, "{\"text\":");
    text_json(&t, word);
    put_string(&t, "kind", kind_of(s, a));
    put_completed(w, s, &after, &t);
    put_refills(w, s, &after, &t);
    put_changes(w, s, &after, &t);
    put_int(&t, "green", after.green > s->green);
    put_flag(&t, "loop", after.loops > s->loops);
    put_flag(&t, "over",
             after.phase >= PHASE_CLAIMS && s->phase < PHASE_CLAIMS);
    text_char(&t, '}');
    return text_end(&t);
}
