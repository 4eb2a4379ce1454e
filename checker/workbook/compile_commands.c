/* make compile_commands.json: for editors that understand C through clangd. */
#include "workbook.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cJSON.h"

static void add_words(cJSON *array, char *words)
{
    char *rest;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        cJSON_AddItemToArray(array, cJSON_CreateString(word));
}

/* How that file is compiled. */
static cJSON *entry(const char *folder, const char *file)
{
    char before[] = LEARNER_CC " " LEARNER_CFLAGS " -Iinclude -c";
    cJSON *entry = cJSON_CreateObject(), *arguments = cJSON_CreateArray();
    add_words(arguments, before);
    cJSON_AddItemToArray(arguments, cJSON_CreateString(file));
    cJSON_AddStringToObject(entry, "directory", folder);
    cJSON_AddStringToObject(entry, "file", file);
    cJSON_AddItemToObject(entry, "arguments", arguments);
    return entry;
}

int compile_commands_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *folder = realpath(".", NULL);
    cJSON *all = cJSON_CreateArray();
    glob_t files = {0};
    (void)lessons;
    (void)options;
    glob("exercises/*.c", 0, NULL, &files);
    for (size_t i = 0; folder && i < files.gl_pathc; i++)
        cJSON_AddItemToArray(all, entry(folder, files.gl_pathv[i]));
    globfree(&files);
    char *text = cJSON_Print(all);
    FILE *file = text ? fopen("compile_commands.json", "w") : NULL;
    bool written = file && fprintf(file, "%s\n", text) > 0;
    if (file)
        written = !fclose(file) && written;
    fprintf(stderr, "compile_commands.json %s%s\n",
            written ? "written: editors that know clangd read it." : "can't be written: ",
            written ? "" : strerror(errno));
    cJSON_Delete(all);
    free(text);
    free(folder);
    return written ? 0 : 2;
}
