/* server/hub.h: everything the loop's thread owns, for this folder only.
 *
 * People, tables and connections live in one hub.  It knows no socket: the
 * transport hands it messages and carries its answers away, so that tests can
 * stand in for the network and the clock.
 *
 * Nothing is told to anybody before the store has it. */
#ifndef SERVER_HUB_H
#define SERVER_HUB_H

#include "game/match.h"
#include "server/jobs.h"
#include "server/dict.h"
#include "server/message.h"
#include "server/out.h"
#include "store/store.h"

enum {
    ID_BYTES = 16,
    NAME_BYTES = 72,
    TOKEN_BYTES = 40,
    KEY_BYTES = 40,
    DEVICE_BYTES = 64,
    GAMES_MAX = 8,
    WATCHED_MAX = 4
};

struct hub;
struct table;

/* ---- people ---- */

struct rating {
    double mu, sigma;
    int games;
    int64_t version; /* of its record */
};

struct user {
    char id[ID_BYTES], name[NAME_BYTES], key[NAME_BYTES]; /* key: folded name */
    char *password;   /* owned: hashed; NULL: a guest */
    json_t *recovery; /* owned: hashes of codes not yet used; NULL: none */
    json_t *blocked;  /* owned: ids; NULL: none */
    json_t *settings; /* owned: what the client keeps here; NULL: nothing */
    char feed[64];    /* hash of the token, "" if none */
    struct rating *rating; /* owned: by game; NULL: the first one of each */
    bool banned, gone;
    int64_t created, version;
    int online;   /* sockets */
    int held;     /* by answers that are still to come: see people_rest() */
    int64_t seen; /* when it was last read */
    bool needed;
};

struct session {
    char hash[64];
    char device[DEVICE_BYTES]; /* as it called itself; may be "" */
    struct user *user;         /* borrowed */
    int64_t created;
};

/* ---- connections ---- */

/* One WebSocket, or one HTTP request on its way. */
struct link {
    struct link *next, *previous;
    uint64_t number;  /* never used again */
    char key[24];     /* the number as text */
    void *connection; /* the transport's */
    bool socket;
    char address[64];
    struct user *user;   /* borrowed; NULL: nobody yet */
    char session[64];    /* hash of its token, "" if none */
    struct table *table; /* borrowed: what it watches */
    struct link *table_next, *table_previous;
    int64_t told; /* sequence number of the last update */
    int viewer;
    bool behind; /* a spectator who waits for the next update */
    bool lobby;
    double tokens; /* of the bucket that limits its messages */
    int64_t tokens_at;
    int refused;
    int deferred;            /* messages of it that wait for a table */
    int fetching;            /* what its messages wait for: see share.c */
    bool caught_up;          /* for its present message: see outrun() */
    int again;               /* messages in a row that lost a race */
    char looked[NAME_BYTES]; /* what was looked for in the store last */
    /* The answer to an HTTP request. */
    int status;
    char cookie[160];
};

struct transport {
    void (*send)(struct link *link, const char *text, size_t length);
    void (*close)(struct link *link);
    size_t (*waiting)(const struct link *link); /* bytes not yet taken */
};

/* ---- tables ---- */

enum table_status { TABLE_OPEN, TABLE_RUNNING, TABLE_OVER };
enum pace_kind { PACE_NONE, PACE_MOVE, PACE_FISCHER, PACE_GAME, PACE_SLOW };

struct pace {
    enum pace_kind kind;
    int64_t base_ms, more_ms;
    bool bot; /* time-out: a bot takes over; otherwise it is a resignation */
};

struct seat {
    struct user *user; /* borrowed; NULL: a bot or free */
    char bot[16];      /* level, "" if a person or free */
    bool gone;         /* the one who began here left: counts for nobody */
    char rule[16];     /* a standing rule of the game, "" if none; secret */
};

/* A clock per seat: several can run at once. */
struct clock {
    int64_t left_ms[GAME_SEATS];
    int64_t since[GAME_SEATS]; /* when it was asked; 0: not asked */
};

