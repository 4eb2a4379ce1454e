/* progress.c: .workbook/progress.json. What can be loaded can be recorded into,
 * and is then one run further. */
#include "fuzz.h"
#include "program.h"

#include <sys/stat.h>

static CheckResult result = {.step = "f", .name = "f works", .status = PASSED};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    enter_scratch("progress");
    require(!mkdir(".workbook", 0700));
    return 0;
}

static int attempts(const Progress *progress)
{
    const LessonProgress *item = progress_find(progress, "01_layer_norm");
    return item ? item->attempts : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Report report = {.lesson = "01_layer_norm", .results = &result, .count = 1, .passed = 1};
    Progress before, after;
    char error[512] = "";
    write_file(".workbook/progress.json", data, size);
    require(progress_hint_tier("01_layer_norm", "row_mean") >= 0);
    if (!progress_load(&before, error, sizeof error)) {
        require(error[0] && !before.count);
        return 0;
    }
    int was = attempts(&before);
    progress_free(&before);
    require(progress_record(&report, error, sizeof error));
    require(progress_load(&after, error, sizeof error));
    require(attempts(&after) == was + 1);
    progress_free(&after);
    return 0;
}
