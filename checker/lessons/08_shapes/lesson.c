/* Lesson 08, shapes: its checks, and the oracles that can make every mistake of mistakes.h. */
#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one array, or one series of it ---- */
typedef struct {
    const float *x, *gamma, *beta; /* gamma NULL: there is neither */
    Real *y;
    float eps;
    View view;
    int scale_inner, scales; /* number i has gamma[i / scale_inner % scales] */
    int step_size, time;     /* number i is of step i / step_size % time */
    int length;              /* of which so many count */
} Part;

static Real scaled_and_shifted(const Part *p, int i, Real hat)
{
    if (!p->gamma || certainly_nan(hat))
        return hat;
    int j = i / p->scale_inner % p->scales;
    return add(mul(exact(p->gamma[j]), hat), exact(p->beta[j]));
}

static bool is_padding(const Part *p, int i)
{
    return p->length < p->time && i / p->step_size % p->time >= p->length;
}

static Real behind_the_end(const Part *p, int i, Real y, Mistakes m)
{
    if (has(m, PADDING_NORMALIZED))
        return y;
    if (has(m, PADDING_GETS_BETA))
        return scaled_and_shifted(p, i, exact(0));
    return exact(has(m, Y_TIMES_ZERO) && !isfinite(y.v) ? NAN : 0);
}

/* Of the group's numbers those that count, in order; all, where none does. */
static int gather(Real *values, const Part *p, Group g, Mistakes m)
{
    int all = g.blocks * g.count, n = 0;
    for (int k = 0; k < all; k++)
        if (has(m, PADDING_COUNTED) || !is_padding(p, place_of(g, k)))
            values[n++] = exact(p->x[place_of(g, k)]);
    for (int k = 0; n == 0 && k < all; k++)
        values[k] = exact(p->x[place_of(g, k)]);
    return n ? n : all;
}

static void normalize_group(const Case *c, const Part *p, Group g, Real *values, Mistakes m)
{
    int all = g.blocks * g.count, n = gather(values, p, g, m);
    Statistics s = statistics_of(values, n, all, p->eps, m);
    for (int k = 0; k < all && n < all && has(m, SUMS_TIMES_ZERO); k++)
        s.nan = s.nan || !isfinite(p->x[place_of(g, k)]);
    reveal(c, "mean", s.of.mean);
    reveal(c, "variance", s.of.variance);
    for (int k = 0; k < all; k++) {
        int i = place_of(g, k);
        p->y[i] = scaled_and_shifted(p, i, normalized(p->x[i], &s));
        if (is_padding(p, i))
            p->y[i] = behind_the_end(p, i, p->y[i], m);
    }
}

static void normalize_part(const Case *c, const Part *p, Mistakes m)
{
    View v = p->view;
    Real *values = new_reals(v.outer * v.features * v.inner);
    for (int k = 0; k < group_count(v); k++)
        normalize_group(c, p, group_at(v, k), values, m);
    free(values);
}

/* ---- the oracles: a wrong axis is the right function with other sizes ---- */
static View axis_view(const Case *c)
{
    return (View){size_of(c, "outer"), size_of(c, "features"), size_of(c, "inner")};
}

static View text_view(const Case *c)
{
    return (View){size_of(c, "batch") * size_of(c, "time"), size_of(c, "features"), 1};
}

static View pixels_view(const Case *c)
{
    return (View){size_of(c, "batch"), size_of(c, "channels"),
                  size_of(c, "height") * size_of(c, "width")};
}

static View image_view(const Case *c)
{
    View v = pixels_view(c);
    return (View){v.outer, v.features * v.inner, 1};
}

/* From the array's number `first` on. */
static Part part_of(Case *c, int first, View view, View scales)
{
    Part part = {.x = given(c, "x") + first,
                 .y = wanted(c, "y") + first,
                 .eps = scalar_of(c, "eps"),
                 .view = view,
                 .scale_inner = scales.inner,
                 .scales = scales.features,
                 .step_size = 1,
                 .time = 1,
                 .length = 1};
    if (takes(c, "gamma")) {
        part.gamma = given(c, "gamma");
        part.beta = given(c, "beta");
    }
    return part;
}

/* An array without padding, seen as the function sees it, or as a mistake does. */
static void normalize_array(Case *c, View view, View scales, Mistakes m)
{
    view.across = has(m, BATCH_NORM);
    Part part = part_of(c, 0, view, scales);
    normalize_part(c, &part, m);
}

static View mistaken_view(View v, Mistakes m)
{
    if (has(m, SIDE_BY_SIDE))
        return (View){v.outer * v.inner, v.features, 1};
    if (has(m, AXES_TOGETHER))
        return (View){v.outer, v.features * v.inner, 1};
    return v;
}

static void axis_oracle(Case *c, Mistakes m)
{
    View view = mistaken_view(axis_view(c), m);
    if (has(m, LAST_AXIS))
        view = (View){size_of(c, "outer") * size_of(c, "features"), size_of(c, "inner"), 1};
    normalize_array(c, view, view, m);
}

static void text_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), time = size_of(c, "time"), features = size_of(c, "features");
    View view = text_view(c);
    if (has(m, ALONG_TIME))
        view = (View){batch, time, features};
    if (has(m, AXES_TOGETHER))
        view = (View){batch, time * features, 1};
    normalize_array(c, view, text_view(c), m);
}

