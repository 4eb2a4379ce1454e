/* A stream of tar becomes files below one folder. See class.h.
 *
 * The invariant: a member is written below that folder or not at all, whatever it is called, and
 * never through a link. What is written are plain files; the names, sizes and numbers in the stream
 * are a stranger's. */
#include "class.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK = 512,
    MOST_PATH = 2000,
    MOST_NAME = 200,
    MOST_DEPTH = 12,
    MOST_MEMBERS = 50000,
    TOO_LARGE = (4 << 20) + 2, /* for submission_read() */
    MOST_ARCHIVE = 64 << 20
};

typedef struct {
    int from;
    const Unpack *unpack;
    int64_t taken;
    int members;
    char path[MOST_PATH + 1]; /* of the next member, if a record said so */
    bool has_path, no_room;
    const char *wrong; /* what ends it */
} Tar;

static bool read_block(Tar *tar, char *block)
{
    size_t got = 0;
    while (got < BLOCK) {
        ssize_t n = read(tar->from, block + got, BLOCK - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    tar->taken += BLOCK;
    if (tar->taken > tar->unpack->most)
        tar->wrong = "it holds more than is taken";
    if (got < BLOCK && got > 0)
        tar->wrong = "it ends too early";
    return got == BLOCK && !tar->wrong;
}

static int64_t number_at(const char *field, int length)
{
    int64_t value = 0;
    if ((unsigned char)field[0] & 0x80) /* larger than octal digits hold: not for us */
        return INT64_MAX;
    for (int i = 0; i < length && field[i]; i++)
        if (field[i] >= '0' && field[i] <= '7')
            value = value * 8 + (field[i] - '0');
    return value;
}

/* ---- where it goes ---- */

/* The path without "." and empty parts. False: it leaves the folder, or is odd. */
static bool tidy_path(const char *path, char *tidy)
{
    size_t used = 0;
    int depth = 0;
    while (*path) {
        size_t n = strcspn(path, "/");
        bool dots = n == 2 && !strncmp(path, "..", 2);
        if (dots || n > MOST_NAME || used + n + 2 > MOST_PATH || depth > MOST_DEPTH)
            return false;
        if (n && !(n == 1 && *path == '.')) {
            used += (size_t)sprintf(tidy + used, "%s%.*s", used ? "/" : "", (int)n, path);
            depth++;
        }
        path += n + (path[n] == '/');
    }
    return used > 0;
}

/* The folder that the last part lies in, made and opened part by part; -1: it can't be. */
static int folder_for(const Unpack *unpack, char *tidy, const char **name)
{
    int folder = open(unpack->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *part = tidy, *slash;
    while (folder >= 0 && (slash = strchr(part, '/'))) {
        *slash = '\0';
        mkdirat(folder, part, 0700);
        int next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(folder);
        folder = next;
        part = slash + 1;
    }
    *name = part;
    return folder;
}

static bool is_wanted(const Unpack *unpack, const char *path)
{
    size_t length = strlen(path);
    bool header = length > 2 && !strcmp(path + length - 2, ".h");
    return is_c_file(path) || header || (unpack->archives && is_archive(path));
}

/* ---- its members ---- */
static bool skip(Tar *tar, int64_t size)
{
    char block[BLOCK];
    for (; size > 0; size -= BLOCK)
        if (!read_block(tar, block)) {
            tar->wrong = tar->wrong ? tar->wrong : "it ends too early";
            return false;
        }
    return true;
}

/* All of it is read, and as much of it written as anybody will look at. */
static bool write_member(Tar *tar, int file, int64_t size, int64_t most)
{
    char block[BLOCK];
    for (; size > 0; size -= BLOCK) {
        if (!read_block(tar, block)) {
            tar->wrong = tar->wrong ? tar->wrong : "it ends too early";
            return false;
        }
        size_t n = size < BLOCK ? (size_t)size : BLOCK;
        if (file >= 0 && most > 0 && write(file, block, n) != (ssize_t)n)
            tar->no_room = true;
        most -= (int64_t)n;
        if (tar->no_room)
            return false;
    }
    return true;
}

static bool take_file(Tar *tar, const char *path, int64_t size, time_t time)
{
    char tidy[MOST_PATH + 2];
    const char *name;
    if (!is_wanted(tar->unpack, path) || !tidy_path(path, tidy))
        return skip(tar, size);
    int folder = folder_for(tar->unpack, tidy, &name), file = -1;
    if (folder >= 0) {
        unlinkat(folder, name, 0);
        file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        tar->no_room = file < 0 && (errno == ENOSPC || errno == EDQUOT);
        close(folder);
    }
    bool good = write_member(tar, file, size, is_archive(path) ? MOST_ARCHIVE : TOO_LARGE);
    if (file >= 0) {
        futimens(file, (struct timespec[]){{.tv_sec = time}, {.tv_sec = time}});
        tar->no_room = close(file) != 0 || tar->no_room;
    }
    return good && !tar->no_room;
}

static void take_link(const Unpack *unpack, const char *path)
{
    char tidy[MOST_PATH + 2];
    const char *name;
    if (!is_wanted(unpack, path) || !tidy_path(path, tidy))
        return;
    int folder = folder_for(unpack, tidy, &name);
    if (folder < 0)
        return;
    unlinkat(folder, name, 0);
    if (symlinkat("a link in an archive is not followed", folder, name) != 0)
        errno = 0; /* then it is missing, and that is said */
    close(folder);
}

/* One that is too long is no file's that is wanted. */
static void set_path(Tar *tar, const char *text, size_t length)
{
    length = length < sizeof tar->path ? length : 0;
    memcpy(tar->path, text, length);
    tar->path[length] = '\0';
    tar->has_path = true;
}

/* A record about the next member: of pax "17 path=a/b.c\n", of GNU the path itself. */
static bool take_record(Tar *tar, char kind, int64_t size)
{
    char text[16 * BLOCK + 1];
    if (size > (int64_t)sizeof text - 1)
        return skip(tar, size);
    for (int64_t done = 0; done < size; done += BLOCK)
        if (!read_block(tar, text + done)) {
            tar->wrong = tar->wrong ? tar->wrong : "it ends too early";
            return false;
        }
    text[size] = '\0';
    if (kind == 'L') {
        set_path(tar, text, strlen(text));
    }
    for (char *at = text, *end = text + size; kind == 'x' && at < end;) {
        char *word;
        long length = strtol(at, &word, 10);
        if (length < 5 || length > end - at || *word != ' ' || word >= at + length)
            break;
        if (!strncmp(word, " path=", 6)) {
            set_path(tar, word + 6, (size_t)(at + length - 1 - (word + 6)));
        }
        at += length;
    }
    return true;
}

static bool take_member(Tar *tar, const char *head)
{
    char path[MOST_PATH + 1];
    int64_t size = number_at(head + 124, 12);
    char kind = head[156];
    if (memcmp(head + 257, "ustar", 5) != 0 || ++tar->members > MOST_MEMBERS) {
        tar->wrong = tar->members > MOST_MEMBERS ? "it holds more files than are taken"
                                                 : "it is no archive of its name's kind";
        return false;
    }
    if (kind == 'x' || kind == 'L')
        return take_record(tar, kind, size);
    bool prefixed = !strncmp(head + 257, "ustar\0", 6) && head[345];
    if (tar->has_path)
        snprintf(path, sizeof path, "%s", tar->path);
    else
        snprintf(path, sizeof path, "%.155s%s%.100s", prefixed ? head + 345 : "",
                 prefixed ? "/" : "", head);
    tar->has_path = false;
    if (kind == '0' || kind == '\0')
        return take_file(tar, path, size, (time_t)number_at(head + 136, 12));
    if (kind == '1' || kind == '2')
        take_link(tar->unpack, path);
    return skip(tar, kind == '1' || kind == '2' ? 0 : size);
}

Unpacked tar_unpack(int stream, const Unpack *unpack, char *why, size_t size)
{
    static const char nothing[BLOCK];
    Tar tar = {.from = stream, .unpack = unpack};
    char head[BLOCK];
    while (read_block(&tar, head) && memcmp(head, nothing, BLOCK) != 0)
        if (!take_member(&tar, head))
            break;
    if (!tar.members && !tar.wrong)
        tar.wrong = "it holds nothing, or is damaged";
    if (tar.no_room)
        snprintf(why, size, "%s", strerror(ENOSPC));
    else if (tar.wrong)
        snprintf(why, size, "%s", tar.wrong);
    return tar.no_room ? NO_ROOM : tar.wrong ? REFUSED : UNPACKED;
}
