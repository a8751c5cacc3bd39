/* server/play.c: a match in play.
 *
 * Text in, read_action, apply, append to the store; the rest happens when the
 * store has it. */
#include "server/hub.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- watching ---- */

void on_watch(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    struct link *link = r->link;
    int viewer = view_viewer(t, r->user);
    int64_t since = message_number(r->body, "since", -1);
    bool same = viewer == message_number(r->body, "viewer", viewer);
    struct out o = {0};
    out_put(&o, "{");
    view_table(h, t, viewer, same ? view_from(t, since) : 0, &o);
    out_put(&o, "}");
    if (link->socket) {
        view_watch(h, t, link);
        link->viewer = viewer;
        link->told = t->seq;
        link->behind = false;
    }
    reply_ok(h, r, o.text);
    out_release(&o);
    table_rest(h, t);
}

void on_unwatch(struct hub *h, struct request *r)
{
    view_unwatch(h, r->link);
    r->link->lobby = false;
    reply_ok(h, r, "{}");
}

/* ---- playing ---- */

/* The line with this key, if the seat has sent it before. */
static int64_t seen_before(const struct table *t, int seat, const char *key)
{
    for (int64_t i = t->seq; i > 0; i--)
        if (t->marks[i].play && t->marks[i].seat == seat &&
            strcmp(t->marks[i].key, key) == 0)
            return i;
    return 0;
}

/* Since what the player has seen others may have played, no more. */
static bool still_fits(const struct table *t, int seat, int64_t seen)
{
    if (seen < 0 || seen > t->seq)
        return false;
    for (int64_t i = seen + 1; i <= t->seq; i++)
        if (!t->marks[i].play || t->marks[i].seat == seat)
            return false;
    return true;
}

static bool canonical_step(const struct match *m, struct state *s,
                           const struct step *step, struct out *o)
{
    const struct game *g = match_game(m);
    const struct world *w = match_world(m);
    char text[256];
    struct fault f;
    size_t used;
    action back;
    g->write_action(w, s, step->seat, step->action, step->seat, text,
                    sizeof text);
    if (!g->read_action(w, s, step->seat, text, &back, &used, &f) ||
        back != step->action || used == 0)
        return false;
    if (o->length)
        out_put(o, "; ");
    out_put(o, text);
    g->apply(w, s, step->seat, step->action);
    return true;
}

/* The steps from `from` on in the game's own notation, whatever was typed. */
static bool canonical(const struct match *m, int from, struct out *o)
{
    struct state *s = sure(malloc(match_game(m)->state_size));
    bool good = true;
    match_at(m, from, s);
    for (int i = from; good && i < match_count(m); i++)
        good = canonical_step(m, s, match_step(m, i), o);
    free(s);
    return good;
}

