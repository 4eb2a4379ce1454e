/* Mistakes in attention as learners make them. See wrong.c. */

/* ---- mistake: scale_missing ---- */
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
                    score[t][s] = keep[n + s] ? sum : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: scale_by_features ---- */
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
                    score[t][s] = keep[n + s] ? sum / sqrtf(features) : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: scale_not_rooted ---- */
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
                    score[t][s] = keep[n + s] ? sum / size : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: heads_interleaved ---- */
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
                        sum += m[0][n + t][i * heads + h] * m[1][n + s][i * heads + h];
                    score[t][s] = keep[n + s] ? sum / sqrtf(size) : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][i * heads + h] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][i * heads + h] += weight[t][s] * m[2][n + s][i * heads + h];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: mask_is_zero ---- */
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
                    score[t][s] = keep[n + s] ? sum / sqrtf(size) : 0;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: mask_is_a_number ---- */
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
                    score[t][s] = keep[n + s] ? sum / sqrtf(size) : -1e9f;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: mask_after ---- */
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
                    score[t][s] = sum / sqrtf(size);
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] +=
                            (keep[n + s] != 0) * weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: max_not_subtracted ---- */
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
            for (int t = 0; t < time; t++) {
                float sum = 0;
                for (int s = 0; s < time; s++)
                    sum += expf(score[t][s]);
                for (int s = 0; s < time; s++)
                    weight[t][s] = expf(score[t][s]) / sum;
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

/* ---- mistake: wrong_axis ---- */
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

/* ---- mistake: nothing ---- */
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
                        sum += m[1][n + t][h * size + i] * m[0][n + s][h * size + i];
                    score[t][s] = keep[n + s] ? sum / sqrtf(size) : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    heard[n + t][h * size + i] = 0;
                    for (int s = 0; s < time; s++)
                        heard[n + t][h * size + i] += weight[t][s] * m[2][n + s][h * size + i];
                }
        }
    linear(y, heard[0], w + 3 * square, b + 3 * features, batch * time, features, features);
}

/* ---- mistake: nothing ---- */
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
                    score[t][s] = s <= t && keep[n + s] ? sum / sqrtf(size) : -INFINITY;
                }
            softmax(weight[0], score[0], time, time);
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

/* ---- mistake: one_head + mask_ignored ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int all[batch * time];
    for (int i = 0; i < batch * time; i++)
        all[i] = 1;
    solution_attention(y, x, all, w, b, batch, time, features, 1);
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
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    solution_attention(y, x, keep, w, b, batch, time, features, heads);
    for (int i = 0; i < batch * time * features; i++)
        y[i] *= keep[i / features] != 0;
}

/* ---- mistake: nothing ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    solution_attention(y, x, keep, w, b, 1, batch * time, features, heads);
}
