/* What is remembered about the learner, lesson by lesson: runs and hints, in
 * .workbook/progress.json. See program.h.
 *
 * The invariants: at every moment, whatever ends this program, progress.json is the old file or the
 * new one, complete. Two writers take turns (a lock file), the new text is on the disk before it
 * takes the old one's name, and a file that can't be understood is renamed, never overwritten. Only
 * the fields that a run or a hint is about change: those that this version does not know, and other
 * lessons, stay as they are. */
#include "box.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cJSON.h"

typedef enum { FILE_READ, FILE_MISSING, FILE_DAMAGED, FILE_REFUSED } FileState;

enum { LARGEST = 16 << 20 };
static const char *const folder = ".workbook";
static const char *const file = ".workbook/progress.json";
static const char *const new_file = ".workbook/progress.json.new";
static const char *const lock_file = ".workbook/lock";

/* ---- reading -----------------------------------------------------------------------------------
 */

static bool is_count(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e6;
}

static bool are_hints(const cJSON *hints)
{
    for (const cJSON *tier = hints->child; tier; tier = tier->next)
        if (!is_count(tier))
            return false;
    return cJSON_IsObject(hints);
}

/* Known fields may be missing, and there may be others; but what is known has its type. */
static bool is_entry(const cJSON *entry)
{
    static const char *const counts[] = {"passed", "failed", "checks", "attempts", "seconds"};
    static const char *const strings[] = {"last_run", "first_pass", "last_pass", "signature",
                                          "passed_signature"};
    if (!cJSON_IsObject(entry))
        return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, counts[i]);
        if (item && !is_count(item))
            return false;
    }
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, strings[i]);
        if (item && !cJSON_IsString(item) && !cJSON_IsNull(item))
            return false;
    }
    const cJSON *hints = cJSON_GetObjectItemCaseSensitive(entry, "hints");
    return !hints || are_hints(hints);
}

static bool is_progress(const cJSON *document)
{
    const cJSON *lessons = cJSON_GetObjectItemCaseSensitive(document, "lessons");
    if (!cJSON_IsObject(document) || !cJSON_IsObject(lessons))
        return false;
    for (const cJSON *entry = lessons->child; entry; entry = entry->next)
        if (!is_entry(entry))
            return false;
    return cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(document, "version"));
}

static bool failed(char *error, size_t error_size, const char *path)
{
    snprintf(error, error_size, "%s: %s", path, strerror(errno));
    return false;
}

/* The document, or NULL when the text is not JSON. False, with errno: it can't be had. */
static bool read_document(cJSON **document, off_t size)
{
    size_t length = 0;
    if (size > LARGEST)
        return true; /* nothing that this program wrote */
    char *text = read_file(file, &length);
    if (text && strlen(text) == length)
        *document = cJSON_ParseWithOpts(text, NULL, true);
    free(text);
    return text != NULL;
}

/* FILE_READ: `*document` is the caller's. FILE_DAMAGED and FILE_REFUSED: `error` says why. Refused
 * is what must be left alone: not readable, not a plain file, or made by a newer workbook. */
static FileState progress_read(cJSON **document, char *error, size_t error_size)
{
    struct stat status;
    *document = NULL;
    if (lstat(file, &status) < 0) {
        failed(error, error_size, file);
        return errno == ENOENT ? FILE_MISSING : FILE_REFUSED;
    }
    if (!S_ISREG(status.st_mode)) {
        snprintf(error, error_size, "%s: not a plain file", file);
        return FILE_REFUSED;
    }
    if (!read_document(document, status.st_size)) {
        failed(error, error_size, file);
        return FILE_REFUSED;
    }
    if (is_progress(*document))
        return FILE_READ;
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(*document, "version");
    bool newer = cJSON_IsNumber(version) && version->valuedouble > 1;
    cJSON_Delete(*document);
    *document = NULL;
    snprintf(error, error_size, "%s: %s", file,
             newer ? "written by a newer workbook, left alone" : "damaged");
    return newer ? FILE_REFUSED : FILE_DAMAGED;
}

/* ---- changing ----------------------------------------------------------------------------------
 */

