/* tests/rules/nova/reference.c: Terra Nova written down the plain way. */
#include "tests/rules/nova/reference.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GONE = REFERENCE_GONE };

/* E SE SW W NW NE, as steps of row and number (nova §10.1). */
static const int row_step[6] = {0, 1, 1, 0, -1, -1};
static const int number_step[6] = {1, 1, 0, -1, -1, 0};

/* ---- the board ---- */

static int hex_at(const struct reference_board *b, int row, int number)
{
    for (int h = 0; h < b->count; h++)
        if (b->row[h] == row && b->number[h] == number)
            return h;
    return GONE;
}

/* Moves the numbers so that rows begin at 0 and numbers at 1, then finds the
 * neighbours. */
static void settle(struct reference_board *b)
{
    int top = b->row[0], left = b->number[0];
    for (int h = 0; h < b->count; h++)
        if (b->number[h] < left)
            left = b->number[h];
    for (int h = 0; h < b->count; h++) {
        b->row[h] -= top;
        b->number[h] -= left - 1;
    }
    b->rows = b->row[b->count - 1] + 1;
    for (int h = 0; h < b->count; h++)
        for (int d = 0; d < 6; d++)
            b->near[h][d] = hex_at(b, b->row[h] + row_step[d],
                                   b->number[h] + number_step[d]);
}

bool reference_map(struct reference_board *b, const char *map)
{
    memset(b, 0, sizeof *b);
    int line = 0, column = 0;
    for (; *map; map++, column++) {
        if (*map == '\n') {
            line++;
            column = -1;
        } else if (islower((unsigned char)*map)) {
            if (b->count == REFERENCE_HEXES)
                return false;
            b->row[b->count] = line;
            b->number[b->count] = (column + line) / 2;
            b->land[b->count++] = *map;
        }
    }
    if (b->count > 0)
        settle(b);
    b->stones = b->count;
    return b->count > 0;
}

bool reference_board(struct reference_board *b, const char *file)
{
    const char *map = strstr(file, "\nmap:\n");
    const char *pioneers = strstr(file, "\npioneers:");
    const char *stones = strstr(file, "\nstones:");
    if (!map || !pioneers || !stones || !reference_map(b, map + 6))
        return false;
    b->stones = atoi(stones + 8);
    return sscanf(pioneers + 10, "%d %d %d", &b->pioneers[2], &b->pioneers[3],
                  &b->pioneers[4]) == 3;
}

int reference_hex(const struct reference_board *b, const char *text,
                  size_t *used)
{
    size_t length = 1;
    int number = 0;
    if (!islower((unsigned char)text[0]) || text[1] < '1' || text[1] > '9')
        return GONE;
    while (length < 3 && isdigit((unsigned char)text[length]))
        number = 10 * number + text[length++] - '0';
    *used = length;
    return hex_at(b, text[0] - 'a', number);
}

/* ---- options (nova §9) ---- */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool set_edition(struct reference *g, const char *value)
{
    bool en = is(value, "en"), nl = is(value, "nl"), sv = is(value, "sv");
    g->home_rule = nl ? RETURN_NL : sv ? RETURN_SV : RETURN_EN;
    g->finish_turn = en;
    return en || nl || sv;
}

static bool choose(const char *value, const char *no, const char *yes,
                   bool *out)
{
    *out = is(value, yes);
    return *out || is(value, no);
}

static bool set_return(struct reference *g, const char *value)
{
    static const char *const names[] = {"en", "nl", "sv", "strict"};
    for (int i = 0; i < 4; i++)
        if (is(value, names[i])) {
            g->home_rule = (enum reference_return)i;
            return true;
        }
    return false;
}

static bool set_option(struct reference *g, const char *key, const char *value)
{
    bool ignored;
    if (is(key, "return"))
        return set_return(g, value);
    if (is(key, "finish_turn"))
        return choose(value, "no", "yes", &g->finish_turn);
    if (is(key, "alone"))
        return choose(value, "now", "lasting", &g->alone_lasting);
    if (is(key, "wiped"))
        return choose(value, "play", "end", &g->wiped_end);
    if (is(key, "out_of_stones"))
        return choose(value, "end", "play", &g->stones_play);
    if (is(key, "tie"))
        return choose(value, "shared", "pioneers", &g->tie_pioneers);
    if (is(key, "setup"))
        return choose(value, "free", "random", &ignored);
    int *number = is(key, "stones")     ? &g->stones
                  : is(key, "pioneers") ? &g->pioneers
                  : is(key, "quiet")    ? &g->quiet
                                        : NULL;
    if (number)
        *number = atoi(value);
    return number != NULL;
}

