/* For test_reports.py: prints a report made from the command line, so that any bytes can be in it.
 *
 *     report_driver human|json|tap|junit|gradescope|classroom50|vpl [field=value ...]
 *     report_driver parse <documents, each ended by a zero byte
 *
 * The report has three checks: one passed, one failed (its fields can be given), one not reached.
 * `parse` says for every document "ok", or why not, on a line. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static CheckResult results[3] = {
    {.step = "row_mean", .name = "row_mean averages one row", .seconds = 0.01},
    {.step = "layer_norm", .name = "layer_norm matches PyTorch on 3 x 5", .status = FAILED},
    {.step = "layer_norm", .name = "layer_norm holds far from zero", .status = NOT_REACHED},
};

static Report report = {
    .lesson = "01_layer_norm",
    .title = "Layer Normalization",
    .source = "exercises/01_layer_norm.c",
    .seed = 1234,
    .results = results,
    .count = 3,
    .passed = 1,
    .failed = 1,
    .not_reached = 1,
    .seconds = 0.09,
    .printed_by = "layer_norm matches PyTorch on 3 x 5",
};

static const Words shell = {"make hint LESSON=01", " make start, then", "Next: lesson 02"};

/* Fields that are any text. */
static const struct {
    const char *name;
    char **place;
} texts[] = {
    {"name", (char **)&results[1].name}, {"detail", &results[1].details[0]},
    {"detail2", &results[1].details[1]}, {"mistake", &results[1].mistake},
    {"ended_by", &results[1].ended_by},  {"build_error", &report.build_error},
    {"advice", &report.advice},          {"warnings", &report.warnings},
    {"notice", &report.notice},          {"try", &results[1].to_try},
    {"learned", &report.learned},        {"printed", &report.printed},
    {"not_graded", &report.not_graded},
};

static void set_field(const char *name, char *value)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(name, texts[i].name))
            *texts[i].place = value;
    if (!strcmp(name, "numbers"))
        results[1].has_numbers = sscanf(value, "%lf,%lf,%lf", &results[1].expected, &results[1].got,
                                        &results[1].allowed) == 3;
    if (!strcmp(name, "reached")) { /* how many of the three checks */
        report.count = atoi(value);
        report.not_reached = 0;
    }
    if (!strcmp(name, "seed"))
        report.seed = strtoull(value, NULL, 10);
    if (!strcmp(name, "source"))
        snprintf(report.source, sizeof report.source, "%s", value);
    if (!strcmp(name, "shell")) /* it was asked for in one: the last lines say what to type there */
        report.words = shell;
    if (!strcmp(name, "passed")) {
        results[1].status = results[2].status = PASSED;
        report.passed = 3;
        report.failed = report.not_reached = 0;
    }
    if (!strcmp(name, "untouched"))
        report.untouched = true;
    if (!strcmp(name, "printed"))
        report.printed_total = strlen(value);
    if (!strcmp(name, "printed_total"))
        report.printed_total = strtoull(value, NULL, 10);
}

static int parse(void)
{
    char *document = NULL;
    size_t room = 0;
    while (getdelim(&document, &room, '\0', stdin) >= 0) {
        Report parsed;
        char error[300] = "";
        bool good = report_parse(&parsed, document, error, sizeof error);
        printf("%s\n", good ? "ok" : error);
        if (good)
            report_free(&parsed);
    }
    free(document);
    return !delivered(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (!strcmp(argv[1], "parse"))
        return parse();
    for (int i = 2; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            return 2;
        *value = '\0';
        set_field(argv[i], value + 1);
    }
    report.next = next_step(&report);
    const Report both[2] = {report, report};
    int lessons = getenv("TWO_LESSONS") ? 2 : 1;
    Format format;
    if (!format_find(argv[1], &format))
        return 2;
    if (format == HUMAN)
        report_human(stdout, &report);
    else
        report_write(stdout, format, both, lessons);
    return !delivered(stdout);
}