/* A key becomes part of a line. */
static bool key_good(const char *key)
{
    return *key &&
           strspn(key, "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(key);
}

/* Others may have a word to say about what is hidden: to claim a mission. */
static bool others_may_speak(const struct table *t, const struct state *s,
                             int seat)
{
    unsigned must, may;
    if (!t->game->observe)
        return false;
    t->game->turn(match_world(t->match), s, &must, &may);
    return must && may & ~(1u << seat);
}

/* Between two steps from `from` on?  Then they must see the first one before
 * the next is played. */
static bool others_between(const struct table *t, int from, int seat)
{
    struct state *s = sure(malloc(t->game->state_size));
    bool found = false;
    for (int i = from + 1; !found && i < match_count(t->match); i++) {
        match_at(t->match, i, s);
        found = others_may_speak(t, s, seat);
    }
    free(s);
    return found;
}

/* A line is refused by what its seat sees, so that a refusal tells nothing
 * more; what the seat may do depends on nothing else (terrax §14). */
static bool is_playable(struct table *t, int seat, const char *typed,
                        bool *between, struct fault *f)
{
    int from = match_count(t->match);
    match_dream(t->match, seat);
    bool good = match_type_as(t->match, 1u << seat, seat, typed, f);
    *between = good && others_between(t, from, seat);
    match_wake(t->match);
    return good;
}

static void play(struct hub *h, struct request *r, const char *key,
                 const char *typed)
{
    struct table *t = r->table;
    struct fault f = {0};
    struct out line = {0}, actions = {0};
    int64_t at = hub_now(h);
    int from = match_count(t->match);
    out_put(&line, "play ");
    out_int(&line, r->seat);
    out_put(&line, " ");
    out_put(&line, key);
    out_put(&line, " ");
    size_t head = line.length;
    bool between;
    out_put(&line, typed);
    if (!is_playable(t, r->seat, typed, &between, &f)) {
        reply_fault(h, r, t->game, &f);
    } else if (between) {
        reply_error(h, r, "steps", "others may speak between these steps");
    } else if (!table_apply(t, at, line.text, &f)) {
        reply_fault(h, r, t->game, &f);
    } else {
        if (canonical(t->match, from, &actions)) {
            line.length = head;
            out_put(&line, actions.text);
        }
        const char *lines[] = {line.text};
        table_commit(h, t, lines, 1, at, later_of(h, r));
    }
    out_release(&line);
    out_release(&actions);
}

/* Some may speak out of turn: to claim a mission, say. */
static bool may_play(const struct table *t, int seat)
{
    unsigned must, may;
    t->game->turn(match_world(t->match), match_state(t->match), &must, &may);
    return (must | may) >> seat & 1;
}

void on_play(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    const char *key = message_text(r->body, "key", "");
    if (!key_good(key)) {
        reply_error(h, r, "field", "a key is made of letters and digits");
        return;
    }
    /* Also the play that ended the game may be sent again. */
    int64_t before = t->match ? seen_before(t, r->seat, key) : 0;
    if (before) {
        char json[64];
        snprintf(json, sizeof json, "{\"seq\":%lld}", (long long)before);
        reply_ok(h, r, json);
    } else if (t->status != TABLE_RUNNING) {
        reply_error(h, r, "state", "this game is not in play");
    } else if (!may_play(t, r->seat)) {
        reply_error(h, r, "turn", "it is not your turn");
    } else if (!still_fits(t, r->seat, message_number(r->body, "seq", 0))) {
        reply_error(h, r, "stale", "the game has moved on");
    } else {
        play(h, r, key, message_text(r->body, "line", ""));
    }
}

/* ---- trying: nothing is kept ---- */

static void take_back_to(struct match *m, int count)
{
    while (match_count(m) > count)
        match_undo(m, true);
}

static void put_fault(struct out *o, const struct game *game,
                      const struct fault *f)
{
    const struct fault_text *text = fault_text(game, f->code);
    out_put(o, "{");
    out_text(o, "name", text->name);
    out_text(o, "phrase", text->phrase);
    out_text(o, "paragraph", text->paragraph);
    out_number(o, "line", f->line);
    out_number(o, "column", f->column);
    out_text(o, "subject", f->subject);
    out_put(o, "}");
}

static bool try_line(struct table *t, int seat, const char *line,
                     struct fault *f)
{
    return !*line || match_type_as(t->match, 1u << seat, seat, line, f);
}

/* Where a match stood before a line was tried on it. */
struct trying {
    int count;
    uint32_t fence;
};

/* A line that would reveal something is not shown before it is played.  Nor is
 * one that others may have a word to say about: they must see each step. */
static bool is_final(const struct table *t, const struct trying *from, int seat)
{
    const struct world *w = match_world(t->match);
    const struct state *s = match_state(t->match);
    if (!t->game->observe || match_count(t->match) == from->count)
        return false;
    return others_may_speak(t, s, seat) || t->game->fence(w, s) != from->fence;
}

/* Types the request's line on what its seat sees, until match_wake(); answers
 * and says no where that cannot be. */
static bool begin_trying(struct hub *h, struct request *r, struct trying *from)
{
    struct table *t = r->table;
    struct fault f = {0};
    if (t->status != TABLE_RUNNING) {
        reply_error(h, r, "state", "this game is not in play");
        return false;
    }
    from->count = match_count(t->match);
    from->fence = t->game->fence(match_world(t->match), match_state(t->match));
    match_dream(t->match, r->seat);
    if (try_line(t, r->seat, message_text(r->body, "line", ""), &f))
        return true;
    match_wake(t->match);
    reply_fault(h, r, t->game, &f);
    return false;
}

/* The line step by step, where it cannot be played at once. */
static void put_steps(const struct table *t, int from, int seat, struct out *o)
{
    struct state *s = sure(malloc(t->game->state_size));
    char text[256];
    out_key(o, "steps");
    out_put(o, "[");
    for (int i = from; i < match_count(t->match); i++) {
        const struct step *step = match_step(t->match, i);
        match_at(t->match, i, s);
        t->game->write_action(match_world(t->match), s, step->seat,
                              step->action, seat, text, sizeof text);
        out_next(o);
        out_json(o, text);
    }
    out_put(o, "]");
    free(s);
}

void on_try(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    struct trying trying;
    if (!begin_trying(h, r, &trying))
        return;
    struct out o = {0};
    out_put(&o, "{");
    bool between = others_between(t, trying.count, r->seat);
    bool final = between || is_final(t, &trying, r->seat);
    out_flag(&o, "final", final);
    if (!final)
        view_position(t->match, trying.count, r->seat, &o);
    else if (between)
        put_steps(t, trying.count, r->seat, &o);
    out_put(&o, "}");
    match_wake(t->match);
    reply_ok(h, r, o.text);
    out_release(&o);
}

/* Why each of several texts would be refused after the line. */
void on_explain(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    struct trying trying;
    size_t i;
    json_t *text;
    if (!begin_trying(h, r, &trying))
        return;
    struct out o = {0};
    out_put(&o, "{\"faults\":[");
    bool silent = is_final(t, &trying, r->seat);
    json_array_foreach(json_object_get(r->body, "texts"), i, text)
    {
        int before = match_count(t->match);
        struct fault why = {0};
        out_next(&o);
        if (silent || match_type_as(t->match, 1u << r->seat, r->seat,
                                    json_string_value(text), &why))
            out_put(&o, "null");
        else
            put_fault(&o, t->game, &why);
        take_back_to(t->match, before);
    }
    out_put(&o, "]}");
    match_wake(t->match);
    reply_ok(h, r, o.text);
    out_release(&o);
}

/* ---- looking back ---- */

void on_scene(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    if (!t->match) {
        reply_error(h, r, "state", "this game has not begun");
        return;
    }
    long count = message_number(r->body, "count", 0);
    if (count > match_count(t->match))
        count = match_count(t->match);
    struct state *s = sure(malloc(t->game->state_size));
    struct out o = {0};
    match_at(t->match, (int)count, s);
    out_put(&o, "{\"scene\":");
    view_scene(t->match, s, view_viewer(t, r->user), &o);
    out_put(&o, "}");
    reply_ok(h, r, o.text);
    out_release(&o);
    free(s);
}

static void note_players(const struct table *t)
{
    for (int i = 0; i < t->seats; i++) {
        char key[16];
        const struct seat *s = &t->seat[i];
        snprintf(key, sizeof key, "%s%d",
                 strcmp(t->game->name, "terrax") == 0 ? "P" : "Seat", i + 1);
        match_set_note(t->match, key, s->user ? s->user->name : s->bot);
    }
}

char *record_text(const struct table *t, const struct record_format *format,
                  int count, int viewer)
{
    note_players(t);
    int length = match_write(t->match, format, count, viewer, NULL, 0);
    if (length < 0)
        return NULL;
    char *text = sure(malloc((size_t)length + 1));
    match_write(t->match, format, count, viewer, text, (size_t)length + 1);
    return text;
}

void on_record(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    const char *name = message_text(r->body, "format", NULL);
    const struct record_format *format = match_format(t->game, name);
    int total = t->match ? match_count(t->match) : 0;
    long count = message_number(r->body, "count", total);
    int viewer = t->game->observe ? view_viewer(t, r->user) : RECORD_FULL;
    char *text =
        t->match && format
            ? record_text(t, format, count > total ? total : (int)count, viewer)
            : NULL;
    if (!text) {
        reply_error(h, r, "state", "this cannot be written");
        return;
    }
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "text", text);
    out_put(&o, "}");
    reply_ok(h, r, o.text);
    out_release(&o);
    free(text);
}

