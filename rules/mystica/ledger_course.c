/* rules/mystica/ledger_course.c: the lines by which a ledger counts.
 *
 * "Round 3, turn 2", "Round 4 income", "Scoring FIRE cult": the public server
 * numbers rounds and turns without a gap, so a row that left no trace in any
 * number, and a line of this kind itself, is still missed.  Only where a
 * faction leaves does it swallow such a line. */
#include "rules/mystica/ledger_parts.h"

/* "Round 3, turn 2", or turn 0 for the income of that round. */
static void put_turn(struct text *t, int round, int turn)
{
    text_put(t, "Round ");
    text_int(t, round);
    text_put(t, turn ? ", turn " : " income");
    if (turn)
        text_int(t, turn);
}

static bool miss_turn(struct ledger *l, int round, int turn)
{
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    put_turn(&t, round, turn);
    text_end(&t);
    return ledger_differ(l, LEDGER_MISSING, subject);
}

static bool still_playing(const struct ledger *l, int seat)
{
    const struct seat *p = &l->s->seat[seat];
    return !p->passed && !p->dropped;
}

/* Everybody who has not passed has had as many turns. */
static bool check_turns(struct ledger *l, int turns)
{
    for (int seat = 0; seat < l->seats; seat++)
        if (still_playing(l, seat) && l->turns[seat] < turns &&
            !ledger_miss(l, seat, "turn"))
            return false;
    return true;
}

static bool check_incomes(struct ledger *l, int round)
{
    int lines = round == 1 || l->together ? 1 : 2;
    bool good = l->disturbed || l->incomes == lines || miss_turn(l, round, 0);
    l->incomes = 0;
    return good;
}

/* The first line of a round. */
static bool begin_round(struct ledger *l, int round)
{
    l->other_section = false;
    while (l->s->phase >= PHASE_CARDS && l->s->phase < PHASE_ACTIONS &&
           ledger_go_on(l)) {
    }
    if (l->is_table && round != l->round + 1 && !miss_turn(l, l->round + 1, 1))
        return false;
    if (l->is_table && !check_incomes(l, round))
        return false;
    memset(l->turns, 0, sizeof l->turns);
    return ledger_check_income(l);
}

bool ledger_turn_line(struct ledger *l, int round, int turn)
{
    bool good = true;
    if (turn == 1)
        good = begin_round(l, round);
    else if (l->is_table)
        good = ((round == l->round &&
                 (turn == l->turn + 1 || (l->disturbed && turn > l->turn))) ||
                miss_turn(l, l->round, l->turn + 1)) &&
               check_turns(l, turn - 1);
    l->round = round;
    l->turn = turn;
    l->disturbed = l->early = false;
    return good;
}

bool ledger_income_line(struct ledger *l, int round)
{
    l->other_section = l->s->phase != PHASE_ACTIONS;
    l->incomes++;
    return !l->is_table || round == l->round + 1 ||
           miss_turn(l, l->round + 1, l->turn ? 0 : 1);
}

/* A seat has begun a turn: that of the last line, unless it plays alone.  The
 * line comes behind the first row of a turn if that row leaves something to
 * be done, but before anybody else's turn. */
bool ledger_count_turn(struct ledger *l, int seat)
{
    bool alone = true;
    l->turns[seat]++;
    if (!l->is_table)
        return true;
    if (l->s->round != l->round)
        return miss_turn(l, l->s->round, 1);
    for (int i = 0; i < l->seats; i++)
        alone &= i == seat || !still_playing(l, i);
    if (l->disturbed || alone || (l->turns[seat] <= l->turn && !l->early))
        return true;
    if (l->turns[seat] > l->turn + 1 || l->early)
        return miss_turn(l, l->round, l->turn + 1);
    l->early = true;
    return true;
}

/* Income is paid in turn order; who has left comes last. */
bool ledger_income_order(struct ledger *l, int seat)
{
    int place = 0;
    while (place < l->seats && l->s->order[place] != seat)
        place++;
    if (l->is_table && place < l->place && !l->s->seat[seat].dropped)
        return ledger_fail_text(l, LEDGER_ROUND,
                                "income out of the turn order");
    l->place = l->s->seat[seat].dropped ? l->place : place;
    return true;
}

/* Which part of the end scoring a line opens, or -1. */
static int section_line(struct span first, struct span second)
{
    if (same_word(first, "Converting"))
        return SECTION_RESOURCES;
    return same_word(first, "Scoring") ? ledger_section(second) : -1;
}

bool ledger_section_line(struct ledger *l, struct span first,
                         struct span second)
{
    int section = section_line(first, second);
    if (section < 0)
        return true;
    l->sections |= 1u << section;
    l->section = section;
    return ledger_reach_end(l);
}

/* The sections stand in the file, the extra one if there is such a tile. */
bool ledger_check_section_lines(struct ledger *l)
{
    for (int section = 0; section <= SECTION_RESOURCES; section++)
        if ((section || l->w->option[OPT_FINAL]) &&
            !(l->sections >> section & 1) &&
            !ledger_differ(l, LEDGER_MISSING,
                           "a line that opens a part of the end scoring"))
            return false;
    return true;
}
