/* game/match.c: a match is its setup and its log.
 *
 * Undo and jumps replay from the first state: a whole match takes some
 * microseconds, so nothing is cached that could go stale. */
#include "game/match.h"

#include "base/check.h"
#include "base/text.h"
#include "game/setup.h"

#include <stdlib.h>
#include <string.h>

struct match {
    const struct game *game;
    struct setup setup;                  /* setup.given is `given` or NULL */
    char *given;                         /* owned */
    char *notes;                         /* owned, never NULL */
    char *remarks;                       /* owned, never NULL */
    struct world *world;                 /* owned */
    struct state *first, *now, *scratch; /* owned */
    struct state *dream;                 /* owned: where a dream begins */
    int awake;                           /* steps before it, or NO_DREAM */
    struct step *steps;                  /* owned */
    uint32_t *fences;                    /* owned: fence after each step */
    int *lines;                          /* owned */
    int count, total, cap;
};

enum { NO_DREAM = -1 };

/* ---- memory ---- */

void match_close(struct match *m)
{
    if (!m)
        return;
    free(m->given);
    free(m->notes);
    free(m->remarks);
    free(m->world);
    free(m->first);
    free(m->now);
    free(m->scratch);
    free(m->dream);
    free(m->steps);
    free(m->fences);
    free(m->lines);
    free(m);
}

/* A match without memory is no match: nothing sensible can follow. */
static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(need(malloc(size)), text, size);
}

static struct match *match_new(const struct game *game)
{
    struct match *m = need(calloc(1, sizeof *m));
    m->game = game;
    m->world = need(calloc(1, game->world_size));
    m->first = need(calloc(1, game->state_size));
    m->now = need(calloc(1, game->state_size));
    m->scratch = need(calloc(1, game->state_size));
    m->dream = need(calloc(1, game->state_size));
    m->awake = NO_DREAM;
    m->notes = copy_text("");
    m->remarks = copy_text("");
    return m;
}

static void grow(struct match *m, int wanted)
{
    if (wanted <= m->cap)
        return;
    m->cap = wanted > 2 * m->cap ? wanted : 2 * m->cap;
    size_t cap = (size_t)m->cap;
    m->steps = need(realloc(m->steps, cap * sizeof *m->steps));
    m->fences = need(realloc(m->fences, cap * sizeof *m->fences));
    m->lines = need(realloc(m->lines, cap * sizeof *m->lines));
}

/* ---- the log ---- */

static void step_apply(const struct match *m, struct state *s,
                       const struct step *step)
{
    switch ((enum step_kind)step->kind) {
    case STEP_ACTION:
        m->game->apply(m->world, s, step->seat, step->action);
        break;
    case STEP_DROP:
        m->game->drop(m->world, s, step->seat);
        break;
    case STEP_STOP:
        m->game->stop(m->world, s, step->reason, step->seat);
        break;
    case STEP_TAKEOVER:
        break;
    }
}

static void push(struct match *m, struct step step)
{
    grow(m, m->count + 1);
    step_apply(m, m->now, &step);
    m->steps[m->count] = step;
    m->lines[m->count] = 0;
    m->fences[m->count] = m->game->fence(m->world, m->now);
    m->total = ++m->count;
}

struct match *match_open(const struct game *game, const struct setup *setup,
                         struct fault *f)
{
    struct match *m = match_new(game);
    m->setup = *setup;
    if (setup->given) {
        m->given = copy_text(setup->given);
        m->setup.given = m->given;
    }
    if (!game->prepare(m->world, &m->setup, f)) {
        match_close(m);
        return NULL;
    }
    game->start(m->world, &m->setup, m->first);
    memcpy(m->now, m->first, game->state_size);
    return m;
}

/* Every step takes at least one byte of any format, and what a record gives
 * or notes is no longer than the text, but for the tabs before its lines. */
