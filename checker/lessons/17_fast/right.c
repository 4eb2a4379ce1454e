/* Lesson 17 written in many honest ways. A test builds each section in place of the solution's
 * functions; none may be refused, whatever it does to the last bits. */

/* ---- style: as the hints say ---- */
enum { PER_BLOCK = 32, FIRST_FEW = 16 };

static float total(const float *sums)
{
    float sum = 0.0f;
    for (int i = 0; i < PER_BLOCK; i++)
        sum += sums[i];
    return sum;
}

static inline void sum_block(float *sums, const float *x, int count)
{
    for (int i = 0; i < count; i++)
        sums[i] += x[i];
}

float row_sum_fast(const float *x, int features)
{
    float sums[PER_BLOCK] = {0};
    int j = 0;
    for (; j + PER_BLOCK <= features; j += PER_BLOCK)
        sum_block(sums, x + j, PER_BLOCK);
    sum_block(sums, x + j, features - j);
    return total(sums);
}

struct row {
    float near, off, variance;
};

static inline void distance_block(float *sums, float *squares, const float *x, float near,
                                  int count)
{
    for (int i = 0; i < count; i++) {
        float d = x[i] - near;
        sums[i] += d;
        squares[i] += d * d;
    }
}

static struct row row_from(const float *x, int features, float near)
{
    float sums[PER_BLOCK] = {0}, squares[PER_BLOCK] = {0};
    int j = 0;
    for (; j + PER_BLOCK <= features; j += PER_BLOCK)
        distance_block(sums, squares, x + j, near, PER_BLOCK);
    distance_block(sums, squares, x + j, near, features - j);
    float off = total(sums) / (float)features;
    float variance = total(squares) / (float)features - off * off;
    return (struct row){near, off, variance > 0.0f ? variance : 0.0f};
}

static struct row row_of(const float *x, int features)
{
    int few = features < FIRST_FEW ? features : FIRST_FEW;
    float near = 0.0f;
    for (int j = 0; j < few; j++)
        near += x[j] / (float)few;
    struct row row = row_from(x, features, near);
    if (row.off * row.off > 16.0f * row.variance)
        row = row_from(x, features, row.near + row.off);
    return row;
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        struct row row = row_of(x + (size_t)r * (size_t)features, features);
        mean[r] = row.near + row.off;
        variance[r] = row.variance;
    }
}

void layer_norm_fast(float *restrict y, const float *restrict x, const float *restrict gamma,
                     const float *restrict beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        struct row row = row_of(in, features);
        float rstd = 1.0f / sqrtf(row.variance + eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (((in[j] - row.near) - row.off) * rstd) + beta[j];
    }
}

static inline void gradient_block(float *restrict sums, float *restrict sums_xhat,
                                  float *restrict dgamma, float *restrict dbeta,
                                  const float *restrict dy, const float *restrict x,
                                  const float *restrict gamma, float mean, float rstd, int count)
{
    for (int i = 0; i < count; i++) {
        float xhat = (x[i] - mean) * rstd, g = gamma[i] * dy[i];
        sums[i] += g;
        sums_xhat[i] += g * xhat;
        dbeta[i] += dy[i];
        dgamma[i] += dy[i] * xhat;
    }
}

void layer_norm_backward_fast(float *restrict dx, float *restrict dgamma, float *restrict dbeta,
                              const float *restrict dy, const float *restrict x,
                              const float *restrict gamma, const float *restrict mean,
                              const float *restrict rstd, int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++, dx += features, dy += features, x += features) {
        float sums[PER_BLOCK] = {0}, sums_xhat[PER_BLOCK] = {0};
        int j = 0;
        for (; j + PER_BLOCK <= features; j += PER_BLOCK)
            gradient_block(sums, sums_xhat, dgamma + j, dbeta + j, dy + j, x + j, gamma + j,
                           mean[r], rstd[r], PER_BLOCK);
        gradient_block(sums, sums_xhat, dgamma + j, dbeta + j, dy + j, x + j, gamma + j, mean[r],
                       rstd[r], features - j);
        float mean_g = total(sums) / (float)features;
        float mean_g_xhat = total(sums_xhat) / (float)features;
        for (j = 0; j < features; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r], g = gamma[j] * dy[j];
            dx[j] = rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
}

/* ---- style: two passes, one sum ---- */
float row_sum_fast(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum;
}

