/* rules/mystica/habit.c: which action looks best, at first sight.
 *
 * The numbers tell how likely a strong player is to choose an action:
 * thousandths, of which a thousand more makes it e times as likely.  They come
 * from league games (docs/bots.md).  Exchanges are worth nothing by themselves
 * but what the main action is that they pay for, so that nobody who follows
 * these numbers converts or burns without need. */
#include "rules/mystica/habits.h"
#include "rules/mystica/mystica.h"

enum {
    NEVER = -30000,
    WASTE = -15000, /* exchanges without purpose, rights given up */
    PARTS = 24
};

/* ---- the position, looked at once ---- */

struct part { /* own structures that are connected */
    int power, structures;
    bool town;
};

struct need {
    int workers, coins, priests;
};

struct look {
    const struct world *w;
    const struct state *s;
    const struct seat *p;
    const struct faction *f;
    const struct habits *h;
    const struct taste *taste;
    int seat, round, third; /* round from 0; third: of the game, 0..2 */
    struct cells reach, fly, others;
    struct cells handy; /* free cells of home or that need one spade */
    struct part part[PARTS];
    int parts;
    int8_t part_of[CELLS];
    int progress; /* of the best part, thousandths */
    const action *legal;
    int count;
    int *milli;
};

static int progress_of(const struct look *l, int power, int structures)
{
    int goal = has_favour(l->p, 5) ? 6 : 7;
    return 500 * min_int(power, goal) / goal + 500 * min_int(structures, 4) / 4;
}

static void look_parts(struct look *l)
{
    memset(l->part_of, -1, sizeof l->part_of);
    for (struct cells left = l->p->own; !cells_none(left);) {
        struct cells rest = left;
        int first = cells_take(&rest);
        struct cells cells = cluster(l->w, l->s, l->seat, first, -1);
        struct part *part = &l->part[l->parts];
        left = cells_without(left, cells);
        part->town = l->s->town[first];
        cluster_size(l->s, l->seat, cells, &part->power, &part->structures);
        if (!part->town)
            l->progress = max_int(
                l->progress, progress_of(l, part->power, part->structures));
        while (!cells_none(cells))
            l->part_of[cells_take(&cells)] = (int8_t)l->parts;
        l->parts++;
    }
}

/* Cells of the home colour, and of its neighbours on the wheel. */
static void look_handy(struct look *l)
{
    int home = l->p->home < COLOURS ? l->p->home : l->p->colour;
    l->handy = home_cells(l->w, l->s, l->seat);
    if (home >= COLOURS || l->f->digging == DIG_NEVER)
        return;
    l->handy = cells_or(l->handy, l->s->colour[(home + 1) % COLOURS]);
    l->handy = cells_or(l->handy, l->s->colour[(home + 6) % COLOURS]);
    l->handy = cells_without(l->handy, l->s->occupied);
}

static int like(const struct look *l, enum habit habit)
{
    return l->h->like[habit][l->round];
}

static int points(const struct look *l, int vp)
{
    return vp * l->h->vp[l->third];
}

static int round_points(const struct look *l, enum scored scored)
{
    int tile = score_tile(l->s);
    return tile && scores[tile].scored == scored ? scores[tile].vp : 0;
}

/* It would pay more to wait for the next round. */
static int later(const struct look *l, enum scored scored, enum other other)
{
    if (l->round + 1 >= ROUNDS || round_points(l, scored))
        return 0;
    int tile = l->s->score[l->round + 1];
    return tile && scores[tile].scored == scored ? l->h->other[other] : 0;
}

/* ---- paying ---- */

static bool has_all(const struct look *l, struct need n)
{
    return l->p->workers >= n.workers && l->p->coins >= n.coins &&
           l->p->priests >= n.priests;
}

static void set(struct look *l, action a, int milli)
{
    for (int i = 0; i < l->count; i++)
        if (l->legal[i] == a) {
            l->milli[i] = max_int(l->milli[i], milli);
            return;
        }
}

/* The first step of the canonical way to get what is missing: priests for
 * workers late in the game, workers for coins, then power, burnt if need be.
 * `cost` is what players dislike about it.  0: it cannot be paid. */
