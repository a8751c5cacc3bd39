/* server/out.h: text that grows, mostly JSON put together by hand.
 *
 * Scenes come from the games as finished JSON; parsing them only to write them
 * again would cost more than everything else the server does. */
#ifndef SERVER_OUT_H
#define SERVER_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out {
    char *text; /* owned, ended by NUL once anything was put */
    size_t length, cap;
};

void *sure(void *memory); /* or the end of the program */
/* At the start: all threads share one heap without what is large; so it has
 * fewer holes. */
void memory_share(void);
/* What is free goes back to the system, not only what is free at the end. */
void memory_give_back(void);

void out_release(struct out *o);
void out_reserve(struct out *o, size_t more);
void out_bytes(struct out *o, const char *bytes, size_t count);
void out_put(struct out *o, const char *string);
void out_int(struct out *o, int64_t number);
void out_json(struct out *o, const char *string);
/* "key": with a comma before it unless it is the first of its object. */
void out_key(struct out *o, const char *key);
/* The comma between members of an array. */
void out_next(struct out *o);
void out_text(struct out *o, const char *key, const char *value); /* or null */
void out_number(struct out *o, const char *key, int64_t value);
void out_flag(struct out *o, const char *key, bool value);
void out_raw(struct out *o, const char *key, const char *json);

#endif
