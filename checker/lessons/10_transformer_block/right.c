/* Right answers for lesson 10 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout, every function in itself ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            double sum = 0;
            for (int i = 0; i < inputs; i++)
                sum += (double)w[o * inputs + i] * x[r * inputs + i];
            y[r * outputs + o] = sum + b[o];
        }
}

void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        double most = x[0], sum = 0;
        for (int j = 1; j < features; j++)
            most = fmax(most, x[j]);
        for (int j = 0; j < features; j++)
            sum += exp(x[j] - most);
        for (int j = 0; j < features; j++)
            y[j] = exp(x[j] - most) / sum;
    }
}

void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int n = batch * time, size = features / heads;
    double map[4][n][features], score[time];
    for (int part = 0; part < 4; part++) {
        for (int r = 0; r < n; r++)
            for (int o = 0; o < features; o++) {
                double sum = b[part * features + o];
                for (int i = 0; i < features; i++)
                    sum += w[(part * features + o) * features + i] *
                           (part < 3 ? x[r * features + i] : map[3][r][i]);
                if (part < 3)
                    map[part][r][o] = sum;
                else
                    y[r * features + o] = sum;
            }
        for (int r = 0; part == 2 && r < n; r++)
            for (int h = 0; h < heads; h++) {
                int first = r / time * time;
                double most = -INFINITY, sum = 0;
                for (int s = 0; s < time; s++) {
                    score[s] = 0;
                    for (int i = h * size; i < (h + 1) * size; i++)
                        score[s] += map[0][r][i] * map[1][first + s][i] / sqrt(size);
                    if (keep[first + s])
                        most = fmax(most, score[s]);
                }
                for (int i = h * size; i < (h + 1) * size; i++)
                    map[3][r][i] = 0;
                for (int s = 0; s < time; s++)
                    sum += keep[first + s] ? exp(score[s] - most) : 0;
                for (int s = 0; s < time; s++)
                    for (int i = h * size; i < (h + 1) * size && keep[first + s]; i++)
                        map[3][r][i] += exp(score[s] - most) / sum * map[2][first + s][i];
            }
    }
}

/* ---- style: the query scaled first, all three maps at once, the least float for padding ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < features; j++)
            most = fmaxf(most, x[r * features + j]);
        for (int j = 0; j < features; j++)
            sum += expf(x[r * features + j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(x[r * features + j] - most - logf(sum));
    }
}

void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int n = batch * time, size = features / heads, wide = 3 * features;
    float maps[n * wide], heard[n * features], score[time], weight[time];
    linear(maps, x, w, b, n, features, wide);
    for (int r = 0; r < n; r++)
        for (int j = 0; j < features; j++)
            maps[r * wide + j] *= 1 / sqrtf(size);
    for (int r = 0; r < n; r++)
        for (int h = 0; h < heads; h++) {
            int first = r / time * time;
            for (int s = 0; s < time; s++) {
                const float *q = maps + r * wide + h * size;
                const float *k = maps + (first + s) * wide + features + h * size;
                score[s] = 0;
                for (int i = 0; i < size; i++)
                    score[s] += q[i] * k[i];
                if (keep[first + s] == 0)
                    score[s] = -3.402823466e38f;
            }
            softmax(weight, score, 1, time);
            for (int i = h * size; i < (h + 1) * size; i++) {
                heard[r * features + i] = 0;
                for (int s = 0; s < time; s++)
                    heard[r * features + i] +=
                        weight[s] * maps[(first + s) * wide + 2 * features + i];
            }
        }
    linear(y, heard, w + 3 * features * features, b + 3 * features, n, features, features);
}

/* ---- style: fast, one pass over the tokens with a running maximum ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    float turned[inputs * outputs]; /* so that the inner loop runs over the outputs */
    for (int o = 0; o < outputs; o++)
        for (int i = 0; i < inputs; i++)
            turned[i * outputs + o] = w[o * inputs + i];
    for (int r = 0; r < rows; r++, y += outputs, x += inputs) {
        for (int o = 0; o < outputs; o++)
            y[o] = b[o];
        for (int i = 0; i < inputs; i++)
            for (int o = 0; o < outputs; o++)
                y[o] += x[i] * turned[i * outputs + o];
    }
}

