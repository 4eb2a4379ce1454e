/* The numeric gradient, which needs no derivation: nudge an input, and see what the loss does. */
#include <stdlib.h>
#include <string.h>

#include "formulas.h"
#include "try.h"

enum { MOST_NUMBERS = 400 }; /* of a call, for which each is nudged four times */

/* What has slopes: floats that a function takes, an array or one alone. */
static bool is_varied(const Param *param)
{
    return !param->is_int && (is_given(param->role) || param->role == SCALAR);
}

static bool takes_floats(const Function *function, const char *name)
{
    int p = param_index(function, name);
    return p >= 0 && is_varied(&function->params[p]);
}

/* What it gives there is called that; what it returns, as the step says, if it does. */
static const char *answer_name(const Function *function, int p)
{
    const char *result = lesson_step(function->name)->result;
    if (function->params[p].role != RETURNED)
        return function->params[p].name;
    return result ? result : "";
}

static bool gives(const Function *function, const char *name)
{
    for (int p = 0; p < function->count; p++)
        if (is_answer(function->params[p].role) && !strcmp(answer_name(function, p), name))
            return true;
    return false;
}

/* As the lesson answers, or by the formula, which may stand beside an oracle. */
static void answer_by(const Step *step, Case *c, bool by_formula)
{
    if (!by_formula)
        lesson_answer(step, c, 0);
    else if (!formula_answer(formula_find(lesson_formulas(), step->function), c))
        author_error("the formula of %s can't be worked out", step->function);
}

/* The loss whose gradients `c` is given: the sum of dOUT * OUT over the outputs of `forward`. */
static double loss(const Step *step, Case *forward, const Case *c, bool by_formula)
{
    double sum = 0;
    answer_by(step, forward, by_formula);
    for (int p = 0; p < forward->function->count; p++) {
        char upstream[NAME_SIZE + 1];
        snprintf(upstream, sizeof upstream, "d%s", answer_name(forward->function, p));
        if (!is_answer(forward->function->params[p].role) || !takes_floats(c->function, upstream))
            continue;
        int d = param_index(c->function, upstream);
        const Param *param = &c->function->params[d];
        for (size_t i = 0; i < case_length(forward, p); i++)
            sum += (param->role == SCALAR ? c->scalars[d] : value_at(param, c->given[d], i)) *
                   forward->wanted[p][i].v;
    }
    return sum;
}

/* Has `forward` an output OUT for every array dOUT that `function` is given? One that comes from
 * elsewhere, such as from inside a block that only the lesson knows, is that of no function here.
 * `why` says what is lacking. */
static bool gives_all(const Function *forward, const Function *function, char *why, size_t size)
{
    int upstream = 0;
    for (int d = 0; d < function->count; d++) {
        const Param *param = &function->params[d];
        bool given = *param->name == 'd' && gives(forward, param->name + 1);
        upstream += is_varied(param) && given;
        if (given || *param->name != 'd' || param->is_int || param->role != INPUT ||
            takes_floats(forward, param->name))
            continue; /* a dropout rate, or data, which both take, are no gradients */
        snprintf(why, size, "it takes %s, and %s has no output %s", param->name, forward->name,
                 param->name + 1);
        return false;
    }
    if (!upstream)
        snprintf(why, size, "it takes no dY of an output Y of %s", forward->name);
    return upstream > 0;
}

/* Is that output called dX, where X is what an earlier step takes? */
static bool is_slope(const Contract *contract, const Function *function, int output)
{
    const char *name = answer_name(function, output);
    if (!is_answer(function->params[output].role) || *name != 'd')
        return false;
    for (const Step *step = lesson.steps; strcmp(step->function, function->name) != 0; step++)
        if (takes_floats(contract_find(contract, step->function), name + 1))
            return true;
    return false;
}

/* The earlier step that such an output is the slope of, and whose outputs' gradients the function
 * is given. NULL: `why` says why there is none. */
