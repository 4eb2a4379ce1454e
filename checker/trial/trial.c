/* The trial: compiles changed copies of a learner's function, by the hundred, and calls them. What
 * the checker searches a wrong function's place with (checker/line/).
 *
 * The invariant: the same as the worker's. No expected value ever comes here and nothing is decided
 * here; the doors are closed before the first text is compiled. A copy may do anything: what it
 * ends by costs that copy only, where it can be caught, else this process.
 *
 *     build/trial       serves the checker on descriptor CHANNEL */
#include "worker.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "libtcc.h"

enum { ARENA = 64 << 20, STACK = 256 * 1024 };

typedef struct {
    Request request;
    TCCState *compiled;
    Buffer reply;
    char error[sizeof(WireLoaded)];
} Trial;

/* ---- what a copy finds in place of the C library ---- */
static sigjmp_buf back;
static volatile sig_atomic_t calling;
static int64_t fuel; /* loop conditions that a copy may still work out */
static char *arena;
static size_t used;

static int spent(void)
{
    siglongjmp(back, 1);
}

/* As checker/worker/memory.h: which of the allocations fails, and how many blocks are held. */
static struct {
    int asked, failing, held;
} memory;

static void fail_allocation(int nth)
{
    memory.asked = 0;
    memory.failing = nth;
}

static int allocations(void)
{
    return memory.asked;
}

static int blocks_held(void)
{
    return memory.held;
}

static void free_since(int held)
{
    memory.held = memory.held > held ? held : memory.held;
}

static void begin_memory(void)
{
    used = 0;
    memset(&memory, 0, sizeof memory);
}

static char *take_bytes(size_t bytes)
{
    if (++memory.asked == memory.failing || bytes > ARENA)
        return NULL;
    bytes = (bytes + 31) & ~(size_t)15; /* its size stands before it */
    if (bytes > ARENA - used)
        return NULL;
    char *block = arena + used + 16;
    memcpy(block - 16, &bytes, sizeof bytes);
    used += bytes;
    memory.held++;
    return block;
}

/* What it holds is garbage, and for every copy the same. */
static void *take(size_t bytes)
{
    char *block = take_bytes(bytes);
    return block ? memset(block, 0xbe, bytes) : NULL;
}

static void *take_zeroed(size_t count, size_t bytes)
{
    if (bytes && count > ARENA / bytes)
        return NULL;
    char *block = take_bytes(count * bytes);
    return block ? memset(block, 0, count * bytes) : NULL;
}

static void give_back(void *block)
{
    memory.held -= block != NULL;
}

static void *take_more(void *old, size_t bytes)
{
    size_t before = 16;
    void *block = take(bytes);
    if (!block || !old)
        return block;
    memcpy(&before, (char *)old - 16, sizeof before);
    memory.held--;
    return memcpy(block, old, before - 16 < bytes ? before - 16 : bytes);
}

static int say_nothing(void)
{
    return 0;
}

static _Noreturn void leave(void)
{
    siglongjmp(back, 1);
}

/* What the compiler of the trial calls for its conversions. */
static unsigned long whole_of_float(float x)
{
    return (unsigned long)x;
}

static unsigned long whole_of_double(double x)
{
    return (unsigned long)x;
}

static float float_of_whole(unsigned long x)
{
    return (float)x;
}

static double double_of_whole(unsigned long x)
{
    return (double)x;
}

/* By the names in prelude.h, which a copy is compiled behind. */
#define SAME(name)                                                                                 \
    {                                                                                              \
#name, (void *)(uintptr_t)name                                                             \
    }
#define OWN(name, function)                                                                        \
    {                                                                                              \
        name, (void *)(uintptr_t)function                                                          \
    }
