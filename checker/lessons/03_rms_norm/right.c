/* Lesson 03 written in many honest ways. A test builds each section in place of the solution's
 * functions; none may be refused, whatever it does to the last bits. */

/* ---- style: double sums ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int j = 0; j < features; j++)
            sum += (double)x[r * features + j] * x[r * features + j];
        double rms = sqrt(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)(x[r * features + j] / rms * gamma[j]);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        double sum = 0;
        for (int r = 0; r < rows; r++) {
            double squares = 0;
            for (int k = 0; k < features; k++)
                squares += pow(x[r * features + k], 2);
            sum += dy[r * features + j] * x[r * features + j] / sqrt(squares / features + eps);
        }
        dgamma[j] = (float)sum;
    }
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        double squares = 0, dot = 0;
        for (int k = 0; k < features; k++) {
            squares += pow(in[k], 2);
            dot += (double)gamma[k] * up[k] * in[k];
        }
        double rms = sqrt(squares / features + eps);
        for (int j = 0; j < features; j++)
            dx[r * features + j] =
                (float)(gamma[j] * up[j] / rms - in[j] * dot / features / pow(rms, 3));
    }
}

/* ---- style: float sums, rstd multiplied out ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int i = 0; i < rows * features; i++) {
        float sum = 0.0f;
        for (int k = 0; k < features; k++)
            sum += powf(x[i / features * features + k], 2.0f);
        y[i] = x[i] * gamma[i % features] * powf(sum / features + eps, -0.5f);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < rows; r++, dx += features, dy += features, x += features) {
        float sum = 0.0f, dot = 0.0f;
        for (int j = 0; j < features; j++) {
            sum += x[j] * x[j];
            dot += gamma[j] * dy[j] * x[j];
        }
        float rstd = 1.0f / sqrtf(sum / features + eps);
        float cubed = rstd * rstd * rstd / features;
        for (int j = 0; j < features; j++) {
            dgamma[j] += dy[j] * x[j] * rstd;
            dx[j] = rstd * gamma[j] * dy[j] - cubed * dot * x[j];
        }
    }
}

/* ---- style: welford, mean square as variance + mean^2 ---- */
static float inverse_rms(const float *x, int n, float eps)
{
    float mean = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        float before = x[i] - mean;
        mean += before / (i + 1);
        squares += before * (x[i] - mean);
    }
    return 1 / sqrtf(squares / n + mean * mean + eps);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float rstd = inverse_rms(x + r * features, features, eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * rstd * x[r * features + j];
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float rstd = inverse_rms(x + r * features, features, eps), mean = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            mean += gamma[j] * dy[i] * x[i] * rstd / features;
            dgamma[j] += rstd * dy[i] * x[i];
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = rstd * (gamma[j] * dy[i] - mean * rstd * x[i]);
        }
    }
}

/* ---- style: precomputed scale ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float scale[features];
    for (int r = 0; r < rows; r++) {
        float sum = 0, each = 1.0f / features;
        for (int j = 0; j < features; j++)
            sum += each * x[r * features + j] * x[r * features + j];
        for (int j = 0; j < features; j++)
            scale[j] = gamma[j] / sqrtf(sum + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] * scale[j];
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float rstd[rows];
    for (int r = 0; r < rows; r++) {
        float sum = 0, dot = 0, scale[features];
        const float *in = x + r * features, *up = dy + r * features;
        for (int j = 0; j < features; j++)
            sum += in[j] * in[j];
        rstd[r] = 1 / sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++) {
            scale[j] = gamma[j] * rstd[r];
            dot += scale[j] * up[j] * in[j];
        }
        float shift = dot * rstd[r] * rstd[r] / features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = scale[j] * up[j] - shift * in[j];
    }
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        for (int r = 0; r < rows; r++)
            dgamma[j] += dy[r * features + j] * x[r * features + j] * rstd[r];
    }
}

/* ---- style: scaled by the largest element; the whole Jacobian ---- */
static float safe_rms(const float *x, int n, float eps)
{
    float largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(x[i]));
    if (largest == 0)
        return sqrtf(eps);
    for (int i = 0; i < n; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrtf(sum / n + eps / largest / largest);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float rms = safe_rms(x + r * features, features, eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] / rms * gamma[j];
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += in[j] * in[j];
        float rms = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++) {
            float xhat = in[j] / rms, total = 0;
            for (int k = 0; k < features; k++)
                total += gamma[k] * up[k] * ((j == k) - xhat * (in[k] / rms) / features) / rms;
            dx[r * features + j] = total;
            dgamma[j] += up[j] * xhat;
        }
    }
}

/* ---- style: as the hints say ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float sum = 0.0f;
        for (int j = 0; j < features; j++)
            sum += row[j] * row[j];
        float rms = sqrtf(sum / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = gamma[j] * row[j] / rms;
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features, *drow = dy + (size_t)r * features;
        float squares = 0.0f, sum = 0.0f;
        for (int j = 0; j < features; j++)
            squares += row[j] * row[j];
        float rstd = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++) {
            float xhat = row[j] * rstd;
            dgamma[j] += drow[j] * xhat;
            sum += gamma[j] * drow[j] * xhat;
        }
        float mean = sum / (float)features;
        for (int j = 0; j < features; j++) {
            float xhat = row[j] * rstd;
            dx[(size_t)r * features + j] = rstd * (gamma[j] * drow[j] - xhat * mean);
        }
    }
}
