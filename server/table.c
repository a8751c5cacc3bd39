/* server/table.c: matches in memory, and how they get to the store.
 *
 * A match is a log of lines; everything else can be made from it:
 *
 *     start 1                 the version of this format
 *     play SEAT KEY ACTIONS   KEY makes a repeated message harmless; or "-"
 *     undo COUNT              back to so many steps, by agreement
 *     drop SEAT               resigned, the others play on
 *     stop REASON SEAT        broken off
 *     takeover SEAT LEVEL     a bot sits there from now on
 *     time SEAT               its clock ran out; what follows says the rest
 *     resume                  clocks go on after the server was away
 */
#include "server/hub.h"

#include "base/text.h"
#include "game/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, LOADED_MAX = 200 };

unsigned table_asked(const struct table *t)
{
    unsigned must, may;
    if (!t->match)
        return t->asked;
    t->game->turn(match_world(t->match), match_state(t->match), &must, &may);
    return must ? must : may;
}

int table_active(const struct table *t)
{
    unsigned out = 0;
    for (int i = 0; i < match_count(t->match); i++) {
        const struct step *s = match_step(t->match, i);
        if (s->kind == STEP_DROP)
            out |= 1u << s->seat;
    }
    return t->seats - __builtin_popcount(out);
}

/* ---- lines ---- */

static void push_mark(struct table *t, int seat, const char *key)
{
    if (t->seq + 2 > t->marks_cap) {
        t->marks_cap = t->marks_cap ? 2 * t->marks_cap : 64;
        t->marks =
            sure(realloc(t->marks, (size_t)t->marks_cap * sizeof *t->marks));
    }
    struct mark *m = &t->marks[++t->seq];
    m->count = match_count(t->match);
    m->seat = (int8_t)seat;
    m->play = seat >= 0 && key;
    snprintf(m->key, sizeof m->key, "%s", key ? key : "");
}

static bool read_seat(const struct table *t, struct span *rest, int *seat)
{
    long number;
    if (!span_int(span_word(rest), 0, t->seats - 1, &number))
        return false;
    *seat = (int)number;
    return true;
}

static bool apply_play(struct table *t, struct span rest, int *ended, char *key,
                       struct fault *f)
{
    int seat;
    if (!read_seat(t, &rest, &seat))
        return fault_set(f, FAULT_SYNTAX, 0, 0, "seat");
    span_copy(span_word(&rest), key, KEY_BYTES);
    const struct world *w = match_world(t->match);
    uint32_t before = t->game->fence(w, match_state(t->match));
    if (!match_type_as(t->match, 1u << seat, seat, rest.at, f))
        return false;
    if (t->game->fence(w, match_state(t->match)) != before)
        *ended = seat;
    push_mark(t, seat, key);
    return true;
}

static bool apply_undo(struct table *t, struct span rest)
{
    long count;
    if (!span_int(span_word(&rest), 0, match_count(t->match), &count))
        return false;
    while (match_count(t->match) > count)
        match_undo(t->match, true);
    return true;
}

static int reason_of(const struct game *game, struct span word)
{
    for (int i = 1; i < ENDING_GAME; i++)
        if (span_is(word, game->endings[i]))
            return i;
    return 0;
}

static bool apply_stop(struct table *t, struct span rest)
{
    int reason = reason_of(t->game, span_word(&rest)), seat;
    if (!reason || !read_seat(t, &rest, &seat) || match_over(t->match))
        return false;
    match_stop(t->match, reason, seat);
    return true;
}

static bool apply_seat(struct table *t, struct span word, struct span rest)
{
    int seat;
    if (!read_seat(t, &rest, &seat))
        return false;
    if (span_is(word, "drop")) {
        if (match_over(t->match))
            return false;
        match_drop(t->match, seat);
    } else if (span_is(word, "takeover")) {
        match_takeover(t->match, seat);
        span_copy(span_word(&rest), t->seat[seat].bot,
                  sizeof t->seat[seat].bot);
        t->seat[seat].gone = true;
    }
    return true;
}

