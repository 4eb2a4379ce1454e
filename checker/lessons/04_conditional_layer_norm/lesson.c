/* Lesson 04, conditional layer norm: its checks, and the oracles that can make every mistake of
 * mistakes.h. */
#include "mistakes.h"

static void init_oracle(Case *c, Mistakes m)
{
    int features = size_of(c, "features"), size = size_of(c, "condition_size");
    Real *w_gamma = wanted(c, "w_gamma"), *w_beta = wanted(c, "w_beta");
    for (int i = 0; i < features * size; i++) {
        w_gamma[i] = exact(has(m, INIT_WEIGHTS_ONE) || has(m, INIT_W_GAMMA_ONE));
        w_beta[i] = exact(has(m, INIT_WEIGHTS_ONE));
    }
    Real *b_gamma = wanted(c, "b_gamma"), *b_beta = wanted(c, "b_beta");
    for (int j = 0; j < features; j++) {
        b_gamma[j] = exact(!has(m, INIT_GAMMA_ZERO) && !has(m, INIT_SWAPPED));
        if (has(m, INIT_MEMSET_ONE))
            b_gamma[j] = exact(0x1.020202p-125); /* the float of the bytes 1 1 1 1 */
        b_beta[j] = exact(has(m, INIT_BETA_ONE) || has(m, INIT_SWAPPED));
    }
}

/* One of the two affine maps: what makes gamma, or what makes beta. */
typedef struct {
    const float *w, *b;
} Map;

typedef struct {
    Map gamma, beta;
    const float *condition;
    int features, size;
} Maps;

static Maps maps_of(const Case *c, Mistakes m)
{
    Map gamma = {.w = given(c, "w_gamma"), .b = given(c, "b_gamma")};
    Map beta = {.w = given(c, has(m, BETA_USES_W_GAMMA) ? "w_gamma" : "w_beta"),
                .b = given(c, has(m, BETA_USES_B_GAMMA) ? "b_gamma" : "b_beta")};
    bool swap = has(m, GAMMA_BETA_SWAPPED);
    return (Maps){swap ? beta : gamma, swap ? gamma : beta, given(c, "condition"),
                  size_of(c, "features"), size_of(c, "condition_size")};
}

static Real mapped(const Map *map, const Maps *maps, int r, int j, Mistakes m)
{
    const float *condition = maps->condition + (has(m, CONDITION_FIRST_ROW) ? 0 : r * maps->size);
    Sum sum = {0};
    for (int k = 0; k < maps->size; k++) {
        int at = has(m, WEIGHTS_TRANSPOSED)  ? k * maps->features + j
                 : has(m, WEIGHTS_FIRST_ROW) ? k
                                             : j * maps->size + k;
        include(&sum, mul(exact(map->w[at]), exact(condition[k])));
    }
    int biases = has(m, BIAS_MISSING) ? 0 : has(m, BIAS_EVERY_K) ? maps->size : 1;
    for (int i = 0; i < biases; i++)
        include(&sum, exact(map->b[j]));
    if (map == &maps->gamma && has(m, RESIDUAL_ONE))
        include(&sum, exact(1));
    return total(sum);
}

static void affine_oracle(Case *c, Mistakes m)
{
    Maps maps = maps_of(c, m);
    Real *gamma = wanted(c, "gamma"), *beta = wanted(c, "beta");
    for (int i = 0; i < size_of(c, "rows") * maps.features; i++) {
        int r = i / maps.features, j = i % maps.features;
        gamma[i] = mapped(&maps.gamma, &maps, r, j, m);
        beta[i] = mapped(&maps.beta, &maps, r, j, m);
    }
}

/* Honest code may also sum the distances from the row's first value; those roundings are charged
 * where they are the larger. */
static Real mean_of(const Real *z, int n)
{
    Sum sum = {0}, from_first = {0};
    for (int j = 0; j < n; j++) {
        include(&sum, z[j]);
        double distance = z[j].v - z[0].v;
        include(&from_first, (Real){distance, UNIT_ROUNDOFF * fabs(distance)});
    }
    Real mean = average(sum, n);
    mean.e = fmax(mean.e, add(z[0], average(from_first, n)).e);
    return mean;
}

static Real variance_of(const Real *z, int n, Real mean, Mistakes m)
{
    Sum distances = {0}, squares = {0};
    for (int j = 0; j < n; j++) {
        include(&distances, square(sub(z[j], mean)));
        include(&squares, square(z[j]));
    }
    double count = has(m, N_MINUS_1) ? n - 1 : n;
    if (has(m, CANCELLATION))
        return cancelled(average(squares, count), mean);
    return average(has(m, VARIANCE_ABOUT_ZERO) ? squares : distances, count);
}

