/* tests/rules/terrax/map_test.c: the default map is what the rules say of it,
 * distances agree with another method, and faulty maps are refused with the
 * file and line at fault (terrax §2). */
#include "tests/test.h"

#include "game/match.h"
#include "game/setup.h"
#include "rules/terrax/state.h"

enum { TEXT = 1 << 18 };

static char map[TEXT], changed[TEXT];

static struct world *default_world(void)
{
    struct world *w = malloc(sizeof *w);
    struct setup setup;
    struct fault f = {0};
    setup_init(&terrax_game, &setup);
    assert_true(terrax_prepare(w, &setup, &f));
    return w;
}

static void test_facts(void **state)
{
    (void)state;
    static const int by_distance[] = {0, 2, 4, 5, 10, 12, 11, 10, 11, 9, 4, 1};
    struct world *w = default_world();
    int kinds[5] = {0}, lands[6] = {0}, far[16] = {0}, least = 99, most = 0;
    for (int i = 0; i < w->drawings; i++) {
        kinds[w->drawing[i].kind]++;
        if (w->drawing[i].kind == KIND_MISSION)
            lands[w->drawing[i].continent]++;
    }
    const int want_kinds[] = {79, 20, 20, 1, 6};
    const int want_lands[] = {14, 20, 13, 13, 10, 9};
    assert_memory_equal(kinds, want_kinds, sizeof kinds);
    assert_memory_equal(lands, want_lands, sizeof lands);
    assert_int_equal(w->places, 123);
    assert_int_equal(w->legs, 229);
    for (int p = 0; p < w->places; p++) {
        least = w->degree[p] < least ? w->degree[p] : least;
        most = w->degree[p] > most ? w->degree[p] : most;
    }
    assert_int_equal(least, 3);
    assert_int_equal(most, 7);
    assert_int_equal(200 * w->legs / w->places, 372); /* 3.72 on average */
    for (int card = 0; card < w->cards; card++)
        far[w->far[card]]++;
    assert_memory_equal(far, by_distance, sizeof by_distance);
    free(w);
}

static bool has_neighbour(const struct world *w, int place, int kind)
{
    for (int i = 0; i < w->degree[place]; i++)
        if (w->kind[w->to[w->first[place] + i]] == kind)
            return true;
    return false;
}

static void test_neighbours(void **state)
{
    (void)state;
    struct world *w = default_world();
    int beside = 0, markable = 0, opens = 0;
    for (int card = 0; card < w->cards; card++) {
        int place = w->place_of[card];
        beside += has_neighbour(w, place, KIND_RED) ||
                  has_neighbour(w, place, KIND_GREEN);
        markable += w->far[card] >= w->option[OPT_MARK_MIN];
        opens += w->far[card] >= w->option[OPT_OPEN_MIN];
    }
    assert_int_equal(beside, 64);
    assert_int_equal(markable, 77);
    assert_int_equal(opens, 73);
    for (int p = 0; p < w->places; p++)
        assert_false(w->kind[p] == KIND_GREEN &&
                     has_neighbour(w, p, KIND_GREEN));
    free(w);
}

/* Twice the area of a triangle, with its sign. */
static int64_t turn_of(const struct drawing *a, const struct drawing *b,
                       const struct drawing *c)
{
    return (int64_t)(b->x - a->x) * (c->y - a->y) -
           (int64_t)(b->y - a->y) * (c->x - a->x);
}

static bool cross(const struct world *w, const struct leg *p,
                  const struct leg *q)
{
    const struct drawing *d = w->drawing;
    if (p->a == q->a || p->a == q->b || p->b == q->a || p->b == q->b)
        return false;
    bool over = (turn_of(&d[p->a], &d[p->b], &d[q->a]) > 0) !=
                (turn_of(&d[p->a], &d[p->b], &d[q->b]) > 0);
    return over && (turn_of(&d[q->a], &d[q->b], &d[p->a]) > 0) !=
                       (turn_of(&d[q->a], &d[q->b], &d[p->b]) > 0);
}

