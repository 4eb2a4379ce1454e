/* An archive becomes its members, one after the other. See class.h.
 *
 * Reading is left to libarchive, which knows every damaged and odd archive of every format there
 * is: zip, tar with any compression, 7z, rar. It is looked for when the first archive comes
 * (dlopen), so a learner's machine needs it neither to build nor to run, and there is no second
 * reader of ours for where it is missing: what the workbook must grade without it are files.
 *
 * It reads a stranger's bytes. So each archive has a process of its own, which has the bytes in its
 * memory, opens no file, starts nothing, and says what it finds through one pipe. What arrives is
 * cut off at a number of bytes, so a bomb ends there.
 *
 * The invariant: no member becomes a file, and what is read from the pipe is believed to be bytes
 * and nothing else. */
#include "class.h"
#include "box.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_SECONDS = 60,
    MOST_PATH = 4000,
    MOST_MEMBERS = 100000,
    LARGEST_FILE = (4 << 20) + 1, /* one byte more than is taken */
    LARGEST_ARCHIVE = 64 << 20,
    CHUNK = 65536
};

/* Where our own code runs under AddressSanitizer, which takes more of them than any archive. */
#ifdef OURS_SANITIZED
static const long most_addresses = 0; /* no limit */
#else
static const long most_addresses = 2L << 30; /* and the archive's own */
#endif

/* ---- the library ---- */
/* As <archive.h> declares them; they have not changed since version 3.0. */
enum { ARCHIVE_END = 1, ARCHIVE_WARNING = -20 };
struct archive;
struct archive_entry;
static struct {
    struct archive *(*read_new)(void);
    int (*read_support_filter_all)(struct archive *);
    int (*read_support_format_all)(struct archive *);
    int (*read_open_memory)(struct archive *, const void *, size_t);
    int (*read_next_header)(struct archive *, struct archive_entry **);
    ssize_t (*read_data)(struct archive *, void *, size_t);
    int64_t (*filter_bytes)(struct archive *, int);
    const char *(*entry_pathname)(struct archive_entry *);
    const char *(*entry_pathname_utf8)(struct archive_entry *);
    const char *(*entry_hardlink)(struct archive_entry *);
    unsigned (*entry_filetype)(struct archive_entry *);
    int64_t (*entry_size)(struct archive_entry *);
    int (*entry_is_encrypted)(struct archive_entry *);
    time_t (*entry_mtime)(struct archive_entry *);
    struct archive *(*write_new)(void);
    int (*write_set_format_zip)(struct archive *);
    int (*write_set_options)(struct archive *, const char *);
    int (*write_open_filename)(struct archive *, const char *);
    int (*write_header)(struct archive *, struct archive_entry *);
    ssize_t (*write_data)(struct archive *, const void *, size_t);
    int (*write_free)(struct archive *);
    struct archive_entry *(*entry_new)(void);
    void (*entry_free)(struct archive_entry *);
    void (*entry_set_pathname_utf8)(struct archive_entry *, const char *);
    void (*entry_set_size)(struct archive_entry *, int64_t);
    void (*entry_set_filetype)(struct archive_entry *, unsigned);
    void (*entry_set_perm)(struct archive_entry *, mode_t);
} lib;

static bool library_there(void)
{
    static const char *const files[] = {"libarchive.so.13", "libarchive.so", "libarchive.dylib"};
    static const struct {
        const char *name;
        void *at;
    } functions[] = {{"archive_read_new", &lib.read_new},
                     {"archive_read_support_filter_all", &lib.read_support_filter_all},
                     {"archive_read_support_format_all", &lib.read_support_format_all},
                     {"archive_read_open_memory", &lib.read_open_memory},
                     {"archive_read_next_header", &lib.read_next_header},
                     {"archive_read_data", &lib.read_data},
                     {"archive_filter_bytes", &lib.filter_bytes},
                     {"archive_entry_pathname", &lib.entry_pathname},
                     {"archive_entry_pathname_utf8", &lib.entry_pathname_utf8},
                     {"archive_entry_hardlink", &lib.entry_hardlink},
                     {"archive_entry_filetype", &lib.entry_filetype},
                     {"archive_entry_size", &lib.entry_size},
                     {"archive_entry_is_encrypted", &lib.entry_is_encrypted},
                     {"archive_entry_mtime", &lib.entry_mtime},
                     {"archive_write_new", &lib.write_new},
                     {"archive_write_set_format_zip", &lib.write_set_format_zip},
                     {"archive_write_set_options", &lib.write_set_options},
                     {"archive_write_open_filename", &lib.write_open_filename},
                     {"archive_write_header", &lib.write_header},
                     {"archive_write_data", &lib.write_data},
                     {"archive_write_free", &lib.write_free},
                     {"archive_entry_new", &lib.entry_new},
                     {"archive_entry_free", &lib.entry_free},
                     {"archive_entry_set_pathname_utf8", &lib.entry_set_pathname_utf8},
                     {"archive_entry_set_size", &lib.entry_set_size},
                     {"archive_entry_set_filetype", &lib.entry_set_filetype},
                     {"archive_entry_set_perm", &lib.entry_set_perm}};
    static int there = -1;
    void *opened = NULL;
    for (size_t i = 0; i < sizeof files / sizeof *files && !opened && there < 0; i++)
        opened = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (there < 0)
        there = opened != NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && opened; i++) {
        void *found = dlsym(opened, functions[i].name);
        memcpy(functions[i].at, &found, sizeof found);
        there = there && found;
    }
    return there;
}

