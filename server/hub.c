/* server/hub.c: opening, connections, and what time brings. */
#include "server/hub.h"

#include <libintl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS_MS = 2000, TIDY_MS = 5000, IDLE_MS = 1000 };

int64_t hub_now(const struct hub *h)
{
    return h->set.now();
}

/* One line of JSON on the standard error output. */
void hub_log(const struct hub *h, const char *event, const char *subject,
             const char *more)
{
    if (!h->set.log)
        return;
    struct out o = {0};
    out_put(&o, "{");
    out_number(&o, "at", hub_now(h));
    out_text(&o, "event", event);
    out_text(&o, "subject", subject);
    if (*more)
        out_text(&o, "more", more);
    out_put(&o, "}\n");
    fputs(o.text, stderr);
    out_release(&o);
}

struct hub *hub_open(const struct hub_settings *settings, char *why, size_t cap)
{
    if (sodium_init() < 0) {
        snprintf(why, cap, "%s", gettext("no source of random numbers"));
        return NULL;
    }
    struct hub *h = sure(calloc(1, sizeof *h));
    h->set = *settings;
    h->redo_last = &h->redo;
    h->held_last = &h->held;
    id_new(h->me);
    if (share_begin(h) && people_load(h) && limits_load(h) && tables_load(h)) {
        deferred_run(h);
        return h;
    }
    snprintf(why, cap, "%s", gettext("cannot read the store"));
    hub_close(h);
    return NULL;
}

void hub_close(struct hub *h)
{
    if (!h)
        return;
    while (h->all)
        hub_disconnect(h, h->all);
    deferred_clear(h);
    tables_release(h);
    people_release(h);
    limits_release(h);
    share_release(h);
    analysis_release(h);
    dict_release(&h->links);
    free(h);
}

/* ---- connections ---- */

struct link *hub_connect(struct hub *h, void *connection, bool socket,
                         const char *address, const char *token)
{
    struct link *link = sure(calloc(1, sizeof *link));
    link->number = ++h->last_link;
    snprintf(link->key, sizeof link->key, "%llu",
             (unsigned long long)link->number);
    link->connection = connection;
    link->socket = socket;
    link->viewer = SEAT_NONE;
    link->status = 200;
    snprintf(link->address, sizeof link->address, "%s", address);
    link->tokens = 2.0 * h->set.rate;
    link->tokens_at = hub_now(h);
    const struct session *s = token ? session_find(h, token) : NULL;
    session_attach(link, s);
    link->next = h->all;
    if (h->all)
        h->all->previous = link;
    h->all = link;
    dict_set(&h->links, link->key, link);
    h->figures.links++;
    h->figures.sockets += socket;
    if (token && !s && h->shared) {
        char hash[64];
        token_hash(token, hash);
        share_look(h, link, "session", hash);
    }
    return link;
}

void hub_disconnect(struct hub *h, struct link *link)
{
    view_unwatch(h, link);
    if (link->user)
        link->user->online -= link->socket;
    if (link->previous)
        link->previous->next = link->next;
    else
        h->all = link->next;
    if (link->next)
        link->next->previous = link->previous;
    dict_drop(&h->links, link->key);
    h->figures.links--;
    h->figures.sockets -= link->socket;
    free(link);
}

/* ---- time ---- */

void hub_collect(struct hub *h)
{
    store_collect(h->set.store);
    jobs_collect(h->set.jobs);
    deferred_run(h);
}

int64_t hub_tick(struct hub *h)
{
    int64_t now = hub_now(h);
    share_tick(h);
    clocks_run(h);
    bots_tick(h);
    view_flush(h);
    view_lobby(h);
    if (now >= h->orders_at) {
        h->orders_at = now + ORDERS_MS;
        orders_run(h);
        tables_rest(h);
        analysis_run(h);
    }
    if (now >= h->tidy_at) {
        people_rest(h);
        limits_rest(h);
        memory_give_back(); /* takes a thousandth of the time at most */
        h->tidy_at = now + TIDY_MS + 1000 * (hub_now(h) - now);
    }
    deferred_run(h);
    if (h->flush_at)
        return h->flush_at > now ? h->flush_at - now : 1;
    return h->lobby_changed ? 100 : IDLE_MS / 4;
}

void hub_stop(struct hub *h)
{
    h->stopping = true;
    hub_log(h, "stopping", "", "");
    bots_release(h);
    analysis_stop(h);
    store_settle(h->set.store);
    deferred_run(h);
    store_settle(h->set.store);
}

/* ---- figures ---- */

static void metric(struct out *o, const char *name, const char *type,
                   const char *help, int64_t value)
{
    out_put(o, "# HELP terrarium_");
    out_put(o, name);
    out_put(o, " ");
    out_put(o, help);
    out_put(o, "\n# TYPE terrarium_");
    out_put(o, name);
    out_put(o, " ");
    out_put(o, type);
    out_put(o, "\nterrarium_");
    out_put(o, name);
    out_put(o, " ");
    out_int(o, value);
    out_put(o, "\n");
}

static int64_t tables_of(const struct hub *h, enum table_status status)
{
    int64_t count = 0;
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&h->tables, &at));)
        count += t->status == status;
    return count;
}

void hub_metrics(struct hub *h, struct out *o)
{
    const struct figures *f = &h->figures;
    struct store_figures s = store_figures(h->set.store);
    metric(o, "sockets", "gauge", "open WebSockets", f->sockets);
    metric(o, "users", "gauge", "guests and accounts in memory",
           (int64_t)h->users.count);
    metric(o, "tables_open", "gauge", "tables that wait for players",
           tables_of(h, TABLE_OPEN));
    metric(o, "tables_running", "gauge", "matches in play",
           tables_of(h, TABLE_RUNNING));
    metric(o, "tables_over", "gauge", "finished matches in memory",
           tables_of(h, TABLE_OVER));
    metric(o, "matches_loaded", "gauge", "matches in memory", h->loaded);
    metric(o, "messages_total", "counter", "messages received", f->messages);
    metric(o, "refused_total", "counter", "messages refused", f->refused);
    metric(o, "lines_total", "counter", "lines added to matches", f->played);
    metric(o, "slow_readers_total", "counter", "connections dropped as slow",
           f->slow);
    metric(o, "floods_total", "counter", "messages over the limit", f->floods);
    metric(o, "commits_total", "counter", "commits of the store", s.commits);
    metric(o, "writes_total", "counter", "batches written", s.writes);
    metric(o, "write_failures_total", "counter", "batches that failed",
           s.failures);
}
