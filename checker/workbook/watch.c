/* make watch: checks on every save, and shows the lines that `make check` shows.
 *
 * Changes are found by looking (stat), every few milliseconds: that works on network drives, in WSL
 * and on macOS alike, and whichever way an editor saves. A save during a check ends that check and
 * starts another, so that the last save is always the one that is graded, and a burst of saves
 * gives one verdict. A lesson that is passed stays on the screen until `n`. */
#include "workbook.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

enum { LOOK_EVERY = 8 /* ms */, EMPTY_FOR = 300 /* ms */ };

typedef struct {
    bool there;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
} Stamp;

typedef struct {
    const Lessons *lessons;
    Stamp stamps[MAX_LESSONS];
    int at;                      /* the lesson that is shown */
    Report reports[MAX_LESSONS]; /* the last one of each */
    bool have[MAX_LESSONS];
    FILE *from; /* the check that runs, or NULL */
    pid_t child;
    bool wanted; /* another check is to be started */
    struct timespec wanted_since;
    bool keys, quit;
} Watch;

static double milliseconds_since(struct timespec then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then.tv_sec) * 1e3 + (double)(now.tv_nsec - then.tv_nsec) / 1e6;
}

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif

static Stamp stamp_of(const char *lesson)
{
    char path[NAME_SIZE + 16];
    struct stat info;
    snprintf(path, sizeof path, "exercises/%s.c", lesson);
    if (stat(path, &info))
        return (Stamp){0};
    return (Stamp){true, info.st_dev, info.st_ino, info.st_size, info.MODIFIED};
}

static bool same(const Stamp *a, const Stamp *b)
{
    return a->there == b->there && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->modified.tv_sec == b->modified.tv_sec &&
           a->modified.tv_nsec == b->modified.tv_nsec;
}

static void stop_check(Watch *w)
{
    if (!w->from)
        return;
    kill(w->child, SIGTERM);
    fclose(w->from);
    while (waitpid(w->child, NULL, 0) < 0 && errno == EINTR)
        ;
    w->from = NULL;
}

static void want_check(Watch *w, int lesson)
{
    stop_check(w);
    w->at = lesson;
    w->wanted = true;
    clock_gettime(CLOCK_MONOTONIC, &w->wanted_since);
}

static void look(Watch *w)
{
    for (int i = 0; i < w->lessons->count; i++) {
        Stamp now = stamp_of(w->lessons->names[i]);
        if (same(&now, &w->stamps[i]))
            continue;
        w->stamps[i] = now;
        if (now.there) /* between an editor's unlink and its rename there is nothing to check */
            want_check(w, i);
    }
}

static void start_check(Watch *w)
{
    /* An empty file is most often one that is being written. */
    if (!w->wanted || (!w->stamps[w->at].size && milliseconds_since(w->wanted_since) < EMPTY_FOR))
        return;
    WorkbookOptions options = {0};
    w->wanted = false;
    w->from = checker_start(w->lessons->names[w->at], &options, &w->child);
    if (!w->from)
        fprintf(stderr, "the check could not be started: %s\n", strerror(errno));
}

/* ---- what is shown ---- */
static const CheckResult *find_result(const Report *report, const char *name)
{
    for (int i = 0; i < report->count; i++)
        if (!strcmp(report->results[i].name, name))
            return &report->results[i];
    return NULL;
}

/* "2 more pass", "layer_norm broke again" */
static void print_difference(const Report *before, const Report *now)
{
    int more = 0;
    const char *broke = NULL;
    for (int i = 0; i < now->count; i++) {
        const CheckResult *result = &now->results[i], *was = find_result(before, result->name);
        more += was && was->status != PASSED && result->status == PASSED;
        if (!broke && was && was->status == PASSED && result->status != PASSED)
            broke = result->step;
    }
    if (now->build_error && !before->build_error)
        puts("It built the last time.");
    else if (broke)
        printf("%s broke again.\n", broke);
    if (more)
        printf("%d more pass%s.\n", more, more == 1 ? "es" : "");
}

static bool all_passed(const Report *report)
{
    return report->count && report->passed == report->count;
}

static void print_keys(const Watch *w)
{
    if (w->keys)
        printf("\nn next  h hint  r run again  l lessons  e edit  q quit ");
    fflush(stdout);
}