bool reference_rules(struct reference *g, const struct reference_board *board,
                     const char *colours, const char *options)
{
    memset(g, 0, sizeof *g);
    g->board = board;
    g->seats = (int)strlen(colours);
    if (g->seats < 2 || g->seats > REFERENCE_SEATS)
        return false;
    strcpy(g->colour, colours);
    g->stones = board->stones;
    g->pioneers = board->pioneers[g->seats];
    g->quiet = 10;
    set_edition(g, "en");
    char words[REFERENCE_TEXT];
    for (int pass = 0; pass < 2; pass++) { /* the edition before the rest */
        snprintf(words, sizeof words, "%s", options);
        for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
            char *value = strchr(w, '=');
            if (!value)
                return false;
            *value++ = '\0';
            if (is(w, "edition") != (pass == 0))
                continue;
            if (!(pass == 0 ? set_edition(g, value) : set_option(g, w, value)))
                return false;
        }
    }
    return true;
}

/* ---- parts (nova §2) ---- */

static bool open_hex(const struct reference_state *s, int hex)
{
    return hex != GONE && s->at[hex] != '#';
}

static bool free_hex(const struct reference_state *s, int hex)
{
    return hex != GONE && s->at[hex] == '-';
}

/* Marks the part around `hex` with `mark` in part[], returns its variety and
 * its size; hexes not yet visited hold GONE. */
static int flood(const struct reference *g, const struct reference_state *s,
                 int hex, int mark, int *part, int *size)
{
    int todo[REFERENCE_HEXES], top = 0, variety = 0;
    bool seen[256] = {false};
    *size = 0;
    part[hex] = mark;
    todo[top++] = hex;
    while (top > 0) {
        int h = todo[--top];
        unsigned char land = (unsigned char)g->board->land[h];
        variety += !seen[land];
        seen[land] = true;
        ++*size;
        for (int d = 0; d < 6; d++) {
            int next = g->board->near[h][d];
            if (open_hex(s, next) && part[next] == GONE) {
                part[next] = mark;
                todo[top++] = next;
            }
        }
    }
    return variety;
}

int reference_parts(const struct reference *g, const struct reference_state *s,
                    int *part, int *variety)
{
    int count = 0, size;
    for (int h = 0; h < g->board->count; h++)
        part[h] = GONE;
    for (int h = 0; h < g->board->count; h++)
        if (open_hex(s, h) && part[h] == GONE) {
            variety[count] = flood(g, s, h, count, part, &size);
            count++;
        }
    return count;
}

/* ---- scoring (nova §7) ---- */

static int seat_of(const struct reference *g, char colour)
{
    const char *at = colour ? strchr(g->colour, colour) : NULL;
    return at ? (int)(at - g->colour) : GONE;
}

static void share(const struct reference *g, struct reference_territory *t)
{
    int most = 0, winners = 0;
    for (int seat = 0; seat < g->seats; seat++)
        if (t->inside[seat] > most)
            most = t->inside[seat];
    for (int seat = 0; seat < g->seats; seat++)
        winners += most > 0 && t->inside[seat] == most;
    for (int seat = 0; seat < g->seats; seat++)
        t->gain[seat] = most > 0 && t->inside[seat] == most
                            ? t->size * (4 - t->variety) / winners
                            : 0;
}

static void close_part(const struct reference *g, struct reference_state *s,
                       const int *part, int mark, struct reference_territory *t)
{
    t->first = GONE;
    for (int h = 0; h < g->board->count; h++) {
        if (part[h] != mark)
            continue;
        if (t->first == GONE)
            t->first = h;
        int seat = seat_of(g, s->at[h]);
        if (seat == GONE)
            continue;
        t->inside[seat]++;
        s->at[h] = '-';
        for (int i = 0; i < s->moved; i++)
            if (s->now[i] == h)
                s->now[i] = GONE;
    }
    share(g, t);
    for (int seat = 0; seat < g->seats; seat++)
        s->score[seat] += t->gain[seat];
}

