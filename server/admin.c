/* server/admin.c: the command `terra admin`.
 *
 * Works on the data of a server that runs or does not.  What the running
 * server must know (a ban) is left as an order that it fetches. */
#include "server/hub.h"
#include "server/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLACE_BYTES = 1024, PAGE = 500 };

static const char usage[] = TR(
    "usage: terra admin [--data FOLDER | --store STORE] COMMAND\n"
    "  users             list people: id, created, name, kind\n"
    "  games [STATUS]    list tables: id, status, game, seats, title\n"
    "  show ID           print a match: its record, then its lines\n"
    "  reports           list what players reported\n"
    "  ban NAME          sign a player out and refuse a new sign-in\n"
    "  unban NAME        the contrary\n"
    "  backup FILE       copy everything while the server runs\n"
    "  check             look whether the file is whole, and replay all "
    "matches\n"
    "  vacuum            give unused space back\n"
    "  migrate --from STORE --to STORE\n"
    "                    copy everything into an empty store, read both again\n"
    "                    and compare\n"
    "  --data FOLDER     as given to terra serve (./terra-data)\n"
    "  --store STORE     sqlite:FILE or postgresql://...\n");

struct admin {
    struct store *store;
    const char *argument; /* may be NULL */
    struct hub *hub;      /* empty, for reading records */
    int matches, broken;
};

/* ---- pages of records ---- */

struct page {
    struct admin *admin;
    void (*row)(struct admin *a, const struct store_row *row);
    char last[128];
    int count;
    bool good;
};

static void on_page(void *context, const struct store_answer *a)
{
    struct page *p = context;
    p->good = a->outcome == STORE_OK;
    p->count = a->count;
    for (int i = 0; i < a->count; i++)
        p->row(p->admin, &a->rows[i]);
    if (a->count)
        snprintf(p->last, sizeof p->last, "%s", a->rows[a->count - 1].key);
}

/* A row may ask the store for more: each() settles between the pages only. */
static bool each(struct admin *a, const char *kind,
                 void (*row)(struct admin *a, const struct store_row *row))
{
    struct page p = {a, row, "", PAGE, true};
    while (p.good && p.count == PAGE) {
        store_list(a->store, kind, p.last, PAGE, on_page, &p);
        store_settle(a->store);
    }
    return p.good;
}

static const char *day(int64_t ms, char *to, size_t cap)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(to, cap, "%Y-%m-%d", &parts);
    return to;
}

static void print_user(struct admin *a, const struct store_row *row)
{
    json_t *u = json_loads(row->text, 0, NULL);
    char date[16];
    (void)a;
    const char *kind = message_flag(u, "gone", false)      ? "gone"
                       : message_flag(u, "banned", false)  ? "banned"
                       : message_text(u, "password", NULL) ? "account"
                                                           : "guest";
    printf("%s %s %-8s %s\n", row->key,
           day(message_number(u, "created", 0), date, sizeof date), kind,
           message_text(u, "name", "?"));
    json_decref(u);
}

static void print_table(struct admin *a, const struct store_row *row)
{
    json_t *t = json_loads(row->text, 0, NULL);
    const char *status = message_text(t, "status", "?");
    if (!a->argument || strcmp(a->argument, status) == 0)
        printf("%s %-8s %-8s %zu %s\n", row->key, status,
               message_text(t, "game", "?"),
               json_array_size(json_object_get(t, "seats")),
               message_text(t, "title", ""));
    json_decref(t);
}

static void print_report(struct admin *a, const struct store_row *row)
{
    (void)a;
    printf("%s\n", row->text);
}

/* ---- matches ---- */

static void print_lines(void *context, const struct store_answer *a)
{
    (void)context;
    for (int i = 0; i < a->count; i++)
        printf("%lld %s\n", (long long)a->rows[i].at, a->rows[i].text);
}

static void print_record(void *context, const struct store_answer *a)
{
    struct admin *admin = context;
    admin->matches = a->count;
    if (a->count)
        printf("%s\n", a->rows[0].text);
}

static bool show(struct admin *a)
{
    char log[64];
    snprintf(log, sizeof log, "match:%.40s", a->argument);
    store_get(a->store, "match", a->argument, print_record, a);
    store_lines(a->store, log, 0, print_lines, a);
    store_settle(a->store);
    if (!a->matches)
        fprintf(stderr, tr("terra admin: there is no table '%s'\n"),
                a->argument);
    return a->matches > 0;
}

struct checking {
    struct admin *admin;
    struct table *table;
};

static void check_lines(void *context, const struct store_answer *answer)
{
    struct checking c = *(struct checking *)context;
    struct table *t = c.table;
    struct fault f = {0};
    const char *line = "";
    free(context);
    c.admin->matches++;
    if (answer->outcome == STORE_OK &&
        table_replay(t, answer->rows, answer->count, &f, &line))
        return;
    char why[300];
    fault_write(t->game, &f, why, sizeof why);
    c.admin->broken++;
    fprintf(stderr, tr("terra admin: match '%s' refuses '%.100s': %s\n"), t->id,
            line, why);
}

static void check_match(struct admin *a, const struct store_row *row)
{
    json_t *head = json_loads(row->text, 0, NULL);
    struct table *t = table_new(a->hub, row->key);
    char log[64];
    table_read(a->hub, t, head);
    if (!t->game) {
        a->broken++;
        fprintf(stderr, tr("terra admin: match '%s' is of no known game\n"),
                row->key);
    } else if (t->started) {
        struct checking *c = sure(calloc(1, sizeof *c));
        *c = (struct checking){a, t};
        snprintf(log, sizeof log, "match:%.40s", row->key);
        store_lines(a->store, log, 0, check_lines, c);
    }
    json_decref(head);
}

