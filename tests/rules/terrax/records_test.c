/* tests/rules/terrax/records_test.c: the recorded games of tests/games/terrax
 * replay and are written again byte for byte; faulty ones are refused for the
 * right reason, at the right line. */
#include "tests/test.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/terrax/state.h"

#include <dirent.h>

enum { TEXT = 1 << 20 };

static char file_text[TEXT], written[TEXT], other[TEXT];

static size_t load(const char *name, char *to)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/games/terrax/%s",
             getenv("TERRA_SOURCE"), name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    size_t length = fread(to, 1, TEXT - 1, file);
    to[length] = '\0';
    fclose(file);
    return length;
}

static const struct record_format *format(const char *name)
{
    return match_format(&terrax_game, name);
}

static struct match *read_record(const char *name, const char *text)
{
    struct fault f = {0};
    struct match *m =
        match_read(&terrax_game, format("txg"), text, strlen(text), NULL, &f);
    if (!m)
        fail_msg("%s:%d:%d: %s '%s'", name, f.line, f.column,
                 fault_text(&terrax_game, f.code)->name, f.subject);
    return m;
}

static void write_record(const struct match *m, int viewer, char *to)
{
    int length =
        match_write(m, format("txg"), match_count(m), viewer, to, TEXT);
    assert_in_range(length, 1, TEXT - 1);
}

static bool is_record(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".txg") == 0;
}

/* ---- good ones ---- */

/* Every seat's view reads back as that view and is written the same again, and
 * tells the same public story. */
static void check_views(const char *name, const struct match *m)
{
    for (int viewer = SEAT_NONE; viewer < match_setup(m)->seats; viewer++) {
        write_record(m, viewer, written);
        struct match *back = read_record(name, written);
        write_record(back, RECORD_FULL, other);
        assert_string_equal(written, other);
        assert_int_equal(match_count(back), match_count(m));
        struct state seen;
        terrax_observe(match_world(m), match_state(m), viewer, &seen);
        const struct state *view = match_state(back);
        assert_memory_equal(view->route, seen.route, sizeof seen.route);
        assert_memory_equal(view->cheques, seen.cheques, sizeof seen.cheques);
        assert_memory_equal(view->held, seen.held, sizeof seen.held);
        assert_memory_equal(view->open, seen.open, sizeof seen.open);
        assert_memory_equal(view->done, seen.done, sizeof seen.done);
        assert_int_equal(view->stacked, seen.stacked);
        assert_int_equal(view->round, seen.round);
        match_close(back);
    }
}

static void test_replay(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/games/terrax",
             getenv("TERRA_SOURCE"));
    DIR *folder = opendir(path);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!is_record(entry->d_name))
            continue;
        size_t length = load(entry->d_name, file_text);
        assert_true(format("txg")->recognise(file_text, length));
        struct match *m = read_record(entry->d_name, file_text);
        write_record(m, RECORD_FULL, written);
        if (strncmp(entry->d_name, "comments", 8) == 0) {
            assert_string_not_equal(file_text, written);
            struct match *again = read_record("written again", written);
            assert_memory_equal(match_state(m), match_state(again),
                                sizeof(struct state));
            match_close(again);
        } else {
            assert_string_equal(file_text, written);
        }
        if (match_state(m)->view == VIEW_TRUTH &&
            match_state(m)->phase != PHASE_SWAP)
            check_views(entry->d_name, m);
        match_close(m);
        count++;
    }
    closedir(folder);
    assert_true(count >= 51);
}

/* Exactly the bytes of the files that came with the full one. */
static void test_seat_views(void **state)
{
    (void)state;
    load("progress-3p.txg", file_text);
    struct match *m = read_record("progress-3p.txg", file_text);
    for (int viewer = SEAT_NONE; viewer < 3; viewer++) {
        char name[64];
        snprintf(name, sizeof name, "progress-3p.seat%d.txg", viewer + 1);
        load(name, other);
        write_record(m, viewer, written);
        assert_string_equal(other, written);
        struct match *view = read_record(name, other);
        struct state seen;
        terrax_observe(match_world(m), match_state(m), viewer, &seen);
        assert_memory_equal(match_state(view)->where, seen.where,
                            sizeof seen.where);
        assert_memory_equal(match_state(view)->stack, seen.stack,
                            sizeof seen.stack);
        match_close(view);
    }
    match_close(m);
}

