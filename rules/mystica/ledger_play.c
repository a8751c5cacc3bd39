/* rules/mystica/ledger_play.c: the commands of a ledger's players. */
#include "rules/mystica/ledger_parts.h"

int ledger_seat(const struct ledger *l, int faction)
{
    for (int i = 0; i < l->seats; i++)
        if (l->faction[i] == faction)
            return i;
    return -1;
}

bool ledger_add_step(struct ledger *l, struct step step)
{
    struct record *r = l->r;
    if (r->count >= r->cap)
        return ledger_fail_text(l, FAULT_SIZE, "");
    if (r->lines)
        r->lines[r->count] = l->line;
    r->steps[r->count++] = step;
    return true;
}

/* Setup phases follow one another at once: no row stands between them. */
void ledger_settle_setup(struct ledger *l)
{
    while (l->s->phase < PHASE_CARDS && advance_once(l->w, l->s)) {
    }
    if (l->s->phase == PHASE_CARDS && l->s->step < l->w->seats)
        advance_once(l->w, l->s);
}

static bool same_pair(const struct bridge *b, action a)
{
    return (b->a == act_a(a) && b->b == act_b(a)) ||
           (b->b == act_a(a) && b->a == act_b(a));
}

/* Reports what only compat = server allows. */
static void note_tolerance(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    char text[64];
    int what = -1;
    switch (act_kind(a)) {
    case DO_BRIDGE:
        for (int i = 0; i < l->s->bridge_count; i++)
            if (same_pair(&l->s->bridge[i], a))
                what = REMARK_BRIDGE;
        break;
    case DO_TRANSFORM:
        if (p->home == ICE && act_b(a) == p->colour)
            what = REMARK_RING;
        break;
    case DO_CONVERT:
        if (act_a(a) == C3_TO_VP)
            what = REMARK_COINS;
        break;
    case DO_ADJUST:
        what = REMARK_CORRECTION;
        break;
    case DO_DOWN:
        what = REMARK_DOWN;
        break;
    case DO_STEP:
        if (l->late[seat])
            what = REMARK_LATE_STEP;
        break;
    case DO_FORFEIT:
        if (act_a(a) == LOSE_STEP || act_a(a) == LOSE_FAVOUR)
            what = REMARK_UNUSED_RIGHT;
        break;
    default:
        break;
    }
    if (what < 0)
        return;
    mystica_write_action(l->w, l->s, seat, a, SEAT_NONE, text, sizeof text);
    ledger_remark(l, (enum remark)what, text);
}

/* The next main action makes unused cult steps late. */
static void watch_steps(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    enum kind kind = act_kind(a);
    bool main_action = kind == DO_BUILD || kind == DO_UPGRADE ||
                       kind == DO_SEND || kind == DO_PASS ||
                       kind == DO_ACTION || kind == DO_DIG || kind == DO_SHIP ||
                       kind == DO_SPADE;
    if (l->s->phase != PHASE_ACTIONS)
        return;
    if (main_action && (p->steps_due || p->block_due))
        l->late[seat] = true;
}

static void count_offers(struct ledger *l, int seat, action a)
{
    enum kind kind = act_kind(a);
    int power[SEATS];
    if (l->s->phase != PHASE_ACTIONS ||
        (kind != DO_BUILD && kind != DO_UPGRADE && kind != DO_PLACE))
        return;
    neighbour_power(l->w, l->s, seat, act_a(a), power);
    for (int i = 0; i < SEATS; i++)
        l->offered[i] += power[i];
}

/* What a builder has gained by others accepting his offers. */
static int rewards_of(const struct seat *p)
{
    return p->steps_due + p->tokens_due;
}

static bool is_announced(struct ledger *l, int seat)
{
    if (!l->is_table || l->announced[seat]-- > 0)
        return true;
    l->announced[seat] = 0;
    return ledger_miss(l, seat, "[opponent accepted power]");
}

static bool has_event(const struct state *s, int event, int flags)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].event == event && (s->offer[i].flags & flags) == flags)
            return true;
    return false;
}

