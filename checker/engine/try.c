/* `try 10 50 20`: the learner's functions on numbers that the learner types, beside the
 * reference's.
 *
 * The lesson's steps are called in order. What an earlier one gives (the reference's numbers, so
 * that one error does not spread) is known to the later ones by its name; so are the lesson's
 * defaults. A function over one row is called once for each row. Nothing here knows any lesson. */
#include "try.h"

#include <stdlib.h>
#include <string.h>

/* ---- from what is known to a call ---- */

/* A size that a shape names gets the length of what is given for that shape. */
static bool learn_size(Trial *t, Case *c, const Param *array, int dim, int length)
{
    int p = param_index(c->function, array->dims[dim]);
    if (!c->sizes[p])
        c->sizes[p] = length;
    if (c->sizes[p] == length)
        return true;
    snprintf(t->error, sizeof t->error, "%s has %d numbers where %s is %d", array->name, length,
             array->dims[dim], c->sizes[p]);
    return false;
}

/* One number stands for all, except where it is all that tells a size. */
static bool learn_sizes(Trial *t, Case *c, bool by_row, bool single)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = is_given(param->role) ? known_find(&t->known, param->name) : NULL;
        if (!known || (known->rows * known->columns == 1) != single)
            continue;
        if (single && c->sizes[param_index(c->function, param->dims[param->dim_count - 1])])
            continue;
        int count = known->rows * known->columns;
        bool good =
            param->dim_count == 1
                ? learn_size(t, c, param, 0, by_row && known->rows > 1 ? known->columns : count)
                : learn_size(t, c, param, 0, known->rows) &&
                      learn_size(t, c, param, param->dim_count - 1, known->columns);
        if (!good)
            return false;
    }
    return true;
}

static bool missing(Trial *t, const char *function, const Param *param)
{
    char shape[256] = "";
    for (int d = 0; d < param->dim_count; d++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%s", d ? " x " : ", ",
                 param->dims[d]);
    snprintf(t->error, sizeof t->error, "%s needs %s=...%s", function, param->name, shape);
    t->lacks = true;
    return false;
}

int rows_to_go(const Trial *t, const Function *function)
{
    int rows = 1;
    for (int p = 0; p < function->count; p++) {
        const Known *known = known_find(&t->known, function->params[p].name);
        if (function->params[p].dim_count > 1)
            return 1;
        if (function->params[p].dim_count == 1 && known && known->rows > rows)
            rows = known->rows;
    }
    return rows;
}

static double known_value(const Known *known, size_t i)
{
    size_t count = (size_t)known->rows * (size_t)known->columns;
    return known->values[count == 1 ? 0 : i];
}

/* A size that no array of this function tells: the one that another function's arrays tell. 0:
 * none. One number alone tells it only when nothing longer does. */
static int size_elsewhere(const Trial *t, const char *size)
{
    int single = 0;
    for (int f = 0; f < t->contract.count; f++)
        for (int p = 0; p < t->contract.functions[f].count; p++) {
            const Param *param = &t->contract.functions[f].params[p];
            const Known *known = is_given(param->role) ? known_find(&t->known, param->name) : NULL;
            for (int d = 0; known && d < param->dim_count; d++) {
                if (strcmp(param->dims[d], size) != 0)
                    continue;
                if (known->rows * known->columns > 1)
                    return d == param->dim_count - 1 ? known->columns : known->rows;
                single = 1;
            }
        }
    return single;
}

static bool whole_number(Trial *t, const char *name, double value)
{
    if (value >= 1 && value <= 4096 && value == (int)value)
        return true;
    snprintf(t->error, sizeof t->error, "%s is a whole number from 1 to 4096", name);
    return false;
}

bool prepare_call(Trial *t, Case *c, int row, int rows)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = known_find(&t->known, param->name);
        if (param->role == SIZE && known && !whole_number(t, param->name, known->values[0]))
            return false;
        if (param->role == SIZE && known)
            c->sizes[p] = (int)known->values[0];
        if ((param->role == SCALAR || is_given(param->role)) && !known)
            return missing(t, c->function->name, param);
        if (param->role == SCALAR)
            c->scalars[p] = (float)known_value(known, rows > 1 ? (size_t)row : 0);
    }
    if (!learn_sizes(t, c, rows > 1, false) || !learn_sizes(t, c, rows > 1, true))
        return false;
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        if (param->role == SIZE && !c->sizes[p])
            c->sizes[p] = size_elsewhere(t, param->name);
        if (param->role == SIZE && !c->sizes[p])
            return missing(t, c->function->name, param);
    }
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        if (!is_given(param->role))
            continue;
        const Known *known = known_find(&t->known, param->name);
        size_t length = case_length(c, p), count = (size_t)known->rows * (size_t)known->columns;
        size_t from = rows > 1 && known->rows > 1 ? (size_t)row * length : 0;
        if (count != 1 && from + length > count) {
            snprintf(t->error, sizeof t->error, "%s has %zu numbers, and %zu are needed",
                     param->name, count, length);
            return false;
        }
        float *values = fill(c, param->name);
        for (size_t i = 0; i < length; i++)
            values[i] = (float)known_value(known, from + i);
    }
    return true;
}

