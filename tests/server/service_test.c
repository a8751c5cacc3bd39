/* tests/server/service_test.c: what the server does for those who are away,
 * plan or look back. */
#include "tests/server/harness.h"

#include "base/rng.h"
#include "rules/rules.h"
#include "server/download.h"
#include "server/feed.h"
#include "store/backend.h"

#define MYSTICA "game: mystica\nseats: 2\n"
#define TERRAX  "game: terrax\nseats: 2\n"

static const struct table *table_of(const char *id)
{
    const struct table *t = dict_find(&hub->tables, id);
    assert_non_null(t);
    return t;
}

static struct person *sitting(const char *id, struct person **people, int count,
                              int seat)
{
    for (int i = 0; i < count; i++)
        if (seat_of(people[i], id) == seat)
            return people[i];
    return NULL;
}

/* ---- standing rules ---- */

static int own_answers(const struct table *t, int seat)
{
    int count = 0;
    for (int64_t i = 1; i <= t->seq; i++)
        count += t->marks[i].seat == seat && strcmp(t->marks[i].key, "-") == 0;
    return count;
}

/* Seat 1 builds beside seat 2, who is offered 2 power for 1 point. */
#define BESIDE                                                                 \
    "game: mystica\nseats: 2\nstart: round 3 actions active 1\n"               \
    "\tscore SCORE2 SCORE3 SCORE4 SCORE5 SCORE6 SCORE7\n"                      \
    "\tcards BON1 BON2 BON3 BON5 BON7\n"                                       \
    "\tseat 1 auren green green vp 31 C 20 W 20 P 1 bowls 4/4/2 "              \
    "cults 3/2/0/1 card BON5 has FAV7+FAV9\n"                                  \
    "\tbuild 1 D F4 D1\n\tbuild 1 TP E7\n\tbuild 1 TE E6\n"                    \
    "\tseat 2 giants vp 22 C 0 W 0 P 0 bowls 5/1/6 cults 1/2/0/0\n"            \
    "\tbuild 2 TP D4\n\tbuild 2 D I5\n"

static void build_beside(const char *rule, int answers)
{
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(BESIDE, "none", 0, two, 2));
    const struct table *t = table_of(id);
    struct person *builder = sitting(id, two, 2, 0);
    struct person *beside = sitting(id, two, 2, 1);
    assert_non_null(
        say(beside, "standing", "{s:s,s:s}", "table", id, "rule", rule));
    person_leave(beside); /* the rule works while nobody is there */
    if (!say(builder, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
             "upgrade E6 to SA; +FAV10; done", "key", "k", "seq",
             (json_int_t)t->seq))
        fail_msg("%s", error_of(builder));
    assert_int_equal(own_answers(t, 1), answers);
    assert_int_equal(own_answers(t, 0), 0);
}

static void the_server_answers_by_a_standing_rule(void **state)
{
    (void)state;
    build_beside("1", 1);
}

static void a_standing_rule_can_leave_it_open(void **state)
{
    (void)state;
    build_beside("ask", 0);
}

/* Asked already, then settled: the answer comes at once. */
static void a_new_rule_answers_what_is_open(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(BESIDE, "none", 0, two, 2));
    const struct table *t = table_of(id);
    say(sitting(id, two, 2, 0), "play", "{s:s,s:s,s:s,s:I}", "table", id,
        "line", "upgrade E6 to SA; +FAV10; done", "key", "k", "seq",
        (json_int_t)t->seq);
    struct person *beside = sitting(id, two, 2, 1);
    say(beside, "standing", "{s:s,s:s}", "table", id, "rule", "never");
    assert_int_equal(own_answers(t, 1), 1);
    json_t *log = json_object_get(event_of(beside, "table"), "log");
    json_t *last = json_array_get(log, json_array_size(log) - 1);
    assert_string_equal(text_at(last, "text"), "decline 2 from auren");
}

