/* Starts the lessons' checkers: make check, make debug and make check-all; and a lab or a race,
 * which is a program of its lesson, too.
 *
 * One lesson's checker takes over this process. For all lessons they run side by side, as many as
 * there are processors, each handing back its JSON; the reports are put together here, so that a
 * table, JSON, TAP and JUnit of many lessons come from the same code as those of one. */
#include "box.h"
#include "workbook.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- what a verdict tells the learner to type ----
 *
 * A shell, the prompt and watch have other words for the same. A file that is not the learner's own
 * is graded without them. */
static char *hint_words(const char *lesson, const WorkbookOptions *options, bool here)
{
    int digits = (int)strcspn(lesson, "_");
    const char *step = options->step ? options->step : "", *blank = *step ? " " : "";
    if (options->place == AT_PROMPT && here)
        return format_text("hint%s%s", blank, step);
    if (options->place == AT_PROMPT)
        return format_text("hint %.*s%s%s", digits, lesson, blank, step);
    return format_text("make hint LESSON=%.*s%s%s", digits, lesson, *step ? " STEP=" : "", step);
}

static char *way_to_prompt(const char *lesson, const WorkbookOptions *options, bool here)
{
    int digits = (int)strcspn(lesson, "_");
    if (options->place == AT_PROMPT)
        return here ? format_text("%s", "") : format_text(" go %.*s, then", digits, lesson);
    return here ? format_text(" make start, then")
                : format_text(" make start LESSON=%.*s, then", digits, lesson);
}

static char *what_follows(const Lessons *lessons, const char *lesson,
                          const WorkbookOptions *options)
{
    int digits = (int)strcspn(lesson, "_");
    if (options->step)
        return options->place == AT_PROMPT
                   ? format_text("`check %.*s` asks for the other functions too.", digits, lesson)
                   : format_text("For the other functions too: make check LESSON=%.*s", digits,
                                 lesson);
    if (options->place == AT_PROMPT)
        return NULL; /* the prompt goes on by itself */
    char *others;
    const char *next = lesson_after_passing(lessons, lesson, &others);
    if (!next) {
        free(others);
        return format_text("%s Lesson %.*s is passed. It was the last one: make check-all checks "
                           "them all once more.",
                           mark_pass(), digits, lesson);
    }
    char *text = format_text("%s Lesson %.*s is passed. Next: read lessons/%s.md%s%s", mark_pass(),
                             digits, lesson, next, *others ? "\nReady as well: " : "", others);
    free(others);
    return text;
}

Words words_for(const Lessons *lessons, const char *lesson, const WorkbookOptions *options)
{
    if (options->impl)
        return (Words){0};
    const char *at = options->place == AT_PROMPT ? options->here : lesson_current(lessons);
    bool here = at && !strcmp(at, lesson);
    return (Words){hint_words(lesson, options, here), way_to_prompt(lesson, options, here),
                   what_follows(lessons, lesson, options)};
}

/* ---- a checker, and its report ---- */
char *checker_program(const char *lesson)
{
    return format_text("build/%s/%s", lesson, given_as("BOX") ? "emulated" : "check");
}

enum { MAX_ARGUMENTS = 24 };

/* Behind what stands there, each option that has a value. */
static void add_pairs(char *argv[], const char *pairs[][2], size_t count)
{
    int n = 0;
    while (argv[n])
        n++;
    for (size_t i = 0; i < count; i++)
        if (pairs[i][1]) {
            argv[n++] = (char *)pairs[i][0];
            argv[n++] = (char *)pairs[i][1];
        }
    argv[n] = NULL;
}

/* The arguments of that lesson's checker, ended by NULL. format NULL: as in the options. The words
 * are the options' own, but for the first and the source: see command_free(). */
static void checker_command(const char *lesson, const WorkbookOptions *options, const char *format,
                            char *argv[MAX_ARGUMENTS])
{
    const char *pairs[][2] = {
        {"--impl", options->impl ? lesson_source(lesson, options->impl) : NULL},
        {"--step", options->step},
        {"--format", format ? format : options->format},
        {"--seed", options->seed},
        {"--limit", options->limit},
    };
    argv[0] = checker_program(lesson);
    argv[1] = NULL;
    add_pairs(argv, pairs, sizeof pairs / sizeof *pairs);
}

static void command_free(const WorkbookOptions *options, char *argv[MAX_ARGUMENTS])
{
    free(argv[0]);
    if (options->impl)
        free(argv[2]);
}

