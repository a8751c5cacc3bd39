/* tests/rules/mystica/forms_test.c: the public server's language, form by form.
 *
 * Small command files and tables with one form each, and what the faction has
 * afterwards.  Two players on the base map: Auren with dwellings on F4 and D1,
 * Giants on D4 and I5; after the income of round 1 Auren have 15 C, 8 W, 0 P,
 * Giants 15 C, 7 W. */
#include "tests/test.h"

#include "game/match.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/start.h"

static char file[1 << 16];

#define TILES                                                                  \
    "score SCORE2,SCORE3,SCORE4,SCORE5,SCORE6,SCORE7\n"                        \
    "delete BON1\ndelete BON2\ndelete BON3\ndelete BON4\n"
#define OPENING                                                                \
    TILES "setup auren\nsetup giants\n"                                        \
          "auren: build F4\ngiants: build D4\ngiants: build I5\n"              \
          "auren: build D1\ngiants: pass BON5\nauren: pass BON6\n"

static struct match *read_text(const char *text, struct fault *f)
{
    const struct record_format *ledger = match_format(&mystica_game, "ledger");
    size_t length = strlen(text);
    if (!ledger->recognise(text, length))
        ledger = match_format(&mystica_game, "commands");
    return match_read(&mystica_game, ledger, text, length, NULL, f);
}

/* "auren 20 VP 15 C 8 W 0 P 5/7/0 0/1/0/1" */
static void write_seat(const struct state *s, const char *faction, char *to)
{
    for (int seat = 0; seat < SEATS; seat++) {
        const struct seat *p = &s->seat[seat];
        if (p->faction == NO_FACTION ||
            strcmp(factions[p->faction].id, faction) != 0)
            continue;
        sprintf(to, "%d VP %d C %d W %d P %d/%d/%d %d/%d/%d/%d", p->vp,
                p->coins, p->workers, p->priests, p->bowl[0], p->bowl[1],
                p->bowl[2], p->cult[0], p->cult[1], p->cult[2], p->cult[3]);
    }
}

struct form {
    const char *name, *text, *faction, *after;
};

static void check_forms(const struct form *form, size_t count,
                        const char *opening)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct fault f = {0};
        char why[300], found[200] = "nobody";
        snprintf(file, sizeof file, "%s%s\n", opening, form[i].text);
        struct match *m = read_text(file, &f);
        if (!m) {
            fault_write(&mystica_game, &f, why, sizeof why);
            print_error("%s: line %d: %s\n", form[i].name, f.line, why);
            wrong++;
            continue;
        }
        write_seat(match_state(m), form[i].faction, found);
        if (strcmp(found, form[i].after) != 0) {
            print_error("%s: %s, not %s\n", form[i].name, found, form[i].after);
            wrong++;
        }
        match_close(m);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(forms, opening)                                                  \
    check_forms(forms, sizeof(forms) / sizeof *(forms), opening)