/* Everything but plays. */
static bool apply_other(struct table *t, struct span word, struct span rest)
{
    long version;
    if (span_is(word, "start"))
        return span_int(span_word(&rest), 1, FORMAT, &version);
    if (span_is(word, "undo"))
        return apply_undo(t, rest);
    if (span_is(word, "stop"))
        return apply_stop(t, rest);
    if (span_is(word, "resume"))
        return true;
    if (span_is(word, "drop") || span_is(word, "takeover") ||
        span_is(word, "time"))
        return apply_seat(t, word, rest);
    return false;
}

bool table_apply(struct table *t, int64_t at, const char *line, struct fault *f)
{
    struct span rest = span_of(line);
    struct span word = span_word(&rest);
    unsigned before = table_asked(t);
    int ended = SEAT_NONE;
    char key[KEY_BYTES];
    if (span_is(word, "play")) {
        if (!apply_play(t, rest, &ended, key, f))
            return false;
    } else {
        if (!apply_other(t, word, rest))
            return fault_set(f, FAULT_SYNTAX, 0, 0, line);
        push_mark(t, SEAT_NONE, NULL);
    }
    if (span_is(word, "start"))
        clock_start(t, at);
    else if (span_is(word, "resume"))
        clock_resume(t, at);
    else
        clock_step(t, at, before, ended);
    t->takeback.seat = SEAT_NONE; /* what was asked for is past */
    return true;
}

/* ---- opening ---- */

struct match *table_open(const struct table *t, struct fault *f)
{
    struct setup setup;
    setup_init(t->game, &setup);
    if (!setup_read(t->game, t->setup, &setup, f))
        return NULL;
    return match_open(t->game, &setup, f);
}

static bool open_match(struct table *t, struct fault *f)
{
    t->match = table_open(t, f);
    if (!t->match)
        return false;
    t->seq = -1;
    push_mark(t, SEAT_NONE, NULL);
    t->takeback.seat = SEAT_NONE;
    memset(&t->clock, 0, sizeof t->clock);
    return true;
}

bool table_replay(struct table *t, const struct store_row *rows, int count,
                  struct fault *f, const char **line)
{
    *line = "the setup";
    if (!open_match(t, f))
        return false;
    for (int i = 0; i < count; i++) {
        *line = rows[i].text;
        if (!table_apply(t, rows[i].at, rows[i].text, f))
            return false;
    }
    return true;
}

void table_unload(struct hub *h, struct table *t)
{
    h->loaded -= t->match != NULL;
    match_close(t->match);
    t->match = NULL;
    free(t->marks);
    t->marks = NULL;
    t->marks_cap = 0;
    t->seq = 0;
}

static void replay(struct hub *h, struct table *t, const struct store_answer *a)
{
    struct fault f = {0};
    const char *line;
    struct takeback kept = t->takeback;
    bool good = table_replay(t, a->rows, a->count, &f, &line);
    h->loaded += t->match != NULL;
    if (good && t->stored == t->seq)
        t->takeback = kept; /* nothing came behind it */
    if (good)
        return;
    char why[300];
    fault_write(t->game, &f, why, sizeof why);
    hub_log(h, "a match does not replay", t->id, why);
    hub_log(h, "the line refused", t->id, line);
    table_unload(h, t);
    t->broken = true;
}

struct loading {
    struct hub *hub;
    struct table *table;
};

static bool live(const struct table *t)
{
    return t->pace.kind != PACE_NONE && t->pace.kind != PACE_SLOW;
}

static void log_name(const struct table *t, char to[ID_BYTES + 8])
{
    snprintf(to, ID_BYTES + 8, "match:%s", t->id);
}

static struct loading *loading_new(struct hub *h, struct table *t)
{
    struct loading *l = sure(calloc(1, sizeof *l));
    *l = (struct loading){h, t};
    return l;
}

/* The store could not say: the table waits, and is read at a later tick. */
static void doubt(struct hub *h, struct table *t, const struct store_answer *a)
{
    hub_log(h, "a table cannot be read", t->id, a->why);
    h->unsure += !t->unsure;
    t->unsure = true;
}

/* Nothing of the table is on its way any more. */
static void settle(struct hub *h, struct table *t)
{
    if (t->busy || t->loading)
        return;
    if (t->outdated) {
        table_catch_up(h, t);
        return;
    }
    table_ready(h, t);
    bots_wake(h, t);
}

