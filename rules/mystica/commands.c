/* rules/mystica/commands.c: writing command files of the public server.
 *
 * That server keeps every offer open, also those that can bring nothing, and
 * here such offers vanish at once.  So the writer plays the match a second
 * time by the server's rules beside it, and writes a decline for each offer
 * that only the server knows. */
#include "base/text.h"
#include "rules/mystica/ledger.h"

#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/start.h"
#include "rules/mystica/text.h"

struct export
{
    const struct record *r;
    struct text t;
    struct world server; /* the same world with compat = server */
    struct state beside;
    int seat;       /* of the open line, or SEAT_NONE */
    int phase;      /* in which its last command was played */
    enum kind last; /* that command */
    bool ended;     /* the turn of that line is over */
    bool finish;    /* this is the last step */
    int entered;    /* factions written, after an auction in turn order */
};

static void put_line(struct export *e, const char *head, const char *value)
{
    text_put(&e->t, head);
    text_put(&e->t, value);
    text_char(&e->t, '\n');
}

static const struct {
    int option, value;
    const char *name;
} option_names[] = {
    {OPT_STRICT_LEECH, 1, "strict-leech"},
    {OPT_STRICT_DARKLING, 1, "strict-darkling-sh"},
    {OPT_STRICT_CHAOS, 1, "strict-chaosmagician-sh"},
    {OPT_ERRATA, 1, "errata-cultist-power"},
    {OPT_MINI, 1, "mini-expansion-1"},
    {OPT_SHIPPING_BONUS, 1, "shipping-bonus"},
    {OPT_TEMPLE_TILE, 1, "temple-scoring-tile"},
    {OPT_ORDER, 1, "variable-turn-order"},
    {OPT_ICE, 1, "fire-and-ice-factions/ice"},
    {OPT_VOLCANO, 1, "fire-and-ice-factions/volcano"},
    {OPT_VARIABLE, VARIABLE_V5, "fire-and-ice-factions/variable_v5"},
    {OPT_VARIABLE, VARIABLE_V4, "fire-and-ice-factions/variable_v4"},
    {OPT_VARIABLE, VARIABLE_V3, "fire-and-ice-factions/variable_v3"},
    {OPT_VARIABLE, VARIABLE_V2, "fire-and-ice-factions/variable_v2"},
    {OPT_VARIABLE, VARIABLE_V1, "fire-and-ice-factions/variable"},
    {OPT_LANDSCAPES, LAND_ALL, "special-landscapes"},
    {OPT_MANUAL_FAV5, 1, "manual-fav5"},
    {OPT_LOOSE_CULTIST, 1, "loose-cultist-ordering"},
    {OPT_LOOSE_DIG, 1, "loose-dig"},
    {OPT_LOOSE_MULTI, 1, "loose-multi-spade"},
    {OPT_LOOSE_BRIDGE, 1, "loose-bridge-adjacency"},
    {OPT_LOOSE_ENGINEER, 1, "loose-engineer-bridge"},
    {OPT_LOOSE_LOSE_CULT, 1, "loose-lose-cult"},
    {OPT_LOOSE_DONE, 1, "loose-done"},
};

static bool is_auction(const struct world *w)
{
    return w->option[OPT_AUCTION] != AUCTION_OFF || w->layout[0];
}

/* The map of 2017 brings its start VP with it. */
static bool is_map_of_2017(const struct world *w)
{
    return w->option[OPT_START_VP] && w->option[OPT_MAP] == 0 && !w->vp[0] &&
           !is_auction(w);
}

/* Start VP that only corrections by hand can say. */
static bool corrects_vp(const struct world *w)
{
    return is_auction(w) || w->vp[0] ||
           (w->option[OPT_START_VP] && !is_map_of_2017(w));
}

static bool corrects(const struct record *r)
{
    bool any = corrects_vp(r->world);
    for (int i = 0; i < r->count; i++)
        any |= r->steps[i].kind == STEP_ACTION &&
               act_kind(r->steps[i].action) == DO_ADJUST;
    return any;
}

static void put_map(struct export *e)
{
    const struct world *w = e->r->world;
    put_line(e, "map ",
             is_map_of_2017(w) ? map_of_2017 : maps[w->option[OPT_MAP]].id);
    text_put(&e->t, "player-count ");
    text_int(&e->t, w->seats);
    text_char(&e->t, '\n');
}

