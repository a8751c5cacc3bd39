/* tests/game/promise_test.c: every sentence of game/game.h, for every game.
 *
 * Random matches of every game and number of seats, with random options; each
 * state on the way is held against the header.  What costs much is looked at
 * in a sample of the states. */
#include "tests/random.h"

#include "game/record.h"

#include <jansson.h>

enum { TEXT = 1 << 20, STEPS = 20000 };

/* One game with a number of seats, and memory to play it in. */
struct table {
    const struct game *game;
    int seats;
    struct setup setup;
    struct world *world, *world_copy;
    struct state *now, *before, *other, *view;
    struct memo *memo; /* NULL if the game has no use for one */
    action legal[GAME_ACTIONS], again[GAME_ACTIONS];
    struct rng chance;
    char name[64];
};

/* ---- helpers ---- */

static int table_open(void **state)
{
    struct table *t = *state;
    t->world = calloc(1, t->game->world_size);
    t->world_copy = calloc(1, t->game->world_size);
    t->now = calloc(1, t->game->state_size);
    t->before = calloc(1, t->game->state_size);
    t->other = calloc(1, t->game->state_size);
    t->view = calloc(1, t->game->state_size);
    t->memo = t->game->memo_size ? malloc(t->game->memo_size) : NULL;
    t->chance = random_source(t->game, t->seats);
    return 0;
}

static int table_close(void **state)
{
    struct table *t = *state;
    free(t->world);
    free(t->world_copy);
    free(t->now);
    free(t->before);
    free(t->other);
    free(t->view);
    free(t->memo);
    return 0;
}

static void copy(const struct table *t, struct state *to,
                 const struct state *from)
{
    memcpy(to, from, t->game->state_size);
}

static void assert_same(const struct table *t, const struct state *a,
                        const struct state *b)
{
    assert_memory_equal(a, b, t->game->state_size);
}

/* A fault must be one of the tables, and not "none". */
static void assert_fault(const struct game *game, const struct fault *f)
{
    assert_int_not_equal(f->code, FAULT_NONE);
    assert_int_equal(fault_text(game, f->code)->code, f->code);
    assert_true(f->line >= 0 && f->column >= 0);
}

static void restart(struct table *t)
{
    memset(t->now, 0xa5, t->game->state_size);
    t->game->start(t->world, &t->setup, t->now);
    if (t->memo)
        t->game->forget(t->memo);
}

/* Prepares and starts a random match; some combinations of options may be
 * refused, but a plain setup never. */
static void begin(struct table *t)
{
    struct fault f = {0};
    random_setup(t->game, t->seats, &t->chance, &t->setup);
    while (!t->game->prepare(t->world, &t->setup, &f)) {
        assert_fault(t->game, &f);
        bool set = false;
        for (int i = 0; t->game->options[i].name; i++)
            set |= t->setup.option[i] != OPTION_UNSET;
        assert_true(set);
        f = (struct fault){0};
        random_setup(t->game, t->seats, &t->chance, &t->setup);
    }
    restart(t);
}

/* Every writer tells the length it needs, never writes past its room, and
 * always ends with NUL.  The text is returned in a buffer that the next call
 * reuses. */
#define WRITTEN(buffer, call, ...)                                             \
    do {                                                                       \
        int length_ = call(__VA_ARGS__, NULL, 0);                              \
        assert_in_range(length_, 0, TEXT - 1);                                 \
        size_t half_ = (size_t)length_ / 2 + 1;                                \
        (buffer)[half_] = '\x7e';                                              \
        assert_int_equal(call(__VA_ARGS__, (buffer), half_), length_);         \
        assert_int_equal((buffer)[half_], '\x7e');                             \
        assert_true(memchr((buffer), 0, half_) != NULL);                       \
        assert_int_equal(call(__VA_ARGS__, (buffer), TEXT), length_);          \
        assert_int_equal(strlen(buffer), length_);                             \
        size_t bad_;                                                           \
        assert_true(span_utf8(span_of(buffer), &bad_));                        \
    } while (0)

static char text_buffer[TEXT], second_buffer[TEXT];

