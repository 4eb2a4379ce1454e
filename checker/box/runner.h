/* What the files of a Runner share: folder.c makes its folder, build.c its shared object, runner.c
 * talks to its worker, reason.c puts what the worker reports into a sentence, locate.c finds the
 * line. */
#ifndef RUNNER_H
#define RUNNER_H

#include "process.h"
#include "wire.h"

enum { PATH_SIZE = 1024 };

typedef struct {
    char path[64]; /* "build/run/XXXXXX"; "": none */
    int lock;
} Folder;

enum { MOST_WAITED = 30 }; /* seconds */

struct Runner {
    RunnerOptions options;
    char *shown;     /* the source's name, on one line */
    Folder folder;   /* and in it: */
    char copy[80];   /* x.c: what is graded. So it is C, whatever its own name is */
    char object[80]; /* x.so */
    char calls[80];  /* calls.o; "": the lesson has none */
    char *warnings;
    size_t said; /* of an error's text: the compiler's own words, its beginning */
    Child compiler, worker;
    char begin_error[256];
    int channel; /* to the worker; never blocks */
    Buffer request, reply, printed;
    size_t printed_total;
    bool loading;          /* the worker has come so far that the learner's code may run */
    bool machine;          /* what went wrong is this machine's doing */
    uint64_t token;        /* of the request */
    double until, budget;  /* when all calls must be over, and the seconds they had; 0: no limit */
    int schedstat;         /* the worker's, /proc/PID/schedstat, or -1 */
    double waited;         /* what it said when a limit was last near */
    double patience;       /* how much of that still counts in this check */
    unsigned long threads; /* that the worker was last seen to have */
    double look_again;     /* when the worker's memory and threads are looked at next */
    bool loads;            /* the object was loaded before, so it will be again */
    Answer never_loaded;   /* how loading ended, if it ended the worker */
};

/* ---- folder.c ------------------------------------------------------------------------- */
/* Makes a folder of the run's own, and clears away those of checkers that are gone. */
bool folder_make(Folder *folder, char *error, size_t error_size);
void folder_remove(Folder *folder);

/* ---- build.c -------------------------------------------------------------------------- */
/* Makes the folder and the copy in it. */
bool build_prepare(Runner *runner, char *error, size_t error_size);
/* Starts the compiler. `other`: an option that takes the place of a usual one, or NULL. */
bool build_start(const Runner *runner, const char *other, Child *compiler);
/* Waits for it. NULL: `error` says why there is no object; else the warnings, to be freed. */
char *build_finish(Runner *runner, Child *compiler, char *error, size_t error_size);

/* ---- channel.c ------------------------------------------------------------------------ */
typedef enum {
    GOT_FRAME,
    GONE,
    TOO_LATE,
    OVER_BUDGET,
    TOO_BIG,
    TOO_MANY,
    TOO_LOUD,
    GARBAGE
} Outcome;
/* How long the worker waited for a processor since this was last asked: so long the limits are put
 * off. Asked when one is near, not for every call. */
double waited_since(Runner *r);
/* Sends r->request and waits for one frame, in r->reply, with at most `most` bytes of payload. */
Outcome exchange(Runner *r, double limit, size_t most, FrameHead *head);
/* Any program, with its end of a new channel. */
bool channel_start(Runner *r, const char *const argv[], const Limits *limits);
bool worker_start(Runner *r);
int worker_end(Runner *r); /* its wait status */
bool worker_closed_channel(
    const Runner *r); /* when it is GONE: the channel only, not the process */

/* ---- runner.c ------------------------------------------------------------------------- */
/* In what the dynamic linker says, the symbol that is nowhere; NULL: it says another thing. */
const char *missing_symbol(const char *said);
/* The request for a case. `lengths`: the elements of each parameter. The size of the answer. */
size_t put_case(Buffer *request, FrameKind kind, uint64_t token, const Case *c, size_t *lengths);

/* ---- locate.c ------------------------------------------------------------------------- */
/* " at exercises/01_layer_norm.c:23" for the innermost frame in the learner's file; "" if unknown
 */
void locate(const Runner *runner, const WireReport *report, char *where, size_t where_size);

/* ---- reason.c ------------------------------------------------------------------------- */
/* Fills in ending, reason and ended_by. `function` may be NULL: while loading. `lengths`: the
 * elements of each parameter. */
void explain(const Runner *runner, const Function *function, const size_t *lengths,
             const WireReport *report, Answer *answer);
/* For a worker that is gone without a report: its wait status, or it only closed the channel. */
void explain_silence(int status, bool closed, Answer *answer);
void explain_missing(const Runner *runner, const Function *function, Answer *answer);
/* What the dynamic linker says: a symbol that is defined nowhere, or too large an object. */
void explain_linker(Runner *r, const char *said, char *error, size_t error_size);

#endif
