/* cli/contest_args.c: what `terra arena` and `terra selfplay` are asked for
 * alike. */
#include "cli/contest.h"

error_t contest_take(struct contest_request *c, int key, char *text)
{
    switch (key) {
    case KEY_GAMES:
        c->games = need_number("number of games", text, 1, c->games_max);
        return 0;
    case KEY_OUT:
        c->out = text;
        return 0;
    case KEY_OPENING:
        c->opening = need_number("opening", text, 0, 10000);
        return 0;
    case KEY_LIMIT:
        c->limit = need_number("limit", text, 1, c->limit_max);
        return 0;
    case ARGP_KEY_ARG:
        need_one("game", text, &c->game);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void contest_prepare(struct contest *c, struct contest_request *asked,
                     struct buffer *given)
{
    static char seats[8];
    struct request *r = &asked->request;
    if (!r->seats)
        die(STATUS_USAGE, "which bots?  say --seats club,club");
    asked->seats = r->seats;
    c->seats = contestant_list(c->by, asked->seats);
    snprintf(seats, sizeof seats, "%d", c->seats);
    r->seats = seats;
    c->game = need_game(asked->game);
    request_setup(r, c->game, &c->setup, given);
    c->seed = c->setup.seed;
    c->opening = asked->opening >= 0 ? asked->opening : 2 * c->seats;
    c->limit = asked->limit;
}
