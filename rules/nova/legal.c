/* rules/nova/legal.c: the legal actions (nova §4 to §6). */
#include "rules/nova/state.h"

#include "base/check.h"

/* ---- moves ---- */

/* Eight actions at once, at any address. */
typedef uint32_t eight __attribute__((vector_size(32), aligned(4)));

#define INLINE inline __attribute__((always_inline))

/* Along one axis the free hexes before and behind a pioneer and its own make
 * one stretch between two set bits.  It is written whole, always sixteen
 * actions, whatever its length: that costs less than a loop, and what is too
 * much is overwritten by the next stretch.  Its last hex then takes the place
 * of the pioneer's own. */
static INLINE action *put_stretch(const struct world *w, const struct state *s,
                                  const struct spot *spot, action from,
                                  action *out)
{
    uint64_t word = s->lines.word[spot->word];
    long before = 63 - (long)__builtin_clzll(word & spot->before);
    long behind = (long)__builtin_ctzll(word & spot->behind);
    const uint32_t *line = w->hex_at + spot->line;
    const eight *hexes = (const eight *)(line + before + 1);
    ((eight *)out)[0] = hexes[0] | from;
    ((eight *)out)[1] = hexes[1] | from;
    out[spot->bit - before - 1] = from | line[behind - 1];
    return out + (behind - before - 2);
}

static INLINE action *put_moves(const struct world *w, const struct state *s,
                                int hex, action *out)
{
    action from = pack(MOVE, hex, 0);
    out = put_stretch(w, s, &w->spot[hex][0], from, out);
    out = put_stretch(w, s, &w->spot[hex][1], from, out);
    return put_stretch(w, s, &w->spot[hex][2], from, out);
}

/* The same hex by hex, for boards with longer stretches. */
static action *put_long_moves(const struct world *w, const struct state *s,
                              int hex, action *out)
{
    for (int d = 0; d < 6; d++)
        for (int to = w->next[hex][d]; to != NO_HEX && is_free(w, s, to);
             to = w->next[to][d])
            *out++ = pack(MOVE, hex, to);
    return out;
}

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

static bool move_returns(const struct world *w, const struct state *s, int from,
                         int to)
{
    if (!return_tested(w, s))
        return false;
    const struct moved *entry = moved_at(s, from);
    int reading = w->option[OPT_RETURN];
    if ((reading == RETURN_EN || reading == RETURN_SV) && someone_home(s) &&
        !entry)
        return true; /* another pioneer moves, the first stays at home */
    return entry && entry->home == to;
}

bool nova_return_forbids(const struct world *w, const struct state *s, action a)
{
    return kind_of(a) == MOVE
               ? move_returns(w, s, from_of(a), to_of(a))
               : stones_bound(w, s) && stone_leaves_home(w, s, to_of(a));
}

/* Takes the move to `home` out of one pioneer's list, keeping its order. */
static action *without_home(action *list, const action *end, int home)
{
    action *kept = list;
    for (; list < end; list++)
        if (to_of(*list) != home)
            *kept++ = *list;
    return kept;
}

/* ---- lists ---- */

/* Which pioneers nova §5.2 keeps from which hex. */
struct bond {
    bool tested; /* those that moved must not go home ... */
    bool others; /* ... and all others must not move */
};

static struct bond bond_of(const struct world *w, const struct state *s)
{
    int reading = w->option[OPT_RETURN];
    bool tested = return_tested(w, s);
    return (struct bond){tested,
                         tested && someone_home(s) &&
                             (reading == RETURN_EN || reading == RETURN_SV)};
}

/* Nearly all time of a random game is spent here. */
static INLINE int list_moves_by(const struct world *w, const struct state *s,
                                action *out)
{
    struct bond bond = bond_of(w, s);
    action *end = out;
    BITS_EACH (hex, s->pioneers[s->seat]) {
        const struct moved *entry = bond.tested ? moved_at(s, hex) : NULL;
        action *begin = end;
        if (bond.others && !entry)
            continue;
        end = w->wide ? put_long_moves(w, s, hex, end)
                      : put_moves(w, s, hex, end);
        if (entry)
            end = without_home(begin, end, entry->home);
    }
    return (int)(end - out);
}

#if defined __x86_64__ && !defined __AVX2__
/* The same code for processors that count zeros and write eight numbers in one
 * instruction each; nova_prepare() found out whether this one does. */
__attribute__((target("avx2,bmi,bmi2,lzcnt"))) static int
list_moves_avx2(const struct world *w, const struct state *s, action *out)
{
    return list_moves_by(w, s, out);
}
#else
#define list_moves_avx2 list_moves_by
#endif

static int list_moves(const struct world *w, const struct state *s, action *out)
{
    return w->avx2 ? list_moves_avx2(w, s, out) : list_moves_by(w, s, out);
}

/* nova §4: on a free hex next to a pioneer that moved this turn and is still
 * on the board. */
static int list_stones(const struct world *w, const struct state *s,
                       action *out)
{
    if (s->act == 1 || !stones_left(w, s))
        return 0;
    int count = 0;
    bool bound = stones_bound(w, s);
    for (int i = 0; i < s->moved_count; i++) {
        int now = s->moved[i].now;
        for (int d = 0; now != GONE && d < 6; d++) {
            int hex = w->next[now][d];
            if (hex != NO_HEX && is_free(w, s, hex) &&
                !(i > 0 && bits_has(&w->near[s->moved[0].now], hex)) &&
                !(bound && stone_leaves_home(w, s, hex)))
                out[count++] = pack(STONE, 0, hex);
        }
    }
    return count;
}

static int list_placements(const struct world *w, const struct state *s,
                           action *out)
{
    struct bits free = free_hexes(w, s);
    int count = 0;
    BITS_EACH (hex, free)
        out[count++] = pack(PLACE, 0, hex);
    return count;
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
        for (int d = 0; d < 6; d++) {
            int next = w->next[hex][d];
            if (next != NO_HEX && is_free(w, s, next))
                return true;
        }
    return false;
}

/* Nearly always a stone beside the pioneer moved last answers at once. */
bool nova_any_action(const struct world *w, const struct state *s)
{
    action list[GAME_ACTIONS];
    check(s->act > 1);
    int now = s->moved[s->moved_count - 1].now;
    for (int d = 0; d < 6 && now != GONE && stones_left(w, s); d++)
        if (w->next[now][d] != NO_HEX && is_free(w, s, w->next[now][d]) &&
            !stones_bound(w, s))
            return true;
    if (list_stones(w, s, list) > 0)
        return true;
    return list_moves(w, s, list) > 0;
}
