/* Lesson 06: right answers in other styles. A test builds each section in place of the solution's
 * functions and demands that it passes: other owners of the memory, other orders of adding, other
 * formulas. */

/* ---- style: one block for the parameters, one for what is saved ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    long long n = 1;
    *m = (struct layer_norm){0};
    if (dims < 1)
        return -1;
    for (int d = 0; d < dims; d++) {
        if (shape[d] < 1 || n * shape[d] > INT_MAX)
            return -1;
        n *= shape[d];
    }
    float *block = malloc((size_t)n * 4 * sizeof *block);
    if (!block)
        return -1;
    *m = (struct layer_norm){.features = (int)n, .eps = eps, .gamma = block, .dgamma = block + n};
    if (bias)
        m->beta = block + 2 * n, m->dbeta = block + 3 * n;
    for (int j = 0; j < 4 * n; j++)
        block[j] = j < n;
    return 0;
}

int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int n = m->features;
    if (rows < 1 || (long long)rows * n > INT_MAX)
        return -1;
    float *block = malloc(((size_t)rows * n + rows) * sizeof *block);
    if (block == NULL)
        return -1;
    free(m->xhat);
    m->xhat = block;
    m->rstd = block + (size_t)rows * n;
    m->rows = rows;
    for (int r = 0; r < rows; r++) {
        double sum = 0, squares = 0;
        for (int j = 0; j < n; j++)
            sum += x[r * n + j];
        for (int j = 0; j < n; j++)
            squares += pow(x[r * n + j] - sum / n, 2);
        double rstd = 1 / sqrt(squares / n + m->eps);
        m->rstd[r] = (float)rstd;
        for (int j = 0; j < n; j++) {
            double hat = (x[r * n + j] - sum / n) * rstd;
            m->xhat[r * n + j] = (float)hat;
            y[r * n + j] = (float)(m->gamma[j] * hat + (m->beta ? m->beta[j] : 0));
        }
    }
    return 0;
}

void layer_norm_free(struct layer_norm *m)
{
    free(m->gamma);
    free(m->xhat);
    m->gamma = m->beta = m->dgamma = m->dbeta = m->xhat = m->rstd = NULL;
    m->features = m->rows = 0;
    m->eps = 0;
}

/* ---- style: realloc where a pass is larger than those before ---- */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    if (rows <= 0 || rows > INT_MAX / m->features)
        return -1;
    int n = m->features;
    if (rows > m->rows) {
        float *xhat = realloc(m->xhat, sizeof(float) * n * rows);
        if (!xhat)
            return -1;
        m->xhat = xhat;
        float *rstd = realloc(m->rstd, sizeof(float) * rows);
        if (!rstd)
            return -1;
        m->rstd = rstd;
    }
    m->rows = rows;
    for (int r = 0; r < rows; r++, x += n, y += n) {
        float mean = 0, m2 = 0; /* Welford */
        for (int j = 0; j < n; j++) {
            float distance = x[j] - mean;
            mean += distance / (j + 1);
            m2 += distance * (x[j] - mean);
        }
        m->rstd[r] = powf(m2 / n + m->eps, -0.5f);
        for (int j = 0; j < n; j++) {
            m->xhat[r * n + j] = (x[j] - mean) / sqrtf(m2 / n + m->eps);
            y[j] = m->xhat[r * n + j] * m->gamma[j];
            if (m->beta)
                y[j] += m->beta[j];
        }
    }
    return 0;
}

/* ---- style: doubles, column by column ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int n = m->features;
    for (int j = 0; j < n; j++) {
        double dgamma = 0, dbeta = 0;
        for (int i = j; i < m->rows * n; i += n) {
            dgamma += (double)dy[i] * m->xhat[i];
            dbeta += dy[i];
        }
        m->dgamma[j] = (float)(m->dgamma[j] + dgamma);
        if (m->dbeta)
            m->dbeta[j] = (float)(m->dbeta[j] + dbeta);
    }
    for (int i = 0; i < m->rows * n; i++) {
        int r = i / n;
        double a = 0, b = 0;
        for (int k = 0; k < n; k++) {
            a += (double)m->gamma[k] * dy[r * n + k];
            b += (double)m->gamma[k] * dy[r * n + k] * m->xhat[r * n + k];
        }
        dx[i] = (float)(m->rstd[r] * (m->gamma[i % n] * (double)dy[i] - (a + m->xhat[i] * b) / n));
    }
}

/* ---- style: the same layer for a loop of rows, multiplied out ---- */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    const int n = m->features;
    const float *hat = m->xhat;
    for (int r = 0; r < m->rows; r++, dx += n, dy += n, hat += n) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += m->gamma[j] * dy[j] / n;
            b += m->gamma[j] * dy[j] * hat[j] / n;
            m->dgamma[j] += dy[j] * hat[j];
        }
        for (int j = 0; j < n && m->dbeta; j++)
            m->dbeta[j] += dy[j];
        for (int j = 0; j < n; j++)
            dx[j] = m->rstd[r] * m->gamma[j] * dy[j] - m->rstd[r] * a - m->rstd[r] * hat[j] * b;
    }
}

