/* tests/fuzz/states.c: positions of every game.  What is accepted is written
 * and read the same, and can be played. */
#include "tests/fuzz/fuzz.h"

static char first[1 << 20], second[1 << 20];

static void check_position(const struct game *game, const struct world *w,
                           const char *text, struct state *s)
{
    struct fault f = {0};
    struct state *untouched = calloc(1, game->state_size);
    if (!untouched)
        abort();
    if (!game->read_state(w, text, s, &f)) {
        fuzz_refused(game, &f);
        insist(memcmp(s, untouched, game->state_size) == 0);
        free(untouched);
        return;
    }
    free(untouched);
    int length = game->write_state(w, s, first, sizeof first);
    insist(length > 0 && (size_t)length < sizeof first);
    insist(game->read_state(w, first, s, &f));
    insist(game->write_state(w, s, second, sizeof second) == length);
    insist(strcmp(first, second) == 0);
    fuzz_play(game, w, s, 200);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct game *game;
    struct setup setup;
    struct fault f = {0};
    char *text = fuzz_input(data, size, &game, &setup);
    if (!text)
        return 0;
    struct world *w = calloc(1, game->world_size);
    struct state *s = calloc(1, game->state_size);
    if (!w || !s)
        abort();
    if (game->prepare(w, &setup, &f))
        check_position(game, w, text, s);
    else
        fuzz_refused(game, &f);
    free(s);
    free(w);
    free(text);
    return 0;
}
