/* Lesson 05, batch norm: its checks, and the oracle that can make every mistake of mistakes.h. */
#include "statistics.h"

#include <stdlib.h>

/* Where chunks begin with the rows some elements are never written: NaN, until they are. */
static Real *unwritten(Case *c, const char *name)
{
    Real *out = wanted(c, name);
    for (int i = 0; i < size_of(c, "batch") * size_of(c, "features"); i++)
        out[i] = exact(NAN);
    return out;
}

/* True: the last of those chunks reaches past the array's end, and there is no telling what is
 * found there. */
static bool left_to_chance(Case *c, Mistakes m)
{
    if (!has(m, COLUMNS_OVERLAP) || size_of(c, "features") <= size_of(c, "batch"))
        return false;
    promise_nothing(c);
    return true;
}

static Real moved(const Case *c, double before, Real statistic, Mistakes m)
{
    Real running = exact(before), take = exact(scalar_of(c, "momentum")),
         keep = sub(exact(1), take);
    if (has(m, RUNNING_NOT_UPDATED))
        return running;
    if (has(m, RUNNING_OVERWRITTEN))
        return statistic;
    for (int times = has(m, MOVED_PER_EXAMPLE) ? size_of(c, "batch") : 1; times > 0; times--) {
        if (has(m, MOMENTUM_REVERSED))
            running = add(mul(take, running), mul(keep, statistic));
        else if (has(m, OLD_NOT_SHRUNK))
            running = add(running, mul(take, statistic));
        else
            running = add(mul(keep, running), mul(take, statistic));
    }
    return running;
}

static Real moved_variance(const Case *c, double running, Statistics s, Mistakes m)
{
    Real towards = has(m, RUNNING_VAR_BIASED) ? s.variance : s.unbiased;
    if (size_of(c, "batch") == 1) {
        if (has(m, BATCH_OF_ONE_DIVIDES) && !has(m, RUNNING_NOT_UPDATED))
            return exact(NAN); /* 0 / 0, for certain */
        if (!has(m, BATCH_OF_ONE_IS_ZERO))
            return exact(running);
        towards = exact(0);
    }
    if (has(m, RUNNING_MEAN_ONLY))
        return exact(running);
    if (has(m, RUNNING_VAR_IS_STD))
        towards = root(towards);
    if (has(m, RUNNING_VAR_WITH_EPS))
        towards = add(towards, exact(scalar_of(c, "eps")));
    return moved(c, running, towards, m);
}

/* One element of y, of feature j. */
static Real output(Case *c, int j, double x, Real mean, Real variance, Mistakes m)
{
    bool swapped = has(m, GAMMA_BETA_SWAPPED);
    Real scale = exact(has(m, GAMMA_MISSING) ? 1 : given(c, swapped ? "beta" : "gamma")[j]);
    Real shift = exact(has(m, BETA_MISSING) ? 0 : given(c, swapped ? "gamma" : "beta")[j]);
    Real centered = has(m, MEAN_NOT_SUBTRACTED) ? exact(x) : sub(exact(x), mean);
    Real xhat = divide(centered, deviation(variance, scalar_of(c, "eps"), m));
    return add(mul(scale, xhat), shift);
}

static void train_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    const float *x = given(c, "x"), *old_mean = given(c, "running_mean");
    const float *old_var = given(c, "running_var");
    Real *y = unwritten(c, "y"), *new_mean = wanted(c, "running_mean");
    Real *new_var = wanted(c, "running_var");
    if (left_to_chance(c, m))
        return;

    Grouping by = has(m, STATISTICS_OF_ALL) ? ALL : columns_of(m);
    for (int j = 0; j < features; j++) {
        Statistics s = statistics_of(x, group_at(by, j, batch, features), m);
        reveal(c, "batch mean", s.mean);
        reveal(c, "batch variance", s.variance);
        new_mean[j] = moved(c, old_mean[j], s.mean, m);
        new_var[j] = moved_variance(c, old_var[j], s, m);
    }
    by = has(m, STATISTICS_PER_ROW) ? ROWS : by;
    for (int k = 0; k < group_count(by, batch, features); k++) {
        Group g = group_at(by, k, batch, features);
        Statistics s = statistics_of(x, g, m);
        for (int i = g.first; i < g.first + g.count * g.step; i += g.step) {
            int j = feature_of(g, i, features);
            Real mean = s.mean, variance = has(m, N_MINUS_1) ? s.unbiased : s.variance;
            if (has(m, NORMALIZES_WITH_OLD))
                mean = exact(old_mean[j]), variance = exact(old_var[j]);
            if (has(m, NORMALIZES_WITH_NEW))
                mean = new_mean[j], variance = new_var[j];
            y[i] = output(c, j, x[i], mean, variance, m);
        }
    }
}

static void eval_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    const float *x = given(c, "x");
    Real *y = unwritten(c, "y");
    if (left_to_chance(c, m))
        return;
    for (int j = 0; j < features; j++) {
        Group g = group_at(columns_of(m), j, batch, features);
        Real mean = exact(given(c, "running_mean")[j]);
        Real variance = exact(given(c, "running_var")[j]);
        if (has(m, EVAL_USES_BATCH)) {
            Statistics s = statistics_of(x, g, m);
            mean = s.mean, variance = s.variance;
        }
        for (int r = 0; r < batch; r++)
            y[g.first + r * g.step] = output(c, j, x[g.first + r * g.step], mean, variance, m);
    }
}

