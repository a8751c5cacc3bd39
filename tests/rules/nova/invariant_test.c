/* tests/rules/nova/invariant_test.c: what must hold after every action
 * (nova §13), under random play of the game itself.
 *
 * The game is seen from outside, by the positions it writes; the reference
 * only lends its reader and its parts. */
#include "tests/rules/nova/both.h"
#include "tests/rules/nova/variants.h"

#include "game/match.h"
#include "rules/rules.h"

/* One position with its parts. */
struct view {
    char text[REFERENCE_TEXT];
    struct reference_state s;
    int part[REFERENCE_HEXES], variety[REFERENCE_HEXES], parts;
    int stones, pioneers[REFERENCE_SEATS];
};

/* A game under observation. */
struct watch {
    struct both both;
    struct view before, after;
    char action[REFERENCE_TEXT];
    char turn_rows[REFERENCE_TEXT]; /* before the turn */
    char turn_kinds[8];             /* of its actions: m, s */
    int movers;                     /* different pioneers moved in it */
    long turns;
};

static long actions, games;

static void look(const struct both *b, struct view *v)
{
    const char *why;
    game_position(b, v->text);
    if (!reference_read(&b->rules, v->text, &v->s, &why))
        fail_msg("%s: %s", v->text, why);
    v->parts = reference_parts(&b->rules, &v->s, v->part, v->variety);
    v->stones = 0;
    memset(v->pioneers, 0, sizeof v->pioneers);
    for (int h = 0; h < b->board.count; h++) {
        v->stones += v->s.at[h] == '#';
        for (int seat = 0; seat < b->rules.seats; seat++)
            v->pioneers[seat] += v->s.at[h] == b->rules.colour[seat];
    }
}

static bool is_pioneer(char c)
{
    return c != '-' && c != '#';
}

/* ---- I1, I2: nothing comes from nowhere ---- */

static void check_material(const struct watch *w)
{
    const struct view *old = &w->before, *new = &w->after;
    assert_int_equal(new->stones + new->s.supply, w->both.rules.stones);
    for (int h = 0; h < w->both.board.count; h++)
        assert_true(old->s.at[h] != '#' || new->s.at[h] == '#');
    for (int seat = 0; seat < w->both.rules.seats; seat++) {
        int had = old->s.hand[seat] + old->pioneers[seat];
        int has = new->s.hand[seat] + new->pioneers[seat];
        assert_true(has <= had && had <= w->both.rules.pioneers);
    }
}

/* ---- I3, I8: parts ---- */

static bool beside(const struct both *b, int hex, int other)
{
    for (int d = 0; d < 6; d++)
        if (b->board.near[hex][d] == other)
            return true;
    return false;
}

static int target(const struct watch *w)
{
    size_t used;
    const char *from = w->action + (w->action[0] == '*');
    int hex = reference_hex(&w->both.board, from, &used);
    if (w->action[0] == '*')
        return hex;
    return reference_hex(&w->both.board, from + used + 1, &used);
}

/* Every part of `after` lies in one part of `before`; one that does not touch
 * a new stone is the same part, so as large as before. */
static void check_parts(const struct watch *w)
{
    const struct view *old = &w->before, *new = &w->after;
    int came_from[REFERENCE_HEXES], near_parts = 0;
    int size[REFERENCE_HEXES] = {0}, old_size[REFERENCE_HEXES] = {0};
    bool touched[REFERENCE_HEXES] = {false};
    int stone = w->action[0] == '*' ? target(w) : REFERENCE_GONE;
    memset(came_from, 0xff, sizeof came_from);
    for (int h = 0; h < w->both.board.count; h++) {
        int part = new->part[h];
        if (old->part[h] >= 0)
            old_size[old->part[h]]++;
        if (part < 0)
            continue;
        size[part]++;
        if (came_from[part] < 0)
            came_from[part] = old->part[h];
        assert_int_equal(came_from[part], old->part[h]);
        if (stone >= 0 && beside(&w->both, h, stone) && !touched[part]) {
            touched[part] = true;
            near_parts++;
        }
    }
    assert_true(near_parts <= 3);
    for (int part = 0; part < new->parts; part++)
        if (!touched[part])
            assert_int_equal(size[part], old_size[came_from[part]]);
}

