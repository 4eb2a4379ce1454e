/* formulas.c, evaluate.c and reduce.c: what a formula may say, how one that is wrong is refused,
 * and what it comes to, on numbers that are worked out by hand. */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "temporary.h"

const Lesson lesson = {"Formulas", NULL, NULL, NULL, .defaults = NULL};
const char lesson_name[] = "00_formulas";

static const char header[] =
    "float one(const float *x, /* n */ const int *at, /* n */\n"
    "          const float *w, /* rows x n, or NULL */ int rows, int n, float s);\n"
    "void all(float *y, /* rows x n */ float *total, /* rows */\n"
    "         float *moved, /* n, read and written */\n"
    "         const float *x, /* rows x n */ int rows, int n);\n";

static Contract contract;
static Formulas *formulas;
static Cases cases;
static char error[512];

/* ---- what a test is made of ---- */
static bool reads(const char *text)
{
    const char *path = temporary_file(text);
    formulas_free(formulas);
    formulas = formulas_read(path, &contract, error, sizeof error);
    unlink(path);
    return formulas;
}

static const Formula *formula_of(const char *function)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(formulas, error);
    return formula_find(formulas, function);
}

/* x: 1 2 4, at: 2 0 1, w: 1 2 3 over 4 5 6, s: 0.5 */
static Case *case_of_one(void)
{
    static const float x[] = {1, 2, 4}, w[] = {1, 2, 3, 4, 5, 6};
    static const int at[] = {2, 0, 1};
    Case *c = case_new(&cases, "one");
    set_size(c, "rows", 2);
    set_size(c, "n", 3);
    set_scalar(c, "s", 0.5f);
    memcpy(fill(c, "x"), x, sizeof x);
    memcpy(fill(c, "w"), w, sizeof w);
    memcpy(fill_ints(c, "at"), at, sizeof at);
    return c;
}

/* x: 1 2 4 over 8 16 32, moved: 5 6 7 */
static Case *case_of_all(void)
{
    static const float x[] = {1, 2, 4, 8, 16, 32}, moved[] = {5, 6, 7};
    Case *c = case_new(&cases, "all");
    set_size(c, "rows", 2);
    set_size(c, "n", 3);
    memcpy(fill(c, "x"), x, sizeof x);
    memcpy(fill(c, "moved"), moved, sizeof moved);
    return c;
}

/* Of the function `one`; false: it can't be told. */
static bool told(const char *lines, Real *value)
{
    char text[1024];
    snprintf(text, sizeof text, "one   j: n, k: n, r: rows\n%s", lines);
    TEST_ASSERT_TRUE_MESSAGE(reads(text), error);
    Case *c = case_of_one();
    bool good = formula_answer(formula_of("one"), c);
    *value = *c->wanted[param_index(c->function, "return")];
    return good;
}

static Real answer(const char *expression)
{
    char lines[512];
    Real value;
    snprintf(lines, sizeof lines, "    return = %s\n", expression);
    TEST_ASSERT_TRUE_MESSAGE(told(lines, &value), expression);
    return value;
}

static void expect_values(const char *const expressions[], const double *values)
{
    for (int i = 0; expressions[i]; i++) {
        double got = answer(expressions[i]).v;
        TEST_ASSERT_TRUE_MESSAGE(within(got, values[i], 0), expressions[i]);
    }
}

/* Of the function `all`. */
static Case *answers(const char *lines)
{
    char text[1024];
    snprintf(text, sizeof text, "all   j: n, r: rows\n%s", lines);
    TEST_ASSERT_TRUE_MESSAGE(reads(text), error);
    Case *c = case_of_all();
    TEST_ASSERT_TRUE_MESSAGE(formula_answer(formula_of("all"), c), lines);
    return c;
}

static void expect_array(const Case *c, const char *name, const double *values)
{
    int p = param_index(c->function, name);
    for (size_t i = 0; i < case_length(c, p); i++)
        TEST_ASSERT_TRUE_MESSAGE(within(c->wanted[p][i].v, values[i], 0), name);
}

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

