/* cli/puzzles.c: `terra puzzles` makes and checks sets of puzzles.
 *
 * Bots play; where a turn begins all its turns are tried, and a position that
 * is neither plain nor hopeless is kept.  A set is a text of blocks with an
 * empty line behind each:
 *
 *     puzzle GAME best B next N quick Q results R ways W ends E
 *     play ACTION; ACTION; ...
 *     the position, in the game's own notation */
#include "cli/contest.h"
#include "cli/puzzle.h"

#include "base/rng.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 8, TURNS = 2048, GUESSES = 4, GAMES_MAX = 1000000 };

struct asked {
    struct contest_request series;
    const char *check, *without[WORDS];
    int count, every;
    int nodes, tries;                /* what is looked at */
    int least, share, ends, results; /* what is kept; share in thousandths */
};

enum {
    KEY_COUNT = 'c',
    KEY_CHECK = KEY_OWN,
    KEY_EVERY,
    KEY_NODES,
    KEY_TRIES,
    KEY_LEAST,
    KEY_SHARE,
    KEY_ENDS,
    KEY_RESULTS,
    KEY_WITHOUT
};

static const struct argp_option options[] = {
    {"count", KEY_COUNT, "N", 0, TR("puzzles in the set (default 365)"), 0},
    {"output", KEY_OUTPUT, "FILE", 0, TR("the set, which is gone on with"), 0},
    {"nodes", KEY_NODES, "N", 0,
     TR("positions of a turn at most (default 200000)"), 0},
    {"tries", KEY_TRIES, "N", 0, TR("turns of a game at most (default 8)"), 0},
    {"least", KEY_LEAST, "N", 0, TR("points of the best turn (default 3)"), 0},
    {"share", KEY_SHARE, "N", 0,
     TR("thousandths of all turns that are best, at most (default 50)"), 0},
    {"ends", KEY_ENDS, "N", 0, TR("different turns at least (default 100)"), 0},
    {"results", KEY_RESULTS, "N", 0,
     TR("different points of turns at least (default 4)"), 0},
    {"without", KEY_WITHOUT, "TEXT", 0,
     TR("no solution with TEXT in it; may be said again"), 0},
    {"opening", KEY_OPENING, "N", 0,
     TR("random actions before the bots begin (default 2 per seat)"), 0},
    {"limit", KEY_LIMIT, "N", 0, TR("actions of a game at most"), 0},
    {"check", KEY_CHECK, "FILE", 0, TR("solve the puzzles of a set anew"), 0},
    {"every", KEY_EVERY, "N", 0, TR("only each N-th of them"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t add_word(struct asked *a, const char *text)
{
    for (int i = 0; i < WORDS; i++)
        if (!a->without[i]) {
            a->without[i] = text;
            return 0;
        }
    die(STATUS_USAGE, "--without: at most %d times", WORDS);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra puzzles", &a->series.request);
    case KEY_COUNT:
        a->count = need_number("number of puzzles", text, 1, 100000);
        return 0;
    case KEY_OUTPUT:
        a->series.out = text;
        return 0;
    case KEY_CHECK:
        a->check = text;
        return 0;
    case KEY_EVERY:
        a->every = need_number("every", text, 1, 100000);
        return 0;
    case KEY_NODES:
        a->nodes = need_number("number of positions", text, 16, 4000000);
        return 0;
    case KEY_TRIES:
        a->tries = need_number("number of turns", text, 1, TURNS);
        return 0;
    case KEY_LEAST:
        a->least = need_number("points", text, 0, PUZZLE_GAINS);
        return 0;
    case KEY_SHARE:
        a->share = need_number("share", text, 0, 1000);
        return 0;
    case KEY_ENDS:
        a->ends = need_number("number of turns", text, 1, INT_MAX);
        return 0;
    case KEY_RESULTS:
        a->results = need_number("number of results", text, 1, PUZZLE_GAINS);
        return 0;
    case KEY_WITHOUT:
        return add_word(a, text);
    default:
        return contest_take(&a->series, key, text);
    }
}

static const struct argp puzzles_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Makes puzzles: positions with the turn that scores most."),
         TR("--seats names the bots whose games they come from, as for "
            "'terra selfplay'.  All turns of a position are tried; where "
            "cards are hidden, in the view of the seat to act.  The same "
            "commands make the same set; called again, a command goes on "
            "where it was stopped.\n\n"
            "Example: terra puzzles nova --seats casual,casual --count 365 "
            "--output nova.txt")),
    request_children,
    help_words,
    0,
};

