/* rules/terrax/terrax.c: the promise of game/game.h, kept by Terra-X. */
#include "rules/terrax/state.h"

_Static_assert(sizeof(struct state) <= 2048, "a state is at most 2 KB");

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
    .action_bits = 0x00007fff,
    .options = terrax_options,
    .faults = terrax_faults,
    .endings = terrax_endings,
    .formats = terrax_formats,
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
    .estimate = terrax_estimate,
    .rank = terrax_rank,
    .write_action = terrax_write_action,
    .write_effect = terrax_write_effect,
    .write_state = terrax_write_state,
    .write_scene = terrax_write_scene,
    .write_picture = terrax_write_picture,
    .write_board = terrax_write_board,
    .read_action = terrax_read_action,
    .read_state = terrax_read_state,
};
