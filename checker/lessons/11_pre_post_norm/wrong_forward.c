/* Mistakes in lesson 11 as learners make them: post_norm and gradient_norms. Each section takes
 * the place of the function of the same name in the solution. "nothing": a slip that fails, and
 * that is not one of the mistakes that have a name. */

/* ---- mistake: branch_alone ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += branch[i] / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (branch[i] - m) * (branch[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (branch[i] - m) * rstd[r] + beta[j] + x[i];
        }
    }
}

/* ---- mistake: x_alone ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += x[i] / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] - m) * (x[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - m) * rstd[r] + beta[j] + branch[i];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += (x[i] + branch[i]) / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] + branch[i] - m) * (x[i] + branch[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - m) * rstd[r] + beta[j];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += x[i] / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] - m) * (x[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] + branch[i] - m) * rstd[r] + beta[j];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += (x[i] + branch[i]) / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] + branch[i] - m) * (x[i] + branch[i] - m) / features;
        mean[r] = m;
        rstd[r] = sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] + branch[i] - m) * rstd[r] + beta[j];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += (x[i] - branch[i]) / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] - branch[i] - m) * (x[i] - branch[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - branch[i] - m) * rstd[r] + beta[j];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += (x[i] + branch[i]) / features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += (x[i] + branch[i] - m) * (x[i] + branch[i] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] + branch[i] - m) * rstd[r] + beta[j] + x[i];
        }
    }
}

/* ---- mistake: root_missing ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        squares = 0;
        for (int i = 0; i < count; i++)
            squares += gradient[l * count + i] * gradient[l * count + i];
        norm[l] = squares;
    }
}

/* ---- mistake: root_of_mean ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        squares = 0;
        for (int i = 0; i < count; i++)
            squares += gradient[l * count + i] * gradient[l * count + i];
        norm[l] = sqrtf(squares / count);
    }
}

/* ---- mistake: layers_run_on ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        for (int i = 0; i < count; i++)
            squares += gradient[l * count + i] * gradient[l * count + i];
        norm[l] = sqrtf(squares);
    }
}

/* ---- mistake: layers_run_on + root_missing ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        for (int i = 0; i < count; i++)
            squares += gradient[l * count + i] * gradient[l * count + i];
        norm[l] = squares;
    }
}

/* ---- mistake: nothing ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        squares = 0;
        for (int i = 0; i < count; i++)
            squares += fabsf(gradient[l * count + i]);
        norm[l] = squares;
    }
}

/* ---- mistake: nothing ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        squares = 0;
        for (int i = 0; i < count; i++)
            squares += gradient[i * layers + l] * gradient[i * layers + l];
        norm[l] = sqrtf(squares);
    }
}

/* ---- mistake: nothing ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float squares = 0;
    for (int l = 0; l < layers; l++) {
        squares = 0;
        for (int i = 0; i < count; i++)
            squares += gradient[i] * gradient[i];
        norm[l] = sqrtf(squares);
    }
}
