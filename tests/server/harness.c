/* tests/server/harness.c: a hub without network, with a clock of its own. */
#include "tests/server/harness.h"

#include "base/rng.h"

#include <pthread.h>
#include <sodium.h>
#include <unistd.h>

struct hub *hub;
int64_t test_now = 1700000000000;
static struct store *store;
static struct jobs *jobs;
static struct person *all[64];
static int count_all;

static int64_t now(void)
{
    return test_now;
}

/* ---- chance ---- */

static struct rng chance;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static const char *chance_name(void)
{
    return "terra-test";
}

static uint32_t chance_next(void)
{
    pthread_mutex_lock(&one_at_a_time);
    uint32_t next = (uint32_t)(rng_next(&chance) >> 32);
    pthread_mutex_unlock(&one_at_a_time);
    return next;
}

static void chance_fill(void *to, const size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = (unsigned char)chance_next();
}

/* Deals, seats and names come from TERRA_SEED, so that failures repeat. */
static void fix_chance(void)
{
    static randombytes_implementation seeded = {.implementation_name =
                                                    chance_name,
                                                .random = chance_next,
                                                .buf = chance_fill};
    static bool fixed;
    const char *seed = getenv("TERRA_SEED");
    if (fixed)
        return;
    fixed = true;
    rng_seed(&chance, seed ? strtoull(seed, NULL, 10) : 1);
    randombytes_set_implementation(&seeded);
}

static void take(struct link *link, const char *text, size_t length)
{
    struct person *p = link->connection;
    json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(message); /* whatever we send is one JSON value */
    p->heard = sure(realloc(p->heard, p->heard_length + length + 1));
    memcpy(p->heard + p->heard_length, text, length);
    p->heard_length += length;
    p->heard[p->heard_length] = '\0';
    if (json_object_get(message, "event")) {
        json_array_append_new(p->events, message);
        return;
    }
    json_decref(p->answer);
    p->answer = message;
}

static void shut(struct link *link)
{
    ((struct person *)link->connection)->closed = true;
}

static size_t waiting(const struct link *link)
{
    return ((const struct person *)link->connection)->waiting;
}

void harness_open(const struct store_backend *backend, const char *place,
                  int rate)
{
    static const struct transport transport = {take, shut, waiting};
    char why[200] = "";
    fix_chance();
    store = store_open(backend, place, NULL, NULL, why, sizeof why);
    if (!store)
        fail_msg("%s", why);
    jobs = jobs_open(NULL, NULL);
    struct hub_settings settings = {.transport = &transport,
                                    .store = store,
                                    .jobs = jobs,
                                    .now = now,
                                    .rate = rate};
    hub = hub_open(&settings, why, sizeof why);
    if (!hub)
        fail_msg("%s", why);
    harness_settle();
}

void harness_close(void)
{
    while (count_all)
        person_leave(all[count_all - 1]);
    harness_settle();
    hub_close(hub);
    jobs_close(jobs);
    store_close(store);
}

int harness_begin(void **state)
{
    (void)state;
    harness_open(&store_memory, "", 0);
    return 0;
}

int harness_finish(void **state)
{
    (void)state;
    harness_close();
    return 0;
}

char harness_file[] = "/tmp/terra-server-XXXXXX";

int harness_begin_file(void **state)
{
    (void)state;
    strcpy(strrchr(harness_file, '-'), "-XXXXXX");
    int file = mkstemp(harness_file);
    assert_true(file >= 0);
    close(file);
    harness_open(&store_sqlite, harness_file, 30);
    return 0;
}

int harness_finish_file(void **state)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    harness_finish(state);
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s%s", harness_file, parts[i]);
        unlink(name);
    }
    return 0;
}

void harness_restart(void)
{
    harness_close();
    harness_open(&store_sqlite, harness_file, 30);
}

void harness_settle(void)
{
    /* Answers lead to new questions; some rounds without any end it. */
    for (int quiet = 0; quiet < 4; quiet++) {
        int64_t before = hub->figures.played + hub->figures.messages;
        store_settle(store);
        jobs_settle(jobs);
        hub_collect(hub);
        store_settle(store);
        hub_collect(hub);
        if (hub->figures.played + hub->figures.messages != before)
            quiet = -1;
    }
}

void harness_wait(int64_t ms)
{
    test_now += ms;
    hub_tick(hub);
    harness_settle();
}

/* ---- people ---- */