static void rules_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(MYSTICA, "none", 0, two, 2));
    assert_null(
        say(two[0], "standing", "{s:s,s:s}", "table", id, "rule", "mostly"));
    assert_string_equal(error_of(two[0]), "field");
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    assert_null(
        say(two[0], "standing", "{s:s,s:s}", "table", id, "rule", "always"));
    assert_string_equal(error_of(two[0]), "field");
}

/* It can be chosen before the match begins, is told to nobody else, and goes
 * with the one who gives the seat up. */
static void a_standing_rule_is_its_players_secret(void **state)
{
    (void)state;
    struct person *ann = guest("Ann"), *bob = guest("Bob");
    json_t *made = say(ann, "create", "{s:s}", "setup", MYSTICA);
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    assert_non_null(
        say(ann, "standing", "{s:s,s:s}", "table", id, "rule", "7"));
    json_t *seen = say(ann, "watch", "{s:s}", "table", id);
    assert_string_equal(text_at(seen, "standing"), "7");
    assert_true(json_array_size(json_object_get(seen, "standings")) > 3);
    assert_non_null(say(bob, "join", "{s:s}", "table", id));
    seen = say(bob, "watch", "{s:s}", "table", id);
    assert_string_equal(text_at(seen, "standing"), "ask");
    struct person *eve = guest("Eve");
    seen = say(eve, "watch", "{s:s}", "table", id);
    assert_null(json_object_get(seen, "standing"));
    assert_null(strstr(bob->heard, "\"rule\""));
    assert_null(strstr(eve->heard, "\"rule\""));

    made = say(ann, "create", "{s:s}", "setup", MYSTICA);
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    say(bob, "join", "{s:s}", "table", id);
    made = say(ann, "create", "{s:s}", "setup", "game: mystica\nseats: 3\n");
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    say(bob, "join", "{s:s}", "table", id);
    say(bob, "standing", "{s:s,s:s}", "table", id, "rule", "always");
    int seat = seat_of(bob, id);
    assert_string_equal(table_of(id)->seat[seat].rule, "always");
    assert_non_null(say(bob, "leave", "{s:s}", "table", id));
    assert_string_equal(table_of(id)->seat[seat].rule, "");
}

/* ---- planning ---- */

/* The record a seat gets opens as a match of its own, where the planned turn
 * is tried; what was found there is then played here. */
static void plan_and_play(const char *setup, struct person **two, uint64_t seed)
{
    static action legal[GAME_ACTIONS];
    char id[ID_BYTES], text[256];
    snprintf(id, sizeof id, "%s", table_with(setup, "none", 0, two, 2));
    const struct table *t = table_of(id);
    struct rng rng = {seed};
    for (int i = 0; i < 60 && t->status == TABLE_RUNNING; i++) {
        int seat = match_seat(t->match);
        struct person *p = sitting(id, two, 2, seat);
        struct fault f = {0};
        json_t *ok = say(p, "record", "{s:s}", "table", id);
        const char *record = text_at(ok, "text");
        struct match *plan = match_read(t->game, match_format(t->game, NULL),
                                        record, strlen(record), NULL, &f);
        if (!plan)
            fail_msg("a seat's record is refused: %s\n%s",
                     fault_text(t->game, f.code)->phrase, record);
        assert_int_equal(match_seat(plan), seat);
        assert_int_equal(match_count(plan), match_count(t->match));
        int count =
            t->game->legal(match_world(plan), match_state(plan), seat, legal);
        action a = legal[rng_below(&rng, count)];
        t->game->write_action(match_world(plan), match_state(plan), seat, a,
                              seat, text, sizeof text);
        match_play(plan, seat, a);
        match_close(plan);
        char key[16];
        snprintf(key, sizeof key, "plan%d", i);
        if (!say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line", text,
                 "key", key, "seq", (json_int_t)t->seq))
            fail_msg("what was planned is refused here: %s", text);
    }
}

static void a_turn_is_planned_on_the_seats_own_record(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    plan_and_play(NOVA, two, 1);
    plan_and_play(TERRAX, two, 2);
    plan_and_play(MYSTICA, two, 3);
    plan_and_play(HIDDEN, two, 4);
}

/* ---- looking back ---- */

