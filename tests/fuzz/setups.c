/* tests/fuzz/setups.c: setups with their given lines (boards, decks, start).
 * What is accepted is written and read the same, and can be played. */
#include "tests/fuzz/fuzz.h"

static void check_text(const struct game *game, const struct setup *setup)
{
    static char text[1 << 20];
    struct setup back;
    struct fault f = {0};
    int length = setup_write(game, setup, text, sizeof text);
    insist(length > 0 && (size_t)length < sizeof text);
    setup_init(game, &back);
    insist(setup_read(game, text, &back, &f));
    insist(back.seats == setup->seats && back.seed == setup->seed);
    insist(memcmp(back.option, setup->option, sizeof back.option) == 0);
    insist(!back.given == !setup->given);
    insist(!setup->given || strcmp(back.given, setup->given) == 0);
}

static void check_start(const struct game *game, const struct setup *setup)
{
    struct fault f = {0};
    struct world *w = calloc(1, game->world_size);
    struct state *s = calloc(1, game->state_size);
    if (!w || !s)
        abort();
    if (game->prepare(w, setup, &f)) {
        game->start(w, setup, s);
        fuzz_play(game, w, s, 100);
    } else {
        fuzz_refused(game, &f);
    }
    free(s);
    free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct game *game;
    struct setup setup;
    struct fault f = {0};
    size_t bad;
    char *text = fuzz_input(data, size, &game, &setup);
    if (!text)
        return 0;
    if (!span_utf8(span_of(text), &bad)) {
        free(text);
        return 0;
    }
    if (setup_read(game, text, &setup, &f)) {
        check_text(game, &setup);
        check_start(game, &setup);
    } else {
        fuzz_refused(game, &f);
    }
    free(text);
    return 0;
}
