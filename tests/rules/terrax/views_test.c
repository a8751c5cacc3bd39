/* tests/rules/terrax/views_test.c: what a seat may know (terrax §14).
 *
 * Two matches that differ only in what a seat cannot see give that seat the
 * same bytes everywhere; and complete() finds every world that fits a view,
 * each equally often, shown against full enumeration on a map of six cards, for
 * two and three seats and with the options that touch what can be known: in
 * stories that are told here, and in random ones. */
#include "tests/random.h"

#include "base/hash.h"
#include "game/match.h"
#include "rules/terrax/past.h"

enum { TEXT = 1 << 20 };

static char one[TEXT], two[TEXT];

/* ---- two worlds ---- */

/* terrax §14, from the truth and not from views: may the viewer know by this
 * state where the card is?  With automatic claims what a head has touched tells
 * by being completed or not; else it may be kept (§9). */
static bool may_know(const struct world *w, const struct state *s, int viewer,
                     int card)
{
    int at = s->where[card];
    if (at == AT_OPEN || at >= AT_DONE || at == viewer)
        return true;
    if (w->option[OPT_CLAIMS] == CLAIMS_AUTO &&
        (s->touched[card] || head_stands(w, s, w->place_of[card])))
        return true;
    for (int seat = 0; seat < w->seats; seat++)
        for (int i = 0; i < s->marked[seat]; i++)
            if (s->mark[seat][i] == card)
                return true;
    if (at == AT_ASIDE || at == AT_DRAWN)
        return s->seat == viewer;
    return at < SEATS && w->option[VAR_OPENHANDS];
}

/* Cards that the viewer could not know in any of the first `count` steps. */
static int secrets(const struct match *m, int count, int viewer, uint8_t *cards)
{
    bool seen[CARDS] = {false};
    const struct world *w = match_world(m);
    struct state s;
    for (int at = 0; at <= count; at++) {
        match_at(m, at, &s);
        for (int card = 0; card < w->cards; card++)
            seen[card] |= may_know(w, &s, viewer, card);
    }
    int found = 0;
    for (int card = 0; card < w->cards; card++)
        if (!seen[card])
            cards[found++] = (uint8_t)card;
    return found;
}

/* terrax §3: whoever skips a marker has told that no card of the hand is far
 * enough, and a row filled with near missions that none in the stack is.  Two
 * cards that differ in that are then no secret. */
static bool somebody_skipped(const struct match *m)
{
    const struct world *w = match_world(m);
    for (int seat = 0; seat < w->seats; seat++)
        if (match_state(m)->marked[seat] < w->option[OPT_MARKERS])
            return true;
    return false;
}

static bool row_is_near(const struct match *m)
{
    const struct world *w = match_world(m);
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++) {
        int card = match_first(m)->open[i];
        if (card < w->cards && w->far[card] < w->option[OPT_OPEN_MIN])
            return true;
    }
    return false;
}

static bool alike(const struct match *m, int a, int b)
{
    const struct world *w = match_world(m);
    int least = w->option[OPT_OPEN_MIN];
    if (somebody_skipped(m) &&
        set_has(w->markable, a) != set_has(w->markable, b))
        return false;
    return !row_is_near(m) || (w->far[a] < least) == (w->far[b] < least);
}

/* The same game with two cards renamed throughout. */
static struct match *rename_cards(const struct match *m, int count,
                                  const char *a, const char *b)
{
    struct fault f = {0};
    int length =
        match_write(m, &terrax_formats[0], count, RECORD_FULL, one, TEXT);
    for (char *at = strstr(one, "\nhand 1:"); at && at < one + length; at++) {
        bool start = at[-1] == ' ' || at[-1] == ',' || at[-1] == 'x' ||
                     at[-1] == '/' || at[-1] == '=' || at[-1] == ':';
        if (start && strncmp(at, a, 3) == 0)
            memcpy(at, b, 3);
        else if (start && strncmp(at, b, 3) == 0)
            memcpy(at, a, 3);
    }
    struct match *other = match_read(&terrax_game, &terrax_formats[0], one,
                                     (size_t)length, NULL, &f);
    if (!other) {
        const char *at = one;
        for (int line = 1; line < f.line && strchr(at, '\n'); line++)
            at = strchr(at, '\n') + 1;
        fail_msg("%s, %s: line %d: %s '%s'\n%.*s", a, b, f.line,
                 fault_text(&terrax_game, f.code)->name, f.subject,
                 (int)strcspn(at, "\n"), at);
    }
    return other;
}

#define SAME(call, first, second)                                              \
    do {                                                                       \
        int length_ = call first;                                              \
        assert_int_equal(length_, call second);                                \
        assert_memory_equal(one, two, (size_t)length_);                        \
    } while (0)

/* What the viewer could do.  What that would bring is asked about its view. */
static void same_choices(const struct world *w, const struct state *a,
                         const struct state *b, int viewer)
{
    action legal[GAME_ACTIONS], other[GAME_ACTIONS];
    int count = terrax_legal(w, a, viewer, legal);
    assert_int_equal(terrax_legal(w, b, viewer, other), count);
    assert_memory_equal(legal, other, (size_t)count * sizeof *legal);
    for (int i = 0; i < count; i++)
        SAME(terrax_write_action, (w, a, viewer, legal[i], viewer, one, TEXT),
             (w, b, viewer, legal[i], viewer, two, TEXT));
}

