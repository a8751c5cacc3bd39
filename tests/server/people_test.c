/* tests/server/people_test.c: accounts, their devices, lists and ratings. */
#include "tests/server/harness.h"

#include <math.h>

static int64_t number(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static bool flag(const json_t *o, const char *key)
{
    return json_is_true(json_object_get(o, key));
}

/* Opens a rated table for these people and fills it. */
static void rated_table(const char *setup, struct person **people, int count,
                        char id[ID_BYTES])
{
    json_t *made =
        say(people[0], "create", "{s:s,s:b}", "setup", setup, "rated", 1);
    assert_non_null(made);
    snprintf(id, ID_BYTES, "%s", text_at(made, "table"));
    for (int i = 1; i < count; i++)
        assert_non_null(say(people[i], "join", "{s:s}", "table", id));
}

/* The rating in Terra Nova, NAN if there is none. */
static double mu_of(struct person *asker, const char *name)
{
    json_t *page = say(asker, "player", "{s:s}", "name", name);
    json_t *one = json_array_get(json_object_get(page, "ratings"), 0);
    return one ? json_number_value(json_object_get(one, "mu")) : (double)NAN;
}

/* ---- devices ---- */

/* Another browser of an account. */
static struct person *sign_in(const char *name, const char *device)
{
    struct person *first = person_new(NULL);
    assert_non_null(call(first, "login", "{s:s,s:s,s:s}", "name", name,
                         "password", "12345678", "device", device));
    struct person *p = person_new(first->token);
    person_leave(first);
    return p;
}

static json_t *device_of(struct person *p, const char *name)
{
    json_t *list = json_object_get(say(p, "account", ""), "devices"), *one;
    size_t i;
    json_array_foreach(list, i, one) if (strcmp(text_at(one, "device"), name) ==
                                         0) return one;
    return NULL;
}

static bool signed_in(struct person *p)
{
    return json_is_object(json_object_get(call(p, "hello", ""), "user"));
}

static void devices_are_listed_and_signed_out(void **state)
{
    (void)state;
    struct person *home = account("Ann"), *other = account("Bob");
    struct person *phone = sign_in("Ann", "Firefox, Android");
    struct person *work = sign_in("Ann", "Chromium, Linux");
    json_t *list = json_object_get(say(home, "account", ""), "devices");
    assert_int_equal(json_array_size(list), 3);
    json_t *one = device_of(phone, "Firefox, Android");
    assert_true(flag(one, "here") && flag(one, "online"));
    assert_int_equal(number(one, "created"), test_now);
    assert_false(flag(device_of(phone, "Chromium, Linux"), "here"));
    char id[32];
    snprintf(id, sizeof id, "%s",
             text_at(device_of(home, "Firefox, Android"), "id"));
    /* nobody else's */
    assert_null(say(other, "signout", "{s:s}", "device", id));
    assert_string_equal(error_of(other), "unknown");
    assert_true(signed_in(phone));
    /* one of them: its line is cut, and it comes back as nobody */
    assert_non_null(say(home, "signout", "{s:s}", "device", id));
    assert_true(phone->closed);
    assert_false(signed_in(phone));
    assert_true(signed_in(work));
    /* all others */
    assert_non_null(say(home, "signout", ""));
    assert_true(work->closed);
    assert_false(signed_in(work));
    assert_false(home->closed);
    assert_true(signed_in(home) && signed_in(other));
    list = json_object_get(say(home, "account", ""), "devices");
    assert_int_equal(json_array_size(list), 1);
}

static void a_new_password_cuts_the_lines_of_others(void **state)
{
    (void)state;
    struct person *home = account("Ann"), *phone = sign_in("Ann", "");
    assert_non_null(say(home, "password", "{s:s,s:s}", "password", "12345678",
                        "fresh", "87654321"));
    assert_true(phone->closed);
    assert_false(home->closed);
}

static void whom_i_blocked_is_listed(void **state)
{
    (void)state;
    struct person *ann = guest("Ann");
    guest("Bob");
    struct person *cem = guest("Cem");
    say(ann, "block", "{s:s}", "name", "Bob");
    say(ann, "block", "{s:s}", "name", "Cem");
    json_t *list = json_object_get(say(ann, "account", ""), "blocked");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_array_get(list, 0)), "Bob");
    say(ann, "block", "{s:s,s:b}", "name", "Bob", "block", 0);
    list = json_object_get(say(ann, "account", ""), "blocked");
    assert_int_equal(json_array_size(list), 1);
    say(cem, "delete", ""); /* nobody is left to be unblocked */
    list = json_object_get(say(ann, "account", ""), "blocked");
    assert_int_equal(json_array_size(list), 0);
}

