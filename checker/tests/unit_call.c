/* A call all the way to the worker and back, with what lessons 01 to 05 do not have: arrays of
 * ints, NULL, sixteen parameters, functions that return int. */
#include "box.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unity.h"

const Lesson lesson = {.title = ""}; /* for the linker: no lesson is graded here */
const char lesson_name[] = "00_call";

#define HEADER "build/tests/unit_call.h"
#define SOURCE "build/tests/unit_call_learner.c"

static const char header[] =
    "int count(const int *keep, /* n */ int n);\n"
    "int is_null(const float *beta, /* n, or NULL */ float *y, /* n, or NULL */ int n);\n"
    "void wide(float *y, /* 2 * n + 1 */ const float *a, /* n */ const float *b, /* n */\n"
    "const int *c, /* n */ const float *d, /* n, or NULL */ const float *e, /* n */\n"
    "const float *f, /* n */ const float *g, /* 3 x n */ const int *h, /* 1 */\n"
    "int n, int i, int j, float k, int l, float m, int o);\n"
    "void spoils(const int *keep, /* n */ int n);\n";

static const char source[] =
    "#include <stddef.h>\n"
    "int count(const int *keep, int n) {\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i < n; i++) sum += keep[i];\n"
    "    return sum; }\n"
    "int is_null(const float *beta, float *y, int n) {\n"
    "    for (int i = 0; y && i < n; i++) y[i] = beta ? beta[i] : -1;\n"
    "    return (beta == NULL) + 2 * (y == NULL); }\n"
    "void wide(float *y, const float *a, const float *b, const int *c, const float *d,\n"
    "          const float *e, const float *f, const float *g, const int *h, int n, int i, int j,\n"
    "          float k, int l, float m, int o) {\n"
    "    for (int at = 0; at <= 2 * n; at++)\n"
    "        y[at] = a[0] + b[0] + c[0] + (d ? d[0] : 0) + e[0] + f[0] + g[3 * n - 1] + h[0];\n"
    "    y[0] = i + 10 * j + k + 1000 * l + m + 10000 * o; }\n"
    "void spoils(const int *keep, int n) { ((int *)keep)[n - 1] = 7; }\n";

static Contract contract;
static Cases cases;
static Runner *runner;
static Answer answer;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    TEST_ASSERT_TRUE(fputs(text, file) >= 0);
    fclose(file);
}

void setUp(void)
{
    static char error[8192];
    const char *advice;
    write_file(HEADER, header);
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, HEADER, error, sizeof error), error);
    cases = (Cases){.contract = &contract};
    runner = runner_start(&processes,
                          &(RunnerOptions){.source = SOURCE,
                                           .text = source,
                                           .length = strlen(source),
                                           .header = "include/01_layer_norm.h",
                                           .call_limit = 2,
                                           .memory_limit = (size_t)1 << 30,
                                           .printed_limit = (size_t)1 << 20},
                          error, sizeof error, &advice);
    TEST_ASSERT_NOT_NULL_MESSAGE(runner, error);
}

void tearDown(void)
{
    answer_free(&answer);
    if (runner)
        processes.stop(runner);
    cases_free(&cases);
    unlink(HEADER);
}

static void call(const Case *c)
{
    answer_free(&answer);
    processes.call(runner, c, &answer);
    TEST_ASSERT_EQUAL_MESSAGE(ANSWERED, answer.ending, answer.reason);
}

static double returned(const Case *c)
{
    int p = param_index(c->function, "return");
    return value_at(&c->function->params[p], answer.left[p], 0);
}

static void test_ints_arrive_and_an_int_comes_back(void)
{
    Case *c = case_new(&cases, "count");
    set_size(c, "n", 3);
    memcpy(fill_ints(c, "keep"), (int[]){2000000000, 1, -3}, 3 * sizeof(int));
    call(c);
    TEST_ASSERT_TRUE(returned(c) == 1999999998); /* no float holds that */
    *wanted(c, "return") = exact(1999999998);
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).right);
    *wanted(c, "return") = exact(1999999997);
    TEST_ASSERT_FALSE(judge(c, &answer, NULL).right);
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).got == 1999999998);
}

static void test_null_arrives_as_null_and_has_no_elements(void)
{
    Case *c = case_new(&cases, "is_null");
    set_size(c, "n", 2);
    fill(c, "beta")[0] = fill(c, "beta")[1] = 5;
    call(c);
    TEST_ASSERT_TRUE(returned(c) == 0);
    set_null(c, "beta");
    call(c);
    TEST_ASSERT_TRUE(returned(c) == 1);
    wanted(c, "y")[0] = wanted(c, "y")[1] = exact(-1);
    *wanted(c, "return") = exact(1);
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).right);
    set_null(c, "y");
    call(c);
    TEST_ASSERT_TRUE(returned(c) == 3);
    TEST_ASSERT_EQUAL(0, case_length(c, param_index(c->function, "y")));
    *wanted(c, "return") = exact(3);
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).right);
}

static void test_sixteen_parameters_are_handed_over_in_their_places(void)
{
    Rng rng;
    rng_seed(&rng, 1);
    Case *c = case_new(&cases, "wide");
    static const char *const arrays[] = {"a", "b", "d", "e", "f", "g"};
    static const char *const sizes[] = {"i", "j", "l", "o"};
    set_size(c, "n", 4);
    for (int i = 0; i < 4; i++)
        set_size(c, sizes[i], i + 1);
    for (int i = 0; i < 6; i++)
        for (size_t k = 0; k < 4u * (i == 5 ? 3 : 1); k++)
            fill(c, arrays[i])[k] = (float)(1 << i);
    *fill_ints(c, "c") = 64;
    *fill_ints(c, "h") = 128;
    set_scalar(c, "k", 0.5f);
    set_scalar(c, "m", 0.25f);
    call(c);
    TEST_ASSERT_EQUAL(9, case_length(c, 0));
    TEST_ASSERT_TRUE(answer.left[0][0] == 43021.75f);
    TEST_ASSERT_TRUE(answer.left[0][8] == 255);
    set_null(c, "d");
    call(c);
    TEST_ASSERT_TRUE(answer.left[0][8] == 255 - 4);
}

static void test_an_input_of_ints_can_not_be_written(void)
{
    Case *c = case_new(&cases, "spoils");
    set_size(c, "n", 3);
    memset(fill_ints(c, "keep"), 0, 3 * sizeof(int));
    processes.call(runner, c, &answer);
    TEST_ASSERT_EQUAL(CRASHED, answer.ending);
    TEST_ASSERT_EQUAL_STRING("writes to its input keep at " SOURCE ":15", answer.reason);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_ints_arrive_and_an_int_comes_back);
    RUN_TEST(test_null_arrives_as_null_and_has_no_elements);
    RUN_TEST(test_sixteen_parameters_are_handed_over_in_their_places);
    RUN_TEST(test_an_input_of_ints_can_not_be_written);
    return UNITY_END();
}
