/* rules/mystica/gain.c: resources, cult steps, tiles, offers and towns. */
#include "rules/mystica/gain.h"

/* ---- resources ---- */

void gain_vp(struct state *s, int seat, int vp, enum source source)
{
    struct seat *p = &s->seat[seat];
    p->vp = (int16_t)(p->vp + vp);
    s->source[seat][source] = (int16_t)(s->source[seat][source] + vp);
}

/* mystica §4: bowl II fills from bowl I before anything moves on to III. */
int gain_power(struct seat *p, int power)
{
    int up = min_int(power, p->bowl[0]);
    p->bowl[0] = (uint8_t)(p->bowl[0] - up);
    p->bowl[1] = (uint8_t)(p->bowl[1] + up);
    int on = min_int(power - up, p->bowl[1]);
    p->bowl[1] = (uint8_t)(p->bowl[1] - on);
    p->bowl[2] = (uint8_t)(p->bowl[2] + on);
    return up + on;
}

void spend_power(struct seat *p, int power)
{
    check(p->bowl[2] >= power);
    p->bowl[2] = (uint8_t)(p->bowl[2] - power);
    p->bowl[0] = (uint8_t)(p->bowl[0] + power);
}

int tokens_of(const struct seat *p)
{
    return p->bowl[0] + p->bowl[1] + p->bowl[2];
}

void lose_tokens(struct seat *p, int tokens)
{
    for (int bowl = 0; bowl < 3; bowl++) {
        int gone = min_int(tokens, p->bowl[bowl]);
        p->bowl[bowl] = (uint8_t)(p->bowl[bowl] - gone);
        tokens -= gone;
    }
}

int priest_cap(const struct seat *p)
{
    int all = PRIESTS;
    if (faction_of(p)->unlocks)
        all = min_int(all, __builtin_popcount(p->unlocked));
    return max_int(0, all - p->placed);
}

void gain_priests(struct seat *p, int priests)
{
    if (faction_of(p)->unlocks)
        p->unlock_due = (uint8_t)(p->unlock_due + priests);
    else
        p->priests = (uint8_t)max_int(
            p->priests, min_int(p->priests + priests, priest_cap(p)));
}

void gain_income(struct seat *p, const struct income *income, int times)
{
    p->coins = (int16_t)(p->coins + times * income->coins);
    p->workers = (int16_t)(p->workers + times * income->workers);
    if (income->priests)
        gain_priests(p, times * income->priests);
    if (income->power)
        gain_power(p, times * income->power);
}

void gain_round_vp(struct state *s, int seat, enum scored scored, int times)
{
    int tile = score_tile(s);
    if (tile && scores[tile].scored == scored)
        gain_vp(s, seat, times * scores[tile].vp, VP_ROUND);
}

/* mystica §6.1.2: what a spade brings counts when it is gained. */
void gain_spades(struct state *s, int seat, int spades)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    if (f->spade_use == SPADE_LOST || spades == 0)
        return;
    if (s->phase == PHASE_ACTIONS)
        gain_round_vp(s, seat, SCORED_SPADE, spades);
    gain_vp(s, seat, spades * f->spade_vp, VP_ABILITY);
    if (p->count[STRONGHOLD])
        gain_power(p, spades * f->spade_power);
    if (f->spade_use == SPADE_DIG)
        p->spades = (uint8_t)(p->spades + spades);
    else if (f->spade_use == SPADE_CULT)
        p->steps_due = (uint8_t)(p->steps_due + spades);
    else
        p->bowl[0] = (uint8_t)(p->bowl[0] + spades);
}

/* ---- cult tracks ---- */

bool cult_top_free(const struct world *w, const struct state *s, int track)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (s->seat[seat].cult[track] == 10)
            return false;
    return true;
}

static const struct threshold {
    int8_t level, power;
} thresholds[4] = {{3, 1}, {5, 2}, {7, 2}, {10, 3}};

int threshold_power(int low, int high)
{
    int power = 0;
    for (int i = 0; i < 4; i++)
        if (low < thresholds[i].level && thresholds[i].level <= high)
            power += thresholds[i].power;
    return power;
}

