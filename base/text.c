/* base/text.c: writing and reading text in the caller's memory. */
#include "base/text.h"

#include <string.h>

void text_char(struct text *t, char c)
{
    if (t->length + 1 < t->cap)
        t->to[t->length] = c;
    t->length++;
}

void text_bytes(struct text *t, const char *bytes, size_t count)
{
    if (count > 0 && t->length + 1 < t->cap) {
        size_t room = t->cap - 1 - t->length;
        memcpy(t->to + t->length, bytes, count < room ? count : room);
    }
    t->length += count;
}

void text_put(struct text *t, const char *string)
{
    text_bytes(t, string, strlen(string));
}

void text_int(struct text *t, int64_t number)
{
    char digits[20];
    int count = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
        text_char(t, '-');
    while (count > 0)
        text_char(t, digits[--count]);
}

void text_hex(struct text *t, uint64_t number)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        text_char(t, "0123456789abcdef"[number >> shift & 15]);
}

void text_milli(struct text *t, int64_t thousandths)
{
    int64_t whole = thousandths / 1000, rest = thousandths % 1000;
    if (thousandths < 0) {
        text_char(t, '-');
        whole = -whole;
        rest = -rest;
    }
    text_int(t, whole);
    text_char(t, '.');
    for (int unit = 100; unit > 0; unit /= 10)
        text_char(t, (char)('0' + rest / unit % 10));
}

void text_json_bytes(struct text *t, const char *bytes, size_t count)
{
    text_char(t, '"');
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\') {
            text_char(t, '\\');
            text_char(t, (char)c);
        } else if (c == '\n') {
            text_put(t, "\\n");
        } else if (c < 0x20 || c == 0x7f) {
            text_put(t, "\\u00");
            text_char(t, "0123456789abcdef"[c >> 4]);
            text_char(t, "0123456789abcdef"[c & 15]);
        } else {
            text_char(t, (char)c);
        }
    }
    text_char(t, '"');
}

void text_json(struct text *t, const char *string)
{
    text_json_bytes(t, string, strlen(string));
}

int text_end(struct text *t)
{
    if (t->cap > 0)
        t->to[t->length < t->cap ? t->length : t->cap - 1] = '\0';
    return (int)t->length;
}

struct span span_of(const char *string)
{
    return (struct span){string, strlen(string)};
}

bool span_is(struct span s, const char *string)
{
    return strlen(string) == s.length && memcmp(s.at, string, s.length) == 0;
}

bool span_same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct span span_trim(struct span s)
{
    while (s.length > 0 && blank(s.at[s.length - 1]))
        s.length--;
    while (s.length > 0 && blank(*s.at)) {
        s.at++;
        s.length--;
    }
    return s;
}

struct span span_cut(struct span *rest, char mark)
{
    struct span head = *rest;
    const char *found =
        rest->length ? memchr(rest->at, mark, rest->length) : NULL;
    if (!found) {
        rest->at += rest->length;
        rest->length = 0;
        return head;
    }
    head.length = (size_t)(found - rest->at);
    rest->at = found + 1;
    rest->length -= head.length + 1;
    return head;
}

struct span span_word(struct span *rest)
{
    while (rest->length > 0 && blank(*rest->at)) {
        rest->at++;
        rest->length--;
    }
    struct span word = {rest->at, 0};
    while (rest->length > 0 && !blank(*rest->at)) {
        rest->at++;
        rest->length--;
        word.length++;
    }
    return word;
}

bool span_int(struct span s, long low, long high, long *out)
{
    bool minus = s.length > 0 && *s.at == '-';
    size_t first = minus ? 1 : 0, digits = s.length - first;
    if (s.length == first || digits > 15)
        return false;
    if (s.at[first] == '0' && (digits > 1 || minus))
        return false;
    int64_t value = 0; /* long has 32 bits in WebAssembly */
    for (size_t i = first; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        value = 10 * value + (s.at[i] - '0');
    }
    value = minus ? -value : value;
    if (value < low || value > high)
        return false;
    *out = (long)value;
    return true;
}

void span_copy(struct span s, char *to, size_t cap)
{
    if (s.length >= cap) { /* cut before a sequence, not inside it */
        s.length = cap > 0 ? cap - 1 : 0;
        while (s.length > 0 && (s.at[s.length] & 0xc0) == 0x80)
            s.length--;
    }
    struct text t = text_begin(to, cap);
    text_bytes(&t, s.at, s.length);
    text_end(&t);
}

/* Length of the UTF-8 sequence that begins at `at`, or 0 if it is malformed:
 * overlong forms, surrogates and values above U+10FFFF are refused. */
static size_t sequence(const unsigned char *at, size_t left)
{
    unsigned char c = at[0];
    size_t length = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : (c & 0xf0) == 0xe0    ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    if (length == 0 || length > left || c == 0)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) ||
        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

bool span_utf8(struct span s, size_t *bad)
{
    for (size_t i = 0; i < s.length;) {
        size_t step = sequence((const unsigned char *)s.at + i, s.length - i);
        if (step == 0) {
            *bad = i;
            return false;
        }
        i += step;
    }
    return true;
}

bool lines_next(struct lines *l, struct span *line)
{
    if (l->rest.length == 0)
        return false;
    *line = span_cut(&l->rest, '\n');
    if (line->length > 0 && line->at[line->length - 1] == '\r')
        line->length--;
    l->number++;
    return true;
}