static void test_commands(void **state)
{
    static const struct form forms[] = {
        {"any case, no blank behind the dot", "AUREN: Burn 3.convert PW TO c",
         "auren", "20 VP 16 C 8 W 0 P 6/1/2 0/1/0/1"},
        {"number and unit apart", "auren: burn 3. Convert 2 PW to 2C", "auren",
         "20 VP 17 C 8 W 0 P 7/1/1 0/1/0/1"},
        {"one need not be written", "auren: burn 3. convert 3pw to w", "auren",
         "20 VP 15 C 9 W 0 P 8/1/0 0/1/0/1"},
        {"units as words",
         "auren: convert 1 worker to 1 coin. convert 2 workers to 2 coins",
         "auren", "20 VP 18 C 5 W 0 P 5/7/0 0/1/0/1"},
        {"a comment behind the commands", "auren: burn 1 # why not\n# or so",
         "auren", "20 VP 15 C 8 W 0 P 5/5/1 0/1/0/1"},
        {"build uses the spades", "auren: dig 1. build e7", "auren",
         "20 VP 13 C 4 W 0 P 5/7/0 0/1/0/1"},
        {"transform without colour", "auren: dig 1. transform E7. build E7",
         "auren", "20 VP 13 C 4 W 0 P 5/7/0 0/1/0/1"},
        {"build before transform",
         "auren: dig 1. build E7. transform E7 to green", "auren",
         "20 VP 13 C 4 W 0 P 5/7/0 0/1/0/1"},
        {"grey is gray", "auren: dig 1. transform G2 to grey", "auren",
         "20 VP 15 C 5 W 0 P 5/7/0 0/1/0/1"},
        {"long names of buildings", "auren: Upgrade F4 to trading post",
         "auren", "20 VP 9 C 6 W 0 P 5/7/0 0/1/0/1"},
        {"waiting changes nothing", "auren: upgrade F4 to TP. wait", "auren",
         "20 VP 9 C 6 W 0 P 5/7/0 0/1/0/1"},
        {"dig before action",
         "auren: pass BON7\n"
         "giants: burn 4. dig 1. action ACT5. transform E7 to red",
         "giants", "20 VP 15 C 4 W 0 P 6/2/0 1/0/0/1"},
        {"best free space of a track",
         "auren: burn 3. action ACT2\ngiants: pass BON7\n"
         "auren: send priest to fire",
         "auren", "20 VP 15 C 8 W 0 P 7/2/0 3/1/0/1"},
        {"a space by number",
         "auren: burn 3. action ACT2\ngiants: pass BON7\n"
         "auren: send p to FIRE for 1",
         "auren", "20 VP 15 C 8 W 0 P 8/1/0 1/1/0/1"},
        {"whatever follows a track is ignored",
         "auren: burn 3. action ACT2\ngiants: pass BON7\n"
         "auren: advance shipping at last",
         "auren", "22 VP 11 C 8 W 0 P 8/1/0 0/1/0/1"},
        {"pass before convert", "auren: pass BON7. convert 1W to 1C", "auren",
         "20 VP 17 C 7 W 0 P 5/7/0 0/1/0/1"},
        {"a card taken is a pass", "auren: +BON7", "auren",
         "20 VP 16 C 8 W 0 P 5/7/0 0/1/0/1"},
        {"pass and card apart", "auren: pass. +BON7", "auren",
         "20 VP 16 C 8 W 0 P 5/7/0 0/1/0/1"},
        {"equal gains are one: both steps on one track",
         "auren: upgrade F4 to TP\ngiants: pass BON7\n"
         "auren: upgrade F4 to SH. +FAV1\nauren: action ACTA. +WATER. +WATER",
         "auren", "20 VP 3 C 2 W 0 P 3/9/0 3/3/0/1"},
        {"both steps by number",
         "auren: upgrade F4 to TP\ngiants: pass BON7\n"
         "auren: upgrade F4 to SH. +FAV1\nauren: action ACTA. +2WATER",
         "auren", "20 VP 3 C 2 W 0 P 3/9/0 3/3/0/1"},
        {"coins to VP, as everybody may there", "auren: convert 6C to 2VP",
         "auren", "22 VP 9 C 8 W 0 P 5/7/0 0/1/0/1"},
        {"corrections by hand", "auren: -1w\nauren: +2c. -1vp", "auren",
         "19 VP 17 C 7 W 0 P 5/7/0 0/1/0/1"},
        {"phases of very old games are implied",
         "auren: income\ngiants: income. start\nauren: burn 1", "auren",
         "20 VP 15 C 8 W 0 P 5/5/1 0/1/0/1"},
    };
    (void)state;
    CHECK(forms, OPENING);
}

/* Auren build on E7 next to the Giants' dwelling on D4. */
static void test_offers(void **state)
{
    static const struct form forms[] = {
        {"by name", "giants: Leech 1 from auren", "giants",
         "20 VP 15 C 7 W 0 P 1/11/0 1/0/0/1"},
        {"the oldest of that amount", "giants: leech 1", "giants",
         "20 VP 15 C 7 W 0 P 1/11/0 1/0/0/1"},
        {"answers come first in a line", "giants: upgrade D4 to TP. leech 1",
         "giants", "20 VP 12 C 5 W 0 P 1/11/0 1/0/0/1"},
        {"refusing all", "giants: Decline. upgrade D4 to TP", "giants",
         "20 VP 12 C 5 W 0 P 2/10/0 1/0/0/1"},
        {"lapsed by the next action",
         "giants: upgrade D4 to TP\nauren: pass BON7", "giants",
         "20 VP 12 C 5 W 0 P 2/10/0 1/0/0/1"},
        {"answered after the next turn",
         "giants: upgrade D4 to TP\nauren: leech 2 from giants. pass BON7",
         "auren", "19 VP 14 C 4 W 0 P 3/9/0 0/1/0/1"},
        {"an administrator drops the receiver",
         "drop-faction giants\nauren: "
         "pass BON5",
         "auren", "20 VP 13 C 4 W 0 P 5/7/0 0/1/0/1"},
        {"or he resigns", "giants: resign\nauren: pass BON7", "auren",
         "20 VP 14 C 4 W 0 P 5/7/0 0/1/0/1"},
    };
    (void)state;
    CHECK(forms, OPENING "auren: dig 1. build E7\n");
}

