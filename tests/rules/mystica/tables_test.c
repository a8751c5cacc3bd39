/* tests/rules/mystica/tables_test.c: the tables of the program against lists
 * that were typed from the box by others (cells.tsv, buildings.tsv,
 * factions.tsv beside this file), and the geometry of the maps. */
#include "tests/test.h"

#include "base/text.h"
#include "rules/mystica/map.h"
#include "rules/mystica/reach.h"
#include "rules/mystica/start.h"

enum { TEXT = 1 << 17, FIELDS = 20 };

static char text[TEXT];

static void load(const char *name)
{
    char path[600];
    const char *root = getenv("TERRA_SOURCE");
    snprintf(path, sizeof path, "%s/tests/rules/mystica/%s", root ? root : ".",
             name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    size_t length = fread(text, 1, TEXT - 1, file);
    fclose(file);
    text[length] = '\0';
}

static int split(struct span line, struct span field[FIELDS])
{
    int count = 0;
    while (count < FIELDS) {
        const char *tab = memchr(line.at, '\t', line.length);
        size_t length = tab ? (size_t)(tab - line.at) : line.length;
        field[count++] = (struct span){line.at, length};
        if (!tab)
            break;
        line.at += length + 1;
        line.length -= length + 1;
    }
    return count;
}

static int number(struct span s)
{
    long value;
    if (!span_int(s, 0, 9999, &value))
        fail_msg("no number '%.*s'", (int)s.length, s.at);
    return (int)value;
}

/* ---- maps ---- */

static struct world world;

static void use_map(struct span name)
{
    for (int i = 0; i < MAPS; i++)
        if (span_is(name, maps[i].id)) {
            memset(&world, 0, sizeof world);
            assert_int_equal(map_build(&world, maps[i].rows), 0);
            return;
        }
    fail_msg("no map '%.*s'", (int)name.length, name.at);
}

static int cell(const char *name)
{
    return map_find(&world, name, strlen(name));
}

static struct cells cells_of(struct span names)
{
    struct cells set = {{0}};
    struct span word;
    while ((word = span_word(&names)).length)
        cells_add(&set, map_find(&world, word.at, word.length));
    return set;
}

static void test_cells(void **state)
{
    struct span line, field[FIELDS];
    char map[32] = "";
    int count = 0;
    (void)state;
    load("cells.tsv");
    struct lines l = lines_of(span_of(text));
    lines_next(&l, &line);
    while (lines_next(&l, &line)) {
        int fields = split(line, field);
        if (fields < 7)
            continue;
        if (!span_is(field[0], map)) {
            span_copy(field[0], map, sizeof map);
            use_map(field[0]);
        }
        int at = map_find(&world, field[1].at, field[1].length);
        assert_true(at >= 0);
        assert_int_equal(world.row[at], number(field[2]));
        assert_int_equal(world.col[at], number(field[3]));
        assert_int_equal(colour_letters[world.terrain[at]], field[4].at[0]);
        assert_int_equal(cells_has(world.edge, at), number(field[5]));
        struct cells near = cells_of(field[6]);
        struct span none = {"", 0};
        struct cells span = cells_of(fields > 7 ? field[7] : none);
        assert_memory_equal(&near, &world.near[at], sizeof near);
        assert_memory_equal(&span, &world.span[at], sizeof span);
        count++;
    }
    assert_int_equal(count, 113 * 5 + 112 * 2);
}

/* Smallest shipping level that joins two cells, 0: none. */
static int river_distance(const char *a, const char *b)
{
    for (int level = 1; level <= SHIP_MAX; level++)
        if (cells_has(world.ship[level][cell(a)], cell(b)))
            return level;
    return 0;
}

static int skip_distance(const char *a, const char *b)
{
    for (int range = 0; range <= SKIP_MAX; range++)
        if (cells_has(world.skip[range][cell(a)], cell(b)))
            return range;
    return -1;
}

static void test_distances(void **state)
{
    (void)state;
    use_map(span_of("base"));
    assert_int_equal(river_distance("E5", "C2"), 1);
    assert_int_equal(river_distance("B1", "C1"), 1);
    assert_int_equal(river_distance("C5", "E9"), 1);
    assert_int_equal(river_distance("I9", "I10"), 1);
    assert_int_equal(river_distance("E4", "G2"), 2);
    assert_int_equal(river_distance("C2", "C4"), 4);
    assert_int_equal(river_distance("A1", "C1"), 0);
    assert_int_equal(skip_distance("E5", "C2"), 1);
    assert_int_equal(skip_distance("A6", "B3"), 0);
    assert_int_equal(skip_distance("E4", "G2"), 2);
}

static void test_bridge_pairs(void **state)
{
    static const struct {
        const char *map;
        int pairs;
    } known[] = {{"base", 29},       {"fireice1", 33}, {"fireice2", 29},
                 {"loonlakes", 22},  {"fjords", 33},   {"arrow", 20},
                 {"archipelago", 29}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int ends = 0;
        use_map(span_of(known[i].map));
        for (int at = 0; at < world.cells; at++)
            ends += cells_count(world.span[at]);
        assert_int_equal(ends, 2 * known[i].pairs);
    }
}

/* ---- factions ---- */

static void compare_list(struct span list, const int8_t *found, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(number(span_cut(&list, ',')), found[i]);
}

static void check_income(const struct faction *f, int piece, struct span unit,
                         struct span list)
{
    struct span second = list;
    span_cut(&second, ',');
    const struct income *sh = &f->stronghold;
    if (piece == DWELLING)
        compare_list(list, f->dwelling_workers, 9);
    else if (piece == TRADING && span_is(unit, "C"))
        compare_list(list, f->trading_coins, 5);
    else if (piece == TRADING)
        compare_list(list, f->trading_power, 5);
    else if (piece == TEMPLE && span_is(unit, "P"))
        compare_list(list, f->temple_priests, 4);
    else if (piece == TEMPLE)
        compare_list(list, f->temple_power, 4);
    else if (piece == SANCTUARY)
        assert_int_equal(f->sanctuary_priests, number(second));
    else
        assert_int_equal(number(second), span_is(unit, "C")   ? sh->coins
                                         : span_is(unit, "W") ? sh->workers
                                         : span_is(unit, "P") ? sh->priests
                                                              : sh->power);
}

static void test_buildings(void **state)
{
    struct span line, field[FIELDS];
    int count = 0;
    (void)state;
    load("buildings.tsv");
    struct lines l = lines_of(span_of(text));
    lines_next(&l, &line);
    while (lines_next(&l, &line)) {
        if (split(line, field) < 7)
            continue;
        const struct faction *f = &factions[find_faction(field[0])];
        int piece = DWELLING;
        while (!span_is(field[1], piece_ids[piece]))
            piece++;
        assert_int_equal(f->build[piece].workers, number(field[2]));
        assert_int_equal(f->build[piece].coins, number(field[3]));
        check_income(f, piece, field[5], field[6]);
        count++;
    }
    assert_true(count >= 20 * 6);
}

static void test_factions(void **state)
{
    struct span line, field[FIELDS];
    int count = 0;
    (void)state;
    load("factions.tsv");
    struct lines l = lines_of(span_of(text));
    lines_next(&l, &line);
    while (lines_next(&l, &line)) {
        if (split(line, field) < 16)
            continue;
        const struct faction *f = &factions[find_faction(field[0])];
        assert_true(span_is(field[1], f->title));
        assert_true(span_is(field[2], f->dutch));
        assert_true(span_is(field[3], colour_names[f->home]));
        assert_int_equal(f->coins, number(field[4]));
        assert_int_equal(f->workers, number(field[5]));
        assert_int_equal(f->priests, number(field[6]));
        for (int i = 0; i < 3; i++)
            assert_int_equal(f->bowl[i], number(span_cut(&field[7], '/')));
        for (int i = 0; i < TRACKS; i++)
            assert_int_equal(f->cult[i], number(span_cut(&field[8], '/')));
        assert_int_equal(f->vp_2017, number(field[15]));
        count++;
    }
    assert_int_equal(count, FACTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_bridge_pairs), cmocka_unit_test(test_buildings),
        cmocka_unit_test(test_factions),
    };
    return cmocka_run_group_tests_name("mystica tables", tests, NULL, NULL);
}
