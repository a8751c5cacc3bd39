/* server/seats.c: tables before their match: create, join, fill, leave. */
#include "server/hub.h"

#include "game/setup.h"
#include "rules/rules.h"
#include "search/search.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 50 }; /* open or running, of one person */

/* ---- create ---- */

static const struct game *game_of(const char *setup)
{
    struct span rest = span_of(setup);
    struct span line = span_cut(&rest, '\n');
    char name[32] = "";
    if (span_is(span_cut(&line, ':'), "game"))
        span_copy(span_trim(line), name, sizeof name);
    return rules_find(name);
}

/* Where something is hidden nobody may fix it, and nobody knows the seed. */
static bool given_allowed(const struct game *game, const struct setup *setup,
                          bool rated)
{
    const char *at = setup->given;
    int line = 0;
    struct given g;
    while (given_next(&at, &line, &g)) {
        bool board = span_is(g.key, "board") || span_is(g.key, "map");
        if (rated || (game->observe && !board))
            return false;
    }
    return true;
}

static char *setup_text(const struct game *game, const struct setup *setup)
{
    int length = setup_write(game, setup, NULL, 0);
    char *text = sure(malloc((size_t)length + 1));
    setup_write(game, setup, text, (size_t)length + 1);
    return text;
}

/* The setup as it will be played, with a seed of our own; NULL after an
 * answer if it is refused. */
static char *read_setup(struct hub *h, const struct request *r,
                        const struct game **game, int *seats)
{
    const char *text = message_text(r->body, "setup", "");
    struct setup setup;
    struct fault f = {0};
    *game = game_of(text);
    if (!*game) {
        reply_error(h, r, "field", "the setup names no game");
        return NULL;
    }
    setup_init(*game, &setup);
    if (!setup_read(*game, text, &setup, &f)) {
        reply_fault(h, r, *game, &f);
        return NULL;
    }
    if (!given_allowed(*game, &setup, message_flag(r->body, "rated", false))) {
        reply_error(h, r, "field",
                    "only boards and maps can be given here, and none in "
                    "rated games");
        return NULL;
    }
    randombytes_buf(&setup.seed, sizeof setup.seed);
    struct match *m = match_open(*game, &setup, &f);
    if (!m) {
        reply_fault(h, r, *game, &f);
        return NULL;
    }
    match_close(m);
    *seats = setup.seats;
    return setup_text(*game, &setup);
}

static int tables_of(const struct hub *h, const struct user *u)
{
    int count = 0;
    size_t at = 0;
    for (const struct table *t; (t = dict_next(&h->tables, &at));)
        count += t->status != TABLE_OVER && table_seat(t, u) >= 0;
    return count;
}

static void read_pace(const json_t *body, struct pace *p)
{
    const char *name = message_text(body, "pace", "none");
    for (int i = PACE_NONE; i <= PACE_SLOW; i++)
        if (strcmp(pace_name((enum pace_kind)i), name) == 0)
            p->kind = (enum pace_kind)i;
    p->base_ms = 1000 * message_number(body, "base", 0);
    p->more_ms = 1000 * message_number(body, "more", 0);
    p->bot = strcmp(message_text(body, "timeout", "bot"), "bot") == 0;
}

/* Ratings are of accounts; a guest's name is anybody's tomorrow. */
static const char rated_who[] = "rated games are for accounts: sign in first",
                  rated_two[] = "a rated game needs two people";

static bool rated_for(const struct table *t, const struct user *u)
{
    return !t->rated || u->password;
}

/* Bots take the last seats. */
static bool seat_bots(struct table *t, const json_t *levels)
{
    size_t i;
    json_t *level;
    if ((int)json_array_size(levels) >= t->seats)
        return false;
    json_array_foreach(levels, i, level)
    {
        const char *name = json_string_value(level);
        if (!search_find(name, strlen(name)) || strlen(name) >= 16)
            return false;
        snprintf(t->seat[t->seats - 1 - (int)i].bot, 16, "%s", name);
    }
    return true;
}

static int bots_at(const struct table *t)
{
    int count = 0;
    for (int i = 0; i < t->seats; i++)
        count += t->seat[i].bot[0] != '\0';
    return count;
}

static int free_seats(const struct table *t)
{
    int count = 0;
    for (int i = 0; i < t->seats; i++)
        count += !t->seat[i].user && !t->seat[i].bot[0];
    return count;
}

/* A seat by chance: in these games the first seat matters. */
static void take_seat(struct table *t, struct user *u)
{
    int left = (int)randombytes_uniform((uint32_t)free_seats(t));
    for (int i = 0; i < t->seats; i++)
        if (!t->seat[i].user && !t->seat[i].bot[0] && left-- == 0)
            t->seat[i].user = u;
}

