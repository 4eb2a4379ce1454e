/* What is remembered about the learner: runs and hints, lesson by lesson. See progress.h.
 *
 * The invariant: only the fields that a run or a hint is about change. Fields that this version
 * does not know, and other lessons, stay as they are. */
#include "progress.h"
#include "progress_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- signatures --------------------------------------------------------------------------------
 */

static const uint64_t fnv_start = 0xcbf29ce484222325u; /* FNV-1a, 64 bits */

/* With the '\0' behind the text, so that "a", "bc" and "ab", "c" differ. */
static uint64_t add_text(uint64_t sum, const char *text)
{
    do
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return sum;
}

static void write_signature(char signature[SIGNATURE_SIZE], uint64_t sum)
{
    snprintf(signature, SIGNATURE_SIZE, "%016" PRIx64, sum);
}

void report_signature(const Report *report, char signature[SIGNATURE_SIZE])
{
    uint64_t sum = fnv_start;
    for (int i = 0; i < report->count; i++)
        sum = add_text(add_text(sum, report->results[i].step), report->results[i].name);
    write_signature(signature, sum);
}

void checks_signature(const Check *checks, char signature[SIGNATURE_SIZE])
{
    uint64_t sum = fnv_start;
    for (; checks->step; checks++) { /* the learner's function: it may be called by another name */
        char *about = format_text("%.*s", (int)strcspn(checks->title, " "), checks->title);
        sum = add_text(add_text(sum, about), checks->title);
        free(about);
    }
    write_signature(signature, sum);
}

void texts_signature(char signature[SIGNATURE_SIZE], const char *const *texts)
{
    uint64_t sum = fnv_start;
    for (; *texts; texts++)
        sum = add_text(sum, *texts);
    write_signature(signature, sum);
}

/* ---- recording ---------------------------------------------------------------------------------
 */

static void set_field(cJSON *entry, const char *key, cJSON *value)
{
    if (cJSON_GetObjectItemCaseSensitive(entry, key))
        cJSON_ReplaceItemInObjectCaseSensitive(entry, key, value);
    else
        cJSON_AddItemToObject(entry, key, value);
}

static void set_number(cJSON *entry, const char *key, double value)
{
    set_field(entry, key, cJSON_CreateNumber(value));
}

static void set_string(cJSON *entry, const char *key, const char *value)
{
    set_field(entry, key, cJSON_CreateString(value));
}

static int count_in(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return item ? item->valueint : 0;
}

