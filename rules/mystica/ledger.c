/* rules/mystica/ledger.c: reading games of the public server.
 *
 * Two passes.  The first collects what the file says about the setup.  The
 * second plays row by row and compares every value.  Rows show the state in
 * the middle of what happens by itself (after the cult bonus, before income),
 * so the reader lets the game advance one phase at a time, and only when a row
 * asks for it. */
#include "rules/mystica/ledger_parts.h"

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
    return ledger_play_step(l, seat, a);
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
    if (!ledger_add_step(l, (struct step){STEP_DROP, (int8_t)seat, 0, 0}))
        return false;
    l->disturbed = true;
    leave(l->w, l->s, seat);
    ledger_settle_setup(l);
    return true;
}

static bool abandon(struct ledger *l)
{
    struct step step = {STEP_STOP, SEAT_NONE, ENDING_ABANDONED, 0};
    if (l->s->phase == PHASE_OVER)
        return true;
    if (!ledger_add_step(l, step))
        return false;
    mystica_stop(l->w, l->s, step.reason, step.seat);
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
        if (!ledger_play_command(l, seat, span_of(one)))
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
    int section, points, more;
    bool done = false;
    if (ledger_start_vp(l, command, &more))
        return true;
    l->built |= starts_with(command, "build");
    if (same_word(command, "setup"))
        return pick_faction(l, seat);
    if (same_word(command, "cult_income_for_faction"))
        return ledger_income_row(l, seat, true, index > 0);
    if (same_word(command, "other_income_for_faction"))
        return ledger_income_row(l, seat, false, index > 0);
    if (l->is_table && (same_word(command, "income_for_faction") ||
                        same_word(command, "all_income_for_faction")))
        return ledger_income_together(l, seat);
    if (same_word(command, "score_resources"))
        return ledger_score_row(l, seat, SECTION_RESOURCES, -1);
    if (same_word(command, "resign"))
        return drop_seat(l, seat);
    if (starts_with(command, "[opponent accepted"))
        l->announced[seat]++;
    if (starts_with(command, "[all opponents declined"))
        l->refused[seat]++;
    if (is_ignored(command))
        return true;
    if (ledger_is_scoring(command, &section, &points))
        return ledger_score_row(l, seat, section, points);
    const struct seat *p = &l->s->seat[seat];
    if (!p->colour_due && !p->favours_due && !pick_all(l))
        return false;
    bool all_passed = l->s->round == ROUNDS && l->s->seat[seat].passed;
    if (!l->is_table && all_passed && claim(l, seat, command))
        return true;
    if (!many_towns(l, seat, command, &done))
        return false;
    return done || ledger_play_command(l, index ? acting_seat(l, seat) : seat,
                                       without_override(command));
}

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
    if (ledger_end_turn(l) && s->active != seat) {
        *s = saved;
        l->r->count = count;
    }
    return true;
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
        return ledger_fail_text(l, DUTIES, "choose the town that grows");
    int second = found > 1 ? l->guesses >> l->guessed++ & 1 : 0;
    ledger_remark(l, REMARK_TOWN, l->w->name[act_a(choice[second])]);
    return ledger_play_step(l, seat, choice[second]);
}

static bool run_commands(struct ledger *l, const struct row *row, int seat)
{
    struct span command[COMMANDS];
    int count = split_commands(row->commands, command);
    if (count < 0)
        return ledger_fail_text(l, FAULT_SIZE, "too many commands in a row");
    normalise(command, count, l->is_table);
    if (count > 0)
        begin_row(l, seat, command[0]);
    else if (!ledger_silent_row(l, seat))
        return false;
    for (int i = 0; i < count; i++) {
        char twice[8];
        struct span one = command[i];
        if (i + 1 < count &&
            is_double_step(l, seat, one, command[i + 1], twice))
            one = command[++i] = span_of(twice);
        if (is_idle_dig(l, seat, command + i, count - i)) {
            ledger_remark(l, REMARK_DIG, "dig");
            continue;
        }
        if (!settle_join(l, seat, command + i, count - i) ||
            !run_command(l, seat, one, i))
            return false;
    }
    return settle_join(l, seat, NULL, 0);
}

