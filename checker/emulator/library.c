/* What of the C library a learner's file may call, done by ours.
 *
 * The invariant: a function of ours gets no address of the learner's but what reach() gave for it.
 */
#include "library.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- numbers in registers ---- */
static float float_at(const Machine *m, int i)
{
    float f;
    memcpy(&f, &m->v[i].low, sizeof f);
    return f;
}

static double double_at(const Machine *m, int i)
{
    double d;
    memcpy(&d, &m->v[i].low, sizeof d);
    return d;
}

static bool give_float(Machine *m, float f)
{
    m->v[0] = (Vector){0};
    memcpy(&m->v[0].low, &f, sizeof f);
    return true;
}

static bool give_double(Machine *m, double d)
{
    m->v[0] = (Vector){0};
    memcpy(&m->v[0].low, &d, sizeof d);
    return true;
}

static bool give(Machine *m, uint64_t word)
{
    m->x[0] = word;
    return true;
}

/* ---- long double: of 128 bits on arm64 ---- */
#if LDBL_MANT_DIG == 113
typedef long double Quad;
#else
__extension__ typedef __float128 Quad;
#endif

static Quad quad_at(const Machine *m, int i)
{
    Quad q;
    memcpy(&q, &m->v[i], sizeof q);
    return q;
}

static bool give_quad(Machine *m, Quad q)
{
    memcpy(&m->v[0], &q, sizeof q);
    return true;
}

static bool quad_add(Machine *m)
{
    return give_quad(m, quad_at(m, 0) + quad_at(m, 1));
}

static bool quad_subtract(Machine *m)
{
    return give_quad(m, quad_at(m, 0) - quad_at(m, 1));
}

static bool quad_multiply(Machine *m)
{
    return give_quad(m, quad_at(m, 0) * quad_at(m, 1));
}

static bool quad_divide(Machine *m)
{
    return give_quad(m, quad_at(m, 0) / quad_at(m, 1));
}

/* -1, 0 or 1; what is no number is less than nothing, where it is to make `unordered` of it. */
static bool quad_compare(Machine *m, int unordered)
{
    Quad a = quad_at(m, 0), b = quad_at(m, 1);
    int order = a < b ? -1 : a == b ? 0 : a > b ? 1 : unordered;
    return give(m, (uint32_t)order);
}

static bool quad_less(Machine *m)
{
    return quad_compare(m, 1);
}

static bool quad_greater(Machine *m)
{
    return quad_compare(m, -1);
}

static bool quad_of_float(Machine *m)
{
    return give_quad(m, float_at(m, 0));
}

static bool quad_of_double(Machine *m)
{
    return give_quad(m, double_at(m, 0));
}

static bool float_of_quad(Machine *m)
{
    return give_float(m, (float)quad_at(m, 0));
}

static bool double_of_quad(Machine *m)
{
    return give_double(m, (double)quad_at(m, 0));
}

static bool quad_of_int(Machine *m)
{
    return give_quad(m, (int32_t)m->x[0]);
}

static bool quad_of_long(Machine *m)
{
    return give_quad(m, (int64_t)m->x[0]);
}

static bool quad_of_unsigned(Machine *m)
{
    return give_quad(m, (uint32_t)m->x[0]);
}

static bool quad_of_unsigned_long(Machine *m)
{
    return give_quad(m, m->x[0]);
}

static bool fits_long(Quad q)
{
    return q > -(Quad)0x1p63 - 1 && q < (Quad)0x1p63;
}

static bool int_of_quad(Machine *m)
{
    Quad q = quad_at(m, 0);
    bool fits = q > (Quad)INT_MIN - 1 && q < (Quad)INT_MAX + 1;
    return give(m, fits ? (uint32_t)(int32_t)q : (uint32_t)INT_MIN);
}

static bool long_of_quad(Machine *m)
{
    Quad q = quad_at(m, 0);
    return give(m, fits_long(q) ? (uint64_t)(int64_t)q : (uint64_t)INT64_MIN);
}

static bool unsigned_of_quad(Machine *m)
{
    Quad q = quad_at(m, 0);
    return give(m, fits_long(q) ? (uint32_t)(int64_t)q : 0);
}