static action exchange(const struct look *l, struct need n, int *cost)
{
    const struct seat *p = l->p;
    int workers = max_int(0, n.workers - p->workers);
    int coins = max_int(0, n.coins - p->coins);
    int priests = max_int(0, n.priests - p->priests);
    int spare = max_int(0, p->workers - n.workers);
    int clergy = max_int(0, p->priests - n.priests);
    int most = p->bowl[2] + p->bowl[1] / 2;
    int from_priests = l->round >= 4 ? min_int(workers, clergy) : 0;
    workers -= from_priests;
    int power = 3 * workers + coins + 5 * priests;
    int from_workers = max_int(0, min_int(min_int(spare, coins), power - most));
    coins -= from_workers;
    power -= from_workers;
    int burn = max_int(0, power - p->bowl[2]);
    *cost = l->h->other[OF_PRIEST_TO_WORKER] * from_priests +
            l->h->other[OF_WORKER_TO_COIN] * from_workers +
            l->h->other[OF_POWER_TO_WORKER] * workers +
            l->h->other[OF_POWER_TO_PRIEST] * priests +
            l->h->other[l->round == ROUNDS - 1 ? OF_BURN_LAST : OF_BURN] * burn;
    if (power > most)
        return 0;
    if (from_priests)
        return act(DO_CONVERT, P_TO_W, from_priests);
    if (from_workers)
        return act(DO_CONVERT, W_TO_C, from_workers);
    if (burn)
        return act(DO_BURN, burn, 0);
    if (workers)
        return act(DO_CONVERT, PW_TO_W, workers);
    if (priests)
        return act(DO_CONVERT, PW_TO_P, priests);
    return coins ? act(DO_CONVERT, PW_TO_C, coins) : 0;
}

/* Gives `milli` to the action, or to the exchange that comes before it. */
static void offer(struct look *l, action a, struct need n, int milli)
{
    int cost;
    if (has_all(l, n)) {
        set(l, a, milli);
        return;
    }
    action first = exchange(l, n, &cost);
    if (first)
        set(l, first, milli - cost);
}

/* ---- towns ---- */

static int town_worth(const struct look *l)
{
    return l->h->other[OF_TOWN] +
           points(l, 7 + round_points(l, SCORED_TOWN) + l->f->town_vp);
}

/* Parts that touch the cells become one, with so much more. */
static int join_worth(const struct look *l, struct cells near, int power,
                      int structures)
{
    uint32_t joined = 0;
    near = cells_and(near, l->p->own);
    while (!cells_none(near))
        joined |= (uint32_t)1 << l->part_of[cells_take(&near)];
    for (int i = 0; i < l->parts; i++) {
        if (!(joined >> i & 1))
            continue;
        if (l->part[i].town)
            return l->h->other[OF_TOWN_NEIGHBOUR];
        power += l->part[i].power;
        structures += l->part[i].structures;
    }
    if (structures >= 4 && power >= (has_favour(l->p, 5) ? 6 : 7) &&
        towns_left(l->s))
        return town_worth(l);
    int more = progress_of(l, power, structures) - l->progress;
    return max_int(0, more) * l->h->progress[l->third] / 1000 +
           (structures > 1 ? l->h->other[OF_OWN_NEIGHBOUR] : 0);
}

/* ---- dwellings ---- */

static int neighbours(const struct look *l, struct cells near)
{
    unsigned seats = 0;
    near = cells_and(near, l->others);
    while (!cells_none(near))
        seats |= 1u << l->s->owner[cells_take(&near)];
    return __builtin_popcount(seats);
}

/* Free cells that are nearly home and get into reach. */
static int room_worth(const struct look *l, int cell)
{
    struct cells near = cells_without(l->w->near[cell], l->reach);
    return l->h->other[OF_EXPANSION] * cells_count(cells_and(near, l->handy));
}