/* A seat's view can be played on, told by the notes what it cannot know. */
static void test_continue_view(void **state)
{
    (void)state;
    struct fault f = {0};
    load("progress-3p.seat2.txg", file_text);
    struct match *m = read_record("seat 2", file_text);
    int stacked = match_state(m)->stacked;
    assert_true(match_type(m, 1, "A>POM (2:POM*) end", &f));
    assert_int_equal(match_state(m)->seat, 2);
    assert_true(match_type(m, 2, "B>rRIO (c3) $x? =? end", &f));
    assert_int_equal(match_state(m)->stacked, stacked);
    assert_true(match_type(m, 0, "A>DEL (1:DEL*) end", &f));
    assert_true(match_type(m, 1, "A>TRO end", &f));
    assert_false(match_type(m, 2, "A>VAR (3:SKA)", &f));
    TEST_FAULT(&terrax_game, &f, TX_NOTE);
    assert_true(match_type(m, 2, "A>VAR (3:VAR) end", &f));
    write_record(m, 1, written);
    struct match *back = read_record("continued", written);
    assert_memory_equal(match_state(back), match_state(m),
                        sizeof(struct state));
    match_close(back);
    match_close(m);
}

static void test_swap_open(void **state)
{
    (void)state;
    load("swap-open-4p.txg", file_text);
    struct match *m = read_record("swap-open-4p.txg", file_text);
    assert_int_equal(match_state(m)->phase, PHASE_SWAP);
    write_record(m, 0, written);
    assert_non_null(strstr(written, "8.1 $xGZW/KAM,GIZ\n"));
    write_record(m, 1, written);
    assert_non_null(strstr(written, "\n8.1\n"));
    match_close(m);
}

/* ---- bad ones ---- */

static void expect_refusal(const char *what, const struct record_format *how,
                           const char *text, const char *reason, int line)
{
    struct fault f = {0};
    struct match *m =
        match_read(&terrax_game, how, text, strlen(text), NULL, &f);
    if (m)
        fail_msg("%s should be refused", what);
    const char *found = fault_text(&terrax_game, f.code)->name;
    if (strcmp(found, reason) != 0)
        fail_msg("%s: %s '%s' at line %d, wanted %s", what, found, f.subject,
                 f.line, reason);
    if (line > 0 && f.line != line)
        fail_msg("%s: line %d, wanted %d", what, f.line, line);
    TEST_FAULT_NAMED(&terrax_game, &f, reason);
}

/* Two files become one text: "map NAME", "places", places.tsv, "legs",
 * legs.tsv. */
static void load_map(const char *folder, char *to)
{
    char name[256];
    strcpy(to, "map bad 1\nplaces\n");
    snprintf(name, sizeof name, "bad/%splaces.tsv", folder);
    load(name, to + strlen(to));
    strcat(to, "legs\n");
    snprintf(name, sizeof name, "bad/%slegs.tsv", folder);
    load(name, to + strlen(to));
}

static void test_bad(void **state)
{
    (void)state;
    static char table[1 << 14];
    load("bad/expected.tsv", table);
    int count = 0;
    for (char *row = strtok(table, "\n"); (row = strtok(NULL, "\n"));) {
        char name[128], reason[64], line[16];
        assert_int_equal(sscanf(row, "%127s %63s %15s", name, reason, line), 3);
        int number = atoi(line);
        if (name[strlen(name) - 1] == '/') {
            load_map(name, file_text);
            struct fault f = {0};
            assert_null(match_read(&terrax_game, format("map"), file_text,
                                   strlen(file_text), NULL, &f));
            TEST_FAULT_NAMED(&terrax_game, &f, reason);
            char where[32];
            snprintf(where, sizeof where, "tsv line %d", number);
            if (number > 0)
                assert_non_null(strstr(f.subject, where));
        } else {
            char file[160];
            snprintf(file, sizeof file, "bad/%s", name);
            load(file, file_text);
            expect_refusal(name, format("txg"), file_text, reason, number);
        }
        count++;
    }
    assert_int_equal(count, 10);
}

/* One change to a good record. */
struct change {
    const char *file, *find, *replace, *reason;
    int line;
};

