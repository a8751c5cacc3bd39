/* rules/mystica/standing.c: answers to power offers settled beforehand. */
#include "rules/mystica/gain.h"
#include "rules/mystica/legal.h"
#include "rules/mystica/mystica.h"

/* From RULE_PRICE on: the most victory points the power may cost. */
enum { RULE_ASK, RULE_ALWAYS, RULE_NEVER, RULE_PRICE };

static const char *const rules[] = {"ask", "always", "never", "0", "1",
                                    "2",   "3",      "4",     "5", "6",
                                    "7",   "8",      "9",     NULL};

/* Where coins can be had instead (mystica §18) the choice is not a matter of
 * price alone. */
static const action *first_decline(const action *legal, int count)
{
    const action *found = NULL;
    for (int i = 0; i < count; i++) {
        if (act_kind(legal[i]) == DO_COIN)
            return NULL;
        if (!found && act_kind(legal[i]) == DO_DECLINE)
            found = &legal[i];
    }
    return found;
}

/* mystica §7: power costs one victory point less than it is. */
static bool wanted(const struct seat *p, int rule, int amount)
{
    int gain = offer_gain(p, amount);
    return gain > 0 && (rule == RULE_ALWAYS ||
                        (rule >= RULE_PRICE && gain - 1 <= rule - RULE_PRICE));
}

static bool answer(const struct world *w, const struct state *s, int seat,
                   int rule, action *out)
{
    action legal[GAME_ACTIONS];
    int count = mystica_legal(w, s, seat, legal);
    const action *decline = first_decline(legal, count);
    if (rule == RULE_ASK || !decline)
        return false;
    bool take = wanted(&s->seat[seat], rule, act_b(*decline));
    *out = take ? act(DO_LEECH, act_a(*decline), act_b(*decline)) : *decline;
    return true;
}

const struct standing_rules mystica_standing = {rules, answer};
