/* Lesson 10, the transformer block: its checks. What is right, and the mistakes with a name, stand
 * in lessons/10_transformer_block.formulas. */
#include "author.h"

#include <math.h>

#define LINEAR "linear"
#define SOFTMAX "softmax"
#define ATTENTION "attention"
#define FEED_FORWARD "feed_forward"
#define BLOCK "encoder_block"

static const Step steps[] = {
    {LINEAR},
    {SOFTMAX},
    {ATTENTION, .between = "weight weights"},
    {FEED_FORWARD, .between = "inner behind ReLU"},
    {BLOCK, .between = "weight weights, x1, inner behind ReLU"},
    {0},
};

/* ---- cases ---- */
/* Weights that keep the size of what goes through them, times `size`. */
static void fill_weights(Case *c, const char *name, Rng *rng, int count, int inputs, double size)
{
    float *w = fill(c, name);
    for (int i = 0; i < count; i++)
        w[i] = (float)(size * normal(rng) / sqrt(inputs));
}

/* 1 row, 1 number in or out, primes, more rows than 97: 24 of them. */
typedef struct {
    int rows, inputs, outputs;
} Sizes;

static Sizes map_sizes(Rng *rng, int index)
{
    static const Sizes sizes[SHAPES] = {{1, 3, 2},   {4, 1, 3},  {3, 7, 1},  {1, 1, 1},  {5, 2, 11},
                                        {2, 4, 4},   {7, 5, 5},  {1, 13, 8}, {3, 16, 2}, {2, 31, 3},
                                        {11, 3, 7},  {98, 2, 3}, {6, 6, 6},  {2, 64, 5}, {13, 4, 2},
                                        {1, 97, 1},  {4, 8, 16}, {29, 3, 3}, {5, 5, 9},  {2, 9, 27},
                                        {1, 300, 4}, {8, 10, 1}, {3, 2, 60}, {2, 1, 1}};
    Sizes s = sizes[index];
    s.rows += index % 3 == 1 ? uniform_int(rng, 0, 200 / (s.inputs + s.outputs)) : 0;
    s.inputs += index % 3 == 2 ? uniform_int(rng, 0, 6) : 0;
    s.outputs += index % 3 == 0 ? uniform_int(rng, 0, 6) : 0;
    return s;
}

static const double spreads[] = {1, 0.01, 100, 3, 0.1, 10, 0.3};

static void draw_linear(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Sizes s = map_sizes(rng, i);
        Case *c = case_new(cases, LINEAR);
        set_size(c, "rows", s.rows);
        set_size(c, "inputs", s.inputs);
        set_size(c, "outputs", s.outputs);
        fill_rows(c, "x", rng, spreads[i % 7], i % 5 - 2);
        fill_rest(c, rng);
        case_label(c, "%d x %d to %d x %d", s.rows, s.inputs, s.rows, s.outputs);
    }
}

static void draw_feed_forward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Sizes s = map_sizes(rng, i);
        Case *c = case_new(cases, FEED_FORWARD);
        set_size(c, "rows", s.rows);
        set_size(c, "features", s.inputs);
        set_size(c, "hidden", s.outputs);
        fill_rows(c, "x", rng, spreads[i % 7], i % 5 - 2);
        fill_rest(c, rng);
        case_label(c, "%d x %d, %d hidden", s.rows, s.inputs, s.outputs);
    }
}

static void draw_softmax(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        case_of_shape(cases, rng, SOFTMAX, i);
}

