/* Fresh numbers for every measurement, so that no answer can be kept from the one before.
 *
 * The invariant: whoever leaves out a part of the work gives a wrong number somewhere. A sum of n
 * floats may be off by n roundings, which for 65,536 of them is more than a small part of the sum.
 * So each row holds one number that no part of a row can be left out without missing now and then,
 * and dy lies to one side of 0 and along x, so that no sum over the rows is small. */
#include "race.h"

#include <stdlib.h>
#include <sys/random.h>

void noise_seed(Noise *noise)
{
    if (getentropy(noise->state, sizeof noise->state) != 0)
        abort();
    for (int i = 0; i < NOISE_LANES; i++)
        noise->state[i] |= 1; /* 0 would stay 0 */
}

/* Marsaglia's xorshift32, several side by side: memory is filled about as fast as it is copied. */
static void step(Noise *noise)
{
    for (int i = 0; i < NOISE_LANES; i++) {
        uint32_t s = noise->state[i];
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        noise->state[i] = s;
    }
}

/* Uniform, mean 0, spread 1. */
static void fill_noise(float *to, size_t count, Noise *noise)
{
    const float unit = 8.0655e-10f; /* sqrt(3) / 2^31 */
    size_t whole = count / NOISE_LANES * NOISE_LANES;
    for (size_t at = 0; at < whole; at += NOISE_LANES) {
        step(noise);
        for (int i = 0; i < NOISE_LANES; i++)
            to[at + (size_t)i] = unit * (float)(int32_t)noise->state[i];
    }
    step(noise);
    for (size_t at = whole; at < count; at++)
        to[at] = unit * (float)(int32_t)noise->state[at - whole];
}

static float one_of(Noise *noise)
{
    float value;
    fill_noise(&value, 1, noise);
    return value;
}

static void fill_row(float *x, float *dy, int features, Noise *noise)
{
    float shift = one_of(noise), scale = 1 + one_of(noise) / 4;
    fill_noise(x, (size_t)features, noise);
    /* Without it the variance is smaller by 1/16 at least: 65,536 roundings are 1/256. */
    x[noise->state[1] % (uint32_t)features] += 2 + sqrtf((float)features) / 4;
    if (dy) {
        fill_noise(dy, (size_t)features, noise);
        for (int j = 0; j < features; j++)
            dy[j] = (dy[j] + x[j] + 1) / 2;
    }
    for (int j = 0; j < features; j++)
        x[j] = shift + scale * x[j];
}

static void fill_statistics(float *mean, float *rstd, const float *x, int features)
{
    double sum = 0, squares = 0;
    for (int j = 0; j < features; j++)
        sum += (double)x[j];
    for (int j = 0; j < features; j++)
        squares += ((double)x[j] - sum / features) * ((double)x[j] - sum / features);
    *mean = (float)(sum / features);
    *rstd = (float)(1 / sqrt(squares / features + (double)RACE_EPS));
}

static float *input(char *in, const Layout *layout, Input which, int call)
{
    const Placed *placed = &layout->in[which];
    return placed->length ? (float *)(void *)(in + placed->offset + (size_t)call * placed->step)
                          : NULL;
}

void inputs_fill(char *in, const Layout *layout, Noise *noise)
{
    const int rows = layout->shape.rows, features = layout->shape.features;
    for (int call = 0; call < layout->shape.calls; call++) {
        float *x = input(in, layout, X, call), *dy = input(in, layout, DY, call);
        float *mean = input(in, layout, GIVEN_MEAN, call);
        float *rstd = input(in, layout, GIVEN_RSTD, call);
        for (size_t r = 0; r < (size_t)rows; r++) {
            size_t at = r * (size_t)features;
            fill_row(x + at, dy ? dy + at : NULL, features, noise);
            if (mean)
                fill_statistics(mean + r, rstd + r, x + at, features);
        }
        for (int i = GAMMA; i <= BETA; i++) {
            float *values = input(in, layout, (Input)i, call);
            if (!values)
                continue;
            fill_noise(values, (size_t)features, noise);
            for (int j = 0; j < features; j++)
                values[j] = 1.25f + values[j] / 2;
        }
    }
}
