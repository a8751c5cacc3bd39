/* tests/rules/nova/both.c: the game and its reference, side by side. */
#include "tests/rules/nova/both.h"

#include "base/text.h"
#include "game/setup.h"
#include "rules/nova/board.h"
#include "rules/rules.h"

const char *const board_names[] = {"island", "twins", "islet", "continent",
                                   NULL};

/* ---- files ---- */

void file_path(const char *path, char *to, size_t cap)
{
    const char *root = getenv("TERRA_SOURCE");
    snprintf(to, cap, "%s/%s", root ? root : ".", path);
}

char *file_read(const char *path, size_t *length)
{
    char whole[1024];
    file_path(path, whole, sizeof whole);
    FILE *file = fopen(whole, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    if (length)
        *length = size;
    return text;
}

const char *board_text(const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; nova_boards[i]; i++) {
        const char *is = strstr(nova_boards[i], "name: ");
        if (is && strncmp(is + 6, name, length) == 0 && is[6 + length] == '\n')
            return nova_boards[i];
    }
    fail_msg("no board %s", name);
    return NULL;
}

/* ---- opening ---- */

static void set_options(const struct game *game, struct setup *setup,
                        const char *options)
{
    char words[REFERENCE_TEXT];
    struct fault f = {0};
    snprintf(words, sizeof words, "%s", options);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
        char *value = strchr(w, '=');
        *value++ = '\0';
        if (!setup_option(game, setup, span_of(w), span_of(value), &f))
            fail_msg("option %s=%s is refused", w, value);
    }
}

void game_setup(const struct both_setup *how, struct setup *setup, char *given,
                size_t cap)
{
    const struct game *game = rules_find("nova");
    struct text t = text_begin(given, cap);
    struct fault f = {0};
    setup_init(game, setup);
    setup->seats = (int)strlen(how->colours);
    setup->seed = how->seed;
    if (how->board &&
        !setup_option(game, setup, span_of("board"), span_of(how->board), &f))
        fail_msg("board %s is refused", how->board);
    given_add(&t, "seats", span_of(how->colours));
    if (how->land)
        given_add(&t, "land", span_of(how->land));
    if (how->file)
        given_add(&t, "board", span_of(how->file));
    if (how->start)
        given_add(&t, "start", span_of(how->start));
    assert_true(text_end(&t) < (int)cap);
    setup->given = given;
    if (how->options)
        set_options(game, setup, how->options);
}

static void open_reference(struct both *b, const struct both_setup *how)
{
    const char *why;
    if (how->land)
        assert_true(reference_map(&b->board, how->land));
    else
        assert_true(reference_board(
            &b->board, how->file ? how->file : board_text(how->board)));
    assert_true(reference_rules(&b->rules, &b->board, how->colours,
                                how->options ? how->options : ""));
    reference_start(&b->rules, &b->plain);
    if (how->start && !reference_read(&b->rules, how->start, &b->plain, &why))
        fail_msg("reference refuses %s: %s", how->start, why);
}

void both_open(struct both *b, const struct both_setup *how)
{
    struct fault f = {0};
    char line[512], position[REFERENCE_TEXT];
    const char *why;
    memset(b, 0, sizeof *b);
    open_reference(b, how);
    b->game = rules_find("nova");
    game_setup(how, &b->setup, b->given, sizeof b->given);
    b->world = calloc(1, b->game->world_size);
    b->state = calloc(1, b->game->state_size);
    if (!b->game->prepare(b->world, &b->setup, &f)) {
        fault_write(b->game, &f, line, sizeof line);
        fail_msg("setup refused: %s (line %d)", line, f.line);
    }
    b->game->start(b->world, &b->setup, b->state);
    if (how->options && strstr(how->options, "setup=random")) {
        game_position(b, position); /* drawn: the reference cannot know */
        if (!reference_read(&b->rules, position, &b->plain, &why))
            fail_msg("reference refuses the draw %s: %s", position, why);
    }
}

void both_portable_world(struct world *w); /* portable.c */

void both_portable(struct both *b)
{
    both_portable_world(b->world);
}

void both_close(struct both *b)
{
    free(b->world);
    free(b->state);
    b->world = NULL;
    b->state = NULL;
}

/* ---- comparing ---- */

int both_seat(const struct both *b)
{
    unsigned must, may;
    b->game->turn(b->world, b->state, &must, &may);
    assert_int_equal(may & ~must, 0); /* nobody acts out of turn in nova */
    return must ? __builtin_ctz(must) : SEAT_NONE;
}

void game_position(const struct both *b, char *to)
{
    int length = b->game->write_state(b->world, b->state, to, REFERENCE_TEXT);
    assert_true(length > 0 && length < REFERENCE_TEXT);
}

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x9fb21c651e98df25u;
    return rng_mix(hash);
}

static void game_action(const struct both *b, int seat, action a, char *to)
{
    int length = b->game->write_action(b->world, b->state, seat, a, seat, to,
                                       REFERENCE_TEXT);
    assert_true(length > 0 && length < REFERENCE_TEXT);
}

