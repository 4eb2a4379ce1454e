/* changes.c, matches.c and phrases.c: from the numbers of a function that is wrong in one place to
 * the words for it.
 *
 * Right are the formulas of layer norm's backward pass and of a softmax. A wrong function is the
 * same text with one part of it replaced; what it comes to, rounded to float, is a learner's
 * answer. So nothing here knows how a change is looked for. */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

const Lesson lesson = {"Changes", NULL, NULL, NULL, .defaults = NULL};
const char lesson_name[] = "00_changes";

static const char header[] =
    "void backward(float *dx, /* rows x n */ float *dgamma, /* n */ float *dbeta, /* n */\n"
    "              const float *dy, /* rows x n */ const float *x, /* rows x n */\n"
    "              const float *gamma, /* n */ const float *other, /* n */ int rows, int n, float "
    "eps);\n"
    "void softmax(float *y, /* rows x n */ const float *x, /* rows x n */\n"
    "             const int *keep, /* n */ int rows, int n);\n"
    "void stats(float *middle, /* rows */ float *spread, /* rows */\n"
    "           const float *x, /* rows x n */ int rows, int n);\n"
    "void cases(float *middle, /* n */ const float *x, /* n */ const float *other, /* n */ int "
    "n);\n"
    "void boxes(float *total, /* n */ float *level, /* rows */ float *share, /* n */\n"
    "           const float *x, /* rows x n x deep */ int rows, int n, int deep);\n"
    "void gates(float *y, /* rows x n */ float *z, /* rows x n */ const float *x, /* rows x n */\n"
    "           const float *dy, /* rows x n */ int rows, int n);\n"
    "void starts(float *middle, /* n */ const float *x, /* n */ const float *other, /* n */ int "
    "n);\n";

static const char right[] =
    "backward   r: rows, j: n\n"
    "    mean[r]     = average over j of x[r, j], or shifted\n"
    "    variance[r] = average over j of (x[r, j] - mean[r])^2, or shifted\n"
    "    rstd[r]     = 1 / sqrt(variance[r] + eps)\n"
    "    xhat[r, j]  = (x[r, j] - mean[r]) * rstd[r]\n"
    "    g[r, j]     = gamma[j] * dy[r, j]\n"
    "    mean_g[r]   = average over j of g[r, j]\n"
    "    mean_gx[r]  = average over j of g[r, j] * xhat[r, j]\n"
    "    dx[r, j]    = rstd[r] * (g[r, j] - mean_g[r] - xhat[r, j] * mean_gx[r])\n"
    "    dgamma[j]   = sum over r of dy[r, j] * xhat[r, j]\n"
    "    dbeta[j]    = (sum over r of dy[r, j]) + other[j]\n"
    "softmax    r: rows, j: n, k: n\n"
    "    most[r]     = largest over j of x[r, j]\n"
    "    e[r, j]     = exp(x[r, j] - most[r]) where keep[j] != 0 else 0\n"
    "    y[r, j]     = e[r, j] / sum over k of e[r, k]\n"
    "stats      r: rows, j: n\n"
    "    middle[r]   = average over j of x[r, j], or shifted\n"
    "    spread[r]   = average over j of (x[r, j] - middle[r])^2, or shifted\n"
    "cases      j: n\n"
    "    middle[j]   = tanh(x[j]) where n > 3 else tanh(other[j])\n"
    "boxes      r: rows, j: n, k: deep\n"
    "    total[j]    = sum over r, k of x[r, j, k]\n"
    "    level[r]    = average over j, k of x[r, j, k], or shifted\n"
    "    share[j]    = total[j] / deep\n"
    "gates      r: rows, j: n\n"
    "    i[r, j]     = sigmoid(x[r, j])\n"
    "    o[r, j]     = sigmoid(dy[r, j])\n"
    "    y[r, j]     = i[r, j] * dy[r, j]\n"
    "    z[r, j]     = o[r, j] * x[r, j]\n"
    "starts     j: n\n"
    "    middle[j]   = x[0] + other[j]\n";

enum { CASES = 6, FRESH = 12 };

