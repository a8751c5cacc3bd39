/* cli/table_command.c: what people type at the table. */
#include "cli/table.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void table_refuse(struct table *t, const char *format, ...)
{
    char line[1024];
    va_list list;
    const char *words = tr(format);
    va_start(list, format);
    vsnprintf(line, sizeof line, words, list);
    va_end(list);
    t->refused = true;
    if (line_edited(t->line))
        say("%s", line);
    else
        say("input line %d: %s", t->input, line);
}

/* ---- commands ---- */

static void do_help(struct table *t, int seat, const char *rest);

/* The last step of a person, or -1: bots answer again by themselves. */
static int last_human(const struct table *t)
{
    int at = match_count(t->match) - 1;
    while (at >= 0) {
        int8_t seat = match_step(t->match, at)->seat;
        if (seat < 0 || !t->player[seat]->choose)
            break;
        at--;
    }
    return at;
}

/* Bots that might have spoken out of turn and did not: that tells, too. */
static bool bots_were_silent(const struct table *t)
{
    unsigned must, may;
    t->game->turn(match_world(t->match), match_state(t->match), &must, &may);
    for (int i = 0; must && i < match_setup(t->match)->seats; i++)
        if (may >> i & 1 && t->player[i]->choose)
            return true;
    return false;
}

static void do_undo(struct table *t, int seat, const char *rest)
{
    (void)seat, (void)rest;
    int fence = match_fence(t->match), to = last_human(t);
    if (to < 0) {
        table_refuse(t, "there is nothing to undo");
    } else if (to < fence || (table_secret(t) && bots_were_silent(t))) {
        table_refuse(t, "undo stops here: the turn is over or something was "
                        "revealed ('takeback' asks everyone)");
    } else {
        while (match_count(t->match) > to)
            match_undo(t->match, false);
        printf(tr("taken back; %d more can be\n"), to - fence);
    }
}

static void do_redo(struct table *t, int seat, const char *rest)
{
    (void)seat, (void)rest;
    if (!match_redo(t->match))
        table_refuse(t, "there is nothing to redo");
}

/* Back over a finished turn and the bots' answers to a person's last step.
 * Everyone sits at this terminal, so everyone can object; but what has been
 * seen of hidden cards cannot be unseen. */
static void do_takeback(struct table *t, int seat, const char *rest)
{
    (void)seat, (void)rest;
    if (table_secret(t)) {
        table_refuse(t, "cards have been seen: only 'undo' is possible");
        return;
    }
    int to = last_human(t), count = match_count(t->match) - to;
    if (to < 0) {
        table_refuse(t, "there is nothing to take back");
        return;
    }
    while (match_count(t->match) > to)
        match_undo(t->match, true);
    printf(tr("taken back: %d\n"), count);
}

static void do_legal(struct table *t, int seat, const char *rest)
{
    (void)rest;
    table_legal(t, seat);
}

static void do_board(struct table *t, int seat, const char *rest)
{
    (void)rest;
    table_board(t, seat);
}

static void do_hint(struct table *t, int seat, const char *rest)
{
    (void)rest;
    table_hint(t, seat);
}

static void do_position(struct table *t, int seat, const char *rest)
{
    struct buffer b = {0};
    struct state *view = view_of(t->match, match_state(t->match), seat);
    (void)rest;
    while (buffer_short(
        &b, t->game->write_state(match_world(t->match), view, b.to, b.cap)))
        ;
    puts(b.to);
    buffer_release(&b);
    free(view);
}

static void do_save(struct table *t, int seat, const char *rest)
{
    (void)seat;
    const struct record_format *format = match_format(t->game, NULL);
    struct buffer b = {0};
    int length, count = match_count(t->match);
    if (!*rest) {
        table_refuse(t, "save where?  save FILE");
        return;
    }
    do
        length = match_write(t->match, format, count, RECORD_FULL, b.to, b.cap);
    while (buffer_short(&b, length));
    if (length < 0)
        table_refuse(t, "this match cannot be written");
    else if (file_write(rest, b.to, (size_t)length))
        printf(tr("saved: %s\n"), rest);
    else
        t->refused = true;
    buffer_release(&b);
}

static void do_load(struct table *t, int seat, const char *rest)
{
    (void)seat;
    if (!*rest) {
        table_refuse(t, "load what?  load FILE");
        return;
    }
    struct load load = load_file(rest, &(struct request){0}, false);
    if (!load.match) {
        t->refused = true; /* and load_file() has said why */
        return;
    }
    match_close(t->match);
    t->match = load.match;
    t->game = match_game(load.match);
    t->shown_count = -1;
    printf(tr("loaded: %s, %d seats, %d steps\n"), t->game->title,
           match_setup(t->match)->seats, match_count(t->match));
}

/* With two seats the other one has won; among more the others play on. */
static void do_resign(struct table *t, int seat, const char *rest)
{
    (void)rest;
    if (match_setup(t->match)->seats <= 2)
        match_stop(t->match, ENDING_RESIGN, seat);
    else
        match_drop(t->match, seat);
    printf(tr("seat %d resigns\n"), seat + 1);
}

