/* rules/nova/record_read.c: reading and checking game records (nova §11.2). */
#include "rules/nova/record.h"

#include "game/setup.h"
#include "rules/nova/faults.h"

/* ---- tags ---- */

enum { BOARD_LINES = 48 }; /* header and map of an own board, line by line */

struct tags {
    struct span value[TAG_COUNT];
    int line[TAG_COUNT]; /* 0: not there */
    struct span board[BOARD_LINES];
    int board_lines;
};

struct reader {
    struct record *r;
    struct fault *f;
    struct tags tags;
    struct lines lines;
    const char *begin;    /* of the present line */
    int short_line;       /* a line that is not complete, if any so far */
    int round, last_seat; /* of the last turn line */
    uint32_t turns;       /* before it */
    bool drawn;           /* the lines P repeat what the seed draws */
};

/* `at` is a piece of the present line. */
static bool refuse(struct reader *rd, int code, struct span at)
{
    return fault_span(rd->f, code, rd->lines.number,
                      (int)(at.at - rd->begin) + 1, at.at, at.length);
}

static bool refuse_tag(struct reader *rd, int code, enum tag tag)
{
    return fault_span(rd->f, code, rd->tags.line[tag], 1,
                      rd->tags.value[tag].at, rd->tags.value[tag].length);
}

static bool next_line(struct reader *rd, struct span *line)
{
    if (!lines_next(&rd->lines, line))
        return false;
    rd->begin = line->at;
    *line = nova_uncommented(*line);
    return true;
}

/* [Key "value"] */
static bool split_tag(struct span line, struct span *key, struct span *value)
{
    if (line.length < 2 || line.at[line.length - 1] != ']')
        return false;
    struct span rest = {line.at + 1, line.length - 2};
    *key = span_cut(&rest, ' ');
    *value = span_trim(rest);
    if (!nova_is_key(*key) || value->length < 2 || *value->at != '"' ||
        value->at[value->length - 1] != '"')
        return false;
    value->at++;
    value->length -= 2;
    return !value->length || !memchr(value->at, '"', value->length);
}

/* "Board7" is the seventh line of an own board. */
static bool own_board_line(struct span key, long *number)
{
    struct span digits = {key.at + 5, key.length - 5};
    return key.length > 5 && memcmp(key.at, "Board", 5) == 0 &&
           span_int(digits, 1, BOARD_LINES, number);
}

static bool add_note(struct reader *rd, struct span key, struct span value)
{
    return nova_add_note(rd->r, key, value) || refuse(rd, FAULT_SIZE, key);
}

/* Names, date, event and tags nobody knows are kept for the writer. */
static bool is_note(enum tag tag)
{
    return (tag >= TAG_SEAT1 && tag <= TAG_SEAT4) || tag == TAG_DATE ||
           tag == TAG_EVENT || tag == TAG_SEED;
}

static bool read_tag(struct reader *rd, struct span line)
{
    struct span key, value;
    long number;
    if (!split_tag(line, &key, &value))
        return refuse(rd, NOVA_TAG_SYNTAX, line);
    for (int tag = 0; tag < TAG_COUNT; tag++) {
        if (!span_is(key, nova_tag_name[tag]))
            continue;
        if (rd->tags.line[tag])
            return refuse(rd, NOVA_TAG_TWICE, key);
        rd->tags.line[tag] = rd->lines.number;
        rd->tags.value[tag] = value;
        return !is_note((enum tag)tag) || add_note(rd, key, value);
    }
    if (own_board_line(key, &number)) {
        if (number != rd->tags.board_lines + 1)
            return refuse(rd, NOVA_TAG_VALUE, key);
        rd->tags.board[rd->tags.board_lines++] = value;
        return true;
    }
    if (nova_note(rd->r, key).at)
        return refuse(rd, NOVA_TAG_TWICE, key);
    return add_note(rd, key, value);
}

/* Reads all tags; *line is then the first line behind them, if *body. */
static bool read_tags(struct reader *rd, struct span *line, bool *body)
{
    *body = false;
    while (next_line(rd, line)) {
        if (line->length == 0)
            continue;
        if (*line->at != '[') {
            *body = true;
            return true;
        }
        if (!read_tag(rd, *line))
            return false;
    }
    return true;
}