/* Did `seat`, or somebody before, refuse power of this event? */
static bool was_refused(const struct state *before, int event, int seat)
{
    for (int i = 0; i < before->offer_count; i++) {
        const struct offer *o = &before->offer[i];
        if (o->event == event &&
            ((o->flags & OFFER_REFUSED) ||
             (o->to == seat && offer_gain(&before->seat[seat], o->amount) > 0)))
            return true;
    }
    return false;
}

/* mystica §7: when all have declined there is a row for it, also where the
 * builder's bowls are full and nothing changes. */
static bool check_refused(struct ledger *l, const struct state *before,
                          int seat, action a)
{
    const struct offer *o = before->offer;
    for (int i = 0; i < before->offer_count; i++, o++) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= before->offer[k].event != o->event;
        if (!first || (o->flags & (OFFER_TAKEN | OFFER_SETTLED)) ||
            faction_of(&before->seat[o->from])->reaction == REACT_NONE)
            continue;
        bool open = has_event(l->s, o->event, 0);
        bool taken = act_kind(a) == DO_LEECH && act_a(a) == o->from;
        bool all = open ? has_event(l->s, o->event, OFFER_SETTLED)
                        : !taken && was_refused(before, o->event, seat);
        if (!all || l->refused[o->from]-- > 0)
            continue;
        l->refused[o->from] = 0;
        if (!ledger_miss(l, o->from, "[all opponents declined power]"))
            return false;
    }
    return true;
}

/* Whoever acts refuses what is still open (mystica §7).  Only the public server
 * lets offers lapse so, and it does not know the special tiles. */
static bool note_lapse(struct ledger *l, int seat, action a)
{
    const struct state *s = l->s;
    enum kind kind = act_kind(a);
    bool main_action = kind == DO_UPGRADE || kind == DO_SEND ||
                       kind == DO_PASS || kind == DO_ACTION || kind == DO_DIG ||
                       kind == DO_SHIP || kind == DO_SPADE || kind == DO_BUILD;
    if (s->phase != PHASE_ACTIONS || !main_action || s->turn.acted ||
        !has_offer(s, seat))
        return true;
    if (l->is_table && l->w->tiles)
        return ledger_miss(l, seat, "leech or decline");
    ledger_remark(l, REMARK_LAPSED, factions[l->faction[seat]].id);
    return true;
}

/* What is given up is gone for us; the server goes on counting it. */
static void note_unused(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    if (act_kind(a) == DO_FORFEIT && act_a(a) == LOSE_STEP)
        l->unused[seat] += p->steps_due + p->block_due;
}

/* The first main action; that of the Chaos Magicians' two is ACTC. */
static bool begins_turn(const struct state *before, const struct state *after,
                        int seat)
{
    return before->phase == PHASE_ACTIONS && before->active == seat &&
           before->turn.left && !before->turn.acted && !before->turn.doubled &&
           (after->turn.acted || after->turn.doubled || after->active != seat);
}

bool ledger_play_step(struct ledger *l, int seat, action a)
{
    int from = act_kind(a) == DO_LEECH ? act_a(a) : seat;
    int rewards = rewards_of(&l->s->seat[from]);
    note_tolerance(l, seat, a);
    note_unused(l, seat, a);
    if (!note_lapse(l, seat, a))
        return false;
    watch_steps(l, seat, a);
    count_offers(l, seat, a);
    if (!ledger_add_step(l, (struct step){STEP_ACTION, (int8_t)seat, 0, a}))
        return false;
    struct state before = *l->s;
    play(l->w, l->s, seat, a);
    if (begins_turn(&before, l->s, seat) && !ledger_count_turn(l, seat))
        return false;
    if (l->is_table && l->w->option[OPT_ERRATA] &&
        !check_refused(l, &before, seat, a))
        return false;
    if (from != seat && rewards_of(&l->s->seat[from]) > rewards &&
        !is_announced(l, from))
        return false;
    if (!l->s->seat[seat].steps_due && !l->s->seat[seat].block_due)
        l->late[seat] = false;
    ledger_settle_setup(l);
    return true;
}

