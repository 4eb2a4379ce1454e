/* The terminal is given back on every way out: the normal one, exit(), SIGINT, SIGTERM, SIGHUP, a
 * crash, and while stopped by Ctrl-Z. tcsetattr may be called from a signal handler. */
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios before, keys;
static volatile sig_atomic_t on, resized;

static void give_back(void)
{
    if (on)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* Gives the terminal back, then lets the signal do what it does by default. */
static void end_by(int number)
{
    give_back();
    signal(number, SIG_DFL);
    raise(number);
}

static void come_back(int number)
{
    (void)number;
    signal(SIGTSTP, end_by);
    if (on)
        tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    resized = 1; /* what was on the screen may be gone */
}

static void note_size(int number)
{
    (void)number;
    resized = 1;
}

static const int endings[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
                              SIGABRT, SIGBUS,  SIGFPE, SIGILL,  SIGTSTP};

static void handle(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_NODEFER; /* raise() in the handler is to act at once */
    sigaction(number, &action, NULL);
}

bool terminal_keys_on(void)
{
    static bool at_exit;
    if (on)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before))
        return false;
    keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    if (!at_exit)
        atexit(give_back);
    at_exit = true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        handle(endings[i], end_by);
    handle(SIGCONT, come_back);
    handle(SIGWINCH, note_size);
    on = 1;
    return !tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

void terminal_keys_off(void)
{
    give_back();
    on = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        handle(endings[i], SIG_DFL);
    handle(SIGCONT, SIG_DFL);
    handle(SIGWINCH, SIG_DFL);
}

int terminal_key(int milliseconds, int also)
{
    struct pollfd from[2] = {{on ? STDIN_FILENO : -1, POLLIN, 0}, {also, POLLIN, 0}};
    char key;
    if (poll(from, 2, milliseconds) <= 0 || !from[0].revents)
        return 0;
    ssize_t got = read(STDIN_FILENO, &key, 1);
    return got == 1 ? (unsigned char)key : got < 0 && errno == EINTR ? 0 : -1;
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
