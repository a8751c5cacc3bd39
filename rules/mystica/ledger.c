/* rules/mystica/ledger.c: reading games of the public server.
 *
 * Two passes.  The first collects what the file says about the setup.  The
 * second plays row by row and compares every value.  Rows show the state in
 * the middle of what happens by itself (after the cult bonus, before income),
 * so the reader lets the game advance one phase at a time, and only when a row
 * asks for it. */
#include "rules/mystica/ledger.h"

#include "base/text.h"
#include "game/setup.h"
#include "rules/mystica/faults.h"
#include "rules/mystica/start.h"
#include "rules/mystica/text.h"

enum { FIELDS = 15, COMMANDS = 48, CHANGES = 6 };

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
    bool seen_setup[FACTIONS];
    uint8_t score[ROUNDS];
    int score_line; /* that named the last of them */
    int first_line; /* that names a faction: the tiles are known by then */
    uint16_t removed;
    int start_vp[SEATS];
    bool random_seed, adjusts, is_table;
    bool says_done; /* ends turns explicitly where it matters */
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
    bool sections;
    int differences;
    struct fault first;   /* difference */
    bool late[SEATS];     /* cult steps kept beyond a turn */
    int announced[SEATS]; /* acceptances told before the row that accepts */
    unsigned guesses;     /* at towns not named, see settle_join() */
    int guessed;
    int unused[SEATS]; /* cult steps given up, which the server still counts */
};

/* ---- remarks ---- */

static void remark(struct ledger *l, const char *what, const char *subject)
{
    text_put(&l->remarks, "line ");
    text_int(&l->remarks, l->line);
    text_put(&l->remarks, ": ");
    text_put(&l->remarks, what);
    if (subject[0]) {
        text_char(&l->remarks, ' ');
        text_put(&l->remarks, subject);
    }
    text_char(&l->remarks, '\n');
}

/* What follows from a difference does not hide it. */
static bool fail(struct ledger *l, int code, struct span subject)
{
    if (l->differences && !l->r->all) {
        *l->f = l->first;
        return false;
    }
    return fault_span(l->f, code, l->line, 0, subject.at, subject.length);
}

static bool fail_text(struct ledger *l, int code, const char *subject)
{
    return fail(l, code, span_of(subject));
}

/* A difference ends the reading, or is noted and the file believed. */
static bool differ(struct ledger *l, int code, const char *subject)
{
    if (l->differences++ == 0)
        fault_set(&l->first, code, l->line, 0, subject);
    if (!l->r->all)
        return fail_text(l, code, subject);
    remark(l, "difference:", subject);
    return true;
}

/* ---- lines ---- */

static int split_tabs(struct span line, struct span field[FIELDS + 1])
{
    int count = 0;
    while (count <= FIELDS) {
        const char *tab = memchr(line.at, '\t', line.length);
        size_t length = tab ? (size_t)(tab - line.at) : line.length;
        field[count++] = (struct span){line.at, length};
        if (!tab)
            break;
        line.at += length + 1;
        line.length -= length + 1;
    }
    return count;
}

/* Of a comment only the first field counts. */
static struct span first_field(struct span line)
{
    return span_cut(&line, '\t');
}

/* "20 VP", "5/7/0 PW", "0/1/0/1": the numbers of a field. */
static bool read_numbers(struct span field, int *out, int count)
{
    field = span_trim(field);
    struct span rest = span_word(&field);
    for (int i = 0; i < count; i++) {
        long number;
        if (!span_int(span_cut(&rest, '/'), 0, 9999, &number))
            return false;
        out[i] = (int)number;
    }
    return rest.length == 0;
}

static bool read_values(const struct span *field, struct values *v)
{
    return read_numbers(field[2], &v->vp, 1) &&
           read_numbers(field[4], &v->coins, 1) &&
           read_numbers(field[6], &v->workers, 1) &&
           read_numbers(field[8], &v->priests, 1) &&
           read_numbers(field[10], v->bowl, 3) &&
           read_numbers(field[12], v->cult, TRACKS);
}

/* "+3", "-12" or nothing. */
static bool read_change(struct span field, int *out)
{
    long number = 0;
    field = span_trim(field);
    if (field.length && field.at[0] == '+') {
        field.at++;
        field.length--;
    }
    bool good = field.length == 0 || span_int(field, -999, 999, &number);
    *out = (int)number;
    return good;
}

static bool read_changes(const struct span *field, int change[CHANGES])
{
    bool good = true;
    for (int i = 0; i < CHANGES; i++)
        good &= read_change(field[2 * i + 1], &change[i]);
    return good;
}

static bool is_number(struct span word)
{
    size_t at = word.length && (word.at[0] == '+' || word.at[0] == '-');
    if (at == word.length)
        return false;
    for (; at < word.length; at++)
        if (word.at[at] < '0' || word.at[at] > '9')
            return false;
    return true;
}

/* "faction: commands", "faction commands", "faction 2 1 commands". */
static bool read_plain_row(struct span line, struct row *row)
{
    struct span rest = span_trim(line);
    struct span after = rest, prefix = span_trim(span_cut(&after, ':'));
    struct span first = span_word(&rest);
    if (prefix.length <= first.length) {
        first = prefix;
        rest = after;
    }
    row->faction = find_faction(first);
    if (row->faction < 0)
        return false;
    for (;;) {
        after = rest;
        struct span word = span_word(&after);
        if (!word.length || !is_number(word) || !after.length)
            break;
        rest = after;
    }
    row->commands = span_trim(rest);
    return row->commands.length > 0;
}

enum line_kind { LINE_COMMENT, LINE_ROW, LINE_BAD, LINE_NOBODY };

/* Sorts a line; *row is filled for a row. */
static enum line_kind read_row(struct span line, int number, struct row *row)
{
    struct span field[FIELDS + 1];
    int count = split_tabs(line, field);
    memset(row, 0, sizeof *row);
    row->line = number;
    row->faction = -1;
    if (count >= 5) {
        row->faction = find_faction(span_trim(field[0]));
        row->has_values = true;
        if (count != FIELDS || !read_values(field, &row->values) ||
            !read_changes(field, row->change))
            return LINE_BAD;
        if (row->faction < 0)
            return LINE_NOBODY;
        row->offers = span_trim(field[13]);
        row->commands = span_trim(field[14]);
        return LINE_ROW;
    }
    struct span text = span_trim(first_field(line));
    if (text.length && text.at[0] == '#')
        return LINE_COMMENT;
    const char *hash = memchr(text.at, '#', text.length);
    if (hash)
        text.length = (size_t)(hash - text.at);
    struct span rest = text, first = span_word(&rest);
    struct span second = span_word(&rest);
    if (same_word(second, "dropped") && find_faction(first) >= 0)
        return LINE_COMMENT;
    return read_plain_row(text, row) ? LINE_ROW : LINE_COMMENT;
}

/* ---- first pass ---- */

