/* Which of the sandbox's layers this machine has, and what stays open where one is missing.
 *
 * The invariant: what is asked is the kernel, here, in the checker. A worker runs a learner's code
 * and is not believed; where a layer is there but can't be closed, it does not load that code. */
#include "box.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned active_layers(void)
{
    return (landlock_version() > 0 ? LANDLOCK : 0u) | (seccomp_works() ? SECCOMP : 0u);
}

/* Does confine_processes() do what it says? Tried in a process of its own. */
static bool processes_are_held(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(!confine_processes());
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status == 0;
}

typedef struct {
    const char *items[8];
    int count;
} List;

static void add_item(List *list, const char *item)
{
    list->items[list->count++] = item;
}

/* "a, b and c". */
static char *joined(const List *list)
{
    char *text = format_text("%s", list->count ? list->items[0] : "");
    for (int i = 1; i < list->count; i++) {
        char *longer =
            format_text("%s%s%s", text, i == list->count - 1 ? " and " : ", ", list->items[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* What an exercise could do. */
static List what_stays_open(unsigned layers)
{
    const int version = landlock_version();
    const bool root = must_leave_root(); /* then it owns nothing, and its signals reach nobody */
    List open = {.count = 0};
    if (layers == 0)
        add_item(&open,
                 root ? "read and change files that everyone may" : "read and change your files");
    if (layers == SECCOMP && !guard_works())
        add_item(&open, "include every file that you may read");
    if (layers & SECCOMP)
        return open;
    if (layers && !root)
        add_item(&open, version >= 3 ? "change your files' dates and rights"
                                     : "shorten your files and change their dates and rights");
    if (version < 6 && !root)
        add_item(&open, "end your programs");
    if (!processes_are_held())
        add_item(&open, "leave a process behind");
    add_item(&open, version >= 4 ? "use the network in other ways than TCP" : "use the network");
    return open;
}

char *missing_protections(void)
{
    unsigned layers = active_layers();
    List open = what_stays_open(layers), missing = {.count = 0};
    if (!(layers & LANDLOCK))
        add_item(&missing, open.count ? "Landlock" : "Landlock (seccomp does its work)");
    if (!(layers & SECCOMP))
        add_item(&missing, "seccomp");
    if (!SANITIZED)
        add_item(&missing, "sanitizers (find every access past an end)");
    if (missing.count == 0)
        return NULL;
    char *without = joined(&missing), *could = joined(&open);
    char *notice =
        format_text("Not active here: %s.%s%s%s%s", without, could[0] ? " An exercise could " : "",
                    could, could[0] ? "." : "", layers & SECCOMP ? "" : " It can't start threads.");
    free(without);
    free(could);
    return notice;
}