static void save_or_begin(struct hub *h, struct table *t, struct later *later)
{
    if (free_seats(t) == 0)
        table_begin(h, t, later);
    else
        table_save(h, t, later);
}

static struct table *table_made(struct hub *h, const struct user *owner,
                                const struct game *game, int seats)
{
    char id[ID_BYTES];
    id_new(id);
    struct table *t = table_new(h, id);
    t->game = game;
    table_seats(t, seats);
    t->created = hub_now(h);
    token_new(t->invite);
    memcpy(t->owner, owner->id, sizeof t->owner);
    return t;
}

static void discard(struct hub *h, struct table *t)
{
    dict_drop(&h->tables, t->id);
    table_release(t);
}

/* The name of what is wrong with a new table, and why; NULL: nothing. */
static const char *unfit(struct table *t, const struct request *r,
                         const char **why)
{
    bool clocked = t->pace.kind == PACE_NONE || t->pace.base_ms > 0;
    *why = "bots or clocks that cannot be";
    if (!clocked || !seat_bots(t, json_object_get(r->body, "bots")))
        return "field";
    *why = rated_who;
    if (!rated_for(t, r->user))
        return "who";
    *why = rated_two;
    return t->rated && t->seats - bots_at(t) < 2 ? "field" : NULL;
}

void on_create(struct hub *h, struct request *r)
{
    const struct game *game;
    int seats;
    if (tables_of(h, r->user) >= TABLES_MAX) {
        reply_error(h, r, "state", "you sit at too many tables already");
        return;
    }
    char *setup = read_setup(h, r, &game, &seats);
    if (!setup)
        return;
    struct table *t = table_made(h, r->user, game, seats);
    t->setup = sure(strdup(setup));
    free(setup);
    t->title = sure(strdup(message_text(r->body, "title", game->title)));
    t->hidden = message_flag(r->body, "hidden", false);
    t->rated = message_flag(r->body, "rated", false);
    read_pace(r->body, &t->pace);
    const char *why = "", *wrong = unfit(t, r, &why);
    if (wrong) {
        discard(h, t);
        reply_error(h, r, wrong, why);
        return;
    }
    take_seat(t, r->user);
    h->figures.opened++;
    save_or_begin(h, t, later_of(h, r));
}

/* ---- join, leave ---- */

static bool unwanted(const struct table *t, const struct user *u)
{
    for (int i = 0; i < t->seats; i++)
        if (user_blocks(t->seat[i].user, u))
            return true;
    return false;
}

static void join(struct hub *h, const struct request *r, struct table *t)
{
    if (t->status != TABLE_OPEN || free_seats(t) == 0)
        reply_error(h, r, "state", "no seat is free here");
    else if (table_seat(t, r->user) >= 0)
        reply_error(h, r, "state", "you sit here already");
    else if (!rated_for(t, r->user))
        reply_error(h, r, "who", rated_who);
    else if (unwanted(t, r->user))
        reply_error(h, r, "who", "somebody here does not want to play you");
    else if (tables_of(h, r->user) >= TABLES_MAX)
        reply_error(h, r, "state", "you sit at too many tables already");
    else {
        take_seat(t, r->user);
        save_or_begin(h, t, later_of(h, r));
    }
}

void on_join(struct hub *h, struct request *r)
{
    join(h, r, r->table);
}

void on_bot(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    const char *level = message_text(r->body, "level", "");
    if (t->status != TABLE_OPEN || free_seats(t) == 0) {
        reply_error(h, r, "state", "no seat is free here");
        return;
    }
    if (!search_find(level, strlen(level))) {
        reply_error(h, r, "field", "there is no such bot");
        return;
    }
    if (t->rated && t->seats - bots_at(t) <= 2) {
        reply_error(h, r, "state", rated_two);
        return;
    }
    for (int i = 0; i < t->seats; i++)
        if (!t->seat[i].user && !t->seat[i].bot[0]) {
            snprintf(t->seat[i].bot, sizeof t->seat[i].bot, "%s", level);
            break;
        }
    save_or_begin(h, t, later_of(h, r));
}

static int people_at(const struct table *t)
{
    int count = 0;
    for (int i = 0; i < t->seats; i++)
        count += t->seat[i].user && !t->seat[i].gone;
    return count;
}

/* Nobody is left: the table stays, but nobody will find it. */
static void abandon(struct table *t, int64_t at)
{
    t->status = TABLE_OVER;
    t->hidden = true;
    t->finished = at;
    t->result.reason = ENDING_ABANDONED;
}

