/* An instruction becomes an Operation: those of arm64 that tcc/arm64-gen.c makes, and tcc.sed.
 *
 * The invariant: what is not known here is NO_OPERATION, and so are jumps that leave the code. */
#include "machine.h"

#include "library.h"

static uint32_t bits(uint32_t word, int from, int count)
{
    return (word >> from) & ((1u << count) - 1);
}

static int64_t signed_bits(uint32_t word, int from, int count)
{
    uint32_t sign = 1u << (count - 1);
    return (int64_t)(bits(word, from, count) ^ sign) - (int64_t)sign;
}

/* Register 31 is zero, or nowhere to go. */
static uint8_t source(uint32_t word, int from)
{
    uint32_t r = bits(word, from, 5);
    return r == 31 ? ZERO_REGISTER : (uint8_t)r;
}

static uint8_t target(uint32_t word)
{
    uint32_t r = bits(word, 0, 5);
    return r == 31 ? NOWHERE : (uint8_t)r;
}

/* Some kinds stand in a row: of W and of X. */
static uint16_t sized(OperationKind of_w, uint32_t word)
{
    return (uint16_t)(of_w + (int)(word >> 31));
}

/* An immediate of and, orr and eor: a run of ones, turned and repeated. 0: there is none such. */
static uint64_t mask_of(uint32_t word)
{
    uint32_t length = bits(word, 22, 1) << 6 | (~bits(word, 10, 6) & 63);
    int size = 64;
    while (size > 1 && !(length & (uint32_t)size))
        size /= 2;
    uint32_t ones = bits(word, 10, 6) & (uint32_t)(size - 1), turn = bits(word, 16, 6);
    turn &= (uint32_t)(size - 1);
    if (size < 2 || ones == (uint32_t)size - 1)
        return 0;
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    uint64_t run = (UINT64_C(2) << ones) - 1;
    run = turn ? (run >> turn | run << ((uint32_t)size - turn)) & all : run;
    for (; size < 64; size *= 2)
        run |= run << size;
    return word >> 31 ? run : (uint32_t)run;
}

/* ---- numbers ---- */
static void decode_value(uint32_t at, uint32_t word, Operation *o)
{
    const uint32_t kind = bits(word, 29, 2);
    o->d = target(word);
    o->n = (uint8_t)bits(word, 5, 5);
    if ((word & 0x9f000000) == 0x90000000) { /* adrp */
        uint64_t page = (REGION_START(IMAGE_REGION) + at) & ~UINT64_C(0xfff);
        o->kind = SET;
        o->value = (int64_t)page + (signed_bits(word, 5, 19) * 4 + (int64_t)kind) * 4096;
    } else if ((word & 0x1f000000) == 0x11000000) { /* add, sub */
        o->value = (int64_t)bits(word, 10, 12) << (bits(word, 22, 1) * 12);
        if (kind & 1) {
            o->kind = sized(kind & 2 ? SUBS_VALUE_W : ADDS_VALUE_W, word);
            return;
        }
        o->value = kind & 2 ? -o->value : o->value;
        o->d = (uint8_t)bits(word, 0, 5);
        o->kind = o->d == STACK_POINTER ? MOVE_STACK : sized(ADD_VALUE_W, word);
    } else if ((word & 0x1f800000) == 0x12000000 && kind != 3) { /* and, orr, eor */
        static const OperationKind kinds[] = {AND_VALUE_W, OR_VALUE_W, XOR_VALUE_W};
        o->n = source(word, 5);
        o->value = (int64_t)mask_of(word);
        o->kind = o->value && o->d != NOWHERE ? sized(kinds[kind], word) : NO_OPERATION;
    } else if ((word & 0x1f800000) == 0x12800000 && kind != 1) { /* movn, movz, movk */
        uint64_t value = bits(word, 5, 16);
        o->n = (uint8_t)(bits(word, 21, 2) * 16);
        o->kind = kind == 3 ? sized(KEEP_W, word) : SET;
        if (kind != 3)
            value <<= o->n;
        if (kind == 0)
            value = word >> 31 ? ~value : (uint32_t)~value;
        o->value = (int64_t)value;
    } else if ((word & 0x1f800000) == 0x13000000 && !(kind & 1)) { /* sbfm, ubfm */
        o->kind = sized(kind ? UBFM_W : SBFM_W, word);
        o->n = source(word, 5);
        o->m = (uint8_t)bits(word, 16, 6);
        o->a = (uint8_t)bits(word, 10, 6);
        if (!(word >> 31) && (o->m > 31 || o->a > 31))
            o->kind = NO_OPERATION;
    }
}