static void look_for(void *context, const struct store_answer *a)
{
    const char *const *found = context;
    assert_true(a->count > 0);
    for (int i = 0; i < a->count; i++) {
        assert_null(strstr(a->rows[i].key, *found));
        assert_null(strstr(a->rows[i].text, *found));
    }
}

/* Whoever reads the store cannot sign in with it. */
static void the_store_has_no_token_and_no_password(void **state)
{
    (void)state;
    struct person *p = account("Ann");
    const char *secrets[] = {p->token, "12345678"};
    assert_int_equal(strlen(p->token), 32);
    for (int i = 0; i < 2; i++) {
        store_list(hub->set.store, "session", "", 100, look_for, &secrets[i]);
        store_list(hub->set.store, "user", "", 100, look_for, &secrets[i]);
    }
    store_settle(hub->set.store);
}

static void order(const char *key, const char *text)
{
    struct store_change c = {STORE_OFFER, "order", key, 0, 0, text};
    store_write(hub->set.store, &c, 1, NULL, NULL);
    harness_wait(3000);
}

static void a_ban_can_be_lifted(void **state)
{
    (void)state;
    struct person *p = account("Mallory");
    order("1", "{\"order\":\"ban\",\"name\":\"Mallory\"}");
    assert_true(p->closed);
    assert_null(call(p, "login", "{s:s,s:s}", "name", "Mallory", "password",
                     "12345678"));
    assert_string_equal(error_of(p), "password");
    order("2", "{\"order\":\"unban\",\"name\":\"Mallory\"}");
    assert_non_null(call(p, "login", "{s:s,s:s}", "name", "Mallory", "password",
                         "12345678"));
}

static void a_guest_who_left_can_be_banned(void **state)
{
    (void)state;
    struct person *p = guest("Mallory"), *ann = account("Ann");
    assert_non_null(say(p, "logout", ""));
    harness_wait(30000);
    assert_null(user_named(hub, "Mallory"));
    order("1", "{\"order\":\"ban\",\"name\":\"Mallory\"}");
    harness_wait(30000);
    harness_wait(30000);
    assert_null(user_named(hub, "Mallory"));
    assert_non_null(say(ann, "player", "{s:s}", "name", "Mallory"));
    assert_true(user_named(hub, "Mallory")->banned);
}

/* ---- lists ---- */

static int listed(struct person *p, const char *filter, const char *game)
{
    json_t *ok = say(p, "lobby", "{s:s,s:s}", "filter", filter, "game", game);
    assert_int_equal(json_array_size(json_object_get(ok, "tables")),
                     number(ok, "count"));
    return (int)number(ok, "count");
}

