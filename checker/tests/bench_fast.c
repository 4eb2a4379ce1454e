/* For make bench: what lesson 17's solution is measured beside, as one library, and the measuring.
 * bench_fast.py loads it, and PyTorch; each call here times one of them on arrays of its own.
 *
 * Others: layer norm as llm.c has it, written from its description (three loops over a row, in
 * order, and two for the way back), with the option -Ofast of its Makefile; and oneDNN's primitive,
 * where WITH_DNNL says that it is there. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../include/17_fast.h"

/* ---- llm.c's way ---- */
void three_loops(float *y, const float *x, const float *gamma, const float *beta, int rows,
                 int features, float eps);
void two_loops_back(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                    const float *gamma, const float *mean, const float *rstd, int rows,
                    int features);

void three_loops(float *y, const float *x, const float *gamma, const float *beta, int rows,
                 int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = 0, variance = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= (float)features;
        for (int j = 0; j < features; j++)
            variance += (x[j] - mean) * (x[j] - mean);
        float rstd = 1 / sqrtf(variance / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[j] = (x[j] - mean) * rstd * gamma[j] + beta[j];
    }
}

void two_loops_back(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                    const float *gamma, const float *mean, const float *rstd, int rows,
                    int features)
{
    memset(dgamma, 0, (size_t)features * sizeof(float));
    memset(dbeta, 0, (size_t)features * sizeof(float));
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float mean_g = 0, mean_g_xhat = 0;
        for (int j = 0; j < features; j++) {
            float g = gamma[j] * dy[j];
            mean_g += g;
            mean_g_xhat += g * (x[j] - mean[r]) * rstd[r];
        }
        mean_g /= (float)features;
        mean_g_xhat /= (float)features;
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r], g = gamma[j] * dy[j];
            dbeta[j] += dy[j];
            dgamma[j] += xhat * dy[j];
            dx[j] = (g - mean_g - xhat * mean_g_xhat) * rstd[r];
        }
    }
}

/* ---- what a measurement is given: calls on arrays of their own, one behind the other ---- */
typedef struct {
    float *y, *dx, *dgamma, *dbeta; /* as in the contract */
    float *x, *dy, *gamma, *beta, *mean, *rstd, *variance;
    int rows, features, calls;
} Arrays;

static const float eps = 1e-5f;

/* Fresh numbers: xorshift, eight side by side, so that they come as fast as memory takes them. */
static void noise(float *to, size_t count, uint32_t *seed, float middle)
{
    enum { SIDE = 8 };
    uint32_t state[SIDE];
    for (int i = 0; i < SIDE; i++)
        state[i] = (*seed = *seed * 1664525u + 1013904223u) | 1;
    for (size_t at = 0; at < count; at += SIDE)
        for (int i = 0; i < SIDE; i++) {
            state[i] ^= state[i] << 13;
            state[i] ^= state[i] >> 17;
            state[i] ^= state[i] << 5;
            if (at + (size_t)i < count)
                to[at + (size_t)i] = middle + 8e-10f * (float)(int32_t)state[i];
        }
}

void fill(const Arrays *a, bool backward, uint32_t seed);
void fill(const Arrays *a, bool backward, uint32_t seed)
{
    size_t rows = (size_t)a->rows * (size_t)a->calls, n = (size_t)a->features;
    noise(a->x, rows * n, &seed, 0.5f);
    noise(a->gamma, n * (size_t)a->calls, &seed, 1);
    noise(a->beta, n * (size_t)a->calls, &seed, 0);
    if (!backward)
        return;
    noise(a->dy, rows * n, &seed, 0);
    for (size_t r = 0; r < rows; r++) {
        float sum = 0, squares = 0;
        for (size_t j = 0; j < n; j++)
            sum += a->x[r * n + j];
        a->mean[r] = sum / (float)n;
        for (size_t j = 0; j < n; j++)
            squares += (a->x[r * n + j] - a->mean[r]) * (a->x[r * n + j] - a->mean[r]);
        a->variance[r] = squares / (float)n;
        a->rstd[r] = 1 / sqrtf(a->variance[r] + eps);
    }
}

