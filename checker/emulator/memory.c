/* Memory as a learner's code sees it: the image, the stack, the call's arrays and each block of
 * malloc() in a region of its own.
 *
 * The invariant: no byte is reached that is not alive in the region that its address names. A block
 * that was given back keeps its region, and no other block gets it in the same call. */
#include "machine.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
    STACK_RESERVE = 512, /* for what a function's beginning puts there */
    MOST_REGIONS = 1 << 22,
    GARBAGE_BYTES = 4096, /* of a new block; the rest is zero, as fresh pages are */
    UNSET = 0xfe          /* what a variable holds at first, as gcc's pattern */
};

/* No block is larger anywhere; AddressSanitizer's own limit. */
#define MOST_BYTES (UINT64_C(1) << 40)

static void *some(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* ---- how a call ends ---- */
/* The places in the code that led here, innermost first, by the chain of frame pointers. */
static void keep_frames(Machine *m)
{
    const Region *stack = &m->regions[STACK_REGION];
    uint64_t frame = m->x[FRAME_POINTER], caller[2];
    m->report.frames[0] = m->at;
    m->report.frame_count = 1;
    while (m->report.frame_count < MAX_FRAMES) {
        uint64_t at = frame - REGION_START(STACK_REGION);
        if (at >= STACK_BYTES - sizeof caller || at % 16)
            return;
        memcpy(caller, stack->memory + at, sizeof caller);
        uint64_t place = caller[1] - REGION_START(IMAGE_REGION) - 4;
        if (caller[0] <= frame || place >= m->image->code_size)
            return;
        m->report.frames[m->report.frame_count++] = place;
        frame = caller[0];
    }
}

bool end_call(Machine *m, ReportKind kind, const char *what)
{
    m->ended = true;
    m->report.kind = kind;
    snprintf(m->report.what, sizeof m->report.what, "%s", what);
    keep_frames(m);
    return false;
}

bool end_undefined(Machine *m, const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->report.detail, sizeof m->report.detail, format, arguments);
    va_end(arguments);
    return end_call(m, BY_UBSAN, what);
}

/* ---- reach ---- */
static void tell_access(Machine *m, uint64_t address, uint64_t bytes, bool writes)
{
    m->report = (WireReport){.param = -1, .writes = writes, .size = bytes, .address = address};
}

/* Beside the variables of the stack or the image, or below what is alive of the stack. */
static const char *of_variables(const Region *r, uint64_t offset, uint64_t bytes)
{
    if (r->kind == THE_IMAGE)
        return "global-buffer-overflow";
    if (offset < r->low)
        return "stack-use-after-return";
    for (uint64_t i = 0; i < bytes && offset + i < r->bytes; i++)
        if (r->nobodys[offset + i])
            return r->nobodys[offset + i] == BEFORE_A_VARIABLE ? "stack-buffer-underflow"
                                                               : "stack-buffer-overflow";
    return "stack-buffer-overflow";
}

unsigned char *reach_slowly(Machine *m, uint64_t address, uint64_t bytes, bool writes)
{
    uint64_t number = address >> REGION_BITS, nobodys = 0;
    Region *r = number < (uint64_t)m->region_count ? &m->regions[number] : NULL;
    uint64_t offset = address - REGION_START(number);
    bool lies_in = r && offset <= r->bytes && r->bytes - offset >= bytes;
    if (lies_in && offset >= r->low && r->nobodys && bytes && bytes <= sizeof nobodys) {
        memcpy(&nobodys, r->nobodys + offset, bytes);
        if (!nobodys)
            return r->memory + offset;
    }
    if (lies_in && offset >= r->low && !(writes && r->read_only) &&
        (!r->nobodys || !bytes || !memchr(r->nobodys + offset, BEFORE_A_VARIABLE, bytes)) &&
        (!r->nobodys || !bytes || !memchr(r->nobodys + offset, BEHIND_A_VARIABLE, bytes)))
        return r->memory + offset;
    tell_access(m, address, bytes, writes);
    if (number == NULL_REGION) {
        end_call(m, BY_UBSAN, "null-pointer-use");
    } else if (!r || r->kind == NOBODYS) {
        end_call(m, BY_SIGNAL, "SIGSEGV");
    } else if (r->kind == AN_ARRAY) {
        m->report.param = (int32_t)number - FIRST_ARRAY;
        m->report.offset =
            (int64_t)(offset < r->bytes && !(writes && r->read_only) ? r->bytes : offset);
        end_call(m, BY_ASAN, "use-after-poison");
    } else if (r->kind == A_BLOCK || r->kind == A_FREED_BLOCK) {
        bool freed = r->kind == A_FREED_BLOCK && offset < r->was;
        end_call(m, BY_ASAN, freed ? "heap-use-after-free" : "heap-buffer-overflow");
    } else if (offset > r->bytes + (UINT64_C(1) << 20) || (r->read_only && lies_in) ||
               (r->kind == THE_IMAGE && offset < m->image->code_size)) {
        end_call(m, BY_SIGNAL, "SIGSEGV");
    } else {
        end_call(m, BY_ASAN, of_variables(r, offset, bytes));
    }
    return NULL;
}

