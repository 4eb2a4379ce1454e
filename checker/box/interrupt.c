/* Ctrl-C while something runs long and has drawn nothing yet: it says so and ends. */
#include "box.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *words;

/* make waits for its commands when it has heard of it; one that ends before that it complains
 * about, in a line that nobody understands. */
static void stop(int number)
{
    static const struct timespec a_moment = {.tv_nsec = 100000000};
    ssize_t written = write(STDERR_FILENO, words, strlen(words));
    (void)written;
    nanosleep(&a_moment, NULL);
    signal(number, SIG_DFL);
    raise(number);
}

void on_interrupt(const char *said)
{
    words = said;
    signal(SIGINT, said ? stop : SIG_DFL);
}