/* ---- style: fast, four sums at a time, aligned ---- */
static float *aligned(size_t count)
{
    return aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
}

int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    int n = m->features, most = n / 4 * 4;
    if (rows < 1 || rows > INT_MAX / n)
        return -1;
    if (rows != m->rows) {
        float *xhat = aligned((size_t)rows * n), *rstd = xhat ? aligned(rows) : NULL;
        if (!rstd) {
            free(xhat);
            return -1;
        }
        free(m->xhat), m->xhat = xhat;
        free(m->rstd), m->rstd = rstd;
        m->rows = rows;
    }
    for (int r = 0; r < rows; r++) {
        const float *restrict row = x + (size_t)r * n;
        float *restrict hat = m->xhat + (size_t)r * n, s[4] = {0}, q[4] = {0};
        for (int j = 0; j < most; j += 4)
            for (int k = 0; k < 4; k++)
                s[k] += row[j + k];
        for (int j = most; j < n; j++)
            s[0] += row[j];
        float mean = (s[0] + s[1] + s[2] + s[3]) / n;
        for (int j = 0; j < most; j += 4)
            for (int k = 0; k < 4; k++)
                q[k] += (row[j + k] - mean) * (row[j + k] - mean);
        for (int j = most; j < n; j++)
            q[0] += (row[j] - mean) * (row[j] - mean);
        float rstd = m->rstd[r] = 1 / sqrtf((q[0] + q[1] + q[2] + q[3]) / n + m->eps);
        for (int j = 0; j < n; j++)
            hat[j] = (row[j] - mean) * rstd;
        for (int j = 0; j < n; j++)
            y[(size_t)r * n + j] = hat[j] * m->gamma[j];
        for (int j = 0; m->beta && j < n; j++)
            y[(size_t)r * n + j] += m->beta[j];
    }
    return 0;
}

void layer_norm_backward(struct layer_norm *restrict m, float *restrict dx,
                         const float *restrict dy)
{
    int n = m->features;
    for (int r = 0; r < m->rows; r++) {
        const float *hat = m->xhat + (size_t)r * n, *up = dy + (size_t)r * n;
        float *out = dx + (size_t)r * n, a[4] = {0}, b[4] = {0};
        for (int j = 0; j < n; j++) {
            out[j] = m->gamma[j] * up[j];
            a[j & 3] += out[j];
            b[j & 3] += out[j] * hat[j];
        }
        float mean_a = (a[0] + a[1] + a[2] + a[3]) / n, mean_b = (b[0] + b[1] + b[2] + b[3]) / n;
        for (int j = 0; j < n; j++)
            out[j] = (out[j] - mean_a - hat[j] * mean_b) * m->rstd[r];
        for (int j = 0; j < n; j++)
            m->dgamma[j] += up[j] * hat[j];
        if (m->dbeta)
            for (int j = 0; j < n; j++)
                m->dbeta[j] += up[j];
    }
}

/* ---- style: labels to jump to when something fails ---- */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    struct layer_norm made = {.features = 1, .eps = eps};
    for (int d = 0; d < dims; d++) {
        if (shape[d] <= 0 || made.features > INT_MAX / shape[d])
            goto nothing;
        made.features *= shape[d];
    }
    if (dims <= 0)
        goto nothing;
    size_t bytes = (size_t)made.features * sizeof(float);
    if (!(made.gamma = malloc(bytes)))
        goto nothing;
    if (!(made.dgamma = malloc(bytes)))
        goto gamma;
    if (bias && !(made.beta = malloc(bytes)))
        goto dgamma;
    if (bias && !(made.dbeta = malloc(bytes)))
        goto beta;
    for (int j = 0; j < made.features; j++) {
        made.gamma[j] = 1;
        made.dgamma[j] = 0;
        if (bias)
            made.beta[j] = made.dbeta[j] = 0;
    }
    *m = made;
    return 0;
beta:
    free(made.beta);
dgamma:
    free(made.dgamma);
gamma:
    free(made.gamma);
nothing:
    *m = (struct layer_norm){0};
    return -1;
}

void layer_norm_zero_grad(struct layer_norm *m)
{
    float *both[] = {m->dgamma, m->dbeta};
    for (int k = 0; k < 2; k++)
        for (int j = 0; both[k] && j < m->features; j++)
            both[k][j] = 0;
}

void layer_norm_step(struct layer_norm *m, float rate)
{
    float *parameters[] = {m->gamma, m->beta}, *gradients[] = {m->dgamma, m->dbeta};
    for (int k = 0; k < (m->beta ? 2 : 1); k++)
        for (int j = 0; j < m->features; j++)
            parameters[k][j] = parameters[k][j] - rate * gradients[k][j];
}
