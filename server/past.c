/* server/past.c: tables that are over.
 *
 * They are not kept in memory: what a server has there is what is open or
 * running, and what somebody looks at.  The commit that ends a game puts its
 * head once more where it will be looked for, as records of the kind "over":
 *
 *     all:TIME:TABLE         unless it is hidden
 *     GAME:TIME:TABLE        the same of one game
 *     USER:TIME:TABLE        of everybody who sat there
 *     rated:GAME:TIME:TABLE  the oldest first, for downloads
 *
 * TIME counts backwards but for the last, so that the newest comes first.  A
 * head that is over never changes but for its rematch, which is asked of the
 * table itself. */
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 9999999999999 /* milliseconds, thirteen digits as all of them */

static void write_key(const char *list, int64_t time, const struct table *t,
                      char to[PAST_BYTES])
{
    snprintf(to, PAST_BYTES, "%s:%013lld:%s", list, (long long)time, t->id);
}

/* Did somebody with an earlier seat have the same name?  A bot took over, and
 * the player came back. */
static bool sat_before(const struct table *t, int seat)
{
    for (int i = 0; i < seat; i++)
        if (t->seat[i].user == t->seat[seat].user)
            return true;
    return false;
}

int past_keys(const struct table *t, char keys[PAST_LISTS][PAST_BYTES])
{
    int count = 0;
    char list[ID_BYTES + 8];
    int64_t back = FAR - t->finished;
    if (!t->hidden) {
        write_key("all", back, t, keys[count++]);
        write_key(t->game->name, back, t, keys[count++]);
    }
    for (int i = 0; i < t->seats; i++)
        if (t->seat[i].user && !sat_before(t, i))
            write_key(t->seat[i].user->id, back, t, keys[count++]);
    if (t->rated) {
        snprintf(list, sizeof list, "rated:%s", t->game->name);
        write_key(list, t->finished, t, keys[count++]);
    }
    return count;
}

const char *past_in(const char *list, const char *key)
{
    size_t length = strlen(list);
    return strncmp(key, list, length) == 0 && key[length] == ':'
               ? key + length + 1
               : NULL;
}

const char *past_table(const char *key)
{
    return strrchr(key, ':') + 1;
}

/* ---- reading a list ---- */

struct listing {
    struct hub *hub;
    char list[ID_BYTES + 8];
    int skip, limit;
    bool again; /* those who were missing have been asked for */
    void (*done)(void *context, const struct past *p);
    void *context;
};

static void on_rows(void *context, const struct store_answer *a);

static void ask(struct listing *l)
{
    char after[ID_BYTES + 10];
    snprintf(after, sizeof after, "%s:", l->list);
    store_list(l->hub->set.store, "over", after, l->limit, on_rows, l);
}

static void on_rows(void *context, const struct store_answer *a)
{
    struct listing *l = context;
    struct past p = {sure(calloc((size_t)a->count + 1, sizeof(struct table *))),
                     0, 0};
    bool missing = false;
    for (int i = 0; i < a->count && past_in(l->list, a->rows[i].key); i++) {
        if (i < l->skip) {
            p.skipped++;
            continue;
        }
        struct table *t =
            table_stored(l->hub, past_table(a->rows[i].key), &a->rows[i]);
        missing |= t && t->missing;
        if (t)
            p.tables[p.count++] = t;
    }
    if (missing && !l->again) {
        l->again = true;
        ask(l);
    } else {
        l->done(l->context, &p);
        free(l);
    }
    for (int i = 0; i < p.count; i++)
        table_release(p.tables[i]);
    free(p.tables);
}

void past_list(struct hub *h, const char *list, int skip, int limit,
               void (*done)(void *context, const struct past *p), void *context)
{
    struct listing *l = sure(calloc(1, sizeof *l));
    l->hub = h;
    snprintf(l->list, sizeof l->list, "%s", list);
    l->skip = skip;
    l->limit = limit;
    l->done = done;
    l->context = context;
    ask(l);
}
