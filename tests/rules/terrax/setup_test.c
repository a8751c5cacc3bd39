/* tests/rules/terrax/setup_test.c: what the number of players, the options of
 * terrax §12 and the variants of §13 make of the setup (§3), and what others
 * are shown with those that hide or show more (§14). */
#include "tests/test.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/terrax/state.h"

enum { TEXT = 1 << 18 };

static char text[TEXT];

/* "hand=5 var_short=on" */
static bool set_up(struct setup *setup, int seats, const char *options,
                   struct fault *f)
{
    struct span rest = span_of(options), word;
    setup_init(&terrax_game, setup);
    setup->seats = seats;
    while ((word = span_word(&rest)).length > 0) {
        struct span value = word, name = span_cut(&value, '=');
        if (!setup_option(&terrax_game, setup, name, value, f))
            return false;
    }
    return true;
}

static struct match *begin(int seats, const char *options, uint64_t seed)
{
    struct setup setup;
    struct fault f = {0};
    if (!set_up(&setup, seats, options, &f))
        fail_msg("no option in '%s'", options);
    setup.seed = seed;
    struct match *m = match_open(&terrax_game, &setup, &f);
    if (!m)
        fail_msg("%d seats, '%s': %s", seats, options,
                 fault_text(&terrax_game, f.code)->name);
    return m;
}

static int opens(const struct match *m)
{
    int count = 0;
    for (int i = 0; i < match_world(m)->option[OPT_OPEN_COUNT]; i++)
        count += match_state(m)->open[i] < match_world(m)->cards;
    return count;
}

/* ---- numbers ---- */

struct deal {
    const char *options;
    int seats, hand, open, stack, cheques, phase, marked;
};

static const struct deal deals[] = {
    {"", 2, 12, 6, 49, 3, PHASE_MARK, 0},
    {"", 3, 12, 6, 37, 3, PHASE_MARK, 0},
    {"", 4, 9, 6, 37, 3, PHASE_MARK, 0},
    {"", 5, 9, 6, 28, 3, PHASE_MARK, 0},
    {"", 6, 9, 6, 19, 3, PHASE_MARK, 0},
    {"hand=0", 3, 12, 6, 37, 3, PHASE_MARK, 0},
    {"hand=1", 2, 1, 6, 71, 3, PHASE_MARK, 0},
    {"hand=13", 5, 13, 6, 8, 3, PHASE_MARK, 0},
    {"hand=13 open_count=1", 6, 13, 1, 0, 3, PHASE_MARK, 0},
    {"open_count=0", 4, 9, 0, 43, 3, PHASE_MARK, 0},
    {"open_count=10", 4, 9, 10, 33, 3, PHASE_MARK, 0},
    {"cheques=0", 6, 9, 6, 19, 0, PHASE_MARK, 0},
    {"cheques=10", 6, 9, 6, 19, 10, PHASE_MARK, 0},
    {"markers=0", 4, 9, 6, 37, 3, PHASE_TURN, 0},
    {"var_short=on", 2, 12, 6, 49, 3, PHASE_MARK, 0},
    {"var_short=on", 3, 12, 6, 37, 3, PHASE_MARK, 0},
    {"var_short=on", 4, 8, 6, 41, 3, PHASE_MARK, 0},
    {"var_short=on", 6, 8, 6, 25, 3, PHASE_MARK, 0},
    {"var_short=on hand=7", 6, 7, 6, 31, 3, PHASE_MARK, 0},
    {"var_dealt=on", 2, 12, 6, 49, 3, PHASE_TURN, 5},
    {"var_dealt=on", 3, 12, 6, 37, 3, PHASE_TURN, 5},
    {"var_dealt=on", 4, 8, 6, 41, 3, PHASE_TURN, 5},
    {"var_dealt=on", 6, 8, 6, 25, 3, PHASE_TURN, 5},
    {"var_openhands=on", 4, 9, 6, 37, 3, PHASE_MARK, 0},
};

