/* A lesson's formulas against its oracles and PyTorch: build/NN_name/formulas [SEEDS [FIRST]]
 *
 * For every check, the lesson's vectors and the cases of so many seeds: each number of each formula
 * must be the oracle's and PyTorch's. For each output: how many numbers were compared, the largest
 * difference in parts of the oracle's allowed error, and the smallest and the largest of the
 * formula's bounds in parts of the oracle's. Ends with 1 where a number is another one. */
#include "formulas.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    long elements, apart, untold; /* untold: the formula promises nothing where the oracle does */
    double difference, narrowest, widest;
    char where[256];
} Comparison;

static Contract contract;
static Comparison comparisons[MAX_FUNCTIONS][MAX_PARAMS];

static void compare(const Case *c, int p, Real **oracle)
{
    Comparison *own = &comparisons[c->function - contract.functions][p];
    if (!own->elements)
        own->narrowest = INFINITY;
    for (size_t i = 0; i < case_length(c, p); i++) {
        Real want = oracle[p][i], got = c->wanted[p][i];
        if (c->truth[p])
            want.v = c->truth[p][i];
        own->elements++;
        if (isinf(want.e) || (isnan(want.v) && isnan(got.v)))
            continue;
        double allowed = 1e-3 * want.e + 1e-11 * fabs(want.v);
        bool apart = !(fabs(got.v - want.v) <= allowed);
        double difference = fabs(got.v - want.v) / (want.e + 1e-12 * fabs(want.v));
        if (apart && !own->apart)
            snprintf(own->where, sizeof own->where, "%s, element %zu: %.17g for %.17g +- %g",
                     c->label, i, got.v, want.v, want.e);
        own->apart += apart;
        own->untold += isinf(got.e);
        if (difference > own->difference)
            own->difference = difference;
        if (want.e > 0 && isfinite(got.e)) {
            own->narrowest = fmin(own->narrowest, got.e / want.e);
            own->widest = fmax(own->widest, got.e / want.e);
        }
    }
}

static bool compare_case(const Formula *formula, Case *c)
{
    Real *oracle[MAX_PARAMS] = {0};
    lesson_answer(lesson_step(c->function->name), c, 0);
    for (int p = 0; p < c->function->count; p++)
        if (is_answer(c->function->params[p].role)) {
            oracle[p] = c->wanted[p];
            c->wanted[p] = new_reals((int)case_length(c, p));
        }
    bool good = formula_answer(formula, c);
    if (!good)
        printf("%s, %s: it can't be evaluated\n", c->function->name, c->label);
    for (int p = 0; p < c->function->count; p++)
        if (oracle[p]) {
            if (good)
                compare(c, p, oracle);
            free(c->wanted[p]);
            c->wanted[p] = oracle[p];
        }
    return good;
}

static bool compare_cases(const Formulas *formulas, Cases *cases)
{
    bool good = true;
    for (int k = 0; k < cases->count && good; k++) {
        const Formula *formula = formula_find(formulas, cases->items[k].function->name);
        good = !formula || compare_case(formula, &cases->items[k]);
    }
    cases_free(cases);
    return good;
}

static bool report(const Formulas *formulas)
{
    bool good = true;
    for (int f = 0; f < contract.count; f++) {
        const Function *function = &contract.functions[f];
        if (!formula_find(formulas, function->name))
            printf("%s: no formula\n", function->name);
        for (int p = 0; p < function->count; p++) {
            const Comparison *own = &comparisons[f][p];
            if (!own->elements)
                continue;
            printf("%s %s: %ld numbers, apart %ld, difference %.2g, bounds %.2g to %.2g, untold "
                   "%ld%s%s\n",
                   function->name, function->params[p].name, own->elements, own->apart,
                   own->difference, own->narrowest, own->widest, own->untold,
                   own->apart ? "; " : "", own->where);
            good = good && !own->apart;
        }
    }
    return good;
}

int main(int count, char **words)
{
    char error[512], path[512];
    uint64_t seeds = count > 1 ? strtoull(words[1], NULL, 10) : 5;
    uint64_t first = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    Formulas *formulas = formulas_read(lesson_formulas_path(), &contract, error, sizeof error);
    if (!formulas) {
        printf("%s\n", error[0] ? error : "no formulas");
        return error[0] ? 1 : 0;
    }
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    Vectors *vectors = vectors_open(path, error, sizeof error);
    bool good = true;
    for (int i = 0; lesson.checks[i].step && good; i++) {
        const Check *check = &lesson.checks[i];
        Cases cases = {.contract = &contract};
        if (check->vectors && vectors)
            vectors_add(vectors, check->vectors, &cases, error, sizeof error);
        good = compare_cases(formulas, &cases);
        for (uint64_t seed = first; seed < first + seeds && good; seed++) {
            cases = (Cases){.contract = &contract};
            draw_fresh(check, seed, &cases);
            good = compare_cases(formulas, &cases);
        }
    }
    vectors_close(vectors);
    good = report(formulas) && good;
    formulas_free(formulas);
    return good ? 0 : 1;
}
