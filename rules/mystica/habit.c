/* rules/mystica/habit.c: which action looks best, at first sight.
 *
 * The numbers tell how likely a strong player is to choose an action:
 * thousandths, of which a thousand more makes it e times as likely.  They come
 * from league games and self-play (docs/bots.md).  Exchanges are worth nothing
 * by themselves but what the main action is that they pay for, so that nobody
 * who follows these numbers converts or burns without need. */
#include "rules/mystica/habits.h"
#include "rules/mystica/mystica.h"

enum {
    NEVER = -30000,
    WASTE = -20000, /* exchanges without purpose, rights given up */
    RANKED = -5000, /* judged later, with its price */
    PARTS = 24
};

_Static_assert(SCORED == SCORED_TEMPLE + 1 && COUNTED == (int)TEMPLE,
               "habits.h counts kinds of tile and piece");

struct part { /* own structures that are connected */
    int power, structures;
    bool town;
    struct cells beside; /* free cells that touch it */
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
    struct cells network[PARTS]; /* late: what end scoring will count */
    int networks, greatest;
    bool starts;        /* a main action may be chosen */
    bool gift;          /* one that costs nothing is among them */
    bool exchanged;     /* for a main action that has not been taken yet */
    int shift[CHOICES]; /* of choices, by all facts */
    int *site;          /* worth of cells judged already */
    struct cells known; /* which these are */
    const action *legal;
    int count;
    int first[KINDS]; /* of each kind among them */
    int *milli;
    struct habit_tape *tape; /* NULL but for training */
    int began;               /* where the notes on an offer begin */
};

/* ---- numbers, and which of them were used ---- */

static void note(const struct look *l, const int16_t *number, int thousandths)
{
    struct habit_tape *t = l->tape;
    if (!t || !thousandths)
        return;
    check(t->count < TAPE);
    t->number[t->count] = (int16_t)(number - (const int16_t *)l->h);
    t->times[t->count++] = thousandths;
}

static int take(const struct look *l, const int16_t *number, int times)
{
    note(l, number, 1000 * times);
    return *number * times;
}

static int take_part(const struct look *l, const int16_t *number,
                     int thousandths)
{
    note(l, number, thousandths);
    return *number * thousandths / 1000;
}

/* What the facts say about a choice. */
static int shift_of(const struct look *l, int choice)
{
    note(l, (const int16_t *)l->h + HABIT_NUMBERS + choice, 1000);
    return l->shift[choice];
}

static int of(const struct look *l, enum other other, int times)
{
    return take(l, &l->h->other[other], times);
}

static int tape_mark(const struct look *l)
{
    return l->tape ? l->tape->count : 0;
}

static void tape_drop(const struct look *l, int mark)
{
    if (l->tape)
        l->tape->count = mark;
}

/* Of two that were judged one after the other only the better is noted. */
static int better_of(const struct look *l, int mark, int middle, int first,
                     int second)
{
    struct habit_tape *t = l->tape;
    if (!t)
        return max_int(first, second);
    int more = t->count - middle;
    t->count = second > first ? mark + more : middle;
    if (second > first) {
        memmove(&t->number[mark], &t->number[middle],
                (size_t)more * sizeof *t->number);
        memmove(&t->times[mark], &t->times[middle],
                (size_t)more * sizeof *t->times);
    }
    return max_int(first, second);
}

/* What was noted since the mark counts only in part. */
static int in_part(const struct look *l, int mark, int milli,
                   const int16_t *number)
{
    for (int i = mark; l->tape && i < l->tape->count; i++)
        l->tape->times[i] = l->tape->times[i] * *number / 1000;
    return take_part(l, number, milli);
}

/* ---- the position, looked at once ---- */

/* What structures are worth that are no town yet. */
static int part_worth(const struct look *l, int power, int structures, int sign)
{
    power = min_int(power + has_favour(l->p, 5), 7);
    const int16_t *part = &l->h->part[min_int(structures, 4)][power];
    note(l, part, sign * l->h->progress[l->third]);
    return take_part(l, &l->h->progress[l->third], sign * *part);
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
        while (!cells_none(cells)) {
            int cell = cells_take(&cells);
            l->part_of[cell] = (int8_t)l->parts;
            part->beside = cells_or(part->beside, l->w->near[cell]);
        }
        part->beside = cells_without(part->beside, l->s->occupied);
        l->parts++;
    }
}

