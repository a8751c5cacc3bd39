/* server/bots.c: seats that are played by a search, or by a standing rule.
 *
 * Alone, a server thinks about its own tables.  Among several processes each
 * table where a bot has to play is a job in the store, offered with the line
 * that made it so; whoever claims it thinks, and its line and the end of the
 * job are one commit.  A claim is for some time only: if its holder dies,
 * another one does it again, and the sequence number lets one line in. */
#include "server/hub.h"

#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Jobs are heard of when they are offered; asking from time to time finds those
 * of a process that died.  Each answer wakes the loop, so asking at every tick
 * would never end. */
enum { LEASE_MS = 30000, CLAIM_MS = 500 };

/* Where people may speak out of turn a bot leaves them this time before each of
 * its actions, whatever anybody holds. */
enum { SPEAK_MS = 2500 };

struct thought {
    struct hub *hub;
    char table[ID_BYTES];
    int64_t seq;
    int seat;
};

/* ---- out of turn ---- */

static unsigned free_to_speak(const struct table *t)
{
    unsigned must, may;
    if (!t->match || t->status != TABLE_RUNNING)
        return 0;
    t->game->turn(match_world(t->match), match_state(t->match), &must, &may);
    return must ? may : 0;
}

/* About what is hidden: an offer that waits for an answer holds nobody up. */
static bool people_may_speak(const struct table *t)
{
    unsigned mask = t->game->observe ? free_to_speak(t) : 0;
    for (int seat = 0; seat < t->seats; seat++)
        if (mask >> seat & 1 && t->seat[seat].user && !t->seat[seat].bot[0] &&
            !t->seat[seat].gone)
            return true;
    return false;
}

/* The first bot that acts out of turn, and how; else SEAT_NONE. */
static int bot_to_speak(const struct table *t, action *a)
{
    unsigned mask = free_to_speak(t);
    for (int seat = 0; seat < t->seats; seat++) {
        if (!(mask >> seat & 1) || !t->seat[seat].bot[0])
            continue;
        struct state *view = table_view(t, seat);
        struct state *spare = sure(malloc(t->game->state_size));
        bool found =
            search_aside(t->game, match_world(t->match), view, spare, seat, a);
        free(spare);
        free(view);
        if (found)
            return seat;
    }
    return SEAT_NONE;
}

static bool speak(struct hub *h, struct table *t)
{
    action a;
    int seat = t->busy ? SEAT_NONE : bot_to_speak(t, &a);
    if (seat != SEAT_NONE)
        table_act(h, t, seat, a);
    return t->busy;
}

/* ---- in turn ---- */

static void play_held(struct hub *h, struct table *t)
{
    struct held held = t->held;
    t->held.at = 0;
    t->thinking = -1;
    if (!t->match || t->busy)
        return;
    if (t->seq == held.seq)
        table_act(h, t, held.seat, held.action);
    else
        bots_wake(h, t); /* the match went on meanwhile */
}

/* Meanwhile the process can think for other tables. */
static void hold(struct hub *h, struct table *t)
{
    if (t->bot_until) {
        h->thinking = false;
        h->claim_at = 0;
    }
    t->held.at += SPEAK_MS;
    if (h->held_at == 0 || h->held_at > t->held.at)
        h->held_at = t->held.at;
}

static void chosen(void *context, action a)
{
    struct thought th = *(struct thought *)context;
    free(context);
    struct table *t = dict_find(&th.hub->tables, th.table);
    if (!t)
        return;
    t->held = (struct held){hub_now(th.hub), th.seq, th.seat, a};
    if (t->match && !t->busy && t->seq == th.seq && people_may_speak(t))
        hold(th.hub, t);
    else
        play_held(th.hub, t);
}

void bots_tick(struct hub *h)
{
    int64_t now = hub_now(h), next = 0;
    size_t at = 0;
    if (h->held_at == 0 || h->held_at > now)
        return;
    for (struct table *t; (t = dict_next(&h->tables, &at));) {
        if (t->held.at && t->held.at <= now)
            play_held(h, t);
        else if (t->held.at && (next == 0 || t->held.at < next))
            next = t->held.at;
    }
    h->held_at = next;
}

static const struct search_bot *bot_of(const char *name)
{
    const struct search_bot *bot = search_find(name, strlen(name));
    return bot ? bot : search_bots;
}