static int by_size(const void *a, const void *b)
{
    const struct reference_territory *x = a, *y = b;
    return x->size != y->size ? y->size - x->size : x->first - y->first;
}

/* Looks at every part beside the new stone, nova §7.1. */
static void score(const struct reference *g, struct reference_state *s,
                  int stone, struct reference_scored *scored)
{
    int part[REFERENCE_HEXES];
    for (int h = 0; h < g->board->count; h++)
        part[h] = GONE;
    for (int i = 0; i < 6; i++) {
        int hex = g->board->near[stone][g->backwards ? 5 - i : i];
        if (!open_hex(s, hex) || part[hex] != GONE)
            continue;
        struct reference_territory t = {0};
        t.variety = flood(g, s, hex, i, part, &t.size);
        if (t.variety > 3)
            continue;
        close_part(g, s, part, i, &t);
        scored->territory[scored->count++] = t;
    }
    qsort(scored->territory, (size_t)scored->count, sizeof scored->territory[0],
          by_size);
}

/* ---- actions ---- */

static int entry_of(const struct reference_state *s, int hex)
{
    for (int i = 0; i < s->moved; i++)
        if (s->now[i] == hex)
            return i;
    return GONE;
}

static void move_pioneer(struct reference_state *s, int from, int to)
{
    int i = entry_of(s, from);
    if (i == GONE) {
        i = s->moved++;
        s->home[i] = from;
    }
    s->now[i] = to;
    s->at[to] = s->at[from];
    s->at[from] = '-';
}

/* What the action does to the board; the turn goes on elsewhere. */
static void carry_out(const struct reference *g, struct reference_state *s,
                      struct reference_action a,
                      struct reference_scored *scored)
{
    scored->count = 0;
    if (a.kind == PLACE) {
        s->at[a.to] = g->colour[s->seat];
        s->hand[s->seat]--;
    } else if (a.kind == MOVE) {
        move_pioneer(s, a.from, a.to);
    } else if (a.kind == STONE) {
        s->at[a.to] = '#';
        s->supply--;
        s->placed++;
        score(g, s, a.to, scored);
    }
}

/* Would the turn, with this as its third action, be an empty gesture?  For
 * strict any move counts, nova §5.2. */
static bool breaks_return(const struct reference *g,
                          const struct reference_state *before,
                          struct reference_action a)
{
    if (g->home_rule == RETURN_STRICT) {
        int i = a.kind == MOVE ? entry_of(before, a.from) : GONE;
        return i != GONE && before->home[i] == a.to;
    }
    if (before->act < 3)
        return false;
    struct reference_state after = *before;
    struct reference_scored scored;
    carry_out(g, &after, a, &scored);
    bool home = false;
    for (int i = 0; i < after.moved; i++)
        home |= after.now[i] == after.home[i];
    if (g->home_rule == RETURN_EN)
        return home && after.placed == 0;
    if (g->home_rule == RETURN_NL)
        return home && after.placed == 0 && after.moved == 1;
    return home;
}

static int list_moves(const struct reference *g,
                      const struct reference_state *s, int seat,
                      struct reference_action *out)
{
    int count = 0;
    for (int h = 0; h < g->board->count; h++) {
        if (s->at[h] != g->colour[seat])
            continue;
        for (int d = 0; d < 6; d++)
            for (int to = g->board->near[h][d]; free_hex(s, to);
                 to = g->board->near[to][d])
                out[count++] = (struct reference_action){MOVE, h, to};
    }
    return count;
}

static bool beside_mover(const struct reference *g,
                         const struct reference_state *s, int hex)
{
    for (int d = 0; d < 6; d++) {
        int next = g->board->near[hex][d];
        if (next != GONE && entry_of(s, next) != GONE)
            return true;
    }
    return false;
}

static int list_stones(const struct reference *g,
                       const struct reference_state *s,
                       struct reference_action *out)
{
    int count = 0;
    if (g->stones > 0 && s->supply <= 0)
        return 0;
    for (int h = 0; h < g->board->count; h++)
        if (free_hex(s, h) && beside_mover(g, s, h))
            out[count++] = (struct reference_action){STONE, GONE, h};
    return count;
}

