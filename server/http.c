/* server/http.c: the web server on libwebsockets with the libuv loop.
 *
 * Files come from memory and leave in chunks, one write per writeable
 * callback.  With libuv the library catches SIGINT and SIGTERM itself: the
 * signal callback destroys the context, which ends the loop in http_run(), and
 * a second call then frees it. */
#include "server/lws.h"

#include "base/text.h"
#include "server/feed.h"
#include "server/trouble.h"

#include <libintl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    CHUNK = 16384,
    HEADER_BYTES = 4096,
    PAGE_BYTES = 2048,
    FAREWELL_MS = 300,
    SEND_BYTES = 1 << 20, /* otherwise a message leaves in 4 KB pieces */
    DOWNLOAD_SECONDS = 60 /* without any byte taken */
};

#define LENGTH_UNKNOWN ((size_t)-1)

struct http *http_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static const struct {
    const char *name, *value;
} safety[] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
     "style-src 'self'; style-src-attr 'unsafe-inline'; "
     "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
     "worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
     "form-action 'self'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"referrer-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"permissions-policy:", "camera=(), microphone=(), geolocation=()"},
};

/* ---- headers ---- */

struct headers {
    struct lws *wsi;
    unsigned char *at, *end;
    bool failed;
};

static void add(struct headers *h, const char *name, const char *value)
{
    h->failed |=
        lws_add_http_header_by_name(h->wsi, (const unsigned char *)name,
                                    (const unsigned char *)value,
                                    (int)strlen(value), &h->at, h->end) != 0;
}

static void add_safety(struct headers *h)
{
    for (size_t i = 0; i < sizeof safety / sizeof safety[0]; i++)
        add(h, safety[i].name, safety[i].value);
}

/* HTTP/2 says itself where a body of unknown length ends. */
static bool chunked(struct lws *wsi)
{
    return lws_get_network_wsi(wsi) == wsi;
}

/* Sends status line and headers; `extra` may add more before the length. */
static bool send_headers(struct lws *wsi, unsigned status, const char *type,
                         size_t length, const char *const *extra)
{
    unsigned char buffer[LWS_PRE + HEADER_BYTES], *start = buffer + LWS_PRE;
    struct headers h = {wsi, start, buffer + sizeof buffer - 1, false};
    h.failed |= lws_add_http_header_status(wsi, status, &h.at, h.end) != 0;
    if (type)
        add(&h, "content-type:", type);
    for (; extra && extra[0]; extra += 2)
        add(&h, extra[0], extra[1]);
    add_safety(&h);
    if (length == LENGTH_UNKNOWN && chunked(wsi))
        add(&h, "transfer-encoding:", "chunked");
    else if (status != HTTP_STATUS_NOT_MODIFIED && length != LENGTH_UNKNOWN)
        h.failed |=
            lws_add_http_header_content_length(wsi, length, &h.at, h.end) != 0;
    return !h.failed &&
           lws_finalize_write_http_header(wsi, start, &h.at, h.end) == 0;
}

bool http_header(struct lws *wsi, enum lws_token_indexes token, char *to,
                 size_t cap)
{
    return lws_hdr_total_length(wsi, token) > 0 &&
           lws_hdr_copy(wsi, to, (int)cap, token) > 0;
}

/* ---- answers ---- */

