/* Mistakes in lesson 07 as learners make them: the two ways to the statistics. Each section takes
 * the place of the functions of the same name in the solution. "nothing": a slip that fails, and
 * that is not one of the mistakes that have a name. */

/* ---- mistake: cancellation ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += x[r * features + j];
            squares += x[r * features + j] * x[r * features + j];
        }
        mean[r] = sum / features;
        variance[r] = squares / features - mean[r] * mean[r];
    }
}

/* ---- mistake: old_distance_twice ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * d;
        }
        mean[r] = m;
        variance[r] = squares / features;
    }
}

/* ---- mistake: new_distance_twice ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += (v - m) * (v - m);
        }
        mean[r] = m;
        variance[r] = squares / features;
    }
}

/* ---- mistake: n_minus_1 ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * (v - m);
        }
        mean[r] = m;
        variance[r] = squares / (features - 1);
    }
}

/* ---- mistake: squares_run_on ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    float squares = 0;
    for (int r = 0; r < rows; r++) {
        float m = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * (v - m);
        }
        mean[r] = m;
        variance[r] = squares / features;
    }
}

/* ---- mistake: squares_run_on + n_minus_1 ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    float m = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        m = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * (v - m);
        }
        mean[r] = m;
        variance[r] = squares / (features - 1);
    }
}

/* ---- mistake: nothing ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * (v - m);
        }
        mean[r] = m;
        variance[r] = squares;
    }
}

/* ---- mistake: nothing ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float v = x[r * features + j], d = v - m;
            m += d / (j + 1);
            squares += d * (v - m);
        }
        mean[r] = m;
        variance[r] = sqrtf(squares / features);
    }
}

/* ---- mistake: nothing ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float d = x[r * features + j] - m;
            m += d / features; /* by all, not by those that have come */
            squares += d * (x[r * features + j] - m);
        }
        mean[r] = m;
        variance[r] = squares / features;
    }
}
