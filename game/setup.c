/* game/setup.c: setups as text, and the `given` lines inside them. */
#include "game/setup.h"

#include <string.h>

void setup_init(const struct game *game, struct setup *setup)
{
    memset(setup, 0, sizeof *setup);
    setup->seats = game->seats_usual;
    for (int i = 0; i < GAME_OPTIONS; i++)
        setup->option[i] = OPTION_UNSET;
}

static int find(const struct game *game, struct span name)
{
    for (int i = 0; game->options[i].name; i++)
        if (span_is(name, game->options[i].name))
            return i;
    return -1;
}

int setup_find(const struct game *game, const char *name)
{
    return find(game, span_of(name));
}

static int choice(const struct option *option, struct span value)
{
    for (int i = 0; option->choices[i]; i++)
        if (span_is(value, option->choices[i]))
            return i;
    return -1;
}

/* "a+b+c"; "none" is the empty set. */
static bool read_set(const struct option *option, struct span value, int *out)
{
    const char *end = value.at + value.length;
    bool none = span_is(value, "none");
    int mask = 0;
    for (bool more = !none; more;) {
        struct span name = span_cut(&value, '+');
        int member = choice(option, name);
        if (member < 0 || (mask >> member & 1))
            return false;
        mask |= 1 << member;
        more = name.at + name.length < end; /* a '+' follows */
    }
    *out = mask;
    return true;
}

static bool read_value(const struct option *option, struct span value, int *out)
{
    long number;
    switch (option->kind) {
    case OPTION_CHOICE:
        number = choice(option, value);
        if (number < 0)
            return false;
        *out = (int)number;
        return true;
    case OPTION_NUMBER:
        if (!span_int(value, option->low, option->high, &number))
            return false;
        *out = (int)number;
        return true;
    case OPTION_SET:
        return read_set(option, value, out);
    }
    return false;
}

bool setup_option(const struct game *game, struct setup *setup,
                  struct span name, struct span value, struct fault *f)
{
    int i = find(game, name);
    if (i < 0)
        return fault_span(f, FAULT_OPTION, 0, 0, name.at, name.length);
    if (!read_value(&game->options[i], value, &setup->option[i])) {
        char subject[FAULT_SUBJECT];
        struct text t = text_begin(subject, sizeof subject);
        text_bytes(&t, name.at, name.length);
        text_char(&t, '=');
        text_bytes(&t, value.at, value.length);
        text_end(&t);
        return fault_set(f, FAULT_VALUE, 0, 0, subject);
    }
    return true;
}

int setup_write_value(const struct option *option, int value, char *to,
                      size_t cap)
{
    struct text t = text_begin(to, cap);
    bool first = true;
    switch (option->kind) {
    case OPTION_CHOICE:
        text_put(&t, option->choices[value]);
        break;
    case OPTION_NUMBER:
        text_int(&t, value);
        break;
    case OPTION_SET:
        for (int i = 0; option->choices[i]; i++) {
            if (!(value >> i & 1))
                continue;
            if (!first)
                text_char(&t, '+');
            text_put(&t, option->choices[i]);
            first = false;
        }
        if (first)
            text_put(&t, "none");
        break;
    }
    return text_end(&t);
}

int setup_write(const struct game *game, const struct setup *setup, char *to,
                size_t cap)
{
    struct text t = text_begin(to, cap);
    text_put(&t, "game: ");
    text_put(&t, game->name);
    text_put(&t, "\nseats: ");
    text_int(&t, setup->seats);
    for (int i = 0; game->options[i].name; i++) {
        if (setup->option[i] == OPTION_UNSET)
            continue;
        char value[512];
        setup_write_value(&game->options[i], setup->option[i], value,
                          sizeof value);
        text_put(&t, "\noption ");
        text_put(&t, game->options[i].name);
        text_put(&t, ": ");
        text_put(&t, value);
    }
    text_put(&t, "\nseed: ");
    text_hex(&t, setup->seed);
    text_put(&t, "\n");
    if (setup->given)
        text_put(&t, setup->given);
    return text_end(&t);
}

static bool read_hex(struct span s, uint64_t *out)
{
    if (s.length != 16)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < s.length; i++) {
        const char *digit = strchr("0123456789abcdef", s.at[i]);
        if (!digit || !*digit)
            return false;
        value = value << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    *out = value;
    return true;
}

