/* rules/terrax/text.c: actions and notes as text (terrax §17).
 *
 * A reader first checks the form of an item, then its sense, in the order of
 * the list of refusals: the first reason that applies is the one named. */
#include "rules/terrax/state.h"

/* ---- notes ---- */

enum { NOTE_DONE, NOTE_OPEN, NOTE_CHEQUE };

struct note {
    int kind, seat, card;
    int refill; /* NOTE_OPEN: NO_CARD for none, ANY_CARD if unknown */
    bool star;
};

enum { NOTES = 4 };

static bool pays(action a)
{
    int kind = act_kind(a);
    return kind == ACT_CHEQUE || kind == ACT_REMOVE || kind == ACT_SWAP ||
           kind == ACT_LATE;
}

static void note_card(const struct state *before, const struct state *after,
                      int card, struct note *notes, int *count)
{
    int at = after->where[card];
    if (at == before->where[card] || at < AT_DONE)
        return;
    struct note n = {.card = card, .refill = NO_CARD};
    if (at < AT_WON) {
        n.kind = NOTE_DONE;
        n.seat = (at - AT_DONE) % GAME_SEATS;
        n.star = set_has(before->marker[n.seat], card);
    } else {
        n.kind = NOTE_OPEN;
        n.seat = at - AT_WON;
        int slot = 0;
        while (before->open[slot] != card)
            slot++;
        n.refill = after->open[slot];
    }
    notes[(*count)++] = n;
}

/* What the action did, in the order of terrax §6. */
static int derive_notes(const struct world *w, const struct state *before,
                        const struct state *after, int seat, action a,
                        struct note *notes)
{
    int count = 0, kind = act_kind(a);
    int received = after->cheques[seat] - before->cheques[seat] + pays(a);
    if (kind == ACT_CLAIM || kind == ACT_LATE || kind == ACT_KEEP) {
        if (act_card_of(a) < w->cards)
            note_card(before, after, act_card_of(a), notes, &count);
    } else if (kind != ACT_MARK && kind != ACT_END && kind != ACT_SWAP) {
        int k = act_colour(a);
        int card =
            after->length[k] ? w->card_of[head_of(w, after, k)] : NO_CARD;
        if (card != NO_CARD)
            note_card(before, after, card, notes, &count);
    }
    if (received > 0)
        notes[count++] = (struct note){.kind = NOTE_CHEQUE, .seat = seat};
    return count;
}

static void write_note(const struct world *w, const struct note *n,
                       struct text *t)
{
    text_put(t, n->kind == NOTE_OPEN     ? " (o"
                : n->kind == NOTE_CHEQUE ? " (c"
                                         : " (");
    text_int(t, n->seat + 1);
    if (n->kind != NOTE_CHEQUE) {
        text_char(t, ':');
        text_put(t, tx_card_id(w, n->card));
    }
    if (n->star)
        text_char(t, '*');
    if (n->kind == NOTE_OPEN) {
        text_char(t, '<');
        text_put(t, n->refill == NO_CARD ? "-" : tx_card_id(w, n->refill));
    }
    text_char(t, ')');
}

void tx_write_notes(const struct world *w, const struct state *before,
                    const struct state *after, int seat, action a,
                    struct text *t)
{
    struct note notes[NOTES];
    int count = derive_notes(w, before, after, seat, a, notes);
    for (int i = 0; i < count; i++)
        write_note(w, &notes[i], t);
}

/* ---- writing ---- */

static bool told_anything(const struct world *w, const struct state *s,
                          int seat, action a, bool sees)
{
    switch (act_kind(a)) {
    case ACT_BASE:
    case ACT_GREEN:
    case ACT_LOOP:
    case ACT_CHEQUE:
    case ACT_REMOVE:
        return s->view && a >> 15;
    case ACT_KEEP:
        return s->view && !sees && s->view != seat + 1 &&
               act_card_of(a) < w->cards && !w->option[VAR_OPENHANDS];
    default:
        return false;
    }
}

static void write_arrow(const struct world *w, const struct state *s, action a,
                        struct text *t)
{
    int kind = act_kind(a), k = act_colour(a);
    if (kind == ACT_GREEN)
        text_char(t, '+');
    else if (kind == ACT_LOOP)
        text_char(t, '~');
    else if (kind != ACT_BASE)
        text_char(t, '$');
    text_char(t, (char)('A' + k));
    if (kind == ACT_REMOVE) {
        text_char(t, '-');
        text_put(t, w->id[head_of(w, s, k)]);
        return;
    }
    if (kind == ACT_LOOP) {
        text_char(t, '@');
        text_put(t, w->id[w->from[act_slot(a)]]);
    }
    text_char(t, '>');
    text_put(t, w->id[w->to[act_slot(a)]]);
}

