/* The numeric gradient, which needs no derivation: nudge an input, and see what the loss does. */
#include "try.h"

#include <stdlib.h>
#include <string.h>

/* The loss whose gradients `c` is given: the sum of dOUT * OUT over the outputs of `forward`. */
static double loss(const Step *step, Case *forward, const Case *c)
{
    double sum = 0;
    step->oracle(forward, 0);
    for (int p = 0; p < forward->function->count; p++) {
        char upstream[NAME_SIZE + 1];
        snprintf(upstream, sizeof upstream, "d%s", forward->function->params[p].name);
        int d = param_index(c->function, upstream);
        if (d < 0 || c->function->params[d].role != INPUT ||
            !is_answer(forward->function->params[p].role))
            continue;
        for (size_t i = 0; i < case_length(forward, p); i++)
            sum += (double)c->given[d][i] * forward->wanted[p][i].v;
    }
    return sum;
}

/* The earlier step that has `input` as an input and one of c's "dOUT" inputs' OUT as an output. */
static const Step *forward_of(const Trial *t, const Case *c, const char *input)
{
    for (const Step *step = lesson.steps; strcmp(step->function, c->function->name) != 0; step++) {
        const Function *function = contract_find(&t->contract, step->function);
        int p = param_index(function, input);
        bool feeds = false;
        for (int o = 0; o < function->count; o++) {
            char upstream[NAME_SIZE + 1];
            snprintf(upstream, sizeof upstream, "d%s", function->params[o].name);
            int d = param_index(c->function, upstream);
            feeds = feeds || (is_answer(function->params[o].role) && d >= 0 &&
                              c->function->params[d].role == INPUT);
        }
        if (p >= 0 && function->params[p].role == INPUT && feeds)
            return step;
    }
    return NULL;
}

/* A step that is small against the row that the element stands in. */
static double step_size(const float *values, size_t i, size_t width)
{
    double low = values[i], high = values[i];
    for (size_t k = i - i % width; k < i - i % width + width; k++) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return (high > low ? high - low : 1) / 256;
}

/* Central differences through the forward oracle, in double precision, at two step sizes, and from
 * these the limit of smaller ones (Richardson). NULL: there is no forward. */
double *numeric_gradient(Trial *t, const Case *c, int output)
{
    const char *name = c->function->params[output].name + 1;
    const Step *step = *c->function->params[output].name == 'd' ? forward_of(t, c, name) : NULL;
    Case *forward = step ? case_new(&t->cases, step->function) : NULL;
    if (!forward || !prepare_call(t, forward, 0, 1))
        return NULL;
    float *values = fill(forward, name);
    int p = param_index(forward->function, name);
    size_t length = case_length(forward, p), width = (size_t)last_dimension(forward, p);
    double *gradient = calloc(length + 1, sizeof *gradient);
    for (size_t i = 0; gradient && i < length; i++) {
        float at = values[i];
        double h = step_size(values, i, width), slope[2];
        for (int half = 0; half < 2; half++, h /= 2) {
            float above = (float)(at + h), below = (float)(at - h);
            values[i] = above;
            double up = loss(step, forward, c);
            values[i] = below;
            slope[half] = (up - loss(step, forward, c)) / ((double)above - below);
        }
        gradient[i] = (4 * slope[1] - slope[0]) / 3;
        values[i] = at;
    }
    return gradient;
}
