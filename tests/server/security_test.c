/* tests/server/security_test.c: nobody does or learns what is not theirs.
 *
 * Messages are generated from the table of commands, so a new command is
 * tried by every role without a new line here. */
#include "tests/server/harness.h"

#include "base/rng.h"

static struct person *ann, *bob, *eve, *anon;
static char table[ID_BYTES], line[256];

static const char *const secrets[] = {"ANNSNOTE", "PLAYERSCHAT", "argon2id"};

/* Ann and Bob play; Eve is a guest who may or may not watch; anon is nobody. */
static void gather(const char *setup, bool hidden)
{
    ann = guest("Ann");
    bob = guest("Bob");
    eve = guest("Eve");
    anon = person_new(NULL);
    json_t *made =
        say(ann, "create", "{s:s,s:b}", "setup", setup, "hidden", hidden);
    snprintf(table, sizeof table, "%s", text_at(made, "table"));
    char invite[TOKEN_BYTES];
    snprintf(invite, sizeof invite, "%s", text_at(made, "invite"));
    assert_non_null(
        say(bob, "join", "{s:s,s:s}", "table", table, "invite", invite));
    assert_non_null(say(ann, "register", "{s:s,s:s}", "name", "Ann", "password",
                        "12345678"));
    assert_non_null(
        say(ann, "note", "{s:s,s:s}", "table", table, "text", secrets[0]));
    assert_non_null(
        say(ann, "chat", "{s:s,s:s}", "table", table, "text", secrets[1]));
    assert_non_null(say(ann, "watch", "{s:s}", "table", table));
    assert_non_null(say(bob, "watch", "{s:s}", "table", table));
    struct person *two[] = {ann, bob};
    assert_non_null(to_act(table, two, 2, line, sizeof line));
}

/* A message with every field of the command filled as it should be. */
static json_t *filled(const struct command *c)
{
    json_t *o = json_object();
    json_object_set_new(o, "do", json_string(c->name));
    json_object_set_new(o, "id", json_integer(1));
    for (const struct field *f = c->fields; f->name; f++) {
        json_t *value = NULL;
        if (strcmp(f->name, "table") == 0 || strcmp(f->name, "from") == 0)
            value = json_string(table);
        else if (strcmp(f->name, "name") == 0)
            value = json_string("Ann");
        else if (strcmp(f->name, "line") == 0)
            value = json_string(line);
        else if (strcmp(f->name, "setup") == 0)
            value = json_string("game: nova\nseats: 2\n");
        else if (strcmp(f->name, "settings") == 0)
            value = json_string("{}");
        else if (strcmp(f->name, "level") == 0)
            value = json_string("random");
        else if (f->type == FIELD_LINE || f->type == FIELD_TEXT)
            value = f->optional ? NULL : json_string("abcdefgh12");
        else if (f->type == FIELD_CHOICE)
            value = json_string(f->choices[0]);
        else if (f->type == FIELD_LINES)
            value = json_array();
        else if (f->type == FIELD_FLAG && strcmp(f->name, "yes") == 0)
            value = json_true();
        else if (f->type == FIELD_NUMBER && strcmp(f->name, "seq") == 0)
            value = json_integer(1);
        if (value)
            json_object_set_new(o, f->name, value);
    }
    return o;
}

static void send_filled(struct person *p, const struct command *c)
{
    json_t *o = filled(c);
    char *text = json_dumps(o, 0);
    say_text(p, text, strlen(text));
    free(text);
    json_decref(o);
}

/* Everything about the table and about Ann that somebody could change. */
struct snapshot {
    int64_t seq;
    uint64_t hash;
    char *head, *note;
    int ann_seat, bob_seat;
    char password[160];
};

