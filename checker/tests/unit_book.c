/* The book's writers: formulas as MathML, code with its parts marked, a text in its sections; and
 * how a book takes its place. */
#include "../book/book.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/syscall.h>
#endif

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

static int times(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text++;
    }
    return count;
}

static void test_a_long_formula_is_one_element_and_may_go_on_at_its_equal_signs(void)
{
    const char *tex = "a = (b = c) \\qquad d = e";
    mathml_add(&out, tex, strlen(tex), true);
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_INT(1, times(out.data, "<math"));
    TEST_ASSERT_EQUAL_INT(2, times(out.data, "<mrow class=\"equation\"><mrow>"));
    TEST_ASSERT_EQUAL_INT(2, times(out.data, "</mrow> <mrow><mo form=\"infix\">=</mo>"));
    TEST_ASSERT_EQUAL_INT(6, times(out.data, "<mrow")); /* none within the parentheses */
}

static void prose_is(const char *text, const char *expected)
{
    prose_add(&out, text, strlen(text));
    is_written(expected);
}

static void test_a_minus_an_exponent_an_index_and_a_root_in_a_sentence_are_typeset(void)
{
    prose_is("-1, x - mean and (-2) make -rstd * -3", "\u22121, x \u2212 mean and (\u22122) make "
                                                      "\u2212rstd * \u22123");
    prose_is("pre-norm, 1e-5, a -> b, --draws, a -= b",
             "pre-norm, 1e-5, a -&gt; b, --draws, a -= b");
    prose_is("-wise", "-wise"); /* behind `row` */
    prose_is("rstd^3 and 2^-149, not x ^ 2 or ^3", "rstd<sup>3</sup> and 2<sup>\u2212149</sup>, "
                                                   "not x ^ 2 or ^3");
    prose_is("x_j, z_rj and dh_next", "x<sub>j</sub>, z<sub>rj</sub> and dh<sub>next</sub>");
    prose_is("layer_norm, row_mean, dx_j_k, a_ and _b", "layer_norm, row_mean, dx_j_k, a_ and _b");
    prose_is("1 / sqrt(a(2)), but sqrtf(2) and sqrt(a",
             "1 / <math><mrow><msqrt><mrow><mi>a</mi><mo stretchy=\"false\">(</mo><mn>2</mn>"
             "<mo stretchy=\"false\">)</mo></mrow></msqrt></mrow></math>, but sqrtf(2) and sqrt(a");
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

static void test_of_many_curves_each_has_a_small_picture_and_the_others_are_pale(void)
{
    const char *plot = "title: t\nx: x\ny: y\ncurves: a, b, c, d\n0 1 2 3 4\n1 2 3 4 5\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_INT(4 * 3, times(out.data, "<path class=\"pale\""));
    TEST_ASSERT_EQUAL_INT(4, times(out.data, "<path class=\"line"));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, "<path class=\"line3\""));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, ">d</text>"));
    out.length = 0;
    plot = "title: t\nx: x\ny: y\ncurves: a, b\n0 1 2\n1 2 3\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_INT(0, times(out.data, "pale"));
}

static void diagram_says(const char *drawn, const char *expected)
{
    TEST_ASSERT_TRUE(diagram_add_svg(&out, drawn, strlen(drawn)));
    buffer_append(&out, "", 1);
    char *label = format_text("aria-label=\"%s\"", expected);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out.data, label), out.data);
    free(label);
    out.length = 0;
}

static void test_a_diagram_is_read_along_its_wires(void)
{
    diagram_says("  x --> layer norm --> y\n", "x to layer norm, layer norm to y");
    diagram_says("a --+--> (-) -> b < c\n"
                 "    |     ^\n"
                 "    +-> mean  a note\n",
                 "a to minus, minus to b &lt; c, mean to minus, a to mean. a note");
    diagram_says("a ---+\n"
                 "b ---|---> c\n" /* two wires that cross do not meet */
                 "     v\n"
                 "     d <-- e\n",
                 "b to c, a to d, e to d");
    diagram_says("a <--+-- b\n     |\n c <-+-- d\n", "b to a, d to a, b to c, d to c");
    diagram_says("a --+----+--> b\n    |    |\n    +----+\n", "a to b"); /* around and around */
}

static void test_a_diagram_has_a_box_for_words_a_circle_for_a_sign_and_heads(void)
{
    const char *drawn = "a --> (x) --> b-c\n       ^\n      i_1\n  post-norm\n";
    TEST_ASSERT_TRUE(diagram_add_svg(&out, drawn, strlen(drawn)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_INT(3, times(out.data, "<rect "));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, "<circle "));
    TEST_ASSERT_EQUAL_INT(2, times(out.data, "l-7 -4v8z"));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, "l-4 7h8z"));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, ">\u00d7</text>"));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, ">b-c</text>"));
    TEST_ASSERT_EQUAL_INT(1, times(out.data, "<text class=\"note\""));
}