static void put_head(struct export *e)
{
    const struct world *w = e->r->world;
    const struct state *s = e->r->state;
    put_map(e);
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
        if (w->option[option_names[i].option] == option_names[i].value)
            put_line(e, "option ", option_names[i].name);
    if (corrects(e->r))
        put_line(e, "option ", "loose-adjust-resource");
    text_put(&e->t, "score ");
    for (int i = 0; i < ROUNDS; i++) {
        text_put(&e->t, i ? "," : "");
        text_put(&e->t, scores[s->score[i]].id);
    }
    text_char(&e->t, '\n');
    int most = w->option[OPT_SHIPPING_BONUS] ? 10 : 9;
    for (int card = 1; card <= most; card++)
        if (!(s->cards >> card & 1))
            put_line(e, "delete ", cards[card].id);
    if (s->final)
        put_line(e, "final-scoring ", final_names[s->final]);
}

/* What this format has no words for in the setup, or FAULT_NONE. */
static int unsaid_setup(const struct record *r)
{
    const struct world *w = r->world;
    struct given g;
    if (given_find(r->setup.given, "start", &g))
        return UNSAID_START;
    /* Without the passing order the seats would be others. */
    if (is_auction(w) && !w->option[OPT_ORDER])
        return UNSAID_AUCTION;
    if (w->option[OPT_MAP] == MAP_GIVEN)
        return UNSAID_MAP;
    return w->option[OPT_LANDSCAPES] == LAND_CHOSEN ? UNSAID_TILES : FAULT_NONE;
}

/* What it has no words for in a step, seen from the position before it. */
static int unsaid_step(const struct state *s, const struct step *step)
{
    const struct seat *p = &s->seat[step->seat < 0 ? 0 : step->seat];
    if (step->kind == STEP_STOP)
        return step->reason == ENDING_ABANDONED ? FAULT_NONE : UNSAID_STOP;
    if (step->kind == STEP_DROP)
        return p->faction == NO_FACTION ? UNSAID_FACTIONS : FAULT_NONE;
    /* VP given behind the last pass are read as end scoring. */
    if (step->kind == STEP_ACTION && act_kind(step->action) == DO_ADJUST &&
        s->round == ROUNDS && p->passed)
        return UNSAID_ADJUST;
    return FAULT_NONE;
}

static void play_unwritten(const struct record *r, struct state *s,
                           const struct step *step)
{
    if (step->kind == STEP_ACTION)
        mystica_apply(r->world, s, step->seat, step->action);
    else if (step->kind == STEP_DROP)
        mystica_drop(r->world, s, step->seat);
}

static int unsaid(const struct record *r)
{
    struct state s = *r->state;
    int code = unsaid_setup(r);
    for (int i = 0; i < r->count && !code; i++) {
        code = unsaid_step(&s, &r->steps[i]);
        if (!code)
            play_unwritten(r, &s, &r->steps[i]);
    }
    if (!code && s.phase < PHASE_PICK)
        code = UNSAID_AUCTION;
    if (!code && s.phase == PHASE_PICK && corrects_vp(r->world))
        code = UNSAID_VP;
    return code;
}

static void end_line(struct export *e)
{
    if (e->seat != SEAT_NONE)
        text_char(&e->t, '\n');
    e->seat = SEAT_NONE;
}

static void put_command(struct export *e, const struct state *s, int seat,
                        action a)
{
    char text[128];
    mystica_write_action(e->r->world, s, seat, a, SEAT_NONE, text, sizeof text);
    if (e->seat != seat) {
        end_line(e);
        text_put(&e->t, factions[s->seat[seat].faction].id);
        text_put(&e->t, ": ");
    } else {
        text_put(&e->t, ". ");
    }
    text_put(&e->t, text);
    e->seat = seat;
}

static bool open_here(const struct state *s, const struct offer *o)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].to == o->to && s->offer[i].from == o->from &&
            s->offer[i].amount == o->amount)
            return true;
    return false;
}

/* Declines what only the server still holds open. */
static void close_void_offers(struct export *e)
{
    struct state *b = &e->beside;
    for (int i = 0; i < b->offer_count;) {
        struct offer o = b->offer[i];
        if (open_here(e->r->state, &o)) {
            i++;
            continue;
        }
        action a = act(DO_DECLINE, o.from, o.amount);
        end_line(e);
        put_command(e, b, o.to, a);
        end_line(e);
        mystica_apply(&e->server, b, o.to, a);
        i = 0;
    }
}

static void put_drop(struct export *e, int seat)
{
    end_line(e);
    put_line(e, "drop-faction ", factions[e->r->state->seat[seat].faction].id);
    mystica_drop(e->r->world, e->r->state, seat);
    mystica_drop(&e->server, &e->beside, seat);
}

