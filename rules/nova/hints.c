/* rules/nova/hints.c: the weights of the hints, and which code computes them.
 */
#include "rules/nova/survey.h"

#include "base/check.h"
#include "base/text.h"

/* Found by play, and kept against what tuning made of them: the command and
 * the games are told in bench/results/README.md, its steps in tune.log. */
const struct weights nova_weights = {
    .pioneer = 3000,
    .quiet = 2000,
    .region = {500, 500},
    .seal = {3000, 750, 333, 188, 120, 83, 61, 47, 37, 30, 25, 21, 18, 15, 13,
             12},
};

/* ---- the code that fits the processor ---- */

void nova_estimate(const struct world *w, const struct state *s, struct memo *m,
                   int *milli)
{
    (w->avx2 ? nova_estimate_avx2 : nova_estimate_by)(w, s, m, milli);
}

void nova_rank(const struct world *w, const struct state *s, struct memo *m,
               int seat, const action *legal, int count, int *milli)
{
    (w->avx2 ? nova_rank_avx2 : nova_rank_by)(w, s, m, seat, legal, count,
                                              milli);
}

void nova_forget(struct memo *m)
{
    memset(m->kept, 0, sizeof m->kept);
}

/* ---- what they look up ---- */

static void add_pair(struct world *w, uint64_t plots, int one, int other)
{
    struct pair *p = &w->pair[w->pairs++];
    struct bits hexes = {{0}};
    check(w->pairs <= PAIRS);
    *p = (struct pair){.plots = plots, .land = {one, other}};
    FIELDS_EACH (i, plots) {
        hexes = bits_or(hexes, &w->plot[i].hexes);
        p->rim = bits_or(p->rim, &w->plot[i].rim);
        p->size += w->plot[i].size;
    }
    p->rim = bits_without(p->rim, &hexes);
}

static void find_pairs(struct world *w, int one, int other)
{
    uint64_t of[2] = {0, 0};
    for (int i = 0; i < w->plots; i++) {
        of[0] |= (uint64_t)(w->plot[i].land == one) << i;
        of[1] |= (uint64_t)(w->plot[i].land == other) << i;
    }
    while (of[0]) {
        uint64_t piece = of[0] & -of[0], before = 0;
        while (piece != before) {
            before = piece;
            FIELDS_EACH (i, before)
                piece |= w->plot[i].touch & (of[0] | of[1]);
        }
        of[0] &= ~piece;
        if (piece & of[1])
            add_pair(w, piece, one, other);
    }
}

static int plots_seen(const struct world *w, int hex)
{
    uint64_t none = (uint64_t)1 << PLOTS, seen = 0;
    for (int d = 0; d < 6; d++)
        seen |= (uint64_t)1 << w->plot_of[w->beside[hex][d]];
    seen &= ~none & ~((uint64_t)1 << w->plot_of[hex]);
    return __builtin_popcountll(seen);
}

/* The seat's share less the mean of the others', in parts of HOLD (nova
 * §7.2). */
static int share(int ahead, int ties, int others)
{
    if (ahead)
        return ahead > 0 ? HOLD : -HOLD / others;
    return (others - ties) * HOLD / (others * (1 + ties));
}

static void find_standings(struct world *w)
{
    int others = w->seats > 2 ? w->seats - 1 : 1;
    for (int ties = 0; ties < NOVA_SEATS; ties++)
        for (int i = 0; i < STANDINGS; i++) {
            int ahead = i - BEHIND, now = share(ahead, ties, others);
            w->standing[ties][i] =
                (struct standing){now, share(ahead + 1, ties, others) - now,
                                  share(ahead - 1, ties, others) - now};
        }
}

void nova_prepare_hints(struct world *w)
{
    const struct weights *x = &w->weights;
    for (int one = 0; one < w->board.lands; one++)
        for (int other = one + 1; other < w->board.lands; other++)
            find_pairs(w, one, other);
    for (int hex = 0; hex < w->hexes; hex++)
        w->seen[hex] = (uint8_t)plots_seen(w, hex);
    for (int i = 0; i < 2; i++)
        for (int seals = 0; seals < SEALS; seals++)
            w->trust[i][seals] = (3 - i) * x->region[i] * x->seal[seals];
    find_standings(w);
}

/* ---- the learned evaluation ---- */

static int8_t stand_of(int own, int rival)
{
    int ahead = own - rival, far = ahead < 0 ? -ahead : ahead;
    int class = (far > 3 ? 3 : far) + (own && rival ? 3 : 0);
    return (int8_t)(CLASSES + (ahead > 0 ? class : ahead < 0 ? -class : 0));
}

static struct land_worth land_sum(const struct learned *x, int phase, int stage,
                                  int kind, int seals, int class)
{
    const struct land_worth *one = &x->by_class[kind][seals][class];
    const struct land_worth *two = &x->by_phase[phase][kind][seals];
    const struct land_worth *three = &x->by_stage[stage][kind][seals];
    return (struct land_worth){(int16_t)(one->once + two->once + three->once),
                               (int16_t)(one->each + two->each + three->each)};
}

static void sum_lands(struct world *w, const struct learned *x, int phase,
                      int stage, int kind)
{
    int other = (stage + STAGES / 2) % STAGES;
    for (int seals = 0; seals < SEALS; seals++)
        for (int class = 0; class < CLASSES; class ++) {
            struct land_worth *to = w->land_worth[phase][stage][kind][seals];
            struct land_worth rival =
                land_sum(x, phase, other, kind, seals, class);
            to[CLASSES + 1 + class] =
                land_sum(x, phase, stage, kind, seals, class);
            to[CLASSES - 1 - class] =
                (struct land_worth){(int16_t)-rival.once, (int16_t)-rival.each};
        }
}

void nova_prepare_learned(struct world *w, const struct learned *x)
{
    w->learns = w->seats == 2;
    memcpy(w->pioneer, x->pioneer, sizeof w->pioneer);
    memcpy(w->tempo, x->tempo, sizeof w->tempo);
    for (int phase = 0; phase < PHASES; phase++)
        for (int moves = 0; moves < BOARD_HEXES; moves++)
            w->roam[phase][moves] = x->roam[phase][roam_class(moves)];
    for (int own = 0; own < CROWD; own++)
        for (int rival = 0; rival < CROWD; rival++)
            w->stand[own][rival] = (struct stand){
                stand_of(own, rival), stand_of(own + (own < CROWD - 1), rival),
                stand_of(own - (own > 0), rival)};
    for (int phase = 0; phase < PHASES; phase++)
        for (int stage = 0; stage < STAGES; stage++)
            for (int kind = 0; kind < 2; kind++)
                sum_lands(w, x, phase, stage, kind);
}

/* ---- weights of one's own, for tuning ---- */

/* "weights: pioneer quiet single pair" in thousandths, then the seals from 1
 * on. */
bool nova_read_weights(struct weights *x, struct span text)
{
    int *const place[] = {&x->pioneer, &x->quiet, &x->region[0], &x->region[1]};
    struct span word;
    for (int i = 0; (word = span_word(&text)).length > 0; i++) {
        long number;
        if (i - 3 >= SEALS || !span_int(word, 0, 10000, &number))
            return false;
        *(i < 4 ? place[i] : &x->seal[i - 3]) = (int)number;
    }
    return true;
}
