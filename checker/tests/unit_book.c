/* The book's writers: formulas as MathML, code with its parts marked, a text in its sections. */
#include "../book/book.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

static Buffer out;

void setUp(void)
{
    out = (Buffer){0};
}

void tearDown(void)
{
    buffer_free(&out);
}

static void is_written(const char *expected)
{
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(expected, out.data);
    out.length = 0;
}

static void formula_is(const char *tex, const char *expected)
{
    char *whole = format_text("<math><mrow>%s</mrow></math>", expected);
    mathml_add(&out, tex, strlen(tex), false);
    is_written(whole);
    free(whole);
}

static void test_a_word_is_one_name_and_indices_are_several(void)
{
    formula_is("rstd", "<mi>rstd</mi>");
    formula_is("x_{rj}", "<msub><mrow><mi>x</mi></mrow><mrow><mi>r</mi><mi>j</mi></mrow></msub>");
    formula_is("b^{gamma}", "<msup><mrow><mi>b</mi></mrow><mrow><mi>gamma</mi></mrow></msup>");
    formula_is("feed\\_forward", "<mi>feed_forward</mi>");
}

static void test_scripts_fractions_and_roots_hold_what_belongs_to_them(void)
{
    formula_is("x_j^2", "<msubsup><mrow><mi>x</mi></mrow><mrow><mi>j</mi></mrow>"
                        "<mrow><mn>2</mn></mrow></msubsup>");
    formula_is("\\frac{1}{\\sqrt{2}}", "<mfrac><mrow><mn>1</mn></mrow><mrow><msqrt><mrow>"
                                       "<mn>2</mn></mrow></msqrt></mrow></mfrac>");
    formula_is("a < 1", "<mi>a</mi><mo>&lt;</mo><mn>1</mn>");
}

static void test_a_long_formula_may_go_on_at_its_equal_signs(void)
{
    const char *tex = "a = (b = c) \\qquad d = e";
    int pieces = 0;
    mathml_add(&out, tex, strlen(tex), true);
    buffer_append(&out, "", 1);
    for (const char *at = out.data; (at = strstr(at, "<math")); at++)
        pieces++;
    TEST_ASSERT_EQUAL_INT(4, pieces); /* not within the parentheses */
    TEST_ASSERT_NOT_NULL(strstr(out.data, "</span> <span class=\"equation\">"));
}

static void test_the_parts_of_c_are_marked(void)
{
    const char *code = "int a = f(\"<%d>\", 0x1F); /* if */ // else\n#define x 1\nreturn 1.5f;";
    highlight_c(&out, code, strlen(code));
    is_written("<span class=\"type\">int</span> a = <span class=\"call\">f</span>("
               "<span class=\"string\">&quot;&lt;%d&gt;&quot;</span>, <span "
               "class=\"number\">0x1F</span>); <span class=\"comment\">/* if */</span> "
               "<span class=\"comment\">// else</span>\n<span class=\"directive\">#define x "
               "1</span>\n<span class=\"word\">return</span> <span class=\"number\">1.5f</span>;");
}

static void test_what_is_typed_is_told_from_the_answer(void)
{
    highlight_console(&out, "$ make\nok\n", 10);
    is_written("<span class=\"sign\">$ </span><span class=\"typed\">make</span>\n"
               "<span class=\"answer\">ok</span>\n");
}

static void test_bars_stand_on_0_and_curves_have_gaps(void)
{
    const char *bars = "title: a < b\nx: row\nbars: one, two\n0 1 -3\n1 0 nan\n";
    const char *curve = "title: t\nx: x\ny: y (log)\n0 1\n1 10\n2 0\n3 100\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, bars, strlen(bars)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.data, "<figcaption>a &lt; b</figcaption>"));
    /* from -3 to 1: 0 is a quarter below the top */
    TEST_ASSERT_NOT_NULL(strstr(out.data, "y=\"10.0\" width=\"55.8\" height=\"37.5\""));
    TEST_ASSERT_NOT_NULL(strstr(out.data, "y=\"47.5\" width=\"55.8\" height=\"112.5\""));
    TEST_ASSERT_NOT_NULL(strstr(out.data, "<code>0 1 -3\n1 0 nan\n</code>"));
    out.length = 0;
    TEST_ASSERT_TRUE(plot_add_svg(&out, curve, strlen(curve)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.data, "d=\"M46.0 160.0L140.7 85.0M330.0 10.0\""));
    TEST_ASSERT_FALSE(plot_add_svg(&out, "no plot\n", 8));
}

static void test_a_text_is_characters_and_never_html(void)
{
    static const Lessons lessons = {.names = {"01_one", "02_two"}, .count = 2};
    Text text;
    TEST_ASSERT_TRUE(text_read(&text, &lessons,
                               "# Lesson 01: a < b\n\nAs in lesson 02 & `<i>`, not lesson 01.\n\n"
                               "<!-- not shown -->\n\n## One &amp; one\n\n## One & one\n",
                               "01_one.html"));
    buffer_append(&out, text.html.data, text.html.length);
    is_written(
        "<h1 id=\"lesson-01-a-b\">Lesson 01: a &lt; b</h1>\n<p>As in <a href=\"02_two.html\">"
        "lesson 02</a> &amp; <code>&lt;i&gt;</code>, not lesson 01.</p>\n"
        "<h2 id=\"one-one\">One &amp; one<a class=\"anchor\" href=\"#one-one\" "
        "aria-label=\"Link to: One &amp; one\">#</a></h2>\n"
        "<h2 id=\"one-one-2\">One &amp; one<a class=\"anchor\" href=\"#one-one-2\" "
        "aria-label=\"Link to: One &amp; one\">#</a></h2>\n");
    TEST_ASSERT_EQUAL_INT(4, text.count);
    text_free(&text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_word_is_one_name_and_indices_are_several);
    RUN_TEST(test_scripts_fractions_and_roots_hold_what_belongs_to_them);
    RUN_TEST(test_a_long_formula_may_go_on_at_its_equal_signs);
    RUN_TEST(test_the_parts_of_c_are_marked);
    RUN_TEST(test_what_is_typed_is_told_from_the_answer);
    RUN_TEST(test_bars_stand_on_0_and_curves_have_gaps);
    RUN_TEST(test_a_text_is_characters_and_never_html);
    return UNITY_END();
}
