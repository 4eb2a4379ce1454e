/* Lesson 01's figure: a row of three, its mean and its spread, and y. (The gamma of math.h is
 * another.) */
#include <math.h>

#include "01_layer_norm.h"
#include "figure.h"

enum { N = 3 };
static float x[N] = {10, 50, 20}, scale[N] = {1, 1, 1}, shift[N] = {0, 0, 0}, eps[1] = {1e-5f};
static float mean[1], spread[1], y[N];

static void compute(void)
{
    *mean = row_mean(x, N);
    *spread = sqrtf(row_variance(x, N, *mean));
    layer_norm(y, x, scale, shift, 1, N, *eps);
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row", NUMBERS(x), -60, 60, EVEN},
    {SHOWN, "mean", NULL, NUMBERS(mean), -60, 60, EVEN},
    {SHOWN, "spread", "the variance's root", NUMBERS(spread), 0, 60, EVEN},
    {DRAGGED, "gamma", NULL, NUMBERS(scale), -3, 3, EVEN},
    {DRAGGED, "beta", NULL, NUMBERS(shift), -3, 3, EVEN},
    {DRAGGED, "eps", "added under the root", NUMBERS(eps), 1e-8f, 1e4f, POWERS},
    {SHOWN, "y", "the row, normalized", NUMBERS(y), -5, 5, EVEN},
};
const Figure figure = {"Drag a blue bar. Move the whole row up, or make it twice as large: y stays "
                       "where it is. Then raise eps to the size of the variance.",
                       ROWS(rows), compute};
