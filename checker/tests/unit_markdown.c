/* A Markdown text in lines for a terminal: does every part of it come out, and fit? */
#include "markdown.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

void setUp(void)
{
}

void tearDown(void)
{
}

static void is_set(const char *markdown, const char *expected)
{
    const Look look = {.width = 40};
    char *text = markdown_set(markdown, &look);
    TEST_ASSERT_EQUAL_STRING(expected, text);
    free(text);
}

static void test_words_fill_lines_and_are_never_cut(void)
{
    is_set("One two three four five six seven eight nine ten.\n",
           "One two three four five six seven eight\nnine ten.\n");
    is_set("A aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b\n",
           "A\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n");
}

static void test_short_code_in_a_line_is_not_broken(void)
{
    is_set("Thirty columns of a line, then `a + b * c`.\n",
           "Thirty columns of a line, then\n`a + b * c`.\n");
    is_set("| a | b |\n|---|---|\n| `(n * time + t) * features + j` | one two three four five |\n",
           "a                    b\n───────────────────  ───────────────────\n"
           "`(n * time +         one two three four\nt) * features + j`   five\n");
}

static void test_headings_have_their_line(void)
{
    is_set("# One\n\n## Two\n\n### Three\n\nText.\n", "One\n═══\n\nTwo\n───\n\nThree\n\nText.\n");
}

static void test_lists_hang(void)
{
    is_set("- a point that takes more than one line of forty\n- another\n",
           "• a point that takes more than one line\n  of forty\n• another\n");
    is_set("9. nine\n10. ten, which is longer and takes one more line\n    - within\n",
           "9. nine\n10. ten, which is longer and takes one\n    more line\n    • within\n");
    is_set("- loose\n\n- list\n\nBehind.\n", "• loose\n\n• list\n\nBehind.\n");
}

static void test_what_a_program_prints_stands_behind_a_line_below_its_code(void)
{
    is_set("```c run\nint a  = 1;\n```\n```output\n1\n```\n", "    int a  = 1;\n  │ 1\n");
    is_set("```console\n$ make check\n9 passed\n```\n", "    $ make check\n  │ 9 passed\n");
}

static void test_a_long_line_of_code_goes_on_visibly(void)
{
    is_set("```c\n    layer_norm(y, x, gamma, beta, rows, features);\n```\n",
           "        layer_norm(y, x, gamma, beta,\n        ↪ rows, features);\n");
}

static void test_a_quote_has_a_line_at_its_left(void)
{
    is_set("Said:\n\n> If q acts through several quantities, dq is a sum.\n",
           "Said:\n\n│ If q acts through several quantities,\n│ dq is a sum.\n");
}

static void test_formulas_are_text(void)
{
    is_set("The mean:\n\n$$mean = \\frac{1}{n} \\sum_j x_j$$\n\nIt is $\\sqrt{a^2 + b}$.\n",
           "The mean:\n\n    mean = 1/n Σ_j x_j\n\nIt is √(a² + b).\n");
    is_set("$$a = 1 \\qquad b \\geq 2, c \\in \\text{rows of } x \\leftarrow \\ldots$$\n",
           "    a = 1    b ≥ 2, c ∈ rows of x ← ...\n");
}

static void test_a_slope_is_written_as_one(void)
{
    is_set("$$\\frac{\\partial a}{\\partial x_j} = \\left( [k = j] - 1 \\right)$$\n",
           "    ∂a/∂x_j = ([k = j] - 1)\n");
}

static void test_a_formula_is_broken_at_a_gap_or_an_equals_sign(void)
{
    is_set(
        "$$rstd = \\frac{1}{\\sqrt{variance + eps}}, \\qquad xhat_r = (x_r - mean) \\cdot rstd$$\n",
        "    rstd = 1/√(variance + eps),\n        xhat_r = (x_r - mean) · rstd\n");
    is_set("$$dx_j = \\sum_k g_k \\cdot a_{kj} = b [k = j] + c - d - e$$\n",
           "    dx_j = Σ_k g_k · a_kj\n        ↪ = b [k = j] + c - d - e\n");
}

