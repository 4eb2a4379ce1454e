/* The box: the processes that run a learner's code, and the wall around them. In the order of a
 * call:
 *
 *   submission.c  exercises/NN_name.c     -> its text, opened once
 *   machine.c     what this machine, or the shell, does not allow
 *   runner.c      the checker's side of a worker: one call, one Answer; the Runners of processes
 *   folder.c      the run's own folder, build/run/XXXXXX
 *   build.c       the text                -> a shared object, compiled behind the wall
 *   readable.c    which files the compiler may read, whoever holds it to them:
 *   guard.c         where Landlock is missing
 *   whose.c         a file's name  -> whose it is, in one folder of several students' (whose.h)
 *   process.c     starting and ending the compiler, the worker, addr2line
 *   channel.c     one frame for another, within limits
 *   wire.h        what is said on the channel; wire.c
 *   reason.c      how a call ended        -> a sentence, with its line
 *   optimized.c   an object made for speed, for labs and for the race
 *   interrupt.c   Ctrl-C while something long runs
 *   trials.c      changes of a function, compiled and called in build/trial: its Trials
 *   debug.c       one call under gdb or lldb
 *   protection.c  what of the wall is missing here
 *   files.c, system.c  what the core asks of the machine, see run/system.h
 *
 * And the learner's side, two programs of their own: build/worker, of worker.c, worker_arrays.c,
 * worker_call.c, worker_end.c and worker_sanitizers.c (see worker.h), and build/trial, of trial.c
 * and trial_library.c (trial_library.h), with trial_prelude.h and trial_memory.h for the text that
 * it compiles. sandbox.h, with sandbox.c and sandbox_calls.c, is the wall itself, for both.
 * memory.h is linked with a learner's file where there is a lessons/NN_name/calls.c.
 *
 * The invariants: expected values never come here, and the learner's code runs nowhere else; a
 * child never outlives the checker; nothing that comes back is believed before its length is
 * checked. */
#ifndef BOX_H
#define BOX_H

#include <sys/types.h>

#include "run.h"
#include "sandbox.h"
#include "wire.h"

/* ---- submission.c ----
 * The file to grade is opened once. What is compiled, compared with the stub and shown is that one
 * reading, whatever becomes of the file in the meantime. */
enum { MOST_SOURCE = 4 << 20 }; /* bytes of it, and of a header of its own */
/* Its whole text, with a '\0' behind it. NULL: `error` says why it is not graded. Caller frees. */
char *submission_read(const char *path, size_t *length, char *error, size_t error_size);

/* ---- machine.c ---- */
/* False: `why` names the limit with its value. Raises soft limits that are too small. */
bool limits_suffice(char *why, size_t size);
/* "ulimit -n: 64, ulimit -v: 500000 KB": all that are set. */
void limits_in_force(char *text, size_t size);
/* Was it this machine that stopped the compiler, which wrote to `folder`? `why` says what did. */
bool machine_stopped(const char *said, const char *folder, char *why, size_t size);

/* ---- readable.c ----
 * Which files the compiler may read while it compiles a learner's file: what it needs to work
 * (build/toolchain), include/, the headers beside the learner's own file (of several students' in
 * one folder, those that begin with the student's name), and the run's folder. One list for every
 * way of holding the compiler to it: what is not in it is no business of a learner's file. */
typedef struct {
    char **paths; /* files, and folders with all that is below them */
    int count, room;
    char *folder; /* the run's own, as well: the only one that is written in */
} Readable;

/* For the compiler of `source`. False: build/toolchain can't be read. */
bool readable_find(Readable *readable, const char *source, const char *folder);
/* Turns the paths into those without links, for readable_holds(). */
void readable_resolve(Readable *readable);
/* Is that file in one of them? All paths are without links. */
bool readable_holds(const Readable *readable, const char *path);
bool lies_in(const char *path, const char *place);
/* Of the headers beside `source`, one that is not among them because it is too large, and that is
 * named in what the compiler said. Caller frees; NULL: there is none. */
char *readable_too_large(const char *source, const char *said);
void readable_free(Readable *readable);

