/* rules/terrax/terrax.c: the promise of game/game.h, kept by Terra-X. */
#include "rules/terrax/state.h"

_Static_assert(sizeof(struct state) <= 2048, "a state is at most 2 KB");

/* A card may be CARD_UNKNOWN. */
static const struct action_size sizes[] = {
    [ACT_CLAIM] = {1, CARD_UNKNOWN + 1}, [ACT_LATE] = {1, CARD_UNKNOWN + 1},
    [ACT_REMOVE] = {COLOURS, 1},         [ACT_CHEQUE] = {COLOURS, SLOTS},
    [ACT_SWAP] = {1, CARD_UNKNOWN + 1},  [ACT_GREEN] = {COLOURS, SLOTS},
    [ACT_MARK] = {1, CARD_UNKNOWN + 1},  [ACT_KEEP] = {1, CARD_UNKNOWN + 1},
    [ACT_BASE] = {COLOURS, SLOTS},       [ACT_END] = {1, 1},
    [ACT_LOOP] = {COLOURS, SLOTS},
};

const struct game terrax_game = {
    .name = "terrax",
    .title = "Terra-X",
    .about = "Three expeditions cross the world map; everybody steers them "
             "towards secret missions.",
    .seats_min = 2,
    .seats_max = SEATS,
    .seats_usual = 4,
    .world_size = sizeof(struct world),
    .state_size = sizeof(struct state),
    .actions = {15, 4, 6, sizes, ACT_LOOP + 1},
    .options = terrax_options,
    .faults = terrax_faults,
    .endings = terrax_endings,
    .formats = terrax_formats,
    .names_not_utf8 = true,
    .features = terrax_features,
    .prepare = terrax_prepare,
    .start = terrax_start,
    .turn = terrax_turn,
    .legal = terrax_legal,
    .apply = terrax_apply,
    .drop = terrax_drop,
    .stop = terrax_stop,
    .result = terrax_result,
    .fence = terrax_fence,
    .hash = terrax_hash,
    .observe = terrax_observe,
    .complete = terrax_complete,
    .belief = terrax_belief,
    .measure = terrax_measure,
    .estimate = terrax_estimate,
    .rank = terrax_rank,
    .prospect = terrax_prospect,
    .write_action = terrax_write_action,
    .write_effect = terrax_write_effect,
    .write_state = terrax_write_state,
    .write_scene = terrax_write_scene,
    .write_picture = terrax_write_picture,
    .write_board = terrax_write_board,
    .read_action = terrax_read_action,
    .read_state = terrax_read_state,
};