static int done(struct lws *wsi)
{
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* Begins the body, or ends the answer at once if there is none to send. */
static int begin_body(struct lws *wsi, struct answer *a, bool head)
{
    if (head || a->size == 0)
        return done(wsi);
    lws_callback_on_writable(wsi);
    return 0;
}

/* A page that says what went wrong and where to go instead. */
static int answer_trouble(struct lws *wsi, struct answer *a, enum trouble t,
                          const char *path, bool head)
{
    char accepts[256];
    bool says = http_header(wsi, WSI_TOKEN_HTTP_ACCEPT_LANGUAGE, accepts,
                            sizeof accepts);
    const char *language = trouble_language(says ? accepts : NULL);
    const char *extra[] = {"cache-control:",    "no-store", "allow:",
                           "GET, HEAD",         "vary:",    "accept-language",
                           "content-language:", language,   NULL};
    free(a->own);
    a->own = sure(malloc(PAGE_BYTES));
    a->data = a->own;
    a->size = trouble_page(t, language, path, (char *)a->own, PAGE_BYTES);
    a->sent = 0;
    if (!send_headers(wsi, trouble_status(t), "text/html; charset=utf-8",
                      a->size, extra))
        return -1;
    return begin_body(wsi, a, head);
}

static int answer_file(struct lws *wsi, struct answer *a,
                       const struct file *file, bool head)
{
    static const char *const codings[ENCODINGS] = {"identity", "gzip", "br"};
    char accepts[256], known[64];
    bool says = http_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepts,
                            sizeof accepts);
    enum encoding e = files_choose(file, says ? accepts : NULL);
    const char *extra[] = {"cache-control:",
                           files_cache(file->path),
                           "etag:",
                           file->etag,
                           "vary:",
                           "accept-encoding",
                           NULL,
                           NULL,
                           NULL};
    if (http_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, known, sizeof known) &&
        strstr(known, file->etag)) {
        if (!send_headers(wsi, HTTP_STATUS_NOT_MODIFIED, NULL, 0, extra))
            return -1;
        return done(wsi);
    }
    if (e != ENCODING_NONE) {
        extra[6] = "content-encoding:";
        extra[7] = codings[e];
    }
    a->data = file->content[e].data;
    a->size = file->content[e].size;
    a->sent = 0;
    if (!send_headers(wsi, HTTP_STATUS_OK, files_type(file->path), a->size,
                      extra))
        return -1;
    return begin_body(wsi, a, head);
}

/* ---- what the hub answers ---- */

static int answer_text(struct lws *wsi, struct answer *a, unsigned status,
                       const char *type, struct out *text, bool head)
{
    static const char *const extra[] = {"cache-control:", "no-store", NULL};
    free(a->own);
    a->own = (unsigned char *)text->text;
    a->data = a->own;
    a->size = text->length;
    a->sent = 0;
    if (!send_headers(wsi, status, type, a->size, extra))
        return -1;
    return begin_body(wsi, a, head);
}

static int answer_health(struct lws *wsi, struct answer *a, bool head)
{
    struct http *h = http_of(wsi);
    struct out o = {0};
    bool good = h->hub && !h->stopping;
    out_put(&o, good ? "{\"ok\":true}\n" : "{\"ok\":false}\n");
    return answer_text(wsi, a, good ? 200 : 503, "application/json", &o, head);
}

static bool local(struct lws *wsi)
{
    char address[64];
    peer_address(wsi, address, sizeof address);
    bool forwarded = lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0;
    return !forwarded && address_local(address);
}

/* Pages that are made anew for every request; -2: none of them. */
static int answer_made(struct lws *wsi, struct answer *a, const char *path,
                       bool head)
{
    struct http *h = http_of(wsi);
    struct out o = {0};
    if (strcmp(path, "/health") == 0)
        return answer_health(wsi, a, head);
    if (!h->hub)
        return -2;
    if (strcmp(path, "/metrics") == 0 && (h->set.open_metrics || local(wsi))) {
        hub_metrics(h->hub, &o);
        return answer_text(wsi, a, 200, "text/plain; version=0.0.4", &o, head);
    }
    if (strncmp(path, "/feed/", 6) == 0 && feed_write(h->hub, path + 6, &o))
        return answer_text(wsi, a, 200, "application/atom+xml", &o, head);
    out_release(&o);
    return -2;
}

/* ---- downloads ---- */

static void on_more(void *context)
{
    const struct connection *c = context;
    lws_callback_on_writable(c->wsi);
}