static void write_swap(const struct world *w, const struct state *s, action a,
                       bool sees, struct text *t)
{
    int card = act_card_of(a);
    bool shown = card < w->cards && (sees || set_has(s->shown, card));
    text_put(t, "$x");
    text_put(t, shown ? tx_card_id(w, card) : "?");
    if (!sees) {
        text_put(t, shown ? "/?" : "");
        return;
    }
    for (int i = 0; i < 2 && act_told_drawn(a, i) >= 0; i++) {
        text_char(t, i ? ',' : '/');
        text_put(t, tx_card_id(w, act_told_drawn(a, i)));
    }
}

static void write_seat_card(const struct world *w, const char *before, int seat,
                            int card, struct text *t)
{
    text_put(t, before);
    text_int(t, seat + 1);
    text_char(t, ':');
    text_put(t, card < w->cards ? tx_card_id(w, card) : "-");
}

void tx_write_action(const struct world *w, const struct state *s, int seat,
                     action a, int viewer, struct text *t)
{
    bool sees = viewer == RECORD_FULL || viewer == seat;
    int card = act_card_of(a);
    switch (act_kind(a)) {
    case ACT_CLAIM:
        write_seat_card(w, "!", seat, card, t);
        break;
    case ACT_MARK:
        write_seat_card(w, "", seat, card, t);
        break;
    case ACT_LATE:
        text_put(t, "$!");
        text_put(t, tx_card_id(w, card));
        break;
    case ACT_SWAP:
        write_swap(w, s, a, sees, t);
        break;
    case ACT_KEEP:
        text_char(t, '=');
        text_put(t,
                 sees || w->option[VAR_OPENHANDS] ? tx_card_id(w, card) : "?");
        break;
    case ACT_END:
        text_put(t, s->phase == PHASE_TURN && s->base ? "--" : "end");
        break;
    default:
        write_arrow(w, s, a, t);
        break;
    }
    if (told_anything(w, s, seat, a, sees)) {
        struct state after = *s;
        terrax_apply(w, &after, seat, a);
        tx_write_notes(w, s, &after, seat, a, t);
    }
}

int terrax_write_action(const struct world *w, const struct state *s, int seat,
                        action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    tx_write_action(w, s, seat, a, viewer, &t);
    return text_end(&t);
}

/* ---- the form of an item ---- */

struct item {
    int kind, colour, seat;
    bool tail, skip, pass;
    struct span from, to; /* ids; "?" for a hidden card */
    struct span drawn[2];
    struct span kept; /* if the second step of the swap is told at once */
    int drawns;
    bool drawn_hidden;
};

struct cursor {
    struct span rest;
};

static char peek(const struct cursor *c)
{
    return c->rest.length > 0 ? *c->rest.at : '\0';
}

static bool accept(struct cursor *c, char wanted)
{
    if (peek(c) != wanted || wanted == '\0')
        return false;
    c->rest.at++;
    c->rest.length--;
    return true;
}

static bool id_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

static bool take_id(struct cursor *c, struct span *id)
{
    *id = (struct span){c->rest.at, 0};
    while (c->rest.length > 0 && id_char(*c->rest.at)) {
        c->rest.at++;
        c->rest.length--;
        id->length++;
    }
    return id->length > 0;
}

static bool take_card(struct cursor *c, struct span *id)
{
    *id = (struct span){c->rest.at, 1};
    return accept(c, '?') || take_id(c, id);
}

static bool take_seat(struct cursor *c, int *seat)
{
    char digit = peek(c);
    *seat = digit - '1';
    return digit >= '1' && digit <= '6' && accept(c, digit);
}

static bool take_colour(struct cursor *c, int *colour)
{
    char letter = peek(c);
    *colour = letter - 'A';
    return letter >= 'A' && letter <= 'C' && accept(c, letter);
}

static bool parse_drawn(struct cursor *c, struct item *i)
{
    if (!accept(c, '/'))
        return true;
    if (accept(c, '?')) {
        i->drawn_hidden = true;
        return true;
    }
    if (!take_id(c, &i->drawn[i->drawns++]))
        return false;
    return !accept(c, ',') || take_id(c, &i->drawn[i->drawns++]);
}

