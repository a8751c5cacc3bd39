/* cli/file.c: memory and files. */
#include "cli/cli.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 64 << 20 };

void *need(void *memory)
{
    if (!memory)
        die(STATUS_CONTENT, "out of memory");
    return memory;
}

bool buffer_short(struct buffer *b, int needed)
{
    if (needed < 0 || (size_t)needed < b->cap)
        return false;
    b->cap = (size_t)needed + 1;
    b->to = need(realloc(b->to, b->cap));
    return true;
}

void buffer_release(struct buffer *b)
{
    free(b->to);
    *b = (struct buffer){0};
}

static char *read_all(FILE *from, const char *name, size_t *length)
{
    size_t cap = 1 << 16, have = 0;
    char *text = need(malloc(cap));
    for (;;) {
        have += fread(text + have, 1, cap - 1 - have, from);
        if (have < cap - 1 || cap > FILE_LIMIT)
            break;
        cap *= 2;
        text = need(realloc(text, cap));
    }
    if (ferror(from) || !feof(from)) {
        say("cannot read '%s': %s", name,
            ferror(from) ? strerror(errno) : "more than 64 MB");
        free(text);
        return NULL;
    }
    text[have] = '\0';
    *length = have;
    return text;
}

static char *read_named(const char *name, size_t *length)
{
    FILE *from = fopen(name, "rb");
    if (!from) {
        say("cannot read '%s': %s", name, strerror(errno));
        return NULL;
    }
    char *text = read_all(from, name, length);
    fclose(from);
    return text;
}

/* A map can be a folder with two tables.  As one text it begins with its name,
 * and the name of each table stands before its rows. */
static const char *const parts[] = {"places", "legs", NULL};

static bool is_map(const char *name)
{
    char part[4096];
    for (int i = 0; parts[i]; i++)
        if (snprintf(part, sizeof part, "%s/%s.tsv", name, parts[i]) >=
                (int)sizeof part ||
            access(part, F_OK) != 0)
            return false;
    return true;
}

static char *read_map(const char *name, size_t *length)
{
    char part[4096], *whole = NULL, *path = need(strdup(name));
    FILE *to = need(open_memstream(&whole, length));
    bool good = true;
    fprintf(to, "map %s\n", basename(path));
    for (int i = 0; parts[i]; i++) {
        size_t size;
        snprintf(part, sizeof part, "%s/%s.tsv", name, parts[i]);
        char *text = read_named(part, &size);
        good = text != NULL;
        if (!good)
            break;
        fprintf(to, "%s\n", parts[i]);
        fwrite(text, 1, size, to);
        free(text);
    }
    fclose(to);
    free(path);
    if (good)
        return whole;
    free(whole);
    return NULL;
}

char *file_read(const char *name, size_t *length)
{
    if (strcmp(name, "-") == 0)
        return read_all(stdin, "standard input", length);
    return is_map(name) ? read_map(name, length) : read_named(name, length);
}

static bool write_all(int to, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(to, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        length -= (size_t)done;
    }
    return true;
}

/* Something that is no plain file, such as /dev/stdout, has no old content
 * that could be lost, and must not be replaced by a file. */
static bool special(const char *name)
{
    struct stat about;
    return stat(name, &about) == 0 && !S_ISREG(about.st_mode);
}

static bool write_special(const char *name, const char *text, size_t length)
{
    FILE *to = fopen(name, "wb");
    if (!to)
        return false;
    bool good = fwrite(text, 1, length, to) == length;
    return fclose(to) == 0 && good;
}

static bool replace(const char *name, const char *text, size_t length)
{
    char part[4096];
    if (special(name))
        return write_special(name, text, length);
    if (snprintf(part, sizeof part, "%s.XXXXXX", name) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    int to = mkstemp(part);
    if (to < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    bool good = write_all(to, text, length) && fsync(to) == 0 &&
                fchmod(to, 0666 & ~mask) == 0;
    good = close(to) == 0 && good && rename(part, name) == 0;
    if (!good) {
        int why = errno;
        unlink(part);
        errno = why;
    }
    return good;
}

bool file_write(const char *name, const char *text, size_t length)
{
    if (!name || strcmp(name, "-") == 0) {
        fwrite(text, 1, length, stdout);
        return true;
    }
    if (replace(name, text, length))
        return true;
    say("cannot write '%s': %s", name, strerror(errno));
    return false;
}
