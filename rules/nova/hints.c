/* rules/nova/hints.c: the weights of the hints, and which code computes them.
 */
#include "rules/nova/survey.h"

#include "base/text.h"

/* Found by play: bench/results/tune.md has the command and the games. */
const struct weights nova_weights = {
    .pioneer = 3000,
    .quiet = 2000,
    .region = {500, 500},
    .seal = {3000, 750, 333, 188, 120, 83, 61, 47, 37, 30, 25, 21, 18, 15, 13,
             12},
};

/* ---- the code that fits the processor ---- */

void nova_estimate(const struct world *w, const struct state *s, int *milli)
{
    (w->avx2 ? nova_estimate_avx2 : nova_estimate_by)(w, s, milli);
}

void nova_rank(const struct world *w, const struct state *s, int seat,
               const action *legal, int count, int *milli)
{
    (w->avx2 ? nova_rank_avx2 : nova_rank_by)(w, s, seat, legal, count, milli);
}

/* ---- weights of one's own, for tuning ---- */

/* "weights: pioneer quiet single pair" in thousandths, then the seals from 1
 * on. */
bool nova_read_weights(struct weights *x, struct span text)
{
    int *const place[] = {&x->pioneer, &x->quiet, &x->region[0], &x->region[1]};
    struct span word;
    for (int i = 0; (word = span_word(&text)).length > 0; i++) {
        long number;
        if (i - 3 >= SEALS || !span_int(word, 0, 1000000, &number))
            return false;
        *(i < 4 ? place[i] : &x->seal[i - 3]) = (int)number;
    }
    return true;
}
