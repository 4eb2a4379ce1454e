/* contract.c: what a lesson's header gives, and how one that is wrong is refused. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

const char lesson_name[] = "00_contract";

static Contract contract;
static char error[512];

static bool read_header(const char *text)
{
    const char *path = temporary_file(text);
    bool good = contract_read(&contract, path, error, sizeof error);
    unlink(path);
    return good;
}

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_header_gives_roles_and_shapes(void)
{
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, "checker/tests/small.h", error, sizeof error),
                             error);
    const Function *line = contract_find(&contract, "line"), *sum = contract_find(&contract, "sum");
    TEST_ASSERT_EQUAL(2, contract.count);
    TEST_ASSERT_EQUAL(6, line->count);
    TEST_ASSERT_EQUAL(OUTPUT, line->params[0].role);
    TEST_ASSERT_EQUAL_STRING("rows", line->params[0].dims[0].text);
    TEST_ASSERT_EQUAL_STRING("n", line->params[0].dims[1].text);
    TEST_ASSERT_EQUAL(INPUT, line->params[1].role);
    TEST_ASSERT_EQUAL(1, line->params[2].dim_count);
    TEST_ASSERT_EQUAL(SIZE, line->params[4].role);
    TEST_ASSERT_EQUAL(SCALAR, line->params[5].role);
    TEST_ASSERT_TRUE(sum->returns);
    TEST_ASSERT_EQUAL(RETURNED, sum->params[sum->count - 1].role);
}

static void test_an_array_can_be_read_and_written(void)
{
    TEST_ASSERT_TRUE(read_header("void f(float *running, /* n, read and written */ int n);"));
    TEST_ASSERT_EQUAL(IN_OUT, contract.functions[0].params[0].role);
}

static void test_a_header_that_is_wrong_is_refused_with_its_line(void)
{
    static const char *const wrong[][2] = {
        {"void f(float *x, int n);", "expected the shape of x"},
        {"void f(float *x, /* m */ int n);", "no int parameter of f"},
        {"\n\nvoid f(double x);", ":3: expected float or int"},
        {"double f(int n);", "returns void, float or int"},
        {"void f(int n)", "expected \";\""},
        {"void f int n);", "expected \"(\""},
        {"void f(int n int m);", "expected \",\" or \")\""},
        {"void f(const float *x, /* n, read and written */ int n);", "read and written"},
        {"void f(const float *x, /* n, or zero */ int n);", "expected \"or NULL\", or nothing"},
        {"void f(float *x, /* n x n x n x n x n */ int n);", "more than 4 dimensions"},
        {"void f(float *x, /* 2 n */ int n);", "expected *, + or x, found \"n\""},
        {"void f(float *x, /* n - 1 */ int n);", "expected *, + or x, found \"- 1\""},
        {"void f(float *x, /* n + */ int n);", "expected a number or an int parameter, found \"\""},
        {"void f(float *x, /* 0 x n */ int n);", "expected a number or an int"},
        {"void f(float *x, /* 9999999 */ int n);", "expected a number or an int"},
        {"void f(float *x, /* 2a */ int n);", "found \"2a\""},
        {"void f(float *x, /* n + n + n */ int n);", "adds more than 2 terms"},
        {"void f(float *x, /* n * n * n */ int n);", "multiplies more than 2 names"},
        {"void f(float *x, /* x n */ int n);", "expected the shape of x"},
        {"void f(float *x, /* n x */ int n);", "expected the shape of x"},
        {"void f(\n\nint *keep, /* n */ int n);", ":3: expected const in front of int *keep"},
        {"void f(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int "
         "l,"
         " int m, int n, int o, int p, int q);",
         "more than 16 parameters"},
        {"void f(float a, float b, float c, float d, float e, float g, float h, float i, float j);",
         "more than 8 float parameters"},
        {"/* nothing */", "declares no function"},
        {"", "declares no function"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TEST_ASSERT_FALSE_MESSAGE(read_header(wrong[i][0]), wrong[i][0]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, wrong[i][1]), error);
    }
    TEST_ASSERT_FALSE(contract_read(&contract, "/nowhere/at/all.h", error, sizeof error));
}

