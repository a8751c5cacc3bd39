/* rules/mystica/flow.c: whose turn it is, and what happens by itself. */
#include "rules/mystica/flow.h"

/* ---- rights ---- */

bool owes(const struct world *w, const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    int due = p->favours_due | p->towns_due | p->ravens_due | p->spades |
              p->bridges_due | p->unlock_due | p->colour_due;
    /* The public server lets free cult steps and tokens wait. */
    if (!w->compat)
        due |= p->steps_due | p->block_due | p->tokens_due;
    if (!w->option[OPT_LOOSE_LOSE_CULT])
        due |= p->pay_due;
    if (s->active == seat && s->phase == PHASE_ACTIONS) {
        due |= s->turn.join |
               (s->turn.free & (FREE_TRANSFORM | FREE_DWELLING | FREE_TRADING));
        /* The public server forgets an unused volcano. */
        if (!w->compat)
            due |= s->turn.work & WORK_VOLCANO;
    }
    return due != 0;
}

bool owes_reaction(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    return p->steps_due || p->block_due || p->tokens_due;
}

bool has_offer(const struct state *s, int seat)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].to == seat)
            return true;
    return false;
}

/* An offer is open once its builder has ended the turn that caused it; on the
 * public server at once. */
bool may_answer(const struct world *w, const struct state *s, int seat)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].to == seat)
            return w->compat || !s->turn.started ||
                   s->offer[i].from != s->active;
    return false;
}

/* ---- masks ---- */

static bool owes_between(const struct state *s, int seat)
{
    const struct seat *p = &s->seat[seat];
    return p->spades || p->steps_due || p->unlock_due;
}

/* Between the rounds: in turn order, online all at once. */
static unsigned between_mask(const struct world *w, const struct state *s)
{
    unsigned mask = 0;
    for (int i = 0; i < w->seats; i++) {
        int seat = s->order[i];
        if (!owes_between(s, seat))
            continue;
        mask |= 1u << seat;
        if (w->option[OPT_OFFERS] == OFFERS_TABLE && !w->compat)
            break;
    }
    return mask;
}

static unsigned waiting_mask(const struct world *w, const struct state *s)
{
    unsigned mask = 0;
    for (int seat = 0; seat < w->seats; seat++)
        if (may_answer(w, s, seat) || owes_reaction(s, seat))
            mask |= 1u << seat;
    return mask;
}

/* mystica §7: at the table the builder's reward comes first, then the next
 * receiver in the order of the offers. */
static unsigned first_waiting(const struct world *w, const struct state *s)
{
    for (int i = 0; i < w->seats; i++)
        if (owes_reaction(s, s->order[i]))
            return 1u << s->order[i];
    return s->offer_count ? 1u << s->offer[0].to : 0;
}

/* With the queue nearly full nobody builds until some answers are in. */
static bool queue_full(const struct state *s)
{
    return s->offer_count > OFFERS - 2 * SEATS;
}

static void action_masks(const struct world *w, const struct state *s,
                         unsigned *must, unsigned *may)
{
    unsigned waiting = waiting_mask(w, s);
    bool online = w->compat || w->option[OPT_OFFERS] == OFFERS_ONLINE;
    if (!online && !s->turn.started && waiting) {
        *must = first_waiting(w, s);
    } else if (s->active == NO_SEAT || (queue_full(s) && !s->turn.started)) {
        *must = waiting;
    } else {
        *must = 1u << s->active;
        *may = online ? waiting & ~*must : 0;
        for (int seat = 0; seat < w->seats; seat++)
            if (may_adjust(w, s) && !s->seat[seat].dropped)
                *may |= 1u << seat & ~*must;
    }
}

void flow_turn(const struct world *w, const struct state *s, unsigned *must,
               unsigned *may)
{
    *must = *may = 0;
    switch ((enum phase)s->phase) {
    case PHASE_NOMINATE:
    case PHASE_BID:
    case PHASE_PICK:
    case PHASE_COLOUR:
    case PHASE_DWELL:
        *must = 1u << s->active;
        break;
    case PHASE_CARDS:
        *must = s->step < w->seats ? 1u << s->active : 0;
        break;
    case PHASE_CULT:
    case PHASE_INCOME:
        *must = between_mask(w, s);
        break;
    case PHASE_ACTIONS:
        action_masks(w, s, must, may);
        break;
    case PHASE_OVER:
        break;
    }
}

