/* Small histograms in terminals of every size: does what is drawn fit, and is it what was measured?
 * As a picture: is it there whole, or is it said why it is not? */
#include "../labs/labs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

void setUp(void)
{
}

void tearDown(void)
{
}

enum { COLUMNS = 3, CURVES = 5, POINTS = 20, PARTS = 45, ROOM = 1 << 16 };

static const LabGrid grid = {.parts = PARTS,
                             .low = -1,
                             .high = 1,
                             .full = 0.5,
                             .title = "no title",
                             .columns = COLUMNS,
                             .columns_named = (const char *const[]){"one", "two", "three"},
                             .rows_named = (const char *const[]){"the upper row", "the lower"},
                             .point_name = "layer"};

static const LabCurve curves[] = {{"a", 0, 0}, {"b", 0, 0}, {"c", 0, 0},
                                  {"d", 0, 0}, {"e", 0, 0}, {0}};

static double counted_from_1(int point)
{
    return point + 1;
}

/* Every number has one part for its own: that of its point in the first curve, 44 less it in the
 * others. */
static LabResults made_results(int points)
{
    static LabExperiment e = {.curves = curves, .x = counted_from_1, .seeds = 1, .grid = &grid};
    static LabValue values[PARTS + 1];
    static LabResults r;
    for (int v = 0; v < PARTS; v++)
        values[v] = (LabValue){"part", 0, 1};
    e.values = values;
    e.points = points;
    free(r.numbers);
    results_make(&r, &e, 1);
    for (int curve = 0; curve < CURVES; curve++)
        for (int point = 0; point < points; point++)
            r.numbers[(curve * points + point) * PARTS + (curve ? PARTS - 1 - point : point)] = 1;
    return r;
}

/* What a terminal of that size shows. */
static void shown(char *text, int points, int width, int height)
{
    LabResults results = made_results(points);
    struct winsize size = {.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};
    struct termios plain;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), length = 0;
    TEST_ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int inside = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    TEST_ASSERT_TRUE(inside >= 0 && ioctl(inside, TIOCSWINSZ, &size) == 0);
    tcgetattr(inside, &plain);
    plain.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(inside, TCSANOW, &plain);
    pid_t writer = fork();
    if (writer == 0) {
        FILE *out = fdopen(inside, "w");
        lab_grid(out, &results);
        fputc('\1', out); /* the end */
        fclose(out);
        _exit(0);
    }
    while (length < ROOM - 1 && (length == 0 || text[length - 1] != '\1')) {
        ssize_t got = read(terminal, text + length, (size_t)(ROOM - 1 - length));
        TEST_ASSERT_TRUE(got > 0);
        length += (int)got;
    }
    text[length - 1] = '\0';
    waitpid(writer, NULL, 0);
    close(inside);
    close(terminal);
}

static int width_of(const char *line, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)line[i] & 0xc0) != 0x80;
    return width;
}

/* The widest line, and the most lines that follow one another without an empty one. */
static void measure(const char *text, int *widest, int *highest)
{
    int lines = 0;
    *widest = *highest = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        int width = width_of(text, length);
        lines = length > 0 ? lines + 1 : 0;
        *widest = width > *widest ? width : *widest;
        *highest = lines > *highest ? lines : *highest;
        text += length + 1;
    }
}

static void test_it_fits_every_terminal(void)
{
    static char text[ROOM];
    for (int width = 8; width <= 250; width += width < 90 ? 6 : 40)
        for (int height = 6; height <= 120; height = height * 3 / 2 + 1)
            for (int points = 1; points <= POINTS; points += POINTS - 1) {
                int widest, highest;
                shown(text, points, width, height);
                measure(text, &widest, &highest);
                TEST_ASSERT_TRUE_MESSAGE(widest <= width, text);
                TEST_ASSERT_TRUE_MESSAGE(highest < height, text);
            }
}

