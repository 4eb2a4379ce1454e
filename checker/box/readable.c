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

/* A link is not followed: it may lead anywhere. */
static void add_plain_file(Readable *readable, char *path)
{
    struct stat about;
    if (path && lstat(path, &about) == 0 && S_ISREG(about.st_mode))
        add_place(readable, path);
    else
        free(path);
}

/* Those beside `own`; where another student's file lies there too, its student's. */
static void add_headers(Readable *readable, const char *folder, const char *own)
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
            add_plain_file(readable, format_text("%s/%s", folder, entry->d_name));
    }
    if (dir)
        closedir(dir);
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
    const char *slash = strrchr(source, '/');
    char *beside = slash ? strndup(source, (size_t)(slash - source) + (slash == source)) : NULL;
    add_headers(readable, beside ? beside : ".", slash ? slash + 1 : source);
    free(beside);
    return true;
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
