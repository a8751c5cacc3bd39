/* server/http.h: the web server, whatever library stands behind it.
 *
 * Only http.c knows libwebsockets and libuv; everything else in server/ uses
 * this header, so that the library can be replaced. */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "server/files.h"

#include <stdbool.h>
#include <stddef.h>

struct http;

struct http_settings {
    int port;
    const char *interface_name; /* "lo", or NULL for all */
    const struct files *files;  /* borrowed */
    bool quiet;                 /* no notes about single requests */
};

/* NULL and a reason if the port cannot be had. */
struct http *http_open(const struct http_settings *settings, char *why,
                       size_t cap);
/* Serves until SIGINT or SIGTERM. */
void http_run(struct http *h);
void http_close(struct http *h);

#endif
