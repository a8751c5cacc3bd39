/* rules/mystica/features.c: a position as numbers for learning programs. */
#include "rules/mystica/mystica.h"

#include "game/numbers.h"

enum {
    SEAT_BASE = 31 + PIECES, /* what put_seat() writes before the tiles */
    SEAT_DUE = 13,
    SEAT_NUMBERS = SEAT_BASE + FAVOURS + SEAT_DUE,
    PROSPECTS = TRACKS + 11,
    PHASES = PHASE_OVER + 1,
    POWER_ACTIONS = 6,
    PRIEST_SPACES = 4
};

const struct feature mystica_features[] = {
    {"terrain", CELLS,
     "by cell of the map: terrain + 1 (yellow, brown, black, blue, green, "
     "gray, red, ice, volcano, river), 0 off the map"},
    {"pieces", CELLS,
     "by cell: 1 dwelling, 2 trading house, 3 temple, 4 stronghold, 5 "
     "sanctuary, 6 special tile, 0 nothing"},
    {"owners", CELLS, "by cell: 1 for the viewer, 2 for the seat behind it..."},
    {"towns", CELLS, "by cell: number of the owner's town, 0 none"},
    {"bridges", BRIDGES * 3,
     "for each bridge: owner as above, the two cells + 1; 0 if none"},
    {"seats", SEATS *SEAT_NUMBERS,
     "for each seat from the viewer on: VP, coins, workers, priests, power in "
     "three bowls, fire, water, earth, air, keys, faction + 1, home terrain, "
     "colour, shipping, digging, carpet range, bonus card, priests sent, "
     "colours unlocked, bridges, towns, town tiles, cell + 1 of the special "
     "tile, shifts, passed, left, FAV6 used, ability used, to act; structures "
     "of each kind; favour tiles 1 to 12; then due: favours, towns, steps, "
     "steps on one track, ravens, spades, bridges, unlocks, tokens, payments, "
     "colours, trades, tracks stopped"},
    {"order", SEATS, "turn order: seats as above, 0 behind the last"},
    {"passing", SEATS, "seats in the order of passing"},
    {"phase", PHASES,
     "1 for the present one of nominate, bid, pick, colour, dwell, cards, "
     "cult, income, actions, over"},
    {"round", 3, "round, 0 before the first; final tile; seats at the table"},
    {"score", ROUNDS, "scoring tiles 1 to 9 of the rounds"},
    {"power", POWER_ACTIONS, "1 if the power action was taken this round"},
    {"cards", CARDS * 3,
     "for each bonus card: 1 if in the game; coins on it; 1 if used"},
    {"favours left", FAVOURS, "of each favour tile"},
    {"towns left", TOWNS, "of each town tile"},
    {"priests", TRACKS *PRIEST_SPACES,
     "for each track, by space: the seat whose priest is there"},
    {"auction", SEATS * 3, "for each faction: faction + 1; bid + 1; holder"},
    {"turn", 10,
     "1 if begun; 1 if a main action was taken; 1 with a double turn; main "
     "actions left; flags of the work in hand; flags of what is free; cells + "
     "1 turned away from home, reached by tunnel or carpet, given a tile; "
     "1 if the cult tunnel was used"},
    {"offers", OFFERS * 4,
     "for each offer of power: to and from which seat, amount, answers so far"},
    {"prospects", SEATS *PROSPECTS,
     "for each seat from the viewer on, 0 without a faction and once over: VP "
     "of each track, network, final tile and goods if the end scoring came "
     "now; size of the largest network; what the final tile counts; income of "
     "coins, workers, priests, power; VP for passing now; greatest power of "
     "connected structures without a town"},
    {NULL, 0, NULL},
};

struct looking {
    struct numbers n;
    const struct world *w;
    const struct state *s;
    int viewer;
    unsigned to_act;
};

static void put(struct looking *l, int value)
{
    put_number(&l->n, value);
}

static void put_rank(struct looking *l, int seat)
{
    put(l, rank_of_seat(l->w->seats, l->viewer, seat));
}

static void put_map(struct looking *l)
{
    const struct state *s = l->s;
    int rest = CELLS - l->w->cells;
    for (int cell = 0; cell < l->w->cells; cell++)
        put(l, s->terrain[cell] + 1);
    put_zeros(&l->n, rest);
    put_bytes(&l->n, s->piece, CELLS);
    for (int cell = 0; cell < CELLS; cell++)
        put_rank(l, s->piece[cell] ? s->owner[cell] : SEAT_NONE);
    put_bytes(&l->n, s->town, CELLS);
    for (int i = 0; i < BRIDGES; i++) {
        bool there = i < s->bridge_count;
        put_rank(l, there ? s->bridge[i].owner : SEAT_NONE);
        put(l, there ? s->bridge[i].a + 1 : 0);
        put(l, there ? s->bridge[i].b + 1 : 0);
    }
}

static void put_goods(struct looking *l, const struct seat *p)
{
    put(l, p->vp);
    put(l, p->coins);
    put(l, p->workers);
    put(l, p->priests);
    put_bytes(&l->n, p->bowl, 3);
    put_bytes(&l->n, p->cult, TRACKS);
    put(l, p->keys);
}

static void put_rights(struct looking *l, const struct seat *p)
{
    put(l, p->favours_due);
    put(l, p->towns_due);
    put(l, p->steps_due);
    put(l, p->block_due);
    put(l, p->ravens_due);
    put(l, p->spades);
    put(l, p->bridges_due);
    put(l, p->unlock_due);
    put(l, p->tokens_due);
    put(l, p->pay_due);
    put(l, p->colour_due);
    put(l, p->trade_due);
    put(l, p->stopped);
}