/* ---- the setup behind the tags ---- */

static bool check_tag(struct reader *rd, enum tag tag, const char *wanted)
{
    if (!rd->tags.line[tag])
        return fault_set(rd->f, NOVA_TAG_MISSING, 0, 0, nova_tag_name[tag]);
    if (wanted && !span_is(rd->tags.value[tag], wanted))
        return refuse_tag(rd, NOVA_TAG_VALUE, tag);
    return true;
}

static bool is_date(struct span s)
{
    for (size_t i = 0; i < s.length; i++)
        if (i == 4 || i == 7 ? s.at[i] != '-' : s.at[i] < '0' || s.at[i] > '9')
            return false;
    return s.length == 10;
}

static bool check_tags(struct reader *rd)
{
    struct tags *t = &rd->tags;
    if (!check_tag(rd, TAG_GAME, "nova") || !check_tag(rd, TAG_FORMAT, "1") ||
        !check_tag(rd, TAG_BOARD, NULL) || !check_tag(rd, TAG_SEATS, NULL))
        return false;
    if (t->line[TAG_DATE] && !is_date(t->value[TAG_DATE]))
        return refuse_tag(rd, NOVA_TAG_VALUE, TAG_DATE);
    for (int seat = 0; seat < NOVA_SEATS; seat++)
        if (t->line[TAG_SEAT1 + seat] &&
            (size_t)seat >= t->value[TAG_SEATS].length)
            return refuse_tag(rd, NOVA_TAG_VALUE, (enum tag)(TAG_SEAT1 + seat));
    return true;
}

/* A shipped board by name, an own board written in the record, or the one the
 * caller holds ready. */
static bool use_board(struct reader *rd, const char *ready, struct text *given)
{
    struct setup *setup = &rd->r->setup;
    struct span name = rd->tags.value[TAG_BOARD];
    struct given held;
    struct fault ignored;
    if (rd->tags.board_lines > 0) {
        text_put(given, "board:\n");
        for (int i = 0; i < rd->tags.board_lines; i++) {
            text_char(given, '\t');
            text_bytes(given, rd->tags.board[i].at, rd->tags.board[i].length);
            text_char(given, '\n');
        }
        return true;
    }
    if (nova_callers_board(ready, name, &held))
        return nova_add_held(&held, "known-board", given) ||
               refuse_tag(rd, FAULT_SIZE, TAG_BOARD);
    if (!setup_option(&nova_game, setup, span_of("board"), name, &ignored))
        return refuse_tag(rd, NOVA_SETUP_BOARD, TAG_BOARD);
    return true;
}

static bool use_options(struct reader *rd)
{
    struct span list = rd->tags.value[TAG_OPTIONS], word;
    unsigned seen = 0;
    while ((word = span_word(&list)).length > 0) {
        struct span value = word, name = span_cut(&value, '=');
        char text[32];
        span_copy(name, text, sizeof text);
        int option = setup_find(&nova_game, text);
        bool good = option != OPT_BOARD && option != OPT_EDITION &&
                    setup_option(&nova_game, &rd->r->setup, name, value, rd->f);
        if (!good || seen >> option & 1)
            return fault_span(rd->f, option < 0 ? FAULT_OPTION : FAULT_VALUE,
                              rd->tags.line[TAG_OPTIONS], 1, word.at,
                              word.length);
        seen |= 1u << option;
    }
    return true;
}

static bool use_edition(struct reader *rd)
{
    struct fault ignored;
    if (!rd->tags.line[TAG_EDITION])
        return true;
    if (!setup_option(&nova_game, &rd->r->setup, span_of("edition"),
                      rd->tags.value[TAG_EDITION], &ignored))
        return refuse_tag(rd, NOVA_TAG_VALUE, TAG_EDITION);
    return true;
}

/* Which tag is to blame for what prepare() found? */
static bool blame(struct reader *rd)
{
    struct fault *f = rd->f;
    const char *name = fault_text(&nova_game, f->code)->name;
    if (memcmp(name, "position.", 9) == 0)
        f->line = rd->tags.line[TAG_START];
    else if (f->code == NOVA_SETUP_COLOURS || f->code == FAULT_SEATS)
        f->line = rd->tags.line[TAG_SEATS];
    else if (memcmp(name, "board.", 6) == 0)
        f->line = rd->tags.line[TAG_BOARD];
    else
        f->line = rd->tags.line[TAG_OPTIONS];
    return false;
}

