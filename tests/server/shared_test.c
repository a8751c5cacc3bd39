/* tests/server/shared_test.c: two servers with one database.
 *
 * Both hubs run in this process, each with its own store and jobs; between them
 * there is only PostgreSQL, started by tests/store/with_postgres. */
#include "tests/test.h"

#include "server/hub.h"

#include <libpq-fe.h>
#include <unistd.h>

enum { SERVERS = 2 };

#define NOVA "game: nova\nseats: 2\n"

struct person {
    struct link *link;
    int server;
    char token[TOKEN_BYTES];
    json_t *answer, *events;
};

static struct server {
    struct store *store;
    struct jobs *jobs;
    struct hub *hub;
} servers[SERVERS];

static int64_t test_now = 1700000000000;
static int test_rate; /* as in hub_settings */
static struct person *all[32];
static int count_all;

static int64_t now(void)
{
    return test_now;
}

static void take(struct link *link, const char *text, size_t length)
{
    struct person *p = link->connection;
    json_t *message = json_loadb(text, length, 0, NULL);
    assert_non_null(message);
    if (json_object_get(message, "event")) {
        json_array_append_new(p->events, message);
        return;
    }
    json_decref(p->answer);
    p->answer = message;
}

static void shut(struct link *link)
{
    (void)link;
}

static size_t waiting(const struct link *link)
{
    (void)link;
    return 0;
}

/* ---- servers ---- */

static const char *address(void)
{
    const char *a = getenv("TERRA_POSTGRES");
    assert_non_null(a);
    return a;
}

enum role { WHOLE, SERVES, THINKS };

static void server_start(int i, enum role role)
{
    static const struct transport transport = {take, shut, waiting};
    struct server *s = &servers[i];
    char why[200] = "";
    s->store =
        store_open(&store_postgres, address(), NULL, NULL, why, sizeof why);
    if (!s->store)
        fail_msg("%s", why);
    s->jobs = jobs_open(NULL, NULL);
    struct hub_settings settings = {.transport = &transport,
                                    .store = s->store,
                                    .jobs = s->jobs,
                                    .now = now,
                                    .rate = test_rate,
                                    .thoughtless = role == SERVES};
    s->hub = hub_open(&settings, why, sizeof why);
    if (!s->hub)
        fail_msg("%s", why);
}

/* Whoever dies leaves everything where it is: no leak of ours. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* As kill -9 leaves it: nothing is finished or given back. */
static void server_die(int i)
{
    struct server *s = &servers[i];
    for (int k = count_all - 1; k >= 0; k--)
        if (all[k]->server == i)
            all[k]->link = NULL;
    jobs_close(s->jobs);
    store_close(s->store);
    hub_close(s->hub);
    s->hub = NULL;
}

static void turn(void)
{
    test_now++;
    for (int i = 0; i < SERVERS; i++) {
        if (!servers[i].hub)
            continue;
        hub_collect(servers[i].hub);
        hub_tick(servers[i].hub);
        hub_collect(servers[i].hub);
    }
    usleep(500); /* the other threads need the processor; meson ends it */
}

#define UNTIL(condition)                                                       \
    while (!(condition))                                                       \
    turn()

