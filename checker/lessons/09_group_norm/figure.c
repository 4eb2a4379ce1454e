/* Lesson 09's figure: four channels of two pixels, in one group, two or four. */
#include "09_group_norm.h"
#include "figure.h"

enum { CHANNELS = 4, PIXELS = 2, N = CHANNELS * PIXELS };
static float x[N] = {1, 7, 9, 7, 10, 16, 18, 24}, y[N];
static float gamma[CHANNELS] = {3, 6, 5, 10}, beta[CHANNELS] = {0, 1, 0, 2};
static float groups[1] = {2}, mean[CHANNELS], rstd[CHANNELS];
static float of_pixel[N], of_channel[CHANNELS];

static void compute(void)
{
    int count = *groups < 1.5f ? 1 : *groups < 3 ? 2 : 4;
    float of_group[2][CHANNELS];
    group_norm(y, of_group[0], of_group[1], x, gamma, beta, 1, CHANNELS, PIXELS, count, 1e-5f);
    for (int c = 0; c < CHANNELS; c++) {
        mean[c] = of_group[0][c * count / CHANNELS];
        rstd[c] = of_group[1][c * count / CHANNELS];
        of_channel[c] = (float)(c * count / CHANNELS);
    }
    for (int i = 0; i < N; i++)
        of_pixel[i] = of_channel[i / PIXELS];
}

static const FigureRow rows[] = {
    {SHOWN, "mean", "of its group", NUMBERS(mean), -30, 30, EVEN},
    {TOGETHER, "of mean", NULL, NUMBERS(of_channel), -1, 3, EVEN},
    {SHOWN, "rstd", "of its group", NUMBERS(rstd), 0.01f, 100, POWERS},
    {TOGETHER, "of rstd", NULL, NUMBERS(of_channel), -1, 3, EVEN},
    {DRAGGED, "x", "two pixels of each channel", NUMBERS(x), -30, 30, EVEN},
    {TOGETHER, "of x", NULL, NUMBERS(of_pixel), -1, 3, EVEN},
    {DRAGGED, "groups", "1, 2 or 4", NUMBERS(groups), 0, 4, WHOLE},
    {SHOWN, "y", NULL, NUMBERS(y), -20, 20, EVEN},
    {TOGETHER, "of y", NULL, NUMBERS(of_pixel), -1, 3, EVEN},
    {DRAGGED, "gamma", "one a channel", NUMBERS(gamma), -10, 10, EVEN},
    {DRAGGED, "beta", "one a channel", NUMBERS(beta), -10, 10, EVEN},
};
const Figure figure = {
    "With one group it is layer norm over the image, with four it is instance norm. Drag "
    "a pixel: only the channels of its group follow, those in its frame.",
    ROWS(rows), compute};