static bool parse_swap(struct cursor *c, struct item *i)
{
    i->kind = ACT_SWAP;
    if (!take_card(c, &i->to) || !parse_drawn(c, i))
        return false;
    struct cursor second = *c;
    if (accept(&second, '='))
        take_id(&second, &i->kept);
    return true;
}

static bool parse_cheque(struct cursor *c, struct item *i)
{
    if (accept(c, 'x'))
        return parse_swap(c, i);
    if (accept(c, '!')) {
        i->kind = ACT_LATE;
        return take_id(c, &i->to);
    }
    if (!take_colour(c, &i->colour))
        return false;
    i->kind = accept(c, '-') ? ACT_REMOVE : ACT_CHEQUE;
    return (i->kind == ACT_REMOVE || accept(c, '>')) && take_id(c, &i->to);
}

static bool parse_loop(struct cursor *c, struct item *i)
{
    i->kind = ACT_LOOP;
    if (!take_colour(c, &i->colour))
        return false;
    i->tail = accept(c, '@');
    if (i->tail && !take_id(c, &i->from))
        return false;
    return accept(c, '>') && take_id(c, &i->to);
}

static bool parse_arrow(struct cursor *c, struct item *i, int kind)
{
    i->kind = kind;
    return take_colour(c, &i->colour) && accept(c, '>') && take_id(c, &i->to);
}

static bool parse_mark(struct cursor *c, struct item *i)
{
    i->kind = ACT_MARK;
    if (!take_seat(c, &i->seat) || !accept(c, ':'))
        return false;
    i->skip = accept(c, '-');
    return i->skip || take_id(c, &i->to);
}

static bool parse_claim(struct cursor *c, struct item *i)
{
    i->kind = ACT_CLAIM;
    return take_seat(c, &i->seat) && accept(c, ':') && take_id(c, &i->to);
}

static bool parse_end(struct cursor *c, struct item *i)
{
    struct span word;
    i->kind = ACT_END;
    return take_id(c, &word) && span_is(word, "end");
}

static bool parse_item(struct cursor *c, struct item *i)
{
    memset(i, 0, sizeof *i);
    char first = peek(c);
    if (first >= '1' && first <= '6')
        return parse_mark(c, i);
    if (accept(c, '$'))
        return parse_cheque(c, i);
    if (accept(c, '+'))
        return parse_arrow(c, i, ACT_GREEN);
    if (accept(c, '~'))
        return parse_loop(c, i);
    if (accept(c, '!'))
        return parse_claim(c, i);
    if (accept(c, '=')) {
        i->kind = ACT_KEEP;
        return take_card(c, &i->to);
    }
    if (accept(c, '-')) {
        i->kind = ACT_END;
        i->pass = true;
        return accept(c, '-');
    }
    return first == 'e' ? parse_end(c, i) : parse_arrow(c, i, ACT_BASE);
}

/* A blank or a separator of typed lines. */
static bool at_gap(const struct cursor *c)
{
    return memchr("\0 \t,;\n\r", peek(c), 7) != NULL;
}

/* Notes may follow a typed item without a blank; the first half of a swap ends
 * also where the second begins. */
static bool item_ends(const struct cursor *c, const struct item *i)
{
    char next = peek(c);
    return at_gap(c) || next == '(' || next == '{' ||
           (next == '=' && i->kind == ACT_SWAP);
}

static bool is_seat(struct span word)
{
    return word.length == 1 && *word.at >= '1' && *word.at < '1' + SEATS;
}

static bool meant_stop(struct span rest)
{
    struct span which = rest, reason = span_cut(&which, ' ');
    bool known = false;
    for (int i = ENDING_RESIGN; i < ENDING_GAME; i++)
        known |= span_is(reason, terrax_endings[i]);
    return known && (reason.length == rest.length || is_seat(which));
}

/* {drop 2} and the like, to the letter; other braces are for people (§17). */
bool tx_is_meant(struct span text)
{
    if (text.length == 0 || *text.at != '{' ||
        !memchr(text.at, '}', text.length))
        return false;
    struct span rest = {text.at + 1, text.length - 1};
    rest = span_cut(&rest, '}');
    if (span_is(rest, "over"))
        return true;
    struct span word = span_cut(&rest, ' ');
    if (span_is(word, "stop"))
        return meant_stop(rest);
    return is_seat(rest) && (span_is(word, "drop") || span_is(word, "end") ||
                             span_is(word, "takeover"));
}

