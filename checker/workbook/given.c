/* What the commands are given from outside. By make: LESSON=01 and the like come from the
 * environment, where make puts its variables: on the way there no shell sees them. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *given_as(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

bool given_yes(const char *name)
{
    const char *value = given_as(name);
    return value && !strcmp(value, "yes");
}

bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = format_text("%.*s/%s", (int)length, path, program);
        found = length && access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}
