/* rules/terrax/record.c: whole games, positions and maps as files.
 *
 * A .txg record (terrax §17) is read line by line: tags, deal, marks, turns,
 * result.  Every item goes through tx_read_item(), so that a record and a
 * typed line are refused for the same reasons.  Three things the notation has
 * no words for are kept in comments that other readers skip: a map of the
 * match's own (lines #|), a position to begin from (tag Position), and events
 * beside the game ({drop 2}, {stop resign 1}, {takeover 3}; {over} where the
 * claims that follow came after the end, {end 2} where seat 2 had no more). */
#include "rules/terrax/state.h"

#include "base/check.h"

#include "game/setup.h"

enum { STAGE_TAGS, STAGE_DEAL, STAGE_MARKS, STAGE_TURNS, STAGE_DONE };

struct reader {
    struct record *r;
    struct fault *f;
    struct lines lines;
    int stage;
    struct text notes;
    int seats;                       /* from the tag Players; 0: none yet */
    struct span map, options, first; /* tags; at NULL: none */
    struct span position, generator;
    bool game;
    bool mapping; /* the line before was one of a map */
    int hands;    /* hand lines read */
    struct span hand[SEATS], open, stack;
    bool view;    /* some cards are ? */
    bool started; /* a turn line has been read */
    bool running; /* ... whose turn has not ended */
};

static bool refuse(struct reader *d, int code, struct span what)
{
    return fault_span(d->f, code, d->lines.number, 1, what.at, what.length);
}

static bool starts(struct span line, const char *with)
{
    size_t length = strlen(with);
    return line.length >= length && memcmp(line.at, with, length) == 0;
}

static struct span after(struct span line, size_t skip)
{
    return (struct span){line.at + skip, line.length - skip};
}

/* ---- steps ---- */

