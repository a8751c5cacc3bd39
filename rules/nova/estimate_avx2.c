/* rules/nova/estimate_avx2.c: survey.c and estimate.c once more, for
 * processors with vectors of 256 bits: twice as fast, and the same numbers. */
#if defined __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))),  \
                             apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#endif

#define survey_take      survey_take_avx2
#define survey_find      survey_find_avx2
#define nova_estimate_by nova_estimate_avx2
#define nova_rank_by     nova_rank_avx2
#define nova_sure_lead   sure_lead_avx2

#include "rules/nova/survey.c" /* NOLINT(bugprone-suspicious-include) */

#include "rules/nova/estimate.c" /* NOLINT(bugprone-suspicious-include) */

#if defined __x86_64__ && defined __clang__
#pragma clang attribute pop
#endif
