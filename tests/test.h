/* tests/test.h: what every test program includes.
 *
 * TEST_FAULT() checks the code of a fault and remembers that some test has
 * produced it: tools/faults compares what was remembered with the tables of
 * all games, so that no refusal stays untested. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "game/fault.h"
#include "game/game.h"

/* Notes that `code` was produced, as a line "game name" in the file named by
 * TERRA_FAULTS_SEEN; without that variable nothing is noted. */
static inline void test_saw_fault(const struct game *game, int code)
{
    const char *path = getenv("TERRA_FAULTS_SEEN");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %s\n", code < FAULT_GAME ? "shared" : game->name,
            fault_text(game, code)->name);
    fclose(file);
}

/* Only faults that a test expects by code or by name are noted. */
#define TEST_FAULT(game, fault, expected)                                      \
    do {                                                                       \
        assert_string_equal(fault_text((game), (fault)->code)->name,           \
                            fault_text((game), (expected))->name);             \
        assert_int_equal((fault)->code, (expected));                           \
        test_saw_fault((game), (fault)->code);                                 \
    } while (0)

#define TEST_FAULT_NAMED(game, fault, expected)                                \
    do {                                                                       \
        assert_string_equal(fault_text((game), (fault)->code)->name,           \
                            (expected));                                       \
        test_saw_fault((game), (fault)->code);                                 \
    } while (0)

#endif
