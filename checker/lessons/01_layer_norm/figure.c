/* Lesson 01's figure: a row of three, moved and made larger, its mean and its spread, and y. */
#include <math.h>

#include "01_layer_norm.h"
#include "figure.h"

enum { N = 3 };
static float x[N] = {10, 50, 20}, times[1] = {1}, up[1] = {0}, eps[1] = {1e-5f};
static float row[N], mean[1], spread[1], y[N];

static void compute(void)
{
    static const float gamma[N] = {1, 1, 1}, beta[N] = {0};
    for (int j = 0; j < N; j++)
        row[j] = x[j] * *times + *up;
    *mean = row_mean(row, N);
    *spread = sqrtf(row_variance(row, N, *mean));
    layer_norm(y, row, gamma, beta, 1, N, *eps);
}

static const FigureRow rows[] = {
    {DRAGGED, "x", NULL, NUMBERS(x), -60, 60, EVEN},
    {SHOWN, "row", "x * times + up;", NUMBERS(row), -60, 120, EVEN},
    {ACROSS, "its mean", NULL, NUMBERS(mean), -60, 120, EVEN},
    {DRAGGED, "times", "all of x", NUMBERS(times), 0.5f, 2, EVEN},
    {DRAGGED, "up", "added to all", NUMBERS(up), -60, 60, EVEN},
    {SHOWN, "spread", "of the row", NUMBERS(spread), 0, 60, EVEN},
    {DRAGGED, "eps", "under the root", NUMBERS(eps), 1e-8f, 1e4f, POWERS},
    {SHOWN, "y", "the row, normalized", NUMBERS(y), -2, 2, EVEN},
};
const Figure figure = {"Drag a blue bar. Move the whole row up, or make it twice as large: y stays "
                       "where it is. Then raise eps to the size of the variance.",
                       ROWS(rows), compute};
