/* server/message.h: reading what clients send.
 *
 * A message is one JSON object.  What does not fit the command's fields is
 * refused here, so that handlers only see values of the right kind and size. */
#ifndef SERVER_MESSAGE_H
#define SERVER_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { MESSAGE_MAX = 128 * 1024, MESSAGE_DEPTH = 8 };

enum field_type {
    FIELD_LINE,   /* text without control characters; bytes low..high */
    FIELD_TEXT,   /* the same with line feeds and tabs */
    FIELD_NUMBER, /* a whole number low..high */
    FIELD_FLAG,
    FIELD_CHOICE, /* one of `choices` */
    FIELD_LINES   /* at most high lines of at most 400 bytes */
};

struct field {
    const char *name; /* NULL ends a list */
    enum field_type type;
    bool optional;
    long low, high;
    const char *const *choices; /* ended by NULL */
    const char *help;
};

/* NULL and a reason if the bytes are no message. */
json_t *message_read(const char *text, size_t length, char *why, size_t cap);
/* Are all fields there and as they should be, and no others?  "do" and "id"
 * are always allowed. */
bool message_fits(const json_t *body, const struct field *fields, char *why,
                  size_t cap);

/* For handlers; the field may be missing. */
const char *message_text(const json_t *body, const char *name,
                         const char *otherwise);
long message_number(const json_t *body, const char *name, long otherwise);
bool message_flag(const json_t *body, const char *name, bool otherwise);

#endif
