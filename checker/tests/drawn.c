/* What the seeds of a lesson draw, as one sum for each check: for compilers to be held against each
 * other. It is the lesson's program with this main(): drawn SEEDS. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>

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

int main(int argc, char **argv)
{
    static Contract contract;
    char error[512];
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
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
