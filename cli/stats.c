/* cli/stats.c: `terra stats` summarises sets of games. */
#include "cli/stats.h"

#include "base/text.h"
#include "cli/archive.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct asked {
    const char *plot;
    bool json;
    char **names;
    int count;
};

static const struct argp_option options[] = {
    {"svg", 's', "FILE", 0, TR("draw plots there"), 0},
    {"json", 'j', 0, 0, TR("as JSON"), 0},
    {0, 0, 0, 0, 0, 0},
};

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is argp's */
static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return request_begin(state, "terra stats", NULL);
    case 's':
        a->plot = text;
        return 0;
    case 'j':
        a->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        a->names = state->argv + state->next;
        a->count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        die(STATUS_USAGE, "which sets of games?  'terra selfplay' writes them");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp stats_argp = {
    options,
    parse,
    "FILE|DIR...",
    HELP(TR("Replays sets of games, checks their results, and tells points, "
            "lengths, branching, the advantage of each seat and the results "
            "of factions."),
         TR("Intervals are of 95 %.  A damaged or cut off part is reported; "
            "the whole games before the damage count.\n\n"
            "Example: terra stats games --svg games.svg")),
    help_children,
    help_words,
    0,
};

/* ---- samples ---- */

void sample_add(struct sample *s, double value)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->value = need(realloc(s->value, (size_t)s->room * sizeof *s->value));
    }
    s->value[s->count++] = value;
    s->sum += value;
    s->squares += value * value;
}

double sample_mean(const struct sample *s)
{
    return s->count ? s->sum / s->count : 0;
}

