/* server/people.c: guests, accounts, and what they may do with their own. */
#include "server/hub.h"

#include "rules/rules.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 5000, CODES = 8, PASSWORD_MIN = 8 };

int game_index(const struct game *game)
{
    int i = 0;
    while (rules_games[i] && rules_games[i] != game)
        i++;
    return i < GAMES_MAX ? i : 0;
}

/* ---- ratings ---- */

struct rating rating_of(const struct user *u, int game)
{
    return u->rating ? u->rating[game] : rating_first();
}

void rating_set(struct user *u, int game, struct rating r)
{
    if (!u->rating) {
        u->rating = sure(calloc(GAMES_MAX, sizeof *u->rating));
        for (int i = 0; i < GAMES_MAX; i++)
            u->rating[i] = rating_first();
    }
    u->rating[game] = r;
}

/* ---- names ---- */

/* Letters (with those of the Latin alphabets beyond ASCII), digits, and single
 * blanks, hyphens, dots or underscores between them. */
static bool name_good(const char *name)
{
    const unsigned char *at = (const unsigned char *)name;
    bool sign = true; /* none may come first */
    int letters = 0;
    for (; *at; at++) {
        bool plain = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
                     (*at >= 'A' && *at <= 'Z');
        /* U+00C0..U+024F in UTF-8 */
        bool latin = *at >= 0xc3 && *at <= 0xc9 && at[1] >= 0x80;
        if (!plain && !latin) {
            if (sign || !strchr(" -._", *at))
                return false;
            sign = true;
            continue;
        }
        at += latin;
        sign = false;
        letters++;
    }
    return letters >= 2 && letters <= 24 && !sign;
}

void name_fold(const char *name, char to[NAME_BYTES])
{
    size_t i = 0;
    for (; name[i] && i + 1 < NAME_BYTES; i++) {
        char c = name[i];
        to[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32
                       : strchr(" ._", c)   ? '-'
                                            : c);
    }
    to[i] = '\0';
}

struct user *user_named(const struct hub *h, const char *name)
{
    char key[NAME_BYTES];
    name_fold(name, key);
    return dict_find(&h->names, key);
}

bool user_blocks(const struct user *u, const struct user *other)
{
    size_t i;
    json_t *id;
    if (!u || !other)
        return false;
    json_array_foreach(u->blocked, i,
                       id) if (strcmp(json_string_value(id), other->id) ==
                               0) return true;
    return false;
}

void user_write(struct out *o, const char *key, const struct user *u)
{
    out_key(o, key);
    if (!u) {
        out_put(o, "null");
        return;
    }
    out_put(o, "{");
    out_text(o, "name", u->name);
    out_flag(o, "guest", !u->password);
    out_flag(o, "online", u->online > 0);
    out_put(o, "}");
}

/* ---- records ---- */

static void put_value(json_t *o, const char *name, json_t *value,
                      json_t *otherwise)
{
    json_object_set(o, name, value ? value : otherwise);
    json_decref(otherwise);
}

static json_t *user_record(const struct user *u)
{
    json_t *o = sure(json_object());
    json_object_set_new(o, "name", json_string(u->name));
    json_object_set_new(o, "created", json_integer(u->created));
    json_object_set_new(o, "password",
                        u->password ? json_string(u->password) : json_null());
    put_value(o, "recovery", u->recovery, json_array());
    put_value(o, "blocked", u->blocked, json_array());
    put_value(o, "settings", u->settings, json_object());
    json_object_set_new(o, "feed", json_string(u->feed));
    json_object_set_new(o, "banned", json_boolean(u->banned));
    json_object_set_new(o, "gone", json_boolean(u->gone));
    return o;
}

/* Most people have none of these: what is empty takes no memory. */
static void take(json_t **to, const json_t *body, const char *name)
{
    json_t *value = json_object_get(body, name);
    bool empty = json_array_size(value) == 0 && json_object_size(value) == 0;
    json_decref(*to);
    *to = empty ? NULL : json_incref(value);
}