/* "{" text-without-brace "}", and then a gap. */
static bool accept_comment(struct cursor *c)
{
    struct cursor at = *c;
    if (!accept(&at, '{'))
        return false;
    while (at.rest.length > 0 && peek(&at) != '{' && peek(&at) != '}')
        accept(&at, peek(&at));
    if (!accept(&at, '}') || !at_gap(&at) || tx_is_meant(c->rest))
        return false;
    *c = at;
    return true;
}

static void skip_blanks(struct cursor *c)
{
    do
        while (accept(c, ' '))
            ;
    while (accept_comment(c));
}

/* The id of a note; `wrong` keeps the first that is no place. */
static bool take_note_card(const struct world *w, struct cursor *c, int *card,
                           struct span *wrong)
{
    struct span id;
    if (!take_id(c, &id))
        return false;
    *card = tx_map_card(w, id);
    if (tx_map_place(w, id) < 0 && wrong->length == 0)
        *wrong = id;
    return true;
}

static bool parse_note(const struct world *w, struct cursor *c, struct note *n,
                       struct span *wrong)
{
    memset(n, 0, sizeof *n);
    *wrong = (struct span){NULL, 0};
    n->refill = NO_CARD;
    if (!accept(c, '('))
        return false;
    n->kind = accept(c, 'o')   ? NOTE_OPEN
              : accept(c, 'c') ? NOTE_CHEQUE
                               : NOTE_DONE;
    if (!take_seat(c, &n->seat))
        return false;
    if (n->kind == NOTE_CHEQUE)
        return accept(c, ')');
    if (!accept(c, ':') || !take_note_card(w, c, &n->card, wrong))
        return false;
    if (n->kind == NOTE_DONE) {
        n->star = accept(c, '*');
        return accept(c, ')');
    }
    if (!accept(c, '<'))
        return false;
    if (!accept(c, '-') && !take_note_card(w, c, &n->refill, wrong))
        return false;
    return accept(c, ')');
}

/* ---- the sense of an item ---- */

struct sense {
    const struct world *w;
    const struct state *s;
    int seat;
    struct fault *f;
};

static bool refuse(const struct sense *c, int code, struct span what)
{
    return fault_span(c->f, code, 0, 1, what.at, what.length);
}

static bool has_cheque(const struct sense *c)
{
    return c->s->cheques[c->seat] > 0 && c->s->used_cheques < 2;
}

static bool has_right(const struct sense *c, const struct item *i)
{
    switch (i->kind) {
    case ACT_BASE:
        return c->s->base;
    case ACT_GREEN:
        return c->s->green > 0;
    case ACT_LOOP:
        return c->s->loop == i->colour;
    default:
        return has_cheque(c);
    }
}

static int slot_between(const struct world *w, int from, int to)
{
    for (int i = 0; i < w->degree[from]; i++)
        if (w->to[w->first[from] + i] == to)
            return w->first[from] + i;
    return -1;
}

static bool start_taken(const struct sense *c, int slot)
{
    if (c->w->option[OPT_START_SHARED])
        return false;
    for (int k = 0; k < COLOURS; k++)
        if (c->s->length[k] && route_slot(c->s, k, 0) == slot)
            return true;
    return false;
}

/* terrax §5, condition 4. */
static bool turns_around(const struct sense *c, int kind, int k, int slot)
{
    const struct world *w = c->w;
    const struct state *s = c->s;
    int f = w->from[slot];
    if (kind != ACT_LOOP)
        return s->length[k] &&
               route_slot(s, k, s->length[k] - 1) == w->back[slot];
    return set_has(s->used[k], w->back[slot]) && s->visits[k][f] == 1 &&
           !(f == w->hub && w->option[OPT_BRANCH_HUB]);
}

