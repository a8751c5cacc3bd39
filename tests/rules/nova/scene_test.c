/* tests/rules/nova/scene_test.c: what front ends are told: scenes and effects
 * as JSON, and the two drawings of a position. */
#include "tests/rules/nova/both.h"
#include "tests/rules/nova/variants.h"

#include <jansson.h>

static char text[1 << 20];

static json_t *parse(const char *from)
{
    json_error_t error;
    json_t *json = json_loads(from, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("%s at %d: %.60s", error.text, error.position,
                 from + error.position);
    return json;
}

static json_t *scene(const struct both *b)
{
    int length =
        b->game->write_scene(b->world, b->state, SEAT_NONE, text, sizeof text);
    assert_true(length > 0 && length < (int)sizeof text);
    return parse(text);
}

static const char *word(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

static int number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (int)json_integer_value(value);
}

static int hex_of(const struct both *b, const json_t *name)
{
    size_t used;
    assert_true(json_is_string(name));
    int hex = reference_hex(&b->board, json_string_value(name), &used);
    assert_true(hex >= 0 && used == json_string_length(name));
    return hex;
}

/* ---- a scene tells what the reference knows ---- */

static void check_cells(const struct both *b, const json_t *json)
{
    const json_t *cells = json_object_get(json, "cells");
    const json_t *lands =
        json_object_get(json_object_get(json, "board"), "landscapes");
    assert_int_equal(json_array_size(cells), b->board.count);
    for (int h = 0; h < b->board.count; h++) {
        const json_t *cell = json_array_get(cells, (size_t)h);
        assert_int_equal(hex_of(b, json_object_get(cell, "hex")), h);
        double x = json_number_value(json_object_get(cell, "x"));
        double y = json_number_value(json_object_get(cell, "y"));
        double wanted_x = b->board.number[h] - b->board.row[h] / 2.0;
        double wanted_y = b->board.row[h] * 0.8660254;
        assert_true(x - wanted_x < 0.001 && wanted_x - x < 0.001);
        assert_true(y - wanted_y < 0.001 && wanted_y - y < 0.001);
        const json_t *land =
            json_array_get(lands, (size_t)number(cell, "land"));
        assert_int_equal(word(land, "letter")[0], b->board.land[h]);
    }
}

static void check_pieces(const struct both *b, const json_t *json)
{
    char at[REFERENCE_HEXES];
    size_t i;
    json_t *piece;
    memset(at, '-', sizeof at);
    json_array_foreach(json_object_get(json, "stones"), i, piece)
        at[hex_of(b, piece)] = '#';
    json_array_foreach(json_object_get(json, "pioneers"), i, piece)
        at[hex_of(b, json_object_get(piece, "hex"))] =
            b->rules.colour[number(piece, "seat")];
    assert_memory_equal(at, b->plain.at, (size_t)b->board.count);
}

/* Every part of variety 3 or less once, and no other. */
static void check_closed(const struct both *b, const json_t *json)
{
    int part[REFERENCE_HEXES], variety[REFERENCE_HEXES], closed = 0;
    int parts = reference_parts(&b->rules, &b->plain, part, variety);
    const json_t *list = json_object_get(json, "closed");
    for (int i = 0; i < parts; i++)
        closed += variety[i] <= 3;
    assert_int_equal(json_array_size(list), closed);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *hexes = json_array_get(list, i);
        int own = part[hex_of(b, json_array_get(hexes, 0))], size = 0;
        assert_true(variety[own] <= 3);
        for (int h = 0; h < b->board.count; h++)
            size += part[h] == own;
        assert_int_equal(json_array_size(hexes), size);
    }
}

static void check_turn(const struct both *b, const json_t *json)
{
    const struct reference_state *s = &b->plain;
    bool over = s->end[0] != '\0';
    assert_string_equal(word(json, "phase"), over          ? "over"
                                             : s->act == 0 ? "place"
                                                           : "play");
    assert_int_equal(number(json, "seat"), over ? SEAT_NONE : s->seat);
    assert_int_equal(number(json, "must"), over ? 0 : 1 << s->seat);
    assert_int_equal(number(json, "quiet"), s->quiet);
    if (over)
        assert_string_equal(word(json, "ending"), s->end);
    else
        assert_int_equal(number(json, "action"), s->act);
    assert_int_equal(json_array_size(json_object_get(json, "moved")),
                     over ? 0 : s->moved);
    if (b->rules.stones > 0)
        assert_int_equal(number(json, "supply"), s->supply);
    else
        assert_true(json_is_null(json_object_get(json, "supply")));
    for (int seat = 0; seat < b->rules.seats; seat++) {
        const json_t *one =
            json_array_get(json_object_get(json, "seats"), (size_t)seat);
        assert_int_equal(word(one, "colour")[0], b->rules.colour[seat]);
        assert_int_equal(number(one, "points"), s->score[seat]);
        assert_int_equal(number(one, "hand"), s->hand[seat]);
    }
}