/* Refuses the value of a line of the head. */
static bool bad_value(struct fault *f, int code, int line, struct span text,
                      struct span value)
{
    int column = (int)(value.at - text.at) + 1;
    return fault_span(f, code, line, column, value.at, value.length);
}

/* What a line of the head is. */
enum head { HEAD_LINE, HEAD_LAST, HEAD_NONE, HEAD_BAD };

static enum head read_head(const struct game *game, struct span line,
                           int number, struct setup *setup, struct fault *f)
{
    struct span value = line, key = span_cut(&value, ':');
    value = span_trim(value);
    long seats;
    bool good = true;
    enum head kind = HEAD_LINE;
    if (span_is(key, "game")) {
        good = span_is(value, game->name) ||
               bad_value(f, FAULT_FORMAT, number, line, value);
    } else if (span_is(key, "seats")) {
        good = span_int(value, game->seats_min, game->seats_max, &seats) ||
               bad_value(f, FAULT_SEATS, number, line, value);
        setup->seats = good ? (int)seats : setup->seats;
    } else if (span_is(key, "seed")) {
        good = read_hex(value, &setup->seed) ||
               bad_value(f, FAULT_VALUE, number, line, value);
        kind = HEAD_LAST;
    } else if (key.length > 7 && memcmp(key.at, "option ", 7) == 0) {
        struct span name = {key.at + 7, key.length - 7};
        good = setup_option(game, setup, name, value, f);
        if (!good) {
            f->line = number;
            f->column = 1;
        }
    } else {
        return HEAD_NONE;
    }
    return good ? kind : HEAD_BAD;
}

bool setup_read(const struct game *game, const char *text, struct setup *setup,
                struct fault *f)
{
    struct setup read = *setup;
    struct lines l = lines_of(span_of(text));
    struct span line;
    const char *given = text;
    enum head kind = HEAD_LINE;
    while (kind == HEAD_LINE && lines_next(&l, &line)) {
        kind = read_head(game, line, l.number, &read, f);
        if (kind == HEAD_BAD)
            return false;
        if (kind != HEAD_NONE)
            given = l.rest.at;
    }
    if (*given)
        read.given = given;
    *setup = read;
    return true;
}

static bool is_note(struct span line)
{
    return line.length > 5 && memcmp(line.at, "note ", 5) == 0;
}

/* Copies a head behind what the caller gives where the file is silent, with
 * the notes apart.  NULL if there is no room. */
static const char *copy_head(struct lines *l, struct record *r)
{
    char *to = r->given + strlen(r->given) + 1;
    size_t cap = r->given_cap - (size_t)(to - r->given);
    struct text head = text_begin(to, cap);
    struct text notes = text_begin(r->notes, r->notes_cap);
    struct span line;
    while (lines_next(l, &line) && line.length > 0) {
        size_t skip = is_note(line) ? 5 : 0;
        struct text *t = skip ? &notes : &head;
        text_bytes(t, line.at + skip, line.length - skip);
        text_char(t, '\n');
    }
    text_end(&notes);
    text_end(&head);
    return head.length < cap && notes.length < r->notes_cap ? to : NULL;
}

/* Does the file say this itself?  An option that says "given" does not. */
static bool is_settled(const struct game *game, const struct setup *file,
                       struct span key)
{
    char name[64];
    struct given g;
    span_copy(key, name, sizeof name);
    if (given_find(file->given, name, &g))
        return true;
    int i = find(game, key);
    if (i < 0 || file->option[i] == OPTION_UNSET)
        return false;
    setup_write_value(&game->options[i], file->option[i], name, sizeof name);
    return strcmp(name, "given") != 0;
}

/* Appends what the caller gives and the file leaves open to the copied head,
 * whose last lines are those given by the file; false if there is no room. */
static bool add_open(const struct game *game, const struct setup *file,
                     const char *head, const struct record *r)
{
    char *to = r->given + (head - r->given) + strlen(head);
    size_t cap = r->given_cap - (size_t)(to - r->given);
    struct text t = text_begin(to, cap);
    const char *at = r->setup.given;
    int line = 0;
    struct given g;
    for (const char *begin = at; given_next(&at, &line, &g); begin = at)
        if (!is_settled(game, file, g.key))
            text_bytes(&t, begin, (size_t)(at - begin));
    text_end(&t);
    return t.length < cap;
}

