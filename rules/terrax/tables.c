/* rules/terrax/tables.c: options, faults and other words of Terra-X. */
#include "rules/terrax/state.h"

const char *const terrax_kinds[] = {"mission", "red",  "green",
                                    "start",   "edge", NULL};
const char *const terrax_continents[] = {
    "europe", "asia", "africa", "namerica", "samerica", "oceania", NULL};

static const char *const off_on[] = {"off", "on", NULL};
static const char *const claims[] = {"auto", "manual", NULL};
static const char *const pass[] = {"never", "free", "cheque", NULL};
static const char *const second[] = {"forbid", "nobonus", NULL};
static const char *const ties[] = {"shared", "cheques", "markers", NULL};
static const char *const infos[] = {"public", "hidden", NULL};
static const char *const firsts[] = {"seat1", "random", NULL};

#define CHOICE(name, list, preset, help)                                       \
    {                                                                          \
        name, OPTION_CHOICE, list, 0, 0, preset, help                          \
    }
#define NUMBER(name, low, high, preset, help)                                  \
    {                                                                          \
        name, OPTION_NUMBER, NULL, low, high, preset, help                     \
    }

/* terrax §12, §13 */
const struct option terrax_options[] = {
    CHOICE("claims", claims, 0,
           "own missions are completed by themselves, or "
           "by claim"),
    CHOICE("pass", pass, OPTION_UNSET, "may a turn end without a base arrow"),
    CHOICE("second_loop", second, 0,
           "a second loop in a turn: forbidden, or "
           "without reward"),
    CHOICE("branch_hub", off_on, OPTION_UNSET,
           "a loop arrow may always leave the hub"),
    CHOICE("undo_red", off_on, OPTION_UNSET,
           "a removal back to a red station pays a cheque"),
    CHOICE("undo_open", off_on, 1, "a removal back to an open mission wins it"),
    CHOICE("swap_marked", off_on, 0, "a marked mission may be swapped"),
    CHOICE("claim_present", off_on, 1,
           "a swapped-in card may be completed where a head stands"),
    CHOICE("edge_cheque", off_on, OPTION_UNSET,
           "edge stations pay like red ones"),
    CHOICE("start_shared", off_on, 0,
           "several expeditions may use one start leg"),
    CHOICE("recycle", off_on, 1, "spent cheques refill the bank"),
    CHOICE("tie", ties, OPTION_UNSET, "what breaks a tie"),
    CHOICE("cheque_info", infos, 0, "are others' cheques shown"),
    NUMBER("hand", 0, 13, OPTION_UNSET, "cards each; 0: by number of players"),
    NUMBER("open_min", 0, 9, 3, "least distance of the first open missions"),
    NUMBER("open_count", 0, 10, 6, "open missions"),
    NUMBER("markers", 0, 10, OPTION_UNSET, "markers of each player"),
    NUMBER("mark_min", 0, 9, OPTION_UNSET, "least distance of marked missions"),
    NUMBER("cheques", 0, 10, 3, "cheques at the start"),
    CHOICE("first", firsts, 0, "who begins"),
    NUMBER("max_rounds", 0, 999, 0, "last round; 0: no limit"),
    NUMBER("standstill", 0, 99, 10,
           "rounds without progress that end the game; 0: never"),
    CHOICE("var_short", off_on, 0, "eight cards each with four to six players"),
    CHOICE("var_edge_red", off_on, 0, "preset: edge_cheque=on"),
    CHOICE("var_online", off_on, 0,
           "preset: mark_min=3, undo_red, branch_hub, tie=cheques"),
    CHOICE("var_rest", off_on, 0, "preset: pass=cheque"),
    CHOICE("var_late", off_on, 0,
           "a cheque completes an own mission at a visited place"),
    CHOICE("var_dealt", off_on, 0, "five marked cards are dealt first"),
    CHOICE("var_openhands", off_on, 0, "all hands lie open"),
    CHOICE("var_choose", off_on, 0, "players choose their own missions"),
    {0},
};

