/* cli/load.c: files of any game, recognised by their content. */
#include "cli/cli.h"

#include "base/text.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

/* One reader that takes the text for its own. */
struct reader {
    const struct game *game;
    const struct record_format *format;
};

/* The next one after *at that recognises the text. */
static bool recognise(const char *text, size_t length, struct reader *at)
{
    bool passed = !at->format;
    for (int i = 0; rules_games[i]; i++) {
        const struct record_format *f = rules_games[i]->formats;
        for (; f->name; f++) {
            if (f == at->format)
                passed = true;
            else if (passed && f->read && f->recognise(text, length)) {
                *at = (struct reader){rules_games[i], f};
                return true;
            }
        }
    }
    return false;
}

static struct match *read_with(const struct reader *by, const char *text,
                               size_t length, const struct request *r, bool all,
                               struct buffer *remarks, struct fault *f)
{
    struct setup setup;
    struct buffer given = {0};
    request_setup(r, by->game, &setup, &given);
    struct match *m =
        all ? match_read_all(by->game, by->format, text, length, &setup,
                             remarks->to, remarks->cap, f)
            : match_read(by->game, by->format, text, length, &setup, f);
    buffer_release(&given);
    return m;
}

static int refuse(const char *name, const struct game *game, int code, int line,
                  const char *subject)
{
    struct fault f;
    fault_set(&f, code, line, 0, subject);
    return say_fault(game, name, &f);
}

static int refuse_unknown(const char *name, const char *text, size_t length)
{
    size_t bad;
    int line = 1;
    if (span_utf8((struct span){text, length}, &bad))
        return refuse(name, NULL, FAULT_FORMAT, 0, "");
    for (size_t i = 0; i < bad; i++)
        line += text[i] == '\n';
    return refuse(name, NULL, FAULT_ENCODING, line, "");
}

static bool named_for(const char *name, const struct record_format *f)
{
    size_t length = strlen(name), suffix = strlen(f->suffix);
    return length > suffix && strcmp(name + length - suffix, f->suffix) == 0;
}

/* The format whose name the file bears. */
static bool find_named(const char *name, struct reader *by)
{
    for (int i = 0; rules_games[i]; i++)
        for (const struct record_format *f = rules_games[i]->formats; f->name;
             f++)
            if (f->read && named_for(name, f)) {
                *by = (struct reader){rules_games[i], f};
                return true;
            }
    return false;
}

/* Several formats may look alike; the fault to report is that of the one whose
 * name the file bears, else the first. */
static struct load read_text(const char *name, const char *text, size_t length,
                             const struct request *r, bool all,
                             struct buffer *remarks)
{
    struct load load = {0};
    struct reader by = {0}, told = {0};
    struct fault f = {0}, other = {0};
    while (!load.match && recognise(text, length, &by)) {
        load.match = read_with(&by, text, length, r, all, remarks, &other);
        load.format = by.format;
        if (told.game &&
            (named_for(name, told.format) || !named_for(name, by.format)))
            continue;
        told = by;
        f = other;
    }
    if (!told.game && find_named(name, &told)) {
        load.match = read_with(&told, text, length, r, all, remarks, &f);
        load.format = told.format;
    }
    if (!told.game)
        load.status = refuse_unknown(name, text, length);
    else if (!load.match)
        load.status = say_fault(told.game, name, &f);
    return load;
}

struct load load_file(const char *name, const struct request *r, bool all)
{
    struct load load = {.status = STATUS_USAGE};
    size_t length;
    char *text = file_read(name, &length);
    if (!text)
        return load;
    struct buffer remarks = {calloc(1, 1 << 20), all ? 1 << 20 : 1};
    if (length == 0)
        load.status = refuse(name, NULL, FAULT_TRUNCATED, 0, "");
    else
        load = read_text(name, text, length, r, all, need(&remarks));
    if (!load.match && all)
        load_remarks(name, remarks.to);
    buffer_release(&remarks);
    free(text);
    return load;
}

void load_remarks(const char *name, const char *remarks)
{
    struct lines l = lines_of(span_of(remarks));
    struct span line;
    while (lines_next(&l, &line))
        printf("%s: %.*s\n", name, (int)line.length, line.at);
}
