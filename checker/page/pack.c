/* Files as one JSON object, {path: text}: pack PATH... A path that is no file is left out. */
#include "system.h"

#include "cJSON.h"

int main(int argc, char **argv)
{
    cJSON *files = cJSON_CreateObject();
    for (int i = 1; i < argc; i++) {
        char *text = is_readable(argv[i]) ? read_file(argv[i], NULL) : NULL;
        if (text)
            cJSON_AddStringToObject(files, argv[i], text);
    }
    return puts(cJSON_PrintUnformatted(files)) < 0;
}
