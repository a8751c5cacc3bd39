/* server/session.c: tokens, and who is signed in where.
 *
 * The token is known to the browser alone, in a cookie no script can read; the
 * store keeps its hash. */
#include "server/hub.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECRET_BYTES = 24, SESSION_SECONDS = 400 * 24 * 3600 };

void token_new(char to[TOKEN_BYTES])
{
    unsigned char secret[SECRET_BYTES];
    randombytes_buf(secret, sizeof secret);
    sodium_bin2base64(to, TOKEN_BYTES, secret, sizeof secret,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

void token_hash(const char *token, char to[64])
{
    unsigned char hash[32];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)token,
                       strlen(token), NULL, 0);
    sodium_bin2base64(to, 64, hash, sizeof hash,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* Twelve letters and digits that cannot be mistaken for one another. */
void id_new(char to[ID_BYTES])
{
    static const char letters[] = "23456789abcdefghjkmnpqrstuvwxyz";
    for (int i = 0; i < 12; i++)
        to[i] = letters[randombytes_uniform(sizeof letters - 1)];
    to[12] = '\0';
}

struct session *session_find(const struct hub *h, const char *token)
{
    char hash[64];
    token_hash(token, hash);
    return dict_find(&h->sessions, hash);
}

void session_attach(struct link *link, const struct session *s)
{
    if (!s || s->user->banned || s->user->gone)
        return;
    link->user = s->user;
    snprintf(link->session, sizeof link->session, "%s", s->hash);
    s->user->online += link->socket;
}

void session_keep(struct hub *h, const char *hash, struct user *u,
                  int64_t created, const char *device)
{
    if (dict_find(&h->sessions, hash))
        return;
    struct session *s = sure(calloc(1, sizeof *s));
    snprintf(s->hash, sizeof s->hash, "%s", hash);
    snprintf(s->device, sizeof s->device, "%s", device);
    s->user = u;
    s->created = created;
    dict_set(&h->sessions, s->hash, s);
}

/* ---- beginning ---- */

struct beginning {
    struct later *later; /* owned */
    struct user *user;   /* held */
    char token[TOKEN_BYTES], hash[64], device[DEVICE_BYTES];
    int64_t at;
    bool fresh;
    char *json; /* owned */
};

static void set_cookie(const struct hub *h, struct link *link,
                       const char *token)
{
    snprintf(link->cookie, sizeof link->cookie,
             "terra=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s", token,
             *token ? SESSION_SECONDS : 0, h->set.secure ? "; Secure" : "");
}

static void link_becomes(const struct hub *h, struct link *link, struct user *u,
                         const char *hash, const char *token)
{
    if (link->user)
        link->user->online -= link->socket;
    link->user = u;
    if (u)
        u->online += link->socket;
    snprintf(link->session, sizeof link->session, "%s", hash);
    set_cookie(h, link, token);
}

static void begun(void *context, const struct store_answer *a)
{
    struct beginning *b = context;
    struct hub *h = b->later->hub;
    struct link *link = later_link(b->later);
    user_let(b->user);
    if (a->outcome != STORE_OK) {
        if (b->fresh)
            user_forget(h, b->user);
        if (a->outcome == STORE_STALE) /* through another process */
            later_error(b->later, "taken", "this name is taken");
        else
            later_error(b->later, "store",
                        "this could not be stored; try again");
    } else {
        session_keep(h, b->hash, b->user, b->at, b->device);
        if (link)
            link_becomes(h, link, b->user, b->hash, b->token);
        later_ok(b->later, b->json);
    }
    free(b->json);
    free(b);
}

static char *session_text(const struct beginning *b)
{
    struct out o = {0};
    out_put(&o, "{");
    out_text(&o, "user", b->user->id);
    out_number(&o, "created", b->at);
    out_text(&o, "device", b->device);
    out_put(&o, "}");
    return o.text;
}

void session_begin(struct hub *h, struct later *l, struct user *u,
                   const char *device, const struct store_change *fresh,
                   const char *json)
{
    struct beginning *b = sure(calloc(1, sizeof *b));
    struct store_change changes[3];
    int count = 0;
    b->later = l;
    b->user = user_hold(u);
    b->fresh = fresh;
    b->at = hub_now(h);
    b->json = sure(strdup(json));
    snprintf(b->device, sizeof b->device, "%s", device);
    token_new(b->token);
    token_hash(b->token, b->hash);
    char *text = session_text(b);
    if (fresh) { /* and the name is taken */
        changes[count++] = *fresh;
        changes[count++] =
            (struct store_change){STORE_PUT, "name", u->key, 0, 0, u->id};
    }
    changes[count++] =
        (struct store_change){STORE_PUT, "session", b->hash, 0, 0, text};
    store_write(h->set.store, changes, count, begun, b);
    free(text);
}

/* ---- ending ---- */

/* A session is called by the beginning of its hash, which opens nothing. */
enum { CALLED = 12 };

/* Which sessions of whom. */
struct which {
    const struct user *user;
    const char *called; /* NULL: all of them, */
    const char *except; /* but the one with this hash */
};

static bool is_meant(const struct session *s, const struct which *w)
{
    if (s->user != w->user || strcmp(s->hash, w->except) == 0)
        return false;
    return !w->called || (strlen(w->called) == CALLED &&
                          strncmp(s->hash, w->called, CALLED) == 0);
}

/* Its sockets are closed: who is there comes back as nobody.  Only `asker`
 * stays for the answer. */
static void cut(struct hub *h, const struct session *s,
                const struct link *asker)
{
    for (struct link *l = h->all, *next; l; l = next) {
        next = l->next;
        if (strcmp(l->session, s->hash) != 0)
            continue;
        link_becomes(h, l, NULL, "", "");
        if (l->socket && l != asker)
            h->set.transport->close(l);
    }
}

static void drop(struct hub *h, struct session *s, const struct link *asker)
{
    cut(h, s, asker);
    dict_drop(&h->sessions, s->hash);
    free(s);
}

void session_drop(struct hub *h, const char *hash)
{
    struct session *s = dict_find(&h->sessions, hash);
    if (s)
        drop(h, s, NULL);
}

/* Ends them all in one commit; returns how many there were. */
static int end_them(struct hub *h, const struct which *w,
                    const struct link *asker, store_done *done, void *context)
{
    int count = 0;
    size_t at = 0;
    struct session *s, **found = NULL;
    while ((s = dict_next(&h->sessions, &at)))
        if (is_meant(s, w)) {
            found = sure(
                realloc(found, (size_t)(count + 1) * sizeof(struct session *)));
            found[count++] = s;
        }
    struct store_change *c = sure(calloc((size_t)count + 1, sizeof *c));
    for (int i = 0; i < count; i++)
        c[i] = (struct store_change){STORE_DELETE, "session", found[i]->hash,
                                     STORE_ANY,    0,         NULL};
    if (count)
        store_write(h->set.store, c, count, done, context);
    for (int i = 0; i < count; i++)
        drop(h, found[i], asker);
    free(c);
    free(found);
    return count;
}

void sessions_end(struct hub *h, const struct user *u, const char *except,
                  const struct link *asker)
{
    struct which w = {u, NULL, except};
    end_them(h, &w, asker, NULL, NULL);
}

static void ended(void *context, const struct store_answer *a)
{
    if (a->outcome == STORE_OK)
        later_ok(context, "{}");
    else
        later_error(context, "store", "this could not be stored; try again");
}

void sessions_release(struct hub *h)
{
    size_t at = 0;
    for (struct session *s; (s = dict_next(&h->sessions, &at));)
        free(s);
    dict_release(&h->sessions);
}

void on_logout(struct hub *h, struct request *r)
{
    char called[CALLED + 1];
    snprintf(called, sizeof called, "%.*s", CALLED, r->link->session);
    struct which w = {r->user, called, ""};
    struct later *later = later_of(h, r);
    if (!end_them(h, &w, r->link, ended, later))
        later_ok(later, "{}");
}

/* ---- my devices ---- */

static bool is_there(const struct hub *h, const struct session *s)
{
    for (const struct link *l = h->all; l; l = l->next)
        if (l->socket && strcmp(l->session, s->hash) == 0)
            return true;
    return false;
}

static void put_device(const struct hub *h, const struct session *s,
                       const char *here, struct out *o)
{
    char id[CALLED + 1];
    snprintf(id, sizeof id, "%.*s", CALLED, s->hash);
    out_next(o);
    out_put(o, "{");
    out_text(o, "id", id);
    out_text(o, "device", s->device);
    out_number(o, "created", s->created);
    out_flag(o, "online", is_there(h, s));
    out_flag(o, "here", strcmp(s->hash, here) == 0);
    out_put(o, "}");
}

static void put_blocked(const struct hub *h, const struct user *u,
                        struct out *o)
{
    size_t i;
    json_t *id;
    json_array_foreach(u->blocked, i, id)
    {
        const struct user *other = dict_find(&h->users, json_string_value(id));
        if (!other || other->gone)
            continue;
        out_next(o);
        out_json(o, other->name);
    }
}

/* Guests who left are asked for first. */
static bool blocked_known(struct hub *h, const struct request *r)
{
    static const char asked[] = "blocked";
    struct link *link = r->link;
    bool again = strcmp(link->looked, asked) == 0;
    size_t i;
    json_t *id;
    link->looked[0] = '\0';
    json_array_foreach(r->user->blocked, i, id)
    {
        const char *key = json_string_value(id);
        if (again || dict_find(&h->users, key))
            continue;
        share_look(h, link, "user", key);
        snprintf(link->looked, sizeof link->looked, "%s", asked);
    }
    return !link->looked[0];
}

void on_account(struct hub *h, struct request *r)
{
    struct out o = {0};
    size_t at = 0;
    if (!blocked_known(h, r)) {
        request_hold(h, r);
        return;
    }
    out_put(&o, "{");
    out_key(&o, "devices");
    out_put(&o, "[");
    for (const struct session *s; (s = dict_next(&h->sessions, &at));)
        if (s->user == r->user)
            put_device(h, s, r->link->session, &o);
    out_put(&o, "]");
    out_key(&o, "blocked");
    out_put(&o, "[");
    put_blocked(h, r->user, &o);
    out_put(&o, "]}");
    reply_ok(h, r, o.text);
    out_release(&o);
}

void on_signout(struct hub *h, struct request *r)
{
    struct which w = {r->user, message_text(r->body, "device", NULL),
                      r->link->session};
    struct later *later = later_of(h, r);
    if (end_them(h, &w, r->link, ended, later))
        return;
    if (w.called)
        later_error(later, "unknown", "you are not signed in there");
    else
        later_ok(later, "{}");
}
