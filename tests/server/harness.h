/* tests/server/harness.h: a hub without network, with a clock of its own.
 *
 * People are connections whose answers are kept as parsed JSON. */
#ifndef TESTS_SERVER_HARNESS_H
#define TESTS_SERVER_HARNESS_H

#include "server/hub.h"
#include "tests/test.h"

struct person {
    struct link *link;
    char token[TOKEN_BYTES];
    json_t *answer; /* the last one: {"id", "ok" or "error"} */
    json_t *events; /* everything else, in order */
    char *heard;    /* every byte it was ever sent */
    size_t heard_length;
    size_t waiting; /* bytes it pretends not to have read */
    bool closed;
};

extern struct hub *hub;
extern int64_t test_now; /* milliseconds */

/* `backend` and place of the store; rate as in hub_settings. */
void harness_open(const struct store_backend *backend, const char *place,
                  int rate);
void harness_close(void);
/* For cmocka: a hub of its own for every test, its store in memory. */
int harness_begin(void **state);
int harness_finish(void **state);
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, harness_begin, harness_finish)
/* The same with a file of SQLite, and a limit of thirty messages a second. */
extern char harness_file[];
int harness_begin_file(void **state);
int harness_finish_file(void **state);
/* Another server with the same file. */
void harness_restart(void);
#define FILE_TEST(name)                                                        \
    cmocka_unit_test_setup_teardown(name, harness_begin_file,                  \
                                    harness_finish_file)
/* Everything that is under way comes to its end, bots included. */
void harness_settle(void);
/* Time passes. */
void harness_wait(int64_t ms);

struct person *person_new(const char *token); /* token may be NULL */
void person_leave(struct person *p);
/* Sends a message in the notation of json_pack(), settles, and returns the
 * answer's "ok" or NULL.  "do" is added. */
json_t *say(struct person *p, const char *command, const char *format, ...);
/* The same over HTTP: a connection of its own with p's cookie, which p gets. */
json_t *call(struct person *p, const char *command, const char *format, ...);
void say_text(struct person *p, const char *text, size_t length);
const char *error_of(const struct person *p); /* "" if it was no error */
/* The last event of that kind, or NULL. */
json_t *event_of(const struct person *p, const char *kind);
const char *text_at(const json_t *o, const char *key);

/* A guest with that name and a socket. */
struct person *guest(const char *name);
/* The same with an account, whose password is "12345678". */
struct person *account(const char *name);
/* Opens a table and joins everybody; returns its id.  The first sits first:
 * seats are drawn, so *seat_of tells who got which. */
const char *table_with(const char *setup, const char *pace, int base,
                       struct person **people, int count);
int seat_of(const struct person *p, const char *table);
/* The person who is to act, and a legal action of that seat as text. */
struct person *to_act(const char *table, struct person **people, int count,
                      char *action, size_t cap);

#define NOVA   "game: nova\nseats: 2\n"
#define HIDDEN "game: blank\nseats: 2\n"

#endif