static void test_deals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof deals / sizeof *deals; i++) {
        const struct deal *d = &deals[i];
        struct match *m = begin(d->seats, d->options, 1 + i);
        const struct state *s = match_state(m);
        for (int seat = 0; seat < d->seats; seat++) {
            assert_int_equal(s->held[seat], d->hand);
            assert_int_equal(set_count(s->hand[seat]), d->hand);
            assert_int_equal(s->cheques[seat], d->cheques);
            assert_int_equal(set_count(s->marker[seat]), d->marked);
        }
        assert_int_equal(opens(m), d->open);
        assert_int_equal(s->stacked, d->stack);
        assert_int_equal(s->bank, CHEQUES - d->seats * d->cheques);
        assert_int_equal(s->spent, 0);
        for (int k = 0; k < COLOURS; k++)
            assert_int_equal(supply_of(s, k), ARROWS);
        assert_int_equal(s->phase, d->phase);
        assert_int_equal(s->seat, 0);
        match_close(m);
    }
}

/* Markers that everybody has placed when the first turn begins. */
struct marks {
    const char *options;
    int seats, each, least; /* least: legs from the hub */
};

static const struct marks marks[] = {
    {"", 2, 4, 2},
    {"", 6, 4, 2},
    {"markers=1", 3, 1, 2},
    {"markers=10 hand=13", 2, 10, 2},
    {"markers=3 mark_min=5", 4, 3, 5},
    {"var_online=on", 3, 4, 3},
    {"var_choose=on", 2, 10, 2},
    {"var_choose=on", 4, 10, 2},
    {"var_choose=on", 5, 8, 2},
    {"var_choose=on", 6, 7, 2},
    {"var_choose=on mark_min=6", 6, 7, 6},
};

/* Each seat marks the nearest card that it may, one after the other. */
static void mark_nearest(struct match *m)
{
    const struct world *w = match_world(m);
    action legal[GAME_ACTIONS];
    for (int turn = 0; match_state(m)->phase == PHASE_MARK; turn++) {
        int seat = match_state(m)->seat, best = 0;
        assert_int_equal(seat, turn % w->seats);
        int count = terrax_legal(w, match_state(m), seat, legal);
        assert_true(count > 0 && act_kind(legal[0]) == ACT_MARK);
        for (int i = 1; i < count; i++)
            if (w->far[act_card_of(legal[i])] <
                w->far[act_card_of(legal[best])])
                best = i;
        match_play(m, seat, legal[best]);
    }
}

static void test_marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        int least = 99;
        struct match *m = begin(marks[i].seats, marks[i].options, 7);
        const struct world *w = match_world(m);
        mark_nearest(m);
        const struct state *s = match_state(m);
        assert_int_equal(s->phase, PHASE_TURN);
        assert_int_equal(match_count(m), marks[i].seats * marks[i].each);
        for (int seat = 0; seat < w->seats; seat++) {
            assert_int_equal(set_count(s->marker[seat]), marks[i].each);
            SET_EACH(card, s->marker[seat])
            {
                assert_true(set_has(s->hand[seat], card));
                least = w->far[card] < least ? w->far[card] : least;
            }
            if (w->option[VAR_CHOOSE]) /* §13: these are the hand */
                assert_int_equal(s->held[seat], marks[i].each);
        }
        assert_true(least >= marks[i].least);
        if (w->option[VAR_CHOOSE])
            assert_int_equal(least, marks[i].least);
        assert_int_equal(opens(m), 6);
        match_close(m);
    }
}

/* The row lies as far away as asked, and no farther. */
static void test_open_min(void **state)
{
    (void)state;
    static const int wanted[] = {0, 3, 6, 9};
    for (int i = 0; i < 4; i++) {
        char options[32];
        int least = 99;
        snprintf(options, sizeof options, "hand=1 open_min=%d", wanted[i]);
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct match *m = begin(2, options, seed);
            for (int slot = 0; slot < 6; slot++) {
                int far = match_world(m)->far[match_state(m)->open[slot]];
                least = far < least ? far : least;
            }
            match_close(m);
        }
        assert_int_equal(least, wanted[i] ? wanted[i] : 1);
    }
}

/* §12: chance names the beginner, and the record tells. */
/* terrax §16.29: NEB, two legs from the hub, does not come into the first row.
 * Cards put aside for that are shuffled back: were they laid under the stack,
 * none that is far enough would lie there. */
