/* server/command.c: the table of commands.
 *
 * A new command is one line here; docs/protocol.md and the client's types are
 * made from this table, and the security test tries every line of it. */
#include "server/hub.h"

#define LINE(name, low, high, help)                                            \
    {                                                                          \
        name, FIELD_LINE, false, low, high, NULL, help                         \
    }
#define MAY_LINE(name, low, high, help)                                        \
    {                                                                          \
        name, FIELD_LINE, true, low, high, NULL, help                          \
    }
#define TEXT(name, low, high, help)                                            \
    {                                                                          \
        name, FIELD_TEXT, false, low, high, NULL, help                         \
    }
#define NUMBER(name, low, high, help)                                          \
    {                                                                          \
        name, FIELD_NUMBER, true, low, high, NULL, help                        \
    }
#define FLAG(name, help)                                                       \
    {                                                                          \
        name, FIELD_FLAG, true, 0, 0, NULL, help                               \
    }
#define CHOICE(name, choices, help)                                            \
    {                                                                          \
        name, FIELD_CHOICE, true, 0, 0, choices, help                          \
    }
#define LINES(name, most, help)                                                \
    {                                                                          \
        name, FIELD_LINES, true, 0, most, NULL, help                           \
    }
#define TABLE LINE("table", 1, 15, "the table's id")
#define END                                                                    \
    {                                                                          \
        NULL, FIELD_LINE, false, 0, 0, NULL, NULL                              \
    }
#define NAME                 LINE("name", 2, 60, "a player's name")
#define PASSWORD(name, help) LINE(name, 8, 200, help)
#define DEVICE                                                                 \
    MAY_LINE("device", 0, 60, "what to call this browser among your devices")

static const char *const paces[] = {"none", "move", "fischer",
                                    "game", "slow", NULL};
static const char *const timeouts[] = {"bot", "resign", NULL};
static const char *const filters[] = {"open", "mine", "running", "finished",
                                      NULL};

enum { LONG = 1000000000, MONTH = 31 * 24 * 3600 };

static const struct field none[] = {END};
static const struct field guesting[] = {NAME, DEVICE, END};
static const struct field credentials[] = {
    NAME, PASSWORD("password", "at least eight bytes"), DEVICE, END};
static const struct field signing_out[] = {
    MAY_LINE("device", 1, 20, "only there: the id of another device"), END};
static const struct field passwords[] = {
    PASSWORD("password", "the present one"), PASSWORD("fresh", "the new one"),
    END};
static const struct field recovery[] = {
    NAME, LINE("code", 4, 20, "one of the codes given at registration"),
    PASSWORD("password", "the new one"), END};
static const struct field leaving[] = {
    MAY_LINE("password", 0, 200, "needed unless you are a guest"), END};
static const struct field blocking[] = {
    NAME, FLAG("block", "false ends it; true unless given"), END};
static const struct field reporting[] = {
    NAME, TEXT("text", 1, 2000, "what happened"), END};
static const struct field setting[] = {
    TEXT("settings", 2, 4000, "a JSON object the client keeps here"), END};
static const struct field player[] = {
    NAME, MAY_LINE("game", 1, 20, "whose ratings the history tells"), END};
static const struct field lobby[] = {
    CHOICE("filter", filters, "which tables; open unless given"),
    MAY_LINE("game", 0, 20, "only this game"),
    NUMBER("page", 0, 10000, "from 0, fifty to a page"), END};
static const struct field creating[] = {
    TEXT("setup", 5, 100000,
         "as game/setup.h writes it, own boards and maps included; a seed is "
         "ignored"),
    MAY_LINE("title", 1, 80, "the table's name"),
    CHOICE("pace", paces, "the clock; none unless given"),
    NUMBER("base", 0, MONTH, "seconds: of a move, or of the whole game"),
    NUMBER("more", 0, 86400, "seconds gained by each turn (fischer)"),
    CHOICE("timeout", timeouts, "what happens when time is up"),
    FLAG("hidden", "not listed: by invitation only"),
    FLAG("rated", "counts for ratings"),
    LINES("bots", 5, "levels of bots that take seats"),
    END};
static const struct field table_only[] = {TABLE, END};
static const struct field invited[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    END};
static const struct field bot[] = {
    TABLE, LINE("level", 1, 15, "the bot's level"), END};
static const struct field watching[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    NUMBER("since", -1, LONG, "the last sequence number you know"),
    NUMBER("viewer", -2, 5, "whose view that was"), END};
static const struct field playing[] = {
    TABLE, LINE("line", 1, 2000, "actions in notation, as typed"),
    LINE("key", 1, 36, "new for every play; the same when you send it again"),
    NUMBER("seq", 0, LONG, "the sequence number you saw"), END};
static const struct field trying[] = {
    TABLE, LINE("line", 0, 2000, "actions in notation, as typed"), END};
static const struct field explaining[] = {
    TABLE, LINE("line", 0, 2000, "actions played before"),
    LINES("texts", 64, "actions to explain"), END};
static const struct field looking[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    NUMBER("count", 0, LONG, "after so many steps"), END};
static const struct field recording[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    MAY_LINE("format", 1, 20, "a format of the game"),
    NUMBER("count", 0, LONG, "only so many steps"), END};
static const struct field standing[] = {
    TABLE, LINE("rule", 1, 15, "one of the game's, told by watch"), END};
static const struct field answering[] = {
    TABLE, FLAG("yes", "agree; no unless given"), END};
static const struct field chatting[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    LINE("text", 1, 500, "what you say"), END};
static const struct field noting[] = {
    TABLE, MAY_LINE("invite", 1, 60, "from the link, if the table is hidden"),
    TEXT("text", 0, 20000, "replaces the note"), END};
