/* rules/nova/survey.c: finds fields and regions of a position.
 *
 * Fields come from the hexes by filling; regions of two landscapes come from
 * the fields, which are few: one bit each in a word. */
#include "rules/nova/survey.h"

/* The connected piece of `left` around `hex`; `rim` gets all its neighbours
 * and those of its own hexes. */
static struct bits fill(const struct world *w, int hex, const struct bits *left,
                        struct bits *rim)
{
    struct bits piece = {{0}}, edge = {{0}};
    *rim = piece;
    bits_add(&piece, hex);
    bits_add(&edge, hex);
    while (!bits_none(&edge)) {
        BITS_EACH (next, edge)
            *rim = bits_or(*rim, &w->near[next]);
        edge = bits_and(*rim, left);
        edge = bits_without(edge, &piece);
        piece = bits_or(piece, &edge);
    }
    return piece;
}

static void add_field(const struct world *w, const struct state *s,
                      struct survey *v, int hex, int land,
                      const struct bits *left)
{
    int field = v->fields++;
    struct bits *hexes = &v->hexes[field], *rim = &v->rim[field];
    *hexes = fill(w, hex, left, rim);
    *rim = bits_and(*rim, &s->live);
    *rim = bits_without(*rim, hexes);
    v->of_land[land] |= (uint64_t)1 << field;
    BITS_EACH (member, *hexes)
        v->field_of[member] = (uint8_t)field;
}

static void find_fields(const struct world *w, const struct state *s,
                        struct survey *v)
{
    memset(v->field_of, FIELDS, sizeof v->field_of);
    for (int land = 0; land < w->board.lands; land++) {
        struct bits left = bits_and(s->live, &w->land[land]);
        v->of_land[land] = 0;
        for (int hex; (hex = bits_first(&left)) >= 0 && v->fields < FIELDS;) {
            add_field(w, s, v, hex, land, &left);
            left = bits_without(left, &v->hexes[v->fields - 1]);
        }
    }
}

/* Two fields touch if the rim of one holds a hex of the other. */
static void find_touching(struct survey *v)
{
    memset(v->touch, 0, sizeof *v->touch * (size_t)v->fields);
    for (int field = 0; field < v->fields; field++)
        BITS_EACH (hex, v->rim[field])
            if (v->field_of[hex] < FIELDS)
                v->touch[field] |= (uint64_t)1 << v->field_of[hex];
}

static void count_pioneers(const struct world *w, const struct state *s,
                           struct survey *v)
{
    memset(v->count, 0, sizeof *v->count * (size_t)v->fields);
    for (int seat = 0; seat < w->seats; seat++)
        BITS_EACH (hex, s->pioneers[seat])
            if (v->field_of[hex] < FIELDS)
                v->count[v->field_of[hex]][seat]++;
}

static void add_region(struct survey *v, uint64_t fields, int kinds)
{
    if (v->regions == REGIONS)
        return;
    struct region *r = &v->region[v->regions];
    *r = (struct region){.fields = fields, .kinds = kinds};
    for (; fields; fields &= fields - 1) {
        int field = __builtin_ctzll(fields);
        r->hexes = bits_or(r->hexes, &v->hexes[field]);
        r->rim = bits_or(r->rim, &v->rim[field]);
        for (int seat = 0; seat < NOVA_SEATS; seat++)
            r->count[seat] = (uint8_t)(r->count[seat] + v->count[field][seat]);
        if (v->region_count[field] < FIELD_REGIONS)
            v->region_of[field][v->region_count[field]++] = (uint8_t)v->regions;
    }
    r->rim = bits_without(r->rim, &r->hexes);
    r->size = bits_count(&r->hexes);
    r->seals = bits_count(&r->rim);
    v->regions++;
}

/* All fields of `among` that hang together with the first of them. */
static uint64_t connected(const struct survey *v, uint64_t among)
{
    uint64_t piece = among & -among, edge = piece;
    while (edge) {
        uint64_t reached = v->touch[__builtin_ctzll(edge)] & among & ~piece;
        piece |= reached;
        edge = (edge & (edge - 1)) | reached;
    }
    return piece;
}

static void find_pairs(struct survey *v, uint64_t one, uint64_t other)
{
    for (uint64_t left = one | other; left & one;) {
        uint64_t piece = connected(v, left);
        left &= ~piece;
        if ((piece & one) && (piece & other))
            add_region(v, piece, 2);
    }
}

static void find_regions(const struct world *w, struct survey *v)
{
    memset(v->region_count, 0, sizeof v->region_count);
    for (int field = 0; field < v->fields; field++)
        add_region(v, (uint64_t)1 << field, 1);
    for (int a = 0; a < w->board.lands; a++)
        for (int b = a + 1; v->of_land[a] && b < w->board.lands; b++)
            if (v->of_land[b])
                find_pairs(v, v->of_land[a], v->of_land[b]);
}

void survey_take(const struct world *w, const struct state *s, struct survey *v)
{
    v->fields = v->regions = 0;
    find_fields(w, s, v);
    find_touching(v);
    count_pioneers(w, s, v);
    find_regions(w, v);
}
