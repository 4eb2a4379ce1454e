/* What ended a call, as one sentence that a learner can act on, with the line where it was.
 *
 * The invariant: the words are the checker's. From the worker come numbers, which index tables
 * here, and two short texts, of which only printable characters are kept. */
#include "box.h"

#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
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
    Limits limits = {.file_bytes = 1 << 20, .cpu_seconds = 5, .address_bytes = 2L << 30};
    Launch launch = {
        .argv = argv, .limits = limits, .source = built->path, .folder = built->folder.path};
    if (!child_start(&child, &launch))
        return NULL;
    if (!child_finish(&child, 5, &output, &status) || status != 0) {
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
static void say(Answer *answer, Ending ending, const char *ended_by, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void say(Answer *answer, Ending ending, const char *ended_by, const char *format, ...)
{
    va_list arguments;
    answer->ending = ending;
    snprintf(answer->ended_by, sizeof answer->ended_by, "%.31s", ended_by);
    va_start(arguments, format);
    vsnprintf(answer->reason, sizeof answer->reason, format, arguments);
    va_end(arguments);
}

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

/* ---- arrays ---- */
/* An access beside one of the call's arrays, or into an input. */
static void explain_array(const Function *function, const WireReport *r, size_t length,
                          const char *where, const char *ended_by, Answer *answer)
{
    const Param *param = &function->params[r->param];
    const char *verb = r->writes == 1 ? "wrote" : r->writes == 0 ? "read" : "went";
    int64_t bytes = (int64_t)(length * sizeof(float));
    char amount[32] = "";
    if (r->offset >= 0 && r->offset + (int64_t)r->size <= bytes && r->offset < bytes) {
        if (param->role == INPUT && r->writes == 1)
            say(answer, CRASHED, ended_by, "writes to its input %s%s", param->name, where);
        else
            say(answer, CRASHED, ended_by, "could not use %s%s", param->name, where);
        return;
    }
    if (r->size > 0 && r->writes >= 0)
        snprintf(amount, sizeof amount, " %llu byte%s", (unsigned long long)r->size,
                 r->size == 1 ? "" : "s");
    if (r->offset < 0)
        say(answer, CRASHED, ended_by, "%s%s before the start of %s%s", verb, amount, param->name,
            where);
    else
        say(answer, CRASHED, ended_by, "%s%s past the end of %s%s", verb, amount, param->name,
            where);
    size_t used = strlen(answer->reason);
    long long index = r->offset / 4 - (r->offset % 4 < 0);
    if (index >= -1000000 && index <= 1000000 && r->offset >= bytes - (r->offset < 0 ? bytes : 0))
        snprintf(answer->reason + used, sizeof answer->reason - used,
                 " (%s has %zu element%s, this is %s[%lld])", param->name, length,
                 length == 1 ? "" : "s", param->name, index);
}

/* ---- the sanitizers ---- */
static void explain_asan(const WireReport *r, const char *where, Answer *answer)
{
    static const struct {
        const char *what, *words;
    } known[] = {
        {"heap-buffer-overflow", "past an end of allocated memory"},
        {"stack-buffer-overflow", "past the end of a local array"},
        {"stack-buffer-underflow", "before the start of a local array"},
        {"dynamic-stack-buffer-overflow", "past an end of a local array of variable length"},
        {"global-buffer-overflow", "past an end of a static array"},
        {"heap-use-after-free", "memory after freeing it"},
        {"stack-use-after-scope", "a local variable outside of its block"},
        {"stack-use-after-return", "a local variable of a function that has returned"},
        {"use-after-poison", "memory that is not its own"},
    };
    const char *verb = r->writes == 1 ? "wrote" : "read";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(r->what, known[i].what) == 0) {
            say(answer, CRASHED, r->what, "%s %llu byte%s %s%s%s%s", verb,
                (unsigned long long)r->size, r->size == 1 ? "" : "s",
                strstr(r->what, "-use-") || strstr(r->what, "use-") == r->what ? "of " : "",
                known[i].words, where, r->detail);
            return;
        }
    }
    /* A mismatch is one of new and free(), which C has not: numbers that look like a block's head
     * lie before what was freed. */
    const char *words =
        strcmp(r->what, "double-free") == 0 ? "freed the same memory twice"
        : strcmp(r->what, "bad-free") == 0 || strcmp(r->what, "alloc-dealloc-mismatch") == 0
            ? "freed something that malloc() did not give it"
        : strcmp(r->what, "negative-size-param") == 0 ? "gave a negative size to a memory function"
        : strstr(r->what, "param-overlap") ? "copied between overlapping places with memcpy()"
        : strstr(r->what, "too-big") || strstr(r->what, "out-of-memory") ||
                strstr(r->what, "calloc-overflow")
            ? "asked for more memory than there is"
            : NULL;
    if (words)
        say(answer, CRASHED, r->what, "%s%s", words, where);
    else
        say(answer, CRASHED, r->what, "misused memory%s (%s)", where, r->what);
}

static void explain_ubsan(WireReport *r, const char *where, Answer *answer)
{
    if (strncmp(r->what, "null", 4) == 0) { /* null-pointer-use, nullptr-with-offset, ... */
        say(answer, CRASHED, r->what, "followed a null pointer%s", where);
    } else if (strcmp(r->what, "integer-divide-by-zero") == 0) {
        say(answer, CRASHED, r->what, "divided an integer by zero%s", where);
    } else if (!r->detail[0]) {
        say(answer, CRASHED, r->what, "computed something that C leaves undefined%s", where);
    } else {
        /* "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'". It came
         * through the learner's process, so the sentence begins with words of ours. */
        r->detail[0] = (char)tolower((unsigned char)r->detail[0]); /* clang's and gcc's differ */
        say(answer, CRASHED, r->what, "did what C leaves undefined%s: %s", where, r->detail);
    }
}

