/* rules/nova/start.c: the first state of a match (nova §3). */
#include "rules/nova/state.h"

#include "base/check.h"
#include "base/rng.h"
#include "game/setup.h"

void nova_clear(const struct world *w, struct state *s)
{
    memset(s, 0, sizeof *s);
    s->lines = w->empty;
    s->live = w->all;
    s->supply = w->stones;
}

/* `seat` SEAT_NONE puts a stone. */
void nova_set_piece(const struct world *w, struct state *s, int hex, int seat)
{
    check(is_free(w, s, hex));
    bits_add(seat == SEAT_NONE ? &s->stones : &s->pioneers[seat], hex);
    lines_flip(w, s, hex);
}

/* The placements that were given, as "+a3 +b5 ..."; -1 if they do not fit. */
static int given_placement(const struct world *w, struct span list,
                           uint8_t *hexes)
{
    struct bits taken = {{0}};
    struct span word;
    int count = 0;
    while ((word = span_word(&list)).length > 0) {
        int hex;
        struct span name = {word.at + 1, word.length - 1};
        if (*word.at != '+' || board_find(&w->board, name, &hex) == 0 ||
            hex == NO_HEX || bits_has(&taken, hex) ||
            count == w->seats * w->pioneers)
            return -1;
        bits_add(&taken, hex);
        hexes[count++] = (uint8_t)hex;
    }
    return count;
}

int nova_draw_placement(const struct world *w, const struct setup *setup,
                        uint8_t *hexes)
{
    struct given given;
    if (given_find(setup->given, "placed", &given))
        return given_placement(w, given.value, hexes);
    uint8_t all[BOARD_HEXES];
    struct rng rng;
    rng_seed(&rng, setup->seed);
    for (int hex = 0; hex < w->hexes; hex++)
        all[hex] = (uint8_t)hex;
    rng_shuffle(&rng, all, w->hexes);
    int count = w->seats * w->pioneers;
    memcpy(hexes, all, (size_t)count);
    return count;
}

/* prepare() has read the same text before, so it cannot fail here. */
static void start_from(const struct world *w, const char *given,
                       struct state *s)
{
    struct given start;
    struct fault f;
    char text[1024];
    given_find(given, "start", &start);
    span_copy(start.value, text, sizeof text);
    bool read = nova_read_state(w, text, s, &f);
    check(read);
    (void)read;
}

void nova_start(const struct world *w, const struct setup *setup,
                struct state *s)
{
    if (w->started) {
        start_from(w, setup->given, s);
        return;
    }
    nova_clear(w, s);
    for (int seat = 0; seat < w->seats; seat++)
        s->hand[seat] = (uint8_t)w->pioneers;
    if (w->option[OPT_SETUP] == SETUP_RANDOM) {
        uint8_t hexes[BOARD_HEXES];
        int count = nova_draw_placement(w, setup, hexes);
        for (int i = 0; i < count; i++)
            nova_apply(w, s, s->seat, pack(PLACE, 0, hexes[i]));
        s->turns = 0;
    }
}
