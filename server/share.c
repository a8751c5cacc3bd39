/* server/share.c: several processes with one store.
 *
 * What a hub has in memory is a copy of the store.  When another process writes
 * something, the store says what it was, and the record is read back: people,
 * sessions and ratings here, tables and their matches in table.c.  What this
 * process has not heard of yet when somebody asks for it is looked for first,
 * as are tables that are over (past.c) and guests who left (people.c). */
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PULSE_MS = 5000,   /* how often some server says that it lives */
    ABSENCE_MS = 15000 /* no sign for so long: all of them were away */
};

/* A record on its way. */
struct fetching {
    struct fetching *next;
    struct hub *hub;
    char kind[16], key[80];
    uint64_t link; /* who waits for it; 0: nobody */
    bool again;    /* its user has been asked for */
};

static void on_fetched(void *context, const struct store_answer *a);

static void ask(struct fetching *f)
{
    store_get(f->hub->set.store, f->kind, f->key, on_fetched, f);
}

static struct fetching *fetching_new(struct hub *h, const char *kind,
                                     const char *key)
{
    struct fetching *f = sure(calloc(1, sizeof *f));
    f->hub = h;
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    snprintf(f->key, sizeof f->key, "%s", key);
    return f;
}

void share_fetch(struct hub *h, const char *kind, const char *key)
{
    ask(fetching_new(h, kind, key));
}

void share_look(struct hub *h, struct link *link, const char *kind,
                const char *key)
{
    struct fetching *f = fetching_new(h, kind, key);
    f->link = link->number;
    link->fetching++;
    ask(f);
}

/* ---- what was read ---- */

/* False: its user must be read first. */
static bool take_session(struct fetching *f, const struct store_row *row)
{
    struct hub *h = f->hub;
    if (!row) {
        session_drop(h, f->key);
        return true;
    }
    json_t *body = json_loads(row->text, 0, NULL);
    const char *id = message_text(body, "user", "");
    struct user *u = dict_find(&h->users, id);
    bool wait = !u && !f->again;
    if (wait)
        share_fetch(h, "user", id);
    else if (u)
        session_keep(h, f->key, u, message_number(body, "created", 0),
                     message_text(body, "device", ""));
    json_decref(body);
    return !wait;
}

/* Likewise, for the user whose name it is. */
static bool take_name(const struct fetching *f, const struct store_row *row)
{
    bool wait = row && !f->again && !dict_find(&f->hub->users, row->text);
    if (wait)
        share_fetch(f->hub, "user", row->text);
    return !wait;
}

static void take_user(const struct fetching *f, const struct store_row *row)
{
    if (row)
        user_take(f->hub, row);
    else
        user_lost(f->hub, f->key);
}

static void take_table(const struct fetching *f, const struct store_row *row)
{
    struct table *t = dict_find(&f->hub->tables, f->key);
    if (t)
        table_catch_up(f->hub, t);
    else if (row && f->link)
        table_take(f->hub, row);
    else if (row)
        table_heard(f->hub, row);
}

static bool take(struct fetching *f, const struct store_row *row)
{
    if (strcmp(f->kind, "session") == 0)
        return take_session(f, row);
    if (strcmp(f->kind, "name") == 0)
        return take_name(f, row);
    if (strcmp(f->kind, "match") == 0)
        take_table(f, row);
    else if (strcmp(f->kind, "user") == 0)
        take_user(f, row);
    else if (row && strcmp(f->kind, "rating") == 0)
        rating_take(f->hub, row);
    return true;
}

/* Whoever waited for it goes on. */
static void release_link(struct fetching *f)
{
    struct later who = {.hub = f->hub, .link = f->link};
    struct link *link = f->link ? later_link(&who) : NULL;
    if (!link)
        return;
    link->fetching--;
    if (!link->user && strcmp(f->kind, "session") == 0)
        session_attach(link, dict_find(&f->hub->sessions, f->key));
    held_release(f->hub);
}

