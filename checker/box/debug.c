/* One call of the learner's function under gdb or lldb: the same inputs, the same worker, but no
 * sandbox and no limits, and a shared object in which every line is still there.
 *
 * The debugger takes over this process, and with it the lock on the run's folder: what it needs is
 * there for as long as it runs. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The debugger also stops where a sanitizer has found something: `up` leads to the line. */
#if SANITIZED
#define AT_FINDINGS(option, stop)                                                                  \
    option, stop " __asan_on_error", option, stop " __ubsan_on_report",
#else
#define AT_FINDINGS(option, stop)
#endif

static bool save_case(Runner *r, const Case *c, const char *path)
{
    size_t lengths[MAX_PARAMS];
    put_case(&r->worker.request, CALL, 0, c, lengths);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(r->worker.request.data, r->worker.request.length, 1, file) == 1;
    return fclose(file) == 0 && written;
}

static bool compile_for_debugger(Runner *r, char *error, size_t error_size)
{
    Child compiler;
    unlink(r->built.object); /* the worker still runs the one that is there */
    if (!build_start(r, "-O0 -g", &compiler)) {
        snprintf(error, error_size, "Can't start the compiler: %s.", strerror(errno));
        return false;
    }
    char *warnings = build_finish(r, &compiler, error, error_size);
    free(warnings);
    return warnings != NULL;
}

/* Both come back only when the debugger can't be started. */
static void become_gdb(const char *function, const char *saved_case, const char *object)
{
    char stop[NAME_SIZE + 32];
    snprintf(stop, sizeof stop, "break %s", function);
    execlp("gdb", "gdb", "-q", "-ex", "set breakpoint pending on", "-ex", "set confirm off", "-ex",
           stop, AT_FINDINGS("-ex", "break") "-ex", "run", "--args", "build/worker", "--replay",
           saved_case, object, (char *)NULL);
}

static void become_lldb(const char *function, const char *saved_case, const char *object)
{
    char stop[NAME_SIZE + 32];
    snprintf(stop, sizeof stop, "breakpoint set --name %s", function);
    execlp("lldb", "lldb", "-o", "settings set auto-confirm true", "-o", stop,
           AT_FINDINGS("-o", "breakpoint set --name") "-o", "run", "--", "build/worker", "--replay",
           saved_case, object, (char *)NULL);
}

static void become_debugger(Runner *r, const char *function, const char *saved_case)
{
    channel_end(&r->worker);
    signal(SIGPIPE, SIG_DFL);
    fcntl(r->built.folder.lock, F_SETFD, 0);
#ifdef __APPLE__
    become_lldb(function, saved_case, r->built.object);
#endif
    become_gdb(function, saved_case, r->built.object);
    become_lldb(function, saved_case, r->built.object);
    fprintf(stderr,
            "make debug needs gdb or lldb, and neither can be started: %s.\n"
            "Get one with: apt-get install gdb (on macOS: xcode-select --install)\n",
            strerror(errno));
}

void debug_case(Runner *r, const Case *c)
{
    char error[8192] = "", saved_case[sizeof r->built.object + 8];
    snprintf(saved_case, sizeof saved_case, "%s/case", r->built.folder.path);
    if (!compile_for_debugger(r, error, sizeof error))
        write_build_error(stderr, error, error + r->said);
    else if (!save_case(r, c, saved_case))
        fprintf(stderr, "Can't write %s: %s.\n", saved_case, strerror(errno));
    else
        become_debugger(r, learners_function(c->function->name), saved_case);
    processes.stop(r);
}
