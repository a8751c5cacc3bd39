/* tests/server/past_test.c: a game that is over leaves the memory and is found
 * again wherever somebody may look for it, on a server that is alone with its
 * file.  Several processes: shared_test.c. */
#include "server/download.h"
#include "tests/server/harness.h"

#include <sqlite3.h>

/* Two play a little, one resigns, both go. */
static void played(struct person **two, bool hidden, char *id)
{
    char text[256];
    json_t *made =
        say(two[0], "create", "{s:s,s:b}", "setup", NOVA, "hidden", hidden);
    snprintf(id, ID_BYTES, "%s", text_at(made, "table"));
    char invite[TOKEN_BYTES];
    snprintf(invite, sizeof invite, "%s", text_at(made, "invite"));
    assert_non_null(
        say(two[1], "join", "{s:s,s:s}", "table", id, "invite", invite));
    for (int i = 0; i < 2; i++)
        say(two[i], "watch", "{s:s}", "table", id);
    const struct table *t = dict_find(&hub->tables, id);
    struct person *p = to_act(id, two, 2, text, sizeof text);
    assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                        text, "key", "k", "seq", (json_int_t)t->seq));
    assert_non_null(
        say(two[0], "chat", "{s:s,s:s}", "table", id, "text", "well played"));
    assert_non_null(say(two[0], "resign", "{s:s}", "table", id));
    for (int i = 0; i < 2; i++)
        say(two[i], "unwatch", "");
    test_now += 5000;
}

static void forgotten(const char *id)
{
    harness_wait(3000);
    assert_null(dict_find(&hub->tables, id));
}

static size_t listed(struct person *p, const char *command, const char *name,
                     const char *value)
{
    return json_array_size(json_object_get(
        say(p, command, "{s:s,s:s}", name, value, "game", "nova"), "tables"));
}

static size_t finished(struct person *p)
{
    return listed(p, "lobby", "filter", "finished");
}

static void nothing_of_a_finished_game_stays_in_memory(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    for (int i = 0; i < 5; i++) {
        played(two, false, id);
        forgotten(id);
        assert_int_equal(hub->tables.count, 0);
        assert_int_equal(hub->loaded, 0);
    }
    assert_int_equal(finished(two[0]), 5);
    assert_int_equal(hub->tables.count, 0);
}

/* By a server that was there, and by one that reads it all from the file. */
static void found_again(const char *id)
{
    struct person *eve = person_new(NULL);
    json_t *list = json_object_get(
        say(eve, "lobby", "{s:s}", "filter", "finished"), "tables");
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_at(json_array_get(list, 0), "table"), id);
    assert_string_equal(text_at(json_array_get(list, 0), "state"), "over");
    assert_int_equal(listed(eve, "player", "name", "Ann"), 1);
    assert_int_equal(listed(eve, "player", "name", "Bob"), 1);
    assert_non_null(strstr(
        text_at(say(eve, "record", "{s:s}", "table", id), "text"), "Ann"));
    forgotten(id);
    json_t *chat =
        json_object_get(say(eve, "chats", "{s:s}", "table", id), "lines");
    assert_string_equal(text_at(json_array_get(chat, 0), "text"),
                        "well played");
    forgotten(id);
    assert_non_null(say(eve, "watch", "{s:s}", "table", id));
    harness_wait(3000); /* it stays as long as somebody looks at it */
    assert_non_null(dict_find(&hub->tables, id));
    person_leave(eve);
    forgotten(id);
}

static void a_finished_game_is_found_again(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], path[40];
    played(two, false, id);
    forgotten(id);
    found_again(id);
    json_t *mine = json_object_get(say(two[0], "export", ""), "tables");
    assert_int_equal(json_array_size(mine), 1);
    assert_string_equal(json_string_value(json_array_get(mine, 0)), id);
    harness_restart();
    assert_int_equal(hub->tables.count, 0);
    found_again(id);
    snprintf(path, sizeof path, "/match/%s.txt", id);
    struct download *d = download_open(hub, path, (void (*)(void *))abort, hub);
    assert_non_null(d);
    assert_int_equal(download_state(d), DOWNLOAD_UNKNOWN);
    download_close(d);
    harness_settle(); /* who has gone is not told */
}

static void it_can_be_played_again(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], next[ID_BYTES];
    played(two, false, id);
    forgotten(id);
    for (int i = 0; i < 2; i++)
        assert_non_null(say(two[i], "rematch", "{s:s}", "table", id));
    forgotten(id);
    json_t *view = say(two[0], "watch", "{s:s}", "table", id);
    snprintf(next, sizeof next, "%s", text_at(view, "next"));
    const struct table *t = dict_find(&hub->tables, next);
    assert_non_null(t);
    assert_int_equal(t->status, TABLE_RUNNING);
    /* ... which is over one day, too, and the first has no second one. */
    assert_non_null(say(two[0], "resign", "{s:s}", "table", next));
    forgotten(next);
    assert_null(say(two[1], "rematch", "{s:s}", "table", id));
    assert_string_equal(error_of(two[1]), "state");
}

