/* One call of the learner's function under gdb: the same inputs, the same worker, but no sandbox
 * and no limits, and a shared object in which every line is still there.
 *
 * What gdb needs stays in build/debug/, so that the same call can be looked at again. */
#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "build/debug"
#define SAVED_CASE FOLDER "/case"
/* gdb also stops where a sanitizer has found something: `up` leads to the line. */
#if SANITIZED
#define SANITIZER_STOPS "-ex", "break __asan_on_error", "-ex", "break __ubsan_on_report",
#else
#define SANITIZER_STOPS
#endif

static bool save_case(Runner *r, const Case *c)
{
    size_t lengths[MAX_PARAMS];
    put_case(&r->request, CALL, 0, c, lengths);
    FILE *file = fopen(SAVED_CASE, "wb");
    if (!file)
        return false;
    bool written = fwrite(r->request.data, r->request.length, 1, file) == 1;
    return fclose(file) == 0 && written;
}

static bool compile_for_debugger(Runner *r, char *error, size_t error_size)
{
    Child compiler;
    build_remove_folder(r->folder);
    snprintf(r->folder, sizeof r->folder, FOLDER);
    snprintf(r->object, sizeof r->object, FOLDER "/x.so");
    if (!build_start(r, "-O0", &compiler)) {
        snprintf(error, error_size, "Can't start the compiler: %s.", strerror(errno));
        return false;
    }
    char *warnings = build_finish(r, &compiler, error, error_size);
    free(warnings);
    return warnings != NULL;
}

void runner_debug(Runner *r, const Case *c)
{
    char error[8192] = "", stop[NAME_SIZE + 16];
    mkdir(FOLDER, 0777);
    if (!compile_for_debugger(r, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
    } else if (!save_case(r, c)) {
        fprintf(stderr, "Can't write " SAVED_CASE ": %s.\n", strerror(errno));
    } else {
        snprintf(stop, sizeof stop, "break %s", c->function->name);
        r->folder[0] = '\0'; /* it stays */
        runner_stop(r);
        signal(SIGPIPE, SIG_DFL);
        execlp("gdb", "gdb", "-q", "-ex", "set breakpoint pending on", "-ex", "set confirm off",
               "-ex", stop, SANITIZER_STOPS "-ex", "run", "--args", "build/worker", "--replay",
               SAVED_CASE, FOLDER "/x.so", (char *)NULL);
        fprintf(stderr,
                "make debug needs gdb, and it can't be started: %s.\n"
                "On Debian: apt install gdb\n",
                strerror(errno));
        return;
    }
    runner_stop(r);
}