static int begin(void **state)
{
    PGconn *conn = PQconnectdb(address());
    (void)state;
    PQclear(PQexec(conn, "SET client_min_messages = error;"
                         "DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
    PQfinish(conn);
    for (int i = 0; i < SERVERS; i++)
        server_start(i, WHOLE);
    UNTIL(servers[0].hub->pulsed && servers[1].hub->pulsed);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (int i = 0; i < SERVERS; i++)
        if (servers[i].hub)
            server_die(i);
    while (count_all) {
        struct person *p = all[--count_all];
        json_decref(p->answer);
        json_decref(p->events);
        free(p);
    }
    return 0;
}

/* ---- people ---- */

static struct person *person_new(int server, const char *token)
{
    struct person *p = sure(calloc(1, sizeof *p));
    p->events = json_array();
    p->server = server;
    snprintf(p->token, sizeof p->token, "%s", token ? token : "");
    p->link = hub_connect(servers[server].hub, p, true, "192.0.2.1", token);
    all[count_all++] = p;
    return p;
}

static void send_text(struct person *p, const char *command, json_t *body)
{
    json_object_set_new(body, "do", json_string(command));
    json_object_set_new(body, "id", json_integer(1));
    char *text = json_dumps(body, 0);
    json_decref(body);
    json_decref(p->answer);
    p->answer = NULL;
    hub_message(servers[p->server].hub, p->link, NULL, text, strlen(text));
    free(text);
}

/* The answer's "ok", or NULL. */
static json_t *say(struct person *p, const char *command, json_t *body)
{
    send_text(p, command, body ? body : json_object());
    UNTIL(p->answer);
    return json_object_get(p->answer, "ok");
}

static const char *error_of(const struct person *p)
{
    const char *name = json_string_value(
        json_object_get(json_object_get(p->answer, "error"), "name"));
    return name ? name : "";
}

static json_t *event_of(const struct person *p, const char *kind)
{
    for (size_t i = json_array_size(p->events); i-- > 0;) {
        json_t *e = json_array_get(p->events, i);
        if (strcmp(json_string_value(json_object_get(e, "event")), kind) == 0)
            return e;
    }
    return NULL;
}

/* Comes to one server as a guest and goes to another with the cookie at once,
 * before that one can have heard of it. */
static struct person *guest(int server, const char *name)
{
    struct person *first = person_new((server + 1) % SERVERS, NULL);
    assert_non_null(say(first, "guest", json_pack("{s:s}", "name", name)));
    char token[TOKEN_BYTES];
    assert_int_equal(sscanf(first->link->cookie, "terra=%39[^;]", token), 1);
    struct person *p = person_new(server, token);
    json_t *me = json_object_get(say(p, "hello", NULL), "user");
    assert_string_equal(json_string_value(json_object_get(me, "name")), name);
    return p;
}

static json_t *of_table(const char *id)
{
    return json_pack("{s:s}", "table", id);
}

static struct table *table_of(int server, const char *id)
{
    return dict_find(&servers[server].hub->tables, id);
}

/* A table of two, opened on the first server and joined on the second. */
static void table_with(struct person **two, const char *pace, char *id)
{
    json_t *made = say(two[0], "create",
                       json_pack("{s:s,s:s,s:i,s:s}", "setup", NOVA, "pace",
                                 pace, "base", 60, "timeout", "resign"));
    assert_non_null(made);
    snprintf(id, ID_BYTES, "%s",
             json_string_value(json_object_get(made, "table")));
    assert_non_null(say(two[1], "join", of_table(id)));
    for (int i = 0; i < 2; i++)
        assert_non_null(say(two[i], "watch", of_table(id)));
    UNTIL(table_of(0, id) && table_of(1, id) && table_of(0, id)->match &&
          table_of(1, id)->match);
}

static int to_act(struct person **two, const char *id, char *text)
{
    static action legal[GAME_ACTIONS];
    const struct table *t = table_of(0, id);
    int seat = match_seat(t->match);
    assert_true(t->game->legal(match_world(t->match), match_state(t->match),
                               seat, legal) > 0);
    t->game->write_action(match_world(t->match), match_state(t->match), seat,
                          legal[0], seat, text, 256);
    return table_seat(table_of(two[0]->server, id), two[0]->link->user) == seat
               ? 0
               : 1;
}

static json_t *play_body(const char *id, const char *text, const char *key,
                         int64_t seq)
{
    return json_pack("{s:s,s:s,s:s,s:I}", "table", id, "line", text, "key", key,
                     "seq", (json_int_t)seq);
}

static bool level(const char *id, int64_t seq)
{
    for (int i = 0; i < SERVERS; i++) {
        const struct table *t = table_of(i, id);
        if (!t || !t->match || t->busy || t->seq != seq)
            return false;
    }
    return true;
}

/* One number that the database knows. */
static int number_of(const char *query)
{
    PGconn *conn = PQconnectdb(address());
    PGresult *r = PQexec(conn, query);
    int count = (int)strtol(PQgetvalue(r, 0, 0), NULL, 10);
    PQclear(r);
    PQfinish(conn);
    return count;
}

/* ---- tests ---- */

static void a_move_reaches_the_other_server(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    struct person *spectator = guest(1, "Carl");
    char id[ID_BYTES], text[256], key[16];
    table_with(two, "none", id);
    assert_non_null(say(spectator, "watch", of_table(id)));
    for (int i = 0; i < 30; i++) {
        int64_t seq = table_of(0, id)->seq;
        int who = to_act(two, id, text);
        struct person *other = two[1 - who];
        json_array_clear(other->events);
        json_array_clear(spectator->events);
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(two[who], "play", play_body(id, text, key, seq)));
        UNTIL(event_of(other, "table") && event_of(spectator, "table"));
        json_t *e = event_of(other, "table");
        assert_int_equal(json_integer_value(json_object_get(e, "seq")),
                         seq + 1);
        UNTIL(level(id, seq + 1));
        test_now += 50;
    }
    const struct table *a = table_of(0, id), *b = table_of(1, id);
    assert_memory_equal(match_state(a->match), match_state(b->match),
                        a->game->state_size);
}

/* Whoever changes servers is never told less than they knew. */
static void nobody_goes_back_in_time(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES], text[256], key[16];
    table_with(two, "none", id);
    for (int i = 0; i < 10; i++) {
        int64_t seq = table_of(0, id)->seq;
        int who = to_act(two, id, text);
        snprintf(key, sizeof key, "k%d", i);
        json_t *ok = say(two[who], "play", play_body(id, text, key, seq));
        assert_int_equal(json_integer_value(json_object_get(ok, "seq")),
                         seq + 1);
        struct person *there =
            person_new(1 - two[who]->server, two[who]->token);
        json_t *view = say(there, "watch",
                           json_pack("{s:s,s:I}", "table", id, "since",
                                     (json_int_t)(seq + 1)));
        assert_int_equal(json_integer_value(json_object_get(view, "seq")),
                         seq + 1);
        hub_disconnect(servers[there->server].hub, there->link);
        there->server = -1;
        UNTIL(level(id, seq + 1));
    }
}

