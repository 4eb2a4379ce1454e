/* Lesson 17, fast: its checks. What is right, and the mistakes with a name, stand in
 * lessons/17_fast.formulas. Nothing here is timed: that is checker/race/.
 *
 * Fast code goes over a row in blocks, so features go through everything that can be left over of
 * one. Every row but the first may begin at any float: 16 bytes is all that an array is aligned to,
 * and a row of an odd number of features moves the next one by a float. */
#include "author.h"

#define SUM "row_sum_fast"
#define STATISTICS "row_statistics_fast"
#define FORWARD "layer_norm_fast"
#define BACKWARD "layer_norm_backward_fast"

static const Step steps[] = {
    {SUM},     {STATISTICS},
    {FORWARD}, {BACKWARD, .slopes_of = ""}, /* mean and rstd come from elsewhere */
    {0},
};

/* ---- cases drawn afresh ---- */
/* mean and rstd are those that a forward pass saves. */
static void fill_statistics(Case *c)
{
    int features = size_of(c, "features");
    for (int r = 0; r < size_of(c, "rows"); r++) {
        const float *row = given(c, "x") + r * features;
        double mean = honest_mean(row, features, 1).v, squares = 0;
        for (int j = 0; j < features; j++)
            squares += ((double)row[j] - mean) * ((double)row[j] - mean);
        fill(c, "mean")[r] = (float)mean;
        fill(c, "rstd")[r] = (float)(1 / sqrt(squares / features + 1e-5));
    }
}

static Case *draw_rows(Cases *cases, Rng *rng, const char *function, int rows, int features,
                       double offset)
{
    Case *c = case_new(cases, function);
    if (takes(c, "rows"))
        set_size(c, "rows", rows);
    set_size(c, "features", features);
    if (takes(c, "eps"))
        set_scalar(c, "eps", 1e-5f);
    fill_rows(c, "x", rng, uniform(rng, 0.5, 2), offset);
    if (takes(c, "rows"))
        case_label(c, "%d x %d", rows, features);
    else
        case_label(c, "%d features", features);
    return c;
}

static void fill_others(Case *c, Rng *rng)
{
    if (takes(c, "rstd"))
        fill_statistics(c);
    fill_rest(c, rng);
}

static void draw_shapes(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++)
        fill_others(case_of_shape(cases, rng, function, i), rng);
}

/* Blocks of 4 to 32 numbers, and what can be left over of them. */
static void draw_left_over(Cases *cases, Rng *rng, const char *function)
{
    enum { ALL_UP_TO = 35, DRAWN = 10 };
    for (int i = 1; i <= ALL_UP_TO + DRAWN; i++) {
        int features = i <= ALL_UP_TO ? i : uniform_int(rng, 36, 100);
        fill_others(draw_rows(cases, rng, function, uniform_int(rng, 2, 11), features, 0.5), rng);
    }
}

/* At 10,000 spreads E[x^2] - mean^2 is all rounding, and its root is anybody's guess; at 300 it is
 * wrong by an amount that can be told. */
static void draw_far(Cases *cases, Rng *rng, const char *function)
{
    static const int features[] = {2, 3, 5, 7, 8, 11, 16, 17, 33, 100};
    static const double offsets[] = {10000, -300, -10000, 300};
    for (int i = 0; i < 10; i++)
        fill_others(
            draw_rows(cases, rng, function, uniform_int(rng, 2, 9), features[i], offsets[i % 4]),
            rng);
}

/* Long rows, as far from each other as a cache has of ways to lie. */
static void draw_power_of_two(Cases *cases, Rng *rng, const char *function)
{
    for (int features = 256; features <= 4096; features *= 4)
        fill_others(draw_rows(cases, rng, function, uniform_int(rng, 2, 8), features, 0.3), rng);
}

static void draw_sum_left_over(Cases *cases, Rng *rng)
{
    draw_left_over(cases, rng, SUM);
}

/* In a long row no single number counts beside the rounding: so the last three are larger. */
static void draw_sum(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = draw_rows(cases, rng, SUM, 1, shape.features, shape.offset);
        for (int j = shape.features - 3; shape.features > 64 && j < shape.features; j++)
            fill(c, "x")[j] *= 100;
    }
}

static void draw_statistics_left_over(Cases *cases, Rng *rng)
{
    draw_left_over(cases, rng, STATISTICS);
}

static void draw_statistics_far(Cases *cases, Rng *rng)
{
    draw_far(cases, rng, STATISTICS);
}