/* Seconds that have gone by, or those that this process has worked where they are less: a machine
 * has other things to do. */
typedef struct {
    double gone, worked;
} Clock;

static double clock_of(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Clock started(void)
{
    double worked = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    return (Clock){clock_of(CLOCK_MONOTONIC), worked};
}

static double seconds_since(Clock from)
{
    double gone = clock_of(CLOCK_MONOTONIC) - from.gone;
    return fmin(gone, clock_of(CLOCK_PROCESS_CPUTIME_ID) - from.worked);
}

/* What PyTorch is timed by: between two of these. */
double seconds(void);
double seconds(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

typedef void Forward(float *, const float *, const float *, const float *, int, int, float);
typedef void Backward(float *, float *, float *, const float *, const float *, const float *,
                      const float *, const float *, int, int);

double time_forward(Forward *function, const Arrays *a);
double time_backward(Backward *function, const Arrays *a);
double time_copy(const Arrays *a, bool backward);

double time_forward(Forward *function, const Arrays *a)
{
    size_t n = (size_t)a->features, all = n * (size_t)a->rows;
    Clock from = started();
    for (size_t c = 0; c < (size_t)a->calls; c++)
        function(a->y + c * all, a->x + c * all, a->gamma + c * n, a->beta + c * n, a->rows,
                 a->features, eps);
    return seconds_since(from);
}

double time_backward(Backward *function, const Arrays *a)
{
    size_t n = (size_t)a->features, all = n * (size_t)a->rows, rows = (size_t)a->rows;
    Clock from = started();
    for (size_t c = 0; c < (size_t)a->calls; c++)
        function(a->dx + c * all, a->dgamma + c * n, a->dbeta + c * n, a->dy + c * all,
                 a->x + c * all, a->gamma + c * n, a->mean + c * rows, a->rstd + c * rows, a->rows,
                 a->features);
    return seconds_since(from);
}

/* As many bytes as go in and out. */
double time_copy(const Arrays *a, bool backward)
{
    size_t bytes = sizeof(float) * (size_t)a->features * (size_t)a->rows;
    Clock from = started();
    for (size_t c = 0; c < (size_t)a->calls; c++) {
        size_t at = c * bytes / sizeof(float);
        memcpy(a->y + at, a->x + at, bytes);
        if (backward)
            memcpy(a->dx + at, a->dy + at, bytes / 2);
    }
    return seconds_since(from);
}

/* ---- the same copy by two threads, each with half of it ---- */
typedef struct {
    const Arrays *a;
    bool backward;
    size_t begin, count; /* floats */
} Half;

static void *copy_half(void *given)
{
    const Half *h = given;
    memcpy(h->a->y + h->begin, h->a->x + h->begin, h->count * sizeof(float));
    if (h->backward)
        memcpy(h->a->dx + h->begin / 2, h->a->dy + h->begin / 2, h->count / 2 * sizeof(float));
    return NULL;
}

/* False: there is no thread. */
bool copy_in_two(const Arrays *a, bool backward);
bool copy_in_two(const Arrays *a, bool backward)
{
    const size_t half = (size_t)a->features * (size_t)a->rows / 2;
    Half first = {a, backward, 0, half}, second = {a, backward, half, half};
    pthread_t thread;
    if (pthread_create(&thread, NULL, copy_half, &second) != 0)
        return false;
    copy_half(&first);
    return pthread_join(thread, NULL) == 0;
}

/* ---- oneDNN ---- */
#ifdef WITH_DNNL
#include <dnnl.h>

enum { MOST_CALLS = 512, MOST_ARGUMENTS = 12 };
static struct {
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
    int calls, count;
    dnnl_exec_arg_t arguments[MOST_CALLS][MOST_ARGUMENTS];
} dnnl;

static void hand(dnnl_engine_t engine, int call, int name, float *at, int dims, int first,
                 int second)
{
    dnnl_memory_desc_t layout;
    const dnnl_dims_t sizes = {first, second};
    dnnl_memory_desc_init_by_tag(&layout, dims, sizes, dnnl_f32, dims == 1 ? dnnl_a : dnnl_ab);
    dnnl_exec_arg_t *argument = &dnnl.arguments[call][dnnl.count++];
    argument->arg = name;
    dnnl_memory_create(&argument->memory, &layout, engine, at);
}

/* False: oneDNN has no such primitive. Nothing of it is given back: it is asked for twelve times.
 */
bool dnnl_ready(const Arrays *a, bool backward);
bool dnnl_ready(const Arrays *a, bool backward)
{
    static dnnl_engine_t engine;
    if (!engine && dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success)
        return false;
    const dnnl_dims_t sizes = {a->rows, a->features};
    const unsigned flags = dnnl_use_scale | dnnl_use_shift;
    dnnl_memory_desc_t data, statistics;
    dnnl_layer_normalization_desc_t wanted;
    dnnl_primitive_desc_t hint, found;
    dnnl_memory_desc_init_by_tag(&data, 2, sizes, dnnl_f32, dnnl_ab);
    dnnl_memory_desc_init_by_tag(&statistics, 1, sizes, dnnl_f32, dnnl_a);
    dnnl_layer_normalization_forward_desc_init(
        &wanted, backward ? dnnl_forward_training : dnnl_forward_inference, &data, &statistics, eps,
        flags);
    if (dnnl_primitive_desc_create(&hint, &wanted, NULL, engine, NULL) != dnnl_success)
        return false;
    found = hint;
    if (backward) {
        dnnl_layer_normalization_backward_desc_init(&wanted, dnnl_backward, &data, &data,
                                                    &statistics, eps, flags);
        if (dnnl_primitive_desc_create(&found, &wanted, NULL, engine, hint) != dnnl_success)
            return false;
    }
    if (dnnl_primitive_create(&dnnl.primitive, found) != dnnl_success)
        return false;
    dnnl_stream_create(&dnnl.stream, engine, dnnl_stream_default_flags);
    size_t n = (size_t)a->features, rows = (size_t)a->rows, all = n * rows;
    dnnl.calls = a->calls;
    for (int c = 0; c < a->calls; c++) {
        size_t i = (size_t)c;
        dnnl.count = 0;
        hand(engine, c, DNNL_ARG_SRC, a->x + i * all, 2, a->rows, a->features);
        hand(engine, c, DNNL_ARG_SCALE, a->gamma + i * n, 1, a->features, 0);
        hand(engine, c, DNNL_ARG_SHIFT, a->beta + i * n, 1, a->features, 0);
        if (!backward) {
            hand(engine, c, DNNL_ARG_DST, a->y + i * all, 2, a->rows, a->features);
            continue;
        }
        hand(engine, c, DNNL_ARG_MEAN, a->mean + i * rows, 1, a->rows, 0);
        hand(engine, c, DNNL_ARG_VARIANCE, a->variance + i * rows, 1, a->rows, 0);
        hand(engine, c, DNNL_ARG_DIFF_DST, a->dy + i * all, 2, a->rows, a->features);
        hand(engine, c, DNNL_ARG_DIFF_SRC, a->dx + i * all, 2, a->rows, a->features);
        hand(engine, c, DNNL_ARG_DIFF_SCALE, a->dgamma + i * n, 1, a->features, 0);
        hand(engine, c, DNNL_ARG_DIFF_SHIFT, a->dbeta + i * n, 1, a->features, 0);
    }
    return true;
}

double time_dnnl(const Arrays *a);
double time_dnnl(const Arrays *a)
{
    Clock from = started();
    for (int c = 0; c < a->calls; c++)
        if (dnnl_primitive_execute(dnnl.primitive, dnnl.stream, dnnl.count, dnnl.arguments[c]) !=
            dnnl_success)
            return NAN;
    dnnl_stream_wait(dnnl.stream);
    return seconds_since(from);
}
#endif