static bool check_arrow(const struct sense *c, const struct item *i,
                        action *out)
{
    const struct world *w = c->w;
    const struct state *s = c->s;
    int k = i->colour, t = tx_map_place(w, i->to);
    int f = i->tail ? tx_map_place(w, i->from) : head_of(w, s, k);
    if (t < 0 || f < 0)
        return refuse(c, TX_PLACE, t < 0 ? i->to : i->from);
    if (!has_right(c, i))
        return refuse(c, TX_RIGHT, i->to);
    if (supply_of(s, k) == 0)
        return refuse(c, TX_SUPPLY, i->to);
    if (i->kind == ACT_LOOP && !set_has(s->visited[k], f) &&
        !(f == w->hub && w->option[OPT_BRANCH_HUB]))
        return refuse(c, TX_TAIL, span_of(w->id[f]));
    int slot = slot_between(w, f, t);
    if (slot < 0)
        return refuse(c, TX_LEG, i->to);
    if (s->length[k] == 0 && start_taken(c, slot))
        return refuse(c, TX_START, i->to);
    if (turns_around(c, i->kind, k, slot))
        return refuse(c, TX_UTURN, i->to);
    if (set_has(s->used[k], slot))
        return refuse(c, TX_DOUBLE, i->to);
    if (s->loops && w->option[OPT_SECOND_LOOP] == SECOND_FORBID &&
        on_route(w, s, k, t))
        return refuse(c, TX_LOOP2, i->to);
    *out = act_arrow(i->kind, k, slot);
    return true;
}

static bool check_remove(const struct sense *c, const struct item *i,
                         action *out)
{
    int p = tx_map_place(c->w, i->to), k = i->colour;
    if (p < 0)
        return refuse(c, TX_PLACE, i->to);
    if (!has_cheque(c))
        return refuse(c, TX_RIGHT, i->to);
    if (c->s->length[k] == 0 || head_of(c->w, c->s, k) != p)
        return refuse(c, TX_REMOVE, i->to);
    *out = act_arrow(ACT_REMOVE, k, 0);
    return true;
}

/* Is this the view of somebody who cannot see the seat's cards? */
static bool blind(const struct sense *c)
{
    return c->s->view && c->s->view != c->seat + 1;
}

static bool may_hold(const struct sense *c, int card)
{
    return set_has(c->s->hand[c->seat], card) ||
           (c->s->view && c->s->where[card] == AT_HIDDEN &&
            cards_hidden(c->s, c->seat) > 0);
}

static bool check_drawn(const struct sense *c, const struct item *i,
                        action *out)
{
    const struct state *s = c->s;
    int wanted = s->stacked >= 2 ? 2 : 1;
    if (i->drawns == 0)
        return true;
    if (i->drawns != wanted)
        return refuse(c, TX_DRAW, i->drawn[0]);
    int before = -1;
    for (int n = 0; n < i->drawns; n++) {
        int card = tx_map_card(c->w, i->drawn[n]);
        int top = s->stack[s->stacked - 1 - n];
        bool fits =
            card >= 0 && card != before &&
            (top == card || (top == ANY_CARD && s->where[card] == AT_HIDDEN));
        if (!fits)
            return refuse(c, TX_DRAW, i->drawn[n]);
        if (top == ANY_CARD)
            *out |= (action)(card + 1) << (n ? 20 : 13);
        before = card;
    }
    return true;
}

/* Is the card kept one of those said to be drawn? */
static bool keeps_drawn(const struct item *i)
{
    bool fits = i->kept.length == 0 || i->drawns == 0;
    for (int n = 0; n < i->drawns; n++)
        fits |= i->kept.length == i->drawn[n].length &&
                memcmp(i->kept.at, i->drawn[n].at, i->kept.length) == 0;
    return fits;
}

static bool check_swap(const struct sense *c, const struct item *i, action *out)
{
    const struct world *w = c->w;
    bool unknown = span_is(i->to, "?");
    int p = unknown ? 0 : tx_map_place(w, i->to);
    if (p < 0)
        return refuse(c, TX_PLACE, i->to);
    for (int n = 0; n < i->drawns; n++)
        if (tx_map_place(w, i->drawn[n]) < 0)
            return refuse(c, TX_PLACE, i->drawn[n]);
    if (i->kept.length > 0 && tx_map_place(w, i->kept) < 0)
        return refuse(c, TX_PLACE, i->kept);
    if (!has_cheque(c))
        return refuse(c, TX_RIGHT, i->to);
    if (c->s->stacked == 0 || w->option[VAR_CHOOSE])
        return refuse(c, TX_SWAP, i->to);
    if (unknown || i->drawn_hidden) {
        if (!blind(c))
            return refuse(c, TX_SWAP, i->to);
    }
    int card = unknown ? CARD_UNKNOWN : w->card_of[p];
    if (unknown ? cards_hidden(c->s, c->seat) == 0
                : card == NO_CARD || !may_hold(c, card) ||
                      (set_has(c->s->marker[c->seat], card) &&
                       !w->option[OPT_SWAP_MARKED]))
        return refuse(c, TX_SWAP, i->to);
    if (!keeps_drawn(i))
        return refuse(c, TX_SWAP, i->kept);
    *out = act_card(ACT_SWAP, card);
    return check_drawn(c, i, out);
}

