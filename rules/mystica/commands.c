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

static void put_head(struct export *e)
{
    const struct world *w = e->r->world;
    const struct state *s = e->r->state;
    if (w->option[OPT_START_VP])
        put_line(e, "map ", map_of_2017);
    else if (w->option[OPT_MAP] < MAPS)
        put_line(e, "map ", maps[w->option[OPT_MAP]].id);
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
        if (w->option[option_names[i].option] == option_names[i].value)
            put_line(e, "option ", option_names[i].name);
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
    if (w->option[OPT_AUCTION] != AUCTION_OFF || w->layout[0] ||
        r->state->phase != PHASE_PICK)
        return UNSAID_AUCTION;
    if (w->option[OPT_MAP] == MAP_GIVEN)
        return UNSAID_MAP;
    if (w->vp[0] || (w->option[OPT_START_VP] && w->option[OPT_MAP] != 0))
        return UNSAID_VP;
    if (w->option[OPT_LANDSCAPES] == LAND_CHOSEN)
        return UNSAID_TILES;
    return w->option[OPT_LOOSE_DONE] ? UNSAID_DONE : FAULT_NONE;
}

static int unsaid(const struct record *r)
{
    int code = unsaid_setup(r), factions_chosen = 0;
    for (int i = 0; i < r->count && !code; i++) {
        const struct step *step = &r->steps[i];
        if (step->kind == STEP_STOP)
            code = UNSAID_STOP;
        if (step->kind != STEP_ACTION)
            continue;
        if (act_kind(step->action) == DO_ADJUST)
            code = UNSAID_ADJUST;
        factions_chosen += act_kind(step->action) == DO_PICK;
    }
    if (!code && factions_chosen < r->world->seats)
        code = UNSAID_FACTIONS;
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
    int faction = e->r->state->seat[seat].faction;
    end_line(e);
    put_line(e, "drop-faction ",
             faction == NO_FACTION ? "none" : factions[faction].id);
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
        kind == DO_LEECH || kind == DO_DECLINE || kind == DO_COIN ||
        e->last == DO_LEECH || e->last == DO_DECLINE || e->last == DO_COIN)
        return true;
    if (may_be_late(kind))
        return false;
    return e->ended || before->active != seat || e->last == DO_PASS;
}

/* The end of a turn is implied, unless the same seat goes on alone. */
static void put_action(struct export *e, const struct step *step)
{
    struct state *s = e->r->state;
    enum kind kind = act_kind(step->action);
    struct state before = *s;
    mystica_apply(e->r->world, s, step->seat, step->action);
    mystica_apply(&e->server, &e->beside, step->seat, step->action);
    if (kind == DO_PICK) {
        end_line(e);
        put_line(e, "setup ", factions[act_a(step->action)].id);
    } else if (kind == DO_DONE) {
        if (s->phase == PHASE_ACTIONS && s->active == step->seat)
            put_command(e, &before, step->seat, step->action);
        e->ended = true;
    } else {
        if (breaks_line(e, &before, step->seat, kind))
            end_line(e);
        e->phase = before.phase;
        e->last = kind;
        e->ended = false;
        put_command(e, &before, step->seat, step->action);
    }
    close_void_offers(e);
}

/* Who sits at a seat is nothing to this format. */
static void put_step(struct export *e, const struct step *step)
{
    if (step->kind == STEP_ACTION)
        put_action(e, step);
    else if (step->kind == STEP_DROP)
        put_drop(e, step->seat);
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
    for (int i = 0; i < r->count; i++)
        put_step(&e, &r->steps[i]);
    end_line(&e);
    return text_end(&e.t);
}
