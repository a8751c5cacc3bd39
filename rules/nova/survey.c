/* rules/nova/survey.c: finds fields and regions of a position.
 *
 * Fields are plots of the board, less what stones took from them; regions of
 * two landscapes come from the fields, which are few: one bit each in a word.
 */
#include "rules/nova/survey.h"

#include "base/hash.h"

/* ---- fields ---- */

/* The connected piece of `left` around its first hex; `rim` gets all its
 * neighbours and those of its own hexes. */
static struct bits fill(const struct world *w, const struct bits *left,
                        struct bits *rim)
{
    struct bits piece = {{0}}, edge = {{0}}, reached = {{0}};
    bits_add(&edge, bits_first(left));
    while (!bits_none(&edge)) {
        BITS_EACH (next, edge)
            reached = bits_or(reached, &w->near[next]);
        piece = bits_or(piece, &edge);
        edge = bits_and(reached, left);
        edge = bits_without(edge, &piece);
    }
    *rim = reached;
    return piece;
}

/* Is a plot surely still in one piece?  Each hex taken, one after the other,
 * leaves one run of those around it. */
static bool in_one_piece(const struct world *w, struct bits plot,
                         const struct bits *taken)
{
    bool one = true;
    BITS_EACH (hex, *taken) {
        bits_drop(&plot, hex);
        one &= w->runs[survey_around(w, &plot, hex)] < 2;
    }
    return one;
}

/* What a plot in one piece still has around it. */
static struct bits rim_left(const struct world *w, const struct state *s,
                            int plot, const struct bits *left,
                            const struct bits *taken)
{
    struct bits rim = bits_and(w->plot[plot].rim, &s->live), lost = {{0}};
    BITS_EACH (hex, *taken)
        lost = bits_or(lost, &w->near[hex]);
    lost = bits_and(lost, &rim);
    BITS_EACH (hex, lost)
        if (!bits_meet(&w->near[hex], left))
            bits_drop(&rim, hex);
    return rim;
}

static void set_piece(struct survey *v, int plot, int field,
                      const struct bits *hexes, const struct bits *rim)
{
    v->hexes[field] = *hexes;
    v->rim[field] = *rim;
    v->size[field] = (int16_t)bits_count(hexes);
    v->touch[field] = 0;
    v->pieces[plot] |= (uint64_t)1 << field;
}

/* What is left of a plot, piece by piece; the first keeps its number. */
static void add_pieces(const struct world *w, const struct state *s,
                       struct survey *v, int plot, struct bits left)
{
    int field = plot;
    for (; !bits_none(&left) && field < FIELDS; field = v->fields++) {
        struct bits rim, piece = fill(w, &left, &rim);
        left = bits_without(left, &piece);
        rim = bits_and(rim, &s->live);
        rim = bits_without(rim, &piece);
        set_piece(v, plot, field, &piece, &rim);
        if (field != plot)
            BITS_EACH (hex, piece)
                v->field_of[hex] = (uint8_t)field;
    }
    v->fields -= field != plot; /* the number that was not used */
    BITS_EACH (hex, left)
        v->field_of[hex] = NO_FIELD;
}

static void cut_plot(const struct world *w, const struct state *s,
                     struct survey *v, int plot)
{
    struct bits left = bits_and(w->plot[plot].hexes, &s->live);
    struct bits taken = bits_without(w->plot[plot].hexes, &left);
    int lost = bits_count(&taken), size = w->plot[plot].size;
    v->pieces[plot] = 0;
    BITS_EACH (hex, taken)
        v->field_of[hex] = NO_FIELD;
    if (2 * lost < size && in_one_piece(w, w->plot[plot].hexes, &taken)) {
        struct bits rim = rim_left(w, s, plot, &left, &taken);
        set_piece(v, plot, plot, &left, &rim);
    } else {
        add_pieces(w, s, v, plot, left);
    }
    v->present |= v->pieces[plot];
}

/* Fields beside the pieces of a plot: those of the plots beside it, if they
 * still meet. */
static void find_touching(const struct world *w, struct survey *v, int plot)
{
    uint64_t beside = w->plot[plot].touch & v->whole;
    FIELDS_EACH (other, w->plot[plot].touch & ~v->whole)
        beside |= v->pieces[other];
    FIELDS_EACH (field, v->pieces[plot])
        FIELDS_EACH (other, beside)
            if (bits_meet(&v->rim[field], &v->hexes[other])) {
                v->touch[field] |= (uint64_t)1 << other;
                v->touch[other] |= (uint64_t)1 << field;
            }
}

/* Plots that no stone has touched are fields as they are. */
static void find_whole(const struct world *w, const struct state *s,
                       struct survey *v)
{
    v->whole = 0;
    for (int i = 0; i < w->plots; i++) {
        const struct plot *p = &w->plot[i];
        v->hexes[i] = p->hexes;
        v->rim[i] = bits_and(p->rim, &s->live);
        v->size[i] = (int16_t)p->size;
        v->whole |= (uint64_t)bits_within(&p->hexes, &s->live) << i;
    }
}

