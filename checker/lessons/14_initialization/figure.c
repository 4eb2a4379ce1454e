/* Lesson 14's figure: gamma and beta that give a row back, and 24 steps with momentum. */
#include "14_initialization.h"
#include "figure.h"

enum { N = 4, MOST = 24 };
static float x[N] = {2, 4, 4, 10}, gamma[N], beta[N], start[1] = {4}, rate[1] = {0.1f};
static float momentum[1] = {0.8f}, decay[1] = {0}, way[MOST];

static void compute(void)
{
    float parameter = *start, velocity = 0;
    identity_init(gamma, beta, x, N, 1e-5f);
    for (int t = 0; t < MOST; t++) {
        float gradient = parameter - 1; /* of half the squared distance from 1 */
        way[t] = parameter;
        momentum_step(&parameter, &velocity, &gradient, 1, *rate, *momentum, *decay);
    }
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "the row that is to come back", NUMBERS(x), -20, 20, EVEN},
    {SHOWN, "gamma", "identity_init", NUMBERS(gamma), 0, 20, EVEN},
    {SHOWN, "beta", NULL, NUMBERS(beta), -20, 20, EVEN},
    {DRAGGED, "start", "a parameter; best is 1", NUMBERS(start), -5, 5, EVEN},
    {DRAGGED, "rate", NULL, NUMBERS(rate), 0, 1, EVEN},
    {DRAGGED, "momentum", NULL, NUMBERS(momentum), 0, 1, EVEN},
    {DRAGGED, "decay", NULL, NUMBERS(decay), 0, 1, EVEN},
    {SHOWN, "parameter", "over 24 steps", NUMBERS(way), -5, 5, EVEN},
};
const Figure figure = {
    "With momentum 0 the parameter creeps to 1; with 0.8 it runs past and comes back. "
    "With decay it settles below 1.",
    ROWS(rows), compute};