/* Can the card be one of those drawn? */
static bool may_keep(const struct state *s, int card)
{
    bool fits = false, blind = s->view && s->view != s->seat + 1;
    for (int n = 0; n < s->drawn_count && card >= 0; n++)
        fits |= card == CARD_UNKNOWN
                    ? s->drawn[n] == ANY_CARD || blind
                    : s->drawn[n] == card || (s->drawn[n] == ANY_CARD &&
                                              s->where[card] == AT_HIDDEN);
    return fits;
}

static bool check_keep(const struct sense *c, const struct item *i, action *out)
{
    const struct state *s = c->s;
    bool unknown = span_is(i->to, "?");
    int card = unknown ? CARD_UNKNOWN : tx_map_card(c->w, i->to);
    if (!unknown && tx_map_place(c->w, i->to) < 0)
        return refuse(c, TX_PLACE, i->to);
    if (s->phase != PHASE_SWAP || !may_keep(s, card))
        return refuse(c, TX_SWAP, i->to);
    *out = act_card(ACT_KEEP, card);
    return true;
}

static bool check_late(const struct sense *c, const struct item *i, action *out)
{
    int p = tx_map_place(c->w, i->to);
    if (p < 0)
        return refuse(c, TX_PLACE, i->to);
    if (!c->w->option[VAR_LATE] || !has_cheque(c))
        return refuse(c, TX_RIGHT, i->to);
    int card = c->w->card_of[p];
    if (card == NO_CARD || !may_hold(c, card) ||
        !(c->s->visits[0][p] | c->s->visits[1][p] | c->s->visits[2][p]))
        return refuse(c, TX_CLAIM, i->to);
    *out = act_card(ACT_LATE, card);
    return true;
}

static bool claim_fits(const struct sense *c, const struct item *i)
{
    int card = tx_map_card(c->w, i->to);
    return i->seat == c->seat && c->w->option[OPT_CLAIMS] == CLAIMS_MANUAL &&
           card >= 0 && may_hold(c, card) && !set_has(c->s->fresh, card) &&
           head_stands(c->w, c->s, c->w->place_of[card]);
}

static bool check_claim(const struct sense *c, const struct item *i,
                        action *out)
{
    if (tx_map_place(c->w, i->to) < 0)
        return refuse(c, TX_PLACE, i->to);
    if (!claim_fits(c, i))
        return refuse(c, TX_CLAIM, i->to);
    *out = act_card(ACT_CLAIM, tx_map_card(c->w, i->to));
    return true;
}

static bool any_mark(const struct sense *c)
{
    for (int card = 0; card < c->w->cards; card++)
        if (tx_mark_allowed(c->w, c->s, c->seat, card))
            return true;
    return false;
}

static bool check_mark(const struct sense *c, const struct item *i, action *out)
{
    const struct state *s = c->s;
    if (s->phase != PHASE_MARK || i->seat != c->seat || s->seat != c->seat)
        return refuse(c, TX_MARKS, i->to);
    if (i->skip) {
        *out = act_card(ACT_MARK, CARD_UNKNOWN);
        return !any_mark(c) || refuse(c, TX_MARKS, i->to);
    }
    int card = tx_map_card(c->w, i->to);
    if (card < 0 || set_has(s->marker[c->seat], card) ||
        !(tx_mark_allowed(c->w, s, c->seat, card) ||
          (blind(c) && set_has(c->w->markable, card) && may_hold(c, card))))
        return refuse(c, TX_MARKS, i->to);
    *out = act_card(ACT_MARK, card);
    return true;
}

static bool check_end(const struct sense *c, const struct item *i, action *out)
{
    const struct state *s = c->s;
    *out = ACT_END;
    if (s->phase == PHASE_CLAIMS)
        return !i->pass || refuse(c, TX_PASS, span_of("--"));
    if (!i->pass)
        return !s->base || refuse(c, TX_BASE, span_of("end"));
    if (!s->base ||
        (c->w->option[OPT_PASS] == PASS_NEVER && tx_base_exists(c->w, s)))
        return refuse(c, TX_PASS, span_of("--"));
    return true;
}

