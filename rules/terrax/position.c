/* rules/terrax/position.c: a whole state as text (docs/notation.md).
 *
 * The first line is the position line of terrax §17; lines "key: value"
 * follow.  What is left out has its usual value, and cards that no line names
 * lie in the stack, so that a test can say only what it is about. */
#include "rules/terrax/state.h"

static const char *const phases[] = {"mark",   "turn", "swap",
                                     "claims", "over", NULL};

/* SEEN_GIVEN, _KEPT, _OTHER, _FIRST */
static const char seen_letters[] = "gkof";

/* ---- writing ---- */

static void write_route(const struct world *w, const struct state *s, int k,
                        struct text *t)
{
    text_char(t, (char)('A' + k));
    text_char(t, ':');
    if (s->length[k] == 0) {
        text_char(t, '-');
        return;
    }
    for (int i = 0; i < s->length[k]; i++) {
        int slot = route_slot(s, k, i);
        bool branch = i > 0 && w->to[route_slot(s, k, i - 1)] != w->from[slot];
        if (branch)
            text_char(t, '|');
        if (branch || i == 0)
            text_put(t, w->id[w->from[slot]]);
        text_char(t, '>');
        text_put(t, w->id[w->to[slot]]);
    }
}

void tx_write_routes(const struct world *w, const struct state *s,
                     struct text *t)
{
    for (int k = 0; k < COLOURS; k++) {
        write_route(w, s, k, t);
        text_char(t, ' ');
    }
    text_put(t, "| seat ");
    text_int(t, s->seat + 1);
    text_put(t, " base ");
    text_int(t, s->base);
    text_put(t, " green ");
    text_int(t, s->green);
    text_put(t, " loop ");
    text_char(t, "ABC-"[s->loop]);
    text_put(t, " loops ");
    text_int(t, s->loops);
    text_put(t, " used ");
    text_int(t, s->used_cheques);
}

static void put_number(struct text *t, const char *key, int64_t number)
{
    text_char(t, '\n');
    text_put(t, key);
    text_char(t, ' ');
    text_int(t, number);
}

static void put_key(struct text *t, const char *key, int seat)
{
    text_char(t, '\n');
    text_put(t, key);
    if (seat >= 0) {
        text_char(t, ' ');
        text_int(t, seat + 1);
    }
    text_char(t, ':');
}

static void put_card(const struct world *w, struct text *t, int card)
{
    text_char(t, ' ');
    text_put(t, card == NO_CARD ? "-" : tx_card_id(w, card));
}

static void put_seats(struct text *t, const char *key, unsigned mask)
{
    if (!mask)
        return;
    put_key(t, key, -1);
    for (int seat = 0; seat < SEATS; seat++)
        if (mask >> seat & 1) {
            text_char(t, ' ');
            text_int(t, seat + 1);
        }
}

/* Known cards with * for "everybody knows it" and ~ for "swapped in, no
 * arrival since", then ? for each hidden one. */
static void write_hand(const struct world *w, const struct state *s, int seat,
                       struct text *t)
{
    put_key(t, "hand", seat);
    SET_EACH(card, s->hand[seat])
    {
        put_card(w, t, card);
        if (set_has(s->shown, card))
            text_char(t, '*');
        if (set_has(s->fresh, card))
            text_char(t, '~');
    }
    for (int i = cards_hidden(s, seat); i > 0; i--)
        put_card(w, t, ANY_CARD);
}

static void write_pile(const struct world *w, const struct state *s,
                       const char *key, int at, int seat, struct text *t)
{
    bool any = false;
    for (int card = 0; card < w->cards; card++) {
        if (s->where[card] != at + seat)
            continue;
        if (!any)
            put_key(t, key, seat);
        any = true;
        put_card(w, t, card);
    }
}

/* In the order of marking; a marker won back has a + behind it. */
static void write_marks(const struct world *w, const struct state *s, int seat,
                        struct text *t)
{
    if (s->marked[seat] == 0)
        return;
    put_key(t, "marks", seat);
    for (int i = 0; i < s->marked[seat]; i++) {
        put_card(w, t, s->mark[seat][i]);
        if (!set_has(s->marker[seat], s->mark[seat][i]))
            text_char(t, '+');
    }
}

static void put_knowers(struct text *t, int knowers)
{
    text_char(t, '/');
    for (int seat = 0; seat < SEATS; seat++)
        if (knowers >> seat & 1)
            text_int(t, seat + 1);
    if (knowers & KNOWN_ALL)
        text_char(t, '*');
}

