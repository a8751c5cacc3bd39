/* tests/rules/mystica/setup_test.c: setups, positions and records that are
 * refused, each with its own reason, and the auction. */
#include "tests/test.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/mystica/ledger.h"
#include "rules/mystica/map.h"
#include "rules/mystica/mystica.h"
#include "rules/rules.h"

static struct world world;

static void setup_refused(int seats, const char *given, const char *name)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(&mystica_game, &setup);
    setup.seats = seats;
    setup.given = given;
    assert_false(mystica_game.prepare(&world, &setup, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

static void test_setups(void **state)
{
    (void)state;
    setup_refused(4, "score: SCORE1,SCORE2,SCORE3,SCORE4,SCORE5\n",
                  "setup.score");
    setup_refused(4, "score: SCORE2,SCORE3,SCORE4,SCORE5,SCORE1,SCORE6\n",
                  "setup.score1");
    setup_refused(4, "cards: BON1,BON2\n", "setup.cards");
    setup_refused(4, "order: 1,2,3,3\n", "setup.order");
    setup_refused(2, "vp: 20\n", "setup.vp");
    setup_refused(2, "factions: auren,witches\n", "setup.factions");
    setup_refused(2, "hands: auren\n", "setup.factions");
    setup_refused(2, "hands: auren witches\n", "setup.factions");
    setup_refused(2, "hands: auren nobody+giants\n", "setup.factions");
    setup_refused(2, "hands: auren giants fakirs\n", "setup.factions");
    setup_refused(2, "hands: auren+ giants\n", "setup.factions");
    setup_refused(2, "hands: auren giants\nhands: auren giants\n",
                  "setup.factions");
    setup_refused(2, "hands: auren yetis\n", "setup.factions");
    setup_refused(2, "map:\n\tUSG\n", "setup.map-row");
    setup_refused(2, "start: nonsense\n", "position.line");
    setup_refused(2, "start: round 9 actions\n", "position.value");
    setup_refused(2, "start: round 1 actions active 1\n", "position.value");
}

static void test_missing_map(void **state)
{
    struct setup setup;
    struct fault f = {0};
    (void)state;
    setup_init(&mystica_game, &setup);
    assert_true(setup_option(&mystica_game, &setup, span_of("map"),
                             span_of("given"), &f));
    assert_false(mystica_game.prepare(&world, &setup, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, "setup.map-missing");
}

/* Nine rows given with the setup make the same map as the board's name. */
static void test_own_map(void **state)
{
    static const char rows[] =
        "map:\n\tUSGBYRUKRGBRK\n\tYIIUKIIYKIIY\n\tIIKISIGIGISII\n"
        "\tGBYIIRBIRIRU\n\tKURBKUSYIIGKB\n\tSGIIYGIIIUSU\n"
        "\tIIISIRIGIYKBY\n\tYBUIIIBKISUS\n\tRKSBRGYUSIBGR\n";
    struct setup setup;
    struct fault f = {0};
    (void)state;
    setup_init(&mystica_game, &setup);
    setup.given = rows;
    assert_true(mystica_game.prepare(&world, &setup, &f));
    assert_int_equal(world.cells, 113);
    assert_string_equal(world.name[4 * 13 - 2 + 4], "E5");
}

static struct match *open(const char *option, const char *value)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(&mystica_game, &setup);
    setup.seats = 2;
    assert_true(setup_option(&mystica_game, &setup, span_of(option),
                             span_of(value), &f));
    struct match *m = match_open(&mystica_game, &setup, &f);
    assert_non_null(m);
    return m;
}

static void type(struct match *m, const char *line)
{
    struct fault f = {0};
    char why[300];
    if (match_type(m, match_seat(m), line, &f))
        return;
    fault_write(&mystica_game, &f, why, sizeof why);
    fail_msg("'%s': %s", line, why);
}

static void type_refused(struct match *m, const char *line, const char *name)
{
    struct fault f = {0};
    assert_false(match_type(m, match_seat(m), line, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

/* mystica §13: outbid players bid again; 40 minus the bid remains. */
static void test_auction(void **state)
{
    (void)state;
    struct match *m = open("auction", "nominated");
    type(m, "nominate auren");
    type_refused(m, "nominate witches", "illegal.faction");
    type(m, "nominate giants");
    type(m, "bid 3 for auren");
    type_refused(m, "bid 3 for auren", "illegal.bid");
    type(m, "bid 5 for auren");
    type(m, "bid 0 for giants");
    const struct state *s = match_state(m);
    assert_int_equal(s->phase, PHASE_DWELL);
    assert_int_equal(s->seat[1].faction, AUREN);
    assert_int_equal(s->seat[1].vp, 35);
    assert_int_equal(s->seat[0].vp, 40);
    assert_int_equal(s->order[0], 1);
    match_close(m);
}

/* Laid out by chance, all different in home, and bid for likewise. */
static void test_auction_drawn(void **state)
{
    (void)state;
    struct match *m = open("auction", "drawn");
    const struct state *s = match_state(m);
    char line[60];
    int first = s->layout[0] - 1, second = s->layout[1] - 1;
    assert_int_equal(s->phase, PHASE_BID);
    assert_int_not_equal(factions[first].home, factions[second].home);
    snprintf(line, sizeof line, "bid 7 for %s", factions[second].id);
    type(m, line);
    snprintf(line, sizeof line, "bid 2 for %s", factions[first].id);
    type(m, line);
    s = match_state(m);
    assert_int_equal(s->seat[0].faction, second);
    assert_int_equal(s->seat[0].vp, 33);
    assert_int_equal(s->seat[1].vp, 38);
    /* The turn order is that of the layout. */
    assert_int_equal(s->order[0], 1);
    match_close(m);
}

static struct match *open_dealt(const char *given)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(&mystica_game, &setup);
    setup.seats = 2;
    setup.given = given;
    struct match *m = match_open(&mystica_game, &setup, &f);
    assert_non_null(m);
    return m;
}

/* Each seat chooses from what was dealt to it; a single faction is its own. */
static void test_hands(void **state)
{
    (void)state;
    struct match *m = open_dealt("hands: auren+giants, fakirs+nomads\n");
    action legal[GAME_ACTIONS];
    assert_int_equal(mystica_legal(match_world(m), match_state(m), 0, legal),
                     2);
    type_refused(m, "setup fakirs", "illegal.faction");
    type(m, "setup giants");
    type_refused(m, "setup auren", "illegal.faction");
    type(m, "setup nomads");
    match_close(m);
    m = open_dealt("hands: auren fakirs+nomads\n");
    assert_int_equal(match_state(m)->seat[0].faction, AUREN);
    assert_int_equal(match_state(m)->phase, PHASE_PICK);
    type(m, "setup fakirs");
    assert_int_equal(match_state(m)->phase, PHASE_DWELL);
    match_close(m);
    m = open_dealt("hands: auren, fakirs\n");
    assert_int_equal(match_state(m)->phase, PHASE_DWELL);
    assert_int_equal(match_state(m)->seat[1].faction, FAKIRS);
    match_close(m);
}

static void test_start_vp(void **state)
{
    (void)state;
    struct match *m = open("start-vp", "2017");
    type(m, "setup auren; setup giants");
    assert_int_equal(match_state(m)->seat[0].vp, 27);
    assert_int_equal(match_state(m)->seat[1].vp, 25);
    match_close(m);
    m = open("start-vp", "equal");
    type(m, "setup auren; setup giants");
    assert_int_equal(match_state(m)->seat[0].vp, 20);
    assert_int_equal(match_state(m)->seat[1].vp, 20);
    match_close(m);
}

static void test_factions(void **state)
{
    (void)state;
    struct match *m = open("ice", "yes");
    type(m, "setup yetis");
    type_refused(m, "pick-color ice", "illegal.now");
    type(m, "pick-color green");
    type_refused(m, "setup auren", "illegal.faction");
    type_refused(m, "setup icemaidens", "illegal.faction");
    type_refused(m, "done", "illegal.now");
    type(m, "setup giants");
    type_refused(m, "build E6", "illegal.terrain");
    type(m, "build F4");
    int cell = map_find(match_world(m), "F4", 2);
    assert_int_equal(match_state(m)->terrain[cell], ICE);
    match_close(m);
}

static void test_small_refusals(void **state)
{
    (void)state;
    struct match *m = open("seating", "entered");
    type(m, "setup auren; setup giants; build F4; build D4; build D6; "
            "build E9; pass BON1");
    match_close(m);
    m = open("seating", "entered");
    type(m, "setup auren; setup engineers; build F4; build E7; build F6; "
            "build A3");
    struct setup setup = *match_setup(m);
    match_close(m);
    setup.given = "start: round 2 actions active 1\n"
                  "\tseat 1 engineers gray gray W 9\n"
                  "\tseat 2 auren green green\n"
                  "\tbuild 1 D E5 H6 F1\n"
                  "\tbuild 2 D A3\n"
                  "\tbridge 1 A3 C1\n\tbridge 1 A7 C3\n\tbridge 1 A11 C5\n"
                  "\tturn started 1 acted 1\n";
    struct fault f = {0};
    m = match_open(&mystica_game, &setup, &f);
    assert_non_null(m);
    type_refused(m, "special E4", "illegal.tile-off");
    type(m, "done");
    type_refused(m, "done", "illegal.no-action");
    match_close(m);
}

/* ---- records ---- */

static void record_refused(const char *text, const char *name)
{
    struct fault f = {0};
    assert_null(match_read(&mystica_game, mystica_game.formats, text,
                           strlen(text), NULL, &f));
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

static void test_records(void **state)
{
    (void)state;
    record_refused("game: mystica\nseats: 2\nseed: 0000000000000001\n\n"
                   "7 setup auren\n",
                   "record.line");
    record_refused("game: mystica\nseats: 2\nseed: 0000000000000001\n\n"
                   "1 setup auren\nresult 20 20\n",
                   "record.result");
}

/* ---- command files ---- */

/* What `text` becomes as a command file: a length, or minus a fault. */
static int as_commands(const char *head, const char *steps, char *to,
                       size_t cap)
{
    struct fault f = {0};
    char text[1024];
    snprintf(text, sizeof text, "game: mystica\nseats: 2\n%s\n%s", head, steps);
    struct match *m = match_read(&mystica_game, mystica_game.formats, text,
                                 strlen(text), NULL, &f);
    assert_non_null(m);
    int length = match_write(m, match_format(&mystica_game, "commands"),
                             match_total(m), RECORD_FULL, to, cap);
    match_close(m);
    return length;
}

static void unsaid(const char *head, const char *steps, const char *name)
{
    struct fault f = {0};
    f.code = -as_commands(head, steps, NULL, 0);
    TEST_FAULT_NAMED(&mystica_game, &f, name);
}

#define CHOSEN "1 setup auren\n2 setup giants\n"

static void test_unsaid(void **state)
{
    (void)state;
    unsaid("option auction: drawn\n", "", "commands.auction");
    unsaid("vp: 21,22\n", "1 setup auren\n", "commands.vp");
    unsaid("option special-landscapes: chosen\n", CHOSEN,
           "commands.landscapes");
    unsaid("", "1 setup auren\n2 drops\n", "commands.factions");
    unsaid("", CHOSEN "stop resign 2\n", "commands.stop");
    unsaid("map:\n\tUSGBYRUKRGBRK\n\tYIIUKIIYKIIY\n\tIIKISIGIGISII\n"
           "\tGBYIIRBIRIRU\n\tKURBKUSYIIGKB\n\tSGIIYGIIIUSU\n"
           "\tIIISIRIGIYKBY\n\tYBUIIIBKISUS\n\tRKSBRGYUSIBGR\n",
           CHOSEN, "commands.map");
}

/* A position, and a correction by hand behind the last pass. */
static void test_unsaid_records(void **state)
{
    static struct state s;
    struct step step = {STEP_ACTION, 0, 0, act(DO_ADJUST, 3, 128 + 1)};
    struct record r = {.steps = &step, .count = 1, .world = &world};
    struct fault f = {0};
    (void)state;
    setup_init(&mystica_game, &r.setup);
    r.setup.seats = 2;
    assert_true(mystica_game.prepare(&world, &r.setup, &f));
    mystica_game.start(&world, &r.setup, &s);
    r.state = &s;
    s.round = ROUNDS;
    s.seat[0].passed = true;
    f.code = -commands_write(&r, RECORD_FULL, NULL, 0);
    TEST_FAULT_NAMED(&mystica_game, &f, "commands.correction");
    r.setup.given = "start: any\n";
    f.code = -commands_write(&r, RECORD_FULL, NULL, 0);
    TEST_FAULT_NAMED(&mystica_game, &f, "commands.start");
}

/* The match that a command file of this one is. */
static struct match *through_commands(const char *head, const char *steps)
{
    static char text[4096];
    struct fault f = {0};
    int length = as_commands(head, steps, text, sizeof text);
    assert_true(length > 0);
    struct match *m =
        match_read(&mystica_game, match_format(&mystica_game, "commands"), text,
                   (size_t)length, NULL, &f);
    assert_non_null(m);
    return m;
}

/* Start VP of 2017 are said; another player at a seat changes nothing. */
static void test_said(void **state)
{
    (void)state;
    struct match *m =
        through_commands("option start-vp: 2017\n", CHOSEN "1 taken over\n");
    assert_int_equal(match_total(m), 2);
    assert_int_equal(match_setup(m)->option[OPT_START_VP], 1);
    match_close(m);
}

/* Any other start VP are corrections by hand behind the factions. */
static void test_said_vp(void **state)
{
    (void)state;
    struct match *m = through_commands("vp: 17,31\n", CHOSEN);
    assert_int_equal(match_state(m)->seat[0].vp, 17);
    assert_int_equal(match_state(m)->seat[1].vp, 31);
    match_close(m);
    m = through_commands("option map: fjords\noption start-vp: 2017\n", CHOSEN);
    assert_int_equal(match_state(m)->seat[0].vp, 27);
    match_close(m);
    m = through_commands("option auction: nominated\n",
                         "1 nominate auren\n2 nominate giants\n"
                         "1 bid 3 for giants\n2 bid 5 for auren\n");
    assert_int_equal(match_state(m)->seat[0].faction, AUREN);
    assert_int_equal(match_state(m)->seat[0].vp, 35);
    assert_int_equal(match_state(m)->seat[1].vp, 37);
    match_close(m);
}

/* Factions still to be chosen, and a match that was abandoned. */
static void test_said_early(void **state)
{
    (void)state;
    struct match *m = through_commands("", "1 setup auren\n");
    assert_int_equal(match_setup(m)->seats, 2);
    assert_int_equal(match_state(m)->phase, PHASE_PICK);
    match_close(m);
    m = through_commands("", CHOSEN "stop abandoned\n");
    assert_true(match_over(m));
    assert_int_equal(match_step(m, 2)->reason, ENDING_ABANDONED);
    match_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setups),
        cmocka_unit_test(test_missing_map),
        cmocka_unit_test(test_own_map),
        cmocka_unit_test(test_auction),
        cmocka_unit_test(test_auction_drawn),
        cmocka_unit_test(test_hands),
        cmocka_unit_test(test_start_vp),
        cmocka_unit_test(test_factions),
        cmocka_unit_test(test_small_refusals),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_unsaid),
        cmocka_unit_test(test_unsaid_records),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_said_vp),
        cmocka_unit_test(test_said_early),
    };
    return cmocka_run_group_tests_name("mystica setups", tests, NULL, NULL);
}
