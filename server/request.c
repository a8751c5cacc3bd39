/* server/request.c: from a message to its handler, and the answer back.
 *
 * The table of commands says who may send each; this is the only place that
 * looks.  A table that is being loaded or written makes its messages wait
 * here, in their order, and they are judged anew when they go on. */
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 256 * 1024, DEFERRED_MAX = 32, REFUSED_MAX = 200 };

struct deferred {
    struct deferred *next;
    uint64_t link;
    const struct command *command;
    json_t *body; /* owned */
    bool caught_up;
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* ---- answers ---- */

void link_send(struct hub *h, struct link *link, const char *text,
               size_t length)
{
    if (link->socket && h->set.transport->waiting(link) > WAITING_MAX) {
        h->figures.slow++;
        hub_log(h, "slow reader dropped", link->address, "");
        h->set.transport->close(link);
        return;
    }
    h->set.transport->send(link, text, length);
}

/* {"id":7,"ok":...} */
static void send_answer(struct hub *h, struct link *link, const json_t *id,
                        const char *key, const char *json)
{
    struct out o = {0};
    out_put(&o, "{");
    if (json_is_integer(id))
        out_number(&o, "id", json_integer_value(id));
    out_raw(&o, key, json);
    out_put(&o, "}");
    link_send(h, link, o.text, o.length);
    out_release(&o);
}

/* By the name of an error: the status of an HTTP answer. */
static int status_of(const char *name)
{
    static const struct {
        const char *name;
        int status;
    } all[] = {{"who", 403},     {"unknown", 404}, {"stale", 409},
               {"flood", 429},   {"busy", 503},    {"restarting", 503},
               {"store", 503},   {"turn", 409},    {"state", 409},
               {"password", 403}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].status;
    return 400;
}

static void send_error(struct hub *h, struct link *link, const json_t *id,
                       const char *name, const char *json)
{
    link->status = status_of(name);
    h->figures.refused++;
    send_answer(h, link, id, "error", json);
}

static void plain_error(struct hub *h, struct link *link, const json_t *id,
                        const char *name, const char *phrase)
{
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "name", name);
    out_text(&o, "phrase", phrase);
    out_put(&o, "}");
    send_error(h, link, id, name, o.text);
    out_release(&o);
}

void reply_ok(struct hub *h, const struct request *r, const char *json)
{
    r->link->status = 200;
    send_answer(h, r->link, json_object_get(r->body, "id"), "ok", json);
}

void reply_error(struct hub *h, const struct request *r, const char *name,
                 const char *phrase)
{
    plain_error(h, r->link, json_object_get(r->body, "id"), name, phrase);
}

void reply_fault(struct hub *h, const struct request *r,
                 const struct game *game, const struct fault *f)
{
    const struct fault_text *text = fault_text(game, f->code);
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "name", text->name);
    out_text(&o, "phrase", text->phrase);
    out_text(&o, "paragraph", text->paragraph);
    out_number(&o, "line", f->line);
    out_number(&o, "column", f->column);
    out_text(&o, "subject", f->subject);
    out_put(&o, "}");
    send_error(h, r->link, json_object_get(r->body, "id"), "fault", o.text);
    out_release(&o);
}

struct later *later_of(struct hub *h, const struct request *r)
{
    struct later *l = sure(calloc(1, sizeof *l));
    l->hub = h;
    l->link = r->link->number;
    l->user = user_hold(r->user);
    l->id = json_incref(json_object_get(r->body, "id"));
    l->command = r->command;
    l->body = json_incref(r->body);
    return l;
}

struct link *later_link(const struct later *l)
{
    char key[24];
    snprintf(key, sizeof key, "%llu", (unsigned long long)l->link);
    return dict_find(&l->hub->links, key);
}

void later_release(struct later *l)
{
    user_let(l->user);
    json_decref(l->id);
    json_decref(l->body);
    free(l);
}

void later_ok(struct later *l, const char *json)
{
    struct link *link = later_link(l);
    if (link) {
        link->status = 200;
        link->again = 0;
        send_answer(l->hub, link, l->id, "ok", json);
    }
    later_release(l);
}

void later_error(struct later *l, const char *name, const char *phrase)
{
    struct link *link = later_link(l);
    if (link)
        plain_error(l->hub, link, l->id, name, phrase);
    later_release(l);
}

/* ---- waiting for a table ---- */

static void deferred_release(struct deferred *d)
{
    json_decref(d->body);
    free(d);
}

static struct deferred *
deferred_new(struct link *link, const struct command *command, json_t *body)
{
    struct deferred *d = sure(calloc(1, sizeof *d));
    d->link = link->number;
    d->command = command;
    d->body = json_incref(body);
    d->caught_up = link->caught_up;
    link->deferred++;
    return d;
}

static bool too_many(struct hub *h, const struct request *r)
{
    if (r->link->deferred < DEFERRED_MAX)
        return false;
    reply_error(h, r, "busy", "too many messages wait for this table");
    return true;
}

