/* Mistakes in lesson 10 as learners make them, in a way of their own; those that are a few lines'
 * change of the solution are in wrong.txt. Each section takes the place of the functions of the
 * same name in the solution. "nothing": a slip that fails, and that is not one of the mistakes that
 * have a name. */

/* ---- mistake: weights_transposed ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float sum = b[o];
            for (int i = 0; i < inputs; i++)
                sum += x[r * inputs + i] * w[i * outputs + o];
            y[r * outputs + o] = sum;
        }
}

/* ---- mistake: wrong_axis ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        float most = x[j], sum = 0;
        for (int r = 1; r < rows; r++)
            most = fmaxf(most, x[r * features + j]);
        for (int r = 0; r < rows; r++)
            sum += expf(x[r * features + j] - most);
        for (int r = 0; r < rows; r++)
            y[r * features + j] = expf(x[r * features + j] - most) / sum;
    }
}

/* ---- mistake: heads_interleaved ---- */
/* A token at a time, in double. */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    float q[batch * time * features], k[batch * time * features], v[batch * time * features];
    float heard[batch * time * features];
    linear(q, x, w, b, batch * time, features, features);
    linear(k, x, w += features * features, b += features, batch * time, features, features);
    linear(v, x, w += features * features, b += features, batch * time, features, features);
    for (int r = 0; r < batch * time; r++)
        for (int h = 0; h < heads; h++) {
            int first = r / time * time;
            double score[time], most = -INFINITY, all = 0;
            for (int s = 0; s < time; s++) {
                score[s] = keep[first + s] ? 0 : -INFINITY;
                for (int i = h; i < features; i += heads)
                    score[s] += q[r * features + i] * k[(first + s) * features + i] /
                                sqrt((double)features / heads);
                most = fmax(most, score[s]);
            }
            for (int i = h; i < features; i += heads)
                heard[r * features + i] = 0;
            for (int s = 0; s < time; s++)
                all += exp(score[s] - most);
            for (int s = 0; s < time; s++)
                for (int i = h; i < features; i += heads)
                    heard[r * features + i] +=
                        exp(score[s] - most) / all * v[(first + s) * features + i];
        }
    linear(y, heard, w + features * features, b + features, batch * time, features, features);
}

/* ---- mistake: wrong_axis ---- */
/* The scores of all pairs of tokens at once. */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int size = features / heads, square = features * features;
    float m[3][batch * time][features], heard[batch * time][features];
    float score[time][time], weight[time][time];
    for (int i = 0; i < 3; i++)
        linear(m[i][0], x, w + i * square, b + i * features, batch * time, features, features);
    for (int n = 0; n < batch * time; n += time)
        for (int h = 0; h < heads; h++) {
            for (int t = 0; t < time; t++)
                for (int s = 0; s < time; s++) {
                    float sum = 0;
                    for (int i = 0; i < size; i++)
                        sum += m[0][n + t][h * size + i] * m[1][n + s][h * size + i];
                    score[t][s] = keep[n + s] ? sum / sqrtf(size) : -INFINITY;
                }
            for (int s = 0; s < time; s++) {
                float most = -INFINITY, sum = 0;
                for (int t = 0; t < time; t++)
                    most = fmaxf(most, score[t][s]);
                for (int t = 0; t < time; t++)
                    sum += expf(score[t][s] - most);
                for (int t = 0; t < time; t++)
                    weight[t][s] = expf(score[t][s] - most) / sum;
            }
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: one_head ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    solution_attention(y, x, keep, w, b, batch, time, features, 1);
}

/* ---- mistake: mask_ignored ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int all[batch * time];
    for (int i = 0; i < batch * time; i++)
        all[i] = 1;
    solution_attention(y, x, all, w, b, batch, time, features, heads);
}

/* ---- mistake: output_missing ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    float maps[4 * features * features], biases[4 * features];
    for (int i = 0; i < 4 * features * features; i++)
        maps[i] = i < 3 * features * features ? w[i] : i % features == i / features % features;
    for (int i = 0; i < 4 * features; i++)
        biases[i] = i < 3 * features ? b[i] : 0;
    solution_attention(y, x, keep, maps, biases, batch, time, features, heads);
}

/* ---- mistake: nothing ---- */
/* What is padding comes out as zeros. */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    solution_attention(y, x, keep, w, b, batch, time, features, heads);
    for (int i = 0; i < batch * time * features; i++)
        y[i] *= keep[i / features] != 0;
}

/* ---- mistake: nothing ---- */
/* All sequences are one. */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    solution_attention(y, x, keep, w, b, 1, batch * time, features, heads);
}

/* ---- mistake: pre_norm ---- */
static void norm(float *z, const float *gamma, const float *beta, int rows, int n, float eps)
{
    for (int r = 0; r < rows; r++, z += n) {
        float mean = 0, squares = 0;
        for (int j = 0; j < n; j++)
            mean += z[j] / n;
        for (int j = 0; j < n; j++)
            squares += (z[j] - mean) * (z[j] - mean);
        for (int j = 0; j < n; j++)
            z[j] = gamma[j] * (z[j] - mean) / sqrtf(squares / n + eps) + beta[j];
    }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], branch[n * features], in[n * features];
    for (int i = 0; i < n * features; i++)
        in[i] = x[i];
    norm(in, norms, norms + features, n, features, eps);
    attention(branch, in, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = in[i] = x[i] + branch[i];
    norm(in, norms + 2 * features, norms + 3 * features, n, features, eps);
    feed_forward(branch, in, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x1[i] + branch[i];
}
