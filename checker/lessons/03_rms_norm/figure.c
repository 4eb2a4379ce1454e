/* Lesson 03's figure: the norm that takes away no mean, beside layer norm's own row. */
#include "03_rms_norm.h"
#include "figure.h"

enum { N = 4 };
static float x[N] = {1, 7, 5, 5}, gamma[N] = {1, 0.5f, 2, 1}, dy[N] = {10, 0, 3, -1};
static float y[N], dx[N], centred[N];

static void compute(void)
{
    static const float one[N] = {1, 1, 1, 1};
    float dgamma[N], row[N], mean = (x[0] + x[1] + x[2] + x[3]) / N;
    rms_norm(y, x, gamma, 1, N, 1e-5f);
    rms_norm_backward(dx, dgamma, dy, x, gamma, 1, N, 1e-5f);
    for (int j = 0; j < N; j++)
        row[j] = x[j] - mean;
    rms_norm(centred, row, one, 1, N, 1e-5f);
    rms_norm(y, x, gamma, 1, N, 1e-5f);
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row", NUMBERS(x), -10, 10, EVEN},
    {DRAGGED, "gamma", NULL, NUMBERS(gamma), -3, 3, EVEN},
    {SHOWN, "y", "RMS norm, with gamma", NUMBERS(y), -4, 4, EVEN},
    {SHOWN, "layer norm", "the same row, its mean taken away first", NUMBERS(centred), -4, 4, EVEN},
    {DRAGGED, "dy", "the gradient that comes in", NUMBERS(dy), -10, 10, EVEN},
    {SHOWN, "dx", "the gradient that goes on", NUMBERS(dx), -4, 4, EVEN},
};
const Figure figure = {
    "Make all four x larger by the same amount: layer norm stays, RMS norm does not. "
    "Make them twice as large, and both stay.",
    ROWS(rows), compute};