static Contract contract;
static Formulas *formulas;
static Cases cases, fresh_cases;
static Answer answers[CASES];
static Explanation found;
static char *wrong_text; /* whose numbers a call gets */
static char *fresh_text; /* and a fresh one, where that is another; or NULL */
static int fresh_left;   /* so many of these answer, */
static Ending fresh_end; /* and the others end so */
static char error[512];

/* ---- what a test is made of ---- */
static Formulas *read_text(const char *text)
{
    const char *path = temporary_file(text);
    Formulas *read = formulas_read(path, &contract, error, sizeof error);
    unlink(path);
    TEST_ASSERT_NOT_NULL_MESSAGE(read, error);
    return read;
}

/* The right text with each "old" of the pairs made "new", once. Caller frees. */
static char *changed_text(const char *const *pairs)
{
    char *text = format_text("%s", right);
    for (; *pairs; pairs += 2) {
        const char *at = strstr(text, pairs[0]);
        TEST_ASSERT_NOT_NULL_MESSAGE(at, pairs[0]);
        char *longer =
            format_text("%.*s%s%s", (int)(at - text), text, pairs[1], at + strlen(pairs[0]));
        free(text);
        text = longer;
    }
    return text;
}

static void draw(Cases *to, const char *function, int count, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < count; i++) {
        Case *c = case_new(to, function);
        if (takes(c, "rows"))
            set_size(c, "rows", 2 + i % 3);
        set_size(c, "n", 3 + i % 4);
        if (takes(c, "deep"))
            set_size(c, "deep", 2 + i % 2);
        if (takes(c, "eps"))
            set_scalar(c, "eps", i % 2 ? 0.3f : 0.05f);
        for (int j = 0; takes(c, "keep") && j < 3 + i % 4; j++)
            fill_ints(c, "keep")[j] = j != 1 ? 1 + j % 2 : 0;
        fill_rest(c, &rng);
        TEST_ASSERT_TRUE(formula_answer(formula_find(formulas, function), c));
    }
}

/* What the wrong function gives, as floats. */
static void answer_by(const char *text, const Case *c, Answer *answer)
{
    Formulas *wrong = read_text(text);
    Case own = *c;
    memset(own.wanted, 0, sizeof own.wanted);
    *answer = (Answer){.ending = ANSWERED};
    for (int p = 0; p < c->function->count; p++)
        if (is_answer(c->function->params[p].role))
            own.wanted[p] = new_reals((int)case_length(c, p));
    TEST_ASSERT_TRUE(formula_answer(formula_find(wrong, c->function->name), &own));
    for (int p = 0; p < c->function->count; p++) {
        if (!own.wanted[p])
            continue;
        answer->left[p] = calloc(case_length(c, p), sizeof(float));
        for (size_t i = 0; i < case_length(c, p); i++)
            answer->left[p][i] = (float)own.wanted[p][i].v;
        free(own.wanted[p]);
    }
    formulas_free(wrong);
}

static void ask(void *context, const Case *c, Answer *answer)
{
    (void)context;
    if (fresh_left-- > 0)
        answer_by(fresh_text ? fresh_text : wrong_text, c, answer);
    else
        *answer = (Answer){.ending = fresh_end};
}

static void forget(void)
{
    for (int i = 0; i < CASES; i++)
        answer_free(&answers[i]);
    cases_free(&cases);
    cases_free(&fresh_cases);
    free(found.when);
    free(found.kind);
    free(found.quantity);
    free(wrong_text);
    free(fresh_text);
    wrong_text = fresh_text = NULL;
    memset(answers, 0, sizeof answers);
    found = (Explanation){0};
    fresh_left = FRESH;
    cases = fresh_cases = (Cases){.contract = &contract};
}

static bool explain(const char *function, const char *only, double seconds)
{
    const Cases *lists[] = {&fresh_cases};
    const Fresh fresh = {lists, 1, ask, NULL};
    return match_change(formulas, formula_find(formulas, function), only, cases.items, answers,
                        CASES, &fresh, seconds, &found);
}

