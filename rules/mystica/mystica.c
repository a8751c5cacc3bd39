/* rules/mystica/mystica.c: the promise of game/game.h, kept by Terra
 * Mystica. */
#include "rules/mystica/mystica.h"

#include "base/hash.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/position.h"
#include "rules/mystica/record.h"
#include "rules/mystica/start.h"
#include "rules/mystica/text.h"

const char *const mystica_endings[] = {
    [ENDING_NONE] = "none",           [ENDING_RESIGN] = "resign",
    [ENDING_TIME] = "time",           [ENDING_AGREED] = "agreed",
    [ENDING_ABANDONED] = "abandoned", [ENDING_GAME] = "six rounds",
    [ENDING_GAME + 1] = NULL,
};

/* Whoever stays ranks before whoever left, however many points. */
static int standing(const struct state *s, int seat)
{
    bool last = s->seat[seat].dropped || s->stopped_by == seat + 1;
    return s->seat[seat].vp - (last ? 100000 : 0);
}

void mystica_result(const struct world *w, const struct state *s,
                    struct result *r)
{
    memset(r, 0, sizeof *r);
    for (int seat = 0; seat < w->seats; seat++) {
        r->points[seat] = s->seat[seat].vp;
        r->place[seat] = 1;
        for (int other = 0; other < w->seats; other++)
            r->place[seat] += standing(s, other) > standing(s, seat);
    }
    r->reason = s->ending;
}

uint32_t mystica_fence(const struct world *w, const struct state *s)
{
    (void)w;
    return s->fence;
}

uint64_t mystica_hash(const struct world *w, const struct state *s)
{
    (void)w;
    return hash_bytes(0, s, offsetof(struct state, source));
}

static void turn(const struct world *w, const struct state *s, unsigned *must,
                 unsigned *may)
{
    flow_turn(w, s, must, may);
}

/* Amounts that no rule limits have the whole byte. */
static const struct action_size sizes[KINDS] = {
    [DO_PICK] = {FACTIONS, 1},
    [DO_BID] = {SEATS, 256},
    [DO_COLOUR] = {VARIABLE + 1, 1},
    [DO_BUILD] = {CELLS, 1},
    [DO_PASS] = {CARDS + 1, 1},
    [DO_CONVERT] = {CONVERTS, 256},
    [DO_BURN] = {256, 1},
    [DO_DIG] = {256, 1},
    [DO_TRANSFORM] = {CELLS, VARIABLE + 1},
    [DO_PLACE] = {CELLS, 1},
    [DO_UPGRADE] = {CELLS, PIECES},
    [DO_SHIP] = {1, 1},
    [DO_SPADE] = {1, 1},
    [DO_SEND] = {TRACKS, 4},
    [DO_ACTION] = {SPACES, 1},
    [DO_FAVOUR] = {FAVOURS + 1, 1},
    [DO_TOWN] = {TOWNS + 1, 1 << TRACKS},
    [DO_STEP] = {TRACKS, 256},
    [DO_DOWN] = {TRACKS, 256},
    [DO_PAY] = {TRACKS, 256},
    [DO_BRIDGE] = {CELLS, CELLS},
    [DO_CONNECT] = {CELLS, 1},
    [DO_LEECH] = {SEATS, 256},
    [DO_DECLINE] = {SEATS, 256},
    [DO_COIN] = {SEATS, 256},
    [DO_UNLOCK] = {KEEP_PRIEST + 1, 1},
    [DO_TOKEN] = {2, 1},
    [DO_FORFEIT] = {FORFEITS, 256},
    [DO_RAVENS] = {RAVENS_VP + 1, 1},
    [DO_ADJUST] = {8, 256},
    [DO_DONE] = {1, 1},
};

const struct game mystica_game = {
    .name = "mystica",
    .title = "Terra Mystica",
    .about = "Twenty factions shape the land, build and serve four cults.",
    .seats_min = 2,
    .seats_max = SEATS,
    .seats_usual = 4,
    .world_size = sizeof(struct world),
    .state_size = sizeof(struct state),
    .actions = {31u << 24, 8, 0, sizes, KINDS},
    .options = mystica_options,
    .faults = mystica_faults,
    .endings = mystica_endings,
    .formats = mystica_formats,
    .features = mystica_features,
    .standing = &mystica_standing,
    .samples = mystica_samples,
    .prepare = mystica_prepare,
    .start = mystica_start,
    .turn = turn,
    .legal = mystica_legal,
    .apply = mystica_apply,
    .drop = mystica_drop,
    .stop = mystica_stop,
    .result = mystica_result,
    .fence = mystica_fence,
    .hash = mystica_hash,
    .measure = mystica_measure,
    .estimate = mystica_estimate,
    .habit = mystica_habit,
    .write_action = mystica_write_action,
    .write_effect = mystica_write_effect,
    .write_state = mystica_write_state,
    .write_scene = mystica_write_scene,
    .write_picture = mystica_write_picture,
    .write_board = mystica_write_board,
    .read_action = mystica_read_action,
    .read_state = mystica_read_state,
};