/* ---- turns ---- */

void begin_action(const struct world *w, struct state *s, int seat)
{
    decline_all(w, s, seat);
    struct turn *t = &s->turn;
    uint8_t flown = t->flown;
    uint8_t left = t->left;
    memset(t, 0, sizeof *t);
    t->started = t->acted = true;
    t->flown = flown;
    t->left = (uint8_t)(left ? left - 1 : 0);
}

/* The first seat behind `seat` in turn order that has not passed. */
static int next_seat(const struct world *w, const struct state *s, int seat)
{
    int at = 0;
    while (at < w->seats && s->order[at] != seat)
        at++;
    for (int i = 1; i <= w->seats; i++) {
        int next = s->order[(at + i) % w->seats];
        if (!s->seat[next].passed && !s->seat[next].dropped)
            return next;
    }
    return NO_SEAT;
}

static void clear_turn(struct state *s)
{
    memset(&s->turn, 0, sizeof s->turn);
    s->turn.left = 1;
    for (int seat = 0; seat < SEATS; seat++)
        s->seat[seat].stopped = 0;
}

void end_turn(const struct world *w, struct state *s)
{
    if (w->option[OPT_STRICT_DARKLING])
        s->seat[s->active].trade_due = 0;
    s->active = (uint8_t)next_seat(w, s, s->active);
    clear_turn(s);
    s->fence++;
}

/* ---- rounds ---- */

/* mystica §3.4.3; those who dropped out go last. */
static void next_order(const struct world *w, struct state *s)
{
    int count = 0;
    if (w->option[OPT_ORDER] == 1) {
        for (int i = 0; i < s->passes; i++)
            if (!s->seat[s->passing[i]].dropped)
                s->order[count++] = s->passing[i];
    } else {
        int at = 0;
        while (s->passes && at < w->seats - 1 &&
               s->seating[at] != s->passing[0])
            at++;
        for (int i = 0; i < w->seats; i++) {
            int seat = s->seating[(at + i) % w->seats];
            if (!s->seat[seat].dropped)
                s->order[count++] = (uint8_t)seat;
        }
    }
    for (int seat = 0; seat < w->seats; seat++)
        if (s->seat[seat].dropped)
            s->order[count++] = (uint8_t)seat;
}

static void end_round(const struct world *w, struct state *s)
{
    clear_turn(s);
    s->fence++;
    if (s->round == ROUNDS) {
        score_end(w, s);
        s->phase = PHASE_OVER;
        s->ending = ENDING_GAME;
        return;
    }
    next_order(w, s);
    s->phase = PHASE_CULT;
    s->cult_tunnel = false;
    for (int i = 0; i < w->seats; i++) {
        struct seat *p = &s->seat[s->order[i]];
        if (p->faction == NO_FACTION)
            continue;
        pay_cult_bonus(s, s->order[i], s->score[s->round - 1]);
        if (p->dropped)
            p->spades = p->steps_due = p->unlock_due = 0;
    }
}

static void give_income(const struct world *w, struct state *s)
{
    clear_turn(s);
    s->phase = PHASE_INCOME;
    s->round++;
    s->fence++;
    for (int seat = 0; seat < w->seats; seat++) {
        struct seat *p = &s->seat[seat];
        if (p->faction == NO_FACTION)
            continue;
        /* mystica §18.18: before the income of every following round */
        if (has_tile(p, TILE_POND))
            p->bowl[2]++;
        struct income sum = income_sum(s, seat);
        gain_income(p, &sum, 1);
        if (p->dropped)
            p->unlock_due = 0;
    }
}

static void begin_actions(const struct world *w, struct state *s)
{
    s->phase = PHASE_ACTIONS;
    s->used = 0;
    s->used_card = 0;
    s->passes = 0;
    memset(s->passing, 0, sizeof s->passing);
    uint16_t unheld = s->cards;
    for (int seat = 0; seat < w->seats; seat++) {
        struct seat *p = &s->seat[seat];
        p->passed = p->used_favour = p->used_ability = false;
        unheld &= (uint16_t) ~(1 << p->card);
    }
    for (int card = 1; card <= CARDS; card++)
        if (unheld >> card & 1)
            s->card_coins[card]++;
    clear_turn(s);
    s->active = (uint8_t)next_seat(w, s, s->order[w->seats - 1]);
    s->fence++;
}

/* ---- setup ---- */