/* The same play through both servers at once: it counts once, and both are
 * told so. */
static void a_play_sent_twice_counts_once(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES], text[256], key[16];
    table_with(two, "none", id);
    for (int i = 0; i < 10; i++) {
        int64_t seq = table_of(0, id)->seq;
        int who = to_act(two, id, text);
        char token[TOKEN_BYTES];
        snprintf(token, sizeof token, "%s", two[who]->token);
        struct person *again = person_new(1 - two[who]->server, token);
        assert_non_null(say(again, "watch", of_table(id)));
        snprintf(key, sizeof key, "k%d", i);
        send_text(two[who], "play", play_body(id, text, key, seq));
        send_text(again, "play", play_body(id, text, key, seq));
        UNTIL(two[who]->answer && again->answer);
        for (int k = 0; k < 2; k++) {
            json_t *ok = json_object_get((k ? again : two[who])->answer, "ok");
            assert_int_equal(json_integer_value(json_object_get(ok, "seq")),
                             seq + 1);
        }
        UNTIL(level(id, seq + 1));
        hub_disconnect(servers[again->server].hub, again->link);
        again->server = -1;
    }
}

/* Two different plays for one turn: one counts, the other is refused. */
static void of_two_plays_one_is_refused(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES], text[256];
    table_with(two, "none", id);
    int64_t seq = table_of(0, id)->seq;
    int who = to_act(two, id, text);
    struct person *again = person_new(1 - two[who]->server, two[who]->token);
    assert_non_null(say(again, "watch", of_table(id)));
    send_text(two[who], "play", play_body(id, text, "one", seq));
    send_text(again, "play", play_body(id, text, "two", seq));
    UNTIL(two[who]->answer && again->answer);
    int good = (json_object_get(two[who]->answer, "ok") != NULL) +
               (json_object_get(again->answer, "ok") != NULL);
    assert_int_equal(good, 1);
    UNTIL(level(id, seq + 1));
}

