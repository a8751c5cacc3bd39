/* cli/request.c: from what was asked for to a setup, a match, a position. */
#include "cli/cli.h"

#include "game/setup.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the setup ---- */

/* What `given` is made of while it grows. */
struct making {
    const struct game *game;
    struct setup *setup;
    struct buffer *given;
    size_t length;
};

static void give(struct making *m, const char *key, struct span value)
{
    struct text t;
    do {
        size_t room = m->given->cap - m->length;
        t = text_begin(room ? m->given->to + m->length : NULL, room);
        given_add(&t, key, value);
        text_end(&t);
    } while (buffer_short(m->given, (int)(m->length + t.length)));
    m->length += t.length;
    m->setup->given = m->given->to;
}

/* The values an option can have, for messages. */
static void write_values(const struct option *o, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    if (o->kind == OPTION_NUMBER) {
        text_int(&t, o->low);
        text_put(&t, " to ");
        text_int(&t, o->high);
    } else {
        for (int i = 0; o->choices[i]; i++) {
            text_put(&t, i ? ", " : "");
            text_put(&t, o->choices[i]);
        }
    }
    text_end(&t);
}

static _Noreturn void refuse_option(const struct game *game, const char *text,
                                    struct span name, const struct fault *f)
{
    char key[64], values[512];
    span_copy(name, key, sizeof key);
    int i = setup_find(game, key);
    if (f->code == FAULT_OPTION || i < 0)
        die(STATUS_USAGE, "%s has no option '%s'; 'terra games' lists them",
            game->name, key);
    write_values(&game->options[i], values, sizeof values);
    die(STATUS_USAGE, "option '%s' of %s cannot be '%s', but: %s", key,
        game->name, text, values);
}

static void set_option(const struct game *game, struct setup *setup,
                       const char *text)
{
    struct fault f;
    struct span value = span_of(text), name = span_cut(&value, '=');
    if (!setup_option(game, setup, name, value, &f))
        refuse_option(game, value.at, name, &f);
}

static void need_seats(const struct game *game, int seats)
{
    if (seats < game->seats_min || seats > game->seats_max)
        die(STATUS_USAGE, "%s is for %d to %d seats, not %d", game->name,
            game->seats_min, game->seats_max, seats);
}

/* "human,random": how many, or 0 if it is no such list. */
static int count_players(const char *text)
{
    int count = 0;
    struct span rest = span_of(text);
    do {
        struct span name = span_cut(&rest, ',');
        if (!player_find(name.at, name.length))
            return 0;
        count++;
    } while (rest.length > 0);
    return count;
}

static bool letters(const char *text)
{
    size_t i = 0;
    while (islower((unsigned char)text[i]))
        i++;
    return i > 0 && !text[i];
}

static void set_seats(struct making *m, const char *text)
{
    long number;
    int count = count_players(text);
    if (count == 0 && span_int(span_of(text), 0, 99, &number)) {
        count = (int)number;
    } else if (count == 0 && letters(text) && strlen(text) <= GAME_SEATS) {
        count = (int)strlen(text);
        give(m, "seats", span_of(text));
    } else if (count == 0) {
        die(STATUS_USAGE,
            "--seats '%s' is no number and no list of players (%s)", text,
            player_names());
    }
    need_seats(m->game, count);
    m->setup->seats = count;
}

static void set_seed(struct setup *setup, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long seed = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || *end || errno)
        die(STATUS_USAGE, "seed '%s' is no number", text);
    setup->seed = seed;
}

/* A file that the game itself can read, a board say, is checked first: its
 * reader knows lines and columns. */
static void check_file(const struct making *m, const char *key,
                       const char *name, const char *text, size_t length)
{
    struct fault f;
    size_t bad;
    const struct record_format *format = match_format(m->game, key);
    if (!format || !format->read) {
        if (span_utf8((struct span){text, length}, &bad))
            return;
        fault_set(&f, FAULT_ENCODING, 0, 0, "");
        exit(say_fault(m->game, name, &f));
    }
    struct match *match = match_read(m->game, format, text, length, NULL, &f);
    if (!match)
        exit(say_fault(m->game, name, &f));
    match_close(match);
}

static void give_file(struct making *m, const char *key, const char *name)
{
    size_t length;
    char *text = file_read(name, &length);
    if (!text)
        exit(STATUS_USAGE);
    check_file(m, key, name, text, length);
    give(m, key, (struct span){text, length});
    free(text);
}

/* --board and --map take the name of a printed one, too. */
static void lay(struct making *m, const char *key, const char *name)
{
    struct fault f;
    struct setup tried = *m->setup;
    if (access(name, F_OK) == 0 || strcmp(name, "-") == 0 ||
        setup_find(m->game, key) < 0)
        give_file(m, key, name);
    else if (setup_option(m->game, &tried, span_of(key), span_of(name), &f))
        *m->setup = tried;
    else
        die(STATUS_USAGE,
            "there is no file '%s', and %s has no %s of that name; "
            "'terra games' lists them",
            name, m->game->name, key);
}

