/* rows.c: what "as a row" may stand behind, and that its bounds hold whatever was rounded before.
 * And what lesson 10 needs of a formula beside it: "unknown", "for some", what is added to a sum.
 */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

const Lesson lesson = {"Rows", NULL, NULL, NULL, .defaults = NULL};
const char lesson_name[] = "00_rows";

enum { ROWS = 2, N = 4 };
static const char header[] =
    "void row(float *y, /* rows x n */ const float *x, /* rows x n */\n"
    "         const int *keep, /* rows x n */ int rows, int n, float eps);\n";

static const char shares[] =
    "row r: rows, j: n, k: n\n"
    "    score[r, j] = (x[r, j] + 1) - 1\n"
    "    top[r] = largest over j where keep[r, j] != 0 of score[r, j]\n"
    "    e[r, j] = exp(score[r, j] - top[r]) where keep[r, j] != 0 else 0\n"
    "    total[r] = sum over j of e[r, j]\n"
    "    y[r, j] = e[r, j] / total[r]";
static const char norm[] = "row r: rows, j: n\n"
                           "    z[r, j] = (x[r, j] + 1) - 1\n"
                           "    mean[r] = average over j of z[r, j]\n"
                           "    variance[r] = average over j of (z[r, j] - mean[r])^2\n"
                           "    rstd[r] = 1 / sqrt(variance[r] + eps)\n"
                           "    y[r, j] = (z[r, j] - mean[r]) * rstd[r]";

static Contract contract;
static Formulas *formulas;
static Cases cases;
static char error[512];

void setUp(void)
{
    const char *path = temporary_file(header);
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, path, error, sizeof error), error);
    unlink(path);
    cases = (Cases){.contract = &contract};
    formulas = NULL;
}

void tearDown(void)
{
    formulas_free(formulas);
    cases_free(&cases);
}

static const Formula *reads(const char *text, const char *behind)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s%s\n", text, behind);
    const char *path = temporary_file(whole);
    formulas_free(formulas);
    formulas = formulas_read(path, &contract, error, sizeof error);
    unlink(path);
    return formula_find(formulas, "row");
}

/* Two rows of these numbers, of which the last of the second is not kept. */
static Case *case_of(const float x[N])
{
    Case *c = case_new(&cases, "row");
    set_size(c, "rows", ROWS);
    set_size(c, "n", N);
    set_scalar(c, "eps", 0);
    for (int i = 0; i < ROWS; i++)
        memcpy(fill(c, "x") + i * N, x, N * sizeof *x);
    for (int i = 0; i < ROWS * N; i++)
        fill_ints(c, "keep")[i] = i < ROWS * N - 1;
    return c;
}

static const Real *answers(const char *text, const char *behind, Case *c)
{
    const Formula *f = reads(text, behind);
    TEST_ASSERT_NOT_NULL_MESSAGE(f, error);
    TEST_ASSERT_TRUE(formula_answer(f, c));
    return wanted(c, "y");
}

/* softmax of three or four scores, each moved to one of its ends. */
static void expect_shares_within(const Real *y, const float *x, int n)
{
    for (int ends = 0; ends < 1 << n; ends++) {
        double z[N], top = -INFINITY, sum = 0;
        for (int i = 0; i < n; i++) {
            double off = add(add(exact(x[i]), exact(1)), exact(-1)).e;
            z[i] = x[i] + (ends >> i & 1 ? off : -off);
            top = fmax(top, z[i]);
        }
        for (int i = 0; i < n; i++)
            sum += exp(z[i] - top);
        for (int i = 0; i < n; i++)
            TEST_ASSERT_TRUE(within(exp(z[i] - top) / sum, y[i].v, y[i].e));
    }
}

static void test_a_share_s_bound_holds_however_its_scores_were_rounded(void)
{
    static const float scores[][N] = {{1, 2, 3, 0.5f},           {1000, 1001, 1002, 999},
                                      {3e5f, 3e5f, -3e5f, 0},    {7e8f, 7e8f + 64, 7e8f - 64, 7e8f},
                                      {1e30f, 1e29f, -1e30f, 1}, {-1e34f, -1e34f, 1e9f, -3}};
    for (int i = 0; i < 6; i++) {
        Case *c = case_of(scores[i]);
        const Real *y = answers(shares, ", as a row", c);
        expect_shares_within(y, scores[i], N);
        expect_shares_within(y + N, scores[i], N - 1);
        TEST_ASSERT_TRUE(y[2 * N - 1].v == 0 && y[2 * N - 1].e == 0);
        for (int k = 0; k < 2 * N; k++)
            TEST_ASSERT_TRUE(y[k].e < 1.00001);
    }
}

