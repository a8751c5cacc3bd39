/* rules/nova/tables.c: options, and the world built from a setup. */
#include "rules/nova/state.h"

#include "base/check.h"
#include "game/setup.h"
#include "rules/nova/faults.h"

/* ---- options (nova §9) ---- */

static const char *const boards[] = {"island", "twins", "islet", "continent",
                                     NULL};
static const char *const editions[] = {"en", "nl", "sv", NULL};
static const char *const returns[] = {"en", "nl", "sv", "strict", NULL};
static const char *const yes_no[] = {"yes", "no", NULL};
static const char *const alones[] = {"now", "lasting", NULL};
static const char *const play_end[] = {"play", "end", NULL};
static const char *const end_play[] = {"end", "play", NULL};
static const char *const setups[] = {"free", "random", NULL};
static const char *const ties[] = {"shared", "pioneers", NULL};

const struct option nova_options[] = {
    [OPT_BOARD] = {"board", OPTION_CHOICE, boards, 0, 0, 0,
                   "the board; own boards are given as files"},
    [OPT_EDITION] = {"edition", OPTION_CHOICE, editions, 0, 0, 0,
                     "rule sheet that sets the other options: English, "
                     "Dutch or Swedish"},
    [OPT_RETURN] = {"return", OPTION_CHOICE, returns, 0, 0, OPTION_UNSET,
                    "what a turn must not end like: a moved pioneer back "
                    "home"},
    [OPT_FINISH_TURN] = {"finish_turn", OPTION_CHOICE, yes_no, 0, 0,
                         OPTION_UNSET,
                         "may the mover finish the turn when a scoring leaves "
                         "nobody else able to move"},
    [OPT_ALONE] = {"alone", OPTION_CHOICE, alones, 0, 0, ALONE_NOW,
                   "the game ends when only one player can move: right now, "
                   "or for good"},
    [OPT_WIPED] = {"wiped", OPTION_CHOICE, play_end, 0, 0, 0,
                   "does the game end when a player has no pioneers left"},
    [OPT_OUT_OF_STONES] = {"out_of_stones", OPTION_CHOICE, end_play, 0, 0, 0,
                           "when the supply is empty the game ends, or goes "
                           "on with moves only"},
    [OPT_STONES] = {"stones", OPTION_NUMBER, NULL, 0, 256, OPTION_UNSET,
                    "border stones in the supply; 0 is unlimited"},
    [OPT_PIONEERS] = {"pioneers", OPTION_NUMBER, NULL, 1, 64, OPTION_UNSET,
                      "pioneers per player"},
    [OPT_QUIET] = {"quiet", OPTION_NUMBER, NULL, 0, 999, 10,
                   "rounds without a stone after which the game ends; 0 is "
                   "never"},
    [OPT_SETUP] = {"setup", OPTION_CHOICE, setups, 0, 0, SETUP_FREE,
                   "players place their pioneers, or the program draws the "
                   "hexes"},
    [OPT_TIE] = {"tie", OPTION_CHOICE, ties, 0, 0, TIE_SHARED,
                 "equal scores share the win, or pioneers left on the board "
                 "decide"},
    [OPT_COUNT] = {NULL, OPTION_CHOICE, NULL, 0, 0, 0, NULL},
};

int nova_preset(const struct board *b, int seats, int option, int edition)
{
    switch (option) {
    case OPT_RETURN:
        return edition; /* same order: en, nl, sv */
    case OPT_FINISH_TURN:
        return edition == 0 ? 0 : 1;
    case OPT_STONES:
        return b->stones;
    case OPT_PIONEERS:
        return b->pioneers[seats - 2];
    default:
        return nova_options[option].preset;
    }
}

int nova_seat_of(const struct world *w, char colour)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (w->colour[seat] == colour)
            return seat;
    return SEAT_NONE;
}

/* ---- the board ---- */

static bool read_board(struct world *w, const struct setup *setup,
                       struct fault *f)
{
    struct given given;
    char text[16384];
    bool own = given_find(setup->given, "board", &given) ||
               given_find(setup->given, "known-board", &given);
    bool bare = !own && given_find(setup->given, "land", &given);
    if (!own && !bare) {
        int board = setup->option[OPT_BOARD];
        return board_read(
            &w->board, span_of(nova_boards[board == OPTION_UNSET ? 0 : board]),
            f);
    }
    int length = given_unfold(given.value, text, sizeof text);
    if (length >= (int)sizeof text)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    struct span file = {text, (size_t)length};
    return own ? board_read(&w->board, file, f)
               : board_read_map(&w->board, file, f);
}

static void link_hexes(struct world *w)
{
    for (int hex = 0; hex < w->hexes; hex++) {
        bits_add(&w->all, hex);
        bits_add(&w->land[w->board.land[hex]], hex);
        for (int d = 0; d < 6; d++) {
            int next = board_neighbour(&w->board, hex, (enum direction)d);
            w->next[hex][d] = (int16_t)next;
            w->beside[hex][d] = (uint8_t)(next == NO_HEX ? hex : next);
            if (next != NO_HEX)
                bits_add(&w->near[hex], next);
        }
    }
}

