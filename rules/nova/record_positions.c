/* rules/nova/record_positions.c: files of positions, one on each line, with the
 * name of the board in front (nova §11.3). */
#include "rules/nova/record.h"

#include "game/setup.h"
#include "rules/nova/faults.h"

/* The next line that holds more than a comment; `begin` is where it begins,
 * blanks included. */
static bool next_position(struct lines *l, struct span *line,
                          const char **begin)
{
    while (lines_next(l, line)) {
        *begin = line->at;
        *line = nova_uncommented(*line);
        if (line->length > 0)
            return true;
    }
    return false;
}

/* Its first or second word has the rows, however many words follow. */
static bool has_rows(struct span line)
{
    bool rows = false;
    for (int i = 0; i < 2; i++) {
        struct span word = span_word(&line);
        rows = rows || (word.length > 3 && *word.at != '[' &&
                        memchr(word.at, '/', word.length));
    }
    return rows;
}

bool nova_is_positions(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    const char *begin;
    bool rows = false;
    while (next_position(&l, &line, &begin)) {
        rows = has_rows(line);
        if (!rows)
            return false;
    }
    return rows;
}

/* ---- reading ---- */

static bool board_named(struct span name, struct setup *setup)
{
    struct fault ignored;
    return setup_option(&nova_game, setup, span_of("board"), name, &ignored);
}

/* The letters of the seats field, back in lower case. */
static void add_seats(struct span position, struct setup *setup,
                      struct text *given)
{
    char seats[NOVA_SEATS + 1] = "";
    span_word(&position);
    struct span field = span_word(&position);
    if (field.length < 2 || field.length > NOVA_SEATS)
        return;
    for (size_t i = 0; i < field.length; i++) {
        char c = field.at[i];
        seats[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    setup->seats = (int)field.length;
    given_add(given, "seats", (struct span){seats, field.length});
}

/* The board a position names in front, which is cut off; without a name the
 * one the caller holds ready, if any. */
static bool use_board(struct record *r, const char *ready,
                      struct span *position, struct text *given,
                      struct fault *f)
{
    struct given held;
    struct span rest = *position, name = span_word(&rest);
    bool named = !memchr(name.at, '/', name.length);
    bool holds = named ? nova_callers_board(ready, name, &held)
                       : given_find(ready, "board", &held);
    if (named)
        *position = span_trim(rest);
    if (holds && !nova_add_held(&held, "board", given))
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    if (named && !holds && !board_named(name, &r->setup))
        return fault_span(f, NOVA_POSITION_BOARD, 0, 1, name.at, name.length);
    return true;
}

/* Faults count columns from the beginning of `line`. */
static bool read_one(struct record *r, const char *ready, struct span line,
                     struct fault *f)
{
    struct span position = line;
    struct text given = text_begin(r->given, r->given_cap);
    if (!use_board(r, ready, &position, &given, f))
        return false;
    add_seats(position, &r->setup, &given);
    given_add(&given, "start", position);
    if ((size_t)text_end(&given) >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    r->setup.given = r->given;
    if (!nova_prepare(r->world, &r->setup, f)) {
        f->column += f->column > 0 ? (int)(position.at - line.at) : 0;
        return false;
    }
    nova_start(r->world, &r->setup, r->state);
    return true;
}

/* What the caller asked for where the file is silent; reading a position
 * replaces it, so it is kept for the others. */
struct silent {
    struct setup setup;
    char given[32768];
};

static bool keep_silent(const struct record *r, struct silent *kept)
{
    kept->setup = r->setup;
    kept->given[0] = '\0';
    if (!r->setup.given)
        return true;
    span_copy(span_of(r->setup.given), kept->given, sizeof kept->given);
    return strlen(r->setup.given) < sizeof kept->given;
}

static bool read_next(struct record *r, const struct silent *kept,
                      struct lines *l, struct fault *f)
{
    struct span line;
    const char *begin;
    if (!next_position(l, &line, &begin))
        return fault_set(f, FAULT_TRUNCATED, 1, 0, "");
    r->setup = kept->setup;
    if (read_one(r, *kept->given ? kept->given : NULL, line, f))
        return true;
    f->line = l->number;
    f->column += f->column > 0 ? (int)(line.at - begin) : 0;
    return false;
}

static int write_one(const struct world *w, const struct state *s, char *to,
                     size_t cap)
{
    char line[1024];
    struct text t = text_begin(to, cap);
    nova_write_state(w, s, line, sizeof line);
    if (!w->board.bare) {
        text_put(&t, w->board.name);
        text_char(&t, ' ');
    }
    text_put(&t, line);
    return text_end(&t);
}

/* Every position is checked.  The first makes the match; the others are noted,
 * so that writing loses none. */
bool nova_read_positions(const char *text, size_t length, struct record *r,
                         struct fault *f)
{
    struct lines l = lines_of((struct span){text, length}), first = l, rest;
    struct silent kept;
    struct span line;
    const char *begin;
    char other[1200];
    r->count = 0;
    r->notes[0] = '\0';
    if (!keep_silent(r, &kept))
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    if (!read_next(r, &kept, &l, f))
        return false;
    for (rest = l; next_position(&rest, &line, &begin); rest = l) {
        if (!read_next(r, &kept, &l, f))
            return false;
        write_one(r->world, r->state, other, sizeof other);
        if (!nova_add_note(r, span_of("Position"), span_of(other)))
            return fault_set(f, FAULT_SIZE, l.number, 0, "");
    }
    return !*r->notes || read_next(r, &kept, &first, f);
}

/* ---- writing ---- */

int nova_write_positions(const struct record *r, int viewer, char *to,
                         size_t cap)
{
    int quitter;
    char line[1200];
    struct text t = text_begin(to, cap);
    struct lines l = lines_of(span_of(r->notes));
    struct span key, value;
    (void)viewer;
    struct state last = nova_last_state(r, &quitter);
    write_one(r->world, &last, line, sizeof line);
    text_put(&t, line);
    text_char(&t, '\n');
    while (r->count == 0 && nova_next_note(&l, &key, &value))
        if (span_is(key, "Position")) {
            text_bytes(&t, value.at, value.length);
            text_char(&t, '\n');
        }
    return text_end(&t);
}
