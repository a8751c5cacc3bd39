/* tests/rules/nova/random_test.c: the game against its reference.
 *
 * Random games on every board, with every number of seats and every set of
 * options, and on boards made up on the spot: after every action both must
 * agree on the position, the legal actions with their results, the scores,
 * the places and the end. */
#include "tests/rules/nova/both.h"
#include "tests/rules/nova/variants.h"

static long actions, games;

static void play(struct rng *rng, struct both_setup *how)
{
    struct both b;
    int bias = 20 + 20 * rng_below(rng, 4); /* lazy to eager with stones */
    how->seed = rng_next(rng);
    both_open(&b, how);
    if (games % 2)
        both_portable(&b);
    both_agree(&b);
    for (int i = 0; i < 1500 && both_random(&b, rng, bias); i++) {
        both_agree(&b);
        actions++;
    }
    games++;
    both_close(&b);
}

static void play_boards(void **unused)
{
    (void)unused;
    struct rng rng = random_source(rules_find("nova"), 2006);
    int turn = 0;
    for (int round = 0; round < test_scale(1, 4, 20); round++)
        for (int board = 0; board_names[board]; board++)
            for (int seats = 2; seats <= 4; seats++)
                for (int o = 0; variant_options[o]; o++) {
                    /* quick: a dozen games, other options on each board */
                    if (test_scale(1, 0, 0) && turn++ % 20 != 0)
                        continue;
                    char colours[5];
                    variant_colours(&rng, seats, colours);
                    play(&rng,
                         &(struct both_setup){.board = board_names[board],
                                              .colours = colours,
                                              .options = variant_options[o]});
                }
    print_message("# %ld games, %ld actions agree\n", games, actions);
}

static void play_made_up(void **unused)
{
    (void)unused;
    struct rng rng = random_source(rules_find("nova"), 168);
    games = actions = 0;
    for (int i = 0; i < test_scale(40, 600, 6000); i++) {
        char file[VARIANT_BOARD], colours[5];
        int options = 0;
        variant_board(&rng, file);
        variant_colours(&rng, 2 + rng_below(&rng, 3), colours);
        while (variant_options[options])
            options++;
        play(&rng, &(struct both_setup){
                       .file = file,
                       .colours = colours,
                       .options = variant_options[rng_below(&rng, options)]});
    }
    print_message("# %ld games, %ld actions agree\n", games, actions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(play_boards),
        cmocka_unit_test(play_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