static bool unsigned_long_of_quad(Machine *m)
{
    Quad q = quad_at(m, 0);
    return give(m, q > -1 && q < (Quad)0x1p64 ? (uint64_t)q : (uint64_t)INT64_MIN);
}

#define OF_QUAD(name)                                                                              \
    static bool quad_##name(Machine *m)                                                            \
    {                                                                                              \
        return give_quad(m, name##l((long double)quad_at(m, 0)));                                  \
    }
OF_QUAD(sqrt)
OF_QUAD(fabs)
OF_QUAD(exp)
OF_QUAD(log)

static bool quad_pow(Machine *m)
{
    return give_quad(m, powl((long double)quad_at(m, 0), (long double)quad_at(m, 1)));
}

/* ---- math.h, as far as its functions are not of one shape ---- */
static bool fused_float(Machine *m)
{
    return give_float(m, fmaf(float_at(m, 0), float_at(m, 1), float_at(m, 2)));
}

static bool fused_double(Machine *m)
{
    return give_double(m, fma(double_at(m, 0), double_at(m, 1), double_at(m, 2)));
}

static bool scaled_float(Machine *m)
{
    return give_float(m, ldexpf(float_at(m, 0), (int32_t)m->x[0]));
}

static bool scaled_double(Machine *m)
{
    return give_double(m, ldexp(double_at(m, 0), (int32_t)m->x[0]));
}

static bool put_exponent(Machine *m, int exponent)
{
    unsigned char *to = reach(m, m->x[0], sizeof exponent, true);
    if (to)
        memcpy(to, &exponent, sizeof exponent);
    return to;
}

static bool split_float(Machine *m)
{
    int exponent = 0;
    float part = frexpf(float_at(m, 0), &exponent);
    return put_exponent(m, exponent) && give_float(m, part);
}

static bool split_double(Machine *m)
{
    int exponent = 0;
    double part = frexp(double_at(m, 0), &exponent);
    return put_exponent(m, exponent) && give_double(m, part);
}

static bool absolute(Machine *m)
{
    int32_t a = (int32_t)m->x[0];
    return give(m, a < 0 ? (uint32_t) - (uint32_t)a : (uint32_t)a);
}

static bool absolute_long(Machine *m)
{
    return give(m, (int64_t)m->x[0] < 0 ? -m->x[0] : m->x[0]);
}

static bool rounded_float(Machine *m)
{
    return give(m, (uint64_t)lrintf(float_at(m, 0)));
}

static bool rounded_double(Machine *m)
{
    return give(m, (uint64_t)lrint(double_at(m, 0)));
}

static bool away_float(Machine *m)
{
    return give(m, (uint64_t)lroundf(float_at(m, 0)));
}

static bool away_double(Machine *m)
{
    return give(m, (uint64_t)lround(double_at(m, 0)));
}

/* ---- memory ---- */
static bool take(Machine *m)
{
    uint64_t block = block_take(m, m->x[0], m->garbage);
    return !m->ended && give(m, block);
}

static bool take_zeroed(Machine *m)
{
    uint64_t count = m->x[0], bytes = m->x[1];
    if (bytes && count > UINT64_MAX / bytes)
        return end_call(m, BY_ASAN, "calloc-overflow");
    uint64_t block = block_take(m, count * bytes, 0);
    return !m->ended && give(m, block);
}

static bool take_aligned(Machine *m)
{
    m->x[0] = m->x[1]; /* every block lies at a multiple of all that may be asked for */
    return take(m);
}

static bool give_back(Machine *m)
{
    return block_give_back(m, m->x[0]);
}

static bool take_more(Machine *m)
{
    const uint64_t old = m->x[0], bytes = m->x[1];
    const Region *before = block_at(m, old);
    if (old && (!before || before->kind == A_FREED_BLOCK))
        return block_give_back(m, old); /* which says what is wrong */
    if (old && !bytes)
        return block_give_back(m, old) && give(m, 0);
    uint64_t block = block_take(m, bytes, m->garbage);
    if (m->ended || !block)
        return !m->ended && give(m, 0);
    if (old) {
        before = block_at(m, old);
        Region *after = block_at(m, block);
        memcpy(after->memory, before->memory, before->bytes < bytes ? before->bytes : bytes);
        block_give_back(m, old);
    }
    return give(m, block);
}

/* What box/memory.h does for a lesson's calls.c. */
static bool fail_allocation(Machine *m)
{
    m->asked = 0;
    m->failing = (int32_t)m->x[0];
    return true;
}

static bool allocations(Machine *m)
{
    return give(m, (uint32_t)m->asked);
}

static bool blocks_held(Machine *m)
{
    return give(m, (uint32_t)m->blocks);
}

static bool leave_since(Machine *m)
{
    int held = (int32_t)m->x[0];
    for (int i = 0; i < m->region_count; i++)
        if (m->regions[i].kind == A_BLOCK && !m->regions[i].left && held-- <= 0) {
            m->regions[i].left = true;
            m->blocks--;
            m->bytes_left += m->regions[i].bytes;
        }
    return true;
}

/* Nothing is: every block is counted. */
static bool leave_hidden(Machine *m)
{
    (void)m;
    return true;
}

/* ---- string.h ---- */
static bool copy(Machine *m, bool may_overlap)
{
    const uint64_t to = m->x[0], from = m->x[1], bytes = m->x[2];
    m->report = (WireReport){.param = -1};
    if (bytes >> 63)
        return end_call(m, BY_ASAN, "negative-size-param");
    const unsigned char *source = bytes ? reach(m, from, bytes, false) : NULL;
    unsigned char *target = source ? reach(m, to, bytes, true) : NULL;
    if (target && !may_overlap && to != from && to < from + bytes && from < to + bytes)
        return end_call(m, BY_ASAN, "memcpy-param-overlap");
    if (target)
        memmove(target, source, bytes);
    return target || !bytes;
}

static bool copy_apart(Machine *m)
{
    return copy(m, false);
}

static bool copy_any(Machine *m)
{
    return copy(m, true);
}

static bool set_bytes(Machine *m)
{
    m->report = (WireReport){.param = -1};
    if (m->x[2] >> 63)
        return end_call(m, BY_ASAN, "negative-size-param");
    unsigned char *to = m->x[2] ? reach(m, m->x[0], m->x[2], true) : NULL;
    if (to)
        memset(to, (int)m->x[1], m->x[2]);
    return to || !m->x[2];
}

static bool compare_bytes(Machine *m)
{
    const uint64_t bytes = m->x[2];
    const unsigned char *a = bytes ? reach(m, m->x[0], bytes, false) : NULL;
    const unsigned char *b = a ? reach(m, m->x[1], bytes, false) : NULL;
    return (b || !bytes) && give(m, (uint32_t)(bytes ? memcmp(a, b, bytes) : 0));
}

static bool text_length(Machine *m)
{
    const char *text = reach_text(m, m->x[0]);
    return text && give(m, strlen(text));
}

static bool compare_texts(Machine *m)
{
    const char *a = reach_text(m, m->x[0]), *b = a ? reach_text(m, m->x[1]) : NULL;
    return b && give(m, (uint32_t)strcmp(a, b));
}

static bool copy_text(Machine *m)
{
    const char *from = reach_text(m, m->x[1]);
    size_t bytes = from ? strlen(from) + 1 : 0;
    unsigned char *to = from ? reach(m, m->x[0], bytes, true) : NULL;
    if (to)
        memmove(to, from, bytes);
    return to;
}

/* ---- the end ---- */
static bool leave(Machine *m)
{
    m->report = (WireReport){.param = -1, .number = (int32_t)m->x[0]};
    return end_call(m, BY_EXIT, "exit");
}

static bool leave_at_once(Machine *m)
{
    m->report = (WireReport){.param = -1, .number = (int32_t)m->x[0]};
    return end_call(m, BY_EXIT, "_exit");
}

static bool trap(Machine *m)
{
    m->report = (WireReport){.param = -1};
    return end_call(m, BY_SIGNAL, "SIGILL");
}

static bool give_up(Machine *m)
{
    m->report = (WireReport){.param = -1};
    return end_call(m, BY_SIGNAL, "SIGABRT");
}

static bool open_file(Machine *m)
{
    const char *path = reach_text(m, m->x[0]);
    if (!path)
        return false;
    m->report = (WireReport){.param = -1, .number = FILE_OPENED};
    snprintf(m->report.detail, sizeof m->report.detail, "%s", path);
    return end_call(m, BY_OFFENCE, "");
}

static bool start_process(Machine *m)
{
    m->report = (WireReport){.param = -1, .number = PROCESS};
    return end_call(m, BY_OFFENCE, "");
}

/* ---- stdio.h ---- */
static bool print_bytes(Machine *m, const void *bytes, size_t count)
{
    m->printed_total += count;
    size_t room = m->printed.length < m->printed_limit ? m->printed_limit - m->printed.length : 0;
    buffer_append(&m->printed, bytes, count < room ? count : room);
    return m->printed_total <= m->printed_limit || end_call(m, BY_OUTPUT, "");
}

static bool print(Machine *m, int named)
{
    Buffer out = {0};
    Variadic from = {named, 0, m->x[STACK_POINTER]};
    bool done = print_formatted(m, m->x[named - 1], from, &out) &&
                print_bytes(m, out.data, out.length) && give(m, out.length);
    buffer_free(&out);
    return done;
}

static bool print_out(Machine *m)
{
    return print(m, 1);
}

static bool print_to(Machine *m)
{
    return print(m, 2);
}

static bool print_line(Machine *m)
{
    const char *text = reach_text(m, m->x[0]);
    return text && print_bytes(m, text, strlen(text)) && print_bytes(m, "\n", 1);
}

static bool print_text(Machine *m)
{
    const char *text = reach_text(m, m->x[0]);
    return text && print_bytes(m, text, strlen(text));
}

static bool print_character(Machine *m)
{
    char c = (char)m->x[0];
    return print_bytes(m, &c, 1);
}

/* snprintf: as much as there is room for, and the length of all of it. */
static bool print_into(Machine *m)
{
    Buffer out = {0};
    const uint64_t to = m->x[0], room = m->x[1];
    bool done = print_formatted(m, m->x[2], (Variadic){3, 0, m->x[STACK_POINTER]}, &out);
    size_t bytes = room && out.length >= room ? room - 1 : out.length;
    unsigned char *at = done && room ? reach(m, to, bytes + 1, true) : NULL;
    if (at) {
        memcpy(at, out.data ? out.data : "", bytes);
        at[bytes] = '\0';
    }
    give(m, out.length);
    buffer_free(&out);
    return done && (at || !room);
}

static bool flush(Machine *m)
{
    return give(m, 0);
}

/* ---- the table ---- */
typedef void Any(void);
typedef enum { OTHER, OF_FLOAT, OF_DOUBLE, OF_FLOATS, OF_DOUBLES } Signature;
#define ONE(name)                                                                                  \
    {#name "f", OF_FLOAT, (Any *)name##f},                                                         \
    {                                                                                              \
#name, OF_DOUBLE, (Any *)name                                                              \
    }
#define TWO(name)                                                                                  \
    {#name "f", OF_FLOATS, (Any *)name##f},                                                        \
    {                                                                                              \
#name, OF_DOUBLES, (Any *)name                                                             \
    }
#define OWN(name, function)                                                                        \
    {                                                                                              \
        name, OTHER, (Any *)function                                                               \
    }

static const struct {
    const char *name;
    Signature shape;
    Any *function;
} functions[] = {ONE(sqrt),
                 ONE(fabs),
                 ONE(exp),
                 ONE(exp2),
                 ONE(expm1),
                 ONE(log),
                 ONE(log2),
                 ONE(log1p),
                 ONE(log10),
                 ONE(tanh),
                 ONE(sin),
                 ONE(cos),
                 ONE(tan),
                 ONE(atan),
                 ONE(asin),
                 ONE(acos),
                 ONE(cbrt),
                 ONE(floor),
                 ONE(ceil),
                 ONE(round),
                 ONE(erf),
                 ONE(erfc),
                 ONE(sinh),
                 ONE(cosh),
                 ONE(asinh),
                 ONE(acosh),
                 ONE(atanh),
                 ONE(trunc),
                 ONE(rint),
                 ONE(nearbyint),
                 ONE(tgamma),
                 ONE(lgamma),
                 TWO(pow),
                 TWO(fmax),
                 TWO(fmin),
                 TWO(fmod),
                 TWO(hypot),
                 TWO(copysign),
                 TWO(fdim),
                 TWO(atan2),
                 TWO(remainder),
                 TWO(nextafter),
                 OWN("fmaf", fused_float),
                 OWN("fma", fused_double),
                 OWN("ldexpf", scaled_float),
                 OWN("ldexp", scaled_double),
                 OWN("frexpf", split_float),
                 OWN("frexp", split_double),
                 OWN("lrintf", rounded_float),
                 OWN("lrint", rounded_double),
                 OWN("lroundf", away_float),
                 OWN("lround", away_double),
                 OWN("abs", absolute),
                 OWN("labs", absolute_long),
                 OWN("llabs", absolute_long),
                 OWN("sqrtl", quad_sqrt),
                 OWN("fabsl", quad_fabs),
                 OWN("expl", quad_exp),
                 OWN("logl", quad_log),
                 OWN("powl", quad_pow),
                 OWN("__addtf3", quad_add),
                 OWN("__subtf3", quad_subtract),
                 OWN("__multf3", quad_multiply),
                 OWN("__divtf3", quad_divide),
                 OWN("__eqtf2", quad_less),
                 OWN("__netf2", quad_less),
                 OWN("__lttf2", quad_less),
                 OWN("__letf2", quad_less),
                 OWN("__gttf2", quad_greater),
                 OWN("__getf2", quad_greater),
                 OWN("__extendsftf2", quad_of_float),
                 OWN("__extenddftf2", quad_of_double),
                 OWN("__trunctfsf2", float_of_quad),
                 OWN("__trunctfdf2", double_of_quad),
                 OWN("__floatsitf", quad_of_int),
                 OWN("__floatditf", quad_of_long),
                 OWN("__floatunsitf", quad_of_unsigned),
                 OWN("__floatunditf", quad_of_unsigned_long),
                 OWN("__fixtfsi", int_of_quad),
                 OWN("__fixtfdi", long_of_quad),
                 OWN("__fixunstfsi", unsigned_of_quad),
                 OWN("__fixunstfdi", unsigned_long_of_quad),
                 OWN("malloc", take),
                 OWN("calloc", take_zeroed),
                 OWN("realloc", take_more),
                 OWN("aligned_alloc", take_aligned),
                 OWN("free", give_back),
                 OWN("__calls_fail_allocation", fail_allocation),
                 OWN("__calls_allocations", allocations),
                 OWN("__calls_blocks_held", blocks_held),
                 OWN("__calls_leave_since", leave_since),
                 OWN("__calls_leave_hidden", leave_hidden),
                 OWN("memcpy", copy_apart),
                 OWN("memmove", copy_any),
                 OWN("memset", set_bytes),
                 OWN("memcmp", compare_bytes),
                 OWN("strlen", text_length),
                 OWN("strcmp", compare_texts),
                 OWN("strcpy", copy_text),
                 OWN("exit", leave),
                 OWN("abort", give_up),
                 OWN("_exit", leave_at_once),
                 OWN("__spent", give_up), /* of a trial's text: its fuel */
                 OWN("__builtin_trap", trap),
                 OWN("fopen", open_file),
                 OWN("system", start_process),
                 OWN("printf", print_out),
                 OWN("fprintf", print_to),
                 OWN("snprintf", print_into),
                 OWN("puts", print_line),
                 OWN("fputs", print_text),
                 OWN("putchar", print_character),
                 OWN("fputc", print_character),
                 OWN("putc", print_character),
                 OWN("fflush", flush)};

int library_count(void)
{
    return sizeof functions / sizeof *functions;
}

int library_number(const char *name)
{
    for (int i = 0; i < library_count(); i++)
        if (!strcmp(functions[i].name, name))
            return i;
    return -1;
}

bool library_call(Machine *m, int number)
{
    Any *function = functions[number].function;
    switch (functions[number].shape) {
    case OF_FLOAT:
        return give_float(m, ((float (*)(float))function)(float_at(m, 0)));
    case OF_DOUBLE:
        return give_double(m, ((double (*)(double))function)(double_at(m, 0)));
    case OF_FLOATS:
        return give_float(m, ((float (*)(float, float))function)(float_at(m, 0), float_at(m, 1)));
    case OF_DOUBLES:
        return give_double(
            m, ((double (*)(double, double))function)(double_at(m, 0), double_at(m, 1)));
    case OTHER:
        break;
    }
    return ((bool (*)(Machine *))function)(m);
}
