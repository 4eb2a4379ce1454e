/* Reports as one JSON document, and one lesson's document read back.
 *
 *     {"version": 1,
 *      "lessons": [{"lesson": "01_layer_norm", "seed": "1234", ..., "checks": [...]}],
 *      "passed": 6, "failed": 1, "not_reached": 2, "seconds": 0.09}
 *
 * The shape is the same for one lesson and for many. JSON has no NaN, no infinity and no 64-bit
 * integers that every reader keeps, so these are strings: "NaN", "-Infinity", "1234".
 *
 * The invariant: whatever the learner's code printed, the document is valid. */
#include "run.h"

#include "cJSON.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {"passed", "failed", "not reached"};
enum { MAX_CHECKS = 10000 };

/* ---- writing -----------------------------------------------------------------------------------
 */

/* NULL becomes null; bytes that are not UTF-8 become the replacement character. */
static cJSON *string(const char *text)
{
    if (!text)
        return cJSON_CreateNull();
    size_t length = strlen(text);
    char *valid = malloc(3 * length + 1), *end = valid;
    if (!valid)
        return NULL;
    for (size_t i = 0; i < length;) {
        uint32_t code;
        int size = utf8_decode(text + i, length - i, &code);
        memcpy(end, size ? text + i : "\xEF\xBF\xBD", size ? (size_t)size : 3);
        end += size ? size : 3;
        i += size ? (size_t)size : 1;
    }
    *end = '\0';
    cJSON *item = cJSON_CreateString(valid);
    free(valid);
    return item;
}

static cJSON *number(double value)
{
    if (isnan(value))
        return cJSON_CreateString("NaN");
    if (isinf(value))
        return cJSON_CreateString(value < 0 ? "-Infinity" : "Infinity");
    return cJSON_CreateNumber(value);
}

static cJSON *also_json(const Fix *fix)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "line", fix->also_line);
    cJSON_AddItemToObject(object, "code", string(fix->also_code));
    return object;
}

static cJSON *other_json(const Fix *fix)
{
    if (!fix->other_line)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "line", fix->other_line);
    cJSON_AddBoolToObject(object, "behind", fix->other_behind);
    cJSON_AddItemToObject(object, "code", string(fix->other_code));
    return object;
}

static cJSON *fix_json(const Fix *fix)
{
    if (!fix)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "function", string(fix->function));
    cJSON_AddNumberToObject(object, "line", fix->line);
    cJSON_AddBoolToObject(object, "behind", fix->behind);
    cJSON_AddItemToObject(object, "kind", string(fix->kind));
    cJSON_AddItemToObject(object, "question", string(fix->question));
    cJSON_AddItemToObject(object, "code", string(fix->code));
    cJSON_AddItemToObject(object, "from", string(fix->from));
    cJSON_AddItemToObject(object, "to", string(fix->to));
    cJSON_AddItemToObject(object, "also", fix->also_line ? also_json(fix) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "other", other_json(fix));
    cJSON *lines = cJSON_AddArrayToObject(object, "lines");
    for (int i = 0; i < fix->line_count; i++) {
        cJSON *line = cJSON_CreateObject();
        cJSON_AddNumberToObject(line, "line", fix->lines[i].number);
        cJSON_AddItemToObject(line, "before", string(fix->lines[i].before));
        cJSON_AddItemToObject(line, "after", string(fix->lines[i].after));
        cJSON_AddItemToArray(lines, line);
    }
    return object;
}

static cJSON *check_json(const Report *report, const CheckResult *result)
{
    cJSON *check = cJSON_CreateObject();
    cJSON_AddItemToObject(check, "lesson", string(report->lesson));
    cJSON_AddItemToObject(check, "step", string(result->step));
    cJSON_AddItemToObject(check, "name", string(result->name));
    cJSON_AddItemToObject(check, "needs", string(result->needs));
    cJSON_AddStringToObject(check, "status", status_names[result->status]);
    cJSON_AddItemToObject(check, "where", string(*result->where ? result->where : NULL));
    bool numbers = result->has_numbers;
    cJSON_AddItemToObject(check, "expected", numbers ? number(result->expected) : string(NULL));
    cJSON_AddItemToObject(check, "got", numbers ? number(result->got) : string(NULL));
    cJSON_AddItemToObject(check, "allowed", numbers ? number(result->allowed) : string(NULL));
    cJSON_AddItemToObject(check, "mistake", string(result->mistake));
    cJSON_AddItemToObject(check, "sections", string(result->sections));
    cJSON_AddItemToObject(check, "when", string(result->when));
    cJSON_AddItemToObject(check, "quantity", string(result->quantity));
    cJSON_AddItemToObject(check, "slip", string(result->slip));
    cJSON_AddItemToObject(check, "ended_by", string(result->ended_by));
    cJSON_AddItemToObject(check, "fix", fix_json(result->fix));
    cJSON_AddItemToObject(check, "try", string(result->to_try));
    cJSON *details = cJSON_AddArrayToObject(check, "details");
    for (int i = 0; i < MAX_DETAILS && result->details[i]; i++)
        cJSON_AddItemToArray(details, string(result->details[i]));
    cJSON_AddItemToObject(check, "seconds", number(result->seconds));
    return check;
}