static void test_crossings(void **state)
{
    (void)state;
    struct world *w = default_world();
    for (int i = 0; i < w->legs; i++)
        for (int j = 0; j < i; j++)
            assert_false(cross(w, &w->leg[i], &w->leg[j]));
    free(w);
}

/* Floyd and Warshall instead of breadth first. */
static void test_distances(void **state)
{
    (void)state;
    static int far[PLACES][PLACES];
    struct world *w = default_world();
    for (int a = 0; a < w->places; a++)
        for (int b = 0; b < w->places; b++)
            far[a][b] = a == b ? 0 : 1000;
    for (int i = 0; i < w->legs; i++) {
        int a = w->drawing[w->leg[i].a].place,
            b = w->drawing[w->leg[i].b].place;
        far[a][b] = far[b][a] = 1;
    }
    for (int k = 0; k < w->places; k++)
        for (int a = 0; a < w->places; a++)
            for (int b = 0; b < w->places; b++)
                if (far[a][k] + far[k][b] < far[a][b])
                    far[a][b] = far[a][k] + far[k][b];
    for (int a = 0; a < w->places; a++)
        for (int b = 0; b < w->places; b++)
            assert_int_equal(far[a][b], w->distance[a][b]);
    free(w);
}

/* Places that can be reached from a start without passing a place or a leg;
 * -1: nothing is left out. */
static int reached(const struct world *w, int start, int place, int leg)
{
    bool seen[PLACES] = {false};
    int queue[PLACES], count = 1;
    queue[0] = start;
    seen[start] = true;
    for (int next = 0; next < count; next++)
        for (int i = 0; i < w->legs; i++) {
            int a = w->drawing[w->leg[i].a].place;
            int b = w->drawing[w->leg[i].b].place;
            int here = queue[next], to = here == a ? b : here == b ? a : here;
            if (i != leg && to != place && !seen[to]) {
                seen[to] = true;
                queue[count++] = to;
            }
        }
    return count;
}

/* terrax §2: no leg and no single place cuts the map in two. */
static void test_whole(void **state)
{
    (void)state;
    struct world *w = default_world();
    assert_int_equal(reached(w, w->hub, -1, -1), w->places);
    for (int leg = 0; leg < w->legs; leg++)
        assert_int_equal(reached(w, w->hub, -1, leg), w->places);
    for (int place = 0; place < w->places; place++)
        assert_int_equal(reached(w, (place + 1) % w->places, place, -1),
                         w->places - 1);
    free(w);
}

static void test_slots(void **state)
{
    (void)state;
    struct world *w = default_world();
    assert_int_equal(w->slots, 2 * w->legs);
    for (int slot = 0; slot < w->slots; slot++) {
        assert_int_equal(w->back[w->back[slot]], slot);
        assert_int_equal(w->from[slot], w->to[w->back[slot]]);
        assert_int_equal(w->leg_of[slot], w->leg_of[w->back[slot]]);
    }
    for (int p = 1; p < w->places; p++)
        assert_true(strcmp(w->id[p - 1], w->id[p]) < 0);
    assert_int_equal(tx_map_place(w, span_of("e1")), -1);
    int edge = tx_map_place(w, span_of("w1"));
    assert_true(edge >= 0 && w->west[edge] != w->east[edge]);
    free(w);
}

/* Missions of two continents differ in more than colour: as many outlines of
 * each kind are drawn as it has missions. */
static void test_outlines(void **state)
{
    (void)state;
    static const char *const outlines[] = {"m-10 0a10",    "m0-12.2 11.6",
                                           "m0 12.2 11.6", "m-4.2-11.4h8.4v",
                                           "m-6.6-6a6.6",  "m-6-6.6h12a6.6"};
    static const int missions[] = {14, 20, 13, 13, 10, 9};
    struct world *w = default_world();
    struct setup setup;
    struct state s;
    setup_init(&terrax_game, &setup);
    terrax_start(w, &setup, &s);
    int length = terrax_write_picture(w, &s, SEAT_NONE, changed, TEXT);
    assert_in_range(length, 1, TEXT - 1);
    for (int i = 0; i < 6; i++) {
        int count = 0;
        for (const char *at = changed; (at = strstr(at, outlines[i])); at++)
            count++;
        assert_int_equal(count, missions[i]);
    }
    free(w);
}

