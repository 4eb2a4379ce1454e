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

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_there(const char *path)
{
    struct stat info;
    return mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 &&
                                      (S_ISDIR(info.st_mode) || (errno = ENOTDIR, false)));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

bool remove_tree(const char *path)
{
    return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
}

/* "host.pid.new": of which machine's which process a file is the beginning. */
char *name_of_new(const char *path)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '-';
    return format_text("%s.%s.%ld.new", path, host, (long)getpid());
}

/* Nobody will rename it any more: its process is gone, or has been at it for a day, by the clock of
 * the folder: this machine's may be another, or wrong. */
static bool is_left_over(const char *name, const char *own, time_t age)
{
    size_t length = strlen(name), host = strcspn(own, ".");
    const char *pid = name, *before = NULL;
    if (length < 5 || strcmp(name + length - 4, ".new") != 0)
        return false;
    for (const char *c = name; c < name + length - 4; c++)
        if (*c == '.') {
            before = pid;
            pid = c + 1;
        }
    bool here = before && !strncmp(before, own, host) && before[host] == '.';
    return (here && kill((pid_t)atol(pid), 0) != 0 && errno == ESRCH) || age > 24 * 3600;
}

void remove_left_over(const char *folder)
{
    char *named = name_of_new("");
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* the directory's from here on */
    struct stat now = {0};
    DIR *dir = at < 0 || fstat(at, &now) != 0 ? NULL : fdopendir(at);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct stat info;
        if (fstatat(at, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
            is_left_over(entry->d_name, named + 1, now.st_mtime - info.st_mtime))
            unlinkat(at, entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
    else if (at >= 0)
        close(at);
    free(named);
}

static bool replace(const char *path, const char *text, size_t length, bool sync)
{
    char *new = name_of_new(path);
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
                                         "checker/box/trial_memory.h", "include/wide.h",
                                         "include/parts.h"};
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

typedef struct {
    Part *items;
    int count, room;
} Parts;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Part *)a)->name, ((const Part *)b)->name);
}

static void add_part(Parts *parts, const char *name, char *text, size_t length)
{
    parts->items = grown(parts->items, parts->count, &parts->room, sizeof *parts->items);
    parts->items[parts->count++] = (Part){format_text("%s", name), text, length};
}

static char *read_part(const HandIn *item, size_t *length, char *error, size_t size)
{
    if (item->path)
        return submission_read(item->path, length, error, size);
    char *copy = malloc(item->length + 1);
    if (!copy)
        abort();
    memcpy(copy, item->text, item->length + 1);
    *length = item->length;
    return copy;
}

/* What stands behind the path in such a sentence. Caller frees. */
static char *about_it(const char *error, const char *path)
{
    size_t length = strlen(path);
    return format_text("It %s", strncmp(error, path, length) ? error : error + length + 1);
}

/* What says to the compiler, in the place of a header that is not taken, why it is not. */
static char *in_its_place(HandIn *header, char *why, size_t *length)
{
    if (!header->why)
        header->why = why;
    else
        free(why);
    char *text = format_text("#error \"It is not taken: %s\"\n", header->why);
    *length = strlen(text);
    return text;
}

static bool is_asked_for(const Parts *parts, const char *name)
{
    bool found = false;
    for (int i = 0; i < parts->count; i++) {
        if (!strcmp(parts->items[i].name, name))
            return false; /* another of the student's has that name */
        found = found || strstr(parts->items[i].text, name);
    }
    return found;
}

/* In a folder for all a header is called stud00_own.h, and who tried the file beside it may have
 * included it so. Under that name only where it is asked for: else the student's name would be in
 * what others' verdicts go by. */
static void add_by_whole_name(const HandIns *in, const HandIn *file, Parts *parts)
{
    const int own = parts->count;
    for (const HandIn *item = in->items; item < in->items + in->count; item++) {
        const char *slash = strrchr(item->shown, '/'), *whole = slash ? slash + 1 : item->shown;
        if (!item->is_header || strcmp(item->folder, file->folder) || !is_asked_for(parts, whole))
            continue;
        for (int i = 1; i < own; i++)
            if (!strcmp(parts->items[i].name, item->name)) {
                size_t length = parts->items[i].length;
                char *text = malloc(length + 1);
                if (!text)
                    abort();
                memcpy(text, parts->items[i].text, length + 1);
                add_part(parts, whole, text, length);
                break;
            }
    }
}

/* All of the student's that lie beside the file, as its compiler would find them: by the names that
 * the student gave them. */
static void read_headers(HandIns *in, const HandIn *file, Parts *parts)
{
    char error[8192];
    for (HandIn *item = in->items; item < in->items + in->count; item++) {
        if (!item->is_header || strcmp(item->folder, file->folder))
            continue;
        size_t length;
        char *text = NULL, *why = NULL;
        if (item->refused)
            why = format_text("%s", item->refused);
        else if (!item->why)
            text = read_part(item, &length, error, sizeof error);
        item->used = text;
        if (!text && !why && !item->why)
            why = about_it(error, item->path);
        if (!text)
            text = in_its_place(item, why, &length);
        add_part(parts, item->name, text, length);
    }
    add_by_whole_name(in, file, parts);
    qsort(parts->items + 1, (size_t)parts->count - 1, sizeof *parts->items, by_name);
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

static void refuse(Entry *entry, char *why)
{
    entry->status = NOT_TAKEN;
    entry->reason = why;
}

/* The checksums of the file, and of it with the headers. */
static void name_parts(const Parts *parts, Entry *entry)
{
    Sha256 own, all;
    sha256_begin(&own);
    sha256_add(&own, parts->items[0].text, parts->items[0].length);
    sha256_end(&own, entry->sum);
    sha256_begin(&all);
    for (int i = 0; i < parts->count; i++) {
        const Part *part = &parts->items[i];
        sha256_add(&all, part->name, strlen(part->name) + 1);
        sha256_add(&all, &part->length, sizeof part->length);
        sha256_add(&all, part->text, part->length);
    }
    sha256_end(&all, entry->key);
}

static bool put_parts(const Class *class, const Parts *parts, const char *key)
{
    char *folder = format_text("%s/files/%s", class->kept, key);
    bool good = folder_there(folder);
    for (int i = 0; i < parts->count && good; i++)
        good = put_file(folder, &parts->items[i]);
    if (!good)
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    free(folder);
    return good;
}

bool keep_file(const Class *class, const char *lesson, Entry *entry, const HandIn *file,
               HandIns *in)
{
    Parts parts = {0};
    char error[8192];
    size_t length = 0;
    if (file->refused) {
        refuse(entry, format_text("%s", file->refused));
        return true;
    }
    char *text = read_part(file, &length, error, sizeof error);
    if (!text) {
        refuse(entry, about_it(error, file->path));
        return true;
    }
    char *name = format_text("%s.c", lesson);
    add_part(&parts, name, text, length);
    free(name);
    bool good = true;
    if (!is_text(&parts.items[0])) {
        refuse(entry, format_text("It is no text: it holds a byte 0."));
    } else {
        read_headers(in, file, &parts);
        name_parts(&parts, entry);
        good = put_parts(class, &parts, entry->key);
    }
    for (int i = 0; i < parts.count; i++) {
        free(parts.items[i].name);
        free(parts.items[i].text);
    }
    free(parts.items);
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

void forget_verdict(const char *kept, const char *verdict)
{
    static const char *const endings[] = {"json", "line.json", "failed", "race.csv", "race.log"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = format_text("%s/verdicts/%s.%s", kept, verdict, endings[i]);
        unlink(path);
        free(path);
    }
}
