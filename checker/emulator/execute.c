/* Operations, one after the other, until the call returns or ends.
 *
 * The invariant: nothing of ours is reached but by reach(), and the next operation is always one of
 * the image's. Where C leaves something undefined this is what x86-64 gives, or the call ends. */
#include "machine.h"

#include "library.h"

#include <stdlib.h>

/* Engines that make code of code look at a function when it is called again: so many operations
 * are done at a time. */
enum { SLICE = 2000000 };

typedef struct {
    bool returned, ended;
    int64_t left;
} Progress;

/* ---- flags ---- */
static void flags_of(Machine *m, uint64_t result, bool wide, bool carry, bool overflow)
{
    m->negative = wide ? result >> 63 : (uint32_t)result >> 31;
    m->zero = wide ? !result : !(uint32_t)result;
    m->carry = carry;
    m->overflow = overflow;
}

static bool holds(const Machine *m, int condition)
{
    bool is = true;
    switch (condition >> 1) {
    case 0:
        is = m->zero;
        break;
    case 1:
        is = m->carry;
        break;
    case 2:
        is = m->negative;
        break;
    case 3:
        is = m->overflow;
        break;
    case 4:
        is = m->carry && !m->zero;
        break;
    case 5:
        is = m->negative == m->overflow;
        break;
    case 6:
        is = m->negative == m->overflow && !m->zero;
        break;
    default:
        return true;
    }
    return is != (condition & 1);
}

static bool cannot_be(Machine *m, int64_t a, const char *sign, int64_t b, bool wide)
{
    return end_undefined(m, "signed-integer-overflow",
                         "signed integer overflow: %lld %s %lld cannot be represented in type '%s'",
                         (long long)a, sign, (long long)b, wide ? "long int" : "int");
}

/* n + m or n - m with flags. A place for the result makes it an operation of the text's. */
static bool add_with_flags(Machine *m, const Operation *o, uint64_t b, bool minus, bool wide)
{
    uint64_t a = m->x[o->n];
    bool overflow, carry;
    uint64_t result;
    int64_t first = wide ? (int64_t)a : (int32_t)a, second = wide ? (int64_t)b : (int32_t)b;
    if (wide) {
        int64_t sum;
        overflow = minus ? __builtin_sub_overflow(first, second, &sum)
                         : __builtin_add_overflow(first, second, &sum);
        result = (uint64_t)sum;
        carry = minus ? a >= b : result < a;
    } else {
        int32_t sum;
        overflow = minus ? __builtin_sub_overflow((int32_t)a, (int32_t)b, &sum)
                         : __builtin_add_overflow((int32_t)a, (int32_t)b, &sum);
        result = (uint32_t)sum;
        carry = minus ? (uint32_t)a >= (uint32_t)b : (uint32_t)result < (uint32_t)a;
    }
    flags_of(m, result, wide, carry, overflow);
    if (overflow && o->d != NOWHERE)
        return cannot_be(m, first, minus ? "-" : "+", second, wide);
    m->x[o->d] = result;
    return true;
}

static bool multiply_whole(Machine *m, const Operation *o, bool wide)
{
    int64_t a = (int64_t)m->x[o->n], b = (int64_t)m->x[o->m], product;
    if (!wide)
        a = (int32_t)a, b = (int32_t)b;
    if (__builtin_mul_overflow(a, b, &product) || (!wide && product != (int32_t)product))
        return cannot_be(m, a, "*", b, wide);
    m->x[o->d] = wide ? (uint64_t)product : (uint32_t)product;
    return true;
}

static bool divide_whole(Machine *m, const Operation *o, bool has_sign, bool wide)
{
    uint64_t a = m->x[o->n], b = m->x[o->m];
    if (!wide) {
        a = has_sign ? (uint64_t)(int32_t)a : (uint32_t)a;
        b = has_sign ? (uint64_t)(int32_t)b : (uint32_t)b;
    }
    if (!b)
        return end_undefined(m, "integer-divide-by-zero", "division by zero");
    if (has_sign && b == UINT64_MAX && a == (wide ? 1ull << 63 : (uint64_t)INT32_MIN))
        return cannot_be(m, (int64_t)a, "/", -1, wide);
    a = has_sign ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
    m->x[o->d] = wide ? a : (uint32_t)a;
    return true;
}

