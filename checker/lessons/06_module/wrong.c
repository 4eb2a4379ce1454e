/* The mistakes that lesson 06 names, as learners write them, and pairs of them; what goes wrong
 * with memory is in wrong_lives.c. A test builds each section in place of the solution's functions
 * and demands that exactly this mistake is named, or nothing. */

/* ---- mistake: last_dimension ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    *m = (struct layer_norm){0};
    if (dims <= 0)
        return -1;
    for (int d = 0; d < dims; d++)
        if (shape[d] <= 0)
            return -1;
    m->features = shape[dims - 1];
    m->eps = eps;
    m->gamma = calloc(m->features, sizeof(float));
    m->dgamma = calloc(m->features, sizeof(float));
    if (bias) {
        m->beta = calloc(m->features, sizeof(float));
        m->dbeta = calloc(m->features, sizeof(float));
    }
    for (int j = 0; j < m->features; j++)
        m->gamma[j] = 1;
    return 0;
}

/* ---- mistake: own_epsilon ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    (void)eps;
    return solution_layer_norm_init(m, shape, dims, 1e-5, bias);
}

/* ---- mistake: last_dimension + own_epsilon ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    (void)eps;
    return solution_layer_norm_init(m, &shape[dims - 1], 1, 1e-5f, bias);
}

/* ---- mistake: gamma_zero ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    *m = (struct layer_norm){.features = 1, .eps = eps};
    for (int d = 0; d < dims; d++)
        m->features *= shape[d];
    m->gamma = calloc(m->features, sizeof(float));
    m->dgamma = calloc(m->features, sizeof(float));
    m->beta = bias ? calloc(m->features, sizeof(float)) : NULL;
    m->dbeta = bias ? calloc(m->features, sizeof(float)) : NULL;
    return m->gamma && m->dgamma ? 0 : -1;
}

/* ---- mistake: n_minus_1 ---- */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int n = m->features;
    if (rows <= 0 || rows > INT_MAX / n)
        return -1;
    float *xhat = malloc(sizeof(float) * rows * n), *rstd = malloc(sizeof(float) * rows);
    free(m->xhat);
    free(m->rstd);
    m->xhat = xhat;
    m->rstd = rstd;
    m->rows = rows;
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < n; j++)
            mean += x[r * n + j] / n;
        for (int j = 0; j < n; j++)
            var += (x[r * n + j] - mean) * (x[r * n + j] - mean);
        rstd[r] = 1 / sqrtf(var / (n - 1) + m->eps);
        for (int j = 0; j < n; j++) {
            xhat[r * n + j] = (x[r * n + j] - mean) * rstd[r];
            y[r * n + j] = m->gamma[j] * xhat[r * n + j] + (m->beta ? m->beta[j] : 0);
        }
    }
    return 0;
}

/* ---- mistake: xhat_is_y ---- */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int result = solution_layer_norm_forward(m, y, x, rows);
    if (result == 0)
        for (int i = 0; i < rows * m->features; i++)
            m->xhat[i] = y[i];
    return result;
}

/* ---- mistake: forward_zeroes ---- */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    for (int j = 0; j < m->features; j++) {
        m->dgamma[j] = 0;
        if (m->dbeta)
            m->dbeta[j] = 0;
    }
    return solution_layer_norm_forward(m, y, x, rows);
}

/* ---- mistake: averaged ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int n = m->features;
    for (int r = 0; r < m->rows; r++) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            float g = m->gamma[j] * dy[r * n + j];
            a += g / n;
            b += g * m->xhat[r * n + j] / n;
            m->dgamma[j] += dy[r * n + j] * m->xhat[r * n + j] / m->rows;
            if (m->dbeta)
                m->dbeta[j] += dy[r * n + j] / m->rows;
        }
        for (int j = 0; j < n; j++)
            dx[r * n + j] = m->rstd[r] * (m->gamma[j] * dy[r * n + j] - a - m->xhat[r * n + j] * b);
    }
}

/* ---- mistake: overwritten ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    for (int j = 0; j < m->features; j++)
        m->dgamma[j] = 0;
    for (int j = 0; j < m->features && m->dbeta; j++)
        m->dbeta[j] = 0;
    solution_layer_norm_backward(m, dx, dy);
}

/* ---- mistake: statistics_constant ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int n = m->features;
    for (int i = 0; i < m->rows * n; i++) {
        dx[i] = m->rstd[i / n] * m->gamma[i % n] * dy[i];
        m->dgamma[i % n] += dy[i] * m->xhat[i];
        if (m->dbeta)
            m->dbeta[i % n] += dy[i];
    }
}

/* ---- mistake: gamma_left_out ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int n = m->features;
    for (int r = 0; r < m->rows; r++) {
        double a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += dy[r * n + j];
            b += dy[r * n + j] * m->xhat[r * n + j];
            m->dgamma[j] += dy[r * n + j] * m->xhat[r * n + j];
            if (m->dbeta)
                m->dbeta[j] += dy[r * n + j];
        }
        for (int j = 0; j < n; j++)
            dx[r * n + j] = m->rstd[r] * (dy[r * n + j] - a / n - m->xhat[r * n + j] * b / n);
    }
}

/* ---- mistake: statistics_constant + gamma_left_out ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    solution_layer_norm_backward(m, dx, dy);
    for (int i = 0; i < m->rows * m->features; i++)
        dx[i] = m->rstd[i / m->features] * dy[i];
}

/* ---- mistake: nothing ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int n = m->features;
    for (int r = 0; r < m->rows; r++) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += m->gamma[j] * dy[r * n + j];
            b += m->gamma[j] * dy[r * n + j] * m->xhat[r * n + j];
            m->dgamma[j] += dy[r * n + j] * m->xhat[r * n + j];
            if (m->dbeta)
                m->dbeta[j] += dy[r * n + j];
        }
        for (int j = 0; j < n; j++)
            dx[r * n + j] =
                m->rstd[r] * (m->gamma[j] * dy[r * n + j] - a / n + m->xhat[r * n + j] * b / n);
    }
}

/* ---- mistake: uphill ---- */
void layer_norm_step(struct layer_norm *m, float rate)
{
    for (int j = 0; j < m->features; j++) {
        m->gamma[j] += rate * m->dgamma[j];
        if (m->beta)
            m->beta[j] += rate * m->dbeta[j];
    }
}

/* ---- mistake: step_zeroes ---- */
void layer_norm_step(struct layer_norm *m, float rate)
{
    solution_layer_norm_step(m, rate);
    layer_norm_zero_grad(m);
}

/* ---- mistake: uphill + step_zeroes ---- */
void layer_norm_step(struct layer_norm *m, float rate)
{
    solution_layer_norm_step(m, -rate);
    layer_norm_zero_grad(m);
}

/* ---- mistake: nothing ---- */
void layer_norm_step(struct layer_norm *m, float rate)
{
    for (int j = 0; j < m->features; j++)
        m->gamma[j] -= rate * m->dgamma[j];
}

/* ---- mistake: nothing ---- */
void layer_norm_zero_grad(struct layer_norm *m)
{
    for (int j = 0; j < m->features; j++)
        m->dgamma[j] = 0;
}

/* ---- mistake: nothing ---- */
void layer_norm_zero_grad(struct layer_norm *m)
{
    for (int j = 1; j < m->features; j++) {
        m->dgamma[j] = 0;
        if (m->dbeta)
            m->dbeta[j] = 0;
    }
}