/* A game of two that the first of them has given up. */
static void game_over(struct person *two[], char id[ID_BYTES])
{
    table_with(two, "none", id);
    assert_non_null(say(two[0], "resign", of_table(id)));
    UNTIL(level(id, 2));
}

/* Whoever presses first: one table follows, and both sit at it. */
static void a_game_has_one_rematch(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    game_over(two, id);
    size_t before = servers[0].hub->tables.count;
    for (int i = 0; i < 2; i++)
        send_text(two[i], "rematch", of_table(id));
    UNTIL(two[0]->answer && two[1]->answer);
    for (int i = 0; i < 2; i++)
        assert_non_null(json_object_get(two[i]->answer, "ok"));
    for (int i = 0; i < 2; i++) {
        const struct table *t = table_of(i, id);
        UNTIL(t->next[0] && table_of(i, t->next) &&
              table_of(i, t->next)->status == TABLE_RUNNING);
    }
    assert_string_equal(table_of(0, id)->next, table_of(1, id)->next);
    assert_int_equal(
        number_of("SELECT count(*) FROM record WHERE kind = 'match'"),
        (int)before + 1);
}

static size_t games_of(struct person *p, const char *name)
{
    return json_array_size(json_object_get(
        say(p, "player", json_pack("{s:s}", "name", name)), "tables"));
}

static json_t *finished(struct person *p)
{
    return json_object_get(
        say(p, "lobby", json_pack("{s:s}", "filter", "finished")), "tables");
}

/* No server has it in memory any more. */
static void a_finished_game_is_found_everywhere(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    game_over(two, id);
    for (int i = 0; i < 2; i++)
        say(two[i], "unwatch", NULL);
    test_now += 3000;
    UNTIL(!servers[0].hub->tables.count && !servers[1].hub->tables.count);
    for (int i = 0; i < SERVERS; i++) {
        assert_int_equal(json_array_size(finished(two[i])), 1);
        assert_int_equal(games_of(two[i], "Ann"), 1);
        assert_int_equal(games_of(two[i], "Bob"), 1);
        assert_int_equal(servers[i].hub->tables.count, 0);
        assert_non_null(say(two[i], "record", of_table(id)));
        assert_non_null(say(two[i], "watch", of_table(id)));
    }
    for (int i = 0; i < 2; i++)
        assert_non_null(say(two[i], "rematch", of_table(id)));
    assert_int_equal(
        number_of("SELECT count(*) FROM record WHERE kind = 'match'"), 2);
}

/* A database of before there were lists gets the very same ones. */
static void an_older_database_gets_its_lists(void **state)
{
    static const char sum[] =
        "SELECT hashtext(string_agg(key || text, ' ' ORDER BY key))"
        " FROM record WHERE kind = 'over'";
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    game_over(two, id);
    int before = number_of(sum);
    assert_int_equal(
        number_of("SELECT count(*) FROM record WHERE kind = 'over'"), 4);
    server_die(0);
    assert_int_equal(number_of("WITH gone AS (DELETE FROM record WHERE kind ="
                               " 'over' RETURNING 1), old AS (DELETE FROM taken"
                               " WHERE step = 2 RETURNING 1)"
                               " SELECT count(*) FROM gone"),
                     4);
    server_start(0, WHOLE);
    assert_int_equal(number_of(sum), before);
}

