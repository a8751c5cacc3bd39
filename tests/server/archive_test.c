/* tests/server/archive_test.c: matches that older versions have stored.
 *
 * Each file of tests/games/online is what `terra admin show` printed once: the
 * record of a table, then its lines with their times.  It must replay and end
 * as the record says.  Files are added, never changed. */
#include "tests/server/harness.h"

#include <dirent.h>

static char *read_all(const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/tests/games/online/%s",
             getenv("TERRA_SOURCE") ? getenv("TERRA_SOURCE") : ".", name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = sure(calloc(1, 1 << 20));
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

static int read_rows(char *text, struct store_row *rows, int cap)
{
    int count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *rest;
        assert_true(count < cap);
        rows[count].at = strtoll(line, &rest, 10);
        rows[count].text = rest + 1;
        rows[count].number = count + 1;
        count++;
    }
    return count;
}

static void replay(const char *name)
{
    static struct store_row rows[5000];
    struct hub empty = {0};
    struct fault f = {0};
    const char *line;
    empty.redo_last = &empty.redo;
    char *text = read_all(name);
    char *end = strchr(text, '\n');
    *end = '\0';
    json_t *head = json_loads(text, 0, NULL);
    assert_non_null(head);
    struct table *t = table_new(&empty, "archive");
    table_read(&empty, t, head);
    int count = read_rows(end + 1, rows, 5000);
    assert_true(count > 5);
    if (!table_replay(t, rows, count, &f, &line))
        fail_msg("%s refuses '%s': %s", name, line,
                 fault_text(t->game, f.code)->phrase);
    struct result r;
    assert_true(match_over(t->match));
    t->game->result(match_world(t->match), match_state(t->match), &r);
    for (int i = 0; i < t->seats; i++) {
        assert_int_equal(r.points[i], t->result.points[i]);
        assert_int_equal(r.place[i], t->result.place[i]);
    }
    json_decref(head);
    free(text);
    tables_release(&empty);
}

static void old_matches_replay(void **state)
{
    char path[1100];
    int files = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/games/online",
             getenv("TERRA_SOURCE") ? getenv("TERRA_SOURCE") : ".");
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));)
        if (strstr(e->d_name, ".match")) {
            replay(e->d_name);
            files++;
        }
    closedir(folder);
    assert_true(files >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_matches_replay),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