/* ---- I4, I17: where pioneers stand ---- */

static void check_pioneers(const struct watch *w)
{
    const struct view *v = &w->after;
    if (!v->s.end[0] && v->s.act == 0)
        return;
    for (int h = 0; h < w->both.board.count; h++) {
        if (!is_pioneer(v->s.at[h]))
            continue;
        assert_true(v->variety[v->part[h]] >= 4);
        bool open = false;
        for (int d = 0; d < 6; d++) {
            int next = w->both.board.near[h][d];
            open |= next >= 0 && v->s.at[next] != '#';
        }
        assert_true(open);
    }
}

/* ---- I4 to I7: scoring ---- */

/* Value and winners of a part of `after` that was closed just now, counted
 * with the pioneers that stood there before. */
static void check_territory(const struct watch *w, int part, int *sum)
{
    int size = 0, most = 0, winners = 0, inside[REFERENCE_SEATS] = {0};
    for (int h = 0; h < w->both.board.count; h++) {
        if (w->after.part[h] != part)
            continue;
        size++;
        for (int seat = 0; seat < w->both.rules.seats; seat++)
            inside[seat] += w->before.s.at[h] == w->both.rules.colour[seat];
    }
    for (int seat = 0; seat < w->both.rules.seats; seat++)
        most = inside[seat] > most ? inside[seat] : most;
    for (int seat = 0; seat < w->both.rules.seats; seat++)
        winners += most > 0 && inside[seat] == most;
    int value = size * (4 - w->after.variety[part]);
    for (int seat = 0; seat < w->both.rules.seats && winners > 0; seat++)
        if (inside[seat] == most) {
            sum[seat] += value / winners;
            assert_true(value / winners >= 1);
        }
}

static void check_scores(const struct watch *w)
{
    const struct view *old = &w->before, *new = &w->after;
    int sum[REFERENCE_SEATS] = {0}, total = 0, closed = 0, told = 0;
    bool seen[REFERENCE_HEXES] = {false};
    for (int h = 0; h < w->both.board.count; h++) {
        int part = new->part[h];
        if (part < 0 || seen[part])
            continue;
        seen[part] = true;
        if (new->variety[part] <= 3 && old->variety[old->part[h]] >= 4) {
            closed++;
            check_territory(w, part, sum);
        }
    }
    for (const char *at = w->action; *at; at++)
        told += *at == '(';
    assert_int_equal(told, closed);
    assert_true(closed == 0 || w->action[0] == '*');
    for (int seat = 0; seat < w->both.rules.seats; seat++) {
        assert_int_equal(new->s.score[seat], old->s.score[seat] + sum[seat]);
        total += new->s.score[seat];
    }
    assert_true(total <= 3 * (w->both.board.count - new->stones));
}

/* ---- I9 to I12: the turn ---- */

static void check_action(const struct watch *w)
{
    const struct view *old = &w->before;
    assert_string_not_equal(old->text, w->after.text);
    if (w->action[0] == '*') {
        bool beside_own = false;
        assert_true(old->s.act >= 2);
        for (int d = 0; d < 6; d++) {
            int next = w->both.board.near[target(w)][d];
            beside_own |= next >= 0 &&
                          old->s.at[next] == w->both.rules.colour[old->s.seat];
        }
        assert_true(beside_own);
    } else if (w->action[0] != '+' && w->action[0] != '-') {
        size_t used;
        int from = reference_hex(&w->both.board, w->action, &used);
        assert_int_equal(old->part[from], old->part[target(w)]);
    }
}

static void rows_of(const struct view *v, char *to)
{
    size_t length = strcspn(v->text, " ");
    memcpy(to, v->text, length);
    to[length] = '\0';
}

