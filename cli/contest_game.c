/* cli/contest_game.c: one game of a contest. */
#include "cli/contest.h"

#include "base/rng.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seats rotate: in game k of an opening contestant i sits at seat i + k. */
static int contestant_at(const struct contest *c, int number, int seat)
{
    return (seat + c->seats - number % c->seats) % c->seats;
}

static int seat_to_act(const struct match *m, action *legal, int *count)
{
    unsigned must, may;
    const struct game *game = match_game(m);
    game->turn(match_world(m), match_state(m), &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = game->legal(match_world(m), match_state(m), seat, legal);
        if (*count > 0)
            return seat;
    }
    return SEAT_NONE;
}

static void play_opening(struct match *m, int actions, uint64_t seed)
{
    struct rng rng;
    action legal[GAME_ACTIONS];
    int count, seat;
    rng_seed(&rng, seed);
    for (int i = 0; i < actions; i++) {
        if ((seat = seat_to_act(m, legal, &count)) == SEAT_NONE)
            return;
        match_play(m, seat, legal[rng_below(&rng, count)]);
    }
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* An engine that fails leaves the game: it ranks last, and nobody else is the
 * worse for it. */
static void ask_engine(struct match *m, struct thinker *t, int number, int seat,
                       struct contest_result *out)
{
    char why[256];
    action a;
    double begin = wall_clock();
    enum child_fault fault =
        child_choose(t->child, m, seat, &a, why, sizeof why);
    t->actions++;
    t->seconds += wall_clock() - begin;
    if (fault == CHILD_GOOD) {
        match_play(m, seat, a);
        return;
    }
    say("game %d: '%s' at seat %d %s: %s", number, t->self->text, seat + 1,
        tr(child_faults[fault]), why);
    match_drop(m, seat);
    snprintf(out->ending, sizeof out->ending, "%s", child_faults[fault]);
    child_close(t->child);
    t->child = NULL;
}

/* Is somebody so many points ahead of everybody else that the rest need not
 * be played?  Only where a series asks for it. */
static bool decided(const struct contest *c, const struct match *m)
{
    struct result r = {0};
    if (c->lead == 0)
        return false;
    c->game->result(match_world(m), match_state(m), &r);
    int first = INT_MIN, second = INT_MIN;
    for (int seat = 0; seat < c->seats; seat++) {
        if (r.points[seat] > first) {
            second = first;
            first = r.points[seat];
        } else if (r.points[seat] > second) {
            second = r.points[seat];
        }
    }
    return second > INT_MIN && first - second >= c->lead;
}

static void play(const struct contest *c, struct match *m, struct thinker *by,
                 int number, struct contest_result *out)
{
    action legal[GAME_ACTIONS], said;
    int count, seat, aside;
    unsigned bots = 0; /* engines are asked when it is their turn */
    for (seat = 0; seat < c->seats; seat++)
        bots |= by[seat].child ? 0 : 1u << seat;
    for (int i = 0; i < c->limit && !decided(c, m); i++) {
        if ((seat = seat_to_act(m, legal, &count)) == SEAT_NONE)
            return;
        if ((aside = speak_up(m, bots, &said)) != SEAT_NONE)
            match_play(m, aside, said);
        else if (by[seat].child)
            ask_engine(m, &by[seat], number, seat, out);
        else
            match_play(m, seat,
                       thinker_choose(&by[seat], match_state(m), seat));
    }
}

static bool keep_record(const struct contest *c, struct match *m, int number,
                        const char *folder)
{
    struct buffer b = {0};
    char name[512], key[32];
    const struct record_format *format = match_format(c->game, NULL);
    for (int seat = 0; seat < c->seats; seat++) {
        snprintf(key, sizeof key, "Player%d", seat + 1);
        match_set_note(m, key, c->by[contestant_at(c, number, seat)].text);
    }
    int length;
    do
        length =
            match_write(m, format, match_count(m), RECORD_FULL, b.to, b.cap);
    while (length >= 0 && buffer_short(&b, length));
    snprintf(name, sizeof name, "%s/%05d%s", folder, number, format->suffix);
    bool good = length >= 0 && file_write(name, b.to, (size_t)length);
    buffer_release(&b);
    return good;
}

static void write_down(const struct contest *c, const struct match *m,
                       int number, const struct thinker *by,
                       struct contest_result *out)
{
    struct result r = {0};
    c->game->result(match_world(m), match_state(m), &r);
    out->game = number;
    out->length = match_count(m);
    for (int seat = 0; seat < c->seats; seat++) {
        int i = contestant_at(c, number, seat);
        out->points[i] = r.points[seat];
        out->place[i] = r.place[seat];
        out->actions[i] = by[seat].actions;
        out->nodes[i] = by[seat].nodes;
        out->seconds[i] = by[seat].seconds;
    }
    if (!out->ending[0])
        snprintf(out->ending, sizeof out->ending, "%s",
                 match_over(m)   ? c->game->endings[r.reason]
                 : decided(c, m) ? "lead"
                                 : "limit");
}

bool contest_play(const struct contest *c, int number, const char *records,
                  struct contest_result *out)
{
    struct thinker by[GAME_SEATS] = {0};
    struct setup setup = c->setup;
    struct fault f;
    uint64_t opening =
        rng_mix(c->seed * 1000003 + (uint64_t)(number / c->seats));
    setup.seed = opening;
    struct match *m = match_open(c->game, &setup, &f);
    bool good = m != NULL;
    *out = (struct contest_result){0};
    for (int seat = 0; good && seat < c->seats; seat++)
        good = thinker_init(&by[seat], &c->by[contestant_at(c, number, seat)],
                            c->game, &setup,
                            rng_mix(opening + (uint64_t)seat + 1), &f);
    if (good) {
        play_opening(m, c->opening, opening + 77);
        for (int seat = 0; seat < c->seats; seat++)
            if (by[seat].self->command[0])
                by[seat].child =
                    child_open(by[seat].self->command, &c->engines);
        play(c, m, by, number, out);
        write_down(c, m, number, by, out);
        if (c->keep)
            c->keep(m, c->keep_to);
        good = !records || keep_record(c, m, number, records);
    } else {
        say_fault(c->game, NULL, &f);
    }
    for (int seat = 0; seat < c->seats; seat++)
        thinker_release(&by[seat]);
    match_close(m);
    return good;
}
