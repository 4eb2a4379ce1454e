/* What the draw functions of every lesson are made of: the shapes, and numbers of a known spread.
 * Together with draws.c (a lesson's own draws) this is why no seed refuses a lesson. */
#include "run.h"

#include <string.h>

#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

enum { SEEDS = 300 };

void setUp(void)
{
}

void tearDown(void)
{
}

static Shape drawn(uint64_t seed, int index)
{
    Rng rng;
    rng_seed(&rng, seed);
    return odd_shape(&rng, index);
}

static void test_every_seed_has_the_shapes_that_are_promised(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool one_row = false, one_feature = false, prime = false, no_eps = false;
        int rows = 0, features = 0, rows_with_many = 0;
        double narrowest = 1, widest = 1, furthest = 0;
        for (int i = 0; i < SHAPES; i++) {
            Shape s = drawn(seed, i);
            one_row = one_row || s.rows == 1;
            one_feature = one_feature || s.features == 1;
            prime = prime || s.features == 997;
            no_eps = no_eps || s.eps == 0;
            TEST_ASSERT_TRUE(s.eps > 0 || (s.eps == 0 && s.rows > 2 && s.features > 2));
            rows = s.rows > rows ? s.rows : rows;
            features = s.features > features ? s.features : features;
            if (s.features > 4099 && s.rows > rows_with_many)
                rows_with_many = s.rows;
            narrowest = fmin(narrowest, s.spread);
            widest = fmax(widest, s.spread);
            furthest = fmax(furthest, fabs(s.offset));
        }
        TEST_ASSERT_TRUE(one_row && one_feature && prime && no_eps && rows_with_many > 1);
        TEST_ASSERT_TRUE(rows > 97 && rows <= 300 && features > 4099 && features <= 6000);
        TEST_ASSERT_TRUE(narrowest == 0.01 && widest == 100 && furthest == 1000);
    }
}

static void test_the_shapes_of_one_run_differ(void)
{
    int different = 0;
    for (int i = 0; i < SHAPES; i++) {
        int before = 0;
        while (before < i && (drawn(7, before).rows != drawn(7, i).rows ||
                              drawn(7, before).features != drawn(7, i).features))
            before++;
        different += before == i;
    }
    TEST_ASSERT_EQUAL(SHAPES, different);
}

/* Whoever reads the largest sizes off one run has not read off the next one's. */
static void test_the_largest_sizes_and_an_epsilon_depend_on_the_seed(void)
{
    int rows[SEEDS] = {0}, features[SEEDS] = {0}, same_rows = 0, same_features = 0, same_eps = 0;
    for (int s = 0; s < SEEDS; s++) {
        for (int i = 0; i < SHAPES; i++) {
            Shape shape = drawn((uint64_t)s, i);
            rows[s] = shape.rows > rows[s] ? shape.rows : rows[s];
            features[s] = shape.features > features[s] ? shape.features : features[s];
        }
        same_rows += s && rows[s] == rows[s - 1];
        same_features += s && features[s] == features[s - 1];
        same_eps += drawn((uint64_t)s, 6).eps == drawn((uint64_t)s + 1, 6).eps;
    }
    TEST_ASSERT_TRUE(same_rows < SEEDS / 20 && same_features < SEEDS / 20 && same_eps == 0);
}

/* Two equal numbers a thousand spreads from zero leave nothing that float32 could answer. */
static void test_no_numbers_are_all_but_equal_by_chance(void)
{
    Rng rng;
    rng_seed(&rng, 1);
    for (int n = 2; n < 6; n++)
        for (int trial = 0; trial < 100000; trial++) {
            float values[10];
            double sum = 0, squares = 0;
            fill_spread(values, n, 2, &rng, 0.5, 10);
            for (int i = 0; i < n; i++)
                sum += values[2 * i];
            for (int i = 0; i < n; i++)
                squares += (values[2 * i] - sum / n) * (values[2 * i] - sum / n);
            TEST_ASSERT_TRUE(squares / n > 0.25 * 0.0999);
        }
}

static void test_numbers_have_the_spread_and_the_middle_they_are_asked_for(void)
{
    static float values[100000];
    Rng rng;
    double sum = 0, squares = 0;
    rng_seed(&rng, 1);
    fill_spread(values, 100000, 1, &rng, 3, -2);
    for (int i = 0; i < 100000; i++) {
        sum += values[i];
        squares += (values[i] + 6.0) * (values[i] + 6.0);
    }
    TEST_ASSERT_TRUE(fabs(sum / 100000 + 6) < 0.05);
    TEST_ASSERT_TRUE(fabs(squares / 100000 - 9) < 0.2);
    fill_spread(values, 1, 1, &rng, 3, -2); /* one number has no spread, and is drawn once */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_seed_has_the_shapes_that_are_promised);
    RUN_TEST(test_the_shapes_of_one_run_differ);
    RUN_TEST(test_the_largest_sizes_and_an_epsilon_depend_on_the_seed);
    RUN_TEST(test_no_numbers_are_all_but_equal_by_chance);
    RUN_TEST(test_numbers_have_the_spread_and_the_middle_they_are_asked_for);
    return UNITY_END();
}