/* ---- the process that reads it ---- */
typedef enum { MEMBER, THE_END, DAMAGED } Kind;
typedef struct {
    int64_t size, time;
    uint64_t length;
    uint32_t path, kind, is_file, is_link;
} Head; /* then `path` bytes of its path, and `length` of what is in it */

typedef struct {
    struct archive *from;
    int to;
    int64_t left; /* bytes that it may still hold */
    int members;
} Reading;

static void say(int to, Head head, const char *path, const char *data)
{
    head.path = (uint32_t)strnlen(path, MOST_PATH);
    if (!write_all(to, &head, sizeof head) || !write_all(to, path, head.path) ||
        (head.length && !write_all(to, data, head.length)))
        _exit(1); /* nobody listens any more */
}

static _Noreturn void give_up(const Reading *r, const char *why)
{
    say(r->to, (Head){.kind = DAMAGED}, why, NULL);
    _exit(0);
}

/* All that it holds, or one byte more than `most`. */
static void read_content(Reading *r, Buffer *content, size_t most)
{
    ssize_t got = 1;
    while (got > 0 && content->length < most) {
        size_t step = most - content->length < CHUNK ? most - content->length : CHUNK;
        got = lib.read_data(r->from, buffer_room(content, step), step);
        content->length += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        give_up(r, "it is damaged");
}

static void read_member(Reading *r, struct archive_entry *entry, bool contents)
{
    const char *path = lib.entry_pathname(entry);
    path = path ? path : lib.entry_pathname_utf8(entry);
    path = path ? path : "?";
    unsigned type = lib.entry_filetype(entry) & S_IFMT;
    Head head = {.kind = MEMBER,
                 .size = lib.entry_size(entry),
                 .time = (int64_t)lib.entry_mtime(entry),
                 .is_file = type == S_IFREG || type == 0,
                 .is_link = type == S_IFLNK || lib.entry_hardlink(entry) != NULL};
    Buffer content = {0};
    r->left -= head.size > 0 ? head.size : 0;
    if (r->left < 0 || ++r->members > MOST_MEMBERS)
        give_up(r, r->left < 0 ? "it holds more than is taken" : "it holds too many files");
    bool wanted = contents && head.is_file && !head.is_link &&
                  (is_c_file(path) || is_header(path) || is_archive(path));
    if (wanted && lib.entry_is_encrypted(entry) == 1)
        give_up(r, "it is locked by a password");
    if (wanted)
        read_content(r, &content, is_archive(path) ? LARGEST_ARCHIVE : LARGEST_FILE);
    head.length = content.length;
    if (head.size < (int64_t)content.length) { /* it did not say, or not the truth */
        r->left -= (int64_t)content.length - (head.size > 0 ? head.size : 0);
        head.size = (int64_t)content.length;
    }
    if (type != S_IFDIR)
        say(r->to, head, path, content.data);
    buffer_free(&content);
}

static _Noreturn void read_archive(const Archive *archive, int to)
{
    Limits limits = {.file_bytes = 1 << 20,
                     .cpu_seconds = MOST_SECONDS,
                     .address_bytes = most_addresses ? most_addresses + (long)archive->length : 0};
    Reading r = {.to = to, .left = archive->most};
    int64_t most_read = archive->most + (64 << 20);
    setenv("TZ", "/etc/localtime", 0); /* so that it is read here, and not again */
    tzset();
    setlocale(LC_CTYPE, "C.UTF-8");
    for (int fd = 0; fd < 1024; fd++)
        if (fd != to)
            close(fd);
    limit_process(&limits);
    signal(SIGINT, SIG_IGN); /* which is for the program that waits */
    if (close_doors("") != NULL)
        _exit(1);
    r.from = lib.read_new();
    lib.read_support_filter_all(r.from);
    lib.read_support_format_all(r.from);
    struct archive_entry *entry;
    int got = lib.read_open_memory(r.from, archive->data, archive->length);
    if (got < ARCHIVE_WARNING)
        give_up(&r, "it is damaged, or no archive");
    while ((got = lib.read_next_header(r.from, &entry)) != ARCHIVE_END) {
        if (got < ARCHIVE_WARNING)
            give_up(&r, "it is damaged, or no archive");
        if (lib.filter_bytes(r.from, 0) > most_read)
            give_up(&r, "it holds more than is taken");
        read_member(&r, entry, archive->contents);
    }
    if (!r.members)
        give_up(&r, "it holds nothing, or is damaged");
    say(to, (Head){.kind = THE_END}, "", NULL);
    _exit(0);
}

/* ---- the process that wants to know ---- */
static bool read_all(int from, void *data, size_t length)
{
    ssize_t got;
    for (char *at = data; length > 0; at += got, length -= (size_t)got) {
        do
            got = read(from, at, length);
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return false;
    }
    return true;
}

/* False: it is the last word, or none came. */
static bool hear(int from, Head *head, char path[MOST_PATH + 1], Buffer *content)
{
    content->length = 0;
    head->kind = DAMAGED;
    path[0] = '\0';
    if (!read_all(from, head, sizeof *head) || head->path > MOST_PATH ||
        head->length > LARGEST_ARCHIVE || !read_all(from, path, head->path)) {
        *head = (Head){.kind = DAMAGED};
        path[0] = '\0';
        return false;
    }
    path[head->path] = '\0';
    if (head->length && !read_all(from, buffer_room(content, head->length + 1), head->length))
        head->kind = DAMAGED;
    content->length = head->length;
    return head->kind == MEMBER;
}

static Opened take_members(int from, Archive *archive, char *why, size_t size)
{
    Buffer content = {0};
    char path[MOST_PATH + 1];
    Head head;
    while (hear(from, &head, path, &content)) {
        archive->held += head.size > 0 ? head.size : 0;
        archive->take(archive->to, &(Member){.path = path,
                                             .data = content.data,
                                             .length = content.length,
                                             .size = head.size,
                                             .time = (time_t)head.time,
                                             .is_file = head.is_file,
                                             .is_link = head.is_link});
    }
    buffer_free(&content);
    if (head.kind == THE_END)
        return OPENED;
    snprintf(why, size, "%s", *path ? path : "it can't be opened, or takes too long");
    return REFUSED;
}

Opened archive_open(Archive *archive, char *why, size_t size)
{
    int ends[2];
    if (!library_there()) {
        snprintf(why, size,
                 "libarchive is missing: it opens archives. Get it with: apt-get install "
                 "libarchive-tools");
        return NO_TOOL;
    }
    if (pipe(ends) != 0) {
        snprintf(why, size, "%s", strerror(errno));
        return NO_ROOM;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        read_archive(archive, ends[1]);
    close(ends[1]);
    Opened result = NO_ROOM;
    if (child > 0)
        result = take_members(ends[0], archive, why, size);
    else
        snprintf(why, size, "%s", strerror(errno));
    close(ends[0]);
    if (child > 0)
        kill(child, SIGKILL);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return result;
}

/* ---- one that is a file ---- */
bool archive_map(const char *path, Archive *archive, char *why, size_t size)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    void *data =
        good ? mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (!good)
        snprintf(why, size, "%s",
                 file < 0 && errno != ELOOP           ? strerror(errno)
                 : file < 0 || !S_ISREG(info.st_mode) ? "it is a link, or no plain file"
                                                      : "it is empty");
    else if (data == MAP_FAILED)
        snprintf(why, size, "%s", strerror(errno));
    if (file >= 0)
        close(file);
    archive->data = data == MAP_FAILED ? NULL : data;
    archive->length = data == MAP_FAILED ? 0 : (size_t)info.st_size;
    return archive->data;
}

void archive_unmap(Archive *archive)
{
    if (archive->data)
        munmap((void *)(uintptr_t)archive->data, archive->length);
    archive->data = NULL;
}

/* ---- one that is written: of our own words, so by this process ---- */
struct Zip {
    struct archive *to;
    char *path; /* under another name, until it is whole */
};

Zip *zip_begin(const char *path)
{
    Zip *zip = library_there() ? calloc(1, sizeof *zip) : NULL;
    if (!zip)
        return NULL;
    zip->path = name_of_new(path);
    zip->to = lib.write_new();
    lib.write_set_format_zip(zip->to);
    lib.write_set_options(zip->to, "hdrcharset=UTF-8");
    if (lib.write_open_filename(zip->to, zip->path) == 0)
        return zip;
    lib.write_free(zip->to);
    free(zip->path);
    free(zip);
    return NULL;
}

bool zip_add(Zip *zip, const char *name, const char *text, size_t length)
{
    struct archive_entry *entry = lib.entry_new();
    lib.entry_set_pathname_utf8(entry, name);
    lib.entry_set_size(entry, (int64_t)length);
    lib.entry_set_filetype(entry, S_IFREG);
    lib.entry_set_perm(entry, 0644);
    bool good = lib.write_header(zip->to, entry) >= ARCHIVE_WARNING &&
                lib.write_data(zip->to, text, length) == (ssize_t)length;
    lib.entry_free(entry);
    return good;
}

bool zip_end(Zip *zip, const char *path)
{
    bool good = lib.write_free(zip->to) == 0 && rename(zip->path, path) == 0;
    if (!good)
        unlink(zip->path);
    free(zip->path);
    free(zip);
    return good;
}
