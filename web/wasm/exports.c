/* web/wasm/exports.c: rules, match and hints for a caller without C structs.
 *
 * Everything is text: scenes, effects and logs are JSON made by the games,
 * moves are notation.  One output buffer grows as needed and is reused. */
#include "web/wasm/exports.h"

#include "base/rng.h"
#include "base/text.h"
#include "game/match.h"
#include "game/setup.h"
#include "rules/rules.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name)))
#else
#define EXPORT(name)
#endif

enum { HANDLES = 64, SEARCHES = 4, TOP = 8 };

struct thought {
    void *memory; /* owned; NULL: not in use */
    struct search *search;
    struct state *state;       /* owned: what it thinks about */
    const struct match *match; /* borrowed */
    int seat;
};

/* The only globals: open matches, and the buffers shared with the caller. */
static struct match *matches[HANDLES];
static struct thought thoughts[SEARCHES];
static char *input;
static char *output;
static size_t output_cap, output_length;

/* ---- the output buffer ---- */

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void reserve(size_t more)
{
    size_t wanted = output_length + more + 1;
    if (wanted <= output_cap)
        return;
    output_cap = wanted > 2 * output_cap ? wanted : 2 * output_cap;
    output = need(realloc(output, output_cap));
}

static void begin(void)
{
    output_length = 0;
    reserve(4096);
    output[0] = '\0';
}

static int end(void)
{
    output[output_length] = '\0';
    return (int)output_length;
}

static void put(const char *string)
{
    size_t length = strlen(string);
    reserve(length);
    memcpy(output + output_length, string, length);
    output_length += length;
}

static void put_int(int64_t number)
{
    char digits[24];
    struct text t = text_begin(digits, sizeof digits);
    text_int(&t, number);
    text_end(&t);
    put(digits);
}

static void put_json(const char *string)
{
    struct text measure = text_begin(NULL, 0);
    text_json(&measure, string);
    reserve(measure.length);
    struct text t = text_begin(output + output_length, measure.length + 1);
    text_json(&t, string);
    output_length += measure.length;
}

/* "key": before a value; the comma goes before all but the first. */
static void put_key(const char *key)
{
    if (output_length > 0 && output[output_length - 1] != '{')
        put(",");
    put_json(key);
    put(":");
}

static void put_pair(const char *key, const char *value)
{
    put_key(key);
    if (value)
        put_json(value);
    else
        put("null");
}

static void put_number(const char *key, int64_t value)
{
    put_key(key);
    put_int(value);
}

static void put_flag(const char *key, bool value)
{
    put_key(key);
    put(value ? "true" : "false");
}

/* Comma between the members of an array. */
static void put_next(void)
{
    if (output[output_length - 1] != '[')
        put(",");
}

EXPORT("input") char *terra_input(size_t size)
{
    input = need(realloc(input, size + 1));
    input[size] = '\0';
    return input;
}

EXPORT("output") const char *terra_output(void)
{
    return output;
}

/* ---- faults ---- */

static int refuse(const struct game *game, const struct fault *f)
{
    const struct fault_text *text = fault_text(game, f->code);
    begin();
    put("{");
    put_pair("name", text->name);
    put_pair("phrase", text->phrase);
    put_pair("paragraph", text->paragraph);
    put_number("line", f->line);
    put_number("column", f->column);
    put_pair("subject", f->subject);
    put("}");
    end();
    return 0;
}

/* ---- the list of games ---- */

static void put_names(const char *key, const char *const *names)
{
    put_key(key);
    put("[");
    for (; names && *names; names++) {
        put_next();
        put_json(*names);
    }
    put("]");
}

static void put_option(const struct option *o)
{
    static const char *const kinds[] = {"choice", "number", "set"};
    put("{");
    put_pair("name", o->name);
    put_pair("kind", kinds[o->kind]);
    put_names("choices", o->choices);
    put_number("low", o->low);
    put_number("high", o->high);
    put_key("preset");
    if (o->preset == OPTION_UNSET)
        put("null");
    else
        put_int(o->preset);
    put_pair("help", o->help);
    put("}");
}

static void put_format(const struct record_format *f)
{
    put("{");
    put_pair("name", f->name);
    put_pair("suffix", f->suffix);
    put_pair("help", f->help);
    put_flag("reads", f->read != NULL);
    put_flag("writes", f->write != NULL);
    put("}");
}

