/* rules/nova/legal.c: the legal actions (nova §4 to §6). */
#include "rules/nova/state.h"

#include "base/check.h"

/* ---- scanning lines ---- */

static bool blocked(const uint64_t *words, int spot)
{
    return words[spot >> 6] >> (spot & 63) & 1;
}

/* Only for stretches longer than a word. */
static int __attribute__((noinline, cold))
walk(const uint64_t *words, int spot, int step)
{
    int run = 0;
    while (!blocked(words, spot + step * (run + 1)))
        run++;
    return run;
}

/* Free hexes in a row behind `spot`, up to the next set bit. */
static inline int run_up(const uint64_t *words, int spot)
{
    uint64_t ahead = words[spot >> 6] >> 1 >> (spot & 63);
    return __builtin_expect(ahead != 0, 1) ? __builtin_ctzll(ahead)
                                           : walk(words, spot, 1);
}

/* The same in front of it. */
static inline int run_down(const uint64_t *words, int spot)
{
    uint64_t behind = words[spot >> 6] << 1 << (~spot & 63);
    return __builtin_expect(behind != 0, 1) ? __builtin_clzll(behind)
                                            : walk(words, spot, -1);
}

/* ---- moves ---- */

/* Four actions at once, at any address. */
typedef uint32_t quad __attribute__((vector_size(16), aligned(4)));
enum { QUADS = 3 };

static void __attribute__((noinline, cold))
put_rest(action *out, const uint32_t *hex, int count, action base)
{
    for (int i = 4 * QUADS; i < count; i++)
        out[i] = base | hex[i];
}

/* Writes the actions of one stretch, always twelve: nearly every one fits, so
 * the processor seldom guesses wrong how long it is.  What is written too much
 * lies behind the end of the list and is overwritten by the next stretch. */
static inline void put_stretch(action *out, const uint32_t *hex, int count,
                               quad base)
{
    for (int i = 0; i < 4 * QUADS; i += 4)
        *(quad *)(out + i) = *(const quad *)(hex + i) | base;
    if (__builtin_expect(count > 4 * QUADS, 0))
        put_rest(out, hex, count, base[0]);
}

/* On each axis the free hexes on both sides of the pioneer and its own are one
 * stretch: it is written whole, and its last hex then takes the place of the
 * pioneer's own. */
static inline action *put_moves(const struct world *w, const struct state *s,
                                int hex, action *out)
{
    action from = pack(MOVE, hex, 0);
    quad base = {from, from, from, from};
    for (int axis = 0; axis < AXES; axis++) {
        const uint64_t *words = s->lines.word[axis];
        int spot = w->spot[hex][axis];
        int down = run_down(words, spot), up = run_up(words, spot);
        put_stretch(out, &w->hex_at[axis][spot - down], down + up + 1, base);
        out[down] = out[down + up];
        out += down + up;
    }
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
static bool stone_leaves_home(const struct world *w, const struct state *s,
                              int hex)
{
    if (w->option[OPT_RETURN] != RETURN_SV || s->act != 3 || !someone_home(s))
        return false;
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
    return kind_of(a) == MOVE ? move_returns(w, s, from_of(a), to_of(a))
                              : stone_leaves_home(w, s, to_of(a));
}

/* Takes the move to `home` out of one pioneer's list, keeping its order. */
static action *without_home(action *list, action *end, int home)
{
    action *kept = list;
    for (; list < end; list++)
        if (to_of(*list) != home)
            *kept++ = *list;
    return kept;
}

/* ---- lists ---- */

/* The same as list_moves() where the return rule has to be looked at: it binds
 * the pioneers that have moved, and all others if one of those is at home. */
static int list_moves_of_return(const struct world *w, const struct state *s,
                                action *out)
{
    int reading = w->option[OPT_RETURN];
    bool bound =
        (reading == RETURN_EN || reading == RETURN_SV) && someone_home(s);
    action *end = out;
    BITS_EACH (hex, s->pioneers[s->seat]) {
        const struct moved *entry = moved_at(s, hex);
        action *begin = end;
        if (entry || !bound)
            end = put_moves(w, s, hex, end);
        if (entry)
            end = without_home(begin, end, entry->home);
    }
    return (int)(end - out);
}

static int list_moves(const struct world *w, const struct state *s, action *out)
{
    action *end = out;
    if (return_tested(w, s))
        return list_moves_of_return(w, s, out);
    BITS_EACH (hex, s->pioneers[s->seat])
        end = put_moves(w, s, hex, end);
    return (int)(end - out);
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
        for (int d = 0; now != GONE && d < 6; d++) {
            int hex = w->next[now][d];
            if (hex != NO_HEX && is_free(w, s, hex) &&
                !(i > 0 && bits_has(&w->near[s->moved[0].now], hex)) &&
                !stone_leaves_home(w, s, hex))
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

/* Nearly always a stone beside the moved pioneer answers at once. */
bool nova_any_action(const struct world *w, const struct state *s)
{
    action list[GAME_ACTIONS];
    check(s->act > 1);
    if (list_stones(w, s, list) > 0)
        return true;
    return list_moves(w, s, list) > 0;
}
