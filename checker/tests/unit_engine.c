/* The engine's own parts, one by one: drawing cases, judging, naming, bounds. A small
 * lesson of its own (y = a * x + b, row by row) stands in for the real ones. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "unity.h"

enum { A_MISSING, B_MISSING, A_SQUARED, B_TWICE, BY_ZERO, TIMES };
/* Four mistakes with one effect, and two pairs with one. */
static const float times[] = {7, 7, 7, 7, 2, 15, 3, 10};
static const Mistake test_mistakes[] = {
    {"a_missing", "line", "a is left out", "a multiplies", "A"},
    {"b_missing", "line", "b is left out", "b is added", "B"},
    {"a_squared", "line", "a is squared", "once", "C"},
    {"b_twice", "line", "b is added twice", "once", "D"},
    {"by_zero", "line", "all but one element are left to chance", "none is", "E"},
    {"7a", "line", "", "", ""},
    {"7b", "line", "", "", ""},
    {"7c", "line", "", "", ""},
    {"7d", "line", "", "", ""},
    {"2", "line", "", "", ""},
    {"15", "line", "", "", ""},
    {"3", "line", "", "", ""},
    {"10", "line", "", "", ""},
    {0},
};

static int worked_out; /* how often */

static void line_oracle(Case *c, Mistakes m)
{
    worked_out++;
    const float *x = given(c, "x"), *a = given(c, "a");
    Real *y = wanted(c, "y");
    for (int i = 0; i < size_of(c, "rows") * size_of(c, "n"); i++) {
        Real factor = exact(has(m, A_MISSING) ? 1 : a[i % size_of(c, "n")]);
        if (has(m, A_SQUARED))
            factor = square(factor);
        Real shift = exact((has(m, B_MISSING) ? 0 : has(m, B_TWICE) ? 2 : 1) * scalar_of(c, "b"));
        y[i] = add(mul(factor, exact(x[i])), shift);
        for (int t = 0; t < 8; t++)
            if (has(m, TIMES + t))
                y[i] = mul(y[i], exact(times[t]));
        if (has(m, BY_ZERO))
            y[i] = i ? divide(y[i], exact(0)) : mul(y[i], exact(3));
    }
}

static const Step test_steps[] = {{"line", line_oracle, NULL}, {0}};
static const Check test_checks[] = {{"line", "line is a line", NULL, NULL, NULL}, {0}};
const Lesson lesson = {"A line", test_steps, test_checks, test_mistakes, .defaults = NULL};
const char lesson_name[] = "00_line";

static Contract contract;
static Cases cases;
static char error[512];

void setUp(void)
{
    Rng rng;
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, "checker/tests/small.h", error, sizeof error),
                             error);
    cases = (Cases){.contract = &contract};
    rng_seed(&rng, 7);
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(&rng, i);
        Case *c = case_new(&cases, "line");
        set_size(c, "rows", shape.rows);
        set_size(c, "n", shape.features);
        set_scalar(c, "b", 0.5f);
        fill_rows(c, "x", &rng, shape.spread, shape.offset);
        fill_rest(c, &rng);
        line_oracle(c, 0);
    }
}

void tearDown(void)
{
    cases_free(&cases);
}

static void answer_with(Case *c, Answer *answer, Mistakes m)
{
    int y = param_index(c->function, "y"), x = param_index(c->function, "x");
    *answer = (Answer){.ending = ANSWERED};
    line_oracle(c, m);
    answer->left[y] = calloc(case_length(c, y), sizeof(float));
    answer->left[x] = calloc(case_length(c, x), sizeof(float));
    for (size_t i = 0; i < case_length(c, y); i++)
        answer->left[y][i] = (float)c->wanted[y][i].v;
    memcpy(answer->left[x], c->given[x], case_length(c, x) * sizeof(float));
    line_oracle(c, 0);
}

static void drop(Answer *answer)
{
    for (int p = 0; p < MAX_PARAMS; p++)
        free(answer->left[p]);
}

/* ---- cases.c ---- */
static void test_the_same_seed_draws_the_same_cases(void)
{
    Rng a, b, other;
    rng_seed(&a, 99);
    rng_seed(&b, 99);
    rng_seed(&other, 100);
    int differ = 0;
    for (int i = 0; i < 100; i++) {
        double x = normal(&a);
        TEST_ASSERT_TRUE(x == normal(&b));
        differ += x != normal(&other);
    }
    TEST_ASSERT_EQUAL(100, differ);
}