/* What another process did is told to who watches here. */
static void show(struct hub *h, struct table *t)
{
    if (!t->busy && !t->outdated && t->shown != t->version &&
        (t->match || t->status == TABLE_OPEN))
        view_changed(h, t, t->seq);
}

static void resume(struct hub *h, struct table *t)
{
    if (!t->resume || !t->match || t->busy || t->status != TABLE_RUNNING)
        return;
    t->resume = false;
    if (live(t))
        table_decide(h, t, "resume");
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct loading l = *(struct loading *)context;
    struct table *t = l.table;
    free(context);
    if (a->outcome != STORE_OK) {
        doubt(l.hub, t, a);
        return;
    }
    t->loading = false;
    replay(l.hub, t, a);
    if (t->match && t->seq < t->stored)
        t->outdated = true; /* the record came later */
    resume(l.hub, t);
    show(l.hub, t);
    settle(l.hub, t);
}

void table_load(struct hub *h, struct table *t)
{
    char log[ID_BYTES + 8];
    if (t->loading || t->match)
        return;
    t->loading = true;
    log_name(t, log);
    store_lines(h->set.store, log, 0, on_lines, loading_new(h, t));
}

static bool needed(const struct table *t)
{
    return t->busy || t->loading || t->watchers || t->thinking >= 0 ||
           t->bot_until || t->first;
}

/* A match nobody looks at or thinks about need not be in memory: one that is
 * over goes at once, others when there are many. */
void table_rest(struct hub *h, struct table *t)
{
    if (t->match && !needed(t) &&
        (t->status == TABLE_OVER || h->loaded > LOADED_MAX))
        table_unload(h, t);
}

/* Not every match is at rest when the last one leaves it: it may be read just
 * then, and who only asks for a record never watched it. */
void tables_rest(struct hub *h)
{
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        table_rest(h, t);
        if (t->status == TABLE_OVER && !needed(t) && !t->unsure &&
            !t->outdated) {
            dict_drop(&h->tables, t->id);
            table_release(t);
        }
    }
}

/* ---- committing ---- */

enum { CHANGES_MAX = 12 + PAST_LISTS + 2 * GAME_SEATS, STANDING_MS = 3000 };

struct commit {
    struct hub *hub;
    struct table *table;
    struct later *later; /* owned; may be NULL */
    int64_t before;      /* sequence number */
    bool began, ended;
    struct rating old[GAME_SEATS];
    struct user *rated[GAME_SEATS];
    int rated_count;
};

static void finish(struct table *t, int64_t at)
{
    t->status = TABLE_OVER;
    t->finished = at;
    t->deadline = 0;
    t->game->result(match_world(t->match), match_state(t->match), &t->result);
}

/* The record follows the match. */
static void take_stock(struct table *t, int64_t at)
{
    int seat;
    t->asked = table_asked(t);
    t->deadline = clock_deadline(t, &seat);
    if (match_over(t->match) && t->status == TABLE_RUNNING)
        finish(t, at);
}

/* The claims went with the commit, or to somebody else. */
static void drop_claims(struct hub *h, struct table *t)
{
    h->thinking &= !t->bot_until;
    t->bot_until = 0;
    t->clock_until = 0;
}

/* Another process was faster: the request is judged anew by what it finds.  A
 * failure is told. */
static void refuse(struct commit *c, const struct store_answer *a,
                   const char *phrase)
{
    if (a->outcome == STORE_FAILED)
        hub_log(c->hub, "store failed", c->table->id, a->why);
    if (!c->later)
        return;
    if (a->outcome == STORE_STALE)
        later_again(c->later, c->table);
    else
        later_error(c->later, "store", phrase);
}

/* A rematch is stored together with the table that it follows.  NULL, or a
 * text to be freed when the change is handed over. */
static char *follow(const struct table *t, struct store_change *change,
                    int *count)
{
    struct table *old = t->before;
    if (!old)
        return NULL;
    char *head = table_record(old);
    old->busy = true;
    change[(*count)++] = (struct store_change){STORE_PUT,    "match", old->id,
                                               old->version, 0,       head};
    return head;
}

static void followed(struct hub *h, struct table *t, bool good)
{
    struct table *old = t->before;
    t->before = NULL;
    if (!old)
        return;
    if (!good) {
        table_reread(h, old);
        return;
    }
    old->busy = false;
    old->version++;
    view_changed(h, old, old->seq);
    settle(h, old);
}