/* mystica §8: level 10 takes a key and holds one marker. */
void cult_up(const struct world *w, struct state *s, int seat, int track,
             int steps)
{
    struct seat *p = &s->seat[seat];
    int from = p->cult[track], to = min_int(from + steps, 10);
    if (from == 10 || steps <= 0)
        return;
    if (to == 10) {
        if (!cult_top_free(w, s, track)) {
            to = 9;
        } else if (p->keys == 0) {
            to = 9;
            p->stopped |= (uint8_t)(1 << track);
        } else {
            p->keys--;
        }
    }
    p->cult[track] = (uint8_t)to;
    gain_power(p, threshold_power(from, to));
    if (to == 10 && has_tile(p, TILE_TEN_VP))
        gain_vp(s, seat, 4, VP_ABILITY);
}

void cult_down(struct state *s, int seat, int track, int steps)
{
    struct seat *p = &s->seat[seat];
    int from = p->cult[track], to = max_int(0, from - steps);
    if (from == 10 && to < 10)
        p->keys++;
    p->cult[track] = (uint8_t)to;
    /* mystica §18 G20: not for the altar's own price. */
    if (has_tile(p, TILE_ALTAR) && s->turn.fresh != p->tile)
        gain_power(p, threshold_power(to, from));
}

/* mystica §8, late key: markers stopped in this turn follow if there are keys
 * for all of them. */
void gain_keys(const struct world *w, struct state *s, int seat, int keys)
{
    struct seat *p = &s->seat[seat];
    p->keys = (uint8_t)(p->keys + keys);
    if (w->option[OPT_MANUAL_FAV5] || !p->stopped ||
        p->keys < __builtin_popcount(p->stopped))
        return;
    int stopped = p->stopped;
    p->stopped = 0;
    for (int track = 0; track < TRACKS; track++)
        if ((stopped >> track & 1) && p->cult[track] == 9)
            cult_up(w, s, seat, track, 1);
}

/* ---- tracks of the faction board ---- */

int ship_vp(const struct seat *p, int level)
{
    return 1 + level - faction_of(p)->ship;
}

bool ship_up(struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    if (p->ship >= f->ship_max)
        return false;
    p->ship++;
    gain_vp(s, seat, ship_vp(p, p->ship), VP_SHIP);
    return true;
}

void dig_up(struct state *s, int seat)
{
    s->seat[seat].dig++;
    gain_vp(s, seat, DIG_VP, VP_DIG);
}

/* ---- favour and town tiles ---- */

int favours_open(const struct state *s, int seat)
{
    int open = 0;
    for (int tile = 1; tile <= FAVOURS; tile++)
        if (s->favours_left[tile] && !has_favour(&s->seat[seat], tile))
            open |= 1 << tile;
    return open;
}

int towns_left(const struct state *s)
{
    int left = 0;
    for (int tile = 1; tile <= TOWNS; tile++)
        left += s->towns_left[tile];
    for (int seat = 0; seat < SEATS; seat++)
        left -= s->seat[seat].towns_due;
    return left;
}

void take_favour(const struct world *w, struct state *s, int seat, int tile)
{
    struct seat *p = &s->seat[seat];
    s->favours_left[tile]--;
    p->favours |= (uint16_t)(1 << tile);
    p->favours_due--;
    cult_up(w, s, seat, favours[tile].track, favours[tile].steps);
    if (tile == 5) {
        town_check_all(w, s, seat);
        breeding_check(s, seat);
    }
    if (!favours_open(s, seat))
        p->favours_due = 0;
}

/* The carpet grows where others would sail farther. */
static void take_shipping(struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    if (faction_of(p)->flight == FLY_CARPET)
        p->range++;
    else
        ship_up(s, seat);
}

static void take_steps(const struct world *w, struct state *s, int seat,
                       int steps, int tracks_first)
{
    for (int pass = 0; pass < 2; pass++)
        for (int track = 0; track < TRACKS; track++)
            if ((tracks_first >> track & 1) == 1 - pass)
                cult_up(w, s, seat, track, steps);
}