static void same_position(const struct world *w, const struct state *a,
                          const struct state *b, int viewer)
{
    struct state view_a, view_b;
    terrax_observe(w, a, viewer, &view_a);
    terrax_observe(w, b, viewer, &view_b);
    assert_memory_equal(&view_a, &view_b, sizeof view_a);
    SAME(terrax_write_scene, (w, a, viewer, one, TEXT),
         (w, b, viewer, two, TEXT));
    SAME(terrax_write_picture, (w, a, viewer, one, TEXT),
         (w, b, viewer, two, TEXT));
    SAME(terrax_write_board, (w, a, viewer, true, one, TEXT),
         (w, b, viewer, true, two, TEXT));
    SAME(terrax_write_state, (w, &view_a, one, TEXT), (w, &view_b, two, TEXT));
    unsigned must_a, may_a, must_b, may_b;
    terrax_turn(w, a, &must_a, &may_a);
    terrax_turn(w, b, &must_b, &may_b);
    assert_int_equal(must_a, must_b);
    assert_int_equal(may_a, may_b);
    assert_int_equal(terrax_fence(w, a), terrax_fence(w, b));
    if (viewer != SEAT_NONE)
        same_choices(w, a, b, viewer);
}

/* An arrow, a claim or the end of a turn has told all the same. */
static void same_news(const struct world *w, const struct state *s, int seat,
                      action a)
{
    int kind = act_kind(a);
    if (kind == ACT_SWAP || kind == ACT_KEEP)
        return;
    SAME(terrax_write_effect, (w, s, seat, a, seat, one, TEXT),
         (w, s, seat, a, SEAT_NONE, two, TEXT));
}

static void same_to(const struct match *a, const struct match *b, int count,
                    int viewer)
{
    const struct world *w = match_world(a);
    struct state s, r;
    assert_int_equal(match_count(b), count);
    for (int at = 0; at < count; at++) {
        const struct step *x = match_step(a, at), *y = match_step(b, at);
        match_at(a, at, &s);
        match_at(b, at, &r);
        if (at % 12 == 0)
            same_position(w, &s, &r, viewer);
        SAME(terrax_write_action,
             (w, &s, x->seat, x->action, viewer, one, TEXT),
             (w, &r, y->seat, y->action, viewer, two, TEXT));
        SAME(terrax_write_effect,
             (w, &s, x->seat, x->action, viewer, one, TEXT),
             (w, &r, y->seat, y->action, viewer, two, TEXT));
        same_news(w, &s, x->seat, x->action);
    }
    SAME(match_write, (a, &terrax_formats[0], count, viewer, one, TEXT),
         (b, &terrax_formats[0], count, viewer, two, TEXT));
}

static struct match *random_match(struct rng *chance, int seats)
{
    struct setup setup;
    struct fault f;
    struct match *m;
    action legal[GAME_ACTIONS];
    int count, seat, steps = 20 + rng_below(chance, 150);
    do
        random_setup(&terrax_game, seats, chance, &setup);
    while (!(m = match_open(&terrax_game, &setup, &f)));
    while (steps-- > 0 &&
           (seat = random_seat(&terrax_game, match_world(m), match_state(m),
                               chance, legal, &count)) != SEAT_NONE)
        match_play(m, seat, legal[rng_below(chance, count)]);
    return m;
}

/* A card that the viewer cannot know is nowhere in the view. */
static void blank_of(const struct world *w, const struct state *s, int viewer,
                     const bool *seen)
{
    struct state view;
    terrax_observe(w, s, viewer, &view);
    assert_int_equal(view.generator, 0);
    for (int card = 0; card < w->cards; card++) {
        if (seen[card])
            continue;
        assert_int_equal(view.where[card], AT_HIDDEN);
        for (int seat = 0; seat < SEATS; seat++)
            assert_false(set_has(view.hand[seat], card));
        assert_false(set_has(view.fresh, card));
        assert_null(memchr(view.stack, card, view.stacked));
        for (int i = 0; i < view.swaps; i++) {
            assert_int_not_equal(view.past[i].given, card);
            assert_null(memchr(view.past[i].drawn, card, 2));
        }
        if (s->phase == PHASE_SWAP) {
            assert_int_not_equal(view.aside, card);
            assert_null(memchr(view.drawn, card, view.drawn_count));
        }
    }
}

static void test_blanks(void **state)
{
    (void)state;
    int swaps = 0;
    for (int i = 0; i < test_scale(40, 200, 2000); i++) {
        struct rng chance = random_source(&terrax_game, 300 + i);
        struct match *m = random_match(&chance, 2 + i % 5);
        const struct world *w = match_world(m);
        for (int viewer = SEAT_NONE; viewer < w->seats; viewer++) {
            bool seen[CARDS] = {false};
            struct state s;
            for (int at = 0; at <= match_count(m); at++) {
                match_at(m, at, &s);
                for (int card = 0; card < w->cards; card++)
                    seen[card] |= may_know(w, &s, viewer, card);
                if (s.phase != PHASE_OVER)
                    blank_of(w, &s, viewer, seen);
                swaps += s.phase == PHASE_SWAP && s.seat != viewer;
            }
        }
        match_close(m);
    }
    assert_true(swaps > 20);
}

