/* What a racer is told: to call a function so many times, on arrays in shared memory. It answers
 * with an empty frame when it has, and its arrays are looked at then. LOAD is as for the worker. */
#ifndef RACER_H
#define RACER_H

#include "wire.h"

enum { RACER_IN = CHANNEL + 1, RACER_OUT = CHANNEL + 2 }; /* its descriptors of what is shared */

typedef enum { NUMBER, AMONG_INPUTS, AMONG_OUTPUTS } WordKind;

typedef struct {
    uint64_t value, step; /* a number; or bytes from the beginning, and from call to call */
    uint32_t kind, unused;
} WireWord;

/* Functions of the racer's own have these names, which no function in C can have. */
#define RACER_COPY "*copy"
#define RACER_NOTHING "*nothing"

typedef struct {
    char function[SYMBOL_SIZE];
    uint32_t calls, count;
    WireWord words[CALL_PARAMS]; /* pointers and ints, in order */
    float scalar;                /* what comes behind them, where there is a float */
} WireRace;

#endif
