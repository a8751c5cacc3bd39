/* tests/game/match_test.c: game/match.h and game/record.h, for every game.
 *
 * Random matches are undone, redone, typed again line by line, saved in every
 * format, read back, and read again after their text was damaged. */
#include "tests/random.h"

#include "game/match.h"

enum { TEXT = 1 << 20 };

struct table {
    const struct game *game;
    int seats;
    struct rng chance;
    char name[64];
};

static char text_buffer[TEXT], second_buffer[TEXT];

/* ---- helpers ---- */

static int table_open(void **state)
{
    struct table *t = *state;
    t->chance = random_source(t->game, 100 + t->seats);
    return 0;
}

static struct match *open_random(struct table *t)
{
    struct match *m = NULL;
    while (!m) {
        struct setup setup;
        struct fault f = {0};
        random_setup(t->game, t->seats, &t->chance, &setup);
        m = match_open(t->game, &setup, &f);
    }
    return m;
}

/* Plays up to `count` random actions; false once the match is over. */
static bool play_random(struct table *t, struct match *m, int count)
{
    action legal[GAME_ACTIONS];
    while (count-- > 0) {
        int choices;
        int seat = random_seat(t->game, match_world(m), match_state(m),
                               &t->chance, legal, &choices);
        if (seat == SEAT_NONE)
            return false;
        match_play(m, seat, legal[rng_below(&t->chance, choices)]);
    }
    return !match_over(m);
}

static void assert_same_state(const struct table *t, const struct state *a,
                              const struct state *b)
{
    assert_memory_equal(a, b, t->game->state_size);
}

static void assert_same_steps(const struct match *a, const struct match *b)
{
    assert_int_equal(match_count(a), match_count(b));
    for (int i = 0; i < match_count(a); i++) {
        const struct step *x = match_step(a, i), *y = match_step(b, i);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->seat, y->seat);
        assert_int_equal(x->reason, y->reason);
        assert_int_equal(x->action, y->action);
    }
}

/* ---- undo and redo ---- */

static void test_undo(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    struct state *at = malloc(t->game->state_size);
    assert_false(match_can_undo(m));
    assert_false(match_undo(m, true));
    assert_false(match_can_redo(m));
    play_random(t, m, 60);
    int total = match_count(m);
    for (int count = total - 1; count >= 0; count--) {
        assert_true(match_undo(m, true));
        assert_int_equal(match_count(m), count);
        assert_int_equal(match_total(m), total);
        match_at(m, count, at);
        assert_same_state(t, match_state(m), at);
        assert_true(match_fence(m) <= count);
    }
    assert_same_state(t, match_state(m), match_first(m));
    for (int count = 1; count <= total; count++) {
        assert_true(match_redo(m));
        match_at(m, count, at);
        assert_same_state(t, match_state(m), at);
    }
    assert_false(match_redo(m));
    free(at);
    match_close(m);
}

/* Without force undo goes back to the last fence and no further, and a new
 * action forgets what was taken back. */
static void test_draft(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    for (int round = 0; round < 40 && play_random(t, m, 3); round++) {
        const struct game *g = t->game;
        int fence = match_fence(m);
        uint32_t now = g->fence(match_world(m), match_state(m));
        while (match_can_undo(m)) {
            assert_true(match_undo(m, false));
            assert_true(g->fence(match_world(m), match_state(m)) == now);
        }
        assert_int_equal(match_count(m), fence);
        assert_false(match_undo(m, false));
        if (match_can_redo(m))
            assert_true(match_redo(m));
        play_random(t, m, 1);
        assert_int_equal(match_count(m), match_total(m));
    }
    match_close(m);
}

static void test_no_undo_of_events(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    play_random(t, m, 2);
    match_takeover(m, 0);
    assert_false(match_can_undo(m));
    if (!match_over(m))
        match_stop(m, ENDING_AGREED, SEAT_NONE);
    assert_true(match_over(m));
    assert_false(match_undo(m, false));
    assert_true(match_undo(m, true));
    match_close(m);
}

/* ---- typing ---- */

static void add_action(struct table *t, struct match *m, char *line, size_t cap)
{
    static const char *const between[] = {" ", ", ", ";", "  ,; "};
    action legal[GAME_ACTIONS];
    int seat = match_seat(m);
    int count = t->game->legal(match_world(m), match_state(m), seat, legal);
    action a = legal[rng_below(&t->chance, count)];
    size_t length = strlen(line);
    if (length > 0)
        length += (size_t)snprintf(line + length, cap - length, "%s",
                                   between[rng_below(&t->chance, 4)]);
    t->game->write_action(match_world(m), match_state(m), seat, a, seat,
                          line + length, cap - length);
    match_play(m, seat, a);
}

