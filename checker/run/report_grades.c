/* Reports for the places where classes are: Gradescope's results.json, the result.json of Classroom
 * 50, and the lines that Moodle's VPL looks for.
 *
 * The invariant: a check that passed is a point, or what it is worth, and no other line or string
 * of the document is a grade, whatever the student's code printed: in JSON it is a string, for VPL
 * it stands behind ">". */
#include "run.h"

#include "cJSON.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What `make check` would print. Caller frees. */
static char *verdict(const Report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        report_human(out, report);
        fclose(out);
    }
    return text ? text : format_text("%s", "");
}

/* "01 row_mean averages one row". Caller frees. */
static char *check_name(const Report *report, const CheckResult *result)
{
    return format_text("%.*s %s", (int)strcspn(report->lesson, "_"), report->lesson, result->name);
}

/* The lines below a check, or that it was not reached. Caller frees. */
static char *check_output(const CheckResult *result)
{
    char *text = format_text("%s", result->status == NOT_REACHED ? "not reached\n" : "");
    for (int i = 0; i < MAX_DETAILS && result->details[i]; i++) {
        char *longer = format_text("%s%s\n", text, result->details[i]);
        free(text);
        text = longer;
    }
    return text;
}

static void add_text(cJSON *object, const char *key, char *text)
{
    char *safe = escaped(text, strlen(text));
    cJSON_AddStringToObject(object, key, safe);
    free(safe);
    free(text);
}

static void print_document(FILE *out, cJSON *document)
{
    char *text = cJSON_Print(document);
    fprintf(out, "%s\n", text ? text : "out of memory");
    free(text);
    cJSON_Delete(document);
}

static double worth(const Report *report, int check)
{
    return report->points ? report->points[check] : 1;
}

static void count_points(const Report *reports, int count, double *passed, double *all)
{
    *passed = *all = 0;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < reports[i].count; c++) {
            *passed += reports[i].results[c].status == PASSED ? worth(&reports[i], c) : 0;
            *all += worth(&reports[i], c);
        }
}

/* ---- Gradescope ---- */
void report_gradescope(FILE *out, const Report *reports, int count)
{
    double seconds = 0;
    cJSON *document = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    char *told = format_text("%s", "");
    for (int i = 0; i < count; i++) {
        const Report *report = &reports[i];
        char *text = verdict(report), *longer = format_text("%s%s%s", told, i ? "\n" : "", text);
        free(text);
        free(told);
        told = longer;
        seconds += report->seconds;
        for (int c = 0; c < report->count; c++) {
            const CheckResult *result = &report->results[c];
            bool passed = result->status == PASSED;
            cJSON *test = cJSON_CreateObject();
            add_text(test, "name", check_name(report, result));
            cJSON_AddNumberToObject(test, "score", passed ? worth(report, c) : 0);
            cJSON_AddNumberToObject(test, "max_score", worth(report, c));
            cJSON_AddStringToObject(test, "status", passed ? "passed" : "failed");
            add_text(test, "output", check_output(result));
            cJSON_AddStringToObject(test, "visibility", "visible");
            cJSON_AddItemToArray(tests, test);
        }
    }
    add_text(document, "output", told);
    cJSON_AddNumberToObject(document, "execution_time", ceil(seconds));
    cJSON_AddStringToObject(document, "stdout_visibility", "hidden");
    cJSON_AddItemToObject(document, "tests", tests);
    print_document(out, document);
}

/* ---- Classroom 50 ---- */
static void add_given(cJSON *document, const char *key, const char *variable)
{
    const char *value = getenv(variable);
    add_text(document, key, format_text("%s", value ? value : ""));
}

void report_classroom50(FILE *out, const Report *reports, int count)
{
    char now[32];
    time_t seconds = time(NULL);
    double passed, all;
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "schema", "classroom50/result/v1");
    add_given(document, "classroom", "CLASSROOM");
    add_given(document, "assignment", "ASSIGNMENT");
    add_given(document, "submission", "SUBMISSION_TAG");
    add_given(document, "commit", "COMMIT_URL");
    add_given(document, "release", "RELEASE_URL");
    add_given(document, "review", getenv("REVIEW_URL") ? "REVIEW_URL" : "COMMIT_URL");
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    cJSON_AddStringToObject(document, "datetime", now);
    count_points(reports, count, &passed, &all);
    cJSON_AddNumberToObject(document, "score", passed);
    cJSON_AddNumberToObject(document, "max-score", all);
    cJSON *tests = cJSON_AddArrayToObject(document, "tests");
    for (int i = 0; i < count; i++)
        for (int c = 0; c < reports[i].count; c++) {
            const CheckResult *result = &reports[i].results[c];
            cJSON *test = cJSON_CreateObject();
            add_text(test, "test-name", check_name(&reports[i], result));
            cJSON_AddBoolToObject(test, "passed", result->status == PASSED);
            cJSON_AddNumberToObject(test, "score",
                                    result->status == PASSED ? worth(&reports[i], c) : 0);
            cJSON_AddNumberToObject(test, "max-score", worth(&reports[i], c));
            add_text(test, "output", check_output(result));
            cJSON_AddItemToArray(tests, test);
        }
    print_document(out, document);
}

/* ---- VPL ---- */
static double grade_limit(const char *variable, double otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? strtod(value, NULL) : otherwise;
}

void report_vpl(FILE *out, const Report *reports, int count)
{
    double passed, all;
    double least = grade_limit("VPL_GRADEMIN", 0), most = grade_limit("VPL_GRADEMAX", 100);
    fputs("<|--\n", out);
    for (int i = 0; i < count; i++) {
        const Report *report = &reports[i];
        char *text = verdict(report);
        fprintf(out, "-Lesson %.*s: %d of %d checks passed\n", (int)strcspn(report->lesson, "_"),
                report->lesson, report->passed, report->count);
        write_lines(out, ">", ">", text, strlen(text));
        free(text);
    }
    count_points(reports, count, &passed, &all);
    fprintf(out, "--|>\nGrade :=>> %.2f\n", least + (all > 0 ? (most - least) * passed / all : 0));
}