const char *reach_text(Machine *m, uint64_t address)
{
    uint64_t length = 0;
    const unsigned char *at;
    do {
        at = reach(m, address + length, 1, false);
        length++;
    } while (at && *at);
    return at ? (const char *)(at - (length - 1)) : NULL;
}

/* ---- regions ---- */
static Region *region_add(Machine *m, RegionKind kind)
{
    if (m->region_count == m->region_room) {
        m->region_room = m->region_room ? 2 * m->region_room : 64;
        m->regions = realloc(m->regions, (size_t)m->region_room * sizeof *m->regions);
        if (!m->regions)
            abort();
    }
    m->regions[m->region_count] = (Region){.kind = kind};
    return &m->regions[m->region_count++];
}

void *machine_array(Machine *m, int param, size_t bytes, bool read_only)
{
    Region *r = &m->regions[FIRST_ARRAY + param];
    free(r->memory);
    *r = (Region){.memory = some(bytes, 1),
                  .readable = bytes,
                  .writable = read_only ? 0 : bytes,
                  .bytes = bytes,
                  .kind = AN_ARRAY,
                  .read_only = read_only};
    return r->memory;
}

uint64_t array_address(int param)
{
    return REGION_START(FIRST_ARRAY + param);
}

/* ---- blocks ---- */
uint64_t block_take(Machine *m, uint64_t bytes, int filled_with)
{
    m->asked++;
    if (m->failing < 0 ? m->asked >= -m->failing : m->asked == m->failing)
        return 0;
    if (bytes > MOST_BYTES) {
        m->report = (WireReport){.param = -1};
        end_call(m, BY_ASAN, "allocation-size-too-big");
        return 0;
    }
    if (bytes > m->held_limit || m->held + bytes > m->held_limit ||
        m->region_count == MOST_REGIONS) {
        m->report = (WireReport){.param = -1};
        end_call(m, BY_MEMORY, "");
        return 0;
    }
    Region *r = region_add(m, A_BLOCK);
    r->memory = some(bytes, 1);
    memset(r->memory, filled_with, bytes < GARBAGE_BYTES ? bytes : GARBAGE_BYTES);
    r->bytes = r->readable = r->writable = bytes;
    r->allocated_at = m->at;
    m->held += bytes;
    m->blocks++;
    return REGION_START(m->region_count - 1);
}

Region *block_at(Machine *m, uint64_t address)
{
    uint64_t number = address >> REGION_BITS;
    if (number >= (uint64_t)m->region_count || address != REGION_START(number))
        return NULL;
    Region *r = &m->regions[number];
    return r->kind == A_BLOCK || r->kind == A_FREED_BLOCK ? r : NULL;
}

bool block_give_back(Machine *m, uint64_t address)
{
    Region *r = block_at(m, address);
    if (!address)
        return true;
    m->report = (WireReport){.param = -1, .writes = -1, .address = address};
    if (!r)
        return end_call(m, BY_ASAN, "bad-free");
    if (r->kind == A_FREED_BLOCK)
        return end_call(m, BY_ASAN, "double-free");
    free(r->memory);
    m->held -= r->bytes;
    m->blocks -= !r->left;
    m->bytes_left -= r->left ? r->bytes : 0;
    *r = (Region){.kind = A_FREED_BLOCK, .was = r->bytes};
    return true;
}

/* ---- the stack ---- */
bool stack_move(Machine *m, uint64_t to)
{
    Region *r = &m->regions[STACK_REGION];
    uint64_t offset = to - REGION_START(STACK_REGION);
    if (offset > STACK_BYTES || offset < STACK_RESERVE) {
        m->report = (WireReport){.param = -1};
        return end_call(m, BY_STACK, "");
    }
    if (offset > r->low)
        memset(r->nobodys + r->low, 0, offset - r->low);
    r->low = m->low = offset;
    if (offset < m->lowest)
        m->lowest = offset;
    m->x[STACK_POINTER] = to;
    return true;
}