static const Step *forward_of(const Contract *contract, const Function *function, int output,
                              char *why, size_t size)
{
    const char *named = lesson_step(function->name)->slopes_of;
    const char *input = answer_name(function, output) + 1;
    snprintf(why, size, "%s, which its slopes_of names, takes no %s", named ? named : "", input);
    for (const Step *step = lesson.steps; strcmp(step->function, function->name) != 0; step++) {
        const Function *forward = contract_find(contract, step->function);
        if ((!named || !strcmp(step->function, named)) && takes_floats(forward, input) &&
            gives_all(forward, function, why, size))
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

/* Central differences through the forward step, in double precision, at two step sizes, and from
 * these the limit of smaller ones (Richardson). NULL: t->error says why there are none. */
static double *slopes(Try *t, const Case *c, int output, const Step *step, bool by_formula)
{
    const char *name = answer_name(c->function, output) + 1;
    const Param *param = &c->function->params[output];
    Case *forward = case_new(&t->cases, step->function);
    if (!prepare_call(t, forward, 0, 1))
        return NULL;
    int p = param_index(forward->function, name);
    bool alone = forward->function->params[p].role == SCALAR;
    float *values = alone ? &forward->scalars[p] : fill(forward, name);
    size_t length = alone ? 1 : case_length(forward, p);
    size_t width = alone ? 1 : (size_t)last_dimension(forward, p);
    if (length != case_length(c, output)) {
        snprintf(t->error, sizeof t->error, "d%s has %zu numbers, and %s of %s has %zu", name,
                 case_length(c, output), name, step->function, length);
        return NULL;
    }
    double *gradient = calloc(length + 1, sizeof *gradient);
    for (size_t i = 0; gradient && i < length; i++) {
        float at = values[i];
        double h = step_size(values, i, width), slope[2];
        for (int half = 0; half < 2; half++, h /= 2) {
            float above = (float)(at + h), below = (float)(at - h);
            values[i] = above;
            double up = loss(step, forward, c, by_formula);
            values[i] = below;
            slope[half] = (up - loss(step, forward, c, by_formula)) / ((double)above - below);
        }
        gradient[i] = (4 * slope[1] - slope[0]) / 3;
        if (param->role == IN_OUT) /* it is added to what stands there */
            gradient[i] += value_at(param, c->given[output], i);
        values[i] = at;
    }
    return gradient;
}

double *numeric_gradient(Try *t, const Case *c, int output)
{
    const Step *step =
        is_slope(&t->contract, c->function, output)
            ? forward_of(&t->contract, c->function, output, t->error, sizeof t->error)
            : NULL;
    return step ? slopes(t, c, output, step, false) : NULL;
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

/* That can be told, and typed. */
static float few_digits(double value)
{
    return (float)(round(value * 100) / 100);
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
                        : role == SCALAR ? few_digits(uniform(rng, 0.1, 0.5))
                                         : few_digits(normal(rng));
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

/* Is any output a slope? Where none is, what the functions take need not be of one shape. */
static bool any_slope(const Contract *contract)
{
    for (const Step *step = lesson.steps; step->function; step++) {
        const Function *function = contract_find(contract, step->function);
        for (int p = 0; p < function->count; p++)
            if (is_slope(contract, function, p))
                return true;
    }
    return false;
}

/* ---- arrays of ints: what an index, a mask or an offset may be, only the lesson knows ---- */
static int unknown_ints(const Try *t, const Function *function)
{
    int count = 0;
    for (int p = 0; p < function->count; p++)
        count += function->params[p].is_int && is_given(function->params[p].role) &&
                 !known_find(&t->known, function->params[p].name);
    return count;
}

/* How much a call tells of gradients; 0: it is too large, or its sizes are not those that are
 * known. */
static int worth(const Try *t, const Case *c)
{
    int several = 1, varied = 0;
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = known_find(&t->known, param->name);
        if (param->role == SIZE && (c->sizes[p] < 1 || (known && known->values[0] != c->sizes[p])))
            return 0;
        several = several && (param->role != SIZE || c->sizes[p] > 1);
        for (size_t i = 1; param->is_int && is_given(param->role) && i < case_length(c, p); i++)
            varied = varied || value_at(param, c->given[p], i) != value_at(param, c->given[p], 0);
    }
    return case_numbers(c) > MOST_NUMBERS ? 0 : 1 + several + 2 * varied;
}

static void know_ints_and_sizes(Try *t, const Case *c)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        bool ints = param->is_int && is_given(param->role);
        double size = c->sizes[p], *values = &size;
        int length = ints ? (int)case_length(c, p) : 1;
        if ((!ints && param->role != SIZE) || known_find(&t->known, param->name) || !length)
            continue;
        if (ints && !(values = calloc((size_t)length, sizeof *values)))
            author_error("out of memory");
        for (int i = 0; ints && i < length; i++)
            values[i] = value_at(param, c->given[p], (size_t)i);
        int columns = ints ? last_dimension(c, p) : 1;
        known_add(&t->known, param->name, values, length / columns, columns);
        if (ints)
            free(values);
    }
}

/* Takes them, and the sizes that go with them, from a call that the lesson draws: of the function
 * that takes most of them. */
static void know_drawn_ints(Try *t, const Contract *contract, Rng *rng)
{
    const Check *drawing = NULL;
    int most = 0;
    for (const Check *check = lesson.checks; check->step; check++) {
        int unknown = unknown_ints(t, contract_find(contract, check->step));
        if (check->draw && unknown > most) {
            most = unknown;
            drawing = check;
        }
    }
    if (!drawing)
        return;
    Cases cases = {.contract = contract};
    const Case *best = NULL;
    drawing->draw(&cases, rng);
    for (int k = 0; k < cases.count; k++)
        if (worth(t, &cases.items[k]) > (best ? worth(t, best) : 0))
            best = &cases.items[k];
    if (best)
        know_ints_and_sizes(t, best);
    cases_free(&cases);
}

/* ---- each of them ---- */
/* "lessons/18_my_norm.formulas:8": the line of that element. */
static char *place_of_formula(const Case *c, int p, size_t i)
{
    const Formula *formula = formula_find(lesson_formulas(), c->function->name);
    return format_text("%s:%d", lesson_formulas_path(), formula_line(formula, c, p, i));
}

/* What `step` gives there against the numeric one. */
static Slope compared_by(Try *t, const Step *step, Case *c, int p, bool by_formula)
{
    Slope slope = {.function = step->function, .output = answer_name(c->function, p)};
    const Step *forward = forward_of(&t->contract, c->function, p, t->error, sizeof t->error);
    double *numeric = forward ? slopes(t, c, p, forward, by_formula) : NULL;
    size_t worst = 0;
    slope.forward = numeric ? forward->function : NULL;
    slope.why = numeric ? NULL : format_text("%s", t->error);
    if (numeric)
        answer_by(step, c, by_formula);
    for (size_t i = 0; numeric && i < case_length(c, p); i++) {
        double apart = fabs(numeric[i] - c->wanted[p][i].v);
        apart = isnan(apart) ? INFINITY : apart;
        worst = apart > slope.furthest ? i : worst;
        slope.largest = fmax(slope.largest, fabs(numeric[i]));
        slope.furthest = fmax(slope.furthest, apart);
    }
    if (numeric && case_length(c, p)) {
        char name[96];
        char *call = call_to_try(c);
        element_name(c, p, worst, name, sizeof name);
        slope.formula = by_formula || !step->oracle ? place_of_formula(c, p, worst) : NULL;
        slope.numbers = format_text("%s is %.6g, and the slope %.6g. To see it: %s", name,
                                    c->wanted[p][worst].v, numeric[worst], call);
        free(call);
    }
    free(numeric);
    return slope;
}

void slope_free(Slope *slope)
{
    free(slope->why);
    free(slope->formula);
    free(slope->numbers);
}

/* Of the lesson's answers, or of its formulas beside an oracle: what is further off. */
static Slope compared(Try *t, const Step *step, Case *c, int p)
{
    const Formulas *formulas = lesson_formulas();
    Slope slope = compared_by(t, step, c, p, false);
    if (!slope.forward || !formula_find(formulas, step->function) ||
        !formula_find(formulas, slope.forward) ||
        (!step->oracle && !lesson_step(slope.forward)->oracle))
        return slope;
    Slope own = compared_by(t, step, c, p, true);
    answer_by(step, c, false);
    bool further = own.furthest > slope.furthest;
    slope_free(further ? &slope : &own);
    return further ? own : slope;
}

int compare_gradients(const Contract *contract, Rng *rng, Slope *found)
{
    static Try t; /* too large for a stack */
    int count = 0;
    if (!any_slope(contract))
        return 0;
    t = (Try){.contract = *contract, .cases = {.contract = contract}};
    if (lesson.sample && !known_parse(&t.known, lesson.sample, "x", t.error, sizeof t.error))
        author_error("%s", t.error);
    know_drawn_ints(&t, contract, rng);
    know_sizes(&t, contract);
    for (const Step *step = lesson.steps; step->function; step++) {
        const Function *function = contract_find(contract, step->function);
        Cases one = {.contract = contract};
        Case *c = case_new(&one, step->function);
        know_inputs(&t, function, rng);
        if (!prepare_call(&t, c, 0, rows_to_go(&t, function)))
            author_error("%s", t.error);
        lesson_answer(step, c, 0);
        for (int p = 0; p < function->count; p++)
            if (is_slope(contract, function, p))
                found[count++] = compared(&t, step, c, p);
        if (takes_arrays(function)) /* what starts from nothing gives zeros and ones: too tame */
            learn_results(&t, step, &one, 1);
        cases_free(&one);
    }
    cases_free(&t.cases);
    known_free(&t.known);
    return count;
}
