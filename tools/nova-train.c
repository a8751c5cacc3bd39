/* tools/nova-train.c: learns the evaluation of Terra Nova for two from what
 * searches find in self-play.
 *
 * In every round a bot plays against itself, in the first one by the
 * hand-written evaluation, then by what the round before has learned.  Of every
 * tree some positions are kept that were visited often, each with what the
 * search found there.  Then numbers are sought that say so at first sight:
 * least squares, drawn towards the hand-written evaluation.  How games end is
 * not learned from: that is mostly chance, and numbers fitted to it play badly.
 * Prints rules/nova/learned.c; the same command gives the same numbers. */
#include "base/rng.h"
#include "game/setup.h"
#include "rules/nova/survey.h"
#include "search/tree.h"
#include "search/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 1000,
    OPENING = 4, /* random actions, as in the arena */
    PICKS = 6,   /* positions kept of a tree, its root among them */
    OFTEN = 20,  /* visits of these */
    DEEP = 12,   /* actions between them and the root */
    STRAY = 12,  /* one action in so many is any of the best four */
    LENGTH = 1000,
    ITEMS = 160,
    HELD_OUT = 10, /* one round of boards in so many tells how good the fit
                      is */
    STEPS = 60
};

#define CLEAR_LEAD 60.0  /* beyond it points matter less and less */
#define FAR_LEAD   150.0 /* what is decided is not learned from */
#define DRAWN      300.0 /* towards the hand-written: as by so many samples */

/* Boards in turn: what is learned has to hold on small and large ones. */
static const char *const boards[] = {"island", "twins", "island", "continent",
                                     "islet"};
enum { BOARDS = sizeof boards / sizeof *boards };

/* ---- samples ---- */

/* A region: row by landscapes and seals, hexes, class of its leader. */
struct item {
    uint8_t row, size;
    int8_t class;
};

/* All leads are those of the first seat, in points. */
struct sample {
    bool held_out;
    uint8_t board;
    float fixed;        /* what is not learned: scores, quiet turns */
    float found, end;   /* by the search, of the game */
    int8_t phase, act;  /* act: less than 0 if the second seat is to act */
    int8_t ahead;       /* pioneers */
    int8_t roam[ROAMS]; /* more pioneers of a class than the rival has */
    uint8_t items;
    struct item item[ITEMS];
};

static void describe_regions(const struct world *w, const struct survey *v,
                             struct sample *x)
{
    x->items = 0;
    for (int i = 0; i < v->regions && x->items < ITEMS; i++) {
        int class = learned_stand(w, v->region_held[i], 0).now - CLASSES;
        int seals = v->seals[i] < SEALS ? v->seals[i] : SEALS - 1;
        if (class)
            x->item[x->items++] =
                (struct item){(uint8_t)((i >= v->singles) * SEALS + seals),
                              (uint8_t)v->region_size[i], (int8_t) class};
    }
}

static void describe_roams(const struct world *w, const struct state *s,
                           struct sample *x)
{
    memset(x->roam, 0, sizeof x->roam);
    BITS_EACH (hex, s->pioneers[0])
        x->roam[roam_class(moves_from(w, s, hex))]++;
    BITS_EACH (hex, s->pioneers[1])
        x->roam[roam_class(moves_from(w, s, hex))]--;
}

static int pieces_of(const struct state *s, int seat)
{
    return bits_count(&s->pioneers[seat]) + s->hand[seat];
}

static void describe(const struct world *w, const struct state *s,
                     struct sample *x)
{
    struct survey v;
    survey_take(w, s, &v);
    x->fixed = (float)nova_sure_lead(w, s, 0) / 1000.0f;
    x->phase = (int8_t)learned_phase(w, s);
    x->act = (int8_t)(s->seat == 0 ? s->act : -s->act);
    x->ahead = (int8_t)(pieces_of(s, 0) - pieces_of(s, 1));
    describe_roams(w, s, x);
    describe_regions(w, &v, x);
}

/* ---- self-play ---- */

struct trainer {
    struct world world;
    struct state state;
    struct search_bot bot;
    struct search *search;
    void *memory;
    size_t bytes;
    struct rng rng;
    uint8_t *seen; /* nodes of the tree */
    int met;       /* positions of the tree that could be kept */
    struct sample *sample;
    int samples, first, most; /* first: of the tree */
};

