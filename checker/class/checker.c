/* One lesson's checker as a process, which grades one file after the other (--each). See class.h.
 *
 * The invariant: the cases are made once; every file has a process of its own that starts from
 * them, and a worker and a folder of its own. */
#include "class.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h" /* write_all() */

#ifdef __linux__
#include <sys/prctl.h>
#endif

static _Noreturn void become(const Checker *checker, int files, int reports)
{
    char program[NAME_SIZE + 16], shown[NAME_SIZE + 4];
    const Job *of = &checker->of;
    snprintf(program, sizeof program, "build/%s/check", of->lesson);
    snprintf(shown, sizeof shown, "%s.c", of->lesson);
    const char *argv[16] = {program, "--each", "--shown", shown,     "--format",
                            "json",  "--seed", of->seed,  "--limit", of->limit};
    int n = 10;
    if (of->all)
        argv[n++] = "--all";
    if (!checker->line)
        argv[n++] = "--no-line";
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    dup2(files, STDIN_FILENO);
    dup2(reports, STDOUT_FILENO);
    dup2(fileno(checker->said), STDERR_FILENO);
    execv(program, (char *const *)(uintptr_t)argv);
    _exit(127);
}

/* Nobody else's child may get these, or no end would ever be seen. So one starts at a time. */
static bool start(Checker *checker)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    int ends[4] = {-1, -1, -1, -1};
    pthread_mutex_lock(&one);
    bool good = pipe(ends) == 0 && pipe(ends + 2) == 0 && (checker->said = tmpfile());
    for (int i = 0; i < 4 && good; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    pid_t child = good ? fork() : -1;
    if (child == 0)
        become(checker, ends[0], ends[3]);
    pthread_mutex_unlock(&one);
    *checker->pid = child > 0 ? child : 0;
    checker->files = ends[1];
    checker->reports = ends[2];
    for (int i = 0; i < 4; i++)
        if (ends[i] >= 0 && (child < 0 || i == 0 || i == 3))
            close(ends[i]);
    if (child < 0 && checker->said)
        fclose(checker->said);
    return child > 0;
}

void checker_end(Checker *checker)
{
    pid_t child = checker->pid ? *checker->pid : 0;
    if (!child)
        return;
    close(checker->files);
    close(checker->reports);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    *checker->pid = 0;
    fclose(checker->said);
}

static bool fits(const Checker *checker, const Job *job, bool line)
{
    const Job *of = &checker->of;
    return *checker->pid && checker->line == line && of->all == job->all &&
           !strcmp(of->lesson, job->lesson) && !strcmp(of->seed, job->seed) &&
           !strcmp(of->limit, job->limit);
}

/* Up to the byte 0 that ends a report. False: the checker has ended before. */
static bool read_report(int from, Buffer *text)
{
    enum { STEP = 65536 };
    ssize_t got;
    do {
        got = read(from, buffer_room(text, STEP), STEP);
        text->length += got > 0 ? (size_t)got : 0;
    } while ((got > 0 && text->data[text->length - 1]) || (got < 0 && errno == EINTR));
    return got > 0;
}

char *report_of(Checker *checker, const char *kept, const Job *job, bool line)
{
    Buffer text = {0};
    if (!fits(checker, job, line)) {
        checker_end(checker);
        checker->of = *job;
        checker->line = line;
        if (!start(checker))
            return NULL;
    }
    rewind(checker->said);
    char *file = format_text("%s/files/%s/%s.c", kept, job->key, job->lesson);
    bool good = ftruncate(fileno(checker->said), 0) == 0 &&
                write_all(checker->files, file, strlen(file) + 1) &&
                read_report(checker->reports, &text);
    free(file);
    if (!good)
        buffer_free(&text);
    return text.data;
}

char *why_none(Checker *checker)
{
    char line[240];
    if (!*checker->pid)
        return format_text("%s", strerror(errno));
    rewind(checker->said);
    bool any = fgets(line, sizeof line, checker->said);
    line[any ? strcspn(line, "\n") : 0] = '\0';
    return format_text("%s", any ? line : "its checker was ended, or could not be started");
}