/* The top first; behind a card / and the seats that know it, * for all. */
static void write_stack(const struct world *w, const struct state *s,
                        struct text *t)
{
    put_key(t, "stack", -1);
    for (int i = s->stacked - 1; i >= 0; i--) {
        put_card(w, t, s->stack[i]);
        if (s->known[i])
            put_knowers(t, s->known[i]);
    }
}

/* Others' cheques are what can be counted from the events everybody sees; with
 * cheque_info=hidden they stand in brackets. */
static void write_cheques(const struct world *w, const struct state *s,
                          struct text *t)
{
    bool hidden = w->option[OPT_CHEQUE_INFO] == INFO_HIDDEN && s->view &&
                  s->phase != PHASE_OVER;
    put_key(t, "cheques", -1);
    for (int seat = 0; seat < w->seats; seat++) {
        bool veil = hidden && s->view != seat + 1;
        text_put(t, veil ? " (" : " ");
        text_int(t, s->cheques[seat]);
        text_put(t, veil ? ")" : "");
    }
    put_number(t, "spent:", s->spent);
}

static void write_swap(const struct world *w, const struct state *s,
                       struct text *t)
{
    if (s->phase != PHASE_SWAP)
        return;
    put_key(t, "swap", -1);
    put_card(w, t, s->aside);
    if (s->aside != ANY_CARD && set_has(s->shown, s->aside))
        text_char(t, '*');
    for (int i = 0; i < s->drawn_count; i++)
        put_card(w, t, s->drawn[i]);
}

static void put_flag(struct text *t, const char *word, bool flag)
{
    if (!flag)
        return;
    text_char(t, ' ');
    text_put(t, word);
}

static void write_course(const struct world *w, const struct state *s,
                         struct text *t)
{
    put_key(t, "phase", -1);
    put_flag(t, phases[s->phase], true);
    if (s->reason) {
        put_key(t, "reason", -1);
        put_flag(t, terrax_endings[s->reason], true);
    }
    if (s->view)
        put_number(t, "view:", s->view == VIEW_SPECTATOR ? 0 : s->view);
    put_number(t, "first:", s->first + 1);
    put_number(t, "round:", s->round);
    put_number(t, "placed:", s->placed);
    put_key(t, "course", -1);
    put_flag(t, "acted", s->acted);
    put_flag(t, "moved", s->moved);
    put_flag(t, "carded", s->carded);
    put_flag(t, "last", s->last);
    put_number(t, "quiet:", s->quiet);
    put_number(t, "high:", s->high);
    put_number(t, "still:", s->still);
    put_seats(t, "waiting", s->waiting);
    put_seats(t, "out", s->out);
    put_seats(t, "barred", s->barred);
    (void)w;
}

/* Is it known which of the drawn cards was kept? */
static bool keeps(const struct state *s, const struct swap *x)
{
    bool going = s->phase == PHASE_SWAP && x == &s->past[s->swaps - 1];
    return !going && (x->seen & (SEEN_KEPT | SEEN_OTHER) ||
                      s->view == VIEW_TRUTH || s->view == x->seat + 1);
}

/* "2@-36:TAJ>EVE/2,MOH/12=2": the seat, the number of the first card drawn, the
 * card given up, those drawn with who knew them, which one was kept; then what
 * everybody saw. */
static void write_past(const struct world *w, const struct state *s,
                       const struct swap *x, struct text *t)
{
    text_char(t, ' ');
    text_int(t, x->seat + 1);
    text_char(t, '@');
    text_int(t, (int16_t)x->top);
    text_char(t, ':');
    text_put(t, tx_card_id(w, x->given));
    for (int i = 0; i < drawn_in(x); i++) {
        text_char(t, i ? ',' : '>');
        text_put(t, tx_card_id(w, x->drawn[i]));
        put_knowers(t, x->knowers[i]);
    }
    if (keeps(s, x) || x->seen)
        text_char(t, '=');
    if (keeps(s, x))
        text_int(t, x->kept + 1);
    for (int i = 0; i < 4; i++)
        if (x->seen >> i & 1)
            text_char(t, seen_letters[i]);
}

static void write_swaps(const struct world *w, const struct state *s,
                        struct text *t)
{
    if (s->buried)
        put_number(t, "buried:", s->buried);
    put_seats(t, "forgot", s->forgot);
    if (s->swaps)
        put_key(t, "swaps", -1);
    for (int i = 0; i < s->swaps; i++)
        write_past(w, s, &s->past[i], t);
}

