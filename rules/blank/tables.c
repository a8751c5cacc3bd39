/* rules/blank/tables.c: options, words and refusals. */
#include "rules/blank/state.h"

static const char *const editions[] = {"quick", "long", NULL};
static const char *const variants[] = {"double", "last", NULL};

const struct option blank_options[] = {
    {"edition", OPTION_CHOICE, editions, 0, 0, 0,
     "quick: three rounds; long: six"},
    {"rounds", OPTION_NUMBER, NULL, 1, ROUNDS, OPTION_UNSET,
     "rounds to play; follows the edition"},
    {"variants", OPTION_SET, variants, 0, 0, VARIANT_DOUBLE,
     "double: the stake may be doubled; last: the last round counts twice"},
    {0},
};

const char *const blank_words[] = {"stay", "fold", "double", "?"};

const char *const blank_endings[] = {
    "none", "resign", "time", "agreed", "abandoned", "rounds", NULL,
};

const struct fault_text blank_faults[] = {
    {BLANK_DECIDED, "illegal.decided", "this seat has decided already",
     "blank §2"},
    {BLANK_EARLY, "illegal.early", "only a seat that has decided may double",
     "blank §3"},
    {BLANK_DOUBLED, "illegal.doubled", "the stake is doubled already",
     "blank §3"},
    {BLANK_SINGLE, "illegal.single", "this match is played without doubling",
     "blank §3"},
    {BLANK_UNSEEN, "illegal.unseen",
     "only one seat's record can hold a hidden choice", "blank §7"},
    {BLANK_POSITION, "position.wrong", "this is no position", "blank §7"},
    {BLANK_LOG, "record.line", "this is no line of a record", "blank §7"},
    {BLANK_RESULT, "record.result", "the recorded result differs", "blank §7"},
    {0, NULL, NULL, NULL},
};
