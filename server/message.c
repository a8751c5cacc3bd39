/* server/message.c: reading what clients send. */
#include "server/message.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The deepest nesting of brackets outside strings. */
static int depth_of(const char *text, size_t length)
{
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"')
            quoted = true;
        else if (c == '{' || c == '[')
            deepest = ++depth > deepest ? depth : deepest;
        else if (c == '}' || c == ']')
            depth--;
    }
    return deepest;
}

json_t *message_read(const char *text, size_t length, char *why, size_t cap)
{
    json_error_t error;
    if (length > MESSAGE_MAX) {
        snprintf(why, cap, "longer than %d bytes", MESSAGE_MAX);
        return NULL;
    }
    if (depth_of(text, length) > MESSAGE_DEPTH) {
        snprintf(why, cap, "nested deeper than %d", MESSAGE_DEPTH);
        return NULL;
    }
    json_t *body = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!body) {
        /* The library's own words would quote what came from outside. */
        snprintf(why, cap, "no JSON at line %d, column %d", error.line,
                 error.column);
        return NULL;
    }
    if (!json_is_object(body)) {
        snprintf(why, cap, "not an object");
        json_decref(body);
        return NULL;
    }
    return body;
}

/* ---- fields ---- */

static bool plain(const char *text, size_t length, bool lines)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool line = lines && (c == '\n' || c == '\t');
        if ((c < 0x20 && !line) || c == 0x7f)
            return false;
    }
    return true;
}

static bool text_fits(const json_t *value, long low, long high, bool lines)
{
    if (!json_is_string(value))
        return false;
    size_t length = json_string_length(value);
    return (long)length >= low && (long)length <= high &&
           plain(json_string_value(value), length, lines);
}

static bool choice_fits(const json_t *value, const char *const *choices)
{
    if (!json_is_string(value))
        return false;
    for (; *choices; choices++)
        if (strcmp(json_string_value(value), *choices) == 0)
            return true;
    return false;
}

static bool lines_fit(const json_t *value, long high)
{
    size_t i;
    json_t *line;
    if (!json_is_array(value) || (long)json_array_size(value) > high)
        return false;
    json_array_foreach(value, i,
                       line) if (!text_fits(line, 0, 400, false)) return false;
    return true;
}

static bool value_fits(const json_t *value, const struct field *f)
{
    switch (f->type) {
    case FIELD_LINE:
        return text_fits(value, f->low, f->high, false);
    case FIELD_TEXT:
        return text_fits(value, f->low, f->high, true);
    case FIELD_NUMBER:
        return json_is_integer(value) && json_integer_value(value) >= f->low &&
               json_integer_value(value) <= f->high;
    case FIELD_FLAG:
        return json_is_boolean(value);
    case FIELD_CHOICE:
        return choice_fits(value, f->choices);
    case FIELD_LINES:
        return lines_fit(value, f->high);
    }
    return false;
}

static bool known(const char *name, const struct field *fields)
{
    if (strcmp(name, "do") == 0 || strcmp(name, "id") == 0)
        return true;
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0)
            return true;
    return false;
}

bool message_fits(const json_t *body, const struct field *fields, char *why,
                  size_t cap)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)body, name, value) if (!known(name, fields))
    {
        snprintf(why, cap, "a field that does not belong here");
        return false;
    }
    value = json_object_get(body, "id");
    if (value && !json_is_integer(value)) {
        snprintf(why, cap, "field 'id' is not a number");
        return false;
    }
    for (const struct field *f = fields; f->name; f++) {
        value = json_object_get(body, f->name);
        if (!value && f->optional)
            continue;
        if (value && value_fits(value, f))
            continue;
        snprintf(why, cap, value ? "field '%s' does not fit" : "no field '%s'",
                 f->name);
        return false;
    }
    return true;
}

const char *message_text(const json_t *body, const char *name,
                         const char *otherwise)
{
    const char *text = json_string_value(json_object_get(body, name));
    return text ? text : otherwise;
}

long message_number(const json_t *body, const char *name, long otherwise)
{
    const json_t *value = json_object_get(body, name);
    return json_is_integer(value) ? (long)json_integer_value(value) : otherwise;
}

bool message_flag(const json_t *body, const char *name, bool otherwise)
{
    const json_t *value = json_object_get(body, name);
    return value ? json_is_true(value) : otherwise;
}