static bool run_row(struct ledger *l, const struct row *row)
{
    int seat = ledger_seat(l, row->faction);
    l->row = row;
    l->taken = false;
    memset(l->offered, 0, sizeof l->offered);
    return run_commands(l, row, seat) && ledger_compare_row(l, row) &&
           (!row->has_values || ledger_compare_changes(l, row, seat));
}

/* "foo: build E6" in a command file; a table may hold any remark. */
static bool is_stranger(const struct ledger *l, struct span first)
{
    return !l->is_table && first.length > 1 && first.at[0] != '#' &&
           first.at[first.length - 1] == ':';
}

/* "Round 3 income", "Round 3, turn 2"; "Round 3 scoring" was scanned. */
static bool run_counting(struct ledger *l, struct span second, struct span more)
{
    long round, turn;
    if (second.length && second.at[second.length - 1] == ',')
        second.length--;
    if (!span_int(second, 0, 99, &round))
        return true;
    if (same_word(more, "income"))
        return ledger_income_line(l, (int)round);
    if (!same_word(span_word(&more), "turn") ||
        !span_int(span_trim(more), 1, 999, &turn))
        return true;
    return ledger_turn_line(l, (int)round, (int)turn);
}

static bool run_comment(struct ledger *l, struct span line)
{
    struct span rest = span_trim(ledger_first_field(line)),
                first = span_word(&rest);
    struct span more = rest, second = span_word(&more);
    rest = span_trim(rest);
    if (is_stranger(l, first))
        return ledger_fail(l, NO_FACTION_NAME, first);
    if (same_word(second, "dropped") && find_faction(first) >= 0) {
        int seat = ledger_seat(l, find_faction(first));
        return seat < 0 ? ledger_fail(l, LEDGER_FACTION, first)
                        : drop_seat(l, seat);
    }
    if (same_word(first, "drop-faction")) {
        int faction = find_faction(second);
        int seat = faction < 0 ? -1 : ledger_seat(l, faction);
        return seat < 0 ? ledger_fail(l, LEDGER_FACTION, second)
                        : drop_seat(l, seat);
    }
    if (same_word(first, "abort") && !l->is_table && !second.length)
        return abandon(l);
    if (same_word(first, "setup") && find_faction(second) >= 0)
        return pick_faction(l, ledger_seat(l, find_faction(second)));
    if (same_word(first, "Round"))
        return run_counting(l, second, span_trim(more));
    return ledger_section_line(l, first, second);
}

/* A game that stops early is as good as its rows. */
static bool finish(struct ledger *l)
{
    if (!ledger_run_deferred(l))
        return false;
    if (l->s->phase == PHASE_ACTIONS && l->s->round == ROUNDS) {
        bool all = true;
        for (int seat = 0; seat < l->seats; seat++)
            all &= l->s->seat[seat].passed || l->s->seat[seat].dropped;
        if (all && !ledger_reach_end(l))
            return false;
    }
    while (l->s->phase >= PHASE_CARDS && l->s->phase != PHASE_OVER &&
           advance_once(l->w, l->s)) {
    }
    if (l->s->phase == PHASE_OVER && l->scored &&
        (!ledger_check_sections(l) || !ledger_check_claims(l)))
        return false;
    if (l->s->phase != PHASE_OVER)
        ledger_remark(l, REMARK_UNFINISHED, "");
    return true;
}

static bool run(struct ledger *l, struct span text)
{
    struct lines lines = lines_of(text);
    struct span line;
    while (lines_next(&lines, &line)) {
        struct row row;
        l->line = lines.number;
        enum line_kind kind = ledger_read_row(line, lines.number, &row);
        if (kind == LINE_ROW ? !run_row(l, &row) : !run_comment(l, line))
            return false;
    }
    return finish(l);
}

/* One reading; *guessed tells how many choices of a town it had to guess. */
static bool read_guessing(struct span text, struct record *r, unsigned guesses,
                          int *guessed, struct fault *f)
{
    struct ledger l = {
        .r = r, .f = f, .w = r->world, .s = r->state, .guesses = guesses};
    l.remarks = text_begin(r->remarks, r->remarks_cap);
    r->count = 0;
    ledger_clear_options(&r->setup);
    bool good = ledger_scan(&l, text) && ledger_prepare(&l);
    if (good) {
        ledger_put_names(&l);
        l.built = false;
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
    struct span all = ledger_after_mark(text, length);
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
