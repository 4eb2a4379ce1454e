/* Lesson 06, the module: its checks, and what is right.
 *
 * Each check is a sequence of the learner's functions (calls.h). Its oracle knows nothing of
 * memory: it works out what such a sequence must leave, with a layer of its own (layer.h). */
#include "draws.h"
#include "layer.h"

#include <limits.h>

static void say(Case *c, const char *name, double number)
{
    *wanted(c, name) = exact(number);
}

/* ---- what the sequences of calls.h leave ---- */
/* fields_left counts each field that is neither 0 nor NULL. */
static void want_no_fields(Case *c)
{
    for (int i = 0; i < 9; i++)
        wanted(c, "fields_left")[i] = exact(0);
}

static Layer layer_of(Case *c)
{
    return layer_new(size_of(c, "features"), given(c, "gamma"), given(c, "beta"),
                     scalar_of(c, "eps"));
}

static void backward_of(Layer *l, const float *dy, Mistakes m)
{
    Real *upstream = as_reals(dy, l->rows * l->features);
    layer_backward(l, upstream, m);
    free(upstream);
}

static void want_gradients(Case *c, const Layer *l, const char *dgamma, const char *dbeta)
{
    copy(wanted(c, dgamma), l->dgamma, l->features);
    copy(wanted(c, dbeta), l->dbeta, l->features);
}

static void want_pass(Case *c, const Layer *l)
{
    copy(wanted(c, "y"), l->y, l->rows * l->features);
    copy(wanted(c, "xhat"), l->xhat, l->rows * l->features);
    copy(wanted(c, "rstd"), l->rstd, l->rows);
}

/* As init has it: every number above 0, and the product an int. */
static bool is_shape(const Case *c, int numbers)
{
    const int *shape = given_ints(c, "shape");
    int dims = size_of(c, "dims");
    double product = 1;
    bool positive = dims > 0 && dims <= numbers;
    for (int d = 0; d < dims && positive; d++) {
        positive = shape[d] > 0;
        product *= shape[d];
    }
    return positive && product <= INT_MAX;
}

/* What init refuses has checks of its own, and they ask for nothing else. Only who tries it may. */
static void rule_out_shape(Case *c, bool refused, int numbers)
{
    if (is_shape(c, numbers) == refused)
        rule_out(c, refused ? "that is a shape, and it is not refused" : "that is no shape");
}

static void init_fields_oracle(Case *c, Mistakes m)
{
    rule_out_shape(c, false, size_of(c, "dims"));
    int dims = size_of(c, "dims");
    double features = 1;
    for (int d = 0; d < dims; d++)
        features = (has(m, LAST_DIMENSION) ? 1 : features) * given_ints(c, "shape")[d];
    say(c, "m_features", features);
    say(c, "m_eps", has(m, OWN_EPSILON) ? 1e-5f : scalar_of(c, "eps"));
    say(c, "m_rows", 0);
    say(c, "saved", 0);
    say(c, "return", 0);
}

static void init_parameters_oracle(Case *c, Mistakes m)
{
    rule_out_shape(c, false, size_of(c, "dims"));
    Real *gamma = wanted(c, "gamma"), *dgamma = wanted(c, "dgamma");
    Real *beta = wanted(c, "beta"), *dbeta = wanted(c, "dbeta");
    for (int j = 0, features = size_of(c, "features"); j < features; j++) {
        gamma[j] = exact(has(m, GAMMA_ZERO) ? 0 : 1);
        dgamma[j] = exact(0);
        if (beta)
            beta[j] = exact(0);
        if (dbeta)
            dbeta[j] = exact(0);
    }
    say(c, "bias_arrays", size_of(c, "bias") ? 2 : 0);
    say(c, "return", 0);
}

static void refused_oracle(Case *c, Mistakes m)
{
    (void)m;
    if (takes(c, "numbers"))
        rule_out_shape(c, true, size_of(c, "numbers"));
    else
        rule_out_shape(c, false, size_of(c, "dims"));
    want_no_fields(c);
    say(c, "return", -1);
}

static void free_new_oracle(Case *c, Mistakes m)
{
    (void)m;
    say(c, "blocks_held", 0);
    want_no_fields(c);
}

static void forward_oracle(Case *c, Mistakes m)
{
    Layer l = layer_of(c);
    layer_forward(&l, given(c, "x"), size_of(c, "rows"), m);
    for (int i = 0; i < l.rows * l.features; i++)
        reveal(c, "xhat", l.xhat[i]);
    want_pass(c, &l);
    say(c, "m_rows", l.rows);
    say(c, "return", 0);
    layer_free(&l);
}

static void forward_shape_oracle(Case *c, Mistakes m)
{
    Layer l = layer_new(size_of(c, "height") * size_of(c, "width"), given(c, "gamma_image"),
                        given(c, "beta_image"), scalar_of(c, "eps"));
    layer_forward(&l, given(c, "images"), size_of(c, "rows"), m);
    copy(wanted(c, "y"), l.y, l.rows * l.features);
    say(c, "return", 0);
    layer_free(&l);
}