static void print_screen(Watch *w, const Report *before)
{
    const Report *report = &w->reports[w->at];
    if (w->keys)
        fputs("\033[H\033[2J", stdout);
    if (w->have[w->at])
        report_human(stdout, report);
    if (before)
        print_difference(before, report);
    if (w->have[w->at] && all_passed(report))
        printf("%s Lesson %.*s is passed.%s\n", mark_pass(), (int)strcspn(report->lesson, "_"),
               report->lesson, w->keys ? " n goes on to the next." : "");
    print_keys(w);
}

static void finish_check(Watch *w)
{
    Report fresh = {0}, *kept = &w->reports[w->at];
    int code;
    FILE *from = w->from;
    w->from = NULL;
    if (!checker_finish(from, w->child, &fresh, &code)) {
        puts("The check did not come to an end. r runs it again.");
        print_keys(w);
        return;
    }
    Report before = *kept;
    bool had = w->have[w->at];
    *kept = fresh;
    w->have[w->at] = true;
    print_screen(w, had ? &before : NULL);
    if (had)
        report_free(&before);
}

/* ---- keys ---- */
static void go_on(Watch *w)
{
    const char *next = lesson_current(w->lessons);
    WorkbookOptions options = {0};
    for (int i = 0; next && i < w->lessons->count; i++)
        if (w->lessons->names[i] == next) {
            want_check(w, i);
            return;
        }
    puts("\nEvery lesson is passed. All of them once more:\n");
    if (!check_all_command(w->lessons, &options))
        puts("\nAll done.");
    print_keys(w);
}

static void give_hint(Watch *w)
{
    const Report *report = &w->reports[w->at];
    WorkbookOptions options = {.lesson = w->lessons->names[w->at]};
    for (int i = 0; w->have[w->at] && !options.step && i < report->count; i++)
        if (report->results[i].status != PASSED)
            options.step = report->results[i].step;
    puts("\n");
    hint_command(w->lessons, &options);
    print_keys(w);
}

static void edit(Watch *w)
{
    const char *editor = getenv("VISUAL");
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor) {
        puts("\n\nSet VISUAL or EDITOR to your editor's command, as in: export EDITOR=nano");
        print_keys(w);
        return;
    }
    char *command = format_text("%s exercises/%s.c", editor, w->lessons->names[w->at]);
    terminal_keys_off();
    if (system(command) == -1)
        fprintf(stderr, "%s: %s\n", editor, strerror(errno));
    free(command);
    terminal_keys_on();
    print_screen(w, NULL);
}

static void act(Watch *w, int key)
{
    if (key == 'q' || key == 4 || key < 0) /* 4: Ctrl-D */
        w->quit = true;
    else if (key == 'n')
        go_on(w);
    else if (key == 'h')
        give_hint(w);
    else if (key == 'r')
        want_check(w, w->at);
    else if (key == 'e')
        edit(w);
    else if (key == 'l') {
        WorkbookOptions options = {0};
        puts("\n");
        progress_command(w->lessons, &options);
        print_keys(w);
    }
}

static int find_lesson(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *lesson =
        options->lesson ? lesson_resolve(lessons, options->lesson) : lesson_current(lessons);
    for (int i = 0; lesson && i < lessons->count; i++)
        if (lessons->names[i] == lesson)
            return i;
    return options->lesson ? -1 : 0;
}

int watch_command(const Lessons *lessons, const WorkbookOptions *options)
{
    static Watch w;
    w = (Watch){.lessons = lessons, .at = find_lesson(lessons, options)};
    if (w.at < 0 || !lessons->count)
        return 2;
    for (int i = 0; i < lessons->count; i++)
        w.stamps[i] = stamp_of(lessons->names[i]);
    w.keys = terminal_keys_on();
    want_check(&w, w.at);
    while (!w.quit) {
        look(&w);
        if (!w.from)
            start_check(&w);
        int key = terminal_key(LOOK_EVERY, w.from ? fileno(w.from) : -1);
        if (key)
            act(&w, key);
        else if (w.from && terminal_readable(fileno(w.from)))
            finish_check(&w);
        if (terminal_resized() && !w.from)
            print_screen(&w, NULL);
    }
    stop_check(&w);
    terminal_keys_off();
    if (w.keys)
        putchar('\n');
    for (int i = 0; i < lessons->count; i++)
        if (w.have[i])
            report_free(&w.reports[i]);
    return 0;
}