static void play(const struct record *r, const struct step *step)
{
    if (step->kind == STEP_ACTION)
        terrax_apply(r->world, r->state, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        terrax_drop(r->world, r->state, step->seat);
    else if (step->kind == STEP_STOP)
        terrax_stop(r->world, r->state, step->reason, step->seat);
}

static bool push(struct reader *d, struct step step)
{
    struct record *r = d->r;
    if (r->count == r->cap)
        return fault_set(d->f, FAULT_SIZE, d->lines.number, 1, "");
    if (r->lines)
        r->lines[r->count] = d->lines.number;
    r->steps[r->count++] = step;
    play(r, &step);
    return true;
}

static bool push_action(struct reader *d, int seat, action a)
{
    return push(d, (struct step){STEP_ACTION, (int8_t)seat, 0, a});
}

/* ---- tags ---- */

static bool name_char(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (!first && ((c >= '0' && c <= '9') || c == '_'));
}

static bool split_tag(struct span line, struct span *name, struct span *text)
{
    size_t at = 1;
    while (at < line.length && name_char(line.at[at], at == 1))
        at++;
    *name = (struct span){line.at + 1, at - 1};
    if (name->length == 0 || line.length < at + 4 || line.at[at] != ' ' ||
        line.at[at + 1] != '"' || line.at[line.length - 1] != ']' ||
        line.at[line.length - 2] != '"')
        return false;
    *text = (struct span){line.at + at + 2, line.length - at - 4};
    return !memchr(text->at, '"', text->length);
}

static bool noted(const struct reader *d, struct span name)
{
    struct lines l = lines_of((struct span){d->r->notes, d->notes.length});
    struct span line;
    while (lines_next(&l, &line))
        if (line.length > name.length && line.at[name.length] == ':' &&
            memcmp(line.at, name.at, name.length) == 0)
            return true;
    return false;
}

static bool read_tag(struct reader *d, struct span line)
{
    struct span name, text;
    long seats;
    if (!split_tag(line, &name, &text))
        return refuse(d, TX_SYNTAX, line);
    if (noted(d, name))
        return refuse(d, TX_TAG, name);
    if (!d->game && !span_is(name, "Game"))
        return refuse(d, TX_TAG, span_of("Game"));
    text_bytes(&d->notes, name.at, name.length);
    text_put(&d->notes, ": ");
    text_bytes(&d->notes, text.at, text.length);
    text_char(&d->notes, '\n');
    if (d->notes.length >= d->r->notes_cap)
        return fault_set(d->f, FAULT_SIZE, d->lines.number, 1, "");
    if (span_is(name, "Game")) {
        d->game = true;
        return span_is(text, "Terra-X") || refuse(d, TX_TAG, name);
    }
    if (span_is(name, "Players")) {
        if (!span_int(text, 2, SEATS, &seats))
            return refuse(d, TX_TAG, name);
        d->seats = (int)seats;
    } else if (span_is(name, "Map"))
        d->map = text;
    else if (span_is(name, "Options"))
        d->options = text;
    else if (span_is(name, "First"))
        d->first = text;
    else if (span_is(name, "Position"))
        d->position = text;
    else if (span_is(name, "Generator"))
        d->generator = text;
    return true;
}

/* "name=value;name=value"; each name once. */
static bool read_options(struct span text, int *option, struct fault *f)
{
    struct setup setup;
    setup_init(&terrax_game, &setup);
    if (text.length > 0 && text.at[text.length - 1] == ';')
        return fault_span(f, TX_OPTION, 0, 0, text.at, text.length);
    while (text.length > 0) {
        struct span value = span_trim(span_cut(&text, ';')), item = value;
        struct span name = span_cut(&value, '=');
        int before[GAME_OPTIONS], changed = 0;
        memcpy(before, setup.option, sizeof before);
        for (int i = 0; i < OPT_COUNT; i++)
            if (span_is(name, terrax_options[i].name) &&
                setup.option[i] != OPTION_UNSET)
                changed = 1;
        if (changed || name.length == item.length ||
            !setup_option(&terrax_game, &setup, name, value, f))
            return fault_span(f, TX_OPTION, 0, 0, item.at, item.length);
    }
    memcpy(option, setup.option, sizeof setup.option);
    return true;
}

/* The map comes from #| lines, from what the caller gives, or is our own. */
static bool load_map(struct reader *d)
{
    struct world *w = d->r->world;
    struct given map;
    if (w->own_map) /* read from #| lines */
        return tx_map_read(w, MISSIONS, d->f);
    w->own_map = given_find(d->r->setup.given, "map", &map);
    if (!w->own_map)
        tx_map_load_default(w);
    else {
        int length = given_unfold(map.value, w->text, sizeof w->text);
        if (length >= MAP_BYTES)
            return fault_set(d->f, FAULT_SIZE, 0, 0, "map");
        w->text_length = (uint32_t)length;
    }
    return tx_map_read(w, MISSIONS, d->f);
}

static bool take_map_line(struct reader *d, struct span line)
{
    struct world *w = d->r->world;
    if (w->text_length + line.length >= MAP_BYTES)
        return fault_set(d->f, FAULT_SIZE, d->lines.number, 1, "map");
    line = after(line, 2);
    memcpy(w->text + w->text_length, line.at, line.length);
    w->text_length += (uint32_t)line.length;
    w->text[w->text_length++] = '\n';
    w->own_map = true;
    return true;
}

static bool finish_tags(struct reader *d)
{
    struct setup *setup = &d->r->setup;
    long first;
    if (!d->game || !d->seats)
        return refuse(d, TX_TAG, span_of(d->game ? "Players" : "Game"));
    if (!load_map(d))
        return false;
    if (d->map.at && !span_is(d->map, d->r->world->name))
        return refuse(d, TX_TAG, span_of("Map"));
    if (!d->options.at)
        d->options = span_of("");
    if (!read_options(d->options, setup->option, d->f) ||
        !tx_options_check(setup->option, d->seats, d->r->world->cards, d->f)) {
        d->f->line = d->lines.number;
        return false;
    }
    setup->seats = d->seats;
    bool random = setup->option[OPT_FIRST] == FIRST_RANDOM;
    if (random != (d->first.at != NULL) ||
        (random && !span_int(d->first, 1, d->seats, &first)))
        return refuse(d, TX_TAG, span_of("First"));
    return true;
}

/* ---- deal ---- */

static bool looks_like_card(struct span word)
{
    bool fits = true;
    for (size_t i = 0; i < word.length; i++)
        fits &= name_char(word.at[i], false) && word.at[i] != '_';
    return fits || span_is(word, "?");
}

/* `{ " " place }` after the key of a line. */
static bool cards_after(struct span line, size_t key, struct span *cards)
{
    *cards = after(line, key);
    bool fits = cards->length == 0 || *cards->at == ' ';
    *cards = span_trim(*cards);
    struct span rest = *cards, word;
    while ((word = span_word(&rest)).length > 0)
        fits &= looks_like_card(word);
    return fits;
}

static bool begin(struct reader *d)
{
    struct record *r = d->r;
    if (!terrax_prepare(r->world, &r->setup, d->f)) {
        d->f->line = d->lines.number;
        return false;
    }
    terrax_start(r->world, &r->setup, r->state);
    r->count = 0;
    return true;
}

static struct text given_begin(struct reader *d)
{
    struct record *r = d->r;
    struct text t = text_begin(r->given, r->given_cap);
    struct span map = {r->world->text, r->world->text_length};
    if (r->world->own_map)
        given_add(&t, "map", map);
    if (d->first.at)
        given_add(&t, "first", d->first);
    return t;
}

static bool given_end(struct reader *d, struct text *t)
{
    text_end(t);
    if (t->length >= d->r->given_cap)
        return fault_set(d->f, FAULT_SIZE, d->lines.number, 1, "");
    d->r->setup.given = t->length > 0 ? d->r->given : NULL;
    return begin(d);
}

/* A position stands in one tag, its lines joined by semicolons. */
static bool begin_position(struct reader *d)
{
    char lines[8192];
    if (d->position.length >= sizeof lines)
        return fault_set(d->f, FAULT_SIZE, d->lines.number, 1, "Position");
    span_copy(d->position, lines, sizeof lines);
    for (char *c = lines; *c; c++)
        if (*c == ';')
            *c = '\n';
    struct text t = given_begin(d);
    given_add(&t, "start", span_of(lines));
    if (!given_end(d, &t))
        return false;
    d->stage = d->r->state->phase == PHASE_MARK ? STAGE_MARKS : STAGE_TURNS;
    return true;
}

static bool has_hidden(struct span cards)
{
    return memchr(cards.at, '?', cards.length) != NULL;
}

/* Do the turns show swaps of this seat: 1, with the cards drawn; -1, as others
 * see them; 0, none at all? */
static int shows_swaps(struct span text, int seat)
{
    struct lines l = lines_of(text);
    struct span line;
    while (lines_next(&l, &line)) {
        struct span rest = line, number = span_cut(&rest, '.');
        long round, who;
        struct span word = span_word(&rest);
        if (!span_int(number, 1, UINT16_MAX, &round) ||
            !span_int(word, 1, SEATS, &who) || who != seat + 1)
            continue;
        while ((word = span_word(&rest)).length > 0) {
            struct span drawn = word;
            span_cut(&drawn, '/');
            if (starts(word, "$x"))
                return drawn.length > 0 && *drawn.at != '?' ? 1 : -1;
        }
    }
    return 0;
}

/* Whose view is it?  The one whose cards are all known; if that fits several
 * seats, the one whose swaps are shown; else a spectator's.  A hand of which
 * all cards are marked is known, but its swaps are not shown to others. */
static int viewer_of(const struct reader *d)
{
    int known = 0, one = 0;
    for (int seat = 0; seat < d->seats; seat++) {
        int shown = shows_swaps(d->lines.rest, seat);
        if (has_hidden(d->hand[seat]) || shown < 0)
            continue;
        known++;
        one = seat + 1;
        if (shown > 0)
            return seat + 1;
    }
    return known == 1 ? one : 0;
}

static bool finish_deal(struct reader *d)
{
    char key[8] = "hand 1";
    struct text t = given_begin(d);
    d->view = has_hidden(d->stack) || has_hidden(d->open);
    for (int seat = 0; seat < d->seats; seat++)
        d->view |= has_hidden(d->hand[seat]);
    if (d->view) {
        char digit[2] = {(char)('0' + viewer_of(d)), '\0'};
        given_add(&t, "view", span_of(digit));
    }
    for (int seat = 0; seat < d->seats; seat++) {
        key[5] = (char)('1' + seat);
        given_add(&t, key, d->hand[seat]);
    }
    given_add(&t, "open", d->open);
    given_add(&t, "stack", d->stack);
    if (d->generator.at)
        given_add(&t, "generator", d->generator);
    return given_end(d, &t);
}

/* The seat of "hand 3:", from 0 on; -1: no such line. */
static int hand_of(struct span line)
{
    bool fits = line.length > 6 && starts(line, "hand ") && line.at[6] == ':' &&
                line.at[5] >= '1' && line.at[5] < '1' + SEATS;
    return fits ? line.at[5] - '1' : -1;
}

static bool read_deal(struct reader *d, struct span line)
{
    int hand = hand_of(line);
    if (d->hands < d->seats) {
        if (hand != d->hands)
            return refuse(
                d, hand >= 0 || starts(line, "open:") ? TX_DEAL : TX_SYNTAX,
                line);
        return cards_after(line, 7, &d->hand[d->hands++]) ||
               refuse(d, TX_SYNTAX, line);
    }
    if (!d->open.at) {
        if (!starts(line, "open:"))
            return refuse(d, hand >= 0 ? TX_DEAL : TX_SYNTAX, line);
        return cards_after(line, 5, &d->open) || refuse(d, TX_SYNTAX, line);
    }
    if (!starts(line, "stack:"))
        return refuse(d, TX_SYNTAX, line);
    d->stage = STAGE_MARKS;
    return cards_after(line, 6, &d->stack) || refuse(d, TX_SYNTAX, line);
}

/* ---- comments that mean something ---- */

static bool end_turn(struct reader *d)
{
    const struct state *s = d->r->state;
    if (!d->running || s->phase == PHASE_OVER || s->phase == PHASE_CLAIMS)
        return true;
    if (s->phase == PHASE_SWAP)
        return refuse(d, TX_SWAP, span_of(""));
    if (s->base)
        return refuse(d, TX_BASE, span_of(""));
    d->running = false;
    return push_action(d, s->seat, ACT_END);
}

/* Is the game over with this turn, but for claims? */
static bool turn_is_last(const struct reader *d)
{
    struct state s = *d->r->state;
    if (!d->running || s.phase != PHASE_TURN || s.base)
        return false;
    terrax_apply(d->r->world, &s, s.seat, ACT_END);
    return s.phase == PHASE_CLAIMS;
}

/* The seat has no more claims after the end. */
static bool read_seat_end(struct reader *d, int seat)
{
    return !(d->r->state->waiting >> seat & 1) || push_action(d, seat, ACT_END);
}

static bool push_event(struct reader *d, struct step step)
{
    int before = d->r->state->seat, round = d->r->state->round;
    if (d->r->state->phase == PHASE_OVER && step.kind != STEP_TAKEOVER)
        return true;
    if (!push(d, step))
        return false;
    int phase = d->r->state->phase;
    if ((phase != PHASE_TURN && phase != PHASE_SWAP) ||
        d->r->state->seat != before || d->r->state->round != round)
        d->running = false;
    return true;
}

/* A word and perhaps a seat, as tx_skip_blanks() left them; what does not apply
 * here is a comment. */
static bool read_meant(struct reader *d, struct span *rest)
{
    struct span inside = after(*rest, 1);
    inside = span_cut(&inside, '}');
    *rest = after(*rest, inside.length + 2);
    struct span word = span_word(&inside), which = span_word(&inside);
    struct step step = {.seat = SEAT_NONE};
    if (span_is(word, "over"))
        return !turn_is_last(d) || end_turn(d);
    if (span_is(word, "stop")) {
        step.kind = STEP_STOP;
        for (int i = ENDING_RESIGN; i < ENDING_GAME; i++)
            if (span_is(which, terrax_endings[i]))
                step.reason = (uint8_t)i;
        which = span_word(&inside);
    } else
        step.kind = span_is(word, "drop") ? STEP_DROP : STEP_TAKEOVER;
    if (which.length > 0)
        step.seat = (int8_t)(*which.at - '1');
    if (step.seat >= d->seats)
        return true;
    if (span_is(word, "end"))
        return read_seat_end(d, step.seat);
    return push_event(d, step);
}

/* ---- marks ---- */

/* var_dealt (§13): the line repeats what was dealt. */
static bool read_dealt_marks(struct reader *d, struct span rest)
{
    const struct world *w = d->r->world;
    const struct state *s = d->r->state;
    for (int i = 0; i < w->seats * w->option[OPT_MARKERS]; i++) {
        int seat = (s->first + i) % w->seats;
        char wanted[8];
        struct text t = text_begin(wanted, sizeof wanted);
        text_int(&t, seat + 1);
        text_char(&t, ':');
        text_put(&t, tx_card_id(w, s->mark[seat][i / w->seats]));
        text_end(&t);
        struct span word = span_word(&rest);
        if (word.length > 0 && !tx_item_fits(w, word, true))
            return refuse(d, TX_SYNTAX, word);
        if (!span_is(word, wanted))
            return refuse(d, TX_MARKS, word);
    }
    rest = span_trim(rest);
    return rest.length == 0 ||
           refuse(d, tx_item_fits(w, rest, true) ? TX_MARKS : TX_SYNTAX, rest);
}

static bool listed(struct span cards, struct span id)
{
    struct span word;
    while ((word = span_word(&cards)).length > 0)
        if (word.length == id.length && memcmp(word.at, id.at, id.length) == 0)
            return true;
    return false;
}

static int count_words(struct span cards)
{
    int count = 0;
    while (span_word(&cards).length > 0)
        count++;
    return count;
}

/* var_choose (§13): chosen cards and those of open and stack are all cards. */
static bool chosen_fit(struct reader *d)
{
    const struct world *w = d->r->world;
    const struct state *s = d->r->state;
    int total = count_words(d->open) + count_words(d->stack);
    for (int seat = 0; seat < w->seats; seat++)
        for (int i = 0; i < s->marked[seat]; i++) {
            struct span id = span_of(tx_card_id(w, s->mark[seat][i]));
            if (listed(d->open, id) || listed(d->stack, id))
                return refuse(d, TX_DEAL, id);
            total++;
        }
    return total == w->cards || refuse(d, TX_DEAL, span_of("stack"));
}

static bool read_marks(struct reader *d, struct span line)
{
    struct record *r = d->r;
    if (!d->position.at && !finish_deal(d))
        return false;
    if (!starts(line, "marks:") || (line.length > 6 && line.at[6] != ' '))
        return refuse(d, TX_SYNTAX, line);
    struct span rest = after(line, 6);
    d->stage = STAGE_TURNS;
    if (r->world->option[VAR_DEALT])
        return read_dealt_marks(d, rest);
    for (;;) {
        tx_skip_blanks(&rest);
        if (rest.length == 0)
            break;
        if (tx_is_meant(rest)) {
            if (!read_meant(d, &rest))
                return false;
            continue;
        }
        action a;
        size_t used;
        int seat = r->state->seat;
        struct span tail = rest, item = span_cut(&tail, ' ');
        if (!tx_item_fits(r->world, rest, true))
            return refuse(d, TX_SYNTAX, item);
        if (!tx_read_item(r->world, r->state, seat, item, false, &a, &used,
                          d->f)) {
            d->f->line = d->lines.number;
            d->f->column = (int)(rest.at - line.at) + 1;
            return false;
        }
        if (!push_action(d, seat, a))
            return false;
        rest = after(rest, used);
    }
    return d->position.at || !r->world->option[VAR_CHOOSE] || chosen_fit(d);
}

/* ---- turns ---- */

/* "round.seat" at the head of a line. */
static bool read_number(struct reader *d, struct span *rest, long *round,
                        long *seat)
{
    struct span word = span_word(rest), number = span_cut(&word, '.');
    return (span_int(number, 1, INT32_MAX, round) &&
            span_int(word, 1, SEATS, seat)) ||
           refuse(d, TX_SYNTAX, number);
}

static bool begin_turn(struct reader *d, struct span *rest)
{
    const struct state *s = d->r->state;
    long round = 0, seat = 0;
    if (*rest->at == ' ')
        return refuse(d, TX_SYNTAX, *rest);
    if (!read_number(d, rest, &round, &seat))
        return false;
    if (s->phase == PHASE_MARK)
        return refuse(d, TX_MARKS, span_of(""));
    if (s->phase == PHASE_OVER || s->phase == PHASE_CLAIMS)
        return refuse(d, TX_OVER, span_of(""));
    if (d->running) {
        struct state next = *s;
        if (s->phase == PHASE_TURN)
            terrax_apply(d->r->world, &next, s->seat, ACT_END);
        if (next.phase == PHASE_TURN &&
            (next.round != round || next.seat != seat - 1))
            return refuse(d, TX_TURN, span_of(""));
    }
    if (!end_turn(d))
        return false;
    if (s->phase != PHASE_TURN)
        return refuse(d, TX_OVER, span_of(""));
    if (s->round != round || s->seat != seat - 1)
        return refuse(d, TX_TURN, span_of(""));
    d->started = d->running = true;
    return true;
}

static bool item_refused(struct reader *d, struct span line, struct span rest)
{
    d->f->line = d->lines.number;
    d->f->column += (int)(rest.at - line.at);
    return false;
}

/* The two steps of a swap.  In a record for others nothing but the notes tells
 * of the second. */
static bool read_swap(struct reader *d, struct span line, struct span *rest)
{
    struct record *r = d->r;
    int seat = r->state->seat;
    size_t used = 0;
    action a;
    struct span item = *rest;
    while (used < item.length && !memchr(" {(", item.at[used], 4))
        used++;
    item.length = used;
    if (!tx_read_item(r->world, r->state, seat, item, false, &a, &used, d->f))
        return item_refused(d, line, *rest);
    if (act_kind(a) != ACT_SWAP)
        return refuse(d, TX_SYNTAX, item);
    bool open = !d->view || r->state->view == seat + 1;
    if (open && !memchr(item.at, '/', item.length))
        return refuse(d, TX_SYNTAX, item);
    if (!push_action(d, seat, a))
        return false;
    *rest = after(*rest, used);
    if (open || (rest->length > 0 && *rest->at == '='))
        return true;
    if (!tx_read_hidden_keep(r->world, r->state, seat, *rest, &a, &used, d->f))
        return item_refused(d, line, *rest);
    *rest = after(*rest, used);
    return push_action(d, seat, a);
}

/* The reason in the line that follows, if that is a result; else 0. */
static int coming_reason(const struct reader *d)
{
    struct lines l = d->lines;
    struct span line;
    while (lines_next(&l, &line)) {
        if (line.length == 0 || *line.at == '#')
            continue;
        if (*line.at != '=')
            return 0;
        for (int i = END_CARDS; i < END_COUNT; i++)
            for (size_t at = 0; at + 4 < line.length; at++)
                if (starts(after(line, at), "end:") &&
                    starts(after(line, at + 4), terrax_endings[i]))
                    return i;
        return 0;
    }
    return 0;
}

/* The reason for which the game would end if the rest of the line, all of it
 * claims, came before the end of the turn; -1 if there is more than claims. */
static int reason_after_claims(const struct reader *d, struct span rest)
{
    const struct world *w = d->r->world;
    struct state s = *d->r->state;
    struct fault unused;
    for (;;) {
        action a;
        size_t used;
        tx_skip_blanks(&rest);
        if (rest.length == 0)
            break;
        int seat = rest.length > 1 && *rest.at == '!' ? rest.at[1] - '1' : -1;
        if (seat < 0 || seat >= w->seats ||
            !tx_read_item(w, &s, seat, rest, false, &a, &used, &unused))
            return -1;
        terrax_apply(w, &s, seat, a);
        rest = after(rest, used);
    }
    terrax_apply(w, &s, s.seat, ACT_END);
    return s.reason;
}

/* terrax §10, last claims: claims at the end of the last line may have been
 * made after the end of the game, and then do not change its reason. */
static bool end_before_claims(struct reader *d, struct span rest)
{
    const struct state *s = d->r->state;
    if (!d->running || s->phase != PHASE_TURN || s->base)
        return true;
    int reason = coming_reason(d), late = reason_after_claims(d, rest);
    if (!reason || late < 0 || late == reason)
        return true;
    struct state next = *s;
    terrax_apply(d->r->world, &next, s->seat, ACT_END);
    return next.reason != reason || end_turn(d);
}

static bool read_one(struct reader *d, struct span line, struct span *rest)
{
    struct record *r = d->r;
    int seat = r->state->seat;
    bool claim = *rest->at == '!';
    action a;
    size_t used;
    bool second = *rest->at == '=' && r->state->phase == PHASE_SWAP;
    if (!second && !tx_item_fits(r->world, *rest, false))
        return refuse(d, TX_SYNTAX, *rest);
    if (claim) {
        if (rest->at[1] - '1' < r->world->seats)
            seat = rest->at[1] - '1';
        if (!end_before_claims(d, *rest))
            return false;
    }
    if (!d->running && r->state->phase == PHASE_TURN)
        return refuse(d, TX_TURN, *rest);
    if (*rest->at == '(')
        return refuse(d, tx_note_reason(r->world, *rest), *rest);
    if (starts(*rest, "$x"))
        return read_swap(d, line, rest);
    if (!tx_read_item(r->world, r->state, seat, *rest, d->view, &a, &used,
                      d->f))
        return item_refused(d, line, *rest);
    *rest = after(*rest, used);
    if (act_kind(a) == ACT_END)
        d->running = false;
    return push_action(d, seat, a);
}

static bool read_turn(struct reader *d, struct span line)
{
    struct span rest = line;
    if (!begin_turn(d, &rest))
        return false;
    while (rest.length > 0) {
        bool second = *rest.at == '=' && d->r->state->phase == PHASE_SWAP;
        bool apart = *rest.at == ' ';
        tx_skip_blanks(&rest);
        if (rest.length == 0)
            break;
        if (!second && (!apart || *rest.at == '='))
            return refuse(d, TX_SYNTAX, rest);
        if (tx_is_meant(rest) ? !read_meant(d, &rest)
                              : !read_one(d, line, &rest))
            return false;
    }
    return true;
}

/* ---- result ---- */

static bool close_claims(struct reader *d)
{
    while (d->r->state->waiting)
        if (!push_action(d, __builtin_ctz(d->r->state->waiting), ACT_END))
            return false;
    return true;
}

/* The reason that "end:..." names; ENDING_NONE: none that there is. */
static int reason_named(struct span word)
{
    if (span_is(word, "end:aborted"))
        return ENDING_AGREED;
    for (int i = END_CARDS; i < END_COUNT; i++)
        if (starts(word, "end:") && span_is(after(word, 4), terrax_endings[i]))
            return i;
    return ENDING_NONE;
}

static bool finish(struct reader *d, int reason, struct span word)
{
    const struct state *s = d->r->state;
    if (!d->started)
        return refuse(d, s->phase == PHASE_MARK ? TX_MARKS : TX_RESULT, word);
    if (reason == ENDING_AGREED) {
        if (s->phase == PHASE_OVER)
            return s->reason < ENDING_GAME || refuse(d, TX_RESULT, word);
        return push(d, (struct step){STEP_STOP, SEAT_NONE, ENDING_AGREED, 0});
    }
    if (!end_turn(d) || !close_claims(d))
        return false;
    return (s->phase == PHASE_OVER && s->reason == reason) ||
           refuse(d, TX_RESULT, word);
}

static bool read_result(struct reader *d, struct span line)
{
    struct span rest = after(line, 1), word;
    long points[SEATS], seat;
    int count = 0;
    bool in_order = true;
    if (rest.length == 0 || *rest.at != ' ')
        return refuse(d, TX_SYNTAX, line);
    for (; !starts(word = span_word(&rest), "end:"); count++) {
        struct span value = word, number = span_cut(&value, ':');
        long score;
        if (!span_int(number, 1, SEATS, &seat) ||
            !span_int(value, INT32_MIN, INT32_MAX, &score))
            return refuse(d, TX_SYNTAX, word);
        in_order &= seat == count + 1;
        if (in_order)
            points[count] = score;
    }
    int reason = reason_named(word);
    if (!reason || span_trim(rest).length > 0)
        return refuse(d, TX_SYNTAX, word);
    if (!finish(d, reason, word))
        return false;
    in_order &= count == d->seats;
    for (int i = 0; i < d->seats; i++)
        if (!in_order || tx_points_of(d->r->world, d->r->state, i) != points[i])
            return refuse(d, TX_RESULT, line);
    d->stage = STAGE_DONE;
    return true;
}

/* ---- the whole file ---- */

/* Cuts off a comment: # at the start or after a blank, but not in braces. */
static struct span without_comment(struct span line)
{
    bool inside = false;
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] == '{')
            inside = true;
        else if (line.at[i] == '}')
            inside = false;
        else if (line.at[i] == '#' && !inside &&
                 (i == 0 || line.at[i - 1] == ' '))
            line.length = i;
    }
    return line;
}