static void user_read(struct user *u, const json_t *body)
{
    const char *password = message_text(body, "password", NULL);
    char *copy = password ? sure(strdup(password)) : NULL;
    free(u->password);
    u->password = copy;
    snprintf(u->name, sizeof u->name, "%s", message_text(body, "name", "?"));
    snprintf(u->feed, sizeof u->feed, "%s", message_text(body, "feed", ""));
    take(&u->recovery, body, "recovery");
    take(&u->blocked, body, "blocked");
    take(&u->settings, body, "settings");
    u->created = message_number(body, "created", 0);
    u->banned = message_flag(body, "banned", false);
    u->gone = message_flag(body, "gone", false);
}

/* The name may be a new one, or gone. */
static void name_keep(struct hub *h, struct user *u)
{
    if (u->key[0] && dict_find(&h->names, u->key) == u)
        dict_drop(&h->names, u->key);
    u->key[0] = '\0';
    if (!u->gone) {
        name_fold(u->name, u->key);
        dict_set(&h->names, u->key, u);
    }
}

static void user_insert(struct hub *h, struct user *u)
{
    dict_set(&h->users, u->id, u);
    name_keep(h, u);
}

static void user_release(struct user *u)
{
    free(u->password);
    json_decref(u->recovery);
    json_decref(u->blocked);
    json_decref(u->settings);
    free(u->rating);
    free(u);
}

void user_forget(struct hub *h, struct user *u)
{
    dict_drop(&h->users, u->id);
    if (dict_find(&h->names, u->key) == u)
        dict_drop(&h->names, u->key);
    user_release(u);
}

static struct user *user_new(struct hub *h)
{
    struct user *u = sure(calloc(1, sizeof *u));
    json_t *nothing = sure(json_object());
    user_read(u, nothing);
    json_decref(nothing);
    u->created = u->seen = hub_now(h);
    return u;
}

/* ---- who is in memory ----
 *
 * Accounts and whoever is signed in, has a socket or sits at a table that is in
 * memory.  A guest who signed out cannot come back: what is left is a name at
 * finished games, which is read when somebody looks at them. */

struct user *user_hold(struct user *u)
{
    if (u)
        u->held++;
    return u;
}

void user_let(struct user *u)
{
    if (u)
        u->held--;
}

static void need_id(const struct hub *h, const char *id)
{
    struct user *u = dict_find(&h->users, id);
    if (u)
        u->needed = true;
}

static void need_seats(const struct hub *h)
{
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&h->tables, &at));) {
        need_id(h, t->owner);
        for (int i = 0; i < t->seats; i++)
            if (t->seat[i].user)
                t->seat[i].user->needed = true;
    }
}

void people_rest(struct hub *h)
{
    enum { REST_MS = 20000 }; /* who was read is about to be shown */
    int64_t now = hub_now(h);
    size_t at = 0;
    for (struct user *u; (u = dict_next(&h->users, &at));)
        u->needed =
            u->password || u->feed[0] || u->held || now - u->seen < REST_MS;
    at = 0;
    for (const struct session *s; (s = dict_next(&h->sessions, &at));)
        s->user->needed = true;
    for (const struct link *l = h->all; l; l = l->next)
        if (l->user)
            l->user->needed = true;
    need_seats(h);
    at = 0; /* one that is passed over goes the next time */
    for (struct user *u; (u = dict_next(&h->users, &at));)
        if (!u->needed)
            user_forget(h, u);
}

/* ---- loading ---- */

static void load_user(struct hub *h, const struct store_row *row)
{
    json_t *body = json_loads(row->text, 0, NULL);
    struct user *u = user_new(h);
    snprintf(u->id, sizeof u->id, "%s", row->key);
    user_read(u, body);
    u->version = row->number;
    user_insert(h, u);
    json_decref(body);
}

void user_lost(struct hub *h, const char *id)
{
    if (dict_find(&h->users, id))
        return;
    struct user *u = user_new(h);
    snprintf(u->id, sizeof u->id, "%s", id);
    snprintf(u->name, sizeof u->name, "gone-%.6s", id);
    u->gone = true;
    user_insert(h, u);
}

