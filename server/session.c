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

void session_keep(struct hub *h, const char *hash, struct user *u,
                  int64_t created)
{
    struct session *s = sure(calloc(1, sizeof *s));
    snprintf(s->hash, sizeof s->hash, "%s", hash);
    s->user = u;
    s->created = created;
    dict_set(&h->sessions, s->hash, s);
}

/* ---- beginning ---- */

struct beginning {
    struct later *later; /* owned */
    struct user *user;   /* borrowed */
    char token[TOKEN_BYTES], hash[64];
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
    if (a->outcome != STORE_OK) {
        if (b->fresh)
            user_forget(h, b->user);
        hub_log(h, "store failed", "session", a->why);
        later_error(b->later, "store", "this could not be stored; try again");
    } else {
        session_keep(h, b->hash, b->user, b->at);
        if (link)
            link_becomes(h, link, b->user, b->hash, b->token);
        later_ok(b->later, b->json);
    }
    free(b->json);
    free(b);
}

void session_begin(struct hub *h, struct later *l, struct user *u,
                   const struct store_change *more, int count, bool fresh,
                   const char *json)
{
    struct beginning *b = sure(calloc(1, sizeof *b));
    struct store_change changes[4];
    char text[160];
    b->later = l;
    b->user = u;
    b->fresh = fresh;
    b->at = hub_now(h);
    b->json = sure(strdup(json));
    token_new(b->token);
    token_hash(b->token, b->hash);
    snprintf(text, sizeof text, "{\"user\":\"%s\",\"created\":%lld}", u->id,
             (long long)b->at);
    memcpy(changes, more, (size_t)count * sizeof *changes);
    changes[count] =
        (struct store_change){STORE_PUT, "session", b->hash, 0, 0, text};
    store_write(h->set.store, changes, count + 1, begun, b);
}

/* ---- ending ---- */

static void session_end(struct hub *h, struct session *s)
{
    struct store_change c = {STORE_DELETE, "session", s->hash,
                             STORE_ANY,    0,         NULL};
    store_write(h->set.store, &c, 1, NULL, NULL);
    for (struct link *l = h->all; l; l = l->next)
        if (strcmp(l->session, s->hash) == 0)
            link_becomes(h, l, NULL, "", "");
    dict_drop(&h->sessions, s->hash);
    free(s);
}

void sessions_end(struct hub *h, const struct user *u, const char *except)
{
    size_t at = 0;
    for (struct session *s; (s = dict_next(&h->sessions, &at));)
        if (s->user == u && strcmp(s->hash, except) != 0) {
            session_end(h, s);
            at = 0; /* entries may have moved */
        }
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
    struct session *s = dict_find(&h->sessions, r->link->session);
    if (s)
        session_end(h, s);
    reply_ok(h, r, "{}");
}