static void note_action(struct watch *w)
{
    size_t length = strlen(w->turn_kinds);
    if (w->before.s.act == 0)
        return;
    if (w->before.s.act == 1) {
        rows_of(&w->before, w->turn_rows);
        length = 0;
        w->movers = 0;
    }
    w->turn_kinds[length] = w->action[0] == '*' ? 's' : 'm';
    w->turn_kinds[length + 1] = '\0';
    size_t used;
    int from = reference_hex(&w->both.board, w->action, &used);
    bool known = false;
    for (int i = 0; i < w->before.s.moved; i++)
        known |= w->before.s.now[i] == from;
    w->movers += from >= 0 && !known;
}

/* The turn is over when the next seat is before its first action. */
static void check_turn(struct watch *w)
{
    char rows[REFERENCE_TEXT];
    bool over = w->after.s.end[0] || w->after.s.act == 1;
    if (w->before.s.act == 0 || !over)
        return;
    w->turns++;
    rows_of(&w->after, rows);
    bool stone = strchr(w->turn_kinds, 's') != NULL;
    assert_int_equal(w->after.s.quiet, stone ? 0 : w->before.s.quiet + 1);
    assert_int_equal(w->turn_kinds[0], 'm');
    assert_true(strlen(w->turn_kinds) <= 3);
    if (w->action[0] != '-' && w->both.rules.home_rule == RETURN_EN &&
        strcmp(rows, w->turn_rows) == 0 && strlen(w->turn_kinds) == 3) {
        assert_string_equal(w->turn_kinds, "mmm"); /* Q25 */
        assert_int_equal(w->movers, 2);
    }
    const struct reference *g = &w->both.rules;
    if (g->quiet > 0 && g->stones > 0)
        assert_true(w->turns <= (long)(g->stones + 1) * g->quiet * g->seats);
}

/* ---- I13: what is written can be read ---- */

static void check_round_trip(const struct watch *w)
{
    const struct both *b = &w->both;
    struct state *copy = calloc(1, b->game->state_size);
    static action ours[GAME_ACTIONS], theirs[GAME_ACTIONS];
    char text[REFERENCE_TEXT];
    struct fault f = {0};
    if (!b->game->read_state(b->world, w->after.text, copy, &f))
        fail_msg("%s: %s", w->after.text, fault_text(b->game, f.code)->name);
    b->game->write_state(b->world, copy, text, sizeof text);
    assert_string_equal(text, w->after.text);
    assert_true(b->game->hash(b->world, copy) ==
                b->game->hash(b->world, b->state));
    int seat = both_seat(b);
    if (seat != SEAT_NONE) {
        int count = b->game->legal(b->world, b->state, seat, ours);
        assert_int_equal(b->game->legal(b->world, copy, seat, theirs), count);
        assert_memory_equal(ours, theirs, (size_t)count * sizeof *ours);
    }
    free(copy);
}

/* ---- I15 ---- */

static void check_end(const struct watch *w)
{
    const struct view *v = &w->after;
    bool live = false;
    int pioneers = 0;
    for (int i = 0; i < v->parts; i++)
        live |= v->variety[i] >= 4;
    for (int seat = 0; seat < w->both.rules.seats; seat++)
        pioneers += v->pioneers[seat];
    assert_int_equal(strcmp(v->s.end, "divided") == 0, !live);
    assert_true(live || pioneers == 0);
}

/* ---- I16: the order of scoring ---- */

static void check_order(const struct watch *w)
{
    struct reference backwards = w->both.rules;
    struct reference_state s = w->before.s;
    struct reference_scored scored;
    struct reference_action a;
    char text[REFERENCE_TEXT];
    backwards.backwards = true;
    assert_true(reference_read_action(&backwards, &s, w->action, &a));
    reference_apply(&backwards, &s, a, &scored);
    reference_write(&backwards, &s, text);
    assert_string_equal(text, w->after.text);
}

/* ---- playing ---- */

