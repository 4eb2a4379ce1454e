/* real.h: every bound is held against what float32 really does, from both sides. Each test works
 * the same numbers out in float in several honest ways: none may be outside of the bound, and the
 * worst of them must come within a factor of it, or wrong answers pass. */
#include "run.h"

#include <string.h>

#include "unity.h"

const char lesson_name[] = "00_real";

static Rng rng;
static double worst; /* of all that was held, the largest error over its bound */

void setUp(void)
{
    rng_seed(&rng, 3);
    worst = 0;
}

void tearDown(void)
{
}

static void hold(Real bound, double got)
{
    char text[160];
    double error = fabs(got - bound.v);
    snprintf(text, sizeof text, "%.9g for %.17g, allowed %.3g", got, bound.v, bound.e);
    TEST_ASSERT_TRUE_MESSAGE(within(got, bound.v, bound.e), text);
    TEST_ASSERT_TRUE_MESSAGE(isfinite(bound.e), text);
    if (bound.e > 0)
        worst = fmax(worst, error / bound.e);
}

static void expect_no_more_than(double factor)
{
    char text[80];
    snprintf(text, sizeof text, "the worst error is 1/%.3g of what is allowed", 1 / worst);
    TEST_ASSERT_TRUE_MESSAGE(worst * factor >= 1, text);
}

static float drawn(double spread, double offset)
{
    return (float)(spread * (offset + normal(&rng)));
}

static void test_sums_hold_in_any_order(void)
{
    for (int trial = 0; trial < 400; trial++) {
        int n = 1 + (int)uniform(&rng, 0, trial % 2 ? 5 : 1000);
        double offset = uniform(&rng, -1000, 1000);
        Sum sum = {0};
        float up = 0, down = 0, halves[2] = {0, 0}, x[1000];
        for (int i = 0; i < n; i++) {
            x[i] = drawn(1, offset);
            include(&sum, exact(x[i]));
            up += x[i];
            halves[i % 2] += x[i];
        }
        for (int i = n - 1; i >= 0; i--)
            down += x[i];
        hold(total(sum), up);
        hold(total(sum), down);
        hold(total(sum), halves[0] + halves[1]);
    }
    expect_no_more_than(5);
}

static void test_sums_of_products_hold_in_any_order(void)
{
    for (int trial = 0; trial < 2000; trial++) {
        int n = 1 + (int)uniform(&rng, 0, 12);
        Sum sum = {0};
        float up = 0, down = 0, fused = 0, a[16], b[16];
        for (int i = 0; i < n; i++) {
            a[i] = drawn(1, 0.5);
            b[i] = drawn(10, 0.5);
            include_product(&sum, exact(a[i]), exact(b[i]));
            up += a[i] * b[i];
            fused = fmaf(a[i], b[i], fused);
        }
        for (int i = n - 1; i >= 0; i--)
            down += a[i] * b[i];
        hold(total(sum), up);
        hold(total(sum), down);
        hold(total(sum), fused);
    }
    expect_no_more_than(5);
}

static void test_a_difference_from_a_given_number_is_rounded_once(void)
{
    for (int trial = 0; trial < 2000; trial++) {
        float a = drawn(1, uniform(&rng, -1000, 1000)), b = drawn(100, 0);
        hold(difference(a, b), a - b);
    }
    expect_no_more_than(1.1);
    TEST_ASSERT_TRUE(difference(3, 3).e == 0);
}

static void test_exponentials_hold(void)
{
    for (int trial = 0; trial < 20000; trial++) {
        float x = (float)uniform(&rng, -103, 88);
        hold(exponential(exact(x)), expf(x));
        hold(exponential(exact(x)), (float)exp(x));
    }
    expect_no_more_than(5);
}

static void test_the_exponential_of_what_is_off_is_off(void)
{
    for (int trial = 0; trial < 5000; trial++) {
        float a = drawn(3, 0), b = drawn(3, 0), c = drawn(3, 0);
        Real product = mul(add(exact(a), exact(b)), exact(c));
        if (product.v > 80)
            continue;
        hold(exponential(product), expf((a + b) * c));
        hold(exponential(product), expf(a * c + b * c));
    }
    expect_no_more_than(5);
}