void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int n = batch * time, size = features / heads, square = features * features;
    float *room = calloc(4 * n * features, sizeof *room), *q = room, *k = q + n * features;
    float *v = k + n * features, *heard = v + n * features;
    linear(q, x, w, b, n, features, features);
    linear(k, x, w + square, b + features, n, features, features);
    linear(v, x, w + 2 * square, b + 2 * features, n, features, features);
    for (int at = 0; at < n * features; at += size) { /* one head of one token */
        int first = at / features / time * time;
        float most = -INFINITY, sum = 0;
        for (int s = first; s < first + time; s++) {
            int to = s * features + at % features;
            float score = 0, less, weight;
            if (!keep[s])
                continue;
            for (int i = 0; i < size; i++)
                score += q[at + i] * k[to + i];
            score /= sqrtf(size);
            less = score > most ? expf(most - score) : 1;
            most = fmaxf(most, score);
            weight = expf(score - most);
            sum = sum * less + weight;
            for (int i = 0; i < size; i++)
                heard[at + i] = heard[at + i] * less + weight * v[to + i];
        }
        for (int i = 0; i < size; i++)
            heard[at + i] /= sum;
    }
    linear(y, heard, w + 3 * square, b + 3 * features, n, features, features);
    free(room);
}

/* ---- style: sums from the back, Welford's norm, one room for the whole block ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int at = rows * outputs - 1; at >= 0; at--) {
        const float *row = x + at / outputs * inputs, *weights = w + at % outputs * inputs;
        float sum = 0;
        for (int i = inputs - 1; i >= 0; i--)
            sum += row[i] * weights[i];
        y[at] = sum + b[at % outputs];
    }
}

static void norm(float *z, const float *gamma, const float *beta, int n, float eps)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < n; j++) {
        float before = z[j] - mean;
        mean += before / (j + 1);
        squares += before * (z[j] - mean);
    }
    for (int j = 0; j < n; j++)
        z[j] = (z[j] - mean) / sqrtf(squares / n + eps) * gamma[j] + beta[j];
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], inner[n * hidden];
    attention(x1, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] += x[i];
    for (int r = 0; r < n; r++)
        norm(x1 + r * features, norms, norms + features, features, eps);
    linear(inner, x1, w1, b1, n, features, hidden);
    for (int i = 0; i < n * hidden; i++)
        inner[i] = fmaxf(0, inner[i]);
    linear(y, inner, w2, b2, n, hidden, features);
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < features; j++)
            y[r * features + j] += x1[r * features + j];
        norm(y + r * features, norms + 2 * features, norms + 3 * features, features, eps);
    }
}

/* ---- style: sums in double, the norm by distances from the first number ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            double sum = b[o];
            for (int i = 0; i < inputs; i++)
                sum += x[r * inputs + i] * w[o * inputs + i];
            y[r * outputs + o] = (float)sum;
        }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], branch[n * features];
    for (int half = 0; half < 2; half++) {
        const float *gamma = norms + 2 * half * features, *beta = gamma + features;
        const float *in = half ? x1 : x;
        float *out = half ? y : x1;
        if (half)
            feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
        else
            attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
        for (int r = 0; r < n * features; r += features) {
            float first = in[r] + branch[r], sum = 0, squares = 0;
            for (int j = 0; j < features; j++) {
                float d = in[r + j] + branch[r + j] - first;
                sum += d;
                squares += d * d;
            }
            float mean = sum / features, rstd = 1 / sqrtf(squares / features - mean * mean + eps);
            for (int j = 0; j < features; j++)
                out[r + j] = (in[r + j] + branch[r + j] - first - mean) * rstd * gamma[j] + beta[j];
        }
    }
}

/* ---- style: a sequence at a time, the heads as a dimension of their own ---- */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int size = features / heads;
    float map[4][time][heads][size], score[time][time], weight[time][time];
    for (int n = 0; n < batch; n++, x += time * features, y += time * features, keep += time) {
        for (int i = 0; i < 3; i++)
            linear(&map[i][0][0][0], x, w + i * features * features, b + i * features, time,
                   features, features);
        for (int h = 0; h < heads; h++) {
            for (int t = 0; t < time; t++)
                for (int s = 0; s < time; s++) {
                    float sum = 0;
                    for (int i = 0; i < size; i++)
                        sum += map[0][t][h][i] * map[1][s][h][i];
                    score[t][s] = sum / sqrtf((float)size) + (keep[s] ? 0 : -INFINITY);
                }
            softmax(&weight[0][0], &score[0][0], time, time);
            for (int t = 0; t < time; t++)
                for (int i = 0; i < size; i++) {
                    map[3][t][h][i] = 0;
                    for (int s = 0; s < time; s++)
                        map[3][t][h][i] += weight[t][s] * map[2][s][h][i];
                }
        }
        linear(y, &map[3][0][0][0], w + 3 * features * features, b + 3 * features, time, features,
               features);
    }
}

void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float *inner = malloc(hidden * sizeof *inner);
    for (int r = 0; r < rows; r++) {
        linear(inner, x + r * features, w1, b1, 1, features, hidden);
        for (int j = 0; j < hidden; j++)
            inner[j] = inner[j] > 0 ? inner[j] : 0;
        linear(y + r * features, inner, w2, b2, 1, hidden, features);
    }
    free(inner);
}
