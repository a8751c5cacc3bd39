/* server/analysis.c: what the strongest bot thinks of each step of a game.
 *
 * A match somebody asked about is a job in the store, for one step at a time:
 * whoever claims it, a worker or a server that thinks, judges the first step
 * that has no judgement yet and adds it to the log "analysis:ID".  That line,
 * the end of the job and the offer of the next step are one commit.  So a bot
 * that has to play waits for one position at most, and a process that dies
 * costs one, which another judges again; the log's length lets one line in.
 *
 * Only of games that are over: of a game in play nobody learns anything. */
#include "server/hub.h"

#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEASE_MS = 30000, NODES = 1000, LOG_BYTES = ID_BYTES + 16 };

static void log_name(const char *id, char to[LOG_BYTES])
{
    snprintf(to, LOG_BYTES, "analysis:%s", id);
}

/* ---- judging: one step at a time in each process ---- */

struct judging {
    struct hub *hub;
    char id[ID_BYTES];
    struct table *table; /* owned, no part of the hub; NULL: not read yet */
    int step;
};

void analysis_release(struct hub *h)
{
    struct judging *j = h->judging;
    if (!j)
        return;
    table_release(j->table);
    free(j);
    h->judging = NULL;
}

static struct store_change ended(const struct judging *j)
{
    return (struct store_change){STORE_FINISH, "analysis", j->id, 0, 0,
                                 j->hub->me};
}

static struct store_change offered(const struct hub *h, const char *id)
{
    return (struct store_change){STORE_OFFER, "analysis", id,
                                 0,           hub_now(h), ""};
}

/* Nothing is left to judge, or it cannot be. */
static void put_down(struct judging *j)
{
    struct store_change c = ended(j);
    store_write(j->hub->set.store, &c, 1, NULL, NULL);
    analysis_release(j->hub);
}

static void on_kept(void *context, const struct store_answer *a)
{
    struct judging *j = context;
    struct hub *h = j->hub;
    if (a->outcome == STORE_OK)
        analysis_tell(h, j->id, j->step + 1);
    analysis_release(h);
    if (a->outcome != STORE_FAILED)
        analysis_run(h);
}

static void keep(struct judging *j, const char *line)
{
    char log[LOG_BYTES];
    log_name(j->id, log);
    const struct store_change c[] = {
        ended(j),
        {STORE_APPEND, NULL, log, j->step, hub_now(j->hub), line},
        offered(j->hub, j->id)};
    bool last = j->step + 1 == match_count(j->table->match);
    store_write(j->hub->set.store, c, last ? 2 : 3, on_kept, j);
}

static void judged(void *context, const struct judgement *g)
{
    struct judging *j = context;
    const struct table *t = j->table;
    const struct step *step = match_step(t->match, j->step);
    struct state *s = sure(malloc(t->game->state_size));
    struct out o = {0};
    char best[256];
    match_at(t->match, j->step, s);
    t->game->write_action(match_world(t->match), s, step->seat, g->best,
                          step->seat, best, sizeof best);
    out_put(&o, "{");
    out_text(&o, "best", best);
    if (g->looked) {
        out_number(&o, "best_lead", g->best_lead);
        if (g->seen)
            out_number(&o, "lead", g->lead);
    }
    if (g->expects) {
        out_key(&o, "points");
        out_put(&o, "[");
        for (int i = 0; i < t->seats; i++) {
            out_next(&o);
            out_int(&o, g->points[i]);
        }
        out_put(&o, "]");
    }
    out_put(&o, "}");
    keep(j, o.text);
    out_release(&o);
    free(s);
}

/* As the seat saw it: what was hidden from it then is no part of it. */
static void judge(struct judging *j, const struct step *step)
{
    const struct table *t = j->table;
    const struct game *g = t->game;
    const struct world *w = match_world(t->match);
    struct state *s = sure(malloc(g->state_size));
    struct state *view = sure(malloc(g->state_size));
    match_at(t->match, j->step, s);
    if (g->observe)
        g->observe(w, s, step->seat, view);
    else
        memcpy(view, s, g->state_size);
    jobs_judge(j->hub->set.jobs, g, w, view, step->seat, step->action,
               search_find("master", 6), NODES, judged, j);
    free(view);
    free(s);
}

static void on_judged(void *context, const struct store_answer *a)
{
    struct judging *j = context;
    j->step = a->count;
    if (a->outcome != STORE_OK)
        analysis_release(j->hub); /* another time */
    else if (j->step >= match_count(j->table->match))
        put_down(j);
    else if (match_step(j->table->match, j->step)->kind != STEP_ACTION)
        keep(j, "{}");
    else
        judge(j, match_step(j->table->match, j->step));
}

