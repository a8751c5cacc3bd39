/* server/dict.c: things found by a short text, by open addressing.
 *
 * Keys come partly from outside, so the hash is keyed by libsodium with a
 * secret of this run: nobody can choose names that collide. */
#include "server/dict.h"

#include "server/out.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static unsigned char secret[crypto_shorthash_KEYBYTES];
static int secret_drawn;

static size_t place(const struct dict *m, const char *key)
{
    unsigned char hash[crypto_shorthash_BYTES];
    size_t number;
    if (!secret_drawn) {
        crypto_shorthash_keygen(secret);
        secret_drawn = 1;
    }
    crypto_shorthash(hash, (const unsigned char *)key, strlen(key), secret);
    memcpy(&number, hash, sizeof number);
    return number & (m->cap - 1);
}

static struct dict_entry *slot(const struct dict *m, const char *key)
{
    size_t at = place(m, key);
    while (m->entries[at].key && strcmp(m->entries[at].key, key) != 0)
        at = (at + 1) & (m->cap - 1);
    return &m->entries[at];
}

void *dict_find(const struct dict *m, const char *key)
{
    return m->count ? slot(m, key)->value : NULL;
}

static void grow(struct dict *m)
{
    struct dict old = *m;
    m->cap = old.cap ? 2 * old.cap : 64;
    m->entries = sure(calloc(m->cap, sizeof *m->entries));
    for (size_t i = 0; i < old.cap; i++)
        if (old.entries[i].key)
            *slot(m, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

void dict_set(struct dict *m, const char *key, void *value)
{
    if (2 * (m->count + 1) > m->cap)
        grow(m);
    struct dict_entry *e = slot(m, key);
    m->count += !e->key;
    e->key = key;
    e->value = value;
}

void dict_drop(struct dict *m, const char *key)
{
    if (!m->count)
        return;
    struct dict_entry *e = slot(m, key);
    if (!e->key)
        return;
    memset(e, 0, sizeof *e);
    m->count--;
    /* Whatever stands behind the gap may have wanted to be in it. */
    size_t at = (size_t)(e - m->entries);
    for (;;) {
        at = (at + 1) & (m->cap - 1);
        struct dict_entry moved = m->entries[at];
        if (!moved.key)
            return;
        memset(&m->entries[at], 0, sizeof moved);
        *slot(m, moved.key) = moved;
    }
}

void dict_release(struct dict *m)
{
    free(m->entries);
    memset(m, 0, sizeof *m);
}

void *dict_next(const struct dict *m, size_t *at)
{
    while (*at < m->cap) {
        const struct dict_entry *e = &m->entries[(*at)++];
        if (e->key)
            return e->value;
    }
    return NULL;
}
