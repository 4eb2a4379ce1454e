/* The terminal is given back on every way out: the normal one, exit(), a signal, a crash (of the
 * stack, too), and while stopped by Ctrl-Z.
 *
 * The invariant: only the process that took the terminal gives it back, and only once. A child that
 * was forked since has the same handlers until it runs another program. Everything that a handler
 * calls here may be called from one. */
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct termios before, keys;
static volatile sig_atomic_t there, taken; /* a terminal; and it is set for single keys */
static volatile sig_atomic_t resized, continued;
static pid_t owner;
static volatile pid_t companion;

/* Or there are no jobs on this terminal at all. */
static bool in_foreground(void)
{
    pid_t group = tcgetpgrp(STDIN_FILENO);
    return group < 0 || group == getpgrp();
}

static void take(void)
{
    if (!there || taken || getpid() != owner || !in_foreground())
        return;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    tcgetattr(STDIN_FILENO, &keys); /* as the terminal understood it */
    taken = 1;
}

/* Ctrl-Z stops `make` too: its shell may have set the terminal for itself before this process came
 * to run. */
static bool is_set_by_another(void)
{
    struct termios now;
    return !in_foreground() && !tcgetattr(STDIN_FILENO, &now) &&
           (now.c_lflag != keys.c_lflag || now.c_iflag != keys.c_iflag ||
            now.c_oflag != keys.c_oflag);
}

static void give_back(void)
{
    sigset_t stop, mask;
    if (!taken || getpid() != owner)
        return;
    taken = 0;
    if (is_set_by_another())
        return;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU); /* which would stop this process here if it is in the background */
    sigprocmask(SIG_BLOCK, &stop, &mask);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    ssize_t written = write(STDOUT_FILENO, "\n", 1); /* the shell starts on a line of its own */
    (void)written;
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action, was;
    if (!sigaction(number, NULL, &was) && was.sa_handler == SIG_IGN)
        return; /* nohup */
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_NODEFER | SA_ONSTACK; /* raise() in the handler is to act at once */
    sigaction(number, &action, NULL);
}

static void end_by(int number)
{
    give_back();
    if (companion && getpid() == owner)
        kill(companion, SIGTERM);
    signal(number, SIG_DFL);
    raise(number);
}

/* Comes back from raise() when someone continues it, or at once where nobody could (a program that
 * was started without a shell is not stopped). */
static void stop_by(int number)
{
    int error = errno;
    continued = 0;
    give_back();
    signal(number, SIG_DFL);
    if (!continued) /* already, by a quick hand */
        raise(number);
    handle(number, stop_by);
    take();
    continued = 1;
    errno = error;
}

static void come_back(int number)
{
    int error = errno;
    (void)number;
    take();
    continued = 1;
    errno = error;
}

static void note_size(int number)
{
    (void)number;
    resized = 1;
}

static const int endings[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV, SIGABRT,
                              SIGBUS,  SIGFPE,  SIGILL,  SIGSYS,  SIGTRAP, SIGPIPE,
                              SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM};
enum { ENDINGS = sizeof endings / sizeof *endings };

bool terminal_open(void)
{
    static char room[65536]; /* a stack for when the stack is what went wrong */
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    if (!owner)
        atexit(give_back);
    owner = getpid();
    there = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !tcgetattr(STDIN_FILENO, &before);
    keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 0; /* what poll() saw may be gone: a shell read it while this was stopped */
    keys.c_cc[VTIME] = 0;
    sigaltstack(&stack, NULL);
    for (int i = 0; i < ENDINGS; i++)
        handle(endings[i], end_by);
    handle(SIGTSTP, stop_by);
    handle(SIGCONT, come_back);
    handle(SIGWINCH, note_size);
    take();
    return there;
}

void terminal_close(void)
{
    give_back();
    there = 0;
    for (int i = 0; i < ENDINGS; i++)
        handle(endings[i], SIG_DFL);
    handle(SIGTSTP, SIG_DFL);
    handle(SIGCONT, SIG_DFL);
    handle(SIGWINCH, SIG_DFL);
}

void terminal_child(pid_t child)
{
    companion = child;
}

int terminal_lend(pid_t child)
{
    int status = 0;
    terminal_close();
    signal(SIGINT, SIG_IGN); /* the keys are the child's now */
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    terminal_open();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* An arrow or another key that sends several bytes: none of them is a key of its own. */
static void skip_sequence(void)
{
    char rest[32];
    if (terminal_readable(STDIN_FILENO) && read(STDIN_FILENO, rest, sizeof rest) < 0)
        return;
}

int terminal_key(int milliseconds, int also)
{
    struct pollfd from[2] = {{taken ? STDIN_FILENO : -1, POLLIN, 0}, {also, POLLIN, 0}};
    unsigned char key = KEY_NONE;
    if (poll(from, 2, milliseconds) <= 0 || !from[0].revents || !taken)
        return KEY_NONE;
    ssize_t got = read(STDIN_FILENO, &key, 1);
    if (got < 0 ? errno != EINTR && errno != EAGAIN : !got && from[0].revents & POLLHUP)
        return KEY_END;
    if (key == '\033')
        skip_sequence();
    return key;
}

bool terminal_readable(int file)
{
    struct pollfd from = {file, POLLIN, 0};
    return poll(&from, 1, 0) > 0;
}

bool terminal_resized(void)
{
    bool was = resized;
    resized = 0;
    return was;
}

bool terminal_continued(void)
{
    bool was = continued;
    continued = 0;
    return was;
}