static void put_game(const struct game *g)
{
    put("{");
    put_pair("name", g->name);
    put_pair("title", g->title);
    put_pair("about", g->about);
    put_number("seatsMin", g->seats_min);
    put_number("seatsMax", g->seats_max);
    put_number("seatsUsual", g->seats_usual);
    put_flag("hidden", g->observe != NULL);
    put_flag("estimates", g->estimate != NULL);
    put_flag("ranks", g->rank != NULL);
    put_names("endings", g->endings);
    put_key("options");
    put("[");
    for (const struct option *o = g->options; o && o->name; o++) {
        put_next();
        put_option(o);
    }
    put("]");
    put_key("formats");
    put("[");
    for (const struct record_format *f = g->formats; f && f->name; f++) {
        put_next();
        put_format(f);
    }
    put("]}");
}

EXPORT("games") int terra_games(void)
{
    begin();
    put("[");
    for (int i = 0; rules_games[i]; i++) {
        put_next();
        put_game(rules_games[i]);
    }
    put("]");
    return end();
}

/* ---- opening and closing ---- */

static int keep(struct match *m)
{
    for (int handle = 1; handle < HANDLES; handle++)
        if (!matches[handle]) {
            matches[handle] = m;
            begin();
            return handle;
        }
    match_close(m);
    struct fault f;
    fault_set(&f, FAULT_SIZE, 0, 0, "too many matches are open");
    return refuse(NULL, &f);
}

/* The value of the first line, "game: nova". */
static const struct game *named_game(const char *text, struct fault *f)
{
    struct span rest = span_of(text);
    struct span line = span_cut(&rest, '\n');
    char name[32] = "";
    if (span_is(span_cut(&line, ':'), "game"))
        span_copy(span_trim(line), name, sizeof name);
    const struct game *game = rules_find(name);
    if (!game)
        fault_set(f, FAULT_FORMAT, 1, 0, name);
    return game;
}

EXPORT("open") int terra_open(void)
{
    struct fault f = {0};
    struct setup setup;
    const struct game *game = named_game(input, &f);
    if (!game)
        return refuse(game, &f);
    setup_init(game, &setup);
    if (!setup_read(game, input, &setup, &f))
        return refuse(game, &f);
    struct match *m = match_open(game, &setup, &f);
    return m ? keep(m) : refuse(game, &f);
}

/* The first format of a wanted game that knows the text. */
static const struct record_format *recognise(const struct game *g,
                                             const char *wanted, size_t length)
{
    for (const struct record_format *i = g->formats; i && i->name; i++) {
        if (!i->read || (*wanted && strcmp(i->name, wanted) != 0))
            continue;
        if (*wanted || i->recognise(input, length))
            return i;
    }
    return NULL;
}

EXPORT("read") int terra_read(size_t length)
{
    const char *game = input + length + 1;
    const char *format = game + strlen(game) + 1;
    struct fault f = {0};
    for (int i = 0; rules_games[i]; i++) {
        const struct game *g = rules_games[i];
        if (*game && strcmp(g->name, game) != 0)
            continue;
        const struct record_format *known = recognise(g, format, length);
        if (!known)
            continue;
        struct match *m = match_read(g, known, input, length, NULL, &f);
        return m ? keep(m) : refuse(g, &f);
    }
    fault_set(&f, FAULT_FORMAT, 0, 0, "");
    return refuse(NULL, &f);
}

EXPORT("close") void terra_close(int handle)
{
    match_close(matches[handle]);
    matches[handle] = NULL;
}

/* ---- positions ---- */

/* A copy of the state after `at` steps as the viewer may see it, to be freed.
 * -1 is the present. */
static struct state *state_at(const struct match *m, int at)
{
    struct state *s = need(malloc(match_game(m)->state_size));
    match_at(m, at < 0 ? match_count(m) : at, s);
    return s;
}

static void view_as(const struct match *m, struct state *s, int viewer)
{
    const struct game *g = match_game(m);
    if (!g->observe || viewer == RECORD_FULL)
        return;
    struct state *view = need(malloc(g->state_size));
    g->observe(match_world(m), s, viewer, view);
    memcpy(s, view, g->state_size);
    free(view);
}

