/* New hand-ins become verdicts: by the lessons' checkers, one more of them at once than there are
 * processors. See class.h.
 *
 * The invariant: what is counted is on the disk, whole, under its last name. So the program may be
 * ended at any moment, and the same command goes on. What this machine could not do is tried again,
 * and then said; it is no verdict. */
#include "class.h"

#include "box.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 3, MOST_THREADS = 256 };

static volatile sig_atomic_t stopped;
static volatile pid_t children[MOST_THREADS];

static void stop(int signal)
{
    stopped = signal;
    for (int i = 0; i < MOST_THREADS; i++)
        if (children[i] > 0)
            kill(children[i], SIGTERM);
}

void stop_at_signals(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* ---- one of them ---- */
/* A report with a verdict in it, or NULL and why there is none. Callers free. */
static char *try_once(const char *kept, const Job *job, bool line, Checker *checker, char **why)
{
    char error[256];
    Report report;
    char *text = report_of(checker, kept, job, line);
    bool good = text && *text && report_parse(&report, text, error, sizeof error);
    *why = good && report.not_graded ? format_text("%s", report.not_graded)
           : good                    ? NULL
                                     : why_none(checker);
    if (good)
        report_free(&report);
    if (*why) {
        checker_end(checker);
        free(text);
        text = NULL;
    }
    return text;
}

static bool is_kept(const char *kept, const Job *job, bool line)
{
    char *path = verdict_path(kept, job->verdict, line);
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

/* What it takes to write a verdict is the disk; without it nothing goes on. */
static bool keep_verdict(const char *kept, const Job *job, bool line, const char *text,
                         const char *why)
{
    char *failed = format_text("%s/verdicts/%s.failed", kept, job->verdict);
    char *path = text ? verdict_path(kept, job->verdict, line) : format_text("%s", failed);
    const char *written = text ? text : why;
    bool good = write_synced(path, written, strlen(written));
    if (!good && !stopped) {
        fprintf(stderr, "\n%s: %s\n", path, strerror(errno));
        stop(SIGUSR1); /* not by a user */
    }
    if (good && text)
        unlink(failed);
    free(path);
    free(failed);
    return good;
}

static bool grade_one(const char *kept, const Job *job, bool line, Checker *checker)
{
    static const struct timespec pause = {.tv_nsec = 300000000};
    char *text = NULL, *why = NULL;
    if (is_kept(kept, job, line))
        return true;
    for (int i = 0; i < TRIES && !text && !stopped; i++) {
        if (i)
            nanosleep(&pause, NULL);
        free(why);
        text = try_once(kept, job, line, checker, &why);
    }
    bool good = !stopped && (text || (why && !line)) && keep_verdict(kept, job, line, text, why);
    good = good && text;
    free(text);
    free(why);
    return good;
}

bool grade_some(const char *kept, const Job *jobs, int count, bool line)
{
    Checker checker = {.pid = &children[0]};
    bool good = true;
    signal(SIGPIPE, SIG_IGN); /* a checker that has ended is no end of this */
    for (int i = 0; i < count; i++)
        good = grade_one(kept, &jobs[i], line, &checker) && good;
    checker_end(&checker);
    return good;
}

/* The line is looked for where numbers are wrong. */
bool wants_line(const Report *report)
{
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status == FAILED && report->results[i].has_numbers)
            return true;
    return false;
}

/* ---- all of them ---- */
typedef struct {
    const char *kept;
    const Job *jobs;
    int count, next, done, places;
    bool line;
    double began;
    pthread_mutex_t lock;
} Work;

static void show(const Work *w)
{
    char what[80];
    double seconds = clock_now() - w->began;
    int left = w->done ? (int)(seconds / w->done * (w->count - w->done)) + 1 : 0;
    if (!w->done)
        snprintf(what, sizeof what, "of %d", w->count);
    else if (left < 120)
        snprintf(what, sizeof what, "%d of %d, %d s to go", w->done, w->count, left);
    else
        snprintf(what, sizeof what, "%d of %d, %d min to go", w->done, w->count, left / 60);
    show_progress(w->done, w->count, what);
}

static void *work(void *given)
{
    Work *w = given;
    pthread_mutex_lock(&w->lock);
    Checker checker = {.pid = &children[w->places++]};
    while (w->next < w->count && !stopped) {
        const Job *job = &w->jobs[w->next++];
        pthread_mutex_unlock(&w->lock);
        grade_one(w->kept, job, w->line, &checker);
        pthread_mutex_lock(&w->lock);
        w->done++;
        if (!stopped)
            show(w);
    }
    pthread_mutex_unlock(&w->lock);
    checker_end(&checker);
    return NULL;
}

bool grade_jobs(const char *kept, const Job *jobs, int count, bool line)
{
    Job *new = calloc((size_t)count + 1, sizeof *new);
    Work w = {.kept = kept, .jobs = new, .line = line, .began = clock_now()};
    if (!new)
        abort();
    for (int i = 0; i < count; i++)
        if (!is_kept(kept, &jobs[i], line))
            new[w.count++] = jobs[i];
    signal(SIGPIPE, SIG_IGN); /* a checker that has ended is no end of this */
    stop_at_signals();
    pthread_t threads[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    pthread_mutex_init(&w.lock, NULL);
    /* One more than processors: while one waits for the disk, another computes. */
    while (started < processors && started < w.count - 1 && started < MOST_THREADS - 1 &&
           !pthread_create(&threads[started], NULL, work, &w))
        started++;
    work(&w);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    pthread_mutex_destroy(&w.lock);
    show_progress(1, 1, "");
    free(new);
    return !stopped;
}

bool was_stopped_by_user(void)
{
    return stopped && stopped != SIGUSR1;
}
