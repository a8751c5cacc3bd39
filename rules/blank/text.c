/* rules/blank/text.c: actions and positions as text.
 *
 * An action is one of blank_words.  A position is one line:
 *
 *     round 2 rng 00000000000000a7 deck 31..5 end none double seat 3 5 stay 0
 *     seat -1 ? none 0
 *
 * deck: the cards fixed, '.' for others, cut after the last one fixed;
 * "rng hidden" marks one seat's view; "single" or "double" is the stake; seats:
 * points, card, choice, and the order in which they left. */
#include "rules/blank/state.h"

#include "base/text.h"

#include <string.h>

static const char *const choices[] = {"none", "hidden", "stay", "fold", NULL};

int blank_write_action(const struct world *w, const struct state *s, int seat,
                       action a, int viewer, char *to, size_t cap)
{
    (void)w;
    (void)s;
    bool seen = a == DOUBLE || viewer == seat || viewer == RECORD_FULL;
    struct text t = text_begin(to, cap);
    text_put(&t, blank_words[seen ? a : HIDE]);
    return text_end(&t);
}

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r\n,;");
}

bool blank_read_action(const struct world *w, const struct state *s, int seat,
                       const char *text, action *out, size_t *used,
                       struct fault *f)
{
    size_t length = word_length(text);
    for (action a = STAY; a <= HIDE; a++) {
        if (!span_is((struct span){text, length}, blank_words[a]))
            continue;
        int refused = blank_refuse(w, s, seat, a);
        if (refused)
            return fault_span(f, refused, 0, 1, text, length);
        *out = a;
        *used = length;
        return true;
    }
    return fault_span(f, FAULT_SYNTAX, 0, 1, text, length);
}

static void write_deck(struct text *t, const struct state *s)
{
    int count = DECK;
    while (count > 0 && s->deck[count - 1] == CARD_BLANK)
        count--;
    text_put(t, count ? " deck " : " deck -");
    for (int i = 0; i < count; i++)
        text_char(t, s->deck[i] ? (char)('0' + s->deck[i]) : '.');
}

static void write_seat(struct text *t, const struct state *s, int seat)
{
    text_put(t, " seat ");
    text_int(t, s->points[seat]);
    text_char(t, ' ');
    text_char(t, s->hand[seat] ? (char)('0' + s->hand[seat]) : '?');
    text_char(t, ' ');
    text_put(t, choices[s->choice[seat]]);
    text_char(t, ' ');
    text_int(t, s->left[seat]);
}

int blank_write_state(const struct world *w, const struct state *s, char *to,
                      size_t cap)
{
    struct text t = text_begin(to, cap);
    text_put(&t, "round ");
    text_int(&t, s->round);
    text_put(&t, " rng ");
    if (s->veiled)
        text_put(&t, "hidden");
    else
        text_hex(&t, s->rng.state);
    write_deck(&t, s);
    text_put(&t, " end ");
    text_put(&t, blank_endings[s->reason]);
    text_put(&t, s->doubled ? " double" : " single");
    for (int seat = 0; seat < w->seats; seat++)
        write_seat(&t, s, seat);
    return text_end(&t);
}

/* ---- reading a position ---- */

/* Walks over the words; after the first that does not fit, `bad` is set and
 * everything else is skipped. */
struct reader {
    struct span rest, word;
    const char *text;
    bool bad;
};

static struct span next(struct reader *r)
{
    if (!r->bad)
        r->word = span_word(&r->rest);
    return r->word;
}

static void expect(struct reader *r, const char *word)
{
    if (!r->bad && !span_is(next(r), word))
        r->bad = true;
}

static int number(struct reader *r, int low, int high)
{
    long value = low;
    if (!r->bad && !span_int(next(r), low, high, &value))
        r->bad = true;
    return (int)value;
}

