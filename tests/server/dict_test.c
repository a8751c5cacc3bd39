/* Things found by text: also when they go while one looks at them all, and in
 * an order that nobody outside can know. */
#include "server/dict.h"
#include "tests/test.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 200 };

static char keys[KEYS][8];

static void fill(struct dict *m)
{
    for (int i = 0; i < KEYS; i++) {
        snprintf(keys[i], sizeof keys[i], "k%d", i);
        dict_set(m, keys[i], keys[i]);
    }
}

/* The first keys in the order of another process. */
static void order_of_another(char to[KEYS])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct dict m = {0};
        size_t at = 0;
        char order[KEYS];
        int count = 0;
        fill(&m);
        for (const char *key; (key = dict_next(&m, &at));)
            order[count++] = (char)((key - keys[0]) / (int)sizeof keys[0]);
        _exit(write(ends[1], order, sizeof order) != (ssize_t)sizeof order);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], to, KEYS), KEYS);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Before anything else: this process has no secret yet to hand on. */
static void every_run_has_an_order_of_its_own(void **state)
{
    char one[KEYS], other[KEYS];
    (void)state;
    order_of_another(one);
    order_of_another(other);
    assert_memory_not_equal(one, other, KEYS);
}

static void all_are_found_until_they_go(void **state)
{
    struct dict m = {0};
    (void)state;
    assert_null(dict_find(&m, "k1"));
    fill(&m);
    for (int i = 0; i < KEYS; i += 3)
        dict_drop(&m, keys[i]);
    dict_drop(&m, "nobody");
    for (int i = 0; i < KEYS; i++)
        assert_ptr_equal(dict_find(&m, keys[i]), i % 3 ? keys[i] : NULL);
    assert_int_equal(m.count, KEYS - (KEYS + 2) / 3);
    dict_release(&m);
}

/* As people_rest() and limits_rest() do it: one may be passed over, none that
 * stays gets lost, and soon all are gone. */
static void they_may_go_while_one_looks(void **state)
{
    struct dict m = {0};
    (void)state;
    fill(&m);
    for (int round = 0; round < 20; round++) {
        size_t at = 0;
        for (const char *key; (key = dict_next(&m, &at));)
            if (key[1] % 2)
                dict_drop(&m, key);
    }
    for (int i = 0; i < KEYS; i++)
        assert_ptr_equal(dict_find(&m, keys[i]),
                         keys[i][1] % 2 ? NULL : keys[i]);
    dict_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_has_an_order_of_its_own),
        cmocka_unit_test(all_are_found_until_they_go),
        cmocka_unit_test(they_may_go_while_one_looks),
    };
    return cmocka_run_group_tests_name("dict", tests, NULL, NULL);
}