static const struct change changes[] = {
    {"2p-random-a.txg", "[Players \"2\"]\n", "", "tag", 5},
    {"2p-random-a.txg", "[Players \"2\"]", "[Players \"7\"]", "tag", 3},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P2 \"Anna\"]", "tag", 5},
    {"2p-random-a.txg", "default 1", "default 2", "tag", 6},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P1 Anna]", "syntax", 4},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[First \"1\"]", "tag", 6},
    {"opt-10-5p.txg", "[First \"3\"]\n", "", "tag", 10},
    {"opt-10-5p.txg", "[First \"3\"]", "[First \"6\"]", "tag", 11},
    {"opt-01-3p.txg", "claims=manual", "claims=maybe", "option", 8},
    {"opt-01-3p.txg", "claims=manual", "claim=manual", "option", 8},
    {"opt-01-3p.txg", "claims=manual", "claims=manual;claims=auto", "option",
     8},
    {"opt-15-5p.txg", "var_dealt=on", "var_dealt=on;hand=9", "option", 10},
    {"opt-15-5p.txg", "var_dealt=on", "var_dealt=on;markers=5", "option", 10},
    {"opt-15-5p.txg", "var_dealt=on", "var_dealt=on;var_choose=on", "option",
     10},
    {"6p-random-a.txg", "[P6 \"Finn\"]", "[P6 \"Finn\"]\n[Options \"hand=13\"]",
     "option", 11},
    {"2p-random-a.txg", "hand 2:", "hand 3:", "deal", 7},
    {"2p-random-a.txg", "open: GIZ ", "open: KIZ ", "deal", 10},
    {"2p-random-a.txg", "open: GIZ ", "open: ", "deal", 10},
    {"2p-random-a.txg", " FUJ TEO\n", " FUJ\n", "deal", 10},
    {"2p-random-a.txg", " FUJ TEO\n", " FUJ rCOP\n", "deal", 10},
    {"2p-random-a.txg", "marks: 1:CTH", "marks: 2:GBR", "marks", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON 2:KIZ", "marks", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON", "marks", 11},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON 2:CHI 1:PET", "marks", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON 2:-", "marks", 10},
    {"opt-15-5p.txg", "marks: 1:", "marks: 2:", "marks", 0},
    {"opt-16-3p.txg", "marks: 1:TAS", "marks: 1:TUN", "deal", 13},
    {"2p-random-a.txg", "2.1 C>OTZ", "3.1 C>OTZ", "turn", 13},
    {"2p-random-a.txg", "2.1 C>OTZ", "2.1 -- C>OTZ", "pass", 13},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1", "base", 16},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA A>SKA", "right", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA (c1)", "note", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 (c1) A>SCA", "note", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {open", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA end", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA\r", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>e1", "place", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA !2:KIZ", "claim", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3,1 A>SCA", "syntax", 15},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI", "swap", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/BAI,TAS=TAS", "draw", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI=EVE", "swap", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$x?", "swap", 11},
    {"2p-random-a.txg", "end:arrows", "end:cards", "result", 0},
    {"2p-random-a.txg", "end:arrows", "end:never", "syntax", 0},
    {"2p-random-a.txg", "= 1:", "= 1:1", "result", 0},
    {"2p-random-a.txg", "end:arrows\n", "end:arrows\n9.9\n", "syntax", 0},
    {"2p-random-a.txg", "\n= 1:", "\n99.1\n= 1:", "over", 0},
    {"2p-random-a.txg", "end:arrows", "end:aborted", "result", 0},
    {"opt-02-2p.txg", "\n= 1:", "\n99.1\n= 1:", "over", 0},

    {"2p-random-a.txg", "[Game \"Terra-X\"]\n", "", "tag", 1},
    {"2p-random-a.txg", "Terra-X", "TerraX", "tag", 1},
    {"2p-random-a.txg", "[Game \"Terra-X\"]",
     "[Site \"x\"]\n[Game \"Terra-X\"]", "tag", 1},
    {"2p-random-a.txg", "[Game", "\xef\xbb\xbf[Game", "syntax", 1},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P1 \"Anna\"]# one", "syntax", 4},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P1 \"Ann\xe9\"]", "syntax", 4},
    {"6p-random-a.txg", "[P6 \"Finn\"]", "[P6 \"Finn\"]\n[Options \"hand=8;\"]",
     "option", 11},
    {"2p-random-a.txg", "hand 1: ", "hand 1:", "syntax", 6},
    {"2p-random-a.txg", "open: ", "open:", "syntax", 8},
    {"2p-random-a.txg", "marks: ", "marks:", "syntax", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON A>rCOP 2:CHI", "syntax", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON B>rCOP 2:CHI", "syntax", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON (c1) 2:CHI", "syntax", 10},
    {"2p-random-a.txg", "1:TON 2:CHI", "1:TON {drop 2", "syntax", 10},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI=?", "syntax", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI =TAS", "syntax",
     11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI{c}=TAS", "syntax",
     11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/QQQ,BAI=TAS", "place", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI=QQQ", "place", 11},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 end", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 =MOH", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 1:NEB", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", " 3.1 A>SCA", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA{x}", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA(c1)", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA (2:QQQ)", "place", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA (o1:KIZ<QQQ)", "place", 15},

    /* blanks between items, and what is no comment */
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {x}{y}", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 {x}A>SCA", "syntax", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {x{y}", "syntax", 15},
    {"progress-3p.txg", " (c1)", " (c1)(c1)", "syntax", 0},
    {"progress-3p.txg", " (c1)", " (c1){x}", "syntax", 0},
    {"progress-3p.txg", " (c1)", " (c2) (c", "note", 0},
    {"opt-15-5p.txg", "marks: 1:", "marks: 1.", "syntax", 0},

    /* the first of several reasons, and of several faulty items */
    {"2p-random-a.txg", "hand 2:", "hand 7:", "syntax", 7},
    {"2p-random-a.txg", "open: GIZ", "open: G-Z", "syntax", 8},
    {"2p-random-a.txg", " FUJ TEO\nmarks:", " FUJ\nmark:", "deal", 10},
    {"2p-random-a.txg", "2.1 C>OTZ", "70000.1 C>OTZ", "turn", 13},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xNEB/TAS,BAI=QQQ", "place", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/BAI,TAS=EVE", "swap", 11},
    {"2p-random-a.txg", "$xULU/TAS,BAI=TAS", "$xULU/TAS,BAI A>QQQ", "place",
     11},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA !5:QQQ", "place", 15},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 (o1:QQQ<-) A>SCA", "place", 15},
    {"2p-random-a.txg", "\n= 1:", " !5:NEB\n= 1:", "over", 0},
    {"opt-01-3p.txg", "\n= 1:", " !1:NEB\n= 1:", "claim", 0},
    {"opt-01-3p.txg", "\n= 1:", " !6:QQQ\n= 1:", "place", 0},
    {"opt-01-3p.txg", "\n= 1:", " $A-NEB\n= 1:", "over", 0},
    {"2p-random-a.txg", "= 1:", "=1:", "syntax", 0},
    {"2p-random-a.txg", " end:arrows", " 3:4 end:arrows", "result", 0},
    {"2p-random-a.txg", " end:arrows", " 3:4 end:never", "syntax", 0},
};

