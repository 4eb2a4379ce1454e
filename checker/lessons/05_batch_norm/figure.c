/* Lesson 05's figure: your example stays what it is, and the others of its batch move its y. */
#include "05_batch_norm.h"
#include "figure.h"

enum { N = 4 };
static float yours[1] = {2}, others[N - 1] = {1, 6, 3}, y[N], mean[1], running_mean[1];
static float running_var[1], evaluated[1], steps[1] = {10};

static void compute(void)
{
    static const float gamma[1] = {1}, beta[1] = {0};
    float x[N] = {yours[0], others[0], others[1], others[2]};
    *mean = (x[0] + x[1] + x[2] + x[3]) / N;
    *running_mean = 0;
    *running_var = 1;
    for (int step = 0; step < (int)*steps; step++)
        batch_norm_train(y, running_mean, running_var, x, gamma, beta, N, 1, 0.1f, 1e-5f);
    batch_norm_eval(evaluated, running_mean, running_var, yours, gamma, beta, 1, 1, 1e-5f);
}

static const FigureRow rows[] = {
    {DRAGGED, "your x", "one feature of your example", NUMBERS(yours), -10, 10, EVEN},
    {DRAGGED, "the others", "of the batch, the same feature", NUMBERS(others), -10, 10, EVEN},
    {SHOWN, "mean", "of the batch", NUMBERS(mean), -10, 10, EVEN},
    {SHOWN, "y", "in training: yours first", NUMBERS(y), -2, 2, EVEN},
    {DRAGGED, "steps", "of training, each with this batch", NUMBERS(steps), 1, 60, WHOLE},
    {SHOWN, "running mean", NULL, NUMBERS(running_mean), -10, 10, EVEN},
    {SHOWN, "running var", NULL, NUMBERS(running_var), 0, 60, EVEN},
    {SHOWN, "y afterwards", "yours, in use", NUMBERS(evaluated), -2, 2, EVEN},
};
const Figure figure = {
    "Leave your x alone and drag the others: your y moves all the same. Afterwards, in use, it "
    "comes "
    "from the running mean and variance. Raise the steps, and the two come near each other; they "
    "never quite agree, for the running variance is divided by one less.",
    ROWS(rows), compute};
