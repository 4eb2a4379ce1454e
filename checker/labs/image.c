/* Convolution and pooling: see image.h.
 *
 * A channel in a frame of zeros, one pixel wide, needs no question where the image ends. The
 * gradient of x is a convolution, too, of dy with the weights turned round. */
#include "image.h"
#include "products.h"

#include <stdlib.h>
#include <string.h>

enum { TAPS = 9 };

void conv_start(Conv *c, int inputs, int outputs, int side, Rng *rng)
{
    int most = inputs > outputs ? inputs : outputs, count = outputs * inputs * TAPS;
    *c = (Conv){inputs,
                outputs,
                side,
                zeros(count),
                zeros(count),
                zeros(most * (side + 2) * (side + 2)),
                zeros(EIGHT * side * side)};
    for (int i = 0; i < count; i++)
        c->w[i] = (float)(sqrt(2.0 / (TAPS * inputs)) * normal(rng));
}

void conv_free(Conv *c)
{
    free(c->w);
    free(c->dw);
    free(c->framed);
    free(c->eights);
}

/* The frames stay zero. */
static void frame_channels(const Conv *c, const float *image, int channels)
{
    int side = c->side, pitch = side + 2;
    for (int k = 0; k < channels; k++)
        for (int row = 0; row < side; row++)
            memcpy(c->framed + (k * pitch + row + 1) * pitch + 1, image + (k * side + row) * side,
                   (size_t)side * sizeof *image);
}

/* y += the framed channel `k` seen through nine weights */
WIDEST static void add_channel(const Conv *c, float *y, int k, const float w[TAPS])
{
    int side = c->side, pitch = side + 2;
    for (int row = 0; row < side; row++, y += side) {
        const float *a = c->framed + (k * pitch + row) * pitch, *b = a + pitch, *d = b + pitch;
        for (int j = 0; j < side; j++)
            y[j] += (w[0] * a[j] + w[1] * a[j + 1] + w[2] * a[j + 2]) +
                    (w[3] * b[j] + w[4] * b[j + 1] + w[5] * b[j + 2]) +
                    (w[6] * d[j] + w[7] * d[j + 1] + w[8] * d[j + 2]);
    }
}

void conv_forward(const Conv *c, float *y, const float *x, int batch)
{
    int pixels = c->side * c->side;
    memset(y, 0, (size_t)(batch * c->outputs * pixels) * sizeof *y);
    for (int r = 0; r < batch; r++) {
        frame_channels(c, x + r * c->inputs * pixels, c->inputs);
        for (int o = 0; o < c->outputs; o++)
            for (int i = 0; i < c->inputs; i++)
                add_channel(c, y + (r * c->outputs + o) * pixels, i,
                            c->w + (o * c->inputs + i) * TAPS);
    }
}

/* sums = what the framed channel `k` has to do with eight channels' dy, tap by tap. `dy` holds
 * their pixels eight by eight. */
WIDEST static void add_slopes(const Conv *c, Eight sums[TAPS], const float *dy, int k)
{
    int side = c->side, pitch = side + 2;
    Eight sum[TAPS] = {0};
    for (int row = 0; row < side; row++) {
        const float *a = c->framed + (k * pitch + row) * pitch, *b = a + pitch, *d = b + pitch;
        for (int j = 0; j < side; j++, dy += EIGHT) {
            Eight of_eight;
            memcpy(&of_eight, dy, sizeof of_eight);
            for (int tap = 0; tap < 3; tap++) {
                sum[tap] += of_eight * a[j + tap];
                sum[3 + tap] += of_eight * b[j + tap];
                sum[6 + tap] += of_eight * d[j + tap];
            }
        }
    }
    memcpy(sums, sum, sizeof sum);
}

/* dw += one image's part, eight channels of dy side by side; there may be fewer. */
static void conv_slopes(Conv *c, const float *dy)
{
    int pixels = c->side * c->side;
    Eight sums[TAPS];
    for (int first = 0; first < c->outputs; first += EIGHT) {
        int count = c->outputs - first < EIGHT ? c->outputs - first : EIGHT;
        memset(c->eights, 0, (size_t)(EIGHT * pixels) * sizeof *c->eights);
        for (int o = 0; o < count; o++)
            for (int p = 0; p < pixels; p++)
                c->eights[p * EIGHT + o] = dy[(first + o) * pixels + p];
        for (int i = 0; i < c->inputs; i++) {
            add_slopes(c, sums, c->eights, i);
            for (int o = 0; o < count; o++)
                for (int tap = 0; tap < TAPS; tap++)
                    c->dw[((first + o) * c->inputs + i) * TAPS + tap] += sums[tap][o];
        }
    }
}

void conv_backward(Conv *c, float *dx, const float *dy, const float *x, int batch)
{
    int pixels = c->side * c->side;
    memset(c->dw, 0, (size_t)(c->outputs * c->inputs * TAPS) * sizeof *c->dw);
    if (dx)
        memset(dx, 0, (size_t)(batch * c->inputs * pixels) * sizeof *dx);
    for (int r = 0; r < batch; r++, x += c->inputs * pixels, dy += c->outputs * pixels) {
        frame_channels(c, x, c->inputs);
        conv_slopes(c, dy);
        if (!dx)
            continue;
        frame_channels(c, dy, c->outputs);
        for (int o = 0; o < c->outputs; o++)
            for (int i = 0; i < c->inputs; i++) {
                float turned[TAPS];
                for (int tap = 0; tap < TAPS; tap++)
                    turned[tap] = c->w[(o * c->inputs + i + 1) * TAPS - 1 - tap];
                add_channel(c, dx + (r * c->inputs + i) * pixels, o, turned);
            }
    }
}

void conv_step(Conv *c, float rate)
{
    descend(c->w, c->dw, c->outputs * c->inputs * TAPS, rate);
}

/* ---- pooling ---- */
/* Where the largest of the 2 x 2 pixels is that begin at x. */
static int largest_of(const float *x, int side)
{
    int best = 0;
    const int places[] = {1, side, side + 1};
    for (int k = 0; k < 3; k++)
        best = x[places[k]] > x[best] ? places[k] : best;
    return best;
}

void pool_forward(float *y, const float *x, int planes, int side)
{
    for (int k = 0; k < planes; k++, x += side * side)
        for (int row = 0; row + 1 < side; row += 2)
            for (int column = 0; column + 1 < side; column += 2) {
                const float *corner = x + row * side + column;
                *y++ = corner[largest_of(corner, side)];
            }
}

void pool_backward(float *dx, const float *dy, const float *x, int planes, int side)
{
    memset(dx, 0, (size_t)(planes * side * side) * sizeof *dx);
    for (int k = 0; k < planes; k++, x += side * side, dx += side * side)
        for (int row = 0; row + 1 < side; row += 2)
            for (int column = 0; column + 1 < side; column += 2) {
                int corner = row * side + column;
                dx[corner + largest_of(x + corner, side)] = *dy++;
            }
}
