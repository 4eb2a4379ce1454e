/* What this machine, or the shell that the check was started from, does not allow.
 *
 * The invariant: a limit that is too small to grade anything is said with its value, before
 * anything is compiled, and never as something that the learner's code did. A soft limit is raised
 * as far as the hard one lets it. */
#include "box.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

enum { KB = 1024, MB = 1024 * 1024 };

typedef struct {
    int resource;
    char option;      /* of ulimit */
    const char *what; /* "only 64 open files" */
    rlim_t unit;
    const char *unit_name;
    rlim_t needed; /* in bytes, seconds, or files */
} Need;

/* AddressSanitizer marks out a sixteenth of all addresses there are. */
#define ALL_MEMORY (SANITIZED ? (rlim_t)1 << 45 : (rlim_t)256 * MB)

static const Need needs[] = {
    {RLIMIT_NOFILE, 'n', " open files", 1, "", 32},
    {RLIMIT_STACK, 's', " of stack", KB, " KB", MB},
    {RLIMIT_FSIZE, 'f', " in one file", KB, " KB", 4 * MB},
    {RLIMIT_CPU, 't', " of processor time", 1, " s", 10},
    {RLIMIT_AS, 'v', " of address space", KB, " KB", ALL_MEMORY},
    {RLIMIT_DATA, 'd', " of data", KB, " KB", ALL_MEMORY},
};
enum { NEEDS = sizeof needs / sizeof *needs };

static rlim_t allowed(const Need *need)
{
    struct rlimit limit;
    if (getrlimit(need->resource, &limit) != 0)
        return RLIM_INFINITY;
    return limit.rlim_cur;
}

static bool is_enough(const Need *need, rlim_t value)
{
    return value == RLIM_INFINITY || value >= need->needed;
}

static void raise_soft(const Need *need)
{
    struct rlimit limit;
    if (is_enough(need, allowed(need)) || getrlimit(need->resource, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(need->resource, &limit);
}

bool limits_suffice(char *why, size_t size)
{
    signal(SIGXFSZ, SIG_IGN); /* a write that fails is noticed where it fails */
    for (int i = 0; i < NEEDS; i++) {
        const Need *need = &needs[i];
        raise_soft(need);
        rlim_t value = allowed(need);
        if (is_enough(need, value))
            continue;
        int used =
            snprintf(why, size, "This shell allows a process only %ju%s%s (ulimit -%c)",
                     (uintmax_t)(value / need->unit), need->unit_name, need->what, need->option);
        size_t rest = (size_t)used < size ? (size_t)used : size;
        if (need->needed == ALL_MEMORY && SANITIZED)
            snprintf(why + rest, size - rest,
                     ", and the sanitizers need it unlimited. Without them: SANITIZE=no");
        else
            snprintf(why + rest, size - rest, ", and a check needs %ju%s.",
                     (uintmax_t)(need->needed / need->unit), need->unit_name);
        return false;
    }
    return true;
}

void limits_in_force(char *text, size_t size)
{
    static const Need processes = {RLIMIT_NPROC, 'u', "", 1, "", 0};
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i <= NEEDS && used < size; i++) {
        const Need *need = i < NEEDS ? &needs[i] : &processes;
        rlim_t value = allowed(need);
        if (value != RLIM_INFINITY)
            used +=
                (size_t)snprintf(text + used, size - used, "%sulimit -%c: %ju%s", used ? ", " : "",
                                 need->option, (uintmax_t)(value / need->unit), need->unit_name);
    }
}

/* Its words alone could be the learner's own, in an #error: what they say must hold here, too. */
bool machine_stopped(const char *said, const char *folder, char *why, size_t size)
{
    static const struct {
        const char *words;
        int resource;
        rlim_t ours; /* below that, it was not the checker's own limit */
    } stops[] = {
        {"Resource temporarily unavailable", RLIMIT_NPROC, 512},
        {"ile size limit", RLIMIT_FSIZE, 64 * MB},
        {"ile too large", RLIMIT_FSIZE, 64 * MB},
        {"emory", RLIMIT_AS, (rlim_t)2048 * MB},
        {"emory", RLIMIT_DATA, (rlim_t)2048 * MB},
    };
    struct statvfs disk;
    struct rlimit limit;
    if (strstr(said, "No space left on device") && statvfs(folder, &disk) == 0 &&
        (disk.f_bavail * disk.f_frsize < 64 * MB || !disk.f_favail)) {
        snprintf(why, size, "The disk is full: %ju KB are free where %s lies.",
                 (uintmax_t)(disk.f_bavail * disk.f_frsize / KB), folder);
        return true;
    }
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (strstr(said, stops[i].words) && getrlimit(stops[i].resource, &limit) == 0 &&
            limit.rlim_max < stops[i].ours) {
            int used = snprintf(why, size, "The compiler ran into a limit of this shell: ");
            limits_in_force(why + used, size - (size_t)used);
            return true;
        }
    return false;
}