static void do_quit(struct table *t, int seat, const char *rest)
{
    (void)seat, (void)rest;
    t->quit = true;
}

static const struct {
    const char *name;
    void (*run)(struct table *t, int seat, const char *rest);
    const char *help;
} commands[] = {
    {"help", do_help, TR("this list")},
    {"legal", do_legal, TR("all legal actions")},
    {"hint", do_hint, TR("the three that promise most")},
    {"board", do_board, TR("draw the board again")},
    {"position", do_position, TR("the position as one line of text")},
    {"undo", do_undo, TR("take back one action of this turn")},
    {"redo", do_redo, TR("and play it after all")},
    {"takeback", do_takeback, TR("take back more, if everyone agrees")},
    {"save", do_save, TR("FILE: keep the match")},
    {"load", do_load, TR("FILE: go on with a kept match")},
    {"resign", do_resign, TR("give up")},
    {"quit", do_quit, TR("leave without saving")},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void do_help(struct table *t, int seat, const char *rest)
{
    (void)rest;
    puts(tr("Type actions in the game's notation, several on one line if you "
            "like, or:"));
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-9s %s\n", commands[i].name, tr(commands[i].help));
    puts(tr("  N: ...    act for seat N, where several may act"));
    char **texts;
    int count = legal_texts(t->match, match_state(t->match), seat, &texts);
    printf(tr("Legal here, for example:"));
    for (int i = 0; i < count; i++) {
        if (i % (count / 5 + 1) == 0)
            printf("  %s", texts[i]);
        free(texts[i]);
    }
    free(texts);
    putchar('\n');
}

/* ---- actions ---- */

/* "2: ..." speaks for another seat, if a person plays it. */
static int seat_prefix(const struct table *t, int seat, const char **line)
{
    struct span rest = span_of(*line), head = span_cut(&rest, ':');
    long number;
    if (rest.length == 0 ||
        !span_int(span_trim(head), 1, match_setup(t->match)->seats, &number) ||
        t->player[number - 1]->choose)
        return seat;
    *line = rest.at;
    return (int)number - 1;
}

static void draft_note(const struct table *t, int before)
{
    int draft = match_count(t->match) - match_fence(t->match);
    if (draft > 0 && line_edited(t->line))
        printf(tr("(draft of %d: undo is free until the turn is over)\n"),
               draft);
    else if (draft == 0 && match_count(t->match) > before &&
             line_edited(t->line))
        puts(tr("(turn over: undo stops here)"));
}

/* A line may go on for other people, but not for bots, nor for one whose cards
 * its typist must not see. */
static unsigned voices(const struct table *t, int seat)
{
    unsigned seats = 1u << seat;
    for (int i = 0; !table_secret(t) && i < GAME_SEATS; i++)
        if (!t->player[i]->choose)
            seats |= 1u << i;
    return seats;
}

static void play(struct table *t, int seat, const char *line)
{
    struct fault f;
    char reason[512];
    int before = match_count(t->match);
    seat = seat_prefix(t, seat, &line);
    if (match_type_as(t->match, voices(t, seat), seat, line, &f)) {
        draft_note(t, before);
        return;
    }
    speak_fault(t->game, &f, reason, sizeof reason);
    if (f.column > 0)
        table_refuse(t, "column %d: %s", f.column, reason);
    else
        table_refuse(t, "%s", reason);
}

void table_type(struct table *t, int seat, const char *line)
{
    struct span rest = span_trim(span_of(line)), word = span_word(&rest);
    char argument[4096];
    if (word.length == 0)
        return;
    for (int i = 0; i < COMMANDS; i++)
        if (span_is(word, commands[i].name)) {
            span_copy(span_trim(rest), argument, sizeof argument);
            commands[i].run(t, seat, argument);
            return;
        }
    play(t, seat, line);
}

/* ---- the Tab key ---- */

/* The state behind the actions of a line so far; false if they are faulty or
 * the turn has gone to another seat. */
static bool read_ahead(const struct table *t, int seat, const char *line,
                       struct state *s)
{
    struct fault f;
    action a;
    size_t used;
    for (;;) {
        line += strspn(line, " ,;\t");
        unsigned must, may;
        t->game->turn(match_world(t->match), s, &must, &may);
        if (!((must | may) >> seat & 1))
            return false;
        if (!*line)
            return true;
        if (!t->game->read_action(match_world(t->match), s, seat, line, &a,
                                  &used, &f))
            return false;
        t->game->apply(match_world(t->match), s, seat, a);
        line += used;
    }
}

int table_words(void *table, const char *before, char ***out)
{
    struct table *t = table;
    int count = 0, seat = seat_prefix(t, t->seat, &before);
    struct state *s = view_of(t->match, match_state(t->match), seat);
    if (read_ahead(t, seat, before, s))
        count = legal_texts(t->match, s, seat, out);
    else
        *out = NULL;
    free(s);
    if (*out && span_trim(span_of(before)).length == 0) {
        *out = need(realloc(*out, (size_t)(count + COMMANDS) * sizeof **out));
        for (int i = 0; i < COMMANDS; i++)
            (*out)[count++] = need(strdup(commands[i].name));
    }
    return count;
}