static void fail_commit(struct commit *c, const struct store_answer *a)
{
    struct table *t = c->table;
    int index = game_index(t->game);
    for (int i = 0; i < c->rated_count; i++) {
        char key[2 * ID_BYTES + 24];
        rating_set(c->rated[i], index, c->old[i]);
        snprintf(key, sizeof key, "%s:%s", c->rated[i]->id, t->game->name);
        share_fetch(c->hub, "rating", key);
    }
    table_unload(c->hub, t);
    drop_claims(c->hub, t);
    if (c->began)
        t->status = TABLE_OPEN;
    else if (c->ended)
        t->status = TABLE_RUNNING;
    refuse(c, a, "this could not be stored and does not count; try again");
    /* Whatever of the seats had changed is in the record. */
    table_reread(c->hub, t);
}

static void committed(void *context, const struct store_answer *a)
{
    struct commit *c = context;
    struct hub *h = c->hub;
    struct table *t = c->table;
    t->busy = false;
    followed(h, t, a->outcome == STORE_OK);
    if (a->outcome != STORE_OK) {
        fail_commit(c, a);
        free(c);
        return;
    }
    t->version++;
    t->stored = t->seq;
    drop_claims(h, t);
    for (int i = 0; i < c->rated_count; i++)
        c->rated[i]->rating[game_index(t->game)].version++;
    h->figures.played += t->seq - c->before;
    if (c->later) {
        char json[128];
        if (c->began)
            snprintf(json, sizeof json,
                     "{\"seq\":%lld,\"table\":\"%s\",\"invite\":\"%s\"}",
                     (long long)t->seq, t->id, t->invite);
        else
            snprintf(json, sizeof json, "{\"seq\":%lld}", (long long)t->seq);
        later_ok(c->later, json);
    }
    if (c->began || c->ended)
        h->lobby_changed = true;
    view_changed(h, t, c->before);
    free(c);
    settle(h, t);
    table_rest(h, t);
}

/* Changes that a rated end brings; texts are kept in `o`, freed by callers. */
struct batch {
    struct store_change change[CHANGES_MAX];
    char keys[CHANGES_MAX][2 * ID_BYTES + 24], texts[CHANGES_MAX][160];
    int count;
};

static void add_rating(struct batch *b, const struct table *t, int seat,
                       int64_t at)
{
    const struct user *u = t->seat[seat].user;
    const struct rating r = rating_of(u, game_index(t->game));
    int i = b->count++;
    snprintf(b->keys[i], sizeof b->keys[i], "%s:%s", u->id, t->game->name);
    snprintf(b->texts[i], sizeof b->texts[i],
             "{\"mu\":%.6f,\"sigma\":%.6f,\"games\":%d}", r.mu, r.sigma,
             r.games);
    b->change[i] = (struct store_change){STORE_PUT, "rating", b->keys[i],
                                         r.version, 0,        b->texts[i]};
    i = b->count++;
    snprintf(b->keys[i], sizeof b->keys[i], "rating:%s:%s", u->id,
             t->game->name);
    snprintf(b->texts[i], sizeof b->texts[i], "%s %d %.6f %.6f", t->id,
             t->result.place[seat], r.mu, r.sigma);
    b->change[i] = (struct store_change){STORE_APPEND, NULL, b->keys[i],
                                         STORE_ANY,    at,   b->texts[i]};
}

/* Accounts that played to the end; bots and leavers count for nobody. */
static void rate(struct commit *c, struct batch *b, int64_t at)
{
    struct table *t = c->table;
    int index = game_index(t->game), seats[GAME_SEATS], places[GAME_SEATS];
    struct rating all[GAME_SEATS];
    int count = 0;
    for (int i = 0; i < t->seats; i++) {
        const struct user *u = t->seat[i].user;
        if (!u || !u->password || t->seat[i].gone || u->gone)
            continue;
        seats[count] = i;
        places[count] = t->result.place[i];
        all[count++] = rating_of(u, index);
    }
    if (!t->rated || count < 2)
        return;
    rating_update(all, places, count);
    for (int i = 0; i < count; i++) {
        struct user *u = t->seat[seats[i]].user;
        c->rated[i] = u;
        c->old[i] = rating_of(u, index);
        rating_set(u, index, all[i]);
        add_rating(b, t, seats[i], at);
    }
    c->rated_count = count;
}

