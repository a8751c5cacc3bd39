/* server/talk.c: chat and private notes.
 *
 * Players and spectators have a channel each; while a game runs neither reads
 * the other's. */
#include "server/hub.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct saying {
    struct later *later; /* owned */
    char table[ID_BYTES];
    const struct user *user;
    bool player;
    int64_t at;
    char *text; /* owned */
};

static bool hears(const struct table *t, const struct user *u, bool player)
{
    return t->status == TABLE_OVER || (table_seat(t, u) >= 0) == player;
}

static void put_line(struct out *o, const struct user *by, bool player,
                     int64_t at, const char *text)
{
    out_text(o, "by", by ? by->name : "");
    out_text(o, "channel", player ? "players" : "spectators");
    out_number(o, "at", at);
    out_text(o, "text", text);
}

static void tell(struct hub *h, struct table *t, const struct user *by,
                 bool player, int64_t at, const char *text)
{
    struct out o = {0};
    if (!t || !t->watchers)
        return;
    out_put(&o, "{");
    out_text(&o, "event", "chat");
    out_text(&o, "table", t->id);
    put_line(&o, by, player, at, text);
    out_put(&o, "}");
    for (struct link *l = t->watchers, *next; l; l = next) {
        next = l->table_next;
        if (hears(t, l->user, player) && !user_blocks(l->user, by))
            link_send(h, l, o.text, o.length);
    }
    out_release(&o);
}

static void said(void *context, const struct store_answer *a)
{
    struct saying *s = context;
    struct hub *h = s->later->hub;
    struct table *t = dict_find(&h->tables, s->table);
    if (a->outcome != STORE_OK) {
        later_error(s->later, "store", "this could not be stored; try again");
    } else {
        later_ok(s->later, "{}");
        tell(h, t, s->user, s->player, s->at, s->text);
    }
    free(s->text);
    free(s);
}

static void note_key(const struct request *r, char *to, size_t cap)
{
    snprintf(to, cap, "%s:%s", r->user->id, r->table->id);
}

void on_chat(struct hub *h, struct request *r)
{
    struct saying *s = sure(calloc(1, sizeof *s));
    struct out line = {0};
    char log[ID_BYTES + 8];
    memcpy(s->table, r->table->id, sizeof s->table);
    s->later = later_of(h, r);
    s->user = r->user;
    s->player = r->seat >= 0;
    s->at = hub_now(h);
    s->text = sure(strdup(message_text(r->body, "text", "")));
    snprintf(log, sizeof log, "chat:%s", s->table);
    out_put(&line, s->player ? "players " : "spectators ");
    out_put(&line, r->user->id);
    out_put(&line, " ");
    out_put(&line, s->text);
    char key[2 * ID_BYTES]; /* where somebody spoke: see export.c */
    note_key(r, key, sizeof key);
    struct store_change c[] = {
        {STORE_APPEND, NULL, log, STORE_ANY, s->at, line.text},
        {STORE_PUT, "said", key, STORE_ANY, 0, "1"}};
    store_write(h->set.store, c, 2, said, s);
    out_release(&line);
}

/* ---- reading again ---- */

struct reading {
    struct later *later; /* owned */
    char table[ID_BYTES];
    const struct user *user; /* may be NULL */
    bool again;              /* who was not known has been asked for */
};

static void speaker(const struct store_row *row, char id[ID_BYTES])
{
    struct span rest = span_of(row->text);
    span_word(&rest);
    span_copy(span_word(&rest), id, ID_BYTES);
}

/* Is everybody who spoke known here?  Otherwise the store is asked, whose
 * answers come in order: the same question again finds them. */
static bool speakers_known(struct hub *h, const struct store_row *rows,
                           int count)
{
    bool all = true;
    for (int i = 0; i < count; i++) {
        char id[ID_BYTES];
        speaker(&rows[i], id);
        if (dict_find(&h->users, id))
            continue;
        all = false;
        share_fetch(h, "user", id);
    }
    return all;
}

/* Its words; who said it on which channel. */
static const char *read_line(const struct hub *h, const struct store_row *row,
                             const struct user **by, bool *player)
{
    char id[ID_BYTES];
    struct span rest = span_of(row->text);
    *player = span_is(span_word(&rest), "players");
    span_copy(span_word(&rest), id, sizeof id);
    *by = dict_find(&h->users, id);
    return rest.at + (rest.length > 0);
}

