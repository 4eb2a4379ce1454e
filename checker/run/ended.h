/* What ended a call, whoever made it, and the words for it. */
#ifndef ENDED_H
#define ENDED_H

#include "run.h"

enum { MAX_FRAMES = 32 }; /* places in the learner's code that led to where it ended */

/* What the learner's code can try that is refused with a word. */
typedef enum { NO_OFFENCE, FILE_OPENED, FILE_CHANGED, PROCESS, NETWORK, SIGNAL, TRACE } Offence;

typedef enum {
    BY_SIGNAL,  /* number: the signal; or what: its name */
    BY_ASAN,    /* what: AddressSanitizer's name for it */
    BY_UBSAN,   /* what: its kind; detail: its message */
    BY_OFFENCE, /* number: an Offence; detail: a path */
    BY_EXIT,    /* what: "exit", "_exit"; number: the status */
    BY_TIME,    /* the limit for one call */
    BY_MEMORY,  /* the limit for memory */
    BY_CANARY,  /* an array's surroundings have changed */
    BY_STACK,   /* no stack left */
    GROWS,      /* of LEAKING: size bytes with each `number` calls; what: "malloc", "mmap" or "" */
    CLEAN,      /* of LEAKING */
    BY_OUTPUT   /* the limit for what is printed; nothing that runs a learner's code says it */
} ReportKind;

typedef struct {
    uint32_t kind;
    int32_t number;
    int32_t param;  /* the array that `offset` refers to; -1: none */
    int32_t writes; /* 1: it wrote, 0: it read, -1: not known */
    int64_t offset; /* bytes from the array's first element */
    uint64_t size;  /* bytes of the access */
    uint64_t address;
    uint32_t frame_count;
    uint64_t frames[MAX_FRAMES]; /* offsets in the object, innermost first */
    char what[64];
    char detail[256];
} WireReport;

/* ---- ended.c ---- */
typedef struct {
    const Function *function; /* NULL: none was called yet */
    const size_t *lengths;    /* the elements of each of its parameters */
    const char *where;        /* " at exercises/01_layer_norm.c:23", or "" */
    const char *call_limit;   /* "2 s" */
    size_t memory_limit;      /* bytes */
    size_t printed_limit;     /* bytes */
} EndedCall;

/* Fills in ending, reason and ended_by. Of the report only printable characters are told; a signal
 * has its name in `what`. */
void explain_ended(const WireReport *report, const EndedCall *call, Answer *answer);
/* The same, in words that are there. */
void say_ended(Answer *answer, Ending ending, const char *ended_by, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#endif