static void test_heads(void **state)
{
    static const struct form forms[] = {
        {"the base map by its other name", "map original\n" OPENING, "auren",
         "20 VP 15 C 8 W 0 P 5/7/0 0/1/0/1"},
        {"the base map by its number",
         "map 126fe960806d587c78546b30f1a90853b1ada468\n" OPENING, "auren",
         "20 VP 15 C 8 W 0 P 5/7/0 0/1/0/1"},
        {"start VP of 2017",
         "map 91645cdb135773c2a7a50e5ca9cb18af54c664c4\n" OPENING, "giants",
         "25 VP 15 C 7 W 0 P 2/10/0 1/0/0/1"},
        {"lines without rules",
         "player-count 2\nplayer One\nplayer Two\norder One,Two\n"
         "admin email a@b\nrandomize v1 seed x\nfaction-variant variable_v5\n"
         "option email-notify\noption maintain-player-order\n" OPENING,
         "giants", "20 VP 15 C 7 W 0 P 2/10/0 1/0/0/1"},
        {"options switched off again",
         "option shipping-bonus\ndropoption shipping-bonus\n" OPENING, "giants",
         "20 VP 15 C 7 W 0 P 2/10/0 1/0/0/1"},
        {"players behind their factions",
         TILES "setup auren for One\nsetup giants for Two\n"
               "auren: build F4\ngiants: build D4\ngiants: build I5\n"
               "auren: build D1\ngiants: +BON5\nauren: +BON6\n",
         "giants", "20 VP 15 C 7 W 0 P 2/10/0 1/0/0/1"},
    };
    static struct form full[sizeof forms / sizeof *forms];
    static char text[sizeof forms / sizeof *forms][2000];
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(text[i], sizeof text[i], "%sauren: pass BON7\n",
                 forms[i].text);
        full[i] = forms[i];
        full[i].text = text[i];
        if (strcmp(forms[i].faction, "auren") == 0)
            full[i].after = "20 VP 16 C 8 W 0 P 5/7/0 0/1/0/1";
    }
    CHECK(full, "");
}

/* Acolytes on D4 and I5 against Auren on F4 and D1. */
static void test_volcano(void **state)
{
    static const struct form forms[] = {
        {"pay, then build",
         "acolytes: dig 1. transform E7 to volcano. -3FIRE. build E7",
         "acolytes", "20 VP 13 C 5 W 0 P 3/9/0 0/3/3/3"},
        {"build, then pay", "acolytes: dig 1. build E7. -3AIR", "acolytes",
         "20 VP 13 C 5 W 0 P 3/9/0 3/3/3/0"},
        {"any number of spades is one",
         "acolytes: dig 3. transform E7 to volcano. -3FIRE", "acolytes",
         "20 VP 15 C 6 W 0 P 3/9/0 0/3/3/3"},
        {"spades not used", "acolytes: dig 1. upgrade D4 to TP", "acolytes",
         "20 VP 9 C 4 W 0 P 3/9/0 3/3/3/3"},
        {"spades become steps, as one likes",
         "acolytes: burn 4. action ACT5. +EARTH", "acolytes",
         "20 VP 15 C 6 W 0 P 7/1/0 3/3/4/3"},
    };
    (void)state;
    CHECK(forms,
          TILES "option fire-and-ice-factions/volcano\n"
                "setup auren\nsetup acolytes\nacolytes: pick-color red\n"
                "auren: build F4\nacolytes: build D4\nacolytes: build I5\n"
                "auren: build D1\nacolytes: pass BON5\nauren: pass BON6\n"
                "auren: upgrade D1 to TP\n");
}

