/* Lesson 08, shapes: its checks. What is right, and the mistakes with a name, stand in
 * lessons/08_shapes.formulas. */
#include "author.h"

#include <stdio.h>
#include <string.h>

#define AXIS "layer_norm_axis"
#define TEXT "layer_norm_text"
#define IMAGE "layer_norm_image"
#define PIXELS "layer_norm_pixels"
#define SERIES "layer_norm_series"

static const Step steps[] = {
    {AXIS}, {TEXT}, {IMAGE}, {PIXELS}, {SERIES}, {0},
};

/* ---- cases: sizes of their own, with odd_shape()'s spreads, offsets and epsilons ---- */
enum { MOST_SIZES = 4 };
typedef int Sizes[MOST_SIZES]; /* in the header's order */

/* No buffer is known to be enough: large sizes are drawn. */
static void set_sizes(Case *c, Rng *rng, const char *const names[], const Sizes sizes)
{
    char label[64] = "";
    for (int i = 0; names[i]; i++) {
        int size = sizes[i] > 90 ? sizes[i] + uniform_int(rng, 0, sizes[i] / 8) : sizes[i];
        size_t used = strlen(label);
        set_size(c, names[i], size);
        snprintf(label + used, sizeof label - used, "%s%d", i ? " x " : "", size);
    }
    case_label(c, "%s", label);
}

static int product_of(const Case *c, const char *const names[], int from, int to)
{
    int product = 1;
    for (int i = from; i < to && names[i]; i++)
        product *= size_of(c, names[i]);
    return product;
}

/* Every group that the function normalizes has a spread of its own: the numbers along the sizes
 * first to last - 1, together, at each place of the others. */
static void draw_shapes(Cases *cases, Rng *rng, const char *function, const char *const names[],
                        const Sizes sizes[SHAPES], int first, int last)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, function);
        set_sizes(c, rng, names, sizes[i]);
        set_scalar(c, "eps", shape.eps);
        int outer = product_of(c, names, 0, first), count = product_of(c, names, first, last),
            inner = product_of(c, names, last, MOST_SIZES);
        float *x = fill(c, "x");
        for (int k = 0; k < outer * inner; k++)
            fill_spread(x + k / inner * count * inner + k % inner, count, inner, rng,
                        shape.spread * uniform(rng, 0.6, 1.5), shape.offset);
        fill_rest(c, rng);
    }
}

static const char *const axis_sizes[] = {"outer", "features", "inner", NULL};
static const char *const text_sizes[] = {"batch", "time", "features", NULL};
static const char *const image_sizes[] = {"batch", "channels", "height", "width", NULL};
static const char *const series_sizes[] = {"batch", "time", "channels", NULL};

static void draw_axis(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 4, 2},    {1, 7, 1},   {2, 3, 4},  {3, 5, 2},   {1, 1, 3},  {5, 1, 1},
        {4, 13, 3},   {2, 2, 5},   {1, 14, 1}, {2, 31, 2},  {6, 6, 6},  {3, 11, 7},
        {1, 64, 5},   {2, 127, 1}, {1, 3, 29}, {8, 2, 8},   {2, 53, 3}, {1, 4100, 1},
        {1, 1000, 2}, {1, 3, 997}, {98, 2, 1}, {4, 256, 2}, {7, 17, 1}, {1, 2, 300}};
    draw_shapes(cases, rng, AXIS, axis_sizes, sizes, 1, 2);
}

static void draw_text(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 3, 5},    {1, 1, 7},   {1, 2, 3},    {1, 7, 4},   {1, 1, 1},   {5, 1, 1},
        {2, 2, 13},   {13, 1, 2},  {1, 2, 14},   {1, 1, 31},  {3, 2, 6},   {1, 11, 11},
        {2, 1, 64},   {1, 1, 127}, {1, 29, 3},   {5, 1, 8},   {2, 1, 53},  {1, 1, 4100},
        {1, 1, 1000}, {3, 1, 997}, {4100, 1, 2}, {2, 2, 256}, {1, 17, 23}, {1, 2, 700}};
    draw_shapes(cases, rng, TEXT, text_sizes, sizes, 2, 3);
}

static void draw_image(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 2, 2, 2},    {1, 1, 1, 7},  {2, 3, 1, 1},   {1, 2, 3, 2},   {1, 1, 1, 1},
        {5, 1, 1, 1},    {2, 3, 2, 2},  {13, 1, 2, 1},  {1, 3, 4, 5},   {2, 1, 5, 1},
        {3, 2, 3, 1},    {1, 3, 3, 5},  {2, 1, 8, 8},   {1, 3, 6, 7},   {2, 3, 1, 4},
        {5, 2, 2, 2},    {1, 1, 53, 1}, {1, 3, 22, 22}, {1, 8, 11, 11}, {1, 3, 18, 18},
        {4100, 1, 1, 2}, {2, 4, 8, 8},  {3, 1, 4, 4},   {1, 1, 31, 43}};
    draw_shapes(cases, rng, IMAGE, image_sizes, sizes, 1, 4);
}