static int list_places(const struct reference *g,
                       const struct reference_state *s,
                       struct reference_action *out)
{
    int count = 0;
    for (int h = 0; h < g->board->count; h++)
        if (free_hex(s, h))
            out[count++] = (struct reference_action){PLACE, GONE, h};
    return count;
}

int reference_legal(const struct reference *g, const struct reference_state *s,
                    struct reference_action *out)
{
    if (s->end[0])
        return 0;
    if (s->act == 0)
        return list_places(g, s, out);
    int count = list_moves(g, s, s->seat, out);
    if (s->act == 1) {
        if (count == 0)
            out[count++] = (struct reference_action){PASS, GONE, GONE};
        return count;
    }
    count += list_stones(g, s, out + count);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!breaks_return(g, s, out[i]))
            out[kept++] = out[i];
    return kept;
}

/* ---- the end (nova §8) ---- */

bool reference_can_move(const struct reference *g,
                        const struct reference_state *s, int seat)
{
    struct reference_action list[REFERENCE_ACTIONS];
    return list_moves(g, s, seat, list) > 0;
}

static int pioneers_on_board(const struct reference *g,
                             const struct reference_state *s, int seat)
{
    int count = 0;
    for (int h = 0; h < g->board->count; h++)
        count += s->at[h] == g->colour[seat];
    return count;
}

static bool divided(const struct reference *g, const struct reference_state *s)
{
    int part[REFERENCE_HEXES], variety[REFERENCE_HEXES];
    int count = reference_parts(g, s, part, variety);
    for (int i = 0; i < count; i++)
        if (variety[i] > 3)
            return false;
    return true;
}

static bool alone(const struct reference *g, const struct reference_state *s)
{
    int able = 0, present = 0;
    for (int seat = 0; seat < g->seats; seat++) {
        able += reference_can_move(g, s, seat);
        present += pioneers_on_board(g, s, seat) > 0;
    }
    return g->alone_lasting ? present <= 1 || able == 0 : able <= 1;
}

static bool wiped(const struct reference *g, const struct reference_state *s)
{
    for (int seat = 0; seat < g->seats; seat++)
        if (pioneers_on_board(g, s, seat) == 0)
            return true;
    return false;
}

static const char *ending(const struct reference *g,
                          const struct reference_state *s)
{
    if (divided(g, s))
        return "divided";
    if (alone(g, s))
        return "alone";
    if (g->wiped_end && wiped(g, s))
        return "wiped";
    if (g->stones > 0 && s->supply == 0 && !g->stones_play)
        return "stones";
    if (g->quiet > 0 && s->quiet >= g->quiet * g->seats)
        return "quiet";
    return "";
}

void reference_places(const struct reference *g,
                      const struct reference_state *s, int *place)
{
    for (int seat = 0; seat < g->seats; seat++) {
        place[seat] = 1;
        int mine = pioneers_on_board(g, s, seat);
        for (int rival = 0; rival < g->seats; rival++)
            place[seat] +=
                s->score[rival] > s->score[seat] ||
                (g->tie_pioneers && s->score[rival] == s->score[seat] &&
                 pioneers_on_board(g, s, rival) > mine);
    }
}

/* ---- the turn (nova §4.1) ---- */

static void end_turn(const struct reference *g, struct reference_state *s)
{
    s->quiet = s->placed > 0 ? 0 : s->quiet + 1;
    s->seat = (s->seat + 1) % g->seats;
    s->act = 1;
    s->moved = s->placed = 0;
    strcpy(s->end, ending(g, s));
}

static void next_placement(const struct reference *g, struct reference_state *s)
{
    s->seat = (s->seat + 1) % g->seats;
    for (int seat = 0; seat < g->seats; seat++)
        if (s->hand[seat] > 0)
            return;
    s->seat = 0;
    s->act = 1;
}

void reference_apply(const struct reference *g, struct reference_state *s,
                     struct reference_action a, struct reference_scored *scored)
{
    struct reference_action list[REFERENCE_ACTIONS];
    carry_out(g, s, a, scored);
    if (a.kind == PLACE) {
        next_placement(g, s);
    } else if (a.kind == PASS) {
        end_turn(g, s);
    } else if (scored->count > 0 && !g->finish_turn && alone(g, s)) {
        end_turn(g, s); /* Q13 */
    } else {
        s->act++;
        if (s->act > 3 || reference_legal(g, s, list) == 0)
            end_turn(g, s);
    }
}

