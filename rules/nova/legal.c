/* rules/nova/legal.c: the legal actions (nova §4 to §6). */
#include "rules/nova/state.h"

#include "base/check.h"

/* ---- scanning lines ---- */

static uint64_t load(const uint64_t *words, int byte)
{
    uint64_t word;
    memcpy(&word, (const char *)words + byte, sizeof word);
    return word;
}

static bool blocked(const uint64_t *words, int spot)
{
    return words[spot >> 6] >> (spot & 63) & 1;
}

/* Free hexes in a row behind `spot`.  One load sees at least 57 bits; only a
 * row of more hexes than that needs the loop. */
static int run_up(const uint64_t *words, int spot)
{
    uint64_t ahead = load(words, (spot + 1) >> 3) >> ((spot + 1) & 7);
    if (__builtin_expect(ahead != 0, 1))
        return __builtin_ctzll(ahead);
    int run = 0;
    while (!blocked(words, spot + 1 + run))
        run++;
    return run;
}

/* The same in front of it. */
static int run_down(const uint64_t *words, int spot)
{
    uint64_t behind = load(words, ((spot - 1) >> 3) - 7)
                      << (7 - ((spot - 1) & 7));
    if (__builtin_expect(behind != 0, 1))
        return __builtin_clzll(behind);
    int run = 0;
    while (!blocked(words, spot - 1 - run))
        run++;
    return run;
}

/* ---- moves ---- */

/* Writes `count` actions four at a time: what is written too much lies behind
 * the end of the list and is overwritten by the next run. */
static action *put_run(action *out, const uint32_t *hex, int count,
                       action base)
{
    for (int i = 0; i < count; i += 4)
        for (int k = 0; k < 4; k++)
            out[i + k] = base | hex[i + k];
    return out + count;
}

static action *put_moves(const struct world *w, const struct state *s, int hex,
                         action *out)
{
    action base = pack(MOVE, hex, 0);
    for (int axis = 0; axis < AXES; axis++) {
        const uint64_t *words = s->lines.word[axis];
        int spot = w->spot[hex][axis];
        const uint32_t *here = &w->hex_at[axis][spot];
        int down = run_down(words, spot), up = run_up(words, spot);
        out = put_run(out, here - down, down, base);
        out = put_run(out, here + 1, up, base);
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

static bool move_returns(const struct world *w, const struct state *s,
                         int from, int to)
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

/* Takes the forbidden moves out of a list, keeping its order. */
static int without_returns(const struct world *w, const struct state *s,
                           action *list, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!move_returns(w, s, from_of(list[i]), to_of(list[i])))
            list[kept++] = list[i];
    return kept;
}

/* ---- lists ---- */

static int list_moves(const struct world *w, const struct state *s,
                      action *out)
{
    action *end = out;
    BITS_EACH(hex, s->pioneers[s->seat])
        end = put_moves(w, s, hex, end);
    int count = (int)(end - out);
    return return_tested(w, s) ? without_returns(w, s, out, count) : count;
}

/* nova §4: on a free hex next to a pioneer that moved this turn and is still
 * on the board. */
static int list_stones(const struct world *w, const struct state *s,
                       action *out)
{
    if (s->act == 1 || !stones_left(w, s))
        return 0;
    int count = 0;
    struct bits around = {{0}};
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now != GONE)
            around = bits_or(around, &w->near[s->moved[i].now]);
    BITS_EACH(hex, around)
        if (is_free(w, s, hex) && !stone_leaves_home(w, s, hex))
            out[count++] = pack(STONE, 0, hex);
    return count;
}

static int list_placements(const struct world *w, const struct state *s,
                           action *out)
{
    struct bits free = free_hexes(w, s);
    int count = 0;
    BITS_EACH(hex, free)
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
    BITS_EACH(hex, s->pioneers[seat])
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