static void draw_pixels(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 4, 1, 2},    {1, 7, 1, 1},   {2, 3, 1, 1},    {1, 5, 3, 2},    {1, 1, 2, 2},
        {5, 1, 1, 1},    {2, 13, 2, 1},  {2, 2, 3, 3},    {1, 14, 2, 4},   {1, 31, 1, 1},
        {3, 6, 1, 4},    {1, 11, 3, 5},  {1, 64, 2, 1},   {1, 127, 1, 1},  {1, 3, 5, 6},
        {5, 8, 2, 2},    {2, 53, 1, 3},  {1, 2000, 1, 1}, {1, 1000, 1, 1}, {1, 3, 31, 32},
        {4100, 2, 1, 1}, {1, 256, 2, 2}, {2, 17, 3, 1},   {1, 2, 17, 23}};
    draw_shapes(cases, rng, PIXELS, image_sizes, sizes, 1, 2);
}

/* Channels in units of their own, and behind the end what must not matter. A series of one step has
 * no spread: far from zero nothing would be left of it but rounding. */
static void fill_series(Case *c, int b, Rng *rng, double offset, float behind)
{
    int time = size_of(c, "time"), channels = size_of(c, "channels");
    int length = given_ints(c, "length")[b];
    float *x = fill(c, "x") + b * time * channels;
    for (int i = 0; i < channels; i++) {
        double unit = length == 1 ? 1 : pow(10, uniform(rng, -2, 3));
        fill_spread(x + i, length, channels, rng, unit, length == 1 ? 3 : offset);
    }
    for (int i = length * channels; i < time * channels; i++)
        x[i] = uniform_int(rng, 0, 2) ? behind : (float)(1000 * normal(rng));
}

static void draw_series(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 5, 2},    {1, 7, 1},   {2, 3, 4},    {2, 6, 3},   {1, 1, 3},  {5, 1, 1},
        {2, 13, 3},   {13, 2, 2},  {1, 20, 2},   {1, 31, 1},  {4, 6, 5},  {3, 11, 2},
        {2, 64, 2},   {1, 127, 1}, {2, 9, 29},   {5, 8, 1},   {1, 53, 3}, {1, 4100, 1},
        {1, 1000, 2}, {1, 3, 997}, {4100, 2, 1}, {2, 256, 2}, {3, 17, 2}, {98, 3, 2}};
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, SERIES);
        set_sizes(c, rng, series_sizes, sizes[i]);
        set_scalar(c, "eps", shape.eps);
        int *length = fill_ints(c, "length"), time = size_of(c, "time");
        for (int b = 0; b < size_of(c, "batch"); b++) {
            length[b] = b % 3 == 1 ? time : uniform_int(rng, shape.eps == 0 ? 2 : 1, time);
            fill_series(c, b, rng, shape.offset, 1e6f);
        }
        fill_rest(c, rng);
    }
}

static void draw_not_numbers(Cases *cases, Rng *rng)
{
    static const float behind[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        Case *c = case_new(cases, SERIES);
        int time = uniform_int(rng, 2, 12);
        set_size(c, "batch", uniform_int(rng, 1, 4));
        set_size(c, "time", time);
        set_size(c, "channels", uniform_int(rng, 1, 5));
        set_scalar(c, "eps", 1e-5f);
        for (int b = 0; b < size_of(c, "batch"); b++) {
            fill_ints(c, "length")[b] = uniform_int(rng, 1, b % 2 ? time : time - 1);
            fill_series(c, b, rng, 0.5, behind[i % 3]);
        }
        fill_rest(c, rng);
        case_label(c, "%g behind the end", behind[i % 3]);
    }
}

static const Check checks[] = {
    {AXIS, "layer_norm_axis normalizes along the middle axis", .vectors = "axis"},
    {AXIS, "layer_norm_axis holds on 24 shapes drawn afresh", .draw = draw_axis},
    {TEXT, "layer_norm_text normalizes each token alone", .vectors = "text"},
    {TEXT, "layer_norm_text holds on 24 shapes drawn afresh", .draw = draw_text},
    {IMAGE, "layer_norm_image normalizes each image as a whole", .vectors = "image"},
    {IMAGE, "layer_norm_image holds on 24 shapes drawn afresh", .draw = draw_image},
    {PIXELS, "layer_norm_pixels normalizes the channels of each pixel", .vectors = "pixels"},
    {PIXELS, "layer_norm_pixels holds on 24 shapes drawn afresh", .draw = draw_pixels},
    {SERIES, "layer_norm_series normalizes each channel over time", .vectors = "whole series"},
    {SERIES, "layer_norm_series leaves out what stands behind the end", .vectors = "padded series"},
    {SERIES, "layer_norm_series does so where that is NaN or infinite", .draw = draw_not_numbers},
    {SERIES, "layer_norm_series holds on 24 shapes with channels of all units",
     .draw = draw_series},
    {0},
};

const Lesson lesson = {
    "Shapes",      steps,
    checks,        .defaults = "gamma=1 beta=0 eps=1e-5 length=1",
    .needs = "01", .learned = "norms differ in which numbers share a mean, and in no more.",
};
