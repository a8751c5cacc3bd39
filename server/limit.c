/* server/limit.c: how often somebody may ask for what costs much.
 *
 * There is a bucket for each address and each account: so many at once, then
 * one in six seconds.  A server alone counts in memory.  Among several
 * processes the buckets are records of the store, kind "limit", text "LEFT MOST
 * AT"; each process also counts what came to itself, so that whoever asks too
 * often is soon refused without a question to the store.  A bucket that is full
 * again is no bucket: its last writer removes it. */
#include "server/hub.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct limit {
    char who[LIMIT_BYTES];
    double left, per_second;
    int most;
    int64_t at;
    int64_t version; /* of its record, as this process wrote it; 0: none */
};

bool limit_spend(double *left, int64_t *at, int64_t now, double most,
                 double per_second)
{
    /* The clocks of several machines differ a little. */
    double gained = now > *at ? (double)(now - *at) / 1000 * per_second : 0;
    *left = *left + gained > most ? most : *left + gained;
    *at = now;
    if (*left < 1)
        return false;
    *left -= 1;
    return true;
}

static bool spend(struct limit *l, int64_t now)
{
    return limit_spend(&l->left, &l->at, now, l->most, l->per_second);
}

/* Whoever has one address of the new kind has all that begin with the same
 * eight bytes, unless it is an old one in the form of a new one. */
struct limit_want limit_of_address(const char *what, const char *address,
                                   int most)
{
    struct limit_want w = {.most = most};
    struct in6_addr a;
    char net[INET6_ADDRSTRLEN];
    snprintf(net, sizeof net, "%.45s", address);
    if (inet_pton(AF_INET6, address, &a) == 1 && !IN6_IS_ADDR_V4MAPPED(&a)) {
        memset(a.s6_addr + 8, 0, 8);
        inet_ntop(AF_INET6, &a, net, sizeof net);
    }
    snprintf(w.who, sizeof w.who, "%s:%s", what, net);
    return w;
}

