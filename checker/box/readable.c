/* The files that a compiler needs. See box.h. */
#include "box.h"
#include "whose.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_place(Readable *readable, char *path)
{
    if (readable->count == readable->room) {
        readable->room = readable->room ? 2 * readable->room : 64;
        readable->paths =
            realloc(readable->paths, (size_t)readable->room * sizeof *readable->paths);
    }
    if (!readable->paths || !path)
        abort();
    readable->paths[readable->count++] = path;
}

typedef void TakeFile(void *to, char *path); /* and frees it */

/* A link is not followed: it may lead anywhere. */
static bool is_plain_file(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_SOURCE;
}

static void add_plain_file(void *to, char *path)
{
    if (path && is_plain_file(path))
        add_place(to, path);
    else
        free(path);
}

/* Those beside `own`; where another student's file lies there too, its student's. */
static void take_headers(const char *folder, const char *own, TakeFile *take, void *to)
{
    DIR *dir = opendir(folder);
    bool shared = false;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        shared = shared || is_of_another(entry->d_name, own);
    if (dir)
        rewinddir(dir);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".h") == 0 && is_own_header(entry->d_name, own, shared))
            take(to, format_text("%s/%s", folder, entry->d_name));
    }
    if (dir)
        closedir(dir);
}

static void take_headers_beside(const char *source, TakeFile *take, void *to)
{
    const char *slash = strrchr(source, '/');
    char *beside = slash ? strndup(source, (size_t)(slash - source) + (slash == source)) : NULL;
    take_headers(beside ? beside : ".", slash ? slash + 1 : source, take, to);
    free(beside);
}

bool readable_find(Readable *readable, const char *source, const char *folder)
{
    char *list = read_file("build/toolchain", NULL), *rest;
    *readable = (Readable){.folder = strdup(folder)};
    if (!list || !readable->folder) {
        free(list);
        return false;
    }
    for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        add_place(readable, strdup(line));
    free(list);
    add_place(readable, strdup("include"));
    add_plain_file(readable, strdup(source));
    take_headers_beside(source, add_plain_file, readable);
    return true;
}

typedef struct {
    const char *said; /* that names it */
    char *found;
} Wanted;

static void find_too_large(void *to, char *path)
{
    Wanted *wanted = to;
    struct stat about;
    const char *name = strrchr(path, '/') + 1;
    if (!wanted->found && lstat(path, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_size > MOST_SOURCE && strstr(wanted->said, name))
        wanted->found = format_text("%s", name);
    free(path);
}

char *readable_too_large(const char *source, const char *said)
{
    Wanted wanted = {said, NULL};
    take_headers_beside(source, find_too_large, &wanted);
    return wanted.found;
}

static void read_named(void *to, char *path)
{
    Wanted *wanted = to;
    const char *name = strrchr(path, '/') + 1;
    if (!wanted->found && !strcmp(name, wanted->said) && is_plain_file(path))
        wanted->found = read_file(path, NULL);
    free(path);
}

char *read_beside(const char *source, const char *name)
{
    Wanted wanted = {name, NULL};
    take_headers_beside(source, read_named, &wanted);
    return wanted.found;
}

static void resolve(char **path)
{
    char *real = realpath(*path, NULL);
    if (!real)
        return;
    free(*path);
    *path = real;
}

void readable_resolve(Readable *readable)
{
    resolve(&readable->folder);
    for (int i = 0; i < readable->count; i++)
        resolve(&readable->paths[i]);
}

bool lies_in(const char *path, const char *place)
{
    size_t length = strlen(place);
    return strncmp(path, place, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool readable_holds(const Readable *readable, const char *path)
{
    bool held = lies_in(path, readable->folder);
    for (int i = 0; i < readable->count && !held; i++)
        held = lies_in(path, readable->paths[i]);
    return held;
}

void readable_free(Readable *readable)
{
    for (int i = 0; i < readable->count; i++)
        free(readable->paths[i]);
    free(readable->paths);
    free(readable->folder);
    *readable = (Readable){0};
}
