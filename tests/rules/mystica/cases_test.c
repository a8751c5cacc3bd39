/* tests/rules/mystica/cases_test.c: cases a player can read.
 *
 * Each file named on the command line holds cases like
 *
 *     case 25 the Workshop advances both tracks without a priest
 *     seats alchemists C 9 W 5 P 0; engineers
 *     map alchemists SH E5
 *     tile SCORE1
 *     play dig 1. special E6. advance ship. advance dig
 *     expect W -5 C -9 VP +8 P 0
 *     refuse advance ship => illegal.action-done
 *
 * seats: the factions and what differs from the usual purse (20 VP, 20 C, 20 W,
 * 3 P, bowls 4/4/4, cults 0/0/0/0), in the words of a position.  position: more
 * lines of a position.  play and refuse: by the first seat, or "play 2: ...".
 * expect: numbers with a sign are changes since the beginning of the case. */
#include "tests/test.h"

#include "game/setup.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/position.h"
#include "rules/mystica/start.h"
#include "rules/rules.h"

struct run {
    const char *file;
    int line;
    char setup[2048], seats[2048], map[4096], more[4096], name[200];
    char tile[16], phase[32];
    int round;
    int count, faction[SEATS];
    struct setup options;
    bool begun;
    struct world w;
    struct state first, now;
    int cases, checks, wrong;
};

#define WRONG(r, ...)                                                          \
    do {                                                                       \
        print_error("%s:%d: in case %s: ", (r)->file, (r)->line, (r)->name);   \
        print_error(__VA_ARGS__);                                              \
        print_error("\n");                                                     \
        (r)->wrong++;                                                          \
    } while (0)

/* ---- building the position ---- */

static void add(char *to, size_t cap, const char *text, size_t length)
{
    size_t at = strlen(to);
    assert_true(at + length + 2 < cap);
    memcpy(to + at, text, length);
    to[at + length] = '\n';
    to[at + length + 1] = '\0';
}

static int seat_of(struct run *r, struct span name)
{
    int faction = find_faction(name);
    for (int i = 0; i < r->count; i++)
        if (r->faction[i] == faction)
            return i;
    WRONG(r, "no seat of '%.*s'", (int)name.length, name.at);
    return 0;
}

static void case_begin(struct run *r, struct span rest)
{
    const struct game *g = rules_find("mystica");
    r->cases++;
    span_copy(rest, r->name, sizeof r->name);
    r->seats[0] = r->map[0] = r->more[0] = '\0';
    strcpy(r->tile, "SCORE4");
    strcpy(r->phase, "actions");
    r->count = 0;
    r->round = 3;
    r->begun = false;
    setup_init(g, &r->options);
    r->options.option[OPT_LANDSCAPES] = LAND_ALL;
    r->options.option[OPT_ICE] = 1;
    r->options.option[OPT_VOLCANO] = 1;
    r->options.option[OPT_VARIABLE] = VARIABLE_V5;
}

/* A home and chosen colour for factions that have one to choose. */
static const char *homes(int faction)
{
    switch (factions[faction].home) {
    case ICE:
        return "ice green";
    case VOLCANO:
        return "volcano red";
    case VARIABLE:
        return faction == RIVERWALKERS ? "variable blue" : "blue blue";
    default:
        return "";
    }
}

static void case_seats(struct run *r, struct span rest)
{
    while (rest.length) {
        struct span one = span_trim(span_cut(&rest, ';'));
        struct span name = span_word(&one);
        int faction = find_faction(name);
        char line[600];
        if (faction < 0)
            WRONG(r, "no faction '%.*s'", (int)name.length, name.at);
        r->faction[r->count++] = faction;
        struct span first = one, word = span_word(&first);
        bool own = find_colour(word) >= 0 || span_is(word, "variable");
        int length = snprintf(
            line, sizeof line,
            "seat %d %s %s %svp 20 C 20 W 20 P 3 bowls 4/4/4 cults 0/0/0/0 ",
            r->count, factions[faction].id, own ? "" : homes(faction),
            own ? "" : " ");
        if (own) { /* the colours come first in the line */
            struct span second = first, colour = span_word(&second);
            length = snprintf(line, sizeof line,
                              "seat %d %s %.*s %.*s vp 20 C 20 W 20 P 3 bowls "
                              "4/4/4 cults 0/0/0/0 ",
                              r->count, factions[faction].id, (int)word.length,
                              word.at, (int)colour.length, colour.at);
            one = span_trim(second);
        }
        snprintf(line + length, sizeof line - (size_t)length, "%.*s",
                 (int)one.length, one.at);
        add(r->seats, sizeof r->seats, line, strlen(line));
    }
}