/* The seed is for information: what is no number counts as 0. */
static uint64_t seed_number(struct span digits)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9')
            return 0;
        seed = 10 * seed + (uint64_t)(digits.at[i] - '0');
    }
    return seed;
}

static bool is_finished(const struct record *r)
{
    nova_start(r->world, &r->setup, r->state);
    return r->state->reason != ENDING_NONE;
}

static bool use_tags(struct reader *rd)
{
    struct record *r = rd->r;
    struct tags *t = &rd->tags;
    const char *ready = r->setup.given;
    setup_init(&nova_game, &r->setup);
    struct text given = text_begin(r->given, r->given_cap);
    r->setup.seats = (int)t->value[TAG_SEATS].length;
    if (!use_board(rd, ready, &given) || !use_edition(rd) || !use_options(rd))
        return false;
    /* Without `seats` the start would name the colours, not be checked. */
    if (t->line[TAG_START] || r->setup.seats > NOVA_SEATS ||
        memcmp("yrbg", t->value[TAG_SEATS].at, (size_t)r->setup.seats) != 0)
        given_add(&given, "seats", t->value[TAG_SEATS]);
    if (t->line[TAG_START])
        given_add(&given, "start", t->value[TAG_START]);
    r->setup.seed = seed_number(t->value[TAG_SEED]);
    if ((size_t)text_end(&given) >= r->given_cap)
        return fault_set(rd->f, FAULT_SIZE, 0, 0, "");
    r->setup.given = r->given[0] ? r->given : NULL;
    if (!nova_prepare(r->world, &r->setup, rd->f))
        return blame(rd);
    if (t->line[TAG_START] && is_finished(r))
        return refuse_tag(rd, NOVA_POSITION_ACTIVE, TAG_START);
    return true;
}

/* ---- random setups ---- */

/* Do the lines P tell just what our generator draws from the seed?  Then they
 * are no steps of the players. */
static bool lines_repeat_draw(struct reader *rd, struct span line)
{
    const struct world *w = rd->r->world;
    struct lines rest = rd->lines;
    uint8_t hexes[BOARD_HEXES];
    int count = nova_draw_placement(w, &rd->r->setup, hexes), at = 0;
    do {
        struct span words = nova_uncommented(line), word = span_word(&words);
        if (word.length > 0 && !span_is(word, "P"))
            break;
        while ((word = span_word(&words)).length > 0) {
            int hex;
            struct span name = {word.at + 1, word.length - 1};
            if (at == count ||
                board_find(&w->board, name, &hex) != name.length ||
                hex != hexes[at++])
                return false;
        }
    } while (lines_next(&rest, &line));
    return at == count;
}

/* What another program drew is replayed as if the players had placed it. */
static bool use_drawn(struct reader *rd, struct span line, bool body)
{
    struct record *r = rd->r;
    if (r->world->option[OPT_SETUP] != SETUP_RANDOM || r->world->started)
        return true;
    rd->drawn = body && lines_repeat_draw(rd, line);
    if (rd->drawn)
        return true;
    size_t length = strlen(r->given);
    struct text given = text_begin(r->given + length, r->given_cap - length);
    text_put(&given, "placed:\n");
    if (length + (size_t)text_end(&given) >= r->given_cap)
        return fault_set(rd->f, FAULT_SIZE, 0, 0, "");
    r->setup.given = r->given;
    return nova_prepare(r->world, &r->setup, rd->f) || blame(rd);
}

/* ---- lines of play ---- */

static bool add_step(struct reader *rd, struct step step)
{
    struct record *r = rd->r;
    if (r->count == r->cap)
        return fault_set(rd->f, FAULT_SIZE, rd->lines.number, 0, "");
    if (r->lines)
        r->lines[r->count] = rd->lines.number;
    r->steps[r->count++] = step;
    return true;
}

