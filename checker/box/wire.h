/* What the checker and the worker say to each other, on one socket: frames, each a head and as many
 * bytes as the head announces.
 *
 * The invariant: the checker believes nothing that comes back. Every length is checked against what
 * the case must give before a byte of it is used. The worker, which only ever hears the checker,
 * checks too, because the learner's code runs beside it. Both ends are the same machine and the
 * same build, so numbers travel as they lie in memory. */
#ifndef WIRE_H
#define WIRE_H

#include "ended.h"

enum {
    CHANNEL = 20, /* the worker's descriptor for frames: out of the way of write(3, ...), and below
                     what `ulimit -n` leaves anyone */
    WORKER_DONE = 77, /* exit status of a worker that has said everything */
    WORKER_CUT = 78,  /* of one whose channel was closed */
    MAX_PAYLOAD = 1 << 28
};

typedef enum {
    /* to the worker */
    LOAD = 0x4c4f4144, /* WireLimits, path of the shared object */
    CALL,              /* WireCall, values of the given arrays */
    LEAKS,             /* the same */
    /* to the trial */
    TRIAL_TEXT,  /* C, with a '\0' */
    TRIAL_CALLS, /* WireTrials, the copies' numbers, and what CALL has */
    /* to the checker */
    LOADING, /* nothing: the worker has started; from here on the learner's code may run */
    LOADED,  /* WireLoaded */
    ANSWER,  /* WireAnswer, all the arrays */
    UNKNOWN, /* nothing: there is no such function */
    LEAKING, /* WireReport of GROWS or CLEAN */
    TRIED,   /* what the compiler says, "" if it has nothing to say; or a WireTrial for every copy,
                each with its outputs */
    ENDED    /* WireReport: the worker's last words */
} FrameKind;

typedef struct {
    uint32_t kind, length;
    uint64_t token; /* of a request: drawn for it, and part of what answers it. No code can know it
                       before the request is there, so no answer can lie ready. */
} FrameHead;

typedef struct {
    uint64_t memory_limit;
    uint64_t has_calls; /* 1: the lesson's calls.c is in it, which says what to count */
} WireLimits;

typedef struct {
    char error[512]; /* the dynamic linker's, when it could not load; else "" */
} WireLoaded;

typedef struct {
    uint32_t role;
    uint32_t length; /* elements; 0 for what is no array */
    uint32_t is_null;
    union {
        int32_t size;
        float scalar;
    } value;
} WireParam;

typedef struct {
    uint32_t count;
    uint32_t returns_int;
    char function[SYMBOL_SIZE];
    WireParam params[CALL_PARAMS];
} WireCall;

typedef struct {
    union {
        float number;
        int32_t whole;
    } returned;
    uint32_t kept; /* 1: it allocated memory and did not free it, or mapped some */
} WireAnswer;

enum { MOST_COPIES = 1024 };

typedef struct {
    int64_t fuel; /* conditions of loops that one call may work out */
    uint64_t count;
} WireTrials;

typedef struct {
    int64_t burnt;
    uint32_t ended; /* 1: it did not return */
    WireAnswer answer;
} WireTrial;

/* A frame in the making: open, append, close. */
void frame_open(Buffer *buffer, FrameKind kind, uint64_t token);
void frame_close(Buffer *buffer);
/* Is a whole frame there? `head` is filled in as soon as a head is; kind 0 before. */
bool frame_complete(const Buffer *buffer, FrameHead *head);

/* Blocking; false when the other end is gone. For the worker. */
bool write_all(int fd, const void *data, size_t length);
bool frame_read(int fd, Buffer *buffer, FrameHead *head);

#endif