/* ---- registers ---- */
static void decode_registers(uint32_t word, Operation *o)
{
    const uint32_t kind = bits(word, 29, 2);
    o->d = target(word);
    o->n = source(word, 5);
    o->m = source(word, 16);
    o->a = (uint8_t)bits(word, 10, 6);
    if ((word & 0x1f200000) == 0x0b200000 && !(kind & 1)) { /* add, sub: a register extended */
        const uint32_t extension = bits(word, 13, 3);
        o->n = (uint8_t)bits(word, 5, 5);
        o->d = (uint8_t)bits(word, 0, 5);
        o->a = (uint8_t)bits(word, 10, 3);
        if (extension == 3 && o->d == STACK_POINTER && kind == 2)
            o->kind = LOWER_STACK;
        else if (extension == 3 && o->d != STACK_POINTER)
            o->kind = sized(kind ? SUB_W : ADD_W, word);
        else if (extension == 6 && o->d != STACK_POINTER && !kind)
            o->kind = ADD_SIGNED_WORD;
    } else if ((word & 0x1fe00000) == 0x0b000000) { /* add, sub, and with flags */
        static const OperationKind kinds[] = {ADD_W, ADDS_W, SUB_W, SUBS_W};
        o->kind = sized(kinds[kind], word);
    } else if ((word & 0x1fe00000) == 0x0a000000 && kind != 3) { /* and, orr, eor */
        static const OperationKind kinds[] = {AND_W, OR_W, XOR_W};
        o->kind = sized(kinds[kind], word);
    } else if ((word & 0x7fe00000) == 0x2a200000) { /* orn */
        o->kind = sized(ORN_W, word);
    } else if ((word & 0x7fe00000) == 0x1ac00000) { /* two registers to one */
        static const OperationKind kinds[64] = {
            [2] = UDIV_W, [3] = SDIV_W, [8] = SHL_W, [9] = SHR_W, [10] = SAR_W};
        o->kind = kinds[o->a] ? sized(kinds[o->a], word) : NO_OPERATION;
    } else if ((word & 0x7fe00000) == 0x1b000000) { /* madd, msub */
        bool minus = bits(word, 15, 1);
        o->a = source(word, 10);
        o->kind = sized(minus && o->a == ZERO_REGISTER ? MULS_W : minus ? MSUB_W : MADD_W, word);
    } else if ((word & 0x7fe00c00) == 0x1a800400) { /* csinc */
        o->kind = sized(CHOOSE_W, word);
        o->a = (uint8_t)bits(word, 12, 4);
    }
    if (o->a > 31 && o->kind < UDIV_W && !(word >> 31))
        o->kind = NO_OPERATION;
}

/* ---- jumps ---- */
static void jump(const Image *image, uint32_t at, int64_t words, OperationKind kind, Operation *o)
{
    int64_t to = at + words * 4;
    o->kind = NO_OPERATION;
    if (to >= 0 && to < (int64_t)image->code_size) {
        o->kind = (uint16_t)kind;
        o->value = to / 4;
    } else if (kind == CALL && to >= LIBRARY_OFFSET && (to - LIBRARY_OFFSET) % LIBRARY_STEP == 0 &&
               (to - LIBRARY_OFFSET) / LIBRARY_STEP < library_count()) {
        o->kind = CALL_LIBRARY;
        o->value = (to - LIBRARY_OFFSET) / LIBRARY_STEP;
    }
}

