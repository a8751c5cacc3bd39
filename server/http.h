/* server/http.h: the web server, whatever library stands behind it.
 *
 * Only http.c and socket.c know libwebsockets and libuv; everything else in
 * server/ uses this header, so that the library can be replaced. */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "server/files.h"

#include <stdbool.h>
#include <stddef.h>

struct http;
struct hub;
struct transport;

struct http_settings {
    int port;                   /* 0: any that is free */
    const char *interface_name; /* "lo", or NULL for all */
    const struct files *files;  /* borrowed */
    const char *proxy; /* address whose X-Forwarded-For is believed, or NULL */
    const char *certificate, *key; /* files for TLS, or NULL */
    bool open_metrics;             /* to everybody, not to this machine only */
    bool quiet;                    /* no notes about single requests */
};

extern const struct transport http_transport;

/* NULL and a reason if the port cannot be had. */
struct http *http_open(const struct http_settings *settings, char *why,
                       size_t cap);
int http_port(const struct http *h);
/* The hub gets the messages; borrowed, to be closed after http_close(). */
void http_attach(struct http *h, struct hub *hub);
/* From any thread: answers wait to be collected.  The argument is a http. */
void http_wake(void *http);
/* Serves until SIGINT or SIGTERM. */
void http_run(struct http *h);
void http_close(struct http *h);

#endif
