/* server/trouble.h: the pages that say what went wrong, in the reader's
 * language. */
#ifndef SERVER_TROUBLE_H
#define SERVER_TROUBLE_H

#include <stddef.h>

enum trouble {
    TROUBLE_MISSING, /* nothing has this address */
    TROUBLE_LONG,    /* the address is too long */
    TROUBLE_METHOD,  /* neither GET nor HEAD */
    TROUBLE_BUSY,    /* too many downloads */
    TROUBLE_FOREIGN, /* sent by a page of another site */
    TROUBLE_COMMAND, /* no such command */
    TROUBLES
};

/* The language of ours that an Accept-Language header likes best ("en", "nl",
 * "sv", "de"); English if it names none, or `accepts` is NULL. */
const char *trouble_language(const char *accepts);

unsigned trouble_status(enum trouble t);

/* Writes the page about `path`, which may hold anything; returns its length,
 * always less than `cap`. */
size_t trouble_page(enum trouble t, const char *language, const char *path,
                    char *to, size_t cap);

#endif