static int bot_to_play(const struct table *t)
{
    unsigned asked =
        t->match && t->status == TABLE_RUNNING ? table_asked(t) : 0;
    for (int seat = 0; seat < t->seats; seat++)
        if (asked >> seat & 1 && t->seat[seat].bot[0])
            return seat;
    return SEAT_NONE;
}

static void think(struct hub *h, struct table *t, int seat)
{
    const struct game *g = t->game;
    struct thought *th = sure(calloc(1, sizeof *th));
    struct state *view = table_view(t, seat);
    *th = (struct thought){.hub = h, .seq = t->seq, .seat = seat};
    memcpy(th->table, t->id, sizeof th->table);
    t->thinking = t->seq;
    jobs_choose(h->set.jobs, g, match_world(t->match), view, seat,
                bot_of(t->seat[seat].bot), (uint64_t)t->seq * 977 + 1, chosen,
                th);
    free(view);
}

/* ---- jobs of several processes ---- */

bool bots_asked(const struct table *t, bool *now)
{
    action a;
    *now = bot_to_play(t) >= 0;
    return *now || (t->status == TABLE_RUNNING &&
                    (seats_forsaken(t) || standing_settled(t) ||
                     bot_to_speak(t, &a) >= 0));
}

void bots_offer(struct hub *h, const struct table *t)
{
    struct store_change c = {STORE_OFFER, "bot", t->id, 0, hub_now(h), ""};
    store_write(h->set.store, &c, 1, NULL, NULL);
}

static void done(struct hub *h, struct table *t)
{
    struct store_change c = {STORE_FINISH, "bot", t->id, 0, 0, h->me};
    store_write(h->set.store, &c, 1, NULL, NULL);
    t->bot_until = 0;
    t->freed = true;
    h->thinking = false;
}

struct claim {
    struct hub *hub;
    char table[ID_BYTES];
    int64_t until;
};

/* Somebody else's table may not have been read yet when its job is. */
static void on_known(void *context, const struct store_answer *a)
{
    struct claim c = *(struct claim *)context;
    struct table *t = dict_find(&c.hub->tables, c.table);
    (void)a;
    free(context);
    if (t) {
        t->bot_until = c.until;
        table_catch_up(c.hub, t);
    } else {
        c.hub->thinking = false;
    }
}

static void on_claimed(void *context, const struct store_answer *a)
{
    struct hub *h = context;
    if (a->count == 0) {
        h->thinking = false;
        return;
    }
    const char *id = a->rows[0].key;
    struct claim *c = sure(calloc(1, sizeof *c));
    h->claim_at = 0; /* there may be more */
    *c = (struct claim){.hub = h, .until = hub_now(h) + LEASE_MS};
    snprintf(c->table, sizeof c->table, "%s", id);
    if (!dict_find(&h->tables, id))
        share_fetch(h, "match", id);
    store_get(h->set.store, "match", id, on_known, c);
}

void bots_run(struct hub *h)
{
    if (!h->shared || h->set.thoughtless || h->thinking || h->stopping)
        return;
    int64_t now = hub_now(h);
    h->thinking = true;
    h->claim_at = now + CLAIM_MS;
    store_claim(h->set.store, "bot", h->me, now, now + LEASE_MS, on_claimed, h);
}

void bots_release(struct hub *h)
{
    size_t at = 0;
    for (struct table *t; h->shared && (t = dict_next(&h->tables, &at));)
        if (t->bot_until) {
            done(h, t);
            bots_offer(h, t);
        }
}

/* ---- all ---- */

/* A claim is kept until the thought is played or there is none to think. */
static void work(struct hub *h, struct table *t)
{
    int seat = bot_to_play(t);
    if (seat >= 0)
        think(h, t, seat);
    else if (t->bot_until &&
             (t->match || t->broken || t->status != TABLE_RUNNING))
        done(h, t);
}

/* Who freed a job may have freed one that was offered anew meanwhile. */
static void claim(struct hub *h, struct table *t)
{
    if (t->freed)
        bots_offer(h, t);
    t->freed = false;
    h->claim_at = 0;
    bots_run(h);
}

void bots_wake(struct hub *h, struct table *t)
{
    bool now;
    if (h->stopping || seats_settle(h, t))
        return;
    if (t->status == TABLE_RUNNING &&
        (standing_answer(h, t) || speak(h, t) || t->thinking >= 0))
        return;
    if (!h->shared || t->bot_until)
        work(h, t);
    else if (bots_asked(t, &now) && now)
        claim(h, t);
}
