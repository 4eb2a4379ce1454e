/* Units of text.c and report_json.c. The whole reports, and the programs that read them,
 * are in test_reports.py. */
#include "run.h"

#include "unity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- numbers_line -------------------------------------------------------------------------------
 */

static void compare_line(const char *wanted, double expected, double got, double allowed)
{
    char *line = numbers_line("y[1][3]", expected, got, allowed);
    TEST_ASSERT_EQUAL_STRING(wanted, line);
    free(line);
}

static void numbers_have_four_digits_and_errors_two(void)
{
    compare_line("y[1][3]: expected 0.5393, got 0.4824 (off by 0.057, allowed 0.0000012)", 0.5393,
                 0.4824, 1.2e-6);
    compare_line("y[1][3]: expected 266.7, got 400 (off by 133, allowed 0.0001)", 800 / 3.0, 400,
                 1e-4);
}

static void more_digits_are_shown_when_four_look_alike(void)
{
    compare_line("y[1][3]: expected 1, got 1.000001 (off by 0.0000012, allowed 0.00000119)", 1,
                 1.0000012, 0.00000119);
    compare_line("y[1][3]: expected 1000, got 1000.002 (off by 0.0023, allowed 0.00012)", 1000,
                 1000.0023, 1.2e-4);
    compare_line("y[1][3]: expected 12345678, got 12345679 (off by 1, allowed 0.5)", 12345678,
                 12345679, 0.5);
}

static void extreme_numbers_are_in_e_notation(void)
{
    compare_line("y[1][3]: expected 1e+30, got 2e+30 (off by 1e+30, allowed 1e+22)", 1e30, 2e30,
                 1e22);
    compare_line("y[1][3]: expected 1.234e-12, got -1.234e-12 (off by 2.5e-12, allowed 1e-19)",
                 1.2341e-12, -1.2341e-12, 1e-19);
}

static void nan_and_infinity_are_words(void)
{
    compare_line("y[1][3]: expected 0.25, got NaN", 0.25, NAN, 1e-6);
    compare_line("y[1][3]: expected 0.25, got infinity", 0.25, INFINITY, 1e-6);
    compare_line("y[1][3]: expected -infinity, got 0", -INFINITY, 0, 1e-6);
}

/* Over many magnitudes, numbers that differ as floats never look alike. */
static void different_numbers_never_look_alike(void)
{
    for (double value = 1e-30; value < 1e30; value *= 7.3) {
        double next = value * (1 + 1.2e-7);
        char *line = numbers_line("y", value, next, value * 1e-9), *got = strstr(line, ", got ");
        TEST_ASSERT_NOT_NULL(got);
        size_t length = strcspn(got + 6, " ");
        TEST_ASSERT_TRUE_MESSAGE(strncmp(line + 12, got + 6, length) != 0, line);
        free(line);
    }
}

/* ---- text ---- */

static void compare_escaped(const char *wanted, const char *text)
{
    char *safe = escaped(text, strlen(text));
    TEST_ASSERT_EQUAL_STRING(wanted, safe);
    free(safe);
}

static void controls_become_visible_and_layout_stays(void)
{
    compare_escaped("a\tb\nc", "a\tb\nc");
    compare_escaped("\\x1b[2J\\r\\x07\\x7f", "\x1b[2J\r\a\x7f");
}

static void everything_is_ascii_in_an_ascii_locale(void)
{
    compare_escaped("\\xc3\\xa4 \\xe2\\x9c\\x85", "ä ✅");
    TEST_ASSERT_EQUAL_STRING("ok  ", mark_pass());
    TEST_ASSERT_EQUAL_STRING("FAIL", mark_fail());
    TEST_ASSERT_EQUAL_STRING("--  ", mark_skip());
}

static void a_zero_byte_is_escaped_like_the_others(void)
{
    char *safe = escaped("a\0b", 3);
    TEST_ASSERT_EQUAL_STRING("a\\x00b", safe);
    free(safe);
}

