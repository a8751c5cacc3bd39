/* rules/nova/apply.c: carrying out an action; turn and game ends (nova §4.1,
 * §8). */
#include "rules/nova/state.h"

#include "base/check.h"

/* ---- ends (nova §8) ---- */

static int seats_able_to_move(const struct world *w, const struct state *s)
{
    int able = 0;
    for (int seat = 0; seat < w->seats; seat++)
        able += nova_can_move(w, s, seat);
    return able;
}

static int seats_on_board(const struct world *w, const struct state *s)
{
    int present = 0;
    for (int seat = 0; seat < w->seats; seat++)
        present += !bits_none(&s->pioneers[seat]);
    return present;
}

static bool alone(const struct world *w, const struct state *s)
{
    int able = seats_able_to_move(w, s);
    if (w->option[OPT_ALONE] == ALONE_NOW)
        return able <= 1;
    return able == 0 || seats_on_board(w, s) <= 1;
}

/* Somebody was wiped out by the rules; who left the table does not count. */
static bool wiped(const struct world *w, const struct state *s)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (bits_none(&s->pioneers[seat]) && !(s->out >> seat & 1))
            return true;
    return false;
}

static int end_reason(const struct world *w, const struct state *s)
{
    if (bits_none(&s->live))
        return END_DIVIDED;
    if (alone(w, s))
        return END_ALONE;
    if (w->option[OPT_WIPED] == 1 && wiped(w, s))
        return END_WIPED;
    if (w->option[OPT_OUT_OF_STONES] == 0 && !stones_left(w, s))
        return END_STONES;
    if (w->quiet_turns > 0 && s->quiet >= w->quiet_turns)
        return END_QUIET;
    return ENDING_NONE;
}

/* ---- turns ---- */

static void forget_turn(struct state *s)
{
    memset(s->moved, 0, sizeof s->moved);
    s->moved_count = 0;
    s->placed = 0;
}

/* Nobody is to act any more, so that equal endings are equal states. */
static void finish(struct state *s, int reason)
{
    s->reason = (uint8_t)reason;
    s->seat = 0;
    s->act = 1;
    s->turns++;
    forget_turn(s);
}

/* Seats that have left the table pass by themselves. */
static void end_turn(const struct world *w, struct state *s)
{
    s->quiet = s->placed > 0 ? 0 : s->quiet + 1;
    s->seat = (uint8_t)((s->seat + 1) % w->seats);
    for (; s->out >> s->seat & 1; s->quiet++)
        s->seat = (uint8_t)((s->seat + 1) % w->seats);
    s->act = 1;
    s->turns++;
    forget_turn(s);
    int reason = end_reason(w, s);
    if (reason)
        finish(s, reason);
}

/* After an action of a turn: the next one, or the next seat. */
static void next_action(const struct world *w, struct state *s)
{
    s->act++;
    if (s->act > 3 || !nova_any_action(w, s))
        end_turn(w, s);
}

/* ---- placement (nova §3) ---- */

static bool hands_empty(const struct world *w, const struct state *s)
{
    for (int seat = 0; seat < w->seats; seat++)
        if (s->hand[seat])
            return false;
    return true;
}

/* Who has left puts nothing on the board, but the round goes on as if. */
static void next_placement(const struct world *w, struct state *s)
{
    do {
        s->hand[s->seat]--;
        s->seat = (uint8_t)((s->seat + 1) % w->seats);
        s->turns++;
    } while (!hands_empty(w, s) && s->out >> s->seat & 1);
    if (hands_empty(w, s)) {
        s->act = 1;
        for (s->seat = 0; s->out >> s->seat & 1; s->seat++)
            ;
    }
}

/* ---- actions ---- */

static void apply_move(const struct world *w, struct state *s, int from, int to)
{
    bits_drop(&s->pioneers[s->seat], from);
    bits_add(&s->pioneers[s->seat], to);
    lines_flip(w, s, from);
    lines_flip(w, s, to);
    for (int i = 0; i < s->moved_count; i++)
        if (s->moved[i].now == from) {
            s->moved[i].now = (uint16_t)to;
            return;
        }
    if (s->act < 3) /* nothing looks at the list after the third action */
        s->moved[s->moved_count++] =
            (struct moved){(uint16_t)from, (uint16_t)to};
}

/* Q13: without the right to finish the turn the game stops as soon as a
 * scoring leaves at most one player able to move. */
static bool stops_at_once(const struct world *w, const struct state *s,
                          int closed)
{
    return closed > 0 && w->option[OPT_FINISH_TURN] == 1 && alone(w, s);
}

void nova_apply(const struct world *w, struct state *s, int seat, action a)
{
    struct territory closed[3];
    check(seat == s->seat && !s->reason);
    (void)seat;
    switch (kind_of(a)) {
    case PLACE:
        nova_set_piece(w, s, to_of(a), s->seat);
        next_placement(w, s);
        break;
    case MOVE:
        apply_move(w, s, from_of(a), to_of(a));
        next_action(w, s);
        break;
    case STONE:
        if (stops_at_once(w, s, nova_put_stone(w, s, to_of(a), closed)))
            end_turn(w, s);
        else
            next_action(w, s);
        break;
    default:
        end_turn(w, s);
        break;
    }
}

/* ---- leaving (not in the rule books; docs/rulings.md) ---- */

static int seats_left(const struct world *w, const struct state *s)
{
    return w->seats - __builtin_popcount(s->out);
}

/* The pioneers of a seat that leaves are taken off the board; the seat keeps
 * its place in the order and passes, as one without pioneers does (T40), but
 * is not asked any more. */
void nova_drop(const struct world *w, struct state *s, int seat)
{
    if (s->reason || s->out >> seat & 1)
        return;
    s->out |= (uint8_t)(1u << seat);
    BITS_EACH (hex, s->pioneers[seat])
        lines_flip(w, s, hex);
    memset(&s->pioneers[seat], 0, sizeof s->pioneers[seat]);
    if (seats_left(w, s) < 2)
        finish(s, ENDING_RESIGN);
    else if (s->seat == seat && s->act == PLACING)
        next_placement(w, s);
    else if (s->seat == seat)
        end_turn(w, s);
}

void nova_stop(const struct world *w, struct state *s, int reason, int seat)
{
    (void)w;
    if (s->reason)
        return;
    if (seat != SEAT_NONE)
        s->out |= (uint8_t)(1u << seat);
    finish(s, reason);
}

/* ---- result ---- */

/* Is seat a ahead of seat b?  Who left or gave up is behind all others. */
static bool ahead(const struct world *w, const struct state *s, int a, int b)
{
    int out_a = s->out >> a & 1, out_b = s->out >> b & 1;
    if (out_a != out_b)
        return out_b;
    if (s->score[a] != s->score[b])
        return s->score[a] > s->score[b];
    return w->option[OPT_TIE] == TIE_PIONEERS &&
           bits_count(&s->pioneers[a]) > bits_count(&s->pioneers[b]);
}

void nova_result(const struct world *w, const struct state *s, struct result *r)
{
    memset(r, 0, sizeof *r);
    r->reason = s->reason;
    for (int seat = 0; seat < w->seats; seat++) {
        r->points[seat] = s->score[seat];
        r->place[seat] = 1;
        for (int other = 0; other < w->seats; other++)
            r->place[seat] += ahead(w, s, other, seat);
    }
}
