/* tests/rules/mystica/commands_test.c: our games as command files.
 *
 * Whole games by chance, with every option, are written as command files of
 * the public server and read again: every faction must come out as it went in.
 * Only what that format has no words for may be refused, with its reason. */
#include "tests/random.h"

#include "game/match.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"

enum { TEXT = 1 << 18, CODES = 1024 };

static char text[TEXT];

static const struct record_format *commands(void)
{
    return match_format(&mystica_game, "commands");
}

static void play_by_chance(struct match *m, struct rng *chance, int steps)
{
    action legal[GAME_ACTIONS];
    while (!match_over(m) && steps-- > 0) {
        int seat = match_seat(m);
        int count =
            mystica_game.legal(match_world(m), match_state(m), seat, legal);
        match_play(m, seat, legal[rng_below(chance, count)]);
    }
}

/* A file in which all have passed is read to the end. */
static bool is_ending(const struct match *m)
{
    bool all = match_state(m)->round == ROUNDS;
    for (int seat = 0; seat < match_setup(m)->seats; seat++)
        all &= match_state(m)->seat[seat].passed;
    return all;
}

static const struct seat *seat_of(const struct match *m, int faction)
{
    for (int seat = 0; seat < match_setup(m)->seats; seat++)
        if (match_state(m)->seat[seat].faction == faction)
            return &match_state(m)->seat[seat];
    return NULL;
}

static bool same_seats(const struct match *a, const struct match *b)
{
    for (int seat = 0; seat < match_setup(a)->seats; seat++) {
        const struct seat *p = &match_state(a)->seat[seat];
        const struct seat *q = seat_of(b, p->faction);
        if (!q || p->vp != q->vp || p->coins != q->coins ||
            p->workers != q->workers || p->priests != q->priests ||
            memcmp(p->bowl, q->bowl, sizeof p->bowl) != 0 ||
            memcmp(p->cult, q->cult, sizeof p->cult) != 0 ||
            memcmp(&p->own, &q->own, sizeof p->own) != 0)
            return false;
    }
    return true;
}

static struct match *read_back(int length)
{
    struct fault f = {0};
    char why[300];
    struct match *m =
        match_read(&mystica_game, commands(), text, (size_t)length, NULL, &f);
    if (!m) {
        fault_write(&mystica_game, &f, why, sizeof why);
        print_error("line %d: %s\n", f.line, why);
    }
    return m;
}

static int written, refused[CODES];

/* Writes and reads a match; false if it comes out as another one. */
static bool check_match(const struct match *m)
{
    int length = match_write(m, commands(), match_total(m), RECORD_FULL, text,
                             sizeof text);
    if (length < 0) {
        refused[-length % CODES]++;
        return true;
    }
    struct match *again = read_back(length);
    bool good = again && same_seats(m, again);
    if (again && !good)
        print_error("read as another game: %.600s\n", text);
    if (again)
        match_close(again);
    written++;
    return good;
}

/* The auction is the one option that most games would do without. */
static struct match *open_any(struct rng *chance, int game)
{
    struct setup setup;
    struct fault f = {0};
    random_setup(&mystica_game, 2 + game % 4, chance, &setup);
    setup.option[OPT_AUCTION] = rng_below(chance, 3);
    setup.option[OPT_COMPAT] = 0;
    if (game % 8 == 0)
        setup.given = setup.seats == 2 ? "vp: 17,31\n" : NULL;
    return match_open(&mystica_game, &setup, &f);
}

static void test_games(void **state)
{
    struct rng chance = random_source(&mystica_game, 77);
    int games = test_scale(60, 1000, 5000), bad = 0;
    (void)state;
    for (int i = 0; i < games && bad < 3; i++) {
        struct match *m = open_any(&chance, i);
        if (!m)
            continue;
        play_by_chance(m, &chance, i % 4 ? 100000 : 1 + rng_below(&chance, 90));
        if (is_ending(m))
            play_by_chance(m, &chance, 100000);
        bad += !check_match(m);
        match_close(m);
    }
    print_message("# %d written and read\n", written);
    for (int code = 0; code < CODES; code++)
        if (refused[code] && code != UNSAID_TILES && code != UNSAID_AUCTION &&
            code != UNSAID_VP)
            fail_msg("%d refused for %d", refused[code], code);
    assert_int_equal(bad, 0);
    assert_true(written > games / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests_name("mystica commands", tests, NULL, NULL);
}
