/* make verify: is this set of lessons fit to hand out? For every lesson: it has the parts that it
 * can't do without, what it needs is there and does not need it again, its checker keeps its own
 * promises and says which other parts it lacks (selftest.c), the programs in its parts do what is
 * said of them (lesson_programs.py), its solution passes, and its stub builds without a warning and
 * passes nothing by itself; and no part is left of a lesson that is not there. What a learner has
 * written in exercises/ does not matter.
 *
 * The self-tests take seconds, so all of them run at once, and are reported one after the other.
 * The programs of a lesson keep both processors busy, so that those of two wait for each other. */
#include "workbook.h"
#include "box.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what is being done, and what it has taken ---- */
enum { SOLUTION, STUB, SELF_TEST, THE_PROGRAMS, STAGES };
static const char *const stages[] = {"its solution", "its stub", "its self-test", "its programs"};

/* Off the terminal's line again, before anything is printed. */
static void show_nothing(void)
{
    show_progress(1, 1, "");
}

static void show_stage(const char *lesson, int done, int total)
{
    char *what = format_text("%s: %s", lesson, stages[done % STAGES]);
    fflush(stdout);
    show_progress(done, total, what);
    free(what);
}

/* at: when each stage began, and when the last one ended. */
static void print_worked(const double at[STAGES + 1])
{
    show_nothing();
    printf("  %.1f s of processor time: ", at[STAGES] - at[0]);
    for (int i = 0; i < STAGES; i++)
        printf("%s%s %.1f", i ? ", " : "", stages[i], at[i + 1] - at[i]);
    putchar('\n');
}

static int complain(const char *lesson, const char *what)
{
    show_nothing();
    printf("%s %s: %s\n", mark_fail(), lesson, what);
    return 1;
}

static int check_parts(const char *lesson)
{
    static const char *const parts[] = {"exercises/%s.c", "solutions/%s.c", "include/%s.h",
                                        "checker/lessons/%s/stub.c", "checker/lessons/%s/lesson.c"};
    int wrong = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char path[512], what[600];
        snprintf(path, sizeof path, parts[i], lesson);
        snprintf(what, sizeof what, "%s is missing", path);
        wrong += access(path, R_OK) ? complain(lesson, what) : 0;
    }
    return wrong;
}

static int check_needs(const Lessons *lessons, const char *lesson)
{
    char *fault = needs_fault(lessons, lesson);
    int wrong = fault ? complain(lesson, fault) : 0;
    free(fault);
    return wrong;
}

/* Files named as a lesson's parts are, without a checker of that name. */
static int check_strays(const Lessons *lessons)
{
    static const char *const parts[] = {"exercises/[0-9]*_*.c",   "solutions/[0-9]*_*.c",
                                        "include/[0-9]*_*.h",     "lessons/[0-9]*_*.md",
                                        "lessons/[0-9]*_*.hints", "checker/lessons/[0-9]*_*"};
    glob_t files = {0};
    int wrong = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        glob(parts[i], i ? GLOB_APPEND : 0, NULL, &files);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        const char *name = strrchr(files.gl_pathv[f], '/') + 1;
        size_t length = strcspn(name, ".");
        bool known = false;
        for (int i = 0; i < lessons->count; i++)
            known |=
                strlen(lessons->names[i]) == length && !strncmp(name, lessons->names[i], length);
        char *what = format_text(
            "it is part of no lesson: checker/lessons/%.*s/lesson.c is missing", (int)length, name);
        wrong += known ? 0 : complain(files.gl_pathv[f], what);
        free(what);
    }
    globfree(&files);
    return wrong;
}

static FILE *start(const char *format, const char *lesson)
{
    char *command = format_text(format, lesson);
    FILE *started = popen(command, "r");
    free(command);
    return started;
}

/* Prints what it says, to its end. Its status, or -1. */
static int tell(FILE *started)
{
    char line[1024];
    while (started && fgets(line, sizeof line, started)) {
        show_nothing();
        fputs(line, stdout);
    }
    return started ? pclose(started) : -1;
}

static int check_self(const char *lesson, FILE *self_test)
{
    int status = tell(self_test);
    if (status == 0)
        return 0;
    if (status == -1 || !WIFSIGNALED(status))
        return complain(lesson, "its checker does not keep its promises (see above)");
    char *what =
        format_text("its checker crashed while it tested itself: %s", strsignal(WTERMSIG(status)));
    int wrong = complain(lesson, what);
    free(what);
    return wrong;
}

/* ---- the code in the text, right.c, wrong.txt and wrong.c, which the tests read, too ---- */
#define PROGRAMS "checker/tests/lesson_programs.py"