/* What speaks for a dwelling on this cell, however it is paid. */
static int site_worth(const struct look *l, int cell)
{
    struct cells near = touching(l->w, l->s, cell);
    int vp = round_points(l, SCORED_DWELLING) + 2 * has_favour(l->p, 11);
    return points(l, vp) + join_worth(l, near, 1, 1) + room_worth(l, cell) +
           later(l, SCORED_DWELLING, OF_NEXT_DWELLING) +
           l->h->other[OF_NEIGHBOUR] * neighbours(l, near);
}

static struct need dwelling_need(const struct look *l)
{
    struct price price = l->f->build[DWELLING];
    return (struct need){price.workers, price.coins, 0};
}

/* Reaching it by tunnel or carpet. */
static int fly_to(const struct look *l, int cell, struct need *n)
{
    if (cells_has(l->reach, cell) || l->s->turn.flown == cell + 1)
        return 0;
    if (l->f->flight == FLY_TUNNEL)
        n->workers += flight_price(l->s, l->seat);
    else
        n->priests += flight_price(l->s, l->seat);
    return points(l, 4) - l->h->other[OF_FLIGHT];
}

static bool can_afford(const struct look *l, struct need n)
{
    int cost;
    return has_all(l, n) || exchange(l, n, &cost);
}

static void rank_homes(struct look *l)
{
    struct cells home = home_cells(l->w, l->s, l->seat);
    home = cells_and(home, cells_or(l->reach, l->fly));
    while (!cells_none(home)) {
        int cell = cells_take(&home);
        struct need n = dwelling_need(l);
        int milli = like(l, LIKE_HOME) + fly_to(l, cell, &n);
        offer(l, act(DO_BUILD, cell, 0), n, milli + site_worth(l, cell));
    }
}

/* Bought spades and a dwelling on top. */
static void rank_digs(struct look *l)
{
    struct cells soft = soft_cells(l->w, l->s);
    int price = spade_price(l->p);
    soft = cells_and(soft, cells_or(l->reach, l->fly));
    if (!price || l->f->digging == DIG_NEVER || l->p->spades)
        return;
    while (!cells_none(soft)) {
        int cell = cells_take(&soft);
        int n = spades_needed(l->w, l->s, l->seat, cell, l->p->home, 0);
        if (n < 1 || n > 3)
            continue;
        struct need need = dwelling_need(l);
        int vp = n * (round_points(l, SCORED_SPADE) + l->f->spade_vp +
                      l->f->bought_spade_vp);
        int milli = like(l, LIKE_DUG) + fly_to(l, cell, &need) + points(l, vp);
        if (l->f->spade_priests) {
            need.priests += n * price;
            milli -= l->h->other[OF_DIG_PRIEST] * n * price;
        } else {
            need.workers += n * price;
            milli -= l->h->other[OF_DIG_WORKER] * n * price;
        }
        offer(l, act(DO_DIG, n, 0), need, milli + site_worth(l, cell));
    }
}

/* The best use of so many free spades. */
static int best_site(const struct look *l, int spades, struct cells from,
                     enum habit habit)
{
    int best = like(l, LIKE_TURN);
    from = cells_and(from, soft_cells(l->w, l->s));
    bool builds = can_afford(l, dwelling_need(l)) &&
                  l->p->count[DWELLING] < pieces_max(DWELLING);
    while (builds && !cells_none(from)) {
        int cell = cells_take(&from);
        int n = spades_needed(l->w, l->s, l->seat, cell, l->p->home, 0);
        if (n < 1 || n > spades)
            continue;
        int less =
            habit == LIKE_ACT6 && n == 2 ? l->h->other[OF_TWO_SPADES] : 0;
        best = max_int(best, like(l, habit) + site_worth(l, cell) - less);
    }
    return best +
           points(l, spades * (round_points(l, SCORED_SPADE) + l->f->spade_vp));
}

/* Spades at hand. */
static int turn_worth(const struct look *l, int cell, int target)
{
    if (target != l->p->home)
        return -6000 + (cells_has(l->reach, cell) ? 100 : 0);
    struct need n = dwelling_need(l);
    fly_to(l, cell, &n);
    bool builds =
        l->s->phase != PHASE_ACTIONS ||
        (can_afford(l, n) && l->p->count[DWELLING] < pieces_max(DWELLING));
    return site_worth(l, cell) - (builds ? 0 : 1500) +
           (cells_has(l->reach, cell) ? 0 : 300);
}

