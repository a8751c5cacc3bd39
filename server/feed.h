/* server/feed.h: "your turn" for feed readers. */
#ifndef SERVER_FEED_H
#define SERVER_FEED_H

#include <stdbool.h>

struct hub;
struct out;

/* An Atom feed of the tables that wait for whoever has this token; false if
 * nobody has. */
bool feed_write(const struct hub *h, const char *token, struct out *o);

#endif
