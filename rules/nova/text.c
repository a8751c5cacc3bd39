/* rules/nova/text.c: actions as people write them (nova §11.1). */
#include "rules/nova/state.h"

#include "rules/nova/faults.h"

/* ---- writing ---- */

/* "(y24)", "(b10,r10)" or "()", one per territory. */
static void put_results(const struct world *w, const struct territory *closed,
                        int count, struct text *t)
{
    for (int i = 0; i < count; i++) {
        bool first = true;
        text_char(t, '(');
        for (int seat = 0; seat < w->seats; seat++) {
            if (closed[i].gain[seat] == 0)
                continue;
            if (!first)
                text_char(t, ',');
            text_char(t, w->colour[seat]);
            text_int(t, closed[i].gain[seat]);
            first = false;
        }
        text_char(t, ')');
    }
}

static void put_stone(const struct world *w, const struct state *s, int hex,
                      struct text *t)
{
    struct state after = *s;
    struct territory closed[3];
    int count = nova_put_stone(w, &after, hex, closed);
    text_char(t, '*');
    board_put_hex(&w->board, hex, t);
    put_results(w, closed, count, t);
}

int nova_write_action(const struct world *w, const struct state *s, int seat,
                      action a, int viewer, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    (void)seat;
    (void)viewer;
    switch (kind_of(a)) {
    case MOVE:
        board_put_hex(&w->board, from_of(a), &t);
        text_char(&t, '-');
        board_put_hex(&w->board, to_of(a), &t);
        break;
    case STONE:
        put_stone(w, s, to_of(a), &t);
        break;
    case PLACE:
        text_char(&t, '+');
        board_put_hex(&w->board, to_of(a), &t);
        break;
    default:
        text_put(&t, "--");
        break;
    }
    return text_end(&t);
}

/* ---- reading ---- */

/* An action as it was written, before anybody asks whether it is legal. */
struct parsed {
    unsigned kind;
    int from, to;
    struct span from_name, to_name, results;
};

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == ';' || c == '\t' || c == '\r' ||
           c == '\n';
}

/* The token at the beginning; commas inside parentheses belong to it. */
static struct span token_of(const char *text)
{
    size_t length = 0;
    int depth = 0;
    while (text[length] &&
           (!is_separator(text[length]) || (depth && text[length] == ','))) {
        depth += text[length] == '(';
        depth -= text[length] == ')';
        length++;
    }
    return (struct span){text, length};
}

static bool take_hex(const struct world *w, struct span *rest, int *hex,
                     struct span *name)
{
    size_t length = board_find(&w->board, *rest, hex);
    *name = (struct span){rest->at, length};
    rest->at += length;
    rest->length -= length;
    return length > 0;
}

static bool parse(const struct world *w, struct span token, struct parsed *p)
{
    struct span rest = token;
    if (span_is(token, "--")) {
        p->kind = PASS;
        return true;
    }
    if (rest.length == 0)
        return false;
    bool piece = *rest.at == '*' || *rest.at == '+';
    p->kind = !piece ? MOVE : *rest.at == '*' ? STONE : PLACE;
    if (piece) {
        rest.at++;
        rest.length--;
    } else if (!take_hex(w, &rest, &p->from, &p->from_name) ||
               rest.length == 0 || *rest.at != '-') {
        return false;
    } else {
        rest.at++;
        rest.length--;
    }
    if (!take_hex(w, &rest, &p->to, &p->to_name))
        return false;
    p->results = rest;
    return rest.length == 0 || (p->kind == STONE && *rest.at == '(');
}

/* ---- is it legal, and if not, which rule says so ---- */

static int why_not_place(const struct world *w, const struct state *s, int hex)
{
    if (s->act != PLACING)
        return NOVA_PLACE_OVER;
    return is_free(w, s, hex) ? 0 : NOVA_PLACE_TAKEN;
}

/* The direction from one hex to another on the same line, or -1. */
static int direction_to(const struct world *w, int from, int to)
{
    int rows = w->board.row[to] - w->board.row[from];
    int numbers = w->board.number[to] - w->board.number[from];
    if (from == to || (rows != 0 && numbers != 0 && rows != numbers))
        return -1;
    if (rows == 0)
        return numbers > 0 ? EAST : WEST;
    if (numbers == 0)
        return rows > 0 ? SOUTH_WEST : NORTH_EAST;
    return rows > 0 ? SOUTH_EAST : NORTH_WEST;
}