static void find_fields(const struct world *w, const struct state *s,
                        struct survey *v)
{
    find_whole(w, s, v);
    memcpy(v->field_of, w->plot_of, sizeof v->field_of);
    v->fields = w->plots;
    v->present = v->whole;
    uint64_t cut = (((uint64_t)1 << w->plots) - 1) & ~v->whole;
    FIELDS_EACH (plot, cut)
        cut_plot(w, s, v, plot);
    FIELDS_EACH (field, cut ? v->whole : 0)
        v->touch[field] = w->plot[field].touch & v->whole;
    FIELDS_EACH (plot, cut)
        find_touching(w, v, plot);
}

/* ---- regions ---- */

static void add_region(const struct world *w, struct survey *v, uint64_t fields,
                       int kinds, int size, int seals)
{
    int i = v->regions;
    if (i == REGIONS)
        return;
    v->region[i] = fields;
    v->region_size[i] = size;
    v->trust[i] = trust_in(w, kinds, seals);
    v->seals[i] = (uint8_t)seals;
    v->regions++;
}

/* A pair of the board that no stone has touched. */
static void add_whole(const struct world *w, const struct state *s,
                      struct survey *v, const struct pair *p)
{
    struct bits rim = bits_and(p->rim, &s->live);
    add_region(w, v, p->plots, 2, p->size, bits_count(&rim));
}

static void add_pair(const struct world *w, struct survey *v, uint64_t fields)
{
    struct bits hexes = {{0}}, rim = {{0}};
    int size = 0;
    FIELDS_EACH (field, fields) {
        hexes = bits_or(hexes, &v->hexes[field]);
        rim = bits_or(rim, &v->rim[field]);
        size += v->size[field];
    }
    rim = bits_without(rim, &hexes);
    add_region(w, v, fields, 2, size, bits_count(&rim));
}

/* What is left of a pair: connected pieces that have fields of both
 * landscapes. */
static void add_rest(const struct world *w, struct survey *v,
                     const struct pair *p)
{
    uint64_t of[2] = {0, 0};
    FIELDS_EACH (plot, p->plots)
        of[w->plot[plot].land == p->land[1]] |=
            v->whole >> plot & 1 ? (uint64_t)1 << plot : v->pieces[plot];
    uint64_t one = of[0], both = of[0] | of[1];
    while (one) {
        uint64_t piece = one & -one, edge = piece;
        while (edge) {
            uint64_t reached = v->touch[__builtin_ctzll(edge)] & both & ~piece;
            piece |= reached;
            edge = (edge & (edge - 1)) | reached;
        }
        one &= ~piece;
        if (piece & of[1])
            add_pair(w, v, piece);
    }
}

static void find_regions(const struct world *w, const struct state *s,
                         struct survey *v)
{
    v->regions = 0;
    FIELDS_EACH (field, v->present)
        add_region(w, v, (uint64_t)1 << field, 1, v->size[field],
                   bits_count(&v->rim[field]));
    v->singles = v->regions;
    for (int i = 0; i < w->pairs; i++)
        if (w->pair[i].plots & ~v->whole)
            add_rest(w, v, &w->pair[i]);
        else
            add_whole(w, s, v, &w->pair[i]);
}

static void list_regions(struct survey *v)
{
    uint16_t *from = v->region_from;
    memset(from, 0, sizeof v->region_from);
    for (int i = 0; i < v->regions; i++)
        FIELDS_EACH (field, v->region[i])
            from[field + 1]++;
    for (int field = 0; field < FIELDS; field++)
        from[field + 1] = (uint16_t)(from[field + 1] + from[field]);
    uint8_t filled[FIELDS] = {0};
    for (int i = 0; i < v->regions; i++)
        FIELDS_EACH (field, v->region[i])
            v->region_row[from[field] + filled[field]++] = (uint8_t)i;
}

/* ---- land, and who holds it ---- */

static void take_land(const struct world *w, const struct state *s,
                      struct survey *v)
{
    find_fields(w, s, v);
    find_regions(w, s, v);
    list_regions(v);
    v->dents = 0;
    memset(v->dent_count, DENTS_UNKNOWN, sizeof v->dent_count);
}

static void count_pioneers(const struct world *w, const struct state *s,
                           struct survey *v)
{
    uint64_t fields = 0;
    memset(v->held, 0, sizeof v->held);
    memset(v->region_held, 0, (size_t)v->regions * sizeof *v->region_held);
    for (int seat = 0; seat < w->seats; seat++)
        BITS_EACH (hex, s->pioneers[seat]) {
            int field = v->field_of[hex];
            fields |= (uint64_t)1 << field;
            v->held[field] += 1u << 8 * seat;
        }
    FIELDS_EACH (field, fields & ~((uint64_t)1 << NO_FIELD))
        REGIONS_EACH (i, v, field)
            v->region_held[i] += v->held[field];
}

void survey_take(const struct world *w, const struct state *s, struct survey *v)
{
    take_land(w, s, v);
    count_pioneers(w, s, v);
}

struct survey *survey_find(const struct world *w, const struct state *s,
                           struct memo *m, const struct survey *busy)
{
    uint64_t hash = hash_bytes(0, &s->live, sizeof s->live);
    unsigned at = (unsigned)(hash >> 32) % KEPT_SURVEYS;
    at ^= &m->survey[at] == busy;
    struct survey *v = &m->survey[at];
    struct kept *k = &m->kept[at];
    if (!k->taken || memcmp(&k->live, &s->live, sizeof k->live) != 0) {
        *k = (struct kept){true, s->live};
        take_land(w, s, v);
    }
    count_pioneers(w, s, v);
    return v;
}