static void one_name_one_person(void **state)
{
    (void)state;
    struct person *a = person_new(0, NULL), *b = person_new(1, NULL);
    send_text(a, "guest", json_pack("{s:s}", "name", "Same Name"));
    send_text(b, "guest", json_pack("{s:s}", "name", "same-name"));
    UNTIL(a->answer && b->answer);
    bool first = json_object_get(a->answer, "ok") != NULL;
    assert_true(first != (json_object_get(b->answer, "ok") != NULL));
    assert_string_equal(error_of(first ? b : a), "taken");
}

static void talk_and_takebacks_are_shared(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES], text[256];
    table_with(two, "none", id);
    assert_non_null(say(two[0], "chat",
                        json_pack("{s:s,s:s}", "table", id, "text", "hello")));
    UNTIL(event_of(two[1], "chat"));
    assert_string_equal(
        json_string_value(json_object_get(event_of(two[1], "chat"), "text")),
        "hello");
    int who = to_act(two, id, text);
    assert_non_null(say(two[who], "play", play_body(id, text, "k", 1)));
    UNTIL(level(id, 2));
    assert_non_null(say(two[who], "takeback", of_table(id)));
    const struct table *there = table_of(two[1 - who]->server, id);
    UNTIL(there->takeback.seat >= 0 && !there->busy);
    assert_non_null(say(two[1 - who], "answer",
                        json_pack("{s:s,s:b}", "table", id, "yes", 1)));
    UNTIL(level(id, 3));
    assert_int_equal(match_count(table_of(0, id)->match), 0);
    assert_int_equal(match_count(table_of(1, id)->match), 0);
}

static void signing_out_counts_everywhere(void **state)
{
    (void)state;
    struct person *a = guest(0, "Ann");
    struct person *b = person_new(1, a->token);
    assert_true(json_is_object(json_object_get(say(b, "hello", NULL), "user")));
    assert_non_null(say(a, "logout", NULL));
    UNTIL(!b->link->user);
    assert_non_null(say(b, "lobby", NULL));
    assert_null(say(b, "create", json_pack("{s:s}", "setup", NOVA)));
    assert_string_equal(error_of(b), "who");
}

static int lines_of(const char *id, const char *word)
{
    char query[160];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM line WHERE log = 'match:%s'"
             " AND text LIKE '%s%%'",
             id, word);
    return number_of(query);
}

/* Time passes in steps, so that the signs of life go on. */
static void pass(int64_t ms)
{
    for (; ms > 0; ms -= 2000) {
        test_now += 2000;
        for (int i = 0; i < SERVERS; i++) /* each has heard the sign */
            if (servers[i].hub) {
                store_settle(servers[i].store);
                turn();
                store_settle(servers[i].store);
            }
        turn();
    }
}

/* No server has those in memory who signed out, nor their game. */
static void guests_who_left_are_found_everywhere(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")}, *eve[SERVERS];
    char id[ID_BYTES];
    game_over(two, id);
    for (int i = 0; i < 2; i++) {
        say(two[i], "unwatch", NULL);
        assert_non_null(say(two[i], "logout", NULL));
    }
    while (servers[0].hub->users.count || servers[1].hub->users.count)
        pass(6000);
    for (int i = 0; i < SERVERS; i++) {
        eve[i] = person_new(i, NULL);
        assert_int_equal(json_array_size(finished(eve[i])), 1);
        assert_int_equal(games_of(eve[i], "Ann"), 1);
        assert_non_null(say(eve[i], "watch", of_table(id)));
        assert_null(say(eve[i], "guest", json_pack("{s:s}", "name", "Bob")));
        assert_string_equal(error_of(eve[i]), "taken");
    }
}

/* ---- limits ---- */