/* Two accounts play some steps, then one resigns. */
static const char *finished_game(const char *setup, bool rated)
{
    static char id[ID_BYTES];
    static int number;
    char names[2][24], text[256], key[16];
    struct person *two[2];
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "Player %d", ++number);
        two[i] = account(names[i]);
    }
    json_t *made =
        say(two[0], "create", "{s:s,s:b}", "setup", setup, "rated", rated);
    assert_non_null(made);
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    assert_non_null(say(two[1], "join", "{s:s}", "table", id));
    const struct table *t = table_of(id);
    for (int i = 0; i < 6; i++) {
        struct person *p = to_act(id, two, 2, text, sizeof text);
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                            text, "key", key, "seq", (json_int_t)t->seq));
    }
    assert_non_null(say(two[0], "resign", "{s:s}", "table", id));
    test_now += 5000;
    return id;
}

static int downloads_ready;

static void ready(void *context)
{
    (void)context;
    downloads_ready++;
}

/* Everything behind an address; NULL if there is nothing. */
static char *download(const char *path)
{
    struct download *d = download_open(hub, path, ready, NULL);
    struct out all = {0}, *part;
    if (!d)
        return NULL;
    harness_settle();
    if (download_state(d) == DOWNLOAD_NOT_THERE) {
        download_close(d);
        return NULL;
    }
    out_put(&all, "");
    while ((part = download_read(d))) {
        if (part->length) {
            out_put(&all, part->text);
            part->length = 0;
        } else {
            int before = downloads_ready;
            download_next(d);
            harness_settle();
            assert_int_equal(downloads_ready, before + 1);
        }
    }
    download_close(d);
    return all.text;
}

/* Does the text hold exactly the match as it was played? */
static void same_match(const struct game *game, const char *text, size_t length,
                       int steps)
{
    struct fault f = {0};
    struct match *m =
        match_read(game, match_format(game, NULL), text, length, NULL, &f);
    if (!m)
        fail_msg("%s", fault_text(game, f.code)->phrase);
    assert_true(match_over(m));
    assert_int_equal(match_count(m), steps);
    match_close(m);
}

/* Not only when the last one leaves: who asks once never came. */
static void finished_matches_leave_the_memory(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    assert_non_null(say(two[0], "resign", "{s:s}", "table", id));
    harness_wait(3000);
    assert_int_equal(hub->loaded, 1); /* they look at it */
    for (int i = 0; i < 2; i++)
        say(two[i], "unwatch", "");
    assert_int_equal(hub->loaded, 0);
    assert_non_null(call(two[0], "record", "{s:s}", "table", id));
    assert_int_equal(hub->loaded, 1);
    harness_wait(3000);
    assert_int_equal(hub->loaded, 0);
    assert_non_null(call(two[0], "record", "{s:s}", "table", id));
}

static void rated_games_can_be_downloaded(void **state)
{
    (void)state;
    char ids[2][ID_BYTES], casual[ID_BYTES];
    snprintf(ids[0], ID_BYTES, "%s", finished_game(NOVA, true));
    snprintf(casual, sizeof casual, "%s", finished_game(NOVA, false));
    snprintf(ids[1], ID_BYTES, "%s", finished_game(NOVA, true));
    char *all = download("/games/nova.txt");
    assert_non_null(all);
    assert_null(strstr(all, casual));
    const char *at = all;
    for (int i = 0; i < 2; i++) { /* the older one first */
        assert_memory_equal(at, "== ", 3);
        assert_memory_equal(at + 3, ids[i], strlen(ids[i]));
        at = strchr(at, '\n') + 1;
        const char *next = strstr(at, "\n== ");
        size_t length = next ? (size_t)(next + 1 - at) : strlen(at);
        same_match(rules_find("nova"), at, length, 7);
        at += length;
    }
    assert_int_equal(*at, '\0');
    free(all);
    all = download("/games/terrax.txt");
    assert_string_equal(all, "");
    free(all);
    assert_null(download("/games/chess.txt"));
    assert_null(download("/games/.txt"));
    assert_null(download("/games/nova"));
    assert_int_equal(hub->downloads, 0);
}