/* ---- upgrades ---- */

static int upgrade_like(const struct look *l, int piece)
{
    switch (piece) {
    case TRADING:
        return like(l, LIKE_TRADING) +
               points(l, round_points(l, SCORED_TRADING) +
                             3 * has_favour(l->p, 10)) +
               later(l, SCORED_TRADING, OF_NEXT_TRADING);
    case TEMPLE:
        return like(l, LIKE_TEMPLE) +
               points(l, round_points(l, SCORED_TEMPLE)) +
               later(l, SCORED_TEMPLE, OF_NEXT_TEMPLE);
    case STRONGHOLD:
        return like(l, LIKE_STRONGHOLD) + l->taste->stronghold[l->third] +
               points(l, round_points(l, SCORED_GREAT) + l->f->sh_vp) +
               later(l, SCORED_GREAT, OF_NEXT_GREAT);
    default:
        return like(l, LIKE_SANCTUARY) + l->taste->sanctuary[l->third] +
               points(l, round_points(l, SCORED_GREAT)) +
               later(l, SCORED_GREAT, OF_NEXT_GREAT);
    }
}

static int upgrade_worth(const struct look *l, int cell, int piece)
{
    struct cells at = {{0}};
    int from = l->s->piece[cell];
    int more = power_value(l->p, piece) - power_value(l->p, from);
    cells_add(&at, cell);
    struct cells near = touching(l->w, l->s, cell);
    return upgrade_like(l, piece) +
           join_worth(l, at, more, piece == SANCTUARY) -
           l->h->other[OF_UPGRADE_NEIGHBOUR] * neighbours(l, near);
}

static void rank_upgrades(struct look *l)
{
    static const int8_t next[PIECES][2] = {[DWELLING] = {TRADING, 0},
                                           [TRADING] = {TEMPLE, STRONGHOLD},
                                           [TEMPLE] = {SANCTUARY, 0}};
    for (struct cells own = l->p->own; !cells_none(own);) {
        int cell = cells_take(&own);
        for (int i = 0; i < 2; i++) {
            int piece = next[l->s->piece[cell]][i];
            if (!piece || l->p->count[piece] >= pieces_max(piece))
                continue;
            struct price price =
                upgrade_price(l->w, l->s, l->seat, cell, piece);
            int milli = upgrade_worth(l, cell, piece);
            if (price.coins > l->f->build[piece].coins)
                milli -= l->h->other[OF_DOUBLE_PRICE];
            offer(l, act(DO_UPGRADE, cell, piece),
                  (struct need){price.workers, price.coins, 0}, milli);
        }
    }
}

/* ---- cults ---- */

static int bonus_worth(const struct score *t)
{
    return t->bonus.coins * 300 + t->bonus.workers * 1300 +
           t->bonus.priests * 2000 + t->bonus.power * 500 + t->spades * 2500;
}

static int track_points(const struct look *l, int track, int level)
{
    static const int8_t prize[3] = {8, 4, 2};
    int above = 0, tied = 1, sum = 0;
    for (int seat = 0; seat < l->w->seats; seat++) {
        int other = l->s->seat[seat].cult[track];
        above += seat != l->seat && other > level;
        tied += seat != l->seat && other == level;
    }
    for (int place = above; place < above + tied && place < 3; place++)
        sum += prize[place];
    return level ? sum / tied : 0;
}

static int power_between(int low, int high)
{
    return (low < 3 && high >= 3) + 2 * (low < 5 && high >= 5) +
           2 * (low < 7 && high >= 7) + 3 * (low < 10 && high >= 10);
}

static int track_end(const struct look *l, int track, int steps)
{
    int level = l->p->cult[track];
    bool top = l->p->keys && cult_top_free(l->w, l->s, track);
    return level == 10 ? 10 : min_int(level + steps, top ? 10 : 9);
}

