/* Lesson 06: what goes wrong with memory, as learners write it. No numbers explain it, so nothing
 * is named; the verdict has the line. Each must fail, in its own function. */

/* ---- mistake: nothing ---- */
/* the product overflows */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    unsigned features = dims > 0;
    for (int d = 0; d < dims; d++)
        features = shape[d] > 0 ? features * (unsigned)shape[d] : 0;
    return solution_layer_norm_init(m, (int[]){(int)features}, 1, eps, bias);
}

/* ---- mistake: nothing ---- */
/* two negative numbers have a positive product */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    long long features = dims > 0;
    for (int d = 0; d < dims && features <= INT_MAX; d++)
        features *= shape[d];
    return solution_layer_norm_init(m, (int[]){features > INT_MAX ? -1 : (int)features}, 1, eps,
                                    bias);
}

/* ---- mistake: nothing ---- */
/* a failure forgets what was allocated before it */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    struct layer_norm made;
    if (solution_layer_norm_init(&made, shape, dims, eps, bias)) {
        *m = made;
        return -1;
    }
    *m = made;
    void *more = malloc(1);
    if (!more) {
        *m = (struct layer_norm){0};
        return -1;
    }
    free(more);
    return 0;
}

/* ---- mistake: nothing ---- */
/* memory is taken for granted */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    if (solution_layer_norm_init(m, shape, dims, eps, bias) == 0)
        return 0;
    m->gamma[0] = 1;
    return -1;
}

/* ---- mistake: nothing ---- */
/* the gradients are what malloc found */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    if (solution_layer_norm_init(m, shape, dims, eps, bias))
        return -1;
    float *dgamma = malloc(m->features * sizeof(float));
    if (!dgamma) {
        layer_norm_free(m);
        return -1;
    }
    free(m->dgamma);
    m->dgamma = dgamma;
    return 0;
}

/* ---- mistake: nothing ---- */
/* after a failure eps is still there */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    int result = solution_layer_norm_init(m, shape, dims, eps, bias);
    m->eps = eps;
    return result;
}

/* ---- mistake: nothing ---- */
/* there is a beta always */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    (void)bias;
    return solution_layer_norm_init(m, shape, dims, eps, 1);
}

/* ---- mistake: nothing ---- */
/* the pointers stay: a second free frees again */
void layer_norm_free(struct layer_norm *m)
{
    free(m->gamma);
    free(m->beta);
    free(m->dgamma);
    free(m->dbeta);
    free(m->xhat);
    free(m->rstd);
}

/* ---- mistake: nothing ---- */
/* beta is not given back */
void layer_norm_free(struct layer_norm *m)
{
    m->beta = NULL;
    solution_layer_norm_free(m);
}

/* ---- mistake: nothing ---- */
/* the last pass's arrays are lost */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    float *xhat = m->xhat;
    m->xhat = NULL;
    int result = solution_layer_norm_forward(m, y, x, rows);
    if (result)
        m->xhat = xhat;
    return result;
}

/* ---- mistake: nothing ---- */
/* the first pass makes room, the later ones take what is there */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int n = m->features;
    if (rows <= 0 || rows > INT_MAX / n)
        return -1;
    if (!m->xhat)
        m->xhat = malloc(sizeof(float) * rows * n);
    if (!m->rstd)
        m->rstd = malloc(sizeof(float) * rows);
    m->rows = rows;
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < n; j++)
            mean += x[r * n + j] / n;
        for (int j = 0; j < n; j++)
            var += (x[r * n + j] - mean) * (x[r * n + j] - mean) / n;
        m->rstd[r] = 1 / sqrtf(var + m->eps);
        for (int j = 0; j < n; j++) {
            m->xhat[r * n + j] = (x[r * n + j] - mean) * m->rstd[r];
            y[r * n + j] = m->gamma[j] * m->xhat[r * n + j] + (m->beta ? m->beta[j] : 0);
        }
    }
    return 0;
}

/* ---- mistake: nothing ---- */
/* the old is freed before the new is there */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    if (rows <= 0 || rows > INT_MAX / m->features)
        return -1;
    free(m->xhat);
    free(m->rstd);
    m->xhat = m->rstd = NULL;
    m->rows = 0;
    return solution_layer_norm_forward(m, y, x, rows);
}

/* ---- mistake: nothing ---- */
/* any number of rows is taken */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    if (rows > 0)
        return solution_layer_norm_forward(m, y, x, rows);
    m->rows = 0;
    return 0;
}

/* ---- mistake: nothing ---- */
/* rows is written before the allocation that may fail */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int result = solution_layer_norm_forward(m, y, x, rows);
    if (rows > 0)
        m->rows = rows;
    return result;
}

/* ---- mistake: nothing ---- */
/* where there is no bias there is no dbeta */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    float *dbeta = m->dbeta;
    if (!dbeta)
        dbeta = m->beta;
    for (int i = 0; i < m->rows * m->features; i++)
        dbeta[i % m->features] += dy[i];
    m->dbeta = NULL;
    solution_layer_norm_backward(m, dx, dy);
    m->dbeta = dbeta;
}

/* ---- mistake: nothing ---- */
/* new arrays, and the old ones are lost */
void layer_norm_zero_grad(struct layer_norm *m)
{
    m->dgamma = calloc(m->features, sizeof(float));
    if (m->dbeta)
        m->dbeta = calloc(m->features, sizeof(float));
}
