/* tools/mystica-agree.c: how often people's turns are a bot's first choices.
 *
 * Replays games and asks the bot wherever a turn begins.  Turns are the same if
 * their main action is, with its target: the cell built on, dug for or
 * upgraded, the space, track or card chosen.  How it is paid for does not
 * matter.  The bot's choice is an action; how its turn goes on after that is
 * left to habit. */
#include "game/match.h"
#include "rules/mystica/mystica.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 5, LONGEST = 16, SOURCE = 1 << 22 };

struct key {
    int kind, what, target;
};

struct tally {
    int turns, one, five;
};

static bool is_main(enum kind kind)
{
    return kind == DO_BUILD || kind == DO_DIG || kind == DO_PLACE ||
           kind == DO_UPGRADE || kind == DO_SHIP || kind == DO_SPADE ||
           kind == DO_SEND || kind == DO_ACTION || kind == DO_PASS;
}

/* What a turn is about, one action after the other. */
static void key_add(struct key *k, action a)
{
    enum kind kind = act_kind(a);
    if (!k->kind && is_main(kind)) {
        k->kind = (int)kind;
        k->what = kind == DO_DIG ? 0 : act_a(a);
        k->target = kind == DO_UPGRADE || kind == DO_SEND ? act_b(a) + 1 : 0;
    } else if ((k->kind == DO_DIG || k->kind == DO_ACTION) && !k->target &&
               (kind == DO_TRANSFORM || kind == DO_BUILD || kind == DO_STEP ||
                kind == DO_UPGRADE || kind == DO_BRIDGE)) {
        k->target = act_a(a) + 1;
    }
}

static bool same(struct key a, struct key b)
{
    return a.kind == b.kind && a.what == b.what && a.target == b.target;
}

static bool is_begin(const struct match *m, const struct state *s, int i)
{
    const struct step *step = match_step(m, i);
    return step->kind == STEP_ACTION && s->phase == PHASE_ACTIONS &&
           s->active == step->seat && !s->offer_count &&
           can_start(match_world(m), s, step->seat);
}

/* The person's turn that begins with step i; `end` is the step after it. */
static struct key turn_of(const struct match *m, const struct state *from,
                          int i, int *end)
{
    struct key k = {0};
    struct state s = *from;
    int seat = match_step(m, i)->seat, round = s.round;
    for (; i < match_count(m); i++) {
        const struct step *step = match_step(m, i);
        if (step->kind != STEP_ACTION || s.active != seat || s.round != round ||
            s.seat[seat].passed)
            break;
        if (step->seat == seat)
            key_add(&k, step->action);
        mystica_apply(match_world(m), &s, step->seat, step->action);
    }
    *end = i;
    return k;
}

/* Actions with the most usual first. */
static int list_usual(const struct world *w, const struct state *s, int seat,
                      action *list)
{
    static int milli[GAME_ACTIONS];
    int count = mystica_legal(w, s, seat, list);
    mystica_habit(w, s, seat, list, count, milli);
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && milli[k] > milli[k - 1]; k--) {
            int more = milli[k];
            action a = list[k];
            milli[k] = milli[k - 1];
            milli[k - 1] = more;
            list[k] = list[k - 1];
            list[k - 1] = a;
        }
    return count;
}

static struct key choice_of(const struct world *w, const struct state *from,
                            int seat, action a)
{
    static action list[GAME_ACTIONS];
    struct key k = {0};
    struct state s = *from;
    for (int i = 0; a && i < LONGEST; i++) {
        key_add(&k, a);
        mystica_apply(w, &s, seat, a);
        if (s.active != seat || s.round != from->round || s.offer_count ||
            s.seat[seat].passed)
            break;
        a = list_usual(w, &s, seat, list) ? list[0] : 0;
    }
    return k;
}

/* The bot's first choices, those it thought about before the others. */
static int list_choices(const struct match *m, const struct state *s, int seat,
                        const struct search_bot *bot, action *list)
{
    static action usual[GAME_ACTIONS];
    struct search_choice top[64];
    size_t bytes = search_size(match_game(m), bot, 0);
    void *memory = malloc(bytes);
    struct search *search = search_open(memory, bytes, match_game(m),
                                        match_world(m), s, seat, bot, 0, 1);
    while (search && search_run(search, 100000))
        ;
    int count = search ? search_top(search, top, 64) : 0;
    for (int i = 0; i < count; i++)
        list[i] = top[i].action;
    int more = list_usual(match_world(m), s, seat, usual);
    memcpy(list + count, usual, (size_t)more * sizeof *list);
    free(memory);
    return count + more;
}

static void compare(struct tally *t, const struct match *m,
                    const struct state *s, int seat, struct key person,
                    const struct search_bot *bot)
{
    static action list[64 + GAME_ACTIONS];
    struct key turn[FIRST];
    int turns = 0, count = list_choices(m, s, seat, bot, list);
    t->turns++;
    for (int i = 0; i < count && turns < FIRST; i++) {
        bool fresh = true;
        turn[turns] = choice_of(match_world(m), s, seat, list[i]);
        for (int k = 0; k < turns; k++)
            fresh &= !same(turn[k], turn[turns]);
        if (!fresh || !turn[turns].kind)
            continue;
        t->one += turns == 0 && same(person, turn[turns]);
        t->five += same(person, turn[turns]);
        turns++;
    }
}

/* Every so many turns of a game. */
static void compare_game(struct tally *t, const struct match *m,
                         const struct search_bot *bot, int every, int *turn)
{
    struct state s = *match_first(m);
    int end = 0;
    for (int i = 0; i < match_count(m); i++) {
        const struct step *step = match_step(m, i);
        if (step->kind != STEP_ACTION)
            break;
        if (i >= end && is_begin(m, &s, i)) {
            struct key person = turn_of(m, &s, i, &end);
            if (person.kind && ++*turn % every == 0)
                compare(t, m, &s, step->seat, person, bot);
        }
        mystica_apply(match_world(m), &s, step->seat, step->action);
    }
}

static struct match *read_game(const char *path)
{
    static char text[SOURCE];
    struct fault fault;
    FILE *f = fopen(path, "rb");
    size_t length = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    for (const struct record_format *r = mystica_game.formats; r->name; r++)
        if (r->read && r->recognise(text, length))
            return match_read(&mystica_game, r, text, length, NULL, &fault);
    return NULL;
}

int main(int argc, char **argv)
{
    struct tally t = {0};
    const struct search_bot *bot =
        argc > 3 ? search_find(argv[1], strlen(argv[1])) : NULL;
    int every = bot ? atoi(argv[2]) : 0, turn = 0;
    if (every < 1) {
        fputs("Usage: mystica-agree BOT EVERY FILE...\n"
              "Compares every so manyth turn of the games with BOT's.\n",
              stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        struct match *m = read_game(argv[i]);
        if (!m) {
            fprintf(stderr, "mystica-agree: cannot read '%s'\n", argv[i]);
            return 1;
        }
        compare_game(&t, m, bot, every, &turn);
        match_close(m);
    }
    printf("%s: %d turns, first choice %.1f %%, among the first five %.1f %%\n",
           bot->name, t.turns, t.turns ? 100.0 * t.one / t.turns : 0.0,
           t.turns ? 100.0 * t.five / t.turns : 0.0);
    return 0;
}
