/* Mistakes in lesson 15 as learners make them. Each section takes the place of the function of the
 * same name in the solution. "nothing": a slip that fails, and that is not one of the mistakes that
 * have a name. Those that are a few lines' change of the solution are in wrong.txt. */

/* ---- mistake: factor_followed ---- */
/* By the product rule: the factor's slope times xhat, and the factor. */
void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float m = 0, v = 0, sum = 0, with_xhat = 0;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            v += (x[j] - m) * (x[j] - m) / features;
        float rstd = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) * rstd, factor = scale * (1 - k * xhat);
            dx[j] = dy[j] * (factor - scale * k * xhat);
            sum += dx[j];
            with_xhat += dx[j] * xhat;
        }
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) * rstd;
            dx[j] = rstd * (dx[j] - sum / features - xhat * with_xhat / features);
        }
    }
}

/* ---- mistake: factor_outside ---- */
/* As lesson 05 has gamma in front of the bracket. */
void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features, *d = dy + r * features;
        float m = 0, v = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            m += row[j] / features;
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m) / features;
        float rstd = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            a += d[j] / features;
            b += d[j] * (row[j] - m) * rstd / features;
        }
        for (int j = 0; j < features; j++) {
            float xhat = (row[j] - m) * rstd;
            dx[r * features + j] = scale * (1 - k * xhat) * rstd * (d[j] - a - xhat * b);
        }
    }
}

/* ---- mistake: statistics_constant ---- */
/* Everything constant: only the x that is written there counts. */
void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            v += (x[j] - m) * (x[j] - m) / features;
        float s = sqrtf(v + eps);
        for (int j = 0; j < features; j++)
            dx[j] = dy[j] * scale * (1 - k * (x[j] - m) / s) / s;
    }
}

/* ---- mistake: six_per_feature ---- */
void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    for (int i = 0; i < 6 * features; i++)
        dparameters[i] = 0;
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float m = 0, v = 0, dm = 0, ds = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            v += (x[j] - m) * (x[j] - m) / features;
        float s = sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) / s, *d = dparameters + 6 * j;
            const float *p = parameters + 6 * j;
            d[0] += dy[j] * xhat;
            d[1] += dy[j];
            d[2] += dy[j] * xhat * m;
            d[3] += dy[j] * xhat * s;
            d[4] += dy[j] * m;
            d[5] += dy[j] * s;
            dm += dy[j] * (p[2] * xhat + p[4]);
            ds += dy[j] * (p[3] * xhat + p[5]);
            dx[j] = dy[j] * (p[0] + p[2] * m + p[3] * s);
            a += dx[j] / features;
            b += dx[j] * xhat / features;
        }
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) / s;
            dx[j] = (dx[j] - a - xhat * b) / s + dm / features + ds * xhat / features;
        }
    }
}

/* ---- mistake: statistics_constant ---- */
/* m and s move the scale and the shift, and xhat not. */
void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    solution_adaptive_norm_backward(dx, dparameters, dy, x, parameters, rows, features, eps);
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        const float *g = parameters, *u = g + 2 * features, *v = g + 3 * features;
        float m = 0, squares = 0, dm = 0, ds = 0;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            squares += (x[j] - m) * (x[j] - m) / features;
        float s = sqrtf(squares + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) / s;
            dm += dy[j] * (xhat * u[j] + u[2 * features + j]);
            ds += dy[j] * (xhat * v[j] + v[2 * features + j]);
        }
        for (int j = 0; j < features; j++)
            dx[j] = dy[j] * (g[j] + u[j] * m + v[j] * s) / s + dm / features +
                    ds * (x[j] - m) / s / features;
    }
}
