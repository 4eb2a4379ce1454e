/* What the seeds of a lesson draw: as one sum for each check, for compilers to be held against each
 * other; or, of each function that takes eps, the largest one that every seed is sure to draw. It
 * is the lesson's program with this main(): drawn SEEDS [eps]. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum;

static void sum_of(const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void add_case(const Case *c)
{
    sum_of(c->sizes, sizeof c->sizes);
    sum_of(c->scalars, sizeof c->scalars);
    for (int p = 0; p < c->function->count; p++)
        if (is_given(c->function->params[p].role))
            sum_of(c->given[p], case_length(c, p) * sizeof(float));
}

static double largest_eps(const Contract *contract, const char *function, int param, uint64_t seed)
{
    Cases cases = {.contract = contract};
    double largest = 0;
    for (const Check *check = lesson.checks; check->step; check++)
        if (!strcmp(check->step, function))
            draw_fresh(check, seed, &cases);
    for (int k = 0; k < cases.count; k++)
        largest = fmax(largest, cases.items[k].scalars[param]);
    cases_free(&cases);
    return largest;
}

static void print_epsilons(const Contract *contract, int seeds)
{
    for (int i = 0; i < contract->count; i++) {
        const Function *f = &contract->functions[i];
        for (int p = 0; p < f->count; p++) {
            double sure = INFINITY;
            for (int seed = 0; seed < seeds && !strcmp(f->params[p].name, "eps"); seed++)
                sure = fmin(sure, largest_eps(contract, f->name, p, (uint64_t)seed));
            if (sure < INFINITY)
                printf("%s %.3f\n", f->name, sure);
        }
    }
}

int main(int argc, char **argv)
{
    static Contract contract;
    char error[512];
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    if (argc == 3) {
        print_epsilons(&contract, atoi(argv[1]));
        return 0;
    }
    for (const Check *check = lesson.checks; check->step; check++) {
        sum = 0xcbf29ce484222325u;
        for (int seed = 0; argc > 1 && seed < atoi(argv[1]); seed++) {
            Cases cases = {.contract = &contract};
            draw_fresh(check, (uint64_t)seed, &cases);
            for (int k = 0; k < cases.count; k++)
                add_case(&cases.items[k]);
            cases_free(&cases);
        }
        printf("%016" PRIx64 " %s\n", sum, check->title);
    }
    return 0;
}