void take_town(const struct world *w, struct state *s, int seat, int tile,
               int tracks_first)
{
    struct seat *p = &s->seat[seat];
    const struct faction *f = faction_of(p);
    const struct town *t = &towns[tile];
    s->towns_left[tile]--;
    p->towns_due--;
    p->town_tiles++;
    hold_town(s, seat, tile);
    gain_vp(s, seat, t->vp, VP_TOWN);
    gain_keys(w, s, seat, t->keys);
    gain_income(p, &t->gain, 1);
    if (t->steps)
        take_steps(w, s, seat, t->steps, tracks_first);
    if (t->ship)
        take_shipping(s, seat);
    gain_round_vp(s, seat, SCORED_TOWN, 1);
    p->workers = (int16_t)(p->workers + f->town_workers);
    if (has_tile(p, TILE_RAVENS))
        p->ravens_due++;
    else
        gain_vp(s, seat, f->town_vp, VP_ABILITY);
}

/* ---- towns ---- */

static struct cells town_cells(const struct state *s, int seat,
                               struct cells part, bool wanted)
{
    struct cells in = {{0}};
    (void)seat;
    while (!cells_none(part)) {
        int cell = cells_take(&part);
        if ((s->town[cell] != 0) == wanted)
            cells_add(&in, cell);
    }
    return in;
}

static void join_town(struct state *s, struct cells part, int town)
{
    while (!cells_none(part))
        s->town[cells_take(&part)] = (uint8_t)town;
}

/* Power value of one town, for the Breeding Ground. */
static int town_value(const struct state *s, int seat, int town)
{
    int value = 0;
    for (struct cells own = s->seat[seat].own; !cells_none(own);) {
        int cell = cells_take(&own);
        if (s->town[cell] == town)
            value += power_value(&s->seat[seat], s->piece[cell]);
    }
    return value;
}

/* A structure that touches several towns joins the most valuable of them,
 * which is next to earn a further tile. */
static int best_town(const struct state *s, int seat, struct cells inside)
{
    int best = 0, best_value = -1;
    while (!cells_none(inside)) {
        int town = s->town[cells_take(&inside)];
        int value = town == best ? best_value : town_value(s, seat, town);
        if (value > best_value) {
            best = town;
            best_value = value;
        }
    }
    return best;
}

struct cells towns_beside(const struct world *w, const struct state *s,
                          int seat, int cell)
{
    struct cells near = cells_and(touching(w, s, cell), s->seat[seat].own);
    struct cells one = {{0}};
    unsigned seen = 1; /* no town */
    while (!cells_none(near)) {
        int at = cells_take(&near);
        if (!(seen >> s->town[at] & 1))
            cells_add(&one, at);
        seen |= 1u << s->town[at];
    }
    return one;
}

/* Only the Breeding Ground asks which structure belongs to which town. */
static bool chooses_town(const struct world *w, const struct seat *p)
{
    return faction_of(p)->effect == TILE_BREEDING &&
           (w->tiles >> p->faction & 1);
}

/* Grows a town over everything connected with it that is in no town. */
static void grow_town(const struct world *w, struct state *s, int seat,
                      int cell, struct cells part)
{
    struct cells beside = towns_beside(w, s, seat, cell);
    if (chooses_town(w, &s->seat[seat]) && cells_count(beside) > 1) {
        s->turn.join = (uint8_t)(cell + 1);
        return;
    }
    if (cells_none(beside))
        beside = town_cells(s, seat, part, true);
    join_town(s, town_cells(s, seat, part, false), best_town(s, seat, beside));
}

void town_join(const struct world *w, struct state *s, int seat, int town)
{
    struct cells part = cluster(w, s, seat, s->turn.join - 1, -1);
    s->turn.join = 0;
    join_town(s, town_cells(s, seat, part, false), town);
    breeding_check(s, seat);
}

