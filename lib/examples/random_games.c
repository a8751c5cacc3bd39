/* lib/examples/random_games.c: one random game of every kind, kept as a record,
 * read again and compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terra.h>

static uint32_t draw(uint64_t *seed, int bound)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % (uint64_t)bound);
}

/* The record says the same as the game that was played. */
static int same_again(const struct terra_table *t, struct terra_match *m,
                      const void *last, void *scratch)
{
    char error[256] = "";
    int length = terra_match_write(m, TERRA_EVERYTHING, NULL, 0);
    char *text = malloc((size_t)length + 1);
    terra_match_write(m, TERRA_EVERYTHING, text, (size_t)length + 1);
    struct terra_match *read = terra_match_read(
        terra_name(t), text, (size_t)length, error, sizeof error);
    free(text);
    if (!read) {
        printf("%s: %s\n", terra_name(t), error);
        return 0;
    }
    memset(scratch, 0, terra_state_size(t));
    terra_match_state(read, terra_match_count(read), scratch);
    int same = terra_hash(t, scratch) == terra_hash(t, last);
    terra_match_close(read);
    return same;
}

static int play(const char *name)
{
    char error[256];
    uint32_t legal[TERRA_ACTIONS];
    uint64_t chance = 1;
    struct terra_table *t = terra_open(name, "", error, sizeof error);
    if (!t) {
        printf("%s\n", error);
        return 0;
    }
    void *state = malloc(terra_state_size(t));
    void *other = malloc(terra_state_size(t));
    struct terra_match *m = terra_match_open(t, 7);
    int seat, steps = 0, good = 1;
    terra_start(t, 7, state);
    while ((seat = terra_current(t, state)) != TERRA_NOBODY && good) {
        int count = terra_legal(t, state, seat, legal);
        uint32_t action = legal[draw(&chance, count)];
        good = terra_action(t, terra_index(t, action)) == action &&
               terra_index(t, action) < terra_index_count(t) &&
               terra_apply(t, state, seat, action) == 0 &&
               terra_match_play(m, seat, action) == 0;
        steps++;
    }
    struct terra_result r;
    terra_result(t, state, &r);
    good = good && r.reason != 0 && same_again(t, m, state, other);
    printf("%-8s %4d actions, %d-%d points, %s\n", name, steps, r.points[0],
           r.points[1], good ? "the record agrees" : "FAILED");
    terra_match_close(m);
    free(other);
    free(state);
    terra_close(t);
    return good;
}

int main(void)
{
    int good = 1;
    for (int i = 0; terra_game(i); i++)
        good = play(terra_game(i)) && good;
    return good ? 0 : 1;
}