static struct snapshot look(void)
{
    const struct table *t = dict_find(&hub->tables, table);
    struct snapshot s = {0};
    s.seq = t->seq;
    s.hash = t->game->hash(match_world(t->match), match_state(t->match));
    s.head = table_record(t);
    s.note =
        strdup(text_at(say(ann, "notes", "{s:s}", "table", table), "text"));
    s.ann_seat = seat_of(ann, table);
    s.bob_seat = seat_of(bob, table);
    snprintf(s.password, sizeof s.password, "%s", ann->link->user->password);
    return s;
}

static void same(const char *command, struct snapshot a)
{
    struct snapshot b = look();
    if (a.seq != b.seq || a.hash != b.hash || strcmp(a.head, b.head) != 0 ||
        strcmp(a.note, b.note) != 0 || a.ann_seat != b.ann_seat ||
        a.bob_seat != b.bob_seat || strcmp(a.password, b.password) != 0)
        fail_msg("'%s' changed what was not the sender's", command);
    free(a.head);
    free(a.note);
    free(b.head);
    free(b.note);
}

static bool has_table(const struct command *c)
{
    for (const struct field *f = c->fields; f->name; f++)
        if (strcmp(f->name, "table") == 0)
            return true;
    return false;
}

/* May somebody without a seat, signed in as a guest or not, send it? */
static bool allowed(const struct command *c, bool person)
{
    return c->who == WHO_ANYONE || c->who == WHO_VIEWER ||
           (c->who == WHO_PERSON && person);
}

static void no_secret(const struct person *p)
{
    char seed[20];
    const struct table *t = dict_find(&hub->tables, table);
    snprintf(seed, sizeof seed, "%016llx",
             (unsigned long long)match_setup(t->match)->seed);
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++)
        if (p->heard && strstr(p->heard, secrets[i]))
            fail_msg("somebody heard '%s'", secrets[i]);
    if (p->heard && strstr(p->heard, seed))
        fail_msg("somebody heard the seed");
    if (p->heard && strstr(p->heard, t->invite))
        fail_msg("somebody heard the invitation");
}

static void try_all(struct person *p, bool person, bool sees)
{
    for (const struct command *c = commands; c->name; c++) {
        /* What ends the role itself, or makes a seat, is tried elsewhere. */
        if (p == eve &&
            (strcmp(c->name, "delete") == 0 || strcmp(c->name, "logout") == 0 ||
             strcmp(c->name, "register") == 0))
            continue;
        struct snapshot before = look();
        send_filled(p, c);
        const char *error = error_of(p);
        if (has_table(c) && !sees)
            assert_string_equal(error, "unknown");
        else if (!allowed(c, person)) {
            if (strcmp(error, "who") != 0)
                fail_msg("'%s' was answered with '%s'", c->name, error);
        }
        same(c->name, before);
        no_secret(p);
    }
}

static void outsiders_change_and_learn_nothing(void **state)
{
    (void)state;
    gather(NOVA, true);
    try_all(anon, false, false);
    try_all(eve, true, false);
}

static void spectators_change_nothing(void **state)
{
    (void)state;
    gather(NOVA, false);
    assert_non_null(say(eve, "watch", "{s:s}", "table", table));
    try_all(anon, false, true);
    try_all(eve, true, true);
}

static void spectators_of_hidden_cards_learn_nothing(void **state)
{
    (void)state;
    gather(HIDDEN, false);
    assert_non_null(say(eve, "watch", "{s:s}", "table", table));
    try_all(eve, true, true);
}

/* Every command by the player who is not to act, filled with what would be
 * right for the other, except those that give up one's own seat. */
static void try_as_other_seat(const char *setup)
{
    static const char *const own[] = {"leave", "resign", "delete", "logout",
                                      "register"};
    gather(setup, false);
    struct person *two[] = {ann, bob};
    struct person *actor = to_act(table, two, 2, line, sizeof line);
    struct person *other = actor == ann ? bob : ann;
    const struct table *t = dict_find(&hub->tables, table);
    bool all_at_once = (table_asked(t) >> seat_of(other, table)) & 1;
    for (const struct command *c = commands; c->name; c++) {
        bool skipped = all_at_once && strcmp(c->name, "play") == 0;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            skipped |= strcmp(c->name, own[i]) == 0;
        if (skipped || (other == ann && strcmp(c->name, "note") == 0))
            continue;
        struct snapshot before = look();
        send_filled(other, c);
        same(c->name, before);
        if (other == bob && strstr(bob->heard, secrets[0]))
            fail_msg("'%s' told a note", c->name);
    }
}