/* By its address; of hidden cards everything is told then. */
static void a_finished_game_is_everybodys(void **state)
{
    (void)state;
    char id[ID_BYTES], path[40];
    snprintf(id, sizeof id, "%s", finished_game(TERRAX, false));
    snprintf(path, sizeof path, "/match/%s.txt", id);
    char *text = download(path);
    assert_non_null(text);
    same_match(rules_find("terrax"), text, strlen(text), 7);
    struct person *anon = person_new(NULL);
    assert_string_equal(
        text_at(say(anon, "record", "{s:s}", "table", id), "text"), text);
    free(text);
    /* ... and every position on the way. */
    for (int count = 0; count <= 7; count++)
        assert_non_null(json_object_get(
            say(anon, "scene", "{s:s,s:i}", "table", id, "count", count),
            "scene"));
}

static void a_game_in_play_cannot_be_downloaded(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char path[40];
    snprintf(path, sizeof path, "/match/%s.txt",
             table_with(TERRAX, "none", 0, two, 2));
    assert_null(download(path));
    assert_null(download("/match/nosuchmatch.txt"));
}

/* Somebody who goes in the middle leaves nothing behind. */
static void a_download_can_be_given_up(void **state)
{
    (void)state;
    finished_game(NOVA, true);
    struct download *d = download_open(hub, "/games/nova.txt", ready, NULL);
    download_next(d);
    download_close(d);
    harness_settle();
    assert_int_equal(hub->downloads, 0);
}

/* ---- boards and maps of one's own ---- */

#define BOARD                                                                  \
    "board:\n\tname: trial\n\ttitle: On Trial\n"                               \
    "\tlandscapes: a=a b=b c=c d=d e=e f=f g=g h=h\n\tpioneers: 2 2 1\n"       \
    "\tstones: 12\n\tsymmetry: none\n\tbalance: 0\n\t\n\tmap:\n"
#define HEXES "\ta a a b b b\n\t c c c d d d\n\te e e f f f\n\t g g g h h h\n"
#define ROWS                                                                   \
    "map:\n\tUSGBYRUKRGBRK\n\tYIIUKIIYKIIY\n\tIIKISIGIGISII\n"                 \
    "\tGBYIIRBIRIRU\n\tKURBKUSYIIGKB\n\tSGIIYGIIIUSU\n"                        \
    "\tIIISIRIGIYKBY\n\tYBUIIIBKISUS\n\tRKSBRGYUSIBGR\n"

/* A match begins on it, and everybody at the table can have it. */
static void played_on(const char *setup, const char *mark)
{
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], text[256];
    snprintf(id, sizeof id, "%s", table_with(setup, "none", 0, two, 2));
    struct person *p = to_act(id, two, 2, text, sizeof text);
    assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                        text, "key", "k", "seq", (json_int_t)1));
    for (int i = 0; i < 2; i++) {
        json_t *ok = say(two[i], "record", "{s:s}", "table", id);
        assert_non_null(strstr(text_at(ok, "text"), mark));
        assert_non_null(say(two[i], "delete", ""));
    }
}