/* A wrong code, from that address at that server: the error's name. */
static const char *guess(struct person *p, const char *address)
{
    static const char text[] =
        "{\"name\":\"Ann\",\"code\":\"wrongwrong\",\"password\":\"12345678\"}";
    struct hub *h = servers[p->server].hub;
    struct link *l = hub_connect(h, p, true, address, NULL);
    json_decref(p->answer);
    p->answer = NULL;
    hub_message(h, l, "recover", text, strlen(text));
    UNTIL(p->answer);
    hub_disconnect(h, l);
    return error_of(p);
}

/* Of so many guesses by turns at both servers; "%d" in the address counts. */
static int guesses(struct person **two, int count, const char *address)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        char from[40];
        snprintf(from, sizeof from, address, i);
        wrong += strcmp(guess(two[i % 2], from), "password") == 0;
    }
    return wrong;
}

static int gained(int64_t since)
{
    return 1 + (int)((test_now - since) / 1000 / LIMIT_SECONDS);
}

static int begin_limited(void **state)
{
    test_rate = 1000;
    return begin(state);
}

static int finish_limited(void **state)
{
    test_rate = 0;
    return finish(state);
}

/* Two servers do not allow twice as much, nor does one that begins anew. */
static void limits_count_for_all_servers(void **state)
{
    (void)state;
    struct person *two[] = {person_new(0, NULL), person_new(1, NULL)};
    int64_t since = test_now;
    int wrong = guesses(two, 24, "192.0.2.7");
    assert_in_range(wrong, 10, 10 + gained(since));
    server_die(0);
    server_start(0, WHOLE);
    two[0] = person_new(0, NULL);
    wrong += guesses(two, 6, "192.0.2.7");
    assert_in_range(wrong, 10, 10 + gained(since));
    assert_string_equal(guess(two[0], "192.0.2.8"), "password");
    /* A bucket that is full again is nowhere. */
    while (number_of("SELECT count(*) FROM record WHERE kind = 'limit'"))
        pass(6000);
    assert_string_equal(guess(two[1], "192.0.2.7"), "password");
}

static void an_account_is_guarded_by_all_servers(void **state)
{
    (void)state;
    struct person *ann = guest(0, "Ann"), *two[] = {ann, person_new(1, NULL)};
    assert_non_null(
        say(ann, "register",
            json_pack("{s:s,s:s}", "name", "Ann", "password", "12345678")));
    while (number_of("SELECT count(*) FROM record WHERE kind = 'limit'"))
        pass(6000);
    int64_t since = test_now;
    assert_in_range(guesses(two, 50, "198.51.100.%d"), 20, 20 + gained(since));
}

static void a_clock_runs_out_once(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    table_with(two, "move", id);
    while (table_of(0, id)->status == TABLE_RUNNING ||
           table_of(1, id)->status == TABLE_RUNNING)
        pass(2000);
    assert_int_equal(lines_of(id, "time"), 1);
    assert_int_equal(lines_of(id, "stop"), 1);
    assert_int_equal(lines_of(id, "resume"), 0);
}

static void a_clock_runs_out_without_the_server_that_died(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    table_with(two, "move", id);
    pass(58000);
    server_die(0);
    while (table_of(1, id)->status == TABLE_RUNNING)
        pass(2000);
    assert_int_equal(lines_of(id, "time"), 1);
    assert_int_equal(lines_of(id, "resume"), 0);
    server_start(0, WHOLE);
    struct person *eve = guest(0, "Eve");
    assert_non_null(say(eve, "watch", of_table(id)));
    assert_int_equal(table_of(0, id)->status, TABLE_OVER);
}

