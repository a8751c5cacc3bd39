/* rules/blank/start.c: from a setup to the first state, and who may know it.
 *
 * A match may be given by the line "start: ..." in the notation of text.c;
 * cards fixed there are dealt, all others are drawn when their round begins. */
#include "rules/blank/state.h"

#include "game/setup.h"

#include <string.h>

static int option(const struct setup *setup, int index)
{
    int value = setup->option[index];
    return value == OPTION_UNSET ? blank_options[index].preset : value;
}

/* `line` is that of the key inside `given`. */
static bool read_given(const struct world *w, const char *given,
                       struct state *s, struct fault *f)
{
    struct given item;
    int line = 0;
    while (given_next(&given, &line, &item)) {
        char text[512];
        if (!span_is(item.key, "start"))
            return fault_span(f, FAULT_GIVEN, item.line, 1, item.key.at,
                              item.key.length);
        if (item.value.length >= sizeof text)
            return fault_set(f, FAULT_SIZE, item.line, 1, "");
        span_copy(item.value, text, sizeof text);
        if (!blank_read_state(w, text, s, f)) {
            f->line = item.line;
            return false;
        }
    }
    return true;
}

bool blank_prepare(struct world *w, const struct setup *setup, struct fault *f)
{
    if (setup->seats < 2 || setup->seats > SEATS)
        return fault_set(f, FAULT_SEATS, 0, 0, "");
    struct world made = {.seats = setup->seats};
    made.rounds = option(setup, OPTION_ROUNDS);
    if (made.rounds == OPTION_UNSET)
        made.rounds = option(setup, OPTION_EDITION) == 0 ? 3 : 6;
    made.variants = (unsigned)option(setup, OPTION_VARIANTS);
    struct state given;
    if (!read_given(&made, setup->given, &given, f))
        return false;
    *w = made;
    return true;
}

static int deal_one(struct state *s, int seat)
{
    int fixed = s->deck[(s->round - 1) * SEATS + seat];
    if (fixed != CARD_BLANK || s->veiled)
        return fixed;
    return 1 + rng_below(&s->rng, CARDS);
}

void blank_deal(const struct world *w, struct state *s)
{
    s->doubled = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        s->choice[seat] = UNDECIDED;
        s->hand[seat] = s->left[seat] ? CARD_BLANK : (uint8_t)deal_one(s, seat);
    }
}

void blank_start(const struct world *w, const struct setup *setup,
                 struct state *s)
{
    memset(s, 0, sizeof *s);
    rng_seed(&s->rng, setup->seed);
    s->round = 1;
    blank_deal(w, s);
    struct fault unused;
    read_given(w, setup->given, s, &unused); /* prepare() has checked it */
}

void blank_observe(const struct world *w, const struct state *s, int viewer,
                   struct state *view)
{
    (void)w;
    if (view != s)
        *view = *s;
    view->rng = (struct rng){0};
    memset(view->deck, 0, sizeof view->deck);
    view->veiled = 1;
    bool shown = s->reason == ENDING_ROUNDS; /* blank §4 */
    for (int seat = 0; seat < SEATS; seat++) {
        if (seat == viewer || (shown && s->choice[seat] == STAYS))
            continue;
        view->hand[seat] = CARD_BLANK;
        if (!shown && view->choice[seat] != UNDECIDED)
            view->choice[seat] = DECIDED;
    }
}

void blank_complete(const struct world *w, struct state *view, int viewer,
                    struct rng *r)
{
    (void)viewer; /* knows all that is not blank */
    rng_seed(&view->rng, rng_next(r));
    view->veiled = 0;
    for (int seat = 0; seat < w->seats; seat++) {
        if (view->hand[seat] != CARD_BLANK || view->left[seat])
            continue;
        view->hand[seat] = (uint8_t)(1 + rng_below(r, CARDS));
        if (view->choice[seat] == DECIDED)
            view->choice[seat] = rng_below(r, 2) ? STAYS : FOLDS;
    }
}
