/* cli/bench.c: `terra bench` measures speed and fingerprints the rules. */
#include "cli/bench.h"

#include "base/text.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

struct asked {
    struct request request;
    const char *game;
    bool json, fingerprint;
    double seconds;
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, TR("as JSON"), 0},
    {"seconds", 't', "S", 0, TR("CPU time per number of seats (default 1)"), 0},
    {"fingerprint", 'f', 0, 0, TR("only the fingerprint"), 0},
    {0, 0, 0, 0, 0, 0},
};

static double need_seconds(const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds <= 3600))
        die(STATUS_USAGE, "'%s' is no number of seconds up to 3600", text);
    return seconds;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra bench", &asked->request);
    case 'j':
        asked->json = true;
        return 0;
    case 'f':
        asked->fingerprint = true;
        return 0;
    case 't':
        asked->seconds = need_seconds(text);
        return 0;
    case ARGP_KEY_ARG:
        if (asked->game)
            die(STATUS_USAGE, "one game or all, not also '%s'", text);
        asked->game = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp bench_argp = {
    options,
    parse,
    "[GAME]",
    HELP(TR("Measures random games, legal lists and each function of a game, "
            "in CPU time on one thread."),
         TR("Each action of a random game is drawn evenly from the full list "
            "of legal ones, which is made anew at every step; the usual "
            "number of seats gives the headline, all numbers are listed.  "
            "The fingerprint comes from fixed games and changes only when "
            "the rules or the notation do; the options of the table do not "
            "touch it.")),
    request_children,
    help_words,
    0,
};

/* ---- measuring ---- */

static void run(const struct asked *asked, const struct game *game,
                struct bench *b)
{
    struct request r = asked->request;
    char seats[8];
    int usual = game->seats_usual;
    b->game = game;
    if (r.seats) {
        struct match *m = request_match(&r, game);
        usual = match_setup(m)->seats;
        bench_games(m, asked->seconds, &b->by_seats[b->counts++]);
        bench_calls(m, asked->seconds, b);
        bench_search(m, asked->seconds, b);
        match_close(m);
    }
    for (int i = game->seats_min; !asked->request.seats && i <= game->seats_max;
         i++) {
        snprintf(seats, sizeof seats, "%d", i);
        r.seats = seats;
        struct match *m = request_match(&r, game);
        if (i == usual)
            b->usual = b->counts;
        bench_games(m, asked->seconds, &b->by_seats[b->counts++]);
        if (i == usual) {
            bench_calls(m, asked->seconds, b);
            bench_search(m, asked->seconds, b);
        }
        match_close(m);
    }
    b->fingerprint = bench_fingerprint(game);
}

static double per_second(uint64_t count, const struct bench_seats *s)
{
    return (double)count / s->seconds;
}

static double share(uint64_t count, uint64_t of)
{
    return of ? (double)count / (double)of : 0;
}

/* ---- as text ---- */

static const struct column columns[] = {
    {TR("seats"), 7},           {TR("actions/s"), 14},      {TR("games/s"), 12},
    {TR("decisions/game"), 14}, {TR("choices/action"), 14},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_table(const struct bench *b)
{
    int w[COLUMNS];
    put_headings(columns, COLUMNS, w);
    for (int i = 0; i < b->counts; i++) {
        const struct bench_seats *s = &b->by_seats[i];
        printf("%*d%s %*.0f %*.1f %*.1f %*.1f\n", w[0] - 1, s->seats,
               i == b->usual ? "*" : " ", w[1], per_second(s->actions, s), w[2],
               per_second(s->games, s), w[3], share(s->actions, s->games), w[4],
               share(s->choices, s->actions));
    }
}

static void print_text(const struct bench *b)
{
    const struct game *game = b->game;
    printf(tr("%s: state %zu bytes, world %zu bytes, fingerprint %u\n"),
           game->name, game->state_size, game->world_size, b->fingerprint);
    print_table(b);
    printf(tr("  search: %.0f nodes/s, %.0f positions judged/s\n"),
           b->search_nodes, b->search_judged);
    printf(tr("  %.0f legal lists/s; ns per call:\n"), b->legal_per_second);
    for (int i = 0; i < b->call_count; i++)
        printf("  %-17s %10.1f%s", b->calls[i].name, b->calls[i].ns,
               i % 2 == 1 || i == b->call_count - 1 ? "\n" : "   ");
}

/* ---- as JSON ---- */

static void print_seats_json(const struct bench_seats *s)
{
    printf("{\"seats\":%d,\"actions_per_second\":%.0f,"
           "\"games_per_second\":%.2f,\"decisions_per_game\":%.2f,"
           "\"choices_per_decision\":%.2f,\"games\":%llu,"
           "\"cpu_seconds\":%.3f}",
           s->seats, per_second(s->actions, s), per_second(s->games, s),
           share(s->actions, s->games), share(s->choices, s->actions),
           (unsigned long long)s->games, s->seconds);
}

static void print_json(const struct bench *b)
{
    const struct game *game = b->game;
    const struct bench_seats *s = &b->by_seats[b->usual];
    printf("{\"game\":\"%s\",\"seats\":%d,\"actions_per_second\":%.0f,"
           "\"games_per_second\":%.2f,\"legal_per_second\":%.0f,"
           "\"decisions_per_game\":%.2f,\"search_nodes_per_second\":%.0f,"
           "\"search_judged_per_second\":%.0f,\"state_bytes\":%zu,"
           "\"world_bytes\":%zu,\"fingerprint\":%u,\n \"by_seats\":[",
           game->name, s->seats, per_second(s->actions, s),
           per_second(s->games, s), b->legal_per_second,
           share(s->actions, s->games), b->search_nodes, b->search_judged,
           game->state_size, game->world_size, b->fingerprint);
    for (int i = 0; i < b->counts; i++) {
        printf("%s", i ? ",\n  " : "");
        print_seats_json(&b->by_seats[i]);
    }
    printf("],\n \"ns_per_call\":{");
    for (int i = 0; i < b->call_count; i++)
        printf("%s\"%s\":%.1f", i ? "," : "", b->calls[i].name, b->calls[i].ns);
    printf("}}");
}

static void print_fingerprint(const struct asked *asked,
                              const struct game *game)
{
    printf(asked->json ? "{\"game\":\"%s\",\"fingerprint\":%u}" : "%s %u\n",
           game->name, bench_fingerprint(game));
}

static void print_game(const struct asked *asked, const struct game *game)
{
    struct bench b = {0};
    if (asked->fingerprint) {
        print_fingerprint(asked, game);
        return;
    }
    run(asked, game, &b);
    if (asked->json)
        print_json(&b);
    else
        print_text(&b);
    fflush(stdout);
}

static void print_all(const struct asked *asked)
{
    printf("%s", asked->json ? "[" : "");
    for (int i = 0; rules_games[i]; i++) {
        printf("%s", asked->json && i ? ",\n" : "");
        print_game(asked, rules_games[i]);
    }
    printf("%s", asked->json ? "]\n" : "");
}

int cmd_bench(int argc, char **argv)
{
    struct asked asked = {.seconds = 1};
    if (!command_line(&bench_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    if (!asked.game) {
        print_all(&asked);
        return STATUS_OK;
    }
    print_game(&asked, need_game(asked.game));
    if (asked.json)
        putchar('\n');
    return STATUS_OK;
}
