/* rules/nova/record_write.c: game records as canonical text (nova §11.2). */
#include "rules/nova/record.h"

#include "game/setup.h"

/* ---- tags ---- */

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
    struct span value = nova_note(r, span_of(nova_tag_name[tag]));
    if (value.at)
        put_tag(t, nova_tag_name[tag], value);
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
    if (nova_note(r, span_of("Seed")).at) {
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
        if (span_is(key, nova_tag_name[tag]))
            return true;
    return false;
}

static void put_other_notes(const struct record *r, struct text *t)
{
    struct lines l = lines_of(span_of(r->notes));
    struct span key, value;
    while (nova_next_note(&l, &key, &value))
        if (!known_tag(key) && nova_is_key(key))
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

/* ---- play ---- */

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

struct state nova_last_state(const struct record *r, int *quitter)
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

int nova_write_record(const struct record *r, int viewer, char *to, size_t cap)
{
    struct writer wr = {.r = r, .t = text_begin(to, cap)};
    int quitter;
    (void)viewer;
    if (r->world->board.bare)
        return -1;
    struct state last = nova_last_state(r, &quitter);
    put_tags(r, &last, quitter, &wr.t);
    text_char(&wr.t, '\n');
    write_drawn(&wr);
    for (int i = 0; i < r->count; i++)
        write_step(&wr, &r->steps[i]);
    end_line(&wr);
    return text_end(&wr.t);
}