/* What a learner's function gives that is wrong so. */
static void learner_has(const char *function, const char *const *pairs)
{
    forget();
    wrong_text = changed_text(pairs);
    draw(&cases, function, CASES, 1);
    draw(&fresh_cases, function, FRESH, 2);
    for (int i = 0; i < CASES; i++)
        answer_by(wrong_text, &cases.items[i], &answers[i]);
}

static bool explained(const char *function, const char *only, const char *const *pairs)
{
    learner_has(function, pairs);
    return explain(function, only, 60);
}

static void expect(const char *when, const char *function, const char *old, const char *now)
{
    const char *const pairs[] = {old, now, NULL};
    TEST_ASSERT_TRUE_MESSAGE(explained(function, NULL, pairs), when);
    TEST_ASSERT_EQUAL_STRING(when, found.when);
}

static void expect_backward(const char *when, const char *old, const char *now)
{
    expect(when, "backward", old, now);
}

void setUp(void)
{
    const char *path = temporary_file(header);
    TEST_ASSERT_TRUE_MESSAGE(contract_read(&contract, path, error, sizeof error), error);
    unlink(path);
    formulas = read_text(right);
    cases = fresh_cases = (Cases){.contract = &contract};
}

void tearDown(void)
{
    forget();
    formulas_free(formulas);
}

static void expect_silence(const char *function, const char *only, const char *const *pairs)
{
    TEST_ASSERT_FALSE_MESSAGE(explained(function, only, pairs), found.when);
}

/* ---- one change ---- */
static void test_what_is_left_out_is_said(void)
{
    expect_backward("the term xhat * mean(g * xhat) is left out of dx",
                    " - xhat[r, j] * mean_gx[r]", "");
    expect_backward("the factor rstd is left out of dx", "rstd[r] * (g", "(g");
    expect_backward("the term mean is left out of xhat", "(x[r, j] - mean[r]) * rstd",
                    "x[r, j] * rstd");
    expect_backward("the term other is left out of dbeta", ") + other[j]", ")");
    expect_backward("variance + eps stands in rstd where sqrt(variance + eps) belongs",
                    "sqrt(variance[r] + eps)", "(variance[r] + eps)");
    expect("the division by sum(e) is left out of y", "softmax", " / sum over k of e[r, k]", "");
    expect("the condition keep != 0 is left out of e", "softmax", " where keep[j] != 0 else 0", "");
}

static void test_a_sign_and_an_operation_are_told_apart(void)
{
    expect_backward("mean(g) has the wrong sign in dx", "- mean_g[r]", "+ mean_g[r]");
    expect_backward("sum(dy) has the wrong sign in dbeta", "(sum over r of dy[r, j]) + other[j]",
                    "other[j] - sum over r of dy[r, j]");
    expect_backward("rstd divides in xhat, where it should multiply", "mean[r]) * rstd[r]",
                    "mean[r]) / rstd[r]");
    expect_backward("rstd is sqrt(variance + eps), not 1 / sqrt(variance + eps)", "1 / sqrt",
                    "1 * sqrt");
    expect_backward("g stands in dx where xhat belongs", "- xhat[r, j] * mean_gx",
                    "- g[r, j] * mean_gx");
}

static void test_what_a_sum_is_divided_by_is_said(void)
{
    expect_backward("sum(g) stands where mean(g) belongs", "average over j of g[r, j]\n",
                    "sum over j of g[r, j]\n");
    expect_backward("sum((x - mean)^2) is divided by n - 1 in variance",
                    "average over j of (x[r, j] - mean[r])^2, or shifted",
                    "(sum over j of (x[r, j] - mean[r])^2) / (n - 1)");
    expect_backward("sum(g * xhat) is divided by rows", "average over j of g[r, j] * xhat[r, j]",
                    "(sum over j of g[r, j] * xhat[r, j]) / rows");
}

static void test_what_a_sum_goes_over_is_said(void)
{
    expect_backward("only the last of the rows is in sum(dy * xhat) in dgamma",
                    "sum over r of dy[r, j] * xhat[r, j]",
                    "sum over r where r = rows - 1 of dy[r, j] * xhat[r, j]");
    expect_backward("the first of the rows is left out of sum(dy * xhat) in dgamma",
                    "sum over r of dy[r, j] * xhat", "sum over r where r > 0 of dy[r, j] * xhat");
}