static void test_random_numbers_have_the_mean_and_the_spread_they_should(void)
{
    Rng rng;
    double sum = 0, squares = 0;
    rng_seed(&rng, 1);
    for (int i = 0; i < 100000; i++) {
        double x = normal(&rng);
        sum += x;
        squares += x * x;
    }
    TEST_ASSERT_TRUE(fabs(sum / 100000) < 0.02);
    TEST_ASSERT_TRUE(fabs(squares / 100000 - 1) < 0.02);
}

/* ---- judge.c ---- */
static void test_a_right_answer_is_right(void)
{
    for (int i = 0; i < cases.count; i++) {
        Answer answer;
        answer_with(&cases.items[i], &answer, 0);
        TEST_ASSERT_TRUE(judge(&cases.items[i], &answer, NULL).right);
        drop(&answer);
    }
}

static void test_one_wrong_element_is_found_and_shown(void)
{
    Case *c = &cases.items[0]; /* 3 x 5 */
    Answer answer;
    char name[64];
    answer_with(c, &answer, 0);
    answer.left[0][7] += 1;
    Judgement verdict = judge(c, &answer, NULL);
    element_name(c, verdict.param, verdict.index, name, sizeof name);
    TEST_ASSERT_FALSE(verdict.right);
    TEST_ASSERT_EQUAL_STRING("y[1][2]", name);
    TEST_ASSERT_TRUE(judge(c, &answer, "other").right);
    TEST_ASSERT_FALSE(judge(c, &answer, "other y").right);
    TEST_ASSERT_TRUE(judge(c, &answer, "other yy").right);
    drop(&answer);
}

static void test_nan_and_infinity_are_never_right(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        Answer answer;
        answer_with(&cases.items[0], &answer, 0);
        answer.left[0][14] = bad[i];
        TEST_ASSERT_FALSE(judge(&cases.items[0], &answer, NULL).right);
        drop(&answer);
    }
}

static void test_where_nan_is_certain_it_is_right_and_nothing_else_is(void)
{
    static const uint32_t marks[] = {UNTOUCHED_BITS, ADDED_TO_BITS};
    Case *c = &cases.items[0];
    Answer answer;
    answer_with(c, &answer, 0);
    Real kept = c->wanted[0][3];
    c->wanted[0][3] = exact(NAN);
    TEST_ASSERT_FALSE(judge(c, &answer, NULL).right);
    answer.left[0][3] = INFINITY;
    TEST_ASSERT_FALSE(judge(c, &answer, NULL).right);
    for (int i = 0; i < 2; i++) { /* NaNs that were there before the call */
        memcpy(&answer.left[0][3], &marks[i], sizeof marks[i]);
        TEST_ASSERT_FALSE(judge(c, &answer, NULL).right);
    }
    answer.left[0][3] = -NAN;
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).right);
    c->wanted[0][3] = kept;
    drop(&answer);
}

static void test_an_element_that_was_never_written_is_told_from_nan(void)
{
    Answer answer;
    uint32_t bits = UNTOUCHED_BITS;
    answer_with(&cases.items[0], &answer, 0);
    memcpy(&answer.left[0][3], &bits, sizeof bits);
    TEST_ASSERT_TRUE(judge(&cases.items[0], &answer, NULL).unwritten);
    answer.left[0][3] = NAN;
    TEST_ASSERT_FALSE(judge(&cases.items[0], &answer, NULL).unwritten);
    drop(&answer);
}

static void test_the_worst_of_the_wrong_elements_is_shown(void)
{
    Answer answer;
    answer_with(&cases.items[0], &answer, 0);
    answer.left[0][2] += 1;
    answer.left[0][7] += 100;
    answer.left[0][9] += 10;
    TEST_ASSERT_EQUAL(7, judge(&cases.items[0], &answer, NULL).index);
    drop(&answer);
}

static void test_an_element_that_was_only_added_to_is_told(void)
{
    Answer answer;
    uint32_t bits = ADDED_TO_BITS;
    answer_with(&cases.items[0], &answer, 0);
    memcpy(&answer.left[0][3], &bits, sizeof bits);
    Judgement verdict = judge(&cases.items[0], &answer, NULL);
    TEST_ASSERT_TRUE(verdict.added_to && !verdict.unwritten);
    drop(&answer);
}

static void test_an_input_that_was_written_to_is_wrong(void)
{
    Answer answer;
    answer_with(&cases.items[0], &answer, 0);
    answer.left[1][4] = 0;
    Judgement verdict = judge(&cases.items[0], &answer, NULL);
    TEST_ASSERT_TRUE(!verdict.right && verdict.input_changed && verdict.index == 4);
    drop(&answer);
}