/* Every row far from where exp is a number: above or below, a few apart or very far, some equal. */
static void draw_any_size(Cases *cases, Rng *rng)
{
    static const double sizes[] = {4e3, 5e4, 1e9, 1e30, 3e38};
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_new(cases, SOFTMAX);
        int rows = 1 + i % 4, n = uniform_int(rng, 1, 9);
        set_size(c, "rows", rows);
        set_size(c, "features", n);
        float *x = fill(c, "x");
        for (int r = 0; r < rows; r++) {
            double size = sizes[(i + r) % 5] * uniform(rng, 0.5, 1) * ((i + r) % 2 ? -1 : 1);
            for (int j = 0; j < n; j++) {
                bool far = i % 3 == 2 && uniform(rng, 0, 1) < 0.5;
                x[r * n + j] = (float)(far ? -size : size + 2 * normal(rng));
            }
        }
        case_label(c, "%d x %d, about %g", rows, n, sizes[i % 5]);
    }
}

typedef struct {
    int batch, time, features, heads;
} Tokens;

static Tokens token_sizes(Rng *rng, int index)
{
    static const Tokens sizes[SHAPES] = {
        {1, 1, 1, 1},  {1, 3, 3, 1}, {1, 2, 4, 2},  {2, 3, 6, 3},  {1, 5, 3, 1},  {3, 1, 5, 5},
        {1, 7, 8, 4},  {2, 4, 6, 2}, {1, 3, 7, 1},  {1, 1, 12, 4}, {2, 5, 3, 3},  {1, 9, 4, 2},
        {1, 2, 15, 3}, {3, 3, 6, 6}, {1, 13, 3, 1}, {2, 2, 10, 2}, {1, 4, 16, 4}, {1, 66, 3, 1},
        {66, 2, 4, 2}, {2, 6, 9, 3}, {1, 8, 14, 7}, {1, 3, 66, 6}, {5, 3, 1, 1},  {1, 17, 4, 4}};
    Tokens s = sizes[index];
    s.time += index % 2 ? uniform_int(rng, 0, 2) : 0;
    return s;
}

/* No padding; some at the end; some anywhere; all but one token of each sequence. */
enum { NO_PADDING, AT_THE_END, ANYWHERE, ONE_KEPT };
static void fill_keep(Case *c, Rng *rng, int kind)
{
    int time = size_of(c, "time"), *keep = fill_ints(c, "keep");
    for (int b = 0; b < size_of(c, "batch"); b++, keep += time) {
        int chosen = uniform_int(rng, 0, time - 1);
        for (int t = 0; t < time; t++)
            keep[t] = kind == NO_PADDING   ? 1
                      : kind == AT_THE_END ? t <= chosen
                      : kind == ONE_KEPT   ? t == chosen
                                           : t == chosen || uniform(rng, 0, 1) < 0.6;
    }
}

/* What is behind keep 0 may be large: 1e12 is far above what is kept, and its scores are floats. */
static void fill_padding(Case *c, double size)
{
    int n = size_of(c, "features"), tokens = size_of(c, "batch") * size_of(c, "time");
    const int *keep = given_ints(c, "keep");
    float *x = fill(c, "x");
    for (int i = 0; i < tokens * n; i++)
        if (!keep[i / n])
            x[i] *= (float)size;
}

/* Where that of the key is large, all scores of a query are, and close to one another. */
static void fill_biases(Case *c, Rng *rng, double of_key)
{
    int n = size_of(c, "features");
    float *b = fill(c, "b");
    for (int i = 0; i < 4 * n; i++)
        b[i] = (float)(normal(rng) * (i / n == 1 ? of_key : 1));
}

/* The part that attention and the block have in common: sizes, x, keep, the four maps. */
static Case *case_of_tokens(Cases *cases, Rng *rng, const char *function, int index, double spread,
                            int padding)
{
    Tokens s = token_sizes(rng, index);
    Case *c = case_new(cases, function);
    bool block = takes(c, "norms");
    set_size(c, "batch", s.batch);
    set_size(c, "time", s.time);
    set_size(c, "features", s.features);
    set_size(c, "heads", s.heads);
    fill_rows(c, "x", rng, spread, index % 3 - 1);
    fill_keep(c, rng, padding);
    fill_weights(c, block ? "attention_w" : "w", rng, 4 * s.features * s.features, s.features,
                 index % 5 == 3 ? 2 : 1);
    case_label(c, "%d x %d x %d, %d head%s", s.batch, s.time, s.features, s.heads,
               s.heads == 1 ? "" : "s");
    return c;
}

