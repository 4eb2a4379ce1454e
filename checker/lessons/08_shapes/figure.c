/* Lesson 08's figure: eight numbers in memory, and which of them are normalized together. */
#include "08_shapes.h"
#include "figure.h"

enum { N = 8 };
static float x[N] = {1, 3, 9, 3, 7, 11, 7, 11};
static float axis[N], text[N], image[N], series[N], steps[1] = {4};
static float of_axis[N] = {0, 1, 0, 1, 0, 1, 0, 1}, of_text[N] = {0, 0, 0, 0, 1, 1, 1, 1};
static float of_image[N], of_series[N];

static void compute(void)
{
    static const float gamma[N] = {1, 1, 1, 1, 1, 1, 1, 1}, beta[N] = {0};
    int length = (int)*steps;
    for (int i = 0; i < N; i++)
        of_series[i] = i / 2 < length ? (float)(i % 2) : -1;
    layer_norm_axis(axis, x, 1, 4, 2, 1e-5f);
    layer_norm_text(text, x, gamma, beta, 1, 2, 4, 1e-5f);
    layer_norm_image(image, x, gamma, beta, 1, 2, 2, 2, 1e-5f);
    layer_norm_series(series, x, &length, gamma, beta, 1, 4, 2, 1e-5f);
}

static const FigureRow rows[] = {
    {SHOWN, "axis", "1 x 4 x 2: every second one together", NUMBERS(axis), -3, 3, EVEN},
    {TOGETHER, "of axis", NULL, NUMBERS(of_axis), -1, 1, EVEN},
    {SHOWN, "text", "2 tokens of 4: neighbours together", NUMBERS(text), -3, 3, EVEN},
    {TOGETHER, "of text", NULL, NUMBERS(of_text), -1, 1, EVEN},
    {DRAGGED, "x", "eight numbers, as they lie in memory", NUMBERS(x), -15, 15, EVEN},
    {SHOWN, "image", "2 x 2 x 2: all together", NUMBERS(image), -3, 3, EVEN},
    {TOGETHER, "of image", NULL, NUMBERS(of_image), -1, 1, EVEN},
    {SHOWN, "series", "4 steps of 2 channels", NUMBERS(series), -3, 3, EVEN},
    {TOGETHER, "of series", NULL, NUMBERS(of_series), -1, 1, EVEN},
    {DRAGGED, "length", "of the series", NUMBERS(steps), 1, 4, WHOLE},
};
const Figure figure = {
    "Drag one number, and see in which shapes it moves which others: those of its frame or "
    "line. A step of the series that is behind its length is 0 and moves none.",
    ROWS(rows), compute};