void user_take(struct hub *h, const struct store_row *row)
{
    struct user *u = dict_find(&h->users, row->key);
    if (!u) {
        load_user(h, row);
        return;
    }
    u->seen = hub_now(h);
    if (row->number <= u->version)
        return;
    json_t *body = json_loads(row->text, 0, NULL);
    user_read(u, body);
    u->version = row->number;
    name_keep(h, u);
    json_decref(body);
}

static void load_session(struct hub *h, const struct store_row *row)
{
    json_t *body = json_loads(row->text, 0, NULL);
    struct user *u = dict_find(&h->users, message_text(body, "user", ""));
    if (u)
        session_keep(h, row->key, u, message_number(body, "created", 0),
                     message_text(body, "device", ""));
    json_decref(body);
}

/* The key is "user:game". */
void rating_take(struct hub *h, const struct store_row *row)
{
    char id[ID_BYTES];
    const char *colon = strchr(row->key, ':');
    if (!colon || colon - row->key >= ID_BYTES)
        return;
    snprintf(id, sizeof id, "%.*s", (int)(colon - row->key), row->key);
    struct user *u = dict_find(&h->users, id);
    const struct game *game = rules_find(colon + 1);
    json_t *body = json_loads(row->text, 0, NULL);
    int index = game_index(game);
    if (u && game && body && row->number > rating_of(u, index).version)
        rating_set(u, index,
                   (struct rating){
                       json_number_value(json_object_get(body, "mu")),
                       json_number_value(json_object_get(body, "sigma")),
                       (int)message_number(body, "games", 0), row->number});
    json_decref(body);
}

struct loading {
    struct hub *hub;
    void (*row)(struct hub *h, const struct store_row *row);
    char last[128];
    int count;
    bool good;
};

static void on_page(void *context, const struct store_answer *a)
{
    struct loading *l = context;
    l->good = a->outcome == STORE_OK;
    l->count = a->count;
    for (int i = 0; i < a->count; i++)
        l->row(l->hub, &a->rows[i]);
    if (a->count)
        snprintf(l->last, sizeof l->last, "%s", a->rows[a->count - 1].key);
}

/* In large pages: on a busy machine each costs more time in waiting for the
 * processor than in reading. */
bool hub_load(struct hub *h, const char *kind, const char *without,
              void (*row)(struct hub *h, const struct store_row *row))
{
    struct loading l = {h, row, "", PAGE, true};
    while (l.good && l.count == PAGE) {
        store_list_without(h->set.store, kind, l.last, without, PAGE, on_page,
                           &l);
        store_settle(h->set.store);
    }
    return l.good;
}

bool people_load(struct hub *h)
{
    return hub_load(h, "user", "", user_take) &&
           hub_load(h, "session", "", load_session) &&
           hub_load(h, "rating", "", rating_take);
}

void people_release(struct hub *h)
{
    size_t at = 0;
    sessions_release(h);
    for (struct user *u; (u = dict_next(&h->users, &at));)
        user_release(u);
    dict_release(&h->users);
    dict_release(&h->names);
}

/* ---- saving ---- */

struct saving {
    struct hub *hub;
    struct user *user;   /* held */
    json_t *body;        /* owned */
    struct later *later; /* owned; may be NULL */
    char *json;          /* owned */
    bool renamed;
};

/* A guest's name may be in the store only. */
static void not_saved(struct saving *s, bool stale)
{
    if (stale && s->renamed)
        later_error(s->later, "taken", "this name is taken");
    else
        later_error(s->later, stale ? "stale" : "store",
                    "this could not be stored; try again");
}

static void saved(void *context, const struct store_answer *a)
{
    struct saving *s = context;
    if (a->outcome == STORE_OK) {
        user_read(s->user, s->body);
        s->user->version++;
        name_keep(s->hub, s->user);
        if (s->later)
            later_ok(s->later, s->json);
        if (s->user->gone)
            notes_forget(s->hub, s->user);
        if (s->user->gone || s->user->banned)
            seats_forsake(s->hub, s->user);
    } else if (s->later) {
        not_saved(s, a->outcome == STORE_STALE);
    }
    if (a->outcome == STORE_STALE)
        share_fetch(s->hub, "user", s->user->id);
    user_let(s->user);
    json_decref(s->body);
    free(s->json);
    free(s);
}

