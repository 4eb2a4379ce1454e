/* What of the C library a learner's file may call. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "machine.h"

/* ---- library.c ---- */
int library_count(void);
int library_number(const char *name); /* -1: there is no such function */
/* Takes the arguments where a call puts them, and leaves there what it returns. False: the call has
 * ended. */
bool library_call(Machine *machine, int number);

/* ---- print.c ----
 * printf() and the like: arguments from where the format says, behind so many that have names. */
typedef struct {
    int words, floats; /* registers that are used up */
    uint64_t stack;
} Variadic;
bool print_formatted(Machine *machine, uint64_t format, Variadic from, Buffer *out);

#endif
