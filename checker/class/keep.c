/* OUT/kept/: what is graded, once for each content, and each verdict under the name of all that it
 * depends on. See class.h.
 *
 *     kept/files/KEY/01_layer_norm.c   and the headers that lay beside it
 *     kept/verdicts/VERDICT.json       the checker's report; VERDICT.line.json with the lines, too
 *     kept/verdicts/VERDICT.failed     why this machine could not grade it, the last time
 *
 * So a file that changed is graded again, and so is every file of a lesson that changed; two
 * students with the same file share one verdict, and neither's name is in it.
 *
 * The invariant: a verdict that is there is whole. */
#include "class.h"
#include "box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_HEADERS = 20 };

bool folder_there(const char *path)
{
    struct stat info;
    return mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 &&
                                      (S_ISDIR(info.st_mode) || (errno = ENOTDIR, false)));
}

static bool replace(const char *path, const char *text, size_t length, bool sync)
{
    char *new = format_text("%s.%ld.new", path, (long)getpid());
    unlink(new);
    bool good = write_new_file(new, text, length, sync);
    if (good && rename(new, path) != 0) {
        int reason = errno;
        unlink(new);
        errno = reason;
        good = false;
    }
    free(new);
    return good;
}

bool write_whole(const char *path, const char *text, size_t length)
{
    return replace(path, text, length, false);
}

bool write_synced(const char *path, const char *text, size_t length)
{
    return replace(path, text, length, true);
}

/* ---- names ---- */
static void add_file(Sha256 *sum, const char *path)
{
    size_t length = 0;
    char *text = read_file(path, &length);
    sha256_add(sum, &length, sizeof length);
    if (text)
        sha256_add(sum, text, length);
    free(text);
}

void checker_sum(const char *lesson, char sum[SUM_SIZE])
{
    static const char *const parts[] = {"build/%s/check",
                                        "build/%s/calls.o",
                                        "include/%s.h",
                                        "checker/lessons/%s/stub.c",
                                        "checker/lessons/%s/vectors.json",
                                        "checker/lessons/%s/calls.c"};
    static const char *const shared[] = {"build/worker", "build/trial",
                                         "checker/box/trial_memory.h"};
    Sha256 all;
    sha256_begin(&all);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *path = format_text(parts[i], lesson);
        add_file(&all, path);
        free(path);
    }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        add_file(&all, shared[i]);
    sha256_end(&all, sum);
}

void name_verdict(const Class *class, const ClassLesson *lesson, Entry *entry)
{
    const Asked *asked = class->asked;
    char *text = format_text("1 %s %s %s %s %d", entry->key, lesson->checker, class->seed,
                             asked->limit, asked->all);
    Sha256 all;
    sha256_begin(&all);
    sha256_add(&all, text, strlen(text));
    sha256_end(&all, entry->verdict);
    free(text);
}

char *verdict_path(const char *kept, const char *verdict, bool line)
{
    return format_text("%s/verdicts/%s%s", kept, verdict, line ? ".line.json" : ".json");
}

/* ---- files ---- */
typedef struct {
    char *name, *text;
    size_t length;
} Part;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Part *)a)->name, ((const Part *)b)->name);
}

/* The headers beside the file, as its compiler would find them. */
static int read_headers(const char *from, Part *parts, int count)
{
    char error[512], *folder = format_text("%s", from);
    *strrchr(folder, '/') = '\0';
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (n < 3 || strcmp(entry->d_name + n - 2, ".h") != 0 || count > MOST_HEADERS)
            continue;
        Part *part = &parts[count];
        char *path = format_text("%s/%s", folder, entry->d_name);
        part->text = submission_read(path, &part->length, error, sizeof error);
        part->name = part->text ? format_text("%s", entry->d_name) : NULL;
        count += part->text != NULL;
        free(path);
    }
    if (dir)
        closedir(dir);
    free(folder);
    qsort(parts + 1, (size_t)count - 1, sizeof *parts, by_name);
    return count;
}

static bool put_file(const char *folder, const Part *part)
{
    size_t length = 0;
    char *path = format_text("%s/%s", folder, part->name), *there = read_file(path, &length);
    bool same = there && length == part->length && !memcmp(there, part->text, length);
    bool good = same || write_whole(path, part->text, part->length);
    free(there);
    free(path);
    return good;
}

/* Binary is what no C file holds: a byte 0. */
static bool is_text(const Part *part)
{
    return !memchr(part->text, '\0', part->length);
}

/* What is wrong with the file itself becomes entry->refused. */
bool keep_file(const Class *class, const char *lesson, Entry *entry, const char *from)
{
    Part parts[MOST_HEADERS + 2] = {{0}};
    char error[8192];
    int count = 1;
    bool good = true;
    parts[0].text = submission_read(from, &parts[0].length, error, sizeof error);
    if (!parts[0].text || !is_text(&parts[0])) {
        const char *why = parts[0].text                        ? "is no text: it holds a byte 0."
                          : strncmp(error, from, strlen(from)) ? error
                                                               : error + strlen(from) + 1;
        entry->refused = format_text("It %s", why);
        free(parts[0].text);
        return true;
    }
    parts[0].name = format_text("%s.c", lesson);
    count = read_headers(from, parts, count);
    Sha256 own, all;
    sha256_begin(&own);
    sha256_add(&own, parts[0].text, parts[0].length);
    sha256_end(&own, entry->sum);
    sha256_begin(&all);
    for (int i = 0; i < count; i++) {
        sha256_add(&all, parts[i].name, strlen(parts[i].name) + 1);
        sha256_add(&all, &parts[i].length, sizeof parts[i].length);
        sha256_add(&all, parts[i].text, parts[i].length);
    }
    sha256_end(&all, entry->key);
    char *folder = format_text("%s/files/%s", class->kept, entry->key);
    good = folder_there(folder);
    for (int i = 0; i < count && good; i++)
        good = put_file(folder, &parts[i]);
    if (!good)
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        free(parts[i].name);
        free(parts[i].text);
    }
    free(folder);
    return good;
}

/* ---- verdicts ---- */
static bool read_one(const char *kept, const char *verdict, bool line, Report *report)
{
    char error[256], *path = verdict_path(kept, verdict, line), *text = read_file(path, NULL);
    bool good = text && report_parse(report, text, error, sizeof error);
    free(text);
    free(path);
    return good;
}

bool verdict_read(const char *kept, const char *verdict, Report *report)
{
    return read_one(kept, verdict, true, report) || read_one(kept, verdict, false, report);
}

char *failure_read(const char *kept, const char *verdict)
{
    char *path = format_text("%s/verdicts/%s.failed", kept, verdict);
    char *text = read_file(path, NULL);
    free(path);
    return text;
}