/* It is in the list of those who sat there, and only they see it. */
static void a_hidden_game_is_listed_for_its_players(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")}, *eve = guest("Eve");
    char id[ID_BYTES];
    played(two, true, id);
    forgotten(id);
    assert_int_equal(finished(eve), 0);
    assert_int_equal(listed(eve, "player", "name", "Ann"), 0);
    assert_int_equal(listed(two[0], "player", "name", "Ann"), 1);
    /* nor does a list of somebody's games hide behind a game's name */
    const char *user = two[0]->link->user->id;
    assert_int_equal(
        json_array_size(json_object_get(
            say(eve, "lobby", "{s:s,s:s}", "filter", "finished", "game", user),
            "tables")),
        0);
}

static void the_list_has_pages(void **state)
{
    enum { GAMES = 120 };
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    for (int i = 0; i < GAMES; i++)
        played(two, false, id);
    static const int shown[] = {50, 50, 20, 0};
    static const int known[] = {51, 101, GAMES, GAMES};
    int64_t before = INT64_MAX;
    for (int page = 0; page < 4; page++) {
        json_t *ok = say(two[0], "lobby", "{s:s,s:i}", "filter", "finished",
                         "page", page),
               *list = json_object_get(ok, "tables"), *item;
        size_t i;
        assert_int_equal(json_array_size(list), shown[page]);
        assert_int_equal(json_integer_value(json_object_get(ok, "count")),
                         known[page]);
        json_array_foreach(list, i, item)
        {
            int64_t at = json_integer_value(json_object_get(item, "finished"));
            assert_true(at < before); /* the newest first */
            before = at;
        }
    }
    assert_int_equal(
        json_array_size(json_object_get(
            say(two[0], "lobby", "{s:s,s:i}", "filter", "finished", "page", 20),
            "tables")),
        0); /* so many are enough */
}

/* ---- guests who left ---- */

static bool in_memory(const char *name)
{
    return user_named(hub, name) != NULL;
}

static void rested(void)
{
    harness_wait(30000);
    harness_wait(30000); /* some are passed over once */
}

/* Is the name among the seats of the only finished game? */
static bool sits_in_list(struct person *p, const char *name)
{
    json_t *list = json_object_get(
        say(p, "lobby", "{s:s}", "filter", "finished"), "tables");
    json_t *seats = json_object_get(json_array_get(list, 0), "seats"), *seat;
    size_t i;
    assert_int_equal(json_array_size(list), 1);
    json_array_foreach(seats, i, seat)
    {
        const json_t *user = json_object_get(seat, "user");
        if (user && strcmp(text_at(user, "name"), name) == 0)
            return true;
    }
    return false;
}

/* Ann and Bob play, Eve talks; all three go for ever. */
static void left_behind(struct person *stays, char *id)
{
    struct person *two[] = {guest("Ann"), guest("Bob")}, *eve = guest("Eve");
    assert_non_null(say(stays, "block", "{s:s}", "name", "Eve"));
    played(two, false, id);
    assert_non_null(
        say(eve, "chat", "{s:s,s:s}", "table", id, "text", "fine game"));
    assert_non_null(say(two[0], "logout", ""));
    assert_non_null(say(two[1], "logout", ""));
    assert_non_null(say(eve, "logout", ""));
    rested();
    assert_false(in_memory("Ann") || in_memory("Bob") || in_memory("Eve"));
    assert_int_equal(hub->users.count, 1);
}

static void guests_who_left_are_found_again(void **state)
{
    (void)state;
    struct person *dan = account("Dan");
    char id[ID_BYTES];
    left_behind(dan, id);
    assert_true(sits_in_list(dan, "Ann") && sits_in_list(dan, "Bob"));
    rested();
    assert_int_equal(hub->users.count, 1);
    assert_int_equal(listed(dan, "player", "name", "ann"), 1);
    rested();
    assert_non_null(strstr(
        text_at(say(dan, "record", "{s:s}", "table", id), "text"), "Ann"));
    rested();
    json_t *chat =
        json_object_get(say(dan, "chats", "{s:s}", "table", id), "lines");
    assert_int_equal(json_array_size(chat), 1); /* Eve is blocked */
    assert_string_equal(text_at(json_array_get(chat, 0), "by"), "Ann");
    rested();
    json_t *blocked = json_object_get(say(dan, "account", ""), "blocked");
    assert_int_equal(json_array_size(blocked), 1);
    assert_string_equal(json_string_value(json_array_get(blocked, 0)), "Eve");
    rested();
    assert_non_null(say(dan, "block", "{s:s,s:b}", "name", "Eve", "block", 0));
    assert_non_null(
        say(dan, "report", "{s:s,s:s}", "name", "Bob", "text", "rude"));
    assert_null(say(dan, "player", "{s:s}", "name", "Nobody"));
    assert_string_equal(error_of(dan), "unknown");
    rested();
    assert_int_equal(hub->users.count, 1);
}