static const struct {
    const char *name;
    int option, value;
} known_options[] = {
    {"strict-leech", OPT_STRICT_LEECH, 1},
    {"strict-darkling-sh", OPT_STRICT_DARKLING, 1},
    {"strict-chaosmagician-sh", OPT_STRICT_CHAOS, 1},
    {"errata-cultist-power", OPT_ERRATA, 1},
    {"mini-expansion-1", OPT_MINI, 1},
    {"shipping-bonus", OPT_SHIPPING_BONUS, 1},
    {"temple-scoring-tile", OPT_TEMPLE_TILE, 1},
    {"variable-turn-order", OPT_ORDER, 1},
    {"fire-and-ice-factions/ice", OPT_ICE, 1},
    {"fire-and-ice-factions/volcano", OPT_VOLCANO, 1},
    {"fire-and-ice-factions/variable_v5", OPT_VARIABLE, VARIABLE_V5},
    {"fire-and-ice-factions/variable_v4", OPT_VARIABLE, VARIABLE_V4},
    {"fire-and-ice-factions/variable_v3", OPT_VARIABLE, VARIABLE_V3},
    {"fire-and-ice-factions/variable_v2", OPT_VARIABLE, VARIABLE_V2},
    {"fire-and-ice-factions/variable", OPT_VARIABLE, VARIABLE_V1},
    {"special-landscapes", OPT_LANDSCAPES, LAND_ALL},
    {"manual-fav5", OPT_MANUAL_FAV5, 1},
    {"loose-adjust-resource", OPT_LOOSE_ADJUST, 1},
    {"loose-cultist-ordering", OPT_LOOSE_CULTIST, 1},
    {"loose-dig", OPT_LOOSE_DIG, 1},
    {"loose-multi-spade", OPT_LOOSE_MULTI, 1},
    {"loose-bridge-adjacency", OPT_LOOSE_BRIDGE, 1},
    {"loose-engineer-bridge", OPT_LOOSE_ENGINEER, 1},
    {"loose-lose-cult", OPT_LOOSE_LOSE_CULT, 1},
    {"loose-done", OPT_LOOSE_DONE, 1},
    {"fire-and-ice-final-scoring", -1, 0},
    {"fire-and-ice-factions", -1, 0},
    {"maintain-player-order", -1, 0},
    {"email-notify", -1, 0},
    {"shapeshifter-fix-playtest-v1", -1, 0},
};

/* What is not in the list may change a rule, so it is refused. */
static bool scan_option(struct ledger *l, struct span name, bool on)
{
    for (size_t i = 0; i < sizeof known_options / sizeof *known_options; i++)
        if (same_word(name, known_options[i].name)) {
            if (known_options[i].option >= 0)
                l->r->setup.option[known_options[i].option] =
                    on ? known_options[i].value : 0;
            return true;
        }
    return fail(l, FAULT_OPTION, name);
}

const char map_of_2017[] = "91645cdb135773c2a7a50e5ca9cb18af54c664c4";

static bool scan_map(struct ledger *l, struct span name)
{
    for (int i = 0; i < MAPS; i++)
        if (same_word(name, maps[i].id) ||
            (maps[i].digest[0] && same_word(name, maps[i].digest))) {
            l->r->setup.option[OPT_MAP] = i;
            return true;
        }
    if (same_word(name, "original")) {
        l->r->setup.option[OPT_MAP] = 0;
        return true;
    }
    if (same_word(name, map_of_2017)) {
        l->r->setup.option[OPT_MAP] = 0;
        l->r->setup.option[OPT_START_VP] = 1;
        return true;
    }
    return fail(l, BAD_MAP, name);
}

/* "Round 3 scoring: SCORE9, TE >> 4" */
static bool scan_round(struct ledger *l, struct span rest)
{
    long round;
    if (!span_int(span_word(&rest), 1, ROUNDS, &round))
        return true;
    struct span word = span_word(&rest);
    if (!same_word(word, "scoring:"))
        return true;
    word = span_word(&rest);
    int tile = find_numbered(span_cut(&word, ','), "SCORE", 9);
    if (!tile)
        return fail(l, LEDGER_TILES, rest);
    l->score[round - 1] = (uint8_t)tile;
    l->score_line = l->line;
    return true;
}

static bool scan_scores(struct ledger *l, struct span rest)
{
    struct span all = rest;
    l->score_line = l->line;
    for (int i = 0; i < ROUNDS; i++) {
        struct span name = span_trim(span_cut(&rest, ','));
        if (!name.length)
            return fail(l, BAD_TILES, all);
        l->score[i] = (uint8_t)find_numbered(name, "SCORE", 9);
        if (!l->score[i])
            return fail(l, LEDGER_TILES, name);
    }
    return !rest.length || fail(l, BAD_TILES, all);
}

static bool scan_removed(struct ledger *l, struct span name)
{
    int card = find_numbered(name, "BON", CARDS);
    if (!card || (l->removed >> card & 1))
        return fail(l, LEDGER_TILES, name);
    l->removed |= (uint16_t)(1 << card);
    return true;
}

static bool scan_final(struct ledger *l, struct span name)
{
    for (int i = FINAL_DISTANCE; i <= FINAL_CLUSTERS; i++)
        if (same_word(name, final_names[i])) {
            l->r->setup.option[OPT_FINAL] = i;
            return true;
        }
    return fail(l, LEDGER_TILES, name);
}

static bool scan_faction(struct ledger *l, int faction, struct span name)
{
    if (faction < 0)
        return fail(l, NO_FACTION_NAME, name);
    if (l->seen_setup[faction])
        return true;
    if (l->seats == SEATS)
        return fail(l, FAULT_SEATS, name);
    if (l->seats == 0)
        l->first_line = l->line;
    l->seen_setup[faction] = true;
    l->faction[l->seats] = faction;
    l->start_vp[l->seats++] = -1;
    return true;
}

static void scan_player(struct ledger *l, struct span rest)
{
    long seat;
    struct span word = span_word(&rest);
    if (word.length && word.at[word.length - 1] == ':')
        word.length--;
    if (span_int(word, 1, SEATS, &seat))
        l->names[seat - 1] = span_trim(rest);
}

/* "faction-variant shapeshifters_v4": the version of the variable factions. */
static void scan_variant(struct ledger *l, struct span name)
{
    static const int versions[] = {VARIABLE_V1, VARIABLE_V2, VARIABLE_V3,
                                   VARIABLE_V4, VARIABLE_V5};
    int digit = name.length > 3 ? name.at[name.length - 1] - '0' : 0;
    if (digit >= 1 && digit <= 5 && name.at[name.length - 2] == 'v')
        l->r->setup.option[OPT_VARIABLE] = versions[digit - 1];
}

static bool scan_comment(struct ledger *l, struct span line)
{
    struct span rest = span_trim(first_field(line)), first = span_word(&rest);
    struct span more = rest, second = span_word(&more);
    rest = span_trim(rest);
    if (same_word(first, "option"))
        return scan_option(l, rest, true);
    else if (same_word(first, "dropoption"))
        return scan_option(l, rest, false);
    else if (same_word(first, "map"))
        return scan_map(l, rest);
    else if (same_word(first, "Round"))
        return scan_round(l, rest);
    else if (same_word(first, "score"))
        return scan_scores(l, rest);
    else if (same_word(first, "Removing") && same_word(second, "tile"))
        return scan_removed(l, span_trim(more));
    else if (same_word(first, "delete"))
        return scan_removed(l, second);
    else if (same_word(first, "final-scoring"))
        return scan_final(l, second);
    else if (same_word(first, "faction-variant"))
        scan_variant(l, second);
    else if (same_word(first, "Added") && same_word(second, "final")) {
        span_cut(&more, ':');
        return scan_final(l, span_trim(more));
    } else if (same_word(first, "setup"))
        return scan_faction(l, find_faction(second), second);
    else if (same_word(first, "randomize") && more.length)
        l->random_seed = true;
    else if (same_word(first, "Player"))
        scan_player(l, rest);
    return true;
}

