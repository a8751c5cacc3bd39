/* rules/mystica/ledger_check.c: a ledger against the state. */
#include "rules/mystica/ledger_parts.h"

static const struct {
    const char *name, *phrase;
} words[] = {
    [REMARK_DIFFERENCE] = {"difference", "difference:"},
    [REMARK_BRIDGE] = {"bridge", "tolerated: second bridge on a pair,"},
    [REMARK_RING] = {"ring", "tolerated: stop on the ring colour,"},
    [REMARK_COINS] = {"coins", "tolerated: 3 coins for 1 VP,"},
    [REMARK_CORRECTION] = {"correction", "tolerated: correction by hand,"},
    [REMARK_DOWN] = {"down", "tolerated: step down before a town tile,"},
    [REMARK_LATE_STEP] = {"late-step", "tolerated: late cult step,"},
    [REMARK_UNUSED_RIGHT] = {"unused-right", "tolerated: a right left unused,"},
    [REMARK_LAPSED] = {"lapsed", "open offers lapsed, taken as declined by"},
    [REMARK_UNUSED_SPADES] = {"unused-spades", "unused spades forfeited by"},
    [REMARK_DECLINED] = {"declined", "open offer taken as declined by"},
    [REMARK_RIVER] = {"river",
                      "tolerated: skipped river cell not named, taken"},
    [REMARK_LEECH] = {"leech", "tolerated: power taken without an offer by"},
    [REMARK_TOWN] = {"town", "the town that grows is not named, taken that of"},
    [REMARK_DIG] = {"dig", "tolerated: spades opened and not used,"},
    [REMARK_UNFINISHED] = {"unfinished", "the game is not over"},
};

/* One line for people, see game/record.h. */
void ledger_remark(struct ledger *l, enum remark what, const char *subject)
{
    struct text *t = &l->remarks;
    text_put(t, "line ");
    text_int(t, l->line);
    text_put(t, ": ");
    text_put(t, words[what].phrase);
    if (subject[0]) {
        text_put(t, " '");
        text_put(t, subject);
        text_char(t, '\'');
    }
    text_put(t, " (");
    text_put(t, words[what].name);
    text_put(t, ")\n");
}

/* What follows from a difference does not hide it. */
bool ledger_fail(struct ledger *l, int code, struct span subject)
{
    if (l->differences && !l->r->all) {
        *l->f = l->first;
        return false;
    }
    return fault_span(l->f, code, l->line, 0, subject.at, subject.length);
}

bool ledger_fail_text(struct ledger *l, int code, const char *subject)
{
    return ledger_fail(l, code, span_of(subject));
}

/* A difference ends the reading, or is noted and the file believed. */
bool ledger_differ(struct ledger *l, int code, const char *subject)
{
    if (l->differences++ == 0)
        fault_set(&l->first, code, l->line, 0, subject);
    if (!l->r->all)
        return ledger_fail_text(l, code, subject);
    ledger_remark(l, REMARK_DIFFERENCE, subject);
    return true;
}

/* A row that should stand before this line. */
bool ledger_miss(struct ledger *l, int seat, const char *command)
{
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[l->faction[seat]].id);
    text_char(&t, ' ');
    text_put(&t, command);
    text_end(&t);
    return ledger_differ(l, LEDGER_MISSING, subject);
}

struct values ledger_values(const struct seat *p)
{
    struct values v = {p->vp,
                       p->coins,
                       p->workers,
                       p->priests,
                       {p->bowl[0], p->bowl[1], p->bowl[2]},
                       {p->cult[0], p->cult[1], p->cult[2], p->cult[3]}};
    return v;
}

bool ledger_compare_number(struct ledger *l, const struct row *row,
                           const char *what, int expected, int found)
{
    if (expected == found)
        return true;
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[row->faction].id);
    text_char(&t, ' ');
    text_put(&t, what);
    text_put(&t, " expected ");
    text_int(&t, expected);
    text_put(&t, ", found ");
    text_int(&t, found);
    text_end(&t);
    int line = l->line;
    l->line = row->line;
    bool good = ledger_differ(l, LEDGER_VALUES, subject);
    l->line = line;
    return good;
}

/* Believes the file, so that one difference is not reported for ever. */
static void take_over(struct seat *p, const struct values *v)
{
    p->vp = (int16_t)v->vp;
    p->coins = (int16_t)v->coins;
    p->workers = (int16_t)v->workers;
    p->priests = (uint8_t)v->priests;
    for (int i = 0; i < 3; i++)
        p->bowl[i] = (uint8_t)v->bowl[i];
    for (int i = 0; i < TRACKS; i++)
        p->cult[i] = (uint8_t)v->cult[i];
}