static bool shift(Machine *m, const Operation *o, bool wide)
{
    const uint64_t a = m->x[o->n];
    const int64_t by = (int32_t)m->x[o->m]; /* what follows from an int's sign is said of it */
    if (by < 0)
        return end_undefined(m, "shift-exponent", "shift exponent %lld is negative", (long long)by);
    if (by > (wide ? 63 : 31))
        return end_undefined(m, "shift-exponent",
                             "shift exponent %lld is too large for %d-bit type '%s'", (long long)by,
                             wide ? 64 : 32, wide ? "long int" : "int");
    switch (o->kind) {
    case SHL_W:
        m->x[o->d] = (uint32_t)((uint32_t)a << by);
        break;
    case SHL_X:
        m->x[o->d] = a << by;
        break;
    case SHR_W:
        m->x[o->d] = (uint32_t)a >> by;
        break;
    case SHR_X:
        m->x[o->d] = a >> by;
        break;
    case SAR_W:
        m->x[o->d] = (uint32_t)((int32_t)a >> by);
        break;
    default:
        m->x[o->d] = (uint64_t)((int64_t)a >> by);
    }
    return true;
}

/* Bits m to a of n, moved to the lower end; or bits 0 to a, moved up. */
static uint64_t bit_field(uint64_t n, const Operation *o, int width, bool has_sign)
{
    const int low = o->m, high = o->a;
    const int above = 63 - high;
    uint64_t field = n << above;
    const int down = high >= low ? above + low : above;
    field = has_sign ? (uint64_t)((int64_t)field >> down) : field >> down;
    if (high < low)
        field <<= width - low;
    return width == 64 ? field : (uint32_t)field;
}

/* ---- floats and doubles ---- */
static float float_in(const Vector *v)
{
    float f;
    memcpy(&f, &v->low, sizeof f);
    return f;
}

static double double_in(const Vector *v)
{
    double d;
    memcpy(&d, &v->low, sizeof d);
    return d;
}

static void put_float(Vector *v, float f)
{
    uint32_t low;
    memcpy(&low, &f, sizeof low);
    *v = (Vector){low, 0};
}

static void put_double(Vector *v, double d)
{
    uint64_t low;
    memcpy(&low, &d, sizeof low);
    *v = (Vector){low, 0};
}

static void compare_floats(Machine *m, double a, double b)
{
    bool unordered = a != a || b != b;
    m->negative = a < b;
    m->zero = a == b;
    m->carry = unordered || a >= b;
    m->overflow = unordered;
}

/* As x86-64 does it: what does not fit is the smallest of all. */
static int64_t whole(double d)
{
    return d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? (int64_t)d : INT64_MIN;
}

static uint32_t whole_word(double d)
{
    return d > -2147483649.0 && d < 2147483648.0 ? (uint32_t)(int32_t)d : (uint32_t)INT32_MIN;
}

static uint64_t whole_unsigned(double d)
{
    return d < 9223372036854775808.0 ? (uint64_t)whole(d)
                                     : (uint64_t)whole(d - 9223372036854775808.0) ^ 1ull << 63;
}

/* ---- memory ---- */
#define ADDRESS (m->x[o->n] + m->x[o->m] + (uint64_t)o->value)
#define AT(op) (m->at = (uint32_t)((op)-m->code) * 4) /* where what goes wrong is */
#define LOAD(type, place, as)                                                                      \
    do {                                                                                           \
        type loaded;                                                                               \
        const unsigned char *from = reach_fast(m, ADDRESS, sizeof loaded, false);                  \
        if (!from && (AT(o), !(from = reach_slowly(m, ADDRESS, sizeof loaded, false))))            \
            goto ended;                                                                            \
        memcpy(&loaded, from, sizeof loaded);                                                      \
        place = (as)loaded;                                                                        \
    } while (0)