/* A map of Terra-X as large as one may be, with `more` behind its last leg. */
static char *own_map(const char *more)
{
    char path[512], line[512];
    const char *source = getenv("TERRA_SOURCE");
    snprintf(path, sizeof path, "%s/tests/games/terrax/maps/full.map",
             source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct out o = {0};
    out_put(&o, TERRAX "map:\n");
    while (fgets(line, sizeof line, file)) {
        out_put(&o, "\t");
        out_put(&o, line);
    }
    fclose(file);
    out_put(&o, more);
    return o.text;
}

static void own_boards_and_maps_are_played_on(void **state)
{
    (void)state;
    char *map = own_map("");
    played_on(NOVA BOARD HEXES, "trial");
    played_on(MYSTICA ROWS, "USGBYRUKRGBRK");
    played_on(map, "L255\t");
    free(map);
}

/* What is wrong with it, and in which line of what was given. */
static void a_bad_board_is_refused(void **state)
{
    char *one_leg_more = own_map("\tX1\tgSAA\tQBC\t-\n");
    const struct {
        const char *setup, *error;
        int line;
    } bad[] = {
        {one_leg_more, "map-limit", 1 + 389},
        {NOVA BOARD, "board.empty", 0},
        {NOVA BOARD "\ta a x\n", "board.undeclared", 10},
        {MYSTICA "map:\n\tUSG\n", "setup.map-row", 1},
        {TERRAX "map:\n\tnothing\n", "map-file", 2},
        {NOVA "bord: x\n", "setup.given", 1},
    };
    (void)state;
    struct person *p = guest("Ann");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(say(p, "create", "{s:s}", "setup", bad[i].setup));
        json_t *e = json_object_get(p->answer, "error");
        assert_string_equal(text_at(e, "name"), bad[i].error);
        assert_true(text_at(e, "phrase")[0] != '\0');
        assert_int_equal(json_integer_value(json_object_get(e, "line")),
                         bad[i].line);
    }
    free(one_leg_more);
    assert_null(
        say(p, "create", "{s:s,s:b}", "setup", NOVA BOARD HEXES, "rated", 1));
    assert_string_equal(error_of(p), "field");
}

/* ---- what is one's own ---- */

static void everybody_can_have_what_is_kept(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    say(two[0], "note", "{s:s,s:s}", "table", id, "text", "my plan");
    say(two[1], "note", "{s:s,s:s}", "table", id, "text", "his plan");
    say(two[0], "chat", "{s:s,s:s}", "table", id, "text", "first word");
    say(two[1], "chat", "{s:s,s:s}", "table", id, "text", "his word");
    say(two[0], "chat", "{s:s,s:s}", "table", id, "text", "last word");
    json_t *mine = say(two[0], "export", "");
    assert_string_equal(text_at(json_object_get(mine, "user"), "name"), "Ann");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(mine, "tables"), 0)),
        id);
    json_t *notes = json_object_get(mine, "notes");
    assert_int_equal(json_array_size(notes), 1);
    assert_string_equal(text_at(json_array_get(notes, 0), "text"), "my plan");
    assert_string_equal(text_at(json_array_get(notes, 0), "table"), id);
    json_t *lines = json_object_get(mine, "said");
    assert_int_equal(json_array_size(lines), 2);
    assert_string_equal(text_at(json_array_get(lines, 0), "text"),
                        "first word");
    assert_string_equal(text_at(json_array_get(lines, 1), "text"), "last word");
}

static void count_rows(void *context, const struct store_answer *a)
{
    *(int *)context = a->count;
}

static int stored(const char *kind)
{
    int count = -1;
    store_list(hub->set.store, kind, "", 1000, count_rows, &count);
    store_settle(hub->set.store);
    return count;
}

/* Whoever deletes the account takes the notes along; the others play on. */
static void a_deleted_account_leaves_nobody_waiting(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char running[ID_BYTES], lone[ID_BYTES], shared[ID_BYTES], text[256];
    snprintf(running, ID_BYTES, "%s", table_with(NOVA, "none", 0, two, 2));
    json_t *made = say(two[0], "create", "{s:s}", "setup", NOVA);
    snprintf(lone, sizeof lone, "%s", text_at(made, "table"));
    made = say(two[1], "create", "{s:s}", "setup", "game: nova\nseats: 3\n");
    snprintf(shared, sizeof shared, "%s", text_at(made, "table"));
    say(two[0], "join", "{s:s}", "table", shared);
    say(two[0], "note", "{s:s,s:s}", "table", running, "text", "my plan");
    say(two[0], "chat", "{s:s,s:s}", "table", running, "text", "hello");
    int seat = seat_of(two[0], running), place = seat_of(two[0], shared);
    assert_non_null(say(two[0], "delete", ""));
    harness_settle();
    assert_int_equal(stored("note"), 0);
    assert_int_equal(stored("said"), 0);
    const struct table *t = table_of(running);
    assert_true(t->seat[seat].gone);
    assert_string_not_equal(t->seat[seat].bot, "");
    struct person *p = to_act(running, two + 1, 1, text, sizeof text);
    assert_ptr_equal(p, two[1]); /* the bot has played, if it was to */
    assert_int_equal(table_of(lone)->status, TABLE_OVER);
    assert_null(table_of(shared)->seat[place].user);
    assert_int_equal(table_of(shared)->status, TABLE_OPEN);
}