static void test_a_table_has_columns_that_fit(void)
{
    is_set("| lesson | you write |\n|---|--:|\n| `one` | the mean |\n| two | 2 |\n",
           "lesson  you write\n──────  ─────────\n`one`    the mean\ntwo             2\n");
    is_set("| a | b |\n|---|---|\n| one two three four five | six seven eight nine ten eleven |\n",
           "a                    b\n───────────────────  ───────────────────\n"
           "one two three four   six seven eight\nfive                 nine ten eleven\n");
}

static void test_a_table_that_cannot_fit_comes_cell_by_cell(void)
{
    is_set("| x | aaaaaaa | bbbbbbb | ccccccc | ddddddd | eeeeeee |\n|---|---|---|---|---|---|\n"
           "| 1 | 2 | 3 | 4 | 5 | 6 |\n",
           "x 1\n  aaaaaaa: 2\n  bbbbbbb: 3\n  ccccccc: 4\n  ddddddd: 5\n  eeeeeee: 6\n");
}

static void test_emphasis_is_shown_where_there_are_no_styles(void)
{
    is_set("This is *loss* and **bold**.\n", "This is *loss* and bold.\n");
}

static void test_styles_end_with_their_line(void)
{
    const Look look = {.width = 20, .styled = true};
    char *text = markdown_set("Some words **that are bold here** end.\n", &look);
    TEST_ASSERT_EQUAL_STRING("Some words \033[0m\033[1mthat are\033[0m\n\033[0m\033[1mbold here"
                             "\033[0m end.\n",
                             text);
    free(text);
}

static void test_nothing_acts_on_the_terminal(void)
{
    is_set("a\033[2J\001b\002`c\033d`\n\n```\nx\033[1my\n```\n", "a [2J b `c d`\n\n    x [1my\n");
    is_set("<!-- no -->\n\na &lt; b &amp; c <b>d</b>\n", "a < b & c d\n");
}

static void test_depth_has_an_end(void)
{
    char deep[4000], braces[4000] = "$$";
    memset(deep, '>', sizeof deep - 2);
    strcpy(deep + sizeof deep - 3, "a");
    memset(braces + 2, '{', sizeof braces - 8);
    strcpy(braces + sizeof braces - 6, "$$\n");
    const Look look = {.width = 40};
    for (int i = 0; i < 2; i++) {
        char *text = markdown_set(i ? deep : braces, &look);
        TEST_ASSERT_NOT_NULL(text);
        free(text);
    }
}

int main(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    UNITY_BEGIN();
    RUN_TEST(test_words_fill_lines_and_are_never_cut);
    RUN_TEST(test_short_code_in_a_line_is_not_broken);
    RUN_TEST(test_headings_have_their_line);
    RUN_TEST(test_lists_hang);
    RUN_TEST(test_what_a_program_prints_stands_behind_a_line_below_its_code);
    RUN_TEST(test_a_long_line_of_code_goes_on_visibly);
    RUN_TEST(test_a_quote_has_a_line_at_its_left);
    RUN_TEST(test_formulas_are_text);
    RUN_TEST(test_a_slope_is_written_as_one);
    RUN_TEST(test_a_formula_is_broken_at_a_gap_or_an_equals_sign);
    RUN_TEST(test_a_table_has_columns_that_fit);
    RUN_TEST(test_a_table_that_cannot_fit_comes_cell_by_cell);
    RUN_TEST(test_emphasis_is_shown_where_there_are_no_styles);
    RUN_TEST(test_styles_end_with_their_line);
    RUN_TEST(test_nothing_acts_on_the_terminal);
    RUN_TEST(test_depth_has_an_end);
    return UNITY_END();
}
