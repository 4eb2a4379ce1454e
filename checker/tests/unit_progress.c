/* Units of progress.c, in a folder of their own. Crashes, full disks, damage and crowds are in
 * test_progress.py. */
#include "program.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char error[300];
static char folder[] = "build/unit_progress_XXXXXX";

void setUp(void)
{
    error[0] = '\0';
    if (system("rm -rf .workbook") != 0)
        TEST_FAIL();
}

void tearDown(void)
{
}

static CheckResult results[] = {
    {.step = "row_mean", .name = "row_mean averages one row"},
    {.step = "layer_norm", .name = "layer_norm matches PyTorch"},
};

static void record(const char *lesson, int passed)
{
    Report report = {
        .results = results, .count = 2, .passed = passed, .failed = 2 - passed, .seconds = 0.25};
    snprintf(report.lesson, sizeof report.lesson, "%s", lesson);
    TEST_ASSERT_TRUE_MESSAGE(progress_record(&report, error, sizeof error), error);
}

static Progress loaded(void)
{
    Progress progress;
    TEST_ASSERT_TRUE_MESSAGE(progress_load(&progress, error, sizeof error), error);
    return progress;
}

static void the_signature_of_the_results(char signature[SIGNATURE_SIZE])
{
    report_signature(&(Report){.results = results, .count = 2}, signature);
}

static void nothing_was_passed_before_the_first_run(void)
{
    Progress progress = loaded();
    TEST_ASSERT_EQUAL_INT(0, progress.count);
    TEST_ASSERT_FALSE(progress_passed(&progress, "01_layer_norm", ""));
    TEST_ASSERT_EQUAL_INT(0, progress_hint_tier("01_layer_norm", "row_mean"));
    TEST_ASSERT_TRUE(access(".workbook", F_OK) != 0);
    progress_free(&progress);
}

static void every_run_counts_and_the_last_one_is_shown(void)
{
    record("02_backward", 2);
    record("01_layer_norm", 0);
    record("01_layer_norm", 1);
    Progress progress = loaded();
    TEST_ASSERT_EQUAL_INT(2, progress.count);
    TEST_ASSERT_EQUAL_STRING("01_layer_norm", progress.items[0].lesson);
    const LessonProgress *first = progress_find(&progress, "01_layer_norm");
    TEST_ASSERT_EQUAL_INT(1, first->passed);
    TEST_ASSERT_EQUAL_INT(1, first->failed);
    TEST_ASSERT_EQUAL_INT(2, first->checks);
    TEST_ASSERT_EQUAL_INT(2, first->attempts);
    TEST_ASSERT_TRUE(first->seconds == 0.25);
    TEST_ASSERT_EQUAL_INT('Z', first->last_run[19]);
    TEST_ASSERT_EQUAL_STRING("", first->first_pass);
    progress_free(&progress);
}

static void a_pass_is_kept_through_later_failures(void)
{
    char signature[SIGNATURE_SIZE];
    the_signature_of_the_results(signature);
    record("01_layer_norm", 2);
    record("01_layer_norm", 1);
    Progress progress = loaded();
    TEST_ASSERT_TRUE(progress_passed(&progress, "01_layer_norm", signature));
    TEST_ASSERT_EQUAL_INT('Z', progress.items[0].first_pass[19]);
    progress_free(&progress);
}

static void a_pass_of_other_checks_is_not_believed(void)
{
    record("01_layer_norm", 2);
    Progress progress = loaded();
    TEST_ASSERT_FALSE(progress_passed(&progress, "01_layer_norm", "0123456789abcdef"));
    progress_free(&progress);
}

static void a_stub_that_was_not_touched_is_no_attempt(void)
{
    Report report = {.lesson = "01_layer_norm",
                     .results = results,
                     .count = 2,
                     .not_reached = 2,
                     .untouched = true};
    TEST_ASSERT_TRUE(progress_record(&report, error, sizeof error));
    Progress progress = loaded();
    TEST_ASSERT_EQUAL_INT(0, progress.items[0].attempts);
    progress_free(&progress);
}

static void the_highest_hint_is_remembered(void)
{
    record("01_layer_norm", 1);
    TEST_ASSERT_TRUE(progress_hint("01_layer_norm", "row_mean", 2, error, sizeof error));
    TEST_ASSERT_TRUE(progress_hint("01_layer_norm", "row_mean", 1, error, sizeof error));
    TEST_ASSERT_TRUE(progress_hint("01_layer_norm", "layer_norm", 1, error, sizeof error));
    TEST_ASSERT_EQUAL_INT(2, progress_hint_tier("01_layer_norm", "row_mean"));
    TEST_ASSERT_EQUAL_INT(0, progress_hint_tier("01_layer_norm", "row_variance"));
    TEST_ASSERT_EQUAL_INT(0, progress_hint_tier("02_backward", "row_mean"));
    Progress progress = loaded();
    TEST_ASSERT_EQUAL_INT(3, progress.items[0].hints);
    TEST_ASSERT_EQUAL_INT(1, progress.items[0].attempts);
    progress_free(&progress);
}

static void the_signature_follows_the_checks_and_nothing_else(void)
{
    const Check checks[] = {{.step = "row_mean", .title = "row_mean averages one row"},
                            {.step = "layer_norm", .title = "layer_norm matches PyTorch"},
                            {0}};
    const char *const texts[] = {"ab", "c", NULL}, *const shifted[] = {"a", "bc", NULL};
    char of_results[SIGNATURE_SIZE], of_checks[SIGNATURE_SIZE], other[SIGNATURE_SIZE];
    the_signature_of_the_results(of_results);
    checks_signature(checks, of_checks);
    TEST_ASSERT_EQUAL_STRING(of_results, of_checks);
    checks_signature(checks + 1, other);
    TEST_ASSERT_TRUE(strcmp(of_checks, other) != 0);
    texts_signature(of_checks, texts);
    texts_signature(other, shifted);
    TEST_ASSERT_TRUE(strcmp(of_checks, other) != 0);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) < 0)
        return 1;
    UNITY_BEGIN();
    RUN_TEST(nothing_was_passed_before_the_first_run);
    RUN_TEST(every_run_counts_and_the_last_one_is_shown);
    RUN_TEST(a_pass_is_kept_through_later_failures);
    RUN_TEST(a_pass_of_other_checks_is_not_believed);
    RUN_TEST(a_stub_that_was_not_touched_is_no_attempt);
    RUN_TEST(the_highest_hint_is_remembered);
    RUN_TEST(the_signature_follows_the_checks_and_nothing_else);
    int failures = UNITY_END();
    setUp(); /* takes the last test's files away */
    return chdir("../..") < 0 || rmdir(folder) < 0 ? 1 : failures;
}
