/* machine.c: what this machine does not allow, as sentences. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* False: `why` names the limit with its value. Raises soft limits that are too small. */
bool limits_suffice(char *why, size_t size);
/* "ulimit -n: 64, ulimit -v: 500000 KB": all that are set. */
void limits_in_force(char *text, size_t size);
/* Was it this machine that stopped the compiler, which wrote to `folder`? `why` says what did. */
bool machine_stopped(const char *said, const char *folder, char *why, size_t size);

#endif