/* "-1w", "+16vp" without "for": corrections by hand. */
static bool is_adjustment(struct span command)
{
    struct span rest = span_trim(command), word = span_word(&rest);
    if (word.length < 3 || (word.at[0] != '+' && word.at[0] != '-') ||
        word.at[1] < '0' || word.at[1] > '9' || rest.length)
        return false;
    while (word.length && !(word.at[0] >= 'A'))
        word.at++, word.length--;
    return same_word(word, "c") || same_word(word, "w") ||
           same_word(word, "p") || same_word(word, "vp");
}

static void scan_commands(struct ledger *l, struct span commands)
{
    while (commands.length) {
        struct span command = span_trim(span_cut(&commands, '.'));
        l->adjusts |= is_adjustment(command);
        l->says_done |= !l->is_table && same_word(command, "done");
    }
}

static bool scan_row(struct ledger *l, const struct row *row)
{
    struct span name = {factions[row->faction].id,
                        strlen(factions[row->faction].id)};
    if (!scan_faction(l, row->faction, name))
        return false;
    if (same_word(row->commands, "setup") && row->has_values)
        for (int i = 0; i < l->seats; i++)
            if (l->faction[i] == row->faction)
                l->start_vp[i] = row->values.vp;
    l->is_table |= row->has_values;
    scan_commands(l, row->commands);
    return true;
}

static bool scan(struct ledger *l, struct span text)
{
    struct lines lines = lines_of(text);
    struct span line;
    while (lines_next(&lines, &line)) {
        struct row row;
        l->line = lines.number;
        enum line_kind kind = read_row(line, lines.number, &row);
        if (kind == LINE_BAD)
            return fail(l, LEDGER_ROW, line);
        if (kind == LINE_NOBODY)
            return fail(l, NO_FACTION_NAME, first_field(line));
        if (kind == LINE_ROW ? !scan_row(l, &row) : !scan_comment(l, line))
            return false;
    }
    return true;
}

/* ---- the setup ---- */

static bool put_vp(struct ledger *l, struct text *t)
{
    bool equal = true, table = true;
    for (int i = 0; i < l->seats; i++) {
        equal &= l->start_vp[i] == 20 || l->start_vp[i] < 0;
        table &= l->start_vp[i] == factions[l->faction[i]].vp_2017;
    }
    if (table)
        l->r->setup.option[OPT_START_VP] = 1;
    if (equal || table)
        return true;
    text_put(t, "vp:");
    for (int i = 0; i < l->seats; i++) {
        text_put(t, i ? "," : " ");
        text_int(t, l->start_vp[i] < 0 ? 20 : l->start_vp[i]);
    }
    text_char(t, '\n');
    return true;
}

static bool put_tiles(struct ledger *l, struct text *t)
{
    l->line = l->first_line;
    if (!l->score[0] || !l->score[1] || !l->score[2] || !l->score[3] ||
        !l->score[4] || !l->score[5])
        return fail_text(l, l->random_seed ? LEDGER_SEED : LEDGER_TILES,
                         "six scoring tiles");
    text_put(t, "score:");
    for (int i = 0; i < ROUNDS; i++) {
        text_put(t, i ? "," : " ");
        text_put(t, scores[l->score[i]].id);
    }
    text_put(t, "\ncards:");
    int most = l->r->setup.option[OPT_SHIPPING_BONUS] == 1 ? 10 : 9;
    int count = 0;
    for (int card = 1; card <= most; card++)
        if (!(l->removed >> card & 1)) {
            text_put(t, count++ ? "," : " ");
            text_put(t, cards[card].id);
        }
    text_char(t, '\n');
    return count == l->seats + 3 ||
           fail_text(l,
                     l->random_seed && !l->removed ? LEDGER_SEED : LEDGER_TILES,
                     "players + 3 bonus cards");
}

/* A map file the caller gave stays in force. */
static void put_map(struct ledger *l, struct text *t, const char *given)
{
    struct given g;
    char rows[256];
    if (!given_find(given, "map", &g))
        return;
    given_unfold(g.value, rows, sizeof rows);
    given_add(t, "map", span_of(rows));
    l->r->setup.option[OPT_MAP] = MAP_GIVEN;
}

static bool prepare(struct ledger *l)
{
    struct setup *setup = &l->r->setup;
    struct text t = text_begin(l->r->given, l->r->given_cap);
    const char *given = setup->given;
    if (l->seats < 2)
        return fail_text(l, FAULT_SEATS, "fewer than two factions");
    put_map(l, &t, given);
    for (int i = 0; i < l->seats; i++) {
        int home = factions[l->faction[i]].home;
        if (home == ICE)
            setup->option[OPT_ICE] = 1;
        if (home == VOLCANO)
            setup->option[OPT_VOLCANO] = 1;
        if (home == VARIABLE && setup->option[OPT_VARIABLE] <= 0)
            setup->option[OPT_VARIABLE] = VARIABLE_V5;
    }
    /* Without strict-leech the server only warned of doubtful leeches. */
    if (l->adjusts || (!l->is_table && setup->option[OPT_STRICT_LEECH] == 0))
        setup->option[OPT_LOOSE_ADJUST] = 1;
    if (!put_tiles(l, &t) || !put_vp(l, &t))
        return false;
    if ((size_t)text_end(&t) >= l->r->given_cap)
        return fail_text(l, FAULT_SIZE, "");
    setup->given = l->r->given;
    setup->seats = l->seats;
    setup->seed = 0;
    if (!mystica_prepare(l->w, setup, l->f)) {
        /* It names a line of `given`, which no reader of the file knows. */
        bool score = l->f->code == BAD_TILES || l->f->code == BAD_SCORE1;
        l->f->line = score ? l->score_line : 0;
        return false;
    }
    mystica_start(l->w, setup, l->s);
    return true;
}

/* What the server has off unless a line switches it on. */
static void clear_options(struct setup *setup)
{
    int map = setup->option[OPT_MAP];
    for (int i = 0; i < OPTIONS; i++)
        setup->option[i] = 0;
    for (int i = OPTIONS; i < GAME_OPTIONS; i++)
        setup->option[i] = OPTION_UNSET;
    setup->option[OPT_MAP] = map;
    setup->option[OPT_COMPAT] = 1;
    setup->option[OPT_OFFERS] = OFFERS_ONLINE;
}

/* ---- playing ---- */

static int seat_of(const struct ledger *l, int faction)
{
    for (int i = 0; i < l->seats; i++)
        if (l->faction[i] == faction)
            return i;
    return -1;
}

static bool add_step(struct ledger *l, struct step step)
{
    struct record *r = l->r;
    if (r->count >= r->cap)
        return fail_text(l, FAULT_SIZE, "");
    if (r->lines)
        r->lines[r->count] = l->line;
    r->steps[r->count++] = step;
    return true;
}

/* Setup phases follow one another at once: no row stands between them. */
static void settle_setup(struct ledger *l)
{
    while (l->s->phase < PHASE_CARDS && advance_once(l->w, l->s)) {
    }
    if (l->s->phase == PHASE_CARDS && l->s->step < l->w->seats)
        advance_once(l->w, l->s);
}

