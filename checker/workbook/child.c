/* Every command runs in a child of its own, which Ctrl-C, a crash or an endless loop can end.
 *
 * The prompt takes a process group of its own, so that Ctrl-C does not reach the `make` that
 * started it, and ignores the keys' signals itself. Afterwards the terminal's settings are put back
 * as they were at the start, whatever the child left. There is nobody who could take a stopped
 * child up again, so Ctrl-Z continues it. */
#include "workbook.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct termios settings;
static pid_t group_before; /* 0: the terminal was not taken */

static void handle_keys(void (*handler)(int))
{
    signal(SIGINT, handler);
    signal(SIGQUIT, handler);
    signal(SIGTSTP, handler);
    signal(SIGTTOU, handler);
}

static void give_back(void)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    if (group_before && getpid() == getpgrp())
        tcsetpgrp(STDIN_FILENO, group_before);
}

/* By SIGTERM or SIGHUP, with everything that was started here. */
static void end_by(int number)
{
    give_back();
    signal(number, SIG_DFL);
    kill(getpid() == getpgrp() ? 0 : getpid(), number);
}

void terminal_guard(void)
{
    pid_t group = getpgrp();
    bool in_front = tcgetpgrp(STDIN_FILENO) == group;
    tcgetattr(STDIN_FILENO, &settings);
    handle_keys(SIG_IGN);
    if (!in_front)
        signal(SIGTTOU, SIG_DFL); /* started with &: wait for fg, and leave the terminal alone */
    if (in_front && group != getpid() && !setpgid(0, 0)) {
        group_before = group;
        tcsetpgrp(STDIN_FILENO, getpgrp());
    }
    signal(SIGTERM, end_by);
    signal(SIGHUP, end_by);
    atexit(give_back);
}

static void become_child(const Prompt *prompt)
{
    handle_keys(SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    if (prompt->terminal)
        return;
    int nothing = open("/dev/null", O_RDONLY); /* the pipe holds the commands that follow */
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
}

static int wait_for(pid_t child)
{
    int status = 0;
    for (;;) {
        pid_t got = waitpid(child, &status, WUNTRACED);
        if (got < 0 && errno != EINTR)
            return 2;
        if (got == child && !WIFSTOPPED(status))
            break;
        if (got == child)
            kill(0, SIGCONT);
    }
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGINT)
        puts("\nStopped.");
    else
        printf("\nIt was ended by a signal: %s.\n", strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

int child_run(const Prompt *prompt,
              int (*run)(const Lessons *lessons, const WorkbookOptions *options),
              const WorkbookOptions *options)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        fprintf(stderr, "No process could be started: %s\n", strerror(errno));
        return 2;
    }
    if (child == 0) {
        become_child(prompt);
        int code = run(prompt->lessons, options);
        fflush(stdout);
        _exit(code);
    }
    int code = wait_for(child);
    if (prompt->terminal) {
        tcsetpgrp(STDIN_FILENO, getpgrp());
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
    }
    return code;
}

void child_beside(char *const argv[])
{
    static pid_t child;
    if (child > 0 && !waitpid(child, NULL, WNOHANG))
        return;
    fflush(stdout);
    child = fork();
    if (child)
        return; /* none could be started: nothing follows */
    execvp(argv[0], argv);
    _exit(127);
}