/* All of the plot that holds `hex`, and the hexes around it. */
static struct plot plot_around(const struct world *w, int hex)
{
    struct plot p = {.land = w->board.land[hex]};
    struct bits done = {{0}}, edge = {{0}};
    bits_add(&edge, hex);
    while (!bits_none(&edge)) {
        BITS_EACH (next, edge)
            p.rim = bits_or(p.rim, &w->near[next]);
        done = bits_or(done, &edge);
        edge = bits_and(p.rim, &w->land[p.land]);
        edge = bits_without(edge, &done);
    }
    p.hexes = done;
    p.rim = bits_without(p.rim, &p.hexes);
    p.size = bits_count(&p.hexes);
    return p;
}

static void find_plots(struct world *w)
{
    memset(w->plot_of, PLOTS, sizeof w->plot_of);
    for (int hex = 0; hex < w->hexes && w->plots < PLOTS; hex++) {
        if (w->plot_of[hex] < PLOTS)
            continue;
        int number = w->plots++;
        w->plot[number] = plot_around(w, hex);
        BITS_EACH (member, w->plot[number].hexes)
            w->plot_of[member] = (uint8_t)number;
    }
    for (int i = 0; i < w->plots; i++)
        for (int k = 0; k < w->plots; k++)
            if (bits_meet(&w->plot[i].rim, &w->plot[k].hexes))
                w->plot[i].touch |= (uint64_t)1 << k;
}

/* ---- lines ---- */

const enum direction nova_axes[AXES] = {EAST, SOUTH_WEST, SOUTH_EAST};

static int stretch_length(const struct world *w, int hex, enum direction d)
{
    int length = 0;
    for (; hex != NO_HEX; hex = w->next[hex][d])
        length++;
    return length;
}

