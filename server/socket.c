/* server/socket.c: connections between the library and the hub. */
#include "server/lws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who is there ---- */

/* The Origin's host and port must be those the page was asked from.  Programs
 * that are no browser send none. */
bool socket_same_origin(struct lws *wsi)
{
    char origin[256], host[256];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
        return true;
    if (!http_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin))
        return false;
    const char *name = strstr(origin, "://");
    if (!name)
        return false;
    if (!http_header(wsi, WSI_TOKEN_HOST, host, sizeof host) &&
        !http_header(wsi, WSI_TOKEN_HTTP_COLON_AUTHORITY, host, sizeof host))
        return false;
    return strcmp(name + 3, host) == 0;
}

/* The value of our cookie. */
static bool read_token(struct lws *wsi, char *to, size_t cap)
{
    char cookies[2048];
    if (!http_header(wsi, WSI_TOKEN_HTTP_COOKIE, cookies, sizeof cookies))
        return false;
    for (char *at = cookies; at; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, "terra=", 6) != 0)
            continue;
        size_t length = strcspn(at + 6, "; ");
        if (length == 0 || length >= cap)
            return false;
        snprintf(to, cap, "%.*s", (int)length, at + 6);
        return true;
    }
    return false;
}

/* An old address in the form of a new one, "::ffff:127.0.0.1", is told as the
 * old one. */
void peer_address(struct lws *wsi, char *to, size_t cap)
{
    lws_get_peer_simple(wsi, to, cap);
    if (strncmp(to, "::ffff:", 7) == 0 && strchr(to, '.'))
        memmove(to, to + 7, strlen(to + 7) + 1);
}

/* Behind a proxy the last address of the list is the one it has seen. */
static void read_address(const struct http *h, struct lws *wsi, char *to,
                         size_t cap)
{
    char list[256];
    peer_address(wsi, to, cap);
    if (!h->set.proxy || strcmp(to, h->set.proxy) != 0 ||
        !http_header(wsi, WSI_TOKEN_X_FORWARDED_FOR, list, sizeof list))
        return;
    const char *last = strrchr(list, ',');
    last = last ? last + 1 : list;
    snprintf(to, cap, "%s", last + strspn(last, " "));
}

bool socket_open(struct lws *wsi, struct connection *c, bool socket)
{
    struct http *h = http_of(wsi);
    char token[TOKEN_BYTES], address[64];
    if (!h->hub || h->stopping)
        return false;
    c->wsi = wsi;
    read_address(h, wsi, address, sizeof address);
    bool known = read_token(wsi, token, sizeof token);
    c->link = hub_connect(h->hub, c, socket, address, known ? token : NULL);
    return true;
}

void connection_clear(struct http *h, struct connection *c)
{
    if (c->link && h->hub)
        hub_disconnect(h->hub, c->link);
    c->link = NULL;
    if (c->download)
        download_close(c->download);
    c->download = NULL;
    free(c->body);
    c->body = NULL;
    c->body_length = c->body_cap = 0;
    for (int i = 0; i < c->queue_count; i++) {
        struct packet *p = c->queue[(c->queue_first + i) % c->queue_cap];
        if (--p->users == 0)
            free(p);
    }
    free(c->queue);
    c->queue = NULL;
    c->queue_first = c->queue_count = c->queue_cap = 0;
    c->queue_bytes = 0;
    free(c->answer.own);
    memset(&c->answer, 0, sizeof c->answer);
}

/* ---- messages in ---- */

bool socket_collect(struct connection *c, const void *in, size_t length)
{
    if (c->body_length + length > MESSAGE_MAX) {
        c->too_long = true;
        return false;
    }
    if (c->body_length + length > c->body_cap) {
        c->body_cap = c->body_length + length;
        c->body = sure(realloc(c->body, c->body_cap));
    }
    memcpy(c->body + c->body_length, in, length);
    c->body_length += length;
    return true;
}

int socket_receive(struct lws *wsi, struct connection *c, const void *in,
                   size_t length)
{
    struct http *h = http_of(wsi);
    bool whole =
        lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (!c->link)
        return -1;
    if (whole && c->body_length == 0 && length <= MESSAGE_MAX) {
        hub_message(h->hub, c->link, NULL, in, length);
    } else {
        if (!socket_collect(c, in, length)) {
            lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
            return -1;
        }
        if (whole) {
            size_t size = c->body_length;
            c->body_length = 0;
            hub_message(h->hub, c->link, NULL, c->body, size);
        }
    }
    http_schedule(h);
    return 0;
}

/* ---- messages out ---- */

/* The same text to many is kept once. */
static struct packet *pack(const char *text, size_t length)
{
    static struct packet *last; /* borrowed; valid while somebody uses it */
    static struct packet *kept; /* the one use that keeps it valid */
    if (last && last->length == length &&
        memcmp(last->bytes + LWS_PRE, text, length) == 0) {
        last->users++;
        return last;
    }
    struct packet *p = sure(malloc(sizeof *p + LWS_PRE + length));
    p->users = 2;
    p->length = length;
    memcpy(p->bytes + LWS_PRE, text, length);
    if (kept && --kept->users == 0)
        free(kept);
    kept = last = p;
    return p;
}

static void enqueue(struct connection *c, struct packet *p)
{
    if (c->queue_count == c->queue_cap) {
        int cap = c->queue_cap ? 2 * c->queue_cap : 4;
        struct packet **list =
            sure(calloc((size_t)cap, sizeof(struct packet *)));
        for (int i = 0; i < c->queue_count; i++)
            list[i] = c->queue[(c->queue_first + i) % c->queue_cap];
        free(c->queue);
        c->queue = list;
        c->queue_first = 0;
        c->queue_cap = cap;
    }
    c->queue[(c->queue_first + c->queue_count++) % c->queue_cap] = p;
    c->queue_bytes += p->length;
}

int socket_writeable(struct lws *wsi, struct connection *c)
{
    if (c->queue_count == 0)
        return 0;
    struct packet *p = c->queue[c->queue_first];
    int sent = lws_write(wsi, p->bytes + LWS_PRE, p->length, LWS_WRITE_TEXT);
    c->queue_first = (c->queue_first + 1) % c->queue_cap;
    c->queue_count--;
    c->queue_bytes -= p->length;
    if (--p->users == 0)
        free(p);
    if (sent < 0)
        return -1;
    if (c->queue_count)
        lws_callback_on_writable(wsi);
    return 0;
}

/* An HTTP request has one answer. */
static void send_reply(struct connection *c, const char *text, size_t length)
{
    struct answer *a = &c->answer;
    if (a->own)
        return;
    a->own = sure(malloc(length + 1));
    memcpy(a->own, text, length);
    a->data = a->own;
    a->size = length;
    a->sent = 0;
    a->type = "application/json";
    lws_callback_on_writable(c->wsi);
}

static void transport_send(struct link *link, const char *text, size_t length)
{
    struct connection *c = link->connection;
    if (!link->socket) {
        send_reply(c, text, length);
        return;
    }
    enqueue(c, pack(text, length));
    lws_callback_on_writable(c->wsi);
}

static void transport_close(struct link *link)
{
    const struct connection *c = link->connection;
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

static size_t transport_waiting(const struct link *link)
{
    const struct connection *c = link->connection;
    return c->queue_bytes;
}

const struct transport http_transport = {transport_send, transport_close,
                                         transport_waiting};
