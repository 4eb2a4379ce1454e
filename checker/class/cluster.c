/* make grade SLURM=yes: verdicts by a job array, each of whose tasks grades a part
 * (grade_part_command).
 *
 * The invariant: of Slurm nothing is believed but that it has ended. What was graded is what lies
 * in OUT/kept/, so that a node may die and a job be cancelled, and the same command goes on. */
#include "class.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PART_SIZE = 20, MOST_PARTS = 1000, MOST_WORDS = 64 };

/* On a node: in the folder that make grade was started in, with OUT and PARTS from there. */
static const char script[] = "#!/bin/sh\n"
                             "exec >>\"$OUT/kept/slurm.log\" 2>&1\n"
                             "PART=$SLURM_ARRAY_TASK_ID exec build/workbook grade-part\n";

static int left_to_do(const char *kept, const Job *jobs, int count)
{
    int left = 0;
    for (int i = 0; i < count; i++) {
        char *path = verdict_path(kept, jobs[i].verdict, false);
        char *failed = format_text("%s/verdicts/%s.failed", kept, jobs[i].verdict);
        left += access(path, R_OK) != 0 && access(failed, R_OK) != 0;
        free(path);
        free(failed);
    }
    return left;
}

/* Says the job's number, and waits for the array's end. SLURM_OPTIONS are words for sbatch, of
 * which no shell makes more. */
static _Noreturn void submit(const char *path, const char *range)
{
    const char *given = getenv("SLURM_OPTIONS");
    char *argv[MOST_WORDS + 1] = {"sbatch",
                                  "--wait",
                                  "--parsable",
                                  "--requeue",
                                  "--ntasks=1",
                                  "--job-name=make-grade",
                                  "--output=/dev/null",
                                  format_text("--array=%s", range)};
    char *words = format_text("%s", given ? given : ""), *rest;
    int n = 8;
    for (char *word = strtok_r(words, " ", &rest); word && n < MOST_WORDS - 1;
         word = strtok_r(NULL, " ", &rest))
        argv[n++] = word;
    argv[n] = (char *)(uintptr_t)path;
    execvp(argv[0], argv);
    fprintf(stderr, "sbatch can't be started (%s): SLURM=yes is for a machine with Slurm.\n",
            strerror(errno));
    _exit(127);
}

/* What runs on the nodes is ended; sbatch then has nothing to wait for. */
static void cancel(pid_t child, int said)
{
    char job[64] = "";
    struct pollfd ready = {said, POLLIN, 0};
    int status = 1;
    if (poll(&ready, 1, 10000) <= 0 || read(said, job, sizeof job - 1) <= 0)
        job[0] = '\0';
    job[strspn(job, "0123456789")] = '\0';
    pid_t scancel = *job ? fork() : -1;
    if (scancel == 0) {
        execlp("scancel", "scancel", job, (char *)NULL);
        _exit(127);
    }
    if (scancel > 0)
        waitpid(scancel, &status, 0);
    fprintf(stderr,
            status ? "Slurm's job %s could not be cancelled: see squeue.\n"
                   : "Slurm's job %s is cancelled.\n",
            job);
    kill(child, SIGTERM);
}

static void wait_for(pid_t child, int said, const char *kept, const Job *jobs, int count)
{
    static const struct timespec pause = {.tv_nsec = 500000000};
    pid_t ended;
    bool cancelled = false;
    while ((ended = waitpid(child, NULL, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (was_stopped_by_user() && !cancelled)
            cancel(child, said);
        cancelled = was_stopped_by_user();
        int done = count - left_to_do(kept, jobs, count);
        char *what = format_text("%d of %d, by Slurm", done, count);
        show_progress(done, count, what);
        free(what);
        nanosleep(&pause, NULL);
    }
    show_progress(1, 1, "");
}

bool grade_by_slurm(const char *kept, const Job *jobs, int count)
{
    char out[PATH_MAX], range[32], *path = format_text("%s/array.sh", kept);
    int left = left_to_do(kept, jobs, count), parts = (left + PART_SIZE - 1) / PART_SIZE;
    if (!left)
        return true;
    parts = parts > MOST_PARTS ? MOST_PARTS : parts;
    if (!write_whole(path, script, strlen(script)) || !realpath(kept, out)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    *strrchr(out, '/') = '\0';
    setenv("OUT", out, 1);
    snprintf(range, sizeof range, "%d", parts);
    setenv("PARTS", range, 1);
    snprintf(range, sizeof range, "1-%d", parts);
    stop_at_signals();
    int said[2];
    pid_t child = pipe(said) == 0 ? fork() : -1;
    if (child == 0) {
        setpgid(0, 0); /* a Ctrl-C is for this program, which cancels the job */
        dup2(said[1], STDOUT_FILENO);
        close(said[0]);
        close(said[1]);
        submit(path, range);
    }
    if (child > 0)
        wait_for(child, said[0], kept, jobs, count);
    free(path);
    left = left_to_do(kept, jobs, count);
    if (left && !was_stopped_by_user())
        fprintf(stderr,
                "%d files are left: Slurm's array was cancelled, or goes on without this command "
                "(squeue).\nWhat its tasks said is in %s/kept/slurm.log.\n",
                left, out);
    return !left;
}

/* ---- on a node ---- */
/* Those of OUT/kept/jobs that are of this part. False: there is a line that is none. */
static bool read_part(char *text, long first, long step, Job *jobs, int *count, bool *lines)
{
    char *line;
    *count = 0;
    for (long i = 0; (line = strsep(&text, "\n")) && *line; i++) {
        Job *job = &jobs[*count];
        int all, wanted;
        if (i % step != first - 1)
            continue;
        if (sscanf(line, "%64s %64s %47s %23s %23s %d %d", job->verdict, job->key, job->lesson,
                   job->seed, job->limit, &all, &wanted) != 7)
            return false;
        job->all = all;
        *lines = wanted;
        ++*count;
    }
    return true;
}

/* First the grades of all, then the lines of those that want one. */
static bool grade_part(const char *kept, Job *jobs, int count, bool lines)
{
    bool good = grade_some(kept, jobs, count, false);
    int wanted = 0;
    for (int i = 0; i < count && lines; i++) {
        Report report;
        if (!verdict_read(kept, jobs[i].verdict, &report))
            continue;
        if (wants_line(&report))
            jobs[wanted++] = jobs[i];
        report_free(&report);
    }
    grade_some(kept, jobs, wanted, true);
    return good;
}

int grade_part_command(const Lessons *lessons, const WorkbookOptions *options)
{
    (void)lessons, (void)options;
    const char *out = given_as("OUT"), *part = given_as("PART"), *parts = given_as("PARTS");
    long first = part ? atol(part) : 0, step = parts ? atol(parts) : 0;
    if (!out || first < 1 || step < first) {
        fputs("grade-part needs OUT=, PART= (from 1) and PARTS=\n", stderr);
        return ASKED_WRONGLY;
    }
    if (!is_protected(&(Asked){.insists = given_yes("INSIST")}))
        return NOT_ALL_GRADED;
    char *kept = format_text("%s/kept", out), *path = format_text("%s/jobs", kept);
    size_t length = 0;
    char *text = read_file(path, &length);
    Job *jobs = text ? calloc(length / SUM_SIZE + 1, sizeof *jobs) : NULL;
    if (!jobs) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return NOT_ALL_GRADED;
    }
    int count;
    bool lines = false, good = read_part(text, first, step, jobs, &count, &lines) &&
                               grade_part(kept, jobs, count, lines);
    free(jobs);
    free(text);
    free(path);
    free(kept);
    return good ? GRADED : NOT_ALL_GRADED;
}