/* Gives a hex its bit, counted over all words of all axes. */
static void put_on_line(struct world *w, int hex, int axis, int bit)
{
    struct spot *spot = &w->spot[hex][axis];
    spot->word = (uint8_t)(bit >> 6);
    spot->bit = (uint8_t)(bit & 63);
    w->empty.word[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
}

/* Strings the stretches of one axis together, see state.h. */
static void string_axis(struct world *w, int axis, enum direction d)
{
    int bit = axis * AXIS_BITS + 1;
    for (int hex = 0; hex < w->hexes; hex++) {
        if (w->next[hex][(d + 3) % 6] != NO_HEX)
            continue; /* not the beginning of a stretch */
        int length = stretch_length(w, hex, d);
        bit += (bit & 63) == 0; /* a set bit stands before every stretch */
        if ((bit & 63) + length > 63)
            bit = (bit | 63) + 2;
        check(bit + length < (axis + 1) * AXIS_BITS);
        w->wide = w->wide || length - 1 > WRITTEN;
        for (int at = hex; at != NO_HEX; at = w->next[at][d])
            put_on_line(w, at, axis, bit++);
        bit++;
    }
}

/* Writes down all moves from a hex along an axis; returns how many. */
static int write_moves(const struct world *w, int hex, enum direction d,
                       struct spot *spot, uint16_t *to)
{
    int count = 0, at = hex;
    while (w->next[at][(d + 3) % 6] != NO_HEX)
        at = w->next[at][(d + 3) % 6];
    for (; at != NO_HEX; at = w->next[at][d])
        if (at == hex)
            spot->move = (uint16_t)(to + count - w->move);
        else
            to[count++] = (uint16_t)pack(MOVE, hex, at);
    return count;
}

static void list_all_moves(struct world *w)
{
    uint16_t *to = w->move;
    for (int hex = 0; hex < w->hexes; hex++)
        for (int axis = 0; axis < AXES; axis++)
            to += write_moves(w, hex, nova_axes[axis], &w->spot[hex][axis], to);
}

static void count_runs(struct world *w)
{
    for (int open = 0; open < 64; open++) {
        int runs = 0;
        for (int d = 0; d < 6; d++)
            runs += (open >> d & 1) && !(open >> (d + 5) % 6 & 1);
        w->runs[open] = (uint8_t)(open == 63 ? 1 : runs);
    }
}

static void list_members(struct world *w)
{
    for (int set = 0; set < 256; set++)
        for (int i = 0; i < 8; i++)
            if (set >> i & 1)
                w->member[set][w->members[set]++] = (uint16_t)i;
}

/* ---- options and seats ---- */

static bool good_colours(struct span seats, int count)
{
    bool good = seats.length == (size_t)count;
    for (size_t i = 0; good && i < seats.length; i++)
        good =
            memchr("yrbg", seats.at[i], 4) && !memchr(seats.at, seats.at[i], i);
    return good;
}

/* A position to start from names the colours in its second field. */
static struct span start_colours(const struct setup *setup)
{
    struct given given;
    struct span rest = {"yrbg", (size_t)setup->seats}, word = rest;
    if (given_find(setup->given, "start", &given)) {
        rest = given.value;
        span_word(&rest);
        rest = span_word(&rest);
    }
    return good_colours(rest, setup->seats) ? rest : word;
}

static bool read_seats(struct world *w, const struct setup *setup,
                       struct fault *f)
{
    struct given given;
    if (setup->seats < 2 || setup->seats > NOVA_SEATS)
        return fault_set(f, FAULT_SEATS, 0, 0, "");
    w->seats = setup->seats;
    struct span colours = start_colours(setup);
    if (given_find(setup->given, "seats", &given)) {
        colours = given.value;
        if (!good_colours(colours, setup->seats))
            return fault_span(f, NOVA_SETUP_COLOURS, given.line, 0,
                              given.value.at, given.value.length);
    }
    memcpy(w->colour, colours.at, colours.length);
    return true;
}

static bool read_options(struct world *w, const struct setup *setup,
                         struct fault *f)
{
    int edition = setup->option[OPT_EDITION];
    edition = edition == OPTION_UNSET ? 0 : edition;
    for (int i = 0; i < OPT_COUNT; i++) {
        int value = setup->option[i];
        w->option[i] = value != OPTION_UNSET
                           ? value
                           : nova_preset(&w->board, w->seats, i, edition);
    }
    w->stones = w->option[OPT_STONES];
    w->pioneers = w->option[OPT_PIONEERS];
    w->quiet_turns = w->option[OPT_QUIET] * w->seats;
    w->counted = !w->board.bare || setup->option[OPT_PIONEERS] != OPTION_UNSET;
    struct given start;
    bool placing = !given_find(setup->given, "start", &start);
    int needed = 2 * w->pioneers * w->seats;
    if ((w->counted && needed > w->hexes) ||
        (placing && (needed == 0 || needed > w->hexes))) {
        char subject[16];
        struct text t = text_begin(subject, sizeof subject);
        text_int(&t, w->pioneers);
        text_end(&t);
        return fault_set(f, NOVA_SETUP_PIONEERS, 0, 0, subject);
    }
    return true;
}

/* "weights: learned", which two seats have anyway, "weights: hand", or numbers
 * of one's own for what is written by hand. */
static bool read_weights(struct world *w, const struct setup *setup,
                         struct fault *f)
{
    struct given given;
    bool any = given_find(setup->given, "weights", &given);
    w->weights = nova_weights;
    if (!any || span_is(given.value, "learned"))
        nova_prepare_learned(w, &nova_learned);
    else if (!span_is(given.value, "hand") &&
             !nova_read_weights(&w->weights, given.value))
        return fault_span(f, FAULT_GIVEN, given.line, 0, given.key.at,
                          given.key.length);
    return true;
}

/* Every key must be known, and what is given must be readable. */
static bool check_given(struct world *w, const struct setup *setup,
                        struct fault *f)
{
    static const char *const known[] = {"board",   "known-board", "land",
                                        "seats",   "start",       "placed",
                                        "weights", NULL};
    const char *at = setup->given;
    struct given given;
    int line = 0;
    while (given_next(&at, &line, &given)) {
        int i = 0;
        while (known[i] && !span_is(given.key, known[i]))
            i++;
        if (!known[i])
            return fault_span(f, FAULT_GIVEN, given.line, 0, given.key.at,
                              given.key.length);
    }
    if (given_find(setup->given, "start", &given)) {
        char text[1024];
        struct state s;
        span_copy(given.value, text, sizeof text);
        if (!nova_read_state(w, text, &s, f))
            return false;
        w->started = true;
    }
    if (!read_weights(w, setup, f))
        return false;
    nova_prepare_hints(w);
    uint8_t hexes[BOARD_HEXES];
    if (given_find(setup->given, "placed", &given) &&
        nova_draw_placement(w, setup, hexes) < 0)
        return fault_set(f, NOVA_SETUP_PLACED, given.line, 0, "");
    if (!w->started && w->pioneers == 0) /* a bare map of few hexes */
        return fault_set(f, NOVA_SETUP_PIONEERS, 0, 0, "0");
    return true;
}

bool nova_prepare(struct world *w, const struct setup *setup, struct fault *f)
{
    memset(w, 0, sizeof *w);
#ifdef __x86_64__
    w->avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
    if (!read_board(w, setup, f) || !read_seats(w, setup, f))
        return false;
    w->hexes = w->board.hexes;
    if (!read_options(w, setup, f))
        return false;
    link_hexes(w);
    find_plots(w);
    memset(&w->empty, 0xff, sizeof w->empty);
    for (int axis = 0; axis < AXES; axis++)
        string_axis(w, axis, nova_axes[axis]);
    if (!w->wide)
        list_all_moves(w);
    count_runs(w);
    list_members(w);
    return check_given(w, setup, f);
}
