/* tests/rules/terrax/views_test.c: what a seat may know (terrax §14).
 *
 * Two matches that differ only in what a seat cannot see give that seat the
 * same bytes everywhere; and complete() finds every world that fits a view,
 * each equally often, shown against full enumeration on a map of six cards, for
 * two and three seats and with the options that touch what can be known. */
#include "tests/random.h"

#include "game/match.h"
#include "rules/terrax/state.h"

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
        (s->left[card] || head_stands(w, s, w->place_of[card])))
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
        for (int i = 0; i < SIGHTS && view.sight[i].knowers; i++)
            assert_int_not_equal(view.sight[i].card, card);
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
            touched += last.left[cards[a]] || last.left[cards[b]];
        }
        match_close(m);
    }
    assert_true(compared > 20 && touched > 5);
}

/* A view completed in any way looks the same to its seat (I22). */
static void test_completions(void **state)
{
    (void)state;
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
        }
        match_close(m);
    }
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
    {"hands lie open", 3, 1, 0, 0, "var_openhands=on", "ABCDEF",
     "A>FFF end $xBBB =DDD", 0},
    {"cheques are hidden", 2, 1, 0, 0, "cheque_info=hidden", "ABCDEF",
     "A>CCC end $x* =*", 0},
};

struct search {
    struct world *w;
    const struct story *story;
    struct state view; /* what seat 1 saw */
    bool have_view;
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

/* Which of another seat's cards came by a swap without an arrival since is not
 * guessed: with automatic claims nothing depends on it. */
static uint64_t hash_of(const struct search *x, const struct state *s)
{
    struct state copy = *s;
    memset(copy.fresh, 0, sizeof copy.fresh);
    return terrax_hash(x->w, &copy);
}

static void keep_world(struct search *x, const struct state *s)
{
    struct state view;
    terrax_observe(x->w, s, 0, &view);
    if (memcmp(&view, &x->view, sizeof view) != 0)
        return;
    uint64_t hash = hash_of(x, s);
    for (int i = 0; i < x->count; i++)
        if (x->found[i] == hash)
            return;
    assert_true(x->count < 4096);
    x->found[x->count++] = hash;
}

/* Follows the story in every way that is possible from here. */
static void follow(struct search *x, const struct state *s, const char *items,
                   bool reference)
{
    while (*items == ' ')
        items++;
    if (!*items) {
        if (reference && !x->have_view) {
            terrax_observe(x->w, s, 0, &x->view);
            x->have_view = true;
        } else if (!reference)
            keep_world(x, s);
        return;
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
        follow(x, &next, items + length, reference);
        if (reference && x->have_view)
            return;
    }
}

static void each_order(struct search *x, uint8_t *order, int at)
{
    if (at == 6) {
        struct state s;
        small_deal(x, order, &s);
        follow(x, &s, x->story->items, false);
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
 * (chi/df)^(1/3) is nearly normal.  Above 4 happens once in 30,000 runs. */
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
        struct state s = x->view;
        terrax_complete(x->w, &s, 0, &chance);
        uint64_t hash = hash_of(x, &s);
        int at = 0;
        while (at < x->count && x->found[at] != hash)
            at++;
        if (at == x->count) {
            terrax_write_state(x->w, &s, one, TEXT);
            fail_msg("%s: a world that does not fit\n%s", x->story->name, one);
        }
        seen[at]++;
    }
    for (int i = 0; i < x->count; i++)
        assert_true(seen[i] > 0);
    if (x->count < 2)
        return;
    double z = z_value(seen, x->count, total);
    if (z > 4 || z < -5)
        fail_msg("%s: not equally often, z = %f", x->story->name, z);
}

static void test_six_cards(void **state)
{
    (void)state;
    struct search *x = calloc(1, sizeof *x);
    x->w = malloc(sizeof *x->w);
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        x->story = &stories[i];
        x->count = 0;
        x->have_view = false;
        small_world(x->w, x->story);
        uint8_t order[6];
        struct state s;
        for (int at = 0; at < 6; at++)
            order[at] = (uint8_t)(stories[i].deal[at] - 'A');
        small_deal(x, order, &s);
        follow(x, &s, stories[i].items, true);
        if (!x->have_view)
            fail_msg("%s: cannot happen", stories[i].name);
        for (uint8_t card = 0; card < 6; card++)
            order[card] = card;
        each_order(x, order, 0);
        if (stories[i].worlds && x->count != stories[i].worlds)
            fail_msg("%s: %d worlds", stories[i].name, x->count);
        assert_true(x->count > 0);
        sample(x);
    }
    free(x->w);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_two_worlds),
        cmocka_unit_test(test_completions),
        cmocka_unit_test(test_six_cards),
    };
    return cmocka_run_group_tests_name("terrax views", tests, NULL, NULL);
}
