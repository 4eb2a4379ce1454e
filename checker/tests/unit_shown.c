/* shown.c: a change that a machine made, as a person would have written it. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

#include "unity.h"

const char lesson_name[] = "00_line";
const Lesson lesson = {0};

void setUp(void)
{
}

void tearDown(void)
{
}

static void assert_written(const char *before, const char *changed, const char *wanted)
{
    char *text = as_one_writes_it(before, strlen(before), changed, strlen(changed));
    TEST_ASSERT_NOT_NULL(text);
    TEST_ASSERT_EQUAL_STRING(wanted, text);
    free(text);
}

static void parentheses_that_nobody_needs_are_left_out(void)
{
    assert_written("q += d;\n", "q += ((d) * (d));\n", "q += d * d;\n");
    assert_written("s = sqrt(v) + eps;", "s = sqrt((v) + eps);", "s = sqrt(v + eps);");
    assert_written("r = sqrt(v);", "r = (1.0f / (sqrt(v)));", "r = 1.0f / sqrt(v);");
    assert_written("return s / (n - 1);", "return s / (n);", "return s / n;");
    assert_written("g = dy[i] - m;", "g = ((dy[i]) * gamma[j]) - m;", "g = dy[i] * gamma[j] - m;");
    assert_written("y = a * (b + c);", "y = a * b + c;", "y = a * b + c;");
}

static void parentheses_that_are_needed_or_were_there_stay(void)
{
    assert_written("q = a * b;", "q = a * ((b - m));", "q = a * (b - m);");
    assert_written("q = a - b - c;", "q = a - (b - c);", "q = a - (b - c);");
    assert_written("q = a / b * c;", "q = a / (b * c);", "q = a / (b * c);");
    assert_written("q = 1 / 2;", "q = (float)(1) / (2);", "q = (float)(1) / 2;");
    assert_written("q = - a + b;", "q = - (a + b);", "q = - (a + b);");
    assert_written("q = (a) + b;", "q = (a) * b;", "q = (a) * b;");
    assert_written("q = (a + 1) / b;", "q = ((float)(a + 1)) / b;", "q = ((float)(a + 1)) / b;");
    assert_written("f(x, 2);", "f((x, 2));", "f((x, 2));");
}

static void blanks_and_comments_are_those_of_the_learner(void)
{
    assert_written("{\n    a[i] = f(b); // first\n    b[i]  =  f(a);\n}\n",
                   "{ b [ i ] = f ( a ) ; a [ i ] = f ( b ) ; }\n",
                   "{\n    b[i] = f(a); // first\n    a[i]  =  f(b);\n}\n");
    assert_written("    for (;;)\n        s += x[i]; /* sum */\n",
                   "    { s = 0; for (;;) s += x[i]; } \n",
                   "    { s = 0; for (;;)\n        s += x[i]; } /* sum */\n");
    assert_written("#define N 3\nint k = n +\n        m;\n", "#define N 3\nint k = n * m;\n",
                   "#define N 3\nint k = n *\n        m;\n");
}

static void what_is_put_in_or_taken_out_leaves_no_blanks_behind(void)
{
    assert_written("a = f(x, 2) - m;", "a = f(x - m, 2) ;", "a = f(x - m, 2);");
    assert_written("*y++ = *x - m;", "*y++ = *x ++- m;", "*y++ = *x++ - m;");
    assert_written("f(a, b);", "f(a );", "f(a);");
}

static void an_empty_statement_is_not_left_where_one_was(void)
{
    assert_written("{\n    a /= n;\n}\nb = a;\n", "{\n    ;\n}\n a /= n; b = a;\n",
                   "{\n}\n a /= n;\nb = a;\n");
    assert_written("for (;;)\n    ;\na = b;", "for (;;)\n    ;\na = c;", "for (;;)\n    ;\na = c;");
}

static void what_is_no_c_is_not_written(void)
{
    static const char open[] = "a = \"b;";
    TEST_ASSERT_NULL(as_one_writes_it("a;", 2, open, strlen(open)));
    TEST_ASSERT_NULL(as_one_writes_it(open, strlen(open), "a;", 2));
}

static Fix *lines_of(const char *before, const char *after, bool wanted)
{
    Fix *fix = calloc(1, sizeof *fix);
    TEST_ASSERT_NOT_NULL(fix);
    TEST_ASSERT_EQUAL(wanted, add_changed_lines(fix, before, after));
    return fix;
}

static void the_lines_that_differ_are_told_with_their_numbers(void)
{
    Fix *fix = lines_of("a\n  b \nc\nd\n", "a\n  B \nc\nD\n", true);
    TEST_ASSERT_EQUAL(2, fix->line_count);
    TEST_ASSERT_EQUAL(2, fix->lines[0].number);
    TEST_ASSERT_EQUAL_STRING("b", fix->lines[0].before);
    TEST_ASSERT_EQUAL_STRING("B", fix->lines[0].after);
    TEST_ASSERT_EQUAL(4, fix->lines[1].number);
    fix_free(fix);
    fix = lines_of("a\nb\nc\nd", "a\nd", true);
    TEST_ASSERT_EQUAL(2, fix->line_count);
    TEST_ASSERT_EQUAL(3, fix->lines[1].number);
    TEST_ASSERT_EQUAL_STRING("", fix->lines[1].after);
    fix_free(fix);
}

static void more_lines_than_can_be_shown_are_not(void)
{
    fix_free(lines_of("a\nb\nc\nd\ne\nf\ng\n", "A\nB\nC\nD\nE\nF\nG\n", false));
    fix_free(lines_of("a\nb\n", "a\nc\nb\n", false));
}

static void every_kind_of_change_has_its_words_and_its_question(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        TEST_ASSERT_NOT_NULL(kind_words((EditKind)kind));
        TEST_ASSERT_NOT_NULL(kind_question((EditKind)kind));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(parentheses_that_nobody_needs_are_left_out);
    RUN_TEST(parentheses_that_are_needed_or_were_there_stay);
    RUN_TEST(blanks_and_comments_are_those_of_the_learner);
    RUN_TEST(what_is_put_in_or_taken_out_leaves_no_blanks_behind);
    RUN_TEST(an_empty_statement_is_not_left_where_one_was);
    RUN_TEST(what_is_no_c_is_not_written);
    RUN_TEST(the_lines_that_differ_are_told_with_their_numbers);
    RUN_TEST(more_lines_than_can_be_shown_are_not);
    RUN_TEST(every_kind_of_change_has_its_words_and_its_question);
    return UNITY_END();
}