static void test_a_share_is_charged_hardly_more_than_its_scores_moved_it(void)
{
    static const float small[] = {1, 2, 3, 0.5f}, far[] = {1e6f, 0, -1e6f, 5e5f};
    const Real *y = answers(shares, ", as a row", case_of(small));
    for (int i = 0; i < N; i++)
        TEST_ASSERT_TRUE(y[i].e > 0 && y[i].e < 5e-6 * y[i].v);
    y = answers(shares, ", as a row", case_of(far));
    TEST_ASSERT_TRUE(y[0].v == 1 && y[0].e < 1e-6); /* half a million ahead of all others */
    TEST_ASSERT_TRUE(y[1].v == 0 && y[1].e < 1e-30);
}

static void test_step_by_step_the_same_numbers_have_endless_bounds(void)
{
    static const float large[] = {7e8f, 7e8f + 64, 7e8f - 64, 7e8f};
    Case *c = case_of(large), *same = case_of(large);
    const Real *together = answers(shares, ", as a row", c), *apart = answers(shares, "", same);
    for (int i = 0; i < ROWS * N; i++)
        TEST_ASSERT_TRUE(within(together[i].v, apart[i].v, 0));
    TEST_ASSERT_TRUE(isinf(apart[0].e) && together[0].e <= 1);
}

static void test_what_may_be_no_number_is_no_row(void)
{
    static const float large[] = {3e38f, -3e38f, 1, 2};
    Case *c = case_of(large);
    fill(c, "x")[2] = NAN;
    const Real *y = answers(shares, ", as a row", c);
    TEST_ASSERT_TRUE(isnan(y[0].v));
}

static void test_a_norm_is_charged_for_the_row_as_a_whole(void)
{
    static const float x[] = {1, 2, 4, 8};
    Real z[N], hat[N];
    for (int i = 0; i < N; i++)
        z[i] = sub(add(exact(x[i]), exact(1)), exact(1));
    normalized_row(hat, z, N, 0);
    Case *c = case_of(x), *same = case_of(x);
    const Real *y = answers(norm, ", as a row", c), *apart = answers(norm, "", same);
    for (int i = 0; i < ROWS * N; i++) {
        TEST_ASSERT_TRUE(y[i].v == hat[i % N].v && y[i].e == hat[i % N].e);
        TEST_ASSERT_TRUE(within(apart[i].v, y[i].v, 0));
        TEST_ASSERT_TRUE(apart[i].e > y[i].e);
    }
}

/* With one part of the text another one. */
static bool reads_changed(const char *text, const char *part, const char *by)
{
    char changed[1024];
    const char *at = strstr(text, part);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, part);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    return reads(changed, ", as a row") != NULL;
}

static void test_as_a_row_stands_behind_nothing_else(void)
{
    static const char *const other[][3] = {
        {shares, "largest over j where", "smallest over j where"},
        {shares, "largest over j where keep[r, j] != 0 of score", "largest over j of score"},
        {shares, "of score[r, j]", "of x[r, j]"},
        {shares, "else 0", "else 1"},
        {shares, "exp(score[r, j] - top[r])", "exp(score[r, j])"},
        {shares, "sum over j of e[r, j]", "average over j of e[r, j]"},
        {shares, "sum over j of e[r, j]", "sum over j where j < 2 of e[r, j]"},
        {shares, "sum over j of e[r, j]", "sum over k of e[r, k]"},
        {shares, "e[r, j] / total[r]", "e[r, j] * total[r]"},
        {norm, "average over j of z[r, j]", "sum over j of z[r, j]"},
        {norm, "average over j of z[r, j]", "average over j of x[r, j]"},
        {norm, "^2", "^4"},
        {norm, "1 / sqrt", "2 / sqrt"},
        {norm, "variance[r] + eps", "variance[r] + x[r, 0]"},
        {norm, "(z[r, j] - mean[r]) * rstd[r]", "(z[r, j] + mean[r]) * rstd[r]"},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        TEST_ASSERT_FALSE_MESSAGE(reads_changed(other[i][0], other[i][1], other[i][2]),
                                  other[i][2]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, ": \"as a row\" stands behind"), error);
    }
    TEST_ASSERT_NULL(reads(shares, ", as a number"));
}

/* Of the scores a row is made again; of its own lines it is none any more. */
static void test_a_change_of_its_own_lines_is_followed_step_by_step(void)
{
    static const float large[] = {7e8f, 7e8f + 64, 7e8f - 64, 7e8f};
    const Formula *f = reads(shares, ", as a row");
    TEST_ASSERT_NOT_NULL_MESSAGE(f, error);
    Evaluation *e = evaluation_new(f, case_of(large));
    Real right, wrong;
    TEST_ASSERT_TRUE(evaluation_element(e, answer_quantity(f, 0), 0, &right));
    for (int q = 0; q < f->quantity_count; q++) {
        bool own = strcmp(f->quantities[q].name, "score") != 0;
        evaluation_changed(e, (uint64_t)1 << q);
        TEST_ASSERT_TRUE(evaluation_element(e, answer_quantity(f, 0), 0, &wrong));
        TEST_ASSERT_TRUE(within(wrong.v, right.v, 0));
        TEST_ASSERT_TRUE(own ? isinf(wrong.e) : wrong.e == right.e);
    }
    evaluation_free(e);
}

