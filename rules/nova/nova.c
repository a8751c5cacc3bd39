/* rules/nova/nova.c: Terra Nova as a game among others. */
#include "rules/nova/survey.h"

#include "base/hash.h"
#include "rules/nova/faults.h"

const char *const nova_endings[] = {
    [ENDING_NONE] = "none",
    [ENDING_RESIGN] = "resign",
    [ENDING_TIME] = "time",
    [ENDING_AGREED] = "agreed",
    [ENDING_ABANDONED] = "abandoned",
    [END_DIVIDED] = "divided",
    [END_ALONE] = "alone",
    [END_WIPED] = "wiped",
    [END_STONES] = "stones",
    [END_QUIET] = "quiet",
    [END_COUNT] = NULL,
};

static void turn(const struct world *w, const struct state *s, unsigned *must,
                 unsigned *may)
{
    (void)w;
    *must = s->reason ? 0 : 1u << s->seat;
    *may = 0;
}

static uint32_t fence(const struct world *w, const struct state *s)
{
    (void)w;
    return s->turns;
}

/* The moved pioneers enter as a sum: their order does not matter to play. */
static uint64_t hash(const struct world *w, const struct state *s)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->moved_count; i++)
        sum += rng_mix((uint64_t)s->moved[i].home << 16 | s->moved[i].now);
    uint64_t h = hash_word(sum, (uint64_t)s->seat | (uint64_t)s->act << 8 |
                                    (uint64_t)s->placed << 16 |
                                    (uint64_t)s->reason << 24);
    h = hash_word(h, s->reason ? 0 : s->out);
    (void)w;
    h = hash_bytes(h, s->hand, sizeof s->hand);
    h = hash_word(h, (uint64_t)(uint32_t)s->supply << 32 | (uint32_t)s->quiet);
    h = hash_bytes(h, s->score, sizeof s->score);
    h = hash_bytes(h, &s->stones, sizeof s->stones);
    return hash_bytes(h, s->pioneers, sizeof s->pioneers);
}

_Static_assert(sizeof(struct state) <= 1024, "a state is at most 1 KB");

static const struct action_size sizes[] = {
    [MOVE] = {BOARD_HEXES, BOARD_HEXES},
    [STONE] = {1, BOARD_HEXES},
    [PLACE] = {1, BOARD_HEXES},
    [PASS] = {1, 1},
};

const struct game nova_game = {
    .name = "nova",
    .title = "Terra Nova",
    .about = "Move pioneers, wall off land with border stones, hold the "
             "majority in every territory you close.",
    .seats_min = 2,
    .seats_max = NOVA_SEATS,
    .seats_usual = 2,
    .world_size = sizeof(struct world),
    .state_size = sizeof(struct state),
    .actions = {3 << 16, 8, 0, sizes, PASS + 1},
    .options = nova_options,
    .faults = nova_faults,
    .endings = nova_endings,
    .formats = nova_formats,
    .features = nova_features,
    .prepare = nova_prepare,
    .start = nova_start,
    .turn = turn,
    .legal = nova_legal,
    .apply = nova_apply,
    .drop = nova_drop,
    .stop = nova_stop,
    .result = nova_result,
    .fence = fence,
    .hash = hash,
    .measure = nova_measure,
    .estimate = nova_estimate,
    .rank = nova_rank,
    .memo_size = sizeof(struct memo),
    .forget = nova_forget,
    .write_action = nova_write_action,
    .write_effect = nova_write_effect,
    .write_state = nova_write_state,
    .write_scene = nova_write_scene,
    .write_picture = nova_write_picture,
    .write_board = nova_write_board,
    .read_action = nova_read_action,
    .read_state = nova_read_state,
};