bool address_local(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* ---- in memory ---- */

void limits_release(struct hub *h)
{
    size_t at = 0;
    for (void *l; (l = dict_next(&h->limits, &at));)
        free(l);
    dict_release(&h->limits);
}

static struct limit *bucket(struct hub *h, const struct limit_want *w)
{
    enum { FORGET = 100000 }; /* 15 MB: nobody has so many addresses */
    struct limit *l = dict_find(&h->limits, w->who);
    if (l)
        return l;
    if (h->limits.count > FORGET)
        limits_release(h);
    l = sure(calloc(1, sizeof *l));
    memcpy(l->who, w->who, sizeof l->who);
    l->left = l->most = w->most;
    l->per_second = 1.0 / LIMIT_SECONDS;
    l->at = hub_now(h);
    dict_set(&h->limits, l->who, l);
    return l;
}

bool limit_message(struct hub *h, const char *address, int per_second)
{
    struct limit_want w = limit_of_address("message", address, 2 * per_second);
    struct limit *l = bucket(h, &w);
    l->per_second = per_second;
    return spend(l, hub_now(h));
}

/* What the store says counts, if it is less. */
static void adjust(struct hub *h, const struct limit_want *w,
                   const struct limit *stored)
{
    struct limit *l = bucket(h, w);
    l->left = stored->left < l->left ? stored->left : l->left;
    l->at = stored->at;
    if (stored->version)
        l->version = stored->version;
}

/* ---- in the store ---- */

struct spending {
    struct hub *hub;
    struct limit_want want[LIMIT_WANTS];
    struct limit stored[LIMIT_WANTS];
    int count, at, tries;
    limit_done *done;
    void *context;
};

static void answer(struct spending *s, const char *wrong)
{
    s->done(s->context, wrong);
    free(s);
}

static void read_limit(const char *text, struct limit *l)
{
    char *end;
    l->left = strtod(text, &end);
    l->most = (int)strtol(end, &end, 10);
    l->at = strtoll(end, NULL, 10);
}

static void on_limit(void *context, const struct store_answer *a);

static void ask(struct spending *s)
{
    store_get(s->hub->set.store, "limit", s->want[s->at].who, on_limit, s);
}

static void on_spent(void *context, const struct store_answer *a)
{
    enum { TRIES = 10 };
    struct spending *s = context;
    if (a->outcome == STORE_STALE && ++s->tries < TRIES) {
        s->at = 0; /* another process was faster */
        ask(s);
        return;
    }
    for (int i = 0; a->outcome == STORE_OK && i < s->count; i++) {
        s->stored[i].version++;
        adjust(s->hub, &s->want[i], &s->stored[i]);
    }
    answer(s, a->outcome == STORE_OK      ? NULL
              : a->outcome == STORE_STALE ? "flood"
                                          : "store");
}

static void write_all(struct spending *s)
{
    struct store_change c[LIMIT_WANTS];
    char text[LIMIT_WANTS][80];
    for (int i = 0; i < s->count; i++) {
        const struct limit *l = &s->stored[i];
        snprintf(text[i], sizeof text[i], "%.3f %d %lld", l->left, l->most,
                 (long long)l->at);
        c[i] = (struct store_change){STORE_PUT,  "limit", s->want[i].who,
                                     l->version, 0,       text[i]};
    }
    store_write(s->hub->set.store, c, s->count, on_spent, s);
}

static void on_limit(void *context, const struct store_answer *a)
{
    struct spending *s = context;
    const struct limit_want *w = &s->want[s->at];
    struct limit *l = &s->stored[s->at];
    int64_t now = hub_now(s->hub);
    if (a->outcome != STORE_OK) {
        answer(s, "store");
        return;
    }
    *l = (struct limit){
        .left = w->most, .per_second = 1.0 / LIMIT_SECONDS, .at = now};
    if (a->count) {
        read_limit(a->rows[0].text, l);
        l->version = a->rows[0].number;
    }
    l->most = w->most;
    if (!spend(l, now)) {
        l->version = 0; /* not ours */
        adjust(s->hub, w, l);
        answer(s, "flood");
    } else if (++s->at < s->count) {
        ask(s);
    } else {
        write_all(s);
    }
}

/* ---- both ---- */

void limits_spend(struct hub *h, const struct limit_want *wants, int count,
                  limit_done *done, void *context)
{
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = spend(bucket(h, &wants[i]), hub_now(h));
    if (!good || !h->shared || !count) {
        done(context, good ? NULL : "flood");
        return;
    }
    struct spending *s = sure(calloc(1, sizeof *s));
    *s = (struct spending){
        .hub = h, .count = count, .done = done, .context = context};
    memcpy(s->want, wants, (size_t)count * sizeof *wants);
    ask(s);
}

static void take(struct hub *h, const struct store_row *row)
{
    struct limit_want w;
    struct limit l = {0};
    read_limit(row->text, &l);
    snprintf(w.who, sizeof w.who, "%s", row->key);
    w.most = l.most;
    l.version = row->number;
    adjust(h, &w, &l);
}

/* Those of a process that died are removed by whoever reads them. */
bool limits_load(struct hub *h)
{
    return !h->shared || hub_load(h, "limit", "", take);
}

void limits_rest(struct hub *h)
{
    int64_t now = hub_now(h);
    size_t at = 0; /* one that is passed over goes the next time */
    for (struct limit *l; (l = dict_next(&h->limits, &at));) {
        if (l->left + (double)(now - l->at) / 1000 * l->per_second < l->most)
            continue;
        struct store_change c = {STORE_DELETE, "limit", l->who,
                                 l->version,   0,       NULL};
        if (l->version)
            store_write(h->set.store, &c, 1, NULL, NULL);
        dict_drop(&h->limits, l->who);
        free(l);
    }
}