const char *const terrax_endings[] = {
    [ENDING_NONE] = "none",           [ENDING_RESIGN] = "resign",
    [ENDING_TIME] = "time",           [ENDING_AGREED] = "agreed",
    [ENDING_ABANDONED] = "abandoned", [END_CARDS] = "cards",
    [END_ARROWS] = "arrows",          [END_DEADLOCK] = "deadlock",
    [END_ROUNDS] = "rounds",          [END_COUNT] = NULL,
};

/* terrax §17 */
const struct fault_text terrax_faults[] = {
    {TX_SYNTAX, "syntax", "this does not fit the notation", "terrax §17"},
    {TX_TAG, "tag", "tag missing, doubled or wrong", "terrax §17"},
    {TX_OPTION, "option", "unknown option or value out of range", "terrax §12"},
    {TX_DEAL, "deal", "the cards are not dealt as the rules say", "terrax §3"},
    {TX_MARKS, "marks", "this marker cannot be placed", "terrax §3"},
    {TX_OVER, "over", "the game is over", "terrax §10"},
    {TX_TURN, "turn", "wrong round or seat, or the turn has ended",
     "terrax §4"},
    {TX_PLACE, "place", "there is no such place", "terrax §17"},
    {TX_RIGHT, "right", "there is no such right", "terrax §4"},
    {TX_SUPPLY, "supply", "no arrow of this colour is left", "terrax §5"},
    {TX_TAIL, "tail", "a loop arrow must leave a visited place", "terrax §7"},
    {TX_LEG, "leg", "no leg joins the two places", "terrax §5"},
    {TX_START, "start", "another expedition began on this start leg",
     "terrax §5"},
    {TX_UTURN, "uturn", "an expedition does not turn around", "terrax §5"},
    {TX_DOUBLE, "double", "an arrow of this colour lies there already",
     "terrax §5"},
    {TX_LOOP2, "loop2", "this would be a second loop in one turn", "terrax §5"},
    {TX_REMOVE, "remove", "there is no such arrow to remove", "terrax §8"},
    {TX_SWAP, "swap", "this card cannot be swapped or kept", "terrax §8"},
    {TX_DRAW, "draw", "these are not the cards of the stack", "terrax §8"},
    {TX_CLAIM, "claim", "this mission cannot be completed now", "terrax §9"},
    {TX_PASS, "pass", "a pass is not allowed", "terrax §4"},
    {TX_BASE, "base", "the base arrow is still due", "terrax §4"},
    {TX_NOTE, "note", "the note contradicts the game", "terrax §17"},
    {TX_RESULT, "result", "score or reason contradicts the game", "terrax §10"},
    {TX_POSITION, "position", "the position is not possible", "terrax §15"},
    {TX_MAP_FILE, "map-file", "the map is not complete", "terrax §2"},
    {TX_MAP_COLUMNS, "map-columns", "the columns are not as they should be",
     "terrax §2"},
    {TX_MAP_ID, "map-id", "bad or doubled id", "terrax §2"},
    {TX_MAP_KIND, "map-kind", "unknown kind or continent", "terrax §2"},
    {TX_MAP_NUMBER, "map-number", "this is no number", "terrax §2"},
    {TX_MAP_EDGE, "map-edge", "edge stations are not paired", "terrax §2"},
    {TX_MAP_COUNT, "map-count", "a map has exactly 79 missions", "terrax §2"},
    {TX_MAP_START, "map-start", "one hub with start legs 1 to 6 is needed",
     "terrax §2"},
    {TX_MAP_LEG, "map-leg", "this leg is not possible", "terrax §2"},
    {TX_MAP_CONNECTED, "map-connected", "the hub cannot be reached from here",
     "terrax §2"},
    {TX_MAP_LIMIT, "map-limit", "the map is too large", "terrax §2"},
    {0, NULL, NULL, NULL},
};
