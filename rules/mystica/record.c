/* rules/mystica/record.c: whole matches and positions as files.
 *
 *     game: mystica
 *     seats: 2
 *     seed: 00000000000000a7
 *     note Player 1: Ann
 *
 *     1 setup auren
 *     2 setup giants
 *     1 burn 2. action ACT5. transform E7 to green. done
 *     2 drops
 *     stop agreed              or: stop resign 2
 *     1 taken over
 *     result 83 71             (optional, checked)
 *
 * The head is that of game/setup.h; a position file is a head alone. */
#include "rules/mystica/record.h"

#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/ledger.h"
#include "rules/mystica/map.h"
#include "rules/mystica/mystica.h"
#include "rules/mystica/position.h"
#include "rules/mystica/start.h"
#include "rules/mystica/text.h"

static bool recognise(const char *text, size_t length)
{
    static const char head[] = "game: mystica\n";
    return length >= sizeof head - 1 &&
           memcmp(text, head, sizeof head - 1) == 0;
}

/* ---- reading ---- */

struct reading {
    struct record *r;
    struct fault *f;
    struct span line;
    int number;
};

static bool read_seat(struct span word, const struct world *w, int8_t *seat)
{
    long number;
    if (!span_int(word, 1, w->seats, &number))
        return false;
    *seat = (int8_t)(number - 1);
    return true;
}

static bool refuse(const struct reading *x, int code)
{
    return fault_span(x->f, code, x->number, 1, x->line.at, x->line.length);
}

