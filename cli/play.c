/* cli/play.c: `terra play` plays in the terminal. */
#include "cli/table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asked {
    struct request request;
    const char *game;
};

static const struct argp_option options[] = {
    {"position", KEY_POSITION, "TEXT", 0, TR("begin there"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra play", &asked->request);
    case ARGP_KEY_ARG:
        need_one("game", text, &asked->game);
        return 0;
    default:
        return request_take(&asked->request, key, text);
    }
}

static char *list_players(int key, const char *text, void *input)
{
    if (key != ARGP_KEY_HELP_POST_DOC)
        return help_words(key, text, input);
    char *list = NULL;
    size_t size;
    FILE *to = open_memstream(&list, &size);
    fputs(tr("Players, for --seats human,club:\n"), need(to));
    for (int i = 0; player_at(i); i++)
        fprintf(to, "  %-10s %s\n", player_at(i)->name, tr(player_at(i)->help));
    fputs(tr("\nThe first seat is a person and the others are random unless "
             "--seats names\nthem; --seats 3 seats three people.  Type 'help' "
             "at the table.  Input may\ncome from a pipe: then the exit status "
             "is 1 if any of it was refused.\n\n"
             "Example: terra play nova --seats human,random --option "
             "board=islet"),
          to);
    fclose(to);
    return list;
}

static const struct argp play_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Plays a game in the terminal, by notation."), "(players)"),
    request_children,
    list_players,
    0,
};

/* ---- seats ---- */

/* With a list of players each has a seat; with a number or colours all are
 * people; without a word one person plays against bots. */
static void seat_players(struct table *t, const char *seats)
{
    struct span rest = span_of(seats ? seats : "");
    for (int seat = 0; seat < GAME_SEATS; seat++) {
        struct span name = span_cut(&rest, ',');
        const struct player *p = player_find(name.at, name.length);
        if (!p)
            p = player_find(seats || seat == 0 ? "human" : "random",
                            seats || seat == 0 ? 5 : 6);
        t->player[seat] = p;
    }
}

/* A match without a seed begins with one nobody knows. */
static void need_seed(struct request *r, char *text, size_t cap)
{
    uint64_t seed = 0;
    if (r->seed)
        return;
    if (getentropy(&seed, sizeof seed) != 0)
        die(STATUS_CONTENT, "the system gives no random numbers; use --seed");
    snprintf(text, cap, "%llu", (unsigned long long)seed);
    r->seed = text;
}

/* ---- the course of the match ---- */

/* Between two people something hidden must not be seen. */
static void hand_over(struct table *t, int seat)
{
    char prompt[64];
    if (!table_secret(t) || t->shown == seat || table_humans(t) < 2)
        return;
    if (!line_edited(t->line)) {
        printf(tr("-- seat %d --\n"), seat + 1);
        return;
    }
    printf("\033[2J\033[3J\033[H");
    snprintf(prompt, sizeof prompt, tr("Seat %d, take over and press Enter: "),
             seat + 1);
    if (!line_read(t->line, prompt))
        t->quit = true;
}

static void ask(struct table *t, int seat)
{
    char prompt[32];
    table_end_line(t);
    if (t->shown != seat || t->shown_count != match_count(t->match)) {
        hand_over(t, seat);
        if (t->quit)
            return;
        table_board(t, seat);
    }
    t->seat = seat;
    snprintf(prompt, sizeof prompt, tr("seat %d> "), seat + 1);
    const char *line = line_read(t->line, prompt);
    t->input++;
    if (line)
        table_type(t, seat, line);
    else
        t->quit = true;
    if (!line && line_edited(t->line))
        putchar('\n');
}

/* A bot acts before everybody's eyes. */
static void act(struct table *t, int seat, action a)
{
    table_action(t, seat, a);
    uint32_t fence =
        t->game->fence(match_world(t->match), match_state(t->match));
    match_play(t->match, seat, a);
    if (fence != t->game->fence(match_world(t->match), match_state(t->match)))
        table_end_line(t);
}

static void answer(struct table *t, int seat)
{
    struct state *view = view_of(t->match, match_state(t->match), seat);
    const struct player *self = t->player[seat];
    action a =
        self->choose(self, t->game, match_world(t->match), view, seat, &t->rng);
    free(view);
    act(t, seat, a);
}

/* Whoever must act, bots first so that people see the outcome; else whoever
 * may and can. */
static int next_seat(const struct table *t)
{
    unsigned must, may;
    t->game->turn(match_world(t->match), match_state(t->match), &must, &may);
    unsigned seats = must;
    action legal[GAME_ACTIONS];
    for (int i = 0; must == 0 && i < GAME_SEATS; i++)
        if (may >> i & 1 && t->game->legal(match_world(t->match),
                                           match_state(t->match), i, legal))
            seats |= 1u << i;
    for (int i = 0; i < GAME_SEATS; i++)
        if (seats >> i & 1 && t->player[i]->choose)
            return i;
    return seats ? __builtin_ctz(seats) : SEAT_NONE;
}

static void play(struct table *t)
{
    int seat, aside;
    unsigned bots = 0;
    action said;
    for (seat = 0; seat < match_setup(t->match)->seats; seat++)
        bots |= t->player[seat]->choose ? 1u << seat : 0;
    while (!t->quit && (seat = next_seat(t)) != SEAT_NONE) {
        aside = speak_up(t->match, bots, &said);
        if (aside != SEAT_NONE)
            act(t, aside, said);
        else if (t->player[seat]->choose)
            answer(t, seat);
        else
            ask(t, seat);
    }
    table_end_line(t);
    if (t->quit)
        return;
    table_board(t, SEAT_NONE);
    table_result(t);
}

static void greet(const struct table *t)
{
    printf("%s:", t->game->title);
    for (int seat = 0; seat < match_setup(t->match)->seats; seat++)
        printf(" %d %s", seat + 1, t->player[seat]->name);
    puts(tr(".  Type 'help' for help."));
}

int cmd_play(int argc, char **argv)
{
    struct asked asked = {0};
    char seed[32];
    if (!command_line(&play_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    const struct game *game = need_game(asked.game);
    need_seed(&asked.request, seed, sizeof seed);
    struct table t = {.game = game,
                      .request = &asked.request,
                      .shown = SEAT_NONE,
                      .speaking = SEAT_NONE};
    t.match = request_match(&asked.request, game);
    rng_seed(&t.rng, rng_mix(match_setup(t.match)->seed ^ 0x7461626c65u));
    seat_players(&t, asked.request.seats);
    t.colour = colour_on(stdout);
    t.line = line_open();
    line_complete(t.line, table_words, &t);
    greet(&t);
    play(&t);
    int status = t.refused && !line_edited(t.line) ? STATUS_CONTENT : STATUS_OK;
    line_close(t.line);
    match_close(t.match);
    return status;
}
