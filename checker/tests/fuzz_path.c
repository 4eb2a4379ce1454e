/* submission.c: the path of the file to grade, in three parts, none of which loses its folder. */
#include "../box/submission.c"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *path = as_text(data, size);
    static Place place;
    if (split(path, &place)) {
        require(!strchr(place.file, '/') && !strchr(place.folder, '/') && place.way[0]);
        require((path[0] == '/') == (place.way[0] == '/'));
    }
    free(path);
    return 0;
}