struct mark {  /* of each line of the log */
    int count; /* steps of the match after it */
    int8_t seat;
    bool play;
    char key[KEY_BYTES];
};

struct takeback {
    int seat;  /* who asked; SEAT_NONE: nobody */
    int count; /* steps that would be left */
    unsigned agreed;
};

/* An action a bot has chosen for a line of that number; at 0 there is none. */
struct held {
    int64_t at, seq;
    int seat;
    action action;
};

struct table {
    char id[ID_BYTES], invite[TOKEN_BYTES];
    const struct game *game;
    char *title, *setup;  /* owned; the setup has its seed */
    char owner[ID_BYTES]; /* a user's */
    char next[ID_BYTES];  /* the rematch, "" if none */
    struct table *before; /* whose rematch this is; until it is stored */
    enum table_status status;
    int seats;
    struct seat *seat; /* owned: as many */
    struct pace pace;
    bool hidden; /* not listed: by invitation only */
    bool rated;
    int64_t created, started, finished, version;
    int64_t stored; /* lines of its log, as the record knows it */
    struct result result;
    unsigned asked;   /* seats that must act, as the record knows it */
    unsigned told;    /* seats whose players know that they are asked */
    int64_t deadline; /* the first clock to run out; 0: none */

    /* Only while loaded. */
    struct match *match; /* owned; NULL: open, or not loaded */
    struct mark *marks;  /* owned: [0] is before the first line */
    int64_t seq, marks_cap;
    struct clock clock;
    struct takeback takeback;
    bool loading, busy;
    bool resume;   /* running when the server began: clocks go on anew */
    bool broken;   /* its log does not replay; `why` in the server's log */
    int64_t shown; /* version that was told to who watches */
    bool unsure;   /* the store failed: to be read again */
    bool outdated; /* another process changed it meanwhile */
    bool missing;  /* somebody at it is not known here yet */
    int64_t clock_until, clock_asked; /* the claim on its expiry: clock.c */
    int64_t bot_until;                /* the claim on its bot: bots.c */
    bool freed;                       /* that claim, by this process */
    int64_t thinking;                 /* seq a bot thinks about, or -1 */
    struct held held;                 /* what it has chosen: bots.c */
    struct deferred *first, **last;
    struct link *watchers;
    bool behind; /* spectators wait for an update */
};

/* ---- requests ---- */

enum who {
    WHO_ANYONE,
    WHO_PERSON,  /* a guest or an account */
    WHO_ACCOUNT, /* with a password */
    WHO_VIEWER,  /* may see the table */
    WHO_SEATED,  /* has a seat at it */
    WHO_OWNER    /* opened it */
};

struct command;

struct request {
    const struct command *command;
    json_t *body; /* borrowed */
    struct link *link;
    struct user *user;   /* of the link; may be NULL */
    struct table *table; /* of the field "table", if the command has one */
    int seat;            /* the user's at that table */
};

struct command {
    const char *name;
    void (*run)(struct hub *h, struct request *r);
    enum who who;
    unsigned flags;
    const struct field *fields;
    const char *reply; /* TypeScript of the answer */
    const char *help;
};

enum {
    COMMAND_LOADED = 1, /* needs the match in memory and nothing on the way */
    COMMAND_SLOW = 2,   /* costs a password hash: limited by address */
    COMMAND_BRIEF = 4,  /* is answered with nothing when it is stored */
    COMMAND_NAMES = 8,  /* its name is somebody's who may be in the store */
    COMMAND_FRESH = 16  /* makes somebody: limited by address */
};

/* Ended by one without a name. */
extern const struct command commands[];

/* An answer that comes later: the connection may be gone by then. */
struct later {
    struct hub *hub;
    uint64_t link;
    struct user *user; /* held; may be NULL */
    json_t *id;        /* owned; may be NULL */
    const struct command *command;
    json_t *body; /* owned: the request, should it lose a race */
};

/* ---- the hub ---- */