static void put_stored(const struct reading *d, const struct store_row *row,
                       struct out *o)
{
    const struct user *by;
    bool player;
    const struct hub *h = d->later->hub;
    const char *words = read_line(h, row, &by, &player);
    const struct table *t = dict_find(&h->tables, d->table);
    /* one that has left the memory meanwhile is over */
    if ((t && !hears(t, d->user, player)) || user_blocks(d->user, by))
        return;
    out_next(o);
    out_put(o, "{");
    put_line(o, by, player, row->at, words);
    out_put(o, "}");
}

static void on_stored(void *context, const struct store_answer *a);

static void read_chat(struct reading *d)
{
    char log[ID_BYTES + 8];
    snprintf(log, sizeof log, "chat:%s", d->table);
    store_lines(d->later->hub->set.store, log, 0, on_stored, d);
}

static void on_stored(void *context, const struct store_answer *a)
{
    struct reading d = *(struct reading *)context;
    enum { LAST = 200 };
    int first = a->count > LAST ? a->count - LAST : 0;
    struct out o = {0};
    if (!d.again &&
        !speakers_known(d.later->hub, a->rows + first, a->count - first)) {
        ((struct reading *)context)->again = true;
        read_chat(context);
        return;
    }
    free(context);
    out_put(&o, "{\"lines\":[");
    for (int i = first; i < a->count; i++)
        put_stored(&d, &a->rows[i], &o);
    out_put(&o, "]}");
    later_ok(d.later, o.text);
    out_release(&o);
}

void on_chats(struct hub *h, struct request *r)
{
    struct reading *d = sure(calloc(1, sizeof *d));
    *d = (struct reading){.later = later_of(h, r), .user = r->user};
    memcpy(d->table, r->table->id, sizeof d->table);
    read_chat(d);
}

/* ---- said elsewhere ---- */

struct hearing {
    struct hub *hub;
    char table[ID_BYTES];
    int64_t before; /* lines before it */
    bool again;     /* the speaker has been asked for */
};

static void on_said(void *context, const struct store_answer *a);

static void hear(struct hearing *d)
{
    char log[ID_BYTES + 8];
    snprintf(log, sizeof log, "chat:%s", d->table);
    store_lines(d->hub->set.store, log, d->before, on_said, d);
}

static void on_said(void *context, const struct store_answer *a)
{
    struct hearing d = *(struct hearing *)context;
    const struct user *by;
    bool player;
    if (a->count && !d.again && !speakers_known(d.hub, a->rows, 1)) {
        ((struct hearing *)context)->again = true;
        hear(context);
        return;
    }
    free(context);
    if (a->count == 0)
        return;
    const char *words = read_line(d.hub, &a->rows[0], &by, &player);
    tell(d.hub, dict_find(&d.hub->tables, d.table), by, player, a->rows[0].at,
         words);
}

void chat_tell(struct hub *h, const char *table, int64_t sequence)
{
    const struct table *t = dict_find(&h->tables, table);
    if (!t || !t->watchers)
        return;
    struct hearing *d = sure(calloc(1, sizeof *d));
    *d = (struct hearing){.hub = h, .before = sequence - 1};
    memcpy(d->table, t->id, sizeof d->table);
    hear(d);
}

/* ---- notes ---- */

static void noted(void *context, const struct store_answer *a)
{
    if (a->outcome == STORE_OK)
        later_ok(context, "{}");
    else
        later_error(context, "store", "this could not be stored; try again");
}

void on_note(struct hub *h, struct request *r)
{
    char key[2 * ID_BYTES];
    note_key(r, key, sizeof key);
    struct store_change c = {STORE_PUT, "note",
                             key,       STORE_ANY,
                             0,         message_text(r->body, "text", "")};
    store_write(h->set.store, &c, 1, noted, later_of(h, r));
}

static void on_noted(void *context, const struct store_answer *a)
{
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "text", a->count ? a->rows[0].text : "");
    out_put(&o, "}");
    later_ok(context, o.text);
    out_release(&o);
}

void on_notes(struct hub *h, struct request *r)
{
    char key[2 * ID_BYTES];
    note_key(r, key, sizeof key);
    store_get(h->set.store, "note", key, on_noted, later_of(h, r));
}