/* Where it is found from now on; `head` is borrowed until it is stored. */
static void add_past(struct batch *b, const struct table *t, const char *head,
                     char keys[PAST_LISTS][PAST_BYTES])
{
    int count = past_keys(t, keys);
    for (int i = 0; i < count; i++)
        b->change[b->count++] = (struct store_change){
            STORE_PUT, "over", keys[i], STORE_ANY, 0, head};
}

/* Among several processes: what this one had claimed is done, and the next
 * that a server has to do is offered to all of them. */
static void add_jobs(const struct hub *h, const struct table *t,
                     struct batch *b, int64_t at)
{
    bool now = false;
    if (t->clock_until)
        b->change[b->count++] =
            (struct store_change){STORE_FINISH, "clock", t->id, 0, 0, h->me};
    if (t->bot_until)
        b->change[b->count++] =
            (struct store_change){STORE_FINISH, "bot", t->id, 0, 0, h->me};
    if (h->shared && bots_asked(t, &now))
        b->change[b->count++] = (struct store_change){
            STORE_OFFER, "bot", t->id, 0, now ? at : at + STANDING_MS, ""};
}

void table_commit(struct hub *h, struct table *t, const char *const *lines,
                  int count, int64_t at, struct later *later)
{
    struct commit *c = sure(calloc(1, sizeof *c));
    struct batch *b = sure(calloc(1, sizeof *b));
    char log[ID_BYTES + 8], past[PAST_LISTS][PAST_BYTES];
    snprintf(log, sizeof log, "match:%s", t->id);
    *c = (struct commit){.hub = h, .table = t, .later = later};
    c->before = t->seq - count;
    c->began = c->before == 0;
    for (int i = 0; i < count; i++)
        b->change[b->count++] = (struct store_change){
            STORE_APPEND, NULL, log, c->before + i, at, lines[i]};
    bool running = t->status == TABLE_RUNNING;
    take_stock(t, at);
    c->ended = running && t->status == TABLE_OVER;
    if (c->ended)
        rate(c, b, at);
    add_jobs(h, t, b, at);
    char *head = table_record(t);
    b->change[b->count++] =
        (struct store_change){STORE_PUT, "match", t->id, t->version, 0, head};
    if (c->ended)
        add_past(b, t, head, past);
    char *old = follow(t, b->change, &b->count);
    t->busy = true;
    store_write(h->set.store, b->change, b->count, committed, c);
    free(old);
    free(head);
    free(b);
}

void table_decide(struct hub *h, struct table *t, const char *line)
{
    struct fault f = {0};
    int64_t at = hub_now(h);
    if (!table_apply(t, at, line, &f)) {
        hub_log(h, "own line refused", t->id, line);
        return;
    }
    table_commit(h, t, &line, 1, at, NULL);
}

void table_act(struct hub *h, struct table *t, int seat, action a)
{
    char text[256], line[320];
    t->game->write_action(match_world(t->match), match_state(t->match), seat, a,
                          seat, text, sizeof text);
    snprintf(line, sizeof line, "play %d - %s", seat, text);
    table_decide(h, t, line);
}

struct state *table_view(const struct table *t, int seat)
{
    const struct game *g = t->game;
    struct state *view = sure(malloc(g->state_size));
    if (g->observe)
        g->observe(match_world(t->match), match_state(t->match), seat, view);
    else
        memcpy(view, match_state(t->match), g->state_size);
    return view;
}

void table_begin(struct hub *h, struct table *t, struct later *later)
{
    static const char *const start = "start 1";
    struct fault f = {0};
    int64_t at = hub_now(h);
    bool good = open_match(t, &f);
    h->loaded += good;
    if (!good || !table_apply(t, at, start, &f)) {
        hub_log(h, "a table cannot begin", t->id, t->setup);
        if (later)
            later_error(later, "state", "this setup cannot be played");
        return;
    }
    t->status = TABLE_RUNNING;
    t->started = at;
    table_commit(h, t, &start, 1, at, later);
}

/* ---- tables without a match yet ---- */