static void decode_jump(const Image *image, uint32_t at, uint32_t word, Operation *o)
{
    o->n = source(word, word >> 25 == 0x6b ? 5 : 0);
    o->a = (uint8_t)bits(word, 0, 4);
    if ((word & 0x7c000000) == 0x14000000)
        jump(image, at, signed_bits(word, 0, 26), word >> 31 ? CALL : JUMP, o);
    else if ((word & 0xff000010) == 0x54000000)
        jump(image, at, signed_bits(word, 5, 19), JUMP_IF, o);
    else if ((word & 0x7e000000) == 0x34000000)
        jump(image, at, signed_bits(word, 5, 19),
             (bits(word, 24, 1) ? JUMP_UNLESS_ZERO_W : JUMP_IF_ZERO_W) + (word >> 31), o);
    else if ((word & 0xff9ffc1f) == 0xd61f0000 && bits(word, 21, 2) != 3)
        o->kind = bits(word, 21, 2) == 1 ? CALL_TO : JUMP_TO; /* blr; br and ret */
    else if (word == 0xd503201f)
        o->kind = NOTHING_TO_DO;
}

/* ---- memory ---- */
/* By size and, of loads, by what becomes of a sign. */
static uint16_t access_kind(uint32_t word)
{
    static const uint16_t whole[4][4] = {
        {STORE_8, LOAD_8, LOAD_S8_X, LOAD_S8_W},
        {STORE_16, LOAD_16, LOAD_S16_X, LOAD_S16_W},
        {STORE_32, LOAD_32, LOAD_S32, NO_OPERATION},
        {STORE_64, LOAD_64, NO_OPERATION, NO_OPERATION},
    };
    static const uint16_t other[4][4] = {
        {NO_OPERATION, NO_OPERATION, STORE_Q, LOAD_Q},
        {NO_OPERATION, NO_OPERATION, NO_OPERATION, NO_OPERATION},
        {STORE_S, LOAD_S, NO_OPERATION, NO_OPERATION},
        {STORE_D, LOAD_D, NO_OPERATION, NO_OPERATION},
    };
    return (bits(word, 26, 1) ? other : whole)[word >> 30][bits(word, 22, 2)];
}

static void decode_access(uint32_t word, Operation *o)
{
    const bool vector = bits(word, 26, 1);
    const uint16_t kind = access_kind(word);
    const int size = kind == LOAD_Q || kind == STORE_Q ? 4 : (int)(word >> 30);
    const bool loads = bits(word, 22, 2) != 0 && kind != STORE_Q;
    o->d = vector ? (uint8_t)bits(word, 0, 5) : loads ? target(word) : source(word, 0);
    o->n = (uint8_t)bits(word, 5, 5);
    o->m = ZERO_REGISTER;
    if ((word & ~31u) == 0xf81f0fe0 || (word & ~31u) == 0xf84107e0) {
        o->kind = loads ? POP : PUSH;
    } else if ((word & 0x3b000000) == 0x39000000) {
        o->kind = kind;
        o->value = (int64_t)bits(word, 10, 12) << size;
    } else if ((word & 0x3b200c00) == 0x38000000) {
        o->kind = kind;
        o->value = signed_bits(word, 12, 9);
    } else if ((word & 0x3b20fc00) == 0x38206800) {
        o->kind = kind;
        o->m = source(word, 16);
    }
}