/* What is left of a match when somebody goes. */
static void write_leaving(const struct table *t, int seat, char *line,
                          size_t cap)
{
    if (people_at(t) > 1)
        snprintf(line, cap, "takeover %d club", seat);
    else
        snprintf(line, cap, "stop %s %d", t->game->endings[ENDING_ABANDONED],
                 seat);
}

static void leave_match(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    char line[64];
    const char *lines[] = {line};
    struct fault f = {0};
    int64_t at = hub_now(h);
    write_leaving(t, r->seat, line, sizeof line);
    if (table_apply(t, at, line, &f))
        table_commit(h, t, lines, 1, at, later_of(h, r));
    else
        reply_fault(h, r, t->game, &f);
}

static void leave_open(const struct hub *h, struct table *t, int seat)
{
    t->seat[seat].user = NULL;
    t->seat[seat].rule[0] = '\0';
    if (people_at(t) == 0)
        abandon(t, hub_now(h));
}

void on_leave(struct hub *h, struct request *r)
{
    struct table *t = r->table;
    if (t->status == TABLE_OVER) {
        reply_error(h, r, "state", "this game is over");
    } else if (t->status == TABLE_RUNNING) {
        leave_match(h, r);
    } else {
        leave_open(h, t, r->seat);
        table_save(h, t, later_of(h, r));
    }
}

/* ---- those who are gone ---- */

static int forsaken_seat(const struct table *t)
{
    for (int i = 0; i < t->seats; i++) {
        const struct seat *s = &t->seat[i];
        if (s->user && (s->user->gone || s->user->banned) && !s->gone)
            return i;
    }
    return SEAT_NONE;
}

bool seats_forsaken(const struct table *t)
{
    return t->status != TABLE_OVER && forsaken_seat(t) >= 0;
}

bool seats_settle(struct hub *h, struct table *t)
{
    char line[64];
    int seat = forsaken_seat(t);
    bool running = t->status == TABLE_RUNNING;
    if (seat < 0 || t->status == TABLE_OVER || t->busy ||
        (running && !t->match))
        return false;
    if (running) {
        write_leaving(t, seat, line, sizeof line);
        table_decide(h, t, line);
    } else {
        leave_open(h, t, seat);
        table_save(h, t, NULL);
    }
    return t->busy;
}

/* Tables that are busy come here again when they are not. */
void seats_forsake(struct hub *h, const struct user *u)
{
    size_t at = 0;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (table_seat(t, u) < 0 || t->status == TABLE_OVER)
            continue;
        if (t->status == TABLE_RUNNING && !t->match)
            table_load(h, t);
        else
            seats_settle(h, t);
    }
}

/* ---- once more ---- */

static char *new_seed(const struct table *t)
{
    struct setup setup;
    struct fault f = {0};
    setup_init(t->game, &setup);
    if (!setup_read(t->game, t->setup, &setup, &f))
        return NULL;
    randombytes_buf(&setup.seed, sizeof setup.seed);
    return setup_text(t->game, &setup);
}

static void again(struct hub *h, struct request *r)
{
    const struct table *old = r->table;
    char *setup = new_seed(old);
    if (!setup) {
        reply_error(h, r, "state", "this setup cannot be played again");
        return;
    }
    struct table *t = table_made(h, r->user, old->game, old->seats);
    t->setup = sure(strdup(setup));
    free(setup);
    t->title = sure(strdup(old->title));
    t->hidden = old->hidden;
    t->rated = old->rated;
    t->pace = old->pace;
    for (int i = 0; i < old->seats; i++)
        if (!old->seat[i].user)
            memcpy(t->seat[i].bot, old->seat[i].bot, sizeof t->seat[i].bot);
    take_seat(t, r->user);
    memcpy(r->table->next, t->id, sizeof t->id);
    t->before = r->table; /* one commit: a game has one rematch */
    save_or_begin(h, t, later_of(h, r));
}

/* It was opened on another server, and this one has not heard of it yet; or it
 * is over, too. */
static bool look_for(struct hub *h, const struct request *r, const char *id)
{
    enum { LOOKS_MAX = 3 };
    if (!id[0] || ++r->link->again > LOOKS_MAX)
        return false;
    share_look(h, r->link, "match", id);
    request_hold(h, r);
    return true;
}

/* The first who wants it opens the next table, the others join it. */
void on_rematch(struct hub *h, struct request *r)
{
    const char *id = r->table->next;
    struct table *next = id[0] ? dict_find(&h->tables, id) : NULL;
    if (r->table->status != TABLE_OVER)
        reply_error(h, r, "state", "this game is not over yet");
    else if (next && next->busy)
        later_again(later_of(h, r), next);
    else if (next)
        join(h, r, next);
    else if (!look_for(h, r, id))
        again(h, r);
}