/* Who laid each arrow, if that is known of any. */
static void write_laid(const struct state *s, struct text *t)
{
    int known = 0;
    for (int k = 0; k < COLOURS; k++)
        for (int i = 0; i < s->length[k]; i++)
            known += route_seat(s, k, i) >= 0;
    if (known == 0)
        return;
    put_key(t, "laid", -1);
    for (int k = 0; k < COLOURS; k++) {
        text_put(t, s->length[k] ? " " : " -");
        for (int i = 0; i < s->length[k]; i++)
            text_char(t, "?123456"[route_seat(s, k, i) + 1]);
    }
}

/* What complete() reasons with: before which swaps heads were where, and what
 * was seen of the swaps. */
static void write_memory(const struct world *w, const struct state *s,
                         struct text *t)
{
    write_laid(s, t);
    put_key(t, "touched", -1);
    for (int card = 0; card < w->cards; card++) {
        if (!s->touched[card])
            continue;
        put_card(w, t, card);
        for (uint32_t rest = s->touched[card]; rest; rest &= rest - 1) {
            text_char(t, rest == s->touched[card] ? '@' : ',');
            text_int(t, __builtin_ctz(rest));
        }
    }
    write_swaps(w, s, t);
    put_number(t, "fence:", s->fence);
    if (s->generator) {
        text_put(t, "\ngenerator: ");
        text_hex(t, s->generator);
    }
}

int terrax_write_state(const struct world *w, const struct state *s, char *to,
                       size_t cap)
{
    struct text t = text_begin(to, cap);
    tx_write_routes(w, s, &t);
    write_course(w, s, &t);
    for (int seat = 0; seat < w->seats; seat++) {
        write_hand(w, s, seat, &t);
        write_marks(w, s, seat, &t);
        write_pile(w, s, "done", AT_DONE, seat, &t);
        write_pile(w, s, "won", AT_WON, seat, &t);
    }
    put_key(&t, "open", -1);
    for (int i = 0; i < w->option[OPT_OPEN_COUNT]; i++)
        put_card(w, &t, s->open[i]);
    write_stack(w, s, &t);
    write_swap(w, s, &t);
    write_cheques(w, s, &t);
    write_memory(w, s, &t);
    text_char(&t, '\n');
    return text_end(&t);
}

/* ---- reading ---- */

struct reader {
    const struct world *w;
    struct state *s;
    struct fault *f;
    int line, hidden; /* hidden: how many ? there are */
    bool stack_given, cheques_given;
};

static bool refuse(struct reader *r, int code, struct span what)
{
    return fault_span(r->f, code, r->line, 1, what.at, what.length);
}

static bool take_arrow(struct reader *r, int k, int from, int to,
                       struct span what)
{
    const struct world *w = r->w;
    struct state *s = r->s;
    int slot = -1;
    for (int i = 0; i < w->degree[from]; i++)
        if (w->to[w->first[from] + i] == to)
            slot = w->first[from] + i;
    bool tail = s->length[k] == 0
                    ? from == w->hub
                    : set_has(s->visited[k], from) ||
                          (from == w->hub && w->option[OPT_BRANCH_HUB]);
    if (slot < 0 || !tail || s->length[k] == ARROWS ||
        set_has(s->used[k], slot))
        return refuse(r, slot < 0 ? TX_LEG : TX_POSITION, what);
    s->route[k][s->length[k]++] = (uint16_t)slot;
    set_add(s->used[k], slot);
    set_add(s->visited[k], to);
    s->visits[k][to]++;
    return true;
}

static bool read_path(struct reader *r, int k, struct span path)
{
    struct span word = span_cut(&path, '>');
    int from = tx_map_place(r->w, word);
    if (from < 0)
        return refuse(r, TX_PLACE, word);
    if (path.length == 0)
        return refuse(r, TX_SYNTAX, word);
    while (path.length > 0) {
        word = span_cut(&path, '>');
        int to = tx_map_place(r->w, word);
        if (to < 0)
            return refuse(r, TX_PLACE, word);
        if (!take_arrow(r, k, from, to, word))
            return false;
        from = to;
    }
    return true;
}

static bool read_route(struct reader *r, int k, struct span word)
{
    if (word.length < 3 || word.at[0] != 'A' + k || word.at[1] != ':')
        return refuse(r, TX_SYNTAX, word);
    word.at += 2;
    word.length -= 2;
    if (span_is(word, "-"))
        return true;
    while (word.length > 0)
        if (!read_path(r, k, span_cut(&word, '|')))
            return false;
    return true;
}

/* A word of the position line and the number behind it. */
static bool read_pair(struct reader *r, struct span *rest, const char *word,
                      int high, uint8_t *out)
{
    struct span name = span_word(rest), value = span_word(rest);
    long number;
    if (!span_is(name, word) || !span_int(value, 0, high, &number))
        return refuse(r, TX_SYNTAX, name);
    *out = (uint8_t)number;
    return true;
}