static void test_put_aside(void **state)
{
    (void)state;
    int stacked = 0, under = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct match *m = begin(3, "open_min=9", seed);
        const struct world *w = match_world(m);
        const struct state *s = match_state(m);
        int neb = tx_map_card(w, span_of("NEB"));
        assert_int_equal(w->far[neb], 2);
        assert_int_not_equal(s->where[neb], AT_OPEN);
        for (int i = 0; i < s->stacked; i++) {
            stacked += s->stack[i] == neb;
            under += i >= s->stacked - 5 && w->far[s->stack[i]] >= 9;
        }
        match_close(m);
        m = begin(3, "", seed);
        assert_int_not_equal(match_state(m)->where[neb], AT_OPEN);
        match_close(m);
    }
    assert_true(stacked > 10 && under > 10);
}

static void test_first(void **state)
{
    (void)state;
    int begins[4] = {0};
    struct fault f = {0};
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct match *m = begin(4, "first=random markers=0", seed);
        begins[match_state(m)->seat]++;
        match_close(m);
        m = begin(4, "first=seat1 markers=0", seed);
        assert_int_equal(match_state(m)->seat, 0);
        match_close(m);
    }
    for (int seat = 0; seat < 4; seat++)
        assert_in_range(begins[seat], 60, 140);
    struct match *m = begin(4, "first=random markers=1", 3);
    int first = match_state(m)->seat;
    match_write(m, match_format(&terrax_game, "txg"), 0, RECORD_FULL, text,
                TEXT);
    char tag[24];
    snprintf(tag, sizeof tag, "[First \"%d\"]", first + 1);
    assert_non_null(strstr(text, tag));
    struct match *back =
        match_read(&terrax_game, match_format(&terrax_game, "txg"), text,
                   strlen(text), NULL, &f);
    assert_non_null(back);
    assert_int_equal(match_state(back)->seat, first);
    match_close(back);
    match_close(m);
}

/* ---- values ---- */

struct value {
    const char *options;
    int option, value;
};

/* Every usual value, what the variants preset, and that what is given wins. */
static const struct value values[] = {
    {"", OPT_CLAIMS, CLAIMS_AUTO},
    {"", OPT_PASS, PASS_NEVER},
    {"", OPT_SECOND_LOOP, SECOND_FORBID},
    {"", OPT_BRANCH_HUB, 0},
    {"", OPT_UNDO_RED, 0},
    {"", OPT_UNDO_OPEN, 1},
    {"", OPT_SWAP_MARKED, 0},
    {"", OPT_CLAIM_PRESENT, 1},
    {"", OPT_EDGE_CHEQUE, 0},
    {"", OPT_START_SHARED, 0},
    {"", OPT_RECYCLE, 1},
    {"", OPT_TIE, TIE_SHARED},
    {"", OPT_CHEQUE_INFO, INFO_PUBLIC},
    {"", OPT_HAND, 0},
    {"", OPT_OPEN_MIN, 3},
    {"", OPT_OPEN_COUNT, 6},
    {"", OPT_MARKERS, 4},
    {"", OPT_MARK_MIN, 2},
    {"", OPT_CHEQUES, 3},
    {"", OPT_FIRST, FIRST_SEAT1},
    {"", OPT_MAX_ROUNDS, 0},
    {"", OPT_STANDSTILL, 10},
    {"var_edge_red=on", OPT_EDGE_CHEQUE, 1},
    {"var_edge_red=on edge_cheque=off", OPT_EDGE_CHEQUE, 0},
    {"var_online=on", OPT_MARK_MIN, 3},
    {"var_online=on mark_min=2", OPT_MARK_MIN, 2},
    {"var_online=on", OPT_UNDO_RED, 1},
    {"var_online=on", OPT_BRANCH_HUB, 1},
    {"var_online=on", OPT_TIE, TIE_CHEQUES},
    {"var_online=on tie=markers", OPT_TIE, TIE_MARKERS},
    {"var_online=on branch_hub=off", OPT_BRANCH_HUB, 0},
    {"var_rest=on", OPT_PASS, PASS_CHEQUE},
    {"var_rest=on pass=never", OPT_PASS, PASS_NEVER},
    {"var_online=on var_rest=on var_edge_red=on", OPT_PASS, PASS_CHEQUE},
    {"var_online=on var_rest=on var_edge_red=on", OPT_EDGE_CHEQUE, 1},
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct match *m = begin(4, values[i].options, 1);
        int found = match_world(m)->option[values[i].option];
        if (found != values[i].value)
            fail_msg("'%s': %s is %d", values[i].options,
                     terrax_options[values[i].option].name, found);
        match_close(m);
    }
}

