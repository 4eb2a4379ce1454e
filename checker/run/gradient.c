/* The numeric gradient, which needs no derivation: nudge an input, and see what the loss does. */
#include <stdlib.h>
#include <string.h>

#include "try.h"

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
            sum += value_at(&c->function->params[d], c->given[d], i) * forward->wanted[p][i].v;
    }
    return sum;
}

/* Is it an input "dOUT"? Then it is the gradient of the output OUT of c's forward. */
static bool is_upstream(const Param *param)
{
    return param->role == INPUT && !param->is_int && *param->name == 'd';
}

/* Has `forward` an output for every gradient that c is given? One that comes from elsewhere, such
 * as from inside a block that only the lesson knows, is that of no function here. */
static bool gives_all(const Function *forward, const Function *c)
{
    int upstream = 0;
    for (int d = 0; d < c->count; d++) {
        if (!is_upstream(&c->params[d]))
            continue;
        int p = param_index(forward, c->params[d].name + 1);
        if (p < 0 || !is_answer(forward->params[p].role))
            return false;
        upstream++;
    }
    return upstream > 0;
}

/* The earlier step that has `input` as an input, and whose outputs' gradients c is given. */
static const Step *forward_of(const Try *t, const Case *c, const char *input)
{
    const char *named = lesson_step(c->function->name)->slopes_of;
    for (const Step *step = lesson.steps; strcmp(step->function, c->function->name) != 0; step++) {
        const Function *function = contract_find(&t->contract, step->function);
        int p = param_index(function, input);
        if (named && strcmp(step->function, named) != 0)
            continue;
        if (p >= 0 && function->params[p].role == INPUT && gives_all(function, c->function))
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
double *numeric_gradient(Try *t, const Case *c, int output)
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

/* ---- all of a lesson's gradients at once, for the self-test ---- */

/* The function whose parameter of that name has the most dimensions: one function may take a row of
 * another's x. */
static const Function *widest(const Contract *contract, const char *name)
{
    const Function *found = NULL;
    int most = -1;
    for (int f = 0; f < contract->count; f++) {
        int p = param_index(&contract->functions[f], name);
        if (p >= 0 && contract->functions[f].params[p].dim_count > most) {
            found = &contract->functions[f];
            most = found->params[p].dim_count;
        }
    }
    return found;
}

static bool is_in_a_shape(const Contract *contract, const char *size)
{
    for (int f = 0; f < contract->count; f++)
        for (int p = 0; p < contract->functions[f].count; p++)
            for (int d = 0; d < contract->functions[f].params[p].dim_count; d++)
                if (!strcmp(contract->functions[f].params[p].dims[d].text, size))
                    return true;
    return false;
}

/* Small sizes, and not all the same. An int that is no array's length (heads, groups) is 1. */
static void know_sizes(Try *t, const Contract *contract)
{
    for (int f = 0; f < contract->count; f++)
        for (int p = 0; p < contract->functions[f].count; p++) {
            const Param *param = &contract->functions[f].params[p];
            double size = is_in_a_shape(contract, param->name) ? 3 + t->known.count % 3 : 1;
            if (param->role == SIZE && !known_find(&t->known, param->name))
                known_add(&t->known, param->name, &size, 1, 1);
        }
}

/* The elements of that parameter and its rows' length, of the sizes that are known. */
static size_t known_length(Try *t, const Function *function, int p, int *columns)
{
    Cases one = {.contract = &t->contract};
    Case *c = case_new(&one, function->name);
    for (int s = 0; s < function->count; s++)
        if (function->params[s].role == SIZE)
            c->sizes[s] = (int)known_find(&t->known, function->params[s].name)->values[0];
    size_t length = case_length(c, p);
    *columns = last_dimension(c, p);
    cases_free(&one);
    return length;
}

/* Is an array of that name known, but of another function's length? (gamma may be of the gates in
 * one, and of the cell in another.) */
static bool is_of_another(Try *t, const Function *function, int p)
{
    int columns;
    const char *name = function->params[p].name;
    const Known *known = known_find(&t->known, name);
    const Function *from = widest(&t->contract, name);
    if (!known || !is_given(function->params[p].role) || known->rows * known->columns == 1 ||
        from->params[param_index(from, name)].dim_count > function->params[p].dim_count)
        return false;
    return known_length(t, function, p, &columns) != (size_t)known->rows * (size_t)known->columns;
}

/* Numbers for everything that a step takes and no earlier step gives: random floats, and ones. */
static void know_inputs(Try *t, const Function *function, Rng *rng)
{
    for (int i = 0; i < function->count; i++) {
        const char *name = function->params[i].name;
        Role role = function->params[i].role;
        bool again = is_of_another(t, function, i);
        if ((known_find(&t->known, name) && !again) || role == OUTPUT || role == RETURNED)
            continue;
        int columns;
        const Function *from = again ? function : widest(&t->contract, name);
        const Param *param = &from->params[param_index(from, name)];
        size_t length = known_length(t, from, param_index(from, name), &columns);
        known_forget(&t->known, name);
        double *values = calloc(length + 1, sizeof *values);
        for (size_t k = 0; values && k < length; k++)
            values[k] = param->is_int    ? 1
                        : role == SCALAR ? (float)uniform(rng, 0.1, 0.5)
                                         : (float)normal(rng);
        if (values && length)
            known_add(&t->known, name, values, (int)length / columns, columns);
        free(values);
    }
}

static bool takes_arrays(const Function *function)
{
    for (int p = 0; p < function->count; p++)
        if (is_given(function->params[p].role))
            return true;
    return false;
}

/* Has any function an output dX, where X is what some function takes? Where none has, what the
 * functions take need not be of one shape. */
static bool any_gradient(const Contract *contract)
{
    for (int f = 0; f < contract->count; f++)
        for (int p = 0; p < contract->functions[f].count; p++) {
            const Param *param = &contract->functions[f].params[p];
            if (is_answer(param->role) && *param->name == 'd' && widest(contract, param->name + 1))
                return true;
        }
    return false;
}

/* Feeds each step from the ones before and from random numbers, and holds every output that is the
 * gradient of an earlier step against the numeric one. Returns how many there are, and in *worst
 * the largest difference, over the largest element of that gradient. */
int compare_gradients(const Contract *contract, Rng *rng, double *worst)
{
    static Try t; /* too large for a stack */
    int compared = 0;
    *worst = 0;
    if (!any_gradient(contract))
        return 0;
    t = (Try){.contract = *contract, .cases = {.contract = contract}};
    if (lesson.sample && !known_parse(&t.known, lesson.sample, "x", t.error, sizeof t.error))
        author_error("%s", t.error);
    know_sizes(&t, contract);
    for (const Step *step = lesson.steps; step->function; step++) {
        const Function *function = contract_find(contract, step->function);
        Cases one = {.contract = contract};
        Case *c = case_new(&one, step->function);
        know_inputs(&t, function, rng);
        if (!prepare_call(&t, c, 0, rows_to_go(&t, function)))
            author_error("%s", t.error);
        step->oracle(c, 0);
        for (int p = 0; p < function->count; p++) {
            double *numeric =
                is_answer(function->params[p].role) ? numeric_gradient(&t, c, p) : NULL;
            double largest = 0, furthest = 0;
            for (size_t i = 0; numeric && i < case_length(c, p); i++) {
                largest = fmax(largest, fabs(numeric[i]));
                furthest = fmax(furthest, fabs(numeric[i] - c->wanted[p][i].v));
            }
            compared += numeric != NULL;
            if (numeric && !(furthest <= *worst * largest))
                *worst = furthest / largest;
            free(numeric);
        }
        if (takes_arrays(function)) /* what starts from nothing gives zeros and ones: too tame */
            learn_results(&t, step, &one, 1);
        cases_free(&one);
    }
    cases_free(&t.cases);
    known_free(&t.known);
    return compared;
}
