/* lib/examples/batch.c GAME STEPS: 64 random games side by side; says how many
 * were finished and how many points the first seat made on average. */
#include <stdio.h>
#include <stdlib.h>
#include <terra.h>

enum { GAMES = 64 };

int main(int argc, char **argv)
{
    static uint64_t seeds[GAMES];
    static int32_t seat[GAMES], offset[GAMES + 1], choice[GAMES];
    static int32_t points[GAMES * TERRA_SEATS], place[GAMES * TERRA_SEATS];
    static uint8_t done[GAMES];
    static uint32_t actions[GAMES * TERRA_ACTIONS];
    char error[256];
    const char *name = argc > 1 ? argv[1] : "nova";
    int steps = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 2000;
    struct terra_table *t = terra_open(name, NULL, error, sizeof error);
    if (!t) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    struct terra_batch b = {.count = GAMES,
                            .reset = 1,
                            .states = malloc(GAMES * terra_state_size(t)),
                            .seeds = seeds,
                            .seat = seat,
                            .offset = offset,
                            .actions = actions,
                            .choice = choice,
                            .points = points,
                            .place = place,
                            .done = done};
    for (int i = 0; i < GAMES; i++)
        seeds[i] = (uint64_t)i + 1;
    uint64_t chance = 1;
    long games = 0, sum = 0;
    terra_batch_start(t, &b);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < GAMES; i++) {
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            choice[i] = (int32_t)((chance >> 33) %
                                  (uint64_t)(offset[i + 1] - offset[i]));
        }
        games += terra_batch_step(t, &b);
        for (int i = 0; i < GAMES; i++)
            sum += done[i] ? points[i * TERRA_SEATS] : 0;
    }
    printf("%s: %ld games, first seat %.1f points\n", name, games,
           games ? (double)sum / (double)games : 0);
    free(b.states);
    terra_close(t);
    return games > 0 ? 0 : 1;
}
