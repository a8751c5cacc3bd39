/* tests/rules/terrax/cases_test.c: runs the cases of *.txt in this folder.
 *
 *     case   §16.1 a red station pays a cheque
 *     setup  seats=3 pass=free
 *     start  A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0
 *     start  hand 1: NEB* RAI
 *     play   A>rCOP / B>gRIG +C>KIZ          (/ ends a turn)
 *     refuse B>rCOP start                    (for the active seat)
 *     refuse 2 !2:NEB claim                  (for another seat)
 *     legal  ~ ~A@SCA>KIZ ~A@STO>CAR         (all that begin with ~)
 *     expect cheques 1 4
 *     line   hand 1: RAI                     (a line of the position text)
 *
 * Without start lines nobody holds a card and nothing is laid.  A refusal must
 * leave the state alone. */
#include "tests/test.h"

#include "game/setup.h"
#include "rules/terrax/state.h"

struct table {
    struct world *w;
    struct state s;
    struct setup setup;
    char start[8192];
    bool begun;
    const char *file;
    int line;
    int cases;
};

static char message[12000];

#define FAIL(t, ...)                                                           \
    do {                                                                       \
        snprintf(message, sizeof message, __VA_ARGS__);                        \
        fail_msg("%s:%d: %s", (t)->file, (t)->line, message);                  \
    } while (0)