/* ---- guard.c ----
 * Holds the compiler to its places where Landlock is missing: seccomp asks this process before each
 * file that the compiler, or a program that it starts, opens. The answer is about the path as it is
 * in the compiler's memory now; the compiler is no enemy, and opens in plain sight what a learner's
 * file makes it open. */
/* Does this kernel have it, and is it not taken by who started us? Tries it, in a process of its
 * own, once. */
bool guard_works(void);
/* From here on all that this process and its children open is readable; its paths are without
 * links. Comes back in the compiler-to-be; this process stays behind, answers, and ends as the
 * compiler ended. False: it can't be done. */
bool guard_start(const Readable *readable);

/* ---- process.c ----
 * A child has nothing of the checker's but what is handed to it here, and whatever it starts is in
 * its process group, which is ended as a whole. */
enum { LENT = 2 };
typedef struct {
    const char *const *argv;
    Limits limits;
    const char *source, *folder; /* of a compiler: what its places are found by (readable.c) */
    int channel;                 /* becomes the child's CHANNEL and is closed here; 0: none */
    const int *lent;             /* LENT descriptors that it has behind that; NULL: none */
} Launch;

typedef struct {
    pid_t pid;  /* 0: none */
    int output; /* what it writes to stdout and stderr; never blocks */
} Child;

/* Does the kernel keep a launch's compiler to its places? */
bool compiler_is_held(void);
bool child_start(Child *child, const Launch *launch);
/* Ends the child and its group. Its wait status. */
int child_end(Child *child);
/* Reads its output until it closes it or `seconds` have passed, and then waits for it or ends it.
 * The output is cut at 256 KiB; the caller frees it. False: the time was up. */
bool child_finish(Child *child, double seconds, char **output, int *status);

/* ---- folder.c ---- */
typedef struct {
    char path[64]; /* "build/run/XXXXXX"; "": none */
    int lock;
} Folder;

/* Makes a folder of the run's own, and clears away those of checkers that are gone. */
bool folder_make(Folder *folder, char *error, size_t error_size);
void folder_remove(Folder *folder);

/* ---- channel.c ----
 * A process at the other end of a channel, which is asked and answers. */
enum { MOST_WAITED = 300 }; /* seconds in a check; what waits longer has no machine to run on */

/* Of a process, all told: the seconds that it ran, and those in which it was ready to run and had
 * no processor. 0 where the system does not say. */
typedef struct {
    double ran, waited;
} Turns;

typedef struct {
    Child child;
    int end; /* ours; never blocks */
    Buffer request, reply, printed;
    size_t printed_total;
    double call_limit;   /* seconds for one call */
    size_t memory_limit; /* bytes */
    size_t printed_limit;
    const int *lent;       /* as in Launch */
    bool loading;          /* the child has come so far that the learner's code may run */
    double until, budget;  /* when all calls must be over, and the seconds they had; 0: no limit */
    int schedstat;         /* the child's, /proc/PID/schedstat, or -1 */
    Turns said;            /* what that said when a limit was last near */
    double own_waited;     /* what ours said then, or behind an answer */
    double patience;       /* how much of both still counts in this check */
    unsigned long threads; /* that the child was last seen to have */
    double look_again;     /* when its memory and threads are looked at next */
} Channel;

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

/* Starts a program with its end of a new channel. Its limits are set before. */
bool channel_start(Channel *c, const char *const argv[], const Limits *limits);
/* Sends c->request and waits for one frame, in c->reply, with at most `most` bytes of payload. */
Outcome exchange(Channel *c, double limit, size_t most, FrameHead *head);
const char *payload_of(const Channel *c); /* of that frame */
/* How long the child waited for a processor since this was last asked: so long the limits are put
 * off. Asked when one is near, not for every call. */
double waited_since(Channel *c);
void channel_budget(Channel *c, double seconds); /* for all that is asked from now on */
double channel_time_left(Channel *c);
/* When it is GONE: the channel only, not the process. */
bool channel_closed(const Channel *c);
int channel_end(Channel *c); /* its wait status */
void channel_free(Channel *c);

