/* server/export.c: all that is kept about somebody, and forgetting it.
 *
 * Notes and the list of tables at which somebody spoke are kept under
 * "USER:TABLE", so that one person's are found without the others'. */
#include "server/hub.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 10000 };

struct exporting {
    struct later *later; /* owned */
    const struct user *user;
    struct out out;
    char (*spoke)[ID_BYTES]; /* owned: tables */
    int count, at;
};

static void prefix_of(const struct user *u, char to[ID_BYTES + 2])
{
    snprintf(to, ID_BYTES + 2, "%s:", u->id);
}

/* The table of a key, NULL if it is somebody else's. */
static const char *table_in(const struct user *u, const char *key)
{
    char prefix[ID_BYTES + 2];
    prefix_of(u, prefix);
    size_t length = strlen(prefix);
    return strncmp(key, prefix, length) == 0 ? key + length : NULL;
}

static void list(struct hub *h, const struct user *u, const char *kind,
                 store_done *done, void *context)
{
    char prefix[ID_BYTES + 2];
    prefix_of(u, prefix);
    store_list(h->set.store, kind, prefix, LIST_MAX, done, context);
}

/* ---- what was said ---- */

static void put_said(struct exporting *e, const struct store_row *row)
{
    char id[ID_BYTES];
    struct span rest = span_of(row->text);
    span_word(&rest);
    span_copy(span_word(&rest), id, sizeof id);
    if (strcmp(id, e->user->id) != 0)
        return;
    out_next(&e->out);
    out_put(&e->out, "{");
    out_text(&e->out, "table", e->spoke[e->at]);
    out_number(&e->out, "at", row->at);
    out_text(&e->out, "text", rest.at + (rest.length > 0));
    out_put(&e->out, "}");
}

static void next_chat(struct exporting *e);

static void on_chat_lines(void *context, const struct store_answer *a)
{
    struct exporting *e = context;
    for (int i = 0; i < a->count; i++)
        put_said(e, &a->rows[i]);
    e->at++;
    next_chat(e);
}

static void next_chat(struct exporting *e)
{
    char log[ID_BYTES + 8];
    if (e->at < e->count) {
        snprintf(log, sizeof log, "chat:%s", e->spoke[e->at]);
        store_lines(e->later->hub->set.store, log, 0, on_chat_lines, e);
        return;
    }
    out_put(&e->out, "]}");
    later_ok(e->later, e->out.text);
    out_release(&e->out);
    free(e->spoke);
    free(e);
}

static void on_spoke(void *context, const struct store_answer *a)
{
    struct exporting *e = context;
    e->spoke = sure(calloc((size_t)a->count + 1, sizeof *e->spoke));
    for (int i = 0; i < a->count; i++) {
        const char *table = table_in(e->user, a->rows[i].key);
        if (table)
            snprintf(e->spoke[e->count++], ID_BYTES, "%s", table);
    }
    out_key(&e->out, "said");
    out_put(&e->out, "[");
    next_chat(e);
}

/* ---- notes ---- */

static void on_note_list(void *context, const struct store_answer *a)
{
    struct exporting *e = context;
    out_key(&e->out, "notes");
    out_put(&e->out, "[");
    for (int i = 0; i < a->count; i++) {
        const char *table = table_in(e->user, a->rows[i].key);
        if (!table)
            continue;
        out_next(&e->out);
        out_put(&e->out, "{");
        out_text(&e->out, "table", table);
        out_text(&e->out, "text", a->rows[i].text);
        out_put(&e->out, "}");
    }
    out_put(&e->out, "]");
    list(e->later->hub, e->user, "said", on_spoke, e);
}

/* ---- tables ---- */

static void put_table(struct exporting *e, const char *id)
{
    out_next(&e->out);
    out_json(&e->out, id);
}

static void on_past(void *context, const struct store_answer *a)
{
    struct exporting *e = context;
    for (int i = 0; i < a->count; i++)
        if (past_in(e->user->id, a->rows[i].key))
            put_table(e, past_table(a->rows[i].key));
    out_put(&e->out, "]");
    list(e->later->hub, e->user, "note", on_note_list, e);
}

/* Those in memory, then those that are over. */
static void put_tables(struct hub *h, struct exporting *e)
{
    size_t at = 0;
    out_key(&e->out, "tables");
    out_put(&e->out, "[");
    for (const struct table *t; (t = dict_next(&h->tables, &at));)
        if (t->status != TABLE_OVER && table_seat(t, e->user) >= 0)
            put_table(e, t->id);
    list(h, e->user, "over", on_past, e);
}

void on_export(struct hub *h, struct request *r)
{
    struct exporting *e = sure(calloc(1, sizeof *e));
    char *record = user_export(r->user);
    e->later = later_of(h, r);
    e->user = r->user;
    out_put(&e->out, "{");
    out_raw(&e->out, "user", record);
    ratings_write(r->user, &e->out);
    free(record);
    put_tables(h, e);
}

/* ---- forgetting ---- */

struct forgetting {
    struct hub *hub;
    struct user *user; /* held */
};

static void on_forgotten(void *context, const struct store_answer *a)
{
    struct forgetting f = *(struct forgetting *)context;
    free(context);
    for (int i = 0; i < a->count; i++) {
        const struct store_row *row = &a->rows[i];
        struct store_change c = {STORE_DELETE, row->kind, row->key,
                                 STORE_ANY,    0,         NULL};
        if (table_in(f.user, row->key))
            store_write(f.hub->set.store, &c, 1, NULL, NULL);
    }
    user_let(f.user);
}

void notes_forget(struct hub *h, struct user *u)
{
    static const char *const kinds[] = {"note", "said"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct forgetting *f = sure(calloc(1, sizeof *f));
        *f = (struct forgetting){h, user_hold(u)};
        list(h, u, kinds[i], on_forgotten, f);
    }
}