static void test_a_sum_over_two_axes_may_keep_one_place_of_one(void)
{
    expect("only the last of the rows is in sum(x) in total", "boxes",
           "total[j]    = sum over r, k", "total[j]    = sum over r, k where r = rows - 1");
    expect("the first of the deep is left out of sum(x) in total", "boxes",
           "total[j]    = sum over r, k", "total[j]    = sum over r, k where k > 0");
    expect("only the last of the n is in mean(x) in level, which is divided by the number of all",
           "boxes", "average over j, k of x[r, j, k], or shifted",
           "(sum over j, k where j = n - 1 of x[r, j, k]) / (n * deep)");
    expect("only the last of the n is in mean(x) in middle, which is divided by the number of all",
           "stats", "middle[r]   = average over j of x[r, j], or shifted",
           "middle[r]   = (sum over j where j = n - 1 of x[r, j]) / n");
}

static void test_another_array_may_be_read_at_a_place_of_its_own(void)
{
    expect("other[0] stands in middle where x[0] belongs", "starts", "x[0]", "other[0]");
}

static void test_a_divisor_that_is_one_off_is_a_count(void)
{
    expect("deep - 1 stands in share where deep belongs", "boxes", "total[j] / deep",
           "total[j] / (deep - 1)");
    TEST_ASSERT_EQUAL_STRING("a sum is divided by another number", found.kind);
}

static void test_a_flag_that_is_compared_with_1_is_said(void)
{
    expect("keep = 1 stands in e where keep != 0 belongs", "softmax", "keep[j] != 0",
           "keep[j] = 1");
}