static bool visited(const struct world *w, const struct state *s, int card)
{
    int place = w->place_of[card];
    return set_has(s->visited[0], place) || set_has(s->visited[1], place) ||
           set_has(s->visited[2], place);
}

static void test_two_worlds(void **state)
{
    (void)state;
    int compared = 0, touched = 0; /* by a head, and perhaps kept */
    for (int i = 0; i < test_scale(60, 200, 2000); i++) {
        struct rng chance = random_source(&terrax_game, 500 + i);
        struct match *m = random_match(&chance, 2 + i % 5);
        int count = match_count(m);
        struct state last;
        match_at(m, count, &last);
        while (count > 0 && (last.phase == PHASE_OVER))
            match_at(m, --count, &last); /* hands are shown at the end */
        const struct world *w = match_world(m);
        for (int viewer = SEAT_NONE; viewer < w->seats; viewer++) {
            uint8_t cards[CARDS];
            int found = secrets(m, count, viewer, cards);
            if (found < 2 || w->option[VAR_CHOOSE] || last.phase == PHASE_MARK)
                continue;
            int a = rng_below(&chance, found);
            int b = (a + 1 + rng_below(&chance, found - 1)) % found;
            if (!alike(m, cards[a], cards[b]))
                continue;
            struct match *other = rename_cards(
                m, count, tx_card_id(w, cards[a]), tx_card_id(w, cards[b]));
            same_to(m, other, count, viewer);
            match_close(other);
            compared++;
            touched +=
                visited(w, &last, cards[a]) || visited(w, &last, cards[b]);
        }
        match_close(m);
    }
    assert_true(compared > 20 && touched > 5);
}

/* The swaps of a world undone, the last first: each card must be where it went,
 * and with automatic claims no hand may hold what a head touched meanwhile. */
struct undoing {
    const struct world *w;
    struct state s;
    int8_t at[UINT8_MAX + 1]; /* of the stack, by number - buried + 200; -1 */
};

static void check_hands(const struct undoing *u, int time)
{
    for (int card = 0; card < u->w->cards; card++) {
        uint32_t times = u->s.touched[card];
        if (u->s.where[card] < SEATS && times >> time & 1)
            assert_true(time == 0 && u->s.forgot >> u->s.where[card] & 1);
    }
}

/* Cards laid down when a head came then were in the hand before. */
static void pick_up(struct undoing *u, int time)
{
    for (int card = 0; card < u->w->cards; card++) {
        uint32_t times = u->s.touched[card];
        int at = u->s.where[card];
        if (at >= AT_DONE && at < AT_WON && times >> time == 1)
            u->s.where[card] = (uint8_t)(at - AT_DONE);
    }
}

static void undo_put(struct undoing *u, int number, int card, int to)
{
    int lies = u->at[number - u->s.buried + 200];
    assert_true(lies < 0 || lies == card); /* or it came to the open row */
    u->s.where[card] = (uint8_t)to;
}

static void undo_swap(struct undoing *u, int i, int *buried)
{
    const struct swap *x = &u->s.past[i];
    int count = drawn_in(x);
    bool going = u->s.phase == PHASE_SWAP && i == u->s.swaps - 1;
    assert_int_not_equal(x->given, ANY_CARD);
    if (!going) {
        assert_int_equal(u->s.where[x->drawn[x->kept]], x->seat);
        if (count == 2)
            undo_put(u, *buried, x->drawn[!x->kept], AT_STACK);
        undo_put(u, *buried - count + 1, x->given, x->seat);
        *buried -= count;
    }
    u->s.where[x->given] = x->seat;
    for (int j = 0; j < count; j++) {
        u->s.where[x->drawn[j]] = AT_STACK;
        u->at[(int16_t)(x->top + j - u->s.buried) + 200] = (int8_t)x->drawn[j];
    }
}

static int check_past(const struct world *w, const struct state *world)
{
    struct undoing u = {.w = w, .s = *world};
    bool quick = w->option[OPT_CLAIMS] == CLAIMS_AUTO;
    int buried = world->buried;
    memset(u.at, -1, sizeof u.at);
    for (int i = 0; i < world->stacked; i++)
        u.at[200 - i] = (int8_t)world->stack[i];
    for (int i = world->swaps; i >= 0; i--) {
        if (i < world->swaps)
            undo_swap(&u, i, &buried);
        if (quick)
            check_hands(&u, i);
        pick_up(&u, i);
    }
    for (int seat = 0; seat < w->seats && !world->forgot; seat++)
        for (int i = 0; i < world->marked[seat]; i++)
            assert_int_equal(u.s.where[world->mark[seat][i]], seat);
    return world->swaps;
}

/* A view completed in any way looks the same to its seat (I22), and what it
 * says of the past can have happened. */
