/* server/http.c: the web server on libwebsockets with the libuv loop.
 *
 * Files come from memory and leave in chunks, one write per writeable
 * callback.  With libuv the library catches SIGINT and SIGTERM itself: the
 * signal callback destroys the context, which ends the loop in http_run(), and
 * a second call then frees it. */
#include "server/http.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384, HEADER_BYTES = 4096, PATH_BYTES = 512 };

struct http {
    struct lws_context *context; /* owned */
    const struct files *files;   /* borrowed */
};

/* One answer on its way out; lives in the connection. */
struct answer {
    const unsigned char *data; /* borrowed, or `page` */
    size_t size, sent;
    char page[1024];
};

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
    if (status != HTTP_STATUS_NOT_MODIFIED)
        h.failed |=
            lws_add_http_header_content_length(wsi, length, &h.at, h.end) != 0;
    return !h.failed &&
           lws_finalize_write_http_header(wsi, start, &h.at, h.end) == 0;
}

static bool header_text(struct lws *wsi, enum lws_token_indexes token, char *to,
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

/* The few characters of a path that mean something in HTML. */
static void escape(const char *from, char *to, size_t cap)
{
    size_t used = 0;
    for (; *from && used + 7 < cap; from++) {
        const char *safe = *from == '<'   ? "&lt;"
                           : *from == '>' ? "&gt;"
                           : *from == '&' ? "&amp;"
                                          : NULL;
        if (!safe) {
            to[used++] = *from;
            continue;
        }
        memcpy(to + used, safe, strlen(safe));
        used += strlen(safe);
    }
    to[used] = '\0';
}

/* A page that says what went wrong and where to go instead. */
static int answer_error(struct lws *wsi, struct answer *a, unsigned status,
                        const char *title, const char *path, const char *help,
                        bool head)
{
    char safe[256];
    escape(path, safe, sizeof safe);
    int length =
        snprintf(a->page, sizeof a->page,
                 "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                 "<meta name=\"viewport\" content=\"width=device-width\">"
                 "<title>%s</title><h1>%s</h1><p><code>%s</code></p><p>%s</p>"
                 "<p><a href=\"/\">Go to the start page</a></p></html>\n",
                 title, title, safe, help);
    static const char *const extra[] = {"cache-control:", "no-store",
                                        "allow:", "GET, HEAD", NULL};
    a->data = (const unsigned char *)a->page;
    a->size =
        (size_t)length < sizeof a->page ? (size_t)length : sizeof a->page - 1;
    a->sent = 0;
    if (!send_headers(wsi, status, "text/html; charset=utf-8", a->size, extra))
        return -1;
    return begin_body(wsi, a, head);
}

static int answer_file(struct lws *wsi, struct answer *a,
                       const struct file *file, bool head)
{
    static const char *const codings[ENCODINGS] = {"identity", "gzip", "br"};
    char accepts[256], known[64];
    bool says = header_text(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepts,
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
    if (header_text(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, known, sizeof known) &&
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

static int on_request(struct lws *wsi, struct answer *a, const char *uri)
{
    const struct http *h = lws_context_user(lws_get_context(wsi));
    bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s", uri) >= sizeof path)
        return answer_error(wsi, a, 414, "Address too long", "",
                            "No page here has so long an address.", head);
    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return answer_error(wsi, a, HTTP_STATUS_METHOD_NOT_ALLOWED,
                            "Method not allowed", path,
                            "This server answers GET and HEAD.", head);
    const struct file *file = files_find(h->files, path);
    if (file)
        return answer_file(wsi, a, file, head);
    return answer_error(wsi, a, HTTP_STATUS_NOT_FOUND, "Page not found", path,
                        "Nothing has this address. If you typed it, check the "
                        "spelling; a shared game begins with /#.",
                        head);
}

static int on_writeable(struct lws *wsi, struct answer *a)
{
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
    if (last)
        return done(wsi);
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return on_writeable(wsi, user);
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

/* ---- the loop ---- */

static const struct lws_protocols protocols[] = {
    {.name = "http",
     .callback = on_event,
     .per_session_data_size = sizeof(struct answer)},
    {.name = NULL},
};

/* The library tells a signal callback nothing but the signal. */
static struct lws_context *running;

static void on_signal(void *handle, int signal)
{
    (void)handle;
    (void)signal;
    lws_context_destroy(running);
}

struct http *http_open(const struct http_settings *settings, char *why,
                       size_t cap)
{
    lws_set_log_level(0, NULL); /* a failure is told in `why`, once */
    struct http *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->files = settings->files;
    struct lws_context_creation_info info = {
        .port = settings->port,
        .iface = settings->interface_name,
        .protocols = protocols,
        .user = h,
        .server_string = "terrarium",
        .signal_cb = on_signal,
        .keepalive_timeout = 30,
        .options = LWS_SERVER_OPTION_LIBUV |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    };
    h->context = lws_create_context(&info);
    if (!h->context) {
        snprintf(why, cap, "cannot listen on port %d; is it in use? try --port",
                 settings->port);
        free(h);
        return NULL;
    }
    if (!settings->quiet)
        lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
    return h;
}

void http_run(struct http *h)
{
    running = h->context;
    lws_service(h->context, 0);
}

void http_close(struct http *h)
{
    if (!h)
        return;
    lws_context_destroy(h->context);
    free(h);
}
