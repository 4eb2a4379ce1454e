/* Mistakes in lesson 08 as learners make them, in a way of their own; those that are a few lines'
 * change of the solution are in wrong.txt. Each section takes the place of the functions of the
 * same name in the solution, and may call the others. "nothing": a slip that fails, and that is not
 * one of the mistakes that have a name. */

/* ---- mistake: side_by_side ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int r = 0; r < outer * inner; r++) {
        const float *row = x + r * features;
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += row[j] / features;
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m) / features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = (row[j] - m) / sqrtf(v + eps);
    }
}

/* ---- mistake: last_axis ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int r = 0; r < outer * features; r++) {
        float m = 0, v = 0;
        for (int i = 0; i < inner; i++)
            m += x[r * inner + i] / inner;
        for (int i = 0; i < inner; i++)
            v += (x[r * inner + i] - m) * (x[r * inner + i] - m) / inner;
        for (int i = 0; i < inner; i++)
            y[r * inner + i] = (x[r * inner + i] - m) / sqrtf(v + eps);
    }
}

/* ---- mistake: axes_together ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++) {
        int n = features * inner;
        float m = 0, v = 0;
        for (int k = o * n; k < (o + 1) * n; k++)
            m += x[k] / n;
        for (int k = o * n; k < (o + 1) * n; k++)
            v += (x[k] - m) * (x[k] - m) / n;
        for (int k = o * n; k < (o + 1) * n; k++)
            y[k] = (x[k] - m) / sqrtf(v + eps);
    }
}

/* ---- mistake: batch_norm ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int j = 0; j < features; j++) {
        float m = 0, v = 0;
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++)
                m += x[(o * features + j) * inner + i] / (outer * inner);
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++)
                v += powf(x[(o * features + j) * inner + i] - m, 2) / (outer * inner);
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++) {
                int k = (o * features + j) * inner + i;
                y[k] = (x[k] - m) / sqrtf(v + eps);
            }
    }
}

/* ---- mistake: nothing ---- */
/* outer is forgotten where a block begins. */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            const float *v = x + o * features + i;
            float m = 0, s = 0;
            for (int j = 0; j < features; j++)
                m += v[j * inner] / features;
            for (int j = 0; j < features; j++)
                s += (v[j * inner] - m) * (v[j * inner] - m) / features;
            for (int j = 0; j < features; j++)
                y[o * features * inner + i + j * inner] = (v[j * inner] - m) / sqrtf(s + eps);
        }
}

/* ---- mistake: nothing ---- */
/* The mean is right; the squares go along memory. */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            int first = o * features * inner + i;
            float m = 0, v = 0;
            for (int j = 0; j < features; j++)
                m += x[first + j * inner] / features;
            for (int j = 0; j < features; j++)
                v += (x[o * features * inner + j] - m) * (x[o * features * inner + j] - m) /
                     features;
            for (int j = 0; j < features; j++)
                y[first + j * inner] = (x[first + j * inner] - m) / sqrtf(v + eps);
        }
}

/* ---- mistake: batch_norm ---- */
void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    int pixels = height * width;
    for (int c = 0; c < channels; c++) {
        float m = 0, v = 0;
        for (int k = 0; k < batch * pixels; k++)
            m += x[(k / pixels * channels + c) * pixels + k % pixels] / (batch * pixels);
        for (int k = 0; k < batch * pixels; k++)
            v += powf(x[(k / pixels * channels + c) * pixels + k % pixels] - m, 2);
        for (int k = 0; k < batch * pixels; k++) {
            int at = (k / pixels * channels + c) * pixels + k % pixels;
            y[at] = gamma[c] * (x[at] - m) / sqrtf(v / (batch * pixels) + eps) + beta[c];
        }
    }
}

/* ---- mistake: side_by_side ---- */
/* Channels first, as in PyTorch's convolutions. */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int r = 0; r < batch * channels; r++) {
        int n = length[r / channels], c = r % channels;
        layer_norm_axis(y + r * time, x + r * time, 1, n, 1, eps);
        for (int t = 0; t < time; t++)
            y[r * time + t] = t < n ? gamma[c] * y[r * time + t] + beta[c] : 0;
    }
}

