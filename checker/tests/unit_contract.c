/* contract.c: what a lesson's header gives, and how one that is wrong is refused. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unity.h"

static Contract contract;
static char error[512];

static bool read_header(const char *text)
{
    char path[] = "/tmp/header.XXXXXX";
    int file = mkstemp(path);
    TEST_ASSERT_EQUAL((ssize_t)strlen(text), write(file, text, strlen(text)));
    close(file);
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
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, "checker/tests/line.h", error, sizeof error),
                             error);
    const Function *line = contract_find(&contract, "line"), *sum = contract_find(&contract, "sum");
    TEST_ASSERT_EQUAL(2, contract.count);
    TEST_ASSERT_EQUAL(6, line->count);
    TEST_ASSERT_EQUAL(OUTPUT, line->params[0].role);
    TEST_ASSERT_EQUAL_STRING("rows", line->params[0].dims[0]);
    TEST_ASSERT_EQUAL_STRING("n", line->params[0].dims[1]);
    TEST_ASSERT_EQUAL(INPUT, line->params[1].role);
    TEST_ASSERT_EQUAL(1, line->params[2].dim_count);
    TEST_ASSERT_EQUAL(SIZE, line->params[4].role);
    TEST_ASSERT_EQUAL(SCALAR, line->params[5].role);
    TEST_ASSERT_TRUE(sum->returns_float);
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
        {"int f(int n);", "returns void or float"},
        {"void f(int n)", "expected \";\""},
        {"void f int n);", "expected \"(\""},
        {"void f(int n int m);", "expected \",\" or \")\""},
        {"void f(const float *x, /* n, read and written */ int n);", "read and written"},
        {"void f(float *x, /* n x n x n x n */ int n);", "more than 3 dimensions"},
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

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_header_gives_roles_and_shapes);
    RUN_TEST(test_an_array_can_be_read_and_written);
    RUN_TEST(test_a_header_that_is_wrong_is_refused_with_its_line);
    return UNITY_END();
}
