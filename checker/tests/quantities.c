/* The numbers of a lesson's formulas, for test_formulas.py: build/NN_name/quantities
 *
 * A line of JSON for each of some small cases of every function that has a formula: the axes'
 * lengths, the numbers that it is given, and its arrays with their shapes: what it is given, its
 * formula's quantities, and its answers ("after", where it is given an array of that name, too). */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 6, SEEDS = 40, MOST_PLACES = 1500 };

static bool is_first = true;

static void print_name(const char *name, const char *behind)
{
    printf("%s\"%s%s\": ", is_first ? "" : ", ", name, behind);
    is_first = false;
}

static void begin(const char *name)
{
    print_name(name, "");
    putchar('{');
    is_first = true;
}

static void print_array(const char *name, const char *behind, const int *shape, int rank,
                        const double *values, size_t length)
{
    print_name(name, behind);
    printf("[[");
    for (int i = 0; i < rank; i++)
        printf("%s%d", i ? ", " : "", shape[i]);
    printf("], [");
    for (size_t i = 0; i < length; i++)
        printf("%s%.17g", i ? ", " : "", values[i]);
    printf("]]");
}

static void print_param(const Case *c, int p, bool after)
{
    const Param *param = &c->function->params[p];
    int shape[MAX_DIMS], rank = param->role == RETURNED ? 0 : param->dim_count;
    size_t length = case_length(c, p);
    double *values = calloc(length + 1, sizeof *values);
    for (int i = 0; i < rank; i++)
        shape[i] = dimension(c, p, i);
    for (size_t i = 0; values && i < length; i++)
        values[i] = after ? c->wanted[p][i].v : value_at(param, c->given[p], i);
    const char *result = lesson_step(c->function->name)->result;
    print_array(param->role == RETURNED && result ? result : param->name,
                after && is_given(param->role) ? " after" : "", shape, rank, values, length);
    free(values);
}

static void print_quantity(Evaluation *e, const Formula *f, int q, const int *lengths)
{
    const Quantity *quantity = &f->quantities[q];
    int shape[MOST_INDEXES];
    size_t length = 1;
    for (int i = 0; i < quantity->rank; i++)
        length *= (size_t)(shape[i] = lengths[quantity->axis[i]]);
    double *values = calloc(length + 1, sizeof *values);
    bool good = values;
    for (size_t i = 0; good && i < length; i++) {
        Real value;
        good = evaluation_element(e, q, i, &value);
        values[i] = value.v;
        good = good && isfinite(value.v);
    }
    if (good)
        print_array(quantity->name, "", shape, quantity->rank, values, length);
    free(values);
}

static int length_of(const Expr *node, const Case *c)
{
    int a = node->child[0] ? length_of(node->child[0], c) : 0;
    int b = node->child[1] ? length_of(node->child[1], c) : 0;
    return node->kind == N_NUMBER     ? (int)node->number
           : node->kind == N_SIZE     ? c->sizes[node->which]
           : node->kind == N_ADD      ? a + b
           : node->kind == N_SUB      ? a - b
           : node->kind == N_MUL      ? a * b
           : node->kind == N_DIV && b ? a / b
                                      : 0;
}

/* Axes of several lengths are told apart by them. */
static bool is_fit(const Formula *f, const int *lengths)
{
    int places = 1;
    for (int a = 0; a < f->axis_count; a++) {
        places *= lengths[a];
        if (lengths[a] < 2 || places > MOST_PLACES)
            return false;
        for (int b = 0; b < a; b++)
            if (lengths[a] == lengths[b] && !expr_same(f->axes[a].length, f->axes[b].length))
                return false;
    }
    return true;
}

/* All that it is given and answers, and nothing is NULL. */
static bool is_finite(const Case *c)
{
    bool finite = true;
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        finite = finite && !c->null[p];
        for (size_t i = 0; finite && i < case_length(c, p); i++)
            finite = (!is_given(param->role) || isfinite(value_at(param, c->given[p], i))) &&
                     (!is_answer(param->role) || isfinite(c->wanted[p][i].v));
    }
    return finite;
}

static bool print_case(const Formula *f, Case *c)
{
    int lengths[MOST_AXES];
    Evaluation *e = evaluation_new(f, c);
    for (int a = 0; a < f->axis_count; a++)
        lengths[a] = length_of(f->axes[a].length, c);
    bool good = e && is_fit(f, lengths) && formula_answer(f, c) && is_finite(c);
    if (good) {
        is_first = true;
        printf("{\"function\": \"%s\"", c->function->name);
        is_first = false;
        begin("axes");
        for (int a = 0; a < f->axis_count; a++) {
            print_name(f->axes[a].name, "");
            printf("%d", lengths[a]);
        }
        putchar('}');
        begin("arrays");
        for (int p = 0; p < c->function->count; p++) {
            const Param *param = &c->function->params[p];
            double number = param->role == SIZE ? c->sizes[p] : (double)c->scalars[p];
            if (param->role == SIZE || param->role == SCALAR)
                print_array(param->name, "", NULL, 0, &number, 1);
            if (is_given(param->role))
                print_param(c, p, false);
            if (is_answer(param->role))
                print_param(c, p, true);
        }
        for (int q = 0; q < f->quantity_count; q++)
            if (f->quantities[q].param < 0)
                print_quantity(e, f, q, lengths);
        printf("}}\n");
    }
    evaluation_free(e);
    return good;
}

int main(void)
{
    int printed[MAX_FUNCTIONS] = {0};
    static Contract contract;
    char error[512];
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (const Check *check = lesson.checks; check->step; check++) {
            const Formula *formula = formula_find(lesson_formulas(), check->step);
            int *count = &printed[contract_find(&contract, check->step) - contract.functions];
            Cases cases = {.contract = &contract};
            if (formula && *count < MOST_CASES)
                draw_fresh(check, seed, &cases);
            for (int k = 0; k < cases.count && *count < MOST_CASES; k++)
                *count += print_case(formula, &cases.items[k]);
            cases_free(&cases);
        }
    return 0;
}