/* The index of the next word in a list ended by NULL. */
static int among(struct reader *r, const char *const *list)
{
    struct span word = next(r);
    for (int i = 0; list[i]; i++)
        if (span_is(word, list[i]))
            return i;
    r->bad = true;
    return 0;
}

static void read_rng(struct reader *r, struct state *s)
{
    struct span word = next(r);
    s->veiled = span_is(word, "hidden");
    if (s->veiled || r->bad)
        return;
    r->bad = word.length != 16;
    for (size_t i = 0; i < 16 && !r->bad; i++) {
        const char *digits = "0123456789abcdef";
        const char *found = memchr(digits, word.at[i], 16);
        r->bad = !found;
        if (found)
            s->rng.state = s->rng.state << 4 | (uint64_t)(found - digits);
    }
}

static void read_deck(struct reader *r, struct state *s)
{
    struct span word = next(r);
    if (r->bad || span_is(word, "-"))
        return;
    r->bad = word.length == 0 || word.length > DECK ||
             word.at[word.length - 1] == '.';
    for (size_t i = 0; i < word.length && !r->bad; i++) {
        char c = word.at[i];
        r->bad = c != '.' && (c < '1' || c > '0' + CARDS);
        s->deck[i] = c == '.' ? CARD_BLANK : (uint8_t)(c - '0');
    }
}

static void read_seat(struct reader *r, const struct world *w, struct state *s,
                      int seat)
{
    expect(r, "seat");
    s->points[seat] = (int16_t)number(r, -99, 99);
    struct span card = next(r);
    if (r->bad || card.length != 1 ||
        (*card.at != '?' && (*card.at < '1' || *card.at > '0' + CARDS))) {
        r->bad = true;
        return;
    }
    s->hand[seat] = *card.at == '?' ? CARD_BLANK : (uint8_t)(*card.at - '0');
    s->choice[seat] = (uint8_t)among(r, choices);
    s->left[seat] = (uint8_t)number(r, 0, w->seats);
}

/* Could play have led here?  A running match has two seats left, one of them
 * undecided; secrets are blank in views alone. */
static bool sound(const struct world *w, const struct state *s)
{
    int here = 0, undecided = 0;
    unsigned orders = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        bool gone = s->left[seat] != 0, blank = s->hand[seat] == CARD_BLANK;
        if (gone && (!blank || s->choice[seat] != UNDECIDED ||
                     (orders >> s->left[seat] & 1)))
            return false;
        if (!gone && !s->veiled && (blank || s->choice[seat] == DECIDED))
            return false;
        orders |= gone ? 1u << s->left[seat] : 0;
        here += !gone;
        undecided += !gone && s->choice[seat] == UNDECIDED;
    }
    if ((orders >> 1 & ((orders >> 1) + 1)) != 0) /* 1, 2, 3 without gaps */
        return false;
    return s->reason || (here >= 2 && undecided > 0);
}

bool blank_read_state(const struct world *w, const char *text,
                      struct state *out, struct fault *f)
{
    static const char *const stakes[] = {"single", "double", NULL};
    struct state s;
    memset(&s, 0, sizeof s);
    struct reader r = {.rest = span_of(text), .text = text};
    expect(&r, "round");
    s.round = (uint8_t)number(&r, 1, w->rounds);
    expect(&r, "rng");
    read_rng(&r, &s);
    expect(&r, "deck");
    read_deck(&r, &s);
    expect(&r, "end");
    s.reason = (uint8_t)among(&r, blank_endings);
    s.doubled = (uint8_t)among(&r, stakes);
    for (int seat = 0; seat < w->seats; seat++)
        read_seat(&r, w, &s, seat);
    if (!r.bad && (next(&r).length > 0 || !sound(w, &s)))
        r.bad = true;
    if (r.bad)
        return fault_span(f, BLANK_POSITION, 0, (int)(r.word.at - r.text) + 1,
                          r.word.at, r.word.length);
    *out = s;
    return true;
}
