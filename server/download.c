/* server/download.c: finished games as text. */
#include "server/download.h"

#include "rules/rules.h"
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE = 100 };

struct download {
    struct hub *hub;
    void (*ready)(void *context);
    void *context;
    char path[48];
    char list[ID_BYTES + 8];  /* "": one game by its address */
    char after[PAST_BYTES];   /* the last one of the list so far */
    char ids[PAGE][ID_BYTES]; /* those that come next */
    int count, at;
    bool all; /* no more of them behind these */
    enum download_state state;
    struct table *table;   /* owned: the head of the next one; may be NULL */
    bool asking, forsaken; /* the store owes an answer; nobody waits for it */
    bool again;            /* who sat there has been asked for */
    struct out text;
};

/* ---- which games ---- */

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
        if (!game)
            return false;
        snprintf(d->list, sizeof d->list, "rated:%s", game->name);
        snprintf(d->after, sizeof d->after, "%s:", d->list);
        d->state = DOWNLOAD_THERE;
        return true;
    }
    if (!name_in(path, "/match/", d->ids[0], sizeof d->ids[0]))
        return false;
    d->count = 1;
    d->all = true;
    return true;
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
    snprintf(d->path, sizeof d->path, "%s", path);
    h->downloads++;
    if (d->state == DOWNLOAD_UNKNOWN)
        download_next(d);
    return d;
}

enum download_state download_state(const struct download *d)
{
    return d->state;
}

const char *download_path(const struct download *d)
{
    return d->path;
}

static void drop_table(struct download *d)
{
    if (d->table)
        table_let(d->table);
    table_release(d->table);
    d->table = NULL;
}

static void release(struct download *d)
{
    out_release(&d->text);
    drop_table(d);
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

static void put_title(struct download *d)
{
    time_t seconds = (time_t)(d->table->finished / 1000);
    struct tm parts;
    char line[64], when[32];
    gmtime_r(&seconds, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    snprintf(line, sizeof line, "== %s %s\n", d->table->id, when);
    out_put(&d->text, line);
}

static void put_game(struct download *d, const struct store_answer *a)
{
    struct table *t = d->table;
    struct fault f = {0};
    const char *line;
    if (a->outcome == STORE_OK &&
        table_replay(t, a->rows, a->count, &f, &line)) {
        char *text = record_text(t, match_format(t->game, NULL),
                                 match_count(t->match), RECORD_FULL);
        if (text && d->list[0])
            put_title(d);
        if (text)
            out_put(&d->text, text);
        free(text);
    } else {
        hub_log(d->hub, "a match cannot be downloaded", t->id, "");
    }
}

/* Is anybody still there?  Otherwise that was the end of it. */
static bool answered(struct download *d)
{
    d->asking = false;
    if (!d->forsaken)
        return true;
    release(d);
    return false;
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct download *d = context;
    if (!answered(d))
        return;
    put_game(d, a);
    drop_table(d);
    d->at++;
    d->ready(d->context);
}

static void on_head(void *context, const struct store_answer *a)
{
    struct download *d = context;
    if (!answered(d))
        return;
    struct table *t =
        a->count ? table_stored(d->hub, d->ids[d->at], &a->rows[0]) : NULL;
    bool over = t && t->status == TABLE_OVER && t->started;
    d->again = over && t->missing && !d->again;
    if (d->again) {
        table_release(t);
        download_next(d);
        return;
    }
    if (d->state == DOWNLOAD_UNKNOWN)
        d->state = over ? DOWNLOAD_THERE : DOWNLOAD_NOT_THERE;
    if (over) {
        d->table = t;
        table_hold(t);
    } else {
        table_release(t);
        d->at++;
    }
    d->ready(d->context);
}

static void on_page(void *context, const struct store_answer *a)
{
    struct download *d = context;
    if (!answered(d))
        return;
    d->count = d->at = 0;
    for (int i = 0; i < a->count && past_in(d->list, a->rows[i].key); i++) {
        snprintf(d->ids[d->count++], ID_BYTES, "%s",
                 past_table(a->rows[i].key));
        snprintf(d->after, sizeof d->after, "%s", a->rows[i].key);
    }
    d->all = d->count < PAGE;
    d->ready(d->context);
}

struct out *download_read(struct download *d)
{
    bool end = d->at == d->count && d->all && d->text.length == 0;
    return end ? NULL : &d->text;
}

void download_next(struct download *d)
{
    struct store *store = d->hub->set.store;
    char log[ID_BYTES + 8];
    if (d->asking || (d->at == d->count && d->all))
        return;
    d->asking = true;
    if (d->table) {
        snprintf(log, sizeof log, "match:%s", d->table->id);
        store_lines(store, log, 0, on_lines, d);
    } else if (d->at < d->count) {
        store_get(store, "match", d->ids[d->at], on_head, d);
    } else {
        store_list(store, "over", d->after, PAGE, on_page, d);
    }
}