static void test_completions(void **state)
{
    (void)state;
    int swaps = 0;
    for (int i = 0; i < test_scale(40, 100, 1000); i++) {
        struct rng chance = random_source(&terrax_game, 900 + i);
        struct match *m = random_match(&chance, 2 + i % 5);
        const struct world *w = match_world(m);
        for (int viewer = SEAT_NONE; viewer < w->seats; viewer++) {
            struct state view, world;
            terrax_observe(w, match_state(m), viewer, &view);
            world = view;
            terrax_complete(w, &world, viewer, &chance);
            assert_int_equal(world.view, VIEW_TRUTH);
            same_position(w, match_state(m), &world, viewer);
            swaps += check_past(w, &world);
        }
        match_close(m);
    }
    assert_true(swaps > 200);
}

/* ---- more swaps than are remembered ---- */

static const char *const heavy_options[] = {
    "cheques=10",
    "cheques=10 swap_marked=on",
    "cheques=10 pass=cheque",
    "cheques=10 var_online=on",
    "cheques=10 claims=manual swap_marked=on",
    "cheques=10 claim_present=off",
};

struct heavy {
    struct world *w;
    struct state s;
    struct rng chance;
    int swaps; /* made so far */
    int truths, vain, worlds, partly;
};

static void heavy_open(struct heavy *x, int number)
{
    int count = sizeof heavy_options / sizeof *heavy_options;
    struct span rest = span_of(heavy_options[number % count]), word;
    struct setup setup;
    struct fault f = {0};
    setup_init(&terrax_game, &setup);
    setup.seats = 6 - number / count % 5;
    setup.seed = (uint64_t)number + 1;
    while ((word = span_word(&rest)).length > 0) {
        struct span value = word, name = span_cut(&value, '=');
        assert_true(setup_option(&terrax_game, &setup, name, value, &f));
    }
    assert_true(terrax_prepare(x->w, &setup, &f));
    x->chance = random_source(&terrax_game, 4000 + number);
    terrax_start(x->w, &setup, &x->s);
    x->swaps = 0;
}

/* Three swaps in five actions, where there is a choice. */
static bool heavy_step(struct heavy *x)
{
    action legal[GAME_ACTIONS], swaps[GAME_ACTIONS];
    int found = 0, count;
    int seat =
        random_seat(&terrax_game, x->w, &x->s, &x->chance, legal, &count);
    if (seat == SEAT_NONE)
        return false;
    for (int i = 0; i < count; i++)
        if (act_kind(legal[i]) == ACT_SWAP)
            swaps[found++] = legal[i];
    action a = found && rng_below(&x->chance, 5) < 3
                   ? swaps[rng_below(&x->chance, found)]
                   : legal[rng_below(&x->chance, count)];
    x->swaps += act_kind(a) == ACT_SWAP;
    terrax_apply(x->w, &x->s, seat, a);
    return x->s.phase != PHASE_OVER;
}

/* The truth is never refused, though the steps may not suffice for it. */
static void heavy_truth(struct heavy *x, const struct state *view)
{
    static struct past p;
    struct state before = *view, world = x->s;
    int knows = KNOWN_ALL | (1 << view->view) >> 1;
    before.view = VIEW_TRUTH;
    tx_past_begin(&p, x->w, &before, knows, &x->chance);
    bool told = tx_past_explains(&p, &world, 2000);
    assert_true(told || p.steps <= 0);
    x->truths++;
    x->vain += !told;
}

static bool told_all(const struct state *world)
{
    for (int i = 0; i < world->swaps; i++)
        if (world->past[i].given == ANY_CARD)
            return false;
    return true;
}

static void heavy_view(struct heavy *x, int viewer)
{
    struct state view, world;
    terrax_observe(x->w, &x->s, viewer, &view);
    heavy_truth(x, &view);
    world = view;
    int spent = tx_complete(x->w, &world, &x->chance);
    assert_true(spent <= PAST_MOST);
    same_position(x->w, &x->s, &world, viewer);
    x->worlds++;
    if (told_all(&world)) {
        check_past(x->w, &world);
        return;
    }
    assert_true(world.forgot); /* else a past is found, and soon */
    x->partly++;
}

static void test_many_swaps(void **state)
{
    (void)state;
    struct heavy x = {.w = malloc(sizeof *x.w)};
    int most = 0;
    for (int i = 0; i < test_scale(12, 30, 300); i++) {
        heavy_open(&x, i);
        for (int step = 0; x.swaps < 45 && heavy_step(&x); step++)
            if (step % 9 == 0 && x.swaps > 10)
                heavy_view(&x, rng_below(&x.chance, x.w->seats + 1) - 1);
        most = x.swaps > most ? x.swaps : most;
    }
    free(x.w);
    assert_true(most >= 40);
    assert_true(x.vain * 8 < x.truths);
    assert_true(x.partly * 25 < x.worlds);
}

/* ---- six cards ---- */

