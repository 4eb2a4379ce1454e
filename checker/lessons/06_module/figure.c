/* Lesson 06's figure: a layer that is trained, step by step, to give the row that is wanted. */
#include "06_module.h"
#include "figure.h"

enum { N = 4 };
static float x[N] = {3, 9, 11, 17}, wanted[N] = {1, 2, 0, -1}, steps[1] = {5}, rate[1] = {0.2f};
static float gamma[N], beta[N], y[N], loss[1];

static void compute(void)
{
    static const int shape[] = {N};
    struct layer_norm layer;
    float dy[N], dx[N];
    if (layer_norm_init(&layer, shape, 1, 1e-5f, 1))
        return;
    for (int step = 0; step <= (int)*steps; step++) {
        if (step)
            layer_norm_step(&layer, *rate);
        *loss = 0;
        if (layer_norm_forward(&layer, y, x, 1))
            break;
        for (int j = 0; j < N; j++) {
            dy[j] = y[j] - wanted[j];
            *loss += dy[j] * dy[j] / 2;
        }
        layer_norm_zero_grad(&layer);
        layer_norm_backward(&layer, dx, dy);
    }
    for (int j = 0; j < N; j++) {
        gamma[j] = layer.gamma[j];
        beta[j] = layer.beta[j];
    }
    layer_norm_free(&layer);
}

static const FigureRow rows[] = {
    {SHOWN, "y", NULL, NUMBERS(y), -4, 4, EVEN},
    {SHOWN, "loss", "squared distance / 2", NUMBERS(loss), 1e-6f, 1e6f, POWERS},
    {DRAGGED, "wanted", "what y should become", NUMBERS(wanted), -4, 4, EVEN},
    {DRAGGED, "steps", "of training", NUMBERS(steps), 0, 60, WHOLE},
    {DRAGGED, "rate", NULL, NUMBERS(rate), 0, 1.5f, EVEN},
    {SHOWN, "gamma", "learned", NUMBERS(gamma), -4, 4, EVEN},
    {SHOWN, "beta", "learned", NUMBERS(beta), -4, 4, EVEN},
};
const Figure figure = {
    "Raise the steps one by one, and y comes to what is wanted. Then raise the rate: up "
    "to a point it goes faster, and beyond it the loss grows.",
    ROWS(rows), compute};