/* What so many steps bring: power, cult bonus now and later, the end. */
static int steps_worth(const struct look *l, int track, int steps)
{
    int low = l->p->cult[track], high = track_end(l, track, steps);
    int milli =
        l->h->other[OF_CULT_POWER] *
        min_int(power_between(low, high), 2 * l->p->bowl[0] + l->p->bowl[1]);
    for (int round = l->round; round < ROUNDS - 1; round++) {
        const struct score *t = &scores[l->s->score[round]];
        if (t->track != track)
            continue;
        int times = high / t->levels - low / t->levels;
        milli +=
            times * bonus_worth(t) *
            l->h->other[round == l->round ? OF_BONUS_NOW : OF_BONUS_LATER] /
            1000;
    }
    milli += (track_points(l, track, high) - track_points(l, track, low)) *
             l->h->other[l->third == 2 ? OF_PRIZE_LATE : OF_PRIZE];
    return milli - l->h->other[OF_STEP_LOST] * (low + steps - high > 0) +
           l->h->other[OF_STEP] * (high - low);
}

static int best_steps(const struct look *l, int steps)
{
    int best = NEVER;
    for (int track = 0; track < TRACKS; track++)
        best = max_int(best, steps_worth(l, track, steps));
    return best;
}

static int send_worth(const struct look *l, int track, int steps)
{
    static const enum habit habit[4] = {0, LIKE_SEND1, LIKE_SEND2, LIKE_SEND3};
    int extra = l->p->count[STRONGHOLD] ? l->f->send_steps : 0;
    int milli = like(l, habit[steps]) + steps_worth(l, track, steps + extra);
    const struct score *t = &scores[l->s->score[l->round]];
    if (steps > 1 && t->track < 0 && l->round < ROUNDS - 1)
        milli += bonus_worth(t);
    return milli;
}

/* ---- bridges ---- */

static int bridge_worth(const struct look *l, int a, int b)
{
    struct cells ends = {{0}};
    cells_add(&ends, a);
    cells_add(&ends, b);
    if (!cells_has(l->p->own, a) || !cells_has(l->p->own, b) ||
        l->part_of[a] == l->part_of[b])
        return -l->h->other[OF_IDLE_BRIDGE];
    int worth = join_worth(l, ends, 0, 0);
    return worth ? worth : -800;
}

static int best_bridge(const struct look *l)
{
    int best = -3000;
    for (struct cells own = l->p->own; !cells_none(own);) {
        int a = cells_take(&own);
        struct cells ends = bridge_ends(l->w, l->s, l->seat, a);
        for (ends = cells_and(ends, l->p->own); !cells_none(ends);) {
            int b = cells_take(&ends);
            if (b > a && can_bridge(l->w, l->s, l->seat, a, b))
                best = max_int(best, bridge_worth(l, a, b));
        }
    }
    return best;
}

/* ---- action spaces ---- */

static int best_free_trading(const struct look *l)
{
    int best = NEVER;
    for (struct cells own = l->p->own; !cells_none(own);) {
        int cell = cells_take(&own);
        if (l->s->piece[cell] == DWELLING)
            best = max_int(best, upgrade_worth(l, cell, TRADING));
    }
    return best - like(l, LIKE_TRADING) + like(l, LIKE_FREE_TRADING);
}

static int best_home(const struct look *l, struct cells from)
{
    int best = NEVER;
    for (; !cells_none(from);)
        best = max_int(best, site_worth(l, cells_take(&from)));
    return best + like(l, LIKE_FREE);
}

static int space_worth(const struct look *l, int space)
{
    struct cells all = cells_or(l->reach, l->fly);
    switch (space) {
    case ACT1:
        return like(l, LIKE_BRIDGE) + best_bridge(l);
    case ACT2:
        return like(l, LIKE_PRIEST);
    case ACT3:
        return like(l, LIKE_WORKERS);
    case ACT4:
        return like(l, LIKE_COINS);
    case ACT5:
        return best_site(l, 1, all, LIKE_ACT5);
    case ACT6:
        return best_site(l, 2, all, LIKE_ACT6);
    case ACT_BON1:
        return best_site(l, 1, all, LIKE_BON1);
    case ACTG:
        return best_site(l, 2, all, LIKE_FREE);
    case ACTN:
        return best_home(l, storm_cells(l->w, l->s, l->seat));
    case ACTW:
        return best_home(l, home_cells(l->w, l->s, l->seat));
    case ACTS:
        return best_free_trading(l);
    case ACT_BON2:
    case ACT_FAV6:
        return like(l, LIKE_STEP) + best_steps(l, 1);
    case ACTA:
        return like(l, LIKE_STEP) + best_steps(l, 2);
    case ACTC:
        return 1500;
    case ACTE:
        return like(l, LIKE_BRIDGE) + best_bridge(l) - 1100;
    default:
        return -2000;
    }
}