static const char small_map[] =
    "map small\nplaces\n"
    "id\tkind\tcontinent\tlat\tlon\tx\ty\tpair\tname_en\tname_nl\tname_sv\t"
    "name_de\ttext_en\ttext_nl\ttext_sv\n"
    "HUB\tstart\t-\t0\t0\t0\t0\t-\tH\tH\tH\tH\t-\t-\t-\n"
    "AAA\tmission\tasia\t0\t0\t0\t0\t-\tA\tA\tA\tA\ta\ta\ta\n"
    "BBB\tmission\tasia\t0\t0\t0\t0\t-\tB\tB\tB\tB\tb\tb\tb\n"
    "CCC\tmission\tasia\t0\t0\t0\t0\t-\tC\tC\tC\tC\tc\tc\tc\n"
    "DDD\tmission\tasia\t0\t0\t0\t0\t-\tD\tD\tD\tD\td\td\td\n"
    "EEE\tmission\tasia\t0\t0\t0\t0\t-\tE\tE\tE\tE\te\te\te\n"
    "FFF\tmission\tasia\t0\t0\t0\t0\t-\tF\tF\tF\tF\tf\tf\tf\n"
    "legs\nleg\ta\tb\tstart_no\n"
    "1\tHUB\tAAA\t1\n2\tHUB\tBBB\t2\n3\tHUB\tCCC\t3\n4\tHUB\tDDD\t4\n"
    "5\tHUB\tEEE\t5\n6\tHUB\tFFF\t6\n7\tAAA\tBBB\t-\n8\tBBB\tCCC\t-\n"
    "9\tCCC\tDDD\t-\n10\tDDD\tEEE\t-\n11\tEEE\tFFF\t-\n12\tFFF\tAAA\t-\n";

/* What has happened, as seat 1 sees it.  `*` stands for any card of a swap of
 * another seat. */
struct story {
    const char *name;
    int seats, hand, markers, opens;
    const char *options;
    const char *deal; /* hands, then the row, then the stack from the top */
    const char *items;
    int worlds; /* that fit; 0: not told */
};

