/* Starting and ending the checker's children. See box.h. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/personality.h>
#include <sys/syscall.h>
#endif

/* Children to end when the checker is told to end by a signal. One of each kind lives at a time. */
enum { MAX_CHILDREN = 8 };
static volatile pid_t children[MAX_CHILDREN];

static void on_end(int signal)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i] > 0)
            kill(-children[i], SIGKILL);
    raise(signal); /* with the default action, which SA_RESETHAND has put back */
}

static void remember(pid_t old, pid_t new)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    static bool installed;
    for (size_t i = 0; !installed && i < sizeof ends / sizeof *ends; i++) {
        struct sigaction before, action = {.sa_handler = on_end, .sa_flags = SA_RESETHAND};
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
    }
    installed = true;
    for (int i = 0; i < MAX_CHILDREN; i++) {
        if (children[i] == old) {
            children[i] = new;
            return;
        }
    }
}

static void close_from(int first, int last)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    for (int fd = first; fd <= (last < 1024 ? last : 1024); fd++)
        close(fd);
}

/* The child's environment: what finding programs and libraries takes, and messages in English. */
static void set_environment(const char *folder)
{
    static const char *const kept[] = {"PATH", "LD_LIBRARY_PATH", "HOME", "SDKROOT"};
    char *values[4];
    for (int i = 0; i < 4; i++) {
        const char *value = getenv(kept[i]);
        values[i] = value ? strdup(value) : NULL;
    }
    static char *nothing[] = {NULL};
    extern char **environ;
    environ = nothing;
    for (int i = 0; i < 4; i++)
        if (values[i])
            setenv(kept[i], values[i], 1);
    setenv("LC_ALL", "C", 1);
    setenv("CCACHE_DISABLE", "1", 1);
    if (folder)
        setenv("TMPDIR", folder, 1);
}

static void say(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        _exit(127);
}

bool compiler_is_held(void)
{
    return landlock_version() > 0 || guard_works();
}

/* What can't be done though the kernel has it is fatal: nobody would be told. Where the kernel has
 * neither, build.c looks at what the compiler has read, and the runner's notice says so. */
static void shut_in(const Launch *launch)
{
    Readable readable;
    bool held = true;
    if (!readable_find(&readable, launch->source, launch->folder)) {
        say("build/toolchain can't be read. `make clean` and the next command make it anew.\n");
        _exit(127);
    }
    if (landlock_version() > 0) {
        held = confine_compiler(readable.paths, readable.count, readable.folder);
    } else if (guard_works()) {
        readable_resolve(&readable);
        held = guard_start(&readable);
    }
    readable_free(&readable);
    if (held)
        return;
    say("The compiler can't be shut in: ");
    say(strerror(errno));
    say("\n");
    _exit(127);
}

static _Noreturn void become(const Launch *launch, int output)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (launch->channel)
        dup2(launch->channel, CHANNEL);
    close_from(3, launch->channel ? CHANNEL - 1 : ~0u >> 1);
    for (int i = 0; launch->lent && i < LENT; i++)
        dup2(launch->lent[i], CHANNEL + 1 + i);
    if (launch->channel)
        close_from(CHANNEL + 1 + (launch->lent ? LENT : 0), ~0u >> 1);
    set_environment(launch->folder);
#ifdef __linux__
    if (launch->channel)
        personality(ADDR_NO_RANDOMIZE); /* older sanitizers need their addresses to be free */
#endif
    if (launch->source)
        shut_in(launch);
    limit_process(&launch->limits); /* the program's: what is done before it may need more */
    execvp(launch->argv[0], (char *const *)(uintptr_t)launch->argv);
    say("can't start ");
    say(launch->argv[0]);
    say(": ");
    say(strerror(errno));
    say("\n");
    _exit(127);
}

bool child_start(Child *child, const Launch *launch)
{
    int pipes[2];
    *child = (Child){0};
    if (pipe(pipes) != 0)
        return false;
    fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    pid_t pid = fork();
    if (pid == 0)
        become(launch, pipes[1]);
    close(pipes[1]);
    if (launch->channel)
        close(launch->channel);
    if (pid < 0) {
        close(pipes[0]);
        return false;
    }
    setpgid(pid, pid); /* the child does so too; whoever comes first */
    remember(0, pid);
    *child = (Child){pid, pipes[0]};
    return true;
}

static int collect(Child *child)
{
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    remember(child->pid, 0);
    close(child->output);
    *child = (Child){0};
    return status;
}

int child_end(Child *child)
{
    if (!child->pid)
        return 0;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    return collect(child);
}

bool child_finish(Child *child, double seconds, char **output, int *status)
{
    enum { MOST = 256 * 1024, LAST = 4096, LOOK_MS = 200 };
    double deadline = clock_awake() + seconds;
    Buffer text = {0};
    bool open = true, in_time = true;
    while (open && in_time) {
        struct pollfd ready = {child->output, POLLIN, 0};
        in_time = clock_awake() < deadline;
        if (!in_time || poll(&ready, 1, LOOK_MS) <= 0)
            continue;
        ssize_t got = read(child->output, buffer_room(&text, 65536), 65536);
        text.length += got > 0 ? (size_t)got : 0;
        if (text.length > MOST + LAST) { /* of much, the middle is left out */
            memmove(text.data + MOST, text.data + text.length - LAST, LAST);
            text.length = MOST + LAST;
        }
        open = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    }
    buffer_append(&text, "", 1);
    *output = text.data;
    *status = in_time ? collect(child) : child_end(child);
    return in_time;
}
