/* bench/load/client.h: many WebSocket clients in one thread.
 *
 * Real sockets over loopback and epoll; nothing of the server's code, so that
 * the server is measured and not a copy of it. */
#ifndef BENCH_LOAD_CLIENT_H
#define BENCH_LOAD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum client_state {
    CLIENT_CLOSED,
    CLIENT_JOINING, /* asks for a guest's name by POST */
    CLIENT_JOINED,  /* has a cookie, and is closed again */
    CLIENT_OPENING, /* the handshake is under way */
    CLIENT_OPEN
};

struct client {
    int fd, number;
    enum client_state state;
    char cookie[64];
    char *in, *out; /* owned */
    size_t in_length, in_cap, out_length, out_cap;
    double sent; /* when the last message was sent */
    /* For those who use it. */
    int step;
    char table[16];
    long seq;
};

/* Every text message; `text` ends with NUL and may be changed. */
typedef void on_message(struct client *c, char *text, size_t length);

struct load {
    int epoll, port;
    struct client *clients; /* owned */
    int count;
    int open, joined; /* how many are in these states */
    on_message *on_message;
};

double now(void); /* seconds */
void load_init(struct load *l, int count);
void load_release(struct load *l);
void client_join(struct load *l, struct client *c, const char *name);
void client_open(struct load *l, struct client *c);
void client_close(struct load *l, struct client *c);
void client_send(struct load *l, struct client *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Handles what has arrived; waits at most so long for it. */
void load_pump(struct load *l, int milliseconds);

#endif