/* Of batch x channels x height x width, whatever is to be normalized together. */
static View mistaken_image(const Case *c, View view, Mistakes m)
{
    View pixels = pixels_view(c);
    int width = size_of(c, "width");
    if (has(m, EACH_CHANNEL))
        return (View){pixels.outer * pixels.features, pixels.inner, 1};
    if (has(m, EACH_PIXEL))
        return pixels;
    if (has(m, LAST_AXIS))
        return (View){pixels.outer * pixels.features * pixels.inner / width, width, 1};
    return mistaken_view(view, m);
}

static void image_oracle(Case *c, Mistakes m)
{
    View scales = has(m, GAMMA_PER_CHANNEL) ? pixels_view(c) : image_view(c);
    normalize_array(c, mistaken_image(c, image_view(c), m), scales, m);
}

static void pixels_oracle(Case *c, Mistakes m)
{
    View view = pixels_view(c), scales = view;
    if (has(m, GAMMA_SIDE_BY_SIDE))
        scales.inner = 1;
    normalize_array(c, mistaken_image(c, view, m), scales, m);
}

/* What `try` is given as a length may be anything. True: one of them is none. */
static bool has_no_such_length(Case *c)
{
    for (int b = 0; b < size_of(c, "batch"); b++)
        if (given_ints(c, "length")[b] < 1 || given_ints(c, "length")[b] > size_of(c, "time")) {
            rule_out(c, "every length has to be from 1 to time");
            return true;
        }
    return false;
}

static void series_oracle(Case *c, Mistakes m)
{
    int time = size_of(c, "time"), channels = size_of(c, "channels");
    View view = mistaken_view((View){1, time, channels}, m);
    if (has_no_such_length(c))
        return;
    if (has(m, LAST_AXIS))
        view = (View){time, channels, 1};
    for (int b = 0; b < size_of(c, "batch"); b++) {
        Part part = part_of(c, b * time * channels, view, (View){1, channels, 1});
        part.step_size = channels;
        part.time = time;
        part.length = given_ints(c, "length")[b];
        if (has(m, SIDE_BY_SIDE)) { /* channels x time */
            part.scale_inner = time;
            part.step_size = 1;
        }
        normalize_part(c, &part, m);
    }
}

static const Step steps[] = {
    {AXIS, axis_oracle},     {TEXT, text_oracle},     {IMAGE, image_oracle},
    {PIXELS, pixels_oracle}, {SERIES, series_oracle}, {0},
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

/* Every group that the function normalizes has a spread of its own. */
static void draw_shapes(Cases *cases, Rng *rng, const char *function, const char *const names[],
                        const Sizes sizes[SHAPES], View (*view_of)(const Case *c))
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, function);
        set_sizes(c, rng, names, sizes[i]);
        set_scalar(c, "eps", shape.eps);
        View v = view_of(c);
        float *x = fill(c, "x");
        for (int k = 0; k < group_count(v); k++)
            fill_spread(x + group_at(v, k).first, v.features, v.inner, rng,
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
    draw_shapes(cases, rng, AXIS, axis_sizes, sizes, axis_view);
}

static void draw_text(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 3, 5},    {1, 1, 7},   {1, 2, 3},    {1, 7, 4},   {1, 1, 1},   {5, 1, 1},
        {2, 2, 13},   {13, 1, 2},  {1, 2, 14},   {1, 1, 31},  {3, 2, 6},   {1, 11, 11},
        {2, 1, 64},   {1, 1, 127}, {1, 29, 3},   {5, 1, 8},   {2, 1, 53},  {1, 1, 4100},
        {1, 1, 1000}, {3, 1, 997}, {4100, 1, 2}, {2, 2, 256}, {1, 17, 23}, {1, 2, 700}};
    draw_shapes(cases, rng, TEXT, text_sizes, sizes, text_view);
}

static void draw_image(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 2, 2, 2},    {1, 1, 1, 7},  {2, 3, 1, 1},   {1, 2, 3, 2},   {1, 1, 1, 1},
        {5, 1, 1, 1},    {2, 3, 2, 2},  {13, 1, 2, 1},  {1, 3, 4, 5},   {2, 1, 5, 1},
        {3, 2, 3, 1},    {1, 3, 3, 5},  {2, 1, 8, 8},   {1, 3, 6, 7},   {2, 3, 1, 4},
        {5, 2, 2, 2},    {1, 1, 53, 1}, {1, 3, 22, 22}, {1, 8, 11, 11}, {1, 3, 18, 18},
        {4100, 1, 1, 2}, {2, 4, 8, 8},  {3, 1, 4, 4},   {1, 1, 31, 43}};
    draw_shapes(cases, rng, IMAGE, image_sizes, sizes, image_view);
}

static void draw_pixels(Cases *cases, Rng *rng)
{
    static const Sizes sizes[SHAPES] = {
        {1, 4, 1, 2},    {1, 7, 1, 1},   {2, 3, 1, 1},    {1, 5, 3, 2},    {1, 1, 2, 2},
        {5, 1, 1, 1},    {2, 13, 2, 1},  {2, 2, 3, 3},    {1, 14, 2, 4},   {1, 31, 1, 1},
        {3, 6, 1, 4},    {1, 11, 3, 5},  {1, 64, 2, 1},   {1, 127, 1, 1},  {1, 3, 5, 6},
        {5, 8, 2, 2},    {2, 53, 1, 3},  {1, 2000, 1, 1}, {1, 1000, 1, 1}, {1, 3, 31, 32},
        {4100, 2, 1, 1}, {1, 256, 2, 2}, {2, 17, 3, 1},   {1, 2, 17, 23}};
    draw_shapes(cases, rng, PIXELS, image_sizes, sizes, pixels_view);
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
    "Shapes",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 length=1",
    .needs = "01",
    .learned = "norms differ in which numbers share a mean, and in no more.",
};