static bool same_pair(const struct bridge *b, action a)
{
    return (b->a == act_a(a) && b->b == act_b(a)) ||
           (b->b == act_a(a) && b->a == act_b(a));
}

/* Reports what only compat = server allows. */
static void note_tolerance(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    char text[64];
    const char *what = NULL;
    switch (act_kind(a)) {
    case DO_BRIDGE:
        for (int i = 0; i < l->s->bridge_count; i++)
            if (same_pair(&l->s->bridge[i], a))
                what = "tolerated: second bridge on a pair,";
        break;
    case DO_TRANSFORM:
        if (p->home == ICE && act_b(a) == p->colour)
            what = "tolerated: stop on the ring colour,";
        break;
    case DO_CONVERT:
        if (act_a(a) == C3_TO_VP)
            what = "tolerated: 3 coins for 1 VP,";
        break;
    case DO_ADJUST:
        what = "tolerated: correction by hand,";
        break;
    case DO_DOWN:
        what = "tolerated: step down before a town tile,";
        break;
    case DO_STEP:
        if (l->late[seat])
            what = "tolerated: late cult step,";
        break;
    case DO_FORFEIT:
        if (act_a(a) == LOSE_STEP || act_a(a) == LOSE_FAVOUR)
            what = "tolerated: a right left unused,";
        break;
    default:
        break;
    }
    if (!what)
        return;
    mystica_write_action(l->w, l->s, seat, a, SEAT_NONE, text, sizeof text);
    remark(l, what, text);
}

/* The next main action makes unused cult steps late. */
static void watch_steps(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    enum kind kind = act_kind(a);
    bool main_action = kind == DO_BUILD || kind == DO_UPGRADE ||
                       kind == DO_SEND || kind == DO_PASS ||
                       kind == DO_ACTION || kind == DO_DIG || kind == DO_SHIP ||
                       kind == DO_SPADE;
    if (l->s->phase != PHASE_ACTIONS)
        return;
    if (main_action && (p->steps_due || p->block_due))
        l->late[seat] = true;
}

static void count_offers(struct ledger *l, int seat, action a)
{
    enum kind kind = act_kind(a);
    int power[SEATS];
    if (l->s->phase != PHASE_ACTIONS ||
        (kind != DO_BUILD && kind != DO_UPGRADE && kind != DO_PLACE))
        return;
    neighbour_power(l->w, l->s, seat, act_a(a), power);
    for (int i = 0; i < SEATS; i++)
        l->offered[i] += power[i];
}

/* What a builder has gained by others accepting his offers. */
static int rewards_of(const struct seat *p)
{
    return p->steps_due + p->tokens_due;
}

/* A row that should stand before this line. */
static bool miss(struct ledger *l, int seat, const char *command)
{
    char subject[FAULT_SUBJECT];
    struct text t = text_begin(subject, sizeof subject);
    text_put(&t, factions[l->faction[seat]].id);
    text_char(&t, ' ');
    text_put(&t, command);
    text_end(&t);
    return differ(l, LEDGER_MISSING, subject);
}

static bool is_announced(struct ledger *l, int seat)
{
    if (!l->is_table || l->announced[seat]-- > 0)
        return true;
    l->announced[seat] = 0;
    return miss(l, seat, "[opponent accepted power]");
}

/* Whoever acts refuses what is still open (mystica §7).  Only the public server
 * lets offers lapse so, and it does not know the special tiles. */
static bool note_lapse(struct ledger *l, int seat, action a)
{
    const struct state *s = l->s;
    enum kind kind = act_kind(a);
    bool main_action = kind == DO_UPGRADE || kind == DO_SEND ||
                       kind == DO_PASS || kind == DO_ACTION || kind == DO_DIG ||
                       kind == DO_SHIP || kind == DO_SPADE || kind == DO_BUILD;
    if (s->phase != PHASE_ACTIONS || !main_action || s->turn.acted ||
        !has_offer(s, seat))
        return true;
    if (l->is_table && l->w->tiles)
        return miss(l, seat, "leech or decline");
    remark(l, "open offers lapsed, taken as declined by",
           factions[l->faction[seat]].id);
    return true;
}

/* What is given up is gone for us; the server goes on counting it. */
static void note_unused(struct ledger *l, int seat, action a)
{
    const struct seat *p = &l->s->seat[seat];
    if (act_kind(a) == DO_FORFEIT && act_a(a) == LOSE_STEP)
        l->unused[seat] += p->steps_due + p->block_due;
}

static bool play_step(struct ledger *l, int seat, action a)
{
    int from = act_kind(a) == DO_LEECH ? act_a(a) : seat;
    int rewards = rewards_of(&l->s->seat[from]);
    note_tolerance(l, seat, a);
    note_unused(l, seat, a);
    if (!note_lapse(l, seat, a))
        return false;
    watch_steps(l, seat, a);
    count_offers(l, seat, a);
    if (!add_step(l, (struct step){STEP_ACTION, (int8_t)seat, 0, a}))
        return false;
    play(l->w, l->s, seat, a);
    if (from != seat && rewards_of(&l->s->seat[from]) > rewards &&
        !is_announced(l, from))
        return false;
    if (!l->s->seat[seat].steps_due && !l->s->seat[seat].block_due)
        l->late[seat] = false;
    settle_setup(l);
    return true;
}

/* Ends the running turn if it can be ended. */
static bool end_running(struct ledger *l)
{
    struct state *s = l->s;
    action done = act(DO_DONE, 0, 0);
    if (s->phase != PHASE_ACTIONS || s->active == NO_SEAT ||
        !is_legal(l->w, s, s->active, done))
        return false;
    return play_step(l, s->active, done);
}

/* Old files leave cult spades lying. */
static bool drop_spades(struct ledger *l)
{
    struct state *s = l->s;
    bool between = s->phase == PHASE_CULT || s->phase == PHASE_INCOME;
    bool old = !l->is_table || l->w->option[OPT_LOOSE_DIG];
    if (!between && !(old && s->phase == PHASE_ACTIONS))
        return false;
    for (int seat = 0; seat < l->seats; seat++) {
        action a = act(DO_FORFEIT, LOSE_SPADE, s->seat[seat].spades);
        if (!s->seat[seat].spades || !is_legal(l->w, s, seat, a))
            continue;
        if (!old && !miss(l, seat, "transform or -SPADE"))
            return false;
        remark(l, "unused spades forfeited by", factions[l->faction[seat]].id);
        return play_step(l, seat, a);
    }
    return false;
}

static bool drop_steps(struct ledger *l)
{
    action a = act(DO_FORFEIT, LOSE_STEP, 0);
    if (l->s->phase != PHASE_ACTIONS || l->s->active != NO_SEAT)
        return false;
    for (int seat = 0; seat < l->seats; seat++)
        if (is_legal(l->w, l->s, seat, a))
            return play_step(l, seat, a);
    return false;
}

/* Old files leave offers open at the end of a round. */
static bool drop_offers(struct ledger *l)
{
    const struct state *s = l->s;
    if (s->phase != PHASE_ACTIONS || s->active != NO_SEAT || !s->offer_count)
        return false;
    struct offer o = s->offer[0];
    if (l->is_table && l->w->tiles && !miss(l, o.to, "leech or decline"))
        return false;
    remark(l, "open offer taken as declined by", factions[l->faction[o.to]].id);
    return play_step(l, o.to, act(DO_DECLINE, o.from, o.amount));
}

/* ---- one command ---- */