static bool read_routes(struct reader *r, struct span line)
{
    struct state *s = r->s;
    uint8_t seat = 0;
    for (int k = 0; k < COLOURS; k++)
        if (!read_route(r, k, span_word(&line)))
            return false;
    if (!span_is(span_word(&line), "|") ||
        !read_pair(r, &line, "seat", r->w->seats, &seat) || seat == 0)
        return refuse(r, TX_SYNTAX, span_of("seat"));
    s->seat = (uint8_t)(seat - 1);
    if (!read_pair(r, &line, "base", 1, &s->base) ||
        !read_pair(r, &line, "green", 200, &s->green))
        return false;
    struct span word = span_word(&line), loop = span_word(&line);
    if (!span_is(word, "loop") || loop.length != 1 ||
        !memchr("ABC-", *loop.at, 4))
        return refuse(r, TX_SYNTAX, word);
    s->loop = (uint8_t)(*loop.at == '-' ? NO_COLOUR : *loop.at - 'A');
    if (!read_pair(r, &line, "loops", 1, &s->loops) ||
        !read_pair(r, &line, "used", 2, &s->used_cheques))
        return false;
    if (s->loop != NO_COLOUR && (!s->loops || !s->length[s->loop]))
        return refuse(r, TX_POSITION, loop);
    return span_trim(line).length == 0 || refuse(r, TX_SYNTAX, line);
}

/* Cuts the id off a card with marks behind it; ANY_CARD for ?, -1: none. */
static int cut_card(const struct world *w, struct span word, struct span *marks)
{
    size_t length = 0;
    while (length < word.length && !memchr("*~+/@", word.at[length], 5))
        length++;
    *marks = (struct span){word.at + length, word.length - length};
    word.length = length;
    return span_is(word, "?") ? ANY_CARD : tx_map_card(w, word);
}

/* Each card lies in one place; a hidden one only in a view. */
static bool put_at(struct reader *r, int card, int at, struct span what)
{
    if (card == ANY_CARD) {
        r->hidden++;
        return r->s->view || refuse(r, TX_POSITION, what);
    }
    if (card < 0 || r->s->where[card] != AT_HIDDEN)
        return refuse(r, card < 0 ? TX_PLACE : TX_DEAL, what);
    r->s->where[card] = (uint8_t)at;
    return true;
}

static bool read_hand(struct reader *r, int seat, struct span value)
{
    struct state *s = r->s;
    struct span word, marks;
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (!put_at(r, card, seat, word))
            return false;
        if (s->held[seat] == CARDS)
            return refuse(r, TX_POSITION, word);
        s->held[seat]++;
        if (card == ANY_CARD)
            continue;
        set_add(s->hand[seat], card);
        for (; marks.length > 0; marks.at++, marks.length--)
            if (*marks.at == '*')
                set_add(s->shown, card);
            else if (*marks.at == '~')
                set_add(s->fresh, card);
            else
                return refuse(r, TX_SYNTAX, word);
    }
    return true;
}

static bool read_marks(struct reader *r, int seat, struct span value)
{
    struct state *s = r->s;
    struct span word, marks;
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (card < 0 || card == ANY_CARD || s->marked[seat] == MARKERS)
            return refuse(r, card < 0 ? TX_PLACE : TX_POSITION, word);
        for (int other = 0; other < SEATS; other++)
            for (int i = 0; i < s->marked[other]; i++)
                if (s->mark[other][i] == card)
                    return refuse(r, TX_POSITION, word);
        s->mark[seat][s->marked[seat]++] = (uint8_t)card;
        if (span_is(marks, "+"))
            s->regained[seat]++;
        else if (marks.length == 0)
            set_add(s->marker[seat], card);
        else
            return refuse(r, TX_SYNTAX, word);
    }
    return true;
}

static bool read_pile(struct reader *r, int seat, struct span value, int at)
{
    struct span word, marks;
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (card == ANY_CARD || marks.length > 0)
            return refuse(r, TX_SYNTAX, word);
        if (!put_at(r, card, at + seat, word))
            return false;
        if (at == AT_DONE)
            r->s->done[seat]++;
        else
            r->s->won[seat]++;
    }
    return true;
}

