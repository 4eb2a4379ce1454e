/* Lesson 17: fast. The reference solution: WIDE numbers at a time, a row read from memory once. It
 * is summed as distances from a number near its mean, so that nothing cancels, in four sums at a
 * time, because an addition waits for the one before. Of rows of SHORT numbers, WIDE are turned,
 * until each has a place of its own, and done as if they were one. Beside a line that works on WIDE
 * numbers stands what it does to one. */
#include "17_fast.h"
#include "parts.h"
#include "wide.h"

/* ---- the sums of a row ---- */
typedef struct {
    Floats sum;                 /* of the distances from near */
    Floats near, off, variance; /* the mean is near + off: as one float it would be rounded */
} Row;

ALWAYS_INLINE Row row_from(const float *x, int n, bool apart, Floats near)
{
    Floats s[4] = {0}, q[4] = {0};
    int j = 0;
    for (; j <= n - 4 * WIDE; j += 4 * WIDE)
        for (int i = 0; i < 4; i++) {
            Floats d = load_or(x + j + i * WIDE, WIDE, near) - near; /* d = x[j] - near */
            s[i] += d;                                               /* sum += d */
            q[i] += d * d;                                           /* squares += d * d */
        }
    for (; j < n; j += WIDE) {
        Floats d = load_or(x + j, n - j, near) - near;
        s[0] += d;
        q[0] += d * d;
    }
    Floats sum = (s[0] + s[1]) + (s[2] + s[3]), squares = (q[0] + q[1]) + (q[2] + q[3]);
    Floats off = average(sum, n, apart); /* off = sum / n; variance = squares / n - off * off */
    return (Row){sum, near, off, average(squares, n, apart) - off * off};
}

/* Where off is large, digits are lost in that difference: the row is done again, from its mean,
 * which is known by then. Rows that lie apart always are, as to ask each takes longer. */
ALWAYS_INLINE Row row_of(const float *x, int n, bool apart)
{
    Floats first = n < 16 ? all(*x) : row_from(x, 16, false, all(0)).off;
    Row row = row_from(x, n, apart, apart ? load_or(x, WIDE, first) : first);
    bool good = !apart && one(row.off * row.off - 16 * row.variance) <= 0;
    return good ? row : row_from(x, n, apart, row.near + row.off);
}

/* x: features */
float row_sum_fast(const float *x, int features)
{
    return total(row_from(x, features, false, all(0)).sum);
}

/* mean, variance: rows; x: rows x features */
void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features) {
        Row row = row_of(x, features, false);
        mean[r] = one(row.near + row.off);
        variance[r] = fmaxf(one(row.variance), 0); /* not a rounding below it */
    }
}

/* ---- forward ---- */
/* WIDE columns of a row. */
ALWAYS_INLINE void write_y(Rows a, Row row, Floats rstd, int j, int count)
{
    /* y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j] */
    Floats xhat = (load(a.x + j, count) - row.near) * rstd - row.off * rstd;
    Floats y = load(a.gamma + j, count) * xhat + load(a.beta + j, count);
    store(a.out + j, count, y, a.far);
    ahead(a.x + j, a.far);
}

ALWAYS_INLINE void forward_row(Rows a, bool apart)
{
    Row row = row_of(a.x, a.features, apart);
    Floats rstd = 1 / root(row.variance + a.eps);
    int j = 0;
    for (; j <= a.features - WIDE; j += WIDE)
        write_y(a, row, rstd, j, WIDE);
    if (j < a.features)
        write_y(a, row, rstd, j, a.features - j);
}

/* All the rows, or those of a part: in_parts() calls it. */
ALWAYS_INLINE void forward(Rows a)
{
    if (a.features == SHORT && WIDE > 1) {
        Places out, in, scale, shift;
        Rows turned = {.out = *out, .x = *in, .gamma = *scale, .beta = *shift, .eps = a.eps};
        turned.features = SHORT * WIDE;
        turn_one(scale, a.gamma);
        turn_one(shift, a.beta);
        for (; a.rows >= WIDE; a = rows_from(a, WIDE)) {
            turn(in, a.x);
            forward_row(turned, true);
            turn_back(a.out, out);
        }
    }
    for (; a.rows > 0; a = rows_from(a, 1))
        forward_row(a, false);
}