/* Is the text in the game's list? */
static bool listed(const struct both *b, int seat, const action *ours,
                   int count, const char *text)
{
    char own[REFERENCE_TEXT];
    for (int i = 0; i < count; i++) {
        game_action(b, seat, ours[i], own);
        if (strcmp(own, text) == 0)
            return true;
    }
    return false;
}

/* Called when the lists differ: says where. */
static void blame(const struct both *b, int seat, const action *ours, int count)
{
    struct reference_action plain[REFERENCE_ACTIONS], ignored;
    int wanted = reference_legal(&b->rules, &b->plain, plain);
    char text[REFERENCE_TEXT];
    game_position(b, text);
    print_error("position %s\n", text);
    for (int i = 0; i < count; i++) {
        game_action(b, seat, ours[i], text);
        if (!reference_read_action(&b->rules, &b->plain, text, &ignored))
            print_error("only in the game: %s\n", text);
    }
    for (int i = 0; i < wanted; i++) {
        reference_write_action(&b->rules, &b->plain, plain[i], text);
        if (!listed(b, seat, ours, count, text))
            print_error("only in the reference: %s\n", text);
    }
    fail_msg("legal lists differ: %d in the game, %d in the reference", count,
             wanted);
}

/* Lists are sets: compares their sizes and the sums of their hashes. */
static void agree_legal(const struct both *b, int seat)
{
    static struct reference_action plain[REFERENCE_ACTIONS];
    static action ours[GAME_ACTIONS];
    char text[REFERENCE_TEXT];
    uint64_t difference = 0;
    int wanted = reference_legal(&b->rules, &b->plain, plain);
    int count = seat < 0 ? 0 : b->game->legal(b->world, b->state, seat, ours);
    for (int i = 0; i < count; i++) {
        game_action(b, seat, ours[i], text);
        difference += text_hash(text);
    }
    for (int i = 0; i < wanted; i++) {
        reference_write_action(&b->rules, &b->plain, plain[i], text);
        difference -= text_hash(text);
    }
    if (count != wanted || difference != 0)
        blame(b, seat, ours, count);
}

static void agree_result(const struct both *b)
{
    struct result result;
    int place[REFERENCE_SEATS];
    b->game->result(b->world, b->state, &result);
    reference_places(&b->rules, &b->plain, place);
    for (int seat = 0; seat < b->rules.seats; seat++) {
        assert_int_equal(result.points[seat], b->plain.score[seat]);
        assert_int_equal(result.place[seat], place[seat]);
    }
    assert_string_equal(result.reason ? b->game->endings[result.reason] : "",
                        b->plain.end);
}

void both_agree(const struct both *b)
{
    char ours[REFERENCE_TEXT], plain[REFERENCE_TEXT];
    int seat = both_seat(b);
    game_position(b, ours);
    reference_write(&b->rules, &b->plain, plain);
    assert_string_equal(ours, plain);
    assert_int_equal(seat, b->plain.end[0] ? SEAT_NONE : b->plain.seat);
    agree_legal(b, seat);
    agree_result(b);
}

/* ---- playing ---- */

/* Reads the text in both; they must agree whether it is an action. */
static bool read_action(const struct both *b, const char *text, action *ours,
                        struct reference_action *plain)
{
    struct fault f = {0};
    size_t used = 0;
    int seat = both_seat(b);
    if (seat == SEAT_NONE)
        return false;
    bool wanted = reference_read_action(&b->rules, &b->plain, text, plain);
    bool good =
        b->game->read_action(b->world, b->state, seat, text, ours, &used, &f) &&
        used == strlen(text);
    if (good != wanted)
        fail_msg("%s: %s in the game, %s in the reference", text,
                 good ? "legal" : "illegal", wanted ? "legal" : "illegal");
    return good;
}

bool both_legal(const struct both *b, const char *text)
{
    struct reference_action plain;
    action ours;
    return read_action(b, text, &ours, &plain);
}

bool both_play(struct both *b, const char *text)
{
    struct reference_action plain;
    char wanted[REFERENCE_TEXT];
    action ours;
    if (!read_action(b, text, &ours, &plain))
        return false;
    int seat = both_seat(b);
    reference_write_action(&b->rules, &b->plain, plain, wanted);
    game_action(b, seat, ours, b->played);
    assert_string_equal(b->played, wanted);
    b->game->apply(b->world, b->state, seat, ours);
    reference_apply(&b->rules, &b->plain, plain, &b->scored);
    return true;
}

bool both_random(struct both *b, struct rng *rng, int bias)
{
    static action ours[GAME_ACTIONS];
    char text[REFERENCE_TEXT];
    int seat = both_seat(b);
    if (seat == SEAT_NONE)
        return false;
    int count = b->game->legal(b->world, b->state, seat, ours);
    bool stone = rng_below(rng, 100) < bias;
    for (int tries = 0; tries < 50; tries++) {
        game_action(b, seat, ours[rng_below(rng, count)], text);
        if ((text[0] == '*') == stone)
            break;
    }
    assert_true(both_play(b, text));
    return true;
}