EXPORT("scene") int terra_scene(int handle, int at, int viewer)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    struct state *s = state_at(m, at);
    view_as(m, s, viewer);
    begin();
    int length = g->write_scene(match_world(m), s, viewer, output, output_cap);
    if ((size_t)length >= output_cap) {
        reserve((size_t)length);
        g->write_scene(match_world(m), s, viewer, output, output_cap);
    }
    output_length = (size_t)length;
    free(s);
    return end();
}

EXPORT("picture") int terra_picture(int handle, int at, int viewer)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    struct state *s = state_at(m, at);
    view_as(m, s, viewer);
    begin();
    int length = 0;
    if (g->write_picture) {
        length = g->write_picture(match_world(m), s, viewer, NULL, 0);
        reserve((size_t)length);
        g->write_picture(match_world(m), s, viewer, output, output_cap);
    }
    output_length = (size_t)length;
    free(s);
    return end();
}

static void put_effect(const struct match *m, const struct state *s, int seat,
                       action a, int viewer)
{
    const struct game *g = match_game(m);
    int length = g->write_effect(match_world(m), s, seat, a, viewer, NULL, 0);
    reserve((size_t)length);
    g->write_effect(match_world(m), s, seat, a, viewer, output + output_length,
                    (size_t)length + 1);
    output_length += (size_t)length;
}

static void put_action(const struct match *m, const struct state *s, int seat,
                       action a, int viewer)
{
    char text[256];
    match_game(m)->write_action(match_world(m), s, seat, a, viewer, text,
                                sizeof text);
    put_json(text);
}

EXPORT("effects") int terra_effects(int handle, int at, int seat, int viewer)
{
    const struct match *m = matches[handle];
    struct state *s = state_at(m, at);
    view_as(m, s, viewer);
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    int count = match_game(m)->legal(match_world(m), s, seat, legal);
    begin();
    put("[");
    for (int i = 0; i < count; i++) {
        put_next();
        put_effect(m, s, seat, legal[i], viewer);
    }
    put("]");
    free(legal);
    free(s);
    return end();
}

EXPORT("hash") int terra_hash(int handle, int at)
{
    const struct match *m = matches[handle];
    struct state *s = state_at(m, at);
    begin();
    struct text t = text_begin(output, output_cap);
    text_hex(&t, match_game(m)->hash(match_world(m), s));
    output_length = t.length;
    free(s);
    return end();
}

/* ---- the log ---- */