/* y, x: rows x features; gamma, beta: features */
void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    Rows a = {.out = y, .x = x, .gamma = gamma, .beta = beta, .rows = rows, .features = features};
    a.eps = eps;
    in_parts(forward, a);
}

/* ---- backward ---- */
typedef struct {
    Floats mean, rstd, mean_g, mean_g_xhat;
} Means;

ALWAYS_INLINE Means means_of(Rows a, Floats mean, Floats rstd, bool apart)
{
    Floats sum_g = all(0), sum_g_xhat = all(0);
    for (int j = 0, count = a.features; j < a.features; j += WIDE, count -= WIDE) {
        /* g = gamma[j] * dy[j]; xhat = (x[j] - mean) * rstd; sum_g += g; sum_g_xhat += g * xhat */
        Floats g = load(a.gamma + j, count) * load(a.dy + j, count);
        sum_g += g;
        sum_g_xhat += g * ((load_or(a.x + j, count, mean) - mean) * rstd);
    }
    return (Means){mean, rstd, average(sum_g, a.features, apart),
                   average(sum_g_xhat, a.features, apart)};
}

/* WIDE columns of some rows: dgamma and dbeta are written once for all of these. */
ALWAYS_INLINE void write_columns(Rows a, const Means *means, int rows, int j, int count, bool adds)
{
    Floats dbeta = adds ? load(a.dbeta + j, count) : all(0);
    Floats dgamma = adds ? load(a.dgamma + j, count) : all(0);
    for (size_t r = 0, at = (size_t)j; r < (size_t)rows; r++, at += (size_t)a.features) {
        Means m = means[r];
        /* dbeta[j] += dy[j]; dgamma[j] += dy[j] * xhat */
        Floats dy = load(a.dy + at, count), g = load(a.gamma + j, count) * dy;
        Floats xhat = (load(a.x + at, count) - m.mean) * m.rstd;
        dbeta += dy;
        dgamma += dy * xhat;
        /* dx[j] = rstd * (g - mean(g) - xhat * mean(g * xhat)) */
        Floats dx = (g - m.mean_g - xhat * m.mean_g_xhat) * m.rstd;
        store(a.out + at, count, dx, a.far);
        ahead(a.x + at, a.far);
        ahead(a.dy + at, a.far);
    }
    store(a.dbeta + j, count, dbeta, false);
    store(a.dgamma + j, count, dgamma, false);
}

ALWAYS_INLINE void backward_rows(Rows a, const Means *means, int rows, bool adds)
{
    int j = 0;
    for (; j <= a.features - WIDE; j += WIDE)
        write_columns(a, means, rows, j, WIDE, adds);
    if (j < a.features)
        write_columns(a, means, rows, j, a.features - j, adds);
}

ALWAYS_INLINE void backward(Rows a)
{
    /* Of long rows dgamma, dbeta and gamma are too much for the first cache: four share a trip. */
    enum { LONG = 2048, TOGETHER = 4 };
    Means means[TOGETHER];
    bool adds = false;
    if (a.features == SHORT && WIDE > 1 && a.rows >= WIDE) {
        Places out, slopes, in, scale, for_gamma = {{0}}, for_beta = {{0}};
        Rows turned = {*out, *for_gamma, *for_beta, *slopes, *in, *scale, .features = SHORT * WIDE};
        turn_one(scale, a.gamma);
        for (; a.rows >= WIDE; a = rows_from(a, WIDE)) {
            turn(slopes, a.dy);
            turn(in, a.x);
            *means = means_of(turned, load(a.mean, WIDE), load(a.rstd, WIDE), true);
            backward_rows(turned, means, 1, true);
            turn_back(a.out, out);
        }
        total_each(a.dgamma, for_gamma);
        total_each(a.dbeta, for_beta);
        adds = true;
    }
    for (int count; a.rows > 0; a = rows_from(a, count), adds = true) {
        count = a.features < LONG || a.rows < TOGETHER ? 1 : TOGETHER;
        for (int i = 0; i < count; i++)
            means[i] = means_of(rows_from(a, i), all(a.mean[i]), all(a.rstd[i]), false);
        if (count == 1)
            backward_rows(a, means, 1, adds);
        else
            backward_rows(a, means, TOGETHER, adds);
    }
}

/* dx, dy, x: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    in_parts(backward,
             (Rows){dx, dgamma, dbeta, dy, x, gamma, NULL, mean, rstd, rows, features, .eps = 0});
}