static void test_logarithms_hold(void)
{
    for (int trial = 0; trial < 20000; trial++) {
        float x = expf((float)uniform(&rng, -80, 80)), near = 1 + (float)uniform(&rng, -1e-3, 1e-3);
        hold(logarithm(exact(x)), logf(x));
        hold(logarithm(exact(near)), logf(near));
    }
    expect_no_more_than(8);
    TEST_ASSERT_TRUE(isinf(logarithm((Real){1e-9, 1e-8}).e));
    TEST_ASSERT_TRUE(isinf(logarithm(exact(0)).e));
}

static float sigmoidf(float x)
{
    return 1 / (1 + expf(-x));
}

static void test_tanh_holds_in_every_way_of_writing_it(void)
{
    for (int trial = 0; trial < 20000; trial++) {
        float x = trial % 2 ? drawn(0.01, 0) : drawn(5, 0);
        Real bound = hyperbolic_tangent(exact(x));
        hold(bound, tanhf(x));
        hold(bound, 2 * sigmoidf(2 * x) - 1);
        hold(bound, 1 - 2 / (expf(2 * x) + 1));
        if (fabsf(x) < 40)
            hold(bound, (expf(x) - expf(-x)) / (expf(x) + expf(-x)));
    }
    expect_no_more_than(3);
    hold(hyperbolic_tangent(exact(1e30)), tanhf(1e30f));
    TEST_ASSERT_TRUE(hyperbolic_tangent(exact(0)).e == 0);
}

static void test_sigmoid_holds_in_every_way_of_writing_it(void)
{
    for (int trial = 0; trial < 20000; trial++) {
        float x = trial % 100 ? drawn(8, 0) : drawn(300, 0);
        Real bound = sigmoid(exact(x));
        hold(bound, sigmoidf(x));
        hold(bound, 0.5f * (1 + tanhf(x / 2)));
        if (x < 80)
            hold(bound, expf(x) / (1 + expf(x)));
    }
    expect_no_more_than(4);
}

static void test_the_error_that_comes_in_goes_through(void)
{
    static const double slopes[] = {-20, -3, -0.5, 0, 0.3, 2, 15};
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        Real off = {slopes[i], 1e-3};
        for (int side = -1; side <= 1; side += 2) {
            double x = off.v + side * off.e;
            hold(exponential(off), exp(x));
            hold(hyperbolic_tangent(off), tanh(x));
            hold(sigmoid(off), 1 / (1 + exp(-x)));
            if (x > 0.1)
                hold(logarithm(off), log(x));
        }
    }
}

/* ---- choosing ---- */
static void test_the_maximum_of_what_is_off_is_off_no_further(void)
{
    Real high = maximum((Real){5, 0.25}, (Real){3, 1});
    TEST_ASSERT_TRUE(high.v == 5 && high.e == 0.25);
    Real either = maximum((Real){5, 0.25}, (Real){4.9, 1});
    TEST_ASSERT_TRUE(either.v == 5 && fabs(either.e - 0.9) < 1e-12);
    TEST_ASSERT_TRUE(maximum(exact(2), exact(2)).e == 0);
    TEST_ASSERT_TRUE(maximum(exact(-2), exact(0)).v == 0);
}

static void test_where_two_candidates_are_within_their_bounds_both_answers_are_right(void)
{
    Real clear = of_larger((Real){5, 0.1}, (Real){3, 0.1}, exact(10), exact(20));
    TEST_ASSERT_TRUE(clear.v == 10 && clear.e == 0);
    Real unclear = of_larger((Real){3, 0.1}, (Real){3.15, 0.1}, exact(10), (Real){20, 1});
    TEST_ASSERT_TRUE(within(10, unclear.v, unclear.e) && within(21, unclear.v, unclear.e));
    TEST_ASSERT_FALSE(within(9, unclear.v, unclear.e));
    Real equal = of_larger(exact(0), exact(0), exact(1), exact(0)); /* a ReLU's slope at 0 */
    TEST_ASSERT_TRUE(within(0, equal.v, equal.e) && within(1, equal.v, equal.e));
}

/* ---- the ends of float32 ---- */
static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? 0 : x;
}

