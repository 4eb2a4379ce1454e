/* The trial: compiles changes of a learner's function, by the hundred, and calls it with each of
 * them: as a copy, or by choosing what stands in one text (checker/line/variants.c).
 *
 * The invariant: the same as the worker's. No expected value ever comes here and nothing is decided
 * here; the doors are closed before the first text is compiled. A copy may do anything: what it
 * ends by costs that copy only, where it can be caught, else this process.
 *
 *     build/trial       serves the checker on descriptor CHANNEL */
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "line.h" /* COPY_SUFFIX */
#include "trial_library.h"

enum { STACK = 256 * 1024, SPOILT = 16 * 1024, STALE = 0xfe };

typedef struct {
    Request request;
    TCCState *compiled;
    Buffer reply;
    char error[sizeof(WireLoaded)];
} Server;

/* ---- what ends a copy ---- */
static volatile sig_atomic_t calling;

static void on_signal(int signal, siginfo_t *info, void *context)
{
    if (calling)
        siglongjmp(back, signal);
    if (signal == SIGSYS) /* the C library's own wish: the time zone, for __DATE__ */
        answer_call(context, -EACCES);
    else
        _exit(WORKER_CUT);
    (void)info;
}

static void catch_signals(void)
{
    static char stack[STACK];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- compiling ---- */
static void keep_first(void *trial, const char *said)
{
    Server *t = trial;
    if (!t->error[0] && !strstr(said, "warning"))
        snprintf(t->error, sizeof t->error, "%s", said);
}

/* One text with all its copies, which takes the place of the last. */
static void compile(Server *t, const char *text)
{
    if (t->compiled)
        tcc_delete(t->compiled);
    t->error[0] = '\0';
    t->compiled = tcc_new();
    if (!t->compiled)
        abort();
    tcc_set_error_func(t->compiled, t, keep_first);
    tcc_set_options(t->compiled, "-nostdinc -nostdlib -w");
    tcc_set_output_type(t->compiled, TCC_OUTPUT_MEMORY);
    add_symbols(t->compiled);
    bool done = tcc_compile_string(t->compiled, text) == 0 &&
                tcc_relocate(t->compiled, TCC_RELOCATE_AUTO) == 0;
    if (!done && !t->error[0])
        snprintf(t->error, sizeof t->error, "no word");
    frame_open(&t->reply, TRIED, 0);
    buffer_append(&t->reply, t->error, strlen(t->error) + 1);
    frame_close(&t->reply);
}

/* ---- calling ---- */
/* What one copy left, or as many zeros: every copy's record is of one length. */
static void append_answers(Server *t, const WireTrial *record)
{
    buffer_append(&t->reply, record, sizeof *record);
    for (int i = 0; i < (int)t->request.call.count; i++) {
        const WireParam *p = &t->request.call.params[i];
        if (holds_array(p) && p->role != INPUT)
            buffer_append(&t->reply, arrays[i].start, arrays[i].bytes);
    }
}

/* A change of that number is a copy, or one that is chosen. NULL: there is neither. */
static void *function_of(const Server *t, uint32_t number)
{
    char name[SYMBOL_SIZE + 16];
    snprintf(name, sizeof name, "%s" COPY_SUFFIX, t->request.call.function, (unsigned)number);
    void *function = tcc_get_symbol(t->compiled, name);
    chosen = function ? 0 : (int)number;
    return function ? function : tcc_get_symbol(t->compiled, t->request.call.function);
}

/* What a copy's variables hold at first is garbage, and for every copy the same: no address of
 * ours, through which it would write. */
__attribute__((noinline)) static void spoil_stack(void)
{
    char below[SPOILT];
    memset(below, STALE, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory"); /* so that it is done, though nobody reads it */
}

/* False: there is nothing to call. */
static bool call_copy(const Server *t, uint32_t number, const Arguments *arguments,
                      WireAnswer *answer)
{
    void *function = function_of(t, number);
    if (!function)
        return false;
    begin_memory();
    spoil_stack();
    calling = 1;
    if (t->request.call.returns_int)
        answer->returned.whole = call_int_with(function, arguments);
    else
        answer->returned.number = call_with(function, arguments);
    return true;
}

static bool arrays_kept(const WireCall *call)
{
    WireReport report;
    bool kept = true;
    for (int i = 0; i < (int)call->count; i++)
        kept = (!holds_array(&call->params[i]) || array_close(i, &report)) && kept;
    return kept;
}

/* Calls one copy after the other. What is called from here has its part of the stack below a page
 * that can't be written: so an array of theirs that is run over ends there, and this goes on. */
__attribute__((noinline)) static void call_behind_wall(Server *t, const WireTrials *head,
                                                       const char *numbers)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char room[2 * page];
    char *wall = (char *)(((uintptr_t)room + page - 1) & ~(uintptr_t)(page - 1));
    mprotect(wall, page, PROT_NONE);
    for (volatile uint32_t i = 0; i < head->count; i++) {
        uint32_t number;
        WireTrial record = {.ended = 1};
        memcpy(&number, numbers + i * sizeof number, sizeof number);
        Arguments arguments = place_all(&t->request, i > 0, BEFORE_A_WALL);
        fuel = head->fuel;
        if (sigsetjmp(back, 0) == 0)
            record.ended = !call_copy(t, number, &arguments, &record.answer);
        calling = 0;
        record.ended = !arrays_kept(&t->request.call) || record.ended;
        record.burnt = head->fuel - fuel;
        append_answers(t, &record);
    }
    mprotect(wall, page, PROT_READ | PROT_WRITE);
}

static bool call_copies(Server *t, const char *payload, size_t length)
{
    WireTrials head;
    if (length < sizeof head)
        return false;
    memcpy(&head, payload, sizeof head);
    size_t copies = head.count * sizeof(uint32_t);
    if (head.count > MOST_COPIES || length < sizeof head + copies || !t->compiled ||
        !read_call(&t->request, payload + sizeof head + copies, length - sizeof head - copies))
        return false;
    frame_open(&t->reply, TRIED, 0);
    call_behind_wall(t, &head, payload + sizeof head);
    frame_close(&t->reply);
    return true;
}

int main(void)
{
    Server t = {.compiled = NULL};
    Buffer request = {0};
    FrameHead head;
    tzset();
    catch_signals();
    if (!open_memory() || close_doors("/dev/null"))
        return WORKER_CUT;
    while (frame_read(CHANNEL, &request, &head)) {
        char *payload = request.data + sizeof head;
        if (head.kind == TRIAL_TEXT && head.length && !payload[head.length - 1])
            compile(&t, payload);
        else if (head.kind != TRIAL_CALLS || !call_copies(&t, payload, head.length))
            return WORKER_CUT;
        if (!write_all(CHANNEL, t.reply.data, t.reply.length))
            return WORKER_CUT;
    }
    return WORKER_CUT;
}
