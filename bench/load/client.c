/* bench/load/client.c: many WebSocket clients in one thread. */
#define _GNU_SOURCE /* strcasestr */
#include "bench/load/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 512, READ_BYTES = 65536 };

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *sure(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

void load_init(struct load *l, int count)
{
    *l = (struct load){.count = count, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    l->clients = sure(calloc((size_t)count, sizeof *l->clients));
    for (int i = 0; i < count; i++) {
        l->clients[i].fd = -1;
        l->clients[i].number = i;
    }
}

void load_release(struct load *l)
{
    for (int i = 0; i < l->count; i++)
        client_close(l, &l->clients[i]);
    free(l->clients);
    close(l->epoll);
}

/* ---- out ---- */

static void watch(const struct load *l, struct client *c, int how)
{
    struct epoll_event e = {.events = EPOLLIN, .data = {.ptr = c}};
    if (c->out_length)
        e.events |= EPOLLOUT;
    if (epoll_ctl(l->epoll, how, c->fd, &e) != 0)
        fail("epoll_ctl");
}

static void append(char **to, size_t *length, size_t *cap, const void *bytes,
                   size_t count)
{
    if (*length + count + 1 > *cap) {
        *cap = 2 * (*length + count + 1);
        *to = sure(realloc(*to, *cap));
    }
    memcpy(*to + *length, bytes, count);
    *length += count;
    (*to)[*length] = '\0';
}

static void flush(struct load *l, struct client *c)
{
    bool waited = c->out_length > 0;
    ssize_t sent = send(c->fd, c->out, c->out_length, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != ENOTCONN)
        fail("send");
    if (sent > 0) {
        c->out_length -= (size_t)sent;
        memmove(c->out, c->out + sent, c->out_length);
    }
    if (waited)
        watch(l, c, EPOLL_CTL_MOD);
}

static void put(struct client *c, const void *bytes, size_t count)
{
    append(&c->out, &c->out_length, &c->out_cap, bytes, count);
}

void client_send(struct load *l, struct client *c, const char *format, ...)
{
    char text[4096];
    va_list more;
    va_start(more, format);
    int length = vsnprintf(text, sizeof text, format, more);
    va_end(more);
    unsigned char head[8] = {0x81, (unsigned char)(0x80 | length)};
    int used = 2;
    if (length >= 126) {
        head[1] = 0x80 | 126;
        head[2] = (unsigned char)(length >> 8);
        head[3] = (unsigned char)length;
        used = 4;
    }
    put(c, head, (size_t)used);
    put(c, "\0\0\0\0", 4); /* the mask: none */
    put(c, text, (size_t)length);
    c->sent = now();
    flush(l, c);
}

/* ---- connecting ---- */

static void dial(struct load *l, struct client *c)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)l->port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int one = 1;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0)
        fail("socket");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(c->fd, (struct sockaddr *)&to, sizeof to) != 0 &&
        errno != EINPROGRESS)
        fail("connect");
    c->in_length = 0;
    watch(l, c, EPOLL_CTL_ADD);
}

void client_join(struct load *l, struct client *c, const char *name)
{
    char text[512];
    int body = (int)strlen(name) + 11;
    int length = snprintf(text, sizeof text,
                          "POST /api/guest HTTP/1.1\r\nHost: localhost\r\n"
                          "Content-Length: %d\r\n\r\n{\"name\":\"%s\"}",
                          body, name);
    c->out_length = 0;
    put(c, text, (size_t)length);
    c->state = CLIENT_JOINING;
    dial(l, c);
}

void client_open(struct load *l, struct client *c)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "GET /socket HTTP/1.1\r\nHost: localhost\r\n"
                          "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Version: 13\r\n%s%s%s\r\n",
                          c->cookie[0] ? "Cookie: " : "", c->cookie,
                          c->cookie[0] ? "\r\n" : "");
    c->out_length = 0;
    put(c, text, (size_t)length);
    c->state = CLIENT_OPENING;
    dial(l, c);
}

void client_close(struct load *l, struct client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    l->open -= c->state == CLIENT_OPEN;
    c->fd = -1;
    c->state = CLIENT_CLOSED;
    free(c->in);
    free(c->out);
    c->in = c->out = NULL;
    c->in_length = c->in_cap = c->out_length = c->out_cap = 0;
}

/* ---- in ---- */

static void take(struct client *c, size_t count)
{
    c->in_length -= count;
    memmove(c->in, c->in + count, c->in_length + 1);
}

/* The answer to the POST: its cookie is all that matters. */
static bool joined(struct load *l, struct client *c)
{
    const char *end = strstr(c->in, "\r\n\r\n");
    char *cookie = strcasestr(c->in, "set-cookie: ");
    if (!end)
        return false;
    if (!cookie || sscanf(cookie + 12, "%63[^;]", c->cookie) != 1) {
        fprintf(stderr, "load: no session: %s\n", c->in);
        exit(1);
    }
    client_close(l, c);
    c->state = CLIENT_JOINED;
    l->joined++;
    return false;
}

static bool opened(struct load *l, struct client *c)
{
    const char *end = strstr(c->in, "\r\n\r\n");
    if (!end)
        return false;
    if (!strstr(c->in, " 101 ")) {
        fprintf(stderr, "load: no socket: %s\n", c->in);
        exit(1);
    }
    take(c, (size_t)(end + 4 - c->in));
    c->state = CLIENT_OPEN;
    l->open++;
    return true;
}

/* One frame, if it is complete. */
static bool frame(struct load *l, struct client *c)
{
    const unsigned char *b = (const unsigned char *)c->in;
    size_t head = 2, length;
    if (c->in_length < 2)
        return false;
    length = b[1] & 127;
    if (length >= 126) {
        size_t bytes = length == 126 ? 2 : 8;
        head += bytes;
        if (c->in_length < head)
            return false;
        length = 0;
        for (size_t i = 0; i < bytes; i++)
            length = length << 8 | b[2 + i];
    }
    if (c->in_length < head + length)
        return false;
    if ((b[0] & 15) == 1) {
        char *text = c->in + head, kept = text[length];
        text[length] = '\0';
        l->on_message(c, text, length);
        if (c->fd < 0)
            return false;
        c->in[head + length] = kept;
    }
    take(c, head + length);
    return true;
}

static bool advance(struct load *l, struct client *c)
{
    switch (c->state) {
    case CLIENT_JOINING:
        return joined(l, c);
    case CLIENT_OPENING:
        return opened(l, c);
    case CLIENT_OPEN:
        return frame(l, c);
    default:
        return false;
    }
}

static void receive(struct load *l, struct client *c)
{
    char bytes[READ_BYTES];
    ssize_t count = recv(c->fd, bytes, sizeof bytes, 0);
    if (count <= 0) {
        if (count < 0 && errno == EAGAIN)
            return;
        client_close(l, c);
        return;
    }
    append(&c->in, &c->in_length, &c->in_cap, bytes, (size_t)count);
    while (c->fd >= 0 && advance(l, c))
        ;
}

void load_pump(struct load *l, int milliseconds)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(l->epoll, events, EVENTS, milliseconds);
    for (int i = 0; i < count; i++) {
        struct client *c = events[i].data.ptr;
        if (c->fd >= 0 && events[i].events & EPOLLOUT)
            flush(l, c);
        if (c->fd >= 0 && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
            receive(l, c);
    }
}
