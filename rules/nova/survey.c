/* rules/nova/survey.c: finds fields and regions of a position.
 *
 * Fields are plots of the board, less what stones took from them; regions of
 * two landscapes come from the fields, which are few: one bit each in a word.
 */
#include "rules/nova/survey.h"

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

static void set_field(struct survey *v, const struct state *s, int field,
                      const struct bits *hexes, const struct bits *rim,
                      int size)
{
    v->hexes[field] = *hexes;
    v->rim[field] = bits_and(*rim, &s->live);
    v->rim[field] = bits_without(v->rim[field], hexes);
    v->size[field] = (int16_t)size;
    v->held[field] = 0;
    v->region_count[field] = 0;
    v->touch[field] = 0;
    v->present |= (uint64_t)1 << field;
}

/* What is left of a plot, piece by piece; the first keeps its number.
 * Returns the numbers of all. */
static uint64_t add_pieces(const struct world *w, const struct state *s,
                           struct survey *v, int plot, struct bits left)
{
    uint64_t fields = 0;
    int field = plot;
    for (; !bits_none(&left) && field < FIELDS; field = v->fields++) {
        struct bits rim, piece = fill(w, &left, &rim);
        set_field(v, s, field, &piece, &rim, bits_count(&piece));
        fields |= (uint64_t)1 << field;
        if (field != plot)
            BITS_EACH (hex, piece)
                v->field_of[hex] = (uint8_t)field;
        left = bits_without(left, &piece);
    }
    v->fields -= field != plot; /* the number that was not used */
    BITS_EACH (hex, left)
        v->field_of[hex] = NO_FIELD;
    v->of_land[w->plot[plot].land] |= fields;
    return fields;
}

/* Fields beside the pieces of a plot: those of the plots beside it, if they
 * still meet. */
static void find_touching(const struct world *w, struct survey *v, int plot,
                          const uint64_t *pieces, uint64_t whole)
{
    uint64_t beside = w->plot[plot].touch & whole;
    FIELDS_EACH (other, w->plot[plot].touch & ~whole)
        beside |= pieces[other];
    FIELDS_EACH (field, pieces[plot])
        FIELDS_EACH (other, beside)
            if (bits_meet(&v->rim[field], &v->hexes[other])) {
                v->touch[field] |= (uint64_t)1 << other;
                v->touch[other] |= (uint64_t)1 << field;
            }
}

static void find_fields(const struct world *w, const struct state *s,
                        struct survey *v)
{
    uint64_t pieces[PLOTS], whole = 0;
    v->present = 0;
    v->fields = w->plots;
    memcpy(v->field_of, w->plot_of, sizeof v->field_of);
    memset(v->of_land, 0, sizeof *v->of_land * (size_t)w->board.lands);
    for (int i = 0; i < w->plots; i++) {
        const struct plot *p = &w->plot[i];
        struct bits left = bits_and(p->hexes, &s->live);
        struct bits taken = bits_without(p->hexes, &left);
        pieces[i] = 0;
        if (!bits_none(&taken)) {
            BITS_EACH (hex, taken)
                v->field_of[hex] = NO_FIELD;
            pieces[i] = add_pieces(w, s, v, i, left);
            continue;
        }
        set_field(v, s, i, &p->hexes, &p->rim, p->size);
        v->of_land[p->land] |= (uint64_t)1 << i;
        whole |= (uint64_t)1 << i;
    }
    FIELDS_EACH (field, whole)
        v->touch[field] = w->plot[field].touch & whole;
    for (int i = 0; i < w->plots; i++)
        if (pieces[i])
            find_touching(w, v, i, pieces, whole);
}

static void count_pioneers(const struct world *w, const struct state *s,
                           struct survey *v)
{
    v->held[NO_FIELD] = 0;
    for (int seat = 0; seat < w->seats; seat++)
        BITS_EACH (hex, s->pioneers[seat])
            v->held[v->field_of[hex]] += 1u << 8 * seat;
}

/* ---- regions ---- */

static void add_region(struct survey *v, uint64_t fields, int size, int seals,
                       int kinds, uint32_t held)
{
    if (v->regions == REGIONS)
        return;
    v->region[v->regions] = (struct region){.fields = fields,
                                            .held = held,
                                            .size = (int16_t)size,
                                            .seals = (int16_t)seals,
                                            .kinds = (int16_t)kinds};
    FIELDS_EACH (field, fields)
        if (v->region_count[field] < FIELD_REGIONS)
            v->region_of[field][v->region_count[field]++] = (uint8_t)v->regions;
    v->regions++;
}

static void add_pair(struct survey *v, uint64_t fields)
{
    struct bits hexes = {{0}}, rim = {{0}};
    uint32_t held = 0;
    int size = 0;
    FIELDS_EACH (field, fields) {
        hexes = bits_or(hexes, &v->hexes[field]);
        rim = bits_or(rim, &v->rim[field]);
        size += v->size[field];
        held += v->held[field];
    }
    rim = bits_without(rim, &hexes);
    add_region(v, fields, size, bits_count(&rim), 2, held);
}

/* Connected pieces that have fields of both landscapes. */
static void find_pairs(struct survey *v, uint64_t one, uint64_t other)
{
    uint64_t both = one | other;
    while (one) {
        uint64_t piece = one & -one, edge = piece;
        while (edge) {
            uint64_t reached = v->touch[__builtin_ctzll(edge)] & both & ~piece;
            piece |= reached;
            edge = (edge & (edge - 1)) | reached;
        }
        one &= ~piece;
        if (piece & other)
            add_pair(v, piece);
    }
}

static void find_regions(const struct world *w, struct survey *v)
{
    v->regions = 0;
    FIELDS_EACH (field, v->present)
        add_region(v, (uint64_t)1 << field, v->size[field],
                   bits_count(&v->rim[field]), 1, v->held[field]);
    for (int a = 0; a < w->board.lands; a++)
        for (int b = a + 1; v->of_land[a] && b < w->board.lands; b++)
            if (v->of_land[b])
                find_pairs(v, v->of_land[a], v->of_land[b]);
}

void survey_take(const struct world *w, const struct state *s, struct survey *v)
{
    find_fields(w, s, v);
    count_pioneers(w, s, v);
    find_regions(w, v);
}
