/* Lesson 14's figure: gamma and beta that give a row back, and 24 steps with momentum. */
#include <math.h>

#include "14_initialization.h"
#include "figure.h"

enum { N = 4, MOST = 24 };
static float x[N] = {2, 4, 4, 10}, gammas[N], betas[N], start[1] = {4}, rate[1] = {0.1f};
static float momentum[1] = {0.8f}, decay[1] = {0}, way[MOST], best[1] = {1}, mean[1], y[N];

static void compute(void)
{
    float parameter = *start, velocity = 0;
    float variance = 0;
    identity_init(gammas, betas, x, N, 1e-5f);
    *mean = 0;
    for (int j = 0; j < N; j++)
        *mean += x[j] / N;
    for (int j = 0; j < N; j++)
        variance += (x[j] - *mean) * (x[j] - *mean) / N;
    for (int j = 0; j < N; j++)
        y[j] = gammas[j] * (x[j] - *mean) / sqrtf(variance + 1e-5f) + betas[j];
    for (int t = 0; t < MOST; t++) {
        float gradient = parameter - *best; /* of half the squared distance from it */
        way[t] = parameter;
        momentum_step(&parameter, &velocity, &gradient, 1, *rate, *momentum, *decay);
    }
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row that is to come back", NUMBERS(x), -20, 20, EVEN},
    {ACROSS, "its mean", NULL, NUMBERS(mean), -20, 20, EVEN},
    {SHOWN, "gamma", "identity_init", NUMBERS(gammas), 0, 20, EVEN},
    {SHOWN, "beta", NULL, NUMBERS(betas), -20, 20, EVEN},
    {SHOWN, "y", "the row, normalized, with them", NUMBERS(y), -20, 20, EVEN},
    {PART, "a parameter",
     "A parameter goes to 1, the line. With momentum 0 it creeps to 1; with 0.8 it runs past and "
     "comes back. With decay it settles below 1.",
     NULL, 0, 0, 1, EVEN},
    {SHOWN, "parameter", "over 24 steps;", NUMBERS(way), -5, 5, EVEN},
    {ACROSS, "best", NULL, NUMBERS(best), -5, 5, EVEN},
    {DRAGGED, "start", "the parameter's", NUMBERS(start), -5, 5, EVEN},
    {DRAGGED, "rate", NULL, NUMBERS(rate), 0, 1, EVEN},
    {DRAGGED, "momentum", NULL, NUMBERS(momentum), 0, 1, EVEN},
    {DRAGGED, "decay", NULL, NUMBERS(decay), 0, 1, EVEN},
};
const Figure figure = {
    "gamma becomes the spread of x and beta its mean, and the norm gives back the row that it was "
    "given: drag x, and y is x.",
    ROWS(rows), compute};
