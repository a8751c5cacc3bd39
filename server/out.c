/* server/out.c: text that grows, mostly JSON put together by hand. */
#include "server/out.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void *sure(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void memory_share(void)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 64 * 1024); /* long messages leave no holes */
#endif
}

void memory_give_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void out_release(struct out *o)
{
    free(o->text);
    memset(o, 0, sizeof *o);
}

void out_reserve(struct out *o, size_t more)
{
    size_t wanted = o->length + more + 1;
    if (wanted <= o->cap)
        return;
    o->cap = wanted > 2 * o->cap ? wanted : 2 * o->cap;
    o->text = sure(realloc(o->text, o->cap));
}

void out_bytes(struct out *o, const char *bytes, size_t count)
{
    out_reserve(o, count);
    memcpy(o->text + o->length, bytes, count);
    o->length += count;
    o->text[o->length] = '\0';
}

void out_put(struct out *o, const char *string)
{
    out_bytes(o, string, strlen(string));
}

void out_int(struct out *o, int64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    out_bytes(o, digits, (size_t)length);
}

void out_json(struct out *o, const char *string)
{
    struct text measure = text_begin(NULL, 0);
    text_json(&measure, string);
    out_reserve(o, measure.length);
    struct text t = text_begin(o->text + o->length, measure.length + 1);
    text_json(&t, string);
    text_end(&t);
    o->length += measure.length;
}

void out_key(struct out *o, const char *key)
{
    if (o->length > 0 && o->text[o->length - 1] != '{')
        out_put(o, ",");
    out_json(o, key);
    out_put(o, ":");
}

void out_next(struct out *o)
{
    if (o->length > 0 && o->text[o->length - 1] != '[')
        out_put(o, ",");
}

void out_text(struct out *o, const char *key, const char *value)
{
    out_key(o, key);
    if (value)
        out_json(o, value);
    else
        out_put(o, "null");
}

void out_number(struct out *o, const char *key, int64_t value)
{
    out_key(o, key);
    out_int(o, value);
}

void out_flag(struct out *o, const char *key, bool value)
{
    out_key(o, key);
    out_put(o, value ? "true" : "false");
}

void out_raw(struct out *o, const char *key, const char *json)
{
    out_key(o, key);
    out_put(o, json);
}