#define STORE(type, value_of)                                                                      \
    do {                                                                                           \
        type stored = (type)(value_of);                                                            \
        unsigned char *to = reach_fast(m, ADDRESS, sizeof stored, true);                           \
        if (!to && (AT(o), !(to = reach_slowly(m, ADDRESS, sizeof stored, true))))                 \
            goto ended;                                                                            \
        memcpy(to, &stored, sizeof stored);                                                        \
    } while (0)

/* A variable of the function: nothing needs to be looked up, where the frame's pointer is as it is
 * to be. m is the register that held a far place, or NOWHERE. */
#define LOCAL(op, type, bytes, writes)                                                             \
    const uint64_t offset = x[(op)->n] + (uint64_t)(op)->value;                                    \
    x[(op)->m] = (uint64_t)(op)->value + REGION_START(STACK_REGION);                               \
    type *at = offset >= m->low && offset <= STACK_BYTES - (bytes)                                 \
                   ? stack + offset                                                                \
                   : (AT(op), reach(m, offset + REGION_START(STACK_REGION), bytes, writes));       \
    if (!at)                                                                                       \
    goto ended
#define FROM_LOCAL(op, type, place, as)                                                            \
    do {                                                                                           \
        type loaded;                                                                               \
        LOCAL(op, const unsigned char, sizeof loaded, false);                                      \
        memcpy(&loaded, at, sizeof loaded);                                                        \
        place = (as)loaded;                                                                        \
    } while (0)
#define TO_LOCAL(op, type, value_of)                                                               \
    do {                                                                                           \
        LOCAL(op, unsigned char, sizeof(type), true);                                              \
        type stored = (type)(value_of);                                                            \
        memcpy(at, &stored, sizeof stored);                                                        \
    } while (0)
#define BEHIND(op) ((op) + (op)->length)
/* Goes on behind that operation; those between were done, too. */
#define GO_ON(op)                                                                                  \
    do {                                                                                           \
        next = (op);                                                                               \
        left -= next - o - 1;                                                                      \
    } while (0)

static bool move_word(Machine *m, uint64_t address, uint64_t *word, bool writes)
{
    unsigned char *at = reach(m, address, sizeof *word, writes);
    if (at && writes)
        memcpy(at, word, sizeof *word);
    else if (at)
        memcpy(word, at, sizeof *word);
    return at;
}

static bool move_vector(Machine *m, uint64_t address, Vector *v, bool writes)
{
    return move_word(m, address, &v->low, writes) && move_word(m, address + 8, &v->high, writes);
}

static bool change_base(Machine *m, const Operation *o)
{
    uint64_t to = m->x[o->n] + (uint64_t)o->value;
    if (o->n == STACK_POINTER)
        return stack_move(m, to);
    m->x[o->n] = to;
    return true;
}

static void move_words(unsigned char *at, uint64_t *first, uint64_t *second, bool writes)
{
    if (writes) {
        memcpy(at, first, sizeof *first);
        memcpy(at + 8, second, sizeof *second);
    } else {
        memcpy(first, at, sizeof *first);
        memcpy(second, at + 8, sizeof *second);
    }
}

/* Above the stack's pointer lies what a function keeps there, and no variable. */
static unsigned char *reach_kept(Machine *m, int base, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - REGION_START(STACK_REGION);
    return base == STACK_POINTER && offset >= m->low && offset <= STACK_BYTES - bytes
               ? m->regions[STACK_REGION].memory + offset
               : NULL;
}