struct hub_settings {
    const struct transport *transport;
    struct store *store;  /* borrowed */
    struct jobs *jobs;    /* borrowed */
    int64_t (*now)(void); /* milliseconds since 1970 */
    bool secure;          /* cookies for https only */
    int rate;             /* messages per second of one link; 0: any */
    bool log;
    bool thoughtless; /* other processes think for the bots */
};

struct hub {
    struct hub_settings set;
    struct dict users, names, sessions, tables, links, limits;
    struct link *all;
    uint64_t last_link;
    struct deferred *redo, **redo_last; /* ready to be run again */
    struct deferred *held, **held_last; /* wait for a record: share.c */
    struct fetching *missed;            /* records to be asked for again */
    char me[ID_BYTES];                  /* this process, for claims */
    bool shared;                        /* there may be other processes */
    bool lost;                          /* changes were missed: restart */
    bool thinking;                      /* a bot's job was claimed */
    struct judging *judging;            /* owned: analysis.c */
    int unsure;                         /* tables to be read again */
    int64_t pulse_at, pulsed;           /* see share_pulse() */
    int64_t claim_at;                   /* when to ask for a bot's job again */
    int64_t flush_at, lobby_at, orders_at, tidy_at;
    int64_t held_at; /* the first action of a bot that waits; 0: none */
    int loaded;      /* matches in memory */
    int downloads;
    bool stopping, lobby_changed;
    struct figures {
        int64_t messages, refused, played, opened, slow, floods;
        int64_t links, sockets;
    } figures;
};

/* ---- hub.c: opening, connections, the clock ---- */

struct hub *hub_open(const struct hub_settings *settings, char *why,
                     size_t cap);
void hub_close(struct hub *h);
/* `token` is the session's, or NULL. */
struct link *hub_connect(struct hub *h, void *connection, bool socket,
                         const char *address, const char *token);
void hub_disconnect(struct hub *h, struct link *link);
/* A message; `name` is the command of an HTTP request, otherwise NULL. */
void hub_message(struct hub *h, struct link *link, const char *name,
                 const char *text, size_t length);
/* Answers of store and jobs. */
void hub_collect(struct hub *h);
/* Does what is due; returns in how many milliseconds to come again. */
int64_t hub_tick(struct hub *h);
/* No new work; what was begun is finished before it returns. */
void hub_stop(struct hub *h);
void hub_metrics(struct hub *h, struct out *o);

int64_t hub_now(const struct hub *h);
void hub_log(const struct hub *h, const char *event, const char *subject,
             const char *more);

/* ---- request.c: dispatch and answers ---- */

void request_run(struct hub *h, struct link *link, const struct command *c,
                 json_t *body);
const struct command *command_find(const char *name);
struct later *later_of(struct hub *h, const struct request *r);
struct link *later_link(const struct later *l);   /* NULL: gone */
void later_ok(struct later *l, const char *json); /* and releases it */
void later_error(struct later *l, const char *name, const char *phrase);
void later_release(struct later *l);
void reply_ok(struct hub *h, const struct request *r, const char *json);
void reply_error(struct hub *h, const struct request *r, const char *name,
                 const char *phrase);
void reply_fault(struct hub *h, const struct request *r,
                 const struct game *game, const struct fault *f);
void link_send(struct hub *h, struct link *link, const char *text,
               size_t length);
/* Once more, when the table can be used again: it lost a race. */
void later_again(struct later *l, struct table *t);
/* Waits until share.c has what it asks the store for. */
void request_hold(struct hub *h, const struct request *r);
void held_release(struct hub *h);
/* The table changed: what waited for it goes on. */
void table_ready(struct hub *h, struct table *t);
void deferred_run(struct hub *h);
void deferred_clear(struct hub *h);

/* ---- limit.c: who asks too often ---- */

enum { LIMIT_BYTES = 64, LIMIT_WANTS = 2, LIMIT_SECONDS = 6 };

struct limit_want {
    char who[LIMIT_BYTES];
    int most; /* at once; then one in LIMIT_SECONDS */
};

/* `wrong` is the name of an error, or NULL: it is allowed. */
typedef void limit_done(void *context, const char *wrong);