static void forward_turns_oracle(Case *c, Mistakes m)
{
    Layer l = layer_of(c);
    layer_forward(&l, given(c, "x_3"), size_of(c, "rows_3"), m);
    want_pass(c, &l);
    for (int j = 0; j < l.features; j++)
        wanted(c, "dgamma_after")[j] = exact(has(m, FORWARD_ZEROES) ? 0 : given(c, "dgamma")[j]);
    say(c, "return", 0);
    layer_free(&l);
}

/* All is as the first forward left it. */
static void forward_failed_oracle(Case *c, Mistakes m)
{
    forward_oracle(c, m);
    say(c, "return", -1);
    if (takes(c, "saved"))
        say(c, "saved", 2);
}

static void backward_oracle(Case *c, Mistakes m)
{
    Layer l = layer_of(c);
    layer_forward(&l, given(c, "x"), size_of(c, "rows"), m);
    backward_of(&l, given(c, "dy"), m);
    for (int i = 0; i < l.rows * l.features; i++)
        reveal(c, "xhat", l.xhat[i]);
    copy(wanted(c, "dx"), l.dx, l.rows * l.features);
    want_gradients(c, &l, "dgamma", "dbeta");
    layer_free(&l);
}

static void backward_again_oracle(Case *c, Mistakes m)
{
    Layer l = layer_of(c);
    layer_forward(&l, given(c, "x_1"), size_of(c, "rows_1"), m);
    backward_of(&l, given(c, "dy_1"), m);
    layer_forward(&l, given(c, "x_2"), size_of(c, "rows_2"), m);
    backward_of(&l, given(c, "dy_2"), m);
    backward_of(&l, given(c, "dy_2"), m);
    copy(wanted(c, "dx"), l.dx, l.rows * l.features);
    want_gradients(c, &l, "dgamma", "dbeta");
    layer_free(&l);
}

static void backward_of_two_oracle(Case *c, Mistakes m)
{
    Layer a = layer_new(size_of(c, "features_a"), NULL, NULL, scalar_of(c, "eps"));
    Layer b = layer_new(size_of(c, "features_b"), NULL, NULL, scalar_of(c, "eps"));
    layer_forward(&a, given(c, "x_a"), size_of(c, "rows_a"), m);
    layer_forward(&b, given(c, "x_b"), size_of(c, "rows_b"), m);
    backward_of(&a, given(c, "dy_a"), m);
    backward_of(&b, given(c, "dy_b"), m);
    copy(wanted(c, "dx_a"), a.dx, a.rows * a.features);
    copy(wanted(c, "dx_b"), b.dx, b.rows * b.features);
    copy(wanted(c, "dgamma_a"), a.dgamma, a.features);
    copy(wanted(c, "dgamma_b"), b.dgamma, b.features);
    layer_free(&a);
    layer_free(&b);
}

static void zero_grad_oracle(Case *c, Mistakes m)
{
    Layer l = layer_of(c);
    layer_forward(&l, given(c, "x"), size_of(c, "rows"), m);
    want_gradients(c, &l, "dgamma_zeroed", "dbeta_zeroed");
    backward_of(&l, given(c, "dy"), m);
    want_gradients(c, &l, "dgamma", "dbeta");
    layer_free(&l);
}

static void step_oracle(Case *c, Mistakes m)
{
    Layer l = layer_new(size_of(c, "features"), given(c, "gamma"), given(c, "beta"), 0);
    for (int j = 0; j < l.features; j++) {
        l.dgamma[j] = exact(given(c, "dgamma")[j]);
        l.dbeta[j] = exact(l.beta ? given(c, "dbeta")[j] : 0);
    }
    layer_step(&l, scalar_of(c, "rate"), m);
    copy(wanted(c, "gamma_after"), l.gamma, l.features);
    copy(wanted(c, "beta_after"), l.beta, l.features);
    want_gradients(c, &l, "dgamma_after", "dbeta_after");
    layer_free(&l);
}

static void train_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "height") * size_of(c, "width");
    int count = rows * features;
    Layer l =
        layer_new(features, given(c, "gamma_image"), given(c, "beta_image"), scalar_of(c, "eps"));
    Real *dy = new_reals(count);
    for (int i = 0; i < size_of(c, "steps"); i++) {
        layer_zero_grad(&l);
        layer_forward(&l, given(c, "batches") + i * count, rows, m);
        for (int k = 0; k < count; k++)
            dy[k] = sub(l.y[k], exact(given(c, "targets")[i * count + k]));
        layer_backward(&l, dy, m);
        layer_step(&l, scalar_of(c, "rate"), m);
    }
    copy(wanted(c, "y"), l.y, count);
    copy(wanted(c, "gamma_after"), l.gamma, features);
    copy(wanted(c, "beta_after"), l.beta, features);
    free(dy);
    layer_free(&l);
}

