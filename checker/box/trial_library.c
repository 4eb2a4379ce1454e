/* What a copy finds in place of the C library: memory that is given back by itself, nothing
 * printed, and no way out but back to the trial. See library.h. */
#include "trial_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA = 64 << 20 };

sigjmp_buf back;
int64_t fuel;
int chosen;
static char *arena;
static size_t used;

static int spent(void)
{
    siglongjmp(back, 1);
}

/* As checker/box/memory.h: which of the allocations fails, and how many blocks are held. */
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

static void leave_since(int held)
{
    memory.held = memory.held > held ? held : memory.held;
}

static void leave_hidden(void)
{
}

void begin_memory(void)
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
    OWN("__fuel", &fuel),
    OWN("__chosen", &chosen),
    OWN("__spent", spent),
    OWN("malloc", take),
    OWN("calloc", take_zeroed),
    OWN("realloc", take_more),
    OWN("free", give_back),
    OWN("__calls_fail_allocation", fail_allocation),
    OWN("__calls_allocations", allocations),
    OWN("__calls_blocks_held", blocks_held),
    OWN("__calls_leave_since", leave_since),
    OWN("__calls_leave_hidden", leave_hidden),
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
    SAME(frexpf),
    SAME(erff),
    SAME(sinhf),
    SAME(coshf),
    SAME(nearbyintf),
    SAME(fdimf),
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
    SAME(frexp),
    SAME(erf),
    SAME(sinh),
    SAME(cosh),
    SAME(nearbyint),
    SAME(fdim),
    SAME(sqrtl),
    SAME(fabsl),
    SAME(expl),
    SAME(logl),
    SAME(powl),
};

bool open_memory(void)
{
    arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return arena != MAP_FAILED;
}

void add_symbols(TCCState *text)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        tcc_add_symbol(text, symbols[i].name, symbols[i].address);
}
