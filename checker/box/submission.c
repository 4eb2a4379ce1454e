/* Opens the file to grade and reads it. See box.h.
 *
 * A submission is a plain file. In a class it comes from someone else, and so may the folder that
 * it lies in: a link in either place would let somebody be graded for another's work, or show a
 * file that is not theirs to see. So neither is followed. What leads to that folder was named by
 * whoever runs the checker, and may be anything. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY /* a folder that can be entered but not listed is refused there */
#endif

/* "class/eve//./a.c" in three parts: what leads there ("class", "." or "/"), the folder ("eve", or
 * "" when there is none but what leads there), and the file. */
typedef struct {
    char way[PATH_MAX], folder[PATH_MAX], file[PATH_MAX];
} Place;

/* Takes the last part off `path`: parts that name nothing are dropped. */
static void take_last(char *path, char *part)
{
    size_t end = strlen(path), start;
    for (;;) {
        while (end > 0 && path[end - 1] == '/')
            end--;
        for (start = end; start > 0 && path[start - 1] != '/';)
            start--;
        if (end - start != 1 || path[start] != '.')
            break;
        end = start;
    }
    memmove(part, path + start, end - start);
    part[end - start] = '\0';
    path[start] = '\0';
}

/* False: it is too long, or can't be a file. */
static bool split(const char *path, Place *place)
{
    bool absolute = path[0] == '/';
    size_t length = strlen(path);
    if (length >= sizeof place->way)
        return false;
    strcpy(place->way, path);
    take_last(place->way, place->file);
    errno = ENOTDIR; /* "a.c/" and "a.c/." */
    if (length && strcmp(path + length - strlen(place->file), place->file))
        return false;
    take_last(place->way, place->folder);
    if (!place->way[0])
        strcpy(place->way, absolute ? "/" : ".");
    return true;
}

/* Opens the folder, unless it is a link. */
static int open_folder(const char *path, const Place *place, char *error, size_t error_size)
{
    struct stat info;
    int way = open(place->way, O_PATH | O_DIRECTORY | O_CLOEXEC), folder;
    if (way < 0 || !place->folder[0])
        return way;
    folder = openat(way, place->folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int reason = errno;
    if (folder < 0 && fstatat(way, place->folder, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(info.st_mode))
        snprintf(error, error_size,
                 "%s lies in a folder that is a link (%s). A link is not followed here: name the "
                 "folder itself.",
                 path, place->folder);
    close(way);
    errno = reason;
    return folder;
}

static int open_file(int folder, const char *path, const Place *place, char *error,
                     size_t error_size)
{
    struct stat info;
    /* A pipe or a device is not waited for. */
    int file =
        openat(folder, place->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && (errno == ELOOP || errno == EMLINK))
        snprintf(error, error_size,
                 "%s is a link. What is graded is the file itself, and a link is not followed.",
                 path);
    if (file < 0 || (fstat(file, &info) == 0 && S_ISREG(info.st_mode)))
        return file;
    snprintf(error, error_size, "%s is not a plain file.", path);
    close(file);
    return -1;
}

char *submission_read(const char *path, size_t *length, char *error, size_t error_size)
{
    Place place;
    char *text = NULL;
    error[0] = '\0';
    errno = ENAMETOOLONG;
    int folder = split(path, &place) ? open_folder(path, &place, error, error_size) : -1;
    int file = folder >= 0 ? open_file(folder, path, &place, error, error_size) : -1;
    if (file >= 0)
        text = read_open_file(file, MOST_SOURCE, length);
    if (!text && !error[0] && errno == EFBIG)
        snprintf(error, error_size, "%s is larger than 4 MB.", path);
    else if (!text && !error[0])
        snprintf(error, error_size, "%s can't be read: %s.", path, strerror(errno));
    if (folder >= 0)
        close(folder);
    return text;
}
