/* What the core asks of the machine that it runs on, and all of it: another machine (a page) has
 * other functions of these names. Those for POSIX are in checker/box/. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- box/files.c ---- */
/* A file's whole text, with a '\0' behind it; NULL and errno when it can't be had. Caller frees. */
char *read_file(const char *path, size_t *length);
bool is_readable(const char *path); /* is there such a file? */

/* ---- box/readable.c ---- */
/* A header of the learner's own, which lies beside the file. NULL: none, or it is not theirs. */
char *read_beside(const char *source, const char *name);

/* ---- box/system.c ---- */
double clock_now(void);      /* seconds, which never jump */
double processor_time(void); /* seconds, of this process */
bool locale_is_utf8(void);
bool colour_wanted(void);        /* on standard output */
int terminal_columns(FILE *out); /* how wide a line may be; INT_MAX: it is no terminal */

#endif
