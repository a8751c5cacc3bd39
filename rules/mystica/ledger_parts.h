/* rules/mystica/ledger_parts.h: what the parts of the ledger reader share.
 *
 *   ledger_lines.c   a line is a row, a comment, or neither
 *   ledger_scan.c    first pass: what the file says about the setup
 *   ledger_play.c    second pass: a player's commands
 *   ledger_server.c  what the server writes itself: income, end scoring
 *   ledger_course.c  the lines that count rounds, turns and sections
 *   ledger_check.c   rows against the state, differences and remarks
 *   ledger.c         both passes, row by row */
#ifndef RULES_MYSTICA_LEDGER_PARTS_H
#define RULES_MYSTICA_LEDGER_PARTS_H

#include "base/text.h"
#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/ledger.h"
#include "rules/mystica/start.h"
#include "rules/mystica/text.h"

enum {
    FIELDS = 15,
    COMMANDS = 48,
    CHANGES = 6,
    SECTION_NETWORK = 5, /* 0: the extra tile, 1 to 4: the cults */
    SECTION_RESOURCES = 6
};

/* What a row says about its faction afterwards. */
struct values {
    int vp, coins, workers, priests, bowl[3], cult[TRACKS];
};

struct row {
    int line;
    int faction;
    bool has_values;
    struct values values;
    int change[CHANGES]; /* VP, C, W, P, power, cults as the row states them */
    struct span offers, commands;
};

struct ledger {
    struct record *r;
    struct fault *f;
    struct world *w;
    struct state *s;
    struct text remarks;
    int line;
    /* first pass */
    int seats, faction[SEATS];
    int players; /* seats, or more if not all have chosen */
    bool seen_setup[FACTIONS];
    uint8_t score[ROUNDS];
    int score_line; /* that named the last of them */
    int first_line; /* that names a faction: the tiles are known by then */
    uint16_t removed;
    int start_vp[SEATS];
    bool random_seed, adjusts, is_table;
    bool says_done; /* ends turns explicitly where it matters */
    bool built;     /* a first dwelling: no more start VP */
    struct span names[SEATS];
    /* second pass */
    const struct row *row;
    int offered[SEATS];
    bool seen[SEATS];               /* a row of that seat was read */
    int last[SEATS][CHANGES];       /* what changes, after its last row */
    unsigned paid_cult, paid_other; /* seats with an income row this round */
    bool other_section;             /* rows without command are other income */
    bool taken; /* a snapshot replaces the values to compare */
    struct values snapshot;
    bool deferred; /* a row to compare after the next one */
    struct row deferred_row;
    bool scored;
    struct final_score final;
    struct state before; /* before end scoring */
    int running[SEATS];
    uint8_t paid[SEATS]; /* mask of scoring sections seen */
    int claimed[SEATS];  /* final VP entered by hand */
    bool claims;
    unsigned sections; /* mask of those opened by a line */
    int section;       /* the last of them */
    int round, turn;   /* of the last "Round N, turn M" */
    int turns[SEATS];  /* begun in this round */
    int incomes;       /* "Round N income" since then */
    int place;         /* in turn order, of the last row of income */
    bool disturbed;    /* a faction has left since then */
    bool early;        /* a turn was begun before its line */
    bool together;     /* cult bonus and income in one row */
    int differences;
    struct fault first;   /* difference */
    bool late[SEATS];     /* cult steps kept beyond a turn */
    int announced[SEATS]; /* acceptances told before the row that accepts */
    int refused[SEATS];   /* likewise that all declined */
    unsigned guesses;     /* at towns not named, see settle_join() */
    int guessed;
    int unused[SEATS]; /* cult steps given up, which the server still counts */
};

enum line_kind { LINE_COMMENT, LINE_ROW, LINE_BAD, LINE_NOBODY };

/* ---- lines ---- */

