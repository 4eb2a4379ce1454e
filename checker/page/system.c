/* run/system.h in a page: there is no machine, only the files that were handed in, and WASI's
 * clock. */
#include "page.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *path, *text;
    size_t length;
} File;
static File *files;
static size_t file_count;

static const File *file_at(const char *path)
{
    for (size_t i = 0; i < file_count; i++)
        if (!strcmp(files[i].path, path))
            return &files[i];
    return NULL;
}

/* That file is there from now on. Both texts are kept. */
CALLED("file") void page_file(const char *path, const char *text, size_t length)
{
    files = realloc(files, (file_count + 1) * sizeof *files);
    if (!files)
        abort();
    files[file_count++] = (File){path, text, length};
}

char *read_file(const char *path, size_t *length)
{
    const File *file = file_at(path);
    errno = ENOENT;
    if (!file)
        return NULL;
    Buffer text = {0};
    buffer_append(&text, file->text, file->length);
    buffer_append(&text, "", 1);
    if (length)
        *length = file->length;
    return text.data;
}

bool is_readable(const char *path)
{
    return file_at(path) != NULL;
}

char *read_beside(const char *source, const char *name)
{
    (void)source, (void)name;
    return NULL;
}

double clock_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_time(void)
{
    return clock_now();
}

bool locale_is_utf8(void)
{
    return true;
}

bool colour_wanted(void)
{
    return false;
}

int terminal_columns(FILE *out)
{
    (void)out;
    return INT_MAX;
}