/* Stores the user as `body` (owned) says, then it counts.  A name is a record
 * of its own, so that two processes cannot give it to two people. */
static void user_save(struct hub *h, struct user *u, json_t *body,
                      struct later *later, const char *json)
{
    struct saving *s = sure(calloc(1, sizeof *s));
    char *text = sure(json_dumps(body, JSON_COMPACT));
    char key[NAME_BYTES] = "";
    if (!message_flag(body, "gone", false))
        name_fold(message_text(body, "name", ""), key);
    struct store_change c[3] = {
        {STORE_PUT, "user", u->id, u->version, 0, text}};
    int count = 1;
    if (strcmp(key, u->key) != 0 && u->key[0])
        c[count++] = (struct store_change){STORE_DELETE, "name", u->key,
                                           STORE_ANY,    0,      NULL};
    bool renamed = strcmp(key, u->key) != 0 && key[0];
    if (renamed)
        c[count++] = (struct store_change){STORE_PUT, "name", key, 0, 0, u->id};
    *s = (struct saving){h,     user_hold(u),       body,
                         later, sure(strdup(json)), renamed};
    store_write(h->set.store, c, count, saved, s);
    free(text);
}

/* ---- who am I ---- */

static void write_me(const struct hub *h, const struct user *u, struct out *o)
{
    out_put(o, "{");
    user_write(o, "user", u);
    out_number(o, "now", hub_now(h));
    int waiting = 0;
    size_t at = 0;
    for (const struct table *t; u && (t = dict_next(&h->tables, &at));) {
        int seat = table_seat(t, u);
        waiting +=
            seat >= 0 && t->status == TABLE_RUNNING && t->asked >> seat & 1;
    }
    out_number(o, "waiting", waiting);
    if (u) {
        char *settings = json_dumps(u->settings, JSON_COMPACT);
        out_raw(o, "settings", settings ? settings : "{}");
        free(settings);
    }
    out_put(o, "}");
}

static char *me(const struct hub *h, const struct user *u)
{
    struct out o = {0};
    write_me(h, u, &o);
    return o.text;
}

void on_hello(struct hub *h, struct request *r)
{
    char *json = me(h, r->user);
    reply_ok(h, r, json);
    free(json);
}

/* ---- becoming somebody ---- */

static bool name_free(struct hub *h, const struct request *r, const char *name)
{
    const struct user *other = user_named(h, name);
    if (!name_good(name))
        reply_error(h, r, "name",
                    "a name has 2 to 24 letters or digits, with single blanks, "
                    "hyphens, dots or underscores between them");
    else if (other && other != r->user)
        reply_error(h, r, "taken", "this name is taken");
    else
        return true;
    return false;
}

static void user_begin(struct hub *h, struct later *l, struct user *u,
                       const char *device, const char *json)
{
    json_t *body = user_record(u);
    char *text = sure(json_dumps(body, JSON_COMPACT));
    u->version = 1;
    user_insert(h, u);
    struct store_change c = {STORE_PUT, "user", u->id, 0, 0, text};
    session_begin(h, l, u, device, &c, json);
    free(text);
    json_decref(body);
}

void on_guest(struct hub *h, struct request *r)
{
    const char *name = message_text(r->body, "name", "");
    if (r->user) {
        reply_error(h, r, "state", "you are somebody already");
        return;
    }
    if (!name_free(h, r, name))
        return;
    struct user *u = user_new(h);
    id_new(u->id);
    snprintf(u->name, sizeof u->name, "%s", name);
    char *json = me(h, u);
    user_begin(h, later_of(h, r), u, message_text(r->body, "device", ""), json);
    free(json);
}

/* ---- passwords ---- */

struct entering {
    struct later *later; /* owned */
    struct user *user;   /* held; NULL: a new one */
    char name[NAME_BYTES], device[DEVICE_BYTES];
    char *password;         /* owned: the new one, for a change */
    json_t *codes, *hashes; /* owned */
    void (*then)(struct hub *h, struct entering *e, const char *hash);
};

static void entering_release(struct entering *e)
{
    if (e->password)
        sodium_memzero(e->password, strlen(e->password));
    free(e->password);
    user_let(e->user);
    json_decref(e->codes);
    json_decref(e->hashes);
    free(e);
}

