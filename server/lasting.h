/* server/lasting.h: memory for what stays.
 *
 * A server makes and forgets some hundred kilobytes with every message.  If
 * the head of a table, which it keeps, stood among them, each would hold back
 * a page of its own.  So heads and people have blocks of their own. */
#ifndef SERVER_LASTING_H
#define SERVER_LASTING_H

#include <stddef.h>

/* Zero-filled; never NULL, for any size.  Only for the loop's thread. */
void *lasting_new(size_t size);
void lasting_free(void *memory, size_t size); /* as it was asked for */

/* A copy of a text, and its end; NULL is allowed there. */
char *lasting_text(const char *text);
void lasting_forget(char *text);

#endif
