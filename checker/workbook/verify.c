/* make verify: is this set of lessons fit to hand out? For every lesson: it has all its parts, its
 * checker keeps its own promises (selftest.c), its solution passes, and its stub builds without a
 * warning and passes nothing by itself. */
#include "workbook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int complain(const char *lesson, const char *what)
{
    printf("%s %s: %s\n", mark_fail(), lesson, what);
    return 1;
}

static int check_parts(const char *lesson)
{
    static const char *const parts[] = {
        "exercises/%s.c",          "solutions/%s.c",     "include/%s.h",
        "lessons/%s.md",           "lessons/%s.hints",   "checker/%s/vectors.json",
        "checker/%s/reference.py", "checker/%s/lesson.c"};
    int wrong = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char path[512], what[600];
        snprintf(path, sizeof path, parts[i], lesson);
        snprintf(what, sizeof what, "%s is missing", path);
        wrong += access(path, R_OK) ? complain(lesson, what) : 0;
    }
    return wrong;
}

static int check_self(const char *lesson)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char *argv[] = {format_text("build/%s/check", lesson), "--self-test", NULL};
        execv(argv[0], argv);
        _exit(2);
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status ? complain(lesson, "its checker does not keep its promises (see above)") : 0;
}

static int check_solution(const char *lesson)
{
    Report report = {0};
    int code;
    WorkbookOptions options = {.impl = "solutions"};
    if (!checker_report(lesson, &options, &report, &code))
        return complain(lesson, "its solution could not be graded");
    int wrong = code ? complain(lesson, "its solution does not pass") : 0;
    if (report.warnings && *report.warnings)
        wrong += complain(lesson, "its solution builds with warnings");
    report_free(&report);
    return wrong;
}

/* With a line more than the stub as it is handed out, so that it is built and run. */
static int check_stub(const char *lesson)
{
    char *from = format_text("build/%s/stub.c", lesson),
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
    else if (report.warnings && *report.warnings)
        wrong = complain(lesson, "its stub builds with warnings");
    report_free(&report);
    free(text);
    return wrong;
}

int verify_command(const Lessons *lessons, const WorkbookOptions *options)
{
    int wrong = 0;
    for (int i = 0; i < lessons->count; i++) {
        const char *lesson = lessons->names[i];
        if (options->lesson && lesson_resolve(lessons, options->lesson) != lesson)
            continue;
        int before = wrong;
        wrong +=
            check_parts(lesson) + check_self(lesson) + check_solution(lesson) + check_stub(lesson);
        if (wrong == before)
            printf("%s %s is fit to hand out\n", mark_pass(), lesson);
    }
    return wrong ? 1 : 0;
}
