/* rules/nova/record.h: what the files about files share, for them only. */
#ifndef RULES_NOVA_RECORD_H
#define RULES_NOVA_RECORD_H

#include "game/setup.h"
#include "rules/nova/state.h"

/* ---- record.c ---- */

enum tag {
    TAG_GAME,
    TAG_FORMAT,
    TAG_BOARD,
    TAG_SEATS,
    TAG_SEAT1,
    TAG_SEAT2,
    TAG_SEAT3,
    TAG_SEAT4,
    TAG_EDITION,
    TAG_OPTIONS,
    TAG_DATE,
    TAG_EVENT,
    TAG_SEED,
    TAG_START,
    TAG_RESULT,
    TAG_END,
    TAG_COUNT
};

/* In the order in which they are written. */
extern const char *const nova_tag_name[TAG_COUNT];

/* Without its comment; a semicolon inside the quotes of a tag is none. */
struct span nova_uncommented(struct span line);
bool nova_is_key(struct span key);

/* Walks over the notes, lines "Key: value". */
bool nova_next_note(struct lines *l, struct span *key, struct span *value);
/* The value noted under a key; its `at` is NULL if there is none. */
struct span nova_note(const struct record *r, struct span key);
/* False: there is no room. */
bool nova_add_note(struct record *r, struct span key, struct span value);

/* The given board of the caller, if it has the name a file asks for. */
bool nova_callers_board(const char *given, struct span name, struct given *out);
/* Copies it; false if it is larger than any board needs to be. */
bool nova_add_held(const struct given *held, const char *key,
                   struct text *given);

/* ---- record_read.c, record_write.c, record_positions.c: struct
 * record_format ---- */

bool nova_is_record(const char *text, size_t length);
bool nova_read_record(const char *text, size_t length, struct record *r,
                      struct fault *f);
int nova_write_record(const struct record *r, int viewer, char *to, size_t cap);
/* The state after all steps, and who broke off the game. */
struct state nova_last_state(const struct record *r, int *quitter);

bool nova_is_positions(const char *text, size_t length);
bool nova_read_positions(const char *text, size_t length, struct record *r,
                         struct fault *f);
int nova_write_positions(const struct record *r, int viewer, char *to,
                         size_t cap);

#endif
