/* make grade SLURM=yes: verdicts by a job array, each of whose tasks grades a part
 * (grade_part_command).
 *
 * The invariant: of Slurm nothing is believed but that it has ended. What was graded is what lies
 * in OUT/kept/, so that a node may die and a job be cancelled, and the same command goes on. */
#include "class.h"

#include <errno.h>
#include <limits.h>
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

/* Waits for the array's end. SLURM_OPTIONS are words for sbatch, of which no shell makes more. */
static _Noreturn void submit(const char *path, const char *range)
{
    const char *given = getenv("SLURM_OPTIONS");
    char *argv[MOST_WORDS + 1] = {"sbatch",
                                  "--wait",
                                  "--quiet",
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

static void wait_for(pid_t child, const char *kept, const Job *jobs, int count)
{
    static const struct timespec pause = {.tv_nsec = 500000000};
    pid_t ended;
    while ((ended = waitpid(child, NULL, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
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
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        submit(path, range);
    }
    if (child > 0)
        wait_for(child, kept, jobs, count);
    signal(SIGINT, before);
    free(path);
    left = left_to_do(kept, jobs, count);
    if (left)
        fprintf(stderr,
                "%d files are left: Slurm's array was cancelled, or goes on without this command "
                "(squeue).\nWhat its tasks said is in %s/kept/slurm.log.\n",
                left, out);
    return !left;
}
