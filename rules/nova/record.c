/* rules/nova/record.c: game records, position files and board files as whole
 * files (nova §10.2, §11.2, §11.3). */
#include "rules/nova/state.h"

#include "game/setup.h"
#include "rules/nova/faults.h"

/* ---- tags ---- */

enum tag {
    TAG_GAME,
    TAG_FORMAT,
    TAG_BOARD,
    TAG_SEATS,
    TAG_SEAT1,
    TAG_SEAT2,
    TAG_SEAT3,
    TAG_SEAT4,
    TAG_EDITION,
    TAG_OPTIONS,
    TAG_DATE,
    TAG_EVENT,
    TAG_SEED,
    TAG_START,
    TAG_RESULT,
    TAG_END,
    TAG_COUNT
};

/* In the order in which they are written. */
static const char *const tag_name[TAG_COUNT] = {
    "Game",    "Format",  "Board", "Seats", "Seat1", "Seat2", "Seat3",  "Seat4",
    "Edition", "Options", "Date",  "Event", "Seed",  "Start", "Result", "End",
};

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

/* Cuts off a comment; a semicolon inside the quotes of a tag is none. */
static struct span uncommented(struct span line)
{
    line = span_trim(line);
    bool quoted = false, tag = line.length > 0 && *line.at == '[';
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] == '"')
            quoted = tag && !quoted;
        if (line.at[i] == ';' && !quoted)
            line.length = i;
    }
    return span_trim(line);
}

static bool next_line(struct reader *rd, struct span *line)
{
    if (!lines_next(&rd->lines, line))
        return false;
    rd->begin = line->at;
    *line = uncommented(*line);
    return true;
}

static bool is_key(struct span key)
{
    for (size_t i = 0; i < key.length; i++) {
        char c = key.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9')))
            return false;
    }
    return key.length > 0;
}