static struct span without_blanks(struct span line)
{
    while (line.length > 0 && line.at[line.length - 1] == ' ')
        line.length--;
    return line;
}

/* The text of a tag, between its only two quotes, has no comments. */
static struct span tag_of(struct span line)
{
    struct span rest = line;
    span_cut(&rest, '"');
    span_cut(&rest, '"');
    size_t tag = line.length - rest.length;
    line.length = tag + without_comment(rest).length;
    return without_blanks(line);
}

/* The lines of a map follow one another, the first with its name. */
static bool is_map_line(struct reader *d, struct span line)
{
    bool begins = !d->r->world->own_map && starts(line, "#|map ");
    d->mapping = begins || (d->mapping && starts(line, "#|"));
    return d->mapping;
}

static bool read_line(struct reader *d, struct span line)
{
    if (line.length > 0 && *line.at == '[') {
        d->mapping = false;
        if (d->stage != STAGE_TAGS)
            return refuse(d, TX_SYNTAX, line);
        return read_tag(d, tag_of(line));
    }
    if (d->stage == STAGE_TAGS && is_map_line(d, line))
        return take_map_line(d, line);
    line = without_blanks(without_comment(line));
    if (line.length == 0)
        return true;
    if (d->stage == STAGE_TAGS) {
        d->stage = STAGE_DEAL;
        if (!finish_tags(d))
            return false;
        if (d->position.at && !begin_position(d))
            return false;
    }
    if (d->stage == STAGE_DEAL)
        return read_deal(d, line);
    if (d->stage == STAGE_MARKS)
        return read_marks(d, line);
    if (d->stage == STAGE_DONE)
        return refuse(d, TX_SYNTAX, line);
    return *line.at == '=' ? read_result(d, line) : read_turn(d, line);
}