/* Contested spaces come first. */
static int first_come(const struct look *l, int space)
{
    return space <= ACT6 && !l->s->used ? l->h->first[space] : 0;
}

static void rank_power(struct look *l)
{
    for (int space = ACT1; space <= ACT6; space++) {
        int burn = power_price(l->p, space) - l->p->bowl[2];
        int milli = space_worth(l, space) + first_come(l, space);
        bool open = !(l->s->used >> space & 1) ||
                    (l->f->reuse && l->p->count[STRONGHOLD]);
        if (!open)
            continue;
        if (space > ACT4 && l->f->spade_use != SPADE_DIG)
            milli = -1000;
        if (burn <= 0)
            set(l, act(DO_ACTION, space, 0), milli);
        else if (2 * burn <= l->p->bowl[1])
            set(l, act(DO_BURN, burn, 0),
                milli - l->h->other[l->round == ROUNDS - 1 ? OF_BURN_LAST
                                                           : OF_BURN] *
                            burn);
    }
}

/* ---- passing ---- */

static bool unused_action(const struct look *l)
{
    const struct seat *p = l->p;
    return (p->card == 1 && !(l->s->used_card >> 1 & 1)) ||
           (p->card == 2 && !(l->s->used_card >> 2 & 1)) ||
           (has_favour(p, 6) && !p->used_favour) ||
           (p->count[STRONGHOLD] && l->f->sh_space && !p->used_ability);
}

/* Points the card would bring on the present position. */
static int card_vp(const struct look *l, int card)
{
    int vp = cards[card].pass_ship_vp * l->p->ship;
    for (int piece = DWELLING; piece <= SANCTUARY; piece++)
        vp += cards[card].pass_vp[piece] * l->p->count[piece];
    return vp;
}

static int card_worth(const struct look *l, int card)
{
    int coin = l->h->other[OF_CARD_COIN] * l->s->card_coins[card];
    if (l->s->phase == PHASE_CARDS)
        return l->h->card[card][0] + coin;
    return l->h->card[card][1 + l->third] + coin +
           l->h->card_vp[l->third] * card_vp(l, card);
}

static int pass_worth(const struct look *l, int card)
{
    int milli = like(l, LIKE_PASS) -
                l->h->worker_left[l->third] * l->p->workers -
                l->h->other[OF_COIN_LEFT] * l->p->coins -
                l->h->priest_left[l->third] * l->p->priests -
                l->h->other[OF_PASSED] * l->s->passes +
                (l->s->passes ? 0 : l->h->other[OF_FIRST_PASS]);
    if (unused_action(l))
        milli -= l->h->other[OF_UNUSED_ACTION];
    return milli + (card ? card_worth(l, card) : 0);
}

/* ---- tiles and answers ---- */

static int favour_worth(const struct look *l, int tile)
{
    const struct favour *t = &favours[tile];
    static const int8_t column[ROUNDS] = {0, 1, 1, 2, 2, 3};
    int milli = l->h->favour[tile][column[l->round]];
    for (int i = 0; tile == 5 && i < l->parts; i++)
        if (!l->part[i].town && l->part[i].power == 6 &&
            l->part[i].structures >= 4)
            milli += l->h->other[OF_TOWN_OF_SIX];
    return milli + steps_worth(l, t->track, t->steps) *
                       l->h->other[OF_FAVOUR_STEPS] / 1000;
}

static int town_tile_worth(const struct look *l, int tile)
{
    int column = l->round < 4 ? 0 : l->round - 3;
    return l->h->town[tile][column];
}

