/* library.c: what the copies of a trial call, and how they leave. */
#ifndef TRIAL_LIBRARY_H
#define TRIAL_LIBRARY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "libtcc.h"

extern sigjmp_buf back; /* where a copy goes that does not return */
extern int64_t fuel;    /* loop conditions that a copy may still work out */
extern int chosen;      /* which of the changes in the text counts; 0: none */

bool open_memory(void);  /* once. False: there is none */
void begin_memory(void); /* for a copy: nothing is taken yet */
void add_symbols(TCCState *text);

#endif