static Param param_of(const char *name)
{
    int p = param_index(&contract.functions[0], name);
    TEST_ASSERT_TRUE_MESSAGE(p >= 0, name);
    return contract.functions[0].params[p];
}

static void test_an_array_may_hold_ints_and_a_pointer_may_be_null(void)
{
    TEST_ASSERT_TRUE_MESSAGE(
        read_header("int f(const int *keep, /* n */ const float *beta, /* n, or NULL */\n"
                    "float *y, /* n, read and written, or NULL */ int n);"),
        error);
    TEST_ASSERT_TRUE(param_of("keep").is_int && param_of("keep").role == INPUT);
    TEST_ASSERT_TRUE(!param_of("keep").may_be_null);
    TEST_ASSERT_TRUE(param_of("beta").may_be_null && !param_of("beta").is_int);
    TEST_ASSERT_TRUE(param_of("y").may_be_null && param_of("y").role == IN_OUT);
    TEST_ASSERT_TRUE(param_of("return").is_int && param_of("return").role == RETURNED);
}

/* The lengths of y's dimensions where n is 3 and m 5. */
static void expect_dimensions(const char *shape, int count, const int *expected)
{
    char header[200];
    snprintf(header, sizeof header, "void f(float *y, /** %s **/ int n, int m);", shape);
    TEST_ASSERT_TRUE_MESSAGE(read_header(header), error);
    Cases cases = {.contract = &contract};
    Case *c = case_new(&cases, "f");
    set_size(c, "n", 3);
    set_size(c, "m", 5);
    TEST_ASSERT_EQUAL_MESSAGE(count, param_of("y").dim_count, shape);
    for (int d = 0; d < count; d++)
        TEST_ASSERT_EQUAL_MESSAGE(expected[d], dimension(c, 0, d), shape);
    cases_free(&cases);
}

static void test_a_dimension_is_a_sum_of_products(void)
{
    expect_dimensions("n", 1, (int[]){3});
    expect_dimensions("4 x m", 2, (int[]){4, 5});
    expect_dimensions("4 * n x m", 2, (int[]){12, 5});
    expect_dimensions("4*n x n+1", 2, (int[]){12, 4});
    expect_dimensions("2 + n", 1, (int[]){5});
    expect_dimensions("n * m + 2 * n", 1, (int[]){21});
    expect_dimensions("2 * 3 * m x n", 2, (int[]){30, 3});
    expect_dimensions("n x m x n x m", 4, (int[]){3, 5, 3, 5});
    expect_dimensions("4 x n\n   * x m", 3, (int[]){4, 3, 5});
}

static void test_a_size_below_zero_leaves_an_array_without_elements(void)
{
    TEST_ASSERT_TRUE_MESSAGE(read_header("void f(float *y, /* n + 1 x 2 */ int n);"), error);
    Cases cases = {.contract = &contract};
    Case *c = case_new(&cases, "f");
    set_size(c, "n", -7);
    TEST_ASSERT_EQUAL(0, case_length(c, 0));
    set_size(c, "n", 0);
    TEST_ASSERT_EQUAL(2, case_length(c, 0));
    cases_free(&cases);
}