/* ---- the reader ---- */
/* What is wrong, and what is said: the line, and the words behind it. */
static void test_what_is_no_formula_is_refused_with_its_line_and_what_was_expected(void)
{
    static const char *const wrong[][2] = {
        {"    return = 1\n", ":1: expected a function's name at the line's begin"},
        {"three\n", ":1: the header has no function \"three\""},
        {"one\n    return = 1\none\n", ":3: one is there already"},
        {"one j n\n", ":1: expected \":\", found \"n\""},
        {"one j: m\n",
         ":1: \"m\" is no axis, no parameter of one, and no line above has it on its left"},
        {"one j: s\n", ":1: \"s\" is no axis, no parameter of one"},
        {"one j: n, j: n\n", ":1: \"j\" is there already"},
        {"one x: n\n", ":1: \"x\" is there already"},
        {"one j: n, k: j\n", ":1: j has no value here"},
        {"one j: n k: n\n", ":1: expected the end of the line, found \"k\""},
        {"one a: n, b: n, c: n, d: n, e: n, f: n, g: n, h: n, i: n, j: n, k: n, l: n, m: n\n",
         ":1: more than 12 axes"},
        {"one j: n\n", ": one has no line for return"},
        {"all j: n, r: rows\n    y[r, j] = total[r]\n    moved[j] = 1\n",
         ": all has no line for total"},
        {"one j: n\n    return 1\n", ":2: expected \"=\", found \"1\""},
        {"one j: n\n\n# a comment\n    return = 1 2\n",
         ":4: expected the end of the line, found \"2\""},
        {"one j: n\n    return = (1 + 2\n", ":2: expected \")\", found the end of the line"},
        {"one j: n\n    return = 1 +\n        )\n",
         ":3: expected a number, a name or \"(\", found \")\""},
        {"one j: n\n    return = b\n", ":2: \"b\" is no axis, no parameter of one"},
        {"one j: n\n    x[j] = 1\n", ":2: \"x\" is given, and can't be on the left"},
        {"one j: n\n    j = 1\n", ":2: \"j\" is an axis, and can't be on the left"},
        {"one j: n\n    a[1] = 1\n",
         ":2: a is this function's own: on its left stand axes, each once"},
        {"one j: n\n    a[j, j] = 1\n", ":2: a is this function's own"},
        {"all j: n, r: rows\n    y[r, 2 * j] = 1\n",
         ":2: on the left of y stand axes, each once, maybe behind an offset"},
        {"all j: n, r: rows\n    y[r] = 1\n", ":2: expected \",\", found \"]\""},
        {"all j: n, r: rows\n    total[r, j] = 1\n",
         ":2: expected \"]\" behind 1 place, found \",\""},
        {"one j: n, k: n, l: n, m: n, o: n\n    a[j, k, l, m, o] = 1\n",
         ":2: expected up to 4 axes between [ and ]"},
        {"one j: n\n    return = x[j]\n",
         ":2: j has no value here: it is not on the left, and no sum goes over it"},
        {"one j: n\n    return = x\n", ":2: expected \"[\", found the end of the line"},
        {"one j: n\n    return = x[1.5]\n", ":2: a place is a whole number"},
        {"one j: n\n    return = x[x[0]]\n", ":2: x holds no whole numbers, and can't be a place"},
        {"one j: n\n    a = 1\n    return = x[a]\n",
         ":3: a is no whole number, and can't be a place"},
        {"one j: n\n    return = sum of x[0]\n", ":2: expected \"over\", found \"of\""},
        {"one j: n\n    return = sum over x of 1\n", ":2: \"x\" is no axis of one"},
        {"one j: n\n    return = sum over j x[j]\n", ":2: expected \"of\", found \"x\""},
        {"one j: n\n    return = sum over j where j of 1\n",
         ":2: expected a comparison (< <= > >= = !=), found \"of\""},
        {"one j: n\n    return = 1 where 1 < 2\n",
         ":2: expected \"else\", found the end of the line"},
        {"one j: n\n    return = 1 where given x else 2\n",
         ":2: expected an array that may be NULL behind \"given\""},
        {"one j: n\n    only where n: no\n    return = s\n",
         ":2: expected a comparison (< <= > >= = !=), found \":\""},
        {"one j: n\n    return = s^1\n", ":2: expected a whole number from 2 to 9 behind \"^\""},
        {"one j: n\n    return = max(1)\n", ":2: expected \",\", found \")\""},
        {"one j: n\n    return = sum over j of x[j], or shifted\n",
         ":2: what is taken about the first number is an average"},
        {"one j: n\n    return = average over j of x[j]^2, or about 0\n",
         ":2: \"or about 0\" stands behind \"or running\""},
        {"one j: n\n    return = average over j of x[j], or so\n",
         ":2: \"so\" is no axis, no parameter of one"},
        {"one j: n\n    return = s, or x[j]\n", ":2: j has no value here"},
        {"one j: n\n    return = one_of(s)\n", ":2: expected \",\", found \")\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TEST_ASSERT_FALSE_MESSAGE(reads(wrong[i][0]), wrong[i][0]);
        TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(error, "/tmp/unit_text.", 15), error);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, wrong[i][1]), error);
    }
}

static void test_more_lines_or_quantities_than_there_is_room_for_are_refused(void)
{
    char text[4096] = "one j: n\n";
    for (int i = 0; i <= MOST_QUANTITIES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "    a%d = 1\n", i);
    TEST_ASSERT_FALSE(reads(text));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, ":66: more than 64 quantities"), error);

    snprintf(text, sizeof text, "all j: n, r: rows\n");
    for (int i = 0; i <= MOST_LINES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "    y[%d, j] = 1\n", i);
    TEST_ASSERT_FALSE(reads(text));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, ":74: more than 72 lines"), error);
}

/* ---- the mistakes with a name ---- */
/* The words go on where a line is indented further. */
#define WORDS(id)                                                                                  \
    "mistake " id "\n    when     it\n      is\n    instead  It is not\n    section  So\n"

static const char with_mistakes[] =
    "one  j: n\n"
    "    half   = s / 2\n"
    "    return = half + sum over j of x[j]\n"
    "    doubled:       half   = s\n"
    "    left_out:      return = half\n"
    "    left_out:      spare  = s\n"
    "    by_spare:      spare  = s * 4\n"
    "    by_spare:      return = spare\n"
    "    left_out, by_spare:\n"
    "        return = spare + 100\n" WORDS("doubled") WORDS("left_out") WORDS("by_spare");

static double with(Mistakes set)
{
    Case *c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer_with(formula_of("one"), c, set));
    return c->wanted[param_index(c->function, "return")]->v;
}

static void test_a_mistake_has_its_lines_where_the_right_ones_stand_or_beside_them(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads(with_mistakes), error);
    const double wanted[] = {7.25, 7.5, 0.25, 0.5, 2, 2, 102, 102};
    for (Mistakes set = 0; set < 8; set++)
        TEST_ASSERT_TRUE(within(with(set), wanted[set], 0));
    TEST_ASSERT_TRUE(within(with(0), 7.25, 0));
}

