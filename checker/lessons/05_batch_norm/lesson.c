/* Lesson 05, batch norm: its checks. What is right, and the mistakes with a name, stand in
 * lessons/05_batch_norm.formulas. */
#include "author.h"

#define TRAIN "batch_norm_train"
#define EVAL "batch_norm_eval"
#define BACKWARD "batch_norm_backward"

static const Step steps[] = {
    {TRAIN},
    {EVAL},
    {BACKWARD},
    {0},
};

/* A shape's rows become columns here, for its numbers are about what shares a mean. Only the last
 * shape stays as it is: a batch of two with the most features. */
static Case *draw_batch(Cases *cases, Rng *rng, const char *function, int index)
{
    Shape shape = odd_shape(rng, index);
    bool as_is = index == SHAPES - 1;
    int batch = as_is ? shape.rows : shape.features, features = as_is ? shape.features : shape.rows;
    Case *c = case_new(cases, function);
    set_size(c, "batch", batch);
    set_size(c, "features", features);
    set_scalar(c, "eps", shape.eps);
    bool running = takes(c, "running_mean");
    for (int j = 0; j < features; j++) {
        double spread = shape.spread * uniform(rng, 0.6, 1.5);
        fill_spread(fill(c, "x") + j, batch, features, rng, spread, shape.offset);
        if (running) { /* what earlier batches of such numbers may have left */
            double middle = shape.offset + uniform(rng, -1, 1);
            fill(c, "running_mean")[j] = (float)(spread * middle);
            fill(c, "running_var")[j] = (float)(spread * spread * uniform(rng, 0.4, 2.5));
        }
    }
    fill_rest(c, rng);
    case_label(c, "%d x %d", batch, features);
    return c;
}

static void draw_train(Cases *cases, Rng *rng)
{
    static const float momenta[] = {0.1f, 0.3f, 0.01f, 0.7f};
    for (int i = 0; i < SHAPES; i++)
        set_scalar(draw_batch(cases, rng, TRAIN, i), "momentum", momenta[i % 4]);
}

static void draw_eval(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        draw_batch(cases, rng, EVAL, i);
}

static void draw_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        draw_batch(cases, rng, BACKWARD, i);
}

static const Check checks[] = {
    {TRAIN, TRAIN " normalizes each column over the batch", .vectors = "train", .only = "y"},
    {TRAIN, TRAIN " moves running_mean by momentum", .vectors = "train", .only = "running_mean"},
    /* With running_mean, which tells whoever moves only that from whoever moves nothing. */
    {TRAIN, TRAIN " moves running_var towards the unbiased variance", .vectors = "train",
     .only = "running_mean running_var"},
    {TRAIN, TRAIN " keeps columns of small variance small", .vectors = "small variance"},
    {TRAIN, TRAIN " holds on columns far from zero", .vectors = "far from zero"},
    {TRAIN, TRAIN " leaves running_var alone with a batch of one", .vectors = "batch of one"},
    {TRAIN, TRAIN " holds on 24 shapes drawn afresh", .draw = draw_train},
    {EVAL, EVAL " uses the running statistics", .vectors = "eval"},
    {EVAL, EVAL " holds on 24 shapes drawn afresh", .draw = draw_eval},
    {BACKWARD, BACKWARD " sums dgamma and dbeta over the batch", .vectors = "backward",
     .only = "dgamma dbeta"},
    {BACKWARD, BACKWARD " gives PyTorch's dx", .vectors = "backward"},
    {BACKWARD, BACKWARD " gives a batch of one no gradient", .vectors = "backward, batch of one"},
    {BACKWARD, BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "Batch Normalization",
    steps,
    checks,
    .defaults = "gamma=1 beta=0 eps=1e-5 momentum=0.1 running_mean=0 running_var=1",
    .needs = "01",
    .core = true,
    .learned = "a norm down the columns, which has to remember for later.",
};