static cJSON *lesson_json(const Report *report)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, report->seed);
    cJSON *lesson = cJSON_CreateObject();
    cJSON_AddItemToObject(lesson, "lesson", string(report->lesson));
    cJSON_AddItemToObject(lesson, "title", string(report->title));
    cJSON_AddItemToObject(lesson, "source", string(report->source));
    cJSON_AddStringToObject(lesson, "seed", seed);
    cJSON_AddNumberToObject(lesson, "passed", report->passed);
    cJSON_AddNumberToObject(lesson, "failed", report->failed);
    cJSON_AddNumberToObject(lesson, "not_reached", report->not_reached);
    cJSON_AddItemToObject(lesson, "seconds", number(report->seconds));
    cJSON_AddBoolToObject(lesson, "untouched", report->untouched);
    cJSON_AddItemToObject(lesson, "not_graded", string(report->not_graded));
    cJSON_AddItemToObject(lesson, "build_error", string(report->build_error));
    cJSON_AddItemToObject(lesson, "advice", string(report->advice));
    cJSON_AddItemToObject(lesson, "warnings", string(report->warnings ? report->warnings : ""));
    cJSON_AddItemToObject(lesson, "learned", string(report->learned));
    cJSON_AddItemToObject(lesson, "notice", string(report->notice));
    cJSON_AddItemToObject(lesson, "printed", string(report->printed));
    cJSON_AddItemToObject(lesson, "printed_by",
                          string(report->printed ? report->printed_by : NULL));
    cJSON_AddNumberToObject(lesson, "printed_total", (double)report->printed_total);
    cJSON *checks = cJSON_AddArrayToObject(lesson, "checks");
    for (int i = 0; i < report->count; i++)
        cJSON_AddItemToArray(checks, check_json(report, &report->results[i]));
    return lesson;
}

void report_json(FILE *out, const Report *reports, int count)
{
    int passed = 0, failed = 0, not_reached = 0;
    double seconds = 0;
    cJSON *document = cJSON_CreateObject();
    cJSON_AddNumberToObject(document, "version", 1);
    cJSON *lessons = cJSON_AddArrayToObject(document, "lessons");
    for (int i = 0; i < count; i++) {
        cJSON_AddItemToArray(lessons, lesson_json(&reports[i]));
        passed += reports[i].passed;
        failed += reports[i].failed;
        not_reached += reports[i].not_reached;
        seconds += reports[i].seconds;
    }
    cJSON_AddNumberToObject(document, "passed", passed);
    cJSON_AddNumberToObject(document, "failed", failed);
    cJSON_AddNumberToObject(document, "not_reached", not_reached);
    cJSON_AddItemToObject(document, "seconds", number(seconds));
    char *text = cJSON_Print(document);
    fprintf(out, "%s\n", text ? text : "out of memory");
    free(text);
    cJSON_Delete(document);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

/* A walk over one document: the first thing found wrong stops the rest. */
typedef struct {
    char *error;
    size_t error_size;
    bool failed;
} Reader;

static void wrong(Reader *reader, const char *key, const char *wanted)
{
    if (!reader->failed)
        snprintf(reader->error, reader->error_size, "\"%s\" in the report should be %s", key,
                 wanted);
    reader->failed = true;
}

/* NULL for null. */
static const char *read_string(Reader *reader, const cJSON *object, const char *key, bool nullable)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item) && !(nullable && cJSON_IsNull(item)))
        wrong(reader, key, nullable ? "a string or null" : "a string");
    return cJSON_GetStringValue(item);
}

static char *read_copy(Reader *reader, const cJSON *object, const char *key)
{
    const char *text = read_string(reader, object, key, true);
    return text ? format_text("%s", text) : NULL;
}

static char *read_text(Reader *reader, const cJSON *object, const char *key)
{
    const char *text = read_string(reader, object, key, false);
    return format_text("%s", text ? text : "");
}