/* Each action with its notation and the hexes it touches. */
static void check_actions(const struct both *b, const json_t *json)
{
    static struct reference_action list[REFERENCE_ACTIONS];
    size_t i;
    json_t *one;
    const json_t *actions = json_object_get(json, "actions");
    int count = reference_legal(&b->rules, &b->plain, list);
    assert_int_equal(json_array_size(actions), count);
    json_array_foreach(actions, i, one)
    {
        static const char *const kinds[] = {"place", "move", "stone", "pass"};
        struct reference_action a;
        assert_true(
            reference_read_action(&b->rules, &b->plain, word(one, "text"), &a));
        assert_string_equal(word(one, "kind"), kinds[a.kind]);
        if (a.kind == MOVE)
            assert_int_equal(hex_of(b, json_object_get(one, "from")), a.from);
        if (a.kind != PASS)
            assert_int_equal(hex_of(b, json_object_get(one, "to")), a.to);
    }
}

static void check_scene(const struct both *b)
{
    json_t *json = scene(b);
    assert_string_equal(word(json, "game"), "nova");
    check_cells(b, json);
    check_pieces(b, json);
    check_closed(b, json);
    check_turn(b, json);
    check_actions(b, json);
    json_decref(json);
}

/* ---- an effect tells what the action will do ---- */

static int inside(const struct reference_territory *t)
{
    int count = 0;
    for (int seat = 0; seat < REFERENCE_SEATS; seat++)
        count += t->inside[seat];
    return count;
}

static void check_territory(const json_t *told,
                            const struct reference_territory *t)
{
    size_t i;
    json_t *gain;
    int sum = 0, wanted = 0;
    assert_int_equal(number(told, "size"), t->size);
    assert_int_equal(json_array_size(json_object_get(told, "hexes")), t->size);
    assert_int_equal(number(told, "variety"), t->variety);
    assert_int_equal(number(told, "factor"), 4 - t->variety);
    assert_int_equal(number(told, "value"), t->size * (4 - t->variety));
    assert_int_equal(json_array_size(json_object_get(told, "removed")),
                     inside(t));
    json_array_foreach(json_object_get(told, "gains"), i, gain)
    {
        assert_int_equal(number(gain, "points"), t->gain[number(gain, "seat")]);
        sum += number(gain, "points");
    }
    for (int seat = 0; seat < REFERENCE_SEATS; seat++)
        wanted += t->gain[seat];
    assert_int_equal(sum, wanted);
}

/* Plays a random action and compares what was foretold. */
static bool play_foretold(struct both *b, struct rng *rng)
{
    static action list[GAME_ACTIONS];
    int seat = both_seat(b);
    if (seat == SEAT_NONE)
        return false;
    int count = b->game->legal(b->world, b->state, seat, list);
    action a = list[rng_below(rng, count)];
    int length = b->game->write_effect(b->world, b->state, seat, a, seat, text,
                                       sizeof text);
    assert_true(length > 0 && length < (int)sizeof text);
    json_t *json = parse(text);
    assert_true(both_play(b, word(json, "text")));
    const json_t *territories = json_object_get(json, "territories");
    assert_int_equal(json_array_size(territories), b->scored.count);
    for (int i = 0; i < b->scored.count; i++)
        check_territory(json_array_get(territories, (size_t)i),
                        &b->scored.territory[i]);
    if (b->plain.end[0])
        assert_string_equal(word(json, "ending"), b->plain.end);
    else
        assert_true(json_is_null(json_object_get(json, "ending")));
    assert_int_equal(number(json, "next"),
                     b->plain.end[0] ? SEAT_NONE : b->plain.seat);
    json_decref(json);
    return true;
}