static void put_seat(struct looking *l, int seat)
{
    const struct seat *p = &l->s->seat[seat];
    put_goods(l, p);
    put(l, p->faction == NO_FACTION ? 0 : p->faction + 1);
    put(l, p->home);
    put(l, p->colour);
    put(l, p->ship);
    put(l, p->dig);
    put(l, p->range);
    put(l, p->card);
    put(l, p->placed);
    put(l, p->unlocked);
    put(l, p->bridges);
    put(l, p->towns);
    put(l, p->town_tiles);
    put(l, p->tile);
    put(l, p->shifts);
    put(l, p->passed);
    put(l, p->dropped);
    put(l, p->used_favour);
    put(l, p->used_ability);
    put(l, (int)(l->to_act >> seat & 1));
    put_bytes(&l->n, p->count, PIECES);
    for (int tile = 1; tile <= FAVOURS; tile++)
        put(l, has_favour(p, tile));
    put_rights(l, p);
}

static void put_seats(struct looking *l)
{
    for (int k = 0; k < SEATS; k++) {
        int seat = seat_behind(l->w->seats, l->viewer, k);
        if (seat == SEAT_NONE)
            put_zeros(&l->n, SEAT_NUMBERS);
        else
            put_seat(l, seat);
    }
    for (int i = 0; i < SEATS; i++)
        put_rank(l, i < l->w->seats ? l->s->order[i] : SEAT_NONE);
    for (int i = 0; i < SEATS; i++)
        put_rank(l, i < l->s->passes ? l->s->passing[i] : SEAT_NONE);
}

static void put_tiles(struct looking *l)
{
    const struct state *s = l->s;
    put_bytes(&l->n, s->score, ROUNDS);
    for (int i = 1; i <= POWER_ACTIONS; i++)
        put(l, s->used >> i & 1);
    for (int card = 1; card <= CARDS; card++) {
        put(l, s->cards >> card & 1);
        put(l, s->card_coins[card]);
        put(l, s->used_card >> card & 1);
    }
    put_bytes(&l->n, s->favours_left + 1, FAVOURS);
    put_bytes(&l->n, s->towns_left + 1, TOWNS);
    for (int track = 0; track < TRACKS; track++)
        for (int i = 0; i < PRIEST_SPACES; i++)
            put_rank(l, s->priest[track][i] - 1);
    for (int i = 0; i < SEATS; i++) {
        put(l, s->layout[i]);
        put(l, s->bid[i]);
        put_rank(l, s->holder[i] - 1);
    }
}

static void put_turn(struct looking *l)
{
    const struct turn *t = &l->s->turn;
    put(l, t->started);
    put(l, t->acted);
    put(l, t->doubled);
    put(l, t->left);
    put(l, t->work);
    put(l, t->free);
    put(l, t->away);
    put(l, t->flown);
    put(l, t->fresh);
    put(l, l->s->cult_tunnel);
    for (int i = 0; i < OFFERS; i++) {
        const struct offer *o = &l->s->offer[i];
        bool there = i < l->s->offer_count;
        put_rank(l, there ? o->to : SEAT_NONE);
        put_rank(l, there ? o->from : SEAT_NONE);
        put(l, there ? o->amount : 0);
        put(l, there ? o->flags : 0);
    }
}

/* ---- what the rules make of a seat ---- */

static int cluster_power(const struct world *w, const struct state *s, int seat)
{
    int best = 0;
    for (struct cells left = s->seat[seat].own; !cells_none(left);) {
        struct cells rest = left;
        int cell = cells_take(&rest), power, structures;
        struct cells part = cluster(w, s, seat, cell, -1);
        left = cells_without(left, part);
        cluster_size(s, seat, part, &power, &structures);
        if (!s->town[cell])
            best = max_int(best, power);
    }
    return best;
}

static void put_prospect(struct looking *l, const struct final_score *f,
                         int seat)
{
    struct income income = income_sum(l->s, seat);
    struct pass_vp pass = pass_vp(l->s, seat);
    for (int track = 0; track < TRACKS; track++)
        put(l, f->cult[track][seat]);
    put(l, f->network[seat]);
    put(l, f->extra[seat]);
    put(l, f->resources[seat]);
    put(l, f->network_value[seat]);
    put(l, f->extra_value[seat]);
    put(l, income.coins);
    put(l, income.workers);
    put(l, income.priests);
    put(l, income.power);
    put(l, pass.card + pass.favour + pass.ability);
    put(l, cluster_power(l->w, l->s, seat));
}

static void put_prospects(struct looking *l)
{
    struct final_score f;
    bool over = l->s->phase == PHASE_OVER;
    if (!over)
        final_scores(l->w, l->s, &f);
    for (int k = 0; k < SEATS; k++) {
        int seat = seat_behind(l->w->seats, l->viewer, k);
        if (over || seat == SEAT_NONE || l->s->seat[seat].faction == NO_FACTION)
            put_zeros(&l->n, PROSPECTS);
        else
            put_prospect(l, &f, seat);
    }
}

void mystica_measure(const struct world *w, const struct state *view,
                     int viewer, int16_t *out)
{
    struct looking l = {numbers_to(out), w, view, viewer, 0};
    unsigned must, may;
    flow_turn(w, view, &must, &may);
    l.to_act = must | may;
    put_map(&l);
    put_seats(&l);
    for (int phase = 0; phase < PHASES; phase++)
        put(&l, view->phase == phase);
    put(&l, view->round);
    put(&l, view->final);
    put(&l, w->seats);
    put_tiles(&l);
    put_turn(&l);
    put_prospects(&l);
}