/* With too few keys the row tells which tracks took them. */
static action choose_tracks(struct ledger *l, int seat, action a)
{
    action all[GAME_ACTIONS], first = a;
    int count = mystica_legal(l->w, l->s, seat, all);
    for (int i = 0; i < count; i++) {
        if (act_kind(all[i]) != DO_TOWN || act_a(all[i]) != act_a(a))
            continue;
        if (first == a)
            first = all[i];
        bool fits = l->row->has_values;
        for (int track = 0; track < TRACKS && fits; track++)
            if (act_b(all[i]) >> track & 1)
                fits = l->row->values.cult[track] == 10;
        if (fits)
            return all[i];
    }
    return first;
}

static bool understand(struct ledger *l, int seat, struct span command,
                       action *a, bool *whole, struct fault *f)
{
    struct parsed parsed = {0};
    if (!parse_command(l->w, l->s, seat, command, a, &parsed, f))
        return false;
    /* Whatever follows "advance ship" is ignored by the server. */
    if (parsed.rest.length && act_kind(*a) != DO_SHIP &&
        act_kind(*a) != DO_SPADE)
        return fault_span(f, LEDGER_COMMAND, l->line, 0, command.at,
                          command.length);
    *whole = parsed.whole;
    if (is_legal(l->w, l->s, seat, *a))
        return true;
    if (act_kind(*a) == DO_TOWN && act_b(*a) == 0) {
        *a = choose_tracks(l, seat, *a);
        if (is_legal(l->w, l->s, seat, *a))
            return true;
    }
    unsigned must, may;
    flow_turn(l->w, l->s, &must, &may);
    if (!((must | may) >> seat & 1))
        return fault_set(f, FAULT_TURN, l->line, 0,
                         factions[l->faction[seat]].id);
    return explain(l->w, l->s, seat, *a, f);
}

/* Old files found Mermaid towns without naming the skipped river cell. */
static bool connect_silently(struct ledger *l, int seat, struct span command)
{
    struct fault f;
    struct parsed parsed = {0};
    action a = 0;
    if (l->is_table || l->s->seat[seat].towns_due ||
        !parse_command(l->w, l->s, seat, command, &a, &parsed, &f) ||
        act_kind(a) != DO_TOWN)
        return false;
    for (int river = 0; river < l->w->cells; river++) {
        a = act(DO_CONNECT, river, 0);
        if (cells_has(l->w->river, river) && is_legal(l->w, l->s, seat, a)) {
            remark(l, "tolerated: skipped river cell not named, taken",
                   l->w->name[river]);
            return play_step(l, seat, a);
        }
    }
    return false;
}

/* Old command files take power nobody offered; the server only warned. */
static bool leech_unoffered(struct ledger *l, int seat, struct span command)
{
    struct span rest = command;
    long amount;
    if (l->w->option[OPT_STRICT_LEECH] || l->is_table ||
        !same_word(span_word(&rest), "leech") ||
        !span_int(span_word(&rest), 1, 20, &amount))
        return false;
    int gain = offer_gain(&l->s->seat[seat], (int)amount);
    remark(l, "tolerated: power taken without an offer by",
           factions[l->faction[seat]].id);
    return gain == 0 ||
           (play_step(l, seat, act(DO_ADJUST, 4, gain + 128)) &&
            (gain == 1 || play_step(l, seat, act(DO_ADJUST, 3, 129 - gain))));
}

/* Lets the game go on by one thing: an implied end of turn, a phase. */
static bool go_on(struct ledger *l)
{
    if (end_running(l))
        return true;
    if (l->s->phase >= PHASE_CARDS && l->s->phase != PHASE_OVER &&
        advance_once(l->w, l->s))
        return true;
    return drop_spades(l) || drop_steps(l) || drop_offers(l);
}

/* Tries to play a command, letting the game go on first if need be.  Nothing
 * has happened if it fails. */
static bool play_command(struct ledger *l, int seat, struct span command)
{
    struct state saved = *l->s;
    struct text remarks = l->remarks;
    int count = l->r->count;
    struct fault first = {0}, other = {0};
    for (int tries = 0; tries < 16; tries++) {
        action a = 0;
        bool whole = true;
        struct fault *f = tries ? &other : &first;
        if (understand(l, seat, command, &a, &whole, f)) {
            if (!play_step(l, seat, a))
                return false;
            if (whole)
                return true;
            continue;
        }
        if (first.code == FAULT_TURN && tries)
            first = other;
        if (!connect_silently(l, seat, command) && !go_on(l))
            break;
    }
    *l->s = saved;
    l->remarks = remarks;
    l->r->count = count;
    if (leech_unoffered(l, seat, command))
        return true;
    if (l->differences && !l->r->all)
        first = l->first;
    *l->f = first;
    l->f->line = l->line;
    l->f->column = 0;
    return false;
}

/* ---- commands of the server itself ---- */

/* Section of the end scoring by name: 0 extra, 1-4 cults, 5 network. */
static int section_of(struct span name)
{
    int track = find_track(name);
    if (track >= 0)
        return 1 + track;
    if (same_word(name, "network"))
        return 5;
    for (int i = FINAL_DISTANCE; i <= FINAL_CLUSTERS; i++)
        if (same_word(name, final_names[i]))
            return 0;
    return -1;
}

static int section_points(const struct ledger *l, int section, int seat)
{
    if (section == 0)
        return l->final.extra[seat];
    return section == 5 ? l->final.network[seat]
                        : l->final.cult[section - 1][seat];
}

static struct values values_of(const struct seat *p)
{
    struct values v = {p->vp,
                       p->coins,
                       p->workers,
                       p->priests,
                       {p->bowl[0], p->bowl[1], p->bowl[2]},
                       {p->cult[0], p->cult[1], p->cult[2], p->cult[3]}};
    return v;
}

/* Plays everything up to the end scoring and computes it. */
static bool reach_end(struct ledger *l)
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
        if (!go_on(l))
            return fail_text(l, LEDGER_ROUND, "not everybody has passed");
    }
    l->scored = true;
    return true;
}

static bool score_row(struct ledger *l, int seat, int section, int claimed)
{
    if (!reach_end(l))
        return false;
    int points = section == 6 ? l->final.resources[seat]
                              : section_points(l, section, seat);
    l->running[seat] += points;
    l->paid[seat] |= (uint8_t)(1 << section);
    l->taken = true;
    l->snapshot =
        values_of(section == 6 ? &l->s->seat[seat] : &l->before.seat[seat]);
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
    return differ(l, LEDGER_FINAL, subject);
}