static void case_map(struct run *r, struct span rest)
{
    while (rest.length) {
        struct span one = span_trim(span_cut(&rest, ';'));
        struct span name = span_word(&one);
        char line[300];
        snprintf(line, sizeof line, "build %d %.*s", seat_of(r, name) + 1,
                 (int)one.length, one.at);
        add(r->map, sizeof r->map, line, strlen(line));
    }
}

static void case_option(struct run *r, struct span rest)
{
    struct span name = span_word(&rest);
    struct fault f;
    if (!setup_option(rules_find("mystica"), &r->options, name, span_trim(rest),
                      &f))
        WRONG(r, "no option '%.*s'", (int)name.length, name.at);
}

static void begin(struct run *r)
{
    static char text[16384];
    struct fault f = {0};
    char why[300];
    if (r->begun)
        return;
    r->begun = true;
    r->options.seats = r->count;
    assert_true(mystica_prepare(&r->w, &r->options, &f));
    int tile = find_numbered(span_of(r->tile), "SCORE", 9);
    int length =
        snprintf(text, sizeof text, "round %d %s%s\nscore", r->round, r->phase,
                 strcmp(r->phase, "actions") ? "" : " active 1");
    for (int i = 0, next = 2; i < 6; i++, next++) {
        if (next == tile)
            next++;
        length += snprintf(text + length, sizeof text - (size_t)length,
                           " SCORE%d", i == r->round - 1 ? tile : next);
    }
    snprintf(text + length, sizeof text - (size_t)length,
             "\ncards BON1 BON2 BON3 BON4 BON5 BON6 BON7 BON8 BON9 BON10\n"
             "%s%s%s",
             r->seats, r->map, r->more);
    if (!mystica_read_state(&r->w, text, &r->first, &f)) {
        fault_write(rules_find("mystica"), &f, why, sizeof why);
        WRONG(r, "position line %d: %s\n%s", f.line, why, text);
    }
    r->now = r->first;
}

/* ---- playing ---- */

/* "2: ..." is the second seat. */
static int cut_seat(struct span *rest)
{
    if (rest->length > 2 && rest->at[1] == ':') {
        int seat = rest->at[0] - '1';
        rest->at += 2;
        rest->length -= 2;
        return seat;
    }
    return 0;
}

/* Plays commands; false and a fault at the first one refused. */
static bool play_all(struct run *r, struct state *s, int seat,
                     struct span commands, bool *last, struct fault *f)
{
    commands = span_trim(commands);
    while (commands.length) {
        char text[200];
        size_t used;
        action a;
        struct span one = commands;
        struct span whole = span_trim(span_cut(&one, '.'));
        *last = span_trim(one).length == 0;
        span_copy(whole, text, sizeof text);
        if (!mystica_game.read_action(&r->w, s, seat, text, &a, &used, f))
            return false;
        mystica_apply(&r->w, s, seat, a);
        if (used)
            commands = span_trim(one);
    }
    return true;
}

static void case_play(struct run *r, struct span rest)
{
    struct fault f = {0};
    char why[300];
    bool last;
    begin(r);
    int seat = cut_seat(&rest);
    r->checks++;
    if (play_all(r, &r->now, seat, rest, &last, &f))
        return;
    fault_write(&mystica_game, &f, why, sizeof why);
    WRONG(r, "refused: %s", why);
}

static void case_refuse(struct run *r, struct span rest)
{
    struct fault f = {0};
    bool last = false;
    const char *arrow = NULL;
    begin(r);
    for (size_t i = 0; i + 1 < rest.length; i++)
        if (rest.at[i] == '=' && rest.at[i + 1] == '>')
            arrow = rest.at + i;
    if (!arrow)
        WRONG(r, "no => in a refusal");
    struct span why = span_trim(
        (struct span){arrow + 2, (size_t)(rest.at + rest.length - arrow - 2)});
    struct span commands = {rest.at, (size_t)(arrow - rest.at)};
    int seat = cut_seat(&commands);
    struct state copy = r->now;
    r->checks++;
    if (play_all(r, &copy, seat, commands, &last, &f))
        WRONG(r, "not refused");
    char name[100];
    span_copy(why, name, sizeof name);
    const char *found = fault_text(&mystica_game, f.code)->name;
    if (!last || strcmp(found, name))
        WRONG(r, "refused as %s%s, not as %s", found, last ? "" : " too early",
              name);
    test_saw_fault(&mystica_game, f.code);
}

