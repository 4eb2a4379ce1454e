/* Lesson 05, batch norm: its checks, and the oracle that can make every mistake of mistakes.h. */
#include "engine.h"
#include "mistakes.h"

#include <stdlib.h>

/* Numbers that share a mean and a variance: a column, a row or the whole of a batch x features
 * array, or a chunk of `batch` neighbours, which is a column to those who read the array as
 * features x batch. Number i stands at first + i * step. */
typedef struct {
    int first, step, count;
} Group;

typedef enum { COLUMNS, ROWS, ALL, CHUNKS } Grouping;

static int group_count(Grouping by, int batch, int features)
{
    return by == ROWS ? batch : by == ALL ? 1 : features;
}

static Group group_at(Grouping by, int index, int batch, int features)
{
    if (by == COLUMNS)
        return (Group){index, features, batch};
    if (by == CHUNKS)
        return (Group){index * batch, 1, batch};
    return by == ROWS ? (Group){index * features, 1, features} : (Group){0, 1, batch * features};
}

static int feature_at(const Case *c, int i, Mistakes m) /* whose gamma element i gets */
{
    return has(m, INDEX_TRANSPOSED) ? i / size_of(c, "batch") : i % size_of(c, "features");
}

typedef struct {
    Real mean, variance, unbiased;
} Statistics;

/* Honest code may also work with the distances from the first value, in one pass. Its roundings are
 * charged where they are the larger: in columns near zero that begin with an outlier. `before` is
 * NULL, or the column before, for those who go on adding where it ended. */
static Statistics statistics_of(const float *x, Group g, const Statistics *before, Mistakes m)
{
    Sum sum = {0}, squares = {0}, raw_squares = {0}, shifted = {0}, shifted_squares = {0};
    Real first = exact(x[g.first]);
    if (before) {
        include(&sum, before->mean);
        include(&squares, before->variance);
    }
    for (int i = 0; i < g.count; i++) {
        Real value = exact(x[g.first + i * g.step]);
        Real distance = {value.v - first.v, UNIT_ROUNDOFF * fabs(value.v - first.v)};
        include(&sum, value);
        include(&raw_squares, square(value));
        include(&shifted, distance);
        include(&shifted_squares, square(distance));
    }
    Real mean = average(sum, g.count), shift = average(shifted, g.count);
    mean.e = fmax(mean.e, add(first, shift).e);
    for (int i = 0; i < g.count; i++)
        include(&squares, square(sub(exact(x[g.first + i * g.step]), mean)));
    Real variance = average(squares, g.count);
    variance.e = fmax(variance.e, sub(average(shifted_squares, g.count), square(shift)).e);
    if (has(m, CANCELLATION))
        variance = cancelled(average(raw_squares, g.count), mean);
    /* Over batch - 1, or as many write it, the biased one times batch / (batch - 1). */
    return (Statistics){mean, variance, divide(scaled(variance, g.count), exact(g.count - 1))};
}

static Real deviation(Real variance, double eps, Mistakes m) /* what x - mean is divided by */
{
    Real added = exact(has(m, EPSILON_MISSING) ? 0 : eps);
    if (has(m, DIVIDE_BY_VARIANCE))
        return add(variance, added);
    return has(m, EPSILON_OUTSIDE) ? add(root(variance), added) : root(add(variance, added));
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
    if (has(m, PARENTHESES_MISSING))
        towards = sub(s.variance, exact(1));
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
    Real hat = divide(centered, deviation(variance, scalar_of(c, "eps"), m));
    return add(mul(scale, hat), shift);
}

