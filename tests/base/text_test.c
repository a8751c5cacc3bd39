/* tests/base/text_test.c: writing never overruns, reading never overreads. */
#include "tests/test.h"

#include "base/text.h"

static void test_writer_cuts(void **state)
{
    (void)state;
    char small[6] = "xxxxx";
    struct text t = text_begin(small, sizeof small - 1);
    text_put(&t, "abc");
    text_int(&t, -1234);
    assert_int_equal(text_end(&t), 8);
    assert_string_equal(small, "abc-");
    assert_int_equal(small[5], '\0');
    t = text_begin(NULL, 0);
    text_put(&t, "abc");
    assert_int_equal(text_end(&t), 3);
}

static void check_written(struct text *t, const char *expected)
{
    assert_int_equal(text_end(t), strlen(expected));
    assert_string_equal(t->to, expected);
    t->length = 0;
}

static void test_numbers(void **state)
{
    (void)state;
    char buffer[64];
    struct text t = text_begin(buffer, sizeof buffer);
    text_int(&t, 0);
    check_written(&t, "0");
    text_int(&t, INT64_MIN);
    check_written(&t, "-9223372036854775808");
    text_hex(&t, 0xa7);
    check_written(&t, "00000000000000a7");
    text_milli(&t, -1250);
    check_written(&t, "-1.250");
    text_milli(&t, 5);
    check_written(&t, "0.005");
}

static void test_json(void **state)
{
    (void)state;
    char buffer[64];
    struct text t = text_begin(buffer, sizeof buffer);
    text_json(&t, "a\"b\\\n\x01\x7f");
    check_written(&t, "\"a\\\"b\\\\\\n\\u0001\\u007f\"");
}

static void test_spans(void **state)
{
    (void)state;
    struct span rest = span_of("  one\ttwo  ");
    assert_true(span_is(span_word(&rest), "one"));
    assert_true(span_is(span_word(&rest), "two"));
    assert_int_equal(span_word(&rest).length, 0);
    rest = span_of("a:b:c");
    assert_true(span_is(span_cut(&rest, ':'), "a"));
    assert_true(span_is(rest, "b:c"));
    span_cut(&rest, ';');
    assert_int_equal(rest.length, 0);
    assert_true(span_is(span_trim(span_of(" \t x y\r")), "x y"));
    assert_true(span_same(span_of("one"), span_of("one")));
    assert_false(span_same(span_of("one"), span_of("ones")));
    assert_false(span_same(span_of("one"), span_of("two")));
}

static bool is_number(const char *text, long low, long high)
{
    long value = 77;
    bool good = span_int(span_of(text), low, high, &value);
    assert_true(good || value == 77);
    return good;
}

static void test_whole_numbers(void **state)
{
    (void)state;
    assert_true(is_number("0", 0, 9));
    assert_true(is_number("-12", -20, 9));
    assert_false(is_number("", 0, 9));
    assert_false(is_number("-", -9, 9));
    assert_false(is_number("-0", -9, 9));
    assert_false(is_number("01", 0, 9));
    assert_false(is_number("+1", 0, 9));
    assert_false(is_number("1 ", 0, 9));
    assert_false(is_number("10", 0, 9));
    assert_false(is_number("99999999999999999999", 0, LONG_MAX));
}

static bool utf8(const char *bytes, size_t length)
{
    size_t bad = 99;
    return span_utf8((struct span){bytes, length}, &bad);
}

static void test_utf8(void **state)
{
    (void)state;
    assert_true(utf8("a\xc3\xa9\xe2\x80\xa6\xf0\x9f\x8c\x8d", 10));
    assert_false(utf8("\xc0\x80", 2));         /* overlong */
    assert_false(utf8("\xe0\x9f\xbf", 3));     /* overlong */
    assert_false(utf8("\xed\xa0\x80", 3));     /* surrogate */
    assert_false(utf8("\xf4\x90\x80\x80", 4)); /* above U+10FFFF */
    assert_false(utf8("\xe2\x80", 2));         /* cut off */
    assert_false(utf8("a\0b", 3));
    assert_false(utf8("\x80", 1));
}

static void test_lines(void **state)
{
    (void)state;
    struct lines l = lines_of(span_of("one\r\n\ntwo"));
    struct span line;
    assert_true(lines_next(&l, &line) && span_is(line, "one"));
    assert_true(lines_next(&l, &line) && span_is(line, ""));
    assert_true(lines_next(&l, &line) && span_is(line, "two"));
    assert_int_equal(l.number, 3);
    assert_false(lines_next(&l, &line));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writer_cuts),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_json),          cmocka_unit_test(test_spans),
        cmocka_unit_test(test_whole_numbers), cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