/* Does match_type() go on with the seat that match_seat() names, or with the
 * one that has to act still? */
static bool line_goes_on(const struct table *t, const struct match *m, int seat)
{
    unsigned must, may;
    t->game->turn(match_world(m), match_state(m), &must, &may);
    return must && (match_seat(m) == seat || !(must >> seat & 1));
}

static void test_typing(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t), *typed;
    struct fault f = {0};
    typed = match_open(t->game, match_setup(m), &f);
    assert_non_null(typed);
    while (match_count(m) < 200 && !match_over(m)) {
        char line[8192] = "";
        int first = match_seat(m), seat = first;
        int wanted = 1 + rng_below(&t->chance, 6);
        for (int i = 0; i < wanted; i++) {
            add_action(t, m, line, sizeof line);
            if (!line_goes_on(t, m, seat))
                break;
            seat = match_seat(m);
        }
        if (!match_type(typed, first, line, &f)) {
            fault_write(t->game, &f, text_buffer, TEXT);
            fail_msg("'%s': %s", line, text_buffer);
        }
        assert_same_state(t, match_state(m), match_state(typed));
        strcat(line, " \001");
        int count = match_count(typed);
        assert_false(match_type(typed, match_seat(m), line, &f));
        assert_int_equal(match_count(typed), count);
    }
    assert_same_steps(m, typed);
    match_close(m);
    match_close(typed);
}

static void test_type_refusals(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    struct fault f = {0};
    assert_false(match_type(m, t->seats, "x", &f));
    TEST_FAULT(t->game, &f, FAULT_TURN);
    assert_false(match_type(m, SEAT_NONE, "x", &f));
    TEST_FAULT(t->game, &f, FAULT_TURN);
    assert_false(match_type(m, match_seat(m), " \001", &f));
    assert_int_equal(f.column, 2);
    match_stop(m, ENDING_ABANDONED, SEAT_NONE);
    assert_false(match_type(m, 0, "x", &f));
    TEST_FAULT(t->game, &f, FAULT_OVER);
    match_close(m);
}

/* What a seat sees of the present state, in memory to be freed. */
static struct state *view_now(const struct table *t, const struct match *m,
                              int seat)
{
    size_t size = t->game->state_size;
    struct state *view = calloc(1, size);
    if (t->game->observe)
        t->game->observe(match_world(m), match_state(m), seat, view);
    else
        memcpy(view, match_state(m), size);
    return view;
}

/* In a dream lines are read and played on a view; afterwards it was nothing. */
static void test_dreams(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    struct fault f = {0};
    while (match_count(m) < 120 && !match_over(m)) {
        char line[256] = "";
        int seat = match_seat(m), count = match_count(m);
        add_action(t, m, line, sizeof line);
        match_undo(m, true);
        struct state *before = view_now(t, m, SEAT_NONE);
        struct state *seen = view_now(t, m, seat);
        match_dream(m, seat);
        assert_memory_equal(match_state(m), seen, t->game->state_size);
        if (!match_type_as(m, 1u << seat, seat, line, &f)) {
            fault_write(t->game, &f, text_buffer, TEXT);
            fail_msg("'%s': %s", line, text_buffer);
        }
        assert_int_equal(match_count(m), count + 1);
        struct state *after = view_now(t, m, seat);
        assert_memory_equal(match_state(m), after, t->game->state_size);
        match_at(m, count, after);
        assert_memory_equal(after, seen, t->game->state_size);
        match_wake(m);
        assert_int_equal(match_count(m), count);
        free(after);
        after = view_now(t, m, SEAT_NONE);
        assert_memory_equal(after, before, t->game->state_size);
        assert_true(match_type_as(m, 1u << seat, seat, line, &f));
        free(before);
        free(seen);
        free(after);
    }
    match_close(m);
}

/* ---- files ---- */

static int write_text(const struct match *m, const struct record_format *format,
                      int viewer, char *to)
{
    int count = match_count(m);
    int length = match_write(m, format, count, viewer, to, TEXT);
    if (length < 0)
        return length;
    assert_in_range(length, 1, TEXT - 1);
    assert_int_equal(strlen(to), length);
    assert_int_equal(match_write(m, format, count, viewer, NULL, 0), length);
    size_t bad;
    assert_true(span_utf8(span_of(to), &bad));
    assert_true(format->recognise(to, (size_t)length));
    return length;
}