static bool read_open(struct reader *r, struct span value)
{
    struct span word, marks;
    int count = 0;
    while ((word = span_word(&value)).length > 0) {
        int card = span_is(word, "-") ? NO_CARD : cut_card(r->w, word, &marks);
        if (count == r->w->option[OPT_OPEN_COUNT])
            return refuse(r, TX_POSITION, word);
        if (card != NO_CARD && !put_at(r, card, AT_OPEN, word))
            return false;
        r->s->open[count++] = (uint8_t)card;
    }
    return true;
}

/* "/13*": who knows the card. */
static bool read_knowers(struct span marks, uint8_t *mask)
{
    if (marks.length == 0)
        return true;
    if (*marks.at != '/' || marks.length == 1)
        return false;
    for (size_t i = 1; i < marks.length; i++)
        if (marks.at[i] == '*')
            *mask |= KNOWN_ALL;
        else if (marks.at[i] >= '1' && marks.at[i] <= '6')
            *mask |= (uint8_t)(1 << (marks.at[i] - '1'));
        else
            return false;
    return true;
}

static bool read_stack(struct reader *r, struct span value)
{
    struct state *s = r->s;
    struct span word, marks;
    uint8_t known[STOCK] = {0}, cards[STOCK];
    int count = 0;
    r->stack_given = true;
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (count == r->w->cards || !read_knowers(marks, &known[count]))
            return refuse(r, TX_SYNTAX, word);
        if (!put_at(r, card, AT_STACK, word))
            return false;
        cards[count++] = (uint8_t)card;
    }
    s->stacked = (uint8_t)count;
    for (int i = 0; i < count; i++) {
        s->stack[count - 1 - i] = cards[i];
        s->known[count - 1 - i] = known[i];
    }
    return true;
}

static bool read_swap(struct reader *r, struct span value)
{
    struct state *s = r->s;
    struct span word, marks;
    int count = 0;
    if (s->phase != PHASE_SWAP)
        return refuse(r, TX_POSITION, value);
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (count == 3)
            return refuse(r, TX_POSITION, word);
        if (!put_at(r, card, count ? AT_DRAWN : AT_ASIDE, word))
            return false;
        if (count == 0 && span_is(marks, "*") && card != ANY_CARD)
            set_add(s->shown, card);
        else if (marks.length > 0)
            return refuse(r, TX_SYNTAX, word);
        if (count == 0)
            s->aside = (uint8_t)card;
        else
            s->drawn[s->drawn_count++] = (uint8_t)card;
        count++;
    }
    s->held[s->seat]++;
    return count >= 2 || refuse(r, TX_POSITION, span_of("swap"));
}

static bool read_cheques(struct reader *r, struct span value)
{
    long number;
    r->cheques_given = true;
    for (int seat = 0; seat < r->w->seats; seat++) {
        struct span word = span_word(&value), inner = word;
        if (word.length > 2 && word.at[0] == '(' &&
            word.at[word.length - 1] == ')')
            inner = (struct span){word.at + 1, word.length - 2};
        if (!span_int(inner, 0, CHEQUES, &number))
            return refuse(r, TX_SYNTAX, word);
        r->s->cheques[seat] = (uint8_t)number;
    }
    return span_trim(value).length == 0 || refuse(r, TX_SYNTAX, value);
}

static bool read_seats(struct reader *r, struct span value, uint8_t *mask)
{
    struct span word;
    long seat;
    while ((word = span_word(&value)).length > 0) {
        if (!span_int(word, 1, r->w->seats, &seat))
            return refuse(r, TX_SYNTAX, word);
        *mask |= (uint8_t)(1 << (seat - 1));
    }
    return true;
}

static bool read_course(struct reader *r, struct span value)
{
    struct span word;
    while ((word = span_word(&value)).length > 0) {
        if (span_is(word, "acted"))
            r->s->acted = 1;
        else if (span_is(word, "moved"))
            r->s->moved = 1;
        else if (span_is(word, "carded"))
            r->s->carded = 1;
        else if (span_is(word, "last"))
            r->s->last = 1;
        else
            return refuse(r, TX_SYNTAX, word);
    }
    return true;
}

/* "NEB@0,3": a head was there before the first swap and before the fourth. */
static bool read_touched(struct reader *r, struct span value)
{
    struct span word, marks;
    long swap;
    while ((word = span_word(&value)).length > 0) {
        int card = cut_card(r->w, word, &marks);
        if (card < 0 || card == ANY_CARD)
            return refuse(r, TX_PLACE, word);
        if (marks.length < 2 || *marks.at != '@')
            return refuse(r, TX_SYNTAX, word);
        marks = (struct span){marks.at + 1, marks.length - 1};
        while (marks.length > 0) {
            if (!span_int(span_cut(&marks, ','), 0, SWAPS, &swap))
                return refuse(r, TX_SYNTAX, word);
            r->s->touched[card] |= (uint32_t)1 << swap;
        }
    }
    return true;
}

