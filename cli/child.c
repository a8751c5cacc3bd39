/* cli/child.c: talking to a program that may hang, die or cheat. */
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-*): pipe2()
#include "cli/child.h"

#include "base/text.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 16 }; /* no honest line is longer */

const char *const child_faults[] = {"good", TR("died"), TR("hung"),
                                    TR("cheated")};

struct child {
    struct child_limits limits;
    pid_t pid;
    int to, from; /* its standard input and output */
    bool greeted;
    char in[ROOM];
    size_t have; /* bytes in `in` */
    size_t used; /* of them, the line that was handed out */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the process ---- */

/* In a group of its own, so that its children end with it; and it ends with
 * us. */
static _Noreturn void become(const char *command, int from, int to)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    dup2(from, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

struct child *child_open(const char *command, const struct child_limits *l)
{
    int to[2], from[2];
    struct child *c = need(calloc(1, sizeof *c));
    c->limits = *l;
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        die(STATUS_CONTENT, "no pipe for an engine: %s", strerror(errno));
    signal(SIGPIPE, SIG_IGN); /* writing to the dead fails instead */
    c->pid = fork();
    if (c->pid < 0)
        die(STATUS_CONTENT, "cannot start an engine: %s", strerror(errno));
    if (c->pid == 0)
        become(command, to[0], from[1]);
    setpgid(c->pid, c->pid); /* whoever is first */
    close(to[0]);
    close(from[1]);
    c->to = to[1];
    c->from = from[0];
    fcntl(c->to, F_SETFL, O_NONBLOCK);
    fcntl(c->from, F_SETFL, O_NONBLOCK);
    return c;
}

void child_close(struct child *c)
{
    if (!c)
        return;
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(c->to);
    close(c->from);
    free(c);
}

/* ---- lines ---- */

/* Waits until the pipe is ready for `events`. */
static enum child_fault await(int pipe, short events, int64_t deadline)
{
    for (;;) {
        struct pollfd p = {.fd = pipe, .events = events};
        int64_t left = deadline - now_ms();
        if (left <= 0)
            return CHILD_HUNG;
        int ready = poll(&p, 1, left > 1000 ? 1000 : (int)left);
        if (ready > 0)
            return CHILD_GOOD;
        if (ready < 0 && errno != EINTR)
            return CHILD_DIED;
    }
}

static enum child_fault send_text(const struct child *c, const char *text,
                                  size_t length, int64_t deadline)
{
    while (length > 0) {
        ssize_t sent = write(c->to, text, length);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return CHILD_DIED;
        if (sent < 0) {
            enum child_fault fault = await(c->to, POLLOUT, deadline);
            if (fault)
                return fault;
            continue;
        }
        text += sent;
        length -= (size_t)sent;
    }
    return CHILD_GOOD;
}

/* The next line, ended by NUL, until the next call. */
static enum child_fault receive(struct child *c, char **line, int64_t deadline)
{
    memmove(c->in, c->in + c->used, c->have - c->used);
    c->have -= c->used;
    c->used = 0;
    for (;;) {
        char *end = memchr(c->in, '\n', c->have);
        if (end) {
            *end = '\0';
            c->used = (size_t)(end - c->in) + 1;
            *line = c->in;
            return CHILD_GOOD;
        }
        if (c->have == ROOM)
            return CHILD_CHEATED;
        enum child_fault fault = await(c->from, POLLIN, deadline);
        if (fault)
            return fault;
        ssize_t got = read(c->from, c->in + c->have, ROOM - c->have);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return CHILD_DIED;
        c->have += got > 0 ? (size_t)got : 0;
    }
}

/* Waits for a line that begins with `word` and a blank; a line "error ..."
 * comes back instead of it. */
static enum child_fault expect(struct child *c, const char *word, char **rest,
                               int64_t deadline)
{
    size_t length = strlen(word);
    for (;;) {
        char *line;
        enum child_fault fault = receive(c, &line, deadline);
        if (fault)
            return fault;
        *rest = line;
        if (strncmp(line, "error", 5) == 0)
            return CHILD_CHEATED;
        if (strncmp(line, word, length) == 0 &&
            (line[length] == ' ' || !line[length])) {
            *rest = line + length + (line[length] == ' ');
            return CHILD_GOOD;
        }
    }
}

/* ---- the conversation ---- */

static enum child_fault greet(struct child *c, const struct match *m,
                              char **said)
{
    char hello[128];
    int64_t deadline = now_ms() + c->limits.begin_ms;
    int length =
        snprintf(hello, sizeof hello, "hello 1 %s\n", match_game(m)->name);
    enum child_fault fault = send_text(c, hello, (size_t)length, deadline);
    if (!fault)
        fault = expect(c, "ok", said, deadline);
    c->greeted = !fault;
    return fault;
}

/* The match as the seat knows it, then go; owned by the caller. */
static char *question(const struct child *c, const struct match *m, int seat,
                      size_t *length)
{
    struct buffer b = {0};
    char *text = NULL;
    const struct record_format *format = match_format(match_game(m), NULL);
    while (buffer_short(
        &b, match_write(m, format, match_count(m), seat, b.to, b.cap)))
        ;
    int lines = 0;
    for (const char *at = b.to; *at; at++)
        lines += *at == '\n';
    FILE *to = need(open_memstream(&text, length));
    fprintf(to, "record %d\n%sgo seat %d", lines, b.to, seat + 1);
    if (c->limits.nodes)
        fprintf(to, " nodes %d", c->limits.nodes);
    if (c->limits.movetime_ms)
        fprintf(to, " movetime %d", c->limits.movetime_ms);
    fprintf(to, "\n");
    fclose(to);
    buffer_release(&b);
    return text;
}

static bool is_legal(const struct match *m, int seat, action a)
{
    action legal[GAME_ACTIONS];
    int count =
        match_game(m)->legal(match_world(m), match_state(m), seat, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == a)
            return true;
    return false;
}

static enum child_fault read_best(const struct match *m, int seat,
                                  const char *text, action *out, char *why,
                                  size_t cap)
{
    struct fault f = {0};
    size_t used = 0, bad;
    char reason[256];
    snprintf(reason, sizeof reason, "%s", tr("not legal"));
    const struct game *game = match_game(m);
    if (!span_utf8(span_of(text), &bad)) {
        snprintf(why, cap, "%s", tr("its best action is no text"));
        return CHILD_CHEATED;
    }
    bool good = game->read_action(match_world(m), match_state(m), seat, text,
                                  out, &used, &f);
    if (!good)
        speak_fault(game, &f, reason, sizeof reason);
    else if (used > 0 && text[used + strspn(text + used, " \t\r")])
        snprintf(reason, sizeof reason, "%s", tr("more than one action"));
    else if (is_legal(m, seat, *out))
        return CHILD_GOOD;
    snprintf(why, cap, "'%.60s': %s", text, reason);
    return CHILD_CHEATED;
}

static void explain(enum child_fault fault, const struct child *c,
                    const char *said, char *why, size_t cap)
{
    if (fault == CHILD_HUNG)
        snprintf(why, cap, tr("no answer in %d ms"),
                 c->greeted ? c->limits.movetime_ms + c->limits.grace_ms
                            : c->limits.begin_ms);
    else if (fault == CHILD_DIED)
        snprintf(why, cap, "%s", tr("it ended, or closed its output"));
    else if (said)
        snprintf(why, cap, tr("it said '%.100s'"), said);
    else
        snprintf(why, cap, tr("a line of more than %d bytes"), ROOM);
}

enum child_fault child_choose(struct child *c, const struct match *m, int seat,
                              action *out, char *why, size_t cap)
{
    char *said = NULL;
    size_t length;
    enum child_fault fault = c->greeted ? CHILD_GOOD : greet(c, m, &said);
    if (!fault) {
        char *text = question(c, m, seat, &length);
        int64_t deadline =
            now_ms() + c->limits.movetime_ms + c->limits.grace_ms;
        said = NULL;
        fault = send_text(c, text, length, deadline);
        free(text);
        if (!fault)
            fault = expect(c, "best", &said, deadline);
    }
    if (fault) {
        explain(fault, c, said, why, cap);
        return fault;
    }
    return read_best(m, seat, said, out, why, cap);
}