static const char mark_of_order[] = "\xef\xbb\xbf"; /* not allowed (§17) */

/* By its first tag; or by hands of cards after any tags. */
static bool recognise(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    for (int i = 0; i < 1000 && lines_next(&l, &line); i++) {
        if (i == 0 && starts(line, mark_of_order))
            line = after(line, 3);
        if (starts(line, "[Game \"Terra-X\"]"))
            return true;
        if (line.length > 0 && *line.at != '#' && *line.at != '[')
            return starts(line, "hand 1:");
    }
    return false;
}

static bool read_end(struct reader *d)
{
    if (d->stage == STAGE_TAGS) {
        if (!finish_tags(d))
            return false;
        return d->position.at ? begin_position(d)
                              : refuse(d, TX_DEAL, span_of(""));
    }
    if (d->stage == STAGE_DEAL)
        return refuse(d, TX_DEAL, span_of(""));
    return d->stage != STAGE_MARKS || d->position.at ||
           (finish_deal(d) && refuse(d, TX_SYNTAX, span_of("marks")));
}

static bool read(const char *text, size_t length, struct record *r,
                 struct fault *f)
{
    struct span all = {text, length}, line;
    struct reader d = {.r = r, .f = f, .lines = lines_of(all)};
    d.notes = text_begin(r->notes, r->notes_cap);
    memset(r->world, 0, sizeof *r->world);
    r->count = 0;
    if (starts(all, mark_of_order))
        return fault_set(f, TX_SYNTAX, 1, 1, "byte order mark");
    const char *cr = length ? memchr(text, '\r', length) : NULL;
    size_t bad = length;
    span_utf8(all, &bad);
    while (lines_next(&d.lines, &line)) {
        if (cr && cr < d.lines.rest.at)
            return refuse(&d, TX_SYNTAX, span_of("CR"));
        if (bad < length && text + bad < d.lines.rest.at)
            return refuse(&d, TX_SYNTAX, span_of("UTF-8"));
        if (!read_line(&d, line))
            return false;
    }
    if (!read_end(&d))
        return false;
    text_end(&d.notes);
    return true;
}