static bool read_one(struct reader *rd, struct span word)
{
    struct record *r = rd->r;
    char text[128];
    size_t used;
    action a;
    int seat = r->state->seat;
    span_copy(word, text, sizeof text);
    if (word.length >= sizeof text)
        return refuse(rd, FAULT_SYNTAX, word);
    bool good =
        nova_read_action(r->world, r->state, seat, text, &a, &used, rd->f);
    if (!good) {
        rd->f->line = rd->lines.number;
        rd->f->column += (int)(word.at - rd->begin);
        return false;
    }
    if (used != word.length)
        return refuse(rd, FAULT_SYNTAX, word);
    nova_apply(r->world, r->state, seat, a);
    return add_step(rd, (struct step){STEP_ACTION, (int8_t)seat, 0, a});
}

/* A whole round of placements, or the rest of one. */
static bool read_placements(struct reader *rd, struct span line,
                            struct span rest)
{
    struct state *s = rd->r->state;
    struct span word;
    bool complete = false;
    if (s->act != PLACING)
        return refuse(rd, NOVA_PLACE_OVER, line);
    if (span_trim(rest).length == 0)
        return refuse(rd, FAULT_SYNTAX, line);
    while ((word = span_word(&rest)).length > 0) {
        int before = s->seat;
        if (complete)
            return refuse(rd, NOVA_ORDER_LONG, word);
        if (!read_one(rd, word))
            return false;
        complete = s->act != PLACING || s->seat <= before;
    }
    if (!complete)
        rd->short_line = rd->lines.number;
    return true;
}

/* Number and colour in front of a turn. */
static bool check_turn_head(struct reader *rd, struct span head)
{
    struct state *s = rd->r->state;
    long round;
    struct span number = {head.at, head.length - 1};
    if (!span_int(number, 1, 999999, &round))
        return refuse(rd, FAULT_SYNTAX, head);
    int seat = nova_seat_of(rd->r->world, head.at[head.length - 1]);
    if (seat == SEAT_NONE)
        return refuse(rd, FAULT_SYNTAX, head);
    if (s->act == PLACING)
        return refuse(rd, NOVA_PLACE_FIRST, head);
    if (seat != s->seat)
        return refuse(rd, NOVA_ORDER_SEAT, head);
    if (rd->round == 0 || (seat <= rd->last_seat && s->turns != rd->turns))
        rd->round++;
    rd->last_seat = seat;
    rd->turns = s->turns;
    if (round != rd->round)
        return refuse(rd, NOVA_ORDER_ROUND, head);
    return true;
}

static bool read_turn(struct reader *rd, struct span line, struct span head,
                      struct span rest)
{
    struct state *s = rd->r->state;
    struct span word;
    if (!check_turn_head(rd, head))
        return false;
    if (span_trim(rest).length == 0)
        return refuse(rd, FAULT_SYNTAX, line);
    uint32_t turns = s->turns;
    while ((word = span_word(&rest)).length > 0) {
        if (s->turns != turns)
            return refuse(rd, NOVA_ORDER_LONG, word);
        if (!read_one(rd, word))
            return false;
    }
    if (s->turns == turns)
        rd->short_line = rd->lines.number;
    return true;
}

/* "D y": yellow leaves the table, the others play on.  "T y": somebody else
 * plays yellow from here on.  Either may stand in the middle of a turn, whose
 * rest is then a line of its own. */
static bool read_event(struct reader *rd, struct span head, struct span rest)
{
    struct record *r = rd->r;
    struct span word = span_word(&rest);
    int seat = word.length == 1 ? nova_seat_of(r->world, *word.at) : SEAT_NONE;
    if (seat == SEAT_NONE || span_trim(rest).length > 0 ||
        r->state->out >> seat & 1)
        return refuse(rd, FAULT_SYNTAX, word);
    bool drop = *head.at == 'D';
    if (drop)
        nova_drop(r->world, r->state, seat);
    rd->short_line = 0;
    return add_step(rd, (struct step){drop ? STEP_DROP : STEP_TAKEOVER,
                                      (int8_t)seat, 0, 0});
}