/* After the end there are last claims (§10); one that nobody can make is
 * refused for itself. */
static bool check_over(const struct sense *c, const struct item *i)
{
    const struct state *s = c->s;
    bool claim = i->kind == ACT_CLAIM && s->reason >= ENDING_GAME &&
                 c->w->option[OPT_CLAIMS] == CLAIMS_MANUAL;
    if (claim && !claim_fits(c, i))
        return true;
    if (s->phase == PHASE_OVER || (!claim && i->kind != ACT_END))
        return refuse(c, TX_OVER, span_of(""));
    return s->waiting >> c->seat & 1 || refuse(c, TX_TURN, span_of(""));
}

/* Whose turn is it, for what? */
static bool check_phase(const struct sense *c, const struct item *i)
{
    const struct state *s = c->s;
    if (i->kind == ACT_MARK)
        return true;
    if (s->phase == PHASE_OVER || s->phase == PHASE_CLAIMS)
        return check_over(c, i);
    if (s->phase == PHASE_MARK)
        return refuse(c, TX_MARKS, span_of(""));
    return i->kind == ACT_CLAIM || c->seat == s->seat ||
           refuse(c, TX_TURN, span_of(""));
}

static bool check_kind(const struct sense *c, const struct item *i, action *out)
{
    switch (i->kind) {
    case ACT_CLAIM:
        return check_claim(c, i, out);
    case ACT_LATE:
        return check_late(c, i, out);
    case ACT_REMOVE:
        return check_remove(c, i, out);
    case ACT_SWAP:
        return check_swap(c, i, out);
    case ACT_KEEP:
        return check_keep(c, i, out);
    case ACT_MARK:
        return check_mark(c, i, out);
    case ACT_END:
        return check_end(c, i, out);
    default:
        return check_arrow(c, i, out);
    }
}

/* Nothing but its second step follows the first of a swap; that is told unless
 * a reason applies that comes before it. */
static bool check_item(const struct sense *c, const struct item *i, action *out)
{
    bool within =
        c->s->phase == PHASE_SWAP && i->kind != ACT_KEEP && i->kind != ACT_MARK;
    if (!check_phase(c, i))
        return false;
    if (!check_kind(c, i, out) && (!within || c->f->code < TX_SWAP))
        return false;
    return !within || refuse(c, TX_SWAP, span_of(""));
}

/* ---- notes against the game ---- */

/* A view takes from the notes what it cannot know. */
static bool take_told(const struct sense *c, const struct note *n, action *a)
{
    const struct state *s = c->s;
    int kind = act_kind(*a);
    bool arrow = kind == ACT_BASE || kind == ACT_GREEN || kind == ACT_LOOP ||
                 kind == ACT_CHEQUE || kind == ACT_REMOVE;
    if (n->kind == NOTE_OPEN && arrow && s->stacked > 0 && n->refill >= 0 &&
        n->refill < c->w->cards && s->stack[s->stacked - 1] == ANY_CARD) {
        if (s->where[n->refill] != AT_HIDDEN)
            return false;
        *a |= (action)(n->refill + 1) << 18;
    }
    if (n->kind != NOTE_DONE || n->card < 0)
        return true;
    if (kind == ACT_KEEP && act_card_of(*a) == CARD_UNKNOWN) {
        if (!may_keep(s, n->card))
            return false;
        *a = act_card(ACT_KEEP, n->card);
    } else if (arrow && s->where[n->card] == AT_HIDDEN) {
        if (n->seat >= c->w->seats || cards_hidden(s, n->seat) <= 0)
            return false;
        *a |= (action)(n->seat + 1) << 15;
    }
    return true;
}

static bool same_note(const struct note *a, const struct note *b)
{
    if (a->kind != b->kind || a->seat != b->seat)
        return false;
    return a->kind == NOTE_CHEQUE ||
           (a->card == b->card && a->star == b->star &&
            (a->kind == NOTE_DONE || a->refill == b->refill));
}

/* The notes found must be those that follow, or some of them in order. */
static bool notes_fit(const struct sense *c, action a, const struct note *found,
                      int count, bool strict)
{
    if (count == 0 && !strict)
        return true;
    struct note derived[NOTES];
    struct state after = *c->s;
    terrax_apply(c->w, &after, c->seat, a);
    int total = derive_notes(c->w, c->s, &after, c->seat, a, derived);
    int at = 0;
    for (int i = 0; i < count; i++, at++) {
        while (at < total && !same_note(&found[i], &derived[at]))
            at++;
        if (at == total)
            return false;
    }
    return !strict || count == total;
}