/* Ends the running turn if it can be ended. */
bool ledger_end_turn(struct ledger *l)
{
    struct state *s = l->s;
    action done = act(DO_DONE, 0, 0);
    if (s->phase != PHASE_ACTIONS || s->active == NO_SEAT ||
        !is_legal(l->w, s, s->active, done))
        return false;
    return ledger_play_step(l, s->active, done);
}

/* Old files leave cult spades lying. */
static bool drop_spades(struct ledger *l)
{
    struct state *s = l->s;
    bool between = s->phase == PHASE_CULT || s->phase == PHASE_INCOME;
    bool old = !l->is_table || l->w->option[OPT_LOOSE_DIG];
    if (!between && !(old && s->phase == PHASE_ACTIONS))
        return false;
    for (int seat = 0; seat < l->seats; seat++) {
        action a = act(DO_FORFEIT, LOSE_SPADE, s->seat[seat].spades);
        if (!s->seat[seat].spades || !is_legal(l->w, s, seat, a))
            continue;
        if (!old && !ledger_miss(l, seat, "transform or -SPADE"))
            return false;
        ledger_remark(l, REMARK_UNUSED_SPADES, factions[l->faction[seat]].id);
        return ledger_play_step(l, seat, a);
    }
    return false;
}

static bool drop_steps(struct ledger *l)
{
    action a = act(DO_FORFEIT, LOSE_STEP, 0);
    if (l->s->phase != PHASE_ACTIONS || l->s->active != NO_SEAT)
        return false;
    for (int seat = 0; seat < l->seats; seat++)
        if (is_legal(l->w, l->s, seat, a))
            return (!l->is_table || ledger_miss(l, seat, "+CULT")) &&
                   ledger_play_step(l, seat, a);
    return false;
}

/* Old files leave offers open at the end of a round; the server waits. */
static bool drop_offers(struct ledger *l)
{
    const struct state *s = l->s;
    if (s->phase != PHASE_ACTIONS || s->active != NO_SEAT || !s->offer_count)
        return false;
    struct offer o = s->offer[0];
    if (l->is_table && !ledger_miss(l, o.to, "leech or decline"))
        return false;
    ledger_remark(l, REMARK_DECLINED, factions[l->faction[o.to]].id);
    return ledger_play_step(l, o.to, act(DO_DECLINE, o.from, o.amount));
}

/* With too few keys the row tells which tracks took them. */
static action choose_tracks(struct ledger *l, int seat, action a)
{
    action all[GAME_ACTIONS], first = a;
    int count = mystica_legal(l->w, l->s, seat, all);
    for (int i = 0; i < count; i++) {
        if (act_kind(all[i]) != DO_TOWN || act_a(all[i]) != act_a(a))
            continue;
        if (first == a)
            first = all[i];
        bool fits = l->row->has_values;
        for (int track = 0; track < TRACKS && fits; track++)
            if (act_b(all[i]) >> track & 1)
                fits = l->row->values.cult[track] == 10;
        if (fits)
            return all[i];
    }
    return first;
}

/* Tables name the offer, or what of it the bowls can take. */
static bool names_offer(const struct ledger *l, int seat, struct span command,
                        action a)
{
    long amount;
    span_word(&command);
    return (act_kind(a) != DO_LEECH && act_kind(a) != DO_DECLINE) ||
           !l->is_table || !span_int(span_word(&command), 1, 99, &amount) ||
           amount == act_b(a) ||
           amount == offer_gain(&l->s->seat[seat], act_b(a));
}