static void step_apply(const struct match *m, struct state *s,
                       const struct step *step)
{
    const struct game *g = match_game(m);
    if (step->kind == STEP_ACTION)
        g->apply(match_world(m), s, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        g->drop(match_world(m), s, step->seat);
    else if (step->kind == STEP_STOP)
        g->stop(match_world(m), s, step->reason, step->seat);
}

/* Writes one step and plays it on s. */
static void put_step(const struct match *m, struct state *s,
                     const struct step *step, int viewer)
{
    static const char *const kinds[] = {"action", "drop", "stop", "takeover"};
    const struct game *g = match_game(m);
    uint32_t before = g->fence(match_world(m), s);
    put("{");
    put_number("seat", step->seat);
    put_pair("kind", kinds[step->kind]);
    if (step->kind == STEP_STOP)
        put_pair("reason", g->endings[step->reason]);
    if (step->kind == STEP_ACTION) {
        put_key("text");
        put_action(m, s, step->seat, step->action, viewer);
        put_key("effect");
        put_effect(m, s, step->seat, step->action, viewer);
    }
    step_apply(m, s, step);
    struct result r;
    g->result(match_world(m), s, &r);
    put_key("points");
    put("[");
    for (int seat = 0; seat < match_setup(m)->seats; seat++) {
        put_next();
        put_int(r.points[seat]);
    }
    put("]");
    put_flag("last", g->fence(match_world(m), s) != before);
    put("}");
}

EXPORT("log") int terra_log(int handle, int from, int viewer)
{
    const struct match *m = matches[handle];
    struct state *s = state_at(m, from);
    begin();
    put("[");
    for (int i = from; i < match_count(m); i++) {
        put_next();
        put_step(m, s, match_step(m, i), viewer);
    }
    put("]");
    free(s);
    return end();
}

EXPORT("status") int terra_status(int handle)
{
    const struct match *m = matches[handle];
    unsigned must, may;
    match_game(m)->turn(match_world(m), match_state(m), &must, &may);
    begin();
    put("{");
    put_pair("game", match_game(m)->name);
    put_number("seats", match_setup(m)->seats);
    put_number("count", match_count(m));
    put_number("total", match_total(m));
    put_number("fence", match_fence(m));
    put_number("seat", match_seat(m));
    put_number("must", must);
    put_number("may", may);
    put_flag("over", match_over(m));
    put("}");
    return end();
}

/* ---- texts of a match ---- */

EXPORT("setup") int terra_setup(int handle)
{
    const struct match *m = matches[handle];
    begin();
    int length = setup_write(match_game(m), match_setup(m), NULL, 0);
    reserve((size_t)length);
    setup_write(match_game(m), match_setup(m), output, output_cap);
    output_length = (size_t)length;
    return end();
}

EXPORT("note") int terra_note(int handle)
{
    begin();
    if (match_note(matches[handle], input, output, output_cap))
        output_length = strlen(output);
    return end();
}

EXPORT("set_note") int terra_set_note(int handle)
{
    const char *value = input + strlen(input) + 1;
    return match_set_note(matches[handle], input, *value ? value : NULL);
}

EXPORT("write") int terra_write(int handle, int format, int count, int viewer)
{
    const struct match *m = matches[handle];
    const struct record_format *f = &match_game(m)->formats[format];
    int steps = count < 0 ? match_count(m) : count;
    begin();
    int length = match_write(m, f, steps, viewer, output, output_cap);
    if (length < 0)
        return -1;
    reserve((size_t)length);
    match_write(m, f, steps, viewer, output, output_cap);
    output_length = (size_t)length;
    return end();
}

EXPORT("remarks") int terra_remarks(int handle)
{
    begin();
    put(match_remarks(matches[handle]));
    return end();
}

/* ---- hints ---- */

EXPORT("estimate") int terra_estimate(int handle, int at)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    begin();
    if (!g->estimate) {
        put("null");
        return end();
    }
    struct state *s = state_at(m, at);
    int milli[GAME_SEATS] = {0};
    g->estimate(match_world(m), s, NULL, milli);
    put("[");
    for (int seat = 0; seat < match_setup(m)->seats; seat++) {
        put_next();
        put_int(milli[seat]);
    }
    put("]");
    free(s);
    return end();
}

/* Puts the `most` best of the ranked actions, best first. */
static void put_best(const struct match *m, const struct state *s, int seat,
                     const action *legal, int *milli, int count, int most)
{
    for (; most > 0; most--) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (milli[i] != INT_MIN && (best < 0 || milli[i] > milli[best]))
                best = i;
        if (best < 0)
            return;
        put_next();
        put("{");
        put_key("text");
        put_action(m, s, seat, legal[best], seat);
        put_number("milli", milli[best]);
        put("}");
        milli[best] = INT_MIN;
    }
}

EXPORT("rank") int terra_rank(int handle, int at, int seat, int most)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    begin();
    if (!g->rank) {
        put("null");
        return end();
    }
    struct state *s = state_at(m, at);
    view_as(m, s, seat);
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    int *milli = need(malloc(GAME_ACTIONS * sizeof *milli));
    int count = g->legal(match_world(m), s, seat, legal);
    g->rank(match_world(m), s, NULL, seat, legal, count, milli);
    put("[");
    put_best(m, s, seat, legal, milli, count, most);
    put("]");
    free(milli);
    free(legal);
    free(s);
    return end();
}

/* ---- searches ---- */

EXPORT("bots") int terra_bots(void)
{
    begin();
    put("[");
    for (const struct search_bot *b = search_bots; b->name; b++) {
        put_next();
        put("{");
        put_pair("name", b->name);
        put_pair("help", b->help);
        put("}");
    }
    put("]");
    return end();
}

static int free_thought(void)
{
    int number = 1;
    while (number < SEARCHES && thoughts[number].memory)
        number++;
    return number < SEARCHES ? number : 0;
}

EXPORT("search_open")
int terra_search_open(int handle, int at, int seat, unsigned salt)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    const struct search_bot *bot = search_find(input, strlen(input));
    int number = free_thought();
    if (!bot || !number)
        return 0;
    struct thought *t = &thoughts[number];
    size_t bytes = search_size(g, bot, 0);
    t->memory = need(malloc(bytes));
    t->state = state_at(m, at);
    t->match = m;
    t->seat = seat;
    view_as(m, t->state, seat);
    uint64_t seed = g->hash(match_world(m), t->state) ^ salt;
    t->search = search_open(t->memory, bytes, g, match_world(m), t->state, seat,
                            bot, 0, seed);
    if (!t->search) {
        terra_search_close(number);
        return 0;
    }
    return number;
}