bool stack_local(Machine *m, const Local *local)
{
    Region *r = &m->regions[STACK_REGION];
    uint64_t at = m->x[FRAME_POINTER] + (uint64_t)(int64_t)local->from - REGION_START(STACK_REGION);
    if (at < r->low + GAP || at > STACK_BYTES - GAP || STACK_BYTES - GAP - at < local->size)
        return end_call(m, BY_SIGNAL, "SIGILL");
    memset(r->nobodys + at - GAP, BEFORE_A_VARIABLE, GAP);
    memset(r->nobodys + at + local->size, BEHIND_A_VARIABLE, GAP);
    if (!local->filled)
        memset(r->memory + at, UNSET, local->size);
    return true;
}

bool stack_array(Machine *m, uint64_t bytes)
{
    if ((int64_t)bytes <= 0)
        return end_undefined(m, "non-positive-vla-index",
                             "variable length array bound evaluates to non-positive value");
    uint64_t end = m->x[STACK_POINTER] - GAP;
    if (bytes > STACK_BYTES || !stack_move(m, (end - bytes) & ~UINT64_C(15)))
        return m->ended ? false : end_call(m, BY_STACK, "");
    Region *r = &m->regions[STACK_REGION];
    uint64_t behind = r->low + bytes;
    memset(r->memory + r->low, UNSET, bytes);
    memset(r->nobodys + behind, BEHIND_A_VARIABLE, end + GAP - REGION_START(STACK_REGION) - behind);
    return true;
}

/* ---- the whole ---- */
void machine_load(Machine *m, const Image *image)
{
    Region *own = &m->regions[IMAGE_REGION];
    free(own->memory);
    free(m->code);
    *own = (Region){.memory = some(image->size, 1),
                    .nobodys = image->nobodys,
                    .bytes = image->size,
                    .kind = THE_IMAGE};
    m->image = image;
    m->code = some(image->code_size / 4 + 1, sizeof *m->code);
    for (uint32_t at = 0; at + 4 <= image->code_size; at += 4)
        decode(image, at, &m->code[at / 4]);
    fuse(image, m->code, (uint32_t)image->code_size / 4);
    machine_reset(m);
}

void machine_open(Machine *m, const Image *image)
{
    *m = (Machine){.low = STACK_BYTES, .lowest = STACK_BYTES};
    for (int i = 0; i < FIRST_ARRAY + CALL_PARAMS; i++)
        region_add(m, NOBODYS);
    m->regions[STACK_REGION] = (Region){.memory = some(STACK_BYTES, 1),
                                        .nobodys = some(STACK_BYTES, 1),
                                        .bytes = STACK_BYTES,
                                        .kind = THE_STACK};
    memset(m->regions[STACK_REGION].memory, UNSET, STACK_BYTES);
    machine_load(m, image);
}

void machine_reset(Machine *m)
{
    for (int i = FIRST_ARRAY + CALL_PARAMS; i < m->region_count; i++)
        free(m->regions[i].memory);
    m->region_count = FIRST_ARRAY + CALL_PARAMS;
    memcpy(m->regions[IMAGE_REGION].memory, m->image->bytes, m->image->size);
    m->held = m->bytes_left = 0;
    m->blocks = m->asked = m->failing = 0;
}

void machine_begin(Machine *m)
{
    Region *stack = &m->regions[STACK_REGION];
    memset(stack->memory + m->lowest, UNSET, STACK_BYTES - m->lowest);
    memset(stack->nobodys + m->lowest, 0, STACK_BYTES - m->lowest);
    m->low = m->lowest = stack->low = STACK_BYTES;
    memset(m->x, 0, sizeof m->x);
    memset(m->v, 0, sizeof m->v);
    m->x[STACK_POINTER] = REGION_START(STACK_REGION) + STACK_BYTES;
    while (m->regions[m->region_count - 1].kind == A_FREED_BLOCK)
        m->region_count--;
    m->report = (WireReport){.param = -1};
    m->ended = false;
}

void machine_close(Machine *m)
{
    for (int i = 0; i < m->region_count; i++)
        free(m->regions[i].memory);
    if (m->region_count)
        free(m->regions[STACK_REGION].nobodys);
    free(m->regions);
    free(m->code);
    buffer_free(&m->printed);
    *m = (Machine){0};
}