static struct record record_for(struct match *m, size_t length,
                                const struct setup *silent)
{
    const char *given = silent && silent->given ? silent->given : "";
    size_t cap = 2 * length + strlen(given) + 65536;
    int steps = (int)(length + 64);
    grow(m, steps);
    struct record r = {
        .given = need(calloc(1, cap)),
        .given_cap = cap,
        .notes = need(calloc(1, cap)),
        .notes_cap = cap,
        .remarks = need(calloc(1, cap)),
        .remarks_cap = cap,
        .steps = m->steps,
        .cap = steps,
        .lines = m->lines,
        .world = m->world,
        .state = m->now,
    };
    if (silent)
        r.setup = *silent;
    else
        setup_init(m->game, &r.setup);
    span_copy(span_of(given), r.given, cap);
    r.setup.given = *given ? r.given : NULL;
    return r;
}

/* Text that no reader should see. */
static bool check_text(const struct game *game, const char *text, size_t length,
                       struct fault *f)
{
    size_t bad;
    if (length > 64u << 20)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    if (game->names_not_utf8 || span_utf8((struct span){text, length}, &bad))
        return true;
    int line = 1;
    for (size_t i = 0; i < bad; i++)
        line += text[i] == '\n';
    return fault_set(f, FAULT_ENCODING, line, 0, "");
}

/* What the reader wrote becomes the match's, whether it is used or not. */
static void take_record(struct match *m, const struct record *r)
{
    m->setup = r->setup;
    m->given = r->given;
    m->setup.given = r->setup.given ? m->given : NULL;
    free(m->notes);
    m->notes = r->notes;
    free(m->remarks);
    m->remarks = r->remarks;
}

static void replay(struct match *m, int count)
{
    m->game->start(m->world, &m->setup, m->first);
    memcpy(m->now, m->first, m->game->state_size);
    for (int i = 0; i < count; i++) {
        int line = m->lines[i];
        push(m, m->steps[i]);
        m->lines[i] = line;
    }
}

struct match *match_read_all(const struct game *game,
                             const struct record_format *format,
                             const char *text, size_t length,
                             const struct setup *silent, char *remarks,
                             size_t cap, struct fault *f)
{
    if (!format->read) {
        fault_set(f, FAULT_FORMAT, 0, 0, format->name);
        return NULL;
    }
    if (!check_text(game, text, length, f))
        return NULL;
    struct match *m = match_new(game);
    struct record r = record_for(m, length, silent);
    r.all = cap > 0;
    bool good = format->read(text, length, &r, f);
    take_record(m, &r);
    if (cap > 0)
        span_copy(span_of(m->remarks), remarks, cap);
    if (!good) {
        match_close(m);
        return NULL;
    }
    replay(m, r.count);
    return m;
}

struct match *match_read(const struct game *game,
                         const struct record_format *format, const char *text,
                         size_t length, const struct setup *silent,
                         struct fault *f)
{
    return match_read_all(game, format, text, length, silent, NULL, 0, f);
}

const struct game *match_game(const struct match *m)
{
    return m->game;
}

const struct setup *match_setup(const struct match *m)
{
    return &m->setup;
}

const struct world *match_world(const struct match *m)
{
    return m->world;
}

const struct state *match_state(const struct match *m)
{
    return m->now;
}

const struct state *match_first(const struct match *m)
{
    return m->first;
}

int match_count(const struct match *m)
{
    return m->count;
}

int match_total(const struct match *m)
{
    return m->total;
}

const struct step *match_step(const struct match *m, int index)
{
    return &m->steps[index];
}

int match_line(const struct match *m, int index)
{
    return m->lines[index];
}

const char *match_remarks(const struct match *m)
{
    return m->remarks;
}

/* ---- playing ---- */

static int first_seat(const struct match *m, const struct state *s)
{
    unsigned must, may;
    m->game->turn(m->world, s, &must, &may);
    unsigned seats = must ? must : may;
    return seats ? __builtin_ctz(seats) : SEAT_NONE;
}

int match_seat(const struct match *m)
{
    return first_seat(m, m->now);
}

bool match_over(const struct match *m)
{
    return match_seat(m) == SEAT_NONE;
}

void match_play(struct match *m, int seat, action a)
{
    push(m, (struct step){STEP_ACTION, (int8_t)seat, 0, a});
}