FILE *checker_start(const char *lesson, const WorkbookOptions *options, int errors, pid_t *child)
{
    char *argv[MAX_ARGUMENTS];
    int ends[2];
    if (pipe(ends))
        return NULL;
    checker_command(lesson, options, "json", argv);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* or the next checker would hold this one's pipe open */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *child = fork();
    if (*child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        execv(argv[0], argv);
        fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
        _exit(2);
    }
    command_free(options, argv);
    close(ends[1]);
    if (*child > 0)
        return fdopen(ends[0], "r");
    close(ends[0]);
    return NULL;
}

bool checker_finish(FILE *from, pid_t child, Report *report, int *code)
{
    char *text = NULL, error[256] = "its checker gave no report";
    size_t room = 0;
    int status = 0;
    ssize_t length = getdelim(&text, &room, '\0', from);
    fclose(from);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    /* A whole report does not count of a checker that was ended behind it. */
    bool ended = WIFEXITED(status);
    bool good = ended && length > 0 && report_parse(report, text, error, sizeof error);
    if (!good && ended && length > 0)
        fprintf(stderr, "%s\n", error);
    free(text);
    return good;
}

bool checker_report(const char *lesson, const WorkbookOptions *options, Report *report, int *code)
{
    pid_t child;
    FILE *from = checker_start(lesson, options, STDERR_FILENO, &child);
    *code = 2;
    return from && checker_finish(from, child, report, code);
}

/* ---- one of them ---- */
static int take_over(char *argv[])
{
    fflush(NULL);
    execv(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 2;
}

static void add_words(char *argv[MAX_ARGUMENTS], Words words)
{
    const char *pairs[][2] = {
        {"--hint", words.hint}, {"--prompt", words.prompt}, {"--onward", words.onward}};
    add_pairs(argv, pairs, sizeof pairs / sizeof *pairs);
}

int check_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *argv[MAX_ARGUMENTS];
    const char *lesson = lesson_wanted(lessons, options);
    if (!lesson && (options->lesson || options->step))
        return 2;
    if (!lesson) {
        if (!options->format || !strcmp(options->format, "human"))
            puts("Every lesson is passed. All of them once more:\n");
        return check_all_command(lessons, options);
    }
    checker_command(lesson, options, NULL, argv);
    add_words(argv, words_for(lessons, lesson, options));
    return take_over(argv);
}

int debug_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *argv[MAX_ARGUMENTS];
    const char *lesson = lesson_wanted(lessons, options);
    if (!lesson) {
        if (!options->lesson && !options->step)
            fputs("Every lesson is passed. Say which one: make debug LESSON=01\n", stderr);
        return 2;
    }
    checker_command(lesson, options, "human", argv);
    int n = 0;
    while (argv[n])
        n++;
    argv[n] = "--debug";
    argv[n + 1] = NULL;
    return take_over(argv);
}

bool build_first(const char *program, const char *what)
{
    int status = -1;
    if (access(program, F_OK) && isatty(STDERR_FILENO))
        fprintf(stderr, "Building the %s, once.\n", what);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(become_make(program, NULL));
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0;
}

int lab_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *lesson = lesson_resolve(lessons, options->lesson ? options->lesson : "05");
    if (!lesson)
        return 2;
    char *source = format_text("checker/lessons/%s/lab.c", lesson);
    const char *pairs[][2] = {{"--seed", options->seed}, {"--impl", options->impl}};
    char *argv[2 + 2 * sizeof pairs / sizeof *pairs] = {format_text("build/%s/lab", lesson)};
    add_pairs(argv, pairs, sizeof pairs / sizeof *pairs);
    if (access(source, R_OK)) {
        fprintf(stderr, "Lesson %s has no lab.\n", lesson);
        return 2;
    }
    return build_first(argv[0], "lab") ? take_over(argv) : 2;
}

bool has_race(const char *lesson)
{
    char *source = format_text("checker/lessons/%s/race.c", lesson);
    bool has = access(source, R_OK) == 0;
    free(source);
    return has;
}

/* Without LESSON: where the prompt is, or the last lesson that has one. */
int race_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *lesson = NULL;
    for (int i = 0; !options->lesson && i < lessons->count; i++)
        lesson = has_race(lessons->names[i]) ? lessons->names[i] : lesson;
    if (!options->lesson && options->here && has_race(options->here))
        lesson = options->here;
    if (options->lesson)
        lesson = lesson_resolve(lessons, options->lesson);
    if (!lesson)
        return 2;
#ifndef __linux__
    fputs("The race goes by a clock of Linux's: there is none on this system.\n", stderr);
    return 3;