static void test_all_of_a_row_is_known_with_its_first_number(void)
{
    static const float x[] = {1, 2, 3, 4};
    const Formula *f = reads(shares, ", as a row");
    Evaluation *e = evaluation_new(f, case_of(x));
    Real value;
    int y = answer_quantity(f, 0);
    TEST_ASSERT_TRUE(evaluation_element(e, y, N, &value));
    for (size_t i = 0; i < ROWS * N; i++)
        TEST_ASSERT_EQUAL(i >= N, e->kept[y].known[i]);
    evaluation_free(e);
}

static void test_what_is_unknown_promises_nothing(void)
{
    static const float x[] = {1, 2, 3, 4};
    const Real *y = answers("row r: rows, j: n\n    y[r, j] = unknown where x[r, j] > 2 else 7", "",
                            case_of(x));
    TEST_ASSERT_TRUE(y[0].v == 7 && y[0].e == 0);
    TEST_ASSERT_TRUE(isinf(y[2].e) && !certainly_nan(y[2]));
    y = answers("row r: rows, j: n\n    z[r] = unknown\n    y[r, j] = x[r, j] + z[r]", "",
                case_of(x));
    TEST_ASSERT_TRUE(isinf(y[0].e));
}

static void test_a_rule_may_ask_for_some_place(void)
{
    static const char text[] = "row r: rows, j: n\n"
                               "    only where keep[r, j] != 0 for some j: none is kept\n"
                               "    y[r, j] = x[r, j]";
    static const float x[] = {1, 2, 3, 4};
    for (int kept = 0; kept < 3; kept++) {
        Case *c = case_of(x);
        for (int i = 0; i < ROWS * N; i++)
            fill_ints(c, "keep")[i] = kept == 2 ? i % N == 3 : kept && i < N;
        answers(text, "", c);
        if (kept < 2)
            TEST_ASSERT_EQUAL_STRING("none is kept", c->ruled_out);
        else
            TEST_ASSERT_NULL(c->ruled_out);
    }
    TEST_ASSERT_FALSE(reads_changed(text, "some j", "some r"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, "expected the last of its axes"), error);
    TEST_ASSERT_FALSE(reads_changed(text, "some j", "some z"));
}

/* Whoever begins with what is added to a sum rounds it with every term. */
static void test_what_is_added_to_a_sum_may_be_its_first_term(void)
{
    static const float x[] = {1e-3f, 1e-3f, 1e-3f, 1e6f};
    static const char *const ways[] = {"x[r, 3] + sum over k of x[r, k]",
                                       "(sum over k of x[r, k]) + x[r, 3]",
                                       "-(-x[r, 3] - sum over k of x[r, k])"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text, "row r: rows, j: n, k: n\n    y[r, j] = %s", ways[i]);
        const Real *y = answers(text, "", case_of(x));
        Real plain = add(exact(1e6), total((Sum){1e6, 0, 1e6, N}));
        TEST_ASSERT_TRUE(fabs(y[0].e - plain.e - N * UNIT_ROUNDOFF * 1e6) < 1e-3 * plain.e);
        const Real *some = answers("row r: rows, j: n, k: n\n"
                                   "    y[r, j] = x[r, 3] + sum over k where k < 1 of x[r, k]",
                                   "", case_of(x));
        TEST_ASSERT_TRUE(some[0].e < 1.01 * add(exact(1e6), exact(0)).e);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_share_s_bound_holds_however_its_scores_were_rounded);
    RUN_TEST(test_a_share_is_charged_hardly_more_than_its_scores_moved_it);
    RUN_TEST(test_step_by_step_the_same_numbers_have_endless_bounds);
    RUN_TEST(test_what_may_be_no_number_is_no_row);
    RUN_TEST(test_a_norm_is_charged_for_the_row_as_a_whole);
    RUN_TEST(test_as_a_row_stands_behind_nothing_else);
    RUN_TEST(test_a_change_of_its_own_lines_is_followed_step_by_step);
    RUN_TEST(test_all_of_a_row_is_known_with_its_first_number);
    RUN_TEST(test_what_is_unknown_promises_nothing);
    RUN_TEST(test_a_rule_may_ask_for_some_place);
    RUN_TEST(test_what_is_added_to_a_sum_may_be_its_first_term);
    return UNITY_END();
}