static bool understand(struct ledger *l, int seat, struct span command,
                       action *a, bool *whole, struct fault *f)
{
    struct parsed parsed = {0};
    if (!parse_command(l->w, l->s, seat, command, a, &parsed, f))
        return false;
    /* Whatever follows "advance ship" is ignored by the server. */
    if (parsed.rest.length && act_kind(*a) != DO_SHIP &&
        act_kind(*a) != DO_SPADE)
        return fault_span(f, LEDGER_COMMAND, l->line, 0, command.at,
                          command.length);
    if (!names_offer(l, seat, command, *a))
        return fault_span(f, NO_OFFER, l->line, 0, command.at, command.length);
    *whole = parsed.whole;
    if (is_legal(l->w, l->s, seat, *a))
        return true;
    if (act_kind(*a) == DO_TOWN && act_b(*a) == 0) {
        *a = choose_tracks(l, seat, *a);
        if (is_legal(l->w, l->s, seat, *a))
            return true;
    }
    unsigned must, may;
    flow_turn(l->w, l->s, &must, &may);
    if (!((must | may) >> seat & 1))
        return fault_set(f, FAULT_TURN, l->line, 0,
                         factions[l->faction[seat]].id);
    return explain(l->w, l->s, seat, *a, f);
}

/* Old files found Mermaid towns without naming the skipped river cell. */
static bool connect_silently(struct ledger *l, int seat, struct span command)
{
    struct fault f;
    struct parsed parsed = {0};
    action a = 0;
    if (l->is_table || l->s->seat[seat].towns_due ||
        !parse_command(l->w, l->s, seat, command, &a, &parsed, &f) ||
        act_kind(a) != DO_TOWN)
        return false;
    for (int river = 0; river < l->w->cells; river++) {
        a = act(DO_CONNECT, river, 0);
        if (cells_has(l->w->river, river) && is_legal(l->w, l->s, seat, a)) {
            ledger_remark(l, REMARK_RIVER, l->w->name[river]);
            return ledger_play_step(l, seat, a);
        }
    }
    return false;
}

/* Old command files take power nobody offered; the server only warned. */
static bool leech_unoffered(struct ledger *l, int seat, struct span command)
{
    struct span rest = command;
    long amount;
    if (l->w->option[OPT_STRICT_LEECH] || l->is_table ||
        !same_word(span_word(&rest), "leech") ||
        !span_int(span_word(&rest), 1, 20, &amount))
        return false;
    int gain = offer_gain(&l->s->seat[seat], (int)amount);
    ledger_remark(l, REMARK_LEECH, factions[l->faction[seat]].id);
    return gain == 0 ||
           (ledger_play_step(l, seat, act(DO_ADJUST, 4, gain + 128)) &&
            (gain == 1 ||
             ledger_play_step(l, seat, act(DO_ADJUST, 3, 129 - gain))));
}

/* Lets the game go on by one thing: an implied end of turn, a phase. */
bool ledger_go_on(struct ledger *l)
{
    if (ledger_end_turn(l))
        return true;
    if (l->s->phase >= PHASE_CARDS && l->s->phase != PHASE_OVER &&
        advance_once(l->w, l->s))
        return true;
    return drop_spades(l) || drop_steps(l) || drop_offers(l);
}

/* Tries to play a command, letting the game go on first if need be.  Nothing
 * has happened if it fails. */
bool ledger_play_command(struct ledger *l, int seat, struct span command)
{
    struct state saved = *l->s;
    struct text remarks = l->remarks;
    int count = l->r->count;
    struct fault first = {0}, other = {0};
    for (int tries = 0; tries < 16; tries++) {
        action a = 0;
        bool whole = true;
        struct fault *f = tries ? &other : &first;
        if (understand(l, seat, command, &a, &whole, f)) {
            if (!ledger_play_step(l, seat, a))
                return false;
            if (whole)
                return true;
            continue;
        }
        if (first.code == FAULT_TURN && tries)
            first = other;
        if (!connect_silently(l, seat, command) && !ledger_go_on(l))
            break;
    }
    *l->s = saved;
    l->remarks = remarks;
    l->r->count = count;
    if (leech_unoffered(l, seat, command))
        return true;
    if (l->differences && !l->r->all)
        first = l->first;
    *l->f = first;
    l->f->line = l->line;
    l->f->column = 0;
    return false;
}