/* The least and the greatest value of every number are taken, the next ones
 * refused; so are unknown names and words. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int low, high;
    } numbers[] = {
        {"hand", 0, 13},       {"open_min", 0, 9},     {"open_count", 0, 10},
        {"markers", 0, 10},    {"mark_min", 0, 9},     {"cheques", 0, 10},
        {"standstill", 0, 99}, {"max_rounds", 0, 999},
    };
    static const char *const bad[] = {
        "claims=maybe", "pass=on",   "tie=both",   "hands=3",
        "first=seat2",  "hand=five", "recycle=1x", "var_none=on"};
    struct setup setup;
    struct fault f = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int value = numbers[i].low - 1; value <= numbers[i].high + 1;
             value++) {
            char option[32];
            snprintf(option, sizeof option, "%s=%d", numbers[i].name, value);
            bool inside = value >= numbers[i].low && value <= numbers[i].high;
            assert_int_equal(set_up(&setup, 2, option, &f), inside);
            if (inside)
                match_close(begin(2, option, 1));
        }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(set_up(&setup, 2, bad[i], &f));
}

static void test_conflicts(void **state)
{
    (void)state;
    static const struct {
        int seats;
        const char *options;
    } bad[] = {
        {2, "var_dealt=on var_choose=on"},
        {4, "var_dealt=on hand=9"},
        {4, "var_dealt=on markers=5"},
        {4, "var_choose=on hand=9"},
        {4, "var_choose=on markers=7"},
        {6, "hand=13 open_count=2"},
        {6, "hand=13"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct setup setup;
        struct fault f = {0};
        assert_true(set_up(&setup, bad[i].seats, bad[i].options, &f));
        assert_null(match_open(&terrax_game, &setup, &f));
        TEST_FAULT(&terrax_game, &f, TX_OPTION);
    }
}

/* ---- what others are shown (§14) ---- */

static const char *scene(const struct match *m, int viewer)
{
    int length =
        terrax_write_scene(match_world(m), match_state(m), viewer, text, TEXT);
    assert_in_range(length, 1, TEXT - 1);
    return text;
}

static int times(const char *where, const char *what)
{
    int count = 0;
    for (const char *at = where; (at = strstr(at, what)); at++)
        count++;
    return count;
}

static void test_cheque_info(void **state)
{
    (void)state;
    struct fault f = {0};
    struct match *m =
        begin(3, "cheque_info=hidden markers=0 max_rounds=1 hand=3", 5);
    assert_int_equal(times(scene(m, 0), "\"cheques\":null"), 2);
    assert_non_null(strstr(text, "\"bank\":null,\"spent\":null"));
    assert_int_equal(times(scene(m, SEAT_NONE), "\"cheques\":null"), 3);
    match_close(m);
    m = begin(3, "markers=0 max_rounds=1 hand=3", 5);
    assert_int_equal(times(scene(m, 0), "\"cheques\":null"), 0);
    assert_non_null(strstr(text, "\"bank\":66"));
    match_close(m);
    m = begin(3, "cheque_info=hidden markers=0 max_rounds=1 hand=3", 5);
    static const char *const turns[] = {"A>rCOP end", "B>gRIG end",
                                        "C>KIZ end"};
    for (int seat = 0; seat < 3; seat++)
        assert_true(match_type(m, seat, turns[seat], &f));
    assert_int_equal(match_state(m)->phase, PHASE_OVER);
    assert_int_equal(times(scene(m, 0), "\"cheques\":null"), 0);
    assert_non_null(strstr(text, "\"bank\":65"));
    match_close(m);
}

