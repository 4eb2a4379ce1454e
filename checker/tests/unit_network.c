/* What labs train with: are the layers' gradients the slopes of their forward passes, and can the
 * digits be told apart? */
#include "../labs/digits.h"
#include "../labs/image.h"

#include <stdlib.h>
#include <string.h>

#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

void setUp(void)
{
}

void tearDown(void)
{
}

/* A layer's forward pass, as a function of an array of numbers that something moves. */
typedef void Forward(void *layer, float *y, const float *x);

/* The loss is the sum of dy * y: its slope at values[i], which x or a weight may be. */
static double slope(Forward *forward, void *layer, const float *x, float *values, int i,
                    const float *dy, int outputs, float step)
{
    float kept = values[i], *y = calloc((size_t)outputs, sizeof *y);
    double loss[2] = {0, 0};
    for (int up = 0; up < 2; up++) {
        values[i] = up ? kept + step : kept - step;
        forward(layer, y, x);
        for (int k = 0; k < outputs; k++)
            loss[up] += (double)dy[k] * y[k];
    }
    values[i] = kept;
    free(y);
    return (loss[1] - loss[0]) / (2 * (double)step);
}

static float *drawn(int count, Rng *rng)
{
    float *values = zeros(count);
    for (int i = 0; i < count; i++)
        values[i] = (float)normal(rng);
    return values;
}

enum { BATCH = 2, INPUTS = 3, OUTPUTS = 4, SIDE = 5, PIXELS = SIDE * SIDE };

static void linear_batch(void *layer, float *y, const float *x)
{
    linear_forward(layer, y, x, BATCH);
}

static void test_a_linear_layers_gradients_are_the_slopes(void)
{
    enum { WIDE = 13 }; /* eight side by side, and some more */
    Linear l;
    Rng rng;
    rng_seed(&rng, 1);
    linear_start(&l, INPUTS, WIDE, 1, &rng);
    float *x = drawn(BATCH * INPUTS, &rng), *dy = drawn(BATCH * WIDE, &rng);
    float dx[BATCH * INPUTS];
    for (int j = 0; j < WIDE; j++)
        l.bias[j] = (float)normal(&rng);
    linear_backward(&l, dx, dy, x, BATCH);
    for (int i = 0; i < BATCH * INPUTS; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, slope(linear_batch, &l, x, x, i, dy, BATCH * WIDE, 0.5f),
                                  (double)dx[i]);
    for (int i = 0; i < INPUTS * WIDE; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, slope(linear_batch, &l, x, l.w, i, dy, BATCH * WIDE, 0.5f),
                                  (double)l.dw[i]);
    for (int j = 0; j < WIDE; j++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4,
                                  slope(linear_batch, &l, x, l.bias, j, dy, BATCH * WIDE, 0.5f),
                                  (double)l.dbias[j]);
    float y[BATCH * WIDE], expected = l.bias[WIDE - 1];
    linear_forward(&l, y, x, BATCH);
    for (int i = 0; i < INPUTS; i++)
        expected += x[i] * l.w[i * WIDE + WIDE - 1];
    TEST_ASSERT_EQUAL_FLOAT(expected, y[WIDE - 1]);
    expected = l.bias[0];
    for (int i = 0; i < INPUTS; i++)
        expected += x[i] * l.w[i * WIDE];
    TEST_ASSERT_EQUAL_FLOAT(expected, y[0]);
    linear_free(&l);
    free(x);
    free(dy);
}

static void conv_batch(void *layer, float *y, const float *x)
{
    conv_forward(layer, y, x, BATCH);
}

static void test_a_convolutions_gradients_are_the_slopes(void)
{
    enum { IN = BATCH * INPUTS * PIXELS, OUT = BATCH * OUTPUTS * PIXELS };
    Conv c;
    Rng rng;
    rng_seed(&rng, 2);
    conv_start(&c, INPUTS, OUTPUTS, SIDE, &rng);
    float *x = drawn(IN, &rng), *dy = drawn(OUT, &rng), dx[IN];
    conv_backward(&c, dx, dy, x, BATCH);
    for (int i = 0; i < IN; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, slope(conv_batch, &c, x, x, i, dy, OUT, 0.5f),
                                  (double)dx[i]);
    for (int i = 0; i < OUTPUTS * INPUTS * 9; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, slope(conv_batch, &c, x, c.w, i, dy, OUT, 0.5f),
                                  (double)c.dw[i]);
    conv_free(&c);
    free(x);
    free(dy);
}

/* One weight that is 1, up and left of the middle: every pixel shows the one up and left of it. */
static void test_a_convolution_sees_zeros_around_the_image(void)
{
    float x[4] = {1, 2, 3, 4}, y[4];
    Conv c;
    Rng rng;
    rng_seed(&rng, 3);
    conv_start(&c, 1, 1, 2, &rng);
    memset(c.w, 0, 9 * sizeof *c.w);
    c.w[0] = 1;
    conv_forward(&c, y, x, 1);
    TEST_ASSERT_EQUAL_FLOAT_ARRAY(((float[]){0, 0, 0, 1}), y, 4);
    conv_free(&c);
}

