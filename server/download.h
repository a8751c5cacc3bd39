/* server/download.h: finished games as text, for everybody.
 *
 *     /games/GAME.txt   all finished rated games, the oldest first; each begins
 *                       with a line "== ID TIME"
 *     /match/ID.txt     one finished game
 *
 * A download has one game in memory at a time, however many there are. */
#ifndef SERVER_DOWNLOAD_H
#define SERVER_DOWNLOAD_H

#include "server/out.h"

struct hub;
struct download;

enum { DOWNLOADS_MAX = 8 }; /* at once */

enum download_state {
    DOWNLOAD_UNKNOWN, /* wait for `ready` */
    DOWNLOAD_THERE,
    DOWNLOAD_NOT_THERE /* no such game, or it is not over */
};

/* NULL: nothing is ever downloaded from there.  `ready` is called, never from
 * within these functions, when there is more to read or to know. */
struct download *download_open(struct hub *h, const char *path,
                               void (*ready)(void *context), void *context);
enum download_state download_state(const struct download *d);
const char *download_path(const struct download *d);
/* What has come; empty: wait for `ready`; NULL: that was all. */
struct out *download_read(struct download *d);
/* Fetches more after what has come was taken. */
void download_next(struct download *d);
void download_close(struct download *d);

#endif