struct workshop {
    const struct asked *asked;
    struct contest contest;
    const struct record_format *format; /* of positions */
    struct puzzle_solver *solver;
    struct state *state; /* owned */
    struct buffer text;  /* of a position */
    int number;          /* of the game */
    int made;
    FILE *to;
};

/* ---- is it a puzzle? ---- */

static bool has_action(const action *list, int count, action a)
{
    for (int i = 0; i < count; i++)
        if (list[i] == a)
            return true;
    return false;
}

static int points_of(const struct game *game, const struct world *w,
                     const struct state *s, int seat)
{
    struct result r = {0};
    game->result(w, s, &r);
    return r.points[seat];
}

/* Is the line legal there, and worth what was found, revealing nothing before
 * its end?  Plays it on `s`. */
static bool holds(const struct game *game, const struct world *w,
                  struct state *s, int seat, const struct puzzle_answer *a)
{
    action list[GAME_ACTIONS];
    int begun = points_of(game, w, s, seat);
    uint32_t fence = game->fence(w, s);
    for (int i = 0; i < a->length; i++) {
        int count = game->legal(w, s, seat, list);
        if (!has_action(list, count, a->line[i]) || game->fence(w, s) != fence)
            return false;
        game->apply(w, s, seat, a->line[i]);
    }
    return points_of(game, w, s, seat) - begun == a->best;
}

/* What is told as best must be so in every world the seat may be in. */
static bool certain(struct workshop *k, const struct match *m,
                    const struct state *truth, int seat,
                    const struct puzzle_answer *a)
{
    const struct game *game = k->contest.game;
    struct state *s = k->state;
    struct rng rng;
    if (!game->observe)
        return true;
    memcpy(s, truth, game->state_size);
    if (!holds(game, match_world(m), s, seat, a))
        return false;
    rng_seed(&rng, (uint64_t)k->number);
    for (int i = 0; i < GUESSES; i++) {
        memcpy(s, match_state(m), game->state_size);
        game->complete(match_world(m), s, seat, &rng);
        if (!holds(game, match_world(m), s, seat, a))
            return false;
    }
    return true;
}

static bool interesting(const struct asked *k, const struct puzzle_answer *a)
{
    return a->whole && !a->over && a->length >= 2 && a->best >= k->least &&
           a->best > a->quick && a->results >= k->results &&
           a->ends >= k->ends &&
           (int64_t)a->ways * 1000 <= (int64_t)a->ends * k->share;
}

/* ---- writing ---- */

static void write_line(const struct match *m, int seat,
                       const struct puzzle_answer *a, FILE *to)
{
    const struct game *game = match_game(m);
    struct buffer text = {0};
    struct state *s = need(malloc(game->state_size));
    memcpy(s, match_state(m), game->state_size);
    for (int i = 0; i < a->length; i++) {
        while (buffer_short(&text, game->write_action(match_world(m), s, seat,
                                                      a->line[i], seat, text.to,
                                                      text.cap)))
            ;
        fprintf(to, "%s%s", i ? "; " : "", text.to);
        game->apply(match_world(m), s, seat, a->line[i]);
    }
    free(s);
    buffer_release(&text);
}

static void write_numbers(const struct puzzle_answer *a, FILE *to)
{
    fprintf(to, "best %d next %d quick %d results %d ways %d ends %d", a->best,
            a->next, a->quick, a->results, a->ways, a->ends);
}

/* "best 14 ... ends 4120\nplay ...": what a solved puzzle says of itself. */
static char *describe(const struct match *m, int seat,
                      const struct puzzle_answer *a)
{
    char *text = NULL;
    size_t size;
    FILE *to = need(open_memstream(&text, &size));
    write_numbers(a, to);
    fputs("\nplay ", to);
    write_line(m, seat, a, to);
    fclose(to);
    return text;
}

static void keep_puzzle(struct workshop *k, const char *told)
{
    size_t length = strlen(k->text.to);
    fprintf(k->to, "puzzle %d %s\n%s%s\n", k->number, told, k->text.to,
            length && k->text.to[length - 1] == '\n' ? "" : "\n");
    if (fflush(k->to) != 0)
        die(STATUS_CONTENT, "cannot write '%s': %s", k->asked->series.out,
            strerror(errno));
    k->made++;
}

/* ---- making ---- */

/* The position after `at` steps as its seat knows it, read back from its own
 * text, so that what is solved is what others will read. */
static struct match *position_at(struct workshop *k, const struct match *m,
                                 int at, int seat)
{
    struct fault f;
    int viewer = k->contest.game->observe ? seat : RECORD_FULL, length;
    do
        length = match_write(m, k->format, at, viewer, k->text.to, k->text.cap);
    while (length >= 0 && buffer_short(&k->text, length));
    if (length < 0)
        return NULL;
    return match_read(k->contest.game, k->format, k->text.to, (size_t)length,
                      match_setup(m), &f);
}