/* A ban does the same, also at a table that is not in memory. */
static void a_ban_leaves_nobody_waiting(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Mallory")};
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    int seat = seat_of(two[1], id);
    struct table *t = dict_find(&hub->tables, id);
    for (int i = 0; i < 2; i++)
        say(two[i], "unwatch", "");
    table_unload(hub, t);
    struct store_change c = {
        STORE_OFFER, "order", "1",
        0,           0,       "{\"order\":\"ban\",\"name\":\"Mallory\"}"};
    store_write(hub->set.store, &c, 1, NULL, NULL);
    harness_wait(3000);
    assert_true(t->seat[seat].gone);
    assert_int_equal(t->status, TABLE_RUNNING);
}

static void who_is_blocked_cannot_join(void **state)
{
    (void)state;
    struct person *ann = guest("Ann"), *bob = guest("Bob");
    assert_non_null(say(ann, "block", "{s:s}", "name", "bob"));
    json_t *made = say(ann, "create", "{s:s}", "setup", NOVA);
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", text_at(made, "table"));
    assert_null(say(bob, "join", "{s:s}", "table", id));
    assert_string_equal(error_of(bob), "who");
    assert_non_null(say(ann, "block", "{s:s,s:b}", "name", "bob", "block", 0));
    assert_non_null(say(bob, "join", "{s:s}", "table", id));
}

/* ---- a feed of one's turns ---- */

static void turns_are_told_in_a_feed(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], text[256], path[128], other[128];
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    struct person *p = to_act(id, two, 2, text, sizeof text);
    struct person *q = p == two[0] ? two[1] : two[0];
    snprintf(path, sizeof path, "%s", text_at(say(p, "feed", ""), "path"));
    snprintf(other, sizeof other, "%s", text_at(say(q, "feed", ""), "path"));
    struct out mine = {0}, yours = {0}, nobodys = {0};
    /* An entry is as old as the turn, not as the game or the question. */
    struct table *t = dict_find(&hub->tables, id);
    t->clock.since[0] = t->clock.since[1] = 1700100000000;
    assert_true(feed_write(hub, path + strlen("/feed/"), &mine));
    assert_non_null(strstr(mine.text, "<updated>2023-11-16T02:00:00Z"));
    assert_true(feed_write(hub, other + strlen("/feed/"), &yours));
    assert_non_null(strstr(mine.text, id));
    assert_null(strstr(yours.text, id));
    assert_false(feed_write(hub, "guess", &nobodys));
    say(p, "feed", ""); /* a new address ends the old one */
    assert_false(feed_write(hub, path + strlen("/feed/"), &nobodys));
    out_release(&mine);
    out_release(&yours);
    out_release(&nobodys);
}

/* ---- a disk that fails ---- */

static bool disk_fails;

static bool failing_begin(void *b)
{
    return !disk_fails && store_memory.begin(b);
}

static struct store_backend failing;

static int begin_failing(void **state)
{
    (void)state;
    failing = store_memory;
    failing.begin = failing_begin;
    disk_fails = false;
    harness_open(&failing, "", 0);
    return 0;
}