/* One of each, of all processes together; may be answered at once. */
void limits_spend(struct hub *h, const struct limit_want *wants, int count,
                  limit_done *done, void *context);
/* `what` it is that an address wants. */
struct limit_want limit_of_address(const char *what, const char *address,
                                   int most);
/* Is it one of this machine's own? */
bool address_local(const char *address);
/* Another message from that address; in this process. */
bool limit_message(struct hub *h, const char *address, int per_second);
/* One out of a bucket that fills again; false if there is none. */
bool limit_spend(double *left, int64_t *at, int64_t now, double most,
                 double per_second);
bool limits_load(struct hub *h);
/* Buckets that are full again go. */
void limits_rest(struct hub *h);
void limits_release(struct hub *h);

/* ---- people.c ---- */

/* Hands every stored record of a kind to `row`, but those that have the words
 * `without` in their text. */
bool hub_load(struct hub *h, const char *kind, const char *without,
              void (*row)(struct hub *h, const struct store_row *row));
bool people_load(struct hub *h);
void people_release(struct hub *h);
struct user *user_named(const struct hub *h, const char *name);
/* The name as its record is called: two that look alike are one. */
void name_fold(const char *name, char to[NAME_BYTES]);
/* It stays in memory until it is let go; NULL: nobody. */
struct user *user_hold(struct user *u);
void user_let(struct user *u);
/* Guests who are nowhere leave the memory; whoever wants to know of them finds
 * them in the store. */
void people_rest(struct hub *h);
bool user_blocks(const struct user *u, const struct user *other);
void user_write(struct out *o, const char *key, const struct user *u);
void orders_run(struct hub *h);
int game_index(const struct game *game);
struct rating rating_of(const struct user *u, int game);
void rating_set(struct user *u, int game, struct rating r);
char *user_export(const struct user *u);
/* Records as another process has written them. */
void user_take(struct hub *h, const struct store_row *row);
/* There is no such record: somebody who is gone. */
void user_lost(struct hub *h, const char *id);
void rating_take(struct hub *h, const struct store_row *row);

/* ---- export.c ---- */

/* Deletes somebody's notes. */
void notes_forget(struct hub *h, struct user *u);

/* ---- share.c: several processes with one store ---- */

/* Hears of the others from now on. */
bool share_begin(struct hub *h);
void share_release(struct hub *h);
/* Reads a record again. */
void share_fetch(struct hub *h, const char *kind, const char *key);
/* Looks for a session or table this process does not know yet; messages of the
 * connection wait for it. */
void share_look(struct hub *h, struct link *link, const char *kind,
                const char *key);
/* What is due: lost questions, and the sign of life. */
void share_tick(struct hub *h);

/* ---- past.c: tables that are over ---- */

enum { PAST_LISTS = 3 + GAME_SEATS, PAST_BYTES = 64 };

/* The keys under which a table that has just ended is listed; how many. */
int past_keys(const struct table *t, char keys[PAST_LISTS][PAST_BYTES]);
/* What stands behind "LIST:", or NULL if the key is of another list. */
const char *past_in(const char *list, const char *key);
/* The table of a key. */
const char *past_table(const char *key);
/* The tables of a list, the newest first: of the first `limit` those behind the
 * first `skip`, which are only counted. */
struct past {
    struct table **tables; /* heads only */
    int count, skipped;
};
void past_list(struct hub *h, const char *list, int skip, int limit,
               void (*done)(void *context, const struct past *p),
               void *context);

/* ---- lobby.c ---- */

void ratings_write(const struct user *u, struct out *o);

/* ---- seats.c ---- */

/* Somebody is gone or banned: seats become free, or a bot's. */
void seats_forsake(struct hub *h, const struct user *u);
/* Settles one such seat of a table; false if there is none. */
bool seats_settle(struct hub *h, struct table *t);
bool seats_forsaken(const struct table *t);

/* ---- session.c ---- */

