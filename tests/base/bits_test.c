/* tests/base/bits_test.c: sets, chance and hashes against plain versions. */
#include "tests/test.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/rng.h"

/* ---- sets ---- */

static void fill(struct bits *b, bool *plain, struct rng *r, int members)
{
    memset(b, 0, sizeof *b);
    memset(plain, 0, BITS_MAX * sizeof *plain);
    for (int i = 0; i < members; i++) {
        int member = rng_below(r, BITS_MAX);
        bits_add(b, member);
        plain[member] = true;
    }
}

static void check_same(const struct bits *b, const bool *plain)
{
    int count = 0, first = -1, seen = -1;
    for (int i = 0; i < BITS_MAX; i++) {
        assert_int_equal(bits_has(b, i), plain[i]);
        first = first < 0 && plain[i] ? i : first;
        count += plain[i];
    }
    assert_int_equal(bits_count(b), count);
    assert_int_equal(bits_first(b), first);
    assert_int_equal(bits_none(b), count == 0);
    BITS_EACH (member, *b) {
        assert_true(member > seen && plain[member]);
        seen = member;
        count--;
    }
    assert_int_equal(count, 0);
}

static void test_sets(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    for (int round = 0; round < 200; round++) {
        bool one[BITS_MAX], two[BITS_MAX], both[BITS_MAX];
        struct bits a, b, c;
        fill(&a, one, &r, round);
        fill(&b, two, &r, 200 - round);
        check_same(&a, one);
        bool meet = false;
        for (int i = 0; i < BITS_MAX; i++)
            meet |= both[i] = one[i] && two[i];
        c = bits_and(a, &b);
        check_same(&c, both);
        assert_int_equal(bits_meet(&a, &b), meet);
        assert_true(bits_within(&c, &a) && bits_within(&c, &b));
        assert_int_equal(bits_within(&a, &b), memcmp(&a, &c, sizeof a) == 0);
        for (int i = 0; i < BITS_MAX; i++)
            both[i] = one[i] || two[i];
        c = bits_or(a, &b);
        check_same(&c, both);
        for (int i = 0; i < BITS_MAX; i++)
            both[i] = one[i] && !two[i];
        c = bits_without(a, &b);
        check_same(&c, both);
        BITS_EACH (member, b)
            bits_drop(&a, member);
        check_same(&a, both);
    }
}

/* ---- chance ---- */

/* The published first numbers of SplitMix64 from seed 1234567: matches saved
 * today must be dealt the same for ever. */
static void test_generator_is_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        6457827717110365317u, 3203168211198807973u,  9817491932198370423u,
        4593380528125082431u, 16408922859458223821u,
    };
    struct rng r;
    rng_seed(&r, 1234567);
    for (int i = 0; i < 5; i++)
        assert_true(rng_next(&r) == expected[i]);
}

static void test_bounds(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 5);
    int count[7] = {0};
    for (int i = 0; i < 70000; i++)
        count[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 9500, 10500);
    assert_int_equal(rng_below(&r, 1), 0);
}

static void test_shuffle(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 9);
    int first[5] = {0};
    for (int round = 0; round < 5000; round++) {
        uint8_t item[5] = {0, 1, 2, 3, 4};
        unsigned seen = 0;
        rng_shuffle(&r, item, 5);
        for (int i = 0; i < 5; i++)
            seen |= 1u << item[i];
        assert_int_equal(seen, 31);
        first[item[0]]++;
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(first[i], 850, 1150);
    rng_shuffle(&r, NULL, 0);
}

/* ---- hashes ---- */

static void test_hash(void **state)
{
    (void)state;
    unsigned char data[40] = {0};
    uint64_t plain = hash_bytes(0, data, sizeof data);
    assert_true(hash_bytes(0, data, sizeof data) == plain);
    assert_true(hash_bytes(1, data, sizeof data) != plain);
    for (size_t bit = 0; bit < 8 * sizeof data; bit++) {
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(hash_bytes(0, data, sizeof data) != plain);
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    memset(data, 1, sizeof data);
    plain = hash_bytes(0, data, sizeof data);
    for (size_t size = 0; size < sizeof data; size++)
        assert_true(hash_bytes(0, data, size) != plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_generator_is_splitmix64),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