static const struct field nexting[] = {
    MAY_LINE("from", 0, 15, "the table you come from"), END};

static const char me[] = "Me", nothing[] = "Record<string, never>",
                  with_codes[] = "Me & { codes: string[] }",
                  seq[] = "{ seq: number }", opened[] = "Opened",
                  table[] = "TableView", position[] = "Tried";

#define LOADED COMMAND_LOADED
#define SLOW   COMMAND_SLOW

const struct command commands[] = {
    {"hello", on_hello, WHO_ANYONE, 0, none, me, "who am I here"},
    {"guest", on_guest, WHO_ANYONE, COMMAND_FRESH, guesting, me,
     "play at once under a free name"},
    {"register", on_register, WHO_ANYONE, SLOW, credentials, with_codes,
     "make an account; a guest keeps games and seats"},
    {"login", on_login, WHO_ANYONE, SLOW, credentials, me, "sign in"},
    {"logout", on_logout, WHO_ANYONE, 0, none, nothing, "end this session"},
    {"account", on_account, WHO_PERSON, 0, none, "Account",
     "where you are signed in, and whom you have blocked"},
    {"signout", on_signout, WHO_PERSON, 0, signing_out, nothing,
     "end your sessions on other devices"},
    {"password", on_password, WHO_ACCOUNT, SLOW, passwords, nothing,
     "change the password; other devices are signed out"},
    {"recover", on_recover, WHO_ANYONE, SLOW, recovery, nothing,
     "set a new password with a recovery code, which is then used up"},
    {"delete", on_delete, WHO_PERSON, SLOW, leaving, nothing,
     "delete the account and its notes; a bot takes its seats, finished games "
     "stay without the name"},
    {"export", on_export, WHO_PERSON, 0, none,
     "{ user: unknown; ratings: PlayerView['ratings']; tables: string[]; "
     "notes: { table: string; text: string }[]; "
     "said: { table: string; at: number; text: string }[] }",
     "account, ratings, tables, notes and what you said"},
    {"block", on_block, WHO_PERSON, COMMAND_NAMES, blocking, nothing,
     "neither play nor hear a player"},
    {"report", on_report, WHO_PERSON, COMMAND_NAMES, reporting, nothing,
     "tell the operator about a player"},
    {"settings", on_settings, WHO_PERSON, 0, setting, nothing,
     "keep the client's settings"},
    {"feed", on_feed, WHO_PERSON, 0, none, "{ path: string }",
     "a new secret address of an Atom feed of your turns"},
    {"player", on_player, WHO_ANYONE, COMMAND_NAMES, player, "PlayerView",
     "a player's ratings, their history and results"},
    {"lobby", on_lobby, WHO_ANYONE, 0, lobby, "Lobby",
     "list tables, and hear of changes"},
    {"next", on_next, WHO_PERSON, 0, nexting, "{ table: string | null }",
     "another table where it is your turn"},
    {"create", on_create, WHO_PERSON, 0, creating, opened, "open a table"},
    {"join", on_join, WHO_PERSON, LOADED, invited, opened,
     "take a free seat; the match begins when none is left"},
    {"bot", on_bot, WHO_OWNER, LOADED, bot, opened,
     "give a free seat to a bot"},
    {"leave", on_leave, WHO_SEATED, LOADED | COMMAND_BRIEF, table_only, nothing,
     "give up the seat; in a match a bot takes it and counts for nobody"},
    {"watch", on_watch, WHO_VIEWER, LOADED, watching, table,
     "see a table, and hear of changes"},
    {"unwatch", on_unwatch, WHO_ANYONE, 0, none, nothing,
     "hear no more of table and lobby"},
    {"play", on_play, WHO_SEATED, LOADED, playing, seq,
     "play actions; answered when they are stored"},
    {"try", on_try, WHO_SEATED, LOADED, trying, position,
     "see what actions would do; nothing is kept"},
    {"explain", on_explain, WHO_SEATED, LOADED, explaining,
     "{ faults: (Fault | null)[] }", "why actions would be refused"},
    {"scene", on_scene, WHO_VIEWER, LOADED, looking, "{ scene: Scene }",
     "an earlier position"},
    {"record", on_record, WHO_VIEWER, LOADED, recording, "{ text: string }",
     "the match as text, as far as you may know it"},
    {"analyse", on_analyse, WHO_PERSON, LOADED, invited,
     "{ steps: number; judged: Judged[] }",
     "what the strongest bot thinks of each step of a finished game, as far as "
     "it has got"},
    {"standing", on_standing, WHO_SEATED, LOADED, standing, opened,
     "let the server answer by a rule of the game, also while you are away"},
    {"takeback", on_takeback, WHO_SEATED, LOADED | COMMAND_BRIEF, table_only,
     nothing, "ask the others to let you take back your last play"},
    {"answer", on_answer, WHO_SEATED, LOADED | COMMAND_BRIEF, answering,
     nothing, "agree to a take-back or refuse it"},
    {"resign", on_resign, WHO_SEATED, LOADED, table_only, seq,
     "give up; with three or more the others play on"},
    {"rematch", on_rematch, WHO_SEATED, LOADED, table_only, opened,
     "once more; the first opens the table, the others join it"},
    {"chat", on_chat, WHO_PERSON, 0, chatting, nothing,
     "talk to the players, or as a spectator to spectators"},
    {"chats", on_chats, WHO_VIEWER, 0, invited, "{ lines: ChatLine[] }",
     "what was said"},
    {"note", on_note, WHO_PERSON, 0, noting, nothing,
     "keep a private note on a table"},
    {"notes", on_notes, WHO_PERSON, 0, invited, "{ text: string }",
     "your note on a table"},
    {NULL, NULL, WHO_ANYONE, 0, NULL, NULL, NULL},
};
