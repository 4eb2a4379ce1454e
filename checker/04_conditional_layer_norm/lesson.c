/* Lesson 04, conditional layer norm: its checks, its oracle and the mistakes it can make. */
#include "engine.h"

enum {
    INIT_GAMMA_ZERO,
    INIT_BETA_ONE,
    INIT_SWAPPED,
    INIT_MEMSET_ONE,
    INIT_WEIGHTS_ONE,
    INIT_W_GAMMA_ONE,
    WEIGHTS_TRANSPOSED,
    WEIGHTS_FIRST_ROW,
    BIAS_MISSING,
    BIAS_EVERY_K,
    RESIDUAL_ONE,
    CONDITION_FIRST_ROW,
    CONDITION_MISSES_LAST,
    GAMMA_BETA_SWAPPED,
    BETA_USES_W_GAMMA,
    BETA_USES_B_GAMMA,
    SUM_NOT_RESET,
    N_MINUS_1,
    EPSILON_OUTSIDE,
    EPSILON_MISSING,
    DIVIDE_BY_VARIANCE,
    STATISTICS_OF_ALL,
    SCALE_BEFORE_NORM,
    GAMMA_MISSING,
    BETA_MISSING,
    LAST_ROW_ONLY,
    ROWS_AVERAGED,
    GRADIENTS_SWAPPED,
    DB_EVERY_K,
    DB_TIMES_CONDITION,
    DW_TRANSPOSED,
    DW_WITHOUT_CONDITION,
    DCONDITION_GAMMA_ONLY,
    DCONDITION_BETA_ONLY,
    DCONDITION_WEIGHTS_SWAPPED,
    DCONDITION_LAST_FEATURE
};

#define INIT "conditional_init"
#define AFFINE "conditional_affine"
#define NORM "conditional_layer_norm"
#define BACKWARD "conditional_affine_backward"

