/* A function's example: the case that its page works out on paper, which is the first of those that
 * its checks keep. `try` calls with it what nobody typed numbers for. */
#include "try.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 256, SEED = 1 };

/* The function's first check whose cases are kept; without one, the first. NULL: it has none. */
static const Check *check_of(const char *function)
{
    const Check *found = NULL;
    for (const Check *check = lesson.checks; check->step; check++)
        if (!strcmp(check->step, function) && (!found || (check->vectors && !found->vectors)))
            found = check;
    return found;
}

/* An output that is NULL can't be asked for by who types. */
static bool is_fit(const Case *c)
{
    bool fit = case_numbers(c) <= MOST_NUMBERS;
    for (int p = 0; p < c->function->count; p++)
        fit = fit && !c->null[p];
    return fit;
}

const Case *example_find(const char *function, Cases *cases)
{
    static Contract contract;
    static Vectors *vectors; /* read once, and kept: the lesson's own */
    char error[512], path[NAME_SIZE + 64];
    const Check *check = check_of(function);
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    if (!vectors && lesson_contract(&contract, error, sizeof error))
        vectors = vectors_open(path, error, sizeof error);
    *cases = (Cases){.contract = &contract};
    if (check && vectors && check_cases(check, vectors, SEED, cases, error, sizeof error))
        for (int i = 0; i < cases->count; i++)
            if (is_fit(&cases->items[i]))
                return &cases->items[i];
    return NULL;
}

static bool is_same_array(const Case *c, const Case *example, int p)
{
    return c->given[p] && example->given[p] && case_length(c, p) == case_length(example, p) &&
           !memcmp(c->given[p], example->given[p], case_length(c, p) * sizeof(float));
}

/* With so many it is the same float when it is read. */
static int digits_of(float value)
{
    int digits = 6;
    for (; digits < 9; digits++) {
        char *text = format_text("%.*g", digits, (double)value);
        const bool same = strtof(text, NULL) == value;
        free(text);
        if (same)
            break;
    }
    return digits;
}

char *changed_example(const Case *c)
{
    Cases cases;
    const Case *example = example_find(c->function->name, &cases);
    char *text = example ? format_text("%s", "") : NULL;
    for (int p = 0; text && p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        char *longer = NULL;
        if (c->null[p] || (is_given(param->role) && !is_same_array(c, example, p)))
            ;
        else if (param->role == SIZE && c->sizes[p] != example->sizes[p])
            longer = format_text("%s %s=%d", text, param->name, c->sizes[p]);
        else if (param->role == SCALAR && c->scalars[p] != example->scalars[p])
            longer = format_text("%s %s=%.*g", text, param->name, digits_of(c->scalars[p]),
                                 (double)c->scalars[p]);
        else
            continue;
        free(text);
        text = longer;
    }
    cases_free(&cases);
    return text;
}

/* ---- what was not typed is taken from there ---- */
/* Is what is known of that array of another shape than it is there? One number has any. */
static bool has_another_shape(const Case *c, int p, const Known *known)
{
    size_t count = (size_t)known->rows * (size_t)known->columns;
    return count != 1 && (count != case_length(c, p) || known->columns != last_dimension(c, p));
}

/* Then the sizes in its shape are its own. */
static bool is_told(const Try *t, const Case *c, int size)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = is_given(param->role) ? known_find(&t->known, param->name) : NULL;
        if (!known || !has_another_shape(c, p, known))
            continue;
        for (int d = 0; d < param->dim_count; d++)
            for (int k = 0; k < param->dims[d].term_count; k++)
                for (int i = 0; i < param->dims[d].terms[k].size_count; i++)
                    if (param->dims[d].terms[k].sizes[i] == size)
                        return true;
    }
    return false;
}

static void take(Try *t, const char *name, const double *values, int rows, int columns)
{
    known_add(&t->known, name, values, rows, columns);
    t->known.items[t->known.count - 1].from = FROM_EXAMPLE;
}

static void take_array(Try *t, const Case *c, int p)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p);
    double *values = calloc(length + 1, sizeof *values);
    int columns = last_dimension(c, p);
    for (size_t i = 0; values && i < length; i++)
        values[i] = value_at(param, c->given[p], i);
    if (values && length)
        take(t, param->name, values, (int)length / columns, columns);
    free(values);
}

void example_take(Try *t, const Case *c)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        double size = c->sizes[p], scalar = (double)c->scalars[p];
        if (known_find(&t->known, param->name))
            continue;
        if (param->role == SIZE && !is_told(t, c, p))
            take(t, param->name, &size, 1, 1);
        else if (param->role == SCALAR)
            take(t, param->name, &scalar, 1, 1);
        else if (is_given(param->role))
            take_array(t, c, p);
    }
}