/* Of a comment only the first field counts. */
struct span ledger_first_field(struct span line);
/* Sorts a line; *row is filled for a row. */
enum line_kind ledger_read_row(struct span line, int number, struct row *row);
bool starts_with(struct span s, const char *word);
/* Without the mark some editors put before UTF-8. */
struct span ledger_after_mark(const char *text, size_t length);

/* ---- the first pass ---- */

bool ledger_scan(struct ledger *l, struct span text);
bool ledger_prepare(struct ledger *l);
/* What the server has off unless a line switches it on. */
void ledger_clear_options(struct setup *setup);
/* "auren: +8vp" before anything is built: what it starts with beside 20. */
bool ledger_start_vp(const struct ledger *l, struct span command, int *more);
void ledger_put_names(struct ledger *l);

/* ---- the second pass ---- */

int ledger_seat(const struct ledger *l, int faction);
bool ledger_add_step(struct ledger *l, struct step step);
/* Setup phases follow one another at once: no row stands between them. */
void ledger_settle_setup(struct ledger *l);
bool ledger_play_step(struct ledger *l, int seat, action a);
/* Ends the running turn if it can be ended. */
bool ledger_end_turn(struct ledger *l);
/* Lets the game go on by one thing: an implied end of turn, a phase. */
bool ledger_go_on(struct ledger *l);
/* Plays a command, letting the game go on first if need be.  Nothing has
 * happened if it fails. */
bool ledger_play_command(struct ledger *l, int seat, struct span command);

/* Section of the end scoring by name, or -1. */
int ledger_section(struct span name);
bool ledger_reach_end(struct ledger *l);
bool ledger_score_row(struct ledger *l, int seat, int section, int claimed);
bool ledger_is_scoring(struct span command, int *section, int *points);
bool ledger_income_row(struct ledger *l, int seat, bool cult, bool merged);
bool ledger_income_together(struct ledger *l, int seat);
bool ledger_check_income(struct ledger *l);
bool ledger_silent_row(struct ledger *l, int seat);
bool ledger_check_sections(struct ledger *l);
bool ledger_check_claims(struct ledger *l);

bool ledger_turn_line(struct ledger *l, int round, int turn);
bool ledger_income_line(struct ledger *l, int round);
bool ledger_section_line(struct ledger *l, struct span first,
                         struct span second);
bool ledger_count_turn(struct ledger *l, int seat);
bool ledger_income_order(struct ledger *l, int seat);
bool ledger_check_section_lines(struct ledger *l);

/* ---- telling ---- */

/* What was tolerated or guessed: front ends translate it by its name. */
enum remark {
    REMARK_DIFFERENCE,
    REMARK_BRIDGE,
    REMARK_RING,
    REMARK_COINS,
    REMARK_CORRECTION,
    REMARK_DOWN,
    REMARK_LATE_STEP,
    REMARK_UNUSED_RIGHT,
    REMARK_LAPSED,
    REMARK_UNUSED_SPADES,
    REMARK_DECLINED,
    REMARK_RIVER,
    REMARK_LEECH,
    REMARK_TOWN,
    REMARK_DIG,
    REMARK_UNFINISHED
};
void ledger_remark(struct ledger *l, enum remark what, const char *subject);
bool ledger_fail(struct ledger *l, int code, struct span subject);
bool ledger_fail_text(struct ledger *l, int code, const char *subject);
/* A difference ends the reading, or is noted and the file believed. */
bool ledger_differ(struct ledger *l, int code, const char *subject);
/* A row that should stand before this line. */
bool ledger_miss(struct ledger *l, int seat, const char *command);
struct values ledger_values(const struct seat *p);
bool ledger_compare_number(struct ledger *l, const struct row *row,
                           const char *what, int expected, int found);
bool ledger_run_deferred(struct ledger *l);
bool ledger_compare_changes(struct ledger *l, const struct row *row, int seat);
bool ledger_compare_row(struct ledger *l, const struct row *row);

#endif