static bool allowed(const struct asked *a, const char *told)
{
    for (int i = 0; i < WORDS && a->without[i]; i++)
        if (strstr(told, a->without[i]))
            return false;
    return true;
}

static bool try_turn(struct workshop *k, const struct match *m, int at,
                     int seat)
{
    struct puzzle_answer answer;
    struct match *from = position_at(k, m, at, seat);
    if (!from)
        return false;
    puzzle_solve(k->solver, match_world(from), match_state(from), seat,
                 &answer);
    bool good = interesting(k->asked, &answer);
    if (good) {
        struct state *truth = need(malloc(k->contest.game->state_size));
        match_at(m, at, truth);
        good = certain(k, from, truth, seat, &answer);
        free(truth);
    }
    if (good) {
        char *told = describe(from, seat, &answer);
        good = allowed(k->asked, told);
        if (good)
            keep_puzzle(k, told);
        free(told);
    }
    match_close(from);
    return good;
}

struct beginning {
    int at, seat;
};

/* Where a seat alone has to act and nothing of its turn is done.  A fence may
 * also lie within a turn where something is hidden, but the next turn is then
 * another seat's. */
static int list_turns(struct workshop *k, const struct match *m,
                      struct beginning *list)
{
    const struct game *game = k->contest.game;
    const struct world *w = match_world(m);
    struct state *s = k->state;
    uint32_t fence = UINT32_MAX;
    int count = 0, before = SEAT_NONE;
    memcpy(s, match_first(m), game->state_size);
    for (int at = 0; at < match_count(m) && count < TURNS; at++) {
        const struct step *step = match_step(m, at);
        unsigned must, may;
        game->turn(w, s, &must, &may);
        if (game->fence(w, s) != fence && must == 1u << step->seat &&
            (!game->observe || step->seat != before))
            list[count++] = (struct beginning){at, step->seat};
        fence = game->fence(w, s);
        before = step->seat;
        game->apply(w, s, step->seat, step->action);
    }
    return count;
}

/* At most one puzzle of a game, so that they differ. */
static void search_game(const struct match *m, void *to)
{
    struct workshop *k = to;
    struct beginning list[TURNS];
    struct rng rng;
    int count = list_turns(k, m, list);
    rng_seed(&rng, rng_mix(k->contest.seed + (uint64_t)k->number));
    for (int i = 0; i < k->asked->tries && count > 0; i++) {
        int pick = rng_below(&rng, count);
        if (try_turn(k, m, list[pick].at, list[pick].seat))
            return;
        list[pick] = list[--count];
    }
}

/* Reads "puzzle N" at the head of a block; NULL if there is none. */
static char *read_head(char *at, int *number)
{
    char *end = at;
    if (strncmp(at, "puzzle ", 7) == 0)
        *number = (int)strtol(at + 7, &end, 10);
    return end > at + 7 ? end : NULL;
}

/* How many a set holds already, and the game to go on with. */
static int count_puzzles(char *text, int *next)
{
    int count = 0;
    *next = 0;
    for (char *at = text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!read_head(at, next))
            continue;
        ++*next;
        count++;
    }
    return count;
}

/* A set that was broken off in the middle of a puzzle is cut behind the last
 * whole one. */
static int go_on(struct workshop *k, const char *name)
{
    size_t length = 0;
    int next = 0;
    char *text = access(name, F_OK) == 0 ? file_read(name, &length) : NULL;
    if (text) {
        while (length > 0 && !(length > 1 && text[length - 1] == '\n' &&
                               text[length - 2] == '\n'))
            length--;
        text[length] = '\0';
        k->made = count_puzzles(text, &next);
        if (truncate(name, (off_t)length) != 0)
            die(STATUS_CONTENT, "cannot write '%s': %s", name, strerror(errno));
    }
    free(text);
    k->to = fopen(name, "a");
    if (!k->to)
        die(STATUS_USAGE, "cannot write '%s': %s", name, strerror(errno));
    return next;
}

