/* The transformer of lesson 11's lab: are its gradients the slopes of its loss, wherever the norms
 * are? And the products, the attention and Adam that it is made of. */
#include "../lessons/11_pre_post_norm/lab_encoder.h"

#include <stdlib.h>
#include <string.h>

#include "../labs/network.h"
#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

static const Paths paths = {post_norm, post_norm_backward, pre_norm_backward, gradient_norms};

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- the encoder ---- */
enum { LAYERS = 3, HIDDEN = 20, BATCH = 2, ROWS = BATCH * TIME, PARTS = 14 };

typedef struct {
    Encoder e;
    int symbols[ROWS], right[ROWS];
    float unused[ROWS * SYMBOLS];
} Trained;

static double loss_of(Trained *t, float *dscores)
{
    int right = 0;
    encoder_forward(&t->e, t->symbols);
    return softmax_loss(dscores, t->e.answers, t->right, ROWS, SYMBOLS, &right) / ROWS;
}

static void start(Trained *t, Place place)
{
    Rng rng;
    rng_seed(&rng, 3);
    encoder_start(&t->e, &paths, place, LAYERS, HIDDEN, BATCH, &rng);
    for (int i = 0; i < t->e.count; i++) /* no bias is 0, no gamma 1 */
        t->e.values[i] += (float)(0.05 * normal(&rng));
    for (int r = 0; r < ROWS; r++) {
        t->symbols[r] = uniform_int(&rng, 0, SYMBOLS - 1);
        t->right[r] = uniform_int(&rng, 0, SYMBOLS - 1);
    }
}

/* The loss's slope as the weights from `from` to `to` all move, mostly along their gradient. */
static void hold_part(Trained *t, int from, int to, const float *values, double step)
{
    double length = 0, expected = 0, loss[2];
    Rng rng;
    rng_seed(&rng, 4);
    for (int i = from; i < to; i++)
        length += (double)t->e.slopes[i] * t->e.slopes[i];
    length = sqrt(length);
    for (int up = 0; up < 2; up++) {
        rng_seed(&rng, 4);
        expected = 0;
        for (int i = from; i < to; i++) {
            double way = length > 0 ? t->e.slopes[i] / length : 0;
            way += 0.3 * normal(&rng) / sqrt(to - from);
            expected += way * t->e.slopes[i];
            t->e.values[i] = (float)(values[i] + (up ? step : -step) * way);
        }
        loss[up] = loss_of(t, t->unused);
    }
    memcpy(t->e.values, values, (size_t)t->e.count * sizeof *values);
    double numeric = (loss[1] - loss[0]) / (2 * step);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(numeric) + 1e-3, numeric, expected);
}

static void hold_all(Place place, double step, bool norms, bool last_norm)
{
    static Trained t;
    start(&t, place);
    const Weights *w = &t.e.w;
    const float *starts[PARTS + 1] = {
        w->w2,         w->w1,        w->attention, w->bias2,       w->bias1,
        w->abias,      w->gamma,     w->beta,      w->symbol,      w->position,
        w->last_gamma, w->last_beta, w->answer,    w->answer_bias, t.e.values + t.e.count};
    float *values = zeros(t.e.count);
    memcpy(values, t.e.values, (size_t)t.e.count * sizeof *values);
    loss_of(&t, t.e.danswers);
    encoder_backward(&t.e, t.symbols);
    for (int part = 0; part < PARTS; part++) {
        int from = (int)(starts[part] - t.e.values), to = (int)(starts[part + 1] - t.e.values);
        bool used = part == 6 || part == 7 ? norms : part == 10 || part == 11 ? last_norm : true;
        double largest = 0;
        for (int i = from; i < to; i++)
            largest = fmax(largest, fabs((double)t.e.slopes[i]));
        TEST_ASSERT_EQUAL_MESSAGE(used, largest > 0, "what is used has a gradient");
        hold_part(&t, from, to, values, step);
    }
    free(values);
    encoder_free(&t.e);
}

static void test_with_post_norm_every_gradient_is_the_slope(void)
{
    hold_all(POST_NORM, 2e-3, true, false);
}

static void test_with_pre_norm_every_gradient_is_the_slope(void)
{
    hold_all(PRE_NORM, 2e-3, true, true);
}