static void on_saved(void *context, const struct store_answer *a)
{
    struct commit *c = context;
    struct table *t = c->table;
    t->busy = false;
    followed(c->hub, t, a->outcome == STORE_OK);
    if (a->outcome == STORE_OK) {
        char json[80];
        t->version++;
        c->hub->lobby_changed = true;
        snprintf(json, sizeof json, "{\"table\":\"%s\",\"invite\":\"%s\"}",
                 t->id, t->invite);
        if (c->later)
            later_ok(c->later,
                     c->later->command->flags & COMMAND_BRIEF ? "{}" : json);
        view_changed(c->hub, t, t->seq);
        settle(c->hub, t);
    } else {
        refuse(c, a, "this could not be stored; try again");
        table_reread(c->hub, t);
    }
    free(c);
}

void table_save(struct hub *h, struct table *t, struct later *later)
{
    struct commit *c = sure(calloc(1, sizeof *c));
    char *head = table_record(t);
    struct store_change change[2] = {
        {STORE_PUT, "match", t->id, t->version, 0, head}};
    int count = 1;
    char *old = follow(t, change, &count);
    *c = (struct commit){.hub = h, .table = t, .later = later};
    t->busy = true;
    store_write(h->set.store, change, count, on_saved, c);
    free(old);
    free(head);
}

/* ---- reading again ---- */

/* It was never stored: nobody will find it. */
static void vanish(struct table *t)
{
    t->status = TABLE_OVER;
    t->hidden = true;
}

static void read_record(struct hub *h, struct table *t,
                        const struct store_answer *a)
{
    enum table_status before = t->status;
    json_t *head = json_loads(a->rows[0].text, 0, NULL);
    table_read(h, t, head);
    t->version = a->rows[0].number;
    h->lobby_changed |= t->status != before || t->status == TABLE_OPEN;
    json_decref(head);
}

static void on_reread(void *context, const struct store_answer *a)
{
    struct loading l = *(struct loading *)context;
    struct hub *h = l.hub;
    struct table *t = l.table;
    free(context);
    if (a->outcome != STORE_OK) {
        doubt(h, t, a);
        return;
    }
    if (a->count)
        read_record(h, t, a);
    else
        vanish(t);
    if (t->missing) { /* behind the question for who it is */
        table_reread(h, t);
        return;
    }
    t->busy = false;
    bool wanted = t->watchers || t->bot_until || t->resume;
    if (t->match && t->stored > t->seq)
        t->outdated = true; /* meanwhile */
    else if (t->match || t->status == TABLE_OPEN)
        show(h, t);
    else if (wanted && a->count && t->started)
        table_load(h, t);
    resume(h, t);
    settle(h, t);
}

void table_reread(struct hub *h, struct table *t)
{
    t->busy = true;
    store_get(h->set.store, "match", t->id, on_reread, loading_new(h, t));
}

/* Lines first: the record is then not older than they are. */
static void on_more(void *context, const struct store_answer *a)
{
    struct loading l = *(struct loading *)context;
    struct table *t = l.table;
    struct fault f = {0};
    bool good = a->outcome == STORE_OK;
    free(context);
    for (int i = 0; good && i < a->count; i++)
        good = a->rows[i].number == t->seq + 1 &&
               table_apply(t, a->rows[i].at, a->rows[i].text, &f);
    if (!good)
        table_unload(l.hub, t);
}

void table_catch_up(struct hub *h, struct table *t)
{
    char log[ID_BYTES + 8];
    t->outdated = t->busy || t->loading;
    if (t->outdated)
        return;
    log_name(t, log);
    if (t->match)
        store_lines(h->set.store, log, t->seq, on_more, loading_new(h, t));
    table_reread(h, t);
}

void tables_resume(struct hub *h)
{
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (t->status != TABLE_RUNNING || !live(t))
            continue;
        t->resume = true;
        if (t->match)
            resume(h, t);
        else if (!t->busy)
            table_load(h, t);
    }
}

void tables_retry(struct hub *h)
{
    char log[ID_BYTES + 8];
    size_t at = 0;
    h->unsure = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (!t->unsure)
            continue;
        t->unsure = false;
        log_name(t, log);
        if (t->loading)
            store_lines(h->set.store, log, 0, on_lines, loading_new(h, t));
        else
            table_reread(h, t);
    }
}
