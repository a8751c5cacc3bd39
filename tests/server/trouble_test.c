/* tests/server/trouble_test.c: what went wrong, in the reader's language. */
#include "server/trouble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void liked(const char *accepts, const char *language)
{
    assert_string_equal(trouble_language(accepts), language);
}

static void test_language(void **unused)
{
    (void)unused;
    liked(NULL, "en");
    liked("", "en");
    liked("nl", "nl");
    liked("nl-NL,nl;q=0.9,en;q=0.8", "nl");
    liked("fr-FR, sv;q=0.5, de;q=0.7", "de");
    liked("en;q=0.2,sv-SE;q=0.9", "sv");
    liked("de;q=0, sv;q=0.1", "sv");
    liked("nl;q=0.05,sv;q=0.501,de;q=0.5", "sv");
    liked("EN;q=0.9,DE-at;q=1.0", "de");
    liked("en-GB,en,nl,sv,de", "en");
}

/* Neither what we do not speak nor nonsense leads anywhere but to English. */
static void test_language_unknown(void **unused)
{
    (void)unused;
    liked("fr, ja;q=0.9, *;q=0.1", "en");
    liked("den, nld, svenska", "en");
    liked("nl;q=x", "en");
    liked("nl;q=-1", "en");
    liked("nl;q=2", "en");
    liked(";;;,,,q=,q=1", "en");
    liked("n", "en");
}

static char page[2048];

static const char *write_page(enum trouble t, const char *language,
                              const char *path)
{
    size_t length = trouble_page(t, language, path, page, sizeof page);
    assert_int_equal(length, strlen(page));
    assert_non_null(strstr(page, "</html>\n"));
    return page;
}

/* Every page in every language says so in its head and differs from the
 * English one. */
static void test_pages(void **unused)
{
    (void)unused;
    static const char *const other[] = {"nl", "sv", "de"};
    for (int t = 0; t < TROUBLES; t++) {
        char english[sizeof page];
        strcpy(english, write_page((enum trouble)t, "en", "/x"));
        assert_non_null(strstr(english, "Go to the start page"));
        assert_true(trouble_status((enum trouble)t) >= 400);
        for (int i = 0; i < 3; i++) {
            char lang[16];
            snprintf(lang, sizeof lang, "lang=\"%s\"", other[i]);
            write_page((enum trouble)t, other[i], "/x");
            assert_non_null(strstr(page, lang));
            assert_string_not_equal(page, english);
        }
    }
    assert_non_null(
        strstr(write_page(TROUBLE_MISSING, "nl", ""), "Pagina niet gevonden"));
    assert_non_null(
        strstr(write_page(TROUBLE_MISSING, "sv", ""), "Till startsidan"));
    assert_non_null(strstr(write_page(TROUBLE_BUSY, "de", ""), "noch einmal"));
}

static void test_path(void **unused)
{
    (void)unused;
    write_page(TROUBLE_MISSING, "en", "/<script>&x");
    assert_non_null(strstr(page, "/&lt;script&gt;&amp;x"));
    assert_null(strstr(page, "<script"));
    char path[512];
    memset(path, '<', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    for (int t = 0; t < TROUBLES; t++)
        write_page((enum trouble)t, "de", path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language),
        cmocka_unit_test(test_language_unknown),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
