/* server/lobby.c: lists of tables and players. */
#include "server/hub.h"

#include "base/text.h"
#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 50 };

/* Of those that are over: so many can be leafed through. */
enum { PAST_PAGES = 20 };

struct list {
    const struct table **all; /* owned */
    int count;
    int skipped; /* of these, before the first that is there */
};

static bool my_turn(const struct table *t, const struct user *u)
{
    int seat = table_seat(t, u);
    return seat >= 0 && t->status == TABLE_RUNNING && t->asked >> seat & 1;
}

static bool belongs(const struct hub *h, const struct table *t,
                    const char *filter, const struct user *u)
{
    bool mine = table_seat(t, u) >= 0;
    if (strcmp(filter, "mine") == 0)
        return mine && t->status != TABLE_OVER;
    if (t->hidden && !mine)
        return false;
    if (strcmp(filter, "open") == 0)
        return t->status == TABLE_OPEN &&
               !user_blocks(u, dict_find(&h->users, t->owner));
    return t->status == TABLE_RUNNING;
}

static int newest_first(const void *a, const void *b)
{
    const struct table *s = *(const struct table *const *)a;
    const struct table *t = *(const struct table *const *)b;
    return s->created < t->created   ? 1
           : s->created > t->created ? -1
                                     : strcmp(s->id, t->id);
}

static struct list list_of(const struct hub *h, const char *filter,
                           const char *game, const struct user *u)
{
    struct list l = {
        sure(calloc(h->tables.count + 1, sizeof(const struct table *))), 0, 0};
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&h->tables, &at));)
        if (belongs(h, t, filter, u) &&
            (!*game || strcmp(t->game->name, game) == 0))
            l.all[l.count++] = t;
    qsort(l.all, (size_t)l.count, sizeof(const struct table *), newest_first);
    return l;
}

static void put_list(const struct hub *h, const struct list *l, long page,
                     const struct user *u, struct out *o)
{
    out_key(o, "tables");
    out_put(o, "[");
    for (long i = page * PAGE; i < l->count && i < (page + 1) * PAGE; i++) {
        const struct table *t = l->all[i - l->skipped];
        out_next(o);
        out_put(o, "{");
        view_info(h, t, o);
        out_number(o, "seat", table_seat(t, u));
        out_flag(o, "turn", my_turn(t, u));
        out_put(o, "}");
    }
    out_put(o, "]");
    out_number(o, "count", l->count);
}

struct leafing {
    struct later *later; /* owned */
    const struct user *user;
    long page;
};

static void on_past(void *context, const struct past *p)
{
    struct leafing f = *(struct leafing *)context;
    struct list l = {(const struct table **)p->tables, p->skipped + p->count,
                     p->skipped};
    struct out o = {0};
    free(context);
    out_put(&o, "{");
    put_list(f.later->hub, &l, f.page, f.user, &o);
    out_put(&o, "}");
    later_ok(f.later, o.text);
    out_release(&o);
}

/* How many there are is not known: as many as were read, and one more page's
 * first if there is one. */
static void leaf(struct hub *h, struct request *r, const char *game, long page)
{
    struct leafing *f = sure(calloc(1, sizeof *f));
    int more = page + 1 < PAST_PAGES;
    int limit = page < PAST_PAGES ? (int)(page + 1) * PAGE + more : 0;
    const struct game *g = rules_find(game);
    const char *list = !*game ? "all" : g ? g->name : "";
    *f = (struct leafing){later_of(h, r), r->user, page};
    past_list(h, list, (int)page * PAGE, limit, on_past, f);
}

void on_lobby(struct hub *h, struct request *r)
{
    const char *filter = message_text(r->body, "filter", "open");
    const char *game = message_text(r->body, "game", "");
    long page = message_number(r->body, "page", 0);
    r->link->lobby = r->link->socket;
    if (strcmp(filter, "finished") == 0) {
        leaf(h, r, game, page);
        return;
    }
    struct list l = list_of(h, filter, game, r->user);
    struct out o = {0};
    out_put(&o, "{");
    put_list(h, &l, page, r->user, &o);
    out_put(&o, "}");
    reply_ok(h, r, o.text);
    out_release(&o);
    free(l.all);
}