/* ---- refusals ---- */

struct change {
    const char *find, *replace, *reason, *where;
};

static const struct change changes[] = {
    {"map default 1\n", "", "map-file", "map"},
    {"places\nid", "plaices\nid", "map-file", "places.tsv"},
    {"SKA\tmission", "SKA\xff\tmission", "map-file",
     "places.tsv line 3: UTF-8"},
    {"L003\t", "L003\r\t", "map-file", "legs.tsv line 4: CR"},
    {"legs\nleg", "leg", "map-columns", "places.tsv line 128"},
    {"id\tkind", "id\tkin", "map-columns", "places.tsv line 1"},
    {"SKA\tmission", "SKA mission", "map-columns", "places.tsv line 3"},
    {"SKA\tmission", "S\tmission", "map-id", "places.tsv line 3"},
    {"SKA\tmission", "1SK\tmission", "map-id", "places.tsv line 3"},
    {"STO\tmission", "SKA\tmission", "map-id", "places.tsv line 4: SKA"},
    {"SKA\tmission", "SKA\tmissing", "map-kind", "places.tsv line 3"},
    {"SKA\tmission\teurope", "SKA\tmission\tatlantis", "map-kind",
     "places.tsv line 3"},
    {"SKA\tmission\teurope", "SKA\tred\teurope", "map-kind",
     "places.tsv line 3"},
    {"SKA\tmission\teurope", "SKA\tmission\t-", "map-kind",
     "places.tsv line 3"},
    {"850\t151", "850\tnorth", "map-number", "places.tsv line 3: SKA"},
    {"59.05", "59.0.5", "map-number", "places.tsv line 3: SKA"},
    {"22\t150\te1", "22\t150\te2", "map-edge", "places.tsv line 122: w1"},
    {"850\t151\t-", "850\t151\te1", "map-edge", "places.tsv line 3: SKA"},
    {"SKA\tmission\teurope", "SKA\tred\t-", "map-count",
     "places.tsv: 78 missions"},
    {"rCOP\tred\t-", "rCOP\tmission\teurope", "map-count",
     "places.tsv line 82: rCOP"},
    {"SCA\tstart", "SCA\tred", "map-start", "places.tsv"},
    {"rCOP\tred", "rCOP\tstart", "map-start", "places.tsv line 82: rCOP"},
    {"L001\tSCA\trTRM\t1", "L001\tSCA\trTRM\t-", "map-start",
     "legs.tsv line 2: L001"},
    {"L001\tSCA\trTRM\t1", "L001\tSCA\trTRM\t2", "map-start",
     "legs.tsv line 3: L002"},
    {"L007\tgTOR\tTHI\t-", "L007\tgTOR\tTHI\t1", "map-start",
     "legs.tsv line 8: L007"},
    {"L006\tSCA\tgTOR\t6\n", "", "map-start", "legs.tsv: start leg 6"},
    {"L007\tgTOR\tTHI", "L007\tgTOR\tQQQ", "map-leg", "legs.tsv line 8: QQQ"},
    {"L007\tgTOR\tTHI", "L006\tgTOR\tTHI", "map-leg", "legs.tsv line 8: L006"},
    {"L007\tgTOR\tTHI", "L007\tgTOR\tgTOR", "map-leg", "legs.tsv line 8: L007"},
    {"L007\tgTOR\tTHI", "L007\tw1\te1", "map-leg", "legs.tsv line 8: L007"},
    {"L008\tgTOR\tSKA", "L008\tTHI\tgTOR", "map-leg", "legs.tsv line 9: L008"},
    {"L007\tgTOR\tTHI\t-", "L007\tgTOR\tTHI", "map-columns",
     "legs.tsv line 8: L007"},
    {"leg\ta\tb\tstart_no", "leg\ta\tb", "map-columns", "legs.tsv line 1"},
};

