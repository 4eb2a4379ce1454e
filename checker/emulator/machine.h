/* The machine: its memory, its registers, and how it runs an image. */
#ifndef MACHINE_H
#define MACHINE_H

#include "emulator.h"

#include <string.h>

typedef enum { NOBODYS, THE_IMAGE, THE_STACK, AN_ARRAY, A_BLOCK, A_FREED_BLOCK } RegionKind;

typedef struct {
    unsigned char *memory;
    uint64_t readable, writable; /* from its start: so many bytes need no closer look */
    unsigned char *nobodys;      /* 0 for a byte that is a variable's; NULL: all are */
    uint64_t bytes;              /* 0: it is not alive, or nobody's */
    uint64_t low;                /* what lies below is not alive: the stack's */
    uint64_t was;                /* of a freed block: its bytes */
    uint32_t allocated_at;       /* of a block: the place in the code */
    RegionKind kind;
    bool read_only;
    bool left; /* a block that does not count: see memory.h's leave_since() */
} Region;

enum { STACK_BYTES = 8 << 20 };
enum { BEFORE_A_VARIABLE = 1, BEHIND_A_VARIABLE = 2 }; /* what a byte of the stack's nobodys says */

enum {
    ZERO_REGISTER = 32,
    NOWHERE = 33,
    REGISTERS = 34,
    STACK_POINTER = 31,
    FRAME_POINTER = 29,
    LINK = 30
};

typedef struct {
    uint64_t low, high; /* a float or a double lies in the low part */
} Vector;

typedef struct {
    uint16_t kind;
    uint8_t d, n, m, a; /* registers */
    uint8_t length;     /* instructions that it is made of */
    int64_t value;
} Operation;

typedef struct Machine {
    const Image *image;
    Operation *code;
    Region *regions;
    int region_count, region_room;
    uint64_t x[REGISTERS];
    Vector v[32];
    bool negative, zero, carry, overflow; /* the flags */
    uint32_t at;                          /* the instruction that is being done */
    int64_t left;                         /* instructions that the call may still take */
    uint64_t low, lowest;                 /* the stack is used down to there, and was */
    size_t held, held_limit;              /* bytes in blocks, and how many there may be */
    size_t bytes_left;                    /* of these, in what does not count */
    int blocks;                           /* that are allocated */
    int garbage;                          /* what a new block holds */
    int asked, failing; /* as in box/memory.h: allocations, and which of them fail */
    Buffer printed;
    size_t printed_total, printed_limit;
    WireReport report; /* how the call ended, where it did not return */
    bool ended;
} Machine;

/* ---- memory.c ---- */
void machine_open(Machine *machine, const Image *image);
void machine_load(Machine *machine, const Image *image); /* in place of the one it has */
void machine_close(Machine *machine);
/* As before the first call: the image's data and no blocks. */
void machine_reset(Machine *machine);
void machine_begin(Machine *machine); /* a call: an empty stack, nothing in the registers */
/* The call's array `param`, of so many bytes: its memory, to be filled in. */
void *machine_array(Machine *machine, int param, size_t bytes, bool read_only);
uint64_t array_address(int param);

/* Where these bytes are in our memory. NULL: the call has ended there, and why is in the report. */
unsigned char *reach_slowly(Machine *machine, uint64_t address, uint64_t bytes, bool writes);

/* The same for an array or a block; NULL: it takes a closer look. */
static inline unsigned char *reach_fast(const Machine *machine, uint64_t address, uint64_t bytes,
                                        bool writes)
{
    const uint64_t number = address >> REGION_BITS;
    if (number >= (uint64_t)machine->region_count)
        return NULL;
    const Region *r = &machine->regions[number];
    const uint64_t offset = address - REGION_START(number);
    const uint64_t open = writes ? r->writable : r->readable;
    return offset < open && open - offset >= bytes ? r->memory + offset : NULL;
}

static inline unsigned char *reach(Machine *machine, uint64_t address, uint64_t bytes, bool writes)
{
    unsigned char *at = reach_fast(machine, address, bytes, writes);
    return at ? at : reach_slowly(machine, address, bytes, writes);
}

/* The text there, up to its '\0'. NULL: as with reach(). */
const char *reach_text(Machine *machine, uint64_t address);
uint64_t block_take(Machine *machine, uint64_t bytes, int filled_with); /* 0: there is none */
bool block_give_back(Machine *machine, uint64_t address); /* false: the call has ended */
Region *block_at(Machine *machine, uint64_t address);     /* that begins there; or NULL */
/* Moves the stack pointer. False: the call has ended. */
bool stack_move(Machine *machine, uint64_t to);
bool stack_local(Machine *machine, const Local *local);
bool stack_array(Machine *machine,
                 uint64_t bytes); /* of variable length: below all that is there */