/* Of two that change all of it, the later one is left. */
static void test_two_mistakes_that_change_different_parts_of_a_line_are_made_together(void)
{
    static const char lines[] =
        "one  j: n\n"
        "    half   = s / 2\n"
        "    return = half * x[2] + x[1]\n"
        "    no_half:  return = x[2] + x[1]\n"
        "    no_plus:  return = half * x[2]\n"
        "    minus:    return = half * x[2] - x[1]\n"
        "    first:    return = half * x[0] + x[1]\n"
        "    root:     return = sqrt(half * x[2] + x[1])\n"
        "    squared:  return = (half * x[2] + x[1])^2\n" WORDS("no_half") WORDS("no_plus")
            WORDS("minus") WORDS("first") WORDS("root") WORDS("squared");
    enum { NO_HALF = 1, NO_PLUS = 2, MINUS = 4, FIRST = 8, ROOT = 16, SQUARED = 32 };
    TEST_ASSERT_TRUE_MESSAGE(reads(lines), error);
    TEST_ASSERT_TRUE(within(with(NO_HALF | NO_PLUS), 4, 0));
    TEST_ASSERT_TRUE(within(with(NO_HALF | MINUS), 2, 0));
    TEST_ASSERT_TRUE(within(with(FIRST | MINUS), -1.75, 0));
    TEST_ASSERT_TRUE(within(with(NO_HALF | ROOT), sqrt(6), 0));
    TEST_ASSERT_TRUE(within(with(FIRST | SQUARED), 2.25 * 2.25, 0));
    TEST_ASSERT_TRUE(within(with(NO_HALF | FIRST), 3, 0));
    TEST_ASSERT_TRUE(within(with(NO_PLUS | MINUS), -1, 0));
}

static void test_the_words_of_a_mistake_are_kept_and_where_it_can_be_made(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads(with_mistakes), error);
    const Mistake *mistakes = formulas_mistakes(formulas);
    TEST_ASSERT_EQUAL_STRING("doubled", mistakes[0].id);
    TEST_ASSERT_EQUAL_STRING("one", mistakes[0].steps);
    TEST_ASSERT_EQUAL_STRING("it is", mistakes[0].when);
    TEST_ASSERT_EQUAL_STRING("It is not", mistakes[0].instead);
    TEST_ASSERT_EQUAL_STRING("So", mistakes[0].section);
    TEST_ASSERT_EQUAL_STRING("by_spare", mistakes[2].id);
    TEST_ASSERT_NULL(mistakes[3].id);
}

static void test_mistakes_are_numbered_as_they_are_told_of(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads("one  j: n\n"
                                   "    return = s\n"
                                   "    later: return = 1\n"
                                   "    first: return = 2\n" WORDS("first") WORDS("later")),
                             error);
    TEST_ASSERT_EQUAL_STRING("first", formulas_mistakes(formulas)[0].id);
    TEST_ASSERT_EQUAL_STRING("later", formulas_mistakes(formulas)[1].id);
}

static void test_a_mistake_that_is_not_all_there_is_refused(void)
{
    static const char *const wrong[][2] = {
        {"    doubled: return = s\n", "the mistake doubled has no \"when\""},
        {"mistake doubled\n    when a\n    instead b\n    section c\n",
         "no line is of the mistake doubled"},
        {"    doubled: return = s\nmistake doubled\n    when a\n    instead b\n",
         "the mistake doubled has no \"section\""},
        {"    doubled: return = s\nmistake doubled\n    when a\n    when b\n",
         ":6: that is said already"},
        {"    doubled: return = s\nmistake doubled\n    because a\n",
         ":5: expected \"when\", \"instead\" or \"section\", found \"because\""},
        {"    doubled: return = s +\n", ":3: expected a number, a name or \"(\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, "one j: n\n    return = s / 2\n%s", wrong[i][0]);
        TEST_ASSERT_FALSE_MESSAGE(reads(text), text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error, wrong[i][1]), error);
    }
}

static void test_a_lesson_without_formulas_is_no_error_and_an_unreadable_file_is_one(void)
{
    TEST_ASSERT_NULL(formulas_read("/tmp/no/such.formulas", &contract, error, sizeof error));
    TEST_ASSERT_EQUAL_STRING("", error);
    TEST_ASSERT_NULL(formulas_read("/tmp", &contract, error, sizeof error));
    TEST_ASSERT_EQUAL_STRING("/tmp can't be read", error);
}

static void test_a_file_gives_its_functions_and_the_lesson_says_where_it_lies(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads("# nothing else\none\n    return = 1\n"), error);
    TEST_ASSERT_EQUAL_STRING("one", formula_of("one")->function->name);
    TEST_ASSERT_EQUAL(3, formula_of("one")->lines[0].line);
    TEST_ASSERT_NULL(formula_of("all"));
    TEST_ASSERT_NULL(formula_find(NULL, "one"));
    TEST_ASSERT_EQUAL_STRING("lessons/00_formulas.formulas", lesson_formulas_path());
}

static void test_a_line_goes_on_where_it_is_indented_further_and_axes_behind_a_comma(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads("one j: n,   # the first\n\n    k: n\n"
                                   "  return = sum over j, k   # of products\n\n"
                                   "           of x[j]\n    * x[k]\n"),
                             error);
    TEST_ASSERT_EQUAL(2, formula_of("one")->axis_count);
    Case *c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(within(c->wanted[param_index(c->function, "return")]->v, 49, 0));
}

/* ---- the language, on small numbers ---- */
static void test_operators_bind_as_everywhere(void)
{
    static const char *const expressions[] = {
        "1 + 2 * 3 - 4 / 2", "(1 + 2) * 3", "-2^2 + 1",     "7 - 3 - 2",
        "12 / 2 / 3",        "2 * -x[2]",   "x[2]^3",       "(1 - 3)^2",
        "s * n + rows",      "1.25 + .5",   "rows / n * 3", NULL};
    static const double values[] = {5, 9, -3, 2, 2, -8, 64, 4, 3.5, 1.75, 2};
    expect_values(expressions, values);
}

static void test_functions_are_those_of_their_names(void)
{
    static const char *const expressions[] = {
        "sqrt(16)",   "exp(2)",      "exp(x[0] - x[2])", "log(x[1])", "tanh(s)",   "sigmoid(1)",
        "abs(2 - 5)", "trunc(2.75)", "trunc(-2.75)",     "max(2, 3)", "min(2, 3)", "max(1, -x[1])",
        NULL};
    const double values[] = {4, exp(2), exp(-3), log(2), tanh(0.5), 1 / (1 + exp(-1.0)),
                             3, 2,      -2,      3,      2,         1};
    expect_values(expressions, values);
}