static void test_what_is_too_small_may_be_flushed(void)
{
    for (int trial = 0; trial < 5000; trial++) {
        float a = expf((float)uniform(&rng, -60, -20)), b = expf((float)uniform(&rng, -60, -20));
        float x = (float)uniform(&rng, -103, -80);
        hold(mul(exact(a), exact(b)), a * b);
        hold(mul(exact(a), exact(b)), flushed(a * b));
        hold(divide(exact(a), exact(1 / b)), flushed(a / (1 / b)));
        hold(exponential(exact(x)), flushed(expf(x)));
    }
    hold(exponential(exact(-157)), 0);
    TEST_ASSERT_FALSE(within(2 * FLT_MIN, 0, exponential(exact(-157)).e));
    TEST_ASSERT_TRUE(mul(exact(0), exact(5)).e == 0);
    TEST_ASSERT_TRUE(add(exact(0), exact(0)).e == 0);
}

static void test_what_may_be_too_large_promises_nothing(void)
{
    TEST_ASSERT_TRUE(isinf(mul(exact(1e20), exact(1e20)).e));
    TEST_ASSERT_TRUE(isinf(add(exact(FLT_MAX), exact(FLT_MAX)).e));
    TEST_ASSERT_TRUE(isinf(exponential(exact(89)).e));
    TEST_ASSERT_TRUE(isinf(divide(exact(1), exact(1e-40)).e));
    TEST_ASSERT_TRUE(isfinite(mul(exact(1e19), exact(1e19)).e));
    Sum sum = {0}; /* it comes back, but the halves are too large */
    for (int i = 0; i < 4; i++)
        include(&sum, exact(i < 2 ? 3e38 : -3e38));
    TEST_ASSERT_TRUE(isinf(total(sum).e));
}

/* The row's largest number is taken off, which makes the largest exponential 1. */
static Real softmax_of(const float *x, int n, int j)
{
    Real largest = exact(x[0]);
    Sum sum = {0};
    for (int i = 1; i < n; i++)
        largest = maximum(largest, exact(x[i]));
    for (int i = 0; i < n; i++)
        include(&sum, exponential(difference(x[i], largest.v)));
    return divide(exponential(difference(x[j], largest.v)), total(sum));
}

static void softmax(float *y, const float *x, int n, bool backwards)
{
    float largest = x[0], sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmaxf(largest, x[i]);
    for (int i = 0; i < n; i++) {
        int j = backwards ? n - 1 - i : i;
        y[j] = expf(x[j] - largest);
        sum += y[j];
    }
    for (int i = 0; i < n; i++)
        y[i] = backwards ? y[i] * (1 / sum) : y[i] / sum;
}

static void test_a_right_softmax_passes_for_rows_of_any_size(void)
{
    static const double sizes[] = {1e-30, 1e-3, 1, 30, 100, 1e4, 1e30, 1e38};
    for (int trial = 0; trial < 4000; trial++) {
        int n = 1 + trial % 9;
        float x[9] = {0}, y[9];
        for (int i = 0; i < n; i++)
            x[i] = (float)(sizes[trial % 8] * uniform(&rng, -1.5, 1.5));
        for (int way = 0; way < 2; way++) {
            softmax(y, x, n, way);
            for (int j = 0; j < n; j++) {
                hold(softmax_of(x, n, j), y[j]);
                hold(softmax_of(x, n, j), flushed(y[j]));
            }
        }
    }
    expect_no_more_than(5);
}

/* Rows that were rounded before: each number anywhere within its bound, or all at their ends. */
static void test_what_comes_into_a_norm_goes_through(void)
{
    for (int trial = 0; trial < 2000; trial++) {
        int n = 1 + (int)uniform(&rng, 0, trial % 2 ? 4 : 20);
        double eps = trial % 3 ? 0.01 : n > 2 ? 0 : 1e-3;
        Real z[24], hat[24], rstd;
        float x[24], mean = 0, squares = 0;
        for (int j = 0; j < n; j++) {
            float v = drawn(1, trial % 5 ? 0 : 3);
            z[j] = (Real){v, uniform(&rng, 0, trial % 4 ? 1e-3 : 1e-6)};
            x[j] = (float)(v + z[j].e * (trial % 2 ? (uniform(&rng, 0, 1) < 0.5 ? -1 : 1)
                                                   : uniform(&rng, -1, 1)));
            mean += x[j] / (float)n;
        }
        rstd = normalized_row(hat, z, n, eps);
        for (int j = 0; j < n; j++)
            squares += (x[j] - mean) * (x[j] - mean);
        float by = 1 / sqrtf(squares / (float)n + (float)eps);
        for (int j = 0; j < n && isfinite(rstd.e); j++)
            hold(hat[j], n == 1 ? 0 : (x[j] - mean) * by);
        if (n > 1 && isfinite(rstd.e))
            hold(rstd, by);
    }
    expect_no_more_than(1.2);
}