static void ready(void *context)
{
    (void)context;
}

static void their_games_are_downloaded_with_names(void **state)
{
    (void)state;
    struct person *dan = account("Dan");
    char id[ID_BYTES], path[40];
    left_behind(dan, id);
    snprintf(path, sizeof path, "/match/%s.txt", id);
    struct download *d = download_open(hub, path, ready, NULL);
    harness_settle();
    assert_int_equal(download_state(d), DOWNLOAD_THERE);
    rested(); /* who sat there stays while it is read */
    assert_true(in_memory("Ann"));
    download_next(d);
    harness_settle();
    assert_non_null(strstr(download_read(d)->text, "Ann"));
    download_close(d);
    rested();
    assert_false(in_memory("Ann"));
}

static void their_names_stay_taken(void **state)
{
    (void)state;
    char id[ID_BYTES];
    left_behind(account("Dan"), id);
    struct person *eve = person_new(NULL), *fay = guest("Fay");
    assert_null(say(eve, "guest", "{s:s}", "name", "ANN"));
    assert_string_equal(error_of(eve), "taken");
    assert_null(say(fay, "register", "{s:s,s:s}", "name", "Bob", "password",
                    "12345678"));
    assert_string_equal(error_of(fay), "taken");
}

/* They are read in pages. */
static void all_accounts_are_there_at_the_start(void **state)
{
    enum { MANY = 11000 };
    (void)state;
    for (int i = 0; i < MANY; i++) {
        char key[ID_BYTES], text[80];
        snprintf(key, sizeof key, "u%d", i);
        snprintf(text, sizeof text, "{\"name\":\"n%d\",\"password\":\"x\"}", i);
        struct store_change c = {STORE_PUT, "user", key, 0, 0, text};
        store_write(hub->set.store, &c, 1, NULL, NULL);
    }
    harness_restart();
    assert_int_equal(hub->users.count, MANY);
    rested();
    assert_non_null(user_named(hub, "n0"));
    assert_non_null(user_named(hub, "n10999"));
}

/* Every entry of every list, as one text to be freed. */
static char *lists(sqlite3 *db)
{
    sqlite3_stmt *s;
    struct out o = {0};
    out_put(&o, "");
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT key, text FROM record WHERE "
                                        "kind = 'over' ORDER BY key",
                                        -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int i = 0; i < 2; i++) {
            out_put(&o, (const char *)sqlite3_column_text(s, i));
            out_put(&o, "\n");
        }
    sqlite3_finalize(s);
    return o.text;
}

/* A store of before there were lists gets the very same ones. */
static void an_older_store_gets_its_lists(void **state)
{
    (void)state;
    struct person *two[] = {account("Ann"), account("Bob")};
    char id[ID_BYTES];
    sqlite3 *db;
    played(two, false, id);
    played(two, true, id);
    json_t *made =
        say(two[0], "create", "{s:s,s:b}", "setup", NOVA, "rated", 1);
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    say(two[1], "join", "{s:s}", "table", id);
    assert_non_null(say(two[0], "resign", "{s:s}", "table", id));
    say(two[0], "create", "{s:s}", "setup", NOVA); /* goes on */
    harness_close();
    assert_int_equal(sqlite3_open(harness_file, &db), SQLITE_OK);
    char *before = lists(db);
    assert_non_null(strstr(before, "rated:nova:"));
    assert_int_equal(sqlite3_exec(db,
                                  "DELETE FROM record WHERE kind = 'over';"
                                  "PRAGMA user_version = 4",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    harness_open(&store_sqlite, harness_file, 30);
    assert_int_equal(sqlite3_open(harness_file, &db), SQLITE_OK);
    char *after = lists(db);
    sqlite3_close(db);
    assert_string_equal(after, before);
    free(before);
    free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(nothing_of_a_finished_game_stays_in_memory),
        FILE_TEST(a_finished_game_is_found_again),
        FILE_TEST(it_can_be_played_again),
        FILE_TEST(a_hidden_game_is_listed_for_its_players),
        FILE_TEST(the_list_has_pages),
        FILE_TEST(guests_who_left_are_found_again),
        FILE_TEST(their_games_are_downloaded_with_names),
        FILE_TEST(their_names_stay_taken),
        FILE_TEST(all_accounts_are_there_at_the_start),
        FILE_TEST(an_older_store_gets_its_lists),
    };
    return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