/* ---- signals, limits, offences ---- */
static void explain_signal(const WireReport *r, const char *where, Answer *answer)
{
    const char *name = signal_name(r->number);
    const char *words = "was ended by a signal";
    if (r->number == SIGSEGV || r->number == SIGBUS)
        words = r->address == 0      ? "followed a null pointer"
                : r->address < 65536 ? "followed a null pointer, or a number that is no address"
                                     : "used an address that is not its own";
    else if (r->number == SIGFPE)
        words = "divided an integer by zero";
    else if (r->number == SIGILL || r->number == SIGTRAP)
        words = "ran into a trap instruction";
    else if (r->number == SIGABRT)
        words = "called abort()";
    say(answer, CRASHED, name, "%s%s", words, where);
}

static void explain_offence(const WireReport *r, const char *where, Answer *answer)
{
    static const struct {
        const char *tried, *rule;
    } offences[] = {
        [NO_OFFENCE] = {"made a system call that is refused", "it is not needed to compute"},
        [FILE_OPENED] = {"tried to open a file", "the checker allows no files"},
        [FILE_CHANGED] = {"tried to change a file", "the checker allows no files"},
        [PROCESS] = {"tried to start a process", "the checker allows none"},
        [NETWORK] = {"tried to use the network", "the checker allows none"},
        [SIGNAL] = {"tried to send a signal to another process", "the checker allows none"},
        [TRACE] = {"tried to look into another process", "the checker allows none"},
    };
    int i = r->number > 0 && r->number <= TRACE ? r->number : NO_OFFENCE;
    char path[sizeof r->detail + 4] = "";
    if (r->detail[0])
        snprintf(path, sizeof path, " (%s)", r->detail);
    say(answer, CRASHED, "SIGSYS", "%s%s%s; %s", offences[i].tried, where, path, offences[i].rule);
}

static void explain_growth(const WireReport *r, const char *where, Answer *answer)
{
    const bool maps = !strcmp(r->what, "mmap"), known = maps || !strcmp(r->what, "malloc");
    char when[32] = "at every call";
    if (r->number > 1)
        snprintf(when, sizeof when, "in %d calls", r->number);
    say(answer, ANSWERED, "leak", "%s memory%s and does not %s (%llu bytes %s)",
        maps    ? "maps"
        : known ? "allocates"
                : "takes",
        where,
        maps    ? "unmap it"
        : known ? "free it"
                : "give it back",
        (unsigned long long)r->size, when);
}

static void keep_printable(char *text, size_t size)
{
    text[size - 1] = '\0';
    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

void explain_report(const Built *built, const Channel *channel, const Function *function,
                    const size_t *lengths, const WireReport *report, Answer *answer)
{
    WireReport r = *report;
    char where[PATH_SIZE];
    const char *ended_by = r.kind == BY_SIGNAL ? signal_name(r.number) : r.what;
    const int64_t far = (int64_t)1 << 40;
    if (r.size > (uint64_t)far || r.offset > far || r.offset < -far)
        r.param = -1;
    keep_printable(r.what, sizeof r.what);
    keep_printable(r.detail, sizeof r.detail);
    locate(built, &r, where, sizeof where);
    if (!where[0] && built->calls[0] && r.frame_count)
        snprintf(where, sizeof where, " when the checker used what your functions left");
    bool beside = r.param >= 0 && function && r.param < function->count &&
                  is_array(function->params[r.param].role);
    if (beside && (r.kind == BY_SIGNAL || r.kind == BY_ASAN || r.kind == BY_CANARY))
        explain_array(function, &r, lengths[r.param], where,
                      r.kind == BY_CANARY ? "canary" : ended_by, answer);
    else if (r.kind == BY_ASAN)
        explain_asan(&r, where, answer);
    else if (r.kind == BY_UBSAN)
        explain_ubsan(&r, where, answer);
    else if (r.kind == BY_OFFENCE)
        explain_offence(&r, where, answer);
    else if (r.kind == BY_EXIT)
        say(answer, QUIT, "exit", "called %.16s(%d)%s", r.what, r.number, where);
    else if (r.kind == BY_TIME)
        say(answer, TIMED_OUT, "time limit", "still running after %g s%s", channel->call_limit,
            where);
    else if (r.kind == BY_MEMORY)
        say(answer, TIMED_OUT, "memory limit", "used more than %zu MB of memory%s",
            channel->memory_limit >> 20, where);
    else if (r.kind == BY_STACK)
        say(answer, CRASHED, "stack overflow", "ran out of stack (%s?)%s",
            r.frame_count == MAX_FRAMES ? "endless recursion" : "a local array too large", where);
    else if (r.kind == GROWS)
        explain_growth(&r, where, answer);
    else
        explain_signal(&r, where, answer);
}

void explain_missing(const Built *built, const Function *function, Answer *answer)
{
    say(answer, NOT_DEFINED, "", "%s is not defined in %s", function->name, built->shown);
}

void explain_silence(int status, bool closed, Answer *answer)
{
    if (closed || (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_CUT))
        say(answer, QUIT, "channel", "closed the channel to the checker");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        /* The signal was blocked, as system() does before it starts its process. */
        say(answer, CRASHED, "SIGSYS",
            "tried to start a process, or made another system call that is refused");
    else if (WIFSIGNALED(status))
        say(answer, CRASHED, signal_name(WTERMSIG(status)), "was ended by signal %d (%s)",
            WTERMSIG(status), signal_name(WTERMSIG(status)));
    else
        say(answer, QUIT, "exit", "ended its process (exit status %d)", WEXITSTATUS(status));
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
