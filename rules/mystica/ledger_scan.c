/* rules/mystica/ledger_scan.c: what a ledger says about the setup. */
#include "rules/mystica/ledger_parts.h"

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
    return ledger_fail(l, FAULT_OPTION, name);
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
    return ledger_fail(l, BAD_MAP, name);
}

/* "TE >> 4": what is scored and for how much, if it is told. */
static bool reward_fits(int tile, struct span rest)
{
    long vp;
    span_word(&rest);
    return !same_word(span_word(&rest), ">>") ||
           (span_int(span_word(&rest), 0, 99, &vp) && vp == scores[tile].vp);
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
        return ledger_fail(l, LEDGER_TILES, rest);
    l->score[round - 1] = (uint8_t)tile;
    l->score_line = l->line;
    return reward_fits(tile, rest) ||
           ledger_fail(l, LEDGER_TILES, span_trim(rest));
}

static bool scan_scores(struct ledger *l, struct span rest)
{
    struct span all = rest;
    l->score_line = l->line;
    for (int i = 0; i < ROUNDS; i++) {
        struct span name = span_trim(span_cut(&rest, ','));
        if (!name.length)
            return ledger_fail(l, BAD_TILES, all);
        l->score[i] = (uint8_t)find_numbered(name, "SCORE", 9);
        if (!l->score[i])
            return ledger_fail(l, LEDGER_TILES, name);
    }
    return !rest.length || ledger_fail(l, BAD_TILES, all);
}

static bool scan_removed(struct ledger *l, struct span name)
{
    int card = find_numbered(name, "BON", CARDS);
    if (!card || (l->removed >> card & 1))
        return ledger_fail(l, LEDGER_TILES, name);
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
    return ledger_fail(l, LEDGER_TILES, name);
}

/* "Scoring connected-distance": that tile is in the game. */
static bool scan_section(struct ledger *l, struct span name)
{
    int final = l->r->setup.option[OPT_FINAL];
    for (int i = FINAL_DISTANCE; i <= FINAL_CLUSTERS; i++)
        if (same_word(name, final_names[i]) && i != final)
            return ledger_fail(l, LEDGER_TILES, name);
    return true;
}

static bool scan_faction(struct ledger *l, int faction, struct span name)
{
    if (faction < 0)
        return ledger_fail(l, NO_FACTION_NAME, name);
    if (l->seen_setup[faction])
        return true;
    if (l->seats == SEATS)
        return ledger_fail(l, FAULT_SEATS, name);
    if (l->seats == 0)
        l->first_line = l->line;
    l->seen_setup[faction] = true;
    l->faction[l->seats] = faction;
    l->start_vp[l->seats++] = -1;
    return true;
}

/* "player-count 4": not everybody need have chosen a faction yet. */
static void scan_count(struct ledger *l, struct span number)
{
    long players;
    if (span_int(number, 2, SEATS, &players))
        l->players = (int)players;
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
    struct span rest = span_trim(ledger_first_field(line)),
                first = span_word(&rest);
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
    else if (same_word(first, "player-count"))
        scan_count(l, second);
    else if (same_word(first, "faction-variant"))
        scan_variant(l, second);
    else if (same_word(first, "Added") && same_word(second, "final")) {
        span_cut(&more, ':');
        return scan_final(l, span_trim(more));
    } else if (same_word(first, "setup"))
        return scan_faction(l, find_faction(second), second);
    else if (same_word(first, "Scoring"))
        return scan_section(l, second);
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

bool ledger_start_vp(const struct ledger *l, struct span command, int *more)
{
    long number = 0;
    if (l->is_table || l->built || !is_adjustment(command) ||
        command.length < 4 ||
        !same_word((struct span){command.at + command.length - 2, 2}, "vp"))
        return false;
    command.length -= 2;
    if (command.at[0] == '+')
        command.at++, command.length--;
    bool good = span_int(command, -40, 99, &number);
    *more = (int)number;
    return good;
}

static void scan_commands(struct ledger *l, int seat, struct span commands)
{
    while (commands.length) {
        struct span command = span_trim(span_cut(&commands, '.'));
        int more;
        if (ledger_start_vp(l, command, &more)) {
            l->start_vp[seat] = 20 + more;
            continue;
        }
        l->built |= starts_with(command, "build");
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
    scan_commands(l, ledger_seat(l, row->faction), row->commands);
    return true;
}

bool ledger_scan(struct ledger *l, struct span text)
{
    struct lines lines = lines_of(text);
    struct span line;
    while (lines_next(&lines, &line)) {
        struct row row;
        l->line = lines.number;
        enum line_kind kind = ledger_read_row(line, lines.number, &row);
        if (kind == LINE_BAD)
            return ledger_fail(l, LEDGER_ROW, line);
        if (kind == LINE_NOBODY)
            return ledger_fail(l, NO_FACTION_NAME, ledger_first_field(line));
        if (kind == LINE_ROW ? !scan_row(l, &row) : !scan_comment(l, line))
            return false;
    }
    return true;
}

static bool put_vp(struct ledger *l, struct text *t)
{
    bool equal = true, table = true;
    for (int i = 0; i < l->seats; i++) {
        equal &= l->start_vp[i] == 20 || l->start_vp[i] < 0;
        table &= l->start_vp[i] == factions[l->faction[i]].vp_2017;
    }
    if (equal)
        return true;
    if (table && l->seats == l->players) {
        l->r->setup.option[OPT_START_VP] = 1;
        return true;
    }
    text_put(t, "vp:");
    for (int i = 0; i < l->players; i++) {
        bool said = i < l->seats && l->start_vp[i] >= 0;
        text_put(t, i ? "," : " ");
        text_int(t, said ? l->start_vp[i] : 20);
    }
    text_char(t, '\n');
    return true;
}

static bool put_tiles(struct ledger *l, struct text *t)
{
    l->line = l->first_line;
    if (!l->score[0] || !l->score[1] || !l->score[2] || !l->score[3] ||
        !l->score[4] || !l->score[5])
        return ledger_fail_text(l, l->random_seed ? LEDGER_SEED : LEDGER_TILES,
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
    return count == l->players + 3 ||
           ledger_fail_text(
               l, l->random_seed && !l->removed ? LEDGER_SEED : LEDGER_TILES,
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

bool ledger_prepare(struct ledger *l)
{
    struct setup *setup = &l->r->setup;
    struct text t = text_begin(l->r->given, l->r->given_cap);
    const char *given = setup->given;
    l->players = max_int(l->players, l->seats);
    if (l->players < 2)
        return ledger_fail_text(l, FAULT_SEATS, "fewer than two factions");
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
        return ledger_fail_text(l, FAULT_SIZE, "");
    setup->given = l->r->given;
    setup->seats = l->players;
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
void ledger_clear_options(struct setup *setup)
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

void ledger_put_names(struct ledger *l)
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