static void the_other_seat_changes_nothing(void **state)
{
    (void)state;
    try_as_other_seat(NOVA);
    harness_close();
    harness_open(&store_memory, "", 0);
    try_as_other_seat(HIDDEN);
    harness_close();
    harness_open(&store_memory, "", 0);
    try_as_other_seat("game: mystica\nseats: 2\n");
}

/* The one who is not to act plays what would be legal for the other. */
static void nobody_plays_out_of_turn_or_for_another(void **state)
{
    (void)state;
    gather(NOVA, false);
    struct person *two[] = {ann, bob};
    struct person *actor = to_act(table, two, 2, line, sizeof line);
    struct person *other = actor == ann ? bob : ann;
    struct snapshot before = look();
    send_filled(other, command_find("play"));
    assert_string_equal(error_of(other), "turn");
    send_filled(other, command_find("try"));
    assert_string_not_equal(error_of(other), "");
    send_filled(other, command_find("answer"));
    assert_string_equal(error_of(other), "state");
    send_filled(other, command_find("takeback"));
    assert_string_equal(error_of(other), "state");
    same("play", before);
    /* Nobody agrees with oneself. */
    send_filled(actor, command_find("play"));
    assert_string_equal(error_of(actor), "");
    send_filled(actor, command_find("takeback"));
    before = look();
    send_filled(actor, command_find("answer"));
    same("answer", before);
}

/* What a seat is told does not depend on what is hidden from it: the same
 * public course with other hidden values gives the same bytes. */
static void views_do_not_depend(const char *setup)
{
    gather(setup, false);
    struct table *t = dict_find(&hub->tables, table);
    const struct game *g = t->game;
    const struct world *w = match_world(t->match);
    struct rng rng = {7};
    struct state *view = sure(malloc(g->state_size));
    struct state *other = sure(malloc(g->state_size));
    struct out a = {0}, b = {0};
    int changed = 0;
    for (int i = 0; i < 60; i++) {
        int viewer = i % 3 - 1; /* nobody, then each seat */
        g->observe(w, match_state(t->match), viewer, view);
        memcpy(other, view, g->state_size);
        g->complete(w, other, viewer, &rng);
        changed += memcmp(other, match_state(t->match), g->state_size) != 0;
        a.length = b.length = 0;
        view_scene(t->match, match_state(t->match), viewer, &a);
        view_scene(t->match, other, viewer, &b);
        assert_string_equal(a.text, b.text);
    }
    assert_true(changed > 0);
    out_release(&a);
    out_release(&b);
    free(view);
    free(other);
}

static void views_do_not_depend_on_what_is_hidden(void **state)
{
    (void)state;
    views_do_not_depend(HIDDEN);
    harness_close();
    harness_open(&store_memory, "", 0);
    views_do_not_depend("game: terrax\nseats: 2\n");
}

/* A line that would turn over a card is not shown before it is played. */
static void trying_reveals_nothing(void **state)
{
    (void)state;
    gather(HIDDEN, false);
    struct person *two[] = {ann, bob};
    const struct table *t = dict_find(&hub->tables, table);
    for (int i = 0; i < 40 && t->status == TABLE_RUNNING; i++) {
        struct person *p = to_act(table, two, 2, line, sizeof line);
        const struct world *w = match_world(t->match);
        uint32_t fence = t->game->fence(w, match_state(t->match));
        json_t *tried =
            say(p, "try", "{s:s,s:s}", "table", table, "line", line);
        assert_non_null(tried);
        bool final = json_is_true(json_object_get(tried, "final"));
        bool shown = json_object_get(tried, "scene") != NULL;
        assert_int_equal(final, !shown);
        char key[8];
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", table,
                            "line", line, "key", key, "seq",
                            (json_int_t)t->seq));
        assert_int_equal(final,
                         t->game->fence(w, match_state(t->match)) != fence);
    }
}