/* Rights that the server lets wait beyond the turn. */
static bool may_be_late(enum kind kind)
{
    return kind == DO_STEP || kind == DO_TOKEN || kind == DO_FORFEIT;
}

/* The server rearranges some commands of a line, so these begin a new one. */
static bool breaks_line(const struct export *e, const struct state *before,
                        int seat, enum kind kind)
{
    if (before->phase != e->phase || before->phase != PHASE_ACTIONS ||
        kind == DO_ADJUST || e->last == DO_ADJUST || kind == DO_LEECH ||
        kind == DO_DECLINE || kind == DO_COIN || e->last == DO_LEECH ||
        e->last == DO_DECLINE || e->last == DO_COIN)
        return true;
    if (may_be_late(kind))
        return false;
    return e->ended || before->active != seat || e->last == DO_PASS;
}

/* "auren: +8vp" behind it: what a faction starts with beside 20 VP. */
static void put_setup(struct export *e, const struct seat *p)
{
    int more = corrects_vp(e->r->world) ? p->vp - 20 : 0;
    end_line(e);
    put_line(e, "setup ", factions[p->faction].id);
    if (more) {
        text_put(&e->t, factions[p->faction].id);
        text_put(&e->t, more > 0 ? ": +" : ": ");
        text_int(&e->t, more);
        text_put(&e->t, "vp\n");
    }
    e->entered++;
}

/* After an auction: the factions in turn order, as far as the one that has to
 * choose a colour first. */
static void put_auctioned(struct export *e, const struct state *s, int seat)
{
    int seats = e->r->world->seats, count = 0;
    if (!is_auction(e->r->world) || s->phase < PHASE_PICK)
        return;
    while (s->phase == PHASE_PICK && count < seats && s->order[count] != seat)
        count++;
    if (s->phase == PHASE_PICK && count < seats)
        seats = count + 1;
    while (e->entered < seats)
        put_setup(e, &s->seat[s->order[e->entered]]);
}

/* The end of a turn is implied, unless the same seat goes on alone, nobody
 * goes on, or turns may be empty. */
static bool says_done(const struct export *e, int seat)
{
    const struct state *s = e->r->state;
    return e->finish || e->r->world->option[OPT_LOOSE_DONE] ||
           (s->phase == PHASE_ACTIONS && s->active == seat);
}

static void put_played(struct export *e, const struct state *before,
                       const struct step *step)
{
    enum kind kind = act_kind(step->action);
    if (kind == DO_DONE) {
        if (says_done(e, step->seat))
            put_command(e, before, step->seat, step->action);
        e->ended = true;
        return;
    }
    if (breaks_line(e, before, step->seat, kind))
        end_line(e);
    e->phase = before->phase;
    e->last = kind;
    e->ended = false;
    put_command(e, before, step->seat, step->action);
}

static void put_action(struct export *e, const struct step *step)
{
    struct state *s = e->r->state;
    enum kind kind = act_kind(step->action);
    struct state before = *s;
    put_auctioned(e, s, step->seat);
    mystica_apply(e->r->world, s, step->seat, step->action);
    mystica_apply(&e->server, &e->beside, step->seat, step->action);
    if (kind == DO_PICK && before.phase == PHASE_PICK)
        put_setup(e, &s->seat[step->seat]);
    else if (before.phase >= PHASE_PICK)
        put_played(e, &before, step);
    close_void_offers(e);
}

/* Who sits at a seat is nothing to this format. */
static void put_step(struct export *e, const struct step *step)
{
    if (step->kind == STEP_ACTION)
        put_action(e, step);
    else if (step->kind == STEP_DROP) {
        put_auctioned(e, e->r->state, e->r->state->active);
        put_drop(e, step->seat);
    } else if (step->kind == STEP_STOP) {
        end_line(e);
        put_line(e, "abort", "");
    }
}

int commands_write(const struct record *r, int viewer, char *to, size_t cap)
{
    struct export e = {.r = r, .t = text_begin(to, cap), .seat = SEAT_NONE};
    int code = unsaid(r);
    (void)viewer;
    if (code)
        return -code;
    e.server = *r->world;
    e.server.compat = true;
    e.beside = *r->state;
    put_head(&e);
    for (int i = 0; i < r->count; i++) {
        e.finish = i + 1 == r->count;
        put_step(&e, &r->steps[i]);
    }
    put_auctioned(&e, r->state, SEAT_NONE);
    end_line(&e);
    return text_end(&e.t);
}