static void assert_json(const char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("%s at %d in %.200s", error.text, error.position, text);
    assert_true(json_is_object(json));
    json_decref(json);
}

/* ---- tables ---- */

static void check_option(const struct option *o)
{
    assert_true(strlen(o->name) > 0 && strlen(o->help) > 0);
    assert_null(strpbrk(o->name, " :=\n"));
    assert_null(strchr(o->help, '\n'));
    int choices = 0;
    while (o->kind != OPTION_NUMBER && o->choices[choices])
        assert_null(strpbrk(o->choices[choices++], " +:=\n"));
    if (o->kind == OPTION_NUMBER)
        assert_true(o->low <= o->high);
    else
        assert_in_range(choices, 1, o->kind == OPTION_SET ? 30 : 1000);
    if (o->preset == OPTION_UNSET)
        return;
    char text[512];
    int length = setup_write_value(o, o->preset, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
}

static void check_faults(const struct game *game)
{
    for (const struct fault_text *i = game->faults; i->name; i++) {
        assert_true(i->code >= FAULT_GAME);
        assert_true(strlen(i->phrase) > 0);
        assert_true(i->phrase[strlen(i->phrase) - 1] != '.');
        if (i->paragraph)
            assert_non_null(strstr(i->paragraph, "§"));
        for (const struct fault_text *k = game->faults; k < i; k++) {
            assert_int_not_equal(k->code, i->code);
            assert_string_not_equal(k->name, i->name);
        }
        for (const struct fault_text *k = fault_shared(); k->name; k++)
            assert_string_not_equal(k->name, i->name);
    }
}

static void test_tables(void **state)
{
    const struct table *t = *state;
    const struct game *g = t->game;
    assert_ptr_equal(rules_find(g->name), g);
    assert_true(strlen(g->title) > 0 && strlen(g->about) > 0);
    assert_in_range(g->seats_min, 1, g->seats_usual);
    assert_in_range(g->seats_max, g->seats_usual, GAME_SEATS);
    assert_in_range(g->state_size, 1, 2048);
    int options = 0;
    for (; g->options[options].name; options++) {
        check_option(&g->options[options]);
        assert_int_equal(setup_find(g, g->options[options].name), options);
    }
    assert_in_range(options, 0, GAME_OPTIONS);
    check_faults(g);
    for (int i = 0; i < ENDING_GAME; i++)
        assert_non_null(g->endings[i]);
    assert_non_null(g->formats[0].name);
    assert_non_null(g->features[0].name);
    for (const struct feature *i = g->features; i->name; i++)
        assert_true(i->count > 0 && strlen(i->help) > 0);
    assert_true((g->observe == NULL) == (g->complete == NULL));
}

static void test_wrong_seats(void **state)
{
    struct table *t = *state;
    struct setup setup;
    setup_init(t->game, &setup);
    for (int seats = -1; seats <= GAME_SEATS + 1; seats++) {
        struct fault f = {0};
        setup.seats = seats;
        bool good = t->game->prepare(t->world, &setup, &f);
        assert_int_equal(good, seats >= t->game->seats_min &&
                                   seats <= t->game->seats_max);
        if (!good)
            TEST_FAULT(t->game, &f, FAULT_SEATS);
    }
}

static void test_unknown_given(void **state)
{
    struct table *t = *state;
    struct setup setup;
    struct fault f = {0};
    setup_init(t->game, &setup);
    setup.given = "no such thing: 1\n";
    assert_false(t->game->prepare(t->world, &setup, &f));
    TEST_FAULT(t->game, &f, FAULT_GIVEN);
    assert_int_equal(f.line, 1);
}

/* ---- each state ---- */

static int compare(const void *a, const void *b)
{
    action x = *(const action *)a, y = *(const action *)b;
    return x < y ? -1 : x > y;
}

/* The action has its kind and its two fields, within their sizes. */
static void check_shape(const struct game *g, action a)
{
    const struct action_shape *shape = &g->actions;
    uint32_t kind = (a & shape->kinds) >> __builtin_ctz(shape->kinds);
    assert_true((int)kind < shape->count);
    a &= ~shape->kinds;
    bool a_first = shape->a_shift < shape->b_shift;
    int low = a_first ? shape->a_shift : shape->b_shift;
    int high = a_first ? shape->b_shift : shape->a_shift;
    uint32_t below = (a & ~(UINT32_MAX << high)) >> low, above = a >> high;
    assert_int_equal(a & ~(UINT32_MAX << low), 0);
    assert_true((a_first ? below : above) < shape->size[kind].a);
    assert_true((a_first ? above : below) < shape->size[kind].b);
}

static void check_legal(struct table *t, int seat, unsigned must, unsigned may)
{
    const struct game *g = t->game;
    int count = g->legal(t->world, t->now, seat, t->legal);
    assert_in_range(count, 0, GAME_ACTIONS);
    if (must >> seat & 1)
        assert_int_not_equal(count, 0);
    for (int i = 0; i < count; i++)
        check_shape(g, t->legal[i]);
    if (!((must | may) >> seat & 1))
        assert_int_equal(count, 0);
    copy(t, t->other, t->now);
    assert_int_equal(g->legal(t->world, t->other, seat, t->again), count);
    size_t size = sizeof(action) * (size_t)count;
    assert_memory_equal(t->legal, t->again, size);
    assert_same(t, t->other, t->now);
    qsort(t->again, (size_t)count, sizeof(action), compare);
    for (int i = 1; i < count; i++)
        assert_int_not_equal(t->again[i - 1], t->again[i]);
}

static void check_places(const struct table *t, const struct result *r)
{
    for (int seat = 0; seat < t->seats; seat++) {
        int better = 0;
        for (int other = 0; other < t->seats; other++)
            better += r->place[other] < r->place[seat];
        assert_int_equal(r->place[seat], better + 1);
    }
}

static void check_result(const struct table *t, bool over)
{
    struct result r;
    memset(&r, 0xa5, sizeof r);
    t->game->result(t->world, t->now, &r);
    check_places(t, &r);
    assert_int_equal(over, r.reason != ENDING_NONE);
    int endings = 0;
    while (t->game->endings[endings])
        endings++;
    assert_in_range(r.reason, 0, endings - 1);
}

static bool check_turn(struct table *t)
{
    unsigned must, may;
    t->game->turn(t->world, t->now, &must, &may);
    assert_int_equal((must | may) >> t->seats, 0);
    assert_int_equal(must & may, 0);
    for (int seat = 0; seat < t->seats; seat++)
        check_legal(t, seat, must, may);
    check_result(t, !(must | may));
    copy(t, t->other, t->now);
    assert_true(t->game->hash(t->world, t->now) ==
                t->game->hash(t->world, t->other));
    return (must | may) != 0;
}

/* ---- text of each state ---- */

static void refuse_action(struct table *t, int seat, const char *text)
{
    action a = 0xdeadbeef;
    size_t used = 4711;
    struct fault f = {0};
    if (t->game->read_action(t->world, t->now, seat, text, &a, &used, &f)) {
        assert_in_range(used, 1, strlen(text));
        return; /* a word that happens to be an action */
    }
    assert_fault(t->game, &f);
    assert_int_equal(a, 0xdeadbeef);
    assert_int_equal(used, 4711);
}

static void check_bad_actions(struct table *t, int seat)
{
    static const char *const bad[] = {
        "",     " ",   "zzz",        "?",    "-",    "0",
        "a1b2", "1e9", "\xc3\xa9\n", "A1 A", "pass", "999999999999999999",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_action(t, seat, bad[i]);
    action a = 0xdeadbeef;
    size_t used = 4711;
    struct fault f = {0};
    assert_false(
        t->game->read_action(t->world, t->now, seat, "\001", &a, &used, &f));
    assert_fault(t->game, &f);
}

/* Read back alone and with another action behind it. */
static void check_read(struct table *t, int seat, action expected,
                       const char *text)
{
    char line[600];
    for (int i = 0; i < 3; i++) {
        static const char *const behind[] = {"", " zzz", ";zzz"};
        action a = ~expected;
        size_t used = 0;
        struct fault f = {0};
        snprintf(line, sizeof line, "%s%s", text, behind[i]);
        if (!t->game->read_action(t->world, t->now, seat, line, &a, &used,
                                  &f)) {
            char why[300];
            fault_write(t->game, &f, why, sizeof why);
            fail_msg("cannot read back '%s': %s", line, why);
        }
        if (a != expected || used != strlen(text))
            fail_msg("'%s' read back as %x not %x, %zu bytes", line, a,
                     expected, used);
    }
}

static void check_actions(struct table *t, int seat)
{
    const struct game *g = t->game;
    int count = g->legal(t->world, t->now, seat, t->legal);
    int step = count > 64 ? 1 + rng_below(&t->chance, count / 32) : 1;
    for (int i = 0; i < count; i += step) {
        char text[512];
        WRITTEN(text_buffer, g->write_action, t->world, t->now, seat,
                t->legal[i], seat);
        assert_in_range(strlen(text_buffer), 1, sizeof text - 1);
        assert_null(strpbrk(text_buffer, "\n\r;"));
        strcpy(text, text_buffer);
        check_read(t, seat, t->legal[i], text);
        WRITTEN(text_buffer, g->write_action, t->world, t->now, seat,
                t->legal[i], SEAT_NONE);
        assert_in_range(strlen(text_buffer), 1, 511);
        WRITTEN(text_buffer, g->write_effect, t->world, t->now, seat,
                t->legal[i], seat);
        assert_json(text_buffer);
    }
    check_bad_actions(t, seat);
}

static void check_state_text(struct table *t)
{
    const struct game *g = t->game;
    struct fault f = {0};
    WRITTEN(text_buffer, g->write_state, t->world, t->now);
    memset(t->other, 0xa5, g->state_size);
    if (!g->read_state(t->world, text_buffer, t->other, &f)) {
        fault_write(g, &f, second_buffer, TEXT);
        fail_msg("cannot read back '%s': %s", text_buffer, second_buffer);
    }
    WRITTEN(second_buffer, g->write_state, t->world, t->other);
    assert_string_equal(text_buffer, second_buffer);
    assert_true(g->hash(t->world, t->other) == g->hash(t->world, t->now));
    for (int seat = 0; seat < t->seats; seat++) {
        int count = g->legal(t->world, t->now, seat, t->legal);
        assert_int_equal(count, g->legal(t->world, t->other, seat, t->again));
        assert_memory_equal(t->legal, t->again, sizeof(action) * (size_t)count);
    }
}

/* Every position can begin a match: "start: POSITION" among the given. */
static void check_given_start(struct table *t)
{
    const struct game *g = t->game;
    struct setup setup = t->setup;
    struct fault f = {0};
    g->write_state(t->world, t->now, text_buffer, TEXT);
    struct text given = text_begin(second_buffer, TEXT);
    given_add(&given, "start", span_of(text_buffer));
    text_end(&given);
    setup.given = second_buffer;
    memset(t->world_copy, 0, g->world_size);
    if (!g->prepare(t->world_copy, &setup, &f)) {
        fault_write(g, &f, text_buffer, TEXT);
        fail_msg("cannot begin from '%s': %s", second_buffer, text_buffer);
    }
    g->start(t->world_copy, &setup, t->other);
    assert_true(g->hash(t->world_copy, t->other) == g->hash(t->world, t->now));
}

/* Cut, and with one byte changed: refused, or read as something else, but
 * never half read. */
static void check_bad_state_text(struct table *t)
{
    const struct game *g = t->game;
    int length = g->write_state(t->world, t->now, text_buffer, TEXT);
    for (int i = 0; i < 8; i++) {
        struct fault f = {0};
        strcpy(second_buffer, text_buffer);
        int at = rng_below(&t->chance, length);
        second_buffer[at] =
            i % 2 ? '\0' : (char)(32 + rng_below(&t->chance, 95));
        memset(t->other, 0xa5, g->state_size);
        copy(t, t->before, t->other);
        if (g->read_state(t->world, second_buffer, t->other, &f))
            continue;
        assert_fault(g, &f);
        assert_same(t, t->other, t->before);
    }
}

/* ---- views ---- */

static void observe(const struct table *t, const struct state *s, int viewer,
                    struct state *view)
{
    if (t->game->observe)
        t->game->observe(t->world, s, viewer, view);
    else
        copy(t, view, s);
}

static void check_pictures(struct table *t, int viewer)
{
    const struct game *g = t->game;
    WRITTEN(text_buffer, g->write_scene, t->world, t->view, viewer);
    assert_json(text_buffer);
    WRITTEN(text_buffer, g->write_board, t->world, t->view, viewer, false);
    assert_null(strchr(text_buffer, '\033'));
    assert_true(strlen(text_buffer) > 0);
    WRITTEN(text_buffer, g->write_board, t->world, t->view, viewer, true);
    if (!g->write_picture)
        return;
    WRITTEN(text_buffer, g->write_picture, t->world, t->view, viewer);
    size_t length = strlen(text_buffer);
    assert_int_equal(strncmp(text_buffer, "<svg ", 5), 0);
    assert_string_equal(text_buffer + length - 7, "</svg>\n");
}

/* The viewer sees its own actions as they are, and the same turn. */
static void check_same_choice(struct table *t, const struct state *s,
                              int viewer)
{
    const struct game *g = t->game;
    unsigned must, may, must_now, may_now;
    g->turn(t->world, s, &must, &may);
    g->turn(t->world, t->now, &must_now, &may_now);
    assert_int_equal(must, must_now);
    assert_int_equal(may, may_now);
    if (viewer == SEAT_NONE)
        return;
    int count = g->legal(t->world, t->now, viewer, t->legal);
    assert_int_equal(count, g->legal(t->world, s, viewer, t->again));
    assert_memory_equal(t->legal, t->again, sizeof(action) * (size_t)count);
}

/* A guess that fits the view is seen as that view, and can be played on. */
static void check_completion(struct table *t, int viewer)
{
    const struct game *g = t->game;
    if (!g->complete)
        return;
    copy(t, t->other, t->view);
    g->complete(t->world, t->other, viewer, &t->chance);
    check_same_choice(t, t->other, viewer);
    observe(t, t->other, viewer, t->before);
    assert_same(t, t->before, t->view);
    for (int i = 0; i < 20; i++) {
        int count;
        int seat =
            random_seat(g, t->world, t->other, &t->chance, t->legal, &count);
        if (seat == SEAT_NONE)
            return;
        g->apply(t->world, t->other, seat,
                 t->legal[rng_below(&t->chance, count)]);
    }
}

static void check_apply_to_view(struct table *t, int viewer)
{
    int count = viewer == SEAT_NONE
                    ? 0
                    : t->game->legal(t->world, t->view, viewer, t->legal);
    if (count == 0)
        return;
    copy(t, t->other, t->view);
    t->game->apply(t->world, t->other, viewer,
                   t->legal[rng_below(&t->chance, count)]);
}

/* The numbers fill their blocks, all of them and nothing behind. */
static void check_numbers(struct table *t, int viewer)
{
    int count = 0;
    for (const struct feature *i = t->game->features; i->name; i++)
        count += i->count;
    size_t bytes = (size_t)(count + 1) * sizeof(int16_t);
    int16_t *once = malloc(bytes), *again = malloc(bytes);
    memset(once, 0x55, bytes);
    memset(again, 0x2a, bytes);
    t->game->measure(t->world, t->view, viewer, once);
    t->game->measure(t->world, t->view, viewer, again);
    assert_memory_equal(once, again, bytes - sizeof *once);
    assert_int_equal(once[count], 0x5555);
    assert_int_equal(again[count], 0x2a2a);
    free(once);
    free(again);
}

static void check_view(struct table *t, int viewer)
{
    observe(t, t->now, viewer, t->view);
    check_numbers(t, viewer);
    check_same_choice(t, t->view, viewer);
    observe(t, t->view, viewer, t->other);
    assert_same(t, t->other, t->view);
    check_pictures(t, viewer);
    check_completion(t, viewer);
    check_apply_to_view(t, viewer);
}

/* ---- hints ---- */

/* They say the same twice, once without a memo and once by one that has seen
 * the whole game. */
static void check_hints(struct table *t)
{
    const struct game *g = t->game;
    int one[GAME_ACTIONS], two[GAME_ACTIONS];
    if (g->estimate) {
        memset(one, 0x11, sizeof one);
        memset(two, 0x22, sizeof two);
        g->estimate(t->world, t->now, NULL, one);
        g->estimate(t->world, t->now, t->memo, two);
        assert_memory_equal(one, two, sizeof(int) * (size_t)t->seats);
    }
    for (int seat = 0; seat < t->seats && g->rank; seat++) {
        int count = g->legal(t->world, t->now, seat, t->legal);
        memset(one, 0x11, sizeof one);
        memset(two, 0x22, sizeof two);
        g->rank(t->world, t->now, NULL, seat, t->legal, count, one);
        g->rank(t->world, t->now, t->memo, seat, t->legal, count, two);
        assert_memory_equal(one, two, sizeof(int) * (size_t)count);
    }
    struct state *copy = malloc(g->state_size);
    memcpy(copy, t->now, g->state_size);
    for (int seat = 0; seat < t->seats && g->prospect; seat++)
        assert_int_equal(g->prospect(t->world, t->now, seat),
                         g->prospect(t->world, copy, seat));
    assert_memory_equal(copy, t->now, g->state_size);
    free(copy);
}

/* ---- leaving ---- */

static void assert_last(const struct table *t, const struct state *s,
                        unsigned gone, int seat)
{
    struct result r;
    t->game->result(t->world, s, &r);
    check_places(t, &r);
    for (int other = 0; other < t->seats; other++)
        if (other != seat && !(gone >> other & 1))
            assert_true(r.place[other] < r.place[seat]);
}

static void assert_absent(const struct table *t, const struct state *s,
                          int seat)
{
    unsigned must, may;
    t->game->turn(t->world, s, &must, &may);
    assert_int_equal((must | may) >> seat & 1, 0);
}

/* From here on seats leave one after the other amid random play. */
static void check_drops(struct table *t)
{
    const struct game *g = t->game;
    unsigned gone = 0;
    int left = t->seats;
    copy(t, t->other, t->now);
    uint32_t fence = g->fence(t->world, t->other);
    for (int i = 0; i < STEPS; i++) {
        int count;
        int seat =
            random_seat(g, t->world, t->other, &t->chance, t->legal, &count);
        if (seat == SEAT_NONE)
            break;
        int leaver = rng_below(&t->chance, t->seats);
        if (i % 8 == 0 && left > 1 && !(gone >> leaver & 1)) {
            g->drop(t->world, t->other, leaver);
            assert_last(t, t->other, gone, leaver);
            gone |= 1u << leaver;
            left--;
        } else {
            g->apply(t->world, t->other, seat,
                     t->legal[rng_below(&t->chance, count)]);
        }
        for (int k = 0; k < t->seats; k++)
            if (gone >> k & 1)
                assert_absent(t, t->other, k);
        assert_true(g->fence(t->world, t->other) >= fence);
        fence = g->fence(t->world, t->other);
    }
    struct result r;
    g->result(t->world, t->other, &r);
    assert_int_not_equal(r.reason, ENDING_NONE);
    for (int seat = 0; seat < t->seats; seat++)
        if (gone >> seat & 1)
            assert_last(t, t->other, gone, seat);
}

static void check_stops(struct table *t)
{
    const struct game *g = t->game;
    for (int reason = ENDING_RESIGN; reason < ENDING_GAME; reason++) {
        bool blamed = reason == ENDING_RESIGN || reason == ENDING_TIME;
        int seat = blamed ? rng_below(&t->chance, t->seats) : SEAT_NONE;
        struct result r;
        unsigned must, may;
        copy(t, t->other, t->now);
        g->stop(t->world, t->other, reason, seat);
        g->turn(t->world, t->other, &must, &may);
        assert_int_equal(must | may, 0);
        g->result(t->world, t->other, &r);
        assert_int_equal(r.reason, reason);
        check_places(t, &r);
        if (blamed && t->seats > 1)
            assert_int_not_equal(r.place[seat], 1);
        assert_true(g->fence(t->world, t->other) >= g->fence(t->world, t->now));
    }
}

/* ---- whole matches ---- */

static void check_sample(struct table *t)
{
    check_state_text(t);
    check_given_start(t);
    check_bad_state_text(t);
    for (int seat = 0; seat < t->seats; seat++)
        check_actions(t, seat);
    for (int viewer = SEAT_NONE; viewer < t->seats; viewer++)
        check_view(t, viewer);
    check_hints(t);
}

/* The same action on two copies gives the same state, and fences only grow. */
static void play_one(struct table *t)
{
    const struct game *g = t->game;
    int count;
    int seat = random_seat(g, t->world, t->now, &t->chance, t->legal, &count);
    assert_int_not_equal(seat, SEAT_NONE);
    action a = t->legal[rng_below(&t->chance, count)];
    uint32_t fence = g->fence(t->world, t->now);
    copy(t, t->other, t->now);
    g->apply(t->world, t->now, seat, a);
    g->apply(t->world, t->other, seat, a);
    assert_same(t, t->now, t->other);
    assert_true(g->fence(t->world, t->now) >= fence);
}

static void check_start(struct table *t)
{
    memset(t->other, 0x5a, t->game->state_size);
    t->game->start(t->world, &t->setup, t->other);
    assert_same(t, t->now, t->other);
    memset(t->world_copy, 0, t->game->world_size);
    struct fault f;
    assert_true(t->game->prepare(t->world_copy, &t->setup, &f));
    t->game->start(t->world_copy, &t->setup, t->other);
    assert_same(t, t->now, t->other);
}

static void play_on(struct table *t)
{
    struct world *first = malloc(t->game->world_size);
    check_start(t);
    memcpy(first, t->world, t->game->world_size);
    check_sample(t);
    int steps = 0, sample = test_scale(40, 16, 8);
    while (check_turn(t)) {
        if (rng_below(&t->chance, sample) == 0)
            check_sample(t);
        if (rng_below(&t->chance, 2 * sample) == 0) {
            check_drops(t);
            check_stops(t);
        }
        play_one(t);
        assert_true(++steps < STEPS);
    }
    check_sample(t);
    assert_memory_equal(t->world, first, t->game->world_size);
    free(first);
}

static void test_play(void **state)
{
    struct table *t = *state;
    int matches = test_scale(4, 12, 300);
    for (int i = 0; i < matches; i++) {
        begin(t);
        play_on(t);
    }
}

/* What the game offers to bring up rare rules. */
static void test_samples(void **state)
{
    struct table *t = *state;
    const char *const *samples = t->game->samples;
    int step = test_scale(4, 1, 1);
    for (int i = 0; samples && samples[i]; i++) {
        struct fault f = {0};
        setup_init(t->game, &t->setup);
        assert_true(setup_read(t->game, samples[i], &t->setup, &f));
        assert_true(t->game->prepare(t->world, &t->setup, &f));
        t->seats = t->setup.seats;
        restart(t);
        if (i % step == 0)
            play_on(t);
    }
}

/* ---- every game, every number of seats ---- */

static const struct {
    const char *name;
    CMUnitTestFunction run;
    bool each_seats; /* for every number of seats, or once */
} checks[] = {
    {"tables", test_tables, false},
    {"seats", test_wrong_seats, false},
    {"given", test_unknown_given, false},
    {"samples", test_samples, false},
    {"play", test_play, true},
};

int main(void)
{
    static struct table tables[256];
    static struct CMUnitTest tests[256];
    size_t count = 0;
    for (int i = 0; rules_games[i]; i++) {
        const struct game *game = rules_games[i];
        for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
            int last = checks[k].each_seats ? game->seats_max : game->seats_min;
            for (int seats = game->seats_min; seats <= last; seats++) {
                struct table *t = &tables[count];
                t->game = game;
                t->seats = seats;
                snprintf(t->name, sizeof t->name, "%s %s, %d seats", game->name,
                         checks[k].name, seats);
                tests[count++] = (struct CMUnitTest){
                    t->name, checks[k].run, table_open, table_close, t};
            }
        }
    }
    return _cmocka_run_group_tests("promise", tests, count, NULL, NULL);
}