static int make(struct asked *a)
{
    static struct workshop k;
    struct contest_result result;
    struct buffer given = {0};
    k.asked = a;
    if (!a->series.out)
        die(STATUS_USAGE, "where to?  say --output FILE");
    contest_prepare(&k.contest, &a->series, &given);
    for (int i = 0; i < k.contest.seats; i++)
        if (k.contest.by[i].command[0])
            die(STATUS_USAGE, "only bots of our own make puzzles");
    const struct game *game = k.contest.game;
    k.format = match_format(game, "position");
    if (!k.format || !k.format->read || !k.format->write)
        die(STATUS_USAGE, "%s has no notation of positions", game->title);
    k.contest.keep = search_game;
    k.contest.keep_to = &k;
    k.state = need(malloc(game->state_size));
    k.solver = puzzle_open(game, a->nodes);
    k.number = go_on(&k, a->series.out);
    for (; k.made < a->count && k.number < GAMES_MAX; k.number++)
        if (!contest_play(&k.contest, k.number * k.contest.seats, NULL,
                          &result))
            exit(STATUS_USAGE);
    fclose(k.to);
    printf(tr("%d puzzles of %s in '%s', the last from game %d\n"), k.made,
           game->title, a->series.out, k.number - 1);
    puzzle_close(k.solver);
    free(k.state);
    buffer_release(&k.text);
    buffer_release(&given);
    return STATUS_OK;
}

/* ---- checking ---- */

/* The line as people type it must bring what it says. */
static bool plays(struct match *m, int seat, const char *line, int best)
{
    struct fault f;
    const struct game *game = match_game(m);
    int begun = points_of(game, match_world(m), match_state(m), seat);
    return match_type(m, seat, line, &f) &&
           points_of(game, match_world(m), match_state(m), seat) - begun ==
               best;
}

/* `told` and `position` are parts of a block, each ended by NUL. */
static bool check_block(const struct game *game, struct puzzle_solver *solver,
                        const char *told, const char *position)
{
    struct setup setup;
    struct fault f;
    struct puzzle_answer answer;
    const struct record_format *format = match_format(game, "position");
    struct request none = {0};
    struct buffer given = {0};
    request_setup(&none, game, &setup, &given);
    struct match *m =
        match_read(game, format, position, strlen(position), &setup, &f);
    buffer_release(&given);
    if (!m) {
        say_fault(game, "the position", &f);
        return false;
    }
    int seat = match_seat(m);
    if (seat < 0) {
        say("the game is over");
        match_close(m);
        return false;
    }
    puzzle_solve(solver, match_world(m), match_state(m), seat, &answer);
    char *found = describe(m, seat, &answer);
    bool good = answer.whole && strcmp(found, told) == 0;
    if (!good)
        say("told '%s', found '%s'", told, found);
    good = good && plays(m, seat, strstr(told, "\nplay ") + 6, answer.best);
    free(found);
    match_close(m);
    return good;
}

/* The next block of a set, its head's number cut off; NULL at its end. */
static char *next_block(char **rest, char **position, int *number)
{
    char *told = read_head(*rest, number);
    char *end = told ? strstr(told, "\n\n") : NULL;
    char *play = told ? strstr(told, "\nplay ") : NULL;
    *position = play ? strchr(play + 1, '\n') : NULL;
    if (!end || !play || !*position || *position > end)
        return NULL;
    end[1] = '\0';
    *rest = end + 2;
    *(*position)++ = '\0';
    return told + 1;
}

static int check(const struct asked *a)
{
    size_t length;
    int number = 0, all = 0, checked = 0, wrong = 0;
    const struct game *game = need_game(a->series.game);
    char *text = file_read(a->check, &length), *position = NULL;
    if (!text)
        return STATUS_USAGE;
    struct puzzle_solver *solver = puzzle_open(game, a->nodes);
    char *rest = text;
    for (char *told; (told = next_block(&rest, &position, &number)); all++) {
        if (all % a->every != 0)
            continue;
        checked++;
        if (check_block(game, solver, told, position))
            continue;
        say("puzzle %d of '%s' is wrong", all + 1, a->check);
        wrong++;
    }
    if (strspn(rest, "\n") != strlen(rest)) {
        say("'%s': puzzle %d is not whole", a->check, all + 1);
        wrong++;
    }
    printf(tr("%d of %d puzzles of %s solved anew, %d wrong\n"), checked, all,
           game->title, wrong);
    puzzle_close(solver);
    free(text);
    return wrong || all == 0 ? STATUS_CONTENT : STATUS_OK;
}

int cmd_puzzles(int argc, char **argv)
{
    struct asked asked = {
        .series = {.limit = 20000, .limit_max = 1000000, .opening = -1},
        .count = 365,
        .every = 1,
        .nodes = 200000,
        .tries = 8,
        .least = 3,
        .share = 50,
        .ends = 100,
        .results = 4};
    if (!command_line(&puzzles_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    return asked.check ? check(&asked) : make(&asked);
}
