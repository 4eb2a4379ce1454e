/* Lesson 02's figure: dy comes in, dx goes out, and beside it what a small change of x does. */
#include "02_backward.h"
#include "figure.h"

enum { N = 3 };
static float x[N] = {1, 2, 6}, gamma[N] = {3, 2, 0.5f}, dy[N] = {1, 2, -2};
static float xhat[N], dx[N], numeric[N], dgamma[N];

/* The loss whose gradients with respect to y are dy. */
static double loss(const float *row)
{
    static const float beta[N] = {0};
    float y[N], mean, rstd;
    double sum = 0;
    layer_norm_forward(y, &mean, &rstd, row, gamma, beta, 1, N, 1e-5f);
    for (int j = 0; j < N; j++)
        sum += (double)dy[j] * (double)y[j];
    return sum;
}

static void compute(void)
{
    static const float one[N] = {1, 1, 1}, zero[N] = {0};
    float mean, rstd, dbeta[N];
    layer_norm_forward(xhat, &mean, &rstd, x, one, zero, 1, N, 1e-5f);
    layer_norm_backward(dx, dgamma, dbeta, dy, x, gamma, &mean, &rstd, 1, N);
    for (int j = 0; j < N; j++) {
        float up[N] = {x[0], x[1], x[2]}, down[N] = {x[0], x[1], x[2]};
        up[j] += 0.01f;
        down[j] -= 0.01f;
        numeric[j] = (float)((loss(up) - loss(down)) / ((double)up[j] - (double)down[j]));
    }
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row", NUMBERS(x), -10, 10, EVEN},
    {DRAGGED, "gamma", NULL, NUMBERS(gamma), -4, 4, EVEN},
    {DRAGGED, "dy", "comes in", NUMBERS(dy), -4, 4, EVEN},
    {SHOWN, "xhat", NULL, NUMBERS(xhat), -2, 2, EVEN},
    {SHOWN, "dx", "and", NUMBERS(dx), -2, 2, EVEN},
    {BESIDE, "numeric", NULL, NUMBERS(numeric), -2, 2, EVEN},
    {SHOWN, "dgamma", NULL, NUMBERS(dgamma), -6, 6, EVEN},
};
const Figure figure = {
    "Drag dy, and dx follows; beside it what the loss really does when x[j] moves "
    "by 0.01. Make all dy and all gamma equal: dx is 0. No change of x can move the "
    "mean of xhat.",
    ROWS(rows), compute};