static void test_reductions_go_over_axes_and_as_far_as_products_do(void)
{
    static const char *const expressions[] = {"sum over j of x[j]",
                                              "average over j of x[j]",
                                              "largest over j of x[j]",
                                              "smallest over j of x[j]",
                                              "smallest over j of (3 - x[j])",
                                              "sum over r, j of w[r, j]",
                                              "sum over j of x[j] * x[j] / 2 + 100",
                                              "sum over j of (x[j] + 100)",
                                              "sum over j of x[j] * sum over k of x[k]",
                                              "100 + sum over j of x[j]^2 - 1",
                                              "average over j of (x[j] - 1)^2, or shifted",
                                              NULL};
    static const double values[] = {7, 7 / 3.0, 4, 1, -1, 21, 110.5, 307, 49, 120, 10 / 3.0};
    expect_values(expressions, values);
}

static void test_conditions_choose_what_a_reduction_goes_over(void)
{
    static const char *const expressions[] = {"sum over j where j < 2 of x[j]",
                                              "sum over j where j <= 0 of x[j]",
                                              "sum over j where j > 0 of x[j]",
                                              "sum over j where 1 <= j and j < rows of x[j]",
                                              "sum over j where j >= 1 and x[j] < 4 of x[j]",
                                              "sum over j where at[0] = j of x[j]",
                                              "sum over j where j != 1 of x[j]",
                                              "sum over j where j < at[j] of x[j]",
                                              "average over j where x[j] != 2 of x[j]",
                                              "largest over j where j < 2 of x[j]",
                                              "sum over j, k where j < k of x[j] * x[k]",
                                              "sum over j where j > n of x[j]",
                                              NULL};
    static const double values[] = {3, 1, 6, 2, 2, 4, 5, 1, 2.5, 2, 14, 0};
    expect_values(expressions, values);
}

static void test_a_value_may_hang_on_a_condition(void)
{
    static const char *const expressions[] = {"1 where rows < n else 2",
                                              "1 where rows >= n else 2",
                                              "1 where rows = 2 and n = 3 else 2",
                                              "1 where rows = 2 and n = 4 else 2",
                                              "1 where x[0] > 1 else 2 where x[1] > 1 else 3",
                                              "x[0] where given w else 2",
                                              "sum over j of (x[j] where j != 1 else 10)",
                                              NULL};
    static const double values[] = {1, 2, 1, 2, 2, 1, 15};
    expect_values(expressions, values);
}

static void test_places_are_whole_numbers_and_a_division_there_rounds_down(void)
{
    static const char *const expressions[] = {"x[n - 1]",
                                              "x[(n + 2) / 2]",
                                              "x[5 % n]",
                                              "x[at[0]]",
                                              "x[at[at[1]]]",
                                              "w[rows - 1, 2]",
                                              "sum over j of x[j / 2]",
                                              "x[2 * 3 / 4]",
                                              "sum over j of w[j % rows, j]",
                                              NULL};
    static const double values[] = {4, 4, 4, 4, 4, 6, 4, 2, 9};
    expect_values(expressions, values);
}

static void test_quantities_are_made_of_those_above(void)
{
    Real value;
    TEST_ASSERT_TRUE(told("    mean = average over j of x[j]\n"
                          "    square[j] = (x[j] - mean)^2\n"
                          "    both[r, j] = w[r, j] * square[j]\n"
                          "    return = sum over r, j of both[r, j]\n",
                          &value));
    TEST_ASSERT_TRUE(within(value.v, 5 * 16 / 9.0 + 7 / 9.0 + 9 * 25 / 9.0, 0));
}

static void test_an_array_that_is_read_and_written_is_what_it_held_until_its_line_is_done(void)
{
    expect_array(answers("    before[j] = moved[j]\n"
                         "    moved[j] = moved[j] + x[0, j]\n"
                         "    y[r, j] = moved[j]\n"
                         "    total[r] = before[r]\n"),
                 "moved", (double[]){6, 8, 11});
    const Case *c = &cases.items[0];
    expect_array(c, "y", (double[]){6, 8, 11, 6, 8, 11});
    expect_array(c, "total", (double[]){5, 6});
}

static void test_lines_with_places_of_their_own_share_an_array(void)
{
    Case *c = answers("    y[0, j] = x[0, j]\n"
                      "    y[1, 0] = 100\n"
                      "    y[1, 1 + r] = 10 * x[1, r]\n"
                      "    moved[j] = y[1, j]\n"
                      "    total[rows - 2 + r] = r\n");
    expect_array(c, "y", (double[]){1, 2, 4, 100, 80, 160});
    expect_array(c, "moved", (double[]){100, 80, 160});
    expect_array(c, "total", (double[]){0, 1});
    for (size_t i = 0; i < 6; i++)
        TEST_ASSERT_EQUAL(i < 3 ? 2 : i == 3 ? 3 : 4, formula_line(formula_of("all"), c, 0, i));
    TEST_ASSERT_EQUAL(0, formula_line(formula_of("all"), c, 0, 6));
}

static void test_a_quantity_may_be_made_of_itself_at_another_place(void)
{
    expect_array(answers("    so_far[r, j] = x[r, j] where j = 0 else so_far[r, j - 1] + x[r, j]\n"
                         "    y[r, j] = so_far[r, j]\n"
                         "    total[r] = 0\n    moved[j] = 0\n"),
                 "y", (double[]){1, 3, 7, 8, 24, 56});
}