/* stp, ldp: of x registers, and of q registers in a function's beginning. */
static void decode_pair(uint32_t word, Operation *o)
{
    const uint32_t place = bits(word, 23, 2);
    const bool loads = bits(word, 22, 1), vector = bits(word, 26, 1);
    o->d = vector ? (uint8_t)bits(word, 0, 5) : loads ? target(word) : source(word, 0);
    o->a = vector ? (uint8_t)bits(word, 10, 5) : source(word, 10);
    if (loads && o->a == ZERO_REGISTER)
        o->a = NOWHERE;
    o->n = (uint8_t)bits(word, 5, 5);
    o->m = place == 3 ? BEFORE : place == 1 ? AFTERWARDS : OFFSET_ONLY;
    o->value = signed_bits(word, 15, 7) * (vector ? 16 : 8);
    if (place && word >> 30 == 2)
        o->kind = vector ? (loads ? NO_OPERATION : STORE_PAIR_Q) : loads ? LOAD_PAIR : STORE_PAIR;
}

/* ---- other numbers than whole ones ---- */
static void decode_float(uint32_t word, Operation *o)
{
    const int of_double = (int)bits(word, 22, 1);
    o->d = (uint8_t)bits(word, 0, 5);
    o->n = (uint8_t)bits(word, 5, 5);
    o->m = (uint8_t)bits(word, 16, 5);
    if ((word & 0xffa00c00) == 0x1e200800) {
        static const OperationKind kinds[16] = {
            [0] = FMUL_S, [1] = FDIV_S, [2] = FADD_S, [3] = FSUB_S};
        const OperationKind kind = kinds[bits(word, 12, 4)];
        o->kind = kind ? (uint16_t)(kind + of_double) : NO_OPERATION;
    } else if ((word & 0xffa0fc17) == 0x1e202000) {
        o->kind = (uint16_t)(FCMP_S + of_double);
        o->a = bits(word, 3, 1);
    } else if ((word & 0xfffffc00) == 0x1e604000) {
        o->kind = FMOVE;
    } else if ((word & 0xffe0fc00) == 0x4ea01c00 && o->n == o->m) {
        o->kind = QMOVE;
    } else if ((word & 0xfffffc00) == 0x4e083c00 || (word & 0xfffffc00) == 0x4e183c00) {
        o->kind = bits(word, 20, 1) ? QMOVE_HIGH : QMOVE_LOW;
        o->d = target(word);
    } else if ((word & 0xfffffc00) == 0x1e22c000 || (word & 0xfffffc00) == 0x1e624000) {
        o->kind = of_double ? D_TO_S : S_TO_D;
    } else if ((word & 0x7fbefc00) == 0x1e220000) { /* scvtf, ucvtf */
        o->n = source(word, 5);
        o->kind = (uint16_t)(W_TO_S + (int)(bits(word, 16, 1) * 4 + (word >> 31) * 2) + of_double);
    } else if ((word & 0x7fbefc00) == 0x1e380000) { /* fcvtzs, fcvtzu */
        o->d = target(word);
        o->kind = (uint16_t)(S_TO_W + (int)(bits(word, 16, 1) * 4 + (word >> 31) * 2) + of_double);
    }
}

void decode(const Image *image, uint32_t at, Operation *o)
{
    uint32_t word;
    memcpy(&word, image->bytes + at, sizeof word);
    *o = (Operation){.kind = NO_OPERATION, .length = 1};
    if (word >> 16 == LOCAL_MARK && (int)word < image->local_count) {
        o->kind = A_LOCAL;
        o->value = word;
    } else if ((word & ~31u) == VLA_MARK) {
        o->kind = A_LONG_ARRAY;
        o->n = source(word, 0);
    } else if (bits(word, 26, 3) == 4) {
        decode_value(at, word, o);
    } else if (bits(word, 26, 3) == 5) {
        decode_jump(image, at, word, o);
    } else if (bits(word, 25, 3) == 5) {
        decode_registers(word, o);
    } else if ((word & 0x3a000000) == 0x28000000) {
        decode_pair(word, o);
    } else if (bits(word, 27, 1) && !bits(word, 25, 1)) {
        decode_access(word, o);
    } else if (bits(word, 25, 3) == 7) {
        decode_float(word, o);
    }
}