/* ---- build.c ---- */
enum { PATH_SIZE = 1024 };

/* A learner's file as the compiler makes it an object, and how it is to be called. */
typedef struct {
    const char *source; /* its name, as in RunnerOptions */
    const char *path;   /* where it lies */
    const char *shown;  /* its name, on one line */
    Folder folder;      /* and in it: */
    char copy[80];      /* x.c: what is graded. So it is C, whatever its own name is */
    char object[80];    /* x.so */
    char calls[80];     /* calls.o; "": the lesson has none */
} Built;

struct Runner {
    RunnerOptions options;
    Built built;
    char *warnings;
    size_t said; /* of an error's text: the compiler's own words, its beginning */
    Child compiler;
    Channel worker;
    char begin_error[256];
    bool machine;        /* what went wrong is this machine's doing */
    uint64_t token;      /* of the request */
    bool loads;          /* the object was loaded before, so it will be again */
    Answer never_loaded; /* how loading ended, if it ended the worker */
};

/* Makes the folder and the copy in it. */
bool build_prepare(Runner *runner, char *error, size_t error_size);
/* Starts the compiler. `other`: options that take the place of usual ones; "". */
bool build_start(const Runner *runner, const char *other, Child *compiler);
/* Waits for it. NULL: `error` says why there is no object; else the warnings, to be freed. */
char *build_finish(Runner *runner, Child *compiler, char *error, size_t error_size);

/* ---- reason.c ---- */
/* Fills in ending, reason and ended_by, with the line of the innermost frame in the learner's file.
 * `function` may be NULL: while loading. `lengths`: the elements of each parameter. */
void explain_report(const Built *built, const Channel *channel, const Function *function,
                    const size_t *lengths, const WireReport *report, Answer *answer);
/* For a worker that is gone without a report: its wait status, or it only closed the channel. */
void explain_silence(int status, bool closed, Answer *answer);
void explain_missing(const Built *built, const Function *function, Answer *answer);
/* In what the dynamic linker says, the symbol that is nowhere; NULL: it says another thing. */
const char *missing_symbol(const char *said);
/* What the dynamic linker says: a symbol that is defined nowhere, or too large an object. */
void explain_linker(Runner *r, const char *said, char *error, size_t error_size);

/* ---- runner.c ---- */
extern const Runners processes;
/* The request for a case. `lengths`: the elements of each parameter. The size of the answer. */
size_t put_case(Buffer *request, FrameKind kind, uint64_t token, const Case *c, size_t *lengths);

/* ---- optimized.c ---- */
/* Compiles a lesson's functions without sanitizers, with `speed` (options, NULL behind the last)
 * among the compiler's options. False: its words are on stderr, below "... for `what`". */
bool optimized_build(const char *lesson, const char *source, const char *object, const char *folder,
                     const char *const *speed, const char *what);

/* ---- interrupt.c ---- */
/* From here on Ctrl-C writes that text to stderr before this process ends, with its children; NULL:
 * no longer. Called when the children are there. */
void on_interrupt(const char *said);

/* ---- trials.c ---- */
extern const struct Trials process_trials;

/* ---- debug.c ---- */
void debug_case(Runner *runner, const Case *c); /* as in Runners */

/* ---- protection.c ---- */
enum { LANDLOCK = 1, SECCOMP = 2 };
unsigned active_layers(void);    /* of the two */
char *missing_protections(void); /* as in Runners */

/* ---- system.c ---- */
/* Seconds for limits: a step of more than one second counts as one. Who waits for a process asks
 * several times in each, so such a step is a suspended machine, or a process that was stopped, and
 * nobody who was waited for had it. One thread's, and none of the time of day. */
double clock_awake(void);
/* Processor time of this process and of those that it has waited for. */
double time_worked(void);

/* ---- files.c ---- */
char *read_open_file(int file, size_t most,
                     size_t *length); /* and closes it; EFBIG: it is longer */
/* A file that is not there yet, whole or not at all; `sync`: and on the disk. False: errno. */
bool write_new_file(const char *path, const char *text, size_t length, bool sync);

#endif