static const char *text_in(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static void record_run(cJSON *entry, const void *data)
{
    const Report *report = data;
    char date[DATE_SIZE], signature[SIGNATURE_SIZE];
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    report_signature(report, signature);

    set_number(entry, "passed", report->passed);
    set_number(entry, "failed", report->failed);
    set_number(entry, "checks", report->count);
    set_number(entry, "attempts", count_in(entry, "attempts") + (report->untouched ? 0 : 1));
    set_number(entry, "seconds", report->seconds);
    set_string(entry, "last_run", date);
    set_string(entry, "signature", signature);
    if (report->count == 0 || report->passed < report->count)
        return;
    if (!*text_in(entry, "first_pass"))
        set_string(entry, "first_pass", date);
    set_string(entry, "last_pass", date);
    set_string(entry, "passed_signature", signature);
}

bool progress_record(const Report *report, char *error, size_t error_size)
{
    return progress_change(report->lesson, record_run, report, error, error_size);
}

typedef struct {
    const char *step;
    int tier;
} Hint;

static void record_hint(cJSON *entry, const void *data)
{
    const Hint *hint = data;
    cJSON *hints = cJSON_GetObjectItemCaseSensitive(entry, "hints");
    if (!hints)
        hints = cJSON_AddObjectToObject(entry, "hints");
    if (hint->tier > count_in(hints, hint->step))
        set_number(hints, hint->step, hint->tier);
}

bool progress_hint(const char *lesson, const char *step, int tier, char *error, size_t error_size)
{
    return progress_change(lesson, record_hint, &(Hint){step, tier}, error, error_size);
}

/* The member `key` of that lesson's entry, in a document that is the caller's; NULL: there is none.
 */
static const cJSON *entry_part(cJSON **document, const char *lesson, const char *key)
{
    char error[256];
    progress_read(document, error, sizeof error);
    const cJSON *lessons = cJSON_GetObjectItemCaseSensitive(*document, "lessons");
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(lessons, lesson);
    return cJSON_GetObjectItemCaseSensitive(entry, key);
}

int progress_hint_tier(const char *lesson, const char *step)
{
    cJSON *document;
    int tier = count_in(entry_part(&document, lesson, "hints"), step);
    cJSON_Delete(document);
    return tier;
}

/* ---- hints about the learner's own file ---- */
typedef struct {
    const char *step, *about;
    int shown;
} OwnHint;

static void record_own_hint(cJSON *entry, const void *data)
{
    const OwnHint *hint = data;
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(entry, "own");
    if (!cJSON_IsObject(before))
        set_field(entry, "own", cJSON_CreateObject());
    cJSON *own = cJSON_CreateObject();
    set_string(own, "about", hint->about);
    set_number(own, "shown", hint->shown);
    set_field(cJSON_GetObjectItemCaseSensitive(entry, "own"), hint->step, own);
}

bool progress_own_hint(const char *lesson, const char *step, const char *about, int shown,
                       char *error, size_t error_size)
{
    return progress_change(lesson, record_own_hint, &(OwnHint){step, about, shown}, error,
                           error_size);
}

int progress_own_hints(const char *lesson, const char *step, const char *about)
{
    cJSON *document;
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(entry_part(&document, lesson, "own"), step);
    const cJSON *shown = cJSON_GetObjectItemCaseSensitive(own, "shown");
    bool same = cJSON_IsNumber(shown) && !strcmp(text_in(own, "about"), about);
    int count = same && shown->valuedouble > 0 ? shown->valueint : 0;
    cJSON_Delete(document);
    return count;
}

/* ---- loading -----------------------------------------------------------------------------------
 */

static LessonProgress read_entry(const cJSON *entry)
{
    LessonProgress item = {
        .passed = count_in(entry, "passed"),
        .failed = count_in(entry, "failed"),
        .checks = count_in(entry, "checks"),
        .attempts = count_in(entry, "attempts"),
    };
    snprintf(item.lesson, sizeof item.lesson, "%s", entry->string);
    snprintf(item.last_run, sizeof item.last_run, "%s", text_in(entry, "last_run"));
    snprintf(item.first_pass, sizeof item.first_pass, "%s", text_in(entry, "first_pass"));
    snprintf(item.last_pass, sizeof item.last_pass, "%s", text_in(entry, "last_pass"));
    snprintf(item.signature, sizeof item.signature, "%s", text_in(entry, "signature"));
    snprintf(item.passed_signature, sizeof item.passed_signature, "%s",
             text_in(entry, "passed_signature"));
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(entry, "seconds");
    item.seconds = seconds ? seconds->valuedouble : 0;
    const cJSON *hints = cJSON_GetObjectItemCaseSensitive(entry, "hints");
    for (const cJSON *tier = hints ? hints->child : NULL; tier; tier = tier->next)
        item.hints += tier->valueint;
    return item;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const LessonProgress *)a)->lesson, ((const LessonProgress *)b)->lesson);
}

bool progress_load(Progress *progress, char *error, size_t error_size)
{
    *progress = (Progress){0};
    cJSON *document;
    FileState state = progress_read(&document, error, error_size);
    if (state != FILE_READ)
        return state == FILE_MISSING;
    const cJSON *lessons = cJSON_GetObjectItemCaseSensitive(document, "lessons");
    progress->items = calloc((size_t)cJSON_GetArraySize(lessons) + 1, sizeof *progress->items);
    for (const cJSON *entry = lessons->child; progress->items && entry; entry = entry->next)
        progress->items[progress->count++] = read_entry(entry);
    if (progress->count)
        qsort(progress->items, (size_t)progress->count, sizeof *progress->items, by_name);
    cJSON_Delete(document);
    return true;
}

void progress_free(Progress *progress)
{
    free(progress->items);
    *progress = (Progress){0};
}

const LessonProgress *progress_find(const Progress *progress, const char *lesson)
{
    for (int i = 0; i < progress->count; i++)
        if (strcmp(progress->items[i].lesson, lesson) == 0)
            return &progress->items[i];
    return NULL;
}

bool progress_passed(const Progress *progress, const char *lesson, const char *signature)
{
    const LessonProgress *item = progress_find(progress, lesson);
    return item && *item->last_pass && strcmp(item->passed_signature, signature) == 0;
}
