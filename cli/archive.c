/* cli/archive.c: reading and writing parts of large sets of games. */
#include "cli/archive.h"

#include "base/text.h"
#include "cli/bench.h"
#include "game/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A packed part: this word, then the head, then the games. */
static const char magic[8] = "TERRAGB1";

/* ---- bytes ---- */

/* CRC-32 as in zlib and PNG. */
static uint32_t crc(const uint8_t *bytes, size_t count)
{
    uint32_t sum = ~0u;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

enum { PACKED = 3 * ARCHIVE_STEPS + 256 };

struct bytes {
    uint8_t at[PACKED];
    size_t length, used;
    bool bad;
};

/* Seven bits a byte, the lowest first. */
static void put(struct bytes *b, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        b->at[b->length++] = (uint8_t)(value | 128);
    b->at[b->length++] = (uint8_t)value;
}

static uint64_t get(struct bytes *b)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (b->used >= b->length)
            break;
        uint8_t byte = b->at[b->used++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    b->bad = true;
    return 0;
}

static void put_signed(struct bytes *b, int64_t value)
{
    put(b, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static int64_t get_signed(struct bytes *b)
{
    uint64_t value = get(b);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void put_word(FILE *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(word >> 8 * i & 255), to);
}

static bool get_word(FILE *from, uint32_t *word)
{
    uint8_t bytes[4];
    if (fread(bytes, 1, 4, from) != 4)
        return false;
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
            (uint32_t)bytes[3] << 24;
    return true;
}

/* ---- the head ---- */

/* Found once: a set has many parts, and the number takes up to a second (many
 * under sanitizers). */
static uint32_t fingerprint(const struct game *game)
{
    static const struct game *last;
    static uint32_t number;
    if (game != last) {
        number = bench_fingerprint(game);
        last = game;
    }
    return number;
}

static int write_head(const struct game *game, const char *setup,
                      const char *bots, int opening, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    text_put(&t, "{\"selfplay\":");
    text_json(&t, game->name);
    text_put(&t, ",\"fingerprint\":");
    text_int(&t, fingerprint(game));
    text_put(&t, ",\"bots\":");
    text_json(&t, bots);
    text_put(&t, ",\"opening\":");
    text_int(&t, opening);
    text_put(&t, ",\"setup\":");
    text_json(&t, setup);
    text_put(&t, "}");
    return text_end(&t);
}

/* A setup may have a whole map in it. */
char *archive_head(const struct game *game, const struct setup *setup,
                   const char *bots, int opening)
{
    struct buffer b = {0}, head = {0};
    while (buffer_short(&b, setup_write(game, setup, b.to, b.cap)))
        ;
    while (buffer_short(
        &head, write_head(game, b.to, bots, opening, head.to, head.cap)))
        ;
    buffer_release(&b);
    return head.to;
}

/* A tab in JSON is "\u0009", say; past its four digits. */
static char read_code(const char **at)
{
    char digits[5];
    snprintf(digits, sizeof digits, "%s", *at + 1);
    *at += strlen(digits);
    return (char)strtol(digits, NULL, 16);
}

/* The string value of a key of our own head, unescaped; owned by the caller. */
static char *head_text(const char *head, const char *key)
{
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    const char *at = strstr(head, mark);
    if (!at)
        return NULL;
    at += strlen(mark);
    char *text = need(malloc(strlen(at) + 1)), *to = text;
    for (; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            *to++ = *at == 'n' ? '\n' : *at == 'u' ? read_code(&at) : *at;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return text;
}

static _Noreturn void refuse(const struct archive *a, const char *why)
{
    die(STATUS_CONTENT, "%s: %s", a->name, tr(why));
}

/* Games follow the rules they were played by. */
static void check_rules(const struct archive *a)
{
    char mine[64];
    snprintf(mine, sizeof mine, "\"fingerprint\":%u,", fingerprint(a->game));
    if (!strstr(a->head, mine))
        refuse(a, TR("played by other rules: the fingerprint differs"));
}

static void read_head(struct archive *a)
{
    struct fault f;
    char *name = head_text(a->head, "selfplay");
    a->given = head_text(a->head, "setup");
    if (!name || !a->given)
        refuse(a, TR("this is no part of a set of games"));
    a->game = need_game(name);
    free(name);
    check_rules(a);
    setup_init(a->game, &a->setup);
    a->world = need(calloc(1, a->game->world_size));
    a->state = need(calloc(1, a->game->state_size));
    if (!setup_read(a->game, a->given, &a->setup, &f) ||
        !a->game->prepare(a->world, &a->setup, &f))
        exit(say_fault(a->game, a->name, &f));
}

void archive_open(struct archive *a, const char *name)
{
    char word[sizeof magic];
    *a = (struct archive){.name = name, .file = fopen(name, "rb")};
    if (!a->file)
        die(STATUS_USAGE, "cannot read '%s': %s", name, strerror(errno));
    a->packed = fread(word, 1, sizeof word, a->file) == sizeof word &&
                memcmp(word, magic, sizeof magic) == 0;
    if (!a->packed)
        rewind(a->file);
    size_t room = 0;
    ssize_t length = getline(&a->head, &room, a->file);
    if (length <= 0 || a->head[length - 1] != '\n')
        refuse(a, TR("this is no part of a set of games"));
    a->head[length - 1] = '\0';
    a->good = ftell(a->file);
    read_head(a);
}

void archive_close(struct archive *a)
{
    if (a->file)
        fclose(a->file);
    free(a->head);
    free(a->given);
    free(a->world);
    free(a->state);
    *a = (struct archive){0};
}

/* ---- games ---- */

int archive_seat(const struct game *game, const struct world *w,
                 const struct state *s, action *legal, int *count)
{
    unsigned must, may;
    game->turn(w, s, &must, &may);
    for (unsigned seats = must ? must : may; seats; seats &= seats - 1) {
        int seat = __builtin_ctz(seats);
        *count = game->legal(w, s, seat, legal);
        if (*count > 0)
            return seat;
    }
    *count = 0;
    return SEAT_NONE;
}

static int place_in(const action *list, int count, action wanted)
{
    for (int i = 0; i < count; i++)
        if (list[i] == wanted)
            return i;
    return -1;
}

bool archive_take(const struct match *m, int number, struct archive_game *g)
{
    const struct game *game = match_game(m);
    const struct world *w = match_world(m);
    action legal[GAME_ACTIONS];
    struct result r = {0};
    struct state *s = need(malloc(game->state_size));
    memcpy(s, match_first(m), game->state_size);
    g->number = number;
    g->seed = match_setup(m)->seed;
    g->count = match_count(m);
    bool good = g->count <= ARCHIVE_STEPS;
    for (int i = 0; good && i < g->count; i++) {
        int count, seat = archive_seat(game, w, s, legal, &count);
        const struct step *step = match_step(m, i);
        int choice = place_in(legal, count, step->action);
        good = step->kind == STEP_ACTION && step->seat == seat && choice >= 0;
        if (good) {
            g->choice[i] = (uint16_t)choice;
            game->apply(w, s, seat, step->action);
        }
    }
    game->result(w, s, &r);
    memcpy(g->points, r.points, sizeof g->points);
    memcpy(g->place, r.place, sizeof g->place);
    g->reason = r.reason;
    free(s);
    return good;
}

/* ---- packed ---- */

static void pack(const struct archive *a, const struct archive_game *g,
                 struct bytes *b)
{
    b->length = 0;
    put(b, (uint64_t)g->number);
    put(b, g->seed);
    put(b, (uint64_t)g->reason);
    for (int seat = 0; seat < a->setup.seats; seat++) {
        put_signed(b, g->points[seat]);
        put(b, (uint64_t)g->place[seat]);
    }
    put(b, (uint64_t)g->count);
    for (int i = 0; i < g->count; i++)
        put(b, g->choice[i]);
}

static bool unpack(const struct archive *a, struct bytes *b,
                   struct archive_game *g)
{
    g->number = (int)get(b);
    g->seed = get(b);
    g->reason = (int)get(b);
    for (int seat = 0; seat < a->setup.seats; seat++) {
        g->points[seat] = (int)get_signed(b);
        g->place[seat] = (int)get(b);
    }
    uint64_t count = get(b);
    if (count > ARCHIVE_STEPS)
        return false;
    g->count = (int)count;
    for (int i = 0; i < g->count; i++)
        g->choice[i] = (uint16_t)get(b);
    return !b->bad && b->used == b->length;
}

static bool next_packed(struct archive *a, struct archive_game *g, char *why,
                        size_t cap)
{
    static _Thread_local struct bytes b;
    uint32_t length, sum;
    b.used = 0;
    b.bad = false;
    if (!get_word(a->file, &length)) {
        if (ftell(a->file) != a->good)
            snprintf(why, cap, "%s", tr("cut off in a game"));
        return false;
    }
    b.length = length;
    if (length > sizeof b.at || !get_word(a->file, &sum) ||
        fread(b.at, 1, length, a->file) != length)
        snprintf(why, cap, "%s", tr("cut off in a game"));
    else if (crc(b.at, length) != sum)
        snprintf(why, cap, "%s", tr("damaged: a checksum differs"));
    else if (!unpack(a, &b, g))
        snprintf(why, cap, "%s", tr("damaged: no game"));
    return !why[0];
}

/* ---- as text ---- */

static void write_text(FILE *to, const struct archive *a,
                       const struct archive_game *g)
{
    struct buffer b = {0};
    action legal[GAME_ACTIONS];
    struct setup setup = a->setup;
    setup.seed = g->seed;
    fprintf(to, "{\"game\":%d,\"seed\":%llu,\"ending\":\"%s\",\"points\":[",
            g->number, (unsigned long long)g->seed,
            a->game->endings[g->reason]);
    for (int seat = 0; seat < setup.seats; seat++)
        fprintf(to, "%s%d", seat ? "," : "", g->points[seat]);
    fprintf(to, "],\"place\":[");
    for (int seat = 0; seat < setup.seats; seat++)
        fprintf(to, "%s%d", seat ? "," : "", g->place[seat]);
    fprintf(to, "],\"length\":%d,\"actions\":\"", g->count);
    a->game->start(a->world, &setup, a->state);
    for (int i = 0; i < g->count; i++) {
        int count;
        int seat = archive_seat(a->game, a->world, a->state, legal, &count);
        action it = legal[g->choice[i]];
        while (buffer_short(&b, a->game->write_action(a->world, a->state, seat,
                                                      it, seat, b.to, b.cap)))
            ;
        fprintf(to, "%s%d %s", i ? "; " : "", seat + 1, b.to);
        a->game->apply(a->world, a->state, seat, it);
    }
    fprintf(to, "\"}\n");
    buffer_release(&b);
}

static bool read_list(const char **at, int *out, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = (int)strtol(*at, &end, 10);
        if (end == *at || *end != (i == count - 1 ? ']' : ','))
            return false;
        *at = end + 1;
    }
    return true;
}

static bool skip(const char **at, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Finds the choices again from the notation. */
static bool read_actions(struct archive *a, char *text, struct archive_game *g)
{
    action legal[GAME_ACTIONS];
    struct setup setup = a->setup;
    struct fault f;
    int count, seat;
    setup.seed = g->seed;
    a->game->start(a->world, &setup, a->state);
    for (int i = 0; i < g->count; i++) {
        char *end = strstr(text, "; "), *word;
        size_t used;
        action it;
        if (end)
            *end = '\0';
        seat = archive_seat(a->game, a->world, a->state, legal, &count);
        if (strtol(text, &word, 10) != seat + 1 || seat == SEAT_NONE ||
            !a->game->read_action(a->world, a->state, seat, word + 1, &it,
                                  &used, &f))
            return false;
        int choice = place_in(legal, count, it);
        if (choice < 0)
            return false;
        g->choice[i] = (uint16_t)choice;
        a->game->apply(a->world, a->state, seat, it);
        text = end ? end + 2 : text + strlen(text);
    }
    return !*text;
}

static bool read_text(struct archive *a, char *line, struct archive_game *g)
{
    const char *at = line;
    char *end, ending[64];
    size_t length;
    if (!skip(&at, "{\"game\":"))
        return false;
    g->number = (int)strtol(at, &end, 10);
    at = end;
    if (!skip(&at, ",\"seed\":"))
        return false;
    g->seed = strtoull(at, &end, 10);
    at = end;
    if (!skip(&at, ",\"ending\":\"") || (length = strcspn(at, "\"")) > 63)
        return false;
    memcpy(ending, at, length);
    ending[length] = '\0';
    at += length;
    for (g->reason = 0; a->game->endings[g->reason] &&
                        strcmp(a->game->endings[g->reason], ending) != 0;)
        g->reason++;
    if (!a->game->endings[g->reason] || !skip(&at, "\",\"points\":[") ||
        !read_list(&at, g->points, a->setup.seats) ||
        !skip(&at, ",\"place\":[") ||
        !read_list(&at, g->place, a->setup.seats) || !skip(&at, ",\"length\":"))
        return false;
    g->count = (int)strtol(at, &end, 10);
    at = end;
    if (g->count < 0 || g->count > ARCHIVE_STEPS ||
        !skip(&at, ",\"actions\":\""))
        return false;
    char *actions = line + (at - line);
    end = strstr(actions, "\"}\n");
    if (!end)
        return false;
    *end = '\0';
    return read_actions(a, actions, g);
}

static bool next_text(struct archive *a, struct archive_game *g, char *why,
                      size_t cap)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, a->file);
    if (length > 0 && line[length - 1] != '\n')
        snprintf(why, cap, "%s", tr("cut off in a game"));
    else if (length > 0 && !read_text(a, line, g))
        snprintf(why, cap, "%s", tr("damaged: no game"));
    free(line);
    return length > 0 && !why[0];
}

bool archive_next(struct archive *a, struct archive_game *g, char *why,
                  size_t cap)
{
    why[0] = '\0';
    bool good =
        a->packed ? next_packed(a, g, why, cap) : next_text(a, g, why, cap);
    if (good)
        a->good = ftell(a->file);
    return good;
}

void archive_write(FILE *to, const struct archive *a, bool packed,
                   const struct archive_game *g)
{
    static _Thread_local struct bytes b;
    if (!g && packed)
        fwrite(magic, 1, sizeof magic, to);
    if (!g) {
        fprintf(to, "%s\n", a->head);
    } else if (packed) {
        pack(a, g, &b);
        put_word(to, (uint32_t)b.length);
        put_word(to, crc(b.at, b.length));
        fwrite(b.at, 1, b.length, to);
    } else {
        write_text(to, a, g);
    }
}