void match_drop(struct match *m, int seat)
{
    push(m, (struct step){STEP_DROP, (int8_t)seat, 0, 0});
}

void match_stop(struct match *m, int reason, int seat)
{
    push(m, (struct step){STEP_STOP, (int8_t)seat, (uint8_t)reason, 0});
}

void match_takeover(struct match *m, int seat)
{
    push(m, (struct step){STEP_TAKEOVER, (int8_t)seat, 0, 0});
}

static bool separator(char c)
{
    return c == ' ' || c == ',' || c == ';' || c == '\t' || c == '\r' ||
           c == '\n';
}

/* May the seat act in this state, and is it among those that may type?  If
 * not, *f says why. */
static bool may_act(const struct match *m, const struct state *s,
                    unsigned seats, int seat, struct fault *f)
{
    unsigned must, may;
    m->game->turn(m->world, s, &must, &may);
    if (!(must | may))
        return fault_set(f, FAULT_OVER, 0, 1, "");
    if (seat < 0 || seat >= GAME_SEATS || !((must | may) & seats & 1u << seat))
        return fault_set(f, FAULT_TURN, 0, 1, "");
    return true;
}

static bool is_legal(const struct match *m, const struct state *s, int seat,
                     action a)
{
    action *legal = need(malloc(GAME_ACTIONS * sizeof *legal));
    int count = m->game->legal(m->world, s, seat, legal);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = legal[i] == a;
    free(legal);
    return found;
}

/* A view believes what it is told, and no legal action tells anything. */
static bool read_one(const struct match *m, const struct state *s, int seat,
                     const char *text, action *a, size_t *used, struct fault *f)
{
    if (!m->game->read_action(m->world, s, seat, text, a, used, f))
        return false;
    if (m->awake == NO_DREAM || !m->game->observe || is_legal(m, s, seat, *a))
        return true;
    return fault_span(f, FAULT_HIDDEN, 0, 1, text, *used);
}

/* Reads one action and applies it to s; columns count from `text` on. */
static bool type_one(const struct match *m, struct state *s, int seat,
                     const char *text, struct step *step, size_t *used,
                     struct fault *f)
{
    *step = (struct step){STEP_ACTION, (int8_t)seat, 0, 0};
    if (!read_one(m, s, seat, text, &step->action, used, f)) {
        f->column += f->column == 0;
        return false;
    }
    m->game->apply(m->world, s, seat, step->action);
    return true;
}

/* A seat goes on while it must; then whoever is first. */
static int next_seat(const struct match *m, const struct state *s, int seat)
{
    unsigned must, may;
    m->game->turn(m->world, s, &must, &may);
    return must >> seat & 1 ? seat : first_seat(m, s);
}

bool match_type_as(struct match *m, unsigned seats, int seat, const char *line,
                   struct fault *f)
{
    struct state *s = m->scratch;
    struct step read[64];
    int count = 0;
    const char *at = line;
    memcpy(s, m->now, m->game->state_size);
    for (;;) {
        while (separator(*at))
            at++;
        if (!*at && count > 0)
            break;
        size_t used = 0;
        if (count == 64)
            return fault_set(f, FAULT_SIZE, 0, (int)(at - line) + 1, "");
        if (!may_act(m, s, seats, seat, f) ||
            !type_one(m, s, seat, at, &read[count], &used, f)) {
            f->column += (int)(at - line);
            return false;
        }
        seat = next_seat(m, s, seat);
        at += used;
        count++;
    }
    for (int i = 0; i < count; i++)
        push(m, read[i]);
    return true;
}

bool match_type(struct match *m, int seat, const char *line, struct fault *f)
{
    return match_type_as(m, ~0u, seat, line, f);
}

/* ---- undo, redo, jumps ---- */

void match_at(const struct match *m, int count, struct state *out)
{
    bool dreamt = m->awake != NO_DREAM && count >= m->awake;
    memcpy(out, dreamt ? m->dream : m->first, m->game->state_size);
    for (int i = dreamt ? m->awake : 0; i < count; i++)
        step_apply(m, out, &m->steps[i]);
}