void reference_start(const struct reference *g, struct reference_state *s)
{
    memset(s, 0, sizeof *s);
    memset(s->at, '-', (size_t)g->board->count);
    s->supply = g->stones;
    for (int seat = 0; seat < g->seats; seat++)
        s->hand[seat] = g->pioneers;
}

long reference_count(const struct reference *g, const struct reference_state *s,
                     int depth)
{
    struct reference_action list[REFERENCE_ACTIONS];
    if (depth == 0)
        return 1;
    int legal = reference_legal(g, s, list);
    if (depth == 1)
        return legal;
    long count = 0;
    for (int i = 0; i < legal; i++) {
        struct reference_state next = *s;
        struct reference_scored scored;
        reference_apply(g, &next, list[i], &scored);
        count += reference_count(g, &next, depth - 1);
    }
    return count;
}

/* ---- actions as text (nova §11.1) ---- */

static char *write_hex(const struct reference *g, int hex, char *to)
{
    return to +
           sprintf(to, "%c%d", 'a' + g->board->row[hex], g->board->number[hex]);
}

static char *write_result(const struct reference *g,
                          const struct reference_territory *t, char *to)
{
    const char *before = "";
    *to++ = '(';
    for (int seat = 0; seat < g->seats; seat++)
        if (t->gain[seat] > 0) {
            to += sprintf(to, "%s%c%d", before, g->colour[seat], t->gain[seat]);
            before = ",";
        }
    *to++ = ')';
    return to;
}

void reference_write_action(const struct reference *g,
                            const struct reference_state *s,
                            struct reference_action a, char *to)
{
    struct reference_scored scored = {0};
    if (a.kind == STONE) {
        struct reference_state after = *s;
        carry_out(g, &after, a, &scored);
    }
    if (a.kind == PASS) {
        strcpy(to, "--");
        return;
    }
    if (a.kind == MOVE) {
        to = write_hex(g, a.from, to);
        *to++ = '-';
    } else {
        *to++ = a.kind == STONE ? '*' : '+';
    }
    to = write_hex(g, a.to, to);
    for (int i = 0; i < scored.count; i++)
        to = write_result(g, &scored.territory[i], to);
    *to = '\0';
}

bool reference_read_action(const struct reference *g,
                           const struct reference_state *s, const char *text,
                           struct reference_action *out)
{
    struct reference_action list[REFERENCE_ACTIONS];
    int count = reference_legal(g, s, list);
    for (int i = 0; i < count; i++) {
        char whole[REFERENCE_TEXT];
        reference_write_action(g, s, list[i], whole);
        size_t bare = strcspn(whole, "(");
        if (is(text, whole) ||
            (strlen(text) == bare && strncmp(text, whole, bare) == 0)) {
            *out = list[i];
            return true;
        }
    }
    return false;
}

/* ---- positions as text (nova §11.3) ---- */

static char *write_rows(const struct reference *g,
                        const struct reference_state *s, char *to)
{
    int empty = 0;
    for (int h = 0; h < g->board->count; h++) {
        bool last = h + 1 == g->board->count ||
                    g->board->row[h + 1] != g->board->row[h];
        empty += s->at[h] == '-';
        if (empty > 0 && (last || s->at[h + 1] != '-')) {
            to += sprintf(to, "%d", empty);
            empty = 0;
        }
        if (s->at[h] != '-')
            *to++ = s->at[h];
        if (last && h + 1 < g->board->count)
            *to++ = '/';
    }
    *to++ = ' ';
    return to;
}

static char *write_active(const struct reference *g,
                          const struct reference_state *s, char *to)
{
    if (s->end[0])
        return to + sprintf(to, "=%s ", s->end);
    to += sprintf(to, "%c%d", g->colour[s->seat], s->act);
    for (int i = 0; i < s->moved; i++) {
        *to++ = ':';
        to = write_hex(g, s->home[i], to);
        *to++ = '>';
        if (s->now[i] == GONE)
            *to++ = 'x';
        else
            to = write_hex(g, s->now[i], to);
    }
    if (s->placed > 0)
        to += sprintf(to, "*%d", s->placed);
    *to++ = ' ';
    return to;
}