static void test_the_first_and_the_last_are_always_there(void)
{
    static char text[ROOM];
    for (int height = 6; height <= 40; height += 3) {
        shown(text, POINTS, 80, height);
        TEST_ASSERT_NOT_NULL(strstr(text, "\n    1  "));
        TEST_ASSERT_NOT_NULL(strstr(text, "\n   20  "));
        TEST_ASSERT_TRUE((strstr(text, "\n    2  ") != NULL) == (height >= 24));
    }
}

/* Where there is room every part has a character of its own; else they are added up by 3 or 9. */
static void test_a_part_is_drawn_where_it_is(void)
{
    static const struct {
        int width, each;
    } sizes[] = {{160, 1}, {149, 1}, {100, 3}, {60, 3}, {50, 5}, {40, 5}, {30, 9}};
    static char text[ROOM], expected[200];
    const char *full = locale_is_utf8() ? "█" : "#";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        shown(text, POINTS, sizes[i].width, 24);
        int chars = PARTS / sizes[i].each, at = 19 / sizes[i].each, other = 25 / sizes[i].each;
        snprintf(expected, sizeof expected, "\n   20%*s%s%*s%s", 2 + at, "", full,
                 chars - 1 - at + 2 + other, "", full);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, expected), text);
    }
}

static void test_panels_that_do_not_fit_stand_below_one_another(void)
{
    static char text[ROOM];
    shown(text, POINTS, 12, 24);
    TEST_ASSERT_NOT_NULL(strstr(text, "\nlayer  one\n"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\nlayer  two\n"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\nlayer  three\n"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\nthe lower\n"));
}

static void test_a_single_one_is_five_lines_high(void)
{
    static char text[ROOM];
    const char *full = locale_is_utf8() ? "\n       █" : "\n       #";
    int lines = 0;
    shown(text, 1, 80, 24);
    for (const char *at = text; (at = strstr(at, full)); at++)
        lines++;
    TEST_ASSERT_EQUAL_INT(5, lines);
}

/* In a folder of its own, where a folder may stand in the picture's way. */
static void test_a_picture_that_cannot_be_written_is_told_and_the_old_one_stays(void)
{
    char folder[] = "/tmp/grid_XXXXXX";
    int here = open(".", O_RDONLY | O_DIRECTORY);
    LabResults results = made_results(POINTS);
    char *first = NULL;
    TEST_ASSERT_TRUE(mkdtemp(folder) && chdir(folder) == 0);
    TEST_ASSERT_TRUE(draw_grid(&results, &first));
    TEST_ASSERT_EQUAL_INT(0, access(".workbook/lab/00_none.svg", R_OK));
    TEST_ASSERT_EQUAL_INT(-1, access(".workbook/lab/00_none.svg.new", F_OK));
    TEST_ASSERT_EQUAL_INT(0, mkdir(".workbook/lab/00_none.svg.new", 0777));
    TEST_ASSERT_FALSE(draw_grid(&results, &first));
    TEST_ASSERT_EQUAL_INT(0, access(".workbook/lab/00_none.svg", R_OK));
    TEST_ASSERT_EQUAL_STRING(".workbook/lab/00_none.svg", first);
    free(first);
    TEST_ASSERT_EQUAL_INT(0, rmdir(".workbook/lab/00_none.svg.new"));
    TEST_ASSERT_EQUAL_INT(0, unlink(".workbook/lab/00_none.svg"));
    TEST_ASSERT_TRUE(rmdir(".workbook/lab") == 0 && rmdir(".workbook") == 0);
    TEST_ASSERT_TRUE(rmdir(folder) == 0 && fchdir(here) == 0 && close(here) == 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_it_fits_every_terminal);
    RUN_TEST(test_the_first_and_the_last_are_always_there);
    RUN_TEST(test_a_part_is_drawn_where_it_is);
    RUN_TEST(test_panels_that_do_not_fit_stand_below_one_another);
    RUN_TEST(test_a_single_one_is_five_lines_high);
    RUN_TEST(test_a_picture_that_cannot_be_written_is_told_and_the_old_one_stays);
    return UNITY_END();
}