static void train_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    const float *x = given(c, "x"), *old_mean = given(c, "running_mean");
    const float *old_var = given(c, "running_var");
    Real *y = wanted(c, "y"), *new_mean = wanted(c, "running_mean");
    Real *new_var = wanted(c, "running_var");

    Grouping by = has(m, STATISTICS_OF_ALL) ? ALL : has(m, INDEX_TRANSPOSED) ? CHUNKS : COLUMNS;
    Statistics s = {0};
    for (int j = 0; j < features; j++) {
        Group g = group_at(by, j, batch, features);
        s = statistics_of(x, g, has(m, NOT_RESET) && j ? &s : NULL, m);
        reveal(c, "batch mean", s.mean);
        reveal(c, "batch variance", s.variance);
        new_mean[j] = moved(c, old_mean[j], s.mean, m);
        new_var[j] = moved_variance(c, old_var[j], s, m);
    }
    by = has(m, STATISTICS_PER_ROW) ? ROWS : by;
    for (int k = 0; k < group_count(by, batch, features); k++) {
        Group g = group_at(by, k, batch, features);
        s = statistics_of(x, g, has(m, NOT_RESET) && k ? &s : NULL, m);
        for (int i = g.first; i < g.first + g.count * g.step; i += g.step) {
            int j = feature_at(c, i, m);
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
    Real *y = wanted(c, "y");
    for (int j = 0; j < features; j++) {
        Group g = group_at(has(m, INDEX_TRANSPOSED) ? CHUNKS : COLUMNS, j, batch, features);
        Real mean = exact(given(c, "running_mean")[j]);
        Real variance = exact(given(c, "running_var")[j]);
        if (has(m, EVAL_USES_BATCH)) {
            Statistics s = statistics_of(x, g, NULL, m);
            mean = s.mean, variance = s.variance;
        }
        for (int r = 0; r < batch; r++)
            y[g.first + r * g.step] = output(c, j, x[g.first + r * g.step], mean, variance, m);
    }
}

typedef struct {
    Real centered, rstd, hat;
} Normalized;

static void backward_parameters(Case *c, const Normalized *n, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    Real *dgamma = wanted(c, has(m, GRADIENTS_SWAPPED) ? "dbeta" : "dgamma");
    Real *dbeta = wanted(c, has(m, GRADIENTS_SWAPPED) ? "dgamma" : "dbeta");
    for (int j = 0; j < features; j++) {
        Sum with_hat = {0}, plain = {0};
        Group g = group_at(has(m, INDEX_TRANSPOSED) ? CHUNKS : COLUMNS, j, batch, features);
        for (int r = has(m, GRADIENTS_OF_LAST) ? batch - 1 : 0; r < batch; r++) {
            int i = g.first + r * g.step;
            Real dy = exact(given(c, "dy")[i]), factor = n[i].hat;
            if (has(m, DGAMMA_OF_X))
                factor = exact(given(c, "x")[i]);
            else if (has(m, DGAMMA_NOT_SCALED))
                factor = n[i].centered;
            if (has(m, PARAMETERS_TIMES_GAMMA))
                dy = mul(dy, exact(given(c, "gamma")[j]));
            include(&with_hat, mul(dy, factor));
            include(&plain, dy);
        }
        dgamma[j] = average(with_hat, has(m, GRADIENTS_AVERAGED) ? batch : 1);
        dbeta[j] = average(plain, has(m, GRADIENTS_AVERAGED) ? batch : 1);
    }
}

static void backward_input(Case *c, Group g, const Normalized *n, Mistakes m)
{
    int end = g.first + g.count * g.step;
    const float *dy = given(c, "dy"), *gamma = given(c, "gamma");
    double count = has(m, DX_SUMS) ? 1 : g.count;
    Real *dx = wanted(c, "dx");
    Sum plain = {0}, with_hat = {0}, so_far = {0}, with_hat_so_far = {0};
    for (int i = g.first; i < end; i += g.step) {
        int j = feature_at(c, i, m);
        dx[i] = has(m, GAMMA_MISSING) ? exact(dy[i]) : mul(exact(dy[i]), exact(gamma[j]));
        include(&plain, dx[i]);
        include(&with_hat, mul(dx[i], n[i].hat));
    }
    Real of_mean = average(plain, count), of_variance = average(with_hat, count);
    for (int i = g.first; i < end; i += g.step) {
        include(&so_far, dx[i]);
        include(&with_hat_so_far, mul(dx[i], n[i].hat));
        if (has(m, DX_TOO_EARLY))
            of_mean = average(so_far, count), of_variance = average(with_hat_so_far, count);
        Real term = has(m, DX_HAT_MISSING) ? of_variance : mul(n[i].hat, of_variance);
        if (!has(m, DX_MISSES_MEAN) && !has(m, STATISTICS_CONSTANT))
            dx[i] = sub(dx[i], of_mean);
        if (!has(m, DX_MISSES_VARIANCE) && !has(m, STATISTICS_CONSTANT))
            dx[i] = has(m, DX_SIGN) ? add(dx[i], term) : sub(dx[i], term);
        if (has(m, GAMMA_TWICE))
            dx[i] = mul(dx[i], exact(gamma[feature_at(c, i, m)]));
        if (!has(m, RSTD_MISSING))
            dx[i] = mul(dx[i], n[i].rstd);
    }
}

static void backward_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch"), features = size_of(c, "features");
    const float *x = given(c, "x");
    Normalized *n = calloc((size_t)batch * (size_t)features, sizeof *n);
    if (!n)
        author_error("out of memory");
    Grouping columns = has(m, INDEX_TRANSPOSED) ? CHUNKS : COLUMNS;
    Grouping by = has(m, STATISTICS_PER_ROW) ? ROWS : columns;
    for (int k = 0; k < group_count(by, batch, features); k++) {
        Group g = group_at(by, k, batch, features);
        Statistics s = statistics_of(x, g, NULL, m);
        Real variance = has(m, N_MINUS_1) ? s.unbiased : s.variance;
        for (int i = g.first; i < g.first + g.count * g.step; i += g.step) {
            n[i].centered = sub(exact(x[i]), s.mean);
            n[i].rstd = divide(exact(1), deviation(variance, scalar_of(c, "eps"), m));
            n[i].hat = mul(n[i].centered, n[i].rstd);
        }
    }
    backward_parameters(c, n, m);
    by = has(m, STATISTICS_PER_ROW) || has(m, DX_MEANS_PER_ROW) ? ROWS : columns;
    for (int k = 0; k < group_count(by, batch, features); k++)
        backward_input(c, group_at(by, k, batch, features), n, m);
    free(n);
}