static void look_networks(struct look *l)
{
    for (struct cells left = l->p->own; !cells_none(left);) {
        struct cells rest = left;
        struct cells part =
            network_part(l->w, l->s, l->seat, cells_take(&rest));
        left = cells_without(left, part);
        l->network[l->networks++] = part;
        l->greatest = max_int(l->greatest, cells_count(part));
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
    return take(l, &l->h->like[habit][l->round], 1) +
           take(l, &l->taste->like[habit], 1) + shift_of(l, (int)habit);
}

static int points(const struct look *l, int vp)
{
    return take(l, &l->h->vp[l->round], vp);
}

static int round_points(const struct look *l, enum scored scored)
{
    int tile = score_tile(l->s);
    return tile && scores[tile].scored == scored ? scores[tile].vp : 0;
}

/* Points of the round tile now, or what speaks for waiting: the next tile, or
 * one after it, would pay. */
static int tile_worth(const struct look *l, enum scored scored, int times)
{
    int vp = times * round_points(l, scored);
    if (vp)
        return points(l, vp) + take(l, &l->h->tile[scored][l->third], vp);
    for (int round = l->round + 1; round < ROUNDS; round++) {
        int tile = l->s->score[round];
        if (tile && scores[tile].scored == scored)
            return take(l,
                        round == l->round + 1 ? &l->h->next[scored]
                                              : &l->h->some[scored],
                        times);
    }
    return 0;
}

/* ---- paying ---- */

static bool has_all(const struct look *l, struct need n)
{
    return l->p->workers >= n.workers && l->p->coins >= n.coins &&
           l->p->priests >= n.priests;
}

static void set(struct look *l, action a, int milli)
{
    for (int i = l->first[act_kind(a)]; i < l->count; i++)
        if (l->legal[i] == a) {
            if (milli <= l->milli[i])
                return;
            l->milli[i] = milli;
            if (l->tape) {
                l->tape->from[i] = l->began;
                l->tape->to[i] = l->tape->count;
            }
            return;
        }
}

/* The first step of the canonical way to get what is missing: priests for
 * workers late in the game, workers for coins, then power, burnt if need be.
 * `loss` is what players dislike about it.  0: it cannot be paid. */
static action exchange(const struct look *l, struct need n, int *loss)
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
    *loss = of(l, OF_PRIEST_TO_WORKER, -from_priests) +
            of(l, OF_WORKER_TO_COIN, -from_workers) +
            of(l, OF_POWER_TO_WORKER, -workers) +
            of(l, OF_POWER_TO_PRIEST, -priests) +
            take(l, &l->h->burn[l->round], -burn);
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

/* What is left pays for more in the turns to come. */
static int leave_worth(const struct look *l, struct need n)
{
    int milli = 0;
    for (int piece = DWELLING; piece <= TEMPLE; piece++) {
        struct price price = l->f->build[piece];
        if (l->p->workers >= n.workers + price.workers &&
            l->p->coins >= n.coins + price.coins)
            milli += take(l, &l->h->leave[piece - DWELLING][l->third], 1);
    }
    return milli;
}

/* Gives `milli` to the action, or to the exchange that comes before it. */
static void offer(struct look *l, action a, struct need n, int milli)
{
    int loss;
    milli += take(l, &l->h->spend[0][l->third], -n.workers) +
             take(l, &l->h->spend[1][l->third], -n.coins) +
             take(l, &l->h->spend[2][l->third], -n.priests) + leave_worth(l, n);
    if (has_all(l, n)) {
        set(l, a, milli);
        return;
    }
    action first = exchange(l, n, &loss);
    if (first)
        set(l, first, milli + loss);
}

/* ---- towns ---- */

static int town_worth(const struct look *l)
{
    return of(l, OF_TOWN, 1) + of(l, OF_OTHER_TOWN, l->p->towns) +
           points(l, 7 + l->f->town_vp) + tile_worth(l, SCORED_TOWN, 1);
}

/* Parts that touch the cells become one, with so much more. */
static int join_worth(const struct look *l, struct cells near, int power,
                      int structures)
{
    uint32_t joined = 0;
    int before = 0;
    bool town = false;
    near = cells_and(near, l->p->own);
    while (!cells_none(near))
        joined |= (uint32_t)1 << l->part_of[cells_take(&near)];
    for (int i = 0; i < l->parts; i++) {
        if (!(joined >> i & 1))
            continue;
        town |= l->part[i].town;
        if (!l->part[i].town)
            before +=
                part_worth(l, l->part[i].power, l->part[i].structures, -1);
        power += l->part[i].power;
        structures += l->part[i].structures;
    }
    if (town)
        return of(l, OF_TOWN_NEIGHBOUR, 1) + before;
    if (structures >= 4 && power >= (has_favour(l->p, 5) ? 6 : 7) &&
        towns_left(l->s))
        return town_worth(l) + before;
    return part_worth(l, power, structures, 1) + before +
           of(l, OF_OWN_NEIGHBOUR, structures > 1);
}

/* Parts that one more dwelling, beside the one on this cell, would join. */
static int link_worth(const struct look *l, int cell)
{
    int power = 1, linked = 0;
    struct cells steps = cells_and(l->w->near[cell], l->handy);
    for (int i = 0; i < l->parts; i++) {
        const struct part *part = &l->part[i];
        if (part->town)
            continue;
        bool touched = cells_has(part->beside, cell);
        bool link = !touched && cells_meet(part->beside, steps);
        linked += link;
        power += touched || link ? part->power : 0;
    }
    return linked ? take(l, &l->h->link[min_int(power, 7)][l->third], 1) : 0;
}

/* Growth of the greatest network by a structure that links to these cells. */
static int network_worth(const struct look *l, struct cells linked)
{
    int size = 1;
    if (!l->networks)
        return 0;
    for (int i = 0; i < l->networks; i++)
        if (!cells_none(cells_and(l->network[i], linked)))
            size += cells_count(l->network[i]);
    return take(l, &l->h->network[l->round - 3],
                max_int(0, size - l->greatest));
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
    struct cells near = cells_and(l->w->near[cell], l->handy);
    return of(l, OF_GROUND, cells_count(near)) +
           of(l, OF_EXPANSION, cells_count(cells_without(near, l->reach)));
}

/* The more of a kind there are, the less or more another one is liked. */
static int nth_worth(const struct look *l, int piece)
{
    return take(
        l, &l->h->nth[piece - DWELLING][l->p->count[piece] & 7][l->third], 1);
}

/* What speaks for a dwelling on this cell, however it is paid. */
static int judge_site(const struct look *l, int cell)
{
    struct cells near = touching(l->w, l->s, cell);
    struct cells linked = cells_or(near, l->w->ship[l->p->ship][cell]);
    return points(l, 2 * has_favour(l->p, 11)) +
           tile_worth(l, SCORED_DWELLING, 1) + nth_worth(l, DWELLING) +
           join_worth(l, near, 1, 1) + link_worth(l, cell) +
           room_worth(l, cell) + network_worth(l, linked) +
           of(l, OF_NEIGHBOUR, neighbours(l, near));
}

/* The same cell is asked for again and again. */
static int site_worth(struct look *l, int cell)
{
    if (l->tape)
        return judge_site(l, cell);
    if (!cells_has(l->known, cell)) {
        l->site[cell] = judge_site(l, cell);
        cells_add(&l->known, cell);
    }
    return l->site[cell];
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
    return points(l, 4) + of(l, OF_FLIGHT, -1);
}

static bool can_afford(const struct look *l, struct need n)
{
    int loss, mark = tape_mark(l);
    bool can = has_all(l, n) || exchange(l, n, &loss);
    tape_drop(l, mark);
    return can;
}

static void rank_homes(struct look *l)
{
    struct cells home = home_cells(l->w, l->s, l->seat);
    home = cells_and(home, cells_or(l->reach, l->fly));
    while (!cells_none(home)) {
        int cell = cells_take(&home);
        struct need n = dwelling_need(l);
        l->began = tape_mark(l);
        int milli = fly_to(l, cell, &n);
        if (can_afford(l, n))
            offer(l, act(DO_BUILD, cell, 0), n,
                  milli + like(l, LIKE_HOME) + site_worth(l, cell));
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
        bool clergy = l->f->spade_priests;
        *(clergy ? &need.priests : &need.workers) += n * price;
        l->began = tape_mark(l);
        int milli = fly_to(l, cell, &need);
        if (!can_afford(l, need))
            continue;
        int vp = n * (l->f->spade_vp + l->f->bought_spade_vp);
        milli += like(l, LIKE_DUG) + points(l, vp) +
                 tile_worth(l, SCORED_SPADE, n) +
                 of(l, clergy ? OF_DIG_PRIEST : OF_DIG_WORKER, -n * price);
        offer(l, act(DO_DIG, n, 0), need, milli + site_worth(l, cell));
    }
}

/* The best use of so many free spades. */
static int best_site(struct look *l, int spades, struct cells from,
                     enum habit habit)
{
    int mark = tape_mark(l), best = like(l, LIKE_TURN);
    from = cells_and(from, soft_cells(l->w, l->s));
    bool builds = can_afford(l, dwelling_need(l)) &&
                  l->p->count[DWELLING] < pieces_max(DWELLING);
    while (builds && !cells_none(from)) {
        int cell = cells_take(&from);
        int n = spades_needed(l->w, l->s, l->seat, cell, l->p->home, 0);
        if (n < 1 || n > spades)
            continue;
        int middle = tape_mark(l);
        int less = of(l, OF_TWO_SPADES, -(habit == LIKE_ACT6 && n == 2));
        best = better_of(l, mark, middle, best,
                         like(l, habit) + site_worth(l, cell) + less);
    }
    return best + tile_worth(l, SCORED_SPADE, spades) +
           points(l, spades * l->f->spade_vp);
}

/* Spades at hand. */
static int turn_worth(struct look *l, int cell, int target)
{
    if (target != l->p->home)
        return -6000 + (cells_has(l->reach, cell) ? 100 : 0);
    struct need n = dwelling_need(l);
    int mark = tape_mark(l);
    fly_to(l, cell, &n);
    tape_drop(l, mark);
    bool builds =
        l->s->phase != PHASE_ACTIONS ||
        (can_afford(l, n) && l->p->count[DWELLING] < pieces_max(DWELLING));
    return site_worth(l, cell) - (builds ? 0 : 1500) +
           (cells_has(l->reach, cell) ? 0 : 300);
}

/* ---- upgrades ---- */

static int upgrade_like(const struct look *l, int piece, bool free)
{
    switch (piece) {
    case TRADING:
        return like(l, free ? LIKE_FREE_TRADING : LIKE_TRADING) +
               nth_worth(l, TRADING) + points(l, 3 * has_favour(l->p, 10)) +
               tile_worth(l, SCORED_TRADING, 1);
    case TEMPLE:
        return like(l, LIKE_TEMPLE) + nth_worth(l, TEMPLE) +
               tile_worth(l, SCORED_TEMPLE, 1);
    case STRONGHOLD:
        return like(l, LIKE_STRONGHOLD) +
               take(l, &l->taste->stronghold[l->third], 1) +
               points(l, l->f->sh_vp) + tile_worth(l, SCORED_GREAT, 1);
    default:
        return like(l, LIKE_SANCTUARY) +
               take(l, &l->taste->sanctuary[l->third], 1) +
               tile_worth(l, SCORED_GREAT, 1);
    }
}

static int upgrade_worth(const struct look *l, int cell, int piece, bool free)
{
    struct cells at = {{0}};
    int from = l->s->piece[cell];
    int more = power_value(l->p, piece) - power_value(l->p, from);
    cells_add(&at, cell);
    struct cells near = touching(l->w, l->s, cell);
    return upgrade_like(l, piece, free) +
           join_worth(l, at, more, piece == SANCTUARY) +
           of(l, OF_UPGRADE_NEIGHBOUR, -neighbours(l, near));
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
            struct need need = {price.workers, price.coins, 0};
            if (!can_afford(l, need))
                continue;
            l->began = tape_mark(l);
            int milli = upgrade_worth(l, cell, piece, false);
            if (price.coins > l->f->build[piece].coins)
                milli += of(l, OF_DOUBLE_PRICE, -1);
            offer(l, act(DO_UPGRADE, cell, piece), need, milli);
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
    int milli = of(
        l, OF_CULT_POWER,
        min_int(power_between(low, high), 2 * l->p->bowl[0] + l->p->bowl[1]));
    for (int round = l->round; round < ROUNDS - 1; round++) {
        const struct score *t = &scores[l->s->score[round]];
        if (t->track != track)
            continue;
        int times = high / t->levels - low / t->levels;
        const int16_t *bonus = &l->h->other[OF_BONUS_NOW];
        milli +=
            take_part(l, bonus + (round > l->round), times * bonus_worth(t));
    }
    return milli +
           of(l, l->third == 2 ? OF_PRIZE_LATE : OF_PRIZE,
              track_points(l, track, high) - track_points(l, track, low)) +
           of(l, OF_STEP_LOST, -(low + steps - high > 0)) +
           of(l, OF_STEP, high - low);
}

static int best_steps(const struct look *l, int steps)
{
    int best = NEVER, mark = tape_mark(l);
    for (int track = 0; track < TRACKS; track++) {
        int middle = tape_mark(l);
        best = better_of(l, mark, middle, best, steps_worth(l, track, steps));
    }
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
    bool own = cells_has(l->p->own, a) && cells_has(l->p->own, b);
    int vp =
        own && l->p->count[STRONGHOLD]
            ? of(l, OF_BRIDGE_VP, l->f->pass_bridge_vp * (ROUNDS - l->round))
            : 0;
    cells_add(&ends, a);
    cells_add(&ends, b);
    if (!own || l->part_of[a] == l->part_of[b])
        return of(l, OF_IDLE_BRIDGE, -1) + vp;
    int worth = join_worth(l, ends, 0, 0);
    return vp + (worth ? worth : -800);
}

static int best_bridge(const struct look *l)
{
    int best = -3000, mark = tape_mark(l);
    for (struct cells own = l->p->own; !cells_none(own);) {
        int a = cells_take(&own);
        struct cells ends = bridge_ends(l->w, l->s, l->seat, a);
        for (ends = cells_and(ends, l->p->own); !cells_none(ends);) {
            int b = cells_take(&ends), middle = tape_mark(l);
            if (b > a && can_bridge(l->w, l->s, l->seat, a, b))
                best = better_of(l, mark, middle, best, bridge_worth(l, a, b));
        }
    }
    return best;
}

/* ---- action spaces ---- */

static int best_free_trading(const struct look *l)
{
    int best = NEVER, mark = tape_mark(l);
    for (struct cells own = l->p->own; !cells_none(own);) {
        int cell = cells_take(&own), middle = tape_mark(l);
        if (l->s->piece[cell] == DWELLING)
            best = better_of(l, mark, middle, best,
                             upgrade_worth(l, cell, TRADING, true));
    }
    return best;
}

static int best_home(struct look *l, struct cells from)
{
    int best = NEVER, mark = tape_mark(l);
    while (!cells_none(from)) {
        int cell = cells_take(&from), middle = tape_mark(l);
        best = better_of(l, mark, middle, best, site_worth(l, cell));
    }
    return best + like(l, LIKE_FREE);
}

static int space_worth(struct look *l, int space)
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
    return take(l, &l->h->first[space], !l->s->used);
}

