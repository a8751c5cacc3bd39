/* rules/nova/scene.c: a position and the effect of an action as JSON. */
#include "rules/nova/state.h"

/* ---- small pieces of JSON ---- */

/* Every key but the first of an object, which its writer puts itself. */
static void key(struct text *t, const char *name)
{
    text_put(t, ",\"");
    text_put(t, name);
    text_put(t, "\":");
}

static void put_hex(const struct world *w, int hex, struct text *t)
{
    text_char(t, '"');
    board_put_hex(&w->board, hex, t);
    text_char(t, '"');
}

static void put_hexes(const struct world *w, const struct bits *hexes,
                      struct text *t)
{
    bool first = true;
    text_char(t, '[');
    BITS_EACH (hex, *hexes) {
        if (!first)
            text_char(t, ',');
        put_hex(w, hex, t);
        first = false;
    }
    text_char(t, ']');
}

static const char *const kind_name[] = {"move", "stone", "place", "pass"};

/* ---- the board ---- */

static void put_board(const struct world *w, struct text *t)
{
    const struct board *b = &w->board;
    text_put(t, "{\"name\":");
    text_json(t, b->name);
    text_put(t, ",\"title\":");
    text_json(t, b->title[0] ? b->title : b->name);
    text_put(t, ",\"landscapes\":[");
    for (int land = 0; land < b->lands; land++) {
        char letter[2] = {b->letter[land], 0};
        text_put(t, land ? ",{\"letter\":" : "{\"letter\":");
        text_json(t, letter);
        text_put(t, ",\"name\":");
        text_json(t, b->land_name[land]);
        text_put(t, ",\"colour\":");
        text_json(t, b->colour[land]);
        text_char(t, '}');
    }
    text_put(t, "]}");
}

/* nova §10.1: x = n - r / 2, y = r * sqrt(3) / 2, in units of the distance
 * between neighbouring centres. */
