/* store/copy.c: everything from one back end to another, and a look whether it
 * arrived. */
#include "store/backend.h"

#include <libintl.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 500, PARTS = 3 };

struct end {
    const struct store_backend *kind;
    void *b; /* owned */
};

/* Where a page ended; the next one begins behind it. */
struct place {
    char kind[128], key[512];
    int64_t number;
};

static bool page(const struct end *from, enum store_part part,
                 const struct place *after, struct store_rows *rows)
{
    struct store_row row = {(char *)after->kind, (char *)after->key, NULL,
                            after->number, 0};
    return from->kind->page(from->b, part, &row, PAGE, rows);
}

static void step(struct place *to, const struct store_rows *rows)
{
    if (rows->count == 0)
        return;
    const struct store_row *last = &rows->list[rows->count - 1];
    snprintf(to->kind, sizeof to->kind, "%s", last->kind ? last->kind : "");
    snprintf(to->key, sizeof to->key, "%s", last->key);
    to->number = last->number;
}

static bool restore(const struct end *to, enum store_part part,
                    const struct store_rows *rows)
{
    bool good = to->kind->begin(to->b);
    for (int i = 0; good && i < rows->count; i++)
        good = to->kind->restore(to->b, part, &rows->list[i]);
    return good && to->kind->commit(to->b);
}

static bool copy_part(const struct end *from, const struct end *to,
                      enum store_part part, int64_t *count)
{
    struct place at = {0};
    int found = PAGE;
    bool good = true;
    while (good && found == PAGE) {
        struct store_rows rows = {0};
        good = page(from, part, &at, &rows) && restore(to, part, &rows);
        found = rows.count;
        *count += found;
        step(&at, &rows);
        rows_release(&rows);
    }
    return good;
}

/* ---- looking again ---- */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same(const struct store_rows *a, const struct store_rows *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++) {
        const struct store_row *x = &a->list[i], *y = &b->list[i];
        if (!same_text(x->kind, y->kind) || !same_text(x->key, y->key) ||
            !same_text(x->text, y->text) || x->number != y->number ||
            x->at != y->at)
            return false;
    }
    return true;
}

static bool compare_part(const struct end *from, const struct end *to,
                         enum store_part part)
{
    struct place at = {0};
    int found = PAGE;
    bool good = true;
    while (good && found == PAGE) {
        struct store_rows there = {0}, here = {0};
        good = page(from, part, &at, &there) && page(to, part, &at, &here) &&
               same(&there, &here);
        found = there.count;
        step(&at, &there);
        rows_release(&there);
        rows_release(&here);
    }
    return good;
}

static bool empty(const struct end *to)
{
    struct place at = {0};
    bool good = true;
    for (int part = 0; good && part < PARTS; part++) {
        struct store_rows rows = {0};
        good = page(to, (enum store_part)part, &at, &rows) && rows.count == 0;
        rows_release(&rows);
    }
    return good;
}

/* ---- both ends ---- */

static bool refuse(char *why, size_t cap, const char *what, const char *more)
{
    snprintf(why, cap, "%s%s", what, more);
    return false;
}

static bool copy_all(const struct end *from, const struct end *to,
                     int64_t *counts, char *why, size_t cap)
{
    if (!empty(to))
        return refuse(why, cap, gettext("the store to copy to is not empty"),
                      "");
    if (!from->kind->snapshot(from->b))
        return refuse(why, cap, gettext("cannot read: "),
                      from->kind->why(from->b));
    bool good = true;
    for (int i = 0; good && i < PARTS; i++)
        good = copy_part(from, to, (enum store_part)i, &counts[i]);
    if (!good) {
        const char *said = to->kind->why(to->b);
        refuse(why, cap, gettext("cannot copy: "),
               *said ? said : from->kind->why(from->b));
    }
    for (int i = 0; good && i < PARTS; i++)
        if (!compare_part(from, to, (enum store_part)i))
            good = refuse(why, cap, gettext("the copy is not equal"), "");
    from->kind->rollback(from->b);
    return good;
}

bool store_copy(const struct store_backend *from, const char *from_place,
                const struct store_backend *to, const char *to_place,
                struct store_copied *copied, char *why, size_t cap)
{
    int64_t counts[PARTS] = {0};
    struct end source = {from, NULL}, target = {to, NULL};
    if (!from->page || !to->page)
        return refuse(why, cap, gettext("this store cannot be copied"), "");
    source.b = from->open(from_place, why, cap);
    target.b = source.b ? to->open(to_place, why, cap) : NULL;
    bool good = target.b && copy_all(&source, &target, counts, why, cap);
    if (source.b)
        from->close(source.b);
    if (target.b)
        to->close(target.b);
    if (good && copied)
        *copied = (struct store_copied){counts[0], counts[1], counts[2]};
    return good;
}
