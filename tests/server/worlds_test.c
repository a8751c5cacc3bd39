/* tests/server/worlds_test.c: two games of Terra-X that differ only in what is
 * hidden from somebody send that person the same bytes (terrax §14).
 *
 * A game is played at a table, then once more with cards renamed that the
 * viewer never saw: those of other hands against those of the stack. */
#include "tests/server/harness.h"

#include "base/rng.h"
#include "game/setup.h"
#include "rules/rules.h"

enum { SEATS = 3, TEXT = 1 << 17, STEPS = 48 };

static const char setup_text[] = "game: terrax\nseats: 3\n";
static char record[TEXT], view[TEXT];

static struct match *random_match(struct rng *chance)
{
    static action legal[GAME_ACTIONS];
    const struct game *g = rules_find("terrax");
    struct setup setup;
    struct fault f = {0};
    setup_init(g, &setup);
    setup.seats = SEATS;
    setup.seed = rng_next(chance);
    struct match *m = match_open(g, &setup, &f);
    assert_non_null(m);
    while (match_count(m) < STEPS && !match_over(m)) {
        int seat = match_seat(m);
        int count = g->legal(match_world(m), match_state(m), seat, legal);
        match_play(m, seat, legal[rng_below(chance, count)]);
    }
    return m;
}

static struct match *read_record(const struct match *like, size_t length)
{
    struct fault f = {0};
    const struct game *g = match_game(like);
    return match_read(g, match_format(g, NULL), record, length, NULL, &f);
}

/* ---- another world ---- */

static bool starts_card(const char *at)
{
    return strchr(" ,x/=:", at[-1]) && at[0] >= 'A' && at[0] <= 'Z';
}

/* The same game with two cards renamed throughout, or NULL if it is refused. */
static struct match *renamed(const struct match *m, const char *a,
                             const char *b)
{
    int length = match_write(m, match_format(match_game(m), NULL),
                             match_count(m), RECORD_FULL, record, TEXT);
    assert_in_range(length, 1, TEXT - 1);
    for (char *at = strstr(record, "\nhand 1:") + 1; *at; at++) {
        if (starts_card(at) && strncmp(at, a, 3) == 0)
            memcpy(at, b, 3);
        else if (starts_card(at) && strncmp(at, b, 3) == 0)
            memcpy(at, a, 3);
    }
    return read_record(m, (size_t)length);
}

/* Legs from the start, by the scene; -1: no card of that name. */
static int distance_of(const json_t *scene, const char *card)
{
    size_t i;
    json_t *place;
    json_array_foreach(json_object_get(json_object_get(scene, "map"), "places"),
                       i, place)
    {
        if (strcmp(text_at(place, "place"), card) == 0 &&
            strcmp(text_at(place, "kind"), "mission") == 0)
            return (int)json_integer_value(json_object_get(place, "distance"));
    }
    return -1;
}

static json_t *scene_of(const struct match *m)
{
    const struct game *g = match_game(m);
    int length =
        g->write_scene(match_world(m), match_state(m), SEAT_NONE, view, TEXT);
    assert_in_range(length, 1, TEXT - 1);
    json_t *scene = json_loads(view, 0, NULL);
    assert_non_null(scene);
    return scene;
}

/* Cards of that line of the full record that the viewer's never names. */
static int unseen(const char *line, char card[][4], int cap)
{
    int count = 0;
    const char *at = strstr(record, line);
    assert_non_null(at);
    const char *end = strchr(at + 1, '\n');
    for (at += strlen(line); at < end && count < cap; at++) {
        if (!starts_card(at))
            continue;
        memcpy(card[count], at, 3);
        card[count][3] = '\0';
        count += !strstr(view, card[count]);
    }
    return count;
}

/* Renames cards of one hand, each against one of the stack: cards at one
 * distance can change places without anybody having been bound by it, to mark a
 * far mission, say.  Returns the world after all changes that hold; `m` is
 * closed where it is another one. */