static int count_lines(const char *from, const char *to)
{
    int count = 0;
    while (from < to)
        count += *from++ == '\n';
    return count;
}

/* The line of the file that became line `wanted` of the copy without notes. */
static int line_in_file(struct lines file, int wanted)
{
    struct span line;
    while (wanted > 0 && lines_next(&file, &line))
        wanted -= !is_note(line);
    return file.number;
}

/* The setup of the file, and where it is silent that of the caller. */
static bool read_setup(const struct game *game, const char *head,
                       struct record *r, int *own, struct fault *f)
{
    struct setup file = r->setup;
    for (int i = 0; i < GAME_OPTIONS; i++)
        file.option[i] = OPTION_UNSET;
    file.given = NULL;
    if (!setup_read(game, head, &file, f))
        return false;
    const char *end = head + strlen(head);
    const char *given = file.given ? file.given : end;
    *own = count_lines(given, end);
    if (!add_open(game, &file, head, r))
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    memmove(r->given, given, strlen(given) + 1);
    for (int i = 0; i < GAME_OPTIONS; i++)
        if (file.option[i] == OPTION_UNSET)
            file.option[i] = r->setup.option[i];
    r->setup = file;
    r->setup.given = *r->given ? r->given : NULL;
    return true;
}

bool setup_read_record(const struct game *game, struct lines *l,
                       struct record *r, struct fault *f)
{
    struct lines file = *l;
    const char *head = copy_head(l, r);
    if (!head)
        return fault_set(f, FAULT_SIZE, 0, 0, "");
    int lines = count_lines(head, head + strlen(head)), own;
    if (!read_setup(game, head, r, &own, f)) {
        f->line = f->line ? line_in_file(file, f->line) : 0;
        return false;
    }
    if (game->prepare(r->world, &r->setup, f))
        return true;
    /* What the caller gives stands in no line of the file. */
    bool known = f->line > 0 && f->line <= own;
    f->line = known ? line_in_file(file, lines - own + f->line) : 0;
    return false;
}

bool given_next(const char **at, int *line, struct given *out)
{
    if (!*at || !**at)
        return false;
    struct span rest = span_of(*at);
    struct span head = span_cut(&rest, '\n');
    out->line = ++*line;
    out->key = span_trim(span_cut(&head, ':'));
    const char *begin = head.at, *end = head.at + head.length;
    if (span_trim(head).length == 0 && rest.length > 0 && *rest.at == '\t')
        begin = rest.at;
    while (rest.length > 0 && *rest.at == '\t') {
        struct span more = span_cut(&rest, '\n');
        end = more.at + more.length;
        ++*line;
    }
    out->value = (struct span){begin, (size_t)(end - begin)};
    if (begin == head.at)
        out->value = span_trim(out->value);
    *at = rest.at;
    return true;
}

bool given_find(const char *given, const char *key, struct given *out)
{
    int line = 0;
    while (given_next(&given, &line, out))
        if (span_is(out->key, key))
            return true;
    return false;
}

int given_unfold(struct span value, char *to, size_t cap)
{
    struct text t = text_begin(to, cap);
    struct lines l = lines_of(value);
    struct span line;
    while (lines_next(&l, &line)) {
        if (line.length > 0 && *line.at == '\t') {
            line.at++;
            line.length--;
        }
        if (l.number > 1)
            text_char(&t, '\n');
        text_bytes(&t, line.at, line.length);
    }
    return text_end(&t);
}

void given_add(struct text *t, const char *key, struct span value)
{
    text_put(t, key);
    text_char(t, ':');
    if (value.length > 0 && !memchr(value.at, '\n', value.length)) {
        text_char(t, ' ');
        text_bytes(t, value.at, value.length);
        text_char(t, '\n');
        return;
    }
    text_char(t, '\n');
    struct lines l = lines_of(value);
    struct span line;
    while (lines_next(&l, &line)) {
        text_char(t, '\t');
        text_bytes(t, line.at, line.length);
        text_char(t, '\n');
    }
}
