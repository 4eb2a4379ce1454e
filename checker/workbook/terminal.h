/* Single keys without Enter, and a terminal that is as it was afterwards, whatever happens. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Takes the signals that end a program, and the keys if there is a terminal to read them from and
 * to show them on. False: there is none. */
bool terminal_open(void);
void terminal_close(void);
/* What kill() is to end when a signal ends this program: a child, -group, or 0 for nothing. */
void terminal_child(pid_t child);
/* Hands the terminal, as it was, to a child until that ends. Returns its exit code. */
int terminal_lend(pid_t child);

enum { KEY_NONE = 0, KEY_END = -1 };
/* Waits up to that long for a key, or until `also` (or -1) can be read. KEY_END: there is no
 * terminal any more. */
int terminal_key(int milliseconds, int also);
bool terminal_readable(int file); /* now, without waiting */
bool terminal_resized(void);      /* since the last call */
bool terminal_continued(void);    /* since the last call, after everything had been stopped */

#endif