static void test_what_is_no_diagram_stays_a_text(void)
{
    static const char *const texts[] = {
        "",
        "try 2 4 3 7 branch=-1 3\n",
        "x - 1\n",
        "a | b\n",
        "a ---- b\n",          /* no head */
        "a --> b\nc ---- d\n", /* a wire without one */
        "a --->\n",
        "---> a\n",                            /* from or to nowhere */
        "a --> b\n  |\n",                      /* beside a wire */
        "a ---+---> b\n     |\n",              /* an end in the air */
        "a --> (x) --> c\n      ^\n      b\n", /* not at the sign's middle */
        "+---+\n| a |\n+---+--> b\n",          /* a frame touches nothing */
        "a -> b\tc\n",
        "\u00e9 --> a\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        TEST_ASSERT_FALSE_MESSAGE(diagram_add_svg(&out, texts[i], strlen(texts[i])), texts[i]);
    TEST_ASSERT_EQUAL_INT(0, (int)out.length);
    for (int lines = 39; lines <= 41; lines++) {
        Buffer high = {0};
        add_text(&high, "a --> b\n");
        for (int i = 1; i < lines; i++)
            add_text(&high, "\n");
        TEST_ASSERT_EQUAL_INT(lines <= 40, diagram_add_svg(&out, high.data, high.length));
        buffer_free(&high);
    }
    for (int more = 0; more < 2; more++) {
        char wide[102];
        memset(wide, '-', sizeof wide);
        memcpy(wide, "a ", 2);
        memcpy(wide + 97 + more, "> b\n", 4);
        TEST_ASSERT_EQUAL_INT(!more, diagram_add_svg(&out, wide, (size_t)(101 + more)));
    }
}

static void test_a_curves_name_stands_at_its_end_and_on_no_other(void)
{
    const char *plot = "title: t\nx: x\ny: y\ncurves: a, b\n0 1 2\n1 3 3\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.data, "<tspan x=\"333.0\" y=\"14.0\">"));
    TEST_ASSERT_NOT_NULL(strstr(out.data, "<tspan x=\"333.0\" y=\"28.0\">"));
    out.length = 0;
    plot = "title: t\nx: x\ny: y\ncurves: each image as a whole, b\n0 1 2\n1 9 3\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.data, ">each image as a </tspan>"));
    TEST_ASSERT_NOT_NULL(strstr(out.data, ">whole</tspan>"));
}

static void test_a_picture_beside_the_text_is_shown_with_its_words(void)
{
    Text text;
    Lessons lessons = {.count = 0};
    TEST_ASSERT_TRUE(text_read(&text, &lessons, "![a \"b\" `c`](there.svg)\n", "x.html"));
    TEST_ASSERT_NOT_NULL(strstr(text.html.data, "<img loading=\"lazy\" src=\"there.svg\" "
                                                "alt=\"a &quot;b&quot; c\">"));
    text_free(&text);
}

/* In order of the axis: 1 has no room beside 0. */
static void test_the_numbers_of_an_axis_are_the_points_own_where_they_have_room(void)
{
    const char *plot = "title: t\nx: x\ny: y\n40 1e9\n0 2e9\n1 2e9\n2 2e9\n10 2e9\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_INT(4 + 1, times(out.data, "text-anchor=\"middle\"")); /* and x */
    TEST_ASSERT_NULL(strstr(out.data, "\"middle\">1</text>"));
    TEST_ASSERT_NOT_NULL(strstr(out.data, "\"middle\">40</text>"));
    out.length = 0;
    plot = "title: t\nx: x (log)\ny: y\n0.3 1e9\n3 2e9\n4 2e9\n";
    TEST_ASSERT_TRUE(plot_add_svg(&out, plot, strlen(plot)));
    buffer_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.data, "\"middle\">0.3</text>"));
    TEST_ASSERT_NOT_NULL(strstr(out.data, "\"middle\">4</text>"));
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

/* A new folder that holds one file, and in that a letter. */
static bool make_folder(const char *folder, char letter)
{
    char *name = format_text("%s/page", folder);
    FILE *file = mkdir(folder, 0777) ? NULL : fopen(name, "w");
    bool good = file && fputc(letter, file) != EOF && !fclose(file);
    free(name);
    return good;
}

/* Its letter, or '-': there is none. */
static char page_of(const char *folder)
{
    char *name = format_text("%s/page", folder), letter = '-';
    FILE *file = fopen(name, "r");
    if (file) {
        letter = (char)fgetc(file);
        fclose(file);
    }
    free(name);
    return letter;
}

