/* tests/fuzz/fuzz.h: what every fuzz target shares.
 *
 * The input of a target begins with a line that names the game, the number of
 * seats and options ("blank 2 rounds=4"), so that seeds can be read and written
 * by hand and stay valid when games are added. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "game/match.h"
#include "game/setup.h"
#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assertion that stays in every build: the fuzzer must see it fail. */
#define insist(condition) ((condition) ? (void)0 : abort())

/* "blank 2 rounds=4": the game, seats and options of the first line. */
static inline bool fuzz_head(struct span line, const struct game **game,
                             struct setup *setup)
{
    char name[32];
    long seats;
    struct fault f;
    span_copy(span_word(&line), name, sizeof name);
    *game = rules_find(name);
    if (!*game || !span_int(span_word(&line), (*game)->seats_min,
                            (*game)->seats_max, &seats))
        return false;
    setup_init(*game, setup);
    setup->seats = (int)seats;
    for (struct span value; (value = span_word(&line)).length > 0;) {
        struct span option = span_cut(&value, '=');
        if (!setup_option(*game, setup, option, value, &f))
            return false;
    }
    return true;
}

/* What follows the first line, as a NUL-ended copy without NUL bytes; the
 * caller frees it.  NULL if the line names no game. */
static inline char *fuzz_input(const uint8_t *data, size_t size,
                               const struct game **game, struct setup *setup)
{
    struct span rest = {(const char *)data, size};
    struct span line = span_cut(&rest, '\n');
    if (memchr(data, 0, size) || !fuzz_head(line, game, setup))
        return NULL;
    char *text = malloc(rest.length + 1);
    if (!text)
        abort();
    memcpy(text, rest.at, rest.length);
    text[rest.length] = '\0';
    return text;
}

/* A fault is of the tables and its text can be written. */
static inline void fuzz_refused(const struct game *game, const struct fault *f)
{
    char text[512];
    insist(f->code != FAULT_NONE);
    insist(fault_text(game, f->code)->code == f->code);
    insist(fault_write(game, f, text, sizeof text) > 0);
    insist(!strpbrk(text, "\n\r\033"));
}

/* Plays the first legal action for a while: what was read must be playable. */
static inline void fuzz_play(const struct game *game, const struct world *w,
                             struct state *s, int steps)
{
    static action legal[GAME_ACTIONS];
    static char text[1 << 20];
    game->write_scene(w, s, SEAT_NONE, text, sizeof text);
    game->write_board(w, s, SEAT_NONE, false, text, sizeof text);
    for (int i = 0; i < steps; i++) {
        unsigned must, may;
        game->turn(w, s, &must, &may);
        if (!must)
            return;
        int seat = __builtin_ctz(must);
        int count = game->legal(w, s, seat, legal);
        insist(count > 0 && count <= GAME_ACTIONS);
        game->write_action(w, s, seat, legal[count - 1], seat, text,
                           sizeof text);
        game->apply(w, s, seat, legal[(i * 7) % count]);
    }
}

#endif