/* The three honest ways, of numbers that are off themselves by up to `off`. */
static void hold_moments(const float *x, const float *given, int n, double off)
{
    float sum = 0, squares = 0, mean = 0, welford = 0, aside = 0, aside_squares = 0;
    Running r = {.left = 0}, square = {.left = 0};
    double exactly = 0;
    Sum all = {0};
    for (int j = 0; j < n; j++) {
        float distance = x[j] - mean;
        sum += x[j];
        mean += distance / (float)(j + 1);
        welford += distance * (x[j] - mean);
        aside += x[j] - x[0];
        aside_squares += (x[j] - x[0]) * (x[j] - x[0]);
        exactly += (double)given[j] / n;
        include(&all, (Real){given[j], off});
        include_running(&r, (Real){given[j], off});
    }
    for (int j = 0; j < n; j++) {
        squares += (x[j] - sum / (float)n) * (x[j] - sum / (float)n);
        include_running(&square, (Real){given[j], off});
        include_running_square(&square, (Real){given[j], off}, exactly);
    }
    Real of_mean = mean_running(r, average(all, n)), of_all = variance_running(square, of_mean);
    aside /= (float)n;
    hold(of_mean, sum / (float)n);
    hold(of_mean, mean);
    hold(of_mean, x[0] + aside);
    hold(of_all, squares / (float)n);
    hold(of_all, welford / (float)n);
    hold(of_all, aside_squares / (float)n - aside * aside);
}

static void test_mean_and_variance_hold_when_they_are_followed_number_by_number(void)
{
    for (int trial = 0; trial < 4000; trial++) {
        int n = 1 + (int)uniform(&rng, 0, trial % 2 ? 6 : 300);
        double offset = uniform(&rng, -1, 1) * (trial % 3 ? 1000 : 2), off = trial % 5 ? 0 : 1e-3;
        float x[300], given[300];
        for (int j = 0; j < n; j++) {
            given[j] = drawn(1, offset);
            x[j] = (float)(given[j] + uniform(&rng, -0.99, 0.99) * off);
        }
        hold_moments(x, given, n, off);
    }
    expect_no_more_than(3);
}

static void test_no_promise_is_made_where_rounding_decides(void)
{
    TEST_ASSERT_TRUE(isinf(root((Real){1e-9, 1e-8}).e));
    TEST_ASSERT_TRUE(isinf(divide(exact(1), (Real){0.1, 0.2}).e));
    TEST_ASSERT_TRUE(isinf(divide(exact(1), exact(0)).e));
    TEST_ASSERT_TRUE(root(exact(0)).e == 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_sums_hold_in_any_order);
    RUN_TEST(test_sums_of_products_hold_in_any_order);
    RUN_TEST(test_a_difference_from_a_given_number_is_rounded_once);
    RUN_TEST(test_exponentials_hold);
    RUN_TEST(test_the_exponential_of_what_is_off_is_off);
    RUN_TEST(test_logarithms_hold);
    RUN_TEST(test_tanh_holds_in_every_way_of_writing_it);
    RUN_TEST(test_sigmoid_holds_in_every_way_of_writing_it);
    RUN_TEST(test_the_error_that_comes_in_goes_through);
    RUN_TEST(test_the_maximum_of_what_is_off_is_off_no_further);
    RUN_TEST(test_where_two_candidates_are_within_their_bounds_both_answers_are_right);
    RUN_TEST(test_what_is_too_small_may_be_flushed);
    RUN_TEST(test_what_may_be_too_large_promises_nothing);
    RUN_TEST(test_a_right_softmax_passes_for_rows_of_any_size);
    RUN_TEST(test_what_comes_into_a_norm_goes_through);
    RUN_TEST(test_mean_and_variance_hold_when_they_are_followed_number_by_number);
    RUN_TEST(test_no_promise_is_made_where_rounding_decides);
    return UNITY_END();
}