static int answer_worth(const struct look *l, int amount)
{
    int price = offer_gain(l->p, amount) - 1;
    return l->h->fair_price[l->p->passed][l->round] - 1000 * price;
}

/* Colours that many empty cells in reach have. */
static int unlock_worth(const struct look *l, int colour)
{
    if (colour == KEEP_PRIEST)
        return 0;
    struct cells set = cells_and(l->reach, l->s->colour[colour]);
    return 1000 + 200 * cells_count(cells_without(set, l->s->occupied)) -
           400 * l->round;
}

static int pay_worth(const struct look *l, int track, int steps)
{
    int level = l->p->cult[track];
    return -(track_points(l, track, level) -
             track_points(l, track, level - steps)) *
               (l->third == 2 ? 400 : 100) +
           50 * level;
}

static int forfeit_worth(int what)
{
    return what == LOSE_TRADE ? -100 : WASTE;
}

static int ravens_worth(const struct look *l, int what)
{
    return what == RAVENS_VP ? points(l, 5) : steps_worth(l, what, 3);
}

static int convert_worth(const struct look *l, int kind, int times)
{
    if (kind == W_TO_P && l->p->trade_due)
        return 1000 * times;
    return WASTE - times;
}

/* ---- before the first round ---- */

static int pick_worth(const struct look *l, int faction)
{
    return l->h->taste[faction].strength;
}

/* What a faction is handicapped by tells what it is worth. */
static int bid_worth(const struct look *l, int at, int bid)
{
    int faction = l->s->layout[at] - 1;
    return 100 * (30 - factions[faction].vp_2017) - 150 * bid +
           l->h->taste[faction].strength / 4;
}

static int colour_worth(const struct look *l, int colour)
{
    int near = 0;
    for (int seat = 0; seat < l->w->seats; seat++) {
        const struct seat *p = &l->s->seat[seat];
        if (seat == l->seat || p->faction == NO_FACTION || p->home >= COLOURS)
            continue;
        int gap = (p->home - colour + COLOURS) % COLOURS;
        near += 3 - min_int(gap, COLOURS - gap);
    }
    return -100 * near + cells_count(l->s->colour[colour]);
}

/* Near others, with room to grow, and not all in one corner. */
static int start_worth(const struct look *l, int cell)
{
    const struct world *w = l->w;
    struct cells near = w->near[cell], around = w->skip[1][cell];
    int milli = l->h->other[OF_START_NEIGHBOUR] * neighbours(l, near);
    around = cells_or(around, cells_or(near, w->ship[1][cell]));
    around = cells_without(cells_and(around, w->land), l->s->occupied);
    while (!cells_none(around)) {
        int at = cells_take(&around);
        bool close = cells_has(near, at), home = is_home(l->s, l->seat, at);
        if (home)
            milli += l->h->other[close ? OF_START_HOME_NEAR : OF_START_HOME];
        else if (cells_has(l->handy, at))
            milli += l->h->other[close ? OF_START_ONE_NEAR : OF_START_ONE];
    }
    for (struct cells own = l->p->own; !cells_none(own);) {
        int gap = w->distance[cell][cells_take(&own)];
        if (gap <= 5)
            milli += l->h->other[gap < 2    ? OF_START_CROWDED
                                 : gap <= 3 ? OF_START_CLOSE
                                            : OF_START_APART];
    }
    return milli +
           l->h->other[OF_START_RIVER] * cells_count(cells_and(near, w->river));
}

/* ---- all of it ---- */