/* -2: nothing to be had there. */
static int begin_download(struct lws *wsi, struct connection *c,
                          const char *path, bool head)
{
    struct http *h = http_of(wsi);
    if (!h->hub || h->stopping)
        return -2;
    struct download *d = download_open(h->hub, path, on_more, c);
    if (!d)
        return -2;
    connection_clear(h, c);
    c->wsi = wsi;
    c->download = d;
    c->only_head = head;
    c->begun = false;
    if (h->hub->downloads > DOWNLOADS_MAX) {
        connection_clear(h, c);
        return answer_trouble(wsi, &c->answer, TROUBLE_BUSY, path, head);
    }
    lws_callback_on_writable(wsi);
    return 0;
}

/* The headers, as soon as it is known whether there is something. */
static int head_of_download(struct lws *wsi, struct connection *c)
{
    static const char *const extra[] = {"cache-control:", "no-cache", NULL};
    struct http *h = http_of(wsi);
    bool head = c->only_head;
    if (download_state(c->download) == DOWNLOAD_UNKNOWN)
        return 0;
    if (download_state(c->download) == DOWNLOAD_NOT_THERE) {
        char path[64];
        snprintf(path, sizeof path, "%s", download_path(c->download));
        connection_clear(h, c);
        return answer_trouble(wsi, &c->answer, TROUBLE_MISSING, path, head);
    }
    if (!send_headers(wsi, HTTP_STATUS_OK, "text/plain; charset=utf-8",
                      LENGTH_UNKNOWN, extra))
        return -1;
    c->begun = true;
    if (head) {
        connection_clear(h, c);
        return done(wsi);
    }
    lws_callback_on_writable(wsi);
    return 0;
}

/* One piece, in the form the protocol wants; of size 0: the end. */
static bool send_piece(struct lws *wsi, const char *text, size_t size)
{
    unsigned char buffer[LWS_PRE + CHUNK + 16], *start = buffer + LWS_PRE;
    int head = 0;
    size_t length = size;
    if (chunked(wsi))
        head = snprintf((char *)start, 12, "%zx\r\n", size);
    memcpy(start + head, text, size);
    if (chunked(wsi)) {
        memcpy(start + (size_t)head + size, "\r\n", 2);
        length += (size_t)head + 2;
    }
    return lws_write(wsi, start, length,
                     size ? LWS_WRITE_HTTP : LWS_WRITE_HTTP_FINAL) >= 0;
}

static int on_download(struct lws *wsi, struct connection *c)
{
    if (!c->begun)
        return head_of_download(wsi, c);
    struct out *text = download_read(c->download);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, DOWNLOAD_SECONDS);
    if (!text) {
        bool good = send_piece(wsi, "", 0);
        connection_clear(http_of(wsi), c);
        return good ? done(wsi) : -1;
    }
    if (text->length == 0) {
        download_next(c->download);
        return 0;
    }
    size_t size = text->length < CHUNK ? text->length : CHUNK;
    if (!send_piece(wsi, text->text, size))
        return -1;
    text->length -= size;
    memmove(text->text, text->text + size, text->length);
    lws_callback_on_writable(wsi);
    return 0;
}

/* ---- requests ---- */

/* A command by POST; its body is still to come. */
static int on_command(struct lws *wsi, struct connection *c, const char *path)
{
    if (!socket_same_origin(wsi))
        return answer_trouble(wsi, &c->answer, TROUBLE_FOREIGN, path, false);
    if (strlen(path + 5) >= sizeof c->command || !socket_open(wsi, c, false))
        return answer_trouble(wsi, &c->answer, TROUBLE_COMMAND, path, false);
    snprintf(c->command, sizeof c->command, "%s", path + 5);
    c->body_length = 0;
    c->too_long = false;
    return 0;
}

static int on_body(struct lws *wsi, struct connection *c)
{
    struct http *h = http_of(wsi);
    if (!c->link)
        return 0;
    if (c->too_long) {
        static const char text[] =
            "{\"error\":{\"name\":\"message\",\"phrase\":\"too long\"}}";
        c->link->status = 413;
        http_transport.send(c->link, text, strlen(text));
        return 0;
    }
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 60);
    hub_message(h->hub, c->link, c->command, c->body ? c->body : "",
                c->body_length);
    http_schedule(h);
    return 0;
}

