/* rules/nova/legal.c: the legal actions (nova §4 to §6). */
#include "rules/nova/state.h"

#include "base/check.h"
#include "rules/nova/list.h"

/* ---- the return rule (nova §5.2) ---- */

/* Is the rule to be looked at for a move made as this action? */
static bool return_tested(const struct world *w, const struct state *s)
{
    switch (w->option[OPT_RETURN]) {
    case RETURN_EN:
        return s->act == 3 && s->placed == 0;
    case RETURN_NL:
        return s->act == 3 && s->placed == 0 && s->moved_count == 1;
    case RETURN_SV:
        return s->act == 3;
    default:
        return s->act > 1;
    }
}

/* The entry of the pioneer that stands on `hex`, or NULL. */
static const struct moved *moved_at(const struct state *s, int hex)
{
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now == hex)
            return &s->moved[i];
    return NULL;
}

/* A pioneer that went out and back stands at home: only with one entry. */
static bool someone_home(const struct state *s)
{
    return s->moved_count == 1 && s->moved[0].now == s->moved[0].home;
}

/* Under `sv` a stone is forbidden while the moved pioneer stands at home,
 * unless its scoring takes that pioneer off the board (Q27). */
static bool stones_bound(const struct world *w, const struct state *s)
{
    return w->option[OPT_RETURN] == RETURN_SV && s->act == 3 && someone_home(s);
}

static bool stone_leaves_home(const struct world *w, const struct state *s,
                              int hex)
{
    struct state after = *s;
    struct territory closed[3];
    nova_put_stone(w, &after, hex, closed);
    return after.moved[0].now != GONE;
}

/* Where the rule is tested: while a pioneer stands at home again, only it may
 * move (en, sv). */
static bool others_stay(const struct world *w, const struct state *s)
{
    int reading = w->option[OPT_RETURN];
    return (reading == RETURN_EN || reading == RETURN_SV) && someone_home(s);
}

static bool move_returns(const struct world *w, const struct state *s, int from,
                         int to)
{
    if (!return_tested(w, s))
        return false;
    const struct moved *entry = moved_at(s, from);
    if (!entry && others_stay(w, s))
        return true;
    return entry && entry->home == to;
}

bool nova_return_forbids(const struct world *w, const struct state *s, action a)
{
    return kind_of(a) == MOVE
               ? move_returns(w, s, from_of(a), to_of(a))
               : stones_bound(w, s) && stone_leaves_home(w, s, to_of(a));
}

/* ---- lists ---- */

/* Moves hex by hex, for boards with long stretches. */
static int list_slowly(const struct world *w, const struct state *s,
                       action *out)
{
    int count = 0;
    BITS_EACH (hex, s->pioneers[s->seat])
        for (int d = 0; d < 6; d++)
            for (int to = w->next[hex][d]; to != NO_HEX && is_free(w, s, to);
                 to = w->next[to][d])
                if (!move_returns(w, s, hex, to))
                    out[count++] = pack(MOVE, hex, to);
    return count;
}

static int list_moves(const struct world *w, const struct state *s, action *out)
{
    if (w->wide)
        return list_slowly(w, s, out);
    if (return_tested(w, s))
        return w->avx2 ? nova_list_bound_avx2(w, s, !others_stay(w, s), out)
                       : nova_list_bound_by(w, s, !others_stay(w, s), out);
    return w->avx2 ? nova_list_moves_avx2(w, s, out)
                   : nova_list_moves_by(w, s, out);
}

/* Which of the hexes around one are free: bit d in direction d. */
static unsigned free_around(const struct world *w, const struct state *s,
                            int hex)
{
    unsigned free = 0;
    for (int d = 0; w->wide && d < 6; d++) {
        int next = w->next[hex][d];
        free |= (unsigned)(next != NO_HEX && is_free(w, s, next)) << d;
    }
    for (int axis = 0; !w->wide && axis < AXES; axis++) {
        uint64_t open = ~line_from(s, &w->spot[hex][axis]);
        free |= (unsigned)(open >> 1 & 1) << nova_axes[axis];
        free |= (unsigned)(open >> 63) << (nova_axes[axis] + 3) % 6;
    }
    return free;
}

/* Those of the directions that do not lead next to `other` as well. */
static unsigned apart_from(const struct world *w, int hex, int other,
                           unsigned directions)
{
    if (!bits_meet(&w->near[hex], &w->near[other]))
        return directions;
    for (int d = 0; d < 6; d++)
        if (w->next[hex][d] != NO_HEX &&
            bits_has(&w->near[other], w->next[hex][d]))
            directions &= ~(1u << d);
    return directions;
}

/* Stones on the hexes in these directions.  Each is written, and overwritten
 * unless it counts: processors cannot guess which are free. */
static int put_stones(const struct world *w, int hex, unsigned directions,
                      action *out)
{
    int count = 0;
    for (int d = 0; d < 6; d++) {
        out[count] = pack(STONE, 0, w->next[hex][d]);
        count += (int)(directions >> d & 1);
    }
    return count;
}

static int without_bound(const struct world *w, const struct state *s,
                         action *list, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!stone_leaves_home(w, s, to_of(list[i])))
            list[kept++] = list[i];
    return kept;
}

/* nova §4: on a free hex next to a pioneer that moved this turn and is still
 * on the board. */
static int list_stones(const struct world *w, const struct state *s,
                       action *out)
{
    if (s->act == 1 || !stones_left(w, s))
        return 0;
    int count = 0;
    for (int i = 0; i < s->moved_count; i++) {
        int now = s->moved[i].now;
        if (now == GONE)
            continue;
        unsigned free = free_around(w, s, now);
        if (i > 0)
            free = apart_from(w, now, s->moved[0].now, free);
        count += put_stones(w, now, free, out + count);
    }
    return stones_bound(w, s) ? without_bound(w, s, out, count) : count;
}

static int list_placements(const struct world *w, const struct state *s,
                           action *out)
{
    return w->avx2 ? nova_list_placements_avx2(w, s, out)
                   : nova_list_placements_by(w, s, out);
}

int nova_legal(const struct world *w, const struct state *s, int seat,
               action *out)
{
    if (s->reason || seat != s->seat)
        return 0;
    if (s->act == PLACING)
        return list_placements(w, s, out);
    int count = list_moves(w, s, out);
    count += list_stones(w, s, out + count);
    if (count == 0)
        out[count++] = pack(PASS, 0, 0);
    return count;
}

/* ---- is there anything at all? ---- */

bool nova_can_move(const struct world *w, const struct state *s, int seat)
{
    BITS_EACH (hex, s->pioneers[seat])
        if (free_around(w, s, hex))
            return true;
    return false;
}

/* Nearly always a stone beside the pioneer moved last answers at once. */
bool nova_any_action(const struct world *w, const struct state *s)
{
    action list[GAME_ACTIONS];
    check(s->act > 1);
    int now = s->moved[s->moved_count - 1].now;
    if (now != GONE && stones_left(w, s) && !stones_bound(w, s) &&
        free_around(w, s, now))
        return true;
    return list_stones(w, s, list) > 0 || list_moves(w, s, list) > 0;
}
