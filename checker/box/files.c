/* Files: reading one whole, writing one that is there whole or not at all. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void *or_die(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

bool is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

char *read_file(const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is not waited for */
    return file < 0 ? NULL : read_open_file(file, SIZE_MAX, length);
}

char *read_open_file(int file, size_t most, size_t *length)
{
    size_t used = 0, room = 16384;
    char *text = or_die(malloc(room));
    for (;;) {
        ssize_t got = read(file, text + used, room - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || used > most) {
            int reason = got < 0 ? errno : EFBIG;
            free(text);
            close(file);
            errno = reason;
            return NULL;
        }
        if (got == 0)
            break;
        used += (size_t)got;
        if (used + 1 == room)
            text = or_die(realloc(text, room *= 2));
    }
    close(file);
    text[used] = '\0';
    if (length)
        *length = used;
    return text;
}

bool write_new_file(const char *path, const char *text, size_t length, bool sync)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = write_all(file, text, length) && (!sync || fsync(file) == 0);
    int reason = errno;
    if (close(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (!good)
        unlink(path);
    errno = reason;
    return good;
}
