/* tests/rules/mystica/read_test.c: what is understood and what is listed.
 *
 * In random positions every command is typed that some other position has
 * known, plain and in the looser forms people use.  Whatever read_action()
 * accepts must be in legal(); what it refuses has a reason; and all that
 * legal() lists is read as itself. */
#include "tests/random.h"

#include "rules/mystica/mystica.h"

enum { POOL = 6000, TEXT = 64, BUCKETS = 1 << 14 };

static const struct game *const game = &mystica_game;
static struct world world;
static struct state now;
static char pool[POOL][TEXT];
static int pooled, tried, accepted;
static int16_t bucket[BUCKETS]; /* of the hash of a text: its index + 1 */

static unsigned hash_text(const char *text)
{
    unsigned h = 2166136261u;
    while (*text)
        h = (h ^ (unsigned char)*text++) * 16777619u;
    return h;
}

static void remember(const char *text)
{
    unsigned at = hash_text(text) % BUCKETS;
    for (; bucket[at]; at = (at + 1) % BUCKETS)
        if (strcmp(pool[bucket[at] - 1], text) == 0)
            return;
    if (pooled == POOL || strlen(text) >= TEXT)
        return;
    strcpy(pool[pooled++], text);
    bucket[at] = (int16_t)pooled;
}

/* The same without the last two words: "to green", "from auren", "for 3". */
static void remember_shorter(const char *text)
{
    char shorter[TEXT];
    size_t length = strlen(text);
    if (length >= TEXT)
        return;
    strcpy(shorter, text);
    for (int words = 0; words < 2; words++) {
        char *blank = strrchr(shorter, ' ');
        if (!blank)
            return;
        *blank = '\0';
    }
    remember(shorter);
}

static void collect(int seat, const action *legal, int count)
{
    char text[TEXT];
    for (int i = 0; i < count; i++) {
        if (game->write_action(&world, &now, seat, legal[i], SEAT_NONE, text,
                               sizeof text) >= TEXT)
            continue;
        remember(text);
        remember_shorter(text);
    }
}

static bool listed(const action *legal, int count, action a)
{
    for (int i = 0; i < count; i++)
        if (legal[i] == a)
            return true;
    return false;
}

static void try_all(struct rng *chance)
{
    static action legal[GAME_ACTIONS];
    int step = 1 + rng_below(chance, 7);
    for (int seat = 0; seat < world.seats; seat++) {
        int count = game->legal(&world, &now, seat, legal);
        for (int i = rng_below(chance, step); i < pooled; i += step) {
            struct fault f = {0};
            action a;
            size_t used;
            tried++;
            if (!game->read_action(&world, &now, seat, pool[i], &a, &used,
                                   &f)) {
                if (!f.code)
                    fail_msg("'%s' refused without reason", pool[i]);
                continue;
            }
            accepted++;
            if (!listed(legal, count, a))
                fail_msg("'%s' is read but not listed", pool[i]);
        }
    }
}

static void play_game(struct rng *chance, int seats, bool trying)
{
    static action legal[GAME_ACTIONS];
    struct setup setup;
    struct fault f = {0};
    do
        random_setup(game, seats, chance, &setup);
    while (!game->prepare(&world, &setup, &f));
    game->start(&world, &setup, &now);
    for (;;) {
        int count;
        int seat = random_seat(game, &world, &now, chance, legal, &count);
        if (seat == SEAT_NONE)
            break;
        if (!trying)
            collect(seat, legal, count);
        else if (rng_below(chance, 40) == 0)
            try_all(chance);
        game->apply(&world, &now, seat, legal[rng_below(chance, count)]);
    }
}

static void test_read(void **state)
{
    struct rng chance = random_source(game, 99);
    int games = test_scale(60, 400, 4000);
    (void)state;
    for (int i = 0; i < 200; i++)
        play_game(&chance, 2 + i % 4, false);
    for (int i = 0; i < games; i++)
        play_game(&chance, 2 + i % 4, true);
    print_message("# %d texts, %d typed, %d accepted\n", pooled, tried,
                  accepted);
    assert_true(pooled > 1000 && accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read)};
    return cmocka_run_group_tests_name("mystica reading", tests, NULL, NULL);
}