/* Random, in characters that need no quoting anywhere. */
void token_new(char to[TOKEN_BYTES]);
void token_hash(const char *token, char to[64]);
void id_new(char to[ID_BYTES]);
struct session *session_find(const struct hub *h, const char *token);
/* Stores a new session of `u` on a device of that name; then the connection is
 * the user's and gets `json`.  `fresh`, unless NULL, is the user's own record,
 * stored with it: the user goes again if that fails. */
void session_begin(struct hub *h, struct later *l, struct user *u,
                   const char *device, const struct store_change *fresh,
                   const char *json);
void session_keep(struct hub *h, const char *hash, struct user *u,
                  int64_t created, const char *device);
/* Ends all sessions of a user, or all but one, and closes their connections;
 * `asker`, which may be NULL, is to be answered first. */
void sessions_end(struct hub *h, const struct user *u, const char *except,
                  const struct link *asker);
void sessions_release(struct hub *h);
/* The record is gone. */
void session_drop(struct hub *h, const char *hash);
/* The connection is the session's user's from now on. */
void session_attach(struct link *link, const struct session *s);
void user_forget(struct hub *h, struct user *u);

/* ---- table.c: loading, applying, committing ---- */

bool tables_load(struct hub *h);
void tables_release(struct hub *h);
void table_load(struct hub *h, struct table *t);
void table_unload(struct hub *h, struct table *t);
/* Unloads it if it is not needed and memory is. */
void table_rest(struct hub *h, struct table *t);
/* The same for all of them; those that are over go altogether. */
void tables_rest(struct hub *h);
/* Takes the stored record again after a failure. */
void table_reread(struct hub *h, struct table *t);
/* Reads what another process has added. */
void table_catch_up(struct hub *h, struct table *t);
/* A table this process did not know and somebody asks for. */
void table_take(struct hub *h, const struct store_row *row);
/* The same if it is not over: nobody asks. */
void table_heard(struct hub *h, const struct store_row *row);
/* A head as it is stored, no part of the hub; NULL: of an unknown game.  If
 * somebody is missing who sat there: the same question again finds them. */
struct table *table_stored(struct hub *h, const char *id,
                           const struct store_row *row);
/* After an absence of all servers: the clocks of live games go on anew. */
void tables_resume(struct hub *h);
/* Reads again what the store could not tell. */
void tables_retry(struct hub *h);
struct table *table_new(struct hub *h, const char *id);
/* Sets their number, and makes room for it. */
void table_seats(struct table *t, int count);
char *table_record(const struct table *t); /* to be freed */
struct match *table_open(const struct table *t, struct fault *f);
void table_release(struct table *t);
/* Who sits at a table that is no part of the hub: as user_hold(). */
void table_hold(struct table *t);
void table_let(struct table *t);
int table_seat(const struct table *t, const struct user *u);
bool table_seen_by(const struct table *t, const struct user *u,
                   const char *invite);
/* Applies a line to the match and its clocks; false and a fault if it does
 * not fit. */
bool table_apply(struct table *t, int64_t at, const char *line,
                 struct fault *f);
/* The match from its lines; false, a fault and the line if one is refused. */
bool table_replay(struct table *t, const struct store_row *rows, int count,
                  struct fault *f, const char **line);
/* Stores lines that have been applied, then tells everybody; `later` may be
 * NULL. */
void table_commit(struct hub *h, struct table *t, const char *const *lines,
                  int count, int64_t at, struct later *later);
/* Applies and commits a line that is the server's own decision. */
void table_decide(struct hub *h, struct table *t, const char *line);
/* The same for an action of a seat that nobody sits at, or has settled. */
void table_act(struct hub *h, struct table *t, int seat, action a);
/* What a seat may know; the caller owns it. */
struct state *table_view(const struct table *t, int seat);
/* Stores a table that has no match yet. */
void table_save(struct hub *h, struct table *t, struct later *later);
/* Opens the match of a full table and commits its beginning. */
void table_begin(struct hub *h, struct table *t, struct later *later);
/* The seats whose answer the match waits for. */
unsigned table_asked(const struct table *t);
void table_read(struct hub *h, struct table *t, const json_t *head);
/* Seats still in play. */
int table_active(const struct table *t);