static int names_in(const char *folder)
{
    DIR *names = opendir(folder);
    int count = -2; /* "." and ".." */
    while (names && readdir(names))
        count++;
    if (names)
        closedir(names);
    return count;
}

static bool can_exchange(const char *one, const char *other)
{
#ifdef __linux__
    return !syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    return one && other;
#endif
}

static void in_a_new_folder(char *folder)
{
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    TEST_ASSERT_EQUAL_INT(0, chdir(folder));
}

static void away_with(const char *folder)
{
    char *command = format_text("rm -r '%s'", folder);
    TEST_ASSERT_EQUAL_INT(0, chdir("../../.."));
    TEST_ASSERT_EQUAL_INT(0, system(command));
    free(command);
}

static void test_a_folder_takes_a_place_at_once(void)
{
    char folder[] = "build/tests/book.XXXXXX";
    int looks = 0, missed = 0;
    in_a_new_folder(folder);
    TEST_ASSERT_TRUE(make_folder("one", '1') && place_folder("one", "place", true));
    TEST_ASSERT_EQUAL_INT('1', page_of("place"));
    TEST_ASSERT_TRUE(make_folder("new", '2'));
    bool can = can_exchange("new", "new");
    TEST_ASSERT_TRUE(place_folder("new", "place", true));
    TEST_ASSERT_EQUAL_INT('2', page_of("place"));
    if (can) {
        TEST_ASSERT_EQUAL_INT('1', page_of("new")); /* what was there is where the new one was */
        pid_t child = fork();
        for (int i = 0; child == 0 && i < 5000; i++)
            if (!place_folder("new", "place", true))
                _exit(1);
        if (child == 0)
            _exit(0);
        int status = 0;
        for (; waitpid(child, &status, WNOHANG) == 0; looks++)
            missed += page_of("place") == '-';
        TEST_ASSERT_EQUAL_INT(0, status);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, missed, "looks that found nothing");
    }
    away_with(folder);
    if (!can)
        TEST_IGNORE_MESSAGE("folders can't be exchanged here");
}

/* Each makes 200 folders and puts one after the other into the place. */
static void test_two_at_once_lose_nothing_and_nest_nothing(void)
{
    for (int at_once = 0; at_once <= 1; at_once++) {
        char folder[] = "build/tests/book.XXXXXX";
        in_a_new_folder(folder);
        pid_t children[2];
        for (int one = 0; one < 2; one++) {
            if ((children[one] = fork()))
                continue;
            for (int i = 0; i < 200; i++) {
                char *name = format_text("%d-%d", one, i);
                if (!make_folder(name, 'w') || !place_folder(name, "place", at_once))
                    _exit(1);
                free(name);
            }
            _exit(0);
        }
        int status[2];
        for (int one = 0; one < 2; one++)
            waitpid(children[one], &status[one], 0);
        TEST_ASSERT_EQUAL_INT(0, status[0] | status[1]);
        TEST_ASSERT_EQUAL_INT(400, names_in("."));
        DIR *names = opendir(".");
        for (struct dirent *at; (at = readdir(names));)
            if (*at->d_name != '.') {
                TEST_ASSERT_EQUAL_INT('w', page_of(at->d_name));
                TEST_ASSERT_EQUAL_INT_MESSAGE(1, names_in(at->d_name), at->d_name);
            }
        closedir(names);
        away_with(folder);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_word_is_one_name_and_indices_are_several);
    RUN_TEST(test_scripts_fractions_and_roots_hold_what_belongs_to_them);
    RUN_TEST(test_a_long_formula_is_one_element_and_may_go_on_at_its_equal_signs);
    RUN_TEST(test_a_minus_an_exponent_an_index_and_a_root_in_a_sentence_are_typeset);
    RUN_TEST(test_the_parts_of_c_are_marked);
    RUN_TEST(test_what_is_typed_is_told_from_the_answer);
    RUN_TEST(test_bars_stand_on_0_and_curves_have_gaps);
    RUN_TEST(test_of_many_curves_each_has_a_small_picture_and_the_others_are_pale);
    RUN_TEST(test_a_diagram_is_read_along_its_wires);
    RUN_TEST(test_a_diagram_has_a_box_for_words_a_circle_for_a_sign_and_heads);
    RUN_TEST(test_what_is_no_diagram_stays_a_text);
    RUN_TEST(test_a_curves_name_stands_at_its_end_and_on_no_other);
    RUN_TEST(test_a_picture_beside_the_text_is_shown_with_its_words);
    RUN_TEST(test_the_numbers_of_an_axis_are_the_points_own_where_they_have_room);
    RUN_TEST(test_a_text_is_characters_and_never_html);
    RUN_TEST(test_a_folder_takes_a_place_at_once);
    RUN_TEST(test_two_at_once_lose_nothing_and_nest_nothing);
    return UNITY_END();
}
