/* The files that a compiler needs. See places.h. */
#include "places.h"
#include "engine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_place(Places *places, char *path)
{
    if (places->count == places->room) {
        places->room = places->room ? 2 * places->room : 64;
        places->paths = realloc(places->paths, (size_t)places->room * sizeof *places->paths);
    }
    if (!places->paths || !path)
        abort();
    places->paths[places->count++] = path;
}

/* A link is not followed: it may lead anywhere. */
static void add_plain_file(Places *places, char *path)
{
    struct stat about;
    if (path && lstat(path, &about) == 0 && S_ISREG(about.st_mode))
        add_place(places, path);
    else
        free(path);
}

static void add_headers(Places *places, const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".h") == 0)
            add_plain_file(places, format_text("%s/%s", folder, entry->d_name));
    }
    if (dir)
        closedir(dir);
}

bool places_find(Places *places, const char *source, const char *folder)
{
    char *list = read_file("build/toolchain", NULL), *rest;
    *places = (Places){.folder = strdup(folder)};
    if (!list || !places->folder) {
        free(list);
        return false;
    }
    for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        add_place(places, strdup(line));
    free(list);
    add_place(places, strdup("include"));
    add_plain_file(places, strdup(source));
    const char *slash = strrchr(source, '/');
    char *beside = slash ? strndup(source, (size_t)(slash - source) + (slash == source)) : NULL;
    add_headers(places, beside ? beside : ".");
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

void places_resolve(Places *places)
{
    resolve(&places->folder);
    for (int i = 0; i < places->count; i++)
        resolve(&places->paths[i]);
}

bool lies_in(const char *path, const char *place)
{
    size_t length = strlen(place);
    return strncmp(path, place, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool places_hold(const Places *places, const char *path)
{
    bool held = lies_in(path, places->folder);
    for (int i = 0; i < places->count && !held; i++)
        held = lies_in(path, places->paths[i]);
    return held;
}

void places_free(Places *places)
{
    for (int i = 0; i < places->count; i++)
        free(places->paths[i]);
    free(places->paths);
    free(places->folder);
    *places = (Places){0};
}