/* The table that has waited longest for this player, but not the one it
 * comes from. */
void on_next(struct hub *h, struct request *r)
{
    const char *here = message_text(r->body, "from", "");
    const struct table *best = NULL;
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&h->tables, &at));)
        if (my_turn(t, r->user) && strcmp(t->id, here) != 0 &&
            (!best || t->created < best->created))
            best = t;
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "table", best ? best->id : NULL);
    out_put(&o, "}");
    reply_ok(h, r, o.text);
    out_release(&o);
}

/* ---- players ---- */

void ratings_write(const struct user *u, struct out *o)
{
    out_key(o, "ratings");
    out_put(o, "[");
    for (int i = 0; i < GAMES_MAX && rules_games[i]; i++) {
        const struct rating g = rating_of(u, i);
        char text[128];
        if (!g.games)
            continue;
        snprintf(text, sizeof text,
                 "{\"game\":\"%s\",\"mu\":%.3f,\"sigma\":%.3f,\"games\":%d}",
                 rules_games[i]->name, g.mu, g.sigma, g.games);
        out_next(o);
        out_put(o, text);
    }
    out_put(o, "]");
}

struct history {
    struct later *later;      /* owned */
    struct user *user;        /* held */
    const struct user *asker; /* may be NULL */
    struct out out;
};

/* One's own also those that are hidden. */
static void on_games(void *context, const struct past *p)
{
    struct history *d = context;
    struct list l = {
        sure(calloc((size_t)p->count + 1, sizeof(const struct table *))), 0, 0};
    for (int i = 0; i < p->count; i++)
        if (!p->tables[i]->hidden || d->asker == d->user)
            l.all[l.count++] = p->tables[i];
    put_list(d->later->hub, &l, 0, d->user, &d->out);
    out_put(&d->out, "}");
    later_ok(d->later, d->out.text);
    out_release(&d->out);
    user_let(d->user);
    free(l.all);
    free(d);
}

static void put_history(const struct store_answer *a, struct out *o)
{
    out_key(o, "history");
    out_put(o, "[");
    for (int i = 0; i < a->count; i++) {
        /* "table place mu sigma", as server/table.c writes it */
        char id[ID_BYTES], text[160], *end;
        struct span rest = span_of(a->rows[i].text);
        span_copy(span_word(&rest), id, sizeof id);
        long place = strtol(rest.at, &end, 10);
        double mu = strtod(end, &end), sigma = strtod(end, &end);
        snprintf(text, sizeof text,
                 "{\"table\":\"%s\",\"at\":%lld,\"place\":%ld,\"mu\":%.3f,"
                 "\"sigma\":%.3f}",
                 id, (long long)a->rows[i].at, place, mu, sigma);
        out_next(o);
        out_put(o, text);
    }
    out_put(o, "]");
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct history *d = context;
    struct out *o = &d->out;
    out_put(o, "{");
    user_write(o, "user", d->user);
    out_number(o, "since", d->user->created);
    out_flag(o, "blocked", user_blocks(d->asker, d->user));
    ratings_write(d->user, o);
    put_history(a, o);
    past_list(d->later->hub, d->user->id, 0, PAGE, on_games, d);
}

void on_player(struct hub *h, struct request *r)
{
    struct user *u = user_named(h, message_text(r->body, "name", ""));
    const struct game *game = rules_find(message_text(r->body, "game", "nova"));
    char log[ID_BYTES + 48];
    if (!u || !game) {
        reply_error(h, r, "unknown", "there is no such player");
        return;
    }
    struct history *d = sure(calloc(1, sizeof *d));
    *d = (struct history){
        .later = later_of(h, r), .user = user_hold(u), .asker = r->user};
    snprintf(log, sizeof log, "rating:%s:%s", u->id, game->name);
    store_lines(h->set.store, log, 0, on_lines, d);
}