static void on_lines(void *context, const struct store_answer *a)
{
    struct judging *j = context;
    struct fault f = {0};
    const char *line;
    char log[LOG_BYTES];
    if (a->outcome != STORE_OK) {
        analysis_release(j->hub);
    } else if (!table_replay(j->table, a->rows, a->count, &f, &line)) {
        hub_log(j->hub, "a match cannot be analysed", j->id, line);
        put_down(j);
    } else {
        log_name(j->id, log);
        store_lines(j->hub->set.store, log, 0, on_judged, j);
    }
}

static void on_head(void *context, const struct store_answer *a)
{
    struct judging *j = context;
    if (a->outcome != STORE_OK) {
        analysis_release(j->hub);
        return;
    }
    j->table = a->count ? table_stored(j->hub, j->id, &a->rows[0]) : NULL;
    if (j->table && j->table->status == TABLE_OVER) {
        char log[LOG_BYTES];
        snprintf(log, sizeof log, "match:%s", j->id);
        store_lines(j->hub->set.store, log, 0, on_lines, j);
    } else {
        put_down(j);
    }
}

static void on_claimed(void *context, const struct store_answer *a)
{
    struct judging *j = context;
    if (a->count == 0) {
        analysis_release(j->hub);
        return;
    }
    snprintf(j->id, sizeof j->id, "%s", a->rows[0].key);
    store_get(j->hub->set.store, "match", j->id, on_head, j);
}

void analysis_run(struct hub *h)
{
    if (h->set.thoughtless || h->judging || h->stopping)
        return;
    int64_t now = hub_now(h);
    h->judging = sure(calloc(1, sizeof *h->judging));
    h->judging->hub = h;
    store_claim(h->set.store, "analysis", h->me, now, now + LEASE_MS,
                on_claimed, h->judging);
}

void analysis_stop(struct hub *h)
{
    const struct judging *j = h->judging;
    if (!j || !j->id[0])
        return;
    const struct store_change c[] = {ended(j), offered(h, j->id)};
    store_write(h->set.store, c, 2, NULL, NULL);
}

/* ---- asking ---- */

struct asking {
    struct later *later; /* owned */
    char table[ID_BYTES];
    int steps, known;
    struct out out; /* the answer */
};

static void on_allowed(void *context, const char *wrong)
{
    struct asking *q = context;
    struct hub *h = q->later->hub;
    if (wrong)
        later_error(q->later, wrong, "too many games; wait a little");
    else
        later_ok(q->later, q->out.text);
    if (!wrong && q->known < q->steps) {
        struct store_change c = offered(h, q->table);
        store_write(h->set.store, &c, 1, NULL, NULL);
        analysis_run(h);
    }
    out_release(&q->out);
    free(q);
}

/* What is there is told to anybody; more of it is work. */
static void ask_for_more(struct asking *q)
{
    enum { WORK = 10 };
    struct hub *h = q->later->hub;
    const struct link *link = later_link(q->later);
    bool costs = q->known < q->steps && link && h->set.rate;
    struct limit_want want =
        limit_of_address("work", link ? link->address : "", WORK);
    limits_spend(h, &want, costs, on_allowed, q);
}

static void on_asked(void *context, const struct store_answer *a)
{
    struct asking *q = context;
    struct out *o = &q->out;
    if (a->outcome != STORE_OK) {
        later_error(q->later, "store", "this cannot be read; try again");
        free(q);
        return;
    }
    out_put(o, "{");
    out_number(o, "steps", q->steps);
    out_key(o, "judged");
    out_put(o, "[");
    for (int i = 0; i < a->count; i++) {
        out_next(o);
        out_put(o, a->rows[i].text);
    }
    out_put(o, "]}");
    q->known = a->count;
    ask_for_more(q);
}

void on_analyse(struct hub *h, struct request *r)
{
    const struct table *t = r->table;
    char log[LOG_BYTES];
    if (t->status != TABLE_OVER || !t->match) {
        reply_error(h, r, "state", "a game is analysed when it is over");
        return;
    }
    struct asking *q = sure(calloc(1, sizeof *q));
    q->later = later_of(h, r);
    q->steps = match_count(t->match);
    memcpy(q->table, t->id, sizeof q->table);
    log_name(t->id, log);
    store_lines(h->set.store, log, 0, on_asked, q);
}

/* ---- telling ---- */

void analysis_tell(struct hub *h, const char *id, int64_t count)
{
    const struct table *t = dict_find(&h->tables, id);
    struct out o = {0};
    if (!t || !t->watchers)
        return;
    out_put(&o, "{");
    out_text(&o, "event", "analysis");
    out_text(&o, "table", t->id);
    out_number(&o, "count", count);
    out_put(&o, "}");
    for (struct link *l = t->watchers, *next; l; l = next) {
        next = l->table_next;
        link_send(h, l, o.text, o.length);
    }
    out_release(&o);
}
