/* tests/rules/nova/examples_test.c: the worked examples, *.nova-test.
 *
 * Blocks are separated by blank lines; lines that begin with # between blocks
 * are comments.  Every block is played in the game and in its reference:
 *
 *   id:       number and title
 *   land:     the following lines are a map, letters are landscapes
 *   view:     the same grid with what stands there; must agree with pos
 *   opt:      options that differ from edition en; quiet is off unless given
 *   pos:      the position to start from
 *   do:       legal actions, carried out one after the other
 *   then:     the position now
 *   scored:   what the preceding do scored: size x factor and gains
 *   good:     actions that are legal now; bad: actions that are not
 *   refuse:   an action, a blank and the name of the fault it gives
 *   moves:    all legal moves now; stones: all legal stones now
 *   count:    the number of legal actions now */
#include "tests/rules/nova/both.h"

enum { WORDS = 512 };

struct example {
    char id[8], land[1024], view[1024], opt[256];
    char results[256]; /* of the last do, as notation: (y12)(r9) */
    char sizes[256];   /* and as sizes and factors: 6x2 3x3 */
    bool open;
    struct both both;
};

static int examples, checks;

/* ---- word lists ---- */

struct words {
    int count;
    char word[WORDS][32];
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void words_add(struct words *w, const char *word)
{
    assert_true(w->count < WORDS && strlen(word) < sizeof w->word[0]);
    strcpy(w->word[w->count++], word);
}

static void words_sort(struct words *w)
{
    qsort(w->word, (size_t)w->count, sizeof w->word[0], by_text);
}

static void words_split(struct words *w, const char *text)
{
    char copy[4096];
    w->count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words_add(w, word);
}

/* ---- the lines ---- */

static void on_pos(struct example *e, const char *text)
{
    char options[300], colours[8] = "", pieces[REFERENCE_HEXES + 1];
    sscanf(text, "%*s %4s", colours);
    snprintf(options, sizeof options, "%s%s", e->opt,
             strstr(e->opt, "quiet=") ? "" : " quiet=0");
    both_open(&e->both, &(struct both_setup){.land = e->land,
                                             .colours = colours,
                                             .options = options,
                                             .start = text});
    e->open = true;
    int count = 0;
    for (const char *at = e->view; *at; at++)
        if (!strchr(" .\n", *at))
            pieces[count++] = *at;
    assert_int_equal(count, e->both.board.count);
    assert_memory_equal(pieces, e->both.plain.at, (size_t)count);
    both_agree(&e->both);
}

static void note_scored(struct example *e)
{
    const char *result = strchr(e->both.played, '(');
    if (result)
        strncat(e->results, result, 100);
    for (int i = 0; i < e->both.scored.count; i++) {
        const struct reference_territory *t = &e->both.scored.territory[i];
        char size[32];
        snprintf(size, sizeof size, "%dx%d ", t->size, 4 - t->variety);
        strcat(e->sizes, size);
    }
}

static void on_do(struct example *e, const char *text)
{
    struct words w;
    words_split(&w, text);
    e->results[0] = e->sizes[0] = '\0';
    for (int i = 0; i < w.count; i++) {
        if (!both_play(&e->both, w.word[i]))
            fail_msg("%s: %s is refused", e->id, w.word[i]);
        note_scored(e);
        both_agree(&e->both);
    }
}

static void on_then(struct example *e, const char *text)
{
    char position[REFERENCE_TEXT];
    game_position(&e->both, position);
    assert_string_equal(position, text);
}

/* "6x2 y+12; 3x3 r+9" becomes "(y12)(r9)" and "6x2 3x3 ". */
static void on_scored(struct example *e, const char *text)
{
    char results[256] = "", sizes[256] = "";
    struct words w;
    words_split(&w, text);
    for (int i = 0; i < w.count && strcmp(text, "nothing") != 0; i++) {
        char *word = w.word[i];
        word[strcspn(word, ";")] = '\0';
        if (word[0] >= '0' && word[0] <= '9') {
            strcat(results, *results ? ")(" : "(");
            strcat(strcat(sizes, word), " ");
        } else if (strcmp(word, "nobody") != 0) {
            char gain[40];
            bool first = results[strlen(results) - 1] == '(';
            snprintf(gain, sizeof gain, "%s%c%s", first ? "" : ",", word[0],
                     word + 2);
            strcat(results, gain);
        }
    }
    if (*results)
        strcat(results, ")");
    assert_string_equal(e->results, results);
    assert_string_equal(e->sizes, sizes);
}

static void on_good(struct example *e, const char *text)
{
    struct words w;
    words_split(&w, text);
    for (int i = 0; i < w.count; i++)
        if (!both_legal(&e->both, w.word[i]))
            fail_msg("%s: %s should be legal", e->id, w.word[i]);
}

static void on_bad(struct example *e, const char *text)
{
    struct words w;
    words_split(&w, text);
    for (int i = 0; i < w.count; i++)
        if (both_legal(&e->both, w.word[i]))
            fail_msg("%s: %s should be illegal", e->id, w.word[i]);
}

static void on_refuse(struct example *e, const char *text)
{
    struct words w;
    struct fault f = {0};
    action a;
    size_t used;
    const struct both *b = &e->both;
    words_split(&w, text);
    assert_int_equal(w.count, 2);
    assert_false(b->game->read_action(b->world, b->state, both_seat(b),
                                      w.word[0], &a, &used, &f));
    TEST_FAULT_NAMED(b->game, &f, w.word[1]);
}

/* The game's legal moves or stones, without the results of stones. */
static void legal_words(const struct both *b, bool stones, struct words *w)
{
    static action list[GAME_ACTIONS];
    char text[REFERENCE_TEXT];
    int seat = both_seat(b);
    int count = b->game->legal(b->world, b->state, seat, list);
    w->count = 0;
    for (int i = 0; i < count; i++) {
        b->game->write_action(b->world, b->state, seat, list[i], seat, text,
                              sizeof text);
        text[strcspn(text, "(")] = '\0';
        if (strcmp(text, "--") != 0 && (text[0] == '*') == stones)
            words_add(w, text);
    }
    words_sort(w);
}

static void check_list(const struct example *e, bool stones, const char *text)
{
    struct words legal, wanted;
    legal_words(&e->both, stones, &legal);
    words_split(&wanted, strcmp(text, "none") == 0 ? "" : text);
    words_sort(&wanted);
    assert_int_equal(legal.count, wanted.count);
    for (int i = 0; i < legal.count; i++)
        assert_string_equal(legal.word[i], wanted.word[i]);
}

static void on_moves(struct example *e, const char *text)
{
    check_list(e, false, text);
}

static void on_stones(struct example *e, const char *text)
{
    check_list(e, true, text);
}

static void on_count(struct example *e, const char *text)
{
    static action list[GAME_ACTIONS];
    const struct both *b = &e->both;
    assert_int_equal(b->game->legal(b->world, b->state, both_seat(b), list),
                     atoi(text));
}

static void on_id(struct example *e, const char *text)
{
    snprintf(e->id, sizeof e->id, "%s", text);
    examples++;
}

static void on_opt(struct example *e, const char *text)
{
    snprintf(e->opt, sizeof e->opt, "%s", text);
}

static const struct {
    const char *key;
    void (*on)(struct example *, const char *);
} keys[] = {
    {"id", on_id},       {"opt", on_opt},       {"pos", on_pos},
    {"do", on_do},       {"then", on_then},     {"scored", on_scored},
    {"good", on_good},   {"bad", on_bad},       {"refuse", on_refuse},
    {"moves", on_moves}, {"stones", on_stones}, {"count", on_count},
};

/* ---- files ---- */

static void play_line(struct example *e, char *line)
{
    char *value = strchr(line, ':');
    if (!value)
        fail_msg("%s: what is '%s'?", e->id, line);
    *value++ = '\0';
    value += *value == ' ';
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(line, keys[i].key) == 0) {
            keys[i].on(e, value);
            checks++;
            return;
        }
    fail_msg("%s: unknown line '%s:'", e->id, line);
}

static void finish(struct example *e)
{
    if (e->open)
        both_close(&e->both);
    memset(e, 0, sizeof *e);
}

static void play_file(const char *path)
{
    static struct example e;
    char *text = file_read(path, NULL), *grid = NULL;
    if (!text)
        fail_msg("cannot read %s", path);
    finish(&e);
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (!*line) {
            finish(&e);
            grid = NULL;
        } else if (strcmp(line, "land:") == 0) {
            grid = e.land;
        } else if (strcmp(line, "view:") == 0) {
            grid = e.view;
        } else if (grid && !strchr(line, ':')) {
            strcat(strcat(grid, line), "\n");
        } else if (e.id[0] || *line != '#') {
            grid = NULL;
            play_line(&e, line);
        }
    }
    finish(&e);
    free(text);
}

static void play_examples(void **unused)
{
    (void)unused;
    static const char *const names[] = {"placement", "moving",  "stones",
                                        "turn",      "scoring", "return",
                                        "ending",    "refusals"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "tests/rules/nova/%s.nova-test", names[i]);
        play_file(path);
    }
    print_message("# %d examples, %d checks\n", examples, checks);
    assert_true(examples >= 62);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(play_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