/* The call ends here. false, for who says so at once. */
bool end_call(Machine *machine, ReportKind kind, const char *what);
bool end_undefined(Machine *machine, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- decode.c ----
 * W: of 32 bits, X: of 64; S: float, D: double, Q: 16 bytes. */
typedef enum {
    NO_OPERATION, /* nothing that our compiler makes */
    NOTHING_TO_DO,
    A_LOCAL,      /* value: its number */
    A_LONG_ARRAY, /* n: the register that holds its bytes */
    SET,          /* d = value */
    KEEP_W,
    KEEP_X,      /* d, its 16 bits from n on replaced by those of value */
    MOVE_STACK,  /* the stack pointer = n + value */
    LOWER_STACK, /* the stack pointer = n - (m << a) */
    /* d = n op value */
    ADD_VALUE_W,
    ADD_VALUE_X,
    AND_VALUE_W,
    AND_VALUE_X,
    OR_VALUE_W,
    OR_VALUE_X,
    XOR_VALUE_W,
    XOR_VALUE_X,
    /* the same with flags; with a place for the result it may not overflow */
    ADDS_VALUE_W,
    ADDS_VALUE_X,
    SUBS_VALUE_W,
    SUBS_VALUE_X,
    /* d = n op (m << a) */
    ADD_W,
    ADD_X,
    SUB_W,
    SUB_X,
    ADDS_W,
    ADDS_X,
    SUBS_W,
    SUBS_X,
    AND_W,
    AND_X,
    OR_W,
    OR_X,
    ORN_W,
    ORN_X,
    XOR_W,
    XOR_X,
    ADD_SIGNED_WORD,
    SDIV_W,
    SDIV_X,
    UDIV_W,
    UDIV_X,
    SHL_W,
    SHL_X,
    SHR_W,
    SHR_X,
    SAR_W,
    SAR_X,
    MADD_W,
    MADD_X,
    MSUB_W,
    MSUB_X, /* d = a +- n * m */
    MULS_W,
    MULS_X, /* d = n * m, which may not overflow */
    UBFM_W,
    UBFM_X,
    SBFM_W,
    SBFM_X, /* bits, from m to a */
    CHOOSE_W,
    CHOOSE_X, /* d = condition a ? n : m + 1 */
    /* to value, an instruction's number */
    JUMP,
    CALL,
    JUMP_IF,
    JUMP_IF_ZERO_W,
    JUMP_IF_ZERO_X,
    JUMP_UNLESS_ZERO_W,
    JUMP_UNLESS_ZERO_X,
    CALL_LIBRARY, /* value: its function's number */
    JUMP_TO,
    CALL_TO, /* n */
    /* at n + m + value */
    LOAD_8,
    LOAD_16,
    LOAD_32,
    LOAD_64,
    LOAD_S8_W,
    LOAD_S8_X,
    LOAD_S16_W,
    LOAD_S16_X,
    LOAD_S32,
    STORE_8,
    STORE_16,
    STORE_32,
    STORE_64,
    LOAD_S,
    LOAD_D,
    LOAD_Q,
    STORE_S,
    STORE_D,
    STORE_Q,
    /* two, of n + value; m: AFTERWARDS or BEFORE, n changes by value */
    PUSH,
    POP, /* d; the stack pointer changes by 16 */
    LOAD_PAIR,
    STORE_PAIR,
    STORE_PAIR_Q,
    FADD_S,
    FADD_D,
    FSUB_S,
    FSUB_D,
    FMUL_S,
    FMUL_D,
    FDIV_S,
    FDIV_D,
    FCMP_S,
    FCMP_D, /* n with m, or with zero where a says so */
    FMOVE,
    QMOVE,
    QMOVE_LOW,
    QMOVE_HIGH,
    S_TO_D,
    D_TO_S,
    /* whole numbers to others and back: the register's size, then the other's */
    W_TO_S,
    W_TO_D,
    X_TO_S,
    X_TO_D,
    UW_TO_S,
    UW_TO_D,
    UX_TO_S,
    UX_TO_D,
    S_TO_W,
    D_TO_W,
    S_TO_X,
    D_TO_X,
    S_TO_UW,
    D_TO_UW,
    S_TO_UX,
    D_TO_UX,
    /* of a variable of the function: value is its place in the stack's memory, from n on */
    LOCAL_LOAD_32,
    LOCAL_LOAD_64,
    LOCAL_LOAD_S,
    LOCAL_LOAD_D,
    LOCAL_STORE_32,
    LOCAL_STORE_64,
    LOCAL_STORE_S,
    LOCAL_STORE_D,
    /* several at once, which stand behind it as they were: see fuse.c */
    COMPARE_JUMP,
    COMPARE_LOCALS_JUMP,
    COMPARE_FLOATS_JUMP,
    ELEMENT,
    ELEMENT_OF_WORD,
    ELEMENT_OF_LOCAL_WORD,
    ELEMENT_OF_LOCAL,
    INCREMENT
} OperationKind;
enum { OFFSET_ONLY, BEFORE, AFTERWARDS };
void decode(const Image *image, uint32_t at, Operation *operation);

/* ---- fuse.c ---- */
void fuse(const Image *image, Operation *code, uint32_t count);

/* ---- arguments.c ---- */
void arguments_place(Machine *machine, const Case *c); /* after machine_begin() */
/* What a call has left in an array, or returned as parameter i. */
const void *argument_left(const Machine *machine, const Case *c, int i);

/* ---- execute.c ---- */
/* Calls the function there: false when it did not return. */
bool machine_call(Machine *machine, uint64_t function);

#endif
