/* server/serve.c: the command `terra serve`. */
#include "server/serve.h"

#include "base/text.h"
#include "server/files.h"
#include "server/http.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

static const char usage[] =
    "usage: terra serve [--port N] [--root FOLDER] [--local]\n"
    "  --port N       listen on this port (8080)\n"
    "  --root FOLDER  the built client (found beside the program)\n"
    "  --local        answer this machine only\n";

struct request {
    int port;
    const char *root;
    bool local, help;
};

static int refuse(const char *what, const char *subject)
{
    fprintf(stderr, "terra: %s '%s'; 'terra serve --help' tells more\n", what,
            subject);
    return 2;
}

static int read_port(const char *text, int *port)
{
    long number;
    if (!text || !span_int(span_of(text), 1, 65535, &number))
        return refuse("a port is a number from 1 to 65535, not",
                      text ? text : "");
    *port = (int)number;
    return 0;
}

static int read_request(int argc, char **argv, struct request *r)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            r->help = true;
        else if (strcmp(argv[i], "--local") == 0)
            r->local = true;
        else if (strcmp(argv[i], "--root") == 0 && value)
            r->root = argv[++i];
        else if (strcmp(argv[i], "--port") == 0) {
            if (read_port(value, &r->port))
                return 2;
            i++;
        } else
            return refuse("unknown or incomplete option", argv[i]);
    }
    return 0;
}

/* The client as built in the source tree or as installed, seen from the
 * program's own folder. */
static const char *find_root(char *to, size_t cap)
{
    static const char *const places[] = {"../../web/dist", "../web/dist",
                                         "../share/terrarium/web"};
    char program[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return "web/dist";
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int used = snprintf(to, cap, "%s/%s", program, places[i]);
        if (used > 0 && (size_t)used < cap && access(to, R_OK) == 0)
            return to;
    }
    return "web/dist";
}

int serve_main(int argc, char **argv)
{
    struct request r = {.port = 8080};
    char place[PATH_BYTES + 64], why[256] = "";
    int wrong = read_request(argc, argv, &r);
    if (wrong)
        return wrong;
    if (r.help) {
        fputs(usage, stdout);
        return 0;
    }
    struct files files;
    if (!files_load(&files, r.root ? r.root : find_root(place, sizeof place),
                    why, sizeof why)) {
        fprintf(stderr, "terra serve: %s\n", why);
        files_release(&files);
        return 1;
    }
    struct http_settings settings = {.port = r.port,
                                     .interface_name = r.local ? "lo" : NULL,
                                     .files = &files,
                                     .quiet = true};
    struct http *http = http_open(&settings, why, sizeof why);
    if (!http) {
        fprintf(stderr, "terra serve: %s\n", why);
        files_release(&files);
        return 1;
    }
    printf("Terrarium is ready: http://localhost:%d/\n", r.port);
    fflush(stdout);
    http_run(http);
    http_close(http);
    files_release(&files);
    return 0;
}
