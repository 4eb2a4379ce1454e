/* One call of a function whose names and types are known only now: reading the request, laying the
 * arguments out, calling. For the worker and for the trial (trial.c).
 *
 * The invariant: nothing of a request is used before its length is checked. */
#include "worker.h"

#include <string.h>

/* ---- the call ---- */
/* Every function of a contract takes pointers, ints and floats, and returns one or nothing. In the
 * calling conventions of x86-64 and arm64 the integers and pointers are counted apart from the
 * floats: the first ones of each kind go in that kind's registers, in their own order. So one
 * function type fits all: all integers first, then all floats. Arguments that a function does not
 * have do no harm. At most eight floats, so that none goes onto the stack among the integers. */
#if !defined(__x86_64__) && !defined(__aarch64__)
#error "worker_call.c knows the calling conventions of x86-64 and arm64 only"
#endif
enum { INTEGER_REGISTERS = 8 };

#define ANY_ARGUMENTS                                                                              \
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,      \
        Word, float, float, float, float, float, float, float, float
typedef float AnyFunction(ANY_ARGUMENTS);
typedef int AnyIntFunction(ANY_ARGUMENTS);

static void add_word(Arguments *a, Word value, size_t size)
{
#if defined(__APPLE__) && defined(__aarch64__)
    /* Apple's arm64 lays those beyond the registers side by side, each at its own size. */
    if (a->word_bytes < INTEGER_REGISTERS * sizeof(Word))
        size = sizeof(Word);
#else
    size = sizeof(Word);
#endif
    a->word_bytes = (a->word_bytes + size - 1) / size * size;
    memcpy((char *)a->words + a->word_bytes, &value, size); /* little-endian */
    a->word_bytes += size;
}

#define PASS_ALL(function, w, f)                                                                   \
    function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],      \
             w[13], w[14], w[15], f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7])

float call_with(void *function, const Arguments *a)
{
    AnyFunction *any;
    memcpy(&any, &function, sizeof any);
    return PASS_ALL(any, a->words, a->floats);
}

int call_int_with(void *function, const Arguments *a)
{
    AnyIntFunction *any;
    memcpy(&any, &function, sizeof any);
    return PASS_ALL(any, a->words, a->floats);
}

/* ---- requests ---- */
bool holds_array(const WireParam *p)
{
    return is_array((Role)p->role) && !p->is_null;
}

bool read_call(Request *r, const char *payload, size_t length)
{
    size_t expected = sizeof r->call;
    int floats = 0;
    if (length < expected)
        return false;
    memcpy(&r->call, payload, sizeof r->call);
    r->values = payload + sizeof r->call;
    r->call.function[SYMBOL_SIZE - 1] = '\0';
    if (r->call.count > CALL_PARAMS)
        return false;
    for (uint32_t i = 0; i < r->call.count; i++) {
        const WireParam *p = &r->call.params[i];
        floats += p->role == SCALAR;
        if (holds_array(p) && p->length > MAX_PAYLOAD / sizeof(float))
            return false;
        if (is_given((Role)p->role) && holds_array(p))
            expected += p->length * sizeof(float);
    }
    return floats <= MAX_SCALARS && length == expected;
}

/* An array as the function is to find it: with the values given, or with what no arithmetic yields.
 */
static void put_values(float *array, const WireParam *p, const char *values)
{
    const uint32_t untouched = UNTOUCHED_BITS;
    if (is_given((Role)p->role))
        memcpy(array, values, p->length * sizeof(float));
    else
        for (uint32_t k = 0; k < p->length; k++)
            memcpy(array + k, &untouched, sizeof untouched);
}

Arguments place_all(const Request *r, bool again, Place place)
{
    Arguments a = {.word_bytes = 0};
    const char *values = r->values;
    for (int i = 0; i < (int)r->call.count; i++) {
        const WireParam *p = &r->call.params[i];
        if (p->role == SIZE)
            add_word(&a, (Word)(int64_t)p->value.size, sizeof(int));
        if (p->role == SCALAR)
            a.floats[a.float_count++] = p->value.scalar;
        if (p->is_null)
            add_word(&a, 0, sizeof(void *));
        if (!holds_array(p))
            continue;
        if (p->role != INPUT || !again)
            put_values(array_open(i, p->length, place), p, values);
        array_lend(i, p->role == INPUT);
        if (is_given((Role)p->role))
            values += p->length * sizeof(float);
        add_word(&a, (Word)(uintptr_t)arrays[i].start, sizeof(void *));
    }
    return a;
}