/* "+8vp for FIRE" or "vp for FIRE" */
static bool is_scoring(struct span command, int *section, int *points)
{
    struct span rest = command, first = span_word(&rest);
    struct span second = span_word(&rest);
    if (!same_word(second, "for"))
        return false;
    *section = section_of(span_trim(rest));
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
static bool income_row(struct ledger *l, int seat, bool cult, bool merged)
{
    if (merged && seat != l->s->order[0]) {
        l->taken = true;
        l->snapshot = values_of(&l->s->seat[seat]);
    }
    if (cult && l->s->phase == PHASE_ACTIONS)
        while (l->s->phase == PHASE_ACTIONS && go_on(l)) {
        }
    if (!cult)
        while ((l->s->phase == PHASE_ACTIONS || l->s->phase == PHASE_CULT ||
                l->s->phase == PHASE_CARDS) &&
               go_on(l)) {
        }
    int wanted = cult ? PHASE_CULT : PHASE_INCOME;
    int payee = merged && seat != l->s->order[0] ? l->s->order[0] : seat;
    *(cult ? &l->paid_cult : &l->paid_other) |= 1u << payee;
    return l->s->phase == wanted ||
           fail_text(l, LEDGER_ROUND, "income before everybody has passed");
}

/* Old tables pay cult bonus and income in one row; the spades wait. */
static bool income_together(struct ledger *l, int seat)
{
    struct state *s = l->s;
    uint8_t spades[SEATS];
    while (s->phase == PHASE_ACTIONS && go_on(l)) {
    }
    for (int i = 0; i < SEATS && s->phase == PHASE_CULT; i++) {
        spades[i] = s->seat[i].spades;
        s->seat[i].spades = 0;
    }
    if (s->phase == PHASE_CULT && advance_once(l->w, s))
        for (int i = 0; i < SEATS; i++)
            s->seat[i].spades = spades[i];
    l->paid_cult |= 1u << seat;
    return income_row(l, seat, false, false);
}

/* Every faction that is still playing has its rows of income. */
static bool check_income(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->is_table; seat++) {
        if (l->s->seat[seat].dropped)
            continue;
        bool cult = l->s->round == 1 || (l->paid_cult >> seat & 1);
        if (cult && (l->paid_other >> seat & 1))
            continue;
        if (!miss(l, seat,
                  cult ? "other_income_for_faction"
                       : "cult_income_for_faction"))
            return false;
    }
    l->paid_cult = l->paid_other = 0;
    return true;
}

/* The row of a dropped faction has no command: the section tells it. */
static bool silent_row(struct ledger *l, int seat)
{
    if (l->sections)
        return true; /* judged by its values */
    return income_row(l, seat, !l->other_section, false);
}

static bool starts_with(struct span s, const char *word)
{
    size_t length = strlen(word);
    return s.length >= length && same_word((struct span){s.at, length}, word);
}

static bool is_ignored(struct span command)
{
    static const char *const words[] = {
        "wait", "start", "finish", "income", "income_for_faction", "resign"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (same_word(command, words[i]))
            return true;
    return command.length == 0 || command.at[0] == '[';
}

static bool pick_faction(struct ledger *l, int seat)
{
    action a = act(DO_PICK, l->faction[seat], 0);
    if (l->s->seat[seat].faction == l->faction[seat])
        return true;
    if (!is_legal(l->w, l->s, seat, a)) {
        explain(l->w, l->s, seat, a, l->f);
        l->f->line = l->line;
        return false;
    }
    return play_step(l, seat, a);
}

/* Files without setup rows: the factions in order of appearance. */
static bool pick_all(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->s->phase == PHASE_PICK; seat++)
        if (l->s->seat[seat].faction == NO_FACTION && !pick_faction(l, seat))
            return false;
    return true;
}

/* In setup an appended command may belong to whoever is to act. */
static int acting_seat(const struct ledger *l, int seat)
{
    if ((l->s->phase == PHASE_DWELL || l->s->phase == PHASE_COLOUR) &&
        l->s->active != seat)
        return l->s->active;
    return seat;
}

static bool drop_seat(struct ledger *l, int seat)
{
    if (l->s->seat[seat].dropped || l->s->phase == PHASE_OVER)
        return true;
    if (!add_step(l, (struct step){STEP_DROP, (int8_t)seat, 0, 0}))
        return false;
    leave(l->w, l->s, seat);
    settle_setup(l);
    return true;
}

/* Final VP entered by hand after the last pass. */
static bool claim(struct ledger *l, int seat, struct span command)
{
    struct span word = span_trim(command);
    long vp;
    if (word.length < 4 || word.at[0] != '+')
        return false;
    struct span digits = {word.at + 1, word.length - 3};
    if (!span_int(digits, 0, 200, &vp))
        return false;
    l->claims = true;
    l->claimed[seat] += (int)vp;
    return true;
}

static bool many_towns(struct ledger *l, int seat, struct span command,
                       bool *done)
{
    if (command.length < 5 || command.at[0] != '+' || command.at[1] < '2' ||
        command.at[1] > '9' ||
        !find_numbered((struct span){command.at + 2, command.length - 2}, "TW",
                       TOWNS))
        return true;
    char one[8] = "+";
    span_copy((struct span){command.at + 2, command.length - 2}, one + 1,
              sizeof one - 1);
    *done = true;
    for (int i = 0; i < command.at[1] - '0'; i++)
        if (!play_command(l, seat, span_of(one)))
            return false;
    return true;
}

/* "bridge A:B allow_illegal" */
static struct span without_override(struct span command)
{
    const char *word = " allow_illegal";
    size_t length = strlen(word);
    if (command.length > length &&
        same_word((struct span){command.at + command.length - length, length},
                  word))
        command.length -= length;
    return command;
}

static bool run_command(struct ledger *l, int seat, struct span command,
                        int index)
{
    int section, points;
    bool done = false;
    if (same_word(command, "setup"))
        return pick_faction(l, seat);
    if (same_word(command, "cult_income_for_faction"))
        return income_row(l, seat, true, index > 0);
    if (same_word(command, "other_income_for_faction"))
        return income_row(l, seat, false, index > 0);
    if (l->is_table && (same_word(command, "income_for_faction") ||
                        same_word(command, "all_income_for_faction")))
        return income_together(l, seat);
    if (same_word(command, "score_resources"))
        return score_row(l, seat, 6, -1);
    if (same_word(command, "resign"))
        return drop_seat(l, seat);
    if (starts_with(command, "[opponent accepted"))
        l->announced[seat]++;
    if (is_ignored(command))
        return true;
    if (is_scoring(command, &section, &points))
        return score_row(l, seat, section, points);
    const struct seat *p = &l->s->seat[seat];
    if (!p->colour_due && !p->favours_due && !pick_all(l))
        return false;
    bool all_passed = l->s->round == ROUNDS && l->s->seat[seat].passed;
    if (!l->is_table && all_passed && claim(l, seat, command))
        return true;
    if (!many_towns(l, seat, command, &done))
        return false;
    return done || play_command(l, index ? acting_seat(l, seat) : seat,
                                without_override(command));
}

/* ---- rows ---- */

static int split_commands(struct span text, struct span command[COMMANDS])
{
    int count = 0;
    while (text.length && count < COMMANDS) {
        struct span one = span_trim(span_cut(&text, '.'));
        if (one.length)
            command[count++] = one;
    }
    return text.length ? -1 : count;
}

static void move_command(struct span *command, int from, int to)
{
    struct span moved = command[from];
    for (; from > to; from--)
        command[from] = command[from - 1];
    for (; from < to; from++)
        command[from] = command[from + 1];
    command[to] = moved;
}

/* What the server rearranges before it plays a command file. */
static void normalise(struct span *command, int count, bool table)
{
    for (int i = 1; i < count; i++) {
        /* "pass. +BON3", and a bridge of the Engineers paid by hand */
        if (same_word(command[i - 1], "pass") &&
            starts_with(command[i], "+bon"))
            command[i - 1].length = 0;
        if (same_word(command[i - 1], "-2w") &&
            starts_with(command[i], "bridge"))
            command[i - 1] = span_of("action ACTE");
        bool answer = starts_with(command[i], "leech") ||
                      starts_with(command[i], "decline");
        if (answer && !table)
            move_command(command, i, 0);
        if (starts_with(command[i], "convert") &&
            starts_with(command[i - 1], "pass"))
            move_command(command, i, i - 1);
        if (starts_with(command[i], "action") &&
            starts_with(command[i - 1], "dig"))
            move_command(command, i, i - 1);
        if (starts_with(command[i], "transform") &&
            starts_with(command[i - 1], "build"))
            move_command(command, i, i - 1);
    }
}