static const struct {
    const char *name;
    const void *address;
} symbols[] = {
    OWN("fuel_", &fuel),
    OWN("spent_", spent),
    OWN("malloc", take),
    OWN("calloc", take_zeroed),
    OWN("realloc", take_more),
    OWN("free", give_back),
    OWN("fail_allocation", fail_allocation),
    OWN("allocations", allocations),
    OWN("blocks_held", blocks_held),
    OWN("free_since", free_since),
    OWN("printf", say_nothing),
    OWN("fprintf", say_nothing),
    OWN("puts", say_nothing),
    OWN("putchar", say_nothing),
    OWN("exit", leave),
    OWN("abort", leave),
    OWN("__fixunssfdi", whole_of_float),
    OWN("__fixunsdfdi", whole_of_double),
    OWN("__floatundisf", float_of_whole),
    OWN("__floatundidf", double_of_whole),
    SAME(memcpy),
    SAME(memset),
    SAME(memmove),
    SAME(memcmp),
    SAME(abs),
    SAME(sqrtf),
    SAME(fabsf),
    SAME(expf),
    SAME(exp2f),
    SAME(expm1f),
    SAME(logf),
    SAME(log2f),
    SAME(log1pf),
    SAME(log10f),
    SAME(tanhf),
    SAME(sinf),
    SAME(cosf),
    SAME(tanf),
    SAME(atanf),
    SAME(cbrtf),
    SAME(floorf),
    SAME(ceilf),
    SAME(roundf),
    SAME(truncf),
    SAME(rintf),
    SAME(powf),
    SAME(fmaxf),
    SAME(fminf),
    SAME(fmodf),
    SAME(hypotf),
    SAME(copysignf),
    SAME(fmaf),
    SAME(ldexpf),
    SAME(sqrt),
    SAME(fabs),
    SAME(exp),
    SAME(exp2),
    SAME(expm1),
    SAME(log),
    SAME(log2),
    SAME(log1p),
    SAME(log10),
    SAME(tanh),
    SAME(sin),
    SAME(cos),
    SAME(tan),
    SAME(atan),
    SAME(cbrt),
    SAME(floor),
    SAME(ceil),
    SAME(round),
    SAME(trunc),
    SAME(rint),
    SAME(pow),
    SAME(fmax),
    SAME(fmin),
    SAME(fmod),
    SAME(hypot),
    SAME(copysign),
    SAME(fma),
    SAME(ldexp),
    SAME(sqrtl),
    SAME(fabsl),
    SAME(expl),
    SAME(logl),
    SAME(powl),
};

/* ---- what ends a copy ---- */
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
    Trial *t = trial;
    if (!t->error[0] && !strstr(said, "warning"))
        snprintf(t->error, sizeof t->error, "%s", said);
}

/* One text with all its copies, which takes the place of the last. */
static void compile(Trial *t, const char *text)
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
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        tcc_add_symbol(t->compiled, symbols[i].name, symbols[i].address);
    bool done = tcc_compile_string(t->compiled, text) == 0 &&
                tcc_relocate(t->compiled, TCC_RELOCATE_AUTO) == 0;
    if (!done && !t->error[0])
        snprintf(t->error, sizeof t->error, "no word");
    frame_open(&t->reply, TRIED, 0);
    buffer_append(&t->reply, t->error, strlen(t->error) + 1);
    frame_close(&t->reply);
}

/* ---- calling ---- */
/* Calls one copy. False: it did not return, or wrote beside its arrays. */
static bool call_copy(Trial *t, void *function, bool again, WireAnswer *answer)
{
    WireReport report;
    volatile bool kept = true;
    const WireCall *call = &t->request.call;
    Arguments arguments = place(&t->request, again);
    begin_memory();
    if (sigsetjmp(back, 0) == 0) {
        calling = 1;
        if (call->returns_int)
            answer->returned.whole = call_int_with(function, &arguments);
        else
            answer->returned.number = call_with(function, &arguments);
    } else
        kept = false;
    calling = 0;
    for (int i = 0; i < (int)call->count; i++)
        kept = (!holds_array(&call->params[i]) || array_close(i, &report)) && kept;
    return kept;
}

/* What one copy left, or as many zeros: every copy's record is of one length. */
static void append_answers(Trial *t, const WireTrial *record)
{
    buffer_append(&t->reply, record, sizeof *record);
    for (int i = 0; i < (int)t->request.call.count; i++) {
        const WireParam *p = &t->request.call.params[i];
        if (holds_array(p) && p->role != INPUT)
            buffer_append(&t->reply, arrays[i].start, arrays[i].bytes);
    }
}

static bool call_copies(Trial *t, const char *payload, size_t length)
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
    for (uint32_t i = 0; i < head.count; i++) {
        uint32_t copy;
        char name[NAME_SIZE + 16];
        WireTrial record = {.ended = 1};
        memcpy(&copy, payload + sizeof head + i * sizeof copy, sizeof copy);
        snprintf(name, sizeof name, "%s" COPY_SUFFIX, t->request.call.function, (unsigned)copy);
        void *function = tcc_get_symbol(t->compiled, name);
        fuel = head.fuel;
        if (function)
            record.ended = !call_copy(t, function, i > 0, &record.answer);
        else
            place(&t->request, i > 0);
        record.burnt = head.fuel - fuel;
        append_answers(t, &record);
    }
    frame_close(&t->reply);
    return true;
}

int main(void)
{
    Trial t = {.compiled = NULL};
    Buffer request = {0};
    FrameHead head;
    arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tzset();
    catch_signals();
    if (arena == MAP_FAILED || close_doors("/dev/null"))
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