static void test_an_output_may_be_made_of_itself_by_way_of_a_line_above(void)
{
    expect_array(answers("    before[r, j] = moved[j] where r = 0 else y[r - 1, j]\n"
                         "    y[r, j] = 2 * before[r, j] + x[r, j]\n"
                         "    total[r] = 0\n    moved[j] = moved[j]\n"),
                 "y", (double[]){11, 14, 18, 30, 44, 68});
    const Formula *f = formula_of("all");
    TEST_ASSERT_EQUAL_STRING("before", f->quantities[0].name);
    TEST_ASSERT_EQUAL_STRING("y", f->quantities[1].name);
    TEST_ASSERT_TRUE(f->quantities[0].itself && f->quantities[1].itself);
    TEST_ASSERT_FALSE(f->quantities[2].itself);
    TEST_ASSERT_EQUAL(3, f->quantities[0].of);
    TEST_ASSERT_EQUAL(3, f->quantities[1].of);
    TEST_ASSERT_EQUAL(0, f->quantities[2].of);
}

/* ---- what can't be told ---- */
static void test_what_is_read_outside_can_not_be_told_and_what_is_passed_over_is_not_read(void)
{
    static const char *const outside[] = {"x[n]",
                                          "x[0 - 1]",
                                          "x[1 / (rows - 2)]",
                                          "w[rows, 0]",
                                          "w[0, n]",
                                          "sum over j of x[j + 1]",
                                          "largest over j where j > n of x[j]",
                                          "average over j where j > n of x[j]",
                                          NULL};
    char lines[128];
    Real value;
    for (int i = 0; outside[i]; i++) {
        snprintf(lines, sizeof lines, "    return = %s\n", outside[i]);
        TEST_ASSERT_FALSE_MESSAGE(told(lines, &value), outside[i]);
    }
    double passed = answer("sum over j of (x[j + 1] where j + 1 < n else 0)").v;
    TEST_ASSERT_TRUE(within(passed, 6, 0));
    passed = answer("sum over j where j + 1 < n and x[j + 1] > 3 of x[j + 1]").v;
    TEST_ASSERT_TRUE(within(passed, 4, 0));
}

static void test_an_array_that_is_null_can_not_be_read(void)
{
    TEST_ASSERT_TRUE(reads("one\n    return = w[0, 0]\n"));
    Case *c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    set_null(c, "w");
    TEST_ASSERT_FALSE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(reads("one\n    return = w[0, 0] where given w else 7\n"));
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(within(c->wanted[param_index(c->function, "return")]->v, 7, 0));
}

static void test_a_place_without_a_line_and_a_quantity_without_an_end_can_not_be_told(void)
{
    Real value;
    TEST_ASSERT_FALSE(told("    a[j] = a[j] + 1\n    return = a[0]\n", &value));
    TEST_ASSERT_TRUE(
        reads("all j: n, r: rows\n    y[0, j] = 1\n    total[r] = 2\n    moved[j] = 3\n"));
    Case *c = case_of_all();
    Evaluation *e = evaluation_new(formula_of("all"), c);
    TEST_ASSERT_NOT_NULL(e);
    int y = answer_quantity(formula_of("all"), 0), moved = answer_quantity(formula_of("all"), 2);
    TEST_ASSERT_TRUE(evaluation_element(e, y, 2, &value));
    TEST_ASSERT_TRUE(within(value.v, 1, 0));
    TEST_ASSERT_FALSE(evaluation_element(e, y, 3, &value));
    TEST_ASSERT_TRUE(evaluation_element(e, moved, 2, &value));
    TEST_ASSERT_TRUE(within(value.v, 3, 0));
    evaluation_free(e);
}

static void test_what_takes_too_long_can_not_be_told(void)
{
    static const char text[] =
        "one a: n, b: n, c: n, d: n, e: n, f: n, g: n, h: n, i: n, j: n, k: n, l: n\n"
        "    return = sum over a, b, c, d, e, f, g, h, i, j%s of x[a] * x[b] * x[c] * x[d] * "
        "x[e]\n";
    char lines[256];
    for (int i = 0; i < 2; i++) {
        snprintf(lines, sizeof lines, text, i ? ", k, l" : "");
        TEST_ASSERT_TRUE_MESSAGE(reads(lines), error);
        TEST_ASSERT_EQUAL(i == 0, formula_answer(formula_of("one"), case_of_one()));
    }
}

static void test_axes_of_no_length_are_no_case(void)
{
    TEST_ASSERT_TRUE(reads("one j: n - 4\n    return = sum over j of 1\n"));
    TEST_ASSERT_NULL(evaluation_new(formula_of("one"), case_of_one()));
    TEST_ASSERT_TRUE(reads("one j: n - 3\n    return = sum over j of 1\n"));
    Case *c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(c->wanted[param_index(c->function, "return")]->v == 0);
}

/* ---- bounds ---- */
static Sum sum_of_x(void)
{
    Sum sum = {0};
    for (int j = 0; j < 3; j++)
        include(&sum, exact(1 << j));
    return sum;
}

static void test_bounds_are_those_of_real(void)
{
    const Real x[] = {exact(1), exact(2), exact(4)};
    TEST_ASSERT_TRUE(answer("x[2]").e == 0);
    TEST_ASSERT_TRUE(answer("x[2] + x[1]").e == add(x[2], x[1]).e);
    TEST_ASSERT_TRUE(answer("x[2] - x[1]").e == sub(x[2], x[1]).e);
    TEST_ASSERT_TRUE(answer("x[2] * s").e == mul(x[2], exact(0.5)).e);
    TEST_ASSERT_TRUE(answer("x[2] / 3").e == divide(x[2], exact(3)).e);
    TEST_ASSERT_TRUE(answer("x[1]^3").e == mul(square(x[1]), x[1]).e);
    TEST_ASSERT_TRUE(answer("sqrt(x[1])").e == root(x[1]).e);
    TEST_ASSERT_TRUE(answer("tanh(x[1])").e == hyperbolic_tangent(x[1]).e);
    TEST_ASSERT_TRUE(answer("max(x[0] / 3, x[1])").e == maximum(divide(x[0], exact(3)), x[1]).e);
    TEST_ASSERT_TRUE(answer("sum over j of x[j]").e == total(sum_of_x()).e);
    TEST_ASSERT_TRUE(answer("average over j of x[j]").e == average(sum_of_x(), 3).e);
    TEST_ASSERT_TRUE(isinf(answer("1 / (x[0] - 1)").e));
    TEST_ASSERT_TRUE(certainly_nan(answer("nan where s > 0 else 1")));
}

