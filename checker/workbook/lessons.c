/* Which lessons there are. Nothing lists them but the folders themselves. */
#include "workbook.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Names become parts of commands, so they are of letters, digits and _ (the build refuses others).
 */
static bool is_lesson(const char *folder)
{
    char path[512];
    size_t digits = strspn(folder, DIGITS);
    snprintf(path, sizeof path, "checker/lessons/%s/lesson.c", folder);
    return digits && folder[digits] == '_' && !folder[strspn(folder, DIGITS LETTERS "_")] &&
           strlen(folder) < NAME_SIZE && !access(path, R_OK);
}

void lessons_find(Lessons *lessons)
{
    DIR *folder = opendir("checker/lessons");
    struct dirent *entry;
    lessons->count = 0;
    while (folder && (entry = readdir(folder)))
        if (is_lesson(entry->d_name) && lessons->count < MAX_LESSONS)
            strcpy(lessons->names[lessons->count++], entry->d_name);
    if (folder)
        closedir(folder);
    qsort(lessons->names, (size_t)lessons->count, NAME_SIZE, by_name);
}

static bool is_called(const char *lesson, const char *wanted)
{
    const char *name = strchr(lesson, '_') + 1;
    char *end;
    long number = strtol(wanted, &end, 10);
    bool by_number = isdigit((unsigned char)*wanted) && !*end && number == strtol(lesson, NULL, 10);
    return by_number || !strcmp(wanted, lesson) || !strcmp(wanted, name);
}

const char *lesson_find(const Lessons *lessons, const char *wanted)
{
    for (int i = 0; i < lessons->count; i++)
        if (is_called(lessons->names[i], wanted))
            return lessons->names[i];
    return NULL;
}

const Lessons *lessons_named(const Lessons *all, const char *words, Lessons *some)
{
    bool wanted[MAX_LESSONS] = {false};
    char *list = format_text("%s", words ? words : ""), *rest;
    const Lessons *named = words ? some : all;
    for (char *word = strtok_r(list, " ,", &rest); word && named;
         word = strtok_r(NULL, " ,", &rest)) {
        const char *lesson = lesson_resolve(all, word);
        if (lesson)
            wanted[lesson_index(all, lesson)] = true;
        else
            named = NULL;
    }
    some->count = 0;
    for (int i = 0; i < all->count; i++)
        if (wanted[i])
            strcpy(some->names[some->count++], all->names[i]);
    free(list);
    return named;
}

int lesson_index(const Lessons *lessons, const char *lesson)
{
    return (int)((lesson - lessons->names[0]) / NAME_SIZE);
}

const char *lesson_resolve(const Lessons *lessons, const char *wanted)
{
    const char *found = lesson_find(lessons, wanted);
    if (found)
        return found;
    fprintf(stderr, "There is no lesson \"%s\". There are:\n", wanted);
    for (int i = 0; i < lessons->count; i++)
        fprintf(stderr, "  %s\n", lessons->names[i]);
    return NULL;
}

/* The first one whose header declares that function. */
static const char *lesson_with_step(const Lessons *lessons, const char *step)
{
    char path[NAME_SIZE + 16];
    Contract contract;
    for (int i = 0; i < lessons->count; i++) {
        snprintf(path, sizeof path, "include/%s.h", lessons->names[i]);
        contract_names(&contract, path);
        if (contract_find(&contract, step))
            return lessons->names[i];
    }
    fprintf(stderr, "No lesson has a function \"%s\".\n", step);
    return NULL;
}

/* Where the learner went last: .workbook/lesson holds its name. */
void lesson_remember(const char *lesson)
{
    mkdir(".workbook", 0777);
    FILE *file = fopen(".workbook/lesson", "w");
    if (file) { /* if not, the next start is at the first lesson that is not passed */
        fprintf(file, "%s\n", lesson);
        fclose(file);
    }
}

const char *lesson_current(const Lessons *lessons)
{
    char *text = read_file(".workbook/lesson", NULL);
    const char *current = NULL;
    if (text) {
        text[strcspn(text, "\n")] = '\0';
        current = lesson_find(lessons, text);
    }
    free(text);
    return current && !lesson_passed(current) ? current : lesson_first(lessons);
}

const char *lesson_wanted(const Lessons *lessons, const WorkbookOptions *options)
{
    if (options->lesson)
        return lesson_resolve(lessons, options->lesson);
    return options->step ? lesson_with_step(lessons, options->step) : lesson_current(lessons);
}

char *lesson_source(const char *lesson, const char *impl)
{
    struct stat info;
    if (!impl)
        return format_text("exercises/%s.c", lesson);
    if (!stat(impl, &info) && S_ISDIR(info.st_mode))
        return format_text("%s%s%s.c", impl, impl[strlen(impl) - 1] == '/' ? "" : "/", lesson);
    return format_text("%s", impl);
}
