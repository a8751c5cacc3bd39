/* search/value.h: numbers of the search, without the mathematical library.
 *
 * Leads in thousandths of a point are bent into -1..1: a point more matters
 * less the clearer a game is decided.  Single floats and correctly rounded
 * operations only, so that WebAssembly computes the same bits. */
#ifndef SEARCH_VALUE_H
#define SEARCH_VALUE_H

#include <stdint.h>
#include <string.h>

/* A lead that is clear, in thousandths of a point, if nobody says more. */
#define CLEAR 30000.0f

static inline float value_root(float x)
{
    return __builtin_sqrtf(x);
}

/* x / sqrt(1 + x^2), where 1 is a lead of `scale`. */
static inline float value_bend(int milli, float scale)
{
    float x = (float)milli / scale;
    return x / value_root(1.0f + x * x);
}

static inline int value_unbend(float v, float scale)
{
    v = v > 0.999f ? 0.999f : v < -0.999f ? -0.999f : v;
    return (int)(v / value_root(1.0f - v * v) * scale);
}

/* Nearly exp(-x), from 0 on. */
static inline float value_fall(float x)
{
    return 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * 0.1666667f)));
}

/* Natural logarithm of a number from 1 on, within one in a hundred. */
static inline float value_log(uint32_t number)
{
    float x = (float)number;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    float exponent = (float)((int)(bits >> 23) - 127);
    bits = (bits & 0x7fffff) | 0x3f800000;
    memcpy(&x, &bits, sizeof x);
    return 0.6931472f * (exponent + (2.0f - x / 3.0f) * x - 5.0f / 3.0f);
}

#endif