/* The first numbers tell nothing of the others. Whoever takes the distances from one of them is
 * right within what that can hold: the bounds count them from the first. Where the text's code does
 * a row again (from 512 features on), blocks leave nothing over: a tail that is forgotten gives the
 * same numbers in both passes. */
static void draw_bad_beginnings(Cases *cases, Rng *rng)
{
    static const int sizes[][2] = {{3, 1}, {12, 1}, {40, 16}, {200, 4}, {512, 16}, {1024, 20}};
    for (int i = 0; i < 6; i++) {
        int rows = uniform_int(rng, 1, 4), features = sizes[i][0];
        Case *c = draw_rows(cases, rng, STATISTICS, rows, features, 0);
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < sizes[i][1]; j++)
                fill(c, "x")[r * features + j] += r % 2 ? -10000 : 10000;
        case_label(c, "%d x %d, the first %d unlike the others", rows, features, sizes[i][1]);
    }
}

static void draw_statistics(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, STATISTICS);
    draw_power_of_two(cases, rng, STATISTICS);
}

static void draw_forward_left_over(Cases *cases, Rng *rng)
{
    draw_left_over(cases, rng, FORWARD);
}

static void draw_forward_far(Cases *cases, Rng *rng)
{
    draw_far(cases, rng, FORWARD);
}

static void draw_forward_power_of_two(Cases *cases, Rng *rng)
{
    draw_power_of_two(cases, rng, FORWARD);
}

static void draw_forward(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, FORWARD);
}

static void draw_backward_left_over(Cases *cases, Rng *rng)
{
    draw_left_over(cases, rng, BACKWARD);
}

static void draw_backward_far(Cases *cases, Rng *rng)
{
    draw_far(cases, rng, BACKWARD);
}

static void draw_backward_power_of_two(Cases *cases, Rng *rng)
{
    draw_power_of_two(cases, rng, BACKWARD);
}

static void draw_backward(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, BACKWARD);
}

static const Check checks[] = {
    {SUM, SUM " adds up one row", .vectors = "row_sum"},
    {SUM, SUM " counts what is left over of a block", .draw = draw_sum_left_over},
    {SUM, SUM " holds on 24 rows drawn afresh", .draw = draw_sum},
    {STATISTICS, STATISTICS " gives each row's mean", .vectors = "statistics", .only = "mean"},
    {STATISTICS, STATISTICS " gives each row's variance", .vectors = "statistics"},
    {STATISTICS, STATISTICS " counts what is left over of a block",
     .draw = draw_statistics_left_over},
    {STATISTICS, STATISTICS " holds 10,000 spreads from zero", .vectors = "statistics, far",
     .draw = draw_statistics_far},
    {STATISTICS, STATISTICS " holds on rows that begin unlike the rest",
     .vectors = "statistics, beginnings", .draw = draw_bad_beginnings},
    {STATISTICS, STATISTICS " holds on 24 shapes drawn afresh", .draw = draw_statistics},
    {FORWARD, FORWARD " matches PyTorch", .vectors = "forward"},
    {FORWARD, FORWARD " keeps rows of small variance small", .vectors = "small variance"},
    {FORWARD, FORWARD " counts what is left over of a block", .draw = draw_forward_left_over},
    {FORWARD, FORWARD " holds 10,000 spreads from zero", .vectors = "forward, far",
     .draw = draw_forward_far},
    {FORWARD, FORWARD " holds on rows a power of two apart", .draw = draw_forward_power_of_two},
    {FORWARD, FORWARD " holds on 24 shapes drawn afresh", .draw = draw_forward},
    {BACKWARD, BACKWARD " sums dbeta over the rows", .vectors = "backward", .only = "dbeta"},
    {BACKWARD, BACKWARD " sums dgamma over the rows", .vectors = "backward", .only = "dgamma"},
    {BACKWARD, BACKWARD " matches PyTorch's dx", .vectors = "backward", .only = "dx"},
    {BACKWARD, BACKWARD " uses the mean it is given", .vectors = "given mean", .only = "dgamma"},
    {BACKWARD, BACKWARD " uses the rstd it is given", .vectors = "given rstd"},
    {BACKWARD, BACKWARD " counts what is left over of a block", .draw = draw_backward_left_over},
    {BACKWARD, BACKWARD " holds 10,000 spreads from zero", .vectors = "backward, far",
     .draw = draw_backward_far},
    {BACKWARD, BACKWARD " holds on rows a power of two apart", .draw = draw_backward_power_of_two},
    {BACKWARD, BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "Fast",        steps,
    checks,        .defaults = "gamma=1 beta=0 eps=1e-5",
    .needs = "02", .learned = "fast code has sums that need not wait, and reads memory once.",
};