/* All were away: that time is nobody's. */
static void an_absence_costs_nobody_time(void **state)
{
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES];
    table_with(two, "move", id);
    server_die(0);
    server_die(1);
    test_now += 3600000;
    server_start(0, WHOLE);
    server_start(1, WHOLE);
    UNTIL(lines_of(id, "resume") > 0); /* committed, whoever it was */
    for (int i = 0; i < 20; i++)
        turn();
    assert_int_equal(lines_of(id, "resume"), 1);
    assert_int_equal(lines_of(id, "time"), 0);
    assert_int_equal(table_of(0, id)->status, TABLE_RUNNING);
}

/* ---- bots ---- */

/* Opens a table of one person and a bot on the first server. */
static const struct table *table_with_bot(struct person *p, char *id)
{
    json_t *made = say(
        p, "create", json_pack("{s:s,s:[s]}", "setup", NOVA, "bots", "random"));
    snprintf(id, ID_BYTES, "%s",
             json_string_value(json_object_get(made, "table")));
    assert_non_null(say(p, "watch", of_table(id)));
    return table_of(0, id);
}

static bool asked(const struct table *t, const struct person *p)
{
    return t->match && !t->busy &&
           table_asked(t) >> table_seat(t, p->link->user) & 1;
}

static void play_first(struct person *p, const struct table *t)
{
    char text[256], key[16];
    struct person *two[] = {p, NULL};
    assert_int_equal(to_act(two, t->id, text), 0);
    snprintf(key, sizeof key, "k%d", (int)t->seq);
    assert_non_null(say(p, "play", play_body(t->id, text, key, t->seq)));
}

static void bots_play_once_whoever_thinks(void **state)
{
    (void)state;
    struct person *ann = guest(0, "Ann");
    char id[ID_BYTES];
    const struct table *t = table_with_bot(ann, id);
    for (int i = 0; i < 8; i++) {
        UNTIL(asked(t, ann));
        play_first(ann, t);
    }
    UNTIL(asked(t, ann));
    assert_int_equal(t->seq, lines_of(id, "start") + lines_of(id, "play"));
}

/* A server that only serves, and one that only thinks. */
static void a_worker_thinks_for_a_server(void **state)
{
    (void)state;
    for (int i = 0; i < SERVERS; i++) {
        server_die(i);
        server_start(i, i ? THINKS : SERVES);
    }
    struct person *ann = guest(0, "Ann");
    char id[ID_BYTES];
    const struct table *t = table_with_bot(ann, id);
    for (int i = 0; i < 4; i++) {
        UNTIL(asked(t, ann));
        play_first(ann, t);
    }
    UNTIL(asked(t, ann));
    /* When it is over only the server remembers it. */
    assert_non_null(say(ann, "resign", of_table(id)));
    UNTIL(!table_of(1, id));
    assert_int_equal(servers[1].hub->loaded, 0);
    assert_ptr_equal(table_of(0, id), t);
}

/* Nobody collects what this server has thought. */
static void only_think(int i, const char *id)
{
    const struct table *t;
    while (!(t = table_of(i, id)) || t->thinking < 0) {
        test_now++;
        store_collect(servers[i].store);
        hub_tick(servers[i].hub);
        usleep(500);
    }
    assert_true(t->bot_until > test_now);
}

static void a_worker_dies_while_it_thinks(void **state)
{
    enum { LEASE_MS = 30000 };
    (void)state;
    server_die(0);
    server_start(0, SERVES);
    struct person *ann = guest(0, "Ann");
    char id[ID_BYTES];
    const struct table *t = table_with_bot(ann, id);
    UNTIL(asked(t, ann));
    server_die(1);
    while (asked(t, ann))
        play_first(ann, t);
    int64_t seq = t->seq;
    server_start(1, THINKS);
    only_think(1, id);
    int64_t claimed = test_now;
    server_die(1);

    /* The job is another's only when the time of the claim is over. */
    server_start(1, THINKS);
    while (test_now < claimed + LEASE_MS - 3000) {
        pass(2000);
        assert_int_equal(t->seq, seq);
        assert_int_equal(table_of(1, id)->thinking, -1);
    }
    while (t->seq == seq)
        pass(2000);
    UNTIL(asked(t, ann));
    assert_int_equal(t->seq, lines_of(id, "start") + lines_of(id, "play"));
}