static char *write_numbers(const struct reference *g, const int *number,
                           char *to)
{
    for (int seat = 0; seat < g->seats; seat++)
        to +=
            sprintf(to, "%d%c", number[seat], seat + 1 < g->seats ? ',' : ' ');
    return to;
}

void reference_write(const struct reference *g, const struct reference_state *s,
                     char *to)
{
    int hands = 0;
    for (int seat = 0; seat < g->seats; seat++)
        hands += s->hand[seat];
    to = write_rows(g, s, to);
    to += sprintf(to, "%s ", g->colour);
    to = write_active(g, s, to);
    if (hands == 0)
        to += sprintf(to, "- ");
    else
        to = write_numbers(g, s->hand, to);
    to = write_numbers(g, s->score, to);
    sprintf(to, "%d %d", s->supply, s->quiet);
}

/* ---- reading positions ---- */

/* Digits without leading zero, at most six; moves *at behind them. */
static bool read_number(const char **at, int *out)
{
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > 6 || (digits > 1 && **at == '0'))
        return false;
    *out = atoi(*at);
    *at += digits;
    return true;
}

static const char *read_rows(const struct reference *g, const char *at,
                             struct reference_state *s)
{
    const struct reference_board *b = g->board;
    int h = 0;
    for (int row = 0; row < b->rows; row++) {
        if (row > 0 && *at++ != '/')
            return "a wrong number of rows or hexes";
        int end = h;
        while (end < b->count && b->row[end] == row)
            end++;
        while (*at && *at != '/') {
            int run = 1;
            char what = '-';
            if (isdigit((unsigned char)*at)) {
                if (!read_number(&at, &run) || run == 0)
                    return "a bad number of free hexes";
            } else {
                what = *at++;
                if (what != '#' && seat_of(g, what) == GONE)
                    return "neither stone nor a seat's pioneer";
            }
            if (run > end - h)
                return "too many hexes in a row";
            while (run-- > 0)
                s->at[h++] = what;
        }
        if (h < end)
            return "too few hexes in a row";
    }
    return *at ? "too many rows" : NULL;
}

static bool read_pair(const struct reference *g, const char **at,
                      struct reference_state *s)
{
    size_t used;
    int home = reference_hex(g->board, *at, &used);
    if (home == GONE || (*at)[used] != '>')
        return false;
    *at += used + 1;
    int now = GONE;
    if (**at == 'x') {
        ++*at;
    } else {
        now = reference_hex(g->board, *at, &used);
        if (now == GONE || s->at[now] != g->colour[s->seat])
            return false;
        *at += used;
    }
    s->home[s->moved] = home;
    s->now[s->moved++] = now;
    return true;
}

/* Only y0, y1, y2:a>b, y3:a>b, y3:a>b:c>d, y3:a>b*1 and y3:a>x*1 exist. */
static bool shape_exists(const struct reference_state *s)
{
    bool gone = s->moved > 0 && s->now[0] == GONE;
    bool home = s->moved > 0 && s->now[0] == s->home[0];
    if (s->act < 2)
        return s->moved == 0 && s->placed == 0;
    if (s->act == 2)
        return s->moved == 1 && s->placed == 0 && !gone && !home;
    if (s->placed == 1)
        return s->moved == 1 && !home;
    if (s->moved == 1)
        return !gone;
    return s->moved == 2 && !gone && !home && s->now[1] != GONE &&
           s->now[1] != s->home[1] && s->home[0] != s->home[1] &&
           s->now[0] != s->now[1];
}

static const char *read_active(const struct reference *g, const char *at,
                               struct reference_state *s)
{
    static const char *const reasons[] = {"divided", "alone",  "wiped",
                                          "stones",  "quiet",  "resign",
                                          "time",    "agreed", "abandoned"};
    if (*at == '=') {
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (is(at + 1, reasons[i])) {
                strcpy(s->end, reasons[i]);
                return NULL;
            }
        return "an unknown end";
    }
    s->seat = seat_of(g, *at);
    if (s->seat == GONE)
        return "no such seat";
    if (at[1] < '0' || at[1] > '3')
        return "no such action";
    s->act = at[1] - '0';
    at += 2;
    while (*at == ':' && s->moved < 2) {
        at++;
        if (!read_pair(g, &at, s))
            return "a bad pair of hexes";
    }
    if (*at == '*') {
        at++;
        if (!read_number(&at, &s->placed) || s->placed != 1)
            return "a bad number of stones placed";
    }
    return *at || !shape_exists(s) ? "no turn is ever like this" : NULL;
}