static void town_test(const struct world *w, struct state *s, int seat,
                      int cell)
{
    struct seat *p = &s->seat[seat];
    struct cells part = cluster(w, s, seat, cell, -1);
    if (!cells_none(town_cells(s, seat, part, true))) {
        if (!cells_none(town_cells(s, seat, part, false)))
            grow_town(w, s, seat, cell, part);
    } else if (makes_town(s, seat, part) && towns_left(s) > 0) {
        join_town(s, part, ++p->towns);
        p->towns_due++;
    }
}

void town_check(const struct world *w, struct state *s, int seat, int cell)
{
    if (cells_has(s->seat[seat].own, cell))
        town_test(w, s, seat, cell);
    breeding_check(s, seat);
}

void town_check_all(const struct world *w, struct state *s, int seat)
{
    for (struct cells own = s->seat[seat].own; !cells_none(own);) {
        int cell = cells_take(&own);
        if (!s->town[cell])
            town_test(w, s, seat, cell);
    }
}

/* Tiles a town of this value has earned, the first included. */
static int tiles_earned(const struct seat *p, int value)
{
    int unit = has_favour(p, 5) ? 6 : 7;
    return max_int(1, min_int(4, value / unit));
}

/* Counts the tiles all towns have earned together: what is missing is due
 * now.  Tiles lost to an empty supply count as paid. */
void breeding_check(struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    if (!has_tile(p, TILE_BREEDING))
        return;
    int earned = 0;
    for (int town = 1; town <= p->towns; town++)
        earned += tiles_earned(p, town_value(s, seat, town));
    while (p->town_tiles + p->towns_due < earned && towns_left(s) > 0)
        p->towns_due++;
}

/* ---- offers ---- */

int offer_gain(const struct seat *p, int amount)
{
    int room = 2 * p->bowl[0] + p->bowl[1];
    return min_int(amount, min_int(room, p->vp + 1));
}

/* Offers of one building event share a number no other open one has. */
static int next_event(const struct state *s)
{
    int event = 0;
    for (int i = 0; i < s->offer_count; i++)
        event = max_int(event, s->offer[i].event);
    return event + 1;
}

static void push_offer(const struct world *w, struct state *s,
                       struct offer offer)
{
    const struct seat *p = &s->seat[offer.to];
    if (p->dropped || s->offer_count == OFFERS)
        return;
    if (!w->compat && !(offer.flags & OFFER_COIN) &&
        offer_gain(p, offer.amount) == 0)
        return;
    s->offer[s->offer_count++] = offer;
}

static int order_index(const struct world *w, const struct state *s, int seat)
{
    int at = 0;
    while (at < w->seats - 1 && s->order[at] != seat)
        at++;
    return at;
}

/* mystica §7: in turn order, beginning after the builder. */
static void make_offers(const struct world *w, struct state *s, int seat,
                        int cell)
{
    int power[SEATS], at = order_index(w, s, seat), event = next_event(s);
    neighbour_power(w, s, seat, cell, power);
    for (int i = 1; i < w->seats; i++) {
        int to = s->order[(at + i) % w->seats];
        if (power[to] == 0)
            continue;
        bool coin = has_tile(&s->seat[to], TILE_COIN) &&
                    cells_has(touching(w, s, cell), s->seat[to].tile - 1);
        push_offer(w, s,
                   (struct offer){(uint8_t)to, (uint8_t)seat,
                                  (uint8_t)power[to], (uint8_t)event,
                                  coin ? OFFER_COIN : 0});
    }
}

static void react_accepted(const struct world *w, struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    if (p->dropped)
        return;
    if (faction_of(p)->reaction == REACT_STEP)
        p->steps_due++;
    else if (faction_of(p)->reaction == REACT_TOKEN &&
             shape_rules[w->option[OPT_VARIABLE]].free_token)
        p->bowl[2]++;
    else if (faction_of(p)->reaction == REACT_TOKEN)
        p->tokens_due++;
}

