/* rules/mystica/ledger_server.c: what the public server writes by itself.
 *
 * Income and end scoring happen here at once; its ledgers show them in rows
 * of their own, one per faction. */
#include "rules/mystica/ledger_parts.h"

/* Section of the end scoring by name: 0 extra, 1-4 cults, 5 network. */
int ledger_section(struct span name)
{
    int track = find_track(name);
    if (track >= 0)
        return 1 + track;
    if (same_word(name, "network"))
        return SECTION_NETWORK;
    for (int i = FINAL_DISTANCE; i <= FINAL_CLUSTERS; i++)
        if (same_word(name, final_names[i]))
            return 0;
    return -1;
}

static int section_points(const struct ledger *l, int section, int seat)
{
    if (section == 0)
        return l->final.extra[seat];
    return section == SECTION_NETWORK ? l->final.network[seat]
                                      : l->final.cult[section - 1][seat];
}

/* Plays everything up to the end scoring and computes it. */
bool ledger_reach_end(struct ledger *l)
{
    if (l->scored)
        return true;
    while (l->s->phase != PHASE_OVER) {
        bool last = l->s->phase == PHASE_ACTIONS && l->s->round == ROUNDS &&
                    l->s->active == NO_SEAT && !l->s->offer_count;
        if (last) {
            l->before = *l->s;
            final_scores(l->w, l->s, &l->final);
            for (int seat = 0; seat < l->seats; seat++)
                l->running[seat] = l->s->seat[seat].vp;
        }
        if (!ledger_go_on(l))
            return ledger_fail_text(l, LEDGER_ROUND,
                                    "not everybody has passed");
    }
    l->scored = true;
    return true;
}

bool ledger_score_row(struct ledger *l, int seat, int section, int claimed)
{
    if (!ledger_reach_end(l))
        return false;
    int points = section == SECTION_RESOURCES
                     ? l->final.resources[seat]
                     : section_points(l, section, seat);
    l->running[seat] += points;
    l->paid[seat] |= (uint8_t)(1 << section);
    l->taken = true;
    l->snapshot =
        ledger_values(section == SECTION_RESOURCES ? &l->s->seat[seat]
                                                   : &l->before.seat[seat]);
    l->snapshot.vp = l->running[seat];
    if (claimed < 0 || claimed == points)
        return true;
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[l->faction[seat]].id);
    text_put(&t, " expected ");
    text_int(&t, claimed);
    text_put(&t, " VP, found ");
    text_int(&t, points);
    text_end(&t);
    return ledger_differ(l, LEDGER_FINAL, subject);
}

/* "+8vp for FIRE" or "vp for FIRE" */
bool ledger_is_scoring(struct span command, int *section, int *points)
{
    struct span rest = command, first = span_word(&rest);
    struct span second = span_word(&rest);
    if (!same_word(second, "for"))
        return false;
    *section = ledger_section(span_trim(rest));
    *points = -1;
    if (same_word(first, "vp"))
        return *section >= 0;
    long number;
    if (first.length < 4 || first.at[0] != '+')
        return false;
    struct span digits = {first.at + 1, first.length - 3};
    if (!span_int(digits, 0, 99, &number))
        return false;
    *points = (int)number;
    return *section >= 0;
}

/* Income rows: everybody's income of that kind is paid with the first. */
bool ledger_income_row(struct ledger *l, int seat, bool cult, bool merged)
{
    if (merged && seat != l->s->order[0]) {
        l->taken = true;
        l->snapshot = ledger_values(&l->s->seat[seat]);
    }
    if (cult && l->s->phase == PHASE_ACTIONS)
        while (l->s->phase == PHASE_ACTIONS && ledger_go_on(l)) {
        }
    if (!cult)
        while ((l->s->phase == PHASE_ACTIONS || l->s->phase == PHASE_CULT ||
                l->s->phase == PHASE_CARDS) &&
               ledger_go_on(l)) {
        }
    int wanted = cult ? PHASE_CULT : PHASE_INCOME;
    int payee = merged && seat != l->s->order[0] ? l->s->order[0] : seat;
    unsigned *paid = cult ? &l->paid_cult : &l->paid_other;
    if (!*paid)
        l->place = -1;
    *paid |= 1u << payee;
    if (l->s->phase != wanted)
        return ledger_fail_text(l, LEDGER_ROUND,
                                "income before everybody has passed");
    return ledger_income_order(l, payee);
}

/* Old tables pay cult bonus and income in one row; the spades wait. */
bool ledger_income_together(struct ledger *l, int seat)
{
    struct state *s = l->s;
    uint8_t spades[SEATS];
    while (s->phase == PHASE_ACTIONS && ledger_go_on(l)) {
    }
    for (int i = 0; i < SEATS && s->phase == PHASE_CULT; i++) {
        spades[i] = s->seat[i].spades;
        s->seat[i].spades = 0;
    }
    if (s->phase == PHASE_CULT && advance_once(l->w, s))
        for (int i = 0; i < SEATS; i++)
            s->seat[i].spades = spades[i];
    l->paid_cult |= 1u << seat;
    l->together = true;
    return ledger_income_row(l, seat, false, false);
}

/* Every faction has its rows of income, also one that has left. */
bool ledger_check_income(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->is_table; seat++) {
        bool cult = l->s->round == 1 || (l->paid_cult >> seat & 1);
        if (cult && (l->paid_other >> seat & 1))
            continue;
        if (!ledger_miss(l, seat,
                         cult ? "other_income_for_faction"
                              : "cult_income_for_faction"))
            return false;
    }
    l->paid_cult = l->paid_other = 0;
    return true;
}

/* The row of a dropped faction has no command: the section tells it. */
bool ledger_silent_row(struct ledger *l, int seat)
{
    if (l->sections)
        return ledger_score_row(l, seat, l->section, -1);
    return ledger_income_row(l, seat, !l->other_section, false);
}

bool ledger_check_sections(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->is_table && l->sections; seat++) {
        for (int section = 0; section <= SECTION_RESOURCES; section++) {
            /* Resources have a row even where they bring nothing. */
            bool due = section == SECTION_RESOURCES ||
                       section_points(l, section, seat);
            if (due && !(l->paid[seat] >> section & 1) &&
                !ledger_miss(l, seat,
                             section == SECTION_RESOURCES
                                 ? "score_resources"
                                 : "+vp in the end scoring"))
                return false;
        }
    }
    return !l->is_table || !l->sections || ledger_check_section_lines(l);
}

bool ledger_check_claims(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->claims; seat++) {
        int found = l->s->seat[seat].vp - l->before.seat[seat].vp;
        struct row row = {.faction = l->faction[seat], .line = l->line};
        if (!ledger_compare_number(l, &row, "final VP", l->claimed[seat],
                                   found))
            return false;
    }
    return true;
}