static struct sample *sample_at(struct trainer *t, int i)
{
    while (i >= t->most) {
        t->most = t->most ? 2 * t->most : 1 << 16;
        t->sample = realloc(t->sample, (size_t)t->most * sizeof *t->sample);
        if (!t->sample)
            exit(1);
    }
    if (i >= t->samples)
        t->samples = i + 1;
    return &t->sample[i];
}

/* What a node is worth to the first seat, in points. */
static float worth_of(const struct search *s, const struct node *n)
{
    const struct edge *best = NULL;
    EDGES_EACH(e, s, n)
    if (e->visits && (!best || e->visits > best->visits))
        best = e;
    float own = n->best[n->seat];
    if (best)
        own = 0.7f * best->mean + 0.3f * own;
    return (float)value_unbend(n->seat == 0 ? own : -own, s->scale) / 1000.0f;
}

/* The first is kept, the root; of the others any is as likely as another.
 * Placing is not learned. */
static void keep(struct trainer *t, const struct node *n,
                 const struct state *now)
{
    float found = worth_of(t->search, n);
    if (fabsf(found) > (float)FAR_LEAD || now->act == PLACING)
        return;
    int met = t->met++, place = met < PICKS ? met : 1 + rng_below(&t->rng, met);
    if (place >= PICKS)
        return;
    struct sample *x = sample_at(t, t->first + place);
    describe(&t->world, now, x);
    x->found = found;
}

static void walk(struct trainer *t, uint32_t at, const struct state *now,
                 int depth)
{
    const struct search *s = t->search;
    const struct node *n = &s->node[at];
    if (t->seen[at] || n->visits < OFTEN || n->flags & NODE_PROVEN)
        return;
    t->seen[at] = 1;
    keep(t, n, now);
    EDGES_EACH(e, s, n)
    if (e->node && e->visits >= OFTEN && depth < DEEP) {
        struct state next = *now;
        nova_apply(&t->world, &next, n->seat, e->action);
        if (!next.reason)
            walk(t, e->node, &next, depth + 1);
    }
}

static action choose(struct trainer *t)
{
    struct search *s = t->search;
    struct search_choice top[4];
    search_play(s, &t->state, t->state.seat);
    while (search_run(s, NODES))
        ;
    memset(t->seen, 0, s->nodes + 1);
    t->met = 0;
    t->first = t->samples;
    if (!s->only)
        walk(t, s->root, &t->state, 0);
    int count = search_top(s, top, 4);
    if (count > 1 && rng_below(&t->rng, STRAY) == 0)
        return top[rng_below(&t->rng, count)].action;
    return search_best(s);
}

/* A new game after its opening, with the numbers learned so far. */
static void start(struct trainer *t, const char *board, uint64_t seed,
                  const struct learned *by)
{
    static action list[GAME_ACTIONS];
    struct setup setup;
    struct fault f;
    setup_init(&nova_game, &setup);
    setup.seats = 2;
    setup.seed = rng_mix(seed);
    rng_seed(&t->rng, seed);
    if (!setup_option(&nova_game, &setup, span_of("board"), span_of(board),
                      &f) ||
        !nova_prepare(&t->world, &setup, &f))
        exit(1);
    nova_prepare_learned(&t->world, by ? by : &nova_learned);
    t->world.learns = by != NULL;
    nova_start(&t->world, &setup, &t->state);
    for (int i = 0; i < OPENING; i++) {
        int seat = t->state.seat;
        int count = nova_legal(&t->world, &t->state, seat, list);
        nova_apply(&t->world, &t->state, seat, list[rng_below(&t->rng, count)]);
    }
}

static void play(struct trainer *t, int game, uint64_t seed,
                 const struct learned *by)
{
    int first = t->samples, board = game % BOARDS;
    bool held_out = game / BOARDS % HELD_OUT == HELD_OUT - 1;
    struct state *s = &t->state;
    start(t, boards[board], seed, by);
    t->search = search_open(t->memory, t->bytes, &nova_game, &t->world, s,
                            s->seat, &t->bot, 0, seed);
    for (int i = 0; !s->reason && i < LENGTH; i++)
        nova_apply(&t->world, s, s->seat, choose(t));
    for (int i = first; i < t->samples; i++) {
        t->sample[i].end = (float)(s->score[0] - s->score[1]);
        t->sample[i].held_out = held_out;
        t->sample[i].board = (uint8_t)board;
    }
}

