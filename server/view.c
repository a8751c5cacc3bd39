/* server/view.c: what each viewer is told about a match.
 *
 * Everything goes through observe(): a seat gets its own view, others the
 * public one, and after the end all is open. */
#include "server/hub.h"

#include "game/setup.h"

#include <stdlib.h>
#include <string.h>

static struct state *view_of(const struct match *m, const struct state *s,
                             int viewer)
{
    const struct game *g = match_game(m);
    struct state *view = sure(malloc(g->state_size));
    if (g->observe && viewer != RECORD_FULL)
        g->observe(match_world(m), s, viewer, view);
    else
        memcpy(view, s, g->state_size);
    return view;
}

static void put_scene(const struct match *m, const struct state *view,
                      int viewer, struct out *o)
{
    const struct game *g = match_game(m);
    const struct world *w = match_world(m);
    out_reserve(o, 8192);
    for (;;) {
        size_t room = o->cap - o->length;
        int length = g->write_scene(w, view, viewer, o->text + o->length, room);
        if ((size_t)length < room) {
            o->length += (size_t)length;
            return;
        }
        out_reserve(o, (size_t)length + 1);
    }
}

void view_scene(const struct match *m, const struct state *s, int viewer,
                struct out *o)
{
    struct state *view = view_of(m, s, viewer);
    put_scene(m, view, viewer, o);
    free(view);
}

static void put_effect(const struct match *m, const struct state *s, int seat,
                       action a, int viewer, struct out *o)
{
    const struct game *g = match_game(m);
    int length = g->write_effect(match_world(m), s, seat, a, viewer, NULL, 0);
    out_reserve(o, (size_t)length);
    g->write_effect(match_world(m), s, seat, a, viewer, o->text + o->length,
                    (size_t)length + 1);
    o->length += (size_t)length;
}

static void put_effects(const struct match *m, int viewer, struct out *o)
{
    const struct game *g = match_game(m);
    unsigned must, may;
    g->turn(match_world(m), match_state(m), &must, &may);
    out_key(o, "effects");
    out_put(o, "[");
    if (viewer >= 0 && (must | may) >> viewer & 1) {
        struct state *view = view_of(m, match_state(m), viewer);
        action *legal = sure(malloc(GAME_ACTIONS * sizeof *legal));
        int count = g->legal(match_world(m), view, viewer, legal);
        for (int i = 0; i < count; i++) {
            out_next(o);
            put_effect(m, view, viewer, legal[i], viewer, o);
        }
        free(legal);
        free(view);
    }
    out_put(o, "]");
}

/* ---- the log ---- */

