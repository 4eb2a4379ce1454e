/* make lessons and make progress: how far the learner is. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

void progress_open(Progress *progress)
{
    static bool said; /* once is enough: the prompt asks again and again */
    char error[512];
    if (!progress_load(progress, error, sizeof error) && !said) {
        fprintf(stderr, "%s\n", error);
        said = true;
    }
}

/* Of the checks that the lesson has now; "" when it isn't built. */
static void current_signature(const char *lesson, char signature[SIGNATURE_SIZE])
{
    char *path = format_text("build/%s/signature", lesson), *text = read_file(path, NULL);
    snprintf(signature, SIGNATURE_SIZE, "%s", text ? text : "");
    free(text);
    free(path);
}

Standing lesson_standing(const Progress *progress, const char *lesson)
{
    char signature[SIGNATURE_SIZE];
    current_signature(lesson, signature);
    const LessonProgress *last = progress_find(progress, lesson);
    bool once = progress_passed(progress, lesson, signature);
    Standing here = {.last = last, .begun = last && last->attempts};
    here.passed = once && last->passed == last->checks;
    here.broken = once && !here.passed;
    here.changed = last && *last->last_pass && !once;
    return here;
}

bool lesson_passed(const char *lesson)
{
    Progress progress;
    progress_open(&progress);
    bool passed = lesson_standing(&progress, lesson).passed;
    progress_free(&progress);
    return passed;
}

void standing_words(const Standing *here, char *text, size_t size)
{
    char first[DAY_SIZE] = "", last[DAY_SIZE] = "";
    if (here->passed || here->broken)
        progress_days(here->last, first, last);
    const char *day = *first ? first : last, *on = *day ? " " : "";
    if (here->passed)
        snprintf(text, size, "passed%s%s", on, day);
    else if (here->broken)
        snprintf(text, size, "passed%s%s, now %d of %d checks pass", on, day, here->last->passed,
                 here->last->checks);
    else if (here->changed)
        snprintf(text, size, "changed since you passed it");
    else if (here->begun)
        snprintf(text, size, "%d of %d checks pass", here->last->passed, here->last->checks);
    else
        snprintf(text, size, "not begun");
}

/* From the first line of its text: "# Lesson 01: Layer Normalization". */
void lesson_title(const char *lesson, char *title, size_t size)
{
    char *path = format_text("lessons/%s.md", lesson), line[256] = "";
    FILE *text = fopen(path, "r");
    if (text && fgets(line, sizeof line, text))
        line[strcspn(line, "\r\n")] = '\0';
    const char *colon = strstr(line, ": ");
    snprintf(title, size, "%s", colon ? colon + 2 : strchr(lesson, '_') + 1);
    if (text)
        fclose(text);
    free(path);
}

static bool narrow(void)
{
    return window_columns() < 72;
}

/* "ready", or "needs 02"; what was begun is told by its checks. */
static char *state_of(const Needs *needs, int i, const Standing *here)
{
    char words[96];
    char *lacks = lesson_lacks(needs, i), *state = NULL;
    standing_words(here, words, sizeof words);
    if (here->begun || here->changed)
        state = format_text("%s", words);
    else
        state = *lacks ? format_text("needs %s", lacks) : format_text("ready");
    free(lacks);
    return state;
}

static void print_lesson(const Needs *needs, const Progress *progress, int i, const char *current)
{
    const char *lesson = needs->lessons->names[i];
    char title[2 * NAME_SIZE];
    Standing here = lesson_standing(progress, lesson);
    char *state = state_of(needs, i, &here);
    const char *ending = lesson == current ? ", and you are here" : "";
    lesson_title(lesson, title, sizeof title);
    printf("%s %.*s  ", here.passed ? mark_pass() : mark_skip(), (int)strcspn(lesson, "_"), lesson);
    if (narrow() || 40 + strlen(state) + strlen(ending) > 80)
        printf("%s\n       %s%s\n", title, state, ending);
    else
        printf("%-32s %s%s\n", title, state, ending);
    free(state);
}

/* The map: a line for each lesson that others build on. */
static void print_needs(const Needs *needs)
{
    bool any = false;
    for (int i = 0; i < needs->lessons->count; i++) {
        const char *lesson = needs->lessons->names[i];
        char *above = lesson_leads_to(needs, i);
        char *line = format_text("%.*s leads to %s.", (int)strcspn(lesson, "_"), lesson, above);
        if (*above) {
            fputs(any ? "" : "\n", stdout);
            print_wrapped(line, 0);
            any = true;
        }
        free(line);
        free(above);
    }
}

int lessons_command(const Lessons *lessons, const WorkbookOptions *options)
{
    Progress progress;
    const char *current = options->lesson ? options->lesson : lesson_current(lessons);
    Needs needs;
    needs_read(&needs, lessons);
    progress_open(&progress);
    for (int i = 0; i < lessons->count; i++)
        print_lesson(&needs, &progress, i, current);
    progress_free(&progress);
    print_needs(&needs);
    return delivered(stdout) ? 0 : 1;
}

/* As many blocks as checks have passed, at most 20 in all. */
static void print_bar(int passed, int checks)
{
    int length = checks < 20 ? checks : 20, full = checks ? passed * length / checks : 0;
    fputs(locale_is_utf8() ? "" : "[", stdout);
    for (int i = 0; i < length; i++)
        fputs(i < full ? (locale_is_utf8() ? "█" : "#") : (locale_is_utf8() ? "░" : "."), stdout);
    fputs(locale_is_utf8() ? "" : "]", stdout);
}

static void print_history(const LessonProgress *last, const char *indent)
{
    printf("%s%d run%s, %d hint%s, the last run took %.2f s\n", indent, last->attempts,
           last->attempts == 1 ? "" : "s", last->hints, last->hints == 1 ? "" : "s", last->seconds);
    char first[DAY_SIZE], again[DAY_SIZE];
    progress_days(last, first, again);
    if (*first || *again)
        printf("%spassed%s%s%s%s%s\n", indent, *first ? " first " : "", first,
               *first && *again ? "," : "", *again ? " last " : "", again);
}

int progress_command(const Lessons *lessons, const WorkbookOptions *options)
{
    Progress progress;
    int passed = 0;
    (void)options;
    progress_open(&progress);
    for (int i = 0; i < lessons->count; i++) {
        const char *lesson = lessons->names[i];
        Standing here = lesson_standing(&progress, lesson);
        passed += here.passed;
        printf("%s %s\n", here.passed ? mark_pass() : mark_skip(), lesson);
        if (!here.begun) {
            puts("       not begun");
            continue;
        }
        fputs("       ", stdout);
        print_bar(here.last->passed, here.last->checks);
        printf(" %d/%d\n", here.last->passed, here.last->checks);
        if (here.changed)
            puts("       changed since you passed it");
        print_history(here.last, "       ");
    }
    printf("\n%d of %d lessons passed\n", passed, lessons->count);
    progress_free(&progress);
    return delivered(stdout) ? 0 : 1;
}
