/* A block of numbers: is it read as it is written, and drawn where the numbers are? */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

static Plot plot;

void setUp(void)
{
    plot = (Plot){0};
}

void tearDown(void)
{
    plot_free(&plot);
}

static bool is_read(const char *text)
{
    plot_free(&plot);
    return plot_read(&plot, text, strlen(text));
}

static void is_drawn(const char *text, const char *expected)
{
    const Look look = {.width = 30};
    Buffer out = {0};
    TEST_ASSERT_TRUE(is_read(text));
    plot_add(&out, &look, &plot, "");
    buffer_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(expected, out.data);
    buffer_free(&out);
}

static void test_a_block_is_read(void)
{
    TEST_ASSERT_TRUE(is_read("title: A title\nx: size (log)\ny: error\ncurves: one, two\n"
                             "1  2.50 -3\n 10 nan 4\n"));
    TEST_ASSERT_EQUAL_STRING("A title", plot.title);
    TEST_ASSERT_EQUAL_STRING("size", plot.x.name);
    TEST_ASSERT_EQUAL_STRING("error", plot.y.name);
    TEST_ASSERT_EQUAL_STRING("two", plot.names[1]);
    TEST_ASSERT_TRUE(plot.x.log && !plot.y.log && !plot.bars);
    TEST_ASSERT_EQUAL_INT(2, plot.rows);
    TEST_ASSERT_EQUAL_STRING("2.50", plot_cell(&plot, 0, 1)->shown);
    TEST_ASSERT_EQUAL_DOUBLE(-3, plot.y.from);
    TEST_ASSERT_EQUAL_DOUBLE(4, plot.y.to);
}

static void test_what_is_no_plot_is_refused(void)
{
    const char *const bad[] = {"",
                               "title: no rows\n",
                               "1 2\n",
                               "title: words\n1 two\n",
                               "title: too few\ncurves: a, b\n1 2\n",
                               "title: too many\n1 2 3\n",
                               "title: a head behind the rows\n1 2\nx: x\n",
                               "title: nothing to see\n1 nan\n",
                               "title: below 0\ny: y (log)\n1 -2\n",
                               "title: bars are not logarithmic\nx: x (log)\nbars: a\n1 2\n",
                               "title: curves\ncurves: 1, 2, 3, 4, 5, 6, 7\n1 1 2 3 4 5 6 7\n",
                               "title: far\n1 -1.7e308\n2 1.7e308\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        TEST_ASSERT_FALSE_MESSAGE(is_read(bad[i]), bad[i]);
}

static void test_bars_of_0_begin_at_0(void)
{
    TEST_ASSERT_TRUE(is_read("title: t\nbars: a\n1 3\n2 5\n"));
    TEST_ASSERT_EQUAL_DOUBLE(0, plot.y.from);
}

static void test_a_number_has_its_place(void)
{
    const Axis even = {.from = -1, .to = 3}, decades = {.log = true, .from = 0.01, .to = 100};
    TEST_ASSERT_EQUAL_DOUBLE(0.25, plot_place(&even, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, plot_place(&decades, 1));
    TEST_ASSERT_TRUE(isnan(plot_place(&decades, 0)) && isnan(plot_place(&even, INFINITY)));
}

static void has_ticks(Axis axis, int most, const char *expected)
{
    double ticks[MOST_TICKS];
    char text[200] = "";
    int count = plot_ticks(&axis, most, ticks);
    for (int i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%g ", ticks[i]);
    TEST_ASSERT_EQUAL_STRING(expected, text);
}

static void test_ticks_are_round_numbers(void)
{
    has_ticks((Axis){.from = 0.0316, .to = 1.2247}, 5, "0.5 1 ");
    has_ticks((Axis){.from = -0.93, .to = 1.86}, 8, "-0.5 0 0.5 1 1.5 ");
    has_ticks((Axis){.from = 0, .to = 0.3}, 4, "0 0.1 0.2 0.3 ");
    has_ticks((Axis){.from = 7, .to = 7}, 4, "7 ");
    has_ticks((Axis){.log = true, .from = 1e-4, .to = 10}, 12, "0.0001 0.001 0.01 0.1 1 10 ");
    has_ticks((Axis){.log = true, .from = 1e-4, .to = 10}, 3, "0.0001 0.01 1 ");
    has_ticks((Axis){.log = true, .from = 2, .to = 7}, 4, "2 4 6 ");
    has_ticks((Axis){.log = true, .from = 0.4, .to = 8}, 6, "0.5 1 2 5 ");
}

static void test_bars_lie_left_and_right_of_0(void)
{
    is_drawn("title: Parts\nx: x\nbars: up, down\n1 3.0 -3\n2 1.2 0\n",
             "    Parts\n"
             "    x 1  up         │█████ 3.0\n"
             "         down  █████│       -3\n"
             "\n"
             "    x 2  up         │██    1.2\n"
             "         down       │        0\n");
}

static void test_half_a_column_shows(void)
{
    is_drawn("title: Halves\nbars: a\n1 10\n2 -3.4\n3 3.4\n", "    Halves\n"
                                                              "    1  a      │██████████   10\n"
                                                              "    2  a  ▐███│           -3.4\n"
                                                              "    3  a      │███▌        3.4\n");
}

static void test_curves_go_through_their_points(void)
{
    is_drawn("title: Square\nx: x\ny: y\n0 0\n1 1\n2 4\n", "    Square\n"
                                                           "    y\n"
                                                           "    4 ┤                     ·●\n"
                                                           "      │                   ···\n"
                                                           "      │                 ···\n"
                                                           "      │                ··\n"
                                                           "    2 ┤              ···\n"
                                                           "      │            ···\n"
                                                           "      │        ···●·\n"
                                                           "      │   ······\n"
                                                           "    0 ┤●···\n"
                                                           "      └┬──────────┬──────────┬\n"
                                                           "       0          1          2\n"
                                                           "                             x\n");
}

static void test_a_gap_has_no_line(void)
{
    is_drawn("title: Gap\nx: x (log)\ny: y\ncurves: a, b\n1 1 2\n10 nan 2\n100 3 2\n",
             "    Gap\n"
             "    ● a, ○ b\n"
             "    y\n"
             "    3 ┤                      ●\n"
             "      │\n"
             "      │\n"
             "      │\n"
             "    2 ┤○··········○··········○\n"
             "      │\n"
             "      │\n"
             "      │\n"
             "    1 ┤●\n"
             "      └┬──────────┬──────────┬\n"
             "       1         10        100\n"
             "                             x\n");
}

int main(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    UNITY_BEGIN();
    RUN_TEST(test_a_block_is_read);
    RUN_TEST(test_what_is_no_plot_is_refused);
    RUN_TEST(test_bars_of_0_begin_at_0);
    RUN_TEST(test_a_number_has_its_place);
    RUN_TEST(test_ticks_are_round_numbers);
    RUN_TEST(test_bars_lie_left_and_right_of_0);
    RUN_TEST(test_half_a_column_shows);
    RUN_TEST(test_curves_go_through_their_points);
    RUN_TEST(test_a_gap_has_no_line);
    return UNITY_END();
}