static void wait_for(struct table *t, struct deferred *d)
{
    *t->last = d;
    t->last = &d->next;
}

static void defer(struct hub *h, const struct request *r)
{
    struct table *t = r->table;
    if (too_many(h, r))
        return;
    wait_for(t, deferred_new(r->link, r->command, r->body));
    if (!t->busy && !t->loading)
        table_load(h, t);
}

void request_hold(struct hub *h, const struct request *r)
{
    if (too_many(h, r))
        return;
    *h->held_last = deferred_new(r->link, r->command, r->body);
    h->held_last = &(*h->held_last)->next;
}

void later_again(struct later *l, struct table *t)
{
    enum { AGAIN_MAX = 10 };
    struct link *link = later_link(l);
    if (link && ++link->again <= AGAIN_MAX) {
        wait_for(t, deferred_new(link, l->command, l->body));
        later_release(l);
    } else {
        later_error(l, "stale", "the game has moved on");
    }
}

void held_release(struct hub *h)
{
    if (!h->held)
        return;
    *h->redo_last = h->held;
    h->redo_last = h->held_last;
    h->held = NULL;
    h->held_last = &h->held;
}

void table_ready(struct hub *h, struct table *t)
{
    if (!t->first)
        return;
    *h->redo_last = t->first;
    h->redo_last = t->last;
    t->first = NULL;
    t->last = &t->first;
}

/* Not from within table_ready(): a handler may still be at work then. */
void deferred_run(struct hub *h)
{
    while (h->redo) {
        struct deferred *d = h->redo;
        h->redo = d->next;
        if (!h->redo)
            h->redo_last = &h->redo;
        struct later who = {.hub = h, .link = d->link};
        struct link *link = later_link(&who);
        if (link) {
            link->deferred--;
            link->caught_up = d->caught_up;
            request_run(h, link, d->command, d->body);
            link->caught_up = false;
        }
        deferred_release(d);
    }
}

void deferred_clear(struct hub *h)
{
    held_release(h);
    while (h->redo) {
        struct deferred *d = h->redo;
        h->redo = d->next;
        deferred_release(d);
    }
    h->redo_last = &h->redo;
}

/* ---- dispatch ---- */

/* NULL if the request may go on, otherwise the error's name. */
static const char *refusal(const struct request *r)
{
    const struct user *u = r->user;
    bool person = u && !u->banned && !u->gone;
    switch (r->command->who) {
    case WHO_ANYONE:
    case WHO_VIEWER:
        return NULL;
    case WHO_PERSON:
        return person ? NULL : "who";
    case WHO_ACCOUNT:
        return person && u->password ? NULL : "who";
    case WHO_SEATED:
        return person && r->seat >= 0 ? NULL : "who";
    case WHO_OWNER:
        return person && r->table && strcmp(r->table->owner, u->id) == 0
                   ? NULL
                   : "who";
    }
    return "who";
}

/* Looks for a record in the store, once; the request waits for it. */
static bool look_once(struct hub *h, const struct request *r, const char *kind,
                      const char *key)
{
    struct link *link = r->link;
    if (strcmp(link->looked, key) == 0)
        return false;
    snprintf(link->looked, sizeof link->looked, "%s", key);
    share_look(h, link, kind, key);
    request_hold(h, r);
    return true;
}

static bool find_table(struct hub *h, struct request *r)
{
    const char *id = message_text(r->body, "table", NULL);
    r->seat = SEAT_NONE;
    if (!id)
        return true;
    struct table *t = dict_find(&h->tables, id);
    const char *invite = message_text(r->body, "invite", NULL);
    if (!t && look_once(h, r, "match", id))
        return false;
    r->link->looked[0] = '\0';
    if (!t || !table_seen_by(t, r->user, invite)) {
        reply_error(h, r, "unknown", "there is no such table");
        return false;
    }
    r->table = t;
    r->seat = table_seat(t, r->user);
    return true;
}

/* A name that is not known here may be that of a guest who left. */
static bool find_person(struct hub *h, const struct request *r)
{
    char key[NAME_BYTES];
    const char *name = message_text(r->body, "name", "");
    if (!(r->command->flags & COMMAND_NAMES))
        return true;
    name_fold(name, key);
    if (!user_named(h, name) && look_once(h, r, "name", key))
        return false;
    r->link->looked[0] = '\0';
    return true;
}

static bool must_wait(const struct request *r)
{
    const struct table *t = r->table;
    if (!t || !(r->command->flags & COMMAND_LOADED))
        return false;
    return t->busy || (t->status != TABLE_OPEN && !t->match);
}

/* Does somebody who comes from another server know more than this one?  Then
 * it reads on first; once, for anything can be claimed. */
