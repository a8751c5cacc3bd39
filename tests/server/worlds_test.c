/* tests/server/worlds_test.c: two games of Terra-X that differ only in what is
 * hidden from somebody send that person the same bytes (terrax §14), whatever
 * options make hidden or known (§12, §13).
 *
 * A game is played at a table, then once more with cards renamed that the
 * viewer never saw: those of other hands, and those that others drew in swaps,
 * against those of the stack. */
#include "tests/random.h"
#include "tests/server/harness.h"

enum { SEATS = 3, TEXT = 1 << 17, STEPS = 48 };

static char record[TEXT], view[TEXT];

/* Cards that were renamed. */
struct renamed {
    int hands;   /* other hands with such a card */
    int drawn;   /* such cards that another seat drew in a swap */
    int touched; /* such cards that a head came to, and nobody completed */
};

/* What there must be of each with these options; `shows` must stand in the
 * viewer's record, so that the options have come to something. */
struct rules {
    const char *options;
    struct renamed least;
    const char *shows;
};

#define SET(name, value) "option " name ": " value "\n"

static const struct rules all_rules[] = {
    {"", {2, 1, 0}, "$x?"},
    {SET("claims", "manual"), {2, 1, 1}, "!"},
    {SET("claims", "manual") SET("claim_present", "off") SET("var_late", "on"),
     {2, 1, 1},
     "$!"},
    {SET("swap_marked", "on") SET("claim_present", "off"), {2, 1, 0}, "/?"},
    {SET("var_openhands", "on") SET("cheque_info", "hidden"), {0, 1, 0}, "/?="},
    {SET("var_dealt", "on") SET("var_rest", "on") SET("first", "random"),
     {2, 1, 0},
     "--"},
    {SET("hand", "13") SET("markers", "10") SET("cheque_info", "hidden"),
     {2, 1, 0},
     "$"},
};

enum { RULES = sizeof all_rules / sizeof *all_rules };

static void read_rules(const struct rules *rules, char *to, size_t cap)
{
    snprintf(to, cap, "game: terrax\nseats: %d\n%s", SEATS, rules->options);
}

/* Seats that may act but need not do so now and then. */
static int seat_to_act(const struct match *m, struct rng *chance, action *legal,
                       int *count)
{
    const struct game *g = match_game(m);
    unsigned must, may;
    g->turn(match_world(m), match_state(m), &must, &may);
    int seat = rng_below(chance, SEATS);
    *count = 0;
    if (may >> seat & 1 && rng_below(chance, 3) == 0)
        *count = g->legal(match_world(m), match_state(m), seat, legal);
    if (*count > 0)
        return seat;
    seat = match_seat(m);
    *count = g->legal(match_world(m), match_state(m), seat, legal);
    return seat;
}