/* How far an action moves the fence of a state. */
static bool is_final(const struct table *t, const struct state *s, int seat,
                     action a)
{
    const struct world *w = match_world(t->match);
    struct state *after = sure(malloc(t->game->state_size));
    memcpy(after, s, t->game->state_size);
    t->game->apply(w, after, seat, a);
    bool final = t->game->fence(w, after) != t->game->fence(w, s);
    free(after);
    return final;
}

/* Tries every action of the one to act, and returns how many would reveal more
 * than their player can foresee. */
static int try_actions(const struct table *t, struct person *p, int seat)
{
    static action legal[GAME_ACTIONS];
    const struct world *w = match_world(t->match);
    const struct state *s = match_state(t->match);
    struct state *view = sure(malloc(t->game->state_size));
    t->game->observe(w, s, seat, view);
    int surprises = 0, count = t->game->legal(w, s, seat, legal);
    for (int i = 0; i < count; i++) {
        t->game->write_action(w, s, seat, legal[i], seat, line, sizeof line);
        json_t *tried =
            say(p, "try", "{s:s,s:s}", "table", table, "line", line);
        assert_non_null(tried);
        bool final = is_final(t, view, seat, legal[i]);
        assert_int_equal(json_is_true(json_object_get(tried, "final")), final);
        surprises += is_final(t, s, seat, legal[i]) != final;
    }
    free(view);
    return surprises;
}

/* Forty actions of a new table; returns how many would have been a surprise. */
static int try_table(const char *setup)
{
    gather(setup, false);
    struct person *two[] = {ann, bob};
    const struct table *t = dict_find(&hub->tables, table);
    int surprises = 0;
    for (int i = 0; i < 40 && t->status == TABLE_RUNNING; i++) {
        struct person *p = to_act(table, two, 2, line, sizeof line);
        char key[8], next[sizeof line];
        snprintf(key, sizeof key, "k%d", i);
        snprintf(next, sizeof next, "%s", line);
        surprises += try_actions(t, p, seat_of(p, table));
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", table,
                            "line", next, "key", key, "seq",
                            (json_int_t)t->seq));
    }
    return surprises;
}

/* An arrow that completes a mission in another hand is like any other until it
 * is laid.  The server deals by chance: about one table in six never comes to
 * such an arrow, so more are looked at until one does. */
static void trying_tells_of_no_hand(void **state)
{
    (void)state;
    int surprises = 0;
    for (int i = 0; i < 20 && !surprises; i++) {
        harness_close();
        harness_open(&store_memory, "", 0);
        surprises = try_table("game: terrax\nseats: 2\n");
    }
    assert_true(surprises > 0);
}

static void hidden_games_cannot_be_stacked(void **state)
{
    (void)state;
    struct person *p = guest("Ann");
    json_t *made = say(p, "create", "{s:s}", "setup",
                       "game: terrax\nseats: 2\nseed: 0000000000000007\n");
    assert_non_null(made);
    const struct table *t = dict_find(&hub->tables, text_at(made, "table"));
    assert_null(strstr(t->setup, "0000000000000007"));
    assert_null(say(p, "create", "{s:s}", "setup",
                    "game: terrax\nseats: 2\nseed: 0000000000000007\n"
                    "deck: nonsense\n"));
    assert_string_not_equal(error_of(p), "");
    /* The setup with its seed is told to nobody. */
    assert_null(strstr(p->heard, "seed"));
}

/* ---- hostile messages ---- */