/* Hands face up are told to everybody, what was drawn and not kept is not. */
static void test_openhands(void **state)
{
    (void)state;
    struct fault f = {0};
    struct state view;
    struct match *m = begin(3, "var_openhands=on markers=0", 5);
    for (int viewer = SEAT_NONE; viewer < 3; viewer++) {
        terrax_observe(match_world(m), match_state(m), viewer, &view);
        assert_memory_equal(view.hand, match_state(m)->hand, sizeof view.hand);
        for (int i = 0; i < view.stacked; i++)
            assert_int_equal(view.stack[i], ANY_CARD);
    }
    const struct world *w = match_world(m);
    const struct state *s = match_state(m);
    int given = 0;
    while (!set_has(s->hand[0], given))
        given++;
    const char *kept = tx_card_id(w, s->stack[s->stacked - 1]),
               *other = tx_card_id(w, s->stack[s->stacked - 2]);
    char line[32], seen[32];
    snprintf(line, sizeof line, "$x%s =%s", tx_card_id(w, given), kept);
    assert_true(match_type(m, 0, line, &f));
    match_write(m, match_format(&terrax_game, "txg"), match_count(m), 1, text,
                TEXT);
    snprintf(seen, sizeof seen, "$x%s/?=%s", tx_card_id(w, given), kept);
    assert_non_null(strstr(text, seen));
    assert_null(strstr(text, other));
    match_close(m);
}

/* A marked card that is given up was known to all; the card drawn is not. */
static void test_swap_marked(void **state)
{
    (void)state;
    struct fault f = {0};
    struct match *m = begin(2, "swap_marked=on markers=1", 9);
    mark_nearest(m);
    const struct world *w = match_world(m);
    const struct state *s = match_state(m);
    const char *marked = tx_card_id(w, s->mark[0][0]),
               *kept = tx_card_id(w, s->stack[s->stacked - 1]);
    char line[32], seen[32];
    snprintf(line, sizeof line, "$x%s =%s", marked, kept);
    assert_true(match_type(m, 0, line, &f));
    snprintf(seen, sizeof seen, "1.1 $x%s/?\n", marked);
    for (int viewer = SEAT_NONE; viewer < 2; viewer++) {
        match_write(m, match_format(&terrax_game, "txg"), match_count(m),
                    viewer, text, TEXT);
        assert_int_equal(strstr(text, seen) != NULL, viewer != 0);
        assert_int_equal(strstr(text, kept) != NULL, viewer == 0);
        struct match *back =
            match_read(&terrax_game, match_format(&terrax_game, "txg"), text,
                       strlen(text), NULL, &f);
        assert_non_null(back);
        match_close(back);
    }
    match_close(m);
}

/* Who dreams of an arrow learns nothing of who completes a mission by it, nor
 * which cards a swap would draw: whatever is said of that is refused alike. */
static void test_dreams(void **state)
{
    (void)state;
    struct match *m = begin(3, "markers=0", 5);
    const struct world *w = match_world(m);
    const struct state *s = match_state(m);
    int given = 0;
    while (!set_has(s->hand[0], given))
        given++;
    for (int card = 0; card < w->cards; card++) {
        struct fault f = {0};
        char lines[3][64];
        const char *id = tx_card_id(w, card), *own = tx_card_id(w, given);
        if (s->where[card] == AT_OPEN || set_has(s->hand[0], card))
            continue;
        snprintf(lines[0], sizeof lines[0], "$x%s =%s", own, id);
        snprintf(
            lines[1], sizeof lines[1], "$x%s/%s,%s", own, id,
            tx_card_id(w, s->stack[0] == card ? s->stack[1] : s->stack[0]));
        snprintf(lines[2], sizeof lines[2], "B>KIZ (%d:KIZ)", 2 + card % 2);
        for (int i = 0; i < 3; i++) {
            match_dream(m, 0);
            assert_false(match_type_as(m, 1, 0, lines[i], &f));
            TEST_FAULT(&terrax_game, &f, FAULT_HIDDEN);
            assert_int_equal(f.column, i == 0 ? 7 : 1);
            match_wake(m);
        }
    }
    match_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deals),     cmocka_unit_test(test_marks),
        cmocka_unit_test(test_open_min),  cmocka_unit_test(test_first),
        cmocka_unit_test(test_values),    cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_conflicts), cmocka_unit_test(test_cheque_info),
        cmocka_unit_test(test_openhands), cmocka_unit_test(test_swap_marked),
        cmocka_unit_test(test_dreams),    cmocka_unit_test(test_put_aside),
    };
    return cmocka_run_group_tests_name("terrax setup", tests, NULL, NULL);
}
