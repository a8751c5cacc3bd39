/* rules/mystica/map.c: the board as a world.
 *
 * Everything reach, shipping and bridges ask for is laid out once as sets of
 * cells, so that the rules only unite and intersect them. */
#include "rules/mystica/map.h"

#include "rules/mystica/faults.h"
#include "rules/mystica/tables.h"

static int letter_terrain(char c)
{
    const char *at = c && c != '*' ? strchr(colour_letters, c) : NULL;
    return at ? (int)(at - colour_letters) : -1;
}

/* Rows with odd label index lie half a cell to the right. */
static int x_of(const struct world *w, int cell)
{
    return 2 * w->col[cell] + (w->row[cell] & 1);
}

static int hex_distance(const struct world *w, int a, int b)
{
    int down = w->row[a] - w->row[b], along = x_of(w, a) - x_of(w, b);
    down = down < 0 ? -down : down;
    along = along < 0 ? -along : along;
    return down + max_int(0, (along - down) / 2);
}

static void name_cell(struct world *w, int cell, char label, int number)
{
    char *to = w->name[cell];
    *to++ = label;
    if (number >= 10)
        *to++ = (char)('0' + number / 10);
    *to++ = (char)('0' + number % 10);
    *to = 0;
}

static bool read_rows(struct world *w, const char *const rows[9], int *bad)
{
    int cell = 0, rivers = 0;
    size_t wide = strlen(rows[0]);
    w->first_label = wide == 13 ? 0 : 1;
    for (int row = 0; row < 9; row++) {
        int label = row + w->first_label, land = 0;
        int length = label & 1 ? 12 : 13;
        *bad = row + 1;
        if (strlen(rows[row]) != (size_t)length)
            return false;
        for (int col = 0; col < length; col++, cell++) {
            int terrain = letter_terrain(rows[row][col]);
            if (terrain < 0)
                return false;
            w->row[cell] = (uint8_t)label;
            w->col[cell] = (uint8_t)col;
            w->terrain[cell] = (uint8_t)terrain;
            cells_add(terrain == RIVER ? &w->river : &w->land, cell);
            if (terrain == RIVER)
                name_cell(w, cell, 'r', rivers++);
            else
                name_cell(w, cell, (char)('A' + label), ++land);
            if (row == 0 || row == 8 || col == 0 || col == length - 1)
                cells_add(&w->edge, cell);
        }
    }
    w->cells = cell;
    return true;
}

static void lay_distances(struct world *w)
{
    for (int a = 0; a < w->cells; a++)
        for (int b = 0; b < w->cells; b++) {
            w->distance[a][b] = (uint8_t)hex_distance(w, a, b);
            if (w->distance[a][b] == 1)
                cells_add(&w->near[a], b);
        }
}

static struct cells around(const struct world *w, struct cells from)
{
    struct cells all = from;
    while (!cells_none(from))
        all = cells_or(all, w->near[cells_take(&from)]);
    return all;
}

/* mystica §5: the fewest river cells of a chain that touches both ends.  From
 * a river cell (a special tile) the count starts behind it. */
static void lay_shipping(struct world *w, int cell)
{
    struct cells water = {{0}};
    if (cells_has(w->river, cell))
        cells_add(&water, cell);
    else
        water = cells_and(w->near[cell], w->river);
    int first = cells_has(w->river, cell) ? 0 : 1;
    for (int level = first; level <= SHIP_MAX; level++) {
        struct cells shore = cells_and(around(w, water), w->land);
        cells_drop(&shore, cell);
        w->ship[level][cell] = shore;
        water = cells_and(around(w, water), w->river);
    }
}

static void lay_skips(struct world *w, int cell)
{
    struct cells reached = {{0}};
    cells_add(&reached, cell);
    reached = around(w, reached);
    for (int range = 0; range <= SKIP_MAX; range++) {
        w->skip[range][cell] = cells_and(reached, w->land);
        cells_drop(&w->skip[range][cell], cell);
        reached = around(w, reached);
    }
}