void match_dream(struct match *m, int seat)
{
    check(m->awake == NO_DREAM);
    if (m->game->observe)
        m->game->observe(m->world, m->now, seat, m->dream);
    else
        memcpy(m->dream, m->now, m->game->state_size);
    memcpy(m->now, m->dream, m->game->state_size);
    m->awake = m->count;
}

void match_wake(struct match *m)
{
    check(m->awake != NO_DREAM);
    m->total = m->count = m->awake;
    m->awake = NO_DREAM;
    match_at(m, m->count, m->now);
}

static uint32_t fence_before(const struct match *m, int count)
{
    return count > 0 ? m->fences[count - 1]
                     : m->game->fence(m->world, m->first);
}

bool match_can_undo(const struct match *m)
{
    return m->count > 0 && m->steps[m->count - 1].kind == STEP_ACTION &&
           fence_before(m, m->count) == fence_before(m, m->count - 1);
}

bool match_undo(struct match *m, bool force)
{
    if (m->count == 0 || !(force || match_can_undo(m)))
        return false;
    m->count--;
    match_at(m, m->count, m->now);
    return true;
}

bool match_can_redo(const struct match *m)
{
    return m->count < m->total;
}

bool match_redo(struct match *m)
{
    if (!match_can_redo(m))
        return false;
    step_apply(m, m->now, &m->steps[m->count]);
    m->count++;
    return true;
}

int match_fence(const struct match *m)
{
    int count = m->count;
    while (count > 0 && m->steps[count - 1].kind == STEP_ACTION &&
           fence_before(m, count) == fence_before(m, count - 1))
        count--;
    return count;
}

/* ---- notes ---- */

static bool note_line(const struct match *m, const char *key, struct span *line,
                      struct span *value)
{
    struct lines l = lines_of(span_of(m->notes));
    while (lines_next(&l, line)) {
        *value = *line;
        if (span_is(span_cut(value, ':'), key)) {
            *value = span_trim(*value);
            return true;
        }
    }
    return false;
}

bool match_note(const struct match *m, const char *key, char *to, size_t cap)
{
    struct span line, value;
    if (!note_line(m, key, &line, &value))
        return false;
    span_copy(value, to, cap);
    return true;
}

bool match_set_note(struct match *m, const char *key, const char *value)
{
    if (strpbrk(key, ":\n\r") || (value && strpbrk(value, "\n\r")))
        return false;
    size_t cap =
        strlen(m->notes) + strlen(key) + (value ? strlen(value) : 0) + 8;
    struct text t = text_begin(need(malloc(cap)), cap);
    struct lines l = lines_of(span_of(m->notes));
    struct span line;
    bool placed = false;
    while (lines_next(&l, &line)) {
        struct span rest = line;
        bool same = span_is(span_cut(&rest, ':'), key);
        if (!same)
            text_bytes(&t, line.at, line.length);
        else if (!value)
            continue;
        else {
            text_put(&t, key);
            text_put(&t, ": ");
            text_put(&t, value);
            placed = true;
        }
        text_char(&t, '\n');
    }
    if (value && !placed) {
        text_put(&t, key);
        text_put(&t, ": ");
        text_put(&t, value);
        text_char(&t, '\n');
    }
    text_end(&t);
    free(m->notes);
    m->notes = t.to;
    return true;
}

/* ---- saving ---- */

const struct record_format *match_format(const struct game *game,
                                         const char *name)
{
    for (const struct record_format *i = game->formats; i->name; i++)
        if (!name || strcmp(i->name, name) == 0)
            return i;
    return NULL;
}

int match_write(const struct match *m, const struct record_format *format,
                int count, int viewer, char *to, size_t cap)
{
    if (!format->write)
        return -1;
    struct record r = {
        .setup = m->setup,
        .given = m->given,
        .notes = m->notes,
        .remarks = m->remarks,
        .steps = m->steps,
        .count = count,
        .cap = m->cap,
        .world = m->world,
        .state = m->scratch,
    };
    memcpy(m->scratch, m->first, m->game->state_size);
    return format->write(&r, viewer, to, cap);
}