static int on_request(struct lws *wsi, struct connection *c, const char *uri)
{
    const struct http *h = http_of(wsi);
    struct answer *a = &c->answer;
    bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s", uri) >= sizeof path)
        return answer_trouble(wsi, a, TROUBLE_LONG, "", head);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 && h->hub &&
        strncmp(path, "/api/", 5) == 0)
        return on_command(wsi, c, path);
    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return answer_trouble(wsi, a, TROUBLE_METHOD, path, head);
    int made = answer_made(wsi, a, path, head);
    if (made != -2)
        return made;
    made = begin_download(wsi, c, path, head);
    if (made != -2)
        return made;
    const struct file *file = files_find(h->set.files, path);
    if (file)
        return answer_file(wsi, a, file, head);
    return answer_trouble(wsi, a, TROUBLE_MISSING, path, head);
}

/* The headers of a command's answer, which only now is known. */
static int send_reply_headers(struct lws *wsi, struct connection *c)
{
    const char *extra[] = {"cache-control:", "no-store", NULL, NULL, NULL};
    if (c->link && c->link->cookie[0]) {
        extra[2] = "set-cookie:";
        extra[3] = c->link->cookie;
    }
    unsigned status = c->link ? (unsigned)c->link->status : 200;
    bool good =
        send_headers(wsi, status, c->answer.type, c->answer.size, extra);
    c->answer.type = NULL;
    if (!good)
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_writeable(struct lws *wsi, struct connection *c)
{
    struct answer *a = &c->answer;
    if (c->download)
        return on_download(wsi, c);
    if (a->data && a->type)
        return send_reply_headers(wsi, c);
    if (!a->data || a->sent >= a->size)
        return 0;
    unsigned char buffer[LWS_PRE + CHUNK];
    size_t left = a->size - a->sent;
    size_t size = left < CHUNK ? left : CHUNK;
    bool last = size == left;
    memcpy(buffer + LWS_PRE, a->data + a->sent, size);
    if (lws_write(wsi, buffer + LWS_PRE, size,
                  last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    a->sent += size;
    if (last) {
        connection_clear(http_of(wsi), c);
        return done(wsi);
    }
    lws_callback_on_writable(wsi);
    return 0;
}

/* ---- time ---- */

static void on_signal(void *handle, int signal);

static void on_timer(lws_sorted_usec_list_t *timer)
{
    struct http *h = lws_container_of(timer, struct http, timer);
    h->timer_at = 0;
    hub_collect(h->hub);
    int64_t ms = hub_tick(h->hub);
    if (h->hub->lost && !h->stopping)
        on_signal(NULL, 0);
    h->timer_at = hub_now(h->hub) + ms;
    lws_sul_schedule(h->context, 0, &h->timer, on_timer, ms * LWS_US_PER_MS);
}

void http_schedule(struct http *h)
{
    int64_t due = h->hub->flush_at;
    if (!due || (h->timer_at && h->timer_at <= due))
        return;
    int64_t now = hub_now(h->hub), ms = due > now ? due - now : 1;
    h->timer_at = now + ms;
    lws_sul_schedule(h->context, 0, &h->timer, on_timer, ms * LWS_US_PER_MS);
}

static void on_wake(struct http *h)
{
    if (!h->hub)
        return;
    hub_collect(h->hub);
    http_schedule(h);
}

void http_wake(void *http)
{
    struct http *h = http;
    pthread_mutex_lock(&h->lock);
    if (h->wakeable)
        lws_cancel_service(h->wakeable);
    pthread_mutex_unlock(&h->lock);
}

static int on_established(struct lws *wsi, struct connection *c)
{
    memset(c, 0, sizeof *c);
    return socket_open(wsi, c, true) ? 0 : -1;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t length)
{
    struct connection *c = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(wsi, c, in);
    case LWS_CALLBACK_HTTP_BODY:
        if (c->link)
            socket_collect(c, in, length);
        return 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_body(wsi, c);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return on_writeable(wsi, c);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return socket_same_origin(wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return on_established(wsi, c);
    case LWS_CALLBACK_RECEIVE:
        return socket_receive(wsi, c, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket_writeable(wsi, c);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (c)
            connection_clear(http_of(wsi), c);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        on_wake(lws_context_user(lws_get_context(wsi)));
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

/* ---- the loop ---- */

static const struct lws_protocols protocols[] = {
    {.name = "http",
     .callback = on_event,
     .per_session_data_size = sizeof(struct connection),
     .rx_buffer_size = 4096,
     .tx_packet_size = SEND_BYTES},
    {.name = NULL},
};

/* The library tells a signal callback nothing but the signal. */
static struct http *running;

static void end(struct http *h)
{
    pthread_mutex_lock(&h->lock);
    h->wakeable = NULL;
    pthread_mutex_unlock(&h->lock);
    lws_sul_cancel(&h->timer);
    lws_context_destroy(h->context);
}

static void on_last(lws_sorted_usec_list_t *last)
{
    end(lws_container_of(last, struct http, last));
}

/* What was begun is stored and its answers get a moment to leave. */
static void on_signal(void *handle, int signal)
{
    struct http *h = running;
    (void)handle;
    (void)signal;
    if (!h->hub || h->stopping) {
        end(h);
        return;
    }
    h->stopping = true;
    hub_stop(h->hub);
    lws_sul_schedule(h->context, 0, &h->last, on_last,
                     FAREWELL_MS * LWS_US_PER_MS);
}

/* As many connections as the system allows. */
static void raise_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

struct http *http_open(const struct http_settings *settings, char *why,
                       size_t cap)
{
    lws_set_log_level(0, NULL); /* a failure is told in `why`, once */
    struct http *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->set = *settings;
    pthread_mutex_init(&h->lock, NULL);
    raise_limit();
    static const lws_retry_bo_t idle = {.secs_since_valid_ping = 25,
                                        .secs_since_valid_hangup = 40};
    struct lws_context_creation_info info = {
        .port = settings->port,
        .iface = settings->interface_name,
        .protocols = protocols,
        .user = h,
        .server_string = "terrarium",
        .signal_cb = on_signal,
        .keepalive_timeout = 30,
        .timeout_secs = 10,
        /* Requests read at one time; one more waits until another is done or
         * timed out, so that the slow must not fill it.  Each costs 6 KB. */
        .max_http_header_pool = 4096,
        .retry_and_idle_policy = &idle,
        .ssl_cert_filepath = settings->certificate,
        .ssl_private_key_filepath = settings->key,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    };
    if (settings->certificate)
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    h->context = lws_create_context(&info);
    h->vhost = h->context ? lws_create_vhost(h->context, &info) : NULL;
    if (!h->vhost && h->context) {
        lws_context_destroy(h->context);
        h->context = NULL;
    }
    if (!h->context) {
        snprintf(why, cap,
                 gettext("cannot listen on port %d of '%s'; is it in use? try "
                         "--port"),
                 settings->port,
                 settings->interface_name ? settings->interface_name : "*");
        free(h);
        return NULL;
    }
    if (!settings->quiet)
        lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
    h->wakeable = h->context;
    return h;
}

int http_port(const struct http *h)
{
    return lws_get_vhost_listen_port(h->vhost);
}

void http_attach(struct http *h, struct hub *hub)
{
    h->hub = hub;
    lws_sul_schedule(h->context, 0, &h->timer, on_timer, 1);
}

void http_run(struct http *h)
{
    running = h;
    lws_service(h->context, 0);
}

void http_close(struct http *h)
{
    if (!h)
        return;
    lws_context_destroy(h->context);
    pthread_mutex_destroy(&h->lock);
    free(h);
}