static void test_who_may_take_an_average_about_the_first_number_is_allowed_for_it(void)
{
    Distances distances = {0};
    for (int j = 0; j < 3; j++)
        include_distance(&distances, exact(1 << j), exact(1));
    Real mean = answer("average over j of x[j], or shifted");
    Real plain = answer("average over j of x[j]"), own = mean_by(distances, exact(1), 3);
    TEST_ASSERT_TRUE(mean.e == fmax(plain.e, own.e) && mean.e > plain.e);

    Real squares = answer("average over j of (x[j] - 4)^2, or shifted");
    plain = answer("average over j of (x[j] - 4)^2");
    TEST_ASSERT_TRUE(squares.v == plain.v);
    TEST_ASSERT_TRUE(squares.e ==
                     fmax(plain.e, variance_by(distances, 3).e) + square(sub(own, exact(4))).e);
    Real running = answer("average over j of (x[j] - 4)^2, or running");
    TEST_ASSERT_TRUE(running.v == plain.v && running.e < plain.e);
    TEST_ASSERT_TRUE(answer("average over j of (x[j] - 4)^2, or running, or about 0").e >
                     running.e);
    TEST_ASSERT_TRUE(answer("average over j of x[j], or running").e == mean.e);
}

static void test_another_way_to_a_number_counts_where_its_bound_is_larger(void)
{
    Real one = answer("x[1] * s"), other = answer("x[1] * s * s / s");
    Real both = answer("x[1] * s, or x[1] * s * s / s");
    TEST_ASSERT_TRUE(both.v == one.v && both.e == other.e && other.e > one.e);
    TEST_ASSERT_TRUE(answer("x[1] * s * s / s, or x[1] * s").e == other.e);
    both = answer("average over j of x[j], or shifted, or x[1] * 1000");
    TEST_ASSERT_TRUE(both.e == answer("x[1] * 1000").e && within(both.v, 7.0 / 3, 0));
    TEST_ASSERT_TRUE(answer("one_of(x[2], n)").v == 4);
    TEST_ASSERT_TRUE(answer("one_of(x[2], n)").e == 3 * UNIT_ROUNDOFF * 4);
    TEST_ASSERT_TRUE(answer("off_by(x[2], -x[1])").v == 4);
    TEST_ASSERT_TRUE(answer("off_by(x[2], -x[1])").e == 2);
    TEST_ASSERT_TRUE(answer("off_by(x[2], x[1] * s)").e == 1 + answer("x[1] * s").e);
}

/* What takes all at once, and what takes one by one. */
static void test_a_stretch_of_numbers_is_what_they_are_one_by_one(void)
{
    enum { ROWS = 3, N = 300 };
    TEST_ASSERT_TRUE_MESSAGE(
        reads("all   j: n, r: rows, k: n\n"
              "    mean[r]   = average over j of x[r, j], or shifted\n"
              "    spread[r] = average over j of (x[r, j] - mean[r])^2, or shifted\n"
              "    hat[r, j] = (x[r, j] - mean[r]) / sqrt(spread[r] + 1), or x[r, j] * x[r, j]\n"
              "    low[j]    = smallest over r of x[r, j]\n"
              "    sums[j]   = sum over r of hat[r, j] * -x[rows - 1 - r, j]\n"
              "    so_far[r, j] = x[r, j] + (so_far[r, j - 1] where j > 0 else 0)\n"
              "    first[j]  = average over r where r < rows - 1 of x[r, j], or running\n"
              "    wide[j]   = average over r where r > 0 of (x[r, j] - first[j])^2, or running\n"
              "    all       = average over r, j of max(x[r, j], 0), or running\n"
              "    many[j]   = sum over r where x[r, 0] > 0 and r > 0 of x[r, j]\n"
              "    more[j]   = average over r where j >= r of (x[r, j] - low[j])^2, or shifted\n"
              "    mid[r, j] = first[j] where j > 7 and 290 >= j else many[j] where r = 1 else 2\n"
              "    high[r, j] = so_far[r, n - 1 - j] * (j + 1)^2 where x[r, j] < 0 else -x[r, j]\n"
              "    y[r, j]   = exp(hat[r, j] - low[j]) * sums[j] * wide[j] + mid[r, j] + more[j]\n"
              "    total[r]  = all + sum over j where j > 2 of (y[r, j] + high[r, j])\n"
              "    moved[j]  = moved[j] * (average over r of y[r, j]) + low[n - 1]\n"),
        error);
    Case *c = case_new(&cases, "all");
    set_size(c, "rows", ROWS);
    set_size(c, "n", N);
    for (int i = 0; i < ROWS * N; i++)
        fill(c, "x")[i] = (float)sin(i * i);
    for (int i = 0; i < N; i++)
        fill(c, "moved")[i] = (float)cos(i);
    const Formula *f = formula_of("all");
    TEST_ASSERT_TRUE(formula_answer(f, c));
    Evaluation *e = evaluation_new(f, c);
    evaluation_changed(e, 0); /* from here on nothing is taken at once */
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < case_length(c, p); i++) {
            Real one, all = c->wanted[p][i];
            TEST_ASSERT_TRUE(evaluation_element(e, answer_quantity(f, p), i, &one));
            TEST_ASSERT_TRUE(one.v == all.v && one.e == all.e);
        }
    evaluation_free(e);
}