static void entered(void *context, bool good, const char *hash)
{
    struct entering *e = context;
    struct hub *h = e->later->hub;
    if (!good) {
        later_error(e->later, "password", "name or password is wrong");
        entering_release(e);
    } else {
        e->then(h, e, hash);
    }
}

static struct entering *entering_new(struct hub *h, const struct request *r,
                                     struct user *u)
{
    struct entering *e = sure(calloc(1, sizeof *e));
    e->later = later_of(h, r);
    e->user = user_hold(u);
    snprintf(e->device, sizeof e->device, "%s",
             message_text(r->body, "device", ""));
    return e;
}

static void ask(struct hub *h, struct entering *e, const char *known,
                const char *password)
{
    bool asked = known ? jobs_compare(h->set.jobs, known, password, entered, e)
                       : jobs_hash(h->set.jobs, password, entered, e);
    if (!asked) {
        later_error(e->later, "busy", "too many sign in at once; try again");
        entering_release(e);
    }
}

/* Codes that stand in for a forgotten password, each once. */
static void codes_new(struct entering *e)
{
    e->codes = sure(json_array());
    e->hashes = sure(json_array());
    for (int i = 0; i < CODES; i++) {
        char code[ID_BYTES], hash[64];
        id_new(code);
        token_hash(code, hash);
        json_array_append_new(e->codes, json_string(code));
        json_array_append_new(e->hashes, json_string(hash));
    }
}

static char *codes_json(const struct hub *h, const struct entering *e,
                        const struct user *u)
{
    struct out o = {0};
    char *codes = sure(json_dumps(e->codes, JSON_COMPACT));
    write_me(h, u, &o);
    o.length--; /* without its bracket */
    out_raw(&o, "codes", codes);
    out_put(&o, "}");
    free(codes);
    return o.text;
}

static void register_new(struct hub *h, struct entering *e, const char *hash)
{
    if (user_named(h, e->name)) { /* meanwhile */
        later_error(e->later, "taken", "this name is taken");
        entering_release(e);
        return;
    }
    struct user *u = user_new(h);
    id_new(u->id);
    snprintf(u->name, sizeof u->name, "%s", e->name);
    u->password = sure(strdup(hash));
    json_decref(u->recovery);
    u->recovery = json_incref(e->hashes);
    char *json = codes_json(h, e, u);
    user_begin(h, e->later, u, e->device, json);
    free(json);
    entering_release(e);
}

/* A guest becomes an account and keeps seats and games. */
static void register_guest(struct hub *h, struct entering *e, const char *hash)
{
    struct user *u = e->user;
    json_t *body = user_record(u);
    struct user shown = *u;
    json_object_set_new(body, "name", json_string(e->name));
    json_object_set_new(body, "password", json_string(hash));
    json_object_set(body, "recovery", e->hashes);
    snprintf(shown.name, sizeof shown.name, "%s", e->name);
    shown.password = (char *)hash;
    char *json = codes_json(h, e, &shown);
    user_save(h, u, body, e->later, json);
    free(json);
    entering_release(e);
}

void on_register(struct hub *h, struct request *r)
{
    const char *name = message_text(r->body, "name", "");
    if (r->user && r->user->password) {
        reply_error(h, r, "state", "you have an account already");
        return;
    }
    if (!name_free(h, r, name))
        return;
    struct entering *e = entering_new(h, r, r->user);
    snprintf(e->name, sizeof e->name, "%s", name);
    e->then = r->user ? register_guest : register_new;
    codes_new(e);
    ask(h, e, NULL, message_text(r->body, "password", ""));
}

static void sign_in(struct hub *h, struct entering *e, const char *hash)
{
    (void)hash;
    char *json = me(h, e->user);
    session_begin(h, e->later, e->user, e->device, NULL, json);
    free(json);
    entering_release(e);
}

/* An unknown name takes as long as a wrong password. */
static const char nobody[] =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