static void case_leave(struct run *r, struct span rest)
{
    begin(r);
    mystica_drop(&r->w, &r->now, seat_of(r, span_trim(rest)));
}

/* ---- expectations ---- */

static int number_of(struct run *r, const struct state *s, int seat,
                     struct span name)
{
    const struct seat *p = &s->seat[seat];
    struct final_score f;
    const struct {
        const char *name;
        int value;
    } numbers[] = {
        {"VP", p->vp},
        {"C", p->coins},
        {"W", p->workers},
        {"P", p->priests},
        {"keys", p->keys},
        {"ship", p->ship},
        {"dig", p->dig},
        {"spades", p->spades},
        {"towns", p->towns_due},
        {"favours", p->favours_due},
        {"steps", p->steps_due},
        {"cap", priest_cap(p)},
        {"tiles", p->town_tiles},
        {"unlock", p->unlock_due},
        {"tokens", p->tokens_due},
        {"bridges", p->bridges},
        {"offers", s->offer_count},
        {"I", p->bowl[0]},
        {"II", p->bowl[1]},
        {"III", p->bowl[2]},
        {"FIRE", p->cult[0]},
        {"WATER", p->cult[1]},
        {"EARTH", p->cult[2]},
        {"AIR", p->cult[3]},
        {"active", s->active + 1},
        {"round", s->round},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (span_is(name, numbers[i].name))
            return numbers[i].value;
    final_scores(&r->w, s, &f);
    if (span_is(name, "network"))
        return f.network_value[seat];
    if (span_is(name, "network-points"))
        return f.network[seat];
    if (span_is(name, "extra"))
        return f.extra_value[seat];
    if (span_is(name, "extra-points"))
        return f.extra[seat];
    if (span_is(name, "resources"))
        return f.resources[seat];
    for (int track = 0; track < TRACKS; track++) {
        char points[20];
        snprintf(points, sizeof points, "%s-points", track_names[track]);
        if (span_is(name, points))
            return f.cult[track][seat];
    }
    WRONG(r, "nothing called '%.*s'", (int)name.length, name.at);
    return 0;
}

static void expect_number(struct run *r, int seat, struct span name,
                          struct span value)
{
    bool change = value.length && (value.at[0] == '+' || value.at[0] == '-');
    struct span digits = value;
    long wanted;
    if (value.length && value.at[0] == '+')
        digits.at++, digits.length--;
    if (!span_int(digits, -999, 999, &wanted))
        WRONG(r, "no number '%.*s'", (int)value.length, value.at);
    int found = number_of(r, &r->now, seat, name);
    if (change)
        found -= number_of(r, &r->first, seat, name);
    if (found != wanted)
        WRONG(r, "seat %d: %.*s is %d, not %ld", seat + 1, (int)name.length,
              name.at, found, wanted);
}

/* "bowls 4/4/4", "cults 0/0/0/0" */
static void expect_slashed(struct run *r, const uint8_t *found, int count,
                           struct span value)
{
    for (int i = 0; i < count; i++) {
        long wanted;
        if (!span_int(span_cut(&value, '/'), 0, 99, &wanted))
            WRONG(r, "no numbers");
        if (found[i] != wanted)
            WRONG(r, "number %d is %d, not %ld", i + 1, found[i], wanted);
    }
}

static int cell_of(struct run *r, struct span name)
{
    for (int cell = 0; cell < r->w.cells; cell++)
        if (span_is(name, r->w.name[cell]))
            return cell;
    WRONG(r, "no cell '%.*s'", (int)name.length, name.at);
    return 0;
}

static void expect_offer(struct run *r, struct span *rest)
{
    int seat = seat_of(r, span_word(rest)), found = 0;
    long wanted = 0;
    span_int(span_word(rest), 0, 99, &wanted);
    for (int i = 0; i < r->now.offer_count; i++)
        if (r->now.offer[i].to == seat)
            found += r->now.offer[i].amount;
    if (found != wanted)
        WRONG(r, "offer is %d, not %ld", found, wanted);
}

static void expect_terrain(struct run *r, struct span *rest)
{
    int cell = cell_of(r, span_word(rest));
    struct span colour = span_word(rest);
    if (find_colour(colour) != r->now.terrain[cell])
        WRONG(r, "%s is %s", r->w.name[cell],
              colour_names[r->now.terrain[cell]]);
}

static void expect_piece(struct run *r, struct span *rest)
{
    int cell = cell_of(r, span_word(rest));
    struct span piece = span_word(rest);
    if (!span_is(piece, piece_ids[r->now.piece[cell]]))
        WRONG(r, "%s carries %s", r->w.name[cell],
              piece_ids[r->now.piece[cell]]);
}

/* "river E5:C2 1", "skip ...", 0: none; "span E5:C2 1" if bridges fit. */
static void expect_pair(struct run *r, struct span what, struct span *rest)
{
    struct span second = span_word(rest), first = span_cut(&second, ':');
    int a = cell_of(r, first), b = cell_of(r, second), found = 0;
    long wanted = 0;
    span_int(span_word(rest), 0, 99, &wanted);
    if (span_is(what, "span")) {
        found = cells_has(r->w.span[a], b);
    } else if (span_is(what, "river")) {
        for (int level = SHIP_MAX; level >= 1; level--)
            if (cells_has(r->w.ship[level][a], b))
                found = level;
    } else {
        for (int range = SKIP_MAX; range >= 0; range--)
            if (cells_has(r->w.skip[range][a], b))
                found = range;
    }
    if (found != wanted)
        WRONG(r, "%.*s of %s and %s is %d, not %ld", (int)what.length, what.at,
              r->w.name[a], r->w.name[b], found, wanted);
}

static void case_expect(struct run *r, struct span rest)
{
    begin(r);
    int seat = cut_seat(&rest);
    const struct seat *p = &r->now.seat[seat];
    struct span name;
    r->checks++;
    while ((name = span_word(&rest)).length) {
        if (span_is(name, "offer"))
            expect_offer(r, &rest);
        else if (span_is(name, "terrain"))
            expect_terrain(r, &rest);
        else if (span_is(name, "piece"))
            expect_piece(r, &rest);
        else if (span_is(name, "river") || span_is(name, "skip") ||
                 span_is(name, "span"))
            expect_pair(r, name, &rest);
        else if (span_is(name, "bowls"))
            expect_slashed(r, p->bowl, 3, span_word(&rest));
        else if (span_is(name, "cults"))
            expect_slashed(r, p->cult, TRACKS, span_word(&rest));
        else if (span_is(name, "phase"))
            span_word(&rest);
        else
            expect_number(r, seat, name, span_word(&rest));
    }
}

/* ---- files ---- */

static void run_line(struct run *r, struct span line)
{
    struct span rest = span_trim(line);
    if (!rest.length || rest.at[0] == '#')
        return;
    struct span word = span_word(&rest);
    rest = span_trim(rest);
    if (span_is(word, "case"))
        case_begin(r, rest);
    else if (span_is(word, "seats"))
        case_seats(r, rest);
    else if (span_is(word, "map"))
        case_map(r, rest);
    else if (span_is(word, "option"))
        case_option(r, rest);
    else if (span_is(word, "position"))
        add(r->more, sizeof r->more, rest.at, rest.length);
    else if (span_is(word, "tile"))
        span_copy(rest, r->tile, sizeof r->tile);
    else if (span_is(word, "phase"))
        span_copy(rest, r->phase, sizeof r->phase);
    else if (span_is(word, "round"))
        r->round = rest.at[0] - '0';
    else if (span_is(word, "play"))
        case_play(r, rest);
    else if (span_is(word, "refuse"))
        case_refuse(r, rest);
    else if (span_is(word, "leaves"))
        case_leave(r, rest);
    else if (span_is(word, "expect"))
        case_expect(r, rest);
    else
        WRONG(r, "no such line '%.*s'", (int)word.length, word.at);
}

static void test_file(void **state)
{
    static char text[1 << 18];
    static struct run run;
    const char *name = *state;
    FILE *file = fopen(name, "rb");
    if (!file)
        fail_msg("cannot open %s", name);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(length > 0 && length < sizeof text);
    memset(&run, 0, sizeof run);
    run.file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    while (lines_next(&l, &line)) {
        run.line = l.number;
        run_line(&run, line);
    }
    print_message("# %s: %d cases, %d lines checked\n", run.file, run.cases,
                  run.checks);
    assert_true(run.cases > 0 && run.checks > 0);
    assert_int_equal(run.wrong, 0);
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[32];
    if (argc < 2 || argc > 32)
        return 2;
    for (int i = 1; i < argc; i++)
        tests[i - 1] =
            (struct CMUnitTest){argv[i], test_file, NULL, NULL, argv[i]};
    return _cmocka_run_group_tests("cases", tests, (size_t)(argc - 1), NULL,
                                   NULL);
}
