/* rules/nova/list.c: writing long lists of actions fast.
 *
 * Nearly all time of a random game is spent here.  list_avx2.c compiles this
 * file once more for processors with vectors of 256 bits. */
#include "rules/nova/list.h"

#include "rules/nova/state.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define INLINE inline __attribute__((always_inline))

/* Eight actions at once. */
static INLINE void put_eight(const uint16_t *eight, unsigned plus, action *out)
{
#ifdef __AVX2__ /* what compilers make of the loop takes twice as long */
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)eight));
    __m256i sum = _mm256_add_epi32(wide, _mm256_set1_epi32((int)plus));
    _mm256_storeu_si256((void *)out, sum);
#else
    for (int i = 0; i < 8; i++)
        out[i] = eight[i] + plus;
#endif
}

/* ---- moves ---- */

/* Along one axis the free hexes before and behind a pioneer make one stretch
 * of world.move. */
struct stretch {
    const uint16_t *move;
    long before, length;
};

/* With the pioneer's own bit, always set, at place 0, the free hexes before it
 * are the zeros on top, and those behind it the zeros up to the second set
 * bit. */
static INLINE struct stretch stretch_at(const struct world *w,
                                        const struct state *s,
                                        const struct spot *spot)
{
    uint64_t line = line_from(s, spot);
    long before = __builtin_clzll(line);
    long second = __builtin_ctzll(line & (line - 1));
    return (struct stretch){w->move + (spot->move - before), before,
                            before + second - 1};
}

/* Always writes sixteen moves, whatever the length of the stretch: that costs
 * less than a loop, and what is too much is overwritten by the next. */
static INLINE action *put_stretch(struct stretch x, action *out)
{
    put_eight(x.move, 0, out);
    put_eight(x.move + 8, 0, out + 8);
    return out + x.length;
}

static INLINE action *put_moves(const struct world *w, const struct state *s,
                                long hex, action *out)
{
    const struct spot *spot = w->spot[hex];
    out = put_stretch(stretch_at(w, s, &spot[0]), out);
    out = put_stretch(stretch_at(w, s, &spot[1]), out);
    return put_stretch(stretch_at(w, s, &spot[2]), out);
}

/* Takes the move to `home` out of a stretch just written, should it be there,
 * by writing again from behind it.  No branch: where home lies differs from
 * turn to turn. */
static INLINE action *take_back(struct stretch x, long steps, uint16_t home,
                                action *end)
{
    long at = x.before + steps - (steps > 0);
    long inside = (unsigned long)at < (unsigned long)x.length;
    long there = inside & (x.move[at & -inside] == home);
    at += (x.length - at) & (there - 1);
    struct stretch rest = {x.move + at + 1, 0, x.length - at - there};
    return put_stretch(rest, end - x.length + at);
}

/* The moves of a pioneer but the one to its home. */
static INLINE action *put_moves_away(const struct world *w,
                                     const struct state *s,
                                     struct moved pioneer, action *out)
{
    uint16_t home = (uint16_t)pack(MOVE, pioneer.now, pioneer.home);
    for (int axis = 0; axis < AXES; axis++) {
        const struct spot *spot = &w->spot[pioneer.now][axis];
        struct stretch x = stretch_at(w, s, spot);
        out = put_stretch(x, out);
        out = take_back(x, w->spot[pioneer.home][axis].bit - spot->bit, home,
                        out);
    }
    return out;
}

/* The members of a set one by one.  The usual loop in a loop is left at a
 * different place each time, which processors guess wrong; this one only
 * depends on the number of members. */
struct walk {
    uint64_t left;
    long base;
};

static INLINE void walk_begin(struct walk walk[BITS_WORDS + 1],
                              const struct bits *set)
{
    for (int i = 0; i < BITS_WORDS; i++) {
        walk->left = set->word[i];
        walk->base = 64 * i;
        walk += set->word[i] != 0;
    }
}

static INLINE action *walk_moves(const struct world *w, const struct state *s,
                                 const struct bits *pioneers, action *out)
{
    struct walk words[BITS_WORDS + 1], *word = words;
    walk_begin(words, pioneers);
    uint64_t left = word->left;
    for (int n = bits_count(pioneers); n > 0; n--) {
        long hex = word->base + __builtin_ctzll(left);
        left &= left - 1;
        long over = left == 0;
        left |= word[1].left & -(uint64_t)over;
        word += over;
        out = put_moves(w, s, hex, out);
    }
    return out;
}

int nova_list_moves_by(const struct world *w, const struct state *s,
                       action *out)
{
    return (int)(walk_moves(w, s, &s->pioneers[s->seat], out) - out);
}

/* Those that moved come last, so that each kind has its own loop. */
int nova_list_bound_by(const struct world *w, const struct state *s,
                       bool others, action *out)
{
    struct bits rest = s->pioneers[s->seat];
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now != GONE)
            bits_drop(&rest, s->moved[i].now);
    action *end = others ? walk_moves(w, s, &rest, out) : out;
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now != GONE)
            end = put_moves_away(w, s, s->moved[i], end);
    return (int)(end - out);
}

/* ---- placements (nova §3) ---- */

int nova_list_placements_by(const struct world *w, const struct state *s,
                            action *out)
{
    struct bits free = free_hexes(w, s);
    action *end = out;
    for (int hex = 0; hex < w->hexes; hex += 8) {
        unsigned eight = free.word[hex >> 6] >> (hex & 63) & 255;
        put_eight(w->member[eight], pack(PLACE, 0, hex), end);
        end += w->members[eight];
    }
    return (int)(end - out);
}