static char *load(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", getenv("TERRA_SOURCE"), folder,
             name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void begin(struct table *t)
{
    struct fault f = {0};
    if (t->begun)
        return;
    t->begun = true;
    if (!terrax_prepare(t->w, &t->setup, &f))
        FAIL(t, "setup refused: %s", fault_text(&terrax_game, f.code)->name);
    if (!t->start[0])
        strcpy(t->start, "A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 "
                         "used 0\n");
    if (!terrax_read_state(t->w, t->start, &t->s, &f))
        FAIL(t, "start refused: %s '%s' line %d",
             fault_text(&terrax_game, f.code)->name, f.subject, f.line);
}

static void set_up(struct table *t, struct span rest)
{
    struct span word;
    struct fault f;
    while ((word = span_word(&rest)).length > 0) {
        struct span value = word, name = span_cut(&value, '=');
        long seats;
        if (span_is(name, "seats") && span_int(value, 2, 6, &seats))
            t->setup.seats = (int)seats;
        else if (!setup_option(&terrax_game, &t->setup, name, value, &f))
            FAIL(t, "no option %.*s", (int)word.length, word.at);
    }
}

/* Reads and plays one item of the active seat, or of the claiming one. */
static void play_item(struct table *t, const char *text, size_t *used)
{
    struct fault f = {0};
    action a;
    int seat = text[0] == '!' ? text[1] - '1' : t->s.seat;
    if (!terrax_read_action(t->w, &t->s, seat, text, &a, used, &f))
        FAIL(t, "'%s' refused: %s", text,
             fault_text(&terrax_game, f.code)->name);
    action legal[GAME_ACTIONS];
    int count = terrax_legal(t->w, &t->s, seat, legal);
    bool found = false;
    for (int i = 0; i < count; i++)
        found |= legal[i] == a;
    if (!found)
        FAIL(t, "'%s' is read but not legal", text);
    terrax_apply(t->w, &t->s, seat, a);
}

static void play(struct table *t, struct span rest)
{
    char text[1024];
    span_copy(rest, text, sizeof text);
    for (char *at = text; *at;) {
        size_t used = 0;
        if (*at == ' ') {
            at++;
        } else if (*at == '/') {
            play_item(t, t->s.base ? "--" : "end", &used);
            at++;
        } else {
            play_item(t, at, &used);
            at += used;
        }
    }
}

static void refuse(struct table *t, struct span rest)
{
    struct span word = span_word(&rest);
    int seat = t->s.seat;
    if (word.length == 1 && *word.at >= '1' && *word.at <= '6') {
        seat = *word.at - '1';
        word = span_word(&rest);
    }
    char text[64], wanted[32];
    span_copy(word, text, sizeof text);
    span_copy(span_word(&rest), wanted, sizeof wanted);
    struct fault f = {0};
    struct state before = t->s;
    action a = 77;
    size_t used;
    if (terrax_read_action(t->w, &t->s, seat, text, &a, &used, &f))
        FAIL(t, "'%s' should be refused", text);
    if (strcmp(fault_text(&terrax_game, f.code)->name, wanted) != 0)
        FAIL(t, "'%s' is refused by %s, not %s", text,
             fault_text(&terrax_game, f.code)->name, wanted);
    TEST_FAULT_NAMED(&terrax_game, &f, wanted);
    assert_int_equal(a, 77);
    assert_memory_equal(&before, &t->s, sizeof before);
}

/* The texts of all legal actions that begin with a prefix, each behind a
 * blank; they must come sorted. */
static void legal(struct table *t, struct span rest)
{
    char prefix[16], wanted[1024], found[8192] = "", last[64] = "";
    span_copy(span_word(&rest), prefix, sizeof prefix);
    span_copy(span_trim(rest), wanted, sizeof wanted);
    action list[GAME_ACTIONS];
    int count = terrax_legal(t->w, &t->s, t->s.seat, list);
    for (int i = 0; i < count; i++) {
        char text[64];
        terrax_write_action(t->w, &t->s, t->s.seat, list[i], t->s.seat, text,
                            sizeof text);
        assert_true(strcmp(last, text) < 0);
        strcpy(last, text);
        if (strncmp(text, prefix, strlen(prefix)) != 0)
            continue;
        if (found[0])
            strcat(found, " ");
        strcat(found, text);
    }
    if (strcmp(found, wanted) != 0)
        FAIL(t, "legal: '%s', wanted '%s'", found, wanted);
}

static void expect_line(struct table *t, struct span rest)
{
    char text[8192];
    terrax_write_state(t->w, &t->s, text, sizeof text);
    struct lines l = lines_of(span_of(text));
    struct span line;
    rest = span_trim(rest);
    while (lines_next(&l, &line))
        if (line.length == rest.length &&
            memcmp(line.at, rest.at, rest.length) == 0)
            return;
    FAIL(t, "no line '%.*s' in\n%s", (int)rest.length, rest.at, text);
}

static void expect_word(struct table *t, const char *what, struct span found,
                        struct span wanted)
{
    if (found.length != wanted.length ||
        memcmp(found.at, wanted.at, wanted.length) != 0)
        FAIL(t, "%s is %.*s, not %.*s", what, (int)found.length, found.at,
             (int)wanted.length, wanted.at);
}

static void expect_number(struct table *t, const char *what, int found,
                          struct span wanted)
{
    char text[16];
    snprintf(text, sizeof text, "%d", found);
    expect_word(t, what, span_of(text), wanted);
}

static void expect(struct table *t, struct span rest)
{
    static const char *const phases[] = {"mark", "turn", "swap", "claims",
                                         "over"};
    const struct state *s = &t->s;
    struct span what = span_word(&rest), one = span_word(&rest);
    struct span two = span_word(&rest);
    int k = one.length == 1 ? *one.at - 'A' : 0;
    int seat = one.length == 1 ? *one.at - '1' : 0;
    if (span_is(what, "head"))
        expect_word(t, "head",
                    span_of(s->length[k] ? t->w->id[head_of(t->w, s, k)] : "-"),
                    two);
    else if (span_is(what, "supply"))
        expect_number(t, "supply", supply_of(s, k), two);
    else if (span_is(what, "cheques"))
        expect_number(t, "cheques", s->cheques[seat], two);
    else if (span_is(what, "points"))
        expect_number(t, "points", tx_points_of(t->w, s, seat), two);
    else if (span_is(what, "cards"))
        expect_number(t, "cards", s->held[seat], two);
    else if (span_is(what, "place")) {
        struct result r;
        terrax_result(t->w, s, &r);
        expect_number(t, "place", r.place[seat], two);
    } else if (span_is(what, "bank"))
        expect_number(t, "bank", s->bank, one);
    else if (span_is(what, "spent"))
        expect_number(t, "spent", s->spent, one);
    else if (span_is(what, "green"))
        expect_number(t, "green", s->green, one);
    else if (span_is(what, "base"))
        expect_number(t, "base", s->base, one);
    else if (span_is(what, "loops"))
        expect_number(t, "loops", s->loops, one);
    else if (span_is(what, "loop")) {
        char text[2] = {"ABC-"[s->loop], 0};
        expect_word(t, "loop", span_of(text), one);
    } else if (span_is(what, "round"))
        expect_number(t, "round", s->round, one);
    else if (span_is(what, "fence"))
        expect_number(t, "fence", (int)terrax_fence(t->w, s), one);
    else if (span_is(what, "seat"))
        expect_number(t, "seat", s->seat + 1, one);
    else if (span_is(what, "phase"))
        expect_word(t, "phase", span_of(phases[s->phase]), one);
    else if (span_is(what, "reason"))
        expect_word(t, "reason", span_of(terrax_endings[s->reason]), one);
    else
        FAIL(t, "cannot expect '%.*s'", (int)what.length, what.at);
}

/* turn(): the seats that must act and those that may. */
static void expect_turn(struct table *t, struct span rest)
{
    unsigned must, may;
    terrax_turn(t->w, &t->s, &must, &may);
    expect_number(t, "must", (int)must, span_word(&rest));
    expect_number(t, "may", (int)may, span_word(&rest));
}

static void run_line(struct table *t, struct span line)
{
    struct span rest = line, word = span_word(&rest);
    if (word.length == 0 || *word.at == '#')
        return;
    rest = span_trim(rest);
    if (span_is(word, "case")) {
        setup_init(&terrax_game, &t->setup);
        t->setup.seats = 3;
        t->start[0] = '\0';
        t->begun = false;
        t->cases++;
        return;
    }
    if (span_is(word, "setup")) {
        set_up(t, rest);
        return;
    }
    if (span_is(word, "start")) {
        size_t at = strlen(t->start);
        span_copy(rest, t->start + at, sizeof t->start - at - 2);
        strcat(t->start, "\n");
        return;
    }
    begin(t);
    if (span_is(word, "play"))
        play(t, rest);
    else if (span_is(word, "refuse"))
        refuse(t, rest);
    else if (span_is(word, "legal"))
        legal(t, rest);
    else if (span_is(word, "line"))
        expect_line(t, rest);
    else if (span_is(word, "expect"))
        expect(t, rest);
    else if (span_is(word, "turn"))
        expect_turn(t, rest);
    else if (span_is(word, "drop"))
        terrax_drop(t->w, &t->s, *rest.at - '1');
    else
        FAIL(t, "what is '%.*s'?", (int)word.length, word.at);
}

static void test_cases(void **state)
{
    const char *name = *state;
    char *text = load("tests/rules/terrax", name);
    struct table t = {.file = name};
    t.w = malloc(sizeof *t.w);
    struct lines l = lines_of(span_of(text));
    struct span line;
    while (lines_next(&l, &line)) {
        t.line = l.number;
        run_line(&t, line);
    }
    assert_true(t.cases > 0);
    free(t.w);
    free(text);
}

int main(void)
{
    static char examples[] = "examples.txt", rules[] = "rules.txt";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_cases, examples),
        cmocka_unit_test_prestate(test_cases, rules),
    };
    return cmocka_run_group_tests_name("terrax cases", tests, NULL, NULL);
}
