/* What ended a call, as one sentence that a learner can act on, with the line where it was.
 *
 * The invariant: the words are the checker's. From the worker come numbers, which index tables
 * here, and two short texts, of which only printable characters are kept. */
#include "box.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- the line ----
 * From an offset in the shared object to a line of the learner's file, by asking addr2line. Only
 * needed when something has gone wrong, so it may take its 10 ms. */
#ifdef __APPLE__
static const char *const tools[] = {"atos", NULL};
#else
static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14", NULL};
#endif

/* "/home/me/book/exercises/a.c:23 (discriminator 1)": 23 if it is that file. */
static long line_in(const char *text, const char *source)
{
    while (strncmp(source, "./", 2) == 0)
        source += 2;
    const char *colon = strrchr(text, ':');
    size_t length = strlen(source);
    if (!colon || (size_t)(colon - text) < length)
        return 0;
    const char *name = colon - length;
    if (strncmp(name, source, length) != 0 || (name > text && name[-1] != '/'))
        return 0;
    return strtol(colon + 1, NULL, 10);
}

static char *ask(const Built *built, const char *tool, const WireReport *report)
{
    char addresses[MAX_FRAMES + 2][32];
    const char *argv[MAX_FRAMES + 10] = {tool, "-i", "-e", built->object};
    int count = 4, status;
    char *output = NULL;
    Child child;
#ifdef __APPLE__
    /* A bundle's own addresses begin at 0, so the offsets are such addresses. */
    argv[1] = "-fullPath", argv[2] = "-o", argv[3] = built->object;
    argv[count++] = "-i";
#endif
    uint32_t frames = report->frame_count < MAX_FRAMES ? report->frame_count : MAX_FRAMES;
    for (uint32_t i = 0; i < frames + 2; i++) {
        /* Compilers leave some instructions without a line: their neighbours are asked last. */
        uint64_t address =
            i < frames ? report->frames[i] : report->frames[0] + 8 - (i - frames) * 16;
        snprintf(addresses[i], sizeof addresses[i], "0x%llx", (unsigned long long)address);
        argv[count++] = addresses[i];
    }
    argv[count] = NULL;
    enum { SECONDS = 5, PATIENCE = 60 }; /* until a busy machine has given them */
    Limits limits = {.file_bytes = 1 << 20, .cpu_seconds = SECONDS, .address_bytes = 2L << 30};
    Launch launch = {
        .argv = argv, .limits = limits, .source = built->path, .folder = built->folder.path};
    if (!child_start(&child, &launch))
        return NULL;
    if (!child_finish(&child, PATIENCE, &output, &status) || status != 0) {
        free(output);
        return NULL;
    }
    return output;
}

/* " at exercises/01_layer_norm.c:23" for the innermost frame in the learner's file; "" if unknown.
 */
static void locate(const Built *built, const WireReport *report, char *where, size_t where_size)
{
    long line = 0;
    char *output = NULL;
    where[0] = '\0';
    for (int i = 0; !line && !output && report->frame_count > 0 && tools[i]; i++)
        output = ask(built, tools[i], report);
    for (char *text = output; text && !line;) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        line = line_in(text, built->source);
        if (!line && built->copy[0]) /* the compiler could not give it that name */
            line = line_in(text, built->copy);
        text = end ? end + 1 : NULL;
    }
    if (line > 0)
        snprintf(where, where_size, " at %s:%ld", built->shown, line);
    free(output);
}

/* ---- the sentence ---- */
static const char *signal_name(int signal)
{
    static const struct {
        int signal;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"},
                 {SIGTRAP, "SIGTRAP"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"},
                 {SIGALRM, "SIGALRM"}, {SIGXCPU, "SIGXCPU"}, {SIGPIPE, "SIGPIPE"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].signal == signal)
            return names[i].name;
    return "a signal";
}

void explain_report(const Built *built, const Channel *channel, const Function *function,
                    const size_t *lengths, const WireReport *report, Answer *answer)
{
    WireReport r = *report;
    char where[PATH_SIZE], limit[32];
    if (r.kind == BY_SIGNAL)
        snprintf(r.what, sizeof r.what, "%s", signal_name(r.number));
    locate(built, &r, where, sizeof where);
    if (!where[0] && built->calls[0] && r.frame_count)
        snprintf(where, sizeof where, " when the checker used what your functions left");
    snprintf(limit, sizeof limit, "%g s", channel->call_limit);
    explain_ended(&r,
                  &(EndedCall){function, lengths, where, limit, channel->memory_limit,
                               channel->printed_limit},
                  answer);
}

void explain_missing(const Built *built, const Function *function, Answer *answer)
{
    say_ended(answer, NOT_DEFINED, "", "%s is not defined in %s", function->name, built->shown);
}

void explain_silence(int status, bool closed, Answer *answer)
{
    if (closed || (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_CUT))
        say_ended(answer, QUIT, "channel", "closed the channel to the checker");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        /* The signal was blocked, as system() does before it starts its process. */
        say_ended(answer, CRASHED, "SIGSYS",
                  "tried to start a process, or made another system call that is refused");
    else if (WIFSIGNALED(status))
        say_ended(answer, CRASHED, signal_name(WTERMSIG(status)), "was ended by signal %d (%s)",
                  WTERMSIG(status), signal_name(WTERMSIG(status)));
    else
        say_ended(answer, QUIT, "exit", "ended its process (exit status %d)", WEXITSTATUS(status));
}

/* ---- what the dynamic linker says ---- */
/* glibc: "x.so: undefined symbol: row_men"
 * macOS: "dlopen(x.so, 0x0002): symbol not found in flat namespace '_row_men'" */
const char *missing_symbol(const char *said)
{
    static const char *const before[] = {"undefined symbol: ", "flat namespace '_"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(said, before[i]);
        if (found)
            return found + strlen(before[i]);
    }
    return NULL;
}

void explain_linker(Runner *r, const char *said, char *error, size_t error_size)
{
    const char *symbol = missing_symbol(said);
    if (!symbol) {
        snprintf(error, error_size, "%s", said);
        r->said = strlen(error);
        snprintf(error + r->said, error_size - r->said, "\nThe compiled file can't be loaded.%s",
                 strstr(said, "map") ? " Its static arrays may be too large." : "");
        return;
    }
    snprintf(error, error_size, "%s", r->warnings);
    r->said = strlen(error);
    snprintf(error + r->said, error_size - r->said,
             "%sUndefined: %.*s is used%s but defined nowhere in %s.", r->said ? "\n" : "",
             (int)strcspn(symbol, " \n,'"), symbol, r->built.calls[0] ? " or asked for" : "",
             r->built.shown);
}