static float variance_of(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / features;
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features) {
        mean[r] = row_sum_fast(x, features) / features;
        variance[r] = variance_of(x, features, mean[r]);
    }
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_sum_fast(x, features) / features;
        float std = sqrtf(variance_of(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / std + beta[j];
    }
}

void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * ((x[i] - mean[r]) * rstd[r]);
        }
    }
    for (int r = 0; r < rows; r++) {
        float sum = 0, sum_xhat = 0;
        for (int i = r * features; i < (r + 1) * features; i++) {
            float g = gamma[i - r * features] * dy[i];
            sum += g;
            sum_xhat += g * ((x[i] - mean[r]) * rstd[r]);
        }
        for (int i = r * features; i < (r + 1) * features; i++) {
            float g = gamma[i - r * features] * dy[i], xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = (g - sum / features - xhat * (sum_xhat / features)) * rstd[r];
        }
    }
}

/* ---- style: four sums, shifted by the first number ---- */
float row_sum_fast(const float *x, int features)
{
    float a = 0, b = 0, c = 0, d = 0;
    int j = 0;
    for (; j + 3 < features; j += 4) {
        a += x[j];
        b += x[j + 1];
        c += x[j + 2];
        d += x[j + 3];
    }
    for (; j < features; j++)
        a += x[j];
    return (a + b) + (c + d);
}

static void by_first(const float *x, int features, float *off, float *variance)
{
    float s[4] = {0}, q[4] = {0};
    for (int j = 0; j < features; j++) {
        float d = x[j] - x[0];
        s[j % 4] += d;
        q[j % 4] += d * d;
    }
    *off = ((s[0] + s[1]) + (s[2] + s[3])) / features;
    *variance = ((q[0] + q[1]) + (q[2] + q[3])) / features - *off * *off;
    if (*variance < 0)
        *variance = 0;
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float off;
        by_first(row, features, &off, &variance[r]);
        mean[r] = row[0] + off;
    }
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float off, variance;
        by_first(row, features, &off, &variance);
        float rstd = 1 / sqrtf(variance + eps), shift = -off * rstd;
        for (int j = 0; j < features; j++)
            y[r * features + j] = ((row[j] - row[0]) * rstd + shift) * gamma[j] + beta[j];
    }
}

/* The sums of g * x, and the mean subtracted afterwards; rows in fours. */
void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    for (int first = 0; first < rows; first += 4) {
        int end = first + 4 < rows ? first + 4 : rows;
        float sum[4] = {0}, sum_x[4] = {0};
        for (int j = 0; j < features; j++) {
            float of_gamma = 0, of_beta = 0;
            for (int r = first; r < end; r++) {
                float d = dy[r * features + j], v = x[r * features + j];
                of_beta += d;
                of_gamma += d * ((v - mean[r]) * rstd[r]);
                sum[r - first] += gamma[j] * d;
                sum_x[r - first] += gamma[j] * d * v;
            }
            dgamma[j] = (first ? dgamma[j] : 0) + of_gamma;
            dbeta[j] = (first ? dbeta[j] : 0) + of_beta;
        }
        for (int r = first; r < end; r++) {
            float b = (sum[r - first] * mean[r] - sum_x[r - first]) * rstd[r] * rstd[r] * rstd[r];
            b /= features;
            float c = -b * mean[r] - sum[r - first] * rstd[r] / features;
            for (int i = r * features; i < (r + 1) * features; i++)
                dx[i] = rstd[r] * dy[i] * gamma[i - r * features] + b * x[i] + c;
        }
    }
}

/* ---- style: vector extensions, where there are any ---- */
#include <string.h>

#if defined __GNUC__ && !defined __TINYC__
enum { LANES = 8 };
typedef float Eight __attribute__((vector_size(32)));
#else
enum { LANES = 1 };
typedef float Eight;
#endif

static Eight lanes(const float *from)
{
    Eight v;
    memcpy(&v, from, sizeof v);
    return v;
}

static float across(Eight v)
{
    float each[LANES], sum = 0;
    memcpy(each, &v, sizeof v);
    for (int i = 0; i < LANES; i++)
        sum += each[i];
    return sum;
}

float row_sum_fast(const float *x, int features)
{
    Eight a = {0}, b = {0};
    int j = 0;
    for (; j + 2 * LANES <= features; j += 2 * LANES) {
        a += lanes(x + j);
        b += lanes(x + j + LANES);
    }
    float sum = across(a + b);
    while (j < features)
        sum += x[j++];
    return sum;
}