/* A lone player's next row is a new turn, unless it only uses rights. */
static bool begin_row(struct ledger *l, int seat, struct span first)
{
    struct state *s = l->s;
    static const char *const rights[] = {
        "+",       "-",    "bridge",  "pick-color", "unlock", "leech",
        "decline", "gain", "connect", "coin",       "["};
    if (s->phase != PHASE_ACTIONS || s->active != seat || s->turn.left ||
        !s->turn.acted || l->says_done)
        return true;
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        if (starts_with(first, rights[i]))
            return true;
    if (s->seat[seat].trade_due && starts_with(first, "convert"))
        return true;
    struct state saved = *s;
    int count = l->r->count;
    if (end_running(l) && s->active != seat) {
        *s = saved;
        l->r->count = count;
    }
    return true;
}

static bool compare_number(struct ledger *l, const struct row *row,
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
    bool good = differ(l, LEDGER_VALUES, subject);
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
    int seat = seat_of(l, row->faction), before = l->differences;
    struct values found = values_of(&l->s->seat[seat]);
    if (l->taken && row == l->row)
        found = l->snapshot;
    const struct values *v = &row->values;
    bool good = compare_number(l, row, "VP", v->vp, found.vp) &&
                compare_number(l, row, "C", v->coins, found.coins) &&
                compare_number(l, row, "W", v->workers, found.workers) &&
                compare_number(l, row, "P", v->priests, found.priests);
    for (int i = 0; i < 3; i++)
        good =
            good && compare_number(l, row, bowls[i], v->bowl[i], found.bowl[i]);
    for (int i = 0; i < TRACKS; i++)
        good = good && compare_number(l, row, track_names[i], v->cult[i],
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
    return differ(l, LEDGER_OFFERS, subject);
}

static bool run_deferred(struct ledger *l)
{
    if (!l->deferred)
        return true;
    l->deferred = false;
    return compare_values(l, &l->deferred_row);
}

/* Rows of a dropped faction in the end scoring: the sum must come out. */
static bool silent_scoring(const struct ledger *l, const struct row *row)
{
    return l->sections && row->commands.length == 0;
}

/* "+FIRE. +FIRE": equal gains in succession are one, so both steps of the
 * Auren go up one track. */
static bool is_double_step(const struct ledger *l, int seat, struct span a,
                           struct span b, char twice[8])
{
    int track =
        a.length ? find_track((struct span){a.at + 1, a.length - 1}) : -1;
    if (track < 0 || a.at[0] != '+' || l->s->seat[seat].block_due != 2 ||
        !b.length || b.at[0] != '+' ||
        find_track((struct span){b.at + 1, b.length - 1}) != track)
        return false;
    struct text t = text_begin(twice, 8);
    text_put(&t, "+2");
    text_put(&t, track_names[track]);
    text_end(&t);
    return true;
}

static bool any_starts(const struct span *command, int count,
                       const char *const *words)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; words[k]; k++)
            if (starts_with(command[i], words[k]))
                return true;
    return false;
}

/* The volcano factions' "dig" is free, so that the server forgets one that is
 * followed by another action. */
static bool is_idle_dig(const struct ledger *l, int seat,
                        const struct span *command, int count)
{
    static const char *const uses[] = {"transform", "build", "special", NULL};
    static const char *const others[] = {"upgrade", "action", "send",
                                         "advance", "pass",   NULL};
    int digging = factions[l->faction[seat]].digging;
    return (digging == DIG_VOLCANO_CULT || digging == DIG_VOLCANO_TOKEN) &&
           starts_with(command[0], "dig") &&
           !any_starts(command + 1, count - 1, uses) &&
           any_starts(command + 1, count - 1, others);
}

/* Town tiles the rest of a row takes. */
static int tiles_ahead(const struct span *command, int count)
{
    int tiles = 0;
    for (int i = 0; i < count; i++)
        if (starts_with(command[i], "+tw"))
            tiles++;
        else if (command[i].length > 4 && command[i].at[0] == '+' &&
                 starts_with(
                     (struct span){command[i].at + 2, command[i].length - 2},
                     "tw"))
            tiles += command[i].at[1] - '0';
    return tiles;
}

/* A row that does not say which town grows tells it by the tiles it takes.
 * Where that leaves a choice, bit n of `guesses` is the nth one. */
static bool settle_join(struct ledger *l, int seat, const struct span *command,
                        int count)
{
    if (!l->s->turn.join || l->s->active != seat ||
        (count && starts_with(command[0], "join")))
        return true;
    action legal[GAME_ACTIONS], choice[2] = {0};
    int most = -1, found = 0, ahead = tiles_ahead(command, count);
    int all = mystica_legal(l->w, l->s, seat, legal);
    for (int i = 0; i < all; i++) {
        struct state after = *l->s;
        if (act_kind(legal[i]) != DO_CONNECT)
            continue;
        play(l->w, &after, seat, legal[i]);
        int due = after.seat[seat].towns_due;
        if (due > ahead || due < most)
            continue;
        found = due > most ? 0 : found;
        most = due;
        choice[found++ & 1] = legal[i];
    }
    if (!found)
        return fail_text(l, DUTIES, "choose the town that grows");
    int second = found > 1 ? l->guesses >> l->guessed++ & 1 : 0;
    remark(l, "the town that grows is not named, taken that of",
           l->w->name[act_a(choice[second])]);
    return play_step(l, seat, choice[second]);
}

static bool run_commands(struct ledger *l, const struct row *row, int seat)
{
    struct span command[COMMANDS];
    int count = split_commands(row->commands, command);
    if (count < 0)
        return fail_text(l, FAULT_SIZE, "too many commands in a row");
    normalise(command, count, l->is_table);
    if (count > 0)
        begin_row(l, seat, command[0]);
    else if (!silent_row(l, seat))
        return false;
    for (int i = 0; i < count; i++) {
        char twice[8];
        struct span one = command[i];
        if (i + 1 < count &&
            is_double_step(l, seat, one, command[i + 1], twice))
            one = command[++i] = span_of(twice);
        if (is_idle_dig(l, seat, command + i, count - i)) {
            remark(l, "tolerated: spades opened and not used,", "dig");
            continue;
        }
        if (!settle_join(l, seat, command + i, count - i) ||
            !run_command(l, seat, one, i))
            return false;
    }
    return settle_join(l, seat, NULL, 0);
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
    return differ(l, LEDGER_CHANGE, subject);
}

