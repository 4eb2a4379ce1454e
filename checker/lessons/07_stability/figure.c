/* Lesson 07's figure: a row far from zero, and what three ways to its variance make of it. */
#include <math.h>

#include "07_stability.h"
#include "figure.h"

enum { N = 4 };
static float x[N] = {1, 7, 7, 9}, far[1] = {1}, size[1] = {1};
static float welford[1], squares[1], y[N];

static void compute(void)
{
    static const float gamma[N] = {1, 1, 1, 1}, beta[N] = {0};
    float row[N], mean, sum = 0, sum_of_squares = 0;
    for (int j = 0; j < N; j++) {
        row[j] = x[j] + *far;
        sum += row[j];
        sum_of_squares += row[j] * row[j];
    }
    welford_statistics(&mean, welford, row, 1, N);
    *squares = sum_of_squares / N - sum / N * (sum / N);
    for (int j = 0; j < N; j++)
        row[j] = x[j] * *size;
    layer_norm_wide(y, row, gamma, beta, 1, N, 0);
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row", NUMBERS(x), -10, 10, EVEN},
    {DRAGGED, "far", "added to the row", NUMBERS(far), 1, 1e8f, POWERS},
    {SHOWN, "variance", "in one pass (Welford),", NUMBERS(welford), -1e10f, 1e10f, SIGNED},
    {BESIDE, "E[x\u00B2] - mean\u00B2", NULL, NUMBERS(squares), -1e10f, 1e10f, SIGNED},
    {PART, "and size", "The size of a row does nothing to y.", NULL, 0, 0, 1, EVEN},
    {DRAGGED, "size", "times the row", NUMBERS(size), 1e-30f, 1e37f, POWERS},
    {SHOWN, "y", "layer_norm_wide of it", NUMBERS(y), -2, 2, EVEN},
};
const Figure figure = {
    "Move the row away from zero with far: the shortcut's variance goes wrong, and even "
    "negative, long before Welford's does.",
    ROWS(rows), compute};