/* How many cells a hexagon has at this place, were the board endless: a
 * common neighbour position off the board counts for bridges too. */
static bool bridge_pair(const struct world *w, int a, int b)
{
    if (w->distance[a][b] != 2)
        return false;
    int down = w->row[a] - w->row[b], along = x_of(w, a) - x_of(w, b);
    if (down < 0)
        down = -down;
    if (along < 0)
        along = -along;
    /* Two common positions: straight up and down, or one row and three
     * half cells away; the other pairs share only one. */
    if (!(down == 2 && along == 0) && !(down == 1 && along == 3))
        return false;
    struct cells between = cells_and(w->near[a], w->near[b]);
    return !cells_none(between) && !cells_meet(between, w->land);
}

static void lay_bridges(struct world *w)
{
    for (int a = 0; a < w->cells; a++)
        for (int b = 0; b < w->cells; b++)
            if (cells_has(w->land, a) && cells_has(w->land, b) &&
                bridge_pair(w, a, b))
                cells_add(&w->span[a], b);
}

int map_build(struct world *w, const char *const rows[9])
{
    int bad = 1;
    if (!read_rows(w, rows, &bad))
        return bad;
    lay_distances(w);
    for (int cell = 0; cell < w->cells; cell++) {
        lay_shipping(w, cell);
        lay_skips(w, cell);
    }
    lay_bridges(w);
    return 0;
}

/* ---- text ---- */

/* The first row has 13 letters or 12; from then on they alternate. */
static int wanted_length(const char rows[9][14], int row)
{
    bool wide = strlen(rows[0]) == 13;
    return wide == (row % 2 == 0) ? 13 : 12;
}

/* Copies the letters of a line, a dot being a river too; returns the column of
 * the first that is wrong or missing, 0 if it is a good row. */
static int read_row(char rows[9][14], int row, struct span line)
{
    int count = 0;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i] == '.' ? 'I' : line.at[i];
        if (c == ' ' || c == '\t' || c == '\r')
            continue;
        if (letter_terrain(c) < 0 || count == 13)
            return (int)i + 1;
        rows[row][count++] = c;
        rows[row][count] = '\0';
        if (row && count > wanted_length((const char(*)[14])rows, row))
            return (int)i + 1;
    }
    bool good = row ? count == wanted_length((const char(*)[14])rows, row)
                    : count >= 12;
    return good ? 0 : (int)line.length + 1;
}

bool map_read(struct world *w, struct span text, int line, struct fault *f)
{
    char rows[9][14];
    const char *row[9];
    struct lines l = lines_of(text);
    struct span one;
    int count = 0;
    memset(rows, 0, sizeof rows);
    while (lines_next(&l, &one)) {
        if (!span_trim(one).length)
            continue;
        int column = count == 9 ? 1 : read_row(rows, count, one);
        one = span_trim(one);
        if (column)
            return fault_span(f, BAD_MAP_ROW, line + l.number, column, one.at,
                              one.length);
        row[count] = rows[count];
        count++;
    }
    if (count < 9)
        return fault_set(f, BAD_MAP_ROW, line + l.number + 1, 1, "fewer rows");
    int bad = map_build(w, row);
    check(bad == 0);
    return true;
}

void map_write(const struct world *w, struct text *t)
{
    for (int cell = 0; cell < w->cells; cell++) {
        if (cell && w->row[cell] != w->row[cell - 1])
            text_char(t, '\n');
        text_char(t, colour_letters[w->terrain[cell]]);
    }
    text_char(t, '\n');
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

int map_find(const struct world *w, const char *name, size_t length)
{
    for (int cell = 0; cell < w->cells; cell++) {
        const char *own = w->name[cell];
        size_t at = 0;
        while (at < length && own[at] && upper(own[at]) == upper(name[at]))
            at++;
        if (at == length && !own[at])
            return cell;
    }
    return -1;
}
