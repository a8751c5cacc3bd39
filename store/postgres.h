/* store/postgres.h: what the two files of the PostgreSQL back end share. */
#ifndef STORE_POSTGRES_H
#define STORE_POSTGRES_H

#include "store/backend.h"

#include <libpq-fe.h>

/* Never NULL; PQstatus() says whether it is one. */
PGconn *postgres_connect(const char *place);
/* Milliseconds of a clock that only goes forward. */
int64_t postgres_ms(void);

/* ---- ear.c: hearing of what others have written ---- */

struct ear;

struct ear *ear_open(const char *place, const char *writer, store_heard *heard,
                     void *context, char *why, size_t cap);
void ear_close(struct ear *e);
/* Something was committed here: the others are told soon.  May be NULL. */
void ear_committed(struct ear *e);

#endif
