/* Holds the compiler to its places where Landlock is missing: seccomp asks this process before each
 * file that the compiler, or a program that it starts, opens.
 *
 * The invariant: the answer is about the path as it is in the compiler's memory now. That is enough
 * because the compiler is no enemy: what a learner's file can make it open it opens in plain sight.
 */
#ifndef GUARD_H
#define GUARD_H

#include "places.h"

/* Does this kernel have it, and is it not taken by who started us? Tries it, in a process of its
 * own, once. */
bool guard_works(void);
/* From here on all that this process and its children open is in `places`, whose paths are without
 * links. Comes back in the compiler-to-be; this process stays behind, answers, and ends as the
 * compiler ended. False: it can't be done. */
bool guard_start(const Places *places);

#endif
