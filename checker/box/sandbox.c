/* Limits and Landlock: which files the compiler and the worker can reach. See sandbox.h.
 *
 * The invariant: a rule is only ever an addition to nothing. What is not named here is refused. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <grp.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static void set_limit(int resource, long value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)value)
        limit.rlim_max = (rlim_t)value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

void limit_process(const Limits *limits)
{
#ifdef __linux__
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
#endif
    setpgid(0, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, limits->file_bytes);
    if (limits->cpu_seconds)
        set_limit(RLIMIT_CPU, limits->cpu_seconds);
    if (limits->address_bytes)
        set_limit(RLIMIT_AS, limits->address_bytes);
    if (limits->stack_bytes)
        set_limit(RLIMIT_STACK, limits->stack_bytes);
}

void close_memory(void)
{
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0);
#endif
}

#ifdef __linux__
/* The limit does not bind root. So root becomes someone who owns nothing and runs nothing else. */
static void leave_root(void)
{
    const uid_t someone = 2000000000u + (uid_t)getpid(), nobody = 65534;
    setgroups(0, NULL);
    if (setresgid(someone, someone, someone) != 0 && setresgid(nobody, nobody, nobody) != 0)
        return;
    if (setresuid(someone, someone, someone) != 0 && setresuid(nobody, nobody, nobody) != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* which this has undone */
}
#endif

void handle_signals(SignalHandler *on_end, SignalHandler *on_refusal)
{
    static char stack[256 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTRAP};
    struct sigaction action = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    action.sa_sigaction = on_refusal;
    action.sa_flags |= SA_NODEFER;
    if (on_refusal)
        sigaction(SIGSYS, &action, NULL);
}

bool confine_processes(void)
{
    set_limit(RLIMIT_NPROC, 0);
#ifdef __linux__
    if (must_leave_root())
        leave_root();
#endif
    pid_t pid = fork();
    if (pid == 0)
        raise(SIGKILL);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return pid < 0;
}

#ifdef __linux__
/* The kernel's interface, written out because <linux/landlock.h> is missing or old on many machines
 * whose kernel has it. The numbers are the same on every architecture. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1 };
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_REG = 1 << 8,
    FS_ALL_1 = (1 << 13) - 1,
    FS_TRUNCATE = 1 << 14, /* 3 */
    NET_ALL = 3,           /* 4: bind and connect */
    SCOPE_ALL = 3,         /* 6: abstract sockets and signals */
    FS_OF_A_FILE = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE,
    FS_READ = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR,
    FS_WORK =
        FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_REMOVE_FILE,
};

struct ruleset {
    uint64_t files, net, scope;
};

struct rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/* An empty set of rules that covers what this kernel can refuse. Moving a file to another folder is
 * refused by any set, and what a device can do begins with opening it. */
static int new_ruleset(uint64_t *covered)
{
    int version = landlock_version();
    if (version < 1)
        return -1;
    struct ruleset set = {FS_ALL_1, 0, 0};
    size_t size = sizeof set.files;
    if (version >= 3)
        set.files |= FS_TRUNCATE;
    if (version >= 4) {
        set.net = NET_ALL;
        size += sizeof set.net;
    }
    if (version >= 6) {
        set.scope = SCOPE_ALL;
        size += sizeof set.scope;
    }
    *covered = set.files;
    return (int)syscall(CREATE_RULESET, &set, size, 0);
}

static bool enforce(int ruleset)
{
    bool done =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, ruleset, 0) == 0;
    close(ruleset);
    return done;
}

static void allow(int ruleset, const char *path, uint64_t allowed)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    struct rule rule = {allowed, fd};
    if (syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) != 0 && errno == EINVAL) {
        rule.allowed &= FS_OF_A_FILE; /* it is no folder */
        syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

bool confine_compiler(char *const *readable, int count, const char *folder)
{
    uint64_t covered;
    int ruleset = new_ruleset(&covered);
    if (ruleset < 0)
        return false;
    for (int i = 0; i < count; i++)
        allow(ruleset, readable[i], FS_READ);
    allow(ruleset, "/dev/null", FS_READ_FILE | FS_WRITE_FILE);
    allow(ruleset, folder, covered & FS_WORK);
    return enforce(ruleset);
}

bool confine_files(const char *object)
{
    uint64_t covered;
    int ruleset = new_ruleset(&covered);
    if (ruleset < 0)
        return false;
    allow(ruleset, object, FS_READ_FILE);
    return enforce(ruleset);
}

int landlock_version(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, 1);
    return version < 0 ? 0 : (int)version;
}

bool seccomp_works(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

bool must_leave_root(void)
{
    return geteuid() == 0 && !seccomp_works();
}

/* Its rights are opened too: whoever has the descriptor may read it. */
void name_by_descriptor(char *name, size_t size, int fd)
{
    fchmod(fd, 0555);
    snprintf(name, size, "/proc/self/fd/%d", fd);
}

#else

bool confine_compiler(char *const *readable, int count, const char *folder)
{
    (void)readable, (void)count, (void)folder;
    return false;
}

bool confine_files(const char *object)
{
    (void)object;
    return false;
}

int landlock_version(void)
{
    return 0;
}

bool seccomp_works(void)
{
    return false;
}

bool must_leave_root(void)
{
    return false;
}

/* Its rights are opened too: whoever has the descriptor may read it. */
void name_by_descriptor(char *name, size_t size, int fd)
{
    (void)name, (void)size, (void)fd;
}

#endif

const char *close_doors(const char *object)
{
    if (landlock_version() > 0 && !confine_files(object))
        return "Landlock is there, and can't be used";
    if (!seccomp_works())
        confine_processes();
    else if (!confine_calls())
        return "seccomp is there, and can't be used";
    return NULL;
}