/* Normalizes z, n numbers, in place. */
static void normalize(Real *z, int n, double given_eps, Mistakes m)
{
    Real eps = exact(has(m, EPSILON_MISSING) ? 0 : given_eps);
    Real mean = mean_of(z, n), variance = variance_of(z, n, mean, m);
    Real spread = root(add(variance, eps));
    if (has(m, EPSILON_OUTSIDE))
        spread = add(root(variance), eps);
    if (has(m, DIVIDE_BY_VARIANCE))
        spread = add(variance, eps);
    for (int j = 0; j < n; j++)
        z[j] = divide(has(m, MEAN_NOT_SUBTRACTED) ? z[j] : sub(z[j], mean), spread);
}

static Real conditioned(Real x, const Maps *maps, int r, int j, Mistakes m)
{
    Real gamma = mapped(&maps->gamma, maps, r, j, m), beta = mapped(&maps->beta, maps, r, j, m);
    Real shift = has(m, BETA_MISSING) ? exact(0) : beta;
    if (has(m, GAMMA_MISSING))
        return add(x, shift);
    return has(m, BETA_INSIDE) ? mul(gamma, add(x, shift)) : add(mul(gamma, x), shift);
}

static void norm_oracle(Case *c, Mistakes m)
{
    Maps maps = maps_of(c, m);
    int rows = size_of(c, "rows"), features = maps.features;
    const float *x = given(c, "x");
    float eps = scalar_of(c, "eps");
    Real *y = wanted(c, "y");
    for (int i = 0; i < rows * features; i++) {
        y[i] = exact(x[has(m, FIRST_ROW_AGAIN) ? i % features : i]);
        if (has(m, SCALE_BEFORE_NORM))
            y[i] = conditioned(y[i], &maps, i / features, i % features, m);
    }
    int count = has(m, STATISTICS_OF_ALL) ? 1 : rows, length = rows * features / count;
    for (int r = 0; r < count; r++)
        normalize(y + r * length, length, eps, m);
    for (int i = 0; i < rows * features; i++)
        reveal(c, "xhat", y[i]);
    if (!has(m, SCALE_BEFORE_NORM))
        for (int i = 0; i < rows * features; i++)
            y[i] = conditioned(y[i], &maps, i / features, i % features, m);
}

/* What one of the two maps owes its bias and its weights, from the gradient of what it made. */
static void parameters_backward(Case *c, const char *dw_name, const char *db_name, const float *d,
                                Mistakes m)
{
    Real *dw = wanted(c, dw_name), *db = wanted(c, db_name);
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    int size = size_of(c, "condition_size");
    const float *condition = given(c, "condition");
    int first = has(m, LAST_ROW_ONLY) ? rows - 1 : 0;
    double shared = has(m, ROWS_AVERAGED) ? rows : 1;

    for (int j = 0; j < features; j++) {
        Sum bias = {0};
        for (int k = 0; k < size; k++) {
            Sum weight = {0};
            for (int r = first; r < rows; r++) {
                Real own = exact(condition[(has(m, CONDITION_FIRST_ROW) ? 0 : r * size) + k]);
                Real term = exact(d[r * features + j]);
                include(&weight, has(m, DW_WITHOUT_CONDITION) ? term : mul(term, own));
                if (k == 0 || has(m, DB_EVERY_K) || has(m, DB_TIMES_CONDITION))
                    include(&bias, has(m, DB_TIMES_CONDITION) ? mul(term, own) : term);
            }
            dw[has(m, DW_TRANSPOSED) ? k * features + j : j * size + k] = average(weight, shared);
        }
        db[j] = average(bias, shared);
    }
}

static void backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    int size = size_of(c, "condition_size");
    const float *dgamma = given(c, "dgamma"), *dbeta = given(c, "dbeta");
    bool swapped = has(m, GRADIENTS_SWAPPED), other = has(m, DCONDITION_WEIGHTS_SWAPPED);
    parameters_backward(c, "dw_gamma", "db_gamma", swapped ? dbeta : dgamma, m);
    parameters_backward(c, "dw_beta", "db_beta", swapped ? dgamma : dbeta, m);

    const float *w_gamma = given(c, other ? "w_beta" : "w_gamma");
    const float *w_beta = given(c, other ? "w_gamma" : "w_beta");
    Real *dcondition = wanted(c, "dcondition");
    for (int i = 0; i < rows * size; i++) {
        int r = i / size, k = i % size;
        Sum sum = {0};
        for (int j = 0; j < features; j++) {
            int at = has(m, WEIGHTS_TRANSPOSED) ? k * features + j : j * size + k;
            int d = r * features + j;
            if (!has(m, DCONDITION_BETA_ONLY))
                include(&sum, mul(exact(dgamma[d]), exact(w_gamma[at])));
            if (!has(m, DCONDITION_GAMMA_ONLY))
                include(&sum, mul(exact(dbeta[d]), exact(w_beta[at])));
        }
        dcondition[i] = total(sum);
    }
}

static const Step steps[] = {
    {INIT, init_oracle, NULL},
    {AFFINE, affine_oracle, NULL},
    {NORM, norm_oracle, NULL},
    {BACKWARD, backward_oracle, NULL},
    {0},
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
    mistakes,
    .defaults = "condition=1 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "gamma and beta may follow a condition, and start as if not.",
};
