/* rules/blank/record.c: whole matches and positions as files.
 *
 *     game: blank
 *     seats: 2
 *     seed: 00000000000000a7
 *     note Player 1: Ann
 *
 *     1 stay
 *     2 fold
 *     2 drops
 *     stop agreed              or: stop resign 2
 *     1 taken over
 *     result abandoned 1 0     (optional, checked)
 *
 * The head is that of game/setup.h; a position file is a head alone.  One
 * seat's record begins from the first position as that seat knows it by now,
 * and marks the choices it has not seen with a question mark. */
#include "rules/blank/state.h"

#include "game/setup.h"

#include <string.h>

static bool recognise(const char *text, size_t length)
{
    static const char head[] = "game: blank\n";
    return length >= sizeof head - 1 &&
           memcmp(text, head, sizeof head - 1) == 0;
}

/* ---- reading ---- */

static bool read_seat(struct span word, const struct world *w, int8_t *seat)
{
    long number;
    if (!span_int(word, 1, w->seats, &number))
        return false;
    *seat = (int8_t)(number - 1);
    return true;
}

static bool read_stop(struct span line, const struct record *r,
                      struct step *step)
{
    struct span word = span_word(&line);
    step->kind = STEP_STOP;
    step->seat = SEAT_NONE;
    for (int i = ENDING_RESIGN; i < ENDING_GAME; i++)
        if (span_is(word, blank_endings[i]))
            step->reason = (uint8_t)i;
    word = span_word(&line);
    return step->reason && span_trim(line).length == 0 &&
           (word.length == 0 || (read_seat(word, r->world, &step->seat) &&
                                 !r->state->left[step->seat]));
}

/* blank §7: reason and points must be those that the match led to. */
static bool read_result(struct span line, const struct record *r)
{
    struct result end;
    long points;
    blank_result(r->world, r->state, &end);
    if (!span_is(span_word(&line), blank_endings[end.reason]))
        return false;
    for (int seat = 0; seat < r->world->seats; seat++)
        if (!span_int(span_word(&line), -99, 99, &points) ||
            points != end.points[seat])
            return false;
    return span_trim(line).length == 0;
}

static bool read_action(struct span line, int number, int column,
                        const struct record *r, struct step *step,
                        struct fault *f)
{
    char text[32];
    size_t used;
    span_copy(line, text, sizeof text);
    if (!blank_read_action(r->world, r->state, step->seat, text, &step->action,
                           &used, f)) {
        f->line = number;
        f->column += column - 1;
        return false;
    }
    if (used != line.length)
        return fault_span(f, BLANK_LOG, number, column, line.at, line.length);
    return true;
}

static bool read_step(struct span line, int number, const struct record *r,
                      struct step *step, struct fault *f)
{
    struct span rest = line, word = span_word(&rest);
    bool over = r->state->reason != 0;
    *step = (struct step){0};
    if (span_is(word, "stop") && !over && read_stop(rest, r, step))
        return true;
    if (!read_seat(word, r->world, &step->seat))
        return fault_span(f, BLANK_LOG, number, 1, line.at, line.length);
    rest = span_trim(rest);
    if (span_is(rest, "drops") && !over && !r->state->left[step->seat])
        step->kind = STEP_DROP;
    else if (span_is(rest, "taken over"))
        step->kind = STEP_TAKEOVER;
    else
        return read_action(rest, number, (int)(rest.at - line.at) + 1, r, step,
                           f);
    return true;
}

