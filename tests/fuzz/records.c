/* tests/fuzz/records.c: every format of every game reads anything, and what it
 * accepts is written, read again and written the same. */
#include "tests/fuzz/fuzz.h"

static char first[1 << 21], second[1 << 21];

static void check_format(const struct game *game,
                         const struct record_format *format, const char *text,
                         const struct setup *silent)
{
    struct fault f = {0};
    size_t length = strlen(text);
    format->recognise(text, length);
    if (!format->read)
        return;
    struct match *m = match_read(game, format, text, length, silent, &f);
    if (!m) {
        fuzz_refused(game, &f);
        return;
    }
    int written = format->write ? match_write(m, format, match_count(m),
                                              RECORD_FULL, first, sizeof first)
                                : -1;
    if (written >= 0 && (size_t)written < sizeof first) {
        struct match *back =
            match_read(game, format, first, (size_t)written, silent, &f);
        insist(back);
        insist(match_write(back, format, match_count(back), RECORD_FULL, second,
                           sizeof second) == written);
        insist(strcmp(first, second) == 0);
        match_close(back);
    }
    match_write(m, game->formats, match_count(m), 0, first, sizeof first);
    match_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct game *game;
    struct setup silent;
    char *text = fuzz_input(data, size, &game, &silent);
    if (!text)
        return 0;
    for (const struct record_format *i = game->formats; i->name; i++)
        check_format(game, i, text, &silent);
    free(text);
    return 0;
}
