/* What lesson 06 names, and slips with memory that it does not ("nothing"), as learners write them
 * in a way that is not the solution's; see wrong.txt for the others. */

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
/* new arrays, and the old ones are lost */
void layer_norm_zero_grad(struct layer_norm *m)
{
    m->dgamma = calloc(m->features, sizeof(float));
    if (m->dbeta)
        m->dbeta = calloc(m->features, sizeof(float));
}
