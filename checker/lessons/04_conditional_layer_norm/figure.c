/* Lesson 04's figure: one row, and a condition that makes gamma and beta. */
#include "04_conditional_layer_norm.h"
#include "figure.h"

enum { N = 2, SIZE = 2 };
static float x[N] = {1, 3}, condition[SIZE] = {1, 0}, gamma[N], beta[N], y[N];
static float w_gamma[N * SIZE] = {1, -0.5f, 0.5f, 2}, w_beta[N * SIZE] = {0, 3, 10, -1};

static void compute(void)
{
    static const float b_gamma[N] = {1, 1}, b_beta[N] = {0};
    conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, 1, N, SIZE);
    conditional_layer_norm(y, x, condition, w_gamma, b_gamma, w_beta, b_beta, 1, N, SIZE, 1e-5f);
}

static const FigureRow rows[] = {
    {DRAGGED, "w_gamma", "the weights, row by row", NUMBERS(w_gamma), -4, 4, EVEN},
    {DRAGGED, "condition", NULL, NUMBERS(condition), -1, 2, EVEN},
    {SHOWN, "gamma", NULL, NUMBERS(gamma), -4, 6, EVEN},
    {SHOWN, "beta", NULL, NUMBERS(beta), -12, 20, EVEN},
    {DRAGGED, "x", "the row", NUMBERS(x), -5, 5, EVEN},
    {SHOWN, "y", NULL, NUMBERS(y), -20, 30, EVEN},
    {DRAGGED, "w_beta", NULL, NUMBERS(w_beta), -10, 10, EVEN},
};
const Figure figure = {
    "Go from style A (1, 0) to style B (0, 1): the same row comes out as another one. "
    "At half of each y is in the middle.",
    ROWS(rows), compute};
