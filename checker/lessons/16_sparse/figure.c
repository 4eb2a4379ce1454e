/* Lesson 16's figure: a row of eight, given by what is not 0, normalized without a visit to the
 * zeros. */
#include "16_sparse.h"
#include "figure.h"

enum { N = 8 };
static float x[N] = {0, 0, 6, 0, 0, 2, 0, 0}, nonzeros[1], mean[1], rstd[1], base[1], delta[N],
             y[N];

static void compute(void)
{
    float value[N], of_value[N] = {0};
    int start[2] = {0, 0}, column[N] = {0};
    for (int j = 0; j < N; j++) {
        delta[j] = 0;
        if (x[j] < -0.01f || x[j] > 0.01f) {
            value[start[1]] = x[j];
            column[start[1]++] = j;
        }
    }
    *nonzeros = (float)start[1];
    sparse_statistics(mean, rstd, start, value, 1, N, start[1], 1e-5f);
    sparse_layer_norm(base, of_value, start, value, 1, N, start[1], 1e-5f);
    for (int i = 0; i < start[1]; i++)
        delta[column[i]] = of_value[i];
    for (int j = 0; j < N; j++)
        y[j] = *base + delta[j];
}

static const FigureRow rows[] = {
    {SHOWN, "non-zeros", "looked at", NUMBERS(nonzeros), 0, N, EVEN},
    {SHOWN, "rstd", NULL, NUMBERS(rstd), 0.01f, 1000, POWERS},
    {SHOWN, "base", "of a 0", NUMBERS(base), -4, 4, EVEN},
    {DRAGGED, "x", "the row; most of it is 0;", NUMBERS(x), -10, 10, EVEN},
    {ACROSS, "mean of all eight", NULL, NUMBERS(mean), -10, 10, EVEN},
    {SHOWN, "delta", "what a non-zero adds to base", NUMBERS(delta), -4, 4, EVEN},
    {SHOWN, "y", "base + delta", NUMBERS(y), -4, 4, EVEN},
};
const Figure figure = {
    "Drag a 0 away from 0: base moves, and with it all the other zeros, but only the "
    "non-zeros were looked at.",
    ROWS(rows), compute};
