/* A verdict's status and score. See class.h.
 *
 * The invariant: what this machine could not do is no score, and no status but its own. */
#include "class.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *status_words(ClassStatus status)
{
    static const char *const words[] = {[GOT_ALL] = "passed",
                                        [GOT_PART] = "failed",
                                        [NO_COMPILE] = "does not compile",
                                        [IS_STUB] = "stub",
                                        [IS_MISSING] = "missing",
                                        [UNUSABLE] = "unusable",
                                        [NOT_TAKEN] = "not accepted",
                                        [AT_LIMIT] = "ended by a limit",
                                        [NOT_GRADED] = "could not be graded"};
    return words[status];
}

/* ---- weights ---- */
static ClassLesson *lesson_named(Class *class, const char *word)
{
    const char *name = lesson_find(class->all_lessons, word);
    for (int l = 0; l < class->lesson_count && name; l++)
        if (!strcmp(class->lessons[l].name, name))
            return &class->lessons[l];
    return NULL;
}

/* A check's whole name, or a function's: how many checks it fits. */
static int weigh(ClassLesson *lesson, const char *what, double weight)
{
    int fits = 0;
    for (int i = 0; i < lesson->blank.count; i++) {
        const CheckResult *check = &lesson->blank.results[i];
        if (strcmp(what, check->name) != 0 && strcmp(what, check->step) != 0)
            continue;
        lesson->weights[i] = weight;
        fits++;
    }
    return fits;
}

/* NULL: it is good, or about a lesson that is not graded. */
static const char *weights_line(Class *class, char *line)
{
    char *end, word[NAME_SIZE];
    int used = 0;
    errno = 0;
    double weight = strtod(line, &end);
    if (end == line || errno || !(weight >= 0 && weight <= 1e6))
        return "it begins with a number from 0 to 1000000";
    if (sscanf(end, " %47s%n", word, &used) != 1 || !lesson_find(class->all_lessons, word))
        return "behind the number stands a lesson's";
    ClassLesson *lesson = lesson_named(class, word);
    const char *what = end + used + strspn(end + used, " \t");
    if (!lesson)
        return NULL;
    if (!*what)
        lesson->points = weight;
    else if (!weigh(lesson, what, weight))
        return "the lesson has no function or check of that name";
    return NULL;
}

bool weights_read(Class *class)
{
    for (int l = 0; l < class->lesson_count; l++) {
        ClassLesson *lesson = &class->lessons[l];
        lesson->points = 100;
        lesson->weights = calloc((size_t)lesson->blank.count + 1, sizeof *lesson->weights);
        for (int i = 0; i < lesson->blank.count && lesson->weights; i++)
            lesson->weights[i] = 1;
    }
    const char *path = class->asked->weights, *wrong = NULL;
    char *text = path ? read_file(path, NULL) : NULL, *rest = text, *line;
    if (path && !text)
        fprintf(stderr, "WEIGHTS=%s: %s\n", path, strerror(errno));
    for (int number = 1; !wrong && (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "#")] = '\0';
        line = trimmed(line);
        wrong = *line ? weights_line(class, line) : NULL;
        if (wrong)
            fprintf(stderr, "WEIGHTS=%s, line %d: %s. As in: 3 01 row_variance\n", path, number,
                    wrong);
    }
    free(text);
    return !wrong && (!path || text);
}

double points_of(const ClassLesson *lesson, int check)
{
    double all = 0;
    for (int i = 0; i < lesson->blank.count; i++)
        all += lesson->weights[i];
    return all > 0 ? lesson->points * lesson->weights[check] / all : 0;
}

/* ---- status ---- */
static bool ended_by_limit(const Report *report)
{
    for (int i = 0; i < report->count; i++) {
        const char *by = report->results[i].ended_by;
        if (by && strstr(by, " limit"))
            return true;
    }
    return report->advice && !strncmp(report->advice, "Compiling was stopped", 21);
}

/* Not a line of it is done: only comments, say, differ from the stub. */
static bool nothing_written(const Report *report)
{
    return !report->passed && !report->failed;
}

static ClassStatus status_of(const Report *report)
{
    return ended_by_limit(report)                             ? AT_LIMIT
           : report->build_error                              ? NO_COMPILE
           : report->untouched                                ? IS_STUB
           : report->passed == report->count && report->count ? GOT_ALL
           : nothing_written(report)                          ? IS_STUB
                                                              : GOT_PART;
}

void entry_settle(const Class *class, const ClassLesson *lesson, Entry *entry)
{
    if (entry->has_report)
        report_free(&entry->report);
    entry->has_report = false;
    entry->score = 0;
    if (!entry->verdict[0])
        return;
    entry->has_report = verdict_read(class->kept, entry->verdict, &entry->report);
    if (!entry->has_report) {
        entry->status = NOT_GRADED;
        free(entry->reason);
        entry->reason = failure_read(class->kept, entry->verdict);
        if (!entry->reason)
            entry->reason = format_text("it was not come to");
        return;
    }
    free(entry->reason);
    entry->reason = NULL;
    entry->status = status_of(&entry->report);
    for (int i = 0; i < entry->report.count && i < lesson->blank.count; i++)
        if (entry->report.results[i].status == PASSED)
            entry->score += points_of(lesson, i);
    entry->score = round(100 * entry->score) / 100; /* as it is written everywhere */
}

bool is_scored(const Entry *entry)
{
    return !entry->excused && (entry->status != NOT_GRADED || entry->special.by_hand);
}

void each_mistake(const Entry *entry,
                  void (*take)(void *to, const char *mistake, const CheckResult *result), void *to)
{
    for (int i = 0; i < entry->report.count && entry->has_report; i++) {
        const CheckResult *result = &entry->report.results[i];
        bool said = !result->mistake;
        for (int k = 0; k < i && !said; k++)
            said = entry->report.results[k].mistake &&
                   !strcmp(entry->report.results[k].mistake, result->mistake);
        if (!said)
            take(to, result->mistake, result);
    }
}
