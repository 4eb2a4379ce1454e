/* The system calls that the learner's code has: those that computing, allocating, printing and
 * threads need. A seccomp filter, written as the kernel reads it. See sandbox.h.
 *
 * The invariant: a list of what is allowed, so that a call that nobody thought of is refused. */
#include "sandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* clang-format off */
static const int allowed[] = {
    /* what every call uses, first: the filter is a chain of comparisons */
    SYS_read, SYS_write, SYS_mprotect, SYS_setitimer, SYS_clock_gettime, SYS_mmap, SYS_munmap,
    SYS_madvise, SYS_futex, SYS_brk, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn,
    SYS_exit_group, SYS_exit, SYS_close, SYS_fstat, SYS_lseek, SYS_pread64, SYS_readv, SYS_writev,
    SYS_mremap, SYS_mincore, SYS_sigaltstack, SYS_sched_yield, SYS_getpid, SYS_gettid,
    SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_getres, SYS_getrandom,
    SYS_set_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_getcpu, SYS_getrusage, SYS_times, SYS_sysinfo,
    SYS_uname, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getppid, SYS_getrlimit,
    SYS_restart_syscall, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_getitimer,
    SYS_dup, SYS_dup3, SYS_readlinkat, SYS_ppoll, SYS_pselect6, SYS_futex_waitv,
#ifdef __x86_64__
    SYS_dup2, SYS_poll, SYS_select, SYS_alarm, SYS_pause, SYS_time, SYS_readlink, SYS_arch_prctl,
#endif
};

static const struct {
    int call;
    Offence offence;
} refused[] = {
    {SYS_openat, FILE_OPENED},
    {SYS_unlinkat, FILE_CHANGED}, {SYS_renameat, FILE_CHANGED}, {SYS_renameat2, FILE_CHANGED},
    {SYS_mkdirat, FILE_CHANGED}, {SYS_linkat, FILE_CHANGED}, {SYS_symlinkat, FILE_CHANGED},
    {SYS_mknodat, FILE_CHANGED}, {SYS_truncate, FILE_CHANGED}, {SYS_fchmodat, FILE_CHANGED},
    {SYS_fchownat, FILE_CHANGED},
    {SYS_execve, PROCESS}, {SYS_execveat, PROCESS}, {SYS_clone, PROCESS}, {SYS_setsid, PROCESS},
    {SYS_setpgid, PROCESS}, {SYS_unshare, PROCESS}, {SYS_setns, PROCESS},
    {SYS_socket, NETWORK}, {SYS_socketpair, NETWORK}, {SYS_connect, NETWORK}, {SYS_bind, NETWORK},
    {SYS_sendto, NETWORK}, {SYS_sendmsg, NETWORK}, {SYS_recvfrom, NETWORK},
    {SYS_recvmsg, NETWORK}, {SYS_io_uring_setup, NETWORK},
    {SYS_kill, SIGNAL}, {SYS_tkill, SIGNAL}, {SYS_tgkill, SIGNAL}, {SYS_rt_sigqueueinfo, SIGNAL},
    {SYS_rt_tgsigqueueinfo, SIGNAL}, {SYS_pidfd_send_signal, SIGNAL},
    {SYS_ptrace, TRACE}, {SYS_process_vm_readv, TRACE}, {SYS_process_vm_writev, TRACE},
    {SYS_pidfd_open, TRACE}, {SYS_pidfd_getfd, TRACE}, {SYS_kcmp, TRACE},
#ifdef __x86_64__
    {SYS_open, FILE_OPENED}, {SYS_creat, FILE_OPENED}, {SYS_unlink, FILE_CHANGED},
    {SYS_rename, FILE_CHANGED}, {SYS_mkdir, FILE_CHANGED}, {SYS_rmdir, FILE_CHANGED},
    {SYS_link, FILE_CHANGED}, {SYS_symlink, FILE_CHANGED}, {SYS_mknod, FILE_CHANGED},
    {SYS_chmod, FILE_CHANGED}, {SYS_chown, FILE_CHANGED},
    {SYS_fork, PROCESS}, {SYS_vfork, PROCESS},
#endif
};
/* clang-format on */

enum { ALLOWED = sizeof allowed / sizeof *allowed, REFUSED = sizeof refused / sizeof *refused };

/* The filter under construction. A rule that compares an argument jumps within itself. */
typedef struct {
    struct sock_filter code[4 + 2 * ALLOWED + 2 * REFUSED + 64];
    unsigned short length;
} Filter;