static bool outrun(struct hub *h, const struct request *r)
{
    struct table *t = r->table;
    int64_t known = message_number(r->body, "seq", 0);
    int64_t since = message_number(r->body, "since", -1);
    known = since > known ? since : known;
    if (!h->shared || !t || known <= (t->match ? t->seq : t->stored) ||
        r->link->caught_up)
        return false;
    table_catch_up(h, t);
    r->link->caught_up = true; /* as is this message from now on */
    defer(h, r);
    r->link->caught_up = false;
    return true;
}

void request_run(struct hub *h, struct link *link, const struct command *c,
                 json_t *body)
{
    struct request r = {c, body, link, link->user, NULL, SEAT_NONE};
    char why[200];
    if (!message_fits(body, c->fields, why, sizeof why)) {
        reply_error(h, &r, "field", why);
        return;
    }
    if (h->stopping) {
        reply_error(h, &r, "restarting", "the server is being restarted");
        return;
    }
    if (link->fetching) {
        request_hold(h, &r);
        return;
    }
    if (!find_person(h, &r) || !find_table(h, &r) || outrun(h, &r))
        return;
    const char *name = refusal(&r);
    if (name)
        reply_error(h, &r, name, "this is not yours to do");
    else if (r.table && r.table->broken && c->flags & COMMAND_LOADED)
        reply_error(h, &r, "broken", "this match cannot be opened at present");
    else if (must_wait(&r))
        defer(h, &r);
    else
        c->run(h, &r);
}

/* ---- limits ---- */

/* All connections of an address together may send as much as ten WebSockets; a
 * request over HTTP is a connection of its own.  What a WebSocket sends too
 * much is not its neighbours' loss. */
static bool allowed(struct hub *h, struct link *link)
{
    int rate = h->set.rate;
    if (!rate)
        return true;
    if (link->socket && !limit_spend(&link->tokens, &link->tokens_at,
                                     hub_now(h), 2.0 * rate, rate))
        return false;
    return limit_message(h, link->address, 10 * rate);
}

static void flooded(struct hub *h, struct link *link, const json_t *id)
{
    h->figures.floods++;
    if (++link->refused > REFUSED_MAX)
        h->set.transport->close(link);
    else
        plain_error(h, link, id, "flood", "too many messages; wait a little");
}

/* A message that costs much, until it is known whether it may. */
struct costly {
    struct hub *hub;
    uint64_t link;
    const struct command *command;
    json_t *body; /* owned */
};

static void on_limits(void *context, const char *wrong)
{
    struct costly c = *(struct costly *)context;
    struct later who = {.hub = c.hub, .link = c.link};
    struct link *link = later_link(&who);
    const json_t *id = json_object_get(c.body, "id");
    free(context);
    if (link && !wrong)
        request_run(c.hub, link, c.command, c.body);
    else if (link && strcmp(wrong, "flood") == 0)
        flooded(c.hub, link, id);
    else if (link)
        plain_error(c.hub, link, id, wrong,
                    "the store cannot be asked; try again");
    json_decref(c.body);
}

/* One address can guess a little; so can many addresses together at one
 * account, whose owner stays signed in meanwhile. */
static int wants_of(const struct hub *h, const struct link *link,
                    const struct command *c, const json_t *body,
                    struct limit_want wants[LIMIT_WANTS])
{
    enum { GUESTS = 60, ADDRESS = 10, ACCOUNT = 20 };
    const char *name = message_text(body, "name", "");
    const struct user *u = *name ? user_named(h, name) : link->user;
    bool fresh = c->flags & COMMAND_FRESH;
    if (!h->set.rate || !(fresh || c->flags & COMMAND_SLOW))
        return 0;
    wants[0] = limit_of_address(fresh ? "guest" : "address", link->address,
                                fresh ? GUESTS : ADDRESS);
    if (fresh || !u)
        return 1;
    snprintf(wants[1].who, sizeof wants[1].who, "account:%s", u->id);
    wants[1].most = ACCOUNT;
    return 2;
}

static void run(struct hub *h, const struct link *link, const struct command *c,
                json_t *body)
{
    struct limit_want wants[LIMIT_WANTS];
    int count = wants_of(h, link, c, body, wants);
    struct costly *m = sure(calloc(1, sizeof *m));
    *m = (struct costly){h, link->number, c, json_incref(body)};
    limits_spend(h, wants, count, on_limits, m);
}

void hub_message(struct hub *h, struct link *link, const char *name,
                 const char *text, size_t length)
{
    char why[200];
    h->figures.messages++;
    json_t *body = message_read(text, length, why, sizeof why);
    if (!body) {
        plain_error(h, link, NULL, "message", why);
        return;
    }
    const json_t *id = json_object_get(body, "id");
    const char *said = name ? name : message_text(body, "do", "");
    const struct command *c = command_find(said);
    if (!allowed(h, link))
        flooded(h, link, id);
    else if (!c)
        plain_error(h, link, id, "command", "there is no such command");
    else if (c->flags & (COMMAND_SLOW | COMMAND_FRESH))
        run(h, link, c, body);
    else
        request_run(h, link, c, body);
    json_decref(body);
    deferred_run(h);
}