static const struct story stories[] = {
    {"the deal", 2, 2, 0, 0, "", "ABCDEF", "", 12},
    {"a marked card", 2, 2, 1, 0, "", "ABCDEF", "1:AAA 2:CCC", 6},
    {"a head came and nobody had the card", 2, 1, 0, 0, "", "ABCDEF",
     "A>CCC end A>DDD", 72},
    {"the seat put cards under the stack", 2, 1, 0, 0, "", "ABCDEF",
     "$xAAA =CCC A>BBB", 0},
    {"own swap", 2, 1, 0, 0, "", "AFBCDE", "$xAAA =BBB B>DDD", 4},
    {"own swap, nothing touched", 2, 1, 0, 0, "", "AFBCDE", "$xAAA =BBB", 6},
    {"the other seat swapped", 2, 1, 0, 0, "", "ABCDEF", "A>AAA end $x* =*",
     120},
    {"touched, then swapped", 2, 1, 0, 0, "", "ABCDEF", "A>CCC end $x* =*", 0},
    {"two swaps of the other seat", 2, 1, 0, 0, "", "ABCDEF",
     "A>CCC end $x* =* B>BBB end C>FFF end $x* =*", 0},
    {"during the other seat's swap", 2, 1, 0, 0, "", "ABCDEF", "A>CCC end $x*",
     0},
    {"both cards drawn are known", 2, 2, 0, 0, "", "ABCDEF",
     "$xAAA =EEE A>FFF end $x* =*", 0},
    {"both are known, during the swap", 2, 2, 0, 0, "", "ABCDEF",
     "$xAAA =EEE A>FFF end $x*", 0},
    {"one card drawn is known", 2, 1, 0, 1, "", "ABCDEF",
     "$xAAA =DDD A>FFF end $x* =*", 0},
    {"one is known, during the swap", 2, 1, 0, 1, "", "ABCDEF",
     "$xAAA =DDD A>FFF end $x*", 0},
    {"known, drawn, not completed", 2, 2, 0, 0, "", "ABCDEF",
     "$xAAA =EEE A>CCC end $x* =* B>AAA", 0},
    {"one is known, and then seen again", 2, 1, 0, 1, "", "ABCDEF",
     "$xAAA =DDD A>FFF end $x* =* B>EEE end C>BBB", 0},

    {"three: the deal", 3, 1, 0, 0, "", "ABCDEF", "", 120},
    {"three: marked cards", 3, 1, 1, 0, "", "ABCDEF", "1:AAA 2:BBB 3:CCC", 6},
    {"three: a head came", 3, 1, 0, 0, "", "ABCDEF", "A>DDD", 72},
    {"three: own swap", 3, 1, 0, 0, "", "ABCDEF", "$xAAA =DDD A>FFF", 0},
    {"three: one other swapped", 3, 1, 0, 0, "", "ABCDEF", "A>DDD end $x* =*",
     0},
    {"three: both others swapped", 3, 1, 0, 0, "", "ABCDEF",
     "A>DDD end $x* =* B>FFF end $x* =*", 0},
    {"three: during the last swap", 3, 1, 0, 0, "", "ABCDEF",
     "A>DDD end $x* =* B>FFF end $x*", 0},
    {"three: what the seat put back is drawn", 3, 1, 0, 1, "", "ABCDEF",
     "$xAAA =EEE A>FFF end $x* =*", 0},

    {"by hand: a head came, nobody claimed", 2, 1, 0, 0, "claims=manual",
     "ABCDEF", "A>CCC end A>DDD", 120},
    {"by hand: claimed later", 2, 2, 0, 0, "claims=manual", "ABCDEF",
     "A>CCC end !2:CCC", 6},
    {"by hand: not claimed, then swapped", 2, 1, 0, 0, "claims=manual",
     "ABCDEF", "A>CCC end $x* =*", 120},
    {"by hand: swapped, then claimed", 2, 2, 0, 0, "claims=manual", "ABCDEF",
     "A>FFF end $x* =FFF !2:FFF", 0},
    {"by hand: own swap", 2, 2, 0, 0, "claims=manual", "ABCDEF",
     "A>FFF $xAAA =EEE end $x* =*", 0},
    {"by hand: three, nobody claimed", 3, 1, 0, 0, "claims=manual", "ABCDEF",
     "A>DDD end $x* =* B>FFF end $x* =*", 120},
    {"by hand: three, claimed", 3, 1, 0, 0, "claims=manual", "ABCDEF",
     "A>CCC !3:CCC end $x* =*", 24},
    {"by hand: three, what was put back", 3, 1, 0, 1, "claims=manual", "ABCDEF",
     "$xAAA =EEE A>FFF end $x* =*", 0},

    {"a marked card was given up", 2, 1, 1, 0, "swap_marked=on", "ABCDEF",
     "1:AAA 2:BBB A>FFF end $xBBB =*", 0},
    {"and perhaps drawn again", 2, 1, 1, 1, "swap_marked=on", "ABCDEF",
     "1:AAA 2:BBB A>FFF end $xBBB =* B>EEE end A>EEE end $x* =*", 0},
    {"three: a marked card was given up", 3, 1, 1, 0, "swap_marked=on",
     "ABCDEF", "1:AAA 2:BBB 3:CCC A>FFF end $xBBB =* B>AAA end $x* =*", 0},
    {"a fresh card stays", 2, 1, 0, 0, "claim_present=off", "ABCDEF",
     "A>DDD end $x* =*", 0},
    {"three: put back, drawn, perhaps drawn again", 3, 1, 0, 1, "", "ABCDEF",
     "$xAAA =EEE A>FFF end $x* =* B>AAA end $x* =*", 0},
    {"three: and by the first of them once more", 3, 1, 0, 0, "", "ABCDEF",
     "$xAAA =DDD A>AAA end $x* =* B>BBB end $x* =* C>CCC end A>BBB end $x* =*",
     0},
    {"touched twice, given up in between", 2, 1, 0, 0, "", "ABCDEF",
     "A>CCC end A>DDD $x* =* end B>DDD", 0},
    {"completed, so it came by the swap", 2, 1, 0, 0, "", "ABCDEF",
     "A>CCC end A>DDD $x* =* end B>EEE $B>DDD $B>CCC", 0},
    {"by hand: fresh cards", 2, 1, 0, 0, "claims=manual claim_present=off",
     "ABCDEF", "A>DDD end $x* =*", 0},
    {"by hand: fresh, then reached", 2, 2, 0, 0,
     "claims=manual claim_present=off", "ABCDEF",
     "A>DDD end $x* =* B>EEE end A>EEE", 0},
    {"by hand: fresh, then claimed", 2, 2, 0, 0,
     "claims=manual claim_present=off", "ABCDEF",
     "A>FFF end $x* =* $x* =* B>EEE !2:EEE", 0},
    {"by hand: three, fresh", 3, 1, 0, 0, "claims=manual claim_present=off",
     "ABCDEF", "A>DDD end $x* =* B>FFF end $x* =*", 0},
    {"hands lie open", 3, 1, 0, 0, "var_openhands=on", "ABCDEF",
     "A>FFF end $xBBB =DDD", 0},
    {"cheques are hidden", 2, 1, 0, 0, "cheque_info=hidden", "ABCDEF",
     "A>CCC end $x* =*", 0},
};

enum { ITEMS = 64 };

struct search {
    struct world *w;
    const struct story *story;
    struct state view[ITEMS]; /* what seat 1 saw, after each item */
    int views;
    uint64_t found[4096];
    int count;
};

static void small_world(struct world *w, const struct story *story)
{
    struct fault f = {0};
    struct setup setup;
    struct span rest = span_of(story->options), word;
    memset(w, 0, sizeof *w);
    strcpy(w->text, small_map);
    w->text_length = (uint32_t)strlen(small_map);
    if (!tx_map_read(w, 6, &f))
        fail_msg("%s %s", fault_text(&terrax_game, f.code)->name, f.subject);
    setup_init(&terrax_game, &setup);
    setup.option[OPT_HAND] = story->hand;
    setup.option[OPT_MARKERS] = story->markers;
    setup.option[OPT_MARK_MIN] = setup.option[OPT_OPEN_MIN] = 0;
    setup.option[OPT_OPEN_COUNT] = story->opens;
    while ((word = span_word(&rest)).length > 0) {
        struct span value = word, name = span_cut(&value, '=');
        assert_true(setup_option(&terrax_game, &setup, name, value, &f));
    }
    assert_true(tx_options_check(setup.option, story->seats, 6, &f));
    tx_world_options(w, setup.option, story->seats);
}

