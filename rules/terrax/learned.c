/* rules/terrax/learned.c: what the facts of prospect.c are worth, in
 * thousandths of a point.
 *
 * They come from games of bots:
 *
 *     terrax-train 2 1500 1 | clang-format
 */
#include "rules/terrax/state.h"

const int tx_learned[FACTS] = {
    207,  403,  -241, 1109, -125,  93,    1355,  324,   839, 66,   -247,
    366,  -586, -74,  112,  -1034, -143,  -1090, -212,  12,  147,  294,
    4493, 18,   -14,  -56,  -230,  475,   3564,  134,   222, -371, -502,
    90,   528,  6828, 4062, -437,  -1696, -929,  -2786,
};
