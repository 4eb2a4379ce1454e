/* The worker's last words: whatever ends it, the checker learns what it was and where.
 *
 * The invariant: every way out leads through end_worker(), which sends one report and leaves. What
 * can't get here (SIGKILL, signals that the learner's code has blocked, a closed channel) the
 * checker notices from outside. This code runs in signal handlers of a process that may be in any
 * state; where it can't be safe it is short, and the checker's own deadline stands behind it. */
#include "worker.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h> /* on macOS ucontext_t too */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <ucontext.h>
#endif

static const char *object_path;
static int object_descriptor;
static volatile sig_atomic_t watching, ending;
static char *stack_top;
static size_t stack_size;

/* ---- where ---- */
/* Keeps the frames that lie in the learner's object. A return address is that of the next
 * instruction, so one less lies in the call; `exact` is the address that a signal interrupted. */
void keep_frames(WireReport *report, void *const *addresses, int count, const void *exact)
{
    report->frame_count = 0;
    for (int i = 0; i < count && report->frame_count < MAX_FRAMES; i++) {
        Dl_info info;
        if (!dladdr(addresses[i], &info) || !info.dli_fname || strcmp(info.dli_fname, object_path))
            continue;
        uint64_t offset = (uint64_t)((char *)addresses[i] - (char *)info.dli_fbase);
        report->frames[report->frame_count++] = addresses[i] == exact ? offset : offset - 1;
    }
}

enum { MOST_ADDRESSES = 3 * MAX_FRAMES };

static void find_frames(WireReport *report, const void *exact)
{
    void *addresses[MOST_ADDRESSES];
    int count = backtrace(addresses, MOST_ADDRESSES);
    keep_frames(report, addresses, count, exact);
}

static _Noreturn void leave(int status)
{
#ifdef __linux__
    syscall(SYS_exit_group, status);
#else
    (void)status; /* _exit() is our own below, and the checker goes by what was sent */
#endif
    raise(SIGKILL);
    for (;;)
        pause();
}

static _Noreturn void send_and_leave(WireReport *report)
{
    struct {
        FrameHead head;
        WireReport report;
    } frame;
    memset(&frame, 0, sizeof frame);
    frame.head = (FrameHead){ENDED, sizeof frame.report, 0};
    frame.report = *report;
    write_all(CHANNEL, &frame, sizeof frame);
    leave(WORKER_DONE);
}

/* Looking for frames can itself fail or hang in a process this broken. Whoever then comes here a
 * second time sends what the first had, without its frames. */
static void begin_to_end(const WireReport *report)
{
    static WireReport first;
    int before = ending++;
    if (before == 0)
        first = *report;
    else if (before == 1)
        send_and_leave(&first);
    else
        leave(WORKER_DONE);
}

_Noreturn void end_worker(WireReport *report)
{
    begin_to_end(report);
    find_frames(report, NULL);
    send_and_leave(report);
}

/* ---- signals ---- */
#if defined(__linux__) && defined(__x86_64__)
static uintptr_t program_counter(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static uintptr_t stack_pointer(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
}

static int was_write(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_ERR] >> 1 & 1;
}
#elif defined(__linux__) && defined(__aarch64__)
static uintptr_t program_counter(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}

static uintptr_t stack_pointer(const ucontext_t *context)
{
    return context->uc_mcontext.sp;
}

static int was_write(const ucontext_t *context)
{
    (void)context;
    return -1;
}
#elif defined(__APPLE__)
static uintptr_t program_counter(const ucontext_t *context)
{
#ifdef __aarch64__
    return context->uc_mcontext->__ss.__pc;
#else
    return context->uc_mcontext->__ss.__rip;
#endif
}

static uintptr_t frame_pointer(const ucontext_t *context)
{
#ifdef __aarch64__
    return context->uc_mcontext->__ss.__fp;
#else
    return context->uc_mcontext->__ss.__rbp;
#endif
}

static uintptr_t stack_pointer(const ucontext_t *context)
{
#ifdef __aarch64__
    return context->uc_mcontext->__ss.__sp;
#else
    return context->uc_mcontext->__ss.__rsp;
#endif
}

static int was_write(const ucontext_t *context)
{
    (void)context;
    return -1;
}
#endif

/* A fault near the stack pointer, or with the stack pointer below the whole stack. */
static bool out_of_stack(uintptr_t address, uintptr_t sp)
{
    uintptr_t top = (uintptr_t)stack_top;
    bool near = address + 65536 > sp && address < sp + 65536;
    bool below = sp < top && sp + stack_size < top && top - sp < ((uintptr_t)1 << 30);
    return near || (below && address + stack_size < top && top - address < ((uintptr_t)1 << 30));
}

static void find_interrupted_frames(WireReport *report, const ucontext_t *context)
{
    void *interrupted = (void *)program_counter(context);
#ifdef __APPLE__
    /* There backtrace() finds nothing from a handler's own stack. But each function's frame begins
     * with the address of its caller's frame and the address to return to. */
    void *addresses[MOST_ADDRESSES] = {interrupted};
    uintptr_t frame = frame_pointer(context), top = (uintptr_t)stack_top;
    int count = 1;
    while (count < MOST_ADDRESSES && frame % sizeof frame == 0 && frame + stack_size > top &&
           frame + 2 * sizeof frame <= top) {
        const uintptr_t *saved = (const uintptr_t *)frame;
        addresses[count++] = (void *)saved[1];
        if (saved[0] <= frame)
            break;
        frame = saved[0];
    }
    keep_frames(report, addresses, count, interrupted);
#else
    find_frames(report, interrupted);
#endif
}

