/* web/tests/native/hashes.c: the hash after every action, natively.
 *
 * Replays the records named as arguments and prints one line per position;
 * then plays random games as the exports choose their actions.  "think", a
 * setup, a bot and a number print what that many searches from the beginning of
 * a game find instead.  The unit test `parity` does the same through
 * WebAssembly and compares every line. */
#include "web/wasm/exports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *slurp(const char *name, size_t *length)
{
    FILE *in = fopen(name, "rb");
    if (!in)
        return NULL;
    fseek(in, 0, SEEK_END);
    *length = (size_t)ftell(in);
    rewind(in);
    char *text = malloc(*length + 1);
    if (text && fread(text, 1, *length, in) != *length) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

/* A number behind "key": in the status. */
static int status(int handle, const char *key)
{
    terra_status(handle);
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(terra_output(), wanted);
    return at ? atoi(at + strlen(wanted)) : -1;
}

static void print_hash(int handle, int at)
{
    terra_hash(handle, at);
    puts(terra_output());
}

static int replay(const char *name)
{
    size_t length = 0;
    char *text = slurp(name, &length);
    if (!text)
        return 1;
    char *input = terra_input(length + 3);
    memcpy(input, text, length);
    memset(input + length, 0, 3);
    free(text);
    int handle = terra_read(length);
    if (handle == 0) {
        fprintf(stderr, "%s: %s\n", name, terra_output());
        return 1;
    }
    int count = status(handle, "count");
    for (int at = 0; at <= count; at++)
        print_hash(handle, at);
    terra_close(handle);
    return 0;
}

/* Plays one random game to its end, or to 2000 actions. */
static int play(const char *setup)
{
    strcpy(terra_input(strlen(setup)), setup);
    int handle = terra_open();
    if (handle == 0) {
        fprintf(stderr, "%s: %s\n", setup, terra_output());
        return 1;
    }
    for (int i = 0; i < 2000; i++) {
        int seat = status(handle, "seat");
        if (seat < 0)
            break;
        int length = terra_random(handle, seat, (unsigned)i);
        char *text = strdup(terra_output() + 1); /* between the quotes */
        text[length - 2] = '\0';
        strcpy(terra_input(strlen(text)), text);
        free(text);
        if (!terra_type(handle, seat))
            return 1;
        print_hash(handle, -1);
    }
    terra_close(handle);
    return 0;
}

static void put_input(const char *text)
{
    strcpy(terra_input(strlen(text)), text);
}

/* Plays the text behind "best": of a search's result. */
static int play_best(int handle, int seat)
{
    const char *at = strstr(terra_output(), "\"best\":\"") + 8;
    size_t length = strcspn(at, "\"");
    char *text = strndup(at, length);
    put_input(text);
    free(text);
    return terra_type(handle, seat);
}

/* Bots play the beginning of a game; prints what each search found. */
static int think(const char *setup, const char *bot, int actions)
{
    put_input(setup);
    int handle = terra_open();
    if (handle == 0)
        return 1;
    for (int i = 0; i < actions; i++) {
        int seat = status(handle, "seat");
        if (seat < 0)
            break;
        put_input(bot);
        int search = terra_search_open(handle, -1, seat, (unsigned)i);
        while (terra_search_run(search, 100))
            ;
        terra_search_result(search, 5);
        puts(terra_output());
        if (!play_best(handle, seat))
            return 1;
        terra_search_close(search);
    }
    terra_close(handle);
    return 0;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    if (argc == 5 && strcmp(argv[1], "think") == 0)
        return think(argv[2], argv[3], atoi(argv[4]));
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "game: ", 6) == 0)
            wrong |= play(argv[i]);
        else
            wrong |= replay(argv[i]);
    return wrong;
}
