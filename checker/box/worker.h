/* What the worker's files share: worker.c serves requests, worker_call.c makes a call,
 * worker_arrays.c lends the learner's code its arrays, worker_end.c says the last words. There is
 * one of everything, because a signal handler is given no arguments. */
#ifndef WORKER_H
#define WORKER_H

#include "sandbox.h"
#include "wire.h"

/* For what the learner's object must find in this program before any library. */
#define EXPORTED __attribute__((visibility("default")))

/* ---- worker_arrays.c ------------------------------------------------------------------ */
typedef struct {
    char *base; /* `room` bytes of whole pages, with an inaccessible page on either side */
    size_t room;
    ptrdiff_t aside; /* from there: the same pages once more, writable; 0: they are there once */
    char *start;     /* the array: `bytes` long */
    size_t bytes;
    bool read_only;
} Array;

extern Array arrays[CALL_PARAMS];

/* Which of the two inaccessible pages an array lies against: the one behind it, within 16 bytes, or
 * the one before it. */
typedef enum { BEFORE_A_WALL, BEHIND_A_WALL } Place;

/* The array for parameter `i`: where the worker fills it. */
float *array_open(int i, size_t length, Place place);
void array_lend(int i, bool read_only); /* it is full: how the learner's code gets it */
/* After the call. False: the bytes around the array have changed; `report` says where. */
bool array_close(int i, WireReport *report);
/* Which array, and where in it or beside it, is that address? Fills in param and offset. */
void array_locate(WireReport *report, uintptr_t address);

/* ---- worker_call.c -------------------------------------------------------------------- */
typedef struct {
    WireCall call;
    const char *values; /* of the given arrays, one after the other */
} Request;

typedef uint64_t Word;
typedef struct {
    Word words[CALL_PARAMS];
    float floats[MAX_SCALARS];
    size_t word_bytes; /* how far `words` is filled */
    int float_count;
} Arguments;

bool holds_array(const WireParam *p);
/* Splits a request's payload. False: it is not one that the checker would send. */
bool read_call(Request *r, const char *payload, size_t length);
/* Places every parameter where the function is to find it. `again`: the inputs are still there. */
Arguments place_all(const Request *r, bool again, Place place);
float call_with(void *function, const Arguments *a);
int call_int_with(void *function, const Arguments *a);

/* ---- worker_end.c --------------------------------------------------------------------- */
/* Called once, before anything of the learner's runs. `object` is the shared object's path. */
void end_prepare(const char *object, int object_fd, size_t memory_limit);
/* While a call runs: what the learner's code does is its own. SIGALRM, from the checker, ends it.
 */
void end_watch(void);
void end_unwatch(void);
bool end_watching(void); /* a call runs, and has not come to its end */
/* Sends the report, with the learner's frames that led here, and ends the process. */
_Noreturn void end_worker(WireReport *report);

/* Keeps those of the addresses that lie in the learner's object; `exact` is no return address. */
void keep_frames(WireReport *report, void *const *addresses, int count, const void *exact);

/* ---- worker_sanitizers.c -------------------------------------------------------------- */
void memory_prepare(size_t memory_limit);
typedef struct {
    int64_t blocks, bytes;
    int64_t mapped; /* bytes of address space, without what the allocator keeps for its blocks */
} Memory;
Memory memory_in_use(void);   /* less what is the same all the time */
Memory blocks_in_use(void);   /* and nothing of what is mapped, which takes longer to ask */
bool has_other_threads(void); /* than the one that makes the calls; false where none says it */
void note_blocks_anew(void);  /* from now on, for: */
void allocation_frames(WireReport *report); /* where a block of those still in use was allocated */

#endif
