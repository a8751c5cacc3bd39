/* tests/rules/mystica/invariant_test.c: what holds in every position.
 *
 * Random games with all factions, maps, options, seats and special tiles;
 * after every step the pieces, tiles, tokens and markers are counted. */
#include "tests/random.h"

#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"

static const struct game *const game = &mystica_game;
static struct world world;
static struct state now, before;

static void check_seat(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    if (p->faction == NO_FACTION)
        return;
    assert_true(p->vp >= 0 && p->coins >= 0 && p->workers >= 0);
    assert_true(p->priests + p->placed <= PRIESTS);
    assert_true(p->bridges <= 3);
    int structures = 0;
    for (int piece = DWELLING; piece < PIECES; piece++) {
        assert_true(p->count[piece] <= pieces_max(piece));
        structures += p->count[piece];
    }
    assert_int_equal(structures, cells_count(p->own));
    int vp = 0;
    for (int i = 0; i < VP_SOURCES; i++)
        vp += s->source[seat][i];
    assert_int_equal(vp, p->vp);
}

/* Every town tile that was taken is held by one seat. */
static void check_towns_held(const struct state *s)
{
    for (int tile = 1; tile <= TOWNS; tile++) {
        int owned = s->towns_left[tile];
        for (int seat = 0; seat < world.seats; seat++)
            owned += towns_held(s, seat, tile);
        if (!towns[tile].mini || world.option[OPT_MINI])
            assert_int_equal(owned, towns[tile].copies);
    }
    for (int seat = 0; seat < world.seats; seat++) {
        int held = 0;
        for (int tile = 1; tile <= TOWNS; tile++)
            held += towns_held(s, seat, tile);
        assert_int_equal(held, s->seat[seat].town_tiles);
    }
}

/* Favour and town tiles are in the supply or taken. */
static void check_tiles(const struct state *s)
{
    int tiles = 0, all = 0;
    for (int tile = 1; tile <= FAVOURS; tile++) {
        int owned = s->favours_left[tile];
        for (int seat = 0; seat < world.seats; seat++)
            owned += s->seat[seat].favours >> tile & 1;
        assert_int_equal(owned, favours[tile].copies);
    }
    for (int tile = 1; tile <= TOWNS; tile++) {
        tiles += s->towns_left[tile];
        if (!towns[tile].mini || world.option[OPT_MINI])
            all += towns[tile].copies;
    }
    for (int seat = 0; seat < world.seats; seat++)
        tiles += s->seat[seat].town_tiles;
    assert_int_equal(tiles, all);
    check_towns_held(s);
    assert_true(towns_left(s) >= 0);
}

static void check_cults(const struct state *s)
{
    for (int track = 0; track < TRACKS; track++) {
        int top = 0;
        for (int seat = 0; seat < world.seats; seat++)
            top += s->seat[seat].cult[track] == 10;
        assert_true(top <= 1);
    }
}

/* Cells, pieces and the sets kept beside them agree. */
static void check_map(const struct state *s)
{
    for (int cell = 0; cell < world.cells; cell++) {
        bool built = s->piece[cell] != NOTHING;
        assert_int_equal(built, cells_has(s->occupied, cell));
        for (int seat = 0; seat < world.seats; seat++)
            assert_int_equal(built && s->owner[cell] == seat,
                             cells_has(s->seat[seat].own, cell));
        for (int terrain = 0; terrain <= VOLCANO; terrain++)
            assert_int_equal(s->terrain[cell] == terrain,
                             cells_has(s->colour[terrain], cell));
    }
}

/* Only burning, and giving or getting tokens by name, changes their number. */
static void check_tokens(int seat, action a)
{
    const struct seat *p = &before.seat[seat], *q = &now.seat[seat];
    if (p->faction == NO_FACTION || now.round != before.round ||
        now.phase != before.phase || now.phase == PHASE_OVER)
        return;
    const struct faction *f = &factions[p->faction];
    bool special = f->digging == DIG_VOLCANO_TOKEN ||
                   f->reaction == REACT_TOKEN || f->effect == TILE_PEAK;
    if (special)
        return;
    int burnt = act_kind(a) == DO_BURN ? act_a(a) : 0;
    assert_int_equal(tokens_of(p) - tokens_of(q), burnt);
}

static void check_all(const struct state *s)
{
    for (int seat = 0; seat < world.seats; seat++)
        check_seat(s, seat);
    check_tiles(s);
    check_cults(s);
    check_map(s);
}

/* ---- setups ---- */

/* What has occurred, so that nothing is forgotten by chance. */
static struct {
    int games, faction[FACTIONS], tile[FACTIONS], seats[SEATS + 1];
    int option[OPTIONS][32];
} met;

static void note_game(void)
{
    met.games++;
    met.seats[world.seats]++;
    for (int i = 0; i < OPTIONS; i++)
        if (mystica_options[i].kind == OPTION_CHOICE)
            met.option[i][world.option[i]]++;
    for (int seat = 0; seat < world.seats; seat++) {
        const struct seat *p = &now.seat[seat];
        met.faction[p->faction]++;
        met.tile[p->faction] += p->tile != 0;
    }
}