static void lives_oracle(Case *c, Mistakes m)
{
    (void)m;
    say(c, "blocks_held", 0);
    say(c, "blocks_grown", 0);
    want_no_fields(c);
}

#define INIT "layer_norm_init"
#define FORWARD "layer_norm_forward"
#define BACKWARD "layer_norm_backward"
#define ZERO_GRAD "layer_norm_zero_grad"
#define STEP "layer_norm_step"
#define FREE "layer_norm_free"

static const Step steps[] = {
    {"init_fields", init_fields_oracle, .calls = INIT},
    {"init_parameters", init_parameters_oracle, .calls = INIT},
    {"init_refused", refused_oracle, .calls = INIT},
    {"free_new", free_new_oracle, .calls = INIT " " FREE},
    {"init_without_memory", refused_oracle, .calls = INIT},
    {"forward", forward_oracle, .calls = INIT " " FORWARD " " FREE, .about = FORWARD},
    {"forward_shape", forward_shape_oracle, .calls = INIT " " FORWARD " " FREE, .about = FORWARD},
    {"forward_turns", forward_turns_oracle, .calls = INIT " " FORWARD " " FREE, .about = FORWARD},
    {"forward_refused", forward_failed_oracle, .calls = INIT " " FORWARD " " FREE,
     .about = FORWARD},
    {"forward_without_memory", forward_failed_oracle, .calls = INIT " " FORWARD " " FREE,
     .about = FORWARD},
    {"backward", backward_oracle, .calls = INIT " " FORWARD " " BACKWARD " " FREE,
     .about = BACKWARD},
    {"backward_again", backward_again_oracle, .calls = INIT " " FORWARD " " BACKWARD " " FREE,
     .about = BACKWARD, .slopes_of = ""}, /* of two losses, one after the other */
    {"backward_of_two", backward_of_two_oracle, .calls = INIT " " FORWARD " " BACKWARD " " FREE,
     .about = BACKWARD},
    {"zero_grad", zero_grad_oracle, .calls = INIT " " FORWARD " " BACKWARD " " ZERO_GRAD " " FREE,
     .about = ZERO_GRAD, .slopes_of = ""}, /* and here of the second */
    {"step", step_oracle, .calls = INIT " " STEP " " FREE, .about = STEP},
    {"train", train_oracle, .calls = INIT " " ZERO_GRAD " " FORWARD " " BACKWARD " " STEP " " FREE,
     .about = STEP},
    {"lives", lives_oracle, .calls = INIT " " ZERO_GRAD " " FORWARD " " BACKWARD " " STEP " " FREE},
    {0},
};

static const Check checks[] = {
    {"init_fields", INIT " multiplies the shape and keeps eps", "shape", draw_init_fields},
    {"init_parameters", INIT " makes gamma 1, and beta 0 with a bias", "parameters",
     draw_init_parameters},
    {"init_refused", INIT " refuses what is no shape", .draw = draw_init_refused},
    {"free_new", FREE " gives all back, and does nothing the second time", .draw = draw_free_new},
    {"init_without_memory", INIT " leaves nothing behind when memory is out",
     .draw = draw_init_without_memory},
    {"forward", FORWARD " matches torch.nn.LayerNorm", "forward", .only = "return y"},
    {"forward", FORWARD " saves xhat, rstd and rows", "forward"},
    {"forward_shape", FORWARD " normalizes the last two of three dimensions", "forward, shape",
     draw_forward_shape},
    {"forward", FORWARD " holds on 24 shapes drawn afresh", .draw = draw_forward},
    {"forward_turns", FORWARD " takes another number of rows each time",
     .draw = draw_forward_turns},
    {"forward_refused", FORWARD " refuses impossible rows, and changes nothing",
     .draw = draw_forward_refused},
    {"forward_without_memory", FORWARD " changes nothing when memory is out",
     .draw = draw_forward_without_memory},
    {"backward", BACKWARD " gives dgamma and dbeta when x is gone", "backward",
     .only = "dgamma dbeta"},
    {"backward", BACKWARD " matches autograd's dx", "backward", .only = "dx"},
    {"backward", BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_backward},
    {"backward_again", BACKWARD " adds to the gradients", "backward, again", draw_backward_again},
    {"backward_of_two", BACKWARD " keeps two layers apart", .draw = draw_backward_of_two},
    {"zero_grad", ZERO_GRAD " lets the gradients begin anew", .draw = draw_zero_grad},
    {"step", STEP " moves the parameters against the gradients", "step", draw_step},
    {"train", STEP " trains as torch.optim.SGD does", "train", draw_train},
    {"lives", FREE " gives all back after whole lives", .draw = draw_lives},
    {0},
};

const Lesson lesson = {
    "The Module",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 bias=1 rate=0.1",
    .made_of =
        (const NamedParts[]){{"9", "features rows eps gamma beta dgamma dbeta xhat rstd", NULL},
                             {0}},
    .needs = "01",
    .learned = "who owns parameters, gradients and what backward needs.",
};