/* What stands behind a swap: "=2k". */
static bool read_seen(struct span marks, struct swap *x)
{
    if (marks.length > 0 && (*marks.at == '1' || *marks.at == '2')) {
        x->kept = *marks.at == '2';
        marks = (struct span){marks.at + 1, marks.length - 1};
    }
    for (; marks.length > 0; marks.at++, marks.length--) {
        const char *found = memchr(seen_letters, *marks.at, 4);
        if (!found)
            return false;
        x->seen |= 1u << (found - seen_letters) & 15;
    }
    return true;
}

static bool read_drawn(const struct world *w, struct span drawn, struct swap *x)
{
    struct span marks;
    x->drawn[1] = NO_CARD;
    for (int i = 0; drawn.length > 0; i++) {
        int card = cut_card(w, span_cut(&drawn, ','), &marks);
        if (i == 2 || card < 0 || !read_knowers(marks, &x->knowers[i]) ||
            !x->knowers[i])
            return false;
        x->drawn[i] = (uint8_t)card;
    }
    return x->knowers[0] != 0;
}

static bool read_past(const struct world *w, struct span word, struct swap *x)
{
    struct span seat = span_cut(&word, '@'), top = span_cut(&word, ':');
    struct span given = span_cut(&word, '>'), drawn = span_cut(&word, '=');
    struct span marks;
    int card = cut_card(w, given, &marks);
    long who, number;
    if (!span_int(seat, 1, w->seats, &who) ||
        !span_int(top, INT16_MIN, INT16_MAX, &number) || card < 0 ||
        marks.length > 0)
        return false;
    x->seat = (unsigned)(who - 1) & 7;
    x->top = (uint16_t)number;
    x->given = (uint8_t)card;
    return read_drawn(w, drawn, x) && read_seen(word, x);
}

static bool read_swaps(struct reader *r, struct span value)
{
    struct span word;
    while ((word = span_word(&value)).length > 0) {
        struct swap x = {0};
        if (r->s->swaps == SWAPS || !read_past(r->w, word, &x))
            return refuse(r, TX_SYNTAX, word);
        r->s->past[r->s->swaps++] = x;
    }
    return true;
}

static int find_word(const char *const *list, struct span word)
{
    for (int i = 0; list[i]; i++)
        if (span_is(word, list[i]))
            return i;
    return -1;
}

static bool read_word(struct reader *r, struct span value,
                      const char *const *list, uint8_t *out)
{
    int found = find_word(list, value);
    if (found < 0)
        return refuse(r, TX_SYNTAX, value);
    *out = (uint8_t)found;
    return true;
}

static bool read_hex(struct reader *r, struct span value, uint64_t *out)
{
    uint64_t number = 0;
    for (size_t i = 0; i < value.length; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = memchr(digits, value.at[i], 16);
        if (!digit || value.length != 16)
            return refuse(r, TX_SYNTAX, value);
        number = number << 4 | (uint64_t)(digit - digits);
    }
    *out = number;
    return true;
}

static bool read_byte(struct reader *r, struct span value, int low, int high,
                      uint8_t *out)
{
    long number;
    if (!span_int(value, low, high, &number))
        return refuse(r, TX_SYNTAX, value);
    *out = (uint8_t)number;
    return true;
}

static bool read_word16(struct reader *r, struct span value, uint16_t *out)
{
    long number;
    if (!span_int(value, 0, UINT16_MAX - 1, &number))
        return refuse(r, TX_SYNTAX, value);
    *out = (uint16_t)number;
    return true;
}

/* Lines with a seat in their key. */
static bool read_seat_line(struct reader *r, struct span name, int seat,
                           struct span value)
{
    if (span_is(name, "hand"))
        return read_hand(r, seat, value);
    if (span_is(name, "marks"))
        return read_marks(r, seat, value);
    if (span_is(name, "done"))
        return read_pile(r, seat, value, AT_DONE);
    if (span_is(name, "won"))
        return read_pile(r, seat, value, AT_WON);
    return refuse(r, TX_SYNTAX, name);
}

static bool read_laid(struct reader *r, struct span value)
{
    struct state *s = r->s;
    for (int k = 0; k < COLOURS; k++) {
        struct span word = span_word(&value);
        if (word.length != (s->length[k] ? s->length[k] : 1))
            return refuse(r, TX_POSITION, word);
        for (int i = 0; i < s->length[k]; i++) {
            int seat = word.at[i] == '?' ? 0 : word.at[i] - '0';
            if (seat < 0 || seat > r->w->seats)
                return refuse(r, TX_SYNTAX, word);
            s->route[k][i] =
                (uint16_t)(route_slot(s, k, i) | seat << SLOT_BITS);
        }
    }
    return span_trim(value).length == 0 || refuse(r, TX_SYNTAX, value);
}

