/* tests/mutants/fingerprint.c GAME: the number of `terra bench --fingerprint`,
 * for tools/mutants, which links it with changed rules. */
#include "cli/bench.h"
#include "rules/rules.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const struct game *game = argc == 2 ? rules_find(argv[1]) : NULL;
    if (!game)
        return 2;
    printf("%u\n", bench_fingerprint(game));
    return 0;
}