/* The state after the deal of these six cards. */
static void small_deal(const struct search *x, const uint8_t *order,
                       struct state *s)
{
    struct setup setup = {.seats = x->story->seats};
    int hand = x->story->hand, at = 0;
    terrax_start(x->w, &setup, s);
    memset(s->hand, 0, sizeof s->hand);
    for (int seat = 0; seat < x->story->seats; seat++)
        for (int i = 0; i < hand; i++, at++) {
            s->where[order[at]] = (uint8_t)seat;
            set_add(s->hand[seat], order[at]);
        }
    for (int i = 0; i < x->story->opens; i++, at++) {
        s->open[i] = order[at];
        s->where[order[at]] = AT_OPEN;
    }
    if (x->w->option[VAR_OPENHANDS])
        s->shown[0] = s->hand[0][0] | s->hand[1][0] | s->hand[2][0];
    s->stacked = (uint8_t)(6 - at);
    for (; at < 6; at++) {
        s->stack[5 - at] = order[at];
        s->where[order[at]] = AT_STACK;
    }
}

/* Also the order of the cards drawn, which play does not depend on. */
static uint64_t hash_of(const struct search *x, const struct state *s)
{
    return hash_bytes(terrax_hash(x->w, s), s->drawn, sizeof s->drawn);
}

static void keep_world(struct search *x, const struct state *s)
{
    uint64_t hash = hash_of(x, s);
    for (int i = 0; i < x->count; i++)
        if (x->found[i] == hash)
            return;
    assert_true(x->count < 4096);
    x->found[x->count++] = hash;
}

/* Has seat 1 seen the same so far? */
static bool looks_right(struct search *x, const struct state *s, int step)
{
    struct state view;
    terrax_observe(x->w, s, 0, &view);
    if (step < x->views)
        return memcmp(&view, &x->view[step], sizeof view) == 0;
    assert_true(step < ITEMS);
    x->view[x->views++] = view;
    return true;
}

/* Follows the story in every way that is possible from here; the first one that
 * comes to its end is the one that was seen. */
static bool follow(struct search *x, const struct state *s, const char *items,
                   int step, bool reference)
{
    while (*items == ' ')
        items++;
    if (reference)
        x->views = step;
    if (!looks_right(x, s, step))
        return false;
    if (!*items) {
        if (!reference)
            keep_world(x, s);
        return true;
    }
    action legal[GAME_ACTIONS];
    int seat = *items == '!' ? items[1] - '1' : s->seat; /* a claim */
    int count = terrax_legal(x->w, s, seat, legal);
    size_t length = strcspn(items, " ");
    for (int i = 0; i < count; i++) {
        char text[64];
        terrax_write_action(x->w, s, seat, legal[i], seat, text, 64);
        size_t same = items[length - 1] == '*' ? length - 1 : length;
        if (strncmp(text, items, same) != 0 || (same == length && text[length]))
            continue;
        struct state next = *s;
        terrax_apply(x->w, &next, seat, legal[i]);
        if (follow(x, &next, items + length, step + 1, reference) && reference)
            return true;
    }
    return false;
}

static void each_order(struct search *x, uint8_t *order, int at)
{
    if (at == 6) {
        struct state s;
        small_deal(x, order, &s);
        follow(x, &s, x->story->items, 0, false);
        return;
    }
    for (int i = at; i < 6; i++) {
        uint8_t swap = order[at];
        order[at] = order[i];
        order[i] = swap;
        each_order(x, order, at + 1);
        order[i] = order[at];
        order[at] = swap;
    }
}

/* Pearson's statistic for equal shares, as a z-value (Wilson and Hilferty):
 * (chi/df)^(1/3) is nearly normal.  Above 4.5 happens once in 300,000 runs. */
static double z_value(const int *seen, int classes, int total)
{
    double expected = (double)total / classes, sum = 0;
    for (int i = 0; i < classes; i++)
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    double df = classes - 1, ratio = sum / df, root = ratio;
    for (int i = 0; i < 60; i++)
        root = (2 * root + ratio / (root * root)) / 3;
    double spread = 2 / (9 * df), square = spread;
    for (int i = 0; i < 60; i++)
        square = (square + spread / square) / 2;
    return (root - (1 - spread)) / square;
}

static void sample(struct search *x)
{
    enum { EACH = 200 };
    static int seen[4096];
    int total = EACH * x->count;
    struct rng chance = random_source(&terrax_game, x->count);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < total; i++) {
        struct state s = x->view[x->views - 1];
        terrax_complete(x->w, &s, 0, &chance);
        uint64_t hash = hash_of(x, &s);
        int at = 0;
        while (at < x->count && x->found[at] != hash)
            at++;
        if (at == x->count) {
            terrax_write_state(x->w, &s, one, TEXT);
            fail_msg("%s: %s: %s: a world that does not fit\n%s",
                     x->story->name, x->story->options, x->story->items, one);
        }
        seen[at]++;
    }
    for (int i = 0; i < x->count; i++)
        assert_true(seen[i] > 0);
    if (x->count < 2)
        return;
    double z = z_value(seen, x->count, total);
    if (z > 4.5 || z < -5)
        fail_msg("%s: %s: %s: not equally often, z = %f", x->story->name,
                 x->story->options, x->story->items, z);
}

