/* base/bits.h: sets of up to 256 small numbers, one bit each.
 *
 * Plain loops over four words: compilers turn them into vector code, and the
 * same source runs in WebAssembly. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

enum { BITS_WORDS = 4, BITS_MAX = 256 };

struct bits {
    uint64_t word[BITS_WORDS];
};

static inline bool bits_has(const struct bits *b, int i)
{
    return b->word[i >> 6] >> (i & 63) & 1;
}

static inline void bits_add(struct bits *b, int i)
{
    b->word[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void bits_drop(struct bits *b, int i)
{
    b->word[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static inline bool bits_none(const struct bits *b)
{
    return (b->word[0] | b->word[1] | b->word[2] | b->word[3]) == 0;
}

static inline bool bits_meet(const struct bits *a, const struct bits *b)
{
    uint64_t both = 0;
    for (int i = 0; i < BITS_WORDS; i++)
        both |= a->word[i] & b->word[i];
    return both != 0;
}

/* Is all of a in b? */
static inline bool bits_within(const struct bits *a, const struct bits *b)
{
    uint64_t beyond = 0;
    for (int i = 0; i < BITS_WORDS; i++)
        beyond |= a->word[i] & ~b->word[i];
    return beyond == 0;
}

static inline struct bits bits_and(struct bits a, const struct bits *b)
{
    for (int i = 0; i < BITS_WORDS; i++)
        a.word[i] &= b->word[i];
    return a;
}

static inline struct bits bits_or(struct bits a, const struct bits *b)
{
    for (int i = 0; i < BITS_WORDS; i++)
        a.word[i] |= b->word[i];
    return a;
}

static inline struct bits bits_without(struct bits a, const struct bits *b)
{
    for (int i = 0; i < BITS_WORDS; i++)
        a.word[i] &= ~b->word[i];
    return a;
}

static inline int bits_count(const struct bits *b)
{
#if defined __POPCNT__ || defined __wasm__ || defined __aarch64__
    int count = 0;
    for (int i = 0; i < BITS_WORDS; i++)
        count += __builtin_popcountll(b->word[i]);
    return count;
#else /* without the instruction: all words at once, side by side */
    uint64_t sum = 0;
    for (int i = 0; i < BITS_WORDS; i++) {
        uint64_t x = b->word[i];
        x -= x >> 1 & 0x5555555555555555;
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
        sum += (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    }
    sum = (sum & 0x00ff00ff00ff00ff) + (sum >> 8 & 0x00ff00ff00ff00ff);
    return (int)(sum * 0x0001000100010001 >> 48);
#endif
}

/* The smallest member, or -1. */
static inline int bits_first(const struct bits *b)
{
    for (int i = 0; i < BITS_WORDS; i++)
        if (b->word[i])
            return 64 * i + __builtin_ctzll(b->word[i]);
    return -1;
}

/* Visits the members in ascending order; the set must not change meanwhile.
 * `break` inside only ends this member's turn, like `continue`. */
#define BITS_EACH(member, set)                                                 \
    for (int word_ = 0; word_ < BITS_WORDS; word_++)                           \
        for (uint64_t left_ = (set).word[word_], once_; left_;                 \
             left_ &= left_ - 1)                                               \
            for (int member = 64 * word_ + __builtin_ctzll((once_ = left_));   \
                 once_; once_ = 0)

#endif
