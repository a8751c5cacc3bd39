/* server/download.c: finished games as text. */
#include "server/download.h"

#include "rules/rules.h"
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct listed {
    char id[ID_BYTES];
    int64_t finished;
};

struct download {
    struct hub *hub;
    void (*ready)(void *context);
    void *context;
    struct listed *list; /* owned */
    int count, at;
    bool titles;           /* a line before each game */
    bool asking, forsaken; /* the store owes an answer; nobody waits for it */
    struct out text;
};

/* ---- which games ---- */

static int by_time(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    if (x->finished != y->finished)
        return x->finished < y->finished ? -1 : 1;
    return strcmp(x->id, y->id);
}

static void add(struct download *d, const struct table *t)
{
    d->list = sure(realloc(d->list, (size_t)(d->count + 1) * sizeof *d->list));
    struct listed *l = &d->list[d->count++];
    memcpy(l->id, t->id, sizeof l->id);
    l->finished = t->finished;
}

static void add_rated(struct download *d, const struct game *game)
{
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&d->hub->tables, &at));)
        if (t->game == game && t->rated && t->status == TABLE_OVER &&
            t->started)
            add(d, t);
    if (d->count)
        qsort(d->list, (size_t)d->count, sizeof *d->list, by_time);
}

/* "/games/nova.txt" with the folder "/games/": "nova". */
static bool name_in(const char *path, const char *folder, char *to, size_t cap)
{
    size_t skip = strlen(folder), length = strlen(path);
    if (strncmp(path, folder, skip) != 0 || length < skip + 5 ||
        strcmp(path + length - 4, ".txt") != 0 || length - skip - 4 >= cap)
        return false;
    snprintf(to, cap, "%.*s", (int)(length - skip - 4), path + skip);
    return true;
}

static bool choose(struct download *d, const char *path)
{
    char name[32];
    if (name_in(path, "/games/", name, sizeof name)) {
        const struct game *game = rules_find(name);
        d->titles = true;
        if (game)
            add_rated(d, game);
        return game != NULL;
    }
    if (name_in(path, "/match/", name, sizeof name)) {
        const struct table *t = dict_find(&d->hub->tables, name);
        bool over = t && t->status == TABLE_OVER && t->started;
        if (over)
            add(d, t);
        return over;
    }
    return false;
}

struct download *download_open(struct hub *h, const char *path,
                               void (*ready)(void *context), void *context)
{
    struct download *d = sure(calloc(1, sizeof *d));
    d->hub = h;
    d->ready = ready;
    d->context = context;
    if (!choose(d, path)) {
        free(d);
        return NULL;
    }
    h->downloads++;
    return d;
}

static void release(struct download *d)
{
    out_release(&d->text);
    free(d->list);
    free(d);
}

void download_close(struct download *d)
{
    d->hub->downloads--;
    d->forsaken = true;
    if (!d->asking)
        release(d);
}

/* ---- one game after the other ---- */

static void put_title(struct download *d, const struct listed *l)
{
    time_t seconds = (time_t)(l->finished / 1000);
    struct tm parts;
    char line[64], when[32];
    gmtime_r(&seconds, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    snprintf(line, sizeof line, "== %s %s\n", l->id, when);
    out_put(&d->text, line);
}

static void put_game(struct download *d, const struct table *t,
                     const struct store_answer *a)
{
    struct table copy = *t;
    struct fault f = {0};
    const char *line;
    copy.match = NULL;
    copy.marks = NULL;
    copy.marks_cap = 0;
    copy.seat = sure(malloc((size_t)t->seats * sizeof *copy.seat));
    memcpy(copy.seat, t->seat, (size_t)t->seats * sizeof *copy.seat);
    if (a->outcome == STORE_OK &&
        table_replay(&copy, a->rows, a->count, &f, &line)) {
        char *text = record_text(&copy, match_format(t->game, NULL),
                                 match_count(copy.match), RECORD_FULL);
        if (text && d->titles)
            put_title(d, &d->list[d->at]);
        if (text)
            out_put(&d->text, text);
        free(text);
    } else {
        hub_log(d->hub, "a match cannot be downloaded", t->id, "");
    }
    match_close(copy.match);
    free(copy.marks);
    free(copy.seat);
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct download *d = context;
    d->asking = false;
    if (d->forsaken) {
        release(d);
        return;
    }
    const struct table *t = dict_find(&d->hub->tables, d->list[d->at].id);
    if (t)
        put_game(d, t, a);
    d->at++;
    d->ready(d->context);
}

struct out *download_read(struct download *d)
{
    bool all = d->at == d->count && d->text.length == 0;
    return all ? NULL : &d->text;
}

void download_next(struct download *d)
{
    char log[ID_BYTES + 8];
    if (d->asking || d->at == d->count)
        return;
    d->asking = true;
    snprintf(log, sizeof log, "match:%s", d->list[d->at].id);
    store_lines(d->hub->set.store, log, 0, on_lines, d);
}