static void play_event(const struct record *r, const struct step *step)
{
    if (step->kind == STEP_ACTION)
        mystica_apply(r->world, r->state, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        mystica_drop(r->world, r->state, step->seat);
    else if (step->kind == STEP_STOP)
        mystica_stop(r->world, r->state, step->reason, step->seat);
}

static bool add_step(const struct reading *x, struct step step)
{
    struct record *r = x->r;
    if (r->count == r->cap)
        return fault_set(x->f, FAULT_SIZE, x->number, 1, "");
    if (r->lines)
        r->lines[r->count] = x->number;
    r->steps[r->count++] = step;
    play_event(r, &step);
    return true;
}

static bool read_stop(const struct reading *x, struct span line)
{
    struct span word = span_word(&line);
    struct step step = {.kind = STEP_STOP, .seat = SEAT_NONE};
    for (int i = ENDING_RESIGN; i < ENDING_GAME; i++)
        if (span_is(word, mystica_endings[i]))
            step.reason = (uint8_t)i;
    word = span_word(&line);
    if (!step.reason || span_trim(line).length ||
        x->r->state->phase == PHASE_OVER ||
        (word.length && !read_seat(word, x->r->world, &step.seat)))
        return refuse(x, RECORD_LINE);
    return add_step(x, step);
}

static bool read_result(const struct reading *x, struct span line)
{
    struct result end;
    long points;
    mystica_result(x->r->world, x->r->state, &end);
    if (!end.reason)
        return refuse(x, RECORD_RESULT);
    for (int seat = 0; seat < x->r->world->seats; seat++)
        if (!span_int(span_word(&line), -999, 9999, &points) ||
            points != end.points[seat])
            return refuse(x, RECORD_RESULT);
    return span_trim(line).length == 0 || refuse(x, RECORD_RESULT);
}

/* "burn 2. action ACT5": every command of the line, by the same seat. */
static bool read_commands(const struct reading *x, int8_t seat,
                          struct span rest)
{
    const struct record *r = x->r;
    while ((rest = span_trim(rest)).length) {
        char text[160];
        size_t used = 0, length = 0;
        action a;
        while (length < rest.length && rest.at[length] != '.')
            length++;
        span_copy((struct span){rest.at, length}, text, sizeof text);
        if (!mystica_read_action(r->world, r->state, seat, text, &a, &used,
                                 x->f)) {
            x->f->line = x->number;
            x->f->column = (int)(rest.at - x->line.at) + 1;
            return false;
        }
        if (!add_step(x, (struct step){STEP_ACTION, seat, 0, a}))
            return false;
        if (used == 0)
            continue;
        struct span left = {text + used, strlen(text) - used};
        if (span_trim(left).length || length >= sizeof text)
            return refuse(x, RECORD_LINE);
        rest.at += length;
        rest.length -= length;
        if (rest.length) {
            rest.at++;
            rest.length--;
        }
    }
    return true;
}

static bool read_line(const struct reading *x)
{
    struct span rest = x->line, word = span_word(&rest);
    int8_t seat;
    if (span_is(word, "result"))
        return read_result(x, rest);
    if (span_is(word, "stop"))
        return read_stop(x, rest);
    if (!read_seat(word, x->r->world, &seat))
        return refuse(x, RECORD_LINE);
    rest = span_trim(rest);
    if (rest.length == 0)
        return refuse(x, RECORD_LINE);
    if (span_is(rest, "taken over"))
        return add_step(x, (struct step){STEP_TAKEOVER, seat, 0, 0});
    if (!span_is(rest, "drops"))
        return read_commands(x, seat, rest);
    if (x->r->state->phase == PHASE_OVER || x->r->state->seat[seat].dropped)
        return refuse(x, RECORD_LINE);
    return add_step(x, (struct step){STEP_DROP, seat, 0, 0});
}

static bool read(const char *text, size_t length, struct record *r,
                 struct fault *f)
{
    if (!recognise(text, length))
        return fault_set(f, FAULT_FORMAT, 1, 1, "");
    struct lines l = lines_of((struct span){text, length});
    if (!setup_read_record(&mystica_game, &l, r, f))
        return false;
    mystica_start(r->world, &r->setup, r->state);
    r->count = 0;
    struct reading x = {.r = r, .f = f};
    while (lines_next(&l, &x.line)) {
        x.number = l.number;
        if (span_trim(x.line).length > 0 && !read_line(&x))
            return false;
    }
    return true;
}

static bool read_position(const char *text, size_t length, struct record *r,
                          struct fault *f)
{
    if (!read(text, length, r, f))
        return false;
    return r->count == 0 ||
           fault_set(f, FAULT_FORMAT, r->lines ? r->lines[0] : 0, 1, "");
}

static bool recognise_position(const char *text, size_t length)
{
    if (!recognise(text, length))
        return false;
    for (size_t i = 0; i + 2 < length; i++)
        if (text[i] == '\n' && text[i + 1] == '\n')
            return false;
    return true;
}

/* ---- writing ---- */

static void write_event(struct text *t, const struct step *step)
{
    if (step->kind == STEP_STOP) {
        text_put(t, "stop ");
        text_put(t, mystica_endings[step->reason]);
        if (step->seat == SEAT_NONE)
            return;
        text_char(t, ' ');
        text_int(t, step->seat + 1);
        return;
    }
    text_int(t, step->seat + 1);
    text_put(t, step->kind == STEP_DROP ? " drops" : " taken over");
}

/* Actions of one seat go on one line until its turn ends. */
static void write_steps(struct text *t, const struct record *r)
{
    bool open = false;
    for (int i = 0; i < r->count; i++) {
        const struct step *step = &r->steps[i], *last = step - 1;
        char text[160];
        bool goes_on = open && step->kind == STEP_ACTION &&
                       last->seat == step->seat &&
                       act_kind(last->action) != DO_DONE;
        if (open && !goes_on)
            text_char(t, '\n');
        open = step->kind == STEP_ACTION;
        if (open) {
            mystica_write_action(r->world, r->state, step->seat, step->action,
                                 step->seat, text, sizeof text);
            if (!goes_on)
                text_int(t, step->seat + 1);
            text_put(t, goes_on ? ". " : " ");
            text_put(t, text);
        } else {
            write_event(t, step);
            text_char(t, '\n');
        }
        play_event(r, step);
    }
    if (open)
        text_char(t, '\n');
}

static void write_head(struct text *t, const struct record *r,
                       const struct setup *setup)
{
    size_t room = t->length < t->cap ? t->cap - t->length : 0;
    t->length += (size_t)setup_write(&mystica_game, setup,
                                     room ? t->to + t->length : NULL, room);
    struct lines l = lines_of(span_of(r->notes));
    struct span line;
    while (lines_next(&l, &line)) {
        text_put(t, "note ");
        text_bytes(t, line.at, line.length);
        text_char(t, '\n');
    }
}

static void write_result(struct text *t, const struct record *r)
{
    struct result end;
    mystica_result(r->world, r->state, &end);
    if (!end.reason)
        return;
    text_put(t, "result");
    for (int seat = 0; seat < r->world->seats; seat++) {
        text_char(t, ' ');
        text_int(t, end.points[seat]);
    }
    text_char(t, '\n');
}

static int write(const struct record *r, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    (void)viewer;
    write_head(&t, r, &r->setup);
    text_char(&t, '\n');
    write_steps(&t, r);
    write_result(&t, r);
    return text_end(&t);
}

/* The map of the match stays; all else is in the position. */
static void given_position(const struct record *r, struct text *t)
{
    char text[16384], rows[256];
    struct given g;
    if (given_find(r->setup.given, "map", &g)) {
        given_unfold(g.value, rows, sizeof rows);
        given_add(t, "map", span_of(rows));
    }
    mystica_write_state(r->world, r->state, text, sizeof text);
    given_add(t, "start", span_of(text));
    text_end(t);
}

static int write_position(const struct record *r, int viewer, char *to,
                          size_t cap)
{
    struct text t = text_begin(to, cap);
    struct setup setup = r->setup;
    char given[17408];
    struct text g = text_begin(given, sizeof given);
    (void)viewer;
    for (int i = 0; i < r->count; i++)
        play_event(r, &r->steps[i]);
    given_position(r, &g);
    setup.given = given;
    setup.seed = 0;
    write_head(&t, r, &setup);
    return text_end(&t);
}

/* ---- maps ---- */

/* Nothing but terrain letters in the first line that is not empty. */
static bool recognise_map(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line = {0};
    while (lines_next(&l, &line) && !span_trim(line).length) {
    }
    size_t letters = 0;
    for (size_t i = 0; i < line.length; i++)
        if (line.at[i] && strchr("YUKBGSRI.", line.at[i]))
            letters++;
        else if (line.at[i] != ' ' && line.at[i] != '\t')
            return false;
    return letters >= 10;
}

/* A match on that map, not yet begun. */
static bool read_map(const char *text, size_t length, struct record *r,
                     struct fault *f)
{
    struct text given = text_begin(r->given, r->given_cap);
    struct text rows = {0};
    char lines[256];
    memset(r->world, 0, sizeof *r->world);
    if (!map_read(r->world, (struct span){text, length}, 0, f))
        return false;
    rows = text_begin(lines, sizeof lines);
    map_write(r->world, &rows);
    text_end(&rows);
    given_add(&given, "map", span_of(lines));
    text_end(&given);
    r->setup.given = r->given;
    r->setup.option[OPT_MAP] = OPTION_UNSET;
    r->count = 0;
    if (!mystica_prepare(r->world, &r->setup, f))
        return false;
    mystica_start(r->world, &r->setup, r->state);
    return true;
}

static int write_map(const struct record *r, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    (void)viewer;
    map_write(r->world, &t);
    return text_end(&t);
}

const struct record_format mystica_formats[] = {
    {"mystica", ".mystica", "a whole match", recognise, read, write},
    {"position", ".position", "one position", recognise_position, read_position,
     write_position},
    {"ledger", ".tsv", "a ledger of the public server", ledger_recognise,
     ledger_read, NULL},
    {"commands", ".txt", "a command file of the public server",
     commands_recognise, ledger_read, commands_write},
    {"map", ".map", "a map of one's own", recognise_map, read_map, write_map},
    {0},
};