static bool read_numbers(const struct reference *g, const char *at, int *out)
{
    for (int seat = 0; seat < g->seats; seat++) {
        if (seat > 0 && *at++ != ',')
            return false;
        if (!read_number(&at, &out[seat]))
            return false;
    }
    return *at == '\0';
}

static bool broken_off(const struct reference_state *s)
{
    return is(s->end, "resign") || is(s->end, "time") || is(s->end, "agreed") ||
           is(s->end, "abandoned");
}

/* The seats before the active one hold one less, the others as many. */
static bool hands_fit(const struct reference *g,
                      const struct reference_state *s, int active)
{
    for (int seat = 0; seat < g->seats; seat++)
        if (s->hand[seat] != s->hand[active] - (seat < active))
            return false;
    return s->hand[active] > 0;
}

static const char *read_hands(const struct reference *g, const char *at,
                              struct reference_state *s)
{
    bool placing = !s->end[0] && s->act == 0;
    if (is(at, "-"))
        return placing ? "placement without hands" : NULL;
    if (!read_numbers(g, at, s->hand))
        return "bad hands";
    if (placing)
        return hands_fit(g, s, s->seat) ? NULL : "hands do not fit";
    if (!broken_off(s))
        return "hands after the placement";
    for (int seat = 0; seat < g->seats; seat++)
        if (hands_fit(g, s, seat))
            return NULL;
    return "hands do not fit";
}

static const char *read_supply(const struct reference *g, const char *at,
                               struct reference_state *s)
{
    bool minus = *at == '-';
    at += minus;
    if (!read_number(&at, &s->supply) || *at)
        return "bad supply";
    if (minus && s->supply == 0)
        return "bad supply";
    if (s->supply > 0 && minus != (g->stones == 0))
        return "supply of the wrong sign";
    if (minus)
        s->supply = -s->supply;
    return NULL;
}

static const char *check_pioneers(const struct reference *g,
                                  const struct reference_state *s)
{
    int part[REFERENCE_HEXES], variety[REFERENCE_HEXES];
    int hands = 0;
    for (int seat = 0; seat < g->seats; seat++) {
        hands += s->hand[seat];
        if (g->pioneers > 0 &&
            pioneers_on_board(g, s, seat) + s->hand[seat] > g->pioneers)
            return "too many pioneers";
    }
    reference_parts(g, s, part, variety);
    for (int h = 0; h < g->board->count; h++)
        if (hands == 0 && seat_of(g, s->at[h]) != GONE && variety[part[h]] <= 3)
            return "a pioneer in a scored territory";
    return NULL;
}

static const char *read_fields(const struct reference *g, char *field[7],
                               struct reference_state *s)
{
    const char *why = read_rows(g, field[0], s);
    if (!why && !is(field[1], g->colour))
        why = "other seats";
    if (!why)
        why = read_active(g, field[2], s);
    if (!why)
        why = read_hands(g, field[3], s);
    if (!why && !read_numbers(g, field[4], s->score))
        why = "bad scores";
    if (!why)
        why = read_supply(g, field[5], s);
    const char *quiet = field[6];
    if (!why && (!read_number(&quiet, &s->quiet) || *quiet))
        why = "bad quiet";
    if (!why)
        why = check_pioneers(g, s);
    struct reference_action list[REFERENCE_ACTIONS];
    if (!why && s->act > 1 && reference_legal(g, s, list) == 0)
        why = "nothing is legal, the turn would be over";
    return why;
}

bool reference_read(const struct reference *g, const char *text,
                    struct reference_state *s, const char **why)
{
    char copy[REFERENCE_TEXT], *field[7], *at = copy;
    struct reference_state read;
    reference_start(g, &read);
    memset(read.hand, 0, sizeof read.hand);
    *why = "a wrong number of fields";
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (int i = 0; i < 7; i++) {
        field[i] = at;
        at += strcspn(at, " ");
        if ((*at == '\0') != (i == 6))
            return false;
        *at++ = '\0';
    }
    *why = read_fields(g, field, &read);
    if (*why)
        return false;
    *s = read;
    return true;
}