static bool read_line(struct reader *rd, struct span line)
{
    struct span rest = line, head = span_word(&rest);
    if (rd->r->state->reason)
        return refuse(rd, NOVA_ORDER_AFTER, line);
    if (span_is(head, "D") || span_is(head, "T"))
        return read_event(rd, head, rest);
    if (rd->short_line)
        return fault_set(rd->f, NOVA_ORDER_SHORT, rd->short_line, 0, "");
    if (*head.at == '[')
        return refuse(rd, NOVA_TAG_SYNTAX, line);
    if (span_is(head, "P"))
        return rd->drawn || read_placements(rd, line, rest);
    return read_turn(rd, line, head, rest);
}

/* ---- what the record claims about its end ---- */

static int find_ending(struct span word)
{
    for (int reason = 1; reason < END_COUNT; reason++)
        if (span_is(word, nova_endings[reason]))
            return reason;
    return ENDING_NONE;
}

/* "resign", "resign y", "divided" */
static bool read_end(struct reader *rd, int *reason, int *seat)
{
    struct span rest = rd->tags.value[TAG_END], word = span_word(&rest);
    *seat = SEAT_NONE;
    *reason = find_ending(word);
    word = span_trim(rest);
    if (word.length == 1)
        *seat = nova_seat_of(rd->r->world, *word.at);
    bool blames = *reason == ENDING_RESIGN || *reason == ENDING_TIME;
    if (*reason == ENDING_NONE ||
        (word.length > 0 && (!blames || *seat == SEAT_NONE)))
        return refuse_tag(rd, NOVA_TAG_VALUE, TAG_END);
    return true;
}

static bool check_result(struct reader *rd)
{
    struct record *r = rd->r;
    char wanted[64];
    struct text t = text_begin(wanted, sizeof wanted);
    if (!rd->tags.line[TAG_RESULT])
        return true;
    for (int seat = 0; seat < r->world->seats; seat++) {
        if (seat)
            text_char(&t, '-');
        text_int(&t, r->state->score[seat]);
    }
    text_end(&t);
    bool open = !r->state->reason;
    if (span_is(rd->tags.value[TAG_RESULT], open ? "*" : wanted) ||
        (open && span_is(rd->tags.value[TAG_RESULT], wanted)))
        return true;
    return refuse_tag(rd, NOVA_END_RESULT, TAG_RESULT);
}

static bool check_end(struct reader *rd)
{
    struct record *r = rd->r;
    int reason = ENDING_NONE, seat = SEAT_NONE;
    if (rd->tags.line[TAG_END] && !read_end(rd, &reason, &seat))
        return false;
    if (rd->short_line && reason >= ENDING_GAME)
        return fault_set(rd->f, NOVA_ORDER_SHORT, rd->short_line, 0, "");
    if (reason > ENDING_NONE && reason < ENDING_GAME && !r->state->reason) {
        nova_stop(r->world, r->state, reason, seat);
        if (!add_step(
                rd, (struct step){STEP_STOP, (int8_t)seat, (uint8_t)reason, 0}))
            return false;
    }
    if (rd->tags.line[TAG_END] && r->state->reason != reason)
        return refuse_tag(rd, NOVA_END_REASON, TAG_END);
    return check_result(rd);
}

bool nova_read_record(const char *text, size_t length, struct record *r,
                      struct fault *f)
{
    struct reader rd = {
        .r = r, .f = f, .lines = lines_of((struct span){text, length})};
    struct span line;
    bool body;
    r->count = 0;
    r->notes[0] = '\0';
    if (!read_tags(&rd, &line, &body) || !check_tags(&rd) || !use_tags(&rd) ||
        !use_drawn(&rd, line, body))
        return false;
    nova_start(r->world, &r->setup, r->state);
    for (; body; body = next_line(&rd, &line))
        if (line.length > 0 && !read_line(&rd, line))
            return false;
    return check_end(&rd);
}

/* Its tags name this game, or no game, or are those of this game. */
bool nova_is_record(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line, key, value;
    bool tags = false, foreign = false, seats = false;
    while (lines_next(&l, &line)) {
        line = nova_uncommented(line);
        if (line.length == 0)
            continue;
        if (*line.at != '[')
            break;
        tags = true;
        if (!split_tag(line, &key, &value))
            continue;
        if (span_is(key, "Game") && span_is(value, "nova"))
            return true;
        foreign = foreign || span_is(key, "Game");
        seats = seats || span_is(key, "Seats");
    }
    return tags && (!foreign || seats);
}