static void odd_messages_are_refused(void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } odd[] = {
        {"", "message"},
        {"{", "message"},
        {"[]", "message"},
        {"null", "message"},
        {"\"play\"", "message"},
        {"{\"do\":\"hello\",\"do\":\"hello\"}", "message"},
        {"{\"do\":\"hello\"} x", "message"},
        {"{\"do\":\"h\xff\xfe\"}", "message"},
        {"{\"do\":\"\\u0000\"}", "message"},
        {"{\"do\":\"\xed\xa0\x80\"}", "message"},
        {"[[[[[[[[[[[[1]]]]]]]]]]]]", "message"},
        {"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}}",
         "message"},
        {"{\"do\":\"nothing\"}", "command"},
        {"{\"do\":7}", "command"},
        {"{}", "command"},
        {"{\"do\":\"hello\",\"more\":1}", "field"},
        {"{\"do\":\"watch\"}", "field"},
        {"{\"do\":\"watch\",\"table\":7}", "field"},
        {"{\"do\":\"watch\",\"table\":\"\"}", "field"},
        {"{\"do\":\"watch\",\"table\":\"x\",\"since\":1.5}", "field"},
        {"{\"do\":\"watch\",\"table\":\"x\",\"since\":-9}", "field"},
        {"{\"do\":\"watch\",\"table\":\"x\\u001b\"}", "field"},
        {"{\"do\":\"watch\",\"table\":\"nosuchtable\"}", "unknown"},
        {"{\"do\":\"lobby\",\"filter\":\"all\"}", "field"},
        {"{\"do\":\"lobby\",\"page\":99999999999999999999}", "message"},
    };
    (void)state;
    struct person *p = person_new(NULL);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        say_text(p, odd[i].text, strlen(odd[i].text));
        if (strcmp(error_of(p), odd[i].error) != 0)
            fail_msg("%s was answered with '%s'", odd[i].text, error_of(p));
    }
    size_t size = MESSAGE_MAX + 1;
    char *large = sure(malloc(size));
    memset(large, ' ', size);
    say_text(p, large, size);
    assert_string_equal(error_of(p), "message");
    memset(large, '[', size - 1);
    say_text(p, large, size - 1);
    assert_string_equal(error_of(p), "message");
    free(large);
    assert_non_null(say(p, "hello", ""));
}

/* Bytes at random in place of bytes of good messages. */
static void damaged_messages_harm_nothing(void **state)
{
    (void)state;
    gather(NOVA, false);
    struct rng rng = {42};
    int count = 0;
    while (commands[count].name)
        count++;
    for (int i = 0; i < 3000; i++) {
        const struct command *c = commands + i % count;
        if (c->flags & COMMAND_SLOW)
            continue;
        json_t *o = filled(c);
        char *text = json_dumps(o, 0);
        size_t length = strlen(text);
        for (int k = rng_below(&rng, 4); k >= 0; k--)
            text[rng_below(&rng, (int)length)] = (char)rng_below(&rng, 256);
        hub_message(hub, eve->link, NULL, text, length);
        free(text);
        json_decref(o);
    }
    harness_settle();
    assert_non_null(say(anon, "hello", ""));
    const struct table *t = dict_find(&hub->tables, table);
    assert_int_equal(t->seq, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outsiders_change_and_learn_nothing),
        TEST(spectators_change_nothing),
        TEST(spectators_of_hidden_cards_learn_nothing),
        TEST(the_other_seat_changes_nothing),
        TEST(nobody_plays_out_of_turn_or_for_another),
        TEST(views_do_not_depend_on_what_is_hidden),
        TEST(trying_reveals_nothing),
        TEST(trying_tells_of_no_hand),
        TEST(hidden_games_cannot_be_stacked),
        TEST(odd_messages_are_refused),
        TEST(damaged_messages_harm_nothing),
    };
    return cmocka_run_group_tests_name("security", tests, NULL, NULL);
}