static void read_name(Reader *reader, const cJSON *object, const char *key, char *name, size_t size)
{
    const char *text = read_string(reader, object, key, true);
    if (text && strlen(text) >= size)
        wrong(reader, key, "shorter");
    snprintf(name, size, "%s", text ? text : "");
}

static double read_number(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    const char *text = cJSON_GetStringValue(item);
    if (cJSON_IsNumber(item))
        return item->valuedouble;
    if (text && strcmp(text, "NaN") == 0)
        return NAN;
    if (text && strcmp(text, "Infinity") == 0)
        return INFINITY;
    if (text && strcmp(text, "-Infinity") == 0)
        return -INFINITY;
    wrong(reader, key, "a number");
    return 0;
}

static int read_count(Reader *reader, const cJSON *object, const char *key)
{
    double value = read_number(reader, object, key);
    if (value >= 0 && value <= INT_MAX && value == floor(value))
        return (int)value;
    wrong(reader, key, "a count");
    return 0;
}

static size_t read_size(Reader *reader, const cJSON *object, const char *key)
{
    double value = read_number(reader, object, key);
    if (value >= 0 && value <= 9007199254740992.0) /* 2^53: beyond, doubles skip integers */
        return (size_t)value;
    wrong(reader, key, "a number of bytes");
    return 0;
}

static bool read_bool(Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsBool(item))
        wrong(reader, key, "true or false");
    return cJSON_IsTrue(item);
}

static uint64_t read_seed(Reader *reader, const cJSON *object)
{
    const char *text = read_string(reader, object, "seed", false);
    char *end = NULL;
    errno = 0;
    uint64_t seed = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno)
        wrong(reader, "seed", "a 64-bit number, as a string");
    return seed;
}

static Status read_status(Reader *reader, const cJSON *object)
{
    const char *text = read_string(reader, object, "status", false);
    for (int i = 0; text && i < 3; i++)
        if (strcmp(text, status_names[i]) == 0)
            return (Status)i;
    wrong(reader, "status", "\"passed\", \"failed\" or \"not reached\"");
    return NOT_REACHED;
}

static void read_also(Reader *reader, const cJSON *object, Fix *fix)
{
    if (cJSON_IsNull(object))
        return;
    if (!cJSON_IsObject(object)) {
        wrong(reader, "also", "an object or null");
        return;
    }
    fix->also_line = read_count(reader, object, "line");
    fix->also_code = read_text(reader, object, "code");
}

static void read_other(Reader *reader, const cJSON *object, Fix *fix)
{
    if (cJSON_IsNull(object))
        return;
    if (!cJSON_IsObject(object)) {
        wrong(reader, "other", "an object or null");
        return;
    }
    fix->other_line = read_count(reader, object, "line");
    fix->other_behind = read_bool(reader, object, "behind");
    fix->other_code = read_text(reader, object, "code");
}

static Fix *read_fix(Reader *reader, const cJSON *object)
{
    if (cJSON_IsNull(object))
        return NULL;
    if (!cJSON_IsObject(object)) {
        wrong(reader, "fix", "an object or null");
        return NULL;
    }
    Fix *fix = calloc(1, sizeof *fix);
    if (!fix)
        abort();
    fix->function = read_text(reader, object, "function");
    fix->line = read_count(reader, object, "line");
    fix->behind = read_bool(reader, object, "behind");
    fix->kind = read_text(reader, object, "kind");
    fix->question = read_text(reader, object, "question");
    fix->code = read_text(reader, object, "code");
    fix->from = read_copy(reader, object, "from");
    fix->to = read_copy(reader, object, "to");
    read_also(reader, cJSON_GetObjectItemCaseSensitive(object, "also"), fix);
    read_other(reader, cJSON_GetObjectItemCaseSensitive(object, "other"), fix);
    const cJSON *lines = cJSON_GetObjectItemCaseSensitive(object, "lines");
    if (!cJSON_IsArray(lines) || cJSON_GetArraySize(lines) > MOST_CHANGED_LINES)
        wrong(reader, "lines", "a list of at most 6 lines");
    for (const cJSON *line = lines ? lines->child : NULL; line && !reader->failed;
         line = line->next) {
        ChangedLine *changed = &fix->lines[fix->line_count++];
        changed->number = read_count(reader, line, "line");
        changed->before = read_text(reader, line, "before");
        changed->after = read_text(reader, line, "after");
    }
    return fix;
}

