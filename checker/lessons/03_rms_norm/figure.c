/* Lesson 03's figure: the norm that takes away no mean, beside layer norm's own row. */
#include "03_rms_norm.h"
#include "figure.h"

enum { N = 4 };
static float x[N] = {1, 7, 5, 5}, times[1] = {1}, up[1] = {0};
static float row[N], mean[1], y[N], centred[N];

static void compute(void)
{
    static const float gamma[N] = {1, 1, 1, 1};
    float distance[N];
    *mean = 0;
    for (int j = 0; j < N; j++) {
        row[j] = x[j] * *times + *up;
        *mean += row[j] / N;
    }
    for (int j = 0; j < N; j++)
        distance[j] = row[j] - *mean;
    rms_norm(y, row, gamma, 1, N, 1e-5f);
    rms_norm(centred, distance, gamma, 1, N, 1e-5f);
}

static const FigureRow rows[] = {
    {SHOWN, "row", "x * times + up;", NUMBERS(row), -10, 20, EVEN},
    {ACROSS, "its mean", NULL, NUMBERS(mean), -10, 20, EVEN},
    {DRAGGED, "x", NULL, NUMBERS(x), -10, 10, EVEN},
    {DRAGGED, "up", "added to all", NUMBERS(up), -10, 10, EVEN},
    {DRAGGED, "times", "all of x", NUMBERS(times), 0.5f, 2, EVEN},
    {SHOWN, "RMS norm", "of the row", NUMBERS(y), -2, 2, EVEN},
    {SHOWN, "layer norm", "of the row", NUMBERS(centred), -2, 2, EVEN},
};
const Figure figure = {"Make all four numbers larger by the same amount, with up: layer norm "
                       "stays, RMS norm does not. "
                       "Make them twice as large, with times, and both stay.",
                       ROWS(rows), compute};