static void emit(Filter *f, unsigned short code, unsigned k, unsigned char yes, unsigned char no)
{
    f->code[f->length++] = (struct sock_filter){code, yes, no, k};
}

static void load(Filter *f, size_t offset)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void end_with(Filter *f, unsigned action)
{
    emit(f, BPF_RET | BPF_K, action, 0, 0);
}

static void if_call(Filter *f, int call, unsigned action)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
    end_with(f, action);
}

/* The call is allowed if the low half of that argument, under `mask`, is one of the values. */
static void if_argument(Filter *f, int call, int argument, unsigned mask, const unsigned *values,
                        int count, unsigned otherwise)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, (unsigned char)(3 + 2 * count));
    load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)argument); /* little-endian */
    emit(f, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    for (int i = 0; i < count; i++) {
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
        end_with(f, SECCOMP_RET_ALLOW);
    }
    end_with(f, otherwise);
}

static void special_calls(Filter *f)
{
    const unsigned fails = SECCOMP_RET_ERRNO | EPERM, self = (unsigned)getpid();
    const unsigned thread[] = {CLONE_THREAD};
    const unsigned vma[] = {PR_SET_VMA, PR_SET_NAME, PR_GET_NAME};
    const unsigned fd_flags[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
    const unsigned empty_path[] = {AT_EMPTY_PATH};
    if_argument(f, SYS_clone, 0, CLONE_THREAD, thread, 1, SECCOMP_RET_TRAP);
    if_argument(f, SYS_kill, 0, ~0u, &self, 1, SECCOMP_RET_TRAP);
    if_argument(f, SYS_tgkill, 0, ~0u, &self, 1, SECCOMP_RET_TRAP);
    if_argument(f, SYS_prctl, 0, ~0u, vma, 3, fails);
    if_argument(f, SYS_fcntl, 1, ~0u, fd_flags, 5, fails);
    if_argument(f, SYS_newfstatat, 3, AT_EMPTY_PATH, empty_path, 1, SECCOMP_RET_ERRNO | EACCES);
    if_call(f, SYS_prlimit64, fails);
    if_call(f, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
}

bool confine_calls(void)
{
    static Filter f;
    f.length = 0;
    load(&f, offsetof(struct seccomp_data, arch));
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    end_with(&f, SECCOMP_RET_KILL_PROCESS);
    load(&f, offsetof(struct seccomp_data, nr));
#ifdef X32_BIT
    emit(&f, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    end_with(&f, SECCOMP_RET_KILL_PROCESS);
#endif
    for (int i = 0; i < ALLOWED; i++)
        if_call(&f, allowed[i], SECCOMP_RET_ALLOW);
    special_calls(&f);
    for (int i = 0; i < REFUSED; i++)
        if_call(&f, refused[i].call, SECCOMP_RET_TRAP);
    end_with(&f, SECCOMP_RET_ERRNO | ENOSYS);
    struct sock_fprog program = {f.length, f.code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

Offence offence_of(int system_call)
{
    for (int i = 0; i < REFUSED; i++)
        if (refused[i].call == system_call)
            return refused[i].offence;
    return NO_OFFENCE;
}

const char *offence_path(int system_call, void *context)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    /* The ...at calls have a folder before the path. */
#ifdef __x86_64__
    bool first = system_call == SYS_open || system_call == SYS_creat ||
                 system_call == SYS_truncate || system_call == SYS_unlink ||
                 system_call == SYS_rename || system_call == SYS_mkdir ||
                 system_call == SYS_rmdir || system_call == SYS_chmod || system_call == SYS_chown;
    if (system_call == SYS_link || system_call == SYS_symlink || system_call == SYS_symlinkat ||
        system_call == SYS_mknod)
        return NULL;
    return (const char *)machine->gregs[first ? REG_RDI : REG_RSI];
#else
    if (system_call == SYS_symlinkat)
        return NULL;
    return (const char *)machine->regs[system_call == SYS_truncate ? 0 : 1];
#endif
}

void answer_call(void *context, long value)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#ifdef __x86_64__
    machine->gregs[REG_RAX] = value;
#else
    machine->regs[0] = (unsigned long long)value;
#endif
}

#else

bool confine_calls(void)
{
    return false;
}

Offence offence_of(int system_call)
{
    (void)system_call;
    return NO_OFFENCE;
}

const char *offence_path(int system_call, void *context)
{
    (void)system_call, (void)context;
    return NULL;
}

void answer_call(void *context, long value)
{
    (void)context, (void)value;
}

#endif