static void check_met(void)
{
    for (int seats = 2; seats <= SEATS; seats++)
        assert_true(met.seats[seats] > 0);
    for (int i = 0; i < FACTIONS; i++)
        if (!met.faction[i] || !met.tile[i])
            fail_msg("%s: %d times, its tile %d times", factions[i].id,
                     met.faction[i], met.tile[i]);
    for (int i = 0; i < OPTIONS; i++) {
        const struct option *o = &mystica_options[i];
        for (int value = 0; o->choices && o->choices[value]; value++)
            if (o->kind == OPTION_CHOICE && !met.option[i][value])
                fail_msg("option %s never was %s", o->name, o->choices[value]);
    }
}

/* A map of a player's own: a printed one with its land shuffled. */
static const char *shuffled_map(struct rng *chance)
{
    static char text[200];
    const struct map *from = &maps[rng_below(chance, MAPS)];
    char land[CELLS];
    int count = 0;
    for (int row = 0; row < 9; row++)
        for (const char *at = from->rows[row]; *at; at++)
            if (*at != 'I')
                land[count++] = *at;
    char *to = text + sprintf(text, "map:");
    for (int row = 0; row < 9; row++) {
        *to++ = '\n';
        *to++ = '\t';
        for (const char *at = from->rows[row]; *at; at++) {
            if (*at == 'I') {
                *to++ = 'I';
                continue;
            }
            int i = rng_below(chance, count);
            *to++ = land[i];
            land[i] = land[--count];
        }
    }
    strcpy(to, "\n");
    return text;
}

static void prepare_any(struct rng *chance, int seats, bool eager)
{
    struct setup setup;
    struct fault f = {0};
    do {
        random_setup(game, seats, chance, &setup);
        if (setup.option[OPT_MAP] == MAP_GIVEN)
            setup.given = shuffled_map(chance);
        if (eager) {
            setup.option[OPT_LANDSCAPES] = LAND_ALL;
            setup.option[OPT_ICE] = setup.option[OPT_VOLCANO] = 1;
            setup.option[OPT_VARIABLE] = 1 + rng_below(chance, VARIABLE_V1);
        }
    } while (!game->prepare(&world, &setup, &f));
    game->start(&world, &setup, &now);
}

/* Random games are short of great buildings and special tiles, so some are
 * played by builders who seldom waste or pass. */
static action pick(struct rng *chance, const action *legal, int count,
                   bool eager)
{
    action a = legal[rng_below(chance, count)];
    for (int i = 0; eager && i < 6; i++) {
        enum kind kind = act_kind(a);
        if (kind != DO_PASS && kind != DO_CONVERT && kind != DO_BURN &&
            kind != DO_FORFEIT && kind != DO_SEND)
            break;
        a = legal[rng_below(chance, count)];
    }
    for (int i = 0; eager && i < count; i++) {
        enum kind kind = act_kind(legal[i]);
        if (kind == DO_PLACE || (kind == DO_UPGRADE && rng_below(chance, 2)))
            a = legal[i];
    }
    return a;
}

/* Counts after each step, or only at the end. */
static void play_game(struct rng *chance, int seats, bool each)
{
    bool eager = rng_below(chance, 4) == 0;
    static action legal[GAME_ACTIONS];
    prepare_any(chance, seats, eager);
    for (int step = 0; step < 20000; step++) {
        int count;
        int seat = random_seat(game, &world, &now, chance, legal, &count);
        if (seat == SEAT_NONE)
            break;
        if (each)
            before = now;
        action a = pick(chance, legal, count, eager);
        game->apply(&world, &now, seat, a);
        if (each) {
            check_tokens(seat, a);
            check_all(&now);
        }
    }
    check_all(&now);
    struct result r;
    game->result(&world, &now, &r);
    assert_int_equal(r.reason, ENDING_GAME);
    assert_int_equal(now.round, ROUNDS);
    note_game();
}

static void test_random(void **state)
{
    struct rng chance = random_source(game, 4711);
    int games = test_scale(100, 2000, 20000);
    (void)state;
    for (int i = 0; i < games; i++)
        play_game(&chance, 2 + i % 4, true);
}

/* Whole games in great number, for the sanitizers: the same in every mode.
 * The program runs twice, for the two halves. */
static void test_many(void **state)
{
    int half = *(const int *)*state, games = 10000;
    struct rng chance = random_source(game, 20000 + half);
    memset(&met, 0, sizeof met);
    for (int i = 0; i < games; i++)
        play_game(&chance, 2 + i % 4, false);
    assert_int_equal(met.games, games);
    print_message("# rarest: Lava Pond %d, Breeding Ground %d, Camp %d\n",
                  met.tile[DRAGONLORDS], met.tile[SWARMLINGS],
                  met.tile[DARKLINGS]);
    check_met();
}

int main(int argc, char **argv)
{
    int half = argc > 1 ? atoi(argv[1]) : 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test_prestate(test_many, &half)};
    return cmocka_run_group_tests_name("mystica invariants", tests, NULL, NULL);
}