static bool read_view(struct reader *r, struct span value)
{
    if (!read_byte(r, value, 0, r->w->seats, &r->s->view))
        return false;
    if (r->s->view == 0)
        r->s->view = VIEW_SPECTATOR;
    return true;
}

static bool read_first(struct reader *r, struct span value)
{
    if (!read_byte(r, value, 1, r->w->seats, &r->s->first))
        return false;
    r->s->first--;
    return true;
}

static bool read_fence(struct reader *r, struct span value)
{
    long number;
    if (!span_int(value, 0, INT32_MAX, &number))
        return refuse(r, TX_SYNTAX, value);
    r->s->fence = (uint32_t)number;
    return true;
}

static bool read_key(struct reader *r, struct span key, struct span value)
{
    struct state *s = r->s;
    if (span_is(key, "phase"))
        return read_word(r, value, phases, &s->phase);
    if (span_is(key, "reason"))
        return read_word(r, value, terrax_endings, &s->reason);
    if (span_is(key, "view"))
        return read_view(r, value);
    if (span_is(key, "first"))
        return read_first(r, value);
    if (span_is(key, "round"))
        return read_word16(r, value, &s->round);
    if (span_is(key, "placed"))
        return read_byte(r, value, 0, SEATS * MARKERS, &s->placed);
    if (span_is(key, "course"))
        return read_course(r, value);
    if (span_is(key, "quiet"))
        return read_byte(r, value, 0, SEATS, &s->quiet);
    if (span_is(key, "high"))
        return read_byte(r, value, 0, COLOURS * ARROWS, &s->high);
    if (span_is(key, "still"))
        return read_byte(r, value, 0, 255, &s->still);
    if (span_is(key, "waiting"))
        return read_seats(r, value, &s->waiting);
    if (span_is(key, "out"))
        return read_seats(r, value, &s->out);
    if (span_is(key, "barred"))
        return read_seats(r, value, &s->barred);
    if (span_is(key, "open"))
        return read_open(r, value);
    if (span_is(key, "stack"))
        return read_stack(r, value);
    if (span_is(key, "swap"))
        return read_swap(r, value);
    if (span_is(key, "cheques"))
        return read_cheques(r, value);
    if (span_is(key, "spent"))
        return read_byte(r, value, 0, CHEQUES, &s->spent);
    if (span_is(key, "laid"))
        return read_laid(r, value);
    if (span_is(key, "touched"))
        return read_touched(r, value);
    if (span_is(key, "swaps"))
        return read_swaps(r, value);
    if (span_is(key, "forgot"))
        return read_seats(r, value, &s->forgot);
    if (span_is(key, "buried"))
        return read_word16(r, value, &s->buried);
    if (span_is(key, "fence"))
        return read_fence(r, value);
    if (span_is(key, "generator"))
        return read_hex(r, value, &s->generator);
    struct span rest = key, name = span_word(&rest);
    long seat;
    if (!span_int(span_word(&rest), 1, r->w->seats, &seat))
        return refuse(r, TX_SYNTAX, key);
    return read_seat_line(r, name, (int)seat - 1, value);
}

/* Cards that no line names: unknown in a view, else under the stack. */
static bool place_rest(struct reader *r)
{
    const struct world *w = r->w;
    struct state *s = r->s;
    uint8_t rest[CARDS];
    int count = 0;
    for (int card = 0; card < w->cards; card++)
        if (s->where[card] == AT_HIDDEN)
            rest[count++] = (uint8_t)card;
    if (s->view) {
        int more = count - r->hidden;
        if (more == 0)
            return true;
        if (more < 0 || r->stack_given)
            return refuse(r, TX_POSITION, span_of("stack"));
        s->stacked = (uint8_t)more;
        memset(s->stack, ANY_CARD, (size_t)more);
        return true;
    }
    memmove(s->stack + count, s->stack, s->stacked);
    memmove(s->known + count, s->known, s->stacked);
    for (int i = 0; i < count; i++) {
        s->stack[count - 1 - i] = rest[i];
        s->known[i] = 0;
        s->where[rest[i]] = AT_STACK;
    }
    s->stacked = (uint8_t)(s->stacked + count);
    return true;
}