/* The first format stands on its own; others may leave options to the caller.
 */
static struct match *read_text(const struct game *game,
                               const struct record_format *format,
                               const struct setup *silent, const char *text,
                               int length)
{
    struct fault f = {0};
    struct match *m = match_read(game, format, text, (size_t)length,
                                 format == game->formats ? NULL : silent, &f);
    if (!m) {
        char why[300];
        fault_write(game, &f, why, sizeof why);
        fail_msg("cannot read back as %s: %d:%d %s\n%s", format->name, f.line,
                 f.column, why, text);
    }
    return m;
}

/* What was written reads back, and is written the same again. */
static struct match *round_trip(const struct table *t, const struct match *m,
                                const struct record_format *format, int viewer)
{
    int length = write_text(m, format, viewer, text_buffer);
    if (format == t->game->formats && viewer == RECORD_FULL)
        assert_true(length > 0);
    if (length < 0 || !format->read)
        return NULL;
    struct match *back =
        read_text(t->game, format, match_setup(m), text_buffer, length);
    if (format->write) {
        write_text(back, format, viewer, second_buffer);
        assert_string_equal(text_buffer, second_buffer);
    }
    return back;
}

static void check_formats(const struct table *t, const struct match *m)
{
    for (const struct record_format *i = t->game->formats; i->name; i++) {
        assert_ptr_equal(match_format(t->game, i->name), i);
        assert_non_null(i->recognise);
        if (!i->write)
            continue;
        struct match *back = round_trip(t, m, i, RECORD_FULL);
        if (back && i == t->game->formats) {
            assert_same_steps(m, back);
            assert_same_state(t, match_state(m), match_state(back));
        }
        match_close(back);
        for (int viewer = SEAT_NONE; viewer < t->seats; viewer++)
            match_close(round_trip(t, m, i, viewer));
    }
}

/* Events of all kinds find their way into the file and back. */
static void add_events(struct table *t, struct match *m)
{
    match_takeover(m, rng_below(&t->chance, t->seats));
    play_random(t, m, 3);
    if (t->seats > 2 && !match_over(m)) {
        match_drop(m, rng_below(&t->chance, t->seats));
        play_random(t, m, 3);
    }
    if (match_over(m))
        return;
    int reason = ENDING_RESIGN + rng_below(&t->chance, 4);
    bool blamed = reason == ENDING_RESIGN || reason == ENDING_TIME;
    match_stop(m, reason, blamed ? match_seat(m) : SEAT_NONE);
}

/* Nobody but the whole record may tell the seed while something is hidden. */
static void check_seed_is_secret(const struct table *t, const struct match *m)
{
    char hex[32], decimal[32];
    uint64_t seed = match_setup(m)->seed;
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)seed);
    snprintf(decimal, sizeof decimal, "%llu", (unsigned long long)seed);
    for (const struct record_format *i = t->game->formats;
         i->name && t->game->observe; i++)
        for (int viewer = SEAT_NONE; viewer < t->seats && i->write; viewer++) {
            if (write_text(m, i, viewer, text_buffer) < 0)
                continue;
            assert_null(strstr(text_buffer, hex));
            assert_null(strstr(text_buffer, decimal));
        }
}

static void test_events_in_files(void **state)
{
    struct table *t = *state;
    int matches = test_scale(8, 20, 500);
    for (int i = 0; i < matches; i++) {
        struct match *m = open_random(t);
        if (play_random(t, m, rng_below(&t->chance, 4)))
            add_events(t, m);
        check_formats(t, m);
        match_close(m);
    }
}

static void test_files(void **state)
{
    struct table *t = *state;
    int matches = test_scale(3, 10, 200);
    for (int i = 0; i < matches; i++) {
        struct match *m = open_random(t);
        assert_true(match_set_note(m, "Event", "a test"));
        check_formats(t, m);
        bool on = play_random(t, m, 1 + rng_below(&t->chance, 30));
        check_formats(t, m);
        check_seed_is_secret(t, m);
        if (on)
            play_random(t, m, 20000);
        check_formats(t, m);
        match_close(m);
    }
}

/* ---- damage ---- */