/* ---- writing ---- */

struct writer {
    const struct record *r;
    struct text *t;
    int viewer;
    bool full;   /* everything is told */
    bool whole;  /* as much as the match knows */
    bool line;   /* a turn line is open */
    action swap; /* first half of a swap others have not seen finished */
    bool swap_shown;
};

static void write_tag(struct text *t, struct span name, struct span value)
{
    text_char(t, '[');
    text_bytes(t, name.at, name.length);
    text_put(t, " \"");
    for (size_t i = 0; i < value.length; i++)
        text_char(t, value.at[i] == '"' ? '\'' : value.at[i]);
    text_put(t, "\"]\n");
}

/* Does the option differ from its default, or from what a variant makes of
 * it? (§12) */
static bool option_listed(const struct setup *setup, int i)
{
    int option[GAME_OPTIONS];
    memcpy(option, setup->option, sizeof option);
    option[i] = OPTION_UNSET;
    return setup->option[i] != OPTION_UNSET &&
           setup->option[i] != tx_option_value(option, i, setup->seats);
}

static void write_option(const struct setup *setup, int i, struct text *t)
{
    char value[32];
    if (!option_listed(setup, i))
        return;
    setup_write_value(&terrax_options[i], setup->option[i], value,
                      sizeof value);
    text_put(t, t->length > 0 ? ";" : "");
    text_put(t, terrax_options[i].name);
    text_char(t, '=');
    text_put(t, value);
}

