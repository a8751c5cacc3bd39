/* server/clock.c: the time of each seat.
 *
 * Clocks are made from the log alone: each line has its time, so a server that
 * was restarted comes to the same numbers.  Where several seats are asked at
 * once each one's own clock runs. */
#include "server/hub.h"

#include <stdio.h>
#include <string.h>

const char *pace_name(enum pace_kind kind)
{
    static const char *const names[] = {"none", "move", "fischer", "game",
                                        "slow"};
    return names[kind];
}

static bool runs(const struct table *t, int seat)
{
    return t->pace.kind != PACE_NONE && t->seat[seat].user &&
           !t->seat[seat].gone;
}

static bool per_move(const struct table *t)
{
    return t->pace.kind == PACE_MOVE || t->pace.kind == PACE_SLOW;
}

static void ask(struct table *t, int seat, int64_t at)
{
    t->clock.since[seat] = at;
    if (per_move(t))
        t->clock.left_ms[seat] = t->pace.base_ms;
}

/* The clocks of two servers may differ a little: no line takes less than no
 * time. */
static void settle(struct table *t, int seat, int64_t at)
{
    struct clock *c = &t->clock;
    if (c->since[seat] && at > c->since[seat])
        c->left_ms[seat] -= at - c->since[seat];
    c->since[seat] = 0;
    if (t->pace.kind == PACE_FISCHER)
        c->left_ms[seat] += t->pace.more_ms;
}

void clock_start(struct table *t, int64_t at)
{
    unsigned asked = table_asked(t);
    for (int seat = 0; seat < t->seats; seat++) {
        t->clock.left_ms[seat] = t->pace.base_ms;
        if (asked >> seat & 1)
            ask(t, seat, at);
    }
}

/* A line came at `at`; `before` were asked; the turn of `ended` is over. */
void clock_step(struct table *t, int64_t at, unsigned before, int ended)
{
    unsigned after = table_asked(t);
    for (int seat = 0; seat < t->seats; seat++) {
        bool was = before >> seat & 1, is = after >> seat & 1;
        if (was && (!is || ended == seat))
            settle(t, seat, at);
        if (is && (!was || ended == seat))
            ask(t, seat, at);
    }
}

/* The time of the server's absence is nobody's. */
void clock_resume(struct table *t, int64_t at)
{
    for (int seat = 0; seat < t->seats; seat++)
        if (t->clock.since[seat])
            t->clock.since[seat] = at;
}

int64_t clock_left(const struct table *t, int seat, int64_t now)
{
    int64_t left = t->clock.left_ms[seat];
    if (t->clock.since[seat])
        left -= now - t->clock.since[seat];
    return left;
}

int64_t clock_deadline(const struct table *t, int *seat)
{
    int64_t first = 0;
    *seat = SEAT_NONE;
    for (int i = 0; i < t->seats; i++) {
        if (!t->clock.since[i] || !runs(t, i))
            continue;
        int64_t end = t->clock.since[i] + t->clock.left_ms[i];
        if (!first || end < first) {
            first = end;
            *seat = i;
        }
    }
    return first;
}

/* ---- running out ---- */

static void expire(struct hub *h, struct table *t, int seat)
{
    char time[32], outcome[64];
    const char *lines[] = {time, outcome};
    struct fault f = {0};
    int64_t at = hub_now(h);
    snprintf(time, sizeof time, "time %d", seat);
    if (t->pace.bot)
        snprintf(outcome, sizeof outcome, "takeover %d club", seat);
    else if (table_active(t) > 2)
        snprintf(outcome, sizeof outcome, "drop %d", seat);
    else
        snprintf(outcome, sizeof outcome, "stop %s %d",
                 t->game->endings[ENDING_TIME], seat);
    if (table_apply(t, at, time, &f) && table_apply(t, at, outcome, &f))
        table_commit(h, t, lines, 2, at, NULL);
    hub_log(h, "time", t->id, outcome);
}

/* ---- among several processes ----
 *
 * All of them know when a clock runs out.  They offer it as a job, and whoever
 * claims that acts; should it die, another can claim it when the time of the
 * claim is over. */

enum { LEASE_MS = 5000, AGAIN_MS = 1000, SILENCE_MS = 12000 };

static void on_claimed(void *context, const struct store_answer *a)
{
    struct hub *h = context;
    int64_t now = hub_now(h);
    if (a->count == 0)
        return;
    const char *id = a->rows[0].key;
    struct table *t = dict_find(&h->tables, id);
    if (t && t->status == TABLE_RUNNING && t->deadline && t->deadline <= now) {
        t->clock_until = now + LEASE_MS;
        table_catch_up(h, t); /* it acts on what is true then */
        return;
    }
    struct store_change c = {STORE_FINISH, "clock", id, 0, 0, h->me};
    store_write(h->set.store, &c, 1, NULL, NULL);
}

/* May this process act on the clock that ran out? */
static bool claimed(struct hub *h, struct table *t, int64_t now)
{
    if (!h->shared || t->clock_until > now)
        return true;
    if (now < t->clock_asked)
        return false;
    struct store_change c = {STORE_OFFER, "clock", t->id, 0, t->deadline, ""};
    t->clock_asked = now + AGAIN_MS;
    store_write(h->set.store, &c, 1, NULL, NULL);
    store_claim(h->set.store, "clock", h->me, now, now + LEASE_MS, on_claimed,
                h);
    return false;
}

void clocks_run(struct hub *h)
{
    int64_t now = hub_now(h);
    size_t at = 0;
    if (h->shared && now - h->pulsed > SILENCE_MS)
        return; /* the database was away, and with it everybody's time */
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (t->status != TABLE_RUNNING || !t->deadline || t->deadline > now ||
            t->busy || t->broken || !claimed(h, t, now))
            continue;
        int seat;
        if (!t->match)
            table_load(h, t);
        else if (clock_deadline(t, &seat) <= now && seat >= 0)
            expire(h, t, seat);
    }
}