static void all_worlds(struct search *x)
{
    uint8_t order[6];
    struct state s;
    x->count = x->views = 0;
    for (int at = 0; at < 6; at++)
        order[at] = (uint8_t)(x->story->deal[at] - 'A');
    small_deal(x, order, &s);
    if (!follow(x, &s, x->story->items, 0, true))
        fail_msg("%s: cannot happen", x->story->name);
    for (uint8_t card = 0; card < 6; card++)
        order[card] = card;
    each_order(x, order, 0);
    if (x->story->worlds && x->count != x->story->worlds)
        fail_msg("%s: %d worlds", x->story->name, x->count);
    assert_true(x->count > 0);
}

static struct search *search_open(void)
{
    struct search *x = calloc(1, sizeof *x);
    x->w = malloc(sizeof *x->w);
    return x;
}

static void search_close(struct search *x)
{
    free(x->w);
    free(x);
}

static void test_six_cards(void **state)
{
    (void)state;
    struct search *x = search_open();
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        x->story = &stories[i];
        small_world(x->w, x->story);
        all_worlds(x);
        sample(x);
    }
    search_close(x);
}

/* ---- random stories ---- */

static const char *const story_options[] = {
    "",
    "",
    "claim_present=off",
    "claims=manual",
    "claims=manual claim_present=off",
    "swap_marked=on",
    "swap_marked=on claims=manual claim_present=off",
    "var_late=on",
    "var_late=on claims=manual claim_present=off",
    "pass=free",
    "undo_open=off",
    "var_openhands=on claim_present=off",
};

/* A swap as often as another action. */
static action choose_action(struct rng *chance, const action *legal, int count)
{
    action swaps[GAME_ACTIONS];
    int found = 0;
    for (int i = 0; i < count; i++)
        if (act_kind(legal[i]) == ACT_SWAP)
            swaps[found++] = legal[i];
    if (found && rng_below(chance, 2))
        return swaps[rng_below(chance, found)];
    return legal[rng_below(chance, count)];
}

/* What seat 1 would write down of it. */
static void write_item(const struct search *x, const struct state *s, int seat,
                       action a, char *to)
{
    int kind = act_kind(a);
    to += strlen(to);
    *to++ = ' ';
    if (seat != 0 && kind == ACT_KEEP)
        strcpy(to, "=*");
    else if (seat != 0 && kind == ACT_SWAP &&
             !set_has(s->shown, act_card_of(a)))
        strcpy(to, "$x*");
    else
        terrax_write_action(x->w, s, seat, a, seat, to, 16);
}

/* At most so many swaps of others, to keep the enumeration short. */
static void random_items(struct search *x, struct rng *chance, char *items)
{
    enum { HIDDEN = 5 };
    struct state s;
    uint8_t order[6];
    action legal[GAME_ACTIONS];
    int hidden = 0, count, seat, steps = 4 + rng_below(chance, 24);
    for (int at = 0; at < 6; at++)
        order[at] = (uint8_t)(x->story->deal[at] - 'A');
    small_deal(x, order, &s);
    *items = 0;
    while (steps-- > 0 && s.phase != PHASE_CLAIMS &&
           (seat = random_seat(&terrax_game, x->w, &s, chance, legal,
                               &count)) != SEAT_NONE) {
        action a = choose_action(chance, legal, count);
        hidden += seat != 0 && act_kind(a) == ACT_SWAP;
        if (hidden > HIDDEN)
            break;
        write_item(x, &s, seat, a, items);
        terrax_apply(x->w, &s, seat, a);
    }
}

static void random_story(struct search *x, int number)
{
    struct rng chance = random_source(&terrax_game, 7000 + number);
    char items[16 * ITEMS], deal[] = "ABCDEF", options[128];
    struct story story = {.name = "random", .deal = deal, .items = items};
    do {
        story.seats = 2 + rng_below(&chance, 3);
        story.hand = 1 + rng_below(&chance, 3);
        story.opens = rng_below(&chance, 2);
    } while (story.seats * story.hand + story.opens > 5);
    story.markers = rng_below(&chance, 2);
    int count = sizeof story_options / sizeof *story_options;
    snprintf(options, sizeof options, "cheques=8 %s",
             story_options[rng_below(&chance, count)]);
    story.options = options;
    x->story = &story;
    small_world(x->w, &story);
    random_items(x, &chance, items);
    all_worlds(x);
    sample(x);
}

static void test_random_stories(void **state)
{
    (void)state;
    struct search *x = search_open();
    for (int i = 0; i < test_scale(60, 300, 3000); i++)
        random_story(x, i);
    search_close(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_two_worlds),
        cmocka_unit_test(test_completions),
        cmocka_unit_test(test_many_swaps),
        cmocka_unit_test(test_six_cards),
        cmocka_unit_test(test_random_stories),
    };
    return cmocka_run_group_tests_name("terrax views", tests, NULL, NULL);
}
