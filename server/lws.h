/* server/lws.h: what http.c and socket.c share, and nobody else includes. */
#ifndef SERVER_LWS_H
#define SERVER_LWS_H

#include "server/download.h"
#include "server/http.h"
#include "server/hub.h"

#include <libwebsockets.h>
#include <pthread.h>

enum { PATH_BYTES = 512 };

struct http {
    struct lws_context *context; /* owned */
    struct lws_vhost *vhost;
    struct http_settings set;
    struct hub *hub; /* borrowed; NULL: files only */
    lws_sorted_usec_list_t timer, last;
    int64_t timer_at; /* milliseconds; 0: not set */
    bool stopping;
    pthread_mutex_t lock; /* of `wakeable` */
    struct lws_context *wakeable;
};

/* One answer on its way out. */
struct answer {
    const unsigned char *data; /* borrowed, or `own` */
    size_t size, sent;
    unsigned char *own; /* owned */
    const char *type;   /* not NULL: the headers are still to be sent */
    bool head;
};

/* Text that several sockets may be sending. */
struct packet {
    int users;
    size_t length;
    unsigned char bytes[]; /* LWS_PRE, then the text */
};

struct connection {
    struct lws *wsi;
    struct link *link;    /* owned by the hub; NULL: none */
    struct answer answer; /* HTTP */
    char *body;           /* owned: what was received so far */
    size_t body_length, body_cap;
    bool too_long;
    char command[32];
    struct download *download; /* owned; NULL: none */
    bool only_head, begun;     /* of the download */
    struct packet **queue;     /* owned: WebSocket messages to be sent */
    int queue_first, queue_count, queue_cap;
    size_t queue_bytes;
};

struct http *http_of(struct lws *wsi);
/* Something may be due earlier now. */
void http_schedule(struct http *h);
bool http_header(struct lws *wsi, enum lws_token_indexes token, char *to,
                 size_t cap);

/* ---- socket.c ---- */

/* Who is at the other end, be it a proxy. */
void peer_address(struct lws *wsi, char *to, size_t cap);
/* Is the page that sends this one of ours? */
bool socket_same_origin(struct lws *wsi);
bool socket_open(struct lws *wsi, struct connection *c, bool socket);
int socket_receive(struct lws *wsi, struct connection *c, const void *in,
                   size_t length);
int socket_writeable(struct lws *wsi, struct connection *c);
bool socket_collect(struct connection *c, const void *in, size_t length);
/* Releases all it owns, its link included; harmless when repeated. */
void connection_clear(struct http *h, struct connection *c);

#endif