static void only_valid_utf8_is_decoded(void)
{
    static const struct {
        const char *text;
        int size;
        uint32_t code;
    } cases[] = {{"A", 1, 'A'},
                 {"\xC3\xA4", 2, 0xE4},
                 {"\xE2\x9C\x85", 3, 0x2705},
                 {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
                 {"\x80", 0, 0},             /* continues nothing */
                 {"\xC3", 0, 0},             /* cut short */
                 {"\xC3(", 0, 0},            /* not continued */
                 {"\xC0\xAF", 0, 0},         /* longer than needed */
                 {"\xED\xA0\x80", 0, 0},     /* half of a pair of UTF-16 */
                 {"\xF4\x90\x80\x80", 0, 0}, /* beyond Unicode */
                 {"\xFF", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code = 0;
        int size = utf8_decode(cases[i].text, strlen(cases[i].text), &code);
        TEST_ASSERT_EQUAL_INT(cases[i].size, size);
        if (size)
            TEST_ASSERT_EQUAL_UINT32(cases[i].code, code);
    }
}

static void a_file_is_read_whole_or_the_reason_is_in_errno(void)
{
    char path[] = "build/unit_report_XXXXXX";
    int file = mkstemp(path);
    TEST_ASSERT_TRUE(file >= 0);
    for (int i = 0; i < 5000; i++)
        TEST_ASSERT_EQUAL_INT(8, write(file, "12345\0\n", 8));
    close(file);
    size_t length = 0;
    char *text = read_file(path, &length);
    unlink(path);
    TEST_ASSERT_EQUAL_UINT64(40000, length);
    TEST_ASSERT_EQUAL_INT('\0', text[40000]);
    free(text);
    TEST_ASSERT_NULL(read_file(path, NULL));
    TEST_ASSERT_EQUAL_INT(ENOENT, errno);
    TEST_ASSERT_NULL(read_file("checker", NULL));
    TEST_ASSERT_EQUAL_INT(EISDIR, errno);
}

/* ---- JSON ---- */

static char *as_json(const Report *report)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    report_json(out, report, 1);
    fclose(out);
    return text;
}

static CheckResult results[] = {
    {.step = "row_mean", .name = "row_mean averages \"one\" row", .status = PASSED},
    {.step = "layer_norm",
     .name = "layer_norm fails",
     .status = FAILED,
     .has_numbers = true,
     .where = "y[0][1]",
     .expected = 0.1,
     .got = NAN,
     .allowed = INFINITY,
     .details = {"first", "second"},
     .mistake = "n_minus_1",
     .ended_by = "SIGSEGV",
     .seconds = 0.25},
    {.step = "layer_norm",
     .name = "later",
     .status = NOT_REACHED,
     .has_numbers = true,
     .expected = -INFINITY,
     .got = 1e-45,
     .allowed = 0},
};

static const Report sample = {
    .lesson = "01_layer_norm",
    .title = "Layer Normalization",
    .source = "exercises/01_layer_norm.c",
    .seed = UINT64_MAX,
    .results = results,
    .count = 3,
    .passed = 1,
    .failed = 1,
    .not_reached = 1,
    .warnings = "careful",
    .printed = "tick \xE2\x9C\x85 and \x1b",
    .printed_by = "first call of row_mean",
    .printed_total = 99,
    .seconds = 0.125,
};

static void a_report_survives_being_written_and_read(void)
{
    char *json = as_json(&sample), error[200] = "";
    Report copy;
    TEST_ASSERT_TRUE_MESSAGE(report_parse(&copy, json, error, sizeof error), error);
    TEST_ASSERT_TRUE(copy.seed == UINT64_MAX);
    TEST_ASSERT_EQUAL_INT(3, copy.count);
    TEST_ASSERT_EQUAL_STRING("row_mean averages \"one\" row", copy.results[0].name);
    TEST_ASSERT_FALSE(copy.results[0].has_numbers);
    TEST_ASSERT_TRUE(copy.results[1].expected == 0.1 && isnan(copy.results[1].got) &&
                     copy.results[1].allowed == INFINITY);
    TEST_ASSERT_TRUE(copy.results[2].expected == -INFINITY && copy.results[2].got == 1e-45);
    TEST_ASSERT_EQUAL_STRING("second", copy.results[1].details[1]);
    TEST_ASSERT_NULL(copy.results[1].details[2]);
    TEST_ASSERT_EQUAL_STRING(sample.printed, copy.printed);
    TEST_ASSERT_NULL(copy.build_error);
    char *again = as_json(&copy);
    TEST_ASSERT_EQUAL_STRING(json, again);
    free(again);
    free(json);
    report_free(&copy);
}

static void a_report_that_was_cut_off_is_refused(void)
{
    char *json = as_json(&sample), error[200];
    for (size_t length = strlen(json) - 2; length > 0; length--) {
        Report copy;
        json[length] = '\0';
        error[0] = '\0';
        TEST_ASSERT_FALSE(report_parse(&copy, json, error, sizeof error));
        TEST_ASSERT_TRUE(error[0] != '\0' && copy.results == NULL);
    }
    free(json);
}

int main(void)
{
    setenv("LC_ALL", "C", 1);
    UNITY_BEGIN();
    RUN_TEST(numbers_have_four_digits_and_errors_two);
    RUN_TEST(more_digits_are_shown_when_four_look_alike);
    RUN_TEST(extreme_numbers_are_in_e_notation);
    RUN_TEST(nan_and_infinity_are_words);
    RUN_TEST(different_numbers_never_look_alike);
    RUN_TEST(controls_become_visible_and_layout_stays);
    RUN_TEST(everything_is_ascii_in_an_ascii_locale);
    RUN_TEST(a_zero_byte_is_escaped_like_the_others);
    RUN_TEST(only_valid_utf8_is_decoded);
    RUN_TEST(a_file_is_read_whole_or_the_reason_is_in_errno);
    RUN_TEST(a_report_survives_being_written_and_read);
    RUN_TEST(a_report_that_was_cut_off_is_refused);
    return UNITY_END();
}