#endif
    if (!has_race(lesson)) {
        fprintf(stderr, "Lesson %s has no race. These have:", lesson);
        for (int i = 0; i < lessons->count; i++)
            if (has_race(lessons->names[i]))
                fprintf(stderr, " %.*s", (int)strcspn(lessons->names[i], "_"), lessons->names[i]);
        fputs("\n", stderr);
        return 2;
    }
    char *argv[] = {format_text("build/%s/race", lesson), lesson_source(lesson, options->impl),
                    NULL};
    return build_first(argv[0], "race") ? take_over(argv) : 2;
}

/* ---- all of them ---- */
typedef struct {
    const Lessons *lessons;
    const WorkbookOptions *options;
    Report *reports;
    bool *have;
    int next;
    pthread_mutex_t lock;
} Work;

static void *work(void *given)
{
    Work *w = given;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        int i = w->next++;
        pthread_mutex_unlock(&w->lock);
        if (i >= w->lessons->count)
            return NULL;
        int code;
        w->have[i] = checker_report(w->lessons->names[i], w->options, &w->reports[i], &code);
    }
}

static void run_all(Work *w)
{
    pthread_t threads[MAX_LESSONS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    pthread_mutex_init(&w->lock, NULL);
    while (started < processors - 1 && started < w->lessons->count - 1 &&
           !pthread_create(&threads[started], NULL, work, w))
        started++;
    work(w);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    pthread_mutex_destroy(&w->lock);
}

/* What stands behind the numbers of a lesson that is not passed. */
static const char *remark(const Report *report)
{
    if (report->not_graded)
        return "could not be graded: see make check";
    if (report->untouched)
        return "not begun";
    if (report->build_error)
        return "does not compile";
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status == FAILED)
            return report->results[i].name;
    return "not finished";
}

/* `asked`: lessons whose checker gave no report are not passed. */
static void print_table(const Report *reports, int count, int asked, double seconds)
{
    int passed = 0, checks = 0, lessons = 0, width = 0;
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(reports[i].title);
        width = length > width ? length : width;
    }
    for (int i = 0; i < count; i++) {
        const Report *r = &reports[i];
        bool all = r->count && r->passed == r->count;
        const char *note = all ? "" : remark(r);
        printf("%s %.*s  %-*s %2d/%d%s%s\n",
               all            ? mark_pass()
               : r->untouched ? mark_skip()
                              : mark_fail(),
               (int)strcspn(r->lesson, "_"), r->lesson, width, r->title, r->passed, r->count,
               *note ? "  " : "", note);
        passed += r->passed;
        checks += r->count;
        lessons += all;
    }
    printf("\n%d of %d lessons passed, %d of %d checks   (%.2f s)\n", lessons, asked, passed,
           checks, seconds);
}

/* A grade goes into a grade book without anybody's looking at it. */
bool may_be_graded(Format format)
{
    if (!format_is_grade(format) || active_layers() || given_yes("INSIST"))
        return true;
    fputs("Not graded: this machine has neither Landlock nor seccomp, so a submission could change "
          "its grade.\nIn a container that holds nothing but the workbook and one submission, say "
          "so: INSIST=yes\n",
          stderr);
    return false;
}

int check_all_command(const Lessons *all, const WorkbookOptions *options)
{
    Format format = HUMAN;
    Lessons some;
    const Lessons *lessons = lessons_named(all, options->lessons, &some);
    if (!lessons || (options->format && !format_find(options->format, &format)))
        return 2;
    if (!may_be_graded(format))
        return 3;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    Work w = {.lessons = lessons,
              .options = options,
              .reports = calloc((size_t)lessons->count + 1, sizeof(Report)),
              .have = calloc((size_t)lessons->count + 1, sizeof(bool))};
    if (!w.reports || !w.have)
        return 2;
    run_all(&w);
    clock_gettime(CLOCK_MONOTONIC, &ended);

    int count = 0;
    bool all_passed = true, graded = true;
    for (int i = 0; i < lessons->count; i++) {
        if (!w.have[i]) {
            fprintf(stderr, "%s: its checker gave no report, or did not come to its end\n",
                    lessons->names[i]);
            graded = false;
            continue;
        }
        w.reports[count++] = w.reports[i];
        graded = graded && !w.reports[i].not_graded;
        all_passed = all_passed && w.reports[i].count && w.reports[i].passed == w.reports[i].count;
    }
    if (format == HUMAN)
        print_table(w.reports, count, lessons->count,
                    (double)(ended.tv_sec - began.tv_sec) +
                        1e-9 * (double)(ended.tv_nsec - began.tv_nsec));
    else if (count == lessons->count || !format_is_grade(format))
        report_write(stdout, format, w.reports, count);
    bool written = delivered(stdout);
    for (int i = 0; i < count; i++)
        report_free(&w.reports[i]);
    free(w.reports);
    free(w.have);
    return !graded ? 3 : written && all_passed ? 0 : 1;
}
