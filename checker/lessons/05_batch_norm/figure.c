/* Lesson 05's figure: your example stays what it is, and the others of its batch move its y. The
 * batch is column 0 of the text's. */
#include "05_batch_norm.h"
#include "figure.h"

enum { N = 3 };
static float x[N] = {1, 2, 6}, y[N], mean[1], running_mean[1];
static float running_var[1], evaluated[N], steps[1] = {10};

static void compute(void)
{
    static const float gamma[1] = {1}, beta[1] = {0};
    *mean = (x[0] + x[1] + x[2]) / N;
    *running_mean = 0;
    *running_var = 1;
    for (int step = 0; step < (int)*steps; step++)
        batch_norm_train(y, running_mean, running_var, x, gamma, beta, N, 1, 0.1f, 1e-5f);
    batch_norm_eval(evaluated, running_mean, running_var, x, gamma, beta, N, 1, 1e-5f);
}

static const FigureRow rows[] = {
    {DRAGGED, "x", "one feature of three examples;", NUMBERS(x), -10, 10, EVEN},
    {ACROSS, "the batch's mean", NULL, NUMBERS(mean), -10, 10, EVEN},
    {SHOWN, "y", "in training", NUMBERS(y), -2, 2, EVEN},
    {PART, "in use",
     "Afterwards, in use, y comes from the running mean and variance. Raise the steps, and the two "
     "come near each other; they never quite agree, for the running variance is divided by one "
     "less.",
     NULL, 0, 0, 1, EVEN},
    {DRAGGED, "steps", "of training, each with this batch", NUMBERS(steps), 1, 60, WHOLE},
    {SHOWN, "running mean", NULL, NUMBERS(running_mean), -10, 10, EVEN},
    {SHOWN, "running var", NULL, NUMBERS(running_var), 0, 60, EVEN},
    {SHOWN, "y afterwards", "in use, beside", NUMBERS(evaluated), -2, 2, EVEN},
    {BESIDE, "y in training", NULL, NUMBERS(y), -2, 2, EVEN},
};
const Figure figure = {
    "Say that the example in the middle is yours. Leave its x alone and drag the others: your y "
    "moves all the same.",
    ROWS(rows), compute};