/* What changes nothing: braces for people, though they begin like {drop 2}, or
 * do not apply where they stand; comments at the end of a tag; options that are
 * as usual, or as a variant has them. */
static const struct change comments[] = {
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {end of round}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 {stop here} A>SCA", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {drop it}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {drop 2 }", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {drop 6}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {takeover now}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {stop resign one}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 {over} A>SCA", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {over}", NULL, 0},
    {"2p-random-a.txg", "3.1 A>SCA", "3.1 A>SCA {end 2}", NULL, 0},
    {"2p-random-a.txg", "\n= 1:", " {stop time 1}\n= 1:", NULL, 0},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P1 \"Anna\"] # one", NULL, 0},
    {"2p-random-a.txg", "[P1 \"Anna\"]", "[P1 \"Anna\"]\n#| a box", NULL, 0},
    {"2p-random-a.txg", "[Game", "#| a box\n[Game", NULL, 0},
    {"opt-01-3p.txg", "claims=", "pass=never;hand=0;claims=", NULL, 0},
    {"opt-12-3p.txg", "var_online=on", "tie=cheques;var_online=on;markers=4",
     NULL, 0},
};

static void change_file(const struct change *c)
{
    load(c->file, file_text);
    char *at = strstr(file_text, c->find);
    if (!at)
        fail_msg("no '%s' in %s", c->find, c->file);
    size_t before = (size_t)(at - file_text);
    memcpy(other, file_text, before);
    strcpy(other + before, c->replace);
    strcat(other, at + strlen(c->find));
}

static void test_comments(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        change_file(&comments[i]);
        assert_true(format("txg")->recognise(other, strlen(other)));
        struct match *m = read_record(comments[i].replace, other);
        write_record(m, RECORD_FULL, written);
        assert_string_equal(written, file_text);
        match_close(m);
    }
}

/* Known for what it is though its first tag is not. */
static void test_known_anyway(void **state)
{
    (void)state;
    static const struct change heads[] = {
        {"2p-random-a.txg", "[Game \"Terra-X\"]\n", "", NULL, 0},
        {"2p-random-a.txg", "Terra-X", "terra x", NULL, 0},
        {"2p-random-a.txg", "[Game", "\xef\xbb\xbf[Game", NULL, 0},
    };
    for (int i = 0; i < 3; i++) {
        change_file(&heads[i]);
        assert_true(format("txg")->recognise(other, strlen(other)));
    }
}