void on_login(struct hub *h, struct request *r)
{
    struct user *u = user_named(h, message_text(r->body, "name", ""));
    bool known = u && u->password && !u->banned;
    struct entering *e = entering_new(h, r, known ? u : NULL);
    e->then = sign_in;
    ask(h, e, known ? u->password : nobody,
        message_text(r->body, "password", ""));
}

static void set_password(struct hub *h, struct entering *e, const char *hash)
{
    json_t *body = user_record(e->user);
    const struct link *link = later_link(e->later);
    json_object_set_new(body, "password", json_string(hash));
    if (e->hashes)
        json_object_set(body, "recovery", e->hashes);
    sessions_end(h, e->user, link ? link->session : "", link);
    user_save(h, e->user, body, e->later, "{}");
    entering_release(e);
}

static void old_was_right(struct hub *h, struct entering *e, const char *hash)
{
    (void)hash;
    e->then = set_password;
    ask(h, e, NULL, e->password);
}

void on_password(struct hub *h, struct request *r)
{
    struct entering *e = entering_new(h, r, r->user);
    e->password = sure(strdup(message_text(r->body, "fresh", "")));
    e->then = old_was_right;
    ask(h, e, r->user->password, message_text(r->body, "password", ""));
}

/* The codes that are left without this one; NULL if it is none of them. */
static json_t *codes_without(const struct user *u, const char *code)
{
    char hash[64];
    size_t i;
    json_t *item, *left = sure(json_array());
    bool found = false;
    token_hash(code, hash);
    json_array_foreach(u->recovery, i, item)
    {
        const char *text = json_string_value(item);
        if (strlen(text) == strlen(hash) &&
            sodium_memcmp(text, hash, strlen(hash)) == 0)
            found = true;
        else
            json_array_append(left, item);
    }
    if (found)
        return left;
    json_decref(left);
    return NULL;
}

void on_recover(struct hub *h, struct request *r)
{
    struct user *u = user_named(h, message_text(r->body, "name", ""));
    json_t *left = u && u->password && !u->banned
                       ? codes_without(u, message_text(r->body, "code", ""))
                       : NULL;
    if (!left) {
        reply_error(h, r, "password", "name or code is wrong");
        return;
    }
    struct entering *e = entering_new(h, r, u);
    e->hashes = left;
    e->then = set_password;
    ask(h, e, NULL, message_text(r->body, "password", ""));
}

/* The name goes, the games stay, as somebody's who is gone. */
static void forget_me(struct hub *h, struct entering *e, const char *hash)
{
    (void)hash;
    struct user *u = e->user;
    char name[NAME_BYTES];
    json_t *body = sure(json_object());
    snprintf(name, sizeof name, "gone-%.6s", u->id);
    json_object_set_new(body, "name", json_string(name));
    json_object_set_new(body, "gone", json_true());
    sessions_end(h, u, "", later_link(e->later));
    user_save(h, u, body, e->later, "{}");
    entering_release(e);
}

void on_delete(struct hub *h, struct request *r)
{
    struct entering *e = entering_new(h, r, r->user);
    if (!r->user->password) {
        forget_me(h, e, NULL);
        return;
    }
    e->then = forget_me;
    ask(h, e, r->user->password, message_text(r->body, "password", ""));
}

/* ---- what is mine ---- */

/* Without secrets, to be freed. */
char *user_export(const struct user *u)
{
    json_t *body = user_record(u);
    json_object_del(body, "password");
    json_object_del(body, "recovery");
    json_object_del(body, "feed");
    char *text = sure(json_dumps(body, JSON_COMPACT));
    json_decref(body);
    return text;
}

void on_block(struct hub *h, struct request *r)
{
    const struct user *other = user_named(h, message_text(r->body, "name", ""));
    if (!other || other == r->user) {
        reply_error(h, r, "unknown", "there is no such player");
        return;
    }
    json_t *body = user_record(r->user);
    json_t *list = sure(json_array()), *item;
    size_t i;
    json_array_foreach(r->user->blocked, i,
                       item) if (strcmp(json_string_value(item), other->id) !=
                                 0) json_array_append(list, item);
    if (message_flag(r->body, "block", true) && json_array_size(list) < 500)
        json_array_append_new(list, json_string(other->id));
    json_object_set_new(body, "blocked", list);
    user_save(h, r->user, body, later_of(h, r), "{}");
}