static struct match *exchange_hand(struct match *m, const json_t *scene,
                                   int viewer, int seat, int *count)
{
    char hand[32][4], stack[96][4], line[16];
    const struct record_format *format = match_format(match_game(m), NULL);
    match_write(m, format, match_count(m), RECORD_FULL, record, TEXT);
    match_write(m, format, match_count(m), viewer, view, TEXT);
    snprintf(line, sizeof line, "\nhand %d:", seat + 1);
    int hands = unseen(line, hand, 32), stacks = unseen("\nstack:", stack, 96);
    for (int i = 0; i < hands; i++)
        for (int k = 0; k < stacks; k++) {
            int far = distance_of(scene, hand[i]);
            if (far < 0 || far != distance_of(scene, stack[k]))
                continue;
            struct match *next = renamed(m, hand[i], stack[k]);
            if (!next)
                continue;
            match_close(m);
            m = next;
            stack[k][0] = '-';
            ++*count;
            break;
        }
    return m;
}

/* NULL if not every other hand could be changed. */
static struct match *other_world(const struct match *m, int viewer)
{
    json_t *scene = scene_of(m);
    int length = match_write(m, match_format(match_game(m), NULL),
                             match_count(m), RECORD_FULL, record, TEXT);
    struct match *other = read_record(m, (size_t)length);
    bool all = true;
    assert_non_null(other);
    for (int seat = 0; seat < SEATS; seat++) {
        int count = 0;
        if (seat != viewer)
            other = exchange_hand(other, scene, viewer, seat, &count);
        all &= seat == viewer || count > 0;
    }
    json_decref(scene);
    if (all)
        return other;
    match_close(other);
    return NULL;
}

/* ---- the same course at a table ---- */

/* A table at which the first person sits first, and so on, with this deal. */
static const char *table_of(const struct match *m, struct person **people)
{
    for (int tries = 0; tries < 200; tries++) {
        const char *id = table_with(setup_text, "none", 0, people, SEATS);
        bool in_order = true;
        for (int i = 0; i < SEATS; i++)
            in_order = in_order && seat_of(people[i], id) == i;
        if (!in_order)
            continue;
        struct table *t = dict_find(&hub->tables, id);
        int length = match_write(m, match_format(t->game, NULL), 0, RECORD_FULL,
                                 record, TEXT);
        match_close(t->match);
        t->match = read_record(m, (size_t)length);
        assert_non_null(t->match);
        assert_int_equal(match_count(t->match), 0);
        return id;
    }
    fail_msg("seats are never drawn in order");
    return NULL;
}

/* ---- asking without playing ---- */

/* Whatever a player asks about an own action, or says falsely of it: what it
 * does, who completes a mission by it, which cards would be drawn. */
static void probe_one(struct person *p, const char *id, int seat,
                      const char *text, const char *key, json_int_t seq)
{
    static const char *const guesses[] = {"NEB", "KIZ", "TAJ", "EVE"};
    char line[96];
    json_t *texts = json_array();
    say(p, "try", "{s:s,s:s}", "table", id, "line", text);
    for (int other = 0; other < SEATS; other++) {
        snprintf(line, sizeof line, "%s (%d:%s)", text, other + 1,
                 text + strlen(text) - 3);
        json_array_append_new(texts, json_string(line));
        if (other != seat)
            say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line", line,
                "key", key, "seq", seq);
    }
    for (size_t i = 0; strncmp(text, "$x", 2) == 0 && i < 4; i++) {
        snprintf(line, sizeof line, "%s =%s", text, guesses[i]);
        json_array_append_new(texts, json_string(line));
        say(p, "try", "{s:s,s:s}", "table", id, "line", line);
        say(p, "play", "{s:s,s:s,s:s,s:I}", "table", id, "line", line, "key",
            key, "seq", seq);
    }
    say(p, "explain", "{s:s,s:o}", "table", id, "texts", texts);
}

