/* base/text.h: writing and reading text in the caller's memory.
 *
 * A writer never overruns: what does not fit is counted and cut off, and
 * text_end() returns the length that was needed, as snprintf does.  A reader
 * walks over borrowed bytes and never past their end. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- writing ---- */

struct text {
    char *to;           /* borrowed; may be NULL when cap is 0 */
    size_t cap, length; /* length: needed so far, may exceed cap */
};

static inline struct text text_begin(char *to, size_t cap)
{
    return (struct text){to, cap, 0};
}

void text_char(struct text *t, char c);
void text_put(struct text *t, const char *string);
void text_bytes(struct text *t, const char *bytes, size_t count);
void text_int(struct text *t, int64_t number);
void text_hex(struct text *t, uint64_t number); /* 16 digits */
/* Fixed point: text_milli(t, -1250) writes -1.250. */
void text_milli(struct text *t, int64_t thousandths);
/* A JSON string with its quotes; control characters and quotes escaped. */
void text_json(struct text *t, const char *string);
void text_json_bytes(struct text *t, const char *bytes, size_t count);
/* Ends the text with a NUL inside cap; returns the length needed without it. */
int text_end(struct text *t);

/* ---- reading ---- */

/* A borrowed piece of text, not ended by NUL. */
struct span {
    const char *at;
    size_t length;
};

struct span span_of(const char *string);
bool span_is(struct span s, const char *string);
bool span_same(struct span a, struct span b);
struct span span_trim(struct span s); /* blanks, tabs, carriage returns */
/* Cuts off and returns what stands before the first `mark`; the whole rest if
 * there is none. */
struct span span_cut(struct span *rest, char mark);
/* Cuts off the next run of non-blank characters; length 0 when none is left. */
struct span span_word(struct span *rest);
/* A whole number from low to high, no sign but '-', no leading zeros. */
bool span_int(struct span s, long low, long high, long *out);
/* Copies into a NUL-ended buffer, cutting between characters if need be. */
void span_copy(struct span s, char *to, size_t cap);
/* Well-formed UTF-8 without NUL bytes?  `bad` gets the first faulty offset. */
bool span_utf8(struct span s, size_t *bad);

/* Lines of a text, counted from 1, without line feed and carriage return. */
struct lines {
    struct span rest;
    int number;
};

static inline struct lines lines_of(struct span text)
{
    return (struct lines){text, 0};
}

bool lines_next(struct lines *l, struct span *line);

#endif