/* In the order in which they were read; if they have changed, in the usual
 * one. */
static void write_options(const struct writer *d, struct span found,
                          struct text *t)
{
    const struct setup *setup = &d->r->setup;
    int option[GAME_OPTIONS];
    struct fault unused;
    bool same = found.at && read_options(found, option, &unused) &&
                memcmp(option, setup->option, sizeof option) == 0;
    while (same && found.length > 0) {
        struct span value = span_trim(span_cut(&found, ';'));
        struct span name = span_cut(&value, '=');
        for (int i = 0; i < OPT_COUNT; i++)
            if (span_is(name, terrax_options[i].name))
                write_option(setup, i, t);
    }
    for (int i = 0; i < OPT_COUNT && !same; i++)
        write_option(setup, i, t);
}

static void write_position_tag(const struct writer *d)
{
    char lines[8192];
    struct state seen = *d->r->state;
    if (!d->full)
        terrax_observe(d->r->world, &seen, d->viewer, &seen);
    terrax_write_state(d->r->world, &seen, lines, sizeof lines);
    size_t length = strlen(lines);
    for (size_t i = 0; i < length; i++)
        if (lines[i] == '\n')
            lines[i] = ';';
    struct span value = {lines, length - 1};
    write_tag(d->t, span_of("Position"), value);
}

/* A tag whose value follows from the match; false if it is none of these. */
static bool write_own_tag(const struct writer *d, struct span name,
                          struct span found)
{
    char value[512];
    struct text t = text_begin(value, sizeof value);
    const struct world *w = d->r->world;
    if (span_is(name, "Game"))
        text_put(&t, "Terra-X");
    else if (span_is(name, "Map"))
        text_put(&t, w->name);
    else if (span_is(name, "Players"))
        text_int(&t, w->seats);
    else if (span_is(name, "Options"))
        write_options(d, found, &t);
    else if (span_is(name, "First") && w->option[OPT_FIRST] == FIRST_RANDOM)
        text_int(&t, d->r->state->first + 1);
    else
        return span_is(name, "First") || span_is(name, "Position") ||
               span_is(name, "Generator");
    text_end(&t);
    if (value[0])
        write_tag(d->t, name, span_of(value));
    return true;
}

static bool find_note(const struct record *r, const char *key)
{
    struct lines l = lines_of(span_of(r->notes));
    struct span line;
    while (lines_next(&l, &line))
        if (span_is(span_cut(&line, ':'), key))
            return true;
    return false;
}

static bool tag_name(struct span name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!name_char(name.at[i], i == 0))
            return false;
    return name.length > 0;
}

static void write_tags(const struct writer *d)
{
    static const char *const head[] = {"Game", "Map", "Players"};
    static const char *const tail[] = {"Options", "First"};
    const struct record *r = d->r;
    struct span none = {NULL, 0};
    struct lines l = lines_of(span_of(r->notes));
    struct span line;
    bool fresh = !find_note(r, "Game");
    for (int i = 0; i < 3 && fresh; i++)
        write_own_tag(d, span_of(head[i]), none);
    while (lines_next(&l, &line)) {
        struct span value = line, name = span_cut(&value, ':');
        if (value.length > 0 && *value.at == ' ')
            value = after(value, 1);
        if (tag_name(name) &&
            !(fresh && (span_is(name, "Map") || span_is(name, "Players"))) &&
            !write_own_tag(d, name, value))
            write_tag(d->t, name, value);
    }
    for (int i = 0; i < 2; i++)
        if (!find_note(r, tail[i]))
            write_own_tag(d, span_of(tail[i]), none);
}

static void write_map(const struct writer *d)
{
    const struct world *w = d->r->world;
    if (!w->own_map)
        return;
    struct lines l = lines_of((struct span){w->text, w->text_length});
    struct span line;
    while (lines_next(&l, &line)) {
        text_put(d->t, "#|");
        text_bytes(d->t, line.at, line.length);
        text_char(d->t, '\n');
    }
}

/* Has the hand been open to the viewer from the start?  In a view that is
 * written as it was read, whatever hand it shows was. */
static bool hand_open(const struct writer *d, int seat)
{
    bool known = d->r->state->view && d->whole &&
                 set_count(d->r->state->hand[seat]) == d->r->state->held[seat];
    return d->full || seat == d->viewer || known ||
           d->r->world->option[VAR_OPENHANDS];
}

/* Cards marked in the marker phase, in order; all steps but marks end it. */
static int marked_cards(const struct record *r, int seat, uint8_t *cards)
{
    int count = r->state->marked[seat];
    memcpy(cards, r->state->mark[seat], (size_t)count);
    if (r->state->phase != PHASE_MARK)
        return count;
    for (int i = 0; i < r->count; i++) {
        const struct step *step = &r->steps[i];
        if (step->kind == STEP_ACTION && act_kind(step->action) == ACT_MARK &&
            step->seat == seat && act_card_of(step->action) < r->world->cards)
            cards[count++] = (uint8_t)act_card_of(step->action);
    }
    return count;
}

static void write_cards(const struct world *w, const uint8_t *cards, int count,
                        struct text *t)
{
    for (int i = 0; i < count; i++) {
        text_char(t, ' ');
        text_put(t, tx_card_id(w, cards[i]));
    }
}

/* An open hand in the order of the deal, if that is given. */
static void write_open_hand(const struct writer *d, int seat)
{
    const struct state *s = d->r->state;
    const struct world *w = d->r->world;
    char key[8] = "hand 1";
    struct given given;
    key[5] = (char)('1' + seat);
    if (given_find(d->r->setup.given, key, &given) &&
        !has_hidden(given.value)) {
        struct span word;
        while ((word = span_word(&given.value)).length > 0) {
            text_char(d->t, ' ');
            text_bytes(d->t, word.at, word.length);
        }
        return;
    }
    write_cards(w, s->mark[seat], s->marked[seat], d->t);
    SET_EACH(card, s->hand[seat])
    if (!set_has(s->marker[seat], card)) {
        uint8_t one = (uint8_t)card;
        write_cards(w, &one, 1, d->t);
    }
}

