/* server/head.c: the record of a table, and all tables at the start. */
#include "server/hub.h"

#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {"open", "running", "over"};

static void write_seats(const struct table *t, struct out *o)
{
    out_key(o, "seats");
    out_put(o, "[");
    for (int i = 0; i < t->seats; i++) {
        const struct seat *s = &t->seat[i];
        out_next(o);
        out_put(o, "{");
        out_text(o, "user", s->user ? s->user->id : NULL);
        out_text(o, "bot", s->bot);
        out_flag(o, "gone", s->gone);
        out_text(o, "rule", s->rule);
        out_put(o, "}");
    }
    out_put(o, "]");
}

static void write_numbers(struct out *o, const char *key, const int *numbers,
                          int count)
{
    out_key(o, key);
    out_put(o, "[");
    for (int i = 0; i < count; i++) {
        out_next(o);
        out_int(o, numbers[i]);
    }
    out_put(o, "]");
}

static void write_takeback(const struct takeback *b, struct out *o)
{
    if (b->seat < 0)
        return;
    out_key(o, "takeback");
    out_put(o, "{");
    out_number(o, "seat", b->seat);
    out_number(o, "count", b->count);
    out_number(o, "agreed", b->agreed);
    out_put(o, "}");
}

char *table_record(const struct table *t)
{
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "game", t->game->name);
    out_text(&o, "title", t->title);
    out_text(&o, "setup", t->setup);
    out_text(&o, "owner", t->owner);
    out_text(&o, "invite", t->invite);
    out_text(&o, "next", t->next);
    out_text(&o, "status", states[t->status]);
    out_flag(&o, "hidden", t->hidden);
    out_flag(&o, "rated", t->rated);
    out_text(&o, "pace", pace_name(t->pace.kind));
    out_number(&o, "base", t->pace.base_ms);
    out_number(&o, "more", t->pace.more_ms);
    out_flag(&o, "bot", t->pace.bot);
    out_number(&o, "created", t->created);
    out_number(&o, "started", t->started);
    out_number(&o, "finished", t->finished);
    out_number(&o, "asked", t->asked);
    out_number(&o, "deadline", t->deadline);
    out_number(&o, "seq", t->match ? t->seq : t->stored);
    write_takeback(&t->takeback, &o);
    write_seats(t, &o);
    write_numbers(&o, "points", t->result.points, t->seats);
    write_numbers(&o, "places", t->result.place, t->seats);
    out_number(&o, "reason", t->result.reason);
    out_put(&o, "}");
    return o.text;
}

static void take_text(char **to, const json_t *head, const char *name)
{
    char *copy = sure(strdup(message_text(head, name, "")));
    free(*to);
    *to = copy;
}

void table_seats(struct table *t, int count)
{
    if (count == t->seats)
        return;
    free(t->seat);
    t->seat = sure(calloc((size_t)count + 1, sizeof *t->seat));
    t->seats = count;
}

/* NULL, and the table misses somebody, if that must be read first: answers of
 * the store come in the order of the questions. */
static struct user *somebody(struct hub *h, struct table *t, const char *id)
{
    struct user *u = dict_find(&h->users, id);
    if (*id && !u && h->set.store) {
        t->missing = true;
        share_fetch(h, "user", id);
    }
    return u;
}

static void read_seats(struct hub *h, struct table *t, const json_t *head)
{
    json_t *list = json_object_get(head, "seats"), *item;
    size_t i;
    int count = (int)json_array_size(list);
    table_seats(t, count < GAME_SEATS ? count : GAME_SEATS);
    json_array_foreach(list, i, item)
    {
        if (i >= GAME_SEATS)
            break;
        struct seat *s = &t->seat[i];
        s->user = somebody(h, t, message_text(item, "user", ""));
        snprintf(s->bot, sizeof s->bot, "%s", message_text(item, "bot", ""));
        s->gone = message_flag(item, "gone", false);
        snprintf(s->rule, sizeof s->rule, "%s", message_text(item, "rule", ""));
    }
}

static void read_takeback(struct table *t, const json_t *head)
{
    const json_t *b = json_object_get(head, "takeback");
    t->takeback = (struct takeback){(int)message_number(b, "seat", SEAT_NONE),
                                    (int)message_number(b, "count", 0),
                                    (unsigned)message_number(b, "agreed", 0)};
}

static void read_numbers(const json_t *head, const char *name, int *to)
{
    const json_t *list = json_object_get(head, name);
    for (size_t i = 0; i < json_array_size(list) && i < GAME_SEATS; i++)
        to[i] = (int)json_integer_value(json_array_get(list, i));
}

static enum pace_kind pace_of(const char *name)
{
    for (int i = PACE_NONE; i <= PACE_SLOW; i++)
        if (strcmp(pace_name((enum pace_kind)i), name) == 0)
            return (enum pace_kind)i;
    return PACE_NONE;
}

static enum table_status status_of(const char *name)
{
    for (int i = TABLE_OPEN; i < TABLE_OVER; i++)
        if (strcmp(states[i], name) == 0)
            return (enum table_status)i;
    return TABLE_OVER;
}