/* Values of the last row and the changes of this one give its values. */
static bool compare_changes(struct ledger *l, const struct row *row, int seat)
{
    int value[CHANGES];
    bool first = !l->seen[seat];
    changing_values(l, row, seat, value);
    if (first && !same_word(row->commands, "setup") &&
        !differ(l, LEDGER_MISSING, "the setup of this faction"))
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

static bool compare_row(struct ledger *l, const struct row *row)
{
    bool declined = is_ahead(l, row);
    if (!declined && !run_deferred(l))
        return false;
    if (!row->has_values || silent_scoring(l, row))
        return true;
    if (declined) {
        l->deferred = true;
        l->deferred_row = *row;
        return true;
    }
    return compare_values(l, row) && compare_offers(l, row);
}

static bool run_row(struct ledger *l, const struct row *row)
{
    int seat = seat_of(l, row->faction);
    l->row = row;
    l->taken = false;
    memset(l->offered, 0, sizeof l->offered);
    return run_commands(l, row, seat) && compare_row(l, row) &&
           (!row->has_values || compare_changes(l, row, seat));
}
/* "foo: build E6" in a command file; a table may hold any remark. */
static bool is_stranger(const struct ledger *l, struct span first)
{
    return !l->is_table && first.length > 1 && first.at[0] != '#' &&
           first.at[first.length - 1] == ':';
}

static bool run_comment(struct ledger *l, struct span line)
{
    struct span rest = span_trim(first_field(line)), first = span_word(&rest);
    struct span more = rest, second = span_word(&more);
    rest = span_trim(rest);
    if (is_stranger(l, first))
        return fail(l, NO_FACTION_NAME, first);
    if (same_word(second, "dropped") && find_faction(first) >= 0) {
        int seat = seat_of(l, find_faction(first));
        return seat < 0 ? fail(l, LEDGER_FACTION, first) : drop_seat(l, seat);
    }
    if (same_word(first, "drop-faction")) {
        int faction = find_faction(second);
        int seat = faction < 0 ? -1 : seat_of(l, faction);
        return seat < 0 ? fail(l, LEDGER_FACTION, second) : drop_seat(l, seat);
    }
    if (same_word(first, "setup") && find_faction(second) >= 0)
        return pick_faction(l, seat_of(l, find_faction(second)));
    if (same_word(first, "Round") && same_word(span_trim(more), "income"))
        l->other_section = l->s->phase != PHASE_ACTIONS;
    if (same_word(first, "Round") && starts_with(span_trim(more), "turn 1") &&
        span_trim(more).length == 6) {
        l->other_section = false;
        while (l->s->phase >= PHASE_CARDS && l->s->phase < PHASE_ACTIONS &&
               go_on(l)) {
        }
        if (!check_income(l))
            return false;
    }
    if (same_word(first, "Scoring") || same_word(first, "Converting")) {
        l->sections = true;
        return reach_end(l);
    }
    return true;
}

/* ---- the end ---- */

static bool check_sections(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->is_table && l->sections; seat++) {
        if (l->s->seat[seat].dropped)
            continue;
        for (int section = 0; section < 7; section++) {
            /* Resources have a row even where they bring nothing. */
            bool due = section == 6 || section_points(l, section, seat);
            if (due && !(l->paid[seat] >> section & 1) &&
                !miss(l, seat,
                      section == 6 ? "score_resources"
                                   : "+vp in the end scoring"))
                return false;
        }
    }
    return true;
}

static bool check_claims(struct ledger *l)
{
    for (int seat = 0; seat < l->seats && l->claims; seat++) {
        int found = l->s->seat[seat].vp - l->before.seat[seat].vp;
        struct row row = {.faction = l->faction[seat], .line = l->line};
        if (!compare_number(l, &row, "final VP", l->claimed[seat], found))
            return false;
    }
    return true;
}

static void put_names(struct ledger *l)
{
    struct text t = text_begin(l->r->notes, l->r->notes_cap);
    for (int seat = 0; seat < l->seats; seat++)
        if (l->names[seat].length) {
            text_put(&t, "Player ");
            text_int(&t, seat + 1);
            text_put(&t, ": ");
            text_bytes(&t, l->names[seat].at, l->names[seat].length);
            text_char(&t, '\n');
        }
    text_end(&t);
}

/* A game that stops early is as good as its rows. */
static bool finish(struct ledger *l)
{
    if (!run_deferred(l))
        return false;
    if (l->s->phase == PHASE_ACTIONS && l->s->round == ROUNDS) {
        bool all = true;
        for (int seat = 0; seat < l->seats; seat++)
            all &= l->s->seat[seat].passed || l->s->seat[seat].dropped;
        if (all && !reach_end(l))
            return false;
    }
    while (l->s->phase >= PHASE_CARDS && l->s->phase != PHASE_OVER &&
           advance_once(l->w, l->s)) {
    }
    if (l->s->phase == PHASE_OVER && l->scored &&
        (!check_sections(l) || !check_claims(l)))
        return false;
    if (l->s->phase != PHASE_OVER)
        remark(l, "the game is not over", "");
    return true;
}

static bool run(struct ledger *l, struct span text)
{
    struct lines lines = lines_of(text);
    struct span line;
    while (lines_next(&lines, &line)) {
        struct row row;
        l->line = lines.number;
        enum line_kind kind = read_row(line, lines.number, &row);
        if (kind == LINE_ROW ? !run_row(l, &row) : !run_comment(l, line))
            return false;
    }
    return finish(l);
}

/* Without the mark some editors put before UTF-8. */
static struct span after_mark(const char *text, size_t length)
{
    bool mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    return (struct span){text + (mark ? 3 : 0), length - (mark ? 3 : 0)};
}

/* One reading; *guessed tells how many choices of a town it had to guess. */
static bool read_guessing(struct span text, struct record *r, unsigned guesses,
                          int *guessed, struct fault *f)
{
    struct ledger l = {
        .r = r, .f = f, .w = r->world, .s = r->state, .guesses = guesses};
    l.remarks = text_begin(r->remarks, r->remarks_cap);
    r->count = 0;
    clear_options(&r->setup);
    bool good = scan(&l, text) && prepare(&l);
    if (good) {
        put_names(&l);
        good = run(&l, text);
    }
    if (good && l.differences) {
        *f = l.first;
        good = false;
    }
    text_end(&l.remarks);
    *guessed = l.guessed;
    return good;
}

bool ledger_read(const char *text, size_t length, struct record *r,
                 struct fault *f)
{
    struct span all = after_mark(text, length);
    struct setup setup = r->setup;
    struct fault other = {0};
    int guessed, more;
    bool good = read_guessing(all, r, 0, &guessed, f);
    for (unsigned i = 1; !good && guessed && i < 1u << min_int(guessed, 4);
         i++) {
        r->setup = setup;
        good = read_guessing(all, r, i, &more, &other);
    }
    if (good || !guessed)
        return good;
    r->setup = setup;
    return read_guessing(all, r, 0, &guessed, f);
}

bool ledger_recognise(const char *text, size_t length)
{
    struct lines lines = lines_of(after_mark(text, length));
    struct span line;
    while (lines_next(&lines, &line)) {
        struct span field[FIELDS + 1];
        if (split_tabs(line, field) >= 5)
            return find_faction(span_trim(field[0])) >= 0;
    }
    return false;
}

/* A command file: rows of factions, or administrative lines. */
bool commands_recognise(const char *text, size_t length)
{
    struct lines lines = lines_of(after_mark(text, length));
    struct span line;
    int hits = 0;
    while (lines_next(&lines, &line) && hits < 3) {
        struct row row;
        struct span rest = span_trim(line), first = span_word(&rest);
        hits += read_row(line, 1, &row) == LINE_ROW ||
                same_word(first, "option") || same_word(first, "score") ||
                same_word(first, "setup") || same_word(first, "removing");
    }
    return hits >= 3;
}