static void test_the_allowed_error_is_rounding_and_no_more(void)
{
    Answer answer;
    Case *c = &cases.items[0];
    answer_with(c, &answer, 0);
    Real first = c->wanted[0][0];
    answer.left[0][0] = (float)(first.v + 0.9 * first.e);
    TEST_ASSERT_TRUE(judge(c, &answer, NULL).right);
    answer.left[0][0] = (float)(first.v + 3 * first.e);
    TEST_ASSERT_FALSE(judge(c, &answer, NULL).right);
    TEST_ASSERT_TRUE(first.e < 1e-5 * fmax(1, fabs(first.v)));
    drop(&answer);
}

/* ---- diagnose.c ---- */
static Diagnosis diagnose_all(Mistakes m, float extra)
{
    Answer answers[SHAPES];
    for (int i = 0; i < cases.count; i++) {
        answer_with(&cases.items[i], &answers[i], m);
        answers[i].left[0][0] += extra;
    }
    Diagnosis found =
        diagnose(&test_steps[0], NULL, cases.items, answers, cases.count, INFINITY, lesson_answer);
    for (int i = 0; i < cases.count; i++)
        drop(&answers[i]);
    return found;
}

static void test_each_mistake_and_each_pair_is_named(void)
{
    for (int a = 0; a < 4; a++) {
        Diagnosis found = diagnose_all((Mistakes)1 << a, 0);
        TEST_ASSERT_EQUAL(1, found.count);
        TEST_ASSERT_EQUAL(a, found.mistakes[0]);
    }
    Diagnosis both = diagnose_all((Mistakes)1 << A_SQUARED | (Mistakes)1 << B_MISSING, 0);
    TEST_ASSERT_EQUAL(2, both.count);
    TEST_ASSERT_TRUE(both.together && both.mistakes[0] == B_MISSING &&
                     both.mistakes[1] == A_SQUARED);
}

static void test_numbers_without_a_known_cause_are_given_none(void)
{
    TEST_ASSERT_EQUAL(0, diagnose_all((Mistakes)1 << A_SQUARED, 0.25f).count);
    TEST_ASSERT_EQUAL(0, diagnose_all(0, 0.25f).count);
    TEST_ASSERT_EQUAL(0, diagnose_all(0, 0).count);
}

static void test_more_causes_than_can_be_named_are_none(void)
{
    TEST_ASSERT_EQUAL(0, diagnose_all((Mistakes)1 << TIMES, 0).count);
}

static void test_two_pairs_that_give_the_same_numbers_are_no_cause(void)
{
    Mistakes two_times_fifteen = (Mistakes)3 << (TIMES + 4);
    TEST_ASSERT_EQUAL(0, diagnose_all(two_times_fifteen, 0).count);
    TEST_ASSERT_EQUAL(2, diagnose_all((Mistakes)5 << (TIMES + 4), 0).count); /* 2 * 3 */
}

static void test_what_a_mistake_leaves_to_chance_is_no_explanation(void)
{
    Answer answer;
    Case *c = &cases.items[0];
    answer_with(c, &answer, 0);
    answer.left[0][0] *= 3; /* pinned down; of four more wrong elements the mistake says nothing */
    for (int i = 1; i <= 2; i++)
        answer.left[0][i] += 1;
    TEST_ASSERT_EQUAL(1,
                      diagnose(&test_steps[0], NULL, c, &answer, 1, INFINITY, lesson_answer).count);
    for (int i = 3; i <= 8; i++)
        answer.left[0][i] += 1;
    TEST_ASSERT_EQUAL(0,
                      diagnose(&test_steps[0], NULL, c, &answer, 1, INFINITY, lesson_answer).count);
    drop(&answer);
}

static void test_a_search_without_time_says_so_and_names_nothing(void)
{
    Answer answer;
    answer_with(&cases.items[0], &answer, (Mistakes)1 << A_SQUARED);
    Diagnosis found = diagnose(&test_steps[0], NULL, cases.items, &answer, 1, 0, lesson_answer);
    TEST_ASSERT_TRUE(found.cut_short && !found.count);
    drop(&answer);
}

static void test_diagnosing_leaves_the_right_answers_in_place(void)
{
    double before[64] = {0};
    TEST_ASSERT_TRUE(cases.count > 1 && cases.count <= 64);
    for (int i = 0; i < cases.count; i++)
        before[i] = cases.items[i].wanted[0][0].v;
    diagnose_all((Mistakes)1 << A_MISSING, 0);
    for (int i = 0; i < cases.count; i++)
        TEST_ASSERT_TRUE(before[i] == cases.items[i].wanted[0][0].v);
}