static bool move_pair(Machine *m, const Operation *o)
{
    enum { BYTES = 16 };
    const bool stores = o->kind != LOAD_PAIR;
    const uint64_t address = m->x[o->n] + (o->m == AFTERWARDS ? 0 : (uint64_t)o->value);
    if (o->m == BEFORE && !change_base(m, o))
        return false;
    if (o->kind == STORE_PAIR_Q) {
        unsigned char *at = reach_kept(m, o->n, address, 2 * BYTES);
        if (!at)
            return move_vector(m, address, &m->v[o->d], true) &&
                   move_vector(m, address + BYTES, &m->v[o->a], true);
        move_words(at, &m->v[o->d].low, &m->v[o->d].high, true);
        move_words(at + BYTES, &m->v[o->a].low, &m->v[o->a].high, true);
        return true;
    }
    unsigned char *at = reach_kept(m, o->n, address, BYTES);
    if (at)
        move_words(at, &m->x[o->d], &m->x[o->a], stores);
    else if (!move_word(m, address, &m->x[o->d], stores) ||
             !move_word(m, address + 8, &m->x[o->a], stores))
        return false;
    return o->m != AFTERWARDS || change_base(m, o);
}

/* ---- jumps ---- */
/* To an address that is known only now: in the code, the library, or back to who made the call. */
static bool jump_to(Machine *m, uint64_t address, const Operation **next, bool *returned)
{
    uint64_t offset = address - REGION_START(IMAGE_REGION);
    if (offset < m->image->code_size && offset % 4 == 0) {
        *next = m->code + offset / 4;
        return true;
    }
    offset -= LIBRARY_OFFSET;
    uint64_t number = offset / LIBRARY_STEP;
    if (offset % LIBRARY_STEP || number > (uint64_t)library_count())
        return reach_slowly(m, address, 4, false) && end_call(m, BY_SIGNAL, "SIGSEGV");
    if (number == (uint64_t)library_count()) {
        *returned = true;
        return true;
    }
    return library_call(m, (int)number) && jump_to(m, m->x[LINK], next, returned);
}

#define RETURN_ADDRESS                                                                             \
    (REGION_START(IMAGE_REGION) + LIBRARY_OFFSET + (uint64_t)library_count() * LIBRARY_STEP)
#define HERE (REGION_START(IMAGE_REGION) + (uint64_t)(o - m->code) * 4)

/* d = n op b, in 64 bits and in 32 */
#define BOTH(kind, operation)                                                                      \
    case kind##_X:                                                                                 \
        x[o->d] = operation;                                                                       \
        break;                                                                                     \
    case kind##_W:                                                                                 \
        x[o->d] = (uint32_t)(operation);                                                           \
        break
#define OR_END(done)                                                                               \
    AT(o);                                                                                         \
    if (!(done))                                                                                   \
        goto ended;                                                                                \
    break
#define FLOATS(kind, operator)                                                                     \
    case kind##_S:                                                                                 \
        put_float(&v[o->d], float_in(&v[o->n]) operator float_in(&v[o->m]));                       \
        break;                                                                                     \
    case kind##_D:                                                                                 \
        put_double(&v[o->d], double_in(&v[o->n]) operator double_in(&v[o->m]));                    \
        break

/* Behind a comparison's choice of 1 or 0, which has been made. */
static inline const Operation *after_choice(const Machine *m, const Operation *jump)
{
    return (jump->kind == JUMP_IF_ZERO_W) == !(uint32_t)m->x[jump->n] ? m->code + jump->value
                                                                      : jump + 1;
}

/* What a condition says of two numbers: bit 0: less, 1: equal, 2: less without signs. */
static const uint8_t condition_bits[] = {0xcc, 0x33, 0x0f, 0xf0, 0,    0,    0,
                                         0,    0x03, 0xfc, 0x55, 0xaa, 0x11, 0xee};

/* SUBS_W, CHOOSE_W and a jump. Nobody asks for the flags once more. */
static inline const Operation *after_comparison(Machine *m, const Operation *o)
{
    const uint32_t a = (uint32_t)m->x[o->n], b = (uint32_t)m->x[o->m];
    const int is = ((int32_t)a < (int32_t)b) | (a == b) << 1 | (a < b) << 2;
    m->x[o[1].d] = !(condition_bits[o[1].a] >> is & 1);
    return after_choice(m, o + 2);
}

