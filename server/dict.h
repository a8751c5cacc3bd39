/* server/dict.h: things found by a short text. */
#ifndef SERVER_DICT_H
#define SERVER_DICT_H

#include <stddef.h>

/* Keys are borrowed and must live as long as their entry. */
struct dict {
    struct dict_entry {
        const char *key;
        void *value;
    } * entries; /* owned */
    size_t count, cap;
};

void *dict_find(const struct dict *m, const char *key);
void dict_set(struct dict *m, const char *key, void *value);
void dict_drop(struct dict *m, const char *key);
void dict_release(struct dict *m);
/* The next entry from *at on, or NULL; *at begins as 0. */
void *dict_next(const struct dict *m, size_t *at);

#endif