/* Of what is wrong with a note its form or place, unless an earlier one is
 * wrong. */
static bool note_refused(const struct sense *c, action a,
                         const struct note *found, int count, int code,
                         int column, struct span what)
{
    if (!notes_fit(c, a, found, count, false))
        code = TX_NOTE;
    return fault_span(c->f, code, 0, column, what.at, what.length);
}

/* The sense of an item whose form is read, and the notes from `at` on. */
static bool read_sense(const struct sense *c, const struct item *item,
                       struct span text, struct cursor at, bool strict,
                       action *out, size_t *used)
{
    action a = 0;
    if (!check_item(c, item, &a))
        return false;
    struct note found[NOTES];
    int count = 0;
    for (;;) {
        struct cursor next = at;
        skip_blanks(&next);
        if (peek(&next) != '(')
            break;
        int column = (int)(next.rest.at - text.at) + 1;
        struct span shown = next.rest;
        shown = span_word(&shown);
        struct span wrong;
        bool full = count == NOTES;
        if (full || !parse_note(c->w, &next, &found[count], &wrong) ||
            !at_gap(&next))
            return note_refused(c, a, found, count, full ? TX_NOTE : TX_SYNTAX,
                                column, shown);
        if (wrong.length > 0)
            return note_refused(c, a, found, count, TX_PLACE, column, wrong);
        if (c->s->view && !take_told(c, &found[count], &a))
            return fault_span(c->f, TX_NOTE, 0, column, shown.at, shown.length);
        count++;
        at = next;
    }
    *used = (size_t)(at.rest.at - text.at);
    if (!notes_fit(c, a, found, count, strict))
        return fault_span(c->f, TX_NOTE, 0, 1, text.at, *used);
    *out = a;
    return true;
}

bool tx_read_item(const struct world *w, const struct state *s, int seat,
                  struct span text, bool strict, action *out, size_t *used,
                  struct fault *f)
{
    struct sense c = {w, s, seat, f};
    struct cursor at = {text};
    struct item item;
    if (!parse_item(&at, &item) || !item_ends(&at, &item)) {
        struct span rest = text;
        return refuse(&c, TX_SYNTAX, span_word(&rest));
    }
    return read_sense(&c, &item, text, at, strict, out, used);
}

bool tx_read_hidden_keep(const struct world *w, const struct state *s, int seat,
                         struct span text, action *out, size_t *used,
                         struct fault *f)
{
    struct sense c = {w, s, seat, f};
    struct item item = {.kind = ACT_KEEP, .to = span_of("?")};
    struct cursor at = {text};
    return read_sense(&c, &item, text, at, true, out, used);
}

/* The parts of a swap in one. */
static bool swap_fits(struct cursor *c, const struct item *i)
{
    struct span id;
    if (span_is(i->to, "?"))
        return i->drawns == 0 && !i->drawn_hidden && peek(c) != '=';
    if (i->drawns == 0 && !i->drawn_hidden)
        return false;
    return !accept(c, '=') || take_id(c, &id);
}

bool tx_item_fits(const struct world *w, struct span text, bool marks)
{
    struct cursor at = {text};
    struct item i;
    struct note note;
    struct span wrong;
    if (peek(&at) == '(')
        return !marks && parse_note(w, &at, &note, &wrong) && at_gap(&at);
    if (!parse_item(&at, &i) || marks != (i.kind == ACT_MARK) ||
        i.kind == ACT_KEEP || (i.kind == ACT_END && !i.pass) ||
        (i.kind == ACT_SWAP && !swap_fits(&at, &i)))
        return false;
    return peek(&at) == '\0' || peek(&at) == ' ';
}

int tx_note_reason(const struct world *w, struct span text)
{
    struct cursor at = {text};
    struct note note;
    struct span wrong;
    parse_note(w, &at, &note, &wrong);
    return wrong.length > 0 ? TX_PLACE : TX_NOTE;
}

void tx_skip_blanks(struct span *text)
{
    struct cursor c = {*text};
    skip_blanks(&c);
    *text = c.rest;
}

bool terrax_read_action(const struct world *w, const struct state *s, int seat,
                        const char *text, action *out, size_t *used,
                        struct fault *f)
{
    return tx_read_item(w, s, seat, span_of(text), false, out, used, f);
}
