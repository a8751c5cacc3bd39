/* tests/rules/nova/portable.c: the one look that tests take into a world. */
#include "rules/nova/state.h"

void both_portable_world(struct world *w);

void both_portable_world(struct world *w)
{
    w->avx2 = false;
}