EXPORT("search_run") int terra_search_run(int number, int nodes)
{
    return search_run(thoughts[number].search, nodes);
}

static void put_choice(const struct thought *t, const struct search_choice *c)
{
    put_next();
    put("{");
    put_key("text");
    put_action(t->match, t->state, t->seat, c->action, t->seat);
    put_number("value", c->value);
    put_number("visits", c->visits);
    put("}");
}

EXPORT("search_result") int terra_search_result(int number, int most)
{
    const struct thought *t = &thoughts[number];
    struct search_choice top[TOP];
    int milli[GAME_SEATS];
    begin();
    put("{");
    put_key("best");
    put_action(t->match, t->state, t->seat, search_best(t->search), t->seat);
    put_number("nodes", search_nodes(t->search));
    put_key("top");
    put("[");
    int count = search_top(t->search, top, most < TOP ? most : TOP);
    for (int i = 0; i < count; i++)
        put_choice(t, &top[i]);
    put("]");
    put_key("values");
    if (!search_values(t->search, milli)) {
        put("null}");
        return end();
    }
    put("[");
    for (int seat = 0; seat < match_setup(t->match)->seats; seat++) {
        put_next();
        put_int(milli[seat]);
    }
    put("]}");
    return end();
}

EXPORT("search_close") void terra_search_close(int number)
{
    struct thought *t = &thoughts[number];
    free(t->memory);
    free(t->state);
    memset(t, 0, sizeof *t);
}

EXPORT("aside") int terra_aside(int handle, unsigned bots)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    unsigned must, may;
    int speaks = SEAT_NONE;
    action a = 0;
    begin();
    g->turn(match_world(m), match_state(m), &must, &may);
    struct state *spare = need(malloc(g->state_size));
    for (int seat = 0; must && speaks < 0 && seat < GAME_SEATS; seat++) {
        if (!(may & bots & 1u << seat))
            continue;
        struct state *view = state_at(m, -1);
        view_as(m, view, seat);
        if (search_aside(g, match_world(m), view, spare, seat, &a))
            speaks = seat;
        free(view);
    }
    free(spare);
    put("{");
    put_number("seat", speaks);
    if (speaks >= 0) {
        put_key("text");
        put_action(m, match_state(m), speaks, a, speaks);
    }
    put("}");
    return end();
}

/* ---- playing ---- */

EXPORT("type") int terra_type(int handle, int seat)
{
    struct match *m = matches[handle];
    struct fault f = {0};
    if (!match_type(m, seat, input, &f))
        return refuse(match_game(m), &f);
    begin();
    return 1;
}

EXPORT("try") int terra_try(int handle, int seat)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    struct fault f = {0};
    unsigned must, may;
    action a;
    size_t used = 0;
    g->turn(match_world(m), match_state(m), &must, &may);
    if (!(must | may))
        fault_set(&f, FAULT_OVER, 0, 1, "");
    else if (seat < 0 || !((must | may) >> seat & 1))
        fault_set(&f, FAULT_TURN, 0, 1, "");
    else if (g->read_action(match_world(m), match_state(m), seat, input, &a,
                            &used, &f)) {
        begin();
        return 1;
    }
    return refuse(g, &f);
}

EXPORT("random") int terra_random(int handle, int seat, unsigned salt)
{
    const struct match *m = matches[handle];
    const struct game *g = match_game(m);
    struct state *s = state_at(m, -1);
    view_as(m, s, seat);
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    int count = g->legal(match_world(m), s, seat, legal);
    begin();
    if (count > 0) {
        struct rng r;
        rng_seed(&r, g->hash(match_world(m), s) ^ salt);
        put_action(m, s, seat, legal[rng_below(&r, count)], seat);
    }
    free(legal);
    free(s);
    return end();
}

EXPORT("undo") int terra_undo(int handle, int force)
{
    return match_undo(matches[handle], force != 0);
}

EXPORT("redo") int terra_redo(int handle)
{
    return match_redo(matches[handle]);
}

EXPORT("stop") void terra_stop(int handle, int reason, int seat)
{
    match_stop(matches[handle], reason, seat);
}