static void react_refused(const struct world *w, struct state *s, int seat)
{
    struct seat *p = &s->seat[seat];
    /* The public server also pays those who have left. */
    if (faction_of(p)->reaction != REACT_NONE && w->option[OPT_ERRATA] &&
        (!p->dropped || w->compat))
        gain_power(p, 1);
}

/* mystica §7: all who could gain power refused it.  Open offers that bring
 * nothing are not waited for. */
static void settle_event(const struct world *w, struct state *s,
                         const struct offer *last)
{
    if (!(last->flags & OFFER_REFUSED) ||
        (last->flags & (OFFER_TAKEN | OFFER_SETTLED)))
        return;
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].event == last->event &&
            offer_gain(&s->seat[s->offer[i].to], s->offer[i].amount) > 0)
            return;
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].event == last->event)
            s->offer[i].flags |= OFFER_SETTLED;
    react_refused(w, s, last->from);
}

/* Power taken elsewhere may have made the last open offers of an event void. */
void settle_offers(const struct world *w, struct state *s, int seat)
{
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].to == seat &&
            offer_gain(&s->seat[seat], s->offer[i].amount) == 0) {
            struct offer open = s->offer[i];
            settle_event(w, s, &open);
        }
}

/* mystica §7, Cultists: the first acceptance counts, or that all refused. */
void answer_offer(const struct world *w, struct state *s, int index,
                  enum answer answer)
{
    struct offer gone = s->offer[index];
    if (answer == ANSWER_REFUSE)
        gone.flags |= OFFER_REFUSED;
    bool first = answer == ANSWER_ACCEPT && !(gone.flags & OFFER_TAKEN);
    if (first)
        gone.flags |= OFFER_TAKEN;
    s->offer_count--;
    for (int i = index; i < s->offer_count; i++)
        s->offer[i] = s->offer[i + 1];
    s->offer[s->offer_count] = (struct offer){0};
    for (int i = 0; i < s->offer_count; i++)
        if (s->offer[i].event == gone.event)
            s->offer[i].flags |= gone.flags & (OFFER_TAKEN | OFFER_REFUSED);
    if (first)
        react_accepted(w, s, gone.from);
    else
        settle_event(w, s, &gone);
}

static enum answer refusal(const struct state *s, const struct offer *o)
{
    return offer_gain(&s->seat[o->to], o->amount) > 0 ? ANSWER_REFUSE
                                                      : ANSWER_VOID;
}

void decline_all(const struct world *w, struct state *s, int seat)
{
    for (int i = 0; i < s->offer_count;)
        if (s->offer[i].to == seat)
            answer_offer(w, s, i, refusal(s, &s->offer[i]));
        else
            i++;
}

/* An offer that can bring nothing any more is void (mystica §7). */
void purge_offers(const struct world *w, struct state *s)
{
    if (w->compat)
        return;
    for (int i = 0; i < s->offer_count;)
        if (!(s->offer[i].flags & OFFER_COIN) &&
            offer_gain(&s->seat[s->offer[i].to], s->offer[i].amount) == 0)
            answer_offer(w, s, i, ANSWER_VOID);
        else
            i++;
}

/* ---- the map ---- */

void set_terrain(struct state *s, int cell, int terrain)
{
    if (s->terrain[cell] <= VOLCANO)
        cells_drop(&s->colour[s->terrain[cell]], cell);
    if (terrain <= VOLCANO)
        cells_add(&s->colour[terrain], cell);
    s->terrain[cell] = (uint8_t)terrain;
}

void put_piece(struct state *s, int seat, int cell, int piece)
{
    struct seat *p = &s->seat[seat];
    if (s->piece[cell])
        p->count[s->piece[cell]]--;
    s->piece[cell] = (uint8_t)piece;
    s->owner[cell] = (uint8_t)seat;
    p->count[piece]++;
    cells_add(&p->own, cell);
    cells_add(&s->occupied, cell);
}

void build_event(const struct world *w, struct state *s, int seat, int cell)
{
    make_offers(w, s, seat, cell);
    town_check(w, s, seat, cell);
}