/* ---- what is shown ---- */
static void print_row(const char *name, const char *whose, const char *mark)
{
    printf("  %-18s %-10s%s", name, whose, mark);
}

static void print_numbers(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(" %10.6g", values[i] == 0 ? 0 : values[i]);
    putchar('\n');
}

/* `row`: which of several calls this is; -1 when it is the only one. */
static void print_output(Trial *t, const Step *step, const Case *c, const Answer *answer, int p,
                         int row)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p), width = (size_t)last_dimension(c, p);
    double *numeric = numeric_gradient(t, c, p), *yours = calloc(length + 1, sizeof *yours),
           *reference = calloc(length + 1, sizeof *reference);
    const char *base = param->role != RETURNED ? param->name
                       : step->result          ? step->result
                                               : step->function;
    for (size_t i = 0; yours && reference && i < length; i++) {
        yours[i] = answer->left[p] ? answer->left[p][i] : NAN;
        reference[i] = c->wanted[p][i].v;
    }
    for (size_t i = 0; i < length; i += width) {
        char name[2 * NAME_SIZE];
        bool right = true;
        snprintf(name, sizeof name, "%s", base);
        if (param->dim_count > 1 && length > width)
            snprintf(name, sizeof name, "%s[%zu]", base, i / width);
        if (row >= 0)
            snprintf(name, sizeof name, "%s[%d]", base, row);
        for (size_t k = i; k < i + width; k++)
            right = right && within(yours[k], reference[k], c->wanted[p][k].e);
        t->wrong += !right;
        if (answer->ending == ANSWERED) {
            print_row(name, "yours", right ? mark_pass() : mark_fail());
            if (is_unwritten(answer->left[p][i]))
                puts(" not written");
            else
                print_numbers(yours + i, width);
        }
        print_row(answer->ending == ANSWERED ? "" : name, "reference", "  ");
        print_numbers(reference + i, width);
        if (numeric) {
            print_row("", "numeric", "  ");
            print_numbers(numeric + i, width);
        }
    }
    free(numeric);
    free(yours);
    free(reference);
}

/* All the numbers of one name together, as rows of `width`. */
static void print_revealed(const struct Revealed *revealed, int width)
{
    for (int i = 0; i < revealed->count; i++) {
        double values[sizeof revealed->values / sizeof *revealed->values];
        int n = 0, first = 0;
        while (strcmp(revealed->names[first], revealed->names[i]) != 0)
            first++;
        for (int k = i; first == i && k < revealed->count; k++)
            if (!strcmp(revealed->names[k], revealed->names[i]))
                values[n++] = revealed->values[k];
        for (int k = 0; k < n; k += width) {
            print_row(k ? "" : revealed->names[i], "between", "  ");
            print_numbers(values + k, (size_t)(n - k < width ? n - k : width));
        }
    }
}

void learn_results(Trial *t, const Step *step, const Cases *calls, int rows)
{
    const Case *first = &calls[0].items[0];
    const Function *function = first->function;
    for (int p = 0; p < function->count; p++) {
        const Param *param = &function->params[p];
        const char *name = param->role == RETURNED ? step->result : param->name;
        if (!is_answer(param->role) || param->role == IN_OUT || !name ||
            known_find(&t->known, name))
            continue;
        size_t length = case_length(first, p), width = (size_t)last_dimension(first, p);
        double *values = calloc(length * (size_t)rows + 1, sizeof *values);
        for (int r = 0; values && r < rows; r++)
            for (size_t i = 0; i < length; i++)
                values[(size_t)r * length + i] = (float)calls[r].items[0].wanted[p][i].v;
        if (values)
            known_add(&t->known, name, values, (int)(length * (size_t)rows / width), (int)width);
        free(values);
    }
}