void table_read(struct hub *h, struct table *t, const json_t *head)
{
    t->game = rules_find(message_text(head, "game", ""));
    take_text(&t->title, head, "title");
    take_text(&t->setup, head, "setup");
    snprintf(t->owner, sizeof t->owner, "%s", message_text(head, "owner", ""));
    snprintf(t->invite, sizeof t->invite, "%s",
             message_text(head, "invite", ""));
    snprintf(t->next, sizeof t->next, "%s", message_text(head, "next", ""));
    t->status = status_of(message_text(head, "status", ""));
    t->hidden = message_flag(head, "hidden", false);
    t->rated = message_flag(head, "rated", false);
    t->pace.kind = pace_of(message_text(head, "pace", ""));
    t->pace.base_ms = message_number(head, "base", 0);
    t->pace.more_ms = message_number(head, "more", 0);
    t->pace.bot = message_flag(head, "bot", false);
    t->created = message_number(head, "created", 0);
    t->started = message_number(head, "started", 0);
    t->finished = message_number(head, "finished", 0);
    t->asked = (unsigned)message_number(head, "asked", 0);
    t->deadline = message_number(head, "deadline", 0);
    t->stored = message_number(head, "seq", 0);
    t->missing = false;
    somebody(h, t, t->owner);
    read_takeback(t, head);
    read_seats(h, t, head);
    read_numbers(head, "points", t->result.points);
    read_numbers(head, "places", t->result.place);
    t->result.reason = (int)message_number(head, "reason", 0);
}

static struct table *table_blank(const char *id)
{
    struct table *t = sure(calloc(1, sizeof *t));
    snprintf(t->id, sizeof t->id, "%s", id);
    t->last = &t->first;
    t->thinking = -1;
    t->takeback.seat = SEAT_NONE;
    return t;
}

struct table *table_new(struct hub *h, const char *id)
{
    struct table *t = table_blank(id);
    dict_set(&h->tables, t->id, t);
    return t;
}

struct table *table_stored(struct hub *h, const char *id,
                           const struct store_row *row)
{
    json_t *head = json_loads(row->text, 0, NULL);
    struct table *t = NULL;
    if (rules_find(message_text(head, "game", ""))) {
        t = table_blank(id);
        table_read(h, t, head);
        t->version = row->number;
    } else {
        hub_log(h, "a table of an unknown game", id, "");
    }
    json_decref(head);
    return t;
}

static void keep_table(struct hub *h, struct table *t)
{
    dict_set(&h->tables, t->id, t);
    t->shown = t->version;
    t->resume = t->status == TABLE_RUNNING && !h->shared;
    if (t->missing) /* until somebody at it is known here */
        table_reread(h, t);
}

/* Those that are over stay in the store until somebody asks: `wanted`. */
static void take(struct hub *h, const struct store_row *row, bool wanted)
{
    if (dict_find(&h->tables, row->key))
        return; /* heard of while the others were read */
    struct table *t = table_stored(h, row->key, row);
    if (!t)
        return;
    bool over = t->status == TABLE_OVER;
    if (over && !wanted) {
        table_release(t);
        return;
    }
    keep_table(h, t);
    h->lobby_changed |= !over;
}

void table_take(struct hub *h, const struct store_row *row)
{
    take(h, row, true);
}

void table_heard(struct hub *h, const struct store_row *row)
{
    take(h, row, false);
}

/* Bots that are to move, standing rules and clocks of live games cannot wait
 * until somebody looks. */
static bool wants_loading(const struct table *t)
{
    if (t->status != TABLE_RUNNING || t->busy)
        return false;
    if (t->resume && t->pace.kind != PACE_NONE && t->pace.kind != PACE_SLOW)
        return true;
    if (seats_forsaken(t))
        return true;
    for (int i = 0; i < t->seats; i++)
        if (t->asked >> i & 1 && (t->seat[i].bot[0] || t->seat[i].rule[0]))
            return true;
    return false;
}

bool tables_load(struct hub *h)
{
    /* There may be ever so many that are over. */
    if (!hub_load(h, "match", "\"status\":\"over\"", table_heard))
        return false;
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));)
        if (wants_loading(t) && h->shared)
            bots_offer(h, t); /* whoever claims it loads it */
        else if (wants_loading(t))
            table_load(h, t);
    return true;
}

void table_release(struct table *t)
{
    if (!t)
        return;
    match_close(t->match);
    free(t->marks);
    free(t->title);
    free(t->setup);
    free(t->seat);
    free(t);
}

void table_hold(struct table *t)
{
    for (int i = 0; i < t->seats; i++)
        user_hold(t->seat[i].user);
}

void table_let(struct table *t)
{
    for (int i = 0; i < t->seats; i++)
        user_let(t->seat[i].user);
}

void tables_release(struct hub *h)
{
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        table_ready(h, t);
        deferred_clear(h);
        table_release(t);
    }
    dict_release(&h->tables);
}

int table_seat(const struct table *t, const struct user *u)
{
    for (int i = 0; u && i < t->seats; i++)
        if (t->seat[i].user == u && !t->seat[i].gone)
            return i;
    return SEAT_NONE;
}

/* A finished game may be looked at by whoever has its address. */
bool table_seen_by(const struct table *t, const struct user *u,
                   const char *invite)
{
    if (!t->hidden || t->status == TABLE_OVER || table_seat(t, u) >= 0)
        return true;
    return (u && strcmp(t->owner, u->id) == 0) ||
           (invite && strcmp(invite, t->invite) == 0);
}