void on_settings(struct hub *h, struct request *r)
{
    json_t *wanted = json_loads(message_text(r->body, "settings", ""), 0, NULL);
    if (!json_is_object(wanted)) {
        json_decref(wanted);
        reply_error(h, r, "field", "settings are an object");
        return;
    }
    json_t *body = user_record(r->user);
    json_object_set_new(body, "settings", wanted);
    user_save(h, r->user, body, later_of(h, r), "{}");
}

void on_feed(struct hub *h, struct request *r)
{
    char token[TOKEN_BYTES], hash[64], json[128];
    json_t *body = user_record(r->user);
    token_new(token);
    token_hash(token, hash);
    json_object_set_new(body, "feed", json_string(hash));
    snprintf(json, sizeof json, "{\"path\":\"/feed/%s\"}", token);
    user_save(h, r->user, body, later_of(h, r), json);
}

static void stored(void *context, const struct store_answer *a)
{
    if (a->outcome == STORE_OK)
        later_ok(context, "{}");
    else
        later_error(context, "store", "this could not be stored; try again");
}

void on_report(struct hub *h, struct request *r)
{
    const struct user *other = user_named(h, message_text(r->body, "name", ""));
    char id[ID_BYTES];
    if (!other) {
        reply_error(h, r, "unknown", "there is no such player");
        return;
    }
    id_new(id);
    json_t *body = sure(json_pack(
        "{s:s,s:s,s:s,s:I}", "by", r->user->id, "about", other->id, "text",
        message_text(r->body, "text", ""), "at", (json_int_t)hub_now(h)));
    char *text = sure(json_dumps(body, JSON_COMPACT));
    struct store_change c = {STORE_PUT, "report", id, 0, 0, text};
    store_write(h->set.store, &c, 1, stored, later_of(h, r));
    hub_log(h, "report", other->name, id);
    free(text);
    json_decref(body);
}

/* ---- orders of `terra admin` to a server that runs ---- */

struct order {
    struct hub *hub;
    char *key;     /* owned: the job's */
    json_t *order; /* owned */
    bool looked;   /* for the person, who may be in the store only */
};

static void obey(struct hub *h, const json_t *order)
{
    struct user *u = user_named(h, message_text(order, "name", ""));
    const char *what = message_text(order, "order", "");
    bool ban = strcmp(what, "ban") == 0;
    if (u && (ban || strcmp(what, "unban") == 0)) {
        json_t *body = user_record(u);
        json_object_set_new(body, "banned", json_boolean(ban));
        if (ban)
            sessions_end(h, u, "", NULL);
        user_save(h, u, body, NULL, "");
        hub_log(h, what, u->name, "");
    }
}

static void on_name(void *context, const struct store_answer *a);

static void look_for_name(struct order *o)
{
    char key[NAME_BYTES];
    name_fold(message_text(o->order, "name", ""), key);
    store_get(o->hub->set.store, "name", key, on_name, o);
}

static void on_name(void *context, const struct store_answer *a)
{
    struct order *o = context;
    struct hub *h = o->hub;
    if (a->count && !o->looked && !dict_find(&h->users, a->rows[0].text)) {
        o->looked = true;
        share_fetch(h, "user", a->rows[0].text);
        look_for_name(o); /* answered behind it */
        return;
    }
    struct store_change c = {STORE_FINISH, "order", o->key,
                             STORE_ANY,    0,       h->me};
    obey(h, o->order);
    store_write(h->set.store, &c, 1, NULL, NULL);
    json_decref(o->order);
    free(o->key);
    free(o);
    orders_run(h);
}

static void on_order(void *context, const struct store_answer *a)
{
    if (a->count == 0)
        return;
    struct order *o = sure(calloc(1, sizeof *o));
    o->hub = context;
    o->key = sure(strdup(a->rows[0].key));
    o->order = json_loads(a->rows[0].text, 0, NULL);
    look_for_name(o);
}

void orders_run(struct hub *h)
{
    int64_t now = hub_now(h);
    store_claim(h->set.store, "order", h->me, now, now + 60000, on_order, h);
}