static void damage(struct table *t, char *text, int length)
{
    struct rng *r = &t->chance;
    int at = rng_below(r, length);
    switch (rng_below(r, 4)) {
    case 0:
        text[at] = '\0';
        break;
    case 1:
        text[at] = (char)(32 + rng_below(r, 95));
        break;
    case 2:
        text[at] = "\n\t :;,0-"[rng_below(r, 8)];
        break;
    default: /* a piece repeated */
        memmove(text + at, text + at / 2, strlen(text + at / 2) + 1);
        break;
    }
}

static void assert_refused_well(const struct table *t, const struct fault *f,
                                const char *text)
{
    int lines = 1;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_not_equal(f->code, FAULT_NONE);
    assert_int_equal(fault_text(t->game, f->code)->code, f->code);
    assert_in_range(f->line, 0, lines);
    assert_true(f->column >= 0);
}

static void test_damaged_files(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    play_random(t, m, 40);
    int tries = test_scale(100, 400, 20000);
    for (int i = 0; i < tries; i++) {
        const struct record_format *format = t->game->formats;
        struct fault f = {0};
        int length = match_write(m, format, match_count(m), RECORD_FULL,
                                 text_buffer, TEXT / 2);
        damage(t, text_buffer, length);
        struct match *back = match_read(t->game, format, text_buffer,
                                        strlen(text_buffer), NULL, &f);
        if (!back)
            assert_refused_well(t, &f, text_buffer);
        match_close(back);
    }
    match_close(m);
}

static void test_foreign_files(void **state)
{
    const struct table *t = *state;
    static const char *const foreign[] = {"", "\n", "hello", "\177ELF"};
    for (const struct record_format *i = t->game->formats; i->name; i++)
        for (size_t k = 0; k < 4 && i->read; k++) {
            struct fault f = {0};
            assert_false(i->recognise(foreign[k], strlen(foreign[k])));
            assert_null(match_read(t->game, i, foreign[k], strlen(foreign[k]),
                                   NULL, &f));
            assert_refused_well(t, &f, foreign[k]);
        }
    struct fault f = {0};
    assert_null(match_read(t->game, t->game->formats, "ab\n\xff", 4, NULL, &f));
    if (t->game->names_not_utf8)
        return;
    TEST_FAULT(t->game, &f, FAULT_ENCODING);
    assert_int_equal(f.line, 2);
}

/* ---- notes ---- */

static void test_notes(void **state)
{
    struct table *t = *state;
    struct match *m = open_random(t);
    char value[64] = "left alone";
    assert_false(match_note(m, "Event", value, sizeof value));
    assert_string_equal(value, "left alone");
    assert_true(match_set_note(m, "Event", "final: one"));
    assert_true(match_set_note(m, "Date", "2024-05-01"));
    assert_true(match_note(m, "Event", value, sizeof value));
    assert_string_equal(value, "final: one");
    assert_true(match_set_note(m, "Event", "two"));
    assert_true(match_note(m, "Event", value, sizeof value));
    assert_string_equal(value, "two");
    assert_true(match_set_note(m, "Event", NULL));
    assert_false(match_note(m, "Event", value, sizeof value));
    assert_true(match_note(m, "Date", value, sizeof value));
    assert_string_equal(value, "2024-05-01");
    assert_false(match_set_note(m, "a:b", "c"));
    assert_false(match_set_note(m, "a", "b\nc"));
    match_close(m);
}

/* ---- every game, every number of seats ---- */

static const struct {
    const char *name;
    CMUnitTestFunction run;
} checks[] = {
    {"undo", test_undo},
    {"draft", test_draft},
    {"events", test_no_undo_of_events},
    {"typing", test_typing},
    {"type refusals", test_type_refusals},
    {"dreams", test_dreams},
    {"files", test_files},
    {"events in files", test_events_in_files},
    {"damaged files", test_damaged_files},
    {"foreign files", test_foreign_files},
    {"notes", test_notes},
};

int main(void)
{
    static struct table tables[512];
    static struct CMUnitTest tests[512];
    size_t count = 0;
    for (int i = 0; rules_games[i]; i++) {
        const struct game *game = rules_games[i];
        for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
            for (int seats = game->seats_min; seats <= game->seats_max;
                 seats++) {
                struct table *t = &tables[count];
                t->game = game;
                t->seats = seats;
                snprintf(t->name, sizeof t->name, "%s %s, %d seats", game->name,
                         checks[k].name, seats);
                tests[count++] = (struct CMUnitTest){t->name, checks[k].run,
                                                     table_open, NULL, t};
            }
    }
    return _cmocka_run_group_tests("match", tests, count, NULL, NULL);
}