/* ---- fitting ---- */

/* A region's value is what those of its seals and class have, and what the
 * phase and the stage add for its seals.  Two numbers each: for itself, and
 * for HEXES hexes. */
enum {
    ROWS = 2 * SEALS,
    BY_CLASS = 0,
    BY_PHASE = BY_CLASS + ROWS * CLASSES * 2,
    BY_STAGE = BY_PHASE + PHASES * ROWS * 2,
    BY_PIONEER = BY_STAGE + STAGES * ROWS * 2,
    BY_TEMPO = BY_PIONEER + PHASES,
    BY_ROAM = BY_TEMPO + PHASES * 3,
    THETAS = BY_ROAM + PHASES * ROAMS,
    FEATURES = ITEMS * 6 + 2 + ROAMS,
    HEXES = 8
};

struct features {
    int count;
    int index[FEATURES];
    float value[FEATURES];
};

static void put(struct features *f, int index, float value)
{
    f->index[f->count] = index;
    f->value[f->count++] = value;
}

static void put_land(struct features *f, const struct sample *x,
                     const struct item *land, int act)
{
    int class = abs(land->class) - 1, row = land->row;
    bool leader_acts = (land->class < 0) == (x->act < 0);
    int stage = act - 1 + (leader_acts ? 0 : 3);
    float sign = land->class < 0 ? -1 : 1;
    const int at[] = {BY_CLASS + (row * CLASSES + class) * 2,
                      BY_PHASE + (x->phase * ROWS + row) * 2,
                      BY_STAGE + (stage * ROWS + row) * 2};
    for (int k = 0; k < 3; k++) {
        put(f, at[k], sign);
        put(f, at[k] + 1, sign * (float)land->size / HEXES);
    }
}

static void find_features(const struct sample *x, struct features *f)
{
    int act = abs(x->act);
    f->count = 0;
    for (int i = 0; i < x->items; i++)
        put_land(f, x, &x->item[i], act);
    put(f, BY_PIONEER + x->phase, x->ahead);
    put(f, BY_TEMPO + x->phase * 3 + act - 1, x->act < 0 ? -1 : 1);
    for (int i = 0; i < ROAMS; i++)
        put(f, BY_ROAM + x->phase * ROAMS + i, x->roam[i]);
}

static double hand_slope(int row)
{
    const struct weights *h = &nova_weights;
    int kind = row / SEALS;
    return (3 - kind) * h->region[kind] * h->seal[row % SEALS] / 1e6;
}

/* What the hand-written evaluation says. */
static double by_hand(const struct sample *x)
{
    double sum = x->fixed + x->ahead * nova_weights.pioneer / 1000.0;
    for (int i = 0; i < x->items; i++)
        sum += hand_slope(x->item[i].row) * x->item[i].size *
               (x->item[i].class < 0 ? -1 : 1);
    return sum;
}

static double dot(const struct features *f, const double *theta)
{
    double sum = 0;
    for (int i = 0; i < f->count; i++)
        sum += (double)f->value[i] * theta[f->index[i]];
    return sum;
}

static void add(const struct features *f, double times, double *to)
{
    for (int i = 0; i < f->count; i++)
        to[f->index[i]] += times * (double)f->value[i];
}

static double bend(double x)
{
    return x / sqrt(1 + x * x / (CLEAR_LEAD * CLEAR_LEAD));
}

/* The square of the slope of bend(). */
static double weight_of(const struct sample *x)
{
    double far = x->found / CLEAR_LEAD, near = 1 / (1 + far * far);
    return near * near * near;
}

/* The normal equations: what they make of `in`, and their right-hand side with
 * their diagonal. */
static void multiply(const struct trainer *t, const double *in, double *out)
{
    struct features f;
    for (int i = 0; i < THETAS; i++)
        out[i] = DRAWN * in[i];
    for (int n = 0; n < t->samples; n++)
        if (!t->sample[n].held_out) {
            find_features(&t->sample[n], &f);
            add(&f, weight_of(&t->sample[n]) * dot(&f, in), out);
        }
}