static int worth(const struct look *l, action a)
{
    int x = act_a(a), y = act_b(a);
    switch (act_kind(a)) {
    case DO_PICK:
        return pick_worth(l, x);
    case DO_BID:
        return bid_worth(l, x, y);
    case DO_COLOUR:
        return colour_worth(l, x);
    case DO_BUILD:
        return l->s->phase == PHASE_DWELL ? start_worth(l, x)
                                          : 1000 + site_worth(l, x);
    case DO_PASS:
        return l->s->phase == PHASE_CARDS ? card_worth(l, x) : pass_worth(l, x);
    case DO_CONVERT:
        return convert_worth(l, x, y);
    case DO_TRANSFORM:
        return turn_worth(l, x, y);
    case DO_PLACE:
        return 3000 + site_worth(l, x);
    case DO_UPGRADE:
        return upgrade_worth(l, x, y);
    case DO_SHIP:
        return like(l, LIKE_SHIP) + l->taste->ship -
               l->h->other[OF_SHIP_LEVEL] * (l->p->ship - l->f->ship) +
               points(l, 2 + l->p->ship - l->f->ship) +
               (l->p->card == 10 ? l->h->other[OF_SHIP_CARD] : 0);
    case DO_SPADE:
        return like(l, LIKE_SPADE) + l->taste->spade + points(l, 6);
    case DO_SEND:
        return send_worth(l, x, y);
    case DO_ACTION:
        return x <= ACT6 ? WASTE : space_worth(l, x);
    case DO_FAVOUR:
        return favour_worth(l, x);
    case DO_TOWN:
        return town_tile_worth(l, x);
    case DO_STEP:
        return steps_worth(l, x, y);
    case DO_PAY:
        return pay_worth(l, x, y);
    case DO_BRIDGE:
        return bridge_worth(l, x, y);
    case DO_CONNECT:
        return 5000;
    case DO_LEECH:
        return answer_worth(l, y);
    case DO_DECLINE:
        return 0;
    case DO_COIN:
        return 100;
    case DO_UNLOCK:
        return unlock_worth(l, x);
    case DO_TOKEN:
        return l->round < 4 ? (x ? 500 : 0) : (x ? 0 : 500);
    case DO_FORFEIT:
        return forfeit_worth(x);
    case DO_RAVENS:
        return ravens_worth(l, x);
    case DO_DONE: /* with loose-done a turn could end before it began */
        return l->s->turn.acted ? -500 : WASTE - 1000;
    case DO_DIG: /* ranked by what it is for */
        return makes_volcanoes(l->f) ? like(l, LIKE_DUG) - 300 : -5000;
    case DO_BURN:
        return WASTE - act_a(a);
    default:
        return NEVER;
    }
}

static void look(struct look *l)
{
    const struct state *s = l->s;
    l->round = min_int(max_int(s->round, 1), ROUNDS) - 1;
    l->third = l->round / 2;
    l->others = cells_without(s->occupied, l->p->own);
    if (l->p->faction == NO_FACTION)
        return;
    l->f = faction_of(l->p);
    l->taste = &l->h->taste[l->p->faction];
    look_parts(l);
    look_handy(l);
    if (s->phase < PHASE_CULT)
        return;
    l->reach = reach(l->w, s, l->seat);
    if (l->f->flight != FLY_NONE)
        l->fly = cells_without(reach_flying(l->w, s, l->seat), l->reach);
}

void mystica_habit(const struct world *w, const struct state *s, int seat,
                   const action *legal, int count, int *milli)
{
    struct look l = {.w = w,
                     .s = s,
                     .p = &s->seat[seat],
                     .f = &factions[0],
                     .h = &w->habits,
                     .taste = &w->habits.taste[0],
                     .seat = seat,
                     .legal = legal,
                     .count = count,
                     .milli = milli};
    look(&l);
    for (int i = 0; i < count; i++)
        milli[i] = worth(&l, legal[i]);
    if (s->phase != PHASE_ACTIONS || s->active != seat)
        return;
    if (can_start(w, s, seat)) {
        if (l.p->count[DWELLING] < pieces_max(DWELLING)) {
            rank_homes(&l);
            rank_digs(&l);
        }
        rank_upgrades(&l);
        rank_power(&l);
    } else if (s->turn.work & WORK_BUILD && !l.p->spades &&
               l.p->count[DWELLING] < pieces_max(DWELLING)) {
        for (struct cells made = s->turn.made; !cells_none(made);) {
            int cell = cells_take(&made);
            offer(&l, act(DO_BUILD, cell, 0), dwelling_need(&l),
                  1000 + site_worth(&l, cell));
        }
    }
}
