/* What the compiler and the worker may not do.
 *
 * Two doors of the Linux kernel, both open to everyone and both effective on root: Landlock (which
 * files can be opened, TCP, signals to strangers) and seccomp (which system calls there are at
 * all). Where a door is missing the rest still holds, and the caller is told. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "ended.h" /* Offence */

/* ---- sandbox.c ---- */
/* For a process between fork() and exec(): it dies with its parent, has no controlling input and
 * its own process group, and can neither dump core nor run or write for ever. */
typedef struct {
    long file_bytes;                              /* of any file that it writes */
    long cpu_seconds, address_bytes, stack_bytes; /* 0: no limit */
} Limits;
void limit_process(const Limits *limits);

/* From here on other processes of this user can't look into this one. */
void close_memory(void);

/* Landlock's version here, 0: it is missing. From 3 on it covers shortening a file, from 4 on TCP,
 * from 6 on signals. */
int landlock_version(void);
/* Is seccomp there? Then confine_calls() holds. */
bool seccomp_works(void);
/* From here on this process may read those files and folders and nothing else, and write only in
 * `folder`. */
bool confine_compiler(char *const *readable, int count, const char *folder);
/* From here on this process may open no file but `object`, and speak to no other process. */
bool confine_files(const char *object);
/* For where seccomp is missing: from here on this process can start no other, and no thread either,
 * and it is not root. False: it was tried, and another process can be started. */
bool confine_processes(void);
/* Is this process root, and will it have to stop being that? It can then open a file that is open
 * already only by this name. */
bool must_leave_root(void);
void name_by_descriptor(char *name, size_t size, int fd);

/* All that there is of these for a process that runs a learner's code and opens no file but
 * `object`. NULL: done; else what the kernel has and yet refuses, and nothing may run. */
const char *close_doors(const char *object);

/* Hands the signals that end a process to `on_end`, on a stack of its own, and the calls that
 * seccomp refuses to `on_refusal`; NULL: there is no seccomp. */
typedef void SignalHandler(int signal, siginfo_t *info, void *context);
void handle_signals(SignalHandler *on_end, SignalHandler *on_refusal);

/* ---- sandbox_calls.c ---- */
/* From here on this process has only the system calls that computing needs. Those of an offence
 * raise SIGSYS, the others fail with ENOSYS. */
bool confine_calls(void);
/* For the SIGSYS handler. */
Offence offence_of(int system_call);
/* The path that a call which offends by FILE_... was given, or NULL. */
const char *offence_path(int system_call, void *context);
/* Lets the refused call return `value` once the SIGSYS handler returns. */
void answer_call(void *context, long value);

#endif