static void write_hand(const struct writer *d, int seat)
{
    const struct world *w = d->r->world;
    uint8_t cards[2 * MARKERS];
    text_put(d->t, "hand ");
    text_int(d->t, seat + 1);
    text_char(d->t, ':');
    if (w->option[VAR_CHOOSE])
        ;
    else if (hand_open(d, seat))
        write_open_hand(d, seat);
    else {
        int count = marked_cards(d->r, seat, cards);
        write_cards(w, cards, count, d->t);
        for (; count < d->r->state->held[seat]; count++)
            text_put(d->t, " ?");
    }
    text_char(d->t, '\n');
}

/* The state in which open row and stack lie as a record shows them: with
 * var_choose that is after the marker phase. */
static void state_of_deal(const struct record *r, struct state *s)
{
    *s = *r->state;
    for (int i = 0; i < r->count && s->phase == PHASE_MARK; i++) {
        const struct step *step = &r->steps[i];
        if (step->kind == STEP_ACTION)
            terrax_apply(r->world, s, step->seat, step->action);
        else if (step->kind == STEP_DROP)
            terrax_drop(r->world, s, step->seat);
    }
}

/* var_choose: a game still in its marker phase will draw from it. */
static void write_generator(const struct writer *d)
{
    char value[24];
    struct state s;
    state_of_deal(d->r, &s);
    if (!d->full || !s.generator)
        return;
    struct text t = text_begin(value, sizeof value);
    text_hex(&t, s.generator);
    text_end(&t);
    write_tag(d->t, span_of("Generator"), span_of(value));
}

static void write_deal(const struct writer *d)
{
    const struct world *w = d->r->world;
    struct state s = *d->r->state;
    bool choose = w->option[VAR_CHOOSE];
    if (choose)
        write_generator(d);
    for (int seat = 0; seat < w->seats; seat++)
        write_hand(d, seat);
    if (choose)
        state_of_deal(d->r, &s);
    text_put(d->t, "open:");
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++)
        if (s.open[i] != NO_CARD)
            write_cards(w, &s.open[i], 1, d->t);
    text_put(d->t, "\nstack:");
    for (int i = s.stacked - 1; i >= 0; i--) {
        uint8_t card = d->full ? s.stack[i] : ANY_CARD;
        write_cards(w, &card, 1, d->t);
    }
    text_char(d->t, '\n');
}

static void write_dealt_marks(const struct writer *d)
{
    const struct world *w = d->r->world;
    const struct state *s = d->r->state;
    for (int i = 0; i < w->seats * w->option[OPT_MARKERS]; i++) {
        int seat = (s->first + i) % w->seats;
        text_char(d->t, ' ');
        text_int(d->t, seat + 1);
        text_char(d->t, ':');
        text_put(d->t, tx_card_id(w, s->mark[seat][i / w->seats]));
    }
}

static void write_turn_number(struct writer *d)
{
    const struct state *s = d->r->state;
    text_int(d->t, s->round);
    text_char(d->t, '.');
    text_int(d->t, s->seat + 1);
    d->line = true;
}

static void write_drawn(const struct writer *d)
{
    const struct state *s = d->r->state;
    for (int i = 0; i < s->drawn_count; i++) {
        text_char(d->t, i ? ',' : '/');
        text_put(d->t, tx_card_id(d->r->world, s->drawn[i]));
    }
}

/* A swap of a seat whose cards the viewer does not see: written only when it
 * is finished (terrax §17). */
static void write_hidden_swap(const struct writer *d, action kept)
{
    const struct world *w = d->r->world;
    int given = act_card_of(d->swap);
    text_put(d->t, " $x");
    text_put(d->t, d->swap_shown ? tx_card_id(w, given) : "?");
    text_put(d->t, d->swap_shown ? "/?" : "");
    if (w->option[VAR_OPENHANDS] && d->swap_shown) {
        text_char(d->t, '=');
        text_put(d->t, tx_card_id(w, act_card_of(kept)));
    }
}

/* Is the end that step `at` makes plain from what a reader sees?  At the end of
 * a turn it is not if claims follow that fit before it too; in the last claims
 * it is if all seats still asked end in order from here. */
static bool end_is_plain(const struct writer *d, int at)
{
    const struct record *r = d->r;
    struct state s = *r->state, early = s;
    bool turn = s.phase == PHASE_TURN, claims = false;
    if (!turn && __builtin_ctz(s.waiting) != r->steps[at].seat)
        return false;
    terrax_apply(r->world, &s, r->steps[at].seat, ACT_END);
    for (int i = at + 1; i < r->count && s.phase == PHASE_CLAIMS; i++) {
        const struct step *step = &r->steps[i];
        if (step->kind != STEP_ACTION)
            return false;
        bool claim = act_kind(step->action) == ACT_CLAIM;
        if (claim && turn)
            terrax_apply(r->world, &early, step->seat, step->action);
        else if (!turn && (claim || __builtin_ctz(s.waiting) != step->seat))
            return false;
        claims |= claim;
        terrax_apply(r->world, &s, step->seat, step->action);
    }
    if (s.phase ==
        PHASE_CLAIMS) /* broken off: no result will tell of the end */
        return false;
    if (!turn)
        return s.phase == PHASE_OVER;
    terrax_apply(r->world, &early, early.seat, ACT_END);
    return !claims || early.reason != s.reason;
}

static void write_end(struct writer *d, int at)
{
    const struct state *s = d->r->state;
    const struct step *step = &d->r->steps[at];
    if (s->phase == PHASE_TURN && s->base) {
        text_put(d->t, " --");
    } else if (!end_is_plain(d, at)) {
        text_put(d->t, s->phase == PHASE_TURN ? " {over}" : " {end ");
        if (s->phase != PHASE_TURN) {
            text_int(d->t, step->seat + 1);
            text_char(d->t, '}');
        }
    }
}

static void write_action_step(struct writer *d, int at)
{
    const struct world *w = d->r->world;
    const struct step *step = &d->r->steps[at];
    struct state *s = d->r->state, before = *s;
    int kind = act_kind(step->action), seat = step->seat;
    bool open = d->full || seat == d->viewer;
    action a = step->action;
    if (kind == ACT_END)
        write_end(d, at);
    terrax_apply(w, s, seat, a);
    if (kind == ACT_SWAP && !open) {
        int card = act_card_of(a);
        d->swap = a;
        d->swap_shown = card < w->cards && set_has(before.shown, card);
        return;
    }
    if (kind == ACT_KEEP && !open)
        write_hidden_swap(d, a);
    else if (kind != ACT_END) {
        if (kind != ACT_KEEP)
            text_char(d->t, ' ');
        if (kind == ACT_SWAP) {
            text_put(d->t, "$x");
            text_put(d->t, tx_card_id(w, act_card_of(a)));
            write_drawn(d);
            return;
        }
        /* without what a view was told: the notes say it */
        if (kind != ACT_KEEP && kind != ACT_MARK && kind != ACT_CLAIM &&
            kind != ACT_LATE)
            a &= 0x7fff;
        tx_write_action(w, &before, seat, a, RECORD_FULL, d->t);
    }
    tx_write_notes(w, &before, s, seat, step->action, d->t);
}