/* Two passes: the mean, rounded, and then the distances from it. */
static float spread_of(const float *x, int features, float *mean)
{
    Eight squares = {0};
    int j = 0;
    *mean = row_sum_fast(x, features) / features;
    for (; j + LANES <= features; j += LANES) {
        Eight d = lanes(x + j) - *mean;
        squares += d * d;
    }
    float sum = across(squares);
    for (; j < features; j++)
        sum += (x[j] - *mean) * (x[j] - *mean);
    return sum / features;
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++)
        variance[r] = spread_of(x + r * features, features, &mean[r]);
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean, rstd = 1 / sqrtf(spread_of(x, features, &mean) + eps);
        int j = 0;
        for (; j + LANES <= features; j += LANES) {
            Eight out = lanes(gamma + j) * ((lanes(x + j) - mean) * rstd) + lanes(beta + j);
            memcpy(y + j, &out, sizeof out);
        }
        for (; j < features; j++)
            y[j] = gamma[j] * ((x[j] - mean) * rstd) + beta[j];
    }
}

/* ---- style: a processor's own instructions ---- */
#if defined __SSE2__
#include <immintrin.h>
typedef __m128 Four;
#define LOAD(at) _mm_loadu_ps(at)
#define STORE(at, v) _mm_storeu_ps(at, v)
#define ALL(a) _mm_set1_ps(a)
#define ADD(a, b) _mm_add_ps(a, b)
#define SUBTRACT(a, b) _mm_sub_ps(a, b)
#define MULTIPLY(a, b) _mm_mul_ps(a, b)
enum { WIDTH = 4 };
#elif defined __ARM_NEON
#include <arm_neon.h>
typedef float32x4_t Four;
#define LOAD(at) vld1q_f32(at)
#define STORE(at, v) vst1q_f32(at, v)
#define ALL(a) vdupq_n_f32(a)
#define ADD(a, b) vaddq_f32(a, b)
#define SUBTRACT(a, b) vsubq_f32(a, b)
#define MULTIPLY(a, b) vmulq_f32(a, b)
enum { WIDTH = 4 };
#else
typedef float Four;
#define LOAD(at) (*(at))
#define STORE(at, v) (*(at) = (v))
#define ALL(a) (a)
#define ADD(a, b) ((a) + (b))
#define SUBTRACT(a, b) ((a) - (b))
#define MULTIPLY(a, b) ((a) * (b))
enum { WIDTH = 1 };
#endif

static float sum_of(Four v)
{
    float each[WIDTH], sum = 0;
    STORE(each, v);
    for (int i = 0; i < WIDTH; i++)
        sum += each[i];
    return sum;
}

float row_sum_fast(const float *x, int features)
{
    Four a = ALL(0), b = ALL(0);
    int j = 0;
    for (; j + 2 * WIDTH <= features; j += 2 * WIDTH) {
        a = ADD(a, LOAD(x + j));
        b = ADD(b, LOAD(x + j + WIDTH));
    }
    float sum = sum_of(ADD(a, b));
    for (; j < features; j++)
        sum += x[j];
    return sum;
}

/* near is the mean of the first four, and the mean is near + off. */
static float near_and_off(const float *x, int features, float *near, float *off)
{
    Four s = ALL(0), q = ALL(0);
    int j = 0;
    *near = features < 4 ? x[0] : (x[0] + x[1] + x[2] + x[3]) / 4;
    for (; j + WIDTH <= features; j += WIDTH) {
        Four d = SUBTRACT(LOAD(x + j), ALL(*near));
        s = ADD(s, d);
        q = ADD(q, MULTIPLY(d, d));
    }
    float sum = sum_of(s), squares = sum_of(q);
    for (; j < features; j++) {
        sum += x[j] - *near;
        squares += (x[j] - *near) * (x[j] - *near);
    }
    *off = sum / features;
    return fmaxf(squares / features - *off * *off, 0);
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float near, off;
        variance[r] = near_and_off(x + r * features, features, &near, &off);
        mean[r] = near + off;
    }
}

/* One over a root that is known to 12 bits, and one step of Newton's for the others. */
static float one_over_root(float v)
{
#if defined __SSE2__
    if (v > 1e-30f && v < 1e30f) {
        float guess = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(v)));
        return guess * (1.5f - 0.5f * v * guess * guess);
    }
