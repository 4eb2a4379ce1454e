/* A seccomp filter that asks, and who answers it. See box.h. */
#include "box.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif

#if defined(SECCOMP_RET_USER_NOTIF) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* A call that opens a file: where its path and its flags are. */
typedef struct {
    int call, folder, path, flags; /* numbers of arguments; -1: it has none */
} Opening;
static const Opening openings[] = {
    {SYS_openat, 0, 1, 2},
#ifdef __x86_64__
    {SYS_open, -1, 0, 1},
    {SYS_creat, -1, 0, -1},
#endif
};
enum { OPENINGS = sizeof openings / sizeof *openings };

/* The filter's descriptor; -1: there is none. Of a call that opens by other means it is said that
 * the kernel is too old for it, and callers then take openat(). */
static int install(void)
{
    const unsigned asks = SECCOMP_RET_USER_NOTIF, unknown = SECCOMP_RET_ERRNO | ENOSYS;
    const int unneeded[] = {437 /* openat2 */, SYS_open_by_handle_at, 425 /* io_uring_setup */};
    struct sock_filter code[32];
    unsigned short n = 0;
#define EMIT(what, k, yes, no) code[n++] = (struct sock_filter){(what), (yes), (no), (k)}
    EMIT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    EMIT(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    EMIT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    EMIT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    for (int i = 0; i < OPENINGS; i++) {
        EMIT(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)openings[i].call, 0, 1);
        EMIT(BPF_RET | BPF_K, asks, 0, 0);
    }
    for (size_t i = 0; i < sizeof unneeded / sizeof *unneeded; i++) {
        EMIT(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)unneeded[i], 0, 1);
        EMIT(BPF_RET | BPF_K, unknown, 0, 0);
    }
    EMIT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
#undef EMIT
    struct sock_fprog program = {n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

/* Copies a path out of another process: up to the end of a page, and then the next page. */
static bool read_path(pid_t pid, uint64_t address, char *path, size_t size)
{
    const size_t page = 4096;
    size_t first = page - address % page;
    if (first > size - 1)
        first = size - 1;
    struct iovec here = {path, size - 1};
    struct iovec there[] = {{(void *)(uintptr_t)address, first},
                            {(void *)(uintptr_t)(address + first), size - 1 - first}};
    ssize_t got = process_vm_readv(pid, &here, 1, there, 2, 0);
    if (got < 0)
        return false;
    path[got] = '\0';
    return strlen(path) < (size_t)got;
}

/* The path without links; of a file that is to be made, its folder's and its name. NULL and errno
 * where there is none. */
static char *real_path(const char *path, bool writes)
{
    char *real = realpath(path, NULL), *folder, *whole = NULL;
    if (real || errno != ENOENT || !writes)
        return real;
    const char *slash = strrchr(path, '/');
    char *above = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    folder = above ? realpath(above, NULL) : NULL;
    if (folder && asprintf(&whole, "%s/%s", folder, slash ? slash + 1 : path) < 0)
        whole = NULL;
    free(above);
    free(folder);
    return whole;
}

/* May it be opened? 0, or the error that the call fails with. */
static int decide(const Readable *readable, const char *path, uint64_t flags)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    char *real = real_path(path, writes);
    if (!real)
        return errno == ENOENT || errno == ENOTDIR ? ENOENT : EACCES;
    bool allowed = strcmp(real, "/dev/null") == 0 ||
                   (writes ? lies_in(real, readable->folder) : readable_holds(readable, real));
    free(real);
    return allowed ? 0 : EACCES;
}

static void answer(int listener, const Readable *readable)
{
    struct seccomp_notif question = {0};
    struct seccomp_notif_resp reply = {0};
    char path[4096];
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0)
        return; /* who asked is gone */
    const __u64 *args = question.data.args;
    const Opening *opening = openings;
    while (opening->call != question.data.nr)
        opening++;
    uint64_t flags = opening->flags < 0 ? O_CREAT : args[opening->flags];
    int error = EACCES;
    if (read_path((pid_t)question.pid, args[opening->path], path, sizeof path) &&
        (path[0] == '/' || opening->folder < 0 || (int)args[opening->folder] == AT_FDCWD))
        error = decide(readable, path, flags);
    reply.id = question.id;
    reply.error = -error;
    reply.flags = error ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

static _Noreturn void serve(int listener, pid_t compiler, const Readable *readable)
{
    struct pollfd fds[2] = {{listener, POLLIN, 0},
                            {(int)syscall(SYS_pidfd_open, compiler, 0), POLLIN, 0}};
    int status = 0;
    while (!fds[1].revents) {
        poll(fds, 2, -1);
        if (fds[0].revents & POLLIN)
            answer(listener, readable);
    }
    waitpid(compiler, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

bool guard_start(const Readable *readable)
{
    int listener = install();
    pid_t self = getpid(), compiler = listener < 0 ? -1 : fork();
    if (compiler > 0)
        serve(listener, compiler, readable);
    if (compiler < 0)
        return false;
    close(listener);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self)
        _exit(1);
    return true;
}

/* A call may only be let go on since Linux 5.5, and there is no other way to ask for that. */
static bool can_continue(void)
{
    struct utsname name;
    int major = 0, minor = 0;
    struct seccomp_notif_sizes sizes = {0};
    const char here[8] = "/";
    char there[8];
    int own = (int)syscall(SYS_pidfd_open, getpid(), 0);
    close(own);
    return uname(&name) == 0 && sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 5)) &&
           syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 &&
           sizes.seccomp_notif == sizeof(struct seccomp_notif) &&
           sizes.seccomp_notif_resp == sizeof(struct seccomp_notif_resp) &&
           read_path(getpid(), (uint64_t)(uintptr_t)here, there, sizeof here) && own >= 0;
}

bool guard_works(void)
{
    static int works = -1;
    int status = 1;
    if (works >= 0)
        return works;
    pid_t pid = can_continue() ? fork() : -1;
    if (pid == 0)
        _exit(install() < 0);
    if (pid > 0)
        waitpid(pid, &status, 0);
    works = pid > 0 && status == 0;
    return works;
}

#else

bool guard_works(void)
{
    return false;
}

bool guard_start(const Readable *readable)
{
    (void)readable;
    return false;
}

#endif