static void test_without_a_norm_every_gradient_is_the_slope(void)
{
    hold_all(NO_NORM, 5e-4, false, false);
}

static void test_the_first_weights_do_not_depend_on_the_place_of_the_norm(void)
{
    Encoder one, other;
    Rng rng;
    rng_seed(&rng, 7);
    encoder_start(&one, &paths, POST_NORM, LAYERS, HIDDEN, BATCH, &rng);
    rng_seed(&rng, 7);
    encoder_start(&other, &paths, NO_NORM, LAYERS, HIDDEN, BATCH, &rng);
    TEST_ASSERT_EQUAL_FLOAT_ARRAY(one.values, other.values, one.count);
    encoder_free(&one);
    encoder_free(&other);
}

/* ---- what it is made of ---- */
static void test_a_product_is_that_of_plain_loops_whatever_the_number_of_columns(void)
{
    enum { INNER = 5, MOST = 27, LEFT = 3 };
    float a[LEFT * INNER], turned[INNER * LEFT], b[INNER * MOST], c[LEFT * MOST];
    float of_columns[LEFT * MOST];
    Rng rng;
    rng_seed(&rng, 1);
    for (int columns = 1; columns <= MOST; columns++) {
        for (int i = 0; i < LEFT * INNER; i++)
            a[i] = (float)normal(&rng);
        for (int i = 0; i < INNER * columns; i++)
            b[i] = (float)normal(&rng);
        transpose(turned, a, LEFT, INNER);
        product(c, a, b, LEFT, INNER, columns);
        product_of_columns(of_columns, turned, b, LEFT, INNER, columns);
        for (int r = 0; r < LEFT; r++)
            for (int j = 0; j < columns; j++) {
                double sum = 0;
                for (int i = 0; i < INNER; i++)
                    sum += (double)a[r * INNER + i] * b[i * columns + j];
                TEST_ASSERT_DOUBLE_WITHIN(1e-5, sum, c[r * columns + j]);
                TEST_ASSERT_EQUAL_FLOAT(c[r * columns + j], of_columns[r * columns + j]);
            }
    }
}

static void test_attention_weighs_by_how_well_a_query_fits_a_key(void)
{
    float q[TIME * HEAD_SIZE] = {0}, k[TIME * HEAD_SIZE] = {0}, v[TIME * HEAD_SIZE] = {0};
    float context[TIME * HEAD_SIZE], weights[TIME * TIME];
    q[0] = 1;
    k[3 * HEAD_SIZE] = (float)(log(9) * sqrt(HEAD_SIZE)); /* token 0 finds token 3: 9 to 1 */
    v[3 * HEAD_SIZE] = 16;
    attend(context, weights, q, k, v, 1, HEAD_SIZE);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 9.0f / 16, weights[3]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 9, context[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2,
                             context[HEAD_SIZE]); /* the others find no one in particular */
}

static void test_adams_first_steps_are_as_long_as_the_rate(void)
{
    float values[] = {1, 1, 1}, mean[3] = {0}, square[3] = {0}, slopes[] = {1e-3f, -200, 0};
    adam(values, mean, square, slopes, 3, 0.1f, 1);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.9f, values[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.1f, values[1]);
    TEST_ASSERT_EQUAL_FLOAT(1, values[2]);
    slopes[1] = 200; /* the mean: 0.1 * 200 - 0.9 * 20 = 2, over 0.19 */
    adam(values, mean, square, slopes, 3, 0.1f, 2);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1.1f - 0.1f / 19, values[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_with_post_norm_every_gradient_is_the_slope);
    RUN_TEST(test_with_pre_norm_every_gradient_is_the_slope);
    RUN_TEST(test_without_a_norm_every_gradient_is_the_slope);
    RUN_TEST(test_the_first_weights_do_not_depend_on_the_place_of_the_norm);
    RUN_TEST(test_a_product_is_that_of_plain_loops_whatever_the_number_of_columns);
    RUN_TEST(test_attention_weighs_by_how_well_a_query_fits_a_key);
    RUN_TEST(test_adams_first_steps_are_as_long_as_the_rate);
    return UNITY_END();
}
