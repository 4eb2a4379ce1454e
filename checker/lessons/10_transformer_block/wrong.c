/* Mistakes in lesson 10 as learners make them, in all but attention. Each section takes the place
 * of the functions of the same name in the solution. "nothing": a slip that fails, and that is not
 * one of the mistakes that have a name. */

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

/* ---- mistake: bias_missing ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float sum = 0;
            for (int i = 0; i < inputs; i++)
                sum += x[r * inputs + i] * w[o * inputs + i];
            y[r * outputs + o] = sum;
        }
}

/* ---- mistake: weights_transposed + bias_missing ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float sum = 0;
            for (int i = 0; i < inputs; i++)
                sum += x[r * inputs + i] * w[i * outputs + o];
            y[r * outputs + o] = sum;
        }
}

/* ---- mistake: nothing ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float sum = 0;
            for (int i = 0; i < inputs; i++)
                sum += b[o] + x[r * inputs + i] * w[o * inputs + i];
            y[r * outputs + o] = sum;
        }
}

/* ---- mistake: nothing ---- */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float sum = b[o];
            for (int i = 0; i < inputs; i++)
                sum += x[r * inputs + i] * w[i];
            y[r * outputs + o] = sum;
        }
}

/* ---- mistake: max_not_subtracted ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += expf(row[j]);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j]) / sum;
    }
}

/* ---- mistake: max_of_all ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = x[0], sum = 0;
        for (int i = 0; i < rows * features; i++)
            most = fmaxf(most, x[i]);
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / sum;
    }
}

/* ---- mistake: max_from_zero ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = 0, sum = 0;
        for (int j = 0; j < features; j++)
            most = fmaxf(most, row[j]);
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / sum;
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

/* ---- mistake: nothing ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = row[0], sum = 0;
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / sum;
    }
}

/* ---- mistake: nothing ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = 0, sum = 0;
        for (int j = 1; j < features; j++)
            most = fmaxf(most, row[j]);
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / sum;
    }
}

/* ---- mistake: nothing ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = row[0], sum = 0;
        for (int j = 1; j < features; j++)
            most = fmaxf(most, row[j]);
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / (sum + 1e-6f);
    }
}

/* ---- mistake: nothing ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float most = row[0], sum = 0;
        for (int j = 1; j < features; j++)
            most = fminf(most, row[j]);
        for (int j = 0; j < features; j++)
            sum += expf(row[j] - most);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(row[j] - most) / sum;
    }
}

/* ---- mistake: relu_missing ---- */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float inner[rows * hidden];
    linear(inner, x, w1, b1, rows, features, hidden);
    linear(y, inner, w2, b2, rows, hidden, features);
}

/* ---- mistake: relu_last ---- */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float inner[rows * hidden];
    linear(inner, x, w1, b1, rows, features, hidden);
    linear(y, inner, w2, b2, rows, hidden, features);
    for (int i = 0; i < rows * features; i++)
        y[i] = fmaxf(0, y[i]);
}

/* ---- mistake: nothing ---- */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float inner[rows * hidden];
    linear(inner, x, w1, b1, rows, features, hidden);
    for (int i = 0; i < rows * hidden; i++)
        inner[i] = fmaxf(0, inner[i]);
    linear(y, inner, w2, b2, rows, hidden, features);
    for (int i = 0; i < rows * features; i++)
        y[i] = fmaxf(0, y[i]);
}

/* ---- mistake: nothing ---- */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float inner[rows * hidden];
    linear(inner, x, w1, b1, rows, features, hidden);
    for (int i = 0; i < rows * hidden; i++)
        inner[i] = fabsf(inner[i]);
    linear(y, inner, w2, b2, rows, hidden, features);
}

/* ---- mistake: nothing ---- */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float inner[rows * hidden];
    linear(inner, x, w1, b1, rows, features, hidden);
    for (int i = 0; i < rows; i++)
        inner[i] = fmaxf(0, inner[i]);
    linear(y, inner, w2, b2, rows, hidden, features);
}