static void test_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *c = &changes[i];
        change_file(c);
        expect_refusal(c->replace, format("txg"), other, c->reason, c->line);
    }
}

/* In one seat's record every note must be there. */
static void test_view_notes(void **state)
{
    (void)state;
    static const char *const notes[] = {" (c1)", " (3:CAR*)", " (2:BER)",
                                        " (o1:PER<BEN)"};
    for (int i = 0; i < 4; i++) {
        load("progress-3p.seat2.txg", file_text);
        char *at = strstr(file_text, notes[i]);
        assert_non_null(at);
        memmove(at, at + strlen(notes[i]), strlen(at + strlen(notes[i])) + 1);
        struct fault f = {0};
        struct match *m = match_read(&terrax_game, format("txg"), file_text,
                                     strlen(file_text), NULL, &f);
        if (i == 2) { /* nobody else can tell that seat 2 had a hidden card */
            match_close(m);
            continue;
        }
        assert_null(m);
        TEST_FAULT(&terrax_game, &f, TX_NOTE);
    }
}

/* ---- other formats ---- */

static void test_truncated(void **state)
{
    (void)state;
    size_t length = load("3p-random-a.txg", file_text);
    for (size_t cut = 0; cut < length; cut += 7) {
        struct fault f = {0};
        memcpy(other, file_text, cut);
        other[cut] = '\0';
        struct match *m =
            match_read(&terrax_game, format("txg"), other, cut, NULL, &f);
        if (m)
            match_close(m);
        else
            assert_int_not_equal(f.code, 0);
    }
}

/* A match on a map of its own carries the map along. */
static void test_own_map(void **state)
{
    (void)state;
    struct fault f = {0};
    struct setup setup;
    setup_init(&terrax_game, &setup);
    struct match *m = match_open(&terrax_game, &setup, &f);
    assert_non_null(m);
    assert_true(match_write(m, format("map"), 0, RECORD_FULL, file_text, TEXT) >
                50000);
    match_close(m);
    memcpy(file_text, "map mine", 8);
    char *name = strstr(file_text, "\n");
    memmove(file_text + 8, name, strlen(name) + 1);
    m = match_read(&terrax_game, format("map"), file_text, strlen(file_text),
                   NULL, &f);
    assert_non_null(m);
    assert_true(match_type(m, 0, "1:NEB", &f) || f.code == TX_MARKS);
    write_record(m, RECORD_FULL, written);
    assert_non_null(strstr(written, "[Map \"mine\"]"));
    struct match *back = read_record("own map", written);
    assert_true(match_world(back)->own_map);
    assert_string_equal(match_world(back)->name, "mine");
    write_record(back, RECORD_FULL, other);
    assert_string_equal(written, other);
    match_close(back);
    match_close(m);
}

/* A game from a position in the marker phase, with any number of its steps. */
static void test_marks_from_position(void **state)
{
    (void)state;
    static const char position[] =
        "game: terrax\nseats: 2\noption markers: 1\n"
        "start:\n\tA:- B:- C:- | seat 1 base 0 green 0 loop - loops 0 used 0\n"
        "\tphase: mark\n\tround: 0\n\thand 1: NEB KIZ\n\thand 2: OTZ SKA\n";
    static const char *const lines[] = {"", "1:NEB", "2:OTZ", "A>rCOP end"};
    struct fault f = {0};
    struct match *m = match_read(&terrax_game, format("position"), position,
                                 strlen(position), NULL, &f);
    if (!m)
        fail_msg("line %d: %s", f.line, fault_text(&terrax_game, f.code)->name);
    for (int i = 0; i < 4; i++) {
        assert_true(!*lines[i] || match_type(m, i == 2, lines[i], &f));
        write_record(m, RECORD_FULL, written);
        struct match *back = read_record("marks from a position", written);
        assert_int_equal(match_count(back), match_count(m));
        write_record(back, RECORD_FULL, other);
        assert_string_equal(written, other);
        match_close(back);
    }
    match_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks_from_position),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_seat_views),
        cmocka_unit_test(test_continue_view),
        cmocka_unit_test(test_swap_open),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_known_anyway),
        cmocka_unit_test(test_view_notes),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_own_map),
    };
    return cmocka_run_group_tests_name("terrax records", tests, NULL, NULL);
}