static void test_scenes(void **unused)
{
    (void)unused;
    struct rng rng = random_source(rules_find("nova"), 11);
    for (int i = 0; i < test_scale(6, 60, 600); i++) {
        char colours[5], file[VARIANT_BOARD];
        struct both b;
        struct both_setup how = {.board = i % 2 ? "islet" : board_names[i % 4],
                                 .colours = colours,
                                 .options = variant_options[i % 19]};
        variant_colours(&rng, 2 + rng_below(&rng, 3), colours);
        variant_board(&rng, file);
        if (i % 3 == 2) {
            how.board = NULL;
            how.file = file;
        }
        both_open(&b, &how);
        for (int step = 0; step == 0 || play_foretold(&b, &rng); step++)
            if (step % 7 == 0 || b.plain.end[0])
                check_scene(&b);
        both_close(&b);
    }
}

/* ---- drawings ---- */

#define LAND  "a b c d e f g h i\n a b c d e f g h i\na b c d e f g h i\n"
#define START "1#2#2ry/1#2#2rr/3y#b3 yrb y1 - 12,9,0 39 0"

static void open_drawn(struct both *b, const char *start)
{
    both_open(b, &(struct both_setup){.land = LAND,
                                      .colours = "yrb",
                                      .options = "quiet=0",
                                      .start = start});
}

static int times(const char *what)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

/* Without colours: landscapes by sign, pioneers by letter, closed land by a
 * cross. */
static void test_terminal(void **unused)
{
    (void)unused;
    struct both b;
    open_drawn(&b, START);
    assert_true(b.game->write_board(b.world, b.state, SEAT_NONE, false, text,
                                    sizeof text) > 0);
    assert_null(strchr(text, '\033'));
    assert_int_equal(times("\xe2\xac\xa2"), 15); /* five stones */
    assert_int_equal(times("\xc3\x97"), 0);
    assert_non_null(strstr(text, " > Y 12 points, 2 pioneers\n"));
    assert_non_null(strstr(text, "   R 9 points, 3 pioneers\n"));
    assert_non_null(strstr(text, "stones: 39, action 1 of 3\n"));
    assert_true(both_play(&b, "c5-c4"));
    assert_true(both_play(&b, "*c3"));
    b.game->write_board(b.world, b.state, SEAT_NONE, true, text, sizeof text);
    assert_int_equal(times("\xc3\x97"), 9); /* two territories closed */
    assert_true(times("\033[0m") > 27);
    both_close(&b);
}

static void test_terminal_end(void **unused)
{
    (void)unused;
    struct both b;
    open_drawn(&b, "9/9/9 yrb y0 2,2,2 0,0,0 40 0");
    b.game->write_board(b.world, b.state, SEAT_NONE, false, text, sizeof text);
    assert_non_null(strstr(text, "0 pioneers and 2 in hand\n"));
    b.game->drop(b.world, b.state, 1);
    b.game->write_board(b.world, b.state, SEAT_NONE, false, text, sizeof text);
    assert_non_null(strstr(text, ", left the table\n"));
    b.game->stop(b.world, b.state, ENDING_AGREED, SEAT_NONE);
    b.game->write_board(b.world, b.state, SEAT_NONE, false, text, sizeof text);
    assert_non_null(strstr(text, "stones: 40, over: agreed\n"));
    both_close(&b);
    both_open(&b, &(struct both_setup){.board = "islet",
                                       .colours = "yr",
                                       .options = "stones=0"});
    b.game->write_board(b.world, b.state, SEAT_NONE, false, text, sizeof text);
    assert_non_null(strstr(text, "stones: unlimited"));
    assert_non_null(strstr(text, "~~ lake"));
    both_close(&b);
}

static void test_picture(void **unused)
{
    (void)unused;
    struct both b;
    open_drawn(&b, START);
    int length =
        b.game->write_picture(b.world, b.state, SEAT_NONE, text, sizeof text);
    assert_true(length > 0 && length < (int)sizeof text);
    assert_memory_equal(text, "<svg ", 5);
    assert_string_equal(text + length - 7, "</svg>\n");
    assert_int_equal(times("class=\"s\""), 5);
    assert_int_equal(times("class=\"p\""), 6 + 3); /* and the legend */
    assert_non_null(strstr(text, ">c5<"));
    int before = times("<");
    assert_true(both_play(&b, "c5-c4"));
    assert_true(both_play(&b, "*c3"));
    b.game->write_picture(b.world, b.state, SEAT_NONE, text, sizeof text);
    assert_int_equal(times("class=\"s\""), 6);
    assert_int_equal(times("class=\"p\""), 5 + 3);
    assert_true(before > 27);
    both_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_terminal_end),
        cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