static void write_meant(const struct writer *d, const struct step *step)
{
    static const char *const names[] = {[STEP_DROP] = "drop",
                                        [STEP_STOP] = "stop",
                                        [STEP_TAKEOVER] = "takeover"};
    if (step->kind == STEP_STOP && step->seat == SEAT_NONE &&
        step->reason == ENDING_AGREED && d->r->state->phase != PHASE_MARK)
        return;
    text_put(d->t, " {");
    text_put(d->t, names[step->kind]);
    if (step->kind == STEP_STOP) {
        text_char(d->t, ' ');
        text_put(d->t, terrax_endings[step->reason]);
    }
    if (step->seat != SEAT_NONE) {
        text_char(d->t, ' ');
        text_int(d->t, step->seat + 1);
    }
    text_char(d->t, '}');
}

static bool marking(const struct record *r)
{
    return r->state->phase == PHASE_MARK;
}

static void write_steps(struct writer *d)
{
    const struct record *r = d->r;
    const struct state *s = r->state;
    if (s->phase == PHASE_TURN || s->phase == PHASE_SWAP)
        write_turn_number(d);
    for (int i = 0; i < r->count; i++) {
        const struct step *step = &r->steps[i];
        int round = s->round, seat = s->seat;
        bool marked = marking(r);
        if (step->kind == STEP_ACTION)
            write_action_step(d, i);
        else {
            write_meant(d, step);
            play(r, step);
        }
        marked = marked && !marking(r);
        if (s->phase == PHASE_TURN &&
            (marked || s->round != round || s->seat != seat)) {
            text_char(d->t, '\n');
            write_turn_number(d);
        }
    }
    text_char(d->t, '\n');
}

static void write_result(const struct writer *d)
{
    const struct state *s = d->r->state;
    if (s->phase != PHASE_OVER || !d->line)
        return;
    text_char(d->t, '=');
    for (int seat = 0; seat < d->r->world->seats; seat++) {
        text_char(d->t, ' ');
        text_int(d->t, seat + 1);
        text_char(d->t, ':');
        text_int(d->t, tx_points_of(d->r->world, s, seat));
    }
    text_put(d->t, " end:");
    text_put(d->t,
             s->reason < ENDING_GAME ? "aborted" : terrax_endings[s->reason]);
    text_char(d->t, '\n');
}

static int write(const struct record *r, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct writer d = {.r = r, .t = &t, .viewer = viewer};
    struct given given;
    int view = r->state->view;
    d.full = d.whole = viewer == RECORD_FULL;
    if (view) { /* nobody can tell more than this view knows */
        d.full = false;
        d.whole |= viewer == view - 1 || view == VIEW_SPECTATOR;
        d.viewer = d.whole && view != VIEW_SPECTATOR ? view - 1 : SEAT_NONE;
    }
    write_map(&d);
    write_tags(&d);
    if (given_find(r->setup.given, "start", &given)) {
        write_position_tag(&d);
        if (r->state->phase == PHASE_MARK)
            text_put(&t, "marks:");
    } else {
        write_deal(&d);
        text_put(&t, "marks:");
        if (r->world->option[VAR_DEALT])
            write_dealt_marks(&d);
        if (r->state->phase == PHASE_TURN)
            text_char(&t, '\n');
    }
    write_steps(&d);
    write_result(&d);
    return text_end(&t);
}

/* ---- positions ---- */

static bool recognise_position(const char *text, size_t length)
{
    return starts((struct span){text, length}, "game: terrax\n");
}

static bool read_position(const char *text, size_t length, struct record *r,
                          struct fault *f)
{
    size_t bad;
    if (!span_utf8((struct span){text, length}, &bad))
        return fault_set(f, FAULT_ENCODING, 0, 0, "");
    if (!recognise_position(text, length))
        return fault_set(f, FAULT_FORMAT, 1, 1, "");
    if (length >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    span_copy((struct span){text, length}, r->given, r->given_cap);
    if (!setup_read(&terrax_game, r->given, &r->setup, f))
        return false;
    if (r->setup.given) {
        memmove(r->given, r->setup.given, strlen(r->setup.given) + 1);
        r->setup.given = r->given;
    }
    if (!terrax_prepare(r->world, &r->setup, f))
        return false;
    terrax_start(r->world, &r->setup, r->state);
    r->count = 0;
    return true;
}

static int write_position(const struct record *r, int viewer, char *to,
                          size_t cap)
{
    const struct world *w = r->world;
    struct setup setup = r->setup;
    char lines[8192];
    setup.seed = 0;
    setup.given = NULL;
    for (int i = 0; i < r->count; i++)
        play(r, &r->steps[i]);
    if (viewer != RECORD_FULL)
        terrax_observe(w, r->state, viewer, r->state);
    struct text t = text_begin(to, cap);
    t.length = (size_t)setup_write(&terrax_game, &setup, to, cap);
    struct span map = {w->text, w->text_length};
    if (w->own_map)
        given_add(&t, "map", map);
    terrax_write_state(w, r->state, lines, sizeof lines);
    given_add(&t, "start", span_of(lines));
    return text_end(&t);
}

/* ---- maps ---- */

static bool recognise_map(const char *text, size_t length)
{
    struct lines l = lines_of((struct span){text, length});
    struct span line;
    return lines_next(&l, &line) && starts(line, "map ") &&
           lines_next(&l, &line) && span_is(line, "places");
}

/* A map is a match on it that has not begun. */
static bool read_map(const char *text, size_t length, struct record *r,
                     struct fault *f)
{
    struct world *w = r->world;
    if (length >= MAP_BYTES)
        return fault_set(f, FAULT_SIZE, 0, 0, "map");
    memset(w, 0, sizeof *w);
    memcpy(w->text, text, length);
    w->text_length = (uint32_t)length;
    if (!tx_map_read(w, MISSIONS, f))
        return false;
    struct text t = text_begin(r->given, r->given_cap);
    given_add(&t, "map", (struct span){text, length});
    text_end(&t);
    if (t.length >= r->given_cap)
        return fault_set(f, FAULT_SIZE, 0, 0, "map");
    r->setup.given = r->given;
    if (!terrax_prepare(w, &r->setup, f))
        return false;
    terrax_start(w, &r->setup, r->state);
    r->count = 0;
    return true;
}

static int write_map_text(const struct record *r, int viewer, char *to,
                          size_t cap)
{
    (void)viewer;
    struct text t = text_begin(to, cap);
    text_bytes(&t, r->world->text, r->world->text_length);
    return text_end(&t);
}

const struct record_format terrax_formats[] = {
    {"txg", ".txg", "a whole game, or one seat's view of it", recognise, read,
     write},
    {"position", ".position", "one position", recognise_position, read_position,
     write_position},
    {"map", ".map", "the map of a match", recognise_map, read_map,
     write_map_text},
    {0},
};