static void pool_planes(void *layer, float *y, const float *x)
{
    (void)layer;
    pool_forward(y, x, BATCH, SIDE);
}

static void test_poolings_gradient_goes_to_the_largest_pixel(void)
{
    enum { HALF = SIDE / 2, OUT = BATCH * HALF * HALF };
    Rng rng;
    rng_seed(&rng, 4);
    float *x = drawn(BATCH * PIXELS, &rng), *dy = drawn(OUT, &rng), dx[BATCH * PIXELS];
    pool_backward(dx, dy, x, BATCH, SIDE);
    int reached = 0;
    for (int i = 0; i < BATCH * PIXELS; i++) {
        reached += dx[i] != 0;
        TEST_ASSERT_DOUBLE_WITHIN(1e-2, slope(pool_planes, NULL, x, x, i, dy, OUT, 1e-3f),
                                  (double)dx[i]);
    }
    TEST_ASSERT_EQUAL(OUT, reached);
    free(x);
    free(dy);
}

static void test_the_losss_gradient_is_its_slope(void)
{
    enum { CLASSES = 5 };
    static const int classes[BATCH] = {4, 0};
    Rng rng;
    rng_seed(&rng, 5);
    float *scores = drawn(BATCH * CLASSES, &rng), dscores[BATCH * CLASSES], unused[BATCH * CLASSES];
    int right = 0;
    softmax_loss(dscores, scores, classes, BATCH, CLASSES, &right);
    for (int i = 0; i < BATCH * CLASSES; i++) {
        float kept = scores[i];
        scores[i] = kept + 0.01f;
        double up = softmax_loss(unused, scores, classes, BATCH, CLASSES, &right);
        scores[i] = kept - 0.01f;
        double down = softmax_loss(unused, scores, classes, BATCH, CLASSES, &right);
        scores[i] = kept;
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, (up - down) / 0.02 / BATCH, (double)dscores[i]);
    }
    free(scores);
}

/* ---- digits ---- */
enum { SMALL = 14, IMAGE = SMALL * SMALL, DRAWN = 300 };

static double distance(const float *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < IMAGE; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static void test_digits_are_paper_and_ink_and_no_two_the_same(void)
{
    static float images[2][IMAGE];
    Rng rng;
    rng_seed(&rng, 6);
    for (int i = 0; i < DRAWN; i++) {
        double inked = 0;
        draw_digit(images[i % 2], SMALL, i / 2 % DIGITS, &rng);
        for (int k = 0; k < IMAGE; k++) {
            float value = images[i % 2][k];
            TEST_ASSERT_TRUE(value >= 0 && value <= 1);
            inked += (double)value;
        }
        TEST_ASSERT_TRUE(inked > 8 && inked < IMAGE / 2.0);
        TEST_ASSERT_TRUE(i == 0 || memcmp(images[0], images[1], sizeof images[0]));
    }
}

/* By the nearest of the ten averages: far better than guessing, and far from always. */
static void test_digits_can_be_told_apart_and_not_too_easily(void)
{
    static double average[DIGITS][IMAGE];
    float image[IMAGE];
    int right = 0;
    Rng rng;
    rng_seed(&rng, 7);
    memset(average, 0, sizeof average);
    for (int i = 0; i < 10 * DRAWN; i++) {
        draw_digit(image, SMALL, i % DIGITS, &rng);
        for (int k = 0; k < IMAGE; k++)
            average[i % DIGITS][k] += (double)image[k] * DIGITS / (10 * DRAWN);
    }
    for (int i = 0; i < DRAWN; i++) {
        int best = 0;
        draw_digit(image, SMALL, i % DIGITS, &rng);
        for (int digit = 1; digit < DIGITS; digit++)
            if (distance(image, average[digit]) < distance(image, average[best]))
                best = digit;
        right += best == i % DIGITS;
    }
    TEST_ASSERT_TRUE(right > DRAWN / 3 && right < 9 * DRAWN / 10);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_linear_layers_gradients_are_the_slopes);
    RUN_TEST(test_a_convolutions_gradients_are_the_slopes);
    RUN_TEST(test_a_convolution_sees_zeros_around_the_image);
    RUN_TEST(test_poolings_gradient_goes_to_the_largest_pixel);
    RUN_TEST(test_the_losss_gradient_is_its_slope);
    RUN_TEST(test_digits_are_paper_and_ink_and_no_two_the_same);
    RUN_TEST(test_digits_can_be_told_apart_and_not_too_easily);
    return UNITY_END();
}