#endif
    return 1 / sqrtf(v);
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float near, off, rstd = one_over_root(near_and_off(x, features, &near, &off) + eps);
        int j = 0;
        for (; j + WIDTH <= features; j += WIDTH) {
            Four xhat = SUBTRACT(SUBTRACT(LOAD(x + j), ALL(near)), ALL(off));
            xhat = MULTIPLY(xhat, ALL(rstd));
            STORE(y + j, ADD(MULTIPLY(LOAD(gamma + j), xhat), LOAD(beta + j)));
        }
        for (; j < features; j++)
            y[j] = gamma[j] * ((x[j] - near - off) * rstd) + beta[j];
    }
}

/* ---- style: AVX2 and FMA, asked for as the program runs ---- */
#if defined __x86_64__ && defined __GNUC__ && !defined __TINYC__
#include <immintrin.h>
#define WITH_AVX __attribute__((target("avx2,fma")))

WITH_AVX static float sum_of_eight(__m256 v)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}

WITH_AVX static float sum_by_avx(const float *x, int features)
{
    __m256 sums = _mm256_setzero_ps();
    int j = 0;
    for (; j + 8 <= features; j += 8)
        sums = _mm256_add_ps(sums, _mm256_loadu_ps(x + j));
    float sum = sum_of_eight(sums);
    for (; j < features; j++)
        sum += x[j];
    return sum;
}

/* y = (gamma * rstd) * x + (beta - gamma * rstd * mean), each rounded once */
WITH_AVX static void write_by_avx(float *y, const float *x, const float *gamma, const float *beta,
                                  int features, float mean, float rstd)
{
    __m256 all = _mm256_set1_ps(rstd), shift = _mm256_set1_ps(-mean * rstd);
    int j = 0;
    for (; j + 8 <= features; j += 8) {
        __m256 xhat = _mm256_fmadd_ps(_mm256_loadu_ps(x + j), all, shift);
        _mm256_storeu_ps(
            y + j, _mm256_fmadd_ps(_mm256_loadu_ps(gamma + j), xhat, _mm256_loadu_ps(beta + j)));
    }
    for (; j < features; j++)
        y[j] = gamma[j] * ((x[j] - mean) * rstd) + beta[j];
}
#define HAS_AVX (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define HAS_AVX 0
#define sum_by_avx(x, features) 0
#define write_by_avx(y, x, gamma, beta, features, mean, rstd) 0
#endif

float row_sum_fast(const float *x, int features)
{
    float sum = 0;
    if (HAS_AVX)
        return sum_by_avx(x, features);
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum;
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean, variance;
        row_statistics_fast(&mean, &variance, x, 1, features);
        float rstd = 1 / sqrtf(variance + eps);
        if (HAS_AVX)
            write_by_avx(y, x, gamma, beta, features, mean, rstd);
        else
            for (int j = 0; j < features; j++)
                y[j] = gamma[j] * ((x[j] - mean) * rstd) + beta[j];
    }
}

/* ---- style: two threads that end ---- */
#include <pthread.h>
#include <stdlib.h>

/* Half of the rows. The second thread's dgamma and dbeta are its own until the first adds them. */
typedef struct {
    float *y, *dgamma, *dbeta;
    const float *dy, *x, *gamma, *beta, *mean, *rstd;
    int rows, features;
    float eps;
} Half;

static void *forward_part(void *argument)
{
    const Half *p = argument;
    for (int r = 0; r < p->rows; r++) {
        const float *x = p->x + r * p->features;
        float mean, variance;
        row_statistics_fast(&mean, &variance, x, 1, p->features);
        float rstd = 1 / sqrtf(variance + p->eps);
        for (int j = 0; j < p->features; j++)
            p->y[r * p->features + j] = p->gamma[j] * (x[j] - mean) * rstd + p->beta[j];
    }
    return NULL;
}

static void in_two(void *(*work)(void *), Half *first, Half *second)
{
    pthread_t thread;
    int started = pthread_create(&thread, NULL, work, second) == 0;
    work(first);
    if (started)
        pthread_join(thread, NULL);
    else
        work(second);
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    Half first = {.y = y, .x = x, .gamma = gamma, .beta = beta, .features = features, .eps = eps};
    Half second = first;
    first.rows = rows / 2;
    second.rows = rows - first.rows;
    second.x = x + first.rows * features;
    second.y = y + first.rows * features;
    in_two(forward_part, &first, &second);
}