static bool compare_values(struct ledger *l, const struct row *row)
{
    static const char *const bowls[3] = {"bowl I", "bowl II", "bowl III"};
    int seat = ledger_seat(l, row->faction), before = l->differences;
    struct values found = ledger_values(&l->s->seat[seat]);
    if (l->taken && row == l->row)
        found = l->snapshot;
    const struct values *v = &row->values;
    bool good = ledger_compare_number(l, row, "VP", v->vp, found.vp) &&
                ledger_compare_number(l, row, "C", v->coins, found.coins) &&
                ledger_compare_number(l, row, "W", v->workers, found.workers) &&
                ledger_compare_number(l, row, "P", v->priests, found.priests);
    for (int i = 0; i < 3; i++)
        good = good && ledger_compare_number(l, row, bowls[i], v->bowl[i],
                                             found.bowl[i]);
    for (int i = 0; i < TRACKS; i++)
        good = good && ledger_compare_number(l, row, track_names[i], v->cult[i],
                                             found.cult[i]);
    if (good && l->differences > before && !l->taken)
        take_over(&l->s->seat[seat], v);
    return good;
}

static bool compare_offers(struct ledger *l, const struct row *row)
{
    int found[SEATS], open = 0;
    for (int i = 0; i < SEATS; i++)
        if (l->offered[i])
            found[open++] = l->offered[i];
    struct span rest = row->offers, word;
    bool same = true;
    while ((word = span_word(&rest)).length) {
        long amount = 0;
        int at = 0;
        span_int(word, 1, 99, &amount);
        while (at < open && found[at] != amount)
            at++;
        if (at == open)
            same = false;
        else
            found[at] = found[--open];
    }
    if (same && open == 0)
        return true;
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[row->faction].id);
    text_put(&t, " expected '");
    text_bytes(&t, row->offers.at, row->offers.length);
    text_put(&t, "', found '");
    for (int i = 0, n = 0; i < SEATS; i++)
        if (l->offered[i]) {
            text_put(&t, n++ ? " " : "");
            text_int(&t, l->offered[i]);
        }
    text_char(&t, '\'');
    text_end(&t);
    return ledger_differ(l, LEDGER_OFFERS, subject);
}

bool ledger_run_deferred(struct ledger *l)
{
    if (!l->deferred)
        return true;
    l->deferred = false;
    return compare_values(l, &l->deferred_row);
}

/* The values changes are stated for: power counts II + 2 III, cults count the
 * steps still to be taken. */
static void changing_values(const struct ledger *l, const struct row *row,
                            int seat, int value[CHANGES])
{
    const struct values *v = &row->values;
    const struct seat *p = &l->s->seat[seat];
    value[0] = v->vp;
    value[1] = v->coins;
    value[2] = v->workers;
    value[3] = v->priests;
    value[4] = v->bowl[1] + 2 * v->bowl[2];
    value[5] = p->steps_due + p->block_due + l->unused[seat];
    if (faction_of(p)->reaction == REACT_STEP)
        value[5] += l->announced[seat];
    for (int track = 0; track < TRACKS; track++)
        value[5] += v->cult[track];
}

/* The Lava Pond's token comes before the income and is in the values only. */
static bool is_pond_token(const struct ledger *l, const struct row *row,
                          int seat, int what, int missing)
{
    return what == 4 && missing == 2 &&
           has_tile(&l->s->seat[seat], TILE_POND) &&
           same_word(row->commands, "other_income_for_faction");
}

static bool differ_change(struct ledger *l, const struct row *row, int what,
                          int expected)
{
    static const char *const names[CHANGES] = {"VP", "C",  "W",
                                               "P",  "PW", "cult"};
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[row->faction].id);
    text_char(&t, ' ');
    text_put(&t, names[what]);
    text_put(&t, " change expected ");
    text_int(&t, expected);
    text_put(&t, ", found ");
    text_int(&t, row->change[what]);
    text_end(&t);
    return ledger_differ(l, LEDGER_CHANGE, subject);
}

/* Values of the last row and the changes of this one give its values. */
bool ledger_compare_changes(struct ledger *l, const struct row *row, int seat)
{
    int value[CHANGES];
    bool first = !l->seen[seat];
    changing_values(l, row, seat, value);
    if (first && !same_word(row->commands, "setup") &&
        !ledger_differ(l, LEDGER_MISSING, "the setup of this faction"))
        return false;
    for (int i = 0; i < CHANGES; i++) {
        int change = first ? 0 : value[i] - l->last[seat][i];
        l->last[seat][i] = value[i];
        if (i == 5 && l->s->seat[seat].dropped)
            continue; /* its open steps are gone */
        if (change != row->change[i] &&
            !is_pond_token(l, row, seat, i, change - row->change[i]) &&
            !differ_change(l, row, i, change))
            return false;
    }
    l->seen[seat] = true;
    return true;
}

/* Rows that stand before the one which makes them true. */
static bool is_ahead(const struct ledger *l, const struct row *row)
{
    bool free_token = shape_rules[l->w->option[OPT_VARIABLE]].free_token &&
                      factions[row->faction].reaction == REACT_TOKEN;
    return starts_with(row->commands, "[all opponents declined") ||
           (free_token && starts_with(row->commands, "[opponent accepted"));
}

bool ledger_compare_row(struct ledger *l, const struct row *row)
{
    bool declined = is_ahead(l, row);
    if (!declined && !ledger_run_deferred(l))
        return false;
    if (!row->has_values)
        return true;
    if (declined) {
        l->deferred = true;
        l->deferred_row = *row;
        return true;
    }
    return compare_values(l, row) && compare_offers(l, row);
}