static void draw_attention(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        double spread = i % 4 == 3 ? 3 : i % 4 == 2 ? 0.3 : 1;
        Case *c = case_of_tokens(cases, rng, ATTENTION, i, spread, i / 2 % 4);
        if (i % 6 == 4)
            fill_padding(c, 1e12);
        fill_biases(c, rng, i % 8 == 0 ? 1e3 : 1);
    }
}

/* Scores up to 1e34, of either sign: exp of them is 0 or infinite. */
static void draw_large_scores(Cases *cases, Rng *rng)
{
    static const double sizes[] = {1e3, 1e17, 1e6};
    for (int i = 1; i < 17; i += 2) {
        Case *c = case_of_tokens(cases, rng, ATTENTION, i, sizes[i % 3], i / 2 % 4);
        fill_rest(c, rng);
    }
}

static void draw_block(Cases *cases, Rng *rng)
{
    static const float epsilons[] = {1e-5f, 1e-3f, 0.1f};
    for (int i = 0; i < SHAPES; i++) {
        double spread = i % 4 == 3 ? 10 : i % 4 == 2 ? 0.1 : 1;
        Case *c = case_of_tokens(cases, rng, BLOCK, i, spread, i / 2 % 4);
        int features = size_of(c, "features"), hidden = uniform_int(rng, 1, 2 * features + 3);
        set_size(c, "hidden", hidden);
        float eps = features > 5 && i % 2 ? 0 : epsilons[features > 3 ? i % 3 : 1];
        set_scalar(c, "eps", i % 8 == 2 ? (float)uniform(rng, 0.25, 1) : eps);
        fill_weights(c, "w1", rng, hidden * features, features, 1);
        fill_weights(c, "w2", rng, hidden * features, hidden, 1);
        fill_rest(c, rng);
    }
}

static const Check checks[] = {
    {LINEAR, LINEAR " adds up weights times inputs, and a bias", .vectors = "linear"},
    {LINEAR, LINEAR " holds on 24 shapes drawn afresh", .draw = draw_linear},
    {SOFTMAX, SOFTMAX " makes weights that add up to 1", .vectors = "small rows"},
    {SOFTMAX, SOFTMAX " holds on 24 shapes drawn afresh", .draw = draw_softmax},
    {SOFTMAX, SOFTMAX " is right for numbers up to 3e38", .vectors = "any size",
     .draw = draw_any_size},
    {ATTENTION, ATTENTION " with one head averages the values", .vectors = "one head"},
    {ATTENTION, ATTENTION " gives every head its own features", .vectors = "heads"},
    {ATTENTION, ATTENTION " looks at no padding", .vectors = "padding"},
    {ATTENTION, ATTENTION " holds on 24 shapes drawn afresh", .draw = draw_attention},
    {ATTENTION, ATTENTION " holds on scores up to 1e34", .vectors = "large scores",
     .draw = draw_large_scores},
    {FEED_FORWARD, FEED_FORWARD " is linear, ReLU, linear", .vectors = "feed_forward"},
    {FEED_FORWARD, FEED_FORWARD " holds on 24 shapes drawn afresh", .draw = draw_feed_forward},
    {BLOCK, BLOCK " matches PyTorch's encoder layer", .vectors = "block"},
    {BLOCK, BLOCK " looks at no padding", .vectors = "padded block"},
    {BLOCK, BLOCK " holds on 24 blocks drawn afresh", .draw = draw_block},
    {0},
};

const Lesson lesson = {
    "The Transformer Block",
    steps,
    checks,
    .defaults = "keep=1 heads=1 eps=1e-5",
    .needs = "01",
    .learned = "attention and feed-forward, each added to x and normalized.",
};
