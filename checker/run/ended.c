/* What ended a call, as one sentence that a learner can act on: one table of words, whoever ran the
 * call.
 *
 * The invariant: the words are the checker's. What comes with a report are numbers, which index
 * tables here, and two short texts, of which only printable characters are kept. */
#include "ended.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- the sentence ---- */
void say_ended(Answer *answer, Ending ending, const char *ended_by, const char *format, ...)
{
    va_list arguments;
    answer->ending = ending;
    snprintf(answer->ended_by, sizeof answer->ended_by, "%.31s", ended_by);
    va_start(arguments, format);
    vsnprintf(answer->reason, sizeof answer->reason, format, arguments);
    va_end(arguments);
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
            say_ended(answer, CRASHED, ended_by, "writes to its input %s%s", param->name, where);
        else
            say_ended(answer, CRASHED, ended_by, "could not use %s%s", param->name, where);
        return;
    }
    if (r->size > 0 && r->writes >= 0)
        snprintf(amount, sizeof amount, " %llu byte%s", (unsigned long long)r->size,
                 r->size == 1 ? "" : "s");
    if (r->offset < 0)
        say_ended(answer, CRASHED, ended_by, "%s%s before the start of %s%s", verb, amount,
                  param->name, where);
    else
        say_ended(answer, CRASHED, ended_by, "%s%s past the end of %s%s", verb, amount, param->name,
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
            say_ended(answer, CRASHED, r->what, "%s %llu byte%s %s%s%s%s", verb,
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
        say_ended(answer, CRASHED, r->what, "%s%s", words, where);
    else
        say_ended(answer, CRASHED, r->what, "misused memory%s (%s)", where, r->what);
}

static void explain_ubsan(WireReport *r, const char *where, Answer *answer)
{
    if (strncmp(r->what, "null", 4) == 0) { /* null-pointer-use, nullptr-with-offset, ... */
        say_ended(answer, CRASHED, r->what, "followed a null pointer%s", where);
    } else if (strcmp(r->what, "integer-divide-by-zero") == 0) {
        say_ended(answer, CRASHED, r->what, "divided an integer by zero%s", where);
    } else if (!r->detail[0]) {
        say_ended(answer, CRASHED, r->what, "computed something that C leaves undefined%s", where);
    } else {
        /* "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'". It came
         * through the learner's process, so the sentence begins with words of ours. */
        r->detail[0] = (char)tolower((unsigned char)r->detail[0]); /* clang's and gcc's differ */
        say_ended(answer, CRASHED, r->what, "did what C leaves undefined%s: %s", where, r->detail);
    }
}

/* ---- signals, limits, offences ---- */
static void explain_signal(const WireReport *r, const char *where, Answer *answer)
{
    const char *words = "was ended by a signal";
    if (word_in("SIGSEGV SIGBUS", r->what))
        words = r->address == 0      ? "followed a null pointer"
                : r->address < 65536 ? "followed a null pointer, or a number that is no address"
                                     : "used an address that is not its own";
    else if (word_in("SIGFPE", r->what))
        words = "divided an integer by zero";
    else if (word_in("SIGILL SIGTRAP", r->what))
        words = "ran into a trap instruction";
    else if (word_in("SIGABRT", r->what))
        words = "called abort()";
    say_ended(answer, CRASHED, r->what, "%s%s", words, where);
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
    say_ended(answer, CRASHED, "SIGSYS", "%s%s%s; %s", offences[i].tried, where, path,
              offences[i].rule);
}

static void explain_growth(const WireReport *r, const char *where, Answer *answer)
{
    const bool maps = !strcmp(r->what, "mmap"), known = maps || !strcmp(r->what, "malloc");
    char when[32] = "at every call";
    if (r->number > 1)
        snprintf(when, sizeof when, "in %d calls", r->number);
    say_ended(answer, ANSWERED, "leak", "%s memory%s and does not %s (%llu bytes %s)",
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

void explain_ended(const WireReport *report, const EndedCall *call, Answer *answer)
{
    WireReport r = *report;
    const char *where = call->where;
    const Function *function = call->function;
    const int64_t far = (int64_t)1 << 40;
    if (r.size > (uint64_t)far || r.offset > far || r.offset < -far)
        r.param = -1;
    keep_printable(r.what, sizeof r.what);
    keep_printable(r.detail, sizeof r.detail);
    bool beside = r.param >= 0 && function && r.param < function->count &&
                  is_array(function->params[r.param].role);
    if (beside && (r.kind == BY_SIGNAL || r.kind == BY_ASAN || r.kind == BY_CANARY))
        explain_array(function, &r, call->lengths[r.param], where,
                      r.kind == BY_CANARY ? "canary" : r.what, answer);
    else if (r.kind == BY_ASAN)
        explain_asan(&r, where, answer);
    else if (r.kind == BY_UBSAN)
        explain_ubsan(&r, where, answer);
    else if (r.kind == BY_OFFENCE)
        explain_offence(&r, where, answer);
    else if (r.kind == BY_EXIT)
        say_ended(answer, QUIT, "exit", "called %.16s(%d)%s", r.what, r.number, where);
    else if (r.kind == BY_TIME)
        say_ended(answer, TIMED_OUT, "time limit", "still running after %s%s", call->call_limit,
                  where);
    else if (r.kind == BY_MEMORY)
        say_ended(answer, TIMED_OUT, "memory limit", "used more than %zu MB of memory%s",
                  call->memory_limit >> 20, where);
    else if (r.kind == BY_STACK)
        say_ended(answer, CRASHED, "stack overflow", "ran out of stack (%s?)%s",
                  r.frame_count == MAX_FRAMES ? "endless recursion" : "a local array too large",
                  where);
    else if (r.kind == BY_OUTPUT)
        say_ended(answer, TIMED_OUT, "output limit", "printed more than %zu KB",
                  call->printed_limit >> 10);
    else if (r.kind == GROWS)
        explain_growth(&r, where, answer);
    else
        explain_signal(&r, where, answer);
}