/* ---- clock.c ---- */

void clock_start(struct table *t, int64_t at);
void clock_step(struct table *t, int64_t at, unsigned before, int ended);
void clock_resume(struct table *t, int64_t at);
int64_t clock_deadline(const struct table *t, int *seat);
int64_t clock_left(const struct table *t, int seat, int64_t now);
void clocks_run(struct hub *h);
const char *pace_name(enum pace_kind kind);

/* ---- view.c: what is told ---- */

int view_from(const struct table *t, int64_t since);
int view_viewer(const struct table *t, const struct user *u);
/* Members of an object: all a viewer may know, steps from `from` on. */
void view_table(const struct hub *h, const struct table *t, int viewer,
                int from, struct out *o);
/* Members of an object: what lists show. */
void view_info(const struct hub *h, const struct table *t, struct out *o);
void view_scene(const struct match *m, const struct state *s, int viewer,
                struct out *o);
void view_position(const struct match *m, int from, int viewer, struct out *o);
void view_watch(struct hub *h, struct table *t, struct link *link);
void view_unwatch(struct hub *h, struct link *link);
void view_changed(struct hub *h, struct table *t, int64_t before);
void view_flush(struct hub *h);
void view_user_event(struct hub *h, const struct user *u,
                     const struct table *not_at, const char *json);
void view_lobby(struct hub *h);

/* ---- rating.c ---- */

void rating_update(struct rating *ratings, const int *places, int count);
struct rating rating_first(void);

/* ---- standing.c ---- */

/* Seats that are asked and have settled their answer by a standing rule. */
unsigned standing_settled(const struct table *t);
/* Plays such an answer; false if there is none. */
bool standing_answer(struct hub *h, struct table *t);

/* ---- play.c ---- */

/* The match as text, to be freed; NULL if the format cannot. */
char *record_text(const struct table *t, const struct record_format *format,
                  int count, int viewer);

/* ---- bots.c ---- */

/* Lets the server play for the seats it plays for. */
void bots_wake(struct hub *h, struct table *t);
/* Among several processes: claims the next table where a bot has to play. */
void bots_run(struct hub *h);
/* Plays what was held back for people to speak first. */
void bots_tick(struct hub *h);
/* Is it the server that has to play?  *now: a bot. */
bool bots_asked(const struct table *t, bool *now);
/* Makes it a job. */
void bots_offer(struct hub *h, const struct table *t);
/* Gives the claim back, when this process stops. */
void bots_release(struct hub *h);

/* ---- analysis.c ---- */

/* Claims a finished match that somebody wants to have judged. */
void analysis_run(struct hub *h);
/* Gives the claim back, when this process stops. */
void analysis_stop(struct hub *h);
void analysis_release(struct hub *h);
/* So many steps of the match have been judged. */
void analysis_tell(struct hub *h, const char *id, int64_t count);

/* ---- talk.c ---- */

/* Tells what was said through another process. */
void chat_tell(struct hub *h, const char *table, int64_t sequence);

/* ---- handlers ---- */

#define HANDLER(name) void on_##name(struct hub *h, struct request *r)
HANDLER(hello);
HANDLER(guest);
HANDLER(register);
HANDLER(login);
HANDLER(logout);
HANDLER(signout);
HANDLER(account);
HANDLER(password);
HANDLER(recover);
HANDLER(delete);
HANDLER(export);
HANDLER(block);
HANDLER(report);
HANDLER(settings);
HANDLER(feed);
HANDLER(player);
HANDLER(lobby);
HANDLER(create);
HANDLER(join);
HANDLER(leave);
HANDLER(bot);
HANDLER(watch);
HANDLER(unwatch);
HANDLER(play);
HANDLER(try);
HANDLER(explain);
HANDLER(standing);
HANDLER(scene);
HANDLER(record);
HANDLER(analyse);
HANDLER(takeback);
HANDLER(answer);
HANDLER(resign);
HANDLER(rematch);
HANDLER(chat);
HANDLER(chats);
HANDLER(note);
HANDLER(notes);
HANDLER(next);

#endif