static void put_cells(const struct world *w, struct text *t)
{
    text_char(t, '[');
    for (int hex = 0; hex < w->hexes; hex++) {
        int row = w->board.row[hex], number = w->board.number[hex];
        text_put(t, hex ? ",{\"hex\":" : "{\"hex\":");
        put_hex(w, hex, t);
        text_put(t, ",\"x\":");
        text_milli(t, 1000 * number - 500 * row);
        text_put(t, ",\"y\":");
        text_milli(t, (866025 * row + 500) / 1000);
        text_put(t, ",\"land\":");
        text_int(t, w->board.land[hex]);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_pioneers(const struct world *w, const struct state *s,
                         struct text *t)
{
    bool first = true;
    text_char(t, '[');
    for (int seat = 0; seat < w->seats; seat++)
        BITS_EACH (hex, s->pioneers[seat]) {
            text_put(t, first ? "{\"hex\":" : ",{\"hex\":");
            put_hex(w, hex, t);
            text_put(t, ",\"seat\":");
            text_int(t, seat);
            text_char(t, '}');
            first = false;
        }
    text_char(t, ']');
}

/* Scored territories: open hexes outside the live parts. */
static void put_closed(const struct world *w, const struct state *s,
                       struct text *t)
{
    struct bits open = open_hexes(w, s);
    struct bits left = bits_without(open, &s->live);
    bool first = true;
    text_char(t, '[');
    for (int hex; (hex = bits_first(&left)) >= 0; first = false) {
        struct bits part = nova_part(w, s, hex);
        if (!first)
            text_char(t, ',');
        put_hexes(w, &part, t);
        left = bits_without(left, &part);
    }
    text_char(t, ']');
}

/* ---- seats and turn ---- */

static void put_seats(const struct world *w, const struct state *s,
                      struct text *t)
{
    struct result r;
    nova_result(w, s, &r);
    text_char(t, '[');
    for (int seat = 0; seat < w->seats; seat++) {
        char colour[2] = {w->colour[seat], 0};
        text_put(t, seat ? ",{\"colour\":" : "{\"colour\":");
        text_json(t, colour);
        text_put(t, ",\"points\":");
        text_int(t, r.points[seat]);
        text_put(t, ",\"place\":");
        text_int(t, r.place[seat]);
        text_put(t, ",\"pioneers\":");
        text_int(t, bits_count(&s->pioneers[seat]));
        text_put(t, ",\"hand\":");
        text_int(t, s->hand[seat]);
        text_put(t, s->out >> seat & 1 ? ",\"out\":true}" : ",\"out\":false}");
    }
    text_char(t, ']');
}

static void put_ending(int reason, struct text *t)
{
    if (reason)
        text_json(t, nova_endings[reason]);
    else
        text_put(t, "null");
}

static void put_moved(const struct world *w, const struct state *s,
                      struct text *t)
{
    text_char(t, '[');
    for (int i = 0; i < s->moved_count; i++) {
        text_put(t, i ? ",{\"home\":" : "{\"home\":");
        put_hex(w, s->moved[i].home, t);
        text_put(t, ",\"now\":");
        if (s->moved[i].now == GONE)
            text_put(t, "null");
        else
            put_hex(w, s->moved[i].now, t);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_turn(const struct world *w, const struct state *s,
                     struct text *t)
{
    key(t, "phase");
    text_json(t, s->reason ? "over" : s->act == PLACING ? "place" : "play");
    key(t, "ending");
    put_ending(s->reason, t);
    key(t, "seat");
    text_int(t, s->reason ? SEAT_NONE : s->seat);
    key(t, "action");
    text_int(t, s->act);
    key(t, "moved");
    put_moved(w, s, t);
    key(t, "placed");
    text_int(t, s->placed);
    key(t, "supply");
    if (w->stones == 0)
        text_put(t, "null");
    else
        text_int(t, s->supply);
    key(t, "quiet");
    text_int(t, s->quiet);
    key(t, "quiet_limit");
    text_int(t, w->quiet_turns);
    key(t, "must");
    text_int(t, s->reason ? 0 : 1 << s->seat);
    key(t, "may");
    text_int(t, 0);
}

/* ---- legal actions ---- */

static void put_touched(const struct world *w, action a, struct text *t)
{
    key(t, "kind");
    text_json(t, kind_name[kind_of(a)]);
    if (kind_of(a) == MOVE) {
        key(t, "from");
        put_hex(w, from_of(a), t);
    }
    if (kind_of(a) != PASS) {
        key(t, "to");
        put_hex(w, to_of(a), t);
    }
}

static void put_actions(const struct world *w, const struct state *s,
                        struct text *t)
{
    action list[GAME_ACTIONS];
    int count = nova_legal(w, s, s->seat, list);
    text_char(t, '[');
    for (int i = 0; i < count; i++) {
        char notation[64];
        nova_write_action(w, s, s->seat, list[i], SEAT_NONE, notation,
                          sizeof notation);
        text_put(t, i ? ",{\"text\":" : "{\"text\":");
        text_json(t, notation);
        put_touched(w, list[i], t);
        text_char(t, '}');
    }
    text_char(t, ']');
}

int nova_write_scene(const struct world *w, const struct state *s, int viewer,
                     char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    (void)viewer;
    text_put(&t, "{\"game\":\"nova\",\"board\":");
    put_board(w, &t);
    key(&t, "cells");
    put_cells(w, &t);
    key(&t, "stones");
    put_hexes(w, &s->stones, &t);
    key(&t, "pioneers");
    put_pioneers(w, s, &t);
    key(&t, "closed");
    put_closed(w, s, &t);
    key(&t, "seats");
    put_seats(w, s, &t);
    put_turn(w, s, &t);
    key(&t, "actions");
    put_actions(w, s, &t);
    text_char(&t, '}');
    return text_end(&t);
}

/* ---- effects ---- */

static void put_gains(const struct world *w, const struct territory *c,
                      struct text *t)
{
    bool first = true;
    text_char(t, '[');
    for (int seat = 0; seat < w->seats; seat++) {
        if (c->gain[seat] == 0)
            continue;
        text_put(t, first ? "{\"seat\":" : ",{\"seat\":");
        text_int(t, seat);
        text_put(t, ",\"points\":");
        text_int(t, c->gain[seat]);
        text_char(t, '}');
        first = false;
    }
    text_char(t, ']');
}

static void put_territory(const struct world *w, const struct state *s,
                          const struct territory *c, struct text *t)
{
    struct bits pioneers = all_pioneers(s);
    struct bits removed = bits_and(c->hexes, &pioneers);
    text_put(t, "{\"hexes\":");
    put_hexes(w, &c->hexes, t);
    text_put(t, ",\"size\":");
    text_int(t, c->size);
    text_put(t, ",\"variety\":");
    text_int(t, c->variety);
    text_put(t, ",\"factor\":");
    text_int(t, 4 - c->variety);
    text_put(t, ",\"value\":");
    text_int(t, c->value);
    text_put(t, ",\"gains\":");
    put_gains(w, c, t);
    text_put(t, ",\"removed\":");
    put_hexes(w, &removed, t);
    text_char(t, '}');
}

int nova_write_effect(const struct world *w, const struct state *s, int seat,
                      action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct state after = *s;
    struct territory closed[3];
    char notation[64];
    nova_write_action(w, s, seat, a, viewer, notation, sizeof notation);
    text_put(&t, "{\"text\":");
    text_json(&t, notation);
    put_touched(w, a, &t);
    key(&t, "territories");
    text_char(&t, '[');
    int count =
        kind_of(a) == STONE ? nova_put_stone(w, &after, to_of(a), closed) : 0;
    for (int i = 0; i < count; i++) {
        if (i)
            text_char(&t, ',');
        put_territory(w, s, &closed[i], &t);
    }
    text_char(&t, ']');
    after = *s;
    nova_apply(w, &after, seat, a);
    key(&t, "ending");
    put_ending(after.reason, &t);
    key(&t, "next");
    text_int(&t, after.reason ? SEAT_NONE : after.seat);
    text_char(&t, '}');
    return text_end(&t);
}
