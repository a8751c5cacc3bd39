/* cli/cli.h: what the commands of `terra` share.
 *
 * Every command is one file with one function cmd_NAME(), listed in main.c.
 * None of them knows a game: what they say about one comes from its table. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "game/match.h"

#include <libintl.h>
#include <stdio.h>

/* getopt.h, which argp.h includes, has a `struct option` of its own. */
#define option getopt_option
#include <argp.h>
#undef option

/* Exit statuses, so that scripts can tell what went wrong. */
enum {
    STATUS_OK,
    STATUS_CONTENT, /* a file, position or action is faulty */
    STATUS_USAGE    /* the command line is, or a file cannot be opened */
};

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help; /* one line */
};

int cmd_games(int argc, char **argv);
int cmd_play(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_draw(int argc, char **argv);
int cmd_perft(int argc, char **argv);
int cmd_legal(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_arena(int argc, char **argv);
int cmd_analyse(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_engine(int argc, char **argv);
int cmd_selfplay(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_puzzles(int argc, char **argv);
int serve_main(int argc, char **argv); /* in server/, where it is built */
int admin_main(int argc, char **argv);
int worker_main(int argc, char **argv);
int protocol_main(int argc, char **argv);

/* ---- speak.c: the reader's language ---- */

/* tr("...") is said in the reader's language; TR("...") marks a text that is
 * handed to tr() later.  What say(), die() and table_refuse() get needs
 * neither.  tools/catalogues looks that po/ has them all. */
#define tr(text) gettext(text)
#define TR(text) text
/* Looks what language is spoken; to be called first. */
void speak_begin(void);
/* The columns a text takes on a screen, and the width that makes printf() fill
 * so many columns with it: printf() counts bytes. */
int columns_of(const char *text);
int padded(const char *text, int columns);
/* One column of a table, right-aligned unless its width is negative. */
struct column {
    const char *title; /* marked by TR() */
    int width;
};
/* Writes the headings; a longer word in another language makes its column
 * wider.  `width` gets what each has become. */
void put_headings(const struct column *list, int count, int *width);
/* A fault's phrase in the words of the browser's messages. */
const char *speak_phrase(const struct fault_text *entry);
/* As fault_write(), with the phrase in the words of the browser's messages. */
void speak_fault(const struct game *game, const struct fault *f, char *to,
                 size_t cap);

/* ---- say.c: messages ---- */

/* One line "terra: ..." on stderr, whatever the arguments contain. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, then the end of the program. */
_Noreturn void die(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "terra: FILE:LINE:COLUMN: code: reason"; `where` is the file or another
 * name of the input, NULL for none.  Returns the status that fits the code. */
int say_fault(const struct game *game, const char *where,
              const struct fault *f);
/* May colours be written there?  A terminal, and NO_COLOR is not set. */
bool colour_on(FILE *to);

/* ---- file.c: memory and files ---- */

/* A text that grows as its writer asks for. */
struct buffer {
    char *to; /* owned */
    size_t cap;
};

/* while (buffer_short(&b, write(..., b.to, b.cap))) ;  runs a writer again
 * until its text fits. */
bool buffer_short(struct buffer *b, int needed);
void buffer_release(struct buffer *b);
void *need(void *memory); /* or the end of the program */

/* Reads a whole file ("-": standard input; the folder of a map), ends it with
 * NUL.  NULL after a message if it cannot be read. */
char *file_read(const char *name, size_t *length);
/* Writes all or nothing: a new file takes the place of the old one.  NULL or
 * "-" is standard output. */
bool file_write(const char *name, const char *text, size_t length);

/* ---- args.c: the options every command takes ---- */

enum { REQUEST_ITEMS = 64 };

/* What was asked for on the command line, not yet looked at: the game may
 * become known only later. */
struct request {
    const char *seats, *board, *map, *seed;
    const char *position, *at, *seat, *out; /* where a command has them */
    const char *option[REQUEST_ITEMS], *given[REQUEST_ITEMS];
    bool given_file[REQUEST_ITEMS];
    int options, givens;
};

/* Children of each command's argp: the options of the table, with a struct
 * request as input, and --help for commands that sit at none. */
extern const struct argp_child request_children[], help_children[];
/* The help filter of each command: what stands before and behind the options,
 * in the reader's language; argp itself translates the options, but looks only
 * for the whole of a doc. */
char *help_words(int key, const char *text, void *input);
/* A doc of these two, to be found by that filter. */
#define HELP(before, behind) before "\v" behind
/* Options that several commands have, in their own words: --position, --at,
 * --seat and --output. */
enum { KEY_POSITION = 0x200, KEY_AT = 'n', KEY_SEAT = 'S', KEY_OUTPUT = 'o' };
/* To be called by each command's parser at ARGP_KEY_INIT; `name` is how the
 * command is called, `r` the input of request_children or NULL. */
error_t request_begin(struct argp_state *state, const char *name,
                      struct request *r);
/* Takes one of those options, for the end of a command's parser. */
error_t request_take(struct request *r, int key, const char *text);
/* Reads a command line; false after a message if it is refused. */
bool command_line(const struct argp *argp, unsigned flags, int argc,
                  char **argv, void *input);

/* Ends the program after a message if there is one already, or no such game
 * or number. */
void need_one(const char *what, const char *text, const char **to);
const struct game *need_game(const char *name);
int need_number(const char *what, const char *text, int low, int high);

/* ---- request.c: what was asked for ---- */

/* The setup that was asked for.  `given` keeps the text that setup->given
 * points to.  Ends the program after a message if it is not possible. */
void request_setup(const struct request *r, const struct game *game,
                   struct setup *setup, struct buffer *given);
/* A match with that setup, begun from the position asked for if there is
 * one. */
struct match *request_match(const struct request *r, const struct game *game);
/* The same for looking at: a finished position will do, too, and so will any
 * file format of a position.  `state` gets a copy that the caller owns. */
struct match *request_state(const struct request *r, const struct game *game,
                            struct state **state);

/* ---- load.c: files of any game ---- */

struct load {
    struct match *match;
    const struct record_format *format;
    int status; /* when match is NULL; the message has been given */
};

/* Recognises a file by its content, replays and checks it.  `all`: goes on
 * after a difference and remarks every one. */
struct load load_file(const char *name, const struct request *r, bool all);
/* Prints what the reader remarked, each line behind the file's name. */
void load_remarks(const char *name, const char *remarks);

/* ---- players.c: who sits at the table ---- */

struct search_bot; /* search/search.h */

struct player {
    const char *name;
    const char *help;
    /* Chooses an action of `seat` from what it may know; NULL: a person. */
    action (*choose)(const struct player *self, const struct game *game,
                     const struct world *w, const struct state *view, int seat,
                     struct rng *rng);
    const struct search_bot *bot;
};

/* A person, then all bots; NULL behind the last. */
const struct player *player_at(int index);
const struct player *player_find(const char *name, size_t length);
/* "human, random, ...", for messages. */
const char *player_names(void);
/* The first of those seats, bots all, that acts out of turn, and how; else
 * SEAT_NONE. */
int speak_up(const struct match *m, unsigned bots, action *a);

/* ---- common to several commands ---- */

/* The state `at` steps into a match; the caller owns it. */
struct state *state_at(const struct match *m, int at);
/* "113-72, alone": the points so far and why it ended, if it did. */
void write_result(const struct match *m, char *to, size_t cap);
/* `state` as `viewer` may know it; owned by the caller. */
struct state *view_of(const struct match *m, const struct state *state,
                      int viewer);
/* All actions of all seats to act, or of `seat` if it is not SEAT_NONE; in
 * alphabetical order of their notation.  Returns how many; each string and
 * the list belong to the caller. */
int legal_texts(const struct match *m, const struct state *s, int seat,
                char ***out);

#endif
