/* web/wasm/exports.h: rules, match and hints for a caller without C structs.
 *
 * The browser's worker calls these through WebAssembly; the test that compares
 * both worlds calls them natively.  Matches are known by small handles.  Text
 * goes in through terra_input() and comes out at terra_output(), ended by NUL;
 * every function that says "writes" returns the length of its output.
 * Functions that can refuse return 0 and write the fault as JSON:
 * {"name","phrase","paragraph","line","column","subject"}. */
#ifndef WEB_WASM_EXPORTS_H
#define WEB_WASM_EXPORTS_H

#include <stddef.h>

/* Room for `size` bytes and a NUL; valid until the next call. */
char *terra_input(size_t size);
const char *terra_output(void);

/* Writes the list of games with their options, formats and endings. */
int terra_games(void);

/* A match from a setup as game/setup.h writes it; the input. */
int terra_open(void);
/* A match from a file of `length` bytes in any format of any game.  `game` and
 * `format` are names inside the input behind the text, or "" for any. */
int terra_read(size_t length);
void terra_close(int handle);

/* Writes a scene after `at` steps (-1: the present). */
int terra_scene(int handle, int at, int viewer);

/* Likewise a picture, as an SVG file; nothing if the game draws none. */
int terra_picture(int handle, int at, int viewer);
/* Writes an array of effects, one per legal action of `seat` in that order. */
int terra_effects(int handle, int at, int seat, int viewer);
/* Writes steps from index `from` on: seat, kind, text, effect, turn over. */
int terra_log(int handle, int from, int viewer);
/* Writes {"count","total","fence","seat","must","may","over","hash"}. */
int terra_status(int handle);
/* Writes setup text, notes' values, records, positions, remarks. */
int terra_setup(int handle);
int terra_note(int handle);
int terra_write(int handle, int format, int count, int viewer);
int terra_remarks(int handle);
/* Writes points expected per seat in thousandths, or null. */
int terra_estimate(int handle, int at);
/* Writes [{"text","milli"}] for the best `most` actions, or null. */
int terra_rank(int handle, int at, int seat, int most);
/* Writes [{"name","help"}], the bots from weak to strong. */
int terra_bots(void);
/* Begins a search for `seat` after `at` steps by the bot named in the input.
 * Returns a number for the other calls, 0 if that cannot be. */
int terra_search_open(int handle, int at, int seat, unsigned salt);
/* At most `nodes` more; 0 when no more are wanted. */
int terra_search_run(int number, int nodes);
/* Writes {"best","nodes","top":[{"text","value","visits"}],"values"}: leads
 * and expected final points in thousandths. */
int terra_search_result(int number, int most);
void terra_search_close(int number);
/* Writes {"seat","text"}: what the first of those seats, bots all, does out of
 * turn; seat -1 and no text if all of them wait. */
int terra_aside(int handle, unsigned bots);
/* Writes the hash after `at` steps as 16 digits. */
int terra_hash(int handle, int at);

/* Plays a typed line, the input; or only says what it would be refused for. */
int terra_type(int handle, int seat);
int terra_try(int handle, int seat);
/* A deterministic choice among the legal actions: its text. */
int terra_random(int handle, int seat, unsigned salt);
int terra_undo(int handle, int force);
int terra_redo(int handle);
void terra_stop(int handle, int reason, int seat);
/* Input: key, NUL, value; an empty value removes the line. */
int terra_set_note(int handle);

#endif