static void test_a_function_that_is_wrong_everywhere_is_said_once(void)
{
    const char *const pairs[] = {"sigmoid(x[r, j])", "sigmoid(-x[r, j])", "sigmoid(dy[r, j])",
                                 "sigmoid(-dy[r, j])", NULL};
    TEST_ASSERT_TRUE(explained("gates", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("sigmoid(-a) stands wherever sigmoid(a) belongs", found.when);
    expect("x has the wrong sign in i", "gates", "sigmoid(x[r, j])", "sigmoid(-x[r, j])");
}

static void test_another_name_or_place_is_said(void)
{
    expect_backward("dy stands in mean(g * xhat) where g belongs",
                    "average over j of g[r, j] * xhat", "average over j of dy[r, j] * xhat");
    expect_backward("gamma[0] stands in g where gamma[j] belongs", "gamma[j] * dy",
                    "gamma[0] * dy");
    expect("e[0][k] stands in y where e[r][k] belongs", "softmax", "of e[r, k]", "of e[0, k]");
}

static void test_two_names_that_change_places_are_said(void)
{
    const char *const pairs[] = {"gamma[j] * dy", "other[j] * dy", "+ other[j]", "+ gamma[j]",
                                 NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("gamma and other change places", found.when);
}

static void test_two_outputs_that_change_places_are_said(void)
{
    const char *const pairs[] = {"dgamma[j] ", "dtemp[j] ", "dbeta[j] ", "dgamma[j] ",
                                 "dtemp[j] ",  "dbeta[j] ", NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("dgamma and dbeta change places", found.when);
}

static void test_sums_of_other_numbers_are_said(void)
{
    const char *const pairs[] = {
        "mean[r]     = average over j of x[r, j], or shifted",
        "mean[j]     = average over r of x[r, j]",
        "variance[r] = average over j of (x[r, j] - mean[r])^2, or shifted",
        "variance[j] = average over r of (x[r, j] - mean[j])^2",
        "rstd[r]     = 1 / sqrt(variance[r]",
        "rstd[j]     = 1 / sqrt(variance[j]",
        "(x[r, j] - mean[r]) * rstd[r]",
        "(x[r, j] - mean[j]) * rstd[j]",
        "rstd[r] * (g",
        "rstd[j] * (g",
        NULL};
    TEST_ASSERT_TRUE(explained("backward", "dgamma", pairs));
    TEST_ASSERT_EQUAL_STRING("xhat is made with sums over rows, where sums over n belong",
                             found.when);
}

static void test_the_same_in_several_lines_is_said_of_each(void)
{
    const char *const pairs[] = {"average over j of g[r, j]\n", "sum over j of g[r, j]\n",
                                 "average over j of g[r, j] * xhat", "sum over j of g[r, j] * xhat",
                                 NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("sum(g) stands where mean(g) belongs, and sum(g * xhat) stands where "
                             "mean(g * xhat) belongs",
                             found.when);
}

static void test_of_zeros_it_is_said_that_they_are(void)
{
    expect_backward("dgamma is 0 everywhere", "of dy[r, j] * xhat[r, j]\n    dbeta",
                    "of 0 * dy[r, j] * xhat[r, j]\n    dbeta");
    TEST_ASSERT_EQUAL_STRING("dgamma", found.quantity);
}

static void test_what_one_row_gives_to_all_is_said_of_each(void)
{
    const char *const pairs[] = {"(x[r, j] - mean[r]) * rstd[r]", "(x[r, j] - mean[0]) * rstd[0]",
                                 "rstd[r] * (g[r, j] - mean_g[r] - xhat[r, j] * mean_gx[r])",
                                 "rstd[0] * (g[r, j] - mean_g[0] - xhat[r, j] * mean_gx[0])", NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("mean[0] stands in xhat where mean[r] belongs, and rstd[0] stands in "
                             "xhat where rstd[r] belongs, and rstd[0] stands in dx where rstd[r] "
                             "belongs, and mean_g[0] stands in dx where mean_g[r] belongs, and "
                             "mean_gx[0] stands in dx where mean_gx[r] belongs",
                             found.when);
}

static void test_what_stays_at_zero_where_others_do_not_is_explained(void)
{
    expect_backward("dbeta is max(0, sum(dy) + other), not sum(dy) + other",
                    "(sum over r of dy[r, j]) + other[j]",
                    "max(0, (sum over r of dy[r, j]) + other[j])");
}

static void test_a_change_where_one_line_works_it_out_anew_is_said_of_that(void)
{
    expect_backward("the term mean is left out of xhat in dgamma",
                    "dy[r, j] * xhat[r, j]\n    dbeta", "dy[r, j] * x[r, j] * rstd[r]\n    dbeta");
    expect_backward("mean[0] stands in xhat in dgamma where mean[r] belongs, and rstd[0] stands in "
                    "xhat in dgamma where rstd[r] belongs",
                    "dy[r, j] * xhat[r, j]\n    dbeta",
                    "dy[r, j] * (x[r, j] - mean[0]) * rstd[0]\n    dbeta");
}

static const char *const written_only[] = {
    "    middle[r]   = average over j of x[r, j], or shifted\n",
    "    own[r]      = average over j of x[r, j], or shifted\n    middle[r]   = 2 * own[r]\n",
    "middle[r])^2, or shifted", "own[r])^2, or shifted", NULL};

static void test_an_output_that_is_wrong_where_it_is_written_alone_is_said(void)
{
    TEST_ASSERT_TRUE(explained("stats", "middle", written_only));
    TEST_ASSERT_EQUAL_STRING(
        "middle is twice what it should be, in what is written to middle alone", found.when);
}

static void test_what_is_divided_by_is_told_as_what_stands_there(void)
{
    expect("sum(e) - most stands in y where sum(e) belongs", "softmax", "/ sum over k of e[r, k]",
           "/ ((sum over k of e[r, k]) - most[r])");
}

static void test_a_function_in_two_cases_is_said_of_each(void)
{
    expect("max(0, x) stands in middle where tanh(x) belongs, and max(0, other) stands in middle "
           "where tanh(other) belongs",
           "cases", "tanh(x[j]) where n > 3 else tanh(other[j])",
           "max(0, x[j]) where n > 3 else max(0, other[j])");
    expect("x stands in middle where tanh(x) belongs, and other stands in middle where tanh(other) "
           "belongs, and n <= 3 stands in middle where n > 3 belongs",
           "cases", "tanh(x[j]) where n > 3 else tanh(other[j])",
           "x[j] where n <= 3 else other[j]");
}

/* ---- two changes ---- */
static void test_a_second_change_of_what_is_not_asked_for_is_found_too(void)
{
    const char *const pairs[] = {"middle[r]   = average",
                                 "middle[r]   = sum",
                                 "x[r, j], or shifted\n    spread",
                                 "x[r, j]\n    spread",
                                 "middle[r])^2, or shifted",
                                 "middle[r])",
                                 NULL};
    TEST_ASSERT_TRUE(explained("stats", "middle", pairs));
    TEST_ASSERT_EQUAL_STRING(
        "x - middle stands in spread where (x - middle)^2 belongs, and middle is "
        "sum(x), not mean(x)",
        found.when);
}

static void test_what_is_not_asked_for_and_wrong_otherwise_is_no_evidence_against_it(void)
{
    const char *const pairs[] = {"middle[r]   = average",
                                 "middle[r]   = 2 * average",
                                 "x[r, j], or shifted\n    spread",
                                 "x[r, j]\n    spread",
                                 "(x[r, j] - middle[r])^2, or shifted",
                                 "tanh(x[r, j] - 3 * middle[r])",
                                 NULL};
    TEST_ASSERT_TRUE(explained("stats", "middle", pairs));
    TEST_ASSERT_EQUAL_STRING("middle is twice what it should be", found.when);
}

static void test_beside_what_explains_one_output_any_second_change_is_found(void)
{
    const char *const pairs[] = {"(x[r, j] - mean[r]) * rstd", "(x[r, j] - rstd[r]) * rstd",
                                 "- xhat[r, j] * mean_gx", "- g[r, j] * mean_gx", NULL};
    TEST_ASSERT_TRUE(explained("backward", "dx", pairs));
    TEST_ASSERT_EQUAL_STRING("rstd stands in xhat where mean belongs, and g stands in dx where "
                             "xhat belongs",
                             found.when);
}

static void test_of_two_changes_one_does_not_undo_the_other(void)
{
    const char *const pairs[] = {"middle[r]   = average",
                                 "middle[r]   = 2 * average",
                                 "x[r, j], or shifted\n    spread",
                                 "x[r, j]\n    spread",
                                 "average over j of (x[r, j] - middle[r])^2, or shifted",
                                 "exp(average over j of (x[r, j] - middle[r])^2)",
                                 NULL};
    TEST_ASSERT_TRUE(explained("stats", "middle", pairs));
    TEST_ASSERT_NULL(strstr(found.when, "half"));
}

static void test_another_name_beside_a_likely_change_is_said(void)
{
    const char *const pairs[] = {"- mean_g[r]", "+ mean_g[r]", "xhat[r, j] * mean_gx",
                                 "g[r, j] * mean_gx", NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING(
        "mean(g) has the wrong sign in dx, and g stands in dx where xhat belongs", found.when);
}

static void test_one_change_in_each_of_two_outputs_is_said(void)
{
    const char *const pairs[] = {"dy[r, j] * xhat[r, j]\n    dbeta",
                                 "dy[r, j] * x[r, j]\n    dbeta", " + other[j]", "", NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("x stands in dgamma where xhat belongs, and the term other is left "
                             "out of dbeta",
                             found.when);
}

static void test_two_changes_in_one_output_are_said(void)
{
    const char *const pairs[] = {"(g[r, j] - mean_g[r] - xhat[r, j] * mean_gx[r])", "g[r, j]",
                                 NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("the term mean(g) is left out of dx, and the term xhat * mean(g * "
                             "xhat) is left out of dx",
                             found.when);
}

/* ---- in tiers ---- */
static void test_output_and_kind_can_be_told_without_the_term(void)
{
    const char *const pairs[] = {" - xhat[r, j] * mean_gx[r]", "", NULL};
    TEST_ASSERT_TRUE(explained("backward", NULL, pairs));
    TEST_ASSERT_EQUAL_STRING("dx", found.quantity);
    TEST_ASSERT_EQUAL_STRING("a term is left out", found.kind);
}

/* ---- silence ---- */
static void test_of_what_no_change_gives_nothing_is_said(void)
{
    const char *const pairs[] = {"= rstd[r] * (g", "= tanh(rstd[r] + 0.3) * (x[r, j] + g", NULL};
    expect_silence("backward", NULL, pairs);
}

static void test_only_the_outputs_that_are_asked_for_are_looked_at(void)
{
    const char *const pairs[] = {" + other[j]", "", "= rstd[r] * (g", "= tanh(rstd[r] + 0.3) * (g",
                                 NULL};
    expect_silence("backward", "dx", pairs);
    TEST_ASSERT_TRUE(explained("backward", "dbeta", pairs));
    TEST_ASSERT_EQUAL_STRING("the term other is left out of dbeta", found.when);
}

static void test_what_does_not_hold_on_fresh_cases_is_not_said(void)
{
    const char *const now[] = {" + other[j]", "", NULL};
    const char *const later[] = {" + other[j]", " + 0.5 * other[j]", NULL};
    learner_has("backward", now);
    fresh_text = changed_text(later);
    TEST_ASSERT_FALSE(explain("backward", NULL, 60));
}

static bool is_said_after(int answered, Ending end)
{
    const char *const pairs[] = {" + other[j]", "", NULL};
    learner_has("backward", pairs);
    fresh_left = answered;
    fresh_end = end;
    return explain("backward", NULL, 60);
}

static void test_what_had_no_time_for_its_fresh_cases_is_not_said(void)
{
    TEST_ASSERT_TRUE(is_said_after(FRESH / 2, OUT_OF_TIME));
    TEST_ASSERT_FALSE_MESSAGE(is_said_after(0, OUT_OF_TIME), found.when);
    TEST_ASSERT_FALSE_MESSAGE(is_said_after(0, TIMED_OUT), found.when);
}

static void test_what_was_held_against_no_fresh_number_is_not_said(void)
{
    TEST_ASSERT_TRUE(is_said_after(1, CRASHED));
    TEST_ASSERT_FALSE_MESSAGE(is_said_after(0, CRASHED), found.when);
    const char *const pairs[] = {" + other[j]", "", NULL};
    learner_has("backward", pairs);
    for (int i = 0; i < FRESH; i++) /* what is right there is not what the formula gives */
        for (int p = 0; p < fresh_cases.items[i].function->count; p++)
            if (fresh_cases.items[i].wanted[p])
                fresh_cases.items[i].wanted[p][0].v += 1;
    TEST_ASSERT_FALSE_MESSAGE(explain("backward", NULL, 60), found.when);
}

static void test_one_element_that_is_another_one_is_no_evidence_for_a_change(void)
{
    const char *const pairs[] = {" + other[j]", "", NULL};
    learner_has("backward", pairs);
    for (int i = 0; i < CASES; i++)
        answers[i].left[param_index(cases.items[i].function, "dbeta")][1] += 0.02f;
    TEST_ASSERT_FALSE(explain("backward", NULL, 60));
}

static void test_numbers_that_are_all_nan_say_nothing(void)
{
    const char *const pairs[] = {"(x[r, j] - mean[r]) * rstd[r]", "(x[r, j] - mean[r]) * (0 / 0)",
                                 NULL};
    expect_silence("backward", "dgamma", pairs);
}

static void test_a_bound_that_is_wide_is_no_evidence(void)
{
    const char *const pairs[] = {"rstd[r] * (g", "0.999985 * rstd[r] * (g", NULL};
    learner_has("backward", pairs);
    for (int i = 0; i < CASES; i++) {
        int dx = param_index(cases.items[i].function, "dx");
        for (size_t k = 0; k < case_length(&cases.items[i], dx); k++)
            cases.items[i].wanted[dx][k].e = 1e-5 * fabs(cases.items[i].wanted[dx][k].v);
    }
    TEST_ASSERT_FALSE(explain("backward", "dx", 60));
}

static void test_without_time_nothing_is_said(void)
{
    const char *const pairs[] = {" + other[j]", "", NULL};
    learner_has("backward", pairs);
    TEST_ASSERT_FALSE(explain("backward", NULL, -1));
}

static void test_the_formula_is_what_it_was_when_the_search_is_over(void)
{
    const char *const pairs[] = {"= rstd[r] * (g", "= tanh(rstd[r] + 0.3) * (x[r, j] + g", NULL};
    expect_silence("backward", NULL, pairs);
    for (int i = 0; i < CASES; i++) {
        Case *c = &cases.items[i];
        int dx = param_index(c->function, "dx");
        Real *before = c->wanted[dx];
        c->wanted[dx] = new_reals((int)case_length(c, dx));
        TEST_ASSERT_TRUE(formula_answer(formula_find(formulas, "backward"), c));
        for (size_t k = 0; k < case_length(c, dx); k++)
            TEST_ASSERT_TRUE(before[k].v == c->wanted[dx][k].v);
        free(before);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_left_out_is_said);
    RUN_TEST(test_a_sign_and_an_operation_are_told_apart);
    RUN_TEST(test_what_a_sum_is_divided_by_is_said);
    RUN_TEST(test_what_a_sum_goes_over_is_said);
    RUN_TEST(test_a_sum_over_two_axes_may_keep_one_place_of_one);
    RUN_TEST(test_another_array_may_be_read_at_a_place_of_its_own);
    RUN_TEST(test_a_divisor_that_is_one_off_is_a_count);
    RUN_TEST(test_a_flag_that_is_compared_with_1_is_said);
    RUN_TEST(test_a_function_that_is_wrong_everywhere_is_said_once);
    RUN_TEST(test_another_name_or_place_is_said);
    RUN_TEST(test_two_names_that_change_places_are_said);
    RUN_TEST(test_two_outputs_that_change_places_are_said);
    RUN_TEST(test_sums_of_other_numbers_are_said);
    RUN_TEST(test_the_same_in_several_lines_is_said_of_each);
    RUN_TEST(test_what_one_row_gives_to_all_is_said_of_each);
    RUN_TEST(test_of_zeros_it_is_said_that_they_are);
    RUN_TEST(test_what_stays_at_zero_where_others_do_not_is_explained);
    RUN_TEST(test_a_change_where_one_line_works_it_out_anew_is_said_of_that);
    RUN_TEST(test_what_is_divided_by_is_told_as_what_stands_there);
    RUN_TEST(test_a_function_in_two_cases_is_said_of_each);
    RUN_TEST(test_an_output_that_is_wrong_where_it_is_written_alone_is_said);
    RUN_TEST(test_a_second_change_of_what_is_not_asked_for_is_found_too);
    RUN_TEST(test_what_is_not_asked_for_and_wrong_otherwise_is_no_evidence_against_it);
    RUN_TEST(test_beside_what_explains_one_output_any_second_change_is_found);
    RUN_TEST(test_of_two_changes_one_does_not_undo_the_other);
    RUN_TEST(test_another_name_beside_a_likely_change_is_said);
    RUN_TEST(test_one_change_in_each_of_two_outputs_is_said);
    RUN_TEST(test_two_changes_in_one_output_are_said);
    RUN_TEST(test_output_and_kind_can_be_told_without_the_term);
    RUN_TEST(test_of_what_no_change_gives_nothing_is_said);
    RUN_TEST(test_only_the_outputs_that_are_asked_for_are_looked_at);
    RUN_TEST(test_what_does_not_hold_on_fresh_cases_is_not_said);
    RUN_TEST(test_what_had_no_time_for_its_fresh_cases_is_not_said);
    RUN_TEST(test_what_was_held_against_no_fresh_number_is_not_said);
    RUN_TEST(test_one_element_that_is_another_one_is_no_evidence_for_a_change);
    RUN_TEST(test_numbers_that_are_all_nan_say_nothing);
    RUN_TEST(test_a_bound_that_is_wide_is_no_evidence);
    RUN_TEST(test_without_time_nothing_is_said);
    RUN_TEST(test_the_formula_is_what_it_was_when_the_search_is_over);
    return UNITY_END();
}