static struct match *random_match(const struct rules *rules, struct rng *chance)
{
    static action legal[GAME_ACTIONS];
    static char text[256];
    const struct game *g = rules_find("terrax");
    struct setup setup;
    struct fault f = {0};
    setup_init(g, &setup);
    read_rules(rules, text, sizeof text);
    assert_true(setup_read(g, text, &setup, &f));
    setup.seed = rng_next(chance);
    struct match *m = match_open(g, &setup, &f);
    if (!m)
        fail_msg("'%s': %s %s", text, fault_text(g, f.code)->name, f.subject);
    while (match_count(m) < STEPS && !match_over(m)) {
        int count, seat = seat_to_act(m, chance, legal, &count);
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

/* Does the viewer's record name the card?  Unless claims are made by hand, who
 * holds it would complete it when a head comes to its place. */
static bool is_seen(const char *card)
{
    bool by_hand = strstr(view, "claims=manual");
    for (const char *at = view; (at = strstr(at, card)); at++)
        if (!by_hand || !strchr(">@-", at[-1]))
            return true;
    return false;
}

/* Cards from there to the end that the viewer never saw. */
static int unseen(const char *at, const char *end, char card[][4], int cap)
{
    int count = 0;
    assert_non_null(at);
    for (at++; at < end && count < cap; at++) {
        if (!starts_card(at) || !strchr(" ,=\n", at[3]))
            continue;
        memcpy(card[count], at, 3);
        card[count][3] = '\0';
        count += !is_seen(card[count]);
    }
    return count;
}

static int unseen_line(const char *line, char card[][4], int cap)
{
    const char *at = strstr(record, line);
    assert_non_null(at);
    at += strlen(line) - 1;
    return unseen(at, strchr(at, '\n'), card, cap);
}

/* Drawn in swaps that the viewer's record does not tell. */
static int unseen_drawn(char card[][4], int cap)
{
    int count = 0;
    for (const char *at = record; (at = strstr(at, "$x")); at++) {
        const char *slash = strchr(at, '/');
        if (slash && slash < at + 6)
            count += unseen(slash - 1, strpbrk(at, " \n"), card + count,
                            cap - count);
    }
    return count;
}

/* Did the expeditions come there? */
static bool is_touched(const char *card)
{
    char arrow[8];
    snprintf(arrow, sizeof arrow, ">%s", card);
    return strstr(view, arrow);
}

/* Both records are read again. */
static void write_both(const struct match *m, int viewer)
{
    const struct record_format *format = match_format(match_game(m), NULL);
    match_write(m, format, match_count(m), RECORD_FULL, record, TEXT);
    match_write(m, format, match_count(m), viewer, view, TEXT);
}

static bool is_among(const char *card, char list[][4], int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(card, list[i]) == 0)
            return true;
    return false;
}

/* Renames each of these cards against one of the stack that nobody drew: cards
 * at one distance can change places without anybody having been bound by it, to
 * mark a far mission, say.  Returns the world after all changes that hold; `m`
 * is closed where it is another one. */
static struct match *exchange(struct match *m, const json_t *scene,
                              char card[][4], int cards, int *count,
                              int *touched)
{
    char stack[96][4], drawn[96][4];
    int stacks = unseen_line("\nstack:", stack, 96);
    int draws = unseen_drawn(drawn, 96);
    for (int i = 0; i < cards; i++)
        for (int k = 0; k < stacks; k++) {
            int far = distance_of(scene, card[i]);
            if (far < 0 || far != distance_of(scene, stack[k]) ||
                is_among(stack[k], drawn, draws))
                continue;
            struct match *next = renamed(m, card[i], stack[k]);
            if (!next)
                continue;
            match_close(m);
            m = next;
            *touched += is_touched(card[i]) || is_touched(stack[k]);
            stack[k][0] = '-';
            ++*count;
            break;
        }
    return m;
}

/* The match again with as much renamed as can be. */
static struct match *other_world(const struct match *m, int viewer,
                                 struct renamed *did)
{
    char cards[96][4], line[16];
    json_t *scene = scene_of(m);
    int length = match_write(m, match_format(match_game(m), NULL),
                             match_count(m), RECORD_FULL, record, TEXT);
    struct match *other = read_record(m, (size_t)length);
    assert_non_null(other);
    *did = (struct renamed){0};
    write_both(other, viewer);
    int count = unseen_drawn(cards, 96);
    other = exchange(other, scene, cards, count, &did->drawn, &did->touched);
    for (int seat = 0; seat < SEATS; seat++) {
        int some = 0;
        write_both(other, viewer);
        snprintf(line, sizeof line, "\nhand %d:", seat + 1);
        count = unseen_line(line, cards, 96);
        if (seat != viewer)
            other = exchange(other, scene, cards, count, &some, &did->touched);
        did->hands += some > 0;
    }
    write_both(other, viewer);
    json_decref(scene);
    return other;
}

/* ---- the same course at a table ---- */

/* A table at which the first person sits first, and so on, with this deal. */
static const char *table_of(const struct match *m, const char *setup,
                            struct person **people)
{
    for (int tries = 0; tries < 200; tries++) {
        const char *id = table_with(setup, "none", 0, people, SEATS);
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
 * does, who completes a mission by it (which is known where hands lie open, and
 * then played), which cards would be drawn. */
static void probe_one(struct person *p, const char *id, int seat,
                      const char *text, const char *key, json_int_t seq,
                      bool open)
{
    static const char *const guesses[] = {"NEB", "KIZ", "TAJ", "EVE"};
    char line[96];
    json_t *texts = json_array();
    say(p, "try", "{s:s,s:s}", "table", id, "line", text);
    for (int other = 0; other < SEATS; other++) {
        snprintf(line, sizeof line, "%s (%d:%s)", text, other + 1,
                 text + strlen(text) - 3);
        json_array_append_new(texts, json_string(line));
        if (other != seat && !open)
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
    bool open = strstr(t->setup, "var_openhands");
    int before = match_count(t->match);
    int count = t->game->legal(w, s, seat, legal);
    for (int i = 0; i < count; i++) {
        char text[64];
        t->game->write_action(w, s, seat, legal[i], seat, text, sizeof text);
        if (strchr(text, '>') || strncmp(text, "$x", 2) == 0)
            probe_one(p, t->id, seat, text, "probe", (json_int_t)t->seq, open);
        if (match_count(t->match) != before)
            fail_msg("'%s' is played: %s", text, t->setup);
    }
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
static void hear(const struct match *m, const char *setup,
                 struct person **people, struct person *const who[2],
                 char *heard[2])
{
    int64_t begun = test_now;
    size_t from[2];
    char id[ID_BYTES];
    snprintf(id, sizeof id, "%s", table_of(m, setup, people));
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

/* Nobody is told how many cheques are left where they are hidden. */
static void no_purses(const struct rules *rules, const char *heard)
{
    if (!strstr(rules->options, "cheque_info"))
        return;
    assert_non_null(strstr(heard, "\"bank\":null"));
    for (const char *at = heard; (at = strstr(at, "\"bank\":")); at++)
        assert_memory_equal(at, "\"bank\":null,\"spent\":null", 24);
}

static bool enough(const struct rules *rules, const struct renamed *did)
{
    return did->hands >= rules->least.hands &&
           did->drawn >= rules->least.drawn &&
           did->touched >= rules->least.touched &&
           (!rules->shows || strstr(view, rules->shows));
}

/* A match and another world of it in which enough is renamed. */
static struct match *two_worlds(const struct rules *rules, int seat,
                                struct match **other)
{
    struct rng chance;
    struct renamed did;
    rng_seed(&chance, 17 + (uint64_t)(seat + 1));
    for (int tries = 0; tries < 200; tries++) {
        struct match *m = random_match(rules, &chance);
        *other = other_world(m, seat, &did);
        if (enough(rules, &did))
            return m;
        match_close(*other);
        match_close(m);
    }
    fail_msg("'%s': no other world in 200 matches", rules->options);
    return NULL;
}

/* The viewer hears the same in both worlds, the others together do not. */
static void same_bytes(const struct rules *rules, int seat, void **state)
{
    struct person *people[SEATS] = {guest("Ann"), guest("Bob"), guest("Cy")};
    struct person *viewer = seat == SEAT_NONE ? guest("Eve") : people[seat];
    char setup[256];
    struct match *other, *m = two_worlds(rules, seat, &other);
    struct person *const who[2] = {viewer, people[seat == 0]};
    char *a[2], *b[2];
    read_rules(rules, setup, sizeof setup);
    hear(m, setup, people, who, a);
    hear(other, setup, people, who, b);
    assert_true(strlen(a[0]) > 10000);
    no_purses(rules, a[0]);
    size_t same = 0;
    while (a[0][same] && a[0][same] == b[0][same])
        same++;
    if (a[0][same] != b[0][same])
        fail_msg("'%s', byte %zu: '%.60s', '%.60s'", rules->options, same,
                 a[0] + same, b[0] + same);
    if (rules->least.hands == 2)
        assert_string_not_equal(a[1], b[1]);
    for (int i = 0; i < 2; i++) {
        free(a[i]);
        free(b[i]);
    }
    match_close(m);
    match_close(other);
    harness_finish(state); /* only so many people and tables come from one */
    harness_begin(state);
}

static void players_hear_the_same(void **state)
{
    for (int i = 0; i < RULES; i++)
        same_bytes(&all_rules[i], i % SEATS, state);
}

static void spectators_hear_the_same(void **state)
{
    for (int i = 0; i < RULES; i += test_scale(3, 1, 1))
        same_bytes(&all_rules[i], SEAT_NONE, state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(players_hear_the_same),
        TEST(spectators_hear_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