static void describe_fault(WireReport *report, const siginfo_t *info, const ucontext_t *context)
{
    report->writes = was_write(context);
    array_locate(report, (uintptr_t)info->si_addr);
    if (report->param < 0 && out_of_stack(report->address, stack_pointer(context)))
        report->kind = BY_STACK;
#ifdef SI_KERNEL
    /* An address that no memory could have comes without itself, as 0. */
    if (info->si_code == SI_KERNEL)
        report->address = UINTPTR_MAX;
#endif
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    WireReport report = {.kind = BY_SIGNAL, .number = signal, .param = -1, .writes = -1};
    if (signal == SIGALRM && !watching)
        return; /* the checker's patience ended just when the call did */
    if (signal == SIGALRM)
        report.kind = BY_TIME;
    if (signal == SIGSEGV || signal == SIGBUS)
        describe_fault(&report, info, context);
    begin_to_end(&report);
    find_interrupted_frames(&report, context);
    send_and_leave(&report);
}

#ifdef SYS_seccomp
/* Did a sanitizer make that system call for itself? Its runtime is a library, or part of us. */
static bool by_sanitizer(uintptr_t address)
{
    Dl_info at, here;
    if (!dladdr((void *)address, &at) || !at.dli_fname || !dladdr(&object_path, &here))
        return false;
    return at.dli_fbase == here.dli_fbase || strstr(at.dli_fname, "asan") ||
           strstr(at.dli_fname, "ubsan");
}

/* Where the C library looks things up by itself, such as the time zone in /etc/localtime. */
static bool is_system_file(const char *path)
{
    return path && (strncmp(path, "/etc/", 5) == 0 || strncmp(path, "/usr/", 5) == 0 ||
                    strncmp(path, "/sys/", 5) == 0);
}

/* A system call was refused. The dynamic linker's wish to open the learner's object is granted with
 * the descriptor that was opened before the door closed. What the learner's code did not ask for
 * fails quietly. */
static void on_refusal(int signal, siginfo_t *info, void *context)
{
    WireReport report = {.kind = BY_OFFENCE, .param = -1};
    report.number = (int)offence_of(info->si_syscall);
    bool names_file = report.number == FILE_OPENED || report.number == FILE_CHANGED;
    const char *path = names_file ? offence_path(info->si_syscall, context) : NULL;
    (void)signal;
    if (path && strcmp(path, object_path) == 0) {
        answer_call(context, dup(object_descriptor));
        return;
    }
    find_frames(&report, (void *)program_counter(context));
    if (report.frame_count == 0 || ending || is_system_file(path) ||
        by_sanitizer(program_counter(context))) {
        answer_call(context, -13); /* EACCES */
        return;
    }
    if (path)
        snprintf(report.detail, sizeof report.detail, "%s", path);
    begin_to_end(&report);
    send_and_leave(&report);
}
#endif

static void install_handlers(void)
{
#ifdef SYS_seccomp
    handle_signals(on_signal, on_refusal);
#else
    handle_signals(on_signal, NULL);
#endif
}

/* ---- exit ---- */
/* The learner's object finds these before the C library's, so that ending the process has a place
 * in the source too. */
static _Noreturn void end_by_exit(const char *function, int status)
{
    WireReport report = {.kind = BY_EXIT, .number = status, .param = -1};
    if (!end_watching() || !object_path)
        leave(status);
    snprintf(report.what, sizeof report.what, "%s", function);
    end_worker(&report);
}

/* Part of every program instead of the C library, so the object does not find it there. What it
 * registers is never called: no end of a worker is an ordinary one. */
EXPORTED int atexit(void (*function)(void))
{
    (void)function;
    return 0;
}

EXPORTED _Noreturn void exit(int status)
{
    end_by_exit("exit", status);
}

EXPORTED _Noreturn void _exit(int status)
{
    end_by_exit("_exit", status);
}

EXPORTED _Noreturn void _Exit(int status)
{
    end_by_exit("_Exit", status);
}

EXPORTED _Noreturn void quick_exit(int status)
{
    end_by_exit("quick_exit", status);
}

/* ---- watching ---- */
void end_prepare(const char *object, int object_fd, size_t memory_limit)
{
    char here;
    struct rlimit stack;
    void *address;
    object_path = object;
    object_descriptor = object_fd;
    stack_top = &here;
    stack_size = getrlimit(RLIMIT_STACK, &stack) == 0 ? (size_t)stack.rlim_cur : 8u << 20;
    backtrace(&address, 1); /* the first time loads a library, which later is refused */
    install_handlers();
    memory_prepare(memory_limit);
}

void end_watch(void)
{
    watching = 1;
}

bool end_watching(void)
{
    return watching && !ending;
}

void end_unwatch(void)
{
    watching = 0;
}
