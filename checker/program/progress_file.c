/* .workbook/progress.json: read, and replaced as a whole.
 *
 * The invariant: at every moment, whatever ends this program, progress.json is the old file or the
 * new one, complete. Two writers take turns (a lock file), the new text is on the disk before it
 * takes the old one's name, and a file that can't be understood is renamed, never overwritten. */
#include "progress_file.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

FileState progress_read(cJSON **document, char *error, size_t error_size)
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

static bool set_aside(char *error, size_t error_size)
{
    char date[32], name[128];
    time_t now = time(NULL);
    struct tm utc;
    struct stat status;
    strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
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

bool progress_change(const char *lesson, void (*change)(cJSON *entry, const void *data),
                     const void *data, char *error, size_t error_size)
{
    int lock = take_lock(error, error_size);
    if (lock < 0)
        return false;
    bool good = change_locked(lesson, change, data, error, error_size);
    close(lock);
    return good;
}