static void test_where_a_stretch_reads_outside_only_those_numbers_cant_be_told(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads("all   j: n, r: rows\n    y[r, j] = x[r, j + 1]\n"
                                   "    total[r] = x[r, n]\n    moved[j] = x[j / 150, j]\n"),
                             error);
    Case *c = case_new(&cases, "all");
    set_size(c, "rows", 1);
    set_size(c, "n", 200);
    for (int i = 0; i < 200; i++)
        fill(c, "x")[i] = fill(c, "moved")[i] = (float)i;
    TEST_ASSERT_FALSE(formula_answer(formula_of("all"), c));
    for (int i = 0; i < 200; i++) {
        TEST_ASSERT_TRUE(i < 199 ? c->wanted[0][i].v == i + 1 : isnan(c->wanted[0][i].v));
        TEST_ASSERT_TRUE(i < 150 ? c->wanted[2][i].v == i : isnan(c->wanted[2][i].v));
    }
    TEST_ASSERT_TRUE(isnan(c->wanted[1][0].v) && isinf(c->wanted[1][0].e));
}

/* There Welford's sum is about the same mean. */
static void test_a_variance_about_its_own_mean_is_charged_for_no_other(void)
{
    static const char lines[] = "    m = average over j of x[j], or shifted\n"
                                "    return = average over j of (x[j] - m)^2, or shifted";
    Real variance;
    Moments x = moments_of((Real[]){{1, 0}, {2, 0}, {4, 0}}, 3);
    TEST_ASSERT_TRUE(told(lines, &variance) && variance.e == x.variance.e);
}

/* ---- what the header rules out ---- */
static const char *ruled_out(const char *rule)
{
    Real value;
    char text[256];
    snprintf(text, sizeof text, "    only where %s: these are too many\n    return = s", rule);
    TEST_ASSERT_TRUE_MESSAGE(told(text, &value), rule);
    const Case *c = &cases.items[cases.count - 1];
    TEST_ASSERT_EQUAL_MESSAGE(c->ruled_out != NULL, isinf(value.e), rule);
    return c->ruled_out;
}