struct person *person_new(const char *token)
{
    struct person *p = sure(calloc(1, sizeof *p));
    p->events = json_array();
    snprintf(p->token, sizeof p->token, "%s", token ? token : "");
    p->link = hub_connect(hub, p, true, "192.0.2.1", token);
    all[count_all++] = p;
    return p;
}

void person_leave(struct person *p)
{
    for (int i = 0; i < count_all; i++)
        if (all[i] == p)
            all[i] = all[--count_all];
    hub_disconnect(hub, p->link);
    json_decref(p->answer);
    json_decref(p->events);
    free(p->heard);
    free(p);
}

void say_text(struct person *p, const char *text, size_t length)
{
    json_decref(p->answer);
    p->answer = NULL;
    hub_message(hub, p->link, NULL, text, length);
    harness_settle();
}

static char *packed(const char *command, const char *format, va_list more)
{
    json_t *o = *format ? json_vpack_ex(NULL, 0, format, more) : json_object();
    assert_non_null(o);
    if (command)
        json_object_set_new(o, "do", json_string(command));
    json_object_set_new(o, "id", json_integer(1));
    char *text = json_dumps(o, 0);
    json_decref(o);
    return text;
}

json_t *say(struct person *p, const char *command, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    char *text = packed(command, format, more);
    va_end(more);
    say_text(p, text, strlen(text));
    free(text);
    return json_object_get(p->answer, "ok");
}

json_t *call(struct person *p, const char *command, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    char *text = packed(NULL, format, more);
    va_end(more);
    struct link *l =
        hub_connect(hub, p, false, "192.0.2.1", p->token[0] ? p->token : NULL);
    json_decref(p->answer);
    p->answer = NULL;
    hub_message(hub, l, command, text, strlen(text));
    free(text);
    harness_settle();
    if (l->cookie[0])
        sscanf(l->cookie, "terra=%39[^;]", p->token);
    hub_disconnect(hub, l);
    return json_object_get(p->answer, "ok");
}

const char *text_at(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

const char *error_of(const struct person *p)
{
    return text_at(json_object_get(p->answer, "error"), "name");
}

json_t *event_of(const struct person *p, const char *kind)
{
    for (size_t i = json_array_size(p->events); i-- > 0;) {
        json_t *e = json_array_get(p->events, i);
        if (strcmp(text_at(e, "event"), kind) == 0)
            return e;
    }
    return NULL;
}

struct person *guest(const char *name)
{
    struct person *first = person_new(NULL);
    assert_non_null(call(first, "guest", "{s:s}", "name", name));
    struct person *p = person_new(first->token);
    person_leave(first);
    return p;
}

struct person *account(const char *name)
{
    struct person *p = guest(name);
    assert_non_null(
        say(p, "register", "{s:s,s:s}", "name", name, "password", "12345678"));
    return p;
}

/* ---- tables ---- */

const char *table_with(const char *setup, const char *pace, int base,
                       struct person **people, int count)
{
    static char id[ID_BYTES];
    json_t *made =
        say(people[0], "create", "{s:s,s:s,s:s,s:i,s:s}", "setup", setup,
            "title", "test", "pace", pace, "base", base, "timeout", "resign");
    assert_non_null(made);
    if (!json_object_get(made, "table")) /* it began at once */
        made = json_array_get(
            json_object_get(say(people[0], "lobby", "{s:s}", "filter", "mine"),
                            "tables"),
            0);
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    for (int i = 1; i < count; i++)
        assert_non_null(say(people[i], "join", "{s:s}", "table", id));
    for (int i = 0; i < count; i++)
        assert_non_null(say(people[i], "watch", "{s:s}", "table", id));
    return id;
}

int seat_of(const struct person *p, const char *table)
{
    return table_seat(dict_find(&hub->tables, table), p->link->user);
}

struct person *to_act(const char *table, struct person **people, int count,
                      char *text, size_t cap)
{
    static action legal[GAME_ACTIONS];
    const struct table *t = dict_find(&hub->tables, table);
    if (!t->match || match_over(t->match))
        return NULL;
    int seat = match_seat(t->match);
    assert_true(t->game->legal(match_world(t->match), match_state(t->match),
                               seat, legal) > 0);
    t->game->write_action(match_world(t->match), match_state(t->match), seat,
                          legal[0], seat, text, cap);
    for (int i = 0; i < count; i++)
        if (seat_of(people[i], table) == seat)
            return people[i];
    return NULL;
}
