/* What a page calls. Which lesson it is is chosen while the module runs: to the core, which asks
 * later, `lesson` and `lesson_name` are as constant as they are in a lesson's program. */
#define lesson lesson_of_the_core
#define lesson_name name_of_the_core
#include "page.h"
#undef lesson
#undef lesson_name

#include "emulator.h"

#include "cJSON.h"

#include <stdlib.h>
#include <string.h>

Lesson lesson;
char lesson_name[NAME_SIZE];

/* LESSONS is LESSON(01_layer_norm) and so on: page.mk. */
#define LESSON(name) extern const Lesson lesson_##name;
LESSONS
#undef LESSON
static const struct {
    const char *name;
    const Lesson *lesson;
} lessons[] = {
#define LESSON(name) {#name, &lesson_##name},
    LESSONS
#undef LESSON
};

static void choose(size_t i)
{
    lesson = *lessons[i].lesson;
    snprintf(lesson_name, sizeof lesson_name, "%s", lessons[i].name);
}

static cJSON *steps(void)
{
    cJSON *names = cJSON_CreateArray();
    const char *before = "";
    for (const Step *step = lesson.steps; step->function; step++) {
        const char *function = learners_function(step->function);
        if (strcmp(function, before) != 0)
            cJSON_AddItemToArray(names, cJSON_CreateString(function));
        before = function;
    }
    return names;
}

/* Printed as JSON. */
CALLED("lessons") void page_lessons(void)
{
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++) {
        cJSON *item = cJSON_CreateObject();
        choose(i);
        cJSON_AddStringToObject(item, "name", lesson_name);
        cJSON_AddStringToObject(item, "title", lesson.title);
        cJSON_AddItemToObject(item, "steps", steps());
        cJSON_AddStringToObject(item, "needs", lesson.needs ? lesson.needs : "");
        cJSON_AddBoolToObject(item, "core", lesson.core);
        cJSON_AddItemToArray(all, item);
    }
    char *text = cJSON_PrintUnformatted(all);
    fputs(text, stdout);
    fflush(stdout);
    free(text);
    cJSON_Delete(all);
}

/* "01_layer_norm". False: there is no such lesson. */
CALLED("open") bool page_open(const char *name)
{
    for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++)
        if (!strcmp(lessons[i].name, name)) {
            choose(i);
            return true;
        }
    return false;
}

static bool is_step(const char *name)
{
    for (const Step *step = lesson.steps; step->function; step++)
        if (!strcmp(learners_function(step->function), name))
            return true;
    return false;
}

/* A page shows each stage when it is there. */
static void hear(const Listener *listener, const Report *report, Stage stage, int check)
{
    report_hear(listener, report, stage, check);
    fflush(listener->out);
}

static char *nothing_is_missing(void)
{
    return NULL;
}

CheckOptions page_options(const char *text, size_t length)
{
    static char source[NAME_SIZE + 16];
    static Runners here;
    here = emulated;
    here.missing_protections = nothing_is_missing;
    snprintf(source, sizeof source, "exercises/%s.c", lesson_name);
    return (CheckOptions){.runners = &here,
                          .trials = &emulated_trials,
                          .source = source,
                          .text = text,
                          .length = length,
                          .call_limit = 2};
}

/* What make check prints, for the options that are not NULL. What the lesson's program
 * (program/main.c) ends with: 0 passed, 1 not, 2 no such step or format, 3 not graded. */
CALLED("check")
int page_check(const char *text, size_t length, uint64_t seed, const char *step, const char *format,
               bool line, const Words *words)
{
    Report report = {.words = *words};
    Listener listener = {.hear = hear, .out = stdout, .format = HUMAN};
    CheckOptions options = page_options(text, length);
    options.trials = line ? options.trials : NULL;
    options.seed = seed;
    options.step = step;
    if ((step && !is_step(step)) || (format && !format_find(format, &listener.format)))
        return 2;
    check_lesson(&options, NULL, &report, &listener);
    int code = report.not_graded ? 3 : report.count && report.passed == report.count ? 0 : 1;
    report_free(&report);
    return code;
}

/* As try_lesson(). */
CALLED("try") int page_try(const char *text, size_t length, const char *words)
{
    CheckOptions options = page_options(text, length);
    int code = try_lesson(&options, words);
    fflush(stdout);
    return code;
}