/* Nothing is installed for it, and a hand-out has no tests. */
static const char *programs_unread(void)
{
    if (access(PROGRAMS, R_OK))
        return "this is a hand-out, without " PROGRAMS;
    if (system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null"))
        return "there is no python3 of 3.8 or later";
    return NULL;
}

static int check_programs(const char *lesson, FILE *programs)
{
    return programs && tell(programs)
               ? complain(lesson, "its programs do not do what is said of them (see above)")
               : 0;
}

static int check_solution(const char *lesson)
{
    Report report = {0};
    int code;
    WorkbookOptions options = {.impl = "solutions"};
    if (!checker_report(lesson, &options, &report, &code))
        return complain(lesson, "its solution could not be graded");
    int wrong = 0;
    if (report.build_error) {
        wrong = complain(lesson, "its solution does not compile:");
        write_build_error(stdout, report.build_error, report.advice);
    }
    for (int i = 0; i < report.count; i++)
        if (report.results[i].status == FAILED) {
            char *what = format_text("its solution fails: %s", report.results[i].name);
            wrong += complain(lesson, what);
            free(what);
        }
    if (!wrong && code)
        wrong = complain(lesson, "its solution does not pass");
    if (report.warnings && *report.warnings)
        wrong += complain(lesson, "its solution builds with warnings");
    report_free(&report);
    return wrong;
}

/* The function that the stub leaves out, as a verdict says it; NULL: it has them all. */
static const char *left_out(const Report *report)
{
    for (int i = 0; i < report->count; i++) {
        const char *why = report->results[i].details[0];
        if (why && strstr(why, " is not defined in "))
            return why;
    }
    return NULL;
}

/* With a line more than the stub as it is handed out, so that it is built and run. */
static int check_stub(const char *lesson)
{
    char *from = format_text("checker/lessons/%s/stub.c", lesson),
         *to = format_text("build/verify/%s.c", lesson);
    char *text = read_file(from, NULL);
    mkdir("build/verify", 0777);
    FILE *copy = text ? fopen(to, "w") : NULL;
    bool written = copy && fprintf(copy, "%s\n/* as handed out */\n", text) > 0;
    if (copy)
        written = !fclose(copy) && written;
    Report report = {0};
    int code, wrong = 0;
    WorkbookOptions options = {.impl = "build/verify"};
    if (!written || !checker_report(lesson, &options, &report, &code))
        wrong = complain(lesson, "its stub could not be graded");
    else if (report.build_error)
        wrong = complain(lesson, "its stub does not compile");
    else if (!code || report.passed)
        wrong = complain(lesson, "its stub passes a check as it is");
    else if (left_out(&report))
        wrong = complain(lesson, left_out(&report));
    else if (report.warnings && *report.warnings)
        wrong = complain(lesson, "its stub builds with warnings");
    report_free(&report);
    free(text);
    return wrong;
}

/* What takes its time, of lesson `i` of `count`: the solution and the stub are graded beside what
 * was started. */
static int check_stages(const char *lesson, FILE *self_test, bool readable, int i, int count)
{
    FILE *programs = readable ? start("exec python3 " PROGRAMS " %s 2>&1", lesson) : NULL;
    double at[STAGES + 1];
    int found = 0;
    for (int stage = 0; stage < STAGES; stage++) {
        at[stage] = time_worked();
        show_stage(lesson, i * STAGES + stage, count * STAGES);
        found += stage == SOLUTION    ? check_solution(lesson)
                 : stage == STUB      ? check_stub(lesson)
                 : stage == SELF_TEST ? check_self(lesson, self_test)
                                      : check_programs(lesson, programs);
    }
    at[STAGES] = time_worked();
    print_worked(at);
    return found;
}

int verify_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *only = options->lesson ? lesson_resolve(lessons, options->lesson) : NULL;
    FILE *self_tests[MAX_LESSONS] = {0};
    const char *unread = programs_unread();
    if (options->lesson && !only)
        return 2;
    char *solution = only ? format_text("solutions/%s.c", only) : NULL;
    bool nothing_to_grade = is_handout() && (!only || access(solution, F_OK));
    free(solution);
    if (nothing_to_grade) {
        fputs(NO_SOLUTIONS "make verify is for the whole workbook: it grades them.\n", stderr);
        return 2;
    }
    int asked = only ? 1 : lessons->count;
    int wrong = only ? 0 : check_strays(lessons);
    fflush(stdout);
    for (int i = 0; i < lessons->count; i++)
        if (!only || lessons->names[i] == only)
            self_tests[i] = start("exec build/%s/check --self-test 2>&1", lessons->names[i]);
    for (int i = 0; i < lessons->count; i++) {
        const char *lesson = lessons->names[i];
        if (only && lesson != only)
            continue;
        int found = check_parts(lesson);
        found += check_needs(lessons, lesson);
        found += check_stages(lesson, self_tests[i], !unread, only ? 0 : i, asked);
        if (!found)
            printf("%s %s is fit to hand out%s%s\n", mark_pass(), lesson,
                   unread ? ", but for the code in its text, right.c, wrong.txt and wrong.c, "
                            "which were not looked at: "
                          : "",
                   unread ? unread : "");
        wrong += found;
    }
    return wrong ? 1 : 0;
}
