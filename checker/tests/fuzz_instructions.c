/* decode.c, fuse.c, execute.c, memory.c and library.c: an image of any bytes is run. Whatever it
 * does stays within its memory, and it ends; and done several at once, operations leave what they
 * leave one by one. */
#include "machine.h"

#include "fuzz.h"

enum { MOST = 20000, MOST_CODE = 2048, WORD = 4, LOCALS = 8 };

static bool sets_flags(const Operation *o)
{
    return (o->kind >= ADDS_VALUE_W && o->kind <= SUBS_VALUE_X) ||
           (o->kind >= ADDS_W && o->kind <= SUBS_X) || o->kind == FCMP_S || o->kind == FCMP_D;
}

static bool asks_flags(const Operation *o)
{
    return o->kind == CHOOSE_W || o->kind == CHOOSE_X || o->kind == JUMP_IF;
}

/* As our compiler's: flags are asked for behind what sets them, once, and no jump is to an address
 * that was worked out. */
static bool is_like_ours(const Image *image)
{
    const uint32_t count = (uint32_t)image->code_size / WORD;
    bool is = true;
    Operation before = {.kind = NOTHING_TO_DO}, o, there;
    for (uint32_t i = 0; i < count && is; i++, before = o) {
        decode(image, i * WORD, &o);
        const bool begins = o.kind == STORE_PAIR && o.d == FRAME_POINTER && o.a == LINK;
        is = o.kind != JUMP_TO && o.kind != CALL_TO && o.kind != A_LONG_ARRAY && begins == !i &&
             !(asks_flags(&o) && !sets_flags(&before)) &&
             (o.d != FRAME_POINTER || begins || o.kind == LOAD_PAIR || o.n == STACK_POINTER);
        if (o.kind >= JUMP && o.kind <= JUMP_UNLESS_ZERO_X && o.value < (int64_t)count) {
            decode(image, (uint32_t)o.value * WORD, &there);
            is = is && !asks_flags(&there);
        }
    }
    return is;
}

static bool run_it(Machine *m, const Image *image, bool one_by_one)
{
    if (m->code) /* its stack is large: it is made once */
        machine_load(m, image);
    else
        machine_open(m, image);
    for (uint32_t at = 0; one_by_one && at + WORD <= image->code_size; at += WORD)
        decode(image, at, &m->code[at / WORD]);
    m->held_limit = 1 << 20;
    m->printed_limit = 1 << 12;
    machine_begin(m);
    m->printed.length = m->printed_total = 0;
    machine_array(m, 0, 64, false);
    machine_array(m, 1, 64, true);
    m->x[0] = array_address(0);
    m->x[1] = array_address(1);
    m->x[2] = 7;
    m->left = MOST;
    return machine_call(m, REGION_START(IMAGE_REGION));
}

static void require_the_same(const Machine *a, const Machine *b)
{
    const Region *stack = &a->regions[STACK_REGION], *other = &b->regions[STACK_REGION];
    require(!memcmp(a->x, b->x, NOWHERE * sizeof *a->x));
    require(!memcmp(a->v, b->v, sizeof a->v));
    require(a->lowest == b->lowest && a->report.kind == b->report.kind);
    require(!memcmp(stack->memory + a->lowest, other->memory + a->lowest, STACK_BYTES - a->lowest));
    require(
        !memcmp(a->regions[IMAGE_REGION].memory, b->regions[IMAGE_REGION].memory, a->image->size));
    require(!memcmp(a->regions[FIRST_ARRAY].memory, b->regions[FIRST_ARRAY].memory, 64));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Local locals[LOCALS];
    const size_t code = size / WORD * WORD < MOST_CODE ? size / WORD * WORD : MOST_CODE;
    Image image = {.size = size + 64, .code_size = code, .locals = locals, .local_count = LOCALS};
    static Machine together, alone;
    for (int i = 0; i < LOCALS; i++)
        locals[i] = (Local){.from = -72 * (i + 1), .size = 4u << i % 3, .filled = i % 2};
    image.bytes = calloc(2, image.size);
    require(image.bytes);
    image.nobodys = image.bytes + image.size;
    memcpy(image.bytes, data, size);
    const bool returned = run_it(&together, &image, false);
    if (is_like_ours(&image)) {
        const bool also = run_it(&alone, &image, true);
        if (together.left > 0 && alone.left > 0) {
            require(returned == also);
            require_the_same(&together, &alone);
        }
    }
    free(image.bytes);
    return 0;
}
