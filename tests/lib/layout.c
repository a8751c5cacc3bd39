/* tests/lib/layout.c: numbers and layouts of terra.h as the compiler sees them;
 * abi_test.py compares them with what was promised. */
#include "lib/terra.h"

#include <stdio.h>

#define SIZE(type) printf("size %s %zu\n", #type, sizeof(struct type))
#define AT(type, field)                                                        \
    printf("at %s.%s %zu %zu\n", #type, #field, offsetof(struct type, field),  \
           sizeof(((struct type *)0)->field))
#define NUMBER(name) printf("number %s %d\n", #name, (int)name)

int main(void)
{
    NUMBER(TERRA_SEATS);
    NUMBER(TERRA_ACTIONS);
    NUMBER(TERRA_NOBODY);
    NUMBER(TERRA_EVERYTHING);
    NUMBER(TERRA_REFUSED);
    SIZE(terra_result);
    AT(terra_result, points);
    AT(terra_result, place);
    AT(terra_result, reason);
    SIZE(terra_batch);
    AT(terra_batch, count);
    AT(terra_batch, reset);
    AT(terra_batch, states);
    AT(terra_batch, seeds);
    AT(terra_batch, seat);
    AT(terra_batch, offset);
    AT(terra_batch, actions);
    AT(terra_batch, choice);
    AT(terra_batch, points);
    AT(terra_batch, place);
    AT(terra_batch, done);
    return 0;
}