/* Engineers on C2 and H6: 10 C, 5 W. */
static void test_engineers(void **state)
{
    static const struct form forms[] = {
        {"an action", "engineers: action ACTE. bridge C2:D4", "engineers",
         "20 VP 10 C 3 W 0 P 0/12/0 0/0/0/0"},
        {"a conversion, the cells the other way round",
         "engineers: convert 2W to bridge. bridge D4:C2", "engineers",
         "20 VP 10 C 3 W 0 P 0/12/0 0/0/0/0"},
        {"paid by hand, with an administrator's word",
         "engineers: -2w. bridge C2:D4 allow_illegal", "engineers",
         "20 VP 10 C 3 W 0 P 0/12/0 0/0/0/0"},
        {"paid and given up", "engineers: action ACTE. -BRIDGE", "engineers",
         "20 VP 10 C 3 W 0 P 0/12/0 0/0/0/0"},
        {"a second one on the same pair",
         "engineers: action ACTE. bridge C2:D4\nauren: pass BON7\n"
         "engineers: action ACTE. bridge C2:D4",
         "engineers", "20 VP 10 C 1 W 0 P 0/12/0 0/0/0/0"},
    };
    (void)state;
    CHECK(forms,
          TILES "setup auren\nsetup engineers\nauren: build F4\n"
                "engineers: build C2\nengineers: build H6\nauren: build D1\n"
                "engineers: pass BON5\nauren: pass BON6\n"
                "auren: upgrade D1 to TP\n");
}

/* Alone, every row is a turn, but a trade belongs to the stronghold. */
static void test_darklings(void **state)
{
    static const struct form forms[] = {
        {"workers to priests in a row of its own",
         "darklings: upgrade E5 to SH\ndarklings: convert 1W to 1P",
         "darklings", "20 VP 3 C 0 W 2 P 6/2/0 0/1/1/0"},
        {"in the same row", "darklings: upgrade E5 to SH. convert 1W to 1P",
         "darklings", "20 VP 3 C 0 W 2 P 6/2/0 0/1/1/0"},
        {"waived", "darklings: upgrade E5 to SH. -3CONVERT_W_TO_P", "darklings",
         "20 VP 3 C 1 W 1 P 6/2/0 0/1/1/0"},
    };
    (void)state;
    CHECK(forms,
          TILES "option strict-darkling-sh\nsetup auren\nsetup darklings\n"
                "auren: build F4\ndarklings: build E5\ndarklings: build G5\n"
                "auren: build D1\ndarklings: pass BON5\nauren: pass BON6\n"
                "auren: pass BON7\ndarklings: upgrade E5 to TP\n"
                "darklings: burn 4. action ACT3\n");
}

/* ---- tables ---- */

#define ROW(faction, vp, c, w, p, pw, cults, more)                             \
    faction "\t" vp "\t" c "\t" w "\t" p "\t" pw "\t" cults "\t" more "\n"
#define AUREN(c, w, more)                                                      \
    ROW("auren", "\t20 VP", c, w, "\t0 P", "\t5/7/0 PW", "\t0/1/0/1", more)
#define GIANTS(c, w, p, pw, more)                                              \
    ROW("giants", "\t20 VP", c, w, p, pw, "\t1/0/0/1", more)
#define HEAD                                                                   \
    "Default game options\tshow history\noption variable-turn-order\n"         \
    "Round 1 scoring: SCORE2, TOWN >> 5\nRound 2 scoring: SCORE3, D >> 2\n"    \
    "Round 3 scoring: SCORE4, x\nRound 4 scoring: SCORE5, x\n"                 \
    "Round 5 scoring: SCORE6, x\nRound 6 scoring: SCORE7, x\n"                 \
    "Removing tile BON1\nRemoving tile BON2\nRemoving tile BON3\n"             \
    "Removing tile BON4\nPlayer 1: One\nPlayer 2: Two\n"
#define TABLE                                                                  \
    HEAD AUREN("\t15 C", "\t3 W", "\tsetup") GIANTS(                           \
        "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW",                              \
        "\tsetup") AUREN("\t15 C", "\t3 W", "\tbuild F4")                      \
        GIANTS("\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW", "\tbuild D4")         \
            GIANTS("\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW", "\tbuild I5")     \
                AUREN("\t15 C", "\t3 W", "\tbuild D1") GIANTS(                 \
                    "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW", "\tPass BON5")   \
                    AUREN("\t15 C", "\t3 W", "\tPass BON6") "Round 1 income\n"