/* So many operations. What is known of the call afterwards stands in `p`. */
static const Operation *run(Machine *m, const Operation *o, Progress *p)
{
    uint64_t *const x = m->x;
    Vector *const v = m->v;
    unsigned char *const stack = m->regions[STACK_REGION].memory;
    const Operation *next = o;
    int64_t left = p->left;
    while (left-- > 0) {
        o = next++;
        switch ((OperationKind)o->kind) {
        case NOTHING_TO_DO:
            break;
        case A_LOCAL:
            OR_END(stack_local(m, &m->image->locals[o->value]));
        case A_LONG_ARRAY:
            OR_END(stack_array(m, x[o->n]));
        case SET:
            x[o->d] = (uint64_t)o->value;
            break;
        case MOVE_STACK:
            OR_END(stack_move(m, x[o->n] + (uint64_t)o->value));
        case LOWER_STACK:
            OR_END(stack_move(m, x[o->n] - (x[o->m] << o->a)));
            BOTH(KEEP, (x[o->d] & ~(UINT64_C(0xffff) << o->n)) | (uint64_t)o->value << o->n);
            BOTH(ADD_VALUE, x[o->n] + (uint64_t)o->value);
            BOTH(AND_VALUE, x[o->n] & (uint64_t)o->value);
            BOTH(OR_VALUE, x[o->n] | (uint64_t)o->value);
            BOTH(XOR_VALUE, x[o->n] ^ (uint64_t)o->value);
            BOTH(ADD, x[o->n] + (x[o->m] << o->a));
            BOTH(SUB, x[o->n] - (x[o->m] << o->a));
            BOTH(AND, x[o->n] & (x[o->m] << o->a));
            BOTH(OR, x[o->n] | (x[o->m] << o->a));
            BOTH(ORN, x[o->n] | ~(x[o->m] << o->a));
            BOTH(XOR, x[o->n] ^ (x[o->m] << o->a));
            BOTH(MADD, x[o->a] + x[o->n] * x[o->m]);
            BOTH(MSUB, x[o->a] - x[o->n] * x[o->m]);
            BOTH(CHOOSE, holds(m, o->a) ? x[o->n] : x[o->m] + 1);
        case ADD_SIGNED_WORD:
            x[o->d] = x[o->n] + ((uint64_t)(int32_t)x[o->m] << o->a);
            break;
        case ADDS_VALUE_W:
        case ADDS_VALUE_X:
            OR_END(add_with_flags(m, o, (uint64_t)o->value, false, o->kind == ADDS_VALUE_X));
        case SUBS_VALUE_W:
        case SUBS_VALUE_X:
            OR_END(add_with_flags(m, o, (uint64_t)o->value, true, o->kind == SUBS_VALUE_X));
        case ADDS_W:
        case ADDS_X:
            OR_END(add_with_flags(m, o, x[o->m] << o->a, false, o->kind == ADDS_X));
        case SUBS_W:
        case SUBS_X:
            OR_END(add_with_flags(m, o, x[o->m] << o->a, true, o->kind == SUBS_X));
        case MULS_W:
        case MULS_X:
            OR_END(multiply_whole(m, o, o->kind == MULS_X));
        case SDIV_W:
        case SDIV_X:
            OR_END(divide_whole(m, o, true, o->kind == SDIV_X));
        case UDIV_W:
        case UDIV_X:
            OR_END(divide_whole(m, o, false, o->kind == UDIV_X));
        case SHL_W:
        case SHR_W:
        case SAR_W:
            OR_END(shift(m, o, false));
        case SHL_X:
        case SHR_X:
        case SAR_X:
            OR_END(shift(m, o, true));
        case UBFM_W:
            x[o->d] = bit_field((uint32_t)x[o->n], o, 32, false);
            break;
        case UBFM_X:
            x[o->d] = bit_field(x[o->n], o, 64, false);
            break;
        case SBFM_W:
            x[o->d] = bit_field(x[o->n], o, 32, true);
            break;
        case SBFM_X:
            x[o->d] = bit_field(x[o->n], o, 64, true);
            break;
        case JUMP:
            next = m->code + o->value;
            break;
        case CALL:
            x[LINK] = HERE + 4;
            next = m->code + o->value;
            break;
        case JUMP_IF:
            if (holds(m, o->a))
                next = m->code + o->value;
            break;
        case JUMP_IF_ZERO_W:
            if (!(uint32_t)x[o->n])
                next = m->code + o->value;
            break;
        case JUMP_IF_ZERO_X:
            if (!x[o->n])
                next = m->code + o->value;
            break;
        case JUMP_UNLESS_ZERO_W:
            if ((uint32_t)x[o->n])
                next = m->code + o->value;
            break;
        case JUMP_UNLESS_ZERO_X:
            if (x[o->n])
                next = m->code + o->value;
            break;
        case CALL_LIBRARY:
            x[LINK] = HERE + 4;
            OR_END(library_call(m, (int)o->value));
        case CALL_TO: {
            uint64_t to = x[o->n];
            const Operation *there = next; /* so that `next` needs no address */
            x[LINK] = HERE + 4;
            AT(o);
            if (!jump_to(m, to, &there, &p->returned))
                goto ended;
            next = there;
            break;
        }
        case JUMP_TO: {
            const Operation *there = next;
            AT(o);
            if (!jump_to(m, x[o->n], &there, &p->returned))
                goto ended;
            next = there;
            if (p->returned)
                goto stop;
            break;
        }
        case LOAD_8:
            LOAD(uint8_t, x[o->d], uint64_t);
            break;
        case LOAD_16:
            LOAD(uint16_t, x[o->d], uint64_t);
            break;
        case LOAD_32:
            LOAD(uint32_t, x[o->d], uint64_t);
            break;
        case LOAD_64:
            LOAD(uint64_t, x[o->d], uint64_t);
            break;
        case LOAD_S8_W:
            LOAD(int8_t, x[o->d], uint32_t);
            break;
        case LOAD_S8_X:
            LOAD(int8_t, x[o->d], uint64_t);
            break;
        case LOAD_S16_W:
            LOAD(int16_t, x[o->d], uint32_t);
            break;
        case LOAD_S16_X:
            LOAD(int16_t, x[o->d], uint64_t);
            break;
        case LOAD_S32:
            LOAD(int32_t, x[o->d], uint64_t);
            break;
        case STORE_8:
            STORE(uint8_t, x[o->d]);
            break;
        case STORE_16:
            STORE(uint16_t, x[o->d]);
            break;
        case STORE_32:
            STORE(uint32_t, x[o->d]);
            break;
        case STORE_64:
            STORE(uint64_t, x[o->d]);
            break;
        case LOAD_S:
            LOAD(uint32_t, v[o->d].low, uint64_t);
            v[o->d].high = 0;
            break;
        case LOAD_D:
            LOAD(uint64_t, v[o->d].low, uint64_t);
            v[o->d].high = 0;
            break;
        case STORE_S:
            STORE(uint32_t, v[o->d].low);
            break;
        case STORE_D:
            STORE(uint64_t, v[o->d].low);
            break;
        case LOAD_Q:
            OR_END(move_vector(m, ADDRESS, &v[o->d], false));
        case STORE_Q:
            OR_END(move_vector(m, ADDRESS, &v[o->d], true));
        case PUSH:
            OR_END(stack_move(m, x[STACK_POINTER] - 16) &&
                   move_word(m, x[STACK_POINTER], &x[o->d], true));
        case POP:
            OR_END(move_word(m, x[STACK_POINTER], &x[o->d], false) &&
                   stack_move(m, x[STACK_POINTER] + 16));
        case LOAD_PAIR:
        case STORE_PAIR:
        case STORE_PAIR_Q:
            OR_END(move_pair(m, o));
            FLOATS(FADD, +);
            FLOATS(FSUB, -);
            FLOATS(FMUL, *);
            FLOATS(FDIV, /);
        case FCMP_S:
            compare_floats(m, float_in(&v[o->n]), o->a ? 0 : float_in(&v[o->m]));
            break;
        case FCMP_D:
            compare_floats(m, double_in(&v[o->n]), o->a ? 0 : double_in(&v[o->m]));
            break;
        case FMOVE:
            v[o->d] = (Vector){v[o->n].low, 0};
            break;
        case QMOVE:
            v[o->d] = v[o->n];
            break;
        case QMOVE_LOW:
            x[o->d] = v[o->n].low;
            break;
        case QMOVE_HIGH:
            x[o->d] = v[o->n].high;
            break;
        case S_TO_D:
            put_double(&v[o->d], float_in(&v[o->n]));
            break;
        case D_TO_S:
            put_float(&v[o->d], (float)double_in(&v[o->n]));
            break;
        case W_TO_S:
            put_float(&v[o->d], (float)(int32_t)x[o->n]);
            break;
        case W_TO_D:
            put_double(&v[o->d], (int32_t)x[o->n]);
            break;
        case X_TO_S:
            put_float(&v[o->d], (float)(int64_t)x[o->n]);
            break;
        case X_TO_D:
            put_double(&v[o->d], (double)(int64_t)x[o->n]);
            break;
        case UW_TO_S:
            put_float(&v[o->d], (float)(uint32_t)x[o->n]);
            break;
        case UW_TO_D:
            put_double(&v[o->d], (uint32_t)x[o->n]);
            break;
        case UX_TO_S:
            put_float(&v[o->d], (float)x[o->n]);
            break;
        case UX_TO_D:
            put_double(&v[o->d], (double)x[o->n]);
            break;
        case S_TO_W:
            x[o->d] = whole_word(float_in(&v[o->n]));
            break;
        case D_TO_W:
            x[o->d] = whole_word(double_in(&v[o->n]));
            break;
        case S_TO_X:
            x[o->d] = (uint64_t)whole(float_in(&v[o->n]));
            break;
        case D_TO_X:
            x[o->d] = (uint64_t)whole(double_in(&v[o->n]));
            break;
        case S_TO_UW:
            x[o->d] = (uint32_t)whole(float_in(&v[o->n]));
            break;
        case D_TO_UW:
            x[o->d] = (uint32_t)whole(double_in(&v[o->n]));
            break;
        case S_TO_UX:
            x[o->d] = whole_unsigned(float_in(&v[o->n]));
            break;
        case D_TO_UX:
            x[o->d] = whole_unsigned(double_in(&v[o->n]));
            break;
        case LOCAL_LOAD_32:
            FROM_LOCAL(o, uint32_t, x[o->d], uint64_t);
            GO_ON(BEHIND(o));
            break;
        case LOCAL_LOAD_64:
            FROM_LOCAL(o, uint64_t, x[o->d], uint64_t);
            GO_ON(BEHIND(o));
            break;
        case LOCAL_LOAD_S:
            FROM_LOCAL(o, uint32_t, v[o->d].low, uint64_t);
            v[o->d].high = 0;
            GO_ON(BEHIND(o));
            break;
        case LOCAL_LOAD_D:
            FROM_LOCAL(o, uint64_t, v[o->d].low, uint64_t);
            v[o->d].high = 0;
            GO_ON(BEHIND(o));
            break;
        case LOCAL_STORE_32:
            TO_LOCAL(o, uint32_t, x[o->d]);
            GO_ON(BEHIND(o));
            break;
        case LOCAL_STORE_64:
            TO_LOCAL(o, uint64_t, x[o->d]);
            GO_ON(BEHIND(o));
            break;
        case LOCAL_STORE_S:
            TO_LOCAL(o, uint32_t, v[o->d].low);
            GO_ON(BEHIND(o));
            break;
        case LOCAL_STORE_D:
            TO_LOCAL(o, uint64_t, v[o->d].low);
            GO_ON(BEHIND(o));
            break;
        case COMPARE_LOCALS_JUMP: {
            const Operation *second = BEHIND(o), *compare = BEHIND(second);
            FROM_LOCAL(o, uint32_t, x[o->d], uint64_t);
            FROM_LOCAL(second, uint32_t, x[second->d], uint64_t);
            GO_ON(after_comparison(m, compare));
            break;
        }
        case COMPARE_JUMP:
            next = after_comparison(m, o);
            left -= 2;
            break;
        case COMPARE_FLOATS_JUMP:
            compare_floats(m, float_in(&v[o->n]), o->a ? 0 : float_in(&v[o->m]));
            x[o[1].d] = !holds(m, o[1].a);
            next = after_choice(m, o + 2);
            left -= 2;
            break;
        case ELEMENT_OF_LOCAL_WORD: {
            const Operation *wide = BEHIND(o), *address = wide + 2, *sum = BEHIND(address);
            FROM_LOCAL(o, uint32_t, x[o->d], uint64_t);
            x[wide->d] = (uint64_t)(int32_t)x[wide->n];
            x[wide[1].d] = bit_field(x[wide[1].n], wide + 1, 64, false);
            FROM_LOCAL(address, uint64_t, x[address->d], uint64_t);
            x[sum->d] = x[sum->n] + (x[sum->m] << sum->a);
            GO_ON(sum + 1);
            break;
        }
        case ELEMENT_OF_WORD: {
            const Operation *address = o + 2, *sum = BEHIND(address);
            x[o->d] = (uint64_t)(int32_t)x[o->n];
            x[o[1].d] = bit_field(x[o[1].n], o + 1, 64, false);
            FROM_LOCAL(address, uint64_t, x[address->d], uint64_t);
            x[sum->d] = x[sum->n] + (x[sum->m] << sum->a);
            GO_ON(sum + 1);
            break;
        }
        case ELEMENT_OF_LOCAL: {
            const Operation *field = BEHIND(o), *address = field + 1, *sum = BEHIND(address);
            FROM_LOCAL(o, uint64_t, x[o->d], uint64_t);
            x[field->d] = bit_field(x[field->n], field, 64, false);
            FROM_LOCAL(address, uint64_t, x[address->d], uint64_t);
            x[sum->d] = x[sum->n] + (x[sum->m] << sum->a);
            GO_ON(sum + 1);
            break;
        }
        case ELEMENT: {
            const Operation *address = o + 1, *sum = BEHIND(address);
            x[o->d] = bit_field(x[o->n], o, 64, false);
            FROM_LOCAL(address, uint64_t, x[address->d], uint64_t);
            x[sum->d] = x[sum->n] + (x[sum->m] << sum->a);
            GO_ON(sum + 1);
            break;
        }
        case INCREMENT: {
            const Operation *copy = BEHIND(o), *sum = copy + 1, *to = sum + 1;
            FROM_LOCAL(o, uint32_t, x[o->d], uint64_t);
            x[copy->d] = x[copy->n] | (x[copy->m] << copy->a);
            AT(sum);
            if (!add_with_flags(m, sum, (uint64_t)sum->value, false, false))
                goto ended;
            TO_LOCAL(to, uint32_t, x[to->d]);
            GO_ON(BEHIND(to));
            break;
        }
        case NO_OPERATION:
            AT(o);
            end_call(m, BY_SIGNAL, "SIGILL");
            goto ended;
        }
    }
    left++;
    AT(o);
    goto stop;
ended:
    p->ended = true;
stop:
    p->left = left;
    return next;
}

bool machine_call(Machine *m, uint64_t function)
{
    Progress p = {.left = 0};
    const Operation *o = m->code + (function - REGION_START(IMAGE_REGION)) / 4;
    const uint64_t link = m->x[LINK];
    m->x[LINK] = RETURN_ADDRESS;
    while (!p.returned && !p.ended) {
        int64_t slice = m->left < SLICE ? m->left : SLICE;
        p.left = slice;
        o = run(m, o, &p);
        m->left -= slice - p.left;
        if (m->left <= 0 && !p.returned && !p.ended)
            p.ended = !end_call(m, BY_TIME, "");
    }
    m->x[LINK] = link;
    return p.returned;
}