/* ---- by agreement ---- */

/* Where the seat's last play that still stands began; -1: nowhere. */
static int last_play(const struct table *t, int seat)
{
    int count = match_count(t->match);
    for (int64_t i = t->seq; i > 0; i--) {
        const struct mark *m = &t->marks[i];
        if (m->play && m->seat == seat && m->count <= count &&
            m[-1].count < m->count)
            return m[-1].count;
        if (m[-1].count < count)
            count = m[-1].count;
    }
    return -1;
}

static unsigned people(const struct table *t)
{
    unsigned all = 0;
    for (int i = 0; i < t->seats; i++)
        if (t->seat[i].user && !t->seat[i].gone)
            all |= 1u << i;
    return all;
}

static void undo(struct hub *h, struct request *r, int count)
{
    struct table *t = r->table;
    char line[32];
    const char *lines[] = {line};
    struct fault f = {0};
    int64_t at = hub_now(h);
    snprintf(line, sizeof line, "undo %d", count);
    if (table_apply(t, at, line, &f))
        table_commit(h, t, lines, 1, at, later_of(h, r));
    else
        reply_fault(h, r, t->game, &f);
}

void on_takeback(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    int count = t->status == TABLE_RUNNING ? last_play(t, r->seat) : -1;
    if (count < 0) {
        reply_error(h, r, "state", "there is nothing to take back");
    } else if (people(t) == 1u << r->seat) {
        undo(h, r, count);
    } else {
        t->takeback = (struct takeback){r->seat, count, 1u << r->seat};
        table_save(h, t, later_of(h, r));
    }
}