typedef struct {
    Real centered, rstd, xhat;
} Normalized;

static void normalize(const Case *c, Group g, Statistics s, Normalized *n, Mistakes m)
{
    Real variance = has(m, N_MINUS_1) ? s.unbiased : s.variance;
    for (int i = g.first; i < g.first + g.count * g.step; i += g.step) {
        n[i].centered = sub(exact(given(c, "x")[i]), s.mean);
        n[i].rstd = divide(exact(1), deviation(variance, scalar_of(c, "eps"), m));
        n[i].xhat = mul(n[i].centered, n[i].rstd);
    }
}

static void backward_parameters(Case *c, Group g, const Normalized *n, Mistakes m)
{
    int batch = size_of(c, "batch"), j = g.feature;
    Real *dgamma = wanted(c, has(m, GRADIENTS_SWAPPED) ? "dbeta" : "dgamma");
    Real *dbeta = wanted(c, has(m, GRADIENTS_SWAPPED) ? "dgamma" : "dbeta");
    Sum with_xhat = {0}, plain = {0};
    for (int r = has(m, GRADIENTS_OF_LAST) ? batch - 1 : 0; r < batch; r++) {
        int i = g.first + r * g.step;
        Real dy = exact(given(c, "dy")[i]), factor = n[i].xhat;
        if (has(m, DGAMMA_OF_X))
            factor = exact(given(c, "x")[i]);
        else if (has(m, DGAMMA_NOT_SCALED))
            factor = n[i].centered;
        if (has(m, PARAMETERS_TIMES_GAMMA))
            dy = mul(dy, exact(given(c, "gamma")[j]));
        include(&with_xhat, mul(dy, factor));
        include(&plain, dy);
    }
    dgamma[j] = average(with_xhat, has(m, GRADIENTS_AVERAGED) ? batch : 1);
    dbeta[j] = average(plain, has(m, GRADIENTS_AVERAGED) ? batch : 1);
}

static void backward_input(Case *c, Group g, const Normalized *n, Mistakes m)
{
    int end = g.first + g.count * g.step, features = size_of(c, "features");
    const float *dy = given(c, "dy"), *gamma = given(c, "gamma");
    double count = has(m, DX_SUMS) ? 1 : g.count;
    Real *dx = wanted(c, "dx");
    Sum plain = {0}, with_xhat = {0}, so_far = {0}, with_xhat_so_far = {0};
    for (int i = g.first; i < end; i += g.step) {
        int j = feature_of(g, i, features);
        dx[i] = has(m, GAMMA_MISSING) ? exact(dy[i]) : mul(exact(dy[i]), exact(gamma[j]));
        include(&plain, dx[i]);
        include(&with_xhat, mul(dx[i], n[i].xhat));
    }
    Real of_mean = average(plain, count), of_variance = average(with_xhat, count);
    for (int i = g.first; i < end; i += g.step) {
        include(&so_far, dx[i]);
        include(&with_xhat_so_far, mul(dx[i], n[i].xhat));
        if (has(m, DX_TOO_EARLY))
            of_mean = average(so_far, count), of_variance = average(with_xhat_so_far, count);
        Real term = has(m, DX_HAT_MISSING) ? of_variance : mul(n[i].xhat, of_variance);
        if (!has(m, DX_MISSES_MEAN) && !has(m, STATISTICS_CONSTANT))
            dx[i] = sub(dx[i], of_mean);
        if (!has(m, DX_MISSES_VARIANCE) && !has(m, STATISTICS_CONSTANT))
            dx[i] = has(m, DX_SIGN) ? add(dx[i], term) : sub(dx[i], term);
        if (has(m, GAMMA_TWICE))
            dx[i] = mul(dx[i], exact(gamma[feature_of(g, i, features)]));
        if (!has(m, RSTD_MISSING))
            dx[i] = mul(dx[i], n[i].rstd);
    }
}

static void backward_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    const float *x = given(c, "x");
    bool rows_first = has(m, STATISTICS_PER_ROW);
    bool rows_last = rows_first || has(m, DX_MEANS_PER_ROW);
    unwritten(c, "dx");
    if (left_to_chance(c, m))
        return;
    Normalized *n = calloc((size_t)batch * (size_t)features, sizeof *n);
    if (!n)
        author_error("out of memory");
    for (int r = 0; r < batch && rows_first; r++) {
        Group row = group_at(ROWS, r, batch, features);
        normalize(c, row, statistics_of(x, row, m), n, m);
    }
    for (int j = 0; j < features; j++) {
        Group column = group_at(columns_of(m), j, batch, features);
        if (!rows_first)
            normalize(c, column, statistics_of(x, column, m), n, m);
        backward_parameters(c, column, n, m);
        if (!rows_last)
            backward_input(c, column, n, m);
    }
    for (int r = 0; r < batch && rows_last; r++)
        backward_input(c, group_at(ROWS, r, batch, features), n, m);
    free(n);
}

static const Step steps[] = {
    {TRAIN, train_oracle, NULL},
    {EVAL, eval_oracle, NULL},
    {BACKWARD, backward_oracle, NULL},
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
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 momentum=0.1 running_mean=0 running_var=1",
    .needs = "01",
    .core = true,
    .learned = "a norm down the columns, which has to remember for later.",
};
