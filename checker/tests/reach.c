/* A learner's file for lesson 01 whose first call tries to reach everything that is outside of its
 * process, and prints what it reached. test_sandbox.py puts in where: a folder, the number of a TCP
 * port, the name of an abstract socket, another process of the same user.
 *
 * A call that seccomp refuses raises a signal. This file handles it, as an enemy would, and goes on
 * with a call that failed. */
#define _GNU_SOURCE
#include "01_layer_norm.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>

#define TRY(what, reached)                                                                         \
    do {                                                                                           \
        errno = 0;                                                                                 \
        if (reached)                                                                               \
            puts(what);                                                                            \
    } while (0)

static void on_refusal(int signal, siginfo_t *info, void *context)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    (void)signal, (void)info;
#ifdef __x86_64__
    machine->gregs[REG_RAX] = -EPERM;
#else
    machine->regs[0] = (unsigned long long)-EPERM;
#endif
}

static int opens(const char *path, int flags)
{
    return open(path, flags, 0666) >= 0;
}

/* Either file of the checker's begins so, and none that is this process's own under its number. */
static int reads(int file)
{
    char first = 0;
    return pread(file, &first, 1, 0) == 1 && (first == '/' || first == '"');
}

static void reach_files(void)
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", getppid());
    TRY("read a file of the checker's", reads(57) || reads(LOW));
    TRY("read a solution", opens("solutions/01_layer_norm.c", O_RDONLY));
    TRY("read the passwords", opens("/etc/passwd", O_RDONLY));
    TRY("list a folder", opens(".", O_RDONLY | O_DIRECTORY));
    TRY("open the checker's memory", opens(memory, O_RDONLY));
    TRY("write into a file", opens("PLACE/file", O_WRONLY));
    TRY("make a file", opens("PLACE/made", O_WRONLY | O_CREAT));
    TRY("make a folder", mkdir("PLACE/folder", 0777) == 0);
    TRY("make a folder where everyone may", mkdir("PLACE/open/folder", 0777) == 0);
    TRY("make a link", symlink("file", "PLACE/link") == 0);
    TRY("make a hard link", link("PLACE/file", "PLACE/hard") == 0);
    TRY("link a file into another folder", link("PLACE/file", "PLACE/open/hard") == 0);
    TRY("make a pipe", mkfifo("PLACE/pipe", 0666) == 0);
    TRY("make a socket", mknod("PLACE/own", S_IFSOCK | 0666, 0) == 0);
    TRY("make a device", mknod("PLACE/device", S_IFCHR | 0666, 0) == 0);
    TRY("remove a file", unlink("PLACE/unwanted") == 0);
    TRY("remove a folder", rmdir("PLACE/empty") == 0);
    TRY("rename a file", rename("PLACE/other", "PLACE/renamed") == 0);
    TRY("shorten a file", truncate("PLACE/file", 1) == 0);
    TRY("change a file's rights", chmod("PLACE/file", 0600) == 0);
    TRY("change a file's owner", chown("PLACE/file", getuid(), getgid()) == 0);
    TRY("change a file's date", utimensat(AT_FDCWD, "PLACE/file", NULL, 0) == 0);
    TRY("see that a file is there", access("/etc/passwd", F_OK) == 0);
    TRY("mount", mount("none", "PLACE/empty", "tmpfs", 0, NULL) == 0);
}

static int starts(long pid)
{
    if (pid == 0)
        syscall(SYS_exit_group, 0);
    return pid > 0;
}

static void reach_processes(void)
{
    unsigned long long how[8] = {0, 0, 0, 0, SIGCHLD};
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY}, now;
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)4096, 1};
    const pid_t checker = getppid();
    TRY("fork", starts(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
    TRY("clone3", starts(syscall(435, how, sizeof how)));
#ifdef SYS_vfork
    TRY("vfork", starts(syscall(SYS_fork)));
#endif
    TRY("signal the checker", kill(checker, 0) == 0);
    TRY("signal another program", kill(OTHER, 0) == 0);
    TRY("signal the checker's thread", syscall(SYS_tgkill, checker, checker, 0) == 0);
    TRY("trace the checker", ptrace(PTRACE_SEIZE, checker, NULL, NULL) == 0);
    TRY("read the checker's memory",
        process_vm_readv(checker, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
    TRY("write what it likes into a file",
        syscall(SYS_getrlimit, RLIMIT_FSIZE, &now) || now.rlim_max);
    TRY("leave its memory in a file", syscall(SYS_getrlimit, RLIMIT_CORE, &now) || now.rlim_max);
    TRY("raise a limit", setrlimit(RLIMIT_FSIZE, &none) == 0);
    TRY("control a descriptor", ioctl(1, FIONREAD, &(int){0}) == 0);
    TRY("read the checker's environment", getenv("REACHED"));
    TRY("stay when the checker is killed", prctl(PR_SET_PDEATHSIG, 0) == 0);
    TRY("become root", getuid() != 0 && setuid(0) == 0);
    TRY("stay in a group of root's", getuid() != 0 && (getgid() == 0 || getgroups(0, NULL) > 0));
}

static int connects(int kind, const void *address, size_t size)
{
    return connect(socket(kind, SOCK_STREAM, 0), address, (socklen_t)size) == 0;
}

static void reach_others(void)
{
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(PORT)}, any = port;
    struct sockaddr_un named = {AF_UNIX, "PLACE/socket"}, abstract = {AF_UNIX, "\0ABSTRACT"};
    const size_t start = offsetof(struct sockaddr_un, sun_path);
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    any.sin_port = 0;
    int shared, queue;
    TRY("connect by TCP", connects(AF_INET, &port, sizeof port));
    TRY("serve TCP", bind(socket(AF_INET, SOCK_STREAM, 0), (void *)&any, sizeof any) == 0);
    TRY("send by UDP", socket(AF_INET, SOCK_DGRAM, 0) >= 0);
    TRY("connect to a local socket", connects(AF_UNIX, &named, sizeof named));
    TRY("connect to an abstract socket",
        connects(AF_UNIX, &abstract, start + sizeof "\0ABSTRACT" - 1));
    TRY("share memory",
        (shared = shmget(IPC_PRIVATE, 4096, 0600)) >= 0 && shmctl(shared, IPC_RMID, NULL) == 0);
    TRY("make a queue",
        (queue = msgget(IPC_PRIVATE, 0600)) >= 0 && msgctl(queue, IPC_RMID, NULL) == 0);
}

float row_mean(const float *x, int features)
{
    return x[0] * (float)features;
}

float row_variance(const float *x, int features, float mean)
{
    return x[0] * mean * (float)features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    struct sigaction action = {.sa_sigaction = on_refusal, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    y[0] = x[0] + gamma[0] + beta[0] + eps + (float)(rows + features);
    reach_files();
    reach_processes();
    reach_others();
    puts("tried everything");
    execl("/bin/sh", "sh", "-c", ":", (char *)NULL);
    puts("and was stopped");
}
