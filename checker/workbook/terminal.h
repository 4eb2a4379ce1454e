/* Single keys without Enter, and a terminal that is as it was afterwards, whatever happens. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

/* False: standard input or output is no terminal; there are no keys then. */
bool terminal_keys_on(void);
void terminal_keys_off(void);
/* Waits up to that long for a key, or until `also` (or -1) can be read. 0: none came; -1: the input
 * has ended. */
int terminal_key(int milliseconds, int also);
bool terminal_readable(int file); /* now, without waiting */
bool terminal_resized(void);      /* since the last call */

#endif
