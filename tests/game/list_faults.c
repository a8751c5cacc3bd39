/* tests/game/list_faults.c: prints every fault of every game, for
 * tools/faults. */
#include "rules/rules.h"

#include <stdio.h>

int main(void)
{
    for (const struct fault_text *i = fault_shared(); i->name; i++)
        if (i->code != FAULT_NONE)
            printf("shared %s\n", i->name);
    for (int game = 0; rules_games[game]; game++)
        for (const struct fault_text *i = rules_games[game]->faults; i->name;
             i++)
            printf("%s %s\n", rules_games[game]->name, i->name);
    return 0;
}