static void *backward_part(void *argument)
{
    const Half *p = argument;
    for (int j = 0; j < p->features; j++)
        p->dgamma[j] = p->dbeta[j] = 0;
    for (int r = 0; r < p->rows; r++) {
        const float *x = p->x + r * p->features, *dy = p->dy + r * p->features;
        float sum = 0, sum_xhat = 0;
        for (int j = 0; j < p->features; j++) {
            float xhat = (x[j] - p->mean[r]) * p->rstd[r];
            sum += p->gamma[j] * dy[j];
            sum_xhat += p->gamma[j] * dy[j] * xhat;
            p->dbeta[j] += dy[j];
            p->dgamma[j] += dy[j] * xhat;
        }
        for (int j = 0; j < p->features; j++) {
            float xhat = (x[j] - p->mean[r]) * p->rstd[r];
            float rest = sum / p->features + xhat * (sum_xhat / p->features);
            p->y[r * p->features + j] = p->rstd[r] * (p->gamma[j] * dy[j] - rest);
        }
    }
    return NULL;
}

void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    Half first = {.y = dx, .dgamma = dgamma, .dbeta = dbeta, .dy = dy, .x = x, .gamma = gamma};
    first.mean = mean;
    first.rstd = rstd;
    first.features = features;
    Half second = first;
    float *own = malloc(2 * (size_t)features * sizeof *own);
    if (!own)
        return;
    first.rows = rows / 2;
    second.rows = rows - first.rows;
    second.y = dx + first.rows * features;
    second.x = x + first.rows * features;
    second.dy = dy + first.rows * features;
    second.mean = mean + first.rows;
    second.rstd = rstd + first.rows;
    second.dgamma = own;
    second.dbeta = own + features;
    in_two(backward_part, &first, &second);
    for (int j = 0; j < features; j++) {
        dgamma[j] += second.dgamma[j];
        dbeta[j] += second.dbeta[j];
    }
    free(own);
}

/* ---- style: welford ---- */
void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features) {
        float squares = 0;
        mean[r] = 0;
        for (int j = 0; j < features; j++) {
            float before = x[j] - mean[r];
            mean[r] += before / (j + 1);
            squares += before * (x[j] - mean[r]);
        }
        variance[r] = squares / features;
    }
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean, variance;
        row_statistics_fast(&mean, &variance, x, 1, features);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / sqrtf(variance + eps) + beta[j];
    }
}

/* ---- style: halves of halves ---- */
float row_sum_fast(const float *x, int features)
{
    if (features == 1)
        return x[0];
    return row_sum_fast(x, features / 2) + row_sum_fast(x + features / 2, features - features / 2);
}

static float squares_about(const float *x, int features, float mean)
{
    int half = features / 2;
    if (features == 1)
        return (x[0] - mean) * (x[0] - mean);
    return squares_about(x, half, mean) + squares_about(x + half, features - half, mean);
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        mean[r] = row_sum_fast(x + r * features, features) / features;
        variance[r] = squares_about(x + r * features, features, mean[r]) / features;
    }
}

/* ---- style: in double, E[x^2] - mean^2 ---- */
float row_sum_fast(const float *x, int features)
{
    double sum = 0;
    for (int j = features - 1; j >= 0; j--)
        sum += x[j];
    return (float)sum;
}

static double variance_in_double(const float *x, int features, double *mean)
{
    double sum = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        sum += x[j];
        squares += (double)x[j] * x[j];
    }
    *mean = sum / features;
    return fmax(squares / features - *mean * *mean, 0);
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        double m;
        variance[r] = (float)variance_in_double(x + r * features, features, &m);
        mean[r] = (float)m;
    }
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double mean, rstd = 1 / sqrt(variance_in_double(x + r * features, features, &mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)((x[r * features + j] - mean) * rstd * gamma[j] + beta[j]);
    }
}

/* ---- style: the next row's sums while a row is written ---- */
typedef struct {
    float sum, squares, near;
} RowSums;

static void sums_begin(RowSums *s, const float *x)
{
    *s = (RowSums){0, 0, x[0]};
}

static void sums_add(RowSums *s, float x)
{
    s->sum += x - s->near;
    s->squares += (x - s->near) * (x - s->near);
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    RowSums of_this, of_next;
    sums_begin(&of_this, x);
    for (int j = 0; j < features; j++)
        sums_add(&of_this, x[j]);
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features, *next = r + 1 < rows ? row + features : row;
        float off = of_this.sum / features;
        float rstd = 1 / sqrtf(fmaxf(of_this.squares / features - off * off, 0) + eps);
        sums_begin(&of_next, next);
        for (int j = 0; j < features; j++) {
            y[r * features + j] = gamma[j] * ((row[j] - of_this.near) - off) * rstd + beta[j];
            sums_add(&of_next, next[j]);
        }
        of_this = of_next;
    }
}