/* ---- remembered.c ---- */
/* Of each case several sets, in turn, twice; and the last one once more. */
static void test_what_is_remembered_of_a_case_is_what_its_mistakes_make_of_it(void)
{
    static const Mistakes sets[] = {0, 1 << A_MISSING, 1 << B_TWICE,
                                    1 << A_SQUARED | 1 << B_MISSING};
    remember(&cases);
    for (int i = 0; i < 12 * cases.count; i++) {
        Case *c = &cases.items[i / 12];
        Mistakes set = sets[i % 12 < 9 ? i % 4 : 3];
        int y = param_index(c->function, "y");
        size_t size = case_length(c, y) * sizeof(Real);
        Real *right = malloc(size);
        line_oracle(c, set);
        memcpy(right, c->wanted[y], size);
        memset(c->wanted[y], 0, size);
        worked_out = 0;
        remembered_answer(&test_steps[0], c, set);
        bool again = i % 12 > 8 || (i % 12 > 3 && (i < 12 || !set));
        TEST_ASSERT_EQUAL(again ? 0 : 1, worked_out);
        TEST_ASSERT_EQUAL_MEMORY(right, c->wanted[y], size);
        free(right);
    }
    remember_none();
}

/* ---- explain.c ---- */
/* The lines below a failure whose worst element is y[2][1], of 3 x 5. */
static void explain_y_2_1(uint32_t bits, char *text, size_t size)
{
    CheckResult result = {.step = "line"};
    Case *c = &cases.items[0];
    Answer answer;
    answer_with(c, &answer, 0);
    memcpy(&answer.left[0][11], &bits, sizeof bits);
    Judgement verdict = judge(c, &answer, NULL);
    explain_numbers(&result, c, &answer, &verdict);
    text[0] = '\0';
    for (int i = 0; i < MAX_DETAILS && result.details[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\n", result.details[i]);
        free(result.details[i]);
    }
    drop(&answer);
}

static void test_the_row_of_the_wrong_element_is_shown(void)
{
    char text[2048], number[24];
    const float *x = cases.items[0].given[1];
    explain_y_2_1(0x49742400u, /* a million */ text, sizeof text);
    TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(text, "y[2][1]: expected ", 18), text);
    const char *at = strstr(text, "\n  x[2] ");
    for (int i = 10; i < 15; i++) {
        TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
        snprintf(number, sizeof number, " %.6g", (double)x[i]);
        at = strstr(at, number);
    }
    static const char *const lines[] = {"\n  a ", "\n  expected ", "\n  got ", "1e+06", "^\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, lines[i]), text);
}

static void test_an_element_never_written_or_only_added_to_is_called_that(void)
{
    char text[2048];
    explain_y_2_1(UNTOUCHED_BITS, text, sizeof text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "y[2][1] was never written"), text);
    explain_y_2_1(ADDED_TO_BITS, text, sizeof text);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "y[2][1] was made from an element that was never written"), text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_same_seed_draws_the_same_cases);
    RUN_TEST(test_random_numbers_have_the_mean_and_the_spread_they_should);
    RUN_TEST(test_a_right_answer_is_right);
    RUN_TEST(test_one_wrong_element_is_found_and_shown);
    RUN_TEST(test_nan_and_infinity_are_never_right);
    RUN_TEST(test_where_nan_is_certain_it_is_right_and_nothing_else_is);
    RUN_TEST(test_an_element_that_was_never_written_is_told_from_nan);
    RUN_TEST(test_the_worst_of_the_wrong_elements_is_shown);
    RUN_TEST(test_an_element_that_was_only_added_to_is_told);
    RUN_TEST(test_an_input_that_was_written_to_is_wrong);
    RUN_TEST(test_the_allowed_error_is_rounding_and_no_more);
    RUN_TEST(test_each_mistake_and_each_pair_is_named);
    RUN_TEST(test_numbers_without_a_known_cause_are_given_none);
    RUN_TEST(test_more_causes_than_can_be_named_are_none);
    RUN_TEST(test_two_pairs_that_give_the_same_numbers_are_no_cause);
    RUN_TEST(test_what_a_mistake_leaves_to_chance_is_no_explanation);
    RUN_TEST(test_a_search_without_time_says_so_and_names_nothing);
    RUN_TEST(test_the_row_of_the_wrong_element_is_shown);
    RUN_TEST(test_an_element_never_written_or_only_added_to_is_called_that);
    RUN_TEST(test_diagnosing_leaves_the_right_answers_in_place);
    RUN_TEST(test_what_is_remembered_of_a_case_is_what_its_mistakes_make_of_it);
    return UNITY_END();
}