static void test_what_the_header_rules_out_is_told_in_its_words(void)
{
    static const char *const rules[] = {
        "n % 2 = 1", "n = 3 and rows = 2", "at[j] < n", "given w",    "j <= at[0] and r < rows",
        "n % 2 = 0", "n = 3 and rows = 3", "at[j] < 2", "at[j] != 1", "at[j] < j"};
    for (int i = 0; i < 10; i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(i < 5 ? NULL : "these are too many", ruled_out(rules[i]),
                                         rules[i]);
}

static void test_whole_numbers_are_added_exactly_and_may_be_none_that_a_float_holds(void)
{
    TEST_ASSERT_TRUE(answer("n - 1").e == 0);
    TEST_ASSERT_TRUE(answer("n + rows - at[0]").e == 0);
    TEST_ASSERT_TRUE(answer("n - s").e > 0);
    TEST_ASSERT_TRUE(reads("one\n    return = n - 1\n"));
    Case *c = case_new(&cases, "one");
    set_size(c, "rows", 0);
    set_size(c, "n", 100000001);
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    Real counted = *c->wanted[param_index(c->function, "return")];
    TEST_ASSERT_TRUE(counted.v == 100000000 && counted.e == UNIT_ROUNDOFF * 100000000);
}

static void test_what_stands_below_exp_is_one_subtraction_and_never_too_far(void)
{
    TEST_ASSERT_TRUE(answer("exp(x[0] - x[2])").e == exponential(difference(1, 4)).e);
    Real far = answer("exp(x[0] - 3e38)");
    TEST_ASSERT_TRUE(far.v == 0 && far.e < 1e-30);
}

/* ---- changes ---- */
static Real changed(Evaluation *e, uint64_t quantities)
{
    Real value;
    const Formula *f = formula_of("one");
    int returned = answer_quantity(f, param_index(f->function, "return"));
    evaluation_changed(e, quantities);
    TEST_ASSERT_TRUE(evaluation_element(e, returned, 0, &value));
    return value;
}

static void test_after_a_change_only_what_hangs_on_it_is_another_number(void)
{
    TEST_ASSERT_TRUE(reads("one j: n\n"
                           "    mean = average over j of x[j]\n"
                           "    twice = 2 * mean\n"
                           "    other = x[0]\n"
                           "    return = twice + other\n"));
    const Formula *f = formula_of("one");
    Evaluation *e = evaluation_new(f, case_of_one());
    TEST_ASSERT_NOT_NULL(e);
    TEST_ASSERT_TRUE(within(changed(e, 0).v, 14 / 3.0 + 1, 0));
    f->lines[0].value->which = LARGEST;
    f->lines[2].value->index[0]->number = 1; /* not said to evaluation_changed() */
    TEST_ASSERT_TRUE(within(changed(e, 1).v, 9, 0));
    f->lines[0].value->which = SUM;
    TEST_ASSERT_TRUE(within(changed(e, 1).v, 15, 0));
    TEST_ASSERT_TRUE(within(changed(e, 1 | 4).v, 16, 0));
    TEST_ASSERT_TRUE(within(changed(e, 0).v, 14 / 3.0 + 1, 0));
    evaluation_free(e);
}

static void test_of_a_changed_line_the_other_way_to_its_number_is_not_asked(void)
{
    TEST_ASSERT_TRUE_MESSAGE(reads("one\n    half = s / 2, or off_by(s, 1)\n"
                                   "    return = half + 0 * half, or off_by(s, half)\n"),
                             error);
    Evaluation *e = evaluation_new(formula_of("one"), case_of_one());
    TEST_ASSERT_TRUE(changed(e, 0).e > 1);
    TEST_ASSERT_TRUE(changed(e, 1).e >= 0.25 && changed(e, 1).e < 0.3);
    TEST_ASSERT_TRUE(changed(e, 1 | 2).e < 1e-6);
    evaluation_free(e);
}

static void test_a_reduction_may_go_over_a_part_of_what_it_goes_over(void)
{
    static const char *const sums[] = {"sum over j of x[j]", "sum over j where 1 <= j of x[j]"};
    static const double values[][5] = {{7, 3, 6, 1, 4}, {6, 2, 4, 2, 4}};
    static const Part parts[] = {WHOLE, WITHOUT_LAST, WITHOUT_FIRST, FIRST_ONLY, LAST_ONLY};
    for (int i = 0; i < 2; i++)
        for (int part = 0; part < 5; part++) {
            answer(sums[i]);
            formula_of("one")->lines[0].value->part = parts[part];
            Case *c = case_of_one();
            TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
            double got = c->wanted[param_index(c->function, "return")]->v;
            TEST_ASSERT_TRUE_MESSAGE(within(got, values[i][part], 0), sums[i]);
        }
}

static void test_a_sum_may_go_so_far_or_never_be_set_back(void)
{
    static const char lines[] = "all j: n, r: rows\n"
                                "    y[r, j] = sum over j of x[r, j]\n"
                                "    total[r] = average over j of x[r, j]\n"
                                "    moved[j] = 0\n";
    TEST_ASSERT_TRUE_MESSAGE(reads(lines), error);
    const Formula *f = formula_of("all");
    f->lines[0].value->part = SO_FAR;
    f->lines[1].value->part = CARRIED;
    Case *c = case_of_all();
    TEST_ASSERT_TRUE(formula_answer(f, c));
    expect_array(c, "y", (double[]){1, 3, 7, 8, 24, 56});
    expect_array(c, "total", (double[]){7 / 3.0, (7 + 56) / 3.0});
}

static void test_an_average_may_divide_by_another_count_and_an_array_be_read_in_another_order(void)
{
    answer("average over j of x[j]");
    formula_of("one")->lines[0].value->count_off = -1;
    Case *c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(within(c->wanted[param_index(c->function, "return")]->v, 3.5, 0));

    answer("w[1, 0]");
    Expr *read = formula_of("one")->lines[0].value;
    read->reordered = true;
    read->order[0] = 1;
    read->order[1] = 0;
    c = case_of_one();
    TEST_ASSERT_TRUE(formula_answer(formula_of("one"), c));
    TEST_ASSERT_TRUE(within(c->wanted[param_index(c->function, "return")]->v, 2, 0));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_no_formula_is_refused_with_its_line_and_what_was_expected);
    RUN_TEST(test_more_lines_or_quantities_than_there_is_room_for_are_refused);
    RUN_TEST(test_a_lesson_without_formulas_is_no_error_and_an_unreadable_file_is_one);
    RUN_TEST(test_a_file_gives_its_functions_and_the_lesson_says_where_it_lies);
    RUN_TEST(test_a_line_goes_on_where_it_is_indented_further_and_axes_behind_a_comma);
    RUN_TEST(test_operators_bind_as_everywhere);
    RUN_TEST(test_functions_are_those_of_their_names);
    RUN_TEST(test_reductions_go_over_axes_and_as_far_as_products_do);
    RUN_TEST(test_conditions_choose_what_a_reduction_goes_over);
    RUN_TEST(test_a_value_may_hang_on_a_condition);
    RUN_TEST(test_places_are_whole_numbers_and_a_division_there_rounds_down);
    RUN_TEST(test_quantities_are_made_of_those_above);
    RUN_TEST(test_an_array_that_is_read_and_written_is_what_it_held_until_its_line_is_done);
    RUN_TEST(test_lines_with_places_of_their_own_share_an_array);
    RUN_TEST(test_a_quantity_may_be_made_of_itself_at_another_place);
    RUN_TEST(test_an_output_may_be_made_of_itself_by_way_of_a_line_above);
    RUN_TEST(test_what_is_read_outside_can_not_be_told_and_what_is_passed_over_is_not_read);
    RUN_TEST(test_an_array_that_is_null_can_not_be_read);
    RUN_TEST(test_a_place_without_a_line_and_a_quantity_without_an_end_can_not_be_told);
    RUN_TEST(test_what_takes_too_long_can_not_be_told);
    RUN_TEST(test_axes_of_no_length_are_no_case);
    RUN_TEST(test_bounds_are_those_of_real);
    RUN_TEST(test_who_may_take_an_average_about_the_first_number_is_allowed_for_it);
    RUN_TEST(test_a_variance_about_its_own_mean_is_charged_for_no_other);
    RUN_TEST(test_what_the_header_rules_out_is_told_in_its_words);
    RUN_TEST(test_mistakes_are_numbered_as_they_are_told_of);
    RUN_TEST(test_whole_numbers_are_added_exactly_and_may_be_none_that_a_float_holds);
    RUN_TEST(test_what_stands_below_exp_is_one_subtraction_and_never_too_far);
    RUN_TEST(test_after_a_change_only_what_hangs_on_it_is_another_number);
    RUN_TEST(test_of_a_changed_line_the_other_way_to_its_number_is_not_asked);
    RUN_TEST(test_a_reduction_may_go_over_a_part_of_what_it_goes_over);
    RUN_TEST(test_a_sum_may_go_so_far_or_never_be_set_back);
    RUN_TEST(test_an_average_may_divide_by_another_count_and_an_array_be_read_in_another_order);
    RUN_TEST(test_a_mistake_has_its_lines_where_the_right_ones_stand_or_beside_them);
    RUN_TEST(test_the_words_of_a_mistake_are_kept_and_where_it_can_be_made);
    RUN_TEST(test_a_mistake_that_is_not_all_there_is_refused);
    RUN_TEST(test_two_mistakes_that_change_different_parts_of_a_line_are_made_together);
    RUN_TEST(test_another_way_to_a_number_counts_where_its_bound_is_larger);
    RUN_TEST(test_a_stretch_of_numbers_is_what_they_are_one_by_one);
    RUN_TEST(test_where_a_stretch_reads_outside_only_those_numbers_cant_be_told);
    return UNITY_END();
}