double sample_sd(const struct sample *s)
{
    double mean = sample_mean(s);
    double variance =
        s->count > 1 ? (s->squares - mean * s->sum) / (s->count - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

double sample_error(const struct sample *s)
{
    return s->count ? 1.96 * sample_sd(s) / sqrt(s->count) : 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sample_quantile(struct sample *s, double share)
{
    if (s->count == 0)
        return 0;
    qsort(s->value, (size_t)s->count, sizeof *s->value, compare);
    return s->value[(int)(share * (s->count - 1) + 0.5)];
}

/* ---- one game ---- */

static double win_of(const struct archive_game *g, int seats, int seat)
{
    int first = 0;
    for (int i = 0; i < seats; i++)
        first += g->place[i] == 1;
    return g->place[seat] == 1 ? 1.0 / first : 0;
}

static struct faction *faction_named(struct stats *s, const char *name,
                                     size_t length)
{
    for (int i = 0; i < s->factions; i++)
        if (strlen(s->faction[i].name) == length &&
            strncmp(s->faction[i].name, name, length) == 0)
            return &s->faction[i];
    if (s->factions == STATS_FACTIONS || length >= sizeof s->faction[0].name)
        return NULL;
    struct faction *f = &s->faction[s->factions++];
    memcpy(f->name, name, length);
    return f;
}

/* Games that have factions name them in the scene, seat by seat. */
static void take_factions(struct stats *s, const struct archive *a,
                          const struct archive_game *g)
{
    static const char mark[] = "\"faction\":\"";
    struct buffer b = {0};
    while (buffer_short(
        &b, a->game->write_scene(a->world, a->state, SEAT_NONE, b.to, b.cap)))
        ;
    const char *at = strstr(b.to, "\"seats\":[{\"faction\"");
    for (int seat = 0; seat < s->seats; seat++) {
        at = at ? strstr(at, mark) : NULL;
        if (!at)
            break;
        at += sizeof mark - 1;
        struct faction *f = faction_named(s, at, strcspn(at, "\""));
        if (!f)
            break;
        sample_add(&f->points, g->points[seat]);
        sample_add(&f->wins, win_of(g, s->seats, seat));
        sample_add(&f->place, g->place[seat]);
    }
    buffer_release(&b);
}

/* Plays it again; false if it does not come out as it says. */
static bool replay(struct stats *s, struct archive *a,
                   const struct archive_game *g)
{
    action legal[GAME_ACTIONS];
    struct result r = {0};
    struct setup setup = a->setup;
    double choices = 0;
    setup.seed = g->seed;
    a->game->start(a->world, &setup, a->state);
    for (int i = 0; i < g->count; i++) {
        int count;
        int seat = archive_seat(a->game, a->world, a->state, legal, &count);
        if (seat == SEAT_NONE || g->choice[i] >= count)
            return false;
        choices += count;
        if (i < STATS_STEPS) {
            s->choices[i] += count;
            s->reached[i]++;
        }
        a->game->apply(a->world, a->state, seat, legal[g->choice[i]]);
    }
    a->game->result(a->world, a->state, &r);
    for (int seat = 0; seat < s->seats; seat++)
        if (r.points[seat] != g->points[seat] ||
            r.place[seat] != g->place[seat])
            return false;
    sample_add(&s->branching, g->count ? choices / g->count : 0);
    return r.reason == g->reason;
}

static void take_game(struct stats *s, const struct archive *a,
                      const struct archive_game *g)
{
    int best = 0, next = 1;
    s->games++;
    sample_add(&s->length, g->count);
    s->endings[g->reason & 63]++;
    for (int seat = 0; seat < s->seats; seat++) {
        sample_add(&s->points[seat], g->points[seat]);
        sample_add(&s->all_points, g->points[seat]);
        sample_add(&s->wins[seat], win_of(g, s->seats, seat));
        best = g->points[seat] > g->points[best] ? seat : best;
    }
    next = best ? 0 : 1;
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != best && g->points[seat] > g->points[next])
            next = seat;
    if (s->seats > 1)
        sample_add(&s->margin, g->points[best] - g->points[next]);
    take_factions(s, a, g);
}

/* ---- files ---- */

static void take_part(struct stats *s, const char *name, int *status)
{
    static struct archive_game g;
    struct archive a;
    char why[128];
    archive_open(&a, name);
    if (s->game && (s->game != a.game || s->seats != a.setup.seats))
        die(STATUS_USAGE, "'%s' is of another game or number of seats", name);
    s->game = a.game;
    s->seats = a.setup.seats;
    while (archive_next(&a, &g, why, sizeof why)) {
        if (!replay(s, &a, &g)) {
            snprintf(why, sizeof why, tr("game %d does not replay"), g.number);
            break;
        }
        take_game(s, &a, &g);
    }
    if (why[0]) {
        say("%s: %s", name, why);
        *status = STATUS_CONTENT;
    }
    archive_close(&a);
}

static int is_part(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strncmp(entry->d_name, "part-", 5) == 0 &&
           (strcmp(dot, ".games") == 0 || strcmp(dot, ".jsonl") == 0);
}

static void take_name(struct stats *s, const char *name, int *status)
{
    struct dirent **list;
    struct stat about;
    if (stat(name, &about) != 0)
        die(STATUS_USAGE, "cannot read '%s': %s", name, strerror(errno));
    if (!S_ISDIR(about.st_mode)) {
        take_part(s, name, status);
        return;
    }
    int count = scandir(name, &list, is_part, alphasort);
    if (count <= 0)
        die(STATUS_USAGE, "there are no games in '%s'", name);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", name, list[i]->d_name);
        take_part(s, path, status);
        free(list[i]);
    }
    free(list);
}

/* ---- telling ---- */

static void put_label(const char *label)
{
    printf("%-*s ", padded(label, 12), label);
}

static void print_sample(const char *what, struct sample *v)
{
    put_label(what);
    printf(tr("mean %8.2f +- %.2f, sd %.2f, quartiles %.1f %.1f %.1f, "
              "range %.1f to %.1f\n"),
           sample_mean(v), sample_error(v), sample_sd(v),
           sample_quantile(v, 0.25), sample_quantile(v, 0.5),
           sample_quantile(v, 0.75), sample_quantile(v, 0),
           sample_quantile(v, 1));
}

static void print_seat(struct stats *s, int seat)
{
    char label[64];
    snprintf(label, sizeof label, tr("seat %d"), seat + 1);
    put_label(label);
    printf(tr("wins %6.2f %% +- %.2f, points %.2f +- %.2f\n"),
           100 * sample_mean(&s->wins[seat]),
           100 * sample_error(&s->wins[seat]), sample_mean(&s->points[seat]),
           sample_error(&s->points[seat]));
}

static void print_faction(const struct faction *f)
{
    put_label(tr("faction"));
    printf(tr("%-14s games %5d, points %6.2f +- %.2f, wins %5.1f %% +- %.1f, "
              "place %.2f\n"),
           f->name, f->points.count, sample_mean(&f->points),
           sample_error(&f->points), 100 * sample_mean(&f->wins),
           100 * sample_error(&f->wins), sample_mean(&f->place));
}

static void print_text(struct stats *s)
{
    printf(tr("%s, %d seats, %d games\n"), s->game->name, s->seats, s->games);
    print_sample(tr("points"), &s->all_points);
    print_sample(tr("margin"), &s->margin);
    print_sample(tr("length"), &s->length);
    print_sample(tr("branching"), &s->branching);
    for (int seat = 0; seat < s->seats; seat++)
        print_seat(s, seat);
    for (int i = 0; i < 64; i++)
        if (s->endings[i]) {
            put_label(tr("ending"));
            printf("%s %d\n", s->game->endings[i], s->endings[i]);
        }
    for (int i = 0; i < s->factions; i++)
        print_faction(&s->faction[i]);
}

static void json_sample(const char *name, struct sample *v)
{
    printf("\"%s\":{\"mean\":%.4f,\"error\":%.4f,\"sd\":%.4f,\"low\":%g,"
           "\"median\":%g,\"high\":%g}",
           name, sample_mean(v), sample_error(v), sample_sd(v),
           sample_quantile(v, 0), sample_quantile(v, 0.5),
           sample_quantile(v, 1));
}

static void print_json(struct stats *s)
{
    const char *comma = "";
    printf("{\"game\":\"%s\",\"seats\":%d,\"games\":%d,", s->game->name,
           s->seats, s->games);
    json_sample("points", &s->all_points);
    putchar(',');
    json_sample("margin", &s->margin);
    putchar(',');
    json_sample("length", &s->length);
    putchar(',');
    json_sample("branching", &s->branching);
    printf(",\"by_seat\":[");
    for (int seat = 0; seat < s->seats; seat++) {
        printf("%s{", seat ? "," : "");
        json_sample("wins", &s->wins[seat]);
        putchar(',');
        json_sample("points", &s->points[seat]);
        putchar('}');
    }
    printf("],\"endings\":{");
    for (int i = 0; i < 64; i++)
        if (s->endings[i]) {
            printf("%s\"%s\":%d", comma, s->game->endings[i], s->endings[i]);
            comma = ",";
        }
    printf("},\"factions\":{");
    for (int i = 0; i < s->factions; i++) {
        printf("%s\"%s\":{\"games\":%d,", i ? "," : "", s->faction[i].name,
               s->faction[i].points.count);
        json_sample("points", &s->faction[i].points);
        putchar(',');
        json_sample("wins", &s->faction[i].wins);
        putchar('}');
    }
    printf("}}\n");
}

static void draw(struct stats *s, const char *name)
{
    char *text = NULL;
    size_t length;
    FILE *to = need(open_memstream(&text, &length));
    stats_plot(s, to);
    fclose(to);
    if (!file_write(name, text, length))
        exit(STATUS_USAGE);
    free(text);
}

static void release(struct stats *s)
{
    for (int seat = 0; seat < GAME_SEATS; seat++) {
        free(s->points[seat].value);
        free(s->wins[seat].value);
    }
    for (int i = 0; i < s->factions; i++) {
        free(s->faction[i].points.value);
        free(s->faction[i].wins.value);
        free(s->faction[i].place.value);
    }
    free(s->all_points.value);
    free(s->margin.value);
    free(s->length.value);
    free(s->branching.value);
}

static int by_points(const void *a, const void *b)
{
    double x = sample_mean(&((const struct faction *)a)->points);
    double y = sample_mean(&((const struct faction *)b)->points);
    return (x < y) - (x > y);
}

int cmd_stats(int argc, char **argv)
{
    struct asked asked = {0};
    static struct stats s;
    int status = STATUS_OK;
    if (!command_line(&stats_argp, 0, argc, argv, &asked))
        return STATUS_USAGE;
    for (int i = 0; i < asked.count; i++)
        take_name(&s, asked.names[i], &status);
    if (s.games == 0)
        die(STATUS_CONTENT, "there is no whole game");
    qsort(s.faction, (size_t)s.factions, sizeof *s.faction, by_points);
    (asked.json ? print_json : print_text)(&s);
    if (asked.plot)
        draw(&s, asked.plot);
    release(&s);
    return status;
}
