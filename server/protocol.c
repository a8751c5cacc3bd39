/* server/protocol.c: the command `terra protocol`: the table of commands as a
 * page for people, as types for the client, as a list for tests. */
#include "server/hub.h"
#include "server/serve.h"

#include <stdio.h>
#include <string.h>

static const char *const who_may[] = {
    [WHO_ANYONE] = "anyone",
    [WHO_PERSON] = "a guest or account",
    [WHO_ACCOUNT] = "an account",
    [WHO_VIEWER] = "who may see the table",
    [WHO_SEATED] = "who sits at the table",
    [WHO_OWNER] = "who opened the table",
};

/* ---- TypeScript ---- */

static void print_type(const struct field *f)
{
    switch (f->type) {
    case FIELD_LINE:
    case FIELD_TEXT:
        printf("string");
        break;
    case FIELD_NUMBER:
        printf("number");
        break;
    case FIELD_FLAG:
        printf("boolean");
        break;
    case FIELD_CHOICE:
        for (const char *const *c = f->choices; *c; c++)
            printf("%s'%s'", c == f->choices ? "" : " | ", *c);
        break;
    case FIELD_LINES:
        printf("string[]");
        break;
    }
}

static void print_typescript(void)
{
    printf("/* Made by `terra protocol --typescript`; do not edit. */\n"
           "import type { Fault, Scene } from '../engine/types';\n"
           "import type { Account, ChatLine, Judged, Lobby, Me, Opened, "
           "PlayerView, "
           "TableView, Tried } from './views';\n\n"
           "export interface Commands {\n");
    for (const struct command *c = commands; c->name; c++) {
        printf("  /** %s (%s) */\n  %s: { ask: ", c->help, who_may[c->who],
               c->name);
        if (!c->fields->name)
            printf("Record<string, never>");
        else
            printf("{ ");
        for (const struct field *f = c->fields; f->name; f++) {
            printf("%s%s: ", f->name, f->optional ? "?" : "");
            print_type(f);
            printf(f[1].name ? "; " : " }");
        }
        printf("; reply: %s };\n", c->reply);
    }
    printf("}\n\nexport type Command = keyof Commands;\n");
}

/* ---- the page ---- */

static void print_limits(const struct field *f)
{
    switch (f->type) {
    case FIELD_LINE:
        printf("line of %ld to %ld bytes", f->low, f->high);
        break;
    case FIELD_TEXT:
        printf("text of %ld to %ld bytes", f->low, f->high);
        break;
    case FIELD_NUMBER:
        printf("number from %ld to %ld", f->low, f->high);
        break;
    case FIELD_FLAG:
        printf("true or false");
        break;
    case FIELD_CHOICE:
        for (const char *const *c = f->choices; *c; c++)
            printf("%s`%s`", c == f->choices ? "" : ", ", *c);
        break;
    case FIELD_LINES:
        printf("up to %ld lines", f->high);
        break;
    }
}

static const char page[] =
    "# The protocol\n"
    "\n"
    "Made by `terra protocol --markdown` from the table in "
    "`server/command.c`.\n"
    "\n"
    "A message is one JSON object of at most 128 KB, nested at most eight "
    "deep, in\n"
    "UTF-8, without repeated keys. Over the WebSocket (any path, same "
    "origin)\n"
    "`{\"do\": \"play\", \"id\": 7, ...}` is answered by `{\"id\": 7, \"ok\": "
    "...}` or\n"
    "`{\"id\": 7, \"error\": {\"name\": ..., \"phrase\": ...}}`; refusals of "
    "the "
    "rules also\n"
    "have `paragraph`, `line`, `column` and `subject`. Every command is also "
    "a\n"
    "`POST /api/NAME` with the same fields and answer. The session is a "
    "cookie; a\n"
    "socket keeps the session it was opened with, and is closed when that "
    "ends.\n"
    "\n"
    "Without being asked the server sends `{\"event\": \"table\", ...}` (what "
    "`watch`\n"
    "answers, with the steps since the last one from index `from` on),\n"
    "`{\"event\": \"chat\", ...}`, `{\"event\": \"turn\", \"table\", "
    "\"title\"}` when it is your turn\n"
    "at a table you do not watch, and `{\"event\": \"lobby\"}` when a list "
    "you asked for\n"
    "has changed. What is told has been stored.\n"
    "\n"
    "Errors: `message` (no message), `command`, `field`, `who` (not yours to "
    "do),\n"
    "`unknown`, `state`, `turn`, `stale` (watch again), `steps` (others may "
    "speak between\n"
    "them: play one at a time, as `try` lists them), `name`, `taken`, "
    "`password`,\n"
    "`flood`, `busy`, `restarting`, `store` (not stored, does not count), "
    "`broken`,\n"
    "and the names of the rules' faults.\n"
    "\n"
    "A `play` carries a `key` of your own: sent again with the same key it is "
    "the same\n"
    "play, so a client that got no answer repeats it. `watch` with `since` "
    "resumes\n"
    "after a break.\n"
    "\n"
    "Finished games are everybody's. `GET /match/ID.txt` is one of them as "
    "text,\n"
    "`scene` with a `count` any position of it; with hidden cards everything "
    "is told\n"
    "after the end. `GET /games/GAME.txt` is all finished rated games of a "
    "game, the\n"
    "oldest first, each behind a line `== ID TIME`; split there, each part is "
    "a record\n"
    "that `terra replay` reads. `analyse` lets a finished game be judged; "
    "until\n"
    "there are as many judgements as steps, ask again when `{\"event\":\n"
    "\"analysis\", \"table\", \"count\"}` comes to who watches it. A judgement "
    "has\n"
    "the `best` action, the `lead` over the mean of the rivals that the "
    "action\n"
    "played and the best one bring (`best_lead`), and the `points` expected, "
    "all\n"
    "in thousandths of a point. To plan a turn, open the `record` of a "
    "running match\n"
    "(of hidden cards it tells the seat's own view) in a match of your own "
    "and send\n"
    "what you find there with `play`.\n";

static void print_markdown(void)
{
    fputs(page, stdout);
    for (const struct command *c = commands; c->name; c++) {
        printf("\n## %s\n\n%c%s. For %s.\n", c->name,
               c->help[0] >= 'a' && c->help[0] <= 'z' ? c->help[0] - 32
                                                      : c->help[0],
               c->help + 1, who_may[c->who]);
        if (c->fields->name)
            printf("\n| field | | |\n|---|---|---|\n");
        for (const struct field *f = c->fields; f->name; f++) {
            printf("| `%s`%s | ", f->name, f->optional ? " (optional)" : "");
            print_limits(f);
            printf(" | %s |\n", f->help);
        }
    }
}

static const char usage[] =
    TR("usage: terra protocol --markdown | --typescript\n");

int protocol_main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "--markdown") == 0)
        print_markdown();
    else if (strcmp(what, "--typescript") == 0)
        print_typescript();
    else if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0)
        fputs(tr(usage), stdout);
    else {
        fprintf(stderr, tr("terra protocol: which form?\n%s"), tr(usage));
        return 2;
    }
    return 0;
}
