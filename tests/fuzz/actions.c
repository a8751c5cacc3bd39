/* tests/fuzz/actions.c: typed lines of every game.  All of a line is played or
 * nothing; what was played is among the legal actions. */
#include "tests/fuzz/fuzz.h"

static void type_line(struct match *m, const char *line)
{
    struct fault f = {0};
    int count = match_count(m);
    if (match_type(m, match_seat(m), line, &f)) {
        insist(match_count(m) > count);
        return;
    }
    fuzz_refused(match_game(m), &f);
    insist(match_count(m) == count);
    insist(f.column <= (int)strlen(line) + 1);
}

static bool is_legal(const struct match *m, const struct state *s,
                     const struct step *step)
{
    static action legal[GAME_ACTIONS];
    int count = match_game(m)->legal(match_world(m), s, step->seat, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == step->action)
            return true;
    return false;
}

static void check_log(const struct match *m)
{
    struct state *s = malloc(match_game(m)->state_size);
    if (!s)
        abort();
    for (int i = 0; i < match_count(m); i++) {
        match_at(m, i, s);
        insist(is_legal(m, s, match_step(m, i)));
    }
    free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct game *game;
    struct setup setup;
    struct fault f = {0};
    char *text = size > 4096 ? NULL : fuzz_input(data, size, &game, &setup);
    if (!text)
        return 0;
    struct match *m = match_open(game, &setup, &f);
    if (!m) {
        fuzz_refused(game, &f);
        free(text);
        return 0;
    }
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        type_line(m, line);
    }
    check_log(m);
    match_close(m);
    free(text);
    return 0;
}