static int why_not_move(const struct world *w, const struct state *s, int from,
                        int to)
{
    if (s->act == PLACING)
        return NOVA_PLACE_FIRST;
    if (!bits_has(&s->pioneers[s->seat], from))
        return NOVA_MOVE_PIONEER;
    int d = direction_to(w, from, to);
    if (d < 0)
        return NOVA_MOVE_LINE;
    for (int hex = from; hex != to;) {
        hex = w->next[hex][d];
        if (hex == NO_HEX || !is_free(w, s, hex))
            return NOVA_MOVE_WAY;
    }
    return nova_return_forbids(w, s, pack(MOVE, from, to)) ? NOVA_MOVE_RETURN
                                                           : 0;
}

static int why_not_stone(const struct world *w, const struct state *s, int hex)
{
    if (s->act == PLACING)
        return NOVA_PLACE_FIRST;
    if (s->act == 1)
        return NOVA_STONE_FIRST;
    if (!stones_left(w, s))
        return NOVA_STONE_SUPPLY;
    if (!is_free(w, s, hex))
        return NOVA_STONE_TAKEN;
    bool beside = false;
    for (int i = 0; i < s->moved_count; i++)
        beside = beside || (s->moved[i].now != GONE &&
                            bits_has(&w->near[s->moved[i].now], hex));
    if (!beside)
        return NOVA_STONE_APART;
    return nova_return_forbids(w, s, pack(STONE, 0, hex)) ? NOVA_STONE_RETURN
                                                          : 0;
}

static int why_not_pass(const struct world *w, const struct state *s)
{
    if (s->act == PLACING)
        return NOVA_PLACE_FIRST;
    return s->act == 1 && !nova_can_move(w, s, s->seat) ? 0 : NOVA_PASS;
}

static int why_not(const struct world *w, const struct state *s,
                   const struct parsed *p)
{
    switch (p->kind) {
    case MOVE:
        return why_not_move(w, s, p->from, p->to);
    case STONE:
        return why_not_stone(w, s, p->to);
    case PLACE:
        return why_not_place(w, s, p->to);
    default:
        return why_not_pass(w, s);
    }
}

/* Results may be left out; if they are there, they must be right. */
static bool results_right(const struct world *w, const struct state *s,
                          const struct parsed *p)
{
    char wanted[128];
    if (p->kind != STONE || p->results.length == 0)
        return true;
    struct text t = text_begin(wanted, sizeof wanted);
    put_stone(w, s, p->to, &t);
    text_end(&t);
    return span_is(p->results, strchr(wanted, '(') ? strchr(wanted, '(') : "");
}

bool nova_read_action(const struct world *w, const struct state *s, int seat,
                      const char *text, action *out, size_t *used,
                      struct fault *f)
{
    struct parsed p = {.kind = PASS};
    struct span token = token_of(text);
    if (!parse(w, token, &p))
        return fault_span(f, FAULT_SYNTAX, 0, 1, token.at, token.length);
    if (s->reason)
        return fault_span(f, FAULT_OVER, 0, 1, token.at, token.length);
    if (seat != s->seat)
        return fault_span(f, FAULT_TURN, 0, 1, token.at, token.length);
    if (p.kind == MOVE && p.from == NO_HEX)
        return fault_span(f, NOVA_HEX, 0, 1, p.from_name.at,
                          p.from_name.length);
    if (p.kind != PASS && p.to == NO_HEX)
        return fault_span(f, NOVA_HEX, 0, (int)(p.to_name.at - text) + 1,
                          p.to_name.at, p.to_name.length);
    int reason = why_not(w, s, &p);
    if (reason)
        return fault_span(f, reason, 0, 1, token.at, token.length);
    if (!results_right(w, s, &p))
        return fault_span(f, NOVA_GAINS, 0, (int)(p.results.at - text) + 1,
                          p.results.at, p.results.length);
    *out = p.kind == MOVE   ? pack(MOVE, p.from, p.to)
           : p.kind == PASS ? pack(PASS, 0, 0)
                            : pack(p.kind, 0, p.to);
    *used = token.length;
    return true;
}