static void begin_fit(const struct trainer *t, double *right, double *diagonal)
{
    struct features f;
    for (int i = 0; i < THETAS; i++) {
        right[i] = 0;
        diagonal[i] = DRAWN;
    }
    for (int n = 0; n < t->samples; n++) {
        const struct sample *x = &t->sample[n];
        if (x->held_out)
            continue;
        find_features(x, &f);
        add(&f, weight_of(x) * (x->found - by_hand(x)), right);
        for (int i = 0; i < f.count; i++)
            diagonal[f.index[i]] +=
                weight_of(x) * (double)(f.value[i] * f.value[i]);
    }
}

static double product(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < THETAS; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Conjugate gradients, preconditioned by the diagonal. */
static void fit(const struct trainer *t, double *theta)
{
    double rest[THETAS], diagonal[THETAS], way[THETAS], toll[THETAS];
    double step[THETAS];
    begin_fit(t, rest, diagonal);
    for (int i = 0; i < THETAS; i++) {
        theta[i] = 0;
        way[i] = step[i] = rest[i] / diagonal[i];
    }
    double left = product(rest, step), enough = 1e-9 * left;
    for (int n = 0; n < STEPS && left > enough; n++) {
        multiply(t, way, toll);
        double far = left / product(way, toll), before = left;
        for (int i = 0; i < THETAS; i++) {
            theta[i] += far * way[i];
            rest[i] -= far * toll[i];
            step[i] = rest[i] / diagonal[i];
        }
        left = product(rest, step);
        for (int i = 0; i < THETAS; i++)
            way[i] = step[i] + left / before * way[i];
    }
}

/* ---- how good the fit is ---- */

struct errors {
    double count, sum, square, hand, learned;
};

static void add_error(struct errors *e, double goal, double hand,
                      double learned)
{
    e->count++;
    e->sum += goal;
    e->square += goal * goal;
    e->hand += (hand - goal) * (hand - goal);
    e->learned += (learned - goal) * (learned - goal);
}

static void tell_error(const struct errors *e, const char *what)
{
    if (e->count == 0)
        return;
    double mean = e->sum / e->count, all = e->square - e->count * mean * mean;
    fprintf(stderr,
            "    %s: by hand %.2f points off, R2 %.3f; learned %.2f, %.3f\n",
            what, sqrt(e->hand / e->count), 1 - e->hand / all,
            sqrt(e->learned / e->count), 1 - e->learned / all);
}

/* Bent leads, of games that nothing was learned from. */
static void tell_board(const struct trainer *t, const double *theta, int board)
{
    struct errors found = {0}, end = {0};
    struct features f;
    for (int n = 0; n < t->samples; n++) {
        const struct sample *x = &t->sample[n];
        if (!x->held_out || x->board != board)
            continue;
        find_features(x, &f);
        double hand = by_hand(x), learned = bend(hand + dot(&f, theta));
        add_error(&found, bend(x->found), bend(hand), learned);
        add_error(&end, bend(x->end), bend(hand), learned);
    }
    fprintf(stderr, "  %s: %.0f samples held out\n", boards[board],
            found.count);
    tell_error(&found, "what the search found");
    tell_error(&end, "how the game ended");
}

static void tell_errors(const struct trainer *t, const double *theta, int round)
{
    fprintf(stderr, "round %d: %d samples\n", round, t->samples);
    for (int board = 0; board < BOARDS; board++)
        tell_board(t, theta, board);
}

/* ---- the numbers ---- */

static int16_t milli_of(double x)
{
    return (int16_t)lround(1000 * fmax(-9, fmin(9, x)));
}

static struct land_worth land_at(const double *x)
{
    return (struct land_worth){milli_of(x[0]), milli_of(x[1] / HEXES)};
}

static void set_lands(const double *x, struct learned *l, int row)
{
    int kind = row / SEALS, seals = row % SEALS;
    for (int c = 0; c < CLASSES; c++) {
        struct land_worth *to = &l->by_class[kind][seals][c];
        *to = land_at(x + BY_CLASS + (row * CLASSES + c) * 2);
        to->each = (int16_t)(to->each + milli_of(hand_slope(row)));
    }
    for (int i = 0; i < PHASES; i++)
        l->by_phase[i][kind][seals] =
            land_at(x + BY_PHASE + (i * ROWS + row) * 2);
    for (int i = 0; i < STAGES; i++)
        l->by_stage[i][kind][seals] =
            land_at(x + BY_STAGE + (i * ROWS + row) * 2);
}

static void set_numbers(const double *x, struct learned *l)
{
    for (int row = 0; row < ROWS; row++)
        set_lands(x, l, row);
    for (int i = 0; i < PHASES; i++) {
        l->pioneer[i] =
            (int16_t)(milli_of(x[BY_PIONEER + i]) + nova_weights.pioneer);
        for (int act = 0; act < 3; act++)
            l->tempo[i][act] = milli_of(x[BY_TEMPO + 3 * i + act]);
        for (int k = 0; k < ROAMS; k++)
            l->roam[i][k] = milli_of(x[BY_ROAM + ROAMS * i + k]);
    }
}

static const int16_t *tell_numbers(const int16_t *from, const int *size)
{
    putchar('{');
    for (int i = 0; i < size[0]; i++) {
        if (size[1])
            from = tell_numbers(from, size + 1);
        else
            printf("%d", *from++);
        fputs(i + 1 < size[0] ? ", " : "}", stdout);
    }
    return from;
}

#define FIELD(of, name, ...)                                                   \
    do {                                                                       \
        printf("." #name " = ");                                               \
        tell_numbers((const int16_t *)&(of)->name,                             \
                     (const int[]){__VA_ARGS__, 0});                           \
        puts(",");                                                             \
    } while (0)

static void tell(const struct learned *l, int rounds, int games, int seed)
{
    printf("/* rules/nova/learned.c: the numbers of the learned evaluation.\n"
           " *\n"
           " * They come from self-play:\n"
           " *\n"
           " *     nova-train %d %d %d | clang-format\n"
           " */\n"
           "#include \"rules/nova/state.h\"\n\n"
           "const struct learned nova_learned = {\n",
           rounds, games, seed);
    FIELD(l, by_class, 2, SEALS, CLASSES, 2);
    FIELD(l, by_phase, PHASES, 2, SEALS, 2);
    FIELD(l, by_stage, STAGES, 2, SEALS, 2);
    FIELD(l, pioneer, PHASES);
    FIELD(l, tempo, PHASES, 3);
    FIELD(l, roam, PHASES, ROAMS);
    puts("};");
}

static void begin(struct trainer *t)
{
    t->bot = *search_find("master", 6);
    t->bot.nodes = NODES;
    t->bot.style.final = 0; /* values are points and nothing else */
    t->bytes = search_size(&nova_game, &t->bot, 0);
    t->memory = malloc(t->bytes);
    t->seen = malloc(t->bytes / sizeof(struct node));
    if (!t->memory || !t->seen)
        exit(1);
}

static void train_round(struct trainer *t, int round, int games, int seed,
                        struct learned *l)
{
    double theta[THETAS];
    uint64_t first = (uint64_t)seed << 32 | (uint64_t)round << 24;
    t->samples = 0;
    for (int i = 0; i < games; i++)
        play(t, i, first + (uint64_t)i, round > 1 ? l : NULL);
    fit(t, theta);
    tell_errors(t, theta, round);
    set_numbers(theta, l);
}

int main(int argc, char **argv)
{
    static struct trainer t;
    struct learned l;
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    int games = argc > 2 ? atoi(argv[2]) : 0;
    int seed = argc > 3 ? atoi(argv[3]) : 1;
    if (rounds < 1 || games < 1 || argc > 4) {
        fputs("Usage: nova-train ROUNDS GAMES [SEED] | clang-format > "
              "learned.c\n"
              "Learns the evaluation of Terra Nova for two by self-play.\n",
              stderr);
        return 2;
    }
    begin(&t);
    for (int round = 1; round <= rounds; round++)
        train_round(&t, round, games, seed, &l);
    tell(&l, rounds, games, seed);
    return 0;
}