/* The widest functions of the second track. */
static void test_the_second_tracks_headers_are_read(void)
{
    static const char *const headers[] = {
        "void merge_statistics(float *mean, /* rows */ float *variance, /* rows */\n"
        "const float *mean_a, /* rows */ const float *variance_a, /* rows */\n"
        "const float *mean_b, /* rows */ const float *variance_b, /* rows */\n"
        "int rows, int features_a, int features_b);",
        "void layer_norm_axis(float *y, /* outer x features x inner */\n"
        "const float *x, /* outer x features x inner */\n"
        "int outer, int features, int inner, float eps);",
        "void layer_norm_image(float *y, /* batch x channels x height x width */\n"
        "const float *x, /* batch x channels x height x width */\n"
        "const float *gamma, /* channels x height x width */\n"
        "const float *beta, /* channels x height x width */\n"
        "int batch, int channels, int height, int width, float eps);",
        "void layer_norm_series(float *y, /* batch x time x channels */\n"
        "const float *x, /* batch x time x channels */ const int *length, /* batch */\n"
        "const float *gamma, /* channels */ const float *beta, /* channels */\n"
        "int batch, int time, int channels, float eps);",
        "void group_norm(float *y, /* batch x channels x pixels */ float *mean, /* batch x groups "
        "*/\n"
        "float *rstd, /* batch x groups */ const float *x, /* batch x channels x pixels */\n"
        "const float *gamma, /* channels */ const float *beta, /* channels */\n"
        "int batch, int channels, int pixels, int groups, float eps);",
        "void encoder_block(float *y,             /* batch x time x features */\n"
        "                   const float *x,       /* batch x time x features */\n"
        "                   const int *keep,      /* batch x time */\n"
        "                   const float *attention_w, /* 4 x features x features */\n"
        "                   const float *attention_b, /* 4 x features */\n"
        "                   const float *w1,      /* hidden x features */\n"
        "                   const float *b1,      /* hidden */\n"
        "                   const float *w2,      /* features x hidden */\n"
        "                   const float *b2,      /* features */\n"
        "                   const float *norms,   /* 4 x features */\n"
        "                   int batch, int time, int features, int heads, int hidden, float eps);",
        "void post_norm_backward(float *dx, /* rows x features */ float *dbranch, /* rows x "
        "features */\n"
        "float *dgamma, /* features */ float *dbeta, /* features */\n"
        "const float *dy, /* rows x features */ const float *x, /* rows x features */\n"
        "const float *branch, /* rows x features */ const float *gamma, /* features */\n"
        "const float *mean, /* rows */ const float *rstd, /* rows */ int rows, int features);",
        "void lstm_project_backward(float *dx, /* batch x inputs */\n"
        "float *dw, /* 4 * hidden x inputs */ float *dgamma, /* 4 * hidden */\n"
        "const float *da, /* batch x 4 * hidden */ const float *x, /* batch x inputs */\n"
        "const float *w, /* 4 * hidden x inputs */ const float *gamma, /* 4 * hidden */\n"
        "int batch, int inputs, int hidden, float eps);",
        "void deep_forward(float *h, /* layers x rows x features */ const float *x, /* rows x "
        "features */\n"
        "const float *w, /* layers x features x features */\n"
        "int layers, int rows, int features, int normalized, float eps);",
        "void momentum_step(float *parameter, /* count, read and written */\n"
        "float *velocity, /* count, read and written */ const float *gradient, /* count */\n"
        "int count, float rate, float momentum, float decay);",
        "void adaptive_norm_backward(float *dx, /* rows x features */ float *dparameters, /* 6 x "
        "features */\n"
        "const float *dy, /* rows x features */ const float *x, /* rows x features */\n"
        "const float *parameters, /* 6 x features */ int rows, int features, float eps);",
        "void sparse_norm_linear(float *y, /* rows x outputs */ const float *base, /* rows */\n"
        "const float *delta, /* nonzeros */ const int *start, /* rows + 1 */\n"
        "const int *column, /* nonzeros */ const float *w, /* outputs x features */\n"
        "const float *gamma, /* features */ const float *wg, /* outputs */\n"
        "const float *wb, /* outputs */ int rows, int features, int nonzeros, int outputs);",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        TEST_ASSERT_TRUE_MESSAGE(read_header(headers[i]), error);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_header_gives_roles_and_shapes);
    RUN_TEST(test_an_array_can_be_read_and_written);
    RUN_TEST(test_a_header_that_is_wrong_is_refused_with_its_line);
    RUN_TEST(test_an_array_may_hold_ints_and_a_pointer_may_be_null);
    RUN_TEST(test_a_dimension_is_a_sum_of_products);
    RUN_TEST(test_a_size_below_zero_leaves_an_array_without_elements);
    RUN_TEST(test_the_second_tracks_headers_are_read);
    return UNITY_END();
}