/* ---- analysis ---- */

static int judgements(void)
{
    return number_of("SELECT count(*) FROM line WHERE log LIKE 'analysis:%'");
}

/* Its claim is in the database; nobody collects what it thinks. */
static void only_claim(int i)
{
    char query[120];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM job WHERE kind = 'analysis'"
             " AND holder = '%s'",
             servers[i].hub->me);
    while (number_of(query) == 0) {
        test_now++;
        store_collect(servers[i].store);
        hub_tick(servers[i].hub);
    }
    for (int k = 0; k < 20; k++) { /* it reads the match, and thinks */
        usleep(500);
        store_collect(servers[i].store);
    }
}

static void workers_judge_a_finished_game(void **state)
{
    enum { LEASE_MS = 30000, PLAYS = 3, STEPS = PLAYS + 1 };
    (void)state;
    struct person *two[] = {guest(0, "Ann"), guest(1, "Bob")};
    char id[ID_BYTES], text[256], key[16];
    table_with(two, "none", id);
    for (int i = 0; i < PLAYS; i++) {
        int64_t seq = table_of(0, id)->seq;
        int who = to_act(two, id, text);
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(two[who], "play", play_body(id, text, key, seq)));
        UNTIL(level(id, seq + 1));
    }
    assert_non_null(say(two[0], "resign", of_table(id)));
    UNTIL(level(id, PLAYS + 2));
    server_die(1);
    server_die(0);
    server_start(0, SERVES);
    struct person *ann = person_new(0, two[0]->token);
    assert_non_null(say(ann, "watch", of_table(id)));
    assert_non_null(say(ann, "analyse", of_table(id)));

    /* A worker dies while it thinks; another one takes its place. */
    server_start(1, THINKS);
    only_claim(1);
    int64_t claimed = test_now;
    server_die(1);
    server_start(1, THINKS);
    while (test_now < claimed + LEASE_MS - 3000) {
        pass(2000);
        assert_int_equal(judgements(), 0);
    }
    json_t *e = NULL;
    while (!(e = event_of(ann, "analysis")) ||
           json_integer_value(json_object_get(e, "count")) < STEPS)
        pass(2000);
    json_t *answer = say(ann, "analyse", of_table(id));
    assert_int_equal(json_array_size(json_object_get(answer, "judged")), STEPS);
    assert_int_equal(judgements(), STEPS);
    UNTIL(number_of("SELECT count(*) FROM job WHERE kind = 'analysis'") == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(a_move_reaches_the_other_server),
        TEST(nobody_goes_back_in_time),
        TEST(a_play_sent_twice_counts_once),
        TEST(of_two_plays_one_is_refused),
        TEST(a_game_has_one_rematch),
        TEST(a_finished_game_is_found_everywhere),
        TEST(an_older_database_gets_its_lists),
        TEST(one_name_one_person),
        TEST(talk_and_takebacks_are_shared),
        TEST(signing_out_counts_everywhere),
        TEST(guests_who_left_are_found_everywhere),
        cmocka_unit_test_setup_teardown(limits_count_for_all_servers,
                                        begin_limited, finish_limited),
        cmocka_unit_test_setup_teardown(an_account_is_guarded_by_all_servers,
                                        begin_limited, finish_limited),
        TEST(a_clock_runs_out_once),
        TEST(a_clock_runs_out_without_the_server_that_died),
        TEST(an_absence_costs_nobody_time),
        TEST(bots_play_once_whoever_thinks),
        TEST(a_worker_thinks_for_a_server),
        TEST(a_worker_dies_while_it_thinks),
        TEST(workers_judge_a_finished_game),
    };
    return cmocka_run_group_tests_name("shared", tests, NULL, NULL);
}
