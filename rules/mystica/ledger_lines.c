/* rules/mystica/ledger_lines.c: lines of the public server: rows and comments.
 */
#include "rules/mystica/ledger_parts.h"

static int split_tabs(struct span line, struct span field[FIELDS + 1])
{
    int count = 0;
    while (count <= FIELDS) {
        const char *tab = memchr(line.at, '\t', line.length);
        size_t length = tab ? (size_t)(tab - line.at) : line.length;
        field[count++] = (struct span){line.at, length};
        if (!tab)
            break;
        line.at += length + 1;
        line.length -= length + 1;
    }
    return count;
}

/* Of a comment only the first field counts. */
struct span ledger_first_field(struct span line)
{
    return span_cut(&line, '\t');
}

/* "20 VP", "5/7/0 PW", "0/1/0/1": the numbers of a field. */
static bool read_numbers(struct span field, int *out, int count)
{
    field = span_trim(field);
    struct span rest = span_word(&field);
    for (int i = 0; i < count; i++) {
        long number;
        if (!span_int(span_cut(&rest, '/'), 0, 9999, &number))
            return false;
        out[i] = (int)number;
    }
    return rest.length == 0;
}

static bool read_values(const struct span *field, struct values *v)
{
    return read_numbers(field[2], &v->vp, 1) &&
           read_numbers(field[4], &v->coins, 1) &&
           read_numbers(field[6], &v->workers, 1) &&
           read_numbers(field[8], &v->priests, 1) &&
           read_numbers(field[10], v->bowl, 3) &&
           read_numbers(field[12], v->cult, TRACKS);
}

/* "+3", "-12" or nothing. */
static bool read_change(struct span field, int *out)
{
    long number = 0;
    field = span_trim(field);
    if (field.length && field.at[0] == '+') {
        field.at++;
        field.length--;
    }
    bool good = field.length == 0 || span_int(field, -999, 999, &number);
    *out = (int)number;
    return good;
}

static bool read_changes(const struct span *field, int change[CHANGES])
{
    bool good = true;
    for (int i = 0; i < CHANGES; i++)
        good &= read_change(field[2 * i + 1], &change[i]);
    return good;
}

static bool is_number(struct span word)
{
    size_t at = word.length && (word.at[0] == '+' || word.at[0] == '-');
    if (at == word.length)
        return false;
    for (; at < word.length; at++)
        if (word.at[at] < '0' || word.at[at] > '9')
            return false;
    return true;
}

/* "faction: commands", "faction commands", "faction 2 1 commands". */
static bool read_plain_row(struct span line, struct row *row)
{
    struct span rest = span_trim(line);
    struct span after = rest, prefix = span_trim(span_cut(&after, ':'));
    struct span first = span_word(&rest);
    if (prefix.length <= first.length) {
        first = prefix;
        rest = after;
    }
    row->faction = find_faction(first);
    if (row->faction < 0)
        return false;
    for (;;) {
        after = rest;
        struct span word = span_word(&after);
        if (!word.length || !is_number(word) || !after.length)
            break;
        rest = after;
    }
    row->commands = span_trim(rest);
    return row->commands.length > 0;
}

/* Sorts a line; *row is filled for a row. */
enum line_kind ledger_read_row(struct span line, int number, struct row *row)
{
    struct span field[FIELDS + 1];
    int count = split_tabs(line, field);
    memset(row, 0, sizeof *row);
    row->line = number;
    row->faction = -1;
    if (count >= 5) {
        row->faction = find_faction(span_trim(field[0]));
        row->has_values = true;
        if (count != FIELDS || !read_values(field, &row->values) ||
            !read_changes(field, row->change))
            return LINE_BAD;
        if (row->faction < 0)
            return LINE_NOBODY;
        row->offers = span_trim(field[13]);
        row->commands = span_trim(field[14]);
        return LINE_ROW;
    }
    struct span text = span_trim(ledger_first_field(line));
    if (text.length && text.at[0] == '#')
        return LINE_COMMENT;
    const char *hash = memchr(text.at, '#', text.length);
    if (hash)
        text.length = (size_t)(hash - text.at);
    struct span rest = text, first = span_word(&rest);
    struct span second = span_word(&rest);
    if (same_word(second, "dropped") && find_faction(first) >= 0)
        return LINE_COMMENT;
    return read_plain_row(text, row) ? LINE_ROW : LINE_COMMENT;
}

bool starts_with(struct span s, const char *word)
{
    size_t length = strlen(word);
    return s.length >= length && same_word((struct span){s.at, length}, word);
}

/* Without the mark some editors put before UTF-8. */
struct span ledger_after_mark(const char *text, size_t length)
{
    bool mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    return (struct span){text + (mark ? 3 : 0), length - (mark ? 3 : 0)};
}

bool ledger_recognise(const char *text, size_t length)
{
    struct lines lines = lines_of(ledger_after_mark(text, length));
    struct span line;
    while (lines_next(&lines, &line)) {
        struct span field[FIELDS + 1];
        if (split_tabs(line, field) >= 5)
            return find_faction(span_trim(field[0])) >= 0;
    }
    return false;
}

/* A command file: rows of factions, or administrative lines. */
bool commands_recognise(const char *text, size_t length)
{
    struct lines lines = lines_of(ledger_after_mark(text, length));
    struct span line;
    int hits = 0;
    while (lines_next(&lines, &line) && hits < 3) {
        struct row row;
        struct span rest = span_trim(line), first = span_word(&rest);
        hits += ledger_read_row(line, 1, &row) == LINE_ROW ||
                same_word(first, "option") || same_word(first, "score") ||
                same_word(first, "setup") || same_word(first, "removing");
    }
    return hits >= 3;
}
