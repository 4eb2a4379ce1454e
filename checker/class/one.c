/* One student's hand-in, as the places where classes are hand it to us: Gradescope, VPL, GitHub,
 * Classroom 50. See class.h; checker/elsewhere/grade.sh starts it.
 *
 * The invariant: which file counts is decided by the same code as for a class, and so is what is
 * said where none does. */
#include "class.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "What arrived" of whom nothing fits. */
static char *what_arrived(const HandIns *in)
{
    enum { SHOWN = 20 };
    Buffer out = {0};
    int count = 0;
    for (int i = 0; i < in->count; i++) {
        const HandIn *item = &in->items[i];
        if (item->aside || item->used)
            continue;
        char *name = shown_name(item->shown);
        put_on_one_line(name);
        char *line = count < SHOWN    ? format_text("\n  %s: %s", name, item->why)
                     : count == SHOWN ? format_text("\n  and more")
                                      : NULL;
        if (line)
            buffer_append(&out, line, strlen(line));
        count++;
        free(line);
        free(name);
    }
    if (!count)
        buffer_append(&out, "\n  nothing", strlen("\n  nothing"));
    buffer_append(&out, "", 1);
    return out.data;
}

/* No check was run, and why. */
static void set_none(const Student *student, int l, const ClassLesson *lesson, Report *report)
{
    const Entry *entry = &student->entries[l];
    char *arrived = what_arrived(&student->in);
    *report = lesson->blank;
    report->untouched = false;
    report->passed = report->failed = 0;
    report->not_reached = report->count;
    for (int i = 0; i < report->count; i++)
        report->results[i].status = NOT_REACHED;
    snprintf(report->source, sizeof report->source, "%s.c", lesson->name);
    if (entry->path)
        report->build_error = format_text("%s: %s", entry->path, entry->reason);
    else
        report->build_error = format_text("%s.c can't be read: no file for it was handed in. What "
                                          "else arrived:%s",
                                          lesson->name, arrived);
    free(arrived);
}

static bool fill_reports(const Class *class, Report *reports)
{
    bool good = true;
    for (int l = 0; l < class->lesson_count; l++) {
        const ClassLesson *lesson = &class->lessons[l];
        const Entry *entry = &class->students[0].entries[l];
        if (entry->status == NOT_GRADED) {
            fprintf(stderr, "%s: there is no grade: %s\n", lesson->name, entry->reason);
            good = false;
        } else if (entry->has_report) {
            reports[l] = entry->report;
            snprintf(reports[l].source, sizeof reports[l].source, "%s", entry->path);
        } else {
            set_none(&class->students[0], l, lesson, &reports[l]);
        }
        double *points =
            class->asked->weights ? calloc((size_t)reports[l].count + 1, sizeof *points) : NULL;
        for (int i = 0; i < reports[l].count && points; i++)
            points[i] = points_of(lesson, i);
        reports[l].points = points;
    }
    return good;
}

static int grade_one(Class *class, Format format)
{
    Report *reports = calloc((size_t) class->lesson_count + 1, sizeof *reports);
    Job *jobs = calloc((size_t) class->lesson_count + 1, sizeof *jobs);
    if (!jobs || !reports)
        abort();
    int count = list_jobs(class, jobs, false);
    bool stopped = !grade_jobs(class->kept, jobs, count, true);
    free(jobs);
    settle(class);
    if (stopped || !fill_reports(class, reports))
        return NOT_ALL_GRADED;
    report_write(stdout, format, reports, class->lesson_count);
    return delivered(stdout) ? GRADED : NOT_ALL_GRADED;
}

int grade_one_command(const Lessons *lessons, const WorkbookOptions *options)
{
    static Class class;
    Format format = HUMAN;
    if (!options->impl || !given_as("OUT") ||
        (options->format && !format_find(options->format, &format))) {
        fputs("grade-one needs IMPL=folder, OUT=folder and FORMAT=\n", stderr);
        return NOT_ALL_GRADED;
    }
    if (!may_be_graded(format))
        return NOT_ALL_GRADED;
    Asked asked = {.class = options->impl,
                   .lessons = options->lessons,
                   .weights = given_as("WEIGHTS"),
                   .seed = options->seed,
                   .limit = options->limit ? options->limit : "2",
                   .out = format_text("%s", given_as("OUT")),
                   .lines = true};
    class = (Class){.asked = &asked, .all_lessons = lessons, .only = -1};
    if (!read_lessons(&class))
        return NOT_ALL_GRADED;
    for (int i = 0; i < lessons->count && !asked.lessons; i++)
        class.lessons[class.lesson_count++].name = lessons->names[i];
    if (open_out(&class) || !choose_seed(&class) || lessons_prepare(&class) ||
        !weights_read(&class))
        return NOT_ALL_GRADED;
    int student = student_of(&class, &(Whose){.name = "submission"});
    hand_in_folder(&class, &class.students[student].in, options->impl, "");
    make_entries(&class, &class.students[student]);
    if (class.no_tool || !choose_files(&class, &class.students[student]))
        return NOT_ALL_GRADED;
    return grade_one(&class, format);
}