static void on_fetched(void *context, const struct store_answer *a)
{
    struct fetching *f = context;
    struct hub *h = f->hub;
    if (a->outcome != STORE_OK) { /* at the next tick */
        f->next = h->missed;
        h->missed = f;
    } else if (take(f, a->count ? &a->rows[0] : NULL)) {
        release_link(f);
        free(f);
    } else {
        f->again = true;
        ask(f);
    }
}

/* ---- what was heard ---- */

static void heard_record(struct hub *h, const struct store_change *c)
{
    static const char *const kinds[] = {"user", "session", "rating", "match"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(c->kind, kinds[i]) == 0)
            share_fetch(h, c->kind, c->key);
}

static void heard_job(struct hub *h, const struct store_change *c)
{
    if (strcmp(c->kind, "bot") == 0) {
        h->claim_at = 0; /* also if an answer is still on its way */
        bots_run(h);
    } else if (strcmp(c->kind, "analysis") == 0) {
        analysis_run(h);
    } else if (strcmp(c->kind, "order") == 0) {
        h->orders_at = 0;
    }
}

static void heard(void *context, const struct store_change *c)
{
    struct hub *h = context;
    if (!c) {
        hub_log(h, "too much was missed", "", "");
        h->lost = true;
    } else if (c->text) {
        return; /* our own */
    } else if (c->verb == STORE_PUT || c->verb == STORE_DELETE) {
        heard_record(h, c);
    } else if (c->verb == STORE_OFFER) {
        heard_job(h, c);
    } else if (strncmp(c->key, "chat:", 5) == 0) {
        chat_tell(h, c->key + 5, c->expected);
    } else if (strncmp(c->key, "analysis:", 9) == 0) {
        analysis_tell(h, c->key + 9, c->expected);
    } /* lines of matches come with their records */
}

bool share_begin(struct hub *h)
{
    h->shared = store_shared(h->set.store);
    return !h->shared || store_subscribe(h->set.store, heard, h);
}

void share_release(struct hub *h)
{
    while (h->missed) {
        struct fetching *f = h->missed;
        h->missed = f->next;
        free(f);
    }
}

/* ---- signs of life ---- */

struct pulse {
    struct hub *hub;
    bool absence;
};

static void on_pulse(void *context, const struct store_answer *a)
{
    struct pulse p = *(struct pulse *)context;
    free(context);
    if (a->outcome == STORE_FAILED)
        return;
    p.hub->pulsed = hub_now(p.hub);
    if (a->outcome == STORE_OK && p.absence)
        tables_resume(p.hub);
}

/* One of the servers signs; the one that ends an absence lets the clocks of
 * live games go on anew: its time is nobody's. */
static void on_sign(void *context, const struct store_answer *a)
{
    struct hub *h = context;
    int64_t now = hub_now(h), last = 0, version = 0;
    if (a->outcome != STORE_OK)
        return;
    if (a->count) {
        last = strtoll(a->rows[0].text, NULL, 10);
        version = a->rows[0].number;
    }
    int64_t silence = now - last;
    if (silence > -PULSE_MS && silence < PULSE_MS - 1000) {
        h->pulsed = now;
        return;
    }
    char text[24];
    struct store_change c = {STORE_PUT, "server", "alive", version, 0, text};
    struct pulse *p = sure(calloc(1, sizeof *p));
    *p = (struct pulse){h, silence > ABSENCE_MS};
    snprintf(text, sizeof text, "%lld", (long long)now);
    store_write(h->set.store, &c, 1, on_pulse, p);
}

void share_tick(struct hub *h)
{
    int64_t now = hub_now(h);
    if (h->unsure)
        tables_retry(h);
    if (!h->shared)
        return;
    struct fetching *f = h->missed;
    h->missed = NULL;
    while (f) {
        struct fetching *next = f->next;
        ask(f);
        f = next;
    }
    if (now >= h->pulse_at) {
        h->pulse_at = now + PULSE_MS;
        store_get(h->set.store, "server", "alive", on_sign, h);
    }
    if (now >= h->claim_at)
        bots_run(h);
}
