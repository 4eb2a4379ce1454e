/* The machine, as the core asks for it (system.h): the terminal, the locale, the clocks. */
#include "system.h"
#include "box.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static bool names_utf8(const char *codeset)
{
    return strcasestr(codeset, "utf-8") || strcasestr(codeset, "utf8");
}

bool locale_is_utf8(void)
{
    static int answer = -1;
    if (answer >= 0)
        return answer;
    if (setlocale(LC_CTYPE, "")) {
        answer = names_utf8(nl_langinfo(CODESET));
        return answer;
    }
    /* A locale that is not installed here (containers, ssh): its name still describes the terminal.
     */
    const char *name = getenv("LC_ALL");
    if (!name || !*name)
        name = getenv("LC_CTYPE");
    if (!name || !*name)
        name = getenv("LANG");
    answer = name && names_utf8(name);
    return answer;
}

bool colour_wanted(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0 &&
           !(no_colour && *no_colour);
}

/* A terminal that does not say is taken for a common one. */
int terminal_columns(FILE *out)
{
    int fd = fileno(out) < 0 ? STDOUT_FILENO : fileno(out); /* a text that is printed later */
    struct winsize window;
    if (!isatty(fd))
        return INT_MAX;
    return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_awake(void)
{
    static const double longest_step = 1;
    static _Thread_local double before, awake;
    double now = clock_now(), step = now - before;
    before = now;
    awake += step < longest_step ? step : longest_step;
    return awake;
}

double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double time_worked(void)
{
    struct rusage ended;
    getrusage(RUSAGE_CHILDREN, &ended);
    return processor_time() + (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
           1e-6 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
}