static void load_default(void)
{
    struct world *w = default_world();
    memcpy(map, w->text, w->text_length);
    map[w->text_length] = '\0';
    free(w);
}

/* The world's coast belongs under a map whose places lie where the world has
 * them, though some were moved. */
static void test_earth(void **state)
{
    (void)state;
    static const char *const own[] = {"full", "tree"};
    struct world *w = default_world();
    struct fault f = {0};
    assert_true(w->earth);
    char *ska = strstr(w->text, "\t850\t151\t");
    assert_non_null(ska);
    memcpy(ska, "\t150\t951", 8);
    assert_true(tx_map_read(w, MISSIONS, &f));
    assert_true(w->earth);
    for (int i = 0; i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/games/terrax/maps/%s.map",
                 getenv("TERRA_SOURCE"), own[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        memset(w, 0, sizeof *w);
        w->text_length = (uint32_t)fread(w->text, 1, sizeof w->text - 1, file);
        fclose(file);
        assert_true(tx_map_read(w, MISSIONS, &f));
        assert_false(w->earth);
    }
    free(w);
}

static void expect_refusal(const char *reason, const char *where)
{
    struct fault f = {0};
    struct match *m =
        match_read(&terrax_game, match_format(&terrax_game, "map"), changed,
                   strlen(changed), NULL, &f);
    if (m)
        fail_msg("%s at %s should be refused", reason, where);
    if (strcmp(fault_text(&terrax_game, f.code)->name, reason) != 0 ||
        !strstr(f.subject, where))
        fail_msg("%s '%s', wanted %s '%s'",
                 fault_text(&terrax_game, f.code)->name, f.subject, reason,
                 where);
    TEST_FAULT_NAMED(&terrax_game, &f, reason);
}

static void replace(const char *find, const char *with)
{
    char *at = strstr(map, find);
    if (!at)
        fail_msg("no '%s' in the map", find);
    size_t before = (size_t)(at - map);
    memcpy(changed, map, before);
    strcpy(changed + before, with);
    strcat(changed, at + strlen(find));
}

static void test_refusals(void **state)
{
    (void)state;
    load_default();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        replace(changes[i].find, changes[i].replace);
        expect_refusal(changes[i].reason, changes[i].where);
    }
    strcpy(changed, map);
    strcpy(strstr(changed, "legs\nleg"), "");
    expect_refusal("map-file", "legs.tsv");
}

/* A place that no leg touches, and one edge station without its twin. */
static void test_whole_file(void **state)
{
    (void)state;
    load_default();
    replace("rCOP\tred", "rQQQ\tred\t-\t0\t0\t0\t0\t-\tx\tx\tx\tx\t-\t-\t-\n"
                         "rCOP\tred");
    expect_refusal("map-connected", "places.tsv line 82: rQQQ");
    char *row = strstr(map, "\ne3\tedge");
    memmove(row, strchr(row + 1, '\n'), strlen(strchr(row + 1, '\n')) + 1);
    strcpy(changed, map);
    expect_refusal("map-edge", "places.tsv line 124: w3");
}

static void test_limits(void **state)
{
    (void)state;
    load_default();
    char *at = strstr(map, "rCOP\tred");
    size_t before = (size_t)(at - map);
    memcpy(changed, map, before);
    changed[before] = '\0';
    for (int i = 0; i < 3; i++)
        sprintf(changed + strlen(changed),
                "rQ%d\tred\t-\t0\t0\t0\t0\t-\tx\tx\tx\tx\t-\t-\t-\n", i);
    strcat(changed, at);
    expect_refusal("map-limit", "places.tsv line 130");
    struct world *w = default_world();
    int more = 0;
    strcpy(changed, map);
    for (int p = 0; p < w->places; p++) { /* 229 legs and 27 more are 256 */
        int q = (p + 60) % w->places;
        if (more < 27 && w->distance[p][q] > 1 && p != w->hub && q != w->hub)
            sprintf(changed + strlen(changed), "X%d\t%s\t%s\t-\n", more++,
                    w->id[p], w->id[q]);
    }
    expect_refusal("map-limit", "legs.tsv line 257: X26");
    free(w);
}