static void give_item(struct making *m, const char *text, bool file)
{
    char key[64];
    struct span value = span_of(text);
    span_copy(span_cut(&value, '='), key, sizeof key);
    if (file)
        give_file(m, key, value.at);
    else
        give(m, key, value);
}

void request_setup(const struct request *r, const struct game *game,
                   struct setup *setup, struct buffer *given)
{
    setup_init(game, setup);
    struct making m = {game, setup, given, 0};
    for (int i = 0; i < r->options; i++)
        set_option(game, setup, r->option[i]);
    if (r->seats)
        set_seats(&m, r->seats);
    if (r->seed)
        set_seed(setup, r->seed);
    if (r->board)
        lay(&m, "board", r->board);
    if (r->map)
        lay(&m, "map", r->map);
    for (int i = 0; i < r->givens; i++)
        give_item(&m, r->given[i], r->given_file[i]);
    if (r->position)
        give(&m, "start", span_of(r->position));
}

static bool same_fault(const struct fault *a, const struct fault *b)
{
    return a->code == b->code && a->column == b->column;
}

/* Of the faults found with each number of seats, the one to tell: numbers that
 * do not fit are all refused alike, so it is the odd one out. */
static struct fault odd_fault(const struct fault *faults, int count)
{
    for (int i = 0; i < count; i++) {
        int like = 0;
        for (int k = 0; k < count; k++)
            like += same_fault(&faults[i], &faults[k]);
        if (like == 1)
            return faults[i];
    }
    return faults[0];
}

/* A position tells by itself how many play, but a setup has to say it: where
 * --seats does not, the number that fits is found by trying. */
static struct match *open_any(const struct game *game, struct setup *setup,
                              struct fault *f)
{
    struct fault faults[GAME_SEATS + 1];
    int count = 0;
    for (int i = game->seats_min; i <= game->seats_max; i++) {
        setup->seats = i;
        struct match *m = match_open(game, setup, &faults[count++]);
        if (m)
            return m;
    }
    *f = odd_fault(faults, count);
    return NULL;
}

/* `start` is where a match begins; NULL begins as usual. */
static struct match *open_from(const struct request *r, const struct game *game,
                               const char *start, struct fault *f)
{
    struct request changed = *r;
    struct setup setup;
    struct buffer given = {0};
    changed.position = start;
    request_setup(&changed, game, &setup, &given);
    struct match *m = start && !r->seats ? open_any(game, &setup, f)
                                         : match_open(game, &setup, f);
    buffer_release(&given);
    return m;
}

static _Noreturn void refuse_match(const struct request *r,
                                   const struct game *game, struct fault *f)
{
    f->line = 0; /* of lines nobody has seen */
    if (f->code == FAULT_GIVEN)
        f->column = 0;
    int status = say_fault(game, r->position ? "position" : NULL, f);
    exit(r->position ? status : STATUS_USAGE);
}

/* A position no match can begin from, but legal all the same: finished. */
static struct match *open_beside(const struct request *r,
                                 const struct game *game, struct state *s)
{
    struct fault f;
    struct request changed = *r;
    char number[16];
    for (int seats = game->seats_min; seats <= game->seats_max; seats++) {
        snprintf(number, sizeof number, "%d", seats);
        changed.seats = r->seats ? r->seats : number;
        struct match *m = open_from(&changed, game, NULL, &f);
        if (m && game->read_state(match_world(m), r->position, s, &f))
            return m;
        match_close(m);
    }
    return NULL;
}

/* The position as its file would hold it, with the board's name say. */
static struct match *open_format(const struct request *r,
                                 const struct game *game)
{
    struct fault f;
    struct setup setup;
    struct buffer given = {0};
    struct request changed = *r;
    struct match *m = NULL;
    size_t length = strlen(r->position);
    changed.position = NULL;
    request_setup(&changed, game, &setup, &given);
    for (const struct record_format *i = game->formats; !m && i->name; i++)
        if (i->read && i->recognise(r->position, length))
            m = match_read(game, i, r->position, length, &setup, &f);
    buffer_release(&given);
    return m;
}

struct match *request_match(const struct request *r, const struct game *game)
{
    struct fault f;
    struct match *m = open_from(r, game, r->position, &f);
    if (!m && r->position)
        m = open_format(r, game);
    if (!m)
        refuse_match(r, game, &f);
    return m;
}

struct match *request_state(const struct request *r, const struct game *game,
                            struct state **state)
{
    struct fault f;
    *state = need(calloc(1, game->state_size));
    struct match *m = open_from(r, game, r->position, &f);
    if (!m && r->position) {
        m = open_beside(r, game, *state);
        if (m)
            return m;
        m = open_format(r, game);
    }
    if (!m)
        refuse_match(r, game, &f);
    memcpy(*state, match_state(m), game->state_size);
    return m;
}
