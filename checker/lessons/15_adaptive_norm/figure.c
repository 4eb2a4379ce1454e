/* Lesson 15's figure: a factor that depends on the number itself, and the gradient that takes it
 * for a constant. */
#include "15_adaptive_norm.h"
#include "figure.h"

enum { N = 4 };
static float x[N] = {-3, 3, 5, 11}, scale[1] = {2}, k[1] = {0.5f}, dy[N] = {2, 1, -1, -2};
static float xhat[N], y[N], dx[N];

static void compute(void)
{
    ada_norm(xhat, x, 1, N, 1, 0, 1e-5f);
    ada_norm(y, x, 1, N, *scale, *k, 1e-5f);
    ada_norm_backward(dx, dy, x, 1, N, *scale, *k, 1e-5f);
}

static const FigureRow rows[] = {
    {SHOWN, "xhat", "with k 0, scale 1", NUMBERS(xhat), -2, 2, EVEN},
    {SHOWN, "y", "ada_norm", NUMBERS(y), -8, 8, EVEN},
    {DRAGGED, "x", "the row", NUMBERS(x), -15, 15, EVEN},
    {DRAGGED, "scale", NULL, NUMBERS(scale), -4, 4, EVEN},
    {DRAGGED, "k", NULL, NUMBERS(k), -1, 1, EVEN},
    {SHOWN, "dx", "the gradient that goes on", NUMBERS(dx), -2, 2, EVEN},
    {DRAGGED, "dy", "the gradient that comes in", NUMBERS(dy), -4, 4, EVEN},
};
const Figure figure = {
    "With k 0 it is a layer norm. Raise k: what is above the mean is held back, what is "
    "below is pushed away.",
    ROWS(rows), compute};