static bool step(struct watch *w, struct rng *rng, int bias)
{
    static action list[GAME_ACTIONS];
    struct both *b = &w->both;
    int seat = both_seat(b);
    if (seat == SEAT_NONE)
        return false;
    int count = b->game->legal(b->world, b->state, seat, list);
    assert_true(count > 0);
    bool stone = rng_below(rng, 100) < bias;
    action a = list[0];
    for (int tries = 0; tries < 40; tries++) {
        a = list[rng_below(rng, count)];
        b->game->write_action(b->world, b->state, seat, a, seat, w->action,
                              sizeof w->action);
        if ((w->action[0] == '*') == stone)
            break;
    }
    w->before = w->after;
    b->game->apply(b->world, b->state, seat, a);
    look(b, &w->after);
    return true;
}

static void check_all(struct watch *w)
{
    check_material(w);
    check_parts(w);
    check_pioneers(w);
    check_scores(w);
    check_action(w);
    note_action(w);
    check_turn(w);
    check_round_trip(w);
    check_end(w);
    if (w->action[0] == '*' && strchr(w->action, '('))
        check_order(w);
}

static void play(struct rng *rng, struct both_setup *how)
{
    static struct watch w;
    memset(&w, 0, sizeof w);
    how->seed = rng_next(rng);
    both_open(&w.both, how);
    look(&w.both, &w.after);
    int bias = 20 + 20 * rng_below(rng, 4);
    while (step(&w, rng, bias)) {
        check_all(&w);
        actions++;
    }
    games++;
    both_close(&w.both);
}

static void play_everything(void **unused)
{
    (void)unused;
    struct rng rng = random_source(rules_find("nova"), 1317);
    int turn = 7;
    for (int round = 0; round < test_scale(1, 6, 30); round++)
        for (int board = 0; board_names[board]; board++)
            for (int seats = 2; seats <= 4; seats++)
                for (int o = 0; variant_options[o]; o++) {
                    if (test_scale(1, 0, 0) && turn++ % 20 != 0)
                        continue;
                    char colours[5];
                    variant_colours(&rng, seats, colours);
                    play(&rng,
                         &(struct both_setup){.board = board_names[board],
                                              .colours = colours,
                                              .options = variant_options[o]});
                }
    print_message("# %ld games, %ld actions\n", games, actions);
}

/* ---- I13: whole games as records ---- */

static void check_record(struct match *m)
{
    const struct game *game = match_game(m);
    const struct record_format *format = match_format(game, "nova");
    static char text[1 << 18], again[1 << 18];
    char one[REFERENCE_TEXT], two[REFERENCE_TEXT];
    struct fault f = {0};
    int length =
        match_write(m, format, match_count(m), RECORD_FULL, text, sizeof text);
    assert_true(length > 0 && length < (int)sizeof text);
    struct match *read =
        match_read(game, format, text, (size_t)length, NULL, &f);
    if (!read)
        fail_msg("%s, line %d of\n%s", fault_text(game, f.code)->name, f.line,
                 text);
    assert_int_equal(match_write(read, format, match_count(read), RECORD_FULL,
                                 again, sizeof again),
                     length);
    assert_string_equal(text, again);
    game->write_state(match_world(m), match_state(m), one, sizeof one);
    game->write_state(match_world(read), match_state(read), two, sizeof two);
    assert_string_equal(one, two);
    match_close(read);
}

static void play_records(void **unused)
{
    (void)unused;
    static action list[GAME_ACTIONS];
    static char given[16384];
    struct rng rng = random_source(rules_find("nova"), 13);
    for (int i = 0; i < test_scale(21, 210, 2100); i++) {
        char colours[5];
        struct setup setup;
        struct fault f = {0};
        variant_colours(&rng, 2 + rng_below(&rng, 3), colours);
        game_setup(&(struct both_setup){.board = board_names[i % 4],
                                        .colours = colours,
                                        .options = variant_options[i % 21],
                                        .seed = rng_next(&rng)},
                   &setup, given, sizeof given);
        struct match *m = match_open(rules_find("nova"), &setup, &f);
        assert_non_null(m);
        int limit = rng_below(&rng, 600);
        for (int n = 0; n < limit && !match_over(m); n++) {
            int seat = match_seat(m);
            int count = match_game(m)->legal(match_world(m), match_state(m),
                                             seat, list);
            match_play(m, seat, list[rng_below(&rng, count)]);
        }
        check_record(m);
        match_close(m);
    }
}