static const Step steps[] = {
    {TRAIN, train_oracle, NULL},
    {EVAL, eval_oracle, NULL},
    {BACKWARD, backward_oracle, NULL},
    {0},
};

/* A shape's rows become columns here, for its numbers are about what shares a mean. Only the last
 * shape stays as it is: a batch of two with 1000 features. */
static Case *draw_batch(Cases *cases, Rng *rng, const char *function, int index)
{
    static const float epsilons[] = {1e-5f, 1e-3f, 1e-6f};
    Shape shape = odd_shape(index);
    bool as_is = index == SHAPES - 1;
    int batch = as_is ? shape.rows : shape.features, features = as_is ? shape.features : shape.rows;
    Case *c = case_new(cases, function);
    set_size(c, "batch", batch);
    set_size(c, "features", features);
    set_scalar(c, "eps", epsilons[index % 3]);
    bool running = param_index(c->function, "running_mean") >= 0;
    for (int j = 0; j < features; j++) {
        double spread = shape.spread * uniform(rng, 0.6, 1.5);
        for (int r = 0; r < batch; r++)
            fill(c, "x")[r * features + j] = (float)(spread * (shape.offset + normal(rng)));
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

const Lesson lesson = {"Batch Normalization", steps, checks, mistakes,
                       .defaults =
                           "gamma=1 beta=0 eps=1e-5 momentum=0.1 running_mean=0 running_var=1"};