static void tables_are_listed_where_they_belong(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    struct person *eve = guest("Eve");
    char over[ID_BYTES];
    snprintf(over, sizeof over, "%s", table_with(NOVA, "none", 0, two, 2));
    say(two[0], "resign", "{s:s}", "table", over);
    table_with(NOVA, "none", 0, two, 2);
    say(two[0], "create", "{s:s}", "setup", NOVA);
    say(two[0], "create", "{s:s}", "setup", "game: terrax\nseats: 2\n");
    say(two[0], "create", "{s:s,s:b}", "setup", NOVA, "hidden", 1);
    static const struct {
        const char *filter, *game;
        int ann, eve;
    } all[] = {
        {"open", "", 3, 2},       {"open", "nova", 2, 1},
        {"open", "terrax", 1, 1}, {"mine", "", 4, 0},
        {"mine", "nova", 3, 0},   {"running", "", 1, 1},
        {"finished", "", 1, 1},   {"running", "mystica", 0, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(listed(two[0], all[i].filter, all[i].game),
                         all[i].ann);
        assert_int_equal(listed(eve, all[i].filter, all[i].game), all[i].eve);
    }
}

/* ---- ratings ---- */

static void rated_tables_are_for_accounts(void **state)
{
    (void)state;
    struct person *ann = account("Ann"), *gus = guest("Gus");
    assert_null(say(gus, "create", "{s:s,s:b}", "setup", NOVA, "rated", 1));
    assert_string_equal(error_of(gus), "who");
    char id[ID_BYTES];
    rated_table(NOVA, &ann, 1, id);
    assert_null(say(gus, "join", "{s:s}", "table", id));
    assert_string_equal(
        text_at(json_object_get(gus->answer, "error"), "phrase"),
        "rated games are for accounts: sign in first");
    /* a bot in place of the only opponent would leave nothing to rate */
    assert_null(say(ann, "bot", "{s:s,s:s}", "table", id, "level", "random"));
    assert_string_equal(error_of(ann), "state");
    assert_null(say(ann, "create", "{s:s,s:b,s:[s]}", "setup", NOVA, "rated", 1,
                    "bots", "random"));
    assert_string_equal(error_of(ann), "field");
    /* with an account the same person is welcome */
    say(gus, "register", "{s:s,s:s}", "name", "Gus", "password", "12345678");
    assert_non_null(say(gus, "join", "{s:s}", "table", id));
}

/* Known values of the Plackett-Luce model of Weng and Lin. */
static void ratings_follow_weng_and_lin(void **state)
{
    (void)state;
    struct rating r[2] = {rating_first(), rating_first()};
    int places[2] = {1, 2};
    rating_update(r, places, 2);
    assert_true(r[0].mu > 27.635 && r[0].mu < 27.6355);
    assert_true(r[1].mu > 22.3645 && r[1].mu < 22.365);
    assert_true(r[0].sigma > 8.0655 && r[0].sigma < 8.0656);
    struct rating q[2] = {rating_first(), rating_first()};
    int shared[2] = {1, 1};
    rating_update(q, shared, 2);
    assert_true(q[0].mu > 24.9999 && q[0].mu < 25.0001);
}

static void rated_games_change_ratings(void **state)
{
    (void)state;
    struct person *two[] = {account("Ann"), account("Bob")};
    char id[ID_BYTES];
    rated_table(NOVA, two, 2, id);
    say(two[0], "resign", "{s:s}", "table", id);
    json_t *page = say(two[1], "player", "{s:s}", "name", "bob");
    json_t *rating = json_array_get(json_object_get(page, "ratings"), 0);
    assert_true(json_number_value(json_object_get(rating, "mu")) > 27);
    json_t *line = json_array_get(json_object_get(page, "history"), 0);
    assert_int_equal(number(line, "place"), 1);
    assert_int_equal(json_array_size(json_object_get(page, "tables")), 1);
}

/* Whoever is asked plays the first legal action, to the end. */
static void play_out(const char *id, struct person **people, int count)
{
    const struct table *t = dict_find(&hub->tables, id);
    char text[256], key[16];
    struct person *p;
    for (int i = 0; (p = to_act(id, people, count, text, sizeof text)); i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                            text, "key", key, "seq", (json_int_t)t->seq));
    }
    assert_int_equal(t->status, TABLE_OVER);
}

/* With three the others play on; who resigned is last, and rated so. */
static void who_resigns_is_rated_last(void **state)
{
    (void)state;
    struct person *three[] = {account("Ann"), account("Bob"), account("Cem")};
    char id[ID_BYTES];
    rated_table("game: nova\nseats: 3\n", three, 3, id);
    say(three[0], "resign", "{s:s}", "table", id);
    assert_true(isnan(mu_of(three[1], "Ann"))); /* not before the end */
    play_out(id, three, 3);
    double ann = mu_of(three[2], "Ann");
    assert_true(ann < mu_of(three[2], "Bob") && ann < mu_of(three[2], "Cem"));
    json_t *page = say(three[2], "player", "{s:s}", "name", "Ann");
    json_t *line = json_array_get(json_object_get(page, "history"), 0);
    assert_int_equal(number(line, "place"), 3);
}

/* Who left, and the bot in that seat, count for nobody. */
static void who_leaves_is_not_rated(void **state)
{
    (void)state;
    struct person *three[] = {account("Ann"), account("Bob"), account("Cem")};
    char id[ID_BYTES];
    rated_table("game: nova\nseats: 3\n", three, 3, id);
    say(three[0], "leave", "{s:s}", "table", id);
    say(three[1], "resign", "{s:s}", "table", id);
    say(three[2], "resign", "{s:s}", "table", id);
    const struct table *t = dict_find(&hub->tables, id);
    assert_int_equal(t->status, TABLE_OVER);
    assert_true(isnan(mu_of(three[1], "Ann")));
    assert_false(isnan(mu_of(three[1], "Bob")) ||
                 isnan(mu_of(three[1], "Cem")));
    json_t *page = say(three[2], "player", "{s:s}", "name", "Ann");
    assert_int_equal(json_array_size(json_object_get(page, "history")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(devices_are_listed_and_signed_out),
        TEST(a_new_password_cuts_the_lines_of_others),
        TEST(whom_i_blocked_is_listed),
        TEST(the_store_has_no_token_and_no_password),
        TEST(a_ban_can_be_lifted),
        TEST(a_guest_who_left_can_be_banned),
        TEST(tables_are_listed_where_they_belong),
        TEST(rated_tables_are_for_accounts),
        TEST(ratings_follow_weng_and_lin),
        TEST(rated_games_change_ratings),
        TEST(who_resigns_is_rated_last),
        TEST(who_leaves_is_not_rated),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
