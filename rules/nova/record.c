/* rules/nova/record.c: the formats of files, and what their readers and
 * writers share (nova §10.2, §11.2, §11.3). */
#include "rules/nova/record.h"

#include "game/setup.h"
#include "rules/nova/faults.h"

/* ---- tags and comments ---- */

/* In the order in which they are written. */
const char *const nova_tag_name[TAG_COUNT] = {
    "Game",    "Format",  "Board", "Seats", "Seat1", "Seat2", "Seat3",  "Seat4",
    "Edition", "Options", "Date",  "Event", "Seed",  "Start", "Result", "End",
};

/* Cuts off a comment; a semicolon inside the quotes of a tag is none. */
struct span nova_uncommented(struct span line)
{
    line = span_trim(line);
    bool quoted = false, tag = line.length > 0 && *line.at == '[';
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] == '"')
            quoted = tag && !quoted;
        if (line.at[i] == ';' && !quoted)
            line.length = i;
    }
    return span_trim(line);
}

bool nova_is_key(struct span key)
{
    for (size_t i = 0; i < key.length; i++) {
        char c = key.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9')))
            return false;
    }
    return key.length > 0;
}

/* ---- notes ---- */

/* Walks over the notes, lines "Key: value". */
bool nova_next_note(struct lines *l, struct span *key, struct span *value)
{
    if (!lines_next(l, value))
        return false;
    *key = span_cut(value, ':');
    if (value->length > 0 && *value->at == ' ')
        *value = (struct span){value->at + 1, value->length - 1};
    return true;
}

/* The value noted under a key; its `at` is NULL if there is none. */
struct span nova_note(const struct record *r, struct span key)
{
    struct lines l = lines_of(span_of(r->notes));
    struct span name, value;
    while (nova_next_note(&l, &name, &value))
        if (span_same(name, key))
            return value;
    return (struct span){NULL, 0};
}

bool nova_add_note(struct record *r, struct span key, struct span value)
{
    size_t length = strlen(r->notes);
    struct text t = text_begin(r->notes + length, r->notes_cap - length);
    text_bytes(&t, key.at, key.length);
    text_put(&t, ": ");
    text_bytes(&t, value.at, value.length);
    text_char(&t, '\n');
    return length + (size_t)text_end(&t) < r->notes_cap;
}

/* ---- the board of the caller ---- */

/* The given board of the caller, if it has the name the record asks for. */
bool nova_callers_board(const char *given, struct span name, struct given *out)
{
    struct lines l;
    struct span line;
    if (!given_find(given, "board", out))
        return false;
    l = lines_of(out->value);
    while (lines_next(&l, &line)) {
        struct span value = span_trim(line), key = span_cut(&value, ':');
        value = span_trim(value);
        if (span_is(key, "name"))
            return span_same(value, name);
    }
    return false;
}

/* Copies it; false if it is larger than any board needs to be. */
bool nova_add_held(const struct given *held, const char *key,
                   struct text *given)
{
    char text[16384];
    int length = given_unfold(held->value, text, sizeof text);
    if (length >= (int)sizeof text)
        return false;
    given_add(given, key, (struct span){text, (size_t)length});
    return true;
}

/* ---- board files ---- */

static bool is_board(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    while (lines_next(&l, &line)) {
        struct span key = line;
        key = span_cut(&key, ':');
        if (span_is(span_trim(line), "map:") || span_is(key, "landscapes"))
            return true;
    }
    return false;
}

static bool read_board_file(const char *text, size_t length, struct record *r,
                            struct fault *f)
{
    struct board board;
    r->count = 0;
    if (!board_read(&board, (struct span){text, length}, f))
        return false;
    struct text given = text_begin(r->given, r->given_cap);
    given_add(&given, "board", (struct span){text, length});
    if ((size_t)text_end(&given) >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    r->setup.given = r->given;
    if (!nova_prepare(r->world, &r->setup, f))
        return false;
    nova_start(r->world, &r->setup, r->state);
    return true;
}

static int write_board_file(const struct record *r, int viewer, char *to,
                            size_t cap)
{
    (void)viewer;
    if (r->world->board.bare)
        return -1;
    return board_write(&r->world->board, to, cap);
}

const struct record_format nova_formats[] = {
    {"nova", ".nova", "game record", nova_is_record, nova_read_record,
     nova_write_record},
    {"position", ".pos", "positions, one a line, board name first",
     nova_is_positions, nova_read_positions, nova_write_positions},
    {"board", ".board", "board file", is_board, read_board_file,
     write_board_file},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
