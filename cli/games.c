/* cli/games.c: `terra games` lists the games, their boards and options. */
#include "cli/cli.h"

#include "base/text.h"
#include "game/setup.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

struct asked {
    bool json, faults;
    const char *game;
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, TR("as JSON"), 0},
    {"faults", 'f', 0, 0,
     TR("list the names of all refusals instead: game, name, phrase, "
        "paragraph"),
     0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra games", NULL);
    case 'j':
        asked->json = true;
        return 0;
    case 'f':
        asked->faults = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            die(STATUS_USAGE, "one game is enough, not also '%s'", text);
        asked->game = need_game(text)->name;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp games_argp = {
    options,
    parse,
    "[GAME]",
    HELP(TR("Lists the games with their seats, file formats and setup "
            "options."),
         TR("A star marks the value an option has unless it is set.  Options "
            "without a star follow another one, such as an edition or a "
            "board.")),
    help_children,
    help_words,
    0,
};

/* ---- as text ---- */

static void print_values(const struct option *o)
{
    if (o->kind == OPTION_NUMBER) {
        printf(tr("%d to %d"), o->low, o->high);
        if (o->preset != OPTION_UNSET)
            printf(", *%d", o->preset);
        return;
    }
    for (int i = 0; o->choices[i]; i++) {
        bool preset =
            o->preset != OPTION_UNSET &&
            (o->kind == OPTION_SET ? o->preset >> i & 1 : o->preset == i);
        printf("%s%s%s",
               i == 0                  ? ""
               : o->kind == OPTION_SET ? "+"
                                       : " ",
               preset ? "*" : "", o->choices[i]);
    }
}

static void print_game(const struct game *game, bool colour)
{
    const char *bold = colour ? "\033[1m" : "", *plain = colour ? "\033[m" : "";
    printf(tr("%s%s%s: %s, %d to %d seats (usually %d)\n"), bold, game->name,
           plain, game->title, game->seats_min, game->seats_max,
           game->seats_usual);
    printf("  %s\n", tr(game->about));
    for (const struct record_format *f = game->formats; f->name; f++)
        printf(tr("  format %s%s%s (*%s): %s\n"), bold, f->name, plain,
               f->suffix, tr(f->help));
    for (const struct option *o = game->options; o->name; o++) {
        printf(tr("  option %s%s%s: "), bold, o->name, plain);
        print_values(o);
        printf("\n         %s\n", tr(o->help));
    }
}

/* ---- as JSON ---- */

static const char *const kinds[] = {"choice", "number", "set"};

static void json_string(struct text *t, const char *key, const char *value)
{
    text_json(t, key);
    text_char(t, ':');
    text_json(t, value);
}

static void json_number(struct text *t, const char *key, int value)
{
    text_json(t, key);
    text_char(t, ':');
    text_int(t, value);
}

static void json_values(struct text *t, const struct option *o)
{
    if (o->kind == OPTION_NUMBER) {
        json_number(t, "low", o->low);
        text_char(t, ',');
        json_number(t, "high", o->high);
        return;
    }
    text_put(t, "\"choices\":[");
    for (int i = 0; o->choices[i]; i++) {
        text_put(t, i ? "," : "");
        text_json(t, o->choices[i]);
    }
    text_put(t, "]");
}

static void json_option(struct text *t, const struct option *o)
{
    text_char(t, '{');
    json_string(t, "name", o->name);
    text_char(t, ',');
    json_string(t, "kind", kinds[o->kind]);
    text_char(t, ',');
    json_values(t, o);
    if (o->preset != OPTION_UNSET) {
        char value[512];
        setup_write_value(o, o->preset, value, sizeof value);
        text_char(t, ',');
        json_string(t, "preset", value);
    }
    text_char(t, ',');
    json_string(t, "help", o->help);
    text_char(t, '}');
}

static void json_format(struct text *t, const struct record_format *f)
{
    text_char(t, '{');
    json_string(t, "name", f->name);
    text_char(t, ',');
    json_string(t, "suffix", f->suffix);
    text_char(t, ',');
    json_string(t, "help", f->help);
    text_char(t, '}');
}

static void json_head(struct text *t, const struct game *game)
{
    json_string(t, "name", game->name);
    text_char(t, ',');
    json_string(t, "title", game->title);
    text_char(t, ',');
    json_string(t, "about", game->about);
    text_char(t, ',');
    json_number(t, "seats_min", game->seats_min);
    text_char(t, ',');
    json_number(t, "seats_max", game->seats_max);
    text_char(t, ',');
    json_number(t, "seats_usual", game->seats_usual);
}

static void json_game(struct text *t, const struct game *game)
{
    text_char(t, '{');
    json_head(t, game);
    text_put(t, ",\"formats\":[");
    for (const struct record_format *f = game->formats; f->name; f++) {
        text_put(t, f == game->formats ? "" : ",");
        json_format(t, f);
    }
    text_put(t, "],\"options\":[");
    for (const struct option *o = game->options; o->name; o++) {
        text_put(t, o == game->options ? "" : ",");
        json_option(t, o);
    }
    text_put(t, "]}");
}

static void print_json(const struct game *only)
{
    enum { ROOM = 1 << 20 };
    struct text t = text_begin(need(malloc(ROOM)), ROOM);
    if (only) {
        json_game(&t, only);
    } else {
        text_char(&t, '[');
        for (int i = 0; rules_games[i]; i++) {
            text_put(&t, i ? ",\n" : "");
            json_game(&t, rules_games[i]);
        }
        text_char(&t, ']');
    }
    text_end(&t);
    puts(t.to);
    free(t.to);
}

/* ---- refusals ---- */

static void print_faults(const char *owner, const struct fault_text *list)
{
    for (; list && list->name; list++)
        if (list->code != FAULT_NONE)
            printf("%s\t%s\t%s\t%s\n", owner, list->name, list->phrase,
                   list->paragraph ? list->paragraph : "-");
}

static void print_all_faults(const struct game *only)
{
    print_faults("-", fault_shared());
    for (int i = 0; rules_games[i]; i++)
        if (!only || rules_games[i] == only)
            print_faults(rules_games[i]->name, rules_games[i]->faults);
}

static void print_games(const struct game *only)
{
    bool colour = colour_on(stdout);
    for (int i = 0; rules_games[i]; i++) {
        if (only && rules_games[i] != only)
            continue;
        printf("%s", !only && i > 0 ? "\n" : "");
        print_game(rules_games[i], colour);
    }
}

int cmd_games(int argc, char **argv)
{
    struct asked asked = {0};
    if (!command_line(&games_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    const struct game *only = asked.game ? rules_find(asked.game) : NULL;
    if (asked.faults)
        print_all_faults(only);
    else if (asked.json)
        print_json(only);
    else
        print_games(only);
    return STATUS_OK;
}
