/* bench/compare/steps.c GAME [SECONDS]: steps per second of random games from
 * C through libterra, one game at a time and many side by side, with the same
 * chances as bench/compare/steps.py. */
#include <stdio.h>
#include <stdlib.h>
#include <terra.h>
#include <time.h>

enum { GAMES = 512 };

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int draw(uint64_t *chance, int bound)
{
    *chance = *chance * 6364136223846793005u + 1442695040888963407u;
    return (int)((*chance >> 32) * (uint64_t)bound >> 32);
}

/* A batch of one game has no cost beyond that game. */
static double steps_per_second(const struct terra_table *t, int games,
                               double seconds)
{
    static uint64_t seeds[GAMES];
    static int32_t seat[GAMES], offset[GAMES + 1], choice[GAMES];
    static int32_t points[GAMES * TERRA_SEATS], place[GAMES * TERRA_SEATS];
    static uint8_t done[GAMES];
    static uint32_t actions[GAMES * TERRA_ACTIONS];
    struct terra_batch b = {.count = games,
                            .reset = 1,
                            .states =
                                malloc((size_t)games * terra_state_size(t)),
                            .seeds = seeds,
                            .seat = seat,
                            .offset = offset,
                            .actions = actions,
                            .choice = choice,
                            .points = points,
                            .place = place,
                            .done = done};
    uint64_t chance = 1;
    long steps = 0;
    for (int i = 0; i < games; i++)
        seeds[i] = (uint64_t)i + 1;
    terra_batch_start(t, &b);
    double begin = cpu_clock(), spent = 0;
    while (spent < seconds) {
        for (int turn = 0; turn < 5000 / games + 1; turn++) {
            for (int i = 0; i < games; i++)
                choice[i] = draw(&chance, offset[i + 1] - offset[i]);
            terra_batch_step(t, &b);
            steps += games;
        }
        spent = cpu_clock() - begin;
    }
    free(b.states);
    return (double)steps / spent;
}

int main(int argc, char **argv)
{
    char error[256];
    const char *name = argc > 1 ? argv[1] : "nova";
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
    struct terra_table *t = terra_open(name, NULL, error, sizeof error);
    if (!t) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    printf("%s C one %.0f\n", name, steps_per_second(t, 1, seconds));
    printf("%s C batch %.0f\n", name, steps_per_second(t, GAMES, seconds));
    terra_close(t);
    return 0;
}