/* The player is told, nobody else hears of it, and it can be played again. */
static void a_play_that_is_not_stored_does_not_count(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], text[256];
    snprintf(id, sizeof id, "%s", table_with(NOVA, "none", 0, two, 2));
    struct person *p = to_act(id, two, 2, text, sizeof text);
    struct person *other = p == two[0] ? two[1] : two[0];
    json_array_clear(other->events);
    disk_fails = true;
    assert_null(say(p, "play", "{s:s,s:s,s:s,s:i}", "table", id, "line", text,
                    "key", "k", "seq", 1));
    assert_string_equal(error_of(p), "store");
    assert_null(event_of(other, "table"));
    assert_null(say(p, "note", "{s:s,s:s}", "table", id, "text", "x"));
    assert_string_equal(error_of(p), "store");
    assert_null(say(p, "chat", "{s:s,s:s}", "table", id, "text", "x"));
    assert_string_equal(error_of(p), "store");
    assert_null(say(p, "create", "{s:s}", "setup", NOVA));
    assert_string_equal(error_of(p), "store");
    disk_fails = false;
    json_t *seen = say(other, "watch", "{s:s}", "table", id);
    assert_int_equal(json_integer_value(json_object_get(seen, "seq")), 1);
    json_t *ok = say(p, "play", "{s:s,s:s,s:s,s:i}", "table", id, "line", text,
                     "key", "k", "seq", 1);
    assert_int_equal(json_integer_value(json_object_get(ok, "seq")), 2);
    assert_int_equal(match_count(table_of(id)->match), 1);
}

/* However often somebody tries: the name is free again. */
static void somebody_who_is_not_stored_leaves_nothing(void **state)
{
    (void)state;
    struct person *eve = person_new(NULL);
    disk_fails = true;
    for (int i = 0; i < 100; i++) {
        assert_null(say(eve, "guest", "{s:s}", "name", "Eve"));
        assert_string_equal(error_of(eve), "store");
    }
    assert_int_equal(hub->users.count, 0);
    disk_fails = false;
    assert_non_null(say(eve, "guest", "{s:s}", "name", "Eve"));
    assert_int_equal(hub->users.count, 1);
}

/* ---- several clocks ---- */

/* In Blank all choose at once. */
static void who_is_asked_at_once_has_an_own_clock(void **state)
{
    (void)state;
    struct person *two[] = {guest("Ann"), guest("Bob")};
    char id[ID_BYTES], text[256];
    snprintf(id, sizeof id, "%s", table_with(HIDDEN, "game", 600, two, 2));
    const struct table *t = table_of(id);
    assert_int_equal(table_asked(t), 3);
    harness_wait(10000);
    struct person *p = to_act(id, two, 2, text, sizeof text);
    int quick = seat_of(p, id);
    for (int i = 0; i < 10 && table_asked(t) == 3; i++) {
        char key[8];
        to_act(id, two, 2, text, sizeof text);
        snprintf(key, sizeof key, "k%d", i);
        assert_non_null(say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line",
                            text, "key", key, "seq", (json_int_t)t->seq));
    }
    assert_int_equal(table_asked(t), 3 & ~(1 << quick));
    harness_wait(20000);
    int64_t now = hub_now(hub);
    assert_int_equal(clock_left(t, quick, now), 590000);
    assert_int_equal(clock_left(t, 1 - quick, now), 570000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_server_answers_by_a_standing_rule),
        TEST(a_standing_rule_can_leave_it_open),
        TEST(a_new_rule_answers_what_is_open),
        TEST(rules_that_do_not_exist_are_refused),
        TEST(a_standing_rule_is_its_players_secret),
        TEST(a_turn_is_planned_on_the_seats_own_record),
        TEST(finished_matches_leave_the_memory),
        TEST(rated_games_can_be_downloaded),
        TEST(a_finished_game_is_everybodys),
        TEST(a_game_in_play_cannot_be_downloaded),
        TEST(a_download_can_be_given_up),
        TEST(own_boards_and_maps_are_played_on),
        TEST(a_bad_board_is_refused),
        TEST(everybody_can_have_what_is_kept),
        TEST(a_deleted_account_leaves_nobody_waiting),
        TEST(a_ban_leaves_nobody_waiting),
        TEST(who_is_blocked_cannot_join),
        TEST(turns_are_told_in_a_feed),
        cmocka_unit_test_setup_teardown(
            a_play_that_is_not_stored_does_not_count, begin_failing,
            harness_finish),
        cmocka_unit_test_setup_teardown(
            somebody_who_is_not_stored_leaves_nothing, begin_failing,
            harness_finish),
        TEST(who_is_asked_at_once_has_an_own_clock),
    };
    return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