void enter_faction(const struct world *w, struct state *s, int seat,
                   int faction, int vp)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = &factions[faction];
    p->faction = (uint8_t)faction;
    p->home = f->home;
    p->colour = f->home;
    p->coins = f->coins;
    p->workers = f->workers;
    p->priests = (uint8_t)f->priests;
    for (int i = 0; i < 3; i++)
        p->bowl[i] = (uint8_t)f->bowl[i];
    for (int i = 0; i < TRACKS; i++)
        p->cult[i] = (uint8_t)f->cult[i];
    p->ship = (uint8_t)f->ship;
    p->favours_due = (uint8_t)f->starting_favours;
    p->colour_due = f->home == ICE || f->home == VARIABLE;
    if (w->vp[seat])
        vp = w->vp[seat] - 1;
    else if (vp < 0)
        vp = w->option[OPT_START_VP] == 1 ? f->vp_2017 : 20;
    gain_vp(s, seat, vp, VP_START);
}

/* mystica §2.7: colours used as home, ring or start colour. */
static int used_colours(const struct world *w, const struct state *s,
                        int except)
{
    int used = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        const struct seat *p = &s->seat[seat];
        bool counts = p->faction != NO_FACTION && p->colour < COLOURS;
        if (counts && (unsigned)except != (unsigned)seat)
            used |= 1 << p->colour;
    }
    return used;
}

int free_colours(const struct world *w, const struct state *s, int seat)
{
    return ~used_colours(w, s, seat) & ((1 << COLOURS) - 1);
}

bool faction_allowed(const struct world *w, int faction)
{
    switch (factions[faction].home) {
    case ICE:
        return w->option[OPT_ICE];
    case VOLCANO:
        return w->option[OPT_VOLCANO];
    case VARIABLE:
        return w->option[OPT_VARIABLE] != VARIABLE_OFF;
    default:
        return true;
    }
}

uint32_t free_factions(const struct world *w, const struct state *s)
{
    uint32_t open = 0;
    int colours = used_colours(w, s, -1);
    bool home[VARIABLE + 1] = {false};
    for (int seat = 0; seat < w->seats; seat++)
        if (s->seat[seat].faction != NO_FACTION)
            home[factions[s->seat[seat].faction].home] = true;
    for (int i = 0; i < SEATS; i++)
        if (s->layout[i])
            home[factions[s->layout[i] - 1].home] = true;
    for (int i = 0; i < FACTIONS; i++) {
        int own = factions[i].home;
        if (faction_allowed(w, i) && !home[own] &&
            !(own < COLOURS && (colours >> own & 1)))
            open |= 1u << i;
    }
    return open;
}

/* A hand of which others have made every faction impossible binds nobody. */
uint32_t dealt_factions(const struct world *w, const struct state *s, int seat)
{
    uint32_t open = free_factions(w, s), hand = open & w->hand[seat];
    return hand ? hand : open;
}

struct cells dwelling_cells(const struct world *w, const struct state *s,
                            int seat)
{
    const struct seat *p = &s->seat[seat];
    struct cells all = cells_without(s->colour[p->colour], s->occupied);
    if (!faction_of(p)->by_water_only)
        return all;
    struct cells wet = {{0}};
    while (!cells_none(all)) {
        int cell = cells_take(&all);
        if (cells_meet(w->near[cell], w->river))
            cells_add(&wet, cell);
    }
    return wet;
}

/* mystica §2.10: forwards, backwards, third dwellings, the last ones. */
int dwelling_seat(const struct world *w, const struct state *s)
{
    int n = w->seats, lap = s->step / n, at = s->step % n;
    if (lap > 3)
        return NO_SEAT;
    int seat = s->order[lap == 1 ? n - 1 - at : at];
    const struct seat *p = &s->seat[seat];
    if (p->dropped || p->faction == NO_FACTION)
        return -1;
    const struct faction *f = faction_of(p);
    bool places = lap < 2    ? !f->last_dwelling
                  : lap == 2 ? f->dwellings == 3
                             : f->last_dwelling;
    return places && !cells_none(dwelling_cells(w, s, seat)) ? seat : -1;
}

/* Moves on to the next decision of a setup phase; true if one is found. */
static bool seek_pick(const struct world *w, struct state *s)
{
    for (; s->step < w->seats; s->step++) {
        int seat = s->order[s->step];
        const struct seat *p = &s->seat[seat];
        s->active = (uint8_t)seat;
        if (!p->dropped &&
            (p->faction == NO_FACTION || p->colour_due || p->favours_due))
            return true;
    }
    return false;
}