/* Cult bonus and income together, and rows that only wait. */
static void test_old_table(void **state)
{
    static const struct form forms[] = {
        {"income in one row",
         "Round 1, turn 1\n" AUREN("+1\t16 C", "\t8 W", "\tpass BON7")
             GIANTS("\t15 C", "\t7 W", "\t0 P", "\t2/10/0 PW", "\twait") GIANTS(
                 "+1\t16 C", "\t7 W", "\t0 P", "\t2/10/0 PW",
                 "\tpass BON8") "Round 2 income\n" AUREN("\t16 C", "+4\t12 W",
                                                         "\tincome_for_faction")
                 GIANTS(
                     "\t16 C", "+3\t10 W", "+1\t1 P", "\t2/10/0 PW",
                     "\tincome_for_faction") "Round 2, turn 1\n" AUREN("+2\t18 "
                                                                       "C",
                                                                       "\t12 W",
                                                                       "\tpass "
                                                                       "BON9"),
         "auren", "20 VP 18 C 12 W 0 P 5/7/0 0/1/0/1"},
    };
    (void)state;
    CHECK(forms, TABLE AUREN("\t15 C", "+5\t8 W", "\tincome_for_faction")
                     GIANTS("\t15 C", "+4\t7 W", "\t0 P", "+3\t2/10/0 PW",
                            "\tincome_for_faction"));
}

/* After an auction the rows of the setup show 40 less the bid. */
static void test_auction(void **state)
{
    static const struct form forms[] = {
        {"who bid 12 has 28",
         ROW("auren", "\t28 VP", "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW",
             "\t0/1/0/1", "\tsetup")
             ROW("giants", "\t40 VP", "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW",
                 "\t1/0/0/1", "\tsetup")
                 ROW("auren", "\t28 VP", "\t15 C", "\t3 W", "\t0 P",
                     "\t5/7/0 PW", "\t0/1/0/1", "\tbuild F4"),
         "auren", "28 VP 15 C 3 W 0 P 5/7/0 0/1/0/1"},
        {"who bid nothing has 40",
         ROW("auren", "\t28 VP", "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW",
             "\t0/1/0/1", "\tsetup")
             ROW("giants", "\t40 VP", "\t15 C", "\t3 W", "\t0 P", "\t5/7/0 PW",
                 "\t1/0/0/1", "\tsetup"),
         "giants", "40 VP 15 C 3 W 0 P 5/7/0 1/0/0/1"},
    };
    (void)state;
    CHECK(forms, HEAD);
}

/* A faction that left goes on receiving income in rows without a command. */
static void test_dropped(void **state)
{
    static const struct form forms[] = {
        {"income and the card that is free again",
         "Round 1, turn 1\n" AUREN(
             "+1\t16 C", "\t8 W",
             "\tpass BON7") "giants dropped from the game\nRound 2 "
                            "income\n" AUREN("\t16 C", "\t8 W",
                                             "\tcult_income_for_faction")
                                GIANTS(
                                    "\t15 C", "\t7 W", "\t0 P", "\t2/10/0 PW",
                                    "\t") "Round 2 income\n" AUREN("\t16 C",
                                                                   "+4\t12 W",
                                                                   "\tother_"
                                                                   "income_for_"
                                                                   "faction")
                                    GIANTS(
                                        "\t15 C", "+3\t10 W", "\t0 P",
                                        "\t2/10/0 PW",
                                        "\t") "Round 2, turn 1\n" AUREN("+1\t17"
                                                                        " C",
                                                                        "\t12 "
                                                                        "W",
                                                                        "\tpass"
                                                                        " BON"
                                                                        "5"),
         "giants", "20 VP 15 C 10 W 0 P 2/10/0 1/0/0/1"},
    };
    (void)state;
    CHECK(forms, TABLE AUREN("\t15 C", "+5\t8 W", "\tother_income_for_faction")
                     GIANTS("\t15 C", "+4\t7 W", "\t0 P", "+3\t2/10/0 PW",
                            "\tother_income_for_faction"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),  cmocka_unit_test(test_offers),
        cmocka_unit_test(test_heads),     cmocka_unit_test(test_volcano),
        cmocka_unit_test(test_engineers), cmocka_unit_test(test_old_table),
        cmocka_unit_test(test_dropped),   cmocka_unit_test(test_darklings),
        cmocka_unit_test(test_auction),
    };
    return cmocka_run_group_tests_name("mystica forms", tests, NULL, NULL);
}