static void read_check(Reader *reader, const cJSON *check, CheckResult *result)
{
    result->step = read_string(reader, check, "step", false);
    result->name = read_string(reader, check, "name", false);
    result->needs = read_string(reader, check, "needs", true);
    result->status = read_status(reader, check);
    read_name(reader, check, "where", result->where, sizeof result->where);
    result->has_numbers = !cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(check, "expected"));
    if (result->has_numbers) {
        result->expected = read_number(reader, check, "expected");
        result->got = read_number(reader, check, "got");
        result->allowed = read_number(reader, check, "allowed");
    }
    result->mistake = read_copy(reader, check, "mistake");
    result->sections = read_copy(reader, check, "sections");
    result->when = read_copy(reader, check, "when");
    result->quantity = read_copy(reader, check, "quantity");
    result->slip = read_copy(reader, check, "slip");
    result->ended_by = read_copy(reader, check, "ended_by");
    result->fix = read_fix(reader, cJSON_GetObjectItemCaseSensitive(check, "fix"));
    result->to_try = read_copy(reader, check, "try");
    result->seconds = read_number(reader, check, "seconds");
    const cJSON *details = cJSON_GetObjectItemCaseSensitive(check, "details");
    if (!cJSON_IsArray(details) || cJSON_GetArraySize(details) > MAX_DETAILS)
        wrong(reader, "details", "a list of at most 24 strings");
    int count = 0;
    for (const cJSON *detail = details ? details->child : NULL; detail; detail = detail->next) {
        if (!cJSON_IsString(detail))
            wrong(reader, "details", "a list of at most 24 strings");
        if (!reader->failed)
            result->details[count++] = format_text("%s", detail->valuestring);
    }
}

static void read_checks(Reader *reader, const cJSON *checks, Report *report)
{
    if (!cJSON_IsArray(checks) || cJSON_GetArraySize(checks) > MAX_CHECKS) {
        wrong(reader, "checks", "a list of checks");
        return;
    }
    report->results = calloc((size_t)cJSON_GetArraySize(checks) + 1, sizeof *report->results);
    int counts[3] = {0};
    for (const cJSON *check = checks->child; check && report->results; check = check->next) {
        CheckResult *result = &report->results[report->count++];
        read_check(reader, check, result);
        counts[result->status]++;
    }
    if (report->passed != counts[PASSED] || report->failed != counts[FAILED] ||
        report->not_reached != counts[NOT_REACHED])
        wrong(reader, "checks", "as many as \"passed\", \"failed\" and \"not_reached\" say");
}

static void read_lesson(Reader *reader, const cJSON *lesson, Report *report)
{
    read_name(reader, lesson, "lesson", report->lesson, sizeof report->lesson);
    read_name(reader, lesson, "title", report->title, sizeof report->title);
    read_name(reader, lesson, "source", report->source, sizeof report->source);
    report->seed = read_seed(reader, lesson);
    report->passed = read_count(reader, lesson, "passed");
    report->failed = read_count(reader, lesson, "failed");
    report->not_reached = read_count(reader, lesson, "not_reached");
    report->seconds = read_number(reader, lesson, "seconds");
    report->untouched = read_bool(reader, lesson, "untouched");
    report->not_graded = read_copy(reader, lesson, "not_graded");
    report->build_error = read_copy(reader, lesson, "build_error");
    report->advice = read_copy(reader, lesson, "advice");
    report->warnings = read_copy(reader, lesson, "warnings");
    report->learned = read_copy(reader, lesson, "learned");
    report->notice = read_copy(reader, lesson, "notice");
    report->printed = read_copy(reader, lesson, "printed");
    read_name(reader, lesson, "printed_by", report->printed_by, sizeof report->printed_by);
    report->printed_total = read_size(reader, lesson, "printed_total");
    read_checks(reader, cJSON_GetObjectItemCaseSensitive(lesson, "checks"), report);
    report->next = next_step(report);
}

bool report_parse(Report *report, const char *json, char *error, size_t error_size)
{
    memset(report, 0, sizeof *report);
    Reader reader = {error, error_size, false};
    cJSON *document = cJSON_ParseWithOpts(json, NULL, true);
    const cJSON *lessons = cJSON_GetObjectItemCaseSensitive(document, "lessons");
    report->document = document;
    if (!document) {
        snprintf(error, error_size, "the report is not one whole JSON document");
        reader.failed = true;
    } else if (read_count(&reader, document, "version") != 1) {
        wrong(&reader, "version", "1");
    } else if (!cJSON_IsArray(lessons) || cJSON_GetArraySize(lessons) != 1) {
        wrong(&reader, "lessons", "a list of one lesson");
    } else {
        read_lesson(&reader, cJSON_GetArrayItem(lessons, 0), report);
    }
    if (reader.failed)
        report_free(report);
    return !reader.failed;
}