static bool seek_colour(const struct world *w, struct state *s)
{
    for (int seat = 0; seat < w->seats; seat++) {
        struct seat *p = &s->seat[seat];
        if (p->faction == NO_FACTION || p->home != VOLCANO || p->dropped ||
            p->colour < COLOURS)
            continue;
        p->colour_due = 1;
        s->active = (uint8_t)seat;
        return true;
    }
    return false;
}

static bool seek_dwelling(const struct world *w, struct state *s)
{
    for (;; s->step++) {
        int seat = dwelling_seat(w, s);
        if (seat == NO_SEAT)
            return false;
        if (seat >= 0) {
            s->active = (uint8_t)seat;
            return true;
        }
    }
}

static bool seek_card(const struct world *w, struct state *s)
{
    for (; s->step < w->seats; s->step++) {
        int seat = s->order[w->seats - 1 - s->step];
        s->active = (uint8_t)seat;
        if (!s->seat[seat].dropped && s->seat[seat].faction != NO_FACTION)
            return true;
    }
    return false;
}

static bool seek_nomination(const struct world *w, struct state *s)
{
    for (; s->step < w->seats; s->step++) {
        s->active = s->order[s->step];
        if (!s->seat[s->active].dropped)
            return true;
    }
    return false;
}

static bool holds_bid(const struct state *s, int seat)
{
    for (int i = 0; i < SEATS; i++)
        if (s->holder[i] == seat + 1)
            return true;
    return false;
}

/* mystica §13, auction: whoever is without a faction bids, in seat order. */
static bool seek_bid(const struct world *w, struct state *s)
{
    for (int i = 0; i < w->seats; i++) {
        int seat = s->seating[(s->step + i) % w->seats];
        if (s->seat[seat].dropped || holds_bid(s, seat))
            continue;
        s->active = (uint8_t)seat;
        return true;
    }
    return false;
}

static void settle_auction(const struct world *w, struct state *s)
{
    int count = 0;
    for (int i = 0; i < w->seats; i++)
        if (s->holder[i]) {
            int seat = s->holder[i] - 1;
            enter_faction(w, s, seat, s->layout[i] - 1, 40 - (s->bid[i] - 1));
            s->order[count++] = (uint8_t)seat;
        }
    for (int seat = 0; seat < w->seats; seat++)
        if (s->seat[seat].dropped && !holds_bid(s, seat))
            s->order[count++] = (uint8_t)seat;
    memset(s->layout, 0, sizeof s->layout);
    memset(s->bid, 0, sizeof s->bid);
    memset(s->holder, 0, sizeof s->holder);
}

static bool next_phase(struct state *s, int phase)
{
    s->phase = (uint8_t)phase;
    s->step = 0;
    return true;
}

bool advance_once(const struct world *w, struct state *s)
{
    unsigned must, may;
    switch ((enum phase)s->phase) {
    case PHASE_NOMINATE:
        return seek_nomination(w, s) ? false : next_phase(s, PHASE_BID);
    case PHASE_BID:
        if (seek_bid(w, s))
            return false;
        settle_auction(w, s);
        return next_phase(s, PHASE_PICK);
    case PHASE_PICK:
        return seek_pick(w, s) ? false : next_phase(s, PHASE_COLOUR);
    case PHASE_COLOUR:
        return seek_colour(w, s) ? false : next_phase(s, PHASE_DWELL);
    case PHASE_DWELL:
        return seek_dwelling(w, s) ? false : next_phase(s, PHASE_CARDS);
    case PHASE_CARDS:
        if (seek_card(w, s))
            return false;
        give_income(w, s);
        return true;
    case PHASE_CULT:
        if (between_mask(w, s))
            return false;
        give_income(w, s);
        return true;
    case PHASE_INCOME:
        if (between_mask(w, s))
            return false;
        begin_actions(w, s);
        return true;
    case PHASE_ACTIONS:
        purge_offers(w, s);
        flow_turn(w, s, &must, &may);
        if (must)
            return false;
        end_round(w, s);
        return true;
    case PHASE_OVER:
        break;
    }
    return false;
}

void advance(const struct world *w, struct state *s)
{
    while (advance_once(w, s)) {
    }
}