static const Mistake mistakes[] = {
    [INIT_GAMMA_ZERO] = {"init_gamma_zero", INIT, "b_gamma starts at 0",
                         "Plain layer norm has gamma 1", "A gamma that starts at zero"},
    [INIT_BETA_ONE] = {"init_beta_one", INIT, "b_beta starts at 1", "Plain layer norm has beta 0",
                       "A beta that starts at one"},
    [INIT_SWAPPED] = {"init_swapped", INIT, "b_gamma starts at 0 and b_beta at 1",
                      "It is the other way round: gamma 1, beta 0", "The two biases swapped"},
    [INIT_MEMSET_ONE] = {"init_memset_one", INIT, "b_gamma is filled by memset with the byte 1",
                         "memset writes bytes, and a float has four", "Ones written by memset"},
    [INIT_WEIGHTS_ONE] = {"init_weights_one", INIT, "all weights start at 1",
                          "Weights of 0 make the condition silent", "Weights that start at one"},
    [INIT_W_GAMMA_ONE] = {"init_w_gamma_one", INIT, "the weights of gamma start at 1",
                          "The 1 belongs in b_gamma alone", "The one in the weights of gamma"},
    [WEIGHTS_TRANSPOSED] = {"weights_transposed", AFFINE " " NORM " " BACKWARD,
                            "the weights are read as w[k][j], w + k * features + j",
                            "They lie as w[j][k], w + j * condition_size + k",
                            "The weights read the wrong way round"},
    [WEIGHTS_FIRST_ROW] = {"weights_first_row", AFFINE " " NORM,
                           "w[k] takes the weights of feature 0 for every feature",
                           "Feature j has its own row, w[j * condition_size + k]",
                           "One row of weights for all features"},
    [BIAS_MISSING] = {"bias_missing", AFFINE " " NORM, "b_gamma and b_beta are left out",
                      "An affine map is weights and a bias", "The biases left out"},
    [BIAS_EVERY_K] = {"bias_every_k", AFFINE " " NORM,
                      "the bias is added in the loop over k, condition_size times",
                      "Each sum gets its bias once", "A bias added condition_size times"},
    [RESIDUAL_ONE] = {"residual_one", AFFINE " " NORM, "1 is added to gamma",
                      "Here the 1 is in b_gamma from the start", "One plus gamma"},
    [CONDITION_FIRST_ROW] = {"condition_first_row", AFFINE " " NORM " " BACKWARD,
                             "condition[k], the condition of row 0, serves every row",
                             "Row r has its own, condition[r * condition_size + k]",
                             "One condition for all rows"},
    [CONDITION_MISSES_LAST] = {"condition_misses_last", AFFINE " " NORM,
                               "the condition's last number is left out",
                               "The loop runs while k < condition_size",
                               "The loop that ends one early"},
    [GAMMA_BETA_SWAPPED] = {"gamma_beta_swapped", AFFINE " " NORM, "gamma and beta change places",
                            "w_gamma and b_gamma make gamma, the factor", "Gamma and beta swapped"},
    [BETA_USES_W_GAMMA] = {"beta_uses_w_gamma", AFFINE " " NORM,
                           "beta is computed with w_gamma, the weights of gamma",
                           "beta has weights of its own, w_beta", "Beta with gamma's weights"},
    [BETA_USES_B_GAMMA] = {"beta_uses_b_gamma", AFFINE " " NORM,
                           "beta is computed with b_gamma, the bias of gamma",
                           "beta has a bias of its own, b_beta", "Beta with gamma's bias"},
    [SUM_NOT_RESET] = {"sum_not_reset", AFFINE " " NORM,
                       "the sum over k goes on from one feature and row to the next",
                       "Each gamma and each beta is a new sum", "A sum that is never set back"},
    [N_MINUS_1] = {"n_minus_1", NORM, "the variance is divided by n - 1", "Layer norm divides by n",
                   "Dividing the variance by n - 1"},
    [EPSILON_OUTSIDE] = {"epsilon_outside", NORM, "eps is added to the root instead of under it",
                         "It is sqrt(variance + eps)", "Epsilon outside the root"},
    [EPSILON_MISSING] = {"epsilon_missing", NORM, "eps is left out", "It is sqrt(variance + eps)",
                         "Epsilon left out"},
    [DIVIDE_BY_VARIANCE] = {"divide_by_variance", NORM,
                            "the row is divided by variance + eps, without the root",
                            "Divide by the standard deviation", "Dividing by the variance"},
    [STATISTICS_OF_ALL] = {"statistics_of_all", NORM,
                           "one mean and one variance are taken over all rows together",
                           "Every row has its own", "One mean for the whole array"},
    [SCALE_BEFORE_NORM] = {"scale_before_norm", NORM, "x is scaled and shifted, then normalized",
                           "Normalize first, then scale and shift", "Scaling before normalizing"},
    [GAMMA_MISSING] = {"gamma_missing", NORM, "gamma is left out",
                       "Each normalized value is multiplied by its gamma", "Gamma left out"},
    [BETA_MISSING] = {"beta_missing", NORM, "beta is left out", "Each value is shifted by its beta",
                      "Beta left out"},
    [LAST_ROW_ONLY] = {"last_row_only", BACKWARD, "each row overwrites what the one before left",
                       "Gradients are summed over the rows", "The last row takes it all"},
    [ROWS_AVERAGED] = {"rows_averaged", BACKWARD, "the sum over the rows is divided by rows",
                       "The rows' shares are added, not averaged", "An average over the rows"},
    [GRADIENTS_SWAPPED] =
        {"gradients_swapped", BACKWARD,
         "w_gamma and b_gamma get their gradients from dbeta, the others from dgamma",
         "dgamma belongs to w_gamma and b_gamma", "dgamma and dbeta swapped"},
    [DB_EVERY_K] = {"db_every_k", BACKWARD, "db is added up inside the loop over k",
                    "Each row counts once in db", "A bias gradient counted condition_size times"},
    [DB_TIMES_CONDITION] = {"db_times_condition", BACKWARD, "db is multiplied by the condition",
                            "The bias stands alone in the sum: its factor is 1",
                            "A bias gradient times the condition"},
    [DW_TRANSPOSED] = {"dw_transposed", BACKWARD,
                       "the weights' gradients are written as dw[k][j], dw + k * features + j",
                       "They lie as the weights do, dw[j][k]",
                       "The weights' gradients written the wrong way round"},
    [DW_WITHOUT_CONDITION] = {"dw_without_condition", BACKWARD,
                              "the weights' gradients are sums of dgamma alone, of dbeta alone",
                              "A weight's factor is the condition: dgamma * condition",
                              "Weight gradients without the condition"},
    [DCONDITION_GAMMA_ONLY] = {"dcondition_gamma_only", BACKWARD,
                               "dcondition leaves out beta's share", "The condition moves beta too",
                               "A dcondition without beta's share"},
    [DCONDITION_BETA_ONLY] = {"dcondition_beta_only", BACKWARD,
                              "dcondition leaves out gamma's share",
                              "The condition moves gamma too",
                              "A dcondition without gamma's share"},
    [DCONDITION_WEIGHTS_SWAPPED] = {"dcondition_weights_swapped", BACKWARD,
                                    "dcondition is made of dgamma * w_beta and dbeta * w_gamma",
                                    "dgamma goes back through w_gamma, where it came from",
                                    "A dcondition through the other weights"},
    [DCONDITION_LAST_FEATURE] = {"dcondition_last_feature", BACKWARD,
                                 "each feature overwrites what the one before left",
                                 "dcondition is a sum over the features",
                                 "The last feature takes it all"},
    {0},
};

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
    Sum sum;
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

