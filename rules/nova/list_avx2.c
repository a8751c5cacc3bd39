/* rules/nova/list_avx2.c: list.c once more, for processors that count zeros
 * and write eight numbers in one instruction each. */
#if defined __x86_64__
#ifdef __clang__
#pragma clang attribute push(                                                  \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))),                     \
    apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#endif

#define nova_list_moves_by      nova_list_moves_avx2
#define nova_list_bound_by      nova_list_bound_avx2
#define nova_list_placements_by nova_list_placements_avx2

#include "rules/nova/list.c" /* NOLINT(bugprone-suspicious-include) */

#if defined __x86_64__ && defined __clang__
#pragma clang attribute pop
#endif
