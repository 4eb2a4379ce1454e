/* The checker's children: the compiler, the worker, addr2line.
 *
 * The invariant: a child never outlives the checker, has nothing of the checker's but what is
 * handed to it here, and whatever it starts is in its process group, which is ended as a whole. */
#ifndef PROCESS_H
#define PROCESS_H

#include "sandbox.h"

#include <sys/types.h>

typedef struct {
    const char *const *argv;
    Limits limits;
    const char *source, *folder; /* of a compiler: what its places are found by (places.h) */
    int channel;                 /* becomes the child's CHANNEL and is closed here; 0: none */
} Launch;

typedef struct {
    pid_t pid;  /* 0: none */
    int output; /* what it writes to stdout and stderr; never blocks */
} Child;

/* Does the kernel keep a launch's compiler to its places? */
bool compiler_is_held(void);
bool child_start(Child *child, const Launch *launch);
/* Ends the child and its group. Its wait status. */
int child_end(Child *child);
/* Reads its output until it closes it or `seconds` have passed, and then waits for it or ends it.
 * The output is cut at 256 KiB; the caller frees it. False: the time was up. */
bool child_finish(Child *child, double seconds, char **output, int *status);
double clock_now(void);
double processor_time(void); /* of this process */

#endif