static void try_call(Trial *t, const Step *step, Case *c, int row, int rows)
{
    const Function *function = c->function;
    int x = param_index(function, "x");
    bool by_row = x >= 0 && is_array(function->params[x].role);
    Answer answer = {0};
    runner_call(t->runner, c, &answer);
    if (!function->returns_float)
        printf("%s\n", function->name);
    print_revealed(c->revealed, by_row ? last_dimension(c, x) : 256);
    if (answer.ending != ANSWERED)
        printf("  %-18s %s\n", function->name, answer.reason);
    for (int p = 0; p < function->count; p++)
        if (is_answer(function->params[p].role))
            print_output(t, step, c, &answer, p, rows > 1 ? row : -1);
    if (answer.printed && *answer.printed) {
        char *safe = escaped(answer.printed, strlen(answer.printed));
        printf("  it printed: %s\n", safe);
        free(safe);
    }
    t->wrong += answer.ending != ANSWERED;
    answer_free(&answer);
}

static bool try_step(Trial *t, const Step *step, bool printed)
{
    const Function *function = contract_find(&t->contract, step->function);
    int rows = rows_to_go(t, function);
    Cases *calls = calloc((size_t)rows + 1, sizeof *calls); /* one case each */
    struct Revealed revealed = {0};
    bool good = calls;
    for (int r = 0; good && r < rows; r++) {
        calls[r].contract = &t->contract;
        Case *c = case_new(&calls[r], step->function);
        good = prepare_call(t, c, r, rows);
        if (!good)
            break;
        revealed.count = 0;
        c->revealed = &revealed;
        step->oracle(c, 0);
        if (printed)
            try_call(t, step, c, r, rows);
    }
    if (good)
        learn_results(t, step, calls, rows);
    for (int r = 0; calls && r < rows; r++)
        cases_free(&calls[r]);
    free(calls);
    return good;
}

static bool no_such_parameter(Trial *t)
{
    for (int i = 0; i < t->known.count; i++) {
        bool found = false;
        for (int f = 0; f < t->contract.count; f++)
            found = found || param_index(&t->contract.functions[f], t->known.items[i].name) >= 0;
        if (!found) {
            snprintf(t->error, sizeof t->error, "nothing in this lesson is called \"%s\"",
                     t->known.items[i].name);
            return true;
        }
    }
    return false;
}

/* The steps in order; with a name, that one is shown and the ones before it only worked out.
 * Without one, a step that lacks something is passed over with a word, if any other could be shown.
 */
static bool try_steps(Trial *t, const char *named)
{
    char lacking[4][600];
    int shown = 0, lacks = 0;
    for (const Step *step = lesson.steps; step->function; step++) {
        bool printed = !named || !strcmp(named, step->function);
        t->lacks = false;
        bool good = try_step(t, step, printed);
        shown += good && printed;
        if (!good && !t->lacks)
            return false;
        if (!good && printed && lacks < 4)
            snprintf(lacking[lacks++], sizeof lacking[0], "%.599s", t->error);
        if (named && printed)
            break;
    }
    for (int i = 0; i < lacks && shown; i++)
        printf("  %s\n", lacking[i]);
    snprintf(t->error, sizeof t->error, "%s", lacks ? lacking[0] : "");
    return shown > 0;
}

int try_lesson(const CheckOptions *options, const char *words)
{
    static Trial t;
    char path[512], named[NAME_SIZE] = "";
    t = (Trial){.options = options};
    snprintf(path, sizeof path, "include/%s.h", lesson_name);
    if (!contract_read(&t.contract, path, t.error, sizeof t.error))
        author_error("%s", t.error);
    t.cases.contract = &t.contract;
    words += strspn(words, " ");
    snprintf(named, sizeof named, "%.*s", (int)strcspn(words, " "), words);
    const Function *function = contract_find(&t.contract, named);
    words += function ? strlen(named) : 0;
    bool good =
        known_parse(&t.known, words, "x", t.error, sizeof t.error) && !no_such_parameter(&t);
    KnownList defaults = {0};
    good = good && (!lesson.defaults ||
                    known_parse(&defaults, lesson.defaults, "x", t.error, sizeof t.error));
    for (int i = 0; i < defaults.count; i++)
        if (!known_find(&t.known, defaults.items[i].name))
            known_add(&t.known, defaults.items[i].name, defaults.items[i].values, 1,
                      defaults.items[i].columns);
    known_free(&defaults);
    if (good) {
        t.runner = runner_start(&(RunnerOptions){.source = options->source,
                                                 .header = path,
                                                 .call_limit = options->call_limit,
                                                 .memory_limit = (size_t)1 << 30,
                                                 .printed_limit = (size_t)1 << 20},
                                t.error, sizeof t.error);
        good = t.runner && try_steps(&t, function ? function->name : NULL);
    }
    if (!good)
        fprintf(stderr, "%s\n", t.error);
    if (t.runner)
        runner_stop(t.runner);
    known_free(&t.known);
    return !good ? 2 : t.wrong ? 1 : 0;
}
