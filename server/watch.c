/* server/watch.c: who is told, and when.
 *
 * Seats hear of every change at once.  Spectators wait a moment, so that one
 * message can tell of several changes, and a spectator who has not read the
 * last one yet waits longer. */
#include "server/hub.h"

#include <stdlib.h>
#include <string.h>

enum { FLUSH_MS = 30, LOBBY_MS = 400 };

void view_watch(struct hub *h, struct table *t, struct link *link)
{
    if (link->table == t)
        return;
    view_unwatch(h, link);
    link->table = t;
    link->told = -1;
    link->table_previous = NULL;
    link->table_next = t->watchers;
    if (t->watchers)
        t->watchers->table_previous = link;
    t->watchers = link;
}

void view_unwatch(struct hub *h, struct link *link)
{
    struct table *t = link->table;
    if (!t)
        return;
    if (link->table_previous)
        link->table_previous->table_next = link->table_next;
    else
        t->watchers = link->table_next;
    if (link->table_next)
        link->table_next->table_previous = link->table_previous;
    link->table = NULL;
    link->behind = false;
    table_rest(h, t);
}

/* Rendered once for all that see the same from the same step on. */
struct rendered {
    int viewer, from;
    struct out out;
};

enum { RENDERED = GAME_SEATS + 4 };

struct rendering {
    const struct hub *hub;
    const struct table *table;
    struct rendered list[RENDERED];
    int count;
};

static const struct out *render(struct rendering *r, int viewer, int from)
{
    for (int i = 0; i < r->count; i++)
        if (r->list[i].viewer == viewer && r->list[i].from == from)
            return &r->list[i].out;
    struct rendered *to = &r->list[r->count < RENDERED ? r->count++ : 0];
    out_release(&to->out);
    to->viewer = viewer;
    to->from = from;
    out_put(&to->out, "{");
    out_text(&to->out, "event", "table");
    view_table(r->hub, r->table, viewer, from, &to->out);
    out_put(&to->out, "}");
    return &to->out;
}

static void rendering_release(struct rendering *r)
{
    for (int i = 0; i < r->count; i++)
        out_release(&r->list[i].out);
}

static void tell(struct hub *h, struct rendering *r, struct link *link)
{
    const struct table *t = r->table;
    int viewer = view_viewer(t, link->user);
    int from = viewer == link->viewer ? view_from(t, link->told) : 0;
    const struct out *o = render(r, viewer, from);
    link->viewer = viewer;
    link->told = t->seq;
    link->behind = false;
    link_send(h, link, o->text, o->length);
}

static void tell_turns(struct hub *h, struct table *t)
{
    unsigned asked = t->status == TABLE_RUNNING ? t->asked : 0;
    unsigned fresh = asked & ~t->told & ~standing_settled(t);
    t->told = asked;
    for (int i = 0; fresh && i < t->seats; i++) {
        if (!(fresh >> i & 1) || !t->seat[i].user || t->seat[i].gone)
            continue;
        struct out o = {0};
        out_put(&o, "{");
        out_text(&o, "event", "turn");
        out_text(&o, "table", t->id);
        out_text(&o, "title", t->title);
        out_put(&o, "}");
        view_user_event(h, t->seat[i].user, t, o.text);
        out_release(&o);
    }
}

void view_changed(struct hub *h, struct table *t, int64_t before)
{
    struct rendering r = {.hub = h, .table = t};
    (void)before;
    t->shown = t->version;
    for (struct link *link = t->watchers, *next; link; link = next) {
        next = link->table_next;
        if (table_seat(t, link->user) >= 0) {
            tell(h, &r, link);
            continue;
        }
        link->behind = true;
        t->behind = true;
        if (!h->flush_at)
            h->flush_at = hub_now(h) + FLUSH_MS;
    }
    rendering_release(&r);
    tell_turns(h, t);
}

static bool flush(struct hub *h, struct table *t)
{
    struct rendering r = {.hub = h, .table = t};
    bool left = false;
    for (struct link *link = t->watchers, *next; link; link = next) {
        next = link->table_next;
        if (!link->behind)
            continue;
        if (h->set.transport->waiting(link) > 0)
            left = true;
        else
            tell(h, &r, link);
    }
    rendering_release(&r);
    return left;
}

void view_flush(struct hub *h)
{
    int64_t now = hub_now(h);
    if (!h->flush_at || h->flush_at > now)
        return;
    bool left = false;
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (!t->behind)
            continue;
        bool can =
            !t->busy && !t->loading && (t->match || t->status == TABLE_OPEN);
        t->behind = can ? flush(h, t) : true;
        left |= t->behind;
    }
    h->flush_at = left ? now + FLUSH_MS : 0;
}

void view_user_event(struct hub *h, const struct user *u,
                     const struct table *not_at, const char *json)
{
    if (!u->online)
        return;
    for (struct link *link = h->all, *next; link; link = next) {
        next = link->next;
        if (link->socket && link->user == u && link->table != not_at)
            link_send(h, link, json, strlen(json));
    }
}

void view_lobby(struct hub *h)
{
    static const char json[] = "{\"event\":\"lobby\"}";
    int64_t now = hub_now(h);
    if (!h->lobby_changed || now < h->lobby_at)
        return;
    h->lobby_changed = false;
    h->lobby_at = now + LOBBY_MS;
    for (struct link *link = h->all, *next; link; link = next) {
        next = link->next;
        if (link->lobby)
            link_send(h, link, json, strlen(json));
    }
}