/* The swap that goes on is the last of the past; it need not be written. */
static bool swap_noted(struct reader *r)
{
    struct state *s = r->s;
    const struct swap *last = &s->past[s->swaps ? s->swaps - 1 : 0];
    if (s->phase != PHASE_SWAP ||
        (s->swaps && last->seat == s->seat && last->given == s->aside &&
         drawn_in(last) == s->drawn_count))
        return true;
    if (s->swaps == SWAPS)
        return refuse(r, TX_POSITION, span_of("swaps"));
    struct swap *x = &s->past[s->swaps++];
    int above = s->stacked + s->drawn_count;
    *x = (struct swap){.top = (uint16_t)(s->buried - above + 1),
                       .seat = s->seat & 7u,
                       .given = s->aside,
                       .drawn = {s->drawn[0], NO_CARD}};
    if (s->drawn_count == 2)
        x->drawn[1] = s->drawn[1];
    for (int i = 0; i < s->drawn_count; i++) {
        x->knowers[i] = (uint8_t)(1 << s->seat);
        if (s->view && s->drawn[i] != ANY_CARD)
            x->knowers[i] |= (uint8_t)((1 << s->view) >> 1);
    }
    return true;
}

/* Could play go on from here without breaking a rule of its own? */
static bool playable(struct reader *r)
{
    const struct world *w = r->w;
    struct state *s = r->s;
    int cheques = s->spent, markers = w->seats * w->option[OPT_MARKERS];
    for (int seat = 0; seat < w->seats; seat++)
        cheques += s->cheques[seat];
    if (cheques > CHEQUES)
        return refuse(r, TX_POSITION, span_of("cheques"));
    s->bank = (uint8_t)(CHEQUES - cheques);
    bool over = s->phase == PHASE_OVER || s->phase == PHASE_CLAIMS;
    if ((s->phase == PHASE_SWAP) != (s->drawn_count > 0) ||
        (s->phase == PHASE_CLAIMS) != (s->waiting != 0) ||
        over != (s->reason != 0) ||
        (s->phase == PHASE_MARK &&
         (s->placed >= markers || w->option[VAR_DEALT] ||
          s->seat != (s->first + s->placed) % w->seats)) ||
        (!over && (s->out >> s->seat & 1)))
        return refuse(r, TX_POSITION, span_of("phase"));
    if (s->waiting & s->out ||
        (!over && w->seats - __builtin_popcount(s->out) < 2))
        return refuse(r, TX_POSITION, span_of("out"));
    if (!over && s->length[0] + s->length[1] + s->length[2] == COLOURS * ARROWS)
        return refuse(r, TX_POSITION, span_of("phase"));
    return true;
}

/* Is there a line with this key before line `number`? */
static bool given_before(struct span text, int number, struct span key)
{
    struct lines l = lines_of(text);
    struct span line;
    while (lines_next(&l, &line) && l.number < number) {
        struct span other = span_cut(&line, ':');
        if (l.number > 1 && other.length == key.length &&
            memcmp(other.at, key.at, key.length) == 0)
            return true;
    }
    return false;
}

/* Lines that others depend on are read first: phase and view. */
static bool read_lines(struct reader *r, struct span text, bool first)
{
    struct lines l = lines_of(text);
    struct span line;
    while (lines_next(&l, &line)) {
        r->line = l.number;
        struct span value = line, key = span_cut(&value, ':');
        value = span_trim(value);
        bool early = span_is(key, "phase") || span_is(key, "view");
        if (l.number == 1) {
            if (first && !read_routes(r, line))
                return false;
        } else if (early == first && span_trim(line).length > 0) {
            if (given_before(text, l.number, key))
                return refuse(r, TX_SYNTAX, key);
            if (!read_key(r, key, value))
                return false;
        }
    }
    return l.number > 0 || refuse(r, TX_SYNTAX, span_of(""));
}

bool terrax_read_state(const struct world *w, const char *text,
                       struct state *out, struct fault *f)
{
    struct state s;
    memset(&s, 0, sizeof s);
    memset(s.where, AT_HIDDEN, (size_t)w->cards);
    memset(s.open, NO_CARD, (size_t)w->option[OPT_OPEN_COUNT]);
    struct reader r = {.w = w, .s = &s, .f = f};
    s.phase = PHASE_TURN;
    s.round = 1;
    for (int seat = 0; seat < w->seats; seat++)
        s.cheques[seat] = (uint8_t)w->option[OPT_CHEQUES];
    struct span all = span_of(text);
    if (!read_lines(&r, all, true) || !read_lines(&r, all, false) ||
        !place_rest(&r))
        return false;
    if (!playable(&r) || !swap_noted(&r))
        return false;
    *out = s;
    return true;
}
