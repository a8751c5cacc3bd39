/* cli/say.c: messages, one line each. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Quoted input may hold anything; control characters would break the line or
 * drive the terminal. */
static void say_list(const char *format, va_list list)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, list);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    fflush(stdout);
    fprintf(stderr, "terra: %s\n", line);
}

void say(const char *format, ...)
{
    va_list list;
    const char *words = tr(format);
    va_start(list, format);
    say_list(words, list);
    va_end(list);
}

void die(int status, const char *format, ...)
{
    va_list list;
    const char *words = tr(format);
    va_start(list, format);
    say_list(words, list);
    va_end(list);
    exit(status);
}

static bool setup_fault(int code)
{
    return code == FAULT_SEATS || code == FAULT_OPTION || code == FAULT_VALUE ||
           code == FAULT_GIVEN;
}

int say_fault(const struct game *game, const char *where, const struct fault *f)
{
    char place[64] = "", reason[512];
    if (f->line > 0 && f->column > 0)
        snprintf(place, sizeof place, "%d:%d: ", f->line, f->column);
    else if (f->line > 0)
        snprintf(place, sizeof place, "%d: ", f->line);
    else if (f->column > 0)
        snprintf(place, sizeof place, tr("column %d: "), f->column);
    speak_fault(game, f, reason, sizeof reason);
    bool spaced = !where || f->line <= 0;
    say("%s%s%s%s%s", where ? where : "", where ? ":" : "",
        where && spaced ? " " : "", place, reason);
    return setup_fault(f->code) && f->line <= 0 ? STATUS_USAGE : STATUS_CONTENT;
}

bool colour_on(FILE *to)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(to)) && !(no && *no) &&
           !(term && strcmp(term, "dumb") == 0);
}