void on_answer(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    struct takeback *b = &t->takeback;
    if (t->status != TABLE_RUNNING || b->seat < 0) {
        reply_error(h, r, "state", "nobody asks for anything");
        return;
    }
    if (message_flag(r->body, "yes", false)) {
        b->agreed |= 1u << r->seat;
        if ((b->agreed & people(t)) == people(t)) {
            undo(h, r, b->count);
            return;
        }
    } else {
        b->seat = SEAT_NONE;
    }
    table_save(h, t, later_of(h, r));
}

void on_resign(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    char line[64];
    const char *lines[] = {line};
    struct fault f = {0};
    int64_t at = hub_now(h);
    if (t->status != TABLE_RUNNING) {
        reply_error(h, r, "state", "this game is not in play");
        return;
    }
    for (int i = 0; i < match_count(t->match); i++) {
        const struct step *s = match_step(t->match, i);
        if (s->kind == STEP_DROP && s->seat == r->seat) {
            reply_error(h, r, "state", "you have resigned already");
            return;
        }
    }
    if (table_active(t) > 2)
        snprintf(line, sizeof line, "drop %d", r->seat);
    else
        snprintf(line, sizeof line, "stop %s %d",
                 t->game->endings[ENDING_RESIGN], r->seat);
    if (table_apply(t, at, line, &f))
        table_commit(h, t, lines, 1, at, later_of(h, r));
    else
        reply_fault(h, r, t->game, &f);
}
