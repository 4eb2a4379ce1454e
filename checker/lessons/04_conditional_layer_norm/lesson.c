/* Lesson 04, conditional layer norm: its checks. What is right, and the mistakes with a name, stand
 * in lessons/04_conditional_layer_norm.formulas. */
#include "author.h"

#define INIT "conditional_init"
#define AFFINE "conditional_affine"
#define NORM "conditional_layer_norm"
#define BACKWARD "conditional_affine_backward"

static const Step steps[] = {
    {INIT}, {AFFINE}, {NORM}, {BACKWARD}, {0},
};

/* Conditions of 1 to 17 numbers, rarely as many as there are features, and few for wide rows. */
static int condition_size_for(int index, int features)
{
    static const int sizes[] = {2, 3, 5, 1, 3, 7, 2, 11, 1, 17, 6, 4, 13};
    int size = sizes[index % 13];
    int most = features > 1000 ? 2 : features > 200 ? 5 : size;
    return size < most ? size : most;
}

static void draw(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        int size = condition_size_for(i, shape.features);
        Case *c = case_new(cases, function);
        set_size(c, "features", shape.features);
        set_size(c, "condition_size", size);
        if (takes(c, "rows"))
            set_size(c, "rows", shape.rows);
        if (takes(c, "eps")) {
            set_scalar(c, "eps", shape.eps);
            fill_rows(c, "x", rng, shape.spread, shape.offset);
        }
        fill_rest(c, rng);
        case_label(c, "%d x %d, condition of %d", shape.rows, shape.features, size);
    }
}

static void draw_init(Cases *cases, Rng *rng)
{
    draw(cases, rng, INIT);
}

static void draw_affine(Cases *cases, Rng *rng)
{
    draw(cases, rng, AFFINE);
}

static void draw_norm(Cases *cases, Rng *rng)
{
    draw(cases, rng, NORM);
}

static void draw_backward(Cases *cases, Rng *rng)
{
    draw(cases, rng, BACKWARD);
}

static const Check checks[] = {
    {INIT, INIT " starts gamma at 1 and beta at 0", "init", NULL, "b_gamma b_beta"},
    {INIT, INIT " writes every number at 24 sizes", "init", draw_init, NULL},
    {AFFINE, AFFINE " gives the biases when the condition is 0", "condition of 0", NULL, NULL},
    {AFFINE, AFFINE " matches PyTorch's Linear", "affine", NULL, NULL},
    {AFFINE, AFFINE " holds on 24 shapes drawn afresh", NULL, draw_affine, NULL},
    {NORM, NORM " is layer norm at the start", "at the start", NULL, NULL},
    {NORM, NORM " matches PyTorch on 3 x 5", "3 x 5", NULL, NULL},
    {NORM, NORM " holds on small variance and far from zero", "hard rows", NULL, NULL},
    {NORM, NORM " holds on 24 shapes drawn afresh", NULL, draw_norm, NULL},
    {BACKWARD, BACKWARD " sums db over the rows", "backward", NULL, "db_gamma db_beta"},
    {BACKWARD, BACKWARD " gets dw right", "backward", NULL, "dw_gamma dw_beta"},
    {BACKWARD, BACKWARD " gets dcondition right", "backward", NULL, "dcondition"},
    {BACKWARD, BACKWARD " holds on 24 shapes drawn afresh", NULL, draw_backward, NULL},
    {0},
};

const Lesson lesson = {
    "Conditional Layer Normalization",
    steps,
    checks,
    .defaults = "condition=1 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "gamma and beta may follow a condition, and start as if not.",
};