static void step_apply(const struct match *m, struct state *s,
                       const struct step *step)
{
    const struct game *g = match_game(m);
    if (step->kind == STEP_ACTION)
        g->apply(match_world(m), s, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        g->drop(match_world(m), s, step->seat);
    else if (step->kind == STEP_STOP)
        g->stop(match_world(m), s, step->reason, step->seat);
}

/* Points as the viewer can count them. */
static void put_points(const struct match *m, const struct state *s, int viewer,
                       struct out *o)
{
    struct result r;
    struct state *view = view_of(m, s, viewer);
    match_game(m)->result(match_world(m), view, &r);
    free(view);
    out_key(o, "points");
    out_put(o, "[");
    for (int seat = 0; seat < match_setup(m)->seats; seat++) {
        out_next(o);
        out_int(o, r.points[seat]);
    }
    out_put(o, "]");
}

/* Writes one step and plays it on s. */
static void put_step(const struct match *m, struct state *s,
                     const struct step *step, int viewer, struct out *o)
{
    static const char *const kinds[] = {"action", "drop", "stop", "takeover"};
    const struct game *g = match_game(m);
    const struct world *w = match_world(m);
    uint32_t before = g->fence(w, s);
    out_put(o, "{");
    out_number(o, "seat", step->seat);
    out_text(o, "kind", kinds[step->kind]);
    if (step->kind == STEP_STOP)
        out_text(o, "reason", g->endings[step->reason]);
    if (step->kind == STEP_ACTION) {
        char text[256];
        g->write_action(w, s, step->seat, step->action, viewer, text,
                        sizeof text);
        out_text(o, "text", text);
        out_key(o, "effect");
        put_effect(m, s, step->seat, step->action, viewer, o);
    }
    step_apply(m, s, step);
    put_points(m, s, viewer, o);
    out_flag(o, "last", g->fence(w, s) != before);
    out_put(o, "}");
}

static void put_log(const struct match *m, int from, int viewer, struct out *o)
{
    struct state *s = sure(malloc(match_game(m)->state_size));
    match_at(m, from, s);
    out_number(o, "from", from);
    out_key(o, "log");
    out_put(o, "[");
    for (int i = from; i < match_count(m); i++) {
        out_next(o);
        put_step(m, s, match_step(m, i), viewer, o);
    }
    out_put(o, "]");
    free(s);
}

static void put_status(const struct match *m, struct out *o)
{
    unsigned must, may;
    match_game(m)->turn(match_world(m), match_state(m), &must, &may);
    out_key(o, "status");
    out_put(o, "{");
    out_text(o, "game", match_game(m)->name);
    out_number(o, "seats", match_setup(m)->seats);
    out_number(o, "count", match_count(m));
    out_number(o, "total", match_count(m));
    out_number(o, "fence", match_fence(m));
    out_number(o, "seat", match_seat(m));
    out_number(o, "must", must);
    out_number(o, "may", may);
    out_flag(o, "over", match_over(m));
    out_put(o, "}");
}

void view_position(const struct match *m, int from, int viewer, struct out *o)
{
    put_status(m, o);
    out_key(o, "scene");
    view_scene(m, match_state(m), viewer, o);
    put_log(m, from, viewer, o);
    put_effects(m, viewer, o);
}

/* ---- tables ---- */

static void put_seats(const struct table *t, struct out *o)
{
    out_key(o, "seats");
    out_put(o, "[");
    for (int i = 0; i < t->seats; i++) {
        const struct seat *s = &t->seat[i];
        out_next(o);
        out_put(o, "{");
        user_write(o, "user", s->user);
        out_text(o, "bot", s->bot[0] ? s->bot : NULL);
        out_flag(o, "gone", s->gone);
        out_put(o, "}");
    }
    out_put(o, "]");
}

/* What is given comes after the seed. */
static const char *given_of(const struct table *t)
{
    const char *seed = strstr(t->setup, "\nseed: ");
    const char *end = seed ? strchr(seed + 1, '\n') : NULL;
    return end ? end + 1 : "";
}

/* The setup without its seed, which stays ours. */
static void put_setup(const struct table *t, struct out *o)
{
    const char *seed = strstr(t->setup, "\nseed: ");
    size_t length = seed ? (size_t)(seed + 1 - t->setup) : strlen(t->setup);
    char *head = sure(strndup(t->setup, length));
    out_text(o, "setup", head);
    out_flag(o, "own", *given_of(t) != '\0');
    free(head);
}

static void put_result(const struct table *t, struct out *o)
{
    out_key(o, "result");
    if (t->status != TABLE_OVER) {
        out_put(o, "null");
        return;
    }
    out_put(o, "{");
    out_text(o, "reason", t->game->endings[t->result.reason]);
    out_key(o, "points");
    out_put(o, "[");
    for (int i = 0; i < t->seats; i++) {
        out_next(o);
        out_int(o, t->result.points[i]);
    }
    out_put(o, "]");
    out_key(o, "places");
    out_put(o, "[");
    for (int i = 0; i < t->seats; i++) {
        out_next(o);
        out_int(o, t->result.place[i]);
    }
    out_put(o, "]}");
}

void view_info(const struct hub *h, const struct table *t, struct out *o)
{
    static const char *const states[] = {"open", "running", "over"};
    const struct user *owner = dict_find(&h->users, t->owner);
    out_text(o, "table", t->id);
    out_text(o, "game", t->game->name);
    out_text(o, "title", t->title);
    out_text(o, "state", states[t->status]);
    out_text(o, "owner", owner ? owner->name : "");
    out_flag(o, "hidden", t->hidden);
    out_flag(o, "rated", t->rated);
    out_text(o, "pace", pace_name(t->pace.kind));
    out_number(o, "base", t->pace.base_ms);
    out_number(o, "more", t->pace.more_ms);
    out_text(o, "timeout", t->pace.bot ? "bot" : "resign");
    out_number(o, "created", t->created);
    out_number(o, "started", t->started);
    out_number(o, "finished", t->finished);
    out_number(o, "asked", t->status == TABLE_RUNNING ? t->asked : 0);
    out_number(o, "deadline", t->deadline);
    out_text(o, "next", t->next[0] ? t->next : NULL);
    put_seats(t, o);
    put_setup(t, o);
    put_result(t, o);
}

static void put_clock(const struct hub *h, const struct table *t, struct out *o)
{
    int64_t now = hub_now(h);
    unsigned running = 0;
    out_key(o, "clock");
    if (t->pace.kind == PACE_NONE || !t->match) {
        out_put(o, "null");
        return;
    }
    out_put(o, "{");
    out_number(o, "now", now);
    out_key(o, "left");
    out_put(o, "[");
    for (int i = 0; i < t->seats; i++) {
        out_next(o);
        out_int(o, clock_left(t, i, now));
        if (t->clock.since[i] && t->seat[i].user && !t->seat[i].gone)
            running |= 1u << i;
    }
    out_put(o, "]");
    out_number(o, "running", t->status == TABLE_RUNNING ? running : 0);
    out_put(o, "}");
}

static void put_takeback(const struct table *t, struct out *o)
{
    out_key(o, "takeback");
    if (t->takeback.seat < 0) {
        out_put(o, "null");
        return;
    }
    out_put(o, "{");
    out_number(o, "seat", t->takeback.seat);
    out_number(o, "count", t->takeback.count);
    out_number(o, "agreed", t->takeback.agreed);
    out_put(o, "}");
}

/* The rules the game offers, and which one the viewer has chosen. */
static void put_standing(const struct table *t, int viewer, struct out *o)
{
    if (!t->game->standing)
        return;
    const char *const *rule = t->game->standing->rules;
    const char *chosen = t->seat[viewer].rule;
    out_text(o, "standing", chosen[0] ? chosen : rule[0]);
    out_key(o, "standings");
    out_put(o, "[");
    for (; *rule; rule++) {
        out_next(o);
        out_json(o, *rule);
    }
    out_put(o, "]");
}

void view_table(const struct hub *h, const struct table *t, int viewer,
                int from, struct out *o)
{
    view_info(h, t, o);
    out_number(o, "seq", t->seq);
    out_number(o, "viewer", viewer);
    put_clock(h, t, o);
    put_takeback(t, o);
    if (t->status == TABLE_OPEN)
        out_text(o, "given", given_of(t));
    if (viewer >= 0) {
        out_text(o, "invite", t->invite);
        put_standing(t, viewer, o);
    }
    if (t->match)
        view_position(t->match, from, viewer, o);
}

/* After the end nothing is hidden from anybody. */
int view_viewer(const struct table *t, const struct user *u)
{
    if (t->status == TABLE_OVER && t->game->observe)
        return RECORD_FULL;
    return table_seat(t, u);
}

/* The first step that somebody who knows the table as it was after the line
 * `since` has to hear again: what was taken back is told anew. */
int view_from(const struct table *t, int64_t since)
{
    if (since < 0 || since > t->seq || !t->match)
        return 0;
    int from = t->marks[since].count;
    for (int64_t i = since + 1; i <= t->seq; i++)
        if (t->marks[i].count < from)
            from = t->marks[i].count;
    return from;
}