/* Returns how many of the viewer's actions were asked about. */
static int probe(const struct table *t, struct person *p, int seat)
{
    static action legal[GAME_ACTIONS];
    const struct world *w = match_world(t->match);
    const struct state *s = match_state(t->match);
    int before = match_count(t->match);
    int count = t->game->legal(w, s, seat, legal);
    for (int i = 0; i < count; i++) {
        char text[64];
        t->game->write_action(w, s, seat, legal[i], seat, text, sizeof text);
        if (strchr(text, '>') || strncmp(text, "$x", 2) == 0)
            probe_one(p, t->id, seat, text, "probe", (json_int_t)t->seq);
    }
    assert_int_equal(match_count(t->match), before);
    return count;
}

static void play_all(const struct match *m, const char *id,
                     struct person **people, const struct person *prober)
{
    const struct table *t = dict_find(&hub->tables, id);
    struct state *s = sure(malloc(t->game->state_size));
    for (int i = 0; i < match_count(m); i++) {
        char line[64], key[16];
        const struct step *step = match_step(m, i);
        match_at(m, i, s);
        if (people[step->seat] == prober && i % 2)
            probe(t, people[step->seat], step->seat);
        t->game->write_action(match_world(m), s, step->seat, step->action,
                              step->seat, line, sizeof line);
        snprintf(key, sizeof key, "k%d", i);
        if (!say(people[step->seat], "play", "{s:s,s:s,s:s,s:I}", "table", id,
                 "line", line, "key", key, "seq", (json_int_t)t->seq))
            fail_msg("step %d: '%s': %s", i, line,
                     error_of(people[step->seat]));
        harness_wait(1000);
    }
    free(s);
}

static void blank(char *text, const char *word)
{
    for (char *at = text; (at = strstr(at, word)); at++)
        memset(at, '-', strlen(word));
}

/* All bytes that two people are sent in the course of the match, to be freed;
 * what is drawn for every table is blanked. */
static void hear(const struct match *m, struct person **people,
                 struct person *const who[2], char *heard[2])
{
    int64_t begun = test_now;
    size_t from[2];
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_of(m, people));
    test_now = begun;
    for (int i = 0; i < 2; i++) {
        assert_non_null(say(who[i], "watch", "{s:s}", "table", id));
        from[i] = who[i]->heard_length;
    }
    play_all(m, id, people, who[0]);
    const struct table *t = dict_find(&hub->tables, id);
    for (int i = 0; i < 2; i++) {
        assert_non_null(say(who[i], "watch", "{s:s}", "table", id));
        assert_non_null(say(who[i], "record", "{s:s}", "table", id));
        heard[i] = sure(strdup(who[i]->heard + from[i]));
        blank(heard[i], t->id);
        blank(heard[i], t->invite);
    }
    test_now = begun;
}

/* The viewer hears the same in both worlds, whose hand is changed does not. */
static void same_bytes(struct person **people, struct person *viewer, int seat)
{
    struct rng chance;
    rng_seed(&chance, 17 + (uint64_t)(seat + 1));
    struct match *m = random_match(&chance), *other = other_world(m, seat);
    for (int tries = 0; !other; tries++) {
        if (tries == 200)
            fail_msg("no other world in %d matches", tries);
        match_close(m);
        m = random_match(&chance);
        other = other_world(m, seat);
    }
    struct person *const who[2] = {viewer, people[seat == 0]};
    char *a[2], *b[2];
    hear(m, people, who, a);
    hear(other, people, who, b);
    assert_true(strlen(a[0]) > 10000);
    assert_string_equal(a[0], b[0]);
    assert_string_not_equal(a[1], b[1]);
    for (int i = 0; i < 2; i++) {
        free(a[i]);
        free(b[i]);
    }
    match_close(m);
    match_close(other);
}

static void players_hear_the_same(void **state)
{
    (void)state;
    struct person *people[SEATS] = {guest("Ann"), guest("Bob"), guest("Cy")};
    same_bytes(people, people[0], 0);
    same_bytes(people, people[2], 2);
}

static void spectators_hear_the_same(void **state)
{
    (void)state;
    struct person *people[SEATS] = {guest("Ann"), guest("Bob"), guest("Cy")};
    same_bytes(people, guest("Eve"), SEAT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(players_hear_the_same),
        TEST(spectators_hear_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