static bool check(struct admin *a)
{
    char why[200];
    if (!store_verify(a->store, why, sizeof why)) {
        fprintf(stderr, tr("terra admin: the file is damaged: %s\n"), why);
        return false;
    }
    a->hub = sure(calloc(1, sizeof *a->hub));
    a->hub->redo_last = &a->hub->redo;
    bool good = each(a, "match", check_match);
    store_settle(a->store);
    tables_release(a->hub);
    free(a->hub);
    printf(tr("%d matches replayed, %d refused\n"), a->matches, a->broken);
    return good && a->broken == 0;
}

/* ---- orders and care ---- */

static void ordered(void *context, const struct store_answer *a)
{
    *(bool *)context = a->outcome == STORE_OK;
}

static bool order(struct admin *a, const char *what)
{
    char id[ID_BYTES];
    bool good = false;
    id_new(id);
    json_t *body =
        sure(json_pack("{s:s,s:s}", "order", what, "name", a->argument));
    char *text = sure(json_dumps(body, JSON_COMPACT));
    struct store_change c = {STORE_OFFER, "order", id, 0, 0, text};
    store_write(a->store, &c, 1, ordered, &good);
    store_settle(a->store);
    free(text);
    json_decref(body);
    return good;
}

static bool ban(struct admin *a)
{
    return order(a, "ban");
}

static bool unban(struct admin *a)
{
    return order(a, "unban");
}

static bool users(struct admin *a)
{
    return each(a, "user", print_user);
}

static bool games(struct admin *a)
{
    return each(a, "match", print_table);
}

static bool reports(struct admin *a)
{
    return each(a, "report", print_report);
}

static bool told(bool good, const char *why)
{
    if (!good)
        fprintf(stderr, "terra admin: %s\n", why);
    return good;
}

static bool backup(struct admin *a)
{
    char why[200] = "";
    return told(store_backup(a->store, a->argument, why, sizeof why), why);
}

static bool vacuum(struct admin *a)
{
    char why[200] = "";
    return told(store_vacuum(a->store, why, sizeof why), why);
}

static const struct {
    const char *name;
    bool (*run)(struct admin *a);
    int arguments; /* least; one more is allowed for games */
} tasks[] = {
    {"users", users, 0},     {"games", games, 0}, {"show", show, 1},
    {"reports", reports, 0}, {"ban", ban, 1},     {"unban", unban, 1},
    {"backup", backup, 1},   {"check", check, 0}, {"vacuum", vacuum, 0},
};

/* A file must be there: opening would make it. */
static struct store *open_store(const char *name)
{
    const char *place = "";
    char why[200] = "";
    const struct store_backend *backend = store_find(name, &place);
    FILE *there = backend == &store_sqlite ? fopen(place, "rb") : NULL;
    if (backend == &store_sqlite && !there) {
        fprintf(stderr, tr("terra admin: there is no '%s'\n"), place);
        return NULL;
    }
    if (there)
        fclose(there);
    struct store *store =
        backend ? store_open(backend, place, NULL, NULL, why, sizeof why)
                : NULL;
    told(store != NULL,
         backend ? why : tr("a store is sqlite:FILE or postgresql://..."));
    return store;
}

static int run(const char *store, size_t task, const char *argument)
{
    struct admin a = {.store = open_store(store), .argument = argument};
    bool good = a.store && tasks[task].run(&a);
    store_close(a.store);
    return good ? 0 : 1;
}

static int migrate(const char *from, const char *to)
{
    const char *places[2] = {"", ""};
    const struct store_backend *ends[] = {store_find(from, &places[0]),
                                          store_find(to, &places[1])};
    struct store_copied copied;
    char why[300];
    snprintf(why, sizeof why, "%s",
             tr("a store is sqlite:FILE or postgresql://..."));
    if (ends[0] == &store_sqlite) { /* must be there */
        struct store *source = open_store(from);
        if (!source)
            return 1;
        store_close(source);
    }
    if (!told(ends[0] && ends[1] &&
                  store_copy(ends[0], places[0], ends[1], places[1], &copied,
                             why, sizeof why),
              why))
        return 1;
    printf(tr("%lld records, %lld lines, %lld jobs copied and compared\n"),
           (long long)copied.records, (long long)copied.lines,
           (long long)copied.jobs);
    return 0;
}

int admin_main(int argc, char **argv)
{
    char store[PLACE_BYTES] = "sqlite:terra-data/terra.db";
    int at = 1;
    if (argc > 2 && strcmp(argv[1], "--data") == 0) {
        snprintf(store, sizeof store, "sqlite:%s/terra.db", argv[2]);
        at = 3;
    } else if (argc > 2 && strcmp(argv[1], "--store") == 0) {
        snprintf(store, sizeof store, "%s", argv[2]);
        at = 3;
    }
    if (argc > at &&
        (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)) {
        fputs(tr(usage), stdout);
        return 0;
    }
    if (argc == at + 5 && strcmp(argv[at], "migrate") == 0 &&
        strcmp(argv[at + 1], "--from") == 0 &&
        strcmp(argv[at + 3], "--to") == 0)
        return migrate(argv[at + 2], argv[at + 4]);
    for (size_t i = 0; at < argc && i < sizeof tasks / sizeof tasks[0]; i++) {
        int more = argc - at - 1;
        if (strcmp(argv[at], tasks[i].name) == 0 &&
            more >= tasks[i].arguments && more <= 1)
            return run(store, i, more ? argv[at + 1] : NULL);
    }
    fprintf(stderr, tr("terra admin: unknown or incomplete command '%s'\n%s"),
            argc > at ? argv[at] : "", tr(usage));
    return 2;
}