/* The lock's descriptor, to be closed; or -1. */
static int take_lock(char *error, size_t error_size)
{
    struct stat status;
    if (mkdir(folder, 0777) < 0 && (errno != EEXIST || stat(folder, &status) < 0)) {
        failed(error, error_size, folder);
        return -1;
    }
    int lock = open(lock_file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (lock < 0 && errno == EACCES) { /* another user's, from a run with sudo? */
        lock = open(lock_file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        errno = EACCES;
    }
    for (int waited = 0; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) < 0; waited++) {
        if ((errno == EWOULDBLOCK || errno == EINTR) && waited < 5000) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            continue;
        }
        int reason = errno;
        close(lock);
        errno = reason == EWOULDBLOCK ? EBUSY : reason;
        lock = -1;
    }
    if (lock < 0)
        failed(error, error_size, lock_file);
    return lock;
}

static void write_now(char *date, size_t size, const char *format)
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, size, format, gmtime_r(&now, &utc));
}

static bool set_aside(char *error, size_t error_size)
{
    char date[32], name[128];
    struct stat status;
    write_now(date, sizeof date, "%Y%m%dT%H%M%SZ");
    snprintf(name, sizeof name, "%s.damaged-%s", file, date);
    for (int i = 2; lstat(name, &status) == 0; i++)
        snprintf(name, sizeof name, "%s.damaged-%s-%d", file, date, i);
    if (rename(file, name) < 0)
        return failed(error, error_size, file);
    fprintf(stderr, "%s was damaged. It is kept as %s; a new one is begun.\n", file, name);
    return true;
}

/* A limit on file sizes must be an error of write(), not a signal that ends the check. */
static bool write_new(const char *text)
{
    unlink(new_file);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    bool good = write_new_file(new_file, text, strlen(text), true);
    int reason = errno;
    signal(SIGXFSZ, before);
    errno = reason;
    return good;
}

static bool replace_file(const cJSON *document, char *error, size_t error_size)
{
    char *text = cJSON_Print(document);
    errno = ENOMEM;
    bool good = text && write_new(text) && rename(new_file, file) == 0;
    free(text);
    if (!good)
        return failed(error, error_size, file);
    int directory = open(folder, O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(
            directory); /* the rename itself; where a directory can't be synced, it is done soon */
        close(directory);
    }
    return true;
}

/* The member of that name, an object, made where there is none. */
static cJSON *object_in(cJSON *parent, const char *name)
{
    cJSON *object = cJSON_GetObjectItemCaseSensitive(parent, name);
    return object ? object : cJSON_AddObjectToObject(parent, name);
}

static bool change_locked(const char *lesson, void (*change)(cJSON *, const void *),
                          const void *data, char *error, size_t error_size)
{
    cJSON *document;
    FileState state = progress_read(&document, error, error_size);
    if (state == FILE_REFUSED || (state == FILE_DAMAGED && !set_aside(error, error_size)))
        return false;
    if (!document) {
        document = cJSON_CreateObject();
        cJSON_AddNumberToObject(document, "version", 1);
    }
    cJSON *entry = object_in(object_in(document, "lessons"), lesson);
    change(entry, data);
    errno = ENOMEM;
    bool good = entry ? replace_file(document, error, error_size) : failed(error, error_size, file);
    cJSON_Delete(document);
    return good;
}

/* Locks, reads (a damaged file is set aside, with a word on stderr), lets `change` edit the object
 * of that lesson, and replaces the file. What `change` doesn't touch stays as it is. */
static bool progress_change(const char *lesson, void (*change)(cJSON *entry, const void *data),
                            const void *data, char *error, size_t error_size)
{
    int lock = take_lock(error, error_size);
    if (lock < 0)
        return false;
    bool good = change_locked(lesson, change, data, error, error_size);
    close(lock);
    return good;
}

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
    write_now(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ");
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

void progress_days(const LessonProgress *lesson, char first[DAY_SIZE], char last[DAY_SIZE])
{
    char today[DAY_SIZE];
    write_now(today, sizeof today, "%Y-%m-%d");
    snprintf(first, DAY_SIZE, "%.10s", lesson->first_pass);
    snprintf(last, DAY_SIZE, "%.10s", lesson->last_pass);
    if (strcmp(first, today) > 0)
        *first = '\0';
    if (strcmp(last, today) > 0 || strcmp(last, first) < 0)
        *last = '\0';
}

bool progress_passed(const Progress *progress, const char *lesson, const char *signature)
{
    const LessonProgress *item = progress_find(progress, lesson);
    return item && *item->last_pass && strcmp(item->passed_signature, signature) == 0;
}