static void play(const struct record *r, const struct step *step)
{
    if (step->kind == STEP_ACTION)
        blank_apply(r->world, r->state, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        blank_drop(r->world, r->state, step->seat);
    else if (step->kind == STEP_STOP)
        blank_stop(r->world, r->state, step->reason, step->seat);
}

static bool read_line(struct span line, int number, struct record *r,
                      struct fault *f)
{
    struct span rest = line;
    if (span_is(span_word(&rest), "result"))
        return read_result(rest, r) ||
               fault_span(f, BLANK_RESULT, number, 1, line.at, line.length);
    if (r->count == r->cap)
        return fault_set(f, FAULT_SIZE, number, 1, "");
    if (!read_step(line, number, r, &r->steps[r->count], f))
        return false;
    if (r->lines)
        r->lines[r->count] = number;
    play(r, &r->steps[r->count++]);
    return true;
}

static bool read(const char *text, size_t length, struct record *r,
                 struct fault *f)
{
    if (!recognise(text, length))
        return fault_set(f, FAULT_FORMAT, 1, 1, "");
    struct lines l = lines_of((struct span){text, length});
    if (!setup_read_record(&blank_game, &l, r, f))
        return false;
    blank_start(r->world, &r->setup, r->state);
    r->count = 0;
    struct span line;
    while (lines_next(&l, &line))
        if (span_trim(line).length > 0 && !read_line(line, l.number, r, f))
            return false;
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

/* The first state with every card that `viewer` knows now, and no other. */
static void known(const struct record *r, int viewer, struct state *first)
{
    const struct world *w = r->world;
    struct state *s = r->state, start = *s;
    blank_observe(w, s, viewer, first);
    for (int i = 0; i < r->count; i++) {
        struct state before = *s;
        play(r, &r->steps[i]);
        bool shown = s->round > before.round || s->reason == ENDING_ROUNDS;
        for (int seat = 0; seat < w->seats; seat++) {
            bool stays =
                before.choice[seat] == STAYS ||
                (r->steps[i].seat == seat && r->steps[i].kind == STEP_ACTION &&
                 r->steps[i].action == STAY);
            if (before.hand[seat] == CARD_BLANK ||
                (seat != viewer && !(shown && stays)))
                continue;
            if (before.round == start.round)
                first->hand[seat] = before.hand[seat];
            else
                first->deck[(before.round - 1) * SEATS + seat] =
                    before.hand[seat];
        }
    }
    if (viewer != SEAT_NONE && s->round > start.round)
        first->deck[(s->round - 1) * SEATS + viewer] = s->hand[viewer];
    *s = start;
}

/* Has everybody seen how the choice of step `index` went?  They have once its
 * round is over. */
static bool shown(const struct record *r, int index)
{
    struct state before = *r->state;
    for (int i = index; i < r->count; i++)
        play(r, &r->steps[i]);
    bool over =
        r->state->round > before.round || r->state->reason == ENDING_ROUNDS;
    *r->state = before;
    return over;
}

static void write_step(struct text *t, const struct record *r, int index,
                       int viewer)
{
    const struct step *step = &r->steps[index];
    if (step->kind == STEP_STOP) {
        text_put(t, "stop ");
        text_put(t, blank_endings[step->reason]);
        if (step->seat != SEAT_NONE) {
            text_char(t, ' ');
            text_int(t, step->seat + 1);
        }
        text_char(t, '\n');
        return;
    }
    char word[32] = "drops";
    if (step->kind == STEP_TAKEOVER)
        strcpy(word, "taken over");
    else if (step->kind == STEP_ACTION)
        blank_write_action(r->world, r->state, step->seat, step->action,
                           shown(r, index) ? RECORD_FULL : viewer, word,
                           sizeof word);
    text_int(t, step->seat + 1);
    text_char(t, ' ');
    text_put(t, word);
    text_char(t, '\n');
}

static void write_head(struct text *t, const struct record *r,
                       const struct setup *setup)
{
    char head[1024];
    setup_write(&blank_game, setup, head, sizeof head);
    text_put(t, head);
    struct lines l = lines_of(span_of(r->notes));
    struct span line;
    while (lines_next(&l, &line)) {
        text_put(t, "note ");
        text_bytes(t, line.at, line.length);
        text_char(t, '\n');
    }
}

static void given_position(const struct world *w, const struct state *s,
                           char *to, size_t cap)
{
    char line[512];
    blank_write_state(w, s, line, sizeof line);
    struct text t = text_begin(to, cap);
    given_add(&t, "start", span_of(line));
    text_end(&t);
}

static void write_result(struct text *t, const struct record *r)
{
    struct result end;
    blank_result(r->world, r->state, &end);
    if (!end.reason)
        return;
    text_put(t, "result ");
    text_put(t, blank_endings[end.reason]);
    for (int seat = 0; seat < r->world->seats; seat++) {
        text_char(t, ' ');
        text_int(t, end.points[seat]);
    }
    text_char(t, '\n');
}

static int write(const struct record *r, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct setup setup = r->setup;
    char given[640];
    if (viewer != RECORD_FULL) {
        struct state first;
        known(r, viewer, &first);
        given_position(r->world, &first, given, sizeof given);
        setup.given = given;
        setup.seed = 0;
    }
    write_head(&t, r, &setup);
    text_char(&t, '\n');
    for (int i = 0; i < r->count; i++) {
        write_step(&t, r, i, viewer);
        play(r, &r->steps[i]);
    }
    write_result(&t, r);
    return text_end(&t);
}

static int write_position(const struct record *r, int viewer, char *to,
                          size_t cap)
{
    struct text t = text_begin(to, cap);
    struct setup setup = r->setup;
    char given[640];
    for (int i = 0; i < r->count; i++)
        play(r, &r->steps[i]);
    if (viewer != RECORD_FULL)
        blank_observe(r->world, r->state, viewer, r->state);
    given_position(r->world, r->state, given, sizeof given);
    setup.given = given;
    setup.seed = 0;
    write_head(&t, r, &setup);
    return text_end(&t);
}

const struct record_format blank_formats[] = {
    {"blank", ".blank", "a whole match", recognise, read, write},
    {"position", ".position", "one position", recognise_position, read_position,
     write_position},
    {0},
};