static Real mapped(Map *map, const Maps *maps, int r, int j, Mistakes m)
{
    const float *condition = maps->condition + (has(m, CONDITION_FIRST_ROW) ? 0 : r * maps->size);
    int terms = maps->size - has(m, CONDITION_MISSES_LAST);
    if (!has(m, SUM_NOT_RESET))
        map->sum = (Sum){0};
    for (int k = 0; k < terms; k++) {
        int at = has(m, WEIGHTS_TRANSPOSED)  ? k * maps->features + j
                 : has(m, WEIGHTS_FIRST_ROW) ? k
                                             : j * maps->size + k;
        include(&map->sum, mul(exact(map->w[at]), exact(condition[k])));
    }
    Sum sum = map->sum;
    int biases = has(m, BIAS_MISSING) ? 0 : has(m, BIAS_EVERY_K) ? terms : 1;
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

/* Normalizes z, n numbers, in place. */
static void normalize(Real *z, int n, double given_eps, Mistakes m)
{
    Real eps = exact(has(m, EPSILON_MISSING) ? 0 : given_eps);
    Sum sum = {0}, squares = {0};
    for (int j = 0; j < n; j++)
        include(&sum, z[j]);
    Real mean = average(sum, n);
    for (int j = 0; j < n; j++)
        include(&squares, square(sub(z[j], mean)));
    Real variance = average(squares, has(m, N_MINUS_1) ? n - 1 : n);
    Real spread = root(add(variance, eps));
    if (has(m, EPSILON_OUTSIDE))
        spread = add(root(variance), eps);
    if (has(m, DIVIDE_BY_VARIANCE))
        spread = add(variance, eps);
    for (int j = 0; j < n; j++)
        z[j] = divide(sub(z[j], mean), spread);
}

static Real conditioned(Real x, Maps *maps, int r, int j, Mistakes m)
{
    Real gamma = mapped(&maps->gamma, maps, r, j, m), beta = mapped(&maps->beta, maps, r, j, m);
    Real product = has(m, GAMMA_MISSING) ? x : mul(gamma, x);
    return has(m, BETA_MISSING) ? product : add(product, beta);
}

static void norm_oracle(Case *c, Mistakes m)
{
    Maps maps = maps_of(c, m);
    int rows = size_of(c, "rows"), features = maps.features;
    const float *x = given(c, "x");
    float eps = scalar_of(c, "eps");
    Real *y = wanted(c, "y");
    for (int i = 0; i < rows * features; i++) {
        y[i] = exact(x[i]);
        if (has(m, SCALE_BEFORE_NORM))
            y[i] = conditioned(y[i], &maps, i / features, i % features, m);
    }
    if (has(m, STATISTICS_OF_ALL))
        normalize(y, rows * features, eps, m);
    else
        for (int r = 0; r < rows; r++)
            normalize(y + r * features, features, eps, m);
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
        for (int j = has(m, DCONDITION_LAST_FEATURE) ? features - 1 : 0; j < features; j++) {
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
    {INIT, init_oracle},
    {AFFINE, affine_oracle},
    {NORM, norm_oracle},
    {BACKWARD, backward_oracle},
    {0},
};

/* Conditions of 1 to 17 numbers, rarely as many as there are features, and few for wide rows. */
static int condition_size_for(int index, int features)
{
    static const int sizes[] = {2, 3, 5, 1, 3, 7, 2, 11, 1, 17, 6, 4, 13};
    int size = sizes[index % 13];
    return features > 200 && size > 5 ? 5 : size;
}

static void draw(Cases *cases, Rng *rng, const char *function)
{
    static const float epsilons[] = {1e-5f, 1e-3f, 1e-6f};
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(i);
        int size = condition_size_for(i, shape.features);
        Case *c = case_new(cases, function);
        set_size(c, "features", shape.features);
        set_size(c, "condition_size", size);
        if (param_index(c->function, "rows") >= 0)
            set_size(c, "rows", shape.rows);
        if (param_index(c->function, "eps") >= 0) {
            set_scalar(c, "eps", epsilons[i % 3]);
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

const Lesson lesson = {"Conditional Layer Normalization", steps, checks, mistakes};