static void rank_power(struct look *l)
{
    for (int space = ACT1; space <= ACT6; space++) {
        int burn = power_price(l->p, space) - l->p->bowl[2];
        bool open = !(l->s->used >> space & 1) ||
                    (l->f->reuse && l->p->count[STRONGHOLD]);
        if (!open || 2 * burn > l->p->bowl[1])
            continue;
        l->began = tape_mark(l);
        int milli = space_worth(l, space) + first_come(l, space);
        if (space > ACT4 && l->f->spade_use != SPADE_DIG) {
            tape_drop(l, l->began);
            milli = -1000;
        }
        if (burn <= 0)
            set(l, act(DO_ACTION, space, 0), milli);
        else
            set(l, act(DO_BURN, burn, 0),
                milli + take(l, &l->h->burn[l->round], -burn));
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
    int coin = of(l, OF_CARD_COIN, l->s->card_coins[card]);
    coin += take(l, &l->taste->card[card], 1) + shift_of(l, CHOOSE_CARD + card);
    if (l->s->phase == PHASE_CARDS)
        return take(l, &l->h->card[card][0], 1) + coin;
    return take(l, &l->h->card[card][1 + l->third], 1) + coin +
           take(l, &l->h->card_vp[l->third], card_vp(l, card));
}

static bool can_rise(const struct look *l)
{
    for (int track = 0; track < TRACKS; track++)
        if (track_end(l, track, 1) > l->p->cult[track])
            return true;
    return false;
}

/* An action that costs nothing and always brings something. */
static bool is_gift(const struct look *l, action a)
{
    if (act_kind(a) != DO_ACTION)
        return false;
    int space = act_a(a);
    return space == ACTW || space == ACTS ||
           ((space == ACT_BON2 || space == ACT_FAV6 || space == ACTA) &&
            can_rise(l));
}

static int pass_worth(const struct look *l, int card)
{
    const struct seat *p = l->p;
    if (l->gift || l->exchanged)
        return WASTE + card; /* what was exchanged should buy something */
    int milli = like(l, LIKE_PASS) +
                take(l, &l->h->worker_left[l->round], -p->workers) +
                take(l, &l->h->coin_left[l->round], -p->coins) +
                take(l, &l->h->priest_left[l->round], -p->priests) +
                take(l, &l->h->power_left[l->round], -p->bowl[2]) +
                of(l, OF_PASSED, -l->s->passes) +
                of(l, OF_FIRST_PASS, !l->s->passes) +
                of(l, OF_UNUSED_ACTION, -unused_action(l));
    if (l->round + 1 < ROUNDS && l->s->score[l->round + 1])
        milli += take(l, &l->h->hold[scores[l->s->score[l->round + 1]].scored],
                      min_int(p->workers, 4));
    return milli + (card ? card_worth(l, card) : 0);
}

/* ---- tiles and answers ---- */

static int favour_worth(const struct look *l, int tile)
{
    const struct favour *t = &favours[tile];
    static const int8_t column[ROUNDS] = {0, 1, 1, 2, 2, 3};
    int milli = take(l, &l->h->favour[tile][column[l->round]], 1);
    for (int i = 0; tile == 5 && i < l->parts; i++)
        if (!l->part[i].town && l->part[i].power == 6 &&
            l->part[i].structures >= 4)
            milli += of(l, OF_TOWN_OF_SIX, 1);
    milli += take(l, &l->taste->favour[tile], 1) +
             shift_of(l, CHOOSE_FAVOUR + tile) +
             of(l, OF_FAV10_LEFT, tile == 10 ? 4 - l->p->count[TRADING] : 0) +
             of(l, OF_FAV11_LEFT, tile == 11 ? 8 - l->p->count[DWELLING] : 0) +
             of(l, OF_FAV12_BUILT, tile == 12 ? l->p->count[TRADING] : 0);
    int mark = tape_mark(l), steps = steps_worth(l, t->track, t->steps);
    return milli + in_part(l, mark, steps, &l->h->other[OF_FAVOUR_STEPS]);
}

static int town_tile_worth(const struct look *l, int tile)
{
    int column = l->round < 4 ? 0 : l->round - 3;
    return take(l, &l->h->town[tile][column], 1) +
           shift_of(l, CHOOSE_TOWN + tile);
}

/* Power for nothing is taken, unless the builder would gain by it; power that
 * can buy nothing any more is not paid for. */
static int answer_worth(const struct look *l, int from, int amount)
{
    int price = offer_gain(l->p, amount) - 1;
    bool late = l->round == ROUNDS - 1 && l->p->passed;
    if (late && price > 0)
        return WASTE;
    if (!late && price == 0 && !faction_of(&l->s->seat[from])->reaction)
        return -WASTE;
    return take(l, &l->h->fair_price[l->p->passed][l->round], 1) - 1000 * price;
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
    int milli = of(l, OF_START_NEIGHBOUR, neighbours(l, near));
    around = cells_or(around, cells_or(near, w->ship[1][cell]));
    around = cells_without(cells_and(around, w->land), l->s->occupied);
    while (!cells_none(around)) {
        int at = cells_take(&around);
        bool close = cells_has(near, at), home = is_home(l->s, l->seat, at);
        if (home)
            milli += of(l, close ? OF_START_HOME_NEAR : OF_START_HOME, 1);
        else if (cells_has(l->handy, at))
            milli += of(l, close ? OF_START_ONE_NEAR : OF_START_ONE, 1);
    }
    for (struct cells own = l->p->own; !cells_none(own);) {
        int gap = w->distance[cell][cells_take(&own)];
        if (gap <= 5)
            milli += of(l,
                        gap < 2    ? OF_START_CROWDED
                        : gap <= 3 ? OF_START_CLOSE
                                   : OF_START_APART,
                        1);
    }
    return milli +
           of(l, OF_START_RIVER, cells_count(cells_and(near, w->river)));
}

/* ---- all of it ---- */

/* How far the best network grows by one more level. */
static int ship_network(const struct look *l)
{
    int best = 0, ship = min_int(l->p->ship + 1, SHIP_MAX);
    for (int i = 0; i < l->networks; i++) {
        struct cells linked = {{0}};
        int size = 0;
        for (struct cells c = l->network[i]; !cells_none(c);)
            linked = cells_or(linked, l->w->ship[ship][cells_take(&c)]);
        linked = cells_or(linked, l->network[i]);
        for (int k = 0; k < l->networks; k++)
            if (!cells_none(cells_and(l->network[k], linked)))
                size += cells_count(l->network[k]);
        best = max_int(best, size);
    }
    return l->networks
               ? take(l, &l->h->network[l->round - 3], best - l->greatest)
               : 0;
}

static int ship_worth(const struct look *l)
{
    int level = l->p->ship - l->f->ship;
    return like(l, LIKE_SHIP) + of(l, OF_SHIP_LEVEL, -level) +
           points(l, 2 + level) + ship_network(l) +
           of(l, OF_SHIP_CARD, l->p->card == 10);
}

/* With loose-done a turn could end before it began, and one that was to make a
 * volcano before there is any: for ever, once all others have passed. */
static int done_worth(const struct look *l)
{
    const struct turn *t = &l->s->turn;
    bool open = t->work & WORK_VOLCANO;
    return !open && (t->acted || l->p->passed) ? -500 : WASTE - 1000;
}

static int spade_worth(const struct look *l)
{
    return like(l, LIKE_SPADE) + points(l, 6);
}

/* A track that has to be paid for by exchanges; else it is judged already. */
static void offer_track(struct look *l, struct need n, int milli)
{
    int loss;
    action first = has_all(l, n) ? 0 : exchange(l, n, &loss);
    if (first)
        set(l, first, milli + loss);
}

static void rank_tracks(struct look *l)
{
    struct cost dig = l->f->dig_cost;
    struct need ship = {0, 4, 1}, spade = {dig.workers, dig.coins, dig.priests};
    l->began = tape_mark(l);
    if (l->p->ship < l->f->ship_max && can_afford(l, ship))
        offer_track(l, ship, ship_worth(l));
    l->began = tape_mark(l);
    if (l->p->dig < l->f->dig_max && can_afford(l, spade))
        offer_track(l, spade, spade_worth(l));
}

/* Nothing is ever exchanged for it. */
static bool is_free(action a)
{
    return act_kind(a) == DO_SEND ||
           (act_kind(a) == DO_ACTION && act_a(a) > ACT6);
}

static int worth(struct look *l, action a)
{
    int x = act_a(a), y = act_b(a);
    if (l->exchanged && is_free(a))
        return WASTE + 100;
    switch (act_kind(a)) {
    case DO_PICK:
        return pick_worth(l, x);
    case DO_BID:
        return bid_worth(l, x, y);
    case DO_COLOUR:
        return colour_worth(l, x);
    case DO_BUILD:
        return l->s->phase == PHASE_DWELL ? start_worth(l, x)
               : l->starts                ? RANKED
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
        return l->starts ? RANKED : upgrade_worth(l, x, y, false);
    case DO_SHIP:
        return ship_worth(l);
    case DO_SPADE:
        return spade_worth(l);
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
        return answer_worth(l, x, y);
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
    case DO_DONE:
        return done_worth(l);
    case DO_DIG:
        return makes_volcanoes(l->f) ? like(l, LIKE_DUG) - 300 : RANKED;
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
    if (l->round >= 3 && l->f->sails)
        look_networks(l);
    if (s->phase < PHASE_CULT)
        return;
    l->reach = reach(l->w, s, l->seat);
    if (l->f->flight != FLY_NONE)
        l->fly = cells_without(reach_flying(l->w, s, l->seat), l->reach);
}

/* ---- facts ---- */

static void find_purse(const struct look *l, int16_t *fact)
{
    const struct seat *p = l->p;
    struct income income = income_sum(l->s, l->seat);
    fact[FACT_WORKERS] = (int16_t)min_int(p->workers, 8);
    fact[FACT_COINS] = (int16_t)min_int(p->coins / 2, 8);
    fact[FACT_PRIESTS] = p->priests;
    fact[FACT_BOWL2] = p->bowl[1] / 2;
    fact[FACT_BOWL3] = p->bowl[2] / 2;
    fact[FACT_WORKER_INCOME] = income.workers;
    fact[FACT_COIN_INCOME] = income.coins / 2;
    fact[FACT_PRIEST_INCOME] = income.priests;
    fact[FACT_POWER_INCOME] = income.power / 2;
}

static void find_land(const struct look *l, int16_t *fact)
{
    struct cells home = home_cells(l->w, l->s, l->seat);
    struct cells dig = cells_without(l->handy, home);
    for (int i = 0; i < l->parts; i++) {
        if (l->part[i].town)
            continue;
        fact[FACT_PART_POWER] = (int16_t)max_int(fact[FACT_PART_POWER],
                                                 min_int(l->part[i].power, 7));
        fact[FACT_PART_SIZE] = (int16_t)max_int(
            fact[FACT_PART_SIZE], min_int(l->part[i].structures, 4));
    }
    fact[FACT_HOMES] =
        (int16_t)min_int(cells_count(cells_and(l->reach, home)), 6);
    fact[FACT_DIGS] =
        (int16_t)min_int(cells_count(cells_and(l->reach, dig)), 6);
}

static void find_tiles(const struct look *l, int16_t *fact)
{
    const struct state *s = l->s;
    for (int tile = 5; tile <= FAVOURS; tile++)
        fact[FACT_FAVOUR5 + tile - 5] = has_favour(l->p, tile);
    if (l->p->card)
        fact[FACT_CARD1 + l->p->card - 1] = 1;
    if (s->score[l->round])
        fact[FACT_TILE + scores[s->score[l->round]].scored] = 1;
    if (l->round + 1 < ROUNDS && s->score[l->round + 1])
        fact[FACT_NEXT_TILE + scores[s->score[l->round + 1]].scored] = 1;
}

static void find_facts(const struct look *l, int16_t *fact)
{
    const struct seat *p = l->p;
    find_purse(l, fact);
    for (int piece = DWELLING; piece <= SANCTUARY; piece++)
        fact[FACT_DWELLINGS + piece - DWELLING] = p->count[piece];
    fact[FACT_TOWNS] = p->towns;
    fact[FACT_KEYS] = p->keys;
    fact[FACT_SHIP] = p->ship;
    fact[FACT_DIG] = p->dig;
    fact[FACT_PASSED] = l->s->passes;
    find_land(l, fact);
    find_tiles(l, fact);
}

/* Who only answers an offer of power needs none. */
static void look_facts(struct look *l)
{
    int16_t fact[FACTS] = {0};
    enum kind kind = act_kind(l->legal[0]);
    if (l->p->faction != NO_FACTION && kind != DO_LEECH && kind != DO_DECLINE)
        find_facts(l, fact);
    if (l->tape)
        memcpy(l->tape->fact, fact, sizeof fact);
    for (int i = 0; i < FACTS; i++) {
        const int16_t *when = l->h->when[i];
        for (int k = 0; fact[i] && k < CHOICES; k++)
            l->shift[k] += fact[i] * when[k];
    }
}

static void look_turn(struct look *l)
{
    if (l->s->phase != PHASE_ACTIONS || l->s->active != l->seat)
        return;
    l->starts = can_start(l->w, l->s, l->seat);
    l->exchanged = l->starts && l->s->turn.started && !l->s->turn.acted &&
                   !l->s->turn.doubled;
    for (int kind = 0; kind < KINDS; kind++)
        l->first[kind] = l->count;
    for (int i = l->count - 1; i >= 0; i--) {
        l->first[act_kind(l->legal[i])] = i;
        l->gift |= is_gift(l, l->legal[i]);
    }
}

/* Dwellings on cells just turned home.  What has to be exchanged for one is
 * exchanged only if it is clearly worth it, and then it is built. */
static void rank_made(struct look *l)
{
    struct need need = dwelling_need(l);
    bool all = has_all(l, need), pays = all || can_afford(l, need);
    for (struct cells made = l->s->turn.made; pays && !cells_none(made);) {
        int cell = cells_take(&made);
        l->began = tape_mark(l);
        int milli = 1000 + site_worth(l, cell);
        if (!all && milli < 2000)
            continue;
        offer(l, act(DO_BUILD, cell, 0), need, milli);
        for (int i = 0; i < l->count; i++)
            if (act_kind(l->legal[i]) == DO_DONE)
                l->milli[i] = WASTE - 2000;
    }
}

/* Actions that others are needed for first, and those they pay for. */
static void rank_paid(struct look *l)
{
    bool builds = l->p->count[DWELLING] < pieces_max(DWELLING);
    if (l->starts) {
        if (builds) {
            rank_homes(l);
            rank_digs(l);
        }
        rank_upgrades(l);
        rank_tracks(l);
        rank_power(l);
    } else if (l->s->turn.work & WORK_BUILD && !l->p->spades && builds) {
        rank_made(l);
    }
}

void mystica_habit_noted(const struct world *w, const struct state *s, int seat,
                         const action *legal, int count, int *milli,
                         struct habit_tape *tape)
{
    int site[CELLS];
    struct look l = {.w = w,
                     .s = s,
                     .p = &s->seat[seat],
                     .f = &factions[0],
                     .h = &w->habits,
                     .taste = &w->habits.taste[0],
                     .seat = seat,
                     .legal = legal,
                     .count = count,
                     .milli = milli,
                     .site = site,
                     .tape = tape};
    look(&l);
    look_turn(&l);
    look_facts(&l);
    for (int i = 0; i < count; i++) {
        int from = tape_mark(&l);
        milli[i] = worth(&l, legal[i]);
        if (tape) {
            tape->from[i] = from;
            tape->to[i] = tape->count;
        }
    }
    if (s->phase == PHASE_ACTIONS && s->active == seat)
        rank_paid(&l);
}

void mystica_habit(const struct world *w, const struct state *s, int seat,
                   const action *legal, int count, int *milli)
{
    mystica_habit_noted(w, s, seat, legal, count, milli, NULL);
}
