/* cli/perft.c: `terra perft` counts sequences of actions (nova §15). */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct asked {
    struct request request;
    const char *game;
    int depth;
    bool divide;
};

enum { DEPTH_MAX = 64 };

static const struct argp_option options[] = {
    {"depth", 'd', "N", 0, TR("sequences of exactly N actions"), 0},
    {"divide", 'v', 0, 0, TR("also the count behind each first action"), 0},
    {"position", KEY_POSITION, "TEXT", 0, TR("begin there"), 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra perft", &asked->request);
    case 'd':
        asked->depth = need_number("depth", text, 0, DEPTH_MAX);
        return 0;
    case 'v':
        asked->divide = true;
        return 0;
    case ARGP_KEY_ARG:
        need_one("game", text, &asked->game);
        return 0;
    default:
        return request_take(&asked->request, key, text);
    }
}

static const struct argp perft_argp = {
    options,
    parse,
    "GAME",
    HELP(TR("Counts the sequences of legal actions of a certain length."),
         TR("The last line is the count alone.  Where several seats may act "
            "at once the actions of each of them count.  A finished game has "
            "no actions.\n\n"
            "Example: terra perft nova --option board=islet --option "
            "edition=en --depth 3")),
    request_children,
    help_words,
    0,
};

/* Memory for each depth: a state and the list of actions. */
struct counting {
    const struct game *game;
    const struct world *world;
    struct state *states[DEPTH_MAX + 1];
    action *lists[DEPTH_MAX + 1];
};

static unsigned seats_of(const struct counting *c, const struct state *s)
{
    unsigned must, may;
    c->game->turn(c->world, s, &must, &may);
    return must | may;
}

static uint64_t count(struct counting *c, const struct state *s, int depth)
{
    if (depth == 0)
        return 1;
    uint64_t total = 0;
    struct state *next = c->states[depth];
    action *list = c->lists[depth];
    for (unsigned seats = seats_of(c, s); seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        int found = c->game->legal(c->world, s, seat, list);
        if (depth == 1) { /* the last action need not be carried out */
            total += (uint64_t)found;
            continue;
        }
        for (int i = 0; i < found; i++) {
            memcpy(next, s, c->game->state_size);
            c->game->apply(c->world, next, seat, list[i]);
            total += count(c, next, depth - 1);
        }
    }
    return total;
}

static uint64_t divide_seat(struct counting *c, const struct state *s,
                            int depth, int seat)
{
    struct buffer text = {0};
    struct state *next = c->states[depth];
    action *list = c->lists[depth];
    int found = c->game->legal(c->world, s, seat, list);
    uint64_t total = 0;
    for (int i = 0; i < found; i++) {
        memcpy(next, s, c->game->state_size);
        c->game->apply(c->world, next, seat, list[i]);
        uint64_t part = count(c, next, depth - 1);
        while (buffer_short(&text,
                            c->game->write_action(c->world, s, seat, list[i],
                                                  seat, text.to, text.cap)))
            ;
        printf("%s: %llu\n", text.to, (unsigned long long)part);
        total += part;
    }
    buffer_release(&text);
    return total;
}

static uint64_t divide(struct counting *c, const struct state *s, int depth)
{
    if (depth == 0)
        return 1;
    uint64_t total = 0;
    for (unsigned seats = seats_of(c, s); seats; seats &= seats - 1)
        total += divide_seat(c, s, depth, __builtin_ctz(seats));
    return total;
}

static void counting_init(struct counting *c, const struct match *m, int depth)
{
    c->game = match_game(m);
    c->world = match_world(m);
    for (int i = 1; i <= depth; i++) {
        c->states[i] = need(malloc(c->game->state_size));
        c->lists[i] = need(malloc(GAME_ACTIONS * sizeof **c->lists));
    }
}

static void counting_release(struct counting *c)
{
    for (int i = 1; i <= DEPTH_MAX; i++) {
        free(c->states[i]);
        free(c->lists[i]);
    }
}

int cmd_perft(int argc, char **argv)
{
    struct asked asked = {.depth = -1};
    struct counting counting = {0};
    if (!command_line(&perft_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    const struct game *game = need_game(asked.game);
    if (asked.depth < 0)
        die(STATUS_USAGE, "how deep?  --depth N");
    struct state *first;
    struct match *m = request_state(&asked.request, game, &first);
    counting_init(&counting, m, asked.depth);
    uint64_t total =
        (asked.divide ? divide : count)(&counting, first, asked.depth);
    printf("%llu\n", (unsigned long long)total);
    counting_release(&counting);
    free(first);
    match_close(m);
    return STATUS_OK;
}