/* A place beside nearly all others has too many legs. */
static void test_degree(void **state)
{
    (void)state;
    struct world *w = default_world();
    load_default();
    char *end = strstr(map, "L007\t");
    memcpy(changed, map, (size_t)(end - map));
    changed[end - map] = '\0';
    int cop = tx_map_place(w, span_of("rCOP"));
    for (int p = 0, more = 0; p < w->places; p++)
        if (p != cop && p != w->hub)
            sprintf(changed + strlen(changed), "X%d\trCOP\t%s\t-\n", more++,
                    w->id[p]);
    expect_refusal("map-limit", "legs.tsv line 71: X63");
    free(w);
}

/* Given to a match, the line is that of the given text. */
static void test_given(void **state)
{
    (void)state;
    static char given[TEXT];
    struct world *w = malloc(sizeof *w);
    struct setup setup;
    struct fault f = {0};
    load_default();
    replace("SKA\tmission", "SKA\tmissing");
    struct text t = text_begin(given, TEXT);
    given_add(&t, "first", span_of("2"));
    given_add(&t, "map", span_of(changed));
    text_end(&t);
    setup_init(&terrax_game, &setup);
    setup.given = given;
    assert_false(terrax_prepare(w, &setup, &f));
    TEST_FAULT(&terrax_game, &f, TX_MAP_KIND);
    assert_int_equal(f.line, 2 + 5); /* first, map, map, places, head, SCA */
    free(w);
}

/* ---- positions and options that are refused ---- */

static void test_positions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"", "syntax"},
        {"A:- B:- C:-", "syntax"},
        {"A:SCA>NEB B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0",
         "leg"},
        {"A:SCA>QQQ B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0",
         "place"},
        {"A:NEB>OTZ B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0",
         "position"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop A loops 0 used 0",
         "position"},
        {"A:- B:- C:- | seat 9 base 1 green 0 loop - loops 0 used 0", "syntax"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n"
         "hand 1: NEB NEB",
         "deal"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n"
         "hand 1: ?",
         "position"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n"
         "cheques: 75 1 1 1",
         "position"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n"
         "phase: swap",
         "position"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 1\n"
         "phase: swap\nswap: NEB TAJ RAI\nswap: FUJ POM SKA",
         "syntax"},
        {"A:- B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0\n"
         "hand 1: NEB\nhand 1: TAJ",
         "syntax"},
        {"A:SCA>rCOP>NEB B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0"
         "\nlaid: 1 - -",
         "position"},
        {"A:SCA>rCOP>NEB B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0"
         "\nlaid: 19 - -",
         "syntax"},
        {"A:SCA>rCOP>NEB B:- C:- | seat 1 base 1 green 0 loop - loops 0 used 0"
         "\nlaid: 1? - - -",
         "syntax"},
    };
    struct world *w = default_world();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct state s, before;
        struct fault f = {0};
        memset(&s, 0x5a, sizeof s);
        before = s;
        assert_false(terrax_read_state(w, bad[i].text, &s, &f));
        TEST_FAULT_NAMED(&terrax_game, &f, bad[i].reason);
        assert_memory_equal(&s, &before, sizeof s);
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),      cmocka_unit_test(test_distances),
        cmocka_unit_test(test_slots),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_whole_file), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_given),      cmocka_unit_test(test_positions),
        cmocka_unit_test(test_earth),      cmocka_unit_test(test_whole),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_degree),     cmocka_unit_test(test_outlines),
    };
    return cmocka_run_group_tests_name("terrax map", tests, NULL, NULL);
}