/* [Key "value"] */
static bool split_tag(struct span line, struct span *key, struct span *value)
{
    if (line.length < 2 || line.at[line.length - 1] != ']')
        return false;
    struct span rest = {line.at + 1, line.length - 2};
    *key = span_cut(&rest, ' ');
    *value = span_trim(rest);
    if (!is_key(*key) || value->length < 2 || *value->at != '"' ||
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

/* Walks over the notes, lines "Key: value". */
static bool next_note(struct lines *l, struct span *key, struct span *value)
{
    if (!lines_next(l, value))
        return false;
    *key = span_cut(value, ':');
    if (value->length > 0 && *value->at == ' ')
        *value = (struct span){value->at + 1, value->length - 1};
    return true;
}

/* The value noted under a key; its `at` is NULL if there is none. */
static struct span note(const struct record *r, struct span key)
{
    struct lines l = lines_of(span_of(r->notes));
    struct span name, value;
    while (next_note(&l, &name, &value))
        if (span_same(name, key))
            return value;
    return (struct span){NULL, 0};
}

static bool add_note(struct reader *rd, struct span key, struct span value)
{
    size_t length = strlen(rd->r->notes);
    struct text t =
        text_begin(rd->r->notes + length, rd->r->notes_cap - length);
    text_bytes(&t, key.at, key.length);
    text_put(&t, ": ");
    text_bytes(&t, value.at, value.length);
    text_char(&t, '\n');
    return length + (size_t)text_end(&t) < rd->r->notes_cap ||
           refuse(rd, FAULT_SIZE, key);
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
        if (!span_is(key, tag_name[tag]))
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
    if (note(rd->r, key).at)
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
        return fault_set(rd->f, NOVA_TAG_MISSING, 0, 0, tag_name[tag]);
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

/* The given board of the caller, if it has the name the record asks for. */
static bool callers_board(const char *given, struct span name,
                          struct given *out)
{
    struct lines l;
    struct span line;
    if (!given_find(given, "board", out))
        return false;
    l = lines_of(out->value);
    while (lines_next(&l, &line)) {
        struct span value = span_trim(line), key = span_cut(&value, ':');
        value = span_trim(value);
        if (span_is(key, "name"))
            return span_same(value, name);
    }
    return false;
}

/* Copies it; false if it is larger than any board needs to be. */
static bool add_held(const struct given *held, const char *key,
                     struct text *given)
{
    char text[16384];
    int length = given_unfold(held->value, text, sizeof text);
    if (length >= (int)sizeof text)
        return false;
    given_add(given, key, (struct span){text, (size_t)length});
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
    if (callers_board(ready, name, &held))
        return add_held(&held, "known-board", given) ||
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
        struct span words = uncommented(line), word = span_word(&words);
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

static bool read_record(const char *text, size_t length, struct record *r,
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
static bool is_record(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line, key, value;
    bool tags = false, foreign = false, seats = false;
    while (lines_next(&l, &line)) {
        line = uncommented(line);
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

/* ---- writing ---- */

static void put_key(struct text *t, struct span key, struct span value)
{
    text_char(t, '[');
    text_bytes(t, key.at, key.length);
    text_put(t, " \"");
    for (size_t i = 0; i < value.length; i++)
        text_char(t, value.at[i] == '"' ? '\'' : value.at[i]);
    text_put(t, "\"]\n");
}

static void put_tag(struct text *t, const char *key, struct span value)
{
    put_key(t, span_of(key), value);
}

static void put_note(const struct record *r, enum tag tag, struct text *t)
{
    struct span value = note(r, span_of(tag_name[tag]));
    if (value.at)
        put_tag(t, tag_name[tag], value);
}

/* Only options that differ from the edition or the board file. */
static void put_options(const struct world *w, struct text *t)
{
    char list[512], value[32];
    struct text o = text_begin(list, sizeof list);
    for (int i = OPT_RETURN; i < OPT_COUNT; i++) {
        int usual = nova_preset(&w->board, w->seats, i, w->option[OPT_EDITION]);
        if (w->option[i] == usual)
            continue;
        if (o.length > 0)
            text_char(&o, ' ');
        setup_write_value(&nova_options[i], w->option[i], value, sizeof value);
        text_put(&o, nova_options[i].name);
        text_char(&o, '=');
        text_put(&o, value);
    }
    if (text_end(&o) > 0)
        put_tag(t, "Options", span_of(list));
}

static void put_seed_number(struct text *t, uint64_t seed)
{
    if (seed >= 10)
        put_seed_number(t, seed / 10);
    text_char(t, (char)('0' + seed % 10));
}

static void put_seed(const struct record *r, struct text *t)
{
    char number[24];
    struct text n = text_begin(number, sizeof number);
    if (note(r, span_of("Seed")).at) {
        put_note(r, TAG_SEED, t);
    } else if (r->world->option[OPT_SETUP] == SETUP_RANDOM) {
        put_seed_number(&n, r->setup.seed);
        text_end(&n);
        put_tag(t, "Seed", span_of(number));
    }
}

static void put_result(const struct world *w, const struct state *s, int seat,
                       struct text *t)
{
    char value[64];
    struct text v = text_begin(value, sizeof value);
    for (int i = 0; s->reason && i < w->seats; i++) {
        if (i)
            text_char(&v, '-');
        text_int(&v, s->score[i]);
    }
    if (!s->reason)
        text_char(&v, '*');
    text_end(&v);
    put_tag(t, "Result", span_of(value));
    if (!s->reason)
        return;
    v = text_begin(value, sizeof value);
    text_put(&v, nova_endings[s->reason]);
    if (seat != SEAT_NONE) {
        text_char(&v, ' ');
        text_char(&v, w->colour[seat]);
    }
    text_end(&v);
    put_tag(t, "End", span_of(value));
}

static bool known_tag(struct span key)
{
    for (int tag = 0; tag < TAG_COUNT; tag++)
        if (span_is(key, tag_name[tag]))
            return true;
    return false;
}

static void put_other_notes(const struct record *r, struct text *t)
{
    struct lines l = lines_of(span_of(r->notes));
    struct span key, value;
    while (next_note(&l, &key, &value))
        if (!known_tag(key) && is_key(key))
            put_key(t, key, value);
}

/* An own board travels inside the record, one tag for each of its lines,
 * unless the record was read without. */
static void put_own_board(const struct world *w, struct text *t)
{
    char file[16384];
    struct span line;
    board_write(&w->board, file, sizeof file);
    struct lines l = lines_of(span_of(file));
    while (lines_next(&l, &line)) {
        char key[16];
        struct text k = text_begin(key, sizeof key);
        text_put(&k, "Board");
        text_int(&k, l.number);
        text_end(&k);
        put_tag(t, key, line);
    }
}

static bool has_given(const struct record *r, const char *key,
                      struct given *out)
{
    return given_find(r->setup.given, key, out);
}

static void put_tags(const struct record *r, const struct state *last,
                     int quitter, struct text *t)
{
    const struct world *w = r->world;
    struct given given;
    put_tag(t, "Game", span_of("nova"));
    put_tag(t, "Format", span_of("1"));
    put_tag(t, "Board", span_of(w->board.name));
    put_tag(t, "Seats", (struct span){w->colour, (size_t)w->seats});
    for (int seat = 0; seat < w->seats; seat++)
        put_note(r, (enum tag)(TAG_SEAT1 + seat), t);
    put_tag(t, "Edition",
            span_of(nova_options[OPT_EDITION].choices[w->option[OPT_EDITION]]));
    put_options(w, t);
    put_note(r, TAG_DATE, t);
    put_note(r, TAG_EVENT, t);
    put_seed(r, t);
    if (has_given(r, "start", &given))
        put_tag(t, "Start", given.value);
    put_result(w, last, quitter, t);
    put_other_notes(r, t);
    if (has_given(r, "board", &given))
        put_own_board(w, t);
}

/* The body is written step by step; a new line begins with every turn and
 * every round of placements. */
struct writer {
    const struct record *r;
    struct text t;
    int round, last_seat;
    uint32_t turns; /* of the line being written */
    bool in_line;
};

static void end_line(struct writer *wr)
{
    if (wr->in_line)
        text_char(&wr->t, '\n');
    wr->in_line = false;
}

static void begin_line(struct writer *wr)
{
    const struct state *s = wr->r->state;
    if (s->act == PLACING) {
        text_put(&wr->t, "P");
    } else {
        if (wr->round == 0 ||
            (s->seat <= wr->last_seat && s->turns != wr->turns))
            wr->round++;
        wr->last_seat = s->seat;
        text_int(&wr->t, wr->round);
        text_char(&wr->t, wr->r->world->colour[s->seat]);
    }
    wr->turns = s->turns;
    wr->in_line = true;
}

static void write_action_step(struct writer *wr, int seat, action a)
{
    const struct world *w = wr->r->world;
    struct state *s = wr->r->state;
    char text[64];
    if (!wr->in_line)
        begin_line(wr);
    nova_write_action(w, s, seat, a, SEAT_NONE, text, sizeof text);
    text_char(&wr->t, ' ');
    text_put(&wr->t, text);
    bool placing = s->act == PLACING;
    int before = s->seat;
    nova_apply(w, s, seat, a);
    if (placing ? s->act != PLACING || s->seat <= before
                : s->turns != wr->turns)
        end_line(wr);
}

static void write_event(struct writer *wr, const char *event, int seat)
{
    end_line(wr);
    text_put(&wr->t, event);
    text_char(&wr->t, wr->r->world->colour[seat]);
    text_char(&wr->t, '\n');
}

static void write_step(struct writer *wr, const struct step *step)
{
    const struct world *w = wr->r->world;
    struct state *s = wr->r->state;
    switch ((enum step_kind)step->kind) {
    case STEP_ACTION:
        write_action_step(wr, step->seat, step->action);
        break;
    case STEP_DROP:
        write_event(wr, "D ", step->seat);
        nova_drop(w, s, step->seat);
        break;
    case STEP_STOP:
        nova_stop(w, s, step->reason, step->seat);
        break;
    case STEP_TAKEOVER:
        write_event(wr, "T ", step->seat);
        break;
    }
}

/* What a random setup drew is written as if the players had placed it. */
static void write_drawn(struct writer *wr)
{
    const struct record *r = wr->r;
    uint8_t hexes[BOARD_HEXES];
    if (r->world->option[OPT_SETUP] != SETUP_RANDOM || r->world->started)
        return;
    struct state *s = r->state;
    int count = nova_draw_placement(r->world, &r->setup, hexes);
    nova_clear(r->world, s);
    for (int seat = 0; seat < r->world->seats; seat++)
        s->hand[seat] = (uint8_t)r->world->pioneers;
    for (int i = 0; i < count; i++)
        write_action_step(wr, s->seat, pack(PLACE, 0, hexes[i]));
}

static struct state last_state(const struct record *r, int *quitter)
{
    struct state s = *r->state;
    *quitter = SEAT_NONE;
    for (int i = 0; i < r->count; i++) {
        const struct step *step = &r->steps[i];
        if (step->kind == STEP_ACTION)
            nova_apply(r->world, &s, step->seat, step->action);
        else if (step->kind == STEP_DROP)
            nova_drop(r->world, &s, step->seat);
        else if (step->kind == STEP_STOP) {
            nova_stop(r->world, &s, step->reason, step->seat);
            *quitter = step->seat;
        }
    }
    return s;
}

static int write_record(const struct record *r, int viewer, char *to,
                        size_t cap)
{
    struct writer wr = {.r = r, .t = text_begin(to, cap)};
    int quitter;
    (void)viewer;
    if (r->world->board.bare)
        return -1;
    struct state last = last_state(r, &quitter);
    put_tags(r, &last, quitter, &wr.t);
    text_char(&wr.t, '\n');
    write_drawn(&wr);
    for (int i = 0; i < r->count; i++)
        write_step(&wr, &r->steps[i]);
    end_line(&wr);
    return text_end(&wr.t);
}

/* ---- positions: "board position" on one line ---- */

/* A single line whose first or second word has the rows, however many words
 * follow. */
static bool is_position(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    bool rows = false;
    if (!lines_next(&l, &line))
        return false;
    for (int i = 0; i < 2; i++) {
        struct span word = span_word(&line);
        rows = rows || (word.length > 3 && *word.at != '[' &&
                        memchr(word.at, '/', word.length));
    }
    while (rows && lines_next(&l, &line))
        rows = span_trim(line).length == 0;
    return rows;
}

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
static bool use_position_board(struct record *r, const char *ready,
                               struct span *position, struct text *given,
                               struct fault *f)
{
    struct given held;
    struct span rest = *position, name = span_word(&rest);
    bool named = name.length > 0 && !memchr(name.at, '/', name.length);
    bool holds = named ? callers_board(ready, name, &held)
                       : given_find(ready, "board", &held);
    if (named)
        *position = span_trim(rest);
    if (holds && !add_held(&held, "board", given))
        return fault_set(f, FAULT_SIZE, 1, 0, "");
    if (named && !holds && !board_named(name, &r->setup))
        return fault_span(f, NOVA_POSITION_BOARD, 1, 1, name.at, name.length);
    return true;
}

static bool read_position(const char *text, size_t length, struct record *r,
                          struct fault *f)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    r->count = 0;
    if (!lines_next(&l, &line))
        return fault_set(f, FAULT_TRUNCATED, 1, 0, "");
    struct span position = span_trim(line);
    struct text given = text_begin(r->given, r->given_cap);
    if (!use_position_board(r, r->setup.given, &position, &given, f))
        return false;
    add_seats(position, &r->setup, &given);
    given_add(&given, "start", position);
    if ((size_t)text_end(&given) >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 1, 0, "");
    r->setup.given = r->given;
    if (!nova_prepare(r->world, &r->setup, f)) {
        f->line = 1;
        f->column += f->column > 0 ? (int)(position.at - line.at) : 0;
        return false;
    }
    nova_start(r->world, &r->setup, r->state);
    return true;
}

static int write_position(const struct record *r, int viewer, char *to,
                          size_t cap)
{
    int quitter;
    char line[1024];
    struct text t = text_begin(to, cap);
    (void)viewer;
    struct state last = last_state(r, &quitter);
    nova_write_state(r->world, &last, line, sizeof line);
    if (!r->world->board.bare) {
        text_put(&t, r->world->board.name);
        text_char(&t, ' ');
    }
    text_put(&t, line);
    text_char(&t, '\n');
    return text_end(&t);
}

/* ---- board files ---- */

static bool is_board(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    while (lines_next(&l, &line)) {
        struct span key = line;
        key = span_cut(&key, ':');
        if (span_is(span_trim(line), "map:") || span_is(key, "landscapes"))
            return true;
    }
    return false;
}

static bool read_board_file(const char *text, size_t length, struct record *r,
                            struct fault *f)
{
    struct board board;
    r->count = 0;
    if (!board_read(&board, (struct span){text, length}, f))
        return false;
    struct text given = text_begin(r->given, r->given_cap);
    given_add(&given, "board", (struct span){text, length});
    if ((size_t)text_end(&given) >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    r->setup.given = r->given;
    if (!nova_prepare(r->world, &r->setup, f))
        return false;
    nova_start(r->world, &r->setup, r->state);
    return true;
}

static int write_board_file(const struct record *r, int viewer, char *to,
                            size_t cap)
{
    (void)viewer;
    if (r->world->board.bare)
        return -1;
    return board_write(&r->world->board, to, cap);
}

const struct record_format nova_formats[] = {
    {"nova", ".nova", "game record", is_record, read_record, write_record},
    {"position", ".pos", "position on one line, board name first", is_position,
     read_position, write_position},
    {"board", ".board", "board file", is_board, read_board_file,
     write_board_file},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
