/* rules/nova/score.c: parts, territories and what they are worth (nova §7). */
#include "rules/nova/state.h"

/* Grows `part` over `within` until it is closed, or until it holds all of
 * `goal` (pass the empty set for a whole part). */
static struct bits flood(const struct world *w, int start,
                         const struct bits *within, const struct bits *goal)
{
    struct bits part = {{0}}, edge = {{0}};
    bits_add(&part, start);
    bits_add(&edge, start);
    bool stop_early = !bits_none(goal);
    while (!bits_none(&edge)) {
        struct bits reached = {{0}};
        BITS_EACH (hex, edge)
            reached = bits_or(reached, &w->near[hex]);
        reached = bits_and(reached, within);
        edge = bits_without(reached, &part);
        part = bits_or(part, &edge);
        if (stop_early) {
            struct bits missing = bits_without(*goal, &part);
            if (bits_none(&missing))
                break;
        }
    }
    return part;
}

struct bits nova_part(const struct world *w, const struct state *s, int hex)
{
    struct bits open = open_hexes(w, s), everything = {{0}};
    return flood(w, hex, &open, &everything);
}

int nova_variety(const struct world *w, const struct bits *part)
{
    int variety = 0;
    for (int land = 0; land < w->board.lands; land++)
        variety += bits_meet(part, &w->land[land]);
    return variety;
}

void nova_find_live(const struct world *w, struct state *s)
{
    struct bits left = open_hexes(w, s);
    memset(&s->live, 0, sizeof s->live);
    for (int hex; (hex = bits_first(&left)) >= 0;) {
        struct bits part = nova_part(w, s, hex);
        if (nova_variety(w, &part) >= 4)
            s->live = bits_or(s->live, &part);
        left = bits_without(left, &part);
    }
}

/* nova §7.2: the majority takes the value; ties share it, rounded down. */
static void value_territory(const struct world *w, const struct state *s,
                            struct territory *t)
{
    int inside[NOVA_SEATS], most = 0, leaders = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        struct bits mine = bits_and(s->pioneers[seat], &t->hexes);
        inside[seat] = bits_count(&mine);
        if (inside[seat] > most) {
            most = inside[seat];
            leaders = 0;
        }
        leaders += inside[seat] == most;
    }
    t->size = bits_count(&t->hexes);
    t->value = t->size * (4 - t->variety);
    for (int seat = 0; seat < NOVA_SEATS; seat++)
        t->gain[seat] = seat < w->seats && most > 0 && inside[seat] == most
                            ? t->value / leaders
                            : 0;
}

/* nova §7.3: everybody inside leaves the game for good. */
static void remove_pioneers(const struct world *w, struct state *s,
                            const struct bits *hexes)
{
    for (int seat = 0; seat < w->seats; seat++) {
        struct bits mine = bits_and(s->pioneers[seat], hexes);
        BITS_EACH (hex, mine)
            lines_flip(w, s, hex);
        s->pioneers[seat] = bits_without(s->pioneers[seat], hexes);
    }
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now != GONE && bits_has(hexes, s->moved[i].now))
            s->moved[i].now = GONE;
}

/* Largest first, then by the first hex in reading order (nova §11.1). */
static bool before(const struct territory *a, const struct territory *b)
{
    if (a->size != b->size)
        return a->size > b->size;
    return bits_first(&a->hexes) < bits_first(&b->hexes);
}

static int insert(struct territory *list, int count, struct territory t)
{
    int at = count;
    for (; at > 0 && before(&t, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = t;
    return count + 1;
}

/* Every part around the new stone that is a territory is scored now. */
static int score_around(const struct world *w, struct state *s, int hex,
                        struct territory closed[3])
{
    struct bits open = open_hexes(w, s), none = {{0}};
    struct bits left = bits_and(w->near[hex], &open);
    int count = 0;
    for (int start; (start = bits_first(&left)) >= 0;) {
        struct territory t = {.hexes = flood(w, start, &open, &none)};
        left = bits_without(left, &t.hexes);
        t.variety = nova_variety(w, &t.hexes);
        if (t.variety > 3)
            continue;
        value_territory(w, s, &t);
        count = insert(closed, count, t);
    }
    for (int i = 0; i < count; i++) {
        remove_pioneers(w, s, &closed[i].hexes);
        s->live = bits_without(s->live, &closed[i].hexes);
        for (int seat = 0; seat < w->seats; seat++)
            s->score[seat] += closed[i].gain[seat];
    }
    return count;
}

/* Which neighbours are open, one bit per direction. */
static unsigned open_pattern(const struct world *w, const struct bits *open,
                             int hex)
{
    unsigned pattern = 0;
    for (unsigned d = 0; d < 6; d++) {
        int next = w->next[hex][d];
        if (next != NO_HEX && bits_has(open, next))
            pattern |= 1u << d;
    }
    return pattern;
}

/* Can the new stone have changed anything but its own hex?  Three questions,
 * the cheap ones first: do the open neighbours fall into several runs, does a
 * neighbour carry on the landscape, and are the runs still connected. */
static bool may_close(const struct world *w, const struct state *s, int hex)
{
    if (!bits_has(&s->live, hex))
        return true; /* only after an odd start position */
    struct bits open = open_hexes(w, s);
    struct bits around = bits_and(w->near[hex], &open);
    if (!bits_meet(&around, &w->land[w->board.land[hex]]))
        return true; /* it may have been the last of its landscape (Q9) */
    if (w->runs[open_pattern(w, &open, hex)] < 2)
        return false;
    struct bits part = flood(w, bits_first(&around), &open, &around);
    struct bits missing = bits_without(around, &part);
    return !bits_none(&missing);
}

int nova_put_stone(const struct world *w, struct state *s, int hex,
                   struct territory closed[3])
{
    bits_add(&s->stones, hex);
    lines_flip(w, s, hex);
    s->supply--;
    s->placed++;
    bool closes = may_close(w, s, hex);
    bits_drop(&s->live, hex);
    return closes ? score_around(w, s, hex, closed) : 0;
}