/* ---- I14: symmetries ---- */

/* Colours exchanged and, on a board with the half turn, hexes too. */
struct mirror {
    const struct both *to;
    const char *colours, *images;
    bool turned;
};

static char image(const struct mirror *m, char c)
{
    const char *at = strchr(m->colours, c);
    return c && at ? m->images[at - m->colours] : c;
}

static int image_hex(const struct mirror *m, int hex)
{
    return m->turned && hex >= 0 ? m->to->board.count - 1 - hex : hex;
}

static void image_state(const struct mirror *m, const struct reference_state *s,
                        struct reference_state *out)
{
    *out = *s;
    for (int h = 0; h < m->to->board.count; h++)
        out->at[image_hex(m, h)] = image(m, s->at[h]);
    for (int i = 0; i < s->moved; i++) {
        out->home[i] = image_hex(m, s->home[i]);
        out->now[i] = image_hex(m, s->now[i]);
    }
}

/* The image of an action without its results. */
static void image_action(const struct mirror *m, const char *text, char *to)
{
    size_t used;
    while (*text && *text != '(') {
        int hex = reference_hex(&m->to->board, text, &used);
        if (hex < 0) {
            *to++ = *text++;
            continue;
        }
        hex = image_hex(m, hex);
        *to++ = (char)('a' + m->to->board.row[hex]);
        int number = m->to->board.number[hex];
        if (number > 9)
            *to++ = (char)('0' + number / 10);
        *to++ = (char)('0' + number % 10);
        text += used;
    }
    *to = '\0';
}

/* Plays one game and its image; every action has its image. */
static void play_mirrored(struct rng *rng, const char *board,
                          const char *colours, const char *images, bool turned,
                          const char *options)
{
    static action list[GAME_ACTIONS];
    struct both a, b;
    both_open(&a, &(struct both_setup){
                      .board = board, .colours = colours, .options = options});
    both_open(&b, &(struct both_setup){
                      .board = board, .colours = images, .options = options});
    struct mirror m = {&b, colours, images, turned};
    int seat;
    while ((seat = both_seat(&a)) != SEAT_NONE) {
        char text[REFERENCE_TEXT], other[REFERENCE_TEXT];
        struct view va;
        struct reference_state wanted;
        look(&a, &va);
        image_state(&m, &va.s, &wanted);
        reference_write(&b.rules, &wanted, text);
        game_position(&b, other);
        assert_string_equal(other, text);
        int count = a.game->legal(a.world, a.state, seat, list);
        action pick = list[rng_below(rng, count)];
        assert_int_equal(b.game->legal(b.world, b.state, seat, list), count);
        a.game->write_action(a.world, a.state, seat, pick, seat, text,
                             sizeof text);
        image_action(&m, text, other);
        action twin;
        size_t used;
        struct fault f = {0};
        if (!b.game->read_action(b.world, b.state, seat, other, &twin, &used,
                                 &f))
            fail_msg("%s, the image of %s, is refused", other, text);
        a.game->apply(a.world, a.state, seat, pick);
        b.game->apply(b.world, b.state, seat, twin);
        actions++;
    }
    assert_int_equal(both_seat(&b), SEAT_NONE);
    both_close(&a);
    both_close(&b);
}

static void play_symmetries(void **unused)
{
    (void)unused;
    struct rng rng = random_source(rules_find("nova"), 14);
    actions = 0;
    for (int i = 0; i < test_scale(4, 40, 400); i++) {
        const char *options = variant_options[i % 19];
        play_mirrored(&rng, "twins", "yr", "ry", true, options);
        play_mirrored(&rng, "twins", "yrbg", "gbry", true, options);
        play_mirrored(&rng, "islet", "yrb", "bgy", false, options);
    }
    print_message("# %ld actions and their images\n", actions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(play_everything),
        cmocka_unit_test(play_records),
        cmocka_unit_test(play_symmetries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