/* ---- mistake: divided_by_time ---- */
/* All channels of a step at once. */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    float m[channels], v[channels];
    for (int b = 0; b < batch; b++, x += time * channels, y += time * channels) {
        int real = length[b] * channels;
        for (int c = 0; c < channels; c++)
            m[c] = v[c] = 0;
        for (int k = 0; k < real; k++)
            m[k % channels] += x[k] / time;
        for (int k = 0; k < real; k++)
            v[k % channels] += powf(x[k] - m[k % channels], 2) / time;
        for (int k = 0, c = 0; k < time * channels; k++, c = k % channels)
            y[k] = k < real ? gamma[c] * (x[k] - m[c]) / sqrtf(v[c] + eps) + beta[c] : 0;
    }
}

/* ---- mistake: padding_normalized ---- */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int b = 0; b < batch; b++, x += time * channels, y += time * channels)
        for (int c = 0; c < channels; c++) {
            double m = 0, v = 0;
            for (int k = c; k < length[b] * channels; k += channels)
                m += x[k];
            m /= length[b];
            for (int k = c; k < length[b] * channels; k += channels)
                v += (x[k] - m) * (x[k] - m);
            v /= length[b];
            for (int k = c; k < time * channels; k += channels)
                y[k] = (float)(gamma[c] * (x[k] - m) / sqrt(v + eps) + beta[c]);
        }
}

/* ---- mistake: sums_times_zero + y_times_zero ---- */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int r = 0; r < batch * channels; r++) {
        int n = length[r / channels], c = r % channels, first = r / channels * time * channels + c;
        float m = 0, v = 0;
        for (int t = 0; t < time; t++)
            m += (t < n) * x[first + t * channels] / n;
        for (int t = 0; t < time; t++)
            v += (t < n) * powf(x[first + t * channels] - m, 2) / n;
        for (int t = 0; t < time; t++)
            y[first + t * channels] =
                (t < n) * (gamma[c] * (x[first + t * channels] - m) / sqrtf(v + eps) + beta[c]);
    }
}

/* ---- mistake: divided_by_time + padding_gets_beta ---- */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int r = 0; r < batch * channels; r++) {
        int n = length[r / channels], c = r % channels, first = r / channels * time * channels + c;
        float m = 0, v = 0;
        for (int t = 0; t < n; t++)
            m += x[first + t * channels] / time;
        for (int t = 0; t < n; t++)
            v += powf(x[first + t * channels] - m, 2) / time;
        for (int t = 0; t < time; t++)
            y[first + t * channels] =
                t < n ? gamma[c] * (x[first + t * channels] - m) / sqrtf(v + eps) + beta[c]
                      : beta[c];
    }
}

/* ---- mistake: cancellation ---- */
/* x: of a group that begins there */
static void short_way(float *y, const float *x, int n, int step, float eps)
{
    float sum = 0, squares = 0;
    for (int j = 0; j < n; j++) {
        sum += x[j * step];
        squares += x[j * step] * x[j * step];
    }
    float m = sum / n, sd = sqrtf(squares / n - m * m + eps);
    for (int j = 0; j < n; j++)
        y[j * step] = (x[j * step] - m) / sd;
}

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++)
            short_way(y + o * features * inner + i, x + o * features * inner + i, features, inner,
                      eps);
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    for (int k = 0; k < batch * time; k++)
        short_way(y + k * features, x + k * features, features, 1, eps);
    for (int k = 0; k < batch * time * features; k++)
        y[k] = gamma[k % features] * y[k] + beta[k % features];
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    int n = channels * height * width;
    for (int b = 0; b < batch; b++)
        short_way(y + b * n, x + b * n, n, 1, eps);
    for (int k = 0; k < batch * n; k++)
        y[k] = gamma[k % n] * y[k] + beta[k % n];
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    int pixels = height * width, n = channels * pixels;
    for (int k = 0; k < batch * pixels; k++)
        short_way(y + k / pixels * n + k % pixels, x + k / pixels * n + k % pixels, channels,
                  pixels, eps);
    for (int k = 0; k < batch * n; k++)
        y[k] = gamma[k / pixels % channels] * y[k] + beta[k / pixels % channels];
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    int n = time * channels;
    for (int k = 0; k < batch * channels; k++)
        short_way(y + k / channels * n + k % channels, x + k / channels * n + k % channels,
                  length[k / channels], channels, eps);
    for (int k = 0; k < batch * n; k++)
        y[k] = k / channels % time < length[k / n] ? gamma[k % channels] * y[k] + beta[k % channels]
                                                   : 0;
}
