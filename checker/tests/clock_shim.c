/* For LD_PRELOAD: a clock that is wrong, for the program that is started so.
 *
 *   CLOCK_AHEAD=31536000   the time of day is so many seconds ahead of the machine's; below 0:
 * behind CLOCK_JUMPS=7          at the seventh look at the other clock, and from then on, it is a
 * day later
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static atomic_long looks;
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += number("CLOCK_AHEAD");
    if (clock == CLOCK_MONOTONIC && number("CLOCK_JUMPS") && ++looks >= number("CLOCK_JUMPS"))
        now->tv_sec += 24 * 60 * 60;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}
